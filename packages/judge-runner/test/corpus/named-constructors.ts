/* Constructors that objects and errors name, where a prototype in the older way leaves that to another class, and asynchronous functions of a test. */
import type { StylesCase } from './program-styles.ts';

const begin = `import assert from 'node:assert/strict';
import { test } from 'node:test';
`;

const errors = `export class Invalid extends Error {}
export const fail = () => { throw new Invalid('x'); };`;
const rest = `${errors}
export const make = (side) => new Square(side);`;
const ofClasses = `export class Shape { constructor(name) { this.name = name; } area() { return 0; } }
export class Square extends Shape { constructor(side) { super('square'); this.side = side; } area() { return this.side ** 2; } }
`;
const older = (prototype: string, shape = 'Shape.prototype.area = function () { return 0; };'): string =>
  `export function Shape(name) { this.name = name; }
${shape}
export function Square(side) { Shape.call(this, 'square'); this.side = side; }
${prototype}
Square.prototype.area = function () { return this.side ** 2; };
`;
const created = 'Square.prototype = Object.create(Shape.prototype);';

/** A program that asks what a function is. */
const program = (
  isAsync = `f.constructor.name === 'AsyncFunction'`,
  isGenerator = `f.constructor.name === 'GeneratorFunction'`,
): string => `import { types } from 'node:util';
export const isAsync = (f) => ${isAsync};
export const timed = (f) => (isAsync(f) ? async (...args) => await f(...args) : (...args) => f(...args));
export const co = async (f) => {
  if (!(${isGenerator})) throw new TypeError('no generator');
  const steps = f();
  let step = steps.next();
  while (!step.done) step = steps.next(await step.value);
  return step.value;
};`;

export const namedConstructors: readonly StylesCase[] = [
  {
    id: 'constructors that objects and errors name',
    tests: `${begin}import { Invalid, Shape, Square, fail, make } from 'solution';
test('object', () => { const s = new Square(2); assert.equal(s.constructor, Square); assert.equal(s.constructor.name, 'Square'); assert.equal(new Shape('x').constructor, Shape); });
test('prototype', () => { assert.equal(Square.prototype.constructor, Square); });
test('answer', () => { const s = make(4); assert.deepEqual(s, new Square(4)); assert.equal(s.constructor, Square); assert.ok(s instanceof Shape); });
test('another one', () => { const s = make(4); const other = new s.constructor(5); assert.equal(other.area(), 25); });
test('error', () => { assert.throws(fail, (error) => error instanceof Invalid && error.constructor === Invalid); });
`,
    styles: {
      classes: `${ofClasses}${rest}`,
      older: `${older(`${created} Square.prototype.constructor = Square;`)}${rest}`,
      'a property': `${older('Square.prototype = Object.create(Shape.prototype, { constructor: { value: Square } });')}${rest}`,
    },
    wrong: {
      'one of the base': `${older(created)}${rest}`,
      'none of its own': `${older(`${created} Square.prototype.constructor = Square;`, 'Shape.prototype = { area() { return 0; } };')}${rest}`,
      'each other': `${ofClasses}${rest} Square.prototype.constructor = Shape; Shape.prototype.constructor = Square;`,
      'no function': `${ofClasses}${rest} Square.prototype.constructor = { name: 'Square' };`,
      'of one object': `${ofClasses}${errors} export const make = (side) => Object.defineProperty(new Square(side), 'constructor', { value: Shape });`,
      'of the errors of the language': `${ofClasses}export function Invalid(text) { this.message = text; } Invalid.prototype = Object.create(Error.prototype);
export const fail = () => { throw new Invalid('x'); };
export const make = (side) => new Square(side);`,
    },
  },
  {
    id: 'objects whose prototypes name no constructor of their own',
    tests: `${begin}import { Invalid, Shape, Square, fail, make } from 'solution';
test('object', () => { const s = new Square(3); assert.ok(s instanceof Shape); assert.equal(s.area(), 9); assert.equal(s.name, 'square'); assert.deepEqual(s, new Square(3)); });
test('answer', () => { const s = make(4); assert.deepEqual(s, new Square(4)); assert.ok(s instanceof Square); assert.notDeepEqual(s, new Square(5)); });
test('error', () => { assert.throws(fail, Invalid); assert.throws(fail, (error) => error instanceof Error && error.message === 'x'); });
`,
    styles: {
      classes: `${ofClasses}${rest}`,
      created: `${older(created)}export function Invalid(text) { this.message = text; } Invalid.prototype = Object.create(Error.prototype);
export const fail = () => { throw new Invalid('x'); };
export const make = (side) => new Square(side);`,
      'made of an object': `${older('Square.prototype = new Shape();', 'Shape.prototype = { area() { return 0; } };')}${rest}`,
    },
    wrong: {
      'an object of the base': `${older(created)}${errors} export const make = () => new Shape('square');`,
      'another area': `${older(created).replace('** 2', '* 2')}${rest}`,
    },
  },
  {
    id: 'asynchronous functions of a test',
    tests: `${begin}import { types } from 'node:util';
import { co, isAsync, timed } from 'solution';
test('asks', () => { assert.equal(isAsync(async () => {}), true); assert.equal(isAsync(() => {}), false); assert.equal(isAsync(() => Promise.resolve()), false); });
test('methods', () => { const o = { async load() {}, size() {} }; assert.equal(isAsync(o.load), true); assert.equal(isAsync(o.size), false); });
test('wraps', async () => { const f = timed(async (x) => x * 2); assert.ok(types.isAsyncFunction(f)); assert.equal(await f(4), 8); });
test('wraps another one', () => { const f = timed((x) => x * 2); assert.ok(!types.isAsyncFunction(f)); assert.equal(f(4), 8); });
test('generators', async () => { assert.equal(await co(function* () { const a = yield Promise.resolve(1); return a + (yield 2); }), 3); await assert.rejects(co(() => 1), /no generator/); });
`,
    styles: Object.fromEntries(
      [
        ['name', `f.constructor.name === 'AsyncFunction'`, `f.constructor.name === 'GeneratorFunction'`],
        ['class', 'f instanceof (async () => {}).constructor', 'f instanceof (function* () {}).constructor'],
        [
          'tag',
          `f[Symbol.toStringTag] === 'AsyncFunction'`,
          `/GeneratorF/.test(Object.prototype.toString.call(f))`,
        ],
        ['types', 'types.isAsyncFunction(f)', 'types.isGeneratorFunction(f)'],
      ].map(([style, isAsync, isGenerator]) => [style, program(isAsync, isGenerator)]),
    ),
    wrong: {
      'by its text': program(`/async|Promise/.test(String(f))`),
      'by its answer': program('f() instanceof Promise'),
      'all are': program('true'),
      'any function': program(undefined, 'true'),
    },
  },
];
