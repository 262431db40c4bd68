/*
 * Values of JavaScript as they cross between an artifact's box and a tester's: plain ones as exact copies, all others as
 * `special` says. Whoever reads them checks them: the other side may be lying.
 */
const maxDepth = 64;
const maxNodes = 1_000_000;
/** Longest text of an error. */
export const maxMessage = 100_000;
const views = [
  ...[Uint8Array, Uint8ClampedArray, Int8Array, Uint16Array, Int16Array, Uint32Array, Int32Array],
  ...[Float32Array, Float64Array, BigInt64Array, BigUint64Array],
];
const viewsByName = new Map([...views, DataView, Buffer].map((view) => [view.name, view]));
/** Most bytes that stand before and after those of a view of a part of a buffer, and what they are: the real ones may be what a test expects. */
const maxAround = 64;
const filler = 0xa5;
/** How many bytes stand around those of a view: what is wrong for a view that begins within its buffer is wrong in the other box as well. */
function aroundOf(view) {
  const { buffer, byteOffset, byteLength } = view;
  // Small ones of Node share a pool, wherever in it.
  if (Buffer.isBuffer(view) && buffer.byteLength === Buffer.poolSize) return [];
  // Beyond the most, elements of any size stay where they may begin.
  const before = byteOffset <= maxAround ? byteOffset : maxAround + (byteOffset % 8);
  const after = Math.min(buffer.byteLength - byteOffset - byteLength, maxAround);
  return before + after === 0 ? [] : [before, after];
}
const entriesOf = Map.prototype.entries;
const itemsOf = Set.prototype.values;
/** As the language has it: a test may put another in its place. */
const DateOfLanguage = Date;
const timeOf = Date.prototype.getTime;
/** The time of a date in milliseconds, whatever methods its class has. */
export const timeIn = (date) => timeOf.call(date);
/** A date of a class that extends that of the language, by the class's prototype. */
export const dateAt = (time, prototype) => Object.setPrototypeOf(new DateOfLanguage(time), prototype);
/** True for a class that extends dates. */
export const extendsDate = (kind) => kind.prototype instanceof DateOfLanguage;

/** The answer is too deep or too large to leave the box. */
export class Unplain extends Error {}

/** Calls between the boxes within one another from which on the stack may end earlier than in one process; and what a question needs of it. */
const manyNested = 100;
const framesOfQuestion = 400;
const descend = (frames) => frames === 0 || descend(frames - 1);
/** False where the stack would end in the middle of a question, which nobody would answer. */
export function hasRoom(nested) {
  try {
    return nested <= manyNested || descend(framesOfQuestion);
  } catch {
    return false;
  }
}
/** True where the stack has ended because two boxes call one another. */
export const isStackEnd = (error, nested) =>
  nested > manyNested && error instanceof RangeError && /call stack/.test(error.message);

const textOfNumber = (value) => (Object.is(value, -0) ? '-0' : String(value));

const ofWeb = [
  ['Headers', '$headers'],
  ['FormData', '$form'],
];
const hrefOf = Object.getOwnPropertyDescriptor(URL.prototype, 'href').get;
const textOfParams = URLSearchParams.prototype.toString;
/** True for a prototype of a class of the web, which Node loads only when it is first named. */
const isOfWeb = (prototype, name) =>
  prototype !== null &&
  Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value?.name === name &&
  prototype === globalThis[name]?.prototype;
/** How headers and forms are told, where all that they hold are texts; undefined for anything else. */
export const toldOfWeb = (part, parent) => {
  const found = ofWeb.find(([name]) => isOfWeb(parent, name));
  if (found === undefined) return undefined;
  try {
    const entries = [...part];
    return entries.every(([, value]) => typeof value === 'string') ? { [found[1]]: entries } : undefined;
  } catch {
    // It has the prototype, and nothing else of one.
    return undefined;
  }
};
const lengthOf = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength').get;
/** Properties of an array beside its items, as a match of a regular expression has them. */
const besidesOf = (array) => Object.keys(array).filter((key) => !/^\d+$/.test(key));

const refuseAgain = () => {
  throw new Unplain('that contains itself');
};

/**
 * @param special what becomes of a part that is no plain value
 * @param own how a value of the language that can change leaves: an array, a Map, a Date, a plain object. It is given the value, as it is told,
 * and in how many others it is
 * @param other what becomes of a part before it is looked at; undefined for a plain value
 * @param again what becomes of a part within itself, of the containers in which it is
 */
export function encode(
  value,
  special,
  own = (_part, told) => told,
  other = () => undefined,
  again = refuseAgain,
) {
  let nodes = 0;
  /** The containers in which the part is that is told now. */
  const within = new Set();
  const walk = (part, depth) => {
    if (typeof part !== 'object' || part === null) return tell(part, depth);
    if (within.has(part)) return again(part, within);
    within.add(part);
    try {
      return tell(part, depth);
    } finally {
      within.delete(part);
    }
  };
  const tell = (part, depth) => {
    nodes += 1;
    if (depth > maxDepth) throw new Unplain(`deeper than ${maxDepth} levels`);
    if (nodes > maxNodes) throw new Unplain(`more than ${maxNodes} parts`);
    if (part === null || typeof part === 'boolean' || typeof part === 'string') return part;
    if (part === undefined) return { $undefined: true };
    if (typeof part === 'number')
      return Number.isFinite(part) && !Object.is(part, -0) ? part : { $number: textOfNumber(part) };
    if (typeof part === 'bigint') return { $bigint: part.toString(16) };
    if (typeof part !== 'object') return special(part);
    const known = other(part, (held) => walk(held, depth + 1));
    if (known !== undefined) return known;
    const parent = Object.getPrototypeOf(part);
    /** As a value that can change. */
    const leave = (told) => own(part, told, depth);
    const items = (array) =>
      Array.from({ length: array.length }, (_, index) => walk(array[index], depth + 1));
    const held = (names) => names.map((key) => [key, walk(part[key], depth + 1)]);
    const whole = (told) => (Object.isFrozen(part) ? { $frozen: told } : told);
    // What a tagged template's function is given: the same at each call of one place.
    if (Array.isArray(part) && Object.isFrozen(part) && Array.isArray(part.raw))
      return leave({ $template: [items(part), items(part.raw)] });
    if (Array.isArray(part)) {
      const besides = besidesOf(part);
      const filled = Object.keys(part).length - besides.length;
      const told =
        filled === part.length
          ? items(part)
          : { $sparse: [part.length, held(Object.keys(part).slice(0, filled))] };
      return whole(leave(besides.length === 0 ? told : { $list: [told, held(besides)] }));
    }
    if (parent === Object.prototype || parent === null)
      return whole(leave({ [parent === null ? '$bare' : '$object']: held(Object.keys(part)) }));
    if (parent === Map.prototype)
      return leave({
        $map: [...entriesOf.call(part)].map(([key, item]) => [walk(key, depth + 1), walk(item, depth + 1)]),
      });
    if (parent === Set.prototype)
      return leave({ $set: [...itemsOf.call(part)].map((item) => walk(item, depth + 1)) });
    if (parent === DateOfLanguage.prototype) return leave({ $date: textOfNumber(timeOf.call(part)) });
    if (parent === RegExp.prototype)
      return leave({ $regexp: [part.source, part.flags, ...(part.lastIndex === 0 ? [] : [part.lastIndex])] });
    if (parent === URL.prototype) return leave({ $url: hrefOf.call(part) });
    if (parent === URLSearchParams.prototype) return leave({ $query: textOfParams.call(part) });
    const web = toldOfWeb(part, parent);
    if (web !== undefined) return leave(web);
    if (parent === ArrayBuffer.prototype)
      return leave({ $buffer: Buffer.from(part, 0, lengthOf.call(part)).toString('hex') });
    if (ArrayBuffer.isView(part)) {
      const known = part instanceof Uint8Array ? 'Uint8Array' : parent?.constructor?.name;
      const name = parent === Buffer.prototype ? 'Buffer' : known;
      const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
      if (viewsByName.has(name)) return leave({ $view: [name, bytes.toString('hex'), ...aroundOf(part)] });
    }
    return special(part);
  };
  return walk(value, 0);
}

const bytesOf = (part) =>
  ArrayBuffer.isView(part)
    ? new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
    : new Uint8Array(part);
/** Makes an address or its parameters, a date, a pattern or bytes what another one is; false for any other object. */
export function refill(part, made) {
  if (part instanceof URL) part.href = made.href;
  else if (part instanceof DateOfLanguage) part.setTime(made.getTime());
  else if (part instanceof RegExp) part.lastIndex = made.lastIndex;
  else if (part instanceof ArrayBuffer || ArrayBuffer.isView(part)) bytesOf(part).set(bytesOf(made));
  else if (
    part instanceof URLSearchParams ||
    ofWeb.some(([name]) => isOfWeb(Object.getPrototypeOf(part), name))
  ) {
    for (const name of [...part.keys()]) part.delete(name);
    for (const [name, value] of made) part.append(name, value);
  } else return false;
  return true;
}

/** Most holes that an array has place for. */
const maxHoles = 1000;
/** Gives an empty array a length. With many holes the language keeps it as a list of its items, of which one was far away: each look at it is short. */
export function stretch(array, length) {
  if (length > maxHoles) {
    array[length - 1] = undefined;
    delete array[length - 1];
  }
  array.length = length;
}
const isIndexBelow = (key, length) => /^(?:0|[1-9]\d*)$/.test(key) && Number(key) < length;
const isPlain = (part) =>
  typeof part === 'object' && part !== null && [Object.prototype, null].includes(Object.getPrototypeOf(part));
const list = (content) => {
  if (!Array.isArray(content)) throw new TypeError('no list');
  return content;
};

/** An array or plain object: what else an artifact names is not changed by its word. */
const container = (made) => {
  const isOpen = Array.isArray(made) || isPlain(made);
  if (!isOpen) throw new TypeError('no container');
  return made;
};

/**
 * @param special what a tag stands for that is no plain value's
 * @param whole sees every plain object, and every array that holds more than its items, with the names of that
 * @param begun sees the first container before it holds anything: what it holds may be itself
 * @param lent the value that the other box has told by a number before, made what it is now; without what it is now, that value or undefined
 */
export function decode(
  json,
  special,
  whole = (made) => made,
  begun = () => {},
  lent = (_number, made) => made,
) {
  let isBegun = false;
  /** Containers that the other box has numbered, by number, while they are read: what they hold may be themselves. The number of the next one. */
  const opened = new Map();
  let opening;
  const begin = (made) => {
    if (!isBegun) begun(made);
    isBegun = true;
    if (opening !== undefined) opened.set(opening, made);
    opening = undefined;
    return made;
  };
  const readLent = ([number, ...content]) => {
    if (content.length === 0) {
      const known = lent(number) ?? opened.get(number);
      if (known === undefined) throw new TypeError('a value that was not told');
      return known;
    }
    opening = number;
    const made = walk(content[0]);
    opening = undefined;
    return lent(number, made, content[0]);
  };
  /** Arrays, Maps and Sets in which the part is that is read now. */
  const within = [];
  const fill = (made, items, add) => {
    within.push(begin(made));
    for (const item of items) add(item);
    within.pop();
    return made;
  };
  const hold = (made, entries) => {
    // As data, whatever the key: `__proto__` too.
    for (const [key, item] of list(entries))
      Object.defineProperty(made, key, {
        ...{ value: walk(item), writable: true, enumerable: true, configurable: true },
      });
    return made;
  };
  const walk = (part) => {
    if (Array.isArray(part)) {
      const made = [];
      return fill(made, part, (item) => made.push(walk(item)));
    }
    if (typeof part !== 'object' || part === null) return part;
    const [entry, ...more] = Object.entries(part);
    if (entry === undefined || more.length > 0) throw new TypeError('no tag');
    const [tag, content] = entry;
    if (tag === '$undefined') return undefined;
    if (tag === '$number') return Number(content);
    if (tag === '$bigint')
      return content.startsWith('-') ? -BigInt(`0x${content.slice(1)}`) : BigInt(`0x${content}`);
    if (tag === '$object') return whole(hold(begin({}), content));
    if (tag === '$bare') return whole(hold(begin(Object.create(null)), content));
    if (tag === '$sparse') {
      const [length, entries] = list(content);
      const made = begin([]);
      if (!(Number.isInteger(length) && length >= 0 && length <= maxNodes)) throw new TypeError('no list');
      stretch(made, length);
      const names = list(entries).map(([key]) => key);
      if (!names.every((key) => isIndexBelow(key, length))) throw new TypeError('no list');
      return hold(made, entries);
    }
    if (tag === '$list') {
      const besides = list(content[1]);
      return whole(
        hold(walk(Object.hasOwn(Object(content[0]), '$sparse') ? content[0] : list(content[0])), besides),
        besides.map(([key]) => key),
      );
    }
    if (tag === '$lent') return readLent(list(content));
    if (tag === '$frozen') return Object.freeze(container(walk(content)));
    if (tag === '$template') {
      const [items, raw] = content.map((each) => walk(list(each)));
      return Object.freeze(Object.defineProperty(items, 'raw', { value: Object.freeze(raw) }));
    }
    if (tag === '$map') {
      const made = new Map();
      return fill(made, list(content), ([key, item]) => made.set(walk(key), walk(item)));
    }
    if (tag === '$set') {
      const made = new Set();
      return fill(made, list(content), (item) => made.add(walk(item)));
    }
    if (tag === '$within' && within.at(-content) !== undefined) return within.at(-content);
    if (tag === '$date') return new DateOfLanguage(Number(content));
    if (tag === '$regexp')
      return Object.assign(new RegExp(content[0], content[1]), { lastIndex: Number(content[2] ?? 0) });
    if (tag === '$url') return new URL(content);
    if (tag === '$query') return new URLSearchParams(content);
    for (const [name, own] of ofWeb)
      if (tag === own) {
        const part = new globalThis[name]();
        for (const [key, value] of list(content)) part.append(String(key), String(value));
        return part;
      }
    if (tag === '$buffer') return new Uint8Array(Buffer.from(content, 'hex')).buffer;
    if (tag === '$view') {
      const View = viewsByName.get(content[0]);
      const bytes = Buffer.from(content[1], 'hex');
      const [before, after] = [content[2] ?? 0, content[3] ?? 0].map(Number);
      if (!(before >= 0 && before < maxAround + 8 && after >= 0 && after <= maxAround))
        throw new TypeError('no view');
      if (View === Buffer && before + after === 0) return bytes;
      const { buffer } = new Uint8Array(before + bytes.length + after).fill(filler);
      new Uint8Array(buffer).set(bytes, before);
      const length = bytes.length / (View.BYTES_PER_ELEMENT ?? 1);
      return View === Buffer ? Buffer.from(buffer, before, length) : new View(buffer, before, length);
    }
    return special(tag, content);
  };
  return walk(json);
}

/** Name under which leaves what an object contains beside its properties: as one of a class that extends Map. */
export const contentName = '[content]';
const readers = [
  [Map, (part) => new Map(entriesOf.call(part))],
  [Set, (part) => new Set(itemsOf.call(part))],
  [DateOfLanguage, (part) => new DateOfLanguage(timeOf.call(part))],
  ...[Number, String, Boolean].map((kind) => {
    const plain = kind.prototype.valueOf;
    return [kind, (part) => plain.call(part)];
  }),
];
/** That content as a value of the language; undefined for an object that has only properties. */
export const contentOf = (part) => readers.find(([kind]) => part instanceof kind)?.[1](part);
/** True for the prototype of objects that contain something beside their properties. */
export const hasContent = (prototype) => readers.some(([kind]) => prototype instanceof kind);
/** What an object contains that was made of these arguments by a class without a constructor of its own. */
export function contentMade(prototype, args) {
  const [kind] = readers.find(([each]) => prototype instanceof each);
  try {
    const made = new kind(...args);
    return [Number, String, Boolean].includes(kind) ? made.valueOf() : made;
  } catch {
    return undefined;
  }
}

/** Functions of the language by name, which mean the same in every box. */
export const globals = new Map(
  [
    'Array',
    'BigInt',
    'Boolean',
    'Date',
    'Error',
    'Map',
    'Number',
    'Object',
    'Promise',
    'RangeError',
    'ReferenceError',
  ]
    .concat([
      'RegExp',
      'Set',
      'String',
      'SyntaxError',
      'TypeError',
      'URIError',
      'EvalError',
      'parseFloat',
      'parseInt',
    ])
    .concat(['isFinite', 'isNaN', 'encodeURIComponent', 'decodeURIComponent', 'AggregateError'])
    .map((name) => [name, globalThis[name]]),
);
/** An error of a class of the language, or of the web's, where the name is no property that can be set. */
export function makeError(kind, message, held) {
  if (kind !== 'DOMException') return Object.assign(new (globals.get(kind) ?? Error)(message), held);
  const { name, ...more } = held;
  return Object.assign(new DOMException(message, name), more);
}
export const namesOfGlobals = new Map([...globals].map(([name, value]) => [value, name]));

/** Names that symbols have on their way. */
const symbols = new Map(
  [
    'iterator',
    'asyncIterator',
    'toPrimitive',
    'toStringTag',
    'dispose',
    'asyncDispose',
    'species',
    'hasInstance',
  ]
    .filter((name) => Symbol[name] !== undefined)
    .map((name) => [Symbol[name], `@@${name}`]),
);
const bySymbolName = new Map([...symbols].map(([symbol, name]) => [name, symbol]));
/** A property's name on its way, or undefined for a symbol that no one else knows. */
export const nameOfKey = (key) => (typeof key === 'symbol' ? symbols.get(key) : key);
export const keyOfName = (name) => bySymbolName.get(name) ?? name;
/** The name of a symbol that is no symbol of the language, as it is told, where it is the key of a property. */
export const symbolName = ({ $registered: registered, $symbol: told }) =>
  told === undefined ? `@@registered ${registered}` : `@@symbol ${told.join(' ')}`;
/** What such a name tells; null for any other name. */
export function toldBySymbolName(name) {
  const [, kind, rest] = /^@@(registered|symbol) (.*)$/s.exec(name) ?? [];
  if (kind === undefined) return null;
  if (kind === 'registered') return { $registered: rest };
  const [, number, description] = /^(-?\d+) (.*)$/s.exec(rest) ?? [];
  return number === undefined ? null : { $symbol: [Number(number), description] };
}

/** Classes of Node whose objects act, and which both boxes have: those of an artifact's objects, or what its classes extend; by module. */
const ofModules = new Map([
  ['events', ['EventEmitter']],
  ['stream', ['Readable', 'Writable', 'Duplex', 'Transform', 'PassThrough']],
  ['async_hooks', ['AsyncLocalStorage', 'AsyncResource']],
  ['string_decoder', ['StringDecoder']],
  ['assert', ['AssertionError']],
]);
/** Those among the globals. Node loads some of them for tens of milliseconds when they are first looked at. */
const ofGlobals = new Set(
  ['EventTarget', 'Event', 'CustomEvent', 'AbortController', 'Request', 'Response', 'Blob', 'File']
    .concat(['ReadableStream', 'WritableStream', 'TransformStream', 'TextEncoder', 'TextDecoder'])
    .concat(['WeakMap', 'WeakSet', 'WeakRef', 'DOMException']),
);
const globalClass = (name) => (ofGlobals.has(name) ? globalThis[name] : undefined);
/** Where a class of Node is found, as its module, empty for a global, and its name; null for any other. */
export function libraryOf(kind) {
  // Of a proxy of the test nothing is read.
  const name = typeof kind === 'function' ? kind.name : null;
  if (typeof name !== 'string') return null;
  for (const [module, names] of ofModules)
    if (names.includes(name) && process.getBuiltinModule(module)[name] === kind) return [module, name];
  return ofGlobals.has(name) && globalThis[name] === kind ? ['', name] : null;
}
/** The class that is found there; undefined for a name that is not among them. */
export function libraryClass([module, name]) {
  if (module === '') return globalClass(name);
  return ofModules.get(module)?.includes(name) ? process.getBuiltinModule(module)[name] : undefined;
}

/** Tags of values of the language that can change, in place of which another one of the kind may be told. */
const changeable = [
  '$object',
  '$bare',
  '$list',
  '$sparse',
  '$map',
  '$set',
  '$date',
  '$regexp',
  '$view',
  '$buffer',
  '$url',
  '$query',
  '$headers',
  '$form',
];
/** True for such a value as it is told. */
export function isChangeable(told) {
  const held = Object(told).$frozen ?? told;
  return Array.isArray(held) || changeable.some((tag) => Object.hasOwn(Object(held), tag));
}

/** What an object says that it is, as the language does; empty where a getter of its class throws. */
export function tagOf(part) {
  try {
    return Object.prototype.toString.call(part).slice('[object '.length, -1);
  } catch {
    return '';
  }
}

/** True for the prototype of a class that extends Array: it is no array itself. */
// biome-ignore lint/suspicious/useIsArray: what is asked is what it inherits.
export const extendsArray = (prototype) => prototype instanceof Array;

/** True for the text of a class, and not of a method that is called `class`. */
export const isClassText = (text) => /^class\b(?!\s*\()/.test(text);
export const isClass = (part) =>
  typeof part === 'function' && isClassText(Function.prototype.toString.call(part));
