import * as z from 'zod';
import {
  type ExtendedMutations,
  type ExtendedObservations,
  extendedMutations,
  observationsSchema,
} from '../mutation/extended.ts';
import type { MutationProposal } from '../mutation/proposal.ts';
import { notNegative } from '../schemas.ts';
import type { MatrixState } from '../state/state.ts';

/** Observations of the host beside those that the log has. */
export interface Maintenance
  extends Pick<ExtendedObservations, 'globalParallelism' | 'costBudget' | 'models'> {
  /** Queue depth or idle capacity that platforms reported, by platform id (`pubkey:d`). */
  readonly platforms?: Readonly<Record<string, { readonly queueDepth?: number; readonly idle?: boolean }>>;
}

const { globalParallelism, costBudget, models } = observationsSchema.shape;

/** Schema of {@link Maintenance}. */
export const maintenanceSchema = z.strictObject({
  globalParallelism,
  costBudget,
  models,
  platforms: z
    .record(
      z.string(),
      z.object({ queueDepth: notNegative.exactOptional(), idle: z.boolean().exactOptional() }),
    )
    .exactOptional(),
});

/** Number of open jobs that a platform may have without an explicit limit. */
const usualLimit = 5;

/** Returns changes of the variables beside the thresholds; `null` when nothing changes. Pure. */
export function proposeVariables(state: MatrixState, seen: Maintenance): MutationProposal | null {
  const reasons: string[] = [];
  let alert = false;
  const observe = (observations: ExtendedObservations): ExtendedMutations => {
    const result = extendedMutations(observations);
    reasons.push(...result.reasons);
    alert ||= result.alert;
    return result.mutations;
  };

  const timeouts: [string, number][] = [];
  for (const [taskType, { timing, usualDeadline }] of state.tasks) {
    const usual = usualDeadline.quantile(0.5);
    if (usual === null) continue;
    const set = state.mutations.variables.TIMEOUT_CONFIGURATION?.byTaskType ?? {};
    const timeoutMs = (Object.hasOwn(set, taskType) ? set[taskType] : undefined) ?? Math.round(usual);
    const changed = observe({ timeout: { timeoutMs, ...timing } }).TIMEOUT_CONFIGURATION?.timeoutMs;
    // Parsed records lose a member of this name, so that none may be written.
    if (changed !== undefined && taskType !== '__proto__') timeouts.push([taskType, changed]);
  }

  const parallelism: [string, number][] = [];
  const limits = state.mutations.variables.PARALLELISM_LIMIT?.byPlatform ?? {};
  for (const [id, load] of Object.entries(seen.platforms ?? {})) {
    if (!state.platforms.has(id)) continue;
    const limit =
      (Object.hasOwn(limits, id) ? limits[id] : undefined) ?? state.config.maxInFlight ?? usualLimit;
    const changed = observe({ parallelism: { limit, ...load } }).PARALLELISM_LIMIT?.platform;
    if (changed !== undefined) parallelism.push([id, changed]);
  }

  const { globalParallelism, costBudget, models } = seen;
  const rest = observe({
    ...(globalParallelism === undefined ? {} : { globalParallelism }),
    ...(costBudget === undefined ? {} : { costBudget }),
    ...(models === undefined ? {} : { models }),
  });
  const global = rest.PARALLELISM_LIMIT?.global;
  const mutations: ExtendedMutations = {
    ...(timeouts.length === 0 ? {} : { TIMEOUT_CONFIGURATION: { byTaskType: Object.fromEntries(timeouts) } }),
    ...(parallelism.length === 0 && global === undefined
      ? {}
      : {
          PARALLELISM_LIMIT: {
            byPlatform: Object.fromEntries(parallelism),
            ...(global === undefined ? {} : { global }),
          },
        }),
    ...(rest.COST_BUDGET === undefined ? {} : { COST_BUDGET: rest.COST_BUDGET }),
    ...(rest.MODEL_PREFERENCE === undefined ? {} : { MODEL_PREFERENCE: rest.MODEL_PREFERENCE }),
  };
  if (Object.keys(mutations).length === 0) return null;
  const { clock } = state.mutations;
  return {
    newThresholds: {},
    extendedMutations: mutations,
    confidence: 1,
    rationale: [...new Set(reasons)].sort().join('\n'),
    recommendedAction: alert ? 'ALERT' : 'REVIEW',
    suspend: [],
    clock: { ...clock, maintenance: (clock.maintenance ?? 0) + 1 },
  };
}
