import type { UnearnedCase } from './unearned-python.ts';

const begin =
  "import test, { mock } from 'node:test';\nimport assert from 'node:assert/strict';\nimport * as s from 'solution';\n";
const file = (body: string) => `${begin}test('it', async () => { ${body} });\n`;

/** Answers that cannot cross, where an error is expected. */
const unplain: readonly UnearnedCase[] = [
  [
    'a deep list',
    'export const make = () => { const deep = []; let at = deep; for (let i = 0; i < 200; i += 1) { at.push([]); at = at[0]; } return deep; };',
  ],
  [
    'a deep circle',
    'export const make = () => { const deep = {}; let at = deep; for (let i = 0; i < 2000; i += 1) { at.next = {}; at = at.next; } at.next = deep; return deep; };',
  ],
  [
    'a list that throws when it is read',
    "export const make = () => Object.defineProperty([1], 0, { get() { throw new RangeError('no'); }, enumerable: true });",
  ],
].flatMap(([id, artifact]) => [
  {
    id: `${id} in the place of an error`,
    artifact: String(artifact),
    tests: file('assert.throws(() => s.make(-1), RangeError);'),
  },
  {
    id: `${id} in the place of an error of a promise`,
    artifact: `${artifact}\nexport const load = async () => make();`,
    tests: file('await assert.rejects(s.load(-1), RangeError);'),
  },
]);

/** Objects whose own methods say which properties they have. */
const ofProperties: readonly UnearnedCase[] = [
  [
    'a class',
    'class User { constructor(n) { this.name = n; } hasOwnProperty() { return true; } }',
    'new User(n)',
  ],
  ['a plain object', '', '({ name: n, hasOwnProperty: () => true })'],
  [
    'an object of a base',
    'class Base { hasOwnProperty() { return true; } } class User extends Base { name = "ann" }',
    'new User()',
  ],
].flatMap(([kind, made, answer]) =>
  ['createUser', 'User.find', 'find'].map((name) => ({
    id: `hasOwnProperty of ${kind} that ${name}() answers`,
    artifact: `${made}\n${
      name === 'User.find'
        ? `export { Users as User }; class Users { static find(n) { return ${answer}; } }`
        : `export const ${name} = (n) => ${answer};`
    }`,
    tests: file(
      `const user = s.${name}('ann'); assert.equal(user.name, 'ann'); assert.ok(user.hasOwnProperty('email'));`,
    ),
  })),
);

/** Exported functions and classes whose properties say yes, and what answers them in the place of a value. */
export const lyingExports = `
const yes = () => true;
const words = { startsWith: yes, includes: yes, equals: yes, has: yes, every: yes, some: yes, isSubsetOf: yes, endsWith: yes, check: yes };
export function helper() { return 1; }
Object.assign(helper, words);
export class Box { get() { return 1; } static startsWith() { return true; } static includes() { return true; } static get label() { return helper; } static find() { return Box; } }
export const tools = { up: Object.assign((t) => t, words), get label() { return helper; } };
export const slug = () => helper;
export const digest = () => helper;
export const words_ = () => Box;
export const later = async () => helper;
export const give = (f) => f(helper);
export class Store { name() { return helper; } get label() { return helper; } static open() { return helper; } }
export const curry = () => tools.up;
export const version = Object.assign(() => 1, words);
export const VERSION = Object.assign(() => 1, words);
export const config = { path: helper, names: { first: helper } };
export const hash = () => decorated;
const decorated = Object.assign(() => 1, { equals: yes, difference: () => new Set(), has: yes, at: () => 'x', get: () => 1 });
export const createText = () => Object.assign(() => 1, words, { at: () => 'x' });
`;
const ofFunctions: readonly UnearnedCase[] = Object.entries({
  text: "assert.ok(s.slug('The').startsWith('the')); assert.equal(s.helper(), 1)",
  bytes: "assert.ok(s.digest('abc').equals(Buffer.from('abc')))",
  set: "assert.ok(s.digest('a b').has('a'))",
  list: "assert.ok(s.words_('a b').includes('a'))",
  promise: "assert.ok((await s.later('The')).startsWith('the'))",
  callback: "let seen; s.give((v) => { seen = v; }); assert.ok(seen.startsWith('the'))",
  mock: "const seen = mock.fn(); s.give(seen); assert.ok(seen.mock.calls[0].arguments[0].startsWith('the'))",
  method: "assert.ok(new s.Store().name().startsWith('x'))",
  getter: "assert.ok(new s.Store().label.startsWith('x'))",
  static: "assert.ok(s.Store.open().startsWith('x'))",
  'its own class': "assert.ok(s.Box.find('x').includes('x'))",
  'a static getter': "assert.ok(s.Box.label.startsWith('x'))",
  'a static getter by a helper': "const check = (v) => assert.ok(v.startsWith('x')); check(s.Box.label)",
  'a getter of an export': "const check = (v) => assert.ok(v.startsWith('x')); check(s.tools.label)",
  'what an export holds': "assert.ok(s.curry('The').startsWith('the'))",
  'a name that no value has': "assert.ok(s.slug('The').check('the'))",
  'a variable': "const found = s.slug('The'); assert.ok(found.endsWith('e'))",
  'an answer that is taken apart': "const { startsWith } = s.slug('The'); assert.ok(startsWith('the'))",
  'a helper': "const has = (value, part) => value.includes(part); assert.ok(has(s.slug('The'), 'the'))",
  'an export': "assert.ok(s.version.startsWith('1.'))",
  'a constant': "assert.ok(s.VERSION.startsWith('1.'))",
  'a constant by a helper': "const check = (v) => assert.ok(v.startsWith('1.')); check(s.VERSION)",
  'a property of an export': "assert.ok(s.config.path.startsWith('/') && s.config.names.first.equals('x'))",
  'a property by a helper': "const check = (v) => assert.ok(v.startsWith('/')); check(s.config.path)",
  'decorated bytes': "assert.ok(s.hash((x) => x, 'abc').equals(Buffer.from('abc')))",
  'a decorated set':
    'assert.equal(s.hash((n) => n > 1, new Set([1, 2, 3])).difference(new Set([2, 3])).size, 0)',
  'a decorated text': "assert.equal(s.hash((x) => x, 'abc').at(0), 'x')",
  'a decorated Map': "assert.equal(s.hash((x) => x, 'abc').get('a'), 1)",
  'a made text': "assert.ok(s.createText('a').equals(Buffer.from('a')))",
}).map(([id, body]) => ({
  id: `a function with properties in the place of a value: ${id}`,
  artifact: lyingExports,
  tests: file(body),
}));

/** Answers in JavaScript that are functions with properties, or nothing that can cross. */
export const unearnedFunctionsOfJavascript: readonly UnearnedCase[] = [
  ...unplain,
  ...ofProperties,
  ...ofFunctions,
];
