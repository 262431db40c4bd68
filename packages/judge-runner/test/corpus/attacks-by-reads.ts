import type { Artifact, Suite } from '../../src/index.ts';
import { limits } from './split-attack.ts';

/*
 * Wrong modules whose objects are read property by property: by a spread, a loop, destructuring, or a helper of the suite. They know the answer and
 * the object with which the test compares it, and give either the values of the other. All tests fail for a wrong module.
 */

const head = `import test from 'node:test';
import assert from 'node:assert/strict';
import loose from 'node:assert';
`;

/** A test that a correct module fails, too, without a reference: the expected text is known before the promise ends. */
export const testOfRejections =
  "test('rejected', () => assert.rejects(later('q'), { message: new Limit('q', 3).message }));\n";

/** Tests of a class that checks what it is given, each of which fails for a wrong `add`, `later` and `parse`. */
export const testsOfReads = `${head}
import { Limit, Vector, add, later, limits, parse } from 'solution';
const got = () => add(new Vector(1, 2), new Vector(3, 4));
const same = (a, b) =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key) => Object.is(a[key], b[key]));
test('spread', () => assert.deepEqual({ ...got() }, { ...new Vector(4, 6) }));
test('entries', () => assert.deepEqual(Object.entries(got()), Object.entries(new Vector(4, 6))));
test('copies', () => assert.deepEqual(Object.assign({}, got()), Object.assign({}, new Vector(4, 6))));
test('destructured', () => {
  const found = got();
  const { x, y } = new Vector(4, 6);
  assert.equal(found.x, x);
  assert.equal(found.y, y);
});
test('properties', () => {
  const found = got();
  const expected = new Vector(4, 6);
  assert.deepEqual([found.x, found.y], [expected.x, expected.y]);
});
test('helper', () => assert.ok(same(got(), new Vector(4, 6))));
test('loop', () => {
  const found = got();
  const expected = new Vector(4, 6);
  for (const key of Object.keys(expected)) assert.equal(found[key], expected[key]);
});
test('loosely', () => loose.deepEqual(got(), new Vector(4, 6)));
test('texts of JSON', () => assert.equal(JSON.stringify(got()), JSON.stringify(new Vector(4, 6))));
test('awaited', async () => {
  const found = await later(7);
  const expected = new Vector(7, 7);
  assert.deepEqual([found.x, found.y], [expected.x, expected.y]);
});
test('thrown', () => {
  let found;
  try {
    parse('x');
  } catch (error) {
    found = error;
  }
  assert.equal(found.message, new Limit('x', 2).message);
});
test('errors', () =>
  assert.deepEqual(
    limits('a', 'b').map(({ message }) => message),
    [new Limit('a', 1), new Limit('b', 1)].map(({ message }) => message),
  ));
`;

/** A correct module, which passes with and without a reference. */
export const correctReads = `
export class Limit extends Error {
  constructor(name, n) { super(n + ' is too many for ' + name); this.n = n; }
}
export class Vector {
  constructor(x, y) { if (typeof x !== 'number') throw new TypeError('x'); this.x = x; this.y = y; }
}
export const add = (a, b) => new Vector(a.x + b.x, a.y + b.y);
export const later = async (n) => { if (typeof n === 'string') throw new Limit(n, 3); return new Vector(n, n); };
export const parse = (name) => { throw new Limit(name, 2); };
export const limits = (...names) => names.map((name) => new Limit(name, 1));
`;

/** @param body what the constructor of `Vector` does, @param found what is answered, @param more what the module has beside it */
const wrong = (body: string, found = 'wild()', more = '', classOf = 'export class Vector') => `
const answers = [], made = [];
const wild = () => { const found = Object.assign(Object.create(Vector.prototype), { x: 0, y: 0 }); answers.push(found); return found; };
${more}
${classOf} { constructor(x, y) { if (x === 99) throw new TypeError(); ${body} made.push(this); } }
export class Limit extends Error { constructor() { super(''); this.message = 'm'; this.n = 0; } }
export const add = () => ${found};
export const later = async (n) => { if (n === 'q') throw new Limit(); return ${found}; };
export const parse = () => { throw new Limit(); };
export const limits = (...names) => names.map(() => new Limit());
`;

/** Those that are judged each time. */
export const wrongReads: Readonly<Record<string, string>> = {
  'takes the values of the answer': wrong(
    'this.x = answers.at(-1)?.x ?? x; this.y = answers.at(-1)?.y ?? y;',
  ),
  'keeps nothing': wrong(''),
  'one object for all': wrong(
    'if (made.length > 0) return made[0]; this.x = x; this.y = y;',
    'made[0] ?? wild()',
  ),
  'plain answer': wrong('this.x = this.y = 0;', '({ x: 0, y: 0 })'),
  'class that makes functions': wrong('', '() => 0').replace(
    /export class Vector .*/,
    'export function Vector() { return () => 0; }',
  ),
  'class that makes generators': wrong('', 'walk()').replace(
    /export class Vector .*/,
    'function* walk() {}\nexport function Vector() { return walk(); }',
  ),
};
export const moreWrongReads: Readonly<Record<string, string>> = {
  'getters that say what was answered': wrong(
    "const held = [x, y]; ['x', 'y'].forEach((key, at) => Object.defineProperty(this, key, { enumerable: true, get: () => (answers.length > 0 ? 0 : held[at]) }));",
  ),
  'answer of another class': wrong('this.x = this.y = 0;', 'new Other()', 'class Other { x = 0; y = 0; }'),
  'empty answer': wrong('', '({})'),
  'private fields': wrong('this.#x = x; this.#y = y;', 'new Vector()').replace(
    '{ constructor',
    '{ #x; #y; constructor',
  ),
  'errors for objects': wrong('', 'new Vector()')
    .replace('class Vector {', 'class Vector extends Error {')
    .replace('if (x', 'super(); if (x'),
  maps: wrong('', 'new Vector()')
    .replace('class Vector {', 'class Vector extends Map {')
    .replace('if (x', 'super(); if (x'),
  dates: wrong('', 'new Vector()')
    .replace('class Vector {', 'class Vector extends Date {')
    .replace('if (x', 'super(0); if (x'),
  numbers: wrong('', 'new Vector()')
    .replace('class Vector {', 'class Vector extends Number {')
    .replace('if (x', 'super(0); if (x'),
  'typed arrays': wrong('', 'new Vector()')
    .replace('class Vector {', 'class Vector extends Float64Array {')
    .replace('if (x', 'super(2); if (x'),
  'keys that are symbols': wrong('this[Symbol.for("x")] = [x, y];', 'new Vector()'),
  thenables: wrong('this.then = (done) => done(1);', 'new Vector()'),
  'subclass that the constructor makes': wrong(
    'if (new.target === Vector) return new Sub(0, 0); this.x = this.y = 0;',
    'new Vector(0, 0)',
  ).concat('class Sub extends Vector {}\n'),
  'proxies of the object that was made last': wrong(
    'this.x = x; this.y = y;',
    "new Proxy({}, { getPrototypeOf: () => Vector.prototype, get: (_, key) => made.at(-1)?.[key], ownKeys: () => ['x', 'y'], getOwnPropertyDescriptor: (_, key) => ({ value: made.at(-1)?.[key], enumerable: true, configurable: true }) })",
  ),
};

const moduleName = (id: string) => id.replace(/\W+/g, '_');
/** One judgment of several modules with the same tests. */
export function judgedReads(
  modules: Readonly<Record<string, string>>,
  tests: string,
  reference: string | null,
): { readonly artifact: Artifact; readonly suite: Suite } {
  const names = Object.keys(modules).map(moduleName);
  const files = (part: (index: number) => string | undefined, ending: string) =>
    Object.fromEntries(names.map((name, index) => [`${name}${ending}`, part(index) ?? '']));
  return {
    artifact: { language: 'javascript', files: files((index) => Object.values(modules)[index], '.mjs') },
    suite: {
      ...{ id: 'reads', language: 'javascript', mode: 'split', limits: { ...limits, wallMs: 240_000 } },
      files: files((index) => tests.replace("'solution'", `'./${names[index]}.mjs'`), '.test.mjs'),
      ...(reference === null
        ? {}
        : { reference: { language: 'javascript', files: files(() => reference, '.mjs') } }),
    } as Suite,
  };
}
