import { clampClaimedTime } from './claimed-time.ts';
import type { Interaction, OutcomeEvent, Trend } from './records.ts';

/** Success rate, latency and trend of one peer. Recent work weighs more. */
export interface PeerAggregates {
  /** Decayed share of successes among finished pieces of work, 0…1; null when none is finished. */
  readonly successRate: number | null;
  /** Finished pieces of work that went in. */
  readonly finished: number;
  /** Their total weight after decay. A piece of work that finished now weighs 1. */
  readonly weight: number;
  /** The peer's response time in ms, weighted by decay; null without a measurement. */
  readonly latencyMs: { readonly p50: number; readonly p95: number; readonly samples: number } | null;
  readonly trend: Trend;
  /** Decayed success rates behind `trend`; null with fewer than four finished pieces of work. */
  readonly trendRates: { readonly before: number; readonly recent: number } | null;
}

/** Options of `computeAggregates`. */
export interface AggregateOptions {
  /** Time now, ms since epoch. */
  readonly now: number;
  /**
   * After how long something weighs half, in ms, > 0.
   * @default 2592000000 (30 days)
   */
  readonly halfLifeMs?: number | undefined;
  /**
   * Finished pieces of work that the trend looks at, the newest ones, ≥ 4.
   * @default 10
   */
  readonly trendLength?: number | undefined;
}

/** Rows of one peer, in any order. */
export interface AggregateInput {
  /** Rows without `sequence` are ordered by time. */
  readonly outcomes: readonly (Pick<
    OutcomeEvent,
    'outcomeId' | 'correlationId' | 'result' | 'metrics' | 'createdAt'
  > &
    Partial<Pick<OutcomeEvent, 'sequence'>>)[];
  /** Rows without `receivedAt` were received at `createdAt`. */
  readonly interactions: readonly (Pick<
    Interaction,
    'interactionId' | 'correlationId' | 'direction' | 'metrics' | 'createdAt'
  > &
    Partial<Pick<Interaction, 'receivedAt'>>)[];
}

interface Weighted {
  readonly value: number;
  readonly weight: number;
}

/** The half-life unless another is given: 30 days. */
export const defaultHalfLifeMs = 30 * 86_400_000;
const leastForTrend = 4;
const trendMargin = 0.2;

/**
 * Success rate, latency and trend of one peer, every piece of work weighing `2 ** (-age / halfLife)`. Of one piece of
 * work the outcome that was received last counts. Latency is `metrics.latencyMs` where it was measured (of the answer, else
 * of the last outcome), else the time from the first message to the peer to the receipt of its first answer under the same
 * correlationId. Times that a peer claims have no influence on it.
 */
export function computeAggregates(input: AggregateInput, options: AggregateOptions): PeerAggregates {
  const { now, halfLifeMs = defaultHalfLifeMs, trendLength = 10 } = options;
  const weightAt = (at: number) => 2 ** (-Math.max(0, now - at) / halfLifeMs);

  const last = lastOutcomes(input.outcomes);
  const finished = last
    .filter(({ result }) => result !== 'open')
    .map(({ result, createdAt }) => ({ value: result === 'success' ? 1 : 0, weight: weightAt(createdAt) }));
  const latencies = latenciesOf(input, last).map(({ latencyMs, at }) => ({
    value: latencyMs,
    weight: weightAt(at),
  }));
  const trendRates = halves(finished.slice(-Math.max(leastForTrend, trendLength)));

  return {
    successRate: mean(finished),
    finished: finished.length,
    weight: finished.reduce((sum, { weight }) => sum + weight, 0),
    latencyMs:
      latencies.length === 0
        ? null
        : { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95), samples: latencies.length },
    trend: trendOf(trendRates),
    trendRates,
  };
}

type OutcomeRow = AggregateInput['outcomes'][number];

/** The outcome that counts of each piece of work, in order of receipt. */
function lastOutcomes(rows: readonly OutcomeRow[]): readonly OutcomeRow[] {
  const last = new Map<string, OutcomeRow>();
  for (const row of rows.toSorted(inOrderOfReceipt)) {
    // Deleted first, so that the map is in the order of the outcomes that count.
    last.delete(row.correlationId);
    last.set(row.correlationId, row);
  }
  return [...last.values()];
}

function latenciesOf(
  { interactions }: AggregateInput,
  last: readonly OutcomeRow[],
): readonly { readonly latencyMs: number; readonly at: number }[] {
  const found = new Map<string, { readonly latencyMs: number; readonly at: number }>();
  const asked = new Map<string, number>();
  const received = interactions.map((row) => ({ ...row, at: receiptOf(row) }));
  for (const row of received.toSorted(
    (one, other) => one.at - other.at || byText(one.interactionId, other.interactionId),
  )) {
    const { correlationId: work, at } = row;
    if (row.direction === 'out') {
      if (work !== null && !asked.has(work)) asked.set(work, at);
      continue;
    }
    const key = work ?? row.interactionId;
    const since = work === null ? undefined : asked.get(work);
    const latencyMs = row.metrics?.latencyMs ?? (since === undefined ? undefined : at - since);
    if (latencyMs !== undefined && !found.has(key)) found.set(key, { latencyMs, at });
  }
  for (const { correlationId, metrics, createdAt } of last) {
    if (metrics?.latencyMs !== undefined && !found.has(correlationId)) {
      found.set(correlationId, { latencyMs: metrics.latencyMs, at: createdAt });
    }
  }
  return [...found.values()];
}

function inOrderOfReceipt(one: OutcomeRow, other: OutcomeRow): number {
  if (one.sequence !== undefined && other.sequence !== undefined) return one.sequence - other.sequence;
  return one.createdAt - other.createdAt || byText(one.outcomeId, other.outcomeId);
}

/** Returns the time of receipt. Of an imported message it is the time that the host vouches for. */
function receiptOf({
  createdAt,
  receivedAt = createdAt,
}: Pick<Interaction, 'createdAt'> & Partial<Pick<Interaction, 'receivedAt'>>): number {
  return clampClaimedTime(createdAt, receivedAt) === createdAt ? receivedAt : createdAt;
}

const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

function mean(values: readonly Weighted[]): number | null {
  const weight = values.reduce((sum, each) => sum + each.weight, 0);
  return weight === 0 ? null : values.reduce((sum, each) => sum + each.value * each.weight, 0) / weight;
}

/** The smallest value that at least `share` of the weight does not exceed. */
function quantile(values: readonly Weighted[], share: number): number {
  const sorted = values.toSorted((one, other) => one.value - other.value);
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let below = 0;
  for (const { value, weight } of sorted) {
    below += weight;
    if (below >= share * total) return value;
  }
  return sorted.at(-1)?.value ?? Number.NaN;
}

function halves(finished: readonly Weighted[]): PeerAggregates['trendRates'] {
  if (finished.length < leastForTrend) return null;
  const middle = Math.floor(finished.length / 2);
  const before = mean(finished.slice(0, middle));
  const recent = mean(finished.slice(middle));
  return before === null || recent === null ? null : { before, recent };
}

function trendOf(rates: PeerAggregates['trendRates']): Trend {
  if (rates === null) return 'unknown';
  const change = rates.recent - rates.before;
  return change >= trendMargin ? 'improving' : change <= -trendMargin ? 'declining' : 'steady';
}
