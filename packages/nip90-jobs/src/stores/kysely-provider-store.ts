import { type PeerEraser, pageOf } from '@bonafide/internal';
import { inTransaction, withTypedErrors } from '@bonafide/storage';
import type { ExpressionBuilder, Kysely, Selectable, Transaction } from 'kysely';
import { FEEDBACK_KIND } from '../codec/index.ts';
import { requirePublicKey } from '../codec/public-key.ts';
import { database as databaseSchema, kyselyOptions, readConfig } from '../option-schemas.ts';
import type { ProvidedJob, ProvidedQuery, ProviderStore } from '../provider/provider-store.ts';
import { createKyselyLeases } from './kysely-leases.ts';
import { pageSize, providedCursor, readProvidedCursor } from './page.ts';
import {
  type JobsDatabase,
  type KyselyJobsOptions,
  type ProvidedTable,
  providedRow,
  readRow,
} from './tables.ts';

type Builder = ExpressionBuilder<JobsDatabase, 'jobs_provided'>;

const unfinished = ({ and, or, eb }: Builder) =>
  or([
    and([eb('published_at', 'is', null), eb('dropped_at', 'is', null)]),
    and([eb('charge', 'is not', null), eb('paid_at', 'is', null), eb('unpaid_at', 'is', null)]),
  ]);
const owed = ({ and, or, eb }: Builder) =>
  and([
    eb('paid_at', 'is not', null),
    eb('refunded_at', 'is', null),
    or([eb('dropped_at', 'is not', null), eb('answer_kind', '=', FEEDBACK_KIND)]),
  ]);
const conditions: Readonly<Record<ProvidedQuery, (builder: Builder) => ReturnType<typeof owed>>> = {
  unfinished,
  owed,
  receipts: ({ and, eb }) => and([eb('receipt', 'is not', null)]),
};

/**
 * Creates the provider store of an agent in a database. Call {@link migrateJobs} first. The caller closes the database.
 * Providers with different keys need different agent ids.
 */
export function createKyselyProviderStore(
  // biome-ignore lint/suspicious/noExplicitAny: the caller's database may hold tables of other packages.
  database: Kysely<any>,
  options: KyselyJobsOptions = {},
): ProviderStore & PeerEraser {
  const { agentId } = readConfig(kyselyOptions, options);
  readConfig(databaseSchema, database, 'database');
  const db = database as Kysely<JobsDatabase>;

  return withTypedErrors<ProviderStore & PeerEraser>({
    ...createKyselyLeases(db),

    async take(job) {
      const inserted = await db
        .insertInto('jobs_provided')
        .values({ ...rowOfProvided(job), agent_id: agentId })
        .onConflict((conflict) => conflict.columns(['agent_id', 'request_id']).doNothing())
        .returning('request_id')
        .execute();
      return inserted.length > 0;
    },

    async get(requestId) {
      const row = await db
        .selectFrom('jobs_provided')
        .selectAll()
        .where('agent_id', '=', agentId)
        .where('request_id', '=', requestId)
        .executeTakeFirst();
      return row ? providedOfRow(row) : null;
    },

    async list(query, { limit, cursor } = {}) {
      const size = pageSize(limit);
      const from = readProvidedCursor(cursor);
      let select = db
        .selectFrom('jobs_provided')
        .selectAll()
        .where('agent_id', '=', agentId)
        .where(conditions[query])
        .orderBy('received_at')
        .orderBy('request_id')
        .limit(size + 1);
      if (from !== null) {
        select = select.where(({ eb, or, and }) =>
          or([
            eb('received_at', '>', from[0]),
            and([eb('received_at', '=', from[0]), eb('request_id', '>', from[1])]),
          ]),
        );
      }
      const rows = await select.execute();
      return pageOf(rows.map(providedOfRow), size, providedCursor);
    },

    async update(job) {
      const updated = await db
        .updateTable('jobs_provided')
        .set(rowOfProvided(job))
        .where('agent_id', '=', agentId)
        .where('request_id', '=', job.requestId)
        .where('revision', '=', job.revision - 1)
        .returning('request_id')
        .execute();
      return updated.length > 0;
    },

    async watermark(source) {
      const row = await db
        .selectFrom('jobs_watermarks')
        .select('seconds')
        .where('agent_id', '=', agentId)
        .where('source', '=', source)
        .executeTakeFirst();
      return row ? Number(row.seconds) : null;
    },

    async setWatermark(source, seconds) {
      await db
        .insertInto('jobs_watermarks')
        .values({ agent_id: agentId, source, seconds })
        .onConflict((conflict) =>
          conflict
            .columns(['agent_id', 'source'])
            .doUpdateSet({ seconds })
            .where('jobs_watermarks.seconds', '<', seconds),
        )
        .execute();
    },

    async prune({ before }) {
      const deleted = await db
        .deleteFrom('jobs_provided')
        .where('agent_id', '=', agentId)
        .where(({ eb, or }) => or([eb('answered_at', '<', before), eb('dropped_at', '<', before)]))
        .where((builder) => builder.not(unfinished(builder)))
        .where((builder) => builder.not(owed(builder)))
        .returning('request_id')
        .execute();
      return deleted.length;
    },

    async erasePeer(peer, { preview = false } = {}) {
      const customer = requirePublicKey(peer);
      const erase = async (transaction: Transaction<JobsDatabase>) => {
        const rows = await transaction
          .selectFrom('jobs_provided')
          .select([
            'request_id',
            (builder) => builder.or([unfinished(builder), owed(builder)]).as('is_needed'),
          ])
          .where('agent_id', '=', agentId)
          .where('customer', '=', customer)
          .execute();
        const finished = rows.filter(({ is_needed }) => !is_needed);
        if (!preview)
          for (const { request_id } of finished)
            await transaction
              .deleteFrom('jobs_provided')
              .where('agent_id', '=', agentId)
              .where('request_id', '=', request_id)
              .execute();
        return { erased: { requests: finished.length }, kept: { requests: rows.length - finished.length } };
      };
      return inTransaction(db, erase, { accessMode: preview ? 'read only' : 'read write' });
    },
  });
}

function rowOfProvided(job: ProvidedJob) {
  return {
    request_id: job.requestId,
    customer: job.customer,
    kind: job.kind,
    request: JSON.stringify(job.request),
    received_at: job.receivedAt,
    revision: job.revision,
    holder: job.holder,
    attempts: job.attempts,
    charge: job.charge && JSON.stringify(job.charge),
    paid_at: job.paidAt,
    unpaid_at: job.unpaidAt,
    answer: job.answer && JSON.stringify(job.answer),
    answer_kind: job.answer?.kind ?? null,
    answered_at: job.answeredAt,
    published_at: job.publishedAt,
    dropped_at: job.droppedAt,
    refunded_at: job.refundedAt,
    partial_at: job.partialAt,
    receipt: job.receipt && JSON.stringify(job.receipt),
  };
}

function providedOfRow(row: Selectable<ProvidedTable>): ProvidedJob {
  const read = readRow(providedRow, row);
  return {
    requestId: read.request_id,
    customer: read.customer,
    kind: read.kind,
    request: read.request,
    receivedAt: read.received_at,
    revision: read.revision,
    holder: read.holder,
    attempts: read.attempts,
    charge: read.charge,
    paidAt: read.paid_at,
    unpaidAt: read.unpaid_at,
    answer: read.answer,
    answeredAt: read.answered_at,
    publishedAt: read.published_at,
    droppedAt: read.dropped_at,
    refundedAt: read.refunded_at,
    partialAt: read.partial_at,
    receipt: read.receipt,
  };
}
