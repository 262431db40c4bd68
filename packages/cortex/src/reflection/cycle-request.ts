import type { CycleRecord } from '../audit/cycle-record.ts';
import type { CortexConfig } from '../config.ts';
import type { CostSkip } from '../cost/cost.ts';
import type { DirectiveRegistry } from '../directives/directive.ts';
import type { AfterAssessEvent } from '../events.ts';
import type { PeerFacts } from '../facts/facts.ts';
import type { KnownPeers } from '../facts/known-peers.ts';
import type { ObservedEvent } from '../observe/event-buffer.ts';
import type { Memory } from '../state/memory.ts';
import type { CostMeter } from './call.ts';
import type { GatherTools } from './gather.ts';
import type { ReflectTrace } from './reflect.ts';
import type { Reflector } from './reflector.ts';

/** Dependencies of a cycle. */
export interface CycleTools extends GatherTools {
  readonly reflector: Reflector;
  /** Decides whether a whole reflection is worth its cost. */
  readonly triage: Reflector | undefined;
  readonly directives: DirectiveRegistry;
  readonly clock: () => number;
  readonly random: () => number;
  readonly onAssessed: (event: AfterAssessEvent) => void;
}

/** Input of one cycle. */
export interface CycleRequest {
  readonly config: CortexConfig;
  readonly memory: Memory;
  readonly triggers: readonly string[];
  /**
   * `host`: an explicit request. `strangers`: their share of the budget applies. `activity`: the peers of the cycle decide
   * whose budget applies.
   */
  readonly causedBy: 'host' | 'known' | 'strangers' | 'activity';
  readonly known: KnownPeers;
  /** Failed cycles before this one: each halves the number of peers, so that one peer's text cannot stop all cycles. */
  readonly failuresInARow: number;
  readonly observed: readonly ObservedEvent[];
  /** Events dropped since the start. */
  readonly eventsDropped: number;
  readonly signals: readonly (AbortSignal | undefined)[];
  /** Aborts when another process took over. */
  readonly lost: AbortSignal;
}

/** The result of one cycle: a record, nothing when no peer was due, or the limit that prevented the call. */
export type CycleOutcome =
  | { readonly status: 'applied' | 'failed'; readonly record: CycleRecord }
  | { readonly status: 'idle' }
  | { readonly status: 'skipped'; readonly skip: CostSkip };

/** A cycle while it runs. */
export interface Draft {
  readonly cycle: number;
  readonly startedAt: number;
  readonly trace: ReflectTrace;
  readonly meter: CostMeter;
  /** Peers that are due, those of this cycle included. */
  readonly waiting: Set<string>;
  peers: readonly PeerFacts[];
  depth: CycleRecord['depth'];
}
