import {
  noBooleans,
  noObjects,
  noTexts,
  spoil,
  spoilRecord,
  unrefused,
  type WrongCall,
} from '@bonafide/internal/testing';
import { expect, it } from 'vitest';
import { fairnessGoodnessSql } from '../src/duckdb.ts';
import * as trust from '../src/index.ts';

const now = 1_767_225_600_000;
const noNumbers = [null, '5', 10n, true, {}, [], Number.NaN, Symbol('x'), Object.create(null)];
const noLists = [null, 5, 'x', {}, true];
const missing = <Value>(values: readonly Value[]) => [undefined, ...values];
/** Wrong values of a record that is needed. */
const spoilt = (...given: Parameters<typeof spoilRecord>) => missing(spoilRecord(...given));
const inLists = (values: readonly unknown[]) => missing([...noLists, ...values.map((value) => [value])]);
const sla = {
  guarantees: [
    {
      metric: 'uptime',
      target: 0.99,
      measurementWindow: '30 days',
      breachThreshold: 0.95,
      penalty: { type: 'trust_score_reduction', amount: 0.1 },
    },
  ],
};
const { breach } = trust.detectBreach(
  sla,
  { breachId: 'b', agentId: 'a', metric: 'uptime', value: 0.5 },
  now,
);
const noBreaches = spoilt(breach, {
  state: [...noTexts, 'x', 'constructor'],
  detectedAt: noNumbers,
  penalty: missing([...noObjects, {}, { type: 'constructor' }]),
  history: noLists,
});
const penalty = { breachId: 'b', metric: 'uptime', penalty: breach.penalty, appliedAt: now };
const noPenalties = inLists(
  spoilt(penalty, {
    penalty: [...noObjects, {}],
    appliedAt: noNumbers,
    days: inLists([null, { at: '5' }]).slice(1),
  }),
);
const noMeasurements = inLists(
  spoilt(
    { metric: 'uptime', at: now, value: 1 },
    { metric: noTexts, at: noNumbers, value: noNumbers, prober: noTexts },
  ),
);
const noPolicies = spoil({}, { maxReceipts: noNumbers, weights: [{}], subject: [5] });
const withEdges = (weights: readonly unknown[]) =>
  inLists(
    spoilt(
      { source: 'a', target: 'b', weight: 1 },
      { source: missing(noTexts), target: noTexts, weight: missing(weights) },
    ),
  );
const noEdges = withEdges([2, ...noNumbers]);
const noTables = spoilt(trust.createEdgeTable([{ source: 'a', target: 'b', weight: 1 }]), {
  sources: noLists,
  weights: [[1]],
  nodeCount: noNumbers,
  nodes: ['x', [5]],
});
const edges = [
  { source: 'a', target: 'b', weight: 1 },
  { source: 'b', target: 'a', weight: 0.5 },
];
const timed = edges.map((edge) => ({ ...edge, at: now }));
const noTimedEdges = inLists(spoilt(timed[0] ?? {}, { source: noTexts, weight: noNumbers, at: noNumbers }));
const noValues = missing([...noLists, ['5'], [Number.NaN], [null]]);
const index = trust.indexRatings(edges);
const noIndexes = missing([...noObjects, {}]);
const status = trust.evaluateSla(sla, [], now);
const noStatuses = spoilt(status, {
  overall: noTexts,
  guarantees: inLists([null, {}]),
  evaluatedAt: noNumbers,
  penaltiesApplied: inLists([{}]),
});
const monitor = trust.recordCheck(trust.newUptimeMonitor, { at: now, ok: true });
const evidence = {
  testCoverage: { passing: 1, total: 1 },
  uptime: { periodHours: 1, downtimeHours: 0 },
  successRate: { successful: 1, failed: 0 },
  endorsements: { total: 0, unique: 0, endorserTrustAvg: 0 },
  attestationFreshness: { hours: 1 },
};
const factors = { testCoverage: 1, uptime: 1, successRate: 1, endorsements: 1, attestationFreshness: 1 };
const noFactors = spoilt(factors, {
  uptime: missing([
    ...noNumbers,
    { value: '1' },
    { value: 1, insufficientData: 'x' },
    { value: 1, provenance: 5 },
  ]),
});
const noWeights = spoilt(trust.defaultWeights, { uptime: missing(noNumbers) });
const signer = { getPublicKey: async () => 'a'.repeat(64), signEvent: async () => ({}) };
const noSigners = missing([...noObjects, {}]);
const noTrajectories = spoil({}, { k: noNumbers, baseline: [4, 5.5, ...noNumbers] });

const scoring: readonly WrongCall[] = [
  ['testCoverageScore', missing(noNumbers), (given) => trust.testCoverageScore(given, 1)],
  ['uptimeScore', missing(noNumbers), (given) => trust.uptimeScore(1, given)],
  [
    'the options of successRateScore',
    spoil({}, { rejected: noNumbers, rejectedWeight: [2, ...noNumbers] }),
    (given) => trust.successRateScore(1, 1, given),
  ],
  [
    'the tasks of taskSuccessRate',
    inLists(
      spoilt(
        { outcome: 'success' },
        { outcome: missing([...noTexts, 'x', 'constructor']), difficulty: noNumbers, capability: noTexts },
      ),
    ),
    (given) => trust.taskSuccessRate(given),
  ],
  [
    'the options of taskSuccessRate',
    spoil({}, { priorTasks: noNumbers }),
    (given) => trust.taskSuccessRate([], given),
  ],
  [
    'the options of endorsementScore',
    spoil({}, { endorsementCurve: [...noTexts, 'x'], endorsementBase: [...noTexts, 'x'] }),
    (given) => trust.endorsementScore(1, 1, 1, given),
  ],
  ['attestationFreshnessScore', missing(noNumbers), (given) => trust.attestationFreshnessScore(given)],
  [
    'the points of timeDecayedAverage',
    inLists(spoilt({ value: 1, at: now }, { value: noNumbers, at: noNumbers })),
    (given) => trust.timeDecayedAverage(given, now),
  ],
  ['the factors of computeTrustScore', noFactors, (given) => trust.computeTrustScore(given)],
  [
    'the options of computeTrustScore',
    spoil({}, { clock: noObjects, weights: noWeights.slice(1) }),
    (given) => trust.computeTrustScore(factors, given),
  ],
  ['checkWeights', noWeights, (given) => trust.checkWeights(given)],
  [
    'the evidence of scoreFactors',
    spoilt(evidence, { uptime: missing([...noObjects, {}, { periodHours: '1', downtimeHours: 0 }]) }),
    (given) => trust.scoreFactors(given),
  ],
  [
    'the options of scoreFactors',
    spoil({}, { endorsementCurve: ['x'] }),
    (given) => trust.scoreFactors(evidence, given),
  ],
  [
    'the evidence of classifyTier',
    spoilt({}, { uptime7d: [2, '1', Number.NaN], sla: [5, 'x', { uptime: '1' }] }),
    (given) => trust.classifyTier(1, given),
  ],
  [
    'the options of classifyTier',
    spoil({}, { requireSla: noBooleans }),
    (given) => trust.classifyTier(1, {}, given),
  ],
  [
    'aggregateAssessments',
    inLists(
      spoilt(
        { raterFairness: 1, infoScore: 1, trust: 1, rationale: 'x' },
        { raterFairness: [2, ...noNumbers], trust: noNumbers, rater: noTexts },
      ),
    ),
    (given) => trust.aggregateAssessments(given),
  ],
  [
    'the work of evidenceFromWork',
    inLists(
      spoilt(
        { outcome: 'SUCCESS', passed: 1, tests: 1, at: now },
        { outcome: missing(noTexts), passed: ['1', 0.5], at: missing(noNumbers), isTrial: noBooleans },
      ),
    ),
    (given) => trust.evidenceFromWork(given, { since: now, now }),
  ],
  [
    'the options of evidenceFromWork',
    missing(
      spoil({ since: now, now }, { since: missing(noNumbers), now: noNumbers, uptime: [...noObjects, {}] }),
    ),
    (given) => trust.evidenceFromWork([], given),
  ],
];

const agreements: readonly WrongCall[] = [
  ['the measurements of evaluateSla', noMeasurements, (given) => trust.evaluateSla(sla, given, now)],
  [
    'the options of evaluateSla',
    spoil({}, { policy: noPolicies, subject: noTexts, penalties: noPenalties.slice(1) }),
    (given) => trust.evaluateSla(sla, [], now, given),
  ],
  [
    'the metric of performanceByDay',
    missing(noTexts),
    (given) => trust.performanceByDay(sla, given, [], now, now),
  ],
  [
    'the options of performanceByDay',
    spoil({}, { policy: noPolicies, subject: noTexts }),
    (given) => trust.performanceByDay(sla, 'uptime', [], now, now, given),
  ],
  [
    'the finding of detectBreach',
    spoilt(
      { breachId: 'b', agentId: 'a', metric: 'uptime', value: 0.5 },
      {
        breachId: missing(noTexts),
        agentId: noTexts,
        metric: noTexts,
        value: noNumbers,
        downtimeMs: noNumbers,
      },
    ),
    (given) => trust.detectBreach(sla, given, now),
  ],
  [
    'the options of detectBreach',
    spoil({}, { policy: noPolicies }),
    (given) =>
      trust.detectBreach(sla, { breachId: 'b', agentId: 'a', metric: 'uptime', value: 0.5 }, now, given),
  ],
  [
    'the breach of advanceBreach',
    noBreaches,
    (given) => trust.advanceBreach(given, { type: 'confirm' }, now + 1e9),
  ],
  [
    'the event of advanceBreach',
    spoilt(
      { type: 'dispute', disputeId: 'd', claim: 'c', evidence: ['x'], requestedRemedy: 'remove_penalty' },
      {
        type: missing([...noTexts, 'x', 'constructor', '__proto__']),
        evidence: missing([...noLists, [5]]),
        forceMajeure: [5, {}, { ground: 'ddos_attack' }, { ground: 'constructor' }],
      },
    ),
    (given) => trust.advanceBreach(breach, given, now),
  ],
  ['activePenalties', noBreaches, (given) => trust.activePenalties(given, now)],
  [
    'checkForceMajeure',
    missing([...noObjects, {}, { ground: 'constructor' }, { ground: 'ddos_attack', mitigated: 'yes' }]),
    (given) => trust.checkForceMajeure(given),
  ],
  ['applyPenalties', noPenalties, (given) => trust.applyPenalties(1, given, now)],
  ['slaPromises', missing([...noObjects, {}]), (given) => trust.slaPromises(given)],
  ['renderSlaStatus', noStatuses, (given) => trust.renderSlaStatus(given)],
  [
    'the options of renderSlaStatus',
    spoil({}, { name: noTexts }),
    (given) => trust.renderSlaStatus(status, given),
  ],
  ['slaStatusDocument', noStatuses, (given) => trust.slaStatusDocument(given)],
  [
    'createSlaStatusHandler',
    missing(spoil({ status: () => status }, { status: missing(noObjects), clock: noObjects })),
    (given) => trust.createSlaStatusHandler(given),
  ],
  [
    'the limits of boundSlaTerms',
    missing(spoil(trust.strictTrustPolicy.sla)),
    (given) => trust.boundSlaTerms(sla, given),
  ],
  [
    'the subjects of boundSlaTerms',
    [...noLists, [5]],
    (given) => trust.boundSlaTerms(sla, trust.strictTrustPolicy.sla, given),
  ],
  [
    'the check of recordCheck',
    spoilt(
      { at: now, ok: true },
      { at: noNumbers, ok: missing(noBooleans), prober: noTexts, by: [...noTexts, 'x'] },
    ),
    (given) => trust.recordCheck(monitor, given),
  ],
  [
    'the monitor of recordCheck',
    spoilt(monitor, { lastAt: ['5'], incidents: noLists, probers: noObjects, checks: noNumbers }),
    (given) => trust.recordCheck(given, { at: now, ok: true }),
  ],
  [
    'the options of recordCheck',
    spoil({}, { graceChecks: noNumbers, acceptSelf: noBooleans, now: noNumbers, probers: [...noLists, [5]] }),
    (given) => trust.recordCheck(monitor, { at: now, ok: true }, given),
  ],
  [
    'the monitor of uptimeReport',
    spoilt(monitor, { observed: inLists([null, { from: '5', to: 5 }]), failing: [5, {}] }),
    (given) => trust.uptimeReport(given, now),
  ],
  [
    'the options of uptimeReport',
    spoil({}, { periodMs: noNumbers }),
    (given) => trust.uptimeReport(monitor, now, given),
  ],
  ['nextCheckAt', missing(noNumbers), (given) => trust.nextCheckAt(given)],
  [
    'the options of nextCheckAt',
    spoil({}, { intervalMs: noNumbers, jitter: [2], random: noObjects }),
    (given) => trust.nextCheckAt(now, given),
  ],
];

const graphs: readonly WrongCall[] = [
  ['createEdgeTable', noEdges, (given) => trust.createEdgeTable(given)],
  ['the ratings of fairnessGoodness', noEdges, (given) => trust.fairnessGoodness(given)],
  ['the table of fairnessGoodness', noTables, (given) => trust.fairnessGoodness(given)],
  ['the table of fairnessGoodnessColumns', noTables, (given) => trust.fairnessGoodnessColumns(given)],
  [
    'the options of fairnessGoodness',
    spoil({}, { epsilon: noNumbers, maxIterations: [0, ...noNumbers], dropSelfRatings: noBooleans }),
    (given) => trust.fairnessGoodness(edges, given),
  ],
  [
    'the ratings of createFairnessGoodnessTracker',
    noEdges.slice(1),
    (given) => trust.createFairnessGoodnessTracker(given),
  ],
  [
    'the options of createFairnessGoodnessTracker',
    spoil({}, { tolerance: [2, ...noNumbers] }),
    (given) => trust.createFairnessGoodnessTracker([], given),
  ],
  [
    'add of a tracker',
    spoilt(edges[0] ?? {}, { source: noTexts, weight: noNumbers }),
    (given) => trust.createFairnessGoodnessTracker().add(given),
  ],
  [
    'remove of a tracker',
    missing(noTexts),
    (given) => trust.createFairnessGoodnessTracker().remove(given, 'b'),
  ],
  ['get of a tracker', missing(noTexts), (given) => trust.createFairnessGoodnessTracker().get(given)],
  ['the ratings of pageRank', noEdges, (given) => trust.pageRank(given)],
  [
    'the options of pageRank',
    spoil(
      {},
      {
        damping: [2, ...noNumbers],
        personalization: [...noObjects, [], { a: '1' }],
        maxIterations: noNumbers,
      },
    ),
    (given) => trust.pageRank(edges, given),
  ],
  [
    'the options of eigenTrust',
    missing(
      spoil({ preTrust: { a: 1 } }, { preTrust: missing([...noObjects, {}, { a: '1' }]), alpha: noNumbers }),
    ),
    (given) => trust.eigenTrust(edges, given),
  ],
  ['the observer of personalView', missing(noTexts), (given) => trust.personalView(edges, given)],
  [
    'the options of personalView',
    spoil({}, { alpha: [0, ...noNumbers], kappa: noNumbers, boughtFlow: [2, ...noNumbers] }),
    (given) => trust.personalView(edges, 'a', given),
  ],
  ['the target of personalTrust', missing(noTexts), (given) => trust.personalTrust(edges, 'a', given)],
  ['the ratings of rev2', noEdges, (given) => trust.rev2(given)],
  [
    'the options of rev2',
    spoil(
      {},
      {
        alpha1: noNumbers,
        maxIterations: noNumbers,
        priors: [...noObjects, { raters: {} }, { ratings: ['1'] }],
      },
    ),
    (given) => trust.rev2(edges, given),
  ],
  ['the ratings of behaviorPriors', noTimedEdges, (given) => trust.behaviorPriors(given)],
  [
    'the options of behaviorPriors',
    spoil({}, { usualBits: [0, ...noNumbers] }),
    (given) => trust.behaviorPriors(timed, given),
  ],
  ['indexRatings', withEdges(noNumbers), (given) => trust.indexRatings(given)],
  ['the index of getTrust', noIndexes, (given) => trust.getTrust(given, 'a', 'b')],
  ['the source of getTrust', missing(noTexts), (given) => trust.getTrust(index, given, 'b')],
  [
    'the rating of refuseRating',
    missing([...noObjects, {}, { source: 5, target: 'b', weight: 1 }]),
    (given) => trust.refuseRating(index, given, { founder: 'a' }),
  ],
  [
    'the options of refuseRating',
    missing(spoil({ founder: 'a' }, { founder: missing(noTexts), scale: noNumbers })),
    (given) => trust.refuseRating(index, edges[0] as trust.Edge, given),
  ],
  [
    'the connection of fairnessGoodnessSql',
    missing([...noObjects, {}]),
    (given) => fairnessGoodnessSql(given, { table: 'a', into: 'b' }),
  ],
  [
    'the options of fairnessGoodnessSql',
    missing(
      spoil({ table: 'a', into: 'b' }, { table: missing(noTexts), epsilon: noNumbers, signal: noObjects }),
    ),
    (given) =>
      fairnessGoodnessSql({ run: async () => {}, runAndReadAll: async () => ({ getRows: () => [] }) }, given),
  ],
];

const changes: readonly WrongCall[] = [
  ['averageRunLength', missing(noNumbers), (given) => trust.averageRunLength(given, 4)],
  [
    'the options of averageRunLength',
    spoil({}, { shift: noNumbers, sides: [3, '1'], states: [1, ...noNumbers] }),
    (given) => trust.averageRunLength(1, 4, given),
  ],
  ['the values of cusum', noValues, (given) => trust.cusum(given, { mean: 0, sigma: 1 })],
  [
    'the options of cusum',
    spoil(
      { mean: 0, sigma: 1 },
      { mean: noNumbers, sigma: noNumbers, clip: [-1, ...noNumbers], restart: noBooleans },
    ),
    (given) => trust.cusum([1], given),
  ],
  [
    'the outcomes of bernoulliCusum',
    missing([...noLists, ['x'], [1]]),
    (given) => trust.bernoulliCusum(given),
  ],
  [
    'the options of bernoulliCusum',
    spoil({}, { p0: [0, 1, ...noNumbers] }),
    (given) => trust.bernoulliCusum([true], given),
  ],
  ['the values of twoSigmaShift', noValues, (given) => trust.twoSigmaShift(given)],
  [
    'the options of twoSigmaShift',
    spoil({}, { method: [...noTexts, 'x'] }),
    (given) => trust.twoSigmaShift([1, 2, 3, 4, 5], given),
  ],
  ['the values of oscillation', noValues, (given) => trust.oscillation(given)],
  [
    'the options of oscillation',
    spoil({}, { z: noNumbers, window: noNumbers }),
    (given) => trust.oscillation([1], given),
  ],
  ['the ratings of scanTrajectories', noTimedEdges, (given) => trust.scanTrajectories(given)],
  [
    'the options of scanTrajectories',
    spoil({}, { threshold: noNumbers, raterWeights: [...noObjects, {}], cusum: noTrajectories }),
    (given) => trust.scanTrajectories(timed, given),
  ],
  [
    'the series of detectBuildThenExploit',
    inLists(spoilt({ at: now, trust: 1 }, { at: missing(noNumbers), trust: noNumbers, size: noNumbers })),
    (given) => trust.detectBuildThenExploit(given),
  ],
  [
    'the options of detectBuildThenExploit',
    noTrajectories,
    (given) => trust.detectBuildThenExploit([], given),
  ],
  [
    'the endorsements of detectEndorsementGaming',
    inLists(
      spoilt(
        { endorser: 'x', at: now },
        {
          endorser: missing(noTexts),
          at: noNumbers,
          endorserFingerprint: noTexts,
          endorses: [...noLists, [5]],
        },
      ),
    ),
    (given) => trust.detectEndorsementGaming(given, now),
  ],
  [
    'the options of detectEndorsementGaming',
    spoil({}, { minEndorsers: noNumbers, burstShare: [2, ...noNumbers] }),
    (given) => trust.detectEndorsementGaming([], now, given),
  ],
  [
    'the suite of detectTestGaming',
    spoilt(
      { tests: [], runs: [], coverageToolVerified: true },
      {
        tests: inLists([null, { name: 5, assertions: 1 }, { name: 'x', assertions: '1' }]),
        runs: inLists([null, {}, { passed: { x: 1 } }]),
        coverageToolVerified: missing(noBooleans),
      },
    ),
    (given) => trust.detectTestGaming(given),
  ],
  [
    'the options of detectTestGaming',
    spoil({}, { minRuns: noNumbers }),
    (given) => trust.detectTestGaming({ tests: [], runs: [], coverageToolVerified: true }, given),
  ],
];

const reports: readonly WrongCall[] = [
  [
    'the outcome of createReceipt',
    missing([...noObjects, {}]),
    (given) => trust.createReceipt(given, signer as never),
  ],
  [
    'the signer of createReceipt',
    noSigners,
    (given) =>
      trust.createReceipt(
        { jobId: 'j', provider: 'b'.repeat(64), outcome: 'success', completedAt: now },
        given,
      ),
  ],
  [
    'the options of verifyReceipt',
    spoil({}, { customer: noTexts, now: noNumbers }),
    (given) => trust.verifyReceipt({}, given),
  ],
  [
    'the input of createTrustReport',
    missing(
      spoil(
        { agentId: 'a', evidence, tierEvidence: {} },
        {
          agentId: missing(noTexts),
          evidence: missing([...noObjects, {}]),
          tierEvidence: missing([...noObjects, { uptime7d: '1' }]),
          incidents: inLists([null, {}]).slice(1),
          receipts: [5, 'x'],
          weights: noWeights.slice(1),
          policy: noPolicies,
          clock: noObjects,
        },
      ),
    ),
    (given) => trust.createTrustReport(given, signer as never),
  ],
  [
    'the signer of createTrustReport',
    noSigners,
    (given) => trust.createTrustReport({ agentId: 'a', evidence, tierEvidence: {} }, given),
  ],
  ['parseTrustReport', missing([...noObjects, {}]), (given) => trust.parseTrustReport(given)],
  ['renderTrustReport', missing([...noObjects, {}]), (given) => trust.renderTrustReport(given)],
  ['trustReportEvent', missing([...noObjects, {}]), (given) => trust.trustReportEvent(given)],
  ['auditTrustScore', missing([...noObjects, {}]), (given) => trust.auditTrustScore(given)],
  ['the policy of auditTrustScore', noPolicies, (given) => trust.auditTrustScore({}, given)],
  [
    'the options of auditTrustScore',
    spoil({}, { now: noNumbers }),
    (given) => trust.auditTrustScore({}, {}, given),
  ],
  [
    'the options of verifyTrustReport',
    spoil({}, { policy: noPolicies, subject: noTexts, now: noNumbers }),
    (given) => trust.verifyTrustReport({}, given),
  ],
];

const codes = ['INVALID_INPUT', 'OUT_OF_RANGE', 'WEIGHTS_INVALID', 'INVALID_CONFIG'];

it.each([
  ['scores and tiers', scoring],
  ['agreements and uptime', agreements],
  ['networks', graphs],
  ['changes and gaming', changes],
  ['receipts and reports', reports],
] as const)('X-3 X-4 wrong input is refused with a code: %s', async (_part, calls) => {
  expect(await unrefused(calls, ...codes)).toEqual([]);
});

it('X-3 X-4 records may have fields of their host, and what nobody measured may be null', () => {
  expect(trust.classifyTier(1, { uptime7d: null, note: 'x' } as never).tier).toBe('unverified');
  expect(trust.fairnessGoodness([{ ...edges[0], note: 'x' } as never]).iterations).toBeGreaterThan(0);
  expect(trust.taskSuccessRate([{ outcome: 'success', note: 'x' } as never]).value).toBe(1);
  expect(trust.verifyReceipt(null).status).toBe('malformed');
});
