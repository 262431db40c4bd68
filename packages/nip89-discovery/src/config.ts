import * as z from 'zod';
import { defaultSynonyms, type Synonyms } from './card/match.ts';
import { DiscoveryError } from './errors.ts';
import { defaultTierPolicy, type TierPolicy } from './registry/relay-tier.ts';

const positive = z.number().positive();
const share = z.number().min(0).max(1);
const tierSchema = z
  .strictObject({
    promoteAt: share.default(defaultTierPolicy.promoteAt),
    demoteAt: share.default(defaultTierPolicy.demoteAt),
    dwellMs: z.number().min(0).default(defaultTierPolicy.dwellMs),
    smoothing: share.refine((value) => value > 0, 'Must be more than 0').default(defaultTierPolicy.smoothing),
    maxPersistent: z.int().min(1).default(defaultTierPolicy.maxPersistent),
  })
  .refine(({ promoteAt, demoteAt }) => demoteAt < promoteAt, 'demoteAt must be less than promoteAt');
const configSchema = z.strictObject({
  wanted: z.array(z.string().min(1)).default([]),
  k: z.array(z.string().min(1)).default([]),
  synonyms: z.record(z.string(), z.array(z.string()).readonly()).default(defaultSynonyms),
  lookbackMs: positive.default(86_400_000),
  sweepMs: positive.default(3_600_000),
  queryTimeoutMs: positive.default(5_000),
  pollMs: positive.default(300_000),
  sampleMs: positive.default(3_600_000),
  tickMs: positive.default(1_000),
  lingerMs: z.number().min(0).default(1_000),
  tiers: tierSchema.prefault({}),
  maxPending: z.int().min(1).default(10_000),
  maxPendingBytes: z
    .int()
    .min(1)
    .default(32 * 1_024 * 1_024),
  maxCardsPerKey: z.int().min(1).default(100),
  maxPlatforms: z.int().min(1).default(1_000_000),
  reconcileMs: positive.default(3_600_000),
  rememberedRejections: z.int().min(0).default(100),
  allowLoopback: z.boolean().default(false),
  allowHosts: z.array(z.string()).default([]),
});

/** How a registry behaves. Every field is optional where it is handed in; a field that does not exist is refused. */
export interface DiscoveryConfig {
  /** Capabilities that make a platform a candidate as soon as its card is found. @default [] */
  readonly wanted: readonly string[];
  /**
   * Values of the `k` tag for which relays are asked; none asks for every card and matches here, which is what finds
   * synonyms, and cards that no longer name a kind. With some, less is read from relays that are full. @default []
   */
  readonly k: readonly string[];
  /** Words that mean the same. @default defaultSynonyms */
  readonly synonyms: Synonyms;
  /** How far back a relay is read that was never read before, ms. `sync()` reads everything. @default 86400000 */
  readonly lookbackMs: number;
  /** How often cards are looked over for stale ones, ms. @default 3600000 */
  readonly sweepMs: number;
  /** How often relays of the second tier are read, and those of the first judged, ms. @default 300000 */
  readonly pollMs: number;
  /** How often relays of the third tier are read on average, at random times, ms. @default 3600000 */
  readonly sampleMs: number;
  /** How often is looked whether a relay is due, ms. @default 1000 */
  readonly tickMs: number;
  /** How long a polled relay is listened to after it said that it was done, ms: some say so too early. @default 1000 */
  readonly lingerMs: number;
  /** When relays are promoted and demoted. @default defaultTierPolicy */
  readonly tiers: TierPolicy;
  /** How long relays are waited for in `sync`, `relaysFor`, `probe` and when they are polled, ms. @default 5000 */
  readonly queryTimeoutMs: number;
  /** Events that wait to be taken in; more are dropped, counted, and read again later. @default 10000 */
  readonly maxPending: number;
  /** The same in bytes of text. @default 33554432 */
  readonly maxPendingBytes: number;
  /** Cards of one key; more of them are rejected, since identifiers cost nothing. @default 100 */
  readonly maxCardsPerKey: number;
  /**
   * Platforms in the registry: beyond it, up to a tenth more, those least worth keeping are forgotten (see
   * `DiscoveryStore.keepAtMost`). A registry in memory wants less: an entry takes about 8 KB there. @default 1000000
   */
  readonly maxPlatforms: number;
  /** How often everything of the last `lookbackMs` is asked for once more, in case a relay kept something back, ms. @default 3600000 */
  readonly reconcileMs: number;
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
