/* Constructs of node:test that do not always work in two boxes, as `docs/split-node-test.md` lists them. */

import type { DocumentedCase } from './documented-case.ts';

export const limitsOfNodeTest: readonly DocumentedCase[] = [
  {
    construct: 'an expected object of a class that checks',
    program: `export class M { constructor(a) { if (a < 0) throw new RangeError("neg"); this.a = Math.round(a); } plus(o) { return new M(this.a + o.a); } }
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { M } from 'solution';
test('a', () => assert.deepEqual(new M(1).plus(new M(2)), new M(3)));
`,
    without: 'refused',
    with: 'passes',
  },
  {
    construct: 'an expected object of a named class that checks',
    program: `export class M { constructor(a) { if (a < 0) throw new RangeError("neg"); this.a = Math.round(a); } plus(o) { return new M(this.a + o.a); } }
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { M } from 'solution';
test('a', () => assert.deepEqual(new M(1).plus(new M(2)), new M(3)));
`,
    fields: { objects: ['M'] },
    without: 'passes',
    with: 'passes',
  },
  {
    construct: 'the number of an answer',
    program: `export class M { constructor(a) { this.a = a; } valueOf() { return this.a; } toString() { return \`$\${this.a}\`; } toJSON() { return { amount: this.a }; } }
export const add = (a, b) => new M(a.a + b.a);
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { M, add } from 'solution';
test('a', () => { assert.ok(new M(1) < new M(2)); assert.equal(\`\${new M(1)}\`, '$1'); assert.equal(new M(3) - new M(1), 2); });
test('json', () => assert.equal(JSON.stringify(new M(1)), '{"amount":1}'));
test('b', () => assert.equal(add(new M(1), new M(2)) - new M(3), 0));
`,
    without: 'refused',
    with: 'passes',
  },
  {
    construct: 'methods of what a method answers',
    program: `const str = () => ({ min(n) { this.n = n; return this; }, test(v) { return v.length >= (this.n ?? 0); } });
export const s = { string: str };
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { s } from 'solution';
test('a', () => { const schema = s.string().min(2); assert.equal(schema.test('ab'), true); });
`,
    without: 'refused',
    with: 'passes',
  },
  {
    construct: 'methods of what a named function answers',
    program: `const str = () => ({ min(n) { this.n = n; return this; }, test(v) { return v.length >= (this.n ?? 0); } });
export const s = { string: str };
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { s } from 'solution';
const schema = s.string().min(2);
test('a', () => { assert.equal(schema.test('ab'), true); });
`,
    fields: { objects: ['string'] },
    without: 'passes',
    with: 'passes',
  },
  {
    construct: 'an own error with an error as its cause',
    program: `export class F extends Error {} export const g = () => new F("m", { cause: new Error("q") });
`,
    tests: `import { test, mock } from 'node:test';
import assert from 'node:assert/strict';
import { g, F } from 'solution';
test('b', () => assert.deepEqual(g(), new F('m', { cause: new Error('q') })));
`,
    without: 'refused',
    with: 'passes',
  },
  {
    construct: 'a mock of an export',
    program: `export const fetchIt = () => 1; export const use = () => fetchIt() + 1;
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import * as sol from 'solution';
test('a', (t) => { t.mock.method(sol, 'fetchIt', () => 5); assert.equal(sol.use(), 6); });
`,
    without: 'fails',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'a mock of a module',
    program: `import fs from "node:fs"; export const read = () => fs.readFileSync("x", "utf8");
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { read } from 'solution';
test('a', (t) => { t.mock.module('node:fs', { defaultExport: { readFileSync: () => 'y' } }); assert.equal(read(), 'y'); });
`,
    without: 'fails',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'tests that are skipped or still to be done',
    program: `export const f = () => 1;
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { f } from 'solution';
test('a', { skip: true }, () => {});
test.todo('b');
test('c', () => assert.equal(f(), 1));
`,
    without: 'fails',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'a file of the suite that the module reads',
    program: `import fs from "node:fs"; export const load = (p) => fs.readFileSync(p, "utf8");
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { load } from 'solution';
test('a', () => assert.equal(load(new URL('./data/a.txt', import.meta.url)), 'hello'));
`,
    files: { 'data/a.txt': 'hello' },
    without: 'fails',
    with: 'passes',
  },
  {
    construct: 'a shared file of the suite that the module reads',
    program: `import fs from "node:fs"; export const load = (p) => fs.readFileSync(p, "utf8");
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { load } from 'solution';
test('a', () => assert.equal(load(new URL('./data/a.txt', import.meta.url)), 'hello'));
`,
    files: { 'data/a.txt': 'hello' },
    fields: { shared: ['data'] },
    without: 'passes',
    with: 'passes',
  },
  {
    construct: 'a server of the module',
    program: `import http from "node:http"; export const createApp = () => http.createServer((q, r) => r.end("hi"));
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { createApp } from 'solution';
test('a', async () => { const s = createApp(); await new Promise((r) => s.listen(0, r)); const r = await fetch(\`http://127.0.0.1:\${s.address().port}/\`); assert.equal(await r.text(), 'hi'); s.close(); });
`,
    without: 'fails',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'a server of the test',
    program: `export const handler = (q, r) => r.end("hi");
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import http from 'node:http';
import { handler } from 'solution';
test('a', async () => { const s = http.createServer(handler); await new Promise((r) => s.listen(0, r)); s.close(); });
`,
    without: 'refused',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'the module in a process',
    program: `console.log("hi");
export const f = () => 1;
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { f } from 'solution';
test('a', () => { f(); assert.equal(execFileSync(process.execPath, ['solution.mjs'], { encoding: 'utf8' }), 'hi\\n'); });
`,
    without: 'SUITE_UNSUPPORTED',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'an answer that is run',
    program: `export const expr = () => "1 + 2";
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { expr } from 'solution';
test('a', () => assert.equal(eval(expr()), 3));
`,
    without: 'SUITE_UNSUPPORTED',
    with: 'passes',
  },
  {
    construct: 'an answer that is compiled',
    program: `export const compile = (t) => \`return \${JSON.stringify(t)}\`;
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { compile } from 'solution';
test('a', () => assert.equal(new Function(compile('a'))(), 'a'));
`,
    without: 'SUITE_UNSUPPORTED',
    with: 'passes',
  },
  {
    construct: 'a snapshot that is not there',
    program: `export const f = () => ({ a: 1 });
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { f } from 'solution';
test('a', (t) => t.assert.snapshot(f()));
`,
    without: 'fails',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'a function of the module as a test',
    program: `export const wrap = (f) => f; export const add = (a, b) => a + b;
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { wrap, add } from 'solution';
test('a', wrap(() => assert.equal(add(1, 2), 3)));
`,
    without: 'SUITE_UNSUPPORTED',
    with: 'SUITE_UNSUPPORTED',
  },
  {
    construct: 'the memory of the process',
    program: `export const f = () => 1;
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { f } from 'solution';
test('a', () => { f(); assert.ok(process.memoryUsage().heapUsed < 1e10); });
`,
    without: 'SUITE_UNSUPPORTED',
    with: 'SUITE_UNSUPPORTED',
  },
  {
    construct: 'a global that is set while the module is loaded',
    program: `globalThis.MYLIB = 5; export const f = () => 1;export const g = () => { globalThis.OTHER = 6; };
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { f, g } from 'solution';
test('a', () => { f(); assert.equal(globalThis.MYLIB, 5); });
test('b', () => { g(); assert.equal(globalThis.OTHER, 6); });
`,
    without: 'passes',
    with: 'passes',
  },
  {
    construct: 'a package',
    program: `export const f = () => 1;
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import sinon from 'sinon';
import { f } from 'solution';
test('a', () => assert.equal(f(), 1));
`,
    without: 'SUITE_UNSUPPORTED',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'another test tool',
    program: `export const f = () => 1;
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { expect } from 'vitest';
import { f } from 'solution';
test('a', () => expect(f()).toBe(1));
`,
    without: 'SUITE_UNSUPPORTED',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'no import of the module',
    program: `export const f = () => 1;
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
test('a', () => assert.ok(true));
`,
    without: 'SUITE_INVALID',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'a stream that a function answers',
    program: `import { Transform } from "node:stream"; export const up = () => new Transform({ transform(c, _e, d) { d(null, String(c).toUpperCase()); } }); export const into = (s) => { s.write("a"); s.end(); };
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { up, into } from 'solution';
test('a', async () => { let t = ''; await pipeline(Readable.from(['a', 'b']), up(), async (s) => { for await (const c of s) t += c; }); assert.equal(t, 'AB'); });
test('b', () => { let t = ''; const w = new Writable({ write(c, _e, d) { t += c; d(); } }); into(w); assert.equal(t, 'a'); });
`,
    without: 'refused',
    with: 'passes',
  },
  {
    construct: 'a stream that a named function answers',
    program: `import { Transform } from "node:stream"; export const up = () => new Transform({ transform(c, _e, d) { d(null, String(c).toUpperCase()); } });
`,
    tests: `import { test, mock } from 'node:test';
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { up } from 'solution';
test('a', async () => { let t = ''; await pipeline(Readable.from(['a', 'b']), up(), async (s) => { for await (const c of s) t += c; }); assert.equal(t, 'AB'); });
`,
    fields: { objects: ['up'] },
    without: 'passes',
    with: 'passes',
  },
  {
    construct: 'a stream of the test that is piped',
    program: `import { Transform } from "node:stream"; export const copy = (a, b) => new Promise((y) => { a.pipe(new Transform({ transform(c, _e, d) { d(null, String(c).toUpperCase()); } })).pipe(b); b.on("finish", y); });
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { Readable, PassThrough } from 'node:stream';
import { copy } from 'solution';
test('a', async () => { const out = new PassThrough(); await copy(Readable.from(['a']), out); assert.equal(String(out.read()), 'A'); });
`,
    without: 'refused',
    with: 'passes',
  },
  {
    construct: 'a symbol as a key',
    program: `export const KEY = Symbol("k"); export const tagged = () => ({ [KEY]: 1, a: 2 }); export const reg = Symbol.for("x");
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { KEY, tagged, reg } from 'solution';
test('a', () => assert.equal(tagged()[KEY], 1));
test('b', () => assert.equal(reg, Symbol.for('x')));
`,
    without: 'fails',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'two files that expect a fresh module',
    program: `let n = 0; export const inc = () => ++n;
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { inc } from 'solution';
test('a', () => assert.equal(inc(), 1));
`,
    files: {
      'b.test.mjs':
        "import test from 'node:test'; import assert from 'node:assert'; import { inc } from 'solution'; test('b', () => assert.equal(inc(), 1));\n",
    },
    without: 'fails',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'a rejected promise that nothing handles',
    program: `export const go = () => { Promise.reject(new Error("lost")); return 1; };
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { go } from 'solution';
test('a', () => assert.equal(go(), 1));
`,
    without: 'fails',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'a method that the test gives all texts',
    program: `export const f = (s) => s.shout();
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { f } from 'solution';
String.prototype.shout = function () { return \`\${this}!\`; };
test('a', () => assert.equal(f('a'), 'a!'));
`,
    without: 'fails',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'the global object as an argument',
    program: `export const install = (g) => { g.poly = 1; };
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { install } from 'solution';
test('a', () => { install(globalThis); assert.equal(globalThis.poly, 1); });
`,
    without: 'refused',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'an answer of many levels',
    program: `export const tree = (n) => (n === 0 ? [] : [tree(n - 1)]);
`,
    tests: `import { test, it, describe, before, after, beforeEach, afterEach, mock } from 'node:test';
import assert from 'node:assert/strict';
import { tree } from 'solution';
test('a', () => assert.ok(Array.isArray(tree(20))));
test('b', () => assert.ok(Array.isArray(tree(200))));
`,
    without: 'refused',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'an argument of many levels',
    program: `export const depth = (t) => { let n = 0; while (t.length) { t = t[0]; n += 1; } return n; };
`,
    tests: `import { test, mock } from 'node:test';
import assert from 'node:assert/strict';
import { depth } from 'solution';
const tree = (n) => (n === 0 ? [] : [tree(n - 1)]);
test('a', () => assert.equal(depth(tree(30)), 30));
test('b', () => assert.equal(depth(tree(200)), 200));
`,
    without: 'refused',
    with: 'SUITE_INVALID',
  },
];
