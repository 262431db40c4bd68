import { readPublicKey } from '@bonafide/internal';
import * as z from 'zod';

export { readPublicKey };

/** Schema of a public key in any form that {@link readPublicKey} parses. */
export const publicKeySchema = z.string().transform((text, context) => {
  const key = readPublicKey(text);
  if (key !== null) return key;
  context.addIssue({ code: 'custom', message: 'must be a public key: 64 hex digits or an npub' });
  return z.NEVER;
});
