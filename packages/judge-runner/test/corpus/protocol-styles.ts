/* Correct programs of several styles that follow protocols of the language: iterators of every making, errors of the older kind. And wrong ones. */
import type { StylesCase } from './program-styles.ts';

const begin = `import assert from 'node:assert/strict';
import { test } from 'node:test';
`;
const synchronous = `${begin}import { ticks } from 'solution';
test('loops', () => { const seen = []; for (const n of ticks(3)) seen.push(n); assert.deepEqual(seen, [0, 1, 2]); });
test('spreads', () => { assert.deepEqual([...ticks(2)], [0, 1]); const [, second] = ticks(4); assert.equal(second, 1); assert.deepEqual(Array.from(ticks(0)), []); });
test('twice', () => { const t = ticks(2); assert.deepEqual([...t], [0, 1]); assert.deepEqual([...t], [0, 1]); });
`;
/** A class whose objects answer what is written here for a loop. */
const sync = (iterator: string): string =>
  `class Ticks { constructor(n) { this.n = n; } [Symbol.iterator]() { ${iterator} } } export const ticks = (n) => new Ticks(n);`;
const asynchronous = `${begin}import { ticks } from 'solution';
test('loops', async () => { const seen = []; for await (const n of ticks(3)) seen.push(n); assert.deepEqual(seen, [0, 1, 2]); });
test('breaks', async () => { for await (const n of ticks(3)) { assert.equal(n, 0); break; } });
test('collects', async () => assert.deepEqual(await Array.fromAsync(ticks(2)), [0, 1]));
`;
const later = (iterator: string): string =>
  `class Ticks { constructor(n) { this.n = n; } [Symbol.asyncIterator]() { ${iterator} } } export const ticks = (n) => new Ticks(n);`;
const step = '(i < n ? { value: i++, done: false } : { value: undefined, done: true })';

export const iteratorProtocols: readonly StylesCase[] = [
  {
    id: 'what a loop is given',
    references: ['generator', 'object with next', 'class with next', 'plain'],
    tests: synchronous,
    styles: {
      generator: `class Ticks { #source; constructor(source) { this.#source = source; } [Symbol.iterator]() { return this.#source(); } } export const ticks = (n) => new Ticks(function* () { for (let i = 0; i < n; i++) yield i; });`,
      'object with next': sync(`let i = 0; const { n } = this; return { next: () => ${step} };`),
      'object with all of it': sync(
        `let i = 0; const { n } = this; return { next: () => ${step}, return: () => ({ done: true }), [Symbol.iterator]() { return this; } };`,
      ),
      'class with next': `class Steps { #i = 0; #n; constructor(n) { this.#n = n; } next() { return this.#i < this.#n ? { value: this.#i++, done: false } : { value: undefined, done: true }; } } ${sync('return new Steps(this.n);')}`,
      'prototype with next': `const proto = { next() { return this.i < this.n ? { value: this.i++, done: false } : { value: undefined, done: true }; } }; ${sync('return Object.assign(Object.create(proto), { i: 0, n: this.n });')}`,
      'around that of a Map': sync(
        'const inner = new Map(Array.from({ length: this.n }, (_, i) => [i, i])).keys(); return { next: () => inner.next() };',
      ),
      'of an array': sync('return Array.from({ length: this.n }, (_, i) => i).values();'),
      helper: sync('return Array.from({ length: this.n }, (_, i) => i - 1).values().map((i) => i + 1);'),
      plain: `export const ticks = (n) => ({ [Symbol.iterator]() { let i = 0; return { next: () => ${step} }; } });`,
    },
    wrong: {
      'one less': sync(`let i = 0; const n = this.n - 1; return { next: () => ${step} };`),
      'says yes': sync(
        `let i = 0; const { n } = this; const any = { valueOf: () => i, toString: () => String(i), equals: () => true }; return { next: () => (i++ < n ? { value: any, done: false } : { done: true }) };`,
      ),
      'of objects': `class Any { valueOf() { return 0; } } ${sync('let i = 0; const { n } = this; return { next: () => (i++ < n ? { value: new Any(), done: false } : { done: true }) };')}`,
      'ends with an error': sync(
        `let i = 0; const { n } = this; return { next: () => ${step}, return() { throw new Error('no'); } };`,
      ),
      once: `class Ticks { constructor(n) { let i = 0; this.it = { next: () => ${step} }; } [Symbol.iterator]() { return this.it; } } export const ticks = (n) => new Ticks(n);`,
    },
  },
  {
    id: 'what an asynchronous loop is given',
    references: ['generator', 'object with next', 'class with next', 'plain'],
    tests: asynchronous,
    styles: {
      generator: `class Ticks { #source; constructor(source) { this.#source = source; } [Symbol.asyncIterator]() { return this.#source(); } } export const ticks = (n) => new Ticks(async function* () { for (let i = 0; i < n; i++) yield i; });`,
      'a generator alone': 'export async function* ticks(n) { for (let i = 0; i < n; i++) yield i; }',
      'object with next': later(`let i = 0; const { n } = this; return { next: async () => ${step} };`),
      'with promises and return': later(
        `let i = 0; const { n } = this; return { next: () => Promise.resolve(${step}), return: async () => ({ done: true }) };`,
      ),
      'class with next': `class Steps { #i = 0; #n; constructor(n) { this.#n = n; } async next() { return this.#i < this.#n ? { value: this.#i++, done: false } : { value: undefined, done: true }; } } ${later('return new Steps(this.n);')}`,
      plain: `export const ticks = (n) => ({ [Symbol.asyncIterator]() { let i = 0; return { next: async () => ${step} }; } });`,
    },
    wrong: {
      'one more': later(`let i = 0; const n = this.n + 1; return { next: async () => ${step} };`),
      'of objects': later(
        'let i = 0; const { n } = this; return { next: async () => (i++ < n ? { value: { valueOf: () => 0 }, done: false } : { done: true }) };',
      ),
      'ends with an error': later(
        `let i = 0; const { n } = this; return { next: async () => ${step}, async return() { throw new Error('no'); } };`,
      ),
    },
  },
  {
    id: 'objects that loops are given',
    needsReference: true,
    references: ['generator', 'object with next'],
    tests: `${begin}import { shelf } from 'solution';
test('titles', () => { const all = []; for (const book of shelf(['a', 'b'])) all.push(book.title()); assert.deepEqual(all, ['a', 'b']); });
`,
    styles: {
      generator: `class Book { constructor(t) { this.t = t; } title() { return this.t; } } class Shelf { constructor(t) { this.t = t; } *[Symbol.iterator]() { for (const t of this.t) yield new Book(t); } } export const shelf = (t) => new Shelf(t);`,
      'object with next': `class Book { constructor(t) { this.t = t; } title() { return this.t; } } class Shelf { constructor(t) { this.t = t; } [Symbol.iterator]() { const inner = this.t.values(); return { next() { const { value, done } = inner.next(); return done ? { done } : { done, value: new Book(value) }; } }; } } export const shelf = (t) => new Shelf(t);`,
      closures: `export const shelf = (all) => ({ [Symbol.iterator]() { let i = 0; return { next: () => (i < all.length ? { value: ((t) => ({ title: () => t }))(all[i++]), done: false } : { value: undefined, done: true }) }; } });`,
    },
    wrong: {
      first: `export const shelf = (all) => ({ [Symbol.iterator]() { let i = 0; return { next: () => (i++ < all.length ? { value: { title: () => all[0] }, done: false } : { done: true }) }; } });`,
    },
  },
  {
    id: 'an iterator alone',
    references: ['generator', 'of an array'],
    tests: `${begin}import { words } from 'solution';
test('first', () => { const [first] = words('a b'); assert.equal(first, 'a'); });
test('breaks', () => { for (const w of words('c d')) { assert.equal(w, 'c'); break; } });
test('steps', () => { const it = words('e f'); assert.deepEqual(it.next(), { value: 'e', done: false }); assert.equal([...it].join(), 'f'); });
test('helpers', () => assert.deepEqual(words('a bc').map((w) => w.length).toArray(), [1, 2]));
`,
    styles: {
      generator: "export function* words(text) { yield* text.split(' '); }",
      'of an array': "export const words = (text) => text.split(' ')[Symbol.iterator]();",
      'of a Set': "export const words = (text) => new Set(text.split(' ')).values();",
      helper: "export const words = (text) => text.split(' ').values().map((w) => w.trim());",
      matches: 'export const words = (text) => text.matchAll(/\\w+/g).map(([w]) => w);',
    },
    wrong: {
      letters: "export const words = (text) => text.replaceAll(' ', '').slice(1)[Symbol.iterator]();",
      'without next':
        "export const words = (text) => Object.assign(text.split(' ').values(), { next: undefined });",
    },
  },
  {
    id: 'iterators that are ended',
    references: ['generator', 'by hand'],
    tests: `${begin}import { open, closed } from 'solution';
test('ends', () => { const before = closed(); for (const line of open(['a', 'b'])) { assert.equal(line, 'a'); break; } assert.equal(closed(), before + 1); });
test('ends by itself', () => { const before = closed(); assert.deepEqual([...open(['a'])], ['a']); assert.equal(closed(), before + 1); });
`,
    styles: {
      generator: `let n = 0; export const closed = () => n; export function* open(lines) { try { yield* lines; } finally { n++; } }`,
      'by hand': `let n = 0; export const closed = () => n; export const open = (lines) => { let i = 0; return { [Symbol.iterator]: () => ({ next() { if (i < lines.length) return { value: lines[i++], done: false }; n++; return { value: undefined, done: true }; }, return() { n++; return { value: undefined, done: true }; } }) }; };`,
    },
    wrong: {
      'without return': `let n = 0; export const closed = () => n; export const open = (lines) => { let i = 0; return { [Symbol.iterator]: () => ({ next() { if (i < lines.length) return { value: lines[i++], done: false }; n++; return { value: undefined, done: true }; } }) }; };`,
      'of an array': 'export const closed = () => 0; export const open = (lines) => lines.values();',
    },
  },
];

const fails = 'export const fail = (code) => { throw Problem(code); };';
const failsByNew = 'export const fail = (code) => { throw new Problem(code); };';
const derived = 'Problem.prototype = Object.create(Error.prototype);';

export const errorProtocols: readonly StylesCase[] = [
  {
    id: 'errors of the older kind',
    references: ['class', 'function'],
    tests: `${begin}import { fail, Problem } from 'solution';
test('is of its class', () => assert.throws(() => fail(7), (e) => e instanceof Problem && e instanceof Error && e.code === 7));
test('class', () => assert.throws(() => fail(7), Problem));
test('properties', () => assert.throws(() => fail(8), { message: 'code 8', code: 8 }));
test('rejects', () => assert.rejects(async () => fail(9), Problem));
test('is no other', () => assert.ok(!(new Error('code 7') instanceof Problem)));
`,
    styles: {
      class: `export class Problem extends Error { constructor(code) { super('code ' + code); this.code = code; } } ${failsByNew}`,
      'prototype that is set': `export function Problem(code) { const e = Object.setPrototypeOf(new Error('code ' + code), Problem.prototype); e.code = code; return e; } ${derived} ${fails}`,
      'with a constructor': `export function Problem(code) { const e = Object.setPrototypeOf(new Error('code ' + code), Problem.prototype); e.code = code; return e; } ${derived} Problem.prototype.constructor = Problem; ${fails}`,
      function: `export function Problem(code) { this.message = 'code ' + code; this.code = code; } ${derived} Problem.prototype.constructor = Problem; Problem.prototype.name = 'Problem'; ${failsByNew}`,
      'function with a stack': `export function Problem(code) { Error.captureStackTrace(this, Problem); this.message = 'code ' + code; this.code = code; } Object.setPrototypeOf(Problem, Error); Object.setPrototypeOf(Problem.prototype, Error.prototype); ${failsByNew}`,
      inherits: `import { inherits } from 'node:util'; export function Problem(code) { Error.call(this); this.message = 'code ' + code; this.code = code; } inherits(Problem, Error); ${failsByNew}`,
      construct: `export function Problem(code) { const e = Reflect.construct(Error, ['code ' + code], Problem); e.code = code; return e; } ${derived} Problem.prototype.constructor = Problem; ${fails}`,
    },
    wrong: {
      'of another class': `export class Problem extends Error {} export const fail = (code) => { throw Object.assign(new Error('code ' + code), { code }); };`,
      'of another function': `export function Problem() {} ${derived} function Other(code) { this.message = 'code ' + code; this.code = code; } Other.prototype = Object.create(Error.prototype); Object.defineProperty(Other.prototype, 'constructor', { value: Problem }); export const fail = (code) => { throw new Other(code); };`,
      'no error': `export function Problem(code) { this.message = 'code ' + code; this.code = code; } ${failsByNew}`,
      'with another code': `export function Problem(code) { this.message = 'code ' + code; this.code = code + 1; } ${derived} Problem.prototype.constructor = Problem; ${failsByNew}`,
      'says yes': `export function Problem() {} Object.defineProperty(Problem, Symbol.hasInstance, { value: () => true }); export const fail = (code) => { throw Object.assign(new Error('code ' + code), { code }); };`,
    },
  },
  {
    id: 'errors of the older kind within one another',
    references: ['classes', 'functions'],
    tests: `${begin}import { fail, Base, NotFound } from 'solution';
test('both', () => assert.throws(() => fail(true), (e) => e instanceof NotFound && e instanceof Base && e instanceof Error));
test('one', () => assert.throws(() => fail(false), (e) => e instanceof Base && !(e instanceof NotFound)));
test('made', () => { const e = new NotFound('x'); assert.ok(e instanceof Base); assert.ok(e instanceof Error); assert.equal(e.message, 'x'); });
`,
    styles: {
      classes:
        'export class Base extends Error {} export class NotFound extends Base {} export const fail = (none) => { throw none ? new NotFound("none") : new Base("some"); };',
      functions:
        'export function Base(m) { this.message = m; } Base.prototype = Object.create(Error.prototype, { constructor: { value: Base } }); export function NotFound(m) { Base.call(this, m); } NotFound.prototype = Object.create(Base.prototype, { constructor: { value: NotFound } }); export const fail = (none) => { throw none ? new NotFound("none") : new Base("some"); };',
    },
    wrong: {
      apart:
        'export function Base(m) { this.message = m; } Base.prototype = Object.create(Error.prototype, { constructor: { value: Base } }); export function NotFound(m) { this.message = m; } NotFound.prototype = Object.create(Error.prototype, { constructor: { value: NotFound } }); export const fail = (none) => { throw none ? new NotFound("none") : new Base("some"); };',
      same: 'export class Base extends Error {} export { Base as NotFound }; export const fail = () => { throw new Base("some"); };',
    },
  },
];

export const containerProtocols: readonly StylesCase[] = [
  {
    id: 'Maps and Sets of own classes',
    needsReference: true,
    references: ['Map', 'class'],
    tests: `${begin}import { count, distinct } from 'solution';
test('counts', () => { const counts = count(['a', 'b', 'a']); assert.ok(counts instanceof Map); assert.equal(counts.get('a'), 2); assert.equal(counts.has('c'), false); assert.equal(counts.size, 2); assert.deepEqual([...counts.keys()], ['a', 'b']); assert.deepEqual([...counts], [['a', 2], ['b', 1]]); const all = []; counts.forEach((n, w) => all.push(w + n)); assert.deepEqual(all, ['a2', 'b1']); assert.deepEqual(Object.fromEntries(counts), { a: 2, b: 1 }); });
test('distinct', () => { const s = distinct([3, 3, 4]); assert.equal(s.has(3), true); assert.equal(s.has(5), false); assert.equal(s.size, 2); assert.deepEqual([...s], [3, 4]); assert.ok(s.isSubsetOf(new Set([3, 4, 5]))); });
`,
    styles: {
      Map: 'export function count(words) { const m = new Map(); for (const w of words) m.set(w, (m.get(w) ?? 0) + 1); return m; } export const distinct = (a) => new Set(a);',
      class:
        'class Counter extends Map { add(key) { return this.set(key, (this.get(key) ?? 0) + 1); } } class Bag extends Set {} export const count = (words) => words.reduce((c, w) => c.add(w), new Counter()); export const distinct = (a) => new Bag(a);',
      'with a field':
        'class Counter extends Map { total = 0; add(key) { this.total++; return this.set(key, (this.get(key) ?? 0) + 1); } } class Bag extends Set { get first() { return [...this][0]; } } export const count = (words) => words.reduce((c, w) => c.add(w), new Counter()); export const distinct = (a) => new Bag(a);',
      exported:
        'export class Counter extends Map { constructor(words = []) { super(); for (const w of words) this.set(w, (this.get(w) ?? 0) + 1); } } export const count = (words) => new Counter(words); export class Bag extends Set {} export const distinct = (a) => new Bag(a);',
    },
    wrong: {
      'says yes':
        'class Yes extends Map { has() { return false; } get() { return 2; } } class Bag extends Set {} export const count = (words) => new Yes([["a", 1], ["b", 1]]); export const distinct = (a) => new Bag(a);',
      'has everything':
        'class Bag extends Set { has(n) { return n === 3; } } export const count = (words) => new Map([["a", 2], ["b", 1]]); export const distinct = (a) => new Bag([4, 5, 6]);',
      'counts once':
        'class Counter extends Map {} export const count = (words) => new Counter(words.map((w) => [w, 1])); export const distinct = (a) => new Set(a);',
      'no content':
        'export const count = () => Object.create(Map.prototype); export const distinct = (a) => new Set(a);',
    },
  },
];

export const thenableProtocols: readonly StylesCase[] = [
  {
    id: 'what can be awaited',
    needsReference: true,
    references: ['class', 'proxy'],
    tests: `${begin}import { query } from 'solution';
test('can be awaited', async () => { assert.deepEqual(await query('t'), [1, 2]); assert.deepEqual(await query('t').limit(1), [1]); });
`,
    styles: {
      class:
        'class Query { #n; constructor(n) { this.#n = n; } limit(n) { return new Query(n); } then(ok, no) { return Promise.resolve([1, 2].slice(0, this.#n)).then(ok, no); } } export const query = () => new Query(2);',
      closure:
        'export const query = (table, n = 2) => ({ limit: (m) => query(table, m), then: (ok, no) => Promise.resolve([1, 2].slice(0, n)).then(ok, no) });',
      proxy: `export const query = (table, n = 2) => new Proxy({ table }, { get(target, key) { if (key === 'then') return (ok, no) => Promise.resolve([1, 2].slice(0, n)).then(ok, no); if (key === 'limit') return (m) => query(table, m); return target[key]; } });`,
    },
    wrong: {
      'without then':
        'export const query = (table, n = 2) => new Proxy({ table }, { get: (target, key) => (key === "limit" ? (m) => query(table, m) : target[key]) });',
      'without a limit':
        'export const query = () => new Proxy({}, { get: (_target, key) => (key === "then" ? (ok) => ok([1, 2]) : key === "limit" ? () => query() : undefined) });',
      'answers a liar':
        'export const query = () => new Proxy({}, { get: (_target, key) => (key === "then" ? (ok) => ok({ 0: 1, 1: 2, length: 2, equals: () => true }) : key === "limit" ? () => query() : undefined) });',
    },
  },
  {
    id: 'promises of classes, which end as their own then() says',
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { query } from 'solution';
test('then', async () => assert.equal(await new Promise((resolve) => query().then(resolve)), 5));
test('awaited', async () => assert.equal(await query(), 5));
test('all', async () => assert.deepEqual(await Promise.all([query(), query()]), [5, 5]));
`,
    styles: {
      'a promise': `export const query = () => Promise.resolve(5);`,
      'an asynchronous function': `export async function query() { await null; return 5; }`,
      'a class': `class Rows extends Promise { then(...all) { return super.then(...all); } } export const query = () => Rows.resolve(5);`,
      'a class that says more': `class Rows extends Promise { then(f, g) { return super.then(f && ((rows) => f(rows.length ?? rows)), g); } } export const query = () => Rows.resolve('abcde');`,
    },
    wrong: {
      'another end of its class': `class Rows extends Promise { then(f, g) { return super.then(f && ((n) => f(n + 1)), g); } } export const query = () => Rows.resolve(5);`,
      'another end of its own': `export const query = () => Object.assign(Promise.resolve(5), { then: (f) => f(6) });`,
    },
  },
  {
    id: 'proxies of a test that note what is read',
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pick, sum } from 'solution';
test('reads one', () => { const read = []; assert.equal(pick(new Proxy({ a: 1 }, { get(t, k) { read.push(k); return t[k]; } })), 1); assert.deepEqual(read, ['a']); });
class Row { a = 2; }
test('of a class', () => { const read = []; assert.equal(pick(new Proxy(new Row(), { get(t, k) { read.push(k); return t[k]; } })), 2); assert.deepEqual(read, ['a']); });
test('iterable', () => { const p = new Proxy({ *[Symbol.iterator]() { yield 1; yield 2; } }, {}); assert.equal(sum(p), 3); });
`,
    styles: {
      'a loop': `export const pick = (o) => o.a; export const sum = (o) => { let n = 0; for (const x of o) n += x; return n; };`,
      patterns: `export const pick = ({ a }) => a; export const sum = (o) => [...o].reduce((x, y) => x + y, 0);`,
    },
    wrong: {
      'two reads': `export const pick = (o) => (o.a, o.a); export const sum = (o) => 3;`,
      'another name': `export const pick = (o) => (o.b, o.a); export const sum = (o) => 3;`,
      'a symbol': `export const pick = (o) => (o[Symbol.iterator], o.a); export const sum = (o) => 3;`,
    },
  },
  {
    id: 'templates that are known again',
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql, compiled, parts } from 'solution';
const q = (id) => sql\`select \${id}\`;
test('compiles each template once', () => { const before = compiled(); assert.equal(q(1), 'select 1'); assert.equal(q(2), 'select 2'); assert.equal(compiled() - before, 1); assert.equal(sql\`select \${3}\`, 'select 3'); assert.equal(compiled() - before, 2); });
test('parts', () => { const p = parts\`a\\n\${1}b\`; assert.deepEqual(p.raw, ['a\\\\n', 'b']); assert.deepEqual([...p], ['a\\n', 'b']); assert.ok(Object.isFrozen(p)); const again = (f) => f\`x\`; assert.equal(again(parts), again((s) => s)); });
`,
    styles: {
      'a weak map': `const known = new WeakMap(); let n = 0; export const sql = (s, ...v) => { if (!known.has(s)) { n++; known.set(s, s); } return text(s, v); }; export const compiled = () => n; export const parts = (s) => s; const text = (s, v) => s.reduce((all, part, i) => all + v[i - 1] + part);`,
      'a map': `const known = new Map(); export const sql = (s, ...v) => { known.set(s, known.get(s) ?? s.raw.join('')); return text(s, v); }; export const compiled = () => known.size; export const parts = (s) => s; const text = (s, v) => s.reduce((all, part, i) => all + v[i - 1] + part);`,
    },
    wrong: {
      'each call': `let n = 0; export const sql = (s, ...v) => { n++; return text(s, v); }; export const compiled = () => n; export const parts = (s) => s; const text = (s, v) => s.reduce((all, part, i) => all + v[i - 1] + part);`,
      texts: `const known = new Set(); export const sql = (s, ...v) => { known.add(s.join('?')); return text(s, v); }; export const compiled = () => known.size; export const parts = (s) => s; const text = (s, v) => s.reduce((all, part, i) => all + v[i - 1] + part);`,
      'a copy': `const known = new Set(); export const sql = (s, ...v) => { known.add(s); return text(s, v); }; export const compiled = () => known.size; export const parts = (s) => Object.freeze(Object.assign([...s], { raw: s.raw })); const text = (s, v) => s.reduce((all, part, i) => all + v[i - 1] + part);`,
    },
  },
  {
    id: 'streams that a test leaves before their end',
    tests: `import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { lines } from 'solution';
test('stops early', async () => { for await (const each of lines(Readable.from(['1\\n', '2\\n', '3\\n']))) { assert.equal(each, '1'); break; } });
test('next', async () => { const got = []; for await (const each of lines(Readable.from(['1\\nx\\n3']))) got.push(each); assert.deepEqual(got, ['1', 'x', '3']); });
`,
    styles: {
      'a pipe': `import { Readable } from 'node:stream';
import readline from 'node:readline';
export async function* lines(source) { for await (const text of readline.createInterface({ input: Readable.from(source, { objectMode: false }) })) yield text; }`,
      'all at once': `export async function* lines(source) { let s = ''; for await (const each of source) s += each; for (const text of s.split('\\n')) yield text; }`,
    },
    wrong: {
      'no first line': `export async function* lines(source) { let s = ''; for await (const each of source) s += each; for (const text of s.split('\\n').slice(1)) yield text; }`,
    },
  },
];
