import { canonicalJson } from './canonical-json.ts';

/** Returns true when two contents are the same answer. Must be symmetric. */
export type Equivalence = (a: string, b: string) => boolean;

/**
 * Canonicalizes a content for comparison: JSON with sorted keys and without spaces; other text in NFC, with
 * `\n` line ends and without trailing or surrounding white space.
 */
export function canonicalContent(content: string): string {
  try {
    const parsed: unknown = JSON.parse(content);
    if (typeof parsed === 'object' && parsed !== null) return canonicalJson(parsed);
  } catch {
    // No JSON.
  }
  return content
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+$/gm, '')
    .trim();
}

/** The answer of one provider. */
export interface Vote {
  readonly provider: string;
  readonly content: string;
}

/** State of the vote. */
export type Consensus =
  /** Enough answers agree. `agreed` is in order of arrival. */
  | {
      readonly outcome: 'agreed';
      readonly content: string;
      readonly agreed: readonly string[];
      readonly dissented: readonly string[];
    }
  /** Pending answers can still decide. */
  | { readonly outcome: 'open' }
  /** Pending answers cannot reach the quorum any more. */
  | { readonly outcome: 'impossible' };

/**
 * Determines whether enough answers agree: byte by byte in canonical form, or by `isEquivalent`. `pending` is
 * the number of replicas without an answer. Pure. When `needed` is a majority, two groups cannot both reach
 * it.
 */
export function consensus(
  votes: readonly Vote[],
  options: { readonly needed: number; readonly pending: number; readonly isEquivalent?: Equivalence },
): Consensus {
  const { needed, pending, isEquivalent } = options;
  const groups: Vote[][] = [];
  const keys: string[] = [];
  for (const vote of votes) {
    const key = isEquivalent ? vote.content : canonicalContent(vote.content);
    const at = isEquivalent ? keys.findIndex((known) => isEquivalent(known, key)) : keys.indexOf(key);
    const group = groups[at];
    if (group) group.push(vote);
    else {
      groups.push([vote]);
      keys.push(key);
    }
  }
  const winner = groups.find((group) => group.length >= needed);
  if (winner) {
    const agreed = winner.map(({ provider }) => provider);
    const dissented = votes.flatMap(({ provider }) => (agreed.includes(provider) ? [] : [provider]));
    return { outcome: 'agreed', content: winner[0]?.content ?? '', agreed, dissented };
  }
  const largest = groups.reduce((most, group) => Math.max(most, group.length), 0);
  return { outcome: largest + pending >= needed ? 'open' : 'impossible' };
}
