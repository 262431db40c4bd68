import { expect } from 'vitest';
import type { HistoryQuery } from '../store.ts';
import { assessment, everything, message, oldest, outcomeOf, type StoreTests } from './samples.ts';

/** Tests of pruning. */
export const retention: StoreTests = {
  'removes old text and evidence, and nothing else': async (store) => {
    const eve = { peerId: 'telegram:eve', nativeId: 'eve' };
    const evidence = { id: 'e', content: 'secret' };
    const metrics = { latencyMs: 5 };
    // More than an adapter does in one step.
    for (let n = 0; n < 600; n++) {
      const fields = { at: n, externalId: `e${n}`, correlationId: 'job', content: 'secret', evidence };
      await store.recordInteraction(message(`i${n}`.padStart(5, '0'), { ...fields, metrics }));
    }
    await store.recordInteraction(message('x1', { at: 10, content: 'old', peer: eve }));
    await store.recordInteraction(message('x2', { at: 550, content: 'new', peer: eve }));
    await store.recordOutcome({ ...outcomeOf('o', 'job', 'paid'), peerId: 'telegram:bob' });
    await store.recordAssessment('telegram:bob', () => assessment('a'));
    const all: HistoryQuery = { ...oldest(), limit: 2000 };
    const rows = await store.listInteractions(all);
    const before = await everything(store);

    expect(await store.prune(550)).toBe(551);
    expect(await store.prune(550)).toBe(0);
    expect(await store.listInteractions(all)).toEqual(
      rows.map((row) => (row.createdAt < 550 ? { ...row, content: '', evidence: null, pruned: true } : row)),
    );
    expect((await store.listInteractions(oldest('telegram:eve'))).map(({ content }) => content)).toEqual([
      '',
      'new',
    ]);
    const after = await everything(store);
    expect(after.peers).toEqual(before.peers);
    expect(after.totals).toEqual(before.totals);
    expect(after.histories.map(({ outcomes: o, assessments: a }) => [o, a])).toEqual(
      before.histories.map(({ outcomes: o, assessments: a }) => [o, a]),
    );
    expect(await store.recordInteraction(message('again', { at: 1, externalId: 'e1' }))).toMatchObject({
      recorded: false,
    });
    expect(await store.prune(2000)).toBe(51);
  },
};
