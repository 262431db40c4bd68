import type { CheckResult, EndReason, Exclusion, RecordTarget, StoredAnswer } from '../order.ts';
import type { PlatformRef } from '../platform.ts';

/** A chosen platform, as it is kept before it is asked. */
export interface ChosenPlatform {
  readonly platform: PlatformRef;
  readonly name: string | null;
  readonly relays: readonly string[];
  readonly reason: string;
  readonly trust: number | null;
  readonly probability: number | null;
  /** Id of the decision in the matrix; null when it was not the matrix that chose. */
  readonly decisionId: string | null;
  readonly bidMsat: number;
}

/** Known facts about the payment for a job, msat. */
export interface Paid {
  readonly paidMsat: number;
  readonly feesMsat: number;
  readonly heldMsat: number;
  readonly invoicedMsat: number;
}

/**
 * A fact about an order. `at` is ms since epoch. A fact that is known already, or that comes too late to matter, changes
 * nothing.
 */
export type OrderEvent =
  /** Platforms were chosen. */
  | {
      readonly type: 'chosen';
      readonly at: number;
      /** Number of the choice, from 1. */
      readonly round: number;
      readonly wanted: number;
      readonly picks: readonly ChosenPlatform[];
      readonly exclusions: readonly Exclusion[];
    }
  /** A platform was asked. */
  | { readonly type: 'requested'; readonly at: number; readonly replica: number; readonly jobId: string }
  /** An answer arrived. */
  | {
      readonly type: 'answered';
      readonly at: number;
      readonly replica: number;
      readonly answer: StoredAnswer;
      readonly paid: Paid | null;
    }
  /** There will be no answer. */
  | {
      readonly type: 'ended';
      readonly at: number;
      readonly replica: number;
      readonly reason: EndReason;
      readonly message: string;
      readonly paid: Paid | null;
    }
  /** A payment of unknown outcome may have ended. */
  | { readonly type: 'paid'; readonly at: number; readonly replica: number; readonly paid: Paid }
  /** An answer was checked. */
  | { readonly type: 'checked'; readonly at: number; readonly replica: number; readonly check: CheckResult }
  /** The end of a replica was recorded. */
  | {
      readonly type: 'recorded';
      readonly at: number;
      readonly replica: number;
      /** Whether what was recorded had an answer: one that arrives meanwhile has to be recorded as well. */
      readonly hasAnswer: boolean;
      readonly targets: readonly RecordTarget[];
    }
  /** The caller does not want the result any more. */
  | { readonly type: 'cancelled'; readonly at: number; readonly reason: string }
  /** Time has passed. */
  | { readonly type: 'woken'; readonly at: number };
