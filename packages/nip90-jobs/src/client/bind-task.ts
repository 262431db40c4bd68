import * as z from 'zod';
import type { JobInputSpec } from '../codec/index.ts';
import { isRequestKind } from '../codec/index.ts';
import { publicKeySchema } from '../codec/public-key.ts';
import { readInput } from '../option-schemas.ts';
import type { JobSpec } from './client-options.ts';

/** A piece of work as an agent thinks of it, before it is a job on the wire. */
export interface Task {
  /** 5000–5999. */
  readonly kind: number;
  /** Public key of the provider: 64 hex digits or an npub; null for an open job. */
  readonly provider?: string | null;
  /** The work. Values other than text are written as JSON. */
  readonly payload: string | object | readonly JobInputSpec[];
  /** Wanted properties of the result: `{ style: 'brief', 'min-length': 200 }`. */
  readonly quality?: Readonly<Record<string, string | number>>;
  /** By when: at a time (ms since epoch), or so long after it is begun. */
  readonly deadline?: { readonly at: number } | { readonly withinMs: number };
  /** Maximum cost, including fees and price changes. */
  readonly budget?: {
    readonly amount: number;
    /**
     * Value of one unit of the amount in millisatoshi: 1 for millisatoshi, 1000 for satoshi, an exchange rate
     * otherwise.
     */
    readonly msatPerUnit: number;
    /** Share that is kept back and not bid, 0…1. @default 0.1 */
    readonly buffer?: number;
  };
  /** Encrypts the task for the provider (NIP-44). */
  readonly isPrivate?: boolean;
  readonly output?: string;
}

const taskSchema = z.strictObject({
  kind: z.int().refine(isRequestKind, 'must be between 5000 and 5999'),
  provider: publicKeySchema.nullish(),
  payload: z.union(
    [z.string(), z.custom<object>((given) => typeof given === 'object' && isJson(given))],
    'must be a text or an object that JSON can hold',
  ),
  isPrivate: z.boolean().optional(),
  output: z.string().min(1).optional(),
  deadline: z
    .union([
      z.strictObject({ at: z.number().positive() }),
      z.strictObject({ withinMs: z.number().positive() }),
    ])
    .optional(),
  budget: z
    .strictObject({
      amount: z.number().nonnegative(),
      msatPerUnit: z.number().positive(),
      buffer: z.number().min(0).max(1).default(0.1),
    })
    .optional(),
  quality: z.record(z.string().min(1), z.union([z.string(), z.number()])).optional(),
});

function isJson(given: unknown): boolean {
  try {
    return given !== null && JSON.stringify(given) !== undefined;
  } catch {
    // A bigint, a ring, or a getter that throws.
    return false;
  }
}

/**
 * Writes a task as a job: payload as inputs, quality as parameters, the deadline as the parameter `deadline` (Unix
 * seconds) or `time-limit` (seconds), the budget less its buffer as the bid, privacy as encryption. Whether an input goes
 * inline, as content or by reference is decided by its size when the job is asked for. Pure.
 *
 * @throws {JobError} `INVALID_INPUT`
 */
export function bindTask(task: Task): JobSpec {
  const { deadline, budget, quality = {} } = readInput(taskSchema, task, 'task');
  const { kind, provider = null, payload, isPrivate = false, output } = task;
  const limit =
    deadline === undefined
      ? {}
      : 'at' in deadline
        ? { deadline: Math.floor(deadline.at / 1000) }
        : { 'time-limit': Math.ceil(deadline.withinMs / 1000) };
  return {
    kind,
    provider,
    inputs: inputsOf(payload),
    params: { ...quality, ...limit },
    ...(budget ? { bidMsat: Math.floor(budget.amount * budget.msatPerUnit * (1 - budget.buffer)) } : {}),
    ...(output === undefined ? {} : { output }),
    ...(isPrivate ? { encrypted: true } : {}),
  };
}

function inputsOf(payload: Task['payload']): readonly JobInputSpec[] {
  if (typeof payload === 'string') return [{ data: payload }];
  const isInputs = (value: object): value is readonly JobInputSpec[] =>
    Array.isArray(value) && value.length > 0 && value.every((one) => typeof one?.data === 'string');
  return isInputs(payload) ? payload : [{ data: JSON.stringify(payload), type: 'json' }];
}

/** Settings of a benchmark run. A new meaning gets a new key, such as `benchmark-type-v2`. */
export interface BenchmarkSpec {
  /** @default 'standard' */
  readonly type?: 'standard' | 'stress' | 'correctness';
  /** @default 300 */
  readonly timeLimitSeconds?: number;
  /** @default 512 */
  readonly memoryLimitMb?: number;
  /** @default 5 */
  readonly iterations?: number;
  readonly language?: string;
}

/** Default bid for a benchmark, in millisatoshi. */
export const DEFAULT_BENCHMARK_BID_MSAT = 1_000;

const count = z.int().positive();
const benchmarkSchema = z.strictObject({
  type: z.enum(['standard', 'stress', 'correctness']).default('standard'),
  timeLimitSeconds: z.number().positive().default(300),
  memoryLimitMb: count.default(512),
  iterations: count.default(5),
  language: z.string().min(1).optional(),
});

/**
 * The parameters of a benchmark job. Its inputs are marked `benchmark_spec`, `test_data` and `reference_impl`.
 *
 * @throws {JobError} `INVALID_INPUT`
 */
export function benchmarkParams(spec: BenchmarkSpec = {}): Readonly<Record<string, string | number>> {
  const { type, timeLimitSeconds, memoryLimitMb, iterations, language } = readInput(
    benchmarkSchema,
    spec,
    'spec',
  );
  return {
    'benchmark-type': type,
    'time-limit': timeLimitSeconds,
    'memory-limit': memoryLimitMb,
    iterations,
    ...(language === undefined ? {} : { language }),
  };
}
