/** An endorsement as the signals need it; see `Endorsement`. */
interface Given {
  readonly endorser: string;
  readonly at: number;
  readonly endorserCreatedAt?: number | undefined;
  readonly endorserLastActiveAt?: number | undefined;
  readonly endorses?: readonly string[] | undefined;
}

/** Names of the weak signals. */
export const signalNames = [
  'newShare',
  'sameAge',
  'burst',
  'regularity',
  'ring',
  'internalLinks',
  'exclusive',
  'similarKeys',
  'inactive',
] as const;
/** Name of a weak signal. */
export type SignalName = (typeof signalNames)[number];
/** Value of every signal, 0…1; null when nothing is known about it. */
export type Signals = Readonly<Record<SignalName, number | null>>;

const dayMs = 86_400_000;

/** Largest share of sorted times within a span, not counting a single one. */
function largestShare(times: readonly number[], spanMs: number): number {
  const sorted = times.toSorted((left, right) => left - right);
  let first = 0;
  let best = 0;
  for (const [index, at] of sorted.entries()) {
    while (at - (sorted[first] ?? at) > spanMs) first += 1;
    best = Math.max(best, index - first);
  }
  return sorted.length < 2 ? 0 : best / (sorted.length - 1);
}

/** Regularity of the gaps between times: 1 for equal gaps, 0 for a coefficient of variation of 1 (chance) or more. */
function regularity(times: readonly number[]): number | null {
  if (times.length < 5) return null;
  const sorted = times.toSorted((left, right) => left - right);
  const gaps = sorted.slice(1).map((at, index) => at - (sorted[index] ?? at));
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  if (mean === 0) return 1;
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
  return Math.max(0, 1 - Math.sqrt(variance) / mean);
}

const share = (count: number, all: number): number => (all === 0 ? 0 : count / all);

/** Computes the weak signals of a set of endorsements, one for each endorser. */
export function signalsOf(
  endorsements: readonly Given[],
  now: number,
  known: { readonly ringMembers: number; readonly similarKeys: number | null },
): Signals {
  const byEndorser = [...new Map(endorsements.map((one) => [one.endorser, one])).values()];
  const count = byEndorser.length;
  const names = new Set(byEndorser.map(({ endorser }) => endorser));
  const created = byEndorser.flatMap(({ endorserCreatedAt: at }) => (at === undefined ? [] : [at]));
  const active = byEndorser.flatMap(({ endorserLastActiveAt: at }) => (at === undefined ? [] : [at]));
  const linked = byEndorser.flatMap(({ endorses }) => (endorses === undefined ? [] : [endorses]));
  const inside = linked.filter((endorses) => endorses.some((other) => names.has(other)));
  const onlyInside = linked.filter(
    (endorses) => endorses.length > 0 && endorses.every((other) => names.has(other)),
  );
  const half = count / 2;
  return {
    newShare:
      created.length < half
        ? null
        : share(created.filter((at) => now - at < 30 * dayMs).length, created.length),
    sameAge: created.length < half ? null : largestShare(created, 7 * dayMs),
    burst: largestShare(
      byEndorser.map(({ at }) => at),
      3_600_000,
    ),
    regularity: regularity(byEndorser.map(({ at }) => at)),
    ring: linked.length < half ? null : share(known.ringMembers, count),
    internalLinks: linked.length < half ? null : share(inside.length, linked.length),
    exclusive: linked.length < half ? null : share(onlyInside.length, linked.length),
    similarKeys: known.similarKeys === null ? null : share(known.similarKeys, count),
    inactive:
      active.length < half ? null : share(active.filter((at) => now - at > 30 * dayMs).length, active.length),
  };
}

/** Weights of a logistic model, and the value that stands for an unknown signal (its mean among honest communities). */
export interface SignalModel {
  readonly intercept: number;
  readonly weights: Readonly<Record<SignalName, number>>;
  readonly neutral: Readonly<Record<SignalName, number>>;
}

/** Computes the probability that endorsements were not given independently, 0…1. */
export function gamingProbability(signals: Signals, model: SignalModel): number {
  const sum = signalNames.reduce(
    (total, name) => total + model.weights[name] * (signals[name] ?? model.neutral[name]),
    model.intercept,
  );
  return 1 / (1 + Math.exp(-sum));
}
