import * as z from 'zod';
import * as aggregates from '../aggregates.ts';
import * as exporting from '../export.ts';
import * as discount from '../info-discount.ts';
import * as outcomes from '../outcome.ts';
import { checked } from '../parse.ts';
import { aggregateSchema } from '../schemas.ts';
import { finite, interaction, measuredOutcome } from './rows.ts';

/**
 * Success rate, latency and trend of one peer, every piece of work weighing `2 ** (-age / halfLife)`. Of one piece of
 * work the outcome that was received last counts. Latency is `metrics.latencyMs` where it was measured (of the answer, else
 * of the last outcome), else the time from the first message to the peer to the receipt of its first answer under the same
 * correlationId. Times that a peer claims have no influence on it.
 *
 * @throws LedgerError `INVALID_INPUT`
 */
export const computeAggregates = checked(aggregates.computeAggregates, 'computeAggregates', {
  input: z.object({ outcomes: z.array(measuredOutcome), interactions: z.array(interaction) }),
  options: aggregateSchema.extend({ now: finite }),
});

/**
 * The infoScore with what inflates it taken off: messages of a burst count as one, clockwork messages and
 * trivial ones as half. Deterministic; only the number of interactions is discounted, never the time or the
 * assessments. `messages` are those that are looked at, in order of time; their shares are taken for the whole.
 *
 * @throws LedgerError `INVALID_INPUT`
 */
export const discountInfoScore = checked(discount.discountInfoScore, 'discountInfoScore', {
  input: z.object({ interactionCount: finite, timeSpanMs: finite, assessmentCount: finite }),
  messages: z.array(z.object({ at: finite, contentLength: finite })),
  options: z
    .strictObject({
      trivialLength: finite.min(0).optional(),
      burstMs: finite.min(0).optional(),
      leastMessages: finite.min(0).optional(),
    })
    .optional(),
});

/**
 * Recomputes the infoScore from the events of a bundle, for a third party that has verified their signatures.
 * Events with the same id count once; events without `created_at` (seconds) add nothing. The number of
 * assessments is taken from the bundle. Times of events are clamped to their times of receipt, as in the ledger.
 *
 * @throws LedgerError `INVALID_INPUT`
 */
export const infoScoreOfEvidence = checked(exporting.infoScoreOfEvidence, 'infoScoreOfEvidence', {
  bundle: z.object({
    claimed: z.object({ assessmentCount: finite }),
    events: z.array(z.record(z.string(), z.unknown())),
    receivedAt: z.array(finite).optional(),
  }),
});

/**
 * Classifies an outcome: `paid` and `verified` are successes; `rejected`, `timeout`, `disputed` and
 * `violation` are failures; the others are open.
 *
 * @throws LedgerError `INVALID_INPUT`
 */
export const outcomeResult = checked(outcomes.outcomeResult, 'outcomeResult', {
  outcome: z.enum(outcomes.outcomes),
});

/**
 * Successes among finished pieces of work, 0…1; null when none is finished.
 *
 * @throws LedgerError `INVALID_INPUT`
 */
export const successRate = checked(outcomes.successRate, 'successRate', {
  counts: z.object({ successCount: finite.min(0), failureCount: finite.min(0) }),
});
