import type { StylesCase } from './program-styles.ts';

const rest = `export const parse = Object.assign((s) => s, { strict: (s) => s.toUpperCase(), version: '1' });
export const make = () => new Level(1);`;
const level = `export class Level { static LOW = 1; static HIGH = 2; constructor(n) { this.n = n; } static of(n) { return new Level(n); } }`;

/** Properties that functions and classes list. */
export const listedProperties: readonly StylesCase[] = [
  {
    id: 'what functions and classes list',
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Level, make, parse } from 'solution';
test('keys', () => { assert.deepEqual(Object.keys(Level), ['LOW', 'HIGH']); assert.deepEqual(Object.entries(Level), [['LOW', 1], ['HIGH', 2]]); });
test('copy', () => { const { ...all } = Level; assert.deepEqual(all, { LOW: 1, HIGH: 2 }); assert.equal({ ...parse }.strict('a'), 'A'); });
test('loop', () => { const keys = []; for (const key in parse) keys.push(key); assert.deepEqual(keys, ['strict', 'version']); assert.equal(parse.strict('a'), 'A'); });
test('own', () => { assert.ok(Object.hasOwn(parse, 'version')); assert.ok(!Object.hasOwn(parse, 'debug')); assert.equal(Object.keys(make).length, 0); });
test('object', () => { assert.equal(make().n, 1); assert.deepEqual(Object.keys(new Level(1)), ['n']); });
`,
    styles: {
      class: `${level}\n${rest}`,
      older: `export function Level(n) { this.n = n; }
Level.LOW = 1; Level.HIGH = 2; Level.prototype.of = function (n) { return new Level(n); };
export function parse(s) { return s; }
parse.strict = function (s) { return s.toUpperCase(); };
parse.version = '1';
export function make() { return new Level(1); }`,
    },
    wrong: {
      'property more': `${level}\n${rest.replace('version:', 'debug: true, version:')}`,
      'static more': `${level.replace('HIGH = 2', 'HIGH = 2; static MID = 3')}\n${rest}`,
      'static getter': `${level.replace('static HIGH = 2', 'static get HIGH() { return 2; }')}\n${rest}`,
      order: `${level.replace('LOW = 1; static HIGH = 2', 'HIGH = 2; static LOW = 1')}\n${rest}`,
      unlisted: `${level}\n${rest} Object.defineProperty(parse, 'version', { enumerable: false });`,
      'property of a function': `${level}\n${rest} make.debug = 1;`,
    },
  },
];
