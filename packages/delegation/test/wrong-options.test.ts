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
import { createPgBossEngine } from '../src/engines/pg-boss.ts';
import * as delegation from '../src/index.ts';
import { createKyselyDelegationStore } from '../src/stores/kysely.ts';
import { createPostgresLeadership } from '../src/stores/postgres-leadership.ts';

const missing = (values: readonly unknown[]) => [undefined, ...values];
const noNumbers = [null, '5', 10n, true, {}, [], Number.NaN, Symbol('x')];
const noLists = [null, 5, 'x', {}, true];
const noPorts = [...noObjects, {}];
const store = delegation.createMemoryDelegationStore();
const nothing = async () => {};
const platform = { pubkey: 'a'.repeat(64), d: 'main' };
const parts = {
  store,
  source: { find: async () => [], get: nothing },
  jobs: { requestJob: nothing, getByKey: nothing },
  matrix: { register: nothing, select: nothing, entry: nothing },
  journal: { recordOutgoing: nothing, recordIncoming: nothing, recordOutcome: nothing },
};
const common = { clock: noObjects, logger: noPorts };
const drawn = { ...common, random: noObjects, timers: noPorts };
const noAgents = [...noTexts, '', 'a\0b', 'x'.repeat(100_000)];

const factories: readonly WrongCall[] = [
  [
    'createDelegation',
    missing(
      spoil(parts, {
        ...drawn,
        ...Object.fromEntries(Object.keys(parts).map((name) => [name, missing(noPorts)])),
        engine: noPorts,
        leadership: noPorts,
        judge: noPorts,
        reflection: [...noPorts, { hooks: {} }],
        publicWord: noPorts,
        receipts: noPorts,
        benchmarks: noPorts,
        similarity: noObjects,
        serviceLevel: noObjects,
        checks: [...noObjects, { a: 5 }],
        artifactOf: noObjects,
        bid: noObjects,
        config: spoil({}, { attempts: [0, ...noCounts], acceptPartial: noBooleans, kinds: [{ code: 1 }] }),
      }),
    ),
    (given) => delegation.createDelegation(given),
  ],
  ['resolveConfig', spoil({}, { attempts: [0, ...noCounts] }), (given) => delegation.resolveConfig(given)],
  [
    'createEmbeddedEngine',
    missing(
      spoil(
        { store: store.wakes },
        {
          ...drawn,
          store: missing(noPorts),
          config: spoil({}, { pollMs: noNumbers, exclusive: noBooleans }),
        },
      ),
    ),
    (given) => delegation.createEmbeddedEngine(given),
  ],
  [
    'createPgBossEngine',
    missing(
      spoil(
        { connectionString: 'postgres://a.example' },
        {
          ...common,
          connectionString: missing([...noTexts, '']),
          schema: [...noTexts, 'a-b'],
          agentId: noAgents,
          config: spoil({}, { pollMs: [1, ...noNumbers] }),
        },
      ),
    ),
    (given) => createPgBossEngine(given),
  ],
  ['the database of createPostgresLeadership', missing(noPorts), (given) => createPostgresLeadership(given)],
  [
    'createPostgresLeadership',
    spoil({}, { logger: noPorts, agentId: noAgents, config: spoil({}, { intervalMs: noNumbers }) }),
    (given) => createPostgresLeadership({} as never, given),
  ],
  [
    'the database of createKyselyDelegationStore',
    missing(noPorts),
    (given) => createKyselyDelegationStore(given),
  ],
  [
    'createKyselyDelegationStore',
    spoil({}, { agentId: noAgents }),
    (given) => createKyselyDelegationStore({} as never, given),
  ],
  ['the jobs of createJobReceipts', missing(noPorts), (given) => delegation.createJobReceipts(given)],
  [
    'the options of createJobReceipts',
    spoil({}, { ...common, retryMs: noNumbers }),
    (given) => delegation.createJobReceipts({ sendReceipt: nothing } as never, given),
  ],
  ['the queue of createPublicWord', missing(noPorts), (given) => delegation.createPublicWord(given)],
  [
    'the options of createPublicWord',
    spoil({}, { matrix: noPorts }),
    (given) => delegation.createPublicWord({ offer: nothing }, given),
  ],
  [
    'createSlaServiceLevel',
    missing(
      spoil(
        { rules: { parseSla: () => {}, evaluateSla: () => {} } },
        { rules: missing(noPorts), termsOf: noObjects, cards: noBooleans, minMeasurements: [0, ...noCounts] },
      ),
    ),
    (given) => delegation.createSlaServiceLevel(given),
  ],
  [
    'the platforms of createChanceMatrix',
    missing([...noLists, [null], [{}]]),
    (given) => delegation.createChanceMatrix(given, Math.random),
  ],
  [
    'the chance of createChanceMatrix',
    missing(noObjects),
    (given) => delegation.createChanceMatrix([], given),
  ],
];

const order: delegation.StoredOrder = {
  ...{
    id: 'o',
    taskType: 'code',
    kind: 5_000,
    inputs: [],
    params: {},
    output: null,
    suite: null,
    language: 'python',
  },
  ...{ check: 'none', accept: null, valueMsat: 5, maxMsat: 5, deadlineAt: null, criticality: 'background' },
  ...{ replicas: 1, needed: 1, attempts: 3, acceptPartial: false, trial: null },
};
const replica: delegation.Replica = {
  ...{ number: 1, round: 1, platform, name: null, relays: [], reason: 'x', trust: null, probability: null },
  ...{
    decisionId: null,
    chosenAt: 1,
    stage: 'requested',
    jobId: 'j',
    requestedAt: 1,
    withdrawn: null,
    answer: null,
  },
  ...{
    end: null,
    check: null,
    recorded: [],
    bidMsat: 5,
    invoicedMsat: 0,
    paidMsat: 0,
    feesMsat: 0,
    heldMsat: 0,
  },
};
const state: delegation.OrderState = {
  ...{ order, status: 'open', createdAt: 1, decidedAt: null, rounds: 1, exhausted: false },
  ...{ replicas: [replica], exclusions: [], winners: [], verifiedBy: null, failure: null },
};
const noReplicas = missing(
  spoilRecord(replica, {
    number: noCounts,
    stage: [...noTexts, 'x', 'constructor'],
    paidMsat: noNumbers,
    end: [5, {}],
    check: [5, {}],
  }),
);
const noStates = missing(
  spoilRecord(state, {
    order: missing([...noObjects, {}, { ...order, maxMsat: '5' }]),
    status: [...noTexts, 'x'],
    replicas: missing([...noLists, ...noReplicas.map((one) => [one])]),
    winners: [...noLists, ['1']],
  }),
);
const noEvents = missing(
  spoilRecord(
    { type: 'answered', at: 1, replica: 1, answer: { content: 'x', at: 1 }, paid: null },
    {
      type: missing([...noTexts, 'x', 'constructor']),
      at: missing(noNumbers),
      replica: noCounts,
      answer: [...noObjects, {}],
      paid: [5, {}],
    },
  ),
);

const pure: readonly WrongCall[] = [
  [
    'platformId',
    missing(spoilRecord(platform, { pubkey: missing([...noTexts, '', 'a:b']), d: missing(noTexts) })),
    (given) => delegation.platformId(given),
  ],
  ['the state of committedMsat', noStates, (given) => delegation.committedMsat(given, replica)],
  ['the replica of committedMsat', noReplicas, (given) => delegation.committedMsat(state, given)],
  ['remainingMsat', noStates, (given) => delegation.remainingMsat(given)],
  ['the replica of finishedWork', noReplicas, (given) => delegation.finishedWork(state, given)],
  ['finishedWorkOf', noStates, (given) => delegation.finishedWorkOf(given)],
  ['isSettled', noStates, (given) => delegation.isSettled(given)],
  ['the state of nextStep', noStates, (given) => delegation.nextStep(given, { type: 'woken', at: 1 })],
  ['the event of nextStep', noEvents, (given) => delegation.nextStep(state, given)],
  ['stepsOf', noStates, (given) => delegation.stepsOf(given, 1)],
  ['the time of stepsOf', missing(noNumbers), (given) => delegation.stepsOf(state, given)],
  ['the source of allOrders', missing(noPorts), (given) => delegation.allOrders(given)],
  [
    'the query of allOrders',
    spoil({}, { status: [...noTexts, 'x'], settled: noBooleans, taskType: noTexts }),
    (given) => delegation.allOrders(store, given),
  ],
  [
    'the store of cancelOrder',
    missing(noPorts),
    (given) => delegation.cancelOrder(given, 'o', { at: 1, reason: 'x' }),
  ],
  [
    'the options of cancelOrder',
    missing(spoil({ at: 1, reason: 'x' }, { at: missing(noNumbers), reason: missing(noTexts) })),
    (given) => delegation.cancelOrder(store, 'o', given),
  ],
  [
    'the options of erasePeer',
    spoil({}, { preview: noBooleans }),
    (given) => store.erasePeer(platform.pubkey, given),
  ],
];

it.each([
  ['options', factories, 'INVALID_CONFIG'],
  ['pure functions', pure, 'INVALID_INPUT'],
] as const)('X-3 X-4 wrong input is refused with a code: %s', async (_part, calls, code) => {
  expect(await unrefused(calls, code)).toEqual([]);
});

it('X-3 X-4 a state with fields of a later version is read, and stays the same object when nothing changes', () => {
  const later = { ...state, note: 'x' };
  expect(delegation.remainingMsat(later)).toBe(0);
  expect(delegation.nextStep(later, { type: 'requested', at: 1, replica: 1, jobId: 'j' }).state).toBe(later);
});
