import type { EntryState, MatrixState } from '../state/state.ts';
import { expectedCost } from './expected-cost.ts';

/** Largest number of platforms that a decision considers. */
const shortlistSize = 64;
/** Number of decisions for which a shortlist holds. */
export const shortlistDecisions = 64;
/** Places for the best platforms; the rest rotates among untried ones and among all others. */
const bestPlaces = 48;
const rotatingPlaces = (shortlistSize - bestPlaces) / 2;

/** Places for the services of one operator among the best, while there are enough others. */
const operatorPlaces = 8;

/**
 * Returns the platforms that decisions of a task type consider: the best by trust, record, price and latency, and eight
 * each of the untried and of all others, which change with every {@link shortlistDecisions} decisions, so that everyone's
 * turn comes. Further services cost an operator nothing: among the best it has at most {@link operatorPlaces} while there are
 * others, and the turns go round by operator. Deterministic from the state. `null` when all are considered.
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
  const best = new Set(bestOf(working, meritsOf(state, working)));
  const rest = working.filter((entry) => !best.has(entry));
  const turn = Math.floor((state.tasks.get(taskType)?.decisions ?? 0) / shortlistDecisions);
  const chosen = new Set([...best].map(({ platformId }) => platformId));
  for (const [pool, limit] of [
    [rest.filter(isUntried), shortlistSize - rotatingPlaces],
    [rest, shortlistSize],
  ] as const) {
    const operators = byOperator(pool);
    const first = turn * rotatingPlaces;
    for (let place = first; place < first + pool.length && chosen.size < limit; place += 1) {
      const services = operators[place % operators.length] as readonly EntryState[];
      const round = Math.floor(place / operators.length);
      chosen.add((services[round % services.length] as EntryState).platformId);
    }
  }
  return [...chosen];
}

/** Returns the services of each operator, operators in the order of their first one. */
function byOperator(entries: readonly EntryState[]): (readonly EntryState[])[] {
  const operators = new Map<string, EntryState[]>();
  for (const entry of entries) {
    const known = operators.get(entry.platform.pubkey);
    if (known === undefined) operators.set(entry.platform.pubkey, [entry]);
    else known.push(entry);
  }
  return [...operators.values()];
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

/** Returns the entries with the highest merits, highest first: at most {@link operatorPlaces} of an operator while others are left. */
function bestOf(entries: readonly EntryState[], merits: readonly number[]): EntryState[] {
  const spread = highest(entries, merits, bestPlaces, operatorPlaces);
  const places = bestPlaces - spread.length;
  if (places === 0 || spread.length === entries.length) return spread;
  const isSpread = new Set(spread);
  const left = entries.map((entry, index) =>
    isSpread.has(entry) ? Number.NEGATIVE_INFINITY : (merits[index] ?? 0),
  );
  return [...spread, ...highest(entries, left, Math.min(places, entries.length - spread.length), places)];
}

/** Returns at most `count` entries with the highest values, `ofOne` of an operator, highest first; of equal ones the first. */
function highest(
  entries: readonly EntryState[],
  values: readonly number[],
  count: number,
  ofOne: number,
): EntryState[] {
  const indexes: number[] = [];
  const services = new Map<string, number>();
  const valueAt = (place: number) => values[indexes[place] ?? -1] ?? Number.NEGATIVE_INFINITY;
  const operatorAt = (place: number) => entries[indexes[place] ?? -1]?.platform.pubkey;
  for (const [index, value] of values.entries()) {
    if (indexes.length === count && value <= valueAt(count - 1)) continue;
    const operator = (entries[index] as EntryState).platform.pubkey;
    const known = services.get(operator) ?? 0;
    if (known === ofOne) {
      // Only a better one takes the place of its operator's last.
      let last = indexes.length - 1;
      while (operatorAt(last) !== operator) last -= 1;
      if (value <= valueAt(last)) continue;
      indexes.splice(last, 1);
    } else {
      services.set(operator, known + 1);
    }
    let place = indexes.length;
    while (place > 0 && valueAt(place - 1) < value) place -= 1;
    indexes.splice(place, 0, index);
    if (indexes.length <= count) continue;
    const dropped = operatorAt(count) as string;
    services.set(dropped, (services.get(dropped) ?? 1) - 1);
    indexes.pop();
  }
  return indexes.map((index) => entries[index] as EntryState);
}

function least(values: readonly (number | null)[]): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const value of values) if (value !== null && value < lowest) lowest = value;
  return lowest;
}

/** Returns the best value as a share of the own one, 0..1; .5 for an unknown one. */
const relative = (own: number | null, best: number) => (own === null ? 0.5 : own <= best ? 1 : best / own);
