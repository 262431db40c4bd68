import { createHash } from 'node:crypto';

/** Binary files as their SHA-256, so that a large one is not written out as JSON. */
function withoutBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return { sha256: createHash('sha256').update(value).digest('hex') };
  if (Array.isArray(value)) return value.map(withoutBytes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutBytes(part)]));
}

/** SHA-256 of a value as JSON, in which binary files stand as their SHA-256. Lower-case hex. Pure. */
export const fingerprint = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(withoutBytes(value)))
    .digest('hex');
