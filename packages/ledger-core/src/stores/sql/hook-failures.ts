import { sql } from 'kysely';
import type { HookFailures } from '../../hook-failures.ts';
import type { Scope } from './scope.ts';

/** Adds failures to what is kept of each hook. */
export async function addHookFailures(
  { db, agentId }: Scope,
  failures: readonly HookFailures[],
): Promise<void> {
  if (failures.length === 0) return;
  const isLater = sql`excluded.last_at >= ledger_hook_failures.last_at`;
  await db
    .insertInto('ledger_hook_failures')
    .values(
      // Every process locks the rows in the same order.
      failures
        .toSorted((one, other) => (one.hook < other.hook ? -1 : 1))
        .map(({ hook, count, lastAt, lastCode }) => ({
          agent_id: agentId,
          hook,
          count,
          last_at: lastAt,
          last_code: lastCode,
        })),
    )
    .onConflict((conflict) =>
      conflict.columns(['agent_id', 'hook']).doUpdateSet({
        count: sql`ledger_hook_failures.count + excluded.count`,
        last_at: sql`case when ${isLater} then excluded.last_at else ledger_hook_failures.last_at end`,
        last_code: sql`case when ${isLater} then excluded.last_code else ledger_hook_failures.last_code end`,
      }),
    )
    .execute();
}

/** Lists the failures of every hook. */
export async function listHookFailures({ db, agentId }: Scope): Promise<readonly HookFailures[]> {
  const rows = await db
    .selectFrom('ledger_hook_failures')
    .selectAll()
    .where('agent_id', '=', agentId)
    .orderBy('hook')
    .execute();
  return rows.map((row) => ({
    hook: row.hook,
    count: Number(row.count),
    lastAt: Number(row.last_at),
    lastCode: row.last_code,
  }));
}
