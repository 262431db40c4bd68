/* Forwards what a test does with the properties of a stand-in to the artifact. */
import { unasked } from './claims.mjs';
import { handles } from './handles.mjs';
import { ofContent, ofItems } from './method-names.mjs';
import { nameOfKey } from './values.mjs';

const contentReader = (prototype, name, key) => {
  const kind = [Map, Set].find((each) => prototype instanceof each);
  return kind !== undefined && ofContent.has(name) ? kind.prototype[key] : undefined;
};
/** Most levels of an answer in which objects that act are looked for. */
const maxActing = 4;

/**
 * @param link the connection, as `proxy.mjs` makes it
 * @param known functions of the artifact by the names of `exports`, its `methods` that are believed, and what its objects hold, as `held`
 */
export function createForwardedProperties(link, { exports, methods, held }) {
  const { ask, sites } = link;

  /** Notes with the reference that what the test reads now holds objects that act. */
  const noteActing = (value, depth = 0) => {
    if (Object(value) !== value || depth > maxActing) return;
    if (handles.has(value)) sites.actsHere();
    else if (Array.isArray(value)) for (const each of value) noteActing(each, depth + 1);
    else if (value instanceof Map) for (const each of [...value].flat()) noteActing(each, depth + 1);
    else if (value instanceof Set) for (const each of value) noteActing(each, depth + 1);
    else if (Object.getPrototypeOf(value) === Object.prototype)
      for (const shape of Object.values(Object.getOwnPropertyDescriptors(value)))
        noteActing(shape.value, depth + 1);
  };
  /** True where the test's classes define a name, and not those of the artifact that they extend. */
  const definesOwn = (prototype, key) => {
    let each = prototype;
    while (each !== null && link.outgoing.isPrototype(each) && !Object.hasOwn(each, key))
      each = Object.getPrototypeOf(each);
    return each !== null && link.outgoing.isPrototype(each);
  };
  const noteChange = (number) => {
    link.expected.noteUse(number());
    link.epoch += 1;
  };

  /** What is no function of an object. One that the test has only made is written as JSON by what it holds where that is its `toJSON`. */
  const withoutFunction = (own, value, isKept) => {
    if (sites.isLearning) noteActing(value);
    else if (isKept && sites.isWriting()) link.conversions.noteWritten(own);
    return value;
  };

  /** `target` is only a shape: what it holds is never the artifact's. `number` tells the artifact of the object. */
  const traps = (number, own) => ({
    get(target, key) {
      if (own.has(key)) return own.get(key);
      // The objects of a function that makes them are known once the first has arrived.
      if (key === 'prototype' && own.acting === undefined)
        return link.incoming.prototypeById(number()) ?? Reflect.get(target, key);
      const name = nameOfKey(key);
      if (key === Symbol.toPrimitive) return (hint) => link.conversions.convert(own, hint);
      if (name === undefined || unasked.has(name)) return Reflect.get(target, key);
      const isKept = name === 'toJSON' && link.expected.isKept(own);
      if (own.inherits?.(name) === false && !own.fields?.has(name))
        return withoutFunction(own, undefined, isKept);
      // What the artifact has made of a class of the test has that class's methods.
      if (own.isOfTest && definesOwn(own.prototype, key)) return Reflect.get(own.prototype, key, own.self);
      if (own.methods?.has(name) === false && ofItems.has(name))
        return (...args) => Array.prototype[key].apply(held.itemsOf(number, own), args);
      // What a Map or Set of a class that nothing vouches for contains is a value, and the language reads it here.
      const readHere =
        own.overridden?.has(name) === false ? contentReader(own.prototype, name, key) : undefined;
      if (readHere !== undefined) return (...args) => readHere.apply(held.contentOf(number, own), args);
      const value = held.read(number, own, name);
      if (typeof value !== 'function') return withoutFunction(own, value, isKept);
      if (sites.isLearning) sites.usesHere(name);
      return methods.methodAs(own, name, value, isKept);
    },
    set(_target, key, value) {
      const name = nameOfKey(key);
      link.outgoing.noteGiven([value]);
      if (own.fields?.has(name)) own.fields.set(name, value);
      else {
        noteChange(number);
        ask({ do: 'set', of: number(), name, value: link.outgoing.leave(value) }, [value]);
      }
      return true;
    },
    has(_target, key) {
      const name = nameOfKey(key);
      if (own.acting || exports.isReached(own.self))
        return (
          name !== undefined &&
          (own.fields?.has(name) || ask({ do: 'has', of: number(), name }).value === true)
        );
      return name !== undefined && held.keysOf(number, own).includes(name);
    },
    deleteProperty(_target, key) {
      noteChange(number);
      return ask({ do: 'delete', of: number(), name: nameOfKey(key) }).value === true;
    },
    defineProperty(_target, key, shape) {
      noteChange(number);
      const { enumerable, configurable, writable, ...parts } = shape;
      const args = Object.values(parts);
      const op = { do: 'define', of: number(), name: nameOfKey(key), parts: Object.keys(parts) };
      ask(
        { ...op, flags: { enumerable, configurable, writable }, args: args.map(link.outgoing.leave) },
        args,
      );
      return true;
    },
    preventExtensions: () => false,
  });

  /** What tells of the listed properties of a function or class, beside those that every function has. @param get what reads one */
  const listing = (number, own, get) => ({
    ownKeys: (target) => [...new Set([...Reflect.ownKeys(target), ...held.keysOf(number, own)])],
    getOwnPropertyDescriptor(target, key) {
      const found = Reflect.getOwnPropertyDescriptor(target, key);
      if (found?.configurable === false || !held.keysOf(number, own).includes(nameOfKey(key))) return found;
      return { value: get(target, key), writable: true, enumerable: true, configurable: true };
    },
  });

  return { traps, listing, noteActing };
}
