import * as z from 'zod';

/** One proposed assessment. `peerId` is a full id or an unambiguous short id of this cycle's input. */
export const assessmentItemSchema = z.object({
  peerId: z.string().min(1).describe('Id of the peer as the input shows it'),
  trust: z.int().min(-10).max(10).describe('-10 proven bad actor, 0 no basis, +10 always delivers'),
  rationale: z.string().trim().min(1).describe('What was requested, delivered, promised, kept; cite numbers'),
  evidence: z
    .array(z.union([z.string(), z.number()]))
    .optional()
    .describe('Numbers of the interactions that it rests on'),
});

/** One proposed belief. */
export const beliefItemSchema = z.object({
  key: z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/u, 'must be kebab-case'),
  value: z.string().trim().min(1),
  rationale: z.string().trim().min(1),
  peerId: z.string().min(1).nullish(),
  revises: z.string().nullish().describe('Key of the belief that this one replaces'),
});

/** Schema of the answer that a reflector is asked for. */
export const reflectionOutputSchema = z.object({
  assessments: z.array(assessmentItemSchema),
  beliefs: z.array(beliefItemSchema),
  summary: z.string(),
});

/**
 * Schema of an answer as it is parsed: the frame must be valid; items are validated one by one, so that an invalid
 * item does not discard valid ones.
 */
export const reflectionFrameSchema = z.object({
  assessments: z.array(z.unknown()).default([]),
  beliefs: z.array(z.unknown()).default([]),
  directives: z.array(z.unknown()).default([]),
  summary: z.string().default(''),
});

/** The frame of an answer, its items unchecked. */
export type ReflectionFrame = z.output<typeof reflectionFrameSchema>;
