/* Classes of a test on their way to the artifact, which gets real ones of the same name, bases, methods and attributes. */
import { classWith } from './handles.mjs';
import { isClassText, libraryOf, nameOfKey, namesOfGlobals } from './values.mjs';

const sourceOf = Function.prototype.toString;
/** What every class has by itself. */
const ofEveryClass = new Set(['length', 'name', 'prototype', 'arguments', 'caller']);
/** True for a function that a `class` statement has made, or one of the older kind whose objects have methods. */
function isClass(part, source) {
  if (isClassText(source)) return true;
  const { prototype } = part;
  if (Object(prototype) !== prototype || !Object.hasOwn(prototype, 'constructor')) return false;
  return Reflect.ownKeys(prototype).length > 1 || Object.getPrototypeOf(prototype) !== Object.prototype;
}

/** True for an object that has a function itself. */
const holdsItself = (part, called) =>
  Object.values(Object.getOwnPropertyDescriptors(part)).some(({ value }) => value === called);
/** True for an object whose classes have a function among what their objects share. */
function inherits(part, called) {
  for (let each = Object.getPrototypeOf(part); each !== null; each = Object.getPrototypeOf(each))
    if (Reflect.ownKeys(each).some((key) => Reflect.getOwnPropertyDescriptor(each, key).value === called))
      return true;
  return false;
}

/**
 * @param isOther true for what is no class of the test: stand-ins of the artifact's, and what both boxes have
 * @param isRemote true for a class of the artifact
 * @param numberOf the number under which a function or class is given
 * @param texts the files of the suite
 */
export function createGivenClasses({ isOther, isRemote, numberOf, texts }) {
  const known = new WeakMap();
  /** Functions in the bodies of classes that were given. */
  const bodies = new WeakMap();
  /** Names that the artifact has given classes of the test. */
  const added = new WeakMap();

  /** True for a class whose bases are classes of the test or the artifact, or such as both boxes have. */
  const isOwn = (kind) => {
    if (typeof kind !== 'function' || isOther(kind)) return false;
    if (!known.has(kind)) {
      const base = Object.getPrototypeOf(kind);
      const isShared =
        base === Function.prototype || namesOfGlobals.has(base) || libraryOf(base) !== null || isRemote(base);
      const source = sourceOf.call(kind);
      // Node has classes of its own, which objects lead to: those of the test are written in its files.
      const isWritten = () => texts.some((text) => text.includes(source));
      known.set(kind, isClass(kind, source) && (isShared || isOwn(base)) && isWritten());
    }
    return known.get(kind);
  };
  const isMethod = (part) => typeof part === 'function' && !isOwn(part) && !isOther(part);
  /** The class that a class extends, or in the older way inherits from by its prototype; null for none. */
  const baseOf = (kind) => {
    const base = Object.getPrototypeOf(kind);
    if (base !== Function.prototype) return base;
    const older = classWith(Object.getPrototypeOf(kind.prototype));
    return isRemote(older) || isOwn(older) ? older : null;
  };
  const inBody = (kind, part) => {
    bodies.get(kind).add(part);
    return part;
  };
  /** The body of a class as `[name, what it is, what it holds]`. */
  const membersOf = (kind) =>
    Reflect.ownKeys(kind.prototype).flatMap((key) => {
      const name = nameOfKey(key);
      const { value, get, set } = Reflect.getOwnPropertyDescriptor(kind.prototype, key);
      if (name === undefined || key === 'constructor') return [];
      if (isMethod(value)) return [[name, 'method', inBody(kind, value)]];
      if (get !== undefined || set !== undefined)
        return [
          [name, 'accessor', [get, set].map((each) => (each === undefined ? null : inBody(kind, each)))],
        ];
      // What its objects share is asked for where it is no plain value.
      return Object(value) === value ? [] : [[name, 'value', value]];
    });
  /** What the class itself has: values are asked for. */
  const staticsOf = (kind) =>
    Reflect.ownKeys(kind).flatMap((key) => {
      const name = nameOfKey(key);
      const { value, enumerable } = Reflect.getOwnPropertyDescriptor(kind, key);
      if (name === undefined || ofEveryClass.has(key) || name.startsWith('_')) return [];
      return [isMethod(value) ? [name, 'method', inBody(kind, value)] : [name, 'value', enumerable]];
    });

  return {
    isOwn,
    /** The class of an object of the test, where it is one of the test; null for any other. */
    classOf(part) {
      const kind = Object.getPrototypeOf(part)?.constructor;
      return isOwn(kind) && kind.prototype === Object.getPrototypeOf(part) ? kind : null;
    },
    /** The class whose prototype this is; null for any other object. */
    classOfPrototype: (part) =>
      Object.hasOwn(part, 'constructor') && isOwn(part.constructor) && part.constructor.prototype === part
        ? part.constructor
        : null,
    /** Gives a class and its bases, with the functions in their bodies: those of an earlier test may be called again. */
    give(kind) {
      for (let each = kind; isOwn(each); each = Object.getPrototypeOf(each))
        for (const part of [each, ...(bodies.get(each) ?? [])]) numberOf(part);
      return numberOf(kind);
    },
    /** What the artifact is told of a class when it first asks. */
    tell(kind) {
      if (!bodies.has(kind)) bodies.set(kind, new Set());
      return [...[kind.name, kind.length, baseOf(kind)], ...[membersOf(kind), staticsOf(kind)]];
    },
    /** True for a name that the artifact may give a class or its objects: the test has written nothing there. */
    isFree(part, key) {
      return !(key in part) || added.get(part)?.has(key) === true;
    },
    /** Gives a class, or its prototype, what the artifact has given its own. */
    put(part, key, value) {
      if (!added.has(part)) added.set(part, new Set());
      added.get(part).add(key);
      const { enumerable = true } = Reflect.getOwnPropertyDescriptor(part, key) ?? {};
      Object.defineProperty(part, key, { value, writable: true, enumerable, configurable: true });
    },
    /**
     * True for a function of the artifact that it, or the test, has put in the class of an object. One that the object itself holds may be what the test
     * tries, beside what is expected of it.
     */
    isMethod: (part, called) => inherits(part, called) && !holdsItself(part, called),
  };
}

/** The class of both boxes that an error of the test is made of. */
export function globalNameOf(error) {
  if (error instanceof DOMException) return 'DOMException';
  for (let kind = error?.constructor; typeof kind === 'function'; kind = Object.getPrototypeOf(kind))
    if (namesOfGlobals.has(kind)) return namesOfGlobals.get(kind);
  return 'Error';
}
