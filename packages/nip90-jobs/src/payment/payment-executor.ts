import { hexToBytes, type Logger, orAbort, sanitizeRemoteText, sha256Hex } from '@bonafide/internal';
import { JobError } from '../errors.ts';
import { createLease, leaseTimers } from '../lease.ts';
import type { FetchReference } from '../references/fetch-reference.ts';
import { pause, type Timers } from '../timers.ts';
import type { LightningNetwork } from './invoice.ts';
import { createLightningAddressMethod } from './lightning-address.ts';
import { createBolt11Method, type PaymentDemand, type PaymentMethod } from './payment-method.ts';
import { decidePayment, type Expiry, type PayClaim, type WalletObservation } from './payment-state.ts';
import type { Payment, PaymentStore } from './payment-store.ts';
import type { Wallet } from './wallet.ts';
import { answerInTime, readWalletAnswer, type WalletAnswer } from './wallet-answer.ts';

/** Options for paying. */
export interface PaymentOptions {
  readonly wallet: Wallet;
  /** Store of payments. Use a durable one: it prevents a second payment after a crash. */
  readonly store: PaymentStore;
  /** Maximum spending of all jobs, fees included, per `windowMs` (default 24 h). Without it only the bids limit spending. */
  readonly budget?: { readonly limitMsat: number; readonly windowMs?: number };
  /**
   * Fees to reserve in the budget for a payment, in millisatoshi; also the fee limit for wallets that have one. When a wallet
   * without such a limit pays more, the larger share is reserved for later payments.
   * @default 1 % of the amount, rounded up
   */
  readonly maxFeeMsat?: (amountMsat: number) => number;
  /** @default 'bitcoin' */
  readonly network?: LightningNetwork;
  /** Further payment methods, tried before `bolt11` and `lightning-address`. */
  readonly methods?: readonly PaymentMethod[];
}

/** Result of a demand for payment. */
export type PaymentResult =
  | { readonly status: 'paid'; readonly payment: Payment }
  | { readonly status: 'declined'; readonly message: string };

/** Pays for jobs, each at most once, and resolves payments without an answer. */
export interface PaymentExecutor {
  /**
   * Pays a demand of at most `maxMsat` when the budget allows it. `onHeld` runs when the budget is reserved, before the wallet is
   * called. `signal` aborts when the job has ended: the wallet is not called any more. Resolves when the outcome is known,
   * which can take long; rejects when closed.
   */
  pay(
    jobId: string,
    demand: PaymentDemand,
    options: {
      readonly maxMsat: number | null;
      readonly onHeld?: () => Promise<void>;
      readonly signal?: AbortSignal;
    },
  ): Promise<PaymentResult>;
  /** Follows the payment of a job that was started earlier, here or in another process; null without one. */
  resume(jobId: string, options: { readonly signal: AbortSignal }): Promise<PaymentResult | null>;
  /** Looks a failed payment up again, and corrects it when the wallet did pay. Returns the payment, or null. */
  recheck(jobId: string): Promise<Payment | null>;
  /** Takes the lease and follows all open payments. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Delays between look-ups; the last one repeats. */
const lookupDelaysMs = [2_000, 5_000, 10_000, 20_000, 60_000];
const dayMs = 86_400_000;
/** An unknown payment whose instructions expired this long ago cannot succeed any more. */
const expiryGraceMs = 60_000;
/** Interval at which the payment of another process is read. */
const watchMs = 500;
/** Maximum number of calls of the wallet for one payment. */
const maxCalls = 2;
/** A payment is pending for at most an hour, the usual validity of an invoice, whatever its expiry. */
const maxPendingMs = 3_600_000;

const jobEnded = 'The job ended before it was paid.';
const nothingSaid: WalletAnswer = { status: 'no-answer', error: null };

/**
 * `onSettled` runs once for each payment that settles while this executor follows it. `isWanted` tells whether a job may still
 * be paid; it is asked before each call of the wallet.
 */
export function createPaymentExecutor(
  options: PaymentOptions & {
    readonly clock: () => number;
    readonly random: () => number;
    readonly timers: Timers;
    readonly logger: Logger;
    readonly leaseMs: number;
    readonly leaseTimers?: Timers;
    readonly fetchReference: FetchReference;
    readonly onSettled: (payment: Payment) => void;
    readonly isWanted?: (jobId: string) => Promise<boolean>;
  },
): PaymentExecutor {
  const { wallet, store, budget, network = 'bitcoin', clock, timers, logger, onSettled } = options;
  const { isWanted = async () => true } = options;
  const { maxFeeMsat = (amountMsat: number) => Math.ceil(amountMsat / 100) } = options;
  /** Largest share of an amount that was paid in fees: a wallet without a fee limit may exceed the reserve once. */
  let feeShare = 0;
  const reserveFor = (amountMsat: number) =>
    Math.max(0, Math.ceil(maxFeeMsat(amountMsat)), Math.ceil(amountMsat * feeShare));
  const isAmount = (value: number) => Number.isSafeInteger(value) && value >= 0;
  if (budget && !(isAmount(budget.limitMsat) && isAmount(budget.windowMs ?? dayMs)))
    throw new JobError(
      'INVALID_CONFIG',
      'payments.budget: limitMsat and windowMs must be whole numbers that are not negative.',
    );
  const methods: readonly PaymentMethod[] = [
    ...(options.methods ?? []),
    createBolt11Method(wallet, network),
    createLightningAddressMethod(wallet, options.fetchReference, network),
  ];
  const stop = new AbortController();
  const { signal } = stop;
  /** One pursuit per payment, however many callers wait for it. */
  const pursuits = new Map<string, Promise<PaymentResult>>();
  const lease = createLease({
    store,
    leaseMs: options.leaseMs,
    clock,
    random: options.random,
    timers: options.leaseTimers ?? leaseTimers,
    logger,
    onRenewed: () => void followOrphans(),
  });
  const leased = once(() => lease.start());

  const methodOf = (payment: Payment): PaymentMethod => {
    const method = methods.find(({ name }) => name === payment.method);
    if (method === undefined)
      throw new JobError('INVALID_CONFIG', `Payment method '${payment.method}' is not configured.`);
    return method;
  };

  const expiryOf = ({ expiresAt }: Payment): Expiry => {
    const now = clock();
    if (now < expiresAt) return 'valid';
    return now < expiresAt + expiryGraceMs ? 'expired' : 'late';
  };

  const proves = ({ paymentHash }: Payment, preimage: string | null) =>
    preimage !== null && /^[0-9a-f]{64}$/i.test(preimage) && sha256Hex(hexToBytes(preimage)) === paymentHash;

  /** Asks the wallet; a rejection counts as no answer, and so does silence. */
  const ask = async (payment: Payment, work: () => Promise<unknown>): Promise<WalletAnswer> => {
    const answer = await answerInTime(work, { timers, signal }).then(
      (said) => readWalletAnswer(said, payment.feeReserveMsat),
      (error: unknown) => ({ status: 'no-answer', error }) as const,
    );
    signal.throwIfAborted();
    if (answer.status === 'no-answer')
      logger.warn(
        { err: answer.error, jobId: payment.jobId },
        'Wallet did not answer; payment stays in flight',
      );
    return answer;
  };

  const observationOf = (
    payment: Payment,
    from: 'pay' | 'lookup',
    answer: WalletAnswer,
  ): WalletObservation => {
    if (answer.status === 'settled') {
      const { preimage } = answer;
      if (proves(payment, preimage)) return { from, says: 'settled' };
      return { from, says: preimage ? 'settled-mismatch' : 'settled-unproven' };
    }
    // A wallet that does not know a payment that it was just told to make.
    if (answer.status === 'unknown' && from === 'pay') return { from, says: 'no-answer' };
    return { from, says: answer.status } as WalletObservation;
  };

  const callWallet = (payment: Payment, jobSignal: AbortSignal): Promise<WalletAnswer> => {
    const { paymentHash, bolt11: instructions, amountMsat, expiresAt, feeReserveMsat } = payment;
    return ask(payment, async () =>
      methodOf(payment).pay(
        { paymentHash, instructions, amountMsat, expiresAt },
        { maxFeeMsat: feeReserveMsat, signal: AbortSignal.any([signal, jobSignal]) },
      ),
    );
  };

  /** Asks whether the job may still be paid. Retries while the store fails. */
  const stillWanted = async ({ jobId }: Payment, jobSignal: AbortSignal): Promise<boolean> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return !jobSignal.aborted && (await isWanted(jobId)) && !jobSignal.aborted;
      } catch (error) {
        logger.error({ err: error, jobId }, 'Job of a payment not read: the store failed');
        if (!(await pauseFor(attempt))) throw signal.reason;
      }
    }
  };

  /**
   * Makes sure that no other process may call the wallet: the lease lasts, and the payment was written under it. Returns null
   * when another process has taken the payment over.
   */
  const fence = async (payment: Payment): Promise<Payment | null> => {
    for (let attempt = 0; !lease.isLive(); attempt += 1) {
      try {
        await lease.renew();
      } catch (error) {
        logger.warn({ err: error, jobId: payment.jobId }, 'Lease not renewed: the store failed');
        if (!(await pauseFor(attempt))) throw signal.reason;
      }
    }
    const written = await write(payment, { status: 'in-flight' });
    return lease.isLive() ? written : null;
  };

  const lookUp = (payment: Payment): Promise<WalletAnswer> =>
    ask(payment, async () => methodOf(payment).lookup(payment.paymentHash, { signal }));

  /** Writes a change. Returns null when another process has changed the payment. Retries while the store fails. */
  const write = async (payment: Payment, changes: Partial<Payment>): Promise<Payment | null> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const changed = { ...payment, ...changes, revision: payment.revision + 1 };
        if (await store.update(changed)) return changed;
        const stored = await store.get(payment.jobId);
        // The write before a failure may have succeeded.
        const isOurs = stored?.status === changed.status && stored.holder === changed.holder;
        return isOurs && stored.revision === changed.revision ? stored : null;
      } catch (error) {
        logger.error({ err: error, jobId: payment.jobId }, 'Payment not stored: the store failed');
        if (!(await pauseFor(attempt))) throw signal.reason;
      }
    }
  };

  const pauseFor = (turn: number) =>
    pause(timers, lookupDelaysMs[Math.min(turn, lookupDelaysMs.length - 1)] ?? 0, signal);

  /** Fields of a decided payment: `said` are the wallet's answers so far, the latest one last. */
  const ended = (payment: Payment, said: readonly WalletAnswer[], isSettled: boolean): Partial<Payment> => {
    if (isSettled) {
      const answer = said.findLast((one) => one.status === 'settled');
      const { preimage = null, feesMsat = 0 } = answer ?? {};
      const hasProof = proves(payment, preimage);
      if (!hasProof) logger.warn({ jobId: payment.jobId }, 'Wallet reports a payment without its preimage');
      return { endedAt: clock(), feesMsat, preimage: hasProof ? preimage : null, message: '' };
    }
    const refusal = said.findLast((one) => one.status === 'failed');
    const wasCalled = said.some((one) => one.status !== 'no-answer') || payment.status !== 'held';
    const reason = refusal?.reason ?? (wasCalled ? 'The wallet does not know the payment.' : jobEnded);
    return { endedAt: clock(), message: sanitizeRemoteText(reason, 500) };
  };

  const resultOf = (payment: Payment): PaymentResult =>
    payment.status === 'settled'
      ? { status: 'paid', payment }
      : { status: 'declined', message: `The payment failed: ${payment.message}` };

  const mayTakeOver = async ({ holder, jobId }: Payment): Promise<boolean> => {
    try {
      return await lease.isFreeNow(holder);
    } catch (error) {
      logger.warn({ err: error, jobId }, 'Holders of payments not read: the store failed');
      return false;
    }
  };

  /** Waits until this process may act for the payment, or until it is decided. */
  const acquire = async (known: Payment): Promise<Payment> => {
    let payment = known;
    for (;;) {
      if (isDecided(payment) || payment.holder === lease.holder) return payment;
      if (await mayTakeOver(payment)) {
        const taken = await write(payment, { holder: lease.holder });
        if (taken !== null) return taken;
      } else if (!(await pause(timers, watchMs, signal))) throw signal.reason;
      payment = await read(payment);
    }
  };

  /** Reads what another process has written. Retries while the store fails. */
  const read = async (payment: Payment): Promise<Payment> => {
    const { jobId } = payment;
    for (let attempt = 0; ; attempt += 1) {
      let stored: Payment | null;
      try {
        stored = await store.get(jobId);
      } catch (error) {
        logger.error({ err: error, jobId }, 'Payment not read: the store failed');
        if (!(await pauseFor(attempt))) throw signal.reason;
        continue;
      }
      if (stored === null)
        throw new JobError('STORE_FAILED', `The open payment of job ${jobId} was deleted.`);
      if (stored.paymentHash === payment.paymentHash) return stored;
      // A job has another payment only after the earlier one has failed.
      return { ...payment, status: 'failed-after-lookup', message: 'Another process found that it failed.' };
    }
  };

  const pursue = async (known: Payment, jobSignal: AbortSignal): Promise<PaymentResult> => {
    // Closed while it was reserved: the next process goes on.
    signal.throwIfAborted();
    await leased();
    let claim: PayClaim = null;
    let calls = 0;
    /** Look-ups since the latest call that found nothing. */
    let unknowns = 0;
    /** The latest answer of `pay` and of `lookup`. */
    let [paySaid, lookupSaid]: [WalletAnswer, WalletAnswer] = [nothingSaid, nothingSaid];
    let payment = await acquire(known);
    let observed: WalletObservation | null = payment.status === 'held' ? { from: 'start' } : null;
    for (let lookups = 0; !isDecided(payment); ) {
      if (observed === null) {
        lookupSaid = await lookUp(payment);
        observed = observationOf(payment, 'lookup', lookupSaid);
        if (lookupSaid.status === 'unknown') unknowns += 1;
      }
      const mightPay = observed.from === 'start' || observed.says === 'unknown';
      const mayPay = mightPay && calls < maxCalls && (await stillWanted(payment, jobSignal));
      const decision = decidePayment(payment.status, observed, {
        claim,
        expiry: expiryOf(payment),
        mayPay,
        unknowns,
      });
      claim = decision.claim;
      if (decision.action === 'pay') {
        const fenced = await fence(payment);
        if (fenced === null || jobSignal.aborted) {
          payment = await acquire(fenced ?? (await read(payment)));
          observed = calls === 0 && fenced !== null ? { from: 'start' } : null;
          continue;
        }
        payment = fenced;
        calls += 1;
        unknowns = 0;
        paySaid = await callWallet(payment, jobSignal);
        observed = observationOf(payment, 'pay', paySaid);
        continue;
      }
      if (decision.status !== payment.status) {
        const isSettled = decision.status === 'settled';
        const changes = decision.action === 'done' ? ended(payment, [paySaid, lookupSaid], isSettled) : {};
        const written = await write(payment, { ...changes, status: decision.status });
        if (written === null) {
          // Another process took it over.
          payment = await acquire(await read(payment));
          observed = null;
          continue;
        }
        payment = written;
        if (payment.status === 'settled') {
          const { jobId, amountMsat, feesMsat, feeReserveMsat } = payment;
          logger.info({ jobId, amountMsat, feesMsat }, 'Job paid');
          if (feesMsat > feeReserveMsat) {
            feeShare = Math.max(feeShare, feesMsat / amountMsat);
            logger.warn(
              { jobId, feesMsat, feeReserveMsat },
              'Fees above the reserve; more is reserved from now on',
            );
          }
        } else if (payment.status === 'failed-after-lookup')
          logger.warn({ jobId: payment.jobId, message: payment.message }, 'Payment failed');
      }
      if (decision.action === 'done') break;
      observed = null;
      if (decision.action === 'look-up-later') {
        if (!(await pauseFor(lookups))) throw signal.reason;
        lookups += 1;
      }
    }
    if (payment.status === 'settled') onSettled(payment);
    return resultOf(payment);
  };

  const follow = (payment: Payment, jobSignal = signal): Promise<PaymentResult> => {
    const known = pursuits.get(payment.paymentHash);
    if (known !== undefined) return known;
    const pursuit = pursue(payment, jobSignal);
    pursuits.set(payment.paymentHash, pursuit);
    const forget = () => pursuits.delete(payment.paymentHash);
    pursuit.then(forget, forget);
    return pursuit;
  };

  /**
   * Follows open payments without a pursuit: of processes that have ended, and of calls that the store interrupted. A new one
   * is left to its caller for one lease.
   */
  const followOrphans = async (): Promise<void> => {
    try {
      for (const payment of await store.listOpen()) {
        const isOrphan = lease.isFree(payment.holder) && payment.heldAt <= clock() - options.leaseMs;
        if (!isOrphan || pursuits.has(payment.paymentHash) || signal.aborted) continue;
        follow(payment).catch((error) => {
          if (!signal.aborted) logger.error({ err: error }, 'Payment could not be followed');
        });
      }
    } catch (error) {
      logger.warn({ err: error }, 'Open payments not read: the store failed');
    }
  };

  const quote = async (demand: PaymentDemand, maxMsat: number | null, quoteSignal: AbortSignal) => {
    for (const method of methods) {
      const quoted = await method.quote(demand, { maxMsat, now: clock(), signal: quoteSignal });
      if (quoted?.ok) return { method: method.name, quote: quoted.quote };
      if (quoted !== null) return quoted.message;
    }
    if (maxMsat === null)
      return `The provider demands ${demand.amountMsat ?? 'an unnamed number of'} msat and the request offered nothing.`;
    return 'The provider demands a payment and gave no invoice.';
  };

  const declined = (message: string): PaymentResult => ({ status: 'declined', message });

  return {
    async pay(jobId, demand, { maxMsat, onHeld, signal: jobSignal = signal }) {
      await leased();
      const earlier = await store.get(jobId);
      if (earlier && earlier.status !== 'failed-after-lookup') return follow(earlier, jobSignal);
      const either = AbortSignal.any([signal, jobSignal]);
      const quoted = await orAbort(quote(demand, maxMsat, either), either).catch((error: unknown) => {
        signal.throwIfAborted();
        if (jobSignal.aborted) return jobEnded;
        throw error;
      });
      if (typeof quoted === 'string') return declined(quoted);
      if (jobSignal.aborted) return declined(jobEnded);
      const { paymentHash, instructions, amountMsat } = quoted.quote;
      const now = clock();
      const expiresAt = Math.min(quoted.quote.expiresAt, now + maxPendingMs);
      const hold = await store.hold(
        {
          paymentHash,
          jobId,
          provider: demand.provider,
          method: quoted.method,
          bolt11: instructions,
          amountMsat,
          feeReserveMsat: reserveFor(amountMsat),
          holder: lease.holder,
          heldAt: now,
          expiresAt,
        },
        budget ? { limitMsat: budget.limitMsat, since: now - (budget.windowMs ?? dayMs) } : null,
      );
      switch (hold.outcome) {
        case 'held':
          await onHeld?.();
          return follow(hold.payment, jobSignal);
        case 'exists':
          return follow(hold.payment, jobSignal);
        case 'invoice-used':
          return declined('The provider gave an invoice that was given before.');
        case 'over-budget':
          return declined(
            `The provider demands ${amountMsat} msat; the budget has ${hold.leftMsat} msat left, fees included.`,
          );
      }
    },

    async resume(jobId, { signal: jobSignal }) {
      const payment = await store.get(jobId);
      return payment && follow(payment, jobSignal);
    },

    async recheck(jobId) {
      const payment = await store.get(jobId);
      if (payment?.status !== 'failed-after-lookup') return payment;
      await leased();
      const answer = await lookUp(payment);
      const observed = observationOf(payment, 'lookup', answer);
      const { status } = decidePayment(payment.status, observed, { claim: null, expiry: 'late' });
      if (status === payment.status) return payment;
      const corrected = await write(payment, { ...ended(payment, [answer], true), status });
      if (corrected !== null) {
        logger.warn({ jobId }, 'Payment had failed by the wallet, and was paid after all');
        onSettled(corrected);
      }
      return corrected ?? store.get(jobId);
    },

    async start() {
      await leased();
      for (const payment of await store.listOpen()) {
        follow(payment).catch((error) => {
          if (!signal.aborted) logger.error({ err: error }, 'Payment could not be followed');
        });
      }
    },

    async close() {
      stop.abort(new JobError('CLOSED', 'The job client was closed.'));
      await Promise.allSettled(pursuits.values());
      await lease.close();
    },
  };
}

const isDecided = ({ status }: Payment) => status === 'settled' || status === 'failed-after-lookup';

/** Runs `work` once; a failed run may be repeated. */
function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= work().catch((error) => {
      running = null;
      throw error;
    });
    return running;
  };
}
