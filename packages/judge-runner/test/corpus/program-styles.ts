/*
 * Correct programs of several styles with ordinary tests of node:test, and wrong ones. Whatever style the reference has, programs of all others pass.
 */

export interface StylesCase {
  readonly id: string;
  readonly tests: string;
  /** Correct programs by what they are. */
  readonly styles: Readonly<Record<string, string>>;
  /** Wrong programs: a test fails for each. */
  readonly wrong: Readonly<Record<string, string>>;
  /** Styles that are references in turn; all where it is left out. */
  readonly references?: readonly string[];
  /** True where only a reference vouches for what the tests do. */
  readonly needsReference?: true;
  /** True where wrong programs hold objects that say yes to everything: they may pass in one process. */
  readonly isLying?: true;
}

/** Objects with functions: closures, classes, prototypes and functions. */
export const objectStyles: readonly StylesCase[] = [
  {
    id: 'counters of a factory',
    references: ['closure', 'class'],
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCounter } from 'solution';
test('counts', () => { const c = createCounter(); c.inc(); assert.equal(c.value(), 1); c.inc(); assert.equal(c.value(), 2); });`,
    styles: {
      closure: `export const createCounter = () => { let n = 0; return { inc() { n++; }, value: () => n }; };`,
      class: `class Counter { n = 0; inc() { this.n++; } value() { return this.n; } } export const createCounter = () => new Counter();`,
      'private fields': `class Counter { #n = 0; inc() { this.#n++; } value() { return this.#n; } } export const createCounter = () => new Counter();`,
      'frozen class': `class Counter { #n = 0; constructor() { Object.freeze(this); } inc() { this.#n++; } value() { return this.#n; } } export const createCounter = () => new Counter();`,
      prototype: `const proto = { inc() { this.n++; }, value() { return this.n; } }; export const createCounter = () => Object.assign(Object.create(proto), { n: 0 });`,
      'without a prototype': `export const createCounter = () => { let n = 0; return Object.assign(Object.create(null), { inc() { n++; }, value: () => n }); };`,
      'function with methods': `export const createCounter = () => { let n = 0; const c = () => n; c.inc = () => { n++; }; c.value = () => n; return c; };`,
    },
    wrong: {
      noinc: `class Counter { n = 0; inc() {} value() { return this.n; } } export const createCounter = () => new Counter();`,
      noinc2: `export const createCounter = () => ({ inc() {}, value: () => 1 });`,
    },
  },
  {
    id: 'objects within answers',
    needsReference: true,
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRouter } from 'solution';
test('router', async () => { const r = makeRouter(); r.on('a', (x) => x + 1); const h = r.find('a'); assert.equal(h.run(1), 2); assert.equal(h.path, 'a'); const all = r.all(); assert.equal(all[0].run(4), 5); const m = r.table(); assert.equal(m.get('a').run(5), 6); const later = await r.load('a'); assert.equal(later.run(2), 3); let got; r.each((e) => { got = e.run(7); }); assert.equal(got, 8); });`,
    styles: {
      closure: `const H = (path, f) => ({ path, run: (x) => f(x) }); export const makeRouter = () => { const hs = []; const self = { on(p, f) { hs.push(H(p, f)); return self; }, find: (p) => hs.find((h) => h.path === p), all: () => [...hs], table: () => new Map(hs.map((h) => [h.path, h])), load: async (p) => self.find(p), each(f) { hs.forEach((h) => f(h)); } }; return self; };`,
      class: `class H { constructor(path, f) { this.path = path; this.f = f; } run(x) { return this.f(x); } } class R { hs = []; on(p, f) { this.hs.push(new H(p, f)); return this; } find(p) { return this.hs.find((h) => h.path === p); } all() { return [...this.hs]; } table() { return new Map(this.hs.map((h) => [h.path, h])); } async load(p) { return this.find(p); } each(f) { this.hs.forEach((h) => f(h)); } } export const makeRouter = () => new R();`,
      mixed: `class H { #f; constructor(path, f) { this.path = path; this.#f = f; } run(x) { return this.#f(x); } } export const makeRouter = () => { const hs = []; const self = { on(p, f) { hs.push(new H(p, f)); return self; }, find: (p) => hs.find((h) => h.path === p), all: () => [...hs], table: () => new Map(hs.map((h) => [h.path, h])), load: async (p) => self.find(p), each(f) { hs.forEach((h) => f(h)); } }; return self; };`,
    },
    wrong: {
      off: `class H { constructor(path, f) { this.path = path; this.f = f; } run(x) { return this.f(x) + 1; } } class R { hs = []; on(p, f) { this.hs.push(new H(p, f)); return this; } find(p) { return this.hs.find((h) => h.path === p); } all() { return [...this.hs]; } table() { return new Map(this.hs.map((h) => [h.path, h])); } async load(p) { return this.find(p); } each(f) { this.hs.forEach((h) => f(h)); } } export const makeRouter = () => new R();`,
    },
  },
  {
    id: 'objects that look like lists',
    needsReference: true,
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStack } from 'solution';
test('stack', () => { const s = createStack(); s.push(1); s.push(2); assert.equal(s.pop(), 2); assert.equal(s.size(), 1); assert.equal(s.has(1), true); assert.equal(s.includes(7), false); assert.deepEqual(s.map((x) => x * 2), [2]); assert.equal(s.length, 1); });
test('get', () => { const s = createStack(); s.push(3); assert.equal(s.get(0), 3); assert.equal(String(s), '3'); assert.deepEqual([...s], [3]); });`,
    styles: {
      closure: `export const createStack = () => { const a = []; return { push: (x) => { a.push(x); }, pop: () => a.pop(), size: () => a.length, has: (x) => a.includes(x), includes: (x) => a.includes(x), map: (f) => a.map((x) => f(x)), get: (i) => a[i], get length() { return a.length; }, toString: () => a.join(), [Symbol.iterator]: () => a[Symbol.iterator]() }; };`,
      class: `class Stack { #a = []; push(x) { this.#a.push(x); } pop() { return this.#a.pop(); } size() { return this.#a.length; } has(x) { return this.#a.includes(x); } includes(x) { return this.#a.includes(x); } map(f) { return this.#a.map((x) => f(x)); } get(i) { return this.#a[i]; } get length() { return this.#a.length; } toString() { return this.#a.join(); } *[Symbol.iterator]() { yield* this.#a; } } export const createStack = () => new Stack();`,
    },
    wrong: {
      yes: `class Stack { #a = []; push(x) { this.#a.push(x); } pop() { return this.#a.pop(); } size() { return this.#a.length; } has(x) { return true; } includes(x) { return true; } map(f) { return this.#a.map((x) => f(x)); } get(i) { return this.#a[i]; } get length() { return this.#a.length; } toString() { return this.#a.join(); } *[Symbol.iterator]() { yield* this.#a; } } export const createStack = () => new Stack();`,
    },
  },
  {
    id: 'conversions and properties',
    needsReference: true,
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { money } from 'solution';
test('conv', () => { const m = money(5); assert.equal(\`\${m}\`, '5 EUR'); assert.ok(money(3) < money(4)); assert.equal(JSON.stringify({ m }), '{"m":"5 EUR"}'); assert.equal(m + '', '5'); assert.ok('add' in m); assert.equal(m.add(money(1)).amount, 6); const { add } = m; assert.equal(typeof add, 'function'); m.amount = 9; assert.equal(m.amount, 9); });`,
    styles: {
      class: `class M { constructor(a) { this.amount = a; } valueOf() { return this.amount; } toString() { return this.amount + ' EUR'; } toJSON() { return this.toString(); } add(o) { return new M(this.amount + o.amount); } } export const money = (a) => new M(a);`,
      closure: `export const money = (amount) => ({ amount, valueOf() { return this.amount; }, toString() { return this.amount + ' EUR'; }, toJSON() { return this.toString(); }, add(o) { return money(this.amount + o.amount); } });`,
    },
    wrong: {
      less: `let n = 0; class M { constructor(a) { this.amount = a; } valueOf() { return n++; } toString() { return this.amount + ' EUR'; } toJSON() { return this.toString(); } add(o) { return new M(this.amount + o.amount); } } export const money = (a) => new M(a);`,
    },
  },
  {
    id: 'exports',
    needsReference: true,
    tests: `import assert from 'node:assert/strict';
import { test, beforeEach, describe, it, mock } from 'node:test';
import { counter, registry, api } from 'solution';
test('a', () => { counter.inc(); assert.equal(counter.value(), 1); registry.set('a', 1); assert.equal(registry.get('a'), 1); assert.equal(registry.has('a'), true); assert.equal(registry.has('b'), false); }); test('b', () => { assert.equal(api.users.find(1).name(), 'u1'); });`,
    styles: {
      closure: `let n = 0; const m = new Map(); export const counter = { inc() { n++; }, value: () => n }; export const registry = { set: (k, v) => { m.set(k, v); }, get: (k) => m.get(k), has: (k) => m.has(k) }; export const api = { users: { find: (i) => ({ name: () => 'u' + i }) } };`,
      class: `class C { #n = 0; inc() { this.#n++; } value() { return this.#n; } } class R { #m = new Map(); set(k, v) { this.#m.set(k, v); } get(k) { return this.#m.get(k); } has(k) { return this.#m.has(k); } } class U { constructor(i) { this.i = i; } name() { return 'u' + this.i; } } class Us { find(i) { return new U(i); } } class A { users = new Us(); } export const counter = new C(); export const registry = new R(); export const api = new A();`,
    },
    wrong: {
      has: `class C { #n = 0; inc() { this.#n++; } value() { return this.#n; } } class R { #m = new Map(); set(k, v) { this.#m.set(k, v); } get(k) { return this.#m.get(k); } has(k) { return true; } } class U { constructor(i) { this.i = i; } name() { return 'u' + this.i; } } class Us { find(i) { return new U(i); } } class A { users = new Us(); } export const counter = new C(); export const registry = new R(); export const api = new A();`,
    },
  },
  {
    id: 'a default export',
    needsReference: true,
    references: ['closure'],
    tests: `import assert from 'node:assert/strict';
import { test, beforeEach, describe, it, mock } from 'node:test';
import kit from 'solution';
test('a', () => { const log = kit.logger(); log.info('x'); log.info('y'); assert.deepEqual(log.lines(), ['x', 'y']); assert.equal(log.last.text(), 'y'); });`,
    styles: {
      closure: `export default { logger() { const a = []; return { info(t) { a.push(t); }, lines: () => [...a], get last() { const t = a.at(-1); return { text: () => t }; } }; } };`,
      class: `class L { text() { return this.t; } constructor(t) { this.t = t; } } class Log { #a = []; info(t) { this.#a.push(t); } lines() { return [...this.#a]; } get last() { return new L(this.#a.at(-1)); } } class Kit { logger() { return new Log(); } } export default new Kit();`,
    },
    wrong: {},
  },
  {
    id: 'objects everywhere',
    needsReference: true,
    tests: `import assert from 'node:assert/strict';
import { test, beforeEach, describe, it, mock } from 'node:test';
import { createCache } from 'solution';
let c; const helper = (o, k) => { o.put(k, 1); return o.take(k); }; beforeEach(() => { c = createCache({ max: 2 }); });
describe('cache', () => { it('takes', () => assert.equal(helper(c, 'a'), 1)); it('evicts', () => { c.put('a', 1); c.put('b', 2); c.put('c', 3); assert.equal(c.take('a'), undefined); assert.equal(c.size, 2); }); it('calls', () => { const f = mock.fn(); c.onEvict(f); c.put('a', 1); c.put('b', 2); c.put('c', 3); assert.equal(f.mock.callCount(), 1); assert.deepEqual(f.mock.calls[0].arguments, ['a', 1]); }); it('chains', () => { assert.equal(c.put('x', 9), c); assert.equal(c.put('y', 1).put('z', 2).take('z'), 2); });
 it('scopes', () => { const log = []; { using s = c.lock(() => log.push('free')); s.touch(); log.push(s.count); } assert.deepEqual(log, [1, 'free']); }); it('scoped', () => { let inner; const got = c.within((scope) => { inner = scope; return scope.put('i', 5).take('i'); }); assert.equal(got, 5); assert.equal(inner.take('i'), 5); }); it('async', async () => { const all = await Promise.all([c.load('a'), c.load('b')]); assert.deepEqual(all.map((e) => e.key()), ['a', 'b']); const [first] = await c.loadAll(['q']); assert.equal(first.key(), 'q'); for await (const e of c.stream(['s', 't'])) assert.equal(e.key().length, 1); const m = c.index(['k']); assert.equal(m.get('k').key(), 'k'); const { a: { key } } = c.byName(['a']); assert.equal(typeof key, 'function'); c.each(['v'], (e, i) => assert.equal(e.key() + i, 'v0')); assert.equal(Object.values(c.byName(['w']))[0].key(), 'w'); }); });`,
    styles: {
      closure: `const E = (k) => ({ key: () => k }); export const createCache = ({ max }) => { const m = new Map(); const ev = []; const self = { put(k, v) { m.set(k, v); if (m.size > max) { const [a, b] = m.entries().next().value; m.delete(a); ev.forEach((f) => f(a, b)); } return self; }, take: (k) => m.get(k), get size() { return m.size; }, onEvict(f) { ev.push(f); }, lock(f) { let n = 0; return { touch() { n++; }, get count() { return n; }, [Symbol.dispose]() { f(); } }; }, within: (f) => f(createCache({ max })), load: async (k) => E(k), loadAll: async (ks) => ks.map(E), async *stream(ks) { yield* ks.map(E); }, index: (ks) => new Map(ks.map((k) => [k, E(k)])), byName: (ks) => Object.fromEntries(ks.map((k) => [k, E(k)])), each: (ks, f) => ks.forEach((k, i) => f(E(k), i)) }; return self; };`,
      class: `class E { #k; constructor(k) { this.#k = k; } key() { return this.#k; } } class Lock { count = 0; constructor(f) { this.f = f; } touch() { this.count++; } [Symbol.dispose]() { this.f(); } } class Cache { #m = new Map(); #ev = []; constructor(max) { this.max = max; } put(k, v) { this.#m.set(k, v); if (this.#m.size > this.max) { const [a, b] = this.#m.entries().next().value; this.#m.delete(a); this.#ev.forEach((f) => f(a, b)); } return this; } take(k) { return this.#m.get(k); } get size() { return this.#m.size; } onEvict(f) { this.#ev.push(f); } lock(f) { return new Lock(f); } within(f) { return f(new Cache(this.max)); } async load(k) { return new E(k); } async loadAll(ks) { return ks.map((k) => new E(k)); } async *stream(ks) { for (const k of ks) yield new E(k); } index(ks) { return new Map(ks.map((k) => [k, new E(k)])); } byName(ks) { return Object.fromEntries(ks.map((k) => [k, new E(k)])); } each(ks, f) { ks.forEach((k, i) => f(new E(k), i)); } } export const createCache = ({ max }) => new Cache(max);`,
    },
    wrong: {
      evict: `class E { #k; constructor(k) { this.#k = k; } key() { return this.#k; } } class Lock { count = 0; constructor(f) { this.f = f; } touch() { this.count++; } [Symbol.dispose]() { } } class Cache { #m = new Map(); #ev = []; constructor(max) { this.max = max; } put(k, v) { this.#m.set(k, v); return this; } take(k) { return this.#m.get(k); } get size() { return 2; } onEvict(f) { this.#ev.push(f); } lock(f) { return new Lock(f); } within(f) { return f(new Cache(this.max)); } async load(k) { return new E(k); } async loadAll(ks) { return ks.map((k) => new E(k)); } async *stream(ks) { for (const k of ks) yield new E(k); } index(ks) { return new Map(ks.map((k) => [k, new E(k)])); } byName(ks) { return Object.fromEntries(ks.map((k) => [k, new E(k)])); } each(ks, f) { ks.forEach((k, i) => f(new E(k), i)); } } export const createCache = ({ max }) => new Cache(max);`,
    },
  },
  {
    id: 'liars in the place of values',
    needsReference: true,
    isLying: true,
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePage } from 'solution';
test('a', () => { const p = makePage('x'); assert.ok(p.title.includes('x')); assert.ok(p.tags.includes('t')); assert.equal(p.title.length, 1); p.render(); assert.ok(p.render().includes('x')); assert.ok(p.all().every((each) => each.ok)); });`,
    styles: {
      closure: `export const makePage = (title) => ({ title, tags: ['t'], render: () => '<' + title + '>', all: () => [{ ok: true }] });`,
      class: `class P { tags = ['t']; constructor(t) { this.title = t; } render() { return '<' + this.title + '>'; } all() { return [{ ok: true }]; } } export const makePage = (title) => new P(title);`,
    },
    wrong: {
      title: `class L { includes() { return true; } get length() { return 1; } } class P { tags = ['t']; constructor(t) { this.title = new L(); } render() { return '<' + 'x' + '>'; } all() { return [{ ok: true }]; } } export const makePage = (title) => new P(title);`,
      tags: `class L { includes() { return true; } } class P { tags = new L(); constructor(t) { this.title = t; } render() { return '<' + this.title + '>'; } all() { return [{ ok: true }]; } } export const makePage = (title) => new P(title);`,
      render: `class L { includes() { return true; } } class P { tags = ['t']; constructor(t) { this.title = t; } render() { return new L(); } all() { return [{ ok: true }]; } } export const makePage = (title) => new P(title);`,
      render2: `export const makePage = (title) => ({ title, tags: ['t'], render: () => ({ includes: () => true }), all: () => [{ ok: true }] });`,
      tags2: `export const makePage = (title) => ({ title, tags: { includes: () => true }, render: () => '<' + title + '>', all: () => [{ ok: true }] });`,
      all: `export const makePage = (title) => ({ title, tags: ['t'], render: () => '<' + title + '>', all: () => ({ every: () => true }) });`,
      all2: `class L { every() { return true; } } class P { tags = ['t']; constructor(t) { this.title = t; } render() { return '<' + this.title + '>'; } all() { return new L(); } } export const makePage = (title) => new P(title);`,
    },
  },
  {
    id: 'a loop over an object and a value',
    needsReference: true,
    isLying: true,
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { custom, plain } from 'solution';
test('has', () => { for (const each of [custom(3), plain(3)]) assert.ok(each.has(3)); });
test('has not', () => { assert.ok(!plain(4).has(3)); });`,
    styles: {
      closure: `export const custom = (n) => ({ has: (x) => x === n }); export const plain = (n) => new Set([n]);`,
      class: `class C { constructor(n) { this.n = n; } has(x) { return x === this.n; } } export const custom = (n) => new C(n); export const plain = (n) => new Set([n]);`,
    },
    wrong: {
      liar: `class C { has(x) { return x === 3; } } export const custom = (n) => new C(); export const plain = (n) => n === 3 ? new C() : new Set();`,
      liar2: `export const custom = (n) => ({ has: (x) => x === n }); export const plain = (n) => n === 3 ? custom(3) : new Set();`,
    },
  },
];

/** Iterators: generators, and such as are written by hand. */
export const iteratorStyles: readonly StylesCase[] = [
  {
    id: 'iterators',
    references: ['generator', 'written by hand'],
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backoff } from 'solution';
test('next', () => { const it = backoff(10); assert.equal(it.next().value, 10); assert.equal(it.next().value, 20); const got = []; for (const x of backoff(1)) { got.push(x); if (got.length === 4) break; } assert.deepEqual(got, [1, 2, 4, 8]); const [a, b] = backoff(3); assert.deepEqual([a, b], [3, 6]); const i = backoff(2); assert.equal(i[Symbol.iterator](), i); assert.deepEqual(i.next(), { value: 2, done: false }); });`,
    styles: {
      generator: `export function* backoff(ms) { for (;; ms *= 2) yield ms; }`,
      'written by hand': `export const backoff = (ms) => { let n = 0; return { next: () => ({ done: false, value: ms * 2 ** n++ }), [Symbol.iterator]() { return this; } }; };`,
      class: `class B { constructor(ms) { this.ms = ms; } next() { const value = this.ms; this.ms *= 2; return { value, done: false }; } [Symbol.iterator]() { return this; } } export const backoff = (ms) => new B(ms);`,
      'class that extends Iterator': `class B extends Iterator { constructor(ms) { super(); this.ms = ms; } next() { const value = this.ms; this.ms *= 2; return { value, done: false }; } } export const backoff = (ms) => new B(ms);`,
    },
    wrong: {
      const: `export const backoff = (ms) => { let n = 0; return { next: () => ({ done: false, value: ms }), [Symbol.iterator]() { return this; } }; };`,
      done: `export const backoff = (ms) => { let n = 0; return { next: () => ({ done: n > 1, value: ms * 2 ** n++ }), [Symbol.iterator]() { return this; } }; };`,
      again: `export const backoff = (ms) => { let n = 0; return { next: () => ({ done: false, value: ms * 2 ** n++ }), [Symbol.iterator]() { return backoff(ms); } }; };`,
    },
  },
  {
    id: 'asynchronous iterators',
    references: ['generator', 'written by hand'],
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { range } from 'solution';
test('async iterates', async () => { const got = []; for await (const x of range(3)) got.push(x); assert.deepEqual(got, [0, 1, 2]); const it = range(1); assert.equal((await it.next()).value, 0); assert.equal((await it.next()).done, true); });
test('cleans up', async () => { const log = []; for await (const x of range(5, log)) if (x === 1) break; assert.deepEqual(log, ['end']); });`,
    styles: {
      generator: `export async function* range(n, log = []) { try { for (let i = 0; i < n; i++) yield i; } finally { log.push('end'); } }`,
      'written by hand': `export function range(n, log = []) { let i = 0; return { [Symbol.asyncIterator]() { return this; }, async next() { return i < n ? { value: i++, done: false } : { value: undefined, done: true }; }, async return() { log.push('end'); return { value: undefined, done: true }; } }; }`,
      class: `class R { i = 0; constructor(n, log) { this.n = n; this.log = log; } [Symbol.asyncIterator]() { return this; } async next() { return this.i < this.n ? { value: this.i++, done: false } : { value: undefined, done: true }; } async return() { this.log.push('end'); return { value: undefined, done: true }; } } export const range = (n, log = []) => new R(n, log);`,
      iterable: `export const range = (n, log = []) => { const it = (async function* () { try { for (let i = 0; i < n; i++) yield i; } finally { log.push('end'); } })(); return { next: () => it.next(), return: () => it.return(), [Symbol.asyncIterator]: () => it }; };`,
    },
    wrong: {
      noreturn: `export function range(n, log = []) { let i = 0; return { [Symbol.asyncIterator]() { return this; }, async next() { return i < n ? { value: i++, done: false } : { value: undefined, done: true }; } }; }`,
    },
  },
  {
    id: 'iterators that methods answer',
    references: ['generator'],
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApi } from 'solution';
test('paged', async () => { const api = createApi([1, 2, 3]); const got = []; for await (const page of api.pages(2)) got.push(page); assert.deepEqual(got, [[1, 2], [3]]); assert.deepEqual([...api.items()], [1, 2, 3]); const e = api.items(); e.next(); assert.equal(e.next().value, 2); assert.deepEqual(Array.from(api.items(), (x) => x * 2), [2, 4, 6]); });`,
    styles: {
      generator: `class Api { constructor(a) { this.a = a; } async *pages(n) { for (let i = 0; i < this.a.length; i += n) yield this.a.slice(i, i + n); } *items() { yield* this.a; } } export const createApi = (a) => new Api(a);`,
      'written by hand': `export const createApi = (a) => ({ pages(n) { let i = 0; return { [Symbol.asyncIterator]() { return this; }, async next() { if (i >= a.length) return { done: true, value: undefined }; const value = a.slice(i, i + n); i += n; return { done: false, value }; } }; }, items() { let i = 0; return { [Symbol.iterator]() { return this; }, next: () => i < a.length ? { value: a[i++], done: false } : { value: undefined, done: true } }; } });`,
      builtin: `export const createApi = (a) => ({ pages(n) { return (async function* () { for (let i = 0; i < a.length; i += n) yield a.slice(i, i + n); })(); }, items: () => a.values() });`,
    },
    wrong: {},
  },
  {
    id: 'liars among items',
    isLying: true,
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ids } from 'solution';
test('a', () => { const it = ids(); assert.equal(it.next().value, 'id-1'); assert.ok(it.next().value.startsWith('id-')); assert.equal(it.next().done, false); });`,
    styles: {
      generator: `export function* ids() { for (let n = 1; ; n++) yield 'id-' + n; }`,
      'written by hand': `export const ids = () => { let n = 0; return { next: () => ({ value: 'id-' + ++n, done: false }), [Symbol.iterator]() { return this; } }; };`,
    },
    wrong: {
      obj: `export const ids = () => { let n = 0; return { next: () => ({ value: n++ === 0 ? 'id-1' : { startsWith: () => true }, done: false }), [Symbol.iterator]() { return this; } }; };`,
      klass: `class L { startsWith() { return true; } } export const ids = () => { let n = 0; return { next: () => ({ value: n++ === 0 ? 'id-1' : new L(), done: false }), [Symbol.iterator]() { return this; } }; };`,
    },
  },
];

/** Containers that both boxes know, whose links change. */
export const changedLinks: readonly StylesCase[] = [
  {
    id: 'a linked list',
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LinkedList } from 'solution';
test('three', () => { const l = LinkedList.from([1, 2, 3]); assert.equal(l.head.next.value, 2); l.reverse(); assert.deepEqual([...l], [3, 2, 1]); });
test('two', () => { const l = LinkedList.from([1, 2]); assert.equal(l.head.next.value, 2); l.reverse(); assert.deepEqual([...l], [2, 1]); });
test('head', () => { const l = LinkedList.from([1, 2, 3]); const first = l.head; assert.equal(l.head.value, 1); l.reverse(); assert.equal(l.head.value, 3); assert.equal(l.head.next.next, first); assert.equal(first.next, null); assert.equal(l.head.next.next.next, null); l.reverse(); assert.equal(l.head, first); assert.equal(first.next.value, 2); });
test('five', () => { const l = LinkedList.from([1, 2, 3, 4, 5]); const second = l.head.next; l.reverse(); assert.equal(l.head.next.next.next, second); assert.deepEqual(l.head, { value: 5, next: { value: 4, next: { value: 3, next: { value: 2, next: { value: 1, next: null } } } } }); l.rotate(); assert.equal(l.head.value, 4); assert.deepEqual([...l], [4, 3, 2, 1, 5]); assert.equal(l.head.next.next, second); });`,
    styles: {
      correct: `export class LinkedList { head = null;
  static from(xs) { const l = new LinkedList(); for (const x of [...xs].reverse()) l.head = { value: x, next: l.head }; return l; }
  reverse() { let p = null; for (let n = this.head; n; ) { const next = n.next; n.next = p; p = n; n = next; } this.head = p; }
  rotate() { const h = this.head; this.head = h.next; h.next = null; let n = this.head; while (n.next) n = n.next; n.next = h; }
  *[Symbol.iterator]() { for (let n = this.head; n; n = n.next) yield n.value; } }`,
    },
    wrong: {
      copies: `export class LinkedList { head = null;
  static from(xs) { const l = new LinkedList(); for (const x of [...xs].reverse()) l.head = { value: x, next: l.head }; return l; }
  reverse() { let p = null; for (let n = this.head; n; n = n.next) p = { value: n.value, next: p }; this.head = p; }
  rotate() { const h = this.head; this.head = h.next; h.next = null; let n = this.head; while (n.next) n = n.next; n.next = h; }
  *[Symbol.iterator]() { for (let n = this.head; n; n = n.next) yield n.value; } }`,
      ring: `export class LinkedList { head = null;
  static from(xs) { const l = new LinkedList(); for (const x of [...xs].reverse()) l.head = { value: x, next: l.head }; return l; }
  reverse() { let p = null; const f = this.head; for (let n = this.head; n; ) { const next = n.next; n.next = p; p = n; n = next; } this.head = p; f.next = p; }
  rotate() { const h = this.head; this.head = h.next; h.next = null; let n = this.head; while (n.next) n = n.next; n.next = h; }
  *[Symbol.iterator]() { for (let n = this.head, i = 0; n && i < 9; n = n.next, i++) yield n.value; } }`,
    },
  },
  {
    id: 'a doubly linked list',
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deque } from 'solution';
test('a', () => { const d = new Deque(); for (const x of [1, 2, 3]) d.push(x); assert.equal(d.head.value, 1); assert.equal(d.head.next.prev, d.head); const second = d.head.next; assert.equal(d.tail.prev, second); d.reverse(); assert.equal(d.head.value, 3); assert.equal(d.head.next, second); assert.equal(second.next.value, 1); assert.equal(second.prev, d.head); assert.equal(d.tail.next, null); d.remove(second); assert.equal(d.head.next.value, 1); assert.equal(d.tail.prev, d.head); assert.equal(second.next, null); assert.equal(d.head.prev, null); });`,
    styles: {
      correct: `export class Deque { head = null; tail = null;
  push(value) { const n = { value, prev: this.tail, next: null }; if (this.tail) this.tail.next = n; else this.head = n; this.tail = n; }
  reverse() { for (let n = this.head; n; ) { const next = n.next; [n.prev, n.next] = [n.next, n.prev]; n = next; } [this.head, this.tail] = [this.tail, this.head]; }
  remove(n) { if (n.prev) n.prev.next = n.next; else this.head = n.next; if (n.next) n.next.prev = n.prev; else this.tail = n.prev; n.prev = n.next = null; } }`,
    },
    wrong: {},
  },
  {
    id: 'a rotated tree',
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tree } from 'solution';
test('rotated', () => { const t = new Tree(); for (const x of [1, 2, 3]) t.add(x); assert.equal(t.root.value, 1); const old = t.root; const right = t.root.right; assert.equal(right.value, 2); t.rotateLeft(); assert.equal(t.root, right); assert.equal(t.root.left, old); assert.equal(old.right, null); assert.deepEqual(t.root, { value: 2, left: { value: 1, left: null, right: null }, right: { value: 3, left: null, right: null } }); t.rotateRight(); assert.equal(t.root, old); assert.equal(old.right, right); assert.equal(right.left, null); });`,
    styles: {
      correct: `export class Tree { root = null; add(value) { const n = { value, left: null, right: null }; if (!this.root) { this.root = n; return; } let p = this.root; for (;;) { const side = value < p.value ? 'left' : 'right'; if (!p[side]) { p[side] = n; return; } p = p[side]; } }
  rotateLeft() { const a = this.root; const b = a.right; a.right = b.left; b.left = a; this.root = b; }
  rotateRight() { const a = this.root; const b = a.left; a.left = b.right; b.right = a; this.root = b; } }`,
    },
    wrong: {},
  },
  {
    id: 'a graph',
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeGraph } from 'solution';
test('graph', () => { const g = makeGraph(); g.add('a'); g.add('b'); g.add('c'); const a = g.get('a'); const b = g.get('b'); assert.deepEqual(a, { id: 'a', to: [] }); g.link('a', 'b'); assert.equal(a.to[0], b); g.link('b', 'a'); assert.equal(b.to[0], a); assert.equal(a.to[0].to[0], a); g.link('b', 'c'); assert.equal(b.to.length, 2); assert.equal(b.to[1].id, 'c'); g.unlink('b', 'a'); assert.deepEqual(a, { id: 'a', to: [{ id: 'b', to: [{ id: 'c', to: [] }] }] }); });`,
    styles: {
      correct: `export const makeGraph = () => { const nodes = new Map(); return { add(id) { nodes.set(id, { id, to: [] }); }, get: (id) => nodes.get(id), link(a, b) { nodes.get(a).to.push(nodes.get(b)); }, unlink(a, b) { const n = nodes.get(a); n.to.splice(n.to.indexOf(nodes.get(b)), 1); } }; };`,
      class: `export class G { nodes = new Map(); add(id) { this.nodes.set(id, { id, to: [] }); } get(id) { return this.nodes.get(id); } link(a, b) { this.nodes.get(a).to.push(this.nodes.get(b)); } unlink(a, b) { const n = this.nodes.get(a); n.to.splice(n.to.indexOf(this.nodes.get(b)), 1); } } export const makeGraph = () => new G();`,
    },
    wrong: {},
  },
  {
    id: 'lists of a board',
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Board } from 'solution';
test('moved', () => { const b = new Board(); b.add('todo', 1); b.add('todo', 2); b.add('done', 3); const one = b.lists.todo[0]; const done = b.lists.done; assert.deepEqual(b.lists, { todo: [{ id: 1 }, { id: 2 }], done: [{ id: 3 }] }); b.move(1, 'done'); assert.deepEqual(b.lists, { todo: [{ id: 2 }], done: [{ id: 3 }, { id: 1 }] }); assert.equal(b.lists.done[1], one); assert.equal(b.lists.done, done); assert.equal(done[1], one); b.nest(2, 1); assert.equal(one.child.id, 2); b.swap(1, 2); assert.deepEqual(b.lists.done[1], { id: 2, child: { id: 1 } }); assert.equal(one.child, undefined); assert.equal(b.lists.done[1].child, one); });`,
    styles: {
      correct: `export class Board { lists = { todo: [], done: [] }; add(l, id) { this.lists[l].push({ id }); } take(id) { for (const l of Object.values(this.lists)) { const i = l.findIndex((x) => x.id === id); if (i >= 0) return l.splice(i, 1)[0]; } } move(id, l) { this.lists[l].push(this.take(id)); } find(id) { return Object.values(this.lists).flat().find((x) => x.id === id); } nest(id, p) { const c = this.take(id); this.find(p).child = c; } swap(p, c) { const l = this.lists.done; const i = l.findIndex((x) => x.id === p); const par = l[i]; const ch = par.child; delete par.child; ch.child = par; l[i] = ch; } }`,
    },
    wrong: {},
  },
  {
    id: 'arrays, Maps and objects of the test',
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { build, chain, unchain, ring } from 'solution';
test('cons', () => { const c = build([1, 2, 3]); assert.deepEqual(c.cell, [1, [2, [3, null]]]); const first = c.cell; const second = c.cell[1]; c.reverse(); assert.deepEqual(c.cell, [3, [2, [1, null]]]); assert.equal(c.cell[1], second); assert.equal(second[1], first); c.knot(); assert.equal(first[1], c.cell); assert.equal(c.cell[1][1][1], c.cell); c.unknot(); assert.deepEqual(c.cell, [3, [2, [1, null]]]); });
test('maps', () => { const c = build([1, 2, 3]); const m = c.map; assert.deepEqual(m.get('next').get('v'), 2); const second = m.get('next'); c.flip(); assert.equal(c.map, second); assert.equal(second.get('next'), m); assert.equal(m.get('next').get('v'), 3); });
test('given', () => { const nodes = [{ v: 1 }, { v: 2 }, { v: 3 }]; chain(nodes); assert.equal(nodes[0].next, nodes[1]); assert.equal(nodes[1].next, nodes[2]); unchain(nodes); assert.equal(nodes[2].next, nodes[1]); assert.equal(nodes[1].next, nodes[0]); assert.deepEqual(nodes[0], { v: 1, next: null }); chain(nodes); assert.equal(nodes[1].next, nodes[2]); ring(nodes); assert.equal(nodes[2].next, nodes[0]); assert.equal(nodes[0].next.next.next, nodes[0]); });`,
    styles: {
      correct: `class C { constructor(xs) { this.cell = xs.reduceRight((t, x) => [x, t], null); this.map = xs.reduceRight((t, v) => new Map([['v', v], ['next', t]]), null); }
  reverse() { let p = null; for (let n = this.cell; n; ) { const next = n[1]; n[1] = p; p = n; n = next; } this.cell = p; }
  knot() { this.cell[1][1][1] = this.cell; } unknot() { this.cell[1][1][1] = null; }
  flip() { const a = this.map; const b = a.get('next'); a.set('next', b.get('next')); b.set('next', a); this.map = b; } }
 export const build = (xs) => new C(xs);
 export const chain = (ns) => { ns.forEach((n, i) => { n.next = ns[i + 1] ?? null; }); }; export const unchain = (ns) => { ns.forEach((n, i) => { n.next = ns[i - 1] ?? null; }); }; export const ring = (ns) => { ns.forEach((n, i) => { n.next = ns[(i + 1) % ns.length]; }); };`,
    },
    wrong: {},
  },
  {
    id: 'objects that come to contain themselves',
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { C, node, link, each, later } from 'solution';
test('tied', () => { const c = new C(); const r = c.rec; assert.deepEqual(r, { list: null }); c.tie(); assert.equal(c.items[0], r); assert.equal(r.list, c.items); assert.equal(c.items[0].list[0].list, c.items); c.untie(); assert.deepEqual(r, { list: null }); assert.deepEqual(c.items, [r]); });
test('of the test', () => { const c = new C(); const a = { v: 1, next: null }; const b = { v: 2, next: null }; c.add(a); c.add(b); assert.equal(c.first, a); assert.equal(a.next, b); c.close(); assert.equal(b.next, a); assert.equal(c.first.next.next, a); c.drop(); assert.deepEqual(a, { v: 1, next: null }); assert.equal(c.first, a); });
test('changed by the test', () => { const c = new C(); const r = c.rec; r.self = r; assert.equal(c.isSelf(), true); r.self = null; assert.equal(c.isSelf(), false); const l = c.rows; l.push({ rows: l }); assert.equal(c.depth(), true); });
test('answered by calls', () => { const one = node(1); const two = node(2); assert.deepEqual(link(one, two), { v: 1, next: { v: 2, next: null } }); link(two, one); assert.equal(one.next.next, one); const got = []; each(one, (n) => got.push(n)); assert.equal(got[0], one); assert.equal(got[1], two); link(two, null); assert.deepEqual(one, { v: 1, next: { v: 2, next: null } }); });
test('promised', async () => { const one = await later(1); const two = await later(2); link(one, two); link(two, one); assert.equal(two.next, one); assert.equal(one.next.next.next, two); });`,
    styles: {
      correct: `export class C { rec = { list: null }; items = []; rows = [];
  tie() { this.items.push(this.rec); this.rec.list = this.items; } untie() { this.rec.list = null; }
  add(n) { if (!this.first) this.first = n; else this.last.next = n; this.last = n; } close() { this.last.next = this.first; } drop() { this.last.next = null; this.first.next = null; this.last = this.first; }
  isSelf() { return this.rec.self === this.rec; } depth() { return this.rows[0].rows === this.rows; } }
 export const node = (v) => ({ v, next: null }); export const link = (a, b) => { a.next = b; return a; }; export const each = (n, f) => { const first = n; do { f(n); n = n.next; } while (n && n !== first); }; export const later = async (v) => node(v);`,
    },
    wrong: {
      tie: `export class C { rec = { list: null }; items = []; rows = [];
  tie() { this.items.push({ list: this.items }); this.rec.list = this.items; } untie() { this.rec.list = null; }
  add(n) { if (!this.first) this.first = n; else this.last.next = n; this.last = n; } close() { this.last.next = this.first; } drop() { this.last.next = null; this.first.next = null; this.last = this.first; }
  isSelf() { return this.rec.self === this.rec; } depth() { return this.rows[0].rows === this.rows; } }
 export const node = (v) => ({ v, next: null }); export const link = (a, b) => { a.next = b; return a; }; export const each = (n, f) => { const first = n; do { f(n); n = n.next; } while (n && n !== first); }; export const later = async (v) => node(v);`,
    },
  },
];

/** Rejected promises that the test does not wait for. */
export const handledRejections: readonly StylesCase[] = [
  {
    id: 'a promise that is handled and answered',
    references: ['catch'],
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { start } from 'solution';
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
test('a failing job is reported', async () => { let failed; start(async () => { throw new Error('boom'); }, (e) => { failed = e; }); await sleep(20); assert.equal(failed.message, 'boom'); });
test('awaited', async () => { let n = 0; await assert.rejects(start(async () => { throw new Error('boom'); }, () => { n++; }), { message: 'boom' }); assert.equal(n, 1); });
test('ends', async () => { assert.equal(await start(async () => 3, () => {}), 3); });`,
    styles: {
      catch: `export function start(job, onError) { const p = Promise.resolve().then(job); p.catch(onError); return p; }`,
      finally: `export function start(job, onError) { const p = Promise.resolve().then(job); p.catch(onError).finally(() => {}); return p; }`,
      await: `export function start(job, onError) { const p = Promise.resolve().then(job); (async () => { try { await p; } catch (e) { onError(e); } })(); return p; }`,
      later: `export function start(job, onError) { const p = Promise.resolve().then(job); queueMicrotask(() => p.catch(onError)); return p; }`,
      class: `class Runner { tasks = new Set(); run(job, onError) { const p = (async () => job())(); this.tasks.add(p); p.catch(onError).finally(() => this.tasks.delete(p)); return p; } } const r = new Runner(); export const start = (j, e) => r.run(j, e);`,
    },
    wrong: {
      none: `export function start(job, onError) { const p = Promise.resolve().then(job); p.then(undefined, () => {}); p.catch(() => {}); return p; }`,
      forgets: `export function start(job, onError) { const p = Promise.resolve().then(job); p.then(() => {}); return p; }`,
      asyncs: `export async function start(job, onError) { try { return await job(); } catch (e) { onError(e); throw e; } }`,
      reports: `export function start(job, onError) { return Promise.resolve().then(job).then((x) => x, (e) => { onError(e); throw e; }); }`,
      late: `export function start(job, onError) { const p = Promise.resolve().then(job); setTimeout(() => p.catch(onError), 5); return p; }`,
    },
  },
  {
    id: 'one that is handled too late',
    references: ['catch'],
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { start } from 'solution';
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
test('a failing job is reported', async () => { let failed; start(async () => { throw new Error('boom'); }, (e) => { failed = e; }); await sleep(30); assert.equal(failed.message, 'boom'); });`,
    styles: {
      catch: `export function start(job, onError) { const p = Promise.resolve().then(job); p.catch(onError); return p; }`,
      soon: `export function start(job, onError) { const p = Promise.resolve().then(job); Promise.resolve().then(() => p.catch(onError)); return p; }`,
    },
    wrong: {
      late: `export function start(job, onError) { const p = Promise.resolve().then(job); setTimeout(() => p.catch(onError), 5); return p; }`,
    },
  },
  {
    id: 'one that a file begins',
    references: ['catch'],
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { start } from 'solution';
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const kept = start(async () => { throw new Error('boom'); }, () => {});
test('x', async () => { await sleep(1); });`,
    styles: {
      catch: `export function start(job, onError) { const p = Promise.resolve().then(job); p.catch(onError); return p; }`,
    },
    wrong: {
      asyncs: `export const start = async (job) => job();`,
    },
  },
];

/** Tests that leave objects and errors to later ones. */
export const orderOfTests: readonly StylesCase[] = [
  {
    id: 'an error that another test throws',
    references: ['plain'],
    tests: `import assert from 'node:assert/strict';
import { test, describe, it } from 'node:test';
import { HttpError, call, wrap, fail } from 'solution';
test('is thrown by a callback', () => { assert.equal(call(() => { throw new HttpError(401, 'who?'); }), 401); });
test('is an error', () => { const error = new HttpError(418, 'teapot'); assert.ok(error instanceof Error); assert.equal(error.name, 'HttpError'); assert.equal(error.message, 'teapot'); });
test('is kept', () => { const error = new HttpError(418, 'teapot'); assert.equal(error.status, 418); assert.equal(String(error), 'HttpError: teapot'); });
test('passes through', () => { const e = new HttpError(500, 'x'); assert.throws(() => wrap(() => { throw e; }), e); assert.throws(() => fail(3), { name: 'HttpError', status: 3 }); });
`,
    styles: {
      hidden: `export class HttpError extends Error { get name() { return 'HttpError'; } constructor(status, ...rest) { super(...rest); Object.defineProperty(this, 'status', { value: status }); } } export const call = (f) => { try { return f(); } catch (e) { return e.status; } }; export const wrap = (f) => { try { return f(); } catch (e) { throw e; } }; export const fail = (s) => { throw new HttpError(s, 'no'); };`,
      plain: `export class HttpError extends Error { constructor(status, message) { super(message); this.name = 'HttpError'; this.status = status; } } export const call = (f) => { try { return f(); } catch (e) { return e.status; } }; export const wrap = (f) => { try { return f(); } catch (e) { throw e; } }; export const fail = (s) => { throw new HttpError(s, 'no'); };`,
    },
    wrong: {},
  },
  {
    id: 'the same in another order',
    references: ['plain'],
    tests: `import assert from 'node:assert/strict';
import { test, describe, it } from 'node:test';
import { HttpError, call, wrap, fail } from 'solution';
test('passes through', () => { const e = new HttpError(500, 'x'); assert.throws(() => wrap(() => { throw e; }), e); assert.throws(() => fail(3), { name: 'HttpError', status: 3 }); });
test('is kept', () => { const error = new HttpError(418, 'teapot'); assert.equal(error.status, 418); assert.equal(String(error), 'HttpError: teapot'); });
test('is an error', () => { const error = new HttpError(418, 'teapot'); assert.ok(error instanceof Error); assert.equal(error.name, 'HttpError'); assert.equal(error.message, 'teapot'); });
test('is thrown by a callback', () => { assert.equal(call(() => { throw new HttpError(401, 'who?'); }), 401); });
`,
    styles: {
      hidden: `export class HttpError extends Error { get name() { return 'HttpError'; } constructor(status, ...rest) { super(...rest); Object.defineProperty(this, 'status', { value: status }); } } export const call = (f) => { try { return f(); } catch (e) { return e.status; } }; export const wrap = (f) => { try { return f(); } catch (e) { throw e; } }; export const fail = (s) => { throw new HttpError(s, 'no'); };`,
      plain: `export class HttpError extends Error { constructor(status, message) { super(message); this.name = 'HttpError'; this.status = status; } } export const call = (f) => { try { return f(); } catch (e) { return e.status; } }; export const wrap = (f) => { try { return f(); } catch (e) { throw e; } }; export const fail = (s) => { throw new HttpError(s, 'no'); };`,
    },
    wrong: {},
  },
  {
    id: 'an error by itself',
    references: ['plain'],
    tests: `import assert from 'node:assert/strict';
import { test, describe, it } from 'node:test';
import { HttpError, call } from 'solution';
test('is thrown by a callback', () => { assert.equal(call(() => { throw new HttpError(401, 'who?'); }), 401); });
test('is an error', () => { const error = new HttpError(418, 'teapot'); assert.ok(error instanceof Error); assert.equal(error.name, 'HttpError'); assert.equal(error.message, 'teapot'); });
`,
    styles: {
      hidden: `export class HttpError extends Error { get name() { return 'HttpError'; } constructor(status, ...rest) { super(...rest); Object.defineProperty(this, 'status', { value: status }); } } export const call = (f) => { try { return f(); } catch (e) { return e.status; } }; export const wrap = (f) => { try { return f(); } catch (e) { throw e; } }; export const fail = (s) => { throw new HttpError(s, 'no'); };`,
      plain: `export class HttpError extends Error { constructor(status, message) { super(message); this.name = 'HttpError'; this.status = status; } } export const call = (f) => { try { return f(); } catch (e) { return e.status; } }; export const wrap = (f) => { try { return f(); } catch (e) { throw e; } }; export const fail = (s) => { throw new HttpError(s, 'no'); };`,
    },
    wrong: {
      name: `export class HttpError extends Error { constructor(status, message) { super(message); this.name = 'Error'; this.status = status; } } export const call = (f) => { try { return f(); } catch (e) { return e.status; } }; export const wrap = (f) => { try { return f(); } catch (e) { throw e; } }; export const fail = (s) => { throw new HttpError(s, 'no'); };`,
      msg: `export class HttpError extends Error { constructor(status, message) { super(message + 1); this.name = 'HttpError'; this.status = status; } } export const call = (f) => { try { return f(); } catch (e) { return e.status; } }; export const wrap = (f) => { try { return f(); } catch (e) { throw e; } }; export const fail = (s) => { throw new HttpError(s, 'no'); };`,
      status: `export class HttpError extends Error { constructor(status, message) { super(message); this.name = 'HttpError'; this.status = status + 1; } } export const call = (f) => { try { return f(); } catch (e) { return e.status; } }; export const wrap = (f) => { try { return f(); } catch (e) { throw e; } }; export const fail = (s) => { throw new HttpError(s, 'no'); };`,
    },
  },
  {
    id: 'an object of an earlier test',
    isLying: true,
    tests: `import assert from 'node:assert/strict';
import { test, describe, it } from 'node:test';
import { Box, fill } from 'solution';
let kept; test('one', () => { kept = new Box(1); fill(kept, 3); });
test('two', () => { assert.deepEqual(kept, new Box(3)); });
test('three', () => { const b = new Box(3); assert.deepEqual(b, kept); });`,
    styles: {
      correct: `export class Box { constructor(v) { this.v = v; } } export const fill = (b, v) => { b.v = v; };`,
    },
    wrong: {
      late: `let last; export class Box { constructor(v) { this.v = v; if (last) last.v = v; } } export const fill = (b, v) => { last = b; };`,
      same: `export class Box { constructor(v) { this.v = 0; } } export const fill = (b, v) => { b.v = 0; };`,
      none: `export class Box { constructor(v) { this.v = v; } } export const fill = (b, v) => { b.v = v + 1; };`,
    },
  },
  {
    id: 'an error of an earlier test',
    tests: `import assert from 'node:assert/strict';
import { test, describe, it } from 'node:test';
import { E, fail } from 'solution';
let kept; test('one', () => { assert.throws(() => fail(4), (e) => { kept = e; return true; }); });
test('two', () => { const e = new E(4); assert.equal(e.code, kept.code); assert.deepEqual(kept, e); });
test('three', () => { const e = new E(5); assert.notDeepEqual(kept, e); });`,
    styles: {
      correct: `export class E extends Error { constructor(c) { super('code ' + c); this.code = c; } } export const fail = (c) => { throw new E(c); };`,
    },
    wrong: {
      off: `export class E extends Error { constructor(c) { super('code ' + c); this.code = c; } } export const fail = (c) => { throw new E(c + 1); };`,
      same: `export class E extends Error { constructor(c) { super('code'); this.code = 0; } } export const fail = (c) => { throw new E(c + 1); };`,
      late: `let last; export class E extends Error { constructor(c) { super('code ' + c); this.code = c; if (last) { last.code = c; last.message = this.message; } } } export const fail = (c) => { last = new E(c + 1); throw last; };`,
    },
  },
];
