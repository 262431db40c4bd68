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

/** Answers in JavaScript that are functions with properties, or nothing that can cross. */
export const unearnedFunctionsOfJavascript: readonly UnearnedCase[] = [...unplain];
