import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AttackedPeer, attackedPeers, reachOf } from '../bench/compromised-model.ts';
import { defaultGateConfig, type GateConfig, type GateRow, gateAssessment } from '../src/index.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = 1_000 * day;

/** The guards on opinion without the band around the facts. */
const opinionGuards: GateConfig = {
  ...defaultGateConfig,
  guards: ['ceiling', 'cooldown', 'daily_budget', 'no_new_interactions'],
};

/** A gate with everything in order for a rise: facts are new, much is known, the last change is long ago. */
function gate(
  proposed: number,
  rows: readonly GateRow[],
  more: Partial<Parameters<typeof gateAssessment>[0]> = {},
) {
  return gateAssessment(
    { proposed, rows, infoScore: 10, lastInteractionAt: now - 1, now, ...more },
    opinionGuards,
  );
}
const row = (trust: number, agoMs: number): GateRow => ({ trust, createdAt: now - agoMs });

describe('gateAssessment', () => {
  it('CTX-14 bounds a first assessment to ±3 and says which guard acted', () => {
    expect(gate(8, [])).toEqual({
      action: 'record',
      trust: 3,
      proposed: 8,
      base: null,
      guards: ['max_delta'],
    });
    expect(gate(-9, []).trust).toBe(-3);
    expect(gate(2, [])).toMatchObject({ trust: 2, guards: [] });
  });

  it('CTX-14 takes the newest row as base, whoever wrote it', () => {
    expect(gate(-10, [row(1, 9 * day), row(5, 5 * day)])).toMatchObject({ base: 5, trust: 2 });
  });

  it('CTX-14 ceiling: positive trust stays at max(3, infoScore), and a rise is cut to it', () => {
    expect(gate(6, [row(3, 5 * day)], { infoScore: 4 })).toMatchObject({ trust: 4, guards: ['ceiling'] });
    expect(gate(6, [row(3, 5 * day)], { infoScore: 1 })).toMatchObject({ trust: 3, guards: ['ceiling'] });
  });

  it('CTX-14 no guard forces a fall: trust above the ceiling stays when a rise is proposed', () => {
    expect(gate(9, [row(8, 5 * day)], { infoScore: 2 })).toMatchObject({ trust: 8, guards: ['ceiling'] });
  });

  it('CTX-14 cooldown: no rise within 15 minutes of a change, a fall at any time', () => {
    expect(gate(5, [row(2, 14 * minute)])).toMatchObject({
      action: 'record',
      trust: 2,
      guards: ['cooldown'],
    });
    expect(gate(0, [row(2, 14 * minute)])).toMatchObject({ action: 'record', trust: 0, guards: [] });
    expect(gate(3, [row(2, 15 * minute)])).toMatchObject({ trust: 3, guards: [] });
  });

  it('CTX-14 cooldown runs from the last change, so that rows which say the same do not renew it for ever', () => {
    const rows = [row(1, 2 * day), row(1, 10 * minute), row(1, 5 * minute)];
    expect(gate(2, rows)).toMatchObject({ trust: 2, guards: [] });
  });

  it('CTX-14 daily budget: +3 within any 24 hours, +2 from +4, +1 from +7', () => {
    expect(gate(3, [row(0, 20 * day), row(2, 23 * hour)])).toMatchObject({ trust: 3 });
    expect(gate(5, [row(0, 20 * day), row(2, 23 * hour)])).toMatchObject({
      trust: 3,
      guards: ['daily_budget'],
    });
    expect(gate(5, [row(0, 20 * day), row(2, 24 * hour)])).toMatchObject({ trust: 5, guards: [] });
    expect(gate(7, [row(4, 5 * day)])).toMatchObject({ trust: 6, guards: ['daily_budget'] });
    expect(gate(10, [row(7, 5 * day)])).toMatchObject({ trust: 8, guards: ['daily_budget'] });
  });

  it('CTX-14 daily budget counts a rise that was lost again', () => {
    const rows = [row(0, 9 * day), row(3, 5 * hour), row(0, 2 * hour)];
    expect(gate(3, rows)).toMatchObject({ trust: 0, guards: ['daily_budget'] });
  });

  it('CTX-14 a rise that is held back entirely is recorded with unchanged trust', () => {
    expect(gate(3, [row(0, 9 * day), row(2, minute)])).toMatchObject({ action: 'record', trust: 2, base: 2 });
  });

  it('CTX-14 AGT-4 writes nothing when nothing is new: neither the same again nor further the same way', () => {
    const rows = [row(0, 9 * day), row(2, 2 * hour)];
    const before = { lastInteractionAt: now - 3 * hour };
    for (const proposed of [2, 3, 10]) {
      expect(gate(proposed, rows, before)).toMatchObject({ action: 'skip', trust: 2 });
      expect(gate(proposed, rows, before).guards).toContain('no_new_interactions');
    }
    expect(gate(2, rows, { lastInteractionAt: null })).toMatchObject({ action: 'skip' });
  });

  it('CTX-14 the other way is open once without new interactions: a judgment can be taken back', () => {
    const before = { lastInteractionAt: now - 3 * hour };
    expect(gate(-1, [row(0, 9 * day), row(2, 2 * hour)], before)).toMatchObject({
      action: 'record',
      trust: -1,
    });
    const takenBack = [row(0, 9 * day), row(2, 2 * hour), row(-1, hour)];
    expect(gate(2, takenBack, before)).toMatchObject({ action: 'skip' });
    expect(gate(-3, takenBack, before)).toMatchObject({ action: 'skip' });
  });

  it('CTX-12 facts that came in while the last cycle was thinking are still new', () => {
    const rows = [row(1, hour)];
    const facts = { lastInteractionAt: now - hour - minute };
    expect(gate(2, rows, facts)).toMatchObject({ action: 'skip' });
    expect(gate(2, rows, { ...facts, seenThroughAt: now - hour - 2 * minute })).toMatchObject({
      action: 'record',
    });
  });

  it("CTX-14 guards 'clamp' leaves the clamp alone: +7 from 0 is +3, then +6", () => {
    const config: GateConfig = { ...defaultGateConfig, guards: 'clamp' };
    const input = { infoScore: 0, lastInteractionAt: null, now };
    const first = gateAssessment({ ...input, proposed: 7, rows: [row(0, 0)] }, config);
    expect(first).toMatchObject({ action: 'record', trust: 3, guards: ['max_delta'] });
    const second = gateAssessment({ ...input, proposed: 7, rows: [row(0, 0), row(first.trust, 0)] }, config);
    expect(second).toMatchObject({ action: 'record', trust: 6, guards: ['max_delta'] });
  });
});

/** What a model proposes, what its peer does, and how time goes on: anything. */
const step = fc.record({
  proposed: fc.oneof(fc.integer({ min: -10, max: 10 }), fc.constant(10)),
  waitMs: fc.oneof(fc.integer({ min: 0, max: hour }), fc.integer({ min: 0, max: 3 * day })),
  talks: fc.boolean(),
  infoScore: fc.integer({ min: 0, max: 10 }),
});

describe('the bound on a compromised model', () => {
  it('CTX-14 holds every guard over arbitrary model output, interactions and times', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const rows: GateRow[] = [];
        let at = now;
        let lastInteractionAt: number | null = null;
        for (const { proposed, waitMs, talks, infoScore } of steps) {
          at += waitMs;
          if (talks) lastInteractionAt = at - 1;
          const base = rows.at(-1)?.trust ?? 0;
          const input = { proposed, rows, infoScore, lastInteractionAt, now: at };
          const decision = gateAssessment(input, opinionGuards);
          expect(Math.abs(decision.trust - base)).toBeLessThanOrEqual(3);
          if (decision.action === 'skip') {
            expect(decision.trust).toBe(base);
            continue;
          }
          if (decision.trust > base) {
            expect(decision.trust).toBeLessThanOrEqual(Math.max(3, infoScore));
            expect(decision.trust).toBeLessThanOrEqual(proposed);
          } else if (decision.trust < base) {
            expect(decision.trust).toBe(Math.max(proposed, base - 3));
          }
          rows.push({ trust: decision.trust, createdAt: at });
          const rises = rows
            .map((one, i) => ({ at: one.createdAt, up: Math.max(0, one.trust - (rows[i - 1]?.trust ?? 0)) }))
            .filter((one) => at - one.at < day && one.up > 0);
          expect(rises.reduce((sum, one) => sum + one.up, 0)).toBeLessThanOrEqual(3);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('CTX-14 without the band takes months from first contact to +10, minutes with the clamp alone', () => {
    const [stranger, known] = attackedPeers;
    if (stranger === undefined || known === undefined) throw new Error('no peers');
    const days = (peer: AttackedPeer, guards: GateConfig['guards']) => {
      const { at } = reachOf(peer, guards, 10);
      return [3, 5, 7, 9, 10].map((trust) => Math.ceil((at.get(trust) ?? Number.NaN) / day));
    };
    expect(reachOf(stranger, 'clamp', 10)).toMatchObject({ trust: 10, afterMs: 3 * minute });
    expect(days(stranger, opinionGuards.guards).at(-1)).toBeGreaterThan(180);
    expect(days(known, opinionGuards.guards).at(-1)).toBeLessThanOrEqual(5);
  });
});
