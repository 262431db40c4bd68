import { createHash } from 'node:crypto';
import { bech32 } from '@scure/base';

/** A preimage and its hash, the same ones for the same name. */
export function secretOf(name: string): { readonly preimage: string; readonly paymentHash: string } {
  const preimage = createHash('sha256').update(`preimage of ${name}`).digest();
  return {
    preimage: preimage.toString('hex'),
    paymentHash: createHash('sha256').update(preimage).digest('hex'),
  };
}

/** A BOLT 11 invoice as a node would write it, but for its signature, which only wallets look at. */
export function invoice(options: {
  readonly name?: string;
  /** Null: left to the payer. */
  readonly amountMsat: number | null;
  readonly prefix?: 'bc' | 'tb' | 'tbs' | 'bcrt';
  readonly createdAt?: number;
  readonly expirySeconds?: number;
}): string {
  const { name = 'invoice', amountMsat, prefix = 'bc', createdAt = Date.now(), expirySeconds } = options;
  const number = (value: number, length: number) =>
    Array.from({ length }, (_, at) => Math.floor(value / 32 ** (length - 1 - at)) % 32);
  const field = (code: number, words: readonly number[]) => [code, ...number(words.length, 2), ...words];
  const words = [
    ...number(Math.floor(createdAt / 1000), 7),
    ...field(1, bech32.toWords(Buffer.from(secretOf(name).paymentHash, 'hex'))),
    ...field(13, bech32.toWords(Buffer.from('a job'))),
    ...(expirySeconds === undefined ? [] : field(6, number(expirySeconds, 7))),
    ...Array.from({ length: 104 }, () => 0),
  ];
  // The smallest unit, a tenth of a millisatoshi.
  const amount = amountMsat === null ? '' : `${amountMsat * 10}p`;
  return bech32.encode(`ln${prefix}${amount}`, words, false);
}
