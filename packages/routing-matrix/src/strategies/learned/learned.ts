import * as z from 'zod';
import { nextCusum } from '../../lifecycle/cusum.ts';
import { platformId } from '../../platform.ts';
import type { OutcomeRecord, TaskFeatures } from '../../records.ts';
import { fading, notNegative, parseOptions } from '../../schemas.ts';
import type { SelectionStrategy, StrategyCandidate } from '../../selection/strategy.ts';
import { RunningQuantile } from '../../statistics/running-quantile.ts';
import type { JsonValue } from '../../store.ts';
import { assumedPrice, assumedValue, rewardOf, shareAmongBest } from '../utility.ts';
import { type Features, featuresOf, LinearModel, type LinearModelOptions } from './linear-model.ts';

/** Options of {@link learnedStrategy}. The defaults have the least regret in the package's simulation. */
export interface LearnedOptions {
  /** Weight of uncertainty in the optimistic estimate, ≥ 0. @default 0.4 */
  readonly optimism?: number;
  /** Factor on a platform's evidence for each further job of it, 0 < x ≤ 1. @default 0.999 */
  readonly playDecay?: number;
  /** Factor on all evidence for each decision, 0 < x ≤ 1. @default 0.9999 */
  readonly timeDecay?: number;
  /**
   * Level of a CUSUM statistic of a platform's rewards against its estimates at which its success counts as fallen: its
   * older evidence then loses four fifths of its weight. @default 8
   */
  readonly changeLevel?: number;
  /**
   * Weight of the trust from qualification in an estimate, however much was seen since, 0 ≤ x < 1: benchmarks are judged more
   * strictly than daily work, whose judge may be fooled. @default 0.1
   */
  readonly priorWeight?: number;
  /** Distance from the best score, as a share of the job's value, at which candidates count as equal. @default 0.01 */
  readonly nearEqual?: number;
}

/** Shares of the jobs below each value stratum. */
const strata = [0.6, 0.88];
/** Number of valued jobs from which the strata are known. */
const valuedJobs = 20;
/** Factor above the estimated quantile from which a value counts as above it, since the estimate swings. */
const clearlyAbove = 1.1;
const firstType = 3 + strata.length;
/** Task types beyond this number share features. */
const typeSlots = 12;
/** Prior strength of the intercept, difficulty, deadline and the strata; of task types {@link typeRidge}. */
const ridges = [3, 8, 8, 6, 6];
const typeRidge = 4;
/** Number of outcomes up to which a platform counts as a stranger. */
const strangerJobs = 30;
/** Number of outcomes from which the matrix leaves the threshold to the strategy. */
const ownEvidence = 10;
/** Successes in a value stratum or the one below that license it. */
const jobsToEarnStratum = 3;
const strangerDecay = 0.998;
/** Fall of the success probability that the change statistic looks for. */
const changeDrop = 0.25;
/** Weight that older evidence keeps after a change. */
const keptAfterChange = 0.2;

interface Arm {
  readonly model: LinearModel;
  /** Prior mean by task type: the trust at its first decision. */
  readonly priors: Map<string, number>;
  outcomes: number;
  /** Level of the change statistic. */
  change: number;
  /** Successes by value stratum, lowest first. */
  readonly served: number[];
}

const optionsSchema = z.strictObject({
  optimism: notNegative.default(0.4),
  playDecay: fading.default(0.999),
  timeDecay: fading.default(0.9999),
  changeLevel: z.number().positive().default(8),
  priorWeight: z.number().min(0).lt(1).default(0.1),
  nearEqual: notNegative.default(0.01),
});

const quantileSchema = z.object({ log: z.number(), count: z.number() });
const snapshotSchema = z.object({
  decisions: z.number(),
  types: z.array(z.string()),
  values: z.array(quantileSchema).length(strata.length),
  value: quantileSchema,
  deadline: quantileSchema,
  strangers: z.object({ good: z.number(), all: z.number() }),
  arms: z.array(
    z.object({
      id: z.string(),
      outcomes: z.number(),
      change: z.number(),
      served: z.array(z.number()),
      priors: z.array(z.tuple([z.string(), z.number()])),
      model: z.object({ at: z.number(), gram: z.array(z.number()), moment: z.array(z.number()) }),
    }),
  ),
});

/**
 * Creates the learned strategy. For each platform it estimates the probability of valid work in time by a linear model
 * with forgetting over all task types: a common level, an offset per task type, difficulty, deadline and two value
 * strata, so that many small successes do not license a large job. When a platform's work gets clearly worse than its
 * estimates, most of its older evidence is dropped. It chooses by value × optimistic estimate − price,
 * and draws by the power of two choices among near-equals. The prior is the trust from qualification, for strangers at
 * most the success that strangers had before, so that a new identity gains nothing.
 */
export function learnedStrategy(options: LearnedOptions = {}): SelectionStrategy {
  const { optimism, playDecay, timeDecay, nearEqual, changeLevel, priorWeight } = parseOptions(
    optionsSchema,
    options,
    'learnedStrategy',
  );
  const modelOptions: LinearModelOptions = { playDecay, timeDecay, ridge: (i) => ridges[i] ?? typeRidge };
  const unknown = new LinearModel(1, modelOptions);
  const interceptOnly = featuresOf(Float64Array.of(1));

  let arms = new Map<string, Arm>();
  let types = new Map<string, number>();
  let values = strata.map((share) => new RunningQuantile(share));
  let value = new RunningQuantile(0.5);
  let deadline = new RunningQuantile(0.5);
  let decisions = 0;
  let strangers = { good: 3, all: 5 };

  function reset(): void {
    arms = new Map();
    types = new Map();
    values = strata.map((share) => new RunningQuantile(share));
    value = new RunningQuantile(0.5);
    deadline = new RunningQuantile(0.5);
    decisions = 0;
    strangers = { good: 3, all: 5 };
  }

  function restore(snapshot: JsonValue): void {
    const stored = snapshotSchema.parse(snapshot);
    decisions = stored.decisions;
    types = new Map(stored.types.map((type, index) => [type, index]));
    for (const [index, quantile] of stored.values.entries()) values[index]?.restore(quantile);
    value.restore(stored.value);
    deadline.restore(stored.deadline);
    strangers = stored.strangers;
    arms = new Map(
      stored.arms.map(({ id, outcomes, change, served, priors, model }) => [
        id,
        { outcomes, change, served, priors: new Map(priors), model: LinearModel.from(model, modelOptions) },
      ]),
    );
  }

  const width = () => firstType + Math.min(typeSlots, Math.max(1, types.size));

  function encode(task: TaskFeatures): Features {
    const x = new Float64Array(width());
    x[0] = 1;
    x[1] = (task.difficulty ?? 0.5) - 0.5;
    const usual = deadline.value;
    if (task.deadlineMs !== null && usual !== null) {
      x[2] = Math.max(-1, Math.min(1, Math.log(task.deadlineMs / usual))) / 2;
    }
    for (let stratum = stratumOf(task.valueMsat); stratum > 0; stratum -= 1) x[2 + stratum] = 1;
    const type = types.get(task.taskType);
    if (type !== undefined) x[firstType + (type % typeSlots)] = 1;
    return featuresOf(x);
  }

  /** Returns the value stratum, 0 for the lowest and for an unknown value. */
  function stratumOf(valueMsat: number | null): number {
    if (valueMsat === null) return 0;
    return values.filter(({ value: limit, count }) => {
      return limit !== null && count >= valuedJobs && valueMsat > limit * clearlyAbove;
    }).length;
  }

  /** Tells whether a platform has served enough jobs of this stratum or the one below it. */
  function hasEarned(arm: Arm | undefined, stratum: number): boolean {
    if (stratum === 0) return true;
    let served = 0;
    for (let each = stratum - 1; each <= strata.length; each += 1) served += arm?.served[each] ?? 0;
    return served >= jobsToEarnStratum;
  }

  function priorOf(arm: Arm | undefined, candidate: StrategyCandidate, taskType: string): number {
    const prior = arm?.priors.get(taskType) ?? candidate.trust;
    const stranger = (arm?.outcomes ?? 0) < strangerJobs;
    return stranger ? Math.min(prior, strangers.good / strangers.all) : prior;
  }

  function optimisticOf(arm: Arm | undefined, x: Features, prior: number): number {
    const { mean, deviation } =
      arm?.model.estimate(x, prior, decisions) ?? unknown.estimate(interceptOnly, prior, 0);
    return Math.min(1, mean + priorWeight * (prior - mean) + optimism * deviation);
  }

  /** Returns the optimistic estimate for a typical job of a task type: medium difficulty, usual deadline, low value. */
  const typical = (arm: Arm | undefined, prior: number, taskType: string) =>
    optimisticOf(
      arm,
      encode({ taskType, valueMsat: null, size: null, deadlineMs: null, difficulty: null }),
      prior,
    );

  /** Returns a value of the highest stratum; `null` before it is known. */
  function largeValue(): number | null {
    const limit = values.at(-1)?.value ?? null;
    return limit === null ? null : limit * clearlyAbove * clearlyAbove;
  }

  function newArm(id: string): Arm {
    const arm: Arm = {
      model: new LinearModel(width(), modelOptions),
      priors: new Map(),
      outcomes: 0,
      change: 0,
      served: [...strata, 1].map(() => 0),
    };
    arms.set(id, arm);
    return arm;
  }

  function learn(record: OutcomeRecord, features: TaskFeatures): void {
    const reward = rewardOf(record, features);
    const arm = arms.get(platformId(record.platform));
    if (reward === null || arm === undefined) return;
    const x = encode(features);
    arm.model.grow(x.values.length);
    const expected = arm.model.estimate(x, arm.priors.get(features.taskType) ?? 0.5, decisions).mean;
    arm.change = nextCusum(arm.change, reward, expected, changeDrop);
    if (arm.change >= changeLevel) {
      arm.change = 0;
      arm.model.fade(keptAfterChange);
    }
    arm.model.learn(x, reward, decisions);
    arm.outcomes += 1;
    const stratum = stratumOf(features.valueMsat);
    if (reward === 1) arm.served[stratum] = (arm.served[stratum] ?? 0) + 1;
    if (arm.outcomes > strangerJobs) return;
    strangers = {
      good: strangers.good * strangerDecay + reward,
      all: strangers.all * strangerDecay + 1,
    };
  }

  return {
    name: 'learned',
    version: '2',
    judgesCandidates: true,

    init(snapshot) {
      reset();
      if (snapshot !== undefined && snapshot !== null) restore(snapshot);
    },

    observe(record) {
      if (record.kind === 'outcome' && record.features !== null) learn(record, record.features);
      if (record.kind !== 'decision') return;
      decisions += 1;
      if (!types.has(record.taskType)) types.set(record.taskType, types.size);
      if (record.valueMsat !== null) {
        value.add(record.valueMsat);
        for (const quantile of values) quantile.add(record.valueMsat);
      }
      if (record.deadlineMs !== null) deadline.add(record.deadlineMs);
      for (const { platformId: id, trust } of record.candidates) {
        const arm = arms.get(id) ?? newArm(id);
        if (!arm.priors.has(record.taskType)) arm.priors.set(record.taskType, trust);
      }
    },

    distribution(task, candidates) {
      const unstated = assumedPrice(candidates);
      const jobValue = task.valueMsat ?? value.value ?? assumedValue(candidates);
      const cap = task.exposureCapMsat;
      const small = cap === null || (task.valueMsat !== null && task.valueMsat <= cap);
      const stratum = stratumOf(task.valueMsat);
      const x = encode(task);
      const scores: number[] = [];
      const isBarred: boolean[] = [];
      const novices = new Set<StrategyCandidate>();
      let barredCount = 0;
      for (const candidate of candidates) {
        const arm = arms.get(candidate.platformId);
        const prior = priorOf(arm, candidate, task.taskType);
        const expected = jobValue * optimisticOf(arm, x, prior);
        const price = candidate.priceMsat ?? unstated;
        const { explorationOnly } = candidate;
        const barred =
          !hasEarned(arm, stratum) ||
          (explorationOnly && !small && typical(arm, prior, task.taskType) < task.threshold);
        isBarred.push(barred);
        if (barred) barredCount += 1;
        if (explorationOnly && (arm?.outcomes ?? 0) < ownEvidence && expected > price) novices.add(candidate);
        scores.push(expected - price);
      }
      const allBarred = barredCount === candidates.length;

      if (small && novices.size > 0) {
        // Who may have small jobs only could never show that it is the best choice for large ones: it gets a small job
        // when it would be.
        const valueMsat = largeValue() ?? jobValue;
        const large = encode({ ...task, valueMsat });
        const largeScores = candidates.map((candidate) => {
          const arm = arms.get(candidate.platformId);
          const prior = priorOf(arm, candidate, task.taskType);
          return valueMsat * optimisticOf(arm, large, prior) - (candidate.priceMsat ?? unstated);
        });
        const best = largeScores.reduce((top, score) => Math.max(top, score), Number.NEGATIVE_INFINITY);
        const tried = candidates.map((candidate, index) =>
          novices.has(candidate) && largeScores[index] === best ? best : Number.NEGATIVE_INFINITY,
        );
        if (tried.includes(best)) return shareAmongBest(candidates, tried, 0);
      }
      const ranked =
        allBarred || barredCount === 0
          ? scores
          : scores.map((score, index) => (isBarred[index] ? Number.NEGATIVE_INFINITY : score));
      return shareAmongBest(candidates, ranked, nearEqual * jobValue, allBarred);
    },

    snapshot() {
      return {
        decisions,
        types: [...types.keys()],
        values: values.map((quantile) => quantile.toJSON()),
        value: value.toJSON(),
        deadline: deadline.toJSON(),
        strangers,
        arms: [...arms].map(([id, { outcomes, change, served, priors, model }]) => ({
          id,
          outcomes,
          change,
          served: [...served],
          priors: [...priors],
          model: model.toJSON(),
        })),
      };
    },
  };
}
