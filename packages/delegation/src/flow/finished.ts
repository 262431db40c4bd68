import type { CheckResult, OrderState, RecordTarget, Replica } from '../order.ts';
import type { CheckOutcome, JournalOutcome } from '../ports.ts';

/** The end of a replica, as it is recorded. */
export interface Finished {
  readonly outcome: CheckOutcome;
  /** Null when the journal learns nothing about the platform from it. */
  readonly journal: JournalOutcome | null;
  readonly verifiedBy: 'judge' | 'accept' | 'agreement' | null;
  readonly errorKind: string | null;
  readonly summary: string;
}

/** Returns true for an answer that was checked and accepted. */
export function isAccepted({ order }: OrderState, { stage, check }: Replica): boolean {
  if (stage !== 'checked' || check === null || check.checkedBy === null) return false;
  return check.outcome === 'SUCCESS' || (order.acceptPartial && check.outcome === 'PARTIAL');
}

/** The result for an answer without a check. */
export const unchecked: CheckResult = {
  outcome: 'INFRA',
  checkedBy: null,
  passRate: null,
  passed: null,
  tests: null,
  executionMs: null,
  softLimitExceeded: null,
  errorKind: null,
  summary: 'It was not checked.',
  violations: [],
};

const journalOutcomes: Readonly<Record<CheckOutcome, JournalOutcome>> = {
  SUCCESS: 'verified',
  // Unless the order accepts it.
  PARTIAL: 'rejected',
  FAILURE: 'rejected',
  ERROR: 'rejected',
  SECURITY_VIOLATION: 'violation',
  INFRA: 'delivered',
};

/** Returns the end of a replica; null while it may change. */
export function finishedWork(state: OrderState, replica: Replica): Finished | null {
  const { end, check } = replica;
  if (replica.stage === 'ended' && end !== null) {
    const none = { verifiedBy: null, summary: end.message } as const;
    switch (end.reason) {
      case 'timeout':
        return { ...none, outcome: 'ERROR', journal: 'timeout', errorKind: 'timeout' };
      case 'declined':
      case 'too-large':
        return { ...none, outcome: 'ERROR', journal: 'declined', errorKind: 'crash' };
      default:
        return { ...none, outcome: 'INFRA', journal: null, errorKind: null };
    }
  }
  if (replica.stage !== 'checked' || check === null) return null;
  const { outcome, checkedBy, errorKind, summary } = check;
  if (checkedBy !== null) {
    const journal = isAccepted(state, replica) ? 'verified' : journalOutcomes[outcome];
    return { outcome, journal, verifiedBy: checkedBy, errorKind, summary };
  }
  if (state.status === 'open') return null;
  const takesPart = (replica.answer?.at ?? Number.POSITIVE_INFINITY) <= (state.decidedAt ?? 0);
  if (state.verifiedBy === 'agreement' && takesPart) {
    const agrees = state.winners.includes(replica.number);
    return {
      outcome: agrees ? 'SUCCESS' : 'FAILURE',
      journal: agrees ? 'verified' : 'rejected',
      verifiedBy: 'agreement',
      errorKind: null,
      summary: agrees
        ? 'Others gave the same answer.'
        : 'Its answer differs from the one that others agree on.',
    };
  }
  return { outcome: 'INFRA', journal: 'delivered', verifiedBy: null, errorKind: null, summary };
}

/**
 * Returns true for an answer that asks for money and is to be paid: it was accepted, or is used. It is paid before its end is recorded,
 * so that the records have its cost.
 */
export function isPayable(state: OrderState, replica: Replica): boolean {
  const { answer, bidMsat, paidMsat, heldMsat, recorded, number } = replica;
  const isUnpaid = paidMsat + heldMsat === 0 && !recorded.includes('payment');
  const asks = bidMsat > 0 && (answer?.invoicedMsat ?? 0) > 0;
  return isUnpaid && asks && (isAccepted(state, replica) || state.winners.includes(number));
}

/** Returns where the end of a replica still has to be recorded, in order. */
export function recordsDue(state: OrderState, replica: Replica): readonly RecordTarget[] {
  const due: RecordTarget[] = replica.jobId === null ? [] : ['request'];
  const finished = finishedWork(state, replica);
  if (finished !== null && !isPayable(state, replica)) {
    if (replica.jobId !== null) due.push('journal');
    due.push('matrix');
    if (replica.answer !== null) {
      due.push('reflection');
      if (finished.outcome !== 'INFRA') due.push('review', 'receipt');
    }
  }
  return due.filter((target) => !replica.recorded.includes(target));
}

/** Returns true while the outcome of a payment is unknown, or the answer to a paid request may still come. */
export function isClaimable({ stage, paidMsat, heldMsat, recorded }: Replica): boolean {
  if (heldMsat > 0) return stage === 'answered' || stage === 'checked' || stage === 'ended';
  return stage === 'ended' && paidMsat > 0 && !recorded.includes('claim');
}

/** Returns true when nothing is left to do for an order. */
export function isSettled(state: OrderState): boolean {
  return (
    state.status !== 'open' &&
    state.replicas.every(
      (replica) =>
        finishedWork(state, replica) !== null &&
        recordsDue(state, replica).length === 0 &&
        !isPayable(state, replica) &&
        !isClaimable(replica),
    )
  );
}
