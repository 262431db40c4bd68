import { expect } from 'vitest';
import { message, newest, outcomeOf, type StoreTests } from './samples.ts';

/** Messages and the peers that they make. */
export const recording: StoreTests = {
  'creates the peer with its first interaction and counts both directions': async (store) => {
    expect(await store.getPeer('telegram:bob')).toBeNull();
    const first = message('1', { at: 1000, peer: { alias: 'Bob' } });
    expect(await store.recordInteraction(first)).toEqual({ interactionId: '1', recorded: true });
    await store.recordInteraction(message('2', { at: 5000, direction: 'out' }));
    expect(await store.getPeer('telegram:bob')).toEqual({
      peer: {
        peerId: 'telegram:bob',
        nativeId: 'bob',
        handle: 'telegram:bob',
        channel: 'telegram',
        alias: 'Bob',
        firstSeenAt: 1000,
        lastSeenAt: 5000,
        interactionCount: 2,
        assessmentCount: 0,
        successCount: 0,
        failureCount: 0,
        openCount: 0,
        violationCount: 0,
        lastViolationAt: null,
        operatorTrust: null,
      },
      latest: null,
    });
  },

  'widens first and last seen in any order of messages': async (store) => {
    for (const at of [5000, 1000, 9000, 3000]) await store.recordInteraction(message(`${at}`, { at }));
    expect((await store.getPeer('telegram:bob'))?.peer).toMatchObject({
      firstSeenAt: 1000,
      lastSeenAt: 9000,
      interactionCount: 4,
    });
  },

  'keeps the newest alias that a message brought': async (store) => {
    const aliasAfter = async (id: string, at: number, alias: string | null) => {
      await store.recordInteraction(message(id, { at, peer: { alias } }));
      return (await store.getPeer('telegram:bob'))?.peer.alias;
    };
    expect(await aliasAfter('1', 1000, null)).toBeNull();
    expect(await aliasAfter('2', 500, 'Bobby')).toBe('Bobby');
    expect(await aliasAfter('3', 2000, 'Robert')).toBe('Robert');
    expect(await aliasAfter('4', 1500, 'Old Bob')).toBe('Robert');
    expect(await aliasAfter('5', 3000, null)).toBe('Robert');
  },

  'gives back every field of an interaction as it was written': async (store) => {
    const text = 'line\nline — 🙂 “quotes” \' " ; DROP TABLE ledger_peers; \u202e \u{10ffff}';
    const full = message('1', {
      at: 1_790_000_000_000,
      receivedAt: 1_790_000_000_001,
      content: text,
      contentLength: 90_000,
      redacted: true,
      correlationId: 'job-1',
      externalId: 'event-1',
      evidence: { id: 'event-1', tags: [['p', text]], created_at: 1 },
      metrics: { latencyMs: 12.5, costMsat: 9_007_199_254_740_991, score: -0.5, note: 'x' },
    });
    await store.recordInteraction(full);
    await store.recordInteraction(message('0', { at: 0, direction: 'out', content: '' }));
    expect(await store.listInteractions(newest())).toEqual([
      {
        ...full.interaction,
        peerId: 'telegram:bob',
        channel: 'telegram',
        outcome: null,
        pruned: false,
        voided: null,
      },
      {
        interactionId: '0',
        peerId: 'telegram:bob',
        direction: 'out',
        channel: 'telegram',
        content: '',
        contentLength: 0,
        redacted: false,
        pruned: false,
        voided: null,
        correlationId: null,
        externalId: null,
        evidence: null,
        outcome: null,
        metrics: null,
        createdAt: 0,
        receivedAt: 5000,
      },
    ]);
  },

  'records an externalId once per peer and direction': async (store) => {
    await store.recordInteraction(message('1', { at: 1000, externalId: 'event' }));
    const before = await store.getPeer('telegram:bob');
    const repeat = message('2', {
      at: 9000,
      externalId: 'event',
      correlationId: 'job',
      peer: { alias: 'Mallory' },
    });
    expect(await store.recordInteraction({ ...repeat, outcome: outcomeOf('o', 'job', 'paid') })).toEqual({
      interactionId: '1',
      recorded: false,
    });
    expect(await store.getPeer('telegram:bob')).toEqual(before);
    expect(await store.listInteractions(newest())).toHaveLength(1);
    expect(await store.listOutcomes(newest())).toEqual([]);

    const other = message('3', { externalId: 'event', peer: { peerId: 'telegram:eve', nativeId: 'eve' } });
    expect(await store.recordInteraction(other)).toEqual({ interactionId: '3', recorded: true });
    const own = message('6', { externalId: 'event', direction: 'out' });
    expect(await store.recordInteraction(own)).toEqual({ interactionId: '6', recorded: true });
    expect(
      await store.recordInteraction({ ...own, interaction: { ...own.interaction, interactionId: '7' } }),
    ).toEqual({
      interactionId: '6',
      recorded: false,
    });
    expect(await store.recordInteraction(message('4', {}))).toMatchObject({ recorded: true });
    expect(await store.recordInteraction(message('5', {}))).toMatchObject({ recorded: true });
  },
};
