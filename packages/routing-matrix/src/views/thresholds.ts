import { configuredThreshold } from '../config.ts';
import { RoutingError } from '../errors.ts';
import type { ExtendedMutations } from '../mutation/extended.ts';
import type { MutationProposal, VectorClock } from '../mutation/proposal.ts';
import { type AppliedChange, confidenceIn, currentThreshold } from '../mutation/thresholds.ts';
import type { MatrixState } from '../state/state.ts';

/** Current thresholds and other variables. */
export interface ThresholdsView {
  /** By task type: configured ones and those that moved. */
  readonly thresholds: Readonly<Record<string, number>>;
  readonly variables: ExtendedMutations;
  /** Logical time of the last proposal that was applied: raise your own counter in it for the next one. */
  readonly clock: VectorClock;
}

/** One change of a threshold with its confidence. */
export interface ChangeView extends AppliedChange {
  /** Posterior probability that the success rate lies on the side of the change, 0..1. */
  readonly confidence: number;
}

/** Returns the current thresholds and variables. */
export function thresholdsView(state: MatrixState): ThresholdsView {
  const types = new Set([...Object.keys(state.config.thresholds), ...state.mutations.thresholds.keys()]);
  const thresholds = Object.fromEntries(
    [...types]
      .sort()
      .map((type) => [
        type,
        currentThreshold(state.mutations, type, configuredThreshold(state.config, type)),
      ]),
  );
  const { variables, clock } = state.mutations;
  return { thresholds, variables: structuredClone(variables), clock: { ...clock } };
}

/** Returns the changes of one task type, or of all, oldest first. */
export function changesView(state: MatrixState, taskType?: string): ChangeView[] {
  const changes: ChangeView[] = [];
  for (const [type, { history }] of state.mutations.thresholds) {
    if (taskType !== undefined && type !== taskType) continue;
    for (const change of history)
      changes.push({ ...structuredClone(change), confidence: confidenceIn(change) });
  }
  return changes.sort((a, b) => a.at - b.at);
}

/**
 * Returns a proposal that restores the thresholds of a time.
 *
 * @throws RoutingError `INVALID_INPUT` when no change after that time is remembered.
 */
export function rollbackTo(state: MatrixState, at: number, taskType?: string): MutationProposal {
  const restored: [string, number][] = [];
  for (const [type, { history }] of state.mutations.thresholds) {
    if (taskType !== undefined && type !== taskType) continue;
    const first = history.find((change) => change.at > at);
    if (first !== undefined && type !== '__proto__') restored.push([type, first.before]);
  }
  if (restored.length === 0) {
    throw new RoutingError(
      'INVALID_INPUT',
      'No threshold changed after this time. Changes are remembered for seven days.',
    );
  }
  const { clock } = state.mutations;
  return {
    newThresholds: Object.fromEntries(restored),
    extendedMutations: {},
    confidence: 1,
    rationale: `Restored the thresholds of ${new Date(at).toISOString()}`,
    recommendedAction: 'REVIEW',
    suspend: [],
    clock: { ...clock, operator: (clock.operator ?? 0) + 1 },
  };
}
