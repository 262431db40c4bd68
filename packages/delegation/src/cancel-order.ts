import { DelegationError } from './errors.ts';
import { isSettled } from './flow/finished.ts';
import { nextStep } from './flow/next-step.ts';
import { parseCancellation, parseOrderId, parseStore } from './schemas.ts';
import type { DelegationStore, OrderRecord } from './store.ts';

/**
 * Queue of the store in which other programs leave the ids of orders that they cancelled. Every process of the agent takes them from
 * there to its own engine, which those programs do not know.
 */
export const cancelledQueue = 'cancelled';

/**
 * Cancels an order in its store, beside a running agent, which notices it within about a second, whatever its engine. Returns the
 * order; one that has ended is unchanged.
 *
 * @throws DelegationError `ORDER_NOT_FOUND`, `INVALID_INPUT`
 */
export async function cancelOrder(
  store: DelegationStore,
  id: string,
  options: { readonly at: number; readonly reason: string },
): Promise<OrderRecord> {
  parseOrderId(id);
  parseStore(store);
  const { at, reason } = parseCancellation(options);
  for (;;) {
    const record = await store.get(id);
    if (record === null) throw new DelegationError('ORDER_NOT_FOUND', `There is no order '${id}'.`);
    const { state } = nextStep(record.state, { type: 'cancelled', at, reason });
    if (state === record.state) return record;
    const settled = isSettled(state);
    const cancelled = { ...record, revision: record.revision + 1, state, settled, updatedAt: at };
    if (!(await store.update(cancelled))) continue;
    await store.wakes.put({ queue: cancelledQueue, id, dueAt: at, priority: 1 });
    return cancelled;
  }
}
