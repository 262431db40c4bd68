/* Correct programs whose errors, texts, classes and functions are of other styles than the reference's, and wrong ones. */
import type { StylesCase } from './program-styles.ts';

const begin = `import assert from 'node:assert/strict';
import { test } from 'node:test';
`;

/** A program that ends jobs by an error, of which this is the class. */
const cancelling = (kind: string): string =>
  `${kind}
export const work = async (reason) => { throw new Cancelled(reason); };
export const begin = (reason) => { throw new Cancelled(reason); };
export const each = (f) => { try { begin('inner'); } catch (error) { return f(error); } };
`;
const cancelled = (kind: string): string => cancelling(`export class Cancelled extends ${kind}`);
/** A program that ends what is waited for by an error of this class. */
const ending = (base: string): string =>
  `export class Cancelled extends ${base}
export const work = async (reason) => { throw new Cancelled(reason); };
export const wrap = (f) => { try { return f(); } catch (cause) { throw new Error('wrapped', { cause }); } };
export const task = (signal) => new Promise((_, no) => signal.addEventListener('abort', () => no(signal.reason)));
export const kinds = () => [new Cancelled('a'), new Error('b')];
`;
/** A program that rejects what it is given by an error whose getters have more to say than a copy of it can. */
const rejecting = (made: string, more = ''): string =>
  `${more}
export const check = (n) => { if (n > 0) return n; throw ${made}; };
export const later = async (n) => check(n);
export const results = (all) => all.map((n) => { try { return check(n); } catch (error) { return error; } });
`;

export const errorStyles: readonly StylesCase[] = [
  {
    id: 'errors of a class of the web',
    references: ['error', 'private state'],
    tests: `${begin}import { Cancelled, begin, each, work } from 'solution';
test('awaited', async () => { await assert.rejects(work('x'), (e) => e instanceof Cancelled && e.name === 'Cancelled' && e.message === 'x'); });
test('thrown', () => { assert.throws(() => begin('y'), { name: 'Cancelled', message: 'y' }); assert.throws(() => begin('y'), Error); });
test('code', () => { try { begin('z'); assert.fail('nothing thrown'); } catch (e) { assert.equal(e.code, 20); assert.ok(e instanceof Cancelled); } });
test('given', () => { assert.equal(each((e) => e.message + e.name), 'innerCancelled'); });
test('another', () => { assert.ok(true); });
`,
    styles: {
      error: cancelled(`Error { name = 'Cancelled'; code = 20; }`),
      'of the web': cancelled(
        `DOMException { constructor(reason) { super(reason, 'Cancelled'); } get code() { return 20; } }`,
      ),
      'private state': cancelled(
        `DOMException { #reason; constructor(reason) { super(); this.#reason = reason; } get message() { return this.#reason; } get name() { return 'Cancelled'; } get code() { return 20; } }`,
      ),
      getters: cancelled(
        `Error { #code = 20; get name() { return 'Cancelled'; } get code() { return this.#code; } }`,
      ),
      'older kind': cancelling(
        `export function Cancelled(message) { this.message = message; this.code = 20; } Cancelled.prototype = Object.create(Error.prototype, { constructor: { value: Cancelled }, name: { value: 'Cancelled' } });`,
      ),
      grouped: cancelled(
        `AggregateError { constructor(reason) { super([new Error(reason)], reason); } name = 'Cancelled'; code = 20; }`,
      ),
      suppressed: cancelled(
        `SuppressedError { constructor(reason) { super(new Error('e'), new Error('s'), reason); this.name = 'Cancelled'; this.code = 20; } }`,
      ),
      frozen: cancelled(
        `Error { constructor(reason) { super(reason, { cause: {} }); this.name = 'Cancelled'; this.code = 20; this.cause.by = this; Object.freeze(this); } }`,
      ),
    },
    wrong: {
      'another text': cancelled(
        `DOMException { constructor(reason) { super(reason + '!', 'Cancelled'); } get code() { return 20; } }`,
      ),
      'another name': cancelled(`DOMException { get code() { return 20; } }`),
      'another class':
        `${cancelled(`Error { name = 'Cancelled'; code = 20; }`)}class Other extends DOMException {}
export const throws = () => { throw new Other('x', 'Cancelled'); };`.replaceAll(
          'throw new Cancelled(reason)',
          "throw new DOMException(reason, 'Cancelled')",
        ),
    },
  },
  {
    id: 'errors of a class of the web that are compared and extended',
    references: ['error', 'private state'],
    tests: `${begin}import { Cancelled, kinds, task, work, wrap } from 'solution';
test('equal', async () => { await assert.rejects(work('x'), new Cancelled('x')); });
test('cause', () => { try { wrap(() => { throw new Cancelled('in'); }); assert.fail(); } catch (e) { assert.equal(e.message, 'wrapped'); assert.ok(e.cause instanceof Cancelled); assert.equal(e.cause.reason, 'in'); } });
test('extends', () => { class Late extends Cancelled { constructor() { super('late'); } get isLate() { return true; } } const late = new Late(); assert.ok(late instanceof Cancelled && late instanceof Error); assert.equal(late.message + late.reason, 'latelate'); assert.ok(late.isLate); try { wrap(() => { throw late; }); } catch (e) { assert.equal(e.cause, late); } });
test('signal', async () => { const c = new AbortController(); const waiting = task(c.signal); c.abort(new Cancelled('stop')); await assert.rejects(waiting, (e) => e instanceof Cancelled && e.reason === 'stop'); });
test('answered', () => { assert.deepEqual(kinds().map((e) => e.message), ['a', 'b']); assert.deepEqual(kinds().map(String), ['Cancelled: a', 'Error: b']); });
`,
    styles: {
      error: ending(
        `Error { constructor(reason) { super(reason); this.name = 'Cancelled'; this.reason = reason; } }`,
      ),
      'of the web': ending(
        `DOMException { constructor(reason) { super(reason, 'Cancelled'); this.reason = reason; } }`,
      ),
      'private state': ending(
        `DOMException { #reason; constructor(reason) { super(reason, 'Cancelled'); this.#reason = reason; } get reason() { return this.#reason; } }`,
      ),
      getters: ending(
        `Error { #reason; constructor(reason) { super(reason); this.#reason = reason; } get reason() { return this.#reason; } get name() { return 'Cancelled'; } }`,
      ),
    },
    wrong: {
      'another reason': ending(
        `DOMException { #reason; constructor(reason) { super(reason, 'Cancelled'); this.#reason = reason + 1; } get reason() { return this.#reason; } }`,
      ),
      'another text': ending(
        `DOMException { constructor(reason) { super('cancelled', 'Cancelled'); this.reason = reason; } }`,
      ),
    },
  },
  {
    id: 'errors whose getters throw',
    references: ['error'],
    tests: `${begin}import { check, later, results } from 'solution';
test('thrown', () => { assert.equal(check(1), 1); assert.throws(() => check(0), (e) => e instanceof RangeError && e.message === 'below 1'); });
test('awaited', async () => { await assert.rejects(later(0), RangeError); });
test('answered', () => { const [one, error] = results([1, 0]); assert.equal(one, 1); assert.ok(error instanceof RangeError); assert.equal(error.message, 'below 1'); assert.equal(String(error), 'RangeError: below 1'); });
test('another', () => { assert.ok(true); });
`,
    styles: {
      error: rejecting(`new RangeError('below 1')`),
      'a getter that throws': rejecting(
        `Object.defineProperty(new RangeError('below 1'), 'detail', { enumerable: true, get() { throw new Error('no detail'); } })`,
      ),
      'a class with one': rejecting(
        `new Below('below 1')`,
        `class Below extends RangeError { get detail() { throw new Error('no detail'); } get stack() { throw new Error('no stack'); } }`,
      ),
      'a proxy': rejecting(
        `new Proxy(new RangeError('below 1'), { ownKeys() { throw new Error('no names'); } })`,
      ),
      'causes in a circle': rejecting(
        `circle()`,
        `const circle = () => { const inner = new Error('inner'); return (inner.cause = new RangeError('below 1', { cause: inner })); };`,
      ),
      'what cannot be read': rejecting(
        `Object.assign(new RangeError('below 1'), { input: Proxy.revocable({}, {}).proxy, gone: gone() })`,
        `const gone = () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; };`,
      ),
    },
    wrong: {
      'another text': rejecting(
        `Object.defineProperty(new RangeError('below 2'), 'detail', { enumerable: true, get() { throw new Error('no detail'); } })`,
      ),
      'another class': rejecting(
        `new Below('below 1')`,
        `class Below extends TypeError { get detail() { throw new Error('no detail'); } }`,
      ),
      'none that says so': rejecting(
        `new Proxy(new RangeError('below 1'), { get() { throw new Error('no'); } })`,
      ),
      'a text of its own': rejecting(
        `new Below('below 0')`,
        `class Below extends RangeError { toString() { return 'RangeError: below 1'; } }`,
      ),
    },
  },
  {
    id: 'errors that functions of the test throw',
    references: ['field'],
    tests: `${begin}import { HttpError, Router } from 'solution';
test('handler', async () => { const router = new Router(); router.get('/boom', () => { throw new HttpError(418, 'teapot'); }); let status; await router.handle({ method: 'GET', path: '/boom' }).catch((e) => { status = e.status; }); assert.equal(status, 418); });
test('middleware', async () => { const router = new Router(); router.get('/a', (request) => { if (request.params.id === undefined) throw new HttpError(404, 'none', { cause: 1 }); return 1; }); await assert.rejects(router.handle({ path: '/a' }), (e) => e instanceof HttpError && e.status === 404 && e.message === 'none'); });
`,
    styles: {
      field: `export class HttpError extends Error { constructor(status, message, more) { super(message, more); this.status = status; } }
export class Router { get(path, f) { this.f = f; return this; } async handle(request) { return this.f({ ...request, params: {} }); } }`,
      'private field': `export class HttpError extends Error { #status; constructor(status, message, more = undefined) { super(message, more); this.#status = status; } get status() { return this.#status; } }
export class Router { #f; get(path, f) { this.#f = f; return this; } async handle(request) { return this.#f({ ...request, params: {} }); } }`,
      'a map': `const statuses = new WeakMap(); export class HttpError extends Error { constructor(status, ...more) { super(...more); statuses.set(this, status); } get status() { return statuses.get(this); } }
export class Router { get(path, f) { this.f = f; return this; } handle(request) { return new Promise((done) => done(this.f({ params: {}, ...request }))); } }`,
    },
    wrong: {
      'another status': `export class HttpError extends Error { #status; constructor(status, message, more) { super(message, more); this.#status = 500; } get status() { return this.#status; } }
export class Router { get(path, f) { this.f = f; return this; } async handle(request) { return this.f({ ...request, params: {} }); } }`,
      'not thrown': `export class HttpError extends Error { #status; constructor(status, message, more) { super(message, more); this.#status = status; } get status() { return this.#status; } }
export class Router { get(path, f) { this.f = f; return this; } async handle(request) { try { return this.f({ ...request, params: {} }); } catch { return null; } } }`,
    },
  },
];

/** A program of prices, of which this is the class. */
const priced = (kind: string, price = '(n) => Money.of(n, "EUR")'): string =>
  `${kind}
export const price = ${price};
export const basket = () => ({ items: [price(1)], total: price(2) });
`;

export const jsonStyles: readonly StylesCase[] = [
  {
    id: 'what is written as JSON',
    references: ['fields', 'private field', 'plain'],
    tests: `${begin}import { Money, basket, price } from 'solution';
test('object', () => { assert.equal(JSON.stringify({ price: Money.of(1.5, 'EUR') }), '{"price":{"amount":1.5,"currency":"EUR"}}'); });
test('answer', () => { assert.equal(JSON.stringify(price(2)), '{"amount":2,"currency":"EUR"}'); assert.deepEqual(JSON.parse(JSON.stringify(price(3))), { amount: 3, currency: 'EUR' }); });
test('within', () => { assert.equal(JSON.stringify(basket()), '{"items":[{"amount":1,"currency":"EUR"}],"total":{"amount":2,"currency":"EUR"}}'); });
`,
    styles: {
      fields: priced(
        'export class Money { constructor(amount, currency) { this.amount = amount; this.currency = currency; } static of(a, c) { return new Money(a, c); } }',
      ),
      'private field': priced(
        'export class Money { #cents; constructor(amount, currency) { this.#cents = amount * 100; this.currency = currency; } static of(a, c) { return new Money(a, c); } toJSON() { return { amount: this.#cents / 100, currency: this.currency }; } }',
      ),
      frozen: priced(
        'export class Money { constructor(cents, unit) { this.cents = cents; this.unit = unit; Object.freeze(this); } static of(a, c) { return new Money(a * 100, c); } toJSON() { return { amount: this.cents / 100, currency: this.unit }; } }',
      ),
      plain: priced('export const Money = { of: (amount, currency) => ({ amount, currency }) };'),
      closure: priced(
        'export const Money = { of: (a, c) => ({ plus: (b) => Money.of(a + b, c), toJSON: () => ({ amount: a, currency: c }) }) };',
      ),
      'older kind': priced(
        'export function Money(a, c) { this.a = a; this.c = c; } Money.of = function (a, c) { return new Money(a, c); }; Money.prototype.toJSON = function () { return { amount: this.a, currency: this.c }; };',
      ),
    },
    wrong: {
      cents: priced(
        'export class Money { #cents; constructor(amount, currency) { this.#cents = amount * 100; this.currency = currency; } static of(a, c) { return new Money(a, c); } toJSON() { return { amount: this.#cents, currency: this.currency }; } }',
      ),
      'a text': priced(
        'export class Money { constructor(a, c) { this.a = a; this.c = c; } static of(a, c) { return new Money(a, c); } toJSON() { return JSON.stringify({ amount: this.a, currency: this.c }); } }',
      ),
      'no toJSON': priced(
        'export class Money { #a; constructor(a, c) { this.#a = a; this.currency = c; } static of(a, c) { return new Money(a, c); } }',
      ),
      nothing: priced('export const Money = { of: () => ({ toJSON: () => undefined }) };'),
    },
  },
  {
    id: 'a liar beside an expected object',
    isLying: true,
    needsReference: true,
    tests: `${begin}import { Money, add } from 'solution';
test('sum', () => { const sum = new Money(3); assert.equal(JSON.stringify(add(new Money(1), new Money(2))), JSON.stringify(sum)); });
`,
    styles: {
      fields:
        'export class Money { constructor(amount) { this.amount = amount; } } export const add = (a, b) => new Money(a.amount + b.amount);',
    },
    wrong: {
      'one text for all':
        'export class Money { #n; constructor(n) { this.#n = n; } toJSON() { return 1; } } export const add = (a, b) => new Money(0);',
      'another class':
        'let last; export class Money { constructor(amount) { if (amount < 0) throw 0; this.amount = amount; last = this; } } class Text { toJSON() { return { amount: last.amount }; } } export const add = (a, b) => new Text();',
      'a plain object':
        'let last; export class Money { constructor(amount) { if (amount < 0) throw 0; this.amount = amount; last = this; } } export const add = (a, b) => ({ toJSON: () => ({ amount: last.amount }) });',
      'the text of the last':
        'let last; export class Money { constructor(amount) { if (amount < 0) throw 0; this.amount = amount; last = this; } toJSON() { return { amount: last.amount }; } } export const add = (a, b) => a;',
    },
  },
];

/** A program that reads records, whose second line is wrong. */
const reading = (iterable: string): string =>
  `export class CsvError extends SyntaxError {}
const fieldsOf = (line, n) => { const found = line.split(','); if (found.length !== n) throw new CsvError('wrong number of fields', { cause: new RangeError(String(found.length)) }); return found; };
${iterable}
`;

export const iteratorsThatThrow: readonly StylesCase[] = [
  {
    id: 'iterators that throw an error with its cause',
    tests: `${begin}import { CsvError, records } from 'solution';
test('throws', () => { assert.throws(() => [...records('a,b\\n1')], (e) => e instanceof CsvError && e.cause instanceof RangeError); });
test('throws later', () => { const seen = []; assert.throws(() => { for (const row of records('a,b\\n1,2\\n3')) seen.push(row); }, CsvError); assert.deepEqual(seen, [['1', '2']]); });
test('reads', () => { assert.deepEqual([...records('a,b\\n1,2\\n3,4')], [['1', '2'], ['3', '4']]); });
`,
    styles: {
      generator: reading(
        'export function* records(text) { const [header, ...lines] = text.split("\\n"); for (const line of lines) yield fieldsOf(line, header.split(",").length); }',
      ),
      class: reading(
        'class Records { constructor(text) { [this.header, ...this.lines] = text.split("\\n"); this.at = 0; } [Symbol.iterator]() { return this; } next() { return this.at < this.lines.length ? { value: fieldsOf(this.lines[this.at++], this.header.split(",").length), done: false } : { value: undefined, done: true }; } } export const records = (text) => new Records(text);',
      ),
      'an object': reading(
        'export const records = (text) => { const [header, ...lines] = text.split("\\n"); return { [Symbol.iterator]() { return this; }, next: () => (lines.length > 0 ? { value: fieldsOf(lines.shift(), header.split(",").length), done: false } : { value: undefined, done: true }) }; };',
      ),
    },
    wrong: {
      'without a cause': reading(
        'class Records { constructor(text) { [this.header, ...this.lines] = text.split("\\n"); } [Symbol.iterator]() { return this; } next() { if (this.lines.length === 0) return { value: undefined, done: true }; try { return { value: fieldsOf(this.lines.shift(), this.header.split(",").length), done: false }; } catch { throw new CsvError("x"); } } } export const records = (text) => new Records(text);',
      ),
      'stops instead': reading(
        'class Records { constructor(text) { [this.header, ...this.lines] = text.split("\\n"); } [Symbol.iterator]() { return this; } next() { try { return { value: fieldsOf(this.lines.shift(), this.header.split(",").length), done: false }; } catch { return { value: undefined, done: true }; } } } export const records = (text) => new Records(text);',
      ),
    },
  },
];

/** A program of functions of the older kind, which `get` answers with this. */
const older = (self: string): string =>
  `export function Router() { this.handlers = {}; }
Router.prototype.get = function (path, f) { this.handlers[path] = f; return ${self}; };
Router.prototype.run = function (path) { return this.handlers[path](); };
Object.defineProperty(Router.prototype, 'size', { get: function () { return Object.keys(this.handlers).length; } });
Router.create = function () { return new Router(); };
export function Named(name) { Router.call(this); this.name = name; }
Named.prototype = Object.create(Router.prototype); Named.prototype.constructor = Named;
export var Base = (function () { function Base() {} Base.prototype.all = function (xs) { var self = this; return xs.map(function (x) { return self.step(x); }); }; Base.prototype.step = function () { throw new Error('abstract'); }; return Base; })();
`;

export const classesOfFunctions: readonly StylesCase[] = [
  {
    id: 'classes of the test that extend functions',
    tests: `${begin}import { Base, Named, Router } from 'solution';
test('this', () => { class Loud extends Router {} const loud = new Loud(); assert.ok(loud instanceof Loud); assert.ok(loud.get('a', () => 1) instanceof Loud); assert.equal(loud.get('b', () => 2), loud); assert.equal(loud.run('a'), 1); });
test('overrides', () => { class Loud extends Router { run(path) { return super.run(path) + '!'; } twice(path) { return this.run(path) + this.run(path); } } const loud = new Loud().get('a', () => 'x'); assert.equal(loud.twice('a'), 'x!x!'); assert.equal(loud.size, 1); });
test('fields', () => { class Loud extends Router { count = 3; constructor() { super(); this.more = 4; } } const loud = new Loud(); assert.equal(loud.count + loud.more + loud.size, 7); });
test('constructor', () => { const router = new Router(); assert.equal(router.constructor, Router); assert.ok(router instanceof Router); assert.equal(Object.getPrototypeOf(router), Router.prototype); });
test('derived', () => { const named = new Named('q'); assert.ok(named instanceof Router); assert.ok(named instanceof Named); named.get('a', () => 5); assert.equal(named.run('a'), 5); class Other extends Named {} assert.equal(new Other('z').name, 'z'); });
test('static', () => { assert.ok(Router.create() instanceof Router); });
test('hook', () => { class Twice extends Base { step(x) { return x * 2; } } assert.deepEqual(new Twice().all([1, 2]), [2, 4]); assert.throws(() => new Base().all([1]), /abstract/); });
`,
    styles: {
      class: `export class Router { #handlers = new Map(); get(path, f) { this.#handlers.set(path, f); return this; } run(path) { return this.#handlers.get(path)(); } get size() { return this.#handlers.size; } static create() { return new this(); } }
export class Named extends Router { constructor(name) { super(); this.name = name; } }
export class Base { all(xs) { return xs.map((x) => this.step(x)); } step() { throw new Error('abstract'); } }`,
      'older kind': older('this'),
    },
    wrong: {
      'another object': older('new Router()'),
      nothing: older('undefined'),
      'its own step': older('this').replace('self.step(x)', 'Base.prototype.step(x)'),
    },
  },
];

/** A program of lenses, which `make` makes of two functions. */
const lenses = (make: string, key = 'key'): string =>
  `export const lens = (key) => make((s) => s[key], (s, v) => ({ ...s, [${key}]: v }));
${make}
`;

export const computedStyles: readonly StylesCase[] = [
  {
    id: 'values that are computed of others',
    references: ['closure'],
    tests: `${begin}import { computed, Observable } from 'solution';
test('area', () => { const b = new Observable(3); let count = 0; const area = computed(() => { count += 1; return b.value * 2; }); assert.equal(area.value, 6); assert.equal(area.value, 6); assert.equal(count, 1); b.value = 10; assert.equal(area.value, 20); assert.equal(count, 2); });
`,
    styles: {
      closure: `let active = null;
export class Observable { #v; #fns = []; constructor(v) { this.#v = v; } on(f) { this.#fns.push(f); } get value() { active?.add(this); return this.#v; } set value(v) { this.#v = v; for (const f of this.#fns) f(); } }
export function computed(fn) { let fresh = false, value; return { get value() { if (!fresh) { active = new Set(); value = fn(); for (const s of active) s.on(() => (fresh = false)); active = null; fresh = true; } return value; } }; }`,
      versions: `const stack = [];
export class Observable { constructor(value) { this._value = value; this._version = 0; } get value() { stack.at(-1)?.push([this, this._version]); return this._value; } set value(v) { this._value = v; this._version++; } }
class Computed { #deps = null; #cache; constructor(fn) { this.fn = fn; } get value() { if (this.#deps === null || this.#deps.some(([o, v]) => o._version !== v)) { stack.push([]); this.#cache = this.fn(); this.#deps = stack.pop(); } return this.#cache; } }
export const computed = (fn) => new Computed(fn);`,
    },
    wrong: {
      'never again': `export class Observable { constructor(value) { this._value = value; this._version = 0; } get value() { return this._value; } set value(v) { this._value = v; } }
class Computed { #cache; constructor(fn) { this.fn = fn; } get value() { return (this.#cache ??= this.fn()); } }
export const computed = (fn) => new Computed(fn);`,
      'each time': `export class Observable { constructor(value) { this._value = value; this._version = 0; } get value() { return this._value; } set value(v) { this._value = v; } }
class Computed { constructor(fn) { this.fn = fn; } get value() { return this.fn(); } }
export const computed = (fn) => new Computed(fn);`,
    },
  },
  {
    id: 'the same value of an answer and of an expected object',
    isLying: true,
    needsReference: true,
    tests: `${begin}import { Vector, find } from 'solution';
test('found', () => { assert.equal(find(7).x, new Vector(4, 6).x); });
`,
    styles: {
      fields:
        'export class Vector { constructor(x, y) { this.x = x; this.y = y; } } export const find = () => new Vector(4, 6);',
    },
    wrong: {
      'the last that was made':
        'let last; export class Vector { constructor(x, y) { if (x > 99) throw 0; last = x; } get x() { return last; } } export const find = () => new Vector(1, 1);',
      'one for all':
        'export class Vector { constructor(x, y) { if (x > 99) throw 0; } get x() { return 1; } } export const find = () => new Vector(4, 6);',
    },
  },
  {
    id: 'functions with methods that objects answer',
    needsReference: true,
    tests: `${begin}import { lens } from 'solution';
const state = { user: { city: 'Ulm' } };
test('get', () => { assert.equal(lens('user').get(state).city, 'Ulm'); });
test('joined', () => { assert.equal(lens('user').join(lens('city')).get(state), 'Ulm'); assert.equal(lens('user').then(lens('city')).get(state), 'Ulm'); });
test('kept', () => { const city = lens('user').then(lens('city')); assert.equal(city.get(state), 'Ulm'); assert.deepEqual(city.set(state, 'Bonn'), { user: { city: 'Bonn' } }); assert.equal(city.over(state, (c) => c.toUpperCase()).user.city, 'ULM'); });
`,
    styles: {
      closure: lenses(
        'function make(get, set) { const join = (inner) => make((s) => inner.get(get(s)), (s, v) => set(s, inner.set(get(s), v))); return { get, set, over: (s, f) => set(s, f(get(s))), join, then: join }; }',
      ),
      'function with methods': lenses(
        'function make(fn, set) { const join = (inner) => make((s) => inner(fn(s)), (s, v) => set(s, inner.set(fn(s), v))); return Object.assign(fn, { get: fn, set, over: (s, f) => fn.set(s, f(fn(s))), join, then: join }); }',
      ),
    },
    wrong: {
      'sets another': lenses(
        'function make(fn, set) { const join = (inner) => make((s) => inner(fn(s)), (s, v) => set(s, inner.set(fn(s), v))); return Object.assign(fn, { get: fn, set, over: (s, f) => fn.set(s, f(fn(s))), join, then: join }); }',
        'key + 1',
      ),
      'the first': lenses(
        'function make(fn, set) { const join = () => make(fn, set); return Object.assign(fn, { get: fn, set, over: (s, f) => fn.set(s, f(fn(s))), join, then: join }); }',
      ),
    },
  },
];
