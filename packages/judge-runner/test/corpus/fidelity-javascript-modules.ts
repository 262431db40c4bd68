import type { FidelityPackage } from './fidelity-case.ts';

const schema = (exported: string) => `class Schema {
  constructor(check, rules = []) { this.check = check; this.rules = rules; }
  min(low) { return new Schema(this.check, [...this.rules, (value) => value.length >= low]); }
  optional() { return new Schema((value) => value === undefined || this.check(value), this.rules); }
  safeParse(value) {
    const success = this.check(value) && this.rules.every((rule) => rule(value));
    return success ? { success, data: value } : { success, issues: ['invalid'] };
  }
}
const string = () => new Schema((value) => typeof value === 'string');
const object = (shape) => new Schema((value) => Object.entries(shape).every(([key, each]) => each.safeParse(value[key]).success));
${exported}
`;
const testsOfSchema = (imported: string) => `import { test } from 'node:test';
import assert from 'node:assert/strict';
${imported}

const name = s.string().min(2);
const user = s.object({ name, nick: s.string().optional() });

for (const [value, success] of [['Ada', true], ['A', false], [7, false]])
  test(\`a name is \${value}\`, () => assert.equal(name.safeParse(value).success, success));

test('what is not there may be left out', () => {
  assert.deepEqual(user.safeParse({ name: 'Ada' }), { success: true, data: { name: 'Ada' } });
  assert.deepEqual(user.safeParse({ name: 'Ada', nick: 1 }), { success: false, issues: ['invalid'] });
});
`;
const wrongSchema = ['solution.mjs', 'value.length >= low', 'value.length > low - 2'] as const;

/** Modules as packages export them, with tests that use them at top level, in later turns and by values of the language. */
export const fidelityJavascriptModules: readonly FidelityPackage[] = [
  ...[
    ['whole', 'export { string, object };', `import * as s from './solution.mjs';`],
    ['named', 'export const s = Object.freeze({ string, object });', `import { s } from './solution.mjs';`],
    ['default', 'export default { string, object };', `import s from './solution.mjs';`],
  ].map(
    ([id, exported = '', imported = '']): FidelityPackage => ({
      id: `schema-${id}`,
      artifact: { 'solution.mjs': schema(exported) },
      tests: { 'it.test.mjs': testsOfSchema(imported) },
      breaks: [wrongSchema],
    }),
  ),
  {
    id: 'ticker',
    artifact: {
      'solution.mjs': `export class Ticker {
  count = 0;
  start(ms) { this.timer = setInterval(() => { this.count += 1; }, ms); }
  stop() { clearInterval(this.timer); }
}
`,
    },
    tests: {
      'it.test.mjs': `import { test } from 'node:test';
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Ticker } from './solution.mjs';

test('ticks between two questions', async () => {
  const ticker = new Ticker();
  ticker.start(5);
  await sleep(60);
  const { count } = ticker;
  ticker.stop();
  assert.ok(count >= 3, \`\${count} ticks\`);
  await sleep(30);
  assert.equal(ticker.count, count);
});
`,
    },
    breaks: [
      ['solution.mjs', 'setInterval', 'setTimeout'],
      ['solution.mjs', 'clearInterval(this.timer)', ''],
    ],
  },
  {
    id: 'retrying-queue',
    artifact: {
      'solution.mjs': `class RetryEvent extends Event {
  constructor(error, attempt) { super('retry', { cancelable: true }); Object.assign(this, { error, attempt }); }
}
export class Queue extends EventTarget {
  async add(work, retries) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await Promise.resolve().then(work);
      } catch (error) {
        await new Promise((resolve) => setTimeout(resolve, attempt));
        if (attempt > retries || !this.dispatchEvent(new RetryEvent(error, attempt))) throw error;
      }
    }
  }
}
`,
    },
    tests: {
      'it.test.mjs': `import { mock, test } from 'node:test';
import assert from 'node:assert/strict';
import { Queue } from './solution.mjs';

test('a listener stops what would be tried again', async () => {
  const queue = new Queue();
  const attempts = [];
  queue.addEventListener('retry', (event) => {
    attempts.push(event.attempt);
    if (event.attempt === 2) event.preventDefault();
  });
  const work = mock.fn(async () => { throw new Error('no'); });
  await assert.rejects(queue.add(work, 5), { message: 'no' });
  assert.deepEqual(attempts, [1, 2]);
  assert.equal(work.mock.callCount(), 2);
});
`,
    },
    breaks: [
      ['solution.mjs', 'cancelable: true', 'cancelable: false'],
      [
        'solution.mjs',
        'Object.assign(this, { error, attempt })',
        'Object.assign(this, { error, attempt: 1 })',
      ],
    ],
  },
  {
    id: 'fragments',
    artifact: {
      'solution.mjs': `const RAW = Symbol('raw');
const known = new WeakSet();
export function sql(strings, ...values) {
  const made = { [RAW]: true, text: strings.raw.join('?'), values };
  known.add(made);
  return made;
}
export const name = (text) => Object.freeze({ [RAW]: true, text: '"' + text + '"', values: [] });
const isRaw = (value) => typeof value === 'object' && value !== null && (known.has(value) || value[RAW] === true);
export function update(patch, parameters = []) {
  const parts = Object.entries(patch).map(([key, value]) => {
    parameters.push(...(isRaw(value) ? value.values : [value]));
    return key + ' = ' + (isRaw(value) ? value.text : '?');
  });
  return { text: parts.join(', '), parameters };
}
`,
    },
    tests: {
      'it.test.mjs': `import { test } from 'node:test';
import assert from 'node:assert/strict';
import { name, sql, update } from './solution.mjs';

test('a fragment that comes back is one', () => {
  assert.deepEqual(update({ a: 1, b: sql\`b + \${2}\`, c: name('d') }), { text: 'a = ?, b = b + ?, c = "d"', parameters: [1, 2] });
});

test('what looks like a fragment is a value', () => {
  const likeness = { text: 'now()', values: [] };
  assert.deepEqual(update({ a: likeness }), { text: 'a = ?', parameters: [likeness] });
  const copy = { ...sql\`now()\` };
  assert.equal(update({ a: copy }).parameters[0], copy);
});

test('what a test changes in a fragment is changed', () => {
  const fragment = sql\`a + \${1}\`;
  update({ a: fragment });
  fragment.values[0] = 5;
  fragment.text += ' + b';
  assert.deepEqual(update({ a: fragment }), { text: 'a = a + ? + b', parameters: [5] });
});
`,
    },
    breaks: [
      ['solution.mjs', '(known.has(value) || value[RAW] === true)', "'text' in value"],
      ['solution.mjs', "strings.raw.join('?')", "strings.raw.join('')"],
      [
        'solution.mjs',
        'isRaw(value) ? value.values : [value]',
        'isRaw(value) ? [...value.values].slice(0, 0) : [value]',
      ],
    ],
  },
  {
    id: 'readers',
    artifact: {
      'solution.mjs': `export function sum(source) {
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  return bytes.reduce((total, byte) => total + byte, 0);
}
`,
    },
    tests: {
      'it.test.mjs': `import { test } from 'node:test';
import assert from 'node:assert/strict';
import { sum } from './solution.mjs';

const padded = new Uint8Array([9, 9, 1, 2, 3, 9]);
for (const [name, source] of Object.entries({
  buffer: new Uint8Array([1, 2, 3]).buffer,
  Buffer: Buffer.from([1, 2, 3]),
  view: padded.subarray(2, -1),
  DataView: new DataView(padded.buffer, 2, 3),
  BufferOfPart: Buffer.from(padded.buffer, 2, 3),
}))
  test(\`sums a \${name}\`, () => assert.equal(sum(source), 6));
`,
    },
    breaks: [
      ['solution.mjs', 'source.buffer, source.byteOffset, source.byteLength', 'source.buffer'],
      ['solution.mjs', 'source.byteOffset, source.byteLength', '0, source.byteLength'],
    ],
  },
  {
    id: 'exact-exports',
    artifact: {
      'package.json': '{ "name": "lengths", "type": "module", "exports": "./index.js" }',
      'index.js': `import { parse } from './parse.js';
export { parse };
export const units = ['mm', 'cm'];
export function format(length) { return length.value + length.unit; }
`,
      'parse.js': `export function parse(text) { const [, value, unit] = /^(\\d+)(.*)$/.exec(text); return { value: Number(value), unit }; }
`,
    },
    tests: {
      'test/lengths.test.js': `/** @import { Length } from 'lengths' */
import assert from 'node:assert/strict';
import { EOL } from 'node:os';
import { test } from 'node:test';
import { format, parse } from 'lengths';
import * as whole from '../index.js';

test('exports what it says', async () => {
  assert.deepEqual(Object.keys(await import('lengths')).sort(), ['format', 'parse', 'units']);
  assert.deepEqual(Object.keys(whole), ['format', 'parse', 'units']);
  assert.ok(!('default' in whole));
  assert.equal(whole.EOL, undefined);
  assert.equal(typeof EOL, 'string');
});
test('reads what it writes', () => assert.equal(format(parse('12mm')), '12mm'));
`,
    },
    breaks: [
      ['index.js', 'export function format', 'export default 1; export function format'],
      ['index.js', 'export { parse };', 'export { parse }; export const EOL = 0;'],
    ],
  },
  {
    id: 'code-of-the-process',
    artifact: {
      'solution.mjs': `export const add = (a, b) => { const before = process.exitCode; process.exitCode = 1; process.exitCode = before; return a + b; };
`,
    },
    tests: {
      'it.test.mjs': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add } from './solution.mjs';

test('adds', () => assert.equal(add(1, 2), 3));
`,
    },
    breaks: [
      ['solution.mjs', 'process.exitCode = before', ''],
      ['solution.mjs', 'export const add', 'process.exitCode = 3; export const add'],
      ['solution.mjs', 'export const add', 'setTimeout(() => { throw new Error(); }, 0); export const add'],
    ],
  },
  {
    id: 'plain-arrays',
    artifact: {
      'solution.mjs': `export const pairs = (count) => ({ list: Array.from({ length: count }, (_, at) => [at, at]) });
`,
    },
    tests: {
      'it.test.mjs': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairs } from './solution.mjs';

test('pairs', () => assert.deepEqual(pairs(2), { list: [[0, 0], [1, 1]] }));
`,
    },
    breaks: [
      ['solution.mjs', 'list: Array.from', 'list: class extends Array {}.from'],
      ['solution.mjs', '[at, at]', 'class Pair extends Array {}.of(at, at)'],
    ],
  },
  {
    id: 'promises-that-have-ended',
    artifact: {
      'solution.mjs': `export class Lock {
  #tail = Promise.resolve();
  acquire() {
    const { promise, resolve } = Promise.withResolvers();
    const before = this.#tail;
    this.#tail = promise;
    return before.then(() => resolve);
  }
}
export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const cached = async (key) => ({ key });
export const failing = async () => { throw new RangeError('no'); };
`,
    },
    tests: {
      'it.test.mjs': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lock, cached, failing, wait } from './solution.mjs';

test('locks', async () => {
  const lock = new Lock();
  const release = await lock.acquire();
  let isHeld = false;
  const second = lock.acquire().then((next) => { isHeld = true; return next; });
  await Promise.resolve();
  assert.equal(isHeld, false);
  release();
  (await second)();
  assert.equal(isHeld, true);
});
test('waits', async () => {
  let isOver = false;
  const waiting = wait(2).then(() => { isOver = true; });
  await null;
  assert.equal(isOver, false);
  await waiting;
});
test('is there at once', async () => {
  let found = null;
  cached('a').then((value) => { found = value; });
  assert.equal(found, null);
  await null;
  assert.deepEqual(found, { key: 'a' });
});
test('is in order', async () => {
  const seen = [];
  cached('a').then(() => seen.push('first'));
  Promise.resolve().then(() => seen.push('second'));
  await cached('b');
  assert.deepEqual(seen, ['first', 'second']);
});
test('fails at once', async () => {
  let name = null;
  failing().catch((error) => { name = error.name; });
  await null;
  assert.equal(name, 'RangeError');
  await assert.rejects(failing(), { message: 'no' });
});
`,
    },
    breaks: [
      ['solution.mjs', 'return before.then(() => resolve)', 'return Promise.resolve(resolve)'],
      ['solution.mjs', 'new Promise((resolve) => setTimeout(resolve, ms))', 'Promise.resolve(ms)'],
      ['solution.mjs', 'async (key) => ({ key })', 'async (key) => { await wait(1); return { key }; }'],
      [
        'solution.mjs',
        "async () => { throw new RangeError('no'); }",
        "async () => { await wait(1); throw new RangeError('no'); }",
      ],
    ],
  },
  {
    id: 'names-that-must-be-there',
    artifact: {
      'solution.mjs': `export const VERSION = '1';
export class Adder {}
export const add = (a, b) => a + b;
export default add;
`,
    },
    tests: {
      'it.test.mjs': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import plus, { Adder, add, VERSION } from './solution.mjs';

test('adds', () => assert.equal(add(1, 2), 3));
test('adds others', () => assert.equal(add(2, 2), 4));
`,
    },
    breaks: [
      ['solution.mjs', 'export const VERSION', 'const VERSION'],
      ['solution.mjs', 'export class Adder', 'class Adder'],
      ['solution.mjs', 'export default add;', ''],
    ],
  },
  {
    id: 'function-with-properties',
    leaning: ['is told what to trace'],
    artifact: {
      'package.json': '{ "name": "failures", "main": "index.js" }',
      'index.js': `'use strict';
const { format } = require('node:util');
function failure(code, text, Base = Error, isTraced = failure.isTraced) {
  function Failure(...args) {
    if (!new.target) return new Failure(...args);
    this.code = code;
    this.name = 'Failure';
    this.message = format(text, ...args);
    if (isTraced) Error.captureStackTrace(this, Failure);
  }
  Failure.prototype = Object.create(Base.prototype, { constructor: { value: Failure, writable: true, configurable: true } });
  return Failure;
}
failure.isTraced = true;
module.exports = failure;
module.exports.Unknown = failure('UNKNOWN', 'unknown %s');
module.exports.failure = failure;
module.exports.default = failure;
`,
    },
    tests: {
      'test/failures.test.js': `const assert = require('node:assert/strict');
const { test } = require('node:test');
const { failure, Unknown } = require('..');
const whole = require('..');

test('makes classes', () => {
  const Missing = failure('MISSING', 'no %s');
  const error = new Missing('page');
  assert.equal(error.message, 'no page');
  assert.ok(error instanceof Missing);
  assert.ok(error instanceof Error);
  assert.ok(Missing('page') instanceof Missing);
});
test('has one', () => {
  const error = new Unknown('host');
  assert.equal(error.message, 'unknown host');
  assert.ok(error instanceof whole.Unknown);
});
test('is itself', () => {
  assert.equal(whole.failure, failure);
  assert.equal(whole.default, failure);
  assert.equal(whole.failure.isTraced, true);
});
test('is told what to trace', () => {
  failure.isTraced = false;
  const Quiet = failure('QUIET', 'quiet');
  failure.isTraced = true;
  assert.equal(new Quiet().stack, undefined);
  assert.equal(whole.isTraced, true);
});
`,
    },
    breaks: [
      ['index.js', 'format(text, ...args)', 'text'],
      ['index.js', 'isTraced = failure.isTraced', 'isTraced = true'],
      ['index.js', 'failure.isTraced = true;', ''],
      [
        'index.js',
        'module.exports.failure = failure;',
        'module.exports.failure = (...args) => failure(...args);',
      ],
    ],
  },
];
