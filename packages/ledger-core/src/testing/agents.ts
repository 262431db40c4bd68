import { expect } from 'vitest';
import type { Outcome } from '../records.ts';
import type { LedgerStore } from '../store.ts';
import { assessment, everything, message, outcomeOf, type StoreTests } from './samples.ts';

/** Several agents in one place. */
export const agents: StoreTests = {
  'keeps the agents that share a database apart': async (store, { forAgent }, skip) => {
    if (!forAgent) return skip('agents cannot share this store');
    const other = await forAgent('another-agent');
    expect(other.agentId).toBe('another-agent');
    expect(other.agentId).not.toBe(store.agentId);

    const fill = async (side: LedgerStore, trust: number, outcome: Outcome) => {
      const first = message('1', { content: outcome, externalId: 'e', correlationId: 'job' });
      await side.recordInteraction(first);
      await side.recordOutcome({ ...outcomeOf('o', 'job', outcome), peerId: 'telegram:bob' });
      await side.recordAssessment('telegram:bob', () => assessment('a', { trust }));
    };
    await fill(store, 5, 'paid');
    const before = await everything(store);
    // The same ids on the other side: neither may be in the other's way.
    await fill(other, -5, 'timeout');
    expect((await other.getPeer('telegram:bob'))?.latest?.trust).toBe(-5);

    const eve = { peerId: 'telegram:eve', nativeId: 'eve' };
    await other.recordInteraction(message('2', { correlationId: 'secret', peer: eve }));
    await other.recordInteraction(message('3', { at: 9000, peer: { alias: 'Changed' } }));
    await other.recordOutcome({ ...outcomeOf('o2', 'job', 'paid'), createdAt: 9000 });
    await other.recordAssessment('telegram:bob', () => assessment('a2', { createdAt: 9000, trust: -9 }));
    expect(await everything(store)).toEqual(before);
    expect(await store.getPeer('telegram:eve')).toBeNull();
    expect(await store.recordAssessment('telegram:eve', () => assessment('a3'))).toBeNull();
    expect(await store.recordOutcome(outcomeOf('o3', 'secret', 'paid'))).toEqual({ kind: 'unknown' });
    const ofAll = await store.listAssessments({ peerId: null, order: 'oldest', limit: 100 });
    expect(ofAll.map((row) => row.assessmentId)).toEqual(['a']);
    await other.prune(100_000);
    expect(await everything(store)).toEqual(before);
  },
};
