import * as z from 'zod';
import { notNegative, unit } from '../schemas.ts';

const flag = z.boolean().exactOptional();

/** Schema of {@link ExtendedObservations}. */
export const observationsSchema = z.strictObject({
  timeout: z
    .object({ timeoutMs: notNegative, early: notNegative, near: notNegative, silent: notNegative })
    .exactOptional(),
  parallelism: z
    .object({ limit: notNegative, queueDepth: notNegative.exactOptional(), idle: flag })
    .exactOptional(),
  globalParallelism: z
    .object({ limit: notNegative, utilization: notNegative.exactOptional(), cascade: flag })
    .exactOptional(),
  costBudget: z
    .object({
      paidMsat: notNegative,
      experimentsMsat: notNegative,
      lowPriorityMsat: notNegative,
      reserveMsat: notNegative,
      freeTierAbundant: flag,
      qualityScarce: flag,
      underspent: z.object({ msat: z.number(), keep: unit }).exactOptional(),
    })
    .exactOptional(),
  models: z
    .array(
      z.object({
        role: z.string(),
        model: z.string(),
        platform: z.string(),
        successes: notNegative,
        jobs: notNegative,
      }),
    )
    .exactOptional(),
}) satisfies z.ZodType<ExtendedObservations>;

/** Observations from which variables beside the thresholds are changed; each part is optional. */
export interface ExtendedObservations {
  /** Times of finished jobs against a timeout. */
  readonly timeout?: {
    readonly timeoutMs: number;
    /** Jobs that took less than half of the timeout. */
    readonly early: number;
    /** Jobs that took 80 to 100 % of it. */
    readonly near: number;
    /** Timeouts without any feedback. */
    readonly silent: number;
  };
  /** Load of one platform. */
  readonly parallelism?: {
    readonly limit: number;
    /** Queue depth that the platform reported. */
    readonly queueDepth?: number;
    /** The platform reported idle capacity. */
    readonly idle?: boolean;
  };
  /** Load over all platforms. */
  readonly globalParallelism?: {
    readonly limit: number;
    /** Share of the limit in use, 0..1. */
    readonly utilization?: number;
    /** Several platforms timed out at once. */
    readonly cascade?: boolean;
  };
  readonly costBudget?: {
    readonly paidMsat: number;
    readonly experimentsMsat: number;
    readonly lowPriorityMsat: number;
    readonly reserveMsat: number;
    readonly freeTierAbundant?: boolean;
    readonly qualityScarce?: boolean;
    /** Unspent money of the ended month, and the share of it that is kept, 0..1. */
    readonly underspent?: { readonly msat: number; readonly keep: number };
  };
  /** Declared models of platforms, by the role in which they were observed. */
  readonly models?: readonly {
    readonly role: string;
    readonly model: string;
    readonly platform: string;
    readonly successes: number;
    readonly jobs: number;
  }[];
}

/** Changed variables; absent where nothing changes. */
export interface ExtendedMutations {
  readonly TIMEOUT_CONFIGURATION?: {
    /** Timeout of the observed task type. */
    readonly timeoutMs?: number;
    readonly byTaskType?: Readonly<Record<string, number>>;
  };
  readonly PARALLELISM_LIMIT?: {
    /** Limit of the observed platform. */
    readonly platform?: number;
    /** Limit over all platforms. */
    readonly global?: number;
    readonly byPlatform?: Readonly<Record<string, number>>;
  };
  readonly COST_BUDGET?: {
    readonly paidMsat?: number;
    readonly experimentsMsat?: number;
    readonly lowPriorityMsat?: number;
    readonly reserveMsat?: number;
    readonly rolloverMsat?: number;
  };
  readonly MODEL_PREFERENCE?: {
    readonly roles: Readonly<Record<string, string>>;
    readonly fallbackChain: readonly string[];
  };
}

/** The changes, with a reason for each and whether a person should look. */
export interface ExtendedResult {
  readonly mutations: ExtendedMutations;
  readonly reasons: readonly string[];
  readonly alert: boolean;
}

const earlyJobs = 10;
const nearJobs = 5;
const silentTimeouts = 3;
const deepQueue = 10;
const highestLimit = 10;
const lowUtilization = 0.5;
const leadingJobs = 30;
const reliableRate = 0.9;

/** Computes the changes of timeouts, parallelism, budgets and models. Pure. */
export function extendedMutations(seen: ExtendedObservations): ExtendedResult {
  const reasons: string[] = [];
  let alert = false;
  const because = (reason: string, alarming = false) => {
    reasons.push(reason);
    alert ||= alarming;
  };
  const mutations = {
    ...defined('TIMEOUT_CONFIGURATION', timeout(seen, because)),
    ...defined('PARALLELISM_LIMIT', parallelism(seen, because)),
    ...defined('COST_BUDGET', costBudget(seen, because)),
    ...defined('MODEL_PREFERENCE', models(seen, because)),
  };
  return { mutations, reasons, alert };
}

type Because = (reason: string, alarming?: boolean) => void;

const defined = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: Value };

function timeout({ timeout: seen }: ExtendedObservations, because: Because) {
  if (seen === undefined) return undefined;
  const to = (factor: number) => ({ timeoutMs: Math.round(seen.timeoutMs * factor) });
  if (seen.silent >= silentTimeouts) {
    because(`${seen.silent} timeouts without feedback: timeout + 50 %`, true);
    return to(1.5);
  }
  if (seen.near >= nearJobs) {
    because(`${seen.near} jobs took 80 to 100 % of the timeout: timeout + 30 %`);
    return to(1.3);
  }
  if (seen.early >= earlyJobs) {
    because(`${seen.early} jobs took less than half of the timeout: timeout - 20 %`);
    return to(0.8);
  }
  return undefined;
}

function parallelism({ parallelism: own, globalParallelism: all }: ExtendedObservations, because: Because) {
  const change: { platform?: number; global?: number } = {};
  if (own !== undefined && (own.queueDepth ?? 0) > deepQueue && own.limit > 1) {
    change.platform = own.limit - 1;
    because(`Queue depth ${own.queueDepth}: one job less at a time for this platform`);
  } else if (own?.idle === true && own.limit < highestLimit) {
    change.platform = own.limit + 1;
    because('The platform is idle: one more job at a time');
  }
  if (all?.cascade === true) {
    change.global = Math.max(1, Math.floor(all.limit / 2));
    because('Several platforms timed out at once: half the jobs at a time', true);
  } else if (all?.utilization !== undefined && all.utilization < lowUtilization) {
    change.global = all.limit + 1;
    because(`${Math.round(all.utilization * 100)} % of the limit in use: one more job at a time`);
  }
  return Object.keys(change).length === 0 ? undefined : change;
}

function costBudget({ costBudget: seen }: ExtendedObservations, because: Because) {
  if (seen === undefined) return undefined;
  const change: {
    paidMsat?: number;
    experimentsMsat?: number;
    lowPriorityMsat?: number;
    reserveMsat?: number;
    rolloverMsat?: number;
  } = {};
  if (seen.freeTierAbundant === true) {
    const moved = Math.floor(seen.paidMsat * 0.2);
    change.paidMsat = seen.paidMsat - moved;
    change.experimentsMsat = seen.experimentsMsat + moved;
    because('Free capacity is abundant: 20 % of the paid budget goes to experiments');
  }
  if (seen.qualityScarce === true) {
    const moved = Math.floor(seen.lowPriorityMsat * 0.3);
    change.lowPriorityMsat = seen.lowPriorityMsat - moved;
    change.reserveMsat = seen.reserveMsat + moved;
    because('Quality is scarce: 30 % of the low-priority budget goes to the reserve');
  }
  if (seen.underspent !== undefined && seen.underspent.msat > 0) {
    change.rolloverMsat = Math.floor(seen.underspent.msat * Math.max(0, Math.min(1, seen.underspent.keep)));
    because('The month was underspent: a part is carried over');
  }
  return Object.keys(change).length === 0 ? undefined : change;
}

function models({ models: seen = [] }: ExtendedObservations, because: Because) {
  const rate = ({ successes, jobs }: { readonly successes: number; readonly jobs: number }) =>
    successes / jobs;
  const experienced = seen.filter(({ jobs }) => jobs >= leadingJobs);
  const roles: Record<string, string> = {};
  for (const role of [...new Set(experienced.map((each) => each.role))].sort()) {
    const [leader] = experienced
      .filter((each) => each.role === role)
      .sort((a, b) => rate(b) - rate(a) || (a.model < b.model ? -1 : 1));
    if (leader === undefined) continue;
    roles[role] = leader.model;
    because(`'${leader.model}' leads in ${role} with ${leader.successes} of ${leader.jobs} jobs`);
  }
  const reliable = seen.filter((each) => each.jobs > 0 && rate(each) >= reliableRate);
  const fallbackChain = [...new Set(reliable.map(({ model }) => model))]
    .filter(
      (model) =>
        new Set(reliable.filter((each) => each.model === model).map(({ platform }) => platform)).size >= 2,
    )
    .sort();
  if (fallbackChain.length > 0) because(`Two reliable platforms run ${fallbackChain.join(', ')}`);
  return Object.keys(roles).length === 0 && fallbackChain.length === 0 ? undefined : { roles, fallbackChain };
}
