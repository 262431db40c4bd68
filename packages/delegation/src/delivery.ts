import { DelegationError } from './errors.ts';
import type { CheckResult, Exclusion, OrderState, Replica, ReplicaCost } from './order.ts';
import type { PlatformRef } from './platform.ts';

/** The delivered result of an order. */
export interface Delivery {
  readonly orderId: string;
  readonly taskType: string;
  /** Text from the platform; untrusted. */
  readonly content: string;
  readonly platform: PlatformRef;
  readonly name: string | null;
  readonly jobId: string;
  /** Evidence for the delivery: the judge, the caller's check, or agreement; null: unchecked. */
  readonly verifiedBy: 'judge' | 'accept' | 'agreement' | null;
  /** Result of the check; null for an order without one. */
  readonly check: CheckResult | null;
  /** Time from request to answer, ms; null when unknown. */
  readonly latencyMs: number | null;
  /** Sum over all platforms that were asked. */
  readonly cost: ReplicaCost;
  /** Each platform's part. */
  readonly replicas: readonly Replica[];
  /** Platforms whose answers were rejected or differ. */
  readonly dissented: readonly PlatformRef[];
  readonly deliveredAt: number;
}

/** An order that ended without a delivery. */
export class OrderFailedError extends DelegationError {
  readonly orderId: string;
  /** Each platform that was not asked, or whose answer was not accepted, with the reason; the latest 200. */
  readonly exclusions: readonly Exclusion[];

  constructor({ order, failure, exclusions }: OrderState) {
    const { code, message } = failure ?? { code: 'NO_PLATFORM', message: 'The order failed.' };
    const reasons = exclusions
      .slice(0, 5)
      .map(({ platformId, reason }) => `${platformId.slice(0, 12)}: ${reason}`);
    super(code, reasons.length === 0 ? message : `${message} ${reasons.join('; ')}`);
    this.orderId = order.id;
    this.exclusions = exclusions;
  }
}

/** Sums the cost of replicas. */
function costOf(replicas: readonly Replica[]): ReplicaCost {
  const sum = (field: keyof ReplicaCost) => replicas.reduce((total, replica) => total + replica[field], 0);
  return {
    bidMsat: sum('bidMsat'),
    invoicedMsat: sum('invoicedMsat'),
    paidMsat: sum('paidMsat'),
    feesMsat: sum('feesMsat'),
    heldMsat: sum('heldMsat'),
  };
}

/** Returns the delivery of an order, the error that it ended with, or null while it is open. */
export function outcomeOf(state: OrderState): Delivery | OrderFailedError | null {
  if (state.status === 'open') return null;
  const winner = state.replicas.find(({ number }) => number === state.winners[0]);
  if (state.status !== 'delivered' || winner?.answer == null) return new OrderFailedError(state);
  const { answer, platform, name, jobId, check } = winner;
  const dissented = state.replicas.filter(
    (replica) =>
      replica.answer !== null && replica.stage === 'checked' && !state.winners.includes(replica.number),
  );
  return {
    orderId: state.order.id,
    taskType: state.order.taskType,
    content: answer.content ?? '',
    platform,
    name,
    jobId: jobId ?? '',
    verifiedBy: state.verifiedBy,
    check: check?.checkedBy == null ? null : check,
    latencyMs: answer.latencyMs,
    cost: costOf(state.replicas),
    replicas: state.replicas,
    dissented: dissented.map((replica) => replica.platform),
    deliveredAt: state.decidedAt ?? 0,
  };
}
