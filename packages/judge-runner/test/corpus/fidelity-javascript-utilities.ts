import type { FidelityPackage } from './fidelity-case.ts';

/** Correct packages with ordinary tests, written without a look at the judge: objects, money, dates, differences, graphs and functions. */
export const fidelityJavascriptUtilities: readonly FidelityPackage[] = [
  {
    id: 'registry-objects',
    lacking: ['keeps accessors and symbols'],
    breaks: [['lib/index.js', `acc[key] = merge({}, acc[key], next)`, `merge(acc[key], next)`]],
    artifact: {
      'lib/index.js': `'use strict';

const isPlain = (v) => v !== null && typeof v === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(v));

function clone(value, seen = new Map()) {
  if (value === null || typeof value !== 'object') return value;
  if (seen.has(value)) return seen.get(value);
  if (value instanceof Date) return new Date(value);
  if (value instanceof RegExp) return new RegExp(value.source, value.flags);
  if (value instanceof Map) {
    const copy = new Map();
    seen.set(value, copy);
    for (const [k, v] of value) copy.set(clone(k, seen), clone(v, seen));
    return copy;
  }
  if (value instanceof Set) {
    const copy = new Set();
    seen.set(value, copy);
    for (const v of value) copy.add(clone(v, seen));
    return copy;
  }
  if (ArrayBuffer.isView(value)) return value.slice();
  const copy = Array.isArray(value) ? [] : Object.create(Object.getPrototypeOf(value));
  seen.set(value, copy);
  for (const key of Reflect.ownKeys(value)) {
    if (Array.isArray(value) && key === 'length') continue;
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    if ('value' in descriptor) descriptor.value = clone(descriptor.value, seen);
    Object.defineProperty(copy, key, descriptor);
  }
  return copy;
}

function merge(target, ...sources) {
  return sources.reduce((acc, source) => {
    for (const key of Object.keys(source)) {
      if (key === '__proto__' || key === 'constructor' || key === 'prototype') continue;
      const next = source[key];
      if (isPlain(next) && isPlain(acc[key])) acc[key] = merge({}, acc[key], next);
      else if (Array.isArray(next) && Array.isArray(acc[key])) acc[key] = merge.options.arrays(acc[key], next);
      else if (next !== undefined) acc[key] = next;
    }
    return acc;
  }, target);
}
merge.options = { arrays: (a, b) => a.concat(b) };
merge.with = (options) => {
  const own = (target, ...sources) => {
    const before = merge.options;
    merge.options = { ...before, ...options };
    try {
      return merge(target, ...sources);
    } finally {
      merge.options = before;
    }
  };
  return own;
};

function equal(a, b) {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a.constructor !== b.constructor) return false;
  if (typeof a.equals === 'function') return a.equals(b);
  if (a instanceof Date) return +a === +b;
  if (a instanceof RegExp) return String(a) === String(b);
  if (a instanceof Map) return a.size === b.size && [...a].every(([k, v]) => b.has(k) && equal(v, b.get(k)));
  if (a instanceof Set) return a.size === b.size && [...a].every((v) => b.has(v));
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((k) => Object.hasOwn(b, k) && equal(a[k], b[k]));
}

const toPath = (path) => (Array.isArray(path) ? path : path.replace(/\\[(\\w+)\\]/g, '.$1').split('.'));

function get(object, path, fallback) {
  let value = object;
  for (const key of toPath(path)) {
    if (value == null) return fallback;
    value = value[key];
  }
  return value === undefined ? fallback : value;
}

function set(object, path, value) {
  const keys = toPath(path);
  const last = keys.pop();
  let node = object;
  keys.forEach((key, i) => {
    if (node[key] === null || typeof node[key] !== 'object') node[key] = /^\\d+$/.test(keys[i + 1] ?? last) ? [] : {};
    node = node[key];
  });
  node[last] = value;
  return object;
}

const pick = (object, ...keys) => Object.fromEntries(keys.flat().filter((k) => k in object).map((k) => [k, object[k]]));
const omit = (object, ...keys) => Object.fromEntries(Object.entries(object).filter(([k]) => !keys.flat().includes(k)));
const mapValues = (object, fn) => Object.fromEntries(Object.entries(object).map(([k, v]) => [k, fn(v, k, object)]));

function deepFreeze(value) {
  for (const key of Reflect.ownKeys(value)) {
    const child = value[key];
    if (child !== null && (typeof child === 'object' || typeof child === 'function') && !Object.isFrozen(child)) deepFreeze(child);
  }
  return Object.freeze(value);
}

function groupBy(items, fn) {
  const by = typeof fn === 'function' ? fn : (item) => item[fn];
  const groups = Object.create(null);
  for (const item of items) (groups[by(item)] ??= []).push(item);
  return groups;
}

module.exports = { clone, merge, equal, get, set, pick, omit, mapValues, deepFreeze, groupBy };
`,
      'package.json': `{"name":"objects","main":"lib/index.js"}
`,
    },
    tests: {
      'test/objects.test.js': `const { test, describe } = require('node:test');
const assert = require('node:assert').strict;
const { clone, merge, equal, get, set, pick, omit, mapValues, deepFreeze, groupBy } = require('..');

describe('clone', () => {
  test('copies nested data', () => {
    const source = { a: [1, { b: 2 }], d: new Date(5), r: /x/gi, m: new Map([['k', { v: 1 }]]), s: new Set([1]) };
    const copy = clone(source);
    assert.deepEqual(copy, source);
    assert.notEqual(copy, source);
    assert.notEqual(copy.a, source.a);
    assert.notEqual(copy.a[1], source.a[1]);
    assert.notEqual(copy.m.get('k'), source.m.get('k'));
    copy.a[1].b = 3;
    assert.equal(source.a[1].b, 2);
  });

  test('keeps cycles', () => {
    const node = { name: 'root', children: [] };
    node.children.push({ name: 'leaf', parent: node });
    const copy = clone(node);
    assert.equal(copy.children[0].parent, copy);
    assert.notEqual(copy.children[0].parent, node);
  });

  test('keeps the prototype of instances', () => {
    class Point {
      constructor(x, y) {
        this.x = x;
        this.y = y;
      }
      get length() {
        return Math.hypot(this.x, this.y);
      }
    }
    const p = new Point(3, 4);
    const q = clone(p);
    assert.ok(q instanceof Point);
    assert.deepEqual(q, p);
    assert.equal(q.length, 5);
    assert.notEqual(q, p);
  });

  test('keeps accessors and symbols', () => {
    const tag = Symbol('tag');
    const source = { [tag]: [1], get now() { return 42; } };
    const copy = clone(source);
    assert.deepEqual(copy[tag], [1]);
    assert.equal(typeof Object.getOwnPropertyDescriptor(copy, 'now').get, 'function');
    assert.equal(copy.now, 42);
  });

  test('returns primitives and functions as they are', () => {
    const fn = () => {};
    for (const value of [1, 'a', null, undefined, true, 10n, fn]) assert.equal(clone(value), value);
  });

  test('copies typed arrays', () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const copy = clone(bytes);
    copy[0] = 9;
    assert.equal(bytes[0], 1);
    assert.deepEqual(copy, new Uint8Array([9, 2, 3]));
  });
});

describe('merge', () => {
  test('merges deeply', () => {
    const result = merge({ a: { x: 1, y: 2 }, l: [1] }, { a: { y: 3, z: 4 }, l: [2] }, { b: true });
    assert.deepEqual(result, { a: { x: 1, y: 3, z: 4 }, l: [1, 2], b: true });
  });

  test('changes and returns the target', () => {
    const target = { a: 1 };
    assert.equal(merge(target, { b: 2 }), target);
    assert.deepEqual(target, { a: 1, b: 2 });
  });

  test('does not change sources', () => {
    const one = deepFreeze({ a: { list: [1] } });
    const two = deepFreeze({ a: { list: [2], n: { m: 1 } } });
    assert.deepEqual(merge({}, one, two), { a: { list: [1, 2], n: { m: 1 } } });
    assert.deepEqual(one, { a: { list: [1] } });
  });

  test('ignores undefined but keeps null', () => {
    assert.deepEqual(merge({ a: 1, b: 2 }, { a: undefined, b: null }), { a: 1, b: null });
  });

  test('is safe against prototype pollution', () => {
    merge({}, JSON.parse('{"__proto__": {"polluted": true}}'));
    assert.equal({}.polluted, undefined);
    assert.equal(Object.prototype.polluted, undefined);
  });

  test('takes a strategy for arrays', () => {
    const replace = merge.with({ arrays: (_, b) => b });
    assert.deepEqual(replace({ l: [1, 2] }, { l: [3] }), { l: [3] });
    assert.deepEqual(merge({ l: [1, 2] }, { l: [3] }), { l: [1, 2, 3] });
  });

  test('keeps instances by reference', () => {
    const date = new Date();
    class Box {}
    const box = new Box();
    const out = merge({ when: { deep: 1 } }, { when: date, box });
    assert.equal(out.when, date);
    assert.equal(out.box, box);
  });
});

describe('equal', () => {
  const cases = [
    ['numbers', 1, 1, true],
    ['NaN', NaN, NaN, true],
    ['objects', { a: 1, b: [2] }, { b: [2], a: 1 }, true],
    ['missing keys', { a: undefined }, { b: undefined }, false],
    ['dates', new Date(1), new Date(1), true],
    ['regular expressions', /a/g, /a/i, false],
    ['maps', new Map([[1, { a: 1 }]]), new Map([[1, { a: 1 }]]), true],
    ['sets', new Set([1, 2]), new Set([1, 3]), false],
    ['array and object', [], {}, false],
  ];
  for (const [name, a, b, expected] of cases) {
    test(name, () => assert.equal(equal(a, b), expected));
  }

  test('asks equals() of own classes', () => {
    class Name {
      constructor(text) { this.text = text; }
      equals(other) { return this.text.toLowerCase() === other.text.toLowerCase(); }
    }
    assert.ok(equal(new Name('Bob'), new Name('BOB')));
    assert.ok(equal({ n: [new Name('a')] }, { n: [new Name('A')] }));
    assert.ok(!equal(new Name('Bob'), new Name('Rob')));
  });
});

describe('paths', () => {
  test('get', () => {
    const data = { a: [{ b: { c: 3 } }], n: null };
    assert.equal(get(data, 'a[0].b.c'), 3);
    assert.equal(get(data, ['a', 0, 'b', 'c']), 3);
    assert.equal(get(data, 'a.1.b', 'none'), 'none');
    assert.equal(get(data, 'n.x', 0), 0);
    assert.strictEqual(get(data, 'a[0].b'), data.a[0].b);
  });

  test('set creates what is missing', () => {
    const data = {};
    assert.equal(set(data, 'a.list[1].x', 5), data);
    assert.deepEqual(data.a.list.length, 2);
    assert.deepEqual(data, { a: { list: [, { x: 5 }] } });
  });
});

test('pick, omit and mapValues', (t) => {
  const source = { a: 1, b: 2, c: 3 };
  assert.deepEqual(pick(source, 'a', 'z'), { a: 1 });
  assert.deepEqual(omit(source, ['a', 'b']), { c: 3 });
  const fn = t.mock.fn((v) => v * 2);
  assert.deepEqual(mapValues(source, fn), { a: 2, b: 4, c: 6 });
  assert.deepEqual(fn.mock.calls[1].arguments, [2, 'b', source]);
});

test('deepFreeze', () => {
  const value = deepFreeze({ a: { b: [] } });
  assert.ok(Object.isFrozen(value.a.b));
  assert.throws(() => value.a.b.push(1), TypeError);
});

test('groupBy', () => {
  const people = [{ n: 'a', age: 1 }, { n: 'b', age: 2 }, { n: 'c', age: 1 }];
  const groups = groupBy(people, 'age');
  assert.deepEqual(Object.keys(groups), ['1', '2']);
  assert.equal(groups[1][1], people[2]);
  assert.equal(Object.getPrototypeOf(groups), null);
  assert.deepEqual({ ...groupBy([1, 2, 3], (n) => (n % 2 ? 'odd' : 'even')) }, { odd: [1, 3], even: [2] });
});
`,
    },
  },
  {
    id: 'registry-money',
    leaning: ['spreads and prints', 'Vector3 extends it'],
    breaks: [
      ['src/money.mjs', `share + (i < rest ? 1 : 0)`, `share`],
      ['src/money.mjs', `Math.round(this.#cents * factor)`, `Math.trunc(this.#cents * factor)`],
    ],
    artifact: {
      'src/money.mjs': `import { inspect } from 'node:util';

export class CurrencyMismatch extends TypeError {
  constructor(a, b) {
    super(\`cannot mix \${a} and \${b}\`);
    this.name = 'CurrencyMismatch';
    this.currencies = [a, b];
  }
}

const DIGITS = { JPY: 0, EUR: 2, USD: 2, BHD: 3 };

export class Money {
  #cents;
  constructor(cents, currency = 'EUR') {
    if (!Number.isSafeInteger(cents)) throw new RangeError(\`not a whole number of cents: \${cents}\`);
    this.#cents = cents;
    this.currency = currency;
    Object.freeze(this);
  }

  static parse(text) {
    const match = /^(-?)(\\d+)(?:\\.(\\d+))? ([A-Z]{3})$/.exec(text);
    if (!match) throw new SyntaxError(\`not money: \${inspect(text)}\`);
    const [, sign, whole, fraction = '', currency] = match;
    const digits = DIGITS[currency] ?? 2;
    return new Money(Number(\`\${sign}\${whole}\${fraction.padEnd(digits, '0').slice(0, digits)}\`), currency);
  }

  static zero = new Money(0);
  static compare = (a, b) => a.cents - b.cents;

  get cents() { return this.#cents; }
  get digits() { return DIGITS[this.currency] ?? 2; }

  #same(other) {
    if (other.currency !== this.currency) throw new CurrencyMismatch(this.currency, other.currency);
    return other;
  }

  plus(other) { return new Money(this.#cents + this.#same(other).cents, this.currency); }
  minus(other) { return this.plus(other.times(-1)); }
  times(factor) { return new Money(Math.round(this.#cents * factor), this.currency); }

  equals(other) { return other instanceof Money && other.currency === this.currency && other.cents === this.#cents; }

  split(ways) {
    const share = Math.floor(this.#cents / ways);
    const rest = this.#cents - share * ways;
    return Array.from({ length: ways }, (_, i) => new Money(share + (i < rest ? 1 : 0), this.currency));
  }

  valueOf() { return this.#cents / 10 ** this.digits; }
  toString() { return \`\${this.valueOf().toFixed(this.digits)} \${this.currency}\`; }
  toJSON() { return { amount: this.valueOf(), currency: this.currency }; }
  [Symbol.toPrimitive](hint) { return hint === 'number' ? this.valueOf() : this.toString(); }
  [inspect.custom](depth, options) { return options.stylize(\`Money<\${this}>\`, 'special'); }
  get [Symbol.toStringTag]() { return 'Money'; }
}

export class Vector {
  constructor(x = 0, y = 0) {
    this.x = x;
    this.y = y;
  }
  static from([x, y]) { return new Vector(x, y); }
  static get ZERO() { return new Vector(); }
  add({ x, y }) { return new Vector(this.x + x, this.y + y); }
  scale(k) { return new Vector(this.x * k, this.y * k); }
  dot(v) { return this.x * v.x + this.y * v.y; }
  get length() { return Math.hypot(this.x, this.y); }
  set length(l) {
    const k = l / this.length;
    this.x *= k;
    this.y *= k;
  }
  normalize() { this.length = 1; return this; }
  clone() { return new this.constructor(this.x, this.y); }
  *[Symbol.iterator]() { yield this.x; yield this.y; }
  toString() { return \`(\${this.x}, \${this.y})\`; }
}

export class Vector3 extends Vector {
  constructor(x, y, z = 0) { super(x, y); this.z = z; }
  add(v) { const { x, y } = super.add(v); return new Vector3(x, y, this.z + (v.z ?? 0)); }
  get length() { return Math.hypot(this.x, this.y, this.z); }
  clone() { return new Vector3(this.x, this.y, this.z); }
  *[Symbol.iterator]() { yield* super[Symbol.iterator](); yield this.z; }
}

export const sum = (monies) => monies.reduce((a, b) => a.plus(b));
export const format = (money, locale = 'en-US') => new Intl.NumberFormat(locale, { style: 'currency', currency: money.currency }).format(money);
`,
    },
    tests: {
      'test/money.test.mjs': `import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { inspect, isDeepStrictEqual } from 'node:util';
import { CurrencyMismatch, Money, Vector, Vector3, format, sum } from '../src/money.mjs';

const eur = (cents) => new Money(cents, 'EUR');

describe('Money', () => {
  it('adds and subtracts', () => {
    assert.equal(eur(150).plus(eur(250)).cents, 400);
    assert.ok(eur(150).minus(eur(50)).equals(eur(100)));
    assert.ok(!eur(1).equals(new Money(1, 'USD')));
    assert.ok(!eur(1).equals({ cents: 1, currency: 'EUR' }));
  });

  it('rounds products', () => {
    assert.equal(eur(333).times(0.5).cents, 167);
    assert.equal(eur(100).times(-1).cents, -100);
  });

  it('refuses to mix currencies', () => {
    assert.throws(() => eur(1).plus(new Money(1, 'USD')), CurrencyMismatch);
    assert.throws(() => eur(1).plus(new Money(1, 'USD')), (e) => {
      assert.deepEqual(e.currencies, ['EUR', 'USD']);
      assert.equal(e.message, 'cannot mix EUR and USD');
      return e instanceof TypeError;
    });
  });

  it('validates', () => {
    for (const bad of [0.5, NaN, '1', 2 ** 60]) assert.throws(() => new Money(bad), RangeError);
  });

  it('parses', () => {
    assert.equal(Money.parse('12.50 EUR').cents, 1250);
    assert.equal(Money.parse('-3 JPY').cents, -3);
    assert.equal(Money.parse('1.5 BHD').cents, 1500);
    assert.throws(() => Money.parse('ten'), { name: 'SyntaxError', message: "not money: 'ten'" });
  });

  it('converts', () => {
    const price = eur(1999);
    assert.equal(\`\${price}\`, '19.99 EUR');
    assert.equal(Number(price), 19.99);
    assert.equal(+price * 2, 39.98);
    assert.ok(price > eur(500));
    assert.ok(eur(5) < eur(10) === (eur(10) > eur(5)));
    assert.equal('Price: ' + price, 'Price: 19.99 EUR');
    assert.equal(JSON.stringify({ price }), '{"price":{"amount":19.99,"currency":"EUR"}}');
    assert.equal(inspect(price), 'Money<19.99 EUR>');
    assert.equal(Object.prototype.toString.call(price), '[object Money]');
  });

  it('splits without losing a cent', () => {
    const parts = eur(100).split(3);
    assert.deepEqual(parts.map((p) => p.cents), [34, 33, 33]);
    assert.equal(sum(parts).cents, 100);
    assert.deepEqual(parts.map(String), ['0.34 EUR', '0.33 EUR', '0.33 EUR']);
  });

  it('sorts', () => {
    const sorted = [eur(3), eur(1), eur(2)].sort(Money.compare);
    assert.deepEqual(sorted.map((m) => m.cents), [1, 2, 3]);
    assert.equal(Math.max(...sorted), 0.03);
  });

  it('is immutable', () => {
    const m = eur(5);
    assert.throws(() => { m.currency = 'USD'; }, TypeError);
    assert.equal(Money.zero.cents, 0);
    assert.ok(Object.isFrozen(m));
  });

  it('formats', () => {
    assert.equal(format(new Money(123456, 'USD')), '$1,234.56');
  });
});

describe('Vector', () => {
  it('adds', () => {
    assert.deepEqual(new Vector(1, 2).add(new Vector(3, 4)), new Vector(4, 6));
    assert.deepEqual(new Vector(1, 2).add({ x: 1, y: 1 }), Vector.from([2, 3]));
    assert.notDeepEqual(new Vector(1, 2), { x: 1, y: 2 });
    assert.ok(isDeepStrictEqual(new Vector(1, 1).scale(2), new Vector(2, 2)));
  });

  it('has a length that can be set', () => {
    const v = new Vector(3, 4);
    assert.equal(v.length, 5);
    v.length = 10;
    assert.deepEqual([v.x, v.y], [6, 8]);
    assert.equal(v.normalize(), v);
    assert.ok(Math.abs(v.length - 1) < 1e-9);
  });

  it('spreads and prints', () => {
    const [x, y] = new Vector(7, 8);
    assert.deepEqual([x, y], [7, 8]);
    assert.equal(Math.max(...new Vector(1, 9)), 9);
    assert.equal(String(new Vector(1, 2)), '(1, 2)');
    assert.equal(\`\${[new Vector(1, 2), Vector.ZERO]}\`, '(1, 2),(0, 0)');
  });

  it('ZERO is new each time', () => {
    const zero = Vector.ZERO;
    zero.x = 5;
    assert.equal(Vector.ZERO.x, 0);
  });

  it('clones', () => {
    const v = new Vector(1, 2);
    const w = v.clone();
    assert.deepEqual(w, v);
    assert.notEqual(w, v);
    class Named extends Vector {
      name = 'n';
    }
    assert.ok(new Named(1, 2).clone() instanceof Named);
  });

  it('Vector3 extends it', () => {
    const v = new Vector3(1, 2, 2);
    assert.ok(v instanceof Vector);
    assert.equal(v.length, 3);
    assert.deepEqual([...v.add(new Vector3(0, 0, 1))], [1, 2, 3]);
    assert.deepEqual(v.clone(), new Vector3(1, 2, 2));
    assert.equal(v.dot(new Vector(2, 1)), 4);
    assert.deepEqual(Object.keys(v), ['x', 'y', 'z']);
  });
});
`,
    },
  },
  {
    id: 'registry-dates',
    breaks: [
      [
        'src/range.mjs',
        `+this.end !== +other.start && +other.end !== +this.start`,
        `this.end !== other.start && other.end !== this.start`,
      ],
    ],
    artifact: {
      'src/range.mjs': `const DAY = 86_400_000;
const UNITS = { day: (d, n) => d.setUTCDate(d.getUTCDate() + n), week: (d, n) => d.setUTCDate(d.getUTCDate() + 7 * n), month: (d, n) => d.setUTCMonth(d.getUTCMonth() + n), hour: (d, n) => d.setUTCHours(d.getUTCHours() + n) };

const toDate = (value) => {
  const date = value instanceof Date ? new Date(value) : new Date(typeof value === 'string' && value.length === 10 ? \`\${value}T00:00:00Z\` : value);
  if (Number.isNaN(date.getTime())) throw new RangeError(\`Invalid date: \${value}\`);
  return date;
};

export class DateRange {
  constructor(start, end) {
    this.start = toDate(start);
    this.end = toDate(end);
    if (this.end < this.start) throw new RangeError('end is before start');
  }

  static parse(text) {
    const [start, end] = text.split('/');
    return new DateRange(start, end);
  }

  get duration() { return this.end - this.start; }
  get days() { return this.duration / DAY; }

  contains(other) {
    return other instanceof DateRange ? this.start <= other.start && other.end <= this.end : this.start <= other && other < this.end;
  }

  overlaps(other) { return this.start < other.end && other.start < this.end; }

  intersect(other) {
    if (!this.overlaps(other)) return null;
    return new DateRange(Math.max(this.start, other.start), Math.min(this.end, other.end));
  }

  union(other) {
    if (!this.overlaps(other) && +this.end !== +other.start && +other.end !== +this.start) return [this, other];
    return [new DateRange(Math.min(this.start, other.start), Math.max(this.end, other.end))];
  }

  *by(unit, step = 1) {
    const advance = UNITS[unit];
    if (!advance) throw new TypeError(\`Unknown unit "\${unit}"\`);
    const current = new Date(this.start);
    while (current < this.end) {
      yield new Date(current);
      advance(current, step);
    }
  }

  [Symbol.iterator]() { return this.by('day'); }

  split(n) {
    const size = this.duration / n;
    return Array.from({ length: n }, (_, i) => new DateRange(+this.start + i * size, +this.start + (i + 1) * size));
  }

  shift(unit, n) {
    const start = new Date(this.start);
    const end = new Date(this.end);
    UNITS[unit](start, n);
    UNITS[unit](end, n);
    return new DateRange(start, end);
  }

  valueOf() { return this.duration; }
  toString() { return \`\${this.start.toISOString().slice(0, 10)}/\${this.end.toISOString().slice(0, 10)}\`; }
  toJSON() { return { start: this.start, end: this.end }; }
}

export function merge(ranges) {
  const sorted = ranges.toSorted((a, b) => a.start - b.start);
  return sorted.reduce((out, range) => {
    const last = out.pop();
    return last ? [...out, ...last.union(range)] : [range];
  }, []);
}

export class Calendar {
  #events = [];
  add(title, range) {
    const clash = this.#events.find((e) => e.range.overlaps(range));
    if (clash) throw Object.assign(new Error(\`"\${title}" overlaps "\${clash.title}"\`), { code: 'OVERLAP', clash });
    this.#events.push({ title, range });
    this.#events.sort((a, b) => a.range.start - b.range.start);
    return this;
  }
  *[Symbol.iterator]() { yield* this.#events; }
  on(date) { return this.#events.find((e) => e.range.contains(toDate(date))); }
  free(within) {
    const gaps = [];
    let cursor = within.start;
    for (const { range } of this.#events) {
      if (!range.overlaps(within)) continue;
      if (cursor < range.start) gaps.push(new DateRange(cursor, range.start));
      cursor = range.end;
    }
    if (cursor < within.end) gaps.push(new DateRange(cursor, within.end));
    return gaps;
  }
}

export function relative(date, now = new Date()) {
  const diff = Math.round((toDate(date) - now) / 1000);
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  for (const [unit, seconds] of [['day', 86400], ['hour', 3600], ['minute', 60]]) {
    if (Math.abs(diff) >= seconds) return format.format(Math.trunc(diff / seconds), unit);
  }
  return format.format(diff, 'second');
}
`,
    },
    tests: {
      'test/range.test.mjs': `import { describe, it, mock } from 'node:test';
import assert from 'node:assert/strict';
import { Calendar, DateRange, merge, relative } from '../src/range.mjs';

const range = (text) => DateRange.parse(text);
const utc = (...args) => new Date(Date.UTC(...args));

describe('DateRange', () => {
  it('takes dates, texts and numbers', () => {
    const r = new DateRange(utc(2024, 0, 1), '2024-01-03');
    assert.deepEqual(r.start, utc(2024, 0, 1));
    assert.equal(r.days, 2);
    assert.equal(new DateRange(0, 10).duration, 10);
  });

  it('copies its dates', () => {
    const start = utc(2024, 0, 1);
    const r = new DateRange(start, utc(2024, 0, 2));
    start.setUTCFullYear(1999);
    assert.equal(r.start.getUTCFullYear(), 2024);
  });

  it('rejects bad input', () => {
    assert.throws(() => new DateRange('nonsense', 0), { name: 'RangeError', message: 'Invalid date: nonsense' });
    assert.throws(() => range('2024-01-02/2024-01-01'), /end is before start/);
  });

  it('contains dates and ranges', () => {
    const january = range('2024-01-01/2024-02-01');
    assert.ok(january.contains(utc(2024, 0, 31)));
    assert.ok(!january.contains(utc(2024, 1, 1)));
    assert.ok(january.contains(range('2024-01-05/2024-01-06')));
  });

  it('intersects', () => {
    const a = range('2024-01-01/2024-01-10');
    assert.deepEqual(a.intersect(range('2024-01-05/2024-01-20')), range('2024-01-05/2024-01-10'));
    assert.equal(a.intersect(range('2024-01-10/2024-01-20')), null);
  });

  it('iterates over days', () => {
    const days = [...range('2024-02-28/2024-03-02')].map((d) => d.getUTCDate());
    assert.deepEqual(days, [28, 29, 1]);
    const dates = [];
    for (const date of range('2024-01-01/2024-01-03')) dates.push(date.toISOString());
    assert.deepEqual(dates, ['2024-01-01T00:00:00.000Z', '2024-01-02T00:00:00.000Z']);
  });

  it('iterates by units', () => {
    const months = Array.from(range('2024-01-01/2024-12-31').by('month', 3), (d) => d.getUTCMonth());
    assert.deepEqual(months, [0, 3, 6, 9]);
    assert.deepEqual([...range('2024-01-01/2024-01-02').by('hour', 12)], [utc(2024, 0, 1), utc(2024, 0, 1, 12)]);
    assert.throws(() => [...range('2024-01-01/2024-01-02').by('eon')], TypeError);
  });

  it('splits and shifts', () => {
    const halves = range('2024-01-01/2024-01-03').split(2);
    assert.deepEqual(halves.map(String), ['2024-01-01/2024-01-02', '2024-01-02/2024-01-03']);
    assert.equal(\`\${halves[0].shift('week', 1)}\`, '2024-01-08/2024-01-09');
  });

  it('is compared by duration', () => {
    assert.ok(range('2024-01-01/2024-01-02') < range('2020-01-01/2020-02-01'));
    assert.equal(range('2024-01-01/2024-01-02') - 0, 86400000);
  });

  it('serializes', () => {
    assert.equal(JSON.stringify(range('2024-01-01/2024-01-02')), '{"start":"2024-01-01T00:00:00.000Z","end":"2024-01-02T00:00:00.000Z"}');
  });
});

describe('merge', () => {
  it('joins what overlaps or touches', () => {
    const merged = merge([range('2024-01-08/2024-01-10'), range('2024-01-01/2024-01-03'), range('2024-01-03/2024-01-05')]);
    assert.deepEqual(merged, [range('2024-01-01/2024-01-05'), range('2024-01-08/2024-01-10')]);
    assert.deepEqual(merge([]), []);
  });
});

describe('Calendar', () => {
  const build = () => new Calendar().add('trip', range('2024-05-10/2024-05-12')).add('talk', range('2024-05-01/2024-05-02'));

  it('keeps events in order', () => {
    assert.deepEqual(Array.from(build(), (e) => e.title), ['talk', 'trip']);
  });

  it('finds events', () => {
    assert.equal(build().on('2024-05-11').title, 'trip');
    assert.equal(build().on('2024-05-05'), undefined);
    assert.deepEqual(build().on('2024-05-01'), { title: 'talk', range: range('2024-05-01/2024-05-02') });
  });

  it('refuses overlaps', () => {
    assert.throws(() => build().add('late', range('2024-05-11/2024-05-13')), (error) => {
      assert.equal(error.code, 'OVERLAP');
      assert.equal(error.clash.title, 'trip');
      return true;
    });
  });

  it('finds gaps', () => {
    const gaps = build().free(range('2024-05-01/2024-05-15'));
    assert.deepEqual(gaps.map((g) => g.toString()), ['2024-05-02/2024-05-10', '2024-05-12/2024-05-15']);
    assert.equal(gaps.reduce((n, g) => n + g.days, 0), 11);
  });
});

describe('relative', () => {
  it('takes a now', () => {
    const now = utc(2024, 0, 10);
    assert.equal(relative('2024-01-11', now), 'tomorrow');
    assert.equal(relative(utc(2024, 0, 9, 21), now), '3 hours ago');
    assert.equal(relative(new Date(+now + 5000), now), 'in 5 seconds');
  });

  it('uses the clock', (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: utc(2024, 0, 10) });
    assert.equal(relative('2024-01-08'), '2 days ago');
    t.mock.timers.setTime(+utc(2024, 0, 9));
    assert.equal(relative('2024-01-08'), 'yesterday');
  });
});
`,
    },
  },
  {
    id: 'registry-diff',
    leaning: ['::Diff'],
    breaks: [['index.mjs', `diffSequences([...a], [...b],`, `diffSequences(a.split(''), b.split(''),`]],
    artifact: {
      'index.mjs': `export const ADD = 1;
export const KEEP = 0;
export const DELETE = -1;

class Change {
  constructor(type, value) {
    this.type = type;
    this.value = value;
  }
  get added() { return this.type === ADD; }
  get removed() { return this.type === DELETE; }
  toString() { return \`\${{ [ADD]: '+', [KEEP]: ' ', [DELETE]: '-' }[this.type]}\${this.value}\`; }
}

export class Diff extends Array {
  static get [Symbol.species]() { return Array; }
  get distance() { return this.filter((c) => c.type !== KEEP).reduce((n, c) => n + c.value.length, 0); }
  get isEqual() { return this.every((c) => c.type === KEEP); }
  toString() { return this.map(String).join('\\n'); }
  invert() { return Diff.from(this, (c) => new Change(-c.type, c.value)); }
  apply(source) {
    let out = '';
    let at = 0;
    for (const { type, value } of this) {
      if (type !== ADD) {
        if (source.slice(at, at + value.length) !== value) {
          throw new PatchError(at, value, source.slice(at, at + value.length));
        }
        at += value.length;
      }
      if (type !== DELETE) out += value;
    }
    return out;
  }
}

export class PatchError extends Error {
  static #count = 0;
  constructor(offset, expected, actual) {
    super(\`patch does not apply at \${offset}\`);
    this.name = 'PatchError';
    this.offset = offset;
    this.details = { expected, actual };
    PatchError.#count++;
  }
  static get count() { return PatchError.#count; }
}

function lcs(a, b, same) {
  const table = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i][j] = same(a[i], b[j]) ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
    }
  }
  return table;
}

export function diffSequences(a, b, { same = Object.is, join = (items) => items.join('') } = {}) {
  const table = lcs(a, b, same);
  const steps = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && same(a[i], b[j])) {
      steps.push([KEEP, b[j]]);
      i++; j++;
    } else if (j >= b.length || (i < a.length && table[i + 1][j] >= table[i][j + 1])) steps.push([DELETE, a[i++]]);
    else steps.push([ADD, b[j++]]);
  }
  const out = new Diff();
  for (const [type, item] of steps) {
    const last = out.at(-1);
    if (last?.type === type) last.items.push(item);
    else out.push({ type, items: [item] });
  }
  return Diff.from(out, ({ type, items }) => new Change(type, join(items)));
}

export const diffChars = (a, b, { ignoreCase = false } = {}) =>
  diffSequences([...a], [...b], ignoreCase ? { same: (x, y) => x.toLowerCase() === y.toLowerCase() } : {});
export const diffWords = (a, b) => diffSequences(a.split(/(\\s+)/).filter(Boolean), b.split(/(\\s+)/).filter(Boolean));
export const diffLines = (a, b) => diffSequences(a.split(/(?<=\\n)/), b.split(/(?<=\\n)/));

export function unified(a, b, { from = 'a', to = 'b' } = {}) {
  const changes = diffLines(a, b);
  if (changes.isEqual) return '';
  const lines = changes.flatMap((c) => c.value.replace(/\\n$/, '').split('\\n').map((line) => new Change(c.type, line).toString()));
  return [\`--- \${from}\`, \`+++ \${to}\`, ...lines, ''].join('\\n');
}

export function* diffObjects(a, b, path = []) {
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const at = [...path, key];
    if (!(key in b)) yield { kind: 'remove', path: at, before: a[key] };
    else if (!(key in a)) yield { kind: 'add', path: at, after: b[key] };
    else if (typeof a[key] === 'object' && typeof b[key] === 'object' && a[key] && b[key]) yield* diffObjects(a[key], b[key], at);
    else if (!Object.is(a[key], b[key])) yield { kind: 'change', path: at, before: a[key], after: b[key] };
  }
}

export default { chars: diffChars, words: diffWords, lines: diffLines };
`,
    },
    tests: {
      'test/diff.test.mjs': `import test from 'node:test';
import assert from 'node:assert/strict';
import diff, { ADD, DELETE, KEEP, Diff, PatchError, diffChars, diffLines, diffObjects, diffSequences, diffWords, unified } from '../index.mjs';

const pairs = (changes) => changes.map(({ type, value }) => [type, value]);

test('diffChars', async (t) => {
  await t.test('finds insertions and deletions', () => {
    assert.deepEqual(pairs(diffChars('abcd', 'acde')), [[KEEP, 'a'], [DELETE, 'b'], [KEEP, 'cd'], [ADD, 'e']]);
  });
  await t.test('handles empty texts', () => {
    assert.deepEqual(pairs(diffChars('', 'x')), [[ADD, 'x']]);
    assert.deepEqual(pairs(diffChars('x', '')), [[DELETE, 'x']]);
    assert.equal(diffChars('', '').length, 0);
  });
  await t.test('ignores case', () => {
    const changes = diffChars('ABC', 'abc', { ignoreCase: true });
    assert.ok(changes.isEqual);
    assert.equal(changes[0].value, 'abc');
  });
  await t.test('splits by code points', () => {
    assert.deepEqual(pairs(diffChars('😀a', '😁a')), [[DELETE, '😀'], [ADD, '😁'], [KEEP, 'a']]);
  });
});

test('diffWords keeps white space', () => {
  const changes = diffWords('the quick fox', 'the slow fox');
  assert.deepEqual(changes.filter((c) => c.added).map((c) => c.value), ['slow']);
  assert.deepEqual(changes.find((c) => c.removed).value, 'quick');
  assert.equal(changes.map((c) => (c.removed ? '' : c.value)).join(''), 'the slow fox');
});

test('diffSequences takes a comparison', (t) => {
  const same = t.mock.fn((a, b) => a.id === b.id);
  const changes = diffSequences([{ id: 1 }, { id: 2 }], [{ id: 2, n: 'new' }], { same, join: (items) => items });
  assert.ok(same.mock.callCount() > 0);
  assert.deepEqual(pairs(changes), [[DELETE, [{ id: 1 }]], [KEEP, [{ id: 2, n: 'new' }]]]);
});

test('Diff', async (t) => {
  const changes = diffLines('a\\nb\\nc\\n', 'a\\nB\\nc\\n');

  await t.test('is an array', () => {
    assert.ok(Array.isArray(changes));
    assert.ok(changes instanceof Diff);
    assert.equal(changes.length, 4);
    assert.ok(!(changes.map((c) => c) instanceof Diff));
  });

  await t.test('prints', () => {
    assert.equal(String(diffChars('ab', 'ac')), ' a\\n-b\\n+c');
    assert.equal(\`\${changes[0]}\`, ' a\\n');
  });

  await t.test('has a distance', () => {
    assert.equal(diffChars('kitten', 'sitting').distance, 5);
    assert.equal(changes.distance, 4);
    assert.equal(changes.isEqual, false);
  });

  await t.test('applies', () => {
    assert.equal(changes.apply('a\\nb\\nc\\n'), 'a\\nB\\nc\\n');
    assert.equal(changes.invert().apply('a\\nB\\nc\\n'), 'a\\nb\\nc\\n');
  });

  await t.test('refuses to apply elsewhere', () => {
    const before = PatchError.count;
    assert.throws(() => changes.apply('a\\nx\\nc\\n'), (error) => {
      assert.ok(error instanceof PatchError);
      assert.equal(error.offset, 2);
      assert.deepEqual(error.details, { expected: 'b\\n', actual: 'x\\n' });
      return true;
    });
    assert.equal(PatchError.count, before + 1);
  });

  await t.test('can be iterated with entries', () => {
    for (const [i, change] of changes.entries()) assert.equal(change, changes[i]);
    const [first, ...rest] = changes;
    assert.equal(first.type, KEEP);
    assert.equal(rest.length, 3);
  });
});

test('unified', () => {
  assert.equal(unified('a\\nb\\n', 'a\\nc\\n', { from: 'old', to: 'new' }), '--- old\\n+++ new\\n a\\n-b\\n+c\\n');
  assert.equal(unified('same\\n', 'same\\n'), '');
});

test('diffObjects', async (t) => {
  const a = { name: 'x', tags: ['a'], nested: { keep: 1, gone: 2 } };
  const b = { name: 'y', tags: ['a', 'b'], nested: { keep: 1 } };
  await t.test('lists changes', () => {
    assert.deepEqual([...diffObjects(a, b)], [
      { kind: 'change', path: ['name'], before: 'x', after: 'y' },
      { kind: 'add', path: ['tags', '1'], after: 'b' },
      { kind: 'remove', path: ['nested', 'gone'], before: 2 },
    ]);
  });
  await t.test('is lazy', () => {
    const iterator = diffObjects(a, b);
    assert.equal(iterator.next().value.kind, 'change');
    assert.deepEqual(iterator.return(7), { value: 7, done: true });
  });
  await t.test('is empty for equal objects', () => {
    assert.deepEqual([...diffObjects(a, structuredClone(a))], []);
  });
});

test('default export', () => {
  assert.equal(diff.chars, diffChars);
  assert.deepEqual(Object.keys(diff), ['chars', 'words', 'lines']);
});
`,
    },
  },
  {
    id: 'registry-graph',
    breaks: [['src/graph.mjs', `if (visit(start, this) === false) return;`, `visit(start, this);`]],
    artifact: {
      'src/graph.mjs': `export class Heap {
  #items = [];
  constructor(compare = (a, b) => a - b, items = []) {
    this.compare = compare;
    for (const item of items) this.push(item);
  }
  get size() { return this.#items.length; }
  peek() { return this.#items[0]; }
  push(...items) {
    for (const item of items) {
      let i = this.#items.push(item) - 1;
      while (i > 0) {
        const up = (i - 1) >> 1;
        if (this.compare(this.#items[i], this.#items[up]) >= 0) break;
        [this.#items[i], this.#items[up]] = [this.#items[up], this.#items[i]];
        i = up;
      }
    }
    return this.size;
  }
  pop() {
    const top = this.#items[0];
    const last = this.#items.pop();
    if (this.#items.length) {
      this.#items[0] = last;
      for (let i = 0; ; ) {
        let least = i;
        for (const c of [2 * i + 1, 2 * i + 2]) if (c < this.size && this.compare(this.#items[c], this.#items[least]) < 0) least = c;
        if (least === i) break;
        [this.#items[i], this.#items[least]] = [this.#items[least], this.#items[i]];
        i = least;
      }
    }
    return top;
  }
  *drain() { while (this.size) yield this.pop(); }
}

export class CycleError extends Error {
  constructor(path) { super(\`cycle: \${path.join(' -> ')}\`); this.name = 'CycleError'; this.path = path; }
}

export class Graph {
  #edges = new Map();
  #directed;
  constructor({ directed = true } = {}) { this.#directed = directed; }
  static from(entries, options) {
    const graph = new Graph(options);
    for (const [from, targets] of entries instanceof Map ? entries : Object.entries(entries)) {
      graph.addNode(from);
      for (const to of targets) graph.addEdge(from, to);
    }
    return graph;
  }
  addNode(node) { if (!this.#edges.has(node)) this.#edges.set(node, new Map()); return this; }
  addEdge(from, to, weight = 1) {
    this.addNode(from).addNode(to);
    this.#edges.get(from).set(to, weight);
    if (!this.#directed) this.#edges.get(to).set(from, weight);
    return this;
  }
  get nodes() { return new Set(this.#edges.keys()); }
  get edges() { return [...this.#edges].flatMap(([from, all]) => [...all].map(([to, weight]) => ({ from, to, weight }))); }
  neighbors(node) { return [...(this.#edges.get(node)?.keys() ?? [])]; }
  hasEdge(from, to) { return this.#edges.get(from)?.has(to) ?? false; }
  *bfs(start) {
    const seen = new Set([start]);
    for (const node of seen) { yield node; for (const next of this.neighbors(node)) seen.add(next); }
  }
  dfs(start, visit, seen = new Set()) {
    if (seen.has(start)) return;
    seen.add(start);
    if (visit(start, this) === false) return;
    for (const next of this.neighbors(start)) this.dfs(next, visit, seen);
  }
  topological() {
    const state = new Map();
    const out = [];
    const visit = (node, path) => {
      if (state.get(node) === 2) return;
      if (state.get(node) === 1) throw new CycleError([...path.slice(path.indexOf(node)), node]);
      state.set(node, 1);
      for (const next of this.neighbors(node)) visit(next, [...path, node]);
      state.set(node, 2);
      out.unshift(node);
    };
    for (const node of this.#edges.keys()) visit(node, []);
    return out;
  }
  shortestPath(from, to) {
    const best = new Map([[from, 0]]);
    const via = new Map();
    const heap = new Heap((a, b) => a[1] - b[1], [[from, 0]]);
    for (const [node, cost] of heap.drain()) {
      if (node === to) {
        const path = [to];
        while (via.has(path[0])) path.unshift(via.get(path[0]));
        return { path, cost };
      }
      for (const [next, weight] of this.#edges.get(node) ?? []) {
        if (cost + weight < (best.get(next) ?? Infinity)) {
          best.set(next, cost + weight);
          via.set(next, node);
          heap.push([next, cost + weight]);
        }
      }
    }
    return null;
  }
  reverse() { const made = new this.constructor(); for (const { from, to, weight } of this.edges) made.addEdge(to, from, weight); return made; }
}

export class Trie {
  #root = new Map();
  size = 0;
  add(word) {
    let node = this.#root;
    for (const c of word) { if (!node.has(c)) node.set(c, new Map()); node = node.get(c); }
    if (!node.has('')) { node.set('', true); this.size++; }
    return this;
  }
  has(word) { return this.#find(word)?.has('') ?? false; }
  #find(prefix) { let node = this.#root; for (const c of prefix) { node = node?.get(c); } return node; }
  complete(prefix) {
    const out = [];
    const walk = (node, text) => { for (const [c, next] of node) c === '' ? out.push(text) : walk(next, text + c); };
    const start = this.#find(prefix);
    if (start) walk(start, prefix);
    return out.sort();
  }
}

export class BiMap extends Map {
  #inverse = new Map();
  constructor(entries = []) { super(); for (const [k, v] of entries) this.set(k, v); }
  set(k, v) {
    if (this.#inverse?.has(v) && this.#inverse.get(v) !== k) throw new RangeError(\`value \${v} is taken\`);
    if (super.has(k)) this.#inverse.delete(super.get(k));
    this.#inverse.set(v, k);
    return super.set(k, v);
  }
  keyOf(v) { return this.#inverse.get(v); }
  delete(k) { this.#inverse.delete(super.get(k)); return super.delete(k); }
  get inverse() { return new BiMap([...this].map(([k, v]) => [v, k])); }
}
`,
    },
    tests: {
      'test/graph.test.mjs': `import { describe, it, test } from 'node:test';
import assert from 'node:assert/strict';
import { BiMap, CycleError, Graph, Heap, Trie } from '../src/graph.mjs';

describe('Heap', () => {
  it('orders numbers', () => {
    const heap = new Heap();
    assert.equal(heap.push(3, 1, 2), 3);
    assert.equal(heap.peek(), 1);
    assert.deepEqual([heap.pop(), heap.pop(), heap.pop(), heap.pop()], [1, 2, 3, undefined]);
  });
  it('takes a comparison', () => {
    const jobs = new Heap((a, b) => b.priority - a.priority, [{ id: 'a', priority: 1 }, { id: 'b', priority: 9 }]);
    const urgent = { id: 'c', priority: 10 };
    jobs.push(urgent);
    assert.equal(jobs.pop(), urgent);
    assert.deepEqual([...jobs.drain()].map((j) => j.id), ['b', 'a']);
    assert.equal(jobs.size, 0);
  });
  it('sorts anything', () => {
    const input = [5, 3, 8, 1, 9, 2];
    assert.deepEqual([...new Heap(undefined, input).drain()], input.toSorted((a, b) => a - b));
    assert.deepEqual([...new Heap((a, b) => a.localeCompare(b), ['c', 'a', 'b']).drain()], ['a', 'b', 'c']);
  });
});

describe('Graph', () => {
  const build = () => Graph.from({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] });
  it('has nodes and edges', () => {
    const graph = build();
    assert.deepEqual(graph.nodes, new Set(['a', 'b', 'c', 'd']));
    assert.deepEqual(graph.neighbors('a'), ['b', 'c']);
    assert.ok(graph.hasEdge('a', 'b'));
    assert.ok(!graph.hasEdge('b', 'a'));
    assert.deepEqual(graph.edges[0], { from: 'a', to: 'b', weight: 1 });
  });
  it('may be undirected', () => {
    const graph = new Graph({ directed: false }).addEdge(1, 2, 5);
    assert.equal(graph.hasEdge(2, 1), true);
    assert.equal(graph.edges.length, 2);
  });
  it('walks', () => {
    assert.deepEqual([...build().bfs('a')], ['a', 'b', 'c', 'd']);
    const seen = [];
    const graph = build();
    graph.dfs('a', (node, self) => { seen.push(node); assert.equal(self, graph); });
    assert.deepEqual(seen, ['a', 'b', 'd', 'c']);
    const some = [];
    graph.dfs('a', (node) => { some.push(node); return node === 'a'; });
    assert.deepEqual(some, ['a', 'b', 'c']);
  });
  it('sorts', () => {
    const order = build().topological();
    assert.equal(order[0], 'a');
    assert.equal(order.at(-1), 'd');
  });
  it('finds cycles', () => {
    const graph = build().addEdge('d', 'b');
    assert.throws(() => graph.topological(), (error) => {
      assert(error instanceof CycleError);
      assert.deepEqual(error.path, ['b', 'd', 'b']);
      return /b -> d -> b/.test(error.message);
    });
  });
  it('finds shortest paths', () => {
    const graph = new Graph().addEdge('a', 'b', 7).addEdge('a', 'c', 2).addEdge('c', 'b', 3);
    assert.deepEqual(graph.shortestPath('a', 'b'), { path: ['a', 'c', 'b'], cost: 5 });
    assert.equal(graph.shortestPath('b', 'a'), null);
  });
  it('takes objects as nodes', () => {
    const [x, y] = [{ n: 1 }, { n: 2 }];
    const graph = Graph.from(new Map([[x, [y]]]));
    assert.equal(graph.neighbors(x)[0], y);
    assert.ok(graph.nodes.has(y));
    assert.deepEqual(graph.reverse().edges, [{ from: y, to: x, weight: 1 }]);
  });
});

test('Trie', () => {
  const trie = new Trie();
  for (const word of ['car', 'cart', 'dog', 'car']) trie.add(word);
  assert.equal(trie.size, 3);
  assert.ok(trie.has('car'));
  assert.ok(!trie.has('ca'));
  assert.deepEqual(trie.complete('ca'), ['car', 'cart']);
  assert.deepEqual(trie.complete('x'), []);
});

describe('BiMap', () => {
  it('is a map', () => {
    const map = new BiMap([['a', 1], ['b', 2]]);
    assert.ok(map instanceof Map);
    assert.equal(map.size, 2);
    assert.equal(map.get('a'), 1);
    assert.deepEqual([...map], [['a', 1], ['b', 2]]);
    assert.ok(map.has('b'));
  });
  it('knows keys', () => {
    const map = new BiMap().set('x', 10);
    assert.equal(map.keyOf(10), 'x');
    assert.throws(() => map.set('y', 10), { message: 'value 10 is taken' });
    map.delete('x');
    assert.equal(map.keyOf(10), undefined);
  });
  it('inverts', () => {
    assert.deepEqual(Object.fromEntries(new BiMap([['a', 'z']]).inverse), { z: 'a' });
  });
});
`,
    },
  },
  {
    id: 'registry-functional',
    leaning: ['maps, filters and sorts'],
    breaks: [
      [
        'src/fp.mjs',
        `if (!done) { value = fn.apply(this, args); done = true; }`,
        `if (!value) { value = fn(...args); }`,
      ],
    ],
    artifact: {
      'src/fp.mjs': `export const pipe = (...fns) => (input) => fns.reduce((acc, fn) => (acc instanceof Promise ? acc.then(fn) : fn(acc)), input);

export function curry(fn, arity = fn.length) {
  const curried = (...args) => (args.length >= arity ? fn(...args) : Object.assign((...more) => curried(...args, ...more), { remaining: arity - args.length }));
  return curried;
}

class Chain {
  #value;
  constructor(value) { this.#value = value; }
  map(fn) { return new Chain(this.#value.map(fn)); }
  filter(fn) { return new Chain(this.#value.filter(fn)); }
  sortBy(fn) { return new Chain(this.#value.toSorted((a, b) => (fn(a) < fn(b) ? -1 : fn(a) > fn(b) ? 1 : 0))); }
  groupBy(fn) { return new Chain(Object.groupBy(this.#value, fn)); }
  tap(fn) { fn(this.#value); return this; }
  thru(fn) { return new Chain(fn(this.#value)); }
  value() { return this.#value; }
  toJSON() { return this.#value; }
}
export const chain = (value) => new Chain(value);

export class Maybe {
  static of(value) { return value === undefined || value === null ? Nothing : new Just(value); }
  static get nothing() { return Nothing; }
}
class Just extends Maybe {
  constructor(value) { super(); this.value = value; Object.freeze(this); }
  map(fn) { return Maybe.of(fn(this.value)); }
  flatMap(fn) { return fn(this.value); }
  orElse() { return this.value; }
  get isNothing() { return false; }
  toString() { return \`Just(\${this.value})\`; }
}
const Nothing = Object.freeze(new (class extends Maybe {
  map() { return this; }
  flatMap() { return this; }
  orElse(fallback) { return typeof fallback === 'function' ? fallback() : fallback; }
  get isNothing() { return true; }
  toString() { return 'Nothing'; }
})());

export const ok = (value) => Object.freeze({ ok: true, value });
export const err = (error) => Object.freeze({ ok: false, error });
export function attempt(fn, ...args) {
  try {
    const value = fn(...args);
    return value instanceof Promise ? value.then(ok, err) : ok(value);
  } catch (error) {
    return err(error);
  }
}
export const unwrap = (result) => {
  if (result.ok) return result.value;
  throw result.error;
};

export const match = (value) => {
  const cases = [];
  const api = {
    with(pattern, handler) { cases.push([typeof pattern === 'function' ? pattern : (v) => isMatch(v, pattern), handler]); return api; },
    otherwise(handler) {
      for (const [test, run] of cases) if (test(value)) return run(value);
      return handler(value);
    },
    exhaustive() { return api.otherwise((v) => { throw new Error(\`no case for \${JSON.stringify(v)}\`); }); },
  };
  return api;
};
export const isMatch = (value, pattern) =>
  pattern instanceof RegExp ? pattern.test(value)
    : typeof pattern === 'object' && pattern !== null
      ? typeof value === 'object' && value !== null && Object.entries(pattern).every(([k, p]) => isMatch(value[k], p))
      : Object.is(value, pattern);

export function lens(...path) {
  const get = (o) => path.reduce((a, k) => a?.[k], o);
  const set = (o, v, [head, ...tail] = path) => head === undefined ? v : Array.isArray(o) ? o.with(head, set(o[head], v, tail)) : { ...o, [head]: set(o?.[head], v, tail) };
  return { get, set, over: (o, fn) => set(o, fn(get(o))), compose: (other) => lens(...path, ...other.path), path };
}

export function* unfold(seed, fn) {
  for (let step = fn(seed); step; step = fn(step[1])) yield step[0];
}

export const once = (fn) => {
  let done = false;
  let value;
  return function (...args) {
    if (!done) { value = fn.apply(this, args); done = true; }
    return value;
  };
};

export const identity = (x) => x;
export const partition = (items, fn) => items.reduce(([yes, no], x) => (fn(x) ? [[...yes, x], no] : [yes, [...no, x]]), [[], []]);
`,
    },
    tests: {
      'test/fp.test.mjs': `import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import * as fp from '../src/fp.mjs';

const { Maybe, attempt, chain, curry, err, identity, isMatch, lens, match, ok, once, partition, pipe, unfold, unwrap } = fp;

it('pipe', async () => {
  assert.equal(pipe((x) => x + 1, (x) => x * 2)(3), 8);
  assert.equal(await pipe(async (x) => x + 1, (x) => x * 2)(3), 8);
  assert.equal(pipe()(identity), identity);
});

it('curry', () => {
  const add = curry((a, b, c) => a + b + c);
  assert.equal(add(1)(2)(3), 6);
  assert.equal(add(1, 2)(3), 6);
  assert.equal(add(1).remaining, 2);
  assert.equal(typeof add(1, 2), 'function');
});

describe('chain', () => {
  const people = [{ n: 'b', age: 2 }, { n: 'a', age: 1 }, { n: 'c', age: 2 }];
  it('maps, filters and sorts', () => {
    assert.deepEqual(chain(people).filter((p) => p.age > 1).map((p) => p.n).value(), ['b', 'c']);
    assert.deepEqual(chain(people).sortBy((p) => p.n).value()[0], { n: 'a', age: 1 });
    assert.equal(chain(people).sortBy((p) => p.n).value()[0], people[1]);
  });
  it('groups', () => {
    const { 1: one, 2: two } = chain(people).groupBy((p) => p.age).value();
    assert.equal(one.length, 1);
    assert.deepEqual(two.map((p) => p.n), ['b', 'c']);
  });
  it('taps', (t) => {
    const spy = t.mock.fn();
    assert.equal(chain([1, 2]).tap(spy).thru((v) => v.length).value(), 2);
    assert.deepEqual(spy.mock.calls[0].arguments, [[1, 2]]);
    assert.equal(JSON.stringify(chain([1])), '[1]');
  });
});

describe('Maybe', () => {
  it('maps what is there', () => {
    assert.equal(Maybe.of(2).map((x) => x + 1).orElse(0), 3);
    assert.equal(Maybe.of(null).map((x) => x.y).orElse('none'), 'none');
    assert.equal(Maybe.of({ a: undefined }).map((x) => x.a).orElse(() => 'lazy'), 'lazy');
  });
  it('is a monad', () => {
    const half = (n) => (n % 2 ? Maybe.nothing : Maybe.of(n / 2));
    assert.equal(Maybe.of(8).flatMap(half).flatMap(half).value, 2);
    assert.ok(Maybe.of(6).flatMap(half).flatMap(half).isNothing);
    assert.equal(Maybe.of(undefined), Maybe.nothing);
  });
  it('prints', () => {
    assert.equal(String(Maybe.of(1)), 'Just(1)');
    assert.equal(\`\${Maybe.nothing}\`, 'Nothing');
    assert.ok(Maybe.of(1) instanceof Maybe);
    assert.deepEqual(Maybe.of([1]), Maybe.of([1]));
  });
});

describe('results', () => {
  it('attempt', async () => {
    assert.deepEqual(attempt(JSON.parse, '[1]'), ok([1]));
    const failed = attempt(JSON.parse, '{');
    assert.equal(failed.ok, false);
    assert.ok(failed.error instanceof SyntaxError);
    assert.deepEqual(await attempt(async () => 5), { ok: true, value: 5 });
    const boom = new Error('boom');
    assert.equal((await attempt(async () => { throw boom; })).error, boom);
  });
  it('unwrap', () => {
    assert.equal(unwrap(ok(1)), 1);
    assert.throws(() => unwrap(err(new RangeError('r'))), RangeError);
    assert.ok(Object.isFrozen(ok(1)));
  });
});

describe('match', () => {
  const area = (shape) =>
    match(shape)
      .with({ kind: 'circle' }, ({ r }) => 3 * r * r)
      .with({ kind: 'square' }, ({ side }) => side ** 2)
      .with((s) => Array.isArray(s), (s) => s.map(area).reduce((a, b) => a + b))
      .exhaustive();
  it('chooses', () => {
    assert.equal(area({ kind: 'circle', r: 2 }), 12);
    assert.equal(area({ kind: 'square', side: 3 }), 9);
    assert.equal(area([{ kind: 'square', side: 1 }, { kind: 'circle', r: 1 }]), 4);
  });
  it('throws', () => assert.throws(() => area({ kind: 'blob' }), { message: 'no case for {"kind":"blob"}' }));
  it('otherwise', () => assert.equal(match('x1').with(/^\\d/, () => 'number').otherwise((v) => \`other \${v}\`), 'other x1'));
  it('isMatch', () => {
    assert.ok(isMatch({ a: { b: 1, c: 2 } }, { a: { b: 1 } }));
    assert.ok(!isMatch(null, { a: 1 }));
  });
});

it('lens', () => {
  const name = lens('user', 'names', 0);
  const data = Object.freeze({ user: { names: ['ann', 'x'], age: 3 } });
  assert.equal(name.get(data), 'ann');
  assert.deepEqual(name.over(data, (s) => s.toUpperCase()), { user: { names: ['ANN', 'x'], age: 3 } });
  assert.equal(data.user.names[0], 'ann');
  assert.deepEqual(lens('user').compose(lens('age')).set(data, 4).user.age, 4);
  assert.deepEqual(name.path, ['user', 'names', 0]);
});

it('unfold', () => {
  assert.deepEqual([...unfold(1, (n) => n < 50 && [n, n * 3])], [1, 3, 9, 27]);
  const evens = unfold(0, (n) => [n, n + 2]);
  assert.deepEqual([evens.next().value, evens.next().value], [0, 2]);
});

it('once', (t) => {
  const init = t.mock.fn(function () { return { owner: this.name }; });
  const service = { name: 's', init: once(init) };
  const first = service.init();
  assert.equal(service.init(), first);
  assert.deepEqual(first, { owner: 's' });
  assert.equal(init.mock.callCount(), 1);
  assert.equal(init.mock.calls[0].this, service);
});

it('partition', () => {
  const [even, odd] = partition([1, 2, 3, 4], (n) => n % 2 === 0);
  assert.deepEqual({ even, odd }, { even: [2, 4], odd: [1, 3] });
});

it('exports what it says', () => {
  assert.deepEqual(Object.keys(fp).filter((k) => k.startsWith('u')), ['unfold', 'unwrap']);
});
`,
    },
  },
];
