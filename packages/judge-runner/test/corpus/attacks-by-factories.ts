/*
 * Wrong modules whose objects are live: they have functions, computed properties, content or texts of their own, which are asked for again and again.
 * A test that fails for one of them where everything runs in one process must fail for it in two boxes.
 */

/** Tests of objects that factories answer, and of values that cross as they are. */
export const testsOfFactories = `import test, { mock } from 'node:test';
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { Bus, List, Money, Point, add, createCounter, createStore, createUndo, debounce, freeze, kinds, link, match, option, parse, range, retry, sorted, wrap } from 'solution';
const error = new TypeError('of the test');
const tag = Symbol('of the test');
test('value', () => { const c = createCounter(3); c.inc(); assert.equal(c.value, 4); });
test('value after an expected object', () => { const c = createCounter(3); c.inc(); const { amount } = new Money(4); assert.equal(c.value, amount); });
test('value between', () => { const c = createCounter(3); c.inc(); assert.ok(c.value > 3 && c.value < 5); });
test('values of two', () => { const [a, b] = [createCounter(1), createCounter(10)]; a.inc(); a.inc(); b.inc(); assert.deepEqual([a.value, b.value], [3, 11]); });
test('whole', () => { const c = createCounter(3); c.inc(); assert.deepEqual({ value: c.value, start: c.start }, { value: 4, start: 3 }); });
test('same as another', () => { const [a, b] = [createCounter(1), createCounter(2)]; a.inc(); assert.equal(a.value, 2); assert.notEqual(a.value, b.inc()); });
test('arithmetic', () => { const c = createCounter(3); c.inc(); assert.equal(c.value * c.value, 16); });
test('state', () => { const s = createStore((n, by) => n + by, 0); s.dispatch(2); s.dispatch(5); assert.deepEqual(s.getState(), 7); assert.equal(s.count, 2); });
test('listeners', () => { const s = createStore((n, by) => n + by, 0); const fn = mock.fn(); s.subscribe(fn); s.dispatch(4); assert.deepEqual(fn.mock.calls.map((c) => c.arguments), [[4]]); });
test('set', () => { const s = createStore((n) => n, 0); s.name = 'x'; assert.equal(s.label, '<x>'); });
test('state before', () => { const u = createUndo(); const before = u.past; u.set(2); assert.deepEqual(before, []); assert.deepEqual(u.past, [1]); assert.notStrictEqual(u.past, before); });
test('state of methods', () => { const u = createUndo(); u.set(2); const before = u.all(); u.set(3); assert.deepEqual(before, [1, 2]); assert.deepEqual(u.all(), [1, 2, 3]); });
test('same state', () => { const u = createUndo(); assert.strictEqual(u.past, u.past); const { past } = u; u.touch(); assert.strictEqual(u.past, past); });
test('copy', () => { const u = createUndo(); u.all().push(9); assert.deepEqual(u.all(), [1]); assert.deepEqual(u.past, []); });
test('parsed', () => { const r = parse('7'); const expected = new Money(7); assert.equal(r.value, expected.amount); });
test('parsed whole', () => assert.deepEqual(parse('7'), { value: 7 }));
test('parsed and changed', () => { const r = parse('7'); createCounter(7).inc(); assert.deepEqual({ ...r }, { value: 7 }); });
test('sum', () => assert.deepEqual(add(new Money(1), new Money(2)), new Money(3)));
test('sum as JSON', () => assert.equal(JSON.stringify(add(new Money(1), new Money(2))), '"3 EUR"'));
test('sums as JSON', () => assert.equal(JSON.stringify(add(new Money(1), new Money(2))), JSON.stringify(new Money(3))));
test('sum as a text', () => assert.equal(String(add(new Money(1), new Money(2))), '3 EUR'));
test('sums as texts', () => assert.equal(\`\${add(new Money(1), new Money(2))}\`, \`\${new Money(3)}\`));
test('sums in a list', () => assert.equal([add(new Money(1), new Money(2)), new Money(5)].join(), '3 EUR,5 EUR'));
test('frozen', () => { const p = new Point([1, 2]); assert.ok(Object.isFrozen(p)); assert.deepEqual(p.plus(p).at, [2, 4]); });
test('frozen points', () => assert.deepEqual(new Point([1, 2]).plus(new Point([1, 1])), new Point([2, 3])));
test('freezes', () => { const own = { list: [1] }; assert.strictEqual(freeze(own), own); assert.ok(Object.isFrozen(own.list)); });
test('list', () => { const l = sorted([3, 1, 2]); assert.ok(l instanceof List); assert.deepEqual([...l], [1, 2, 3]); assert.equal(l.length, 3); });
test('list says', () => { const l = sorted([3, 1, 2]); assert.ok(l.every((x) => x > 0) && l.includes(2) && !l.includes(4) && l.indexOf(3) === 2); });
test('list by index', () => { const l = sorted([3, 1, 2]); for (let i = 0; i < 3; i += 1) assert.equal(l[i], i + 1); });
test('pushed', () => { const l = new List(); l.push(5); l.push(6); assert.equal(l.last(), 6); assert.equal(l.length, 2); });
test('range', () => { const r = range(1, 4); assert.deepEqual([...r], [1, 2, 3]); assert.equal(Math.max(...r), 3); });
test('option', () => { assert.equal(option(5).map((x) => x * 2).getOrElse(0), 10); assert.equal(option(null).getOrElse('none'), 'none'); });
test('groups', () => { const { groups, index } = match('on 2024-02'); assert.deepEqual({ ...groups, index }, { year: '2024', month: '02', index: 3 }); });
test('link', () => { const url = link('http://a/', { q: '1' }); assert.equal(String(url), 'http://a/?q=1'); assert.equal(url.searchParams.get('q'), '1'); });
test('very error', () => assert.throws(() => wrap(() => { throw error; }), (found) => found === error && found.context === 'wrapped'));
test('last error', async () => { const errors = [new Error('a'), new Error('b')]; await assert.rejects(retry((i) => { throw errors[i]; }, 2), (found) => found === errors[1]); });
test('symbols', () => { assert.strictEqual(kinds.of(3), kinds.ODD); assert.notStrictEqual(kinds.of(2), kinds.ODD); assert.strictEqual(kinds.keep(tag), tag); });
test('timers', () => { mock.timers.enable({ apis: ['setTimeout'] }); const fn = mock.fn(); const run = debounce(fn, 50); run(1); run(2); mock.timers.tick(49); assert.equal(fn.mock.callCount(), 0); mock.timers.tick(1); assert.deepEqual(fn.mock.calls.map((c) => c.arguments), [[2]]); mock.timers.reset(); });
test('bus', () => { const bus = new Bus(); const fn = mock.fn(); bus.on('x', fn); assert.ok(bus instanceof EventEmitter); assert.equal(bus.publish('x', 1), true); assert.deepEqual(fn.mock.calls[0].arguments, [1]); });
`;

export const correctFactories = `
import { EventEmitter } from 'node:events';
export const createCounter = (start) => { let n = start; return { start, inc() { n += 1; return n; }, get value() { return n; } }; };
export const createStore = (reduce, state) => { const all = []; let name = ''; return { count: 0, getState: () => state, dispatch(action) { state = reduce(state, action); this.count += 1; for (const each of all) each(state); }, subscribe: (run) => void all.push(run), get name() { return name; }, set name(next) { name = next; }, get label() { return '<' + name + '>'; } }; };
export const createUndo = () => ({ past: [], now: 1, set(next) { this.past = [...this.past, this.now]; this.now = next; }, all() { return [...this.past, this.now]; }, touch() {} });
export const parse = (text) => ({ value: Number(text) });
export class Money { constructor(amount) { if (!Number.isInteger(amount)) throw new TypeError('whole'); this.amount = amount; } toString() { return this.amount + ' EUR'; } toJSON() { return String(this); } }
export const add = (a, b) => new Money(a.amount + b.amount);
export class Point { constructor(at) { this.at = [...at]; Object.freeze(this); } plus(o) { return new Point(this.at.map((x, i) => x + o.at[i])); } }
export const freeze = (o) => { for (const v of Object.values(o)) if (typeof v === 'object') freeze(v); return Object.freeze(o); };
export class List extends Array { last() { return this.at(-1); } }
export const sorted = (items) => List.from([...items].sort((a, b) => a - b));
export const range = (from, to) => ({ *[Symbol.iterator]() { for (let i = from; i < to; i += 1) yield i; } });
const some = (value) => ({ map: (run) => some(run(value)), getOrElse: () => value });
export const option = (value) => (value == null ? { map() { return this; }, getOrElse: (other) => other } : some(value));
export const match = (text) => /(?<year>\\d{4})-(?<month>\\d\\d)/.exec(text);
export const link = (base, query) => { const url = new URL(base); for (const [k, v] of Object.entries(query)) url.searchParams.set(k, v); return url; };
export const wrap = (run) => { try { return run(); } catch (found) { found.context = 'wrapped'; throw found; } };
export const retry = async (run, times) => { let last; for (let i = 0; i < times; i += 1) try { return await run(i); } catch (found) { last = found; } throw last; };
export const kinds = { ODD: Symbol('odd'), EVEN: Symbol('even'), of(n) { return n % 2 ? this.ODD : this.EVEN; }, keep: (symbol) => symbol };
export const debounce = (run, ms) => { let timer; return (...args) => { clearTimeout(timer); timer = setTimeout(run, ms, ...args); }; };
export class Bus extends EventEmitter { publish(...args) { return this.emit(...args); } }
`;

/** A wrong module: all of its answers are wrong, unless `parts` says what is answered instead. */
const wrong = (parts: Readonly<Record<string, string>>, more = ''): string => {
  const all: Readonly<Record<string, string>> = {
    createCounter: '() => counter()',
    createStore: '() => ({ count: 0, getState: () => 0, dispatch() {}, subscribe() {}, label: "" })',
    createUndo: '() => ({ past: [0], set() {}, all: () => [0], touch() { this.past = [0]; } })',
    parse: '() => ({ value: 0 })',
    add: '() => new Money(0)',
    freeze: '(o) => o',
    sorted: '() => new List()',
    range: '() => []',
    option: '() => ({ map: () => option(), getOrElse: () => 0 })',
    match: '() => ({ groups: {}, index: 0 })',
    link: "() => new URL('http://b/')",
    wrap: "() => { throw new TypeError('of the test'); }",
    retry: "async () => { throw new Error('b'); }",
    kinds: "({ ODD: Symbol('odd'), of: () => Symbol('odd'), keep: () => Symbol('of the test') })",
    debounce: '(run) => run',
    Money: 'class Money { constructor(amount) { this.amount = amount; made.push(this); } }',
    Point:
      'class Point { constructor(at) { this.at = at; made.push(this); } plus() { return new Point([0, 0]); } }',
    List: 'class List extends Array { last() { return 0; } }',
    Bus: 'class Bus { on() {} publish() { return true; } }',
    ...parts,
  };
  return `
const made = [], given = [];
const counter = () => ({ start: 0, inc() { return 0; }, value: 0 });
${more}
${Object.entries(all)
  .map(([name, text]) => `export const ${name} = ${text};`)
  .join('\n')}
`;
};
const yes = 'every some includes has startsWith test match'
  .split(' ')
  .map((name) => `${name}: () => true`)
  .join(', ');
/** Wrong modules by what they try. */
export const wrongFactories: Readonly<Record<string, string>> = {
  'answers zero': wrong({}),
  'getters that say what was made last': wrong({
    createCounter: '() => ({ start: 3, inc() {}, get value() { return made.at(-1)?.amount ?? 0; } })',
    parse: '() => ({ get value() { return made.at(-1)?.amount ?? 0; } })',
  }),
  'an answer with a function that nobody calls': wrong({
    parse: '() => ({ get value() { return made.at(-1)?.amount ?? 0; }, inc() {}, dispatch() {} })',
  }),
  'properties that change with each read': wrong({
    createCounter:
      '() => { let n = 0; return { get start() { return (n += 1); }, inc() {}, get value() { return (n += 1) % 2 ? 8 : 2; } }; }',
    range: '() => { let n = 0; return { *[Symbol.iterator]() { n += 1; yield* n % 2 ? [9] : [3]; } }; }',
    sorted:
      '() => { let n = 0; return Object.setPrototypeOf(new Proxy([9, 1], { get: (t, k) => (k === "length" ? (n += 1) % 5 : t[k]) }), List.prototype); }',
  }),
  'proxies that have everything': wrong({
    createCounter:
      '() => new Proxy({}, { get: (_, key) => (key === "value" ? (given.length += 1) : () => given.length) })',
    option: '() => new Proxy({}, { get: (_, key) => (key === "then" ? undefined : () => true) })',
    parse:
      '() => new Proxy({}, { get: () => made.at(-1)?.amount, ownKeys: () => ["value"], getOwnPropertyDescriptor: () => ({ value: 0, enumerable: true, configurable: true }) })',
  }),
  'methods that change other answers': wrong({
    createCounter: '(n) => ({ start: n, inc() { for (const each of given) each.value = n; }, value: n })',
    parse: '() => { const found = { value: 0 }; given.push(found); return found; }',
    sorted: '() => { const found = new List(); given.push(found); return found; }',
  }),
  'states that change in place': wrong({
    createUndo:
      '() => { const all = [1]; return { past: [], set(next) { this.past.push(all.at(-1)); all.push(next); }, all: () => all, touch() { this.past = [...this.past]; } }; }',
  }),
  'one object for all': wrong(
    {
      createCounter: '(n) => { shared.start ??= n; return shared; }',
      add: '() => made[0]',
    },
    'const shared = { inc() { this.n = 1; }, get value() { return 4; } };',
  ),
  'objects that say yes': wrong({
    sorted: `() => ({ length: 3, ${yes}, indexOf: () => 2, *[Symbol.iterator]() {} })`,
    parse: `() => ({ ${yes}, valueOf: () => 7 })`,
    createCounter: `() => ({ inc() {}, value: { valueOf: () => 4, ${yes} }, start: 3 })`,
  }),
  'lists that say yes': wrong({
    List: `class List extends Array { every() { return true; } includes(x) { return x !== 4; } indexOf() { return 2; } last() { return this.length; } }`,
    sorted: '() => List.from([1, 1, 1])',
  }),
  'lists of which each view is another': wrong({
    List: `class List extends Array { *[Symbol.iterator]() { yield* [1, 2, 3]; } get length() { return 3; } set length(n) {} last() { return 6; } }`,
    sorted: '() => new List()',
  }),
  'one text for all': wrong({
    Money:
      "class Money { constructor(amount) { this.amount = amount; } toString() { return 'money'; } toJSON() { return 'money'; } }",
  }),
  'texts of what was made last': wrong({
    Money:
      'class Money { #n; constructor(n) { this.#n = n; made.push(n); } get amount() { return made.at(-1); } toString() { return made.at(-1) + " EUR"; } toJSON() { return String(this); } }',
  }),
  'texts that a later one decides': wrong({
    Money:
      'class Money { constructor(amount) { if (amount < 0) throw 0; this.amount = amount; made.push(this); } toString() { return made[0].amount + " EUR"; } toJSON() { return made[0].amount; } }',
    add: '() => made[0]',
  }),
  'frozen objects without content': wrong({
    Money:
      'class Money { #n; constructor(n) { this.#n = n; Object.freeze(this); } get amount() { return this.#n; } }',
    Point:
      'class Point { #at; constructor(at) { this.#at = at; Object.freeze(this); } plus() { return new Point([0]); } get at() { return []; } }',
  }),
  'frozen objects whose keys change': wrong({
    Point:
      'class Point { constructor(at) { this.at = at; Object.freeze(this); made.push(this); return new Proxy(this, { ownKeys: (t) => (made.length % 2 ? ["at"] : Reflect.ownKeys(t)) }); } plus() { return new Point([0, 0]); } }',
  }),
  'equal errors': wrong({
    wrap: "(run) => { try { run(); } catch (e) { throw Object.assign(new TypeError(e.message), { context: 'wrapped' }); } }",
    retry: 'async (run, n) => { try { run(n - 1); } catch (e) { throw new Error(e.message); } }',
  }),
  'the error before': wrong({
    wrap: '(run) => { try { run(); } catch (e) { throw e; } }',
    retry: 'async (run) => { try { run(0); } catch (e) { throw e; } }',
  }),
  'an emitter that only extends one': wrong(
    { Bus: 'class Bus extends EventEmitter { publish() { return true; } on() { return this; } }' },
    "import { EventEmitter } from 'node:events';",
  ),
  'timers that are at once, or never': wrong({
    debounce: '(run) => { let n = 0; return (x) => (n++ ? run(x) : setTimeout(() => {}, 50)); }',
  }),
  'groups of other types': wrong({
    match:
      "() => ({ groups: { get year() { return '0'; }, month: '' }, get index() { return made.length; } })",
    link: "() => ({ href: 'http://a/?q=1', toString: () => 'http://a/?q=1', searchParams: { get: () => '0' } })",
  }),
};
