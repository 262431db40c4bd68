import type { Logger, PeerErasure, Unsubscribe } from '@bonafide/internal';
import type { CycleRecord } from './audit/cycle-record.ts';
import type { SoulReport } from './audit/soul-report.ts';
import type { Belief } from './beliefs/beliefs.ts';
import type { Commitment, CommitmentInput } from './commitments/commitments.ts';
import type { CortexConfigInput } from './config.ts';
import type { ConsultationQuestion } from './consultation/consult.ts';
import type { Consultation } from './consultation/verdict.ts';
import type { CostDay, CostSkip } from './cost/cost.ts';
import type { Directive, DirectiveRegistry } from './directives/directive.ts';
import type { DirectiveStream } from './directives/directive-stream.ts';
import type { CortexEvents } from './events.ts';
import type { LedgerPort } from './ledger-port.ts';
import type { CortexStats } from './loop/cortex-stats.ts';
import type { ReflectResult } from './loop/cycle-runner.ts';
import type { CortexHooks } from './observe/hooks.ts';
import type { BeliefReference } from './operator/operator-verbs.ts';
import type { Replay } from './operator/replay.ts';
import type { Reverted } from './operator/revert.ts';
import type { Reflector } from './reflection/reflector.ts';
import type { StatePort } from './state/state-port.ts';

/** Options of `createCortex`. */
export interface CortexOptions {
  readonly ledger: LedgerPort;
  readonly reflector: Reflector;
  /** A cheap reflector that decides whether a whole reflection is worth its cost. @default every cycle reflects */
  readonly triage?: Reflector;
  /** Storage across restarts, and among processes. Kept in memory by default. */
  readonly state?: StatePort;
  /** Returns the agent's own description of itself; read for every cycle. */
  readonly soul?: () => Promise<string>;
  /** Further kinds of directives, by name. */
  readonly directives?: DirectiveRegistry;
  /** Current time in ms since epoch. */
  readonly clock?: () => number;
  /** Random number with 0 ≤ n < 1. Draws the marker of peer text, so it should be unpredictable. */
  readonly random?: () => number;
  readonly config?: CortexConfigInput;
  readonly logger?: Logger;
}

/** A reflection loop beside the agent's main loop. Its failures never reach the main loop. */
export interface Cortex {
  /** Observers for the agent's main loop. */
  readonly hooks: CortexHooks;
  /**
   * Loads the state, finds peers with unseen facts, takes over assessment and starts the triggers. May be called again after
   * a failure. A state that fails in another way than documented here is replaced by memory.
   *
   * @throws CortexError `NOT_MIGRATED`, `LEDGER_FAILED` or `CLOSED`.
   */
  start(): Promise<void>;
  /**
   * Evaluates the triggers now and runs a cycle when one fires; returns null when none does. Timers call it
   * automatically.
   */
  tick(): Promise<ReflectResult | null>;
  /**
   * Runs a cycle without a trigger. During a running cycle the request is counted as skipped and settles with the
   * following cycle, if one is needed. Never rejects because of a failed cycle.
   *
   * @throws CortexError `INVALID_INPUT` for a reason that is not a text.
   */
  reflectNow(reason: string, options?: { readonly signal?: AbortSignal }): Promise<ReflectResult>;
  /** Reads the state again, and with it what other processes changed. Timers call it automatically. */
  refresh(): Promise<void>;
  /** Returns the active beliefs, least recently confirmed first. */
  beliefs(): readonly Belief[];
  /** Returns the last cycles, newest first. */
  history(): readonly CycleRecord[];
  /** Returns the lessons of earlier cycles, oldest first. Words of a model: data. */
  lessons(): readonly string[];
  /** Returns the agreement with the soul text and its drift; null without a score. */
  soulAlignment(): SoulReport | null;
  /** Returns the cost by day, and the calls that a limit prevented, oldest first. */
  costs(): { readonly days: readonly CostDay[]; readonly skips: readonly CostSkip[] };
  /** Appends the section of active beliefs to `prompt`. `peerId` is the peer of the current conversation. */
  transformSystemPrompt(prompt: string, context?: { readonly peerId?: string }): string;
  /** Returns the directives for the main loop: an iterator, and `poll()`. Each is delivered until `ack(id)`. */
  directives(): DirectiveStream;
  /** Returns free-text suggestions of the reflector, which wait for the operator. */
  suggestions(): readonly Directive[];
  /** Passes a suggestion on to the main loop. Returns false when there is none of that id. */
  approveSuggestion(id: string): Promise<boolean>;
  /**
   * Notes that a peer promised something. An incoming message in time, with the same `correlationId` if given, fulfils it;
   * otherwise a cycle starts, and the peer may be judged more severely.
   */
  noteCommitment(commitment: CommitmentInput): Promise<Commitment>;
  /** Returns open and missed commitments. */
  commitments(): readonly Commitment[];
  /**
   * Asks before the agent answers a request of consequence; see `shouldConsult`. Runs beside a cycle, with its own time limit
   * and budget, and writes nothing. Without an answer in time the verdict is a denial where money is at stake.
   *
   * @throws CortexError `INVALID_INPUT`, or `ABORTED` when the signal aborts.
   */
  consult(question: ConsultationQuestion, signal?: AbortSignal): Promise<Consultation>;
  /** Reply that the agent may give to a peer while it consults. */
  readonly holdingReply: string;
  /**
   * Computes the decisions of a cycle again from its record. Writes nothing.
   *
   * @throws CortexError `CYCLE_NOT_FOUND` or `NOT_REPLAYABLE`.
   */
  replay(cycle: number): Promise<Replay>;
  /**
   * Undoes the beliefs of a cycle and appends correcting assessments by the operator. Nothing is deleted.
   *
   * @throws CortexError `CYCLE_NOT_FOUND`, `CYCLE_REVERTED`, or `LEDGER_FAILED`: revert again.
   */
  revert(cycle: number): Promise<Reverted>;
  /** Exempts a belief from time to live and cap, or ends that. Throws `BELIEF_NOT_FOUND`. */
  pin(belief: BeliefReference, pinned?: boolean): Promise<void>;
  /** Writes a belief in the operator's own words. No reflector changes it. */
  edit(belief: BeliefReference & { readonly value: string; readonly rationale?: string }): Promise<void>;
  /** Removes a belief permanently, or lifts the veto. */
  veto(belief: BeliefReference, vetoed?: boolean): Promise<void>;
  /**
   * Erases what the cortex keeps of a peer, named by the ledger's full id. Call it with the ledger's `forgetPeer`. What a
   * model said in cycles with the peer goes too, so that these cycles cannot be replayed.
   *
   * @throws CortexError `INVALID_INPUT`, or `STORE_FAILED`: erase again.
   */
  forgetPeer(peerId: string): Promise<PeerErasure>;
  /**
   * Changes settings from the next cycle on.
   *
   * @throws CortexError `INVALID_CONFIG`; nothing is changed then.
   */
  configure(patch: CortexConfigInput): void;
  stats(): CortexStats;
  on<Name extends keyof CortexEvents>(
    name: Name,
    listener: (event: CortexEvents[Name]) => unknown,
  ): Unsubscribe;
  /** Stops the triggers and a running cycle, and returns assessment to the agent. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
