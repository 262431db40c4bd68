import * as z from 'zod';

/** One proposed assessment. `peerId` is the handle that the input shows, a full id or an npub. */
export const assessmentItemSchema = z.object({
  peerId: z.string().min(1).describe('Id of the peer as the input shows it'),
  trust: z.int().min(-10).max(10).describe('-10 proven bad actor, 0 no basis, +10 always delivers'),
  rationale: z.string().trim().min(1).describe('What was requested, delivered, promised, kept; cite numbers'),
  evidence: z
    .array(z.union([z.string(), z.number()]))
    .optional()
    .describe('Numbers of the interactions that it rests on'),
});

/** One proposed belief. A key of the closed set needs no value: its text is written from facts. */
export const beliefItemSchema = z.object({
  key: z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/u, 'must be kebab-case'),
  value: z.string().trim().min(1).nullish(),
  rationale: z.string().trim().min(1),
  peerId: z.string().min(1).nullish(),
  revises: z.string().nullish().describe('Key of the belief that this one replaces'),
});

/** One proposed directive: a registered kind with its parameters, or a suggestion for the operator. */
export const directiveItemSchema = z.object({
  peerId: z.string().min(1),
  kind: z.string().max(64).nullish(),
  /** Older name of `kind`. */
  action: z.string().max(64).nullish(),
  params: z.record(z.string(), z.unknown()).nullish(),
  suggestion: z.string().trim().min(1).nullish(),
});

/** A commitment that the reflector found. It can cause a reflection, but never counts against the peer. */
export const commitmentItemSchema = z.object({
  peerId: z.string().min(1),
  what: z.string().trim().min(1),
  dueAt: z.union([z.number(), z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))]),
});

/** Agreement of the agent's behavior with its soul text, 0…1, with reasons. */
export const soulAlignmentSchema = z.object({
  score: z.number().min(0).max(1),
  reasons: z.array(z.string()).default([]),
});

/** Schema of the answer that a reflector is asked for. */
export const reflectionOutputSchema = z.object({
  assessments: z.array(assessmentItemSchema),
  beliefs: z.array(beliefItemSchema),
  directives: z.array(directiveItemSchema).optional(),
  commitments: z.array(commitmentItemSchema).optional(),
  lessons: z.array(z.string()).optional(),
  soulAlignment: soulAlignmentSchema.nullish(),
  summary: z.string(),
});

const items = z.array(z.unknown()).default([]);

/**
 * Schema of an answer as it is parsed: the frame must be valid; items are validated one by one, so that an invalid
 * item does not discard valid ones.
 */
export const reflectionFrameSchema = z.object({
  assessments: items,
  beliefs: items,
  directives: items,
  commitments: items,
  lessons: items,
  soulAlignment: z.unknown().optional(),
  summary: z.string().default(''),
});

/** The frame of an answer, its items unchecked. */
export type ReflectionFrame = z.output<typeof reflectionFrameSchema>;
