/**
 * The registry store for SQLite and Postgres, through Kysely.
 * @packageDocumentation
 */

import type { PeerEraser } from '@bonafide/internal';
import { byteLength } from '@bonafide/internal';
import { migrate } from '@bonafide/storage';
import type { Kysely } from 'kysely';
import * as z from 'zod';
import type { DiscoveryStore } from '../registry/store.ts';
import { limits, port, readConfig } from '../valid.ts';
import { discoveryMigrations } from './migrations.ts';
import { createDeletionTable } from './sql/deletions.ts';
import { createErasure } from './sql/erasure.ts';
import { createEviction } from './sql/eviction.ts';
import { createHistoryReads } from './sql/history.ts';
import { createPlatformReads } from './sql/platform-reads.ts';
import { createPlatformWrites } from './sql/platform-writes.ts';
import { createRecommendationTables } from './sql/recommendations.ts';
import type { Scope } from './sql/scope.ts';
import { updateSearchIndex } from './sql/search-index.ts';
import { createStateTable } from './sql/state.ts';
import type { DiscoveryTables } from './sql/tables.ts';

export type { DiscoveryTables } from './sql/tables.ts';
export { discoveryMigrations };

/** Options of {@link createKyselyDiscoveryStore}. */
export interface KyselyDiscoveryStoreOptions {
  /**
   * Owner of the registry, at most 256 bytes. Several agents can share a database; each sees only its own entries. @default
   * 'default'
   */
  readonly agentId?: string;
  /** Number of deletions, and of recommendations, to keep. @default 100000 */
  readonly maxRemembered?: number;
  /** Number of rows of each history to keep, beside its first. Up to twice as many are kept for a time. @default 500 */
  readonly maxHistory?: number;
}

/** Creates or updates the tables and the search index. Safe to call at every start. */
export async function migrateDiscovery<Database>(db: Kysely<Database>): Promise<void> {
  await migrate(db, { name: 'discovery', migrations: discoveryMigrations });
  await updateSearchIndex(db as unknown as Kysely<DiscoveryTables>);
}

/** Longest `agentId`, bytes: it is part of every indexed key. */
const maxAgentIdBytes = 256;

const optionsSchema = z.strictObject({
  ...limits,
  agentId: z
    .string()
    .min(1)
    .refine((id) => byteLength(id) <= maxAgentIdBytes, `must have at most ${maxAgentIdBytes} bytes`)
    .default('default'),
});
const databaseSchema = port('selectFrom', 'insertInto', 'transaction');

/**
 * Creates a store in the database of `db`, after {@link migrateDiscovery}. It never closes `db`.
 *
 * @throws DiscoveryError `INVALID_CONFIG`
 */
export function createKyselyDiscoveryStore<Database>(
  db: Kysely<Database>,
  options: KyselyDiscoveryStoreOptions = {},
): DiscoveryStore & PeerEraser {
  const { agentId, maxRemembered = 100_000, maxHistory = 500 } = readConfig(optionsSchema, options);
  readConfig(databaseSchema, db, 'db');
  // Only the tables of this package are used, so the caller's database type does not matter.
  const scope: Scope = { db: db as unknown as Kysely<DiscoveryTables>, agentId };
  return {
    ...createPlatformReads(scope),
    ...createPlatformWrites(scope, maxHistory),
    ...createHistoryReads(scope),
    ...createEviction(scope),
    ...createStateTable(scope),
    ...createDeletionTable(scope, maxRemembered),
    ...createRecommendationTables(scope, maxRemembered),
    ...createErasure(scope),
  };
}
