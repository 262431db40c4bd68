import { discountInfoScore } from '../info-discount.ts';
import { computeInfoScore, type InfoScoreInput } from '../info-score.ts';
import type { Peer } from '../records.ts';
import type { LedgerDependencies } from './dependencies.ts';

/** Newest messages that a discount looks at. */
const discountMessages = 200;

/**
 * Creates the function that computes a peer's infoScore. Reads the messages for the discounts once, if
 * discounts are configured.
 */
export async function infoScorer(
  { store, config }: Pick<LedgerDependencies, 'store' | 'config'>,
  { peerId }: Peer,
): Promise<(peer: Peer) => number> {
  const discount = config.infoDiscount;
  if (discount === null) return (peer) => computeInfoScore(infoScoreInput(peer));
  const newest = await store.listInteractions({ peerId, order: 'newest', limit: discountMessages });
  const live = newest.filter((row) => row.voided === null);
  const messages = live.map(({ createdAt, contentLength }) => ({ at: createdAt, contentLength })).reverse();
  return (peer) => discountInfoScore(infoScoreInput(peer), messages, discount).score;
}

/** Returns the input of `computeInfoScore`. */
export function infoScoreInput(peer: Peer): InfoScoreInput {
  return {
    interactionCount: peer.interactionCount,
    timeSpanMs: peer.lastSeenAt - peer.firstSeenAt,
    assessmentCount: peer.assessmentCount,
  };
}
