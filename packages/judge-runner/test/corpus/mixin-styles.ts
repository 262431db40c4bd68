/* Tests that give their own objects and classes functions of the artifact's plain objects: mixins, and prototypes that they inherit from. */

import type { StylesCase } from './program-styles.ts';

const head = `import assert from 'node:assert/strict';
import { test } from 'node:test';
`;

export const mixinStyles: readonly StylesCase[] = [
  {
    id: 'mixins of a class',
    references: ['methods'],
    isLying: true,
    tests: `${head}import { flying, swimming } from 'solution';
class Bird { constructor(name) { this.name = name; this.altitude = 0; } own() { return this.name; } }
Object.assign(Bird.prototype, flying);
class Duck extends Bird {}
Object.assign(Duck.prototype, swimming);
test('flies', () => { const b = new Bird('tit'); assert.equal(b.fly(10), 'tit flies at 10'); assert.equal(b.altitude, 10); b.land(); assert.equal(b.altitude, 0); assert.equal(b.own(), 'tit'); });
test('apart', () => { const a = new Bird('a'); const b = new Bird('b'); a.fly(3); b.fly(5); assert.equal(a.altitude, 3); assert.equal(b.altitude, 5); assert.deepEqual(a, Object.assign(new Bird('a'), { altitude: 3 })); });
test('both', () => { const d = new Duck('d'); assert.equal(d.fly(2), 'd flies at 2'); d.swim(); assert.ok(d.log.includes('swim')); assert.equal(d.log.length, 1); assert.ok(!d.log.includes('fly')); });
test('chains', () => { const d = new Duck('d'); assert.equal(d.dive(3).dive(4), d); assert.equal(d.depth, 7); assert.equal(JSON.stringify(d), '{"name":"d","altitude":0,"depth":7}'); });
test('has them', () => { assert.ok('fly' in new Bird('x')); assert.equal(typeof new Bird('x').fly, 'function'); assert.equal(new Bird('x').swim, undefined); });
`,
    styles: {
      methods: `export const flying = { fly(h) { this.altitude = h; return \`\${this.name} flies at \${h}\`; }, land() { this.altitude = 0; } };
export const swimming = { swim() { (this.log ??= []).push('swim'); }, dive(n) { this.depth = (this.depth ?? 0) + n; return this; } };`,
      frozen: `export const flying = Object.freeze({ fly: function (h) { this.altitude = h; return this.own() + ' flies at ' + h; }, land() { this.fly(0); } });
export const swimming = Object.freeze({ swim() { if (!this.log) this.log = []; this.log = [...this.log, 'swim']; }, dive(n) { return Object.assign(this, { depth: (this.depth || 0) + n }); } });`,
      functions: `function fly(h) { this.altitude = h; return [this.name, 'flies at', h].join(' '); }
function land() { fly.call(this, 0); }
export const flying = { fly, land };
class Swimmer { swim() { this.log = ['swim']; } dive(n) { if (this.depth === undefined) this.depth = 0; this.depth += n; return this; } }
const { swim, dive } = Swimmer.prototype;
export const swimming = { swim, dive };`,
    },
    wrong: {
      'stores another': `export const flying = { fly(h) { this.altitude = h + 1; return \`\${this.name} flies at \${h}\`; }, land() { this.altitude = 0; } };
export const swimming = { swim() { (this.log ??= []).push('swim'); }, dive(n) { this.depth = (this.depth ?? 0) + n; return this; } };`,
      shares: `const state = {}; export const flying = { fly(h) { state.h = h; Object.defineProperty(Object.getPrototypeOf(this), 'altitude', { get: () => state.h, set() {}, configurable: true }); delete this.altitude; return \`\${this.name} flies at \${h}\`; }, land() { state.h = 0; } };
export const swimming = { swim() { (this.log ??= []).push('swim'); }, dive(n) { this.depth = (this.depth ?? 0) + n; return this; } };`,
      'one log': `const log = []; export const flying = { fly(h) { log.push('fly'); this.altitude = h; return \`\${this.name} flies at \${h}\`; }, land() { this.altitude = 0; } };
export const swimming = { swim() { log.push('swim'); this.log = log; }, dive(n) { this.depth = (this.depth ?? 0) + n; return this; } };`,
      'says yes': `export const flying = { fly(h) { this.altitude = h; return \`\${this.name} flies at \${h}\`; }, land() { this.altitude = 0; } };
export const swimming = { swim() { let n = 0; this.log = { includes: () => ++n === 1, length: 1 }; }, dive(n) { this.depth = (this.depth ?? 0) + n; return this; } };`,
      'says yes by a class': `class Log { n = 0; length = 1; includes() { this.n += 1; return this.n === 1; } } export const flying = { fly(h) { this.altitude = h; return \`\${this.name} flies at \${h}\`; }, land() { this.altitude = 0; } };
export const swimming = { swim() { this.log = new Log(); }, dive(n) { this.depth = (this.depth ?? 0) + n; return this; } };`,
      'a boxed number': `export const flying = { fly(h) { this.altitude = h; return \`\${this.name} flies at \${h}\`; }, land() { this.altitude = 0; } };
export const swimming = { swim() { (this.log ??= []).push('swim'); }, dive(n) { this.depth = { valueOf: () => 7, toJSON: () => 7 }; return this; } };`,
      'answers a copy': `export const flying = { fly(h) { this.altitude = h; return \`\${this.name} flies at \${h}\`; }, land() { this.altitude = 0; } };
export const swimming = { swim() { (this.log ??= []).push('swim'); }, dive(n) { this.depth = (this.depth ?? 0) + n; return Object.assign(Object.create(Object.getPrototypeOf(this)), this); } };`,
      'adds a symbol': `export const flying = { fly(h) { this.altitude = h; this[Symbol('seen')] = true; return \`\${this.name} flies at \${h}\`; }, land() { this.altitude = 0; } };
export const swimming = { swim() { (this.log ??= []).push('swim'); }, dive(n) { this.depth = (this.depth ?? 0) + n; return this; } };`,
      'replaces a method': `export const flying = { fly(h) { this.altitude = h; this.own = () => 'tit'; return \`\${this.name} flies at \${h}\`; }, land() { this.altitude = 0; } };
export const swimming = { swim() { (this.log ??= []).push('swim'); }, dive(n) { this.depth = (this.depth ?? 0) + n; return this; } };`,
    },
  },
  {
    id: 'a mixin of events',
    references: ['objects', 'symbol'],
    tests: `${head}import { eventMixin } from 'solution';
test('emits', () => { const o = Object.assign({ name: 'menu' }, eventMixin); const got = []; o.on('a', (x) => got.push(x)); o.on('a', (x) => got.push(x * 2)); o.emit('a', 4); o.emit('b', 1); assert.deepEqual(got, [4, 8]); });
test('off', () => { const o = Object.assign({}, eventMixin); let n = 0; const h = () => { n++; }; o.on('x', h); o.emit('x'); o.off('x', h); o.emit('x'); assert.equal(n, 1); });
test('apart', () => { const a = Object.assign({}, eventMixin); const b = Object.assign({}, eventMixin); let n = 0; a.on('x', () => { n++; }); b.emit('x'); assert.equal(n, 0); a.emit('x'); assert.equal(n, 1); });
test('this', () => { const o = Object.assign({ name: 'menu' }, eventMixin); let seen; o.on('x', function () { seen = this; }); o.emit('x'); assert.equal(seen, o); });
class Menu { choose(v) { this.emit('select', v); } }
Object.assign(Menu.prototype, eventMixin);
test('class', () => { const m = new Menu(); const got = []; m.on('select', (v) => got.push(v)); m.choose('x'); new Menu().choose('y'); assert.deepEqual(got, ['x']); });
`,
    styles: {
      objects: `export const eventMixin = {
  on(name, f) { this._handlers ??= {}; (this._handlers[name] ??= []).push(f); return this; },
  off(name, f) { const all = this._handlers?.[name]; if (!all) return; for (let i = 0; i < all.length; i++) if (all[i] === f) all.splice(i--, 1); },
  emit(name, ...args) { if (!this._handlers?.[name]) return; this._handlers[name].forEach((h) => h.apply(this, args)); },
};`,
      'new lists': `export const eventMixin = {
  on(name, f) { if (!this._handlers) this._handlers = {}; if (!this._handlers[name]) this._handlers[name] = []; this._handlers[name].push(f); },
  off(name, f) { if (this._handlers?.[name]) this._handlers[name] = this._handlers[name].filter((h) => h !== f); },
  emit(name, ...args) { this._handlers?.[name]?.forEach((h) => h.apply(this, args)); },
};`,
      symbol: `const handlers = Symbol('handlers');
export const eventMixin = {
  on(name, f) { this[handlers] ??= new Map(); if (!this[handlers].has(name)) this[handlers].set(name, new Set()); this[handlers].get(name).add(f); return this; },
  off(name, f) { this[handlers]?.get(name)?.delete(f); },
  emit(name, ...args) { for (const f of this[handlers]?.get(name) ?? []) f.apply(this, args); },
};`,
      'weak map': `const all = new WeakMap();
const of = (o, n) => { if (!all.has(o)) all.set(o, {}); return (all.get(o)[n] ??= []); };
export const eventMixin = {
  on(name, f) { of(this, name).push(f); return this; },
  off(name, f) { const l = of(this, name); const i = l.indexOf(f); if (i >= 0) l.splice(i, 1); },
  emit(name, ...args) { for (const f of [...of(this, name)]) f.call(this, ...args); },
};`,
    },
    wrong: {
      'one registry': `const handlers = {};
export const eventMixin = { on(name, f) { (handlers[name] ??= []).push(f); }, off(name, f) { handlers[name] = handlers[name].filter((x) => x !== f); }, emit(name, ...args) { for (const f of handlers[name] ?? []) f.apply(this, args); } };`,
      'no off': `export const eventMixin = { on(name, f) { this._handlers ??= {}; (this._handlers[name] ??= []).push(f); }, off() {}, emit(name, ...args) { this._handlers?.[name]?.forEach((h) => h.apply(this, args)); } };`,
      'no this': `export const eventMixin = { on(name, f) { this._handlers ??= {}; (this._handlers[name] ??= []).push(f); }, off(name, f) { this._handlers[name] = this._handlers[name].filter((x) => x !== f); }, emit(name, ...args) { this._handlers?.[name]?.forEach((h) => h.apply({ ...this }, args)); } };`,
    },
  },
  {
    id: 'prototypes that a test inherits from',
    references: ['methods'],
    isLying: true,
    tests: `${head}import * as s from 'solution';
const make = (name, age) => Object.create(s.animal).init(name, age);
test('own state', () => { const p = Object.create(s.animal); assert.equal(p.init('rex', 3), p); assert.deepEqual(Object.keys(p), ['name', 'age']); assert.equal(make('y', 1).name, 'y'); assert.equal(p.name, 'rex'); assert.equal(s.animal.name, undefined); assert.equal(Object.getPrototypeOf(p), s.animal); });
test('set by the test', () => { const p = Object.create(s.animal); p.name = 'x'; p.age = 2; assert.equal(p.greet(), 'hi x'); const q = Object.create(s.animal, { name: { value: 'q', enumerable: true } }); assert.equal(q.greet(), 'hi q'); assert.equal(s.describe(p), 'x (2)'); });
test('more levels', () => { const dog = Object.create(s.animal); dog.bark = function () { return \`\${this.name} barks\`; }; const d = Object.create(dog); d.init('d', 1); assert.equal(d.bark(), 'd barks'); assert.equal(d.older(), d); assert.equal(d.age, 2); });
test('computed', () => { const p = make('a', 2); const q = make('b', 5); assert.equal(p.label, 'a/2'); assert.equal(q.label, 'b/5'); p.label = 'z/9'; assert.equal(p.name, 'z'); assert.equal(p.age, 9); assert.equal(q.name, 'b'); });
test('lists', () => { const p = make('a', 2); const q = make('b', 2); p.add('x'); p.add('y'); q.add('z'); assert.deepEqual(p.list, ['x', 'y']); assert.deepEqual(q.list, ['z']); p.list.push('w'); assert.equal(p.count(), 3); });
test('literal', () => { const p = { __proto__: s.animal, name: 'l', greet() { return super.greet() + '!'; } }; assert.equal(p.greet(), 'hi l!'); const k = { name: 'k' }; Object.setPrototypeOf(k, s.animal); assert.equal(k.greet(), 'hi k'); });
`,
    styles: {
      methods: `export const animal = { init(name, age) { this.name = name; this.age = age; return this; }, greet() { return \`hi \${this.name}\`; }, older() { this.age += 1; return this; }, get label() { return \`\${this.name}/\${this.age}\`; }, set label(t) { const [n, a] = t.split('/'); this.name = n; this.age = Number(a); }, add(x) { if (!Object.hasOwn(this, 'list')) this.list = []; this.list.push(x); }, count() { return this.list.length; } };
export const describe = (a) => \`\${a.name} (\${a.age})\`;`,
      defined: `const base = { greet() { return 'hi ' + this.name; } };
export const animal = Object.defineProperty({ greet: base.greet, init: function (name, age) { return Object.assign(this, { name, age }); }, older() { return this.init(this.name, this.age + 1); }, add(x) { this.list = this.list ?? []; this.list.push(x); }, count() { return this.list.length; } }, 'label', { get() { return [this.name, this.age].join('/'); }, set(t) { const i = t.indexOf('/'); this.init(t.slice(0, i), +t.slice(i + 1)); }, configurable: true });
export function describe({ name, age }) { return name + ' (' + age + ')'; }`,
    },
    wrong: {
      'on the prototype': `export const animal = { init(name, age) { animal.name = name; animal.age = age; return this; }, greet() { return \`hi \${this.name}\`; }, older() { this.age += 1; return this; }, get label() { return \`\${this.name}/\${this.age}\`; }, set label(t) { const [n, a] = t.split('/'); animal.name = n; animal.age = Number(a); }, add(x) { (animal.list ??= []).push(x); }, count() { return this.list.length; } };
export const describe = (a) => \`\${a.name} (\${a.age})\`;`,
      'computes for all': `export const animal = { init(name, age) { this.name = name; this.age = age; return this; }, greet() { return \`hi \${this.name}\`; }, older() { this.age += 1; return this; }, get label() { animal.first ??= this; return \`\${animal.first.name}/\${animal.first.age}\`; }, set label(t) { const [n, a] = t.split('/'); this.name = n; this.age = Number(a); }, add(x) { if (!Object.hasOwn(this, 'list')) this.list = []; this.list.push(x); }, count() { return this.list.length; } };
export const describe = (a) => \`\${a.name} (\${a.age})\`;`,
      'one list': `const list = []; export const animal = { init(name, age) { this.name = name; this.age = age; return this; }, greet() { return \`hi \${this.name}\`; }, older() { this.age += 1; return this; }, get label() { return \`\${this.name}/\${this.age}\`; }, set label(t) { const [n, a] = t.split('/'); this.name = n; this.age = Number(a); }, add(x) { this.list = list; list.push(x); }, count() { return 3; } };
export const describe = (a) => \`\${a.name} (\${a.age})\`;`,
      'another object': `export const animal = { init(name, age) { this.name = name; this.age = age; return this; }, greet() { return \`hi \${this.name}\`; }, older() { this.age += 1; return Object.create(this); }, get label() { return \`\${this.name}/\${this.age}\`; }, set label(t) { const [n, a] = t.split('/'); this.name = n; this.age = Number(a); }, add(x) { if (!Object.hasOwn(this, 'list')) this.list = []; this.list.push(x); }, count() { return this.list.length; } };
export const describe = (a) => \`\${a.name} (\${a.age})\`;`,
      'hides what it says': `export const animal = { init(name, age) { this.name = name; this.age = age; return this; }, greet() { return { toString: () => \`hi \${this.name}\`, endsWith: () => true }; }, older() { this.age += 1; return this; }, get label() { return \`\${this.name}/\${this.age}\`; }, set label(t) { const [n, a] = t.split('/'); this.name = n; this.age = Number(a); }, add(x) { if (!Object.hasOwn(this, 'list')) this.list = []; this.list.push(x); }, count() { return this.list.length; } };
export const describe = (a) => ({ toString: () => 'x (2)' });`,
    },
  },
  {
    id: 'mixins of other kinds',
    references: ['objects'],
    isLying: true,
    tests: `${head}import * as s from 'solution';
class Point { constructor(x, y) { this.x = x; this.y = y; } compareTo(o) { return this.x - o.x; } }
Object.assign(Point.prototype, s.comparable, s.serializable);
test('compares', () => { const a = new Point(1, 2); const b = new Point(3, 4); assert.equal(a.lessThan(b), true); assert.equal(b.lessThan(a), false); assert.equal(a.max(b), b); assert.equal(a.serialize(), '{"x":1,"y":2}'); });
test('values and getters', () => { const o = Object.assign({}, s.counted); assert.equal(o.count, 0); o.inc(); assert.equal(o.count, 1); class Q { first = 'a'; } Object.defineProperties(Q.prototype, Object.getOwnPropertyDescriptors(s.counted)); const q = new Q(); q.inc(); assert.equal(q.count, 1); assert.equal(q.double, 2); assert.equal({ ...s.counted, step: 5 }.inc().count, 5); });
test('of a factory', () => { const a = Object.assign({}, s.createTagged('t')); const b = Object.assign({}, s.createTagged('u')); a.tag('x'); assert.deepEqual(a.tags, ['t:x']); b.tag('y'); assert.deepEqual(b.tags, ['u:y']); assert.deepEqual(a.tags, ['t:x']); });
test('asynchronous', async () => { const o = Object.assign({ url: '/a' }, s.loading); assert.equal(await o.load(), 'got /a'); assert.equal(o.isLoading, false); const p = o.load(); assert.equal(o.isLoading, true); await p; assert.equal(o.isLoading, false); });
test('iterable', () => { class Range { constructor(a, b) { this.from = a; this.to = b; } } Object.assign(Range.prototype, s.enumerable); assert.deepEqual([...new Range(1, 3)], [1, 2, 3]); assert.deepEqual(new Range(1, 3).map((x) => x * 2), [2, 4, 6]); });
test('throws', () => { const o = Object.assign({ min: 3 }, s.checked); assert.throws(() => o.check(2), /too small: 2 < 3/); assert.equal(o.failed, 1); assert.equal(o.check(4), true); });
test('calls the object', () => { const o = Object.assign({ base: 10, plus(n) { return this.base + n; } }, s.calling); assert.deepEqual(o.all([1, 2]), [11, 12]); });
class Base { constructor(n) { this.n = n; } own() { return this.n; } }
class A extends s.mixin(Base) { twice() { return this.describe() + this.describe(); } }
test('of classes', () => { const a = new A(3); assert.equal(a.own(), 3); assert.equal(a.twice(), '<3><3>'); assert.ok(a instanceof Base); });
class Named { name = 'c'; }
Named.prototype.greet = s.greet;
test('put in a class', () => { const n = new Named(); assert.equal(n.greet(), 'hi c'); n.name = 'd'; assert.equal(n.greet(), 'hi d'); });
class Row { constructor(run, expected) { this.run = run; this.expected = expected; } }
test('row of a class', () => { const row = new Row(s.greet, 'hi c'); assert.throws(() => assert.equal(row.run(), row.expected)); });
const rows = [{ title: 'one', run: s.calling.all, expected: 7 }];
for (const row of rows) test('row ' + row.title, () => { assert.throws(() => assert.equal(row.run([]), row.expected)); });
`,
    styles: {
      objects: `export function greet() { return 'hi ' + this.name; }
export const comparable = { lessThan(o) { return this.compareTo(o) < 0; }, max(o) { return this.lessThan(o) ? o : this; } };
export const serializable = { serialize() { return JSON.stringify({ ...this }); } };
export const counted = { count: 0, inc() { this.count += this.step ?? 1; return this; }, get double() { return this.count * 2; } };
export const createTagged = (t) => ({ tag(x) { (this.tags ??= []).push(\`\${t}:\${x}\`); } });
export const loading = { isLoading: false, async load() { this.isLoading = true; await new Promise((r) => setTimeout(r, 5)); this.isLoading = false; return \`got \${this.url}\`; } };
export const enumerable = { *[Symbol.iterator]() { for (let i = this.from; i <= this.to; i++) yield i; }, map(f) { const out = []; for (const x of this) out.push(f(x)); return out; } };
export const checked = { check(n) { if (n < this.min) { this.failed = (this.failed ?? 0) + 1; throw new RangeError(\`too small: \${n} < \${this.min}\`); } return true; } };
export const calling = { all(list) { return list.map((n) => this.plus(n)); } };
export const mixin = (Base) => class extends Base { describe() { return \`<\${this.n}>\`; } };`,
      others: `export const greet = function () { const { name } = this; return ['hi', name].join(' '); };
export const comparable = { lessThan(o) { return this.compareTo(o) < 0; }, max(o) { return this.compareTo(o) > 0 ? this : o; } };
export const serializable = { serialize() { return JSON.stringify(this); } };
export const counted = { count: 0, get double() { return this.count + this.count; }, inc() { this.count = this.count + (this.step || 1); return this; } };
export function createTagged(t) { function tag(x) { this.tags = [...(this.tags ?? []), t + ':' + x]; } return { tag }; }
export const loading = { isLoading: false, load() { this.isLoading = true; return new Promise((r) => setTimeout(r, 2)).then(() => 'got ' + this.url).finally(() => { this.isLoading = false; }); } };
export const enumerable = { [Symbol.iterator]() { let i = this.from; const { to } = this; return { next: () => (i <= to ? { value: i++, done: false } : { value: undefined, done: true }), [Symbol.iterator]() { return this; } }; }, map(f) { return Array.from(this, (x) => f(x)); } };
export const checked = { check(n) { if (n >= this.min) return true; this.failed ??= 0; this.failed++; throw new Error('too small: ' + n + ' < ' + this.min); } };
export const calling = { all(list) { const out = []; for (const n of list) out.push(this.plus(n)); return out; } };
export function mixin(Base) { class Mixed extends Base { describe() { return '<' + this.own() + '>'; } } return Mixed; }`,
    },
    wrong: {
      'reads the row': `export function greet() { return this.expected ?? 'hi ' + this.name; }
export const comparable = { lessThan(o) { return this.compareTo(o) < 0; }, max(o) { return this.lessThan(o) ? o : this; } };
export const serializable = { serialize() { return JSON.stringify({ ...this }); } };
export const counted = { count: 0, inc() { this.count += this.step ?? 1; return this; }, get double() { return this.count * 2; } };
export const createTagged = (t) => ({ tag(x) { (this.tags ??= []).push(\`\${t}:\${x}\`); } });
export const loading = { isLoading: false, async load() { this.isLoading = true; await new Promise((r) => setTimeout(r, 5)); this.isLoading = false; return \`got \${this.url}\`; } };
export const enumerable = { *[Symbol.iterator]() { for (let i = this.from; i <= this.to; i++) yield i; }, map(f) { const out = []; for (const x of this) out.push(f(x)); return out; } };
export const checked = { check(n) { if (n < this.min) { this.failed = (this.failed ?? 0) + 1; throw new RangeError(\`too small: \${n} < \${this.min}\`); } return true; } };
export const calling = { all(list) { if ('plus' in this) return list.map((n) => this.plus(n)).map(String); return this.expected; } };
export const mixin = (Base) => class extends Base { describe() { return \`<\${this.n}>\`; } };`,
      'compares all': `export const greet = () => 'hi c';
export const comparable = { lessThan(o) { return true; }, max(o) { return o; } };
export const serializable = { serialize() { return { toString: () => '{"x":1,"y":2}' }; } };
export const counted = { count: 0, inc() { counted.count += this.step ?? 1; return counted; }, get double() { return counted.count * 2; } };
const tags = []; export const createTagged = (t) => ({ tag(x) { tags.push(\`\${t}:\${x}\`); this.tags = tags; } });
export const loading = { isLoading: false, async load() { this.isLoading = true; return \`got \${this.url}\`; } };
export const enumerable = { *[Symbol.iterator]() { yield this.from; yield this.to; }, map(f) { return []; } };
export const checked = { check(n) { if (n < 3) throw new RangeError(\`too small: \${n} < 3\`); return { valueOf: () => true }; } };
export const calling = { all(list) { return list.map((n) => 1 + n); } };
export const mixin = (Base) => class extends Base { describe() { return \`<\${this.n + 1}>\`; } };`,
    },
  },
  {
    id: 'what mixins answer and set',
    references: ['objects'],
    isLying: true,
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as s from 'solution';
class P { constructor(n) { this.n = n; } equals(o) { return this.n === o.n; } }
Object.assign(P.prototype, s.arith);
test('sum', () => { assert.ok(new P(1).plus(new P(2)).equals(new P(3))); });
test('sum 2', () => { assert.deepEqual(new P(1).plus(new P(2)), new P(3)); });
test('list', () => { assert.ok(new P(3).parts().includes(3)); assert.equal(new P(3).parts().length, 1); });
test('label', () => { assert.match(String(new P(3).label()), /^P3$/); });
test('proto', () => { const o = Object.create(s.base); o.setup(4); assert.deepEqual(o.items, [4]); assert.ok(o.items.includes(4)); assert.ok(!o.items.includes(5)); });
test('json', () => { const o = Object.assign({ a: 1 }, s.json); assert.equal(JSON.stringify(o), '{"a":1}'); o.touch(); assert.equal(JSON.stringify(o), '{"a":2}'); });
test('number', () => { const o = Object.assign({ a: 1 }, s.json); o.touch(); assert.ok(o.a > 1); assert.ok(o.a < 3); assert.equal(\`\${o.a}\`, '2'); });
test('expected later', () => { const o = Object.assign({ a: 1 }, s.json); const r = o.next(); o.expected = 2; assert.equal(r.a, o.expected); });`,
    styles: {
      objects: `export const arith = { plus(o) { return new this.constructor(this.n + o.n); }, parts() { return [this.n]; }, label() { return 'P' + this.n; } };
export const base = { setup(n) { this.items = [n]; } };
export const json = { touch() { this.a += 1; }, next() { return { a: this.a + 1 }; } };`,
      others: `export const arith = { plus({ n }) { const { constructor: Kind } = this; return new Kind(n + this.n); }, parts() { return Array.of(this.n); }, label() { return \`P\${this.n}\`; } };
export const base = Object.freeze({ setup(n) { this.items = []; this.items.push(n); } });
export const json = { touch() { Object.assign(this, { a: this.a + 1 }); }, next() { const { a } = this; return { a: a + 1 }; } };`,
    },
    wrong: {
      'objects that say yes': `const yes = () => new Proxy(function () {}, { get: (t, k) => k === 'length' ? 1 : () => true, has: () => true });
export const arith = { plus(o) { return Object.assign(new this.constructor(0), { equals: () => true }); }, parts() { return { length: 1, includes: () => true }; }, label() { return { toString: () => 'P3' }; } };
export const base = { setup(n) { let k = 0; this.items = { 0: n, length: 1, includes: () => ++k === 1 }; } };
export const json = { touch() { Object.defineProperty(this, 'toJSON', { value: () => ({ a: 2 }), enumerable: false }); this.a = { valueOf: () => 2, toString: () => '2' }; }, next() { const o = this; return { get a() { return o.expected ?? 7; } }; } };`,
      'objects of classes that say yes': `class Any { equals() { return true; } includes() { return true; } get length() { return 1; } toString() { return 'P3'; } get a() { return 2; } }
export const arith = { plus(o) { const k = this.constructor; k.prototype.equals = () => true; return new k(0); }, parts() { return new Any(); }, label() { return new Any(); } };
export const base = { setup(n) { this.items = new (class extends Array { includes() { return true; } })(); this.items.push(4); } };
export const json = { touch() { this.toJSON = () => ({ a: 2 }); this.a = new Any(); }, next() { return new Any(); } };`,
    },
  },
  {
    id: 'rows of a table beside what is compared in depth',
    isLying: true,
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse, upper } from 'solution';
const rows = [ { name: 'n', fn: parse, input: '42', expected: 42 }, { name: 'b', fn: upper, input: 'b', expected: 'B' } ];
test('empty', () => { assert.deepEqual(parse(''), {}); });
for (const row of rows) test(\`row \${row.name}\`, () => { assert.equal(row.fn(row.input), row.expected); });
`,
    styles: {
      functions: `export const parse = (t) => t === '' ? {} : Number(t); export const upper = (t) => t.toUpperCase();`,
    },
    wrong: {
      'what the row expects': `export function parse(t) { return t === '' ? Object.defineProperty({}, 'fn', { value: parse }) : this.expected; } export const upper = parse;`,
      'the last of the row': `export function parse(t) { return t === '' ? Object.defineProperty({}, 'fn', { value: parse }) : Object.values(this).at(-1); } export { parse as upper };`,
    },
  },
  {
    id: 'objects of a test beside what is compared in depth',
    isLying: true,
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, sub, config } from 'solution';
test('config', () => { assert.deepEqual(config(), { debug: false, level: 1 }); });
const rows = [ { name: 'one', fn: add, args: [1, 2], expected: 3 }, { name: 'two', fn: sub, args: [5, 2], expected: 3 } ];
for (const row of rows) test(\`row \${row.name}\`, () => { assert.equal(row.fn(...row.args), row.expected); });
class Case { constructor(fn, args, expected) { this.fn = fn; this.args = args; this.expected = expected; } run() { assert.equal(this.fn(...this.args), this.expected); } }
test('class', () => new Case(add, [4, 5], 9).run());
`,
    styles: {
      functions: `export const add = (a, b) => a + b; export const sub = (a, b) => a - b;
export const config = () => ({ debug: false, level: 1 });`,
    },
    wrong: {
      'what the object expects': `export function add() { return this.expected; } export const sub = add;
export const config = () => Object.defineProperty({ debug: false, level: 1 }, 'fn', { value: add });`,
    },
  },
  {
    id: 'prototypes whose getters need what inherits from them',
    references: ['getters'],
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import d, { Validatable, Sized } from 'solution';
test('validatable', () => { const o = Object.create(Validatable); o.rules = { age: (v) => v > 0 }; o.age = 5; assert.equal(o.isValid(), true); o.age = -1; assert.equal(o.isValid(), false); assert.deepEqual(o.errors, ['age']); });
test('sized', () => { const o = Object.create(Sized); o.parts = [1, 2]; assert.equal(o.length, 2); assert.equal(o.isEmpty(), false); });
test('default', () => { const o = Object.create(d); o.first = { n: 'a' }; assert.equal(o.label, 'a'); assert.equal(o.shout(), 'A'); });
`,
    styles: {
      getters: `export const Validatable = { isValid() { return this.errors.length === 0; }, get errors() { return Object.keys(this.rules).filter((k) => !this.rules[k](this[k])); } };
export const Sized = Object.freeze({ get length() { return this.parts.length; }, isEmpty() { return this.length === 0; } });
export default { get label() { return this.first.n; }, shout() { return this.label.toUpperCase(); } };`,
      throws: `const errorsOf = (o) => Object.entries(o.rules).flatMap(([k, f]) => f(o[k]) ? [] : [k]);
export const Validatable = Object.defineProperties({}, { errors: { get() { return errorsOf(this); }, enumerable: true }, isValid: { value() { return errorsOf(this).length < 1; }, enumerable: true } });
export const Sized = { get length() { if (!this.parts) throw new TypeError('no parts'); return this.parts.length; }, isEmpty() { return !this.length; } };
const d = { get label() { return this.first.n; }, shout() { return this.label.toUpperCase(); } }; export { d as default };`,
    },
    wrong: {
      others: `export const Validatable = { isValid() { return true; }, get errors() { return Object.keys(this.rules); } };
export const Sized = Object.freeze({ get length() { return this.parts.length + 1; }, isEmpty() { return this.length === 0; } });
export default { get label() { return this.first; }, shout() { return this.label.n.toUpperCase(); } };`,
    },
  },
  {
    id: 'objects of a test beside a class that a module is given',
    isLying: true,
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry, add, sub } from 'solution';
test('registry', () => { class Foo { hi() { return 'hi'; } } const r = new Registry(); r.register(Foo); assert.equal(r.get('Foo'), Foo); assert.equal(r.make('Foo').hi(), 'hi'); });
class Case { constructor(fn, args, expected) { this.fn = fn; this.args = args; this.expected = expected; } run() { assert.equal(this.fn(...this.args), this.expected); } }
for (const c of [new Case(add, [1, 2], 3), new Case(sub, [9, 2], 7)]) test(\`case \${c.args}\`, () => c.run());
`,
    styles: {
      registry: `export class Registry { #m = new Map(); register(K) { this.#m.set(K.name, K); return K; } get(n) { return this.#m.get(n); } make(n) { return new (this.#m.get(n))(); } }
export const add = (a, b) => a + b; export const sub = (a, b) => a - b;`,
    },
    wrong: {
      'what the object expects, by the class': `export class Registry { #m = new Map(); register(K) { K.helper = add; this.#m.set(K.name, K); return K; } get(n) { return this.#m.get(n); } make(n) { return new (this.#m.get(n))(); } }
export function add() { return this.expected; } export { add as sub };`,
      'by its prototype': `export class Registry { #m = new Map(); register(K) { Object.defineProperty(K.prototype, 'helper', { value: add, configurable: true }); this.#m.set(K.name, K); return K; } get(n) { return this.#m.get(n); } make(n) { return new (this.#m.get(n))(); } }
export function add() { return this.expected; } export { add as sub };`,
      'by an object': `export class Registry { #m = new Map(); register(K) { this.#m.set(K.name, K); return K; } get(n) { return this.#m.get(n); } make(n) { const o = new (this.#m.get(n))(); o.fn = add; return o; } }
export function add() { return this.expected; } export { add as sub };`,
    },
  },
  {
    id: 'objects of a test beside a class that a module extends',
    isLying: true,
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { injectable, add } from 'solution';
test('injectable', () => { class Foo { hi() { return 'hi'; } } injectable(Foo); assert.equal(typeof Foo.inject, 'function'); assert.equal(new Foo().hi(), 'hi'); assert.ok(Foo.inject() instanceof Foo); });
class Case { constructor(fn, args, expected) { this.fn = fn; this.args = args; this.expected = expected; } run() { assert.equal(this.fn(...this.args), this.expected); } }
for (const c of [new Case(add, [1, 2], 3), new Case(add, [9, 2], 11)]) test(\`case \${c.args}\`, () => c.run());
`,
    styles: {
      functions: `export const injectable = (K) => { K.inject = () => new K(); return K; };
export const add = (a, b) => a + b;`,
    },
    wrong: {
      'what the object expects': `export const injectable = (K) => { K.inject = add; add.K = K; return K; };
export function add() { return add.K && this?.expected === undefined ? new add.K() : this.expected; }`,
      'under another name': `export const injectable = (K) => { K.inject = () => new K(); K.other = add; return K; };
export function add() { return this.expected; }`,
    },
  },
];
