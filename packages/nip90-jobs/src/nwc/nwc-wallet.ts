import { orAbort, startDeadline } from '@bonafide/internal';
import { type Nip47Transaction, Nip47WalletError, NWCClient } from '@getalby/sdk/nwc';
import * as z from 'zod';
import { JobError } from '../errors.ts';
import { duration, readConfig } from '../option-schemas.ts';
import { decodeInvoice } from '../payment/invoice.ts';
import type { Invoices, PaymentOutcome, Wallet } from '../payment/wallet.ts';

/** Options of {@link createNwcWallet}. */
export interface NwcWalletOptions {
  /**
   * The wallet's `nostr+walletconnect://…` address. It contains a secret: keep it out of logs and shared
   * files.
   */
  readonly url: string;
  /**
   * Time limit for the wallet's answer, in ms. Lightning can take over a minute.
   * @default 90_000
   */
  readonly timeoutMs?: number;
}

const optionsSchema = z.strictObject({ url: z.string(), timeoutMs: duration.default(90_000) });

/** A wallet that pays a customer's invoices and creates a provider's. */
export interface NwcWallet extends Wallet, Required<Invoices> {
  close(): void;
  [Symbol.dispose](): void;
}

/**
 * Error codes with which a wallet states that it paid nothing (NIP-47). Every other error leaves that open.
 */
const refusals = new Set([
  'NOT_IMPLEMENTED',
  'INSUFFICIENT_BALANCE',
  'QUOTA_EXCEEDED',
  'RESTRICTED',
  'UNAUTHORIZED',
  'UNSUPPORTED_ENCRYPTION',
  'PAYMENT_FAILED',
]);

/** Transactions that are requested from a wallet at once. */
const transactionsPerPage = 50;

/** Placeholder for an answer that cannot be decrypted; the SDK keeps waiting. */
const undecryptable = 'undecryptable';

/**
 * Client whose decryption never throws: the SDK decrypts outside of any promise, so that an error would end
 * the process.
 */
class ForgivingClient extends NWCClient {
  override async decrypt(pubkey: string, content: string): Promise<string> {
    try {
      return await super.decrypt(pubkey, content);
    } catch {
      // No JSON, so that the SDK reports that it cannot read the answer.
      return undecryptable;
    }
  }
}

/**
 * Creates a wallet over Nostr Wallet Connect (NIP-47), which has no limit for fees: they can exceed what the budget reserves for
 * them. Set a budget for the connection in the wallet as well.
 * @throws {JobError} `INVALID_CONFIG` for an invalid address
 */
export function createNwcWallet(options: NwcWalletOptions): NwcWallet {
  const { url, timeoutMs } = readConfig(optionsSchema, options);
  const client = connect(url);

  /** Stops waiting at the time limit; the request may still be processed. */
  const inTime = async <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> => {
    const deadline = startDeadline(timeoutMs, [signal]);
    try {
      return await orAbort(work, deadline.signal);
    } finally {
      deadline.clear();
    }
  };

  const lookUp = async (paymentHash: string, signal: AbortSignal): Promise<Nip47Transaction | null> => {
    try {
      return await inTime(client.lookupInvoice({ payment_hash: paymentHash }), signal);
    } catch (error) {
      if (error instanceof Nip47WalletError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  };

  const close = () => client.close();

  return {
    async pay(bolt11, { maxMsat, signal }): Promise<PaymentOutcome> {
      const invoice = decodeInvoice(bolt11);
      if (invoice?.amountMsat == null || invoice.amountMsat > maxMsat)
        return { status: 'failed', reason: `The invoice is over more than ${maxMsat} msat.` };
      try {
        const paid = await inTime(client.payInvoice({ invoice: bolt11 }), signal);
        // The SDK takes any object for an answer.
        if (typeof paid.preimage !== 'string') return { status: 'in-flight' };
        return { status: 'settled', preimage: hexOrNull(paid.preimage), feesMsat: whole(paid.fees_paid) };
      } catch (error) {
        if (error instanceof Nip47WalletError && refusals.has(error.code))
          return { status: 'failed', reason: `${error.code}: ${error.message}` };
        // Too late, unreachable, out of order: the state is unknown.
        return { status: 'in-flight' };
      }
    },

    async lookup(paymentHash, { signal }) {
      const found = await lookUp(paymentHash, signal);
      if (found === null || found.type === 'incoming') return { status: 'unknown' };
      if (found.state === 'failed') return { status: 'failed', reason: 'The wallet says that it failed.' };
      if (!isSettled(found)) return { status: 'in-flight' };
      return { status: 'settled', preimage: hexOrNull(found.preimage), feesMsat: whole(found.fees_paid) };
    },

    async create({ amountMsat, description, expiryMs }, { signal }) {
      const expiry = Math.ceil(expiryMs / 1000);
      const made = await inTime(client.makeInvoice({ amount: amountMsat, description, expiry }), signal);
      const invoice = decodeInvoice(made.invoice);
      if (invoice?.amountMsat !== amountMsat)
        throw new JobError(
          'WALLET_FAILED',
          'The wallet made an invoice over another amount than it was asked for.',
        );
      return { bolt11: invoice.bolt11, paymentHash: invoice.paymentHash };
    },

    async isPaid(paymentHash, { signal }) {
      const found = await lookUp(paymentHash, signal);
      return found !== null && found.type !== 'outgoing' && isSettled(found);
    },

    async listPaid({ since, signal }) {
      const from = Math.max(0, Math.floor(since / 1000));
      const paid = new Set<string>();
      const seen = new Set<string>();
      for (let offset = 0; ; offset += transactionsPerPage) {
        const { transactions } = await inTime(
          client.listTransactions({
            from,
            limit: transactionsPerPage,
            offset,
            unpaid: false,
            type: 'incoming',
          }),
          signal,
        );
        const known = seen.size;
        for (const transaction of transactions) {
          seen.add(transaction.payment_hash);
          if (isSettled(transaction)) paid.add(transaction.payment_hash);
        }
        // A wallet that ignores the offset returns the same page for ever.
        if (transactions.length < transactionsPerPage || seen.size === known) return [...paid];
      }
    },

    onPaid: (listener) =>
      client.subscribeNotifications(
        ({ notification }) => {
          if (notification.type !== 'outgoing' && isSettled(notification))
            listener(notification.payment_hash);
        },
        ['payment_received'],
      ),

    close,
    [Symbol.dispose]: close,
  };
}

function connect(url: string): NWCClient {
  try {
    const client = new ForgivingClient({ nostrWalletConnectUrl: url });
    if (!/^[0-9a-f]{64}$/.test(client.walletPubkey) || !/^[0-9a-f]{64}$/.test(client.secret ?? ''))
      throw new Error('no keys');
    return client;
  } catch {
    // The address holds a secret, and an error's cause may show it.
    throw new JobError('INVALID_CONFIG', 'This is not a wallet address: use nostr+walletconnect://…');
  }
}

/** Some services report `state`, others `settled_at` only. */
function isSettled({ state, settled_at }: Nip47Transaction): boolean {
  return state === 'settled' || (state === undefined && settled_at > 0);
}

const hexOrNull = (text: unknown) =>
  typeof text === 'string' && /^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : null;
const whole = (value: unknown) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
