import { inTransaction, withTypedErrors } from '@bonafide/storage';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { database as databaseSchema, kyselyOptions, readConfig } from '../option-schemas.ts';
import { freshPayment, type Payment, type PaymentHold, type PaymentStore } from '../payment/payment-store.ts';
import { lockPayments } from './kysely-erasure.ts';
import { createKyselyLeases } from './kysely-leases.ts';
import {
  type JobsDatabase,
  type KyselyJobsOptions,
  type PaymentTable,
  paymentRow,
  readRow,
} from './tables.ts';

/** Rolls a transaction back and carries the outcome. */
class NotHeld extends Error {
  readonly hold: PaymentHold;
  constructor(hold: PaymentHold) {
    super(hold.outcome);
    this.hold = hold;
  }
}

/**
 * Creates the payment store of an agent in a database. Call {@link migrateJobs} first. The caller closes the database. An
 * invoice that one agent has presented is not paid by another.
 */
export function createKyselyPaymentStore(
  // biome-ignore lint/suspicious/noExplicitAny: the caller's database may hold tables of other packages.
  database: Kysely<any>,
  options: KyselyJobsOptions = {},
): PaymentStore {
  const { agentId } = readConfig(kyselyOptions, options);
  readConfig(databaseSchema, database, 'database');
  const db = database as Kysely<JobsDatabase>;
  type Reader = Kysely<JobsDatabase> | Transaction<JobsDatabase>;

  const spent = async (reader: Reader, since: number): Promise<number> => {
    const { total } = await reader
      .selectFrom('jobs_payments')
      .select(
        sql<number | string | null>`sum(
          amount_msat + case status when 'settled' then fees_msat else fee_reserve_msat end
        )`.as('total'),
      )
      .where('agent_id', '=', agentId)
      .where(({ eb, or, and }) =>
        or([
          eb('status', 'in', ['held', 'in-flight']),
          and([eb('status', '=', 'settled'), eb('ended_at', '>=', since)]),
        ]),
      )
      .executeTakeFirstOrThrow();
    return Number(total ?? 0);
  };

  const ofJob = async (reader: Reader, jobId: string): Promise<readonly Payment[]> => {
    const rows = await reader
      .selectFrom('jobs_payments')
      .selectAll()
      .where('agent_id', '=', agentId)
      .where('job_id', '=', jobId)
      .orderBy('held_at')
      .orderBy('payment_hash')
      .execute();
    return rows.map(paymentOfRow);
  };

  return withTypedErrors<PaymentStore>({
    ...createKyselyLeases(db),

    async hold(asked, limit) {
      const payment: Payment = { ...asked, ...freshPayment };
      try {
        return await inTransaction(db, async (transaction): Promise<PaymentHold> => {
          await lockPayments(transaction);
          const added = await transaction
            .insertInto('jobs_payments')
            .values({ ...rowOfPayment(payment), agent_id: agentId })
            .onConflict((conflict) => conflict.doNothing())
            .returning('payment_hash')
            .execute();
          const existing = (await ofJob(transaction, asked.jobId)).find(
            ({ status, paymentHash }) =>
              status !== 'failed-after-lookup' && (added.length === 0 || paymentHash !== asked.paymentHash),
          );
          if (existing) throw new NotHeld({ outcome: 'exists', payment: existing });
          if (added.length === 0) throw new NotHeld({ outcome: 'invoice-used' });
          const over = limit ? (await spent(transaction, limit.since)) - limit.limitMsat : 0;
          if (over > 0) {
            const askedMsat = asked.amountMsat + asked.feeReserveMsat;
            throw new NotHeld({ outcome: 'over-budget', leftMsat: Math.max(0, askedMsat - over) });
          }
          return { outcome: 'held', payment };
        });
      } catch (error) {
        if (error instanceof NotHeld) return error.hold;
        throw error;
      }
    },

    async update(payment) {
      const updated = await db
        .updateTable('jobs_payments')
        .set(rowOfPayment(payment))
        .where('agent_id', '=', agentId)
        .where('payment_hash', '=', payment.paymentHash)
        .where('revision', '=', payment.revision - 1)
        .returning('payment_hash')
        .execute();
      return updated.length > 0;
    },

    async get(jobId) {
      const payments = await ofJob(db, jobId);
      return payments.find(({ status }) => status !== 'failed-after-lookup') ?? payments.at(-1) ?? null;
    },

    async listOpen() {
      const rows = await db
        .selectFrom('jobs_payments')
        .selectAll()
        .where('agent_id', '=', agentId)
        .where('status', 'in', ['held', 'in-flight'])
        .orderBy('held_at')
        .orderBy('payment_hash')
        .execute();
      return rows.map(paymentOfRow);
    },

    spentMsat: (since) => spent(db, since),
  });
}

function rowOfPayment(payment: Payment) {
  return {
    payment_hash: payment.paymentHash,
    job_id: payment.jobId,
    provider: payment.provider,
    method: payment.method,
    bolt11: payment.bolt11,
    amount_msat: payment.amountMsat,
    fee_reserve_msat: payment.feeReserveMsat,
    fees_msat: payment.feesMsat,
    status: payment.status,
    revision: payment.revision,
    holder: payment.holder,
    held_at: payment.heldAt,
    expires_at: payment.expiresAt,
    ended_at: payment.endedAt,
    preimage: payment.preimage,
    message: payment.message,
  };
}

function paymentOfRow(row: Selectable<PaymentTable>): Payment {
  const read = readRow(paymentRow, row);
  return {
    paymentHash: read.payment_hash,
    jobId: read.job_id,
    provider: read.provider,
    method: read.method,
    bolt11: read.bolt11,
    amountMsat: read.amount_msat,
    feeReserveMsat: read.fee_reserve_msat,
    feesMsat: read.fees_msat,
    status: read.status,
    revision: read.revision,
    holder: read.holder,
    heldAt: read.held_at,
    expiresAt: read.expires_at,
    endedAt: read.ended_at,
    preimage: read.preimage,
    message: read.message,
  };
}
