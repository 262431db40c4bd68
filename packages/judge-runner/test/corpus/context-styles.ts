/* Asynchronous contexts: those of a program in functions of the tests, and those of the tests in functions of a program. */

import type { StylesCase } from './program-styles.ts';

export const contextStyles: readonly StylesCase[] = [
  {
    id: 'a context of requests',
    references: ['storage'],
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as s from 'solution';
test('sync', () => { assert.equal(s.current(), undefined); const r = s.run({ id: 1 }, () => { assert.equal(s.current().id, 1); return 5; }); assert.equal(r, 5); assert.equal(s.current(), undefined); });
test('await', async () => { await s.run({ id: 2 }, async () => { await sleep(2); assert.equal(s.current().id, 2); await null; assert.equal(s.current().id, 2); }); });
test('beside', async () => { const seen = []; const one = (id, ms) => s.run({ id }, async () => { seen.push([id, s.current().id]); await sleep(ms); seen.push([id, s.current().id]); await sleep(ms); seen.push([id, s.current().id]); }); await Promise.all([one(1, 6), one(2, 2), one(3, 4)]); assert.equal(seen.length, 9); for (const [a, b] of seen) assert.equal(a, b); });
test('nested', async () => { await s.run({ id: 1 }, async () => { await s.run({ id: 2 }, async () => { await sleep(1); assert.equal(s.current().id, 2); }); assert.equal(s.current().id, 1); }); });
test('timers', async () => { const got = await s.run({ id: 7 }, () => new Promise((end) => { setTimeout(() => end(s.current()?.id), 2); })); assert.equal(got, 7); });
test('helpers', async () => { const inner = async () => { await sleep(1); return s.current().id; }; const ids = await Promise.all([1, 2].map((id) => s.run({ id }, () => inner()))); assert.deepEqual(ids, [1, 2]); });
test('logs', async () => { const lines = []; const log = s.createLogger((l) => lines.push(l)); await Promise.all([s.run({ id: 'a' }, async () => { log('x'); await sleep(3); log('y'); }), s.run({ id: 'b' }, async () => { await sleep(1); log('z'); })]); assert.deepEqual(lines, ['[a] x', '[b] z', '[a] y']); });
test('lost outside', async () => { await s.run({ id: 1 }, async () => { await sleep(1); }); assert.equal(s.current(), undefined); });
test('microtasks', async () => { const got = []; s.run({ id: 4 }, () => { queueMicrotask(() => got.push(s.current()?.id)); Promise.resolve().then(() => got.push(s.current()?.id)); process.nextTick(() => got.push(s.current()?.id)); setImmediate(() => got.push(s.current()?.id)); }); await sleep(5); await new Promise(setImmediate); assert.deepEqual(got, [4, 4, 4, 4]); });`,
    styles: {
      storage: `import { AsyncLocalStorage } from 'node:async_hooks';
const als = new AsyncLocalStorage();
export const run = (ctx, fn) => als.run(ctx, fn);
export const current = () => als.getStore();
export const createLogger = (write) => (text) => write(\`[\${als.getStore()?.id ?? '-'}] \${text}\`);`,
      'a class': `import { AsyncLocalStorage } from 'node:async_hooks';
class Context { #als = new AsyncLocalStorage(); run(c, f) { return this.#als.run(Object.freeze({ ...c }), f); } get now() { return this.#als.getStore(); } }
const context = new Context();
export function run(ctx, fn) { return context.run(ctx, () => fn()); }
export function current() { return context.now; }
export function createLogger(write) { return (text) => { write('[' + (current()?.id ?? '-') + '] ' + text); }; }`,
      copies: `import { AsyncLocalStorage } from 'node:async_hooks';
const als = new AsyncLocalStorage();
export async function run0(ctx, fn) { return als.run(ctx, async () => await fn()); }
export const run = (ctx, fn) => als.run(new Map(Object.entries(ctx)), fn);
export const current = () => { const m = als.getStore(); return m && Object.fromEntries(m); };
export const createLogger = (write) => (text) => write(\`[\${current()?.id ?? '-'}] \${text}\`);`,
    },
    wrong: {
      'lost after an await': `let now; 
export const run = (ctx, fn) => { const old = now; now = ctx; try { return fn(); } finally { now = old; } };
export const current = () => now;
export const createLogger = (write) => (text) => write(\`[\${now?.id ?? '-'}] \${text}\`);`,
      'the last one': `let now; 
export const run = (ctx, fn) => { now = ctx; return fn(); };
export const current = () => now;
export const createLogger = (write) => (text) => write(\`[\${now?.id ?? '-'}] \${text}\`);`,
      'put back at the end': `let now; 
export const run = (ctx, fn) => { const old = now; now = ctx; const r = fn(); if (r?.then) return r.finally(() => { now = old; }); now = old; return r; };
export const current = () => now;
export const createLogger = (write) => (text) => write(\`[\${now?.id ?? '-'}] \${text}\`);`,
      'the last one beside a storage': `import { AsyncLocalStorage } from 'node:async_hooks';
const als = new AsyncLocalStorage();
let last;
export const run = (ctx, fn) => { last = ctx; return als.run(ctx, fn); };
export const current = () => last;
export const createLogger = (write) => (text) => write(\`[\${last?.id ?? '-'}] \${text}\`);`,
      'entered and never left': `import { AsyncLocalStorage } from 'node:async_hooks';
const als = new AsyncLocalStorage();
export const run = (ctx, fn) => { als.enterWith(ctx); return fn(); };
export const current = () => als.getStore();
export const createLogger = (write) => (text) => write(\`[\${als.getStore()?.id ?? '-'}] \${text}\`);`,
      'changed later': `import { AsyncLocalStorage } from 'node:async_hooks';
const als = new AsyncLocalStorage();
export const run = (ctx, fn) => als.run(ctx, () => { const r = fn(); if (r && r.then) setTimeout(() => { ctx.id = 99; }, 1); return r; });
export const current = () => als.getStore() && { id: als.getStore().id, toString: () => '1', valueOf: () => 1 };
export const createLogger = (write) => (text) => write(\`[\${als.getStore()?.id ?? '-'}] \${text}\`);`,
    },
  },
  {
    id: 'contexts in queues, events and calls of one another',
    references: ['storage'],
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import * as s from 'solution';
const own = new AsyncLocalStorage();
test('own in a queue', async () => { const got = []; await Promise.all([own.run('a', () => s.mapLimit([1, 2, 3], 2, async (x) => { await sleep(2); got.push(own.getStore() + x); return x; })), own.run('b', () => s.mapLimit([1], 1, async (x) => { await sleep(1); got.push(own.getStore() + x); return x; }))]); assert.deepEqual(got.toSorted(), ['a1', 'a2', 'a3', 'b1']); });
test('own sync', () => { assert.deepEqual(own.run(5, () => s.each([1, 2], (x) => x + own.getStore())), [6, 7]); assert.equal(own.getStore(), undefined); });
test('own later', async () => { let got; own.run('x', () => s.later(() => { got = own.getStore(); })); await sleep(20); assert.equal(got, 'x'); });
test('bound', async () => { const f = s.run({ id: 3 }, () => s.bind(() => s.current().id)); assert.equal(f(), 3); assert.equal(s.run({ id: 4 }, () => f()), 3); });
test('exit', () => { s.run({ id: 3 }, () => { s.outside(() => assert.equal(s.current(), undefined)); assert.equal(s.current().id, 3); }); });
test('set', () => { s.run({ id: 3, n: 0 }, () => { s.set('n', 5); assert.equal(s.get('n'), 5); s.run({ n: 1 }, () => { s.set('n', 2); assert.equal(s.get('n'), 2); }); assert.equal(s.get('n'), 5); }); });
test('same object', () => { const ctx = { id: 3 }; s.run(ctx, () => assert.equal(s.current(), ctx)); });
test('instance', async () => { await s.als.run({ id: 9 }, async () => { await sleep(1); assert.equal(s.als.getStore().id, 9); assert.equal(s.current().id, 9); }); });
test('throws', async () => { assert.throws(() => s.run({ id: 1 }, () => { throw new Error('no ' + s.current().id); }), /no 1/); assert.equal(s.current(), undefined); await assert.rejects(s.run({ id: 2 }, async () => { await sleep(1); throw new Error('no ' + s.current().id); }), /no 2/); });
test('emits', async () => { const got = []; const e = s.emitter(); e.on('x', () => got.push(s.current()?.id)); s.run({ id: 1 }, () => e.emit('x')); e.emit('x'); assert.deepEqual(got, [1, undefined]); });
test('middleware', async () => { const app = s.createApp(); app.use(async (ctx, next) => { await sleep(1); assert.equal(s.current().id, ctx.id); await next(); }); app.use((ctx) => { ctx.body = 'hi ' + s.current().id; }); const both = await Promise.all([app.handle({ id: 1 }), app.handle({ id: 2 })]); assert.deepEqual(both.map((c) => c.body), ['hi 1', 'hi 2']); });`,
    styles: {
      storage: `import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
export const als = new AsyncLocalStorage();
export const run = (ctx, fn) => als.run(ctx, fn);
export const current = () => als.getStore();
export const set = (k, v) => { als.getStore()[k] = v; };
export const get = (k) => als.getStore()?.[k];
export const bind = (fn) => AsyncResource.bind(fn);
export const outside = (fn) => als.exit(fn);
export const each = (l, f) => l.map((x) => f(x));
export const later = (f) => { setTimeout(f, 5); };
export const emitter = () => new EventEmitter();
export async function mapLimit(items, limit, f) { const out = []; let i = 0; const worker = async () => { while (i < items.length) { const at = i++; out[at] = await f(items[at]); } }; await Promise.all(Array.from({ length: limit }, worker)); return out; }
export const createApp = () => { const all = []; return { use(f) { all.push(f); }, async handle(ctx) { return als.run({ id: ctx.id }, async () => { const go = async (i) => { await all[i]?.(ctx, () => go(i + 1)); }; await go(0); return ctx; }); } }; };`,
      others: `import { AsyncLocalStorage } from 'node:async_hooks';
class Emitter { #l = {}; on(n, f) { (this.#l[n] ??= []).push(f); } emit(n, ...a) { for (const f of this.#l[n] ?? []) f(...a); } }
export const als = new AsyncLocalStorage();
export function run(ctx, fn) { return als.run(ctx, fn); }
export const current = () => als.getStore();
export const set = (k, v) => { Object.assign(als.getStore(), { [k]: v }); };
export const get = (k) => { const c = als.getStore(); return c ? c[k] : undefined; };
export const bind = (fn) => { const inside = AsyncLocalStorage.snapshot(); return (...a) => inside(fn, ...a); };
export const outside = (fn) => als.run(undefined, fn);
export const each = (l, f) => { const o = []; for (const x of l) o.push(f(x)); return o; };
export const later = (f) => { new Promise((r) => setTimeout(r, 3)).then(() => f()); };
export const emitter = () => new Emitter();
export function mapLimit(items, limit, f) { return new Promise((resolve, reject) => { const out = []; let next = 0; let left = items.length; const go = () => { if (next >= items.length) return; const i = next++; Promise.resolve(f(items[i])).then((v) => { out[i] = v; if (--left === 0) resolve(out); else go(); }, reject); }; for (let k = 0; k < limit; k++) go(); }); }
export function createApp() { const all = []; const compose = (ctx, i = 0) => Promise.resolve(all[i]?.(ctx, () => compose(ctx, i + 1))); return { use: (f) => { all.push(f); }, handle: (ctx) => als.run({ ...ctx }, () => compose(ctx).then(() => ctx)) }; }`,
    },
    wrong: {
      'one for all': `import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
export const als = new AsyncLocalStorage();
let last;
export const run = (ctx, fn) => { last = ctx; return als.run(ctx, fn); };
export const current = () => last;
export const set = (k, v) => { (last ?? {})[k] = v; };
export const get = (k) => last?.[k];
export const bind = (fn) => fn;
export const outside = (fn) => fn();
const q = []; let busy = false; const pump = setInterval(() => { const f = q.shift(); if (f) f(); }, 1); pump.unref();
export const each = (l, f) => { const o = []; for (const x of l) o.push(f(x)); return o.reverse(); };
export const later = (f) => { q.push(f); };
export const emitter = () => { const e = new EventEmitter(); const on = e.on.bind(e); e.on = (n, f) => on(n, () => { last ??= { id: 1 }; f(); }); return e; };
export const mapLimit = (items, limit, f) => new Promise((end) => { const out = []; for (const x of items) q.push(async () => { out.push(await f(x)); if (out.length === items.length) end(out); }); });
export const createApp = () => { const all = []; return { use(f) { all.push(f); }, async handle(ctx) { last = { id: ctx.id }; const go = async (i) => { await all[i]?.(ctx, () => go(i + 1)); }; await go(0); return ctx; } }; };`,
    },
  },
  {
    id: 'a context that is entered',
    references: ['storage'],
    tests: `import assert from 'node:assert/strict';
import { test, describe, beforeEach, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as s from 'solution';
test('enter', async () => { s.enter({ id: 1 }); assert.equal(s.current().id, 1); await sleep(1); assert.equal(s.current().id, 1); });
test('is over', () => { assert.equal(s.current(), undefined); });
test('enter beside', async () => { const one = async (id) => { await null; s.enter({ id }); await sleep(id); return s.current().id; }; assert.deepEqual(await Promise.all([one(3), one(1)]), [3, 1]); });`,
    styles: {
      storage: `import { AsyncLocalStorage } from 'node:async_hooks';
const als = new AsyncLocalStorage();
export const enter = (c) => als.enterWith(c);
export const current = () => als.getStore();`,
      'in a class': `import { AsyncLocalStorage } from 'node:async_hooks';
class Context extends AsyncLocalStorage { set(c) { this.enterWith({ ...c }); } }
const context = new Context();
export function enter(c) { context.set(c); }
export function current() { return context.getStore(); }`,
    },
    wrong: {
      'one for all': `let now;
export const enter = (c) => { now = c; };
export const current = () => now;`,
      'entered too late': `import { AsyncLocalStorage } from 'node:async_hooks';
const als = new AsyncLocalStorage();
export const enter = async (c) => { await null; als.enterWith(c); };
export const current = () => als.getStore();`,
    },
  },
];
