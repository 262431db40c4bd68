import type { FidelityCase } from './fidelity-case.ts';

/** Small modules of JavaScript with tests of node:test, in the styles of well-known packages. */
export const fidelityJavascriptProjects: readonly FidelityCase[] = [
  {
    id: 'milliseconds',
    artifact: `
const units = { ms: 1, s: 1000, m: 60000, h: 3600000, d: 86400000, w: 604800000, y: 31557600000 };
const long = { ms: 'millisecond', s: 'second', m: 'minute', h: 'hour', d: 'day' };
export default function ms(value, options = {}) {
  if (typeof value === 'string') return parse(value);
  if (typeof value === 'number') return format(value, options);
  throw new TypeError('Value provided to ms() must be a string or number. value=' + JSON.stringify(value));
}
export function parse(text) {
  if (typeof text !== 'string' || text.length === 0 || text.length > 100)
    throw new Error('Value provided to ms.parse() must be a string with length between 1 and 99.');
  const found = /^(-?\\d*\\.?\\d+) *(milliseconds?|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w|years?|yrs?|y)?$/i.exec(text);
  if (!found) return NaN;
  const unit = (found[2] ?? 'ms').toLowerCase();
  const key = /^(ms|msec|milli)/.test(unit) ? 'ms' : unit[0];
  return Number.parseFloat(found[1]) * units[key];
}
export function format(value, { long: isLong = false } = {}) {
  if (!Number.isFinite(value)) throw new Error('Value provided to ms.format() must be of type number.');
  const abs = Math.abs(value);
  const key = abs >= units.d ? 'd' : abs >= units.h ? 'h' : abs >= units.m ? 'm' : abs >= units.s ? 's' : 'ms';
  const count = Math.round(value / units[key]);
  return isLong ? count + ' ' + long[key] + (abs >= units[key] * 1.5 ? 's' : '') : count + key;
}
`,
    breaks: ['Math.round(value / units[key])', 'Math.floor(value / units[key])'],
    tests: `
import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import ms, { format, parse } from 'solution';

describe('ms(string)', () => {
  it('should not throw an error', () => { assert.doesNotThrow(() => ms('1m')); });
  it('should preserve ms', () => { assert.equal(ms('100'), 100); });
  for (const [text, value] of [['1m', 60000], ['1h', 3600000], ['2d', 172800000], ['3w', 1814400000], ['1s', 1000], ['100ms', 100], ['1.5h', 5400000], ['1   s', 1000]])
    it('should convert ' + text, () => { assert.equal(ms(text), value); });
  it('should return NaN if invalid', () => {
    assert.ok(Number.isNaN(ms('☃')));
    assert.ok(Number.isNaN(ms('10-.5')));
  });
  it('should be case-insensitive', () => { assert.equal(ms('1.5H'), 5400000); });
  it('should work with numbers starting with .', () => { assert.equal(ms('.5ms'), 0.5); });
  it('should work with negative integers', () => { assert.equal(ms('-100ms'), -100); });
});
describe('ms(number, { long: true })', () => {
  it('should support milliseconds', () => {
    assert.equal(ms(500, { long: true }), '500 milliseconds'.replace('s', 's'));
    assert.equal(ms(1, { long: true }), '1 millisecond');
  });
  it('should round', () => { assert.equal(ms(234234234, { long: true }), '3 days'); });
});
describe('ms(number)', () => {
  it('should support seconds', () => { assert.equal(ms(1000), '1s'); assert.equal(ms(10000), '10s'); });
  it('should support minus', () => { assert.equal(ms(-60000), '-1m'); });
});
describe('invalid inputs', () => {
  for (const value of [undefined, null, [], {}])
    it('should throw for ' + JSON.stringify(value), () => { assert.throws(() => ms(value), TypeError); });
  it('should throw an error, when parse() gets none', () => {
    assert.throws(() => parse(''), { name: 'Error', message: /length between 1 and 99/ });
    assert.throws(() => format(Infinity), /type number/);
  });
});
`,
  },
  {
    id: 'version-class',
    artifact: `
const pattern = /^v?(\\d+)\\.(\\d+)\\.(\\d+)(?:-([\\w.-]+))?$/;
export class SemVer {
  #core;
  constructor(text) {
    if (text instanceof SemVer) return text;
    const found = pattern.exec(String(text).trim());
    if (found === null) throw new TypeError('Invalid Version: ' + text);
    this.#core = found.slice(1, 4).map(Number);
    [this.major, this.minor, this.patch] = this.#core;
    this.prerelease = (found[4] ?? '').split('.').filter(Boolean).map((part) => (/^\\d+$/.test(part) ? Number(part) : part));
    this.format();
  }
  format() {
    this.version = [this.major, this.minor, this.patch].join('.') + (this.prerelease.length ? '-' + this.prerelease.join('.') : '');
    return this.version;
  }
  toString() { return this.version; }
  toJSON() { return this.version; }
  valueOf() { return this.major * 1e6 + this.minor * 1e3 + this.patch; }
  compare(other) {
    const that = new SemVer(other);
    for (const key of ['major', 'minor', 'patch']) if (this[key] !== that[key]) return this[key] < that[key] ? -1 : 1;
    if (this.prerelease.length === 0 || that.prerelease.length === 0) return Math.sign(that.prerelease.length - this.prerelease.length) || 0;
    for (let i = 0; ; i += 1) {
      const [a, b] = [this.prerelease[i], that.prerelease[i]];
      if (a === undefined && b === undefined) return 0;
      if (b === undefined) return 1;
      if (a === undefined) return -1;
      if (a !== b) return typeof a === 'number' && typeof b === 'string' ? -1 : typeof a === 'string' && typeof b === 'number' ? 1 : a < b ? -1 : 1;
    }
  }
  inc(part) {
    if (part === 'major') Object.assign(this, { major: this.major + 1, minor: 0, patch: 0 });
    else if (part === 'minor') Object.assign(this, { minor: this.minor + 1, patch: 0 });
    else if (part === 'patch') this.patch += this.prerelease.length ? 0 : 1;
    else throw new Error('invalid increment argument: ' + part);
    this.prerelease = [];
    this.format();
    return this;
  }
}
export const parse = (text) => { try { return new SemVer(text); } catch { return null; } };
export const compare = (a, b) => new SemVer(a).compare(b);
export const gt = (a, b) => compare(a, b) > 0;
export const sort = (list) => list.sort(compare);
export const valid = (text) => parse(text)?.version ?? null;
export default { SemVer, parse, compare, gt, sort, valid };
`,
    breaks: ['minor: this.minor + 1, patch: 0', 'minor: this.minor + 1'],
    tests: `
import test, { describe } from 'node:test';
import assert from 'node:assert/strict';
import semver, { SemVer, compare, gt, parse, sort, valid } from 'solution';

const comparisons = [['0.0.0', '0.0.0-foo'], ['0.0.1', '0.0.0'], ['1.0.0', '0.9.9'], ['1.2.3', '1.2.3-asdf'], ['1.2.3-5-foo', '1.2.3-5'], ['1.2.3-a.10', '1.2.3-a.5'], ['1.2.3-a.b', '1.2.3-a'], ['3.0.0', '2.7.2+'.slice(0, 5)]];

test('comparisons', () => {
  for (const [v0, v1] of comparisons) {
    const s0 = new SemVer(v0);
    const s1 = new SemVer(v1);
    assert.equal(s0.compare(s1), 1, v0 + ' ' + v1);
    assert.equal(s0.compare(v1), 1);
    assert.equal(s1.compare(s0), -1);
    assert.equal(s0.compare(s0), 0);
  }
});
test('equality', () => {
  assert.equal(new SemVer('v1.2.3').compare('1.2.3'), 0);
  assert.deepEqual(new SemVer('1.2.3').prerelease, []);
  assert.deepEqual(new SemVer('1.2.3-a.1').prerelease, ['a', 1]);
});
test('toString equals parsed version', () => {
  assert.equal(String(new SemVer('v1.2.3')), '1.2.3');
  assert.equal(JSON.stringify({ v: new SemVer('1.0.0-rc.1') }), '{"v":"1.0.0-rc.1"}');
  assert.equal(\`\${new SemVer('1.2.3')}\`, '1.2.3');
});
test('throws when presented with garbage', () => {
  for (const bad of ['', 'hello', '1.2', null])
    assert.throws(() => new SemVer(bad), { name: 'TypeError', message: 'Invalid Version: ' + bad });
});
test('return SemVer arg to ctor if options match', () => {
  const s = new SemVer('1.2.3');
  assert.equal(new SemVer(s), s);
  assert.ok(s instanceof SemVer);
});
describe('increments', () => {
  for (const [text, part, want] of [['1.2.3', 'major', '2.0.0'], ['1.2.3', 'minor', '1.3.0'], ['1.2.3', 'patch', '1.2.4'], ['1.2.3-a', 'patch', '1.2.3']])
    test(text + ' ' + part, () => {
      const s = new SemVer(text);
      assert.equal(s.inc(part), s);
      assert.equal(s.version, want);
    });
  test('fake', () => assert.throws(() => new SemVer('1.2.3').inc('fake'), /invalid increment argument: fake/));
});
test('functions', () => {
  assert.equal(parse('nope'), null);
  assert.equal(parse('1.2.3').minor, 2);
  assert.equal(valid('v1.0.0'), '1.0.0');
  assert.ok(gt('1.10.0', '1.9.0'));
  assert.equal(compare('1.0.0', '1.0.0'), 0);
  assert.deepEqual(sort(['1.10.0', '1.2.0', '1.0.0']), ['1.0.0', '1.2.0', '1.10.0']);
  assert.deepEqual(['2.0.0', '1.0.0'].sort(semver.compare), ['1.0.0', '2.0.0']);
});
test('operators', () => {
  assert.ok(new SemVer('1.2.3') < new SemVer('1.3.0'));
  assert.ok(new SemVer('2.0.0') > new SemVer('1.99.99'));
  assert.equal(new SemVer('0.1.2') - new SemVer('0.1.1'), 1);
});
`,
  },
  {
    id: 'limits-and-emitters',
    artifact: `
export default function pLimit(concurrency) {
  if (!(Number.isInteger(concurrency) && concurrency > 0)) throw new TypeError('Expected \`concurrency\` to be a number from 1 and up');
  const queue = [];
  let active = 0;
  const next = () => {
    active -= 1;
    if (queue.length > 0) queue.shift()();
  };
  const generator = (fn, ...args) => new Promise((resolve, reject) => {
    const run = async () => {
      active += 1;
      try { resolve(await fn(...args)); } catch (error) { reject(error); }
      next();
    };
    if (active < concurrency) run(); else queue.push(run);
  });
  Object.defineProperties(generator, {
    activeCount: { get: () => active },
    pendingCount: { get: () => queue.length },
    clearQueue: { value: () => { queue.length = 0; } },
  });
  return generator;
}
export function mitt(all = new Map()) {
  return {
    all,
    on(type, handler) { all.has(type) ? all.get(type).push(handler) : all.set(type, [handler]); },
    off(type, handler) {
      const handlers = all.get(type);
      if (handlers === undefined) return;
      if (handler) handlers.splice(handlers.indexOf(handler) >>> 0, 1); else all.set(type, []);
    },
    emit(type, event) {
      (all.get(type) ?? []).slice().forEach((handler) => handler(event));
      (all.get('*') ?? []).slice().forEach((handler) => handler(type, event));
    },
  };
}
export const alphabet = 'ModuleSymbhasOwnPr-0123456789ABCDEFGHNRVfgctiUvz_KqYTJkLxpZXIjQW';
export const customRandom = (letters, size, random) => (length = size) => {
  let id = '';
  while (id.length < length) for (const byte of random(length)) if (id.length < length) id += letters[byte % letters.length];
  return id;
};
export const nanoid = customRandom(alphabet, 21, (n) => Uint8Array.from({ length: n }, () => Math.floor(Math.random() * 256)));
export class Deferred {
  constructor() { this.promise = new Promise((resolve, reject) => Object.assign(this, { resolve, reject })); }
}
export async function* paginate(fetchPage) {
  for (let page = 1; page !== null; ) {
    const { items, next } = await fetchPage(page);
    yield* items;
    page = next;
  }
}
export const retry = async (fn, { retries = 3, onFailedAttempt = () => {} } = {}) => {
  for (let attempt = 1; ; attempt += 1)
    try { return await fn(attempt); } catch (error) {
      if (attempt > retries) throw Object.assign(error, { attemptNumber: attempt });
      await onFailedAttempt(error);
    }
};
`,
    breaks: ['queue.shift()()', 'queue.pop()()'],
    tests: `
import test, { beforeEach, describe, it, mock } from 'node:test';
import assert from 'node:assert/strict';
import pLimit, { Deferred, alphabet, customRandom, mitt, nanoid, paginate, retry } from 'solution';

const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

test('concurrency: 1', async () => {
  const limit = pLimit(1);
  const order = [];
  const input = [[10, 30], [20, 20], [30, 1]];
  const mapper = ([value, ms]) => limit(async () => { await delay(ms); order.push(value); return value; });
  assert.deepEqual(await Promise.all(input.map(mapper)), [10, 20, 30]);
  assert.deepEqual(order, [10, 20, 30]);
});
test('concurrency: 2', async () => {
  const limit = pLimit(2);
  let running = 0;
  let most = 0;
  await Promise.all(Array.from({ length: 6 }, () => limit(async () => { running += 1; most = Math.max(most, running); await delay(2); running -= 1; })));
  assert.equal(most, 2);
});
test('non-promise returning function', async () => { await assert.doesNotReject(pLimit(1)(() => null)); });
test('continues after sync throw', async () => {
  const limit = pLimit(1);
  let ran = false;
  await Promise.allSettled([limit(() => { throw new Error('err'); }), limit(() => { ran = true; })]);
  assert.equal(ran, true);
});
test('accepts additional arguments', async () => {
  const symbol = { a: 1 };
  await pLimit(1)((a) => assert.deepEqual(a, symbol), symbol);
});
test('rejects with the error of the task', async () => {
  await assert.rejects(pLimit(1)(async () => { throw new RangeError('boom'); }), { name: 'RangeError', message: 'boom' });
});
test('throws on invalid concurrency argument', () => {
  for (const bad of [0, -1, 1.2, undefined, 'x']) assert.throws(() => pLimit(bad), TypeError);
});

describe('mitt', () => {
  let events;
  let emitter;
  beforeEach(() => {
    events = new Map();
    emitter = mitt(events);
  });
  it('should register handler for new type', () => {
    const foo = () => {};
    emitter.on('foo', foo);
    assert.deepEqual(emitter.all.get('foo'), [foo]);
  });
  it('should invoke handlers', () => {
    const handler = mock.fn();
    emitter.on('foo', handler);
    emitter.emit('foo', { a: 'b' });
    assert.equal(handler.mock.callCount(), 1);
    assert.deepEqual(handler.mock.calls[0].arguments, [{ a: 'b' }]);
  });
  it('should invoke * handlers', () => {
    const seen = [];
    emitter.on('*', (type, event) => seen.push([type, event]));
    emitter.emit('a', 1);
    emitter.emit('b', 2);
    assert.deepEqual(seen, [['a', 1], ['b', 2]]);
  });
  it('off removes only the first of two', () => {
    const foo = mock.fn();
    emitter.on('foo', foo);
    emitter.on('foo', foo);
    emitter.off('foo', foo);
    emitter.emit('foo');
    assert.equal(foo.mock.callCount(), 1);
  });
  it('off without a handler removes all', () => {
    const foo = mock.fn();
    emitter.on('foo', foo);
    emitter.off('foo');
    emitter.emit('foo');
    assert.equal(foo.mock.callCount(), 0);
  });
});

describe('nanoid', () => {
  it('generates URL-friendly IDs', () => {
    for (let i = 0; i < 20; i += 1) {
      const id = nanoid();
      assert.equal(id.length, 21);
      for (const char of id) assert.match(alphabet, new RegExp(char, 'g'));
    }
  });
  it('changes ID length', () => { assert.equal(nanoid(10).length, 10); });
  it('has no collisions', () => {
    const used = new Set(Array.from({ length: 50 }, () => nanoid()));
    assert.equal(used.size, 50);
  });
  it('supports generator', () => {
    const sequence = [2, 255, 3, 7, 7, 7, 7, 7, 0, 1];
    const random = (size) => { const bytes = []; for (let i = 0; i < size; i += 1) bytes.push(sequence[i % sequence.length]); return bytes; };
    assert.equal(customRandom('abcde', 4, random)(), 'cadc');
  });
});

describe('asynchronous helpers', () => {
  it('settles from outside', async () => {
    const d = new Deferred();
    setTimeout(() => d.resolve(5), 1);
    assert.equal(await d.promise, 5);
  });
  it('walks pages', async () => {
    const pages = { 1: { items: [1, 2], next: 2 }, 2: { items: [3], next: null } };
    const seen = [];
    for await (const item of paginate(async (page) => pages[page])) seen.push(item);
    assert.deepEqual(seen, [1, 2, 3]);
  });
  it('retries', async () => {
    const failed = mock.fn();
    const fn = mock.fn(async (attempt) => { if (attempt < 3) throw new Error('no'); return attempt; });
    assert.equal(await retry(fn, { onFailedAttempt: failed }), 3);
    assert.equal(failed.mock.callCount(), 2);
    await assert.rejects(retry(() => { throw new Error('never'); }, { retries: 1 }), (error) => error.attemptNumber === 2 && error.message === 'never');
  });
});
`,
  },
];
