import type { DiscoveryStore } from '../../registry/store.ts';
import { createRetention } from './retention.ts';
import type { Scope } from './scope.ts';

/** Creates the verb for deletions. */
export function createDeletionTable(scope: Scope, most: number): Pick<DiscoveryStore, 'addDeletions'> {
  const { db, agentId } = scope;
  const applyRetention = createRetention(scope, 'discovery_deletions', 'at', most);

  return {
    async addDeletions(pubkey, targets, at) {
      if (targets.length === 0) return;
      const rows = [...new Set(targets)].map((target) => ({ agent_id: agentId, pubkey, target, at }));
      await db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('discovery_deletions')
          .values(rows)
          .onConflict((conflict) =>
            conflict
              .columns(['agent_id', 'pubkey', 'target'])
              .doUpdateSet({ at })
              .where('discovery_deletions.at', '<', at),
          )
          .execute();
        await applyRetention(transaction, rows.length);
      });
    },
  };
}
