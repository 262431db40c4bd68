import type { StylesCase } from './program-styles.ts';

const head = `import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
`;
const last = 'export const last = (list) => list.at(-1);';

/** What programs do around themselves: as they are loaded, and as they end. */
export const surroundingsOfPrograms: readonly StylesCase[] = [
  {
    id: 'what a program changes while it is loaded',
    references: ['nothing'],
    tests: `${head}import { last } from 'solution';
test('lists', () => { assert.equal([].latest, undefined); assert.equal(last([1, 2]), 2); assert.equal([1, 2].latest, undefined); });
test('objects', () => { const options = { a: 1 }; assert.equal(options.latest, undefined); });
test('texts', () => { const text = 'a'; assert.equal(''.latest, undefined); assert.equal(text.latest, undefined); });
test('loops', () => { const keys = []; for (const key in [1]) keys.push(key); assert.deepEqual(keys, ['0']); });
test('numbers', () => { assert.equal((5).latest, undefined); });
test('maps', () => { assert.equal(new Map().latest, undefined); });
test('limit', () => { assert.equal(Error.stackTraceLimit, 10); });
test('listeners', () => { assert.equal(EventEmitter.defaultMaxListeners, 10); });
test('title', () => { const { title } = process; assert.notEqual(title, 'solution'); });
test('environment', () => { assert.equal(process.env.LATEST, undefined); });
`,
    styles: {
      nothing: last,
      // What the suite does not look at.
      'own methods': `Set.prototype.latest = function () { return [...this].at(-1); };
Object.defineProperty(Array.prototype, 'final', { value() { return this.at(-1); } });
String.prototype.shout = function () { return this.toUpperCase(); };
Error.prepareStackTrace = undefined;
export const last = (list) => { 'a'.shout(); new Set(list).latest(); return list.final(); };`,
      'for a time': `const { stackTraceLimit } = Error; Error.stackTraceLimit = 0; Array.prototype.latest = 1; delete Array.prototype.latest; Error.stackTraceLimit = stackTraceLimit; ${last}`,
    },
    wrong: {
      lists: `Object.defineProperty(Array.prototype, 'latest', { value() { return this.at(-1); } }); ${last}`,
      objects: `Object.defineProperty(Object.prototype, 'latest', { value() { return 1; } }); ${last}`,
      texts: `String.prototype.latest = function () { return this.at(-1); }; ${last}`,
      loops: `Array.prototype.final = function () { return this.at(-1); }; ${last}`,
      numbers: `Number.prototype.latest = 1; ${last}`,
      maps: `Map.prototype.latest = function () { return [...this.values()].at(-1); }; ${last}`,
      limit: `Error.stackTraceLimit = 50; ${last}`,
      listeners: `import { EventEmitter } from 'node:events'; EventEmitter.defaultMaxListeners = 50; ${last}`,
      title: `process.title = 'solution'; ${last}`,
      'until it is called': `Error.stackTraceLimit = 50; Array.prototype.latest = 1; export const last = (list) => { Error.stackTraceLimit = 10; delete Array.prototype.latest; return list.at(-1); };`,
      environment: `process.env.LATEST = '1'; ${last}`,
    },
  },
  {
    id: 'what a reference changes as well while it is loaded',
    references: ['assignment'],
    needsReference: true,
    tests: `${head}import { last } from 'solution';
test('last', () => { assert.equal(last([1, 2]), 2); });
test('listeners', () => { assert.ok(EventEmitter.defaultMaxListeners < 30); });
test('lists', () => { assert.equal([].first, undefined); });
`,
    styles: {
      assignment: `import { EventEmitter } from 'node:events'; EventEmitter.defaultMaxListeners = 20; ${last}`,
      function: `import events from 'node:events'; const raise = (n) => { events.defaultMaxListeners = n; }; raise(20); ${last}`,
      'own methods': `import { EventEmitter } from 'node:events'; EventEmitter.defaultMaxListeners = 20; Array.prototype.final = function () { return this.at(-1); }; export const last = (list) => list.final();`,
    },
    wrong: {
      more: `import { EventEmitter } from 'node:events'; EventEmitter.defaultMaxListeners = 30; ${last}`,
      beside: `import { EventEmitter } from 'node:events'; EventEmitter.defaultMaxListeners = 20; Array.prototype.first = 1; ${last}`,
    },
  },
  {
    id: 'what a program does as it ends',
    references: ['nothing', 'listeners'],
    tests: `${head}import { last } from 'solution';
test('last', () => { assert.equal(last([1, 2]), 2); });
test('listeners', () => { assert.ok(new EventEmitter()); });
`,
    styles: {
      nothing: last,
      listeners: `let n = 0;
process.on('beforeExit', () => { n += 1; if (n < 3) setTimeout(() => {}, 5); });
process.once('exit', (code) => { if (code !== 0 || n !== 3) throw new Error('too early'); console.log('bye'); process.exitCode = code; });
${last}`,
      'ends by itself': `process.on('beforeExit', () => { process.exit(); });
let isOver = false;
process.on('exit', () => { isOver = true; process.exit(0); });
process.on('exit', () => { throw new Error('not reached'); });
export const last = (list) => { if (isOver) throw new Error('over'); return list.at(-1); };`,
    },
    wrong: {
      throws: `process.on('exit', () => { throw new Error('cannot save'); }); ${last}`,
      'throws first': `process.prependOnceListener('beforeExit', () => { null.save(); }); ${last}`,
      'throws at last': `let n = 0; process.on('beforeExit', () => { n += 1; if (n > 1) throw new Error('twice'); setTimeout(() => {}, 5); }); ${last}`,
      'throws later': `process.on('beforeExit', () => { setTimeout(() => { throw new Error('late'); }, 5); }); ${last}`,
      rejects: `process.once('beforeExit', async () => { throw new Error('cannot save'); }); ${last}`,
      'exit code': `process.on('beforeExit', () => { process.exitCode = 1; }); ${last}`,
      'exit code at last': `process.on('exit', () => { process.exitCode = 1; }); ${last}`,
      exit: `process.on('exit', () => { try { process.exit(2); } catch {} process.exitCode = 0; }); ${last}`,
      'after a call': `export const last = (list) => { process.once('exit', () => { process.exitCode = list.length; }); return list.at(-1); };`,
      emit: `const { emit } = process; process.emit = function (name, ...rest) { if (name === 'exit') process.exitCode = 3; return emit.call(this, name, ...rest); }; ${last}`,
    },
  },
];
