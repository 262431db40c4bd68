import { seededRandom, silentLogger } from '@bonafide/internal';
import type { RoutingConfig } from '../config.ts';
import { applyRecord } from '../fold/apply-record.ts';
import { allocationOf, lifecycleAt } from '../lifecycle/stage.ts';
import { operatorOf } from '../platform.ts';
import type { DecisionRecord, OutcomeRecord, RoutingRecord } from '../records.ts';
import { readSnapshot } from '../recovery/snapshot.ts';
import { allocated, wasForced } from '../selection/choose.ts';
import type { SelectionStrategy, StrategyCandidate, StrategyTask } from '../selection/strategy.ts';
import { runStrategy, type StrategyRunner } from '../selection/strategy-runner.ts';
import { thresholdOf, trialCapMsat } from '../state/figures.ts';
import { featuresOf } from '../state/job-features.ts';
import { emptyState, type MatrixState } from '../state/state.ts';

/** An estimated mean with half the width of its 95 % interval. */
export interface Estimate {
  readonly mean: number;
  readonly halfWidth: number;
}

/** Estimated earnings of another strategy on a log. */
export interface OffPolicyResult {
  readonly strategy: string;
  /** Number of decisions with an outcome that were used. */
  readonly decisions: number;
  /** Number of decisions with an outcome that were not: their list of candidates is cut off, or the platform was pinned. */
  readonly skipped: number;
  /**
   * Number of decisions that the estimate rests on after weighting. Below about 50, or a tenth of `decisions`, the log says
   * little about this strategy, because it chooses what was hardly ever chosen.
   */
  readonly effectiveDecisions: number;
  /** Share of jobs that succeeded (a partial success counts half): as logged, by inverse propensity, doubly robust. */
  readonly success: { readonly logged: Estimate; readonly ips: Estimate; readonly doublyRobust: Estimate };
  /** Value of the successes less the prices, msat per job; `null` when no job stated its value. */
  readonly utilityMsat: {
    readonly logged: Estimate;
    readonly ips: Estimate;
    readonly doublyRobust: Estimate;
  } | null;
}

/** Largest weight of one decision; larger ones are cut, which biases towards the log and bounds the variance. */
const largestWeight = 50;
/** Strength of the prior of the outcome model, in outcomes. */
const priorStrength = 5;

interface Pending {
  readonly decision: DecisionRecord;
  readonly weight: number;
  /** Probabilities of the evaluated strategy with the predicted success of each candidate. */
  readonly predicted: readonly {
    readonly probability: number;
    readonly success: number;
    readonly priceMsat: number;
  }[];
  readonly ownSuccess: number;
  readonly ownPriceMsat: number;
}

/** Estimates from logged decisions what another strategy would have earned. Arguments are valid. */
export function evaluateStrategy(
  records: Iterable<RoutingRecord>,
  config: RoutingConfig,
  strategy: SelectionStrategy,
): OffPolicyResult {
  const state = emptyState(config);
  const runner = runStrategy(strategy, { logger: silentLogger, alert: () => {} });
  runner.start();
  const model = createModel();
  const pending = new Map<string, Pending | null>();
  const samples: Sample[] = [];
  // The same evaluation gives the same result, also of a strategy that samples.
  const random = seededRandom(1);
  let [skipped, valued] = [0, false];

  for (const record of records) {
    if (record.kind === 'decision' && record.jobId !== null && record.picks.length > 0) {
      pending.set(record.jobId, weigh(state, runner, model, record, random));
    }
    const open = record.kind === 'outcome' ? pending.get(record.jobId) : undefined;
    if (record.kind === 'outcome' && open !== undefined && isFirstPick(record, open)) {
      pending.delete(record.jobId);
      if (open === null) skipped += 1;
      else if (record.outcome !== 'INFRA') {
        samples.push(sampleOf(open, record));
        valued ||= open.decision.valueMsat !== null;
      }
    }
    if (record.kind === 'outcome') model.learn(record);
    if (record.kind === 'base') {
      startFrom(record.snapshot, state, runner);
      continue;
    }
    const features = featuresOf(state, record);
    state.seq += 1;
    applyRecord(state, record);
    runner.observe(record, state.seq, features);
  }

  const weights = samples.map(({ weight }) => weight);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const squares = weights.reduce((total, weight) => total + weight * weight, 0);
  return {
    strategy: runner.name,
    decisions: samples.length,
    skipped,
    effectiveDecisions: squares === 0 ? 0 : (sum * sum) / squares,
    success: estimates(samples, ({ success }) => success),
    utilityMsat: valued ? estimates(samples, ({ utility }) => utility) : null,
  };
}

interface Figures {
  /** Earnings of the logged choice, and those that the model expected of it and of the evaluated choice. */
  readonly earned: number;
  readonly expected: number;
  readonly expectedOther: number;
}

interface Sample {
  readonly weight: number;
  readonly success: Figures;
  readonly utility: Figures;
}

const isFirstPick = (record: OutcomeRecord, open: Pending | null) =>
  open === null || open.decision.picks[0]?.platformId === `${record.platform.pubkey}:${record.platform.d}`;

/** Continues with the state of a restored log, as the matrix does. One that cannot be read changes nothing. */
function startFrom(snapshot: string, state: MatrixState, runner: StrategyRunner): void {
  try {
    const { state: base, strategy, seq } = readSnapshot(snapshot, state.config);
    Object.assign(state, base, { seq });
    const same = strategy.name === runner.name && strategy.version === runner.version;
    if (!same || !runner.restore(strategy.state)) runner.start();
  } catch {
    // The matrix quarantines such a record.
  }
}

/** Returns the share of its normal work that a candidate got. One without any was chosen because all were suspended. */
function allocationAt(state: MatrixState, taskType: string, platformId: string, at: number): number {
  const life = state.entries.get(taskType)?.get(platformId)?.lifecycle;
  const share = life === undefined ? 1 : allocationOf(lifecycleAt(life, at, state.config.lifecycle));
  return share === 0 ? 1 : share;
}

/** Returns the decision with the probabilities of the other strategy; `null` when it cannot be used. */
function weigh(
  state: MatrixState,
  runner: StrategyRunner,
  model: Model,
  decision: DecisionRecord,
  random: () => number,
): Pending | null {
  const { taskType, candidates, candidateCount, picks, at } = decision;
  const [pick] = picks;
  const own = candidates.find(({ platformId }) => platformId === pick?.platformId);
  if (own === undefined || pick === undefined || candidates.length < candidateCount) return null;
  if (wasForced(pick.reason)) return null;
  const threshold = thresholdOf(state, taskType);
  const overShare = new Set(
    decision.excluded.flatMap((each) => (each.reason === 'over-share' ? [each.platformId] : [])),
  );
  // The share rule binds every strategy.
  const open = candidates.filter(({ platformId }) => !overShare.has(platformId));
  const views = open.map((candidate): StrategyCandidate => {
    const { platformId, tier, trust, score, priceMsat, latencyMs, inFlight, ageMs, criteria } = candidate;
    return {
      platformId,
      operator: operatorOf(platformId),
      tier: tier === 'none' ? 'tertiary' : tier,
      trust,
      score,
      priceMsat,
      latencyMs,
      inFlight,
      observations: criteria.exploration.raw ?? 0,
      ageMs,
      explorationOnly: trust < threshold,
      allocation: allocationAt(state, taskType, platformId, at),
    };
  });
  const { valueMsat, size, deadlineMs, difficulty } = decision;
  const task: StrategyTask = {
    taskType,
    valueMsat,
    size,
    deadlineMs,
    difficulty,
    experience: state.tasks.get(taskType)?.decisions ?? 0,
    threshold,
    exposureCapMsat: trialCapMsat(state, taskType, runner.judgesCandidates),
  };
  const shares = allocated(views, (among) => runner.distribution(task, among, { now: at, random }));
  const predicted = shares.map(({ probability }, place) => ({
    probability,
    success: model.predict(taskType, open[place]?.platformId ?? ''),
    priceMsat: open[place]?.priceMsat ?? 0,
  }));
  const index = open.indexOf(own);
  return {
    decision,
    weight: Math.min(largestWeight, (shares[index]?.probability ?? 0) / pick.probability),
    predicted,
    ownSuccess: predicted[index]?.success ?? 0,
    ownPriceMsat: own.priceMsat ?? 0,
  };
}

function sampleOf(
  { decision, weight, predicted, ownSuccess, ownPriceMsat }: Pending,
  record: OutcomeRecord,
): Sample {
  const success = rewardOf(record);
  const value = decision.valueMsat ?? 0;
  const costMsat = record.measurements.costMsat ?? ownPriceMsat;
  let [other, otherUtility] = [0, 0];
  for (const candidate of predicted) {
    other += candidate.probability * candidate.success;
    otherUtility += candidate.probability * (value * candidate.success - candidate.priceMsat);
  }
  return {
    weight,
    success: { earned: success, expected: ownSuccess, expectedOther: other },
    utility: {
      earned: value * success - costMsat,
      expected: value * ownSuccess - ownPriceMsat,
      expectedOther: otherUtility,
    },
  };
}

const rewardOf = ({ outcome }: OutcomeRecord) =>
  outcome === 'SUCCESS' ? 1 : outcome === 'PARTIAL' ? 0.5 : 0;

function estimates(samples: readonly Sample[], figuresOf: (sample: Sample) => Figures) {
  const total = samples.reduce((sum, { weight }) => sum + weight, 0);
  const weightedMean =
    total === 0 ? 0 : samples.reduce((sum, each) => sum + each.weight * figuresOf(each).earned, 0) / total;
  const variance = samples.reduce((sum, each) => {
    const deviation = each.weight * (figuresOf(each).earned - weightedMean);
    return sum + deviation * deviation;
  }, 0);
  return {
    logged: estimate(samples.map((each) => figuresOf(each).earned)),
    ips: { mean: weightedMean, halfWidth: total === 0 ? 0 : (1.96 * Math.sqrt(variance)) / total },
    doublyRobust: estimate(
      samples.map((each) => {
        const { earned, expected, expectedOther } = figuresOf(each);
        return expectedOther + each.weight * (earned - expected);
      }),
    ),
  };
}

function estimate(values: readonly number[]): Estimate {
  const count = values.length;
  if (count === 0) return { mean: 0, halfWidth: 0 };
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, count - 1);
  return { mean, halfWidth: 1.96 * Math.sqrt(variance / count) };
}

/** A model of success by task type and platform, shrunk towards the platform's and everyone's. */
interface Model {
  predict(taskType: string, platformId: string): number;
  learn(record: OutcomeRecord): void;
}

function createModel(): Model {
  const counts = new Map<string, { good: number; all: number }>();
  const of = (key: string) => {
    let known = counts.get(key);
    if (known === undefined) {
      known = { good: 0, all: 0 };
      counts.set(key, known);
    }
    return known;
  };
  const shrunk = (key: string, prior: number) => {
    const { good, all } = of(key);
    return (good + priorStrength * prior) / (all + priorStrength);
  };
  const keys = (taskType: string, platformId: string) => ['', platformId, `${taskType}\n${platformId}`];
  return {
    predict: (taskType, platformId) =>
      keys(taskType, platformId).reduce((prior, key) => shrunk(key, prior), 0.8),
    learn(record) {
      if (record.outcome === 'INFRA') return;
      for (const key of keys(record.taskType, `${record.platform.pubkey}:${record.platform.d}`)) {
        const count = of(key);
        count.good += rewardOf(record);
        count.all += 1;
      }
    },
  };
}
