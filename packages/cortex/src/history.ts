import * as z from 'zod';

const trustGuards = ['max_delta', 'ceiling', 'cooldown', 'daily_budget', 'no_new_interactions'] as const;

const appliedAssessmentSchema = z.object({
  peerId: z.string(),
  assessmentId: z.string(),
  /** What the reflector asked for. */
  proposed: z.number(),
  /** What was written. */
  trust: z.number(),
  /** The gate's inputs: newest trust before, infoScore, clock. */
  base: z.number().nullable(),
  infoScore: z.number(),
  now: z.number(),
  /** What held it back. */
  guards: z.array(z.enum(trustGuards)),
  rationale: z.string(),
  evidence: z.array(z.string()),
});

const droppedItemSchema = z.object({
  kind: z.enum(['assessment', 'belief', 'directive']),
  reason: z.enum([
    'invalid',
    'peer_unknown',
    'peer_ambiguous',
    'repeated',
    'evidence_unknown',
    'revision_not_stated',
    'not_supported',
    'write_failed',
    'no_new_interactions',
  ]),
  message: z.string(),
  item: z.string(),
});

/** What one cycle leaves behind (CTX-23). */
export const cycleRecordSchema = z.object({
  cycle: z.number().int(),
  status: z.enum(['applied', 'failed']),
  /** Why it failed; nothing was applied then. */
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** The first of `triggers`. */
  trigger: z.string(),
  triggers: z.array(z.string()),
  startedAt: z.number(),
  durationMs: z.number(),
  promptVersion: z.string(),
  /** SHA-256 of system text and input, hex; null when the cycle failed before it had them. */
  inputDigest: z.string().nullable(),
  /** The raw answer, cut at 20,000 characters; null when none came. */
  output: z.string().nullable(),
  /** How the answer was read. */
  parse: z.enum(['object', 'json', 'fence', 'repair']).nullable(),
  /** Peers in the input. */
  peers: z.array(z.string()),
  /** Events since the cycle before, and those that the bounded buffer had to drop. */
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
    /** True when the reflector did not say, and the numbers are ours. */
    estimated: z.boolean(),
  }),
});

/** What one cycle leaves behind (CTX-23): why it ran, what came out, what was used, changed and refused, what it cost. */
export type CycleRecord = Readonly<z.output<typeof cycleRecordSchema>>;

/** One assessment that a cycle wrote, with the gate's inputs. */
export type AppliedAssessment = CycleRecord['assessments'][number];
