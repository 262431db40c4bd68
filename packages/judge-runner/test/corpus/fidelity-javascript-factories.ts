import type { FidelityCase } from './fidelity-case.ts';

const head = `import test, { describe, it, beforeEach, mock } from 'node:test';
import assert from 'node:assert/strict';
`;
/** Correct modules that answer objects with methods, getters and content of their own, with ordinary tests. */
export const fidelityJavascriptFactories: readonly FidelityCase[] = [
  {
    id: 'counters',
    artifact: `
export const createCounter = (start = 0) => { let n = start; return { inc() { n += 1; return n; }, dec() { n -= 1; return n; }, reset() { n = start; }, get value() { return n; } }; };
export const createTally = () => ({ total: 0, seen: [], add(x) { this.total += x; this.seen.push(x); return this; }, get mean() { return this.total / this.seen.length; } });
export function makeGauge({ min, max }) {
  let level = min;
  const api = { raise(by = 1) { level = Math.min(max, level + by); return api; }, lower(by = 1) { level = Math.max(min, level - by); return api; }, get level() { return level; }, get isFull() { return level === max; } };
  return api;
}
export const createIds = (prefix) => { let last = 0; return { next: () => prefix + ++last, get last() { return last; } }; };
`,
    tests:
      head +
      `
import { createCounter, createIds, createTally, makeGauge } from 'solution';
describe('counter', () => {
  let counter;
  beforeEach(() => { counter = createCounter(5); });
  it('starts at its start', () => { assert.equal(counter.value, 5); });
  it('counts up and down', () => { counter.inc(); counter.inc(); counter.dec(); assert.equal(counter.value, 6); });
  it('answers the new value', () => { assert.equal(counter.inc(), 6); assert.equal(counter.value, 6); });
  it('resets', () => { counter.inc(); counter.reset(); assert.strictEqual(counter.value, 5); });
  it('is independent of others', () => { const other = createCounter(); other.inc(); assert.deepEqual([counter.value, other.value], [5, 1]); });
  it('can be taken apart', () => { const { inc } = counter; inc(); assert.equal(counter.value, 6); });
});
test('tally uses this', () => { const t = createTally(); t.add(2).add(4); assert.equal(t.total, 6); assert.deepEqual(t.seen, [2, 4]); assert.equal(t.mean, 3); });
test('gauge is bounded', () => { const g = makeGauge({ min: 0, max: 2 }); assert.equal(g.isFull, false); g.raise().raise().raise(); assert.equal(g.level, 2); assert.ok(g.isFull); g.lower(5); assert.equal(g.level, 0); });
test('ids count', () => { const ids = createIds('u'); assert.equal(ids.next(), 'u1'); assert.equal(ids.next(), 'u2'); assert.equal(ids.last, 2); });
`,
  },
  {
    id: 'stores',
    artifact: `
export function createStore(reducer, initial) {
  let state = initial;
  const listeners = new Set();
  return {
    getState: () => state,
    dispatch(action) { state = reducer(state, action); for (const each of [...listeners]) each(state, action); return action; },
    subscribe(listener) { listeners.add(listener); return () => listeners.delete(listener); },
    get listenerCount() { return listeners.size; },
  };
}
export function createSettings(defaults) {
  const values = { ...defaults };
  return { get: (key) => values[key], set(key, value) { if (!(key in defaults)) throw new RangeError('unknown setting: ' + key); values[key] = value; return this; }, get changed() { return Object.keys(values).filter((key) => values[key] !== defaults[key]); }, toJSON: () => ({ ...values }) };
}
export const createUndo = (initial) => ({ past: [], present: initial, future: [],
  set(next) { this.past.push(this.present); this.present = next; this.future = []; },
  undo() { if (this.past.length === 0) return false; this.future.unshift(this.present); this.present = this.past.pop(); return true; },
  redo() { if (this.future.length === 0) return false; this.past.push(this.present); this.present = this.future.shift(); return true; },
  get canUndo() { return this.past.length > 0; } });
export const createObservable = (value) => { const subs = []; return { get value() { return value; }, set value(next) { const old = value; value = next; for (const each of subs) each(next, old); }, subscribe(run) { subs.push(run); } }; };
`,
    tests:
      head +
      `
import { createObservable, createSettings, createStore, createUndo } from 'solution';
const reducer = (state, action) => (action.type === 'add' ? { ...state, items: [...state.items, action.item] } : state);
describe('store', () => {
  let store;
  beforeEach(() => { store = createStore(reducer, { items: [] }); });
  it('has its first state', () => assert.deepEqual(store.getState(), { items: [] }));
  it('reduces', () => { store.dispatch({ type: 'add', item: 'milk' }); assert.deepEqual(store.getState().items, ['milk']); });
  it('answers the action', () => { const action = { type: 'noop' }; assert.strictEqual(store.dispatch(action), action); });
  it('keeps the state for unknown actions', () => { const before = store.getState(); store.dispatch({ type: 'x' }); assert.strictEqual(store.getState(), before); });
  it('notifies', () => { const fn = mock.fn(); store.subscribe(fn); store.dispatch({ type: 'add', item: 1 }); assert.equal(fn.mock.callCount(), 1); assert.deepEqual(fn.mock.calls[0].arguments[0], { items: [1] }); });
  it('stops notifying', () => { const fn = mock.fn(); const stop = store.subscribe(fn); assert.equal(store.listenerCount, 1); stop(); store.dispatch({ type: 'x' }); assert.equal(fn.mock.callCount(), 0); assert.equal(store.listenerCount, 0); });
});
describe('settings', () => {
  it('chains and lists changes', () => { const s = createSettings({ theme: 'light', size: 12 }); s.set('theme', 'dark').set('size', 12); assert.deepEqual(s.changed, ['theme']); assert.equal(s.get('theme'), 'dark'); });
  it('refuses unknown names', () => { assert.throws(() => createSettings({}).set('x', 1), { name: 'RangeError', message: /unknown setting: x/ }); });
  it('is written as JSON', () => { assert.equal(JSON.stringify(createSettings({ a: 1 })), '{"a":1}'); });
});
describe('undo', () => {
  it('goes back and forth', () => { const u = createUndo('a'); u.set('b'); u.set('c'); assert.equal(u.undo(), true); assert.equal(u.present, 'b'); assert.deepEqual(u.future, ['c']); assert.equal(u.redo(), true); assert.equal(u.present, 'c'); });
  it('stops at the ends', () => { const u = createUndo(1); assert.equal(u.canUndo, false); assert.equal(u.undo(), false); u.set(2); assert.ok(u.canUndo); assert.equal(u.redo(), false); });
  it('forgets the future', () => { const u = createUndo(1); u.set(2); u.undo(); u.set(3); assert.deepEqual(u.future, []); assert.deepEqual(u.past, [1]); });
});
test('observable', () => { const o = createObservable(1); const seen = []; o.subscribe((next, old) => seen.push([next, old])); o.value = 2; assert.equal(o.value, 2); assert.deepEqual(seen, [[2, 1]]); });
`,
  },
  {
    id: 'queues-and-caches',
    artifact: `
export function createQueue() { const items = []; return { enqueue(x) { items.push(x); return items.length; }, dequeue() { if (items.length === 0) throw new Error('queue is empty'); return items.shift(); }, peek: () => items[0], get size() { return items.length; }, get isEmpty() { return items.length === 0; }, clear() { items.length = 0; }, [Symbol.iterator]: () => items[Symbol.iterator]() }; }
export function createLru(capacity) {
  const map = new Map(); const stats = { hits: 0, misses: 0 };
  return { get(key) { if (!map.has(key)) { stats.misses += 1; return undefined; } const value = map.get(key); map.delete(key); map.set(key, value); stats.hits += 1; return value; },
    set(key, value) { map.delete(key); map.set(key, value); if (map.size > capacity) map.delete(map.keys().next().value); },
    has: (key) => map.has(key), delete: (key) => map.delete(key), get size() { return map.size; }, get stats() { return { ...stats }; }, keys: () => [...map.keys()] };
}
export function createPriorityQueue(compare = (a, b) => a - b) { const heap = []; return { push(x) { heap.push(x); heap.sort(compare); }, pop: () => heap.shift(), peek: () => heap[0], get length() { return heap.length; } }; }
export function memoize(fn) { const cache = new Map(); const run = (x) => { if (!cache.has(x)) cache.set(x, fn(x)); return cache.get(x); }; run.cache = cache; run.clear = () => cache.clear(); return run; }
export const createRing = (size) => { let data = []; return { push(x) { data = [...data, x].slice(-size); }, toArray: () => [...data], get full() { return data.length === size; } }; };
`,
    tests:
      head +
      `
import { createLru, createPriorityQueue, createQueue, createRing, memoize } from 'solution';
test('queue is first in, first out', () => { const q = createQueue(); q.enqueue('a'); q.enqueue('b'); assert.equal(q.dequeue(), 'a'); assert.equal(q.dequeue(), 'b'); });
test('queue has a size', () => { const q = createQueue(); assert.ok(q.isEmpty); assert.equal(q.enqueue(1), 1); assert.equal(q.size, 1); assert.ok(!q.isEmpty); q.clear(); assert.equal(q.size, 0); });
test('empty queue throws', () => { const q = createQueue(); assert.throws(() => q.dequeue(), /queue is empty/); assert.equal(q.peek(), undefined); });
test('queue is iterable', () => { const q = createQueue(); q.enqueue(1); q.enqueue(2); assert.deepEqual([...q], [1, 2]); });
test('lru evicts the oldest', () => { const c = createLru(2); c.set('a', 1); c.set('b', 2); c.get('a'); c.set('c', 3); assert.equal(c.has('b'), false); assert.deepEqual(c.keys(), ['a', 'c']); assert.equal(c.size, 2); });
test('lru counts', () => { const c = createLru(2); c.set('a', 1); c.get('a'); c.get('x'); assert.deepEqual(c.stats, { hits: 1, misses: 1 }); });
test('lru deletes', () => { const c = createLru(2); c.set('a', 1); assert.equal(c.delete('a'), true); assert.equal(c.delete('a'), false); assert.equal(c.size, 0); });
test('lru keeps objects', () => { const c = createLru(2); const o = { deep: [1] }; c.set('o', o); assert.strictEqual(c.get('o'), o); });
test('priority', () => { const p = createPriorityQueue(); for (const x of [3, 1, 2]) p.push(x); assert.equal(p.length, 3); assert.deepEqual([p.pop(), p.pop(), p.pop()], [1, 2, 3]); assert.equal(p.length, 0); });
test('priority with an order', () => { const p = createPriorityQueue((a, b) => b.rank - a.rank); p.push({ id: 'low', rank: 1 }); p.push({ id: 'high', rank: 9 }); assert.equal(p.peek().id, 'high'); });
test('memoize', () => { const fn = mock.fn((x) => x * 2); const twice = memoize(fn); assert.equal(twice(2), 4); assert.equal(twice(2), 4); assert.equal(fn.mock.callCount(), 1); assert.equal(twice.cache.size, 1); twice.clear(); assert.equal(twice.cache.size, 0); });
test('memoize keeps identity', () => { const make = memoize((x) => ({ x })); assert.strictEqual(make(1), make(1)); assert.notStrictEqual(make(1), make(2)); });
test('ring', () => { const r = createRing(2); r.push(1); assert.equal(r.full, false); r.push(2); r.push(3); assert.equal(r.full, true); assert.deepEqual(r.toArray(), [2, 3]); });
`,
  },
  {
    id: 'emitters-and-machines',
    artifact: `
import { EventEmitter } from 'node:events';
export class Bus extends EventEmitter { publish(topic, data) { return this.emit(topic, data); } }
export const createBus = () => new Bus();
export function createEmitter() { const all = {}; return { all, on(type, run) { (all[type] ??= []).push(run); return () => this.off(type, run); }, off(type, run) { all[type] = (all[type] ?? []).filter((each) => each !== run); }, emit(type, ...args) { for (const each of all[type] ?? []) each(...args); }, once(type, run) { const off = this.on(type, (...args) => { off(); run(...args); }); } }; }
export function createMachine({ initial, states }) {
  let current = initial; const history = [initial];
  return { get state() { return current; }, get history() { return [...history]; }, can: (event) => event in (states[current].on ?? {}), send(event) { const next = states[current].on?.[event]; if (next === undefined) throw new Error('cannot ' + event + ' from ' + current); current = next; history.push(next); return current; }, get done() { return states[current].on === undefined; } };
}
export class Toggle { #on = false; static create() { return new Toggle(); } flip() { this.#on = !this.#on; return this; } get on() { return this.#on; } }
`,
    tests:
      head +
      `
import { EventEmitter } from 'node:events';
import { Bus, createBus, createEmitter, createMachine, Toggle } from 'solution';
test('bus is an emitter', () => { assert.ok(new Bus() instanceof EventEmitter); assert.ok(createBus() instanceof Bus); });
test('bus publishes', () => { const bus = createBus(); const fn = mock.fn(); bus.on('x', fn); assert.equal(bus.publish('x', 1), true); assert.equal(bus.publish('y', 1), false); assert.deepEqual(fn.mock.calls.map((c) => c.arguments), [[1]]); assert.equal(bus.listenerCount('x'), 1); });
test('emitter calls', () => { const e = createEmitter(); const got = []; e.on('a', (...args) => got.push(args)); e.emit('a', 1, 2); assert.deepEqual(got, [[1, 2]]); });
test('emitter forgets', () => { const e = createEmitter(); const fn = mock.fn(); const off = e.on('a', fn); off(); e.emit('a'); assert.equal(fn.mock.callCount(), 0); });
test('emitter once', () => { const e = createEmitter(); const fn = mock.fn(); e.once('a', fn); e.emit('a', 1); e.emit('a', 2); assert.equal(fn.mock.callCount(), 1); });
test('emitter shows listeners', () => { const e = createEmitter(); const run = () => {}; e.on('a', run); assert.strictEqual(e.all.a[0], run); assert.equal(e.all.a.length, 1); });
const light = { initial: 'green', states: { green: { on: { NEXT: 'yellow' } }, yellow: { on: { NEXT: 'red' } }, red: {} } };
test('machine moves', () => { const m = createMachine(light); assert.equal(m.state, 'green'); assert.equal(m.send('NEXT'), 'yellow'); assert.equal(m.state, 'yellow'); assert.deepEqual(m.history, ['green', 'yellow']); });
test('machine ends', () => { const m = createMachine(light); m.send('NEXT'); m.send('NEXT'); assert.equal(m.done, true); assert.equal(m.can('NEXT'), false); assert.throws(() => m.send('NEXT'), { message: 'cannot NEXT from red' }); });
test('toggle', () => { const t = Toggle.create(); assert.equal(t.flip().on, true); assert.equal(t.flip().on, false); assert.ok(t instanceof Toggle); });
`,
  },
  {
    id: 'matrices',
    artifact: `
export class Matrix {
  constructor(rows) { if (rows.some((row) => row.length !== rows[0].length)) throw new RangeError('ragged'); this.rows = rows.map((row) => [...row]); }
  static zeros(r, c) { return new Matrix(Array.from({ length: r }, () => Array(c).fill(0))); }
  static identity(n) { return Matrix.zeros(n, n).map((_, i, j) => (i === j ? 1 : 0)); }
  get size() { return [this.rows.length, this.rows[0].length]; }
  at(i, j) { return this.rows[i][j]; }
  map(run) { return new Matrix(this.rows.map((row, i) => row.map((x, j) => run(x, i, j)))); }
  every(run) { return this.rows.every((row) => row.every(run)); }
  add(other) { return this.map((x, i, j) => x + other.at(i, j)); }
  mul(other) { return new Matrix(this.rows.map((row) => other.transpose().rows.map((col) => row.reduce((s, x, k) => s + x * col[k], 0)))); }
  transpose() { return new Matrix(this.rows[0].map((_, j) => this.rows.map((row) => row[j]))); }
  equals(other) { return JSON.stringify(this.rows) === JSON.stringify(other.rows); }
  toString() { return this.rows.map((row) => row.join(' ')).join('\\n'); }
  toJSON() { return this.rows; }
  *[Symbol.iterator]() { for (const row of this.rows) yield* row; }
}
`,
    tests:
      head +
      `
import { Matrix } from 'solution';
const m = () => new Matrix([[1, 2], [3, 4]]);
test('size', () => assert.deepEqual(m().size, [2, 2]));
test('at', () => assert.equal(m().at(1, 0), 3));
test('ragged', () => assert.throws(() => new Matrix([[1], [1, 2]]), RangeError));
test('adds', () => assert.deepEqual(m().add(m()).rows, [[2, 4], [6, 8]]));
test('adds to a matrix', () => assert.deepEqual(m().add(m()), new Matrix([[2, 4], [6, 8]])));
test('multiplies', () => assert.deepEqual(m().mul(Matrix.identity(2)), m()));
test('zeros', () => assert.ok(Matrix.zeros(2, 3).every((x) => x === 0)));
test('maps', () => assert.deepEqual(Matrix.zeros(2, 2).map(() => 1), Matrix.zeros(2, 2).map(() => 2 - 1)));
test('transposes', () => assert.deepEqual(m().transpose().rows, [[1, 3], [2, 4]]));
test('equals', () => { assert.ok(m().equals(m())); assert.ok(!m().equals(Matrix.zeros(2, 2))); });
test('text', () => { assert.equal(m().toString(), '1 2\\n3 4'); assert.equal(String(m()), '1 2\\n3 4'); });
test('json', () => assert.equal(JSON.stringify(m()), '[[1,2],[3,4]]'));
test('iterates', () => assert.deepEqual([...m()], [1, 2, 3, 4]));
`,
  },
  {
    id: 'texts-and-parsers',
    artifact: `
export const words = (text) => text.toLowerCase().match(/[a-z']+/g) ?? [];
export const tokenize = (text) => [...text.matchAll(/(?<number>\\d+)|(?<op>[+*()-])/g)].map((m) => (m.groups.number ? { type: 'number', value: Number(m[0]) } : { type: 'op', value: m[0] }));
export const parseDate = (text) => /(?<year>\\d{4})-(?<month>\\d\\d)-(?<day>\\d\\d)/.exec(text);
export const frequencies = (text) => { const found = new Map(); for (const w of words(text)) found.set(w, (found.get(w) ?? 0) + 1); return found; };
export const slug = (text) => words(text).join('-');
export const withQuery = (base, query) => { const url = new URL(base); for (const [k, v] of Object.entries(query)) url.searchParams.set(k, v); return url; };
export const splitLines = (text) => ({ *[Symbol.iterator]() { yield* text.split('\\n'); } });
export const encode = (text) => new TextEncoder().encode(text);
export function* chunks(list, n) { for (let i = 0; i < list.length; i += n) yield list.slice(i, i + n); }
export class ParseError extends SyntaxError { constructor(message, at) { super(message + ' at ' + at); this.name = 'ParseError'; this.at = at; } }
export const parsePair = (text) => { const at = text.indexOf('='); if (at < 0) throw new ParseError('no =', text.length); return [text.slice(0, at), text.slice(at + 1)]; };
export const template = (text) => { const names = [...text.matchAll(/\\{(\\w+)\\}/g)].map((m) => m[1]); return { names, render: (values) => text.replace(/\\{(\\w+)\\}/g, (_, name) => values[name] ?? '') }; };
`,
    tests:
      head +
      `
import { chunks, encode, frequencies, ParseError, parseDate, parsePair, slug, splitLines, template, tokenize, withQuery, words } from 'solution';
test('words', () => { assert.deepEqual(words("It's me"), ["it's", 'me']); assert.deepEqual(words('12'), []); });
test('words join', () => assert.equal(words('A b').join('-'), 'a-b'));
test('tokens', () => assert.deepEqual(tokenize('1+2'), [{ type: 'number', value: 1 }, { type: 'op', value: '+' }, { type: 'number', value: 2 }]));
test('groups', () => { const { groups } = parseDate('on 2024-02-03'); assert.equal(groups.year, '2024'); assert.deepEqual({ ...groups }, { year: '2024', month: '02', day: '03' }); });
test('match', () => { const found = parseDate('on 2024-02-03'); assert.equal(found[0], '2024-02-03'); assert.equal(found.index, 3); assert.equal(parseDate('x'), null); });
test('frequencies', () => { const f = frequencies('a b a'); assert.equal(f.get('a'), 2); assert.equal(f.size, 2); assert.deepEqual([...f], [['a', 2], ['b', 1]]); });
test('slug', () => assert.equal(slug('Hello, World!'), 'hello-world'));
test('url', () => { const url = withQuery('https://a.org/x', { q: 'a b' }); assert.equal(String(url), 'https://a.org/x?q=a+b'); assert.equal(url.href, 'https://a.org/x?q=a+b'); assert.equal(url.searchParams.get('q'), 'a b'); assert.equal(url.pathname, '/x'); });
test('lines', () => assert.deepEqual([...splitLines('a\\nb')], ['a', 'b']));
test('bytes', () => { const bytes = encode('hi'); assert.deepEqual([...bytes], [104, 105]); assert.equal(bytes.buffer.byteLength, 2); });
test('chunks', () => { assert.deepEqual([...chunks([1, 2, 3], 2)], [[1, 2], [3]]); assert.deepEqual(Array.from(chunks([], 2)), []); });
test('pair', () => { assert.deepEqual(parsePair('a=b=c'), ['a', 'b=c']); assert.throws(() => parsePair('abc'), (error) => error instanceof ParseError && error instanceof SyntaxError && error.at === 3); });
test('template', () => { const t = template('Hi {name}!'); assert.deepEqual(t.names, ['name']); assert.equal(t.render({ name: 'Bo' }), 'Hi Bo!'); });
`,
  },
  {
    id: 'money-dates-and-validators',
    artifact: `
const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
export class Money { constructor(cents, currency = 'USD') { if (!Number.isInteger(cents)) throw new TypeError('cents must be whole'); this.cents = cents; this.currency = currency; Object.freeze(this); } plus(o) { if (o.currency !== this.currency) throw new Error('currencies differ'); return new Money(this.cents + o.cents, this.currency); } times(n) { return new Money(Math.round(this.cents * n), this.currency); } toString() { return format.format(this.cents / 100); } toJSON() { return { amount: this.cents / 100, currency: this.currency }; } static parse(text) { return new Money(Math.round(Number(text.replace('$', '')) * 100)); } }
export const allocate = (money, parts) => { const base = Math.floor(money.cents / parts); return Array.from({ length: parts }, (_, i) => new Money(base + (i < money.cents % parts ? 1 : 0))); };
export const addDays = (date, n) => { const copy = new Date(date); copy.setUTCDate(copy.getUTCDate() + n); return copy; };
export const createClock = (now) => ({ now: () => new Date(now), advance(ms) { now += ms; return this; }, get iso() { return new Date(now).toISOString(); } });
export const object = (shape) => ({ parse(input) { const issues = []; const out = {}; for (const [key, check] of Object.entries(shape)) { const issue = check(input[key]); if (issue) issues.push({ path: key, message: issue }); else out[key] = input[key]; } if (issues.length) throw Object.assign(new Error('invalid'), { issues }); return out; }, safeParse(input) { try { return { success: true, data: this.parse(input) }; } catch (error) { return { success: false, error }; } } });
export const string = (value) => (typeof value === 'string' ? null : 'expected a string');
export const number = (value) => (typeof value === 'number' ? null : 'expected a number');
export const freeze = (config) => Object.freeze({ ...config, tags: Object.freeze([...config.tags]) });
`,
    tests:
      head +
      `
import { addDays, allocate, createClock, freeze, Money, number, object, string } from 'solution';
test('adds money', () => assert.deepEqual(new Money(150).plus(new Money(250)), new Money(400)));
test('money as text', () => { assert.equal(String(new Money(123456)), '$1,234.56'); assert.equal(\`\${new Money(5)}\`, '$0.05'); });
test('money as json', () => { assert.equal(JSON.stringify(new Money(5)), '{"amount":0.05,"currency":"USD"}'); assert.equal(JSON.stringify({ total: new Money(100).times(2) }), '{"total":{"amount":2,"currency":"USD"}}'); });
test('money parses', () => assert.equal(Money.parse('$12.30').cents, 1230));
test('money is frozen', () => { assert.ok(Object.isFrozen(new Money(1))); assert.throws(() => { new Money(1).cents = 5; }, TypeError); });
test('whole cents', () => assert.throws(() => new Money(1.5), { name: 'TypeError', message: 'cents must be whole' }));
test('currencies', () => assert.throws(() => new Money(1).plus(new Money(1, 'EUR')), /currencies differ/));
test('allocates', () => assert.deepEqual(allocate(new Money(100), 3).map((m) => m.cents), [34, 33, 33]));
test('allocates all', () => { const parts = allocate(new Money(101), 4); assert.equal(parts.reduce((sum, each) => sum + each.cents, 0), 101); assert.ok(parts.every((each) => each instanceof Money)); });
test('days', () => { const start = new Date('2024-02-28T00:00:00Z'); assert.deepEqual(addDays(start, 2), new Date('2024-03-01T00:00:00Z')); assert.equal(start.toISOString(), '2024-02-28T00:00:00.000Z'); });
test('clock', () => { const clock = createClock(0); clock.advance(1000).advance(500); assert.equal(clock.now().getTime(), 1500); assert.equal(clock.iso, '1970-01-01T00:00:01.500Z'); });
const user = object({ name: string, age: number });
test('valid', () => assert.deepEqual(user.parse({ name: 'a', age: 1, x: 2 }), { name: 'a', age: 1 }));
test('invalid', () => assert.throws(() => user.parse({ name: 1 }), (error) => { assert.deepEqual(error.issues, [{ path: 'name', message: 'expected a string' }, { path: 'age', message: 'expected a number' }]); return true; }));
test('safe', () => { const good = user.safeParse({ name: 'a', age: 1 }); assert.equal(good.success, true); assert.deepEqual(good.data, { name: 'a', age: 1 }); const bad = user.safeParse({}); assert.equal(bad.success, false); assert.equal(bad.error.issues.length, 2); });
test('frozen config', () => { const c = freeze({ tags: ['a'] }); assert.ok(Object.isFrozen(c)); assert.ok(Object.isFrozen(c.tags)); assert.throws(() => c.tags.push('b'), TypeError); });
`,
  },
  {
    id: 'pools-and-iterators',
    artifact: `
export function createPool(size) { let active = 0; let peak = 0; const waiting = []; const next = () => { if (active >= size || waiting.length === 0) return; const { task, resolve, reject } = waiting.shift(); active += 1; peak = Math.max(peak, active); Promise.resolve().then(task).then(resolve, reject).finally(() => { active -= 1; next(); }); }; return { run: (task) => new Promise((resolve, reject) => { waiting.push({ task, resolve, reject }); next(); }), get active() { return active; }, get pending() { return waiting.length; }, get peak() { return peak; } }; }
export function deferred() { const d = {}; d.promise = new Promise((resolve, reject) => { d.resolve = resolve; d.reject = reject; }); return d; }
export const createMutex = () => { let last = Promise.resolve(); let locked = false; return { get locked() { return locked; }, async acquire() { const before = last; let release; last = new Promise((r) => { release = r; }); await before; locked = true; return () => { locked = false; release(); }; } }; };
export class Range { constructor(from, to, step = 1) { Object.assign(this, { from, to, step }); } *[Symbol.iterator]() { for (let x = this.from; x < this.to; x += this.step) yield x; } includes(x) { return x >= this.from && x < this.to && (x - this.from) % this.step === 0; } get length() { return Math.max(0, Math.ceil((this.to - this.from) / this.step)); } toArray() { return [...this]; } }
export const lazy = (source) => ({ map: (run) => lazy((function* map() { for (const x of source) yield run(x); })()), filter: (run) => lazy((function* filter() { for (const x of source) if (run(x)) yield x; })()), take: (n) => lazy((function* take() { let i = 0; if (n > 0) for (const x of source) { yield x; i += 1; if (i >= n) return; } })()), toArray: () => [...source], [Symbol.iterator]: () => source[Symbol.iterator]() });
export const zip = (a, b) => a.map((x, i) => [x, b[i]]);
export class Stack extends Array { peek() { return this.at(-1); } get isEmpty() { return this.length === 0; } }
export const stackOf = (...items) => Stack.from(items);
export async function* ticker(n) { for (let i = 0; i < n; i += 1) yield i; }
export class Deck { #cards; constructor(cards) { this.#cards = [...cards]; } draw(n = 1) { return this.#cards.splice(0, n); } get left() { return this.#cards.length; } }
`,
    tests:
      head +
      `
import { createMutex, createPool, Deck, deferred, lazy, Range, Stack, stackOf, ticker, zip } from 'solution';
test('pool limits', async () => { const pool = createPool(2); const gates = [deferred(), deferred(), deferred()]; const runs = gates.map((g, i) => pool.run(() => g.promise.then(() => i))); assert.equal(pool.active, 2); assert.equal(pool.pending, 1); for (const g of gates) g.resolve(); assert.deepEqual(await Promise.all(runs), [0, 1, 2]); assert.equal(pool.peak, 2); assert.equal(pool.pending, 0); });
test('pool passes errors on', async () => { const pool = createPool(1); await assert.rejects(pool.run(async () => { throw new Error('task failed'); }), /task failed/); assert.equal(await pool.run(() => 7), 7); });
test('pool rejects with the very error', async () => { const pool = createPool(1); const error = new Error('mine'); await assert.rejects(pool.run(() => Promise.reject(error)), (found) => found === error); });
test('deferred', async () => { const d = deferred(); setTimeout(() => d.resolve('ok'), 1); assert.equal(await d.promise, 'ok'); });
test('mutex', async () => { const m = createMutex(); const release = await m.acquire(); assert.equal(m.locked, true); release(); assert.equal(m.locked, false); });
test('range', () => { const r = new Range(0, 10, 3); assert.deepEqual([...r], [0, 3, 6, 9]); assert.equal(r.length, 4); assert.ok(r.includes(6)); assert.ok(!r.includes(7)); assert.deepEqual(r.toArray(), [0, 3, 6, 9]); });
test('lazy', () => { assert.deepEqual(lazy([1, 2, 3, 4]).filter((x) => x % 2 === 0).map((x) => x * 10).toArray(), [20, 40]); });
test('lazy take', () => { const seen = []; const all = lazy([1, 2, 3]).map((x) => { seen.push(x); return x; }).take(2); assert.deepEqual([...all], [1, 2]); assert.deepEqual(seen, [1, 2]); });
test('zip', () => assert.deepEqual(zip([1, 2], ['a', 'b']), [[1, 'a'], [2, 'b']]));
test('stack', () => { const s = new Stack(); s.push(1); s.push(2); assert.equal(s.length, 2); assert.equal(s.peek(), 2); assert.equal(s.pop(), 2); assert.equal(s.isEmpty, false); assert.ok(Array.isArray(s)); });
test('stack of items', () => { const s = stackOf(1, 2); assert.ok(s instanceof Stack); assert.equal(s[0], 1); assert.deepEqual([...s], [1, 2]); });
test('ticker', async () => { const got = []; for await (const x of ticker(3)) got.push(x); assert.deepEqual(got, [0, 1, 2]); });
test('deck', () => { const d = new Deck(['a', 'b', 'c']); assert.deepEqual(d.draw(2), ['a', 'b']); assert.equal(d.left, 1); assert.deepEqual(d.draw(), ['c']); });
`,
  },
  {
    id: 'functions with properties',
    artifact: `
export class Money { constructor(n) { this.n = n; } static from(n) { return new Money(n); } static of(n) { return new Money(n); } static has(n) { return n > 0; } static equals(a, b) { return a.n === b.n; } }
export class Euro extends Money { static from(n) { return new Euro(n); } }
export const memo = (f) => { const held = new Map(); const own = (x) => { if (!held.has(x)) held.set(x, f(x)); return held.get(x); }; return Object.assign(own, { clear: () => held.clear(), size: () => held.size, cancel() { held.clear(); } }); };
export const createApp = () => { const routes = new Map(); const app = (path) => routes.get(path)?.(); return Object.assign(app, { get: (path, f) => { routes.set(path, f); return app; }, use: (f) => { f(app); return app; } }); };
export const registry = Object.assign(() => 'all', { get: (name) => (name === 'money' ? Money : null), has: (name) => name === 'money' });
const style = (open) => (text) => open + text;
export const paint = Object.assign((text) => text, { red: style('r'), bold: style('*') });
export default paint;
`,
    tests:
      head +
      `
import paint, { createApp, Euro, memo, Money, registry } from 'solution';
test('statics', () => { assert.equal(Money.from(3).n, 3); assert.equal(Money.of(3).n, 3); assert.ok(Money.has(1)); assert.ok(!Money.has(-1)); });
test('statics of two objects', () => { const a = new Money(1); assert.ok(Money.equals(a, new Money(1))); assert.ok(!Money.equals(a, new Money(2))); });
test('in a loop', () => { for (const kind of [Money, Euro]) { const made = kind.from(2); assert.equal(made.n, 2); assert.ok(made instanceof kind); } });
test('taken apart', () => { const { from } = Euro; assert.equal(from(7).n, 7); assert.deepEqual([1, 2].map(Money.from).map((m) => m.n), [1, 2]); });
test('answered', () => { assert.equal(registry.get('money'), Money); assert.ok(registry.get('money') === Money); const Kind = registry.get('money'); assert.equal(new Kind(4).n, 4); });
test('after it was answered', () => { assert.equal(Money.from(5).n, 5); assert.ok(Money.has(5)); });
test('registry', () => { assert.equal(registry(), 'all'); assert.ok(registry.has('money')); assert.ok(!registry.has('x')); });
test('memo', () => {
  const f = mock.fn((x) => x * 2);
  const own = memo(f);
  assert.equal(own(2) + own(2), 8);
  assert.equal(f.mock.callCount(), 1);
  own.clear();
  own(2);
  assert.equal(f.mock.callCount(), 2);
  own.cancel();
});
test('app', () => { const app = createApp(); app.get('/', () => 'home').get('/x', () => 'x'); app.use((own) => own.get('/y', () => 'y')); app.get('/z', () => 'z'); assert.deepEqual(['/x', '/y', '/z'].map((path) => app(path)), ['x', 'y', 'z']); });
test('paint', () => { assert.equal(paint('a'), 'a'); assert.equal(paint.red('a'), 'ra'); assert.equal(paint.bold('a'), '*a'); });
`,
    breaks: ['held.has(x)) held.set', 'held.get(x)) held.set'],
  },
];
