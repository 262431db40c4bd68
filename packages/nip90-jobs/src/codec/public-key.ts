import { readPublicKey, requirePublicKey as requireAnyPublicKey } from '@bonafide/internal';
import * as z from 'zod';
import { JobError } from '../errors.ts';

export { readPublicKey };

/** Schema of a public key in any form that {@link readPublicKey} parses. */
export const publicKeySchema = z.string().transform((text, context) => {
  const key = readPublicKey(text);
  if (key !== null) return key;
  context.addIssue({ code: 'custom', message: 'must be a public key: 64 hex digits or an npub' });
  return z.NEVER;
});

/** Returns a public key as hex. @throws {JobError} `INVALID_INPUT` */
export const requirePublicKey = (text: string): string =>
  requireAnyPublicKey(text, (message) => new JobError('INVALID_INPUT', message));
