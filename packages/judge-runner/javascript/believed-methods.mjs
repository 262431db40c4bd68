/*
 * Which functions of the artifact's objects a test may call. A function that stands in the place of a plain value's method could answer whatever a test
 * expects: it is believed where the suite or its reference shows that there is an object.
 */
import { classWith, handles } from './handles.mjs';
import {
  isClassName,
  isConstantName,
  isIterating,
  lastOf,
  ofIterators,
  ofProperties,
  ofValues,
  predicates,
  transforming,
  withCallback,
} from './method-names.mjs';
import { ofPlain } from './suite-syntax.mjs';
import { extendsArray, namesOfGlobals } from './values.mjs';

const namesIn = (owner) => owner.slice(owner.lastIndexOf('#') + 1).split('.');

/**
 * @param link the connection, as `proxy.mjs` makes it
 * @param shown what the suite shows: see `remote.mjs`
 * @param known `classes` of the artifact that have arrived, and its functions by the names of `exports`
 */
export function createBelievedMethods(link, { taken }, { classes, exports }) {
  const { ask, refuse, sites } = link;
  /** Says which object of the running test was last read by what it holds alone. */
  let inert = () => '';

  /** What the reference answered where an object has arrived, for the reason of a test that fails by it. */
  const unlikeReference = (arrival) => {
    if (!sites.hasReference) return '';
    const line = sites.lineOf(arrival);
    const where = line === undefined ? 'there' : `at ${line}`;
    const kind = sites.wasAt(arrival);
    if (kind === undefined) return ', where the reference has no such object';
    const isActing = /an object of|with functions|a function/.test(kind);
    return `: the reference answered ${kind} ${where}${isActing ? ', on which the test uses no such function' : ''}`;
  };
  /** Notes an object that is read by what it holds alone, for the reason of a test that fails by what it finds there. */
  const noteInert = (kind, { arrival, named } = {}) => {
    if (sites.hasReference && !sites.isLearning)
      inert = () =>
        ` (answered ${kind}, of which only what it holds is read${unlikeReference(arrival)}; ${sites.remedy(named)})`;
  };
  /** @param from `arrival` of the object that has the function, and the `name` of its class or of what answered it */
  const refusing =
    (name, { arrival, named } = {}) =>
    () => {
      throw refuse(
        `answered an object whose ${name}() nothing vouches for${unlikeReference(arrival)}; ${sites.remedy(named)}`,
      );
    };
  /**
   * True where a function is believed as a method of an answer: of functions that say that they make objects, for names that the
   * suite takes out of an answer, and where the reference answered one.
   */
  const isBelieved = (key, answering) => {
    if (answering.isIterator && ofIterators.has(key)) return true;
    const { makes, isShown: isObject, isChanged, isPart, isTrusted } = answering;
    if (sites.isGuided) return sites.allowsAtCall(`method ${key}`) || isTrusted === true;
    // In the place of a plain value it would be no promise.
    if (answering.isPromise && ofPlain.has(key)) return false;
    if (isTrusted || isIterating.has(key) || (isObject && transforming.has(key))) return true;
    if (key === 'toString') return isObject === true;
    if (withCallback.has(key) || ofProperties.has(key) || key === 'valueOf') return false;
    if ((answering.taken ?? taken.get(''))?.has(key)) return true;
    return makes ? isObject || isChanged || !ofPlain.has(key) : isPart === true && !predicates.has(key);
  };
  /** True where an answer that nothing shows to be an object says whether what it is given is right. */
  const isDoubted = ({ isShown: isObject, isTrusted, isExport }) =>
    !sites.isGuided && !isObject && !isTrusted && !isExport && sites.isDoubted();

  /** True for a method of what the suite names as an export, and not of a constant, or of what an export holds, in the place of a value. */
  const isNamedMethod = (owner, name) => {
    const names = namesIn(owner);
    const isFunction = sites.isCalled(owner) || isClassName(names[0]);
    if (!ofValues.has(name) || (names.length === 1 && isFunction && !isConstantName(names[0]))) return true;
    return !predicates.has(name) && !sites.isDoubted();
  };
  /** True for a function that an object answers, as an object with methods that it answers in its place has them. */
  const isPartWith = (own, name) =>
    !sites.isGuided &&
    own.answering?.isPart === true &&
    !exports.isStrayed(own.self) &&
    isBelieved(name, own.answering) &&
    !isDoubted(own.answering);
  /**
   * True where a function of the artifact has a method by its own word: one that the suite names, that a factory made, or that was made of a
   * function. As an answer it may stand in the place of a value, and has no methods of values. With a reference, places decide about those.
   */
  const isMethodOfFunction = (own, name) => {
    const isReached = exports.isReached(own.self);
    if (!isReached && !own.believed) return isPartWith(own, name);
    const owner = isReached ? sites.owner() : undefined;
    if (sites.isGuided) {
      if (!ofValues.has(name)) return true;
      if (owner === undefined || sites.isLearning) return false;
      // The reference may export an object of functions.
      return predicates.has(name)
        ? sites.isKnown(`export ${namesIn(owner).join('.')}.${name}@`)
        : isNamedMethod(owner, name);
    }
    if (isReached) {
      if (owner !== undefined) return isNamedMethod(owner, name);
      return !exports.isAnswered(own.self) || (!ofValues.has(name) && !sites.isDoubted());
    }
    if (!ofValues.has(name)) return true;
    if (predicates.has(name) || exports.isStrayed(own.self)) return false;
    return own.answering.makes
      ? isBelieved(name, own.answering) && !isDoubted(own.answering)
      : sites.isUnused();
  };
  /** A method that says which properties an object has: from those that it shows, and by the artifact's word where the reference's differed. */
  const ofKeys =
    (own, name, method) =>
    (...args) => {
      const found = Object.prototype[name].apply(own.self, args);
      if (!sites.isGuided) return found;
      const asked = () => method.apply(own.self, args);
      if (!sites.isLearning) return sites.allowsAtCall(`own ${name}`) ? asked() : found;
      const told = asked();
      if (told !== found) sites.allowsAtCall(`own ${name}`);
      return told;
    };
  /** True for what a loop calls of an object that is an iterator: a generator is asked for the same wherever it is. */
  const isStepOfIterator = (own, name) => {
    if (isIterating.has(name)) return true;
    if (!ofIterators.has(name)) return false;
    own.isIterator ??= ['@@iterator', '@@asyncIterator'].some(
      (each) => ask({ do: 'has', of: own.number(), name: each }).value === true,
    );
    return own.isIterator;
  };
  const isTrusted = (own) => classes.isTrusted(own.number());

  /** A method of an object that acts because the reference's did. */
  const likeReference = (own, name, value) => {
    if (ofProperties.has(name)) return ofKeys(own, name, value);
    return sites.usesHere(name) || isStepOfIterator(own, name) ? value : refusing(name, own.origin);
  };
  /** A method of an object that acts. */
  const ofActing = (own, name, value) => {
    if (ofProperties.has(name)) return ofKeys(own, name, value);
    if (isStepOfIterator(own, name)) return value;
    if (own.answering && (!isBelieved(name, own.answering) || isDoubted(own.answering)))
      return refusing(name, own.origin);
    // With a reference, all methods that a value has as well are those of the place at which the suite calls them.
    const isDoubtful = predicates.has(name) || (ofValues.has(name) && sites.isGuided && sites.isSomewhere());
    if (!isDoubtful) return value;
    const isUsed = sites.isGuided && sites.allowsAtCall(`method ${name}`);
    const isUsedOfOther = own.isActor && sites.usesHere(name);
    return isUsed || isUsedOfOther || own.made || (sites.isGuided && isTrusted(own))
      ? value
      : refusing(name, own.origin);
  };
  const extendsTest = (prototype) =>
    prototype !== null &&
    (link.outgoing.isPrototype(prototype) || extendsTest(Object.getPrototypeOf(prototype)));
  /**
   * What is written in the place of an object as JSON. It is the object's word about itself where the suite or the reference vouches for it. Where the
   * suite has it written as JSON it is a text, which is compared here, of whatever style the object is: but for a list, which is told by its items, and
   * for what is derived from a class of the test, which says itself how it is written.
   */
  const writerOf = (own, value, isKept) => {
    const isLikeThere =
      sites.isGuided &&
      (sites.allowsAtCall('method toJSON') || (own.isLikeReference && sites.usesHere('toJSON')));
    if (isLikeThere || isTrusted(own)) return value;
    const isText = !extendsArray(own.prototype) && !extendsTest(own.prototype) && sites.isWriting();
    return isText || (own.acting && !sites.isGuided)
      ? link.conversions.writing(own, isKept, classWith(own.prototype)?.name, (args) =>
          value.apply(own.self, args),
        )
      : refusing('toJSON', own.origin);
  };
  /** True for a function that a function of the artifact holds, and that is believed. */
  const isOfFunction = (own, name, value) => {
    if (isMethodOfFunction(own, name)) {
      if (handles.has(value)) exports.reach(value);
      return true;
    }
    return isBelieved(String(name), {}) || (own.isActor && sites.usesHere(name));
  };

  return {
    refusing,
    noteInert,
    /** What the reason of a test says that fails by a comparison of its own: empty where every object was believed. */
    hint: () => inert(),
    beginTest() {
      inert = () => '';
    },
    unlikeReference,
    isBelieved,
    isDoubted,
    /** What is known of an object that arrives, for the reason of a test that fails by it. */
    originOf(prototype = null) {
      if (!sites.hasReference) return undefined;
      const ofClass = prototype === Object.prototype ? undefined : classWith(prototype)?.name;
      const { named = lastOf(sites.callee() ?? '') } = link.answering;
      return { arrival: sites.arrival(), named: ofClass || named || undefined };
    },
    /**
     * What a test reads where an object of the artifact holds a function: that, or one that fails the test when it is called.
     * @param isKept true for an object that the artifact has kept as the test has made it
     */
    methodAs(own, name, value, isKept) {
      if (own.isIterator === true && ofIterators.has(name)) return value;
      if (name === 'toJSON' && own.acting !== undefined) return writerOf(own, value, isKept);
      if (own.isLikeReference) return likeReference(own, name, value);
      if (own.acting === true) return ofActing(own, name, value);
      if (own.acting === undefined && isOfFunction(own, name, value)) return value;
      if (isIterating.has(name) || isStepOfIterator(own, name)) return value;
      return namesOfGlobals.has(value) && !sites.isMethodCall() ? value : refusing(String(name), own.origin);
    },
  };
}
