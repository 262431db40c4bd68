/*
 * The release gate (JDG-27): how many of the attacks were fooled into a success, escaped, or made the judge throw, and how many
 * honest programs were accused or failed, beside plain pytest with the artifact in its process. Prints a markdown table,
 * and ends with code 1 when any count of the judge is not zero. Programs that a profile refuses by design are named, and
 * their failure is expected. Tests that fail as their corpus lists them, without a reference, have a column of their own.
 * `--alone` leaves plain pytest out; `--part 2/3` judges the second third of every corpus, so that the counts of all parts
 * add up; `--only node:test` judges the corpora with that in their names. Progress goes to stderr.
 */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import {
  type Artifact,
  createContainerSandbox,
  createJudge,
  detectSandbox,
  isBonafideError,
  type Judge,
  type Suite,
} from '../src/index.ts';
import { testsOfConversions, wrongConversions } from '../test/corpus/attacks-by-conversions.ts';
import { attacksByFields } from '../test/corpus/attacks-by-fields.ts';
import { learningsOfPython } from '../test/corpus/attacks-by-learning.ts';
import { judged, makingsOfJavascript, makingsOfPython } from '../test/corpus/attacks-by-making.ts';
import { attacksByMimicry } from '../test/corpus/attacks-by-mimicry.ts';
import * as reads from '../test/corpus/attacks-by-reads.ts';
import { attacksOfRooms } from '../test/corpus/attacks-of-rooms.ts';
import type { FidelityCase } from '../test/corpus/fidelity-case.ts';
import { fidelityJavascript } from '../test/corpus/fidelity-javascript.ts';
import { fidelityJavascriptBuilders } from '../test/corpus/fidelity-javascript-builders.ts';
import { fidelityJavascriptCircles } from '../test/corpus/fidelity-javascript-circles.ts';
import { fidelityJavascriptClasses } from '../test/corpus/fidelity-javascript-classes.ts';
import { fidelityJavascriptConversions } from '../test/corpus/fidelity-javascript-conversions.ts';
import { fidelityJavascriptFactories } from '../test/corpus/fidelity-javascript-factories.ts';
import { fidelityJavascriptLanguage } from '../test/corpus/fidelity-javascript-language.ts';
import { fidelityJavascriptLibraries } from '../test/corpus/fidelity-javascript-libraries.ts';
import { fidelityJavascriptPackages } from '../test/corpus/fidelity-javascript-packages.ts';
import { fidelityJavascriptProjects } from '../test/corpus/fidelity-javascript-projects.ts';
import { fidelityJavascriptStates } from '../test/corpus/fidelity-javascript-states.ts';
import { fidelityJavascriptStyles } from '../test/corpus/fidelity-javascript-styles.ts';
import { fidelityJavascriptUtilities } from '../test/corpus/fidelity-javascript-utilities.ts';
import { fidelityJavascriptWaiting } from '../test/corpus/fidelity-javascript-waiting.ts';
import { fidelityOperators } from '../test/corpus/fidelity-operators.ts';
import { fidelityPython } from '../test/corpus/fidelity-python.ts';
import { unearnedCarriers, unearnedCarriersOfJavascript } from '../test/corpus/unearned-carriers.ts';
import { unearnedJavascript } from '../test/corpus/unearned-javascript.ts';
import { unearnedMakersOfJavascript } from '../test/corpus/unearned-makers.ts';
import { unearnedPython } from '../test/corpus/unearned-python.ts';
import { attackSuite, attacks, attackTests, honest, honestSuite } from '../test/fixtures.ts';
import { cpuOfTurns } from '../test/turns.ts';

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
interface Sample {
  readonly id: string;
  readonly artifact: Artifact;
  readonly suite: Suite;
  /** Outcomes that are right; any other of an attack on the box is an escape. */
  readonly expect?: readonly string[];
  /** Last parts of the names of tests that fail and are named before, and of those that fail without it. */
  readonly leaning?: readonly string[];
  readonly lacking?: readonly string[];
}
interface Corpus {
  readonly name: string;
  readonly honest: boolean;
  readonly samples: readonly Sample[];
  /** The same for plain pytest, where it can run them. */
  readonly plain?: readonly Sample[];
  /** True where a sample is many wrong modules with tests of their own, so that each test that passes was fooled. */
  readonly byTest?: boolean;
  /** Ids of honest programs that the profile refuses by design: they must fail, and are not counted. */
  readonly refused?: readonly string[];
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
    samples.map(async ({ id, artifact, suite, expect, leaning = [], lacking = [] }) => {
      try {
        const verdict = await by.run({ artifact, suite });
        tests += verdict.tests.length;
        const passed = verdict.tests.filter((test) => test.status === 'passed');
        const isFooled = /SUCCESS|PARTIAL/.test(verdict.outcome) && !expect?.includes(verdict.outcome);
        if (!honest && (byTest ? passed.length > 0 : isFooled)) {
          count.fooled += byTest ? passed.length : 1;
          tell('fooled', id, byTest ? passed.map((test) => test.id).join(', ') : '');
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
        const failing = verdict.tests.filter((test) => test.status !== 'passed');
        const failed = failing.filter((test) => !isKnown(test));
        count.known += failing.length - failed.length;
        if (honest && by === judge && refused.includes(id) && verdict.outcome === 'FAILURE')
          refusedNow.push(id);
        else if (honest && failed.length > 0) {
          count.failed += failed.length;
          tell('failed', id, failed[0]?.reason ?? verdict.summary);
        }
      } catch (error) {
        if (!isBonafideError(error, 'SUITE_UNSUPPORTED')) {
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
const liesInJavascript = [
  ...unearnedJavascript,
  ...unearnedCarriersOfJavascript,
  ...unearnedMakersOfJavascript,
];
const rooms = [...attacksOfRooms, ...attacksByMimicry, ...attacksByFields];
const allReads = { ...reads.wrongReads, ...reads.moreWrongReads };
const testsOfReads = reads.testsOfReads + reads.testOfRejections;
const modulesTogether: readonly Sample[] = [
  ...[false, true].flatMap((isReferred) => [
    { id: 'python', ...judged('python', { ...makingsOfPython, ...learningsOfPython }, isReferred) },
    { id: 'javascript', ...judged('javascript', makingsOfJavascript, isReferred) },
  ]),
  ...[null, reads.correctReads].map((reference) => ({
    ...{ id: 'reads', ...reads.judgedReads(allReads, testsOfReads, reference) },
  })),
  ...Object.entries(wrongConversions).map(([id, source]) => ({
    ...{ id, artifact: javascript(source), suite: node(id, testsOfConversions) },
  })),
];
const fakes = attacks().filter((each) => each.category === 'fake');

const ordinary = ({ id, tests, profile = 'STRICT', needs }: FidelityCase): Suite =>
  ({ ...pytest(id, tests), profile, ...needs }) as Suite;
/** The same samples as plain pytest runs them: artifact and tests in one process. */
const plainly = (samples: readonly Sample[], more: Partial<Suite> = {}): Sample[] =>
  samples.flatMap(({ id, artifact, suite }) =>
    suite.mode === 'split' && suite.language === 'python'
      ? [
          {
            ...{ id, artifact },
            suite: { ...pytest(id, '', 'same-process'), files: suite.files, ...more } as Suite,
          },
        ]
      : [],
  );
const corpus = (name: string, isHonest: boolean, samples: readonly Sample[], more: Partial<Corpus> = {}) => ({
  ...{ name, honest: isHonest, samples },
  ...more,
});
const fakesAsPytest = fakes.map(({ id, artifact }) => ({
  ...{ id, artifact },
  suite: { ...pytest(id, attackTests()), limits },
}));
const lies = liesInPython.map(({ id, artifact, tests }) => ({
  ...{ id, artifact: python(artifact), suite: pytest(id, tests) },
}));
// Classes that compare by operators of their own need a reference.
const ordinaryPython = fidelityPython
  .filter((each) => each.needsReference !== true)
  .map((each) => ({
    ...{ id: each.id, artifact: python(each.artifact), suite: ordinary(each) },
    leaning: each.leaning ?? [],
  }));
const ordinaryJavascript = [
  ...[...fidelityJavascript, ...fidelityJavascriptStyles, ...fidelityJavascriptProjects],
  ...[...fidelityJavascriptLanguage, ...fidelityJavascriptConversions, ...fidelityJavascriptFactories],
  ...[...fidelityJavascriptLibraries, ...fidelityJavascriptPackages],
  ...[...fidelityJavascriptCircles, ...fidelityJavascriptClasses],
].map(({ id, artifact, tests, needs, needsReference, leaning = [] }) => ({
  ...{ id, artifact: javascript(artifact), leaning, needsReference },
  suite: {
    ...node(id, tests),
    ...(needs?.objects === undefined ? {} : { objects: needs.objects }),
  } as Suite,
}));
const packagesOfJavascript = [
  ...[...fidelityJavascriptWaiting, ...fidelityJavascriptBuilders],
  ...[...fidelityJavascriptStates, ...fidelityJavascriptUtilities],
].map(({ id, artifact, tests, leaning = [], lacking = [] }) => ({
  ...{ id, artifact: javascript(artifact), leaning, lacking },
  suite: { ...node(id, ''), files: tests } as Suite,
}));
const withReference = ({ id, artifact, suite }: Sample): Sample => ({
  ...{ id, artifact },
  suite: { ...suite, reference: artifact } as Suite,
});
const corpora: readonly Corpus[] = [
  corpus(
    'attacks of the corpus, vectors',
    false,
    attacks()
      .filter(({ category }) => category !== 'control')
      .map(({ id, artifact, expect }) => ({
        ...{ id, artifact, expect },
        suite: { ...attackSuite(), limits },
      })),
  ),
  corpus('fakes of the corpus, pytest', false, fakesAsPytest, { plain: plainly(fakesAsPytest, { limits }) }),
  corpus('lies in answers, pytest', false, lies, { plain: plainly(lies) }),
  corpus(
    'lies in answers, node:test',
    false,
    liesInJavascript.map(({ id, artifact, tests }) => ({
      ...{ id, artifact: javascript(artifact), suite: node(id, tests) },
    })),
  ),
  ...[...new Set(rooms.map(({ room }) => room))].map((room) => {
    const own = rooms.filter((attack) => attack.room === room);
    return corpus(`attacks on ${room}`, false, own, { plain: plainly(own, { limits }) });
  }),
  corpus('attacks on making, learning and reads, by test', false, modulesTogether, { byTest: true }),
  ...(['STRICT', 'EXTENDED'] as const).map((profile) =>
    corpus(
      `honest programs, ${profile}`,
      true,
      honest().map(({ id, artifact }) => ({ id, artifact, suite: { ...honestSuite, profile } })),
      // Timers interrupt calls: EXTENDED permits them.
      profile === 'STRICT' ? { refused: ['signal_alarm.py'] } : {},
    ),
  ),
  corpus('ordinary tests of pytest and unittest', true, ordinaryPython, { plain: plainly(ordinaryPython) }),
  corpus(
    'ordinary tests of pytest, with a reference',
    true,
    [...fidelityPython, ...fidelityOperators].map(({ id, artifact, tests }) => ({
      ...{ id, artifact: python(artifact) },
      suite: { ...pytest(id, tests), profile: 'STRICT', reference: python(artifact) } as Suite,
    })),
  ),
  corpus(
    'ordinary tests of node:test',
    true,
    ordinaryJavascript.filter((each) => each.needsReference !== true),
  ),
  corpus(
    'ordinary tests of node:test, with a reference',
    true,
    ordinaryJavascript
      .filter((each) => each.needsReference === true || each.leaning.length > 0)
      .map(withReference),
  ),
  corpus('ordinary packages with node:test', true, packagesOfJavascript),
  corpus(
    'ordinary packages with node:test, with a reference',
    true,
    packagesOfJavascript.filter((each) => each.lacking.length === 0).map(withReference),
  ),
];

console.log(
  '| corpus | programs (tests) | fooled | escaped | thrown | falsely accused | falsely failed | failed as listed | refused by design | plain pytest: fooled, failed |',
);
console.log('|---|---:|---:|---:|---:|---:|---:|---:|---|---:|');
let bad = 0;
for (const each of corpora.filter(({ name }) => name.includes(flags.only))) {
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
