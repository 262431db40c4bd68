import type { Kysely } from 'kysely';
import type { DiscoveryTables } from './tables.ts';

/** The database or a transaction of it. */
export type Executor = Kysely<DiscoveryTables>;

/** Where queries run, and whose rows they are bound to. */
export interface Scope {
  readonly db: Executor;
  readonly agentId: string;
}

/** How errors name a platform. */
export const nameOf = (pubkey: string, canonicalD: string) => `${pubkey.slice(0, 8)}… '${canonicalD}'`;
