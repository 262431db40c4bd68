import { sha256Hex } from '@bonafide/internal';
import { buildEncryptedJobRequest, buildJobRequest, type JobRequestSpec } from './request.ts';

/**
 * Computes a hash of the work that a specification asks for: kind, provider, inputs, parameters, output and
 * content, without time, relays and bid.
 */
export function fingerprintOf(spec: JobRequestSpec, encrypted: boolean): string {
  const { kind, content, tags } = encrypted ? inClear(spec) : buildJobRequest(spec);
  const asked = tags.filter(([name]) => name !== 'bid' && name !== 'relays');
  return sha256Hex(JSON.stringify([kind, content, asked]));
}

/** Returns an encrypted request before encryption, since every encryption gives a different ciphertext. */
function inClear(spec: JobRequestSpec) {
  const { plaintext } = buildEncryptedJobRequest(spec);
  // Of any size: what is too large for an event travels by reference.
  const around = buildEncryptedJobRequest({ ...spec, inputs: [], params: {} }).seal('');
  return { ...around, content: plaintext };
}
