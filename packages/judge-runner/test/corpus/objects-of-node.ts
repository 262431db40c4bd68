import type { WrongParts } from '../wrong-parts.ts';

/** Programs whose answers are objects of Node's own classes, which their tests use as they would in one process. */
export const objectsOfNode: readonly WrongParts[] = [
  {
    ...{ id: 'requests and responses', language: 'javascript' },
    artifact: `
export const handle = async (request) => {
  const url = new URL(request.url);
  if (url.pathname === '/hello') return new Response('hello', { headers: { 'content-type': 'text/plain' } });
  if (url.pathname === '/search') return Response.json({ q: url.searchParams.get('q') });
  if (request.method === 'POST') return new Response(JSON.stringify(await request.json()), { status: 201 });
  return new Response(null, { status: 404 });
};
export class Problem extends Response { constructor(title, status) { super(JSON.stringify({ title }), { status }); } get title() { return 'problem'; } }
export const problem = (title) => new Problem(title, 422);
export const tee = (response) => [response.clone(), response];
export const load = async (id) => {
  const response = await fetch('https://example.test/' + id);
  if (!response.ok) throw new Error('status ' + response.status);
  return (await response.json()).name;
};
export const put = (url, body) => new Request(url, { method: 'PUT', body: JSON.stringify(body) });
`,
    tests: `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handle, load, Problem, problem, put, tee } from 'solution';
test('text', async () => { const found = await handle(new Request('http://a/hello')); assert.ok(found instanceof Response); assert.equal(found.status, 200); assert.equal(await found.text(), 'hello'); });
test('type', async () => { const found = await handle(new Request('http://a/hello')); assert.equal(found.headers.get('content-type'), 'text/plain'); });
test('query', async () => { const found = await handle(new Request('http://a/search?q=2')); assert.ok(found.ok); assert.deepEqual(await found.json(), { q: '2' }); });
test('post', async () => { const found = await handle(new Request('http://a/', { method: 'POST', body: '[1]' })); assert.equal(found.status, 201); assert.deepEqual(await found.json(), [1]); });
test('missing', async () => { assert.equal((await handle(new Request('http://a/'))).status, 404); });
test('is used once', async () => { const found = await handle(new Request('http://a/hello')); assert.equal(found.bodyUsed, false); await found.text(); assert.equal(found.bodyUsed, true); await assert.rejects(found.text(), TypeError); });
test('own class', async () => { const found = problem('late'); assert.ok(found instanceof Response); assert.ok(found instanceof Problem); assert.equal(found.status, 422); assert.equal(found.title, 'problem'); assert.deepEqual(await found.json(), { title: 'late' }); });
test('constructor', async () => { const found = await handle(new Request('http://a/')); assert.equal(found.constructor, Response); assert.equal(Object.prototype.toString.call(found), '[object Response]'); });
test('two copies', async () => { const [one, other] = tee(new Response('a')); assert.equal(await one.text(), 'a'); assert.equal(await other.text(), 'a'); });
test('what is fetched', async (t) => { const mocked = t.mock.method(globalThis, 'fetch', async (url) => Response.json({ name: 'n ' + url })); assert.equal(await load(3), 'n https://example.test/3'); assert.equal(mocked.mock.callCount(), 1); });
test('what is refused', async () => { const fetch = globalThis.fetch; globalThis.fetch = async () => new Response('', { status: 500 }); try { await assert.rejects(load(1), /status 500/); } finally { globalThis.fetch = fetch; } });
test('a request', async () => { const made = put('http://a/b', [1]); assert.ok(made instanceof Request); assert.equal(made.method, 'PUT'); assert.equal(made.url, 'http://a/b'); assert.deepEqual(await made.json(), [1]); });
`,
    wrong: [
      ["new Response('hello',", "Object('hello',", 'text'],
      ["'text/plain'", "'text/html'", 'type'],
      ["searchParams.get('q')", "searchParams.get('Q')", 'query'],
      ['status: 201', 'status: 200', 'post'],
      ['new Response(null, { status: 404 })', 'new Response(null, { status: 400 })', 'missing'],
      [
        "return new Response('hello', { headers: { 'content-type': 'text/plain' } });",
        "return Object.assign(new Response('hello', { headers: { 'content-type': 'text/plain' } }), { text: async () => 'hello' });",
        'is used once',
      ],
      [
        'class Problem extends Response',
        'class Problem extends class { status = 422; async json() { return { title: "late" }; } }',
        'own class',
      ],
      [
        'return new Response(null, { status: 404 });',
        'return new (class extends Response {})(null, { status: 404 });',
        'constructor',
      ],
      ['[response.clone(), response]', '[response, response]', 'two copies'],
      ["'https://example.test/' + id", "'https://example.test/' + (id + 1)", 'what is fetched'],
      ["throw new Error('status '", "throw new Error('state '", 'what is refused'],
      ["method: 'PUT'", "method: 'POST'", 'a request'],
    ],
  },
  {
    ...{ id: 'emitters, streams, files and stores', language: 'javascript' },
    artifact: `
import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { Readable, Transform } from 'node:stream';
export const bus = () => new EventEmitter();
export const lines = () => Readable.from(['a', 'b']);
export const upper = () => new Transform({ transform(chunk, _encoding, done) { done(null, chunk.toString().toUpperCase()); } });
export const blob = () => new Blob(['ab']);
export const file = () => new File(['ab'], 'a.txt', { type: 'text/plain' });
export const controller = () => new AbortController();
export const event = () => new CustomEvent('ping', { detail: 4 });
class Door extends EventTarget { open() { this.dispatchEvent(new CustomEvent('open', { detail: 7 })); } }
export const door = () => new Door();
export const weights = (key) => new WeakMap([[key, 1]]);
export const store = new AsyncLocalStorage();
export const current = () => store.getStore();
export const letters = () => new ReadableStream({ start(each) { each.enqueue('a'); each.enqueue('b'); each.close(); } });
`,
    tests: `
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { Readable, Transform } from 'node:stream';
import { test } from 'node:test';
import * as solution from 'solution';
test('emitter', () => { const bus = solution.bus(); assert.ok(bus instanceof EventEmitter); let found = 0; bus.on('x', (value) => { found = value; }); bus.emit('x', 3); assert.equal(found, 3); assert.equal(bus.listenerCount('x'), 1); });
test('readable', async () => { const lines = solution.lines(); assert.ok(lines instanceof Readable); const found = []; for await (const each of lines) found.push(each); assert.deepEqual(found, ['a', 'b']); });
test('transform', () => { assert.ok(solution.upper() instanceof Transform); });
test('blob', async () => { const blob = solution.blob(); assert.ok(blob instanceof Blob); assert.equal(blob.size, 2); assert.equal(await blob.text(), 'ab'); });
test('file', () => { const file = solution.file(); assert.ok(file instanceof File && file instanceof Blob); assert.equal(file.name, 'a.txt'); assert.equal(file.type, 'text/plain'); });
test('controller', () => { const controller = solution.controller(); assert.ok(controller instanceof AbortController); assert.equal(controller.signal.aborted, false); controller.abort(); assert.equal(controller.signal.aborted, true); });
test('event', () => { const event = solution.event(); assert.ok(event instanceof Event); assert.equal(event.type, 'ping'); assert.equal(event.detail, 4); });
test('target', () => { const door = solution.door(); assert.ok(door instanceof EventTarget); let found; door.addEventListener('open', (event) => { found = event.detail; }); door.open(); assert.equal(found, 7); });
test('weak map', () => { assert.ok(solution.weights({}) instanceof WeakMap); });
test('storage', () => { assert.ok(solution.store instanceof AsyncLocalStorage); assert.equal(solution.store.run(3, () => solution.current()), 3); });
test('stream', async () => { const letters = solution.letters(); assert.ok(letters instanceof ReadableStream); const found = []; for await (const each of letters) found.push(each); assert.deepEqual(found, ['a', 'b']); });
`,
    wrong: [
      ['new EventEmitter()', 'new EventTarget()', 'emitter'],
      ["Readable.from(['a', 'b'])", "Readable.from(['a', 'c'])", 'readable'],
      ['new Transform({', 'Object({', 'transform'],
      ["new Blob(['ab'])", "new Blob(['abc'])", 'blob'],
      ["new File(['ab'], 'a.txt', {", "new Blob(['ab'], {", 'file'],
      ['new AbortController()', 'Object.assign(new AbortController(), { abort() {} })', 'controller'],
      ['detail: 4', 'detail: 5', 'event'],
      [
        'class Door extends EventTarget {',
        'class Door { addEventListener(_name, hear) { this.dispatchEvent = hear; }',
        'target',
      ],
      ['new WeakMap([[key, 1]])', 'new Map([[key, 1]])', 'weak map'],
      ['store.getStore()', 'store.getStore() + 1', 'storage'],
      ["each.enqueue('a'); each.enqueue('b');", "each.enqueue('ab');", 'stream'],
    ],
  },
];
