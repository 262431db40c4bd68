import type { WrongParts } from '../wrong-parts.ts';

/** Programs whose values change between two looks of a test: by themselves, with time, or through what they keep. */
export const overTimeCases: readonly WrongParts[] = [
  {
    ...{ id: 'values that are computed', language: 'javascript' },
    artifact: `
import fs from 'node:fs';
export class Limiter { #left; constructor(left) { this.#left = left; } get allowed() { return this.#left-- > 0; } }
export const createLimiter = (left) => { let rest = left; return { get allowed() { return rest-- > 0; }, reset() { rest = left; } }; };
export class Tag { toString() { return '<a>'; } valueOf() { return 7; } }
export class Row { constructor() { Object.defineProperty(this, 'size', { enumerable: true, get: () => 1 }); } }
export class Watch { #begun = performance.now(); #spent; stop() { this.#spent = performance.now() - this.#begun; } get spent() { return this.#spent ?? performance.now() - this.#begun; } }
export class Page { #file; constructor(file) { this.#file = file; } get text() { return fs.readFileSync(this.#file, 'utf8'); } get exists() { return fs.existsSync(this.#file); } }
export class Letter { #text; constructor(file) { this.#text = fs.readFileSync(file, 'utf8'); } get text() { return this.#text; } }
export class Entry { #until = Date.now() + 1000; get isFresh() { return Date.now() < this.#until; } }
export class Ring { #at = 0; #items; constructor(items) { this.#items = items; } get next() { return this.#items[this.#at++ % this.#items.length]; } }
export class Meter { #count = 0; get hit() { this.#count += 1; return true; } count() { return this.#count; } }
export class Mode { get name() { return globalThis.modeOfTest; } }
export class Die { get roll() { return 1 + Math.floor(Math.random() * 6); } }
`,
    tests: `
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { mock, test } from 'node:test';
import { createLimiter, Die, Entry, Letter, Limiter, Meter, Mode, Page, Ring, Row, Tag, Watch } from 'solution';
const busy = (ms) => { const begun = performance.now(); while (performance.now() - begun < ms); };
const file = () => path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'page-')), 'a.txt');
test('five are allowed', () => { const limiter = new Limiter(5); for (let i = 0; i < 5; i++) assert.equal(limiter.allowed, true); assert.equal(limiter.allowed, false); });
test('five of a factory', () => { const limiter = createLimiter(5); for (let i = 0; i < 5; i++) assert.equal(limiter.allowed, true); assert.equal(limiter.allowed, false); });
test('stays a text', () => { const tag = new Tag(); for (let i = 0; i < 4; i++) assert.equal(\`\${tag}\`, '<a>'); });
test('stays a number', () => { const tag = new Tag(); for (let i = 0; i < 4; i++) assert.equal(+tag, 7); });
test('is spread', () => { const row = new Row(); for (let i = 0; i < 4; i++) assert.deepEqual({ ...row }, { size: 1 }); });
test('stands still', () => { const watch = new Watch(); watch.stop(); const { spent } = watch; assert.equal(watch.spent, spent); busy(5); assert.equal(watch.spent, spent); });
test('goes on', () => { const watch = new Watch(); const { spent } = watch; busy(5); assert.ok(watch.spent - spent >= 5); const next = watch.spent; busy(5); assert.ok(watch.spent - next >= 5); });
test('reads the file', () => { const name = file(); const page = new Page(name); assert.equal(page.exists, false); assert.equal(page.exists, false); fs.writeFileSync(name, '1'); assert.equal(page.exists, true); assert.equal(page.text, '1'); assert.equal(page.text, '1'); fs.writeFileSync(name, '2'); assert.equal(page.text, '2'); });
test('has read the file', () => { const name = file(); fs.writeFileSync(name, '1'); const letter = new Letter(name); assert.equal(letter.text, '1'); assert.equal(letter.text, '1'); fs.writeFileSync(name, '2'); assert.equal(letter.text, '1'); });
test('expires', () => { let now = 0; const clock = mock.method(Date, 'now', () => now); const entry = new Entry(); const found = [entry.isFresh, entry.isFresh]; now = 5000; found.push(entry.isFresh); clock.mock.restore(); assert.deepEqual(found, [true, true, false]); });
test('turns', () => { const ring = new Ring(['a', 'a', 'a', 'b']); assert.deepEqual([ring.next, ring.next, ring.next, ring.next], ['a', 'a', 'a', 'b']); });
test('counts', () => { const meter = new Meter(); for (let i = 0; i < 5; i++) assert.equal(meter.hit, true); assert.equal(meter.count(), 5); });
test('follows a global', () => { globalThis.modeOfTest = 'a'; const mode = new Mode(); const found = [mode.name, mode.name]; globalThis.modeOfTest = 'b'; found.push(mode.name); delete globalThis.modeOfTest; assert.deepEqual(found, ['a', 'a', 'b']); });
test('rolls', () => { const numbers = [0.1, 0.1, 0.1, 0.9]; const random = mock.method(Math, 'random', () => numbers.shift()); const die = new Die(); const found = [die.roll, die.roll, die.roll, die.roll]; random.mock.restore(); assert.deepEqual(found, [1, 1, 1, 6]); });
`,
    wrong: [
      ['{ this.#left = left; }', '{ this.#left = 2; }', 'five are allowed'],
      ['let rest = left;', 'let rest = 2;', 'five of a factory'],
      [
        "toString() { return '<a>'; }",
        "n = 0; toString() { return this.n++ < 2 ? '<a>' : '</a>'; }",
        'stays a text',
      ],
      ['valueOf() { return 7; }', 'm = 0; valueOf() { return this.m++ < 2 ? 7 : 8; }', 'stays a number'],
      ['get: () => 1 }', 'get: () => (this.n = (this.n ?? 0) + 1) < 7 ? 1 : 2 }', 'is spread'],
      ['this.#spent = performance.now() - this.#begun;', '', 'stands still'],
      [
        'return this.#spent ?? performance.now()',
        'this.#spent ??= performance.now(); return this.#spent',
        'goes on',
      ],
      [
        "get text() { return fs.readFileSync(this.#file, 'utf8'); }",
        "#text; get text() { return (this.#text ??= fs.readFileSync(this.#file, 'utf8')); }",
        'reads the file',
      ],
      [
        "#text; constructor(file) { this.#text = fs.readFileSync(file, 'utf8'); } get text() { return this.#text; }",
        "#name; constructor(name) { this.#name = name; } get text() { return fs.readFileSync(this.#name, 'utf8'); }",
        'has read the file',
      ],
      ['return Date.now() < this.#until', 'return this.#until > 0', 'expires'],
      ['this.#at++ %', 'Math.min(this.#at++, 2) %', 'turns'],
      ['this.#count += 1;', 'this.#count = Math.min(this.#count + 1, 2);', 'counts'],
      [
        'get name() { return globalThis.modeOfTest; }',
        '#name = globalThis.modeOfTest; get name() { return this.#name; }',
        'follows a global',
      ],
      ['get roll() { return 1', 'get roll() { return 1; } get other() { return 1', 'rolls'],
    ],
  },
  {
    ...{ id: 'what a program keeps of what it was given', language: 'javascript' },
    artifact: `
let kept;
export const register = (list) => { kept = [...list]; };
export const add = (item) => { kept.push(item); };
export const all = () => [...kept];
let options;
export const configure = (given) => { options = { ...given }; };
export const setLevel = (level) => { options.level = level; return options.level; };
let table;
export const index = (map) => { table = new Map(map); };
export const forget = (key) => table.delete(key) && table.size;
let seen;
export const watch = (set) => { seen = new Set(set); };
export const see = (item) => seen.add(item).size;
let day;
export const begin = (date) => { day = new Date(date); };
export const next = () => { day.setUTCDate(day.getUTCDate() + 1); return day.getTime(); };
let bytes;
export const load = (given) => { bytes = Uint8Array.from(given); };
export const flip = () => { bytes[0] ^= 255; return bytes[0]; };
let tree;
export const plant = (given) => { tree = structuredClone(given); };
export const grow = () => tree.branches[0].leaves.push('leaf');
const lists = [];
export const collect = (list) => { lists.push([...list]); };
export const clear = () => { for (const list of lists) list.length = 0; };
export class Registry { static items = []; static keep(list) { Registry.items = list.slice(); } static push(item) { return Registry.items.push(item); } }
export const createKeeper = () => { let list; return (given) => { if (given) list = given.concat(); else list.push(0); }; };
export const later = (list) => { setTimeout(() => [...list].sort(), 5); };
export const soon = (list) => { queueMicrotask(() => list.slice().sort()); };
export const after = async (list) => { await null; list.toSorted(); };
export const wait = async (promise) => { const found = [...(await promise)]; found.push(0); return found.length; };
export class Chart { data = []; draw() { return [...this.data].sort().join(); } }
export class Box { constructor(items) { this.items = items; } put(item) { this.items.push(item); } }
let queue;
export const bind = (list) => { queue = list; };
export const enqueue = (item) => { queue.push(item); };
`,
    tests: `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as own from 'solution';
import { add, all, begin, bind, Box, Chart, clear, collect, configure, createKeeper, enqueue, flip, forget, grow, index, later, load, next, plant, register, Registry, see, setLevel, soon, wait, watch } from 'solution';
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
test('a list', () => { const list = [1]; register(list); add(2); assert.deepEqual(list, [1]); assert.deepEqual(all(), [1, 2]); });
test('an object', () => { const given = { level: 1 }; configure(given); assert.equal(setLevel(2), 2); assert.deepEqual(given, { level: 1 }); });
test('a map', () => { const map = new Map([['a', 1]]); index(map); assert.equal(forget('a'), 0); assert.equal(map.size, 1); });
test('a set', () => { const set = new Set([1]); watch(set); assert.equal(see(2), 2); assert.deepEqual(set, new Set([1])); });
test('a date', () => { const date = new Date(0); begin(date); assert.equal(next(), 86_400_000); assert.equal(date.getTime(), 0); });
test('bytes', () => { const given = new Uint8Array(3); load(given); assert.equal(flip(), 255); assert.deepEqual([...given], [0, 0, 0]); });
test('within others', () => { const given = { branches: [{ leaves: [] }] }; plant(given); assert.equal(grow(), 1); assert.deepEqual(given.branches[0].leaves, []); });
test('many', () => { const given = Array.from({ length: 100 }, (_, each) => [each]); for (const list of given) collect(list); clear(); assert.deepEqual(given[0], [0]); assert.deepEqual(given[99], [99]); });
test('a class', () => { const list = [1]; Registry.keep(list); assert.equal(Registry.push(2), 2); assert.deepEqual(list, [1]); });
test('a closure', () => { const list = [1]; const keeper = createKeeper(); keeper(list); keeper(); assert.deepEqual(list, [1]); });
test('a timer', async () => { const list = [3, 1]; later(list); await sleep(30); assert.deepEqual(list, [3, 1]); });
test('a microtask', async () => { const list = [3, 1]; soon(list); await sleep(1); assert.deepEqual(list, [3, 1]); });
test('an asynchronous function', async () => { const list = [3, 1]; const done = own.after(list); await done; assert.deepEqual(list, [3, 1]); });
test('a promise', async () => { const list = [1]; assert.equal(await wait(Promise.resolve(list)), 2); assert.deepEqual(list, [1]); });
test('a property', () => { const list = [3, 1]; const chart = new Chart(); chart.data = list; assert.equal(chart.draw(), '1,3'); assert.deepEqual(list, [3, 1]); });
test('is shared', () => { const list = [1]; const box = new Box(list); box.put(2); assert.deepEqual(list, [1, 2]); list.push(3); box.put(4); assert.deepEqual(list, [1, 2, 3, 4]); });
test('is shared by functions', () => { const list = []; bind(list); enqueue('a'); list.push('b'); enqueue('c'); assert.deepEqual(list, ['a', 'b', 'c']); list.length = 0; enqueue('d'); assert.deepEqual(list, ['d']); });
`,
    wrong: [
      ['kept = [...list]', 'kept = list', 'a list'],
      ['options = { ...given }', 'options = given', 'an object'],
      ['table = new Map(map)', 'table = map', 'a map'],
      ['seen = new Set(set)', 'seen = set', 'a set'],
      ['day = new Date(date)', 'day = date', 'a date'],
      ['bytes = Uint8Array.from(given)', 'bytes = given', 'bytes'],
      ['tree = structuredClone(given)', 'tree = { ...given }', 'within others'],
      ['lists.push([...list])', 'lists.push(list)', 'many'],
      ['Registry.items = list.slice()', 'Registry.items = list', 'a class'],
      ['list = given.concat()', 'list = given', 'a closure'],
      ['() => [...list].sort()', '() => list.sort()', 'a timer'],
      ['list.slice().sort()', 'list.sort()', 'a microtask'],
      ['list.toSorted()', 'list.sort()', 'an asynchronous function'],
      ['[...(await promise)]', 'await promise', 'a promise'],
      ['[...this.data].sort()', 'this.data.sort()', 'a property'],
      ['queue = list;', 'queue = [...list];', 'is shared by functions'],
    ],
  },
  {
    ...{ id: 'listeners of signals', language: 'javascript' },
    artifact: `
export const listen = (signal, call) => { const own = () => call(signal.reason); signal.addEventListener('abort', own); return () => signal.removeEventListener('abort', own); };
export class Tasks { #open = new Map(); get size() { return this.#open.size; } add(name, signal) { this.#open.set(name, signal); signal.addEventListener('abort', () => { this.#open.delete(name); }); } }
export const first = (...signals) => AbortSignal.any(signals);
export const link = (signal) => { const own = new AbortController(); signal.addEventListener('abort', () => own.abort('linked')); return own.signal; };
export const each = (items, call, signal) => { for (const item of items) { if (signal.aborted) break; call(item); } };
`,
    tests: `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { each, first, link, listen, Tasks } from 'solution';
test('off', () => { const own = new AbortController(); const log = []; const off = listen(own.signal, () => log.push(1)); off(); own.abort(); assert.deepEqual(log, []); });
test('is called', () => { const own = new AbortController(); const log = []; listen(own.signal, (reason) => log.push(reason)); own.abort('why'); assert.deepEqual(log, ['why']); own.abort('again'); assert.deepEqual(log, ['why']); });
test('ends what is open', () => { const own = new AbortController(); const tasks = new Tasks(); tasks.add('a', own.signal); tasks.add('b', new AbortController().signal); assert.equal(tasks.size, 2); own.abort(); assert.equal(tasks.size, 1); });
test('the first', () => { const [one, other] = [new AbortController(), new AbortController()]; const found = first(one.signal, other.signal); assert.equal(found.aborted, false); other.abort('other'); assert.equal(found.aborted, true); assert.equal(found.reason, 'other'); });
test('is linked', () => { const own = new AbortController(); const found = link(own.signal); own.abort(); assert.equal(found.aborted, true); assert.equal(found.reason, 'linked'); });
test('within a call', () => { const own = new AbortController(); const log = []; each([1, 2, 3], (item) => { log.push(item); if (item === 2) own.abort(); }, own.signal); assert.deepEqual(log, [1, 2]); });
test('is not aborted by an event', () => { const own = new AbortController(); const tasks = new Tasks(); tasks.add('a', own.signal); own.signal.dispatchEvent(new Event('other')); assert.equal(tasks.size, 1); });
`,
    wrong: [
      ["return () => signal.removeEventListener('abort', own);", 'return () => {};', 'off'],
      ['call(signal.reason)', 'setTimeout(call, 0, signal.reason)', 'is called'],
      ['this.#open.delete(name);', '', 'ends what is open'],
      ['AbortSignal.any(signals)', 'AbortSignal.any(signals.slice(0, 1))', 'the first'],
      ["own.abort('linked')", 'queueMicrotask(() => own.abort())', 'is linked'],
      ['if (signal.aborted) break;', '', 'within a call'],
    ],
  },
  {
    ...{ id: 'what a global of a test holds', language: 'javascript' },
    artifact: `
export const run = () => globalThis.config.level + 1;
export const remember = (item) => { globalThis.registry.push(item); };
`,
    tests: `
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { remember, run } from 'solution';
afterEach(() => { delete globalThis.config; delete globalThis.registry; });
test('is left alone', () => { globalThis.config = { level: 1 }; assert.equal(run(), 2); assert.deepEqual(globalThis.config, { level: 1 }); });
test('is read', () => { globalThis.config = { level: 1 }; assert.equal(run(), 2); globalThis.config.level = 5; assert.equal(run(), 6); });
test('is filled', () => { globalThis.registry = []; remember('a'); remember('b'); assert.deepEqual(globalThis.registry, ['a', 'b']); });
`,
    wrong: [
      ['globalThis.config.level + 1', '(globalThis.config.level += 1)', 'is left alone'],
      ['globalThis.registry.push(item)', 'globalThis.registry = [item]', 'is filled'],
    ],
  },
];
