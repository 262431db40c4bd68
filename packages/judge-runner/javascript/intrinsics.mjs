/*
 * Functions and prototypes of the language by their paths, before anything else runs. Neither box gives the other its own: they lead to the prototypes
 * of all objects there, and from these to every message.
 */
import { nameOfKey } from './values.mjs';

const names = [
  ...[
    'Object',
    'Function',
    'Array',
    'Number',
    'Boolean',
    'String',
    'Symbol',
    'BigInt',
    'Date',
    'RegExp',
    'Promise',
  ],
  ...[
    'Error',
    'AggregateError',
    'EvalError',
    'RangeError',
    'ReferenceError',
    'SyntaxError',
    'TypeError',
    'URIError',
  ],
  ...[
    'Map',
    'Set',
    'WeakMap',
    'WeakSet',
    'WeakRef',
    'FinalizationRegistry',
    'Proxy',
    'Reflect',
    'JSON',
    'Math',
    'Intl',
  ],
  ...[
    'Atomics',
    'ArrayBuffer',
    'SharedArrayBuffer',
    'DataView',
    'Iterator',
    'WebAssembly',
    'Uint8Array',
    'Int8Array',
  ],
  ...[
    'Uint8ClampedArray',
    'Uint16Array',
    'Int16Array',
    'Uint32Array',
    'Int32Array',
    'BigInt64Array',
    'BigUint64Array',
  ],
  ...[
    'Float32Array',
    'Float64Array',
    'eval',
    'isFinite',
    'isNaN',
    'parseFloat',
    'parseInt',
    'decodeURI',
    'encodeURI',
  ],
  ...['decodeURIComponent', 'encodeURIComponent', 'escape', 'unescape'],
];
/** What no name leads to. */
const unnamed = {
  Generator: (function* () {})(),
  AsyncGenerator: (async function* () {})(),
  GeneratorFunction: function* () {},
  AsyncFunction: async () => {},
  AsyncGeneratorFunction: async function* () {},
  ArrayIterator: [][Symbol.iterator](),
  MapIterator: new Map()[Symbol.iterator](),
  SetIterator: new Set()[Symbol.iterator](),
  StringIterator: ''[Symbol.iterator](),
  RegExpStringIterator: ''.matchAll(/(?:)/g),
};

const paths = new Map();
const parts = new Map();
const isHolder = (part) => Object(part) === part;
function walk(part, path) {
  if (!isHolder(part) || paths.has(part)) return;
  paths.set(part, path);
  parts.set(path, part);
  walk(Object.getPrototypeOf(part), `${path} parent`);
  for (const key of Reflect.ownKeys(part)) {
    const name = nameOfKey(key);
    if (name === undefined) continue;
    const { value, get, set } = Reflect.getOwnPropertyDescriptor(part, key);
    walk(value, `${path} .${name}`);
    walk(get, `${path} get ${name}`);
    walk(set, `${path} set ${name}`);
  }
}
for (const name of names) walk(globalThis[name], name);
for (const [name, part] of Object.entries(unnamed)) walk(Object.getPrototypeOf(part), `of ${name}`);

/** The path of such a function or prototype; undefined for anything else. */
export const pathOfIntrinsic = (part) => paths.get(part);
/** What a path leads to in this box; undefined for none. */
export const intrinsicAt = (path) => parts.get(path);
