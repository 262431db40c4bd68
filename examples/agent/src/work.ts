import { sanitizeRemoteText } from '@bonafide/cli/terminal';
import { allOrders, type Delegation, type OrderState, type Replica } from '@bonafide/delegation';
import type { RunState } from './workspace.ts';

/** One piece of work of a platform, as the report shows it. `id` is the event id of the request. */
export type Work = ReturnType<typeof workOf>[number];

/** Returns the id of a job's order. It names the run, the number and the task. */
export const orderId = ({ run }: RunState, number: number, task: string, group = 'job'): string =>
  `${group}:${run}:${number}:${task}`;

/** Returns what each platform did for an order. */
export const workOf = ({ order, replicas }: OrderState) =>
  replicas
    .filter(({ jobId }) => jobId !== null)
    .map((replica) => ({
      key: `${order.id}/${replica.number}`,
      id: replica.jobId ?? '',
      kind: order.trial === null ? ('job' as const) : ('trial' as const),
      task: order.trial?.taskId ?? order.id.split(':').slice(3).join(':'),
      platform: sanitizeRemoteText(replica.name ?? replica.platform.pubkey.slice(0, 8), 24),
      pubkey: replica.platform.pubkey,
      bidMsat: replica.bidMsat,
      ...endOf(replica),
      latencyMs: replica.answer?.latencyMs ?? null,
    }));

function endOf({ check, end, answer, chosenAt }: Replica) {
  return {
    outcome: check?.outcome ?? 'ERROR',
    cause: check?.summary ?? end?.message ?? '',
    passed: check?.passed ?? 0,
    tests: check?.tests ?? 0,
    endedAt: answer?.at ?? end?.at ?? chosenAt,
  };
}

/** Returns the finished work of a run, oldest first. */
export async function workOfRun(delegation: Pick<Delegation, 'list'>, run: RunState): Promise<Work[]> {
  const work: Work[] = [];
  for await (const { id, state } of allOrders(delegation, { settled: true })) {
    const isTrial = state.order.trial !== null && state.createdAt >= run.startedAt;
    if (isTrial || id.startsWith(`job:${run.run}:`)) work.push(...workOf(state));
  }
  return work.sort((a, b) => a.endedAt - b.endedAt || (a.key < b.key ? -1 : 1));
}

/** Returns the money that went into work that was not worth it, msat. */
export const wastedMsat = (work: readonly Work[]): number =>
  work
    .filter(({ outcome }) => outcome !== 'SUCCESS' && outcome !== 'PARTIAL')
    .reduce((sum, { bidMsat }) => sum + bidMsat, 0);
