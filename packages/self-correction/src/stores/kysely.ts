/**
 * Proposals and audit log in SQLite or Postgres through Kysely.
 * @packageDocumentation
 */
import { migrate } from '@bonafide/storage';
import type { Generated, Kysely } from 'kysely';
import * as z from 'zod';
import { type AuditEntry, type AuditLog, readAuditQuery } from '../audit/audit-log.ts';
import { constantName } from '../edit/definition.ts';
import { parseConfig, parseInput } from '../errors.ts';
import { agentOptionsSchema, databaseSchema } from '../host-options.ts';
import { selfCorrectionMigrations } from './migrations.ts';
import type { ProposalStore } from './proposal-store.ts';

export { selfCorrectionMigrations } from './migrations.ts';

/** Table types for Kysely. */
export interface SelfCorrectionTables {
  self_correction_proposals: { agent_id: string; constant: string; revision: number; data: string };
  self_correction_audit: {
    seq: Generated<number>;
    agent_id: string;
    constant: string;
    at: number;
    data: string;
  };
}

/** Options of the stores. */
export interface KyselySelfCorrectionOptions {
  /** Owner. Several agents may share a database; each reads its own rows only. @default 'default' */
  readonly agentId?: string;
}

/** Creates or updates the tables. Idempotent. */
export async function migrateSelfCorrection<Database>(db: Kysely<Database>): Promise<void> {
  await migrate(db, { name: 'self_correction', migrations: selfCorrectionMigrations });
}

const timeSchema = z.number().min(0);

// Only this package's tables are used, so the caller's database type is irrelevant.
const tablesOf = <Database>(db: Kysely<Database>) => db as unknown as Kysely<SelfCorrectionTables>;

/**
 * Creates a proposal store over `db`, after {@link migrateSelfCorrection}. It never closes `db`.
 *
 * @throws SelfCorrectionError `INVALID_CONFIG`
 */
export function createKyselyProposalStore<Database>(
  db: Kysely<Database>,
  options: KyselySelfCorrectionOptions = {},
): ProposalStore {
  const { agentId } = parseConfig(agentOptionsSchema, 'options', options);
  const tables = tablesOf(parseConfig(databaseSchema, 'db', db) as Kysely<Database>);
  return {
    async get(constant) {
      const row = await tables
        .selectFrom('self_correction_proposals')
        .select('data')
        .where('agent_id', '=', agentId)
        .where('constant', '=', constant)
        .executeTakeFirst();
      return row === undefined ? null : JSON.parse(row.data);
    },

    async put(proposal) {
      const { constant, revision } = proposal;
      const values = { revision, data: JSON.stringify(proposal) };
      if (revision === 1) {
        const inserted = await tables
          .insertInto('self_correction_proposals')
          .values({ agent_id: agentId, constant, ...values })
          .onConflict((conflict) => conflict.columns(['agent_id', 'constant']).doNothing())
          .executeTakeFirst();
        return Number(inserted.numInsertedOrUpdatedRows) === 1;
      }
      const updated = await tables
        .updateTable('self_correction_proposals')
        .set(values)
        .where('agent_id', '=', agentId)
        .where('constant', '=', constant)
        .where('revision', '=', revision - 1)
        .executeTakeFirst();
      return Number(updated.numUpdatedRows) === 1;
    },
  };
}

/** An audit log in a database, with its retention. */
export interface KyselyAuditLog extends AuditLog {
  /** Deletes entries older than `before`, ms since epoch. Returns their number. */
  prune(before: number): Promise<number>;
}

/**
 * Creates an audit log over `db`, after {@link migrateSelfCorrection}. It never closes `db`.
 *
 * @throws SelfCorrectionError `INVALID_CONFIG`
 */
export function createKyselyAuditLog<Database>(
  db: Kysely<Database>,
  options: KyselySelfCorrectionOptions = {},
): KyselyAuditLog {
  const { agentId } = parseConfig(agentOptionsSchema, 'options', options);
  const tables = tablesOf(parseConfig(databaseSchema, 'db', db) as Kysely<Database>);
  return {
    async append(entry) {
      const { at, task } = entry;
      await tables
        .insertInto('self_correction_audit')
        .values({ agent_id: agentId, constant: constantName(task), at, data: JSON.stringify(entry) })
        .execute();
    },

    async read(options = {}) {
      const { task, limit } = readAuditQuery(options);
      let query = tables.selectFrom('self_correction_audit').select('data').where('agent_id', '=', agentId);
      if (task !== undefined) query = query.where('constant', '=', constantName(task));
      const rows = await query.orderBy('seq', 'desc').limit(limit).execute();
      return rows.map(({ data }): AuditEntry => JSON.parse(data)).toReversed();
    },

    async prune(before) {
      parseInput(timeSchema, 'before', before);
      const deleted = await tables
        .deleteFrom('self_correction_audit')
        .where('agent_id', '=', agentId)
        .where('at', '<', before)
        .executeTakeFirst();
      return Number(deleted.numDeletedRows);
    },
  };
}
