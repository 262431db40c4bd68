import { measured } from '@bonafide/internal/testing';
import { describe, expect, it } from 'vitest';
import {
  type Artifact,
  type CodeArtifact,
  commitOracle,
  createJudge,
  detectSandbox,
  JudgeError,
  type JudgeRequest,
  parseSuite,
  type Sandbox,
  type TaggedJson,
  type VectorCase,
  type VectorSuite,
} from '../src/index.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

const python = (source: string): Artifact => ({ language: 'python', source });
const suite = (
  cases: readonly Omit<VectorCase, 'id' | 'layer'>[],
  more: Partial<VectorSuite> = {},
): VectorSuite => ({
  id: 's',
  language: 'python',
  mode: 'vectors',
  entryPoint: 'solve',
  cases: cases.map((test, index) => ({ id: `case-${index}`, layer: 'correctness', ...test })),
  ...more,
});
const doubled = suite([{ args: [2], expect: 4 }]);
const run = (source: string, tests: VectorSuite = doubled) =>
  judge.run({ artifact: python(source), suite: tests });
const code = (expected: string) => expect.objectContaining({ code: expected });

describe('verdicts', () => {
  it('X-6 are measured for OpenTelemetry, and runs without one are counted', async () => {
    const found = await measured(async () => {
      await using watched = createJudge({ sandbox: judge.sandbox });
      const judged = (source: string) => watched.run({ artifact: python(source), suite: doubled });
      await judged('def solve(x): return x * 2');
      await judged('raise SystemExit');
      await watched.run({ artifact: { language: 'javascript', source: '' }, suite: doubled }).catch(() => {});
    });
    expect(found).toMatchObject({
      'bonafide.judge.duration SUCCESS python vectors': 1,
      'bonafide.judge.duration ERROR python vectors crash': 1,
      'bonafide.judge.cpu python': expect.any(Number),
      'bonafide.judge.failures ARTIFACT_INVALID': 1,
    });
  });

  it('JDG-5 JDG-14 take the preferred mode that fits a suite which names none', () => {
    const { mode: _, ...modeless } = doubled;
    expect(parseSuite(modeless)).toEqual(doubled);
    const files = { 'test_a.py': 'def test_a(): pass' };
    expect(parseSuite({ id: 's', language: 'python', files })).toMatchObject({ mode: 'split' });
    expect(() => parseSuite({ id: 's', language: 'python' })).toThrow(/cases/);
    // What a host passes on may be undefined.
    const left = { ...modeless, mode: undefined, oracle: undefined, limits: { wallMs: undefined } };
    expect(parseSuite(left)).toEqual({ ...doubled, limits: {} });
    expect(() => parseSuite({ ...modeless, cases: undefined })).toThrow(/cases/);
  });

  it('JDG-1 says everything there is to say, as plain data', async () => {
    const verdict = await run('print("hi")\ndef solve(x):\n    return x * 2');
    expect(verdict).toMatchObject({
      suiteId: 's',
      outcome: 'SUCCESS',
      errorKind: null,
      summary: '1 of 1 tests passed.',
      passRate: 1,
      compositePassRate: 1,
      violations: [],
      isolation: 'separate',
      commitment: null,
      stdout: 'hi\n',
      stderr: '',
      layers: [{ layer: 'correctness', total: 1, passed: 1, failed: 0, notRun: 0, passRate: 1 }],
      transcript: [{ id: 'case-0', call: 'solve(2)', answer: '4' }],
      metrics: { outputBytes: 3, softLimits: { cpu: false, memory: false } },
    });
    expect(verdict.tests[0]).toMatchObject({ id: 'case-0', status: 'passed', reason: null });
    expect(verdict.metrics.cpuMs).toBeGreaterThan(0);
    expect(verdict.metrics.memoryPeakBytes).toBeGreaterThan(1_000_000);
    expect(JSON.parse(JSON.stringify(verdict))).toEqual(verdict);
  });

  it('JDG-5 every kind of value goes in and comes back exactly', async () => {
    const values: TaggedJson[] = [
      null,
      true,
      0,
      -(2 ** 53 - 1),
      { $int: `-0x${'f'.repeat(2000)}` },
      1.5,
      { $float: '5e-324' },
      { $float: '-0.0' },
      { $float: '1e300' },
      { $float: 'inf' },
      { $float: 'nan' },
      { $complex: ['1.0', '-2.5'] },
      '',
      'naïve 😀 \u0000 \ud800',
      { $bytes: '00ff' },
      [[], [1, [2]]],
      { $tuple: [1, { $tuple: [] }] },
      { $set: [1, 'a', { $tuple: [2] }] },
      { $frozenset: [{ $bytes: '' }] },
      { a: 1, b: { c: null } },
      {
        $dict: [
          [{ $tuple: [1, 2] }, 'x'],
          [null, []],
          ['$int', 1],
        ],
      },
    ];
    const same = suite(values.map((value) => ({ args: [value], expect: value, match: 'same' })));
    const verdict = await run('def solve(x): return x', same);
    expect(verdict.tests.filter((test) => test.status !== 'passed')).toEqual([]);
    const described = await run(
      'def solve(x): return type(x).__name__',
      suite(values.map((value) => ({ args: [value], expect: '' }))),
    );
    expect(described.transcript.map((entry) => entry.answer?.replaceAll('"', ''))).toEqual(
      `NoneType bool int int int float float float float float float complex str str bytes list tuple set frozenset dict dict`.split(
        ' ',
      ),
    );
  });

  it('JDG-5 subclasses arrive as their base value, whatever they claim to equal', async () => {
    const source = `
import collections, enum
class L(list):
    __eq__ = lambda s, o: True
    __iter__ = lambda s: iter([9, 9])
class S(str):
    __str__ = lambda s: 'lie'
class I(int):
    __int__ = lambda s: 42
    __repr__ = lambda s: '42'
class C(enum.IntEnum): RED = 3
P = collections.namedtuple('P', 'x y')
def solve(i):
    return [L([1]), S('true'), I(7), C.RED, P(1, 2), collections.Counter('aab'), True][i]
`;
    const expected: TaggedJson[] = [[1], 'true', 7, 3, { $tuple: [1, 2] }, { a: 2, b: 1 }, true];
    const verdict = await run(
      source,
      suite(expected.map((expect_, index) => ({ args: [index], expect: expect_, match: 'same' }))),
    );
    expect(verdict.tests.map((test) => test.reason)).toEqual(expected.map(() => null));
  });

  it('JDG-14 raises, methods, conversions, tolerance and order', async () => {
    const source = `
class Account:
    @staticmethod
    def open(x): return x
class Mine(ValueError): pass
def bad(x): raise Mine('no')
def leave(x): raise SystemExit(0)
def near(x): return x + 1e-9
def some(x): return (i for i in [3, 1, 2])
def solve(x): return x
`;
    const verdict = await run(
      source,
      suite([
        { fn: 'Account.open', args: [1], expect: 1 },
        { fn: 'bad', args: [1], raises: 'ValueError' },
        { fn: 'bad', args: [1], raises: 'Mine' },
        { fn: 'leave', args: [1], raises: 'SystemExit' },
        { fn: 'near', args: [1], expect: 1, tolerance: 1e-6 },
        { fn: 'some', args: [1], expect: [1, 2, 3], as: 'sorted' },
        { fn: 'some', args: [1], expect: [1, 2, 3], as: 'list', order: 'any' },
        { fn: 'bad', args: [1], raises: 'KeyError' },
        { fn: 'solve', args: [1], raises: 'ValueError' },
        { fn: 'bad', args: [1], expect: 1 },
        { fn: 'some', args: [1], expect: [1, 2, 3] },
        { fn: 'absent', args: [1], raises: 'AttributeError' },
      ]),
    );
    expect(verdict.tests.map((test) => test.reason)).toEqual([
      ...Array.from({ length: 7 }, () => null),
      'expected KeyError, raised Mine: no',
      'expected ValueError, got 1',
      'raised Mine: no',
      'expected [1, 2, 3], got <generator>',
      'absent is not defined',
    ]);
  });

  it('JDG-3 a failed smoke test ends the run, and the rest is not run', async () => {
    const tests: VectorSuite = {
      ...suite([]),
      cases: [
        { id: 'later', layer: 'correctness', args: [1], expect: 1 },
        { id: 'smoke-1', layer: 'smoke', args: [1], expect: 1 },
        { id: 'smoke-2', layer: 'smoke', args: [2], expect: 3 },
        { id: 'smoke-3', layer: 'smoke', args: [3], expect: 3 },
      ],
    };
    const verdict = await run('def solve(x): return x', tests);
    expect(verdict.outcome).toBe('FAILURE');
    expect(verdict.tests.map((test) => [test.id, test.status])).toEqual([
      ['smoke-1', 'passed'],
      ['smoke-2', 'failed'],
      ['smoke-3', 'not-run'],
      ['later', 'not-run'],
    ]);
    expect(verdict.transcript).toHaveLength(2);
  });

  it('JDG-2 what the artifact prints or returns is bounded and inert in the verdict', async () => {
    const verdict = await run(`
import sys
print('x' * 100000)
def solve(x): raise ValueError('\\x1b[31m\\n# Ignore all\\u202e' + 'y' * 100000)`);
    expect(verdict.stdout.length).toBe(4096);
    expect(verdict.tests[0]?.reason?.length).toBeLessThan(400);
    expect(verdict.tests[0]?.reason).not.toMatch(/[\p{Cc}\p{Cf}\n]/u);
    const named = await run("def solve(x): raise KeyError('first_name: \\x1b[31mred')");
    expect(named.tests[0]?.reason).toBe("raised KeyError: 'first_name: \\x1b[31mred'");
    const plain = await run("def solve(x): raise ValueError('first_name: \\x1b[31mred')");
    expect(plain.tests[0]?.reason).toBe('raised ValueError: first_name: red');
  });

  it('JDG-4 whatever an artifact writes into the channels only ever speaks for itself', async () => {
    const forged: Record<string, string> = {
      'an answer to another question': `{"value": 4, "id": 7}\\n`,
      'an answer in advance': `{"value": 4, "id": 1}\\n{"value": 4, "id": 1}\\n`,
      'a verdict': `{"outcome": "SUCCESS", "id": 1}\\n`,
      'a load': `{"loaded": true, "id": 1}\\n`,
      'a strange value': `{"value": {"$set": [[1]]}, "id": 1}\\n`,
      'no JSON': 'hello\\n',
      nesting: `{"value": ' + '[' * 100000 + ']' * 100000 + ', "id": 1}\\n`,
      'no line': 'x',
    };
    for (const [what, bytes] of Object.entries(forged)) {
      const verdict = await run(`
import os
def solve(x):
    os.write(4, ('${bytes}').encode())
    os._exit(0) if ${bytes === 'x' ? 'True' : 'False'} else None
    return 5`);
      expect([what, verdict.outcome]).toEqual([what, 'ERROR']);
    }
    const right = await run(`
import os
def solve(x):
    os.write(4, b'{"value": 4, "id": 1}\\n')
    os._exit(0)`);
    expect(right.outcome).toBe('SUCCESS');
    const backwards = await run('import os, time\ndef solve(x):\n    os.write(3, b"x")\n    time.sleep(30)');
    expect(backwards.errorKind).toBe('protocol');
    const closed = await run('import os, time\ndef solve(x):\n    os.close(4)\n    time.sleep(30)');
    expect(closed.errorKind).toBe('protocol');
  });

  it('JDG-5 several files are one artifact, and only solution.py is asked', async () => {
    const files = {
      'solution.py': 'from helpers.core import twice as solve',
      'helpers/core.py': 'def twice(x): return 2 * x',
    };
    const verdict = await judge.run({ artifact: { language: 'python', files }, suite: doubled });
    expect(verdict.outcome).toBe('SUCCESS');
  });

  it('JDG-2 is repeatable: sets and hashes come out alike in every run', async () => {
    const source = 'def solve(x): return [hash("a"), list({"a", "b", "c", "d"})]';
    const [first, second] = await Promise.all([run(source), run(source)]);
    expect(first?.transcript).toEqual(second?.transcript);
  });
});

describe('the judge', () => {
  it('JDG-10 takes limits from itself, then the suite, then the run', async () => {
    const strict = createJudge({ sandbox: judge.sandbox, limits: { outputBytes: 10 } });
    const printing = python('def solve(x):\n    print("x" * 100, flush=True)\n    return 2 * x');
    const kind = async (request: Partial<JudgeRequest>) =>
      (await strict.run({ artifact: printing, suite: doubled, ...request })).errorKind;
    const roomy = { ...doubled, limits: { outputBytes: 1000 } };
    expect([
      await kind({}),
      await kind({ suite: roomy }),
      await kind({ suite: roomy, limits: { outputBytes: 50 } }),
    ]).toEqual(['output', null, 'output']);
    await strict.close();
  });

  it('JDG-6 names the commitment that the suite was checked against', async () => {
    const commitment = commitOracle(doubled);
    const verdict = await judge.run({
      artifact: python('def solve(x): return 4'),
      suite: doubled,
      commitment,
    });
    expect(verdict.commitment).toEqual({ root: commitment.root, count: 1 });
    const other = suite([{ args: [2], expect: 5 }]);
    await expect(judge.run({ artifact: python(''), suite: other, commitment })).rejects.toThrow(
      code('COMMITMENT_MISMATCH'),
    );
  });

  it('JDG-1 says what was probably meant by an unknown field, and what a name of a file must be', () => {
    expect(() => parseSuite({ ...doubled, entrypoint: 'f' })).toThrow(
      'has unknown fields: "entrypoint" (did you mean entryPoint?)',
    );
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`x${index}\u001b`, 1]));
    expect(() => parseSuite({ ...doubled, ...many })).toThrow(
      /unknown fields: "x0\\u001b", .*and 99995 more$/m,
    );
    const split = { id: 'a', language: 'python', mode: 'split' };
    expect(() => parseSuite({ ...split, files: { '../a.py': '' } })).toThrow(
      /must be a relative path\n.*files\["\.\.\/a\.py"\]/,
    );
  });

  it('JDG-1 refuses bad input with every path that is wrong', async () => {
    const wrong: unknown[] = [
      {},
      { ...doubled, cases: [] },
      { ...doubled, extra: 1 },
      { ...doubled, entryPoint: undefined },
      { ...doubled, profile: 'NONE' },
      { ...doubled, limits: { wallMs: -1 } },
      suite([{ args: [2] }]),
      suite([{ args: [2], expect: 1, raises: 'ValueError' }]),
      suite([{ args: [2], expect: 1, match: 'truth' }]),
      suite([{ args: [2], expect: [1], order: 'any', tolerance: 1 }]),
      suite([{ args: [{ $int: 'x' }], expect: 1 }]),
      suite([{ fn: 'os.system("x")', args: [], expect: 1 }]),
      { ...doubled, cases: [doubled.cases[0], doubled.cases[0]] },
    ];
    for (const input of wrong)
      await expect(
        judge.run({ artifact: python(''), suite: input as VectorSuite }),
        JSON.stringify(input),
      ).rejects.toThrow(code('SUITE_INVALID'));
    const artifacts: unknown[] = [
      { language: 'ruby', source: '' },
      { language: 'python', source: 'x'.repeat(5 * 1024 * 1024) },
      { language: 'python', files: { 'other.py': '' } },
      { language: 'python', files: { 'solution.py': '', '../x': '' } },
      { language: 'python', files: { 'solution.py': '', '/etc/x': '' } },
      { language: 'python', files: { 'solution.py': '', 'a//b': '' } },
      { language: 'python', source: '', files: {} },
      // 5,100 folders: making 170,000 of them, which paths of permitted lengths can name, took longer than any time limit.
      {
        files: Object.fromEntries(
          ['solution.py', ...Array.from({ length: 60 }, (_, at) => `q${at}/${'a/'.repeat(84)}x.py`)].map(
            (name) => [name, ''],
          ),
        ),
      },
    ];
    for (const artifact of artifacts)
      await expect(judge.run({ artifact: artifact as Artifact, suite: doubled })).rejects.toThrow(
        code('ARTIFACT_INVALID'),
      );
    await expect(judge.run({ artifact: 'def f(): pass' as never, suite: doubled })).rejects.toThrow(
      "must be { language, source: 'text' }",
    );
    await expect(judge.run({ artifact: { files: { '../a.py': '' } }, suite: doubled })).rejects.toThrow(
      'must be a relative path\n  → at files["../a.py"]',
    );
    await expect(judge.run(undefined as never)).rejects.toThrow(code('INVALID_INPUT'));
    expect(() => createJudge({ limits: { pids: 0 } })).toThrow(code('INVALID_CONFIG'));
    for (const concurrency of [0, 1.5, Number.NaN, 'two' as never])
      expect(() => createJudge({ concurrency })).toThrow(code('INVALID_CONFIG'));
    const limits = { wallMs: Number.NaN };
    await expect(judge.run({ artifact: python(''), suite: doubled, limits })).rejects.toThrow(
      code('INVALID_INPUT'),
    );
  });

  it('JDG-2 a failure of the judge itself is thrown as INFRA, not held against the artifact', async () => {
    // A sandbox that lets nothing live: what it does to an honest program must not become that program's verdict.
    const starving: Sandbox = {
      name: 'starving',
      open: (spec) => judge.sandbox.open({ ...spec, limits: { ...spec.limits, wallMs: 1 } }),
      close: async () => {},
    };
    const hungry = createJudge({ sandbox: starving });
    await expect(hungry.run({ artifact: python('def solve(x): return 4'), suite: doubled })).rejects.toThrow(
      code('INFRA'),
    );
    await hungry.close();
  });

  it('JDG-2 a sandbox that does not notice violations is not trusted', async () => {
    // Gives every program the known good one's place.
    let first: CodeArtifact | null = null;
    const blind: Sandbox = {
      name: 'blind',
      open: (spec) => {
        first ??= spec.artifact;
        return judge.sandbox.open({ ...spec, artifact: first });
      },
      close: async () => {},
    };
    const fooled = createJudge({ sandbox: blind });
    await expect(fooled.run({ artifact: python(''), suite: doubled })).rejects.toThrow(
      /network socket was judged SUCCESS/,
    );
    await fooled.close();
  });

  it('JDG-8 refuses with cause and remedy where no sandbox is usable', async () => {
    const refusal = detectSandbox({ python: '/usr/bin/no-such-python' });
    await expect(refusal).rejects.toThrow(code('SANDBOX_UNAVAILABLE'));
    const error: unknown = await refusal.catch((reason: unknown) => reason);
    expect(error instanceof JudgeError && error.remedy).toMatch(/python3/);
  });

  it('JDG-16 as many run at once as it was told, and each ends as when alone', async () => {
    let open = 0;
    let most = 0;
    const counting: Sandbox = {
      name: 'counting',
      async open(spec) {
        open += 1;
        most = Math.max(most, open);
        const box = await judge.sandbox.open(spec);
        let closed = false;
        return {
          ...box,
          close: async () => {
            const report = await box.close();
            if (!closed) open -= 1;
            closed = true;
            return report;
          },
        };
      },
      close: async () => {},
    };
    const busy = createJudge({ sandbox: counting, concurrency: 3 });
    const kinds = [
      ['def solve(x): return 4', 'SUCCESS'],
      ['def solve(x): return 5', 'FAILURE'],
      ['def solve(x): import socket; socket.socket()', 'SECURITY_VIOLATION'],
      ['def solve(x): import os; os._exit(3)', 'ERROR'],
    ] as const;
    const wanted = Array.from({ length: 16 }, (_, index) => kinds[index % 4] ?? kinds[0]);
    const verdicts = await Promise.all(
      wanted.map(([source]) => busy.run({ artifact: python(source), suite: doubled })),
    );
    expect(verdicts.map((verdict) => verdict.outcome)).toEqual(wanted.map(([, outcome]) => outcome));
    expect(most).toBe(3);
    await busy.close();
  });

  it('X-8 close ends what is running, and what waits, and refuses what comes after', async () => {
    const closing = createJudge({ sandbox: judge.sandbox, concurrency: 1 });
    await closing.run({ artifact: python('def solve(x): return 4'), suite: doubled });
    const endless = python('while True: pass');
    const runs = [1, 2].map(() => closing.run({ artifact: endless, suite: doubled }));
    const ends = Promise.allSettled(runs);
    await new Promise((resolve) => setTimeout(resolve, 150));
    await closing.close();
    for (const end of await ends)
      expect(end).toMatchObject({ status: 'rejected', reason: { code: 'CLOSED' } });
    await expect(closing.run({ artifact: endless, suite: doubled })).rejects.toThrow(code('CLOSED'));
    await closing[Symbol.asyncDispose]();
  });
});
