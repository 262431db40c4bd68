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

/** Attacks on agreements: their terms, measurements, disputes and penalties. */
export const attacksOnAgreements: readonly AttackCase[] = [
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
];
