import type { Logger } from '@bonafide/internal';
import type { NostrEvent, Signer, Transport } from '@bonafide/nostr-transport';
import type { JobFeedback } from '../codec/index.ts';
import type { Job, JobTransition } from '../job.ts';
import type { PaymentExecutor } from '../payment/payment-executor.ts';
import type { Payment } from '../payment/payment-store.ts';
import type { FetchReference } from '../references/fetch-reference.ts';
import type { JobStore } from '../store.ts';
import type { Timers } from '../timers.ts';
import type { RelayRecord } from '../timings.ts';
import type { ClientSettings } from './client-options.ts';
import type { NoMatch } from './correlate.ts';
import type { DecryptAnswer } from './decrypt-answer.ts';
import type { ChooseOffer } from './offers.ts';

/**
 * Why an event was not taken: {@link NoMatch}, `flood` when a provider says more than is kept, or `undecryptable` when it
 * cannot be read by us. `unavailable`: an answer to an open job refers to a text that cannot be had.
 */
export type IgnoredReason = NoMatch | 'flood' | 'undecryptable' | 'unavailable';

/** What following a job needs of its client. */
export interface ClientContext {
  readonly transport: Transport;
  readonly signer: Signer;
  readonly store: JobStore;
  readonly clock: () => number;
  readonly random: () => number;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly config: ClientSettings;
  /** Null when the client has no wallet. */
  readonly payments: PaymentExecutor | null;
  readonly chooseOffer: ChooseOffer;
  /** How relays did so far; written here. */
  readonly experience: Map<string, RelayRecord>;
  readonly decryptAnswer: DecryptAnswer;
  readonly fetchReference: FetchReference;
  /** Runs a fetch when there is room: each may hold as much as the limit in memory. */
  fetching<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Runs a piece of delivery when there is room: connections take only so much at once. */
  delivering<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Looks for stored answers to the job and takes them in. */
  recover(job: Job, signal: AbortSignal): Promise<void>;
  onTransition(job: Job, transition: Omit<JobTransition, 'sequence'>): void;
  onFeedback(job: Job, feedback: JobFeedback): void;
  onPaid(job: Job, payment: Payment): void;
  onIgnored(reason: IgnoredReason, event: NostrEvent, job: Job): void;
  onEnd(jobId: string): void;
}
