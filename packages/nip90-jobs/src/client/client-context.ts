import { type Logger, silentLogger } from '@bonafide/internal';
import type { NostrEvent } from '@bonafide/nostr-transport';
import type { JobFeedback } from '../codec/index.ts';
import type { Job, JobTransition } from '../job.ts';
import type { Payment } from '../payment/payment-store.ts';
import { systemTimers, type Timers } from '../timers.ts';
import { type ClientSettings, type JobClientOptions, readClientOptions } from './client-options.ts';
import type { NoMatch } from './correlate.ts';

/**
 * Reason why an event was ignored: {@link NoMatch}, or one of these. `flood`: a provider sends more than is stored.
 * `undecryptable`: the content cannot be decrypted. `unavailable`: an answer to an open job refers to a file that cannot be
 * fetched. `unpayable`: an offer for an open job has no invoice that may be paid. `unaccepted`: the caller's `accept`
 * rejected a result for an open job.
 */
export type IgnoredReason = NoMatch | 'flood' | 'undecryptable' | 'unavailable' | 'unpayable' | 'unaccepted';

/** Time, randomness, logging and settings of a client. */
export interface ClientEnvironment {
  readonly clock: () => number;
  readonly random: () => number;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly config: ClientSettings;
}

/** Reads the environment from the options of a client; throws `INVALID_CONFIG`. */
export function readClientEnvironment(options: JobClientOptions): ClientEnvironment {
  const config = readClientOptions(options);
  return {
    clock: options.clock ?? Date.now,
    random: options.random ?? Math.random,
    timers: options.timers ?? systemTimers,
    logger: options.logger ?? silentLogger,
    config,
  };
}

/** Reports what happens to jobs, after it was stored. */
export interface JobNotifications {
  transition(job: Job, transition: Omit<JobTransition, 'sequence'>): void;
  feedback(job: Job, feedback: JobFeedback): void;
  paid(job: Job, payment: Payment): void;
  lateResult(job: Job): void;
  ignored(reason: IgnoredReason, event: NostrEvent, job: Job | null): void;
}
