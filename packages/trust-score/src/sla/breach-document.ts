import * as z from 'zod';
import { copyDocument } from '../document.ts';
import { parseInput } from '../errors.ts';
import { type Breach, breachTransitions } from './breach.ts';
import { penaltySchema } from './sla.ts';

const time = z.number().min(-8.64e15).max(8.64e15);
const text = z.string().min(1).max(1_000);
const states = Object.keys(breachTransitions) as (keyof typeof breachTransitions)[];

const forceMajeure = z.discriminatedUnion('ground', [
  z.strictObject({ ground: z.literal('registry_outage'), shareDown: z.number().min(0).max(1) }),
  z.strictObject({ ground: z.literal('natural_disaster'), affectsInfrastructure: z.boolean() }),
  z.strictObject({ ground: z.literal('ddos_attack'), mitigated: z.boolean() }),
  z.strictObject({ ground: z.literal('government_shutdown'), mandated: z.boolean() }),
]);

/** The members of a dispute that its author states. */
const disputeClaimSchema = z.object({
  disputeId: text,
  claim: text,
  evidence: z.array(text).min(1).max(100),
  requestedRemedy: z.enum(['remove_penalty', 'reduce_penalty']),
  forceMajeure: forceMajeure.nullable().default(null),
});

const breachSchema = z.object({
  breachId: text,
  agentId: text,
  metric: text,
  value: z.number(),
  breachThreshold: z.number(),
  state: z.enum(states),
  detectedAt: time,
  disputableUntil: time,
  reviewPeriodMs: z.number().min(0),
  arbitrator: text.nullable(),
  notify: z.object({ delegators: z.boolean(), registry: z.boolean(), publish: z.boolean() }),
  dispute: disputeClaimSchema
    .extend({
      filedAt: time,
      decideBy: time,
      arbitrator: text.nullable(),
      decision: z
        .object({ outcome: z.enum(['upheld', 'excused']), reason: z.string().max(1_000), at: time })
        .nullable(),
    })
    .nullable(),
  penalty: penaltySchema,
  applied: z
    .object({
      breachId: text,
      metric: text,
      penalty: penaltySchema,
      appliedAt: time,
      days: z.array(z.object({ at: time, aboveTarget: z.boolean() })).default([]),
      reviewedAt: time.nullable().default(null),
      affectedDelegators: z.array(text).default([]),
    })
    .nullable(),
  history: z.array(
    z.object({
      at: time,
      event: z.enum(['dispute', 'confirm', 'decide', 'lapse', 'penalise', 'day', 'review']),
      to: z.enum(states),
    }),
  ),
});

/**
 * Parses a breach that was stored as JSON, within limits on depth and size.
 *
 * @throws `INVALID_INPUT`, naming every member that is wrong.
 */
export const parseBreach = (document: unknown): Breach =>
  parseInput(breachSchema, 'breach', copyDocument(document));
