import { eventually } from '@bonafide/internal/testing';
import NDK, { NDKAppHandlerEvent, NDKEvent, type NDKKind, NDKPrivateKeySigner } from '@nostr-dev-kit/ndk';
import { SimplePool } from 'nostr-tools/pool';
import { finalizeEvent } from 'nostr-tools/pure';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pubkeyOf, setUp, whenKnown } from './set-up.ts';
import { signer, start } from './support.ts';

const secretOf = (n: number) => n.toString(16).padStart(64, '0');

async function ndk(url: string, n: number): Promise<NDK> {
  const created = new NDK({
    explicitRelayUrls: [url],
    signer: new NDKPrivateKeySigner(secretOf(n)),
    enableOutboxModel: false,
  });
  await created.connect();
  onTestFinished(() => {
    for (const one of created.pool.relays.values()) one.disconnect();
  });
  return created;
}

describe('NDK', () => {
  it('publishes a handler that is found by kind, label and name (DIS-18)', async () => {
    const { discovery, relay } = await setUp();
    await discovery.start();
    const handler = new NDKEvent(await ndk(relay.url, 7));
    handler.kind = 31_990 as NDKKind;
    handler.created_at = start / 1_000;
    handler.content = JSON.stringify({ name: 'Polyglot', about: 'Translates documents.' });
    handler.tags = [
      ['d', 'polyglot'],
      ['k', '5002'],
      ['t', 'translation'],
    ];
    await handler.publish();
    await whenKnown(discovery, 1);
    for (const query of [{ kind: 5_002 }, { capability: 'translation' }, { capability: 'polyglot' }]) {
      const [found] = await discovery.find(query).toArray();
      expect(found?.entry).toMatchObject({ pubkey: await pubkeyOf(7), d: 'polyglot' });
    }
  });

  it('reads a published card as a handler with its profile, kinds and identifier (DIS-14)', async () => {
    const { discovery, relay } = await setUp();
    await discovery.publishCard(
      {
        d: 'main',
        name: 'Painter',
        about: 'Paints images.',
        kinds: [5_100],
        capabilities: ['image-generation'],
        createdAt: start,
      },
      signer(3),
    );
    const found = await (await ndk(relay.url, 9)).fetchEvent({ kinds: [31_990 as NDKKind] });
    const handler = found === null ? null : NDKAppHandlerEvent.from(found);
    expect(handler).toMatchObject({ pubkey: await pubkeyOf(3), dTag: 'main' });
    expect(handler?.getMatchingTags('k').map(([, value]) => value)).toContain('5100');
    expect(await handler?.fetchProfile()).toMatchObject({ name: 'Painter', about: 'Paints images.' });
  });

  it("deletes its handler, which leaves 'find' (DIS-20)", async () => {
    const { discovery, relay } = await setUp();
    await discovery.start();
    const author = await ndk(relay.url, 7);
    const handler = new NDKEvent(author);
    handler.kind = 31_990 as NDKKind;
    handler.created_at = start / 1_000;
    handler.content = '';
    handler.tags = [
      ['d', 'x'],
      ['k', '5000'],
    ];
    await handler.publish();
    await whenKnown(discovery, 1);
    const deletion = await handler.delete('gone', false);
    deletion.created_at = start / 1_000;
    await deletion.publish();
    await eventually(async () => expect(await discovery.find({ kind: 5_000 }).toArray()).toEqual([]));
  });
});

describe('nostr-tools', () => {
  it('publishes recommendations that count, and reads cards (DIS-13)', async () => {
    const recommender = secretOf(11);
    const { discovery, relay } = await setUp({ standing: () => 1 });
    const pool = new SimplePool();
    onTestFinished(() => pool.close([relay.url]));
    await discovery.start();
    for (const n of [1, 2]) {
      await discovery.publishCard(
        { d: 'main', name: `P${n}`, kinds: [5_300], capabilities: [], createdAt: start - n * 1_000 },
        signer(n),
      );
    }
    await whenKnown(discovery, 2);
    const secret = Uint8Array.from(Buffer.from(recommender, 'hex'));
    const recommendation = finalizeEvent(
      {
        kind: 31_989,
        created_at: start / 1_000,
        tags: [
          ['d', '5300'],
          ['a', `31990:${await pubkeyOf(2)}:main`, relay.url],
        ],
        content: '',
      },
      secret,
    );
    const recommended = new Promise((resolve) => discovery.on('recommended', resolve));
    await Promise.all(pool.publish([relay.url], recommendation));
    await recommended;
    await eventually(async () => {
      const names = (await discovery.find({ kind: 5_300 }).toArray()).map(({ entry }) => entry.card.name);
      expect(names).toEqual(['P2', 'P1']);
    });
    const cards = await pool.querySync([relay.url], { kinds: [31_990] });
    expect(cards.map(({ pubkey }) => pubkey).sort()).toEqual([await pubkeyOf(1), await pubkeyOf(2)].sort());
  });
});
