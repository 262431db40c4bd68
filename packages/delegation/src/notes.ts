// Names and contents of the notes that a delegation stores beside its orders.
import { composeId } from '@bonafide/internal';
import * as z from 'zod';
import type { PlatformRef } from './platform.ts';

/** Returns the name of the note about the last directive that the journal's policy gave to a platform. */
export const policyNoteName = ({ pubkey, d }: PlatformRef): string => composeId('policy', pubkey, d);

/** Returns the name of the note with the latest works of a platform. */
export const serviceNoteName = ({ pubkey, d }: PlatformRef): string => composeId('service', pubkey, d);

/** Returns the name of the note with the latest wrong answers of a platform. */
export const wrongAnswersNoteName = ({ pubkey, d }: PlatformRef): string =>
  composeId('wrong-answers', pubkey, d);

/** Names of wrong answers, oldest first. */
export const wrongAnswersSchema = z.array(z.string());

/** Name of the note with the money of trials. */
export const trialMoneyNoteName = composeId('trial-money');

/** The money that was reserved for trials, by the id of the trial's order. */
export const trialMoneySchema = z.array(z.object({ id: z.string(), at: z.number(), msat: z.number() }));

/** Work of the queue `upkeep`. */
const dutySchema = z.discriminatedUnion('kind', [
  /** Trials until the matrix has decided. */
  z.object({ kind: z.literal('qualify'), taskType: z.string(), pubkey: z.string(), d: z.string() }),
  /** One benchmark of a platform that is known already. */
  z.object({ kind: z.literal('benchmark'), taskType: z.string(), pubkey: z.string(), d: z.string() }),
  /** Newcomers and benchmarks of a task type, repeated without end. */
  z.object({ kind: z.literal('keep-up'), taskType: z.string() }),
]);

export type Duty = z.infer<typeof dutySchema>;

/** Progress of a duty, kept as a note under its id. */
export const progressSchema = z.object({
  duty: dutySchema,
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  code: z.enum(['NO_BENCHMARK', 'NO_PLATFORM']).nullable(),
  message: z.string(),
});

export type Progress = z.infer<typeof progressSchema>;

/** Returns the id of a duty: of its wake and of its note. */
export const dutyId = (duty: Duty): string =>
  duty.kind === 'keep-up'
    ? composeId(duty.kind, duty.taskType)
    : composeId(duty.kind, duty.taskType, duty.pubkey, duty.d);
