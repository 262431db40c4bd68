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

/** A labelled set: what cards offer, and what people look for. */
export interface LabelledSet {
  readonly cards: readonly LabelledCard[];
  readonly queries: readonly LabelledQuery[];
}

function read(name: string): LabelledSet {
  const url = new URL(`../../../fixtures/discovery/${name}`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8'));
}

export const labelled = read('labelled-cards.json');
/** Cards and queries by somebody who did not know the vocabulary. */
export const secondAuthor = read('second-author.json');

/** Returns the cards as signed events. The id of the card is the identifier of the event. */
export function labelledEvents(set: LabelledSet = labelled): Promise<NostrEvent[]> {
  return Promise.all(
    set.cards.map(({ id, tags, content }, n) =>
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
export function relevantCards({ label, cards }: LabelledQuery, set: LabelledSet = labelled): Set<string> {
  if (cards !== undefined) return new Set(cards);
  return new Set(
    set.cards.filter(({ labels }) => label != null && labels.includes(label)).map(({ id }) => id),
  );
}

/** Counts hits of `find`, which returns the ids of the found cards. */
export async function measureFind(
  find: (query: string) => Promise<readonly string[]>,
  set: LabelledSet = labelled,
) {
  let hits = 0;
  let returned = 0;
  let relevant = 0;
  const mistakes: string[] = [];
  for (const query of set.queries) {
    const wanted = relevantCards(query, set);
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
