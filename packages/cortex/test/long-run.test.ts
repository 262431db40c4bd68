import { createLedger, createMemoryLedgerStore } from '@bonafide/ledger-core';
import { describe, expect, it } from 'vitest';
import { createCortex, createMemoryState, createRuleReflector, type Reflector } from '../src/index.ts';

// Ten thousand cycles take minutes: `BONAFIDE_PROOF=full`.
const cycles = process.env.BONAFIDE_PROOF === 'full' ? 10_000 : 300;
const hour = 3_600_000;

/** A reflector that fails in every way in turn, and answers well between. */
function moody(): Reflector {
  const rule = createRuleReflector();
  let call = 0;
  return {
    async reflect(request) {
      call += 1;
      switch (call % 7) {
        case 1:
          throw new Error('down');
        case 2:
          return { output: 'garbage' };
        case 3:
          return { output: '{"assessments":[{"peerId":"x","trust":1', finishReason: 'length' };
        case 4:
          return { output: { assessments: [{ peerId: 'nobody', trust: 3, rationale: 'r' }] } };
        default:
          return rule.reflect(request);
      }
    },
  };
}

describe('many cycles', () => {
  it(`CTX-7 CTX-23 ${cycles} cycles leave no lock, no growing state and no lost counter`, async () => {
    let now = Date.UTC(2026, 0, 1);
    const clock = () => now;
    const ledger = createLedger({ store: createMemoryLedgerStore(), clock });
    const state = createMemoryState();
    const config = { budget: { callsPerDay: 100_000, tokensPerDay: 1e9 } };
    const cortex = createCortex({ ledger, reflector: moody(), state, clock, config });
    await cortex.start();
    const sizes: number[] = [];
    const keys = ['beliefs', 'history', 'trusts', 'directives', 'commitments', 'lessons', 'costs'];
    const size = async () =>
      (await Promise.all(keys.map((key) => state.retrieve(`cortex-${key}`)))).join('').length;
    let applied = 0;
    let failed = 0;
    for (let n = 0; n < cycles; n += 1) {
      now += hour;
      const peerId = (n % 20).toString(16).padStart(64, '0');
      const work = { peerId, channel: 'nostr', correlationId: `w${n % 200}` };
      await ledger.recordIncoming({
        ...work,
        content: `message ${n}`,
        outcome: n % 9 === 0 ? 'rejected' : 'verified',
      });
      cortex.hooks.onMessage({ peerId, content: 'x' });
      const result = await cortex.reflectNow('again');
      if (result.status === 'applied') applied += 1;
      else if (result.status === 'failed') failed += 1;
      if (n === Math.floor(cycles / 2) || n === cycles - 1) sizes.push(await size());
    }
    expect(applied + failed).toBe(cycles);
    expect(cortex.stats()).toMatchObject({
      cyclesApplied: applied,
      cyclesFailed: failed,
      stateFailures: 0,
      eventsDropped: 0,
    });
    expect(failed).toBeGreaterThan(cycles / 10);
    expect(cortex.history()).toHaveLength(50);
    expect(cortex.history()[0]?.cycle).toBe(cycles);
    const [half = 1, whole = 0] = sizes;
    expect(whole / half).toBeLessThan(1.5);
    expect(whole).toBeLessThan(3_000_000);
    // The lock is free: another process gets the lease at once.
    expect(await state.shared.lease('cycle', 'another', { now, until: now + 1 })).toBe(true);
    await cortex.close();
  }, 3_600_000);
});
