import { dialectOf } from '@bonafide/storage';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Payment, PaymentHold, PaymentStore } from '../payment/payment-store.ts';
import { type JobsDatabase, type PaymentTable, paymentRow, readRow } from './tables.ts';

/** Rolls a transaction back and carries the outcome. */
class NotHeld extends Error {
  readonly hold: PaymentHold;
  constructor(hold: PaymentHold) {
    super(hold.outcome);
    this.hold = hold;
  }
}

/** Creates a payment store in a database. Call {@link migrateJobs} first. The caller closes the database. */
// biome-ignore lint/suspicious/noExplicitAny: the caller's database may hold tables of other packages.
export function createKyselyPaymentStore(database: Kysely<any>): PaymentStore {
  const db = database as Kysely<JobsDatabase>;
  type Reader = Kysely<JobsDatabase> | Transaction<JobsDatabase>;

  const spent = async (reader: Reader, since: number): Promise<number> => {
    const { total } = await reader
      .selectFrom('jobs_payments')
      .select(sql<number | string | null>`sum(amount_msat + fees_msat)`.as('total'))
      .where(({ eb, or, and }) =>
        or([
          eb('status', '=', 'in-flight'),
          and([eb('status', '=', 'settled'), eb('ended_at', '>=', since)]),
        ]),
      )
      .executeTakeFirstOrThrow();
    return Number(total ?? 0);
  };

  const get = async (reader: Reader, jobId: string): Promise<Payment | null> => {
    const row = await reader
      .selectFrom('jobs_payments')
      .selectAll()
      .where('job_id', '=', jobId)
      .executeTakeFirst();
    return row ? paymentOfRow(row) : null;
  };

  return {
    async hold(asked, limit) {
      const payment: Payment = {
        ...asked,
        feesMsat: 0,
        status: 'in-flight',
        endedAt: null,
        preimage: null,
        message: '',
      };
      try {
        return await db.transaction().execute(async (transaction): Promise<PaymentHold> => {
          // One at a time, since a sum that others add to is no limit. SQLite's first write locks as much.
          if (dialectOf(db) === 'postgres')
            await sql`lock table jobs_payments in share row exclusive mode`.execute(transaction);
          const added = await transaction
            .insertInto('jobs_payments')
            .values(rowOfPayment(payment))
            .onConflict((conflict) => conflict.doNothing())
            .returning('payment_hash')
            .execute();
          if (added.length === 0) {
            const existing = await get(transaction, asked.jobId);
            throw new NotHeld(
              existing ? { outcome: 'exists', payment: existing } : { outcome: 'invoice-used' },
            );
          }
          const over = limit ? (await spent(transaction, limit.since)) - limit.limitMsat : 0;
          if (over > 0) {
            throw new NotHeld({ outcome: 'over-budget', leftMsat: Math.max(0, asked.amountMsat - over) });
          }
          return { outcome: 'held', payment };
        });
      } catch (error) {
        if (error instanceof NotHeld) return error.hold;
        throw error;
      }
    },

    async end(paymentHash, { status, endedAt, feesMsat = 0, preimage = null, message = '' }) {
      const ended = await db
        .updateTable('jobs_payments')
        .set({ status, ended_at: endedAt, fees_msat: feesMsat, preimage, message })
        .where('payment_hash', '=', paymentHash)
        .where('status', '=', 'in-flight')
        .returning('payment_hash')
        .execute();
      return ended.length > 0;
    },

    get: (jobId) => get(db, jobId),

    async listInFlight() {
      const rows = await db
        .selectFrom('jobs_payments')
        .selectAll()
        .where('status', '=', 'in-flight')
        .orderBy('held_at')
        .orderBy('payment_hash')
        .execute();
      return rows.map(paymentOfRow);
    },

    spentMsat: (since) => spent(db, since),
  };
}

function rowOfPayment(payment: Payment) {
  return {
    payment_hash: payment.paymentHash,
    job_id: payment.jobId,
    provider: payment.provider,
    bolt11: payment.bolt11,
    amount_msat: payment.amountMsat,
    fees_msat: payment.feesMsat,
    status: payment.status,
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
    bolt11: read.bolt11,
    amountMsat: read.amount_msat,
    feesMsat: read.fees_msat,
    status: read.status,
    heldAt: read.held_at,
    expiresAt: read.expires_at,
    endedAt: read.ended_at,
    preimage: read.preimage,
    message: read.message,
  };
}
