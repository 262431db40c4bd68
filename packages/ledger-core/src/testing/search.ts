import { expect } from 'vitest';
import type { SearchQuery } from '../store.ts';
import { message, type StoreTests } from './samples.ts';

/** Tests of the search in messages, which is optional. */
export const search: StoreTests = {
  'finds messages by all of their words, newest first': async (store, { forAgent }, skip) => {
    if (!store.searchInteractions) return skip('this store cannot search');
    const texts = [
      'Please summarize the dataset.',
      'Dataset of RELAYS, please!',
      'foo-bar "quoted" OR near',
      'An invoice',
    ];
    for (const [n, content] of texts.entries())
      await store.recordInteraction(message(`${n}`, { at: n, content }));
    const eve = { peerId: 'irc:eve', nativeId: 'eve', channel: 'irc' };
    await store.recordInteraction(message('e', { at: 1, content: 'please, the dataset', peer: eve }));
    const find = async (words: readonly string[], query: Partial<SearchQuery> = {}) =>
      ((await store.searchInteractions?.({ words, peerId: null, limit: 10, ...query })) ?? []).map(
        (row) => row.interactionId,
      );
    expect(await find(['dataset', 'please'])).toEqual(['e', '1', '0']);
    expect(await find(['DATASET'], { limit: 2 })).toEqual(['e', '1']);
    expect(await find(['dataset'], { after: { value: 1, id: 'e' } })).toEqual(['1', '0']);
    expect(await find(['dataset'], { peerId: 'telegram:bob' })).toEqual(['1', '0']);
    expect(await find(['data'])).toEqual([]);
    for (const word of ['foo', 'quoted', 'or', 'near']) expect(await find([word]), word).toEqual(['2']);
    for (const word of ['"', 'NOT', '*', "';--"])
      expect(await find(['dataset', word]), word).toEqual(word === 'NOT' ? [] : expect.any(Array));

    await store.voidInteraction({ interactionId: 'e', reason: 'x', at: 1 });
    expect(await find(['dataset'])).toEqual(['1', '0']);
    await store.prune(1);
    expect(await find(['dataset'])).toEqual(['1']);
    if (!forAgent) return;
    const other = await forAgent('another-agent');
    expect(await other.searchInteractions?.({ words: ['dataset'], peerId: null, limit: 10 })).toEqual([]);
  },
};
