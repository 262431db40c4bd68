import {
  hasMethods,
  isCallable,
  type Logger,
  maxIdentifierChars,
  parseOrThrow,
  sanitizePromptText,
  withParsedArguments,
} from '@bonafide/internal';
import * as z from 'zod';
import { RoutingError } from './errors.ts';
import type { PlatformRef } from './platform.ts';
import { workingTiers } from './scoring/tiers.ts';

/** Accepts fractions of a millisecond, which are dropped. */
export const at = z
  .number()
  .min(0)
  .max(8.64e15)
  .transform((given) => Math.floor(given));
/** Accepts text that every database stores losslessly: no NUL, no lone surrogate. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((given) => given.isWellFormed() && !given.includes('\0'), 'Not well-formed text');
/** An id that the host composes of several identifiers. */
export const id = text(4_096).min(1);
export const taskType = text(128).min(1);
export const msat = z.int().min(0);
export const unit = z.number().min(0).max(1);
export const notNegative = z.number().min(0);
export const durationMs = z.number().min(0);
/** Factor on evidence with time. */
export const fading = z.number().positive().max(1);

/** A function of the host. */
export const callable = <Value>() => z.custom<Value>(isCallable, 'Expected a function');
/** An object of the host with these methods. */
export const port = <Value>(...methods: readonly string[]) =>
  z.custom<Value>(hasMethods(...methods), `Expected an object with the methods ${methods.join(', ')}`);
export const logger = port<Logger>('debug', 'info', 'warn', 'error');

/** An array, a set or a generator, read into an array. A text is none, although it can be iterated. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.preprocess(
    (given) =>
      typeof given === 'object' && given !== null && Symbol.iterator in given
        ? [...(given as Iterable<unknown>)]
        : given,
    z.array(item, 'Expected a list'),
  );

/** An operator's key and a service's identifier under it. */
export const platformSchema = z.object({
  pubkey: text(256)
    .min(1)
    .regex(/^[^:]+$/u, 'A key may not contain a colon'),
  d: text(maxIdentifierChars),
});

export const outcomeSchema = z.enum([
  'SUCCESS',
  'PARTIAL',
  'FAILURE',
  'ERROR',
  'SECURITY_VIOLATION',
  'INFRA',
]);

export const tierSchema = z.enum([...workingTiers, 'none']);

export const exclusionReasonSchema = z.enum([
  'excluded',
  'blacklisted',
  'denied',
  'refused',
  'suspended',
  'removed',
  'quarantined',
  'cooling',
  'rejected',
  'unqualified',
  'below-minimum',
  'below-threshold',
  'over-exposure',
  'over-share',
  'over-budget',
  'at-capacity',
]);

/** Stores absent values as `null`. */
export const measured = <Value extends z.ZodType>(value: Value) =>
  value.nullish().transform((given) => given ?? null);

export const measurementsSchema = z.object({
  passRate: measured(unit),
  latencyMs: measured(durationMs),
  executionMs: measured(durationMs),
  quality: measured(z.number().min(0).max(10)),
  softLimitExceeded: measured(z.boolean()),
  memoryShare: measured(z.number().min(0)),
  coverage: measured(unit),
  errorKind: measured(text(64)),
  costMsat: measured(msat),
});

/** Input of `register`. */
export const registrationSchema = z.object({
  platform: platformSchema,
  // Remote text for display: sanitized instead of rejected.
  name: z
    .string()
    .nullish()
    .transform((given) => sanitizePromptText(given ?? '', 128) || null),
  taskTypes: z.array(z.string()).default([]),
  priceMsat: measured(msat),
  version: z
    .string()
    .nullish()
    .transform((given) => sanitizePromptText(given ?? '', 64) || null),
  at: at.optional(),
});

const maxTaskTypes = 256;

/** Returns the task types of a platform's description that can be stored, sorted, with the number of the others. */
export function storableTaskTypes(offered: readonly string[]): {
  readonly taskTypes: readonly string[];
  readonly ignored: number;
} {
  const unique = [...new Set(offered)];
  const storable = unique.filter((each) => taskType.safeParse(each).success).slice(0, maxTaskTypes);
  return { taskTypes: storable.sort(), ignored: unique.length - storable.length };
}

/** A judged benchmark attempt. */
export const benchmarkVerdictSchema = measurementsSchema.extend({
  outcome: outcomeSchema,
  passRate: unit,
  smokeFailed: z
    .boolean()
    .nullish()
    .transform((given) => given ?? false),
});

/** Input of `recordBenchmark`. */
export const benchmarkInputSchema = z.object({
  platform: platformSchema,
  taskType,
  attemptId: id,
  verdict: benchmarkVerdictSchema,
  at: at.optional(),
});

/** Input of `recordOutcome`. */
export const outcomeInputSchema = z.object({
  jobId: id,
  platform: platformSchema,
  taskType,
  outcome: outcomeSchema,
  valueMsat: measured(msat),
  measurements: measurementsSchema.prefault({}),
  at: at.optional(),
});

export const directiveActionSchema = z.enum([
  'pin',
  'unpin',
  'deny',
  'refuse',
  'allow',
  'suspend',
  'resume',
  'readmit',
  'remove',
  'quarantine',
]);
export const directiveSourceSchema = z.enum(['operator', 'policy']).default('operator');

/** Input of `direct`. */
export const directiveInputSchema = z.object({
  id: id.optional(),
  platform: platformSchema,
  taskType: measured(taskType),
  action: directiveActionSchema,
  untilAt: measured(at),
  source: directiveSourceSchema,
  violation: z.boolean().default(false),
  reason: text(1024).min(1),
  at: at.optional(),
});

/** Input of `budgets.set`. A misspelt limit would set none. */
export const budgetInputSchema = z.strictObject({
  taskType: measured(taskType),
  dailyMsat: measured(msat),
  monthlyMsat: measured(msat),
  rollover: unit.default(0),
  flexible: z.boolean().default(false),
});

/** Input of `reserve`. */
export const reservationInputSchema = z.object({
  reservationId: id,
  taskType,
  jobId: measured(id),
  amountMsat: msat,
});

/** Input of `settle`. */
export const settlementInputSchema = z.object({ reservationId: id, paidMsat: msat });

/** Features of a job. */
export const featuresSchema = {
  valueMsat: measured(msat),
  size: measured(z.number().positive().max(1e6)),
  deadlineMs: measured(z.number().positive()),
  difficulty: measured(unit),
};
/** Input of `select`. */
export const taskSchema = z.object({
  taskType,
  jobId: measured(id),
  session: measured(id),
  ...featuresSchema,
});
export const selectOptionsSchema = z.strictObject({
  n: z.int().min(1).max(64).default(1),
  exclude: z.array(z.unknown()).max(10_000).default([]),
  besides: z.array(z.unknown()).max(10_000).default([]),
  similarity: callable<(a: PlatformRef, b: PlatformRef) => number>().optional(),
  random: callable<() => number>().optional(),
});

/** Filter of `entries` and `mutations`. A name that is unknown is refused: a filter with a typing error would list everything. */
export const taskFilterSchema = z.strictObject({ taskType: taskType.optional() });
/** Arguments of `entry`. */
export const entryQuerySchema = z.strictObject({ taskType, platform: platformSchema });
/** Query of `decisions`. */
export const decisionsQuerySchema = z.strictObject({
  taskType: taskType.optional(),
  limit: z.int().min(1).max(1_000).default(50),
  cursor: z.string().optional(),
});

const threshold = z.number().min(0.1).max(0.9);
const positiveInt = z.int().min(1);
/** Name and logical time of agents. */
export const clockSchema = z.record(id, z.int().min(0));
/** A proposal as another agent or an operator hands it over, and as it is stored. */
export const proposalSchema = z.object({
  newThresholds: z.record(taskType, threshold).default({}),
  extendedMutations: z
    .object({
      TIMEOUT_CONFIGURATION: z
        .object({ timeoutMs: positiveInt.optional(), byTaskType: z.record(taskType, positiveInt).optional() })
        .optional(),
      PARALLELISM_LIMIT: z
        .object({
          platform: positiveInt.optional(),
          global: positiveInt.optional(),
          byPlatform: z.record(z.string(), positiveInt).optional(),
        })
        .optional(),
      COST_BUDGET: z
        .object({
          paidMsat: msat.optional(),
          experimentsMsat: msat.optional(),
          lowPriorityMsat: msat.optional(),
          reserveMsat: msat.optional(),
          rolloverMsat: msat.optional(),
        })
        .optional(),
      MODEL_PREFERENCE: z
        .object({ roles: z.record(z.string(), z.string()), fallbackChain: z.array(z.string()) })
        .optional(),
    })
    .default({}),
  confidence: unit.default(1),
  rationale: z.string().max(4_096).default(''),
  recommendedAction: z.enum(['AUTO_MERGE', 'REVIEW', 'ALERT']).default('REVIEW'),
  suspend: z.array(taskType).default([]),
  clock: clockSchema.default({}),
});

/** A proposal with every member. */
export const wholeProposalSchema = z.object({
  newThresholds: proposalSchema.shape.newThresholds.unwrap(),
  extendedMutations: proposalSchema.shape.extendedMutations.unwrap(),
  confidence: unit,
  rationale: z.string(),
  recommendedAction: proposalSchema.shape.recommendedAction.unwrap(),
  suspend: z.array(taskType),
  clock: clockSchema,
});

/** Input of `rollbackThresholds`. A misspelt task type would restore all. */
export const rollbackSchema = z.strictObject({ at, taskType: measured(taskType) });

/**
 * Validates an argument.
 *
 * @throws RoutingError `INVALID_INPUT`, naming the field.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  what: string,
): z.output<Schema> {
  return parseOrThrow(
    schema,
    input,
    what,
    (message, options) => new RoutingError('INVALID_INPUT', message, options),
  );
}

/**
 * Validates the options of a `create…` function.
 *
 * @throws RoutingError `INVALID_CONFIG`, naming the field.
 */
export function parseOptions<Schema extends z.ZodType>(
  schema: Schema,
  options: unknown,
  what: string,
): z.output<Schema> {
  return parseOrThrow(
    schema,
    options,
    what,
    (message, cause) => new RoutingError('INVALID_CONFIG', message, cause),
  );
}

/**
 * Returns a function whose arguments are validated. The matrix itself calls the given function, with values that it has validated.
 *
 * @throws RoutingError `INVALID_INPUT`, naming the argument.
 */
export const checked = <Arguments extends readonly unknown[], Result>(
  run: (...given: Arguments) => Result,
  what: string,
  schemas: Readonly<Record<string, z.ZodType>>,
) =>
  withParsedArguments(
    run,
    what,
    schemas,
    (message, options) => new RoutingError('INVALID_INPUT', message, options),
  );

const platformsSchema = listOf(z.unknown());

/**
 * Returns the platforms of a list with the number of items that cannot be platforms: one of them must not stop the rest.
 *
 * @throws RoutingError `INVALID_INPUT` for a value that is not iterable.
 */
export function platformsOf(
  given: Iterable<unknown>,
  what: string,
): { readonly platforms: readonly PlatformRef[]; readonly ignored: number } {
  const platforms: PlatformRef[] = [];
  let ignored = 0;
  for (const item of parseInput(platformsSchema, given, what)) {
    const platform = platformOrNull(item);
    if (platform === null) ignored += 1;
    else platforms.push(platform);
  }
  return { platforms, ignored };
}

function platformOrNull(item: unknown): PlatformRef | null {
  try {
    return platformSchema.safeParse(item).data ?? null;
  } catch {
    // A getter or a proxy of the host.
    return null;
  }
}
