import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attackedPeers, compromisedModelTable, guardSets, reachOf } from '../bench/compromised-model.ts';
import {
  type AssessmentSource,
  gateAssessment,
  gateEvidence,
  type LedgerOutcome,
  type SourcedRow,
  trustBand,
} from '../src/index.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const start = 1_000 * day;

/** A peer's rows and outcomes, and the gate over them, as a cortex uses it. */
function createPeer() {
  const outcomes: LedgerOutcome[] = [];
  const rows: SourcedRow[] = [];
  const peer = {
    now: start,
    infoScore: 10,
    alarms: [] as number[],
    violation: false,
    rows,
    work(results: string) {
      for (const sign of results) {
        peer.now += minute;
        const outcome = sign === '+' ? 'verified' : sign === '!' ? 'disputed' : 'rejected';
        outcomes.push({ correlationId: `${outcomes.length}`, outcome, createdAt: peer.now });
      }
    },
    assess(trust: number, source: AssessmentSource) {
      peer.now += minute;
      rows.push({ trust, source, createdAt: peer.now });
    },
    evidence: () =>
      gateEvidence({ outcomes, rows, alarms: peer.alarms, violation: peer.violation, now: peer.now }),
    /** One cycle a minute later, with a new message. */
    propose(proposed: number) {
      peer.now += minute;
      const { now, infoScore } = peer;
      const decision = gateAssessment({
        ...{ proposed, rows, infoScore, now },
        lastInteractionAt: now - 1,
        evidence: peer.evidence(),
      });
      if (decision.action === 'record')
        rows.push({ trust: decision.trust, createdAt: now, source: 'cortex' });
      return decision;
    },
    /** Proposes the same at every cycle of a day, and returns the trust at its end. */
    insist(proposed: number, cycles = 48) {
      let trust = rows.at(-1)?.trust ?? 0;
      for (let n = 0; n < cycles; n += 1) {
        peer.now += 29 * minute;
        trust = peer.propose(proposed).trust;
      }
      return trust;
    },
  };
  return peer;
}

describe('the band around the facts', () => {
  it('CTX-27 the center follows the outcomes: 100 good give +8, 10 failures later −3, none 0', () => {
    const peer = createPeer();
    expect(peer.evidence().center).toBe(0);
    peer.work('+'.repeat(100));
    expect(peer.evidence().center).toBe(8);
    peer.work('-'.repeat(10));
    expect(peer.evidence().center).toBe(-3);
  });

  it('CTX-27 an honest +8 peer never falls below +5 without a failure, whatever the model says', () => {
    const peer = createPeer();
    peer.work('+'.repeat(100));
    peer.assess(8, 'cortex');
    expect(peer.propose(-10)).toMatchObject({ trust: 5, guards: ['max_delta'] });
    expect(peer.insist(-10, 500)).toBe(5);
  });

  it('CTX-27 a stranger without outcomes stays between −2 and +3', () => {
    for (const [proposed, bound] of [
      [10, 3],
      [-10, -2],
    ] as const) {
      const peer = createPeer();
      expect(peer.insist(proposed, 500)).toBe(bound);
    }
  });

  it('CTX-29 a first contact stays within ±max(1, infoScore), and forty strangers with one message each stand at +1', () => {
    for (const infoScore of [0, 1, 2, 3]) {
      for (const proposed of [10, -10]) {
        const peer = createPeer();
        peer.infoScore = infoScore;
        const { trust, guards } = peer.propose(proposed);
        const bound = Math.max(1, infoScore);
        expect(Math.abs(trust)).toBeLessThanOrEqual(bound);
        if (bound < 2) expect(guards).toContain('first_contact');
      }
    }
  });

  it('CTX-27 CTX-29 moves towards the center pass cooldown, budget and repetition: ±3 a cycle', () => {
    const peer = createPeer();
    peer.work('---+');
    peer.assess(-10, 'cortex');
    peer.work('+'.repeat(40));
    const center = peer.evidence().center;
    expect(center).toBeGreaterThanOrEqual(6);
    // A minute apart, far more than +3 within the day.
    expect([10, 10, 10, 10, 10].map((trust) => peer.propose(trust).trust)).toEqual([-7, -4, -1, 2, 5]);
    expect(peer.propose(10).trust).toBe(center);
  });

  it('CTX-27 recovers from −5 to what the outcomes justify without waiting for the cooldown', () => {
    const peer = createPeer();
    peer.work('-');
    peer.work('+');
    peer.assess(-5, 'cortex');
    const { center } = peer.evidence();
    expect(center).toBeGreaterThan(-3);
    peer.propose(center);
    expect(peer.propose(center)).toMatchObject({ trust: center });
  });

  it('CTX-27 an exit scammer with a hundred good jobs falls within ten bad ones, though the model praises him', () => {
    const peer = createPeer();
    peer.work('+'.repeat(100));
    peer.assess(8, 'cortex');
    for (let n = 0; n < 10; n += 1) {
      peer.work('-');
      peer.propose(10);
    }
    expect(peer.evidence().center).toBe(-3);
    expect(peer.rows.at(-1)?.trust).toBeLessThanOrEqual(0);
    // The next jobs are his last: the verdict of a center of −3 is at most 0.
    expect(peer.insist(10, 3)).toBe(0);
  });

  it("CTX-27 an operator's assessment becomes the center, and later outcomes add the rule's difference", () => {
    const peer = createPeer();
    peer.work('+'.repeat(20));
    peer.assess(-4, 'operator');
    expect(peer.evidence()).toMatchObject({ center: -4, operatorTrust: -4 });
    expect(peer.insist(10)).toBe(-1);
    peer.work('+'.repeat(30));
    // The rule went from +7 to +8.
    expect(peer.evidence().center).toBe(-3);
    peer.assess(6, 'operator');
    expect(peer.evidence().center).toBe(6);
    peer.work('-----');
    expect(peer.evidence().center).toBeLessThan(0);
  });

  it('CTX-27 inherited values are never forced inside, and fall with later failures', () => {
    const peer = createPeer();
    peer.infoScore = 4;
    peer.assess(8, 'agent');
    expect(peer.propose(10)).toMatchObject({ action: 'record', trust: 8 });
    expect(peer.insist(10)).toBe(8);
    peer.work('-'.repeat(10));
    expect(peer.insist(10)).toBe(0);

    const low = createPeer();
    low.assess(-7, 'agent');
    expect(low.insist(-10)).toBe(-7);
    expect(low.propose(0).trust).toBe(-4);
  });

  it('CTX-27 an inherited +5 allows [+2, +8] at first', () => {
    for (const [proposed, trust] of [
      [-10, 2],
      [10, 5],
    ] as const) {
      const peer = createPeer();
      peer.assess(5, 'agent');
      expect(peer.propose(proposed).trust).toBe(trust);
    }
  });

  it('CTX-27 an alarm or a missed commitment opens the band downwards to −3, until a success answers it', () => {
    const peer = createPeer();
    peer.work('+'.repeat(40));
    peer.assess(7, 'cortex');
    peer.now += hour;
    peer.alarms.push(peer.now);
    expect(peer.insist(-10)).toBe(-3);
    peer.work('+');
    expect(peer.propose(-10).trust).toBe(0);
    expect(peer.insist(-10)).toBe(5);
  });

  it('CTX-27 a second rise above the center needs a success since the last one, a second fall a failure', () => {
    const peer = createPeer();
    peer.work('+++++');
    const { center } = peer.evidence();
    peer.assess(center, 'cortex');
    peer.now += 2 * day;
    expect(peer.propose(center + 1)).toMatchObject({ trust: center + 1, guards: [] });
    peer.now += 2 * day;
    expect(peer.propose(center + 2)).toMatchObject({ trust: center + 1, guards: ['no_new_outcome'] });
    peer.work('+');
    peer.now += 2 * day;
    expect(peer.propose(center + 2)).toMatchObject({ trust: center + 2, guards: [] });
    peer.propose(center - 1);
    expect(peer.propose(center - 2).guards).toContain('no_new_outcome');
    peer.work('-');
    expect(peer.propose(-10).trust).toBeLessThan(center - 1);
  });

  it('CTX-29 a violation overrides every limit on falls, and only the operator lifts it', () => {
    const peer = createPeer();
    peer.work('+'.repeat(100));
    peer.assess(8, 'cortex');
    peer.violation = true;
    expect(peer.propose(10)).toMatchObject({ trust: -8, guards: ['violation'] });
    expect(peer.propose(-10)).toMatchObject({ trust: -10, guards: [] });
    expect(peer.insist(10)).toBe(-10);
    peer.assess(2, 'operator');
    peer.violation = false;
    expect(peer.insist(10)).toBe(5);
  });
});

const event = fc.oneof(
  { weight: 20, arbitrary: fc.record({ propose: fc.integer({ min: -30, max: 30 }) }) },
  {
    weight: 7,
    arbitrary: fc.record({ propose: fc.constantFrom(10, -10, Number.NaN, Number.POSITIVE_INFINITY, 0.5) }),
  },
  { weight: 7, arbitrary: fc.record({ work: fc.constantFrom('+', '-', '!', '+++++', '---') }) },
  { weight: 3, arbitrary: fc.record({ wait: fc.integer({ min: 0, max: 3 * day }) }) },
  { weight: 3, arbitrary: fc.record({ info: fc.integer({ min: 0, max: 10 }) }) },
  { weight: 1, arbitrary: fc.record({ operator: fc.integer({ min: -10, max: 10 }) }) },
  { weight: 1, arbitrary: fc.record({ agent: fc.integer({ min: -10, max: 10 }) }) },
  { weight: 1, arbitrary: fc.record({ alarm: fc.constant(true) }) },
);
type Happening = Partial<Record<'propose' | 'wait' | 'info' | 'operator' | 'agent', number>> & {
  work?: string;
  alarm?: true;
};

function play(peer: ReturnType<typeof createPeer>, happening: Happening): void {
  if (happening.work !== undefined) peer.work(happening.work);
  if (happening.wait !== undefined) peer.now += happening.wait;
  if (happening.info !== undefined) peer.infoScore = happening.info;
  if (happening.operator !== undefined) peer.assess(happening.operator, 'operator');
  if (happening.agent !== undefined) peer.assess(happening.agent, 'agent');
  if (happening.alarm === true) peer.alarms.push(peer.now);
}

describe('no model output passes the guards', () => {
  it('CTX-14 CTX-27 holds every bound over arbitrary proposals, outcomes, authors and times', () => {
    fc.assert(
      fc.property(fc.array(event as fc.Arbitrary<Happening>, { maxLength: 60 }), (happenings) => {
        const peer = createPeer();
        for (const happening of happenings) {
          play(peer, happening);
          if (happening.propose === undefined) continue;
          const from = peer.rows.at(-1)?.trust ?? 0;
          const evidence = peer.evidence();
          const { center } = evidence;
          const band = trustBand(evidence, peer.infoScore);
          const { trust } = peer.propose(happening.propose);
          expect(Number.isInteger(trust)).toBe(true);
          expect(Math.abs(trust - from)).toBeLessThanOrEqual(3);
          // Inside the band, or on the way into it from outside, or kept where it was inherited.
          expect(trust).toBeLessThanOrEqual(Math.max(band.high, from));
          expect(trust).toBeGreaterThanOrEqual(Math.min(band.low, from));
          expect(trust).toBeLessThanOrEqual(Math.max(from - 3, band.keptHigh));
          expect(trust).toBeGreaterThanOrEqual(
            Math.min(from + 3, band.keptLow, Math.max(from, band.ceiling)),
          );
          if (trust > from) expect(trust).toBeLessThanOrEqual(Math.max(3, peer.infoScore, center));
          // No step away from the center against what was proposed.
          if (trust > from && trust > center)
            expect(Math.round(happening.propose)).toBeGreaterThanOrEqual(trust);
          if (trust < from && trust < center)
            expect(Math.round(happening.propose)).toBeLessThanOrEqual(trust);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('CTX-27 seven cycles without news bring a trust that the cortex wrote into the band, whatever is proposed', () => {
    const proposals = fc.array(fc.integer({ min: -10, max: 10 }), { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(
        fc.integer({ min: -10, max: 10 }),
        fc.string({ unit: fc.constantFrom('+', '-'), maxLength: 40 }),
        proposals,
        (trust, results, proposed) => {
          const peer = createPeer();
          peer.work(results);
          peer.assess(trust, 'cortex');
          for (const each of proposed) peer.propose(each);
          const { center } = peer.evidence();
          expect(Math.abs((peer.rows.at(-1)?.trust ?? 0) - center)).toBeLessThanOrEqual(3);
        },
      ),
    );
  });

  it('CTX-29 keeps trust at −8 or below after a violation, over arbitrary proposals', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('+', '-'), maxLength: 40 }),
        fc.array(fc.integer({ min: -10, max: 10 }), { minLength: 1, maxLength: 30 }),
        (results, proposed) => {
          const peer = createPeer();
          peer.work(results);
          peer.violation = true;
          let before = 10;
          for (const each of proposed) {
            const { trust } = peer.propose(each);
            expect(trust).toBeLessThanOrEqual(Math.min(-8, before));
            before = trust;
          }
        },
      ),
    );
  });
});

describe('the table of what a manipulated model reaches', () => {
  it('CTX-27 bounds a stranger to [−1, +1], a known peer to [−2, +3], an honest +8 peer to +5 and above', () => {
    const reached = attackedPeers.map((peer) => [
      reachOf(peer, 'all', 10, 60).trust,
      reachOf(peer, 'all', -10, 60).trust,
    ]);
    expect(reached).toEqual([
      [1, -1],
      [3, -2],
      [10, 5],
    ]);
  });

  it('CTX-27 has a line for each set of guards', () => {
    expect(compromisedModelTable(2).split('\n')).toHaveLength(guardSets.length + 2);
  });
});
