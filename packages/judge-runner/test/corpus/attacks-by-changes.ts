/*
 * Wrong modules that change, keep or compute what they share with functions of the test: what a function is given and called on, objects that
 * compute all their properties, and what the test changes after it has given it.
 */

/** Tests of middleware, of builders, of copies, of proxies, and of what is written by a method of its own. */
export const testsOfChanges = `import test from 'node:test';
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { Box, Fault, Hub, Money, Span, View, add, cellOf, cradle, doubled, fail, group, handle, opened, same, settle, shelf, watch } from 'solution';
test('copies a list', () => { const items = [1]; const box = new Box(items); items.push(2); assert.equal(box.size, 1); assert.deepEqual(box.all(), [1]); });
test('answers a copy', () => { const box = new Box([1]); box.all().push(9); const all = box.all(); all.length = 0; assert.deepEqual(box.all(), [1]); });
test('answers its own', () => { const view = new View([1]); view.own().push(9); assert.equal(view.size(), 2); view.own().length = 0; assert.equal(view.size(), 0); });
test('copies options', () => { const options = { max: 1 }; const box = new Box([1], options); options.max = 5; assert.equal(box.max(), 1); });
test('keeps a list', () => { const items = [1]; const view = new View(items); items.push(2); assert.equal(view.size(), 2); items.length = 0; assert.equal(view.size(), 0); });
test('copies a date', () => { const at = new Date(0); const span = new Span(at); at.setUTCFullYear(2001); assert.equal(span.year(), 1970); });
test('the same date', () => { const at = new Date(5); assert.equal(same({ at }).at, at); assert.notEqual(same({ at: new Date(5) }).at, at); });
test('changes while it waits', async () => { const ctx = await handle([async (c, next) => { await next(); c.headers.took = '1ms'; }]); assert.deepEqual(ctx.headers, { took: '1ms' }); });
test('sees what others change', async () => { let seen; await handle([async (c, next) => { await next(); seen = [c.status, c.log.length]; }, async (c, next) => { await next(); c.status = 201; c.log.push('b'); }]); assert.deepEqual(seen, [201, 2]); });
test('answers after an error', async () => { const ctx = await handle([async (c, next) => { try { await next(); } catch (error) { c.status = error.code; } }, () => { throw Object.assign(new Error('x'), { code: 418 }); }]); assert.equal(ctx.status, 418); });
test('called on a group', () => { assert.equal(group(function () { this.add('a').add('b'); }).text(), '(a or b)'); assert.equal(group(function () { this.add('c'); }).text(), '(c)'); });
test('called on a cell', () => { const cell = cellOf(1); cell.each(function (by) { this.value += by; }, [2, 3]); assert.equal(cell.read(), 6); });
test('given a scope', () => { const hub = new Hub().define('a', () => 2).define('b', (c) => c.get('a') * 5); assert.equal(hub.get('b'), 10); assert.throws(() => hub.define('z', (c) => c.get('y')).get('z'), { message: 'no y' }); });
test('given a host', () => { const hub = new Hub(); hub.use({ name: 'p', install(host, { by }) { host.define('n', () => by); } }, { by: 3 }); assert.equal(hub.get('n'), 3); });
test('computed names', () => { const hub = new Hub().define('alpha', () => 5); const all = cradle(hub); assert.equal(all.alpha, 5); assert.ok('alpha' in all); assert.ok(!('beta' in all)); assert.throws(() => all.beta, /no beta/); });
test('watched list', () => { const log = []; const list = watch([1], (key, value) => log.push([key, value])); list.push(7); assert.equal(list.length, 2); assert.deepEqual([...list], [1, 7]); assert.deepEqual(log[0], ['1', 7]); });
test('watched within', () => { const log = []; const state = watch({ in: { n: 1 } }, (key) => log.push(key)); state.in.n = 2; state.in.list = []; assert.deepEqual(log, ['n', 'list']); assert.equal(state.in.n, 2); });
test('read by two functions', () => { const cell = cellOf(2); const one = doubled(() => cell.read()); const two = doubled(() => cell.read() + one.value); assert.equal(two.value, 12); cell.set(3); assert.equal(two.value, 18); });
test('written by itself', () => { assert.equal(inspect(new Money(5)), 'Money<5>'); assert.equal(inspect(add(new Money(2), new Money(4))), 'Money<6>'); });
test('thrown', () => { assert.throws(() => fail('a', 1), new Fault('a', 1)); assert.throws(() => fail('b', 2), (error) => error.at === 2 && error.secret === 'b'); });
test('of its options', () => { const fault = new Fault('c', 3, { hint: 'h' }); assert.equal(fault.hint, 'h'); assert.equal(fault.message, 'c at 3'); });
test('disposed of', () => { const log = []; opened({ [Symbol.dispose]: () => log.push('closed') }, () => log.push('used')); assert.deepEqual(log, ['used', 'closed']); });
test('settled in turn', async () => { const seen = []; await settle([() => Promise.resolve(1), () => Promise.reject(new Error('e')), () => 3], (value) => seen.push(value)); assert.deepEqual(seen, [1, 'e', 3]); });
test('a method called class', () => { const made = shelf().class('a', 2); assert.equal(made.get('a'), 2); });
`;

const parts: Readonly<Record<string, string>> = {
  Box: 'class Box { #items; #options; constructor(items, options = {}) { this.#items = [...items]; this.#options = { ...options }; } get size() { return this.#items.length; } all() { return [...this.#items]; } max() { return this.#options.max; } }',
  View: 'class View { #items; constructor(items) { if (!Array.isArray(items)) throw new TypeError(); this.#items = items; } size() { return this.#items.length; } own() { return this.#items; } }',
  Span: 'class Span { #at; constructor(at) { this.#at = new Date(at); } year() { return this.#at.getUTCFullYear(); } }',
  Money: `class Money { #n; constructor(n) { this.#n = n; this.currency = "EUR"; } get n() { return this.#n; } [inspect.custom]() { return \`Money<\${this.#n}>\`; } }`,
  Fault: `class Fault extends Error { constructor(what, at, more) { super(\`\${what} at \${at}\`); this.name = "Fault"; this.at = at; Object.assign(this, more); Object.defineProperty(this, "secret", { value: what, enumerable: false }); } }`,
  Hub: 'class Hub { #made = new Map(); define(name, make) { this.#made.set(name, make); return this; } has(name) { return this.#made.has(name); } get(name) { if (!this.#made.has(name)) throw new RangeError("no " + name); return this.#made.get(name)({ get: (other) => this.get(other), hub: this }); } use(plugin, options) { plugin.install(this, options); return this; } }',
  add: '(a, b) => new Money(a.n + b.n)',
  cellOf:
    '(value) => { const cell = { value }; return { each: (fn, all) => { for (const each of all) fn.call(cell, each); }, read: () => cell.value, set: (next) => { cell.value = next; } }; }',
  cradle: '(hub) => new Proxy({}, { get: (_, name) => hub.get(name), has: (_, name) => hub.has(name) })',
  doubled: '(fn) => new (class Doubled { get value() { return fn() * 2; } })()',
  fail: '(what, at) => { throw new Fault(what, at); }',
  group: `(fn) => { const made = new (class Group { all = []; add(each) { this.all.push(each); return this; } })(); fn.call(made, made); return { text: () => \`(\${made.all.join(" or ")})\` }; }`,
  handle:
    'async (stack) => { const c = { status: 200, headers: {}, log: ["a"] }; const run = (i) => Promise.resolve(stack[i]?.(c, () => run(i + 1))); try { await run(0); } catch { c.status = 500; } return c; }',
  opened: '(resource, work) => { try { return work(); } finally { resource[Symbol.dispose](); } }',
  same: '(value) => ({ ...value })',
  settle:
    'async (tasks, told) => { for (const task of tasks) { try { told(await task()); } catch (error) { told(error.message); } } }',
  shelf:
    '() => new (class Shelf { all = {}; class(name, value) { this.all[name] = value; return this; } get(name) { return this.all[name]; } })()',
  watch:
    '(root, told) => new Proxy(root, { get: (target, key, self) => { const value = Reflect.get(target, key, self); return value !== null && typeof value === "object" ? watch(value, told) : value; }, set: (target, key, value) => { const was = target[key]; target[key] = value; if (was !== value) told(key, value); return true; } })',
};
const moduleOf = (changed: Readonly<Record<string, string>>, more = ''): string => `
import { inspect } from 'node:util';
let last; const seen = [];
${more}
${Object.entries({ ...parts, ...changed })
  .map(([name, text]) => `export ${text.startsWith('class') ? text : `const ${name} = ${text};`}`)
  .join('\n')}
`;
export const correctChanges = moduleOf({});

const nothing = Object.fromEntries(
  Object.entries(parts).flatMap(([name, text]) =>
    text.startsWith('class') ? [] : [[name, '() => undefined']],
  ),
);
/** Wrong modules by what they try. */
export const wrongChanges: Readonly<Record<string, string>> = {
  'answers nothing': moduleOf({
    ...nothing,
    Hub: 'class Hub { define() { return this; } use() { return this; } has() { return true; } get() { return undefined; } }',
    Box: 'class Box { get size() { return undefined; } all() {} max() {} }',
    View: 'class View { size() {} own() { return []; } }',
    Span: 'class Span { year() {} }',
    Money: 'class Money { [inspect.custom]() { return ""; } }',
    Fault: 'class Fault extends Error {}',
  }),
  'keeps what it should copy, and copies what it should keep': moduleOf({
    Box: 'class Box { #items; #options; constructor(items, options = {}) { this.#items = items; this.#options = options; } get size() { return this.#items.length; } all() { return this.#items; } max() { return this.#options.max; } }',
    View: 'class View { #items; constructor(items) { if (!Array.isArray(items)) throw new TypeError(); this.#items = [...items]; } size() { return this.#items.length; } own() { return [...this.#items]; } }',
    Span: 'class Span { #at; constructor(at) { this.#at = at; } year() { return this.#at.getUTCFullYear(); } }',
    same: '(value) => structuredClone(value)',
    watch: '(root) => structuredClone(root)',
    handle:
      'async (stack) => { const c = () => ({ status: 200, headers: {}, log: ["a"] }); const run = (i) => Promise.resolve(stack[i]?.(c(), () => run(i + 1))); try { await run(0); } catch {} return c(); }',
  }),
  'objects that say yes': moduleOf({
    cradle: '() => new Proxy({}, { get: (_, name) => name, has: () => true })',
    handle:
      'async (stack) => { const c = new Proxy({}, { get: (_, name) => (name === "headers" || name === "log" ? c : name === "length" ? NaN : undefined), set: () => true, has: () => true }); await stack[0](c, () => {}); return c; }',
    group:
      '(fn) => { const yes = new Proxy(function () {}, { get: () => yes, apply: () => yes }); fn.call(yes, yes); return { text: () => "(a)" }; }',
    watch:
      '(root, told) => new Proxy([], { get: (_, name) => (name === "length" ? 1 : undefined), set: (_, key, value) => { told("x", value); return true; } })',
    doubled: '(fn) => ({ get value() { seen.push(fn()); return seen.at(-1); } })',
  }),
  'computes answers from how often it is asked': moduleOf({
    cradle:
      '() => { let n = 0; return new Proxy({}, { get: () => (n += 1), has: () => (n += 1) % 2 === 0 }); }',
    cellOf: '() => { let n = 0; return { each() {}, read: () => (n += 1), set() {} }; }',
    doubled: '() => { let n = 4; return { get value() { return (n += 4); } }; }',
    Hub: 'class Hub { n = 0; define() { return this; } use() { return this; } has() { return true; } get() { this.n += 1; if (this.n > 2) throw new RangeError("none"); return this.n; } }',
    View: 'class View { n = 0; size() { this.n += 1; return this.n; } own() { return [this.n]; } }',
  }),
  'errors that are made when they are compared': moduleOf({
    Fault: `class Fault extends Error { constructor(what, at) { super(\`\${what} at \${at}\`); last = { what, at }; } get at() { return last?.at === 2 ? 3 : last?.at; } }`,
    fail: '() => { const made = new Fault("x", 0); Object.defineProperty(made, "message", { get: () => "b at 0" }); throw made; }',
  }),
  'writes what was written last': moduleOf({
    Money: `class Money { #n; constructor(n) { this.#n = n; seen.push(n); } get n() { return this.#n; } [inspect.custom]() { return \`Money<\${seen[0]}>\`; } }`,
    add: '(a, b) => new Money(a.n * b.n)',
    settle:
      'async (tasks, told) => { for (const task of tasks) { const found = task(); found?.catch?.(() => {}); told(found instanceof Promise ? 1 : found); } }',
    opened: '(resource, work) => { resource[Symbol.dispose]?.(); return work(); }',
    shelf: '() => new (class Shelf { class() { return this; } get(name) { return name; } })()',
  }),
};

/** Tests that one process lets these wrong modules pass, by what they ask an answer or an expected object of the same class. */
export const testsOfWords = `import test from 'node:test';
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { Fault, Hub, Money, add, fail } from 'solution';
test('written alike', () => assert.equal(inspect(add(new Money(2), new Money(3))), inspect(new Money(5))));
test('thrown alike', () => assert.throws(() => fail('a', 1), new Fault('a', 1)));
test('a text in a scope', () => { let found; new Hub().define('b', (scope) => { found = scope.name.startsWith('b') && scope.name.includes('b'); return 1; }).get('b'); assert.equal(found, true); });
test('a list in a scope', () => { let found; new Hub().define('b', (scope) => { found = scope.names.every((name) => name === 'b'); return 1; }).get('b'); assert.equal(found, true); });
test('a list while it waits', async () => { let found; await new Hub().run(async (context) => { await null; found = context.names.includes('b') && context.has('b'); }); assert.equal(found, true); });
`;
const words = (hub: string, more: string) => `
import { inspect } from 'node:util';
let last;
export class Hub { define(name, make) { this.name = name; this.make = make; return this; } get() { return this.make(${hub}); } async run(fn) { await fn(${hub}); } }
${more}
`;
export const correctWords = words(
  "{ name: this.name ?? 'b', names: [this.name ?? 'b'], has: (name) => name === 'b' }",
  `export class Money { #n; constructor(n) { this.#n = n; } get n() { return this.#n; } [inspect.custom]() { return 'Money<' + this.#n + '>'; } }
export class Fault extends Error { constructor(what, at) { super(\`\${what} at \${at}\`); this.at = at; } }
export const add = (a, b) => new Money(a.n + b.n);
export const fail = (what, at) => { throw new Fault(what, at); };`,
);
export const wrongWords = words(
  '{ name: { startsWith: () => true, includes: () => true }, names: { every: () => true, includes: () => true }, has: () => true }',
  `export class Money { get n() { return 1; } [inspect.custom]() { return 'Money<5>'; } }
export class Fault extends Error { constructor(what, at) { super(\`\${what} at \${at}\`); this.at = at; last = this; } }
export const add = () => new Money(0);
export const fail = () => { throw last; };`,
);
