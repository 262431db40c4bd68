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
test('one that is frozen after it was given', () => { const o = { n: 1, in: {} }; s.bump(o); Object.freeze(o); assert.throws(() => { s.bump(o); assert.equal(o.n, 3); }); assert.equal(o.n, 2); });
test('an error that the test freezes', () => { let first; try { s.fails(); } catch (error) { first = Object.freeze(error); } assert.throws(s.fails, (error) => error === first); });
`,
    wrong: [
      ['o.n += 1;', 'o.n += 2;', ['a sealed one', 'one that cannot grow', 'one within', 'a property that cannot be configured', 'a sealed list that is changed', 'one that is frozen after it was given']],
      ['try { o.id = 0; return false; } catch { return true; }', 'try { o.id = 0; return true; } catch { return false; }', ['what is thrown there']],
      ['try { list.push(2); return false; } catch { return true; }', 'try { list.push(2); return false; } catch { return list.length > 1; }', ['a sealed list']],
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
      ['const value = this.data[key]; delete this.data[key]; this.data[key] = value; return value;', 'return this.data[key];', ['a cache']],
      ['{ settings[key] = value; }', '{ delete settings[key]; settings[key] = value; }', ['settings']],
      ['{ const value = o[key]; delete o[key]; o[key] = value; }', '{}', ['an argument that is touched']],
      ['{ o[key] += 1; }', '{ const value = o[key]; delete o[key]; o[key] = value + 1; }', ['an argument that is kept']],
      ['{ this.fields[key] = value; }', '{ delete this.fields[key]; this.fields[key] = value; }', ['fields']],
    ],
  },
  {
    id: 'errors that nobody catches',
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
];
