import type { DelegationStore, OrderRecord, PlatformRef } from '../../src/index.ts';
import { committedMsat, platformId } from '../../src/index.ts';

/** What happened that must not happen. */
export type Violations = string[];

/**
 * Watches every write of an order: what is decided stays decided, what is checked stays checked, no operator is chosen twice or after it
 * left, what is delivered was right, and the budget holds.
 */
export function watchOrders(
  store: DelegationStore,
  violations: Violations,
  /** Returns true for a platform that the agent knows to have deleted its card. */
  isGone: (platform: PlatformRef) => Promise<boolean>,
): DelegationStore & { settledOrders(): number; isSettled(): boolean } {
  const latest = new Map<string, OrderRecord>();
  /** Ids of orders other than trials. */
  const settledOrders = new Set<string>();

  const inspect = (next: OrderRecord) => {
    const before = latest.get(next.id);
    const fail = (what: string) => violations.push(`order ${next.id}: ${what}`);
    const { state } = next;
    const asked = state.replicas.map(({ platform }) => platformId(platform));
    if (new Set(asked).size !== asked.length) fail('a platform was chosen twice');
    if (new Set(state.replicas.map(({ platform }) => platform.pubkey)).size !== asked.length)
      fail('an operator was chosen twice');
    for (const number of state.verifiedBy === 'judge' || state.verifiedBy === 'accept' ? state.winners : [])
      if (state.replicas[number - 1]?.check?.outcome !== 'SUCCESS')
        fail('an answer was delivered that was not right');
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
    if (next.settled && state.order.trial === null) settledOrders.add(next.id);
    else settledOrders.delete(next.id);
  };

  return {
    ...store,
    settledOrders: () => settledOrders.size,
    isSettled: () => [...latest.values()].every(({ settled }) => settled),
    async create(record) {
      const created = await store.create(record);
      if (created.created) inspect(record);
      return created;
    },
    async update(record) {
      const asked = latest.get(record.id)?.state.replicas.length ?? 0;
      const written = await store.update(record);
      if (!written) return false;
      inspect(record);
      for (const { platform } of record.state.replicas.slice(asked))
        if (await isGone(platform))
          violations.push(`order ${record.id}: ${platformId(platform)} was asked after it left`);
      return true;
    },
  };
}
