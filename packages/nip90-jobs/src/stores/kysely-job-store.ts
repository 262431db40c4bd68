import type { PeerEraser } from '@bonafide/internal';
import { inTransaction, withTypedErrors } from '@bonafide/storage';
import type { Kysely, Transaction } from 'kysely';
import { JobError } from '../errors.ts';
import { database as databaseSchema, kyselyOptions, readConfig } from '../option-schemas.ts';
import type { JobQuery, JobStore, JobUpdate } from '../store.ts';
import { createJobErasure, isOver, lockPayments } from './kysely-erasure.ts';
import { createKyselyLeases } from './kysely-leases.ts';
import { jobPage, pageSize, readCursor } from './page.ts';
import {
  feedbackRow,
  type JobsDatabase,
  jobOfRow,
  type KyselyJobsOptions,
  readRow,
  rowOfJob,
  transitionRow,
} from './tables.ts';

/** Rolls a transaction back without an error. */
class Unchanged extends Error {}

/** Jobs that one transaction of `prune` deletes. */
const pruneBatch = 500;

/**
 * Creates the job store of an agent in a database. Call {@link migrateJobs} first. The caller closes the database.
 */
export function createKyselyJobStore(
  // biome-ignore lint/suspicious/noExplicitAny: the caller's database may hold tables of other packages.
  database: Kysely<any>,
  options: KyselyJobsOptions = {},
): JobStore & PeerEraser {
  const { agentId } = readConfig(kyselyOptions, options);
  readConfig(databaseSchema, database, 'database');
  const db = database as Kysely<JobsDatabase>;

  const nextSequence = async (
    transaction: Transaction<JobsDatabase>,
    table: 'jobs_transitions' | 'jobs_feedback',
    jobId: string,
  ): Promise<number> => {
    const { last } = await transaction
      .selectFrom(table)
      .select(({ fn }) => fn.max('sequence').as('last'))
      .where('job_id', '=', jobId)
      .executeTakeFirstOrThrow();
    return Number(last ?? 0) + 1;
  };

  const write = async (transaction: Transaction<JobsDatabase>, update: JobUpdate): Promise<void> => {
    const { job, transition, feedback } = update;
    // First, because it takes the row's lock: the second writer sees the new revision.
    const changed = await transaction
      .updateTable('jobs_requests')
      .set(rowOfJob(job))
      .where('agent_id', '=', agentId)
      .where('job_id', '=', job.jobId)
      .where('revision', '=', job.revision - 1)
      .returning('job_id')
      .execute();
    if (changed.length === 0) throw new Unchanged();
    if (feedback) {
      const added = await transaction
        .insertInto('jobs_feedback')
        .values({
          job_id: job.jobId,
          event_id: feedback.eventId,
          sequence: await nextSequence(transaction, 'jobs_feedback', job.jobId),
          received_at: feedback.receivedAt,
          event: JSON.stringify(feedback.event),
        })
        .onConflict((conflict) => conflict.columns(['job_id', 'event_id']).doNothing())
        .returning('event_id')
        .execute();
      if (added.length === 0) throw new Unchanged();
    }
    if (transition) {
      await transaction
        .insertInto('jobs_transitions')
        .values({
          job_id: job.jobId,
          sequence: await nextSequence(transaction, 'jobs_transitions', job.jobId),
          from_state: transition.from,
          to_state: transition.to,
          at: transition.at,
          event_id: transition.eventId,
        })
        .execute();
    }
  };

  const selectJobs = () => db.selectFrom('jobs_requests').selectAll().where('agent_id', '=', agentId);

  return withTypedErrors<JobStore & PeerEraser>({
    ...createKyselyLeases(db),
    ...createJobErasure(db, agentId),

    async create(job) {
      const inserted = await db
        .insertInto('jobs_requests')
        .values({ ...rowOfJob(job), agent_id: agentId })
        .onConflict((conflict) => conflict.doNothing())
        .returning('job_id')
        .execute();
      if (inserted.length > 0) return { job, created: true };
      const existing = await selectJobs()
        .where(({ eb, or }) =>
          or([
            eb('job_id', '=', job.jobId),
            ...(job.idempotencyKey === null ? [] : [eb('request_key', '=', job.idempotencyKey)]),
          ]),
        )
        .executeTakeFirst();
      if (existing !== undefined) return { job: jobOfRow(existing), created: false };
      throw new JobError(
        'STORE_FAILED',
        `Job ${job.jobId} is that of another agent in this database. Give agents that share a database different keys.`,
      );
    },

    async get(jobId) {
      const row = await selectJobs().where('job_id', '=', jobId).executeTakeFirst();
      return row ? jobOfRow(row) : null;
    },

    async getByKey(idempotencyKey) {
      const row = await selectJobs().where('request_key', '=', idempotencyKey).executeTakeFirst();
      return row ? jobOfRow(row) : null;
    },

    async list(query: JobQuery = {}) {
      const limit = pageSize(query.limit);
      const from = readCursor(query.cursor);
      let select = selectJobs()
        .orderBy('built_at', 'desc')
        .orderBy('job_id', 'desc')
        .limit(limit + 1);
      if (query.open !== undefined) select = select.where('ended_at', query.open ? 'is' : 'is not', null);
      if (query.state !== undefined) select = select.where('state', '=', query.state);
      if (query.provider !== undefined) select = select.where('provider', '=', query.provider);
      const { notHeldBy } = query;
      if (notHeldBy !== undefined)
        select = select.where(({ eb, or }) => or([eb('holder', 'is', null), eb('holder', '!=', notHeldBy)]));
      if (query.claimable === true)
        select = select
          .where('paid_at', 'is not', null)
          .where('ended_at', 'is not', null)
          .where('result_event', 'is', null);
      if (from !== null) {
        select = select.where(({ eb, or, and }) =>
          or([
            eb('built_at', '<', from.builtAt),
            and([eb('built_at', '=', from.builtAt), eb('job_id', '<', from.jobId)]),
          ]),
        );
      }
      const rows = await select.execute();
      return jobPage(rows.map(jobOfRow), limit);
    },

    async update(update) {
      try {
        await inTransaction(db, (transaction) => write(transaction, update));
        return true;
      } catch (error) {
        if (error instanceof Unchanged) return false;
        throw error;
      }
    },

    async history(jobId) {
      const own = await selectJobs().where('job_id', '=', jobId).executeTakeFirst();
      if (own === undefined) return { transitions: [], feedback: [] };
      const transitions = await db
        .selectFrom('jobs_transitions')
        .selectAll()
        .where('job_id', '=', jobId)
        .orderBy('sequence')
        .execute();
      const feedback = await db
        .selectFrom('jobs_feedback')
        .selectAll()
        .where('job_id', '=', jobId)
        .orderBy('sequence')
        .execute();
      return {
        transitions: transitions.map((row) => {
          const { job_id, sequence, from_state, to_state, at, event_id } = readRow(transitionRow, row);
          return { jobId: job_id, sequence, from: from_state, to: to_state, at, eventId: event_id };
        }),
        feedback: feedback.map((row) => {
          const { job_id, event_id, received_at, event } = readRow(feedbackRow, row);
          return { jobId: job_id, eventId: event_id, receivedAt: received_at, event };
        }),
      };
    },

    async prune({ before }) {
      let pruned = 0;
      for (;;) {
        const deleted = await inTransaction(db, (transaction) => pruneSome(transaction, before, agentId));
        pruned += deleted;
        if (deleted < pruneBatch) return pruned;
      }
    },
  });
}

async function pruneSome(
  transaction: Transaction<JobsDatabase>,
  before: number,
  agentId: string,
): Promise<number> {
  await lockPayments(transaction);
  const rows = await transaction
    .selectFrom('jobs_requests')
    .select('job_id')
    .where('agent_id', '=', agentId)
    .where('ended_at', '<', before)
    .where(isOver)
    .limit(pruneBatch)
    .execute();
  const ids = rows.map(({ job_id }) => job_id);
  if (ids.length === 0) return 0;
  for (const table of ['jobs_transitions', 'jobs_feedback', 'jobs_payments', 'jobs_requests'] as const)
    await transaction.deleteFrom(table).where('job_id', 'in', ids).execute();
  return ids.length;
}
