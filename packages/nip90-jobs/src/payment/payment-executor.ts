import { hexToBytes, type Logger, orAbort, sanitizeRemoteText, sha256Hex } from '@bonafide/internal';
import { JobError } from '../errors.ts';
import type { Job } from '../job.ts';
import { pause, type Timers } from '../timers.ts';
import { assessInvoice } from './assess-invoice.ts';
import type { LightningNetwork } from './invoice.ts';
import type { Payment, PaymentStore } from './payment-store.ts';
import type { PaymentOutcome, Wallet } from './wallet.ts';

/** How a client pays (JOB-11). */
export interface PaymentOptions {
  readonly wallet: Wallet;
  /** Where payments are remembered. Give a lasting one: it is what prevents a second payment after a crash. */
  readonly store: PaymentStore;
  /** The most that is spent, over all jobs, within `windowMs` (default 24 h). Without it each job's bid is the only bound. */
  readonly budget?: { readonly limitMsat: number; readonly windowMs?: number };
  /** @default 'bitcoin' */
  readonly network?: LightningNetwork;
}

/** How a demand for payment ended. */
export type PaymentResult =
  | { readonly status: 'paid'; readonly payment: Payment }
  | { readonly status: 'declined'; readonly message: string };

/** Pays for jobs, each at most once, and finds out what became of payments that nobody answered for. */
export interface PaymentExecutor {
  /** Pays what a provider asks, if it may. Resolves when it is known how that ended, which can take long; rejects when closed. */
  pay(
    job: Job,
    asked: {
      readonly provider: string;
      readonly amountMsat: number | null;
      readonly bolt11: string | null;
      readonly bidMsat: number | null;
    },
  ): Promise<PaymentResult>;
  /** Goes on with the payment of a job that an earlier process began; null when there is none. */
  resume(jobId: string): Promise<PaymentResult | null>;
  /** Finds out about every payment in flight, also of jobs that are over. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Waits between questions to a wallet that gave no answer; the last one goes on. */
const lookupDelaysMs = [2_000, 5_000, 10_000, 20_000, 60_000];
const dayMs = 86_400_000;
/** An unknown payment whose invoice expired so long ago will not happen any more. */
const expiryGraceMs = 60_000;

export function createPaymentExecutor(
  options: PaymentOptions & {
    readonly clock: () => number;
    readonly timers: Timers;
    readonly logger: Logger;
  },
): PaymentExecutor {
  const { wallet, store, budget, network = 'bitcoin', clock, timers, logger } = options;
  const isAmount = (value: number) => Number.isSafeInteger(value) && value >= 0;
  if (budget && !(isAmount(budget.limitMsat) && isAmount(budget.windowMs ?? dayMs)))
    throw new JobError(
      'INVALID_CONFIG',
      'A budget has a whole number of millisatoshi, and of ms if it has a window.',
    );
  const stop = new AbortController();
  /** One pursuit per payment, however many wait for it. */
  const pursued = new Map<string, Promise<PaymentResult>>();

  const askWallet = async (payment: Payment): Promise<PaymentOutcome> => {
    try {
      return await orAbort(
        wallet.pay(payment.bolt11, { maxMsat: payment.amountMsat, signal: stop.signal }),
        stop.signal,
      );
    } catch (error) {
      logger.warn(
        { err: error, jobId: payment.jobId },
        'A wallet gave no answer; the payment counts as in flight',
      );
      return { status: 'in-flight' };
    }
  };

  const lookUp = async (payment: Payment): Promise<PaymentOutcome> => {
    try {
      const found = await orAbort(wallet.lookup(payment.paymentHash, { signal: stop.signal }), stop.signal);
      if (found.status !== 'unknown') return found;
    } catch (error) {
      logger.warn({ err: error, jobId: payment.jobId }, 'A wallet could not be asked about a payment');
      return { status: 'in-flight' };
    }
    // The wallet never heard of it. One invoice is paid at most once, so that asking again is safe.
    if (clock() < payment.expiresAt) return askWallet(payment);
    if (clock() < payment.expiresAt + expiryGraceMs) return { status: 'in-flight' };
    return { status: 'failed', reason: 'The invoice expired before the wallet paid it.' };
  };

  const end = async (
    payment: Payment,
    outcome: Exclude<PaymentOutcome, { status: 'in-flight' }>,
  ): Promise<PaymentResult> => {
    const { paymentHash, jobId } = payment;
    const endedAt = clock();
    if (outcome.status === 'failed') {
      const message = sanitizeRemoteText(outcome.reason, 500);
      await store.end(paymentHash, { status: 'failed', endedAt, message });
      logger.warn({ jobId, message }, 'A payment failed');
      return { status: 'declined', message: `The payment failed: ${message}` };
    }
    const { feesMsat } = outcome;
    const proves =
      outcome.preimage !== null &&
      /^[0-9a-f]{64}$/i.test(outcome.preimage) &&
      sha256Hex(hexToBytes(outcome.preimage)) === paymentHash;
    if (!proves) logger.warn({ jobId }, 'A wallet says that it paid and has no proof of it');
    const preimage = proves ? outcome.preimage : null;
    await store.end(paymentHash, { status: 'settled', endedAt, feesMsat, preimage });
    logger.info({ jobId, amountMsat: payment.amountMsat, feesMsat }, 'A job was paid');
    return { status: 'paid', payment: { ...payment, status: 'settled', endedAt, feesMsat, preimage } };
  };

  const pursue = async (payment: Payment, first: PaymentOutcome): Promise<PaymentResult> => {
    let outcome = first;
    for (let turn = 0; ; turn += 1) {
      if (outcome.status !== 'in-flight') {
        try {
          return await end(payment, outcome);
        } catch (error) {
          // The store; what the wallet said will be found out again.
          logger.error({ err: error, jobId: payment.jobId }, 'The end of a payment could not be stored');
        }
      }
      const delayMs = lookupDelaysMs[Math.min(turn, lookupDelaysMs.length - 1)] ?? 0;
      if (!(await pause(timers, delayMs, stop.signal))) throw stop.signal.reason;
      outcome = await lookUp(payment);
    }
  };

  const follow = (payment: Payment, first: () => Promise<PaymentOutcome>): Promise<PaymentResult> => {
    const known = pursued.get(payment.paymentHash);
    if (known !== undefined) return known;
    const pursuit = first().then((outcome) => pursue(payment, outcome));
    pursued.set(payment.paymentHash, pursuit);
    const forget = () => pursued.delete(payment.paymentHash);
    pursuit.then(forget, forget);
    return pursuit;
  };

  const resultOf = (payment: Payment): Promise<PaymentResult> | PaymentResult => {
    if (payment.status === 'settled') return { status: 'paid', payment };
    if (payment.status === 'failed')
      return { status: 'declined', message: `The payment failed: ${payment.message}` };
    return follow(payment, () => lookUp(payment));
  };

  return {
    async pay(job, { provider, amountMsat, bolt11, bidMsat }) {
      const earlier = await store.get(job.jobId);
      if (earlier) return resultOf(earlier);
      const now = clock();
      const assessed = assessInvoice({ bolt11, amountMsat, bidMsat, network, now });
      if (!assessed.ok) return { status: 'declined', message: assessed.message };
      const { invoice } = assessed;
      const hold = await store.hold(
        {
          paymentHash: invoice.paymentHash,
          jobId: job.jobId,
          provider,
          bolt11: invoice.bolt11,
          amountMsat: invoice.amountMsat,
          heldAt: now,
          expiresAt: invoice.expiresAt,
        },
        budget ? { limitMsat: budget.limitMsat, since: now - (budget.windowMs ?? dayMs) } : null,
      );
      switch (hold.outcome) {
        case 'held':
          return follow(hold.payment, () => askWallet(hold.payment));
        case 'exists':
          return resultOf(hold.payment);
        case 'invoice-used':
          return { status: 'declined', message: 'The provider gave an invoice that was given before.' };
        case 'over-budget':
          return {
            status: 'declined',
            message: `The provider wants ${invoice.amountMsat} msat; the budget has ${hold.leftMsat} msat left.`,
          };
      }
    },

    async resume(jobId) {
      const payment = await store.get(jobId);
      return payment && resultOf(payment);
    },

    async start() {
      for (const payment of await store.listInFlight()) {
        follow(payment, () => lookUp(payment)).catch((error) => {
          if (!stop.signal.aborted) logger.error({ err: error }, 'A payment in flight could not be followed');
        });
      }
    },

    async close() {
      stop.abort(new Error('The job client was closed.'));
      await Promise.allSettled(pursued.values());
    },
  };
}
