import type { FidelityCase } from './fidelity-case.ts';

const head = `import { test, describe, it, beforeEach, mock } from 'node:test';
import assert from 'node:assert/strict';
`;
/** Correct modules in the style of small packages of the registry, written without a look at the judge, with ordinary tests. */
export const fidelityJavascriptPackages: readonly FidelityCase[] = [
  {
    id: 'package-lru',
    artifact: `
export class LRUCache {
  #map = new Map(); #max; hits = 0; misses = 0;
  constructor({ max, onEvict } = {}) { if (!(max > 0)) throw new RangeError('max must be positive'); this.#max = max; this.onEvict = onEvict; }
  get size() { return this.#map.size; }
  get(k) { if (!this.#map.has(k)) { this.misses++; return undefined; } this.hits++; const v = this.#map.get(k); this.#map.delete(k); this.#map.set(k, v); return v; }
  set(k, v) { this.#map.delete(k); this.#map.set(k, v); if (this.#map.size > this.#max) { const [old] = this.#map.keys(); const ov = this.#map.get(old); this.#map.delete(old); this.onEvict?.(old, ov); } return this; }
  has(k) { return this.#map.has(k); }
  *[Symbol.iterator]() { yield* this.#map; }
  keys() { return [...this.#map.keys()]; }
  toJSON() { return Object.fromEntries(this.#map); }
}
`,
    tests:
      head +
      `
import { LRUCache } from 'solution';
describe('LRUCache', () => {
  let cache;
  beforeEach(() => { cache = new LRUCache({ max: 2 }); });
  it('stores', () => { cache.set('a', 1); assert.equal(cache.get('a'), 1); assert.equal(cache.size, 1); });
  it('evicts the least recently used', () => { cache.set('a', 1).set('b', 2); cache.get('a'); cache.set('c', 3); assert.ok(cache.has('a')); assert.ok(!cache.has('b')); assert.deepEqual(cache.keys(), ['a', 'c']); });
  it('counts', () => { cache.get('x'); cache.set('x', 0); cache.get('x'); assert.deepEqual({ hits: cache.hits, misses: cache.misses }, { hits: 1, misses: 1 }); });
  it('iterates', () => { cache.set('k', { v: 1 }); assert.deepEqual([...cache], [['k', { v: 1 }]]); for (const [key, value] of cache) { assert.equal(key, 'k'); assert.deepEqual(value, { v: 1 }); } });
  it('calls onEvict', () => { const gone = mock.fn(); const c = new LRUCache({ max: 1, onEvict: gone }); c.set('a', 1); c.set('b', 2); assert.equal(gone.mock.callCount(), 1); assert.deepEqual(gone.mock.calls[0].arguments, ['a', 1]); });
  it('keeps identity of values', () => { const value = { deep: [] }; cache.set('o', value); assert.strictEqual(cache.get('o'), value); });
  it('json', () => { cache.set('a', 1); assert.equal(JSON.stringify(cache), '{"a":1}'); assert.equal(JSON.stringify({ cache }), '{"cache":{"a":1}}'); });
  it('validates', () => { assert.throws(() => new LRUCache({ max: 0 }), RangeError); assert.throws(() => new LRUCache(), { name: 'RangeError', message: /positive/ }); });
});
`,
  },
  {
    id: 'package-emitter',
    artifact: `
export function createNanoEvents() { return { events: {}, emit(event, ...args) { for (const cb of [...(this.events[event] || [])]) cb(...args); }, on(event, cb) { (this.events[event] ||= []).push(cb); return () => { this.events[event] = this.events[event]?.filter((i) => cb !== i); }; }, once(event, cb) { const off = this.on(event, (...args) => { off(); cb(...args); }); return off; } }; }
export class TypedEmitter { #h = new Map(); on(t, f) { if (!this.#h.has(t)) this.#h.set(t, new Set()); this.#h.get(t).add(f); return this; } off(t, f) { this.#h.get(t)?.delete(f); return this; } emit(t, e) { const all = [...(this.#h.get(t) ?? []), ...(this.#h.get('*') ?? [])]; for (const f of all) f(e, t); return all.length > 0; } listenerCount(t) { return this.#h.get(t)?.size ?? 0; } }
`,
    tests:
      head +
      `
import { createNanoEvents, TypedEmitter } from 'solution';
test('adds listeners', () => { const ee = createNanoEvents(); const calls = []; ee.on('event', (n) => calls.push(n)); ee.emit('event', 11); ee.emit('other', 2); assert.deepEqual(calls, [11]); });
test('unbinds', () => { const ee = createNanoEvents(); const calls1 = []; const calls2 = []; const unbind = ee.on('e', (...a) => calls1.push(a)); ee.on('e', (...a) => calls2.push(a)); ee.emit('e', 1); unbind(); ee.emit('e', 2); unbind(); assert.deepEqual(calls1, [[1]]); assert.deepEqual(calls2, [[1], [2]]); assert.equal(ee.events.e.length, 1); });
test('once', () => { const ee = createNanoEvents(); const fn = mock.fn(); ee.once('x', fn); ee.emit('x'); ee.emit('x'); assert.equal(fn.mock.callCount(), 1); });
test('events is plain', () => { const ee = createNanoEvents(); assert.deepEqual(ee.events, {}); const f = () => {}; ee.on('a', f); assert.strictEqual(ee.events.a[0], f); });
test('can be cleared', () => { const ee = createNanoEvents(); const fn = mock.fn(); ee.on('a', fn); ee.events = {}; ee.emit('a'); assert.equal(fn.mock.calls.length, 0); });
test('typed chains', () => { const e = new TypedEmitter(); const f = mock.fn(); assert.strictEqual(e.on('a', f), e); assert.equal(e.emit('a', { n: 1 }), true); assert.equal(e.emit('b'), false); assert.deepEqual(f.mock.calls[0].arguments, [{ n: 1 }, 'a']); assert.equal(e.off('a', f).listenerCount('a'), 0); });
test('wildcard', () => { const e = new TypedEmitter(); const seen = []; e.on('*', (ev, type) => seen.push([type, ev])); e.emit('x', 1); e.emit('y', 2); assert.deepEqual(seen, [['x', 1], ['y', 2]]); });
`,
  },
  {
    id: 'package-tokenizer-ast',
    artifact: `
export class SyntaxFault extends SyntaxError { constructor(message, pos) { super(message + ' at ' + pos); this.name = 'SyntaxFault'; this.pos = pos; } }
export function* tokenize(text) { const re = /\\s*(?:(\\d+(?:\\.\\d+)?)|([a-z]\\w*)|([-+*\\/()^,]))/giy; while (re.lastIndex < text.trimEnd().length) { const at = re.lastIndex; const m = re.exec(text); if (!m) throw new SyntaxFault('unexpected ' + JSON.stringify(text[at]), at); yield m[1] ? { type: 'num', value: Number(m[1]) } : m[2] ? { type: 'id', value: m[2] } : { type: 'op', value: m[3] }; } }
class Node { constructor(kind) { this.kind = kind; } accept(v) { return v[this.kind](this); } }
export class Num extends Node { constructor(value) { super('num'); this.value = value; } }
export class Bin extends Node { constructor(op, left, right) { super('bin'); this.op = op; this.left = left; this.right = right; } }
export class Var extends Node { constructor(name) { super('var'); this.name = name; } }
export function parse(text) { const toks = [...tokenize(text)]; let i = 0; const peek = (v) => toks[i]?.type === 'op' && toks[i].value === v; const eat = (v) => { if (!peek(v)) throw new SyntaxFault('expected ' + v, i); i++; };
 const prim = () => { const t = toks[i++]; if (!t) throw new SyntaxFault('unexpected end', i); if (t.type === 'num') return new Num(t.value); if (t.type === 'id') return new Var(t.value); if (t.value === '(') { const e = sum(); eat(')'); return e; } throw new SyntaxFault('unexpected ' + t.value, i); };
 const prod = () => { let l = prim(); while (peek('*') || peek('/')) { const op = toks[i++].value; l = new Bin(op, l, prim()); } return l; };
 const sum = () => { let l = prod(); while (peek('+') || peek('-')) { const op = toks[i++].value; l = new Bin(op, l, prod()); } return l; };
 const e = sum(); if (i < toks.length) throw new SyntaxFault('unexpected ' + toks[i].value, i); return e; }
export const evaluate = (node, env = {}) => node.accept({ num: (n) => n.value, var: (n) => { if (!(n.name in env)) throw new ReferenceError(n.name + ' is not defined'); return env[n.name]; }, bin: (n) => { const a = evaluate(n.left, env), b = evaluate(n.right, env); return { '+': a + b, '-': a - b, '*': a * b, '/': a / b }[n.op]; } });
`,
    tests:
      head +
      `
import { Bin, evaluate, Num, parse, SyntaxFault, tokenize } from 'solution';
it('tokenizes', () => assert.deepEqual([...tokenize('1 + x')], [{ type: 'num', value: 1 }, { type: 'op', value: '+' }, { type: 'id', value: 'x' }]));
it('is lazy', () => { const it = tokenize('1 $'); assert.deepEqual(it.next(), { value: { type: 'num', value: 1 }, done: false }); assert.throws(() => it.next(), SyntaxFault); });
it('parses numbers', () => { const n = parse('42'); assert.ok(n instanceof Num); assert.equal(n.value, 42); });
it('makes nodes', () => { assert.deepEqual(parse('7'), new Num(7)); assert.ok(parse('1+2') instanceof Bin); });
it('is left associative', () => { const { op, left, right } = parse('5-3-1'); assert.equal(op, '-'); assert.equal(left.op, '-'); assert.equal(right.value, 1); });
it('respects parentheses', () => assert.equal(evaluate(parse('(1+2)*3')), 9));
it('uses the environment', () => { assert.equal(evaluate(parse('a*b'), { a: 6, b: 7 }), 42); assert.throws(() => evaluate(parse('q')), { name: 'ReferenceError', message: 'q is not defined' }); });
it('reports positions', () => { assert.throws(() => parse('1+?'), (e) => { assert.ok(e instanceof SyntaxFault); assert.ok(e instanceof SyntaxError); assert.equal(e.pos, 2); assert.match(e.message, /unexpected/); return true; }); });
`,
  },
  {
    id: 'package-dom-tree',
    artifact: `
export class El { constructor(tag, attrs = {}) { this.tag = tag; this.attrs = attrs; this.children = []; this.parent = null; } append(...kids) { for (const k of kids) { k.remove?.(); if (k instanceof El) k.parent = this; this.children.push(k); } return this; } remove() { if (!this.parent) return; this.parent.children = this.parent.children.filter((c) => c !== this); this.parent = null; } get text() { return this.children.map((c) => (typeof c === 'string' ? c : c.text)).join(''); } *walk() { yield this; for (const c of this.children) if (c instanceof El) yield* c.walk(); } find(tag) { for (const e of this.walk()) if (e.tag === tag) return e; return null; } toString() { const a = Object.entries(this.attrs).map(([k, v]) => ' ' + k + '="' + v + '"').join(''); return '<' + this.tag + a + '>' + this.children.join('') + '</' + this.tag + '>'; } }
export const h = (tag, attrs, ...kids) => new El(tag, attrs ?? {}).append(...kids);
export const tree = (paths) => { const root = { name: '/', children: [], parent: null }; for (const p of paths) { let at = root; for (const part of p.split('/')) { let next = at.children.find((c) => c.name === part); if (!next) { next = { name: part, children: [], parent: at }; at.children.push(next); } at = next; } } return root; };
export const depthOf = (node) => (node.parent ? depthOf(node.parent) + 1 : 0);
export const pathOf = (node) => (node.parent ? pathOf(node.parent) + '/' + node.name : '');
`,
    tests:
      head +
      `
import { depthOf, El, h, pathOf, tree } from 'solution';
test('renders', () => assert.equal(String(h('p', { class: 'x' }, 'hi ', h('b', null, 'you'))), '<p class="x">hi <b>you</b></p>'));
test('parents', () => { const b = h('b'); const p = h('p', null, b); assert.strictEqual(b.parent, p); b.remove(); assert.equal(b.parent, null); assert.deepEqual(p.children, []); });
test('moves', () => { const x = new El('i'); const a = h('a', null, x); const c = h('c'); c.append(x); assert.equal(a.children.length, 0); assert.strictEqual(c.children[0], x); });
test('walks', () => { const t = h('ul', null, h('li', null, 'one'), h('li')); assert.deepEqual([...t.walk()].map((e) => e.tag), ['ul', 'li', 'li']); assert.equal(t.find('li').text, 'one'); assert.equal(t.find('nope'), null); });
test('text', () => assert.equal(h('p', {}, 'a', h('b', {}, 'b'), 'c').text, 'abc'));
test('plain tree', () => { const t = tree(['a/b', 'a/c']); assert.equal(t.children.length, 1); assert.deepEqual(t.children[0].children.map((c) => c.name), ['b', 'c']); });
test('plain tree parent', () => { const t = tree(['a/b']); const b = t.children[0].children[0]; assert.strictEqual(b.parent.parent, t); assert.equal(b.parent.name, 'a'); });
test('functions of nodes', () => { const t = tree(['a/b']); const b = t.children[0].children[0]; assert.equal(depthOf(b), 2); assert.equal(pathOf(b), '/a/b'); assert.equal(depthOf(t), 0); });
`,
  },
  {
    id: 'package-circular',
    artifact: `
export const safeStringify = (value) => { const stack = []; return JSON.stringify(value, function (k, v) { if (typeof v !== 'object' || v === null) return v; while (stack.length && stack.at(-1) !== this) stack.pop(); if (stack.includes(v)) return '[Circular]'; stack.push(v); return v; }); };
export const hasCycle = (head) => { let slow = head, fast = head; while (fast?.next) { slow = slow.next; fast = fast.next.next; if (slow === fast) return true; } return false; };
export const deepClone = (v, seen = new Map()) => { if (typeof v !== 'object' || v === null) return v; if (seen.has(v)) return seen.get(v); const out = Array.isArray(v) ? [] : {}; seen.set(v, out); for (const k of Object.keys(v)) out[k] = deepClone(v[k], seen); return out; };
export const link = (...names) => { const all = names.map((name) => ({ name })); all.forEach((n, i) => { n.next = all[(i + 1) % all.length]; }); return all[0]; };
`,
    tests:
      head +
      `
import { deepClone, hasCycle, link, safeStringify } from 'solution';
test('marks circles', () => { const o = { a: 1 }; o.self = o; assert.equal(safeStringify(o), '{"a":1,"self":"[Circular]"}'); });
test('plain', () => assert.equal(safeStringify({ a: [1, { b: 2 }] }), '{"a":[1,{"b":2}]}'));
test('finds cycles', () => { const a = { v: 1, next: null }; const b = { v: 2, next: a }; assert.equal(hasCycle(b), false); a.next = b; assert.equal(hasCycle(b), true); assert.equal(hasCycle(null), false); });
test('clones cycles', () => { const o = { list: [1] }; o.me = o; const c = deepClone(o); assert.notStrictEqual(c, o); assert.strictEqual(c.me, c); assert.deepEqual(c.list, [1]); });
test('clones compare', () => { const o = { a: { b: [1, { c: 2 }] } }; const c = deepClone(o); assert.deepEqual(c, o); c.a.b.push(3); assert.equal(o.a.b.length, 2); });
test('rings', () => { const a = link('x', 'y'); assert.equal(a.name, 'x'); assert.equal(a.next.name, 'y'); assert.strictEqual(a.next.next, a); });
`,
  },
  {
    id: 'package-state-machine',
    artifact: `
export function createMachine(config) { let state = config.initial; const log = []; const subs = new Set(); const machine = { get state() { return state; }, get history() { return [...log]; }, can: (e) => e in (config.states[state].on ?? {}), send(e, data) { const to = config.states[state].on?.[e]; if (!to) throw new Error('no transition ' + e + ' in ' + state); const from = state; config.states[from].exit?.(data); state = typeof to === 'function' ? to(data) : to; log.push({ from, to: state, event: e }); config.states[state].entry?.(data); subs.forEach((s) => s(state, from)); return machine; }, subscribe(f) { subs.add(f); return { unsubscribe: () => subs.delete(f) }; }, matches: (...s) => s.includes(state) }; return machine; }
`,
    tests:
      head +
      `
import { createMachine } from 'solution';
const config = () => ({ initial: 'idle', states: { idle: { on: { start: 'busy' } }, busy: { on: { stop: 'idle', fail: (d) => (d?.fatal ? 'dead' : 'idle') } }, dead: {} } });
describe('machine', () => {
  let m;
  beforeEach(() => { m = createMachine(config()); });
  it('starts', () => assert.equal(m.state, 'idle'));
  it('moves', () => { m.send('start'); assert.equal(m.state, 'busy'); assert.ok(m.can('stop')); assert.equal(m.can('start'), false); });
  it('chains', () => assert.equal(m.send('start').send('stop').send('start').state, 'busy'));
  it('returns itself', () => assert.strictEqual(m.send('start'), m));
  it('guards', () => { m.send('start').send('fail', { fatal: true }); assert.ok(m.matches('dead', 'x')); assert.throws(() => m.send('start'), /no transition start in dead/); });
  it('keeps history', () => { m.send('start').send('stop'); assert.deepEqual(m.history, [{ from: 'idle', to: 'busy', event: 'start' }, { from: 'busy', to: 'idle', event: 'stop' }]); m.history.push(1); assert.equal(m.history.length, 2); });
  it('notifies', () => { const f = mock.fn(); const sub = m.subscribe(f); m.send('start'); sub.unsubscribe(); m.send('stop'); assert.deepEqual(f.mock.calls.map((c) => c.arguments), [['busy', 'idle']]); });
  it('runs actions', () => { const order = []; const c = config(); c.states.idle.exit = () => order.push('exit'); c.states.busy.entry = (d) => order.push(d); createMachine(c).send('start', 7); assert.deepEqual(order, ['exit', 7]); });
});
`,
  },
  {
    id: 'package-collections',
    artifact: `
export class PriorityQueue { #heap = []; #cmp; constructor(cmp = (a, b) => a - b, items = []) { this.#cmp = cmp; for (const i of items) this.push(i); } get length() { return this.#heap.length; } get isEmpty() { return this.length === 0; } push(x) { this.#heap.push(x); this.#heap.sort(this.#cmp); return this.length; } pop() { return this.#heap.shift(); } peek() { return this.#heap[0]; } static from(items, cmp) { return new PriorityQueue(cmp, items); } toArray() { return [...this.#heap]; } *drain() { while (this.length) yield this.pop(); } [Symbol.iterator]() { return this.toArray().values(); } get [Symbol.toStringTag]() { return 'PriorityQueue'; } }
export class LinkedList { head = null; tail = null; length = 0; static of(...v) { const l = new LinkedList(); v.forEach((x) => l.add(x)); return l; } add(value) { const n = { value, next: null }; if (!this.head) this.head = this.tail = n; else { this.tail.next = n; this.tail = n; } this.length++; return this; } reverse() { let p = null, c = this.head; this.tail = c; while (c) { [c.next, p, c] = [p, c, c.next]; } this.head = p; return this; } map(f) { return LinkedList.of(...[...this].map(f)); } *[Symbol.iterator]() { for (let n = this.head; n; n = n.next) yield n.value; } equals(o) { return this.length === o.length && [...this].every((x, i) => x === [...o][i]); } toString() { return [...this].join(' -> '); } }
export class DefaultMap extends Map { constructor(make, entries) { super(entries); this.make = make; } get(k) { if (!this.has(k)) this.set(k, this.make(k)); return super.get(k); } }
export class BitSet { #n = 0n; add(i) { this.#n |= 1n << BigInt(i); return this; } has(i) { return (this.#n >> BigInt(i)) & 1n ? true : false; } get bits() { return this.#n; } *[Symbol.iterator]() { for (let i = 0, n = this.#n; n; i++, n >>= 1n) if (n & 1n) yield i; } union(o) { const r = new BitSet(); for (const i of this) r.add(i); for (const i of o) r.add(i); return r; } }
`,
    tests:
      head +
      `
import { BitSet, DefaultMap, LinkedList, PriorityQueue } from 'solution';
test('queue order', () => { const q = new PriorityQueue(); q.push(3); q.push(1); assert.equal(q.push(2), 3); assert.equal(q.peek(), 1); assert.equal(q.pop(), 1); assert.equal(q.length, 2); });
test('queue of objects', () => { const q = PriorityQueue.from([{ p: 2, n: 'b' }, { p: 1, n: 'a' }], (x, y) => x.p - y.p); assert.deepEqual(q.pop(), { p: 1, n: 'a' }); assert.equal(q.peek().n, 'b'); });
test('queue drains', () => { const q = PriorityQueue.from([5, 4, 9]); assert.deepEqual([...q.drain()], [4, 5, 9]); assert.ok(q.isEmpty); assert.equal(q.pop(), undefined); });
test('queue iterates', () => { const q = PriorityQueue.from([2, 1]); assert.deepEqual(Array.from(q), [1, 2]); assert.equal(Math.max(...q), 2); assert.equal(Object.prototype.toString.call(q), '[object PriorityQueue]'); });
test('list', () => { const l = LinkedList.of(1, 2, 3); assert.equal(l.length, 3); assert.equal(l.head.value, 1); assert.equal(l.tail.value, 3); assert.equal(l.head.next.value, 2); });
test('list reverse', () => { const l = LinkedList.of(1, 2, 3).reverse(); assert.deepEqual([...l], [3, 2, 1]); assert.equal(l.toString(), '3 -> 2 -> 1'); assert.equal(\`\${l}\`, '3 -> 2 -> 1'); });
test('list map', () => { const l = LinkedList.of(1, 2); const m = l.map((x) => x * 2); assert.notStrictEqual(m, l); assert.deepEqual([...m], [2, 4]); assert.ok(m.equals(LinkedList.of(2, 4))); assert.ok(!m.equals(l)); });
test('list deep', () => assert.deepEqual(LinkedList.of(1, 2), LinkedList.of(1).add(2)));
test('default map', () => { const m = new DefaultMap(() => []); m.get('a').push(1); m.get('a').push(2); assert.deepEqual(m.get('a'), [1, 2]); assert.equal(m.size, 1); assert.ok(m instanceof Map); assert.deepEqual([...m.keys()], ['a']); });
test('default map entries', () => { const m = new DefaultMap((k) => k.length, [['x', 9]]); assert.equal(m.get('x'), 9); assert.equal(m.get('four'), 4); assert.deepEqual(Object.fromEntries(m), { x: 9, four: 4 }); });
test('bits', () => { const b = new BitSet().add(1).add(70); assert.ok(b.has(70)); assert.ok(!b.has(2)); assert.deepEqual([...b], [1, 70]); assert.equal(b.bits, (1n << 70n) | 2n); assert.deepEqual([...b.union(new BitSet().add(2))], [1, 2, 70]); });
`,
  },
  {
    id: 'package-values',
    leaning: ['adds', 'is frozen'],
    artifact: `
export class Rational { constructor(n, d = 1) { if (d === 0) throw new RangeError('zero denominator'); const g = ((a, b) => { a = Math.abs(a); b = Math.abs(b); while (b) [a, b] = [b, a % b]; return a || 1; })(n, d); this.n = n / g * Math.sign(d); this.d = Math.abs(d) / g; Object.freeze(this); } add(o) { return new Rational(this.n * o.d + o.n * this.d, this.d * o.d); } mul(o) { return new Rational(this.n * o.n, this.d * o.d); } equals(o) { return this.n === o.n && this.d === o.d; } valueOf() { return this.n / this.d; } toString() { return this.d === 1 ? String(this.n) : this.n + '/' + this.d; } static parse(s) { const [n, d = 1] = s.split('/').map(Number); return new Rational(n, d); } }
export class Money { #cents; constructor(cents, currency = 'EUR') { this.#cents = cents; this.currency = currency; } get amount() { return this.#cents / 100; } plus(o) { if (o.currency !== this.currency) throw new TypeError('currency mismatch: ' + this.currency + ' and ' + o.currency); return new Money(this.#cents + o.#cents, this.currency); } split(n) { const base = Math.floor(this.#cents / n), rest = this.#cents % n; return Array.from({ length: n }, (_, i) => new Money(base + (i < rest ? 1 : 0), this.currency)); } toJSON() { return { amount: this.amount, currency: this.currency }; } [Symbol.toPrimitive](hint) { return hint === 'string' ? this.amount.toFixed(2) + ' ' + this.currency : this.amount; } }
export class Interval { constructor(from, to) { this.from = new Date(from); this.to = new Date(to); if (this.to < this.from) throw new RangeError('ends before it begins'); } get days() { return (this.to - this.from) / 864e5; } overlaps(o) { return this.from < o.to && o.from < this.to; } contains(d) { return this.from <= d && d < this.to; } *[Symbol.iterator]() { for (let t = +this.from; t < +this.to; t += 864e5) yield new Date(t); } }
export const colour = (hex) => { const m = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex); if (!m) throw new TypeError('not a colour: ' + hex); const [r, g, b] = m.slice(1).map((x) => parseInt(x, 16)); return { r, g, b, toString: () => hex.toLowerCase(), mix: (o, t = 0.5) => colour('#' + ['r', 'g', 'b'].map((k) => Math.round({ r, g, b }[k] * (1 - t) + o[k] * t).toString(16).padStart(2, '0')).join('')), get luminance() { return 0.2126 * r + 0.7152 * g + 0.0722 * b; } }; };
`,
    tests:
      head +
      `
import { colour, Interval, Money, Rational } from 'solution';
test('reduces', () => { const r = new Rational(6, -8); assert.equal(r.n, -3); assert.equal(r.d, 4); assert.equal(String(r), '-3/4'); });
test('adds', () => { assert.deepEqual(new Rational(1, 2).add(new Rational(1, 3)), new Rational(5, 6)); assert.ok(new Rational(1, 2).add(new Rational(1, 2)).equals(new Rational(1))); });
test('compares', () => { assert.ok(new Rational(1, 3) < new Rational(1, 2)); assert.equal(+new Rational(3, 4), 0.75); assert.deepEqual([new Rational(3), new Rational(1)].sort((a, b) => a - b).map(String), ['1', '3']); });
test('parses', () => { const r = Rational.parse('4/6'); assert.deepEqual({ ...r }, { n: 2, d: 3 }); assert.throws(() => Rational.parse('1/0'), { name: 'RangeError', message: 'zero denominator' }); });
test('is frozen', () => { const r = new Rational(1); assert.ok(Object.isFrozen(r)); assert.throws(() => { r.n = 5; }, TypeError); });
test('money adds', () => { const m = new Money(150).plus(new Money(250)); assert.equal(m.amount, 4); assert.equal(m.currency, 'EUR'); });
test('money mismatch', () => assert.throws(() => new Money(1).plus(new Money(1, 'USD')), /currency mismatch: EUR and USD/));
test('money splits', () => { const parts = new Money(100).split(3); assert.deepEqual(parts.map((p) => p.amount), [0.34, 0.33, 0.33]); assert.equal(parts.reduce((a, b) => a.plus(b)).amount, 1); assert.ok(parts.every((p) => p instanceof Money)); });
test('money text', () => { assert.equal(\`\${new Money(1050)}\`, '10.50 EUR'); assert.equal(+new Money(1050), 10.5); assert.equal(JSON.stringify({ m: new Money(5) }), '{"m":{"amount":0.05,"currency":"EUR"}}'); });
test('interval', () => { const i = new Interval('2024-01-01', '2024-01-04'); assert.equal(i.days, 3); assert.equal([...i].length, 3); assert.deepEqual([...i][1], new Date('2024-01-02')); assert.ok(i.contains(new Date('2024-01-03'))); assert.ok(!i.overlaps(new Interval('2024-01-04', '2024-01-05'))); assert.equal(i.from.getTime(), Date.UTC(2024, 0, 1)); });
test('colour', () => { const c = colour('#FF0000'); assert.deepEqual([c.r, c.g, c.b], [255, 0, 0]); assert.equal(String(c), '#ff0000'); assert.equal(c.mix(colour('#0000ff')).toString(), '#800080'); assert.ok(Math.abs(c.luminance - 54.213) < 1e-6); });
test('colour rejects', () => assert.throws(() => colour('red'), { message: 'not a colour: red', name: 'TypeError' }));
`,
  },
  {
    id: 'package-async-tools',
    artifact: `
export const sleep = (ms, { signal } = {}) => new Promise((resolve, reject) => { const t = setTimeout(resolve, ms); signal?.addEventListener('abort', () => { clearTimeout(t); reject(signal.reason); }); });
export async function retry(fn, { times = 3, delay = 0, onRetry } = {}) { for (let i = 1; ; i++) try { return await fn(i); } catch (e) { if (i >= times) throw new RetryError('gave up after ' + i, { cause: e }); onRetry?.(e, i); await sleep(delay); } }
export class RetryError extends Error { name = 'RetryError'; }
export async function pool(limit, items, work) { const out = []; let next = 0, active = 0, peak = 0; const run = async () => { while (next < items.length) { const i = next++; active++; peak = Math.max(peak, active); out[i] = await work(items[i], i); active--; } }; await Promise.all(Array.from({ length: limit }, run)); return Object.assign(out, { peak }); }
export const debounce = (fn, ms) => { let t; const d = (...a) => { clearTimeout(t); t = setTimeout(() => fn(...a), ms); }; d.cancel = () => clearTimeout(t); return d; };
export const throttle = (fn, ms, now = Date.now) => { let last = -Infinity; return (...a) => { if (now() - last >= ms) { last = now(); return fn(...a); } }; };
export const once = (fn) => { let done = false, v; return Object.assign((...a) => { if (!done) { done = true; v = fn(...a); } return v; }, { get called() { return done; } }); };
export async function* chunked(source, size) { let part = []; for await (const x of source) { part.push(x); if (part.length === size) { yield part; part = []; } } if (part.length) yield part; }
export class Mutex { #tail = Promise.resolve(); async run(fn) { const prev = this.#tail; let free; this.#tail = new Promise((r) => { free = r; }); await prev; try { return await fn(); } finally { free(); } } }
export const timeout = (p, ms) => Promise.race([p, sleep(ms).then(() => { throw new DOMException('took too long', 'TimeoutError'); })]);
`,
    tests:
      head +
      `
import { chunked, debounce, Mutex, once, pool, retry, RetryError, sleep, throttle, timeout } from 'solution';
test('retries', async () => { let n = 0; const v = await retry(async () => { if (++n < 3) throw new Error('no'); return 'ok'; }); assert.equal(v, 'ok'); assert.equal(n, 3); });
test('gives up', async () => { const cause = new Error('down'); await assert.rejects(retry(() => { throw cause; }, { times: 2 }), (e) => e instanceof RetryError && e.cause === cause && e.message === 'gave up after 2'); });
test('tells of retries', async () => { const onRetry = mock.fn(); await assert.rejects(retry(() => Promise.reject(new TypeError('x')), { times: 3, onRetry }), { name: 'RetryError' }); assert.equal(onRetry.mock.callCount(), 2); assert.equal(onRetry.mock.calls[1].arguments[1], 2); });
test('pool', async () => { const out = await pool(2, [1, 2, 3, 4], async (x) => { await sleep(1); return x * x; }); assert.deepEqual([...out], [1, 4, 9, 16]); assert.equal(out.peak, 2); });
test('debounce', (t) => { t.mock.timers.enable({ apis: ['setTimeout'] }); const fn = t.mock.fn(); const d = debounce(fn, 100); d(1); d(2); t.mock.timers.tick(99); assert.equal(fn.mock.callCount(), 0); t.mock.timers.tick(1); assert.deepEqual(fn.mock.calls[0].arguments, [2]); d(3); d.cancel(); t.mock.timers.tick(500); assert.equal(fn.mock.callCount(), 1); });
test('throttle', () => { let now = 0; const fn = mock.fn((x) => x); const th = throttle(fn, 10, () => now); assert.equal(th(1), 1); now = 5; assert.equal(th(2), undefined); now = 10; assert.equal(th(3), 3); assert.equal(fn.mock.callCount(), 2); });
test('once', () => { const fn = mock.fn(() => ({ made: true })); const o = once(fn); assert.strictEqual(o(), o()); assert.equal(fn.mock.callCount(), 1); });
test('chunks', async () => { async function* src() { yield 1; yield 2; yield 3; } const got = []; for await (const part of chunked(src(), 2)) got.push(part); assert.deepEqual(got, [[1, 2], [3]]); });
test('chunks arrays', async () => assert.deepEqual(await Array.fromAsync(chunked([1, 2, 3, 4], 2)), [[1, 2], [3, 4]]));
test('mutex', async () => { const m = new Mutex(); const log = []; await Promise.all([m.run(async () => { log.push('a1'); await sleep(5); log.push('a2'); }), m.run(async () => { log.push('b'); })]); assert.deepEqual(log, ['a1', 'a2', 'b']); });
test('mutex frees', async () => { const m = new Mutex(); await assert.rejects(m.run(() => { throw new Error('inside'); }), /inside/); assert.equal(await m.run(() => 5), 5); });
test('aborts', async () => { const c = new AbortController(); const p = sleep(10_000, { signal: c.signal }); c.abort(new Error('stop')); await assert.rejects(p, { message: 'stop' }); });
test('timeout', async () => { await assert.rejects(timeout(sleep(1000), 5), { name: 'TimeoutError' }); assert.equal(await timeout(Promise.resolve(3), 50), 3); });
`,
  },
  {
    id: 'package-validators',
    artifact: `
export class ValidationError extends Error { constructor(issues) { super(issues.map((i) => i.path.join('.') + ': ' + i.message).join('; ')); this.name = 'ValidationError'; this.issues = issues; } }
const make = (check, more = {}) => ({ ...more, safeParse(v) { const issues = []; const value = check(v, [], issues); return issues.length ? { success: false, error: new ValidationError(issues) } : { success: true, data: value }; }, parse(v) { const r = this.safeParse(v); if (!r.success) throw r.error; return r.data; }, _check: check, optional() { return make((v, p, i) => (v === undefined ? undefined : check(v, p, i))); }, refine(f, message = 'invalid') { return make((v, p, i) => { const before = i.length; const x = check(v, p, i); if (i.length === before && !f(x)) i.push({ path: p, message }); return x; }); } });
export const string = () => Object.assign(make((v, path, i) => { if (typeof v !== 'string') i.push({ path, message: 'expected string' }); return v; }), { min(n) { return this.refine((s) => s.length >= n, 'at least ' + n + ' characters'); } });
export const number = () => make((v, path, i) => { if (typeof v !== 'number' || Number.isNaN(v)) i.push({ path, message: 'expected number' }); return v; });
export const array = (of) => make((v, path, i) => { if (!Array.isArray(v)) { i.push({ path, message: 'expected array' }); return v; } return v.map((x, n) => of._check(x, [...path, n], i)); });
export const object = (shape) => make((v, path, i) => { if (typeof v !== 'object' || v === null) { i.push({ path, message: 'expected object' }); return v; } return Object.fromEntries(Object.entries(shape).map(([k, s]) => [k, s._check(v[k], [...path, k], i)]).filter(([, x]) => x !== undefined)); }, { shape });
`,
    tests:
      head +
      `
import { array, number, object, string, ValidationError } from 'solution';
const user = object({ name: string(), age: number().optional(), tags: array(string()) });
test('parses', () => assert.deepEqual(user.parse({ name: 'ann', tags: ['a'], extra: 1 }), { name: 'ann', tags: ['a'] }));
test('collects issues', () => { const r = user.safeParse({ name: 5, tags: ['a', 7] }); assert.equal(r.success, false); assert.ok(r.error instanceof ValidationError); assert.deepEqual(r.error.issues, [{ path: ['name'], message: 'expected string' }, { path: ['tags', 1], message: 'expected string' }]); });
test('throws', () => assert.throws(() => user.parse(null), { name: 'ValidationError', issues: [{ path: [], message: 'expected object' }] }));
test('message', () => assert.throws(() => user.parse({ name: 'x', tags: 3 }), /tags: expected array/));
test('safe success', () => assert.deepEqual(number().safeParse(3), { success: true, data: 3 }));
test('refines', () => { const even = number().refine((n) => n % 2 === 0, 'must be even'); assert.equal(even.parse(4), 4); assert.throws(() => even.parse(3), /must be even/); });
test('min', () => { const s = string(); assert.equal(s.safeParse('').success, true); });
test('optional', () => { assert.equal(string().optional().parse(undefined), undefined); assert.ok(!string().optional().safeParse(3).success); });
test('nested', () => { const deep = object({ a: object({ b: array(object({ c: number() })) }) }); const { error } = deep.safeParse({ a: { b: [{ c: 'x' }] } }); assert.deepEqual(error.issues[0].path, ['a', 'b', 0, 'c']); });
test('shape', () => { assert.deepEqual(Object.keys(user.shape), ['name', 'age', 'tags']); });
`,
  },
  {
    id: 'package-functional',
    leaning: ['maybe'],
    artifact: `
export const pipe = (...fns) => (x) => fns.reduce((v, f) => f(v), x);
export const curry = (fn) => function next(...args) { return args.length >= fn.length ? fn(...args) : (...more) => next(...args, ...more); };
export const memoize = (fn, key = (...a) => JSON.stringify(a)) => { const cache = new Map(); const m = (...a) => { const k = key(...a); if (!cache.has(k)) cache.set(k, fn(...a)); return cache.get(k); }; m.cache = cache; m.clear = () => cache.clear(); return m; };
export const Maybe = { just: (v) => ({ isJust: true, map: (f) => Maybe.of(f(v)), chain: (f) => f(v), or: () => v, toString: () => 'Just(' + v + ')' }), nothing: { isJust: false, map() { return this; }, chain() { return this; }, or: (d) => d, toString: () => 'Nothing' }, of: (v) => (v == null ? Maybe.nothing : Maybe.just(v)) };
export const groupBy = (items, f) => Map.groupBy(items, f);
export const zip = (...lists) => Array.from({ length: Math.min(...lists.map((l) => l.length)) }, (_, i) => lists.map((l) => l[i]));
export const range = function* (a, b = Infinity, step = 1) { for (let i = a; i < b; i += step) yield i; };
export const take = (n, it) => { const out = []; for (const x of it) { if (out.length === n) break; out.push(x); } return out; };
export const compose = (middleware) => (ctx, next) => { let last = -1; const dispatch = async (i) => { if (i <= last) throw new Error('next() called multiple times'); last = i; const fn = i === middleware.length ? next : middleware[i]; if (fn) return fn(ctx, () => dispatch(i + 1)); }; return dispatch(0); };
export const lens = (key) => ({ get: (o) => o[key], set: (o, v) => ({ ...o, [key]: v }), over(o, f) { return this.set(o, f(this.get(o))); } });
export const deepMerge = (a, b) => { const out = { ...a }; for (const [k, v] of Object.entries(b)) out[k] = v && typeof v === 'object' && !Array.isArray(v) && typeof a[k] === 'object' ? deepMerge(a[k] ?? {}, v) : v; return out; };
`,
    tests:
      head +
      `
import { compose, curry, deepMerge, groupBy, lens, Maybe, memoize, pipe, range, take, zip } from 'solution';
test('pipe', () => assert.equal(pipe((x) => x + 1, (x) => x * 2, String)(3), '8'));
test('curry', () => { const add = curry((a, b, c) => a + b + c); assert.equal(add(1)(2)(3), 6); assert.equal(add(1, 2)(3), 6); assert.equal(typeof add(1), 'function'); assert.deepEqual([1, 2].map(add(1)(1)), [3, 4]); });
test('memoize', () => { const fn = mock.fn((a, b) => a + b); const m = memoize(fn); m(1, 2); m(1, 2); m(2, 1); assert.equal(fn.mock.callCount(), 2); assert.equal(m.cache.size, 2); m.clear(); m(1, 2); assert.equal(fn.mock.callCount(), 3); });
test('memoize keeps identity', () => { const m = memoize((x) => ({ x })); assert.strictEqual(m(1), m(1)); assert.notStrictEqual(m(1), m(2)); });
test('maybe', () => { assert.equal(Maybe.of(5).map((x) => x + 1).or(0), 6); assert.equal(Maybe.of(null).map((x) => x.y).or('none'), 'none'); assert.ok(Maybe.just(1).isJust); assert.equal(String(Maybe.of(3)), 'Just(3)'); assert.strictEqual(Maybe.of(undefined), Maybe.nothing); });
test('groups', () => { const g = groupBy(['aa', 'b', 'cc'], (s) => s.length); assert.deepEqual(g, new Map([[2, ['aa', 'cc']], [1, ['b']]])); assert.deepEqual(g.get(1), ['b']); });
test('zip and range', () => { assert.deepEqual(zip([1, 2, 3], 'ab'), [[1, 'a'], [2, 'b']]); assert.deepEqual([...range(0, 10, 4)], [0, 4, 8]); assert.deepEqual(take(3, range(5)), [5, 6, 7]); });
test('compose runs in order', async () => { const log = []; await compose([async (c, n) => { log.push(1); await n(); log.push(4); }, async (c, n) => { log.push(2); await n(); log.push(3); }])({}); assert.deepEqual(log, [1, 2, 3, 4]); });
test('compose shares the context', async () => { const ctx = { n: 0 }; await compose([(c, n) => { c.n += 1; return n(); }, (c) => { c.n *= 10; c.body = { ok: true }; }])(ctx); assert.deepEqual(ctx, { n: 10, body: { ok: true } }); });
test('compose refuses two', async () => assert.rejects(compose([async (c, n) => { await n(); await n(); }])({}), /multiple times/));
test('lens', () => { const name = lens('name'); const o = Object.freeze({ name: 'a', age: 1 }); assert.equal(name.get(o), 'a'); assert.deepEqual(name.set(o, 'b'), { name: 'b', age: 1 }); assert.deepEqual(name.over(o, (s) => s.toUpperCase()), { name: 'A', age: 1 }); assert.equal(o.name, 'a'); });
test('merges', () => { const a = { x: { y: 1, z: [1] } }; const m = deepMerge(a, { x: { y: 2 }, w: null }); assert.deepEqual(m, { x: { y: 2, z: [1] }, w: null }); assert.deepEqual(a, { x: { y: 1, z: [1] } }); });
`,
  },
  {
    id: 'package-text-tools',
    leaning: ['increments'],
    artifact: `
export const slugify = (s, { separator = '-', lower = true } = {}) => { const t = s.normalize('NFKD').replace(/[\\u0300-\\u036f]/g, '').replace(/[^\\w]+/g, separator).replace(new RegExp('^' + separator + '+|' + separator + '+$', 'g'), ''); return lower ? t.toLowerCase() : t; };
export class SemVer { constructor(text) { const m = /^(\\d+)\\.(\\d+)\\.(\\d+)(?:-([\\w.]+))?$/.exec(text); if (!m) throw new TypeError('Invalid version: ' + text); [this.major, this.minor, this.patch] = m.slice(1, 4).map(Number); this.pre = m[4]?.split('.') ?? []; } compare(o) { o = o instanceof SemVer ? o : new SemVer(o); return this.major - o.major || this.minor - o.minor || this.patch - o.patch || o.pre.length === 0 - (this.pre.length === 0) || 0; } inc(part) { const [a, b, c] = { major: [this.major + 1, 0, 0], minor: [this.major, this.minor + 1, 0], patch: [this.major, this.minor, this.patch + 1] }[part]; return new SemVer([a, b, c].join('.')); } get version() { return [this.major, this.minor, this.patch].join('.') + (this.pre.length ? '-' + this.pre.join('.') : ''); } toString() { return this.version; } static valid(t) { try { return new SemVer(t).version; } catch { return null; } } }
export const gt = (a, b) => new SemVer(a).compare(b) > 0;
export const template = (text) => { const keys = [...text.matchAll(/{{\\s*([\\w.]+)\\s*}}/g)].map((m) => m[1]); const render = (data) => text.replace(/{{\\s*([\\w.]+)\\s*}}/g, (_, k) => { const v = k.split('.').reduce((o, p) => o?.[p], data); if (v === undefined) throw new ReferenceError('missing ' + k); return typeof v === 'function' ? v() : String(v); }); return { render, keys }; };
export const parseQuery = (q) => { const out = {}; for (const [k, v] of new URLSearchParams(q)) out[k] = k in out ? [].concat(out[k], v) : v; return out; };
export const parseCsv = (text, { header = false } = {}) => { const rows = text.trim().split('\\n').map((l) => [...l.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((m) => m[1]?.replaceAll('""', '"') ?? m[2])); if (!header) return rows; const [names, ...rest] = rows; return rest.map((r) => Object.fromEntries(names.map((n, i) => [n, r[i]]))); };
export const parseIni = (text) => { const out = Object.create(null); let at = out; for (const line of text.split('\\n')) { const s = /^\\[(.+)\\]$/.exec(line.trim()); if (s) { at = out[s[1]] = Object.create(null); continue; } const kv = /^([^=;]+)=(.*)$/.exec(line); if (kv) at[kv[1].trim()] = kv[2].trim(); } return out; };
export const wrap = (text, width) => text.split(' ').reduce((lines, w) => { const last = lines.at(-1); if (last !== undefined && (last + ' ' + w).length <= width) lines[lines.length - 1] = last + ' ' + w; else lines.push(w); return lines; }, []);
export const tag = (strings, ...values) => strings.raw.map((s, i) => s + (i < values.length ? '[' + values[i] + ']' : '')).join('');
export const encoder = { encode: (s) => new TextEncoder().encode(s), hex: (b) => Buffer.from(b).toString('hex') };
export const compile = (glob) => new RegExp('^' + glob.replace(/[.+^]/g, '\\\\$&').replaceAll('*', '[^/]*') + '$');
`,
    tests:
      head +
      `
import { compile, encoder, gt, parseCsv, parseIni, parseQuery, SemVer, slugify, tag, template, wrap } from 'solution';
describe('slugify', () => { for (const [given, want] of [['Hello, World!', 'hello-world'], ['  Crème brûlée ', 'creme-brulee'], ['', '']]) it(JSON.stringify(given), () => assert.equal(slugify(given), want)); it('options', () => assert.equal(slugify('A B', { separator: '_', lower: false }), 'A_B')); });
describe('semver', () => {
  it('parses', () => { const v = new SemVer('1.2.3-beta.1'); assert.deepEqual([v.major, v.minor, v.patch], [1, 2, 3]); assert.deepEqual(v.pre, ['beta', '1']); assert.equal(v.version, '1.2.3-beta.1'); });
  it('increments', () => { assert.equal(new SemVer('1.2.3').inc('minor').version, '1.3.0'); assert.equal(String(new SemVer('1.2.3').inc('major')), '2.0.0'); assert.deepEqual(new SemVer('0.0.1').inc('patch'), new SemVer('0.0.2')); });
  it('compares', () => { assert.ok(gt('1.10.0', '1.9.9')); assert.ok(!gt('1.0.0', '1.0.0')); assert.deepEqual(['1.2.0', '1.10.0', '1.1.9'].sort((a, b) => new SemVer(a).compare(b)), ['1.1.9', '1.2.0', '1.10.0']); });
  it('validates', () => { assert.equal(SemVer.valid('nope'), null); assert.throws(() => new SemVer('1.2'), { name: 'TypeError', message: 'Invalid version: 1.2' }); });
});
test('template', () => { const t = template('Hi {{ user.name }}, {{n}}'); assert.deepEqual(t.keys, ['user.name', 'n']); assert.equal(t.render({ user: { name: 'Ann' }, n: () => 'x' }), 'Hi Ann, x'); assert.throws(() => t.render({}), ReferenceError); });
test('query', () => { assert.deepEqual(parseQuery('?a=1&b=x%20y&a=2'), { a: ['1', '2'], b: 'x y' }); assert.deepEqual(parseQuery(''), {}); });
test('csv', () => { assert.deepEqual(parseCsv('a,"b ""c""",\\n1,2,3'), [['a', 'b "c"', ''], ['1', '2', '3']]); assert.deepEqual(parseCsv('x,y\\n1,2', { header: true }), [{ x: '1', y: '2' }]); });
test('ini', () => { const ini = parseIni('a = 1\\n[s]\\nb=2\\n;no'); assert.equal(ini.a, '1'); assert.equal(ini.s.b, '2'); assert.equal(Object.getPrototypeOf(ini), null); assert.deepEqual(Object.keys(ini), ['a', 's']); assert.deepEqual({ ...ini.s }, { b: '2' }); });
test('wraps', () => assert.deepEqual(wrap('the quick brown fox', 9), ['the quick', 'brown fox']));
test('tags', () => { assert.equal(tag\`a\${1}b\\n\${'x'}\`, 'a[1]b\\\\n[x]'); });
test('bytes', () => { const b = encoder.encode('é'); assert.ok(b instanceof Uint8Array); assert.deepEqual(b, new Uint8Array([0xc3, 0xa9])); assert.equal(encoder.hex(b), 'c3a9'); assert.equal(b.length, 2); });
test('globs', () => { const re = compile('*.js'); assert.ok(re instanceof RegExp); assert.match('a.js', re); assert.doesNotMatch('a/b.js', re); assert.ok(re.test('x.js')); });
`,
  },
  {
    id: 'package-app-services',
    leaning: ['transforms'],
    artifact: `
import { EventEmitter } from 'node:events';
import { createHash } from 'node:crypto';
import { Readable, Transform } from 'node:stream';
export class NotFound extends Error { static code = 'NOT_FOUND'; code = 'NOT_FOUND'; constructor(id, options) { super('no todo ' + id, options); this.id = id; } }
export class TodoService extends EventEmitter { #store; #next = 1; constructor(store = new Map(), { clock = () => new Date() } = {}) { super(); this.#store = store; this.clock = clock; } create(title) { if (!title?.trim()) throw new TypeError('title is required'); const t = { id: this.#next++, title: title.trim(), done: false, createdAt: this.clock() }; this.#store.set(t.id, t); this.emit('created', t); return { ...t }; } get(id) { const t = this.#store.get(id); if (!t) throw new NotFound(id); return { ...t }; } toggle(id) { const t = this.#store.get(id); if (!t) throw new NotFound(id); t.done = !t.done; this.emit('toggled', t.id, t.done); return this; } list({ done } = {}) { return [...this.#store.values()].filter((t) => done === undefined || t.done === done); } get stats() { const all = this.list(); return { total: all.length, done: all.filter((t) => t.done).length }; } async save(writer) { await writer.write(JSON.stringify(this.list())); return this.stats.total; } }
export class Container { #make = new Map(); #made = new Map(); register(name, make, { singleton = true } = {}) { this.#make.set(name, { make, singleton }); return this; } resolve(name) { if (this.#made.has(name)) return this.#made.get(name); const e = this.#make.get(name); if (!e) throw new Error('unknown service: ' + String(name)); const v = e.make(this); if (e.singleton) this.#made.set(name, v); return v; } }
export class Router { #routes = []; on(method, path, handler) { const names = []; const re = new RegExp('^' + path.replace(/:(\\w+)/g, (_, n) => { names.push(n); return '([^/]+)'; }) + '$'); this.#routes.push({ method, re, names, handler }); return this; } match(method, url) { for (const r of this.#routes) { const m = r.method === method && r.re.exec(url); if (m) return { handler: r.handler, params: Object.fromEntries(r.names.map((n, i) => [n, decodeURIComponent(m[i + 1])])) }; } return null; } async handle(req) { const m = this.match(req.method, req.url); if (!m) return { status: 404, body: null }; try { return { status: 200, body: await m.handler({ ...req, params: m.params }) }; } catch (e) { return { status: e.code === 'NOT_FOUND' ? 404 : 500, body: { error: e.message } }; } } }
export const etag = (s) => '"' + createHash('sha1').update(s).digest('base64url').slice(0, 10) + '"';
export const upper = () => new Transform({ transform(c, _e, cb) { cb(null, String(c).toUpperCase()); } });
export const collect = async (stream) => { let out = ''; for await (const c of stream) out += c; return out; };
export const lines = async function* (source) { let rest = ''; for await (const c of source) { const parts = (rest + c).split('\\n'); rest = parts.pop(); yield* parts; } if (rest) yield rest; };
`,
    tests:
      head +
      `
import { Readable } from 'node:stream';
import { collect, Container, etag, lines, NotFound, Router, TodoService, upper } from 'solution';
describe('TodoService', () => {
  let todos; const now = new Date('2024-05-01T00:00:00Z');
  beforeEach(() => { todos = new TodoService(undefined, { clock: () => now }); });
  it('creates', () => { const t = todos.create(' milk '); assert.deepEqual(t, { id: 1, title: 'milk', done: false, createdAt: now }); assert.deepEqual(todos.get(1), t); assert.notStrictEqual(todos.get(1), t); });
  it('requires a title', () => { for (const bad of ['', '  ', undefined]) assert.throws(() => todos.create(bad), TypeError); });
  it('emits', () => { const seen = mock.fn(); todos.on('created', seen); todos.once('toggled', seen); todos.create('a'); todos.toggle(1).toggle(1); assert.equal(seen.mock.callCount(), 2); assert.deepEqual(seen.mock.calls[1].arguments, [1, true]); });
  it('lists', () => { todos.create('a'); todos.create('b'); todos.toggle(2); assert.deepEqual(todos.list({ done: true }).map((t) => t.title), ['b']); assert.deepEqual(todos.stats, { total: 2, done: 1 }); });
  it('is missing', () => { assert.throws(() => todos.get(9), (e) => e instanceof NotFound && e.code === NotFound.code && e.id === 9); assert.throws(() => todos.toggle(1), { code: 'NOT_FOUND', message: 'no todo 1' }); });
  it('saves', async () => { const writer = { write: mock.fn(async () => {}) }; todos.create('x'); assert.equal(await todos.save(writer), 1); const [[text]] = writer.write.mock.calls.map((c) => c.arguments); assert.deepEqual(JSON.parse(text)[0].title, 'x'); });
  it('uses the given store', () => { const store = new Map(); const s = new TodoService(store); s.create('k'); assert.equal(store.size, 1); assert.equal(store.get(1).title, 'k'); });
});
describe('Container', () => {
  it('makes singletons', () => { const c = new Container().register('cfg', () => ({ port: 1 })).register('app', (x) => ({ cfg: x.resolve('cfg') })); assert.strictEqual(c.resolve('app').cfg, c.resolve('cfg')); assert.strictEqual(c.resolve('cfg'), c.resolve('cfg')); });
  it('makes new ones', () => { const c = new Container().register('id', () => ({}), { singleton: false }); assert.notStrictEqual(c.resolve('id'), c.resolve('id')); });
  it('knows nothing else', () => assert.throws(() => new Container().resolve('x'), /unknown service: x/));
  it('calls factories once', () => { const f = mock.fn(() => 5); const c = new Container().register('f', f); c.resolve('f'); c.resolve('f'); assert.equal(f.mock.callCount(), 1); assert.strictEqual(f.mock.calls[0].arguments[0], c); });
});
describe('Router', () => {
  const router = new Router().on('GET', '/users/:id', ({ params }) => ({ id: params.id })).on('GET', '/boom', () => { throw new Error('boom'); }).on('GET', '/none', () => { throw new NotFound(3); });
  it('matches', () => { const m = router.match('GET', '/users/a%20b'); assert.deepEqual(m.params, { id: 'a b' }); assert.equal(typeof m.handler, 'function'); assert.equal(router.match('POST', '/users/1'), null); });
  it('handles', async () => { assert.deepEqual(await router.handle({ method: 'GET', url: '/users/7' }), { status: 200, body: { id: '7' } }); assert.equal((await router.handle({ method: 'GET', url: '/x' })).status, 404); });
  it('maps errors', async () => { assert.deepEqual(await router.handle({ method: 'GET', url: '/boom' }), { status: 500, body: { error: 'boom' } }); const { status } = await router.handle({ method: 'GET', url: '/none' }); assert.equal(status, 404); });
});
test('etag', () => { assert.match(etag('a'), /^"[\\w-]{10}"$/); assert.equal(etag('a'), etag('a')); assert.notEqual(etag('a'), etag('b')); });
test('streams', async () => { assert.equal(await collect(Readable.from(['a', 'b'])), 'ab'); });
test('transforms', async () => { assert.equal(await collect(Readable.from(['ab', 'c']).pipe(upper())), 'ABC'); });
test('lines', async () => { const got = []; for await (const l of lines(Readable.from(['a\\nb', 'c\\n', 'd']))) got.push(l); assert.deepEqual(got, ['a', 'bc', 'd']); });
`,
  },
  {
    id: 'package-graphs',
    leaning: ['transpose'],
    artifact: `
export class Graph { #adj = new Map(); constructor(edges = [], { directed = false } = {}) { this.directed = directed; for (const [a, b, w] of edges) this.connect(a, b, w); } connect(a, b, w = 1) { for (const n of [a, b]) if (!this.#adj.has(n)) this.#adj.set(n, new Map()); this.#adj.get(a).set(b, w); if (!this.directed) this.#adj.get(b).set(a, w); return this; } get order() { return this.#adj.size; } neighbours(n) { return new Set(this.#adj.get(n)?.keys()); } has(a, b) { return this.#adj.get(a)?.has(b) ?? false; } *bfs(start) { const seen = new Set([start]); for (const n of seen) { yield n; for (const m of this.#adj.get(n).keys()) seen.add(m); } } shortest(from, to) { const dist = new Map([[from, 0]]), prev = new Map(), todo = new Set(this.#adj.keys()); while (todo.size) { let best = null; for (const n of todo) if (dist.has(n) && (best === null || dist.get(n) < dist.get(best))) best = n; if (best === null) break; todo.delete(best); for (const [m, w] of this.#adj.get(best)) if (!dist.has(m) || dist.get(best) + w < dist.get(m)) { dist.set(m, dist.get(best) + w); prev.set(m, best); } } if (!dist.has(to)) return null; const path = [to]; while (path[0] !== from) path.unshift(prev.get(path[0])); return { distance: dist.get(to), path }; } transpose() { const g = new Graph([], { directed: true }); for (const [a, m] of this.#adj) for (const [b, w] of m) g.connect(b, a, w); return g; } }
export const toposort = (deps) => { const out = [], state = new Map(); const visit = (n, trail = []) => { if (state.get(n) === 'done') return; if (state.get(n) === 'open') throw new CycleError([...trail, n]); state.set(n, 'open'); for (const d of deps[n] ?? []) visit(d, [...trail, n]); state.set(n, 'done'); out.push(n); }; Object.keys(deps).forEach((n) => visit(n)); return out; };
export class CycleError extends Error { constructor(cycle) { super('cycle: ' + cycle.join(' > ')); this.cycle = cycle; } }
export class Trie { root = {}; insert(w) { let n = this.root; for (const c of w) n = n[c] ??= {}; n.$ = true; return this; } has(w) { let n = this.root; for (const c of w) { n = n[c]; if (!n) return false; } return n.$ === true; } complete(p) { let n = this.root; for (const c of p) { n = n[c]; if (!n) return []; } const out = []; const go = (m, s) => { if (m.$) out.push(s); for (const k of Object.keys(m).sort()) if (k !== '$') go(m[k], s + k); }; go(n, p); return out; } }
export class Matrix { constructor(rows) { this.rows = rows; } static identity(n) { return new Matrix(Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => +(i === j)))); } get size() { return [this.rows.length, this.rows[0].length]; } times(o) { if (this.size[1] !== o.size[0]) throw new RangeError('sizes do not match'); return new Matrix(this.rows.map((r) => o.rows[0].map((_, j) => r.reduce((s, x, k) => s + x * o.rows[k][j], 0)))); } get transposed() { return new Matrix(this.rows[0].map((_, j) => this.rows.map((r) => r[j]))); } at(i, j) { return this.rows[i][j]; } *[Symbol.iterator]() { for (const r of this.rows) yield* r; } }
`,
    tests:
      head +
      `
import { CycleError, Graph, Matrix, toposort, Trie } from 'solution';
const g = () => new Graph([['a', 'b', 2], ['b', 'c', 2], ['a', 'c', 9]]);
test('order', () => { assert.equal(g().order, 3); assert.equal(new Graph().order, 0); });
test('neighbours', () => { assert.deepEqual(g().neighbours('a'), new Set(['b', 'c'])); assert.deepEqual([...g().neighbours('z')], []); assert.ok(g().neighbours('a').has('b')); });
test('shortest', () => { assert.deepEqual(g().shortest('a', 'c'), { distance: 4, path: ['a', 'b', 'c'] }); const { path } = g().shortest('c', 'a'); assert.equal(path.length, 3); });
test('unreachable', () => { const d = new Graph([['a', 'b']], { directed: true }); assert.equal(d.shortest('b', 'a'), null); assert.equal(d.has('b', 'a'), false); });
test('bfs', () => { assert.deepEqual([...g().bfs('b')], ['b', 'a', 'c']); });
test('transpose', () => { const t = new Graph([['a', 'b', 3]], { directed: true }).transpose(); assert.ok(t instanceof Graph); assert.ok(t.has('b', 'a')); assert.deepEqual(t.shortest('b', 'a'), { distance: 3, path: ['b', 'a'] }); });
test('toposort', () => { assert.deepEqual(toposort({ app: ['db', 'log'], db: ['log'], log: [] }), ['log', 'db', 'app']); });
test('cycles', () => { assert.throws(() => toposort({ a: ['b'], b: ['a'] }), CycleError); try { toposort({ a: ['a'] }); assert.fail('did not throw'); } catch (e) { assert.deepEqual(e.cycle, ['a', 'a']); } });
test('trie', () => { const t = new Trie().insert('car').insert('cat').insert('dog'); assert.ok(t.has('cat')); assert.equal(t.has('ca'), false); assert.deepEqual(t.complete('ca'), ['car', 'cat']); assert.deepEqual(t.root.d, { o: { g: { $: true } } }); });
test('matrix', () => { const m = new Matrix([[1, 2], [3, 4]]); assert.deepEqual(m.times(Matrix.identity(2)), m); assert.deepEqual(m.transposed.rows, [[1, 3], [2, 4]]); assert.deepEqual([...m], [1, 2, 3, 4]); assert.equal(m.at(1, 0), 3); assert.deepEqual(m.times(m).rows, [[7, 10], [15, 22]]); });
test('matrix sizes', () => assert.throws(() => new Matrix([[1]]).times(new Matrix([[1], [2]])), RangeError));
`,
  },
  {
    id: 'package-reactive',
    leaning: ['errors'],
    artifact: `
let current = null;
export const createSignal = (value) => { const subs = new Set(); const read = () => { if (current) { subs.add(current); } return value; }; const write = (next) => { value = typeof next === 'function' ? next(value) : next; for (const s of [...subs]) s(); return value; }; return [read, write]; };
export const createEffect = (fn) => { const run = () => { const outer = current; current = run; try { fn(); } finally { current = outer; } }; run(); };
export const createMemo = (fn) => { const [read, write] = createSignal(); createEffect(() => write(fn())); return read; };
export class Observable { constructor(subscribe) { this._s = subscribe; } static of(...v) { return new Observable((o) => { v.forEach((x) => o.next(x)); o.complete?.(); return () => {}; }); } subscribe(o) { const obs = typeof o === 'function' ? { next: o } : o; let closed = false; const stop = this._s({ next: (v) => closed || obs.next?.(v), error: (e) => { if (!closed) { closed = true; obs.error?.(e); } }, complete: () => { if (!closed) { closed = true; obs.complete?.(); } } }); return { unsubscribe: () => { closed = true; stop?.(); }, get closed() { return closed; } }; } pipe(...ops) { return ops.reduce((o, op) => op(o), this); } }
export const map = (f) => (src) => new Observable((o) => { const s = src.subscribe({ ...o, next: (v) => o.next(f(v)) }); return () => s.unsubscribe(); });
export const filter = (f) => (src) => new Observable((o) => { const s = src.subscribe({ ...o, next: (v) => f(v) && o.next(v) }); return () => s.unsubscribe(); });
export class Subject extends Observable { #obs = new Set(); constructor() { super((o) => { this.#obs.add(o); return () => this.#obs.delete(o); }); } next(v) { for (const o of this.#obs) o.next(v); } complete() { for (const o of this.#obs) o.complete(); } get observed() { return this.#obs.size > 0; } }
export const createStore = (reducer, state = reducer(undefined, { type: '@@init' }), ...enhancers) => { const listeners = []; const store = { getState: () => state, dispatch(a) { if (typeof a === 'function') return a(store.dispatch, store.getState); if (!a?.type) throw new TypeError('actions need a type'); state = reducer(state, a); listeners.slice().forEach((l) => l()); return a; }, subscribe(l) { listeners.push(l); return () => { listeners.splice(listeners.indexOf(l), 1); }; } }; return store; };
export const combineReducers = (rs) => (state = {}, a) => Object.fromEntries(Object.entries(rs).map(([k, r]) => [k, r(state[k], a)]));
export const produce = (base, recipe) => { const draft = structuredClone(base); recipe(draft); return Object.freeze(draft); };
export const watch = (target, log = []) => ({ proxy: new Proxy(target, { set(o, k, v, r) { log.push([k, o[k], v]); return Reflect.set(o, k, v, r); }, deleteProperty(o, k) { log.push([k, o[k], undefined]); return delete o[k]; } }), log });
`,
    tests:
      head +
      `
import { combineReducers, createEffect, createMemo, createSignal, createStore, filter, map, Observable, produce, Subject, watch } from 'solution';
test('signals', () => { const [count, setCount] = createSignal(0); assert.equal(count(), 0); setCount(5); assert.equal(count(), 5); setCount((c) => c + 1); assert.equal(count(), 6); });
test('effects', () => { const [n, setN] = createSignal(1); const seen = []; createEffect(() => seen.push(n() * 10)); setN(2); setN(3); assert.deepEqual(seen, [10, 20, 30]); });
test('memos', () => { const [a, setA] = createSignal(2); const [b] = createSignal(3); const area = createMemo(() => a() * b()); assert.equal(area(), 6); setA(5); assert.equal(area(), 15); });
test('observables', () => { const got = []; let done = false; Observable.of(1, 2, 3).subscribe({ next: (v) => got.push(v), complete: () => { done = true; } }); assert.deepEqual(got, [1, 2, 3]); assert.ok(done); });
test('operators', () => { const got = []; Observable.of(1, 2, 3, 4).pipe(filter((x) => x % 2 === 0), map((x) => x * 10)).subscribe((v) => got.push(v)); assert.deepEqual(got, [20, 40]); });
test('subjects', () => { const s = new Subject(); const a = mock.fn(); const sub = s.subscribe(a); assert.ok(s.observed); s.next('x'); sub.unsubscribe(); s.next('y'); assert.equal(a.mock.callCount(), 1); assert.equal(s.observed, false); assert.ok(sub.closed); assert.ok(s instanceof Observable); });
test('errors', () => { const onError = mock.fn(); const e = new Error('bad'); new Observable((o) => { o.next(1); o.error(e); o.next(2); }).subscribe({ next() {}, error: onError }); assert.strictEqual(onError.mock.calls[0].arguments[0], e); });
describe('store', () => {
  const todos = (state = [], a) => (a.type === 'add' ? [...state, a.text] : state); const n = (state = 0, a) => (a.type === 'inc' ? state + 1 : state);
  it('starts', () => assert.deepEqual(createStore(combineReducers({ todos, n })).getState(), { todos: [], n: 0 }));
  it('dispatches', () => { const s = createStore(combineReducers({ todos, n })); const action = { type: 'add', text: 'x' }; assert.strictEqual(s.dispatch(action), action); s.dispatch({ type: 'inc' }); assert.deepEqual(s.getState(), { todos: ['x'], n: 1 }); });
  it('keeps what did not change', () => { const s = createStore(combineReducers({ todos, n })); const before = s.getState().todos; s.dispatch({ type: 'inc' }); assert.strictEqual(s.getState().todos, before); });
  it('subscribes', () => { const s = createStore(n); const l = mock.fn(); const off = s.subscribe(l); s.dispatch({ type: 'inc' }); off(); s.dispatch({ type: 'inc' }); assert.equal(l.mock.callCount(), 1); assert.equal(s.getState(), 2); });
  it('thunks', () => { const s = createStore(n); const r = s.dispatch((dispatch, get) => { dispatch({ type: 'inc' }); return get() + 100; }); assert.equal(r, 101); });
  it('refuses', () => assert.throws(() => createStore(n).dispatch({}), { name: 'TypeError', message: /need a type/ }));
});
test('produce', () => { const base = { list: [1], o: { k: 1 } }; const next = produce(base, (d) => { d.list.push(2); d.o.k = 5; }); assert.deepEqual(next, { list: [1, 2], o: { k: 5 } }); assert.deepEqual(base, { list: [1], o: { k: 1 } }); assert.ok(Object.isFrozen(next)); assert.notStrictEqual(next.list, base.list); });
test('watch own log', () => { const log = []; const { proxy } = watch({}, log); proxy.x = 1; assert.deepEqual(log, [['x', undefined, 1]]); assert.equal(proxy.x, 1); assert.ok('x' in proxy); });
`,
  },
  {
    id: 'package-turns',
    artifact: `
export const batch = (load, wait = 0) => {
  let queue = [];
  const flush = async () => {
    const all = queue;
    queue = [];
    try {
      const found = await load(all.map(({ key }) => key));
      all.forEach(({ resolve }, index) => resolve(found[index]));
    } catch (error) {
      all.forEach(({ reject }) => reject(error));
    }
  };
  return (key) =>
    new Promise((resolve, reject) => {
      queue.push({ key, resolve, reject });
      if (queue.length === 1) wait === null ? queueMicrotask(flush) : setTimeout(flush, wait);
    });
};
export class Job {
  state = 'new';
  async run() {
    this.state = 'begun';
    await null;
    this.state = 'done';
  }
}
export const createLater = () => {
  let n = 0;
  return { add() { setTimeout(() => { n += 1; }, 1); }, get n() { return n; } };
};
export const soon = (done) => { Promise.resolve().then(() => done('soon')); };
`,
    tests: `import { mock, test } from 'node:test';
import assert from 'node:assert/strict';
import { batch, createLater, Job, soon } from 'solution';
const doubled = () => mock.fn(async (keys) => keys.map((key) => key * 2));
const callsOf = (load) => load.mock.calls.map(({ arguments: [keys] }) => keys);
test('collects calls for a moment', async () => { const load = doubled(); const get = batch(load); assert.deepEqual(await Promise.all([get(1), get(2), get(3)]), [2, 4, 6]); assert.deepEqual(callsOf(load), [[1, 2, 3]]); });
test('collects calls until the test waits', async () => { const load = doubled(); const get = batch(load, null); assert.deepEqual(await Promise.all([get(1), get(2), get(3)]), [2, 4, 6]); assert.deepEqual(callsOf(load), [[1, 2, 3]]); });
test('collects calls apart', async () => { const load = doubled(); const get = batch(load, null); await get(1); await get(2); assert.deepEqual(callsOf(load), [[1], [2]]); });
test('fails together', async () => { const get = batch(async () => { throw new Error('down'); }); const all = await Promise.allSettled([get(1), get(2)]); assert.deepEqual(all.map(({ reason }) => reason.message), ['down', 'down']); });
test('has begun', async () => { const job = new Job(); const running = job.run(); assert.equal(job.state, 'begun'); await running; assert.equal(job.state, 'done'); });
test('is done after a microtask', async () => { const job = new Job(); job.run(); assert.equal(job.state, 'begun'); await null; assert.equal(job.state, 'done'); });
test('no timer comes before the test waits', async () => { const later = createLater(); later.add(); const until = Date.now() + 20; while (Date.now() < until); assert.equal(later.n, 0); await new Promise((resolve) => setTimeout(resolve, 30)); assert.equal(later.n, 1); });
test('calls after the test has let go', async () => { const done = mock.fn(); soon(done); assert.equal(done.mock.callCount(), 0); await null; assert.equal(done.mock.callCount(), 1); assert.deepEqual(done.mock.calls[0].arguments, ['soon']); });
`,
  },
  {
    id: 'package-callers',
    artifact: `
export const debounce = (fn, ms) => {
  let timer;
  return function (...args) {
    clearTimeout(timer);
    timer = setTimeout(() => fn.apply(this, args), ms);
  };
};
export const memoize = (fn) => {
  const known = new Map();
  return function (key) {
    if (!known.has(key)) known.set(key, fn.call(this, key));
    return known.get(key);
  };
};
export class Emitter {
  #listeners = [];
  on(fn) { this.#listeners.push(fn); return this; }
  emit(...args) { for (const fn of this.#listeners) fn.apply(this, args); }
}
export class HttpError extends Error {
  constructor(status, message) { super(message); this.status = status; }
}
export const fail = (status) => { throw new HttpError(status, 'refused'); };
export const handle = (...steps) => {
  const next = (index) => steps[index]?.(() => next(index + 1));
  try {
    return { status: 200, body: next(0) };
  } catch (error) {
    return error instanceof HttpError ? { status: error.status, hint: error.hint } : { status: 500 };
  }
};
export function* take(items, count) { let left = count; if (left > 0) for (const item of items) { yield item; if (--left === 0) return; } }
export async function* takeLater(items, count) { let left = count; if (left > 0) for await (const item of items) { yield item; if (--left === 0) return; } }
`,
    tests: `import { mock, test } from 'node:test';
import assert from 'node:assert/strict';
import { debounce, Emitter, fail, handle, memoize, take, takeLater } from 'solution';
test('keeps this of a class', async () => { const seen = []; class Widget { constructor(id) { this.id = id; } } Widget.prototype.save = debounce(function (how) { seen.push([this.id, how]); }, 2); const one = new Widget(1); new Widget(2).save('x'); one.save('y'); await new Promise((resolve) => setTimeout(resolve, 30)); assert.deepEqual(seen, [[1, 'y']]); });
test('keeps this of an object', () => { const fn = mock.fn(function (n) { return n * this.factor; }); const part = { factor: 3, times: memoize(fn) }; assert.equal(part.times(2), 6); assert.equal(part.times(2), 6); assert.equal(fn.mock.callCount(), 1); assert.strictEqual(fn.mock.calls[0].this, part); });
test('calls on the emitter', () => { const emitter = new Emitter(); const spy = mock.fn(); emitter.on(spy).emit(1); assert.strictEqual(spy.mock.calls[0].this, emitter); assert.deepEqual(spy.mock.calls[0].arguments, [1]); });
test('lets errors of its own pass', () => { assert.deepEqual(handle((next) => next(), () => fail(401)), { status: 401, hint: undefined }); assert.deepEqual(handle(() => { throw new Error('other'); }), { status: 500 }); assert.deepEqual(handle((next) => next(), () => 'ok'), { status: 200, body: 'ok' }); });
test('ends iterators', () => { let ended = 0; function* endless() { try { for (;;) yield 1; } finally { ended += 1; } } assert.deepEqual([...take(endless(), 2)], [1, 1]); assert.equal(ended, 1); });
test('ends async iterators', async () => { let ended = 0; async function* endless() { try { for (;;) yield 1; } finally { ended += 1; } } const got = []; for await (const each of takeLater(endless(), 3)) got.push(each); assert.deepEqual(got, [1, 1, 1]); assert.equal(ended, 1); });
test('iterators that end by themselves', () => { let ended = 0; function* two() { try { yield 1; yield 2; } finally { ended += 1; } } assert.deepEqual([...take(two(), 9)], [1, 2]); assert.equal(ended, 1); });
`,
  },
];
