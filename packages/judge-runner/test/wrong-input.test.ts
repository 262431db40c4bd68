import {
  noBooleans,
  noCounts,
  noObjects,
  noTexts,
  spoil,
  spoilRecord,
  unrefused,
  type WrongCall,
} from '@bonafide/internal/testing';
import { expect, it } from 'vitest';
import { loadHumanEvalSuite, loadHumanEvalTask } from '../src/humaneval/index.ts';
import * as judge from '../src/index.ts';

const missing = (values: readonly unknown[]) => [undefined, ...values];
const noNumbers = [null, '5', 10n, true, {}, [], Number.NaN, Symbol('x')];
const noLists = [null, 5, 'x', {}, true];
const noPorts = [...noObjects, {}];
const noPaths = [...noTexts, '', 'a\0b'];
const inLists = (values: readonly unknown[]) => missing([...noLists, ...values.map((value) => [value])]);
const noLimits = spoil({}, { wallMs: [0, -1, ...noNumbers], pids: [0, ...noCounts], outputBytes: noCounts });

const suite = {
  id: 'x',
  language: 'python',
  mode: 'vectors',
  cases: [{ id: 'a', layer: 'smoke', fn: 'f', args: [], expect: 1 }],
} as const;
const artifact = { language: 'python', source: 'def f(): return 1' } as const;
const commitment = judge.commitOracle(suite);
const opening = judge.openLeaf(commitment, suite, 'a');
const record = {
  ...{ expected: [{ id: 'a', layer: 'smoke' }], passed: ['a'], violations: [], exceeded: [] },
  ...{ protocolError: null, crash: null },
} as const;
const noRecords = missing(
  spoilRecord(record, {
    expected: inLists([null, { id: 5, layer: 'smoke' }]),
    passed: inLists([5]),
    exceeded: inLists(['x']),
    crash: [undefined, 5],
  }),
);
const result = { layer: 'smoke', total: 1, passed: 1, failed: 0, notRun: 0, passRate: 1 } as const;
const noResults = inLists(
  spoilRecord(result, {
    layer: missing([...noTexts, 'x']),
    passRate: missing([2, ...noNumbers]),
    total: noCounts,
  }),
);
const noValues = missing([
  Symbol('x'),
  () => {},
  {},
  { type: 'x' },
  { type: 'list' },
  { type: 'list', items: [{}] },
  { type: 'dict', entries: [[1]] },
  { type: 'complex', real: '1', imaginary: 0 },
]);
const tools = { suppressions: 0, pylint: null, bandit: null, mypy: null };
const finding = { rule: 'secret-path', file: 'a', line: 1, detail: 'b' } as const;
const noCommitments = missing(
  spoilRecord(commitment, {
    root: missing([...noTexts, 'x']),
    salts: inLists([5, 'x']),
    count: missing(noCounts),
  }),
);

const pure: readonly WrongCall[] = [
  ['classify', noRecords, (given) => judge.classify(given)],
  ['causeOf', noRecords, (given) => judge.causeOf(given)],
  ['passRateOf', noRecords, (given) => judge.passRateOf(given)],
  [
    'summarizeLayers',
    inLists([null, {}, { layer: 'x', status: 'passed' }]),
    (given) => judge.summarizeLayers(given),
  ],
  ['compositePassRate', noResults, (given) => judge.compositePassRate(given)],
  ['performanceTier', noResults, (given) => judge.performanceTier(given)],
  [
    'rateQuality',
    missing(
      spoilRecord(tools, { suppressions: missing(noCounts), pylint: [undefined, 5, {}, { score: '1' }] }),
    ),
    (given) => judge.rateQuality(given),
  ],
  [
    'the findings of staticViolations',
    inLists(spoilRecord(finding, { rule: missing([...noTexts, 'x']), line: noCounts })),
    (given) => judge.staticViolations(given),
  ],
  [
    'the thresholds of staticViolations',
    spoil({}, { forbid: inLists(['x']).slice(1), maxWarnings: noCounts }),
    (given) => judge.staticViolations([], given),
  ],
  ['the answer of matchesOutput', missing(noTexts), (given) => judge.matchesOutput(given, 'x')],
  ['the expected text of matchesOutput', missing(noTexts), (given) => judge.matchesOutput('x', given)],
  [
    'the rule of matchesOutput',
    [...noTexts, 'x', 'constructor'],
    (given) => judge.matchesOutput('x', 'x', given),
  ],
  [
    'the tolerance of matchesOutput',
    [-1, ...noNumbers.filter((value) => !isEmpty(value)), { absolute: '1' }],
    (given) => judge.matchesOutput('x', 'x', 'lines', given),
  ],
  ['the answer of compareAnswer', noValues, (given) => judge.compareAnswer(given, 1)],
  ['the expected value of compareAnswer', noValues, (given) => judge.compareAnswer(1, given)],
  [
    'the rule of compareAnswer',
    spoil({}, { match: [...noTexts, 'x'], order: [...noTexts, 'x'], tolerance: [-1, '1', Number.NaN] }),
    (given) => judge.compareAnswer(1, 1, given),
  ],
  ['encodeValue', noValues, (given) => judge.encodeValue(given)],
  ['describeValue', noValues, (given) => judge.describeValue(given)],
  ['the length of describeValue', [0, ...noCounts], (given) => judge.describeValue(1, given)],
  [
    'decodeValue',
    missing([Symbol('x'), () => {}, 10n, { $int: 'x' }, { $tuple: 5 }, unreadable()]),
    (given) => judge.decodeValue(given),
  ],
  ['the options of decodeValue', spoil({}, { answers: noBooleans }), (given) => judge.decodeValue(1, given)],
  ['mergeLimits', noLimits, (given) => judge.mergeLimits(given)],
  [
    'parseSuite',
    missing([...noObjects, {}, unreadable(), { ...suite, misspelt: 1 }]),
    (given) => judge.parseSuite(given),
  ],
  [
    'the suite of commitOracle',
    missing([...noObjects, {}, unreadable()]),
    (given) => judge.commitOracle(given),
  ],
  [
    'the options of commitOracle',
    spoil({}, { salt: noObjects }),
    (given) => judge.commitOracle(suite, given),
  ],
  [
    'the commitment of checkCommitment',
    noCommitments.filter((value) => !hasWrongCount(value)),
    (given) => judge.checkCommitment(given, suite),
  ],
  [
    'the suite of checkCommitment',
    missing([...noObjects, {}]),
    (given) => judge.checkCommitment(commitment, given),
  ],
  ['the suite of openLeaf', missing([...noObjects, {}]), (given) => judge.openLeaf(commitment, given, 'a')],
  ['the case of openLeaf', missing([...noTexts, 'x']), (given) => judge.openLeaf(commitment, suite, given)],
  [
    'the commitment of verifyLeaf',
    missing([...noPorts, { root: 5, count: 1 }]),
    (given) => judge.verifyLeaf(given, opening),
  ],
  [
    'the opening of verifyLeaf',
    missing(spoilRecord(opening, { salt: missing(noTexts), case: missing(noObjects), path: inLists([5]) })),
    (given) => judge.verifyLeaf(commitment, given),
  ],
  ['loadHumanEvalTask', missing([...noPorts, unreadable()]), (given) => loadHumanEvalTask(given)],
  ['loadHumanEvalSuite', missing([...noPorts, unreadable()]), (given) => loadHumanEvalSuite(given)],
];

function unreadable(): object {
  return Object.defineProperty({}, 'mode', {
    enumerable: true,
    get() {
      throw new Error('this property throws');
    },
  });
}

/** Every member of a tolerance may be left out. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The number of leaves is checked by `verifyLeaf`: the salts state it as well. */
function hasWrongCount(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).at(-1) === 'count';
}

const factories: readonly WrongCall[] = [
  [
    'createJudge',
    spoil(
      {},
      {
        sandbox: noPorts,
        limits: noLimits,
        concurrency: [0, ...noCounts],
        environments: noPaths,
        logger: noPorts,
        clock: noObjects,
        random: noObjects,
      },
    ),
    (given) => judge.createJudge(given),
  ],
  ...([judge.detectSandbox, judge.probeSandbox] as const).map(
    (make): WrongCall => [
      make.name,
      spoil({}, { cgroups: [...noTexts, 'x'], python: noPaths, supervisor: noBooleans }),
      (given) => make(given),
    ],
  ),
  ...([judge.createContainerSandbox, judge.probeContainerSandbox] as const).map(
    (make): WrongCall => [
      make.name,
      spoil(
        {},
        {
          engine: [...noTexts, 'x'],
          runtime: [...noTexts, ''],
          image: [...noTexts, ''],
          folder: noPaths,
          cgroups: ['x'],
          supervisor: noBooleans,
        },
      ),
      (given) => make(given),
    ],
  ),
  [
    'buildEnvironment',
    spoil(
      {},
      {
        sandbox: noPorts,
        folder: noPaths,
        maxBytes: [0, ...noCounts],
        maxFiles: [0, ...noCounts],
        clock: noObjects,
        logger: noPorts,
        signal: noPorts,
      },
    ),
    (given) => judge.buildEnvironment(suite, given),
  ],
];

const one = judge.createJudge();
const methods: readonly WrongCall[] = [
  [
    'run',
    missing(
      spoil(
        { artifact, suite },
        {
          artifact: missing([...noPorts, unreadable()]),
          suite: missing([...noPorts, unreadable()]),
          limits: noLimits,
          fresh: spoil({}, { count: noCounts, seed: [...noTexts, ''], oracle: noObjects }),
          commitment: [...noPorts, { root: 'x' }],
          quality: noBooleans,
          signal: noPorts,
        },
      ),
    ),
    (given) => one.run(given),
  ],
  ['the suite of checkSuite', missing([...noPorts, unreadable()]), (given) => one.checkSuite(given)],
  ['the options of checkSuite', spoil({}, { mutants: noCounts }), (given) => one.checkSuite(suite, given)],
];

it.each([
  ['pure functions', pure, 'INVALID_INPUT SUITE_INVALID COMMITMENT_MISMATCH'],
  ['options', factories, 'INVALID_CONFIG'],
  ['runs and checks', methods, 'INVALID_INPUT SUITE_INVALID ARTIFACT_INVALID'],
] as const)('X-3 X-4 wrong input is refused with a code: %s', async (_part, calls, codes) => {
  expect(await unrefused(calls, ...codes.split(' '))).toEqual([]);
});

it.each([
  ['Infinity', Number.POSITIVE_INFINITY, '{ "$float": "inf" }'],
  ['NaN in a list', [1, Number.NaN], '{ "$float": "nan" }'],
  ['a bigint', 5n, '{ "$int": "…" }'],
  ['a Set', { a: new Set([1]) }, '{ "$set": […] }'],
  ['undefined', undefined, 'write null'],
])('X-4 JDG-14 says how a suite writes what JSON has no word for: %s', (_what, expect_, remedy) => {
  const cases = [{ id: 'a', layer: 'smoke', fn: 'f', args: [], expect: expect_ }];
  expect(() => judge.parseSuite({ ...suite, cases })).toThrow(remedy);
});

it('X-4 JDG-14 says that TypeScript is not taken', async () => {
  const files = { 'a.test.ts': '' };
  const tests = { id: 'x', language: 'javascript', mode: 'split', files };
  expect(() => judge.parseSuite(tests)).toThrow('tests in TypeScript are not taken: build them first');
  const own = judge.createJudge();
  const javascript = { ...suite, language: 'javascript' } as const;
  for (const given of [{ language: 'typescript', source: '' }, { files: { 'solution.ts': '' } }])
    await expect(own.run({ artifact: given, suite: javascript })).rejects.toMatchObject({
      ...{ code: 'ARTIFACT_INVALID', message: expect.stringContaining('TypeScript is not taken') },
    });
  await own.close();
});
