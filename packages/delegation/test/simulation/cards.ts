import { buildCapabilityCard } from '@bonafide/nip89-discovery';
import type { NostrEvent } from '@bonafide/nostr-transport';
import { type Network, simulatedSigner } from './network.ts';
import type { Scheduler } from './scheduler.ts';
import type { SimulatedStranger } from './strangers.ts';

/** What a service published. */
interface Published {
  readonly cards: NostrEvent[];
  /** Time of the latest deletion, s since epoch. */
  deletedAt: number;
}

/** The cards of the world. */
export interface Cards {
  /** Returns the price on the card that counts, msat, null without a price; undefined when there is no card. */
  priceOf(pubkey: string, d: string): number | null | undefined;
  /** Returns the number of changes and deletions. */
  changes(): number;
}

/**
 * Publishes the cards of strangers, changes and deletes some, and publishes some of those again, until a time. Some versions are of the
 * same second.
 */
export function publishCards(options: {
  readonly scheduler: Scheduler;
  readonly random: () => number;
  readonly network: Network;
  readonly strangers: readonly SimulatedStranger[];
  /** Ms since epoch. */
  readonly until: number;
}): Cards {
  const { scheduler, random, network, strangers, until } = options;
  const published = new Map<string, Published>();
  const startAt = scheduler.now();
  const later = () => 20_000 + random() * Math.max(0, until - startAt - 40_000);

  const announce = async (stranger: SimulatedStranger, d: string): Promise<void> => {
    const { pubkey, priceMsat, relay } = stranger;
    const card = buildCapabilityCard({
      ...{ d, name: pubkey.slice(0, 6), kinds: [5000], capabilities: ['code'], relays: [relay] },
      ...(priceMsat === null ? {} : { pricing: { amountMsat: priceMsat } }),
      createdAt: scheduler.now(),
    });
    const event = await simulatedSigner(pubkey).signEvent(card);
    const own = published.get(`${pubkey}:${d}`) ?? { cards: [], deletedAt: 0 };
    published.set(`${pubkey}:${d}`, own);
    own.cards.push(event);
    network.post(event);
  };
  const remove = async (pubkey: string, d: string): Promise<void> => {
    const own = published.get(`${pubkey}:${d}`);
    if (own === undefined) return;
    own.deletedAt = Math.floor(scheduler.now() / 1_000);
    const tags = [
      ['a', `31990:${pubkey}:${d}`],
      ['k', '31990'],
    ];
    const deletion = { kind: 5, created_at: own.deletedAt, tags, content: '' };
    network.post(await simulatedSigner(pubkey).signEvent(deletion));
  };

  for (const stranger of strangers) {
    for (const d of stranger.services) {
      const say = () => void announce(stranger, d);
      scheduler.after(random() < 0.8 ? random() * 2_000 : later(), say);
      const fate = random();
      if (fate < 0.3) {
        scheduler.after(later(), () => {
          stranger.priceMsat = 100 + Math.floor(random() * 900);
          say();
          if (random() < 0.3) scheduler.after(random() * 900, say);
        });
      } else if (fate < 0.45) {
        const goneAt = later();
        scheduler.after(goneAt, () => void remove(stranger.pubkey, d));
        if (random() < 0.4) scheduler.after(goneAt + 2_000 + random() * 20_000, say);
      }
    }
  }

  return {
    changes: () =>
      [...published.values()].reduce(
        (sum, { cards, deletedAt }) => sum + cards.length - 1 + (deletedAt > 0 ? 1 : 0),
        0,
      ),
    priceOf(pubkey, d) {
      const own = published.get(`${pubkey}:${d}`);
      const live = own?.cards.filter(({ created_at }) => created_at > own.deletedAt) ?? [];
      const [newest] = live.sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1));
      if (newest === undefined) return undefined;
      return JSON.parse(newest.content).pricing?.amountMsat ?? null;
    },
  };
}
