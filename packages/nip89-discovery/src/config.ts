import * as z from 'zod';
import { DiscoveryError } from './errors.ts';
import { defaultSynonyms, type Synonyms } from './match.ts';

const positive = z.number().positive();
const configSchema = z.strictObject({
  wanted: z.array(z.string().min(1)).default([]),
  synonyms: z.record(z.string(), z.array(z.string()).readonly()).default(defaultSynonyms),
  lookbackMs: positive.default(86_400_000),
  sweepMs: positive.default(3_600_000),
  queryTimeoutMs: positive.default(5_000),
  maxPending: z.int().min(1).default(10_000),
  rememberedRejections: z.int().min(0).default(100),
  allowLoopback: z.boolean().default(false),
  allowHosts: z.array(z.string()).default([]),
});

/** How a registry behaves. Every field is optional where it is handed in; a field that does not exist is refused. */
export interface DiscoveryConfig {
  /** Capabilities that make a platform a candidate as soon as its card is found. @default [] */
  readonly wanted: readonly string[];
  /** Words that mean the same. @default defaultSynonyms */
  readonly synonyms: Synonyms;
  /** How far back a relay is read that was never read before, ms. `sync()` reads everything. @default 86400000 */
  readonly lookbackMs: number;
  /** How often cards are looked over for stale ones, ms. @default 3600000 */
  readonly sweepMs: number;
  /** How long relays are waited for in `sync` and `relaysFor`, ms. @default 5000 */
  readonly queryTimeoutMs: number;
  /** Events that wait to be taken in; more are dropped, counted, and read again after a restart. @default 10000 */
  readonly maxPending: number;
  /** Rejections that are remembered with their details. @default 100 */
  readonly rememberedRejections: number;
  /** Takes relay hints on this machine, also without TLS: for tests and development. @default false */
  readonly allowLoopback: boolean;
  /** Hosts that the operator vouches for, in relay hints. @default [] */
  readonly allowHosts: readonly string[];
}

/** {@link DiscoveryConfig} as it is handed in: everything optional. */
export type DiscoveryConfigInput = z.input<typeof configSchema>;

/** Fills in the defaults. @throws DiscoveryError `INVALID_CONFIG`, naming the field. */
export function resolveConfig(input: DiscoveryConfigInput = {}): DiscoveryConfig {
  const parsed = configSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new DiscoveryError('INVALID_CONFIG', `Discovery config: ${z.prettifyError(parsed.error)}`, {
    cause: parsed.error,
  });
}
