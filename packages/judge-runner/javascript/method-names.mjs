/* Names of methods that values of the language have, by what a test may conclude from their answers. */
import { valueMethods } from './suite-syntax.mjs';

/** Methods of plain values whose answer a test believes: an object that has them may lie. */
export const predicates = new Set(
  `every some includes indexOf lastIndexOf find findIndex findLast findLastIndex startsWith endsWith has match test search
   isSubsetOf isSupersetOf isDisjointFrom localeCompare valueOf toJSON toFixed`.split(/\s+/),
);
/** All methods of values of the language and of Node: a function that has one may stand in the place of a value. */
export const ofValues = new Set([
  ...valueMethods,
  ...predicates,
  ...[Object.getPrototypeOf(Uint8Array), ArrayBuffer, DataView, URL, URLSearchParams].flatMap(
    ({ prototype }) => Object.getOwnPropertyNames(prototype),
  ),
]);
/** Methods of plain values that are given a function: never a method of an object that a factory made. */
export const withCallback = new Set(
  'every some find findIndex findLast findLastIndex filter map reduce'.split(' '),
);
/** Those that answer another object of the kind, where the suite shows by other methods that it is no list. */
export const transforming = new Set(['map', 'filter', 'reduce']);
/** Methods of every object that say which properties it has. */
export const ofProperties = new Set(['hasOwnProperty', 'propertyIsEnumerable', 'isPrototypeOf']);
/** What a loop over an answer calls. */
export const isIterating = new Set(['@@iterator', '@@asyncIterator']);
/** What it calls of an iterator. */
export const ofIterators = new Set(['next', 'return', 'throw']);
/** Methods of arrays that answer from the items alone: they run here, on items that are plain values. */
export const ofItems = new Set(
  `at every some find findIndex findLast findLastIndex includes indexOf lastIndexOf forEach join reduce reduceRight
   entries keys values @@iterator toString`.split(/\s+/),
);
/** Methods of Maps and Sets that change nothing. */
export const ofContent = new Set(
  `get has entries keys values forEach @@iterator union intersection difference symmetricDifference isSubsetOf isSupersetOf
   isDisjointFrom`.split(/\s+/),
);

/** True for names of constants: lists, sets and tables, and no groups of functions. */
export const isConstantName = (name) => /^[A-Z][A-Z0-9_]*$/.test(name);
export const isClassName = (name) => /^[A-Z]/.test(name);
/** The last part of a name with dots. */
export const lastOf = (name) => name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('#')) + 1);
