/*
 * Serves the artifact's objects to a tester in another box: calls, properties, call-backs, promises. Everything that
 * leaves is an answer. Comparisons are never asked for, so that no expected value comes in.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { types } from 'node:util';
import { createAround } from './around.mjs';
import { circular } from './circles.mjs';
import { besidesOf, primitiveOf } from './described.mjs';
import { createFollowed } from './followed.mjs';
import { createFunctionProperties } from './function-properties.mjs';
import { createHandled } from './handled.mjs';
import { intrinsicAt } from './intrinsics.mjs';
import { answerText, readLine, textOf } from './lines.mjs';
import { makingOf, makingOfFunction, withPrototypes } from './making.mjs';
import { beyondLimits } from './message-limits.mjs';
import { suiteFolder } from './opened.mjs';
import { createOwned } from './owned.mjs';
import { createReceivedClasses } from './received-classes.mjs';
import { createSignals } from './signals.mjs';
import { createUpdate } from './update.mjs';
import {
  contentName,
  contentOf,
  decode,
  encode,
  extendsArray,
  globals,
  hasRoom,
  isChangeable,
  isClass,
  isStackEnd,
  keyOfName,
  libraryOf,
  makeError,
  maxMessage,
  nameOfKey,
  namesOfGlobals,
  tagOf,
  Unplain,
} from './values.mjs';

const { parse } = JSON;
const exit = process.reallyExit.bind(process);
const later = setTimeout;
const cancelTimer = clearTimeout;
const turn = setImmediate;
const activeResources = process.getActiveResourcesInfo.bind(process);
const sourceOf = Function.prototype.toString;
const require = createRequire(import.meta.url);
/** Most values that an object has answered, and that were within its arguments, which are looked at after each answer. */
const maxWatched = 64;
/** Ends of promises, one after the other, that come before a test goes on that waits for a promise which has ended. */
const microtaskRounds = 16;
/** Values within one answer that are told with numbers of their own, and values of answers that the test may change. */
const maxWithin = 200;
const maxParts = 5000;
/** Answers of functions, and arguments of the test's, which are looked at after each question. */
const maxLast = 32;
/** Most errors that nobody has caught which are told at once, and the longest text of one. */
const maxFaults = 20;
const maxFault = 500;
/** Most objects whose functions are looked at after each question, the last ones, and properties of one. */
const maxLive = 256;
const maxFunctions = 100;
/** Longest text of what is looked at after each call of a method, in characters, and of all that a module exports. */
const maxLent = 4096;
const maxKept = 8192;
const generators = Object.getPrototypeOf(function* () {}).prototype;
const asyncGenerators = Object.getPrototypeOf(async function* () {}).prototype;
/** Calls of methods of an object. */
const ofObjects = new Set(['method', 'base']);
const tooManyCalls = 'of too many calls within one another';
/** True for a property that a function answers. */
const isComputed = (target, key) => {
  for (let each = target; each !== null; each = Object.getPrototypeOf(each)) {
    if (types.isProxy(each)) return true;
    const found = Reflect.getOwnPropertyDescriptor(each, key);
    if (found !== undefined) return found.get !== undefined;
  }
  return false;
};
/** The answer holds plain objects within themselves that are not known yet. */
class Circular extends Unplain {}

/** @param onFault is given what takes errors that nobody has caught: they fail the test that runs, as in one process */
export async function serve(first, onFault) {
  const { folder, modules, limits } = first.serve;
  const table = new Map();
  const numbers = new WeakMap();
  const given = new WeakMap();
  const callbacks = new Map();
  /** Promises of ours that a tester knows, and how those have ended that it waits for, in the order in which they did: a test may race them. */
  const promised = new WeakSet();
  const handled = createHandled();
  const settled = new Map();
  /** Promises of the tester, whose end it tells. */
  const awaited = new Map();
  const loaded = new Map();
  const namespaces = new WeakSet();
  const settle = (number, tell) => {
    settled.set(number, tell);
    wake();
  };
  let wake = () => {};
  let id = first.id;
  let depth = 0;

  const numberOf = (part) => {
    let number = numbers.get(part);
    if (number === undefined) {
      number = table.size;
      table.set(number, part);
      numbers.set(part, number);
    }
    return number;
  };

  /** Methods that a class defines: errors have them, and classes of the test that extend it call them. */
  const methodsOf = ({ prototype }) =>
    Reflect.ownKeys(prototype ?? {}).flatMap((key) => {
      const name = nameOfKey(key);
      const { value } = Reflect.getOwnPropertyDescriptor(prototype, key);
      return typeof value === 'function' && name !== undefined && name !== 'constructor'
        ? [name.slice(0, 200)]
        : [];
    });
  /** What functions compute on a class's objects, as `[name, is read, is set]`. */
  const accessorsOf = ({ prototype }) =>
    Reflect.ownKeys(prototype ?? {}).flatMap((key) => {
      const name = nameOfKey(key);
      const { get, set } = Reflect.getOwnPropertyDescriptor(prototype, key);
      const isAccessor = (get ?? set) !== undefined && name !== undefined && name !== '__proto__';
      return isAccessor ? [[name, get !== undefined, set !== undefined]] : [];
    });
  const makings = new WeakMap();
  /** How a class or function makes objects, worked out once: many objects of one class may be answered. */
  const makingFor = (kind, read) => {
    if (!makings.has(kind)) makings.set(kind, read(sourceOf.call(kind)));
    return makings.get(kind);
  };

  const describeClass = (kind, level = 0) => {
    if (received.numberOf(kind) !== undefined) return { given: received.numberOf(kind) };
    const library = libraryOf(kind);
    if (library !== null) return { library };
    const parent = Object.getPrototypeOf(kind);
    const known = namesOfGlobals.get(parent);
    const base =
      known ??
      (typeof parent === 'function' && parent !== Function.prototype && level < 20
        ? describeClass(parent, level + 1)
        : null);
    return {
      ...{ id: numberOf(kind), kind: 'class', name: String(kind.name ?? '').slice(0, 200) },
      base,
      making: isClass(kind) ? withPrototypes(makingFor(kind, makingOf), kind) : null,
      ...(kind.prototype instanceof Error ? { methods: methodsOf(kind) } : {}),
    };
  };

  /** The class whose prototype an object inherits from first, and not one that another object claims as its constructor. */
  const constructorOf = (part) => {
    let each = Object.getPrototypeOf(part);
    for (; each !== null; each = Object.getPrototypeOf(each)) {
      const kind = Reflect.getOwnPropertyDescriptor(each, 'constructor')?.value;
      if (typeof kind === 'function' && kind.prototype === each) return kind;
    }
    return null;
  };
  const classOf = (part) => {
    const kind = constructorOf(part);
    if (kind === null) return null;
    return (
      namesOfGlobals.get(kind) ?? (isClass(kind) || kind.prototype !== undefined ? describeClass(kind) : null)
    );
  };

  const leave = (part) => {
    if (typeof part === 'symbol') return leaveSymbol(part);
    const callback = given.get(part);
    if (callback !== undefined) return { $callback: callback };
    const known = namesOfGlobals.get(part);
    if (known !== undefined) return { $global: known };
    if (received.numberOf(part) !== undefined) return { $callback: received.numberOf(part) };
    if (received.numberOfPrototype(part) !== undefined)
      return { $prototype: received.numberOfPrototype(part) };
    if (typeof part === 'function')
      return isClass(part) && libraryOf(part) === null
        ? { $handle: describeClass(part) }
        : {
            $handle: {
              ...{ id: numberOf(part), kind: 'function', name: String(part.name ?? '').slice(0, 200) },
              making: makingFor(part, makingOfFunction),
            },
          };
    if (part instanceof AbortSignal) return { $handle: { id: signals.leave(part), kind: 'signal' } };
    if (part instanceof Promise) {
      const number = numberOf(part);
      if (!promised.has(part)) {
        promised.add(part);
        const isLazy = lazy;
        handled.waiting(part, () =>
          part.then(
            (value) => settle(number, () => lending(value, { value: goAsAnswer(isLazy, value) })),
            (error) => {
              handled.noteRejected(part);
              settle(number, () => raised(error));
            },
          ),
        );
      }
      return { $handle: { id: number, kind: 'promise' } };
    }
    const local = received.localNumber(part);
    if (local !== undefined && !received.isDerived(part)) return { $local: local };
    if (selfNumbers.has(part)) return { $self: selfNumbers.get(part) };
    const kind = tagOf(part);
    if (/^(?:Generator|.* Iterator)$/.test(kind) && typeof part[Symbol.iterator] === 'function')
      return { $handle: { id: numberOf(part), kind: 'iterator' } };
    if (kind === 'AsyncGenerator' && typeof part[Symbol.asyncIterator] === 'function')
      return { $handle: { id: numberOf(part), kind: 'asyncIterator' } };
    return { $handle: describeObject(part) };
  };
  const describeObject = (part) => {
    const told = { id: numberOf(part), kind: 'object', class: classOf(part) };
    return Object.isFrozen(part) ? { ...told, frozen: Object.keys(part) } : told;
  };
  /** By their places: a class may say something else where it is iterated. */
  const itemsOf = (list) => Array.from({ length: list.length }, (_, index) => list[index]);
  /** An object of a class that extends Array, with its items and the methods that its classes define. */
  const leaveList = (part, walk) => {
    const methods = [];
    for (let each = Object.getPrototypeOf(part); each !== Array.prototype; each = Object.getPrototypeOf(each))
      methods.push(...Reflect.ownKeys(each).flatMap((key) => nameOfKey(key) ?? []));
    return { $array: [{ ...describeObject(part), methods }, itemsOf(part).map(walk)] };
  };
  /** Symbols that both boxes know, by the number that either has given them. */
  const symbols = new Map();
  const numbersOfSymbols = new Map();
  const leaveSymbol = (part) => {
    if (Symbol.keyFor(part) !== undefined) return { $registered: Symbol.keyFor(part).slice(0, 200) };
    if (!numbersOfSymbols.has(part)) {
      numbersOfSymbols.set(part, numbersOfSymbols.size + 1);
      symbols.set(numbersOfSymbols.size, part);
    }
    return { $symbol: [numbersOfSymbols.get(part), String(part.description ?? '').slice(0, 200)] };
  };
  /** Errors of the test by number, with how they arrived last; and the number of each, with what it held. */
  const errors = new Map();
  const errorsOfTest = new WeakMap();
  const heldByError = (error) => JSON.stringify([error.message, go({ ...error })]);
  /** An error of the test, with what was changed in it. */
  const leaveError = (error) => {
    const { number, held } = errorsOfTest.get(error);
    return held === heldByError(error) ? [number] : [number, error.message, go({ ...error })];
  };
  /** What our functions are called on by the test, by number: it says nothing here, and can be handed back. */
  const selves = new Map();
  const selfNumbers = new WeakMap();
  const selfOf = (number) => {
    if (!selves.has(number)) {
      const self = Object.freeze(new (class Self {})());
      selves.set(number, self);
      selfNumbers.set(self, number);
    }
    return selves.get(number);
  };
  const received = createReceivedClasses({
    ask: (number, action, name, args) => callBack(-1, args, [number, action, name]),
    derive: (made) => errorsOfTest.delete(made),
  });
  /** How many values within the answer that is told now have numbers of their own. */
  let withinCount = 0;
  /** What the test has given: whatever has kept it may change it later. */
  const followed = createFollowed();
  const { owned, ownNumbers, own, enterOwn } = createOwned({
    leave: (part) => leave(part),
    enter: (tag, content) => enter(tag, content),
    lend(part, told, level) {
      if (!referenced.has(part) && (level === 0 || withinCount >= maxWithin)) return told;
      withinCount += 1;
      noteLast(part, JSON.stringify(told));
      return { $lent: [lentNumber(part), told] };
    },
    lent: (number, made, told) => enterLent(number, made, told),
    arrived(number, part) {
      followed.note(number, part);
    },
  });
  /** True while properties that functions compute are left to be asked for. */
  let lazy = false;
  /** Objects that are being told: they may hold themselves. */
  const telling = new Set();
  /** Those that the message of now has told. */
  let told = new Set();
  const tellApart = (work) => {
    const outer = told;
    told = new Set(telling);
    try {
      return work();
    } finally {
      told = outer;
    }
  };
  /** Functions of such objects by number, as they were told last. */
  const functionsOf = new Map();
  const functionsIn = (part) =>
    Reflect.ownKeys(part)
      .slice(0, maxFunctions)
      .flatMap((key) => {
        const value = Reflect.getOwnPropertyDescriptor(part, key)?.value;
        return typeof value === 'function' ? [[key, value]] : [];
      });
  const noteFunctions = (number, part) => {
    functionsOf.delete(number);
    if (types.isProxy(part) || Object.isFrozen(part)) return;
    const found = functionsIn(part);
    if (found.length === 0) return;
    functionsOf.set(number, { part, found });
    if (functionsOf.size > maxLive) functionsOf.delete(functionsOf.keys().next().value);
  };
  /** Numbers of objects of which a function was replaced since. */
  const takeStale = () => {
    const stale = [];
    for (const [number, { part, found }] of functionsOf) {
      const now = functionsIn(part);
      if (
        now.length === found.length &&
        now.every(([key, value], index) => key === found[index][0] && value === found[index][1])
      )
        continue;
      functionsOf.set(number, { part, found: now });
      stale.push(number);
    }
    return stale.length === 0 ? {} : { stale };
  };
  /** What an object with functions among its properties holds now, by name, as `[name, is computed, is hidden, value, its number]`. */
  const tellLive = (part, walk) => {
    const number = numberOf(part);
    if (told.has(number)) return { $live: [number] };
    telling.add(number);
    told.add(number);
    try {
      const isShared = shared.has(part);
      const entries = Reflect.ownKeys(part).flatMap((key) => {
        const name = Array.isArray(part) && key === 'length' ? undefined : nameOfKey(key);
        const found = name === undefined ? undefined : Reflect.getOwnPropertyDescriptor(part, key);
        if (found === undefined) return [];
        const entry = [name, !('value' in found), !found.enumerable];
        // A getter is called where the test reads the property.
        if (entry[1]) return [entry];
        try {
          const value = part[key];
          if (isShared) share(value);
          const held = walk(value);
          const { lent } = lending(value, { value: held }, number, true);
          return [lent === undefined ? [...entry, held] : [...entry, held, lent]];
        } catch (error) {
          const isAround = error instanceof Circular && isRepeated;
          if (!isAround && (error instanceof Unplain || !entry[1])) throw error;
          // It throws where the test reads it, or is told there: an array that holds this object. What it holds is not told.
          told = new Set(telling);
          return [[name, true, entry[2]]];
        }
      });
      const shape = { isBare: Object.getPrototypeOf(part) === null, isFrozen: Object.isFrozen(part) };
      if (types.isProxy(part)) shape.isProxy = true;
      if (Array.isArray(part)) shape.length = part.length;
      noteFunctions(number, part);
      return { $live: [number, entries, shape] };
    } finally {
      telling.delete(number);
    }
  };
  const isLive = (part) =>
    types.isProxy(part) ||
    Reflect.ownKeys(part).some((key) => {
      const found = Reflect.getOwnPropertyDescriptor(part, key);
      // What is not listed is read all the same.
      return (
        typeof found?.value === 'function' || (found !== undefined && !(found.enumerable && 'value' in found))
      );
    });
  const other = (part, walk) => {
    if (received.localNumber(part) !== undefined && !received.isDerived(part))
      return { $local: received.localNumber(part) };
    if (errorsOfTest.has(part)) return { $error: leaveError(part) };
    // The prototype of a class without a base looks like a plain object with functions.
    if (received.numberOfPrototype(part) !== undefined) return leave(part);
    const parent = Object.getPrototypeOf(part);
    if (Array.isArray(part) && extendsArray(parent)) return leaveList(part, (item) => walk(item));
    if (ownNumbers.has(part)) return undefined;
    if (Array.isArray(part))
      return types.isProxy(part) || shared.has(part) ? tellLive(part, walk) : undefined;
    const isPlain = parent === Object.prototype || parent === null;
    return isPlain && (circles.has(part) || shared.has(part) || isLive(part))
      ? tellLive(part, walk)
      : undefined;
  };
  /** True once those of an answer are known. */
  let isRepeated = false;
  /** Plain objects of ours that contain themselves: they leave as objects that have numbers. */
  const circles = new WeakSet();
  /** Plain objects and arrays of ours that a function of the test may change after it has come back: they leave as such objects, too. */
  const shared = new WeakSet();
  const share = (part) => {
    const isOpen =
      typeof part === 'object' &&
      part !== null &&
      !ownNumbers.has(part) &&
      !namespaces.has(part) &&
      !Object.isFrozen(part);
    if (isOpen && [Object.prototype, Array.prototype, null].includes(Object.getPrototypeOf(part)))
      shared.add(part);
  };
  /** Arrays and plain objects that the value which is told now holds within themselves, by their numbers. */
  let referenced = new Set();
  const again = (part, within) => {
    const number = ownNumbers.get(part);
    if (owned.get(number)?.part === part) return { $own: [number] };
    if (told.has(numbers.get(part))) return { $live: [numbers.get(part)] };
    if (lentNumbers.has(part) || isNumbering) {
      referenced.add(part);
      return { $lent: [lentNumber(part)] };
    }
    const between = [...within].slice([...within].indexOf(part));
    // Arrays, Maps and Sets alone.
    const isBare = between.every(
      (each) => (types.isMap(each) || types.isSet(each) || Array.isArray(each)) && !ownNumbers.has(each),
    );
    if (isBare) return { $within: between.length };
    throw new Circular('that contains itself');
  };
  const goOnce = (part) => {
    const outer = referenced;
    withinCount = 0;
    referenced = new Set();
    try {
      return tellApart(() => encode(part, leave, own, other, again));
    } finally {
      referenced = outer;
    }
  };
  /** True while whatever is within itself has a number: an array that holds an object which the test knows, and which holds the array. */
  let isNumbering = false;
  const goNumbered = (part) => {
    const outer = isNumbering;
    try {
      return goOnce(part);
    } catch (error) {
      if (!(error instanceof Circular)) throw error;
      isNumbering = true;
      return goOnce(part);
    } finally {
      isNumbering = outer;
    }
  };
  const go = (part) => {
    const outer = isRepeated;
    try {
      isRepeated = false;
      return goOnce(part);
    } catch (error) {
      if (!(error instanceof Circular)) throw error;
      // The test knows those that it was told of by number: they stay what they are there.
      for (const each of circular(part)) if (!lentNumbers.has(each)) circles.add(each);
      isRepeated = true;
      return goNumbered(part);
    } finally {
      isRepeated = outer;
    }
  };
  /** An error while an answer is read is none of the call's: the call has answered. */
  const goAsAnswer = (isLazy, part) => {
    try {
      return goAs(isLazy, part);
    } catch (error) {
      throw error instanceof Unplain ? error : new Unplain('that throws when it is read');
    }
  };
  const goAs = (isLazy, part) => {
    const outer = lazy;
    lazy = isLazy;
    try {
      return go(part);
    } finally {
      lazy = outer;
    }
  };

  const signals = createSignals(numberOf);
  const functionProperties = createFunctionProperties();
  /** Properties of functions of the test that the artifact has changed. */
  const takeProperties = () => {
    const found = functionProperties.changed().flatMap(([number, name, values]) => {
      try {
        return values.length === 0
          ? [[number, name]]
          : values.map((each) => {
              const { value, lent } = lending(each, { value: go(each) });
              return [number, name, value, ...(lent === undefined ? [] : [lent])];
            });
      } catch {
        // It cannot cross: the test does not see it.
        return [];
      }
    });
    return found.length === 0 ? {} : { properties: found };
  };
  /** Iterators of the test by number: each step is the test's, with what it is sent. */
  const iterators = new Map();
  const iteratorOf = ([number, names], prototype) => {
    if (!iterators.has(number)) {
      const made = Object.create(prototype);
      // What it lacks it does not inherit either.
      for (const name of ['next', 'return', 'throw']) {
        const value = names.includes(name)
          ? (...args) => callBack(-1, args, [number, 'step', name])
          : undefined;
        Object.defineProperty(made, name, { value, writable: true, configurable: true });
      }
      given.set(made, number);
      iterators.set(number, made);
    }
    return iterators.get(number);
  };
  /** Number of the promise that a function of the test answers now. */
  let answeredNow = null;
  const enter = (tag, content) => {
    if (tag === '$handle') return table.get(content);
    if (tag === '$method') return table.get(content[2]);
    if (tag === '$global') return globals.get(content);
    if (tag === '$local') {
      const [number, kind, base] = content;
      if (base !== undefined) return received.localOf(number, arrive(base));
      // A plain object that the test's box cannot read whole has no class.
      if (kind === null) return received.localOf(number, Object.prototype);
      return received.localOf(number, kind === undefined ? null : received.classOf(kind).prototype);
    }
    if (tag === '$intrinsic') return intrinsicAt(content);
    if (tag === '$class') return received.classOf(content);
    if (tag === '$prototype') return received.classOf(content).prototype;
    if (tag === '$own') return enterOwn(content);
    if (tag === '$registered') return Symbol.for(content);
    if (tag === '$symbol') {
      const [number, description] = content;
      if (!symbols.has(number)) {
        symbols.set(number, Symbol(description));
        numbersOfSymbols.set(symbols.get(number), number);
      }
      return symbols.get(number);
    }
    if (tag === '$library') {
      const module = require(content[0]);
      return content.length === 1 ? module : module[content[1]];
    }
    if (tag === '$error') {
      const [name, message, more, number, kind] = content;
      // What holds its properties is another one each time.
      const told = JSON.stringify([message, more.$own?.[1] ?? more]);
      const known = errors.get(number);
      if (known?.told === told || (known && !errorsOfTest.has(known.error))) return known.error;
      const error = known?.error ?? makeError(name, message, arrive(more));
      errors.set(number, { error, told });
      if (known === undefined && kind !== undefined)
        Object.setPrototypeOf(error, received.classOf(kind).prototype);
      if (known !== undefined) {
        // The test has changed it since.
        if (error.message !== message) error.message = message;
        Object.assign(error, arrive(more));
      }
      errorsOfTest.set(error, { number, held: heldByError(error) });
      return error;
    }
    if (tag === '$callback') {
      const [number, length, name, usesThis, isAsync, held = [], isFrozen = false] = content;
      // The same function each time, so that the artifact finds it again.
      if (!callbacks.has(number)) {
        // A method, as this can be called on an object and makes none.
        const { callback } = {
          callback(...args) {
            // It may change what it is given, or what it is called on, after it has returned.
            if (isAsync) for (const arg of args) if (!Array.isArray(arg)) share(arg);
            if (usesThis) share(this);
            return callBack(number, args, undefined, this, usesThis);
          },
        };
        Object.defineProperties(callback, { length: { value: length }, name: { value: name } });
        given.set(callback, number);
        callbacks.set(number, callback);
      }
      functionProperties.arrive(
        ...[number, callbacks.get(number), held.map(([key, value]) => [key, arrive(value)]), isFrozen],
      );
      return callbacks.get(number);
    }
    if (tag === '$iterator') return iteratorOf(content, generators);
    if (tag === '$asyncIterator') return iteratorOf(content, asyncGenerators);
    if (tag === '$signal') {
      const signal = signals.arrive(content);
      given.set(signal, content);
      return signal;
    }
    if (tag === '$later') {
      let waiting = awaited.get(content);
      if (waiting === undefined) {
        waiting = Promise.withResolvers();
        awaited.set(content, waiting);
      }
      // What a function of the test answers is for the artifact to catch; the test itself may catch what it gives.
      if (content !== answeredNow) waiting.promise.catch(() => {});
      return waiting.promise;
    }
    throw new TypeError('an unknown tag');
  };
  const arrive = (part) => decode(part, enter, undefined, undefined, enterLent);
  /** What the test has changed in a value of ours: others of ours that it holds may have changed as well. */
  const arriveAgain = (part) =>
    decode(part, enter, undefined, undefined, (number, made, told) => {
      const known = enterLent(number, made, told);
      if (told !== undefined) update(known, made);
      return known;
    });

  const raised = (error) => {
    if (error instanceof Unplain)
      return { raised: { mro: ['Error'], message: `an answer ${error.message}`, module: '', unplain: true } };
    if (isStackEnd(error, depth)) return raised(new Unplain(tooManyCalls));
    const mro = [];
    const told = { mro, message: '', module: '' };
    try {
      for (
        let kind = Object.getPrototypeOf(Object(error));
        kind !== null && mro.length < 50;
        kind = Object.getPrototypeOf(kind)
      )
        mro.push(String(kind.constructor?.name ?? '').slice(0, 200));
      told.message = String(error?.message ?? error).slice(0, maxMessage);
      if (errorsOfTest.has(error)) told.own = leaveError(error);
      else if (error instanceof Error) {
        told.self = numberOf(error);
        told.class = classOf(error);
        const name = String(error.name).slice(0, 200);
        told.args = go([name]);
        told.args = go([name, { ...error }, besidesOf(error)]);
      } else told.args = go([error]);
    } catch {
      // Even this is the artifact's code.
    }
    if (mro.length === 0) mro.push('Error');
    return { raised: told };
  };

  /** Errors that nobody has caught since the test was last told, in words. */
  const faults = [];
  const takeFaults = () => (faults.length === 0 ? {} : { faults: faults.splice(0) });
  onFault((error) => {
    if (faults.length >= maxFaults) return;
    let text = 'an error';
    try {
      text = error instanceof Error ? `${error.name}: ${error.message}` : `thrown: ${String(error)}`;
    } catch {
      // Even this is the artifact's code.
    }
    faults.push(text.slice(0, maxFault));
  });

  /** Why a call of a function of the test could not leave: the next answer is none, whatever the artifact has caught. */
  let unsent = null;
  const send = (reply) => {
    const message = { ...reply, id };
    const text = textOf(message);
    const beyond = beyondLimits(message, text, limits);
    const error = unsent ?? (beyond === null ? null : new Unplain(beyond));
    unsent = error !== null && 'callback' in message ? error : null;
    if (unsent !== null) throw unsent;
    answerText(error === null ? text : textOf({ ...raised(error), id }));
  };

  /** True for an object that both boxes know: what a function of the test is called on. */
  const isShared = (part) =>
    Object(part) === part &&
    !namespaces.has(part) &&
    (received.isOfTest(part) ||
      (typeof part === 'object' &&
        (numbers.has(part) || selfNumbers.has(part) || owned.get(ownNumbers.get(part))?.part === part)));
  /** True for an object of ours that a function of the test is called on and uses. */
  const isTellable = (part) =>
    typeof part === 'object' &&
    part !== null &&
    part !== globalThis &&
    !Array.isArray(part) &&
    !namespaces.has(part);
  /**
   * What a function of the test is called on: the test's own object, whatever class the artifact has derived from its class. An object of a class of
   * the test that extends such a class (`class Dog extends emitting(Animal)`) is that object, with the methods of both.
   */
  const tellSelf = (part) =>
    received.localNumber(part) === undefined || received.isMixed(part)
      ? go(part)
      : { $local: received.localNumber(part) };
  /** What the artifact has given classes of the test since they were last told of. */
  const changedClasses = () => {
    const found = received.takeChanges();
    return found.length === 0
      ? {}
      : { given: found.map(([number, ofPrototype, name, value]) => [number, ofPrototype, name, go(value)]) };
  };
  /** Asks a function of the test. Blocks until it has answered; what it asks in the meantime is answered. */
  const callBack = (number, args, local, self, usesThis = false) => {
    if (depth === 0) throw new Error('Nobody is calling: a call-back has nobody to go to');
    if (!hasRoom(depth)) throw new Unplain(tooManyCalls);
    const more = {
      ...(local === undefined ? {} : { local }),
    };
    if (isShared(self)) more.self = tellSelf(self);
    else if (usesThis && isTellable(self))
      try {
        more.self = go(self);
      } catch {
        // It is called on something that cannot cross.
      }
    const told = args.map(go);
    const lent = told.map((value, index) => lending(args[index], { value }).lent ?? null);
    if (lent.some((each) => each !== null)) more.lent = lent;
    send(withChanges({ callback: number, args: told, kwargs: [], ...more }));
    for (;;) {
      const line = readLine();
      if (line === null) exit(0);
      const request = parse(line);
      id = request.id;
      around.take(request);
      takeChangedOrFail(request);
      for (const [index, told] of request.args ?? []) update(args[index], arriveAgain(told));
      if ('throws' in request) throw arrive(request.throws);
      if ('returns' in request) {
        answeredNow = request.returns?.$later ?? null;
        try {
          return arrive(request.returns);
        } finally {
          answeredNow = null;
        }
      }
      send(
        withChanges(
          guarded(() => {
            begin(request.op);
            return perform(request.op);
          }),
        ),
      );
    }
  };
  // Where the suite shares files, paths lead from the same folder in both boxes.
  if (existsSync(suiteFolder)) process.chdir(suiteFolder);
  const around = createAround({ arrive, leave: (part) => go(part), classOf: (number) => table.get(number) });
  /** What a test has changed since arrives first. */
  const takeChanged = ({ given = [], lent = [], aborted = [] }) => {
    for (const told of given) arrive(told);
    for (const [number, told] of lent)
      if (lentParts.has(number)) update(lentParts.get(number), arriveAgain(told));
    // Listeners look at what has changed before.
    signals.abort(aborted, arrive);
  };
  /** Where it cannot be done here, the test fails, whatever it catches: it would have failed where it changed it. */
  const takeChangedOrFail = (message) => {
    try {
      takeChanged(message);
    } catch {
      throw new Unplain('that cannot be changed as the test has changed it');
    }
  };
  /** In another test, what the test before has given is ours: it has no number there any more. */
  const begin = (op) => {
    const { forgotten = [] } = op;
    isBefore = op.before === true;
    for (const number of forgotten) {
      ownNumbers.delete(owned.get(number)?.part);
      owned.delete(number);
      followed.drop(number);
    }
    around.take(op);
    takeChangedOrFail(op);
  };

  /** A function of the test may change what it is given. */
  const update = createUpdate(
    (_old, now) => numbers.has(now) || ownNumbers.has(now) || lentNumbers.has(now),
    () => {
      throw new TypeError('what the test has changed cannot be changed');
    },
  );
  const guarded = (work) => {
    depth += 1;
    try {
      return work();
    } catch (error) {
      return raised(error);
    } finally {
      depth -= 1;
    }
  };

  const changedOf = (before, args) =>
    args.flatMap((after, index) => {
      if (typeof after !== 'object' || after === null || before[index] === null) return [];
      const now = go(after);
      const same = now.$own?.length === 1 || JSON.stringify(now) === JSON.stringify(before[index]);
      return same ? [] : [[index, now]];
    });

  /** What was within the arguments, and has changed: where something has, it may be within them no more. */
  const changedWithin = (given, told) => {
    const text = JSON.stringify(told);
    if (!/"\$own":\[\d+,/.test(text)) return [];
    const numbersIn = (part) => [...part.matchAll(/"\$own":\[(\d+)/g)].map(([, number]) => Number(number));
    const known = new Set(numbersIn(text));
    const lost = new Set(numbersIn(JSON.stringify(given)).filter((number) => !known.has(number)));
    return [...lost].slice(0, maxWatched).flatMap((number) => {
      const { part } = owned.get(number) ?? {};
      const { $own } = part === undefined ? {} : go(part);
      return $own?.length === 2 ? [[number, $own[1]]] : [];
    });
  };

  /** What an object holds by name, and what it contains; null where that cannot be told. */
  const partsOf = (target) => {
    try {
      const held = Object.keys(target).map((key) => [key, go(target[key])]);
      const content = contentOf(target);
      return content === undefined ? held : [...held, [contentName, go(content)]];
    } catch {
      return null;
    }
  };

  /** Arrays and plain objects of ours that were answered, by numbers: the test is given the same one again. */
  const lentNumbers = new WeakMap();
  /** The same by number: the test may change them. */
  const lentParts = new Map();
  let lentCount = 0;
  const lentNumber = (value) => {
    if (!lentNumbers.has(value)) {
      lentCount += 1;
      lentNumbers.set(value, lentCount);
    }
    const number = lentNumbers.get(value);
    if (!lentParts.has(number)) {
      if (lentParts.size >= maxParts) lentParts.delete(lentParts.keys().next().value);
      lentParts.set(number, value);
    }
    return number;
  };
  /** What each object has answered of them, by number, with how it was told last. */
  const lentBy = new Map();
  /** The last ones that functions have answered, or that are within others. */
  const lastLent = new Map();
  /** What modules export, and was answered before the tests: all of them may look at it. */
  const keptLent = new Map();
  let keptLength = 0;
  let isBefore = true;
  /** Notes what is looked at after each question, whatever object has answered it: it may change later. Undefined for a value that is too large. */
  const noteLast = (value, text) => {
    const number = lentNumber(value);
    const known = keptLent.get(number);
    if (known !== undefined) {
      known.text = text;
      return known;
    }
    if (text.length > maxLent) return undefined;
    const found = { value, text };
    if (isBefore && keptLength + text.length <= maxKept) {
      keptLength += text.length;
      keptLent.set(number, found);
      return found;
    }
    lastLent.delete(number);
    if (lastLent.size >= maxLast) lastLent.delete(lastLent.keys().next().value);
    lastLent.set(number, found);
    return found;
  };
  /** A value of ours that the test gives back is the very same. What the test has changed in it has arrived before. */
  const enterLent = (number, made, told) => {
    const part = lentParts.get(number);
    if (told === undefined) return part;
    if (part === undefined || Object.getPrototypeOf(part) !== Object.getPrototypeOf(made)) return made;
    noteLast(part, JSON.stringify(told));
    return part;
  };
  /** @param isHeld true for what a live object holds, which is asked for anew: its calls alone are followed */
  const lending = (value, reply, owner, isHeld = false) => {
    if (typeof value !== 'object' || !isChangeable(reply.value)) return reply;
    const number = lentNumber(value);
    const text = JSON.stringify(reply.value);
    const isShort = text.length <= maxLent;
    const known = isHeld ? (isShort ? { value, text } : undefined) : noteLast(value, text);
    if (owner !== undefined && known !== undefined) {
      if (!lentBy.has(owner)) lentBy.set(owner, new Map());
      const own = lentBy.get(owner);
      if (own.size < maxWatched || own.has(number)) own.set(number, known);
    }
    return { ...reply, lent: number };
  };
  /** What a module exports is the same in both boxes, where it holds no objects: those are asked for what they are. */
  const lendingExport = (value, reply) =>
    /"\$(?:handle|live|array|method)":/.test(JSON.stringify(reply.value)) ? reply : lending(value, reply);
  /** Those that an object has answered and a method of it has changed: `[number below zero, what it holds now]`. */
  const changedLent = (all) =>
    [...(all ?? [])].flatMap(([number, known]) => {
      const told = go(known.value);
      const text = JSON.stringify(told);
      if (text === known.text) return [];
      known.text = text;
      return [[-number, told]];
    });

  /** What moves our time with the test's, by the numbers of what moves that. */
  const movers = new Map();
  const timersOf = (number) => {
    if (!movers.has(number)) movers.set(number, new (require('node:test').mock.constructor)());
    return movers.get(number).timers;
  };

  const toldBefore = (args) => args.map((arg) => (typeof arg === 'object' && arg !== null ? go(arg) : null));
  /**
   * An answer with what its call has changed in its arguments and in what the owner has answered before: also beside an error, as the test may look
   * whether what failed has left them alone.
   */
  const withChanged = (before, given, args, owner, tell) => {
    const lent = changedLent(lentBy.get(owner));
    const answered = tell();
    const changed = changedOf(before, args);
    const others = [...lent, ...changedWithin(given, [answered, changed])];
    const reply = others.length === 0 ? answered : { ...answered, changed: others };
    return changed.length === 0 ? reply : { ...reply, args: changed };
  };
  const calledOn = (op) => {
    if ('local' in op) return arrive(op.local);
    return 'on' in op ? selfOf(op.on) : table.get(op.self);
  };
  const perform = (op) => {
    if (op.do === 'tick') return { value: [] };
    // The signals have arrived before.
    if (op.do === 'aborted') return { value: null };
    if (op.do === 'read') return { value: op.parts.map((number) => partsOf(table.get(number))) };
    if (op.do === 'handled')
      return { value: op.parts.map((number) => handled.has(Object(table.get(number)))) };
    const target = table.get(op.of);
    const key = keyOfName(op.name);
    if (op.do === 'get' && op.name === contentName) return { value: go(contentOf(target)) };
    if (op.do === 'items') return { value: go(itemsOf(target)) };
    if (op.do === 'property') {
      const value = target[key];
      return lending(value, { value: goAsAnswer(op.lazy === true, value) }, op.of);
    }
    if (op.do === 'live') {
      lazy = op.lazy === true;
      try {
        return { value: tellApart(() => tellLive(target, go)) };
      } finally {
        lazy = false;
      }
    }
    if (op.do === 'get') {
      const computed = isComputed(target, key) ? { computed: true } : {};
      const value = target[key];
      const isMethod =
        typeof value === 'function' && !namespaces.has(target) && !isClass(value) && !given.has(value);
      return isMethod
        ? { value: { $method: [op.of, op.name, numberOf(value)] } }
        : lending(value, { value: goAsAnswer(false, value), ...computed }, op.of);
    }
    if (op.do === 'set' || op.do === 'define') {
      const told = op.do === 'set' ? [op.value] : op.args;
      const args = told.map(arrive);
      const before = toldBefore(args);
      let failed = null;
      try {
        if (op.do === 'set') [target[key]] = args;
        else {
          const parts = Object.fromEntries(op.parts.map((name, index) => [name, args[index]]));
          Object.defineProperty(target, key, { ...op.flags, ...parts });
        }
      } catch (error) {
        failed = [error];
      }
      const tell = () => (failed === null ? { value: null } : raised(failed[0]));
      return withChanged(before, told, args, op.of, tell);
    }
    if (op.do === 'delete') return { value: Reflect.deleteProperty(target, key) };
    if (op.do === 'has') return { value: key in target };
    if (op.do === 'convert') {
      // An object like one that the test has made, and not told of.
      const made =
        op.args &&
        Object.assign(
          Reflect.construct(target, op.args.map(arrive)),
          Object.fromEntries(op.changed.map(([name, told]) => [name, arrive(told)])),
        );
      return { value: go(primitiveOf(made ?? target, op.name)) };
    }
    if (op.do === 'inherits') return { value: key in target.prototype };
    if (op.do === 'keys') return { value: Object.keys(target) };
    if (op.do === 'methods') return { value: methodsOf(target) };
    if (op.do === 'accessors') return { value: accessorsOf(target) };
    if (op.do === 'timers') {
      timersOf(op.of)[op.name](...op.args.map(arrive));
      return { value: null };
    }
    const args = op.args.map(arrive);
    const before = toldBefore(args);
    const acting = {
      new: () => Reflect.construct(target, args, 'as' in op ? arrive(op.as) : target),
      base: () => Reflect.apply(around.methodOf(op.class, key, op.part), target, args),
      static: () => Reflect.apply(target[key], arrive(op.as), args),
      method() {
        // A step of an iterator is taken by its name.
        if (!('function' in op)) return target[key](...args);
        return Reflect.apply(table.get(op.function), op.unbound === true ? calledOn(op) : target, args);
      },
      call: () => Reflect.apply(target, calledOn(op), args),
    };
    const owner = ofObjects.has(op.do) ? op.of : op.self;
    // Nothing else stands between two calls that are one within the other: the stack would end earlier.
    let value;
    let failed = null;
    try {
      value = acting[op.do]();
    } catch (error) {
      failed = [error];
    }
    const tell = () =>
      failed === null
        ? lending(value, { value: goAsAnswer(op.lazy === true, value) }, owner)
        : raised(failed[0]);
    return withChanged(before, op.args, args, owner, tell);
  };
  /** True while a timer is set or something is due at once: it goes on while the test waits for anything. */
  const isActive = () => activeResources().some((name) => name === 'Timeout' || name === 'Immediate');
  /** Modules that were told, with the values of their variables. */
  const exported = new Map();
  /** Variables of modules that have other values now: `[module, name, value, its number]`. */
  const takeExports = () => {
    const changed = [];
    for (const [name, { module, values }] of exported)
      for (const [key, before] of values) {
        const now = module[key];
        if (Object.is(now, before)) continue;
        values.set(key, now);
        let told;
        try {
          told = { value: go(now) };
        } catch {
          // It cannot cross: the test keeps what it was told.
          continue;
        }
        const { value, lent } = lendingExport(now, told);
        changed.push([name, key, value, ...(lent === undefined ? [] : [lent])]);
      }
    return changed.length === 0 ? {} : { exported: changed };
  };
  /** A message with what has changed in them since the test was last told. */
  const withChanges = (reply) => {
    const changed = followed.changed().flatMap(([number, part]) => {
      if (owned.get(number)?.part !== part) return [];
      const { $own } = go(part);
      return $own?.length === 2 ? [[number, $own[1]]] : [];
    });
    changed.push(...changedLent(keptLent), ...changedLent(lastLent));
    const turns = isActive() ? { turns: [0, []] } : {};
    const whole = {
      ...reply,
      ...takeFaults(),
      ...takeStale(),
      ...takeExports(),
      ...takeProperties(),
      ...changedClasses(),
      ...turns,
      ...around.changed(),
      ...signals.take(go),
    };
    return changed.length === 0 ? whole : { ...whole, changed: [...(reply.changed ?? []), ...changed] };
  };

  /**
   * Lets what was begun go on: until a promise ends that is waited for, or the time is up. Without a time, only ends of promises come, as where
   * a test waits for a promise that has ended: no timer does.
   */
  const tick = async (op) => {
    for (const [number, ended] of op.settled) {
      const waiting = awaited.get(number);
      if ('throws' in ended) waiting?.reject(arrive(ended.throws));
      else waiting?.resolve(arrive(ended.returns));
    }
    const waiting = new Set(op.wait);
    const ended = () => [...settled.keys()].filter((number) => waiting.has(number));
    if (op.ms === null) for (let round = 0; round < microtaskRounds; round += 1) await null;
    else await new Promise((resolve) => turn(resolve));
    if (op.ms !== null && ended().length === 0)
      await new Promise((resolve) => {
        const timer = later(resolve, op.ms);
        wake = () => {
          cancelTimer(timer);
          resolve();
        };
      });
    return {
      value: ended().map((number) => {
        const tell = settled.get(number);
        settled.delete(number);
        return [number, guarded(tell)];
      }),
    };
  };

  const pathOf = (name) => `${folder}/${modules.find((file) => file.replace(/\.[cm]?js$/, '') === name)}`;
  const load = async (name) => {
    if (!loaded.has(name)) {
      const module = await import(pathOf(name));
      namespaces.add(module);
      loaded.set(name, module);
    }
    const module = loaded.get(name);
    // A module of the older kind is what it exports.
    const isOlder = require.cache[pathOf(name)] !== undefined;
    const own = { ...(isOlder && typeof module.default === 'object' ? module.default : {}), ...module };
    // `module.exports.default = module.exports`: what it exports is told without itself.
    const whole = module.default;
    const isWhole = (value) => typeof whole === 'object' && whole !== null && value === whole;
    const inWhole = Object.entries(isWhole(whole) ? whole : {});
    const told = Object.fromEntries(inWhole.filter(([, value]) => !isWhole(value)));
    const selves = inWhole.flatMap(([key, value]) => (isWhole(value) ? [key] : []));
    const exports = Object.keys(own).map((key) => {
      if (isWhole(own[key]) && selves.length > 0) return [key, go(told), selves];
      const { value, lent } = lendingExport(own[key], { value: go(own[key]) });
      return [key, value, [], ...(lent === undefined ? [] : [lent])];
    });
    if (!isOlder) exported.set(name, { module, values: new Map(Object.entries(module)) });
    return { value: { $handle: { id: numberOf(module), kind: 'module', name, exports } } };
  };

  send({ serving: true });
  for (let line = readLine(); line !== null; line = readLine()) {
    const request = parse(line);
    id = request.id;
    let reply;
    depth += 1;
    try {
      begin(request.op);
      if (request.op.turned === true) await new Promise((resolve) => turn(resolve));
      if (request.op.do === 'module') reply = withChanges(await load(request.op.name));
      else if (request.op.do === 'tick') reply = withChanges(await tick(request.op));
      else reply = withChanges(guarded(() => perform(request.op)));
    } catch (error) {
      reply = raised(error);
    }
    depth -= 1;
    send(reply);
  }
  exit(0);
}
