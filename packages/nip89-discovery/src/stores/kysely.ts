/**
 * The registry in SQLite or Postgres, through any Kysely instance.
 * @packageDocumentation
 */
import { migrate } from '@bonafide/storage';
import type { Kysely } from 'kysely';
import type { AuditRow, RegistryEntry } from '../entry.ts';
import { type DiscoveryStore, termsOf } from '../store.ts';
import { discoveryMigrations } from './migrations.ts';

/** The tables as Kysely sees them. */
export interface DiscoveryTables {
  discovery_platforms: {
    agent_id: string;
    pubkey: string;
    canonical_d: string;
    status: string;
    trust_score: number | null;
    discovered_at: number;
    last_seen_at: number;
    revision: number;
    entry: string;
  };
  discovery_terms: { agent_id: string; term: string; pubkey: string; canonical_d: string };
  discovery_audit: {
    agent_id: string;
    pubkey: string;
    canonical_d: string;
    revision: number;
    position: number;
    at: number;
    what: string;
    row_json: string;
  };
  discovery_watermarks: { agent_id: string; relay: string; filter_key: string; seconds: number };
}

export interface KyselyDiscoveryStoreOptions {
  /** Whose registry: several agents may share a database, and none sees another's entries. @default 'default' */
  readonly agentId?: string;
}

/** Creates or updates the tables. Safe to call at every start. */
export async function migrateDiscovery<Database>(db: Kysely<Database>): Promise<void> {
  await migrate(db, { name: 'discovery', migrations: discoveryMigrations });
}

/** A registry store in the database that `db` is connected to, after {@link migrateDiscovery}. It never closes `db`. */
export function createKyselyDiscoveryStore<Database>(
  db: Kysely<Database>,
  options: KyselyDiscoveryStoreOptions = {},
): DiscoveryStore {
  const { agentId = 'default' } = options;
  // The caller's own type of database does not matter here: only our tables do.
  const tables = db as unknown as Kysely<DiscoveryTables>;

  return {
    async get(pubkey, canonicalD) {
      const row = await tables
        .selectFrom('discovery_platforms')
        .select('entry')
        .where('agent_id', '=', agentId)
        .where('pubkey', '=', pubkey)
        .where('canonical_d', '=', canonicalD)
        .executeTakeFirst();
      return row === undefined ? null : read<RegistryEntry>(row.entry);
    },

    async put(entry, audit) {
      const { pubkey, canonicalD, revision } = entry;
      const key = { agent_id: agentId, pubkey, canonical_d: canonicalD };
      const columns = {
        status: entry.status,
        trust_score: entry.trustScore,
        discovered_at: entry.discoveredAt,
        last_seen_at: entry.lastSeenAt,
        revision,
        entry: JSON.stringify(entry),
      };
      return tables.transaction().execute(async (transaction) => {
        // One statement both compares and writes, so that of two writers only one gets through.
        const written =
          revision === 1
            ? await transaction
                .insertInto('discovery_platforms')
                .values({ ...key, ...columns })
                .onConflict((conflict) => conflict.columns(['agent_id', 'pubkey', 'canonical_d']).doNothing())
                .executeTakeFirst()
                .then(({ numInsertedOrUpdatedRows }) => numInsertedOrUpdatedRows)
            : await transaction
                .updateTable('discovery_platforms')
                .set(columns)
                .where('agent_id', '=', agentId)
                .where('pubkey', '=', pubkey)
                .where('canonical_d', '=', canonicalD)
                .where('revision', '=', revision - 1)
                .executeTakeFirst()
                .then(({ numUpdatedRows }) => numUpdatedRows);
        if (Number(written ?? 0) === 0) return false;

        await transaction
          .deleteFrom('discovery_terms')
          .where('agent_id', '=', agentId)
          .where('pubkey', '=', pubkey)
          .where('canonical_d', '=', canonicalD)
          .execute();
        const terms = [...new Set(termsOf(entry))].map((term) => ({ ...key, term }));
        if (terms.length > 0) await transaction.insertInto('discovery_terms').values(terms).execute();
        const rows = audit.map((row, position) => ({
          ...key,
          revision,
          position,
          at: row.at,
          what: row.what,
          row_json: JSON.stringify(row),
        }));
        if (rows.length > 0) await transaction.insertInto('discovery_audit').values(rows).execute();
        return true;
      });
    },

    async find({ terms, statuses, pubkey, limit, cursor }) {
      let query = tables
        .selectFrom('discovery_platforms')
        .select(['pubkey', 'canonical_d', 'entry'])
        .where('agent_id', '=', agentId);
      if (pubkey !== undefined) query = query.where('pubkey', '=', pubkey);
      if (statuses !== undefined)
        query = query.where('status', 'in', statuses.length === 0 ? [''] : statuses);
      if (terms !== undefined) {
        query = query.where((where) =>
          where.exists(
            where
              .selectFrom('discovery_terms')
              .select('discovery_terms.term')
              .whereRef('discovery_terms.agent_id', '=', 'discovery_platforms.agent_id')
              .whereRef('discovery_terms.pubkey', '=', 'discovery_platforms.pubkey')
              .whereRef('discovery_terms.canonical_d', '=', 'discovery_platforms.canonical_d')
              .where('discovery_terms.term', 'in', terms.length === 0 ? [''] : terms),
          ),
        );
      }
      if (cursor !== undefined) {
        const [after, afterD] = [cursor.slice(0, 64), cursor.slice(64)];
        query = query.where((where) =>
          where.or([
            where('pubkey', '>', after),
            where.and([where('pubkey', '=', after), where('canonical_d', '>', afterD)]),
          ]),
        );
      }
      const rows = await query
        .orderBy('pubkey')
        .orderBy('canonical_d')
        .limit(limit + 1)
        .execute();
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const more = rows.length > limit && last !== undefined;
      return {
        items: page.map((row) => read<RegistryEntry>(row.entry)),
        nextCursor: more ? `${last.pubkey}${last.canonical_d}` : null,
      };
    },

    async history(pubkey, canonicalD, { limit, cursor }) {
      let query = tables
        .selectFrom('discovery_audit')
        .select(['revision', 'position', 'row_json'])
        .where('agent_id', '=', agentId)
        .where('pubkey', '=', pubkey)
        .where('canonical_d', '=', canonicalD);
      if (cursor !== undefined) {
        const [revision = 0, position = 0] = cursor.split('.').map(Number);
        query = query.where((where) =>
          where.or([
            where('revision', '<', revision),
            where.and([where('revision', '=', revision), where('position', '<', position)]),
          ]),
        );
      }
      const rows = await query
        .orderBy('revision', 'desc')
        .orderBy('position', 'desc')
        .limit(limit + 1)
        .execute();
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const more = rows.length > limit && last !== undefined;
      return {
        items: page.map((row) => read<AuditRow>(row.row_json)),
        nextCursor: more ? `${last.revision}.${last.position}` : null,
      };
    },

    async getWatermark(relay, key) {
      const row = await tables
        .selectFrom('discovery_watermarks')
        .select('seconds')
        .where('agent_id', '=', agentId)
        .where('relay', '=', relay)
        .where('filter_key', '=', key)
        .executeTakeFirst();
      return row === undefined ? null : Number(row.seconds);
    },

    async setWatermark(relay, key, seconds) {
      await tables
        .insertInto('discovery_watermarks')
        .values({ agent_id: agentId, relay, filter_key: key, seconds })
        .onConflict((conflict) =>
          conflict.columns(['agent_id', 'relay', 'filter_key']).doUpdateSet({ seconds }),
        )
        .execute();
    },
  };
}

/** What we wrote ourselves, in a transaction, under a checksum of the schema: read as it is. */
function read<Stored>(json: string): Stored {
  return JSON.parse(json) as Stored;
}
