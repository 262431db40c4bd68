import type { DelegationStore, OrderRecord } from '../../src/index.ts';
import { committedMsat, platformId } from '../../src/index.ts';

/** What happened that must not happen. */
export type Violations = string[];

/**
 * Watches every write of an order: what is decided stays decided, what is checked stays checked, nobody is chosen twice, and the
 * budget holds.
 */
export function watchOrders(
  store: DelegationStore,
  violations: Violations,
): DelegationStore & { settledOrders(): number } {
  const latest = new Map<string, OrderRecord>();

  const inspect = (next: OrderRecord) => {
    const before = latest.get(next.id);
    const fail = (what: string) => violations.push(`order ${next.id}: ${what}`);
    const { state } = next;
    const asked = state.replicas.map(({ platform }) => platformId(platform));
    if (new Set(asked).size !== asked.length) fail('a platform was chosen twice');
    const committed = state.replicas.reduce((sum, replica) => sum + committedMsat(state, replica), 0);
    if (committed > state.order.maxMsat) fail(`${committed} msat committed of ${state.order.maxMsat}`);
    if (before !== undefined) {
      if (next.revision !== before.revision + 1) fail('a revision was skipped');
      if (before.state.status !== 'open' && before.state.status !== state.status) fail('a decision changed');
      if (before.state.status !== 'open' && `${before.state.winners}` !== `${state.winners}`)
        fail('the winner changed');
      for (const replica of before.state.replicas) {
        const now = state.replicas[replica.number - 1];
        if (now === undefined || platformId(now.platform) !== platformId(replica.platform))
          fail('a replica changed its platform');
        if (replica.jobId !== null && now?.jobId !== replica.jobId) fail('a replica has two jobs');
        const was = replica.check?.checkedBy == null ? null : JSON.stringify(replica.check);
        if (was !== null && was !== JSON.stringify(now?.check)) fail('a verdict changed');
      }
    }
    latest.set(next.id, next);
  };

  return {
    ...store,
    settledOrders: () => [...latest.values()].filter(({ settled }) => settled).length,
    async create(record) {
      const created = await store.create(record);
      if (created.created) inspect(record);
      return created;
    },
    async update(record) {
      const written = await store.update(record);
      if (written) inspect(record);
      return written;
    },
  };
}
