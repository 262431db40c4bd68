import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AppliedPenalty,
  advanceBreach,
  applyPenalties,
  type Breach,
  type BreachEvent,
  type BreachState,
  breachTransitions,
  checkForceMajeure,
  classifyTier,
  createSlaStatusHandler,
  detectBreach,
  evaluateSla,
  parseBreach,
  parseSla,
  performanceByDay,
  renderSlaStatus,
  type SlaMeasurement,
  slaPromises,
  slaStatusDocument,
} from '../src/index.ts';

const day = 86_400_000;
const start = Date.UTC(2025, 10, 21);

/** The agreement of the source, word for word. */
const published = {
  sla: {
    version: '1.0.0',
    effective_date: '2025-11-21',
    guarantees: [
      {
        metric: 'uptime',
        target: 0.99,
        measurement_window: '30 days',
        breach_threshold: 0.95,
        penalty: { type: 'trust_score_reduction', amount: 0.1 },
      },
      {
        metric: 'latency_p99',
        target: 5000,
        unit: 'milliseconds',
        measurement_window: '7 days',
        breach_threshold: 7500,
        penalty: { type: 'trust_score_reduction', amount: 0.05 },
      },
      {
        metric: 'success_rate',
        target: 0.98,
        measurement_window: '30 days',
        breach_threshold: 0.9,
        penalty: { type: 'temporary_suspension', duration: '7 days' },
      },
    ],
    breach_notification: { notify_delegators: true, notify_registry: true, publish_breach_report: true },
    dispute_resolution: { allowed: true, review_period_days: 7, arbitrator: 'steward_protocol_committee' },
  },
};

/** One measurement a day, ending at `start`. */
const daily = (metric: string, values: readonly number[]): readonly SlaMeasurement[] =>
  values.map((value, i) => ({ metric, value, at: start - (values.length - 1 - i) * day }));
const flat = (metric: string, value: number, days = 30) =>
  daily(
    metric,
    Array.from({ length: days }, () => value),
  );

/** The measurements of the source's example: success falls so that it reaches .90 in three days. */
const example = [
  ...flat('uptime', 0.992),
  ...flat('latency_p99', 4823),
  // Mean .97, falling by .0233 a day.
  ...daily('success_rate', [0.97 + 0.07 / 3, 0.97, 0.97 - 0.07 / 3]),
];

describe('agreements', () => {
  it("TRU-15 reads the source's document, fills in defaults, and says what is wrong with another", () => {
    const sla = parseSla(published);
    expect(sla.guarantees[1]).toMatchObject({
      metric: 'latency_p99',
      measurementWindow: 7 * day,
      breachThreshold: 7500,
      aggregate: 'mean',
      penalty: { amount: 0.05, recovery: { recoveryPeriodDays: 30 } },
    });
    expect(sla.guarantees[2]?.penalty).toMatchObject({
      duration: 7 * day,
      notice: day,
      scope: 'new_delegations_only',
    });
    expect(sla.disputeResolution).toMatchObject({ allowed: true, filingPeriodDays: 7, reviewPeriodDays: 7 });
    expect(sla.refreshIntervalSeconds).toBe(300);
    expect(parseSla(sla)).toEqual(sla);
    const wrong = (change: object) => () =>
      parseSla({ guarantees: [{ ...published.sla.guarantees[0], ...change }] });
    expect(wrong({ measurement_window: 'a month' })).toThrow(/30 days/);
    expect(wrong({ breach_threshold: 0.99 })).toThrow(/target/);
    expect(wrong({ penalty: { type: 'flogging' } })).toThrow(/penalty/);
    expect(wrong({ penalty: { type: 'trust_score_reduction', amount: 2 } })).toThrow(/amount/);
    expect(() => parseSla({ guarantees: [] })).toThrow(/guarantees/);
    expect(() => parseSla(null)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    const rest = { type: 'financial', amount: 100, currency: 'USD', distributed_to: 'affected_delegators' };
    expect(wrong({ penalty: rest })().guarantees[0]?.penalty).toMatchObject({ amount: 100 });
  });

  it("TRU-16 judges the source's example: compliant, compliant, at risk with three days left", () => {
    const status = evaluateSla(published, example, start);
    expect(status.overall).toBe('at_risk');
    const [uptime, latency, success] = status.guarantees;
    expect(uptime).toMatchObject({ status: 'compliant', daysUntilBreach: null, lastBreachAt: null });
    expect(uptime?.buffer).toBeCloseTo(0.002, 12);
    expect(latency).toMatchObject({ status: 'compliant', current: 4823, buffer: 177 });
    expect(success?.status).toBe('at_risk');
    expect(success?.current).toBeCloseTo(0.97, 12);
    expect(success?.buffer).toBeCloseTo(-0.01, 12);
    expect(success?.daysUntilBreach).toBeCloseTo(3, 6);
    expect(status).toMatchObject({ recentBreaches: [], penaltiesApplied: [], trustScoreImpact: 0 });
    expect(status.recommendation).toContain('success_rate gets worse and will be in breach in 3.0 days');
    expect(status.refreshAt - status.evaluatedAt).toBe(300_000);
  });

  it("TRU-16 judges the source's broken promise: uptime 85 %, latency 12 s", () => {
    const broken = [...flat('uptime', 0.85), ...flat('latency_p99', 12_000), ...flat('success_rate', 0.99)];
    const status = evaluateSla(published, broken, start);
    expect(status.overall).toBe('breached');
    expect(status.guarantees[0]).toMatchObject({
      status: 'breached',
      daysUntilBreach: 0,
      lastBreachAt: start,
    });
    expect(status.guarantees[1]).toMatchObject({ status: 'breached', buffer: -7000 });
    expect(status.recentBreaches.map(({ metric, endedAt }) => [metric, endedAt])).toEqual([
      ['uptime', null],
      ['latency_p99', null],
    ]);
  });

  it('TRU-16 walks day by day from compliant into breach and out of it again', () => {
    const values = [
      ...Array.from({ length: 5 }, () => 0.995),
      0.7,
      0.7,
      0.7,
      ...Array.from({ length: 12 }, () => 1),
    ];
    const short = { guarantees: [{ ...published.sla.guarantees[0], measurement_window: '5 days' }] };
    const all = daily('uptime', values);
    const walked = all.map(({ at }) => evaluateSla(short, all, at));
    expect(walked.map(({ overall }) => overall)).toEqual([
      ...Array.from({ length: 5 }, () => 'compliant'),
      ...Array.from({ length: 7 }, () => 'breached'),
      ...Array.from({ length: 8 }, () => 'compliant'),
    ]);
    const last = walked.at(-1);
    expect(last?.recentBreaches).toEqual([
      { metric: 'uptime', startedAt: all[5]?.at, endedAt: all[12]?.at, worst: expect.closeTo(0.818, 9) },
    ]);
    expect(last?.guarantees[0]?.lastBreachAt).toBe(all[12]?.at);
    // What is not known yet does not count.
    expect(walked[4]?.guarantees[0]?.measurements).toBe(5);
  });

  it('TRU-16 without measurements a promise is at risk, and lower is better only with a threshold above', () => {
    const status = evaluateSla(published, [], start);
    expect(status.overall).toBe('at_risk');
    expect(status.guarantees[0]).toMatchObject({ current: null, buffer: null, measurements: 0 });
    expect(status.recommendation).toContain('uptime is not measured');
    const ratio = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(ratio, ratio, ratio, (value, target, breach_threshold) => {
        fc.pre(target !== breach_threshold);
        const sla = { guarantees: [{ ...published.sla.guarantees[0], target, breach_threshold }] };
        const found = evaluateSla(sla, [{ metric: 'uptime', at: start, value }], start).guarantees[0];
        const better = breach_threshold > target ? value <= target : value >= target;
        const beyond = breach_threshold > target ? value > breach_threshold : value < breach_threshold;
        expect(found?.status).toBe(beyond ? 'breached' : better ? 'compliant' : 'at_risk');
        expect((found?.buffer ?? 0) >= 0).toBe(better);
      }),
    );
    expect(() =>
      evaluateSla(published, [{ metric: 'uptime', at: start, value: Number.NaN }], start),
    ).toThrow();
  });

  it('TRU-16 sums up a window by mean, last, max or p99', () => {
    const values = Array.from({ length: 200 }, (_, i) => ({
      metric: 'latency_p99',
      at: start - i,
      value: i + 1,
    }));
    const current = (aggregate: string) =>
      evaluateSla({ guarantees: [{ ...published.sla.guarantees[1], aggregate }] }, values, start)
        .guarantees[0]?.current;
    expect([current('mean'), current('last'), current('max'), current('p99')]).toEqual([100.5, 1, 200, 198]);
  });

  it('TRU-16 reads like a statement', () => {
    expect(
      renderSlaStatus(evaluateSla(published, example, start), { name: 'vibe-agency-orchestrator' }),
    ).toBe(
      `SLA status: vibe-agency-orchestrator, 2025-11-21 00:00Z
Overall: ⚠️  AT RISK

Guarantees:
  ✅ uptime: 99.2 % (target 99 %, buffer +0.2 %)
  ✅ latency_p99: 4823 ms (target 5000 ms, buffer +177 ms)
  ⚠️  success_rate: 97 % (target 98 %, buffer -1 %)
     - Status: AT RISK
     - Breach threshold: 90 %
     - Days until breach, if the trend continues: 3.0

Last 30 days:
  - No breaches
  - 0 penalties applied
  - Trust score impact: 0 %

Recommendation:
  success_rate gets worse and will be in breach in 3.0 days. Review recent failures.
`,
    );
    const broken = evaluateSla(published, flat('uptime', 0.85), start, {
      penalties: [applied(reductionOf(0.1))],
    });
    const text = renderSlaStatus(broken);
    expect(text).toContain('Overall: ❌ BREACHED');
    expect(text).toContain('latency_p99: not measured (target 5000 ms)');
    expect(text).toContain('  - uptime from 2025-10-23 00:00Z, going on');
    expect(text).toContain('1 penalty applied\n  - Trust score impact: -10 %');
  });

  it('TRU-16 serves the status as JSON, and asks anew after 300 seconds', async () => {
    let now = start;
    let asked = 0;
    const handler = createSlaStatusHandler({
      clock: () => now,
      status: () => {
        asked += 1;
        return evaluateSla(published, example, now);
      },
    });
    const get = async () => handler(new Request('http://agent.example/sla'));
    const response = await get();
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toBe('max-age=300');
    expect(await response.json()).toMatchObject({
      sla_status: {
        overall_status: 'at_risk',
        guarantees: [
          { metric: 'uptime', last_breach: null },
          {},
          { status: 'at_risk', breach_threshold: 0.9 },
        ],
        recent_breaches: [],
        trust_score_impact: 0,
      },
    });
    now += 299_000;
    await get();
    expect(asked).toBe(1);
    now += 1_000;
    await get();
    expect(asked).toBe(2);
    const post = await handler(new Request('http://agent.example/sla', { method: 'POST' }));
    expect(post.status).toBe(405);
    expect(slaStatusDocument(evaluateSla(published, [], start))).toHaveProperty('sla_status.overall_status');
  });
});

const reductionOf = (amount: number) => ({ type: 'trust_score_reduction', amount });
const applied = (penalty: object, more: Partial<AppliedPenalty> = {}): AppliedPenalty => {
  const [guarantee] = parseSla({ guarantees: [{ ...published.sla.guarantees[0], penalty }] }).guarantees;
  if (guarantee === undefined) throw new Error('no guarantee');
  return { breachId: 'b1', metric: 'uptime', penalty: guarantee.penalty, appliedAt: start, ...more };
};
const days = (pattern: readonly boolean[]) =>
  pattern.map((aboveTarget, i) => ({ at: start + (i + 1) * day, aboveTarget }));
const good = (count: number) => days(Array.from({ length: count }, () => true));

describe('penalties', () => {
  it("TRU-17 the source's example day by day: .94 → .846, .893 on day 15, .94 on day 30", () => {
    const scoreOn = (n: number) =>
      applyPenalties(0.94, [applied(reductionOf(0.1), { days: good(n) })], start + n * day).score;
    expect(scoreOn(0)).toBeCloseTo(0.846, 12);
    expect(scoreOn(1) - scoreOn(0)).toBeCloseTo(0.003133, 6);
    expect(scoreOn(15)).toBeCloseTo(0.893, 12);
    expect(scoreOn(29)).toBeLessThan(0.94);
    expect(scoreOn(30)).toBeCloseTo(0.94, 12);
    expect(scoreOn(45)).toBeCloseTo(0.94, 12);
    for (let n = 1; n <= 30; n += 1) expect(scoreOn(n) - scoreOn(n - 1)).toBeCloseTo(0.094 / 30, 12);
  });

  it('TRU-17 two breaches multiply to .8037, recovery waits on bad days, and nothing comes back without evidence', () => {
    const both = [applied(reductionOf(0.1)), applied(reductionOf(0.05), { breachId: 'b2' })];
    expect(applyPenalties(0.94, both, start).score).toBeCloseTo(0.8037, 12);
    expect(applyPenalties(0.94, both, start + 100 * day).score).toBeCloseTo(0.8037, 12);
    const paused = applied(reductionOf(0.1), { days: days([true, true, false, false, true, false]) });
    const effect = applyPenalties(0.94, [paused], start + 6 * day);
    expect(effect.reductions[0]).toMatchObject({ daysRecovered: 3, daysNeeded: 30, paused: true });
    expect(effect.score).toBeCloseTo(0.846 + (3 * 0.094) / 30, 12);
    // What is applied later is not in force yet.
    expect(applyPenalties(0.94, [paused], start - 1).score).toBe(0.94);
  });

  it('TRU-17 a suspension is announced a day ahead and stops new delegations only', () => {
    const one = applied({ type: 'temporary_suspension', duration: '7 days' });
    const accepts = (at: number) => applyPenalties(0.94, [one], at).acceptsNewDelegations;
    expect([
      accepts(start),
      accepts(start + day - 1),
      accepts(start + day),
      accepts(start + 8 * day - 1),
    ]).toEqual([true, true, false, false]);
    expect(accepts(start + 8 * day)).toBe(true);
    const effect = applyPenalties(0.94, [one], start);
    expect(effect).toMatchObject({
      score: 0.94,
      suspensions: [{ from: start + day, until: start + 8 * day }],
    });
  });

  it('TRU-17 a financial penalty goes to the affected in equal parts', () => {
    const fine = { type: 'financial', amount: 100, currency: 'USD' };
    const one = applied(fine, { affectedDelegators: ['x', 'y', 'z', 'w'] });
    expect(applyPenalties(1, [one], start).refunds).toEqual(
      ['x', 'y', 'z', 'w'].map((delegator) => ({ breachId: 'b1', delegator, amount: 25, currency: 'USD' })),
    );
    expect(applyPenalties(1, [applied(fine)], start).refunds).toEqual([]);
  });

  it('TRU-17 a badge comes back after 30 good days in a row and a look by a person', () => {
    const badge = {
      type: 'badge_revocation',
      revoke: ['verified_badge', 'sla_compliant_badge'],
      reinstatement: { requires: '30_days_compliance', manual_review: true },
    };
    const revoked = (more: Partial<AppliedPenalty>, at: number) =>
      applyPenalties(1, [applied(badge, more)], at).revokedBadges;
    const now = start + 31 * day;
    expect(revoked({}, start)).toEqual(['verified_badge', 'sla_compliant_badge']);
    expect(revoked({ days: good(30) }, now)).toHaveLength(2);
    expect(revoked({ days: good(30), reviewedAt: now }, now)).toEqual([]);
    expect(revoked({ days: good(29), reviewedAt: now }, now)).toHaveLength(2);
    const broken = days([
      ...Array.from({ length: 20 }, () => true),
      false,
      ...Array.from({ length: 10 }, () => true),
    ]);
    expect(revoked({ days: broken, reviewedAt: now }, now)).toHaveLength(2);
  });

  it('TRU-17 never raises a score above what it was, and never below 0', () => {
    const amount = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(amount, fc.array(fc.tuple(amount, fc.integer({ min: 0, max: 60 }))), (score, all) => {
        const penalties = all.map(([one, n]) => applied(reductionOf(one), { days: good(n) }));
        const after = applyPenalties(score, penalties, start + 100 * day).score;
        expect(after).toBeGreaterThanOrEqual(0);
        expect(after).toBeLessThanOrEqual(score + 1e-12);
      }),
    );
  });

  it('TRU-16 TRU-17 says which days were above target, and what penalties take from a score', () => {
    const measured = [
      { metric: 'uptime', at: start + 0.5 * day, value: 0.995 },
      { metric: 'uptime', at: start + 1.5 * day, value: 0.98 },
    ];
    expect(performanceByDay(published, 'uptime', measured, start, start + 3.5 * day)).toEqual(
      days([true, false, false]),
    );
    const penalties = [applied(reductionOf(0.1))];
    const status = evaluateSla(published, [], start, { penalties });
    expect(status.trustScoreImpact).toBeCloseTo(-0.1, 12);
    expect(status.penaltiesApplied).toEqual(penalties);
  });
});

const found = {
  breachId: 'breach-xyz789',
  agentId: 'vibe-agency-orchestrator',
  metric: 'uptime',
  value: 0.85,
};
const detected = detectBreach(published, found, start).breach;
const claim = {
  type: 'dispute',
  disputeId: 'dispute-abc123',
  claim: 'Downtime caused by registry provider outage (force majeure)',
  evidence: ['https://status.registry.org/incident/2025-11-21'],
  requestedRemedy: 'remove_penalty',
  forceMajeure: { ground: 'registry_outage', shareDown: 0.8 },
} as const satisfies BreachEvent;
const arbitrator = 'steward_protocol_committee';

/** Goes through steps, each some days after detection. */
const walk = (steps: readonly (readonly [number, BreachEvent])[], from: Breach = detected) =>
  steps.reduce((breach, [after, event]) => advanceBreach(breach, event, start + after * day).breach, from);

const confirmed = walk([[7, { type: 'confirm' }]]);
const penalised = walk([[8, { type: 'penalise' }]], confirmed);
const recovering = walk([[9, { type: 'day', aboveTarget: true }]], penalised);
const disputed = walk([[1, claim]]);
const decision = { type: 'decide', outcome: 'upheld', reason: 'No outage was seen.', arbitrator } as const;
const upheld = walk([[3, decision]], disputed);
const excused = walk([[3, { ...decision, outcome: 'excused', reason: 'It was.' }]], disputed);
const recovered = Array.from({ length: 29 }, (_, i) => i).reduce(
  (breach, i) => walk([[10 + i, { type: 'day', aboveTarget: true }]], breach),
  recovering,
);

/** A breach in every state. */
const inState: Readonly<Record<BreachState, Breach>> = {
  ...{ detected, disputed, upheld, excused, confirmed, penalised, recovering, recovered },
};
/** One event of every type that is legal somewhere, at a time when it would be. */
const events: Readonly<Record<BreachEvent['type'], readonly [number, BreachEvent]>> = {
  dispute: [1, claim],
  confirm: [7, { type: 'confirm' }],
  decide: [3, decision],
  lapse: [9, { type: 'lapse' }],
  penalise: [12, { type: 'penalise' }],
  day: [60, { type: 'day', aboveTarget: true }],
  review: [60, { type: 'review' }],
};
const states = Object.keys(inState) as BreachState[];
const types = Object.keys(events) as BreachEvent['type'][];
const pairs = states.flatMap((state) => types.map((type) => [state, type] as const));

describe('the life of a breach', () => {
  it.each(states)('TRU-18 reaches %s, which can be stored as JSON', (state) => {
    expect(inState[state].state).toBe(state);
    const stored = parseBreach(JSON.parse(JSON.stringify(inState[state])));
    expect(stored).toMatchObject(inState[state]);
    expect(Object.keys(stored).toSorted()).toEqual(Object.keys(inState[state]).toSorted());
  });

  it('TRU-18 TRU-35 refuses a stored breach that is none', () => {
    const wrong: readonly object[] = [
      { ...detected, state: 'forgiven' },
      { ...detected, detectedAt: 1e20 },
      { ...detected, penalty: { type: 'trust_score_reduction', amount: 7 } },
      { ...disputed, dispute: { ...disputed.dispute, evidence: [] } },
    ];
    for (const one of wrong)
      expect(() => parseBreach(one)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    const never = applied(reductionOf(0.1), { appliedAt: -1e20 });
    expect(() => applyPenalties(1, [never], start)).toThrow(
      expect.objectContaining({ code: 'OUT_OF_RANGE' }),
    );
  });

  it.each(pairs.filter(([state, type]) => breachTransitions[state][type] !== undefined))(
    'TRU-18 takes a breach that is %s through %s',
    (state, type) => {
      const [after, event] = events[type];
      const before = structuredClone(inState[state]);
      const next = advanceBreach(inState[state], event, start + after * day).breach;
      expect(breachTransitions[state][type]).toContain(next.state);
      expect(next.history.at(-1)).toEqual({ at: start + after * day, event: type, to: next.state });
      expect(inState[state]).toEqual(before);
    },
  );

  it.each(pairs.filter(([state, type]) => breachTransitions[state][type] === undefined))(
    'TRU-18 refuses a breach that is %s the event %s',
    (state, type) => {
      const [, event] = events[type];
      expect(() => advanceBreach(inState[state], event, start + 90 * day)).toThrow(
        expect.objectContaining({ code: 'ILLEGAL_TRANSITION' }),
      );
    },
  );

  it('TRU-18 is exactly: detected → confirmed | disputed → upheld | excused; then penalised → recovering → recovered', () => {
    const legal = pairs.filter(([state, type]) => breachTransitions[state][type] !== undefined);
    expect(legal.map((pair) => pair.join(' '))).toEqual([
      'detected dispute',
      'detected confirm',
      'disputed decide',
      'disputed lapse',
      'upheld penalise',
      'confirmed penalise',
      'penalised day',
      'penalised review',
      'recovering day',
      'recovering review',
    ]);
  });

  it('TRU-18 walks the source through: breach, penalty, thirty good days, and back to .94', () => {
    const score = (breach: Breach, after: number) =>
      applyPenalties(0.94, breach.applied === null ? [] : [breach.applied], start + after * day).score;
    expect(score(confirmed, 7)).toBe(0.94);
    expect(score(penalised, 8)).toBeCloseTo(0.846, 12);
    expect(score(recovering, 9)).toBeCloseTo(0.846 + 0.094 / 30, 12);
    expect(score(recovered, 38)).toBeCloseTo(0.94, 12);
    // A bad day stops it, the next good one goes on.
    const bad = walk([[10, { type: 'day', aboveTarget: false }]], recovering);
    expect(bad.state).toBe('penalised');
    const again = walk([[11, { type: 'day', aboveTarget: true }]], bad);
    expect(again.state).toBe('recovering');
    expect(score(again, 11)).toBeCloseTo(0.846 + (2 * 0.094) / 30, 12);
  });

  it('TRU-18 keeps the periods: 7 days to file, 7 to decide, no step before the one before', () => {
    const at = (after: number, event: BreachEvent, breach: Breach) => () =>
      advanceBreach(breach, event, start + after * day);
    expect(at(7, claim, detected)).not.toThrow();
    expect(at(7.01, claim, detected)).toThrow(expect.objectContaining({ code: 'TOO_LATE' }));
    expect(at(6.99, { type: 'confirm' }, detected)).toThrow(expect.objectContaining({ code: 'TOO_EARLY' }));
    expect(at(8, decision, disputed)).not.toThrow();
    expect(at(8.01, decision, disputed)).toThrow(expect.objectContaining({ code: 'TOO_LATE' }));
    expect(at(8, { type: 'lapse' }, disputed)).toThrow(expect.objectContaining({ code: 'TOO_EARLY' }));
    expect(at(0, decision, disputed)).toThrow(expect.objectContaining({ code: 'TOO_EARLY' }));
    expect(at(9.5, { type: 'day', aboveTarget: true }, recovering)).toThrow(
      expect.objectContaining({ code: 'TOO_EARLY' }),
    );
    const without = { ...published.sla, dispute_resolution: { allowed: false } };
    const closed = detectBreach(without, found, start).breach;
    expect(() => advanceBreach(closed, claim, start)).toThrow(expect.objectContaining({ code: 'TOO_LATE' }));
    expect(advanceBreach(closed, { type: 'confirm' }, start).breach.state).toBe('confirmed');
  });

  it('TRU-18 a dispute needs evidence, and the named arbitrator alone decides, within the grounds', () => {
    const invalid = expect.objectContaining({ code: 'INVALID_INPUT' });
    expect(() => advanceBreach(detected, { ...claim, evidence: [] }, start)).toThrow(invalid);
    expect(() => advanceBreach(disputed, { ...decision, arbitrator: 'me' }, start + 2 * day)).toThrow(
      invalid,
    );
    const weak = walk([[1, { ...claim, forceMajeure: { ground: 'registry_outage', shareDown: 0.5 } }]]);
    const excuse = { ...decision, outcome: 'excused' } as const;
    expect(() => advanceBreach(weak, excuse, start + 2 * day)).toThrow(/more than half/);
    expect(excused.dispute?.decision).toMatchObject({ outcome: 'excused', reason: 'It was.' });
    expect(() => detectBreach(published, { ...found, metric: 'beauty' }, start)).toThrow(/beauty/);
  });

  it.each([
    [{ ground: 'registry_outage', shareDown: 0.51 }, true],
    [{ ground: 'registry_outage', shareDown: 0.5 }, false],
    [{ ground: 'natural_disaster', affectsInfrastructure: true }, true],
    [{ ground: 'natural_disaster', affectsInfrastructure: false }, false],
    [{ ground: 'ddos_attack', mitigated: true }, true],
    [{ ground: 'ddos_attack', mitigated: false }, false],
    [{ ground: 'government_shutdown', mandated: true }, true],
    [{ ground: 'government_shutdown', mandated: false }, false],
  ] as const)('TRU-18 force majeure %j excuses: %s', (ground, excuses) => {
    expect(checkForceMajeure(ground)).toMatchObject({ excuses });
  });

  it('TRU-18 tells whom the agreement names, and nobody else', () => {
    expect(detectBreach(published, found, start).notices.map(({ kind, to }) => [kind, to])).toEqual([
      ['breach_detected', 'delegators'],
      ['breach_detected', 'registry'],
    ]);
    const step = advanceBreach(confirmed, { type: 'penalise' }, start + 8 * day);
    expect(step.notices.map(({ kind, to }) => [kind, to])).toEqual([
      ['penalty_applied', 'delegators'],
      ['penalty_applied', 'registry'],
      ['breach_report', 'public'],
    ]);
    const quiet = { notify_delegators: false, notify_registry: false, publish_breach_report: false };
    const silent = detectBreach({ ...published.sla, breach_notification: quiet }, found, start);
    expect(silent.notices).toEqual([]);
    const suspension = detectBreach(
      published,
      { ...found, metric: 'success_rate', value: 0.8 },
      start,
    ).breach;
    const announced = advanceBreach(
      walk([[7, { type: 'confirm' }]], suspension),
      { type: 'penalise' },
      start + 8 * day,
    );
    expect(announced.notices.map(({ kind }) => kind)).toContain('suspension_announced');
  });
});

describe('what tiers ask of an agreement', () => {
  const evidence = {
    uptime7d: 1,
    uptime30d: 1,
    uptime90d: 1,
    testCoverage: 1,
    endorsements: 100,
    successfulDelegations: 5_000,
  };
  const tierWith = (sla: Parameters<typeof classifyTier>[1]['sla'], score = 0.97) =>
    classifyTier(score, { ...evidence, sla: sla ?? null }).tier;
  const promise = (uptime: number, successRate: number, latencyP99Ms: number | null = null) => ({
    uptime,
    successRate,
    latencyP99Ms,
  });

  it('TRU-19 unverified needs none, the others .90/.80, .95/.90, and .99/.95 with a p99 below 5 s', () => {
    expect(tierWith(null)).toBe('unverified');
    expect(tierWith(promise(0.9, 0.8))).toBe('verified');
    expect(tierWith(promise(0.8999, 0.8))).toBe('unverified');
    expect(tierWith(promise(0.9, 0.7999))).toBe('unverified');
    expect(tierWith(promise(0.95, 0.9))).toBe('trusted');
    expect(tierWith(promise(0.99, 0.95, 4_999))).toBe('highly_trusted');
    expect(tierWith(promise(0.99, 0.95, 5_000))).toBe('trusted');
    expect(tierWith(promise(0.99, 0.95))).toBe('trusted');
    expect(tierWith(promise(0.99, 0.95, 100), 0.6)).toBe('verified');
  });

  it('TRU-19 reads the promises of an agreement, says which one is short, and can be told not to ask', () => {
    expect(slaPromises(published)).toEqual({ uptime: 0.99, successRate: 0.98, latencyP99Ms: 5_000 });
    const result = classifyTier(0.97, { ...evidence, sla: published });
    expect(result).toMatchObject({
      tier: 'trusted',
      failedRequirements: [
        { tier: 'highly_trusted', metric: 'sla.latencyP99Ms', above: 5_000, actual: 5_000 },
      ],
    });
    expect(classifyTier(0.97, { ...evidence, sla: null }, { requireSla: false }).tier).toBe('highly_trusted');
    expect(classifyTier(0.97, evidence, { requireSla: true }).failedRequirements[0]).toMatchObject({
      metric: 'sla',
    });
    expect(classifyTier(0.97, evidence).tier).toBe('highly_trusted');
  });
});
