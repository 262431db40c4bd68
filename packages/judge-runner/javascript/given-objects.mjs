/*
 * Objects and classes of the test that the artifact was given: what it may read of them and change in them, and what its functions are called on. They
 * stay in the tester's box, where everything is asked for.
 */
import { types } from 'node:util';
import { handles } from './handles.mjs';
import { pathOfIntrinsic } from './intrinsics.mjs';
import { keyOfName, nameOfKey, timeIn, toldBySymbolName } from './values.mjs';

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
/** What an iterator may have. */
export const steps = ['next', 'return', 'throw'];

/** True for a name under which the artifact never sees or sets anything: what it leads to is no object of the test. */
export const isForbidden = (name) => forbiddenNames.has(name);

/**
 * True for an object that inherits from a plain one, as `Object.create(base)` makes it.
 *
 * @param isLive true for a plain object of the artifact
 */
export function isBased(part, isLive) {
  let base = Object.getPrototypeOf(part);
  if (base === null || base === Object.prototype || typeof part === 'function') return false;
  for (; base !== null && base !== Object.prototype; base = Object.getPrototypeOf(base)) {
    if (isLive(base)) return true;
    if (
      typeof base !== 'object' ||
      handles.has(base) ||
      types.isProxy(base) ||
      Object.hasOwn(base, 'constructor')
    )
      return false;
  }
  return true;
}

/** True for instances of classes of the suite and for events: nothing that leads out of the test. */
export function mayBeShown(part) {
  if (part === globalThis || part === process || types.isModuleNamespaceObject(part)) return false;
  for (let kind = Object.getPrototypeOf(part); kind !== null; kind = Object.getPrototypeOf(kind)) {
    const name = kind.constructor?.name;
    if (['Socket', 'Server', 'ReadStream', 'WriteStream', 'ChildProcess', 'Worker', 'Module'].includes(name))
      return false;
  }
  return true;
}

/**
 * @param link the connection, as `proxy.mjs` makes it
 * @param given `numbers` of what the test has given, and its `classes`
 */
export function createGivenObjects(link, { numbers, classes }) {
  const methods = new WeakMap();
  /** What functions of the artifact were called on, by number. */
  const selves = new Map();
  const selfNumbers = new WeakMap();
  /** The class of the test of which the artifact makes an object now; null for none. */
  let makingFor = null;

  /** True for an object whose properties the artifact sees. */
  const isListed = (part) =>
    classes.classOf(part) !== null ||
    isBased(part, link.live.isLive) ||
    link.remote.baseOf(part) !== undefined ||
    Object.getPrototypeOf(part) === Object.prototype;
  /** Names of an object that the artifact may see: of a class, and of an object that is of no class of the test, none that are private. */
  const isOpen = (part, name) => !isForbidden(name) && (isListed(part) || !name.startsWith('_'));
  /** The function under a name, called on the object that holds it. */
  const boundOf = (part, key) => {
    const known = methods.get(part) ?? new Map();
    methods.set(part, known);
    if (!known.has(key)) known.set(key, part[key].bind(part));
    return known.get(key);
  };
  const read = (part, key) => {
    const value = part[key];
    if (typeof value !== 'function' || handles.has(value)) return value;
    // The artifact has the methods of its own classes.
    if (link.remote.isMethodOfBase(value)) return undefined;
    // Functions of its class, or of a plain object, are sent what they are called on.
    const isSent = classes.isOwn(value) || isListed(part) || pathOfIntrinsic(value) !== undefined;
    return isSent ? value : boundOf(part, key);
  };
  /**
   * True where the artifact may set a property of an object of the test: one that is no method of the test's class, and that then answers neither
   * by the artifact's word nor for a plain value's methods.
   */
  const mayReplace = (part, key, value) => {
    const old = part[key];
    if (typeof old !== 'function' || handles.has(old) || link.remote.isMethodOfBase(old)) return true;
    const name = nameOfKey(key);
    if (link.sites.isGuided) return link.sites.allowsInTest(`replaces ${name}`);
    const isOfTest = typeof value === 'function' && !handles.has(value);
    return (
      Object.hasOwn(part, key) &&
      (typeof value !== 'function' || (isOfTest && link.remote.isBelieved(name, { isPart: true })))
    );
  };
  /** What the artifact asks of an object or a class of the test. */
  const actions = {
    get: (part, key) => read(part, key),
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
      return isComputed ? [undefined, found.enumerable, true] : [read(part, key), found.enumerable];
    },
    keys: (part) =>
      Reflect.ownKeys(part).flatMap((key) => {
        const name = nameOfKey(key);
        return name !== undefined && isOpen(part, name) ? [name] : [];
      }),
    step: (part, key, args) => (steps.includes(key) ? part[key](...args) : undefined),
    class: (part) => classes.tell(part),
    // The time of a date of a class of the test, which the artifact makes itself.
    time: (part, _key, args) => timeIn(Reflect.construct(part, args)),
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
  const ofClasses = new Set(['class', 'new', 'time']);
  /** The key of a property by the name that the artifact gives: of one of its symbols, that symbol. */
  const keyOf = (name) => {
    const told = toldBySymbolName(name);
    if (told === null) return keyOfName(name);
    return '$registered' in told ? Symbol.for(told.$registered) : numbers.symbolOf(...told.$symbol);
  };

  return {
    /** Does to an object or a class of the test what the artifact asks. */
    perform([number, action, name], args) {
      const part = numbers.partOf(number);
      const isOfClass = ofClasses.has(action);
      if (part === undefined || typeof name !== 'string' || !Object.hasOwn(actions, action))
        return link.lie('an object that was not given');
      if (isOfClass && !classes.isOwn(part)) return link.lie('a class that was not given');
      if (!isOpen(part, name)) return action === 'own' ? null : undefined;
      return actions[action](part, keyOf(name), args);
    },
    /** True once for a class of which the artifact, and not the test, makes an object now. */
    takeMaking(kind) {
      const isMaking = makingFor === kind;
      makingFor = null;
      return isMaking;
    },
    /**
     * The number of what a function of the artifact is called on: it may hand that back, and learns nothing of it. A row of a table of tests holds
     * the function as well as what is expected of it. Undefined for what is no object of the test.
     */
    numberOfSelf(part) {
      if (typeof part !== 'object' || part === null || handles.has(part) || !mayBeShown(part))
        return undefined;
      if (!selfNumbers.has(part)) selfNumbers.set(part, numbers.next());
      const number = selfNumbers.get(part);
      if (!selves.has(number)) numbers.forget(() => selves.delete(number));
      selves.set(number, part);
      return number;
    },
    /** What a function of the artifact was called on in the running test. */
    self: (number) => selves.get(number),
  };
}
