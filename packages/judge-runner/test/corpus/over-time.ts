import type { WrongParts } from '../wrong-parts.ts';

/** Programs whose values change between two looks of a test: by themselves, with time, or through what they keep. */
export const overTimeCases: readonly WrongParts[] = [
  {
    ...{ id: 'values that are computed', language: 'javascript' },
    artifact: `
import fs from 'node:fs';
export class Limiter { #left; constructor(left) { this.#left = left; } get allowed() { return this.#left-- > 0; } }
export const createLimiter = (left) => { let rest = left; return { get allowed() { return rest-- > 0; }, reset() { rest = left; } }; };
export class Tag { toString() { return '<a>'; } valueOf() { return 7; } }
export class Row { constructor() { Object.defineProperty(this, 'size', { enumerable: true, get: () => 1 }); } }
export class Watch { #begun = performance.now(); #spent; stop() { this.#spent = performance.now() - this.#begun; } get spent() { return this.#spent ?? performance.now() - this.#begun; } }
export class Page { #file; constructor(file) { this.#file = file; } get text() { return fs.readFileSync(this.#file, 'utf8'); } get exists() { return fs.existsSync(this.#file); } }
export class Letter { #text; constructor(file) { this.#text = fs.readFileSync(file, 'utf8'); } get text() { return this.#text; } }
export class Entry { #until = Date.now() + 1000; get isFresh() { return Date.now() < this.#until; } }
export class Ring { #at = 0; #items; constructor(items) { this.#items = items; } get next() { return this.#items[this.#at++ % this.#items.length]; } }
export class Meter { #count = 0; get hit() { this.#count += 1; return true; } count() { return this.#count; } }
export class Mode { get name() { return globalThis.modeOfTest; } }
export class Die { get roll() { return 1 + Math.floor(Math.random() * 6); } }
`,
    tests: `
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { mock, test } from 'node:test';
import { createLimiter, Die, Entry, Letter, Limiter, Meter, Mode, Page, Ring, Row, Tag, Watch } from 'solution';
const busy = (ms) => { const begun = performance.now(); while (performance.now() - begun < ms); };
const file = () => path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'page-')), 'a.txt');
test('five are allowed', () => { const limiter = new Limiter(5); for (let i = 0; i < 5; i++) assert.equal(limiter.allowed, true); assert.equal(limiter.allowed, false); });
test('five of a factory', () => { const limiter = createLimiter(5); for (let i = 0; i < 5; i++) assert.equal(limiter.allowed, true); assert.equal(limiter.allowed, false); });
test('stays a text', () => { const tag = new Tag(); for (let i = 0; i < 4; i++) assert.equal(\`\${tag}\`, '<a>'); });
test('stays a number', () => { const tag = new Tag(); for (let i = 0; i < 4; i++) assert.equal(+tag, 7); });
test('is spread', () => { const row = new Row(); for (let i = 0; i < 4; i++) assert.deepEqual({ ...row }, { size: 1 }); });
test('stands still', () => { const watch = new Watch(); watch.stop(); const { spent } = watch; assert.equal(watch.spent, spent); busy(5); assert.equal(watch.spent, spent); });
test('goes on', () => { const watch = new Watch(); const { spent } = watch; busy(5); assert.ok(watch.spent - spent >= 5); const next = watch.spent; busy(5); assert.ok(watch.spent - next >= 5); });
test('reads the file', () => { const name = file(); const page = new Page(name); assert.equal(page.exists, false); assert.equal(page.exists, false); fs.writeFileSync(name, '1'); assert.equal(page.exists, true); assert.equal(page.text, '1'); assert.equal(page.text, '1'); fs.writeFileSync(name, '2'); assert.equal(page.text, '2'); });
test('has read the file', () => { const name = file(); fs.writeFileSync(name, '1'); const letter = new Letter(name); assert.equal(letter.text, '1'); assert.equal(letter.text, '1'); fs.writeFileSync(name, '2'); assert.equal(letter.text, '1'); });
test('expires', () => { let now = 0; const clock = mock.method(Date, 'now', () => now); const entry = new Entry(); const found = [entry.isFresh, entry.isFresh]; now = 5000; found.push(entry.isFresh); clock.mock.restore(); assert.deepEqual(found, [true, true, false]); });
test('turns', () => { const ring = new Ring(['a', 'a', 'a', 'b']); assert.deepEqual([ring.next, ring.next, ring.next, ring.next], ['a', 'a', 'a', 'b']); });
test('counts', () => { const meter = new Meter(); for (let i = 0; i < 5; i++) assert.equal(meter.hit, true); assert.equal(meter.count(), 5); });
test('follows a global', () => { globalThis.modeOfTest = 'a'; const mode = new Mode(); const found = [mode.name, mode.name]; globalThis.modeOfTest = 'b'; found.push(mode.name); delete globalThis.modeOfTest; assert.deepEqual(found, ['a', 'a', 'b']); });
test('rolls', () => { const numbers = [0.1, 0.1, 0.1, 0.9]; const random = mock.method(Math, 'random', () => numbers.shift()); const die = new Die(); const found = [die.roll, die.roll, die.roll, die.roll]; random.mock.restore(); assert.deepEqual(found, [1, 1, 1, 6]); });
`,
    wrong: [
      ['{ this.#left = left; }', '{ this.#left = 2; }', 'five are allowed'],
      ['let rest = left;', 'let rest = 2;', 'five of a factory'],
      [
        "toString() { return '<a>'; }",
        "n = 0; toString() { return this.n++ < 2 ? '<a>' : '</a>'; }",
        'stays a text',
      ],
      ['valueOf() { return 7; }', 'm = 0; valueOf() { return this.m++ < 2 ? 7 : 8; }', 'stays a number'],
      ['get: () => 1 }', 'get: () => (this.n = (this.n ?? 0) + 1) < 7 ? 1 : 2 }', 'is spread'],
      ['this.#spent = performance.now() - this.#begun;', '', 'stands still'],
      [
        'return this.#spent ?? performance.now()',
        'this.#spent ??= performance.now(); return this.#spent',
        'goes on',
      ],
      [
        "get text() { return fs.readFileSync(this.#file, 'utf8'); }",
        "#text; get text() { return (this.#text ??= fs.readFileSync(this.#file, 'utf8')); }",
        'reads the file',
      ],
      [
        "#text; constructor(file) { this.#text = fs.readFileSync(file, 'utf8'); } get text() { return this.#text; }",
        "#name; constructor(name) { this.#name = name; } get text() { return fs.readFileSync(this.#name, 'utf8'); }",
        'has read the file',
      ],
      ['return Date.now() < this.#until', 'return this.#until > 0', 'expires'],
      ['this.#at++ %', 'Math.min(this.#at++, 2) %', 'turns'],
      ['this.#count += 1;', 'this.#count = Math.min(this.#count + 1, 2);', 'counts'],
      [
        'get name() { return globalThis.modeOfTest; }',
        '#name = globalThis.modeOfTest; get name() { return this.#name; }',
        'follows a global',
      ],
      ['get roll() { return 1', 'get roll() { return 1; } get other() { return 1', 'rolls'],
    ],
  },
];
