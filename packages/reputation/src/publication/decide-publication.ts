import * as z from 'zod';
import { parseInput } from '../errors.ts';

/** Reason for which a review is offered for publication. */
export type PublicationEvent = 'benchmark' | 'score_change' | 'security';

/** Input of {@link decidePublication}. */
export interface PublicationInput {
  /**
   * - `benchmark`: an evaluation was completed.
   * - `score_change`: the opinion changed.
   * - `security`: the subject attacked the reviewer.
   */
  readonly event: PublicationEvent;
  /** Time of the event, ms since epoch. */
  readonly completedAt: number;
  /** trustScore of the last review of the same subject, service and task that was published, 0…1; null without one. */
  readonly previousPublished: number | null;
  /** trustScore of this review, 0…1. */
  readonly current: number;
  /** True while the subject disputes what this opinion rests on. @default false */
  readonly disputed?: boolean;
  /** ms since epoch. */
  readonly now: number;
}

/** Settings of {@link decidePublication}. */
export interface PublicationRules {
  /** Time between a benchmark and its publication, ms. @default 24 hours */
  readonly coolingOffMs?: number;
  /** Change of the trustScore above which a review is published at once. @default 0.2 */
  readonly minimumChange?: number;
}

/** The result of {@link decidePublication}. */
export interface PublicationDecision {
  /**
   * - `publish`: the review may be published now.
   * - `wait`: not before `publishAt`.
   * - `hold`: not before the dispute is decided.
   * - `skip`: never, because it says nothing new.
   */
  readonly action: 'publish' | 'wait' | 'hold' | 'skip';
  /** Time from which the review may be published, ms since epoch; null when it is held or skipped. */
  readonly publishAt: number | null;
  /** True when the operator and readers have to be warned. */
  readonly alert: boolean;
  /** Human-readable reason. */
  readonly reason: string;
}

const share = z.number().min(0).max(1);
const time = z.number().min(0);
const inputSchema = z.object({
  event: z.enum(['benchmark', 'score_change', 'security']),
  completedAt: time,
  previousPublished: share.nullable(),
  current: share,
  disputed: z.boolean().default(false),
  now: time,
});

const rulesSchema = z.strictObject({
  coolingOffMs: z.number().min(0).default(86_400_000),
  minimumChange: share.default(0.2),
});

/**
 * Decides whether and when a review is published. The first rule that applies wins: an attack is published at once and with
 * an alert, also during a dispute; a disputed review is held; a change of more than 0.2 since the last published review is
 * published at once, a smaller one not at all; everything else after a cooling-off of 24 hours. Pure.
 *
 * @throws ReputationError `INVALID_INPUT`
 */
export function decidePublication(
  input: PublicationInput,
  rules: PublicationRules = {},
): PublicationDecision {
  const { coolingOffMs, minimumChange } = parseInput(rulesSchema, 'rules', rules);
  const { event, completedAt, previousPublished, current, disputed, now } = parseInput(
    inputSchema,
    'input',
    input,
  );
  if (event === 'security')
    return {
      action: 'publish',
      publishAt: completedAt,
      alert: true,
      reason: 'The subject attacked: warn at once.',
    };
  if (disputed)
    return {
      action: 'hold',
      publishAt: null,
      alert: false,
      reason: 'The subject disputes it: held until decided.',
    };
  if (event === 'score_change' && previousPublished !== null) {
    // Differences of decimals are inexact: 0.9 − 0.7 is a little more than 0.2.
    const change = Math.abs(current - previousPublished);
    const isLarge = change > minimumChange + 1e-9;
    return isLarge
      ? {
          action: 'publish',
          publishAt: completedAt,
          alert: false,
          reason: `The score changed by ${change.toFixed(3)}.`,
        }
      : {
          action: 'skip',
          publishAt: null,
          alert: false,
          reason: `The score changed by ${change.toFixed(3)} only.`,
        };
  }
  const publishAt = completedAt + coolingOffMs;
  return now >= publishAt
    ? { action: 'publish', publishAt, alert: false, reason: 'The cooling-off is over.' }
    : { action: 'wait', publishAt, alert: false, reason: 'The cooling-off is not over.' };
}
