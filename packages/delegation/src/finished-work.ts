import { type Finished, finishedWork } from './flow/finished.ts';
import { replicaKey } from './flow/next-step.ts';
import type { OrderState, Replica } from './order.ts';
import type { FinishedWork } from './ports.ts';

/** Describes the end of one platform's part of an order. */
export function describeWork(state: OrderState, replica: Replica, finished: Finished): FinishedWork {
  const { order } = state;
  const { platform, name, check, answer, end, bidMsat, paidMsat, chosenAt } = replica;
  return {
    key: replicaKey(state, replica.number),
    orderId: order.id,
    jobId: replica.jobId ?? '',
    platform,
    name,
    taskType: order.taskType,
    isTrial: order.trial !== null,
    isAnswered: answer !== null,
    taskId: order.trial?.taskId ?? null,
    outcome: finished.outcome,
    verifiedBy: finished.verifiedBy,
    summary: finished.summary,
    passRate: check?.passRate ?? null,
    passed: check?.passed ?? null,
    tests: check?.tests ?? null,
    latencyMs: answer?.latencyMs ?? null,
    bidMsat,
    paidMsat,
    at: answer?.at ?? end?.at ?? chosenAt,
  };
}

/** Returns what each platform did for an order, in the order of choice. Parts that have not ended are left out. */
export function finishedWorkOf(state: OrderState): readonly FinishedWork[] {
  return state.replicas.flatMap((replica) => {
    const finished = finishedWork(state, replica);
    return finished === null ? [] : [describeWork(state, replica, finished)];
  });
}
