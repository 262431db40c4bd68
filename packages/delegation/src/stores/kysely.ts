/**
 * Orders and wakes in SQLite or Postgres through Kysely.
 * @packageDocumentation
 */
import { boundedId, type PeerEraser } from '@bonafide/internal';
import { keyset, migrate, prepare, withTypedErrors } from '@bonafide/storage';
import { type Kysely, sql } from 'kysely';
import * as z from 'zod';
import { DelegationError } from '../errors.ts';
import { agentIdSchema, databaseSchema, parseConfig } from '../host-options.ts';
import { parseOrderQuery, parsePrune } from '../schemas.ts';
import type { DelegationStore, Note } from '../store.ts';
import { createGroupCommit } from './group-commit.ts';
import { createKyselyErasure } from './kysely-erasure.ts';
import { type DelegationTables, type OrderRow, recordOf, rowOf } from './kysely-tables.ts';
import { createKyselyWakes } from './kysely-wakes.ts';
import { delegationMigrations } from './migrations.ts';
import { orderPage, readCursor } from './page.ts';

export type { DelegationTables } from './kysely-tables.ts';
export { delegationMigrations } from './migrations.ts';
export { createPostgresLeadership, type PostgresLeadershipOptions } from './postgres-leadership.ts';

/** Options of {@link createKyselyDelegationStore}. */
export interface KyselyDelegationStoreOptions {
  /** Owner of the orders. Several agents may share a database; each sees its own only. @default 'default' */
  readonly agentId?: string;
}

const optionsSchema = z.strictObject({ agentId: agentIdSchema });

/** Creates or updates the tables. Idempotent. */
export async function migrateDelegation<Database>(db: Kysely<Database>): Promise<void> {
  await migrate(db, { name: 'delegation', migrations: delegationMigrations });
}

/**
 * Creates a store over `db`, after {@link migrateDelegation}. It never closes `db`.
 *
 * @throws DelegationError `INVALID_CONFIG`
 */
export function createKyselyDelegationStore<Database>(
  db: Kysely<Database>,
  options: KyselyDelegationStoreOptions = {},
): DelegationStore & PeerEraser {
  const { agentId } = parseConfig(optionsSchema, options, 'options');
  parseConfig(databaseSchema, db, 'db');
  // Only this package's tables are used, so the caller's database type is irrelevant.
  const tables = db as unknown as Kysely<DelegationTables>;
  const orders = () => tables.selectFrom('delegation_orders').selectAll().where('agent_id', '=', agentId);

  const find = prepare<{ id: string }, OrderRow>((argument) => orders().where('id', '=', argument('id')));
  const insert = prepare<OrderRow, { id: string }>((argument) =>
    tables
      .insertInto('delegation_orders')
      .values({
        agent_id: argument('agent_id'),
        id: argument('id'),
        fingerprint: argument('fingerprint'),
        revision: argument('revision'),
        status: argument('status'),
        settled: argument('settled'),
        task_type: argument('task_type'),
        trial_of: argument('trial_of'),
        trial_operator: argument('trial_operator'),
        state: argument('state'),
        created_at: argument('created_at'),
        updated_at: argument('updated_at'),
      })
      .onConflict((conflict) => conflict.columns(['agent_id', 'id']).doNothing())
      .returning('id'),
  );
  type Change = Pick<OrderRow, 'id' | 'revision' | 'status' | 'settled' | 'state' | 'updated_at'> & {
    readonly before: number;
  };
  const change = prepare<Change, { id: string }>((argument) =>
    tables
      .updateTable('delegation_orders')
      .set({
        revision: argument('revision'),
        status: argument('status'),
        settled: argument('settled'),
        state: argument('state'),
        updated_at: argument('updated_at'),
      })
      .where('agent_id', '=', agentId)
      .where('id', '=', argument('id'))
      .where('revision', '=', argument('before'))
      .returning('id'),
  );
  const commit = createGroupCommit(tables);

  return withTypedErrors<DelegationStore & PeerEraser>({
    async create(record) {
      const row = rowOf(agentId, record);
      const { rows: inserted } = await commit((executor) => insert(executor, row));
      if (inserted.length > 0) return { record, created: true };
      const { rows } = await find(tables, { id: record.id });
      if (rows[0] === undefined)
        throw new DelegationError('STORE_FAILED', `Order '${record.id}' vanished while it was created.`);
      return { record: recordOf(rows[0]), created: false };
    },

    async get(id) {
      const { rows } = await find(tables, { id });
      return rows[0] === undefined ? null : recordOf(rows[0]);
    },

    async update(record) {
      const { id, revision, status, settled, state, updated_at } = rowOf(agentId, record);
      const changed = { id, revision, status, settled, state, updated_at, before: revision - 1 };
      return (await commit((executor) => change(executor, changed))).rows.length > 0;
    },

    async list(query = {}) {
      const { status, settled, taskType, trialOf, trialOperator, limit, cursor } = parseOrderQuery(query);
      let select = orders();
      if (status !== undefined) select = select.where('status', '=', status);
      if (settled !== undefined) select = select.where('settled', '=', Number(settled));
      if (taskType !== undefined) select = select.where('task_type', '=', taskType);
      if (trialOf === '*') select = select.where('trial_of', 'is not', null);
      else if (trialOf !== undefined) select = select.where('trial_of', '=', boundedId(trialOf));
      if (trialOperator !== undefined) select = select.where('trial_operator', '=', trialOperator);
      const rows = await keyset(select, {
        by: ['created_at', 'id'],
        direction: 'desc',
        after: readCursor(cursor),
      })
        .limit(limit + 1)
        .execute();
      return orderPage(rows.map(recordOf), limit);
    },

    async prune(options) {
      const { before, limit } = parsePrune(options);
      const { rows } = await sql`
        delete from delegation_orders where agent_id = ${agentId} and id in (
          select id from delegation_orders
          where agent_id = ${agentId} and settled = 1 and trial_of is null and updated_at < ${before}
          order by updated_at, id limit ${limit})
        returning id`.execute(tables);
      return rows.length;
    },

    async note(name) {
      const row = await tables
        .selectFrom('delegation_notes')
        .select(['revision', 'value'])
        .where('agent_id', '=', agentId)
        .where('name', '=', name)
        .executeTakeFirst();
      return row ?? null;
    },

    async putNote(name, note: Note) {
      const { revision, value } = note;
      const written = await commit((executor) =>
        revision === 1
          ? executor
              .insertInto('delegation_notes')
              .values({ agent_id: agentId, name, revision, value })
              .onConflict((conflict) => conflict.columns(['agent_id', 'name']).doNothing())
              .returning('name')
              .execute()
          : executor
              .updateTable('delegation_notes')
              .set({ revision, value })
              .where('agent_id', '=', agentId)
              .where('name', '=', name)
              .where('revision', '=', revision - 1)
              .returning('name')
              .execute(),
      );
      return written.length > 0;
    },

    ...createKyselyErasure(tables, agentId),
    wakes: createKyselyWakes(tables, agentId, commit),
  });
}
