import type * as z from 'zod';
import type { InfoDiscountOptions } from '../info-discount.ts';
import type { Policy, PolicyName } from '../policy.ts';
import type { Rubric } from '../rubric.ts';
import type { configSchema } from '../schemas.ts';

/** What an operator may set (LED-11). Everything is optional. */
export interface LedgerConfig {
  /**
   * Longest message text that is kept, in UTF-16 units; the rest is cut off, its length stays known.
   * @default null (everything is kept)
   */
  readonly maxMessageLength?: number | null;
  /**
   * Senders that are no peers and leave no trace. A plain name is meant on `localChannels` only, so a remote peer
   * that calls itself `system` is recorded; a full peerId (`telegram:4711`, a Nostr key) is meant everywhere.
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
   * Which policy gives the verdicts (LED-19).
   * @default 'open'
   */
  readonly policy?: PolicyName | Policy;
  /**
   * What `assess_peer` tells the model about how to assess: the full rubric, the short one, or words of your own.
   * @default 'full'
   */
  readonly rubric?: Rubric;
  /**
   * How far one `assess_peer` may move trust from the latest assessment (from 0 at the first), 1…20.
   * @default null (as far as the model says)
   */
  readonly maxTrustStep?: number | null;
  /**
   * Whether messages in bursts, clockwork messages and trivial ones count for less in the infoScore (LED-7). Costs a
   * query per peer.
   * @default false
   */
  readonly infoDiscount?: boolean | InfoDiscountOptions;
}

/** A configuration that is checked, with its defaults. */
export type ResolvedConfig = z.output<typeof configSchema>;
