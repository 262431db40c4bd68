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
import * as routing from '../src/index.ts';
import { createFileSnapshots } from '../src/recovery/file-snapshots.ts';
import { createKyselyRoutingStore } from '../src/stores/kysely.ts';
import { setUp, taskType } from './support/matrix.ts';
import { platform, start } from './support.ts';

const noNumbers = [...noObjects.filter((value) => value !== 5), {}, []];
const noLists = [null, 5, 'x', {}, true];
const noTimes = noNumbers.filter((value) => value !== null);
const store = routing.createMemoryRoutingStore();
const config = routing.resolveConfig();
const life = routing.normalLifecycle();
const verdict = { outcome: 'SUCCESS', passRate: 1 };
const noOutcomes = [undefined, ...noTexts, 'x', '__proto__', 'constructor'];
const wrongMeasurements = {
  passRate: [2, -1, '1', Number.NaN],
  latencyMs: [-1, '1', Number.NaN, 10n],
  softLimitExceeded: [0, 'false'],
  errorKind: [5, {}],
};
const noVerdicts = [
  undefined,
  ...spoilRecord(verdict, { ...wrongMeasurements, outcome: noOutcomes, passRate: [undefined, ...noNumbers] }),
];
const noMeasurements = spoilRecord({}, wrongMeasurements);
const platforms = { pubkey: [undefined, ...noTexts, '', 'a:b'], d: [undefined, ...noTexts] };
const noPlatforms = [undefined, ...spoilRecord(platform(1), platforms)];
const noLives = [
  undefined,
  ...spoilRecord(life, { stage: [...noTexts, 'x'], signals: [...noLists, ['x']], ramp: noCounts }),
];
const noLifecycles = spoil(config.lifecycle, { silenceMs: noNumbers, removeAfter: [0, ...noCounts] });
const proposal = {
  newThresholds: { code: 0.5 },
  extendedMutations: {},
  confidence: 1,
  rationale: '',
  recommendedAction: 'REVIEW',
  suspend: [],
  clock: { a: 1 },
};
const noClocks = [undefined, ...noObjects, { a: '1' }, { a: -1 }, { a: 0.5 }];
const noProposals = [
  undefined,
  ...spoilRecord(proposal, {
    newThresholds: [undefined, ...noObjects, { code: '1' }, { code: 2 }],
    suspend: [undefined, ...noLists, [5]],
    clock: noClocks,
    recommendedAction: [undefined, ...noTexts, 'x'],
  }),
];
const record = {
  kind: 'outcome',
  id: 'x',
  at: 1,
  taskType,
  platform: platform(1),
  jobId: 'x',
  outcome: 'SUCCESS',
  valueMsat: null,
  measurements: {},
};
const noRecords = [
  undefined,
  ...spoilRecord(record, {
    kind: [undefined, ...noTexts, 'x', '__proto__'],
    id: [undefined, ...noTexts, ''],
    at: noTimes,
    platform: noPlatforms,
    outcome: noOutcomes,
    measurements: [undefined, ...noMeasurements],
  }),
];
const noStates = [undefined, ...noObjects, {}, { ...routing.replay([], config) }];
const candidate = { trust: 0.5, costMsat: 1, latencyMs: 1, inFlight: 0, observations: 0 };
const noShares = spoil(routing.defaultTierShares, { primary: [undefined, '1', -1, Number.NaN, null] });
const noStrategies = [
  ...noObjects.filter((value) => typeof value !== 'string'),
  'x',
  '__proto__',
  {},
  ...spoilRecord(routing.tieredStrategy(), {
    name: [undefined, ...noTexts],
    distribution: [undefined, ...noObjects],
    observe: noObjects,
    judgesCandidates: noBooleans,
  }).filter((value) => value !== 'x'),
];
const observations = {
  globalParallelism: spoilRecord({ limit: 1 }, { limit: [undefined, ...noTimes], cascade: noBooleans }),
  costBudget: [...noObjects, {}],
  models: [...noLists, [{}], [null]],
};

const pure: readonly WrongCall[] = [
  ['the verdict of compositeScore', noVerdicts, (given) => routing.compositeScore(given, { executionMs: 1 })],
  [
    'the baseline of explainComposite',
    [undefined, ...spoilRecord({ executionMs: 1 }, { executionMs: [undefined, '1', Number.NaN, -1] })],
    (given) => routing.explainComposite(verdict as routing.BenchmarkVerdict, given),
  ],
  [
    'initialTrust',
    [
      undefined,
      ...spoilRecord(
        { score: 1, latencyMs: 1, baselineMs: 1 },
        { score: [undefined, 2, ...noTimes], latencyMs: noTimes, baselineMs: noTimes },
      ),
    ],
    (given) => routing.initialTrust(given),
  ],
  ['the trust of successGain', [undefined, 2, ...noNumbers], (given) => routing.successGain(given, 1)],
  ['the number of afterBenchmarkSuccess', noTimes, (given) => routing.afterBenchmarkSuccess(0.5, given)],
  ['the outcome of trustMovement', noOutcomes, (given) => routing.trustMovement(given)],
  ['the measurements of moveTrust', noMeasurements, (given) => routing.moveTrust(0.5, 'SUCCESS', given)],
  ['the baseline of moveTrust', noTimes, (given) => routing.moveTrust(0.5, 'SUCCESS', {}, given)],
  ['performanceTier', [undefined, ...noTimes], (given) => routing.performanceTier(given, 1)],
  ['annotate', [undefined, ...noObjects, {}], (given) => routing.annotate(given)],
  [
    'the attempts of qualify',
    [undefined, ...noLists, [null], [{ outcome: 'x', score: 1 }], [{ outcome: 'SUCCESS', score: '1' }]],
    (given) => routing.qualify(given),
  ],
  [
    'the plan of qualify',
    spoil({}, { attempts: [0, ...noCounts], extendedAttempts: noCounts }),
    (given) => routing.qualify([], given),
  ],
  ['cooldownMs', [undefined, ...noCounts], (given) => routing.cooldownMs(given, false)],
  ['the level of nextCusum', [undefined, ...noNumbers], (given) => routing.nextCusum(given, true, 0.9, 0.1)],
  ['the success of nextCusum', [undefined, null, 2, '1'], (given) => routing.nextCusum(1, given, 0.9, 0.1)],
  ['normalLifecycle', noTimes, (given) => routing.normalLifecycle(given)],
  ['allocationOf', noLives, (given) => routing.allocationOf(given)],
  ['the life of lifecycleAt', noLives, (given) => routing.lifecycleAt(given, 1, config.lifecycle)],
  ['the config of lifecycleAt', noLifecycles, (given) => routing.lifecycleAt(life, 1, given)],
  [
    'the event of afterWork',
    [
      undefined,
      ...spoilRecord(
        { at: 1, kind: 'outcome', success: true, signals: [], maySuspend: () => true },
        {
          at: noTimes,
          kind: noTexts,
          success: noBooleans,
          signals: [['x'], ...noLists],
          maySuspend: noObjects,
        },
      ),
    ],
    (given) => routing.afterWork(life, given, config.lifecycle),
  ],
  ['compareClocks', noClocks, (given) => routing.compareClocks(given, {})],
  ['mergeMutations', noProposals, (given) => routing.mergeMutations(proposal as never, given)],
  ['resolveProposals', noProposals, (given) => routing.resolveProposals(given, proposal as never)],
  [
    'the observations of matrixMutationHook',
    spoil({}, observations),
    (extended) =>
      routing.matrixMutationHook({
        thresholds: {},
        outcome: 'SUCCESS',
        taskType,
        platform: 'a:b',
        context: { now: 1, extended },
      }),
  ],
  ['platformId', noPlatforms, (given) => routing.platformId(given)],
  ['platformSimilarity', [undefined, ...noLists, [null], [{}]], (given) => routing.platformSimilarity(given)],
  ['a similarity', noPlatforms, (given) => routing.platformSimilarity([])(given, platform(1))],
  [
    'the candidates of scoreCandidates',
    [
      undefined,
      ...noLists,
      [null],
      ...spoilRecord(candidate, {
        trust: [undefined, ...noNumbers],
        costMsat: noTimes,
        inFlight: noTimes,
      }).map((one) => [one]),
    ],
    (given) => routing.scoreCandidates(given),
  ],
  [
    'the weights of scoreCandidates',
    spoilRecord(routing.defaultWeights, { trust: [undefined, null, '1', -1, Number.NaN] }),
    (given) => routing.scoreCandidates([candidate], given),
  ],
  ['tierOf', [undefined, 2, ...noTimes], (given) => routing.tierOf(given, 1)],
  ['the shares of handOnShares', noShares, (given) => routing.handOnShares(given, () => false)],
  [
    'the test of handOnShares',
    [undefined, ...noObjects],
    (given) => routing.handOnShares(routing.defaultTierShares, given),
  ],
  [
    'powerOfTwoChoices',
    [undefined, ...noLists, [null], ['1'], [-1]],
    (given) => routing.powerOfTwoChoices(given),
  ],
  ['the shares of drawIndex', [undefined, ...noLists, ['1'], [{}]], (given) => routing.drawIndex(given, 0.5)],
  ['the draw of drawIndex', [undefined, 2, ...noNumbers], (given) => routing.drawIndex([1], given)],
  ['the state of applyRecord', noStates, (given) => routing.applyRecord(given, record as never)],
  ['the record of applyRecord', noRecords, (given) => routing.applyRecord(routing.replay([], config), given)],
  ['encodeRecord', noRecords, (given) => routing.encodeRecord(given)],
  [
    'decodeRecord',
    [
      undefined,
      ...spoilRecord(
        { id: 'x', kind: 'x', at: 1, taskType: null, data: {} },
        { id: [undefined, ...noTexts], at: noNumbers, data: [undefined, ...noObjects] },
      ),
    ],
    (given) => routing.decodeRecord(given),
  ],
  [
    'the records of replay',
    [undefined, ...noLists.slice(0, 3), ...noRecords.map((one) => [one])],
    (given) => routing.replay(given, config),
  ],
  ['the config of replay', spoil(config, { maxShare: ['1', 2] }), (given) => routing.replay([], given)],
  [
    'the records of evaluateStrategy',
    [undefined, null, 'x', ...noRecords.map((one) => [one])],
    (given) => routing.evaluateStrategy(given, config, routing.tieredStrategy()),
  ],
  ['the strategy of evaluateStrategy', noStrategies, (given) => routing.evaluateStrategy([], config, given)],
  ['entryView', noStates, (given) => routing.entryView(given, taskType, platform(1), 1)],
  ['entryViews', noStates, (given) => routing.entryViews(given, 1)],
  [
    'restoreBackup',
    [undefined, ...noLists, [5], [null]],
    (given) => routing.restoreBackup(given, routing.createMemoryRoutingStore()),
  ],
  [
    'the options of restoreBackup',
    spoil({}, { clock: noObjects }),
    (given) => routing.restoreBackup([], store, given),
  ],
];

const { matrix } = setUp();
const clock = noObjects;
const logger = [...noObjects, {}];
const factories: readonly WrongCall[] = [
  [
    'createRoutingMatrix',
    [
      undefined,
      ...spoil(
        { store },
        {
          store: [undefined, ...noObjects, {}, { append: () => {}, readAfter: () => {} }],
          clock,
          random: noObjects,
          newId: noObjects,
          config: spoil({}, { maxShare: [2, '1'], weights: [{ trust: -1 }, { Trust: 1 }] }),
          snapshots: [...noObjects, {}],
          strategy: noStrategies,
          raiseAlerts: noBooleans,
          logger,
        },
      ),
    ],
    (given) => routing.createRoutingMatrix(given),
  ],
  [
    'resolveConfig',
    spoil({}, { thresholds: [{ code: 2 }], maxInFlight: [0, '1'] }),
    (given) => routing.resolveConfig(given),
  ],
  [
    'createBackup',
    [
      undefined,
      ...spoil(
        { matrix, store, sink: { send: async () => {} } },
        {
          matrix: [undefined, ...noObjects, {}],
          store: [undefined, ...noObjects, {}],
          sink: [undefined, ...noObjects, {}],
          recordsPerBase: [0, ...noCounts],
          clock,
          logger,
        },
      ),
    ],
    (given) => routing.createBackup(given),
  ],
  [
    'createFileSnapshots',
    [
      undefined,
      ...spoil({ folder: 'x' }, { folder: [undefined, '', ...noTexts], keep: [1, ...noCounts], clock }),
    ],
    (given) => createFileSnapshots(given),
  ],
  [
    'the database of createKyselyRoutingStore',
    [undefined, ...noObjects, {}],
    (given) => createKyselyRoutingStore(given),
  ],
  [
    'createKyselyRoutingStore',
    spoil({}, { agentId: [...noTexts, '', 'a\0b', 'x'.repeat(100_000)] }),
    (given) => createKyselyRoutingStore({} as never, given),
  ],
  [
    'learnedStrategy',
    spoil({}, { optimism: noTimes, playDecay: [0, 2, ...noTimes], priorWeight: [1, ...noTimes] }),
    (given) => routing.learnedStrategy(given),
  ],
  ['thompsonStrategy', spoil({}, { decay: [0, 2, ...noTimes] }), (given) => routing.thompsonStrategy(given)],
  [
    'discountedUcbStrategy',
    spoil({}, { width: [-1, ...noTimes] }),
    (given) => routing.discountedUcbStrategy(given),
  ],
  [
    'tieredStrategy',
    spoil({}, { shares: noShares, epsilon: [2, ...noTimes] }),
    (given) => routing.tieredStrategy(given),
  ],
];

const work = { platform: platform(1), taskType };
const methods: readonly WrongCall[] = [
  [
    'register',
    [
      undefined,
      ...spoilRecord({ platform: platform(1) }, { platform: noPlatforms, taskTypes: noLists, at: noTimes }),
    ],
    (given) => matrix.register(given),
  ],
  [
    'recordBenchmark',
    [
      undefined,
      ...spoilRecord(
        { ...work, attemptId: 'x', verdict },
        { verdict: noVerdicts, attemptId: ['', ...noTexts] },
      ),
    ],
    (given) => matrix.recordBenchmark(given),
  ],
  [
    'recordOutcome',
    [
      undefined,
      ...spoilRecord(
        { ...work, jobId: 'x', outcome: 'SUCCESS' },
        {
          jobId: ['', ...noTexts],
          outcome: noOutcomes,
          measurements: noMeasurements,
          valueMsat: [-1, 0.5, '1'],
        },
      ),
    ],
    (given) => matrix.recordOutcome(given),
  ],
  [
    'direct',
    [
      undefined,
      ...spoilRecord(
        { ...work, action: 'pin', reason: 'x' },
        { action: noOutcomes, reason: ['', ...noTexts], source: [null, 'x'], violation: noBooleans },
      ),
    ],
    (given) => matrix.direct(given),
  ],
  [
    'the task of select',
    [
      undefined,
      ...spoilRecord({ taskType }, { taskType: ['', ...noTexts], jobId: ['', 5], valueMsat: [-1, '1'] }),
    ],
    (given) => matrix.select(given),
  ],
  [
    'the options of select',
    spoil(
      {},
      {
        n: [0, 65, ...noCounts],
        exclude: noLists,
        similarity: noObjects,
        besides: noLists,
        random: noObjects,
      },
    ),
    (given) => matrix.select({ taskType }, given),
  ],
  ['entries', spoil({}, { taskType: ['', ...noTexts] }), (given) => matrix.entries(given)],
  ['the task type of entry', [undefined, '', ...noTexts], (given) => matrix.entry(given, platform(1))],
  ['the platform of entry', noPlatforms, (given) => matrix.entry(taskType, given)],
  ['decisions', spoil({}, { limit: [0, ...noCounts], cursor: [5, 'x'] }), (given) => matrix.decisions(given)],
  ['mutations', spoil({}, { taskType: ['', ...noTexts] }), (given) => matrix.mutations(given)],
  [
    'applyMutation',
    [undefined, ...spoilRecord({}, { newThresholds: [{ code: 2 }, ...noObjects], clock: noClocks.slice(1) })],
    (given) => matrix.applyMutation(given),
  ],
  ['the source of applyMutation', [null, 5, 'x', '__proto__'], (given) => matrix.applyMutation({}, given)],
  [
    'rollbackThresholds',
    [undefined, ...spoil({ at: start }, { at: [undefined, ...noTimes] })],
    (given) => matrix.rollbackThresholds(given),
  ],
  [
    'maintain',
    spoil({}, { ...observations, platforms: [...noObjects, { x: 5 }, { x: { queueDepth: '1' } }] }),
    (given) => matrix.maintain(given),
  ],
  ['reconcile', [undefined, ...noLists], (given) => matrix.reconcile(given)],
  [
    'start',
    spoil({}, { maintainEveryMs: [0, 1e10, ...noTimes], snapshotEveryMs: [0, ...noTimes] }),
    (given) => matrix.start(given),
  ],
  ['on', [undefined, ...noTexts, 'x', '__proto__', 'constructor'], (name) => matrix.on(name, () => {})],
  ['a listener', [undefined, ...noObjects, {}], (listener) => matrix.on('trust', listener)],
  [
    'budgets.set',
    [
      undefined,
      ...spoil({ dailyMsat: 1 }, { dailyMsat: [-1, 0.5, '1'], rollover: [2, null], flexible: noBooleans }),
    ],
    (given) => matrix.budgets.set(given),
  ],
  [
    'budgets.reserve',
    [
      undefined,
      ...spoilRecord(
        { reservationId: 'x', taskType, amountMsat: 1 },
        { reservationId: ['', ...noTexts], amountMsat: noCounts },
      ),
    ],
    (given) => matrix.budgets.reserve(given),
  ],
  ['budgets.settle', [undefined, '', ...noTexts], (given) => matrix.budgets.settle(given, 1)],
  ['the amount of budgets.settle', [undefined, ...noCounts], (given) => matrix.budgets.settle('x', given)],
  [
    'the options of erasePeer',
    spoil({}, { preview: noBooleans }),
    (given) => store.erasePeer('a'.repeat(64), given),
  ],
];

it.each([
  ['pure functions', pure, 'INVALID_INPUT'],
  ['options', factories, 'INVALID_CONFIG'],
  ['methods', methods, 'INVALID_INPUT'],
] as const)('X-3 X-4 wrong input is refused with a code: %s', async (_part, calls, code) => {
  expect(await unrefused(calls, code)).toEqual([]);
});

it('X-3 X-4 fields of a host are tolerated in records, and values that were not measured are null', async () => {
  const { matrix: one, store: log, clock: now } = setUp();
  await one.register({ platform: { ...platform(1), note: 'x' }, taskTypes: [taskType], note: 'x' } as never);
  await one.recordOutcome({
    ...work,
    jobId: 'x',
    outcome: 'SUCCESS',
    measurements: { note: 'x' },
    note: 'x',
  } as never);
  const records = (await log.readAfter(0, 10)).map((each) => routing.decodeRecord(each));
  const state = routing.replay(
    records.map((each) => ({ ...each, note: 'x' })),
    config,
  );
  expect(routing.entryViews(state, now())).toEqual(await one.entries());
  expect(JSON.stringify(records)).not.toContain('note');
  expect(routing.trustMovement('SUCCESS', { quality: null, note: 'x' } as never)).toBe(0.1);
  await one.close();
});
