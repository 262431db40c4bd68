/*
 * Objects that a test makes of the artifact's classes, and what is believed when they are compared with answers.
 *
 * The artifact could give its answers the values of the objects that the test makes to compare them with, and those the values of its
 * answers. So it is told of an object of a class that only keeps what it is given when the test uses it, and not when it is compared. Of
 * any other object it is told at once: what answers hold is read before that, and must not change by it; and the object holds what it was
 * given.
 */
import { isDeepStrictEqual, types } from 'node:util';
import { copyOf, differs, isQuiet, objectsIn, outline } from './claims.mjs';
import { classWith, handles } from './handles.mjs';
import { createMakings } from './learnt-makings.mjs';
import { createReads } from './reads.mjs';
import { contentMade, contentName, hasContent } from './values.mjs';

const { entries: mapEntries } = Map.prototype;
const { values: setValues } = Set.prototype;
/** Most answers that are read before an object is made. */
const maxRead = 2000;
/** Most answers that are read again, as they may have changed: each object of a test would read all others. */
const maxAgain = 20;
/** Most answers among which those are looked for that a call could change, and levels of objects in one that are read. */
const maxOpen = 200;
const maxLevels = 8;
/** Most answers of earlier tests that may be compared. */
const maxKept = 50;

/** True while the language compares objects in depth, or writes them as text. */
function isComparing() {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 30;
  const { stack } = new Error();
  Error.stackTraceLimit = limit;
  return (
    /node:internal\/util\/(?:comparisons|inspect)|JSON\.stringify|expectedException/.test(stack) &&
    !stack.includes('node:internal/console')
  );
}

const isAncestor = (one, other) => Object.prototype.isPrototypeOf.call(one, other);
/** True for prototypes of one class, or of a class and one that extends it. */
const isRelated = (one, other) =>
  one === other || (one !== null && other !== null && (isAncestor(one, other) || isAncestor(other, one)));

/** @param link the connection, as `proxy.mjs` makes it */
export function createExpecting(link) {
  const { ask, lie, refuse, sites } = link;
  const makings = createMakings(sites);
  /** How the artifact is told of objects that it does not know. */
  const waiting = new WeakMap();
  /** Objects of the running test of which the artifact has not been told, and whose class does more than to keep what it is given. */
  let unmade = [];
  /** What the test gave objects that the artifact was told of by making them, and has not used since, by number. */
  const made = new Map();
  let madeCount = 0;
  /** What the objects that the test has made were made of, by number, and those that were made of different things. */
  const madeOf = new Map();
  const ambiguous = new Set();
  /** True while the artifact makes an object of nothing but plain values. */
  let constructing = false;
  /** What an object of the test is made of now; null while none is made. */
  let givenNow = null;
  /** Numbers of the objects that what is made now is given, and of those that each object of the test was given: it uses them when the test uses it. */
  let partsNow = null;
  const partsOf = new Map();
  /** The number of the object that is read now, and the name under which it is. */
  let holder = null;
  /** Counts what could have changed answers. */
  let changes = 0;
  /** Answers of the running test, of what tests share, and the last ones of earlier tests; the same by number. */
  let answers = [];
  const sharedAnswers = [];
  const byId = new Map();
  /** What answers held when the test made the next object, by number, with how many it had made before. */
  const commitments = new Map();
  /** The object of the test that was compared last, and the answer; while nothing changes they may be compared with each other. */
  let lastCompared = null;
  let lastAnswer = null;
  let comparedAt = 0;
  const beginComparison = () => {
    if (comparedAt === changes) return;
    [comparedAt, lastCompared, lastAnswer] = [changes, null, null];
    [compared, windowNow] = [new Map(), undefined];
  };
  const inherited = new Map();
  /** True where the suite compares objects by what they hold. */
  const comparesInDepth = link.texts.some((text) => /deep/i.test(text));
  /** What answers held before calls that were told what is expected, by number and by what could have changed answers. */
  const notes = new Map();
  /** What could have changed answers before and after the calls that answered objects, by number; that of the object which is compared now. */
  const windows = new Map();
  let windowNow;
  /** Prototypes of the objects that such calls have answered, by what was called. */
  const kindsAnswered = new Map();
  /** Objects that such calls have answered, and that the test has not used. */
  const fresh = new Set();
  /** When the test has read a property of an object last, by number. */
  const readAt = new Map();
  /** Names of what objects hold that are compared, by number. */
  const ownNames = new Map();
  /** What was read in comparisons since something could have changed answers, by name. */
  let compared = new Map();

  /** How many objects the test had made since when what is read now holds this object, and was answered; undefined where that is not known. */
  const sinceHeld = (id) => {
    const { parts, made: read } = commitments.get(holder?.id) ?? {};
    const { made: answered } = byId.get(holder?.id) ?? {};
    const isHeld = answered !== undefined && objectsIn([parts?.get(holder.name) ?? null]).includes(id);
    return isHeld ? Math.max(answered, read) : undefined;
  };
  const noteAnswer = (id, prototype, isMade) => {
    const answer = { id, prototype, made: (isMade ? undefined : sinceHeld(id)) ?? madeCount, isMade };
    answers.push(answer);
    // One that the test was given for a new object is an answer still.
    if (!isMade || !byId.has(id)) byId.set(id, answer);
    if (!link.isInTest()) sharedAnswers.push(answer);
  };
  const noteUse = (id) => {
    fresh.delete(id);
    const { noted } = made.get(id) ?? {};
    if (noted) noted.isUsed = true;
    made.delete(id);
    const parts = partsOf.get(id) ?? [];
    partsOf.delete(id);
    for (const part of parts) noteUse(part);
  };
  /** What work makes, and the numbers of the objects that it was given. */
  const collecting = (work) => {
    const outer = partsNow;
    const parts = [];
    partsNow = parts;
    try {
      return [work(), parts];
    } catch (error) {
      for (const part of parts) noteUse(part);
      throw error;
    } finally {
      partsNow = outer;
    }
  };
  /** Notes what an object was given: where the test has not just made it, that is in use. */
  const noteParts = (id, parts) => {
    if (made.has(id)) partsOf.set(id, [...(partsOf.get(id) ?? []), ...parts]);
    else for (const part of parts) noteUse(part);
  };
  /** What objects hold by name, as it is told; null for one that cannot tell it. */
  const readParts = (ids) => {
    const told = ask({ do: 'read', of: ids[0], parts: ids }).value;
    if (!Array.isArray(told) || told.length !== ids.length) return lie('an answer that is no list');
    return told.map((parts) => parts && new Map(parts.map(([key, value]) => [String(key), value])));
  };

  /** Notes what objects hold now. Returns the numbers of the objects that they hold. */
  const commitTo = (ids) => {
    const told = readParts(ids);
    for (const [index, parts] of told.entries()) {
      const before = commitments.get(ids[index]);
      const isSame = before?.parts && parts && !differs(before.parts, parts);
      commitments.set(ids[index], { changes, made: isSame ? before.made : madeCount, parts });
    }
    return told.flatMap((parts) => objectsIn([...(parts?.values() ?? [])]));
  };
  /** Reads answers, and objects in them, before the artifact is told of another object. */
  const readAnswers = () => {
    const isDue = ({ id }, at) => {
      const { changes: read } = commitments.get(id) ?? {};
      return !made.has(id) && (read === undefined || (at >= answers.length - maxAgain && read !== changes));
    };
    const isUnread = (id) => !made.has(id) && commitments.get(id)?.changes !== changes;
    let ids = answers
      .filter(isDue)
      .slice(-maxRead)
      .map(({ id }) => id);
    for (let level = 0; ids.length > 0 && level < maxLevels; level += 1)
      ids = [...new Set(commitTo(ids))].filter(isUnread).slice(0, maxRead);
  };
  const doubt = (op, reason) => {
    if (!sites.allows(op, false)) throw refuse(reason);
  };
  const noteHeld = (id, parts) => {
    if (!notes.has(id)) notes.set(id, new Map());
    notes.get(id).set(changes, parts);
  };
  /** Reads answers, and objects in them, which a call that is told what is expected could change. */
  const readExpected = (kinds) => {
    if (kinds?.size === 0) return;
    const isDue = (id) => !made.has(id) && !fresh.has(id) && !notes.get(id)?.has(changes);
    const found = answers
      .slice(-maxOpen)
      .flatMap(({ id, isOfEarlier, prototype }) =>
        isOfEarlier || (kinds && !kinds.has(prototype)) ? [] : [id],
      );
    let ids = [...new Set(found)].filter((id) => !made.has(id) && !fresh.has(id)).slice(-maxAgain);
    for (let level = 0; level < maxLevels; level += 1) {
      ids = ids.filter(isDue).slice(0, maxRead);
      if (ids.length === 0) return;
      const told = readParts(ids);
      for (const [index, id] of ids.entries()) noteHeld(id, told[index]);
      ids = [...new Set(told.flatMap((parts) => objectsIn([...(parts?.values() ?? [])])))];
    }
  };
  const holdsObject = (value, level = 0) => {
    if (typeof value === 'function') return true;
    if (typeof value !== 'object' || value === null || level > maxLevels) return false;
    // Whatever is asked of it runs code of the test.
    if (types.isProxy(value)) return true;
    if (handles.has(value) || waiting.has(value) || link.remote.isObject(value)) return true;
    const shapes = types.isMap(value)
      ? [...Reflect.apply(mapEntries, value, [])].flat()
      : types.isSet(value)
        ? [...Reflect.apply(setValues, value, [])]
        : Object.values(Object.getOwnPropertyDescriptors(value)).map((shape) => shape.value);
    return shapes.some((each) => holdsObject(each, level + 1));
  };
  /** What a call answers that may make what an earlier answer is compared with: answers are read before it, which could give them what it is told. */
  const commit = ({ of, name }, call) => {
    const key = `${of} ${name}`;
    const kinds = kindsAnswered.get(key);
    // Of one that has answered objects of several classes, it is not known which is next.
    readExpected(kinds?.size > 1 ? undefined : kinds);
    const before = changes;
    const found = call();
    const window = [before, changes];
    const parts = Array.isArray(found) ? found : [found];
    if (kinds === undefined) kindsAnswered.set(key, new Set());
    for (const part of parts.filter(link.remote.isObject)) {
      const id = handles.get(part).$handle;
      kindsAnswered.get(key).add(Object.getPrototypeOf(part));
      windows.set(id, window);
      if (!notes.has(id)) fresh.add(id);
    }
    const known = link.remote.isObject(found) ? notes.get(handles.get(found).$handle)?.get(before) : null;
    if (!known || !differs(known, readParts([handles.get(found).$handle])[0] ?? new Map())) return found;
    // Compared with itself, it would be equal whatever it held before.
    return sites.allows('same', false) ? found : link.remote.twinOf(found);
  };
  /** Refuses an answer that has come to hold what another object holds by the call that answered that. */
  const checkWindow = (one, other, name, told) => {
    const window = windows.get(other) ?? windowNow;
    const known = notes.get(one);
    const before = window && known?.get(window[0]);
    if (!before) return;
    const after = known.get(window[1]) ?? (changes === window[1] ? new Map([[name, told]]) : null);
    // What something else may have changed since is not known, and what the test has read may have computed more.
    const isComputed = before.size > 0 && readAt.get(one) >= window[0];
    if (!after?.has(name) || (!before.has(name) && (isComputed || !ownNames.get(one)?.has(name)))) return;
    const [was, is] = [before, after].map((each) => outline(each.get(name) ?? { $undefined: true }));
    if (was !== is) doubt('changed part', 'changes an earlier answer when a call is told what is expected');
  };
  /** Holds a property of two objects that are compared, and the same by it, against what the earlier one held. */
  const checkComparedPart = (id, name, told, own) => {
    beginComparison();
    if (!compared.has(name)) compared.set(name, []);
    const isHandle = Object(told).$handle !== undefined;
    const text = outline(told);
    for (const each of compared.get(name))
      if (each.own !== own && (each.text === text || (isHandle && each.isHandle))) {
        checkWindow(id, each.id, name, told);
        checkWindow(each.id, id, name, each.told);
      }
    compared.get(name).push({ id, own, told, text, isHandle });
  };
  const doubtEarly = (given, did) => {
    if (sites.isLearning) makings.noteEarly(given.noted);
    else
      doubt(
        'early',
        `its class ${given.name} told the artifact what is expected before it ${did}; ${sites.remedyOfClass(given.name)}`,
      );
  };
  /** True where none of them is, or holds, an object or a function: what makes an object of these uses no other one. */
  const isPlain = (args) => !args.some((arg) => holdsObject(arg));
  /** True for an object that was made of something else, or not by the test, where the test makes one of something. */
  const isMadeOtherwise = (id, args) =>
    args.length > 0 &&
    !args.some((arg) => handles.get(arg)?.$handle === id) &&
    !(madeOf.has(id) && isDeepStrictEqual(madeOf.get(id), args));

  /** True for an object that the test made and has not used since, unless what it was given to is read. */
  const isKeptApart = (id) => made.has(id) && !partsOf.get(holder?.id)?.includes(id);
  /** The number of an object that the artifact makes now, and those of the objects that it is given. */
  const tell = (id, args) => {
    readAnswers();
    const outer = constructing;
    constructing = isPlain(args);
    try {
      const [{ value }, parts] = collecting(() => link.send({ do: 'new', of: id }, args));
      const { $handle, $array } = Object(value);
      const told = $handle ?? $array?.[0];
      if (typeof told?.id !== 'number') throw refuse('its class makes something that is none of its objects');
      return [told.id, parts];
    } finally {
      constructing = outer;
    }
  };
  /** Notes what an object was made of. One that is there already, and was made of something else, can be compared with nothing. */
  const noteMaking = (id, args, isKnown) => {
    if (!isKnown || !isMadeOtherwise(id, args)) madeOf.set(id, args);
    else if (!sites.allows('same', false)) ambiguous.add(id);
  };
  /** An object of which the artifact is told when the test uses it. */
  const waitingFor = (desc, making, prototype, args) => {
    const { remote, incoming } = link;
    const own = new Map([['constructor', prototype.constructor]]);
    Object.assign(own, { acting: true, made: true, isNew: true, isMadeHere: true });
    const copies = making?.simple ? args : args.map(copyOf);
    // A class that does more may have copied what the test has changed since.
    const settled = () =>
      args.map((arg, index) => (isDeepStrictEqual(arg, copies[index]) ? arg : copies[index]));
    if (making?.simple)
      own.fields = new Map(
        making.keeps.map(([property, index]) => [
          property,
          args[index] === undefined ? incoming.arrive(making.parameters[index][1]) : args[index],
        ]),
      );
    const first = new Map(own.fields);
    own.inherits = (name) => {
      const key = `${desc.id} ${name}`;
      if (!inherited.has(key)) inherited.set(key, ask({ do: 'inherits', of: desc.id, name }).value === true);
      return id === undefined && (own.fields !== undefined || name.startsWith('@@'))
        ? inherited.get(key)
        : undefined;
    };
    let id;
    const number = () => {
      if (id !== undefined) return id;
      // What only another object is given that the test makes is not in use.
      const isPart = partsNow !== null;
      const given = settled();
      let parts;
      [id, parts] = tell(desc.id, given);
      waiting.delete(proxy);
      noteMaking(id, given, incoming.isKnown(id));
      incoming.remember(id, proxy);
      noteAnswer(id, prototype, true);
      if (remote.isTrusted(desc.id)) remote.trust(id);
      const changed = [...(own.fields ?? [])].filter(([name, value]) => first.get(name) !== value);
      if (own.fields === undefined || (isPart && changed.length === 0)) {
        madeCount += 1;
        made.set(id, {
          ...{ making, args: given, prototype, name: desc.name, made: madeCount, toldAt: changes },
          ...{ isError: prototype instanceof Error, isLate: true, isPlain: true },
        });
      }
      noteParts(id, parts);
      own.fields = undefined;
      for (const [name, value] of changed)
        ask({ do: 'set', of: id, name, value: link.outgoing.leave(value) });
      return id;
    };
    own.isUntold = () => id === undefined;
    if (own.fields !== undefined)
      own.asTold = () => ({
        of: desc.id,
        args: args.map(link.outgoing.leave),
        changed: [...own.fields].flatMap(([name, value]) =>
          first.get(name) === value ? [] : [[name, link.outgoing.leave(value)]],
        ),
      });
    const proxy = remote.proxyOf(number, own, prototype);
    waiting.set(proxy, number);
    // It may throw, or be one that is there already, which the test would have met at once. What prepares several tests is used later.
    if (making?.simple !== true && link.isInTest()) unmade.push({ own, number, name: String(desc.name) });
    return proxy;
  };

  /** Refuses what a class makes that is none of its objects, and does not hold what it was given. */
  const checkElse = (desc, args, found) => {
    const held = typeof found === 'function' || typeof found.next === 'function' ? [] : Object.values(found);
    const isHeld = (arg) => typeof arg === 'function' || held.some((each) => isDeepStrictEqual(each, arg));
    // Functions may hold it.
    if (!held.some((each) => typeof each === 'function') && !args.every(isHeld))
      doubt(
        'else',
        `its class ${String(desc.name)} answered something that is none of its objects and does not show what the test gave it; ${sites.remedyOfClass(desc.name)}`,
      );
  };
  const alike = (told, arg) => {
    const value = link.incoming.arrive(told ?? null);
    const number = handles.get(value)?.$handle;
    return (number !== undefined && number === handles.get(arg)?.$handle) || isDeepStrictEqual(value, arg);
  };
  /** True for a plain object of which every property is one of the object's own: `Object.assign(this, options)`. */
  const isSpread = (arg, own) =>
    Object.getPrototypeOf(Object(arg)) === Object.prototype &&
    Object.entries(arg).every(([name, value]) => own.has(name) && alike(own.get(name), value));
  /** Refuses an object of the test that does not show that it holds what it was given. */
  const checkKept = ({ making, args, prototype, name }, own, isSaid = () => false) => {
    const content = hasContent(prototype) && own.has(contentName);
    if (content && alike(own.get(contentName), contentMade(prototype, args))) return;
    const isUnkept = (arg, index) => {
      if (isSaid(arg) || isSpread(arg, own)) return false;
      const [property] = making?.keeps.find(([, kept]) => kept === index) ?? [];
      if (property !== undefined) return !own.has(property) || !alike(own.get(property), arg);
      return !sites.isGuided || ![...own.values()].some((told) => alike(told, arg));
    };
    if (args.some(isUnkept))
      doubt(
        'unkept',
        `its class ${name} does not show that it keeps what it is given; ${sites.remedyOfClass(name)}`,
      );
  };
  /** Refuses an answer that the artifact may have given, or changed, since it knows the object with which it is compared. */
  const checkPair = () => {
    const given = made.get(lastCompared);
    const answer = byId.get(lastAnswer);
    if (given === undefined || answer === undefined || answer.isMade) return;
    if (!isRelated(answer.prototype, given.prototype)) return;
    const { parts, made: read } = commitments.get(lastAnswer) ?? {};
    if (answer.made >= given.made || !parts || read >= given.made) doubtEarly(given, 'answered');
    else if (differs(parts, readParts([lastAnswer])[0] ?? new Map()))
      doubt('changed part', 'changes what it has answered when the test makes another object');
  };
  /** Holds an error that the test has made against what it was given, where one that was thrown is compared with it. */
  const checkError = (id, given) => {
    if (given.changes === changes || link.remote.isTrusted(id)) return;
    const text = ask({ do: 'get', of: id, name: 'message' }).value;
    Object.assign(given, { changes, parts: new Map([...(readParts([id])[0] ?? []), ['message', text]]) });
    const isCause = (arg) => typeof arg === 'object' && arg !== null && Object.keys(arg).join() === 'cause';
    const isSaid = (arg) =>
      arg === undefined || isCause(arg) || (typeof arg !== 'object' && String(text).includes(String(arg)));
    checkKept(given, given.parts, isSaid);
    if (!given.isLate) doubtEarly(given, 'threw');
  };

  /** Holds what an object of the test holds against what it was given. */
  const checkWhole = (id, given) => {
    if (given.isError) checkError(id, given);
    else if (given.changes !== changes) {
      Object.assign(given, { changes, parts: readParts([id])[0] ?? new Map() });
      checkKept(given, given.parts);
    }
  };
  /** True where something was answered that an object of the test may be compared with: in the running test, or used in it. */
  const hasAnswers = ({ prototype }) =>
    answers.some(
      (each) =>
        !each.isOfEarlier && isRelated(each.prototype, prototype) && !(each.isMade && made.has(each.id)),
    );
  /** Notes that the running test uses what an earlier one was answered, or has made. Returns true where it does so for the first time. */
  const noteUsed = (id) => {
    const answer = byId.get(id);
    if (!answer?.isOfEarlier) return false;
    answer.isOfEarlier = false;
    return true;
  };
  /** Holds an object of the test against what it was given, where it is compared with an answer. */
  const checkMade = (id) => {
    const given = made.get(id);
    if (given === undefined || given.changes === changes || link.remote.isTrusted(id) || !isComparing())
      return;
    beginComparison();
    lastCompared = id;
    if (given.noted) given.noted.isCompared = true;
    if (!(reads.hasPlain() && !given.isError) && !hasAnswers(given)) return;
    checkWhole(id, given);
    checkPair();
  };
  /** Notes which answer is compared now; it may be one of an earlier test. */
  const noteCompared = (id, prototype, isMadeHere) => {
    if (prototype === null || prototype === Object.prototype) return;
    const isCompared = isComparing();
    if (isCompared) noteUsed(id);
    const { noted } = made.get(id) ?? {};
    if (noted && !isCompared) noted.isUsed = true;
    if ((isMadeHere && made.has(id)) || !isCompared) return;
    if (!byId.has(id)) noteAnswer(id, prototype, false);
    beginComparison();
    windowNow = windows.get(id) ?? windowNow;
    lastAnswer = id;
    const given = made.get(lastCompared);
    if (given === undefined || link.remote.isTrusted(lastCompared)) return;
    if (!isRelated(given.prototype, prototype)) return;
    if (given.changes === changes) checkPair();
    else checkMade(lastCompared);
  };
  const checkSingle = (id) => {
    if (ambiguous.has(id))
      doubt(
        'else',
        `its class ${String(classWith(byId.get(id)?.prototype)?.name)} makes the same object of other things; ${sites.remedyOfClass(classWith(byId.get(id)?.prototype)?.name)}`,
      );
  };
  /** What the test reads by itself, and compares as it likes. */
  const reads = createReads(sites, {
    given: (id) => (link.remote.isTrusted(id) ? undefined : made.get(id)),
    answer: (id) => byId.get(id),
    madeNow: () => madeCount,
    hasAnswers,
    noteUsed,
    checkSingle,
    checkWhole,
    ...{ doubt, doubtEarly },
  });

  return {
    reads,
    isComparing,
    /** Makes the objects of which the artifact has not been told, at the end of a test. Returns what the test would have met; null for nothing. */
    makeRest() {
      const rest = unmade.filter(({ own }) => own.isUntold());
      unmade = [];
      const ids = new Set();
      for (const { own, number, name } of rest)
        try {
          const id = number();
          if (ids.has(id)) return `its class ${name} makes one object where the test makes two`;
          ids.add(id);
          own.isNew = false;
        } catch (error) {
          return `its class ${name} throws where the test makes an object: ${String(error?.message ?? error)}`;
        }
      return null;
    },
    /** Notes an object that arrives, and whether the test has made it. */
    noteObject(id, prototype, own) {
      own.isMadeHere = givenNow !== null;
      if (own.isMadeHere) noteMaking(id, givenNow, madeOf.has(id));
      if (prototype !== Object.prototype) noteAnswer(id, prototype, own.isMadeHere);
    },
    /**
     * An object that the test makes of a class, and with `as` of a class of the test that extends it. `prototype` is null for what is described
     * as a function.
     */
    construct(desc, making, prototype, args, as) {
      const isSimple = making?.simple === true && args.length <= making.parameters.length;
      const isError = prototype instanceof Error;
      const [where, exact] = makings.placesOf();
      const isPlainClass = prototype !== null && as === undefined;
      const waits = isPlainClass && (isSimple || sites.isKnown(where) || sites.isKnown(exact));
      const noted = makings.note(where, exact);
      if (!sites.isLearning && waits && !isError && link.remote.isActing(prototype))
        return waitingFor(desc, isSimple ? making : making && { ...making, simple: false }, prototype, args);
      // An error of the test is needed when one that was thrown is compared with it.
      if (isError && isPlainClass && isQuiet(desc) && link.remote.isActing(prototype))
        return waitingFor(desc, { ...making, simple: false }, prototype, args);
      readAnswers();
      const outer = [constructing, givenNow];
      [constructing, givenNow] = [isPlain(args), args];
      madeCount += 1;
      try {
        const [answered, parts] = collecting(() =>
          link.call({ do: 'new', of: desc.id, ...(as && { as }) }, args, { makes: true, isShown: true }),
        );
        const found = Object(answered);
        const id = handles.get(found)?.$handle;
        const kind = Object.getPrototypeOf(found);
        if (kind === prototype) link.remote.noteNew(found);
        const isObject = link.remote.isObject(found);
        if (isObject && !args.includes(found))
          made.set(id, {
            ...{ making: kind === prototype || prototype === null ? making : null, args, name: desc.name },
            ...{ made: madeCount, prototype: kind, isError: kind instanceof Error, noted },
            ...{ toldAt: changes, isPlain: constructing },
          });
        noteParts(id, parts);
        // What makes objects of a class of the test may answer one of these.
        const isOfTest = prototype === null && link.outgoing.isOfTest(found);
        const isOwn =
          prototype === null ? isObject || isOfTest : kind === prototype || isAncestor(prototype, found);
        if (!isOwn) checkElse(desc, args, found);
        return found;
      } catch (error) {
        if (noted) noted.isUsed = true;
        throw error;
      } finally {
        [constructing, givenNow] = outer;
      }
    },
    /** Tells the artifact of an object that the test gives it. It may change it, unless it makes another object of it. */
    use(part) {
      waiting.get(part)?.();
      const handle = handles.get(part);
      if (handle === undefined) return;
      if (partsNow === null) noteUse(handle.$handle);
      else partsNow.push(handle.$handle);
    },
    /** True for a call of a function or a class that is given values of the test alone. */
    commits: ({ do: what, of }, args) =>
      comparesInDepth &&
      givenNow === null &&
      !constructing &&
      (what === 'call' || (what === 'method' && link.remote.isClassNumber(of))) &&
      !args.some((arg) => holdsObject(arg)),
    commit,
    /** Notes that the artifact may have changed an object that the test made. */
    noteUse,
    /** Notes that the artifact calls a function of the test: what makes an object uses more than it was given. */
    noteServing() {
      constructing = false;
    },
    /** Notes that the artifact was asked for something that may change answers. */
    noteChange() {
      // What leaves from now on is no part of what is made.
      partsNow = null;
      if (!constructing) changes += 1;
    },
    /** Counts objects of the test that the artifact was told of, and the number of one among them. */
    count: () => madeCount,
    toldAs: (own) => (own.isUntold?.() ? own.toldAs : made.get(own.number())?.made) ?? 0,
    /** Counts what may have changed answers. */
    changes: () => changes,
    /** True for an object that the test made and has not used since. */
    isKept: (own) => own.isNew === true && (own.isUntold?.() || made.get(own.number())?.isPlain === true),
    /** What an object holds by name that the test made and has not used since, as it was given. */
    givenTo(own) {
      if (own.isUntold?.()) return own.fields ?? new Map();
      const { making, args } = made.get(own.number());
      return new Map(
        (making?.keeps ?? []).map(([property, index]) => [
          property,
          args[index] === undefined ? link.incoming.arrive(making.parameters[index][1]) : args[index],
        ]),
      );
    },
    /** How the artifact is told of another object like one that it does not know, once answers were read; null for one that it knows. */
    asTold(own) {
      const { noted } = (sites.isLearning && made.get(own.number())) || {};
      if (noted) noted.isConverted = true;
      if (!own.isUntold?.() || own.asTold === undefined) return null;
      readAnswers();
      if (own.toldAt === undefined) {
        madeCount += 1;
        Object.assign(own, { toldAt: changes, toldAs: madeCount });
      }
      return own.asTold();
    },
    /** What an object held before the artifact knew another one that the test made; null where that is not known. */
    heldBefore(own, mine) {
      const toldAt = mine.isUntold?.() ? mine.toldAt : made.get(mine.number())?.toldAt;
      const { changes: read, parts } = commitments.get(own.number()) ?? {};
      if (toldAt !== changes || read !== changes || !parts) return null;
      return new Map([...parts].map(([name, told]) => [name, link.incoming.arrive(told)]));
    },
    /** An answer that came after the artifact was told of an object, to convert it, is not compared with it. */
    checkTold(own) {
      const { prototype, toldAs } = own;
      if (toldAs === undefined || link.remote.isTrustedClass(prototype) || !isComparing()) return;
      if (answers.some((each) => each.prototype === prototype && each.made >= toldAs && !each.isMade))
        doubt(
          'early',
          `its class ${classWith(prototype).name} told the artifact what is expected before it answered; ${sites.remedyOfClass(classWith(prototype).name)}`,
        );
    },
    /**
     * True where an object that arrives is another than the one that is known by its number, as it was not with the reference. With `isUpdate` it arrives
     * in what both boxes hold, and is not what the test makes now.
     */
    isOther: (id, isUpdate) =>
      (givenNow === null || isUpdate
        ? isKeptApart(id) || ambiguous.has(id)
        : isMadeOtherwise(id, givenNow)) && !sites.allows('same', false),
    /** Runs what reads an object: what it was given is there what the test gave it. */
    reading(id, name, work) {
      const outer = holder;
      holder = { id, name };
      try {
        return work();
      } finally {
        holder = outer;
      }
    },
    /** Holds an object that is compared against what it was given, or held. */
    checkCompared(id, prototype, isMadeHere) {
      if (isComparing()) checkSingle(id);
      noteCompared(id, prototype, isMadeHere);
      checkMade(id);
    },
    /** The names of what an object holds, as they are compared: beside them what it contains, as a Map does. */
    comparedNames: (names, prototype) =>
      hasContent(prototype) && isComparing() ? [...names, contentName] : names,
    /** Holds the names of what an answer holds against those before the test made another object. */
    checkKeys(id, names) {
      if (isComparing()) ownNames.set(id, new Set(names));
      const { changes: read, parts } = commitments.get(id) ?? {};
      const before = [...(parts?.keys() ?? [])].filter((name) => name !== contentName);
      if (read === changes && parts && before.join('\n') !== names.join('\n'))
        doubt('changed part', 'changes what it has answered when the test makes another object');
    },
    /** The same of what an object contains, as a Map does. */
    checkContent(id, told, own) {
      if (isComparing()) checkComparedPart(id, contentName, told, own);
    },
    /** Holds a property of an answer against what it was before the test made another object. */
    checkRead(id, name, told, own) {
      if (isComparing()) checkComparedPart(id, name, told, own);
      else readAt.set(id, changes);
      const { changes: read, parts } = commitments.get(id) ?? {};
      if (read !== changes || !parts?.has(name)) return;
      const before = outline(parts.get(name));
      if (before !== null && before !== outline(told))
        doubt('changed part', `changes what it has answered (${name}) when the test makes another object`);
    },
    /** A property of an object of the test as it was told when the object was compared, in a list; null where it is to be asked for. */
    heldBy(id, name) {
      const given = made.get(id);
      if (given?.isError && isComparing()) checkError(id, given);
      if (given?.noted && !isComparing()) given.noted.isUsed = true;
      return given?.changes === changes && given.parts.has(name) ? [given.parts.get(name)] : null;
    },
    /** Forgets all but the last answers of earlier tests. */
    beginTest() {
      const own = answers.filter((each) => !sharedAnswers.includes(each));
      answers = [...sharedAnswers, ...own.slice(-maxKept)];
      byId.clear();
      for (const each of answers) {
        each.isOfEarlier = !sharedAnswers.includes(each);
        byId.set(each.id, each);
      }
      [lastCompared, lastAnswer] = [null, null];
      for (const each of [notes, windows, fresh, readAt, ownNames, compared]) each.clear();
      reads.beginTest();
      unmade = [];
      makings.beginTest();
    },
    learnt: makings.learnt,
  };
}
