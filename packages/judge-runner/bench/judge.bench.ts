/*
 * What a judgment costs beside what it cannot do without: starting Python, and starting bubblewrap. Interleaved, so
 * that a busy machine slows all of them alike; the ratios are what counts. Prints a markdown table.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createJudge, detectSandbox, type Suite } from '../src/index.ts';

const rounds = 30;
const sandbox = await detectSandbox();
const judge = createJudge({ sandbox, concurrency: 8 });
const suiteOf = (tests: number): Suite => ({
  id: `${tests} tests`,
  language: 'python',
  mode: 'vectors',
  entryPoint: 'solve',
  cases: Array.from({ length: tests }, (_, index) => ({
    id: `case-${index}`,
    layer: 'correctness',
    args: [[index, 0]],
    expect: [0, index],
  })),
});
const artifact = { language: 'python', source: 'def solve(x): return sorted(x)' } as const;
const start = (command: string, args: readonly string[]) =>
  once(spawn(command, args, { stdio: 'ignore' }), 'exit');
const judgeWith = (suite: Suite) => async () => {
  const verdict = await judge.run({ artifact, suite });
  if (verdict.outcome !== 'SUCCESS') throw new Error(verdict.summary);
};

const box = '--unshare-all --ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64'.split(' ');
const five = suiteOf(5);
const contenders: Readonly<Record<string, () => Promise<unknown>>> = {
  'python3 -c pass': () => start('/usr/bin/python3', ['-I', '-S', '-c', 'pass']),
  'bwrap true': () => start('/usr/bin/bwrap', [...box, '/usr/bin/true']),
  'vectors, 5 tests': judgeWith(five),
  'vectors, 500 tests': judgeWith(suiteOf(500)),
  'vectors, 5 tests, 8 at once, each': () => Promise.all(Array.from({ length: 8 }, judgeWith(five))),
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
await judge.close();
await sandbox.close();

const median = (list: readonly number[]) =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
const python = median(times.get('python3 -c pass') ?? []);
console.log(`| what | median, ms | × python3 -c pass |\n|---|---:|---:|`);
for (const [name, list] of times)
  console.log(`| ${name} | ${median(list).toFixed(1)} | ${(median(list) / python).toFixed(1)} |`);
