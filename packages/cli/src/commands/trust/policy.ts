import type { TrustPolicy } from '@bonafide/trust-score';
import { decode } from 'nostr-tools/nip19';
import * as z from 'zod';
import { CliError } from '../../errors.ts';
import { readJson } from './read.ts';

/** Options that set the verifier's rules. */
export interface PolicyOptions {
  readonly policy?: string;
  readonly customers?: string;
}

const customersSchema = z.union([
  z.array(z.string()).transform((keys) => keys.map((key) => [key, 1] as const)),
  z.record(z.string(), z.number().min(0).max(1)).transform((weights) => Object.entries(weights)),
]);

/** Parses a public key in hex or npub form. Returns hex. */
export function publicKey(text: string): string {
  if (/^[0-9a-f]{64}$/iu.test(text)) return text.toLowerCase();
  try {
    const decoded = decode(text);
    if (decoded.type === 'npub') return decoded.data;
  } catch {
    // Reported below without quoting the text, which may be an nsec.
  }
  throw new CliError('USAGE', 'A key is given as an npub or as 64 hex digits.');
}

/** Reads the verifier's rules: members of a `TrustPolicy` in one file, the public keys of known customers in another. */
export async function readPolicy({ policy, customers }: PolicyOptions): Promise<Partial<TrustPolicy>> {
  const rules = policy === undefined ? {} : await readJson(policy);
  if (typeof rules !== 'object' || rules === null || Array.isArray(rules))
    throw new CliError('USAGE', 'A policy is a JSON object with members of TrustPolicy.');
  if (customers === undefined) return rules;
  const known = customersSchema.safeParse(await readJson(customers));
  if (!known.success)
    throw new CliError(
      'USAGE',
      'Customers are a JSON list of public keys, or an object of weights by public key.',
    );
  return {
    ...rules,
    knownCustomers: Object.fromEntries(known.data.map(([key, weight]) => [publicKey(key), weight])),
  };
}
