/*
 * The release gate (JDG-27): how many of the attacks were fooled into a success, escaped, or made the judge throw, and how many
 * honest programs were accused or failed, beside plain pytest with the artifact in its process. Prints a markdown table,
 * and ends with code 1 when any count of the judge is not zero. `--alone` leaves plain pytest out.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
  type Artifact,
  createContainerSandbox,
  createJudge,
  detectSandbox,
  isBonafideError,
  type Judge,
  type Suite,
} from '../src/index.ts';
import { attacksByRoom } from '../test/corpus/attacks-by-room.ts';
import { attacksOnTesters } from '../test/corpus/attacks-on-testers.ts';
import { fidelityJavascript } from '../test/corpus/fidelity-javascript.ts';
import { fidelityJavascriptStyles } from '../test/corpus/fidelity-javascript-styles.ts';
import { type FidelityCase, fidelityPython } from '../test/corpus/fidelity-python.ts';
import { fidelityStyles } from '../test/corpus/fidelity-styles.ts';
import { unearnedCarriers, unearnedCarriersOfJavascript } from '../test/corpus/unearned-carriers.ts';
import { unearnedJavascript } from '../test/corpus/unearned-javascript.ts';
import { unearnedPython } from '../test/corpus/unearned-python.ts';
import { attackSuite, attacks, attackTests, honest, honestSuite } from '../test/fixtures.ts';
import { cpuOfTurns } from '../test/turns.ts';

const sandbox = await detectSandbox();
const judge = createJudge({ sandbox, concurrency: 4 });
const isAlone = process.argv.includes('--alone');
const containers = isAlone ? null : await createContainerSandbox({ engine: 'podman' }).catch(() => null);
const plain = createJudge({ sandbox: containers ?? sandbox, concurrency: 2 });

interface Count {
  fooled: number;
  escaped: number;
  thrown: number;
  accused: number;
  failed: number;
}
const none = (): Count => ({ fooled: 0, escaped: 0, thrown: 0, accused: 0, failed: 0 });
interface Sample {
  readonly artifact: Artifact;
  readonly suite: Suite;
  /** Outcomes that are right; any other of an attack on the box is an escape. */
  readonly expect?: readonly string[];
}

/** Runs samples; `failed` counts single tests. */
async function measure(
  samples: readonly Sample[],
  honestOnes: boolean,
  by: Judge = judge,
): Promise<[Count, number]> {
  const count = none();
  let tests = 0;
  await Promise.all(
    samples.map(async ({ artifact, suite, expect }) => {
      try {
        const verdict = await by.run({ artifact, suite });
        tests += verdict.tests.length;
        if (!honestOnes && /SUCCESS|PARTIAL/.test(verdict.outcome) && !expect?.includes(verdict.outcome)) {
          count.fooled += 1;
          console.error(`fooled: ${suite.id}`);
        }
        if (expect !== undefined && !expect.includes(verdict.outcome)) count.escaped += 1;
        if (honestOnes && verdict.outcome === 'SECURITY_VIOLATION') count.accused += 1;
        if (honestOnes) count.failed += verdict.tests.filter((test) => test.status !== 'passed').length;
      } catch (error) {
        if (!isBonafideError(error, 'SUITE_UNSUPPORTED')) {
          count.thrown += 1;
          console.error(`thrown: ${suite.id}: ${String(error)}`);
        }
      }
    }),
  );
  return [count, tests];
}

const python = (artifact: string | Readonly<Record<string, string>>): Artifact =>
  typeof artifact === 'string'
    ? { language: 'python', source: artifact }
    : { language: 'python', files: artifact };
const javascript = (artifact: string | Readonly<Record<string, string>>): Artifact =>
  typeof artifact === 'string'
    ? { language: 'javascript', source: artifact }
    : { language: 'javascript', files: artifact };
const limits = { wallMs: 20_000, cpuHardMs: 2000, memoryHardBytes: 256 * 1024 * 1024 };
const pytest = (id: string, tests: string, mode: 'split' | 'same-process' = 'split'): Suite => ({
  ...{ id, language: 'python', mode, profile: 'EXTENDED', files: { 'test_it.py': tests } },
});
const node = (id: string, tests: string): Suite => ({
  ...{ id, language: 'javascript', mode: 'split', files: { 'test/it.test.mjs': tests } },
});
const liesInPython = [...unearnedPython, ...unearnedCarriers];
const liesInJavascript = [...unearnedJavascript, ...unearnedCarriersOfJavascript];
const rooms = [...attacksByRoom, ...attacksOnTesters];
const fakes = attacks().filter((each) => each.category === 'fake');

const pythonCases = [...fidelityPython, ...fidelityStyles];
const ordinary = ({ id, tests, profile = 'STRICT', needs }: FidelityCase): Suite =>
  ({ ...pytest(id, tests), profile, ...needs }) as Suite;
type Group = readonly [string, boolean, readonly Sample[], readonly Sample[]];
const groups: readonly Group[] = [
  [
    'attacks of the corpus, vectors',
    false,
    attacks()
      .filter(({ category }) => category !== 'control')
      .map(({ artifact, expect }) => ({ artifact, expect, suite: { ...attackSuite(), limits } })),
    [],
  ],
  [
    'fakes of the corpus, pytest',
    false,
    fakes.map(({ id, artifact }) => ({ artifact, suite: { ...pytest(id, attackTests()), limits } })),
    fakes.map(({ id, artifact }) => ({
      artifact,
      suite: { ...pytest(id, attackTests(), 'same-process'), limits },
    })),
  ],
  [
    'lies in answers, pytest',
    false,
    liesInPython.map(({ id, artifact, tests }) => ({
      artifact: python(artifact),
      suite: pytest(id, tests),
    })),
    liesInPython.map(({ id, artifact, tests }) => ({
      artifact: python(artifact),
      suite: pytest(id, tests, 'same-process'),
    })),
  ],
  [
    'lies in answers, node:test',
    false,
    liesInJavascript.map(({ id, artifact, tests }) => ({
      artifact: javascript(artifact),
      suite: node(id, tests),
    })),
    [],
  ],
  ...[...new Set(rooms.map(({ room }) => room))].map((room): Group => {
    const own = rooms.filter((attack) => attack.room === room);
    return [
      `attacks on ${room}`,
      false,
      own,
      own.flatMap(({ artifact, suite }) =>
        suite.mode === 'split' && suite.language === 'python'
          ? [{ artifact, suite: { ...pytest(suite.id, '', 'same-process'), files: suite.files, limits } }]
          : [],
      ),
    ];
  }),
  ...(['STRICT', 'EXTENDED'] as const).map(
    (profile): Group => [
      `honest programs, ${profile}`,
      true,
      honest().map(({ artifact }) => ({ artifact, suite: { ...honestSuite, profile } })),
      [],
    ],
  ),
  [
    'ordinary tests of pytest and unittest',
    true,
    pythonCases.map((each) => ({ artifact: python(each.artifact), suite: ordinary(each) })),
    pythonCases.map(({ id, artifact, tests }) => ({
      artifact: python(artifact),
      suite: pytest(id, tests, 'same-process'),
    })),
  ],
  [
    'ordinary tests of pytest, with a reference',
    true,
    pythonCases.map((each) => ({
      artifact: python(each.artifact),
      suite: { ...pytest(each.id, each.tests), profile: 'STRICT', reference: python(each.artifact) } as Suite,
    })),
    [],
  ],
  [
    'ordinary tests of node:test',
    true,
    [...fidelityJavascript, ...fidelityJavascriptStyles].map(({ id, artifact, tests, needs }) => ({
      artifact: javascript(artifact),
      suite: {
        ...node(id, tests),
        ...(needs?.objects === undefined ? {} : { objects: needs.objects }),
      } as Suite,
    })),
    [],
  ],
];

console.log(
  '| corpus | programs (tests) | fooled | escaped | thrown | falsely accused | falsely failed | plain pytest: fooled, failed |',
);
console.log('|---|---:|---:|---:|---:|---:|---:|---:|');
let bad = 0;
for (const [name, honestOnes, samples, beside] of groups) {
  const [count, tests] = await measure(samples, honestOnes);
  const [other] = beside.length > 0 && !isAlone ? await measure(beside, honestOnes, plain) : [null];
  bad += count.fooled + count.escaped + count.thrown + count.accused + count.failed;
  const compared = other === null ? '' : `${honestOnes ? other.failed : other.fooled} of ${beside.length}`;
  console.log(
    `| ${name} | ${samples.length} (${tests}) | ${count.fooled} | ${count.escaped} | ${count.thrown} | ${count.accused} | ${count.failed} | ${compared} |`,
  );
}

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
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const eight = Array.from({ length: 8 }, (_, index) => sources[index % sources.length] ?? '');
  const cpu = await cpuOfTurns(() =>
    Promise.all(eight.map((source) => judge.run({ artifact: { source }, suite }))),
  );
  delay.disable();
  console.log(
    `\nEvent loop beside eight hostile ${name}: delay p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms, CPU of a turn p99 ${cpu(0.99).toFixed(1)} ms.`,
  );
}
await judge.close();
await plain.close();
await sandbox.close();
await containers?.close();
process.exitCode = bad === 0 ? 0 : 1;
