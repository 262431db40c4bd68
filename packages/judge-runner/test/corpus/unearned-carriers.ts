import type { UnearnedCase } from './unearned-python.ts';

/*
 * Wrong programs that bring functions to a test in something other than the result of a call: as attributes of classes,
 * functions, exceptions, namespaces, named tuples, enumerations and objects. Called as methods they would be told what the test
 * expects, and say yes.
 */

/** What a test asks of the answer in `results[0]`, so that no syntax shows which function answered it. */
const questions = {
  method: 'assert results[0].check(9)',
  prefix: "assert results[0].startswith('secret')",
  subset: 'assert results[0].issubset({9, 8})',
  held: "method = results[0].check\n    assert method('secret')",
};
const yes = 'lambda *a: True';
const static_ = `check = startswith = issubset = staticmethod(${yes})`;
const carriers: Readonly<Record<string, string>> = {
  'class that is answered': `class Y:\n    ${static_}\ndef solve(x): return Y\n`,
  'class with a metaclass': `class M(type):\n    def check(cls, *a): return True\n    startswith = issubset = check\nclass Y(metaclass=M): pass\ndef solve(x): return Y\n`,
  'function with attributes': `def f(*a): return True\nf.check = f.startswith = f.issubset = ${yes}\ndef solve(x): return f\n`,
  'function below a function': `def f(*a): return True\nf.check = f.startswith = f.issubset = f\ndef solve(x): return f\n`,
  'partial with attributes': `import functools\nf = functools.partial(${yes})\nf.check = f.startswith = f.issubset = ${yes}\ndef solve(x): return f\n`,
  mock: `from unittest.mock import Mock\ndef solve(x): return Mock(**{'check.return_value': True, 'startswith.return_value': True, 'issubset.return_value': True})\n`,
  'exception that is answered': `class E(Exception):\n    def check(self, *a): return True\n    startswith = issubset = check\ndef solve(x): return E('no')\n`,
  'exception with a mixin': `class Mix:\n    def check(self, *a): return True\n    startswith = issubset = check\nclass E(Mix, Exception): pass\ndef solve(x): return E('no')\n`,
  namespace: `import types\ndef solve(x): return types.SimpleNamespace(check=${yes}, startswith=${yes}, issubset=${yes})\n`,
  'namespace of classes of the language': `import types\ndef solve(x): return types.SimpleNamespace(check=bool, startswith=bool, issubset=bool)\n`,
  'named tuple of functions': `from collections import namedtuple\ndef solve(x): return namedtuple('P', 'check startswith issubset')(${yes}, ${yes}, ${yes})\n`,
  'named tuple of classes of the language': `from collections import namedtuple\ndef solve(x): return namedtuple('P', 'check startswith issubset')(bool, bool, bool)\n`,
  'named tuple with methods': `from collections import namedtuple\nclass P(namedtuple('P', 'a')):\n    def check(self, *a): return True\n    startswith = issubset = check\ndef solve(x): return P(1)\n`,
  'named tuple with classes of the language': `from collections import namedtuple\nclass P(namedtuple('P', 'a')):\n    check = startswith = issubset = bool\ndef solve(x): return P(1)\n`,
  'object with classes of the language': `class Y:\n    check = startswith = issubset = bool\ndef solve(x): return Y()\n`,
  'object with classes of its own': `class yes:\n    def __new__(cls, *a): return True\nclass Y:\n    check = startswith = issubset = yes\ndef solve(x): return Y()\n`,
  'member of an enumeration': `import enum\nclass E(enum.Enum):\n    A = 1\n    def check(self, *a): return True\n    startswith = issubset = check\ndef solve(x): return E.A\n`,
};
const asked = Object.entries(carriers).flatMap(([carrier, artifact]) =>
  Object.entries(questions).map(
    ([question, assertion]): UnearnedCase => ({
      id: `${carrier}: ${question}`,
      artifact,
      tests: `import solution\ndef test_it():\n    results = [solution.solve(3)]\n    ${assertion}\n`,
    }),
  ),
);

/** Names that would be special methods of what is made of them in the tester's box. */
const reserved = (members: string) =>
  `import enum\nfrom types import SimpleNamespace as V\nclass M(enum.EnumMeta):\n    @property\n    def __members__(cls): return {'A': V(_value_=1), ${members}}\nclass E(enum.Enum, metaclass=M):\n    A = 1\ndef solve(x): return E.A\n`;
const special = Object.entries({
  equal: ["'__eq__': V(_value_=bool), '__hash__': V(_value_=int)", 'assert solve(3) == 9.5'],
  less: ["'__lt__': V(_value_=bool)", 'assert solve(3) < 9.5'],
  minus: ["'__sub__': V(_value_=int)", 'assert abs(solve(3) - 0.5) < 1e-9'],
  contains: ["'__contains__': V(_value_=bool)", 'assert 9 in solve(3)'],
  missing: ["'_missing_': V(_value_=bool)", 'assert type(solve(3))(9)'],
  length: ["'__len__': V(_value_=int)", 'assert len(solve(3)) == 9'],
}).map(
  ([name, [members = '', assertion]]): UnearnedCase => ({
    id: `enumeration with a member named as a special method: ${name}`,
    artifact: reserved(members),
    tests: `from solution import solve\ndef test_it():\n    ${assertion}\n`,
  }),
);

/** Special methods that a mixin would bring into a twin. */
const twins = ['namedtuple("P", "a")', 'Exception'].flatMap((base) =>
  ['assert 9 in solve(3)', 'assert len(solve(3)) == 7', 'assert solve(3)[5] == 9'].map(
    (assertion): UnearnedCase => ({
      id: `${base} with a mixin: ${assertion}`,
      artifact: `from collections import namedtuple\nclass Mix:\n    def __contains__(self, x): return True\n    def __len__(self): return 7\n    def __getitem__(self, i): return 9\nclass P(Mix, ${base}): pass\ndef solve(x): return P(1)\n`,
      tests: `from solution import solve\ndef test_it():\n    ${assertion}\n`,
    }),
  ),
);

export const unearnedCarriers: readonly UnearnedCase[] = [...asked, ...special, ...twins];

const javascriptCarriers: Readonly<Record<string, string>> = {
  'functions of the language':
    'export const solve = () => ({ check: Boolean, includes: Boolean, every: Boolean });',
  'functions of the language on a function':
    'export const solve = () => Object.assign(() => 1, { check: Boolean, includes: Boolean, every: Boolean });',
  'functions of the language on a class':
    'class Y {} Object.assign(Y.prototype, { check: Boolean, includes: Boolean, every: Boolean }); export const solve = () => new Y();',
  'functions on a function':
    'const yes = () => true; export const solve = () => Object.assign(() => 1, { check: yes, includes: yes, every: yes });',
  'static methods of a class':
    'class Y { static check() { return true; } static includes() { return true; } static every() { return true; } } export const solve = () => Y;',
  'function with the name of one of the language':
    "const f = ({ class() { return true; } }).class; Object.defineProperty(f, 'name', { value: 'Boolean' }); class Y {} Object.assign(Y.prototype, { check: f, includes: f, every: f }); export const solve = () => new Y();",
  'error with functions':
    "export const solve = () => Object.assign(new Error('x'), { check: Boolean, includes: () => true, every: () => true });",
};
const javascriptQuestions = {
  check: 'assert.ok(results[0].check(9))',
  includes: 'assert.ok(results[0].includes(9))',
  every: 'assert.ok(results[0].every((x) => x > 9))',
  optional: 'assert.ok(results[0]?.check?.(9))',
  computed: "assert.ok(results[0]['check'](9))",
};
const file = (assertion: string) =>
  `import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport * as s from 'solution';\ntest('it', async () => { const results = [s.solve(3)]; ${assertion}; });\n`;

export const unearnedCarriersOfJavascript: readonly UnearnedCase[] = [
  ...Object.entries(javascriptCarriers).flatMap(([carrier, artifact]) =>
    Object.entries(javascriptQuestions).map(([question, assertion]) => ({
      id: `${carrier}: ${question}`,
      artifact,
      tests: file(assertion),
    })),
  ),
  {
    id: 'promise of a function with functions',
    artifact: 'export const solve = async () => Object.assign(() => 1, { includes: () => true });',
    tests: file('assert.ok((await results[0]).includes(9))'),
  },
  {
    id: 'object that has every name',
    artifact: 'export const solve = () => new Proxy(new (class Y {})(), { has: () => true });',
    tests: file("assert.ok('secret' in results[0])"),
  },
  {
    id: 'function that has every name',
    artifact: 'export const solve = () => new Proxy(() => 1, { has: () => true });',
    tests: file("assert.ok('secret' in results[0])"),
  },
  {
    id: 'properties that change while they are read',
    artifact:
      'let n = 0; class Y { get length() { return 3; } get 0() { n += 1; return n > 2 ? 3 : 1; } get 1() { return 1; } get 2() { return 2; } } export const solve = () => new Y();',
    tests: file(
      'const out = results[0]; assert.equal(out.length, 3); for (let i = 1; i < 3; i++) assert.ok(out[i - 1] <= out[i]); assert.equal(out[0], 1); assert.equal(out[0], 3)',
    ),
  },
  {
    id: 'thenable of functions of the language',
    artifact: 'export const solve = () => ({ then: Boolean });',
    tests: file('assert.equal(await results[0], 9)'),
  },
];
