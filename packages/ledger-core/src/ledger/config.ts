import type * as z from 'zod';
import type { InfoDiscountOptions } from '../info-discount.ts';
import type { Policy, PolicyName } from '../policy.ts';
import type { Rubric } from '../rubric.ts';
import type { configSchema } from '../schemas.ts';

/** Configuration of a ledger. All fields are optional. */
export interface LedgerConfig {
  /**
   * Longest message text that is kept, in UTF-16 units; the rest is cut off, its length stays known.
   * @default null (everything is kept)
   */
  readonly maxMessageLength?: number | null;
  /**
   * Senders that are not recorded. A plain name applies to `localChannels` only, so a remote peer that calls
   * itself `system` is recorded; a full peerId (`telegram:4711`, a Nostr key) applies everywhere.
   * @default ['stdin', 'system', 'cron']
   */
  readonly excludedSenders?: readonly string[];
  /**
   * Channels whose sender ids are given by this machine and not chosen by a stranger.
   * @default ['local', 'stdin', 'stdio', 'system', 'cron', 'cli', 'internal']
   */
  readonly localChannels?: readonly string[];
  /**
   * Channels whose peers the agent and the cortex assess; elsewhere only the operator does.
   * @default null (all)
   */
  readonly assessChannels?: readonly string[] | null;
  /**
   * Policy that gives the verdicts.
   * @default 'open'
   */
  readonly policy?: PolicyName | Policy;
  /**
   * Instructions of `assess_peer` to the model: the full rubric, the short one, or your own text.
   * @default 'full'
   */
  readonly rubric?: Rubric;
  /**
   * Maximum change of trust by one `assess_peer` from the latest assessment (from 0 at the first), 1…20.
   * @default null (no limit)
   */
  readonly maxTrustStep?: number | null;
  /**
   * Enables the discount on messages in bursts, on a fixed schedule, or without content. Costs one query per
   * peer.
   * @default false
   */
  readonly infoDiscount?: boolean | InfoDiscountOptions;
}

/** A configuration that is checked, with its defaults. */
export type ResolvedConfig = z.output<typeof configSchema>;
