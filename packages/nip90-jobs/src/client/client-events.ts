import type { NostrEvent } from '@bonafide/nostr-transport';
import type { JobFeedback } from '../codec/index.ts';
import type { Job, JobTransition } from '../job.ts';
import type { Payment } from '../payment/payment-store.ts';
import type { IgnoredReason } from './client-context.ts';

/** What a client tells its listeners. */
export interface JobClientEvents {
  /** A job moved from one state to another; it is stored already. */
  readonly transition: { readonly job: Job; readonly transition: Omit<JobTransition, 'sequence'> };
  readonly feedback: { readonly job: Job; readonly feedback: JobFeedback };
  /** A provider was paid; it is stored already. */
  readonly paid: { readonly job: Job; readonly payment: Payment };
  /** An event that is not counted as an answer. `job` is the one it named, if it is ours. */
  readonly ignored: { readonly reason: IgnoredReason; readonly event: NostrEvent; readonly job: Job | null };
}
