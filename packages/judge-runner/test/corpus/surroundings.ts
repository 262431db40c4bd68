import type { WrongParts } from '../wrong-parts.ts';

const javascript: readonly WrongParts[] = [
  {
    ...{ id: 'environment, arguments and exit codes of Node', language: 'javascript' },
    artifact: `
export const load = (text) => { for (const line of text.split('\\n')) { const [, key, value] = /^([^=]*)=(.*)$/.exec(line); process.env[key] ??= value; } };
export const get = (key) => process.env[key];
export const unset = (key) => { delete process.env[key]; };
export const isProduction = () => process.env.NODE_ENV === 'production';
export const options = () => Object.fromEntries(process.argv.slice(2).map((each) => each.replace(/^--/, '').split('=')));
export const fail = (code) => { process.exitCode = code; };
export const quit = () => { process.exit(2); };
export const harmless = () => 1;
export const isWindows = () => process.platform === 'win32';
`,
    tests: `
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { fail, get, harmless, isProduction, isWindows, load, options, quit, unset } from 'solution';
const saved = { ...process.env };
beforeEach(() => { process.env.APP_COLOR = 'red'; });
afterEach(() => { process.env = { ...saved }; mock.restoreAll(); });
test('loads', () => { load('APP_A=a?b=1\\nAPP_COLOR=blue'); assert.equal(process.env.APP_A, 'a?b=1'); assert.equal(process.env.APP_COLOR, 'red'); });
test('reads', () => { process.env.APP_B = 'x'; assert.equal(get('APP_B'), 'x'); delete process.env.APP_B; assert.equal(get('APP_B'), undefined); assert.equal(get('APP_COLOR'), 'red'); });
test('unsets', () => { unset('APP_COLOR'); assert.ok(!('APP_COLOR' in process.env)); });
test('mode', () => { assert.equal(isProduction(), false); process.env.NODE_ENV = 'production'; assert.equal(isProduction(), true); });
test('arguments', () => { const { argv } = process; process.argv = ['node', 'cli.js', '--port=80', '--host=a']; try { assert.deepEqual(options(), { port: '80', host: 'a' }); } finally { process.argv = argv; } });
test('exit code', () => { fail(3); assert.equal(process.exitCode, 3); process.exitCode = undefined; });
test('exit', () => { const exit = mock.method(process, 'exit', () => {}); quit(); assert.equal(exit.mock.callCount(), 1); assert.deepEqual(exit.mock.calls[0].arguments, [2]); });
test('leaves all alone', () => { const before = { ...process.env }; harmless(); assert.deepEqual({ ...process.env }, before); });
test('platform', () => { const found = Object.getOwnPropertyDescriptor(process, 'platform'); Object.defineProperty(process, 'platform', { ...found, value: 'win32' }); try { assert.equal(isWindows(), true); } finally { Object.defineProperty(process, 'platform', found); } assert.equal(isWindows(), false); });
`,
    wrong: [
      ['process.env[key] ??= value', 'process.env[key] = value', 'loads'],
      ['(key) => process.env[key]', '() => undefined', 'reads'],
      ['delete process.env[key]', "process.env[key] = ''", 'unsets'],
      ["=== 'production'", "!== 'test'", 'mode'],
      ['process.exitCode = code', 'return code', 'exit code'],
      ['process.exit(2)', 'process.exit(1)', 'exit'],
      ['harmless = () => 1', "harmless = () => { process.env.LEFT = '1'; return 1; }", 'leaves all alone'],
      ["=== 'win32'", "!== 'win32'", 'platform'],
    ],
  },
  {
    ...{ id: 'warnings of the process and files in the current folder', language: 'javascript' },
    artifact: `
import { EventEmitter } from 'node:events';
import fs from 'node:fs';
let warned = false;
export const add = (a, b) => a + b;
export const old = () => { if (!warned) process.emitWarning('old is gone', { type: 'DeprecationWarning', code: 'A1' }); warned = true; return 1; };
export const listen = () => { new EventEmitter().on('x', () => {}); };
export const save = (list) => { fs.writeFileSync('out.tmp', list.join()); const text = fs.readFileSync('out.tmp', 'utf8'); fs.rmSync('out.tmp'); return text; };
`,
    tests: `
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { add, listen, old, save } from 'solution';
const warnings = async (run) => {
  const seen = [];
  const note = ({ name, message, code }) => seen.push([name, message.split('.')[0], code]);
  process.on('warning', note);
  await run();
  await sleep(10);
  process.off('warning', note);
  return seen;
};
test('warns of nothing', async () => { assert.deepEqual(await warnings(() => { assert.equal(add(1, 2), 3); }), []); });
test('warns once', async () => { assert.deepEqual(await warnings(() => { old(); old(); }), [['DeprecationWarning', 'old is gone', 'A1']]); });
test('leaks no listeners', async () => { assert.deepEqual(await warnings(() => { for (let i = 0; i < 12; i += 1) listen(); }), []); });
test('leaves no files', () => { const before = fs.readdirSync('.'); assert.equal(save([1, 2]), '1,2'); assert.deepEqual(fs.readdirSync('.'), before); });
`,
    wrong: [
      ['(a, b) => a + b', "(a, b) => { process.emitWarning('adding'); return a + b; }", 'warns of nothing'],
      ['; warned = true;', ';', 'warns once'],
      ['new EventEmitter().on(', '(globalThis.shared ??= new EventEmitter()).on(', 'leaks no listeners'],
      [" fs.rmSync('out.tmp');", '', 'leaves no files'],
    ],
  },
  {
    ...{ id: 'state of the process that tests read', language: 'javascript' },
    artifact: `
import { EventEmitter } from 'node:events';
export const quiet = (f) => f();
export const listening = (f) => f();
export const traced = (f) => f();
export const last = (list) => list.at(-1);
export const size = (list) => list.length;
export const merge = (target, source) => { for (const key of Object.keys(source)) if (key !== '__proto__') { if (typeof source[key] === 'object') merge(target[key] ??= {}, source[key]); else target[key] = source[key]; } return target; };
export const titled = (title, f) => { const before = process.title; process.title = title; try { return f(); } finally { process.title = before; } };
`,
    tests: `
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { last, listening, merge, quiet, size, titled, traced } from 'solution';
test('title', () => { const { title } = process; quiet(() => 1); assert.ok(process.title === title); });
test('listeners', () => { const n = EventEmitter.defaultMaxListeners; listening(() => 1); assert.strictEqual(n, EventEmitter.defaultMaxListeners); });
test('trace', () => { traced(() => 1); assert.equal(Error.stackTraceLimit, 10); });
test('no method of lists', () => { assert.equal(last([1, 2]), 2); assert.equal([].latest, undefined); });
test('no names of lists', () => { const names = Object.getOwnPropertyNames(Array.prototype).length; assert.equal(size([1]), 1); assert.equal(Object.getOwnPropertyNames(Array.prototype).length, names); });
test('pollutes nothing', () => { assert.deepEqual(merge({ a: 1 }, JSON.parse('{"b": {"c": 2}, "__proto__": {"polluted": 1}}')), { a: 1, b: { c: 2 } }); assert.equal({}.polluted, undefined); });
test('title again', () => { const before = process.title; assert.equal(titled('y', () => 5), 5); assert.ok(process.title === before); });
test('own limit', () => { const limit = Math.trunc; Math.trunc = () => 7; try { assert.equal(quiet(() => Math.trunc(1.5)), 7); } finally { Math.trunc = limit; } });
`,
    wrong: [
      ['quiet = (f) => f()', "quiet = (f) => { process.title = 'x'; return f(); }", 'title'],
      [
        'listening = (f) => f()',
        'listening = (f) => { EventEmitter.defaultMaxListeners = 99; return f(); }',
        'listeners',
      ],
      ['traced = (f) => f()', 'traced = (f) => { Error.stackTraceLimit = 99; return f(); }', 'trace'],
      [
        '=> list.at(-1)',
        '=> { Array.prototype.latest = function latest() { return this.at(-1); }; return list.latest(); }',
        'no method of lists',
      ],
      [
        '=> list.length',
        '=> { Array.prototype.first ??= function first() { return this[0]; }; return list.length; }',
        'no names of lists',
      ],
      ["if (key !== '__proto__') ", '', 'pollutes nothing'],
      ['finally { process.title = before; }', 'finally {}', 'title again'],
    ],
  },
  {
    ...{ id: 'temporary files of Node', language: 'javascript' },
    artifact: `
import fs from 'node:fs';
import path from 'node:path';
export const save = (file, value) => { fs.mkdirSync(path.dirname(file), { recursive: true }); fs.writeFileSync(file, JSON.stringify(value)); };
export const load = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
export const saveLater = async (file, text) => { await fs.promises.writeFile(file, text); };
export const replace = (file, text) => { const next = file + '.tmp'; fs.writeFileSync(next, text); if (text === '') { fs.rmSync(next); throw new RangeError('empty'); } fs.renameSync(next, file); };
export const clean = (folder) => { for (const name of fs.readdirSync(folder)) if (name.endsWith('.tmp')) fs.rmSync(path.join(folder, name), { recursive: true }); };
export const lines = async function* (file) { for (const line of (await fs.promises.readFile(file, 'utf8')).split('\\n')) yield line; };
export const each = (folder, call) => { for (const name of fs.readdirSync(folder).sort()) { call(name); fs.rmSync(path.join(folder, name)); } };
export const bytes = (file) => fs.readFileSync(file);
`,
    tests: `
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { bytes, clean, each, lines, load, replace, save, saveLater } from 'solution';
describe('files', () => {
  let folder;
  beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'files-')); });
  afterEach(() => { rmSync(folder, { recursive: true, force: true }); });
  it('saves', () => { const file = join(folder, 'a/b/c.json'); save(file, { a: [1] }); assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { a: [1] }); });
  it('loads', () => { writeFileSync(join(folder, 'a.json'), '{"b":2}'); assert.deepEqual(load(join(folder, 'a.json')), { b: 2 }); assert.throws(() => load(join(folder, 'none.json')), { code: 'ENOENT' }); });
  it('saves later', async () => { await saveLater(join(folder, 'a'), 'hi'); assert.equal(await readFile(join(folder, 'a'), 'utf8'), 'hi'); });
  it('replaces', () => { const file = join(folder, 'a'); writeFileSync(file, 'old'); replace(file, 'new'); assert.equal(readFileSync(file, 'utf8'), 'new'); assert.deepEqual(readdirSync(folder), ['a']); });
  it('leaves nothing behind', () => { const file = join(folder, 'a'); writeFileSync(file, 'old'); assert.throws(() => replace(file, ''), RangeError); assert.deepEqual(readdirSync(folder), ['a']); assert.equal(readFileSync(file, 'utf8'), 'old'); });
  it('cleans', () => { mkdirSync(join(folder, 'x.tmp')); writeFileSync(join(folder, 'x.tmp/in'), ''); writeFileSync(join(folder, 'y.txt'), ''); clean(folder); assert.deepEqual(readdirSync(folder), ['y.txt']); });
  it('reads lines', async () => { writeFileSync(join(folder, 'a'), 'x\\ny'); const found = []; for await (const line of lines(join(folder, 'a'))) found.push(line); assert.deepEqual(found, ['x', 'y']); });
  it('is seen by functions of the test', () => { for (const name of ['b', 'a']) writeFileSync(join(folder, name), ''); const found = []; each(folder, (name) => { found.push(name, readdirSync(folder).length); }); assert.deepEqual(found, ['a', 2, 'b', 1]); assert.ok(!existsSync(join(folder, 'a'))); });
  it('keeps bytes', () => { const all = Uint8Array.from({ length: 256 }, (_, index) => index); writeFileSync(join(folder, 'a'), all); assert.deepEqual(new Uint8Array(bytes(join(folder, 'a'))), all); });
});
`,
    wrong: [
      ['JSON.stringify(value)', "''", 'saves'],
      ["JSON.parse(fs.readFileSync(file, 'utf8'))", '({ b: 2 })', 'loads'],
      ['fs.promises.writeFile(file, text)', 'null', 'saves later'],
      ['fs.renameSync(next, file)', 'fs.copyFileSync(next, file)', 'replaces'],
      [
        "{ fs.rmSync(next); throw new RangeError('empty'); }",
        "throw new RangeError('empty');",
        'leaves nothing behind',
      ],
      ["if (name.endsWith('.tmp'))", "if (name.endsWith('.txt'))", 'cleans'],
      [
        'call(name); fs.rmSync(path.join(folder, name));',
        'fs.rmSync(path.join(folder, name)); call(name);',
        'is seen by functions of the test',
      ],
      ['fs.readFileSync(file);', "Buffer.from(fs.readFileSync(file, 'utf8'));", 'keeps bytes'],
    ],
  },
  {
    ...{ id: 'what tests put in the place of functions of Node', language: 'javascript' },
    artifact: `
import fs from 'node:fs';
export const say = (...all) => { console.log(...all); };
export const warn = (text) => { console.warn('[warn] ' + text); };
export const print = (text) => { process.stdout.write(text + '\\n'); };
export const roll = () => Math.floor(Math.random() * 6) + 1;
export const now = () => Date.now();
export const id = () => crypto.randomUUID();
export const download = async (url) => { const found = await fetch(url, { method: 'GET' }); if (!found.ok) throw new Error('status ' + found.status); return found.json(); };
export const stored = (key) => JSON.parse(localStorage.getItem(key) ?? 'null');
export const store = (key, value) => localStorage.setItem(key, JSON.stringify(value));
export const read = (file) => fs.readFileSync(file, 'utf8').trim();
export const later = (call) => { setTimeout(call, 1000); };
export const width = () => process.stdout.columns ?? 80;
export const capture = (call) => { const { log } = console; const lines = []; console.log = (...all) => { lines.push(all.join(' ')); }; try { call(); } finally { console.log = log; } return lines; };
export const install = () => { globalThis.answer = 42; };
`,
    tests: `
import assert from 'node:assert/strict';
import fs from 'node:fs';
import test, { afterEach, mock } from 'node:test';
import { capture, download, id, install, later, now, print, read, roll, say, store, stored, warn, width } from 'solution';
afterEach(() => { mock.restoreAll(); });
test('say', (t) => { const log = t.mock.method(console, 'log', () => {}); say('a', { b: 1 }); assert.equal(log.mock.callCount(), 1); assert.deepEqual(log.mock.calls[0].arguments, ['a', { b: 1 }]); });
test('warn', () => { const { warn: old } = console; const seen = []; console.warn = (text) => { seen.push(text); }; try { warn('x'); } finally { console.warn = old; } assert.deepEqual(seen, ['[warn] x']); });
test('print', () => { const { write } = process.stdout; let text = ''; process.stdout.write = (part) => { text += part; return true; }; try { print('a'); say('b'); } finally { process.stdout.write = write; } assert.equal(text, 'a\\nb\\n'); });
test('roll', (t) => { t.mock.method(Math, 'random', () => 0.5); assert.equal(roll(), 4); });
test('now', (t) => { t.mock.method(Date, 'now', () => 1000); assert.equal(now(), 1000); });
test('id', (t) => { t.mock.method(crypto, 'randomUUID', () => 'abc'); assert.equal(id(), 'abc'); });
test('download', async (t) => { const got = t.mock.method(globalThis, 'fetch', async (url) => ({ ok: url.endsWith('a'), status: 404, json: async () => ({ url }) })); assert.deepEqual(await download('http://x/a'), { url: 'http://x/a' }); await assert.rejects(download('http://x/b'), { message: 'status 404' }); assert.deepEqual(got.mock.calls[0].arguments, ['http://x/a', { method: 'GET' }]); });
test('a real response', async () => { const old = globalThis.fetch; globalThis.fetch = async () => new Response('{"a":1}', { status: 200 }); try { assert.deepEqual(await download('http://x/'), { a: 1 }); } finally { globalThis.fetch = old; } });
test('storage', () => { const held = new Map(); globalThis.localStorage = { getItem: (key) => held.get(key) ?? null, setItem: (key, value) => void held.set(key, value) }; store('a', { b: 1 }); assert.equal(held.get('a'), '{"b":1}'); assert.deepEqual(stored('a'), { b: 1 }); assert.equal(stored('c'), null); delete globalThis.localStorage; });
test('reads', (t) => { const reader = t.mock.method(fs, 'readFileSync', () => ' text '); assert.equal(read('/a/b'), 'text'); assert.deepEqual(reader.mock.calls[0].arguments, ['/a/b', 'utf8']); });
test('later', (t) => { const set = t.mock.method(globalThis, 'setTimeout', (call) => { call(); return 1; }); let count = 0; later(() => { count += 1; }); assert.equal(count, 1); assert.equal(set.mock.calls[0].arguments[1], 1000); });
test('later by the clock of a test', (t) => { t.mock.timers.enable({ apis: ['setTimeout'] }); let count = 0; later(() => { count += 1; }); t.mock.timers.tick(999); assert.equal(count, 0); t.mock.timers.tick(1); assert.equal(count, 1); });
test('width', () => { const old = process.stdout.columns; process.stdout.columns = 40; try { assert.equal(width(), 40); } finally { process.stdout.columns = old; } });
test('capture', () => { assert.deepEqual(capture(() => { console.log('a', 1); }), ['a 1']); });
test('install', () => { install(); assert.equal(globalThis.answer, 42); });
`,
    wrong: [
      ['console.log(...all)', 'console.log(all[0])', 'say'],
      ["'[warn] ' + text", 'text', 'warn'],
      ["write(text + '\\n')", 'write(text)', 'print'],
      ['* 6) + 1', '* 6)', 'roll'],
      ['() => Date.now()', '() => new Date().getTime()', 'now'],
      ['crypto.randomUUID()', "'abd'", 'id'],
      ['if (!found.ok)', 'if (found.ok === null)', 'download'],
      ['found.json()', 'found.text()', 'a real response'],
      ['setItem(key, JSON.stringify(value))', 'setItem(key, value)', 'storage'],
      [".readFileSync(file, 'utf8').trim()", ".readFileSync(file, 'utf8')", 'reads'],
      ['setTimeout(call, 1000)', 'setTimeout(call, 1001)', 'later by the clock of a test'],
      ['process.stdout.columns ?? 80', '80', 'width'],
      ['lines.push(all.join', 'lines.unshift(all[0] && all.slice(1).join', 'capture'],
      ['globalThis.answer = 42', 'globalThis.answer = 41', 'install'],
    ],
  },
  {
    ...{ id: 'signals of Node', language: 'javascript' },
    artifact: `
import { setTimeout as sleep } from 'node:timers/promises';
export const wait = async (ms, signal) => { signal?.throwIfAborted(); await sleep(ms, undefined, { signal }); return 'done'; };
export const get = async (url, { signal, timeout = 50 } = {}) => {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new Error('too late')), timeout);
  try { return await fetch(url, { signal: AbortSignal.any([limit.signal, signal].filter(Boolean)) }); } finally { clearTimeout(timer); }
};
export const same = (signal) => signal;
`,
    tests: `
import assert from 'node:assert/strict';
import test from 'node:test';
import { get, same, wait } from 'solution';
const hang = (_url, { signal }) => new Promise((_resolve, reject) => { signal.addEventListener('abort', () => reject(signal.reason)); });
test('aborts', async () => { assert.equal(await wait(1), 'done'); const own = new AbortController(); const waiting = wait(5000, own.signal); own.abort(); await assert.rejects(waiting, { name: 'AbortError' }); });
test('does not begin', async () => { await assert.rejects(wait(1, AbortSignal.abort(new Error('stop'))), { message: 'stop' }); });
test('passes it on', async (t) => { t.mock.method(globalThis, 'fetch', hang); const own = new AbortController(); const waiting = get('http://x/', { signal: own.signal, timeout: 5000 }); own.abort(new Error('mine')); await assert.rejects(waiting, { message: 'mine' }); });
test('has a limit', async (t) => { t.mock.method(globalThis, 'fetch', hang); await assert.rejects(get('http://x/'), { message: 'too late' }); });
test('is the same', () => { const { signal } = new AbortController(); assert.equal(same(signal), signal); });
`,
    wrong: [
      ['undefined, { signal })', 'undefined)', 'aborts'],
      ['signal?.throwIfAborted(); ', 'if (signal?.aborted) return 1; ', 'does not begin'],
      ['[limit.signal, signal]', '[limit.signal]', 'passes it on'],
      ["new Error('too late')", "new Error('late')", 'has a limit'],
      ['same = (signal) => signal', 'same = () => new AbortController().signal', 'is the same'],
    ],
  },
  {
    ...{ id: 'methods of classes that a test mocks', language: 'javascript' },
    artifact: `
export class Service {
  constructor(db) { this.db = db; }
  run() { return this.step(); }
  step() { return 1; }
}
export class Sub extends Service { other() { return this.step() + 1; } }
export class Other {
  constructor(n) { this.n = n; this.twice = n * 2; }
  run() { return this.step(); }
  step() { return this.twice; }
}
class Hidden { go(x) { return this.log('v' + x); } log(t) { return t; } }
export const create = () => new Hidden();
export class Private { #m = 3; get(k) { return this.peek() + k; } peek() { return this.#m; } }
`,
    tests: `
import assert from 'node:assert/strict';
import test, { mock } from 'node:test';
import { Other, Service, Sub, create, Private } from 'solution';
test('object', (t) => { const s = new Service({}); const spy = t.mock.method(s, 'step', () => 2); assert.equal(s.run(), 2); assert.equal(spy.mock.callCount(), 1); });
test('object, original', (t) => { const s = new Service({}); const spy = t.mock.method(s, 'step'); assert.equal(s.run(), 1); assert.equal(spy.mock.callCount(), 1); assert.equal(spy.mock.calls[0].this, s); });
test('computed', (t) => { const s = new Other(4); const spy = t.mock.method(s, 'step'); assert.equal(s.run(), 8); assert.equal(s.step.mock.callCount(), 1); spy.mock.restore(); assert.equal(s.run(), 8); assert.equal(spy.mock.callCount(), 1); });
test('prototype', (t) => { const spy = t.mock.method(Service.prototype, 'step'); assert.equal(new Service({}).run(), 1); assert.equal(spy.mock.callCount(), 1); });
test('prototype with another', (t) => { t.mock.method(Service.prototype, 'step', () => 5); assert.equal(new Service({}).run(), 5); assert.equal(new Sub({}).other(), 6); });
test('restored', () => { assert.equal(new Service({}).run(), 1); assert.equal(typeof Service.prototype.step, 'function'); });
test('inherited', (t) => { const spy = t.mock.method(Sub.prototype, 'step', () => 7); assert.equal(new Sub({}).other(), 8); assert.equal(new Service({}).run(), 1); spy.mock.restore(); assert.equal(new Sub({}).other(), 2); });
test('by hand', () => { const before = Service.prototype.step; Service.prototype.step = function () { return 9; }; try { assert.equal(new Service({}).run(), 9); } finally { Service.prototype.step = before; } assert.equal(new Service({}).run(), 1); });
test('factory', (t) => { const h = create(); const spy = t.mock.method(h, 'log', (x) => x + '!'); assert.equal(h.go(1), 'v1!'); assert.deepEqual(spy.mock.calls[0].arguments, ['v1']); });
test('private', (t) => { const p = new Private(); const spy = t.mock.method(p, 'peek'); assert.equal(p.get(1), 4); assert.equal(spy.mock.callCount(), 1); });
test('own mock', () => { const spy = mock.method(Private.prototype, 'peek', () => 10); assert.equal(new Private().get(1), 11); mock.restoreAll(); assert.equal(new Private().get(1), 4); assert.equal(spy.mock.callCount(), 1); });
`,
    wrong: [
      [
        'run() { return this.step(); }\n  step() { return 1; }',
        'run() { return 2; }\n  step() { return 1; }',
        'object',
      ],
      ['step() { return this.twice; }', 'step() { return this.n; }', 'computed'],
      ['other() { return this.step() + 1; }', 'other() { return super.step() + 1; }', 'inherited'],
      ["this.log('v' + x)", "'v' + x + '!'", 'factory'],
      ['return this.peek() + k', 'return this.#m + k', 'private'],
    ],
  },
  {
    ...{ id: 'headers and forms', language: 'javascript' },
    artifact: `
export async function post(url, fields, token) {
  const headers = new Headers({ 'content-type': 'application/json' });
  if (token) headers.set('authorization', \`Bearer \${token}\`);
  const body = new FormData();
  for (const [k, v] of Object.entries(fields)) body.append(k, v);
  const response = await fetch(url, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(\`HTTP \${response.status}\`);
  return response.json();
}
export const withTag = (headers) => { headers.append('x-tag', 'a'); return headers; };
export const make = () => new Headers([['a', '1'], ['b', '2']]);
`,
    tests: `
import test from 'node:test'; import assert from 'node:assert/strict'; import { post, withTag, make } from 'solution';
test('posts', async (t) => {
  const fake = t.mock.method(globalThis, 'fetch', async () => new Response(JSON.stringify({ id: 7 }), { status: 200, headers: { 'content-type': 'application/json' } }));
  assert.deepEqual(await post('http://x/', { a: '1', b: 'zwei' }, 't0'), { id: 7 });
  const [url, init] = fake.mock.calls[0].arguments;
  assert.equal(url, 'http://x/');
  assert.ok(init.headers instanceof Headers);
  assert.equal(init.headers.get('authorization'), 'Bearer t0');
  assert.ok(init.body instanceof FormData);
  assert.equal(init.body.get('b'), 'zwei');
});
test('fails', async (t) => { t.mock.method(globalThis, 'fetch', async () => new Response('', { status: 500 })); await assert.rejects(post('http://x/', {}), /HTTP 500/); });
test('same', () => { const h = new Headers(); assert.equal(withTag(h), h); assert.equal(h.get('x-tag'), 'a'); });
test('made', () => { assert.deepEqual([...make()], [['a', '1'], ['b', '2']]); });
`,
    wrong: [
      ["headers.set('authorization',", "headers.set('cookie',", 'posts'],
      ["headers.append('x-tag', 'a')", "headers.append('x-tag', 'b')", 'same'],
      ["['b', '2']", "['b', '3']", 'made'],
    ],
  },
];

const python: readonly WrongParts[] = [
  {
    ...{ id: 'environment, folder and random numbers of Python', language: 'python' },
    artifact: `
import contextlib, os, random
def load(text):
    for line in text.splitlines():
        key, _, value = line.partition('=')
        os.environ.setdefault(key, value)
def get(key): return os.environ.get(key)
@contextlib.contextmanager
def inside(path):
    old = os.getcwd()
    os.chdir(path)
    try:
        yield
    finally:
        os.chdir(old)
def enter(path):
    with inside(path):
        raise ValueError('inside')
def seed_everything(seed): random.seed(seed)
def draw(): return random.random()
def shuffled(items):
    found = list(items)
    random.Random(7).shuffle(found)
    return found
def harmless(): return 1
@contextlib.contextmanager
def setting(key, value):
    old = os.environ.get(key)
    os.environ[key] = value
    try:
        yield
    finally:
        if old is None: os.environ.pop(key)
        else: os.environ[key] = old
`,
    tests: `
import os, random
import pytest
import solution
@pytest.fixture(autouse=True)
def clean(monkeypatch):
    monkeypatch.setenv('APP_COLOR', 'red')
    monkeypatch.delenv('APP_A', raising=False)
def test_load():
    solution.load('APP_A=a?b=1\\nAPP_COLOR=blue')
    assert os.environ['APP_A'] == 'a?b=1'
    assert os.environ['APP_COLOR'] == 'red'
def test_get(monkeypatch):
    monkeypatch.setenv('APP_B', 'x')
    assert solution.get('APP_B') == 'x'
    assert solution.get('APP_A') is None
def test_inside(tmp_path, monkeypatch):
    (tmp_path / 'deep').mkdir()
    monkeypatch.chdir(tmp_path)
    with solution.inside('deep'):
        assert os.getcwd() == str(tmp_path / 'deep')
    assert os.getcwd() == str(tmp_path)
def test_restores(tmp_path, monkeypatch):
    (tmp_path / 'deep').mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError):
        solution.enter('deep')
    assert os.getcwd() == str(tmp_path)
def test_seed():
    solution.seed_everything(3)
    first = random.random()
    solution.seed_everything(3)
    assert random.random() == first
def test_draw():
    random.seed(5)
    first = solution.draw()
    random.seed(5)
    assert random.random() == first
def test_shuffled():
    random.seed(1)
    before = random.getstate()
    assert sorted(solution.shuffled([3, 1, 2])) == [1, 2, 3]
    assert random.getstate() == before
def test_harmless():
    before = dict(os.environ)
    assert solution.harmless() == 1
    assert dict(os.environ) == before
def test_setting():
    with solution.setting('APP_COLOR', 'green'):
        assert os.environ['APP_COLOR'] == 'green'
    assert os.environ['APP_COLOR'] == 'red'
    with solution.setting('APP_NEW', '1'):
        pass
    assert 'APP_NEW' not in os.environ
`,
    wrong: [
      ['os.environ.setdefault(key, value)', 'os.environ[key] = value', 'test_load'],
      ['return os.environ.get(key)', "return os.environ.get(key) or ''", 'test_get'],
      [
        '    finally:\n        os.chdir(old)\ndef enter',
        '    except ZeroDivisionError: pass\n    else:\n        os.chdir(old)\ndef enter',
        'test_restores',
      ],
      ['def seed_everything(seed): random.seed(seed)', 'def seed_everything(seed): pass', 'test_seed'],
      ['def draw(): return random.random()', 'def draw(): return random.Random().random()', 'test_draw'],
      ['random.Random(7).shuffle(found)', 'random.shuffle(found)', 'test_shuffled'],
      [
        'def harmless(): return 1',
        "def harmless():\n    os.environ['LEFT'] = '1'\n    return 1",
        'test_harmless',
      ],
      ['if old is None: os.environ.pop(key)\n', "if old is None: os.environ[key] = ''\n", 'test_setting'],
    ],
  },
  {
    ...{ id: 'temporary files of Python, where a call fails or calls back', language: 'python' },
    artifact: `
import os
def replace(path, text):
    other = f'{path}.tmp'
    with open(other, 'w') as file: file.write(text)
    if not text:
        os.remove(other)
        raise ValueError('empty')
    os.replace(other, path)
def each(folder, call):
    for name in sorted(os.listdir(folder)):
        call(name)
        os.remove(os.path.join(folder, name))
def filled(path, fill):
    fill(path)
    with open(path) as file: return file.read()
`,
    tests: `
import os
import pytest
import solution
def test_replace(tmp_path):
    path = tmp_path / 'a'
    path.write_text('old')
    solution.replace(path, 'new')
    assert path.read_text() == 'new' and os.listdir(tmp_path) == ['a']
def test_nothing_left(tmp_path):
    path = tmp_path / 'a'
    path.write_text('old')
    with pytest.raises(ValueError):
        solution.replace(path, '')
    assert os.listdir(tmp_path) == ['a']
def test_each(tmp_path):
    for name in 'ba':
        (tmp_path / name).write_text(name)
    seen = []
    solution.each(str(tmp_path), lambda name: seen.append((name, len(os.listdir(tmp_path)))))
    assert seen == [('a', 2), ('b', 1)]
def test_filled(tmp_path):
    def fill(path):
        with open(path, 'w') as file: file.write('full')
    assert solution.filled(str(tmp_path / 'x'), fill) == 'full'
`,
    wrong: [
      ['        os.remove(other)\n', '', 'test_nothing_left'],
      [
        '        call(name)\n        os.remove(os.path.join(folder, name))',
        '        os.remove(os.path.join(folder, name))\n        call(name)',
        'test_each',
      ],
      ['    os.replace(other, path)', '    __import__("shutil").copy(other, path)', 'test_replace'],
    ],
  },
  {
    ...{ id: 'loggers and time zones of Python', language: 'python' },
    artifact: `
import logging, time
def setup(name, level): logging.getLogger(name).setLevel(level)
def work(name):
    log = logging.getLogger(name)
    log.debug('starting')
    log.info('done')
def hour(seconds): return time.strftime('%H', time.localtime(seconds))
`,
    tests: `
import logging, time
import pytest
import solution
def test_setup():
    solution.setup('app', logging.DEBUG)
    assert logging.getLogger('app').level == logging.DEBUG
def test_debug(caplog):
    solution.setup('app.debug', logging.DEBUG)
    solution.work('app.debug')
    assert [record.message for record in caplog.records] == ['starting', 'done']
def test_info(caplog):
    with caplog.at_level(logging.INFO, logger='app.info'):
        solution.work('app.info')
    assert [record.message for record in caplog.records] == ['done']
def test_default(caplog):
    solution.work('other')
    assert caplog.records == []
@pytest.mark.parametrize('zone, hour', [('UTC', '00'), ('CET-1', '01')])
def test_zone(monkeypatch, zone, hour):
    monkeypatch.setenv('TZ', zone)
    time.tzset()
    assert solution.hour(0) == hour
`,
    wrong: [
      ['.setLevel(level)', '.setLevel(logging.INFO)', 'test_setup'],
      ["log.debug('starting')", "log.info('starting')", 'test_info'],
      ["log.info('done')", "log.warning('done')", 'test_default'],
      ['time.localtime(seconds)', 'time.gmtime(seconds)', 'test_zone[CET-1-01]'],
    ],
  },
  {
    ...{ id: 'handlers of loggers and standard streams of Python', language: 'python' },
    artifact: `
import io, logging, sys
def setup(name):
    log = logging.getLogger(name)
    if log.handlers: return log
    h = logging.StreamHandler()
    h.setLevel(logging.DEBUG)
    h.setFormatter(logging.Formatter('%(levelname)s %(message)s'))
    log.addHandler(h)
    return log
def teardown(name, kind=logging.Handler):
    log = logging.getLogger(name)
    for h in list(log.handlers):
        if isinstance(h, kind): log.removeHandler(h)
def captured(run):
    old, sys.stdout = sys.stdout, io.StringIO()
    try:
        print('x')
        run()
        return sys.stdout.getvalue()
    finally:
        sys.stdout = old
def hello(): print('hello')
`,
    tests: `
import io, logging, sys
import pytest
import solution as s

@pytest.fixture(autouse=True)
def clean():
    yield
    logging.getLogger('app').handlers.clear()

def test_one_handler():
    s.setup('app')
    s.setup('app')
    log = logging.getLogger('app')
    assert len(log.handlers) == 1
    assert isinstance(log.handlers[0], logging.StreamHandler)
    assert log.handlers[0].level == logging.DEBUG
    assert log.handlers[0].formatter._fmt == '%(levelname)s %(message)s'
def test_again():
    assert logging.getLogger('app').handlers == []
    s.setup('app')
    assert len(logging.getLogger('app').handlers) == 1
    assert logging.getLogger('app').hasHandlers()
def test_removes():
    s.setup('app')
    s.teardown('app')
    assert not logging.getLogger('app').handlers
def test_stream():
    s.setup('app')
    assert logging.getLogger('app').handlers[0].stream is sys.stderr
def test_restores():
    before = sys.stdout
    assert s.captured(lambda: None) == 'x\\n'
    assert sys.stdout is before
def test_restores_after_error():
    before = sys.stdout
    def fail(): raise ValueError('no')
    with pytest.raises(ValueError): s.captured(fail)
    assert sys.stdout is before
def test_foreign():
    own = logging.NullHandler()
    logging.getLogger('app').addHandler(own)
    s.teardown('app', logging.StreamHandler)
    assert logging.getLogger('app').handlers == [own]
def test_prints(capsys):
    s.hello()
    assert capsys.readouterr().out == 'hello\\n'
`,
    wrong: [
      ['if log.handlers: return log', 'pass', 'test_one_handler'],
      ['log.removeHandler(h)', 'pass', 'test_removes'],
      ['if isinstance(h, kind)', 'if h', 'test_foreign'],
      ['StreamHandler()', 'StreamHandler(sys.stdout)', 'test_stream'],
      ['finally:\n        sys.stdout = old', 'finally:\n        pass', 'test_restores'],
      ['setLevel(logging.DEBUG)', 'setLevel(logging.INFO)', 'test_one_handler'],
      [
        '    finally:\n        sys.stdout = old',
        '    except TypeError:\n        pass\n    else:\n        sys.stdout = old',
        'test_restores_after_error',
      ],
    ],
  },
  {
    ...{ id: 'members of enumerations for other values', language: 'python' },
    artifact: `
import enum
class Color(enum.Enum):
    RED = 'red'
    BLUE = 'blue'
    @classmethod
    def _missing_(cls, value):
        return next((each for each in cls if isinstance(value, str) and each.value == value.lower()), None)
class Plain(enum.IntEnum):
    A = 1
class Flags(enum.Flag):
    X = 1
    Y = 2
def parse(text): return Color(text)
`,
    tests: `
import pytest
from solution import Color, Flags, Plain, parse
def test_missing(): assert Color('RED') is Color.RED
def test_same(): assert Color('Blue') == parse('BLUE') == Color.BLUE
def test_unknown():
    with pytest.raises(ValueError, match="'pink' is not a valid Color"): Color('pink')
def test_none():
    with pytest.raises(ValueError): Plain(2)
    with pytest.raises(ValueError): Plain('x')
def test_flags():
    assert Flags(3) == Flags.X | Flags.Y
def test_key():
    with pytest.raises(KeyError): Color['GREEN']
`,
    wrong: [
      ['value.lower()), None)', 'value.lower()), cls.RED)', 'test_unknown'],
      ['each.value == value.lower()', 'each.value == value', 'test_missing'],
      ['    A = 1', '    A = 1\n    @classmethod\n    def _missing_(cls, value): return cls.A', 'test_none'],
    ],
  },
  {
    ...{ id: 'attributes of log records', language: 'python' },
    artifact: `
import logging
log = logging.getLogger('app')
def pay(user, amount):
    log.info('paid %s', amount, extra={'user': user, 'amount': amount})
    try: 1/0
    except ZeroDivisionError: log.exception('failed', extra={'step': 2})
`,
    tests: `
import logging
from solution import pay
def test_extra(caplog):
    caplog.set_level(logging.INFO)
    pay('ann', 3)
    first, second = caplog.records
    assert (first.user, first.amount, first.funcName, first.getMessage()) == ('ann', 3, 'pay', 'paid 3')
    assert second.step == 2 and second.exc_info[0] is ZeroDivisionError
`,
    wrong: [
      ["extra={'user': user,", "extra={'user': amount,", 'test_extra'],
      ["extra={'step': 2}", "extra={'step': 3}", 'test_extra'],
    ],
  },
  {
    id: 'alarms of a test',
    artifact: `
import time
def work(n): return n
def visit(items, call): return [call(each) for each in items]
`,
    tests: `
import signal, time
import pytest, solution
class TooSlow(Exception): pass
def stop(*_): raise TooSlow('too slow')
@pytest.fixture
def limit():
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 1.5)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)
def test_fast(limit): assert solution.work(3) == 3
def test_interrupts():
    before = signal.signal(signal.SIGALRM, stop)
    def wait(n):
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        time.sleep(60)
    with pytest.raises(TooSlow): solution.visit([1], wait)
    signal.signal(signal.SIGALRM, before)
def test_goes_on(): assert solution.visit([1, 2], lambda n: n + 1) == [2, 3]
`,
    wrong: [
      ['def work(n): return n', 'def work(n):\n    time.sleep(2)\n    return n', 'test_fast'],
      ['return [call(each) for each in items]', 'return [call(each) for each in items[:1]]', 'test_goes_on'],
    ],
  },
  {
    id: 'limits and masks of the process',
    artifact: `
import os, sys
def countdown(n):
    while n: n -= 1
    return n
def make(path):
    open(path, 'w').close()
    os.chmod(path, 0o644)
def make_plainly(path): open(path, 'w').close()
def digits(n): return n + 1
def careful(n):
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(n + 500)
    sys.setrecursionlimit(before)
    return n
`,
    tests: `
import os, sys
import pytest, solution
@pytest.fixture
def shallow():
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(400)
    yield
    sys.setrecursionlimit(before)
@pytest.fixture
def mask():
    before = os.umask(0o77)
    yield
    os.umask(before)
def mode(path): return os.stat(path).st_mode & 0o777
def test_iterative(shallow): assert solution.countdown(900) == 0
def test_explicit(mask, tmp_path):
    solution.make(str(tmp_path / 'a'))
    assert mode(tmp_path / 'a') == 0o644
def test_masked(mask, tmp_path):
    solution.make_plainly(str(tmp_path / 'a'))
    assert mode(tmp_path / 'a') == 0o600
def test_digits():
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(700)
    try: assert solution.digits(1000) == 1001
    finally: sys.set_int_max_str_digits(before)
def test_restores():
    before = sys.getrecursionlimit()
    assert solution.careful(3000) == 3000 and sys.getrecursionlimit() == before
`,
    wrong: [
      ['    while n: n -= 1\n    return n', '    return countdown(n - 1) if n else 0', 'test_iterative'],
      ['    os.chmod(path, 0o644)\n', '', 'test_explicit'],
      [
        "make_plainly(path): open(path, 'w').close()",
        "make_plainly(path): open(path, 'w').close(); os.chmod(path, 0o644)",
        'test_masked',
      ],
      ['return n + 1', 'return len(str(10 ** n))', 'test_digits'],
      ['    sys.setrecursionlimit(before)\n', '', 'test_restores'],
    ],
  },
  {
    id: 'threads that end by an error, contexts, descriptors, the current folder and templates',
    artifact: `
import contextvars, os, sys, threading
def background(n):
    def work():
        try: 1 // n
        except ZeroDivisionError: pass
    thread = threading.Thread(target=work, name='worker')
    thread.start()
    thread.join()
def failing():
    thread = threading.Thread(target=lambda: int('x'), name='failing')
    thread.start()
    thread.join()
def in_thread(f):
    found, context = [], contextvars.copy_context()
    thread = threading.Thread(target=lambda: found.append(context.run(f)))
    thread.start()
    thread.join()
    return found[0]
def in_two(first, second):
    found = []
    def both(): found.extend([first(), second()])
    thread = threading.Thread(target=both)
    thread.start()
    thread.join()
    return found
def quiet(): return 3
def hello():
    print('hello', flush=True)
    os.write(1, b'world\\n')
    sys.__stderr__.write('oops\\n')
    sys.__stderr__.flush()
def export(items):
    with open('export.tmp', 'w') as file: file.write(','.join(map(str, items)))
    with open('export.tmp') as file: text = file.read()
    os.remove('export.tmp')
    return text
def template(kind): return {'greeting': 'Hello {user.name} ({user.age})', 'kind': '{user.__class__.__name__}: {user.name}'}[kind]
`,
    tests: `
import contextvars, os, threading, pytest, solution
from dataclasses import dataclass
user = contextvars.ContextVar('user', default=None)
@dataclass
class User:
    name: str
    age: int
GREETING = 'Hello Ann (30)'
@pytest.mark.filterwarnings('error')
def test_no_thread_fails():
    assert solution.background(0) is None
def test_hook(monkeypatch):
    seen = []
    monkeypatch.setattr(threading, 'excepthook', lambda ended: seen.append((ended.exc_type, str(ended.exc_value)[:7], ended.thread.name)))
    solution.failing()
    assert seen == [(ValueError, 'invalid', 'failing')]
def test_context():
    user.set('Ann')
    assert solution.in_thread(lambda: user.get()) == 'Ann'
def test_no_context():
    user.set('Ann')
    assert solution.in_two(lambda: user.set('Bob') and None, lambda: user.get()) == [None, 'Bob']
    assert user.get() == 'Ann'
def test_quiet(capfd):
    assert solution.quiet() == 3
    assert capfd.readouterr() == ('', '')
def test_prints(capfd):
    os.write(1, b'mine\\n')
    solution.hello()
    assert capfd.readouterr() == ('mine\\nhello\\nworld\\n', 'oops\\n')
def test_leaves_no_files():
    before = sorted(os.listdir())
    assert solution.export([1, 2]) == '1,2'
    assert sorted(os.listdir()) == before
def test_greeting():
    assert solution.template('greeting').format(user=User('Ann', 30)) == GREETING
def test_kind():
    assert solution.template('kind').format(user=User('Ann', 30)) == 'User: Ann'
`,
    wrong: [
      ['        except ZeroDivisionError: pass', '        except KeyError: pass', 'test_no_thread_fails'],
      ["int('x')", "float('x')", 'test_hook'],
      ['context.run(f)', 'f()', 'test_context'],
      ['found.extend([first(), second()])', 'found.append(first())', 'test_no_context'],
      ['quiet(): return 3', "quiet(): os.write(2, b'debug'); return 3", 'test_quiet'],
      ["os.write(1, b'world\\n')", 'None', 'test_prints'],
      ["    os.remove('export.tmp')\n", '', 'test_leaves_no_files'],
      ['Hello {user.name} ({user.age})', '{user.__init__.__globals__[GREETING]}', 'test_greeting'],
      ['{user.__class__.__name__}: ', '{user.__module__}: ', 'test_kind'],
    ],
  },
  {
    id: 'attributes that a program puts on functions of its test',
    artifact: `
class Marker:
    def __call__(self, function):
        function.marked = True
        return function
class Manager:
    def run(self, f): f()
    def all(self, part): return [getattr(part, n)() for n in dir(part) if getattr(getattr(part, n), 'marked', None)]
    def tag(self, *names, **options):
        def decorate(f):
            f.tag, f.options = names, options
            return f
        return decorate
    def untag(self, f): del f.tag
    def describe(self, f): return f.__doc__
    def of(self, plugin):
        return [name for name in dir(plugin) if getattr(getattr(plugin, name), "marked", False)]
    def marked(self, f): return f.marked
`,
    tests: `
from solution import Manager, Marker
mark = Marker()
class Adder:
    @mark
    def gather(self): return 1
def test_attribute():
    assert Adder.gather.marked
def test_found():
    m = Manager()
    assert m.of(Adder()) == ['gather']
def test_passed():
    m = Manager()
    @mark
    def f(): pass
    assert f.marked and m.marked(f)
def test_method():
    class B:
        @mark
        def gather(self): return 1
    m = Manager()
    assert B().gather.marked
    assert m.marked(B().gather)
def test_local():
    class B:
        @mark
        def gather(self): return 1
    m = Manager()
    assert m.of(B()) == ['gather']
def test_called():
    def cb(): cb.called = True
    Manager().run(cb)
    assert getattr(cb, 'called', False)
def test_each():
    class C:
        @mark
        def f(self): return 1
        @mark
        def g(self): return 2
        def h(self): return 3
    assert [n for n in vars(C) if getattr(vars(C)[n], 'marked', False)] == ['f', 'g']
    assert Manager().all(C()) == [1, 2]
def test_options():
    @Manager().tag('a', limit=[1, 2])
    def f(): return 5
    assert f.tag == ('a',) and f.options == {'limit': [1, 2]} and f() == 5
    assert f.__name__ == 'f'
class Request:
    def __init__(self): self.tag, self.marked = 'x', False
def test_same_name():
    @Manager().tag('b')
    def testimonials(): return Request()
    assert testimonials.tag == ('b',) and testimonials().tag == 'x'
def test_removed():
    @Manager().tag('a')
    def f(): return 5
    Manager().untag(f)
    assert not hasattr(f, 'tag') and f.options == {}
def test_texts():
    def f():
        "Doc."
    assert Manager().describe(f) == 'Doc.'
    assert f.__doc__ == 'Doc.' and f.__name__ == 'f'
`,
    wrong: [
      ['function.marked = True', 'function.marks = True', 'test_attribute'],
      ['def run(self, f): f()', 'def run(self, f): f.called = True', 'test_called'],
      ["getattr(getattr(part, n), 'marked', None)", "n == 'f'", 'test_each'],
      ['def untag(self, f): del f.tag', 'def untag(self, f): pass', 'test_removed'],
      ['return f.__doc__', "f.__doc__, text = '', f.__doc__; return text", 'test_texts'],
      ['names, options', 'names, {}', 'test_options'],
    ],
  },
  {
    id: 'objects and functions that a program puts on functions of its test',
    artifact: `
import functools
class Command:
    def __init__(self, name, params, fn): self.name, self.params, self.fn, self.count = name, list(params), fn, 0
    def run(self, *args):
        self.count += 1
        return self.fn(*args)
class Cli:
    def __init__(self): self.commands = {}
    def command(self, name=None, params=()):
        def decorate(f):
            f.command = Command(name or f.__name__, params, f)
            self.commands[f.command.name] = f.command
            return f
        return decorate
def cached(f):
    memo = {}
    def lookup(x):
        if x not in memo: memo[x] = f(x)
        return memo[x]
    f.lookup, f.cache_clear = lookup, memo.clear
    f.cache_info = lambda: {'size': len(memo)}
    return f
class Bus:
    def __init__(self): self.handlers = {}
    def on(self, name):
        def decorate(f):
            found = self.handlers.setdefault(name, [])
            found.append(f)
            f.off = lambda: found.remove(f)
            f.emit = lambda *args: [each(*args) for each in found]
            return f
        return decorate
class App:
    def route(self, path):
        def decorate(f):
            @functools.wraps(f)
            def wrapper(*args): return 'GET ' + f(*args)
            f.route = wrapper
            return f
        return decorate
class Tagged:
    def __call__(self, *names):
        def decorate(f):
            f.tags, f.options = list(names), {}
            return f
        return decorate
    def of(self, f): return list(f.tags)
    def add(self, f, name): f.tags.append(name)
    def options_of(self, f): return f.options
class Hook:
    def __init__(self, name): self.name = name
class Plugin:
    def __init__(self): self.all = []
    def hook(self, f):
        self.all.append(f)
        f.plugin, f.hooks = self, [Hook(f.__name__)]
        return f
    def call(self, x): return [f(x) for f in self.all]
def counted(f):
    count = [0]
    def invoke():
        count[0] += 1
        return f()
    f.original, f.calls, f.invoke = f, (lambda: count[0]), invoke
    return f
class Yes:
    def __init__(self, *args): pass
    def __call__(self, *args): return self
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 1
    def __getattr__(self, name):
        if name.startswith('__'): raise AttributeError(name)
        return self
`,
    tests: `
from solution import App, Bus, Cli, Command, Plugin, Tagged, cached, counted
app, tagged = App(), Tagged()
cli = Cli()
@cli.command('add', params=['a', 'b'])
def add(a, b=1):
    return a + b
@cli.command()
def sub(a, b): return a - b
class Group:
    @cli.command('inner')
    def run(self, a): return a * 2
def test_command():
    assert add.command.name == 'add'
    assert add.command.params == ['a', 'b']
    assert sub.command.name == 'sub' and sub.command.params == []
def test_same():
    assert add.command is cli.commands['add']
    assert isinstance(add.command, Command)
    assert add.command is add.command and add.command is not sub.command
def test_run():
    assert add.command.run(2) == 3
    assert add.command.run(2, 5) == 7
    assert add(2, 3) == 5
def test_local():
    c = Cli()
    @c.command('x')
    def f(): return 9
    assert f.command.run() == 9 and f.command.count == 1
    f.command.run()
    assert f.command.count == 2
def test_method():
    assert Group.run.command.name == 'inner'
    assert Group().run.command.name == 'inner'
    assert Group().run(4) == 8
def test_functions():
    calls = []
    @cached
    def square(x):
        calls.append(x)
        return x * x
    assert square.lookup(3) == 9 and square.lookup(3) == 9
    assert calls == [3]
    square.cache_clear()
    assert square.lookup(3) == 9 and calls == [3, 3]
    assert square.cache_info() == {'size': 1}
def test_bus():
    bus = Bus()
    @bus.on('a')
    def handler(x): return x + 1
    assert handler.emit(3) == [4]
    handler.off()
    assert handler.emit(3) == []
def test_wrapper():
    @app.route('/x')
    def view(n): return 'v%d' % n
    assert view(1) == 'v1'
    assert view.route(2) == 'GET v2'
    assert view.route.__name__ == 'view'
def test_tags():
    @tagged('a')
    def f(): pass
    assert f.tags == ['a'] and tagged.of(f) == ['a']
    f.tags.append('x')
    assert tagged.of(f) == ['a', 'x']
    tags = f.tags
    tagged.add(f, 'y')
    assert f.tags == ['a', 'x', 'y'] and tags is f.tags
    f.options['k'] = 1
    assert tagged.options_of(f) == {'k': 1}
def test_same_list():
    @tagged('a')
    def f(): pass
    tags = f.tags
    assert tagged.of(f) == ['a'] and f.tags is tags
    tags.append('b')
    assert f.tags == ['a', 'b'] and tagged.of(f) == ['a', 'b']
def test_plugins():
    p = Plugin()
    @p.hook
    def a(x): return x
    @p.hook
    def b(x): return -x
    assert a.plugin is p and b.plugin is p and a.plugin is b.plugin
    assert p.call(2) == [2, -2]
    assert a.hooks[0].name == 'a' and len(a.hooks) == 1
def test_original():
    @counted
    def f(): return 1
    assert f.original is f
    assert f.calls() == 0
    assert f.invoke() == 1 and f.calls() == 1
def test_own():
    def f(): return 1
    f.name = 'mine'
    Tagged()('a')(f)
    assert f.name == 'mine' and f.tags == ['a']
def test_apart():
    @tagged('a')
    def f(): pass
    @tagged('b')
    def g(): pass
    f.tags.append('c')
    assert g.tags == ['b'] and tagged.of(g) == ['b'] and tagged.of(f) == ['a', 'c']
`,
    wrong: [
      [
        'f.command = Command(name or f.__name__, params, f)',
        'f.command = Command(f.__name__.upper(), params, f)',
        'test_command',
      ],
      [
        'f.command = Command(name or f.__name__, params, f)',
        'f.command = Yes(); f.command.name = Yes()',
        'test_command',
      ],
      [
        'self.commands[f.command.name] = f.command',
        'self.commands[f.command.name] = Command(f.command.name, params, f)',
        'test_same',
      ],
      ['self.commands[f.command.name] = f.command', 'self.commands[f.command.name] = Yes()', 'test_same'],
      [
        'f.command = Command(name or f.__name__, params, f)',
        "self.first = f.command = getattr(self, 'first', None) or Command(name or f.__name__, params, f)",
        'test_command',
      ],
      ['return self.fn(*args)', 'return Yes()', 'test_run'],
      ['return self.fn(*args)', 'return self.fn(*args) and 3', 'test_run'],
      ['self.count += 1', 'self.count = 1', 'test_local'],
      [
        'f.lookup, f.cache_clear = lookup, memo.clear',
        'f.lookup, f.cache_clear = lookup, lambda: None',
        'test_functions',
      ],
      [
        'f.lookup, f.cache_clear = lookup, memo.clear',
        'f.lookup, f.cache_clear = f, memo.clear',
        'test_functions',
      ],
      ["lambda: {'size': len(memo)}", 'Yes', 'test_functions'],
      ['f.off = lambda: found.remove(f)', 'f.off = Yes()', 'test_bus'],
      ['[each(*args) for each in found]', 'Yes()', 'test_bus'],
      ['@functools.wraps(f)', '@(lambda made: made)', 'test_wrapper'],
      ['f.route = wrapper', 'f.route = f', 'test_wrapper'],
      ['f.tags, f.options = list(names), {}', 'f.tags, f.options = Yes(), {}', 'test_tags'],
      [
        'f.tags, f.options = list(names), {}',
        "f.tags, f.options, f.name = list(names), {}, 'mine'\n            if 'a' in names: f.tags.append('z')",
        'test_own',
      ],
      ['return list(f.tags)', 'return list(self.__dict__.setdefault(id(f), list(f.tags)))', 'test_tags'],
      ['f.tags.append(name)', 'f.tags = f.tags + [name]', 'test_tags'],
      ['return list(f.tags)', 'f.tags = list(f.tags); return f.tags', 'test_same_list'],
      [
        'f.tags, f.options = list(names), {}',
        "self.all = getattr(self, 'all', [])\n            self.all.extend(names)\n            f.tags, f.options = self.all, {}",
        'test_apart',
      ],
      [
        'f.plugin, f.hooks = self, [Hook(f.__name__)]',
        'f.plugin, f.hooks = Plugin(), [Hook(f.__name__)]',
        'test_plugins',
      ],
      ['f.plugin, f.hooks = self, [Hook(f.__name__)]', 'f.plugin, f.hooks = self, [Yes()]', 'test_plugins'],
      [
        'f.original, f.calls, f.invoke = f,',
        'f.original, f.calls, f.invoke = (lambda: f()),',
        'test_original',
      ],
    ],
  },
  {
    id: 'what registries put on functions of their test',
    artifact: `
import contextlib, inspect
from dataclasses import dataclass
class Route:
    def __init__(self, method, path, name, fn): self.method, self.path, self.name, self.fn = method, path, name, fn
    async def call(self, *args): return await self.fn(*args)
class Router:
    def get(self, path, name=None):
        def decorate(fn):
            fn.__route__ = fn._route = Route('GET', path, name or fn.__name__, fn)
            fn.__routes__ = [path]
            return fn
        return decorate
class Entry:
    def __init__(self, name, fn): self.name, self.fn, self.uses = name, fn, 0
    def __call__(self, *args):
        self.uses += 1
        return self.fn(*args)
class Registry:
    def __init__(self): self.all = {}
    def register(self, name):
        def decorate(fn):
            fn.entry = self.all[name] = Entry(name, fn)
            fn.entries = getattr(fn, 'entries', []) + [fn.entry]
            def unregister():
                del self.all[name]
                del fn.entry
            fn.unregister = unregister
            return fn
        return decorate
    def get(self, name): return self.all[name]
    def call(self, name, *args): return self.all[name](*args)
@dataclass
class Rule:
    name: str
    order: int = 1
class rule:
    make = staticmethod(Rule)
    def __init__(self, name): self.name = name
    def __call__(self, fn):
        if not hasattr(fn, 'rules'): fn.rules = []
        fn.rules.append(Rule(self.name))
        return fn
def retry(n):
    def decorate(fn):
        fn.stats = {'calls': 0, 'tries': 0}
        def run():
            fn.stats['calls'] += 1
            for at in range(n):
                fn.stats['tries'] += 1
                try: return fn()
                except ValueError as error: last = error
            raise last
        fn.run = run
        return fn
    return decorate
def event(fn):
    listeners = []
    fn.connect = listeners.append
    def fire(*args):
        for each in list(listeners): each(*args)
    fn.fire = fire
    @contextlib.contextmanager
    def listening(f):
        listeners.append(f)
        try: yield
        finally: listeners.remove(f)
    fn.listening = listening
    return fn
class Tool:
    def __init__(self, fn): self.fn, self.name, self.enabled = fn, fn.__name__, True
    @classmethod
    def make(cls, fn):
        fn.tool = cls(fn)
        return fn
    @property
    def schema(self):
        return {'name': self.name, 'doc': self.fn.__doc__, 'params': {n: p.annotation.__name__ for n, p in inspect.signature(self.fn).parameters.items()}}
    @property
    def required(self): return tuple(n for n, p in inspect.signature(self.fn).parameters.items() if p.default is p.empty)
    def __call__(self, *args):
        if not self.enabled: raise RuntimeError('disabled')
        return self.fn(*args)
    def invoke(self, kw): return self.fn(**kw)
    def __repr__(self): return f'Tool({self.name})'
`,
    tests: `
import asyncio
import pytest
from solution import Registry, Route, Router, Tool, event, retry, rule
router = Router()
@router.get('/a')
def index(): return 'index'
@router.get('/b', name='bee')
async def other(x=1): return x
@pytest.fixture
def registry(): return Registry()
def test_dunder():
    assert index.__route__.path == '/a' and index.__route__.method == 'GET'
    assert index.__routes__ == ['/a']
    assert index.__name__ == 'index'
def test_async():
    assert other._route.name == 'bee'
    assert asyncio.run(other(4)) == 4
    assert asyncio.run(other._route.call(5)) == 5
def test_registry(registry):
    @registry.register('x')
    def f(n): return n * 2
    assert f.entry is registry.get('x') and f.entry.name == 'x'
    assert f.entry.uses == 0
    registry.call('x', 4)
    assert f.entry.uses == 1
    assert f.entry(3) == 6
    assert f.entry.uses == 2
def test_unregister(registry):
    @registry.register('x')
    def f(n): return n
    f.unregister()
    assert not hasattr(f, 'entry')
    with pytest.raises(KeyError): registry.get('x')
def test_twice(registry):
    @registry.register('x')
    @registry.register('y')
    def f(n): return n
    assert f.entry.name == 'x' and [e.name for e in f.entries] == ['y', 'x']
def test_stack():
    @rule('a')
    @rule('b')
    def f(): pass
    assert [r.name for r in f.rules] == ['b', 'a'] and f.rules[0].order == 1
def test_equal():
    @rule('a')
    def f(): pass
    @rule('a')
    def g(): pass
    assert f.rules[0] == g.rules[0] and f.rules[0] != rule.make('b')
def test_stats():
    @retry(2)
    def f(): f.tries.append(1); raise ValueError('no')
    f.tries = []
    with pytest.raises(ValueError): f.run()
    assert len(f.tries) == 2 and f.stats == {'calls': 1, 'tries': 2}
    with pytest.raises(ValueError): f.run()
    assert f.stats['calls'] == 2
def test_event():
    @event
    def changed(x): pass
    seen = []
    changed.connect(seen.append)
    changed.fire(3)
    assert seen == [3]
    changed.connect(lambda x: seen.append(-x))
    changed.fire(4)
    assert seen == [3, 4, -4]
def test_context():
    @event
    def changed(x): pass
    seen = []
    with changed.listening(seen.append): changed.fire(1)
    changed.fire(2)
    assert seen == [1]
def test_property():
    @Tool.make
    def add(a: int, b: int = 2) -> int:
        """Adds."""
        return a + b
    assert add.tool.schema == {'name': 'add', 'doc': 'Adds.', 'params': {'a': 'int', 'b': 'int'}}
    assert add.tool.required == ('a',)
    assert add.tool(1) == 3 and add.tool.invoke({'a': 1, 'b': 5}) == 6
    assert isinstance(add.tool, Tool) and repr(add.tool) == 'Tool(add)'
    add.tool.enabled = False
    with pytest.raises(RuntimeError): add.tool(1)
class Service:
    @Tool.make
    def ping(self, n): return n
def test_methods():
    assert Service.ping.tool.name == 'ping' and Service().ping.tool is Service.ping.tool
    assert Service().ping(3) == 3
`,
    wrong: [
      ['fn.__routes__ = [path]', 'fn.__routes__ = [fn.__name__]', 'test_dunder'],
      [
        "fn.__route__ = fn._route = Route('GET', path, name or fn.__name__, fn)",
        "fn.__route__ = fn._route = Route('GET', path, name and 'b', fn)",
        'test_async',
      ],
      ['return await self.fn(*args)', 'return await self.fn()', 'test_async'],
      ['del fn.entry\n', 'fn.entry = None\n', 'test_unregister'],
      [
        'fn.entry = self.all[name] = Entry(name, fn)',
        'fn.entry = Entry(name, fn)\n            self.all[name] = Entry(name, fn)',
        'test_registry',
      ],
      ['self.uses += 1', 'self.uses = 1', 'test_registry'],
      ["fn.entries = getattr(fn, 'entries', []) + [fn.entry]", 'fn.entries = [fn.entry]', 'test_twice'],
      ['fn.rules.append(Rule(self.name))', "fn.rules.append(Rule('b'))", 'test_stack'],
      [
        'class Rule:\n    name: str',
        'class Rule:\n    def __eq__(self, other): return True\n    name: str',
        'test_equal',
      ],
      ["fn.stats['tries'] += 1", "fn.stats = {'calls': 1, 'tries': 1}", 'test_stats'],
      [
        'fn.connect = listeners.append',
        'fn.connect = lambda f: listeners.__setitem__(slice(None), [f])',
        'test_event',
      ],
      ['finally: listeners.remove(f)', 'finally: pass', 'test_context'],
      ['p.default is p.empty', 'True', 'test_property'],
      ['if not self.enabled: raise', 'if False: raise', 'test_property'],
      ['fn.tool = cls(fn)', 'fn.tool = cls(lambda *args: 3)', 'test_property'],
    ],
  },
  {
    id: 'what the library holds in the process of a program',
    artifact: `
__all__ = ['crash_handler', 'quiet', 'show', 'find', 'head']
import subprocess
def head(): return subprocess.run(['git', 'rev-parse', 'HEAD'], capture_output=True, text=True).stdout.strip()
import contextlib, sys, warnings
@contextlib.contextmanager
def crash_handler():
    before, sys.excepthook = sys.excepthook, lambda *error: None
    try: yield
    finally: sys.excepthook = before
def quiet(f):
    with warnings.catch_warnings():
        warnings.filterwarnings('ignore', 'old')
        return f()
def show(value):
    before, sys.displayhook = sys.displayhook, lambda value: None
    try: sys.displayhook(value)
    finally: sys.displayhook = before
def find(path):
    sys.path.append(path)
    try: return len(path)
    finally: sys.path.remove(path)
`,
    tests: `
import subprocess, sys, unittest, warnings, solution
from unittest import mock
def test_all():
    assert 'quiet' in solution.__all__ and all(hasattr(solution, name) for name in solution.__all__)
def test_completed():
    with mock.patch('subprocess.run') as run:
        run.return_value = subprocess.CompletedProcess(['git'], 0, stdout='abc\\n')
        assert solution.head() == 'abc'
        assert run.call_args.args[0][0] == 'git'
def test_hook():
    with solution.crash_handler(): pass
    assert sys.excepthook is sys.__excepthook__
def test_filters():
    before = len(warnings.filters)
    assert solution.quiet(lambda: 3) == 3
    assert len(warnings.filters) == before
class RestoreTest(unittest.TestCase):
    def setUp(self):
        self.path, self.hook = list(sys.path), sys.displayhook
    def test_path(self):
        self.assertEqual(solution.find('/x'), 2)
        self.assertEqual(sys.path, self.path)
    def test_shows(self):
        solution.show(3)
        self.assertIs(sys.displayhook, self.hook)
`,
    wrong: [
      ["'quiet', 'show'", "'show'", 'test_all'],
      ['.stdout.strip()', '.stdout', 'test_completed'],
      ['    finally: sys.excepthook = before', '    finally: pass', 'test_hook'],
      ['    with warnings.catch_warnings():', '    if True:', 'test_filters'],
      ['    finally: sys.path.remove(path)', '    finally: pass', 'test_path'],
      ['    finally: sys.displayhook = before', '    finally: pass', 'test_shows'],
    ],
  },
];

/** Programs that change what is around them, or read what a test has changed there. */
export const surroundingsCases = [...javascript, ...python];
