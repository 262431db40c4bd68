import * as z from 'zod';
import { readInput } from './option-schemas.ts';

/** Bid multiplier per urgency. */
const urgencyFactors = { normal: 1, urgent: 1.5, critical: 2 } as const;

/** Input of {@link computeBid}. */
export interface BidInput {
  /**
   * Usual price of such work in millisatoshi: the median of accepted bids for this type of task, else the
   * card's price or a default.
   */
  readonly baseMsat: number;
  /** @default 'normal' */
  readonly urgency?: keyof typeof urgencyFactors;
  /**
   * Wanted trust of the provider, 0…1; values above .5 raise the bid.
   * @default 0.5
   */
  readonly targetTrust?: number;
  /**
   * Market factor: 1 = bids are accepted as expected, more = bids are declined; clamped to .8–1.25.
   * @default 1
   */
  readonly market?: number;
  /** Maximum bid in millisatoshi. */
  readonly ceilingMsat: number;
}

/** A past bid for work of one type, and whether a provider accepted it. */
export interface PastBid {
  readonly bidMsat: number;
  readonly accepted: boolean;
}

/** Minimum number of past bids for a market factor. */
const enoughBids = 5;

const pastSchema = z.array(z.object({ bidMsat: z.number().min(0), accepted: z.boolean() }));
const startSchema = z.strictObject({
  cardPriceMsat: z.number().min(0).nullable(),
  defaultMsat: z.number().min(0),
});

/**
 * Derives the base and the market factor of {@link computeBid} from past bids. Base: the median of accepted
 * bids, else the price on the provider's card, else the default. Market factor: from .8 when all bids were
 * accepted to 1.25 when all were declined; 1 below five bids.
 *
 * @throws {JobError} `INVALID_INPUT`
 */
export function bidBasis(
  past: readonly PastBid[],
  start: { readonly cardPriceMsat: number | null; readonly defaultMsat: number },
): Required<Pick<BidInput, 'baseMsat' | 'market'>> {
  readInput(pastSchema, past, 'past');
  readInput(startSchema, start, 'start');
  const taken = past.filter(({ accepted }) => accepted).map(({ bidMsat }) => bidMsat);
  const sorted = taken.toSorted((a, b) => a - b);
  const middle = sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1);
  const median = middle.reduce((sum, bid) => sum + bid, 0) / middle.length;
  return {
    baseMsat: taken.length > 0 ? median : (start.cardPriceMsat ?? start.defaultMsat),
    market: past.length < enoughBids ? 1 : 1.25 - 0.45 * (taken.length / past.length),
  };
}

const bidSchema = z.strictObject({
  baseMsat: z.number().nonnegative(),
  urgency: z.enum(['normal', 'urgent', 'critical']).default('normal'),
  targetTrust: z.number().min(0).max(1).default(0.5),
  market: z.number().nonnegative().default(1),
  ceilingMsat: z.number().nonnegative(),
});

/**
 * Computes the bid for a job in millisatoshi: base × urgency × quality × market, rounded, at most the
 * ceiling.
 * @throws {JobError} `INVALID_INPUT`
 */
export function computeBid(input: BidInput): number {
  const { baseMsat, urgency, targetTrust, market, ceilingMsat } = readInput(bidSchema, input, 'bid');
  const quality = 1 + Math.max(0, targetTrust - 0.5);
  const bid = baseMsat * urgencyFactors[urgency] * quality * Math.min(1.25, Math.max(0.8, market));
  return Math.min(Math.round(bid), Math.floor(ceilingMsat));
}
