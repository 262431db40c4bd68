import { describe, expect, it } from 'vitest';
import { type Assessment, createLedger, createMemoryLedgerStore, largestTrustStep } from '../src/index.ts';

function assessed(
  at: number,
  trust: number,
  source: Assessment['source'] = 'agent',
  peerId = 'irc:bob',
): Assessment {
  const row = { infoScore: 1, rationale: 'Paid.', assessor: null };
  return { ...row, assessmentId: `a${at}`, peerId, trust, source, createdAt: at };
}

describe('largestTrustStep', () => {
  it('LED-17 finds the furthest step, up or down, from whoever judged before', () => {
    const series = [
      assessed(1, 4),
      assessed(2, -2, 'operator'),
      assessed(3, -9, 'agent'),
      assessed(4, 10, 'cortex'),
      assessed(5, 5, 'agent', 'irc:eve'),
    ];
    expect(largestTrustStep(series)).toEqual({
      peerId: 'irc:bob',
      assessmentId: 'a3',
      from: -2,
      to: -9,
      at: 3,
    });
    expect(largestTrustStep(series, { source: 'cortex' })).toMatchObject({ from: -9, to: 10 });
    const before = new Map([['irc:bob', -10]]);
    expect(largestTrustStep(series, { before })).toMatchObject({ from: -10, to: 4 });
    expect(largestTrustStep([])).toBeNull();
  });

  it('LED-17 takes the latest of steps that are as long', () => {
    expect(largestTrustStep([assessed(1, 3), assessed(2, 0), assessed(3, -3)])).toMatchObject({ at: 3 });
  });

  it('LED-17 a ledger looks at what was recorded since a time, and at the trust before that', async () => {
    let now = 0;
    const ledger = createLedger({ store: createMemoryLedgerStore(), clock: () => now });
    await ledger.recordIncoming({ peerId: 'bob', channel: 'irc', content: 'hi' });
    for (const trust of [9, 6, 7]) {
      now += 1000;
      await ledger.recordAssessment('irc:bob', trust, 'Paid.');
    }
    expect(await ledger.getLargestTrustStep()).toMatchObject({ from: 0, to: 9, at: 1000 });
    expect(await ledger.getLargestTrustStep({ since: 1001 })).toMatchObject({ from: 9, to: 6, at: 2000 });
    expect(await ledger.getLargestTrustStep({ since: 3000 })).toMatchObject({ from: 6, to: 7, at: 3000 });
    expect(await ledger.getLargestTrustStep({ since: 3001 })).toBeNull();
  });

  it("LED-17 a ledger finds it in the whole journal, and maxTrustStep keeps the model's short", async () => {
    for (const [maxTrustStep, to] of [
      [null, 10],
      [2, 2],
    ] as const) {
      const ledger = createLedger({ store: createMemoryLedgerStore(), config: { maxTrustStep } });
      expect(await ledger.getLargestTrustStep()).toBeNull();
      await ledger.recordIncoming({ peerId: 'bob', channel: 'irc', content: 'hi' });
      const assess = ledger.tools().find(({ name }) => name === 'assess_peer');
      await assess?.execute({ peer_id: 'irc:bob', trust: 10, rationale: 'Paid.' });
      expect(await ledger.getLargestTrustStep()).toMatchObject({ peerId: 'irc:bob', from: 0, to });
      expect(await ledger.getLargestTrustStep({ source: 'operator' })).toBeNull();
    }
  });
});
