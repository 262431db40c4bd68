import type { Kysely } from 'kysely';
import type { LedgerTables } from './tables.ts';

/** The database or transaction of a query, and the agent that it is bound to. */
export interface Scope {
  readonly db: Kysely<LedgerTables>;
  readonly agentId: string;
}

/** Does `work` as one: what it throws undoes all of it. */
export function inTransaction<Result>(
  { db, agentId }: Scope,
  work: (scope: Scope) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute((transaction) => work({ db: transaction, agentId }));
}
