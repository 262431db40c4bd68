import type { FidelityCase } from './fidelity-case.ts';

const head = `import assert from 'node:assert/strict';
import { test } from 'node:test';
`;
/** Correct modules that are given classes of the test, their objects and their errors, with ordinary tests. */
export const fidelityJavascriptClasses: readonly FidelityCase[] = [
  {
    id: 'buses by classes of events',
    artifact: `
export class Bus {
  handlers = new Map();
  on(kind, h) { if (!this.handlers.has(kind)) this.handlers.set(kind, []); this.handlers.get(kind).push(h); }
  emit(event) {
    let n = 0;
    for (const [kind, list] of this.handlers) if (event instanceof kind) for (const h of list) { h(event); n++; }
    return n;
  }
  exact(event) { return (this.handlers.get(event.constructor) ?? []).length; }
}
`,
    tests:
      head +
      `
import { Bus } from 'solution';
class Event {}
class Created extends Event { constructor(name) { super(); this.name = name; } }
class Other extends Event {}
test('exact', () => {
  const bus = new Bus(); const seen = [];
  bus.on(Created, (e) => seen.push(e));
  const e = new Created('x');
  assert.equal(bus.emit(e), 1); assert.equal(seen[0], e); assert.equal(bus.emit(new Other()), 0);
});
test('base', () => {
  const bus = new Bus(); const seen = [];
  bus.on(Event, (e) => seen.push(e.constructor.name));
  bus.emit(new Created('x')); bus.emit(new Other());
  assert.deepEqual(seen, ['Created', 'Other']);
});
test('constructor', () => { const bus = new Bus(); bus.on(Created, () => {}); assert.equal(bus.exact(new Created('y')), 1); });
`,
  },
  {
    id: 'registries of classes',
    artifact: `
export class Registry {
  kinds = new Map();
  register(name, cls) { this.kinds.set(name, cls); return cls; }
  get(name) { return this.kinds.get(name); }
  create(name, ...a) { return new (this.kinds.get(name))(...a); }
  priorities() { return [...this.kinds.values()].map((k) => k.priority).sort(); }
  names() { return [...this.kinds.values()].map((k) => k.name); }
}
`,
    tests:
      head +
      `
import { Registry } from 'solution';
test('identity', () => {
  const reg = new Registry();
  class Handler { static priority = 3; constructor(x = 1) { this.x = x; } run() { return this.x + 1; } }
  assert.equal(reg.register('h', Handler), Handler);
  assert.equal(reg.get('h'), Handler);
  const made = reg.create('h', 5);
  assert.ok(made instanceof Handler); assert.equal(made.run(), 6); assert.equal(made.x, 5);
  assert.deepEqual(reg.priorities(), [3]);
  assert.deepEqual(reg.names(), ['Handler']);
});
`,
  },
  {
    id: 'containers of dependencies',
    artifact: `
export class Container {
  made = new Map(); bound = new Map();
  bind(kind, impl) { this.bound.set(kind, impl); }
  get(kind) {
    const impl = this.bound.get(kind) ?? kind;
    if (!this.made.has(impl)) this.made.set(impl, new impl(...(impl.inject ?? []).map((k) => this.get(k))));
    return this.made.get(impl);
  }
}
`,
    tests:
      head +
      `
import { Container } from 'solution';
class Db { rows = []; }
class Repo { static inject = [Db]; constructor(db) { this.db = db; } all() { return this.db.rows; } }
class Fake extends Db { fake = true; }
test('auto', () => { const c = new Container(); const r = c.get(Repo); assert.ok(r instanceof Repo); assert.ok(r.db instanceof Db); assert.equal(c.get(Db), r.db); assert.deepEqual(r.all(), []); });
test('bind', () => { const c = new Container(); c.bind(Db, Fake); assert.equal(c.get(Repo).db.fake, true); });
`,
  },
  {
    id: 'mixins and factories of classes',
    artifact: `
export const Serializable = (Base) => class extends Base { toJSON() { return { ...this, kind: this.constructor.name }; } };
export const applyMixin = (cls, methods) => { Object.assign(cls.prototype, methods); return cls; };
export const singleton = (cls) => { let made; return function (...a) { return (made ??= new cls(...a)); }; };
export function proxied(cls) { return new Proxy(cls, { construct(t, a) { return Object.assign(new t(...a), { tagged: true }); } }); }
`,
    tests:
      head +
      `
import { Serializable, applyMixin, singleton, proxied } from 'solution';
class Point { constructor(x, y) { this.x = x; this.y = y; } sum() { return this.x + this.y; } }
test('mixin direct', () => { const P = Serializable(Point); const p = new P(1, 2); assert.equal(p.sum(), 3); assert.ok(p instanceof Point); });
test('apply', () => { class A { constructor(n) { this.n = n; } } applyMixin(A, { twice() { return this.n * 2; } }); assert.equal(new A(3).twice(), 6); });
test('singleton', () => { const S = singleton(Point); assert.equal(new S(1, 2), new S(3, 4)); });
test('proxied', () => { const P = proxied(Point); const p = new P(1, 2); assert.equal(p.tagged, true); assert.equal(p.sum(), 3); });
`,
  },
  {
    id: 'classes of errors',
    artifact: `
export function retry(fn, { on = Error, times = 3 } = {}) { for (let i = 1; ; i++) try { return fn(i); } catch (e) { if (!(e instanceof on) || i === times) throw e; } }
export const isKind = (e, kinds) => kinds.some((k) => e instanceof k);
export const wrap = (e) => new Error('wrapped', { cause: e });
`,
    tests:
      head +
      `
import { retry, isKind, wrap } from 'solution';
class Temporary extends Error {}
test('retry', () => { let n = 0; assert.equal(retry(() => { if (++n < 3) throw new Temporary('no'); return n; }, { on: Temporary }), 3); });
test('other', () => { let n = 0; const boom = new TypeError('x'); assert.throws(() => retry(() => { n++; throw boom; }, { on: Temporary }), (e) => e === boom); assert.equal(n, 1); });
test('kinds', () => { assert.equal(isKind(new Temporary('a'), [RangeError, Temporary]), true); assert.equal(isKind(new TypeError('a'), [Temporary]), false); });
test('cause', () => { const t = new Temporary('t'); assert.equal(wrap(t).cause, t); });
`,
  },
  {
    id: 'objects of classes of the test',
    artifact: `
export const toJson = (x) => JSON.stringify(x);
export const keys = (x) => Object.keys(x);
export const merge = (...xs) => Object.assign({}, ...xs);
export const methodNames = (x) => Object.getOwnPropertyNames(Object.getPrototypeOf(x)).filter((n) => n !== 'constructor');
export const typeName = (x) => x?.constructor?.name ?? typeof x;
`,
    tests:
      head +
      `
import { toJson, keys, merge, methodNames, typeName } from 'solution';
class P { constructor() { this.a = 1; this.b = [2]; } get c() { return 3; } hello() {} toJSON() { return { a: this.a }; } }
class Q { constructor() { this.a = 1; } }
test('json', () => { assert.equal(toJson(new P()), '{"a":1}'); assert.equal(toJson(new Q()), '{"a":1}'); });
test('keys', () => { assert.deepEqual(keys(new P()), ['a', 'b']); });
test('merge', () => { assert.deepEqual(merge(new Q(), { b: 2 }), { a: 1, b: 2 }); });
test('methods', () => { assert.deepEqual(methodNames(new P()), ['c', 'hello', 'toJSON']); });
test('type', () => { assert.equal(typeName(new P()), 'P'); assert.equal(typeName(null), 'object'); });
`,
  },
  {
    id: 'classes that are filled, cloned, counted and given more',
    artifact: `
export const revive = (cls, json) => Object.assign(Object.create(cls.prototype), JSON.parse(json));
export const cloneOf = (x) => Object.assign(Object.create(Object.getPrototypeOf(x)), x);
export const describe = (cls) => ({ name: cls.name, statics: Object.keys(cls), methods: Object.getOwnPropertyNames(cls.prototype) });
export class Pool { constructor(cls, n) { this.free = Array.from({ length: n }, (_, i) => new cls(i)); } take() { return this.free.pop(); } give(x) { x.reset(); this.free.push(x); } }
export const isInstance = (x, cls) => x instanceof cls;
export const tag = (cls) => { cls.tagged = true; return cls; };
export const count = (cls) => { cls.made = (cls.made ?? 0) + 1; return cls.made; };
export const addMethods = (cls) => { cls.prototype.shout = function () { return this.name.toUpperCase(); }; };
export const logged = (cls, name, log) => { const orig = cls.prototype[name]; cls.prototype[name] = function (...a) { log.push(name); return orig.apply(this, a); }; };
`,
    tests:
      head +
      `
import { revive, cloneOf, describe as tell, Pool, isInstance, tag, count, addMethods, logged } from 'solution';
class User { constructor(name, age) { this.name = name; this.age = age; } greet() { return \`hi \${this.name}\`; } get adult() { return this.age >= 18; } }
class Conn { static limit = 2; #open = true; constructor(id) { this.id = id; } reset() { this.#open = false; this.wasReset = true; } get open() { return this.#open; } }
test('revive', () => { const u = revive(User, '{"name":"a","age":20}'); assert.ok(u instanceof User); assert.equal(u.greet(), 'hi a'); assert.equal(u.adult, true); assert.deepEqual(u, new User('a', 20)); });
test('clone', () => { const u = new User('b', 3); const c = cloneOf(u); assert.notEqual(c, u); assert.deepEqual(c, u); assert.equal(c.greet(), 'hi b'); });
test('describe', () => { assert.deepEqual(tell(Conn), { name: 'Conn', statics: ['limit'], methods: ['constructor', 'reset', 'open'] }); });
test('pool', () => { const p = new Pool(Conn, 2); const c = p.take(); assert.equal(c.id, 1); assert.equal(c.open, true); p.give(c); assert.equal(c.open, false); assert.equal(p.take(), c); assert.ok(c instanceof Conn); });
test('isInstance', () => { assert.equal(isInstance(new Conn(1), Conn), true); assert.equal(isInstance(new User('x', 1), Conn), false); });
test('tag', () => { class A {} assert.equal(tag(A), A); assert.equal(A.tagged, true); });
test('count', () => { class A {} assert.equal(count(A), 1); assert.equal(count(A), 2); assert.equal(A.made, 2); });
test('add', () => { class A { name = 'x'; } addMethods(A); assert.equal(new A().shout(), 'X'); });
test('logged', () => { class A { run(n) { return n + 1; } } const log = []; logged(A, 'run', log); assert.equal(new A().run(2), 3); assert.deepEqual(log, ['run']); });
`,
    lacking: ['logged'],
  },
  {
    id: 'classes derived from those of the test',
    artifact: `
export const Stamped = (Base) => class extends Base { stamp = 7; describe() { return \`\${super.describe()}#\${this.stamp}\`; } get twice() { return this.x * 2; } };
export const Counting = (Base) => class Counting extends Base { static made = 0; constructor(...a) { super(...a); Counting.made += 1; } };
export class HttpError extends Error { constructor(status, message) { super(message); this.status = status; } }
export const classify = (e, table) => { for (const [kind, name] of table) if (e instanceof kind) return name; return 'unknown'; };
export const rethrow = (fn, Kind) => { try { return fn(); } catch (e) { throw new Kind(e.message, { cause: e }); } };
`,
    tests:
      head +
      `
import { Stamped, Counting, classify, rethrow } from 'solution';
class Point { #secret = 5; constructor(x, y) { this.x = x; this.y = y; } describe() { return \`(\${this.x},\${this.y})\`; } get secret() { return this.#secret; } }
test('stamped', () => { const P = Stamped(Point); const p = new P(1, 2); assert.ok(p instanceof Point); assert.equal(p.describe(), '(1,2)#7'); assert.equal(p.twice, 2); assert.equal(p.x, 1); p.x = 4; assert.equal(p.twice, 8); assert.equal(p.secret, 5); });
test('counting', () => { const P = Counting(Point); new P(1, 2); new P(1, 3); assert.equal(P.made, 2); assert.equal(P.name, 'Counting'); });
class NotFound extends Error { constructor(what) { super(\`\${what} not found\`); this.name = 'NotFound'; this.what = what; } get code() { return 404; } }
class Gone extends NotFound {}
test('classify', () => { assert.equal(classify(new Gone('x'), [[Gone, 'gone'], [NotFound, 'nf']]), 'gone'); assert.equal(classify(new NotFound('x'), [[Gone, 'gone'], [NotFound, 'nf']]), 'nf'); assert.equal(classify(new Error('y'), [[NotFound, 'nf']]), 'unknown'); });
class Wrapped extends Error { constructor(m, o) { super(\`wrapped: \${m}\`, o); this.name = 'Wrapped'; } }
test('rethrow', () => { const e = new NotFound('k'); assert.throws(() => rethrow(() => { throw e; }, Wrapped), (w) => w instanceof Wrapped && w.cause === e && w.message === 'wrapped: k not found'); assert.throws(() => rethrow(() => { throw e; }, Wrapped), { name: 'Wrapped' }); });
`,
  },
  {
    id: 'events of the test that are frozen and shown',
    artifact: `
import { inspect } from 'node:util';
export const freeze = (x) => Object.freeze(x);
export const tryChange = (x) => { x.a = 9; };
export const show = (x) => inspect(x);
export class Store { events = []; append(e) { this.events.push(Object.freeze(e)); return this.events.length; } of(kind) { return this.events.filter((e) => e instanceof kind); } types() { return this.events.map((e) => e.constructor.type ?? e.constructor.name); } }
`,
    tests:
      head +
      `
import { freeze, show, Store, tryChange } from 'solution';
class Opened { static type = 'opened'; constructor(owner) { this.owner = owner; this.at = new Date(0); } }
class Deposited { constructor(amount) { this.amount = amount; } double() { return this.amount * 2; } }
class A { constructor() { this.a = 1; } }
test('store', () => { const s = new Store(); const e = new Opened('x'); assert.equal(s.append(e), 1); s.append(new Deposited(5)); assert.ok(Object.isFrozen(e)); assert.throws(() => { e.owner = 'y'; }, TypeError); assert.equal(s.of(Opened)[0], e); assert.equal(s.of(Deposited)[0].double(), 10); assert.deepEqual(s.types(), ['opened', 'Deposited']); });
test('frozen', () => { const a = new A(); assert.equal(freeze(a), a); assert.throws(() => tryChange(a), TypeError); assert.equal(a.a, 1); });
test('shown', () => { assert.equal(show(new A()), 'A { a: 1 }'); assert.equal(show(freeze(new A())), 'A { a: 1 }'); });
`,
  },
  {
    id: 'errors with methods, unseen functions and one object in two places',
    artifact: `
export class SchemaError extends Error {
  constructor(issues) { super(issues.map((each) => each.text).join('; ')); this.name = 'SchemaError'; this.issues = issues; }
  flatten() { return Object.fromEntries(this.issues.map((each) => [each.path, each.text])); }
  at(path) { return this.issues.filter((each) => each.path === path).map((each) => each.text); }
}
export function check(value) { const issues = Object.keys(value).filter((key) => value[key] === '').map((path) => ({ path, text: 'is empty' })); if (issues.length > 0) throw new SchemaError(issues); return value; }
export const mixin = (target) => { const heard = []; Object.defineProperties(target, { on: { value: (fn) => { heard.push(fn); return target; } }, emit: { value: (...args) => { for (const fn of heard) fn(...args); return heard.length; } } }); return target; };
export class Machine {
  #context = Object.freeze({ opened: 0, visitors: [] });
  #listeners = [];
  get context() { return this.#context; }
  listen(fn) { this.#listeners.push(fn); }
  open(name) { this.#context = Object.freeze({ opened: this.#context.opened + 1, visitors: [...this.#context.visitors, name] }); for (const fn of this.#listeners) fn(this.#context); return this; }
}
export class Amount { constructor(cents) { this.cents = cents; } static from(text) { return new Amount(Math.round(Number(text) * 100)); } [Symbol.toPrimitive](hint) { return hint === 'string' ? (this.cents / 100).toFixed(2) : this.cents; } }
`,
    tests:
      head +
      `
import { Amount, check, Machine, mixin, SchemaError } from 'solution';
test('method of an error', () => { try { check({ a: '', b: 1, c: '' }); assert.fail('no error'); } catch (error) { assert.ok(error instanceof SchemaError); assert.deepEqual(error.flatten(), { a: 'is empty', c: 'is empty' }); assert.deepEqual(error.at('a'), ['is empty']); } });
test('in a check of throws', () => { assert.throws(() => check({ a: '' }), (error) => { assert.deepEqual(error.flatten(), { a: 'is empty' }); return true; }); });
test('of an error of the test', () => { assert.deepEqual(new SchemaError([{ path: 'x', text: 'is odd' }]).flatten(), { x: 'is odd' }); });
test('unseen', () => { const box = { name: 'box' }; const seen = []; assert.equal(mixin(box), box); assert.deepEqual(Object.keys(box), ['name']); assert.equal(box.on((value) => seen.push(value)), box); assert.equal(box.emit(3), 1); assert.deepEqual(seen, [3]); });
test('one object', () => { const machine = new Machine(); const seen = []; machine.listen((context) => seen.push(context)); machine.open('Ann').open('Bob'); assert.equal(seen[1], machine.context); assert.notEqual(seen[0], machine.context); assert.deepEqual(seen.map(({ opened }) => opened), [1, 2]); assert.deepEqual(machine.context.visitors, ['Ann', 'Bob']); });
test('number', () => { assert.equal(+Amount.from('4.20'), 420); assert.equal(\`\${Amount.from('4.2')}\`, '4.20'); });
`,
  },
  {
    id: 'classes of the test that extend those of the artifact',
    artifact: `
export class LinkedList {
  #items = []; static kind = 'list';
  constructor(...items) { this.name = 'list'; for (const each of items) this.push(each); this.ready?.(); }
  push(x) { this.#items.push(this.wrap(x)); return this; }
  wrap(x) { return x; }
  pop() { return this.#items.pop(); }
  get size() { return this.#items.length; }
  toArray() { return [...this.#items]; }
  map(fn) { return new this.constructor(...this.#items.map(fn)); }
  [Symbol.iterator]() { return this.#items[Symbol.iterator](); }
  describe() { return \`\${this.constructor.name}(\${this.toArray().join(', ')})\`; }
  static of(...xs) { return new this(...xs); }
}
export class AppError extends Error { constructor(m, code) { super(m); this.name = new.target.name; this.code = code; } toObject() { return { name: this.name, code: this.code, message: this.message }; } }
export const run = (fn) => { try { return fn(); } catch (e) { return e instanceof AppError ? e.toObject() : 'other'; } };
export class Plugin { static all = []; static register(cls) { Plugin.all.push(cls); return cls; } setup() { throw new Error('not implemented'); } run(x) { return this.setup(x) + 1; } }
export const runAll = (x) => Plugin.all.map((C) => new C().run(x));
`,
    tests:
      head +
      `
import { LinkedList, AppError, run, Plugin, runAll } from 'solution';
class Stack extends LinkedList { #peeks = 0; peek() { this.#peeks += 1; return this.toArray().at(-1); } get peeks() { return this.#peeks; } }
test('sub', () => { const s = new Stack(1, 2); assert.ok(s instanceof Stack); assert.ok(s instanceof LinkedList); assert.equal(s.size, 2); s.push(3); assert.equal(s.peek(), 3); assert.equal(s.peeks, 1); assert.deepEqual([...s], [1, 2, 3]); assert.equal(s.describe(), 'Stack(1, 2, 3)'); assert.equal(s.name, 'list'); });
test('map', () => { const s = new Stack(1, 2).map((x) => x * 2); assert.ok(s instanceof Stack); assert.equal(s.peek(), 4); });
test('static', () => { assert.equal(Stack.kind, 'list'); assert.ok(Stack.of(1) instanceof Stack); });
class Doubling extends LinkedList { constructor(...a) { super(...a); this.extra = a.length; } wrap(x) { return super.wrap(x) * 2; } ready() { this.isReady = true; } }
test('override', () => { const d = new Doubling(1, 2); assert.deepEqual(d.toArray(), [2, 4]); assert.equal(d.extra, 2); assert.equal(d.isReady, true); d.push(5); assert.equal(d.pop(), 10); });
class NotFound extends AppError { constructor(what) { super(\`\${what} not found\`, 404); this.what = what; } }
test('errors', () => { const e = new NotFound('x'); assert.equal(e.message, 'x not found'); assert.equal(e.name, 'NotFound'); assert.equal(e.code, 404); assert.equal(e.what, 'x'); assert.ok(e instanceof AppError && e instanceof Error); assert.deepEqual(run(() => { throw e; }), { name: 'NotFound', code: 404, message: 'x not found' }); assert.throws(() => { throw new NotFound('y'); }, { name: 'NotFound', code: 404 }); });
test('plugins', () => { class A extends Plugin { setup(x) { return x * 10; } } class B extends Plugin {} Plugin.register(A); assert.deepEqual(runAll(2), [21]); assert.throws(() => new B().run(1), /not implemented/); });
`,
  },
];
