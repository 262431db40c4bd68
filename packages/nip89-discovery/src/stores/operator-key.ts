import { requirePublicKey } from '@bonafide/internal';
import { DiscoveryError } from '../errors.ts';

/** Returns the key of an operator as hex. @throws DiscoveryError `INVALID_INPUT` */
export const requireOperatorKey = (peer: string): string =>
  requirePublicKey(peer, (message) => new DiscoveryError('INVALID_INPUT', message));
