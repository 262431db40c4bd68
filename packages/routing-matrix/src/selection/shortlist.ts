import type { EntryState, MatrixState } from '../state/state.ts';
import { expectedCost } from './expected-cost.ts';

/** Largest number of platforms that a decision considers. */
const shortlistSize = 64;
/** Number of decisions for which a shortlist holds. */
export const shortlistDecisions = 64;
/** Places for the best platforms; the rest rotates among untried ones and among all others. */
const bestPlaces = 48;
const rotatingPlaces = (shortlistSize - bestPlaces) / 2;

/**
 * Returns the platforms that decisions of a task type consider: the best by trust, record, price and latency, and eight
 * each of the untried and of all others, which change with every {@link shortlistDecisions} decisions, so that everyone's
 * turn comes. Deterministic from the state. `null` when all are considered.
 */
export function shortlistOf(state: MatrixState, taskType: string): string[] | null {
  const all = state.entries.get(taskType);
  if (all === undefined || all.size <= shortlistSize) return null;
  const working: EntryState[] = [];
  for (const entry of all.values()) {
    const { stage } = entry.lifecycle;
    if (
      entry.trust !== null &&
      entry.status !== 'BLACKLISTED' &&
      stage !== 'suspended' &&
      stage !== 'removed'
    ) {
      working.push(entry);
    }
  }
  const best = highest(meritsOf(state, working), bestPlaces);
  const isBest = new Set(best);
  const rest = working.flatMap((_, index) => (isBest.has(index) ? [] : [index]));
  const turn = Math.floor((state.tasks.get(taskType)?.decisions ?? 0) / shortlistDecisions);
  const untried = rest.filter((index) => isUntried(working[index] as EntryState));
  const chosen = new Set(best.map((index) => (working[index] as EntryState).platformId));
  for (const [pool, limit] of [
    [untried, shortlistSize - rotatingPlaces],
    [rest, shortlistSize],
  ] as const) {
    const first = pool.length === 0 ? 0 : (turn * rotatingPlaces) % pool.length;
    for (let place = 0; place < pool.length && chosen.size < limit; place += 1) {
      const entry = working[pool[(first + place) % pool.length] as number];
      if (entry !== undefined) chosen.add(entry.platformId);
    }
  }
  return [...chosen];
}

const isUntried = ({ outcomes }: EntryState) =>
  outcomes.SUCCESS + outcomes.PARTIAL + outcomes.FAILURE + outcomes.ERROR === 0;

function meritsOf(state: MatrixState, entries: readonly EntryState[]): number[] {
  const costs = entries.map((entry) => expectedCost(entry, state.platforms.get(entry.platformId)));
  const latencies = entries.map(({ latency }) => latency.quantile(0.5));
  const [cheapest, fastest] = [least(costs), least(latencies)];
  return entries.map(({ trust, good, bad }, index) => {
    const record = (1 + good) / (2 + good + bad);
    const price = relative(costs[index] ?? null, cheapest);
    const speed = relative(latencies[index] ?? null, fastest);
    return 0.4 * ((trust ?? 0) / 0.9) + 0.4 * record + 0.25 * price + 0.2 * speed;
  });
}

/** Returns the indexes of the highest values, highest first; of equal ones the first. */
function highest(values: readonly number[], count: number): number[] {
  const indexes: number[] = [];
  const valueAt = (place: number) => values[indexes[place] ?? -1] ?? Number.NEGATIVE_INFINITY;
  for (const [index, value] of values.entries()) {
    if (indexes.length === count && value <= valueAt(count - 1)) continue;
    let place = indexes.length;
    while (place > 0 && valueAt(place - 1) < value) place -= 1;
    indexes.splice(place, 0, index);
    if (indexes.length > count) indexes.pop();
  }
  return indexes;
}

function least(values: readonly (number | null)[]): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const value of values) if (value !== null && value < lowest) lowest = value;
  return lowest;
}

/** Returns the best value as a share of the own one, 0..1; .5 for an unknown one. */
const relative = (own: number | null, best: number) => (own === null ? 0.5 : own <= best ? 1 : best / own);
