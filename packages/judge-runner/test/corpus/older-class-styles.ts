/* Constructors without `class`, and classes, from which objects of a test inherit in the older way, and wrong ones. */
import type { StylesCase } from './program-styles.ts';

const begin = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inherits } from 'node:util';
`;

const animals = (made: string, methods: string): string =>
  `export function Animal(name) { ${made} }
${methods}
Animal.create = function (name) { return new Animal(name); };
export const introduce = (animal) => (animal instanceof Animal ? animal.speak() + ' and is ' + animal.state : 'a stranger');
export const all = [];
export const keep = (animal) => { all.push(animal); return animal; };
`;
const written = `Animal.prototype.speak = function () { return this.name + ' says ' + this.sound(); };
Animal.prototype.sound = function () { return '...'; };
Animal.prototype.eat = function (...food) { for (const each of food) this.eaten.push(each); return this; };
Animal.prototype.each = function (f) { this.eaten.forEach((food, at) => f.call(this, food, at)); };
Object.defineProperty(Animal.prototype, 'state', { get() { return this.eaten.length > this._hungry ? 'full' : 'hungry'; } });`;

export const olderClassStyles: readonly StylesCase[] = [
  {
    id: 'objects of a test that inherit in the older way',
    references: ['methods', 'a prototype'],
    tests: `${begin}import * as s from 'solution';
function Dog(name) { s.Animal.call(this, name); this.tricks = []; }
Dog.prototype = Object.create(s.Animal.prototype);
Dog.prototype.constructor = Dog;
Dog.prototype.sound = function () { return 'woof' + '!'.repeat(this.tricks.length); };
Dog.prototype.learn = function (trick) { this.tricks.push(trick); return this; };
function Puppy() { Dog.apply(this, arguments); }
inherits(Puppy, Dog);
Puppy.prototype.sound = function () { return Dog.prototype.sound.call(this).toUpperCase(); };
function Cat(name) { s.Animal.apply(this, arguments); }
Object.setPrototypeOf(Cat.prototype, s.Animal.prototype);
Cat.prototype.speak = function () { return s.Animal.prototype.speak.call(this) + ' softly'; };
test('base', () => { const a = new s.Animal('x'); assert.equal(a.speak(), 'x says ...'); assert.equal(s.Animal.create('y').name, 'y'); assert.equal(a.state, 'hungry'); });
test('inherits', () => { const d = new Dog('rex'); assert.equal(d.name, 'rex'); assert.equal(d.speak(), 'rex says woof'); assert.equal(d.learn('sit').speak(), 'rex says woof!'); assert.ok(d instanceof s.Animal && d instanceof Dog); assert.equal(d.constructor, Dog); });
test('state', () => { const d = new Dog('rex'); assert.equal(d.eat('a', 'b'), d); assert.deepEqual(d.eaten, ['a', 'b']); assert.equal(d.state, 'full'); const e = new Dog('q'); assert.equal(e.state, 'hungry'); assert.deepEqual(e.eaten, []); });
test('levels', () => { const p = new Puppy('bo'); assert.equal(p.speak(), 'bo says WOOF'); assert.equal(p.learn('x').eat('z').speak(), 'bo says WOOF!'); assert.ok(p instanceof s.Animal); });
test('super', () => { assert.equal(new Cat('tom').speak(), 'tom says ... softly'); });
test('callbacks', () => { const d = new Dog('rex').eat('a', 'b'); const seen = []; d.each(function (food, at) { seen.push([this === d, food, at]); }); assert.deepEqual(seen, [[true, 'a', 0], [true, 'b', 1]]); });
test('given', () => { const d = new Dog('rex').eat('a'); assert.equal(s.introduce(d), 'rex says woof and is full'); assert.equal(s.introduce({ name: 'z' }), 'a stranger'); assert.equal(s.keep(d), d); assert.equal(s.all.at(-1), d); });
test('borrowed', () => { assert.equal(typeof s.Animal.prototype.speak, 'function'); });
`,
    styles: {
      methods: animals('this.name = name; this.eaten = []; this._hungry = 0;', written),
      bound: animals(
        'this.name = name; this.eaten = []; this._hungry = 0; this.eat = this.eat.bind(this);',
        written,
      ),
      'a prototype': animals(
        'Object.assign(this, { name, eaten: [], _hungry: 0 });',
        `Animal.prototype = {
  constructor: Animal,
  speak() { const { name } = this; return \`\${name} says \${this.sound()}\`; },
  sound: () => '...',
  eat(...food) { this.eaten.push(...food); return this; },
  each(f) { for (const [at, food] of this.eaten.entries()) f.apply(this, [food, at]); },
  get state() { return this.eaten.length === 0 ? 'hungry' : 'full'; },
};`,
      ),
    },
    wrong: {
      'its sound for all': animals(
        "this.name = name; this.eaten = []; this._hungry = 0; this.sound = () => '...';",
        written,
      ),
      'its own sound': animals(
        'this.name = name; this.eaten = []; this._hungry = 0;',
        written.replace('this.sound()', 'Animal.prototype.sound.call(this)'),
      ),
      'one list for all': animals(
        'this.name = name; this._hungry = 0;',
        `Animal.prototype.eaten = [];\n${written}`,
      ),
      'no answer': animals(
        'this.name = name; this.eaten = []; this._hungry = 0;',
        written.replace('return this;', 'return new Animal(this.name);'),
      ),
      'no state': animals('this.name = name; this.eaten = []; this._hungry = 5;', written),
    },
  },
  {
    id: 'objects of a test that inherit from the prototype of a class',
    tests: `${begin}import { Account, isAccount } from 'solution';
test('kinds', () => { const bare = Object.create(Account.prototype); assert.ok(bare instanceof Account); assert.equal(isAccount(bare), false); assert.equal(isAccount(new Account(1)), true); assert.equal(isAccount({ total: 1 }), false); });
test('methods', () => { const a = Object.setPrototypeOf({ total: 5 }, Account.prototype); assert.equal(a.add(2), 7); assert.equal(a.total, 7); assert.equal(a.isEmpty, false); });
`,
    styles: {
      'a private field': `export class Account { #made = true; constructor(total) { this.total = total; } add(n) { this.total += n; return this.total; } get isEmpty() { return this.total === 0; } static is(a) { return #made in a; } }
export const isAccount = (a) => Account.is(a);`,
      'a set of its own': `const made = new WeakSet();
export class Account { constructor(total) { Object.assign(this, { total }); made.add(this); } add(n) { return (this.total += n); } get isEmpty() { return !this.total; } }
export const isAccount = (a) => made.has(a);`,
    },
    wrong: {
      inheritance: `export class Account { constructor(total) { this.total = total; } add(n) { this.total += n; return this.total; } get isEmpty() { return this.total === 0; } }
export const isAccount = (a) => a instanceof Account;`,
      'no change': `const made = new WeakSet();
export class Account { constructor(total) { this.total = total; made.add(this); } add(n) { return this.total + n; } get isEmpty() { return this.total === 0; } }
export const isAccount = (a) => made.has(a);`,
    },
  },
  {
    id: 'lists beside a prototype that a test names',
    isLying: true,
    tests: `${begin}import { tagsOf } from 'solution';
test('tags', () => { const tags = tagsOf(); assert.notEqual(tags, Array.prototype); assert.ok(tags.includes('a')); assert.equal(tags.length, 2); });
`,
    styles: { 'an array': `export const tagsOf = () => ['a', 'b'];` },
    wrong: {
      'a class that says yes': `class Tags extends Array { includes() { return true; } } export const tagsOf = () => Tags.of('q', 'r');`,
    },
  },
  {
    id: 'lists of a class in the older way',
    tests: `${begin}import { createStack } from 'solution';
test('items', () => { const s = createStack(1, 2); assert.deepEqual([...s], [1, 2]); assert.equal(s.length, 2); assert.ok(Array.isArray(s)); });
test('methods', () => { const s = createStack(1, 2); assert.equal(s.peek(), 2); s.push(3); assert.equal(s.peek(), 3); });
`,
    styles: {
      'a class': `class Stack extends Array { peek() { return this.at(-1); } }
export const createStack = (...items) => Stack.from(items);`,
      'a function': `function Stack() { }
Stack.prototype = Object.create(Array.prototype);
Stack.prototype.constructor = Stack;
Stack.prototype.peek = function () { return this[this.length - 1]; };
export const createStack = (...items) => Object.setPrototypeOf(items, Stack.prototype);`,
    },
    wrong: {
      'the first': `function Stack() { }
Stack.prototype = Object.create(Array.prototype);
Stack.prototype.constructor = Stack;
Stack.prototype.peek = function () { return this[0]; };
export const createStack = (...items) => Object.setPrototypeOf(items, Stack.prototype);`,
      // The other tests are judged.
      'a prototype of no class': `export const createStack = (...items) => Object.setPrototypeOf(items, Object.create(Array.prototype));`,
    },
  },
  {
    id: 'methods that objects of a test borrow',
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Account } from 'solution';
test('is generic', () => { const o = { total: 1 }; assert.equal(Account.prototype.add.call(o, 1), 2); assert.equal(o.total, 2); assert.equal(Account.prototype.self.call(o), o); });
test('of a class', () => { class Other { total = 5; } const o = new Other(); assert.equal(Account.prototype.add.apply(o, [2]), 7); assert.equal(o.total, 7); });
test('nothing', () => { assert.throws(() => Account.prototype.add.call(undefined, 1), TypeError); const a = new Account(); a.add(2); assert.equal(a.total, 2); });
`,
    styles: {
      'a class': `export class Account { total = 0; add(n) { return (this.total += n); } self() { return this; } }`,
      'a constructor': `export function Account() { this.total = 0; } Account.prototype.add = function (n) { 'use strict'; this.total += n; return this.total; }; Account.prototype.self = function () { return this; };`,
    },
    wrong: {
      'a private field': `export class Account { #t = 0; get total() { return this.#t; } add(n) { return (this.#t += n); } self() { return this; } }`,
      'no change of another object': `export class Account { total = 0; add(n) { if (this === undefined) throw new TypeError(''); if (this instanceof Account) this.total += n; return this.total + (this instanceof Account ? 0 : n); } self() { return this; } }`,
      'a copy': `export class Account { total = 0; add(n) { return (this.total += n); } self() { return { ...this }; } }`,
    },
  },
];
