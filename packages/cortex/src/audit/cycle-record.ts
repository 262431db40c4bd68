import * as z from 'zod';
import { trustGuards } from '../guards/gate.ts';
import { dropReasons, itemKinds } from './dropped-item.ts';

const time = z.number().nullable();

const gateSchema = z.object({
  history: z.object({
    base: z.number().nullable(),
    changedAt: time,
    risen: z.number(),
    roseAboveAt: time,
    fellBelowAt: time,
    hasNews: z.boolean(),
    roseOnSameFacts: z.boolean(),
    fellOnSameFacts: z.boolean(),
  }),
  facts: z.object({
    center: z.number(),
    operatorTrust: z.number().nullable(),
    inherited: z.number().nullable(),
    settledAt: time,
    lastSuccessAt: time,
    lastFailureAt: time,
    alarmAt: time,
    violation: z.boolean(),
  }),
});

const appliedAssessmentSchema = z.object({
  peerId: z.string(),
  assessmentId: z.string(),
  /** Trust that the reflector proposed. */
  proposed: z.number(),
  /** Trust that was written. */
  trust: z.number(),
  /** `facts`: the reflector said nothing, and the facts alone demanded the change. */
  by: z.enum(['reflector', 'facts']),
  base: z.number().nullable(),
  /** Input of the gate besides the proposal. */
  infoScore: z.number(),
  now: z.number(),
  gate: gateSchema,
  /** Guards that limited the proposal. */
  guards: z.array(z.enum(trustGuards)),
  rationale: z.string(),
  evidence: z.array(z.string()),
});

const droppedItemSchema = z.object({
  kind: z.enum(itemKinds),
  reason: z.enum(dropReasons),
  message: z.string(),
  item: z.string(),
});

/** Schema of the record of one cycle. */
export const cycleRecordSchema = z.object({
  cycle: z.number().int(),
  status: z.enum(['applied', 'failed']),
  /** Cause of a failed cycle, which applied nothing. */
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** The first of `triggers`. */
  trigger: z.string(),
  triggers: z.array(z.string()),
  startedAt: z.number(),
  durationMs: z.number(),
  promptVersion: z.string(),
  /** SHA-256 of instructions and input in hex; null when the cycle failed before they existed. */
  inputDigest: z.string().nullable(),
  /** The raw answer, truncated at 20,000 characters; null without one. */
  output: z.string().nullable(),
  /** The step that parsed the answer. */
  parse: z.enum(['object', 'json', 'fence', 'repair']).nullable(),
  /** Peers in the input. */
  peers: z.array(z.string()),
  /** Events since the previous cycle, and events dropped by the buffer. */
  events: z.number(),
  eventsDropped: z.number(),
  assessments: z.array(appliedAssessmentSchema),
  /** Keys. */
  beliefs: z.object({
    added: z.array(z.string()),
    reaffirmed: z.array(z.string()),
    revised: z.array(z.string()),
    expired: z.array(z.string()),
    evicted: z.array(z.string()),
  }),
  dropped: z.array(droppedItemSchema),
  summary: z.string(),
  cost: z.object({
    /** Calls of the reflector. */
    calls: z.number(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    /** True for our estimate, when the reflector reported no token counts. */
    estimated: z.boolean(),
  }),
});

/** The record of one cycle: triggers, answer, applied and dropped items, changes and cost. */
export type CycleRecord = Readonly<z.output<typeof cycleRecordSchema>>;

/** One assessment that a cycle wrote, with the gate's inputs. */
export type AppliedAssessment = CycleRecord['assessments'][number];
