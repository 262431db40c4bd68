import type { FidelityCase } from './fidelity-case.ts';

const head = `import test, { beforeEach, describe, it } from 'node:test';
import assert from 'node:assert/strict';
import loose from 'node:assert';
`;

/** Modules whose objects are read as numbers and texts, with ordinary tests. */
export const fidelityJavascriptConversions: readonly FidelityCase[] = [
  {
    id: 'amounts-of-money',
    artifact: `
export class Money {
  constructor(amount, currency = 'EUR') { this.amount = amount; this.currency = currency; }
  plus(other) { return new Money(this.amount + other.amount, this.currency); }
  times(n) { return new Money(this.amount * n, this.currency); }
  valueOf() { return this.amount; }
  toString() { return this.amount.toFixed(2) + ' ' + this.currency; }
}
export class Wallet {
  constructor() { this.coins = []; }
  put(...coins) { this.coins.push(...coins); return this; }
  valueOf() { return this.coins.reduce((sum, coin) => sum + coin.amount, 0); }
}
export const parse = (text) => new Money(Number.parseFloat(text), text.split(' ')[1]);
export const rate = (from, to) => to.amount / from.amount;
`,
    breaks: ['this.amount + other.amount', 'this.amount + other.amount + 1'],
    tests: `${head}
import { Money, Wallet, parse, rate } from 'solution';
test('orders', () => { assert.ok(new Money(1) < new Money(2)); assert.ok(!(new Money(2) <= new Money(1))); });
test('is a number', () => { assert.equal(Number(new Money(5)), 5); assert.equal(+new Money(2.5), 2.5); });
test('is compared with numbers', () => { assert.ok(new Money(5) > 4 && new Money(5) >= 5); assert.ok(new Money(5) == 5); });
test('is compared loosely', () => { loose.equal(new Money(5), 5); loose.notEqual(new Money(5), 6); });
test('adds up', () => { assert.equal([new Money(1), new Money(2), new Money(3)].reduce((sum, each) => sum + each, 0), 6); });
test('subtracts', () => { assert.equal(new Money(5) - new Money(3), 2); assert.equal(new Money(3) * 2, 6); });
test('sorts', () => {
  const all = [new Money(3), new Money(1), new Money(2)].sort((a, b) => a - b);
  assert.deepEqual(all.map(({ amount }) => amount), [1, 2, 3]);
});
test('has a largest', () => { assert.equal(Math.max(new Money(3), new Money(7), new Money(2)), 7); });
test('is a text', () => { assert.equal(\`\${new Money(5)}\`, '5.00 EUR'); assert.equal(String(new Money(1, 'USD')), '1.00 USD'); });
test('joins', () => { assert.equal([new Money(1), new Money(2)].join(', '), '1.00 EUR, 2.00 EUR'); });
test('answers convert', () => {
  const sum = new Money(2).plus(new Money(3));
  assert.ok(sum instanceof Money);
  assert.equal(+sum, 5);
  assert.equal(\`\${sum}\`, '5.00 EUR');
});
test('answers are larger than what they are made of', () => {
  const five = new Money(5);
  const ten = five.times(2);
  assert.deepEqual(ten, new Money(10));
  assert.ok(ten > five);
});
test('answers meet objects of the test', () => {
  assert.ok(new Money(2).plus(new Money(3)) < new Money(6));
  assert.ok(new Money(2).plus(new Money(3)) > new Money(4));
  assert.equal(new Money(2).plus(new Money(3)) - new Money(5), 0);
});
test('texts of answers', () => { const found = parse('3 USD'); assert.ok(found instanceof Money); assert.equal(\`\${found}\`, '3.00 USD'); });
test('numbers of answers', () => { const found = parse('3 USD'); assert.ok(found instanceof Money); assert.ok(found > 2); });
test('plain answers', () => { assert.ok(rate(new Money(2), new Money(1)) < 1); });
test('grows', () => {
  const wallet = new Wallet();
  assert.equal(+wallet, 0);
  wallet.put(new Money(2), new Money(3));
  assert.equal(+wallet, 5);
  assert.ok(wallet > 4);
});
`,
  },
  {
    id: 'durations-and-temperatures',
    artifact: `
export class Duration {
  #ms;
  constructor({ hours = 0, minutes = 0, seconds = 0 } = {}) { this.#ms = ((hours * 60 + minutes) * 60 + seconds) * 1000; }
  get minutes() { return this.#ms / 60000; }
  plus(other) { return new Duration({ seconds: (this.#ms + other.#ms) / 1000 }); }
  valueOf() { return this.#ms; }
  toString() { return 'PT' + this.#ms / 1000 + 'S'; }
}
export class Temperature {
  constructor(degrees, unit = 'C') {
    if (!'CF'.includes(unit)) throw new RangeError('unit ' + unit);
    this.degrees = degrees;
    this.unit = unit;
  }
  warm(by) { this.degrees += by; return this; }
  [Symbol.toPrimitive](hint) {
    if (hint === 'string') return this.degrees + '°' + this.unit;
    return this.unit === 'C' ? this.degrees : ((this.degrees - 32) * 5) / 9;
  }
}
export class Big { constructor(digits) { this.digits = digits; } valueOf() { return BigInt(this.digits); } }
export class Broken { valueOf() { return {}; } toString() { return []; } }
`,
    breaks: ['this.degrees += by', 'this.degrees += 2 * by'],
    tests: `${head}
import { Big, Broken, Duration, Temperature } from 'solution';
describe('duration', () => {
  let hour;
  beforeEach(() => { hour = new Duration({ hours: 1 }); });
  it('is its milliseconds', () => { assert.equal(Number(hour), 3_600_000); assert.equal(hour / 1000, 3600); });
  it('orders', () => {
    assert.ok(hour > new Duration({ minutes: 59 }));
    assert.ok(new Duration({ minutes: 90 }) > hour);
    assert.ok(hour >= new Duration({ minutes: 60 }));
  });
  it('is a text', () => { assert.equal('for ' + String(hour), 'for PT3600S'); });
  it('lasts until', () => { assert.equal(new Date(1000 + +hour).getTime(), 3_601_000); });
  it('adds', () => {
    const sum = hour.plus(hour);
    assert.equal(sum.minutes, 120);
    assert.equal(+sum, 7_200_000);
    assert.ok(sum > hour);
  });
  it('sums', () => { assert.equal([hour, hour].reduce((ms, each) => ms + Number(each), 0), 7_200_000); });
});
describe('temperature', () => {
  it('is a number in Celsius', () => { assert.equal(+new Temperature(212, 'F'), 100); });
  it('is a text with its unit', () => { assert.equal(\`\${new Temperature(20)}\`, '20°C'); });
  it('compares over units', () => { assert.ok(new Temperature(100, 'F') < new Temperature(100)); });
  it('adds to numbers', () => { assert.equal(new Temperature(20) + 1, 21); });
  it('is warmed', () => {
    const room = new Temperature(20);
    assert.equal(+room, 20);
    assert.equal(+room.warm(5), 25);
    assert.equal(+room, 25);
  });
  it('has a unit', () => { assert.throws(() => new Temperature(1, 'X'), RangeError); });
});
test('large numbers', () => {
  assert.equal(new Big('12345678901234567890') * 2n, 24691357802469135780n);
  assert.ok(new Big('2') < new Big('10'));
});
test('no number at all', () => { assert.throws(() => +new Broken(), TypeError); });
`,
  },
  {
    id: 'versions-and-paths',
    artifact: `
export class Version {
  constructor(text) {
    const found = /^v?(\\d+)\\.(\\d+)\\.(\\d+)$/.exec(text);
    if (found === null) throw new TypeError('no version: ' + text);
    [this.major, this.minor, this.patch] = found.slice(1).map(Number);
  }
  bump() { return new Version([this.major, this.minor, this.patch + 1].join('.')); }
  valueOf() { return this.major * 1e6 + this.minor * 1e3 + this.patch; }
  toString() { return [this.major, this.minor, this.patch].join('.'); }
}
export class Path {
  constructor(...parts) { this.parts = parts; }
  join(part) { return new Path(...this.parts, part); }
  toString() { return '/' + this.parts.join('/'); }
}
export class Tag { constructor(name) { this.name = name; } toString() { return '#' + this.name; } }
export const latest = (versions) => versions.reduce((best, each) => (each > best ? each : best));
export const tagged = (name) => new Tag(name);
`,
    breaks: ['this.patch + 1', 'this.patch + 2'],
    tests: `${head}
import { Path, Tag, Version, latest, tagged } from 'solution';
test('versions order', () => {
  for (const [low, high] of [['1.2.3', '1.2.4'], ['1.9.9', '1.10.0'], ['v1.99.99', '2.0.0']])
    assert.ok(new Version(low) < new Version(high), low + ' < ' + high);
});
test('versions sort', () => {
  const all = ['1.10.0', '1.2.0', '0.1.0'].map((text) => new Version(text)).sort((a, b) => a - b);
  assert.deepEqual(all.map(String), ['0.1.0', '1.2.0', '1.10.0']);
});
test('a version is a text', () => { assert.equal(\`\${new Version('v1.2.3')}\`, '1.2.3'); });
test('bumps', () => {
  const one = new Version('1.2.3');
  const next = one.bump();
  assert.equal(next.patch, 4);
  assert.ok(next > one);
  assert.equal(next - one, 1);
  assert.equal(String(next), '1.2.4');
});
test('the latest', () => {
  const found = latest([new Version('1.2.3'), new Version('2.0.0'), new Version('1.9.0')]);
  assert.ok(found instanceof Version);
  assert.equal(\`v\${found}\`, 'v2.0.0');
  assert.ok(found >= 2_000_000);
});
test('paths are texts', () => {
  assert.equal('in ' + new Path('a', 'b'), 'in /a/b');
  assert.ok(new Path('a') < new Path('b'));
});
test('joined paths', () => {
  const path = new Path('a').join('b');
  assert.deepEqual(path.parts, ['a', 'b']);
  assert.equal(String(path), '/a/b');
});
test('paths as keys', () => {
  const sizes = { '/a': 1 };
  assert.equal(sizes[new Path('a')], 1);
});
test('tags', () => {
  const found = tagged('x');
  assert.deepEqual(found, new Tag('x'));
  assert.equal([found, new Tag('y')].map((each) => each.name).join(), 'x,y');
  assert.equal(\`\${found}\`, '#x');
});
`,
  },
  {
    id: 'fractions-and-cards',
    artifact: `
const gcd = (a, b) => (b === 0 ? Math.abs(a) : gcd(b, a % b));
export class Fraction {
  constructor(n, d = 1) { const g = gcd(n, d); this.n = n / g; this.d = d / g; }
  add(o) { return new Fraction(this.n * o.d + o.n * this.d, this.d * o.d); }
  valueOf() { return this.n / this.d; }
  toString() { return this.d === 1 ? String(this.n) : this.n + '/' + this.d; }
}
const ranks = '23456789TJQKA';
export class Card {
  constructor(text) { this.text = text; }
  get rank() { return ranks.indexOf(this.text[0]); }
  valueOf() { return this.rank; }
  toString() { return this.text; }
}
export const best = (cards) => cards.toSorted((a, b) => b - a)[0];
export const deal = (text) => text.split(' ').map((each) => new Card(each));
`,
    breaks: ['this.n * o.d + o.n * this.d', 'this.n + o.n'],
    tests: `${head}
import { Card, Fraction, best, deal } from 'solution';
test('fractions are numbers', () => { assert.equal(+new Fraction(3, 4), 0.75); assert.ok(new Fraction(1, 3) < 0.34); });
test('fractions order', () => { assert.ok(new Fraction(1, 3) < new Fraction(1, 2)); assert.ok(new Fraction(2, 4) <= new Fraction(1, 2)); });
test('fractions as texts', () => { assert.equal(\`\${new Fraction(2, 4)}\`, '1/2'); assert.equal(\`\${new Fraction(4, 2)}\`, '2'); });
test('adds fractions', () => {
  const sum = new Fraction(1, 2).add(new Fraction(1, 4));
  assert.deepEqual([sum.n, sum.d], [3, 4]);
  assert.equal(\`\${sum}\`, '3/4');
  assert.equal(Number(sum), 0.75);
});
test('within a tolerance', () => { assert.ok(Math.abs(new Fraction(1, 3) - 0.333) < 0.001); });
test('cards order', () => { assert.ok(new Card('As') > new Card('Kh')); assert.ok(new Card('2c') < new Card('Td')); });
test('cards sort', () => {
  const hand = [new Card('As'), new Card('2c'), new Card('Td')].sort((a, b) => a - b);
  assert.equal(hand.join(' '), '2c Td As');
});
test('the best card', () => { const found = best([new Card('2c'), new Card('As')]); assert.equal(found.text, 'As'); assert.equal(+found, 12); });
test('dealt cards', () => {
  const hand = deal('2c As');
  assert.equal(hand.length, 2);
  assert.ok(hand[1] instanceof Card);
  assert.ok(hand[0] < hand[1]);
  assert.equal(hand.map(String).join(), '2c,As');
});
`,
  },
  {
    id: 'conversions-that-need-a-reference',
    needsReference: true,
    artifact: `
export class Minutes {
  constructor(hours, minutes = 0) { this.hours = hours; this.minutes = minutes; }
  later(minutes) { return new Minutes(this.hours, this.minutes + minutes); }
  wait(minutes) { this.minutes += minutes; }
  valueOf() { return this.hours * 60 + this.minutes; }
  toString() { return this.hours + ':' + String(this.minutes).padStart(2, '0'); }
}
`,
    breaks: ['this.minutes + minutes);', 'this.minutes + minutes + 1);'],
    tests: `${head}
import { Minutes } from 'solution';
test('an answer with an object of the test', () => {
  const found = new Minutes(1, 30).later(15);
  assert.ok(found instanceof Minutes);
  assert.equal(+found, +new Minutes(1, 45));
});
test('an object that was changed with one that was not', () => {
  const time = new Minutes(1);
  time.wait(5);
  assert.ok(time < new Minutes(1, 6));
});
test('texts of both', () => {
  const found = new Minutes(1).later(5);
  assert.ok(found instanceof Minutes);
  assert.equal(\`\${found}\`, \`\${new Minutes(1, 5)}\`);
});
test('numbers of both, apart', () => { assert.equal(+new Minutes(2), 120); assert.equal(+new Minutes(2).later(1), 121); });
`,
  },
];
