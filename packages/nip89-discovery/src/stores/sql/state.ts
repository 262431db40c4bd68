import type { DiscoveryStore } from '../../registry/store.ts';
import type { Scope } from './scope.ts';

/** Creates the verbs for reader state. */
export function createStateTable({ db, agentId }: Scope): Pick<DiscoveryStore, 'getState' | 'putState'> {
  return {
    async getState(keys) {
      if (keys.length === 0) return new Map();
      const rows = await db
        .selectFrom('discovery_state')
        .select(['key', 'value'])
        .where('agent_id', '=', agentId)
        .where('key', 'in', keys)
        .execute();
      return new Map(rows.map(({ key, value }) => [key, value]));
    },

    async putState(values) {
      const rows = [...values].map(([key, value]) => ({ agent_id: agentId, key, value }));
      if (rows.length === 0) return;
      await db
        .insertInto('discovery_state')
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(['agent_id', 'key']).doUpdateSet(({ ref }) => ({ value: ref('excluded.value') })),
        )
        .execute();
    },
  };
}
