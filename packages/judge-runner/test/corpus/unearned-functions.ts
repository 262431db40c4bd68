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

/** Answers in JavaScript that are functions with properties, or nothing that can cross. */
export const unearnedFunctionsOfJavascript: readonly UnearnedCase[] = [...unplain, ...ofProperties];
