import * as z from 'zod';
import { isRelayUrl } from './tags.ts';

/** An id or a public key. */
export const hex64 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits');

/** What an answer reads of a request's event. Other fields belong to the event. */
export const requestAuthor = z.looseObject({ id: hex64, pubkey: hex64 });

const reference = z.object({
  url: z.url(),
  sha256: hex64,
  size: z.int().min(0),
  mime: z.string().min(1),
});

/** Fields that results and feedback share. */
export const answerFields = {
  amountMsat: z.int('must be a whole number of millisatoshi').min(0).nullish(),
  bolt11: z.string().nullish(),
  reference: reference.nullish(),
  encrypted: z.boolean().optional(),
  relayHint: z.string().refine(isRelayUrl, 'must be a ws:// or wss:// address').nullish(),
  createdAt: z.number().min(0),
};
