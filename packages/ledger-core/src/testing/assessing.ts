import { expect } from 'vitest';
import type { Assessment } from '../records.ts';
import type { AssessmentQuery, HistoryQuery } from '../store.ts';
import { assessment, everything, message, newest, oldest, type StoreTests } from './samples.ts';

/** The time series of judgments. */
export const assessing: StoreTests = {
  'appends assessments to a time series of which the newest is the latest': async (store) => {
    expect(await store.recordAssessment('telegram:bob', () => assessment('a'))).toBeNull();
    await store.recordInteraction(message('1', {}));
    const seen: (readonly [number, string | undefined])[] = [];
    const assess = (id: string, createdAt: number, trust: number) =>
      store.recordAssessment('telegram:bob', (peer, latest) => {
        seen.push([peer.assessmentCount, latest?.assessmentId]);
        return assessment(id, { createdAt, trust, assessor: id === 'a2' ? 'model/1' : null });
      });
    expect(await assess('a1', 1000, -10)).toEqual(assessment('a1', { createdAt: 1000, trust: -10 }));
    await assess('a2', 3000, 10);
    await assess('a3', 2000, 0);
    await assess('a4', 3000, 5);
    expect(seen).toEqual([
      [0, undefined],
      [1, 'a1'],
      [2, 'a2'],
      [3, 'a2'],
    ]);
    const series = [
      assessment('a1', { createdAt: 1000, trust: -10 }),
      assessment('a3', { createdAt: 2000, trust: 0 }),
      assessment('a2', { createdAt: 3000, trust: 10, assessor: 'model/1' }),
      assessment('a4', { createdAt: 3000, trust: 5 }),
    ];
    expect(await store.listAssessments(oldest())).toEqual(series);
    expect(await store.listAssessments({ ...newest(), limit: 2 })).toEqual([series[3], series[2]]);
    expect(await store.listAssessments({ ...newest(), after: { value: 3000, id: 'a2' } })).toEqual([
      series[1],
      series[0],
    ]);
    const peer = await store.getPeer('telegram:bob');
    expect(peer?.latest).toEqual(series[3]);
    expect(peer?.peer).toMatchObject({ assessmentCount: 4, interactionCount: 1 });
  },

  'refuses scores out of range and a blank rationale, and writes nothing then': async (store) => {
    await store.recordInteraction(message('1', {}));
    const before = await everything(store);
    const wrong: readonly Partial<Assessment>[] = [
      { trust: 11 },
      { trust: -11 },
      { trust: 0.5 },
      { infoScore: 11 },
      { infoScore: -1 },
      { rationale: '' },
      { rationale: ' \n\t ' },
    ];
    for (const fields of wrong) {
      const written = store.recordAssessment('telegram:bob', () => assessment('a', fields));
      await expect(written, JSON.stringify(fields)).rejects.toThrow();
    }
    const failing = store.recordAssessment('telegram:bob', () => {
      throw new Error('no opinion');
    });
    await expect(failing).rejects.toThrow('no opinion');
    expect(await everything(store)).toEqual(before);
    expect(await store.recordAssessment('telegram:bob', () => assessment('a'))).not.toBeNull();
  },

  'lists the assessments of one source': async (store) => {
    const peerId = 'telegram:bob';
    await store.recordInteraction(message('1', {}));
    for (const [n, source] of (['operator', 'agent', 'cortex', 'operator', 'cortex'] as const).entries()) {
      await store.recordAssessment(peerId, () => assessment(`a${n}`, { source, createdAt: 1000 + n }));
    }
    const ids = async (query: Omit<AssessmentQuery, 'peerId'>) =>
      (await store.listAssessments({ ...query, peerId })).map((row) => row.assessmentId);
    expect(await ids({ order: 'newest', limit: 1, source: 'operator' })).toEqual(['a3']);
    expect(await ids({ order: 'oldest', limit: 9, source: 'operator' })).toEqual(['a0', 'a3']);
    const after = { value: 1003, id: 'a3' };
    expect(await ids({ order: 'newest', limit: 9, source: 'operator', after })).toEqual(['a0']);
    expect(await ids({ order: 'newest', limit: 9, source: 'agent' })).toEqual(['a1']);
    expect(await ids({ order: 'newest', limit: 9 })).toHaveLength(5);
  },

  'lists the assessments of all peers in order of time': async (store) => {
    const eve = { peerId: 'telegram:eve', nativeId: 'eve' };
    await store.recordInteraction(message('1', {}));
    await store.recordInteraction(message('2', { peer: eve }));
    for (const [n, peerId] of ['telegram:bob', 'telegram:eve', 'telegram:bob', 'telegram:eve'].entries()) {
      await store.recordAssessment(peerId, () =>
        assessment(`a${n}`, { peerId, createdAt: Math.floor(n / 2) * 1000 }),
      );
    }
    const ids = async (query: Omit<HistoryQuery, 'peerId'>) =>
      (await store.listAssessments({ ...query, peerId: null })).map((row) => row.assessmentId);
    expect(await ids({ order: 'oldest', limit: 10 })).toEqual(['a0', 'a1', 'a2', 'a3']);
    expect(await ids({ order: 'newest', limit: 3 })).toEqual(['a3', 'a2', 'a1']);
    const after = { value: 0, id: 'a0' };
    expect(await ids({ order: 'oldest', limit: 2, after })).toEqual(['a1', 'a2']);
  },
};
