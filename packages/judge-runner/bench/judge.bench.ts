/*
 * What a judgment costs beside what it cannot do without: starting Python, starting bubblewrap, and for suites of
 * pytest, pytest itself without plugins. Interleaved, so that a busy machine slows all of them alike; the ratios are
 * what counts. Prints markdown tables.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContainerSandbox, createJudge, detectSandbox, type Suite } from '../src/index.ts';

const rounds = Number(process.env.ROUNDS ?? 20);
const sandbox = await detectSandbox();
const judge = createJudge({ sandbox, concurrency: 8 });
const unwatched = await detectSandbox({ supervisor: false });
const unwatchedJudge = createJudge({ sandbox: unwatched });
// Where no container can be made, its rows are left out.
const containers = await createContainerSandbox({ engine: 'podman' }).catch(() => null);
const containerJudge = containers && createJudge({ sandbox: containers });
const python = { language: 'python', source: 'def solve(x): return sorted(x)' } as const;
const javascript = {
  language: 'javascript',
  source: 'export const solve = (x) => x.sort((a, b) => a - b);',
} as const;

const vectors = (tests: number, language: 'python' | 'javascript' = 'python'): Suite => ({
  ...{ id: `${tests} tests`, language, mode: 'vectors', entryPoint: 'solve' },
  cases: Array.from({ length: tests }, (_, index) => ({
    id: `case-${index}`,
    layer: 'correctness',
    args: [[index, 0]],
    expect: [0, index],
  })),
});
const pytestFile = (tests: number) => `
import pytest, solution
@pytest.mark.parametrize('i', range(${tests}))
def test_it(i):
    assert solution.solve([i, 0]) == [0, i]
`;
const nodeTest = (tests: number): Suite => ({
  ...{ id: `node:test ${tests}`, language: 'javascript', mode: 'split' },
  files: {
    'it.test.mjs': `import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { solve } from 'solution';\nfor (let i = 0; i < ${tests}; i += 1) test(String(i), () => assert.deepEqual(solve([i, 0]), [0, i]));`,
  },
});
const pytest = (tests: number, mode: 'split' | 'same-process'): Suite => ({
  ...{ id: `${mode} ${tests}`, language: 'python', mode, profile: 'EXTENDED' },
  files: { 'test_it.py': pytestFile(tests) },
  tests: Array.from({ length: tests }, (_, index) => ({
    id: `test_it.py::test_it[${index}]`,
    layer: 'correctness' as const,
  })),
});

const sumSource = 'import sys\nprint(sum(map(int, sys.stdin.read().split())))\n';
const program: Suite = {
  ...{ id: 'program', mode: 'program', language: 'python', run: ['python3', 'solution.py'] },
  cases: Array.from({ length: 5 }, (_, index) => ({
    ...{
      id: `case-${index}`,
      layer: 'correctness',
      stdin: `${index} 1`,
      expect: { stdout: String(index + 1) },
    },
  })),
};

const folder = mkdtempSync(join(tmpdir(), 'judge-bench-'));
writeFileSync(join(folder, 'solution.py'), python.source);
writeFileSync(join(folder, 'sum.py'), sumSource);
for (const tests of [5, 55]) writeFileSync(join(folder, `test_${tests}.py`), pytestFile(tests));

const start = async (command: string, args: readonly string[]) => {
  const env = { PATH: '/usr/bin', PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1', PYTHONDONTWRITEBYTECODE: '1' };
  const [code] = await once(spawn(command, args, { stdio: 'ignore', env, cwd: folder }), 'exit');
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
};
const judged =
  (suite: Suite, by = judge) =>
  async () => {
    const artifact =
      suite.mode === 'program' ? { source: sumSource } : suite.language === 'python' ? python : javascript;
    const verdict = await by.run({ artifact, suite });
    if (verdict.outcome !== 'SUCCESS') throw new Error(verdict.summary);
  };
const bare = (tests: number) => () =>
  start('/usr/bin/python3', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', `test_${tests}.py`]);
const eight = (suite: Suite) => {
  const one = judged(suite);
  return () => Promise.all(Array.from({ length: 8 }, one));
};

const box = '--unshare-all --ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64'.split(' ');
const five = vectors(5);
const contenders: Readonly<Record<string, () => Promise<unknown>>> = {
  'python3 -c pass': () => start('/usr/bin/python3', ['-I', '-S', '-c', 'pass']),
  'bwrap true': () => start('/usr/bin/bwrap', [...box, '/usr/bin/true']),
  'pytest, 5 tests, no box': bare(5),
  'pytest, 55 tests, no box': bare(55),
  'a program, 5 times, no box': async () => {
    for (let index = 0; index < 5; index += 1) await start('/usr/bin/python3', ['sum.py']);
  },
  'program, 5 cases': judged(program),
  'vectors, 5 tests': judged(five),
  'vectors, 5 tests, without the supervisor': judged(five, unwatchedJudge),
  'vectors, 500 tests': judged(vectors(500)),
  'vectors, 5 tests, JavaScript': judged(vectors(5, 'javascript')),
  'split, 5 tests': judged(pytest(5, 'split')),
  'split, 55 tests': judged(pytest(55, 'split')),
  'split, 5 tests, JavaScript': judged(nodeTest(5)),
  'same-process, 5 tests': judged(pytest(5, 'same-process')),
  ...(containerJudge && {
    'vectors, 5 tests, podman': judged(five, containerJudge),
    'split, 5 tests, podman': judged(pytest(5, 'split'), containerJudge),
  }),
  'vectors, 5 tests, 8 at once, each': eight(five),
  'split, 5 tests, 8 at once, each': eight(pytest(5, 'split')),
};

const times = new Map<string, number[]>();
for (let round = 0; round <= rounds; round += 1) {
  for (const [name, run] of Object.entries(contenders)) {
    const begun = performance.now();
    await run();
    const ms = (performance.now() - begun) / (name.endsWith('each') ? 8 : 1);
    // The first round warms up, the judge's self-test included.
    if (round > 0) times.set(name, [...(times.get(name) ?? []), ms]);
  }
}

/** Programs of every kind, for the question whether each ends among others as it does alone. */
const mixed: readonly string[] = [
  'def solve(x): return sorted(x)',
  'import json, re, threading\ndef solve(x): return sorted(x)',
  'def solve(x): return x[:1]',
  'def solve(x): raise ValueError(x)',
  'import socket\nsocket.socket()',
  'open("/etc/" + "shadow")',
  'import os\nos._exit(3)',
  'def solve(x):\n  while True: print("x" * 1000)',
];
const outcomeOf = async (source: string) => {
  const artifact = { language: 'python', source } as const;
  const { outcome, errorKind } = await judge.run({
    artifact,
    suite: five,
    limits: { outputBytes: 100_000 },
  });
  return `${outcome} ${errorKind}`;
};
const alone: string[] = [];
for (const source of mixed) alone.push(await outcomeOf(source));
const many = Array.from({ length: 5 * mixed.length }, (_, index) => index % mixed.length);
const begunMany = performance.now();
// The judge lets eight in at once.
const together = await Promise.all(many.map((index) => outcomeOf(mixed[index] ?? '')));
const perSecond = many.length / ((performance.now() - begunMany) / 1000);
const unequal = together.filter((outcome, index) => outcome !== alone[many[index] ?? 0]).length;

const cancelled: number[] = [];
for (let round = 0; round < 2 * rounds; round += 1) {
  const controller = new AbortController();
  const busy = { language: 'python', source: 'while True: pass' } as const;
  const running = judge.run({ artifact: busy, suite: five, signal: controller.signal }).catch(() => {});
  // Every other one while its box is still being made.
  await new Promise((resolve) => setTimeout(resolve, round % 2 === 0 ? 150 : (round * 7) % 50));
  const begun = performance.now();
  controller.abort();
  await running;
  cancelled.push(performance.now() - begun);
}
await judge.close();
await sandbox.close();
await unwatchedJudge.close();
await unwatched.close();
await containerJudge?.close();
await containers?.close();
rmSync(folder, { recursive: true });

const median = (list: readonly number[]) =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
const of = (name: string) => median(times.get(name) ?? []);
console.log(`| what | median, ms | × python3 -c pass | × pytest without a box |\n|---|---:|---:|---:|`);
for (const name of Object.keys(contenders)) {
  const same = name.includes('55') ? 'pytest, 55 tests, no box' : 'pytest, 5 tests, no box';
  const ratio = (base: string) => (of(name) / of(base)).toFixed(1);
  console.log(`| ${name} | ${of(name).toFixed(1)} | ${ratio('python3 -c pass')} | ${ratio(same)} |`);
}
const bareProgram = of('a program, 5 times, no box');
console.log(
  `\nA program of 5 cases may take 1.3 × the bare command + 40 ms: ${(1.3 * bareProgram + 40).toFixed(1)} ms; it took ${of('program, 5 cases').toFixed(1)} ms.`,
);
console.log(
  `\n| 8 at once, ${many.length} programs of every kind | judgments a second | outcomes unlike alone |`,
);
console.log(`|---|---:|---:|\n| vectors, 5 tests | ${perSecond.toFixed(1)} | ${unequal} |`);
console.log(`\n| cancelled until dead | median, ms | longest, ms |\n|---|---:|---:|`);
console.log(
  `| a busy loop, ${cancelled.length} times | ${median(cancelled).toFixed(1)} | ${Math.max(...cancelled).toFixed(1)} |`,
);
