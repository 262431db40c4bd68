import { createHash } from 'node:crypto';
import type { PaymentMethod } from '@bonafide/nip90-jobs';
import * as z from 'zod';

/** What the method needs of an account that pays stablecoins. */
export interface X402Account {
  /** Networks and assets that it pays with, and the price of the smallest unit of each, in millisatoshi. */
  readonly msatPerUnit: Readonly<Record<string, number>>;
  /** Signs an authorization (EIP-3009) with this nonce; returns the value of the header `X-PAYMENT`. */
  authorize(requirements: X402Requirements, nonce: string): Promise<string>;
  /** Returns true when the contract of the asset has seen the nonce (`authorizationState`). */
  isUsed(requirements: X402Requirements, nonce: string): Promise<boolean>;
  /** Posts to a resource; the host decides which ones are permitted. */
  post(url: string, headers: Readonly<Record<string, string>>): Promise<{ readonly status: number }>;
}

const requirementsSchema = z.object({
  scheme: z.literal('exact'),
  network: z.string(),
  asset: z.string(),
  maxAmountRequired: z.string().regex(/^\d{1,15}$/),
  payTo: z.string(),
  resource: z.url(),
  maxTimeoutSeconds: z.number().positive(),
});

/** The payment requirements of a resource (x402). */
export type X402Requirements = z.infer<typeof requirementsSchema>;

const readRequirements = (text: string): X402Requirements | null => {
  try {
    return requirementsSchema.parse(JSON.parse(Buffer.from(text, 'base64').toString()));
  } catch {
    return null;
  }
};

/** Pays demands with a tag `x402`. The nonce of the authorization is the id of the payment: the contract takes it once. */
export function createX402Method(account: X402Account): PaymentMethod {
  const requirementsOf = new Map<string, X402Requirements>();
  return {
    name: 'x402',
    async quote({ event }, { maxMsat, now }) {
      const text = event?.tags.find(([name]) => name === 'x402')?.[1];
      const wanted = text === undefined ? null : readRequirements(text);
      if (text === undefined || wanted === null) return null; // not for this method
      const price = account.msatPerUnit[`${wanted.network}:${wanted.asset}`];
      if (price === undefined) return { ok: false, message: 'This account does not pay with that asset.' };
      const amountMsat = Math.ceil(Number(wanted.maxAmountRequired) * price);
      if (maxMsat === null || amountMsat > maxMsat) return { ok: false, message: 'Above the bid.' };
      const paymentHash = createHash('sha256').update(text).digest('hex');
      requirementsOf.set(paymentHash, wanted);
      const expiresAt = now + wanted.maxTimeoutSeconds * 1_000;
      return { ok: true, quote: { paymentHash, instructions: text, amountMsat, expiresAt } };
    },
    async pay({ paymentHash, instructions }) {
      const wanted = readRequirements(instructions);
      if (wanted === null) return { status: 'failed', reason: 'The requirements cannot be read.' };
      requirementsOf.set(paymentHash, wanted);
      const payment = await account.authorize(wanted, `0x${paymentHash}`);
      const { status } = await account.post(wanted.resource, { 'X-PAYMENT': payment });
      if (status === 200) return { status: 'settled', preimage: null, feesMsat: 0 };
      return status === 402
        ? { status: 'failed', reason: 'The payment was refused.' }
        : { status: 'in-flight' };
    },
    async lookup(paymentHash) {
      const wanted = requirementsOf.get(paymentHash);
      // After a restart `pay` follows, with the same nonce.
      if (wanted === undefined || !(await account.isUsed(wanted, `0x${paymentHash}`)))
        return { status: 'unknown' };
      return { status: 'settled', preimage: null, feesMsat: 0 };
    },
  };
}
