import { pageOf } from '@bonafide/internal';
import { keyset } from '@bonafide/storage';
import { sql } from 'kysely';
import { entryCursor, foundCursor } from '../../registry/cursors.ts';
import { readEntry } from '../../registry/schemas.ts';
import type { DiscoveryStore } from '../../registry/store.ts';
import { prepareList } from './batches.ts';
import { nameOf, type Scope } from './scope.ts';

interface EntryRow {
  readonly pubkey: string;
  readonly canonical_d: string;
  readonly entry: string;
}

const entryOf = ({ entry, pubkey, canonical_d }: EntryRow) => readEntry(entry, nameOf(pubkey, canonical_d));

/** Creates the verbs that read platforms. */
export function createPlatformReads({
  db,
  agentId,
}: Scope): Pick<DiscoveryStore, 'lookUp' | 'list' | 'find'> {
  const entriesOf = prepareList(
    (list) => sql<EntryRow>`SELECT pubkey, canonical_d, entry FROM discovery_platforms
      WHERE agent_id = ${agentId} AND (pubkey, canonical_d) IN (VALUES ${list})`,
  );
  const countsOf = prepareList(
    (list) => sql<{ readonly pubkey: string; readonly n: number }>`SELECT pubkey, COUNT(*) AS n
      FROM discovery_platforms WHERE agent_id = ${agentId} AND pubkey IN (${list}) GROUP BY pubkey`,
  );
  const deletionsOf = prepareList(
    (list) => sql<{ readonly pubkey: string; readonly target: string; readonly at: number }>`
      SELECT pubkey, target, at FROM discovery_deletions
      WHERE agent_id = ${agentId} AND (pubkey, target) IN (VALUES ${list})`,
  );

  return {
    async lookUp(wanted) {
      const places = wanted.map(({ pubkey, canonicalD }) => [pubkey, canonicalD]);
      const entries = await entriesOf(db, places);
      const keys = [...new Set(wanted.map(({ pubkey }) => pubkey))].map((pubkey) => [pubkey]);
      const counts = await countsOf(db, keys);
      const targets = wanted.flatMap(({ pubkey, targets: its }) => its.map((target) => [pubkey, target]));
      const buried = await deletionsOf(db, targets);
      const found = new Map(entries.map((row) => [row.pubkey + row.canonical_d, row]));
      const cardsOf = new Map(counts.map(({ pubkey, n }) => [pubkey, Number(n)]));
      const dates = new Map(buried.map(({ pubkey, target, at }) => [pubkey + target, Number(at)]));
      return wanted.map(({ pubkey, canonicalD, targets: its }) => {
        const row = found.get(pubkey + canonicalD);
        const at = its.flatMap((target) => dates.get(pubkey + target) ?? []);
        return {
          entry: row === undefined ? null : entryOf(row),
          deletedAt: at.length === 0 ? null : Math.max(...at),
          cardsOfKey: cardsOf.get(pubkey) ?? 0,
        };
      });
    },

    async list({ statuses, pubkey, limit, cursor }) {
      let query = db
        .selectFrom('discovery_platforms')
        .select(['pubkey', 'canonical_d', 'entry'])
        .where('agent_id', '=', agentId);
      if (pubkey !== undefined) query = query.where('pubkey', '=', pubkey);
      if (statuses !== undefined)
        query = query.where('status', 'in', statuses.length === 0 ? [''] : statuses);
      const rows = await keyset(query, {
        by: ['pubkey', 'canonical_d'],
        direction: 'asc',
        after: entryCursor.read(cursor),
      })
        .limit(limit + 1)
        .execute();
      const page = pageOf(rows, limit, (last) => entryCursor.write(last.pubkey, last.canonical_d));
      return { items: page.items.map(entryOf), nextCursor: page.nextCursor };
    },

    async find({ terms, statuses, stale, limit, cursor }) {
      if (terms.length === 0 || statuses.length === 0) return { items: [], nextCursor: null };
      const after = foundCursor.read(cursor);
      const past = after === null ? sql`` : sql`AND (distance, pubkey, canonical_d) > (${sql.join(after)})`;
      // Fresh entries have ranks below 1.
      const half = stale ? sql`AND distance >= 1` : sql`AND distance < 1`;
      // One short index range per term and status; together they contain the first results.
      const ranges = [...new Set(terms)].flatMap((term) =>
        [...new Set(statuses)].map(
          (status) => sql`SELECT * FROM (
            SELECT distance, pubkey, canonical_d FROM discovery_terms
            WHERE agent_id = ${agentId} AND term = ${term} AND status = ${status} ${half} ${past}
            ORDER BY distance, pubkey, canonical_d LIMIT ${limit + 1}) AS one`,
        ),
      );
      const { rows } = await sql<
        Omit<EntryRow, 'entry'> & { readonly entry: string | null; readonly distance: number }
      >`
        SELECT platform.entry, best.distance, best.pubkey, best.canonical_d
        FROM (SELECT DISTINCT distance, pubkey, canonical_d
          FROM (${sql.join(ranges, sql` UNION ALL `)}) AS every
          ORDER BY distance, pubkey, canonical_d LIMIT ${limit + 1}) AS best
        LEFT JOIN discovery_platforms AS platform
          ON platform.agent_id = ${agentId} AND platform.pubkey = best.pubkey
          AND platform.canonical_d = best.canonical_d
        ORDER BY best.distance, best.pubkey, best.canonical_d`.execute(db);
      const page = pageOf(rows, limit, (last) =>
        foundCursor.write(last.distance, last.pubkey, last.canonical_d),
      );
      // A process of an older version may leave terms of a platform that was removed.
      const items = page.items.flatMap(({ entry, ...row }) =>
        entry === null ? [] : entryOf({ ...row, entry }),
      );
      return { items, nextCursor: page.nextCursor };
    },
  };
}
