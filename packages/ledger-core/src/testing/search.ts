import { expect } from 'vitest';
import type { SearchQuery } from '../store.ts';
import { message, type StoreTests } from './samples.ts';

/** Tests of the search in messages, which is optional. */
export const search: StoreTests = {
  'finds words inside of addresses and numbers, and compares without case and diacritics': async (
    store,
    _,
    skip,
  ) => {
    if (!store.searchInteractions) return skip('this store cannot search');
    const texts = [
      'See https://shop.example.com/path/to-invoice.pdf?order=4711&city=Zürich#top',
      'Write to bob.smith+news@mail.example.org, or call +49-170-1234567.',
      'That is 1,234.56 EUR, v2.10.3, -17 °C or 6e23; under_score; a/b; x=y.',
      'Café naïve RÉSUMÉ Ångström Ελλάδα привет 漢字 İstanbul ΣΟΦΟΣ',
      'Cafe\u0301 in two code points',
    ];
    for (const [n, content] of texts.entries())
      await store.recordInteraction(message(`${n}`, { at: n, content }));
    const words: Readonly<Record<string, readonly string[]>> = {
      ...{ shop: ['0'], example: ['1', '0'], com: ['0'], invoice: ['0'], pdf: ['0'], order: ['0'] },
      ...{ '4711': ['0'], zurich: ['0'], ZÜRICH: ['0'], top: ['0'], https: ['0'] },
      ...{ smith: ['1'], news: ['1'], org: ['1'], '170': ['1'], '1234567': ['1'] },
      ...{
        '234': ['2'],
        '56': ['2'],
        v2: ['2'],
        '17': ['2'],
        '6e23': ['2'],
        score: ['2'],
        b: ['2'],
        y: ['2'],
      },
      ...{ cafe: ['4', '3'], CAFÉ: ['4', '3'], 'cafe\u0301': ['4', '3'], naive: ['3'], resume: ['3'] },
      ...{ angstrom: ['3'], ελλάδα: ['3'], ПРИВЕТ: ['3'], 漢字: ['3'], σοφος: ['3'], istanbul: ['3'] },
      ...{ exam: [], inv: [], '47': [], ca: [] },
    };
    for (const [word, ids] of Object.entries(words)) {
      const found = await store.searchInteractions({ words: [word], peerId: null, limit: 10 });
      expect(
        found.map((row) => row.interactionId),
        word,
      ).toEqual(ids);
    }
    const both = { words: ['smith', 'mail'], peerId: null, limit: 10 };
    expect((await store.searchInteractions(both)).map((row) => row.interactionId)).toEqual(['1']);
  },

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
