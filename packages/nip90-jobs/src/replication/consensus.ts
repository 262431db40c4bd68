import { canonicalJson } from '@bonafide/internal';

/** How much depends on a piece of work (JOB-13). */
export type Criticality = 'low' | 'medium' | 'high' | 'critical';

/** How many are asked and how many of them must agree. */
export interface ReplicationPlan {
  readonly replicas: number;
  readonly needed: number;
}

/**
 * JOB-13: low asks one; medium two, of whom the first success counts; high three, of whom a majority must agree; critical
 * 2f + 1 = 5 with f = 2, so that three must agree and two may lie together.
 */
export const REPLICATION_PLANS: Readonly<Record<Criticality, ReplicationPlan>> = {
  low: { replicas: 1, needed: 1 },
  medium: { replicas: 2, needed: 1 },
  high: { replicas: 3, needed: 2 },
  critical: { replicas: 5, needed: 3 },
};

/** True when two contents are the same answer. Must hold both ways. */
export type Equivalence = (a: string, b: string) => boolean;

/**
 * A content as it is compared: JSON with its keys in order and no spaces; other text in Unicode's composed form, with
 * plain line ends and without spaces at the ends of lines and around the whole.
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

/** What one provider answered. */
export interface Vote {
  readonly provider: string;
  readonly content: string;
}

/** How things stand with the answers that are there. */
export type Consensus =
  /** Enough agree. `agreed` in the order in which they answered. */
  | {
      readonly outcome: 'agreed';
      readonly content: string;
      readonly agreed: readonly string[];
      readonly dissented: readonly string[];
    }
  /** Those who have not answered may still decide it. */
  | { readonly outcome: 'open' }
  /** Even if all others answered alike there would not be enough. */
  | { readonly outcome: 'impossible' };

/**
 * Whether enough answers agree (JOB-13): bit by bit in their canonical form, or as `isEquivalent` says. `pending` is how many
 * have not answered yet. Pure. With `needed` more than half of those asked, no two groups can both be enough.
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
