import * as z from 'zod';
import { beliefNameSchema, beliefSchema } from '../beliefs/beliefs.ts';
import { commitmentSchema } from '../commitments/commitments.ts';
import { directiveSchema } from '../directives/directive.ts';
import type { PeerFacts } from '../facts/facts.ts';
import { trustGuards } from '../guards/gate.ts';
import { dropReasons, itemKinds } from './dropped-item.ts';

const time = z.number().nullable();

/** Input of the gate besides the proposal. */
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

const guards = z.union([z.enum(['all', 'clamp']), z.array(z.enum(trustGuards))]);

/** Input of a replay besides the answer: facts, beliefs and settings at the time of the cycle. */
const replaySchema = z.object({
  /** The peers of the input, without their texts. */
  peers: z.array(z.custom<PeerFacts>((value) => typeof value === 'object' && value !== null)),
  /** The directives and commitments that were added. */
  directives: z
    .array(directiveSchema.pick({ id: true, peerId: true, kind: true, params: true, suggestion: true }))
    .default([]),
  commitments: z
    .array(commitmentSchema.pick({ id: true, peerId: true, what: true, dueAt: true }))
    .default([]),
  beliefs: z.array(beliefSchema),
  vetoed: z.array(beliefNameSchema),
  /** Time at which the beliefs were applied. */
  now: z.number(),
  config: z.object({
    maxTrustDelta: z.number(),
    guards,
    cooldownMs: z.number(),
    dailyRise: z.array(z.object({ from: z.number(), max: z.number() })),
    maxBeliefs: z.number(),
    beliefTtlMs: z.number(),
  }),
});

/** Schema of the record of one cycle. */
export const cycleRecordSchema = z.object({
  cycle: z.number().int(),
  status: z.enum(['applied', 'failed']),
  /** Cause of a failed cycle, which applied nothing of the answer. */
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** The first of `triggers`. */
  trigger: z.string(),
  triggers: z.array(z.string()),
  /** `triage`: a cheap look found nothing that is worth a reflection. */
  depth: z.enum(['triage', 'deep']),
  startedAt: z.number(),
  durationMs: z.number(),
  promptVersion: z.string(),
  /** SHA-256 of instructions and input in hex; null when the cycle failed before they existed. */
  inputDigest: z.string().nullable(),
  /** The raw answer, truncated at 20,000 characters; null without one. */
  output: z.string().nullable(),
  /** Length of the raw answer before truncation. */
  outputLength: z.number(),
  /** The reason that the provider gave for the end of the answer. */
  finishReason: z.string().nullable(),
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
  /** Ids of the directives that it issued. */
  directives: z.array(z.string()),
  /** Ids of the commitments that it noted. */
  commitments: z.array(z.string()).default([]),
  lessons: z.array(z.string()),
  /** Agreement with the soul text; `drift` is the difference from the mean of the cycles before. */
  soul: z
    .object({ score: z.number(), reasons: z.array(z.string()), drift: z.number().nullable() })
    .nullable(),
  dropped: z.array(droppedItemSchema),
  summary: z.string(),
  cost: z.object({
    /** Calls of the reflector. */
    calls: z.number(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    /** True for our estimate, when the reflector reported no token counts. */
    estimated: z.boolean(),
    /** In the currency of the configured prices. */
    money: z.number(),
  }),
  replay: replaySchema,
  /** Time at which the operator reverted the cycle; null otherwise. */
  revertedAt: time,
});

/** The record of one cycle: triggers, answer, applied and dropped items, changes and cost. */
export type CycleRecord = Readonly<z.output<typeof cycleRecordSchema>>;

/** One assessment that a cycle wrote, with the gate's inputs. */
export type AppliedAssessment = CycleRecord['assessments'][number];

/** Largest length of a kept answer. */
export const maxOutputLength = 20_000;
