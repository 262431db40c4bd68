/* Classes of the test as the artifact sees them: real ones, whose methods run in the tester's box and whose objects are made there. */
import { inspect, types } from 'node:util';
import { dateAt, extendsDate, keyOfName, nameOfKey, symbolName, timeIn } from './values.mjs';

const isAncestor = (one, other) => Object.prototype.isPrototypeOf.call(one, other);
const shapeOf = (value, enumerable = true) => ({ value, writable: true, enumerable, configurable: true });

/**
 * @param ask asks the test something about a class or an object of it: `(number, action, name, args)`
 * @param symbols the numbers of symbols, as `object-numbers.mjs` makes them
 * @param derive notes an error of the test that is of a class of the artifact now, derived from the test's
 */
export function createReceivedClasses({ ask, derive, symbols }) {
  const kinds = new Map();
  const numbers = new WeakMap();
  /** Prototypes of these classes. */
  const prototypes = new WeakMap();
  /** What each class and prototype held when it was last told of. */
  const held = new Map();
  /** Objects of the test, with their numbers and prototypes. */
  const locals = new WeakMap();
  const known = new Map();

  /** The name of a property, also of one under a symbol that both boxes know; undefined for any other. */
  const nameOf = (key) => nameOfKey(key) ?? (typeof key === 'symbol' ? symbols.nameOfSymbol(key) : undefined);
  const addName = (key) => symbolName(symbols.leaveSymbol(key));
  /** An object of the test, of which everything is asked for in its box. */
  const localOf = (number, prototype) => {
    const state = { number, prototype, first: prototype };
    const askOf = (action, key, args = []) => ask(number, action, nameOf(key), args);
    /** What classes define that are derived from the object's own: the artifact's, and the test's that extend those. */
    const definesOwn = (key) => {
      let each = state.prototype;
      while (each !== null && each !== state.first && !Object.hasOwn(each, key))
        each = Object.getPrototypeOf(each);
      return each !== null && each !== state.first;
    };
    const target = Object.create(null);
    const proxy = new Proxy(target, {
      get(_target, key, receiver) {
        if (state.prototype !== null && (key === 'constructor' || definesOwn(key)))
          return Reflect.get(state.prototype, key, receiver);
        if (key === inspect.custom) return target[key];
        if (nameOf(key) === undefined || key === 'then') return undefined;
        const found = askOf('get', key);
        return found === undefined && state.prototype !== null
          ? Reflect.get(state.prototype, key, receiver)
          : found;
      },
      set(_target, key, value, receiver) {
        if (state.prototype !== null && definesOwn(key) && receiver === proxy) {
          for (let each = state.prototype; each !== null; each = Object.getPrototypeOf(each)) {
            const found = Reflect.getOwnPropertyDescriptor(each, key);
            if (found?.set === undefined) continue;
            Reflect.apply(found.set, proxy, [value]);
            return true;
          }
        }
        return ask(number, 'set', nameOf(key) ?? addName(key), [value]) === true;
      },
      has: (_target, key) =>
        nameOf(key) !== undefined &&
        ((state.prototype !== null && key in state.prototype) || askOf('has', key) === true),
      getPrototypeOf: () => state.prototype,
      setPrototypeOf(_target, next) {
        if (Reflect.isExtensible(target)) state.prototype = next;
        return state.prototype === next;
      },
      ownKeys() {
        if (!Reflect.isExtensible(target)) return Reflect.ownKeys(target);
        return state.prototype === null ? [] : askOf('keys', '').map(keyOfName);
      },
      getOwnPropertyDescriptor(_target, key) {
        if (!Reflect.isExtensible(target)) return Reflect.getOwnPropertyDescriptor(target, key);
        const found = state.prototype === null || nameOf(key) === undefined ? null : askOf('own', key);
        if (found === null) return undefined;
        const [value, enumerable, isComputed] = found;
        return isComputed === true
          ? { get: () => askOf('get', key), enumerable, configurable: true }
          : shapeOf(value, enumerable);
      },
      defineProperty(_target, key, shape) {
        if (!Reflect.isExtensible(target)) return Reflect.defineProperty(target, key, shape);
        return 'value' in shape && ask(number, 'set', nameOf(key) ?? addName(key), [shape.value]) === true;
      },
      deleteProperty: (_target, key) => askOf('delete', key) === true,
      preventExtensions() {
        // What cannot change any more is held here, as the language asks the target for it.
        const shapes = Reflect.ownKeys(proxy).map((key) => [
          key,
          Reflect.getOwnPropertyDescriptor(proxy, key),
        ]);
        if (state.prototype === null || askOf('freeze', '') !== true) return false;
        delete target[inspect.custom];
        Object.setPrototypeOf(target, state.prototype);
        Object.defineProperties(target, Object.fromEntries(shapes));
        return Reflect.preventExtensions(target);
      },
    });
    // The language asks the target how a proxy is written.
    const shown = () =>
      Object.defineProperties(
        Object.create(state.prototype),
        Object.fromEntries(
          Reflect.ownKeys(proxy).map((key) => [key, Reflect.getOwnPropertyDescriptor(proxy, key)]),
        ),
      );
    Object.defineProperty(target, inspect.custom, {
      ...{ value: (_depth, options) => inspect(shown(), options), configurable: true },
    });
    locals.set(proxy, state);
    return proxy;
  };

  /** Makes an object where the test has the class; for a class of the artifact that is derived from it, with that class's methods. */
  const make = (number, kind, target, args) => {
    const made = ask(number, 'new', '', args);
    if (target === kind) return made;
    Object.setPrototypeOf(made, target.prototype);
    derive(made);
    return made;
  };
  /** A date is made here, of the time that the test's has. */
  const makeDate = (number, _kind, target, args) => dateAt(ask(number, 'time', '', args), target.prototype);
  /** A class without its body: whatever it extends, the test makes its objects. */
  const emptyClass = (number, base) => {
    const makeFor = base !== null && extendsDate(base) ? makeDate : make;
    const kind = class {
      constructor(...args) {
        // biome-ignore lint/correctness/noConstructorReturn: the object is the test's.
        return makeFor(number, kind, new.target, args);
      }
    };
    if (base !== null) {
      Object.setPrototypeOf(kind, base);
      Object.setPrototypeOf(kind.prototype, base.prototype);
    }
    return kind;
  };
  const fill = (part, members, number) => {
    for (const [name, kind, told] of members) {
      const key = keyOfName(name);
      if (kind === 'method') Object.defineProperty(part, key, shapeOf(told, false));
      else if (kind === 'accessor') {
        const [get, set] = told.map((each) => each ?? undefined);
        Object.defineProperty(part, key, { get, set, configurable: true });
      } else if (typeof part === 'function')
        Object.defineProperty(part, key, {
          get: () => ask(number, 'get', name, []),
          set: (value) => void ask(number, 'set', name, [value]),
          ...{ enumerable: told === true, configurable: true },
        });
      else Object.defineProperty(part, key, shapeOf(told));
    }
  };
  const heldBy = (part) =>
    new Map(
      Reflect.ownKeys(part).map((key) => {
        const { value, get } = Reflect.getOwnPropertyDescriptor(part, key);
        return [key, value ?? get];
      }),
    );

  /** True where a class of the artifact stands between the prototype of an object of the test and the one that it was made with. */
  const isDerived = (part) => {
    const { prototype = null, first } = locals.get(part) ?? {};
    if (prototype === null || prototype === first) return false;
    if (!prototypes.has(prototype)) return true;
    let each = prototype;
    while (each !== null && each !== first && prototypes.has(each)) each = Object.getPrototypeOf(each);
    return each !== null && each !== first && isAncestor(first, each);
  };

  const changes = () =>
    [...held].flatMap(([part, before]) => {
      const isPrototype = prototypes.has(part);
      const number = isPrototype ? prototypes.get(part) : numbers.get(part);
      return [...heldBy(part)].flatMap(([key, value]) =>
        nameOfKey(key) !== undefined && !Object.is(before.get(key), value)
          ? [[number, isPrototype, nameOfKey(key), value]]
          : [],
      );
    });

  return {
    /** The class of a number. */
    classOf(number) {
      if (!kinds.has(number)) {
        const [name, length, base, members, statics] = ask(number, 'class', '', []);
        const kind = emptyClass(number, base);
        kinds.set(number, kind);
        numbers.set(kind, number);
        prototypes.set(kind.prototype, number);
        Object.defineProperties(kind, { name: { value: name }, length: { value: length } });
        fill(kind.prototype, members, number);
        fill(kind, statics, number);
        for (const part of [kind, kind.prototype]) held.set(part, heldBy(part));
      }
      return kinds.get(number);
    },
    /** What a date of a class of the test is told as; undefined for any other object: `[the number of its class, its time]`. */
    toldOfDate(part) {
      const number = types.isDate(part) ? prototypes.get(Object.getPrototypeOf(part)) : undefined;
      return number === undefined ? undefined : [number, timeIn(part)];
    },
    /** The number of a class of the test; undefined for any other. */
    numberOf: (kind) => numbers.get(kind),
    /** The number of the class whose prototype this is; undefined for any other object. */
    numberOfPrototype: (part) => prototypes.get(part),
    /** True for objects of the test, for its classes, and for what is derived from these. */
    isOfTest(part) {
      if (locals.has(part)) return true;
      for (let each = part; each !== null; each = Object.getPrototypeOf(each))
        if (prototypes.has(each) || numbers.has(each)) return true;
      return false;
    },
    /** The object of a number: the same each time. */
    localOf(number, prototype) {
      if (!known.has(number)) known.set(number, localOf(number, prototype));
      return known.get(number);
    },
    /** The number of an object of the test, and what its methods run on; undefined for any other. */
    localNumber: (part) => locals.get(part)?.number,
    /** True for an object of the test of a class that the artifact has derived from the test's, or that extends such a class. */
    isDerived,
    /** True for an object of a class of the test that extends one which the artifact has derived from another class of the test. */
    isMixed: (part) => isDerived(part) && prototypes.has(locals.get(part).prototype),
    /** What the artifact has given classes of the test since they were last told of, as `[number, is their prototype, name, value]`. */
    takeChanges() {
      const found = changes();
      for (const [part] of held) held.set(part, heldBy(part));
      return found;
    },
  };
}
