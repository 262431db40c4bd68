import type { Transport } from '@bonafide/nostr-transport';
import * as z from 'zod';
import { maxRelayHints } from '../card/relay-hints.ts';
import { type RegistryEntry, withExperience } from '../registry/entry.ts';
import type { KnownPlatforms } from '../registry/known-platforms.ts';
import { parseRelayUrl } from '../registry/platform-key.ts';
import { readRecommendations, type Standing } from '../registry/recommendations.ts';
import type { DiscoveryStore } from '../registry/store.ts';
import { endable, readInput } from '../valid.ts';
import { type RankedRelay, rankRelays } from './rank-relays.ts';
import { afterFailure, isDue, newerRelays, type RelayListLookup } from './relay-lists.ts';
import { type ProbedRelay, probeRelay } from './relay-probe.ts';

/** Number of relays of one platform to connect to at a time. */
const maxProbes = 3;

const resultSchema = z.object({
  ok: z.boolean(),
  latencyMs: z
    .number()
    .min(0)
    .nullish()
    .transform((ms) => ms ?? null),
});

/** The methods that choose and test the relays of a platform. */
export interface PlatformRelays {
  /** Returns the relays of a platform, best first. Looks up the relay list of its author (NIP-65). Connect to few of them at once. */
  relaysFor(
    pubkey: string,
    d: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly RankedRelay[]>;
  /**
   * Connects to the relays of a platform, three at a time, and records the results as `recordRelayResult` does. The transport's
   * address guard applies: it connects to public addresses only.
   */
  probe(
    pubkey: string,
    d: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly ProbedRelay[]>;
  /** Records whether a platform was reached over a relay, for `relaysFor`. */
  recordRelayResult(
    pubkey: string,
    d: string,
    relay: string,
    result: { readonly ok: boolean; readonly latencyMs?: number | null },
  ): Promise<void>;
}

/** Creates the methods that choose and test the relays of a platform. */
export function createPlatformRelays(options: {
  readonly transport: Pick<Transport, 'query' | 'subscribe'>;
  readonly store: DiscoveryStore;
  readonly known: KnownPlatforms;
  readonly standing: Standing | null;
  /** Relays of this registry. */
  readonly relays: readonly string[];
  readonly relayLists: RelayListLookup;
  readonly timeoutMs: number;
  readonly clock: () => number;
}): PlatformRelays {
  const { transport, store, known, standing, relays, relayLists, timeoutMs, clock } = options;

  /** Returns the relay hints of the recommendations of a platform. */
  async function recommendedHints({ pubkey, canonicalD }: RegistryEntry): Promise<readonly string[]> {
    const { recommendations } = await readRecommendations(store, pubkey, canonicalD, standing ?? undefined);
    const hints = recommendations.flatMap(({ handlers }) =>
      handlers.flatMap((handler) =>
        handler.pubkey === pubkey && handler.canonicalD === canonicalD && handler.relayHint !== null
          ? [handler.relayHint]
          : [],
      ),
    );
    // Each hint costs a connection, so their number is limited.
    return [...new Set(hints)].slice(0, maxRelayHints);
  }

  const note: PlatformRelays['recordRelayResult'] = async (pubkey, d, relay, result) => {
    await known.change(pubkey, d, (current) => ({
      entry: {
        ...current,
        experience: withExperience(current.experience, relay, result),
        authorRelays: result.ok ? current.authorRelays : afterFailure(current.authorRelays, clock()),
        revision: current.revision + 1,
      },
      audit: [],
    }));
  };

  return {
    async relaysFor(pubkey, d, options = {}) {
      const { signal } = readInput(endable, options);
      const entry = await known.get(pubkey, d);
      const hints = await recommendedHints(entry);
      if (!isDue(entry.authorRelays, clock())) return rankRelays(entry, relays, hints);
      const asked = [...new Set([...relays, ...entry.sightings.map(({ relay }) => relay)])];
      const found = (await relayLists.lookUp([entry.pubkey], asked, { signal })).get(entry.pubkey);
      // A failed look-up is not stored: the last known list stays.
      if (found === undefined) return rankRelays(entry, relays, hints);
      const updated = await known.change(pubkey, d, (current) => ({
        entry: {
          ...current,
          authorRelays: newerRelays(current.authorRelays, found),
          revision: current.revision + 1,
        },
        audit: [],
      }));
      return rankRelays(updated, relays, hints);
    },

    async probe(pubkey, d, options = {}) {
      const { signal } = readInput(endable, options);
      const entry = await known.get(pubkey, d);
      const tried = rankRelays(entry, []).map(({ relay }) => relay);
      const probed: ProbedRelay[] = [];
      for (let at = 0; at < tried.length; at += maxProbes) {
        const some = tried.slice(at, at + maxProbes).map((relay) =>
          probeRelay(transport, relay, entry.pubkey, {
            timeoutMs,
            ...(signal === undefined ? {} : { signal }),
          }),
        );
        for (const result of await Promise.all(some)) {
          probed.push(result);
          await note(pubkey, d, result.relay, result);
        }
      }
      return probed;
    },

    async recordRelayResult(pubkey, d, relay, result) {
      const parsed = readInput(resultSchema, result, 'result');
      await note(pubkey, d, parseRelayUrl(relay, 'INVALID_INPUT'), parsed);
    },
  };
}
