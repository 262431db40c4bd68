import type * as Package from '../../src/index.ts';
import { type Api, type AttackCase, cheat, day, hour, now, type Outcome, start, tried } from './attack.ts';
import { perfect, report } from './reports.ts';

export const guarantee = {
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
const breach = (api: Api, sla: object = {}) =>
  api.detectBreach(
    { guarantees: [guarantee], ...sla },
    { breachId: 'b', agentId: 'cheat', metric: 'uptime', value: 0.5 },
    start,
  ).breach;
const claim: Package.BreachEvent = {
  ...{ type: 'dispute', disputeId: 'd', claim: 'no', evidence: ['x'], requestedRemedy: 'remove_penalty' },
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

/** Attacks on the terms of agreements. */
export const attacksOnTerms: readonly AttackCase[] = [
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
      [
        'uptime of 50 percent, in breach below 49',
        { target: 50, unit: 'percent', breachThreshold: 49 },
        {},
        'units are converted: .85 at least',
      ],
      [
        'uptime of 99.5 without a unit, in breach below 95',
        { target: 99.5, breachThreshold: 95 },
        {},
        'a share has no target above 1',
      ],
      [
        'the penalty is a badge that no platform has',
        { penalty: { type: 'badge_revocation', revoke: ['none'] } },
        {},
        'a badge that the policy names',
      ],
      [
        'a fine of 1,000,000 in a currency of one’s own',
        { penalty: { type: 'financial', amount: 1e6, currency: 'cheatcoin' } },
        {},
        'a currency that the policy names',
      ],
      [
        'the agent is its own arbitrator, with an invisible character in its key',
        {},
        { arbitrator: `\u200b${cheat.publicKey}` },
        'another arbitrator; one of the policy’s list when it has one',
      ],
      ['an arbitrator without a name', {}, { arbitrator: ' \u200b' }, 'as above'],
    ] as const
  ).map(
    ([attack, change, dispute, cost]): AttackCase => ({
      ...{ group: 'Terms of agreements', attack, before: '0.985 highly trusted, valid, audit agrees', cost },
      run: (api) => carried(api, change, dispute),
    }),
  ),
  ...(
    [
      [
        'uptime counts as better when lower: target .9, in breach above .95',
        { target: 0.9, breachThreshold: 0.95 },
        'the direction of a known metric is fixed',
      ],
      ['a target of 0, in breach below −1', { target: 0, breachThreshold: -1 }, 'an uptime of .85 at least'],
      ['a target of .5, in breach below .1', { target: 0.5, breachThreshold: 0.1 }, 'as above'],
    ] as const
  ).map(
    ([attack, change, cost]): AttackCase => ({
      ...{ group: 'Terms of agreements', attack, before: 'compliant', cost },
      run: (api) => terms(api, change),
    }),
  ),
  {
    group: 'Terms of agreements',
    attack: 'a metric of one’s own that does not say which side is better',
    before: '0 terms refused',
    run: (api) => {
      const own = { ...guarantee, metric: 'quality', target: 0.5, breachThreshold: 0.9 };
      const { violations } = api.boundSlaTerms({ guarantees: [own] }, api.strictTrustPolicy.sla);
      return { text: `${violations.length} terms refused`, succeeded: violations.length === 0 };
    },
    cost: 'a stated direction; the policy may fix another',
  },
  {
    group: 'Terms of agreements',
    attack: 'a metric named `constructor`, in breach below 0',
    before: 'at risk',
    run: (api) => {
      const own = { ...guarantee, metric: 'constructor', direction: 'higher_is_better', breachThreshold: 0 };
      const points = half.map((point) => ({ ...point, metric: 'constructor' }));
      const { overall } = api.evaluateSla({ guarantees: [own] }, points, now, {
        policy: api.strictTrustPolicy,
      });
      return { text: overall.replace('_', ' '), succeeded: overall !== 'breached' };
    },
    cost: 'judged as any unknown metric',
  },
  {
    group: 'Terms of agreements',
    attack: 'figures of an agreement that are texts',
    before: '0.985 highly trusted, valid, audit agrees',
    run: (api) => {
      const sla = { uptime: 'high', successRate: 'high', latencyP99Ms: 'low' } as never;
      return report(api, { tierEvidence: { ...perfect.tierEvidence, sla } }, { policy: { proof: {} } });
    },
    cost: 'numbers in their ranges',
  },
  {
    group: 'Terms of agreements',
    attack: 'a status that is refreshed every 30 years',
    before: '1000000000',
    run: (api) =>
      tried(
        () => api.parseSla({ guarantees: [guarantee], refreshIntervalSeconds: 1e9 }).refreshIntervalSeconds,
      ),
    cost: 'a day at most',
  },
];

/** Attacks on disputes and penalties. */
export const attacksOnDisputes: readonly AttackCase[] = [
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
    cost: 'an accomplice that the host accepts as arbitrator',
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
    group: 'Disputes and penalties',
    attack: 'a rival reports a good value with a downtime of Infinity',
    before: 'detected',
    run: (api) =>
      tried(
        () =>
          api.detectBreach(
            { guarantees: [guarantee] },
            {
              breachId: 'x',
              agentId: 'rival',
              metric: 'uptime',
              value: 1,
              downtimeMs: Number.POSITIVE_INFINITY,
            },
            start,
          ).breach.state,
      ),
    cost: 'refused: downtime is within the window',
  },
  {
    group: 'Disputes and penalties',
    attack: 'a claim whose notice clears the reader’s terminal',
    before: 'raw control characters',
    run: (api) => {
      const step = api.advanceBreach(
        breach(api),
        { ...claim, claim: '\u001b[2J\u202eno' } as typeof claim,
        start + day,
      );
      const text = step.notices.map((notice) => notice.text).join(' ');
      const isRaw = /[\p{Cc}\p{Cf}]/u.test(text);
      return { text: isRaw ? 'raw control characters' : 'plain text', succeeded: isRaw };
    },
    cost: 'notices are plain text of 1,000 bytes at most',
  },
  {
    group: 'Disputes and penalties',
    attack: 'days of recovery on the accused’s own target of .1',
    before: 'score 1.000',
    run: (api) => {
      const sla = { guarantees: [{ ...guarantee, target: 0.1, breachThreshold: 0 }] };
      const points = Array.from({ length: 60 * 24 }, (_, i) => ({
        ...{ metric: 'uptime', at: start + i * hour, value: 0.3 },
      }));
      const days = api.performanceByDay(sla, 'uptime', points, start, now, { policy: api.strictTrustPolicy });
      return recovered(api, days);
    },
    cost: 'an uptime of .85 at least',
  },
];
