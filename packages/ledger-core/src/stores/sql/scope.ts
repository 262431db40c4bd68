import type { Kysely } from 'kysely';
import type { LedgerTables } from './tables.ts';

/** Where a query runs, on the database or in a transaction of it, and whose rows it is bound to (LED-24). */
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
