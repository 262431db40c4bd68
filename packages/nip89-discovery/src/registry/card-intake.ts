import type { AddressPolicy, NostrEvent, Verifier } from '@bonafide/nostr-transport';
import { assessCardEvent, assessShaped, identifierOf, type Rejected, reject } from '../card/assess.ts';
import { readCard } from '../card/card.ts';
import { canonicalIdentifier } from '../card/identity.ts';
import type { DiscoveryConfig } from '../config.ts';
import type { RegistryEntry } from './entry.ts';
import { addSighting, applyCard, type EntryChange, rejectionByDeletion } from './entry-changes.ts';
import type { EntryWriter } from './entry-writer.ts';
import type { DiscoveryStore, PlatformLookup, PlatformRecord } from './store.ts';
import { callStore, nextTask } from './store-access.ts';

/** An event and the relay that sent it. */
export interface Arrival {
  readonly event: NostrEvent;
  readonly relay: string;
}

/** The result for a card: stored, already known, or rejected. */
export type Taken =
  | { readonly before: RegistryEntry | null; readonly entry: RegistryEntry }
  | 'known'
  | Rejected;

/** Stores cards. Call it within `EntryWriter.exclusive`. */
export interface CardIntake {
  /**
   * Stores cards in one transaction, with the same result as one after another. Emits no events.
   *
   * @throws DiscoveryError `STORE_FAILED`; then nothing was stored.
   */
  takeAll(arrivals: readonly Arrival[]): Promise<readonly Taken[]>;
}

/** Returns the deletion target of an identifier. The prefix keeps it apart from event ids. */
export const identifierTarget = (canonicalD: string) => `d:${canonicalD}`;

/** Number of cards that are evaluated at once, some milliseconds. */
const sliceSize = 128;

/** The pending change of one platform in a batch. */
interface Draft {
  change: EntryChange;
  /** Positions of its cards in the batch. */
  readonly places: number[];
}

export function createCardIntake(options: {
  readonly store: DiscoveryStore;
  readonly writer: EntryWriter;
  readonly config: DiscoveryConfig;
  readonly addresses: AddressPolicy;
  readonly verifier: Verifier | null;
  readonly clock: () => number;
}): CardIntake {
  const { store, writer, config, addresses, verifier, clock } = options;
  const { wanted, synonyms, maxCardsPerKey } = config;

  /** Returns the change that a card makes to the entry of its platform; `null` for none. */
  function evaluate(
    { event, relay }: Arrival,
    current: RegistryEntry | null,
    known: Pick<PlatformRecord, 'deletedAt' | 'cardsOfKey'>,
  ): EntryChange | Rejected | null {
    const now = clock();
    if (current?.event.id === event.id) return addSighting(current, relay, now);
    // A trusted transport has checked the shape already.
    const assess = verifier === null ? assessShaped : assessCardEvent;
    const assessed = assess(event, { now, current: current?.event ?? null, verifier });
    if (!assessed.ok) return assessed;
    const read = readCard(assessed.event, addresses);
    if (!read.ok) return read;
    const reason = rejectionByDeletion(current, known.deletedAt ?? 0, read.card.createdAt);
    if (reason !== null) return reject(reason, 'The platform deleted this card.');
    if (current === null && known.cardsOfKey >= maxCardsPerKey) {
      return reject('too-many-cards', `This key has ${known.cardsOfKey} cards already.`);
    }
    const { cardsOfKey } = known;
    const context = { relay, now, stale: assessed.stale, wanted, synonyms, addresses, cardsOfKey };
    return applyCard(current, read.card, assessed.event, context);
  }

  return {
    async takeAll(arrivals) {
      const records: PlatformRecord[] = [];
      const drafts = new Map<string, Draft>();
      /** Number of cards of each key that this batch adds. */
      const added = new Map<string, number>();

      /** Evaluates a card, and adds its change to the draft of its platform. */
      function take(arrival: Arrival, place: number): Taken {
        const { pubkey, canonicalD } = lookupFor(arrival.event);
        const { entry = null, deletedAt = null, cardsOfKey = 0 } = records[place] ?? {};
        const name = `${pubkey}${canonicalD}`;
        const draft = drafts.get(name);
        const current = draft?.change.entry ?? entry;
        const outcome = evaluate(arrival, current, {
          deletedAt,
          cardsOfKey: cardsOfKey + (added.get(pubkey) ?? 0),
        });
        if (outcome === null) return 'known';
        if ('ok' in outcome) return outcome;
        if (draft === undefined) {
          drafts.set(name, { change: outcome, places: [place] });
          if (entry === null) added.set(pubkey, (added.get(pubkey) ?? 0) + 1);
          return taken(current, outcome.entry);
        }
        // One write for all cards of a platform in the batch, so one revision more.
        const whole = { ...outcome.entry, revision: draft.change.entry.revision };
        draft.change = { entry: whole, audit: [...draft.change.audit, ...outcome.audit] };
        draft.places.push(place);
        return taken(current, whole);
      }

      const results: Taken[] = [];
      for (let at = 0; at < arrivals.length; at += sliceSize) {
        if (at > 0) await nextTask();
        const slice = arrivals.slice(at, at + sliceSize);
        records.push(...(await callStore(() => store.lookUp(slice.map(({ event }) => lookupFor(event))))));
        for (const arrival of slice) results.push(take(arrival, results.length));
      }
      const all = [...drafts.values()];
      const written =
        all.length === 0 ? [] : await callStore(() => store.put(all.map(({ change }) => change)));
      for (const [index, { places }] of all.entries()) {
        if (written[index] === true) continue;
        // Another process wrote first: evaluate again on its result.
        for (const place of places) {
          const [arrival, known] = [arrivals[place], records[place]];
          if (arrival === undefined || known === undefined) continue;
          const { pubkey, canonicalD } = lookupFor(arrival.event);
          const again = await writer.write<Rejected>(pubkey, canonicalD, (current) =>
            evaluate(arrival, current, known),
          );
          results[place] =
            'ok' in again ? again : again.after === null ? 'known' : taken(again.before, again.after);
        }
      }
      return results;
    },
  };
}

/** Returns `known` for a card that was only seen again. */
function taken(before: RegistryEntry | null, entry: RegistryEntry): Taken {
  return before?.event.id === entry.event.id ? 'known' : { before, entry };
}

function lookupFor(event: NostrEvent): PlatformLookup {
  const canonicalD = canonicalIdentifier(identifierOf(event) ?? '');
  return { pubkey: event.pubkey, canonicalD, targets: [identifierTarget(canonicalD), event.id] };
}
