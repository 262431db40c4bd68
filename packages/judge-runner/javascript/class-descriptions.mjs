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

/** Methods that a class defines: errors have them, and classes of the test that extend it call them. */
export const methodsOf = ({ prototype }) =>
  Reflect.ownKeys(prototype ?? {}).flatMap((key) => {
    const name = nameOfKey(key);
    const { value } = Reflect.getOwnPropertyDescriptor(prototype, key);
    return typeof value === 'function' && name !== undefined && name !== 'constructor'
      ? [name.slice(0, maxName)]
      : [];
  });
/** What functions compute on a class's objects, as `[name, is read, is set]`. */
export const accessorsOf = ({ prototype }) =>
  Reflect.ownKeys(prototype ?? {}).flatMap((key) => {
    const name = nameOfKey(key);
    const { get, set } = Reflect.getOwnPropertyDescriptor(prototype, key);
    const isAccessor = (get ?? set) !== undefined && name !== undefined && name !== '__proto__';
    return isAccessor ? [[name, get !== undefined, set !== undefined]] : [];
  });

/** The class whose prototype an object inherits from first, and not one that another object claims as its constructor. */
const constructorOf = (part) => {
  let each = Object.getPrototypeOf(part);
  for (; each !== null; each = Object.getPrototypeOf(each)) {
    const kind = Reflect.getOwnPropertyDescriptor(each, 'constructor')?.value;
    if (typeof kind === 'function' && kind.prototype === each) return kind;
  }
  return null;
};

/** @param link the connection, as `objects.mjs` makes it */
export function createClassDescriptions(link) {
  const makings = new WeakMap();
  /** How a class or function makes objects, worked out once: many objects of one class may be answered. */
  const makingFor = (kind, read) => {
    if (!makings.has(kind)) makings.set(kind, read(sourceOf.call(kind)));
    return makings.get(kind);
  };

  const describe = (kind, level = 0) => {
    const given = link.received.numberOf(kind);
    if (given !== undefined) return { given };
    const library = libraryOf(kind);
    if (library !== null) return { library };
    const parent = Object.getPrototypeOf(kind);
    const known = namesOfGlobals.get(parent);
    const base =
      known ??
      (typeof parent === 'function' && parent !== Function.prototype && level < maxBases
        ? describe(parent, level + 1)
        : null);
    return {
      ...{ id: link.numbers.numberOf(kind), kind: 'class', name: shownName(kind) },
      base,
      making: isClass(kind) ? withPrototypes(makingFor(kind, makingOf), kind) : null,
      ...(kind.prototype instanceof Error ? { methods: methodsOf(kind) } : {}),
    };
  };

  return {
    describe,
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
