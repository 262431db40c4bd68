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
import { createAiSdkReflector } from '../src/adapters/ai-sdk.ts';
import * as cortex from '../src/index.ts';
import { createKyselyCortexState } from '../src/stores/kysely.ts';
import { cycleFacts, peerFacts } from './world/facts.ts';

const now = 1_767_225_600_000;
const missing = (values: readonly unknown[]) => [undefined, ...values];
const noNumbers = [null, '5', 10n, true, {}, [], Symbol('x')];
const noLists = [null, 5, 'x', {}, true];
const noPorts = [...noObjects, {}];
const inLists = (values: readonly unknown[]) => missing([...noLists, ...values.map((value) => [value])]);
const noPage = { items: [], nextCursor: null };
/** A ledger without peers. */
const ledger = {
  getPeer: async () => null,
  listPeers: async () => noPage,
  getInteractions: async () => noPage,
  getAssessments: async () => noPage,
  getPeerAssessmentSummary: async () => null,
  recordAssessment: async () => ({}),
} as unknown as cortex.LedgerPort;
const parts = { ledger, reflector: cortex.createRuleReflector() };
const state = cortex.createMemoryState();
const noConfigs = spoil(
  {},
  { agentName: [...noTexts, ''], timeoutMs: noCounts, budget: spoil({}, { callsPerDay: noNumbers }) },
);

const factories: readonly WrongCall[] = [
  [
    'createCortex',
    missing(
      spoil(parts, {
        ledger: missing(noPorts),
        reflector: missing(noPorts),
        triage: noPorts,
        state: noPorts,
        soul: noObjects,
        directives: [...noObjects, { a: {} }, { a: { params: { safeParse: () => {} }, permits: 5 } }],
        clock: noObjects,
        random: noObjects,
        config: noConfigs,
        logger: noPorts,
      }),
    ),
    (given) => cortex.createCortex(given),
  ],
  ['parseConfig', noConfigs, (given) => cortex.parseConfig(given)],
  ['createFileState', missing([...noTexts, '', 'a\0b']), (given) => cortex.createFileState(given)],
  ['the database of createKyselyCortexState', missing(noPorts), (given) => createKyselyCortexState(given)],
  [
    'createKyselyCortexState',
    spoil({}, { agentId: [...noTexts, '', 'a\0b', 'x'.repeat(100_000)] }),
    (given) => createKyselyCortexState({} as never, given),
  ],
  [
    'createAiSdkReflector',
    missing(
      spoil(
        { model: 'a' },
        {
          model: missing([null, 5, '', {}]),
          maxOutputTokens: [0, ...noCounts],
          maxRetries: noCounts,
          providerOptions: [null, 5, 'x'],
        },
      ),
    ),
    (given) => createAiSdkReflector(given),
  ],
];

const belief = {
  ...{ key: 'a', peerId: null, value: 'x', kind: 'note', rationale: 'x', handle: null, pinned: false },
  ...{ sourceCycle: 1, createdAt: now, confirmedAt: now, ttlMinutes: 60 },
} as const;
const noBeliefs = spoilRecord(belief, {
  key: missing(noTexts),
  kind: [...noTexts, 'x'],
  pinned: noBooleans,
  confirmedAt: missing(noNumbers),
});
const evidence = cortex.noEvidence;
const noEvidence = spoilRecord(evidence, {
  center: missing(noNumbers),
  alarmAt: ['5', {}],
  violation: missing(noBooleans),
});
const rows = [{ trust: 1, createdAt: now }];
const noRows = inLists(
  spoilRecord(rows[0] ?? {}, { trust: missing([11, ...noNumbers]), createdAt: missing(noNumbers) }),
);
const noOutcomes = inLists(
  spoilRecord(
    { correlationId: 'a', outcome: 'paid', createdAt: now },
    { correlationId: missing(noTexts), outcome: noTexts, createdAt: noNumbers },
  ),
);
const history = cortex.gateHistory({ rows, lastInteractionAt: now, now });
const gated = { proposed: 1, rows, infoScore: 1, lastInteractionAt: now, now };
const noGates = spoilRecord(cortex.defaultGateConfig, {
  guards: [...noTexts.filter((value) => !Array.isArray(value)), 'x', ['x']],
  dailyRise: [...noLists, [], [{}]],
  maxTrustDelta: [-1, ...noNumbers],
});
const facts = cycleFacts([]);
const peer = peerFacts('a'.repeat(64), { interactions: 1 });
const noPeers = inLists(
  spoilRecord(peer, {
    label: missing(noTexts),
    evidence: missing([...noObjects, {}]),
    work: [...noObjects, {}],
  }),
);
const frame = { assessments: [], beliefs: [], directives: [], commitments: [], lessons: [], summary: 'x' };
const consultation = {
  verdict: 'deny',
  conditions: [],
  reasoning: 'x',
  suggestedReply: null,
  decidedBy: 'facts',
};
const triggered = {
  ...{
    lastCycleAt: now,
    interactions: 1,
    peersWaiting: 0,
    newPeers: 0,
    newPeerPermits: 0,
    overdue: 0,
    jumps: 0,
  },
  factors: {},
};

const pure: readonly WrongCall[] = [
  ['isActive', missing(noBeliefs), (given) => cortex.isActive(given, now)],
  ['activeBeliefs', inLists(noBeliefs), (given) => cortex.activeBeliefs(given, now)],
  [
    'the proposals of applyBeliefs',
    inLists(
      spoilRecord(
        { key: 'a', value: 'x', kind: 'note', rationale: 'x', peerId: null, handle: null, revises: null },
        { key: missing(noTexts), kind: [...noTexts, 'x'], revises: [undefined, 5] },
      ),
    ),
    (given) => cortex.applyBeliefs([], given, { cycle: 1, now, maxBeliefs: 5, beliefTtlMs: 5 }),
  ],
  [
    'the context of applyBeliefs',
    missing(
      spoilRecord(
        { cycle: 1, now, maxBeliefs: 5, beliefTtlMs: 5 },
        { now: missing(noNumbers), vetoed: inLists([{}]).slice(1), maxBeliefs: missing(noNumbers) },
      ),
    ),
    (given) => cortex.applyBeliefs([], [], given),
  ],
  ['the beliefs of renderBeliefs', inLists(noBeliefs), (given) => cortex.renderBeliefs(given, { now })],
  [
    'the context of renderBeliefs',
    missing(spoil({ now }, { now: missing(noNumbers), peerId: [5, {}], maxTokens: noNumbers })),
    (given) => cortex.renderBeliefs([], given),
  ],
  ['modelNote', missing(noTexts), (given) => cortex.modelNote(given)],
  ['isPeerTemplate', missing(noTexts), (given) => cortex.isPeerTemplate(given)],
  ['the request of shouldConsult', missing(noTexts), (given) => cortex.shouldConsult(given)],
  [
    'the context of shouldConsult',
    spoil({}, { firstContact: noBooleans, amountMsat: [-1, ...noNumbers] }),
    (given) => cortex.shouldConsult('x', given),
  ],
  [
    'renderConsultation',
    missing(
      spoilRecord(consultation, {
        verdict: missing([...noTexts, 'x']),
        conditions: missing([...noLists, [5]]),
        suggestedReply: [undefined, 5],
      }),
    ),
    (given) => cortex.renderConsultation(given),
  ],
  [
    'the config of estimateCycle',
    missing([...noPorts, { scheduleMs: 1 }]),
    (given) => cortex.estimateCycle(given, 1),
  ],
  [
    'the peers of estimateCycle',
    missing(noNumbers),
    (given) => cortex.estimateCycle(cortex.parseConfig(), given),
  ],
  ['the evidence of trustBand', missing(noEvidence), (given) => cortex.trustBand(given, 1)],
  ['the infoScore of trustBand', missing([11, ...noNumbers]), (given) => cortex.trustBand(evidence, given)],
  ['the proposal of clampTrust', missing(noNumbers), (given) => cortex.clampTrust(given, 1)],
  ['the last trust of clampTrust', [undefined, Number.NaN, '5'], (given) => cortex.clampTrust(1, given)],
  ['the limit of clampTrust', [-1, Number.NaN, ...noNumbers], (given) => cortex.clampTrust(1, 1, given)],
  [
    'gateEvidence',
    missing(
      spoilRecord(
        { outcomes: [], rows: [], now },
        {
          outcomes: noOutcomes,
          rows: noRows,
          alarms: [...noLists, ['5']],
          violation: noBooleans,
          now: missing(noNumbers),
        },
      ),
    ),
    (given) => cortex.gateEvidence(given),
  ],
  ['finishedWork', noOutcomes, (given) => cortex.finishedWork(given)],
  ['the time of finishedWork', [Number.NaN, ...noNumbers], (given) => cortex.finishedWork([], given)],
  [
    'ruleTrust',
    inLists(
      spoilRecord(
        { result: 'success', disputed: false },
        { result: [...noTexts, 'x'], disputed: noBooleans },
      ),
    ),
    (given) => cortex.ruleTrust(given),
  ],
  [
    'the input of gateAssessment',
    missing(
      spoilRecord(gated, {
        proposed: missing(noNumbers),
        rows: noRows,
        infoScore: missing([11, ...noNumbers]),
        lastInteractionAt: [undefined, '5'],
        evidence: noEvidence,
        now: missing(noNumbers),
      }),
    ),
    (given) => cortex.gateAssessment(given),
  ],
  ['the config of gateAssessment', noGates, (given) => cortex.gateAssessment(gated, given)],
  [
    'the input of decideTrust',
    missing(
      spoilRecord(
        { proposed: 1, infoScore: 1, history, now },
        { proposed: noNumbers, history: missing([...noObjects, {}, { ...history, base: '1' }]) },
      ),
    ),
    (given) => cortex.decideTrust(given, cortex.defaultGateConfig),
  ],
  [
    'gateHistory',
    missing(
      spoilRecord(
        { rows, lastInteractionAt: now, now },
        { rows: noRows, truncated: noBooleans, now: missing(noNumbers) },
      ),
    ),
    (given) => cortex.gateHistory(given),
  ],
  ['replayCycle', missing([...noPorts, { cycle: 1 }]), (given) => cortex.replayCycle(given)],
  ['parseAnswer', missing([null, 5, true, Symbol('x')]), (given) => cortex.parseAnswer(given)],
  ['repairJson', missing(noTexts), (given) => cortex.repairJson(given)],
  ['systemText', missing(noTexts), (given) => cortex.systemText(given, 'x')],
  [
    'the facts of buildInput',
    missing(
      spoilRecord(facts, {
        peers: noPeers,
        beliefs: inLists(noBeliefs),
        agentName: missing(noTexts),
        triggers: [...noLists, [5]],
        now: missing(noNumbers),
      }),
    ),
    (given) => cortex.buildInput(given, { marker: 'x', maxTokens: 5_000 }),
  ],
  [
    'the options of buildInput',
    missing(
      spoil(
        { marker: 'x', maxTokens: 5 },
        { marker: missing(noTexts), maxTokens: missing([0, ...noNumbers]) },
      ),
    ),
    (given) => cortex.buildInput(facts, given),
  ],
  [
    'the frame of validateAnswer',
    missing([...noObjects, { assessments: 5 }]),
    (given) => cortex.validateAnswer(given, []),
  ],
  ['the peers of validateAnswer', noPeers, (given) => cortex.validateAnswer(frame as never, given)],
  [
    'the options of validateAnswer',
    spoil({}, { now: noNumbers, directives: [5, { a: {} }] }),
    (given) => cortex.validateAnswer(frame as never, [], given),
  ],
  [
    'the state of evaluateTriggers',
    missing(
      spoilRecord(triggered, {
        interactions: missing(noNumbers),
        factors: missing([...noObjects, { timer: '1' }]),
      }),
    ),
    (given) => cortex.evaluateTriggers(given, cortex.parseConfig(), now),
  ],
  [
    'the config of evaluateTriggers',
    missing([...noPorts, { scheduleMs: 1, triggers: {} }]),
    (given) => cortex.evaluateTriggers(triggered, given, now),
  ],
];

const one = cortex.createCortex(parts);
const noReferences = missing(spoil({ key: 'a' }, { key: missing([...noTexts, '', 'A b']), peerId: noTexts }));
const noSignals = [...noObjects, {}];
const methods: readonly WrongCall[] = [
  ['reflectNow', missing([...noTexts, ' ']), (given) => one.reflectNow(given)],
  ['the options of reflectNow', spoil({}, { signal: noSignals }), (given) => one.reflectNow('x', given)],
  ['transformSystemPrompt', missing(noTexts), (given) => one.transformSystemPrompt(given)],
  [
    'the context of transformSystemPrompt',
    spoil({}, { peerId: noTexts }),
    (given) => one.transformSystemPrompt('x', given),
  ],
  ['approveSuggestion', missing(noTexts), (given) => one.approveSuggestion(given)],
  [
    'noteCommitment',
    missing(
      spoilRecord(
        { peerId: 'p', what: 'x', dueAt: now },
        {
          peerId: missing([...noTexts, '']),
          what: missing(noTexts),
          dueAt: missing([Number.NaN, ...noNumbers]),
          correlationId: [5, {}],
        },
      ),
    ),
    (given) => one.noteCommitment(given),
  ],
  [
    'consult',
    missing(
      spoilRecord(
        { peerId: 'p', request: 'x' },
        {
          peerId: missing([...noTexts, '']),
          request: missing(noTexts),
          stakes: [
            5,
            null,
            ...spoil({}, { amountMsat: [-1, ...noNumbers] }).filter((each) => typeof each !== 'string'),
          ],
        },
      ),
    ),
    (given) => one.consult(given),
  ],
  ['the signal of consult', noSignals, (given) => one.consult({ peerId: 'p', request: 'x' }, given)],
  ['replay', missing([0.5, ...noNumbers]), (given) => one.replay(given)],
  ['revert', missing([0.5, ...noNumbers]), (given) => one.revert(given)],
  ['pin', noReferences, (given) => one.pin(given)],
  ['the second argument of pin', noBooleans, (given) => one.pin({ key: 'a' }, given)],
  [
    'edit',
    missing(
      spoil(
        { key: 'a', value: 'x' },
        { key: missing(noTexts), value: missing([...noTexts, ' ']), rationale: noTexts },
      ),
    ),
    (given) => one.edit(given),
  ],
  ['veto', noReferences, (given) => one.veto(given)],
  ['the second argument of veto', noBooleans, (given) => one.veto({ key: 'a' }, given)],
  ['forgetPeer', missing([...noTexts, ' ']), (given) => one.forgetPeer(given)],
  ['on', missing([...noTexts, 'x', '__proto__']), (given) => one.on(given, () => {})],
  ['the state of erasePeerFromState', missing(noPorts), (given) => cortex.erasePeerFromState(given, 'p')],
  [
    'the options of erasePeerFromState',
    spoil({}, { preview: noBooleans }),
    (given) => cortex.erasePeerFromState(state, 'p', given),
  ],
];

it.each([
  [
    'options',
    [...factories, ['configure', noConfigs, (given: never) => one.configure(given)]] as readonly WrongCall[],
    'INVALID_CONFIG',
  ],
  ['pure functions', pure, 'INVALID_INPUT'],
  ['methods', methods, 'INVALID_INPUT'],
] as const)('X-3 X-4 wrong input is refused with a code: %s', async (_part, calls, code) => {
  expect(await unrefused(calls, code)).toEqual([]);
});

it('X-3 X-4 what hooks observe may be anything: what cannot be recorded is counted', () => {
  const { hooks, stats } = cortex.createCortex(parts);
  const wrong = missing(spoilRecord({ peerId: 'p' }, { peerId: missing([...noTexts, '']) }));
  for (const given of wrong) hooks.onMessage(given as never);
  expect(stats().hookFailures).toBe(wrong.length);
});
