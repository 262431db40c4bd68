/* Values and objects of a test on their way to the artifact, and what the artifact may do with them. */
import { createHash } from 'node:crypto';
import { types } from 'node:util';
import { propertiesOf } from './function-properties.mjs';
import { createGivenClasses, globalNameOf } from './given-classes.mjs';
import { pathOfIntrinsic } from './intrinsics.mjs';
import { createSnapshots } from './snapshots.mjs';
import { sealsOf } from './update.mjs';
import {
  encode,
  isStackEnd,
  keyOfName,
  libraryOf,
  maxMessage,
  nameOfKey,
  namesOfGlobals,
  tagOf,
  Unplain,
} from './values.mjs';

/** What stand-ins of the artifact's objects leave as. */
export const handles = new WeakMap();
/** Arrays and plain objects of the test that the artifact was given, and their numbers: it may answer the very same. */
export const ownNumbers = new WeakMap();
/** Objects of one test that keep their identity. */
const maxOwned = 5000;
/** Plain ones that stay the same in both boxes after their test: the next one may hold them, and an object of the artifact that has them. */
const maxLasting = 16;
const forbiddenNames = new Set([
  'constructor',
  'prototype',
  '__proto__',
  'caller',
  'callee',
  'arguments',
  'process',
  'require',
]);

/** True for an object that inherits from a plain one, as `Object.create(base)` makes it. */
function isBased(part) {
  let base = Object.getPrototypeOf(part);
  if (base === null || base === Object.prototype || typeof part === 'function') return false;
  for (; base !== null && base !== Object.prototype; base = Object.getPrototypeOf(base))
    if (
      typeof base !== 'object' ||
      handles.has(base) ||
      types.isProxy(base) ||
      Object.hasOwn(base, 'constructor')
    )
      return false;
  return true;
}

/** What an iterator may have. */
const steps = ['next', 'return', 'throw'];
/** What the text of a function has that continues after it has returned. */
const goingOn =
  /\bawait\b|\.(?:then|catch|finally)\s*\(|\bset(?:Timeout|Immediate|Interval)\b|\bqueueMicrotask\b/;
/** Symbols under which a plain object of the test has functions that the language calls. */
const ofLanguage = ['iterator', 'asyncIterator', 'dispose', 'asyncDispose', 'toPrimitive'].map(
  (name) => Symbol[name],
);

/** True for instances of classes of the suite and for events: nothing that leads out of the test. */
function mayBeShown(part) {
  if (part === globalThis || part === process || tagOf(part) === 'Module') return false;
  for (let kind = Object.getPrototypeOf(part); kind !== null; kind = Object.getPrototypeOf(kind)) {
    const name = kind.constructor?.name;
    if (['Socket', 'Server', 'ReadStream', 'WriteStream', 'ChildProcess', 'Worker', 'Module'].includes(name))
      return false;
  }
  return true;
}

/** Tags of what acts, or is told by a number. */
const ofObjects =
  /"\$(?:handle|live|array|local|callback|method|lent|own|error|within|later|class|prototype)":/;
/** What a function is given beside one of its arguments, and beside objects: the artifact chooses the order of its calls, and not what these say. */
const besides = (args, index) => {
  const told = args
    .filter((_, each) => each !== index)
    .map((arg) => JSON.stringify(arg) ?? '')
    .map((text) => (ofObjects.test(text) ? '' : text));
  return createHash('sha256').update(told.join('\n')).digest('base64url').slice(0, 12);
};
const isNothing = (told) => told === null || told?.$undefined === true;

/** @param link the connection, as `proxy.mjs` makes it */
export function createOutgoing(link) {
  const { builtins, lie } = link;
  const methodNames = new WeakMap();
  /** Node's modules that the suite imports and what they hold, before a test puts something else there. */
  const libraryNames = new Map();
  for (const [name, module] of [...builtins].toReversed()) {
    for (const key of Object.keys(module).toReversed())
      if (Object(module[key]) === module[key]) libraryNames.set(module[key], [name, key]);
    libraryNames.set(module, [name]);
  }
  /** Functions and objects that the artifact was given, by number. */
  const given = new Map();
  const numbers = new WeakMap();
  /** Numbers of what the running test has given, and of tests that are over: it is no help with the next test. */
  const running = new Set();
  const over = new Set();
  const promised = new WeakMap();
  /** Functions that were given to objects whose methods are believed: so are those of what they are given. */
  const parts = new WeakSet();
  /** Ends of promises of the test that the artifact has not been told yet. */
  const ended = [];
  let count = 0;
  const owned = new Map();
  let ownCount = 0;
  /** Numbers of those that were given before the tests, or in a hook that prepares several. */
  const sharedOwn = new Set();
  /** Errors that the artifact was given, by number: of the running test, and of what tests share. */
  const errors = new Map();
  const errorNumbers = new WeakMap();
  /** Symbols that both boxes know: the artifact's by its numbers, the test's by numbers below zero. */
  const symbols = new Map();
  const numbersOfSymbols = new Map();
  /** What functions of the artifact were called on, by number. */
  const selves = new Map();
  const selfNumbers = new WeakMap();
  /** How to forget what the running test has given. */
  let forgetting = [];
  const forget = (how) => {
    if (link.isInTest()) forgetting.push(how);
  };
  /** An assertion of the running test that failed within the artifact, and has not come out of it yet. */
  let assertion = null;

  const numberOf = (part) => {
    if (!numbers.has(part)) {
      count += 1;
      numbers.set(part, count);
      given.set(count, part);
      if (link.isInTest()) running.add(count);
    }
    const number = numbers.get(part);
    if (over.delete(number)) running.add(number);
    return number;
  };
  const classes = createGivenClasses({
    isOther: (part) =>
      handles.has(part) || namesOfGlobals.has(part) || libraryOf(part) !== null || libraryName(part) !== null,
    isRemote: (part) => link.remote.isClass(part),
    numberOf,
    texts: link.texts,
  });
  const crossing = (error) => {
    if (error instanceof Error && !link.remote.isObject(error) && error.code === 'ERR_ASSERTION')
      assertion = error.message;
  };

  /** Errors of the artifact that have arrived, with their numbers and what they held. */
  const thrown = new WeakMap();
  const heldBy = (error) => [error.message, ...Object.entries(error).flat()];
  /** One that the test lets pass is the same error again; one that it has changed is its own. */
  const isAsThrown = (error) => {
    const held = heldBy(error);
    const before = thrown.get(error)?.held ?? [];
    return held.length === before.length && held.every((part, index) => Object.is(part, before[index]));
  };

  const leaveError = (error) => {
    if (isAsThrown(error)) return { $handle: thrown.get(error).number };
    const kind = classes.classOf(error);
    const name = globalNameOf(error);
    // Its class says how it is named, where it is given.
    const isNamed = kind === null ? error.name !== name : Object.hasOwn(error, 'name');
    const more = isNamed ? { name: String(error.name), ...error } : { ...error };
    if (!errorNumbers.has(error)) {
      count += 1;
      errorNumbers.set(error, count);
    }
    const number = errorNumbers.get(error);
    if (!errors.has(number))
      forget(() => {
        errors.delete(number);
        snapshots.forget(-number);
      });
    errors.set(number, error);
    // Below zero are those of errors, in another row.
    snapshots.note(-number, error);
    const ofClass = kind === null ? [] : [classes.give(kind)];
    return { $error: [name, String(error.message), leave(more), number, ...ofClass] };
  };

  /** Where the artifact finds the same thing in its own built-in modules: it never calls ours. */
  const libraryName = (part) => libraryNames.get(part) ?? null;

  /** An object of a class of the test may have a method of that name (`day.next()`): an iterator of a class can be iterated over. */
  const isIterator = (part) =>
    typeof part?.next === 'function' &&
    (classes.classOf(part) === null ||
      typeof (part[Symbol.iterator] ?? part[Symbol.asyncIterator]) === 'function');
  const leaveOther = (part) => {
    link.expected.use(part);
    link.live.use(part);
    const handle = handles.get(part);
    if (handle !== undefined) {
      // Who has it waits for it: here nobody need catch what it ends with.
      if (part instanceof Promise) part.catch(() => {});
      return handle;
    }
    const known = namesOfGlobals.get(part);
    if (known !== undefined) return { $global: known };
    const library = libraryName(part);
    if (library !== null) return { $library: library };
    if (pathOfIntrinsic(part) !== undefined) return { $intrinsic: pathOfIntrinsic(part) };
    if (typeof part === 'symbol') return leaveSymbol(part);
    if (classes.isOwn(part)) return { $class: classes.give(part) };
    if (typeof part === 'function') return leaveFunction(part);
    if (part instanceof Error) return leaveError(part);
    if (part instanceof Promise) {
      let number = promised.get(part);
      if (number === undefined) {
        count += 1;
        number = count;
        promised.set(part, number);
        const end = (tell) => {
          ended.push([number, tell]);
          // What waits for it continues as soon as it has ended, and not when the test waits next.
          link.letOn();
        };
        part.then(
          (value) => end(() => ({ returns: leave(value) })),
          (error) => {
            crossing(error);
            end(() => ({ throws: leaveThrown(error) }));
          },
        );
      }
      return { $later: number };
    }
    if (isIterator(part)) {
      if (Object.getPrototypeOf(part) === Object.prototype) return leaveRead(part);
      const told = [numberOf(part), steps.filter((name) => typeof part[name] === 'function')];
      return typeof part[Symbol.asyncIterator] === 'function'
        ? { $asyncIterator: told }
        : { $iterator: told };
    }
    if (classes.classOfPrototype(part) !== null)
      return { $prototype: classes.give(classes.classOfPrototype(part)) };
    if (part instanceof AbortSignal) return { $signal: link.signals.leave(part) };
    if (typeof part === 'object' && mayBeShown(part)) {
      const kind = classes.classOf(part);
      link.sites.noteGiven(part);
      const base = kind === null && isBased(part) ? leaveBase(part) : undefined;
      if (base !== undefined) return { $local: [numberOf(part), null, base] };
      return { $local: kind === null ? [numberOf(part)] : [numberOf(part), classes.give(kind)] };
    }
    throw new Unplain(`that holds a ${part?.constructor?.name ?? typeof part}`);
  };
  /** A plain object of which everything is asked for here. */
  const leaveRead = (part) => {
    link.sites.noteGiven(part);
    return { $local: [numberOf(part), null] };
  };
  /** The plain object from which another one inherits, as it leaves; undefined where it cannot. */
  const leaveBase = (part) => {
    try {
      return encode(Object.getPrototypeOf(part), leaveOther, own, other, again);
    } catch {
      return undefined;
    }
  };
  /** A function of the test, with what its text says: whether it uses what it is called on, and continues after it has returned. */
  const leaveFunction = (part) => {
    if (link.giving) parts.add(part);
    link.sites.noteGiven(part);
    const text = Function.prototype.toString.call(part);
    // A mock, which notes what it is called on.
    const isMock = text.endsWith('{ [native code] }') && !String(part.name).startsWith('bound ');
    const isArrow = /^(?:async\s*)?(?:\([^)]*\)|[\w$]+)\s*=>/.test(text);
    const usesThis = isMock || (/\bthis\b/.test(text) && !isArrow);
    const isAsync = tagOf(part) === 'AsyncFunction' || goingOn.test(text);
    const told = [numberOf(part), part.length, part.name, usesThis, isAsync];
    const held = leaveProperties(part);
    const isFrozen = Object.isFrozen(part);
    return { $callback: held.length > 0 || isFrozen ? [...told, held, isFrozen] : told };
  };
  /** Functions whose properties are leaving now: they may hold themselves. */
  const leaving = new Set();
  /** What a function of the test holds; nothing where that cannot cross. */
  const leaveProperties = (part) => {
    const held = leaving.has(part) ? [] : propertiesOf(part);
    if (held.length === 0) return held;
    leaving.add(part);
    try {
      return held.map(([name, value]) => [name, encode(value, leaveOther, own, other, again)]);
    } catch {
      return [];
    } finally {
      leaving.delete(part);
    }
  };
  const leaveSymbol = (part) => {
    if (Symbol.keyFor(part) !== undefined) return { $registered: Symbol.keyFor(part) };
    const number = numbersOfSymbols.get(part) ?? -numbersOfSymbols.size - 1;
    if (!symbols.has(number)) forget(() => symbols.delete(number));
    noteSymbol(number, part);
    return { $symbol: [number, part.description ?? ''] };
  };
  const noteSymbol = (number, part) => {
    symbols.set(number, part);
    numbersOfSymbols.set(part, number);
    return part;
  };
  /** The number of an array or plain object of the test; undefined beyond the most that are numbered. */
  const ownNumberOf = (part) => {
    if (!ownNumbers.has(part) && owned.size < maxOwned) {
      ownCount += 1;
      ownNumbers.set(part, ownCount);
      owned.set(ownCount, part);
      if (!link.isInTest()) sharedOwn.add(ownCount);
    }
    return ownNumbers.get(part);
  };
  const snapshots = createSnapshots((part) => handles.has(part));
  const own = (part, told) => {
    // One of the artifact's that comes back is the very same there: it may know it by that, or by what does not cross.
    const lent = ownNumbers.has(part) ? undefined : link.incoming.lentNumber(part);
    if (lent !== undefined) return { $lent: [lent, told] };
    const number = ownNumberOf(part);
    if (number !== undefined) snapshots.note(number, part);
    if (number === undefined) return told;
    const seals = Array.isArray(part) || told.$object || told.$bare ? sealsOf(part) : undefined;
    return { $own: seals === undefined || Object.isFrozen(part) ? [number, told] : [number, told, seals] };
  };
  /** A plain object that holds a function by which it is iterated, disposed of or converted. */
  const isEquipped = (part) =>
    !Array.isArray(part) &&
    [Object.prototype, null].includes(Object.getPrototypeOf(part)) &&
    ofLanguage.some((key) => typeof part[key] === 'function');
  const againOwn = (part) => {
    if (ownNumbers.has(part)) return { $own: [ownNumbers.get(part)] };
    const lent = link.incoming.arrivedNumber(part);
    if (lent === undefined) throw new Unplain('that contains itself');
    return { $lent: [lent] };
  };
  // The prototype of a class without a base looks like a plain object.
  const isOther = (part) =>
    handles.has(part) ||
    isEquipped(part) ||
    classes.classOfPrototype(part) !== null ||
    pathOfIntrinsic(part) !== undefined;
  /** True for a plain object of which functions of the test compute a property, or take what is set. */
  const isComputing = (part) =>
    Object.getPrototypeOf(part) === Object.prototype &&
    (types.isProxy(part) ||
      Object.keys(part).some((key) => !('value' in Reflect.getOwnPropertyDescriptor(part, key))));
  const other = (part) => {
    if (isOther(part)) return leaveOther(part);
    return isComputing(part) ? leaveRead(part) : undefined;
  };
  /** One within itself is told by its number. */
  const again = (part) => {
    const lent = ownNumbers.has(part) ? undefined : link.incoming.lentNumber(part);
    if (lent !== undefined) return { $lent: [lent] };
    const number = ownNumberOf(part);
    if (number === undefined) throw new Unplain('that contains itself');
    return { $own: [number] };
  };
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
  const otherRead = (part) => {
    if (isOther(part)) return leaveOther(part);
    if (Array.isArray(part) || !isReadThere(part)) return undefined;
    return leaveRead(part);
  };
  /** What cannot leave fails the test: an error that came out of the call would be what a test may expect of the artifact. */
  const leave = (part) => {
    try {
      return encode(part, leaveOther, own, other, again);
    } catch (error) {
      if (!(error instanceof Unplain))
        try {
          return encode(part, leaveOther, own, otherRead, again);
        } catch {
          // It cannot be read at all.
        }
      throw link.refuse(`gives the artifact a value ${error.message}, which cannot cross`);
    }
  };
  /** An array or plain object of the artifact that the test has changed. What it holds stands for itself: the artifact's, and the test's. */
  const leaveAgain = (part) =>
    encode(
      part,
      leaveOther,
      (each, told, level) => {
        const number = link.incoming.arrivedNumber(each);
        if (level > 0 && number !== undefined) return { $lent: [number, told] };
        return level > 0 || ownNumbers.has(each) ? own(each, told) : told;
      },
      other,
      againOwn,
    );
  /** What an argument of a function of the test holds; null where the test cannot change it. */
  const outline = (part) => {
    if (typeof part !== 'object' || part === null || handles.has(part)) return null;
    try {
      const held = encode(
        part,
        (each) => handles.get(each) ?? null,
        undefined,
        (each) => handles.get(each),
        (each, within) => [...within].indexOf(each),
      );
      return JSON.stringify(held);
    } catch {
      return null;
    }
  };
  /** Notes the functions and objects of the test in values that leave now or later. */
  const noteGiven = (values) => {
    const walk = (part, depth) => {
      if (Object(part) !== part || handles.has(part) || namesOfGlobals.has(part) || depth > 8) return;
      const parent = Object.getPrototypeOf(part);
      const within = (parts) => {
        for (const each of parts) walk(each, depth + 1);
      };
      if (Array.isArray(part)) within(part);
      else if (parent === Map.prototype) within([...part].flat());
      else if (parent === Set.prototype) within(part);
      else if (parent !== Object.prototype && parent !== null) link.sites.noteGiven(part);
      else within(Object.values(Object.getOwnPropertyDescriptors(part)).map(({ value }) => value));
    };
    if (link.sites.isGuided) link.sites.giving(null, () => walk(values, 0));
  };
  /** The stack ends here earlier than in one process: that is no error which the test or the artifact may expect. */
  const asTooDeep = (error) =>
    isStackEnd(error, link.nested())
      ? link.refuse('has too many calls of the artifact within one another')
      : error;
  const leaveThrown = (error) =>
    error instanceof Error && !link.remote.isObject(error) ? leaveError(error) : leave(error);

  /** Names of an object that the artifact may see: of a class, and of an object that is of no class of the test, none that are private. */
  const isOpen = (part, name) => {
    return !forbiddenNames.has(name) && (isListed(part) || !name.startsWith('_'));
  };
  /** The function under a name, called on the object that holds it. */
  const boundOf = (part, key) => {
    const known = methodNames.get(part) ?? new Map();
    methodNames.set(part, known);
    if (!known.has(key)) known.set(key, part[key].bind(part));
    return known.get(key);
  };
  const readLocal = (part, key) => {
    const value = part[key];
    if (typeof value !== 'function' || handles.has(value)) return value;
    // Functions of its class are sent what they are called on.
    const isSent =
      classes.isOwn(value) || classes.classOf(part) !== null || pathOfIntrinsic(value) !== undefined;
    return isSent ? value : boundOf(part, key);
  };
  /**
   * True where the artifact may set a property of an object of the test: one that is no method of the test's class, and that then answers neither
   * by the artifact's word nor for a plain value's methods.
   */
  const mayReplace = (part, key, value) => {
    const old = part[key];
    if (typeof old !== 'function' || handles.has(old)) return true;
    const name = nameOfKey(key);
    if (link.sites.isGuided) return link.sites.allowsInTest(`replaces ${name}`);
    const isOfTest = typeof value === 'function' && !handles.has(value);
    return (
      Object.hasOwn(part, key) &&
      (typeof value !== 'function' || (isOfTest && link.remote.isBelieved(name, { isPart: true })))
    );
  };
  /** True for an object whose properties the artifact sees. */
  const isListed = (part) =>
    classes.classOf(part) !== null || isBased(part) || Object.getPrototypeOf(part) === Object.prototype;
  /** The class of the test of which the artifact makes an object now; null for none. */
  let makingFor = null;
  /** What the artifact asks of an object or a class of the test. */
  const localActions = {
    get: (part, key) => readLocal(part, key),
    has: (part, key) => key in part,
    set(part, key, [value]) {
      if (classes.isOwn(part)) throw link.refuse(`changes ${part.name}.${String(key)}, which is the test's`);
      if (!mayReplace(part, key, value))
        throw link.refuse(`replaces ${String(key)}() of an object of the test; a reference allows it`);
      return Reflect.set(part, key, value);
    },
    // Only of an object whose properties it sees.
    delete: (part, key) => isListed(part) && Reflect.deleteProperty(part, key),
    freeze: (part) => isListed(part) && Object.isFrozen(Object.freeze(part)),
    own(part, key) {
      const found = Reflect.getOwnPropertyDescriptor(part, key);
      if (found === undefined) return null;
      // A getter of a plain object runs where the artifact reads the property.
      const isComputed = found.get !== undefined && classes.classOf(part) === null;
      return isComputed ? [undefined, found.enumerable, true] : [readLocal(part, key), found.enumerable];
    },
    keys: (part) =>
      Reflect.ownKeys(part).flatMap((key) => {
        const name = nameOfKey(key);
        return name !== undefined && isOpen(part, name) ? [name] : [];
      }),
    step: (part, key, args) => (steps.includes(key) ? part[key](...args) : undefined),
    class: (part) => classes.tell(part),
    new(part, _key, args) {
      makingFor = part;
      try {
        return Reflect.construct(part, args);
      } finally {
        // A constructor that throws has made nothing.
        makingFor = null;
      }
    },
  };
  const ofClasses = new Set(['class', 'new']);
  const serveLocal = ([number, action, name], args) => {
    const part = given.get(number);
    const isOfClass = ofClasses.has(action);
    if (part === undefined || typeof name !== 'string' || !Object.hasOwn(localActions, action))
      return lie('an object that was not given');
    if (isOfClass && !classes.isOwn(part)) return lie('a class that was not given');
    if (!isOpen(part, name)) return action === 'own' ? null : undefined;
    return localActions[action](part, keyOfName(name), args);
  };

  return {
    leave,
    numberOf,
    noteGiven,
    leaveAgain,
    outline,
    /** What the test has changed in values that the artifact was given, as it leaves. */
    takeChanged: () => snapshots.changed().map(([, part]) => leave(part)),
    hasChanged: () => snapshots.changed().length > 0,
    /** Notes that what the artifact has changed in them has arrived. */
    noteUpdated: () => snapshots.refresh(),
    /**
     * The number of what a function of the artifact is called on: it may hand that back, and learns nothing of it. A row of a table of tests holds
     * the function as well as what is expected of it. Undefined for what is no object of the test.
     */
    numberOfSelf(part) {
      if (typeof part !== 'object' || part === null || handles.has(part) || !mayBeShown(part))
        return undefined;
      if (!selfNumbers.has(part)) {
        count += 1;
        selfNumbers.set(part, count);
      }
      const number = selfNumbers.get(part);
      if (!selves.has(number)) forget(() => selves.delete(number));
      selves.set(number, part);
      return number;
    },
    /** What a function of the artifact was called on in the running test. */
    self: (number) => selves.get(number),
    /** Runs a function of the test for the artifact, or reads an object of it. */
    serve(request) {
      const { arrive } = link.incoming;
      const { sites } = link;
      if (request.local !== undefined) {
        const [number, action, name] = request.local;
        const owner = given.get(number);
        const place = `${sites.keyOfObject(owner)}.${name}`;
        // Functions of classes are known by what they are called on.
        const isOfClass = action === 'class' || (Object(owner) === owner && classes.classOf(owner) !== null);
        const giving = (work) => sites.giving(isOfClass ? 'class' : place, work, !isOfClass);
        try {
          const found = sites.running(place, () =>
            serveLocal(
              request.local,
              // An array that the artifact sets stays the same one there.
              request.args.map((value, index) =>
                link.incoming.arriveLent('set', { value, lent: request.lent?.[index] }),
              ),
            ),
          );
          // What a class is says nothing that a later test expects.
          if (action === 'class') return { returns: giving(() => encode(found, leaveOther)) };
          return { returns: giving(() => leave(over.has(number) ? undefined : found)) };
        } catch (error) {
          return { throws: leaveThrown(error) };
        }
      }
      const callback = given.get(request.callback);
      if (callback === undefined) return lie('a call-back that was not given');
      try {
        const { lent = [] } = request;
        const calledOn = given.get(Object(request.self).$local);
        const key = sites.keyOf(callback, calledOn);
        const numbers = sites.numbersOf(callback, calledOn);
        const args = link.incoming.arriveAs(parts.has(callback) ? { isPart: true } : {}, () =>
          request.args.map((value, index) => {
            // Nothing is no visit: a call with it must not move the others.
            if (isNothing(value)) return arrive(value);
            return sites.receiving(key, `${numbers} ${besides(request.args, index)}`, index, () =>
              link.incoming.arriveLent('argument', { value, lent: lent[index] }),
            );
          }),
        );
        const before = args.map(outline);
        /** What the function has changed in what it was given: also where it throws. */
        const changed = () => {
          const found = args.flatMap((arg, index) =>
            before[index] === outline(arg) ? [] : [[index, leaveAgain(arg)]],
          );
          return found.length === 0 ? {} : { args: found };
        };
        // What a function is called on is an object.
        const self =
          request.self === undefined
            ? undefined
            : link.incoming.arriveAs({ isPart: true }, () => arrive(request.self));
        let found;
        try {
          found = sites.running(key, () => callback.apply(self, args));
        } catch (error) {
          crossing(error);
          return { throws: leaveThrown(asTooDeep(error)), ...changed() };
        }
        const more = changed();
        // A function of an earlier test may still be told something; an answer could be one that a later test expects.
        const returns = sites.giving(`${key}>`, () => leave(over.has(request.callback) ? undefined : found));
        return { returns, ...more };
      } catch (error) {
        crossing(error);
        return { throws: leaveThrown(asTooDeep(error)) };
      }
    },
    /** Something of the test's own that the artifact answers, in a list; null for what was not given. */
    given: (number) =>
      given.has(number) ? [over.has(number) ? Symbol('of an earlier test') : given.get(number)] : null,
    /** True once for a class of which the artifact, and not the test, makes an object now. */
    takeMaking(kind) {
      const isMaking = makingFor === kind;
      makingFor = null;
      return isMaking;
    },
    /** A class of the test as it leaves; null for any other. */
    leaveClass: (kind) => (classes.isOwn(kind) ? { $class: classes.give(kind) } : null),
    /** True for the prototype of a class of the test. */
    isPrototype: (part) => part !== null && classes.classOfPrototype(part) !== null,
    /** True for an object of a class of the test. */
    isOfTest: (part) => Object(part) === part && !handles.has(part) && classes.classOf(part) !== null,
    /** An object of the test that a function is called on which the artifact has given its class, as it leaves; undefined for any other. */
    selfOf: (part, called) =>
      typeof part === 'object' && part !== null && classes.classOf(part) !== null && classes.isPut(called)
        ? leave(part)
        : undefined,
    /** A class of the test, also of an earlier one; null for what is none. */
    classOf: (number) => (classes.isOwn(given.get(number)) ? given.get(number) : null),
    /** Gives classes of the test what the artifact has given its own. */
    changeClasses(changed) {
      for (const [number, ofPrototype, name, told] of changed) {
        const kind = given.get(number);
        if (!classes.isOwn(kind) || typeof name !== 'string') return lie('a class that was not given');
        const part = ofPrototype === true ? kind.prototype : kind;
        const key = keyOfName(name);
        const value = link.incoming.arrive(told);
        const shown = `${kind.name}${ofPrototype === true ? '.prototype' : ''}.${name}`;
        const isOpenName =
          !forbiddenNames.has(name) && !/^@@|^then$/.test(name) && !Object.hasOwn(Object.prototype, key);
        // Objects of the class would show a value in the place of what they lack.
        const isOwnWord =
          typeof value === 'function'
            ? link.remote.isBelieved(name, { isPart: true })
            : ofPrototype !== true && Object(value) !== value;
        const isHarmless = !link.sites.isGuided && isOpenName && isOwnWord && classes.isFree(part, key);
        if (!isHarmless && !link.sites.allowsInTest(`gives ${shown}`))
          throw link.refuse(`gives ${shown} what the test's class has not; a reference allows it`);
        classes.put(part, key, value);
      }
    },
    /** Gives functions of the test the properties that the artifact has given its own. */
    changeFunctions(changed) {
      for (const [number, name, ...told] of changed) {
        const part = given.get(number);
        if (typeof part !== 'function' || classes.isOwn(part)) return lie('a function that was not given');
        const key = keyOfName(name);
        // What every function has would be the artifact's word.
        const isOpenName =
          !forbiddenNames.has(name) &&
          !/^@@|^(?:then|toJSON|mock)$/.test(name) &&
          !(key in Function.prototype);
        if (!isOpenName && !link.sites.allowsInTest(`gives function ${part.name}.${name}`))
          throw link.refuse(
            `gives ${part.name}.${name} what the test's function has not; a reference allows it`,
          );
        if (told.length === 0) Reflect.deleteProperty(part, key);
        else {
          const value = link.incoming.arriveLent(`function ${number} ${name}`, {
            value: told[0],
            lent: told[1],
          });
          const isOther = typeof value === 'function' && handles.has(value);
          const isOpen = !isOther || link.remote.isBelieved(name, { isPart: true });
          Reflect.set(part, key, isOpen ? value : link.remote.refusing(name));
        }
      }
    },
    /** A symbol of the test, or the artifact's, which is the same each time. */
    symbolOf(number, description) {
      const made = symbols.get(number) ?? Symbol(description);
      // One of an earlier test is another each time.
      return number > 0 ? noteSymbol(number, made) : made;
    },
    /** Notes an error that the artifact has thrown. */
    noteThrown: (error, number) => thrown.set(error, { number, held: heldBy(error) }),
    /** The number of an error that the artifact has thrown; undefined for any other. */
    thrownNumber: (error) => thrown.get(error)?.number,
    /** An error of the running test by its number. */
    errorOf: (number) => errors.get(number),
    /** An array or plain object of the running test by its number. */
    owned: (number) => owned.get(number),
    /** Ends of promises that the artifact has not been told yet. */
    takeEnded: () => ended.splice(0).map(([number, tell]) => [number, tell()]),
    /** True while the artifact may call back or wait for a promise. */
    isAwaited: () => ended.length > 0 || given.size > 0,
    /** Forgets what the last test gave. Returns the numbers that its arrays and plain objects had. */
    beginTest() {
      assertion = null;
      for (const each of forgetting) each();
      forgetting = [];
      for (const number of running) over.add(number);
      running.clear();
      const lasting = new Set(snapshots.lastPlain(maxLasting));
      const forgotten = [...owned].filter(([number]) => !sharedOwn.has(number) && !lasting.has(number));
      for (const [number, part] of forgotten) {
        ownNumbers.delete(part);
        owned.delete(number);
        snapshots.forget(number);
      }
      return forgotten.map(([number]) => number);
    },
    /** An error of the artifact has this text: one that hides an assertion of the test repeats its text. */
    noteError(message) {
      if (message === assertion?.slice(0, maxMessage)) assertion = null;
    },
    /** The text of an assertion of the running test that failed within the artifact and did not come out; null for none. */
    hiddenAssertion: () => assertion,
  };
}
