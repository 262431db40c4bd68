import type { CycleRecord } from '../audit/cycle-record.ts';
import type { CostSkip } from '../cost/cost.ts';
import type { DirectiveRegistry } from '../directives/directive.ts';
import type { AfterAssessEvent } from '../events.ts';
import type { PeerFacts } from '../facts/facts.ts';
import type { CostMeter } from './call.ts';
import type { CycleOccasion, GatherTools } from './gather.ts';
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
export interface CycleRequest extends CycleOccasion {
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
  /** Peers that were due at the start. */
  readonly began: ReadonlySet<string>;
  peers: readonly PeerFacts[];
  depth: CycleRecord['depth'];
}
