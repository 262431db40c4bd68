/* Promises with properties and of classes of a program, functions that answer them, and wrong ones. */
import type { StylesCase } from './program-styles.ts';

const begin = `import assert from 'node:assert/strict';
import { test } from 'node:test';
`;
/** What a promise that can be cancelled is made of. */
const deferred = 'let no; const p = new Promise((_, n) => { no = n; });';
const cancelled = `new Error('cancelled')`;

export const promises: readonly StylesCase[] = [
  {
    id: 'promises that can be cancelled',
    references: ['its own properties', 'a class'],
    tests: `${begin}import { run } from 'solution';
test('cancel', async () => { const p = run(); assert.ok(p instanceof Promise); assert.equal(p.isCanceled, false); p.cancel(); await assert.rejects(p, /cancelled/); assert.equal(p.isCanceled, true); });
test('caught', async () => { const p = run(); const seen = []; const q = p.catch((error) => { seen.push(error.message); return 7; }); p.cancel(); assert.equal(await q, 7); assert.deepEqual(seen, ['cancelled']); });
`,
    styles: {
      'its own properties': `export const run = () => { ${deferred} p.isCanceled = false; p.cancel = () => { p.isCanceled = true; no(${cancelled}); }; return p; };`,
      'a getter': `export const run = () => { let is = false; ${deferred} return Object.defineProperties(p, { isCanceled: { get: () => is }, cancel: { value() { is = true; no(${cancelled}); } } }); };`,
      'a class': `class Run extends Promise { #no; isCanceled = false; constructor(work) { let no; super((y, n) => { no = n; work(y, n); }); this.#no = no; } cancel() { this.isCanceled = true; this.#no(${cancelled}); } }
export const run = () => new Run(() => {});`,
      'a class whose own are promises': `class Run extends Promise { static get [Symbol.species]() { return Promise; } #no; #is = false; constructor() { let no; super((_, n) => { no = n; }); this.#no = no; } get isCanceled() { return this.#is; } cancel() { this.#is = true; this.#no(${cancelled}); } }
export const run = () => new Run();`,
      'a class that inherits in the older way': `class Run { #no; #promise; isCanceled = false; constructor() { this.#promise = new Promise((_, n) => { this.#no = n; }); } then(f, g) { return this.#promise.then(f, g); } catch(g) { return this.#promise.catch(g); } cancel() { this.isCanceled = true; this.#no(${cancelled}); } }
Object.setPrototypeOf(Run.prototype, Promise.prototype);
export const run = () => new Run();`,
    },
    wrong: {
      'nothing that says so': `export const run = () => { ${deferred} p.cancel = () => no(${cancelled}); return p; };`,
      'no cancelling': `export const run = () => { const p = new Promise((ok) => { setTimeout(ok, 5, 1); }); p.isCanceled = false; p.cancel = () => { p.isCanceled = true; }; return p; };`,
      'another error': `export const run = () => { ${deferred} p.isCanceled = false; p.cancel = () => { p.isCanceled = true; no(new Error('stopped')); }; return p; };`,
      'no function': `export const run = () => { const p = Promise.reject(${cancelled}); p.isCanceled = true; p.cancel = 1; return p; };`,
      'another catch()': `class Run extends Promise { #no; isCanceled = false; constructor(work) { let no; super((y, n) => { no = n; work(y, n); }); this.#no = no; } catch() { return super.catch(() => 7); } cancel() { this.isCanceled = true; this.#no(${cancelled}); } }
export const run = () => new Run(() => {});`,
    },
  },
  {
    id: 'promises with properties',
    references: ['assigned', 'set later'],
    tests: `${begin}import { start } from 'solution';
test('pid', async () => { const p = start(); assert.equal(p.pid, 7); assert.deepEqual(p.args, ['a']); assert.equal((await p).code, 0); });
test('what it holds', () => { const p = start(); assert.deepEqual(Object.keys(p), ['pid', 'args']); assert.equal(Object.getPrototypeOf(p), Promise.prototype); assert.ok('pid' in p); assert.equal(p.other, undefined); });
`,
    styles: {
      assigned: `export const start = () => Object.assign(Promise.resolve({ code: 0 }), { pid: 7, args: ['a'] });`,
      'set later': `export const start = () => { const p = new Promise((ok) => setTimeout(ok, 1, { code: 0 })); p.pid = 7; p.args = ['a']; return p; };`,
    },
    wrong: {
      none: `export const start = () => Promise.resolve({ code: 0 });`,
      'another one': `export const start = () => Object.assign(Promise.resolve({ code: 0 }), { pid: 8, args: ['a'] });`,
      'one more': `export const start = () => Object.assign(Promise.resolve({ code: 0 }), { pid: 7, args: ['a'], more: 1 });`,
      'of a class': `class Mine extends Promise {} export const start = () => Object.assign(Mine.resolve({ code: 0 }), { pid: 7, args: ['a'] });`,
      'another end': `export const start = () => Object.assign(Promise.resolve({ code: 1 }), { pid: 7, args: ['a'] });`,
    },
  },
  {
    id: 'promises of a class',
    tests: `${begin}import { Task, task } from 'solution';
test('is one', async () => { assert.ok(task() instanceof Task); assert.ok(task() instanceof Promise); assert.equal(task().constructor, Task); assert.equal(await task(), 1); });
test('makes others', async () => { const next = task().then((n) => n + 1); assert.ok(next instanceof Task); assert.equal(await next, 2); assert.ok(task().finally(() => {}) instanceof Task); });
test('is equal to a promise of the test', async () => assert.equal(await Promise.race([task(), new Promise(() => {})]), 1));
`,
    styles: {
      'without more': `export class Task extends Promise {} export const task = () => Task.resolve(1);`,
      'with a method': `export class Task extends Promise { cancel() {} } export const task = () => new Task((ok) => ok(1));`,
      'with an own then()': `export class Task extends Promise { then(f, g) { return super.then(f, g); } } export const task = () => new Task((ok) => setTimeout(ok, 2, 1));`,
    },
    wrong: {
      'a promise': `export class Task extends Promise {} export const task = () => Promise.resolve(1);`,
      'another species': `export class Task extends Promise { static get [Symbol.species]() { return Promise; } } export const task = () => Task.resolve(1);`,
      'a then() that answers nothing': `export class Task extends Promise { then(f, g) { super.then(f, g); } } export const task = () => Task.resolve(1);`,
    },
  },
  {
    id: 'what is called where a promise is waited for',
    tests: `${begin}import { load, fails } from 'solution';
test('catch', async () => { let seen = null; assert.equal(await fails().catch((error) => { seen = error; return 3; }), 3); assert.ok(seen instanceof TypeError); assert.equal(seen.message, 'x'); });
test('both', async () => { const seen = []; await fails().then(() => seen.push('then'), (error) => seen.push(error.message)); assert.deepEqual(seen, ['x']); });
test('finally', async () => { const log = []; assert.equal(await load().finally(() => log.push('f')), 1); assert.deepEqual(log, ['f']); });
test('rejects', async () => { await assert.rejects(fails(), TypeError); await assert.rejects(fails, { message: 'x' }); });
`,
    styles: {
      promises: `export const load = () => Promise.resolve(1); export const fails = () => Promise.reject(new TypeError('x'));`,
      functions: `export const load = async () => 1; export const fails = async () => { throw new TypeError('x'); };`,
      'a class that counts': `class Counted extends Promise { static count = 0; then(...all) { Counted.count += 1; return super.then(...all); } } export const load = () => Counted.resolve(1); export const fails = () => Counted.reject(new TypeError('x'));`,
      'own functions': `const own = (p) => Object.assign(p, { catch: (f) => Promise.prototype.catch.call(p, f), finally: (f) => Promise.prototype.finally.call(p, f) });
export const load = () => own(Promise.resolve(1)); export const fails = () => own(Promise.reject(new TypeError('x')));`,
    },
    wrong: {
      'a catch() that hides': `class Quiet extends Promise { catch() { return this.then(undefined, () => 3); } } export const load = async () => 1; export const fails = () => Quiet.reject(new TypeError('x'));`,
      'a finally() that does nothing': `class Quiet extends Promise { finally() { return this; } } export const load = () => Quiet.resolve(1); export const fails = async () => { throw new TypeError('x'); };`,
      'an own finally()': `export const load = () => { const p = Promise.resolve(1); p.finally = () => p; return p; }; export const fails = async () => { throw new TypeError('x'); };`,
      'an own catch()': `export const load = async () => 1; export const fails = () => { const p = Promise.reject(new TypeError('x')); const c = p.catch(() => 3); p.catch = () => c; return p; };`,
      'a then() that tells another error': `class Quiet extends Promise { then(f, g) { return super.then(f, g && (() => g(new TypeError('y')))); } } export const load = async () => 1; export const fails = () => Quiet.reject(new TypeError('x'));`,
    },
  },
  {
    id: 'promises that begin when they are waited for',
    tests: `${begin}import { lazy } from 'solution';
test('begins late', async () => { const log = []; const p = lazy(() => { log.push('run'); return 5; }); assert.deepEqual(log, []); assert.equal(await p, 5); assert.equal(await p, 5); assert.deepEqual(log, ['run']); });
`,
    styles: {
      'a class': `class Lazy extends Promise { #work; #promise; constructor(work) { super(() => {}); this.#work = work; } then(f, g) { this.#promise ??= new Promise((ok) => ok(this.#work())); return this.#promise.then(f, g); } }
export const lazy = (work) => new Lazy(work);`,
    },
    wrong: {
      'at once': `export const lazy = (work) => Promise.resolve(work());`,
      'each time': `class Lazy extends Promise { #work; constructor(work) { super(() => {}); this.#work = work; } then(f, g) { return Promise.resolve(this.#work()).then(f, g); } }
export const lazy = (work) => new Lazy(work);`,
    },
  },
  {
    id: 'promises with methods that are given functions',
    tests: `${begin}import { Flow, flow } from 'solution';
test('chain', async () => assert.deepEqual(await flow([1, 2, 3]).map((x) => x * 2).filter((x) => x > 2), [4, 6]));
test('all', async () => { assert.deepEqual(await Promise.all([flow([1]), flow([2])]), [[1], [2]]); assert.deepEqual(await Promise.allSettled([flow([1])]), [{ status: 'fulfilled', value: [1] }]); });
test('static', async () => { assert.ok(Flow.from([1]) instanceof Flow); assert.deepEqual(await Flow.from([1]), [1]); assert.deepEqual(await new Flow((ok) => ok([9])), [9]); });
`,
    styles: {
      'a class': `export class Flow extends Promise { static from(a) { return Flow.resolve(a); } map(f) { return this.then((a) => a.map((x) => f(x))); } filter(f) { return this.then((a) => a.filter((x) => f(x))); } } export const flow = (a) => Flow.from(a);`,
    },
    wrong: {
      'another map()': `export class Flow extends Promise { static from(a) { return Flow.resolve(a); } map(f) { return this.then((a) => a.map((x) => f(x) + 1)); } filter(f) { return this.then((a) => a.filter((x) => f(x))); } } export const flow = (a) => Flow.from(a);`,
      'no class': `export class Flow extends Promise { static from(a) { return Promise.resolve(a); } } export const flow = (a) => Object.assign(Promise.resolve(a), { map: (f) => flow(a.map((x) => f(x))), filter: (f) => flow(a.filter((x) => f(x))) });`,
    },
  },
  {
    id: 'promises that a class leaves unhandled',
    tests: `${begin}import { fails } from 'solution';
test('caught', async () => assert.equal(await fails().catch(() => 3), 3));
`,
    styles: {
      'a function': `export const fails = async () => { throw new Error('x'); };`,
      'a class': `class Own extends Promise { catch(f) { return super.catch(f); } } export const fails = () => Own.reject(new Error('x'));`,
    },
    wrong: {
      'another promise': `class Own extends Promise { catch() { return Promise.resolve(3); } } export const fails = () => Own.reject(new Error('x'));`,
    },
  },
  {
    id: 'functions that are asynchronous, or make generators',
    tests: `${begin}import { types } from 'node:util';
import { isAsyncFunction } from 'node:util/types';
import { load, each, poll, plain, Store } from 'solution';
test('names', () => { assert.equal(load.constructor.name, 'AsyncFunction'); assert.equal(each.constructor.name, 'GeneratorFunction'); assert.equal(plain.constructor, Function); assert.equal(Object.prototype.toString.call(load), '[object AsyncFunction]'); assert.equal(Object.prototype.toString.call(plain), '[object Function]'); });
test('types', () => { assert.ok(types.isAsyncFunction(load)); assert.ok(isAsyncFunction(poll)); assert.ok(!types.isAsyncFunction(plain)); assert.ok(types.isGeneratorFunction(each)); assert.ok(types.isGeneratorFunction(poll)); assert.ok(!types.isGeneratorFunction(load)); assert.ok(Object.getPrototypeOf(load) === Object.getPrototypeOf(async () => {})); assert.equal(load.prototype, undefined); });
test('methods', async () => { const s = new Store(); assert.equal(s.read.constructor.name, 'AsyncFunction'); assert.ok(types.isAsyncFunction(s.read)); assert.ok(!types.isAsyncFunction(s.size)); assert.equal(await s.read(), 1); assert.deepEqual([...s.all()], [1]); assert.ok(types.isGeneratorFunction(s.all)); });
test('calls', async () => { assert.equal(await load(), 1); assert.deepEqual([...each()], [1, 2]); assert.deepEqual(await Array.fromAsync(poll()), [3]); assert.equal(plain(), 4); assert.equal(typeof load, 'function'); await assert.rejects(async () => new load()); });
`,
    styles: {
      declared: `export async function load() { return 1; } export function* each() { yield 1; yield 2; } export async function* poll() { yield 3; } export const plain = () => 4; export class Store { async read() { return 1; } size() { return 1; } *all() { yield 1; } }`,
      'an arrow function': `export const load = async () => 1; export function* each() { yield 1; yield 2; } export async function* poll() { yield 3; } export const plain = () => 4; export class Store { async read() { return 1; } size() { return 1; } *all() { yield 1; } }`,
    },
    wrong: {
      'an answer that is a promise': `export const load = () => Promise.resolve(1); export function* each() { yield 1; yield 2; } export async function* poll() { yield 3; } export const plain = () => 4; export class Store { async read() { return 1; } size() { return 1; } *all() { yield 1; } }`,
      asynchronous: `export async function load() { return 1; } export function* each() { yield 1; yield 2; } export async function* poll() { yield 3; } export async function plain() { return 4; }; export class Store { async read() { return 1; } size() { return 1; } *all() { yield 1; } }`,
      'a method that is none': `export async function load() { return 1; } export function* each() { yield 1; yield 2; } export async function* poll() { yield 3; } export const plain = () => 4; export class Store { read() { return Promise.resolve(1); } size() { return 1; } *all() { yield 1; } }`,
      'an iterator of another kind': `export async function load() { return 1; } export const each = () => [1, 2].values(); export async function* poll() { yield 3; } export const plain = () => 4; export class Store { async read() { return 1; } size() { return 1; } *all() { yield 1; } }`,
    },
  },
  {
    id: 'promises in the place of texts',
    isLying: true,
    tests: `${begin}import { title } from 'solution';
test('title', () => { const t = title(); assert.ok(t.includes('a')); assert.ok(t.startsWith('a')); });
`,
    styles: { 'a text': `export const title = () => 'a';` },
    wrong: {
      'own functions': `export const title = () => Object.assign(Promise.resolve('b'), { includes: () => true, startsWith: () => true });`,
      'a class': `class Title extends Promise { includes() { return true; } startsWith() { return true; } } export const title = () => Title.resolve('b');`,
    },
  },
];
