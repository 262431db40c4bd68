/**
 * The registry in SQLite or Postgres, through any Kysely instance.
 * @packageDocumentation
 */
import { migrate } from '@bonafide/storage';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Recommendation } from '../recommendation.ts';
import { readAuditRow, readEntry, readHandlers } from '../schemas.ts';
import { type DiscoveryStore, distanceOf, readTrustCursor, termsOf, trustCursor } from '../store.ts';
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
  discovery_terms: {
    agent_id: string;
    term: string;
    status: string;
    /** 1 less the trust score: what is trusted most comes first. */
    distance: number;
    pubkey: string;
    canonical_d: string;
  };
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
  discovery_withdrawals: { agent_id: string; pubkey: string; target: string; at: number };
  discovery_recommendations: {
    agent_id: string;
    recommender: string;
    kind: number;
    event_id: string;
    created_at: number;
    handlers: string;
  };
  discovery_recommended: {
    agent_id: string;
    pubkey: string;
    canonical_d: string;
    recommender: string;
    kind: number;
  };
}

/** Whose registry it is, where several agents share a database. */
export interface KyselyDiscoveryStoreOptions {
  /** Whose registry: several agents may share a database, and none sees another's entries. @default 'default' */
  readonly agentId?: string;
  /** Withdrawals of cards that are remembered, and recommendations: the newest of each. @default 100000 */
  readonly maxRemembered?: number;
}

/** Old rows are looked for after so many new ones. */
const pruneEvery = 1_000;

/** Creates or updates the tables. Safe to call at every start. */
export async function migrateDiscovery<Database>(db: Kysely<Database>): Promise<void> {
  await migrate(db, { name: 'discovery', migrations: discoveryMigrations });
}

/** A registry store in the database that `db` is connected to, after {@link migrateDiscovery}. It never closes `db`. */
export function createKyselyDiscoveryStore<Database>(
  db: Kysely<Database>,
  options: KyselyDiscoveryStoreOptions = {},
): DiscoveryStore {
  const { agentId = 'default', maxRemembered = 100_000 } = options;
  // The caller's own type of database does not matter here: only our tables do.
  const tables = db as unknown as Kysely<DiscoveryTables>;
  // The first write after a start looks, too: runs may be short.
  const writesUntilPruned = { discovery_withdrawals: 0, discovery_recommendations: 0 };

  async function isIndexedAs(
    transaction: Transaction<DiscoveryTables>,
    terms: readonly DiscoveryTables['discovery_terms'][],
  ): Promise<boolean> {
    const [first] = terms;
    if (first === undefined) return false;
    const rows = await transaction
      .selectFrom('discovery_terms')
      .select(['term', 'status', 'distance'])
      .where('agent_id', '=', agentId)
      .where('pubkey', '=', first.pubkey)
      .where('canonical_d', '=', first.canonical_d)
      .execute();
    const wanted = new Set(terms.map(({ term }) => term));
    return (
      rows.length === wanted.size &&
      rows.every(
        ({ term, status, distance }) =>
          wanted.has(term) && status === first.status && distance === first.distance,
      )
    );
  }

  /** Keeps the newest rows only: keys cost nothing, and whoever has many could fill the disk. */
  async function prune(
    transaction: Transaction<DiscoveryTables>,
    table: 'discovery_withdrawals' | 'discovery_recommendations',
    rows: number,
  ): Promise<void> {
    writesUntilPruned[table] -= rows;
    if (writesUntilPruned[table] > 0) return;
    writesUntilPruned[table] = Math.min(pruneEvery, maxRemembered);
    const age = sql.ref(table === 'discovery_withdrawals' ? 'at' : 'created_at');
    await sql`DELETE FROM ${sql.table(table)} WHERE agent_id = ${agentId} AND ${age} < (
      SELECT ${age} FROM ${sql.table(table)} WHERE agent_id = ${agentId}
      ORDER BY ${age} DESC LIMIT 1 OFFSET ${maxRemembered - 1})`.execute(transaction);
  }

  return {
    async get(pubkey, canonicalD) {
      const row = await tables
        .selectFrom('discovery_platforms')
        .select('entry')
        .where('agent_id', '=', agentId)
        .where('pubkey', '=', pubkey)
        .where('canonical_d', '=', canonicalD)
        .executeTakeFirst();
      return row === undefined ? null : readEntry(row.entry, nameOf(pubkey, canonicalD));
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

        const place = { ...key, status: entry.status, distance: distanceOf(entry) };
        const terms = [...new Set(termsOf(entry))].map((term) => ({ ...place, term }));
        // A card that is only seen once more is found as before.
        if (revision === 1 || !(await isIndexedAs(transaction, terms))) {
          if (revision > 1) {
            await transaction
              .deleteFrom('discovery_terms')
              .where('agent_id', '=', agentId)
              .where('pubkey', '=', pubkey)
              .where('canonical_d', '=', canonicalD)
              .execute();
          }
          if (terms.length > 0) await transaction.insertInto('discovery_terms').values(terms).execute();
        }
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

    async list({ statuses, pubkey, limit, cursor }) {
      let query = tables
        .selectFrom('discovery_platforms')
        .select(['pubkey', 'canonical_d', 'entry'])
        .where('agent_id', '=', agentId);
      if (pubkey !== undefined) query = query.where('pubkey', '=', pubkey);
      if (statuses !== undefined)
        query = query.where('status', 'in', statuses.length === 0 ? [''] : statuses);
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
        items: page.map((row) => readEntry(row.entry, nameOf(row.pubkey, row.canonical_d))),
        nextCursor: more ? `${last.pubkey}${last.canonical_d}` : null,
      };
    },

    async find({ terms, statuses, limit, cursor }) {
      if (terms.length === 0 || statuses.length === 0) return { items: [], nextCursor: null };
      const after = cursor === undefined ? null : readTrustCursor(cursor);
      const past = after === null ? sql`` : sql`AND (distance, pubkey, canonical_d) > (${sql.join(after)})`;
      // One short range of the index for each term and status; together they hold the first of all.
      const ranges = [...new Set(terms)].flatMap((term) =>
        [...new Set(statuses)].map(
          (status) => sql`SELECT * FROM (
            SELECT distance, pubkey, canonical_d FROM discovery_terms
            WHERE agent_id = ${agentId} AND term = ${term} AND status = ${status} ${past}
            ORDER BY distance, pubkey, canonical_d LIMIT ${limit + 1}) AS one`,
        ),
      );
      const { rows } = await sql<{
        readonly entry: string;
        readonly distance: number;
        readonly pubkey: string;
        readonly canonical_d: string;
      }>`SELECT platform.entry, best.distance, best.pubkey, best.canonical_d
        FROM (SELECT DISTINCT distance, pubkey, canonical_d
          FROM (${sql.join(ranges, sql` UNION ALL `)}) AS every
          ORDER BY distance, pubkey, canonical_d LIMIT ${limit + 1}) AS best
        JOIN discovery_platforms AS platform
          ON platform.agent_id = ${agentId} AND platform.pubkey = best.pubkey
          AND platform.canonical_d = best.canonical_d
        ORDER BY best.distance, best.pubkey, best.canonical_d`.execute(tables);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const more = rows.length > limit && last !== undefined;
      return {
        items: page.map((row) => readEntry(row.entry, nameOf(row.pubkey, row.canonical_d))),
        nextCursor: more
          ? trustCursor({ distance: last.distance, pubkey: last.pubkey, canonicalD: last.canonical_d })
          : null,
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
        items: page.map((row) => readAuditRow(row.row_json, nameOf(pubkey, canonicalD))),
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

    async addWithdrawals(pubkey, targets, at) {
      if (targets.length === 0) return;
      const rows = [...new Set(targets)].map((target) => ({ agent_id: agentId, pubkey, target, at }));
      await tables.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('discovery_withdrawals')
          .values(rows)
          .onConflict((conflict) =>
            conflict
              .columns(['agent_id', 'pubkey', 'target'])
              .doUpdateSet({ at })
              .where('discovery_withdrawals.at', '<', at),
          )
          .execute();
        await prune(transaction, 'discovery_withdrawals', rows.length);
      });
    },

    async withdrawnAt(pubkey, targets) {
      if (targets.length === 0) return null;
      const row = await tables
        .selectFrom('discovery_withdrawals')
        .select(({ fn }) => fn.max('at').as('at'))
        .where('agent_id', '=', agentId)
        .where('pubkey', '=', pubkey)
        .where('target', 'in', targets)
        .executeTakeFirst();
      return row?.at == null ? null : Number(row.at);
    },

    async putRecommendation({ recommender, kind, eventId, createdAt, handlers }) {
      const key = { agent_id: agentId, recommender, kind };
      const columns = { event_id: eventId, created_at: createdAt, handlers: JSON.stringify(handlers) };
      return tables.transaction().execute(async (transaction) => {
        const written = await transaction
          .insertInto('discovery_recommendations')
          .values({ ...key, ...columns })
          .onConflict((conflict) =>
            conflict
              .columns(['agent_id', 'recommender', 'kind'])
              .doUpdateSet(columns)
              .where(({ or, and, eb }) =>
                or([
                  eb('discovery_recommendations.created_at', '<', createdAt),
                  and([
                    eb('discovery_recommendations.created_at', '=', createdAt),
                    eb('discovery_recommendations.event_id', '>', eventId),
                  ]),
                ]),
              ),
          )
          .executeTakeFirst();
        if (Number(written.numInsertedOrUpdatedRows ?? 0) === 0) return false;
        await transaction
          .deleteFrom('discovery_recommended')
          .where('agent_id', '=', agentId)
          .where('recommender', '=', recommender)
          .where('kind', '=', kind)
          .execute();
        const rows = handlers.map(({ pubkey, canonicalD }) => ({ ...key, pubkey, canonical_d: canonicalD }));
        if (rows.length > 0) await transaction.insertInto('discovery_recommended').values(rows).execute();
        await prune(transaction, 'discovery_recommendations', 1);
        return true;
      });
    },

    async recommendationsOf(pubkey, canonicalD, limit) {
      const rows = await tables
        .selectFrom('discovery_recommended as one')
        .innerJoin('discovery_recommendations as whole', (join) =>
          join
            .onRef('whole.agent_id', '=', 'one.agent_id')
            .onRef('whole.recommender', '=', 'one.recommender')
            .onRef('whole.kind', '=', 'one.kind'),
        )
        .select(['whole.recommender', 'whole.kind', 'whole.event_id', 'whole.created_at', 'whole.handlers'])
        .where('one.agent_id', '=', agentId)
        .where('one.pubkey', '=', pubkey)
        .where('one.canonical_d', '=', canonicalD)
        .orderBy('one.recommender')
        .orderBy('one.kind')
        .limit(limit)
        .execute();
      return rows.map(
        (row): Recommendation => ({
          recommender: row.recommender,
          kind: row.kind,
          handlers: readHandlers(row.handlers, nameOf(pubkey, canonicalD)),
          eventId: row.event_id,
          createdAt: Number(row.created_at),
        }),
      );
    },
  };
}

const nameOf = (pubkey: string, canonicalD: string) => `${pubkey.slice(0, 8)}… '${canonicalD}'`;
