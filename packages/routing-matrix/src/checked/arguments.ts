import * as z from 'zod';
import { configSchema, type RoutingConfig } from '../config.ts';
import type { BenchmarkVerdict } from '../evidence/composite.ts';
import type { Lifecycle, LifecycleConfig } from '../lifecycle/stage.ts';
import { recordSchema } from '../log/record-codec.ts';
import type { RoutingRecord } from '../records.ts';
import { benchmarkVerdictSchema, parseInput } from '../schemas.ts';
import { isState, type MatrixState } from '../state/state.ts';

/** A number that is not NaN, for example a time. */
export const finite = z.number();
export const verdict: z.ZodType<BenchmarkVerdict> = benchmarkVerdictSchema;
export const config: z.ZodType<RoutingConfig> = configSchema;
export const lifecycleConfig: z.ZodType<LifecycleConfig> = configSchema.shape.lifecycle.unwrap();

const signal = z.enum(['success-rate', 'latency', 'timeouts', 'cusum', 'severe']);
export const lifecycle: z.ZodType<Lifecycle> = z.object({
  stage: z.enum(['normal', 'warning', 'reduced', 'suspended', 'half-open', 'removed']),
  sinceAt: finite,
  reason: z.string(),
  signals: z.array(signal),
  lastSignalAt: finite,
  lastSuccessAt: finite,
  untilAt: finite.nullable(),
  suspensions: z.int().min(0),
  ramp: z.int().min(0),
});
export const lifecycleEvent = z.object({
  at: finite,
  kind: z.enum(['outcome', 'benchmark']),
  success: z.boolean(),
  signals: z.array(signal),
  maySuspend: z.custom<() => boolean>((given) => typeof given === 'function', 'Expected a function'),
});

export const state = z.custom<MatrixState>(isState, 'Expected the state that `replay` returned, not a copy');

export const record = recordSchema as unknown as z.ZodType<RoutingRecord>;

/** A list or a generator of records, which are validated while they are read. */
export const records = z
  .custom<Iterable<unknown>>(
    (given) => typeof given === 'object' && given !== null && Symbol.iterator in given,
    'Expected a list of records',
  )
  .transform(validRecords);

function* validRecords(given: Iterable<unknown>): Generator<RoutingRecord> {
  let place = 0;
  for (const each of given) yield parseInput(record, each, `records.${place++}`);
}
