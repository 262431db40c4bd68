import { inTransaction } from '@bonafide/storage';
import type { Kysely } from 'kysely';
import type { LedgerTables } from './tables.ts';

/** The database or transaction of a query, and the agent that it is bound to. */
export interface Scope {
  readonly db: Kysely<LedgerTables>;
  readonly agentId: string;
}

/**
 * Runs `work` in a transaction: what it throws undoes all of it. May run it again, see `inTransaction`. Every transaction
 * locks at most one peer that others know, and locks it first, so that no two wait for each other.
 */
export function inScope<Result>(
  { db, agentId }: Scope,
  work: (scope: Scope) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, (transaction) => work({ db: transaction, agentId }));
}
