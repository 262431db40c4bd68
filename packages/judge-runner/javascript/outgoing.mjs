/* Values and objects of a test on their way to the artifact, and what the artifact may do with them. */
import { createCallbackAnswers } from './callback-answers.mjs';
import { createGivenChanges } from './given-changes.mjs';
import { createGivenClasses } from './given-classes.mjs';
import { createGivenErrors } from './given-errors.mjs';
import { createGivenNumbers } from './given-numbers.mjs';
import { createGivenObjects } from './given-objects.mjs';
import { createGivenPromises } from './given-promises.mjs';
import { createGivenValues } from './given-values.mjs';
import { handles } from './handles.mjs';
import { createQuestionEncoding, outline } from './question-encoding.mjs';
import { libraryOf, namesOfGlobals } from './values.mjs';

/** Node's modules that the suite imports and what they hold, before a test puts something else there. */
function namesOfLibraries(builtins) {
  const names = new Map();
  for (const [name, module] of [...builtins].toReversed()) {
    for (const key of Object.keys(module).toReversed())
      if (Object(module[key]) === module[key]) names.set(module[key], [name, key]);
    names.set(module, [name]);
  }
  return names;
}

/** @param link the connection, as `proxy.mjs` makes it */
export function createOutgoing(link) {
  const libraryNames = namesOfLibraries(link.builtins);
  /** Where the artifact finds the same thing in its own built-in modules: it never calls ours. */
  const libraryName = (part) => libraryNames.get(part) ?? null;
  const numbers = createGivenNumbers(link.isInTest);
  const classes = createGivenClasses({
    isOther: (part) =>
      handles.has(part) || namesOfGlobals.has(part) || libraryOf(part) !== null || libraryName(part) !== null,
    isRemote: (part) => link.remote.isClass(part),
    numberOf: numbers.numberOf,
    texts: link.texts,
  });
  const values = createGivenValues(link);
  const { snapshots } = values;
  const errors = createGivenErrors(link, { numbers, classes, snapshots });
  const promises = createGivenPromises(link, { numbers, errors });
  const encoding = createQuestionEncoding(link, { numbers, classes, values, errors, promises }, libraryName);
  const objects = createGivenObjects(link, { numbers, classes });
  const callbacks = createCallbackAnswers(link, { numbers, classes, objects, errors, encoding });
  const changes = createGivenChanges(link, { numbers, classes });

  return {
    leave: encoding.leave,
    leaveAgain: encoding.leaveAgain,
    noteGiven: encoding.noteGiven,
    outline,
    numberOf: numbers.numberOf,
    symbolOf: numbers.symbolOf,
    numberOfSelf: objects.numberOfSelf,
    self: objects.self,
    takeMaking: objects.takeMaking,
    serve: callbacks.serve,
    changeClasses: changes.changeClasses,
    changeFunctions: changes.changeFunctions,
    noteThrown: errors.noteThrown,
    thrownNumber: errors.thrownNumber,
    errorOf: errors.errorOf,
    noteError: errors.noteError,
    hiddenAssertion: errors.hiddenAssertion,
    takeEnded: promises.takeEnded,
    /** An array or plain object of the running test by its number. */
    owned: values.partOf,
    /** What the test has changed in values that the artifact was given, as it leaves. */
    takeChanged: () => snapshots.changed().map(([, part]) => encoding.leave(part)),
    hasChanged: () => snapshots.changed().length > 0,
    /** Notes that what the artifact has changed in them has arrived. */
    noteUpdated: () => snapshots.refresh(),
    /** Something of the test's own that the artifact answers, in a list; null for what was not given. */
    given: (number) =>
      numbers.has(number)
        ? [numbers.isOver(number) ? Symbol('of an earlier test') : numbers.partOf(number)]
        : null,
    /** A class of the test as it leaves; null for any other. */
    leaveClass: (kind) => (classes.isOwn(kind) ? { $class: classes.give(kind) } : null),
    /** True for the prototype of a class of the test. */
    isPrototype: (part) => part !== null && classes.classOfPrototype(part) !== null,
    /** True for an object of a class of the test. */
    isOfTest: (part) => Object(part) === part && !handles.has(part) && classes.classOf(part) !== null,
    /**
     * An object of the test that a function is called on which its class has, of the artifact or of the test, or which it has from an object of the
     * artifact, as it leaves; undefined for any other.
     */
    selfOf(part, called) {
      if (Object(part) !== part || handles.has(part)) return undefined;
      const isOfClass =
        typeof part === 'object' && classes.classOf(part) !== null && classes.isMethod(part, called);
      const isOfArtifact = link.live.isMethodOf(part, called) || link.remote.isBaseOf(called, part);
      return isOfClass || isOfArtifact ? encoding.leave(part) : undefined;
    },
    /** A class of the test, also of an earlier one; null for what is none. */
    classOf: (number) => (classes.isOwn(numbers.partOf(number)) ? numbers.partOf(number) : null),
    /** True while the artifact may call back or wait for a promise. */
    isAwaited: () => promises.isAnyEnded() || numbers.isAny(),
    /** Forgets what the last test gave. Returns the numbers that its arrays and plain objects had. */
    beginTest() {
      errors.beginTest();
      numbers.beginTest();
      return values.beginTest();
    },
  };
}
