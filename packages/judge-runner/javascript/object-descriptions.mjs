/* Descriptions of what leaves the artifact's box by a number: functions, classes, promises, iterators and objects of classes. */
import { types } from 'node:util';
import { isOlderClass, shownName } from './class-descriptions.mjs';
import { kindOfFunction } from './function-kinds.mjs';
import { printOf } from './library-prints.mjs';
import { isClass, libraryOf, nameOfKey, namesOfGlobals, tagOf, Unplain } from './values.mjs';

/** Properties of errors that the language compares although it does not list them, where an error has them. */
const unlistedOf = (error) => {
  const names = ['cause', 'errors'].filter((name) => Object.hasOwn(error, name));
  return names.length === 0 ? {} : { unlisted: names };
};

/** By their places: a class may say something else where it is iterated. */
export const itemsOf = (list) => Array.from({ length: list.length }, (_, index) => list[index]);

/** @param link the connection, as `objects.mjs` makes it */
export function createObjectDescriptions(link) {
  const { numbers, received, signals } = link;

  /** Methods that the classes of an object define which extend one of the language, up to the prototype of that. */
  const methodsUpTo = (part, last) => {
    const methods = [];
    for (
      let each = Object.getPrototypeOf(part);
      each !== last && each !== null;
      each = Object.getPrototypeOf(each)
    )
      methods.push(...Reflect.ownKeys(each).flatMap((key) => nameOfKey(key) ?? []));
    return methods;
  };
  const describeObject = (part) => {
    const kind = link.classes.ofObject(part);
    const told = { id: numbers.numberOf(part), kind: 'object', class: kind, ...link.classes.makerOf(part) };
    if (types.isNativeError(part)) Object.assign(told, { error: true }, unlistedOf(part));
    if (types.isMap(part)) told.methods = methodsUpTo(part, Map.prototype);
    if (types.isSet(part)) told.methods = methodsUpTo(part, Set.prototype);
    return Object.isFrozen(part) ? { ...told, frozen: Object.keys(part) } : told;
  };
  /** An iterator, with what of its protocol it has not: those of arrays and Maps cannot be ended. */
  const describeIterator = (part, kind) => {
    const lacks = ['return', 'throw'].filter((name) => typeof part[name] !== 'function');
    const told = { id: numbers.numberOf(part), kind };
    return { $handle: lacks.length === 0 ? told : { ...told, lacks } };
  };
  const leaveFunction = (part) => {
    const library = libraryOf(part);
    const isOfClass = isClass(part) && library === null;
    if (!isOfClass) link.classes.noteFunction(part);
    if (isOfClass || (isOlderClass(part) && library === null))
      return { $handle: link.classes.describe(part) };
    const told = { id: numbers.numberOf(part), kind: 'function', name: shownName(part) };
    const is = kindOfFunction(part);
    if (is !== undefined) told.is = is;
    const desc = { ...told, making: link.classes.makingOfFunction(part) };
    return library === null ? { $handle: desc } : { $library: [library, printOf(part), desc] };
  };

  return {
    /** What is no plain value, as it leaves. */
    leave(part) {
      if (typeof part === 'symbol') return numbers.leaveSymbol(part);
      const callback = link.callbacks.numberOf(part);
      if (callback !== undefined) return { $callback: callback };
      const known = namesOfGlobals.get(part);
      if (known !== undefined) return { $global: known };
      if (received.numberOf(part) !== undefined) return { $callback: received.numberOf(part) };
      if (received.numberOfPrototype(part) !== undefined)
        return { $prototype: received.numberOfPrototype(part) };
      if (typeof part === 'function') return leaveFunction(part);
      if (part instanceof AbortSignal) return { $handle: { id: signals.leave(part), kind: 'signal' } };
      if (part instanceof Promise) return link.promises.leave(part);
      const dated = received.toldOfDate(part);
      if (dated !== undefined) return { $dated: dated };
      const local = received.localNumber(part);
      if (local !== undefined && !received.isDerived(part)) return { $local: local };
      if (numbers.selfNumber(part) !== undefined) return { $self: numbers.selfNumber(part) };
      const kind = tagOf(part);
      if (
        /^(?:Generator|.* Iterator|Iterator Helper)$/.test(kind) &&
        typeof part[Symbol.iterator] === 'function'
      )
        return describeIterator(part, 'iterator');
      if (kind === 'AsyncGenerator' && typeof part[Symbol.asyncIterator] === 'function')
        return describeIterator(part, 'asyncIterator');
      return { $handle: describeObject(part) };
    },
    /** An object of a class that extends Array, with its items and the methods that its classes define. */
    leaveList(part, walk) {
      const desc = describeObject(part);
      // Of an object that inherits from that of arrays, and is the prototype of no class.
      if (desc.class === null || desc.class === 'Array') throw new Unplain('that is an array of no class');
      const methods = methodsUpTo(part, Array.prototype);
      return { $array: [{ ...desc, methods }, itemsOf(part).map(walk)] };
    },
  };
}
