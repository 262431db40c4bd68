import * as z from 'zod';
import type { JobSpec, RequestJobOptions } from './client/client-options.ts';
import type { Judgment } from './client/receipts.ts';
import { publicKeySchema } from './codec/public-key.ts';
import { JOB_STATES } from './job.ts';
import { callable, readInput, signal } from './option-schemas.ts';
import type { JobQuery } from './store.ts';

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
  return readInput(querySchema, query, 'query') as JobQuery;
}

const periodSchema = z.strictObject({ before: z.number().min(0) });

/** Reads the options of `prune`. Throws `INVALID_INPUT`. */
export function readPrunePeriod(period: { readonly before: number }): { readonly before: number } {
  return readInput(periodSchema, period, 'options');
}

const limitSchema = z.strictObject({ maxMsat: z.int().min(0).optional() });

/** Reads the options of `pay`. Throws `INVALID_INPUT`: a limit that is not a number would limit nothing. */
export function readPaymentLimit(options: { readonly maxMsat?: number }): number | undefined {
  return readInput(limitSchema, options, 'options').maxMsat;
}

const judgmentSchema = z.strictObject({
  outcome: z.enum(['success', 'partial', 'failure', 'timeout', 'violation']),
  difficulty: z.number().optional(),
  evidence: z.string().optional(),
});

/** Reads the judgment of a job. Throws `INVALID_INPUT`. */
export function readJudgment(judgment: Judgment): Judgment {
  return readInput(judgmentSchema, judgment, 'judgment') as Judgment;
}

const textSchema = z.string();

/** Reads the id of a job, or a key under which one was requested. Throws `INVALID_INPUT` for a value that is no text. */
export function readName(name: string, what: 'jobId' | 'idempotencyKey'): string {
  return readInput(textSchema, name, what);
}

/** Reads the public key of a provider. Throws `INVALID_INPUT`. */
export function readProvider(provider: string): string {
  return readInput(publicKeySchema, provider, 'provider');
}

const requestSchema = z.strictObject({
  idempotencyKey: z.string().optional(),
  providerRelays: z.array(z.string()).optional(),
  accept: callable.optional(),
  signal: signal.optional(),
});
/** The codec checks the other fields. Without relays, those of the client are used. */
const specSchema = z.looseObject({ relays: z.array(z.string()).optional() });

/** Reads the arguments of `requestJob`, and returns the options. Throws `INVALID_INPUT`. */
export function readRequest(spec: JobSpec, options: RequestJobOptions): RequestJobOptions {
  readInput(specSchema, spec, 'spec');
  readInput(requestSchema, options, 'options');
  return options;
}
