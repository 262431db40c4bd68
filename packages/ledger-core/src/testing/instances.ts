import { expect } from 'vitest';
import { assessment, everything, message, oldest, outcomeOf, type StoreTests } from './samples.ts';

/** Tests of two instances on the same data, as two processes of one agent have them. */
export const instances: StoreTests = {
  'two instances that write at the same time lose and repeat nothing': async (store, { reopen }, skip) => {
    if (!reopen) return skip('this store cannot be opened a second time');
    const both = [store, await reopen()];
    const steps = Array.from({ length: 15 }, (_, n) => n);
    const onBoth = <Result>(work: (each: typeof store, n: number, side: number) => Promise<Result>) =>
      Promise.all(both.flatMap((each, side) => steps.map((n) => work(each, n, side))));

    // The same new peers and the same messages arrive at both.
    const written = await onBoth((each, n, side) => {
      const peer = { peerId: `irc:peer-${n % 3}`, nativeId: `peer-${n % 3}`, handle: `p-aaaaaaa${n % 3}` };
      return each.recordInteraction(
        message(`i${side}-${n}`, { at: n, externalId: `e${n}`, correlationId: `w${n}`, peer }),
      );
    });
    expect(written.filter(({ recorded }) => recorded)).toHaveLength(15);
    const outcomes = await onBoth((each, n, side) =>
      each.recordOutcome({
        ...outcomeOf(`o${side}-${n}`, `w${n}`, 'paid'),
        externalId: `r${n}`,
        createdAt: n,
      }),
    );
    expect(outcomes.filter(({ kind }) => kind === 'recorded')).toHaveLength(15);
    await onBoth((each, n, side) =>
      each.recordAssessment('irc:peer-0', (peer) =>
        assessment(`a${side}-${n}`, {
          peerId: 'irc:peer-0',
          createdAt: n,
          infoScore: Math.min(10, peer.assessmentCount),
        }),
      ),
    );
    const peers = await store.listPeers({ orderBy: 'lastSeenAt', limit: 10 });
    expect(peers.map(({ peer }) => [peer.peerId, peer.interactionCount, peer.successCount])).toEqual([
      ['irc:peer-2', 5, 5],
      ['irc:peer-1', 5, 5],
      ['irc:peer-0', 5, 5],
    ]);
    // Each assessment has counted those before it, whichever instance wrote them.
    const scores = (await store.listAssessments(oldest('irc:peer-0'))).map(({ infoScore }) => infoScore);
    expect(scores.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...Array(20).fill(10)]);

    const first = (await store.listInteractions(oldest('irc:peer-0')))[0]?.interactionId ?? '';
    const voided = await Promise.all(
      both.map((each) => each.voidInteraction({ interactionId: first, reason: 'x', at: 1 })),
    );
    expect(voided.map(({ kind }) => kind).sort()).toEqual(['repeated', 'voided']);
    const [one, other] = await Promise.all(both.map((each) => everything(each)));
    expect(one).toEqual(other);
  },
};
