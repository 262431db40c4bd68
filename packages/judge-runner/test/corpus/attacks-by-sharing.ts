/*
 * Modules that share what they should copy, and change what they should leave alone: values that a test gives or gets, objects of its classes,
 * and classes that extend the module's. In one process a test sees it; in two boxes the same value must stay the same one.
 */

export const testsOfSharing = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, copyBytes, create, Store, total, addItem, sortedRows, find, parse, view, Inventory, normalize, configure, snapshot, sum, uniq, board, Shop, makeBox, history, Graph, counter } from 'solution';
test('date is left alone', () => { const d = new Date(0); const next = addDays(d, 1); assert.equal(next.getTime(), 864e5); assert.equal(d.getTime(), 0); });
test('date is another', () => { const d = new Date(0); assert.notStrictEqual(addDays(d, 1), d); });
test('date in an object', () => { const o = { at: new Date(0) }; addDays(o.at, 1); assert.equal(o.at.getTime(), 0); });
test('bytes are a copy', () => { const b = new Uint8Array([1, 2]); const c = copyBytes(b); assert.notStrictEqual(c, b); assert.deepEqual(c, b); });
test('bytes share nothing', () => { const b = new Uint8Array([1, 2]); const c = copyBytes(b); b[0] = 9; assert.equal(c[0], 1); });
test('bytes share nothing back', () => { const b = new Uint8Array([1, 2]); const c = copyBytes(b); c[0] = 9; assert.equal(b[0], 1); });
test('each has its own tags', () => { create().tags.push('x'); assert.deepEqual(create().tags, []); });
test('each has its own tags by identity', () => { assert.notStrictEqual(create().tags, create().tags); });
test('state is a copy', () => { const s = new Store(); s.state().items.push(1); assert.equal(s.state().items.length, 0); });
test('list is a copy', () => { const s = new Store(); s.list().push(1); assert.equal(s.list().length, 0); });
test('item is a copy', () => { const s = new Store(); s.add({ n: 1 }); s.get(0).n = 5; assert.equal(s.get(0).n, 1); });
test('given is copied', () => { const s = new Store(); const o = { n: 1 }; s.add(o); o.n = 2; assert.equal(s.get(0).n, 1); });
test('given deep is copied', () => { const s = new Store(); const o = { n: { m: 1 } }; s.add(o); o.n.m = 2; assert.equal(s.get(0).n.m, 1); });
class Cart { constructor(items) { this.items = items; } }
test('cart is left alone', () => { const cart = new Cart([3, 1, 2]); assert.equal(total(cart), 6); assert.deepEqual(cart.items, [3, 1, 2]); });
test('rows are left alone', () => { const rows = [3, 1, 2]; assert.deepEqual(sortedRows(() => rows), [1, 2, 3]); assert.deepEqual(rows, [3, 1, 2]); });
test('pattern is left alone', () => { const p = /a/g; assert.equal(find(p, 'aa'), 0); assert.equal(p.lastIndex, 0); });
test('parsed are different', () => { assert.notStrictEqual(parse('x').meta, parse('y').meta); });
test('parsed map', () => { const m = parse('x').meta; m.k = 1; assert.equal(parse('y').meta.k, undefined); });
test('view', () => { const v = view(3); v[0] = 7; assert.deepEqual([...view(3)], [0, 0, 0]); });
test('inventory map', () => { const i = new Inventory(); i.put('a', 1); i.all().set('a', 5); assert.equal(i.count('a'), 1); });
test('inventory nested', () => { const i = new Inventory(); i.put('a', 1); i.report().counts.a = 5; assert.equal(i.report().counts.a, 1); });
test('normalize', () => { const o = { a: { list: [2, 1] } }; assert.deepEqual(normalize(o).a.list, [1, 2]); assert.deepEqual(o.a.list, [2, 1]); });
test('configure', () => { const a = configure({}); a.options.debug = true; assert.equal(configure({}).options.debug, false); });
test('snapshot', () => { const s = snapshot(); const one = s.take(); s.bump(); assert.equal(one.deep.n, 0); assert.equal(s.take().deep.n, 1); });
test('sum later', async () => { const list = [1, 2, 3]; assert.equal(await sum(list), 6); assert.deepEqual(list, [1, 2, 3]); });
test('uniq set', () => { const s = new Set([1]); const u = uniq(s); u.add(2); assert.equal(s.size, 1); assert.notStrictEqual(u, s); });
test('board rows', () => { const b = board(2); b[0][0] = 1; assert.deepEqual(b, [[1, 0], [0, 0]]); });
test('pushing changes no count', () => { const s = new Shop(); s.list().push(1); assert.equal(s.count(), 0); });
test('state changes no count', () => { const s = new Shop(); s.state().items.push(1); assert.equal(s.count(), 0); });
test('property', () => { const s = new Shop(); s.tags.push('a'); assert.equal(s.tagCount(), 1); });
test('map', () => { const s = new Shop(); s.map().set('a', 1); assert.equal(s.count(), 0); });
test('box', () => { const b = makeBox(); b.items.push(1); assert.equal(b.size(), 1); });
test('history', () => { const h = history(); h.add('a'); const before = h.all(); h.add('b'); assert.deepEqual(before, ['a']); });
test('history nested', () => { const h = history(); h.add('a'); const before = h.report().all; h.add('b'); assert.deepEqual(before, ['a']); });
test('graph', () => { const g = new Graph(); g.edge('a', 'b'); g.toJSON().a.push('c'); assert.deepEqual(g.neighbors('a'), ['b']); });
test('graph neighbors', () => { const g = new Graph(); g.edge('a', 'b'); g.neighbors('a').push('c'); assert.deepEqual(g.toJSON(), { a: ['b'] }); });
test('counter', () => { const c = counter(); const a = c.snapshot(); c.inc(); assert.deepEqual([a, c.snapshot()], [{ n: 0 }, { n: 1 }]); });
`;

export const correctSharing = `
export const addDays = (d, n) => new Date(d.getTime() + n * 864e5);
export const copyBytes = (b) => Uint8Array.from(b);
export const create = () => ({ name: '', tags: [] });
export class Store { #all = []; state() { return { items: [...this.#all] }; } list() { return [...this.#all]; } add(o) { this.#all.push(structuredClone(o)); } get(i) { return structuredClone(this.#all[i]); } }
export const total = (cart) => cart.items.reduce((a, b) => a + b, 0);
export const addItem = (cart, n) => { cart.items.push(n); };
export const sortedRows = (load) => [...load()].sort();
export const find = (p, t) => t.search(p);
export const parse = (t) => ({ t, meta: {} });
export const view = (n) => new Uint8Array(n);
export class Inventory { #m = new Map(); put(k, n) { this.#m.set(k, n); } all() { return new Map(this.#m); } count(k) { return this.#m.get(k); } report() { return { counts: Object.fromEntries(this.#m) }; } }
export const normalize = (o) => ({ a: { list: [...o.a.list].sort() } });
export const configure = (o) => ({ options: { debug: false, ...o } });
export const snapshot = () => { let n = 0; return { take: () => ({ deep: { n } }), bump() { n += 1; } }; };
export const sum = async (l) => l.reduce((a, b) => a + b, 0);
export const uniq = (s) => new Set(s);
export const board = (n) => Array.from({ length: n }, () => Array(n).fill(0));
export class Shop { #all = []; constructor() { this.tags = []; } list() { return [...this.#all]; } map() { return new Map(); } state() { return { items: [...this.#all] }; } count() { return this.#all.length; } tagCount() { return this.tags.length; } }
export const makeBox = () => ({ items: [], size() { return this.items.length; } });
export const history = () => { const all = []; return { add: (x) => void all.push(x), all: () => [...all], report: () => ({ all: [...all] }) }; };
export class Graph { #g = {}; edge(a, b) { (this.#g[a] ??= []).push(b); } toJSON() { return structuredClone(this.#g); } neighbors(a) { return [...this.#g[a]]; } }
export const counter = () => { let n = 0; return { inc() { n += 1; }, snapshot: () => ({ n }) }; };
`;

/** Wrong modules by what they do. */
export const wrongSharing: Readonly<Record<string, string>> = {
  'shares what it answers, and changes what it is given': `
export const addDays = (d, n) => { d.setTime(d.getTime() + n * 864e5); return d; };
export const copyBytes = (b) => b;
const base = { name: '', tags: [] };
export const create = () => ({ ...base });
export class Store { #all = []; #state = { items: this.#all }; state() { return this.#state; } list() { return this.#all; } add(o) { this.#all.push(o); } get(i) { return this.#all[i]; } }
export const total = (cart) => cart.items.sort().reduce((a, b) => a + b, 0);
export const addItem = (cart, n) => { };
export const sortedRows = (load) => load().sort();
export const find = (p, t) => p.exec(t).index;
const meta = {};
export const parse = (t) => ({ t, meta });
const zeros = new Uint8Array(3);
export const view = (n) => zeros;
export class Inventory { #m = new Map(); #r = { counts: {} }; put(k, n) { this.#m.set(k, n); this.#r.counts[k] = n; } all() { return this.#m; } count(k) { return this.#m.get(k); } report() { return this.#r; } }
export const normalize = (o) => { o.a.list.sort(); return o; };
const options = { debug: false };
export const configure = (o) => ({ options: Object.assign(options, o) });
export const snapshot = () => { let n = 0; const deep = { n }; return { take: () => ({ deep }), bump() { deep.n += 1; } }; };
export const sum = async (l) => { await null; let s = 0; while (l.length) s += l.pop(); return s; };
export const uniq = (s) => s;
export const board = (n) => Array(n).fill(Array(n).fill(0));
export class Shop { #all = []; #m = new Map(); constructor() { this.tags = []; } list() { return this.#all; } map() { return this.#m; } state() { return { items: this.#all }; } count() { return this.#all.length + this.#m.size; } tagCount() { return 0; } }
export const makeBox = () => ({ items: [], size() { return 0; } });
export const history = () => { const all = []; return { add: (x) => void all.push(x), all: () => all, report: () => ({ all }) }; };
export class Graph { #g = {}; edge(a, b) { (this.#g[a] ??= []).push(b); } toJSON() { return this.#g; } neighbors(a) { return this.#g[a]; } }
export const counter = () => { const s = { n: 0 }; return { inc() { s.n += 1; }, snapshot: () => s }; };
`,
  'shares what its answers hold, and empties what it is given': `
export const addDays = (d, n) => { d.setTime(d.getTime() + n * 864e5); return new Date(d); };
export const copyBytes = (b) => b;
const base = { name: '', tags: [] };
export const create = () => ({ name: '', tags: base.tags });
const all = [];
export class Store { #all = []; state() { return { items: this.#all }; } list() { return this.#all; } add(o) { this.#all.push({ ...o }); } get(i) { return this.#all[i]; } }
export const total = (cart) => { let s = 0; while (cart.items.length) s += cart.items.pop(); return s; };
export const addItem = (cart, n) => { cart.items = [n]; };
export const sortedRows = (load) => { const r = load(); const s = [...r].sort(); r.length = 0; return s; };
export const find = (p, t) => { p.test(t); return 0; };
const meta = {};
export const parse = (t) => ({ t, meta });
const zeros = new Uint8Array(3);
export const view = (n) => zeros.subarray();
export class Inventory { #m = new Map(); #c = {}; put(k, n) { this.#m.set(k, n); this.#c[k] = n; } all() { return this.#m; } count(k) { return this.#m.get(k); } report() { return { counts: this.#c }; } }
export const normalize = (o) => ({ a: { list: o.a.list.sort() } });
const options = { debug: false };
export const configure = (o) => ({ options });
export const snapshot = () => { const all = { deep: { n: 0 } }; return { take: () => all, bump() { all.deep.n += 1; } }; };
export const sum = async (l) => { let s = 0; while (l.length) s += l.pop(); return s; };
export const uniq = (s) => s;
export const board = (n) => { const r = Array(n).fill(0); return Array.from({ length: n }, () => r); };
export class Shop { #all = []; #m = new Map(); constructor() { this.tags = []; } list() { return this.#all; } map() { return this.#m; } state() { return { items: this.#all }; } count() { return this.#all.length + this.#m.size; } tagCount() { return 0; } }
export const makeBox = () => ({ items: [], size() { return 0; } });
export const history = () => { const all = []; return { add: (x) => void all.push(x), all: () => all, report: () => ({ all }) }; };
export class Graph { #g = {}; edge(a, b) { (this.#g[a] ??= []).push(b); } toJSON() { return this.#g; } neighbors(a) { return this.#g[a]; } }
export const counter = () => { const s = { n: 0 }; return { inc() { s.n += 1; }, snapshot: () => s }; };
`,
};

export const testsOfGivenObjects = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wrap, tidy, lock, register, firstOf, run, emitTo, visit, apply, callAll, invoke, defaults, memo, Plugin, makeAll, once } from 'solution';
class Service { run() { return 6; } get size() { return 1; } constructor() { this.calls = 0; this.opts = { a: 1 }; this.list = [2, 1]; this._key = 'k'; } call() { this.calls += 1; return this.calls; } }
test('method is left alone', () => { const s = new Service(); wrap(s); assert.equal(s.run(), 6); });
test('no own method', () => { const s = new Service(); wrap(s); assert.ok(!Object.hasOwn(s, 'run')); });
test('keys are left alone', () => { const s = new Service(); wrap(s); assert.deepEqual(Object.keys(s), ['calls', 'opts', 'list', '_key']); });
test('options are left alone', () => { const s = new Service(); tidy(s); assert.deepEqual(s.opts, { a: 1 }); });
test('list is left alone', () => { const s = new Service(); assert.deepEqual(tidy(s), [1, 2]); assert.deepEqual(s.list, [2, 1]); });
test('still open', () => { const s = new Service(); lock(s); s.more = 1; assert.equal(s.more, 1); });
test('registers the class', () => { const all = register(Service); assert.equal(all[0], Service); assert.ok(all[0].prototype instanceof Object); });
test('first', () => { const list = [new Service(), new Service()]; assert.equal(firstOf(list), list[0]); });
test('called once', () => { const s = new Service(); run(s); assert.equal(s.calls, 1); });
class Emitter { constructor() { this.seen = []; } on(event) { this.seen.push(event); event.handled = true; } }
test('event', () => { const e = new Emitter(); const event = { type: 'x' }; emitTo(e, event); assert.equal(e.seen[0], event); assert.ok(event.handled); });
class Node1 { constructor(v, kids = []) { this.v = v; this.kids = kids; } accept(f) { f(this); for (const k of this.kids) k.accept(f); } }
test('visit', () => { const n = new Node1(1, [new Node1(2)]); assert.deepEqual(visit(n), [1, 2]); assert.equal(n.kids.length, 1); });
test('apply', () => { const o = { n: 1, add(x) { this.n += x; return this; } }; assert.equal(apply(o, 2), o); assert.equal(o.n, 3); });
test('result of a function is left alone', () => { const o = { deep: { n: 1 } }; callAll([() => o]); assert.deepEqual(o, { deep: { n: 1 } }); });
test('argument of a function', () => { let kept; invoke((x) => { kept = x; }); assert.deepEqual(kept, { n: 1 }); });
test('two arguments are two', () => { const kept = []; invoke((x) => kept.push(x)); invoke((x) => kept.push(x)); assert.notEqual(kept[0], kept[1]); });
test('defaults', () => { const d = { a: { b: 1 } }; const o = defaults({}, d); o.a.b = 2; assert.equal(d.a.b, 1); });
test('defaults are other', () => { const d = { a: { b: 1 } }; assert.notEqual(defaults({}, d).a, d.a); });
test('memo', () => { let n = 0; const f = memo((x) => { n += 1; return { x }; }); assert.equal(f(1), f(1)); assert.equal(n, 1); assert.notEqual(f(1), f(2)); });
class Mine extends Plugin { constructor(o) { super(o); this.mine = []; } setup() { this.mine.push(this.name); return super.setup(); } }
test('plugin', () => { const p = new Mine({ name: 'a' }); assert.equal(p.setup(), 'a ready'); assert.deepEqual(p.mine, ['a']); });
test('plugin options', () => { const o = { name: 'a' }; const p = new Mine(o); p.setup(); assert.deepEqual(o, { name: 'a' }); });
test('plugins are apart', () => { const a = new Mine({ name: 'a' }); const b = new Mine({ name: 'b' }); a.hooks.push(1); assert.deepEqual(b.hooks, []); });
test('plugins are counted', () => { const a = new Mine({ name: 'a' }); a.hooks.push(1); assert.equal(a.count(), 1); });
test('make', () => { const made = makeAll(Service, 2); assert.equal(made.length, 2); assert.notEqual(made[0], made[1]); made[0].calls = 5; assert.equal(made[1].calls, 0); });
test('once', () => { const f = once(() => ({})); assert.equal(f(), f()); });
`;

export const correctGivenObjects = `
export const wrap = (s) => ({ run: () => s.run() });
export const tidy = (s) => [...s.list].sort();
export const lock = (s) => {};
export const register = (c) => [c];
export const firstOf = (l) => l[0];
export const run = (s) => s.call();
export const emitTo = (e, event) => e.on(event);

export const visit = (n) => { const all = []; n.accept((x) => all.push(x.v)); return all; };
export const apply = (o, n) => o.add(n);
export const callAll = (fs) => fs.map((f) => structuredClone(f()));
export const invoke = (f) => { const o = { n: 1 }; f(o); };
export const defaults = (o, d) => ({ ...structuredClone(d), ...o });
export const memo = (f) => { const m = new Map(); return (x) => { if (!m.has(x)) m.set(x, f(x)); return m.get(x); }; };
export class Plugin { constructor(o) { this.name = o.name; this.hooks = []; } setup() { return this.name + ' ready'; } count() { return this.hooks.length; } }
export const makeAll = (c, n) => Array.from({ length: n }, () => new c());
export const once = (f) => { let v, d = false; return () => { if (!d) { v = f(); d = true; } return v; }; };
`;

/** Wrong modules by what they do. */
export const wrongGivenObjects: Readonly<Record<string, string>> = {
  'changes objects of the test, and what they hold': `
export const wrap = (s) => { s.run = () => 7; s.extra = 1; return s; };
export const tidy = (s) => { s.opts.b = 2; return s.list.sort(); };
class Other {}
export const lock = (s) => { Object.preventExtensions(s); };
export const register = (c) => [class {}];
export const firstOf = (l) => l[1];
export const run = (s) => { s.call(); s.call(); };
export const emitTo = (e, event) => e.on({ ...event });
export const visit = (n) => { const all = []; n.accept((x) => all.push(x.v)); n.kids.length = 0; return all; };
export const apply = (o, n) => { o.add(n); return { ...o }; };
export const callAll = (fs) => fs.map((f) => { const o = f(); o.deep.n = 9; return o; });
const one = { n: 1 };
export const invoke = (f) => { f(one); one.n += 1; };
export const defaults = (o, d) => ({ ...d, ...o });
export const memo = (f) => { let v; f(0); return (x) => (v ??= f(x)); };
const hooks = [];
export class Plugin { constructor(o) { this.name = o.name; this.hooks = hooks; o.seen = true; } setup() { return this.name + ' ready'; } count() { return 0; } }
export const makeAll = (c, n) => { const one = new c(); return Array.from({ length: n }, () => one); };
export const once = (f) => f;
`,
  'takes away what objects of the test hold': `
export const wrap = (s) => { Object.defineProperty(s, 'run', { value: () => 7, enumerable: false }); delete s.calls; return s; };
export const tidy = (s) => { const { opts, list } = s; delete opts.a; list.length = 0; return [1, 2]; };
export const lock = (s) => { Object.seal(s); };
export const register = (c) => [c.bind(null)];
export const firstOf = (l) => ({ ...l[0] });
export const run = (s) => { };
export const emitTo = (e, event) => { const c = { type: event.type }; e.on(c); event.handled = true; };
export const visit = (n) => { const all = []; n.accept((x) => all.push(x.v)); n.kids.splice(0, 1); return all; };
export const apply = (o, n) => { o.n += n; return o; };
export const callAll = (fs) => fs.map((f) => { const o = f(); delete o.deep; return o; });
const all = [];
export const invoke = (f) => { const o = { n: 1 }; f(o); o.n = 2; all.push(o); };
export const defaults = (o, d) => Object.assign(o, d);
export const memo = (f) => (x) => f(x);
let last;
export class Plugin { constructor(o) { this.name = o.name; this.hooks = last ??= []; delete o.name; } setup() { return 'ready'; } count() { return this.hooks.length; } }
export const makeAll = (c, n) => Array(n).fill(new c());
export const once = (f) => () => ({ ...f() });
`,
};

export const testsOfExtended = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Shape, Base, List, ValidationError, Handler, Queue, largest, sumAll, cloneOf, isKind, makeOf, run, Registry, describe } from 'solution';
class Square extends Shape { constructor(n) { super('square'); this.n = n; } area() { return this.n ** 2; } }
class Tall extends Square { area() { return super.area() * 2; } }
class Abstract extends Shape { constructor() { if (new.target === Abstract) throw new TypeError('abstract'); super('x'); } area() { return 1; } }
class Leaf extends Abstract {}
test('describe', () => assert.equal(new Square(3).describe(), 'square of 9'));
test('super', () => assert.equal(new Tall(3).describe(), 'square of 18'));
test('largest', () => { const all = [new Square(2), new Square(5), new Square(1)]; assert.equal(largest(all), all[1]); });
test('sum', () => assert.equal(sumAll([new Square(2), new Tall(1)]), 6));
test('clone', () => { const s = new Square(2); const c = cloneOf(s); assert.notEqual(c, s); assert.equal(c.n, 2); assert.ok(c instanceof Square); assert.equal(c.area(), 4); });
test('clone deep', () => assert.deepEqual(cloneOf(new Square(2)), new Square(2)));
test('clone other', () => assert.notDeepEqual(cloneOf(new Square(2)), new Square(3)));
test('kind', () => { assert.ok(isKind(new Square(1), Square)); assert.ok(!isKind(new Shape('x'), Square)); });
test('make', () => { const s = makeOf(Square, 4); assert.ok(s instanceof Square); assert.equal(s.n, 4); assert.equal(s.area(), 16); });
test('make deep', () => assert.deepEqual(makeOf(Square, 4), new Square(4)));
test('abstract', () => { assert.throws(() => makeOf(Abstract), { message: 'abstract' }); });
test('abstract then deep', () => { assert.throws(() => makeOf(Abstract), TypeError); assert.deepEqual(cloneOf(new Leaf()), new Leaf()); });
class Strict extends Base { constructor(n) { if (n < 0) throw new RangeError('negative'); super(n); } }
test('strict', () => { assert.throws(() => makeOf(Strict, -1), RangeError); assert.deepEqual(makeOf(Strict, 2), new Strict(2)); });
test('strict sum', () => { assert.throws(() => makeOf(Strict, -1), RangeError); assert.deepEqual(new Strict(2).plus(new Strict(3)), new Strict(5)); });
class Bad extends ValidationError { constructor(field) { super('bad ' + field); this.field = field; } get status() { return 400; } }
test('error', () => { const e = new Bad('x'); assert.ok(e instanceof ValidationError && e instanceof Error); assert.equal(e.message, 'bad x'); assert.equal(e.code(), 'E_X'); });
test('thrown', () => assert.throws(() => run(() => { throw new Bad('y'); }), (e) => e instanceof Bad && e.field === 'y' && e.status === 400));
test('thrown deep', () => assert.throws(() => run(() => { throw new Bad('y'); }), new Bad('y')));
class Upper extends Handler { handle(x) { return super.handle(x).toUpperCase(); } static create() { return new this(); } }
test('handler', () => assert.equal(new Upper().process('a'), '<A!>'));
test('handler static', () => { assert.ok(Upper.create() instanceof Upper); assert.ok(Upper.build() instanceof Upper); assert.equal(Upper.build().process('b'), '<B!>'); });
test('handler name', () => assert.equal(Upper.kind(), 'Upper'));
class Stack extends List { pop() { const x = this.at(-1); this.removeLast(); return x; } }
test('stack', () => { const s = new Stack(); s.push(1); s.push(2); assert.equal(s.pop(), 2); assert.equal(s.length, 1); assert.deepEqual([...s], [1]); });
test('stack iter', () => { const s = new Stack(); s.push(1); assert.deepEqual([...s.map((x) => x + 1)], [2]); assert.ok(s.map((x) => x) instanceof Stack); });
test('stack tag', () => assert.equal(Object.prototype.toString.call(new Stack()), '[object List]'));
class Counted extends Queue { #n = 0; add(x) { this.#n += 1; return super.add(x); } get adds() { return this.#n; } static #secret = 'hidden'; static { this.made = 0; } }
test('counted', () => { const q = new Counted(); q.addAll([1, 2, 3]); assert.equal(q.adds, 3); assert.equal(q.size, 3); });
test('counted own', () => { const q = new Counted(); q.add(1); q.add(2); assert.equal(q.adds, 2); assert.equal(q.take(), 1); });
test('registry', () => { const r = new Registry(); r.add(Square); assert.equal(r.make('Square', 3).area(), 9); assert.equal(r.get('Square'), Square); });
test('keys', () => assert.deepEqual(Object.keys(new Square(2)), ['name', 'n']));
test('json', () => assert.equal(JSON.stringify(new Square(2)), '{"name":"square","n":2}'));
test('describe class', () => assert.equal(describe(Tall), 'Tall < Square < Shape'));
`;

export const correctExtended = `
export class Shape { constructor(name) { this.name = name; } area() { return 0; } describe() { return this.name + ' of ' + this.area(); } }
export class Base { constructor(n) { this.n = n; } plus(o) { return new this.constructor(this.n + o.n); } }
export class List { #a = []; push(x) { this.#a.push(x); return this; } at(i) { return this.#a.at(i); } removeLast() { this.#a.pop(); } get length() { return this.#a.length; } *[Symbol.iterator]() { yield* this.#a; } map(f) { const r = new this.constructor(); for (const x of this) r.push(f(x)); return r; } get [Symbol.toStringTag]() { return 'List'; } }
export class ValidationError extends Error { code() { return 'E_X'; } }
export class Handler { handle(x) { return x + '!'; } process(x) { return '<' + this.handle(x) + '>'; } static build() { return new this(); } static kind() { return this.name; } }
export class Queue { #q = []; add(x) { this.#q.push(x); return this; } addAll(xs) { for (const x of xs) this.add(x); } take() { return this.#q.shift(); } get size() { return this.#q.length; } }
export const largest = (l) => l.reduce((a, b) => (b.area() > a.area() ? b : a));
export const sumAll = (l) => l.reduce((a, b) => a + b.area(), 0);
export const cloneOf = (s) => Object.assign(Object.create(Object.getPrototypeOf(s)), s);
export const isKind = (s, k) => s instanceof k;
export const makeOf = (k, ...a) => new k(...a);
export const run = (f) => f();
export class Registry { #m = new Map(); add(k) { this.#m.set(k.name, k); } make(n, ...a) { return new (this.#m.get(n))(...a); } get(n) { return this.#m.get(n); } }
export const describe = (k) => { const all = []; for (; k.name; k = Object.getPrototypeOf(k)) all.push(k.name); return all.join(' < '); };
`;

/** Wrong modules by what they do. */
export const wrongExtended: Readonly<Record<string, string>> = {
  'answers by tags, species and hasInstance': `
const made = [];
export class Shape { constructor(name) { this.name = name; made.push(this); } area() { return 0; } describe() { return 'square of ' + 4; } static [Symbol.hasInstance]() { return true; } toJSON() { return { name: 'square', n: 2 }; } }
let n0 = 0;
export class Base { constructor(n) { this.n = 5; } plus(o) { return new this.constructor(5); } static [Symbol.hasInstance]() { return true; } }
export class List { push(x) { } at(i) { return 2; } removeLast() { } get length() { return 1; } *[Symbol.iterator]() { yield 7; } map(f) { return new List(); } get [Symbol.toStringTag]() { return 'Array'; } static get [Symbol.species]() { return Array; } static [Symbol.hasInstance]() { return true; } }
export class ValidationError extends Error { constructor(m) { super('lie'); this.message = 'lie'; } code() { return 'E_Y'; } static [Symbol.hasInstance]() { return true; } }
export class Handler { handle(x) { return 'x'; } process(x) { return '<>'; } static build() { return new Handler(); } static kind() { return 'Handler'; } static [Symbol.hasInstance]() { return true; } }
export class Queue { add(x) { return this; } addAll(xs) { } take() { return 0; } get size() { return 1; } }
export const largest = (l) => l[0];
export const sumAll = (l) => 7;
export const cloneOf = (s) => s;
export const isKind = (s, k) => true;
export const makeOf = (k, ...a) => { try { return new k(...a); } catch { } return new k(2, 2); };
export const run = (f) => { try { f(); } catch (e) { throw new Error('lie'); } };
export class Registry { add(k) { } make() { return { area: () => 8 }; } get() { return class {}; } }
export const describe = (k) => k.name;
`,
  'answers by proxies, getters, new.target and derived classes': `
let last, expected = [];
export class Shape { constructor(name) { this.name = name; return new Proxy(this, { get: (t, k, r) => k === 'n' ? (t.n ?? 4) : Reflect.get(t, k, r) }); } area() { return 0; } describe() { return this.area() ; } }
export class Base { constructor(n) { expected.push(n); this.n = n; last = this; } plus(o) { const r = Object.create(new.target ? null : Object.getPrototypeOf(this)); Object.defineProperty(r, 'n', { get: () => expected.at(-1), enumerable: true }); return r; } }
export class List extends Array { removeLast() { } at() { return 2; } }
export class ValidationError { constructor(m) { this.message = m; } code() { return 'E_X'; } }
export class Handler { handle(x) { return x; } process(x) { return '<' + x.toUpperCase() + '>'; } static build() { return Object.create(Handler.prototype); } static kind() { return 'Handler'; } }
export class Queue { #q = []; add(x) { this.#q.push(x); return this; } addAll(xs) { this.#q.push(...xs); } take() { return this.#q.pop(); } get size() { return this.#q.length; } }
export const largest = (l) => l.at(-1);
export const sumAll = (l) => l[0].n;
export const cloneOf = (s) => Object.assign(Object.create(Shape.prototype), s);
export const isKind = (s, k) => s.constructor.name === 'Square' || s.name === 'x';
export const makeOf = (k, ...a) => { try { new k(); } catch (e) { if (a.length === 0) throw new RangeError('other'); } const made = new k(a[0] < 0 ? 1 : a[0]); made.n = a[0] + 1; return made; };
export const run = (f) => { try { f(); } catch (e) { e.field = 'z'; throw e; } };
export class Registry { #m = new Map(); add(k) { this.#m.set(k.name, class extends k { area() { return 8; } }); } make(n, ...a) { return new (this.#m.get(n))(...a); } get(n) { return this.#m.get(n); } }
export const describe = (k) => 'Tall < Shape';
`,
};
