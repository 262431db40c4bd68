import type { DiscoveryStore } from '../../registry/store.ts';
import { createRetention } from './retention.ts';
import type { Scope } from './scope.ts';

/** The verbs about what was withdrawn. */
export function createDeletionTable(
  scope: Scope,
  most: number,
): Pick<DiscoveryStore, 'addWithdrawals' | 'withdrawnAt'> {
  const { db, agentId } = scope;
  const applyRetention = createRetention(scope, 'discovery_withdrawals', 'at', most);

  return {
    async addWithdrawals(pubkey, targets, at) {
      if (targets.length === 0) return;
      const rows = [...new Set(targets)].map((target) => ({ agent_id: agentId, pubkey, target, at }));
      await db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('discovery_withdrawals')
          .values(rows)
          .onConflict((conflict) =>
            conflict
              .columns(['agent_id', 'pubkey', 'target'])
              .doUpdateSet({ at })
              .where('discovery_withdrawals.at', '<', at),
          )
          .execute();
        await applyRetention(transaction, rows.length);
      });
    },

    async withdrawnAt(pubkey, targets) {
      if (targets.length === 0) return null;
      const row = await db
        .selectFrom('discovery_withdrawals')
        .select(({ fn }) => fn.max('at').as('at'))
        .where('agent_id', '=', agentId)
        .where('pubkey', '=', pubkey)
        .where('target', 'in', targets)
        .executeTakeFirst();
      return row?.at == null ? null : Number(row.at);
    },
  };
}
