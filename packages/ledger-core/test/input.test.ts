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
import { toAiSdkTools } from '../src/adapters/ai-sdk.ts';
import { toLangChainTools } from '../src/adapters/langchain.ts';
import { registerMcpTools } from '../src/adapters/mcp.ts';
import { runOpenAiToolCall, toOpenAiChatTools, toOpenAiTools } from '../src/adapters/openai.ts';
import * as pure from '../src/index.ts';
import { createLedger, createLedgerHooks, createMemoryLedgerStore } from '../src/index.ts';
import { createKyselyLedgerStore } from '../src/stores/kysely.ts';

const message = { peerId: 'p', channel: 'api', content: 'Hello', correlationId: 'work' };
const peerId = 'api:p';
const noTimes = [null, '5', 10n, {}, Number.NaN, Number.POSITIVE_INFINITY, -1, 0.5];
const noChannels = [undefined, ...noTexts, '', 'a:b', 'a b'];
const noIds = [...noTexts, '', ' ', 'a\0b', 'a\nb', '\ud800', 'x'.repeat(600)];
const noPages = { limit: [...noCounts, 0, 1_001], cursor: ['', 5, {}, 'x'] };
const wrongMessages = [
  undefined,
  ...spoilRecord(message, {
    peerId: [undefined, ...noIds],
    channel: noChannels,
    content: [undefined, ...noTexts],
    alias: [5, {}, []],
    correlationId: ['', 5, {}, 'a\0b'],
    externalId: ['', 5, {}, 'a\0b'],
    evidence: [5, 'x', []],
    outcome: ['x', 5, '__proto__'],
    metrics: [5, 'x', { latencyMs: -1 }, { latencyMs: '1' }, { x: {} }],
    at: noTimes.filter((at) => at !== null),
    backfill: noBooleans,
  }),
];

it('X-3 X-4 the methods of a ledger refuse wrong input with a code, and change nothing', async () => {
  const store = createMemoryLedgerStore();
  const ledger = createLedger({ store });
  await ledger.recordIncoming(message);
  const before = [await ledger.getPeer(peerId), await ledger.getSummary()];
  const byPeer: readonly WrongCall[] = (
    [
      'getPeer',
      'resolvePeer',
      'getInteractions',
      'getConversation',
      'getOutcomes',
      'getAssessments',
      'getLatestAssessment',
      'getPeerAssessmentSummary',
      'getBriefing',
      'peerContext',
      'peerContextSection',
      'getPeerAggregates',
      'getTrajectory',
      'exportEvidence',
    ] as const
  ).map((name) => [name, [undefined, ...noTexts], (given) => ledger[name](given)]);
  const calls: readonly WrongCall[] = [
    ...byPeer,
    ['recordIncoming', wrongMessages, (given) => ledger.recordIncoming(given)],
    ['recordOutgoing', wrongMessages, (given) => ledger.recordOutgoing(given)],
    ['the work of recordOutcome', [undefined, ...noIds], (given) => ledger.recordOutcome(given, 'delivered')],
    [
      'the outcome of recordOutcome',
      [undefined, ...noTexts, 'x', '__proto__'],
      (given) => ledger.recordOutcome('work', given),
    ],
    [
      'the options of recordOutcome',
      spoil(
        {},
        {
          peerId: [5, {}],
          metrics: [5, { latencyMs: -1 }, { x: {} }],
          externalId: ['', 5, 'a\0b'],
          evidence: [5, 'x'],
          at: [-1, '5', Number.NaN],
          backfill: noBooleans,
        },
      ),
      (given) => ledger.recordOutcome('work', 'delivered', given),
    ],
    [
      'the peer of recordAssessment',
      [undefined, ...noTexts],
      (given) => ledger.recordAssessment(given, 1, 'why'),
    ],
    [
      'the trust of recordAssessment',
      [undefined, ...noTexts, 11, 0.5].filter((trust) => trust !== 5),
      (given) => ledger.recordAssessment(peerId, given, 'why'),
    ],
    [
      'the rationale of recordAssessment',
      [undefined, ...noTexts, '', ' '],
      (given) => ledger.recordAssessment(peerId, 1, given),
    ],
    [
      'the options of recordAssessment',
      spoil({}, { source: ['x', 5, null], assessor: noTexts }),
      (given) => ledger.recordAssessment(peerId, 1, 'why', given),
    ],
    [
      'listPeers',
      spoil({}, { ...noPages, orderBy: ['x', null, '__proto__'] }),
      (given) => ledger.listPeers(given),
    ],
    ['the page of getInteractions', spoil({}, noPages), (given) => ledger.getInteractions(peerId, given)],
    ['the page of getConversation', spoil({}, noPages), (given) => ledger.getConversation(peerId, given)],
    [
      'the page of getOutcomes',
      spoil({}, { ...noPages, only: ['x', null] }),
      (given) => ledger.getOutcomes(peerId, given),
    ],
    [
      'the options of getAssessments',
      spoil({}, { limit: [...noCounts, 0], source: ['x', null] }),
      (given) => ledger.getAssessments(peerId, given),
    ],
    [
      'the options of getPeerAggregates',
      spoil(
        {},
        { halfLifeMs: [...noTimes.filter((time) => time !== 0.5), 0], trendLength: [...noCounts, 3] },
      ),
      (given) => ledger.getPeerAggregates(peerId, given),
    ],
    [
      'searchInteractions',
      [
        undefined,
        ...spoil({ text: 'Hello' }, { ...noPages, text: [undefined, ...noTexts, '', '!'], peerId: [5, {}] }),
      ],
      (given) => ledger.searchInteractions(given),
    ],
    [
      'getLargestTrustStep',
      spoil({}, { source: ['x', null], since: noTimes }),
      (given) => ledger.getLargestTrustStep(given),
    ],
    [
      'exportAssessments',
      spoil({}, { source: [...noTexts, ''], peerId: [5, ''], since: noTimes }),
      (given) => ledger.exportAssessments(given)[Symbol.asyncIterator]().next(),
    ],
    ['auditAssessments', noTexts, (given) => ledger.auditAssessments(given)],
    [
      'exportAuditFindings',
      noTexts,
      (given) => ledger.exportAuditFindings(given)[Symbol.asyncIterator]().next(),
    ],
    [
      'prune',
      [undefined, ...spoil({ before: 1 }, { before: [undefined, ...noTimes] })],
      (given) => ledger.prune(given),
    ],
    [
      'the interaction of voidInteraction',
      [undefined, ...noTexts],
      (given) => ledger.voidInteraction(given, 'why'),
    ],
    [
      'the reason of voidInteraction',
      [undefined, ...noTexts, ' '],
      (given) => ledger.voidInteraction('x', given),
    ],
    ['the peer of forgetPeer', [undefined, ...noTexts], (given) => ledger.forgetPeer(given, { reason: 'x' })],
    [
      'the options of forgetPeer',
      [
        undefined,
        ...spoil(
          { reason: 'x' },
          { reason: [undefined, ...noTexts, ' '], keepVerdict: noBooleans, until: noTimes },
        ),
      ],
      (given) => ledger.forgetPeer(peerId, given),
    ],
    ['setAssessor', [undefined, ...noTexts, 'x', '__proto__'], (given) => ledger.setAssessor(given)],
    ['tools', spoil({}, { assessor: noTexts, search: noBooleans }), (given) => ledger.tools(given)],
    [
      'noteHookFailures',
      [
        undefined,
        ...noObjects,
        ...spoil(
          { hook: 'section', count: 1, lastCode: 'x' },
          {
            hook: [undefined, ...noTexts, 'x'],
            count: [undefined, ...noCounts, 0],
            lastCode: [undefined, ...noTexts],
          },
        ).map((one) => [one]),
      ],
      (given) => ledger.noteHookFailures(given),
    ],
    ['on', [undefined, ...noTexts, 'x', '__proto__', 'constructor'], (name) => ledger.on(name, () => {})],
    ['a listener', [undefined, ...noObjects, {}], (listener) => ledger.on('afterRecord', listener)],
    ...ledger.tools({ search: true }).map(
      ({ name, execute }): WrongCall => [
        name,
        spoilRecord(
          { peer_id: peerId, trust: 1, rationale: 'why', text: 'Hello', limit: 5 },
          name === 'list_peers'
            ? { limit: noCounts }
            : name === 'search_messages'
              ? { text: [undefined, ...noTexts], peer_id: noTexts, limit: noCounts }
              : name === 'assess_peer'
                ? {
                    peer_id: [undefined, ...noTexts],
                    trust: [undefined, 11, '1'],
                    rationale: [undefined, ...noTexts],
                  }
                : { peer_id: [undefined, ...noTexts] },
        ).filter((given) => given !== null || name !== 'list_peers'),
        (given) => execute(given),
      ],
    ),
  ];
  expect(
    await unrefused(calls, 'INVALID_INPUT', 'TRUST_OUT_OF_RANGE', 'RATIONALE_REQUIRED', 'INVALID_CURSOR'),
  ).toEqual([]);
  expect([await ledger.getPeer(peerId), await ledger.getSummary()]).toEqual(before);
});

const store = createMemoryLedgerStore();
const wrongLoggers = [...noObjects, {}, { log() {} }];

it('X-3 X-4 createLedger and createLedgerHooks refuse wrong and unknown options with INVALID_CONFIG', async () => {
  const config = spoil(
    {},
    {
      maxMessageLength: [-1, 0.5, '5', Number.NaN],
      excludedSenders: [null, 5, 'x', [5]],
      localChannels: [null, 5, 'x', [5]],
      assessChannels: [5, 'x', [5]],
      policy: [null, 5, 'x', '__proto__', {}],
      rubric: [null, 5, ''],
      maxTrustStep: [0, 21, '5'],
      infoDiscount: [null, 5, { misspelt: 1 }],
    },
  );
  const options = {
    store: [undefined, ...noObjects, {}],
    clock: [...noObjects, {}],
    random: [...noObjects, {}],
    ids: [...noObjects, {}],
    erasures: [...noObjects, {}],
    logger: wrongLoggers,
    config,
  };
  const calls: readonly WrongCall[] = [
    ['createLedger', [undefined, ...spoil({ store }, options)], (given) => createLedger(given)],
    [
      'the ledger of createLedgerHooks',
      [undefined, ...noObjects, {}, unreadableLedger()],
      (given) => createLedgerHooks(given),
    ],
    [
      'the options of createLedgerHooks',
      spoil(
        {},
        {
          logger: wrongLoggers,
          turnTimeoutMs: [0, -1, Number.NaN, '5', null, 10n, {}],
          clock: [...noObjects, {}],
        },
      ),
      (given) => createLedgerHooks(createLedger({ store }), given),
    ],
  ];
  expect(await unrefused(calls, 'INVALID_CONFIG')).toEqual([]);
});

function unreadableLedger(): object {
  return {
    get on() {
      throw new Error('this property throws');
    },
  };
}

it('X-3 records a message object of a host, and ignores the fields that the host has added', async () => {
  const ledger = createLedger({ store: createMemoryLedgerStore() });
  const hosted = { ...message, threadId: 7, raw: { id: 'x' } };
  await ledger.recordIncoming(hosted);
  await ledger.recordOutgoing(hosted);
  await createLedgerHooks(ledger).run({ ...hosted }, (turn) => turn.afterSend({ ...hosted, content: 'Yes' }));
  const { items } = await ledger.getInteractions(peerId);
  expect(items.map(({ direction }) => direction).toSorted()).toEqual(['in', 'in', 'out', 'out']);
  expect(JSON.stringify(items)).not.toContain('threadId');
});

const noNumbers = [undefined, null, '5', 10n, true, {}, [], Number.NaN];
const noLists = [null, 5, 'x', {}, true];
const assessment = {
  assessmentId: 'a',
  peerId,
  infoScore: 1,
  trust: 1,
  rationale: 'delivered',
  source: 'agent',
  assessor: null,
  createdAt: 1,
};
const wrongAssessments = spoilRecord(assessment, {
  trust: noNumbers,
  rationale: [undefined, ...noTexts],
  createdAt: noNumbers,
  source: [...noTexts, 'x'],
  peerId: [undefined, ...noTexts],
}).map((row) => [row]);
const wrongOutcomes = spoilRecord(
  { outcomeId: 'o', peerId, correlationId: 'work', result: 'success', metrics: null, createdAt: 1 },
  {
    correlationId: [undefined, ...noTexts],
    result: [...noTexts, 'x'],
    createdAt: noNumbers,
    sequence: ['1', null],
  },
).map((row) => [row]);
const wrongInteractions = spoilRecord(
  {
    interactionId: 'i',
    correlationId: null,
    direction: 'in',
    metrics: null,
    createdAt: 1,
    contentLength: 5,
  },
  {
    direction: [...noTexts, 'x'],
    createdAt: noNumbers,
    metrics: [5, 'x', { latencyMs: '1' }],
    correlationId: [5],
  },
).map((row) => [row]);
const aScore = { interactionCount: 1, timeSpanMs: 1, assessmentCount: 1 };
const wrongScores = [
  undefined,
  ...spoilRecord(aScore, { interactionCount: noNumbers, timeSpanMs: noNumbers, assessmentCount: noNumbers }),
];
const aVerdict = { verdict: 'accept', rule: 'x', reason: 'x' };
const aPeer = {
  ...{ peerId, nativeId: 'p', channel: 'api', handle: 'h', alias: null, firstSeenAt: 1, lastSeenAt: 1 },
  ...{ interactionCount: 1, assessmentCount: 0, successCount: 0, failureCount: 0, openCount: 0 },
  ...{ violationCount: 0, lastViolationAt: null, operatorTrust: null, infoScoreNow: 1, latest: null },
  successRate: null,
};
const noSummaries = [
  undefined,
  ...noObjects.filter((given) => given !== null),
  {},
  { channel: 'x', infoScoreNow: 1, latest: {}, trajectory: [], successRate: null },
];

it('X-3 X-4 pure functions refuse wrong input with a code', async () => {
  const calls: readonly WrongCall[] = [
    [
      'the input of computeAggregates',
      [
        undefined,
        ...spoilRecord(
          { outcomes: [], interactions: [] },
          { outcomes: [...noLists, ...wrongOutcomes], interactions: [...noLists, ...wrongInteractions] },
        ),
      ],
      (given) => pure.computeAggregates(given, { now: 1 }),
    ],
    [
      'the options of computeAggregates',
      [
        undefined,
        ...spoil({ now: 1 }, { now: noNumbers, halfLifeMs: [0, '1', Number.NaN], trendLength: ['x'] }),
      ],
      (given) => pure.computeAggregates({ outcomes: [], interactions: [] }, given),
    ],
    ['auditAssessments', [...noLists, ...wrongAssessments], (given) => pure.auditAssessments(given)],
    [
      'the outcomes of auditAssessments',
      [...noLists, ...wrongOutcomes],
      (given) => pure.auditAssessments([], given),
    ],
    ['reportAssessors', [undefined, ...noLists, ...wrongAssessments], (given) => pure.reportAssessors(given)],
    [
      'largestTrustStep',
      [undefined, ...noLists, ...wrongAssessments],
      (given) => pure.largestTrustStep(given),
    ],
    [
      'the options of largestTrustStep',
      spoil({}, { source: ['x', null], before: [5, {}, new Map([[5, 5]])] }),
      (given) => pure.largestTrustStep([], given),
    ],
    [
      'infoScoreOfEvidence',
      [
        undefined,
        ...spoilRecord(
          { claimed: { assessmentCount: 1 }, events: [], receivedAt: [] },
          { claimed: [undefined, null, {}], events: [...noLists, [null], [5]], receivedAt: [5, ['1']] },
        ),
      ],
      (given) => pure.infoScoreOfEvidence(given),
    ],
    ['computeInfoScore', wrongScores, (given) => pure.computeInfoScore(given)],
    ['explainInfoScore', wrongScores, (given) => pure.explainInfoScore(given)],
    ['the input of discountInfoScore', wrongScores, (given) => pure.discountInfoScore(given, [])],
    [
      'the messages of discountInfoScore',
      [undefined, ...noLists, [null], [{ at: 1 }], [{ at: 'x', contentLength: 1 }]],
      (given) => pure.discountInfoScore(aScore, given),
    ],
    [
      'the options of discountInfoScore',
      spoil({}, { trivialLength: ['5', -1, Number.NaN], burstMs: ['5', -1], leastMessages: ['5', -1] }),
      (given) => pure.discountInfoScore(aScore, [], given),
    ],
    [
      'outcomeResult',
      [undefined, ...noTexts, 'x', '__proto__', 'constructor'],
      (given) => pure.outcomeResult(given),
    ],
    [
      'successRate',
      [
        undefined,
        ...spoilRecord(
          { successCount: 1, failureCount: 1 },
          { successCount: noNumbers, failureCount: noNumbers },
        ),
      ],
      (given) => pure.successRate(given),
    ],
    [
      'peerContextSection',
      [
        undefined,
        ...spoilRecord(
          { handle: 'h', peer: aPeer, summary: null, verdict: aVerdict, now: 1 },
          {
            handle: [undefined, ...noTexts],
            peer: [undefined, {}, { ...aPeer, firstSeenAt: Number.NaN }, { ...aPeer, lastSeenAt: 1e20 }],
            summary: noSummaries,
            verdict: [undefined, null, {}, { ...aVerdict, verdict: 'x' }],
            now: noNumbers,
          },
        ).filter((given) => given !== null),
      ],
      (given) => pure.peerContextSection(given),
    ],
    ['the summary of evaluatePolicy', noSummaries, (given) => pure.evaluatePolicy(given)],
    [
      'the policy of evaluatePolicy',
      [...noObjects, '__proto__', {}, { rules: [null] }],
      (given) => pure.evaluatePolicy(null, given),
    ],
    ['parseNostrKey', [undefined, ...noTexts], (given) => pure.parseNostrKey(given)],
    ['the channel of toPeerId', [undefined, ...noTexts], (given) => pure.toPeerId(given, 'x')],
    ['the id of toPeerId', [undefined, ...noTexts], (given) => pure.toPeerId('nostr', given)],
    ['redactKeys', [undefined, ...noTexts], (given) => pure.redactKeys(given)],
    ['messageWords', [undefined, ...noTexts], (given) => pure.messageWords(given)],
    ['trajectorySeries', [undefined, ...noLists, [null], [{}]], (given) => pure.trajectorySeries(given, [])],
    [
      'the assessments of trajectorySeries',
      [undefined, ...noLists, ...wrongAssessments],
      (given) => pure.trajectorySeries([], given),
    ],
    [
      'detectBuildThenExploit',
      [
        undefined,
        ...noLists,
        ...spoilRecord({ at: 1, trust: 1 }, { at: noNumbers, trust: ['1', Number.NaN], size: ['1', -1] }).map(
          (point) => [point],
        ),
      ],
      (given) => pure.detectBuildThenExploit(given),
    ],
    [
      'the options of detectBuildThenExploit',
      spoil({}, { k: [null, '1', -1], h: [0], baseline: [4, 5.5], minAfter: [-1, '1'] }),
      (given) => pure.detectBuildThenExploit([], given),
    ],
  ];
  expect(await unrefused(calls, 'INVALID_INPUT', 'OUT_OF_RANGE')).toEqual([]);
});

it('X-3 X-4 adapters and the store in a database refuse wrong input with a code', async () => {
  const ledger = createLedger({ store });
  const noDefinitions = [undefined, ...noLists, [null], [{}], [{ name: 'x' }]];
  const call = { name: 'list_peers', arguments: '{}' };
  const wrongCalls = [
    undefined,
    ...spoilRecord(call, { name: [undefined, ...noTexts], arguments: [undefined, ...noTexts] }),
  ];
  const calls: readonly WrongCall[] = [
    ['toAiSdkTools', noDefinitions, (given) => toAiSdkTools(given)],
    ['toLangChainTools', noDefinitions, (given) => toLangChainTools(given)],
    ['toOpenAiTools', noDefinitions, (given) => toOpenAiTools(given)],
    ['toOpenAiChatTools', noDefinitions, (given) => toOpenAiChatTools(given)],
    ['runOpenAiToolCall', noDefinitions, (given) => runOpenAiToolCall(given, call)],
    ['the call of runOpenAiToolCall', wrongCalls, (given) => runOpenAiToolCall(ledger.tools(), given)],
    [
      'the server of registerMcpTools',
      [undefined, ...noObjects, {}],
      (given) => registerMcpTools(given, ledger),
    ],
    [
      'the ledger of registerMcpTools',
      [undefined, ...noObjects, {}],
      (given) => registerMcpTools({ registerTool: () => ({ remove() {} }) }, given),
    ],
    [
      'the options of registerMcpTools',
      spoil({}, { assessor: noTexts }),
      (given) => registerMcpTools({ registerTool: () => ({ remove() {} }) }, ledger, given),
    ],
    ['createIds', [undefined, ...spoil({ clock: Date.now, random: Math.random })], pure.createIds],
    [
      'the database of createKyselyLedgerStore',
      [undefined, ...noObjects, {}],
      (given) => createKyselyLedgerStore(given),
    ],
    [
      'the options of createKyselyLedgerStore',
      spoil({}, { agentId: [...noTexts, ''] }),
      (given) => createKyselyLedgerStore(databaseOfNobody(), given),
    ],
  ];
  expect(await unrefused(calls, 'INVALID_INPUT', 'INVALID_CONFIG')).toEqual([]);
});

function databaseOfNobody() {
  const method = () => {};
  return { selectFrom: method, insertInto: method, transaction: method } as never;
}
