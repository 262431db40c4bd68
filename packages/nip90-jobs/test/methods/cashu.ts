import { createHash } from 'node:crypto';
import type { PaymentMethod } from '@bonafide/nip90-jobs';

/** What the method needs of an ecash wallet. */
export interface CashuWallet {
  /** Decodes a payment request (NUT-18); null for other text. */
  decode(request: string): { readonly amountSat: number; readonly expiresAt: number } | null;
  /** Makes a token for a request and delivers it. A repeated call with the same key delivers the same token. */
  sendOnce(key: string, request: string): Promise<void>;
  /** State of the token of a key at its mint; `none` when none was made. */
  state(key: string): Promise<'none' | 'unspent' | 'spent'>;
}

/** Pays demands with a tag `cashu`. */
export function createCashuMethod(wallet: CashuWallet): PaymentMethod {
  const lookup: PaymentMethod['lookup'] = async (key) => {
    const state = await wallet.state(key);
    if (state === 'none') return { status: 'unknown' };
    return state === 'spent' ? { status: 'settled', preimage: null, feesMsat: 0 } : { status: 'in-flight' };
  };
  return {
    name: 'cashu',
    async quote({ event }, { maxMsat }) {
      const request = event?.tags.find(([name]) => name === 'cashu')?.[1];
      const decoded = request === undefined ? null : wallet.decode(request);
      if (request === undefined || decoded === null) return null; // not for this method
      const amountMsat = decoded.amountSat * 1_000;
      if (maxMsat === null || amountMsat > maxMsat) return { ok: false, message: 'Above the bid.' };
      const paymentHash = createHash('sha256').update(request).digest('hex');
      return {
        ok: true,
        quote: { paymentHash, instructions: request, amountMsat, expiresAt: decoded.expiresAt },
      };
    },
    async pay({ paymentHash, instructions }, options) {
      await wallet.sendOnce(paymentHash, instructions);
      const outcome = await lookup(paymentHash, options);
      return outcome.status === 'unknown' ? { status: 'in-flight' } : outcome;
    },
    lookup,
  };
}
