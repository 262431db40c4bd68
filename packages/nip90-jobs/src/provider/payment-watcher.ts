import type { Logger, Unsubscribe } from '@bonafide/internal';
import type { Invoices } from '../payment/wallet.ts';
import { answerInTime } from '../payment/wallet-answer.ts';
import type { Timers } from '../timers.ts';
import type { Charge } from './provider-store.ts';

/** Decision about an invoice. `unpaid`: the wallet confirmed, a grace period after its expiry, that nothing was paid. */
export type InvoiceDecision = 'paid' | 'unpaid' | 'closed';

/** Watches all unpaid invoices of a provider with one question to the wallet at a time. */
export interface PaymentWatcher {
  /**
   * Resolves when the wallet has decided about the invoice, or when the watcher is closed. `since`: a time before the
   * invoice was created, ms since epoch; an earlier process may have created it. `onLate` is called when the wallet lists, or
   * notifies of, a payment after the decision `unpaid`.
   */
  watch(invoice: WatchedInvoice): Promise<InvoiceDecision>;
  /** Number of watched invoices, of all customers or of one. */
  count(customer?: string): number;
  close(): Promise<void>;
}

interface WatchedInvoice {
  readonly customer: string;
  readonly charge: Charge;
  readonly since: number;
  readonly onLate: () => void;
}

interface Watched extends WatchedInvoice {
  /** Number of questions about it. */
  asked: number;
  nextAt: number;
  readonly resolve: (decision: InvoiceDecision) => void;
}

/** Longest interval between two questions about one invoice, in ms. */
const longestIntervalMs = 60_000;
/** The wallet's clock may be this far behind, in ms. */
const clockSlackMs = 600_000;
/** Maximum number of decisions `unpaid` in memory, which a late payment corrects. */
const maxUnpaid = 10_000;

/**
 * Creates a payment watcher. It asks at most once per `pollMs` in all. An invoice stays undecided until `graceMs` after its
 * expiry, since a payment that was on its way then settles later. When the wallet can list payments, one
 * question covers all invoices. Otherwise it asks about one invoice at a time, rotating among customers and
 * less often for older invoices, so that many unpaid requests of one customer do not delay another's.
 * Notifications of the wallet are used when it has them. An error of the wallet decides nothing.
 */
export function createPaymentWatcher(options: {
  readonly invoices: Invoices;
  readonly pollMs: number;
  readonly graceMs: number;
  readonly clock: () => number;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly stop: AbortSignal;
}): PaymentWatcher {
  const { invoices, pollMs, graceMs, clock, timers, logger, stop } = options;
  const watched = new Map<string, Watched>();
  /** Invoices that were decided as unpaid, by payment hash. */
  const unpaid = new Map<string, () => void>();
  /** Unpaid invoices per customer. */
  const counts = new Map<string, number>();
  /** Time of the latest question per customer. */
  const lastAsked = new Map<string, number>();
  let cancel: (() => void) | null = null;
  let asking = false;
  let listAgainAt = Number.NEGATIVE_INFINITY;
  let lastQuestionAt = Number.NEGATIVE_INFINITY;
  let unsubscribe: Promise<Unsubscribe | undefined> | null = null;

  /** A wallet that never answers must not stop the other questions. */
  const inTime = <Value>(work: () => Promise<Value>) => answerInTime(work, { timers, signal: stop });

  const decide = (paymentHash: string, decision: InvoiceDecision) => {
    const invoice = watched.get(paymentHash);
    if (invoice === undefined) return;
    watched.delete(paymentHash);
    const left = (counts.get(invoice.customer) ?? 1) - 1;
    if (left > 0) counts.set(invoice.customer, left);
    else {
      counts.delete(invoice.customer);
      lastAsked.delete(invoice.customer);
    }
    if (decision === 'unpaid') {
      unpaid.set(paymentHash, invoice.onLate);
      const [oldest] = unpaid.keys();
      if (unpaid.size > maxUnpaid && oldest !== undefined) unpaid.delete(oldest);
    }
    invoice.resolve(decision);
  };

  const received = (paymentHash: string) => {
    const onLate = unpaid.get(paymentHash);
    unpaid.delete(paymentHash);
    if (onLate) onLate();
    else decide(paymentHash, 'paid');
  };

  /** Time from which on the wallet's answer that nothing was paid is final. */
  const finalAt = ({ expiresAt }: Charge) => expiresAt + graceMs;

  /** The invoice to ask about: due, of the customer that was asked about longest ago. */
  const nextDue = (now: number): Watched | null => {
    let best: Watched | null = null;
    const age = ({ customer }: Watched) => lastAsked.get(customer) ?? Number.NEGATIVE_INFINITY;
    for (const one of watched.values()) {
      if (one.nextAt > now) continue;
      if (best === null || age(one) < age(best) || (age(one) === age(best) && one.nextAt < best.nextAt))
        best = one;
    }
    return best;
  };

  const canList = () => invoices.listPaid !== undefined && clock() >= listAgainAt;

  const askAboutAll = async (askedAt: number) => {
    let since = askedAt;
    for (const one of watched.values()) since = Math.min(since, one.since);
    // A wallet that cannot list is asked one by one, and tried again later.
    listAgainAt = askedAt + longestIntervalMs;
    const listed = await inTime(async () =>
      invoices.listPaid?.({ since: since - clockSlackMs, signal: stop }),
    );
    // Any program may be the wallet: only a list says which ones are not paid.
    if (!Array.isArray(listed)) throw new Error('The wallet gave no list of payments.');
    listAgainAt = askedAt;
    for (const paymentHash of listed) received(paymentHash);
    for (const [paymentHash, { charge }] of [...watched])
      if (askedAt >= finalAt(charge)) decide(paymentHash, 'unpaid');
  };

  const askAboutOne = async (one: Watched, askedAt: number) => {
    const { charge, customer } = one;
    lastAsked.set(customer, askedAt);
    one.asked += 1;
    const interval = Math.max(pollMs, Math.min(pollMs * 2 ** Math.min(one.asked - 1, 16), longestIntervalMs));
    // Once more at the end of the grace period, which decides.
    const left = finalAt(charge) - askedAt;
    one.nextAt = askedAt + (left > 0 ? Math.min(interval, left) : interval);
    const isPaid: unknown = await inTime(async () => invoices.isPaid(charge.paymentHash, { signal: stop }));
    if (typeof isPaid !== 'boolean') throw new Error('The wallet did not answer with true or false.');
    if (isPaid) decide(charge.paymentHash, 'paid');
    else if (askedAt >= finalAt(charge)) decide(charge.paymentHash, 'unpaid');
  };

  const ask = async () => {
    cancel = null;
    const now = clock();
    const due = nextDue(now);
    asking = true;
    try {
      if (due !== null) {
        lastQuestionAt = now;
        if (canList()) await askAboutAll(now);
        else await askAboutOne(due, now);
      }
    } catch (error) {
      if (!stop.aborted) logger.warn({ err: error }, 'Wallet did not say which invoices are paid');
    } finally {
      asking = false;
      schedule();
    }
  };

  const schedule = () => {
    if (asking || stop.aborted || watched.size === 0) return;
    cancel?.();
    let earliest = Number.POSITIVE_INFINITY;
    for (const { nextAt } of watched.values()) earliest = Math.min(earliest, nextAt);
    // Listing asks about all at once, so that no invoice waits for its own interval.
    if (canList()) earliest = 0;
    const at = Math.max(earliest, lastQuestionAt + pollMs);
    const delayMs = at - clock();
    if (delayMs > 0) cancel = timers.after(delayMs, () => void ask());
    else void ask();
  };

  const subscribe = async (): Promise<Unsubscribe | undefined> => {
    try {
      return await invoices.onPaid?.(received);
    } catch (error) {
      logger.warn({ err: error }, 'Wallet gives no payment notifications; it is polled');
      return undefined;
    }
  };

  return {
    watch(invoice) {
      if (stop.aborted) return Promise.resolve('closed');
      unsubscribe ??= subscribe();
      return new Promise((resolve) => {
        const { customer, charge } = invoice;
        watched.set(charge.paymentHash, { ...invoice, asked: 0, nextAt: clock(), resolve });
        counts.set(customer, (counts.get(customer) ?? 0) + 1);
        schedule();
      });
    },
    count: (customer) => (customer === undefined ? watched.size : (counts.get(customer) ?? 0)),
    async close() {
      cancel?.();
      for (const paymentHash of [...watched.keys()]) decide(paymentHash, 'closed');
      (await unsubscribe)?.();
    },
  };
}
