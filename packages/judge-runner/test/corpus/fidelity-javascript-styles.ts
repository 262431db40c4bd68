import type { FidelityCase } from './fidelity-case.ts';

const head = `import test, { describe, it, before, beforeEach, after, mock } from 'node:test';
import assert from 'node:assert/strict';
`;
/** Further correct modules with ordinary tests: events, promises, values, classes, objects that keep their identity. */
export const fidelityJavascriptStyles: readonly FidelityCase[] = [
  {
    id: 'emitter',
    artifact: `
import { EventEmitter } from 'node:events';
export class Store extends EventEmitter {
  #data = new Map();
  constructor(init = {}) { super(); for (const [k, v] of Object.entries(init)) this.#data.set(k, v); }
  set(k, v) { const old = this.#data.get(k); this.#data.set(k, v); this.emit('change', k, v, old); return this; }
  get(k) { return this.#data.get(k); }
  has(k) { return this.#data.has(k); }
  get size() { return this.#data.size; }
  *[Symbol.iterator]() { yield* this.#data; }
  toJSON() { return Object.fromEntries(this.#data); }
  static from(o) { return new Store(o); }
}
export class NotFoundError extends Error { constructor(key) { super('no ' + key); this.name = 'NotFoundError'; this.key = key; this.code = 'E_NOT_FOUND'; } }
export function find(o, path) { return path.split('.').reduce((a, k) => { if (a == null || !(k in a)) throw new NotFoundError(k); return a[k]; }, o); }
export const createStore = (init) => new Store(init);
export default Store;
`,
    tests:
      head +
      `
import Store, { createStore, find, NotFoundError } from 'solution';
describe('store', () => {
  let store;
  beforeEach(() => { store = new Store({ a: 1 }); });
  it('gets', () => { assert.equal(store.get('a'), 1); assert.equal(store.get('x'), undefined); });
  it('chains', () => { assert.equal(store.set('b', 2).set('c', 3).size, 3); });
  it('same', () => { assert.strictEqual(store.set('b', 2), store); });
  it('iterates', () => { assert.deepEqual([...store], [['a', 1]]); assert.deepEqual(new Map(store), new Map([['a', 1]])); });
  it('emits', () => { const fn = mock.fn(); store.on('change', fn); store.set('a', 5); assert.equal(fn.mock.callCount(), 1); assert.deepEqual(fn.mock.calls[0].arguments, ['a', 5, 1]); });
  it('once', (t, done) => { store.once('change', (k) => { assert.equal(k, 'z'); done(); }); store.set('z', 1); });
  it('json', () => { assert.equal(JSON.stringify(store), '{"a":1}'); });
  it('instance', () => { assert.ok(store instanceof Store); assert.ok(Store.from({}) instanceof Store); });
  it('creates', () => { assert.equal(createStore({ q: 1 }).has('q'), true); });
});
test('find', () => { assert.equal(find({ a: { b: 2 } }, 'a.b'), 2); });
test('throws', () => {
  assert.throws(() => find({}, 'a'), NotFoundError);
  assert.throws(() => find({}, 'a'), { name: 'NotFoundError', message: 'no a', code: 'E_NOT_FOUND', key: 'a' });
  assert.throws(() => find({}, 'a'), /no a/);
  assert.throws(() => find({}, 'a'), (e) => e instanceof NotFoundError && e.key === 'a');
});
`,
  },
  {
    id: 'async',
    artifact: `
export const sleep = (ms, v) => new Promise((r) => setTimeout(r, ms, v));
export async function retry(fn, { times = 3, onRetry } = {}) { for (let i = 1; ; i++) try { return await fn(i); } catch (e) { if (i >= times) throw e; onRetry?.(e, i); } }
export function limit(n) { let active = 0; const q = []; const next = () => { if (active >= n || !q.length) return; active++; const { fn, resolve, reject } = q.shift(); Promise.resolve().then(fn).then(resolve, reject).finally(() => { active--; next(); }); }; return (fn) => new Promise((resolve, reject) => { q.push({ fn, resolve, reject }); next(); }); }
export async function* paginate(fetchPage) { let cursor = null; do { const { items, next } = await fetchPage(cursor); yield* items; cursor = next; } while (cursor); }
export function debounce(fn, ms) { let t; return (...a) => { clearTimeout(t); t = setTimeout(() => fn(...a), ms); }; }
export class Queue { #q = []; #w = []; push(x) { const w = this.#w.shift(); w ? w(x) : this.#q.push(x); } shift() { return this.#q.length ? Promise.resolve(this.#q.shift()) : new Promise((r) => this.#w.push(r)); } get length() { return this.#q.length; } }
export const withTimeout = (p, ms) => Promise.race([p, new Promise((_, rej) => setTimeout(() => rej(new Error('timeout')), ms))]);
export async function abortable(signal) { if (signal.aborted) throw signal.reason; return new Promise((_, rej) => signal.addEventListener('abort', () => rej(signal.reason))); }
export const parallel = (fns) => Promise.allSettled(fns.map((f) => f()));
`,
    tests:
      head +
      `
import { sleep, retry, limit, paginate, debounce, Queue, withTimeout, parallel } from 'solution';
test('sleep', async () => { assert.equal(await sleep(1, 'x'), 'x'); });
test('retry', async () => { const seen = []; const r = await retry(async (i) => { if (i < 3) throw new Error('no' + i); return i; }, { onRetry: (e, i) => seen.push([e.message, i]) }); assert.equal(r, 3); assert.deepEqual(seen, [['no1', 1], ['no2', 2]]); });
test('retry fails', async () => { await assert.rejects(retry(() => { throw new TypeError('bad'); }, { times: 2 }), { name: 'TypeError', message: 'bad' }); });
test('limit', async () => { const l = limit(2); const r = await Promise.all([1, 2, 3].map((x) => l(async () => x * 2))); assert.deepEqual(r, [2, 4, 6]); });
test('paginate', async () => { const pages = { null: { items: [1, 2], next: 'b' }, b: { items: [3], next: null } }; const out = []; for await (const x of paginate(async (c) => pages[c])) out.push(x); assert.deepEqual(out, [1, 2, 3]); });
test('debounce', async () => { const fn = mock.fn(); const d = debounce(fn, 5); d(1); d(2); await sleep(40); assert.equal(fn.mock.callCount(), 1); assert.deepEqual(fn.mock.calls[0].arguments, [2]); });
test('queue', async () => { const q = new Queue(); const p = q.shift(); q.push(7); assert.equal(await p, 7); q.push(8); assert.equal(q.length, 1); });
test('timeout', async () => { await assert.rejects(withTimeout(new Promise(() => {}), 5), /timeout/); });
test('settled', async () => { const r = await parallel([async () => 1, async () => { throw new RangeError('x'); }]); assert.equal(r[0].status, 'fulfilled'); assert.equal(r[0].value, 1); assert.equal(r[1].status, 'rejected'); assert.equal(r[1].reason.message, 'x'); });
`,
  },
  {
    id: 'collections',
    artifact: `
export const groupBy = (xs, f) => xs.reduce((m, x) => { const k = f(x); (m[k] ??= []).push(x); return m; }, {});
export const uniq = (xs) => [...new Set(xs)];
export const tally = (s) => new Map([...s].reduce((m, c) => m.set(c, (m.get(c) ?? 0) + 1), new Map()));
export const deepMerge = (a, b) => { const o = { ...a }; for (const k of Object.keys(b)) o[k] = b[k] && typeof b[k] === 'object' && !Array.isArray(b[k]) ? deepMerge(a[k] ?? {}, b[k]) : b[k]; return o; };
export function* range(a, b, s = 1) { for (let i = a; i < b; i += s) yield i; }
export const parseDate = (s) => new Date(s);
export const bytes = (s) => new TextEncoder().encode(s);
export const big = (n) => BigInt(n) ** 2n;
export const pipe = (...fs) => (x) => fs.reduce((a, f) => f(a), x);
export const memo = (f) => { const m = new Map(); const g = (k) => { if (!m.has(k)) m.set(k, f(k)); return m.get(k); }; g.cache = m; return g; };
export const re = (s) => new RegExp(s, 'gi');
export const nan = () => [NaN, -0, Infinity, undefined, null];
export function sortInPlace(xs, cmp) { xs.sort(cmp); }
export const freeze = (o) => Object.freeze(o);
export const Color = Object.freeze({ RED: 'red', BLUE: 'blue' });
export const VERSION = '1.2.3';
export const sym = Symbol.for('x');
export const url = (s) => new URL(s).hostname;
export function tagged(s, ...v) { return s.raw.join('|') + v.join(','); }
export const err = (m) => new SyntaxError(m);
export const nested = () => ({ a: [1, { b: new Set([1]) }], m: new Map([['k', [1n]]]) });
`,
    tests:
      head +
      `
import * as s from 'solution';
import { groupBy, uniq, tally, deepMerge, range, parseDate, bytes, big, pipe, memo, re, nan, sortInPlace, freeze, Color, VERSION, url, tagged, err, nested } from 'solution';
test('group', () => assert.deepEqual(groupBy([1, 2, 3], (x) => (x % 2 ? 'odd' : 'even')), { odd: [1, 3], even: [2] }));
test('uniq', () => assert.deepStrictEqual(uniq([1, 1, 2]), [1, 2]));
test('tally', () => { const t = tally('aab'); assert.equal(t.get('a'), 2); assert.deepEqual([...t.keys()], ['a', 'b']); assert.equal(t.size, 2); });
test('merge', () => assert.deepEqual(deepMerge({ a: { b: 1 } }, { a: { c: 2 }, d: [1] }), { a: { b: 1, c: 2 }, d: [1] }));
test('range', () => { assert.deepEqual([...range(0, 5, 2)], [0, 2, 4]); const it = range(0, 2); assert.deepEqual(it.next(), { value: 0, done: false }); it.next(); assert.equal(it.next().done, true); });
test('date', () => { const d = parseDate('2020-01-02T00:00:00Z'); assert.equal(d.getUTCFullYear(), 2020); assert.equal(d.toISOString(), '2020-01-02T00:00:00.000Z'); assert.ok(d instanceof Date); });
test('bytes', () => { assert.deepEqual(bytes('hé'), new Uint8Array([104, 195, 169])); assert.equal(bytes('a').length, 1); });
test('big', () => assert.equal(big(4), 16n));
test('pipe', () => assert.equal(pipe((x) => x + 1, (x) => x * 2, Math.abs)(-5), 8));
test('memo', () => { const f = mock.fn((x) => x * 2); const g = memo(f); assert.equal(g(2), 4); assert.equal(g(2), 4); assert.equal(f.mock.callCount(), 1); });
test('re', () => { assert.ok(re('a').test('BA')); assert.equal(re('a').flags, 'gi'); });
test('nan', () => assert.deepEqual(nan(), [NaN, -0, Infinity, undefined, null]));
test('sort', () => { const xs = [3, 1, 2]; sortInPlace(xs, (a, b) => a - b); assert.deepEqual(xs, [1, 2, 3]); });
test('color', () => { assert.equal(Color.RED, 'red'); assert.deepEqual(Object.keys(Color), ['RED', 'BLUE']); });
test('version', () => { assert.match(VERSION, /^\\d+\\.\\d+/); assert.equal(s.VERSION.split('.').length, 3); });
test('url', () => { assert.equal(url('https://x.org/a'), 'x.org'); assert.throws(() => url('nope'), TypeError); });
test('tagged', () => assert.equal(tagged\`a\${1}b\${2}\`, 'a|b|1,2'));
test('err', () => { const e = err('m'); assert.ok(e instanceof SyntaxError && e instanceof Error); assert.equal(e.message, 'm'); });
test('nested', () => assert.deepEqual(nested(), { a: [1, { b: new Set([1]) }], m: new Map([['k', [1n]]]) }));
test('partial', () => { const { a, ...rest } = nested(); assert.equal(a.length, 2); assert.ok('m' in rest); });
test('array methods', () => { const r = uniq([3, 1, 2]); assert.deepEqual(r.toSorted(), [1, 2, 3]); assert.ok(r.includes(3)); assert.equal(r.map((x) => x * 2)[0], 6); assert.equal(Array.isArray(r), true); });
test('types', () => { assert.equal(typeof groupBy, 'function'); assert.equal(groupBy.length, 2); assert.equal(groupBy.name, 'groupBy'); });
`,
  },
  {
    id: 'shapes',
    artifact: `
export class Vec { constructor(x, y) { this.x = x; this.y = y; } add(o) { return new Vec(this.x + o.x, this.y + o.y); } get length() { return Math.hypot(this.x, this.y); } equals(o) { return this.x === o.x && this.y === o.y; } toString() { return '(' + this.x + ', ' + this.y + ')'; } static zero = new Vec(0, 0); static of(...a) { return new Vec(...a); } }
export class Stack { #i = []; push(...x) { this.#i.push(...x); return this.#i.length; } pop() { if (!this.#i.length) throw new RangeError('empty'); return this.#i.pop(); } peek() { return this.#i.at(-1); } get size() { return this.#i.length; } *[Symbol.iterator]() { for (let i = this.#i.length; i--; ) yield this.#i[i]; } clear() { this.#i = []; } }
export class LinkedList { head = null; length = 0; append(value) { const n = { value, next: null }; if (!this.head) this.head = n; else { let c = this.head; while (c.next) c = c.next; c.next = n; } this.length++; return this; } toArray() { const o = []; for (let c = this.head; c; c = c.next) o.push(c.value); return o; } reverse() { let p = null, c = this.head; while (c) [c.next, p, c] = [p, c, c.next]; this.head = p; return this; } map(f) { const l = new LinkedList(); for (const v of this.toArray()) l.append(f(v)); return l; } }
class Animal { constructor(n) { this.name = n; } speak() { return this.name + ' makes a sound'; } }
export class Dog extends Animal { speak() { return super.speak() + ': woof'; } }
export { Animal };
export function counter(start = 0) { let n = start; return { inc: () => ++n, dec: () => --n, get value() { return n; } }; }
export class Money { static #rates = { EUR: 1 }; constructor(a, c = 'EUR') { if (!(c in Money.#rates)) throw new TypeError('currency ' + c); this.amount = a; this.currency = c; Object.freeze(this); } plus(o) { return new Money(this.amount + o.amount, this.currency); } valueOf() { return this.amount; } }
export class Machine { constructor(def) { this.def = def; this.state = def.initial; this.log = []; } send(e) { const to = this.def.states[this.state]?.[e]; if (!to) throw new Error(this.state + ' has no ' + e); this.log.push([this.state, to]); this.state = to; return this.state; } can(e) { return Boolean(this.def.states[this.state]?.[e]); } }
`,
    tests:
      head +
      `
import { Vec, Stack, LinkedList, Dog, Animal, counter, Money, Machine } from 'solution';
test('vec', () => { const v = new Vec(3, 4); assert.equal(v.length, 5); assert.ok(v.add(Vec.zero).equals(v)); assert.equal(String(Vec.of(1, 2)), '(1, 2)'); assert.deepEqual(v.add(v), new Vec(6, 8)); assert.equal(\`\${v}\`, '(3, 4)'); });
test('fields', () => { const { x, y } = new Vec(1, 2); assert.deepEqual([x, y], [1, 2]); assert.deepEqual(Object.keys(new Vec(1, 2)), ['x', 'y']); });
test('stack', () => { const s = new Stack(); assert.equal(s.push(1, 2), 2); assert.equal(s.pop(), 2); assert.equal(s.peek(), 1); assert.equal(s.size, 1); assert.deepEqual([...s], [1]); s.clear(); assert.throws(() => s.pop(), RangeError); assert.throws(() => s.pop(), { message: 'empty' }); });
test('identity', () => { const s = new Stack(), o = {}; s.push(o); assert.strictEqual(s.pop(), o); });
test('list', () => { const l = new LinkedList().append(1).append(2).append(3); assert.deepEqual(l.toArray(), [1, 2, 3]); assert.deepEqual(l.reverse().toArray(), [3, 2, 1]); assert.equal(l.length, 3); assert.deepEqual(l.map((x) => x * 10).toArray(), [30, 20, 10]); assert.equal(l.head.value, 3); });
test('dog', () => { const d = new Dog('Rex'); assert.equal(d.speak(), 'Rex makes a sound: woof'); assert.ok(d instanceof Animal); assert.equal(d.constructor.name, 'Dog'); });
test('money', () => { assert.equal(new Money(1).plus(new Money(2)).amount, 3); assert.throws(() => new Money(1, 'XYZ'), { name: 'TypeError' }); assert.equal(+new Money(5), 5); });
test('machine', () => { const m = new Machine({ initial: 'off', states: { off: { flip: 'on' }, on: { flip: 'off' } } }); assert.equal(m.send('flip'), 'on'); assert.equal(m.can('nope'), false); assert.deepEqual(m.log, [['off', 'on']]); assert.throws(() => m.send('x'), /on has no x/); });
test('set property', () => { const v = new Vec(1, 1); v.x = 9; assert.equal(v.add(new Vec(1, 0)).x, 10); });
`,
  },
  {
    id: 'identity',
    artifact: `
export class Stack { i = []; push(x) { this.i.push(x); return this; } pop() { return this.i.pop(); } remove(x) { this.i = this.i.filter((y) => y !== x); } has(x) { return this.i.includes(x); } get size() { return this.i.length; } }
export const add = (xs, x) => { xs.push(x); return xs; };
export const clone = (x) => structuredClone(x);
export const shallow = (x) => ({ ...x });
export const first = (xs) => xs[0];
const reg = new Map();
export const register = (k, v) => { reg.set(k, v); };
export const lookup = (k) => reg.get(k);
export const assign = (o, p) => Object.assign(o, p);
export function tag(s, ...v) { return s.raw.join('|') + v.join(','); }
export const merge = (a, b) => { for (const k in b) a[k] = b[k]; };
`,
    tests: `import test from 'node:test';
import assert from 'node:assert/strict';
import { Stack, add, clone, shallow, first, register, lookup, assign, tag, merge } from 'solution';
test('push', () => { const s = new Stack(), o = {}; s.push(o); assert.strictEqual(s.pop(), o); });
test('remove', () => { const s = new Stack(), a = { n: 1 }, b = { n: 1 }; s.push(a).push(b); s.remove(a); assert.equal(s.size, 1); assert.equal(s.has(b), true); assert.equal(s.has(a), false); });
test('same', () => { const xs = [1]; assert.equal(add(xs, 2), xs); assert.deepEqual(xs, [1, 2]); });
test('clone', () => { const o = { a: [1], b: { c: 2 } }; const d = clone(o); assert.deepEqual(d, o); assert.notEqual(d, o); assert.notEqual(d.a, o.a); });
test('shallow', () => { const o = { a: [1] }; const d = shallow(o); assert.notEqual(d, o); assert.equal(d.a, o.a); });
test('first', () => { const xs = [{}, {}]; assert.equal(first(xs), xs[0]); });
test('registry', () => { const d = { n: 0 }; register('d', d); d.n = 5; assert.equal(lookup('d'), d); assert.equal(lookup('d').n, 5); });
test('assign', () => { const o = { a: 1 }; const r = assign(o, { b: 2 }); assert.equal(r, o); assert.deepEqual(o, { a: 1, b: 2 }); });
test('tag', () => { assert.equal(tag\`a\${1}b\`, 'a|b1'); });
test('merge', () => { const a = { x: { y: 1 } }, b = { z: [1] }; merge(a, b); assert.equal(a.z, b.z); });
`,
  },
];
