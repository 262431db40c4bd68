/*
 * Notices a test that has changed what the language gives every value, such as `Map.prototype.get`, and puts it back: an answer that names a path
 * (`meta.type.prototype.then`) must not decide what its own tests come to.
 */
import assert from 'node:assert';
import { AsyncLocalStorage } from 'node:async_hooks';
import { namesSetIn, namesSetOn } from './set-names.mjs';

/** Constructors and namespaces of the language and of Node, by their global names. */
const globals = [
  ...['Object', 'Function', 'Array', 'Number', 'Boolean', 'String', 'Symbol', 'BigInt', 'Date', 'RegExp'],
  ...['Error', 'AggregateError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'Promise'],
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'Proxy', 'Reflect', 'JSON', 'Math', 'Iterator'],
  ...[
    'ArrayBuffer',
    'DataView',
    'Uint8Array',
    'Buffer',
    'URL',
    'AbortController',
    'AbortSignal',
    'EventTarget',
  ],
].filter((name) => name in globalThis);
const functions = ['isFinite', 'isNaN', 'parseFloat', 'parseInt', 'structuredClone', 'queueMicrotask'];
/** Prototypes that no global name leads to. */
const unnamed = {
  'the prototype of generators': Object.getPrototypeOf(function* () {}.prototype),
  'the prototype of async generators': Object.getPrototypeOf(async function* () {}.prototype),
  'the prototype of generator functions': Object.getPrototypeOf(function* () {}),
  'the prototype of async functions': Object.getPrototypeOf(async () => {}),
  'the prototype of async generator functions': Object.getPrototypeOf(async function* () {}),
  'the iterators of arrays': Object.getPrototypeOf([][Symbol.iterator]()),
  'the iterators of maps': Object.getPrototypeOf(new Map()[Symbol.iterator]()),
  'the iterators of sets': Object.getPrototypeOf(new Set()[Symbol.iterator]()),
  'the iterators of strings': Object.getPrototypeOf(''[Symbol.iterator]()),
  'the matches of strings': Object.getPrototypeOf(''.matchAll(/(?:)/g)),
  'the prototype of typed arrays': Object.getPrototypeOf(Uint8Array.prototype),
  'AsyncLocalStorage.prototype': AsyncLocalStorage.prototype,
};
/** Packages replace these without being named by a test: clocks, random numbers, stack traces. */
const ofPackages = new Set(['Math.random', 'Date.now', 'Error.prepareStackTrace', 'Error.stackTraceLimit']);

// A test may replace all of them.
const {
  ownKeys,
  getOwnPropertyDescriptor: shapeOf,
  defineProperty: define,
  deleteProperty: remove,
} = Reflect;
const { getPrototypeOf: parentOf, setPrototypeOf: setParent, apply } = Reflect;
const { is } = Object;
const { has, add } = Set.prototype;
const text = String;

/** What may set a property whose name the program does not write: a computed name, and functions that copy properties. */
const setsComputed =
  /\]\s*(?:(?:\?\.|\.\s*(?:call|apply|bind)\s*)?\(|[-+*/%&|^?<>]{0,3}=(?![=>]))|\b(?:assign|defineProperty|defineProperties|merge\w*|extend|set\w*|__define\w+)\s*\(/i;

/**
 * Notes what the language has, and closes what the programs of a suite do not name.
 * @param texts programs of the suite, which may change what they name
 * @param own what the judge gives a test, by name
 * @param hasPackages true where packages may set properties for a test
 * @returns a function that answers the path of what is another one now, or null, and puts back what was there
 */
export function watchLanguage({ texts, own, hasPackages }) {
  const code = texts.join('\n');
  let all = null;
  const anywhere = () => {
    all ??= namesSetIn(code);
    return all;
  };
  const reaches = /__proto__|\bgetPrototypeOf\b|__define/.test(code);
  const watched = [];
  const watch = (path, owner, keys = null) => {
    if (Object(owner) !== owner || watched.some((each) => each.owner === owner && each.keys === keys)) return;
    const isPrototype = !(path in globalThis);
    const names = (reaches && isPrototype ? null : namesSetOn(code, path)) ?? anywhere();
    const isOfSuite = (key) =>
      names.has(typeof key === 'symbol' ? key.description : key) || ofPackages.has(`${path}.${text(key)}`);
    const noted = (keys ?? ownKeys(owner)).filter((key) => !isOfSuite(key));
    // Of all others, nothing may be added: no look at their names is needed.
    const isClosed = keys !== null || (names.size === 0 && path !== 'Error');
    if (keys === null && isClosed) Object.preventExtensions(owner);
    const known = new Set(isClosed ? [] : ownKeys(owner));
    watched.push({
      ...{ path, owner, keys: noted, shapes: noted.map((key) => shapeOf(owner, key)) },
      ...{ isClosed, known, count: known.size, isOfSuite, parent: parentOf(owner) },
    });
  };
  for (const name of globals) {
    watch(name, globalThis[name]);
    watch(`${name}.prototype`, globalThis[name].prototype);
  }
  for (const [path, owner] of Object.entries(unnamed)) watch(path, owner);
  // Files may add what they like to these, by any name that they import them by.
  const ofTests = { assert, 'assert.strict': assert.strict, ...own };
  for (const [path, owner] of Object.entries(ofTests)) watch(path, owner, ownKeys(owner));
  // A test may mock the clock by another `Date`.
  const kept = [...globals, ...functions].filter((name) => name !== 'Date');
  watch(
    'globalThis',
    globalThis,
    kept.filter((name) => !(/\bglobal\b/.test(code) && anywhere().has(name))),
  );
  if (!hasPackages && !setsComputed.test(code)) return () => null;

  let found = null;
  const changed = ({ path, owner, keys, shapes }) => {
    for (let at = 0; at < keys.length; at += 1) {
      const now = shapeOf(owner, keys[at]);
      const before = shapes[at];
      if (
        now !== undefined &&
        is(now.value, before.value) &&
        now.get === before.get &&
        now.set === before.set
      )
        continue;
      found ??= `${path}.${text(keys[at])}`;
      define(owner, keys[at], before);
    }
  };
  const added = (each) => {
    const { path, owner, known } = each;
    const names = ownKeys(owner);
    if (names.length === each.count) return;
    each.count = 0;
    for (let at = 0; at < names.length; at += 1) {
      const key = names[at];
      if (!apply(has, known, [key])) {
        // What is not defined acts for nothing.
        const { value, get, set } = shapeOf(owner, key);
        const isHarmless = value === undefined && get === undefined && set === undefined;
        if (!isHarmless && !each.isOfSuite(key)) {
          found ??= `${path}.${text(key)}`;
          remove(owner, key);
          continue;
        }
        apply(add, known, [key]);
      }
      each.count += 1;
    }
  };
  return () => {
    found = null;
    for (let at = 0; at < watched.length; at += 1) changed(watched[at]);
    for (let at = 0; at < watched.length; at += 1) {
      const each = watched[at];
      if (!each.isClosed) added(each);
      if (parentOf(each.owner) !== each.parent) {
        found ??= `the prototype of ${each.path}`;
        setParent(each.owner, each.parent);
      }
    }
    return found;
  };
}
