import type { PeerEraser } from '@bonafide/internal';
import { dialectOf, inTransaction } from '@bonafide/storage';
import { type ExpressionBuilder, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { requirePublicKey } from '../codec/public-key.ts';
import type { JobsDatabase } from './tables.ts';

/**
 * Returns the condition that a column has an event of this author, as `JSON.stringify` writes it. Quotes inside of texts are
 * escaped, so that no content contains the pattern.
 */
function isEventOf(column: string, pubkey: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} like ${`%"pubkey":"${pubkey}"%`}`;
}

/**
 * Lets no payment be held until the transaction ends: budgets are checked one at a time, and no payment begins for a job that is
 * being deleted. On SQLite the first write locks as much.
 */
export async function lockPayments(transaction: Transaction<JobsDatabase>): Promise<void> {
  if (dialectOf(transaction) === 'postgres')
    await sql`lock table jobs_payments in share row exclusive mode`.execute(transaction);
}

/**
 * Condition of jobs that have ended and that no money depends on: a result that was paid for is there, and no payment is
 * open, nor settled without being noted in the job, as a process may leave it that ends in between.
 */
export function isOver({
  and,
  or,
  not,
  exists,
  eb,
  selectFrom,
}: ExpressionBuilder<JobsDatabase, 'jobs_requests'>) {
  return and([
    eb('ended_at', 'is not', null),
    or([eb('paid_at', 'is', null), eb('result_event', 'is not', null)]),
    not(
      exists(
        selectFrom('jobs_payments')
          .select('payment_hash')
          .whereRef('jobs_payments.job_id', '=', 'jobs_requests.job_id')
          .where((payment) =>
            payment.or([
              payment('jobs_payments.status', 'in', ['held', 'in-flight']),
              payment.and([
                payment('jobs_payments.status', '=', 'settled'),
                payment('jobs_requests.result_event', 'is', null),
              ]),
            ]),
          ),
      ),
    ),
  ]);
}

/** Erases a peer from payments without a job. Amounts and dates stay, since budgets count them. */
async function erasePayments(
  transaction: Transaction<JobsDatabase>,
  pubkey: string,
  agentId: string,
): Promise<void> {
  await transaction
    .updateTable('jobs_payments')
    .set({ provider: '', bolt11: '', message: '', preimage: null })
    .where('agent_id', '=', agentId)
    .where('provider', '=', pubkey)
    .where('ended_at', 'is not', null)
    .where('job_id', 'not in', ({ selectFrom }) => selectFrom('jobs_requests').select('job_id'))
    .execute();
}

/** Creates the erasure of an agent's job store. */
export function createJobErasure(db: Kysely<JobsDatabase>, agentId: string): PeerEraser {
  return {
    async erasePeer(peer, { preview = false } = {}) {
      const pubkey = requirePublicKey(peer);
      const erase = async (transaction: Transaction<JobsDatabase>) => {
        if (!preview) await lockPayments(transaction);
        const jobs = await transaction
          .selectFrom('jobs_requests')
          .select(['job_id', (builder) => isOver(builder).as('is_over')])
          .where('agent_id', '=', agentId)
          .where(({ or, eb }) => or([eb('provider', '=', pubkey), isEventOf('result_event', pubkey)]))
          .execute();
        const feedback = await transaction
          .selectFrom('jobs_feedback')
          .innerJoin('jobs_requests', 'jobs_requests.job_id', 'jobs_feedback.job_id')
          .select([
            'jobs_feedback.job_id',
            'event_id',
            ({ eb }) => eb('ended_at', 'is not', null).as('is_over'),
          ])
          .where('agent_id', '=', agentId)
          .where(isEventOf('jobs_feedback.event', pubkey))
          .execute();
        const own = new Set(jobs.map(({ job_id }) => job_id));
        const over = jobs.filter(({ is_over }) => Boolean(is_over));
        const elsewhere = feedback.filter(({ job_id }) => !own.has(job_id));
        const ended = elsewhere.filter(({ is_over }) => Boolean(is_over));
        if (!preview) {
          for (const { job_id } of over)
            for (const table of ['jobs_transitions', 'jobs_feedback', 'jobs_requests'] as const)
              await transaction.deleteFrom(table).where('job_id', '=', job_id).execute();
          for (const { job_id, event_id } of ended)
            await transaction
              .deleteFrom('jobs_feedback')
              .where('job_id', '=', job_id)
              .where('event_id', '=', event_id)
              .execute();
          await erasePayments(transaction, pubkey, agentId);
        }
        return {
          erased: { jobs: over.length, feedback: ended.length },
          kept: { jobs: jobs.length - over.length, feedback: elsewhere.length - ended.length },
        };
      };
      return inTransaction(db, erase, { accessMode: preview ? 'read only' : 'read write' });
    },
  };
}
