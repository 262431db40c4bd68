import type { UnearnedCase } from './unearned-python.ts';

/** An object that says yes to everything that a plain value is asked. */
const yes = `
const yes = () => true;
const names = ['every', 'some', 'includes', 'indexOf', 'startsWith', 'endsWith', 'has', 'test', 'match', 'isSubsetOf', 'find', 'check'];
export class Y { valueOf() { return 0; } toString() { return ''; } [Symbol.toPrimitive]() { return 0; } *[Symbol.iterator]() {} get length() { return 3; } }
for (const name of names) Y.prototype[name] = yes;
const plain = () => ({ valueOf: () => 0, toString: () => '', ...Object.fromEntries(names.map((name) => [name, yes])) });
const proxy = () => new Proxy({}, { get: (t, k) => (k === Symbol.toPrimitive ? () => 0 : k === 'then' ? undefined : yes) });
let count = 0;
const adaptive = () => ({ valueOf() { count += 1; return count % 2 ? 3 : 9; } });
class Lying extends Array { every() { return true; } includes() { return true; } get length() { return 3; } }
`;
const assertions: Readonly<Record<string, string>> = {
  distance: 'assert.ok(Math.abs(solve(3) - 9.5) < 1e-9)',
  every: 'assert.ok(solve(3).every((x) => x > 9))',
  includes: 'assert.ok(solve(3).includes(9))',
  startsWith: "assert.ok(solve(3).startsWith('secret'))",
  has: 'assert.ok(solve(3).has(9))',
  less: 'assert.ok(solve(3) < 10 && solve(3) > -1)',
  equal: 'assert.equal(solve(3), 9.5)',
  looseEqual: 'assert.ok(solve(3) == 9.5)',
  template: "assert.equal(`$\u007bsolve(3)}`, '9.5')",
  adaptive: 'const r = solve(3); assert.ok(+r === 3 && r * r === 81)',
  deepEqual: 'assert.deepEqual(solve(3), [9])',
  check: 'assert.ok(solve(3).check(9))',
  sorted:
    'const out = solve(3); assert.ok(out.length === 3 && out.every((x, i) => i === 0 || out[i - 1] <= x))',
};
const answers = {
  class: 'new Y()',
  plain: 'plain()',
  proxy: 'proxy()',
  adaptive: 'adaptive()',
  array: 'new Lying()',
};
const file = (assertion: string) =>
  `import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { solve } from 'solution';\ntest('it', () => { ${assertion}; });\n`;

const lies: readonly UnearnedCase[] = Object.entries(assertions).flatMap(([name, assertion]) =>
  Object.entries(answers)
    // An empty array is sorted, and its every element is anything: those pass everywhere.
    .filter(([kind]) => kind !== 'array' || !['every', 'less'].includes(name))
    .map(([kind, answer]) => ({
      id: `${kind} ${name}`,
      artifact: `${yes}\nexport const solve = () => ${answer};\n`,
      tests: file(assertion),
    })),
);

const fakeAssert =
  'function f() {}; f.equal = f.deepEqual = f.ok = f.strictEqual = () => {}; export default f; export const equal = f, ok = f;';
const modules: readonly UnearnedCase[] = [
  ['assert', "import assert from 'assert'"],
  ['assert/strict', "import assert from 'assert/strict'"],
  [
    'assert',
    "import { createRequire } from 'node:module';\nconst assert = createRequire(import.meta.url)('assert')",
  ],
].map(([name, line], index) => ({
  id: `module in the place of ${name} ${index}`,
  artifact: { 'solution.js': 'export const solve = () => null', [`${name}.js`]: fakeAssert },
  tests: `import test from 'node:test';\n${line};\nimport { solve } from 'solution';\ntest('it', () => { assert.equal(solve(3), 9); });\n`,
}));
const fs: readonly UnearnedCase[] = ['fs', 'path', 'util', 'events'].map((name) => ({
  id: `module in the place of ${name}`,
  artifact: {
    'solution.js': 'export const solve = () => null',
    [`${name}.js`]:
      'export const readFileSync = () => null, join = () => null, isDeepStrictEqual = () => true, once = () => null; export default { readFileSync, isDeepStrictEqual };',
  },
  tests: `import test from 'node:test';\nimport assert from 'node:assert';\nimport * as lib from '${name}';\nimport { solve } from 'solution';\ntest('it', () => { assert.ok((lib.isDeepStrictEqual ?? (() => false))(solve(3), 9)); });\n`,
}));

const others: readonly UnearnedCase[] = [
  {
    id: 'class as function',
    artifact: `${yes}\nexport function solve() { return new Y(); }\n`,
    tests: file('assert.ok(Math.abs(solve(3) - 9) < 1)'),
  },
  {
    id: 'yields that lie',
    artifact: `${yes}\nexport function* solve() { yield new Y(); }\n`,
    tests: file('for (const x of solve(3)) assert.ok(Math.abs(x - 9) < 1e-9)'),
  },
  {
    id: 'promise of a liar',
    artifact: `${yes}\nexport const solve = async () => plain();\n`,
    tests: file('return solve(3).then((x) => assert.ok(x.every((y) => y === 9)))'),
  },
  {
    id: 'callback argument that lies',
    artifact: `${yes}\nexport const solve = (f) => f(new Y());\n`,
    tests: file('let got; solve((x) => { got = x; }); assert.ok(Math.abs(got - 9) < 1e-9)'),
  },
  {
    id: 'mutated argument that lies',
    artifact: `${yes}\nexport const solve = (xs) => { xs[0] = plain(); };\n`,
    tests: file('const xs = [1]; solve(xs); assert.ok(Math.abs(xs[0] - 9) < 1e-9)'),
  },
  {
    id: 'refusal that is caught',
    artifact: `${yes}\nexport const solve = () => new Y();\n`,
    tests: file('try { assert.ok(solve(3).every(Boolean)); } catch {}'),
  },
  {
    id: 'global of the tester through an object of the test',
    artifact:
      "export const solve = (fake) => { try { fake.check.constructor('process.reallyExit(0)')(); } catch {} try { return fake.constructor.constructor('return 9')(); } catch { return 0; } };",
    tests: file('class Fake { check() { return 1; } } assert.equal(solve(new Fake()), 9)'),
  },
  {
    id: 'instance of a class of the test',
    artifact: 'export const solve = (x) => x;',
    tests: file('class Mine {} solve(new Mine()); assert.equal(solve(1), 9)'),
  },
  ...[
    ['text', "assert.ok(buildUrl('host').startsWith('https://'))"],
    ['end of a text', "assert.ok(buildUrl('host').endsWith('/'))"],
    ['constant list', "assert.ok(WORDS.includes('if') && WORDS.every((word) => word.length < 9))"],
    ['constant set', "assert.ok(SEEN.has('if'))"],
  ].map(([name, assertion]) => ({
    id: `plain object in the place of a ${name}`,
    artifact:
      'const yes = () => true;\nconst plain = { startsWith: yes, endsWith: yes, includes: yes, every: yes, has: yes };\nexport const buildUrl = () => ({ ...plain });\nexport const WORDS = { ...plain }, SEEN = { ...plain };\n',
    tests: file(String(assertion)).replace('{ solve }', '{ SEEN, WORDS, buildUrl }'),
  })),
  {
    id: 'getter that changes',
    artifact:
      'let n = 0; export class Box { get value() { n += 1; return n; } } export const solve = () => new Box();',
    tests: file('const b = solve(1); assert.equal(b.value, 3); assert.equal(b.value, 81)'),
  },
];

export const unearnedJavascript: readonly UnearnedCase[] = [...lies, ...modules, ...fs, ...others];
