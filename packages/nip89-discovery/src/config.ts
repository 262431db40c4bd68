import { parseOrThrow } from '@bonafide/internal';
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
  relayTimeoutMs: positive.default(900_000),
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
  maxWriteRelays: z.int().min(0).default(12),
  rememberedRejections: z.int().min(0).default(100),
  allowLoopback: z.boolean().default(false),
  allowHosts: z.array(z.string()).default([]),
});

/** Settings of a registry. */
export interface DiscoveryConfig {
  /** Capabilities that make a platform a candidate when its card is found. @default [] */
  readonly wanted: readonly string[];
  /**
   * Values of the `k` tag to request from relays. Empty requests every card and matches locally, which also
   * finds synonyms and cards that no longer name a kind. A list reduces the traffic. @default []
   */
  readonly k: readonly string[];
  /** Labels with the same meaning. @default defaultSynonyms */
  readonly synonyms: Synonyms;
  /**
   * Age of the oldest card to request from a relay that was never read, ms. `sync()` has no such limit.
   * @default 86400000
   */
  readonly lookbackMs: number;
  /** Interval of the sweep for stale and expired cards, ms. @default 3600000 */
  readonly sweepMs: number;
  /** Interval at which `polled` relays are read and `persistent` relays are rated, ms. @default 300000 */
  readonly pollMs: number;
  /** Average interval at which `sampled` relays are read, ms. The times are random. @default 3600000 */
  readonly sampleMs: number;
  /** Interval at which due readings are started, ms. @default 1000 */
  readonly tickMs: number;
  /**
   * Time for which a polled relay stays subscribed after EOSE, ms, because some relays send EOSE too early.
   * @default 1000
   */
  readonly lingerMs: number;
  /** Rules of promotion and demotion. @default defaultTierPolicy */
  readonly tiers: TierPolicy;
  /** Timeout of relays in `sync`, `relaysFor`, `probe` and polling, ms. @default 5000 */
  readonly queryTimeoutMs: number;
  /**
   * Time for all pages of one relay in `sync`, ms. A relay that is not read to its end by then is reported as `timed-out`.
   *
   * @default 900000
   */
  readonly relayTimeoutMs: number;
  /**
   * Largest number of events in the intake queue. Further events are dropped, counted and read again later.
   * @default 10000
   */
  readonly maxPending: number;
  /** Largest size of the intake queue, bytes of text. @default 33554432 */
  readonly maxPendingBytes: number;
  /** Largest number of cards of one key. Further cards are rejected. @default 100 */
  readonly maxCardsPerKey: number;
  /**
   * Capacity of the registry. It may be exceeded by a tenth before entries are evicted, see
   * `DiscoveryStore.evict`. Use less for the memory store, where an entry takes about 8 KB. @default 1000000
   */
  readonly maxPlatforms: number;
  /**
   * Interval at which the events of the last `lookbackMs` are requested again, ms, for relays that held
   * events back. @default 3600000
   */
  readonly reconcileMs: number;
  /** Number of write relays of authors (NIP-65) to read beside the relays of the registry; 0 reads none. @default 12 */
  readonly maxWriteRelays: number;
  /** Number of rejections to keep in detail. @default 100 */
  readonly rememberedRejections: number;
  /** Accepts relay hints on this machine, also without TLS. For tests and development. @default false */
  readonly allowLoopback: boolean;
  /** Hosts to accept in relay hints without further checks. @default [] */
  readonly allowHosts: readonly string[];
}

/** {@link DiscoveryConfig} with every field optional. Unknown fields are errors. */
export type DiscoveryConfigInput = z.input<typeof configSchema>;

/** Applies the defaults. @throws DiscoveryError `INVALID_CONFIG`, naming the field. */
export function resolveConfig(input: DiscoveryConfigInput = {}): DiscoveryConfig {
  return parseOrThrow(
    configSchema,
    input,
    'config',
    (message, options) => new DiscoveryError('INVALID_CONFIG', message, options),
  );
}
