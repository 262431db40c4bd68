import { parseOrThrow } from '@bonafide/internal';
import * as z from 'zod';
import { JobError } from './errors.ts';

/** How much the customer is in a hurry, and what that multiplies a bid by. */
const urgencyFactors = { normal: 1, urgent: 1.5, critical: 2 } as const;

/** What {@link computeBid} goes by. */
export interface BidInput {
  /** What such work costs: the median of what was paid for this type of task, at first the card's price or a default. In millisatoshi. */
  readonly baseMsat: number;
  /** @default 'normal' */
  readonly urgency?: keyof typeof urgencyFactors;
  /** The trust that the provider should have, 0…1: what exceeds .5 is paid for. @default 0.5 */
  readonly targetTrust?: number;
  /** How the market takes recent bids: 1 = as expected, more = bids are refused; held within .8–1.25. @default 1 */
  readonly market?: number;
  /** The most that is ever bid, in millisatoshi. */
  readonly ceilingMsat: number;
}

/** What was bid for work of one type, and whether somebody took it. */
export interface PastBid {
  readonly bidMsat: number;
  readonly accepted: boolean;
}

/** As many past bids are needed before they say something about the market. */
const enoughBids = 5;

/**
 * What {@link computeBid} goes by, from experience (JOB-14): the median of the bids that were taken — at first the price on
 * the provider's card, or the default — and a market factor that rises as bids are refused: 1.25 when all were, .8 when
 * none was, 1 as long as there are fewer than five.
 */
export function bidBasis(
  past: readonly PastBid[],
  start: { readonly cardPriceMsat: number | null; readonly defaultMsat: number },
): Required<Pick<BidInput, 'baseMsat' | 'market'>> {
  const taken = past.filter(({ accepted }) => accepted).map(({ bidMsat }) => bidMsat);
  const sorted = taken.toSorted((a, b) => a - b);
  const middle = sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1);
  const median = middle.reduce((sum, bid) => sum + bid, 0) / middle.length;
  return {
    baseMsat: taken.length > 0 ? median : (start.cardPriceMsat ?? start.defaultMsat),
    market: past.length < enoughBids ? 1 : 1.25 - 0.45 * (taken.length / past.length),
  };
}

const bidSchema = z.object({
  baseMsat: z.number().nonnegative(),
  urgency: z.enum(['normal', 'urgent', 'critical']).default('normal'),
  targetTrust: z.number().min(0).max(1).default(0.5),
  market: z.number().nonnegative().default(1),
  ceilingMsat: z.number().nonnegative(),
});

/**
 * What to offer for a job (JOB-14): base × urgency × quality × market, as a whole number of millisatoshi that never
 * exceeds the ceiling.
 * @throws {JobError} `INVALID_INPUT`
 */
export function computeBid(input: BidInput): number {
  const { baseMsat, urgency, targetTrust, market, ceilingMsat } = parseOrThrow(
    bidSchema,
    input,
    'bid',
    (message, options) => new JobError('INVALID_INPUT', message, options),
  );
  const quality = 1 + Math.max(0, targetTrust - 0.5);
  const bid = baseMsat * urgencyFactors[urgency] * quality * Math.min(1.25, Math.max(0.8, market));
  return Math.min(Math.round(bid), Math.floor(ceilingMsat));
}
