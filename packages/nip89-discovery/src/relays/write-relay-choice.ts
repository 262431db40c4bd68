/** The authors whose cards may be found at one relay. */
export interface WriteRelay {
  readonly url: string;
  /** Authors by whether they are known: trusted, recommended by somebody known, or reached before. */
  readonly authors: ReadonlyMap<string, boolean>;
  /** Number of the round in which it was last read; 0 for never. */
  readonly lastRound: number;
}

/** Share of the places that relays of known authors may take. */
const knownShare = 0.75;

/**
 * Chooses the relays to read: those of known authors first, but for a quarter of the places, then the others. Within each group
 * those that were not read for the longest time come first, so that every relay gets its turn, then those of most authors.
 * Keys and relay lists cost nothing, so the number of authors alone must not decide. Pure.
 */
export function chooseWriteRelays(relays: readonly WriteRelay[], most: number): WriteRelay[] {
  const byTurn = [...relays].sort(
    (a, b) => a.lastRound - b.lastRound || b.authors.size - a.authors.size || (a.url < b.url ? -1 : 1),
  );
  const isKnown = ({ authors }: WriteRelay) => [...authors.values()].includes(true);
  const known = byTurn.filter(isKnown);
  const others = byTurn.filter((relay) => !isKnown(relay));
  const first = known.slice(0, Math.max(Math.ceil(most * knownShare), most - others.length));
  return [...first, ...others].slice(0, most);
}

/**
 * Chooses the authors to ask a relay for: known ones first, then others in turn.
 *
 * @param round - Number of the round, by which the others rotate.
 */
export function chooseAuthors(
  { authors }: Pick<WriteRelay, 'authors'>,
  most: number,
  round: number,
): string[] {
  const known = [...authors].filter(([, isKnown]) => isKnown).map(([author]) => author);
  const others = [...authors].filter(([, isKnown]) => !isKnown).map(([author]) => author);
  const left = Math.max(0, most - known.length);
  const start = others.length <= left || left === 0 ? 0 : (round * left) % others.length;
  return [...known, ...others.slice(start), ...others.slice(0, start)].slice(0, most);
}
