import { decode } from 'light-bolt11-decoder';
import * as z from 'zod';
import { readInput } from '../option-schemas.ts';

/** The networks that a Lightning invoice can be on, by their usual names. */
const networks = new Map([
  ['bc', 'bitcoin'],
  ['tb', 'testnet'],
  ['tbs', 'signet'],
  ['bcrt', 'regtest'],
  ['sb', 'simnet'],
] as const);

/** A network that invoices are on. */
export type LightningNetwork = 'bitcoin' | 'testnet' | 'signet' | 'regtest' | 'simnet';

/** A decoded BOLT 11 invoice. */
export interface Invoice {
  /** In lower case. */
  readonly bolt11: string;
  /** 64 hex digits: one payment has one. */
  readonly paymentHash: string;
  /** Null when the invoice leaves the amount to the payer. */
  readonly amountMsat: number | null;
  readonly network: LightningNetwork;
  /** ms since epoch. */
  readonly createdAt: number;
  /** ms since epoch; an hour after it was made when it does not say (BOLT 11). */
  readonly expiresAt: number;
}

/** Longest invoice that is looked at; route hints and long descriptions stay well below. */
const maxLength = 4_096;
const defaultExpirySeconds = 3_600;
const textSchema = z.string();
/** Ten years: longer ones are read as this. */
const maxExpirySeconds = 315_360_000;

/**
 * Reads a BOLT 11 invoice and checks its checksum; null for anything else. The payee's signature is for the wallet to
 * check, which cannot pay without it.
 *
 * @throws {JobError} `INVALID_INPUT` for a value that is no text
 */
export function decodeInvoice(bolt11: string): Invoice | null {
  readInput(textSchema, bolt11, 'bolt11');
  if (bolt11.length > maxLength) return null;
  try {
    const { paymentRequest, sections } = decode(bolt11);
    const found = <Name extends (typeof sections)[number]['name']>(name: Name) =>
      sections.find((section): section is Extract<typeof section, { name: Name }> => section.name === name);
    const network = networks.get((found('coin_network')?.letters ?? '') as 'bc');
    const paymentHash = found('payment_hash')?.value;
    const timestamp = found('timestamp')?.value;
    if (network === undefined || timestamp === undefined) return null;
    if (paymentHash === undefined || !/^[0-9a-f]{64}$/.test(paymentHash)) return null;
    const amount = found('amount')?.value;
    const amountMsat = amount === undefined ? null : Number(amount);
    if (amountMsat !== null && !Number.isSafeInteger(amountMsat)) return null;
    const expirySeconds = Math.min(found('expiry')?.value ?? defaultExpirySeconds, maxExpirySeconds);
    return {
      bolt11: paymentRequest,
      paymentHash,
      amountMsat,
      network,
      createdAt: timestamp * 1000,
      expiresAt: (timestamp + expirySeconds) * 1000,
    };
  } catch {
    return null;
  }
}
