import type { Kysely, Selectable } from 'kysely';
import { JobError } from '../errors.ts';
import type { ProvidedJob, ProviderStore } from '../store.ts';
import { type JobsDatabase, type ProvidedTable, providedRow, readRow } from './tables.ts';

/**
 * Creates a provider store in a database, one provider per database. Call {@link migrateJobs} first. The
 * caller closes the database.
 */
// biome-ignore lint/suspicious/noExplicitAny: the caller's database may hold tables of other packages.
export function createKyselyProviderStore(database: Kysely<any>): ProviderStore {
  const db = database as Kysely<JobsDatabase>;

  const getProvided = async (requestId: string): Promise<ProvidedJob | null> => {
    const row = await db
      .selectFrom('jobs_provided')
      .selectAll()
      .where('request_id', '=', requestId)
      .executeTakeFirst();
    return row ? providedOfRow(row) : null;
  };

  return {
    getProvided,

    async take(job) {
      const inserted = await db
        .insertInto('jobs_provided')
        .values({
          request_id: job.requestId,
          customer: job.customer,
          kind: job.kind,
          request: JSON.stringify(job.request),
          received_at: job.receivedAt,
          attempts: job.attempts,
          charge: job.charge && JSON.stringify(job.charge),
          paid_at: job.paidAt,
          answer: job.answer && JSON.stringify(job.answer),
          answered_at: job.answeredAt,
          published_at: job.publishedAt,
          dropped_at: job.droppedAt,
        })
        .onConflict((conflict) => conflict.column('request_id').doNothing())
        .returning('request_id')
        .execute();
      return inserted.length > 0;
    },

    async listUnfinished() {
      const rows = await db
        .selectFrom('jobs_provided')
        .selectAll()
        .where('published_at', 'is', null)
        .where('dropped_at', 'is', null)
        .orderBy('received_at')
        .orderBy('request_id')
        .execute();
      return rows.map(providedOfRow);
    },

    async begin(requestId) {
      const row = await db
        .updateTable('jobs_provided')
        .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
        .where('request_id', '=', requestId)
        .returning('attempts')
        .executeTakeFirst();
      if (row === undefined) throw new JobError('JOB_NOT_FOUND', `Request ${requestId} was never taken.`);
      return Number(row.attempts);
    },

    async charge(requestId, charge) {
      await db
        .updateTable('jobs_provided')
        .set({ charge: JSON.stringify(charge) })
        .where('request_id', '=', requestId)
        .where('charge', 'is', null)
        .execute();
      return (await getProvided(requestId))?.charge ?? null;
    },

    async paid(requestId, paidAt) {
      await db
        .updateTable('jobs_provided')
        .set({ paid_at: paidAt })
        .where('request_id', '=', requestId)
        .where('paid_at', 'is', null)
        .execute();
    },

    async answer(requestId, answer, answeredAt) {
      await db
        .updateTable('jobs_provided')
        .set({ answer: JSON.stringify(answer), answered_at: answeredAt })
        .where('request_id', '=', requestId)
        .where('answer', 'is', null)
        .where('dropped_at', 'is', null)
        .execute();
      return (await getProvided(requestId))?.answer ?? null;
    },

    async published(requestId, publishedAt) {
      const job = await getProvided(requestId);
      if (job?.answer == null)
        throw new JobError('JOB_NOT_FOUND', `Request ${requestId} has no answer to publish.`);
      await db
        .updateTable('jobs_provided')
        .set({ published_at: publishedAt })
        .where('request_id', '=', requestId)
        .where('published_at', 'is', null)
        .execute();
    },

    async drop(requestId, droppedAt) {
      await db
        .updateTable('jobs_provided')
        .set({ dropped_at: droppedAt })
        .where('request_id', '=', requestId)
        .where('answer', 'is', null)
        .where('dropped_at', 'is', null)
        .execute();
    },

    async watermark(source) {
      const row = await db
        .selectFrom('jobs_watermarks')
        .select('seconds')
        .where('source', '=', source)
        .executeTakeFirst();
      return row ? Number(row.seconds) : null;
    },

    async setWatermark(source, seconds) {
      await db
        .insertInto('jobs_watermarks')
        .values({ source, seconds })
        .onConflict((conflict) =>
          conflict.column('source').doUpdateSet({ seconds }).where('jobs_watermarks.seconds', '<', seconds),
        )
        .execute();
    },
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
    attempts: read.attempts,
    charge: read.charge,
    paidAt: read.paid_at,
    answer: read.answer,
    answeredAt: read.answered_at,
    publishedAt: read.published_at,
    droppedAt: read.dropped_at,
  };
}
