import type { ValueWrite } from '../../store.ts';
import type { Scope } from './scope.ts';

/** Reads a named value of the agent, and writes it before. */
export async function keepValue(
  { db, agentId }: Scope,
  name: string,
  write?: ValueWrite,
): Promise<string | null> {
  if (write && 'replace' in write && write.replace === null) {
    await db.deleteFrom('ledger_settings').where('agent_id', '=', agentId).where('name', '=', name).execute();
    return null;
  }
  if (write) {
    const value = 'first' in write ? write.first : (write.replace ?? '');
    await db
      .insertInto('ledger_settings')
      .values({ agent_id: agentId, name, value })
      .onConflict((conflict) =>
        'first' in write
          ? conflict.doNothing()
          : conflict.columns(['agent_id', 'name']).doUpdateSet({ value }),
      )
      .execute();
  }
  const row = await db
    .selectFrom('ledger_settings')
    .select('value')
    .where('agent_id', '=', agentId)
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.value ?? null;
}
