import { readPublicKey } from '../codec/index.ts';
import { JobError } from '../errors.ts';

/** Returns a public key as hex. @throws {JobError} `INVALID_INPUT` */
export function requirePeerKey(peer: string): string {
  const key = readPublicKey(peer);
  if (key === null) throw new JobError('INVALID_INPUT', `'${peer.slice(0, 80)}' is no public key.`);
  return key;
}
