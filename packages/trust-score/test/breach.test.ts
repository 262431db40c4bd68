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
  detectBreach,
  evaluateSla,
  parseBreach,
  performanceByDay,
} from '../src/index.ts';
import { applied, day, published, reductionOf, start } from './published-agreement.ts';

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
