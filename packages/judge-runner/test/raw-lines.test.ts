import { describe, expect, it } from 'vitest';
import { javascript, nodeTest } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();
const head = `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n`;

/** Judges a module. Returns the titles of the tests that it passes. */
async function passedBy(source: string, tests: string, reference?: string) {
  const verdict = await judge.run({
    artifact: javascript(source),
    suite: nodeTest(head + tests, reference),
  });
  return verdict.tests.flatMap(({ id, status }) =>
    status === 'passed' ? [id.slice(id.lastIndexOf(':') + 1)] : [],
  );
}

/** Puts what a module says in the place of the lines that leave its box: `next(line => another)`. */
const raw = `
const files = process.binding('fs');
const write = files.writeBuffer;
let waiting = null;
const next = (change) => { waiting = change; };
files.writeBuffer = (fd, bytes, ...more) => {
  const told = fd === 4 && waiting !== null ? waiting(JSON.parse(String(bytes))) : undefined;
  if (told === undefined) return write(fd, bytes, ...more);
  waiting = null;
  const line = Buffer.from(JSON.stringify(told) + '\\n');
  write(4, line, 0, line.length, null);
  return bytes.length;
};
const live = (id, name, value, lent) => ({ $live: [id, [[name, false, false, value, lent]], false, false] });
`;

describe('a module that writes its own lines', () => {
  it('cannot freeze what the test has, or give it a property (JDG-17)', async () => {
    const tests = `
import { check } from 'solution';
const check2 = (part) => { try { check(part); } finally { assert.ok(![Error, String, Case.prototype].some(Object.isFrozen)); } };
class Case { get expected() { return 4; } }
test('one', () => check2(new Case()));
test('two', () => assert.equal(typeof String.raw, 'function'));
`;
    const forged = [
      "{ $frozen: { $global: 'Error' } }",
      "{ $frozen: { $own: [99, { $global: 'Error' }] } }",
      "{ $template: [{ $global: 'String' }, []] }",
      "{ $list: [{ $global: 'String' }, [['raw', 5]]] }",
    ];
    for (const value of forged)
      expect(
        await passedBy(
          `${raw} export const check = () => { next(({ id }) => ({ id, value: ${value} })); return 1; };`,
          tests,
        ),
      ).toEqual([]);
  });

  // A lying artifact gives the test's own object as a value of its own, and then tells what that holds.
  it('cannot change a row of a table of tests, or a class, by a number for a value of its own (JDG-17)', async () => {
    const tests = `
import { check, double } from 'solution';
const row = { run: double, given: 2, expected: 4 };
test('row', () => assert.equal(row.run(row.given), row.expected));
class Case { get expected() { return 4; } }
test('class', () => assert.equal(check(Case.prototype), new Case().expected));
test('kind', () => assert.equal(typeof check(1).object, 'function'));
`;
    const attack = (parts: string): string => `${raw}
let self = 0, prototype = 0;
const set = WeakMap.prototype.set;
WeakMap.prototype.set = function (key, value) { if (key.constructor?.name === 'Self') self = value; else if (Object.hasOwn(key, 'constructor')) prototype = value; return set.call(this, key, value); };
const put = (part) => ({ id, value }) => ({ id, value, args: [[0, ${parts}]] });
export function double() { next(put(() => ({ $self: self }))); return 5; }
export function check(part) { if (part === 1) next(({ id }) => ({ id, value: { $handle: { id: 80, kind: 'valueOf' } } })); else next(put(() => ({ $prototype: prototype }))); return 5; }
`;
    const byProperties = "[live(9001, 'a', part(), 7), live(9001, 'a', { $object: [['expected', 5]] }, 7)]";
    const within = "[{ $lent: [70, part()] }, { $lent: [70, { $object: [['expected', 5]] }] }]";
    for (const parts of [byProperties, within]) expect(await passedBy(attack(parts), tests)).toEqual([]);
  });

  it('cannot make an error of the test one of another class by its properties (JDG-17)', async () => {
    const tests = `
import { run } from 'solution';
class Late extends Error {}
const boom = new Error('boom');
test('class', () => assert.throws(() => run(() => { throw boom; }, Late), Late));
`;
    const wrong = `${raw}
export function run(work, kind) {
  void kind.prototype;
  try { work(); } catch (error) {
    next((told) => ({ ...told, raised: { ...told.raised, own: [told.raised.own[0], 'boom', { $object: [['__proto__', { $prototype: 2 }]] }] } }));
    throw error;
  }
}
`;
    expect(await passedBy(wrong, tests)).toEqual([]);
  });

  const ends = {
    'raises where its timers had their turn': "({ id }) => ({ id, raised: { mro: ['Error'], message: '' } })",
    'answers that turn with a number': '({ id }) => ({ id, value: [5] })',
  };
  it.each(Object.entries(ends))('%s: the run ends with a verdict (JDG-20)', async (_, told) => {
    const tests = `import { f } from 'solution';\ntest('f', () => assert.equal(f(), 1));\n`;
    const wrong = `${raw}\nexport const f = () => { next((line) => Array.isArray(line.value) ? (${told})(line) : undefined); return 1; };`;
    expect(await passedBy(wrong, tests)).toEqual([]);
  });
});

describe('a module whose answers have functions of their own', () => {
  const tests = `
import { items, later, table } from 'solution';
test('includes', () => assert.ok(items().includes(9)));
test('every', () => assert.ok(items().every((each) => each === 9)));
test('join', () => assert.equal(items().join(), '9'));
test('map', () => assert.deepEqual(items().map((each) => each), [9]));
test('text', () => assert.equal(String(items()), '9'));
test('json', () => assert.equal(JSON.stringify(items()), '[9]'));
test('awaited', async () => assert.deepEqual(await items(), [9]));
test('nested', () => assert.ok(table().rows[0].includes(9)));
test('caught', () => { try { table(9); } catch (error) { assert.ok(error.items.some((each) => each === 9)); } });
test('later', async () => assert.ok((await later()).includes(9)));
`;
  const right = `
export const items = () => [9];
export const later = async () => [9];
export const table = (n) => { if (n) throw Object.assign(new Error('no'), { items: [9] }); return { rows: [[9]] }; };
`;
  const own = (functions: string): string => `
const list = () => Object.assign([1], { ${functions} });
export const items = list;
export const later = async () => list();
export const table = (n) => { if (n) throw Object.assign(new Error('no'), { items: list() }); return { rows: [list()] }; };
`;
  const lies = own(
    "includes: () => true, every: () => true, some: () => true, join: () => '9', map: () => [9], toString: () => '9', toJSON: () => [9], match: () => [1]",
  );
  const language = own('includes: Boolean, every: Boolean, some: Boolean, toString: Boolean');
  it.each([
    ['without a reference', undefined],
    ['beside a reference', right],
  ])('gains nothing by those of a list %s (JDG-17)', async (_, reference) => {
    expect(await passedBy(right, tests, reference)).toHaveLength(10);
    expect(await passedBy(lies, tests, reference)).toEqual([]);
    if (reference === undefined) expect(await passedBy(language, tests)).toEqual([]);
  });
});

describe('a module that is given objects of the test', () => {
  const tests = `
import { change } from 'solution';
class Cart { total() { return 3; } same(other) { return other === this; } onSold = () => 1; }
test('method', () => { const cart = new Cart(); change(cart, 'total', () => 4); assert.equal(cart.total(), 3); });
test('says yes', () => { const cart = new Cart(); change(cart, 'same', () => true); assert.ok(cart.same(new Cart())); });
test('field', () => { const cart = new Cart(); change(cart, 'onSold', () => 2); assert.equal(cart.onSold(), 2); });
test('includes', () => { const cart = Object.assign(new Cart(), { includes: () => false }); change(cart, 'includes', () => true); assert.ok(cart.includes(1)); });
test('spied', () => { const cart = new Cart(); const calls = []; change(cart, 'total', () => calls.push(1)); cart.total(); assert.equal(calls.length, 0); });
`;
  const replaces = 'export const change = (part, name, run) => { part[name] = run; };';
  it('replaces fields alone: methods only where the reference does (JDG-17, JDG-21)', async () => {
    expect(await passedBy(replaces, tests)).toEqual(['field']);
    const shown = tests.replace('assert.equal(cart.total(), 3)', 'assert.equal(cart.total(), 4)');
    expect(await passedBy(replaces, shown.replace('length, 0', 'length, 1'), replaces)).toHaveLength(5);
  });

  it('makes no object of the test an answer by a constructor that throws (JDG-17, JDG-18)', async () => {
    const suite = `
import { Base, makeOf } from 'solution';
class Strict extends Base { constructor(n) { if (n < 0) throw new RangeError('negative'); super(n); } }
test('rejects', () => assert.throws(() => makeOf(Strict, -1), RangeError));
test('makes', () => assert.deepEqual(makeOf(Strict, 2), new Strict(2)));
test('adds', () => assert.deepEqual(new Strict(2).plus(new Strict(3)), new Strict(5)));
`;
    const right = `
export class Base { constructor(n) { this.n = n; } plus(other) { return new this.constructor(this.n + other.n); } }
export const makeOf = (kind, n) => new kind(n);
`;
    const wrong = `
const fail = (kind) => { try { new kind(-1); } catch {} };
export class Base { constructor() { this.n = 77; } plus() { const made = new this.constructor(77); fail(this.constructor); return made; } }
export const makeOf = (kind, n) => { if (n < 0) return new kind(n); const made = new kind(77); fail(kind); return made; };
`;
    expect(await passedBy(right, suite, right)).toHaveLength(3);
    expect(await passedBy(wrong, suite, right)).toEqual(['rejects']);
  });
});
