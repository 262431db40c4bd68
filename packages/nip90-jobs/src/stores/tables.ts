import type { NostrEvent } from '@bonafide/nostr-transport';
import type { ColumnType, Selectable } from 'kysely';
import * as z from 'zod';
import { readEvent } from '../codec/event.ts';
import { JobError } from '../errors.ts';
import { JOB_STATES, type Job } from '../job.ts';
import { PAYMENT_STATUSES } from '../payment/payment-store.ts';

/** BIGINT, which Postgres returns as text. */
type Big = ColumnType<number | string, number, number>;
type BigOrNull = ColumnType<number | string | null, number | null, number | null>;

export interface RequestTable {
  agent_id: string;
  job_id: string;
  request_key: string | null;
  fingerprint: string;
  kind: number;
  provider: string | null;
  request: string;
  relays: string;
  provider_relays: string;
  state: string;
  revision: number;
  holder: string | null;
  attempts: number;
  delivered_to: string;
  built_at: Big;
  delivered_at: BigOrNull;
  paid_at: BigOrNull;
  heard_at: BigOrNull;
  feedback_count: number;
  extensions: number;
  success_at: BigOrNull;
  ended_at: BigOrNull;
  result_event: string | null;
  result_content: string | null;
  matched_by: string | null;
  recovered: number;
  failure_reason: string | null;
  failure_detail: string | null;
  timeout_class: string | null;
  message: string;
}

interface TransitionTable {
  job_id: string;
  sequence: number;
  from_state: string;
  to_state: string;
  at: Big;
  event_id: string | null;
}

interface FeedbackTable {
  job_id: string;
  event_id: string;
  sequence: number;
  received_at: Big;
  event: string;
}

export interface ProvidedTable {
  agent_id: string;
  request_id: string;
  customer: string;
  kind: number;
  request: string;
  received_at: Big;
  revision: number;
  holder: string | null;
  attempts: number;
  charge: string | null;
  paid_at: BigOrNull;
  unpaid_at: BigOrNull;
  answer: string | null;
  answer_kind: number | null;
  answered_at: BigOrNull;
  published_at: BigOrNull;
  dropped_at: BigOrNull;
  refunded_at: BigOrNull;
  partial_at: BigOrNull;
  receipt: string | null;
}

export interface PaymentTable {
  agent_id: string;
  payment_hash: string;
  job_id: string;
  provider: string;
  method: string;
  bolt11: string;
  amount_msat: Big;
  fee_reserve_msat: Big;
  fees_msat: Big;
  status: string;
  revision: number;
  holder: string;
  held_at: Big;
  expires_at: Big;
  ended_at: BigOrNull;
  preimage: string | null;
  message: string;
}

interface LeaseTable {
  holder: string;
  expires_at: Big;
}

interface WatermarkTable {
  agent_id: string;
  source: string;
  seconds: Big;
}

/** Options of the stores in a database. */
export interface KyselyJobsOptions {
  /**
   * Owner of the rows. Several agents may share a database; none reads, pays or answers the jobs of another.
   * @default 'default'
   */
  readonly agentId?: string;
}

/** The tables of this package. */
export interface JobsDatabase {
  jobs_requests: RequestTable;
  jobs_transitions: TransitionTable;
  jobs_feedback: FeedbackTable;
  jobs_provided: ProvidedTable;
  jobs_payments: PaymentTable;
  jobs_watermarks: WatermarkTable;
  jobs_leases: LeaseTable;
}

const number = z.coerce.number().pipe(z.int());
// `z.coerce` would make 0 of null.
const numberOrNull = z.union([z.null(), number]);
const strings = z.string().transform((text) => z.array(z.string()).parse(JSON.parse(text)));
const jsonText = z.string().transform((text): unknown => JSON.parse(text));
const eventText = z.string().transform(parseEvent);

const requestRow = z.object({
  job_id: z.string(),
  request_key: z.string().nullable(),
  fingerprint: z.string(),
  kind: number,
  provider: z.string().nullable(),
  request: eventText,
  relays: strings,
  provider_relays: strings,
  state: z.enum(JOB_STATES),
  revision: number,
  holder: z.string().nullable(),
  attempts: number,
  delivered_to: strings,
  built_at: number,
  delivered_at: numberOrNull,
  paid_at: numberOrNull,
  heard_at: numberOrNull,
  feedback_count: number,
  extensions: number,
  success_at: numberOrNull,
  ended_at: numberOrNull,
  result_event: eventText.nullable(),
  result_content: jsonText.pipe(z.string()).nullable(),
  matched_by: z.enum(['request-id', 'content', 'window']).nullable(),
  recovered: number,
  failure_reason: z.enum(['provider-error', 'payment-declined']).nullable(),
  failure_detail: z.enum(['result-too-large']).nullable(),
  timeout_class: z.enum(['delivery', 'silence', 'processing', 'result']).nullable(),
  message: z.string(),
});

export const transitionRow = z.object({
  job_id: z.string(),
  sequence: number,
  from_state: z.enum(JOB_STATES),
  to_state: z.enum(JOB_STATES),
  at: number,
  event_id: z.string().nullable(),
});

export const feedbackRow = z.object({
  job_id: z.string(),
  event_id: z.string(),
  received_at: number,
  event: eventText,
});

export const providedRow = z.object({
  request_id: z.string(),
  customer: z.string(),
  kind: number,
  request: eventText,
  received_at: number,
  revision: number,
  holder: z.string().nullable(),
  attempts: number,
  charge: jsonText
    .pipe(z.object({ amountMsat: z.int(), bolt11: z.string(), paymentHash: z.string(), expiresAt: z.int() }))
    .nullable(),
  paid_at: numberOrNull,
  unpaid_at: numberOrNull,
  answer: eventText.nullable(),
  answered_at: numberOrNull,
  published_at: numberOrNull,
  dropped_at: numberOrNull,
  refunded_at: numberOrNull,
  partial_at: numberOrNull,
  receipt: eventText.nullable(),
});

export const paymentRow = z.object({
  payment_hash: z.string(),
  job_id: z.string(),
  provider: z.string(),
  method: z.string(),
  bolt11: z.string(),
  amount_msat: number,
  fee_reserve_msat: number,
  fees_msat: number,
  status: z.enum(PAYMENT_STATUSES),
  revision: number,
  holder: z.string(),
  held_at: number,
  expires_at: number,
  ended_at: numberOrNull,
  preimage: z.string().nullable(),
  message: z.string(),
});

/** Parses a row; throws `STORE_FAILED` for a row that this version does not write. */
export function readRow<Value>(schema: z.ZodType<Value>, row: unknown): Value {
  try {
    return schema.parse(row);
  } catch (error) {
    throw new JobError(
      'STORE_FAILED',
      'A row of the jobs tables cannot be read. Restore the database from a backup.',
      {
        cause: error,
      },
    );
  }
}

function parseEvent(text: string): NostrEvent {
  const read = readEvent(JSON.parse(text));
  if (!read.ok) throw new Error(read.message);
  return read.event;
}

/** Converts a job to a row. */
export function rowOfJob(job: Job) {
  return {
    job_id: job.jobId,
    request_key: job.idempotencyKey,
    fingerprint: job.fingerprint,
    kind: job.kind,
    provider: job.provider,
    request: JSON.stringify(job.request),
    relays: JSON.stringify(job.relays),
    provider_relays: JSON.stringify(job.providerRelays),
    state: job.state,
    revision: job.revision,
    holder: job.holder,
    attempts: job.attempts,
    delivered_to: JSON.stringify(job.deliveredTo),
    built_at: job.builtAt,
    delivered_at: job.deliveredAt,
    paid_at: job.paidAt,
    heard_at: job.heardAt,
    feedback_count: job.feedbackCount,
    extensions: job.extensions,
    success_at: job.successAt,
    ended_at: job.endedAt,
    result_event: job.resultEvent && JSON.stringify(job.resultEvent),
    // As JSON, since Postgres takes no NUL in a text.
    result_content: job.resultContent === null ? null : JSON.stringify(job.resultContent),
    matched_by: job.matchedBy,
    recovered: job.recovered ? 1 : 0,
    // The column allows the first two reasons only; later ones are a detail of the first.
    failure_reason: job.failureReason === 'result-too-large' ? 'provider-error' : job.failureReason,
    failure_detail: job.failureReason === 'result-too-large' ? job.failureReason : null,
    timeout_class: job.timeoutClass,
    message: job.message,
  };
}

/** Converts a row to a job. */
export function jobOfRow(row: Selectable<RequestTable>): Job {
  const read = readRow(requestRow, row);
  return {
    jobId: read.job_id,
    idempotencyKey: read.request_key,
    fingerprint: read.fingerprint,
    kind: read.kind,
    provider: read.provider,
    request: read.request,
    relays: read.relays,
    providerRelays: read.provider_relays,
    state: read.state,
    revision: read.revision,
    holder: read.holder,
    attempts: read.attempts,
    deliveredTo: read.delivered_to,
    builtAt: read.built_at,
    deliveredAt: read.delivered_at,
    paidAt: read.paid_at,
    heardAt: read.heard_at,
    feedbackCount: read.feedback_count,
    extensions: read.extensions,
    successAt: read.success_at,
    endedAt: read.ended_at,
    resultEvent: read.result_event,
    resultContent: read.result_content,
    matchedBy: read.matched_by,
    recovered: read.recovered === 1,
    failureReason: read.failure_detail ?? read.failure_reason,
    timeoutClass: read.timeout_class,
    message: read.message,
  };
}
