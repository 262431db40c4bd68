import { parseOrThrow } from '@bonafide/internal';
import * as z from 'zod';
import type { Judgment } from './client/receipts.ts';
import { publicKeySchema } from './codec/public-key.ts';
import { JobError } from './errors.ts';
import { JOB_STATES } from './job.ts';
import type { JobQuery } from './store.ts';

const invalid = (message: string, cause: object) => new JobError('INVALID_INPUT', message, cause);

const querySchema = z.strictObject({
  open: z.boolean().optional(),
  state: z.enum(JOB_STATES).optional(),
  provider: publicKeySchema.optional(),
  claimable: z.boolean().optional(),
  notHeldBy: z.string().optional(),
  limit: z.int().min(1).max(500).optional(),
  cursor: z
    .string()
    .nullish()
    .transform((cursor) => cursor ?? undefined),
});

/** Reads the query of a list of jobs. Throws `INVALID_INPUT`, also for a name that does not exist. */
export function readJobQuery(query: JobQuery): JobQuery {
  return parseOrThrow(querySchema, query, 'query', invalid) as JobQuery;
}

const periodSchema = z.strictObject({ before: z.number().min(0) });

/** Reads the options of `prune`. Throws `INVALID_INPUT`. */
export function readPrunePeriod(period: { readonly before: number }): { readonly before: number } {
  return parseOrThrow(periodSchema, period, 'options', invalid);
}

const limitSchema = z.strictObject({ maxMsat: z.int().min(0).optional() });

/** Reads the options of `pay`. Throws `INVALID_INPUT`: a limit that is not a number would limit nothing. */
export function readPaymentLimit(options: { readonly maxMsat?: number }): number | undefined {
  return parseOrThrow(limitSchema, options, 'options', invalid).maxMsat;
}

const judgmentSchema = z.strictObject({
  outcome: z.enum(['success', 'partial', 'failure', 'timeout', 'violation']),
  difficulty: z.number().optional(),
  evidence: z.string().optional(),
});

/** Reads the judgment of a job. Throws `INVALID_INPUT`. */
export function readJudgment(judgment: Judgment): Judgment {
  return parseOrThrow(judgmentSchema, judgment, 'judgment', invalid) as Judgment;
}
