import { describe, expect, it } from 'vitest';
import type { NodeTestSuite } from '../src/index.ts';
import { inTurn } from './proof.ts';
import { failures, javascript, nodeTest } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

const suite = (file: string, more: Partial<NodeTestSuite> = {}): NodeTestSuite => ({
  id: 'split',
  language: 'javascript',
  mode: 'split',
  files: { 'it.test.mjs': file },
  ...more,
});
const run = (source: string, tests: NodeTestSuite) =>
  judge.run({ artifact: { language: 'javascript', source }, suite: tests });

const artifact = `
export class Empty extends RangeError {
  constructor(size) { super('nothing in ' + size); this.size = size; this.name = 'Empty'; }
}
export class Stack {
  static limit = 3;
  static of(...items) { return new Stack(items); }
  constructor(items = []) { this.items = [...items]; }
  push(item) { this.items.push(item); return this; }
  pop() { if (this.items.length === 0) throw new Empty(0); return this.items.pop(); }
  get size() { return this.items.length; }
  *[Symbol.iterator]() { yield* this.items; }
  toString() { return 'Stack of ' + this.items.length; }
}
export class Small extends Stack { static limit = 1; }
export const apply = (f, values, times = 1) => {
  for (let n = 0; n < times; n += 1) values = values.map((value) => f(value));
  return values;
};
export function* count(limit) { for (let n = 0; n < limit; n += 1) yield n; }
export async function* slowly(limit) { for (let n = 0; n < limit; n += 1) { await null; yield n; } }
export const rotate = (grid) => { [grid[0], grid[1]] = [grid[1], grid[0]]; grid[0].push('seen'); };
export const total = (values) => { let sum = 0; for (const value of values) sum += value; return sum; };
export const fails = (Kind) => { throw new Kind('bad'); };
export const throwsText = () => { throw 'text'; };
export const later = async (x, ms = 5) => { await new Promise((r) => setTimeout(r, ms)); return x + 1; };
export const rejects = async () => { throw new TypeError('later bad'); };
export const mapLater = async (items, f) => { const all = []; for (const item of items) all.push(await f(item)); return all; };
export const debounce = (f, ms) => { let timer; return (...args) => { clearTimeout(timer); timer = setTimeout(() => f(...args), ms); }; };
export const deferred = () => { let open; const gate = new Promise((r) => { open = r; }); return { gate, open: (v) => open(v) }; };
export const same = (x) => x;
export const NAMES = { a: [1, 2.5], b: new Set([1, 2]) };
export default function main() { return 'main'; }
`;

const tests = `
import test, { after, afterEach, before, beforeEach, describe, it, mock } from 'node:test';
import assert from 'node:assert/strict';
import main, * as solution from 'solution';
import { Stack, Empty, apply as use, count, total } from './solution.js';

test('plain', { layer: 'smoke' }, () => {
  assert.deepStrictEqual(solution.NAMES, { a: [1, 2.5], b: new Set([1, 2]) });
  assert.equal(main(), 'main');
});

describe('a stack', () => {
  let stack;
  let began = 0;
  before(() => { began += 1; });
  beforeEach(() => { stack = new Stack([1, 2]); });
  afterEach(() => assert(stack instanceof Stack));
  after(() => assert.equal(began, 1));
  it('is filled', () => {
    assert.equal(stack.push(3).push(4), stack);
    assert.equal(stack.size, 4);
    assert.deepEqual([...stack], [1, 2, 3, 4]);
    assert.deepEqual(stack.items, [1, 2, 3, 4]);
    assert.equal(String(stack), 'Stack of 4');
    assert.equal(began, 1);
  });
  it('is as it was', () => assert.equal(stack.size, 2));
  it('has properties of its own', () => {
    stack.extra = { deep: [1] };
    assert.deepEqual(stack.extra, { deep: [1] });
    assert('extra' in stack && !('other' in stack));
    assert.deepEqual(Object.keys(stack), ['items', 'extra']);
    delete stack.extra;
    assert.equal(stack.extra, undefined);
  });
});

for (const [values, expected] of [[[1, 2], [2, 3]], [[], []]])
  test('callback ' + JSON.stringify(values), () => {
    const seen = [];
    assert.deepEqual(use((x) => { seen.push(x); return x + 1; }, values), expected);
    assert.deepEqual(seen, values);
  });

test('a callback calls back', () => {
  assert.deepEqual(use((x) => total([x, 1]), [1, 2], 2), [3, 4]);
  assert.deepEqual(use(String, [1]), ['1']);
});

test('a callback throws', () => {
  assert.throws(() => use(() => { throw new SyntaxError('mine'); }, [1]), { name: 'SyntaxError', message: 'mine' });
});

test('exceptions', { layer: 'edge' }, () => {
  assert.throws(() => new Stack().pop(), Empty);
  assert.throws(() => new Stack().pop(), RangeError);
  assert.throws(() => new Stack().pop(), { name: 'Empty', size: 0, message: /nothing in 0/ });
  assert.throws(() => solution.fails(TypeError), TypeError);
  assert.throws(() => solution.throwsText(), (thrown) => thrown === 'text');
  assert.throws(() => solution.missing(), TypeError);
});

test('generators', () => {
  const numbers = count(3);
  assert.deepEqual(numbers.next(), { value: 0, done: false });
  assert.deepEqual([...numbers], [1, 2]);
  assert.equal(numbers.next().done, true);
  assert.equal(total((function* () { yield 1; yield 4; })()), 5);
  assert.deepEqual(Array.from(count(10 ** 9).take?.(3) ?? [0, 1, 2]), [0, 1, 2]);
});

test('mutable arguments', () => {
  const inner = [1];
  const grid = [inner, [2]];
  solution.rotate(grid);
  assert.deepEqual(grid, [[2, 'seen'], [1]]);
});

test('classes', () => {
  assert.equal(solution.Small.limit, 1);
  assert(new solution.Small() instanceof Stack);
  assert.deepEqual(Stack.of(1, 2).items, [1, 2]);
  assert.equal(new Stack().constructor, Stack);
  assert.equal(typeof Stack, 'function');
});

test('promises', async () => {
  assert.equal(await solution.later(1), 2);
  assert.deepEqual(await Promise.all([solution.later(1, 20), solution.later(2, 1)]), [2, 3]);
  await assert.rejects(solution.rejects(), { name: 'TypeError', message: 'later bad' });
  const waits = (x) => new Promise((resolve) => setTimeout(resolve, 2, x * 2));
  assert.deepEqual(await solution.mapLater([1, 2], waits), [2, 4]);
  await assert.rejects(solution.mapLater([1], async () => { throw new RangeError('no'); }), RangeError);
  const seen = [];
  for await (const n of solution.slowly(3)) seen.push(n);
  assert.deepEqual(seen, [0, 1, 2]);
  const { gate, open } = solution.deferred();
  setTimeout(() => open(7), 5);
  assert.equal(await gate, 7);
});

test('later call-backs', async () => {
  const spy = mock.fn();
  const quiet = solution.debounce(spy, 5);
  quiet(1);
  quiet(2);
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.equal(spy.mock.callCount(), 1);
  assert.deepEqual(spy.mock.calls[0].arguments, [2]);
});

test('values', () => {
  const values = [undefined, null, -0, NaN, Infinity, 10n ** 30n, -5n, 'é\\u0000😀', [], {}, [undefined], new Map([[{ a: 1 }, new Set(['x'])]]),
    new Date(0), /a+/gi, new Uint8Array([1, 255]), new Float64Array([0.5]), JSON.parse('{"__proto__": 1, "$object": 2}')];
  for (const value of values) assert.deepStrictEqual(solution.same(value), value);
  const f = () => 1;
  assert.equal(solution.same(f), f);
  const stack = new Stack();
  assert.equal(solution.same(stack), stack);
  assert.equal(solution.same(Map), Map);
});

test('sub-tests and plans', async (t) => {
  t.plan(2);
  t.assert.equal(1, 1);
  await t.test('inner', () => {});
});

test('done', (t, done) => setTimeout(done, 1));
`;

describe('split mode for JavaScript', () => {
  it('JDG-7 hooks, parameters, exceptions, generators, call-backs, promises and mutable arguments work across two boxes', async () => {
    const verdict = await run(artifact, suite(tests));
    expect(
      verdict.tests.filter((test) => test.status !== 'passed'),
      verdict.summary,
    ).toEqual([]);
    expect(verdict).toMatchObject({ outcome: 'SUCCESS', isolation: 'separate' });
    expect(verdict.tests.map((test) => test.id)).toContain('it.test.mjs::a stack > is filled');
    expect(verdict.layers.map(({ layer, total }) => [layer, total])).toEqual([
      ['smoke', 1],
      ['correctness', 15],
      ['edge', 1],
    ]);
    expect(verdict.transcript.some((entry) => entry.call.includes('push'))).toBe(true);
    expect(verdict.transcript.some((entry) => entry.call.includes('tick'))).toBe(false);
  });

  it('JDG-5 skip, todo, a failed hook, a missing test and a wrong answer are no passes', async () => {
    const names = [
      'skip',
      'todo',
      'empty',
      'hook > inner',
      'wrong',
      'late',
      'beside',
      'sub',
      'plan',
      'right',
      'gone',
    ];
    const verdict = await run(
      'export const f = () => 1; export const hangs = () => new Promise(() => {}); export const bad = async () => { throw new Error("x"); };',
      suite(
        `
import test, { beforeEach, describe, it } from 'node:test';
import assert from 'node:assert';
import { f, hangs, bad } from 'solution';
test('skip', { skip: true }, () => {});
test.todo('todo', () => {});
test('empty');
describe('hook', () => { beforeEach(() => { throw new Error('no'); }); it('inner', () => {}); });
test('wrong', () => assert.equal(f(), 2));
test('late', { timeout: 50 }, () => hangs());
test('beside', async () => { void bad(); await new Promise((r) => setTimeout(r, 50)); });
test('sub', async (t) => { await t.test('inner', () => assert.equal(f(), 2)); });
test('plan', (t) => { t.plan(2); t.assert.ok(true); });
test('right', () => assert.equal(f(), 1));
`,
        { tests: names.map((name) => ({ id: `it.test.mjs::${name}`, layer: 'correctness' as const })) },
      ),
    );
    expect(verdict.tests.map((each) => [each.id.slice(13), each.status])).toEqual(
      names.map((name) => [name, name === 'right' ? 'passed' : 'failed']),
    );
  });

  it('JDG-3 a failed smoke test ends the run, and comes first', async () => {
    const verdict = await run(
      'export const f = () => 1;',
      suite(`
import { test, describe } from 'node:test';
import assert from 'node:assert';
import { f } from 'solution';
test('a', () => {});
describe('b', { layer: 'smoke' }, () => test('c', () => assert.equal(f(), 2)));
`),
    );
    expect(verdict.outcome).toBe('FAILURE');
    expect(verdict.tests.map((each) => [each.id, each.status])).toEqual([
      ['it.test.mjs::b > c', 'failed'],
      ['it.test.mjs::a', 'not-run'],
    ]);
  });

  it('JDG-4 nothing that is expected ever reaches the artifact', async () => {
    const source = `
const asked = [];
const spy = (name) => (...args) => { asked.push([name, ...args.map(String)]); return true; };
export class Yes {
  get [Symbol.toStringTag]() { return 'String'; }
  [Symbol.toPrimitive](hint) { asked.push(['primitive', hint]); return 42; }
  equals = spy('equals'); includes = spy('includes'); has = spy('has');
  static [Symbol.hasInstance] = spy('instance');
}
export const f = () => new Yes();
export const g = () => new Proxy([], { get: (target, key) => key === 'length' ? 1 : 'anything', has: () => true });
export const told = () => asked.flat().filter((each) => each.includes('secret')).length;
`;
    const verdict = await run(
      source,
      suite(`
import test from 'node:test';
import assert from 'node:assert/strict';
import { Yes, f, g, told } from 'solution';
test('equal', () => assert.equal(f(), 'secret'));
test('loose', () => assert(f() == 'secret'));
test('deep', () => assert.deepEqual(f(), { secret: 1 }));
test('deep text', () => assert.deepEqual(f(), 'secret'));
test('reflected', () => assert.deepEqual('secret', f()));
test('list', () => assert.deepEqual(g(), ['secret']));
test('instance', () => assert({ secret: 1 } instanceof Yes));
test('key', () => assert(new Map([['secret', 1]]).has(f())));
test('told', () => assert.equal(told(), 0));
`),
    );
    expect(verdict.tests.map((each) => each.status)).toEqual([
      ...Array.from({ length: 8 }, () => 'failed'),
      'passed',
    ]);
  });

  it('JDG-2 what cannot be loaded, ends early or lies about the protocol is an error of its own kind', async () => {
    const one = suite(
      "import test from 'node:test';\nimport assert from 'node:assert';\nimport { f } from 'solution';\ntest('a', async () => assert.equal(await f(), 1));\ntest('b', () => {});",
    );
    const forge = (reply: string) =>
      `import fs from 'node:fs'; export const f = () => fs.writeSync(4, JSON.stringify(${reply}) + '\\n');`;
    const cases: [string, string, string | null][] = [
      ["import 'nothing';", 'ERROR', 'crash'],
      ['this is no JavaScript', 'ERROR', 'crash'],
      ['export const f = () => process.exit(0);', 'ERROR', 'crash'],
      [forge('{}'), 'ERROR', 'protocol'],
      [forge('{ id: 4, value: { $handle: {} } }'), 'ERROR', 'protocol'],
      [
        forge('{ id: 4, value: { $handle: { id: 1, kind: "object", class: "nothing" } } }'),
        'ERROR',
        'protocol',
      ],
      [forge('{ id: 4, callback: 99, args: [], kwargs: [] }'), 'ERROR', 'protocol'],
      [forge('{ result: { id: "it.test.mjs::a", passed: true, ms: 1, reason: null } }'), 'ERROR', 'protocol'],
      ['export const f = () => { for (;;); };', 'ERROR', 'cpu'],
      ['export const f = () => new Promise(() => {});', 'ERROR', 'timeout'],
      ['export const g = 1;', 'FAILURE', null],
      [
        "import net from 'node:net'; export const f = () => net.connect(80, '1.2.3.4');",
        'SECURITY_VIOLATION',
        null,
      ],
    ];
    const verdicts = await Promise.all(
      cases.map(([source, , kind]) => {
        const limits = {
          cpuHardMs: kind === 'cpu' ? 1500 : 60_000,
          wallMs: kind === 'timeout' ? 2500 : 240_000,
        };
        return run(source, { ...one, limits });
      }),
    );
    for (const [index, verdict] of verdicts.entries())
      expect([verdict.outcome, verdict.errorKind], `${cases[index]?.[0]}: ${verdict.summary}`).toEqual(
        cases[index]?.slice(1),
      );
  });

  it('JDG-17 is refused where it measures its own process, with a reference and without', async () => {
    const tests = `import test from 'node:test'; import assert from 'node:assert'; import { solve } from 'solution';
test('fast', () => { const begin = process.cpuUsage(); solve(); assert.ok(process.cpuUsage(begin).user < 50_000); });`;
    const own = { language: 'javascript', source: 'export const solve = () => 1;' } as const;
    for (const reference of [undefined, own])
      await expect(
        judge.run({
          artifact: own,
          suite: {
            ...{ id: 'cpu', language: 'javascript', mode: 'split', files: { 'it.test.mjs': tests } },
            ...(reference && { reference }),
          },
        }),
      ).rejects.toMatchObject({
        code: 'SUITE_UNSUPPORTED',
        message: expect.stringContaining('it.test.mjs:2: measures by process.cpuUsage()'),
      });
  });

  it('JDG-17 passes no test for what an answer gives every object', async () => {
    const tests = `import test from 'node:test'; import assert from 'node:assert'; import * as solution from 'solution';
const merge = (target, source) => { for (const key of Object.keys(source)) { if (typeof source[key] === 'object' && typeof target[key] === 'object') merge(target[key], source[key]); else target[key] = source[key]; } return target; };
const settings = merge({ db: { port: 1 } }, solution.defaults());
test('port', () => { assert.equal(settings.db.port, 5432); });
assert.notEqual(solution.version, undefined);`;
    const source = (json: string) =>
      `export const defaults = () => JSON.parse('${json}'); export const version = 1;`;
    const right = source('{"db": {"port": 5432}}');
    const suite = {
      ...{ id: 'merge', language: 'javascript', mode: 'split', files: { 'it.test.mjs': tests } },
      reference: { source: right },
    } satisfies NodeTestSuite;
    const outcomeOf = async (text: string) =>
      (await judge.run({ artifact: { language: 'javascript', source: text }, suite })).outcome;
    expect(await outcomeOf(right)).toBe('SUCCESS');
    const wrong = source('{"__proto__": {"reason": null}}').replace('version = 1', 'other = 1');
    expect(await outcomeOf(wrong)).toBe('FAILURE');
    const setter = nodeTest(
      `import test from 'node:test'; import assert from 'node:assert'; import { paths, two } from 'solution';
const set = (target, path, value) => { const [last, ...rest] = path.split('.').reverse(); rest.reverse().reduce((part, key) => part[key], target)[last] = value; return target; };
test('sets', () => { const made = {}; for (const [path, value] of paths()) set(made, path, value); assert.ok(made); });
test('two', () => { assert.equal(two(), 2); });`,
    );
    const verdict = await judge.run({
      artifact: {
        language: 'javascript',
        source:
          "export const two = () => 3; export const paths = () => [['constructor.prototype.then', (done) => done()]];",
      },
      suite: setter,
    });
    expect(verdict.outcome).toBe('FAILURE');
    expect(verdict.tests.map(({ status }) => status)).toEqual(['failed', 'failed']);
  });

  it('JDG-17 a path that an artifact answers changes nothing of what decides tests', async () => {
    const tests = `import test, { mock } from 'node:test'; import assert from 'node:assert/strict'; import { paths, two } from 'solution';
String.prototype.shout = function shout() { return this.toUpperCase(); };
const set = (target, path, value) => { const keys = path.split('.'); const last = keys.pop(); keys.reduce((part, key) => (part[key] ??= {}), target)[last] = value; return target; };
const schema = () => ({ name: { type: String, default: '' }, meta: { type: Map, default: {} }, list: [1], ready: Promise.resolve() });
test('sets', () => { const made = paths().reduce((target, [path, value]) => set(target, path, value), schema()); assert.equal(made.name.default, 'anonymous'); });
test('shouts', () => { mock.method(Map.prototype, 'has', () => 5); assert.equal('a'.shout(), 'A'); assert.equal(new Map().has(0), 5); });
test('two', async () => { await 1; mock.restoreAll(); assert.equal(two(), 2); });`;
    const source = (answer: string, paths: readonly string[]) =>
      `export const two = () => ${answer}; const act = (first) => { first?.('x'); return { reason: null, ms: 1 }; };
export const paths = () => [['name.default', 'anonymous'], ${paths.map((path) => `['${path}', act]`).join(', ')}];`;
    const suite = nodeTest(tests);
    const run = (text: string) => judge.run({ artifact: javascript(text), suite });
    expect(failures(await run(source('2', [])))).toEqual([]);
    const ways = [
      ['name.type.prototype.get', 'meta.type.prototype.then'],
      ['meta.type.prototype.get'],
      ['ready.constructor.prototype.then'],
      ['list.constructor.prototype.map'],
    ];
    for (const paths of inTurn(ways, 0)) {
      const failed = failures(await run(source('3', paths)));
      expect(failed.map((each) => each.slice(0, each.indexOf(': ')))).toEqual(
        expect.arrayContaining(['sets', 'two']),
      );
    }
  });

  it('JDG-21 a class may answer instanceof by a function of its own', async () => {
    const tests = `import test from 'node:test'; import assert from 'node:assert/strict'; import { Circle, Even, ShapeError, fail, make } from 'solution';
test('even', () => { assert.ok(2 instanceof Even); assert.ok(!(3 instanceof Even)); });
test('circle', () => { assert.ok(make() instanceof Circle); assert.ok({ kind: 'shape' } instanceof Circle); });
test('error', () => { assert.throws(fail, ShapeError); assert.throws(fail, (error) => error instanceof ShapeError && error instanceof Error); });`;
    const right = `export class Even { static [Symbol.hasInstance](n) { return n % 2 === 0; } }
class Shape { constructor() { this.kind = 'shape'; } static [Symbol.hasInstance](value) { return value?.kind === 'shape'; } }
export class Circle extends Shape {}
export const make = () => new Circle();
export class ShapeError extends Error { static [Symbol.hasInstance](error) { return error?.code === 'SHAPE'; } code = 'SHAPE'; }
export const fail = () => { throw new ShapeError('no'); };`;
    const suite = nodeTest(tests, right);
    expect(failures(await judge.run({ artifact: javascript(right), suite }))).toEqual([]);
    const wrong = right.replace('n % 2 === 0', 'true').replace("=== 'shape'; }", "=== 'circle'; }");
    const failed = failures(await judge.run({ artifact: javascript(wrong), suite }));
    expect(failed.map((each) => each.slice(0, each.indexOf(': ')))).toEqual(['even', 'circle']);
    // Nothing vouches for it without a reference, unless the suite names such functions.
    const alone = failures(await judge.run({ artifact: javascript(right), suite: nodeTest(tests) }));
    expect(alone.join()).toContain('answered by a function of its own what is a Even');
  });

  it('JDG-21 values of the artifact may stand in the titles of tests, and decide nothing else', async () => {
    const begin = `import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { KINDS, name } from 'solution';\n`;
    const titled = suite(
      `${begin}for (const [kind, text] of [[KINDS.A, 'a'], [KINDS.B, 'b']]) test(\`names \${kind.text}\`, () => assert.equal(name(kind), text));\ntest('plain', () => assert.equal(name(KINDS.A), 'a'));`,
    );
    const kinds = "export const KINDS = { A: { text: 'first' }, B: { text: 'second' } };\n";
    const right = await run(
      `${kinds}export const name = (kind) => (kind.text === 'first' ? 'a' : 'b');`,
      titled,
    );
    expect(right.tests.map(({ id, status }) => [id, status])).toEqual([
      ['it.test.mjs::names <KINDS.A.text>', 'passed'],
      ['it.test.mjs::names <KINDS.B.text>', 'passed'],
      ['it.test.mjs::plain', 'passed'],
    ]);
    for (const texts of [`'plain'`, `'names <KINDS.A.text>'`, `''`]) {
      const same = kinds.replace(/'first'|'second'/g, texts);
      const wrong = await run(`${same}export const name = () => 'a';`, titled);
      expect(wrong.tests.filter(({ status }) => status === 'passed')).toHaveLength(2);
      expect(wrong.tests).toHaveLength(3);
    }
    const counting = suite(
      `${begin}for (let n = 0; n < KINDS.A; n += 1) test('t' + n, () => {});\ntest('plain', () => {});`,
    );
    await expect(run(kinds, counting)).rejects.toMatchObject({ code: 'SUITE_INVALID' });
  });

  it('JDG-21 a promise of the artifact that a test hands back is caught where the artifact catches it', async () => {
    const source = `export const handle = async (run) => { try { return await run(() => Promise.reject(new Error('lost'))); } catch (error) { return error.message; } };`;
    const tests = `import test from 'node:test'; import assert from 'node:assert/strict'; import { handle } from 'solution';
test('handed back', async () => assert.equal(await handle((next) => next()), 'lost'));
`;
    const { outcome, tests: found } = await run(source, suite(tests));
    expect(outcome, JSON.stringify(found)).toBe('SUCCESS');
  });

  it('JDG-2 a suite that is wrong is never held against the artifact', async () => {
    const begin = "import test from 'node:test';\nimport { f } from 'solution';\n";
    await expect(run('', suite("import 'nothing';"))).rejects.toMatchObject({ code: 'SUITE_INVALID' });
    await expect(run('', suite('const x = 1;'))).rejects.toMatchObject({ code: 'SUITE_INVALID' });
    await expect(run('', suite(`${begin}f();`))).rejects.toMatchObject({ code: 'SUITE_INVALID' });
    const takes = 'export const f = (x) => x;';
    const dies = suite(`${begin}test('a', () => process.reallyExit(3));`);
    await expect(run(takes, dies)).rejects.toMatchObject({ code: 'SUITE_INVALID' });
  });

  it('JDG-2 names file, line and column at which a suite cannot be read', async () => {
    const tests =
      "import { f } from 'solution';\nimport './helper.mjs';\nimport test from 'node:test';\ntest('a', () => f());\n";
    const plain = suite(tests);
    const helped = (helper: string) => ({ ...plain, files: { ...plain.files, 'helper.mjs': helper } });
    await expect(
      run(
        '',
        suite("import { f } from 'solution';\nimport test from 'node:test';\ntest('a', () => { f(2; });\n"),
      ),
    ).rejects.toThrow(/^The suite cannot be read:\n(\S+): SyntaxError: .* at \1:3:22$/);
    await expect(run('', helped('export const two = 2;\nexport const { = 3;\n'))).rejects.toThrow(
      /^The suite cannot be read:\n\S+: SyntaxError: .* at helper\.mjs:2:16$/,
    );
  });

  it('JDG-20 a name that is missing fails the file that imports it, and no other', async () => {
    const begin = "import test from 'node:test';\nimport assert from 'node:assert';\n";
    const files = {
      'a.test.mjs': `${begin}import { f } from 'solution';\ntest('a', () => assert.equal(f(2), 2));`,
      'b.test.mjs': `${begin}import { f, g } from 'solution';\ntest('b', () => assert.equal(f(2), 2));`,
    };
    const artifact = { language: 'javascript' as const, source: 'export const f = (x) => x;' };
    const { tests } = await judge.run({ artifact, suite: { ...suite(''), files } });
    expect(tests.map(({ id, status }) => [id, status])).toEqual([
      ['a.test.mjs::a', 'passed'],
      ['b.test.mjs::b', 'failed'],
    ]);
    expect(tests[1]?.reason).toContain("does not provide an export named 'g'");
  });

  it('JDG-4 the tester has a user of its own and sees nothing of the artifact, nor it of the tests', async () => {
    const files = {
      'solution.mjs':
        "import fs from 'node:fs'; import { twice } from './lib/twice.mjs'; export const uid = () => process.getuid(); export const names = () => fs.readdirSync('/'); export const f = twice;",
      'lib/twice.mjs': 'export const twice = (x) => 2 * x;',
    };
    const verdict = await judge.run({
      artifact: { language: 'javascript', files },
      suite: {
        ...suite(''),
        files: {
          'test/it.test.mjs':
            "import test from 'node:test';\nimport assert from 'node:assert';\nimport fs from 'node:fs';\nimport { f, names, uid } from '../solution.mjs';\nimport { four } from './help.mjs';\ntest('a', () => {\n  assert.notEqual(uid(), process.getuid());\n  assert(!fs.existsSync('/artifact') && !names().includes('suite'));\n  assert.equal(f(2), four);\n  assert.equal(process.env.JUDGE_SEED, 'x');\n});",
          'test/help.mjs': 'export const four = 4;',
        },
      },
      fresh: { seed: 'x' },
    });
    expect(verdict.outcome, JSON.stringify(verdict.tests)).toBe('SUCCESS');
    expect(verdict.fresh).toEqual({ seed: 'x', cases: [] });
  });
});
