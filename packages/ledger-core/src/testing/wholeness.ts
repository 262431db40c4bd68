import { seededRandom } from '@bonafide/internal';
import { expect } from 'vitest';
import { outcomes } from '../outcome.ts';
import type { Direction } from '../records.ts';
import type { LedgerStore } from '../store.ts';
import { createMemoryLedgerStore } from '../stores/memory.ts';
import { assessment, everything, message, oldest, outcomeOf, type StoreTests } from './samples.ts';

/** Each write as a whole, side by side with others, in any order. */
export const wholeness: StoreTests = {
  'writes a message and what follows from it, or nothing': async (store) => {
    await store.recordInteraction(message('1', { at: 1000, correlationId: 'job' }));
    await store.recordOutcome({ ...outcomeOf('o', 'job', 'requested'), peerId: 'telegram:bob' });
    const before = await everything(store);

    await expect(store.recordInteraction(message('1', { at: 9000 }))).rejects.toThrow();
    await expect(
      store.recordInteraction({
        ...message('2', { at: 9000, peer: { peerId: 'telegram:eve', nativeId: 'eve' } }),
        outcome: outcomeOf('o', 'job', 'paid'),
      }),
    ).rejects.toThrow();
    await expect(
      store.recordOutcome({ ...outcomeOf('o', 'job', 'paid'), peerId: 'telegram:bob' }),
    ).rejects.toThrow();
    expect(await everything(store)).toEqual(before);
  },

  'loses nothing when writes run side by side': async (store) => {
    const side = Array.from({ length: 20 }, (_, n) => n);
    const repeats = await Promise.all(
      side.map((n) =>
        store.recordInteraction(message(`i${n}`, { at: n, externalId: `e${n % 10}`, correlationId: 'job' })),
      ),
    );
    expect(repeats.filter(({ recorded }) => recorded)).toHaveLength(10);
    await Promise.all(
      side.map((n) =>
        store.recordOutcome({ ...outcomeOf(`o${n}`, 'job', n % 2 ? 'paid' : 'timeout'), createdAt: n }),
      ),
    );
    await Promise.all(
      side.map((n) =>
        store.recordAssessment('telegram:bob', (peer) =>
          assessment(`a${n}`, { createdAt: n, infoScore: Math.min(10, peer.assessmentCount) }),
        ),
      ),
    );
    const events = await store.listOutcomes(oldest());
    const last = events.toSorted((one, other) => other.sequence - one.sequence)[0];
    expect(new Set(events.map(({ sequence }) => sequence)).size).toBe(20);
    expect((await store.getPeer('telegram:bob'))?.peer).toMatchObject({
      interactionCount: 10,
      successCount: last?.result === 'success' ? 1 : 0,
      failureCount: last?.result === 'failure' ? 1 : 0,
      openCount: 0,
      assessmentCount: 20,
    });
    const scores = (await store.listAssessments(oldest())).map(({ infoScore }) => infoScore);
    expect(scores.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...Array(10).fill(10)]);
  },

  'answers as the memory store does after any sequence of calls': async (store) => {
    const reference = createMemoryLedgerStore();
    const random = seededRandom(4711);
    const pick = (below: number) => Math.floor(random() * below);
    for (let n = 0; n < 300; n++) {
      const id = `${n}`.padStart(4, '0');
      const nativeId = `peer${pick(4)}`;
      const peerId = `telegram:${nativeId}`;
      const common = {
        correlationId: `job${pick(6)}`,
        externalId: pick(3) ? null : `event${pick(20)}`,
        metrics: pick(2) ? { score: pick(10) } : null,
        createdAt: pick(50),
      };
      const outcome = outcomes[pick(outcomes.length)] ?? 'paid';
      const earlier = `${pick(n + 1)}`.padStart(4, '0');
      const direction: Direction = pick(2) ? 'in' : 'out';
      const event = { ...outcomeOf(id, common.correlationId, outcome), ...common };
      const act = [
        (to: LedgerStore) =>
          to.recordInteraction({
            ...message(id, { at: common.createdAt, direction, ...common, peer: { peerId, nativeId } }),
            outcome: n % 5 ? null : event,
          }),
        (to: LedgerStore) => to.recordOutcome({ ...event, peerId: n % 2 ? peerId : null }),
        (to: LedgerStore) =>
          to.recordAssessment(peerId, (peer, latest) =>
            assessment(id, {
              peerId,
              createdAt: common.createdAt,
              infoScore: Math.min(10, peer.interactionCount),
              trust: Math.max(-10, (latest?.trust ?? 0) - 1),
              source: n % 2 ? 'operator' : 'agent',
            }),
          ),
        (to: LedgerStore) =>
          to.voidInteraction({
            interactionId: earlier,
            reason: 'Misattributed',
            at: n,
          }),
      ][pick(4)];
      expect(await act?.(store)).toEqual(await act?.(reference));
    }
    expect(await everything(store)).toEqual(await everything(reference));
  },
};
