import { count, listOf, notNegative, optional, optionsOf, record, share, text, time } from '../input.ts';
import { gamingProbability, type SignalModel, type Signals, signalsOf } from './endorsement-signals.ts';

/** One endorsement, with what is known about who gave it. What is left out is not checked. */
export interface Endorsement {
  readonly endorser: string;
  /** ms since epoch. */
  readonly at: number;
  /** Since when the endorser exists, ms since epoch. */
  readonly endorserCreatedAt?: number;
  /** Time of the endorser's last activity, ms since epoch. */
  readonly endorserLastActiveAt?: number;
  /** Hex digits of its key. @default the endorser's id, when that is 64 hex digits */
  readonly endorserFingerprint?: string;
  /** Ids that the endorser endorses. */
  readonly endorses?: readonly string[];
}

/** Options of {@link detectEndorsementGaming}. */
export interface GamingOptions {
  /** Nothing fires with fewer endorsers. @default 3 */
  readonly minEndorsers?: number;
  /**
   * Age below which an endorser is new, in days.
   * @default 30
   */
  readonly newDays?: number;
  /** Equal leading hex digits from which on keys are alike. @default 8 */
  readonly equalDigits?: number;
  /** Endorsements so near to each other are one burst. @default 3_600_000 */
  readonly burstMs?: number;
  /** Share of endorsements above which a burst is suspicious. @default 0.5 */
  readonly burstShare?: number;
  /**
   * Time without activity after which an endorser is inactive, in days.
   * @default 30
   */
  readonly inactiveDays?: number;
  /** Share of endorsers above which inactivity is suspicious. @default 0.8 */
  readonly inactiveShare?: number;
  /** Share of endorsers from which on new ones are suspicious. @default 0.9 */
  readonly newShare?: number;
  /** Share of endorsers from which on members of rings are suspicious: friends endorse each other. @default 0.25 */
  readonly ringShare?: number;
  /** Endorsers from which on the weak signals count: in small sets regular patterns arise by chance. @default 20 */
  readonly minSignalEndorsers?: number;
}

const gamingOptions = optionsOf({
  minEndorsers: optional(count),
  newDays: optional(notNegative),
  equalDigits: optional(count),
  burstMs: optional(notNegative),
  burstShare: optional(share),
  inactiveDays: optional(notNegative),
  inactiveShare: optional(share),
  newShare: optional(share),
  ringShare: optional(share),
  minSignalEndorsers: optional(count),
});
const givenEndorsements = listOf(
  record({
    endorser: text,
    at: time,
    endorserCreatedAt: optional(time),
    endorserLastActiveAt: optional(time),
    endorserFingerprint: optional(text),
    endorses: optional(listOf(text)),
  }),
);

/** Name of a detector. */
export type GamingFlagName =
  | 'all_endorsers_new'
  | 'circular_endorsements'
  | 'similar_fingerprints'
  | 'clustered_timestamps'
  | 'inactive_endorsers';

/** Something that was found. */
export interface GamingFlag {
  readonly flag: GamingFlagName;
  /** Human-readable evidence. */
  readonly evidence: string;
  /** The endorsers concerned. */
  readonly endorsers: readonly string[];
}

/** The result of {@link detectEndorsementGaming}. */
export interface GamingResult {
  /**
   * - `clean`: no flag, and a probability below 0.5.
   * - `suspicious`: one flag, or a probability from 0.5.
   * - `sybil_detected`: two flags or more that the probability does not contradict (0.2), or a probability from 0.9.
   */
  readonly verdict: 'clean' | 'suspicious' | 'sybil_detected';
  readonly flags: readonly GamingFlag[];
  /** Multiplier of the endorsement factor: 1, 0.5 or 0. */
  readonly endorsementMultiplier: 1 | 0.5 | 0;
  /**
   * Probability by the weak signals together that the endorsements were not given independently, 0…1; null with fewer endorsers
   * than `minSignalEndorsers`.
   */
  readonly probability: number | null;
  /** The weak signals; null when unknown. */
  readonly signals: Signals;
  /** Different endorsers. Below the minimum nothing is looked for. */
  readonly endorsers: number;
  /** Detectors without data. */
  readonly notChecked: readonly GamingFlagName[];
}

const dayMs = 86_400_000;

/**
 * Rings: the strongly connected components with more than one member, of any length (Tarjan's algorithm, without
 * recursion, since a ring may have thousands of members).
 */
function rings(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const found: string[][] = [];
  for (const start of graph.keys()) {
    if (order.has(start)) continue;
    const path: { readonly node: string; next: number }[] = [{ node: start, next: 0 }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { node } = top;
      if (top.next === 0) {
        order.set(node, order.size);
        low.set(node, order.get(node) ?? 0);
        stack.push(node);
        onStack.add(node);
      }
      const target = graph.get(node)?.[top.next];
      top.next += 1;
      if (target !== undefined) {
        if (!order.has(target)) path.push({ node: target, next: 0 });
        else if (onStack.has(target)) low.set(node, Math.min(low.get(node) ?? 0, order.get(target) ?? 0));
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) low.set(parent.node, Math.min(low.get(parent.node) ?? 0, low.get(node) ?? 0));
      if (low.get(node) !== order.get(node)) continue;
      const ring = stack.splice(stack.lastIndexOf(node));
      for (const member of ring) onStack.delete(member);
      if (ring.length > 1) found.push(ring);
    }
  }
  return found;
}

/** Groups of endorsers whose keys begin with the same digits. */
function alike(fingerprints: ReadonlyMap<string, string>, digits: number): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>();
  for (const [endorser, fingerprint] of fingerprints) {
    if (fingerprint.length < digits) continue;
    const prefix = fingerprint.slice(0, digits).toLowerCase();
    groups.set(prefix, [...(groups.get(prefix) ?? []), endorser]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

/** The largest set of endorsements within a time. */
function largestBurst(endorsements: readonly Endorsement[], burstMs: number): readonly Endorsement[] {
  const sorted = endorsements.toSorted((left, right) => left.at - right.at);
  let first = 0;
  let best: readonly [number, number] = [0, 0];
  for (const [index, { at }] of sorted.entries()) {
    while (at - (sorted[first]?.at ?? at) > burstMs) first += 1;
    if (index + 1 - first > best[1] - best[0]) best = [first, index + 1];
  }
  return sorted.slice(...best);
}

/**
 * Detects endorsements that were not given independently: all endorsers new, rings of endorsers, similar
 * keys, bursts, inactive endorsers. One flag is suspicious and halves the endorsement factor; two or more are
 * a Sybil attack and set it to 0. Each flag comes with its evidence. A young honest network may raise one.
 *
 * @param now ms since epoch.
 * @throws `OUT_OF_RANGE` when a time or an option is out of range.
 */
export function detectEndorsementGaming(
  endorsements: readonly Endorsement[],
  now: number,
  options: GamingOptions = {},
): GamingResult {
  gamingOptions('options', options);
  givenEndorsements('endorsements', endorsements);
  time('now', now);
  const { minEndorsers = 3, newDays = 30, equalDigits = 8, burstMs = 3_600_000, burstShare = 0.5 } = options;
  const { inactiveDays = 30, inactiveShare = 0.8, newShare = 0.9, ringShare = 0.25 } = options;
  const { minSignalEndorsers = 20 } = options;

  const endorsers = [...new Set(endorsements.map(({ endorser }) => endorser))];
  const known = <T>(of: (endorsement: Endorsement) => T | undefined): ReadonlyMap<string, T> => {
    const values = new Map<string, T>();
    for (const endorsement of endorsements) {
      const value = of(endorsement);
      if (value !== undefined) values.set(endorsement.endorser, value);
    }
    return values;
  };
  const createdAt = known((one) => one.endorserCreatedAt);
  const activeAt = known((one) => one.endorserLastActiveAt);
  const endorses = known((one) => one.endorses);
  const fingerprints = known(fingerprintOf);
  const notChecked: GamingFlagName[] = [
    // One endorser of unknown age may be an old one.
    ...(createdAt.size < endorsers.length ? (['all_endorsers_new'] as const) : []),
    ...(endorses.size === 0 ? (['circular_endorsements'] as const) : []),
    ...(fingerprints.size < 2 ? (['similar_fingerprints'] as const) : []),
    ...(activeAt.size === 0 ? (['inactive_endorsers'] as const) : []),
  ];
  const flags: GamingFlag[] = [];
  if (endorsers.length >= minEndorsers) {
    const young = [...createdAt].filter(([, at]) => now - at < newDays * dayMs).map(([one]) => one);
    if (createdAt.size === endorsers.length && young.length >= newShare * endorsers.length) {
      const evidence = `${young.length} of ${endorsers.length} endorsers are younger than ${newDays} days`;
      flags.push({ flag: 'all_endorsers_new', evidence, endorsers: young });
    }
    const inside = new Map(
      endorsers.map((one) => [one, (endorses.get(one) ?? []).filter((other) => endorsers.includes(other))]),
    );
    const circles = rings(inside);
    if (circles.length > 0 && circles.flat().length >= ringShare * endorsers.length) {
      const evidence = `${circles.length} ${circles.length === 1 ? 'ring' : 'rings'} of endorsers, of ${circles.map((one) => one.length).join(', ')}`;
      flags.push({ flag: 'circular_endorsements', evidence, endorsers: circles.flat() });
    }
    const families = equalDigits === 0 ? [] : alike(fingerprints, equalDigits);
    if (families.length > 0) {
      const evidence = `${families.flat().length} keys share their first ${equalDigits} digits with another`;
      flags.push({ flag: 'similar_fingerprints', evidence, endorsers: families.flat() });
    }
    const burst = largestBurst(endorsements, burstMs);
    if (burst.length > burstShare * endorsements.length && burst.length > 1) {
      const evidence = `${burst.length} of ${endorsements.length} endorsements within ${burstMs / 60_000} minutes`;
      const who = [...new Set(burst.map(({ endorser }) => endorser))];
      flags.push({ flag: 'clustered_timestamps', evidence, endorsers: who });
    }
    const idle = [...activeAt].filter(([, at]) => now - at > inactiveDays * dayMs).map(([one]) => one);
    if (idle.length > inactiveShare * endorsers.length) {
      const evidence = `${idle.length} of ${endorsers.length} endorsers did nothing in ${inactiveDays} days`;
      flags.push({ flag: 'inactive_endorsers', evidence, endorsers: idle });
    }
  }
  const signals = endorsementSignals(endorsements, now, equalDigits);
  const isWeighed = endorsers.length >= Math.max(minEndorsers, minSignalEndorsers);
  const probability = isWeighed ? gamingProbability(signals, endorsementModel) : null;
  const isSybil = (flags.length >= 2 && (probability ?? 1) >= 0.2) || (probability ?? 0) >= 0.9;
  const isSuspicious = flags.length > 0 || (probability ?? 0) >= 0.5;
  const [verdict, endorsementMultiplier] = isSybil
    ? (['sybil_detected', 0] as const)
    : isSuspicious
      ? (['suspicious', 0.5] as const)
      : (['clean', 1] as const);
  return {
    verdict,
    flags,
    endorsementMultiplier,
    probability,
    signals,
    endorsers: endorsers.length,
    notChecked,
  };
}

const fingerprintOf = ({ endorserFingerprint, endorser }: Endorsement): string | undefined =>
  endorserFingerprint ?? (/^[0-9a-f]{64}$/u.test(endorser) ? endorser : undefined);

/** Computes the weak signals of endorsements. */
export function endorsementSignals(
  endorsements: readonly Endorsement[],
  now: number,
  equalDigits = 8,
): Signals {
  const names = new Set(endorsements.map(({ endorser }) => endorser));
  const inside = new Map(
    endorsements.map(({ endorser, endorses = [] }) => [
      endorser,
      endorses.filter((other) => names.has(other)),
    ]),
  );
  const fingerprints = new Map(
    endorsements.flatMap((one) => {
      const fingerprint = fingerprintOf(one);
      return fingerprint === undefined ? [] : [[one.endorser, fingerprint] as const];
    }),
  );
  return signalsOf(endorsements, now, {
    ringMembers: rings(inside).flat().length,
    similarKeys:
      fingerprints.size < 2 || equalDigits === 0 ? null : alike(fingerprints, equalDigits).flat().length,
  });
}

/** Weights that were fitted and calibrated on simulated communities and rings (`scripts/fit-endorsement-signals.ts`). */
const endorsementModel: SignalModel = {
  intercept: -4.87,
  weights: {
    newShare: 1.13,
    sameAge: 8.76,
    burst: 2.11,
    regularity: 3.46,
    ring: 2.19,
    internalLinks: 0,
    exclusive: 6.69,
    // Set by hand: the simulation has neither equal keys nor stored rings that fell silent.
    similarKeys: 5.3,
    inactive: 2,
  },
  neutral: {
    newShare: 0.058,
    sameAge: 0.085,
    burst: 0.079,
    regularity: 0.093,
    ring: 0.009,
    internalLinks: 0.25,
    exclusive: 0.041,
    similarKeys: 0,
    inactive: 0.075,
  },
};
