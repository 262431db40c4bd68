import { expect } from 'vitest';
import type { AssessmentSource, Outcome } from '../records.ts';
import type { OutcomeQuery, OutcomeWrite } from '../store.ts';
import { assessment, everything, message, newest, oldest, outcomeOf, type StoreTests } from './samples.ts';

/** Tests of outcomes. */
export const outcomes: StoreTests = {
  'counts the outcome of each piece of work that was recorded last': async (store) => {
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
    // An earlier time and a lower id do not make it an earlier outcome.
    await report('o0', 'c', 'verified', 250);
    expect(await counts()).toEqual([2, 1, 0, 3]);
    await report('o7', 'b', 'paid', 9000);
    await report('o6', 'b', 'rejected', 300);
    expect(await counts()).toEqual([2, 1, 0, 3]);
    const rows = await store.listOutcomes(newest());
    expect(rows.map((row) => row.outcomeId)).toEqual(['o7', 'o6', 'o5', 'o0', 'o4', 'o3', 'o2', 'o1']);
    const received = [...rows].sort((one, other) => one.sequence - other.sequence);
    expect(received.map((row) => row.outcomeId)).toEqual(['o1', 'o2', 'o3', 'o4', 'o5', 'o0', 'o7', 'o6']);
    expect(new Set(rows.map((row) => row.sequence)).size).toBe(8);
    const [shown] = (await store.listInteractions(newest())).filter((row) => row.correlationId === 'b');
    expect(shown?.outcome).toBe('rejected');
  },

  'lists outcomes that count, and of these the finished ones': async (store) => {
    const peerId = 'telegram:bob';
    for (const [id, work] of [
      ['1', 'a'],
      ['2', 'b'],
      ['3', 'b'],
      ['4', 'c'],
    ] as const) {
      await store.recordInteraction(message(id, { correlationId: work }));
    }
    for (const [n, [work, outcome]] of (
      [
        ['a', 'rejected'],
        ['a', 'delivered'],
        ['b', 'requested'],
        ['b', 'verified'],
        ['c', 'accepted'],
        ['elsewhere', 'violation'],
      ] as const
    ).entries()) {
      await store.recordOutcome({ ...outcomeOf(`o${n}`, work, outcome), createdAt: 100 + n, peerId });
    }
    const ids = async (query: Omit<OutcomeQuery, 'peerId'>) =>
      (await store.listOutcomes({ ...query, peerId })).map((row) => row.outcomeId);
    const all = { order: 'oldest', limit: 10 } as const;
    expect(await ids({ ...all, only: 'counted' })).toEqual(['o0', 'o1', 'o2', 'o3', 'o4', 'o5']);
    expect(await ids({ ...all, only: 'finished' })).toEqual(['o0', 'o3', 'o5']);
    for (const interactionId of ['1', '2']) {
      await store.voidInteraction({ interactionId, reason: 'x', at: 1 });
    }
    // One message of b stands, and the last work never had any.
    expect(await ids({ ...all, only: 'counted' })).toEqual(['o2', 'o3', 'o4', 'o5']);
    expect(await ids({ ...all, only: 'finished' })).toEqual(['o3', 'o5']);
    expect(await ids({ order: 'newest', limit: 1, only: 'finished' })).toEqual(['o5']);
    const after = { value: 105, id: 'o5' };
    expect(await ids({ order: 'newest', limit: 1, only: 'finished', after })).toEqual(['o3']);
    expect(await ids(all)).toHaveLength(6);
    expect(await ids({ ...all, limit: 2, only: 'finished' })).toEqual(['o3', 'o5']);
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
    await report('o3', 'violation', 200);
    await report('o2', 'verified', 400);
    expect((await store.getPeer('telegram:bob'))?.peer).toMatchObject({
      violationCount: 2,
      lastViolationAt: 300,
      successCount: 1,
      failureCount: 0,
    });
    const [first] = await store.listOutcomes(oldest());
    expect(first).toMatchObject({ outcome: 'violation', result: 'failure', evidence: { call: 'socket' } });
  },

  'knows what the operator has said since the last violation, in the order of writes': async (store) => {
    await store.recordInteraction(message('1', { correlationId: 'a' }));
    const operatorTrust = async () => (await store.getPeer('telegram:bob'))?.peer.operatorTrust;
    const say = (id: string, trust: number, createdAt: number, source: AssessmentSource = 'operator') =>
      store.recordAssessment('telegram:bob', () => assessment(id, { source, createdAt, trust }));
    expect(await operatorTrust()).toBeNull();
    await say('a1', 5, 1000, 'agent');
    expect(await operatorTrust()).toBeNull();
    await say('a2', 3, 9000);
    await say('a3', 2, 8000);
    await say('a4', 5, 9500, 'cortex');
    expect(await operatorTrust()).toBe(2);
    await store.recordOutcome({ ...outcomeOf('o1', 'a', 'rejected'), createdAt: 500 });
    expect(await operatorTrust()).toBe(2);
    await store.recordOutcome({ ...outcomeOf('o2', 'a', 'violation'), createdAt: 500 });
    expect(await operatorTrust()).toBeNull();
    await say('a5', -4, 400);
    expect(await operatorTrust()).toBe(-4);
    // A message can bring a violation too.
    const attack = { ...outcomeOf('o3', 'b', 'violation'), createdAt: 1 };
    await store.recordInteraction({ ...message('2', { correlationId: 'b' }), outcome: attack });
    expect(await operatorTrust()).toBeNull();
    await store.voidInteraction({ interactionId: '2', reason: 'Was another peer.', at: 1 });
    expect(await operatorTrust()).toBe(-4);
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

  'records an outcome of one externalId and work once per peer': async (store) => {
    await store.recordInteraction(message('1', { correlationId: 'job' }));
    const first = await store.recordOutcome({ ...outcomeOf('o1', 'job', 'paid'), externalId: 'receipt' });
    const before = await everything(store);
    const again = await store.recordOutcome({ ...outcomeOf('o2', 'job', 'paid'), externalId: 'receipt' });
    expect(again).toEqual({ kind: 'repeated', event: 'event' in first ? first.event : null });
    expect(await everything(store)).toEqual(before);
    // What is said later under the same id is another outcome.
    for (const [id, outcome] of [
      ['o3', 'rejected'],
      ['o4', 'violation'],
    ] as const) {
      const other = { ...outcomeOf(id, 'job', outcome), externalId: 'receipt' };
      expect(await store.recordOutcome(other)).toMatchObject({ kind: 'recorded' });
    }
    const elsewhere = { ...outcomeOf('o5', 'job 2', 'paid'), peerId: 'telegram:bob', externalId: 'receipt' };
    expect(await store.recordOutcome(elsewhere)).toMatchObject({ kind: 'recorded' });
    expect((await store.getPeer('telegram:bob'))?.peer).toMatchObject({ violationCount: 1, failureCount: 1 });
  },
};
