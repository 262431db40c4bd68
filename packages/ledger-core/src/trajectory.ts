import type { Assessment, Interaction } from './records.ts';

/** Why a trajectory looks like trust that was built to be exploited. */
export interface TrajectoryAlarm<Evidence> {
  /**
   * - `size-jump`: a request of at least eight times the median of at least five earlier ones.
   * - `sharp-fall`: trust fell by at least six after at least four positive assessments.
   * - `drift`: the CUSUM of trust stands below its limit, by two observations or more.
   */
  readonly kind: 'size-jump' | 'sharp-fall' | 'drift';
  /** When it showed, ms since epoch. */
  readonly at: number;
  /** What was compared, in words with numbers. */
  readonly finding: string;
  /** The rows that it follows from, oldest first; the last one raised it. */
  readonly evidence: readonly Evidence[];
}

/** A judgment of a trajectory. Nothing acts on it by itself: it is for whoever judges the peer. */
export interface TrajectoryVerdict<Evidence> {
  /** `suspected` from one observation; `confirmed` when the CUSUM shows it as well. */
  readonly status: 'none' | 'suspected' | 'confirmed';
  /** Oldest first. */
  readonly alarms: readonly TrajectoryAlarm<Evidence>[];
}

/** A request with its size. */
export interface SizedRequest<Row> {
  readonly at: number;
  /** > 0, in a unit that is the same for all of them. */
  readonly size: number;
  readonly row: Row;
}

/** A trust score with the row it comes from. */
export interface TrustPoint<Row> {
  readonly at: number;
  readonly trust: number;
  readonly row: Row;
}

const jumpFactor = 8;
const earlierRequests = 5;
const fall = 6;
const positives = 4;

// Recommended for ratings on −10…+10: a baseline of at least five, σ of at least 2, z clipped at ±3, so that one bad
// rating never alarms alone.
const baselineLength = 5;
const sigmaFloor = 2;
const clip = 3;
const slack = 0.5;
const limit = 4;

/**
 * Looks for 'build, then exploit' (LED-21): trust won with small things and spent on a large one. One observation
 * makes it suspected, since a farmer's history is too short for statistics; a downward CUSUM (Page 1954) over the trust
 * series confirms it later. Both lists are in order of time.
 */
export function detectBuildThenExploit<Request, Judgment>(input: {
  readonly requests: readonly SizedRequest<Request>[];
  readonly trusts: readonly TrustPoint<Judgment>[];
}): TrajectoryVerdict<Request | Judgment> {
  const drifts = drift(input.trusts);
  const alarms = [...sizeJumps(input.requests), ...sharpFalls(input.trusts), ...drifts].sort(
    (one, other) => one.at - other.at,
  );
  return {
    status: alarms.length === 0 ? 'none' : drifts.length > 0 ? 'confirmed' : 'suspected',
    alarms,
  };
}

function sizeJumps<Row>(requests: readonly SizedRequest<Row>[]): readonly TrajectoryAlarm<Row>[] {
  return requests.flatMap(({ at, size }, index) => {
    if (index < earlierRequests) return [];
    const earlier = requests.slice(0, index);
    const usual = median(earlier.map((request) => request.size));
    if (usual <= 0 || size < jumpFactor * usual) return [];
    return {
      kind: 'size-jump',
      at,
      finding: `A request of ${size} after ${index} of usually ${usual}: ${round(size / usual)} times as large`,
      evidence: requests.slice(0, index + 1).map(({ row }) => row),
    } as const;
  });
}

function sharpFalls<Row>(trusts: readonly TrustPoint<Row>[]): readonly TrajectoryAlarm<Row>[] {
  let positive = 0;
  return trusts.flatMap(({ at, trust }, index) => {
    const before = trusts[index - 1]?.trust ?? 0;
    const known = positive;
    if (trust > 0) positive += 1;
    if (known < positives || before - trust < fall) return [];
    return {
      kind: 'sharp-fall',
      at,
      finding: `Trust fell from ${before} to ${trust} after ${known} positive assessments`,
      evidence: trusts.slice(0, index + 1).map(({ row }) => row),
    } as const;
  });
}

/** At most one: the first time that the CUSUM goes below. Only a peer that was well thought of can have exploited it. */
function drift<Row>(trusts: readonly TrustPoint<Row>[]): readonly TrajectoryAlarm<Row>[] {
  const baseline = trusts.slice(0, baselineLength).map(({ trust }) => trust);
  if (baseline.length < baselineLength) return [];
  const mean = baseline.reduce((sum, trust) => sum + trust, 0) / baselineLength;
  if (mean <= 0) return [];
  const variance = baseline.reduce((sum, trust) => sum + (trust - mean) ** 2, 0) / (baselineLength - 1);
  const sigma = Math.max(sigmaFloor, Math.sqrt(variance));
  let sum = 0;
  for (const [index, { at, trust }] of trusts.entries()) {
    if (index < baselineLength) continue;
    const deviation = Math.max(-clip, Math.min(clip, (trust - mean) / sigma));
    sum = Math.max(0, sum - deviation - slack);
    if (sum <= limit) continue;
    return [
      {
        kind: 'drift',
        at,
        finding: `Trust stays below its first ${baselineLength} of ${round(mean)} on average (CUSUM ${round(sum)} over ${limit})`,
        evidence: trusts.slice(0, index + 1).map(({ row }) => row),
      },
    ];
  }
  return [];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/**
 * What a peer asked for, with its size, in order of time: its first message of each piece of work that it began, and
 * every message outside of any. The size is the first of `metrics.size`, `metrics.costMsat` and the length of the text
 * that all of them have.
 */
export function requestsOf(conversation: readonly Interaction[]): readonly SizedRequest<Interaction>[] {
  const begun = new Set<string>();
  const requests = conversation.filter(({ direction, correlationId }) => {
    if (correlationId === null) return direction === 'in';
    if (begun.has(correlationId)) return false;
    begun.add(correlationId);
    return direction === 'in';
  });
  const sizes: readonly ((row: Interaction) => unknown)[] = [
    (row) => row.metrics?.size,
    (row) => row.metrics?.costMsat,
    (row) => row.contentLength,
  ];
  const sizeOf = sizes.find((size) => requests.every((row) => typeof size(row) === 'number'));
  return requests.flatMap((row) => {
    const size = Number(sizeOf?.(row));
    return size > 0 ? { at: row.createdAt, size, row } : [];
  });
}

/** Assessments as points of a trust series. */
export function trustsOf(assessments: readonly Assessment[]): readonly TrustPoint<Assessment>[] {
  return assessments.map((row) => ({ at: row.createdAt, trust: row.trust, row }));
}
