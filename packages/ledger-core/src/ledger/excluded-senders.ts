import { toPeerId } from '../peer-id.ts';
import type { ResolvedConfig } from './config.ts';

/**
 * Returns true for a sender that is not recorded. A plain name applies to this machine's own channels only.
 */
export function isExcluded(
  { excludedSenders, localChannels }: Pick<ResolvedConfig, 'excludedSenders' | 'localChannels'>,
  channel: string,
  nativeId: string,
): boolean {
  return (
    excludedSenders.includes(toPeerId(channel, nativeId)) ||
    (localChannels.includes(channel) && excludedSenders.includes(nativeId))
  );
}
