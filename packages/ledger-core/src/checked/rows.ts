import * as z from 'zod';
import { latestTime } from '../claimed-time.ts';
import { sourceSchema } from '../policy-schema.ts';

/** A number that is not NaN. */
export const finite = z.number();
export const text = z.string();
/** A time that has a date, ms since epoch. */
export const time = finite.min(0).max(latestTime);

const metrics = z.looseObject({ latencyMs: finite.optional() }).nullable();

/** What pure functions read of an assessment. Other fields are the caller's. */
export const assessment = z.looseObject({
  assessmentId: text,
  peerId: text,
  trust: finite,
  rationale: text,
  source: sourceSchema,
  assessor: text.nullish(),
  createdAt: finite,
});

/** What pure functions read of an outcome. */
export const outcome = z.looseObject({
  correlationId: text,
  result: z.enum(['success', 'failure', 'open']),
  createdAt: finite,
  receivedAt: finite.optional(),
  sequence: finite.optional(),
});

/** An outcome with what aggregates read of it. */
export const measuredOutcome = outcome.extend({ outcomeId: text, metrics });

/** What pure functions read of an interaction. */
export const interaction = z.looseObject({
  interactionId: text,
  correlationId: text.nullable(),
  direction: z.enum(['in', 'out']),
  metrics,
  createdAt: finite,
  receivedAt: finite.optional(),
});
