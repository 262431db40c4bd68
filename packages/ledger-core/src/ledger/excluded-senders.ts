import { toPeerId } from '../peer-id.ts';
import type { ResolvedConfig } from './config.ts';

/** Whether somebody is no peer and leaves no trace: a plain name counts on this machine's own channels only. */
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
