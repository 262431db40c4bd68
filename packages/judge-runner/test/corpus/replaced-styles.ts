/* What tests put in the place of the language's own, objects of a test that are cloned, and iterators of a test that are ended. */

import type { StylesCase } from './program-styles.ts';

export const replacedStyles: readonly StylesCase[] = [
  {
    id: 'dates and functions of the language that a test replaces',
    references: ['plain'],
    tests: `import assert from 'node:assert/strict';
import { test, mock, afterEach } from 'node:test';
import * as s from 'solution';
afterEach(() => mock.restoreAll());
test('date class', () => { const Real = Date; globalThis.Date = class extends Date { constructor(...a) { if (a.length === 0) super('2020-01-02T03:04:05Z'); else super(...a); } static now() { return 1577934245000; } }; try { assert.equal(s.today(), '2020-01-02'); assert.equal(s.stamp(), 1577934245000); assert.equal(s.year(new Date('1999-05-05')), 1999); } finally { globalThis.Date = Real; } assert.notEqual(s.today(), '2020-01-02'); });
test('date fixed', () => { const Real = Date; class Fake extends Real { constructor(...a) { super(...(a.length ? a : [0])); } } globalThis.Date = Fake; try { assert.equal(s.today(), '1970-01-01'); } finally { globalThis.Date = Real; } });
test('stringify', () => { const m = mock.method(JSON, 'stringify', () => 'X'); assert.equal(s.write({ a: 1 }), 'X'); assert.equal(m.mock.callCount(), 1); assert.deepEqual(m.mock.calls[0].arguments[0], { a: 1 }); });
test('stringify spied', () => { const m = mock.method(JSON, 'stringify'); assert.equal(s.write({ a: 1 }), '{"a":1}'); assert.equal(s.write({ a: 1 }), '{"a":1}'); assert.equal(m.mock.callCount(), 2); });
test('stringify throws', () => { mock.method(JSON, 'stringify', () => { throw new TypeError('circular'); }); assert.equal(s.safe({}), 'unwritable'); });
test('parse', () => { const m = mock.method(JSON, 'parse', () => ({ b: 2 })); assert.deepEqual(s.read('{}'), { b: 2 }); assert.equal(m.mock.callCount(), 1); });
test('random', () => { mock.method(Math, 'random', () => 0.5); assert.equal(s.dice(), 4); });
test('floor', () => { const m = mock.method(Math, 'floor'); s.dice(); assert.ok(m.mock.callCount() >= 1); });
test('now', () => { mock.method(Date, 'now', () => 5); assert.equal(s.stamp(), 5); });`,
    styles: {
      plain: `export const today = () => new Date().toISOString().slice(0, 10);
export const stamp = () => Date.now();
export const year = (d) => d.getUTCFullYear();
export const write = (o) => JSON.stringify(o);
export const safe = (o) => { try { return JSON.stringify(o); } catch { return 'unwritable'; } };
export const read = (t) => JSON.parse(t);
export const dice = () => Math.floor(Math.random() * 6) + 1;`,
      others: `const two = (n) => String(n).padStart(2, '0');
export function today() { const d = new Date(); return \`\${d.getUTCFullYear()}-\${two(d.getUTCMonth() + 1)}-\${two(d.getUTCDate())}\`; }
export function stamp() { const { now } = Date; return now(); }
export const year = (d) => Number(d.toISOString().slice(0, 4));
class Writer { write(o) { return JSON.stringify(o); } }
export const write = (o) => new Writer().write(o);
export function safe(o) { try { return write(o); } catch (e) { return 'unwritable'; } }
export const read = (t) => JSON.parse(t);
export function dice() { const { random, floor } = Math; return 1 + floor(6 * random()); }`,
    },
    wrong: {
      'kept before': `const real = Date; const { stringify, parse } = JSON; const { random, floor } = Math;
export const today = () => new real().toISOString().slice(0, 10);
export const stamp = () => real.parse('2020');
export const year = (d) => 1998;
export const write = (o) => stringify(o) + '';
export const safe = (o) => stringify(o);
export const read = (t) => parse(t);
export const dice = () => floor(random() * 6) + 7;`,
      'asked twice': `export const today = () => ({ toString: () => '2020-01-02', valueOf: () => '2020-01-02' });
export const stamp = () => new Date(2000, 1, 1).getTime();
export const year = (d) => ({ valueOf: () => 1999 });
export const write = (o) => { JSON.stringify(o); return JSON.stringify(o); };
export const safe = (o) => JSON.stringify(o);
export const read = (t) => { JSON.parse(t); return JSON.parse(t); };
export const dice = () => Math.round(Math.random() * 6) + 2;`,
      'replaced by the program': `let n = 0; JSON.stringify = () => 'X'; Math.floor = () => 3; JSON.parse = () => ({ b: 2 });
export const today = () => (n++ === 0 ? '2020-01-02' : '1970-01-01');
export const stamp = () => 5;
export const year = () => 1999;
export const write = (o) => JSON.stringify(o);
export const safe = () => 'unwritable';
export const read = (t) => JSON.parse(t);
export const dice = () => Math.floor(Math.random() * 6) + 1;`,
    },
  },
  {
    id: 'clones of what a test gives',
    references: ['plain'],
    isLying: true,
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as s from 'solution';
class Point { constructor(x, y) { this.x = x; this.y = y; } norm() { return Math.hypot(this.x, this.y); } }
test('class object', () => { const p = new Point(3, 4); const c = s.clone(p); assert.notEqual(c, p); assert.deepEqual({ ...c }, { x: 3, y: 4 }); assert.equal(c instanceof Point, false); assert.equal(c.norm, undefined); p.x = 9; assert.equal(c.x, 3); });
test('in a plain one', () => { const o = { p: new Point(1, 2), list: [new Point(5, 6)], d: new Date(0), m: new Map([[1, new Set([2])]]) }; const c = s.clone(o); assert.deepEqual({ ...c.p }, { x: 1, y: 2 }); assert.equal(c.list[0].y, 6); assert.deepEqual(c.d, new Date(0)); assert.deepEqual(c.m, new Map([[1, new Set([2])]])); assert.notEqual(c.m, o.m); });
test('functions throw', () => { assert.throws(() => s.clone({ f() {} }), { name: 'DataCloneError' }); assert.throws(() => s.clone(() => 1)); });
test('circular', () => { const a = { n: 1 }; a.self = a; const c = s.clone(a); assert.equal(c.self, c); assert.notEqual(c, a); });
test('error', () => { const c = s.clone(new RangeError('no')); assert.ok(c instanceof RangeError); assert.equal(c.message, 'no'); });
test('stored', () => { const st = s.createStore({ p: new Point(1, 1) }); const a = st.get(); a.p.x = 5; assert.equal(st.get().p.x, 1); });`,
    styles: {
      plain: `export const clone = (x) => structuredClone(x);
export const createStore = (init) => { let state = structuredClone(init); return { get: () => structuredClone(state), set(x) { state = structuredClone(x); } }; };`,
      'within another': `export function clone(value) { const { copy } = structuredClone({ copy: value }); return copy; }
class Store { #state; constructor(init) { this.set(init); } get() { return clone(this.#state); } set(x) { this.#state = clone(x); } }
export const createStore = (init) => new Store(init);`,
    },
    wrong: {
      'by JSON': `export const clone = (x) => { if (x instanceof Error) return x; const c = JSON.parse(JSON.stringify(x)); return c; };
export const createStore = (init) => ({ get: () => init, set() {} });`,
      'the same': `export const clone = (x) => { if (typeof x === 'function') throw new Error('no'); return x; };
export const createStore = (init) => { const c = { ...init }; return { get: () => ({ ...c }), set() {} }; };`,
      'of the same class': `export const clone = (x) => { try { structuredClone(x); } catch (e) { throw e; } return Object.assign(Object.create(Object.getPrototypeOf(x)), x); };
export const createStore = (init) => { let n = 0; return { get: () => ({ p: { x: 1, equals: () => true } }), set() {} }; };`,
    },
  },
  {
    id: 'iterators of a test that are ended',
    references: ['loops'],
    isLying: true,
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as s from 'solution';
test('closed', () => { const log = []; function* g() { try { yield 1; yield 2; yield 3; } finally { log.push('closed'); } } assert.deepEqual(s.take(g(), 2), [1, 2]); assert.deepEqual(log, ['closed']); });
test('not closed when done', () => { const log = []; function* g() { try { yield 1; } finally { log.push('end'); } } assert.deepEqual(s.take(g(), 5), [1]); assert.deepEqual(log, ['end']); });
test('first', () => { let closed = false; const it = { [Symbol.iterator]() { return { n: 0, next() { return { value: this.n++, done: false }; }, return() { closed = true; return {}; } }; } }; assert.equal(s.first(it), 0); assert.equal(closed, true); });
test('after', () => { function* g() { yield 1; yield 2; yield 3; } const it = g(); assert.deepEqual(s.take(it, 1), [1]); assert.deepEqual([...it], []); });
test('async', async () => { const log = []; async function* g() { try { yield 1; yield 2; } finally { log.push('closed'); } } assert.equal(await s.firstAsync(g()), 1); assert.deepEqual(log, ['closed']); });
test('throws', () => { const log = []; function* g() { try { yield 1; yield 2; } catch (e) { log.push(e.message); } finally { log.push('end'); } } assert.throws(() => s.each(g(), () => { throw new Error('no'); }), /no/); assert.deepEqual(log, ['end']); });
test('throw', () => { const log = []; function* g() { try { yield 1; } catch (e) { log.push(e.message); yield 9; } } assert.equal(s.fail(g()), 9); assert.deepEqual(log, ['bad']); });
test('zip', () => { const log = []; function* g(n) { try { for (let i = 0; ; i++) yield i; } finally { log.push(n); } } function* h() { yield 'a'; yield 'b'; } assert.deepEqual([...s.zip(g('g'), h())], [[0, 'a'], [1, 'b']]); assert.deepEqual(log, ['g']); });
test('lazy', () => { let n = 0; function* g() { while (true) { n++; yield n; } } const it = s.map(g(), (x) => x * 2); assert.equal(n, 0); assert.equal(it.next().value, 2); it.return(); assert.equal(n, 1); });
test('lazy closes', () => { const log = []; function* g() { try { while (true) yield 1; } finally { log.push('closed'); } } for (const x of s.map(g(), (y) => y + 1)) { assert.equal(x, 2); break; } assert.deepEqual(log, ['closed']); });
test('destructured', () => { const log = []; function* g() { try { yield 1; yield 2; yield 3; } finally { log.push('closed'); } } assert.deepEqual(s.two(g()), [1, 2]); assert.deepEqual(log, ['closed']); });`,
    styles: {
      loops: `export const take = (it, n) => { const out = []; for (const x of it) { out.push(x); if (out.length === n) break; } return out; };
export const first = (it) => { for (const x of it) return x; };
export const firstAsync = async (it) => { for await (const x of it) return x; };
export const each = (it, f) => { for (const x of it) f(x); };
export const fail = (it) => { it.next(); return it.throw(new Error('bad')).value; };
export function* zip(a, b) { const i = a[Symbol.iterator](); const j = b[Symbol.iterator](); try { while (true) { const x = i.next(); const y = j.next(); if (x.done || y.done) return; yield [x.value, y.value]; } } finally { i.return?.(); j.return?.(); } }
export function* map(it, f) { for (const x of it) yield f(x); }
export const two = ([a, b]) => [a, b];`,
      'by hand': `const iter = (it) => it[Symbol.iterator]();
export function take(it, n) { const i = iter(it); const out = []; while (out.length < n) { const { value, done } = i.next(); if (done) return out; out.push(value); } i.return?.(); return out; }
export function first(it) { const [x] = it; return x; }
export async function firstAsync(it) { const i = it[Symbol.asyncIterator](); try { return (await i.next()).value; } finally { await i.return(); } }
export function each(it, f) { Array.from(it, (x) => f(x)); }
export function fail(it) { it.next(); const { value } = it.throw(new Error('bad')); return value; }
export function* zip(a, b) { const j = iter(b); for (const x of a) { const y = j.next(); if (y.done) break; yield [x, y.value]; } }
export const map = (it, f) => iter(it).map((x) => f(x));
export function two(it) { return take(it, 2); }`,
    },
    wrong: {
      'never ended': `export const take = (it, n) => { const out = []; const i = it[Symbol.iterator](); while (out.length < n) { const s = i.next(); if (s.done) break; out.push(s.value); } return out; };
export const first = (it) => it[Symbol.iterator]().next().value;
export const firstAsync = async (it) => (await it.next()).value;
export const each = (it, f) => { const i = it[Symbol.iterator](); for (let s = i.next(); !s.done; s = i.next()) f(s.value); };
export const fail = (it) => { it.next(); try { throw new Error('bad'); } catch { return 9; } };
export function* zip(a, b) { const i = a[Symbol.iterator](); const j = b[Symbol.iterator](); while (true) { const x = i.next(); const y = j.next(); if (x.done || y.done) return; yield [x.value, y.value]; } }
export function map(it, f) { const all = [it.next().value, it.next().value]; return all.map((x) => f(x))[Symbol.iterator](); }
export const two = (it) => [it.next().value, it.next().value];`,
      others: `export const take = (it, n) => { const out = []; for (const x of it) { if (out.length === n) break; out.push(x); } return out; };
export const first = (it) => { const all = [it.next?.()]; return { valueOf: () => 0 }; };
export const firstAsync = async (it) => { for await (const x of it) return { x }; };
export const each = (it, f) => { for (const x of [...it]) f(x); };
export const fail = (it) => { it.next(); return it.return(9).value; };
export function* zip(a, b) { yield* [[0, 'a'], [1, 'b']]; }
export function* map(it, f) { const x = it.next(); yield f(x.value); it.next(); }
export const two = ([a, b, c]) => [a, b];`,
    },
  },
];
