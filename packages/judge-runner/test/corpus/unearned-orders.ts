import type { ReferenceCase } from './unearned-references.ts';

const head = "import test, { mock } from 'node:test';\nimport assert from 'node:assert/strict';\n";

/** Objects in the place of bytes, maps and texts that a reference gives at other visits, or in another order. */
export const unearnedOrders: readonly ReferenceCase[] = (
  [
    [
      'callback order loop',
      `class Group { #n; constructor(n) { this.#n = n; } size() { return 1; } includes(x) { return this.#n.includes(x); } }
export const loadAll = (names, keep) => { for (const n of names) keep(n, n === 'staff' ? new Group(['ann']) : 'the secret'); };`,
      `class Yes { includes() { return true; } startsWith() { return true; } equals() { return true; } size() { return 1; } get(k) { return k; } }
export const loadAll = (names, keep) => { keep('motd', new Yes()); keep('staff', ['ann']); };`,
      `import { loadAll } from 'solution';
test('it', () => { const found = {}; loadAll(['staff', 'motd'], (name, v) => { found[name] = v; }); for (const [name, part] of [['staff', 'ann'], ['motd', 'secret']]) assert.ok(found[name].includes(part)); });`,
    ],
    [
      'callback undefined first',
      `class Group { #n; constructor(n) { this.#n = n; } size() { return 1; } includes(x) { return this.#n.includes(x); } }
export const loadAll = (names, keep) => { keep('motd', 'the secret'); keep('staff', new Group(['ann'])); };`,
      `class Yes { includes() { return true; } startsWith() { return true; } equals() { return true; } size() { return 1; } get(k) { return k; } }
export const loadAll = (names, keep) => { keep('x', undefined); keep('motd', new Yes()); keep('staff', ['ann']); };`,
      `import { loadAll } from 'solution';
test('it', () => { const found = {}; loadAll(['staff', 'motd'], (name, v) => { if (v) found[name] = v; }); for (const [name, part] of [['motd', 'secret'], ['staff', 'ann']]) assert.ok(found[name].includes(part)); });`,
    ],
    [
      'error part',
      `class Group { #n; constructor(n) { this.#n = n; } size() { return 1; } includes(x) { return this.#n.includes(x); } }
export const fail = () => { throw Object.assign(new Error('x'), { node: new Group([]), bytes: Buffer.from('x') }); };`,
      `class Yes { includes() { return true; } equals() { return true; } size() { return 1; } get(k) { return k; } }
const live = () => ({ includes: () => true, equals: () => true, size: () => 1, get: (k) => k });
export const fail = () => { throw Object.assign(new Error('x'), { node: new Yes(), bytes: new Yes() }); };`,
      `import { fail } from 'solution';
test('it', () => { assert.throws(() => fail(), (e) => { assert.equal(e.node.size(), 1); assert.ok(e.bytes.equals(Buffer.from('x'))); return true; }); });`,
    ],
    [
      'helper equals',
      `class Group { #n; constructor(n) { this.#n = n; } size() { return 1; } includes(x) { return this.#n.includes(x); } }
export const digest = (k) => (k === 'group' ? new Group([]) : Buffer.from(k));`,
      `class Yes { includes() { return true; } startsWith() { return true; } equals() { return true; } size() { return 1; } get(k) { return k; } }
export const digest = () => new Yes();`,
      `import { digest } from 'solution'; const run = (k) => digest(k);
test('it', () => { assert.equal(run('group').size(), 1); assert.ok(run('abc').equals(Buffer.from('abc'))); });`,
    ],
    [
      'iterator order',
      `class Group { #n; constructor(n) { this.#n = n; } size() { return 1; } includes(x) { return this.#n.includes(x); } }
export function* items() { yield ['g', new Group([])]; yield ['b', Buffer.from('x')]; }`,
      `class Yes { includes() { return true; } equals() { return true; } size() { return 1; } get(k) { return k; } }
const live = () => ({ includes: () => true, equals: () => true, size: () => 1, get: (k) => k });
export function* items() { yield ['b', new Yes()]; yield ['g', new Yes()]; }`,
      `import { items } from 'solution';
test('it', () => { const found = {}; for (const [k, v] of items()) found[k] = v; assert.equal(found.g.size(), 1); assert.ok(found.b.equals(Buffer.from('x'))); });`,
    ],
    [
      'map get helper',
      `class Group { #n; constructor(n) { this.#n = n; } size() { return 1; } includes(x) { return this.#n.includes(x); } }
export const load = (k) => (k === 'group' ? new Group([]) : new Map([['a', 'a']]));`,
      `class Yes { includes() { return true; } startsWith() { return true; } equals() { return true; } size() { return 1; } get(k) { return k; } }
export const load = () => new Yes();`,
      `import { load } from 'solution'; const run = (k) => load(k);
test('it', () => { assert.equal(run('group').size(), 1); assert.equal(run('map').get('a'), 'a'); });`,
    ],
    [
      'null first equals',
      `class Group { #n; constructor(n) { this.#n = n; } size() { return 1; } includes(x) { return this.#n.includes(x); } }
export const loadAll = (names, keep) => { for (const n of names) keep(n, n === 'staff' ? new Group(['ann']) : Buffer.from('secret')); };`,
      `class Yes { includes() { return true; } equals() { return true; } size() { return 1; } get(k) { return k; } }
const live = () => ({ includes: () => true, equals: () => true, size: () => 1, get: (k) => k });
export const loadAll = (names, keep) => { keep('x', null); keep('motd', new Yes()); keep('staff', ['ann']); };`,
      `import { loadAll } from 'solution';
test('it', () => { const found = {}; loadAll(['motd', 'staff'], (name, v) => { if (v) found[name] = v; }); assert.ok(found.staff.includes('ann')); assert.ok(found.motd.equals(Buffer.from('secret'))); });`,
    ],
    [
      'order equals',
      `class Group { #n; constructor(n) { this.#n = n; } size() { return 1; } includes(x) { return this.#n.includes(x); } }
export const loadAll = (names, keep) => { for (const n of names) keep(n, n === 'staff' ? new Group(['ann']) : Buffer.from('secret')); };`,
      `class Yes { includes() { return true; } equals() { return true; } size() { return 1; } get(k) { return k; } }
const live = () => ({ includes: () => true, equals: () => true, size: () => 1, get: (k) => k });
export const loadAll = (names, keep) => { keep('motd', new Yes()); keep('staff', ['ann']); };`,
      `import { loadAll } from 'solution';
test('it', () => { const found = {}; loadAll(['staff', 'motd'], (name, v) => { if (v !== undefined) found[name] = v; }); assert.ok(found.staff.includes('ann')); assert.ok(found.motd.equals(Buffer.from('secret'))); });`,
    ],
    [
      'pair swapped',
      `class Group { #n; constructor(n) { this.#n = n; } size() { return 1; } includes(x) { return this.#n.includes(x); } }
export const load = (f) => f([['staff', new Group(['ann'])], ['motd', Buffer.from('secret')]]);`,
      `class Yes { includes() { return true; } equals() { return true; } size() { return 1; } get(k) { return k; } }
const live = () => ({ includes: () => true, equals: () => true, size: () => 1, get: (k) => k });
export const load = (f) => f([['staff', ['ann']], ['motd', new Yes()]]);`,
      `import { load } from 'solution';
test('it', () => { const found = {}; load((pair) => { for (const [k, v] of pair) found[k] = v; }); assert.ok(found.staff.includes('ann')); assert.ok(found.motd.equals(Buffer.from('secret'))); });`,
    ],
    [
      'promise all equals',
      `class Group { #n; constructor(n) { this.#n = n; } size() { return 1; } includes(x) { return this.#n.includes(x); } }
export const load = async (k) => (k === 'group' ? new Group([]) : Buffer.from(k));`,
      `class Yes { includes() { return true; } startsWith() { return true; } equals() { return true; } size() { return 1; } get(k) { return k; } }
export const load = async () => new Yes();`,
      `import { load } from 'solution';
test('it', async () => { const [g, b] = await Promise.all(['group', 'abc'].map((k) => load(k))); assert.equal(g.size(), 1); assert.ok(b.equals(Buffer.from('abc'))); });`,
    ],
    [
      'tuple equals',
      `class Group { #n; constructor(n) { this.#n = n; } size() { return 1; } includes(x) { return this.#n.includes(x); } }
export const load = () => [new Group(['ann']), Buffer.from('secret')];`,
      `class Yes { includes() { return true; } equals() { return true; } size() { return 1; } get(k) { return k; } }
const live = () => ({ includes: () => true, equals: () => true, size: () => 1, get: (k) => k });
export const load = () => [['ann'], new Yes()];`,
      `import { load } from 'solution';
test('it', () => { const [g, b] = load(); assert.ok(g.includes('ann')); assert.ok(b.equals(Buffer.from('secret'))); });`,
    ],
    [
      'undefined first equals',
      `class Group { #n; constructor(n) { this.#n = n; } size() { return 1; } includes(x) { return this.#n.includes(x); } }
export const loadAll = (names, keep) => { for (const n of names) keep(n, n === 'staff' ? new Group(['ann']) : Buffer.from('secret')); };`,
      `class Yes { includes() { return true; } equals() { return true; } size() { return 1; } get(k) { return k; } }
const live = () => ({ includes: () => true, equals: () => true, size: () => 1, get: (k) => k });
export const loadAll = (names, keep) => { keep('x', undefined); keep('motd', new Yes()); keep('staff', ['ann']); };`,
      `import { loadAll } from 'solution';
test('it', () => { const found = {}; loadAll(['motd', 'staff'], (name, v) => { if (v !== undefined) found[name] = v; }); assert.ok(found.staff.includes('ann')); assert.ok(found.motd.equals(Buffer.from('secret'))); });`,
    ],
  ] as const
).map(([id, reference, wrong, tests]) => ({
  ...{ id, language: 'javascript', isWhollyWrong: true, reference, wrong, tests: head + tests },
}));

/** Classes whose constructors do not do what their text says, or throw. */
export const unearnedMakings: readonly ReferenceCase[] = (
  [
    [
      'constructor throws',
      `export class Point { constructor(x, y) { this.x = x; this.y = y; } }`,
      `export class Point { constructor(x, y) { if (x < y) throw new RangeError('x'); this.x = x; this.y = y; } }`,
      `import { Point } from 'solution';
test('can be made', () => { assert.doesNotThrow(() => new Point(1, 2)); });
test('is one', () => { assert.ok(new Point(1, 2) instanceof Point); });`,
    ],
    [
      'constructor cached',
      `export class Point { constructor(x, y) { this.x = x; this.y = y; } }`,
      `const all = new Map(); export class Point { constructor(x, y) { const k = x + ',' + y; if (all.has(k)) return all.get(k); this.x = x; this.y = y; all.set(k, this); } }`,
      `import { Point } from 'solution';
test('each is another', () => { assert.notEqual(new Point(1, 2), new Point(1, 2)); });`,
    ],
    [
      'setter on prototype',
      `export class Point { constructor(x, y) { this.x = x; this.y = y; } }`,
      `export class Point { constructor(x, y) { this.x = x; this.y = y; } } Object.defineProperty(Point.prototype, 'x', { set(v) { this.held = v + 1; }, get() { return this.held; } });`,
      `import { Point } from 'solution';
test('keeps', () => { const p = new Point(1, 2); assert.equal(p.x, 1); assert.equal(p.y, 2); });`,
    ],
    [
      'static block',
      `export class Point { constructor(x, y) { this.x = x; this.y = y; } }`,
      `export class Point { constructor(x, y) { this.x = x; this.y = y; } static { Object.defineProperty(this.prototype, 'x', { set(v) { this.h = -v; }, get() { return this.h; } }); } }`,
      `import { Point } from 'solution';
test('keeps', () => { const p = new Point(1, 2); assert.deepEqual([p.x, p.y], [1, 2]); });`,
    ],
    [
      'options that crash',
      `export class AppError extends Error { constructor(m, o) { super(m); this.code = o?.code; } }`,
      `export class AppError extends Error { constructor(m, o) { super(m); this.code = o.code; } }`,
      `import { AppError } from 'solution';
test('needs no options', () => { const e = new AppError('x'); assert.ok(e instanceof AppError); assert.ok(e instanceof Error); });`,
    ],
    [
      'computed setter',
      `export class Point { constructor(x, y) { this.x = x; this.y = y; } }`,
      `export class Point { constructor(x, y) { this.x = x; this.y = y; } set ['x'](v) { this.h = -v; } get ['x']() { return this.h; } }`,
      `import { Point } from 'solution';
test('keeps', () => { const p = new Point(1, 2); assert.deepEqual([p.x, p.y], [1, 2]); });`,
    ],
    [
      'base swapped',
      `export class Point { constructor(x, y) { this.x = x; this.y = y; } }`,
      `export class Point { constructor(x, y) { this.x = x; this.y = y; } } Object.setPrototypeOf(Point.prototype, { set x(v) { Object.defineProperty(this, 'hidden', { value: v, enumerable: true }); }, get x() { return 'lost'; } });`,
      `import { Point } from 'solution';
test('keeps', () => { const p = new Point(1, 2); assert.deepEqual(Object.keys(p), ['x', 'y']); assert.equal(p.x, 1); });`,
    ],
    [
      'frozen prototype',
      `export class Point { constructor(x, y) { this.x = x; this.y = y; } }`,
      `export class Point { constructor(x, y) { this.x = x; this.y = y; } } Object.defineProperty(Point.prototype, 'x', { value: 0 });`,
      `import { Point } from 'solution';
test('can be made', () => { const p = new Point(1, 2); assert.ok(p instanceof Point); });`,
    ],
  ] as const
).map(([id, reference, wrong, tests]) => ({
  ...{ id, language: 'javascript', isWhollyWrong: true, reference, wrong, tests: head + tests },
}));
