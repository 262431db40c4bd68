import type { Job } from './job.ts';

/** How long is waited and how often is tried (JOB-7, JOB-8). All times in ms. */
export interface JobTimings {
  /** How long each stage of a round waits for a relay's OK. @default [10_000, 15_000, 20_000] */
  readonly deliveryStagesMs: readonly [number, number, number];
  /** Waits before the rounds after the first; each is varied by ±20 %. @default [5_000, 10_000, 20_000] */
  readonly retryDelaysMs: readonly number[];
  /** From delivery to the result. @default 300_000 */
  readonly processingTimeoutMs: number;
  /** What each feedback that says the work goes on adds to that. @default 60_000 */
  readonly extensionMs: number;
  /** How many of them count, so that feedback cannot keep a job alive for ever. @default 10 */
  readonly maxExtensions: number;
  /** From announced success to the result. @default 60_000 */
  readonly resultTimeoutMs: number;
}

/** The times of JOB-7 and JOB-8. */
export const DEFAULT_TIMINGS: JobTimings = {
  deliveryStagesMs: [10_000, 15_000, 20_000],
  retryDelaysMs: [5_000, 10_000, 20_000],
  processingTimeoutMs: 300_000,
  extensionMs: 60_000,
  maxExtensions: 10,
  resultTimeoutMs: 60_000,
};

/** One step of a delivery round: these relays, and how long to wait for the first OK. */
export interface DeliveryStage {
  readonly relays: readonly string[];
  readonly timeoutMs: number;
}

/** How publishing to a relay went so far. */
export interface RelayRecord {
  readonly accepted: number;
  readonly failed: number;
}

/**
 * One round of delivery (JOB-7): the provider's first relay, then its next one or the customer's first, then all of
 * the customer's. Relays that did better so far go first; without experience the given order stands. When nothing is
 * known of where the provider reads, all of the customer's relays are asked at once.
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

/** Sorted by the share of accepted events, one success assumed for a relay never tried. */
function bestFirst(relays: readonly string[], experience: ReadonlyMap<string, RelayRecord>): string[] {
  const share = (relay: string) => {
    const { accepted, failed } = experience.get(relay) ?? { accepted: 0, failed: 0 };
    return (accepted + 1) / (accepted + failed + 1);
  };
  return [...new Set(relays)].sort((a, b) => share(b) - share(a));
}

/** Before the `retry`-th repetition (from 1): its delay ±20 %; null when there are no more. `random` is in [0, 1). */
export function retryDelayMs(
  retry: number,
  timings: Pick<JobTimings, 'retryDelaysMs'>,
  random: () => number,
): number | null {
  const delay = timings.retryDelaysMs[retry - 1];
  return delay === undefined ? null : Math.round(delay * (0.8 + 0.4 * random()));
}

/** What is due next for a job that was delivered, and when. */
export interface Deadline {
  readonly at: number;
  readonly timeoutClass: 'silence' | 'processing' | 'result';
}

/**
 * When waiting for a delivered job ends (JOB-8): a time after delivery, longer by each sign of work up to a limit, or
 * a shorter time after success was announced. Null before delivery: that ends by its own rounds.
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
