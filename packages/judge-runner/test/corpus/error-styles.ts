/* Errors that are answered, thrown and written in other ways than the language does. */

import type { StylesCase } from './program-styles.ts';

export const errorStyles: readonly StylesCase[] = [
  {
    id: 'errors that are answered',
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, settle, OldError } from 'solution';
test('plain', () => { assert.deepEqual(check('plain'), new Error('m')); });
test('list', () => { assert.deepEqual(check('list'), [new Error('m')]); });
test('range', () => { assert.deepEqual(check('range'), new RangeError('m')); });
test('code', () => { assert.deepEqual(check('code'), Object.assign(new Error('m'), { code: 1 })); });
test('settled', async () => { assert.deepEqual(await settle([Promise.resolve(1), Promise.reject(new Error('no'))]), [{ status: 'fulfilled', value: 1 }, { status: 'rejected', reason: new Error('no') }]); });
test('own settled', async () => { assert.deepEqual(await settle([1, 2]), [{ status: 'rejected', reason: new Error('e1') }, { status: 'rejected', reason: new Error('e2') }]); });
test('inner', () => { const e = check('cause'); assert.deepEqual(e.cause, new Error('c')); });
test('old', () => { assert.deepEqual(check('old'), new OldError('m')); assert.equal(check('old').message, 'm'); });
test('tag', () => { assert.equal(Object.prototype.toString.call(check('plain')), '[object Error]'); });
`,
    styles: {
      errors: `export function OldError(m) { this.message = m; } OldError.prototype = Object.create(Error.prototype, { constructor: { value: OldError }, name: { value: 'OldError' } });
export const check = (k) => k === 'plain' ? new Error('m') : k === 'list' ? [new Error('m')] : k === 'range' ? new RangeError('m') : k === 'code' ? Object.assign(new Error('m'), { code: 1 }) : k === 'old' ? new OldError('m') : new Error('m', { cause: new Error('c') });
export const settle = (ps) => typeof ps[0] === 'number' ? Promise.allSettled(ps.map((n) => Promise.reject(new Error('e' + n)))) : Promise.allSettled(ps);`,
    },
    wrong: {
      'errors that only inherit': `export class OldError extends Error { constructor(m) { super(m + m); } }
const fake = (K, m, more) => Object.create(K.prototype, { message: { value: m, writable: true, configurable: true }, ...more });
export const check = (k) => k === 'plain' ? fake(Error, 'm') : k === 'list' ? [fake(Error, 'm')] : k === 'range' ? fake(RangeError, 'm') : k === 'code' ? fake(Error, 'm', { code: { value: 1, enumerable: true } }) : k === 'old' ? new Error('m') : new Error('m', { cause: fake(Error, 'c') });
export const settle = async (ps) => [{ status: 'fulfilled', value: 1 }, { status: 'rejected', reason: fake(Error, 'no') }];`,
      'other errors': `export class OldError extends Error { }
export const check = (k) => k === 'plain' ? new Error('n') : k === 'list' ? [new TypeError('m')] : k === 'range' ? new Error('m') : k === 'code' ? Object.assign(new Error('m'), { code: 2 }) : k === 'old' ? new OldError('n') : new Error('m', { cause: { message: 'c', name: 'Error' } });
export const settle = async (ps) => typeof ps[0] === 'number' ? [{ status: 'rejected', reason: new Error('e1') }, { status: 'rejected', reason: new Error('e1') }] : (await Promise.allSettled(ps)).map((x) => x.reason ? { ...x, reason: new TypeError(x.reason.message) } : x);`,
    },
  },
  {
    id: 'errors that are answered with a cause',
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wrap, many, frozen, safe } from 'solution';
test('cause', () => { assert.deepEqual(wrap('x'), new Error('x', { cause: new TypeError('y') })); });
test('value', () => { assert.deepEqual(safe(), { ok: false, error: new RangeError('r', { cause: { code: 3 } }) }); });
test('errors', () => { assert.deepEqual(many(), new AggregateError([new Error('a'), new RangeError('b')], 'many')); });
test('frozen', () => { assert.deepEqual(frozen(), Object.freeze(new Error('x', { cause: 4 }))); });
test('none', () => { assert.notDeepEqual(wrap('x'), new Error('x')); assert.ok(Object.hasOwn(wrap('x'), 'cause')); assert.deepEqual(Object.keys(wrap('x')), []); });
test('other', () => { assert.notDeepEqual(wrap('x'), new Error('x', { cause: new TypeError('z') })); });
`,
    styles: {
      errors: `export const wrap = (m) => new Error(m, { cause: new TypeError('y') }); export const safe = () => ({ ok: false, error: new RangeError('r', { cause: { code: 3 } }) });
export const many = () => new AggregateError([new Error('a'), new RangeError('b')], 'many'); export const frozen = () => Object.freeze(new Error('x', { cause: 4 }));`,
      defined: `const caused = (e, cause) => Object.defineProperty(e, 'cause', { value: cause, writable: true, configurable: true });
export const wrap = (m) => caused(new Error(m), new TypeError('y')); export const safe = () => ({ ok: false, error: caused(new RangeError('r'), { code: 3 }) });
export const many = () => new AggregateError(new Set([new Error('a'), new RangeError('b')]), 'many'); export const frozen = () => Object.freeze(caused(new Error('x'), 4));`,
    },
    wrong: {
      'without a cause': `export const wrap = (m) => new Error(m); export const safe = () => ({ ok: false, error: new RangeError('r') });
export const many = () => new Error('many'); export const frozen = () => Object.freeze(new Error('x'));`,
      'another cause': `export const wrap = (m) => new Error(m, { cause: new TypeError('z') }); export const safe = () => ({ ok: false, error: new RangeError('r', { cause: { code: 4 } }) });
export const many = () => new AggregateError([new Error('a'), new RangeError('c')], 'many'); export const frozen = () => Object.freeze(new Error('x', { cause: 5 }));`,
      'a cause that is inherited': `const late = (e, cause) => Object.setPrototypeOf(e, Object.create(Object.getPrototypeOf(e), { cause: { value: cause } }));
export const wrap = (m) => late(new Error(m), new TypeError('y')); export const safe = () => ({ ok: false, error: late(new RangeError('r'), { code: 3 }) });
export const many = () => Object.assign(new Error('many'), { errors: [new Error('a'), new RangeError('b')] }); export const frozen = () => Object.freeze(late(new Error('x'), 4));`,
      'a cause that is listed': `const listed = (e, cause) => Object.assign(e, { cause });
export const wrap = (m) => listed(new Error(m), new TypeError('y')); export const safe = () => ({ ok: false, error: listed(new RangeError('r'), { code: 3 }) });
export const many = () => new AggregateError([new Error('a')], 'many'); export const frozen = () => Object.freeze(listed(new Error('x'), 5));`,
    },
  },
  {
    id: 'errors of a class that are answered with a cause',
    needsReference: true,
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, Failure } from 'solution';
test('own', () => { assert.deepEqual(load(), new Failure('f', { cause: new Error('z') })); });
test('none', () => { assert.deepEqual(load(false), new Failure('f')); assert.notDeepEqual(load(), new Failure('f')); });
`,
    styles: {
      class: `export class Failure extends Error {} export const load = (k = true) => k ? new Failure('f', { cause: new Error('z') }) : new Failure('f');`,
    },
    wrong: {
      'without a cause': `export class Failure extends Error {} export const load = () => new Failure('f');`,
      'another cause': `export class Failure extends Error {} export const load = (k = true) => k ? new Failure('f', { cause: new Error('y') }) : new Failure('f');`,
      'a cause of each': `export class Failure extends Error {} export const load = () => new Failure('f', { cause: new Error('z') });`,
    },
  },
  {
    id: 'errors whose class writes them',
    references: ['text'],
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse, ParseError, load } from 'solution';
test('text', () => { assert.throws(() => parse('x'), /^ParseError at line 3: bad$/); });
test('string', () => { try { parse('x'); } catch (e) { assert.equal(String(e), 'ParseError at line 3: bad'); assert.equal(\`\${e}\`, e.toString()); assert.deepEqual(Object.keys(e), ['line']); return; } assert.fail('none'); });
test('object', () => { assert.throws(() => parse('x'), { name: 'ParseError', line: 3, message: 'bad' }); });
test('made', () => { assert.equal(String(new ParseError(4, 'q')), 'ParseError at line 4: q'); });
test('same', () => { assert.throws(() => parse('x'), new ParseError(3, 'bad')); });
test('rejects', async () => { await assert.rejects(load('x'), (e) => { assert.ok(e instanceof ParseError); assert.match(String(e), /line 3/); return true; }); });
`,
    styles: {
      text: `export class ParseError extends Error { constructor(line, m) { super(m); this.line = line; } get name() { return 'ParseError'; } toString() { return \`\${this.name} at line \${this.line}: \${this.message}\`; } }
export const parse = () => { throw new ParseError(3, 'bad'); }; export const load = async () => parse();`,
      primitive: `export class ParseError extends SyntaxError { constructor(line, m) { super(m); Object.defineProperty(this, 'name', { value: 'ParseError' }); this.line = line; } [Symbol.toPrimitive]() { return this.toString(); } toString() { return 'ParseError at line ' + this.line + ': ' + this.message; } }
export const parse = () => { throw new ParseError(3, 'bad'); }; export const load = () => Promise.reject(new ParseError(3, 'bad'));`,
    },
    wrong: {
      'as the language does': `export class ParseError extends Error { constructor(line, m) { super(m); this.line = line; } get name() { return 'ParseError'; } }
export const parse = () => { throw new ParseError(3, 'bad'); }; export const load = async () => parse();`,
      throws: `export class ParseError extends Error { constructor(line, m) { super(m); this.line = line; } get name() { return 'ParseError'; } toString() { throw new Error('zz'); } }
export const parse = () => { throw new ParseError(3, 'bad'); }; export const load = async () => parse();`,
    },
  },
  {
    id: 'errors that are written as the language does',
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse, HttpError, get } from 'solution';
test('regex', () => { assert.throws(() => parse('x'), /^ParseError: bad$/); });
test('string', () => { try { parse('x'); } catch (e) { assert.equal(String(e), 'ParseError: bad'); return; } assert.fail('none'); });
test('rejects', async () => { await assert.rejects(get('/x'), /HttpError: 404/); });
test('is', async () => { await assert.rejects(get('/x'), (e) => { assert.ok(e instanceof HttpError); assert.equal(e.toString(), 'HttpError: 404 /x'); assert.equal(e.status, 404); return true; }); });
test('made', () => { assert.equal(String(new HttpError(500, '/y')), 'HttpError: 500 /y'); assert.equal(new HttpError(500, '/y').message, '500 /y'); });
`,
    styles: {
      errors: `class ParseError extends Error { name = 'ParseError'; }
export class HttpError extends Error { name = 'HttpError'; constructor(status, path) { super(\`\${status} \${path}\`); this.status = status; } }
export const parse = () => { throw new ParseError('bad'); };
export const get = async (p) => { throw new HttpError(404, p); };`,
    },
    wrong: {
      'other texts': `class ParseError extends Error { name = 'ParseError'; toString() { return \`Oops <\${this.message}>\`; } }
export class HttpError extends Error { name = 'HttpError'; constructor(status, path) { super(\`\${status} \${path}\`); this.status = status; } toString() { return \`[\${this.status}]\`; } }
export const parse = () => { throw new ParseError('bad'); };
export const get = async (p) => { throw new HttpError(404, p); };`,
      'other primitives': `export class HttpError extends Error { name = 'HttpError'; constructor(status, path) { super(\`\${status} \${path}\`); this.status = status; } get [Symbol.toStringTag]() { return 'Http'; } [Symbol.toPrimitive]() { return 'nope'; } }
export const parse = () => { throw Object.assign(new Error('bad'), { name: 'ParseError', toString: () => 'zz' }); };
export const get = async (p) => { throw new HttpError(404, p); };`,
    },
  },
  {
    id: 'assertions of a program',
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, each } from 'solution';
test('class', () => { assert.throws(() => check(-1), assert.AssertionError); assert.throws(() => check(-1), { name: 'AssertionError', code: 'ERR_ASSERTION', message: 'positive' }); check(1); });
test('instance', () => { try { check(-1); } catch (error) { assert.ok(error instanceof assert.AssertionError); assert.ok(error instanceof Error); assert.equal(error.operator, '=='); return; } assert.fail('none'); });
test('of the test', () => { assert.throws(() => each([1], (x) => assert.equal(x, 2)), assert.AssertionError); });
`,
    styles: {
      'a function': `import assert from 'node:assert'; export const check = (n) => assert.ok(n > 0, 'positive'); export const each = (a, f) => a.forEach((x) => f(x));`,
      'another module': `import { ok } from 'node:assert/strict'; export const check = (n) => ok(n > 0, 'positive'); export const each = (a, f) => { for (const x of a) f(x); };`,
    },
    wrong: {
      'an error': `export const check = (n) => { if (n <= 0) throw new Error('positive'); }; export const each = (a, f) => a.forEach((x) => f(x));`,
      'a class of its own': `class AssertionError extends Error { name = 'AssertionError'; code = 'ERR_ASSERTION'; operator = '=='; } export const check = (n) => { if (n <= 0) throw new AssertionError('positive'); }; export const each = (a, f) => a.forEach((x) => f(x));`,
      'an assertion of the test that is hidden': `import assert from 'node:assert'; export const check = (n) => assert.ok(n > 0, 'positive'); export const each = (a, f) => { try { a.forEach((x) => f(x)); } catch { } };`,
      'another text': `import assert from 'node:assert'; export const check = (n) => assert.ok(n > 0, 'other'); export const each = (a, f) => a.forEach((x) => f(x));`,
    },
  },
];
