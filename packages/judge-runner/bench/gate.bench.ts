/*
 * The release gate (JDG-27): how many of the attacks were fooled into a success, escaped, or made the judge throw, and how many
 * honest programs were accused or failed, beside plain pytest with the artifact in its process. Prints a markdown table,
 * and ends with code 1 when any count of the judge is not zero. Programs that a profile refuses by design are named, and
 * their failure is expected. Tests that fail as their corpus lists them, without a reference, have a column of their own.
 * `--alone` leaves plain pytest out; `--part=2/3` judges the second third of every corpus, so that the counts of all parts
 * add up; `--only=node:test` judges the corpora with that in their names. Progress goes to stderr.
 */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import {
  createContainerSandbox,
  createJudge,
  detectSandbox,
  isBonafideError,
  type Judge,
  type Suite,
} from '../src/index.ts';
import { cpuOfTurns } from '../test/turns.ts';
import { corporaOfAttacks } from './gate/attacks.ts';
import { corporaOfPrograms } from './gate/programs.ts';
import type { Corpus, Sample } from './gate/samples.ts';
import { corporaOfStyles } from './gate/styles.ts';

const { values: flags } = parseArgs({
  options: {
    alone: { type: 'boolean', default: false },
    part: { type: 'string', default: '1/1' },
    only: { type: 'string', default: '' },
  },
});
const [part = 1, parts = 1] = flags.part.split('/').map(Number);
if (!(Number.isSafeInteger(part) && Number.isSafeInteger(parts) && part >= 1 && part <= parts))
  throw new Error('--part is written as 2/3: the second of three parts');

const sandbox = await detectSandbox();
const judge = createJudge({ sandbox, concurrency: 4 });
const containers = flags.alone
  ? null
  : await createContainerSandbox({ engine: 'podman' }).catch((error) => {
      console.error(`Plain pytest runs in boxes of bubblewrap, for want of podman: ${error.message}`);
      return null;
    });
const plain = createJudge({ sandbox: containers ?? sandbox, concurrency: 3 });

interface Count {
  fooled: number;
  escaped: number;
  thrown: number;
  accused: number;
  failed: number;
  /** Tests that fail as their corpus says: named beforehand, or listed as missing in the roadmap. */
  known: number;
}

const begun = performance.now();
const progress = (text: string) =>
  console.error(`${((performance.now() - begun) / 1000).toFixed(0).padStart(5)} s  ${text}`);

/** Judges the samples of this part; `failed` counts single tests. */
async function measure(
  { name, honest, byTest = false, refused = [] }: Corpus,
  all: readonly Sample[],
  by: Judge = judge,
): Promise<{ count: Count; samples: number; tests: number; refused: string[] }> {
  const samples = all.filter((_, index) => index % parts === part - 1);
  const count: Count = { fooled: 0, escaped: 0, thrown: 0, accused: 0, failed: 0, known: 0 };
  const refusedNow: string[] = [];
  let tests = 0;
  let done = 0;
  const label = by === judge ? name : `${name}, plain pytest`;
  const tell = (what: string, id: string, detail = '') => {
    if (by === judge) progress(`${what}: ${name}: ${id}${detail === '' ? '' : `: ${detail}`}`);
  };
  await Promise.all(
    samples.map(async ({ id, artifact, suite, expect, failing, leaning = [], lacking = [] }) => {
      try {
        const verdict = await by.run({ artifact, suite });
        tests += verdict.tests.length;
        const passed = verdict.tests.filter((test) => test.status === 'passed').map((test) => test.id);
        const mustFail = await failing?.();
        const unearned = passed.filter(
          (test) =>
            mustFail?.some((name) => test.endsWith(`::${name}`) || test.endsWith(` > ${name}`)) ?? true,
        );
        const isFooled = /SUCCESS|PARTIAL/.test(verdict.outcome) && !expect?.includes(verdict.outcome);
        if (!honest && (byTest ? unearned.length > 0 : isFooled)) {
          count.fooled += byTest ? unearned.length : 1;
          tell('fooled', id, byTest ? unearned.join(', ') : '');
        }
        if (expect !== undefined && !expect.includes(verdict.outcome)) {
          count.escaped += 1;
          tell('escaped', id, verdict.summary);
        }
        if (honest && verdict.outcome === 'SECURITY_VIOLATION') {
          count.accused += 1;
          tell('accused', id, verdict.violations[0]?.evidence);
        }
        const isKnown = ({ id: test, warnings = [] }: (typeof verdict.tests)[number]) =>
          lacking.some((name) => test.endsWith(name)) ||
          (warnings.length > 0 && leaning.some((name) => test.endsWith(name)));
        const notPassed = verdict.tests.filter((test) => test.status !== 'passed');
        const failed = notPassed.filter((test) => !isKnown(test));
        count.known += notPassed.length - failed.length;
        if (honest && by === judge && refused.includes(id) && verdict.outcome === 'FAILURE')
          refusedNow.push(id);
        else if (honest && failed.length > 0) {
          count.failed += failed.length;
          tell('failed', id, failed[0]?.reason ?? verdict.summary);
        }
      } catch (error) {
        const isExpected = isBonafideError(error) && expect?.includes(error.code);
        if (!isBonafideError(error, 'SUITE_UNSUPPORTED') && isExpected !== true) {
          count.thrown += 1;
          tell('thrown', id, String(error));
        }
      }
      done += 1;
      if (done % 25 === 0 || done === samples.length) progress(`${label}: ${done} of ${samples.length}`);
    }),
  );
  // A refusal that is no longer one must not stay in the list.
  for (const { id } of samples)
    if (by === judge && refused.includes(id) && !refusedNow.includes(id)) {
      count.failed += 1;
      tell('not refused, although it is expected', id);
    }
  return { count, samples: samples.length, tests, refused: refusedNow };
}

console.log(
  '| corpus | programs (tests) | fooled | escaped | thrown | falsely accused | falsely failed | failed as listed | refused by design | plain pytest: fooled, failed |',
);
console.log('|---|---:|---:|---:|---:|---:|---:|---:|---|---:|');
let bad = 0;
for (const each of [...corporaOfAttacks, ...corporaOfPrograms, ...corporaOfStyles].filter(({ name }) =>
  name.includes(flags.only),
)) {
  const { count, samples, tests, refused } = await measure(each, each.samples);
  bad += count.fooled + count.escaped + count.thrown + count.accused + count.failed;
  const other = each.plain && !flags.alone ? await measure(each, each.plain, plain) : null;
  const compared =
    other === null ? '' : `${each.honest ? other.count.failed : other.count.fooled} of ${other.samples}`;
  console.log(
    `| ${each.name} | ${samples} (${tests}) | ${count.fooled} | ${count.escaped} | ${count.thrown} | ${count.accused} | ${count.failed} | ${count.known} | ${refused.join(', ')} | ${compared} |`,
  );
}

/** Measures the event loop beside eight hostile judgments. */
async function measureEventLoop(): Promise<void> {
  const eightAtOnce = createJudge({ sandbox, concurrency: 8 });
  const answers = [
    'def solve(): return {str(i): float(i) for i in range(240_000)}',
    'def solve(): return frozenset("x" * 900 + str(i) for i in range(9_000))',
  ];
  const outputs = ['print("1 " * 4_500_000)', 'print("[" + "[]," * 3_000_000 + "1]")'];
  const vectors: Suite = {
    ...{ id: 'large', language: 'python', mode: 'vectors', entryPoint: 'solve' },
    cases: [{ id: 'a', layer: 'correctness', args: [], expect: { a: 1.5 }, tolerance: 0.1 }],
  };
  const program: Suite = {
    ...{ id: 'large', mode: 'program', language: 'python', run: ['python3', 'solution.py'] },
    cases: [{ id: 'a', layer: 'correctness', match: 'json', expect: { stdout: '1' } }],
  };
  for (const [name, sources, suite] of [
    ['answers', answers, vectors],
    ['programs', outputs, program],
  ] as const) {
    // What is measured is the time from one timer to the next, which includes the timer's own.
    const resolution = 5;
    const delay = monitorEventLoopDelay({ resolution });
    delay.enable();
    const eight = Array.from({ length: 8 }, (_, index) => sources[index % sources.length] ?? '');
    const cpu = await cpuOfTurns(() =>
      Promise.all(eight.map((source) => eightAtOnce.run({ artifact: { source }, suite }))),
    );
    delay.disable();
    console.log(
      `\nEvent loop beside eight hostile ${name}: delay p99 ${(delay.percentile(99) / 1e6 - resolution).toFixed(1)} ms, CPU of a turn p99 ${cpu(0.99).toFixed(1)} ms.`,
    );
  }
  await eightAtOnce.close();
}
if (part === 1 && flags.only === '') await measureEventLoop();
await judge.close();
await plain.close();
await sandbox.close();
await containers?.close();
process.exitCode = bad === 0 ? 0 : 1;
