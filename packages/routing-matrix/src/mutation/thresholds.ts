import type { MutationRecord, OutcomeRecord } from '../records.ts';
import { round } from '../statistics/numbers.ts';
import { type MutationOutcome, mutationOutcome } from './adjustment.ts';
import { changeThreshold } from './change.ts';
import { confidenceOf } from './confidence.ts';
import type { ExtendedMutations } from './extended.ts';
import { compareClocks, mergeMutations } from './merge.ts';
import type { MutationProposal, VectorClock } from './proposal.ts';

/** One change of a threshold. */
export interface AppliedChange {
  readonly at: number;
  readonly taskType: string;
  readonly before: number;
  readonly after: number;
  readonly delta: number;
  /** Outcome that caused it; `null` for an operator's or another agent's. */
  readonly outcome: MutationOutcome | undefined;
  readonly reasons: readonly string[];
  /** Reversals of direction among the last ten changes. */
  readonly reversals: number;
  /** True when an earlier value was restored. */
  readonly rolledBack: boolean;
  /** Judged jobs of the task type, this one included: at most the last {@link judgedJobs}. */
  readonly observations: { readonly successes: number; readonly failures: number };
}

/** The moved threshold of one task type. */
export interface ThresholdState {
  value: number;
  /** Configured threshold when it first moved: with another one the move is dropped. */
  baseline: number;
  /** Changes of seven days, oldest first; see {@link rememberedChanges}. */
  history: AppliedChange[];
  consecutiveSuccesses: number;
  /** Success of each recent job, oldest first. */
  readonly judged: boolean[];
}

/** Thresholds, other variables, and the logical time of the last proposal that was applied. */
export interface MutationState {
  readonly thresholds: Map<string, ThresholdState>;
  /** Variables beside the thresholds. */
  variables: ExtendedMutations;
  clock: VectorClock;
  lastChangeAt: number | null;
  lastJudgedAt: number | null;
  /** Times of the last changes, oldest first, for their rate. */
  readonly recent: number[];
}

const weekMs = 7 * 86_400_000;
const dayMs = 86_400_000;
/** Changes that are kept beyond the last day. */
const rememberedChanges = 64;
const judgedJobs = 200;
/** Changes in an hour above which an alert is due. */
export const changesAnHour = 10;
/** Smallest change; with it, a day has at most 300. */
const smallestChange = 0.001;
const alpha = 0.3;

/** Creates the state before any change. */
export const noMutations = (): MutationState => ({
  thresholds: new Map(),
  variables: {},
  clock: {},
  lastChangeAt: null,
  lastJudgedAt: null,
  recent: [],
});

/** Returns the threshold of a task type: the moved one while it rests on the configured one. */
export function currentThreshold(state: MutationState, taskType: string, configured: number): number {
  const moved = state.thresholds.get(taskType);
  return moved !== undefined && moved.baseline === configured ? moved.value : configured;
}

function thresholdFor(state: MutationState, taskType: string, configured: number): ThresholdState {
  const known = state.thresholds.get(taskType);
  if (known !== undefined && known.baseline === configured) return known;
  const created: ThresholdState = {
    value: configured,
    baseline: configured,
    history: [],
    consecutiveSuccesses: 0,
    judged: [],
  };
  state.thresholds.set(taskType, created);
  return created;
}

/**
 * Moves the threshold of a task type after a production outcome.
 *
 * @returns True when the raw threshold fell to the floor, so that the platform shall be suspended.
 */
export function applyJudgedJob(
  state: MutationState,
  record: OutcomeRecord,
  context: {
    readonly configured: number;
    readonly baselineMs: number | null;
    readonly platform: string;
    /** False when thresholds do not follow outcomes. */
    readonly moves: boolean;
  },
): boolean {
  const { taskType, at, measurements } = record;
  const outcome = mutationOutcome(record.outcome, { errorKind: measurements.errorKind });
  if (outcome === null) return false;
  const own = thresholdFor(state, taskType, context.configured);
  const success = outcome === 'SUCCESS';
  own.consecutiveSuccesses = success ? own.consecutiveSuccesses + 1 : 0;
  own.judged.push(success);
  if (own.judged.length > judgedJobs) own.judged.shift();
  state.lastJudgedAt = Math.max(state.lastJudgedAt ?? 0, at);
  if (!context.moves) return false;
  const change = changeThreshold({
    current: own.value,
    outcome,
    taskType,
    platform: context.platform,
    metrics: {
      testScore: measurements.passRate,
      latencyMs: measurements.latencyMs,
      errorKind: measurements.errorKind,
    },
    now: at,
    history: own.history,
    alpha,
    consecutiveSuccesses: Math.max(1, own.consecutiveSuccesses),
    baselineMs: context.baselineMs,
  });
  if (Math.abs(change.to - own.value) >= smallestChange) {
    const { reasons, reversals, rolledBack } = change;
    note(state, own, { at, taskType, to: change.to, outcome, reasons, reversals, rolledBack });
  }
  return change.suspend;
}

function note(
  state: MutationState,
  own: ThresholdState,
  change: {
    readonly at: number;
    readonly taskType: string;
    readonly to: number;
    readonly outcome: MutationOutcome | undefined;
    readonly reasons: readonly string[];
    readonly reversals: number;
    readonly rolledBack: boolean;
  },
): void {
  const { to, ...rest } = change;
  const successes = own.judged.filter(Boolean).length;
  own.history.push({
    ...rest,
    before: own.value,
    after: to,
    delta: round(to - own.value),
    observations: { successes, failures: own.judged.length - successes },
  });
  own.value = to;
  forget(own, change.at);
  state.lastChangeAt = Math.max(state.lastChangeAt ?? 0, change.at);
  state.recent.push(change.at);
  if (state.recent.length > changesAnHour + 1) state.recent.shift();
}

/** Drops changes that are older than seven days, and those of more than a day beyond the last 64. */
function forget(own: ThresholdState, now: number): void {
  const { history } = own;
  let drop = 0;
  for (const [index, { at }] of history.entries()) {
    const old = at <= now - weekMs || (at <= now - dayMs && history.length - index > rememberedChanges);
    if (!old) break;
    drop = index + 1;
  }
  if (drop > 0) history.splice(0, drop);
}

/**
 * Applies a proposal of an operator, of the extended variables or of another agent by its clock: one that knows the
 * current state replaces it, one that knows an older state has no effect, and two that do not know each other are merged
 * conservatively.
 */
export function applyMutation(
  state: MutationState,
  record: MutationRecord,
  configured: (taskType: string) => number,
): void {
  const { proposal, at } = record;
  const order = compareClocks(proposal.clock, state.clock);
  if (order === 'before') return;
  const merged =
    order === 'concurrent' ? mergeMutations(current(state, proposal, configured), proposal) : proposal;
  for (const [taskType, to] of Object.entries(merged.newThresholds)) {
    const own = thresholdFor(state, taskType, configured(taskType));
    if (to === own.value) continue;
    const reasons = merged.rationale.split('\n');
    const rolledBack = record.source === 'rollback';
    note(state, own, { at, taskType, to, outcome: undefined, reasons, reversals: 0, rolledBack });
  }
  state.variables = mergedVariables(state.variables, merged.extendedMutations);
  state.clock = merged.clock;
}

/** Returns the current state of what a proposal changes, as a proposal. */
function current(
  state: MutationState,
  proposal: MutationProposal,
  configured: (taskType: string) => number,
): MutationProposal {
  const types = Object.keys(proposal.newThresholds);
  return {
    newThresholds: Object.fromEntries(
      types.map((taskType) => [taskType, currentThreshold(state, taskType, configured(taskType))]),
    ),
    extendedMutations: state.variables,
    confidence: 1,
    rationale: 'Merged with a concurrent change',
    recommendedAction: 'AUTO_MERGE',
    suspend: [],
    clock: state.clock,
  };
}

/** Returns the variables with those that a proposal changes. */
function mergedVariables(before: ExtendedMutations, change: ExtendedMutations): ExtendedMutations {
  return overlaid(before as Nested, change as Nested) as ExtendedMutations;
}

interface Nested {
  readonly [name: string]: unknown;
}

function overlaid(before: Nested, change: Nested): Nested {
  const result: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(change)) {
    const known = before[name];
    if (value === undefined) continue;
    const nested = isNested(value) && isNested(known);
    Object.defineProperty(result, name, {
      value: nested ? overlaid(known, value) : value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return result;
}

const isNested = (value: unknown): value is Nested =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns how certain a change is, 0..1. */
export const confidenceIn = ({ outcome, observations }: AppliedChange): number =>
  confidenceOf(outcome ?? null, { observations, expectedRate: 0.9 });
