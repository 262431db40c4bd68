import type { NostrEvent } from '@bonafide/nostr-transport';
import { FEEDBACK_KIND } from '../codec/index.ts';
import type { Charge, ProvidedJob } from './provider-store.ts';

/** Initial values of a provided job. */
export const freshProvided = {
  revision: 1,
  holder: null,
  attempts: 0,
  charge: null,
  paidAt: null,
  unpaidAt: null,
  answer: null,
  answeredAt: null,
  publishedAt: null,
  droppedAt: null,
  partialAt: null,
  refundedAt: null,
  receipt: null,
} as const satisfies Partial<ProvidedJob>;

/** An event in the life of a provided job. `at` is ms since epoch. */
export type ProvidedEvent =
  | { readonly type: 'claimed'; readonly holder: string }
  | { readonly type: 'charged'; readonly charge: Charge }
  | {
      readonly type: 'paid' | 'unpaid' | 'partial' | 'published' | 'dropped' | 'refunded';
      readonly at: number;
    }
  /** A handler starts. */
  | { readonly type: 'begun' }
  /** A clean close interrupted the handler. */
  | { readonly type: 'released' }
  | { readonly type: 'answered'; readonly answer: NostrEvent; readonly at: number }
  | { readonly type: 'receipt'; readonly receipt: NostrEvent };

/**
 * Returns the job after `event`, or the same object when the event changes nothing: the first invoice, answer and payment and
 * the latest receipt count, an answered request is not dropped, and a dropped one is not answered. Pure.
 */
export function advanceProvided(job: ProvidedJob, event: ProvidedEvent): ProvidedJob {
  const changes = changesOf(job, event);
  return changes === null ? job : { ...job, ...changes, revision: job.revision + 1 };
}

function changesOf(job: ProvidedJob, event: ProvidedEvent): Partial<ProvidedJob> | null {
  switch (event.type) {
    case 'claimed':
      return job.holder === event.holder ? null : { holder: event.holder };
    case 'charged':
      return job.charge === null ? { charge: event.charge } : null;
    case 'paid':
      return job.paidAt === null ? { paidAt: event.at, unpaidAt: null } : null;
    case 'unpaid':
      return job.paidAt === null && job.unpaidAt === null ? { unpaidAt: event.at } : null;
    case 'partial':
      return job.partialAt === null ? { partialAt: event.at } : null;
    case 'begun':
      return { attempts: job.attempts + 1 };
    case 'released':
      return { attempts: Math.max(0, job.attempts - 1), holder: null };
    case 'answered':
      return job.answer === null && job.droppedAt === null
        ? { answer: event.answer, answeredAt: event.at }
        : null;
    case 'published':
      return job.answer !== null && job.publishedAt === null ? { publishedAt: event.at } : null;
    case 'dropped':
      return job.answer === null && job.droppedAt === null ? { droppedAt: event.at } : null;
    case 'refunded':
      return job.refundedAt === null ? { refundedAt: event.at } : null;
    case 'receipt':
      return (job.receipt?.created_at ?? -1) < event.receipt.created_at ? { receipt: event.receipt } : null;
  }
}

/** Returns true while an invoice was given and the wallet has not decided whether it is paid. */
export function isPaymentUndecided(job: Pick<ProvidedJob, 'charge' | 'paidAt' | 'unpaidAt'>): boolean {
  return job.charge !== null && job.paidAt === null && job.unpaidAt === null;
}

/** Returns true for a request that still needs work: an answer, its publication, or a decision about its payment. */
export function isUnfinished(job: ProvidedJob): boolean {
  return (job.publishedAt === null && job.droppedAt === null) || isPaymentUndecided(job);
}

/** Returns true when the answer reports an error. */
function isRefusal(job: Pick<ProvidedJob, 'answer'>): boolean {
  return job.answer?.kind === FEEDBACK_KIND;
}

/** Returns true for a request that was paid, is not delivered, and is not refunded. */
export function isOwed(job: ProvidedJob): boolean {
  return job.paidAt !== null && job.refundedAt === null && (job.droppedAt !== null || isRefusal(job));
}
