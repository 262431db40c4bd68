import type { FidelityCase } from './fidelity-case.ts';

/** Correct modules with ordinary tests, in the styles of well-known projects, as `node --test` runs them. */
export const fidelityJavascript: readonly FidelityCase[] = [
  {
    id: 'values',
    artifact: `
import { EventEmitter } from 'node:events';
export const add = (a, b) => a + b;
export const values = () => [1, 'a', null, undefined, true, 2n ** 70n, NaN, -0, Infinity, [1, [2]], { a: { b: 1 } }];
export const map = () => new Map([['a', 1], ['b', [2]]]);
export const set = () => new Set([1, 2]);
export const date = () => new Date(0);
export const regexp = () => /a+/gi;
export const bytes = () => new Uint8Array([1, 2]);
export const buffer = () => Buffer.from('hi');
export const group = (xs) => Object.groupBy(xs, (x) => (x % 2 ? 'odd' : 'even'));
export const sortInPlace = (xs) => xs.sort((a, b) => a - b);
export function* range(n) { for (let i = 0; i < n; i += 1) yield i; }
export async function* ticks(n) { for (let i = 0; i < n; i += 1) yield i; }
export const later = async (x) => { await null; return x * 2; };
export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms, 'done'));
export const reject = async () => { throw new TypeError('no'); };
export const fail = (kind) => { throw new kind('bad'); };
export class NotFound extends Error { constructor(id) { super('no ' + id); this.name = 'NotFound'; this.code = 'ENOENT'; this.id = id; } }
export const find = (id) => { throw new NotFound(id); };
export const apply = (f, xs) => xs.map((x) => f(x));
export const memoize = (f) => { const seen = new Map(); return (x) => { if (!seen.has(x)) seen.set(x, f(x)); return seen.get(x); }; };
export const once = (f) => { let done = false; let value; return (...a) => { if (!done) { done = true; value = f(...a); } return value; }; };
export const compose = (...fs) => (x) => fs.reduceRight((v, f) => f(v), x);
export const curry = (f) => (a) => (b) => f(a, b);
export const createCounter = (n = 0) => ({ increment: () => (n += 1), get value() { return n; }, reset() { n = 0; } });
export const createStack = () => { const xs = []; return { push: (x) => xs.push(x), pop: () => xs.pop(), size: () => xs.length, has: (x) => xs.includes(x) }; };
export const withCallback = (x, done) => { setTimeout(() => done(null, x + 1), 1); };
export const events = () => new EventEmitter();
export const describePerson = ({ name, age = 3 }) => name + age;
export const send = (client, text) => { client.connect(); return client.send(text, { retry: 2 }); };
export const deep = (o) => structuredClone(o);
export const names = (o) => Object.keys(o);
export const slug = (t) => t.toLowerCase().split(/\\s+/).join('-');
export const LIMIT = 3;
export const config = { a: 1, nested: { list: [1, 2] } };
export default { add };
export const debounce = (f, ms) => { let t; return (...a) => { clearTimeout(t); t = setTimeout(f, ms, ...a); }; };
export const parse = (t) => JSON.parse(t);
export const entries = (m) => [...m.entries()];
export const sum = (it) => { let s = 0; for (const x of it) s += x; return s; };
`,
    tests: `
import { describe, it, test, beforeEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import loose from 'node:assert';
import all, * as lib from 'solution';
import { NotFound, add, apply, compose, createCounter, createStack, curry, date, find, later, map, memoize, once, range, set, ticks, values } from 'solution';

test('add', () => assert.equal(add(1, 2), 3));
test('default', () => assert.equal(all.add(1, 1), 2));
test('values', () => assert.deepEqual(values(), [1, 'a', null, undefined, true, 2n ** 70n, NaN, -0, Infinity, [1, [2]], { a: { b: 1 } }]));
test('map', () => { assert.deepEqual(map(), new Map([['a', 1], ['b', [2]]])); assert.equal(map().get('a'), 1); assert.ok(map().has('b')); });
test('set', () => { assert.deepEqual(set(), new Set([1, 2])); assert.equal(set().size, 2); });
test('date', () => { assert.equal(date().toISOString(), '1970-01-01T00:00:00.000Z'); assert.ok(date() instanceof Date); });
test('regexp', () => { assert.match('AAA', lib.regexp()); assert.equal(lib.regexp().source, 'a+'); });
test('bytes', () => { assert.deepEqual(lib.bytes(), new Uint8Array([1, 2])); assert.equal(lib.bytes().length, 2); });
test('group', () => assert.deepEqual({ ...lib.group([1, 2, 3]) }, { odd: [1, 3], even: [2] }));
test('mutates', () => { const xs = [3, 1]; lib.sortInPlace(xs); assert.deepEqual(xs, [1, 3]); });
test('generator', () => { assert.deepEqual([...range(3)], [0, 1, 2]); assert.deepEqual(range(1).next(), { value: 0, done: false }); });
test('destructured generator', () => { const [a, b] = range(5); assert.equal(a + b, 1); assert.equal(Math.max(...range(4)), 3); });
test('async generator', async () => { const out = []; for await (const x of ticks(2)) out.push(x); assert.deepEqual(out, [0, 1]); });
test('promise', async () => { assert.equal(await later(2), 4); assert.deepEqual(await Promise.all([later(1), later(2)]), [2, 4]); });
test('timer', async () => assert.equal(await lib.wait(2), 'done'));
test('rejects', async () => { await assert.rejects(lib.reject(), TypeError); await assert.rejects(lib.reject(), { message: 'no' }); });
test('throws', () => { assert.throws(() => lib.fail(RangeError), RangeError); assert.throws(() => lib.fail(Error), /bad/); });
test('own error', () => {
  assert.throws(() => find('x'), NotFound);
  assert.throws(() => find('x'), { name: 'NotFound', code: 'ENOENT', message: 'no x' });
  try { find('y'); } catch (e) { assert.ok(e instanceof NotFound && e instanceof Error); assert.equal(e.id, 'y'); }
});
test('callbacks', () => { const seen = []; assert.deepEqual(apply((x) => { seen.push(x); return x * 2; }, [1, 2]), [2, 4]); assert.deepEqual(seen, [1, 2]); });
test('mock fn', () => { const f = mock.fn((x) => x + 1); assert.deepEqual(apply(f, [1, 2]), [2, 3]); assert.equal(f.mock.callCount(), 2); assert.deepEqual(f.mock.calls[0].arguments, [1]); });
test('memoize', () => { let calls = 0; const f = memoize((x) => { calls += 1; return x * 2; }); assert.equal(f(2), 4); assert.equal(f(2), 4); assert.equal(calls, 1); });
test('once', () => { const f = once((a) => a); assert.equal(f(1), 1); assert.equal(f(2), 1); });
test('compose', () => { assert.equal(compose((x) => x + 1, (x) => x * 2)(5), 11); assert.equal(curry(add)(1)(2), 3); });
describe('counter', () => {
  let c;
  beforeEach(() => { c = createCounter(5); });
  it('increments', () => { assert.equal(c.increment(), 6); assert.equal(c.increment(), 7); });
  it('resets', () => { c.increment(); c.reset(); assert.equal(c.increment(), 1); });
});
test('factory', () => { const s = createStack(); s.push(1); s.push(2); assert.equal(s.size(), 2); assert.equal(s.pop(), 2); assert.equal(s.has(1), true); assert.equal(s.has(9), false); });
test('callback style', (t, done) => { lib.withCallback(1, (error, value) => { assert.ifError(error); assert.equal(value, 2); done(); }); });
test('destructuring', () => { assert.equal(lib.describePerson({ name: 'a' }), 'a3'); assert.equal(lib.LIMIT, 3); assert.deepEqual(lib.config, { a: 1, nested: { list: [1, 2] } }); });
test('fake', () => {
  class Fake { constructor() { this.connected = false; this.sent = []; } connect() { this.connected = true; } send(text, options) { this.sent.push([text, options]); return text.length; } }
  const fake = new Fake();
  assert.equal(lib.send(fake, 'abc'), 3);
  assert.ok(fake.connected);
  assert.deepEqual(fake.sent, [['abc', { retry: 2 }]]);
});
test('plain fake', () => { const fake = { connect: mock.fn(), send: mock.fn(() => 7) }; assert.equal(lib.send(fake, 'x'), 7); assert.equal(fake.connect.mock.callCount(), 1); });
test('clone', () => { const o = { a: [1] }; const c = lib.deep(o); assert.deepEqual(c, o); assert.notEqual(c, o); });
test('strings', () => { assert.equal(lib.slug('A b'), 'a-b'); assert.ok(lib.slug('A b').startsWith('a')); assert.ok(lib.slug('x').includes('x')); });
test('json', () => { assert.throws(() => lib.parse('{'), SyntaxError); assert.deepEqual(lib.parse('{"a":[1]}'), { a: [1] }); });
test('iterables', () => { assert.equal(lib.sum([1, 2]), 3); assert.equal(lib.sum(new Set([1, 5])), 6); assert.deepEqual(lib.entries(new Map([[1, 2]])), [[1, 2]]); });
test('loose', () => { loose.equal(add('1', 2), '12'); loose.ok(add(1, 1)); });
test('array methods', () => { const xs = values(); assert.ok(xs.includes(1)); assert.equal(xs.length, 11); assert.ok(set().has(1)); assert.deepEqual(xs.slice(0, 2), [1, 'a']); });
`,
  },
  {
    id: 'classes',
    artifact: `
export class Stack {
  #items = [];
  static of(...items) { const s = new Stack(); for (const i of items) s.push(i); return s; }
  push(x) { this.#items.push(x); return this; }
  pop() { if (this.#items.length === 0) throw new RangeError('empty'); return this.#items.pop(); }
  get size() { return this.#items.length; }
  has(x) { return this.#items.includes(x); }
  [Symbol.iterator]() { return this.#items[Symbol.iterator](); }
  toString() { return 'Stack(' + this.#items + ')'; }
  map(f) { return Stack.of(...this.#items.map(f)); }
  toArray() { return [...this.#items]; }
}
export class Special extends Stack { kind = 'special'; }
export class Account { constructor(owner) { this.owner = owner; this.balance = 0; this.log = []; } deposit(n) { if (n <= 0) throw new Error('positive'); this.balance += n; this.log.push({ n }); } async slow() { return this.balance; } }
export class LRU { constructor(n) { this.n = n; this.m = new Map(); } get(k) { if (!this.m.has(k)) return -1; const v = this.m.get(k); this.m.delete(k); this.m.set(k, v); return v; } put(k, v) { this.m.delete(k); this.m.set(k, v); if (this.m.size > this.n) this.m.delete(this.m.keys().next().value); } }
export class Emitter { #on = new Map(); on(e, f) { this.#on.set(e, [...(this.#on.get(e) ?? []), f]); return () => this.#on.delete(e); } emit(e, ...a) { for (const f of this.#on.get(e) ?? []) f(...a); } }
export class Node { constructor(value, next = null) { this.value = value; this.next = next; } }
export class List { head = null; add(v) { this.head = new Node(v, this.head); return this; } *[Symbol.iterator]() { for (let n = this.head; n; n = n.next) yield n.value; } }
export const makeStack = (n) => Stack.of(...Array(n).keys());
`,
    tests: `
import { describe, it, beforeEach } from 'node:test';
import assert from 'node:assert/strict';
import { Account, Emitter, LRU, List, Node, Special, Stack, makeStack } from '../solution.js';
describe('Stack', () => {
  let s;
  beforeEach(() => { s = new Stack(); });
  it('is empty', () => { assert.equal(s.size, 0); assert.throws(() => s.pop(), RangeError); });
  it('pushes', () => { assert.equal(s.push(1).push(2).size, 2); assert.equal(s.pop(), 2); assert.ok(s.has(1)); });
  it('iterates', () => { s.push(1).push(2); assert.deepEqual([...s], [1, 2]); for (const x of s) assert.ok(x > 0); });
  it('maps', () => assert.deepEqual(Stack.of(1, 2).map((x) => x * 2).toArray(), [2, 4]));
  it('is a text', () => { assert.equal(String(Stack.of(1)), 'Stack(1)'); assert.equal(\`\${Stack.of(1, 2)}\`, 'Stack(1,2)'); });
  it('has classes', () => { assert.ok(new Special() instanceof Stack); assert.ok(!(s instanceof Special)); assert.equal(new Special().kind, 'special'); assert.equal(s.constructor.name, 'Stack'); });
  it('is made elsewhere', () => { assert.deepEqual([...makeStack(2)], [0, 1]); assert.ok(makeStack(1) instanceof Stack); });
});
describe('Account', () => {
  it('deposits', () => { const a = new Account('x'); a.deposit(5); assert.equal(a.balance, 5); assert.deepEqual(a.log, [{ n: 5 }]); assert.equal(a.owner, 'x'); });
  it('checks', () => assert.throws(() => new Account('x').deposit(0), { message: 'positive' }));
  it('waits', async () => { const a = new Account('x'); a.deposit(2); assert.equal(await a.slow(), 2); });
  it('can be changed', () => { const a = new Account('x'); a.owner = 'y'; assert.equal(a.owner, 'y'); });
  it('is compared by its fields', () => assert.deepEqual({ ...new Account('x') }, { owner: 'x', balance: 0, log: [] }));
});
it('LRU', () => { const c = new LRU(2); c.put(1, 1); c.put(2, 2); c.get(1); c.put(3, 3); assert.equal(c.get(2), -1); assert.equal(c.get(1), 1); });
it('Emitter', () => { const e = new Emitter(); const seen = []; const off = e.on('a', (x) => seen.push(x)); e.emit('a', 1); off(); e.emit('a', 2); assert.deepEqual(seen, [1]); });
it('List', () => { const l = new List().add(1).add(2); assert.deepEqual([...l], [2, 1]); assert.equal(l.head.value, 2); assert.equal(l.head.next.value, 1); assert.ok(l.head instanceof Node); });
`,
  },
];
