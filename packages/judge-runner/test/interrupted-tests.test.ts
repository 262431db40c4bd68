import { isBonafideError } from '@bonafide/internal';
import { describe, expect, it } from 'vitest';
import { createRunProgress } from '../src/interruption.ts';
import { javascript, nodeTest, pytest, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();
const limits = { wallMs: 4000 };

const pythonSource =
  'import asyncio, time\ndef one(): return 1\ndef stuck():\n  while True: time.sleep(1)\nasync def later(): await asyncio.Event().wait()\n';
const programs = {
  python: python(pythonSource),
  javascript: javascript(
    'export const one = () => 1;\nexport const stuck = () => { for (;;); };\nexport const later = () => new Promise(() => setInterval(() => {}, 1000));\n',
  ),
};
const pytestOf = (body: string, reference?: string) =>
  pytest(
    `import asyncio, time, solution\ndef test_a(): assert solution.one() == 1\ndef test_b():\n  ${body}\ndef test_c(): assert solution.one() == 1\n`,
    reference,
  );
const nodeTestOf = (body: string) =>
  nodeTest(
    `import test from 'node:test';\nimport assert from 'node:assert';\nimport * as solution from 'solution';\ntest('test_a', () => assert.equal(solution.one(), 1));\ntest('test_b', async () => {\n  ${body}\n});\ntest('test_c', () => assert.equal(solution.one(), 1));\n`,
  );
const artifact = 'a call of the program had not answered';
const later = 'a coroutine, a promise or a timer of the program was awaited';
const own = "the test's own code ran or waited, and called nothing of the program";
const cases = [
  ['a call in Python', programs.python, pytestOf('solution.stuck()'), artifact],
  ['a callback in Python', programs.python, pytestOf('solution.one(); time.sleep(100)'), own],
  [
    'a coroutine in Python',
    programs.python,
    pytestOf(
      'async def go():\n    await asyncio.gather(solution.later(), asyncio.sleep(100))\n  asyncio.run(go())',
    ),
    later,
  ],
  ['a call in JavaScript', programs.javascript, nodeTestOf('solution.stuck();'), artifact],
  ['own code in JavaScript', programs.javascript, nodeTestOf('solution.one(); for (;;);'), own],
  ['a promise in JavaScript', programs.javascript, nodeTestOf('await solution.later();'), later],
] as const;

describe('a test that never ends', () => {
  it.concurrent.each(cases)(
    'is named, with what it waits for: %s (JDG-1, JDG-10)',
    async (_, program, suite, waits) => {
      const { outcome, errorKind, tests } = await judge.run({
        artifact: program,
        suite: { ...suite, limits },
      });
      expect([outcome, errorKind]).toEqual(['ERROR', 'timeout']);
      expect(tests.map(({ status }) => status)).toEqual(['passed', 'failed', 'not-run']);
      expect(tests[1]?.reason).toMatch(/^the time was up after [1-4]\.\d s of this test: for [1-4]\.\d s /);
      expect(tests[1]?.reason?.split(' s ').at(-1)).toBe(waits);
      expect(tests[2]?.reason).toBe(`it was not run: the time was up in ${tests[1]?.id}`);
    },
  );

  it('is named where a reference is in it (JDG-1, JDG-18)', async () => {
    const suite = { ...pytestOf('solution.stuck()', pythonSource), limits };
    const error = await judge.run({ artifact: programs.python, suite }).catch((thrown: unknown) => thrown);
    expect(isBonafideError(error, 'SUITE_INVALID') && error.message).toMatch(
      /limit timeout was exceeded\), after \d\.\d s of test_it\.py::test_b: for \d+\.\d s a call of the program had not answered$/,
    );
  });

  it('is named where the program ends meanwhile, and no text of the program is (JDG-1, JDG-20)', async () => {
    const ends = python('import os\ndef one(): return 1\ndef stuck(name="test_c"): os._exit(3)\n');
    const { errorKind, tests } = await judge.run({ artifact: ends, suite: pytestOf('solution.stuck()') });
    expect(errorKind).toBe('crash');
    expect(tests[1]?.reason).toMatch(/^the program ended after \d\.\d s of this test: for \d\.\d s a call/);
    expect(tests[2]?.reason).toBe('it was not run: the program ended in test_it.py::test_b');
  });

  it('is not the one before it, and none is named outside of tests (JDG-1)', async () => {
    const hangs = python('while True: pass\n');
    const { tests } = await judge.run({
      artifact: hangs,
      suite: { ...pytestOf('pass'), limits: { wallMs: 1500 } },
    });
    expect(new Set(tests.map(({ reason }) => reason))).toEqual(
      new Set(['it was not run: the time was up before the first test']),
    );
  });
});

describe('the progress of a run (JDG-1)', () => {
  it('counts turns that follow one another as one wait, and a turn without an answer as a call', () => {
    let time = 0;
    const progress = createRunProgress(() => time);
    progress.begin(['a']);
    for (time = 100; time < 3000; time += 10) {
      progress.ask('tick');
      progress.answer(false);
    }
    expect(progress.read()).toEqual({
      ...{ tests: ['a'], hasBegun: true, ms: 3000, waiting: 'later', waitingMs: 2900 },
    });
    progress.ask('tick');
    time += 5000;
    expect(progress.read()).toMatchObject({ waiting: 'artifact', waitingMs: 5000 });
    progress.answer(false);
    expect(progress.read()).toMatchObject({ waiting: 'tests', waitingMs: 5000 });
    progress.ask('await');
    progress.answer(true);
    time += 2000;
    expect(progress.read()).toMatchObject({ waiting: 'later', waitingMs: 2000 });
    progress.ask('call');
    progress.answer(true);
    expect(progress.read()).toMatchObject({ waiting: 'tests', waitingMs: 0 });
    progress.end('a');
    expect(progress.read()).toMatchObject({ tests: [] });
  });
});
