import { createHash } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bech32 } from '@scure/base';

/** A preimage and its hash, the same ones for the same name. */
export function secretOf(name: string): { readonly preimage: string; readonly paymentHash: string } {
  const preimage = createHash('sha256').update(`preimage of ${name}`).digest();
  return {
    preimage: preimage.toString('hex'),
    paymentHash: createHash('sha256').update(preimage).digest('hex'),
  };
}

/** A BOLT 11 invoice as a node would write it. */
export function invoice(options: {
  readonly name?: string;
  /** Null: left to the payer. */
  readonly amountMsat: number | null;
  readonly prefix?: 'bc' | 'tb' | 'tbs' | 'bcrt';
  readonly createdAt?: number;
  readonly expirySeconds?: number;
  /** False: with a signature that is none. */
  readonly isSigned?: boolean;
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
  ];
  // The smallest unit, a tenth of a millisatoshi.
  const amount = amountMsat === null ? '' : `${amountMsat * 10}p`;
  const readable = `ln${prefix}${amount}`;
  return bech32.encode(
    readable,
    [
      ...words,
      ...(options.isSigned === false ? Array.from({ length: 104 }, () => 0) : sign(readable, words)),
    ],
    false,
  );
}

/** Secret key of the node that makes the invoices. */
const nodeKey = Buffer.from('77'.repeat(32), 'hex');

function sign(readable: string, words: readonly number[]): number[] {
  const bits = words.map((word) => word.toString(2).padStart(5, '0')).join('');
  const data = (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
  const message = Buffer.concat([Buffer.from(readable), Buffer.from(data)]);
  const [recoveryId = 0, ...compact] = secp256k1.sign(message, nodeKey, { format: 'recovered' });
  return bech32.toWords(Uint8Array.from([...compact, recoveryId]));
}
