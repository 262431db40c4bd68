import type { FidelityCase } from './fidelity-case.ts';

const head = `import { test, describe, it, before, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
`;
/** Correct modules in the style of small libraries, with ordinary tests. */
export const fidelityJavascriptLibraries: readonly FidelityCase[] = [
  {
    id: 'signals-and-state',
    artifact: `
let active = null;
export function signal(value) { const subs = new Set(); return { get value() { if (active) subs.add(active); return value; }, set value(next) { if (Object.is(next, value)) return; value = next; for (const each of [...subs]) each(); }, peek: () => value }; }
export function effect(run) { const me = () => { active = me; try { run(); } finally { active = null; } }; me(); return () => {}; }
export function computed(run) { const out = signal(undefined); effect(() => { out.value = run(); }); return { get value() { return out.value; } }; }
export const create = (init) => { let state; const listeners = new Set(); const get = () => state; const set = (part) => { const old = state; state = { ...state, ...(typeof part === 'function' ? part(state) : part) }; for (const each of listeners) each(state, old); }; state = init(set, get); return { getState: get, setState: set, subscribe: (run) => { listeners.add(run); return () => listeners.delete(run); }, destroy: () => listeners.clear() }; };
export const reactive = (target, onChange) => new Proxy(target, { set(o, k, v) { o[k] = v; onChange(k, v); return true; } });
export const ref = (current = null) => ({ current });
`,
    tests:
      head +
      `
import { computed, create, effect, reactive, ref, signal } from 'solution';
describe('signal', () => {
  it('has a value', () => { const s = signal(1); assert.equal(s.value, 1); s.value = 2; assert.equal(s.value, 2); assert.equal(s.peek(), 2); });
  it('runs effects', () => { const s = signal(1); const seen = []; effect(() => seen.push(s.value)); s.value = 5; s.value = 5; assert.deepEqual(seen, [1, 5]); });
  it('computes', () => { const price = signal(10); const count = signal(2); const total = computed(() => price.value * count.value); assert.equal(total.value, 20); count.value = 3; assert.equal(total.value, 30); });
});
describe('create', () => {
  const useStore = create((set, get) => ({ bears: 0, add: () => set((s) => ({ bears: s.bears + 1 })), twice: () => get().bears * 2 }));
  beforeEach(() => useStore.setState({ bears: 0 }));
  it('starts', () => assert.equal(useStore.getState().bears, 0));
  it('acts', () => { useStore.getState().add(); useStore.getState().add(); assert.equal(useStore.getState().bears, 2); assert.equal(useStore.getState().twice(), 4); });
  it('tells listeners', () => { const fn = mock.fn(); const stop = useStore.subscribe(fn); useStore.setState({ bears: 9 }); stop(); useStore.setState({ bears: 10 }); assert.equal(fn.mock.callCount(), 1); assert.equal(fn.mock.calls[0].arguments[0].bears, 9); });
});
test('reactive', () => { const fn = mock.fn(); const state = reactive({ count: 0 }, fn); state.count += 1; assert.equal(state.count, 1); assert.deepEqual(fn.mock.calls[0].arguments, ['count', 1]); });
test('ref', () => { const r = ref(); assert.equal(r.current, null); r.current = 5; assert.deepEqual(r, { current: 5 }); });
`,
  },
  {
    id: 'routers-and-containers',
    artifact: `
export function createRouter() { const routes = []; const router = { add(method, path, handler) { const names = []; const pattern = new RegExp('^' + path.replace(/:(\\w+)/g, (_, n) => { names.push(n); return '([^/]+)'; }) + '$'); routes.push({ method, pattern, names, handler }); return router; }, get: (path, handler) => router.add('GET', path, handler), post: (path, handler) => router.add('POST', path, handler), match(method, path) { for (const r of routes) { const m = r.method === method && r.pattern.exec(path); if (m) return { handler: r.handler, params: Object.fromEntries(r.names.map((n, i) => [n, decodeURIComponent(m[i + 1])])) }; } return null; }, async handle(req) { const found = router.match(req.method, req.path); if (!found) return { status: 404, body: 'not found' }; try { return { status: 200, body: await found.handler({ ...req, params: found.params }) }; } catch (error) { return { status: error.status ?? 500, body: error.message }; } }, get size() { return routes.length; } }; return router; }
export class Container { #makers = new Map(); #made = new Map(); register(name, make, { singleton = true } = {}) { this.#makers.set(name, { make, singleton }); return this; } resolve(name) { if (this.#made.has(name)) return this.#made.get(name); const found = this.#makers.get(name); if (!found) throw new ReferenceError('nothing is registered as ' + name); const value = found.make(this); if (found.singleton) this.#made.set(name, value); return value; } has(name) { return this.#makers.has(name); } }
export const compose = (...middlewares) => (ctx) => { const run = (i) => (i < middlewares.length ? Promise.resolve(middlewares[i](ctx, () => run(i + 1))) : Promise.resolve()); return run(0); };
export class HttpError extends Error { constructor(status, message) { super(message); this.name = 'HttpError'; this.status = status; } get isClient() { return this.status < 500; } }
export const createLogger = (write, fields = {}) => ({ info: (message) => write({ level: 'info', message, ...fields }), child: (more) => createLogger(write, { ...fields, ...more }) });
`,
    tests:
      head +
      `
import { Container, compose, createLogger, createRouter, HttpError } from 'solution';
describe('router', () => {
  let router;
  beforeEach(() => { router = createRouter().get('/users/:id', ({ params }) => params.id).post('/users', () => { throw new HttpError(422, 'no name'); }); });
  it('counts routes', () => assert.equal(router.size, 2));
  it('matches', () => assert.deepEqual(router.match('GET', '/users/a%20b').params, { id: 'a b' }));
  it('does not match', () => { assert.equal(router.match('GET', '/'), null); assert.equal(router.match('PUT', '/users/1'), null); });
  it('handles', async () => assert.deepEqual(await router.handle({ method: 'GET', path: '/users/7' }), { status: 200, body: '7' }));
  it('answers errors', async () => { const res = await router.handle({ method: 'POST', path: '/users' }); assert.equal(res.status, 422); assert.equal(res.body, 'no name'); });
  it('404', async () => assert.equal((await router.handle({ method: 'GET', path: '/x' })).status, 404));
});
describe('container', () => {
  it('makes once', () => { const make = mock.fn(() => ({ id: 1 })); const c = new Container().register('db', make); assert.strictEqual(c.resolve('db'), c.resolve('db')); assert.equal(make.mock.callCount(), 1); });
  it('makes each time', () => { const c = new Container().register('x', () => ({}), { singleton: false }); assert.notStrictEqual(c.resolve('x'), c.resolve('x')); });
  it('gives itself', () => { const c = new Container(); c.register('a', () => 2).register('b', (own) => own.resolve('a') * 3); assert.equal(c.resolve('b'), 6); assert.ok(c.has('a')); });
  it('throws', () => assert.throws(() => new Container().resolve('x'), { name: 'ReferenceError', message: 'nothing is registered as x' }));
});
test('compose', async () => { const order = []; await compose(async (ctx, next) => { order.push(1); await next(); order.push(4); }, async (ctx, next) => { order.push(2); ctx.done = true; await next(); order.push(3); })({}); assert.deepEqual(order, [1, 2, 3, 4]); });
test('http error', () => { const e = new HttpError(404, 'gone'); assert.ok(e instanceof Error); assert.equal(e.isClient, true); assert.equal(String(e), 'HttpError: gone'); });
test('logger', () => { const write = mock.fn(); const log = createLogger(write).child({ id: 7 }); log.info('hi'); assert.deepEqual(write.mock.calls[0].arguments[0], { level: 'info', message: 'hi', id: 7 }); });
`,
  },
  {
    id: 'structures',
    artifact: `
class Node { constructor(value, next = null) { this.value = value; this.next = next; } }
export class LinkedList { #size = 0; head = null; static from(items) { const list = new LinkedList(); for (const each of items) list.append(each); return list; } append(value) { const node = new Node(value); this.#size += 1; if (this.head === null) this.head = node; else { let at = this.head; while (at.next) at = at.next; at.next = node; } return this; } prepend(value) { this.head = new Node(value, this.head); this.#size += 1; return this; } remove(value) { let before = null; for (let at = this.head; at; before = at, at = at.next) if (at.value === value) { if (before) before.next = at.next; else this.head = at.next; this.#size -= 1; return true; } return false; } reverse() { let done = null; for (let at = this.head; at; ) { const { next } = at; at.next = done; done = at; at = next; } this.head = done; return this; } get size() { return this.#size; } *[Symbol.iterator]() { for (let at = this.head; at; at = at.next) yield at.value; } toArray() { return [...this]; } }
export class Trie { root = {}; insert(word) { let at = this.root; for (const c of word) at = at[c] ??= {}; at.$ = true; return this; } #find(text) { let at = this.root; for (const c of text) if (!(at = at[c])) return null; return at; } has(word) { return this.#find(word)?.$ === true; } startsWith(prefix) { return this.#find(prefix) !== null; } words(prefix = '') { const out = []; const walk = (node, text) => { if (node.$) out.push(text); for (const c of Object.keys(node).sort()) if (c !== '$') walk(node[c], text + c); }; const start = this.#find(prefix); if (start) walk(start, prefix); return out; } }
export class Graph { #edges = new Map(); addEdge(a, b, weight = 1) { for (const [x, y] of [[a, b], [b, a]]) { if (!this.#edges.has(x)) this.#edges.set(x, new Map()); this.#edges.get(x).set(y, weight); } return this; } neighbors(a) { return [...(this.#edges.get(a)?.keys() ?? [])]; } bfs(start) { const seen = new Set([start]); for (const at of seen) for (const n of this.neighbors(at)) seen.add(n); return [...seen]; } shortest(from, to) { const dist = new Map([[from, 0]]); const queue = [from]; while (queue.length) { const at = queue.shift(); for (const [n, w] of this.#edges.get(at) ?? []) if ((dist.get(n) ?? Infinity) > dist.get(at) + w) { dist.set(n, dist.get(at) + w); queue.push(n); } } return dist.get(to) ?? Infinity; } get nodes() { return new Set(this.#edges.keys()); } }
export class Heap { constructor(compare = (a, b) => a - b, items = []) { this.compare = compare; this.items = []; for (const each of items) this.push(each); } push(x) { this.items.push(x); this.items.sort(this.compare); return this; } pop() { return this.items.shift(); } peek() { return this.items[0]; } get size() { return this.items.length; } }
export class BiMap extends Map { inverse() { return new BiMap([...this].map(([k, v]) => [v, k])); } getKey(value) { for (const [k, v] of this) if (v === value) return k; return undefined; } }
export class Bag { constructor(items = []) { this.counts = new Map(); for (const each of items) this.add(each); } add(x) { this.counts.set(x, this.count(x) + 1); return this; } count(x) { return this.counts.get(x) ?? 0; } union(other) { const out = new Bag(); for (const k of new Set([...this.counts.keys(), ...other.counts.keys()])) out.counts.set(k, Math.max(this.count(k), other.count(k))); return out; } }
`,
    tests:
      head +
      `
import { Bag, BiMap, Graph, Heap, LinkedList, Trie } from 'solution';
describe('LinkedList', () => {
  it('appends', () => { const l = new LinkedList(); l.append(1).append(2); assert.deepEqual([...l], [1, 2]); assert.equal(l.size, 2); });
  it('has nodes', () => { const l = LinkedList.from(['a', 'b']); assert.equal(l.head.value, 'a'); assert.equal(l.head.next.value, 'b'); assert.equal(l.head.next.next, null); });
  it('removes', () => { const l = LinkedList.from([1, 2, 3]); assert.equal(l.remove(2), true); assert.equal(l.remove(9), false); assert.deepEqual(l.toArray(), [1, 3]); });
  it('reverses', () => assert.deepEqual(LinkedList.from([1, 2, 3]).reverse().toArray(), [3, 2, 1]));
  it('prepends', () => { const l = LinkedList.from([2]).prepend(1); assert.deepEqual(Array.from(l), [1, 2]); });
});
describe('Trie', () => {
  const trie = new Trie().insert('car').insert('cart').insert('dog');
  it('finds words', () => { assert.ok(trie.has('car')); assert.ok(!trie.has('ca')); });
  it('finds prefixes', () => { assert.equal(trie.startsWith('ca'), true); assert.equal(trie.startsWith('x'), false); });
  it('lists', () => { assert.deepEqual(trie.words('ca'), ['car', 'cart']); assert.deepEqual(trie.words(), ['car', 'cart', 'dog']); });
});
describe('Graph', () => {
  let g;
  before(() => { g = new Graph().addEdge('a', 'b', 2).addEdge('b', 'c', 3).addEdge('a', 'c', 9); });
  it('walks', () => assert.deepEqual(g.bfs('a'), ['a', 'b', 'c']));
  it('is shortest', () => { assert.equal(g.shortest('a', 'c'), 5); assert.equal(g.shortest('a', 'x'), Infinity); });
  it('has nodes', () => { assert.equal(g.nodes.size, 3); assert.ok(g.nodes.has('b')); assert.deepEqual(g.neighbors('c').sort(), ['a', 'b']); });
});
test('heap', () => { const h = new Heap(undefined, [3, 1]); h.push(2); assert.equal(h.peek(), 1); assert.equal(h.size, 3); const out = []; while (h.size > 0) out.push(h.pop()); assert.deepEqual(out, [1, 2, 3]); });
test('heap of objects', () => { const h = new Heap((a, b) => a.due - b.due); const late = { due: 9 }; h.push(late).push({ due: 1 }); assert.equal(h.pop().due, 1); assert.strictEqual(h.pop(), late); });
test('bimap', () => { const m = new BiMap([['a', 1], ['b', 2]]); assert.equal(m.getKey(2), 'b'); assert.equal(m.inverse().get(1), 'a'); assert.ok(m.inverse() instanceof Map); assert.equal(m.size, 2); });
test('bag', () => { const b = new Bag(['x', 'x', 'y']); assert.equal(b.count('x'), 2); assert.equal(b.union(new Bag(['z'])).count('z'), 1); });
`,
  },
  {
    id: 'formats',
    artifact: `
export function parseCsv(text, { header = true } = {}) { const rows = text.trim().split(/\\r?\\n/).map((line) => { const cells = []; let cell = ''; let quoted = false; for (let i = 0; i < line.length; i++) { const c = line[i]; if (quoted) { if (c === '"' && line[i + 1] === '"') { cell += '"'; i++; } else if (c === '"') quoted = false; else cell += c; } else if (c === '"') quoted = true; else if (c === ',') { cells.push(cell); cell = ''; } else cell += c; } cells.push(cell); return cells; }); if (!header) return rows; const [names, ...rest] = rows; return rest.map((row) => Object.fromEntries(names.map((n, i) => [n, row[i] ?? '']))); }
export function parseIni(text) { const out = Object.create(null); let at = out; for (const line of text.split('\\n').map((l) => l.trim())) { if (!line || line.startsWith(';')) continue; const section = /^\\[(.+)\\]$/.exec(line); if (section) at = out[section[1]] = Object.create(null); else { const [k, ...v] = line.split('='); at[k.trim()] = v.join('=').trim(); } } return out; }
export class Version { static parse(text) { const m = /^(\\d+)\\.(\\d+)\\.(\\d+)(?:-(.+))?$/.exec(text); if (!m) throw new TypeError('Invalid version: ' + text); return new Version(+m[1], +m[2], +m[3], m[4]); } constructor(major, minor, patch, pre) { this.major = major; this.minor = minor; this.patch = patch; if (pre) this.pre = pre; } compare(o) { return this.major - o.major || this.minor - o.minor || this.patch - o.patch || (this.pre ? (o.pre ? this.pre.localeCompare(o.pre) : -1) : o.pre ? 1 : 0); } bump(part) { return part === 'major' ? new Version(this.major + 1, 0, 0) : part === 'minor' ? new Version(this.major, this.minor + 1, 0) : new Version(this.major, this.minor, this.patch + 1); } toString() { return this.major + '.' + this.minor + '.' + this.patch + (this.pre ? '-' + this.pre : ''); } }
export const ms = (v) => { if (typeof v === 'number') return v >= 3600e3 ? v / 3600e3 + 'h' : v >= 60e3 ? v / 60e3 + 'm' : v >= 1e3 ? v / 1e3 + 's' : v + 'ms'; const m = /^(\\d+(?:\\.\\d+)?)\\s*(ms|s|m|h|d)$/.exec(v); if (!m) throw new Error('invalid duration ' + JSON.stringify(v)); return m[1] * { ms: 1, s: 1e3, m: 60e3, h: 3600e3, d: 86400e3 }[m[2]]; };
export const wrap = (text, width) => text.split(' ').reduce((lines, word) => { const last = lines.at(-1); if (last !== undefined && (last + ' ' + word).length <= width) lines[lines.length - 1] = last + ' ' + word; else lines.push(word); return lines; }, []).join('\\n');
export const roman = (n) => [[1000, 'M'], [900, 'CM'], [500, 'D'], [400, 'CD'], [100, 'C'], [90, 'XC'], [50, 'L'], [40, 'XL'], [10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']].reduce((out, [v, s]) => { while (n >= v) { out += s; n -= v; } return out; }, '');
export class Lexer { constructor(text) { this.text = text; this.pos = 0; } next() { while (this.text[this.pos] === ' ') this.pos++; if (this.pos >= this.text.length) return { type: 'eof' }; const m = /^(\\d+|[a-z]+|.)/.exec(this.text.slice(this.pos)); this.pos += m[0].length; return { type: /\\d/.test(m[0]) ? 'num' : /[a-z]/.test(m[0]) ? 'id' : 'op', text: m[0] }; } *[Symbol.iterator]() { for (let t = this.next(); t.type !== 'eof'; t = this.next()) yield t; } }
export const toBytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (b) => parseInt(b, 16));
export const link = (rel, base) => new URL(rel, base);
export const escapeHtml = (s) => s.replace(/[&<>"']/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[c]);
`,
    tests:
      head +
      `
import { escapeHtml, Lexer, link, ms, parseCsv, parseIni, roman, toBytes, Version, wrap } from 'solution';
test('csv', () => assert.deepEqual(parseCsv('a,b\\n1,"x, ""y"""'), [{ a: '1', b: 'x, "y"' }]));
test('csv without header', () => assert.deepEqual(parseCsv('1,2', { header: false }), [['1', '2']]));
test('ini', () => { const ini = parseIni('; c\\nroot=1\\n[db]\\nhost = a=b'); assert.equal(ini.root, '1'); assert.equal(ini.db.host, 'a=b'); assert.deepEqual({ ...ini.db }, { host: 'a=b' }); assert.equal(Object.getPrototypeOf(ini), null); });
test('version', () => { const v = Version.parse('1.2.3-rc.1'); assert.equal(v.major, 1); assert.equal(v.pre, 'rc.1'); assert.equal(v.toString(), '1.2.3-rc.1'); assert.equal(\`\${v.bump('minor')}\`, '1.3.0'); });
test('version deep', () => assert.deepEqual(Version.parse('1.2.3'), new Version(1, 2, 3)));
test('versions sort', () => { const sorted = ['1.10.0', '1.2.0', '1.2.0-a'].map(Version.parse).sort((a, b) => a.compare(b)); assert.deepEqual(sorted.map(String), ['1.2.0-a', '1.2.0', '1.10.0']); assert.equal(sorted.join(' < '), '1.2.0-a < 1.2.0 < 1.10.0'); });
test('invalid version', () => assert.throws(() => Version.parse('1'), /^TypeError: Invalid version: 1$/));
test('ms', () => { assert.equal(ms('2h'), 7200000); assert.equal(ms('1.5 s'), 1500); assert.equal(ms(60000), '1m'); assert.throws(() => ms('x'), { message: 'invalid duration "x"' }); });
test('wrap', () => assert.equal(wrap('the quick brown fox', 9), 'the quick\\nbrown fox'));
for (const [n, text] of [[4, 'IV'], [1994, 'MCMXCIV'], [0, '']]) test('roman ' + n, () => assert.equal(roman(n), text));
test('lexer', () => { const lexer = new Lexer('ab + 12'); assert.deepEqual(lexer.next(), { type: 'id', text: 'ab' }); assert.equal(lexer.pos, 2); assert.deepEqual([...lexer].map((t) => t.text), ['+', '12']); assert.equal(lexer.next().type, 'eof'); });
test('bytes', () => { const b = toBytes('00ff'); assert.deepEqual(b, new Uint8Array([0, 255])); assert.equal(b.buffer.byteLength, 2); assert.equal(new DataView(b.buffer).getUint16(0), 255); assert.ok(b instanceof Uint8Array); });
test('link', () => { const url = link('../b?x=1', 'http://h/a/c'); assert.ok(url instanceof URL); assert.equal(String(url), 'http://h/b?x=1'); assert.deepEqual([...url.searchParams], [['x', '1']]); });
test('html', () => assert.equal(escapeHtml('<a href="x">'), '&lt;a href=&quot;x&quot;&gt;'));
`,
  },
  {
    id: 'time-and-tries',
    artifact: `
export function createTtlCache({ ttl, now = Date.now }) { const map = new Map(); return { set(key, value) { map.set(key, { value, at: now() }); return this; }, get(key) { const found = map.get(key); if (!found) return undefined; if (now() - found.at >= ttl) { map.delete(key); return undefined; } return found.value; }, get size() { return map.size; } }; }
export class RateLimiter { constructor({ limit, windowMs, clock = Date.now }) { Object.assign(this, { limit, windowMs, clock }); this.hits = []; } tryAcquire() { const now = this.clock(); this.hits = this.hits.filter((t) => now - t < this.windowMs); if (this.hits.length >= this.limit) return false; this.hits.push(now); return true; } get remaining() { return this.limit - this.hits.length; } }
export function debounce(fn, ms) { let timer; const run = (...args) => { clearTimeout(timer); timer = setTimeout(fn, ms, ...args); }; run.cancel = () => clearTimeout(timer); return run; }
export function throttle(fn, ms) { let last = -Infinity; return (...args) => { const now = Date.now(); if (now - last >= ms) { last = now; return fn(...args); } return undefined; }; }
export async function retry(run, { attempts = 3, delay = 0 } = {}) { let last; for (let i = 0; i < attempts; i++) { try { return await run(i); } catch (error) { last = error; if (delay) await new Promise((r) => setTimeout(r, delay)); } } throw last; }
export const timeout = (promise, ms) => { let timer; return Promise.race([promise, new Promise((_, reject) => { timer = setTimeout(() => reject(Object.assign(new Error('timed out after ' + ms), { code: 'ETIMEDOUT' })), ms); })]).finally(() => clearTimeout(timer)); };
export class CircuitBreaker { #failures = 0; state = 'closed'; constructor(run, { threshold }) { this.run = run; this.threshold = threshold; } async call(...args) { if (this.state === 'open') throw new Error('circuit is open'); try { const out = await this.run(...args); this.#failures = 0; return out; } catch (error) { this.#failures += 1; if (this.#failures >= this.threshold) this.state = 'open'; throw error; } } }
export const createScheduler = () => { const jobs = []; let now = 0; return { after(ms, run) { jobs.push({ at: now + ms, run }); jobs.sort((a, b) => a.at - b.at); return () => jobs.splice(jobs.findIndex((j) => j.run === run), 1); }, advance(ms) { const end = now + ms; while (jobs.length && jobs[0].at <= end) { const job = jobs.shift(); now = job.at; job.run(now); } now = end; }, get now() { return now; }, get pending() { return jobs.length; } }; };
`,
    tests:
      head +
      `
import { CircuitBreaker, createScheduler, createTtlCache, debounce, RateLimiter, retry, throttle, timeout } from 'solution';
test('ttl', () => { let now = 0; const c = createTtlCache({ ttl: 10, now: () => now }); c.set('a', 1).set('b', 2); assert.equal(c.size, 2); now = 10; assert.equal(c.get('a'), undefined); assert.equal(c.size, 1); });
test('rate', () => { let t = 0; const r = new RateLimiter({ limit: 2, windowMs: 100, clock: () => t }); assert.deepEqual([r.tryAcquire(), r.tryAcquire(), r.tryAcquire()], [true, true, false]); assert.equal(r.remaining, 0); t = 100; assert.ok(r.tryAcquire()); });
describe('timers', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
  afterEach(() => mock.timers.reset());
  it('debounces', () => { const fn = mock.fn(); const d = debounce(fn, 100); d(1); d(2); mock.timers.tick(99); assert.equal(fn.mock.callCount(), 0); mock.timers.tick(1); assert.deepEqual(fn.mock.calls.map((c) => c.arguments), [[2]]); });
  it('cancels', () => { const fn = mock.fn(); const d = debounce(fn, 100); d(); d.cancel(); mock.timers.tick(1000); assert.equal(fn.mock.callCount(), 0); });
  it('throttles', () => { const fn = mock.fn(); const run = throttle(fn, 50); run(); run(); mock.timers.tick(50); run(); assert.equal(fn.mock.callCount(), 2); });
});
test('ttl with fake time', (t) => { t.mock.timers.enable({ apis: ['Date'], now: 1000 }); const c = createTtlCache({ ttl: 5 }); c.set('x', 1); t.mock.timers.tick(4); assert.equal(c.get('x'), 1); t.mock.timers.tick(1); assert.equal(c.get('x'), undefined); });
test('retry', async () => { const run = mock.fn(async (i) => { if (i < 2) throw new Error('no ' + i); return 'ok'; }); assert.equal(await retry(run), 'ok'); assert.equal(run.mock.callCount(), 3); });
test('retry gives up with the last error', async () => { const errors = [new Error('a'), new Error('b')]; await assert.rejects(retry((i) => { throw errors[i]; }, { attempts: 2 }), (error) => { assert.strictEqual(error, errors[1]); return true; }); });
test('timeout', async () => { await assert.rejects(timeout(new Promise(() => {}), 5), { code: 'ETIMEDOUT', message: 'timed out after 5' }); assert.equal(await timeout(Promise.resolve(1), 1000), 1); });
test('breaker', async () => { const b = new CircuitBreaker(async () => { throw new Error('down'); }, { threshold: 2 }); await assert.rejects(b.call(), /down/); assert.equal(b.state, 'closed'); await assert.rejects(b.call(), /down/); assert.equal(b.state, 'open'); await assert.rejects(b.call(), /circuit is open/); });
test('scheduler', () => { const s = createScheduler(); const seen = []; s.after(10, (at) => seen.push(['a', at])); const stop = s.after(5, () => seen.push('never')); stop(); s.after(20, (at) => seen.push(['b', at])); s.advance(15); assert.deepEqual(seen, [['a', 10]]); assert.equal(s.now, 15); assert.equal(s.pending, 1); });
`,
  },
  {
    id: 'values-and-results',
    artifact: `
export class Vector { constructor(x, y) { this.x = x; this.y = y; } add(o) { return new Vector(this.x + o.x, this.y + o.y); } scale(k) { return new Vector(this.x * k, this.y * k); } get length() { return Math.hypot(this.x, this.y); } equals(o) { return this.x === o.x && this.y === o.y; } static get zero() { return new Vector(0, 0); } }
export class Ok { constructor(value) { this.value = value; } get isOk() { return true; } map(run) { return new Ok(run(this.value)); } unwrapOr() { return this.value; } }
export class Err { constructor(error) { this.error = error; } get isOk() { return false; } map() { return this; } unwrapOr(other) { return other; } }
export const tryParse = (text) => { try { return new Ok(JSON.parse(text)); } catch (error) { return new Err(error); } };
export const some = (value) => ({ isSome: true, map: (run) => some(run(value)), getOrElse: () => value, toString: () => 'Some(' + value + ')' });
export const none = { isSome: false, map: () => none, getOrElse: (other) => other, toString: () => 'None' };
export const option = (value) => (value == null ? none : some(value));
export class Temperature { #k; constructor(k) { if (k < 0) throw new RangeError('below absolute zero'); this.#k = k; } static fromCelsius(c) { return new Temperature(c + 273.15); } get celsius() { return Math.round((this.#k - 273.15) * 100) / 100; } valueOf() { return this.#k; } toString() { return this.celsius + '°C'; } }
export class Account { #balance = 0; #log = []; constructor(owner) { this.owner = owner; } deposit(n) { if (n <= 0) throw new RangeError('amount must be positive'); this.#balance += n; this.#log.push({ type: 'deposit', n }); return this; } withdraw(n) { if (n > this.#balance) throw new InsufficientFunds(this.#balance, n); this.#balance -= n; this.#log.push({ type: 'withdraw', n }); return this; } get balance() { return this.#balance; } get history() { return [...this.#log]; } toJSON() { return { owner: this.owner, balance: this.#balance }; } }
export class InsufficientFunds extends Error { constructor(balance, asked) { super('asked for ' + asked + ' of ' + balance); this.name = 'InsufficientFunds'; this.shortBy = asked - balance; } }
export const openAccount = (owner, amount = 0) => { const a = new Account(owner); if (amount) a.deposit(amount); return a; };
export class Cart { items = []; add(name, price, qty = 1) { const found = this.items.find((i) => i.name === name); if (found) found.qty += qty; else this.items.push({ name, price, qty }); return this; } get total() { return this.items.reduce((s, i) => s + i.price * i.qty, 0); } apply(discount) { this.discount = discount; return this; } clone() { const c = new Cart(); c.items = structuredClone(this.items); return c; } }
export const groupBy = (list, key) => list.reduce((out, x) => { (out[key(x)] ??= []).push(x); return out; }, {});
export const partition = (list, test) => [list.filter(test), list.filter((x) => !test(x))];
export const deepFreeze = (o) => { Object.values(o).forEach((v) => typeof v === 'object' && v !== null && deepFreeze(v)); return Object.freeze(o); };
export const clone = (o) => structuredClone(o);
`,
    tests:
      head +
      `
import { Account, Cart, clone, deepFreeze, Err, groupBy, InsufficientFunds, Ok, openAccount, option, partition, Temperature, tryParse, Vector } from 'solution';
describe('Vector', () => {
  it('adds', () => assert.deepEqual(new Vector(1, 2).add(new Vector(3, 4)), new Vector(4, 6)));
  it('scales', () => { const v = new Vector(1, 2).scale(3); assert.equal(v.x, 3); assert.equal(v.y, 6); });
  it('has a length', () => assert.equal(new Vector(3, 4).length, 5));
  it('equals', () => { assert.ok(new Vector(1, 1).equals(new Vector(1, 1))); assert.ok(Vector.zero.equals(new Vector(0, 0))); });
});
describe('results', () => {
  it('is ok', () => { const r = tryParse('{"a":1}'); assert.ok(r instanceof Ok); assert.equal(r.isOk, true); assert.deepEqual(r.value, { a: 1 }); assert.equal(r.map((v) => v.a + 1).unwrapOr(0), 2); });
  it('is an error', () => { const r = tryParse('{'); assert.ok(r instanceof Err); assert.ok(r.error instanceof SyntaxError); assert.equal(r.map(() => 1).unwrapOr('x'), 'x'); });
  it('option', () => { assert.equal(option(5).map((x) => x + 1).getOrElse(0), 6); assert.equal(option(null).getOrElse('none'), 'none'); assert.equal(String(option(1)), 'Some(1)'); assert.equal(option(undefined).isSome, false); });
});
describe('Temperature', () => {
  it('converts', () => { const t = Temperature.fromCelsius(20); assert.equal(t.celsius, 20); assert.equal(String(t), '20°C'); assert.ok(t > Temperature.fromCelsius(10)); });
  it('has a lowest', () => assert.throws(() => new Temperature(-1), RangeError));
});
describe('Account', () => {
  let account;
  beforeEach(() => { account = openAccount('ann', 100); });
  it('withdraws', () => { account.withdraw(30); assert.equal(account.balance, 70); assert.deepEqual(account.history, [{ type: 'deposit', n: 100 }, { type: 'withdraw', n: 30 }]); });
  it('is short', () => { assert.throws(() => account.withdraw(130), (e) => e instanceof InsufficientFunds && e.shortBy === 30); assert.equal(account.balance, 100); });
  it('writes json', () => assert.equal(JSON.stringify(account), '{"owner":"ann","balance":100}'));
});
test('cart', () => { const c = new Cart().add('a', 2, 2).add('a', 2).add('b', 1); assert.equal(c.total, 7); assert.equal(c.items.length, 2); const d = c.clone(); d.add('z', 1); assert.equal(c.items.length, 2); assert.equal(d.items.length, 3); });
test('groups', () => assert.deepEqual(groupBy([1, 2, 3], (x) => (x % 2 ? 'odd' : 'even')), { odd: [1, 3], even: [2] }));
test('parts', () => { const [small, big] = partition([1, 5, 2], (x) => x < 3); assert.deepEqual(small, [1, 2]); assert.deepEqual(big, [5]); });
test('freezes', () => { const o = deepFreeze({ a: { b: [1] } }); assert.ok(Object.isFrozen(o)); assert.ok(Object.isFrozen(o.a.b)); assert.throws(() => { o.a.b.push(2); }, TypeError); });
test('freezes in place', () => { const own = { list: [] }; assert.strictEqual(deepFreeze(own), own); assert.ok(Object.isFrozen(own.list)); });
test('clones', () => { const o = { d: new Date(0), m: new Map([['k', [1]]]) }; const c = clone(o); assert.deepEqual(c, o); assert.notStrictEqual(c.m, o.m); });
`,
  },
  {
    id: 'texts-and-predicates-of-own-classes',
    needsReference: true,
    artifact: `
export class Account { #balance = 0; constructor(owner) { this.owner = owner; } deposit(n) { this.#balance += n; return this; } toJSON() { return { owner: this.owner, balance: this.#balance }; } }
export const open = (owner, n) => new Account(owner).deposit(n);
export class Grid { constructor(cells) { this.cells = cells; } map(run) { return new Grid(this.cells.map(run)); } every(run) { return this.cells.every(run); } }
`,
    tests:
      head +
      `
import { Account, Grid, open } from 'solution';
test('writes json in lists', () => assert.equal(JSON.stringify([open('ann', 5), new Account('bo')]), '[{"owner":"ann","balance":5},{"owner":"bo","balance":0}]'));
test('maps', () => assert.ok(new Grid([0, 0]).map(() => 1).every((x) => x === 1)));
`,
  },
];
