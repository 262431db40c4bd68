import type { NostrEvent } from '@bonafide/nostr-transport';
import { network as networkSchema, readConfig, wallet as walletSchema } from '../option-schemas.ts';
import { assessInvoice } from './assess-invoice.ts';
import type { LightningNetwork } from './invoice.ts';
import type { PaymentOutcome, Wallet } from './wallet.ts';

/** A provider's demand for payment, from `payment-required` feedback or from a result. */
export interface PaymentDemand {
  /** Public key of the provider: 64 hex digits. */
  readonly provider: string;
  /** Millisatoshi; null when the demand names no amount. */
  readonly amountMsat: number | null;
  readonly bolt11: string | null;
  /** Lightning address (`name@host`, LUD-16), or null. */
  readonly lightningAddress: string | null;
  /** The signed event, for methods that read other tags, or null. */
  readonly event: NostrEvent | null;
}

/** A demand that a method can pay. */
export interface PaymentQuote {
  /** Identifies the payment; two payments never share one. For Lightning the payment hash, 64 hex digits. */
  readonly paymentHash: string;
  /** The instructions to pay, stored with the payment. For Lightning the invoice. */
  readonly instructions: string;
  readonly amountMsat: number;
  /** Expiry of the instructions, ms since epoch. */
  readonly expiresAt: number;
}

/** Result of {@link PaymentMethod.quote}. Null: the demand is not for this method. */
export type QuoteResult =
  | { readonly ok: true; readonly quote: PaymentQuote }
  | { readonly ok: false; readonly message: string }
  | null;

/**
 * A way of paying. Implementations for ecash or HTTP payments fit in here: `quote` reads the demand and checks its
 * amount, `pay` pays, `lookup` finds out about a payment that got no answer. The client adds the budget, the record of each
 * payment before it is made, and the look-ups.
 */
export interface PaymentMethod {
  /** Name that is stored with each payment. */
  readonly name: string;
  /** Reads a demand, at most `maxMsat` (null: the request offered nothing). Does not pay. */
  quote(
    demand: PaymentDemand,
    options: { readonly maxMsat: number | null; readonly now: number; readonly signal: AbortSignal },
  ): Promise<QuoteResult>;
  /** Pays. A rejection counts as in flight. Paying the same instructions twice must not move money twice. */
  pay(
    quote: PaymentQuote,
    options: { readonly maxFeeMsat: number; readonly signal: AbortSignal },
  ): Promise<PaymentOutcome>;
  /** Returns the outcome of a payment; `unknown` when there is none. Rejects when that cannot be determined. */
  lookup(
    paymentHash: string,
    options: { readonly signal: AbortSignal },
  ): Promise<PaymentOutcome | { readonly status: 'unknown' }>;
}

/** Creates the method `bolt11`: pays the invoice of the demand with a Lightning wallet. */
export function createBolt11Method(wallet: Wallet, network: LightningNetwork = 'bitcoin'): PaymentMethod {
  readConfig(walletSchema, wallet, 'wallet');
  readConfig(networkSchema, network, 'network');
  return {
    name: 'bolt11',
    async quote({ bolt11, amountMsat }, { maxMsat, now }) {
      if (bolt11 === null) return null;
      const assessed = assessInvoice({ bolt11, amountMsat, bidMsat: maxMsat, network, now });
      if (!assessed.ok) return { ok: false, message: assessed.message };
      const { invoice } = assessed;
      return {
        ok: true,
        quote: {
          paymentHash: invoice.paymentHash,
          instructions: invoice.bolt11,
          amountMsat: invoice.amountMsat,
          expiresAt: invoice.expiresAt,
        },
      };
    },
    pay: ({ instructions, amountMsat }, { maxFeeMsat, signal }) =>
      wallet.pay(instructions, { maxMsat: amountMsat, maxFeeMsat, signal }),
    lookup: (paymentHash, options) => wallet.lookup(paymentHash, options),
  };
}
