import type { SuiteRunCase } from './suite-runs.ts';

const begin = `
import assert from 'node:assert/strict';
import test, { mock } from 'node:test';
import * as s from 'solution';
`;

/**
 * Programs and tests that lean on rules of the language's objects: flags and order of properties, getters, functions and prototypes of plain objects,
 * variables that a module exports, protocols of iterators. Each wrong program was seen to fail in one process first.
 */
export const rulesOfObjects: readonly SuiteRunCase[] = [
  {
    id: 'what cannot be changed',
    artifact: `
export const two = () => 2;
export const bump = (o) => { o.n += 1; };
export const add = (o) => { o.list.push(1); };
export const rename = (o) => { try { o.id = 0; return false; } catch { return true; } };
export const grow = (o) => { try { o.more = 1; return false; } catch { return true; } };
export const append = (list) => { try { list.push(2); return false; } catch { return true; } };
export const drop = (o) => { try { delete o.n; return false; } catch { return true; } };
const state = { n: 1 };
export const current = () => state;
export const next = () => { state.n += 1; return state; };
const shared = Object.assign(new Error('shared'), { n: 1 });
export const fails = () => { throw shared; };
`,
    tests: `${begin}
test('harmless', () => { assert.equal(s.two(), 2); });
test('a sealed one', () => { const o = Object.seal({ n: 1 }); s.bump(o); assert.equal(o.n, 2); });
test('one that cannot grow', () => { const o = Object.preventExtensions({ n: 1 }); s.bump(o); assert.deepEqual(o, { n: 2 }); });
test('one within', () => { const o = { in: Object.seal({ n: 1, list: [] }) }; s.bump(o.in); s.add(o.in); assert.deepEqual(o, { in: { n: 2, list: [1] } }); });
test('a property that cannot be configured', () => { const o = Object.defineProperty({ n: 1 }, 'id', { value: 7, enumerable: true }); s.bump(o); assert.deepEqual(o, { n: 2, id: 7 }); });
test('what is thrown there', () => { const o = Object.defineProperty({ n: 1 }, 'id', { value: 7, enumerable: true }); assert.equal(s.rename(o), true); assert.equal(s.grow(Object.seal({})), true); assert.equal(s.drop(Object.seal({ n: 1 })), true); assert.equal(s.drop({ n: 1 }), false); });
test('a sealed list', () => { const list = Object.seal([1]); assert.equal(s.append(list), true); assert.deepEqual(list, [1]); assert.equal(s.append([]), false); });
test('a sealed list that is changed', () => { const list = Object.seal([{ n: 1 }]); s.bump(list[0]); assert.deepEqual(list, [{ n: 2 }]); });
test('an answer that the test seals', () => { const o = Object.seal(s.current()); s.next(); assert.equal(o.n, s.current().n); });
test('one that is frozen after it was given', () => { const o = { n: 1, in: {} }; s.bump(o); Object.freeze(o); assert.throws(() => s.bump(o), TypeError); assert.equal(o.n, 2); const list = []; assert.equal(s.append(list), false); Object.seal(list); assert.equal(s.append(list), true); });
test('an error that the test freezes', () => { let first; try { s.fails(); } catch (error) { first = Object.freeze(error); } assert.throws(s.fails, (error) => error === first); });
`,
    wrong: [
      [
        'o.n += 1;',
        'o.n += 2;',
        [
          'a sealed one',
          'one that cannot grow',
          'one within',
          'a property that cannot be configured',
          'a sealed list that is changed',
          'one that is frozen after it was given',
        ],
      ],
      [
        'try { o.id = 0; return false; } catch { return true; }',
        'try { o.id = 0; return true; } catch { return false; }',
        ['what is thrown there'],
      ],
      [
        'try { list.push(2); return false; } catch { return true; }',
        'try { list.push(2); return false; } catch { return list.length > 1; }',
        ['a sealed list', 'one that is frozen after it was given'],
      ],
    ],
  },
  {
    id: 'the order of properties',
    artifact: `
export class Cache {
  data = {};
  set(key, value) { delete this.data[key]; this.data[key] = value; }
  get(key) { const value = this.data[key]; delete this.data[key]; this.data[key] = value; return value; }
  peek(key) { return this.data[key]; }
}
const settings = { a: 1, b: 2 };
export const read = () => settings;
export const change = (key, value) => { settings[key] = value; };
export const touch = (o, key) => { const value = o[key]; delete o[key]; o[key] = value; };
export const keep = (o, key) => { o[key] += 1; };
export const rename = (o, from, to) => { for (const key of Object.keys(o)) { const value = o[key]; delete o[key]; o[key === from ? to : key] = value; } };
export class Form { fields = { a: 1, b: 2 }; put(key, value) { this.fields[key] = value; } }
`,
    tests: `${begin}
test('a cache', () => { const c = new s.Cache(); c.set('a', 1); c.set('b', 2); assert.deepEqual(Object.keys(c.data), ['a', 'b']); c.get('a'); assert.deepEqual(Object.keys(c.data), ['b', 'a']); });
test('a look', () => { const c = new s.Cache(); c.set('a', 1); c.set('b', 2); assert.deepEqual(Object.keys(c.data), ['a', 'b']); c.peek('a'); assert.deepEqual(Object.keys(c.data), ['a', 'b']); });
test('settings', () => { const found = s.read(); assert.equal(found.a, 1); s.change('a', 3); assert.equal(JSON.stringify(found), '{"a":3,"b":2}'); s.change('a', 1); });
test('an argument that is touched', () => { const o = { a: 1, b: 2 }; s.touch(o, 'a'); assert.deepEqual(Object.keys(o), ['b', 'a']); });
test('an argument that is kept', () => { const o = { a: 1, b: 2 }; s.keep(o, 'a'); assert.equal(JSON.stringify(o), '{"a":2,"b":2}'); });
test('names', () => { const o = { a: 1, b: 2, c: 3 }; s.rename(o, 'b', 'x'); assert.equal(JSON.stringify(o), '{"a":1,"x":2,"c":3}'); });
test('fields', () => { const f = new s.Form(); assert.deepEqual(Object.keys(f.fields), ['a', 'b']); f.put('a', 5); assert.equal(JSON.stringify(f.fields), '{"a":5,"b":2}'); });
`,
    wrong: [
      ['{ return this.data[key]; }', '{ return this.get(key); }', ['a look']],
      [
        'const value = this.data[key]; delete this.data[key]; this.data[key] = value; return value;',
        'return this.data[key];',
        ['a cache'],
      ],
      ['{ settings[key] = value; }', '{ delete settings[key]; settings[key] = value; }', ['settings']],
      ['{ const value = o[key]; delete o[key]; o[key] = value; }', '{}', ['an argument that is touched']],
      [
        '{ o[key] += 1; }',
        '{ const value = o[key]; delete o[key]; o[key] = value + 1; }',
        ['an argument that is kept'],
      ],
      ['{ this.fields[key] = value; }', '{ delete this.fields[key]; this.fields[key] = value; }', ['fields']],
    ],
  },
  {
    id: 'uncaught errors',
    artifact: `
export const ok = () => 1;
export const save = async (db) => { try { await db.put(); } catch { return 'failed'; } return 'ok'; };
const io = async () => { throw new Error('io'); };
export const load = async () => { try { await io(); } catch { return 'failed'; } return 'ok'; };
export const later = (run, fail) => { setTimeout(() => { try { run(); } catch (error) { fail(error); } }, 1); };
export const tell = (listeners) => { queueMicrotask(() => { for (const each of listeners) try { each(); } catch { /* others hear of it */ } }); };
export const keep = (promise) => [promise].length;
export class Pool { #open = null; open() { this.#open = Promise.resolve(1); return this; } close() { return 'closed'; } }
`,
    tests: `${begin}
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
test('saves', async () => { assert.equal(await s.save({ put: async () => { throw new Error('db'); } }), 'failed'); });
test('is fine', () => { assert.equal(s.ok(), 1); });
test('loads', async () => { assert.equal(await s.load(), 'failed'); });
test('in a timer', async () => { let found; s.later(() => { throw new Error('x'); }, (error) => { found = error; }); await sleep(20); assert.equal(found?.message, 'x'); });
test('in a listener', async () => { const heard = []; s.tell([() => { throw new Error('first'); }, () => heard.push(2)]); await sleep(5); assert.deepEqual(heard, [2]); });
test('keeps', async () => { const lost = Promise.reject(new Error('lost')); lost.catch(() => {}); assert.equal(s.keep(lost), 1); await sleep(5); });
test('a pool', async () => { assert.equal(new s.Pool().open().close(), 'closed'); await sleep(5); });
test('is still fine', () => { assert.equal(s.ok(), 1); });
`,
    wrong: [
      ['await db.put();', 'db.put();', ['saves']],
      ['await io();', 'io();', ['loads']],
      ['try { run(); } catch (error) { fail(error); }', 'run();', ['in a timer']],
      ['try { each(); } catch { /* others hear of it */ }', 'each();', ['in a listener']],
      ['Promise.resolve(1)', "Promise.reject(new Error('no database'))", ['a pool']],
      ['[promise].length;', '[promise.then(() => 1)].length;', ['keeps']],
    ],
  },
  {
    id: 'what getters compute',
    artifact: `
export const createCursor = (list) => { let at = 0; return { get current() { return list[at]; }, next() { at += 1; } }; };
export const gauge = () => { let n = 0; return { get value() { return n; } }; };
export const ids = () => { let n = 0; return { get next() { n += 1; return n; } }; };
let opened = 0;
export const opens = () => opened;
export const database = () => { let connection; return { get connection() { if (!connection) { opened += 1; connection = { id: opened }; } return connection; } }; };
export const inbox = (list) => ({ get all() { return [...list]; } });
let active = null;
export const signal = (value) => { const heard = new Set(); return { get value() { if (active) heard.add(active); return value; }, set value(next) { value = next; for (const each of [...heard]) each(); } }; };
export const effect = (run) => { const again = () => { active = again; try { run(); } finally { active = null; } }; again(); };
export const limits = { get most() { return 10; }, name: 'limits' };
`,
    tests: `${begin}
test('a cursor', () => { const c = s.createCursor(['a', 'b']); assert.equal(c.current, 'a'); assert.equal(c.current, 'a'); c.next(); assert.equal(c.current, 'b'); });
test('a gauge', () => { const g = s.gauge(); assert.equal(g.value, 0); assert.equal(g.value, 0); });
test('numbers', () => { const g = s.ids(); assert.equal(g.next, 1); assert.equal(g.next, 2); });
test('a database', () => { const before = s.opens(); const d = s.database(); assert.equal(s.opens(), before); assert.equal(d.connection.id, before + 1); assert.equal(d.connection.id, before + 1); assert.equal(s.opens(), before + 1); });
test('an inbox', () => { const list = [1]; const box = s.inbox(list); box.all.push(3); assert.deepEqual(box.all, [1]); assert.deepEqual(list, [1]); });
test('signals', () => { const a = s.signal(1); const b = s.signal(10); const isB = s.signal(false); const seen = []; s.effect(() => { seen.push(isB.value ? b.value : a.value); }); b.value = 20; isB.value = true; b.value = 30; assert.deepEqual(seen, [1, 20, 30]); });
test('limits', () => { assert.deepEqual({ ...s.limits }, { most: 10, name: 'limits' }); assert.equal(s.limits.most, 10); });
`,
    wrong: [
      ['return list[at]; }, next() { at += 1; }', 'at += 1; return list[at - 1]; }, next() {}', ['a cursor']],
      ['get value() { return n; }', 'get value() { n += 1; return n - 1; }', ['a gauge']],
      ['n += 1; return n; }', 'return n + 1; }', ['numbers']],
      ['if (!connection) {', '{', ['a database']],
      ['return [...list];', 'return list;', ['an inbox']],
      ['if (active) heard.add(active);', '', ['signals']],
      ['return 10;', 'return limits.name === "limits" ? (limits.name = "Limits", 10) : 9;', ['limits']],
    ],
  },
  {
    id: 'functions that are replaced',
    artifact: `
export const createServer = () => { const own = { state: 'off', start() { own.state = 'on'; return own.state; }, stop() { own.state = 'off'; } }; return own; };
export const createLight = () => { const own = { color: 'red', next() { own.color = 'green'; own.next = () => { own.color = 'red'; }; } }; return own; };
export const tools = { run: () => 'a', other: () => 1 };
export const patched = (run, work) => { const before = tools.run; tools.run = run; try { return work(tools.run()); } finally { tools.run = before; } };
export const install = () => { tools.other = () => 2; };
`,
    tests: `${begin}
test('starts twice', () => { const own = s.createServer(); own.start(); own.stop(); assert.equal(own.start(), 'on'); });
test('a light', () => { const own = s.createLight(); own.next(); assert.equal(own.color, 'green'); own.next(); assert.equal(own.color, 'red'); });
test('is restored', () => { assert.equal(s.tools.run(), 'a'); assert.equal(s.patched(() => 'b', (found) => found + s.tools.run()), 'bb'); assert.equal(s.tools.run(), 'a'); });
test('is installed', () => { assert.equal(s.tools.other(), 1); s.install(); assert.equal(s.tools.other(), 2); });
`,
    wrong: [
      [
        "own.state = 'on'; return own.state;",
        "own.state = 'on'; own.start = () => { throw new Error('already started'); }; return own.state;",
        ['starts twice'],
      ],
      ['finally { tools.run = before; }', 'finally {}', ['is restored']],
      ['own.next = () => {', 'own.other = () => {', ['a light']],
      ['tools.other = () => 2;', '', ['is installed']],
    ],
  },
  {
    id: 'variables that a module exports',
    artifact: `
export let user = null;
export const login = (name) => { user = { name }; return user; };
export const logout = () => { user = null; };
export const peek = (name) => ({ name });
export let hits = 0;
export const hit = () => { hits += 1; };
export const look = () => hits;
export let format = (text) => text;
export const loud = () => { format = (text) => text.toUpperCase(); };
export let later = 'no';
export const start = () => { setTimeout(() => { later = 'yes'; }, 1); };
`,
    tests: `${begin}
import { user, hits, login, logout } from 'solution';
test('a user', () => { assert.equal(user, null); login('a'); assert.deepEqual(user, { name: 'a' }); assert.deepEqual(s.user, { name: 'a' }); logout(); assert.equal(user, null); });
test('a look at a user', () => { assert.deepEqual(s.peek('b'), { name: 'b' }); assert.equal(user, null); });
test('hits', () => { s.hit(); assert.equal(hits, 1); assert.equal(s.hits, 1); assert.equal(s.look(), 1); });
test('a look at hits', () => { const before = hits; s.look(); assert.equal(hits, before); });
test('a function', () => { assert.equal(s.format('a'), 'a'); s.loud(); assert.equal(s.format('a'), 'A'); });
test('a timer', async () => { s.start(); await new Promise((resolve) => setTimeout(resolve, 30)); assert.equal(s.later, 'yes'); });
`,
    wrong: [
      ['{ user = { name }; return user; }', '{ return { name }; }', ['a user']],
      ['(name) => ({ name });', '(name) => { user = { name }; return user; };', ['a look at a user']],
      ['{ user = null; }', '{}', ['a user', 'a look at a user']],
      ['() => hits;', '() => hits++;', ['a look at hits']],
      ["later = 'yes';", '', ['a timer']],
    ],
  },
  {
    id: 'objects that inherit from plain ones',
    artifact: `
export const merge = (...all) => { const found = {}; for (const each of all) for (const key of Object.keys(each)) found[key] = each[key]; return found; };
export const count = (o) => Object.keys(o).length;
export const names = (o) => { const found = []; for (const key in o) found.push(key); return found; };
export const isEmpty = (o) => Object.keys(o).length === 0;
export const has = (o, key) => Object.hasOwn(o, key);
export const isPlain = (o) => [null, Object.prototype].includes(Object.getPrototypeOf(o));
export const copy = (o) => ({ ...o });
export const greet = (o) => o.hello();
export const rename = (o, name) => { o.name = name; };
export const drop = (o, key) => { delete o[key]; };
export const base = (o) => Object.getPrototypeOf(o);
`,
    tests: `${begin}
test('merges', () => { assert.deepEqual(s.merge({ a: 1 }, Object.create({ b: 2 })), { a: 1 }); });
test('counts', () => { assert.equal(s.count(Object.create({ a: 1 })), 0); assert.equal(s.count(Object.create({ a: 1 }, { b: { value: 2, enumerable: true } })), 1); });
test('names', () => { assert.deepEqual(s.names(Object.assign(Object.create(Object.create({ a: 1 })), { b: 2 })), ['b', 'a']); });
test('is empty', () => { assert.equal(s.isEmpty(Object.create({ a: 1 })), true); assert.equal(s.isEmpty({ a: 1 }), false); });
test('has', () => { const o = Object.assign(Object.create({ inherited: 1 }), { own: 2 }); assert.deepEqual([s.has(o, 'inherited'), s.has(o, 'own')], [false, true]); });
test('is plain', () => { assert.deepEqual([s.isPlain(Object.create({})), s.isPlain({}), s.isPlain(Object.create(null))], [false, true, true]); });
test('copies', () => { const o = Object.create({ inherited: 1 }); o.own = 2; assert.deepEqual(s.copy(o), { own: 2 }); });
test('greets', () => { const o = Object.create({ hello() { return 'I am ' + this.name; } }); o.name = 'Ann'; assert.equal(s.greet(o), 'I am Ann'); s.rename(o, 'Bob'); assert.equal(s.greet(o), 'I am Bob'); });
test('drops', () => { const o = Object.assign(Object.create({ a: 1 }), { a: 2 }); s.drop(o, 'a'); assert.equal(o.a, 1); });
test('base', () => { const base = { a: 1 }; assert.equal(s.base(Object.create(base)), base); });
`,
    wrong: [
      ['for (const key of Object.keys(each))', 'for (const key in each)', ['merges']],
      [
        '(o) => Object.keys(o).length;',
        '(o) => { let n = 0; for (const _ in o) n += 1; return n; };',
        ['counts'],
      ],
      [
        'for (const key in o) found.push(key);',
        'for (const key of Object.keys(o)) found.push(key);',
        ['names'],
      ],
      [
        '(o) => Object.keys(o).length === 0;',
        '(o) => { for (const _ in o) return false; return true; };',
        ['is empty'],
      ],
      ['Object.hasOwn(o, key)', 'key in o', ['has']],
      ['[null, Object.prototype].includes(Object.getPrototypeOf(o))', "typeof o === 'object'", ['is plain']],
      [
        '({ ...o });',
        '{ const found = {}; for (const key in o) found[key] = o[key]; return found; };',
        ['copies'],
      ],
      ['{ o.name = name; }', '{ Object.getPrototypeOf(o).name = name; }', ['greets']],
      ['{ delete o[key]; }', '{ o[key] = undefined; }', ['drops']],
    ],
  },
  {
    id: 'properties of functions',
    artifact: `
export const memo = (f) => { const known = new Map(); return (x) => { if (!known.has(x)) known.set(x, f(x)); return known.get(x); }; };
export const once = (f) => { let found; let isDone = false; return () => { if (!isDone) { found = f(); isDone = true; } return found; }; };
export const wrap = (f) => (...args) => f(...args);
export const inOrder = (all) => [...all].sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0)).map((f) => f());
export const mark = (f) => { f.isMarked = true; return f; };
export const unmark = (f) => { delete f.isMarked; };
export const labels = (all) => all.filter((f) => !f.skip).map((f) => f.label ?? f.name);
export const cached = (f) => { f.cache ??= new Map(); return (x) => { if (!f.cache.has(x)) f.cache.set(x, f(x)); return f.cache.get(x); }; };
`,
    tests: `${begin}
test('a memo', () => { let n = 0; const f = (x) => { n += 1; return x * 2; }; const own = s.memo(f); assert.equal(own(2), 4); assert.equal(own(2), 4); assert.equal(n, 1); assert.deepEqual(Object.keys(f), []); });
test('once', () => { let n = 0; const f = () => { n += 1; return n; }; f.called = true; const own = s.once(f); assert.equal(own(), 1); assert.equal(own(), 1); assert.deepEqual(Object.keys(f), ['called']); });
test('one that is frozen', () => { const f = Object.freeze((a) => a); assert.equal(s.wrap(f)(1), 1); });
test('order', () => { const a = () => 'a'; a.priority = 2; const b = () => 'b'; b.priority = 1; assert.deepEqual(s.inOrder([a, b]), ['b', 'a']); a.priority = 0; assert.deepEqual(s.inOrder([a, b]), ['a', 'b']); });
test('marks', () => { const f = () => 1; assert.equal(s.mark(f), f); assert.equal(f.isMarked, true); s.unmark(f); assert.equal('isMarked' in f, false); });
test('labels', () => { const a = () => 1; a.skip = true; const b = () => 1; b.label = 'big'; function c() {} assert.deepEqual(s.labels([a, b, c]), ['big', 'c']); });
test('a cache', () => { let n = 0; const f = (x) => { n += 1; return x; }; assert.equal(s.cached(f)(1), 1); assert.equal(s.cached(f)(1), 1); assert.equal(n, 1); assert.deepEqual([...f.cache], [[1, 1]]); f.cache.clear(); assert.equal(s.cached(f)(1), 1); assert.equal(n, 2); });
`,
    wrong: [
      ['const known = new Map(); return', 'const known = (f.known ??= new Map()); return', ['a memo']],
      [
        'let isDone = false; return () => { if (!isDone) { found = f(); isDone = true; } return found; };',
        'return () => { if (!f.called) { f.found = f(); f.called = true; } return f.found; };',
        ['once'],
      ],
      [
        '(f) => (...args) => f(...args);',
        '(f) => { f.isWrapped = true; return (...args) => f(...args); };',
        ['one that is frozen'],
      ],
      ['(a.priority ?? 0) - (b.priority ?? 0)', '0', ['order']],
      ['f.isMarked = true;', '', ['marks']],
      ['delete f.isMarked;', '', ['marks']],
      ['f.label ?? f.name', 'f.name', ['labels']],
      [
        'f.cache ??= new Map(); return (x) => { if (!f.cache.has(x)) f.cache.set(x, f(x)); return f.cache.get(x); };',
        'f.cache = new Map(); return (x) => { if (!f.cache.has(x)) f.cache.set(x, f(x)); return f.cache.get(x); };',
        ['a cache'],
      ],
    ],
  },
  {
    id: 'iterators of the test',
    artifact: `
export const first = (all) => { const own = all[Symbol.iterator](); const found = own.next(); if (!found.done) own.return?.(); return found.value; };
export const zip = (a, b) => { const x = a[Symbol.iterator](); const y = b[Symbol.iterator](); const found = []; for (;;) { const p = x.next(); if (p.done) { y.return?.(); return found; } const q = y.next(); if (q.done) { x.return?.(); return found; } found.push([p.value, q.value]); } };
export const firstLater = async (all) => { const own = all[Symbol.asyncIterator](); const found = await own.next(); await own.return?.(); return found.value; };
export const list = (all) => { const found = []; for (const each of all) found.push(each); return found; };
export const drain = (all) => { const own = all[Symbol.iterator](); const found = []; for (;;) { const step = own.next(); if (step.done) return found; found.push(step.value); } };
export const run = async (make) => { const own = make(); let step = own.next(); while (!step.done) { let value; try { value = await step.value; } catch (error) { step = own.throw(error); continue; } step = own.next(value); } return step.value; };
export const feed = (own, all) => { own.next(); return all.map((each) => own.next(each).value); };
export const fail = (own) => { own.next(); return own.throw(new Error('x')).value; };
export const take = (all, count) => { const own = all[Symbol.iterator](); const found = []; if (count === 0) { own.return?.(); return found; } for (;;) { const step = own.next(); if (step.done) return found; found.push(step.value); if (found.length === count) { own.return?.(); return found; } } };
export const rest = (own) => [own.at, ...own];
export const same = (own) => own;
export const double = (own) => own.map((x) => x * 2).toArray();
`,
    tests: `${begin}
const counter = (most) => { let n = 0; return { next: () => (n < most ? { value: n++, done: false } : { value: undefined, done: true }), [Symbol.iterator]() { return this; } }; };
test('the first of what cannot return', () => { const own = { n: 0, next() { return { done: false, value: this.n++ }; }, [Symbol.iterator]() { return this; } }; assert.equal(s.first(own), 0); assert.equal(own.n, 1); });
test('the first of a generator', () => { let closed = 0; function* all() { try { yield 1; yield 2; } finally { closed += 1; } } assert.equal(s.first(all()), 1); assert.equal(closed, 1); });
test('zips', () => { assert.deepEqual(s.zip(counter(1), counter(2)), [[0, 0]]); });
test('the first later', async () => { const own = { n: 0, async next() { return { value: this.n++, done: false }; }, [Symbol.asyncIterator]() { return this; } }; assert.equal(await s.firstLater(own), 0); });
test('lists', () => { let calls = 0; const own = { n: 0, next() { calls += 1; return this.n < 2 ? { done: false, value: this.n++ } : { done: true, value: undefined }; }, [Symbol.iterator]() { return this; } }; assert.deepEqual(s.list(own), [0, 1]); assert.equal(calls, 3); assert.deepEqual(s.list([1, 2].values()), [1, 2]); });
test('drains', () => { let closed = 0; let n = 0; const own = { next() { return n < 2 ? { done: false, value: n++ } : { done: true }; }, return() { closed += 1; return {}; }, [Symbol.iterator]() { return this; } }; assert.deepEqual(s.drain(own), [0, 1]); assert.equal(closed, 0); });
test('runs', async () => { assert.equal(await s.run(function* () { const a = yield Promise.resolve(2); const b = yield Promise.resolve(3); return a * b; }), 6); });
test('runs what fails', async () => { assert.equal(await s.run(function* () { try { yield Promise.reject(new Error('no')); } catch (error) { return 'caught ' + error.message; } }), 'caught no'); });
test('feeds', () => { function* sums() { let sum = 0; for (;;) sum += (yield sum) ?? 0; } assert.deepEqual(s.feed(sums(), [1, 2]), [1, 3]); });
test('fails', () => { function* own() { try { yield 1; yield 2; } catch (error) { yield 'c' + error.message; } } assert.equal(s.fail(own()), 'cx'); });
test('takes', () => { let closed = 0; const own = () => ({ i: 0, next() { return { done: false, value: this.i++ }; }, return() { closed += 1; return { done: true }; }, [Symbol.iterator]() { return this; } }); assert.deepEqual(s.take(own(), 2), [0, 1]); assert.equal(closed, 1); s.take(own(), 0); assert.equal(closed, 2); });
test('has fields', () => { const own = { at: 5, n: 0, next() { return this.n < 1 ? { value: this.n++, done: false } : { done: true, value: undefined }; }, [Symbol.iterator]() { return this; } }; assert.deepEqual(s.rest(own), [5, 0]); });
test('is the same', () => { const own = counter(1); assert.equal(s.same(own), own); function* all() { yield 1; } const made = all(); assert.equal(s.same(made), made); });
test('has helpers', () => { function* all() { yield 1; yield 2; } assert.deepEqual(s.double(all()), [2, 4]); assert.throws(() => s.double(counter(1)), TypeError); });
`,
    wrong: [
      [
        'if (!found.done) own.return?.();',
        'if (!found.done) own.return();',
        ['the first of what cannot return'],
      ],
      ['if (!found.done) own.return?.();', '', ['the first of a generator']],
      ['if (p.done) { y.return?.(); return found; }', 'if (p.done) { y.return(); return found; }', ['zips']],
      ['await own.return?.();', 'await own.return();', ['the first later']],
      [
        'for (const each of all) found.push(each); return found;',
        'for (const each of all) found.push(each); all.next(); return found;',
        ['lists'],
      ],
      [
        'if (step.done) return found; found.push(step.value); } };',
        'if (step.done) { own.return?.(); return found; } found.push(step.value); } };',
        ['drains'],
      ],
      ['step = own.next(value); }', 'step = own.next(); }', ['runs']],
      ['step = own.throw(error); continue;', 'step = own.next(error); continue;', ['runs what fails']],
      ['own.next(each).value', 'own.next().value', ['feeds']],
      ["own.throw(new Error('x')).value", "own.next(new Error('x')).value", ['fails']],
      ['if (count === 0) { own.return?.(); return found; }', 'if (count === 0) return found;', ['takes']],
      ['[own.at, ...own]', '[0, ...own]', ['has fields']],
      ['(own) => own;', '(own) => [...own][Symbol.iterator]();', ['is the same']],
      ['own.map((x) => x * 2).toArray()', 'Iterator.from(own).map((x) => x * 2).toArray()', ['has helpers']],
    ],
  },
  {
    id: 'plain objects of the test that compute',
    artifact: `
export const touch = (o) => ({ ...o, n: 3 });
export const assign = (o, values) => { for (const key of Object.keys(values)) o[key] = values[key]; return o; };
export const twice = (o) => [o.n, o.n];
export const freeze = (o) => Object.freeze(o);
export const same = (o) => o;
export const names = (o) => Object.keys(o);
`,
    tests: `${begin}
test('is not touched', () => { const o = { get n() { return 1; } }; assert.deepEqual(s.touch(o), { n: 3 }); });
test('takes what is set', () => { const log = []; const o = { set n(value) { log.push(value); } }; s.assign(o, { n: 3 }); assert.deepEqual(log, [3]); });
test('counts', () => { let n = 0; const o = { get n() { n += 1; return n; } }; assert.deepEqual(s.twice(o), [1, 2]); });
test('hides nothing', () => { const o = { _n: 1, get n() { return this._n; } }; assert.deepEqual(s.names(o), ['_n', 'n']); assert.equal(s.same(o), o); s.assign(o, { _n: 5 }); assert.equal(o.n, 5); assert.deepEqual(s.twice(o), [5, 5]); });
test('is frozen', () => { const o = { a: 1, get n() { return 1; } }; assert.equal(s.freeze(o), o); assert.equal(Object.isFrozen(o), true); });
test('is behind a proxy', () => { const log = []; const o = new Proxy({}, { set(target, key, value) { log.push(key); target[key] = value; return true; } }); s.assign(o, { a: 1, b: 2 }); assert.deepEqual(log, ['a', 'b']); assert.equal(o.a, 1); });
`,
    wrong: [
      ['({ ...o, n: 3 });', '{ o.n = 3; return { ...o }; };', ['is not touched']],
      [
        'o[key] = values[key]; return o;',
        'return { ...o, ...values };',
        ['takes what is set', 'hides nothing', 'is behind a proxy'],
      ],
      ['[o.n, o.n]', '((n) => [n, n])(o.n)', ['counts']],
      ['Object.freeze(o)', 'o', ['is frozen']],
      ['(o) => o;', '(o) => ({ ...o });', ['hides nothing']],
    ],
  },
];
