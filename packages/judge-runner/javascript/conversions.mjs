/*
 * Numbers and texts as which the language reads objects of the artifact's classes: `a < b`, `Number(a)`, a template.
 *
 * To convert an object is to call a method whose answer is a plain value. It is believed of an object that the test makes with `new`, and
 * of an answer where the suite's files show that it is an object: nothing that stands for a number. An object is asked each time. Until
 * something may have changed it must say the same, also when another was asked in between, unless the reference's did not.
 *
 * The artifact could give an answer the number of the object that it is compared with, and that object the number of the answer. Where
 * a test converts both, both must be what a field holds: the object's as it was given, the answer's as it was before.
 */
import { classWith } from './handles.mjs';

const isPrimitive = (value) => value === null || !/^(?:object|function|symbol)$/.test(typeof value);

/** What the language calls to convert an object that is of no class. */
const ofConversions = ['toString', 'valueOf', '@@toPrimitive'];

const isApart = (one, other) => one !== null && other !== null && one !== other;
/** How often an object is converted before it is asked again: a test may wait for it to change. */
const maxTimes = 1000;

/** True where the test itself inspects something, and not an assertion that fails, or the console. */
function isInspectedByTest() {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 40;
  const { stack } = new Error();
  Error.stackTraceLimit = limit;
  return !/node:assert|node:internal\/(?:assert|console|test_runner|errors)/.test(stack);
}

/** @param link the connection, as `proxy.mjs` makes it */
export function createConversions(link) {
  const { ask, refuse, sites } = link;
  /** What the running test has converted: objects that it has made and not used since, and others. */
  let made = [];
  let others = [];
  let last = null;
  /** Objects that the running test has made and not used since, and has had written as JSON by what they hold. */
  let written = [];
  /** Names of fields that may be what a class is converted to, by type and prototype: those that were it each time. */
  const fields = new Map();

  const askFor = (own, hint) => {
    const untold = link.expected.asTold(own);
    const { value } = ask({ do: 'convert', name: hint, ...(untold ?? { of: own.number() }) });
    link.computes += 1;
    const found = link.incoming.arrive(value);
    if (!isPrimitive(found)) throw refuse('answered an object whose conversion to a number or text is none');
    return found;
  };
  /** What an object is converted to, and how many objects of the test the artifact knew then. */
  const primitiveOf = (own, hint) => {
    const changes = link.expected.changes();
    if (own.converted?.changes !== changes) own.converted = { changes, found: new Map() };
    const known = own.converted.found.get(hint);
    if (known !== undefined) known.times += 1;
    // One of which the artifact has not been told is made anew each time that it is asked.
    const isAskedAgain = known !== undefined && !own.isUntold?.() && (known.times === 1 || link.asksAgain());
    if (known?.times <= maxTimes && !isAskedAgain && !sites.isLearning) return known;
    const found = { value: askFor(own, hint), at: link.expected.count(), times: 0 };
    if (isAskedAgain && Object.is(known.value, found.value)) return known;
    const isChanging = known !== undefined && !Object.is(known.value, found.value);
    const isAgain =
      !sites.isLearning && last !== null && last.own !== own && last.own.converted.changes === changes;
    if (
      (isChanging && !sites.allows('changing', false)) ||
      (isAgain && !Object.is(askFor(last.own, last.hint), last.value))
    )
      throw refuse('answered an object that is another number each time');
    own.converted.found.set(hint, found);
    last = { own, hint, value: found.value };
    return found;
  };

  /** The text of an error that is written as the language writes one, of its name and message, which are values; undefined for any other. */
  const textOfError = (own, hint) => {
    if (hint === 'number' || !(own.prototype instanceof Error || own.prototype === Error.prototype))
      return undefined;
    const text = Error.prototype.toString.call(own.self);
    return askFor(own, hint) === text ? text : undefined;
  };
  /** True where a field of this class has been its number each time, and this time too. */
  const isField = (own, value, held) => {
    if (!fields.has(typeof value)) fields.set(typeof value, new Map());
    const known = fields.get(typeof value);
    const names = [...held].flatMap(([name, part]) => (Object.is(part, value) ? [name] : []));
    const left = known.get(own.prototype)?.filter((name) => names.includes(name)) ?? names;
    known.set(own.prototype, left);
    return left.length > 0;
  };
  /** True where an answer is converted to what one of its fields held before the artifact knew an object of the test. */
  const isCommitted = (answer, object) => {
    const held =
      answer.own.prototype === object.own.prototype ? link.expected.heldBefore(answer.own, object.own) : null;
    return held !== null && isField(answer.own, answer.found.value, held);
  };
  /** Fails a test that could compare what the artifact computes for an answer with what it computes for the expected object. */
  const hold = (own, found) => {
    const { expected } = link;
    const isKept = expected.isKept(own);
    const entry = { own, found, assertion: sites.assertion() };
    entry.isBacked = isKept && isField(own, found.value, expected.givenTo(own));
    const [same, opposite] = isKept ? [made, others] : [others, made];
    if (same.some((each) => each.found === found && each.assertion === entry.assertion)) return;
    for (const each of opposite) {
      const [answer, object] = isKept ? [each, entry] : [entry, each];
      // What only another assertion has seen is compared with nothing else.
      if (answer.own === object.own || isApart(answer.assertion, object.assertion)) continue;
      const isSafe = answer.found.at < expected.toldAs(object.own) || isCommitted(answer, object);
      if (!object.isBacked || !isSafe)
        throw refuse(
          'answered an object whose number is compared with that of an object of the test, and no field of both holds it; name its class in `objects`, or add a reference',
        );
    }
    same.push(entry);
  };

  const refusePair = ({ own, assertion }, opposite, name) => {
    if (opposite.some((each) => each.own !== own && !isApart(each.assertion, assertion)))
      throw refuse(
        `answered an object that is written as JSON beside an object of the test; ${sites.remedy(name)}`,
      );
  };

  return {
    /**
     * What is written in the place of an object as JSON. It is compared with nothing that is written in the place of an object which the test has
     * only made: both would be the artifact's word.
     * @param write answers it, of what JSON is told with
     */
    writing(own, isKept, name, write) {
      return (...args) => {
        const found = { value: write(args), at: link.expected.count() };
        const entry = { own, found, assertion: sites.assertion(), isBacked: false, isText: true };
        refusePair(entry, isKept ? others : [...made, ...written], name);
        (isKept ? made : others).push(entry);
        return found.value;
      };
    },
    /** Notes that an object which the test has only made is written as JSON by what it holds. */
    noteWritten(own) {
      const entry = { own, assertion: sites.assertion() };
      refusePair(
        entry,
        others.filter((each) => each.isText),
        classWith(own.prototype)?.name,
      );
      written.push(entry);
    },
    convert(own, hint) {
      const isTrusted = link.remote.isTrustedClass(own.prototype);
      const isText = own.made && hint === 'string';
      // A text is compared as a text, whatever it is written of.
      const isWritten = hint === 'string' && own.answering === null;
      if (sites.isLearning) for (const name of ofConversions) sites.usesHere(name);
      const isShown = () => own.isNew === true || isWritten || sites.showsObject();
      const isAllowed = own.acting && (isText || sites.allows('conversion', sites.isGuided || isShown()));
      if (own.acting !== true || !(isAllowed || isTrusted)) {
        const text = textOfError(own, hint);
        if (text !== undefined) return text;
        throw refuse(
          `answered an object where a number or text was expected${link.remote.unlikeReference(own.origin?.arrival)}; ${sites.remedy(classWith(own.prototype)?.name)}`,
        );
      }
      const found = primitiveOf(own, hint);
      // What the test has made and used is believed as a text, as its methods are.
      const isCompared = !(isText && own.isNew) || link.expected.isKept(own);
      if (isCompared && !sites.isGuided && !isTrusted) hold(own, found);
      return found.value;
    },
    /** What `util.inspect` makes of an object by a method of its class, where the test asks for that; undefined where it shows what it holds. */
    inspected(own) {
      if (own.acting !== true || !isInspectedByTest()) return undefined;
      const isText = own.made || own.answering === null;
      if (!sites.isLearning && !sites.allows('inspection', !sites.isGuided && isText)) return undefined;
      const found = primitiveOf(own, 'inspect');
      if (typeof found.value !== 'string') return undefined;
      sites.allows('inspection', true);
      const isTrusted = link.remote.isTrustedClass(own.prototype);
      const isCompared = !own.isNew || link.expected.isKept(own);
      if (isCompared && !sites.isGuided && !isTrusted) hold(own, found);
      return found.value;
    },
    /** Forgets what the last test has converted. */
    beginTest() {
      [made, others, written, last] = [[], [], [], null];
    },
  };
}
