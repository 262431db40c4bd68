import type { Scope } from './scope.ts';

const name = 'secret';

/** Stores `candidate` when the agent has no secret yet, and returns the stored secret. */
export async function keepSecret({ db, agentId }: Scope, candidate: string): Promise<string> {
  await db
    .insertInto('ledger_settings')
    .values({ agent_id: agentId, name, value: candidate })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { value } = await db
    .selectFrom('ledger_settings')
    .select('value')
    .where('agent_id', '=', agentId)
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return value;
}
