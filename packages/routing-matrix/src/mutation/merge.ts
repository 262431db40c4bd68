import { canonicalJson } from '@bonafide/internal';
import type { ExtendedMutations } from './extended.ts';
import type { MutationProposal, RecommendedAction, VectorClock } from './proposal.ts';

/** Order of two clocks. */
export type ClockOrder = 'equal' | 'before' | 'after' | 'concurrent';

/** Compares two vector clocks; an absent counter is 0. */
export function compareClocks(a: VectorClock, b: VectorClock): ClockOrder {
  let [less, more] = [false, false];
  for (const agent of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [left, right] = [counterOf(a, agent), counterOf(b, agent)];
    less ||= left < right;
    more ||= left > right;
  }
  if (less && more) return 'concurrent';
  if (less) return 'before';
  return more ? 'after' : 'equal';
}

/** Returns the clock that has seen what either has: the maximum of each counter. */
function joinClocks(a: VectorClock, b: VectorClock): VectorClock {
  const joined: Record<string, number> = {};
  for (const agent of [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()) {
    joined[agent] = Math.max(counterOf(a, agent), counterOf(b, agent));
  }
  return joined;
}

const counterOf = (clock: VectorClock, agent: string) =>
  Object.hasOwn(clock, agent) ? (clock[agent] ?? 0) : 0;

const severity: readonly RecommendedAction[] = ['AUTO_MERGE', 'REVIEW', 'ALERT'];

/** Merges two proposals conservatively. Arguments are valid. */
export function mergeMutations(a: MutationProposal, b: MutationProposal): MutationProposal {
  return Object.freeze({
    newThresholds: Object.freeze(lowest(a.newThresholds, b.newThresholds)),
    extendedMutations: Object.freeze(mergeExtended(a.extendedMutations, b.extendedMutations)),
    confidence: Math.min(a.confidence, b.confidence),
    rationale: union(a.rationale.split('\n'), b.rationale.split('\n')).join('\n'),
    recommendedAction: severity[
      Math.max(severity.indexOf(a.recommendedAction), severity.indexOf(b.recommendedAction))
    ] as RecommendedAction,
    suspend: union(a.suspend, b.suspend),
    clock: joinClocks(a.clock, b.clock),
  });
}

const union = (a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])].sort();

function lowest(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Record<string, number> {
  return combine(a, b, (left, right) => Math.min(left, right));
}

function combine<Value>(
  a: Readonly<Record<string, Value>> = {},
  b: Readonly<Record<string, Value>> = {},
  both: (left: Value, right: Value) => Value,
): Record<string, Value> {
  const combined: Record<string, Value> = {};
  for (const key of union(Object.keys(a), Object.keys(b))) {
    const [left, right] = [
      Object.hasOwn(a, key) ? a[key] : undefined,
      Object.hasOwn(b, key) ? b[key] : undefined,
    ];
    const value = left === undefined ? right : right === undefined ? left : both(left, right);
    if (value !== undefined) combined[key] = value;
  }
  return combined;
}

interface Numbers {
  readonly [name: string]: number | Numbers;
}

/** Combines numbers of equal names, also in nested objects. */
function combineNumbers(a: unknown, b: unknown, pick: typeof Math.min): Numbers {
  return combine<number | Numbers>((a ?? {}) as Numbers, (b ?? {}) as Numbers, (left, right) => {
    if (typeof left === 'number' && typeof right === 'number') return pick(left, right);
    return combineNumbers(left, right, pick);
  });
}

function mergeExtended(a: ExtendedMutations, b: ExtendedMutations): ExtendedMutations {
  const numbers = (
    name: 'TIMEOUT_CONFIGURATION' | 'PARALLELISM_LIMIT' | 'COST_BUDGET',
    pick: typeof Math.min,
  ) => {
    if (a[name] === undefined && b[name] === undefined) return {};
    return { [name]: combineNumbers(a[name], b[name], pick) };
  };
  const [ours, theirs] = [a.MODEL_PREFERENCE, b.MODEL_PREFERENCE];
  return {
    ...numbers('TIMEOUT_CONFIGURATION', Math.max),
    ...numbers('PARALLELISM_LIMIT', Math.min),
    ...numbers('COST_BUDGET', Math.min),
    ...(ours === undefined && theirs === undefined
      ? {}
      : {
          MODEL_PREFERENCE: {
            // Neither is safer: the first in the order of text, so that every agent takes the same.
            roles: combine(ours?.roles, theirs?.roles, (left, right) => (left < right ? left : right)),
            fallbackChain: union(ours?.fallbackChain ?? [], theirs?.fallbackChain ?? []),
          },
        }),
  };
}

/** Returns the proposal that counts when two meet: the later one, or the merge of two that do not know each other. */
export function resolveProposals(a: MutationProposal, b: MutationProposal): MutationProposal {
  const order = compareClocks(a.clock, b.clock);
  if (order === 'before') return b;
  if (order === 'after') return a;
  return canonicalJson(a) === canonicalJson(b) ? a : mergeMutations(a, b);
}
