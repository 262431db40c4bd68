import type { EventNames } from '@bonafide/internal';
import type { NostrEvent } from '@bonafide/nostr-transport';
import type { JobFeedback } from '../codec/index.ts';
import type { Job, JobTransition } from '../job.ts';
import type { JobResult } from '../outcome.ts';
import type { Payment } from '../payment/payment-store.ts';
import type { IgnoredReason } from './client-context.ts';

/** Events of a client, each emitted after the change was stored. */
export interface JobClientEvents {
  /** A job changed its state. */
  readonly transition: { readonly job: Job; readonly transition: Omit<JobTransition, 'sequence'> };
  readonly feedback: { readonly job: Job; readonly feedback: JobFeedback };
  /** A payment settled, possibly after its job had ended. */
  readonly paid: { readonly job: Job; readonly payment: Payment };
  /** The result of a paid job arrived after the job had ended without one. */
  readonly 'late-result': { readonly job: Job; readonly result: JobResult };
  /** An event was not applied. `job` is the job that it names, or null. */
  readonly ignored: { readonly reason: IgnoredReason; readonly event: NostrEvent; readonly job: Job | null };
}

/** Names of the events. */
export const jobClientEventNames: EventNames<JobClientEvents> = {
  transition: true,
  feedback: true,
  paid: true,
  'late-result': true,
  ignored: true,
};
