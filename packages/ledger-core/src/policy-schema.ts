import * as z from 'zod';

const bounds = z.strictObject({
  atLeast: z.number().optional(),
  atMost: z.number().optional(),
  above: z.number().optional(),
  below: z.number().optional(),
});

/** Sources of an assessment. */
export const sourceSchema = z.enum(['agent', 'cortex', 'operator']);

/** Shape of a `Policy`. Unknown conditions are refused: a rule without its condition would apply to everybody. */
export const policySchema = z.object({
  rules: z.array(
    z.strictObject({
      rule: z.string().min(1),
      when: z.strictObject({
        trust: bounds.optional(),
        infoScore: bounds.optional(),
        latestAgeMs: bounds.optional(),
        successRate: bounds.optional(),
        channel: z.array(z.string()).optional(),
        firstContact: z.boolean().optional(),
        assessed: z.boolean().optional(),
        violation: z.boolean().optional(),
        source: z.array(sourceSchema).optional(),
      }),
      verdict: z.enum(['accept', 'prioritise', 'caution', 'refuse']),
      reason: z.string().min(1),
    }),
  ),
});
