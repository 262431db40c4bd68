import { decodeInvoice, type Invoice, type LightningNetwork } from './invoice.ts';

/**
 * Why an invoice is not paid. `no-bid`: the request offered nothing. `no-invoice`: none was given, or only a Lightning
 * address. `unreadable`: it is none, or its checksum is wrong. `no-amount`: it leaves the amount open. `wrong-network`,
 * `expired`. `mismatch`: it is about more than the provider named. `over-bid`: it is about more than was offered.
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

/** What {@link assessInvoice} gives. */
export type InvoiceAssessment =
  | { readonly ok: true; readonly invoice: Invoice & { readonly amountMsat: number } }
  | { readonly ok: false; readonly reason: InvoiceRefusal; readonly message: string };

/** An invoice must be good for this much longer, so that a payment on its way does not come too late. */
const marginMs = 5_000;

/** Whether an invoice may be paid for a job (JOB-11): amount, bid, expiry, network. Pure; the budget is the store's. */
export function assessInvoice(asked: {
  readonly bolt11: string | null;
  /** What the provider named beside the invoice; null when it named nothing. */
  readonly amountMsat: number | null;
  /** What the request offered; null when it offered nothing. */
  readonly bidMsat: number | null;
  readonly network: LightningNetwork;
  /** ms since epoch. */
  readonly now: number;
}): InvoiceAssessment {
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
