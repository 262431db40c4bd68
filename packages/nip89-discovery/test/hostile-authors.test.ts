import { eventually } from '@bonafide/internal/testing';
import type { EventTemplate, RelayReadStatus } from '@bonafide/nostr-transport';
import { describe, expect, it } from 'vitest';
import type { DiscoveryOptions } from '../src/index.ts';
import { onlyRelay, registryOver, sqliteStore } from './registry-over.ts';
import { main, pubkeyOf } from './set-up.ts';
import { cardOf, manualClock, signer, start } from './support.ts';

const sign = (n: number, template: Partial<EventTemplate>) =>
  signer(n).signEvent({ kind: 1, created_at: start / 1_000, tags: [], content: '', ...template });
const emptyCard = (n: number) =>
  sign(n, {
    kind: 31_990,
    tags: [
      ['d', main],
      ['k', '5000'],
    ],
  });

describe('an author who lies about time', () => {
  it('makes no entry unreadable with a profile or a relay list from the far future (DIS-3, DIS-6, DIS-15, DIS-19)', async () => {
    const { store } = await sqliteStore();
    const farAhead = { created_at: Number.MAX_SAFE_INTEGER };
    const { discovery } = registryOver(
      [
        await emptyCard(1),
        await sign(1, { kind: 0, content: '{"name":"Late"}', ...farAhead }),
        await sign(1, { kind: 10_002, tags: [['r', 'wss://late.example.com']], ...farAhead }),
        await sign(1, { kind: 10_002, tags: [['r', 'wss://now.example.com']] }),
        await cardOf(2),
      ],
      store,
    );
    await discovery.sync();
    expect((await discovery.entries()).items).toHaveLength(2);
    expect(await discovery.find({ kind: 5_000 }).toArray()).toHaveLength(2);
    const entry = await discovery.get(await pubkeyOf(1), main);
    expect(entry?.profile).toMatchObject({ name: null });
    expect(entry?.authorRelays?.urls).toEqual(['wss://now.example.com']);
  });

  it('deletes a card by its id, whatever the dates and the order of arrival (DIS-20)', async () => {
    const card = await cardOf(1);
    const deletion = await sign(1, {
      kind: 5,
      created_at: start / 1_000 - 60,
      tags: [
        ['e', card.id],
        ['k', '31990'],
      ],
    });
    const { discovery } = registryOver([deletion, card]);
    await discovery.sync();
    expect((await discovery.entries()).items).toEqual([]);
    expect(discovery.rejections().counts).toEqual({ deleted: 1 });
  });
});

describe('a relay that is silent when a profile is requested', () => {
  /** A transport whose relay has one card without content and a profile, and reports `status` for profiles. */
  async function relayWithProfile(status: () => RelayReadStatus) {
    const [card, profile] = [await emptyCard(1), await sign(1, { kind: 0, content: '{"name":"Ada"}' })];
    const requests: number[] = [];
    const transport: DiscoveryOptions['transport'] = {
      subscribe: () => ({ close() {} }),
      publish: async () => [],
      async query(_relays, [filter], { onRelayResult } = {}) {
        if (filter?.kinds?.includes(31_990)) return [card];
        if (!filter?.kinds?.includes(0)) return [];
        requests.push(requests.length);
        const result = { relay: onlyRelay, status: status(), received: 0, taken: 0, message: '' };
        onRelayResult?.(result);
        return result.status === 'complete' ? [profile] : [];
      },
    };
    return { transport, requests };
  }

  it.each<RelayReadStatus>(['timed-out', 'unreachable', 'refused', 'cut'])(
    'is asked again, and "no profile" is not stored: %s (DIS-6)',
    async (failure) => {
      let status = failure;
      const { transport, requests } = await relayWithProfile(() => status);
      const { discovery, clock } = registryOver([], undefined, { transport });
      const profileName = async () => (await discovery.get(await pubkeyOf(1), main))?.profile?.name;
      await discovery.sync();
      expect(await profileName()).toBeUndefined();
      await discovery.sync();
      expect(requests).toHaveLength(1);
      clock.advance(30_000);
      await discovery.sync();
      expect(requests).toHaveLength(2);
      status = 'complete';
      clock.advance(30_000);
      await discovery.sync();
      expect(requests).toHaveLength(2);
      clock.advance(30_000);
      await discovery.sync();
      expect(await profileName()).toBe('Ada');
    },
  );

  it('is asked again after a restart (DIS-6, DIS-15)', async () => {
    let status: RelayReadStatus = 'timed-out';
    const { transport } = await relayWithProfile(() => status);
    const { store } = await sqliteStore();
    const first = registryOver([], store, { transport });
    await first.discovery.sync();
    await first.discovery.close();
    status = 'complete';
    const { discovery } = registryOver([], store, { transport, clock: manualClock(), config: { tickMs: 5 } });
    await discovery.start();
    await eventually(async () =>
      expect((await discovery.get(await pubkeyOf(1), main))?.profile?.name).toBe('Ada'),
    );
  });
});
