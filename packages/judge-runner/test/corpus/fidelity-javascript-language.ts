import type { FidelityCase } from './fidelity-case.ts';

const head = `import test, { mock } from 'node:test';
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
`;

/** Modules that answer what the language has beside plain values: buffers, iterators, errors with causes, functions that are applied. */
export const fidelityJavascriptLanguage: readonly FidelityCase[] = [
  {
    id: 'buffers',
    artifact: `
export const encode = (text) => Buffer.from(text, 'utf8');
export const concat = (...parts) => Buffer.concat(parts);
export const textOf = (bytes) => bytes.toString('utf8');
export const bytes = (n) => new Uint8Array(n).fill(7);
`,
    tests: `${head}
import { bytes, concat, encode, textOf } from 'solution';
test('text', () => { assert.equal(encode('a').toString('hex'), '61'); assert.equal(concat(Buffer.from('a'), Buffer.from('b')).toString(), 'ab'); });
test('is a buffer', () => { assert.ok(Buffer.isBuffer(encode('a'))); assert.ok(!Buffer.isBuffer(bytes(1))); });
test('is equal', () => { assert.deepEqual(encode('abc'), Buffer.from('abc')); assert.ok(encode('abc').equals(Buffer.from('abc'))); assert.equal(encode('ab').readUInt8(1), 98); });
test('is given', () => assert.equal(textOf(Buffer.from('hé')), 'hé'));
test('bytes', () => assert.deepEqual(bytes(2), new Uint8Array([7, 7])));
`,
  },
  {
    id: 'iterators',
    artifact: `
export function* fibonacci() { let [a, b] = [0, 1]; for (;;) { yield a; [a, b] = [b, a + b]; } }
export function* take(items, n) { let count = 0; for (const item of items) { if (count >= n) return; count += 1; yield item; } }
export async function* pages(text, n) { for (let at = 0; at < text.length; at += n) yield text.slice(at, at + n); }
`,
    tests: `${head}
import { fibonacci, pages, take } from 'solution';
test('is given back', () => assert.deepEqual([...take(fibonacci(), 5)], [0, 1, 1, 2, 3]));
test('has helpers', () => { assert.deepEqual(fibonacci().take(4).toArray(), [0, 1, 1, 2]); assert.deepEqual([...fibonacci().filter((n) => n % 2 === 0).take(3)], [0, 2, 8]); });
test('is its own iterator', () => { const all = fibonacci(); assert.equal(all[Symbol.iterator](), all); assert.deepEqual(all.return(9), { value: 9, done: true }); });
test('pages', async () => assert.deepEqual(await Array.fromAsync(pages('abc', 2)), ['ab', 'c']));
`,
  },
  {
    id: 'errors',
    artifact: `
export class AppError extends Error { constructor(message, options) { super(message, options); this.name = 'AppError'; } }
export class FieldError extends AppError {
  constructor(field, message) { super(message); this.name = 'FieldError'; this.field = field; }
  get code() { return 'E_' + this.field.toUpperCase(); }
}
export const check = (user) => { if (!user.name) throw new FieldError('name', 'name is required'); return true; };
export const load = async (text) => { try { return JSON.parse(text); } catch (error) { throw new AppError('cannot load', { cause: error }); } };
export const all = (list) => {
  const errors = [];
  for (const each of list) try { check(each); } catch (error) { errors.push(error); }
  if (errors.length > 0) throw new AggregateError(errors, errors.length + ' errors');
};
`,
    tests: `${head}
import { AppError, FieldError, all, check, load } from 'solution';
test('getter', () => assert.throws(() => check({}), (error) => error instanceof AppError && error.code === 'E_NAME'));
test('cause', () => assert.rejects(load('{'), (error) => error instanceof AppError && error.cause instanceof SyntaxError));
test('group', () => { try { all([{}, {}]); assert.fail('no error'); } catch (error) { assert.ok(error instanceof AggregateError); assert.equal(error.errors.length, 2); assert.equal(error.errors[0].field, 'name'); } });
test('equal', () => { let found; try { check({}); } catch (error) { found = error; } assert.deepEqual(found, new FieldError('name', 'name is required')); });
`,
  },
  {
    id: 'functions that are applied',
    artifact: `
export const add = (a, b) => a + b;
export const forward = (from, to) => from.on('x', (value) => to.emit('x', value + 1));
export class Clock { constructor(now) { this.now = now; this.start = now(); } get elapsed() { return this.now() - this.start; } }
`,
    tests: `${head}
import { Clock, add, forward } from 'solution';
test('apply', () => { assert.equal(add.apply(null, [1, 2]), 3); assert.equal(add.call(null, 1, 2), 3); assert.equal(add.bind(null, 1)(2), 3); });
test('emitters', () => { const [from, to] = [new EventEmitter(), new EventEmitter()]; forward(from, to); const seen = mock.fn(); to.on('x', seen); from.emit('x', 1); assert.deepEqual(seen.mock.calls[0].arguments, [2]); });
test('clock of the test', () => { let time = 10; const clock = new Clock(() => time); assert.equal(clock.elapsed, 0); time = 35; assert.equal(clock.elapsed, 25); });
`,
  },
  {
    id: 'methods called class and errors with unseen fields',
    artifact: `
export class Shelf { #all = {}; class(name, Made) { this.#all[name] = Made; return this; } make(name) { return new this.#all[name]().size; } }
export class Fault extends Error { constructor(state, event, more) { super(\`no way from \${state} by \${event}\`); this.name = 'Fault'; this.state = state; Object.assign(this, more); Object.defineProperty(this, 'source', { value: event, enumerable: false }); } }
export const go = (state, event) => { throw new Fault(state, event); };
`,
    tests: `import test from 'node:test';
import assert from 'node:assert/strict';
import { Fault, Shelf, go } from 'solution';
class Box { size = 3; }
test('a method called class', () => { assert.equal(new Shelf().class('box', Box).class('other', Box).make('box'), 3); });
test('a field that is not listed', () => { assert.throws(() => go('a', 'B'), (error) => error.source === 'B' && !Object.keys(error).includes('source')); });
test('options of an error', () => { assert.throws(() => go('a', 'B')); const made = new Fault('c', 'D', { hint: 'h' }); assert.deepEqual([made.hint, made.state, made.message], ['h', 'c', 'no way from c by D']); });
test('an expected error whose text is a template', () => { assert.throws(() => go('a', 'B'), new Fault('a', 'B')); });
`,
  },
];
