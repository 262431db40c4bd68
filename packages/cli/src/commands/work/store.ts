import type { DelegationStore } from '@bonafide/delegation';
import { createKyselyDelegationStore, delegationMigrations } from '@bonafide/delegation/kysely';
import { type AgentSchema, openDatabase } from '../../databases.ts';
import type { CliIo } from '../../io.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import { databasePath } from '../../workspace.ts';

/** Tables of the orders. */
export const orderSchema: AgentSchema = {
  name: 'delegation',
  migrations: delegationMigrations,
  missing: 'There are no orders',
};

/**
 * Runs `use` with the orders of an agent, also while it works.
 *
 * @throws `DATABASE_NOT_FOUND`, `NOT_MIGRATED`, or a `StorageError`
 */
export async function withOrders<Result>(
  options: LedgerCommandOptions,
  io: CliIo,
  use: (store: DelegationStore) => Promise<Result>,
  mode: 'read' | 'write' = 'read',
): Promise<Result> {
  const db = await openDatabase(databasePath(options, io.env, 'agent'), orderSchema, mode);
  try {
    return await use(createKyselyDelegationStore(db, { agentId: options.agent }));
  } finally {
    await db.destroy();
  }
}
