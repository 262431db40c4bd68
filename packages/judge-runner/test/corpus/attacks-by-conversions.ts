/*
 * Wrong modules whose objects are converted to whatever lets a test pass: they know which objects are converted, in which order, and what
 * has been told before. All tests fail for a wrong module.
 */

/** Tests of a class of amounts, each of which fails for a wrong `add`, `grow`, `each`, `root` and `fill`. */
export const testsOfConversions = `
import test, { mock } from 'node:test';
import assert from 'node:assert/strict';
import loose from 'node:assert';
import { Money, add, each, fill, root, total, yields } from 'solution';
test('numbers of both', () => {
  const found = add(new Money(11), new Money(3));
  assert.ok(found instanceof Money);
  assert.equal(+found, +new Money(14));
});
test('reversed', () => assert.equal(Number(new Money(24)), Number(add(new Money(21), new Money(3)))));
test('difference', () => assert.equal(add(new Money(31), new Money(3)) - new Money(34), 0));
test('neither smaller nor larger', () => {
  const found = add(new Money(41), new Money(3));
  const expected = new Money(44);
  assert.ok(!(found < expected) && !(found > expected));
});
test('made before', () => {
  const expected = new Money(54);
  const found = add(new Money(51), new Money(3));
  assert.ok(found <= expected && expected <= found);
});
test('kept numbers', () => {
  const expected = +new Money(64);
  const found = +add(new Money(61), new Money(3));
  assert.equal(found, expected);
});
test('kept numbers, reversed', () => {
  const found = +add(new Money(71), new Money(3));
  const expected = +new Money(74);
  assert.equal(found, expected);
});
test('within a tolerance', () => assert.ok(Math.abs(add(new Money(81), new Money(3)) - new Money(84)) < 1e-9));
test('texts of both', () => assert.equal(\`\${add(new Money(91), new Money(3))}\`, \`\${new Money(94)}\`));
test('text and number', () => assert.equal('' + add(new Money(101), new Money(3)), String(new Money(104))));
test('converted before it is compared', () => {
  const expected = new Money(114);
  assert.equal(+expected, 114);
  assert.deepEqual(add(new Money(111), new Money(3)), expected);
});
test('answered before it is converted', () => {
  const found = add(new Money(121), new Money(3));
  const expected = new Money(124);
  assert.equal(+expected, 124);
  assert.deepEqual(found, expected);
  assert.equal(+found, 124);
});
test('compared after another assertion', () => {
  const found = add(new Money(181), new Money(3));
  const expected = new Money(184);
  assert.ok(found instanceof Money);
  assert.ok(expected > 0);
  assert.ok(found <= expected);
  assert.ok(found >= expected);
});
test('compared by a function', () => {
  const found = add(new Money(191), new Money(3));
  const expected = new Money(194);
  const seen = [];
  const see = (money) => { seen.push(+money); return true; };
  assert.ok(see(expected));
  assert.ok(see(found));
  assert.equal(seen[0], seen[1]);
});
test('compared by an object of the suite', () => {
  const found = add(new Money(221), new Money(3));
  const expected = new Money(224);
  class Notes { constructor(n) { Notes.all.unshift(n); } see(n) { Notes.all.unshift(n); return true; } }
  Notes.all = [];
  const notes = new Notes(0);
  assert.ok(notes.see(+expected));
  assert.ok(notes.see(+found));
  assert.equal(Notes.all[0], Notes.all[1]);
  assert.ok(new Notes(+expected));
  assert.ok(new Notes(+found));
  assert.equal(Notes.all[0], Notes.all[1]);
});
test('compared by a mock', () => {
  const found = add(new Money(231), new Money(3));
  const expected = new Money(234);
  const seen = mock.fn(() => true);
  assert.ok(seen(+expected));
  assert.ok(seen(+found));
  assert.deepEqual(seen.mock.calls[0].arguments, seen.mock.calls[1].arguments);
});
test('compared in a loop', () => {
  const found = add(new Money(201), new Money(3));
  for (const expected of [new Money(204), new Money(204)]) assert.ok(!(found < expected || found > expected));
});
test('changed after it was compared', () => {
  const found = add(new Money(0), new Money(0));
  const expected = +new Money(214);
  assert.ok(found instanceof Money);
  const before = +found;
  found.grow(214);
  assert.equal(+found - before, expected);
});
test('changed', () => {
  const money = new Money(131);
  money.grow(3);
  assert.equal(+money, +new Money(134));
});
test('changed after it was converted', () => {
  const money = new Money(141);
  assert.equal(+money, 141);
  money.grow(3);
  assert.equal(+money, 144);
});
test('sorted', () => {
  const found = add(new Money(151), new Money(3));
  const all = [new Money(155), found, new Money(153)].sort((a, b) => a - b);
  assert.equal(all.indexOf(found), 1);
  assert.equal(+all[1], 154);
});
test('sums', () => {
  const sum = [add(new Money(161), new Money(3)), add(new Money(164), new Money(1))].reduce((n, m) => n + m, 0);
  assert.equal(sum, 164 + +new Money(165));
});
test('lists', () => {
  const found = each([1, 2], new Money(170));
  assert.ok(found[0] instanceof Money);
  assert.deepEqual(found.map(Number), [new Money(171), new Money(172)].map(Number));
});
test('a number that is an object', () => {
  const found = root(9);
  assert.ok(Math.abs(found * found - 9) < 1e-9);
});
test('an object between two numbers', () => assert.ok(root(16) > 3.9 && root(16) < 4.1));
test('an object that loosely equals', () => loose.equal(root(25), 5));
test('the text of an object', () => assert.equal(\`\${root(36)}\`, '6'));
test('an object in a list', () => {
  const list = [1];
  fill(list, 49);
  assert.ok(Math.abs(list[0] - 7) < 1e-9);
});
test('an object that is yielded', () => { for (const found of yields(64)) assert.ok(Math.abs(found - 8) < 1e-9); });
test('an object that a class method answers', () => assert.ok(Math.abs(Money.root(81) - 9) < 1e-9));
test('an object that is given to a function', () => {
  let sum = 0;
  total([100], (n) => { sum += n; });
  assert.equal(sum, 10);
});
`;

const correct = (body: string, conversions: string) => `
export class Money {
  constructor(amount) { ${body} }
  grow(n) { this.amount += n; }
  static root(n) { return Math.sqrt(n); }
  ${conversions}
}
export const add = (a, b) => new Money(a.amount + b.amount);
export const each = (numbers, money) => numbers.map((n) => new Money(money.amount + n));
export const root = (n) => Math.sqrt(n);
export const fill = (list, n) => { list[0] = Math.sqrt(n); };
export function* yields(n) { yield Math.sqrt(n); }
export const total = (numbers, take) => { for (const n of numbers) take(Math.sqrt(n)); };
`;
const keeps = 'this.amount = amount;';
const field = 'valueOf() { return this.amount; } toString() { return String(this.amount); }';

/** Correct modules, which pass with a reference. */
export const correctConversions: Readonly<Record<string, string>> = {
  'a field': correct(keeps, field),
  'what the language asks for': correct(
    keeps,
    "[Symbol.toPrimitive](hint) { return hint === 'string' ? String(this.amount) : this.amount; }",
  ),
  'a class that checks': correct(`if (!(amount >= 0)) throw new RangeError('amount'); ${keeps}`, field),
};

/**
 * A wrong module: `found` is its answer, made of nothing.
 * @param number what an object is converted to
 * @param before what the module keeps
 */
const wrong = (number: string, before = '', body = keeps, found = 'wild(0)') => `
const made = [], answers = [];
let count = 0;
${before}
const wild = (amount) => {
  const found = Object.create(Money.prototype);
  found.amount = amount;
  answers.push(found);
  return found;
};
const isWild = (money) => answers.includes(money);
export class Money {
  constructor(amount) { ${body} }
  grow() { answers.push(this); }
  static root() { return ${found}; }
  [Symbol.toPrimitive](hint) { if (!isWild(this) && !made.includes(this)) made.push(this); count += 1; ${number} }
}
const answer = (...given) => { ${found === 'wild(0)' ? '' : 'void given;'} return ${found}; };
export const add = (a, b) => answer(a, b);
export const each = (numbers, money) => numbers.map(() => answer(money));
export const root = () => answer();
export const fill = (list) => { list[0] = answer(); };
export function* yields() { yield answer(); }
export const total = (numbers, take) => { for (const _ of numbers) take(answer()); };
`;

const honest = 'return this.amount;';
export const wrongConversions: Readonly<Record<string, string>> = {
  'always the same number': wrong('return 7;'),
  'another number each time': wrong('return count;'),
  'the number of the object that was converted last': wrong(
    'if (isWild(this)) return made.at(-1)?.amount ?? 0; return this.amount;',
  ),
  'the number of the answer': wrong('return answers.at(-1)?.amount ?? this.amount;'),
  'the same number once something was answered': wrong('return answers.length > 0 ? 7 : this.amount;'),
  'numbers in the order of the questions': wrong(
    'if (!numbers.has(this)) numbers.set(this, count); return numbers.get(this);',
    'const numbers = new Map();',
  ),
  'the number of the object that was made last': wrong(
    'if (isWild(this)) return told.at(-1)?.amount ?? 0; return this.amount;',
    'const told = [];',
    `${keeps} told.push(this);`,
  ),
  'answers that change when another object is made': wrong(
    honest,
    '',
    `${keeps} for (const each of answers) each.amount = amount;`,
  ),
  'objects that are given what was answered': wrong(
    honest,
    '',
    'this.amount = answers.length > 0 ? answers.at(-1).amount : amount;',
  ),
  'getters with the number of the object that was converted last': wrong(
    honest,
    '',
    keeps,
    "Object.defineProperty(wild(0), 'amount', { get: () => made.at(-1)?.amount ?? 0, enumerable: true })",
  ),
  'an answer with many numbers to choose from': wrong(
    'if (isWild(this)) return made.at(-1)?.amount ?? 3; return this.amount;',
    '',
    keeps,
    "Object.assign(wild(0), Object.fromEntries(Array.from({ length: 200 }, (_, n) => ['n' + n, n])))",
  ),
  'the object that the test made last': wrong(
    honest,
    'const told = [];',
    `${keeps} told.push(this);`,
    '(given.length === 0 ? wild(0) : (told.filter((each) => !given.includes(each)).at(-1) ?? wild(0)))',
  )
    .replace('const answer = (...given)', 'let given = []; const answer = (...own)')
    .replace('void given;', 'given = own;'),
  'a text that says the number': wrong(
    'return isWild(this) ? String(made.at(-1)?.amount ?? 0) : String(this.amount);',
  ),
  'a number that depends on the question': wrong(
    "return hint === 'number' ? 3 : String(made.at(-1)?.amount ?? 0);",
  ),
  'a promise of a number': wrong('return { valueOf: () => 3 };'),
};
