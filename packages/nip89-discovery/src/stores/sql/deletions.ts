import { inTransaction } from '@bonafide/storage';
import { sql } from 'kysely';
import type { DiscoveryStore } from '../../registry/store.ts';
import { createRetention } from './retention.ts';
import type { Scope } from './scope.ts';

/** Creates the verb for deletions. */
export function createDeletionTable(scope: Scope, most: number): Pick<DiscoveryStore, 'addDeletions'> {
  const { db, agentId } = scope;
  const table = { name: 'discovery_deletions', owner: 'pubkey', rest: 'target', age: 'at' };
  // Deletions of platforms that are stored matter most; those of other keys are read again with their cards.
  const isKept = sql`EXISTS (SELECT 1 FROM discovery_platforms AS platform
    WHERE platform.agent_id = one.agent_id AND platform.pubkey = one.pubkey)`;
  const applyRetention = createRetention(scope, { ...table, isKept }, most);

  return {
    async addDeletions(pubkey, targets, at) {
      if (targets.length === 0) return;
      const rows = [...new Set(targets)].sort().map((target) => ({ agent_id: agentId, pubkey, target, at }));
      await inTransaction(db, (transaction) =>
        transaction
          .insertInto('discovery_deletions')
          .values(rows)
          .onConflict((conflict) =>
            conflict
              .columns(['agent_id', 'pubkey', 'target'])
              .doUpdateSet({ at })
              .where('discovery_deletions.at', '<', at),
          )
          .execute(),
      );
      await applyRetention(rows.length);
    },
  };
}
