/*
 * Correct programs that keep objects which a test gave beside objects that they made themselves, in lists, maps and states, and wrong ones. Their
 * classes do more than to keep what they are given: they freeze, check and compute.
 */
import type { StylesCase } from './program-styles.ts';

const begin = `import assert from 'node:assert/strict';
import { test } from 'node:test';
`;

const coins = (inc: string): string =>
  `export class Coin { constructor(n) { this.n = n; Object.freeze(this); } }
export class Purse { constructor(coins) { this.coins = coins; } ${inc} }
`;
const stock = (check: string, restock: string): string =>
  `export class Item { constructor(sku, count) { ${check} this.sku = sku; this.count = count; } }
export class Stock { #items; constructor(items) { this.#items = items; } ${restock} get items() { return this.#items; } }
`;
const shapes = (made: string, more: string): string =>
  `export class Rect { constructor(w, h) { ${made} } }
${more}
`;
const lines = (move: string): string =>
  `export class Point { constructor(x, y) { this.x = x; this.y = y; Object.freeze(this); } }
export class Line { constructor(from, to) { this.from = from; this.to = to; Object.freeze(this); } ${move} }
`;
const users = (rename: string): string =>
  `export class User { #at = 0; constructor(id, name) { if (!name) throw new RangeError('no name'); this.id = id; this.name = name; } get label() { return this.id + ':' + this.name; } }
export class Users { byId = new Map(); add(user) { this.byId.set(user.id, user); return this; } ${rename} }
`;
const reducer = (add: string, drop: string): string =>
  `export class Todo { constructor(id, text, done = false) { this.id = id; this.text = text; this.done = done; Object.freeze(this); } }
export const initial = { items: [], filter: 'all' };
export function reduce(state, action) {
  switch (action.type) {
    case 'add': ${add}
    case 'toggle': return { ...state, items: state.items.map((t) => (t.id === action.id ? new Todo(t.id, t.text, !t.done) : t)) };
    case 'drop': ${drop}
    default: return state;
  }
}
`;
const history = (undo: string, push: string): string =>
  `export class State { constructor(text, cursor = text.length) { this.text = text; this.cursor = cursor; Object.freeze(this); } }
export class History {
  past = []; future = [];
  constructor(present) { this.present = present; }
  ${push}
  ${undo}
  redo() { if (this.future.length) { this.past = [...this.past, this.present]; [this.present, ...this.future] = this.future; } return this.present; }
}
`;
const queue = (retry: string): string =>
  `export class Job { constructor(name, tries = 0) { if (tries > 3) throw new RangeError('too many tries'); this.name = name; this.tries = tries; } }
export class Queue { jobs = []; push(...jobs) { this.jobs.push(...jobs); return this.jobs.length; } ${retry} drain() { return this.jobs.splice(0); } }
`;
const trees = (replace: string): string =>
  `export class Tree { constructor(name, ...children) { this.name = name; this.children = Object.freeze(children); this.size = 1 + children.reduce((n, c) => n + c.size, 0); Object.freeze(this); } }
${replace}
`;
const intervals = (merge: string): string =>
  `export class Interval { constructor(lo, hi) { if (lo > hi) throw new RangeError('empty'); this.lo = lo; this.hi = hi; } get length() { return this.hi - this.lo; } }
${merge}
`;
const money = (round: string, spread: string): string =>
  `export class Money { constructor(amount, currency = 'EUR') { this.cents = ${round}; this.currency = currency; } }
export class Ledger { entries = {}; put(name, money) { this.entries[name] = money; return this; } ${spread} }
`;
const board = (move: string): string =>
  `export class Piece { constructor(kind, moved = 0) { this.kind = kind; this.moved = moved; Object.freeze(this); } }
export class Board { constructor(rows) { this.rows = rows; } ${move} }
`;
const sums = (grow: string): string =>
  `class Shape { constructor(name) { if (new.target === Shape) throw new TypeError('abstract'); this.name = name; } }
export class Circle extends Shape { constructor(r) { super('circle'); this.r = r; } }
export class Square extends Shape { constructor(a) { super('square'); this.a = a; this.area = a * a; } }
export class Scene { shapes = []; add(...s) { this.shapes = [...this.shapes, ...s]; return this; } ${grow} }
`;
const lists = (cons: string): string =>
  `export class Cons { constructor(head, tail = null) { this.head = head; this.tail = tail; this.length = 1 + (tail === null ? 0 : tail.length); Object.freeze(this); } }
${cons}
`;
const groups = (group: string): string =>
  `export class Entry { constructor(key, value) { this.key = key.toLowerCase(); this.value = value; } }
${group}
`;
const tags = (merge: string): string =>
  `export class Tag { constructor(name) { if (typeof name !== 'string') throw new TypeError('name'); this.name = name; Object.freeze(this); } }
export class Tagged { tags = new Set(); tag(...all) { for (const t of all) this.tags.add(t); return this; } ${merge} }
`;
const cards = (deal: string): string =>
  `export class Card { static #made = 0; constructor(suit, rank) { this.suit = suit; this.rank = rank; this.value = Math.min(rank, 10); } get isFace() { return this.rank > 10; } }
export class Deck { constructor(cards) { this.cards = [...cards]; } ${deal} }
`;
const ranked = (insert: string): string =>
  `export class Task { constructor(name, rank) { this.name = name; this.rank = rank; Object.freeze(this); } }
export class Ranked { #tasks = []; ${insert} peek() { return this.#tasks[0]; } toArray() { return this.#tasks.slice(); } }
`;
const grids = (step: string): string =>
  `export class Cell { constructor(alive) { this.alive = Boolean(alive); Object.freeze(this); } }
${step}
`;
const messages = (reply: string): string =>
  `export class Message { constructor(from, text, seen = []) { this.from = from; this.text = text.trim(); this.seen = [...seen]; } }
export class Thread { #all = []; post(m) { this.#all.push(m); return this; } ${reply} since(n) { return this.#all.slice(n); } }
`;
const configs = (patch: string): string =>
  `export class Option { constructor(value, source = 'default') { this.value = value; this.source = source; Object.freeze(this); } }
${patch}
`;
const routes = (shift: string): string =>
  `export class Stop { constructor(name, at) { if (at < 0) throw new RangeError('before midnight'); this.name = name; this.at = at; this.text = name + '@' + at; } }
export class Route { constructor(...stops) { this.stops = stops; } ${shift} }
`;

/** Programs that hold given objects beside their own. */
export const mixedLists: readonly StylesCase[] = [
  {
    id: 'a list of which one object is replaced',
    references: ['new list', 'in place'],
    tests: `${begin}import { Coin, Purse } from 'solution';
test('replaces', () => { const p = new Purse([new Coin(5), new Coin(7)]); p.inc(); assert.deepEqual(p.coins, [new Coin(6), new Coin(7)]); });
test('twice', () => { const p = new Purse([new Coin(1), new Coin(2), new Coin(3)]); p.inc(); p.inc(); assert.deepEqual(p.coins, [new Coin(3), new Coin(2), new Coin(3)]); assert.notDeepEqual(p.coins, [new Coin(2), new Coin(2), new Coin(3)]); });
test('same', () => { const last = new Coin(7); const p = new Purse([new Coin(5), last]); p.inc(); assert.equal(p.coins[1], last); assert.equal(p.coins[0].n, 6); });
`,
    styles: {
      'new list': coins('inc() { this.coins = [new Coin(this.coins[0].n + 1), ...this.coins.slice(1)]; }'),
      'in place': coins('inc() { this.coins[0] = new Coin(this.coins[0].n + 1); }'),
      with: coins('inc() { this.coins = this.coins.with(0, new Coin(this.coins.at(0).n + 1)); }'),
    },
    wrong: {
      'the last one': coins(
        'inc() { this.coins = [this.coins[0], ...this.coins.slice(1, -1), new Coin(this.coins.at(-1).n + 1)]; }',
      ),
      'by two': coins('inc() { this.coins = [new Coin(this.coins[0].n + 2), ...this.coins.slice(1)]; }'),
      'all of them': coins('inc() { this.coins = this.coins.map((c) => new Coin(c.n + 1)); }'),
    },
  },
  {
    id: 'a list that is expected before it is made',
    needsReference: true,
    references: ['new list', 'in place'],
    tests: `${begin}import { Coin, Purse } from 'solution';
test('expected first', () => { const expected = [new Coin(6), new Coin(7)]; const p = new Purse([new Coin(5), new Coin(7)]); p.inc(); assert.deepEqual(p.coins, expected); });
test('same ones', () => { const last = new Coin(7); const expected = [new Coin(6), last]; const p = new Purse([new Coin(5), last]); p.inc(); assert.deepEqual(p.coins, expected); assert.equal(p.coins[1], expected[1]); });
`,
    styles: {
      'new list': coins('inc() { this.coins = [new Coin(this.coins[0].n + 1), ...this.coins.slice(1)]; }'),
      'in place': coins('inc() { this.coins[0] = new Coin(this.coins[0].n + 1); }'),
    },
    wrong: {
      'all of them': coins('inc() { this.coins = this.coins.map((c) => new Coin(c.n + 1)); }'),
      'another one': coins('inc() { this.coins = [new Coin(this.coins[0].n + 1), new Coin(7.5)]; }'),
    },
  },
  {
    id: 'a list of checked objects that is spliced',
    references: ['splice'],
    tests: `${begin}import { Item, Stock } from 'solution';
test('restocks', () => { const s = new Stock([new Item('a', 1), new Item('b', 0), new Item('c', 2)]); s.restock('b', 5); assert.deepEqual(s.items, [new Item('a', 1), new Item('b', 5), new Item('c', 2)]); });
test('adds', () => { const s = new Stock([new Item('a', 1)]); s.restock('z', 2); assert.deepEqual(s.items, [new Item('a', 1), new Item('z', 2)]); assert.equal(s.items.length, 2); });
test('checks', () => { assert.throws(() => new Item('a', -1), RangeError); assert.throws(() => new Stock([new Item('a', 1)]).restock('a', -5), RangeError); });
`,
    styles: {
      splice: stock(
        `if (count < 0) throw new RangeError('count');`,
        `restock(sku, n) { const at = this.#items.findIndex((i) => i.sku === sku); if (at < 0) this.#items.push(new Item(sku, n)); else this.#items.splice(at, 1, new Item(sku, this.#items[at].count + n)); }`,
      ),
      'new list': stock(
        `if (!(count >= 0)) { throw new RangeError('bad count'); }`,
        `restock(sku, n) { const known = this.#items.some((i) => i.sku === sku); this.#items = known ? this.#items.map((i) => (i.sku === sku ? new Item(sku, i.count + n) : i)) : this.#items.concat(new Item(sku, n)); }`,
      ),
    },
    wrong: {
      'not added': stock(
        `if (count < 0) throw new RangeError('count');`,
        `restock(sku, n) { this.#items = this.#items.map((i) => (i.sku === sku ? new Item(sku, i.count + n) : i)); }`,
      ),
      'set and not added': stock(
        `if (count < 0) throw new RangeError('count');`,
        `restock(sku, n) { const at = this.#items.findIndex((i) => i.sku === sku); if (at < 0) this.#items.unshift(new Item(sku, n)); else this.#items.splice(at, 1, new Item(sku, n)); }`,
      ),
      unchecked: stock(
        '',
        `restock(sku, n) { const at = this.#items.findIndex((i) => i.sku === sku); if (at < 0) this.#items.push(new Item(sku, n)); else this.#items.splice(at, 1, new Item(sku, this.#items[at].count + n)); }`,
      ),
    },
  },
  {
    id: 'lists of computing objects, sorted and filtered',
    references: ['fields'],
    tests: `${begin}import { Rect, sorted, larger, doubled } from 'solution';
test('sorts', () => { assert.deepEqual(sorted([new Rect(3, 3), new Rect(1, 2), new Rect(2, 2)]), [new Rect(1, 2), new Rect(2, 2), new Rect(3, 3)]); });
test('filters', () => { const all = [new Rect(3, 3), new Rect(1, 2), new Rect(2, 2)]; assert.deepEqual(larger(all, 3), [new Rect(3, 3), new Rect(2, 2)]); assert.equal(all.length, 3); });
test('doubles', () => { const all = [new Rect(3, 3), new Rect(1, 2)]; assert.deepEqual(doubled(all, 0), [new Rect(6, 3), new Rect(1, 2)]); assert.deepEqual(all, [new Rect(3, 3), new Rect(1, 2)]); assert.equal(doubled(all, 1)[0], all[0]); });
test('area', () => { assert.equal(new Rect(2, 5).area, 10); });
`,
    styles: {
      fields: shapes(
        'this.w = w; this.h = h; this.area = w * h;',
        `export const sorted = (all) => [...all].sort((a, b) => a.area - b.area);
export const larger = (all, n) => all.filter((r) => r.area > n);
export const doubled = (all, at) => [...all.slice(0, at), new Rect(all[at].w * 2, all[at].h), ...all.slice(at + 1)];`,
      ),
      assigned: shapes(
        'Object.assign(this, { w, h, area: h * w }); Object.freeze(this);',
        `export function sorted(all) { return all.toSorted((a, b) => (a.area < b.area ? -1 : 1)); }
export function larger(all, n) { const found = []; for (const r of all) if (r.area > n) found.push(r); return found; }
export function doubled(all, at) { return all.map((r, i) => (i === at ? new Rect(r.w + r.w, r.h) : r)); }`,
      ),
    },
    wrong: {
      'in place': shapes(
        'this.w = w; this.h = h; this.area = w * h;',
        `export const sorted = (all) => all.reverse();
export const larger = (all, n) => all.filter((r) => r.area >= n - 1);
export const doubled = (all, at) => { all[at] = new Rect(all[at].w * 2, all[at].h); return all; };`,
      ),
      'another area': shapes(
        'this.w = w; this.h = h; this.area = w + h;',
        `export const sorted = (all) => [...all].sort((a, b) => b.area - a.area);
export const larger = (all, n) => all.filter((r) => r.area > n);
export const doubled = (all, at) => [...all.slice(0, at), new Rect(all[at].w * 2, all[at].h), ...all.slice(at + 1)];`,
      ),
    },
  },
  {
    id: 'frozen objects within frozen ones',
    references: ['moves'],
    tests: `${begin}import { Line, Point } from 'solution';
test('moves', () => { const l = new Line(new Point(0, 0), new Point(1, 1)); assert.deepEqual(l.moveEnd(2, 0), new Line(new Point(0, 0), new Point(3, 1))); });
test('keeps', () => { const from = new Point(0, 0); const l = new Line(from, new Point(1, 1)); const m = l.moveEnd(1, 1); assert.equal(m.from, from); assert.deepEqual(m.to, new Point(2, 2)); assert.deepEqual(l, new Line(new Point(0, 0), new Point(1, 1))); });
test('splits', () => { const l = new Line(new Point(0, 0), new Point(4, 2)); assert.deepEqual(l.split(), [new Line(new Point(0, 0), new Point(2, 1)), new Line(new Point(2, 1), new Point(4, 2))]); });
`,
    styles: {
      moves: lines(`moveEnd(x, y) { return new Line(this.from, new Point(this.to.x + x, this.to.y + y)); }
split() { const m = new Point((this.from.x + this.to.x) / 2, (this.from.y + this.to.y) / 2); return [new Line(this.from, m), new Line(m, this.to)]; }`),
      destructured:
        lines(`moveEnd(dx, dy) { const { from, to: { x, y } } = this; return new Line(from, new Point(x + dx, y + dy)); }
split() { const half = (k) => (this.from[k] + this.to[k]) / 2; return [new Line(this.from, new Point(half('x'), half('y'))), new Line(new Point(half('x'), half('y')), this.to)]; }`),
    },
    wrong: {
      'the other end':
        lines(`moveEnd(x, y) { return new Line(new Point(this.from.x + x, this.from.y + y), this.to); }
split() { return [this, this]; }`),
      'the same half':
        lines(`moveEnd(x, y) { return new Line(this.from, new Point(this.to.x + x, this.to.y)); }
split() { const m = new Point((this.from.x + this.to.x) / 2, (this.from.y + this.to.y) / 2); return [new Line(this.from, m), new Line(this.from, m)]; }`),
    },
  },
  {
    id: 'a map of which one object is replaced',
    references: ['set'],
    tests: `${begin}import { User, Users } from 'solution';
const three = () => new Users().add(new User(1, 'ann')).add(new User(2, 'bob')).add(new User(3, 'cid'));
test('renames', () => { const u = three(); u.rename(2, 'ben'); assert.deepEqual(u.byId, new Map([[1, new User(1, 'ann')], [2, new User(2, 'ben')], [3, new User(3, 'cid')]])); });
test('lists', () => { const u = three(); u.rename(3, 'cat'); assert.deepEqual([...u.byId.values()], [new User(1, 'ann'), new User(2, 'bob'), new User(3, 'cat')]); assert.equal(u.byId.get(3).label, '3:cat'); });
test('unknown', () => { const u = three(); assert.throws(() => u.rename(9, 'x'), /no user/); assert.throws(() => u.rename(1, ''), RangeError); assert.deepEqual(u.byId.get(1), new User(1, 'ann')); });
`,
    styles: {
      set: users(
        `rename(id, name) { if (!this.byId.has(id)) throw new Error('no user ' + id); this.byId.set(id, new User(id, name)); }`,
      ),
      'new map': users(
        `rename(id, name) { const found = this.byId.get(id); if (found === undefined) throw new Error('no user ' + id); const next = new User(found.id, name); this.byId = new Map([...this.byId].map(([k, v]) => [k, k === id ? next : v])); }`,
      ),
    },
    wrong: {
      'at the end': users(
        `rename(id, name) { if (!this.byId.has(id)) throw new Error('no user ' + id); this.byId.set(id + 1, new User(id, name)); }`,
      ),
      'another name': users(
        `rename(id, name) { if (!this.byId.has(id)) throw new Error('no user ' + id); this.byId.set(id, new User(id, name.toUpperCase())); }`,
      ),
    },
  },
  {
    id: 'a reducer of a plain state',
    references: ['spread'],
    tests: `${begin}import { Todo, initial, reduce } from 'solution';
const state = () => ({ items: [new Todo(1, 'a'), new Todo(2, 'b')], filter: 'all' });
test('adds', () => { const s = state(); assert.deepEqual(reduce(s, { type: 'add', text: 'c' }), { items: [new Todo(1, 'a'), new Todo(2, 'b'), new Todo(3, 'c')], filter: 'all' }); assert.equal(s.items.length, 2); });
test('first', () => { assert.deepEqual(reduce(initial, { type: 'add', text: 'x' }).items, [new Todo(1, 'x')]); });
test('toggles', () => { const s = reduce(state(), { type: 'toggle', id: 2 }); assert.deepEqual(s, { items: [new Todo(1, 'a'), new Todo(2, 'b', true)], filter: 'all' }); });
test('drops', () => { const s = state(); const n = reduce(s, { type: 'drop', id: 1 }); assert.deepEqual(n.items, [new Todo(2, 'b')]); assert.equal(n.items[0], s.items[1]); });
test('other', () => { const s = state(); assert.equal(reduce(s, { type: 'x' }), s); });
test('several', () => { const s = [{ type: 'add', text: 'c' }, { type: 'toggle', id: 1 }, { type: 'drop', id: 2 }].reduce(reduce, state()); assert.deepEqual(s.items, [new Todo(1, 'a', true), new Todo(3, 'c')]); });
`,
    styles: {
      spread: reducer(
        `return { ...state, items: [...state.items, new Todo(1 + Math.max(0, ...state.items.map((t) => t.id)), action.text)] };`,
        `return { ...state, items: state.items.filter((t) => t.id !== action.id) };`,
      ),
      assigned: reducer(
        `{ const ids = state.items.map((t) => t.id); return Object.assign({}, state, { items: state.items.concat([new Todo(ids.reduce((a, b) => (a > b ? a : b), 0) + 1, action.text)]) }); }`,
        `{ const at = state.items.findIndex((t) => t.id === action.id); return { ...state, items: state.items.toSpliced(at, 1) }; }`,
      ),
    },
    wrong: {
      mutates: reducer(
        `state.items.push(new Todo(state.items.length + 1, action.text)); return state;`,
        `return { ...state, items: state.items.filter((t) => t.id === action.id) };`,
      ),
      'another number': reducer(
        `return { ...state, items: [...state.items, new Todo(state.items.length, action.text)] };`,
        `return { ...state, items: state.items.filter((t) => t.id !== action.id).map((t) => new Todo(t.id, t.text, t.done)) };`,
      ),
    },
  },
  {
    id: 'a history of states',
    needsReference: true,
    references: ['spread'],
    tests: `${begin}import { History, State } from 'solution';
test('undoes', () => { const h = new History(new State('a')); h.push(new State('ab')); h.type('c'); assert.deepEqual(h.present, new State('abc')); assert.deepEqual(h.undo(), new State('ab')); assert.deepEqual(h.past, [new State('a')]); assert.deepEqual(h.future, [new State('abc')]); });
test('redoes', () => { const h = new History(new State('a')); h.type('b'); h.undo(); assert.deepEqual(h.redo(), new State('ab')); assert.deepEqual(h.past, [new State('a')]); assert.deepEqual(h.future, []); });
test('forgets', () => { const h = new History(new State('a')); h.type('b'); h.undo(); h.push(new State('x', 0)); assert.deepEqual(h.future, []); assert.deepEqual([...h.past, h.present], [new State('a'), new State('x', 0)]); });
test('empty', () => { const first = new State('a'); const h = new History(first); assert.equal(h.undo(), first); assert.deepEqual(h.past, []); });
`,
    styles: {
      spread: history(
        `undo() { if (this.past.length) { this.future = [this.present, ...this.future]; this.present = this.past.at(-1); this.past = this.past.slice(0, -1); } return this.present; }`,
        `push(state) { this.past = [...this.past, this.present]; this.present = state; this.future = []; } type(t) { this.push(new State(this.present.text + t)); }`,
      ),
      'in place': history(
        `undo() { const last = this.past.pop(); if (last !== undefined) { this.future.unshift(this.present); this.present = last; } return this.present; }`,
        `push(state) { this.past.push(this.present); this.present = state; this.future.length = 0; } type(t) { const { text } = this.present; this.push(new State(text.concat(t))); }`,
      ),
    },
    wrong: {
      'keeps the future': history(
        `undo() { const last = this.past.pop(); if (last !== undefined) { this.future.unshift(this.present); this.present = last; } return this.present; }`,
        `push(state) { this.past.push(this.present); this.present = state; } type(t) { this.push(new State(this.present.text + t)); }`,
      ),
      'undoes to the first': history(
        `undo() { if (this.past.length) { this.future = [this.present, ...this.future]; [this.present] = this.past; this.past = []; } return this.present; }`,
        `push(state) { this.past = [...this.past, this.present]; this.present = state; this.future = []; } type(t) { this.push(new State(this.present.text + t)); }`,
      ),
    },
  },
  {
    id: 'a queue whose jobs are tried again',
    references: ['shift'],
    tests: `${begin}import { Job, Queue } from 'solution';
test('retries', () => { const q = new Queue(); assert.equal(q.push(new Job('a'), new Job('b')), 2); q.retry(); assert.deepEqual(q.jobs, [new Job('b'), new Job('a', 1)]); });
test('drains', () => { const q = new Queue(); q.push(new Job('a'), new Job('b'), new Job('c')); q.retry(); q.retry(); assert.deepEqual(q.drain(), [new Job('c'), new Job('a', 1), new Job('b', 1)]); assert.deepEqual(q.jobs, []); });
test('ends', () => { const q = new Queue(); q.push(new Job('a', 3)); assert.throws(() => q.retry(), RangeError); });
`,
    styles: {
      shift: queue(
        'retry() { const job = this.jobs.shift(); this.jobs.push(new Job(job.name, job.tries + 1)); }',
      ),
      spread: queue(
        'retry() { const [{ name, tries }, ...rest] = this.jobs; this.jobs = [...rest, new Job(name, 1 + tries)]; }',
      ),
    },
    wrong: {
      'not counted': queue('retry() { const job = this.jobs.shift(); this.jobs.push(new Job(job.name)); }'),
      'at once again': queue(
        'retry() { const job = this.jobs.shift(); this.jobs.unshift(new Job(job.name, job.tries + 1)); }',
      ),
    },
  },
  {
    id: 'a tree of which one node is replaced',
    needsReference: true,
    references: ['map'],
    tests: `${begin}import { Tree, rename } from 'solution';
const tree = () => new Tree('a', new Tree('b', new Tree('c')), new Tree('d'));
test('deep', () => { assert.deepEqual(rename(tree(), 'c', 'x'), new Tree('a', new Tree('b', new Tree('x')), new Tree('d'))); });
test('shares', () => { const t = tree(); const r = rename(t, 'd', 'y'); assert.equal(r.children[0], t.children[0]); assert.deepEqual(r.children, [new Tree('b', new Tree('c')), new Tree('y')]); assert.deepEqual(t, tree()); });
test('none', () => { const t = tree(); assert.equal(rename(t, 'q', 'x'), t); assert.equal(t.size, 4); });
`,
    styles: {
      map: trees(`export function rename(t, from, to) {
  if (t.name === from) return new Tree(to, ...t.children);
  const children = t.children.map((c) => rename(c, from, to));
  return children.every((c, i) => c === t.children[i]) ? t : new Tree(t.name, ...children);
}`),
      'first found': trees(`const has = (t, name) => t.name === name || t.children.some((c) => has(c, name));
export const rename = (t, from, to) => (!has(t, from) ? t : t.name === from ? new Tree(to, ...t.children) : new Tree(t.name, ...t.children.map((c) => rename(c, from, to))));`),
    },
    wrong: {
      'always new': trees(
        `export const rename = (t, from, to) => new Tree(t.name === from ? to : t.name, ...t.children.map((c) => rename(c, from, to)));`,
      ),
      'one level': trees(
        `export function rename(t, from, to) { return t.children.some((c) => c.name === from) ? new Tree(t.name, ...t.children.map((c) => (c.name === from ? new Tree(to) : c))) : t; }`,
      ),
    },
  },
  {
    id: 'intervals that are merged',
    references: ['loop'],
    tests: `${begin}import { Interval, gaps, merge } from 'solution';
test('merges', () => { assert.deepEqual(merge([new Interval(8, 9), new Interval(1, 3), new Interval(2, 5)]), [new Interval(1, 5), new Interval(8, 9)]); });
test('apart', () => { const one = new Interval(1, 2); const [first, ...rest] = merge([new Interval(4, 5), one]); assert.equal(first, one); assert.deepEqual(rest, [new Interval(4, 5)]); assert.equal(first.length, 1); });
test('gaps', () => { assert.deepEqual(gaps([new Interval(1, 3), new Interval(5, 6)]), [new Interval(3, 5)]); assert.deepEqual(gaps([new Interval(1, 3)]), []); });
test('checks', () => { assert.throws(() => new Interval(2, 1), { name: 'RangeError', message: 'empty' }); });
`,
    styles: {
      loop: intervals(`export function merge(all) {
  const found = [];
  for (const each of [...all].sort((a, b) => a.lo - b.lo)) {
    const last = found.at(-1);
    if (last !== undefined && each.lo <= last.hi) found[found.length - 1] = new Interval(last.lo, Math.max(last.hi, each.hi));
    else found.push(each);
  }
  return found;
}
export const gaps = (all) => all.slice(1).map((each, i) => new Interval(all[i].hi, each.lo));`),
      reduced:
        intervals(`export const merge = (all) => all.toSorted((a, b) => a.lo - b.lo).reduce((found, each) => {
  const last = found.pop();
  if (!last) return [each];
  return each.lo > last.hi ? [...found, last, each] : [...found, new Interval(last.lo, last.hi > each.hi ? last.hi : each.hi)];
}, []);
export function gaps(all) { const found = []; for (let i = 1; i < all.length; i += 1) found.push(new Interval(all[i - 1].hi, all[i].lo)); return found; }`),
    },
    wrong: {
      'the later end':
        intervals(`export function merge(all) { const [a, ...rest] = [...all].sort((x, y) => x.lo - y.lo); return [new Interval(a.lo, rest.at(-1).hi)]; }
export const gaps = (all) => all.slice(1).map((each, i) => new Interval(all[i].hi, each.lo));`),
      unsorted: intervals(`export const merge = (all) => all;
export const gaps = (all) => all.slice(1).map((each, i) => new Interval(all[i].lo, each.lo));`),
    },
  },
  {
    id: 'a ledger of rounded amounts',
    needsReference: true,
    references: ['reduce'],
    tests: `${begin}import { Ledger, Money } from 'solution';
test('pays', () => { const l = new Ledger().put('a', new Money(10)).put('b', new Money(2.5)).put('c', new Money(1, 'USD')); l.pay('a', 'b', 2.5); assert.deepEqual(l.entries, { a: new Money(7.5), b: new Money(5), c: new Money(1, 'USD') }); });
test('rounds', () => { const l = new Ledger().put('a', new Money(1.005)).put('b', new Money(0)); assert.deepEqual(l.entries, { a: new Money(1), b: new Money(0) }); assert.equal(l.entries.a.cents, 100); });
test('refuses', () => { const l = new Ledger().put('a', new Money(1)).put('b', new Money(1, 'USD')); assert.throws(() => l.pay('a', 'b', 1), /currency/); assert.deepEqual(Object.entries(l.entries), [['a', new Money(1)], ['b', new Money(1, 'USD')]]); });
`,
    styles: {
      reduce: money(
        'Math.round(amount * 100)',
        `pay(from, to, amount) { const { [from]: a, [to]: b } = this.entries; if (a.currency !== b.currency) throw new TypeError('another currency'); this.entries = { ...this.entries, [from]: new Money(a.cents / 100 - amount, a.currency), [to]: new Money(b.cents / 100 + amount, b.currency) }; }`,
      ),
      'in place': money(
        'Number((amount * 100).toFixed(0))',
        `pay(from, to, amount) { const change = (name, by) => { const old = this.entries[name]; this.entries[name] = new Money((old.cents + by * 100) / 100, old.currency); }; if (this.entries[from].currency !== this.entries[to].currency) throw new Error('currency differs'); change(from, -amount); change(to, amount); }`,
      ),
    },
    wrong: {
      truncated: money(
        'Math.round(amount * 100)',
        `pay(from, to, amount) { this.entries[from] = new Money(this.entries[from].cents / 100 - amount); this.entries[to] = new Money(this.entries[to].cents / 100 + Math.floor(amount)); }`,
      ),
      'changes before it refuses': money(
        'Math.ceil(amount * 100)',
        `pay(from, to, amount) { const { [from]: a, [to]: b } = this.entries; this.entries[from] = new Money(a.cents / 100 - amount, a.currency); if (a.currency !== b.currency) throw new TypeError('another currency'); this.entries[to] = new Money(b.cents / 100 + amount, b.currency); }`,
      ),
    },
  },
  {
    id: 'a board of rows',
    references: ['copies'],
    tests: `${begin}import { Board, Piece } from 'solution';
const board = () => new Board([[new Piece('k'), null], [null, new Piece('q')]]);
test('moves', () => { const b = board().move([0, 0], [0, 1]); assert.deepEqual(b.rows, [[null, new Piece('k', 1)], [null, new Piece('q')]]); });
test('keeps', () => { const b = board(); const n = b.move([1, 1], [1, 0]); assert.notEqual(n, b); assert.equal(n.rows[0][0], b.rows[0][0]); assert.deepEqual(b.rows, board().rows); });
test('takes', () => { const b = board().move([0, 0], [1, 1]).move([1, 1], [1, 0]); assert.deepEqual(b.rows, [[null, null], [new Piece('k', 2), null]]); });
`,
    styles: {
      copies: board(
        `move([a, b], [c, d]) { const rows = this.rows.map((row) => [...row]); const p = rows[a][b]; rows[a][b] = null; rows[c][d] = new Piece(p.kind, p.moved + 1); return new Board(rows); }`,
      ),
      mapped: board(
        `move(from, to) { const is = (p, [y, x]) => p[0] === y && p[1] === x; const { kind, moved } = this.rows[from[0]][from[1]]; return new Board(this.rows.map((row, y) => row.map((old, x) => (is(from, [y, x]) ? null : is(to, [y, x]) ? new Piece(kind, moved + 1) : old)))); }`,
      ),
    },
    wrong: {
      'in place': board(
        `move([a, b], [c, d]) { const p = this.rows[a][b]; this.rows[a][b] = null; this.rows[c][d] = new Piece(p.kind, p.moved + 1); return new Board(this.rows); }`,
      ),
      'not counted': board(
        `move([a, b], [c, d]) { const rows = this.rows.map((row) => [...row]); rows[c][d] = rows[a][b]; rows[a][b] = null; return new Board(rows); }`,
      ),
    },
  },
  {
    id: 'objects of derived classes',
    references: ['instance'],
    tests: `${begin}import { Circle, Scene, Square } from 'solution';
test('grows', () => { const s = new Scene().add(new Circle(1), new Square(2)); s.grow(Square, 3); assert.deepEqual(s.shapes, [new Circle(1), new Square(6)]); s.grow(Circle, 2); assert.deepEqual(s.shapes, [new Circle(2), new Square(6)]); });
test('adds', () => { const s = new Scene().add(new Square(1)); s.add(new Circle(4)); s.grow(Circle, 1); assert.deepEqual(s.shapes.map((e) => e.constructor), [Square, Circle]); assert.deepEqual(s.shapes, [new Square(1), new Circle(4)]); assert.notDeepEqual(s.shapes, [new Square(1), new Circle(5)]); });
`,
    styles: {
      instance: sums(
        'grow(kind, by) { this.shapes = this.shapes.map((s) => (s instanceof kind ? new kind((s.r ?? s.a) * by) : s)); }',
      ),
      loop: sums(
        `grow(kind, by) { for (const [i, s] of this.shapes.entries()) if (s.constructor === kind) this.shapes.splice(i, 1, s.name === 'circle' ? new Circle(s.r * by) : new Square(s.a * by)); }`,
      ),
    },
    wrong: {
      all: sums(
        'grow(kind, by) { this.shapes = this.shapes.map((s) => new s.constructor((s.r ?? s.a) * by)); }',
      ),
      'another class': sums(
        'grow(kind, by) { this.shapes = this.shapes.map((s) => (s instanceof kind ? new Square((s.r ?? s.a) * by) : s)); }',
      ),
    },
  },
  {
    id: 'lists that share their ends',
    references: ['loop'],
    tests: `${begin}import { Cons, list, replaceFirst } from 'solution';
test('replaces', () => { const tail = new Cons(2, new Cons(3)); const l = replaceFirst(new Cons(1, tail), 9); assert.deepEqual(l, new Cons(9, new Cons(2, new Cons(3)))); assert.equal(l.tail, tail); });
test('made', () => { assert.deepEqual(list(1, 2), new Cons(1, new Cons(2))); assert.equal(list(1, 2, 3).length, 3); assert.equal(list(), null); });
test('mixed', () => { const l = new Cons('x', list('y', 'z')); assert.deepEqual(l, new Cons('x', new Cons('y', new Cons('z')))); assert.equal(l.length, 3); });
`,
    styles: {
      loop: lists(`export const list = (...all) => all.reduceRight((tail, head) => new Cons(head, tail), null);
export const replaceFirst = (l, head) => new Cons(head, l.tail);`),
      recursive:
        lists(`export function list(...all) { if (all.length === 0) return null; const [head, ...rest] = all; return new Cons(head, list(...rest)); }
export function replaceFirst({ tail }, head) { return new Cons(head, tail); }`),
    },
    wrong: {
      reversed: lists(`export const list = (...all) => all.reduce((tail, head) => new Cons(head, tail), null);
export const replaceFirst = (l, head) => new Cons(head, l.tail);`),
      'the end dropped':
        lists(`export const list = (...all) => all.reduceRight((tail, head) => new Cons(head, tail), null);
export const replaceFirst = (l, head) => new Cons(head, l.tail && new Cons(l.tail.head));`),
    },
  },
  {
    id: 'groups of given and made entries',
    needsReference: true,
    references: ['group'],
    tests: `${begin}import { Entry, filled, group } from 'solution';
test('groups', () => { const all = [new Entry('A', 1), new Entry('b', 2), new Entry('a', 3)]; assert.deepEqual(group(all), { a: [new Entry('a', 1), new Entry('a', 3)], b: [new Entry('b', 2)] }); });
test('fills', () => { assert.deepEqual(filled([new Entry('A', 1)], ['a', 'b']), new Map([['a', [new Entry('a', 1)]], ['b', [new Entry('b', 0)]]])); });
test('same', () => { const e = new Entry('q', 1); assert.equal(group([e]).q[0], e); assert.equal(e.key, 'q'); });
`,
    styles: {
      group: groups(`export const group = (all) => ({ ...Object.groupBy(all, (e) => e.key) });
export const filled = (all, keys) => { const found = Map.groupBy(all, (e) => e.key); for (const k of keys) if (!found.has(k)) found.set(k, [new Entry(k, 0)]); return found; };`),
      loop: groups(`export function group(all) { const found = {}; for (const e of all) (found[e.key] ??= []).push(e); return found; }
export function filled(all, keys) { const by = group(all); return new Map(keys.map((k) => [k, by[k] ?? [new Entry(k, 0)]])); }`),
    },
    wrong: {
      'the last only': groups(`export const group = (all) => Object.fromEntries(all.map((e) => [e.key, [e]]));
export const filled = (all, keys) => new Map(keys.map((k) => [k, [new Entry(k, 0)]]));`),
      copies:
        groups(`export function group(all) { const found = {}; for (const e of all) (found[e.key] ??= []).push(new Entry(e.key, e.value)); return found; }
export function filled(all, keys) { const by = group(all); return new Map(keys.map((k) => [k, by[k] ?? []])); }`),
    },
  },
  {
    id: 'sets of given and made tags',
    references: ['union'],
    tests: `${begin}import { Tag, Tagged } from 'solution';
test('sets', () => { const t = new Tagged().tag(new Tag('a'), new Tag('b')); t.upper('b'); assert.deepEqual(t.tags, new Set([new Tag('a'), new Tag('B')])); assert.equal(t.tags.size, 2); });
test('lists', () => { const a = new Tag('a'); const t = new Tagged().tag(a, a); t.upper('x'); assert.deepEqual([...t.tags], [a]); assert.deepEqual([...t.tags], [new Tag('a')]); });
`,
    styles: {
      union: tags(
        'upper(name) { this.tags = new Set([...this.tags].map((t) => (t.name === name ? new Tag(name.toUpperCase()) : t))); }',
      ),
      'in place': tags(
        'upper(name) { for (const t of [...this.tags]) if (t.name === name) { this.tags.delete(t); this.tags.add(new Tag(t.name.toUpperCase())); } }',
      ),
    },
    wrong: {
      kept: tags(
        'upper(name) { for (const t of [...this.tags]) if (t.name === name) this.tags.add(new Tag(t.name.toUpperCase())); }',
      ),
      all: tags('upper() { this.tags = new Set([...this.tags].map((t) => new Tag(t.name.toUpperCase()))); }'),
    },
  },
  {
    id: 'a deck of cards',
    references: ['splice'],
    tests: `${begin}import { Card, Deck } from 'solution';
const deck = () => new Deck([new Card('h', 2), new Card('s', 12), new Card('d', 5)]);
test('deals', () => { const d = deck(); assert.deepEqual(d.deal(2), [new Card('h', 2), new Card('s', 12)]); assert.deepEqual(d.cards, [new Card('d', 5)]); });
test('jokers', () => { const d = deck(); d.joker(1); assert.deepEqual(d.cards, [new Card('h', 2), new Card('*', 14), new Card('s', 12), new Card('d', 5)]); assert.equal(d.cards[1].isFace, true); assert.equal(d.cards[1].value, 10); });
test('hand', () => { const d = deck(); d.joker(0); const hand = d.deal(2); hand.push(new Card('c', 1)); assert.deepEqual(hand, [new Card('*', 14), new Card('h', 2), new Card('c', 1)]); });
`,
    styles: {
      splice: cards(
        `deal(n) { return this.cards.splice(0, n); } joker(at) { this.cards.splice(at, 0, new Card('*', 14)); }`,
      ),
      sliced: cards(
        `deal(n) { const dealt = this.cards.slice(0, n); this.cards = this.cards.slice(n); return dealt; } joker(at) { this.cards = [...this.cards.slice(0, at), new Card('*', 14), ...this.cards.slice(at)]; }`,
      ),
    },
    wrong: {
      'from the end': cards(
        `deal(n) { return this.cards.splice(-n); } joker(at) { this.cards.splice(at, 0, new Card('*', 14)); }`,
      ),
      replaces: cards(
        `deal(n) { return this.cards.splice(0, n); } joker(at) { this.cards[at] = new Card('*', 14); }`,
      ),
    },
  },
  {
    id: 'a list in the order of ranks',
    references: ['sorted'],
    tests: `${begin}import { Ranked, Task } from 'solution';
test('inserts', () => { const r = new Ranked(); r.insert(new Task('b', 2)); r.insert(new Task('a', 1)); r.insertUrgent('now'); assert.deepEqual(r.toArray(), [new Task('now', 0), new Task('a', 1), new Task('b', 2)]); assert.deepEqual(r.peek(), new Task('now', 0)); });
test('stable', () => { const r = new Ranked(); const one = new Task('x', 1); r.insert(one); r.insert(new Task('y', 1)); assert.equal(r.peek(), one); assert.deepEqual(r.toArray(), [new Task('x', 1), new Task('y', 1)]); });
test('copies', () => { const r = new Ranked(); r.insert(new Task('x', 1)); r.toArray().pop(); assert.deepEqual(r.toArray(), [new Task('x', 1)]); });
`,
    styles: {
      sorted: ranked(
        `insert(t) { this.#tasks.push(t); this.#tasks.sort((a, b) => a.rank - b.rank); } insertUrgent(name) { this.insert(new Task(name, 0)); }`,
      ),
      found: ranked(
        `insert(t) { const at = this.#tasks.findIndex((e) => e.rank > t.rank); if (at < 0) this.#tasks.push(t); else this.#tasks.splice(at, 0, t); } insertUrgent(name) { this.#tasks.unshift(new Task(name, 0)); }`,
      ),
    },
    wrong: {
      unstable: ranked(
        `insert(t) { const at = this.#tasks.findIndex((e) => e.rank >= t.rank); if (at < 0) this.#tasks.push(t); else this.#tasks.splice(at, 0, t); } insertUrgent(name) { this.insert(new Task(name, 0)); }`,
      ),
      'last of all': ranked(
        `insert(t) { this.#tasks.push(t); } insertUrgent(name) { this.insert(new Task(name, 9)); }`,
      ),
    },
  },
  {
    id: 'a grid of cells',
    needsReference: true,
    references: ['map'],
    tests: `${begin}import { Cell, flip, row } from 'solution';
test('flips', () => { const g = [[new Cell(1), new Cell(0)], [new Cell(0), new Cell(1)]]; assert.deepEqual(flip(g, 0, 1), [[new Cell(1), new Cell(1)], [new Cell(0), new Cell(1)]]); assert.deepEqual(g[0], [new Cell(true), new Cell(false)]); });
test('rows', () => { const g = [row('10'), [new Cell(0), new Cell(1)]]; assert.deepEqual(g, [[new Cell(1), new Cell(0)], row('01')]); assert.deepEqual(flip(g, 1, 1)[1], row('00')); assert.equal(flip(g, 1, 1)[0][0], g[0][0]); });
`,
    styles: {
      map: grids(`export const row = (text) => [...text].map((c) => new Cell(c === '1'));
export const flip = (g, y, x) => g.map((r, i) => (i === y ? r.map((c, j) => (j === x ? new Cell(!c.alive) : c)) : r));`),
      with: grids(`export function row(text) { return Array.from(text, Number).map((n) => new Cell(n)); }
export function flip(g, y, x) { return g.with(y, g[y].with(x, new Cell(!g[y][x].alive))); }`),
    },
    wrong: {
      'in place': grids(`export const row = (text) => [...text].map((c) => new Cell(c === '1'));
export const flip = (g, y, x) => { g[y][x] = new Cell(!g[y][x].alive); return g; };`),
      transposed: grids(`export const row = (text) => [...text].map((c) => new Cell(c === '1'));
export const flip = (g, x, y) => g.map((r, i) => (i === y ? r.map((c, j) => (j === x ? new Cell(!c.alive) : c)) : r));`),
    },
  },
  {
    id: 'a thread of messages',
    needsReference: true,
    references: ['seen'],
    tests: `${begin}import { Message, Thread } from 'solution';
test('seen', () => { const t = new Thread().post(new Message('a', ' hi ')).post(new Message('b', 'yo')); t.see(0, 'c'); assert.deepEqual(t.since(0), [new Message('a', 'hi', ['c']), new Message('b', 'yo')]); });
test('replies', () => { const m = new Message('a', 'hi'); const t = new Thread().post(m); t.reply('b', ' you '); assert.deepEqual(t.since(0), [m, new Message('b', 're: you')]); assert.deepEqual(t.since(0), [new Message('a', 'hi'), new Message('b', 're: you')]); assert.deepEqual(t.since(1).map((e) => e.text), ['re: you']); });
`,
    styles: {
      seen: messages(
        `see(at, who) { const m = this.#all[at]; this.#all[at] = new Message(m.from, m.text, [...m.seen, who]); } reply(from, text) { this.post(new Message(from, 're: ' + text.trim())); }`,
      ),
      mapped: messages(
        `see(at, who) { this.#all = this.#all.map(({ from, text, seen }, i, all) => (i === at ? new Message(from, text, seen.concat(who)) : all[i])); } reply(from, text) { this.#all = [...this.#all, new Message(from, \`re: \${text.trim()}\`)]; }`,
      ),
    },
    wrong: {
      'all seen': messages(
        `see(at, who) { this.#all = this.#all.map((m) => new Message(m.from, m.text, [...m.seen, who])); } reply(from, text) { this.post(new Message(from, 're: ' + text.trim())); }`,
      ),
      untrimmed: messages(
        `see(at, who) { const m = this.#all[at]; this.#all[at] = new Message(m.from, m.text, [who, who]); } reply(from, text) { this.post(new Message(from, 're: ' + text)); }`,
      ),
    },
  },
  {
    id: 'options of several levels',
    references: ['spread'],
    tests: `${begin}import { Option, patch } from 'solution';
const base = () => ({ port: new Option(80), log: { level: new Option('info'), files: [new Option('a.log')] } });
test('patches', () => { assert.deepEqual(patch(base(), { 'log.level': 'debug' }), { port: new Option(80), log: { level: new Option('debug', 'user'), files: [new Option('a.log')] } }); });
test('top', () => { const b = base(); const p = patch(b, { port: 8080 }); assert.deepEqual(p.port, new Option(8080, 'user')); assert.equal(p.log.files[0], b.log.files[0]); assert.deepEqual(p.log, base().log); assert.deepEqual(b, base()); });
`,
    styles: {
      spread:
        configs(`const put = (o, [key, ...rest], value) => ({ ...o, [key]: rest.length ? put(o[key], rest, value) : new Option(value, 'user') });
export const patch = (o, changes) => Object.entries(changes).reduce((all, [path, value]) => put(all, path.split('.'), value), o);`),
      assigned: configs(
        `export function patch(o, changes) { const copy = { ...o, log: { ...o.log } }; for (const [path, value] of Object.entries(changes)) { const keys = path.split('.'); const last = keys.pop(); keys.reduce((at, k) => at[k], copy)[last] = new Option(value, 'user'); } return copy; }`,
      ),
    },
    wrong: {
      'in place': configs(
        `export function patch(o, changes) { for (const [path, value] of Object.entries(changes)) { const keys = path.split('.'); const last = keys.pop(); keys.reduce((at, k) => at[k], o)[last] = new Option(value, 'user'); } return o; }`,
      ),
      'no source': configs(
        `export function patch(o, changes) { const copy = { ...o, log: { ...o.log } }; for (const [path, value] of Object.entries(changes)) { const keys = path.split('.'); const last = keys.pop(); keys.reduce((at, k) => at[k], copy)[last] = new Option(value); } return copy; }`,
      ),
    },
  },
  {
    id: 'a route of stops of which the last ones are late',
    needsReference: true,
    references: ['map'],
    tests: `${begin}import { Route, Stop } from 'solution';
test('late', () => { const r = new Route(new Stop('a', 1), new Stop('b', 2), new Stop('c', 3)); assert.deepEqual(r.late('b', 5), new Route(new Stop('a', 1), new Stop('b', 7), new Stop('c', 8))); assert.deepEqual(r.stops.map((s) => s.at), [1, 2, 3]); });
test('stops', () => { const first = new Stop('a', 1); const r = new Route(first, new Stop('b', 2)).late('b', 1); assert.equal(r.stops[0], first); assert.deepEqual(r.stops, [new Stop('a', 1), new Stop('b', 3)]); assert.equal(r.stops[1].text, 'b@3'); });
test('early', () => { assert.throws(() => new Route(new Stop('a', 1)).late('a', -2), RangeError); });
`,
    styles: {
      map: routes(
        'late(name, by) { const at = this.stops.findIndex((s) => s.name === name); return new Route(...this.stops.map((s, i) => (i < at ? s : new Stop(s.name, s.at + by)))); }',
      ),
      loop: routes(
        'late(name, by) { const stops = []; let isLate = false; for (const s of this.stops) { isLate ||= s.name === name; stops.push(isLate ? new Stop(s.name, s.at + by) : s); } return new Route(...stops); }',
      ),
    },
    wrong: {
      'one stop': routes(
        'late(name, by) { return new Route(...this.stops.map((s) => (s.name === name ? new Stop(s.name, s.at + by) : s))); }',
      ),
      'all stops': routes(
        'late(name, by) { return new Route(...this.stops.map((s) => new Stop(s.name, s.at + by))); }',
      ),
    },
  },
];
