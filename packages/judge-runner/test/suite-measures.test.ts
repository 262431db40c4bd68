import { expect, it } from 'vitest';
import { javascript, nodeTest, pytest, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

const head = `import asyncio, builtins, gc, json, locale, os, signal, sys, threading, time, tracemalloc, warnings
import solution
def test_it(tmp_path):
`;
/** Lines of tests that look at their own process, with what they look at. */
const looks = [
  ['time.process_time()', 'time.process_time()'],
  ['tracemalloc.start()', 'tracemalloc.start()'],
  ['threading.active_count() == 1', 'threading.active_count()'],
  ["os.listdir('/proc/self/fd')", '/proc/self/fd'],
  ['hook = sys.excepthook; solution.run(); assert sys.excepthook is hook', 'sys.excepthook'],
  [
    'both = builtins.print, time.sleep; solution.run(); assert (builtins.print, time.sleep) == both',
    'builtins.print',
  ],
  ['kept = list(warnings.filters); solution.run(); assert warnings.filters == kept', 'warnings.filters'],
  ['path = sys.path[:]; solution.run(); assert sys.path == path', 'sys.path'],
  ['assert locale.setlocale(locale.LC_ALL)', 'locale.setlocale()'],
  ["assert 'sqlite3' not in sys.modules", 'sys.modules'],
  ['text = json.dumps([1.5]); solution.run(); assert json.dumps([1.5]) == text', 'json.dumps()'],
] as const;
/** Lines that look at what both processes have alike, or at their own values. */
const plain = [
  'cwd = os.getcwd(); solution.run(); assert os.getcwd() == cwd',
  'env = dict(os.environ); solution.run(); assert os.environ == env',
  'out = sys.stdout; solution.run(); assert sys.stdout is out',
  'limit = sys.getrecursionlimit(); solution.run(); assert sys.getrecursionlimit() == limit',
  'begin = time.monotonic(); solution.run(); assert time.monotonic() >= begin',
  'own = [1]; size = len(own); solution.run(); assert len(own) == size',
  'own = [1]; text = json.dumps(own); solution.run(); assert json.dumps(own) == text',
  "locale.setlocale(locale.LC_ALL, 'C')",
  'text = json.dumps(1); assert json.dumps(solution.run()) == text',
  'assert type(solution.run()) is int and json.dumps is not json.loads',
];

it('suites that look at their own process are refused by their lines (JDG-17)', async () => {
  const tests = `${head}${looks.map(([line]) => `    ${line}\n`).join('')}`;
  const { unsupported } = await judge.checkSuite(pytest(tests));
  expect(unsupported.map(({ line, construct }) => [line, construct])).toEqual(
    looks.map(([, name], index) => [
      index + 4,
      `measures by ${name} the process of the tests, and the artifact runs in another`,
    ]),
  );
});

it('suites that look at what both processes have alike are judged (JDG-21)', async () => {
  const tests = `${head}${plain.map((line) => `    ${line}\n`).join('')}`;
  const { unsupported } = await judge.checkSuite(pytest(tests));
  expect(unsupported).toEqual([]);
  const verdict = await judge.run({ artifact: python('def run(): return 1\n'), suite: pytest(tests) });
  expect(verdict.outcome, verdict.tests[0]?.reason ?? '').toBe('SUCCESS');
});

it('suites of node:test that measure their own process are refused, and not where they replace it (JDG-17, JDG-21)', async () => {
  const tests = (
    line: string,
  ) => `import test from 'node:test'; import assert from 'node:assert'; import { run } from 'solution';
test('it', (t) => { ${line} });`;
  const measured = await judge.checkSuite(
    nodeTest(
      tests(
        "const n = process.listenerCount('exit'); run(); assert.equal(process.listenerCount('exit'), n);",
      ),
    ),
  );
  expect(measured.unsupported.map(({ construct }) => construct)).toEqual(
    Array.from({ length: 2 }, () => expect.stringContaining('measures by process.listenerCount()')),
  );
  const kept = await judge.checkSuite(
    nodeTest(tests('const before = process.title; run(); assert.equal(process.title, before);')),
  );
  expect(kept.unsupported.map(({ construct }) => construct)).toEqual([
    expect.stringContaining('measures by process.title'),
  ]);
  const replaced = tests(
    "t.mock.method(process, 'memoryUsage', () => ({ rss: 1 })); assert.equal(run(), process.memoryUsage().rss);",
  );
  const suite = nodeTest(replaced);
  expect((await judge.checkSuite(suite)).unsupported).toEqual([]);
  const artifact = javascript('export const run = () => process.memoryUsage().rss;');
  expect((await judge.run({ artifact, suite })).outcome).toBe('SUCCESS');
});

it('tests of node:test whose function the artifact makes are refused (JDG-17)', async () => {
  const tests = `import assert from 'node:assert/strict';
import test, { after, beforeEach, describe, it } from 'node:test';
import { openDb, reset, wrap } from 'solution';
const db = openDb();
const body = wrap(() => {});
beforeEach(reset);
after(() => db.close());
test('plain', () => { assert.equal(wrap(() => 5)(), 5); });
test('wrapped', wrap(() => { assert.ok(true, 'a'); }));
test('held', { concurrency: 2 }, body);
describe('group', () => {
  it('of an object', db.with(async (connection) => { assert.ok(connection); }));
  it('waits', async (t) => { await t.test('inner', wrap(() => {})); });
  beforeEach(wrap(() => { assert.ok(true); }));
});
`;
  const { unsupported } = await judge.checkSuite(nodeTest(tests));
  expect(unsupported.map(({ line, construct }) => [line, construct])).toEqual(
    [
      [9, 'test'],
      [10, 'test'],
      [12, 'it'],
      [13, 'test'],
      [14, 'beforeEach'],
    ].map(([line, name]) => [line, `leaves it to the artifact to run the function of ${name}()`]),
  );
});
