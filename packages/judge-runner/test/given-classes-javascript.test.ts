import { describe, expect, it } from 'vitest';
import { javascript, nodeTest } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();
const head = `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n`;

/** Judges a module and returns the titles of the tests that it passes. */
async function passed(source: string, tests: string, reference?: string): Promise<string[]> {
  const verdict = await judge.run({
    artifact: javascript(source),
    suite: nodeTest(head + tests, reference),
  });
  expect(verdict.errorKind).toBe(null);
  return verdict.tests.flatMap(({ id, status }) =>
    status === 'passed' ? [id.slice(id.lastIndexOf(':') + 1)] : [],
  );
}

describe('a module that is given classes of a test', () => {
  it('sees what they show, and nothing private of a class (JDG-17)', async () => {
    const found = await passed(
      `
export const namesOf = (part) => Reflect.ownKeys(part).map(String);
export const read = (part, name) => part[name];
`,
      `
import { namesOf, read } from 'solution';
class Base { static shown = 1; }
class Case extends Base { static expected = 5; static _secret = 6; static _help() {} #hidden = 7; constructor() { super(); this.given = 3; } run() { return this.#hidden; } }
test('class', () => assert.deepEqual(namesOf(Case).sort(), ['expected', 'length', 'name', 'prototype']));
test('private', () => assert.equal(read(Case, '_secret'), undefined));
test('inherited', () => assert.equal(read(Case, 'shown'), 1));
test('object', () => assert.deepEqual(namesOf(new Case()), ['given']));
test('hidden', () => assert.equal(read(new Case(), 'hidden'), undefined));
`,
    );
    expect(found).toEqual(['class', 'private', 'inherited', 'object', 'hidden']);
  });

  const changing = `
const attempts = (cls) => [
  () => { cls.expected = 7; },
  () => { Object.defineProperty(cls, 'expected', { value: 7 }); },
  () => { delete cls.expected; },
  () => { cls.prototype.run = () => 7; },
  () => { cls.prototype.total = 7; },
  () => { cls.prototype[Symbol.toPrimitive] = () => 7; },
  () => { cls.prototype.valueOf = () => 7; },
  () => { cls.prototype.toJSON = () => 7; },
  () => { cls.prototype.then = (end) => end(7); },
  () => { cls.prototype.includes = () => true; },
];
export const attack = (cls, index) => { try { attempts(cls)[index](); } catch {} return 7; };
`;
  const attacked = `
import { attack } from 'solution';
class Case { static expected = 5; run() { return 6; } }
const attacks = [
  () => Case.expected, () => Case.expected, () => Case.expected ?? 7, () => new Case().run(), () => new Case().total,
  () => +new Case(), () => Number(new Case()), () => Number(JSON.stringify(new Case())),
];
for (const [index, read] of attacks.entries()) test('attack ' + index, () => assert.equal(attack(Case, index), read()));
test('attack 8', async () => { attack(Case, 8); assert.equal(await new Case(), 7); });
test('attack 9', () => { attack(Case, 9); assert.ok(new Case().includes(3)); });
`;
  it('cannot change what the test has written, nor what its objects are converted to (JDG-17)', async () => {
    expect(await passed(changing, attacked)).toEqual([]);
  });

  it('cannot do so beside a reference that does not (JDG-17, JDG-18)', async () => {
    const tests = `
import { use } from 'solution';
class Case { static expected = 5; run() { return 6; } }
test('static', () => assert.equal(use(Case), Case.expected));
test('method', () => assert.equal(use(Case) + 1, new Case().run()));
test('added', () => { use(Case); assert.equal(new Case().more?.() ?? 1, 1); });
`;
    const wrong = `
export function use(cls) {
  for (const change of [() => { cls.expected = 7; }, () => { cls.prototype.run = () => 8; }, () => { cls.prototype.more = () => 1; }])
    try { change(); } catch {}
  return 7;
}`;
    expect(await passed(wrong, tests, 'export const use = (cls) => 5;')).toEqual([]);
  });

  it('gains nothing by objects of them that it fills wrongly, nor by classes that it derives (JDG-17)', async () => {
    const found = await passed(
      `
const yes = () => true;
export const revive = (cls, text) => Object.assign(Object.create(cls.prototype), { total: 1, equals: yes, valueOf: () => 3 });
export const lie = (cls) => { class Lie extends cls { equals() { return true; } valueOf() { return 3; } toJSON() { return { total: 3 }; } get total() { return 3; } } return new Lie(); };
export const other = (cls) => ({ __proto__: cls.prototype, get total() { return (this.n = (this.n ?? 1) + 1); } });
`,
      `
import { lie, other, revive } from 'solution';
class Sum { constructor(total = 9) { this.total = total; } equals(other) { return this.total === other.total; } get isThree() { return this.total === 3; } }
test('whole', () => assert.deepEqual(revive(Sum, '3'), new Sum(3)));
test('equals', () => assert.ok(revive(Sum, '3').equals(new Sum(3))));
test('getter', () => assert.ok(revive(Sum, '3').isThree));
test('number', () => assert.equal(+revive(Sum, '3'), 3));
test('derived', () => assert.deepEqual(lie(Sum), new Sum(3)));
test('derived equals', () => assert.ok(lie(Sum).equals(new Sum(3))));
test('derived number', () => assert.equal(Number(lie(Sum)), 3));
test('derived text', () => assert.equal(JSON.stringify(lie(Sum)), '{"total":3}'));
test('changing', () => { const sum = other(Sum); assert.equal(sum.total, 2); assert.ok(sum.isThree); });
`,
    );
    expect(found).toEqual([]);
  });

  it('does not learn by errors of a test what the test expects, and cannot change their class (JDG-17)', async () => {
    const found = await passed(
      `
export const kindOf = (fail) => { try { fail(); } catch (error) { try { error.constructor.code = 7; } catch {} try { Object.getPrototypeOf(error).status = 7; } catch {} return 7; } };
export const fake = (fail) => { try { fail(); } catch (error) { return Object.assign(Object.create(Object.getPrototypeOf(error)), { message: 'boom' }); } };
`,
      `
import { fake, kindOf } from 'solution';
class Boom extends Error { static code = 5; get shown() { return this.constructor.code; } }
const boom = new Boom('boom');
const fail = () => { throw boom; };
test('static', () => assert.equal(kindOf(fail), Boom.code));
test('getter', () => assert.equal(kindOf(fail), boom.shown));
test('prototype', () => assert.equal(kindOf(fail), boom.status));
test('same', () => assert.equal(fake(fail), boom));
`,
    );
    expect(found).toEqual([]);
  });

  it('gains nothing by methods of its errors, unseen functions and numbers of objects (JDG-17)', async () => {
    const found = await passed(
      `
export class Lie extends Error { includes() { return true; } equals() { return true; } every() { return true; } }
class Hidden extends Error { matches() { return true; } }
export const fail = () => { throw new Lie('no'); };
export const hide = () => { throw new Hidden('no'); };
export const put = (target) => { for (const name of ['includes', 'toString', 'run', 'then']) Object.defineProperty(target, name, { value: (end) => (name === 'then' ? end(9) : true), configurable: true }); return target; };
const one = { total: 1 };
export const first = (tell) => { tell(one); return one; };
`,
      `
import { fail, first, hide, put } from 'solution';
const caught = (work) => { try { work(); } catch (error) { return error; } };
test('includes', () => assert.ok(caught(fail).includes('no such text')));
test('every', () => assert.ok(caught(fail).every((each) => each === 3)));
test('hidden', () => assert.ok(caught(hide).matches(9)));
test('unseen', () => assert.ok(put({}).includes(3)));
test('written', () => { const part = { run: () => 6 }; put(part); assert.equal(part.run(), true); });
test('text', () => assert.equal(String(put({})), 'true'));
test('awaited', async () => assert.equal(await put({}), 9));
test('alike', () => { let seen; const found = first((each) => { seen = { ...each, total: 3 }; }); assert.deepEqual(found, seen); });
`,
    );
    expect(found).toEqual([]);
  });

  const extending = `
import { add, Money } from 'solution';
class Euro extends Money { get sign() { return 'E'; } }
test('deep', () => assert.deepEqual(add(new Euro(1), new Euro(1)), new Euro(2)));
test('method', () => assert.deepEqual(new Euro(5).plus(new Euro(2)), new Euro(7)));
test('number', () => assert.equal(+add(new Euro(1), new Euro(1)), +new Euro(2)));
test('text', () => assert.equal(JSON.stringify(add(new Euro(1), new Euro(1))), JSON.stringify(new Euro(2))));
test('read', () => assert.equal(add(new Euro(1), new Euro(1)).n, new Euro(2).n));
test('getter', () => assert.equal(add(new Euro(1), new Euro(1)).sign, 'F'));
`;
  const always = `
export class Money { constructor(n) { this.n = 3; } plus(other) { return new this.constructor(3); } equals() { return true; } valueOf() { return 3; } get sign() { return 'F'; } }
export const add = (a, b) => new a.constructor(3);
`;
  it('gains nothing where the test extends its classes, without a reference (JDG-17)', async () => {
    expect(await passed(always, extending)).toEqual([]);
  });

  it('gains nothing where the test extends its classes, beside a reference (JDG-17, JDG-18)', async () => {
    const right = `
export class Money { constructor(n) { this.n = n; } plus(other) { return new this.constructor(this.n + other.n); } valueOf() { return this.n; } }
export const add = (a, b) => a.plus(b);
`;
    // Where a reference converts an answer and an expected object, both numbers are the artifact's word: see the roadmap.
    const tests = extending.replace(", 'F'", ", 'E'").replace(/^test\('number'.*$/m, '');
    expect(await passed(always, tests, right)).toEqual(['getter']);
  });

  const mixing = `
export const logging = (Base = Object) => class extends Base {
  #told = [];
  tell(text) { this.#told.push(text); return this; }
  told() { return this.#told.map((text) => this.name + text); }
  shout() { return this.bark() + '!'; }
};
export const listening = (target) => Object.assign(target, {
  on(run) { (this.runs ??= []).push(run); },
  emit(value) { return this.runs.map((run) => run(value)); },
});
export class Tagged { constructor(held) { this.held = held; } get [Symbol.toStringTag]() { return \`Tagged \${this.held}\`; } self() { return this; } }
export class Vec {
  #items;
  constructor(...items) { this.#items = items; Object.freeze(this); }
  static get [Symbol.species]() { return this; }
  double() { return new this.constructor[Symbol.species](...this.#items.map((item) => 2 * item)); }
}
export class Interval {
  constructor(start, end) { this.start = start; this.end = end; if (!(start <= end)) throw new RangeError('no interval'); }
  has(value) { return value >= this.start && value < this.end; }
  *steps() { for (let value = this.start; value < this.end; value = value.next()) yield value; }
}
export const total = (values) => { let sum = 0; for (const value of values) sum += value; return sum; };
`;
  const mixed = `
import { Interval, listening, logging, Tagged, total, Vec } from 'solution';
class Animal { constructor(name) { this.name = name; } eat() { return this.name + ' eats'; } get loud() { return this.name.toUpperCase(); } }
class Dog extends logging(Animal) { bark() { return this.name + ' barks'; } both() { return this.tell('?').told(); } }
class Puppy extends Dog { bark() { return 'small ' + super.bark(); } }
test('factory of classes', () => {
  const [rex, max] = [new Dog('Rex'), new Dog('Max')];
  assert.equal(rex.tell('!'), rex);
  assert.deepEqual([rex.both(), max.both()], [['Rex!', 'Rex?'], ['Max?']]);
  assert.deepEqual([rex.shout(), rex.eat(), rex.loud], ['Rex barks!', 'Rex eats', 'REX']);
  rex.name = 'Tom';
  assert.deepEqual([rex.shout(), rex.eat()], ['Tom barks!', 'Tom eats']);
  assert.ok(rex instanceof Animal && rex instanceof Dog);
  assert.deepEqual(Object.keys(rex), ['name']);
  assert.equal(new Puppy('Bo').shout(), 'small Bo barks!');
});
test('prototypes', () => {
  class Cat { constructor(name) { this.name = name; } purr() { return this.emit(this.name); } }
  class Lion extends Animal { roar() { return this.emit(this.name); } }
  for (const kind of [Cat, Lion]) listening(kind.prototype);
  for (const part of [new Cat('Tom'), new Lion('Leo')]) {
    const heard = [];
    part.on((name) => heard.push(name));
    part.purr?.();
    part.roar?.();
    assert.deepEqual(heard, [part.name]);
  }
});
test('symbols in tags', () => {
  const held = Symbol('a');
  assert.equal(new Tagged(held).self().held, held);
  class Own { constructor(inner) { this.inner = inner; } get [Symbol.toStringTag]() { return \`Own \${this.inner}\`; } }
  const own = new Own(held);
  assert.equal(new Tagged(own).self().held, own);
});
test('species', () => {
  class Colour extends Vec { static get [Symbol.species]() { return Vec; } }
  class Speed extends Vec {}
  assert.equal(new Colour(1).double().constructor, Vec);
  assert.equal(new Speed(1).double().constructor, Speed);
  assert.equal(Vec[Symbol.species], Vec);
});
test('next', () => {
  class Day { constructor(n) { this.n = n; } next() { return new Day(this.n + 1); } valueOf() { return this.n; } }
  const week = new Interval(new Day(1), new Day(4));
  assert.ok(week.has(new Day(2)) && !week.has(new Day(4)));
  assert.deepEqual([...week.steps()].map((day) => day.n), [1, 2, 3]);
  class Range { constructor(n) { this.n = n; } next() { return this.n > 0 ? { value: this.n--, done: false } : { value: undefined, done: true }; } [Symbol.iterator]() { return this; } }
  assert.equal(total(new Range(3)), 6);
});
`;
  const ofMixed = ['factory of classes', 'prototypes', 'symbols in tags', 'species', 'next'];
  it('mixes into them, and gets their objects whatever methods and tags they have (JDG-21)', async () => {
    expect(await passed(mixing, mixed)).toEqual(ofMixed);
  });
  it('does so beside a reference (JDG-18, JDG-21)', async () => {
    expect(await passed(mixing, mixed, mixing)).toEqual(ofMixed);
  });

  it('gains nothing by what it mixes into them (JDG-17)', async () => {
    const tests = `
import { priced } from 'solution';
class Money { constructor(n) { this.n = n; } get isThree() { return this.n === 3; } }
class Euro extends priced(Money) { get kind() { return 'euro'; } }
test('deep', () => assert.deepEqual(new Euro(5).plus(new Euro(2)), new Euro(7)));
test('number', () => assert.equal(+new Euro(5).plus(new Euro(2)), +new Euro(7)));
test('text', () => assert.equal(JSON.stringify(new Euro(5).plus(new Euro(2))), JSON.stringify(new Euro(7))));
test('read', () => assert.equal(new Euro(5).plus(new Euro(2)).n, new Euro(7).n));
test('getter', () => assert.equal(new Euro(5).plus(new Euro(2)).kind, 'franc'));
test('given', () => assert.equal(new Money(4).kind, 'franc'));
test('asked', () => assert.ok(new Euro(5).plus(new Euro(2)).includes(9)));
`;
    const wrong = `
export const priced = (Base) => {
  Object.defineProperty(Base.prototype, 'kind', { value: 'franc' });
  return class extends Base {
    constructor(n) { super(3); }
    plus() { return new this.constructor(3); }
    equals() { return true; }
    includes() { return true; }
    valueOf() { return 3; }
    toJSON() { return 3; }
    get kind() { return 'franc'; }
  };
};
`;
    const right = `export const priced = (Base) => class extends Base { plus(other) { return new this.constructor(this.n + other.n); } valueOf() { return this.n; } };`;
    expect(await passed(wrong, tests)).toEqual([]);
    const honest = tests
      .replaceAll("'franc'", 'undefined')
      .replace(/^test\('(?:getter|asked|number)'.*$/gm, '');
    expect(await passed(wrong, honest, right)).toEqual([]);
  });
});
