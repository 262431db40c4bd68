/**
 * Orders and wakes in SQLite or Postgres through Kysely.
 * @packageDocumentation
 */
import { boundedId } from '@bonafide/internal';
import { keyset, migrate, prepare } from '@bonafide/storage';
import { type Kysely, type Selectable, sql } from 'kysely';
import { DelegationError } from '../errors.ts';
import type { OrderState } from '../order.ts';
import { platformId } from '../platform.ts';
import { parseOrderQuery, parsePrune } from '../schemas.ts';
import type { DelegationStore, Note, OrderRecord } from '../store.ts';
import { createKyselyWakes, type WakeTable } from './kysely-wakes.ts';
import { delegationMigrations } from './migrations.ts';
import { orderPage, readCursor } from './page.ts';

export { delegationMigrations } from './migrations.ts';
export { createPostgresLeadership, type PostgresLeadershipOptions } from './postgres-leadership.ts';

/** Table types for Kysely. */
export interface DelegationTables {
  delegation_orders: {
    agent_id: string;
    id: string;
    fingerprint: string;
    revision: number;
    status: string;
    settled: number;
    task_type: string;
    trial_of: string | null;
    trial_operator: string | null;
    state: string;
    created_at: number;
    updated_at: number;
  };
  delegation_notes: { agent_id: string; name: string; revision: number; value: string };
  delegation_wakes: WakeTable;
}

type OrderRow = Selectable<DelegationTables['delegation_orders']>;

/** Options of {@link createKyselyDelegationStore}. */
export interface KyselyDelegationStoreOptions {
  /** Owner of the orders. Several agents may share a database; each sees its own only. @default 'default' */
  readonly agentId?: string;
}

/** Creates or updates the tables. Idempotent. */
export async function migrateDelegation<Database>(db: Kysely<Database>): Promise<void> {
  await migrate(db, { name: 'delegation', migrations: delegationMigrations });
}

/** Creates a store over `db`, after {@link migrateDelegation}. It never closes `db`. */
export function createKyselyDelegationStore<Database>(
  db: Kysely<Database>,
  { agentId = 'default' }: KyselyDelegationStoreOptions = {},
): DelegationStore {
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

  return {
    async create(record) {
      const { rows: inserted } = await insert(tables, rowOf(agentId, record));
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
      return (await change(tables, changed)).rows.length > 0;
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
      const written =
        revision === 1
          ? await tables
              .insertInto('delegation_notes')
              .values({ agent_id: agentId, name, revision, value })
              .onConflict((conflict) => conflict.columns(['agent_id', 'name']).doNothing())
              .returning('name')
              .execute()
          : await tables
              .updateTable('delegation_notes')
              .set({ revision, value })
              .where('agent_id', '=', agentId)
              .where('name', '=', name)
              .where('revision', '=', revision - 1)
              .returning('name')
              .execute();
      return written.length > 0;
    },

    wakes: createKyselyWakes(tables, agentId),
  };
}

function rowOf(agentId: string, record: OrderRecord): OrderRow {
  const { order, status } = record.state;
  return {
    agent_id: agentId,
    id: record.id,
    fingerprint: record.fingerprint,
    revision: record.revision,
    status,
    settled: Number(record.settled),
    task_type: order.taskType,
    trial_of: order.trial === null ? null : boundedId(platformId(order.trial.platform)),
    trial_operator: order.trial?.platform.pubkey ?? null,
    state: JSON.stringify(record.state),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

function recordOf(row: OrderRow): OrderRecord {
  const { id, fingerprint, settled } = row;
  return {
    id,
    fingerprint,
    revision: Number(row.revision),
    state: JSON.parse(row.state) as OrderState,
    settled: Number(settled) === 1,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}
