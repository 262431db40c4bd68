import { sha256Hex } from '@bonafide/internal';
import { buildEncryptedJobRequest, buildJobRequest, type JobRequestSpec } from './request.ts';

/** Tells whether two specifications ask for the same work: a hash over what is asked, without when, where and for how much. */
export function fingerprintOf(spec: JobRequestSpec, encrypted: boolean): string {
  const { kind, content, tags } = encrypted ? inClear(spec) : buildJobRequest(spec);
  const asked = tags.filter(([name]) => name !== 'bid' && name !== 'relays');
  return sha256Hex(JSON.stringify([kind, content, asked]));
}

/** An encrypted request before it is sealed, since the ciphertext is another one each time. */
function inClear(spec: JobRequestSpec) {
  const { plaintext } = buildEncryptedJobRequest(spec);
  // Of any size: what is too large for an event travels by reference.
  const around = buildEncryptedJobRequest({ ...spec, inputs: [], params: {} }).seal('');
  return { ...around, content: plaintext };
}
