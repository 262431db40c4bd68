/**
 * A program, tests that say by how Node runs them that it is right, and wrong programs: what stands in the place of a part, and the tests that fail,
 * `*` for all. Each was seen in one process first, with `node --test` of Node 24.
 */
export interface SuiteRunCase {
  readonly id: string;
  readonly artifact: string;
  readonly tests: string;
  readonly wrong: readonly (readonly [right: string, wrong: string, failing: readonly string[] | '*'])[];
}

const begin = `
import assert from 'node:assert/strict';
import test, { after, afterEach, before, beforeEach, describe, it, mock } from 'node:test';
import * as s from 'solution';
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
`;

export const suiteRunCases: readonly SuiteRunCase[] = [
  {
    id: 'a done that is called twice',
    artifact: `
export const read = (key, done) => { setImmediate(() => { done(null, 'v-' + key); }); };
export const readNow = (key, done) => { done(null, key); };
export const connect = (done) => { setImmediate(() => { done(); }); };
export const createBus = () => { const all = new Map(); return { once(key, run) { all.set(key, run); }, emit(key) { const run = all.get(key); all.delete(key); run?.(); } }; };
export const harmless = () => 1;
`,
    tests: `${begin}
test('harmless', () => { assert.equal(s.harmless(), 1); });
test('tells once', (t, done) => { const bus = s.createBus(); bus.once('x', () => done()); bus.emit('x'); bus.emit('x'); });
test('is caught', (t, done) => { done(); try { done(); } catch { t.diagnostic('as in Node'); } });
test('reads', (t, done) => { s.read('k', (error, value) => { assert.equal(value, 'v-k'); done(error); }); });
describe('db', () => { before((t, done) => { s.connect(done); }); it('is connected', () => { assert.equal(s.harmless(), 1); }); });
test('reads now', (t, done) => { s.readNow('k', done); });
`,
    wrong: [
      ['all.delete(key);', '', ['tells once']],
      ["done(null, 'v-' + key);", "done(null, 'v-' + key); done(null, 'v-' + key);", ['reads']],
      ["done(null, 'v-' + key);", "done(null, 'v-' + key); done(new Error('after all'));", ['reads']],
      ['done(); }', 'done(); done(); }', ['is connected']],
      ['done(null, key);', 'done(null, key); setTimeout(() => done(null, key), 1);', ['reads now']],
    ],
  },
  {
    id: 'hooks',
    artifact: `
let on = false;
export const connect = async () => { on = true; };
export const query = (n) => { if (!on) throw new Error('off'); return n; };
export const open = () => {};
export const close = async () => {};
export const start = () => {};
export const warm = async () => {};
export const read = (x) => x;
`,
    tests: `${begin}
before(() => s.start());
describe('db', () => { before(async () => { await s.connect(); }); it('one', () => assert.equal(s.query(1), 1)); it('two', () => assert.equal(s.query(2), 2)); });
describe('file', () => {
  const seen = [];
  beforeEach((t) => { seen.push(t.name); s.open(); });
  it('reads', async (t) => { t.afterEach((inner) => seen.push('after ' + inner.name)); assert.equal(s.read('a'), 'a'); await t.test('again', () => assert.equal(s.read('b'), 'b')); assert.deepEqual(seen, ['reads', 'again', 'after again']); });
});
describe('warm', () => { before(() => s.warm(), { timeout: 4000 }); it('is warm', () => assert.equal(s.read(1), 1)); });
describe('closed', () => { afterEach(async () => { await s.close(); }, { timeout: 4000 }); it('opens', () => assert.equal(s.read(1), 1)); });
`,
    wrong: [
      ['{ on = true; }', "{ if (on) return; on = true; throw new Error('not yet'); }", ['one', 'two']],
      ['start = () => {}', "start = () => { if (!on) { on = true; throw new Error('not yet'); } }", '*'],
      ['open = () => {}', "open = () => { if (on === 1) throw new Error('open'); on = 1; }", ['reads']],
      [
        'warm = async () => {}',
        'warm = () => new Promise((resolve) => setTimeout(resolve, 6000))',
        ['is warm'],
      ],
      [
        'close = async () => {}',
        'close = () => new Promise((resolve) => setTimeout(resolve, 6000))',
        ['opens'],
      ],
    ],
  },
  {
    id: 'limits of groups and tests',
    artifact: `
export const work = async (n) => n;
export const slow = (n) => new Promise((resolve) => setTimeout(resolve, 10, n));
`,
    tests: `${begin}
describe('fast', { timeout: 4000 }, () => { before(() => later(5000)); for (const n of [1, 2, 3]) it('n' + n, async () => assert.equal(await s.work(n), n)); });
test('stops by a signal', async (t) => { await t.test('in time', { signal: AbortSignal.timeout(4000) }, async () => { assert.equal(await s.slow(3), 3); }); });
test('parent', { timeout: 4000 }, async (t) => { for (const n of [1, 2, 3]) await t.test('of ' + n, async () => { await s.slow(n); }); });
const ends = new AbortController();
describe('until it ends', { signal: ends.signal }, () => { it('ends', async () => { const end = setTimeout(() => ends.abort(), 4000); assert.equal(await s.slow(3), 3); clearTimeout(end); }); });
`,
    wrong: [
      [
        'work = async (n) => n',
        'work = (n) => new Promise((resolve) => setTimeout(resolve, 2600, n))',
        ['n2', 'n3'],
      ],
      ['resolve, 10, n', 'resolve, 6000, n', ['stops by a signal', 'parent', 'ends']],
    ],
  },
  {
    id: 'tests that run at the same time',
    artifact: `
export const total = async (run) => { let sum = 0; await run((n) => { sum += n; }); return sum; };
export const counter = () => { let n = 0; return { next: () => ++n, value: () => n, pause: () => new Promise((resolve) => setTimeout(resolve, 5)) }; };
`,
    tests: `${begin}
describe('at once', { concurrency: true }, () => {
  for (const n of [1, 2]) it('sum ' + n, async () => { assert.equal(await s.total(async (add) => { add(n); await later(50); add(n); }), 2 * n); });
  describe('alone', { concurrency: 1 }, () => { let running = 0; for (const n of [1, 2]) it('in turn ' + n, async () => { running += 1; await later(5); assert.equal(running, 1); running -= 1; }); });
});
test('sub-tests', { concurrency: 3 }, async (t) => { await Promise.all([1, 2, 3].map((n) => t.test('sum ' + n, async () => { assert.equal(await s.total(async (add) => { add(n); await later(50); add(n); }), 2 * n); }))); });
test('in order', async (t) => {
  const counter = s.counter();
  await Promise.all(['first', 'second'].map((name) => t.test(name, async () => { const value = counter.next(); await counter.pause(); assert.equal(counter.value(), value); })));
});
test('waits', async (t) => { t.test('not awaited', async () => { await later(5); assert.equal(s.counter().next(), 1); }); });
`,
    wrong: [
      [
        'export const total = async (run) => { let sum = 0;',
        'let sum = 0; export const total = async (run) => { sum = 0;',
        ['sum 1', 'sum 2', 'sub-tests'],
      ],
      ['next: () => ++n', 'next: () => n++', ['in order', 'waits']],
    ],
  },
  {
    id: 'what is mocked',
    artifact: `
let calls = 0;
export const now = () => Date.now();
export const warn = () => { calls += 1; console.warn('w'); };
export const after = (ms, run) => { setTimeout(run, ms); };
`,
    tests: `${begin}
const spy = mock.method(console, 'warn', () => {});
describe('time', () => {
  before(() => { mock.timers.enable({ apis: ['Date'], now: 1000 }); });
  after(() => mock.timers.reset());
  it('stands', () => assert.equal(s.now(), 1000));
  it('still stands', () => assert.equal(s.now(), 1000));
});
test('its own timers', (t) => { t.mock.timers.enable({ apis: ['setTimeout'] }); const run = t.mock.fn(); s.after(5000, run); t.mock.timers.tick(5000); assert.equal(run.mock.callCount(), 1); });
test('real timers again', async () => { let ran = false; s.after(1, () => { ran = true; }); await later(200); assert.ok(ran); });
test('warns', () => { s.warn(); assert.equal(spy.mock.callCount(), 1); });
test('warns again', (t) => { const own = t.mock.method(console, 'error', () => {}); s.warn(); assert.equal(spy.mock.callCount(), 2); assert.equal(own.mock.callCount(), 0); });
test('is as it was', () => { assert.equal(console.error.mock, undefined); assert.ok(console.warn.mock); });
`,
    wrong: [
      ['() => Date.now()', '() => (calls++ === 0 ? Date.now() : 0)', ['still stands']],
      ["console.warn('w')", "if (calls === 1) console.warn('w')", ['warns again']],
      ['setTimeout(run, ms)', 'setTimeout(run, ms + 1)', ['its own timers']],
    ],
  },
  {
    id: 'what a file does beside its tests',
    artifact: `
export const VERSION = '1';
export const register = () => {};
export const add = (a, b) => a + b;
let n = 0;
export const fire = () => { n += 1; };
export const fireLater = async () => { n += 1; };
export const count = () => n;
`,
    tests: `${begin}
test('add', () => assert.equal(s.add(1, 2), 3));
test('fires', () => { s.fire(); s.fireLater(); assert.equal(s.count(), 2); });
assert.ok(s.VERSION, 'there is a version');
s.register('late');
`,
    wrong: [
      ["VERSION = '1'", "VERSION = ''", '*'],
      ['register = () => {}', "register = () => { throw new Error('no'); }", '*'],
      [
        'fire = () => { n += 1;',
        "fire = () => { n += 1; setTimeout(() => { throw new Error('late'); }, 40);",
        ['fires'],
      ],
      [
        'fireLater = async () => { n += 1;',
        "fireLater = async () => { n += 1; await new Promise((resolve) => setTimeout(resolve, 40)); throw new Error('late');",
        ['fires'],
      ],
      [
        'export const add = (a, b) => a + b;',
        'const add = (a, b) => a + b; export default { add };',
        ['add'],
      ],
    ],
  },
  {
    id: 'files, groups and tests that wait',
    artifact: `
export const load = (n) => new Promise((resolve) => setTimeout(resolve, 5, n));
export const each = (list, run) => { for (const item of list) setTimeout(run, 1, item); };
`,
    tests: `${begin}
const loaded = await s.load(3);
test('is loaded', () => assert.equal(loaded, 3));
describe('later', async () => { const n = await s.load(4); it('is declared', () => assert.equal(n, 4)); });
test('plans', (t) => { t.plan(2, { wait: 1000 }); s.each([1, 2], (n) => t.assert.ok(n > 0)); });
test('asks again', async (t) => { let n = 0; s.each([1, 2], (found) => { n += found; }); await t.waitFor(() => assert.equal(n, 3), { interval: 2 }); });
`,
    wrong: [
      ['resolve, 5, n', 'resolve, 5, n + 1', ['is loaded', 'is declared']],
      ['of list)', 'of list.slice(1))', ['plans', 'asks again']],
    ],
  },
  {
    id: 'what fails one test alone',
    artifact: `
export class Queue { constructor(list) { this.list = [...list]; } later() {} size() { return this.list.length; } }
export const options = () => ({ a: 1 });
`,
    tests: `${begin}
test('sealed', () => { const list = [1]; const queue = new s.Queue(list); queue.later(); Object.seal(list); assert.equal(queue.size(), 1); });
test('is free', () => { const options = s.options(); options.a = 2; options.extra = 1; assert.equal(options.a, 2); assert.equal(new s.Queue([]).size(), 0); });
test('goes on', () => { assert.equal(s.options().a, 1); assert.equal(new s.Queue([1, 2]).size(), 2); });
`,
    wrong: [
      [
        'this.list = [...list]; } later() {}',
        'this.list = list; } later() { setImmediate(() => this.list.push(2)); }',
        ['sealed'],
      ],
      ['({ a: 1 })', 'Object.seal({ a: 1 })', ['is free']],
      ['({ a: 1 })', "Object.defineProperty({}, 'a', { value: 1, enumerable: true })", ['is free']],
    ],
  },
];
