import * as z from 'zod';
import { msat, network as networkSchema, readInput } from '../option-schemas.ts';
import { decodeInvoice, type Invoice, type LightningNetwork } from './invoice.ts';

/**
 * Reason why an invoice is not paid. `no-bid`: the request offered nothing. `no-invoice`: no invoice was
 * given. `unreadable`: not an invoice, or a wrong checksum. `no-amount`: the invoice has no amount.
 * `wrong-network`, `expired`. `mismatch`: the invoice exceeds the named amount. `over-bid`: the invoice
 * exceeds the bid.
 */
export type InvoiceRefusal =
  | 'no-bid'
  | 'no-invoice'
  | 'unreadable'
  | 'no-amount'
  | 'wrong-network'
  | 'expired'
  | 'mismatch'
  | 'over-bid';

/** Result of {@link assessInvoice}. */
export type InvoiceAssessment =
  | { readonly ok: true; readonly invoice: Invoice & { readonly amountMsat: number } }
  | { readonly ok: false; readonly reason: InvoiceRefusal; readonly message: string };

const askedSchema = z.strictObject({
  bolt11: z.string().nullable(),
  amountMsat: msat.nullable(),
  bidMsat: msat.nullable(),
  network: networkSchema,
  now: z.number().min(0),
});

/** An invoice must be good for this much longer, so that a payment on its way does not come too late. */
const marginMs = 5_000;

/**
 * Decides whether an invoice may be paid for a job: amount, bid, expiry, network. Pure; the store enforces
 * the budget.
 */
export function assessInvoice(asked: {
  readonly bolt11: string | null;
  /** Amount that the provider named beside the invoice, or null. */
  readonly amountMsat: number | null;
  /** Bid of the request, or null. */
  readonly bidMsat: number | null;
  readonly network: LightningNetwork;
  /** ms since epoch. */
  readonly now: number;
}): InvoiceAssessment {
  readInput(askedSchema, asked, 'asked');
  const { bolt11, amountMsat: named, bidMsat, network, now } = asked;
  const refuse = (reason: InvoiceRefusal, message: string): InvoiceAssessment => ({
    ok: false,
    reason,
    message,
  });
  if (bidMsat === null) {
    return refuse(
      'no-bid',
      `The provider wants ${named ?? 'an unnamed number of'} msat and the request offered nothing.`,
    );
  }
  if (named !== null && named > bidMsat)
    return refuse('over-bid', `The provider wants ${named} msat; ${bidMsat} msat were offered.`);
  if (bolt11 === null) return refuse('no-invoice', 'The provider wants to be paid and gave no invoice.');
  const invoice = decodeInvoice(bolt11);
  if (invoice === null) return refuse('unreadable', "The provider's invoice cannot be read.");
  const { amountMsat } = invoice;
  if (amountMsat === null || amountMsat === 0)
    return refuse('no-amount', "The provider's invoice names no amount.");
  if (invoice.network !== network) {
    return refuse('wrong-network', `The provider's invoice is on ${invoice.network}, not on ${network}.`);
  }
  if (invoice.expiresAt <= now + marginMs) return refuse('expired', "The provider's invoice has expired.");
  if (named !== null && amountMsat > named) {
    return refuse('mismatch', `The provider named ${named} msat, its invoice is over ${amountMsat} msat.`);
  }
  if (amountMsat > bidMsat) {
    return refuse(
      'over-bid',
      `The provider's invoice is over ${amountMsat} msat; ${bidMsat} msat were offered.`,
    );
  }
  return { ok: true, invoice: { ...invoice, amountMsat } };
}
