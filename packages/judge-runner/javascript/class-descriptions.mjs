/* Descriptions of the artifact's classes: their names, bases, methods, and how they make objects. */
import { makingOf, makingOfFunction, withPrototypes } from './making.mjs';
import { isClass, libraryOf, nameOfKey, namesOfGlobals } from './values.mjs';

/** Longest name, in characters. */
const maxName = 200;
/** Most bases of a class that are described, one behind the other. */
const maxBases = 20;
const sourceOf = Function.prototype.toString;

/** The name of a class or function, as long as a message may hold it. */
export const shownName = ({ name }) => String(name ?? '').slice(0, maxName);

/** True for a function of the older kind that makes objects: they have methods, or it is named as a class and sets what they hold. */
export function isOlderClass(part) {
  const text = sourceOf.call(part);
  const held = Reflect.getOwnPropertyDescriptor(part, 'prototype')?.value;
  if (!/^function\b(?!\s*\*)/.test(text) || Object(held) !== held) return false;
  const isBare = Object.getPrototypeOf(held) === Object.prototype && Reflect.ownKeys(held).length <= 1;
  return !isBare || (/^[A-Z]/.test(shownName(part)) && /\bthis\./.test(text));
}

/** Methods that a class defines: errors have them, and classes of the test that extend it call them. */
export const methodsOf = ({ prototype }) =>
  Reflect.ownKeys(prototype ?? {}).flatMap((key) => {
    const name = nameOfKey(key);
    const { value } = Reflect.getOwnPropertyDescriptor(prototype, key);
    return typeof value === 'function' && name !== undefined && name !== 'constructor'
      ? [name.slice(0, maxName)]
      : [];
  });
/** True for a class that answers `instanceof` by a function of its own, or of a class that it extends. */
function answersInstanceof(kind) {
  for (let each = kind; each !== null && each !== Function.prototype; each = Object.getPrototypeOf(each))
    if (Object.hasOwn(each, Symbol.hasInstance)) return true;
  return false;
}
/** What functions compute on a class's objects, as `[name, is read, is set]`. */
export const accessorsOf = ({ prototype }) =>
  Reflect.ownKeys(prototype ?? {}).flatMap((key) => {
    const name = nameOfKey(key);
    const { get, set } = Reflect.getOwnPropertyDescriptor(prototype, key);
    const isAccessor = (get ?? set) !== undefined && name !== undefined && name !== '__proto__';
    return isAccessor ? [[name, get !== undefined, set !== undefined]] : [];
  });

/** What a class of promises has, and whether what waits for one of them is of this class as well. */
function ofPromises(kind) {
  let derives = false;
  try {
    derives = kind[Symbol.species] === kind;
  } catch {
    // It throws where the class is waited for.
  }
  return { methods: methodsOf(kind), accessors: accessorsOf(kind), derives };
}

/** What the language finds as the constructor of an object, without running a getter; null where it would run one. */
function constructorSaid(part) {
  for (let each = part; each !== null; each = Object.getPrototypeOf(each)) {
    const shape = Reflect.getOwnPropertyDescriptor(each, 'constructor');
    if (shape !== undefined) return 'value' in shape ? (shape.value ?? undefined) : null;
  }
  return undefined;
}

/** @param link the connection, as `objects.mjs` makes it */
export function createClassDescriptions(link) {
  const makings = new WeakMap();
  /** Functions that have left, by their prototypes: one of those may name no constructor. */
  const functions = new WeakMap();
  /** The class whose prototype an object inherits from first, and not one that another object claims as its constructor. */
  const constructorOf = (part) => {
    for (let each = Object.getPrototypeOf(part); each !== null; each = Object.getPrototypeOf(each)) {
      const own = Reflect.getOwnPropertyDescriptor(each, 'constructor')?.value;
      const kind = [own, functions.get(each)].find(
        (known) => typeof known === 'function' && known.prototype === each,
      );
      if (kind !== undefined) return kind;
    }
    return null;
  };
  /** How a class or function makes objects, worked out once: many objects of one class may be answered. */
  const makingFor = (kind, read) => {
    if (!makings.has(kind)) makings.set(kind, read(sourceOf.call(kind)));
    return makings.get(kind);
  };

  /** The class that a class extends, or a function of the older kind by its prototype; of the language's own, such a function extends errors, arrays and promises. */
  const parentOf = (kind) => {
    const parent = Object.getPrototypeOf(kind);
    if (parent !== Function.prototype || !Object.hasOwn(kind, 'prototype')) return parent;
    if (Object(kind.prototype) !== kind.prototype) return parent;
    const found = constructorOf(kind.prototype);
    const isOther = found !== null && found !== kind && namesOfGlobals.has(found);
    return found === kind ||
      (isOther && !(found.prototype instanceof Error || [Error, Array, Promise].includes(found)))
      ? parent
      : found;
  };
  /** True while a constructor is described that an object or a prototype names. */
  let isNaming = false;
  /** Tells the `constructor` of an object or a prototype where it is not its class: a prototype that was replaced may name another class, or none. */
  const makerOf = (part, kind) => {
    const said = constructorSaid(part);
    if (said === null || said === kind) return {};
    // Two classes may name each other.
    if (typeof said !== 'function' || isNaming) return { maker: null };
    isNaming = true;
    try {
      return { maker: link.encoding.encode(said) };
    } finally {
      isNaming = false;
    }
  };
  const describe = (kind, level = 0) => {
    const given = link.received.numberOf(kind);
    if (given !== undefined) return { given };
    const library = libraryOf(kind);
    if (library !== null) return { library };
    const parent = parentOf(kind);
    const known = namesOfGlobals.get(parent);
    const base =
      known ??
      (typeof parent === 'function' && parent !== Function.prototype && level < maxBases
        ? describe(parent, level + 1)
        : null);
    return {
      ...{ id: link.numbers.numberOf(kind), kind: 'class', name: shownName(kind) },
      base,
      making: withPrototypes(makingFor(kind, isClass(kind) ? makingOf : makingOfFunction), kind),
      ...(isClass(kind) ? {} : { older: true }),
      ...(answersInstanceof(kind) ? { instances: true } : {}),
      ...(kind.prototype instanceof Error ? { methods: methodsOf(kind) } : {}),
      ...(kind.prototype instanceof Promise ? ofPromises(kind) : {}),
      ...(Object(kind.prototype) === kind.prototype ? makerOf(kind.prototype, kind) : {}),
    };
  };

  return {
    describe,
    constructorOf,
    /** The `constructor` of an object, as it is told with the object, where it is not that of its class. */
    makerOf(part) {
      const kind = constructorOf(part);
      return kind === null ? {} : makerOf(part, constructorSaid(kind.prototype));
    },
    /** Notes a function that leaves, of which objects may inherit. */
    noteFunction(part) {
      const held = Reflect.getOwnPropertyDescriptor(part, 'prototype')?.value;
      if (Object(held) === held) functions.set(held, part);
    },
    /** How a function makes objects that is called with `new`; null where its text does not show it. */
    makingOfFunction: (part) => makingFor(part, makingOfFunction),
    /** The class of an object, described; null for an object of none. */
    ofObject(part) {
      const kind = constructorOf(part);
      if (kind === null) return null;
      return (
        namesOfGlobals.get(kind) ?? (isClass(kind) || kind.prototype !== undefined ? describe(kind) : null)
      );
    },
  };
}
