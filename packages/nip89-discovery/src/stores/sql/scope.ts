import type { Kysely } from 'kysely';
import type { DiscoveryTables } from './tables.ts';

/** A database or a transaction of it. */
export type Executor = Kysely<DiscoveryTables>;

/** The database and the owner of the rows. */
export interface Scope {
  readonly db: Executor;
  readonly agentId: string;
}

/** Returns the name of a platform for error messages. */
export const nameOf = (pubkey: string, canonicalD: string) => `${pubkey.slice(0, 8)}… '${canonicalD}'`;
