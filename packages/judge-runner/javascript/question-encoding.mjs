/*
 * Encodes what a test gives the artifact: plain values as copies, objects of the artifact as what they are there, and all else by numbers, under which
 * the artifact asks for it.
 */

import { types } from 'node:util';
import { kindOfFunction } from './function-kinds.mjs';
import { propertiesOf } from './function-properties.mjs';
import { isBased, mayBeShown, steps } from './given-objects.mjs';
import { handles } from './handles.mjs';
import { pathOfIntrinsic } from './intrinsics.mjs';
import { stringify } from './json.mjs';
import { encode as encodeParts, libraryOf, namesOfGlobals, tagOf, timeIn, Unplain } from './values.mjs';

const { then } = Promise.prototype;
/** What the text of a function has that continues after it has returned. */
const goingOn =
  /\bawait\b|\.(?:then|catch|finally)\s*\(|\bset(?:Timeout|Immediate|Interval)\b|\bqueueMicrotask\b/;
/** Symbols under which a plain object of the test has functions that the language calls. */
const ofLanguage = ['iterator', 'asyncIterator', 'dispose', 'asyncDispose', 'toPrimitive'].map(
  (name) => Symbol[name],
);
/** Most levels of a value in which functions and objects of the test are noted. */
const maxNoted = 8;

/** A plain object that holds a function by which it is iterated, disposed of or converted. A proxy of the test may note what is looked at: it is read there. */
const isEquipped = (part) =>
  !types.isProxy(part) &&
  !Array.isArray(part) &&
  [Object.prototype, null].includes(Object.getPrototypeOf(part)) &&
  ofLanguage.some((key) => typeof part[key] === 'function');
/** True for a plain object of which functions of the test compute a property, or take what is set. */
const isComputing = (part) =>
  Object.getPrototypeOf(part) === Object.prototype &&
  (types.isProxy(part) ||
    Object.keys(part).some((key) => !('value' in Reflect.getOwnPropertyDescriptor(part, key))));
/** A plain object whose getters throw, or a proxy: the artifact reads it itself, and is told what comes of that. */
const isReadThere = (part) => {
  if (types.isProxy(part)) return true;
  try {
    for (const { get } of Object.values(Object.getOwnPropertyDescriptors(part))) get?.call(part);
    return false;
  } catch {
    return true;
  }
};
/** What the text of a function says: whether it uses what it is called on, and continues after it has returned. */
const usesOf = (part) => {
  const text = Function.prototype.toString.call(part);
  // A mock, which notes what it is called on.
  const isMock = text.endsWith('{ [native code] }') && !String(part.name).startsWith('bound ');
  const isArrow = /^(?:async\s*)?(?:\([^)]*\)|[\w$]+)\s*=>/.test(text);
  const usesThis = isMock || (/\bthis\b/.test(text) && !isArrow);
  return [usesThis, tagOf(part) === 'AsyncFunction' || goingOn.test(text)];
};

/** Where the class of Node is found that has this prototype; null for any other object. */
const libraryWithPrototype = (prototype) => {
  const kind = prototype?.constructor;
  const library = typeof kind === 'function' && kind.prototype === prototype ? libraryOf(kind) : null;
  return library?.[0] === '' ? null : library;
};

/** What an argument of a function of the test holds; null where the test cannot change it. */
export const outline = (part) => {
  if (typeof part !== 'object' || part === null || handles.has(part)) return null;
  try {
    const held = encodeParts(
      part,
      (each) => handles.get(each) ?? null,
      undefined,
      (each) => handles.get(each),
      (each, within) => [...within].indexOf(each),
    );
    return stringify(held);
  } catch {
    return null;
  }
};

/**
 * @param link the connection, as `proxy.mjs` makes it
 * @param given `numbers` of what the test has given, its `classes`, `values`, `errors` and `promises`
 * @param libraryName where the artifact finds the same thing in its own built-in modules; null for anything else
 */
export function createQuestionEncoding(link, { numbers, classes, values, errors, promises }, libraryName) {
  /** Functions that were given to objects whose methods are believed: so are those of what they are given. */
  const parts = new WeakSet();
  const encodeOpen = (part) => encodeParts(part, special, values.leave, other, values.leaveAgain);

  /** A plain object of which everything is asked for here. */
  const leaveRead = (part) => {
    link.sites.noteGiven(part);
    return { $local: [numbers.numberOf(part), null] };
  };
  /** The plain object from which another one inherits, as it leaves; undefined where it cannot. */
  const leaveBase = (part) => {
    try {
      return encodeOpen(Object.getPrototypeOf(part));
    } catch {
      return undefined;
    }
  };
  /** Functions whose properties are leaving now: they may hold themselves. */
  const leaving = new Set();
  /** What a function of the test holds; nothing where that cannot cross. */
  const leaveProperties = (part) => {
    const held = leaving.has(part) ? [] : propertiesOf(part);
    if (held.length === 0) return held;
    leaving.add(part);
    try {
      return held.map(([name, value]) => [name, encodeOpen(value)]);
    } catch {
      return [];
    } finally {
      leaving.delete(part);
    }
  };
  const leaveFunction = (part) => {
    if (link.giving) parts.add(part);
    link.sites.noteGiven(part);
    const told = [
      numbers.numberOf(part),
      part.length,
      part.name,
      ...usesOf(part),
      kindOfFunction(part) ?? null,
    ];
    const held = leaveProperties(part);
    const isFrozen = Object.isFrozen(part);
    return { $callback: held.length > 0 || isFrozen ? [...told, held, isFrozen] : told };
  };
  /** An object of a class of the test may have a method of that name (`day.next()`): an iterator of a class can be iterated over. */
  const isIterator = (part) =>
    !types.isProxy(part) &&
    typeof part?.next === 'function' &&
    (classes.classOf(part) === null ||
      typeof (part[Symbol.iterator] ?? part[Symbol.asyncIterator]) === 'function');
  const leaveIterator = (part) => {
    if (Object.getPrototypeOf(part) === Object.prototype) return leaveRead(part);
    const told = [numbers.numberOf(part), steps.filter((name) => typeof part[name] === 'function')];
    return typeof part[Symbol.asyncIterator] === 'function' ? { $asyncIterator: told } : { $iterator: told };
  };
  const leaveObject = (part) => {
    const kind = classes.classOf(part);
    if (kind !== null && types.isDate(part)) return { $dated: [classes.give(kind), timeIn(part)] };
    link.sites.noteGiven(part);
    const older = kind === null ? link.remote.baseOf(part) : undefined;
    if (older !== undefined) return { $local: [numbers.numberOf(part), null, { $handle: older }, true] };
    const base = kind === null && isBased(part, link.live.isLive) ? leaveBase(part) : undefined;
    if (base !== undefined) return { $local: [numbers.numberOf(part), null, base] };
    const library = kind === null ? libraryWithPrototype(Object.getPrototypeOf(part)) : null;
    if (library !== null) return { $local: [numbers.numberOf(part), null, { $library: library }, true] };
    return {
      $local: kind === null ? [numbers.numberOf(part)] : [numbers.numberOf(part), classes.give(kind)],
    };
  };
  /** What is no plain value, as it leaves. */
  const special = (part) => {
    link.expected.use(part);
    link.live.use(part);
    const handle = handles.get(part);
    if (handle !== undefined) {
      // Who has it waits for it: here nobody need catch what it ends with.
      if (types.isPromise(part)) Reflect.apply(then, part, [undefined, () => {}]);
      return handle;
    }
    const known = namesOfGlobals.get(part);
    if (known !== undefined) return { $global: known };
    const library = libraryName(part) ?? libraryOf(part);
    if (library !== null) return { $library: library };
    if (pathOfIntrinsic(part) !== undefined) return { $intrinsic: pathOfIntrinsic(part) };
    if (typeof part === 'symbol') return numbers.leaveSymbol(part);
    if (classes.isOwn(part)) return { $class: classes.give(part) };
    if (typeof part === 'function') return leaveFunction(part);
    if (part instanceof Error) return errors.leave(part);
    if (part instanceof Promise) return promises.leave(part);
    if (isIterator(part)) return leaveIterator(part);
    if (classes.classOfPrototype(part) !== null)
      return { $prototype: classes.give(classes.classOfPrototype(part)) };
    if (part instanceof AbortSignal) return { $signal: link.signals.leave(part) };
    if (typeof part === 'object' && mayBeShown(part)) return leaveObject(part);
    throw new Unplain(`that holds a ${part?.constructor?.name ?? typeof part}`);
  };

  // The prototype of a class without a base looks like a plain object. What an object of the artifact holds is asked for by the test alone.
  const isOther = (part) =>
    handles.has(part) ||
    link.remote.isObject(part) ||
    isEquipped(part) ||
    classes.classOfPrototype(part) !== null ||
    pathOfIntrinsic(part) !== undefined;
  const other = (part) => {
    if (isOther(part)) return special(part);
    // Its methods run on the very object, wherever it is given.
    return isComputing(part) || link.live.hasMethods(part) ? leaveRead(part) : undefined;
  };
  const otherRead = (part) => {
    if (isOther(part)) return special(part);
    if (Array.isArray(part) || !isReadThere(part)) return undefined;
    return leaveRead(part);
  };

  return {
    /** What cannot leave fails the test: an error that came out of the call would be what a test may expect of the artifact. */
    leave(part) {
      try {
        return encodeOpen(part);
      } catch (error) {
        if (!(error instanceof Unplain))
          try {
            return encodeParts(part, special, values.leave, otherRead, values.leaveAgain);
          } catch {
            // It cannot be read at all.
          }
        throw link.refuse(`gives the artifact a value ${error.message}, which cannot cross`);
      }
    },
    /** An array or plain object of the artifact that the test has changed. What it holds stands for itself: the artifact's, and the test's. */
    leaveAgain: (part) => encodeParts(part, special, values.leaveWithin, other, values.leaveAgainWithin),
    /** What a class of the test is, as it leaves. */
    leaveShape: (shape) => encodeParts(shape, special),
    /** True for a function that was given to an object whose methods are believed. */
    isPart: (callback) => parts.has(callback),
    /** Notes the functions and objects of the test in values that leave now or later. */
    noteGiven(all) {
      const walk = (part, depth) => {
        if (Object(part) !== part || handles.has(part) || namesOfGlobals.has(part) || depth > maxNoted)
          return;
        const parent = Object.getPrototypeOf(part);
        const within = (held) => {
          for (const each of held) walk(each, depth + 1);
        };
        if (Array.isArray(part)) within(part);
        else if (parent === Map.prototype) within([...part].flat());
        else if (parent === Set.prototype) within(part);
        else if (parent !== Object.prototype && parent !== null) link.sites.noteGiven(part);
        else within(Object.values(Object.getOwnPropertyDescriptors(part)).map(({ value }) => value));
      };
      if (link.sites.isGuided) link.sites.giving(null, () => walk(all, 0));
    },
  };
}
