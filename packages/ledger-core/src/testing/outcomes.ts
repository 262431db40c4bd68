import { expect } from 'vitest';
import type { Outcome } from '../records.ts';
import type { OutcomeWrite } from '../store.ts';
import { everything, message, newest, oldest, outcomeOf, type StoreTests } from './samples.ts';

/** Tests of outcomes. */
export const outcomes: StoreTests = {
  'counts the last outcome of each piece of work': async (store) => {
    await store.recordInteraction(message('1', { correlationId: 'a' }));
    await store.recordInteraction(message('2', { correlationId: 'b' }));
    await store.recordInteraction(message('3', { correlationId: 'c' }));
    const counts = async () => {
      const peer = (await store.getPeer('telegram:bob'))?.peer;
      return [peer?.successCount, peer?.failureCount, peer?.openCount, peer?.interactionCount];
    };
    const report = (id: string, work: string, outcome: Outcome, createdAt: number) =>
      store.recordOutcome({ ...outcomeOf(id, work, outcome), createdAt });
    expect(await report('o1', 'a', 'requested', 100)).toMatchObject({
      kind: 'recorded',
      event: { outcomeId: 'o1', peerId: 'telegram:bob', correlationId: 'a', outcome: 'requested' },
    });
    expect(await counts()).toEqual([0, 0, 1, 3]);
    await report('o2', 'a', 'paid', 200);
    await report('o3', 'b', 'timeout', 200);
    await report('o4', 'c', 'verified', 200);
    expect(await counts()).toEqual([2, 1, 0, 3]);
    await report('o5', 'c', 'disputed', 300);
    expect(await counts()).toEqual([1, 2, 0, 3]);
    await report('o6', 'c', 'verified', 250);
    expect(await counts()).toEqual([1, 2, 0, 3]);
    await report('o7', 'c', 'verified', 300);
    expect(await counts()).toEqual([2, 1, 0, 3]);
    expect((await store.listOutcomes(newest())).map((row) => row.outcomeId)).toEqual([
      'o7',
      'o5',
      'o6',
      'o4',
      'o3',
      'o2',
      'o1',
    ]);
  },

  'shows with each interaction the last outcome of its work': async (store) => {
    await store.recordInteraction(message('1', { at: 1, correlationId: 'a' }));
    await store.recordInteraction(message('2', { at: 2, correlationId: 'a', metrics: { latencyMs: 7 } }));
    await store.recordInteraction(message('3', { at: 3, correlationId: 'b' }));
    await store.recordInteraction({
      ...message('4', { at: 4, correlationId: 'd' }),
      outcome: outcomeOf('o0', 'd', 'delivered'),
    });
    await store.recordOutcome({
      ...outcomeOf('o1', 'a', 'delivered'),
      createdAt: 5,
      metrics: { score: 0.5 },
    });
    await store.recordOutcome({
      ...outcomeOf('o2', 'a', 'verified'),
      createdAt: 6,
      metrics: { score: 1 },
    });
    const rows = await store.listInteractions(oldest());
    expect(rows.map((row) => [row.outcome, row.metrics])).toEqual([
      ['verified', { score: 1 }],
      ['verified', { latencyMs: 7 }],
      [null, null],
      ['delivered', null],
    ]);
    expect((await store.getPeer('telegram:bob'))?.peer).toMatchObject({ successCount: 1, openCount: 1 });
  },

  'counts every violation, also one that is not the last outcome of its work': async (store) => {
    await store.recordInteraction(message('1', { correlationId: 'a' }));
    const report = (id: string, outcome: Outcome, createdAt: number) =>
      store.recordOutcome({ ...outcomeOf(id, 'a', outcome), createdAt, evidence: { call: 'socket' } });
    await report('o1', 'violation', 300);
    await report('o2', 'verified', 400);
    await report('o3', 'violation', 200);
    expect((await store.getPeer('telegram:bob'))?.peer).toMatchObject({
      violationCount: 2,
      lastViolationAt: 300,
      successCount: 1,
      failureCount: 0,
    });
    const [first] = await store.listOutcomes(oldest());
    expect(first).toMatchObject({ outcome: 'violation', result: 'failure', evidence: { call: 'socket' } });
  },

  'finds whose work a correlationId is, or says why not': async (store) => {
    await store.recordInteraction(message('1', { correlationId: 'job' }));
    const eve = { peerId: 'telegram:eve', nativeId: 'eve' };
    await store.recordInteraction(message('2', { correlationId: 'job', peer: eve }));
    const report = (write: Partial<OutcomeWrite>) =>
      store.recordOutcome({ ...outcomeOf('o', 'job', 'paid'), ...write });
    expect(await report({})).toEqual({ kind: 'ambiguous', peerIds: ['telegram:bob', 'telegram:eve'] });
    expect(await report({ correlationId: 'other' })).toEqual({ kind: 'unknown' });
    expect(await report({ peerId: 'telegram:nobody' })).toEqual({ kind: 'unknown' });
    expect(await report({ peerId: 'telegram:eve' })).toMatchObject({ kind: 'recorded' });
    expect((await store.getPeer('telegram:eve'))?.peer.successCount).toBe(1);
    expect((await store.getPeer('telegram:bob'))?.peer.successCount).toBe(0);
  },

  'records an outcome of one externalId once per peer': async (store) => {
    await store.recordInteraction(message('1', { correlationId: 'job' }));
    const first = await store.recordOutcome({ ...outcomeOf('o1', 'job', 'paid'), externalId: 'receipt' });
    const before = await everything(store);
    const again = await store.recordOutcome({
      ...outcomeOf('o2', 'job', 'rejected'),
      externalId: 'receipt',
    });
    expect(again).toEqual({ kind: 'repeated', event: 'event' in first ? first.event : null });
    expect(await everything(store)).toEqual(before);
  },
};
