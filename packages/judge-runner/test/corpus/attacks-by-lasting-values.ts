/**
 * Faults that only show in what a test still holds after a call, or in how it uses what it was given: arguments beside an error, lists that promises
 * end with, the order of ends, exports, methods without their object, values of earlier tests, and errors that are none of the artifact's.
 * Each is a name, what the test imports, its body or, from `NAME` on, several tests with titles, the correct module and the wrong one.
 */
const rows: readonly (readonly [string, string, string, string, string])[] = [
  // What was changed before an error.
  [
    'argument',
    'halve',
    'const list = [3, -1]; assert.throws(() => halve(list), RangeError); assert.deepEqual(list, [3, -1]);',
    "export const halve = (l) => { if (l.some((x) => x < 0)) throw new RangeError('low'); return l.map((x) => x / 2); };",
    "export const halve = (l) => { l.forEach((x, i) => { if (x < 0) throw new RangeError('low'); l[i] = x / 2; }); return l; };",
  ],
  [
    'argument-of-method',
    'Bank',
    'const a = { n: 5 }; const bank = new Bank(); assert.throws(() => bank.take(a, [3, 9]), RangeError); assert.equal(a.n, 5);',
    "export class Bank { take(a, all) { let { n } = a; for (const x of all) { n -= x; if (n < 0) throw new RangeError('low'); } a.n = n; } }",
    "export class Bank { take(a, all) { for (const x of all) { if (a.n < x) throw new RangeError('low'); a.n -= x; } } }",
  ],
  [
    'argument-of-constructor',
    'Table',
    'const rows = [1, null]; assert.throws(() => new Table(rows), TypeError); assert.deepEqual(rows, [1, null]); assert.equal(new Table([1]).size(), 1);',
    "export class Table { #r; constructor(rows) { if (rows.includes(null)) throw new TypeError('row'); this.#r = [...rows]; } size() { return this.#r.length; } }",
    "export class Table { #r = []; constructor(rows) { while (rows.length) { const x = rows.shift(); if (x === null) throw new TypeError('row'); this.#r.push(x); } } size() { return this.#r.length; } }",
  ],
  [
    'argument-of-factory',
    'createBank',
    'const bank = createBank(); const m = new Map([["a", 5]]); assert.throws(() => bank.take(m, [3, 9]), RangeError); assert.equal(m.get("a"), 5);',
    "export const createBank = () => ({ take(m, all) { let n = m.get('a'); for (const x of all) { n -= x; if (n < 0) throw new RangeError('low'); } m.set('a', n); } });",
    "export const createBank = () => ({ take(m, all) { for (const x of all) { const n = m.get('a') - x; if (n < 0) throw new RangeError('low'); m.set('a', n); } } });",
  ],
  [
    'answer-before',
    'Cart',
    'const cart = new Cart(); const items = cart.items(); assert.throws(() => cart.add(null), TypeError); assert.deepEqual(items, []);',
    "export class Cart { #l = []; items() { return this.#l; } add(x) { if (x === null) throw new TypeError('x'); this.#l.push(x); } }",
    "export class Cart { #l = []; items() { return this.#l; } add(x) { this.#l.push(x); if (x === null) throw new TypeError('x'); } }",
  ],
  [
    'setter',
    'Chart',
    'const chart = new Chart(); const list = [2, 1]; chart.data = list; assert.deepEqual(list, [2, 1]); assert.equal(chart.max(), 2);',
    'export class Chart { #d = []; set data(l) { this.#d = [...l].sort(); } max() { return this.#d.at(-1); } }',
    'export class Chart { #d = []; set data(l) { this.#d = l.sort(); } max() { return this.#d.at(-1); } }',
  ],
  [
    'callback-that-throws',
    'each',
    'const seen = []; assert.throws(() => each((list) => { list.pop(); throw new Error("stop"); }), /stop/); each((list) => seen.push(list.length)); assert.deepEqual(seen, [2]);',
    'const own = [1, 2]; export const each = (f) => f([...own]);',
    'const own = [1, 2]; export const each = (f) => f(own);',
  ],
  // What promises end with.
  [
    'promised-list',
    'Store',
    "const s = new Store(); await s.add('a'); const all = await s.all(); all.push('b'); assert.equal((await s.all()).length, 1);",
    'export class Store { #l = []; async add(x) { this.#l.push(x); } async all() { return [...this.#l]; } }',
    'export class Store { #l = []; async add(x) { this.#l.push(x); } async all() { return this.#l; } }',
  ],
  [
    'promised-list-later',
    'Log',
    "const s = new Log(); const before = await s.all(); const sync = s.now(); await s.add('a'); assert.deepEqual([before.length, sync.length], [0, 0]);",
    'export class Log { #l = []; async add(x) { await null; this.#l.push(x); } async all() { return [...this.#l]; } now() { return [...this.#l]; } }',
    'export class Log { #l = []; async add(x) { await null; this.#l.push(x); } async all() { return [...this.#l]; } now() { return this.#l; } }',
  ],
  [
    'promised-object',
    'load',
    'const a = await load(); const b = await load(); assert.deepEqual(a, { n: 1 }); assert.notEqual(a, b);',
    'export const load = async () => ({ n: 1 });',
    'const own = { n: 1 }; export const load = async () => own;',
  ],
  [
    'order-of-ends',
    'Queue',
    "const q = new Queue(); const log = []; await Promise.all(['a', 'b'].map((x) => q.run(x).then((v) => log.push(v)))); assert.deepEqual(log, ['a', 'b']);",
    'export class Queue { #last = Promise.resolve(); run(x) { return (this.#last = this.#last.then(() => x)); } }',
    'export class Queue { #all = []; run(x) { return new Promise((done) => { this.#all.push(() => done(x)); setTimeout(() => this.#all.pop()?.(), 1); }); } }',
  ],
  [
    'race',
    'fast, slow',
    "assert.equal(await Promise.race([fast(), slow()]), 'fast');",
    "export const fast = async () => 'fast'; export const slow = () => new Promise((r) => setTimeout(r, 20, 'slow'));",
    "export const fast = async () => { await null; await null; await null; return 'fast'; }; export const slow = async () => 'slow';",
  ],
  // Exports.
  [
    'exported-object',
    'defaults, paint',
    "assert.deepEqual(paint({ color: 'red' }), { color: 'red', size: 1 }); assert.deepEqual(defaults, { color: 'blue', size: 1 });",
    "export const defaults = { color: 'blue', size: 1 }; export const paint = (o) => ({ ...defaults, ...o });",
    "export const defaults = { color: 'blue', size: 1 }; export const paint = (o) => Object.assign(defaults, o);",
  ],
  [
    'exported-within',
    'config, withPort',
    'const { ports } = config; assert.deepEqual(withPort(2), [1, 2]); assert.deepEqual(ports, [1]);',
    'export const config = { ports: [1] }; export const withPort = (n) => [...config.ports, n];',
    'export const config = { ports: [1] }; export const withPort = (n) => { config.ports.push(n); return config.ports; };',
  ],
  [
    'exported-map',
    'registry, plan',
    "assert.deepEqual(plan('a'), ['a']); assert.equal(registry.size, 0);",
    'export const registry = new Map(); export const plan = (n) => [n];',
    'export const registry = new Map(); export const plan = (n) => { registry.set(n, 1); return [...registry.keys()]; };',
  ],
  [
    'exported-to-the-test',
    'settings, tint',
    "try { settings.color = 'green'; } catch {} assert.equal(tint({}).color, 'blue');",
    "export const settings = Object.freeze({ color: 'blue' }); export const tint = (o) => ({ ...settings, ...o });",
    "export const settings = { color: 'blue' }; export const tint = (o) => ({ ...settings, ...o });",
  ],
  // Methods, and what they are called on.
  [
    'unbound',
    'Counter',
    'const c = new Counter(); const { inc } = c; inc(); [1, 2].forEach(c.inc); assert.equal(c.value(), 3);',
    'export class Counter { #n = 0; constructor() { this.inc = this.inc.bind(this); } inc() { this.#n += 1; } value() { return this.#n; } }',
    'export class Counter { #n = 0; inc() { this.#n += 1; } value() { return this.#n; } }',
  ],
  [
    'unbound-static',
    'Money',
    "const { parse } = Money; assert.deepEqual(['1', '2'].map((t) => parse(t).n), [1, 2]);",
    'export class Money { constructor(n) { this.n = n; } static parse(t) { return new Money(Number(t)); } }',
    'export class Money { constructor(n) { this.n = n; } static parse(t) { return new this(Number(t)); } }',
  ],
  [
    'own-handlers',
    'Button',
    "const a = new Button(), b = new Button(); assert.equal(typeof a.onClick, 'function'); assert.equal(a.onClick, a.onClick); assert.notEqual(a.onClick, b.onClick);",
    'export class Button { onClick = () => { this.n = 1; }; }',
    'export class Button { onClick() { this.n = 1; } }',
  ],
  [
    'borrowed',
    'Cell',
    'const a = new Cell(), b = new Cell(); a.inc(); assert.equal(a.value.call(b), 0); assert.throws(() => a.value.call({}), TypeError); assert.equal(a.value, b.value);',
    'export class Cell { #n = 0; inc() { this.#n += 1; } value() { return this.#n; } }',
    'export class Cell { #n = 0; inc() { this.#n += 1; } value = () => this.#n; }',
  ],
  // What answers another thing each time.
  [
    'stable-id',
    'Job',
    "const job = new Job(); assert.equal(typeof job.id, 'number'); assert.equal(job.id, job.id);",
    'let n = 0; export class Job { #id = ++n; get id() { return this.#id; } }',
    'let n = 0; export class Job { get id() { return ++n; } }',
  ],
  [
    'stable-text',
    'Token',
    'const t = new Token(); assert.equal(String(t), String(t));',
    "let n = 0; export class Token { #id = ++n; toString() { return 't' + this.#id; } }",
    "let n = 0; export class Token { toString() { return 't' + (++n); } }",
  ],
  [
    'stable-of-factory',
    'createJob',
    'const job = createJob(); job.start(); assert.equal(job.id, job.id);',
    'let n = 0; export const createJob = () => { const id = ++n; return { get id() { return id; }, start() {} }; };',
    'let n = 0; export const createJob = () => ({ get id() { return ++n; }, start() {} });',
  ],
  [
    'stable-row',
    'row',
    "const r = row(); assert.equal(typeof r.id, 'number'); assert.equal(r.id, r.id);",
    'export const row = () => ({ id: 1 });',
    'let n = 0; class Row { get id() { return ++n; } } export const row = () => new Row();',
  ],
  // What other tests hold.
  [
    'answered-before',
    'base',
    "const first = base(); NAME is a copy: first.color = 'red'; assert.equal(base().color, 'blue');",
    "const own = { color: 'blue' }; export const base = () => ({ ...own });",
    "const own = { color: 'blue' }; export const base = () => own;",
  ],
  [
    'answered-earlier',
    'load, clear',
    'let first; NAME loads: first = load(); assert.equal(load(), first); NAME is another: clear(); const next = load(); assert.deepEqual(next, { n: 1 }); assert.notEqual(next, first);',
    'let kept = null; export const load = () => (kept ??= { n: 1 }); export const clear = () => { kept = null; };',
    'let kept = null; export const load = () => (kept ??= { n: 1 }); export const clear = () => {};',
  ],
  [
    'given-earlier',
    'Basket',
    "let items, cart; NAME counts: items = ['a']; cart = new Basket(items); assert.equal(cart.count(), 1); NAME keeps a copy: items.push('b'); assert.equal(cart.count(), 1);",
    'export class Basket { constructor(items) { this.items = [...items]; } count() { return this.items.length; } }',
    'export class Basket { constructor(items) { this.items = items; } count() { return this.items.length; } }',
  ],
  // Errors that are none of the artifact's.
  [
    'error-of-a-getter',
    'clone',
    "assert.deepEqual(clone({ a: 1 }), { a: 1 }); assert.throws(() => clone({ get a() { throw new RangeError('boom'); } }), /boom/);",
    'export const clone = (o) => ({ ...o });',
    'export const clone = (o) => { const c = {}; for (const k of Object.keys(o)) try { c[k] = o[k]; } catch { c[k] = null; } return c; };',
  ],
  [
    'error-of-a-proxy',
    'names',
    "assert.deepEqual(names({ a: 1 }), ['a']); assert.throws(() => names(new Proxy({}, { ownKeys() { throw new RangeError('asked'); } })), /asked/);",
    'export const names = (o) => Object.keys(o);',
    'export const names = (o) => { try { return Object.keys(o); } catch { return []; } };',
  ],
  [
    'nested-too-deep',
    'run',
    'const nest = (n) => run(() => (n === 0 ? 0 : nest(n - 1))); assert.equal(nest(3), 0); assert.throws(() => nest(700), RangeError);',
    "let at = 0; export const run = (f) => { if (at > 100) throw new RangeError('nested'); at += 1; try { return f(); } finally { at -= 1; } };",
    'export const run = (f) => f();',
  ],
  // What an answer or an error is.
  [
    'same-error',
    'fail',
    'const caught = () => { try { fail(); } catch (e) { return e; } }; const a = caught(); assert.equal(a.message, "no"); assert.notStrictEqual(a, caught());',
    "export const fail = () => { throw new RangeError('no'); };",
    "const e = new RangeError('no'); export const fail = () => { throw e; };",
  ],
  [
    'long-message',
    'parse',
    "assert.throws(() => parse('x'.repeat(5000)), (e) => e.message.length <= 1500);",
    "export const parse = (t) => { throw new SyntaxError(('bad ' + t).slice(0, 1000)); };",
    "export const parse = (t) => { throw new SyntaxError('bad ' + t); };",
  ],
  [
    'name-of-error',
    'read',
    "assert.throws(() => read('('), { name: 'ParseError' });",
    "class ParseError extends Error { name = 'ParseError'; } export const read = () => { throw new ParseError('x'); };",
    'class ParseError extends Error { constructor(m, node) { super(m); this.node = node; } } export const read = () => { let d = null; for (let i = 0; i < 100; i += 1) d = { next: d }; throw new ParseError("x", d); };',
  ],
  [
    'hidden',
    'toPublic',
    "const user = toPublic({ name: 'ann', password: 'x' }); assert.equal(user.name, 'ann'); assert.equal(user.password, undefined); assert.ok(!('password' in user));",
    'export const toPublic = ({ password, ...rest }) => rest;',
    "export const toPublic = ({ password, ...rest }) => Object.defineProperty(rest, 'password', { value: password });",
  ],
  [
    'not-instance',
    'find, User',
    "const u = find('ann'); assert.ok(u instanceof User); assert.equal(u.name, 'ann');",
    'export class User { constructor(n) { this.name = n; } } export const find = (n) => new User(n);',
    'export class User { constructor(n) { this.name = n; } } export const find = (n) => Object.assign(Object.create({ constructor: User }), { name: n });',
  ],
  [
    'not-iterable',
    'range',
    'assert.deepEqual([...range(1, 3)], [1, 2, 3]);',
    'export function* range(a, b) { for (let i = a; i <= b; i += 1) yield i; }',
    "class Steps { constructor(a, b) { this.a = a; this.b = b; } get [Symbol.toStringTag]() { return 'Range Iterator'; } next() { return { value: this.a, done: this.a++ > this.b }; } } export const range = (a, b) => new Steps(a, b);",
  ],
];

const heading = "import test from 'node:test';\nimport assert from 'node:assert/strict';\n";
const bodyOf = (name: string, test: string) => {
  const [before = '', ...parts] = test.split('NAME ');
  if (parts.length === 0) return `test('${name}', async () => { ${test} });`;
  const tests = parts.map((part) => {
    const [title = '', ...body] = part.split(': ');
    return `test('${name} ${title}', async () => { ${body.join(': ')} });`;
  });
  return [before, ...tests].join('\n');
};

/** Test files by name: one for each case. */
export const testsOfLasting = Object.fromEntries(
  rows.map(([name, uses, test]) => [
    `${name}.test.mjs`,
    `${heading}import { ${uses} } from './${name}.mjs';\n${bodyOf(name, test)}\n`,
  ]),
);
const modules = (which: 3 | 4) => Object.fromEntries(rows.map((row) => [`${row[0]}.mjs`, row[which]]));
export const correctLasting = modules(3);
export const wrongLasting = modules(4);
/** Names of the modules: of each, one test at least must fail. */
export const namesOfLasting = rows.map(([name]) => name);
