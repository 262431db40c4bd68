import type * as Package from '../src/index.ts';
import { otc, seeded } from './networks.ts';
import { signerOf } from './signers.ts';
import { attackEdges, chainAttack } from './sybil-attack.ts';

/** The package under attack. */
export type Api = typeof Package;

/** The result of an attack: a short text for the table, and whether the attacker got what it wanted. */
export interface Outcome {
  readonly text: string;
  readonly succeeded: boolean;
}

/** An attack with its result on the code before the verifier owned the rules, and the cost today. */
export interface AttackCase {
  readonly group: string;
  readonly attack: string;
  /** Measured on the code before. */
  readonly before: string;
  readonly run: (api: Api) => Outcome | Promise<Outcome>;
  readonly cost: string;
  /** True when the attack still works; the cost says why that is accepted. */
  readonly open?: boolean;
}

const hour = 3_600_000;
const day = 24 * hour;
const now = Date.UTC(2026, 5, 1);
const start = now - 60 * day;
const cheat = signerOf('cheat');
const victim = signerOf('victim');

type Input = Package.TrustReportInput;
const perfect: Input = {
  agentId: cheat.publicKey,
  evidence: {
    testCoverage: { passing: 400, total: 400 },
    uptime: { periodHours: 2_160, downtimeHours: 0 },
    successRate: { successful: 5_000, failed: 0 },
    endorsements: { total: 60, unique: 60, endorserTrustAvg: 1 },
    attestationFreshness: { hours: 0 },
  },
  tierEvidence: {
    ...{ uptime7d: 1, uptime30d: 1, uptime90d: 1, testCoverage: 1, endorsements: 60 },
    successfulDelegations: 5_000,
  },
  clock: () => now,
};
const bad: Input['evidence'] = {
  testCoverage: { passing: 1, total: 1 },
  uptime: { periodHours: 720, downtimeHours: 700 },
  successRate: { successful: 1, failed: 900 },
  endorsements: { total: 60, unique: 1, endorserTrustAvg: 0.1 },
  attestationFreshness: { hours: 0 },
};
/** The policy by which an attacker states its report: it asks for nothing. */
const lax = {
  requireSla: false,
  proof: {},
  endorsementBase: 'total',
  minTests: 0,
  maxValidityHours: 1e12,
} as const;

/** Creates a report as the attacker likes it, and judges it as a verifier with default rules would. */
async function report(
  api: Api,
  input: Partial<Input>,
  options: {
    readonly change?: (made: Package.TrustReport) => unknown;
    readonly signer?: typeof cheat;
    readonly verify?: Package.VerifyOptions;
    readonly policy?: Partial<Package.TrustPolicy>;
    readonly at?: number;
    /** What the attacker wants: a tier above `verified`, or merely a valid signature. */
    readonly wants?: 'tier' | 'valid';
  } = {},
): Promise<Outcome> {
  const { change = (made) => made, signer = cheat, policy = {}, at = now, wants = 'tier' } = options;
  const stated = { ...lax, weights: input.weights, ...policy };
  const { weights, ...rest } = stated;
  const all = { ...rest, ...(weights === undefined ? {} : { weights }) };
  const made = change(await api.createTrustReport({ ...perfect, ...input, policy: all }, signer));
  try {
    const { status } = api.verifyTrustReport(made, { now: at, policy, ...options.verify });
    // A document that is not a report has nothing to audit.
    if (status === 'malformed') return { text: status, succeeded: false };
    const { agrees, computed } = api.auditTrustScore(made, policy);
    const isHigh = computed.tier === 'trusted' || computed.tier === 'highly_trusted';
    const passes = status === 'valid' && (wants === 'valid' || (agrees && isHigh));
    const text = `${computed.trustScore.toFixed(3)} ${computed.tier.replace('_', ' ')}, ${status.replaceAll('_', ' ')}, audit ${agrees ? 'agrees' : 'disagrees'}`;
    return { text, succeeded: passes };
  } catch (error) {
    return { text: `verification throws ${codeOf(error)}`, succeeded: true };
  }
}
const codeOf = (error: unknown): string => {
  const { code, name } = error as { readonly code?: string; readonly name?: string };
  return code ?? name ?? 'error';
};
const weightOn = (name: keyof Package.FactorWeights): Package.FactorWeights => ({
  ...{ testCoverage: 0, uptime: 0, successRate: 0, endorsements: 0, attestationFreshness: 0 },
  [name]: 1,
});

const guarantee = {
  ...{ metric: 'uptime', target: 0.99, measurementWindow: '30 days', breachThreshold: 0.95 },
  penalty: { type: 'trust_score_reduction', amount: 0.1 },
};
const half = Array.from({ length: 720 }, (_, i) => ({
  ...{ metric: 'uptime', at: now - (719 - i) * hour, value: i % 2 === 0 ? 0.1 : 1 },
}));
/** An agreement on the accused's terms, judged with the strict policy; half of the hours are bad. */
function terms(api: Api, change: object): Outcome {
  const status = api.evaluateSla({ guarantees: [{ ...guarantee, ...change }] }, half, now, {
    policy: api.strictTrustPolicy,
    subject: 'cheat',
  });
  return { text: status.overall.replace('_', ' '), succeeded: status.overall !== 'breached' };
}
/** An agreement that a report carries: does a tier above `unverified` accept it? */
function carried(api: Api, change: object, dispute: object = {}): Promise<Outcome> {
  const sla = {
    guarantees: [
      { ...guarantee, target: 0.995, ...change },
      { ...guarantee, metric: 'success_rate' },
      { ...guarantee, metric: 'latency_p99', target: 4_000, breachThreshold: 7_000 },
    ],
    disputeResolution: dispute,
  };
  return report(api, { tierEvidence: { ...perfect.tierEvidence, sla } }, { policy: { proof: {} } });
}
const measured = (
  api: Api,
  points: readonly Package.SlaMeasurement[],
  at: number,
  change: object = {},
): Outcome => {
  const sla = { guarantees: [{ ...guarantee, target: 0.95, breachThreshold: 0.9, ...change }] };
  const { overall } = api.evaluateSla(sla, points, at);
  return { text: overall.replace('_', ' '), succeeded: overall !== 'breached' };
};
const series = (count: number, step: number, value: (i: number) => number, from = start) =>
  Array.from({ length: count }, (_, i) => ({ metric: 'uptime', at: from + i * step, value: value(i) }));
const checks = (api: Api, marks: string, step: number, end: number): Outcome => {
  const monitor = [...marks].reduce(
    (state, mark, i) => api.recordCheck(state, { at: start + i * step, ok: mark === '+' }),
    api.newUptimeMonitor,
  );
  const { score } = api.uptimeReport(monitor, end);
  return { text: `uptime ${score.toFixed(3)}`, succeeded: score > 0.5 };
};
const breach = (api: Api, sla: object = {}) =>
  api.detectBreach(
    { guarantees: [guarantee], ...sla },
    { breachId: 'b', agentId: 'cheat', metric: 'uptime', value: 0.5 },
    start,
  ).breach;
const claim: Package.BreachEvent = {
  ...{ type: 'dispute', disputeId: 'd', claim: 'no', evidence: ['x'], requestedRemedy: 'remove_penalty' },
};
const tried = (work: () => unknown): Outcome => {
  try {
    const result = work();
    return { text: String(result), succeeded: true };
  } catch (error) {
    return { text: `refused: ${codeOf(error)}`, succeeded: false };
  }
};
const reduction: Package.SlaPenalty = {
  ...{ type: 'trust_score_reduction', amount: 0.1 },
  recovery: { method: 'gradual', recoveryPeriodDays: 30, requires: 'sustained_performance_above_target' },
};
const applied = (days: Package.AppliedPenalty['days'] = [], breachId = 'b'): Package.AppliedPenalty => ({
  ...{ breachId, metric: 'uptime', penalty: reduction, appliedAt: start, days },
});
const recovered = (api: Api, days: Package.AppliedPenalty['days']): Outcome => {
  const { score } = api.applyPenalties(1, [applied(days)], now);
  return { text: `score ${score.toFixed(3)}`, succeeded: score > 0.95 };
};
const rate = (api: Api, tasks: readonly Package.DelegatedTask[], most: number): Outcome => {
  const { value } = api.taskSuccessRate(tasks);
  return { text: `rate ${value.toFixed(3)}`, succeeded: value > most };
};

const agreement = {
  guarantees: [
    { ...guarantee, target: 0.995 },
    { ...guarantee, metric: 'success_rate' },
    { ...guarantee, metric: 'latency_p99', target: 4_000, breachThreshold: 7_000 },
  ],
};
const friends = Array.from({ length: 12 }, (_, i) => signerOf(`friend ${i}`));
const known = Object.fromEntries(friends.map(({ publicKey }) => [publicKey, 1]));
async function withReceipts(
  api: Api,
  options: {
    readonly count: number;
    readonly signers: readonly (typeof cheat)[];
    readonly change?: (i: number) => Partial<Package.ReceiptOutcome>;
    readonly own?: (receipts: readonly Package.Receipt[]) => Partial<Package.TrustPolicy>;
    readonly attach?: (receipts: readonly Package.Receipt[]) => readonly Package.Receipt[];
  },
): Promise<Outcome> {
  const { count, signers, change = () => ({}), own = () => ({}), attach = (list) => list } = options;
  const receipts = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      api.createReceipt(
        {
          ...{ jobId: `job ${i}`, provider: cheat.publicKey, outcome: 'success' as const },
          ...{ completedAt: now - (i + 1) * hour, ...change(i) },
        },
        signers[i % signers.length] ?? cheat,
      ),
    ),
  );
  const tierEvidence = { ...perfect.tierEvidence, sla: agreement };
  const made = await api.createTrustReport(
    { ...perfect, tierEvidence, receipts: attach(receipts), policy: { ...lax } },
    cheat,
  );
  const policy = { knownCustomers: known, ...own(receipts) };
  const { computed, receipts: counted } = api.auditTrustScore(made, policy);
  const isHigh = computed.tier === 'trusted' || computed.tier === 'highly_trusted';
  return {
    text: `${computed.tier.replace('_', ' ')}, receipts that count: ${counted.accepted}`,
    succeeded: isHigh,
  };
}

const ring = (count: number, make: (i: number) => Partial<Package.Endorsement>) =>
  Array.from(
    { length: count },
    (_, i): Package.Endorsement => ({ endorser: `sybil ${i}`, at: now - day, ...make(i) }),
  );
const endorsed = (api: Api, list: readonly Package.Endorsement[]): Outcome => {
  const { verdict, endorsementMultiplier } = api.detectEndorsementGaming(list, now);
  return {
    text: `${verdict.replace('_', ' ')}, × ${endorsementMultiplier}`,
    succeeded: endorsementMultiplier === 1,
  };
};
const leaf = [...new Set(otc.map(({ source }) => source))].find(
  (node) => otc.filter(({ source }) => source === node).length === 1,
);
function web(api: Api, attack: Parameters<typeof attackEdges>[0], target = '3744'): Outcome {
  const view = (edges: readonly Package.Edge[]) => {
    const found = api.personalTrust(edges, '35', target) as unknown as {
      trust?: number;
      value?: number | null;
    };
    return found.trust ?? found.value ?? 0;
  };
  const [before, after] = [view(otc), view([...otc, ...attackEdges(attack, target)])];
  return { text: `${before.toFixed(3)} → ${after.toFixed(3)}`, succeeded: Math.abs(after - before) > 0.1 };
}
let deep: unknown = 1;
for (let level = 0; level < 9_000; level += 1) deep = { deep };

/** Every attack, in the order of the table. */
export const attacks: readonly AttackCase[] = [
  {
    group: 'Weights and formulas',
    attack: 'all weight on test coverage, 1 of 1 tests; 1 of 901 jobs, 700 of 720 h down',
    before: '1.000 highly trusted, valid, audit agrees',
    run: (api) => report(api, { evidence: bad, weights: weightOn('testCoverage') }),
    cost: 'the weights are the verifier’s: a real record',
  },
  {
    group: 'Weights and formulas',
    attack: 'all weight on attestation freshness',
    before: '1.000 highly trusted, valid, audit agrees',
    run: (api) => report(api, { evidence: bad, weights: weightOn('attestationFreshness') }),
    cost: 'as above',
  },
  {
    group: 'Weights and formulas',
    attack: 'the more generous endorsement curve',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) => report(api, { endorsementOptions: { endorsementCurve: 'table' } }),
    cost: 'the curve is the verifier’s',
  },
  {
    group: 'Weights and formulas',
    attack: '100 endorsements of one endorser',
    before: '0.945 trusted, valid, audit agrees',
    run: (api) =>
      report(api, {
        evidence: { ...perfect.evidence, endorsements: { total: 100, unique: 1, endorserTrustAvg: 1 } },
      }),
    cost: '33 distinct endorsers of full trust',
  },
  {
    group: 'Weights and formulas',
    attack: 'an attestation that is valid for 1e9 hours',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) =>
      report(api, {
        evidence: { ...perfect.evidence, attestationFreshness: { hours: 5_000, validityHours: 1e9 } },
      }),
    cost: 'an attestation each day',
  },
  {
    group: 'Evidence',
    attack: 'perfect counts, stated by the agent alone',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) => report(api, {}),
    cost: 'free up to verified; above it receipts of customers that the verifier knows',
  },
  {
    group: 'Evidence',
    attack: '5,000 delegations for the tier, one in the factor',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) =>
      report(api, { evidence: { ...perfect.evidence, successRate: { successful: 1, failed: 0 } } }),
    cost: 'the jobs, with receipts',
  },
  {
    group: 'Evidence',
    attack: 'uptime of 100 % over 30 days for the tier, 150 of 720 h down in the factor',
    before: '0.943 trusted, valid, audit agrees',
    run: (api) =>
      report(api, { evidence: { ...perfect.evidence, uptime: { periodHours: 720, downtimeHours: 150 } } }),
    cost: 'being up',
  },
  {
    group: 'Evidence',
    attack: 'uptime over 90 days from a period of one hour',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) =>
      report(api, { evidence: { ...perfect.evidence, uptime: { periodHours: 1, downtimeHours: 0 } } }),
    cost: 'observing 90 days',
  },
  {
    group: 'Evidence',
    attack: 'negative downtime of 500 h',
    before: '0.985 highly trusted, valid, audit disagrees',
    run: (api) =>
      report(api, { evidence: { ...perfect.evidence, uptime: { periodHours: 720, downtimeHours: -500 } } }),
    cost: 'listed as impossible',
  },
  {
    group: 'Evidence',
    attack: 'one test that passes',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) => report(api, { evidence: { ...perfect.evidence, testCoverage: { passing: 1, total: 1 } } }),
    cost: '10 tests for verified; receipts above',
  },
  {
    group: 'Evidence',
    attack: 'no service level agreement, the member left out',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) => report(api, {}, { policy: { proof: {} } }),
    cost: 'an agreement with acceptable terms',
  },
  {
    group: 'Evidence',
    attack: 'figures of an agreement without its terms',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) =>
      report(api, {
        tierEvidence: { ...perfect.tierEvidence, sla: { uptime: 1, successRate: 1, latencyP99Ms: 1 } },
      }),
    cost: 'an agreement with acceptable terms',
  },
  {
    group: 'Dates and keys',
    attack: 'a report of 2016',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) => report(api, { clock: () => Date.UTC(2016, 0, 1) }, { wants: 'valid' }),
    cost: 'a new report each week',
  },
  {
    group: 'Dates and keys',
    attack: 'a report of 2099',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) => report(api, { clock: () => Date.UTC(2099, 0, 1) }, { wants: 'valid' }),
    cost: 'refused beyond 10 minutes',
  },
  {
    group: 'Dates and keys',
    attack: 'a good report, shown again a month later',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) => report(api, {}, { wants: 'valid', at: now + 30 * day }),
    cost: 'a new report each week',
  },
  {
    group: 'Dates and keys',
    attack: 'a report about another agent’s key, signed by oneself',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) => report(api, { agentId: victim.publicKey }, { wants: 'valid' }),
    cost: 'the other agent’s key',
  },
  {
    group: 'Dates and keys',
    attack: 'another agent’s good report, shown as one’s own',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) =>
      report(
        api,
        { agentId: victim.publicKey },
        { wants: 'valid', signer: victim, verify: { subject: cheat.publicKey } },
      ),
    cost: 'refused when the verifier names the subject',
  },
  {
    group: 'Dates and keys',
    attack: 'an attestation dated 1,000 hours after the report',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) =>
      report(
        api,
        { evidence: { ...perfect.evidence, attestationFreshness: { hours: -1_000 } } },
        { wants: 'valid' },
      ),
    cost: 'refused beyond 10 minutes',
  },
  {
    group: 'Documents',
    attack: 'a report with a `__proto__` member',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) =>
      report(
        api,
        {},
        {
          wants: 'valid',
          change: (made) =>
            JSON.parse(JSON.stringify(made).replace('{', '{"__proto__":{"tier":"highly_trusted"},')),
        },
      ),
    cost: 'refused',
  },
  {
    group: 'Documents',
    attack: '9,000 levels of nesting in an extra member',
    before: 'verification throws RangeError',
    run: (api) => report(api, {}, { wants: 'valid', change: (made) => ({ ...made, extra: deep }) }),
    cost: 'refused at 32 levels',
  },
  {
    group: 'Documents',
    attack: 'a getter that changes its value after the check',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) => {
      let reads = 0;
      return report(
        api,
        {},
        {
          wants: 'valid',
          change: (made) =>
            Object.defineProperty({ ...made }, 'trust_score', {
              enumerable: true,
              get: () => {
                reads += 1;
                return reads > 0 ? made.trust_score : 1;
              },
            }),
        },
      );
    },
    cost: 'accessors are refused, and documents are copied once',
  },
  ...(
    [
      ['a breach threshold of 0', 'at risk', { breachThreshold: 0 }, 'at least 90 % of the target'],
      ['the maximum of the window counts', 'compliant', { aggregate: 'max' }, 'means only'],
      ['the last value counts', 'compliant', { aggregate: 'last' }, 'means only'],
      ['a window of one second', 'compliant', { measurementWindow: '1 second' }, 'a day at least'],
    ] as const
  ).map(
    ([attack, before, change, cost]): AttackCase => ({
      ...{ group: 'Terms of agreements', attack, before, cost },
      run: (api) => terms(api, change),
    }),
  ),
  ...(
    [
      [
        'a penalty of 0',
        { penalty: { type: 'trust_score_reduction', amount: 0 } },
        {},
        '5 % of the score at least',
      ],
      [
        'a fine of 0 sat',
        { penalty: { type: 'financial', amount: 0, currency: 'sat' } },
        {},
        'a reduction of 5 % replaces it',
      ],
      [
        'recovery within 15 minutes',
        { penalty: { ...guarantee.penalty, recovery: { recoveryPeriodDays: 0.01 } } },
        {},
        '14 days at least',
      ],
      [
        'a suspension with a notice of 10,000 days',
        { penalty: { type: 'temporary_suspension', duration: '7 days', notice: '10000 days' } },
        {},
        'a notice of 7 days at most',
      ],
      ['disputes may be filed for 1e6 days', {}, { filingPeriodDays: 1e6 }, '14 days at most'],
      ['disputes are reviewed for 1e6 days', {}, { reviewPeriodDays: 1e6 }, '14 days at most'],
      ['the agent is its own arbitrator', {}, { arbitrator: cheat.publicKey }, 'another arbitrator, or none'],
    ] as const
  ).map(
    ([attack, change, dispute, cost]): AttackCase => ({
      ...{ group: 'Terms of agreements', attack, before: '0.985 highly trusted, valid, audit agrees', cost },
      run: (api) => carried(api, change, dispute),
    }),
  ),
  {
    group: 'Measurements',
    attack: 'ten days at .2, then silence for a month',
    before: 'at risk',
    run: (api) =>
      measured(
        api,
        series(240, hour, () => 0.2),
        start + 41 * day,
      ),
    cost: '30 observed good days',
  },
  {
    group: 'Measurements',
    attack: 'ten days at 0, then a hundred good points in a hundred seconds',
    before: 'at risk',
    run: (api) =>
      measured(
        api,
        [...series(10, day, () => 0), ...series(100, 1_000, () => 1, start + 10 * day)],
        start + 10 * day + 100_000,
      ),
    cost: '30 observed good days',
  },
  {
    group: 'Measurements',
    attack: 'two hours a day at 0',
    before: 'at risk',
    run: (api) =>
      measured(
        api,
        series(720, hour, (i) => (i % 24 < 2 ? 0 : 1)),
        start + 30 * day - hour,
      ),
    cost: 'downtime below (1 − target) of the window',
  },
  {
    group: 'Measurements',
    attack: 'failed, failed, ok, repeated for a day',
    before: 'uptime 1.000',
    run: (api) => checks(api, '--+'.repeat(96), 300_000, start + day),
    cost: 'one brief outage a day is forgiven',
  },
  {
    group: 'Measurements',
    attack: 'one good check, then 30 days of silence',
    before: 'uptime 1.000',
    run: (api) => checks(api, '+', 300_000, start + 30 * day),
    cost: 'being probed 90 % of the time',
  },
  {
    group: 'Disputes and penalties',
    attack: 'a frivolous dispute: score three days after the filing period',
    before: 'score 1.000',
    run: (api) => {
      const disputed = api.advanceBreach(breach(api), claim, start + 6.9 * day).breach;
      const penalties =
        api.activePenalties?.(disputed, start + 10 * day) ??
        (disputed.applied === null ? [] : [disputed.applied]);
      const { score } = api.applyPenalties(1, penalties, start + 10 * day);
      return { text: `score ${score.toFixed(3)}`, succeeded: score > 0.95 };
    },
    cost: 'a dispute that an arbitrator upholds',
  },
  {
    group: 'Disputes and penalties',
    attack: 'the accused decides its own dispute, no arbitrator named',
    before: 'excused',
    run: (api) => {
      const disputed = api.advanceBreach(breach(api), claim, start + day).breach;
      const decision = { type: 'decide', outcome: 'excused', reason: 'mine', arbitrator: 'cheat' } as const;
      return tried(() => api.advanceBreach(disputed, decision, start + 2 * day).breach.state);
    },
    cost: 'an accomplice whom the host accepts as arbitrator',
  },
  {
    group: 'Disputes and penalties',
    attack: 'a rival reports a good value as a breach',
    before: 'detected',
    run: (api) =>
      tried(
        () =>
          api.detectBreach(
            { guarantees: [guarantee] },
            { breachId: 'x', agentId: 'rival', metric: 'uptime', value: 0.99 },
            start,
          ).breach.state,
      ),
    cost: 'refused',
  },
  {
    group: 'Disputes and penalties',
    attack: 'a rival reports NaN as a breach',
    before: 'detected',
    run: (api) =>
      tried(
        () =>
          api.detectBreach(
            { guarantees: [guarantee] },
            { breachId: 'x', agentId: 'rival', metric: 'uptime', value: Number.NaN },
            start,
          ).breach.state,
      ),
    cost: 'refused',
  },
  {
    group: 'Disputes and penalties',
    attack: 'thirty copies of one good day',
    before: 'score 1.000',
    run: (api) =>
      recovered(
        api,
        Array.from({ length: 30 }, () => ({ at: start + day, aboveTarget: true })),
      ),
    cost: 'thirty good days',
  },
  {
    group: 'Disputes and penalties',
    attack: 'thirty good days from before the penalty',
    before: 'score 1.000',
    run: (api) =>
      recovered(
        api,
        Array.from({ length: 30 }, (_, i) => ({ at: start - i * day, aboveTarget: true })),
      ),
    cost: 'thirty good days',
  },
  {
    group: 'Disputes and penalties',
    attack: 'a rival records one breach three times',
    before: 'score 0.729',
    run: (api) => {
      const { score } = api.applyPenalties(1, [applied(), applied(), applied()], now);
      return { text: `score ${score.toFixed(3)}`, succeeded: score < 0.89 };
    },
    cost: 'counts once',
  },
  {
    group: 'Many tasks',
    attack: '10 of 100 hard jobs, and 19 capabilities with one easy job each',
    before: 'rate 0.955',
    run: (api) =>
      rate(
        api,
        [
          ...Array.from({ length: 100 }, (_, i) => ({
            ...({ outcome: i < 10 ? 'success' : 'agent_error', capability: 'hard' } as const),
          })),
          ...Array.from({ length: 19 }, (_, i) => ({ outcome: 'success', capability: `easy ${i}` }) as const),
        ],
        0.5,
      ),
    cost: 'as many easy jobs of each kind as hard ones',
  },
  {
    group: 'Many tasks',
    attack: '50 jobs of 1 sat done, one of 1,000,000 sat failed',
    before: 'rate 0.980',
    run: (api) =>
      rate(
        api,
        [
          ...Array.from({ length: 50 }, () => ({ outcome: 'success', valueMsat: 1_000 }) as const),
          { outcome: 'agent_error', valueMsat: 1e9 },
        ],
        0.5,
      ),
    cost: 'a failure weighs up to 100 median jobs',
  },
  {
    group: 'Many tasks',
    attack: 'one bought success of 1 BTC after 20 failures',
    before: 'rate 0.048',
    run: (api) =>
      rate(
        api,
        [
          ...Array.from({ length: 20 }, () => ({ outcome: 'agent_error', valueMsat: 1_000 }) as const),
          { outcome: 'success', valueMsat: 1e11 },
        ],
        0.5,
      ),
    cost: 'a success weighs at most 10 median jobs',
  },
  {
    group: 'Receipts',
    attack: '200 receipts of 50 keys that the provider made',
    before: 'no receipts; own counts sufficed',
    run: (api) =>
      withReceipts(api, {
        count: 200,
        signers: Array.from({ length: 50 }, (_, i) => signerOf(`minted ${i}`)),
      }),
    cost: 'customers that the verifier knows',
  },
  {
    group: 'Receipts',
    attack: 'one known customer signs 200 receipts for a friend',
    before: 'no receipts; own counts sufficed',
    run: (api) => withReceipts(api, { count: 200, signers: friends.slice(0, 1) }),
    cost: 'ten known customers; each counts for a fifth at most',
  },
  {
    group: 'Receipts',
    attack: 'one receipt attached 110 times',
    before: 'no receipts; own counts sufficed',
    run: (api) =>
      withReceipts(api, {
        count: 1,
        signers: friends,
        attach: ([first]) => (first === undefined ? [] : Array.from({ length: 110 }, () => first)),
      }),
    cost: 'the jobs',
  },
  {
    group: 'Receipts',
    attack: 'receipts about another provider',
    before: 'no receipts; own counts sufficed',
    run: (api) =>
      withReceipts(api, { count: 110, signers: friends, change: () => ({ provider: victim.publicKey }) }),
    cost: 'the other provider’s key',
  },
  {
    group: 'Receipts',
    attack: 'receipts of two years ago',
    before: 'no receipts; own counts sufficed',
    run: (api) =>
      withReceipts(api, {
        count: 110,
        signers: friends,
        change: (i) => ({ completedAt: now - 730 * day + i }),
      }),
    cost: 'work within a year',
  },
  {
    group: 'Receipts',
    attack: 'a provider signs a receipt for itself',
    before: 'no receipts; own counts sufficed',
    run: async (api) => {
      const outcome = {
        jobId: 'x',
        provider: cheat.publicKey,
        outcome: 'success',
        completedAt: now,
      } as const;
      return api.createReceipt(outcome, cheat).then(
        () => ({ text: 'signed', succeeded: true }),
        (error: unknown) => ({ text: `refused: ${codeOf(error)}`, succeeded: false }),
      );
    },
    cost: 'another key, which the verifier does not know',
  },
  {
    group: 'Receipts',
    attack: 'a violation left out, when the verifier has its receipt',
    before: 'no receipts; own counts sufficed',
    run: (api) =>
      withReceipts(api, {
        count: 112,
        signers: friends,
        change: (i) => (i === 111 ? { outcome: 'violation' } : {}),
        attach: (list) => list.slice(0, 111),
        own: (list) => ({ ownReceipts: list.slice(111) }),
      }),
    cost: 'a victim that keeps silent',
  },
  {
    group: 'Webs of trust',
    attack: 'one edge of a rater with one rating, 10,000 Sybils in a chain',
    before: '-0.875 → 0.983',
    run: (api) => web(api, chainAttack(leaf ?? '', 10_000)),
    cost: 'edges of many raters near the observer; at most the bound moves',
  },
  {
    group: 'Webs of trust',
    attack: 'an edge of a direct contact of the observer, and 400 Sybils that the target rates',
    before: '-0.875 → 0.622',
    run: (api) => web(api, { ...chainAttack('4002', 400), shape: 'ring', helpers: 400 }),
    cost: 'as above',
  },
  {
    group: 'Webs of trust',
    attack: '1,000 strangers slander a target',
    before: '0.316 → 0.302',
    run: (api) => web(api, { ...chainAttack('', 1_000), seller: null, rating: -1 }, '4'),
    cost: 'strangers weigh nothing',
  },
  {
    group: 'Webs of trust',
    attack: 'ten new keys accuse an honest target of an exit scam',
    before: 'confirmed',
    run: (api) => {
      const random = seeded(4);
      const honest = Array.from({ length: 12 }, (_, i) => [
        { source: 'founder', target: `rater ${i}`, weight: 0.5, at: i },
        { source: `rater ${i}`, target: 'victim', weight: 0.3 + 0.3 * random(), at: 100 + i },
      ]).flat();
      const lies = Array.from({ length: 10 }, (_, i) => ({
        ...{ source: `new ${i}`, target: 'victim', weight: -1, at: 1_000 + i },
      }));
      if (api.scanTrajectories === undefined) {
        const series = [...honest, ...lies].filter(({ target }) => target === 'victim');
        const found = api.detectBuildThenExploit(
          series.map(({ at, weight }) => ({ at, trust: weight * 10 })),
        );
        return { text: found.verdict, succeeded: found.verdict === 'confirmed' };
      }
      const { verdict = 'none', negativeMass = 0 } =
        api.scanTrajectories([...honest, ...lies]).get('victim') ?? {};
      return {
        text: `${verdict}, negative mass ${negativeMass.toFixed(3)}`,
        succeeded: verdict === 'exploited',
      };
    },
    cost: 'raters with a reputation of their own',
  },
  {
    group: 'Webs of trust',
    attack: 'thirty Sybils that first praise each other accuse an honest target',
    before: 'confirmed',
    run: (api) => {
      const honest = Array.from({ length: 12 }, (_, i) => [
        { source: 'founder', target: `rater ${i}`, weight: 0.5, at: i },
        { source: `rater ${i}`, target: 'victim', weight: 0.5, at: 100 + i },
      ]).flat();
      const lies = Array.from({ length: 30 }, (_, i) => [
        { source: `new ${i}`, target: `new ${(i + 1) % 30}`, weight: 1, at: 500 },
        { source: `new ${i}`, target: 'victim', weight: -1, at: 1_000 + i },
      ]).flat();
      const all = [...honest, ...lies];
      const raterWeights = new Map(
        [...api.personalView(all, 'founder')].map(([name, { trust }]) => [name, Math.max(0, trust)]),
      );
      const { verdict = 'none' } =
        api.scanTrajectories(all, { raterWeights, priorMass: 0 }).get('victim') ?? {};
      return {
        text: `${verdict}, with raters weighed by the observer’s view`,
        succeeded: verdict === 'exploited',
      };
    },
    cost: 'edges of raters that the observer trusts; without `raterWeights` it works',
  },
  {
    group: 'Endorsements',
    attack: '40 Sybils: one old key, 61 minutes apart, in a chain',
    before: 'clean, × 1',
    run: (api) =>
      endorsed(
        api,
        ring(40, (i) => ({
          at: now - 3 * day + i * 61 * 60_000,
          endorserCreatedAt: now - (i === 0 ? 400 : 5) * day,
          endorses: i < 39 ? [`sybil ${i + 1}`] : [],
        })),
      ),
    cost: 'aged keys, irregular times, links to outsiders',
  },
  {
    group: 'Endorsements',
    attack: 'a quarter of old accomplices beside 30 new Sybils at irregular times',
    before: 'suspicious, × 0.5',
    run: (api) => {
      const random = seeded(8);
      return endorsed(
        api,
        ring(40, (i) => ({
          at: now - random() * 20 * day,
          endorserCreatedAt: now - (i < 10 ? 300 + 40 * i : 25 + random()) * day,
          endorses: [`sybil ${(i + 1) % 40}`],
        })),
      );
    },
    cost: 'as above',
  },
  {
    group: 'Endorsements',
    attack: 'bought old keys at random times with outside links',
    before: 'clean, × 1',
    open: true,
    run: (api) => {
      const random = seeded(9);
      return endorsed(
        api,
        ring(40, (i) => ({
          at: now - random() * 90 * day,
          endorserCreatedAt: now - (100 + 700 * random()) * day,
          endorserLastActiveAt: now - random() * 10 * day,
          endorses: [`outsider ${i}`],
        })),
      );
    },
    cost: 'the price of 40 old keys, for at most .135 of the score and no tier above verified',
  },
];

/** Formats an attack as a row of the table in the guide. */
export const attackRow = ({ attack, before, cost, open = false }: AttackCase, { text }: Outcome): string =>
  `| ${attack} | ${before} | ${text}${open ? ' (open)' : ''} | ${cost} |`;
