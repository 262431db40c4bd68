import type { Job, TimeoutClass } from './job.ts';

/** Time limits and retries of a job, in ms. */
export interface JobTimings {
  /**
   * Time limit for a relay's OK in each stage of a delivery round.
   * @default [10_000, 15_000, 20_000]
   */
  readonly deliveryStagesMs: readonly [number, number, number];
  /**
   * Delays before the second and later rounds, each varied by ±20 %.
   * @default [5_000, 10_000, 20_000]
   */
  readonly retryDelaysMs: readonly number[];
  /**
   * Time from delivery to the result.
   * @default 300_000
   */
  readonly processingTimeoutMs: number;
  /**
   * Extra time per `processing` or `partial` feedback.
   * @default 60_000
   */
  readonly extensionMs: number;
  /**
   * Maximum number of extensions, so that feedback cannot keep a job open without end.
   * @default 10
   */
  readonly maxExtensions: number;
  /**
   * Time from announced success to the result.
   * @default 60_000
   */
  readonly resultTimeoutMs: number;
}

/** Default time limits. */
export const DEFAULT_TIMINGS: JobTimings = {
  deliveryStagesMs: [10_000, 15_000, 20_000],
  retryDelaysMs: [5_000, 10_000, 20_000],
  processingTimeoutMs: 300_000,
  extensionMs: 60_000,
  maxExtensions: 10,
  resultTimeoutMs: 60_000,
};

/** One stage of a delivery round: relays, and the time limit for the first OK. */
export interface DeliveryStage {
  readonly relays: readonly string[];
  readonly timeoutMs: number;
}

/** Publishing statistics of a relay. */
export interface RelayRecord {
  readonly accepted: number;
  readonly failed: number;
}

/**
 * Plans a delivery round: the provider's first relay, then its next one or the customer's first, then all of
 * the customer's. Relays with a better success rate come first; without statistics the given order is kept.
 * When the provider's relays are unknown, all of the customer's are asked at once.
 */
export function deliveryRound(
  relays: { readonly provider: readonly string[]; readonly own: readonly string[] },
  timings: Pick<JobTimings, 'deliveryStagesMs'>,
  experience: ReadonlyMap<string, RelayRecord> = new Map(),
): DeliveryStage[] {
  const theirs = bestFirst(relays.provider, experience);
  const ours = bestFirst(relays.own, experience);
  const first = theirs[0];
  const second = first === undefined ? undefined : (theirs[1] ?? ours.find((relay) => relay !== first));
  const [firstMs, secondMs, thirdMs] = timings.deliveryStagesMs;
  const stages: DeliveryStage[] = [];
  if (first !== undefined) stages.push({ relays: [first], timeoutMs: firstMs });
  if (second !== undefined) stages.push({ relays: [second], timeoutMs: secondMs });
  if (ours.length > 0) stages.push({ relays: ours, timeoutMs: thirdMs });
  return stages;
}

/** Sorts relays by success rate, with one assumed success for a relay without statistics. */
function bestFirst(relays: readonly string[], experience: ReadonlyMap<string, RelayRecord>): string[] {
  const share = (relay: string) => {
    const { accepted, failed } = experience.get(relay) ?? { accepted: 0, failed: 0 };
    return (accepted + 1) / (accepted + failed + 1);
  };
  return [...new Set(relays)].sort((a, b) => share(b) - share(a));
}

/**
 * Returns the delay before retry number `retry` (from 1), varied by ±20 %; null when no retry is left.
 * `random` is in [0, 1).
 */
export function retryDelayMs(
  retry: number,
  timings: Pick<JobTimings, 'retryDelaysMs'>,
  random: () => number,
): number | null {
  const delay = timings.retryDelaysMs[retry - 1];
  return delay === undefined ? null : Math.round(delay * (0.8 + 0.4 * random()));
}

/** The next deadline of a delivered job. */
export interface Deadline {
  readonly at: number;
  readonly timeoutClass: 'silence' | 'processing' | 'result';
}

/**
 * Computes the deadline of a delivered job: a time after delivery, extended by feedback up to a limit, or a
 * shorter time after announced success. Null before delivery, which has its own time limits.
 */
export function deadline(
  job: Pick<Job, 'deliveredAt' | 'heardAt' | 'paidAt' | 'extensions' | 'successAt'>,
  timings: JobTimings,
): Deadline | null {
  // A provider that is paid first begins when it has the money.
  const from = job.paidAt ?? job.deliveredAt ?? job.heardAt;
  if (from === null) return null;
  const extensions = Math.min(job.extensions, timings.maxExtensions);
  const limit = from + timings.processingTimeoutMs + extensions * timings.extensionMs;
  if (job.successAt !== null) {
    return { at: job.successAt + timings.resultTimeoutMs, timeoutClass: 'result' };
  }
  return { at: limit, timeoutClass: job.heardAt === null ? 'silence' : 'processing' };
}

/** Error message of each timeout. */
export const TIMEOUT_MESSAGES: Readonly<Record<TimeoutClass, string>> = {
  delivery: 'No relay accepted the request. Check the relays, or name others where the provider reads.',
  silence: 'The provider sent no answer.',
  processing: 'The provider started and did not finish in time.',
  result: 'The provider announced a result that did not arrive.',
};

/** Error message when the relays could not be read at the time limit of a silent provider. */
export const UNREAD_MESSAGE =
  'No relay could be read at the time limit, so that an answer may have been missed. Check the relays.';
