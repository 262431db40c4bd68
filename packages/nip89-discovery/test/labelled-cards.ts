import { readFileSync } from 'node:fs';
import type { NostrEvent } from '@bonafide/nostr-transport';
import { signer, start } from './support.ts';

interface LabelledCard {
  readonly id: string;
  readonly labels: readonly string[];
  readonly tags: readonly (readonly string[])[];
  readonly content: Readonly<Record<string, string>>;
}

interface LabelledQuery {
  readonly query: string;
  readonly label?: string | null;
  readonly cards?: readonly string[];
}

const url = new URL('../../../fixtures/discovery/labelled-cards.json', import.meta.url);

/** The labelled set: what cards offer, and what people look for. */
export const labelled: {
  readonly cards: readonly LabelledCard[];
  readonly queries: readonly LabelledQuery[];
} = JSON.parse(readFileSync(url, 'utf8'));

/** Returns the cards as signed events. The id of the card is the identifier of the event. */
export function labelledEvents(): Promise<NostrEvent[]> {
  return Promise.all(
    labelled.cards.map(({ id, tags, content }, n) =>
      signer(n + 1).signEvent({
        kind: 31_990,
        created_at: start / 1_000 - n,
        tags: [['d', id], ...tags.map((tag) => [...tag])],
        content: Object.keys(content).length === 0 ? '' : JSON.stringify(content),
      }),
    ),
  );
}

/** Returns the ids of the relevant cards of a query. */
export function relevantCards({ label, cards }: LabelledQuery): Set<string> {
  if (cards !== undefined) return new Set(cards);
  return new Set(
    labelled.cards.filter(({ labels }) => label != null && labels.includes(label)).map(({ id }) => id),
  );
}

/** Counts hits of `find`, which returns the ids of the found cards. */
export async function measureFind(find: (query: string) => Promise<readonly string[]>) {
  let hits = 0;
  let returned = 0;
  let relevant = 0;
  const mistakes: string[] = [];
  for (const query of labelled.queries) {
    const wanted = relevantCards(query);
    const found = await find(query.query);
    relevant += wanted.size;
    returned += found.length;
    hits += found.filter((id) => wanted.has(id)).length;
    const extra = found.filter((id) => !wanted.has(id));
    const missed = [...wanted].filter((id) => !found.includes(id));
    if (extra.length + missed.length > 0) {
      mistakes.push(`${query.query}: not relevant ${extra.join(' ')}; missed ${missed.join(' ')}`);
    }
  }
  return { precision: hits / returned, recall: hits / relevant, hits, returned, relevant, mistakes };
}
