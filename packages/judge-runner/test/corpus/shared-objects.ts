import type { WrongParts } from '../wrong-parts.ts';

/** Programs of JavaScript whose objects, and those of their tests, are known to both: which one it is matters, and when it changes. */
export const sharedObjectCases: readonly WrongParts[] = [
  {
    ...{ id: 'lists of objects', language: 'javascript' },
    artifact: `
export class Board { scores = []; add(name, points) { this.scores.push({ name, points }); this.scores.sort((a, b) => b.points - a.points); } }
export class Queue { items = []; put(n) { this.items.push({ n }); } take() { return this.items.shift(); } }
export class Todos { items = []; add(text) { this.items.push({ text, done: false }); } toggle(at) { this.items[at].done = !this.items[at].done; } replace(at) { this.items[at] = { ...this.items[at], done: true }; } }
export class Store { state = { user: { name: 'a' } }; rename(name) { this.state.user.name = name; } }
export class Log { entries = []; note(text) { this.entries.unshift({ text }); } }
export const touch = (list) => { list[0].n += 1; };
export const swap = (list) => { list[0] = { ...list[0], n: 2 }; };
export const clear = (grid) => { for (let at = 0; at < grid.length; at++) grid[at] = [0, 0]; };
export const step = (grid) => { for (const row of grid) for (let at = 0; at < row.length; at++) row[at] += 1; };
export const bump = (map, key) => { map.get(key).n += 1; };
const all = [{ n: 2 }, { n: 1 }];
export const each = (call) => { call([...all]); return all[0].n; };
export const lend = (call) => { const own = [{ n: 2 }, { n: 1 }]; call(own); return own.map(({ n }) => n).join(); };
export const rows = () => ({ list: [{ n: 1 }, { n: 2 }] });
export const first = ({ list }) => list[0].n;
`,
    tests: `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Board, Log, Queue, Store, Todos, bump, clear, each, first, lend, rows, step, swap, touch } from 'solution';
test('is sorted', () => { const board = new Board(); board.add('a', 1); const { scores } = board; const [a] = scores; board.add('b', 3); board.add('c', 2); assert.deepEqual(scores.map(({ name }) => name), ['b', 'c', 'a']); assert.equal(scores[2], a); });
test('is shifted', () => { const queue = new Queue(); queue.put(1); queue.put(2); queue.put(3); const { items } = queue; const [one, two] = items; assert.equal(queue.take(), one); assert.equal(queue.items[0], two); assert.deepEqual([one, two], [{ n: 1 }, { n: 2 }]); });
test('the same item', () => { const todos = new Todos(); todos.add('a'); const [item] = todos.items; todos.toggle(0); assert.equal(todos.items[0], item); assert.equal(item.done, true); });
test('another item', () => { const todos = new Todos(); todos.add('a'); const [item] = todos.items; todos.replace(0); assert.equal(todos.items[0].done, true); assert.equal(item.done, false); });
test('a property', () => { const store = new Store(); const { user } = store.state; store.rename('b'); assert.equal(user.name, 'b'); assert.equal(store.state.user, user); });
test('in front', () => { const log = new Log(); log.note('a'); const [a] = log.entries; log.note('b'); assert.deepEqual(log.entries, [{ text: 'b' }, { text: 'a' }]); assert.equal(log.entries[1], a); });
test('touched', () => { const item = { n: 1 }; const list = [item]; touch(list); assert.equal(item.n, 2); assert.equal(list[0], item); });
test('swapped', () => { const item = { n: 1 }; const list = [item]; swap(list); assert.equal(item.n, 1); assert.equal(list[0].n, 2); });
test('rows of their own', () => { const grid = [[1, 1], [2, 2]]; clear(grid); grid[0][0] = 5; assert.deepEqual(grid, [[5, 0], [0, 0]]); });
test('the same rows', () => { const grid = [[1], [2]]; const [row] = grid; step(grid); assert.deepEqual(row, [2]); });
test('in a map', () => { const item = { n: 1 }; const map = new Map([['a', item]]); bump(map, 'a'); assert.equal(item.n, 2); });
test('a copy is sorted', () => { assert.equal(each((list) => list.sort((a, b) => a.n - b.n)), 2); });
test('the test sorts', () => { assert.equal(lend((list) => list.sort((a, b) => a.n - b.n)), '1,2'); });
test('the test puts in front', () => { assert.equal(lend((list) => list.unshift({ n: 0 })), '0,2,1'); });
test('the test reverses', () => { const found = rows(); found.list.reverse(); assert.equal(first(found), 2); found.list.unshift({ n: 9 }); assert.equal(first(found), 9); });
`,
    wrong: [
      ['this.scores.sort((a, b) => b.points - a.points);', '', 'is sorted'],
      ['return this.items.shift();', 'return { ...this.items.shift() };', 'is shifted'],
      [
        'this.items[at].done = !this.items[at].done;',
        'this.items[at] = { ...this.items[at], done: !this.items[at].done };',
        'the same item',
      ],
      ['this.items[at] = { ...this.items[at], done: true };', 'this.items[at].done = true;', 'another item'],
      ['this.state.user.name = name;', 'this.state.user = { ...this.state.user, name };', 'a property'],
      [
        'this.entries.unshift({ text });',
        'this.entries = [{ text }, ...this.entries.map((each) => ({ ...each }))];',
        'in front',
      ],
      ['list[0].n += 1;', 'list[0] = { n: list[0].n + 1 };', 'touched'],
      ['list[0] = { ...list[0], n: 2 };', 'list[0].n = 2;', 'swapped'],
      [
        'for (let at = 0; at < grid.length; at++) grid[at] = [0, 0];',
        'grid.fill([0, 0]);',
        'rows of their own',
      ],
      [
        'for (const row of grid) for (let at = 0; at < row.length; at++) row[at] += 1;',
        'grid.forEach((row, at) => { grid[at] = row.map((n) => n + 1); });',
        'the same rows',
      ],
      ['map.get(key).n += 1;', 'map.set(key, { n: map.get(key).n + 1 });', 'in a map'],
      ['call([...all]);', 'call(all);', 'a copy is sorted'],
      ['call(own); return own', 'call([...own]); return own', 'the test sorts'],
      ['({ list }) => list[0].n', '({ list }) => Math.min(...list.map(({ n }) => n))', 'the test reverses'],
    ],
  },
  {
    ...{ id: 'what a test changes later', language: 'javascript' },
    artifact: `
export class Bytes { #kept; constructor(bytes) { this.#kept = bytes.slice(); } first() { return this.#kept[0]; } }
export class View { #held; constructor({ bytes }) { this.#held = bytes; } first() { return this.#held[0]; } }
export class Link { #url; constructor(url) { this.#url = new URL(url); } path() { return this.#url.pathname; } }
export class Query { #query; constructor(query) { this.#query = query; } get(name) { return this.#query.get(name); } }
export class Call { #headers; constructor(headers) { this.#headers = new Headers(headers); } get(name) { return this.#headers.get(name); } }
export class Form { #form; constructor(form) { this.#form = form; } get(name) { return this.#form.get(name); } }
export class Scan { #from; constructor(pattern) { this.#from = pattern.lastIndex; } from() { return this.#from; } }
export class Fault { #error; constructor(error) { this.#error = error; } text() { return this.#error.message; } }
export class Limiter { #options; constructor(options) { this.#options = { ...options }; } most() { return this.#options.most; } }
export class Pipe { #steps; constructor(steps) { this.#steps = steps; } get size() { return this.#steps.length; } }
export class Job { log = []; #options; constructor(options, signal) { this.#options = { ...options }; signal.addEventListener('abort', () => this.log.push(this.#options.name)); } }
export const flush = (queue, signal, sink) => { signal.addEventListener('abort', () => sink(queue.splice(0))); };
`,
    tests: `
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Bytes, Call, Fault, Form, Job, Limiter, Link, Pipe, Query, Scan, View, flush } from 'solution';
test('bytes are copied', () => { for (const bytes of [new Uint8Array([1, 2]), new Float64Array([1, 2])]) { const found = new Bytes(bytes); bytes[0] = 9; assert.equal(found.first(), 1); } });
test('bytes are shared', () => { const bytes = Buffer.from([1, 2]); const found = new View({ bytes }); bytes[0] = 9; assert.equal(found.first(), 9); });
test('an address', () => { const url = new URL('http://a/x'); const found = new Link(url); url.pathname = '/y'; assert.equal(found.path(), '/x'); });
test('parameters', () => { const query = new URLSearchParams('a=1'); const found = new Query(query); query.set('a', '2'); assert.equal(found.get('a'), '2'); });
test('headers', () => { const headers = new Headers({ a: '1' }); const found = new Call(headers); headers.set('a', '2'); assert.equal(found.get('a'), '1'); });
test('a form', () => { const form = new FormData(); const found = new Form(form); form.set('a', '2'); assert.equal(found.get('a'), '2'); });
test('a pattern', () => { const pattern = /a/g; const found = new Scan(pattern); pattern.lastIndex = 3; assert.equal(found.from(), 0); });
test('an error', () => { const error = new Error('a'); const found = new Fault(error); error.message = 'b'; assert.equal(found.text(), 'b'); });
test('options with a function', () => { const options = { most: 5, log: mock.fn(), onFull() {} }; const found = new Limiter(options); options.most = 9; assert.equal(found.most(), 5); });
test('a list of functions', () => { const steps = [() => 1]; const pipe = new Pipe(steps); steps.push(() => 2); assert.equal(pipe.size, 2); });
test('before it is aborted', () => { const controller = new AbortController(); const options = { name: 'a' }; const job = new Job(options, controller.signal); options.name = 'b'; controller.abort(); assert.deepEqual(job.log, ['a']); });
test('is flushed', () => { const controller = new AbortController(); const queue = []; const found = []; flush(queue, controller.signal, (all) => found.push(...all)); queue.push('x'); controller.abort(); assert.deepEqual(found, ['x']); assert.deepEqual(queue, []); });
`,
    wrong: [
      ['this.#kept = bytes.slice();', 'this.#kept = bytes;', 'bytes are copied'],
      ['this.#held = bytes;', 'this.#held = Buffer.from(bytes);', 'bytes are shared'],
      ['new URL(url)', 'url', 'an address'],
      ['this.#query = query;', 'this.#query = new URLSearchParams(query);', 'parameters'],
      ['new Headers(headers)', 'headers', 'headers'],
      ['this.#form = form;', 'this.#form = new FormData();', 'a form'],
      [
        'this.#from = pattern.lastIndex; } from() { return this.#from; }',
        'this.#from = pattern; } from() { return this.#from.lastIndex; }',
        'a pattern',
      ],
      ['this.#error = error; }', 'this.#error = new Error(error.message); }', 'an error'],
      [
        '{ this.#options = { ...options }; } most()',
        '{ this.#options = options; } most()',
        'options with a function',
      ],
      ['this.#steps = steps;', 'this.#steps = [...steps];', 'a list of functions'],
      [
        '{ this.#options = { ...options }; signal',
        '{ this.#options = options; signal',
        'before it is aborted',
      ],
      ['sink(queue.splice(0))', 'sink([...queue])', 'is flushed'],
    ],
  },
  {
    ...{ id: 'what getters and conversions change', language: 'javascript' },
    artifact: `
export class Cart { count = 0; items = [1, 2]; get total() { return this.items.length; } }
export class Tag { uses = 0; constructor(text) { this.text = text + ''; } toString() { return this.text; } }
export class Pool { used = 0; }
export class Item { constructor(pool) { this.pool = pool; } get value() { return 1; } }
export const createLexer = (text) => ({ at: 0, get peek() { return text[this.at]; } });
export class Limiter { constructor(left) { this.left = left; } get allowed() { return this.left-- > 0; } }
export class Setting { constructor(name) { this.name = name; } get() { return process.env[this.name]; } }
export class Sorted { constructor(list) { this.list = list; } }
export class Clock { constructor(now) { this.now = now; } time() { return this.now(); } }
`,
    tests: `
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Cart, Clock, Item, Limiter, Pool, Setting, Sorted, Tag, createLexer } from 'solution';
test('a getter', () => { const cart = new Cart(); assert.equal(cart.count, 0); assert.equal(cart.total, 2); assert.equal(cart.count, 0); });
test('a text', () => { const tag = new Tag('a'); assert.equal(tag.uses, 0); assert.equal(String(tag), 'a'); assert.equal(tag.uses, 0); });
test('another object', () => { const pool = new Pool(); const item = new Item(pool); assert.equal(pool.used, 0); assert.equal(item.value, 1); assert.equal(pool.used, 0); });
test('of a factory', () => { const lexer = createLexer('ab'); assert.equal(lexer.at, 0); assert.equal(lexer.peek, 'a'); assert.equal(lexer.at, 0); });
test('an environment that is read late', () => { process.env.LATE = '1'; const setting = new Setting('LATE'); process.env.LATE = '2'; assert.equal(setting.get(), '2'); });
test('an argument that stays', () => { const list = [2, 1]; const sorted = new Sorted(list); assert.deepEqual(list, [2, 1]); assert.equal(sorted.list, list); });
test('a clock that is asked late', () => { const now = mock.fn(() => 1); const clock = new Clock(now); assert.equal(now.mock.callCount(), 0); assert.equal(clock.time(), 1); });
`,
    wrong: [
      ['get total() {', 'get total() { this.count += 1;', 'a getter'],
      ['toString() {', 'toString() { this.uses += 1;', 'a text'],
      ['get value() {', 'get value() { this.pool.used += 1;', 'another object'],
      ['text[this.at];', 'text[this.at++];', 'of a factory'],
      [
        '{ this.name = name; } get() { return process.env[this.name]; }',
        '{ this.name = process.env[name]; } get() { return this.name; }',
        'an environment that is read late',
      ],
      ['{ this.list = list; }', '{ this.list = list.sort(); }', 'an argument that stays'],
      ['{ this.now = now; }', '{ this.now = now; this.begun = now(); }', 'a clock that is asked late'],
    ],
  },
  {
    ...{ id: 'mocks and errors of the web', language: 'javascript' },
    artifact: `
export class Model { constructor(data) { Object.assign(this, data); } save() { return this.persist({ ...this }); } persist(row) { return row; } }
export class Clock { get now() { return 1; } next() { return this.now + 1; } }
export class Repository { static find(id) { return { id }; } static title(id) { return 'T' + this.find(id).id; } }
export const emit = (call) => { call.call({ id: 7 }, 'a'); };
export const decode = (text) => { if (text === '') throw new DOMException('empty', 'InvalidCharacterError'); return text; };
export const stopped = (signal) => { try { signal.throwIfAborted(); return 'no'; } catch (error) { return error instanceof DOMException ? error.name : 'other'; } };
`,
    tests: `
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Clock, Model, Repository, decode, emit, stopped } from 'solution';
test('is not listed', (t) => { const model = new Model({ name: 'a' }); const spy = t.mock.method(model, 'persist', () => 1); assert.equal(model.save(), 1); assert.deepEqual(spy.mock.calls[0].arguments, [{ name: 'a' }]); spy.mock.restore(); assert.deepEqual(Object.keys(model), ['name']); assert.deepEqual(model.save(), { name: 'a' }); });
test('a getter', (t) => { const clock = new Clock(); t.mock.getter(clock, 'now', () => 10); assert.equal(clock.next(), 11); });
test('a defined getter', () => { const clock = new Clock(); Object.defineProperty(clock, 'now', { get: () => 10 }); assert.equal(clock.next(), 11); });
test('a static method', (t) => { const spy = t.mock.method(Repository, 'find', (id) => ({ id: id * 10 })); assert.equal(Repository.title(1), 'T10'); assert.equal(spy.mock.callCount(), 1); spy.mock.restore(); assert.equal(Repository.title(1), 'T1'); });
test('is called on', () => { const spy = mock.fn(); emit(spy); assert.equal(spy.mock.calls[0].this.id, 7); });
test('is thrown', () => { assert.throws(() => decode(''), DOMException); assert.throws(() => decode(''), { name: 'InvalidCharacterError', message: 'empty', code: 5 }); });
test('is the reason', () => { const controller = new AbortController(); controller.abort(); assert.equal(stopped(controller.signal), 'AbortError'); });
`,
    wrong: [
      ['{ ...this }', '{ ...this, more: 1 }', 'is not listed'],
      ['return this.now + 1;', 'return 2;', 'a getter'],
      ['this.find(id).id', 'id', 'a static method'],
      ['{ id: 7 }', '{ id: 8 }', 'is called on'],
      ["new DOMException('empty', 'InvalidCharacterError')", "new Error('empty')", 'is thrown'],
      ['? error.name', '? error.message', 'is the reason'],
    ],
  },
  {
    ...{ id: 'more than a message takes', language: 'javascript' },
    artifact: `
export class World { constructor(all) { this.all = all; } step() { for (const each of this.all) each.x += 1; } }
export const chain = (count) => Array.from({ length: count }).reduce((next) => ({ next }), null);
export const spread = (call, count) => call(...Array(count).keys());
export const put = (store, name) => { store[name] = 1; };
export const one = () => 1;
`,
    tests: `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { World, chain, one, put, spread } from 'solution';
class Store {}
const made = (count) => { const all = Array.from({ length: count }, (_, x) => ({ x })); new World(all).step(); return all; };
test('many that change', () => { assert.deepEqual(made(150).map(({ x }) => x), Array.from({ length: 150 }, (_, x) => x + 1)); });
test('many levels', () => { let depth = 0; for (let each = chain(60); each !== null; each = each.next) depth += 1; assert.equal(depth, 60); });
test('many arguments', () => { assert.equal(spread((...all) => all.length, 1500), 1500); });
test('a long name', () => { const store = new Store(); const name = 'k'.repeat(300); put(store, name); assert.equal(store[name], 1); });
test('one', () => { assert.equal(one(), 1); });
`,
    wrong: [
      ['each.x += 1;', 'each.x += each.x === 120 ? 2 : 1;', 'many that change'],
      ['{ length: count }).reduce', '{ length: count - 1 }).reduce', 'many levels'],
      ['call(...Array(count).keys())', 'call(...Array(count - 1).keys())', 'many arguments'],
      ['store[name] = 1;', 'store[name.slice(1)] = 1;', 'a long name'],
    ],
  },
  {
    ...{ id: 'methods of plain objects of the test, called on these', language: 'javascript' },
    artifact: `
export const show = (o, key) => o[key]();
export const render = (template, view) => template.replace(/\\{(\\w+)\\}/g, (_, key) => { const value = view[key]; return typeof value === 'function' ? value.call(view) : value; });
export const all = (o, keys) => keys.map((key) => o[key](key));
export const free = (o) => { const { now } = o; return now(); };
`,
    tests: `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, free, render, show } from 'solution';
const base = { full() { return this.first + ' B'; }, count() { this.n = (this.n ?? 0) + 1; return this.n; } };
test('getter', () => { assert.equal(show({ get age() { return 1; }, first: 'A', full() { return this.first + ' B'; } }, 'full'), 'A B'); });
test('inherits', () => { assert.equal(show(Object.assign(Object.create(base), { first: 'A' }), 'full'), 'A B'); });
test('view', () => { assert.equal(render('{name} is {age}: {label}', { get name() { return 'Ann'; }, age: 3, label() { return this.name + this.age; } }), 'Ann is 3: Ann3'); });
test('changes', () => { const o = Object.assign(Object.create(base), { first: 'A', twice(key) { return this.first + key; } }); assert.deepEqual(all(o, ['count', 'count', 'twice']), [1, 2, 'Atwice']); assert.equal(o.n, 2); });
test('needs no object', () => { assert.equal(free({ get age() { return 1; }, now: () => 5 }), 5); assert.equal(free(Object.create({ now() { return this === undefined; } })), true); });
`,
    wrong: [
      ['(o, key) => o[key]()', '(o, key) => { const f = o[key]; return f(); }', 'getter'],
      ['(o, key) => o[key]()', '(o, key) => (0, o[key])()', 'inherits'],
      ['value.call(view)', 'value()', 'view'],
      ['keys.map((key) => o[key](key))', 'keys.map((key) => o[key].call({}, key))', 'changes'],
      ['const { now } = o; return now();', 'return o.now();', 'needs no object'],
    ],
  },
];
