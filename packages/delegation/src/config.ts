import { parseOrThrow } from '@bonafide/internal';
import * as z from 'zod';
import { DelegationError } from './errors.ts';

const count = z.int().min(1);
const msat = z.int().min(0);
const duration = z.number().positive().max(2_147_483_647);

const configSchema = z.strictObject({
  attempts: count.max(100).default(3),
  acceptPartial: z.boolean().default(false),
  kinds: z.record(z.string(), z.int().min(5000).max(5999)).default({}),
  channel: z.string().min(1).default('nostr'),
  concurrency: count.max(10_000).default(200),
  judging: count.max(1_000).default(2),
  recheckMs: duration.default(600_000),
  checkTimeoutMs: duration.default(600_000),
  watchIntervalMs: duration.default(1_000),
  lateMs: duration.default(7 * 86_400_000),
  trialMsat: msat.default(1_000),
  trialsPerDayMsat: msat.default(100_000),
  platformsOnTrial: count.max(1_000).default(5),
  heartbeatMs: duration.default(86_400_000),
  upkeepMs: duration.default(300_000),
});

/** Settings of a delegation. As input every field is optional; unknown fields are rejected. */
export interface DelegationConfig {
  /** Number of times that platforms are chosen for an order. @default 3 */
  readonly attempts: number;
  /** Accepts an answer that the judge calls `PARTIAL`. @default false */
  readonly acceptPartial: boolean;
  /** Kind of the job request by task type; 5000 for the others. @default {} */
  readonly kinds: Readonly<Record<string, number>>;
  /** Channel of the platforms in the journal. @default 'nostr' */
  readonly channel: string;
  /** Number of orders that this process works on at once. @default 200 */
  readonly concurrency: number;
  /** Number of answers that this process judges at once. @default 2 */
  readonly judging: number;
  /** Interval at which a waiting order is looked at although nothing was heard, ms. @default 600000 */
  readonly recheckMs: number;
  /**
   * Longest time that the check of an answer may take, ms. A check of the caller that takes longer has not accepted the answer; the
   * judge is asked again. @default 600000
   */
  readonly checkTimeoutMs: number;
  /**
   * Interval at which `delegate` reads an order that another process may finish, and with an engine of your own also at which orders are
   * looked for that another program cancelled, ms. @default 1000
   */
  readonly watchIntervalMs: number;
  /** Time for which the answer to a paid request is expected after its job ended, ms. @default 7 days */
  readonly lateMs: number;
  /** Most that a trial pays, msat. @default 1000 */
  readonly trialMsat: number;
  /**
   * Most that trials may promise in 24 hours, msat. What was promised to a platform that did not answer is free again, except what it
   * was paid. @default 100000
   */
  readonly trialsPerDayMsat: number;
  /** Number of operators that are on trial at once. @default 5 */
  readonly platformsOnTrial: number;
  /** Time without verified work after which a platform gets a benchmark, ms. @default 86400000 */
  readonly heartbeatMs: number;
  /** Interval at which `keepUp` looks for something to do, ms. @default 300000 */
  readonly upkeepMs: number;
}

/** Returns the kind of a request for a task type. */
export const kindOf = ({ kinds }: Pick<DelegationConfig, 'kinds'>, taskType: string): number =>
  (Object.hasOwn(kinds, taskType) ? kinds[taskType] : undefined) ?? 5000;

/** {@link DelegationConfig} as input: every field is optional. */
export type DelegationConfigInput = z.input<typeof configSchema>;

/**
 * Validates settings and applies defaults.
 *
 * @throws DelegationError `INVALID_CONFIG`, naming the field
 */
export function resolveConfig(input: DelegationConfigInput = {}): DelegationConfig {
  return parseOrThrow(
    configSchema,
    input,
    'config',
    (message, options) => new DelegationError('INVALID_CONFIG', message, options),
  );
}
