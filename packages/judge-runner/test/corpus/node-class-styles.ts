/* Classes of Node that programs export again, or extend, and that tests use, extend and give back. */

import type { StylesCase } from './program-styles.ts';

export const nodeClassStyles: readonly StylesCase[] = [
  {
    id: 'emitters of Node',
    references: ['exported again'],
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventEmitter as Own } from 'node:events';
import * as s from 'solution';
class Mine extends s.EventEmitter { constructor(n) { super(); this.n = n; } hit() { this.emit('hit', this.n); } }
test('extends', () => { const m = new Mine(3); let got; m.on('hit', (x) => { got = x; }); m.hit(); assert.equal(got, 3); assert.ok(m instanceof s.EventEmitter); assert.equal(m.listenerCount('hit'), 1); });
test('same', () => { assert.equal(s.EventEmitter, Own); });
test('bare', () => { const e = new s.EventEmitter(); let n = 0; e.once('a', () => { n++; }); e.emit('a'); e.emit('a'); assert.equal(n, 1); });
class Sub extends s.Emitter { go(x) { return this.emitTwice('a', x); } }
test('extends what extends', () => { const b = new Sub(); const got = []; b.on('a', (x) => got.push(x)); b.go(4); assert.deepEqual(got, [4, 4]); assert.ok(b instanceof Own); assert.equal(b.count, 2); });
test('its own', () => { const b = new s.Emitter(); const got = []; b.on('a', function (x) { got.push(x, this === b); }); b.emitTwice('a', 1); assert.deepEqual(got, [1, true, 1, true]); assert.equal(b.listenerCount('a'), 1); b.off('a', () => {}); assert.deepEqual(b.eventNames(), ['a']); });
test('given', () => { const m = new Mine(2); const got = []; m.on('x', (v) => got.push(v)); s.send(m, 'x', 5); assert.deepEqual(got, [5]); });
test('wired', () => { const m = new Mine(7); const w = s.watch(m, 'hit'); m.hit(); m.hit(); assert.deepEqual(w.seen(), [7, 7]); });
test('override', () => { class Loud extends s.Emitter { emit(name, ...args) { return super.emit(name.toUpperCase(), ...args); } } const l = new Loud(); const got = []; l.on('A', (x) => got.push(x)); l.emitTwice('a', 2); assert.deepEqual(got, [2, 2]); });`,
    styles: {
      'exported again': `import { EventEmitter } from 'node:events';
export { EventEmitter } from 'node:events';
export class Emitter extends EventEmitter { count = 0; emitTwice(n, ...a) { this.emit(n, ...a); this.emit(n, ...a); this.count += 2; } }
export const send = (e, n, v) => e.emit(n, v);
export const watch = (e, n) => { const all = []; e.on(n, (x) => all.push(x)); return { seen: () => all }; };`,
      'by another name': `import * as events from 'node:events';
import Default from 'node:events';
export const EventEmitter = Default;
export class Emitter extends Default { constructor() { super({ captureRejections: false }); this.count = 0; } emitTwice(n, ...a) { for (let i = 0; i < 2; i++) { super.emit === undefined; this.emit(n, ...a); this.count++; } } }
export const send = (e, n, v) => { e.emit(n, v); };
export const watch = (e, n) => { const all = []; e.addListener(n, (x) => { all.push(x); }); return { seen() { return [...all]; } }; };`,
      'that are checked': `import { EventEmitter as E } from 'node:events';
export class Emitter extends E { count = 0; emitTwice(n, ...a) { this.emit(n, ...a); this.emit(n, ...a); this.count += 2; } }
export { E as EventEmitter };
export const send = (e, n, v) => e.emit(n, v);
export const watch = (e, n) => { if (!(e instanceof E)) throw new TypeError('no emitter'); const all = []; e.on(n, (x) => all.push(x)); return { seen: () => all }; };`,
    },
    wrong: {
      'emit twice': `import { EventEmitter as E } from 'node:events';
export class EventEmitter extends E { emit(n, ...a) { super.emit(n, ...a); return super.emit(n, ...a); } }
export class Emitter extends E { count = 0; emitTwice(n, ...a) { this.emit(n, ...a); this.count += 1; } }
export const send = (e, n, v) => true;
export const watch = (e, n) => { const all = []; e.on(n, (x) => all.push(x)); return { seen: () => [7] }; };`,
      'whose prototype has changed': `import { EventEmitter } from 'node:events';
const { emit } = EventEmitter.prototype;
EventEmitter.prototype.emit = function (n, ...a) { return emit.call(this, n, ...a.map((x) => x + 1)); };
export { EventEmitter } from 'node:events';
export class Emitter extends EventEmitter { count = 0; emitTwice(n, ...a) { emit.call(this, n, ...a); emit.call(this, n, ...a); this.count += 2; } }
export const send = (e, n, v) => emit.call(e, n, v);
export const watch = (e, n) => { const all = []; e.on(n, (x) => all.push(x)); return { seen: () => all }; };`,
    },
  },
  {
    id: 'emitters of Node and of the program',
    references: ['exported again', 'own class'],
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventEmitter as Own } from 'node:events';
import * as s from 'solution';
class Mine extends s.EventEmitter { constructor(n) { super(); this.n = n; } hit() { this.emit('hit', this.n); } }
test('extends', () => { const m = new Mine(3); let got; m.on('hit', (x) => { got = x; }); m.hit(); assert.equal(got, 3); assert.ok(m instanceof s.EventEmitter); assert.equal(m.listenerCount('hit'), 1); });
test('bare', () => { const e = new s.EventEmitter(); let n = 0; e.once('a', () => { n++; }); e.emit('a'); e.emit('a'); assert.equal(n, 1); });
class Sub extends s.Emitter { go(x) { return this.emitTwice('a', x); } }
test('extends what extends', () => { const b = new Sub(); const got = []; b.on('a', (x) => got.push(x)); b.go(4); assert.deepEqual(got, [4, 4]); assert.ok(b instanceof Own); assert.equal(b.count, 2); });
test('its own', () => { const b = new s.Emitter(); const got = []; b.on('a', function (x) { got.push(x, this === b); }); b.emitTwice('a', 1); assert.deepEqual(got, [1, true, 1, true]); assert.equal(b.listenerCount('a'), 1); b.off('a', () => {}); assert.deepEqual(b.eventNames(), ['a']); });
test('override', () => { class Loud extends s.Emitter { emit(name, ...args) { return super.emit(name.toUpperCase(), ...args); } } const l = new Loud(); const got = []; l.on('A', (x) => got.push(x)); l.emitTwice('a', 2); assert.deepEqual(got, [2, 2]); });`,
    styles: {
      'exported again': `import { EventEmitter } from 'node:events';
export { EventEmitter } from 'node:events';
export class Emitter extends EventEmitter { count = 0; emitTwice(n, ...a) { this.emit(n, ...a); this.emit(n, ...a); this.count += 2; } }
export const send = (e, n, v) => e.emit(n, v);
export const watch = (e, n) => { const all = []; e.on(n, (x) => all.push(x)); return { seen: () => all }; };`,
      'by another name': `import * as events from 'node:events';
import Default from 'node:events';
export const EventEmitter = Default;
export class Emitter extends Default { constructor() { super({ captureRejections: false }); this.count = 0; } emitTwice(n, ...a) { for (let i = 0; i < 2; i++) { super.emit === undefined; this.emit(n, ...a); this.count++; } } }
export const send = (e, n, v) => { e.emit(n, v); };
export const watch = (e, n) => { const all = []; e.addListener(n, (x) => { all.push(x); }); return { seen() { return [...all]; } }; };`,
      'own class': `export class EventEmitter { #all = new Map(); on(n, f) { if (!this.#all.has(n)) this.#all.set(n, []); this.#all.get(n).push(f); return this; } off(n, f) { this.#all.set(n, (this.#all.get(n) ?? []).filter((x) => x !== f)); return this; } once(n, f) { const g = (...a) => { this.off(n, g); f.apply(this, a); }; return this.on(n, g); } emit(n, ...a) { const l = this.#all.get(n) ?? []; for (const f of [...l]) f.apply(this, a); return l.length > 0; } listenerCount(n) { return (this.#all.get(n) ?? []).length; } eventNames() { return [...this.#all.keys()]; } }
import { EventEmitter as E } from 'node:events';
export class Emitter extends E { count = 0; emitTwice(n, ...a) { this.emit(n, ...a); this.emit(n, ...a); this.count += 2; } }`,
    },
    wrong: {
      'emit once': `import { EventEmitter as E } from 'node:events';
export class EventEmitter extends E { emit(n, ...a) { super.emit(n, ...a); return super.emit(n, ...a); } }
export class Emitter extends E { count = 0; emitTwice(n, ...a) { this.emit(n, ...a); this.count += 1; } }
export const send = (e, n, v) => true;
export const watch = (e, n) => { const all = []; e.on(n, (x) => all.push(x)); return { seen: () => [7] }; };`,
      'whose prototype has changed': `import { EventEmitter } from 'node:events';
const { emit } = EventEmitter.prototype;
EventEmitter.prototype.emit = function (n, ...a) { return emit.call(this, n, ...a.map((x) => x + 1)); };
export { EventEmitter } from 'node:events';
export class Emitter extends EventEmitter { count = 0; emitTwice(n, ...a) { emit.call(this, n, ...a); this.emit(n, ...a); this.count += 2; } }`,
    },
  },
  {
    id: 'other classes of Node',
    references: ['exported again'],
    tests: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as s from 'solution';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
class Up extends s.Transform { _transform(c, _e, done) { done(null, String(c).toUpperCase()); } }
test('stream', async () => { const out = []; await pipeline(Readable.from(['a', 'b']), new Up(), async (it) => { for await (const c of it) out.push(String(c)); }); assert.equal(out.join(''), 'AB'); });
class Target extends s.EventTarget { fire() { this.dispatchEvent(new Event('x')); } }
test('target', () => { const t = new Target(); let n = 0; t.addEventListener('x', () => { n++; }); t.fire(); assert.equal(n, 1); });
class Store extends s.AsyncLocalStorage { id() { return this.getStore()?.id; } }
test('storage', () => { const st = new Store(); assert.equal(st.run({ id: 3 }, () => st.id()), 3); });
class Grown extends s.MyMap { twice(k) { return this.get(k) * 2; } }
test('map', () => { const m = new Grown([['a', 2]]); assert.equal(m.twice('a'), 4); });
test('url', () => { class U extends s.URL { short() { return this.host; } } assert.equal(new U('http://a.b/c').short(), 'a.b'); });`,
    styles: {
      'exported again': `export { Transform } from 'node:stream';
export { AsyncLocalStorage } from 'node:async_hooks';
export { URL } from 'node:url';
const T = EventTarget; export { T as EventTarget };
export class MyMap extends Map {}`,
    },
    wrong: {
      'without a method': `export { PassThrough as Transform } from 'node:stream';
export { AsyncLocalStorage } from 'node:async_hooks';
export { URL } from 'node:url';
const T = EventTarget; export { T as EventTarget };
export class MyMap extends Map { get() { return 0; } }`,
    },
  },
];
