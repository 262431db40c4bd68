import { parseOrThrow } from '@bonafide/internal';
import * as z from 'zod';
import { RoutingError } from '../errors.ts';
import type { MutationProposal } from '../mutation/proposal.ts';
import type { AlertRecord, RoutingRecord } from '../records.ts';
import {
  at,
  directiveActionSchema,
  directiveSourceSchema,
  durationMs,
  exclusionReasonSchema,
  featuresSchema,
  id,
  measured,
  measurementsSchema,
  msat,
  outcomeSchema,
  platformSchema,
  proposalSchema,
  taskType,
  text,
  tierSchema,
  unit,
} from '../schemas.ts';
import { scaleSchema } from '../scoring/criteria.ts';
import type { JsonValue, LogRecord } from '../store.ts';
import { storedCandidates, withoutRows } from './candidate-rows.ts';
import { readUsualRecord } from './usual-records.ts';

const criterion = z.object({ raw: z.number().nullable(), value: z.number(), contribution: z.number() });
const common = { id, at };

// Fields that a later version adds are ignored, and what this version knows is checked.
export const recordSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('platform'),
    ...common,
    taskType: z.null(),
    platform: platformSchema,
    name: z.string().nullable(),
    taskTypes: z.array(taskType),
    priceMsat: msat.nullable(),
    version: measured(text(64)),
  }),
  z.object({
    kind: z.literal('benchmark'),
    ...common,
    taskType,
    platform: platformSchema,
    attemptId: id,
    outcome: outcomeSchema,
    smokeFailed: z.boolean(),
    measurements: measurementsSchema,
  }),
  z.object({
    kind: z.literal('outcome'),
    ...common,
    taskType,
    platform: platformSchema,
    jobId: id,
    outcome: outcomeSchema,
    valueMsat: msat.nullable(),
    measurements: measurementsSchema,
  }),
  z.object({
    kind: z.literal('directive'),
    ...common,
    taskType: taskType.nullable(),
    platform: platformSchema,
    action: directiveActionSchema,
    untilAt: at.nullable(),
    source: directiveSourceSchema,
    violation: z.boolean().default(false),
    reason: z.string(),
  }),
  z.object({
    kind: z.literal('decision'),
    ...common,
    taskType,
    jobId: id.nullable(),
    session: id.nullable().default(null),
    ...featuresSchema,
    strategy: z.string(),
    strategyVersion: z.string().default('1'),
    degraded: z.boolean().default(false),
    wanted: z.int().min(1),
    picks: z.array(
      z.object({
        platform: platformSchema,
        platformId: z.string(),
        name: z.string().nullable(),
        tier: tierSchema,
        trust: z.number(),
        probability: unit,
        reason: z.string(),
      }),
    ),
    candidates: z.array(
      z.object({
        platformId: z.string(),
        tier: tierSchema,
        trust: z.number(),
        score: z.number(),
        priceMsat: measured(durationMs),
        latencyMs: measured(durationMs),
        inFlight: z.int().min(0).default(0),
        ageMs: durationMs.default(0),
        probability: unit,
        criteria: z.object({
          trust: criterion,
          cost: criterion,
          latency: criterion,
          load: criterion,
          exploration: criterion,
        }),
      }),
    ),
    candidateCount: z.int().min(0),
    scale: scaleSchema.optional(),
    shortlisted: z.int().min(0).nullable().default(null),
    excluded: z.array(
      z.object({
        platformId: z.string(),
        reason: exclusionReasonSchema,
      }),
    ),
    excludedCount: z.int().min(0),
  }),
  z.object({
    kind: z.literal('budget'),
    ...common,
    taskType: taskType.nullable(),
    dailyMsat: msat.nullable(),
    monthlyMsat: msat.nullable(),
    rollover: unit,
    flexible: z.boolean(),
  }),
  z.object({
    kind: z.literal('reservation'),
    ...common,
    taskType,
    reservationId: id,
    jobId: id.nullable(),
    amountMsat: msat,
  }),
  z.object({ kind: z.literal('settlement'), ...common, taskType, reservationId: id, paidMsat: msat }),
  z.object({
    kind: z.literal('mutation'),
    ...common,
    taskType: z.null(),
    source: z.enum(['operator', 'agent', 'extended', 'rollback']),
    // An absent variable and one that is `undefined` mean the same here.
    proposal: proposalSchema as unknown as z.ZodType<MutationProposal>,
  }),
  z.object({ kind: z.literal('base'), ...common, taskType: z.null(), snapshot: z.string() }),
  z.object({
    kind: z.literal('alert'),
    ...common,
    taskType: taskType.nullable(),
    key: z.string(),
    raised: z.boolean(),
    alert: z.custom<AlertRecord['alert']>((given) => typeof given === 'object' && given !== null),
  }),
]) satisfies z.ZodType<RoutingRecord>;

/** Splits a record into the columns of the log and its body. */
export function encodeRecord(record: RoutingRecord): LogRecord {
  const { id: recordId, kind, at: recordAt, taskType: task, ...members } = record;
  const data = record.kind === 'decision' ? { ...members, candidates: storedCandidates(record) } : members;
  // Records contain JSON only; interfaces without index signatures need the cast.
  const json = data as unknown as { readonly [key: string]: JsonValue };
  return { id: recordId, kind, at: recordAt, taskType: task, data: json };
}

/**
 * Parses a record of the log.
 *
 * @throws RoutingError `LOG_CORRUPT`
 */
export function decodeRecord(stored: LogRecord): RoutingRecord {
  return readUsualRecord(stored) ?? validateRecord(stored);
}

/**
 * Parses a record of the log by the schema alone, which takes longer.
 *
 * @throws RoutingError `LOG_CORRUPT`
 */
export function validateRecord(stored: LogRecord): RoutingRecord {
  const { id: recordId, kind, at: recordAt, taskType: task } = stored;
  const data = kind === 'decision' ? withoutRows(stored.data) : stored.data;
  const given = { ...data, id: recordId, kind, at: recordAt, taskType: task };
  return parseOrThrow(recordSchema, given, '', (message, options) => {
    const remedy = 'Restore the log from a backup, or use the version that wrote it.';
    return new RoutingError(
      'LOG_CORRUPT',
      `Invalid record '${recordId}' in the routing log: ${message} ${remedy}`,
      options,
    );
  });
}
