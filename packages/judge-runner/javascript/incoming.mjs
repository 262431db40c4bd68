/*
 * Values and objects of the artifact on their way into a tester. Plain values arrive as exact copies, everything else as a stand-in.
 * Everything that arrives is checked: whoever wrote it wants to be graded as right.
 */

import { unasked } from './claims.mjs';
import { classWith, handles, noteClassWith, ownNumbers } from './handles.mjs';
import { stringify } from './json.mjs';
import { createLent, numbered } from './lent.mjs';
import { printOf } from './library-prints.mjs';
import { createUpdate } from './update.mjs';
import {
  dateAt,
  decode,
  extendsArray,
  extendsDate,
  globals,
  isChangeable,
  libraryClass,
  namesOfGlobals,
} from './values.mjs';

/** Makes a value of the test what the artifact made of it, in place, so that aliases see it too. */
export const update = createUpdate(
  (old, now) => handles.has(old) || ownNumbers.has(now) || numbered.has(now),
);

const hasObjects = (text) => /"\$(?:handle|live)"/.test(text);
/** What a test has given, and is over with it. */
const ofTest = /"\$(?:callback|local|own|error|self|prototype|symbol)":/;

/** @param link the connection, as `proxy.mjs` makes it */
export function createIncoming(link) {
  const { lie, sites } = link;
  const objects = new Map();
  const prototypes = new Map();
  /** Promises of the artifact that nobody knows the end of yet. */
  const pending = new Map();
  /** Arrays and plain objects of the artifact that the running test was given, by source and number. */
  const lent = new Map();
  /** The last of them by number alone: what holds no objects is the same one from every source. */
  const lastLent = new Map();
  /** Arrays and plain objects of earlier tests that are arriving, by number: they may contain themselves. */
  const opening = new Map();
  /** True while values that a module exports arrive. */
  let exporting = false;
  /** True while values that both boxes hold are made what they are now, wherever the test is. */
  let updating = false;

  const lentParts = createLent({
    update,
    outline: (part) => link.outgoing.outline(part),
    leave: (part) => link.outgoing.leaveAgain(part),
    isBefore: () => !link.isInTest(),
    isPlain: (text) => !hasObjects(text) && !ofTest.test(text),
  });
  const read = (part, begun) =>
    decode(part, arriveOther, arrivedObject, begun, (number, made, told) => {
      // Within itself.
      if (told === undefined) return lentParts.known(number)?.value;
      return exporting && hasObjects(stringify(told)) ? made : lentParts.arrive(number, made, told);
    });
  /** What was found of known objects in the value that arrives now, by prototype: all of it has one place. */
  let found = null;
  const arrive = (part) => {
    const outer = found;
    found = new Map();
    try {
      return read(part);
    } catch (error) {
      return lie(`an answer that is not a value (${error.name})`);
    } finally {
      found = outer;
    }
  };

  /** Gives an object a function of the language that can be compared, and not called as a method. */
  const defineInert = (part, key, value) => {
    let held = value;
    Object.defineProperty(part, key, {
      get: () => (held === value && sites.isMethodCall() ? link.remote.refusing(key) : held),
      set: (next) => {
        held = next;
      },
      ...{ enumerable: true, configurable: true },
    });
  };
  /** A plain object, or an array, whose own functions could answer for a plain value's methods: those are refused. */
  const arrivedObject = (part, names = Object.keys(part)) => {
    if (!exporting) link.expected.reads.notePlain(part);
    for (const key of names) {
      const value = part[key];
      const isOwn = handles.has(value);
      if (typeof value !== 'function' || !(isOwn || namesOfGlobals.has(value))) continue;
      if (exporting || link.remote.isBelieved(key, link.answering)) continue;
      if (isOwn)
        Object.defineProperty(part, key, {
          ...{
            value: link.remote.refusing(key, link.remote.originOf()),
            writable: true,
            enumerable: true,
            configurable: true,
          },
        });
      else defineInert(part, key, value);
    }
    return part;
  };

  /** Gives a plain object of the test a function that is not listed, where nothing of the test's is there. */
  const giveUnseen = (part, name, value) => {
    if (typeof value !== 'function' || name in part || !Object.isExtensible(part)) return;
    const isOpen = name !== 'then' && link.remote.isBelieved(name, { isPart: true });
    Object.defineProperty(part, name, {
      ...{ value: isOpen ? value : link.remote.refusing(name), writable: true, configurable: true },
    });
  };
  /** A class of Node: the test's own, unless the artifact has changed it. */
  const arriveLibrary = ([place, print, desc]) => {
    const kind = libraryClass(place);
    if (kind === undefined) throw new TypeError('an unknown class');
    return printOf(kind) === print ? kind : wrap(desc);
  };
  /** A date of a class of the test. */
  const arriveDate = ([number, time]) => {
    const kind = link.outgoing.classOf(number);
    if (kind === null || !extendsDate(kind) || typeof time !== 'number') throw new TypeError('no date');
    return dateAt(time, kind.prototype);
  };
  const arriveOther = (tag, content) => {
    if (tag === '$handle') return wrap(content);
    if (tag === '$array') {
      const [desc, items] = content;
      const prototype = prototypeOf(desc?.class);
      if (!extendsArray(prototype)) throw new TypeError('no list');
      const list = wrap(desc);
      // What it holds is read here; strictly compared, it is no plain array.
      return link.remote.isInert(list) ? Object.setPrototypeOf(arrive(items), prototype) : list;
    }
    if (tag === '$live') return link.live.arrive(content);
    if (tag === '$method')
      return link.remote.methodOf(content[0], String(content[1]), content[2], content[3]);
    if (tag === '$self' && link.outgoing.self(content) !== undefined) return link.outgoing.self(content);
    const given = tag === '$callback' || tag === '$local' ? link.outgoing.given(content) : null;
    if (given !== null) return given[0];
    if (tag === '$prototype' && link.outgoing.classOf(content) !== null)
      return link.outgoing.classOf(content).prototype;
    if (tag === '$error') return errorOfTest(content);
    if (tag === '$global' && globals.has(content)) return globals.get(content);
    if (tag === '$library') return arriveLibrary(content);
    if (tag === '$dated') return arriveDate(content);
    if (tag === '$own') {
      const mine = link.outgoing.owned(content[0]) ?? opening.get(content[0]);
      // Without content, the artifact has changed nothing in it, or it is within itself; with content, it may be of an earlier test.
      const made = content.length > 1 ? read(content[1], (begun) => opening.set(content[0], begun)) : mine;
      if (content.length > 1) opening.delete(content[0]);
      if (mine === undefined || Object.getPrototypeOf(mine) !== Object.getPrototypeOf(made)) {
        if (made === undefined) throw new TypeError('an object that was not given');
        return made;
      }
      update(mine, made);
      for (const [name, hidden] of content[2] ?? [])
        giveUnseen(mine, String(name), arriveOther(...Object.entries(hidden)[0]));
      return mine;
    }
    if (tag === '$registered') return Symbol.for(String(content));
    if (tag === '$symbol') return link.outgoing.symbolOf(content[0], String(content[1]));
    throw new TypeError('an unknown tag');
  };

  /** Methods that errors of a class of the artifact have, where their class vouches for them. */
  const giveMethods = (prototype, names) => {
    for (const name of names.map(String)) {
      if (name in Error.prototype || unasked.has(name)) continue;
      const value = function (...args) {
        const number = link.outgoing.thrownNumber(this);
        const isActing = number !== undefined && link.remote.isActing(prototype);
        const isOpen = isActing && link.remote.isBelieved(name, { isPart: true });
        const call = (given) => link.remote.callMethod(number, name, given);
        if (isOpen) return call(args);
        if (name !== 'toJSON') return link.remote.refusing(name)();
        // Where nothing vouches for how it is written, and no text is made of it, it is written as what it holds.
        if (number === undefined || !sites.isWriting()) return { ...this };
        return link.conversions.writing(this, false, classWith(prototype).name, call)(...args);
      };
      Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
    }
  };
  /** The `constructor` of an object or a prototype: its class, unless the program has something else there. */
  const constructorFrom = ({ maker }, kind) => {
    if (maker === undefined) return kind;
    const found = arrive(maker);
    // Whatever writes an object reads the name of its constructor, for which a function that is no class would be asked.
    const isShown = typeof found === 'function' && (link.remote.isClass(found) || !handles.has(found));
    return isShown ? found : undefined;
  };
  /** The prototype of a class of the artifact: made here, with nothing of the artifact's in it. */
  const prototypeOf = (desc, depth = 0) => {
    if (typeof desc === 'string') {
      if (!globals.has(desc)) throw new TypeError('an unknown class');
      return globals.get(desc).prototype ?? Object.prototype;
    }
    if (desc === null) return null;
    if (Array.isArray(desc?.library)) {
      const library = libraryClass(desc.library);
      if (library === undefined) throw new TypeError('an unknown class');
      return library.prototype;
    }
    const ofTest = link.outgoing.classOf(desc?.given);
    if (ofTest !== null) return ofTest.prototype;
    if (typeof desc?.id !== 'number' || depth > 20) throw new TypeError('no class');
    if (!prototypes.has(desc.id)) {
      const made = Object.create(desc.base === null ? Object.prototype : prototypeOf(desc.base, depth + 1));
      prototypes.set(desc.id, made);
      const kind = link.remote.classOf(desc, made);
      objects.set(desc.id, kind);
      noteClassWith(made, kind);
      // What inherits from it in the older way may be given another one.
      const value = constructorFrom(desc, kind);
      Object.defineProperty(made, 'constructor', { value, writable: true, configurable: true });
      if (made instanceof Error && desc.methods !== undefined) giveMethods(made, desc.methods);
      else link.remote.equip(desc, made);
    }
    return prototypes.get(desc.id);
  };

  /** An error of the test that comes back is the same error, with what the artifact has changed in it. */
  const errorOfTest = ([number, message, more]) => {
    const error = link.outgoing.errorOf(number) ?? new Error(String(message ?? ''));
    if (message !== undefined && error.message !== message)
      Reflect.defineProperty(error, 'message', {
        ...{ value: String(message), writable: true, configurable: true },
      });
    if (more !== undefined)
      for (const [key, value] of Object.entries(arrive(more)))
        if (!unasked.has(key)) Reflect.set(error, key, value);
    link.expected.reads.notePlain(error);
    return error;
  };

  /** Errors of the artifact that the running test was given, by number: one that is thrown again is the same one, with what it holds now. */
  const thrown = new Map();
  const sameError = (number, error) => {
    const known = thrown.get(number);
    if (known === undefined || Object.getPrototypeOf(known) !== Object.getPrototypeOf(error)) {
      thrown.set(number, error);
      return error;
    }
    const { stack: _stack, ...held } = Object.getOwnPropertyDescriptors(error);
    // What the test has frozen stays.
    for (const [key, shape] of Object.entries(held)) Reflect.defineProperty(known, key, shape);
    return known;
  };

  /** A new error of a class, which may extend that of the web: the language reads the name and text of one of those unseen. */
  const errorWith = (parent, message, name) => {
    const isOfWeb = parent === DOMException.prototype || parent instanceof DOMException;
    const made = isOfWeb
      ? new DOMException(message, typeof name === 'string' ? name : 'Error')
      : new Error(message);
    return Object.setPrototypeOf(
      made,
      parent instanceof Error || parent === Error.prototype ? parent : Error.prototype,
    );
  };
  /** True where an error says this under a name. A getter of a class of the test may know no error that it has not made. */
  const says = (error, name, value) => {
    try {
      return Object.is(error[name], value);
    } catch {
      return false;
    }
  };
  const errorOf = (told) => {
    // The artifact has answered: an error would be what a test may expect.
    if (told.unplain === true) return link.refuse(`${told.message}, which cannot be compared`);
    try {
      if (told.own !== undefined) {
        const error = errorOfTest(told.own);
        link.outgoing.noteError(error.message);
        return error;
      }
      const [first, own = {}, besides = {}, text] =
        told.args === undefined ? [told.mro[0]] : arrive(told.args);
      // What is thrown need not be an error.
      if (told.args !== undefined && told.class === undefined) return first;
      const parent =
        told.class === undefined || told.class === null
          ? (globals.get(told.mro.find((name) => globals.has(name))) ?? Error).prototype
          : prototypeOf(told.class);
      let error = errorWith(parent, String(told.message), first);
      if (!says(error, 'name', first))
        Object.defineProperty(error, 'name', { value: first, writable: true, configurable: true });
      Object.defineProperties(error, Object.getOwnPropertyDescriptors(own));
      for (const [key, value] of Object.entries(besides))
        if (!(Object.hasOwn(error, key) || unasked.has(key) || (key in error && says(error, key, value))))
          Object.defineProperty(error, key, { value, writable: true, configurable: true });
      if (text !== undefined)
        Object.defineProperty(error, 'toString', {
          ...{ value: () => String(text), writable: true, configurable: true },
        });
      if (typeof told.self === 'number') {
        error = sameError(told.self, error);
        link.outgoing.noteThrown(error, told.self);
      }
      link.expected.reads.notePlain(error);
      // An error of another class that repeats its text has not let it out.
      if (Object.getPrototypeOf(error) === Error.prototype) link.outgoing.noteError(error.message);
      return error;
    } catch (error) {
      return lie(`an exception without a description (${error.name})`);
    }
  };

  const whileUpdating = (work) => {
    const outer = updating;
    updating = true;
    try {
      return work();
    } finally {
      updating = outer;
    }
  };
  /** What an object has answered before is changed by its methods as it is in the artifact. */
  const updateLent = (number, told) => {
    const text = stringify(told);
    const found = new Set([...lent].flatMap(([key, known]) => (key.endsWith(` ${number}`) ? [known] : [])));
    if (lentParts.known(number) !== undefined) found.add(lentParts.known(number));
    for (const known of found) {
      update(known.value, arrive(told));
      known.text = text;
      lentParts.note(number, known.value);
    }
  };
  const updateAll = (changed) => {
    for (const [number, told] of changed) {
      if (number < 0) {
        updateLent(-number, told);
        continue;
      }
      const mine = link.outgoing.owned(number);
      if (mine !== undefined) update(mine, read(told));
    }
  };
  /** Lets what a promise ends with arrive, as it is known of that promise. */
  const arriveEnd = ({ answering, ending }, work) => {
    const outer = link.answering;
    link.answering = answering;
    try {
      return ending(work);
    } finally {
      link.answering = outer;
    }
  };
  const endWith = (told) => {
    const found = arriveLent('end', told);
    if (sites.isLearning) sites.noteKind(link.remote.kindOf(found));
    return found;
  };
  /** Ends a promise that the test waits for. */
  const settle = (id, reply) => {
    const waiting = pending.get(id);
    if (waiting === undefined) return lie('an end of what nobody waits for');
    pending.delete(id);
    arriveEnd(waiting.end, () => {
      if ('raised' in reply) return waiting.reject(errorOf(reply.raised));
      waiting.resolve(endWith(reply));
      sites.noteAnswer();
    });
  };
  const promiseOf = (desc) => {
    const waiting = Promise.withResolvers();
    // What another one is waited for with ends as that does.
    const end = link.answering.end ?? { answering: link.answering, ending: sites.promising() };
    const part = link.remote.promiseOf(desc, waiting.promise, end);
    if (desc.inherits === true) return part;
    pending.set(desc.id, { ...waiting, end });
    if (desc.ended !== undefined) settle(desc.id, desc.ended);
    return part;
  };
  const makers = {
    object: (desc) => link.remote.objectOf(desc),
    function: (desc) => link.remote.functionOf(desc),
    promise: promiseOf,
    signal: (desc) => link.signals.arrive(desc.id),
    iterator: (desc) => link.remote.iteratorOf(desc, Symbol.iterator),
    asyncIterator: (desc) => link.remote.iteratorOf(desc, Symbol.asyncIterator),
  };
  /** True for an object that is known, at a place at which the reference answered none, known or not. */
  const isElsewhere = (id) => {
    const part = objects.get(id);
    if (!sites.isGuided || updating || exporting || !link.remote.mayAct(part, id)) return false;
    const prototype = Object.getPrototypeOf(part);
    if (!found?.has(prototype)) {
      const isUnexpected = link.remote.isUnexpected(prototype);
      found?.set(prototype, isUnexpected);
      return isUnexpected;
    }
    return found.get(prototype);
  };
  /** The stand-in of what is described: the same each time. */
  const wrap = (desc) => {
    if (typeof desc?.id !== 'number') throw new TypeError('no description');
    if (desc.kind === 'module') return desc;
    if (desc.kind === 'class') prototypeOf(desc);
    else if (!objects.has(desc.id)) {
      if (!Object.hasOwn(makers, desc.kind)) throw new TypeError('no kind');
      const part = makers[desc.kind](desc);
      objects.set(desc.id, part);
      handles.set(part, { $handle: desc.id });
    } else if (desc.kind === 'object' && (link.expected.isOther(desc.id, updating) || isElsewhere(desc.id))) {
      // An answer is not what the test has made, and not given; nor is it an object where the reference answered none.
      const twin = link.remote.objectOf(desc);
      handles.set(twin, { $handle: desc.id });
      return twin;
    }
    const found = objects.get(desc.id);
    if (typeof found === 'function') link.remote[exporting ? 'reach' : 'noteAnswered'](found);
    return found;
  };

  /**
   * A value that arrives from the same source again is the same array or plain object as before where it is that in the artifact: a test may
   * compare it with what it was given before, or with what it has made of that.
   */
  const arriveLent = (source, { value: told, lent: number }) => {
    const value = arrive(told);
    // What is the test's is not made what the artifact tells later.
    if (typeof number !== 'number' || !isChangeable(told) || handles.has(value)) return value;
    const key = `${source} ${number}`;
    const text = stringify(told);
    const last = lastLent.get(number);
    const isSame = last?.text === text && !hasObjects(text);
    const known = lent.get(key) ?? lentParts.known(number) ?? (isSame ? last : undefined);
    if (known === undefined || Object.getPrototypeOf(known.value) !== Object.getPrototypeOf(value)) {
      lent.set(key, { value, text, isBefore: !link.isInTest() });
      lastLent.set(number, lent.get(key));
      if (!hasObjects(text)) lentParts.keep(number, lent.get(key));
      lentParts.note(number, value);
      numbered.add(value);
      return value;
    }
    lent.set(key, known);
    if (known.text !== text) update(known.value, value);
    known.text = text;
    lentParts.note(number, known.value);
    return Object.isFrozen(value) ? Object.freeze(known.value) : known.value;
  };

  return {
    arrive,
    arriveLent,
    whileUpdating,
    /** Lets values arrive as answers of which this is known. */
    arriveAs(answering, work) {
      const outer = link.answering;
      link.answering = answering;
      try {
        return work();
      } finally {
        link.answering = outer;
      }
    },
    beginTest() {
      for (const [key, { isBefore }] of lent) if (!isBefore) lent.delete(key);
      for (const [number, { isBefore }] of lastLent) if (!isBefore) lastLent.delete(number);
      lentParts.forget();
      thrown.clear();
    },
    /** What the test has changed in values that were answered, as `[number, what it is now]`. */
    changedByTest: lentParts.changed,
    lentNumber: lentParts.numberOf,
    arrivedNumber: lentParts.arrivedNumber,
    refreshLent: lentParts.refresh,
    errorOf,
    prototypeOf,
    constructorFrom,
    /** The prototype of objects that have arrived of a class, by its number; undefined where none has. */
    prototypeById: (id) => prototypes.get(id),
    /** What a module exports, as pairs of name and value. */
    arriveExports(pairs, module) {
      const outer = link.answering;
      exporting = true;
      link.answering = { makes: true, isShown: true, isExport: true };
      const exported = pairs.map(([key, value, selves = [], number]) => {
        const part = sites.exporting(module, key, () => arriveLent(`export ${key}`, { value, lent: number }));
        // What names itself: `module.exports.default = module.exports`.
        if (typeof part === 'object' && part !== null && !handles.has(part))
          for (const own of selves) part[String(own)] = part;
        return [String(key), part];
      });
      link.answering = outer;
      exporting = false;
      return exported;
    },
    /** Makes arrays and plain objects of the test what the artifact has made of them. */
    updateOwned: (changed) => whileUpdating(() => updateAll(changed)),
    /** True for an object that has a stand-in. */
    isKnown: (id) => objects.has(id),
    /** Remembers the stand-in of an object that the artifact knows from now on. */
    remember(id, part) {
      objects.set(id, part);
      handles.set(part, { $handle: id });
    },
    /** What a function of the test is told that waits for a promise in the artifact's box: an error as one that is thrown. */
    arriveReaction: (end, told, lent) =>
      arriveEnd(end, () => {
        if (told?.$raised !== undefined) return errorOf(Object(told.$raised));
        const found = endWith({ value: told, lent });
        sites.noteAnswer();
        return found;
      }),
    /** Numbers of promises that the test waits for. */
    pending: () => [...pending.keys()],
    settle,
  };
}
