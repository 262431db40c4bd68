import { readPublicKey } from '@bonafide/internal';
import { DiscoveryError } from '../errors.ts';

/** Returns a key as hex. @throws DiscoveryError `INVALID_INPUT` */
export function requireOperatorKey(peer: string): string {
  const pubkey = readPublicKey(peer);
  if (pubkey === null) throw new DiscoveryError('INVALID_INPUT', `'${peer.slice(0, 80)}' is no public key.`);
  return pubkey;
}
