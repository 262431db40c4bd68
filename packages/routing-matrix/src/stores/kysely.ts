/**
 * The routing log in SQLite or Postgres through Kysely.
 * @packageDocumentation
 */
import { isPreview, maxIdentifierChars, newTombstone, type PeerEraser } from '@bonafide/internal';
import { inTransaction, migrate } from '@bonafide/storage';
import type { Kysely, Selectable, Transaction } from 'kysely';
import * as z from 'zod';
import { RoutingError } from '../errors.ts';
import { eraseFromRecord, requireOperatorKey } from '../log/erase-platform.ts';
import { parseOptions, port, text } from '../schemas.ts';
import type { LogRecord, RoutingStore, StoredRecord } from '../store.ts';
import { routingMigrations } from './migrations.ts';
import { recordPage, seqOfCursor } from './page.ts';

export { routingMigrations };

/** Table types for Kysely. */
export interface RoutingTables {
  routing_heads: { agent_id: string; seq: number };
  routing_log: {
    agent_id: string;
    seq: number;
    id: string;
    kind: string;
    at: number;
    task_type: string | null;
    data: string;
  };
}

type Row = Selectable<RoutingTables['routing_log']>;

/** Options of {@link createKyselyRoutingStore}. */
export interface KyselyRoutingStoreOptions {
  /**
   * Owner of the log. Several agents may share a database; each reads its own records only. @default 'default'
   */
  readonly agentId?: string;
}

const optionsSchema = z.strictObject({ agentId: text(maxIdentifierChars).min(1).default('default') });
const databaseSchema = port('selectFrom', 'insertInto', 'updateTable', 'transaction');

/** Largest number of ids per query, because databases limit parameters. */
const idsPerQuestion = 500;

/** Creates or updates the tables. Idempotent. */
export async function migrateRouting<Database>(db: Kysely<Database>): Promise<void> {
  await migrate(db, { name: 'routing', migrations: routingMigrations });
}

/**
 * Creates a routing store over `db`, after {@link migrateRouting}. It never closes `db`.
 *
 * @throws RoutingError `INVALID_CONFIG`
 */
export function createKyselyRoutingStore<Database>(
  db: Kysely<Database>,
  options: KyselyRoutingStoreOptions = {},
): RoutingStore & PeerEraser {
  const { agentId } = parseOptions(optionsSchema, options, 'options');
  parseOptions(databaseSchema, db, 'db');
  // Only this package's tables are used, so the caller's database type is irrelevant.
  const tables = db as unknown as Kysely<RoutingTables>;
  const log = () => tables.selectFrom('routing_log').selectAll().where('agent_id', '=', agentId);

  return {
    async append(records) {
      const encoded = records.map((record) => ({ record, data: JSON.stringify(record.data) }));
      return inTransaction(tables, async (transaction) => {
        // A write first, so that this transaction holds the row until its commit and a second writer waits.
        const head = await transaction
          .insertInto('routing_heads')
          .values({ agent_id: agentId, seq: 0 })
          .onConflict((conflict) =>
            conflict.column('agent_id').doUpdateSet((table) => ({ seq: table.ref('routing_heads.seq') })),
          )
          .returning('seq')
          .executeTakeFirstOrThrow();
        const places = new Map<string, number>();
        for (let from = 0; from < records.length; from += idsPerQuestion) {
          const ids = records.slice(from, from + idsPerQuestion).map(({ id }) => id);
          const known = await transaction
            .selectFrom('routing_log')
            .select(['id', 'seq'])
            .where('agent_id', '=', agentId)
            .where('id', 'in', ids)
            .execute();
          for (const { id, seq } of known) places.set(id, Number(seq));
        }

        let seq = Number(head.seq);
        const rows: RoutingTables['routing_log'][] = [];
        const results = encoded.map(({ record, data }) => {
          const place = places.get(record.id);
          if (place !== undefined) return { seq: place, appended: false };
          seq += 1;
          places.set(record.id, seq);
          rows.push(toRow(agentId, seq, record, data));
          return { seq, appended: true };
        });
        for (let from = 0; from < rows.length; from += idsPerQuestion) {
          await transaction
            .insertInto('routing_log')
            .values(rows.slice(from, from + idsPerQuestion))
            .execute();
        }
        if (rows.length > 0) {
          await transaction
            .updateTable('routing_heads')
            .set({ seq })
            .where('agent_id', '=', agentId)
            .execute();
        }
        return results;
      });
    },

    async readAfter(afterSeq, limit) {
      const rows = await log().where('seq', '>', afterSeq).orderBy('seq').limit(limit).execute();
      return rows.map(fromRow);
    },

    async get(id) {
      const row = await log().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : fromRow(row);
    },

    async latest({ kind, taskType, limit, cursor }) {
      let query = log().where('kind', '=', kind);
      if (taskType !== undefined) query = query.where('task_type', '=', taskType);
      if (cursor !== undefined) query = query.where('seq', '<', seqOfCursor(cursor));
      const rows = await query
        .orderBy('seq', 'desc')
        .limit(limit + 1)
        .execute();
      return recordPage(rows.map(fromRow), limit);
    },

    async erasePeer(peer, options) {
      const preview = isPreview(
        options,
        (message, cause) => new RoutingError('INVALID_INPUT', message, cause),
      );
      const pubkey = requireOperatorKey(peer);
      const tombstone = newTombstone();
      const erase = async (transaction: Transaction<RoutingTables>) => {
        const pattern = `%${pubkey}%`;
        const rows = await transaction
          .selectFrom('routing_log')
          .selectAll()
          .where('agent_id', '=', agentId)
          .where(({ or, eb }) => or([eb('data', 'like', pattern), eb('id', 'like', pattern)]))
          .execute();
        const records = rows.flatMap((row) => eraseFromRecord(fromRow(row), pubkey, tombstone) ?? []);
        if (!preview)
          for (const { seq, id, data } of records)
            await transaction
              .updateTable('routing_log')
              .set({ id, data: JSON.stringify(data) })
              .where('agent_id', '=', agentId)
              .where('seq', '=', seq)
              .execute();
        return { erased: { records: records.length }, kept: {} };
      };
      return inTransaction(tables, erase, { accessMode: preview ? 'read only' : 'read write' });
    },
  };
}

function toRow(agentId: string, seq: number, record: LogRecord, data: string): RoutingTables['routing_log'] {
  const { id, kind, at, taskType } = record;
  return { agent_id: agentId, seq, id, kind, at, task_type: taskType, data };
}

function fromRow(row: Row): StoredRecord {
  return {
    seq: Number(row.seq),
    id: row.id,
    kind: row.kind,
    at: Number(row.at),
    taskType: row.task_type,
    data: parseData(row.data),
  };
}

/** Parses the data of a record. Other text than a JSON object is kept as it is, so that the matrix quarantines this record alone. */
function parseData(text: string): StoredRecord['data'] {
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data === 'object' && data !== null) return data as StoredRecord['data'];
  } catch {
    // Kept below.
  }
  return { unreadable: text };
}
