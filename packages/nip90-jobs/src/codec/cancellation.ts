import type { EventTemplate, NostrEvent } from '@bonafide/nostr-transport';
import { isHex64, readEvent } from './event.ts';
import { DELETION_KIND } from './kinds.ts';

/**
 * Builds the deletion that takes a request back (NIP-09, NIP-90). It also names the provider in `p`, so that one who
 * listens for what is addressed to it hears of it.
 */
export function buildJobCancellation(spec: {
  readonly request: NostrEvent;
  readonly provider: string | null;
  readonly reason?: string;
  /** ms since epoch. */
  readonly createdAt: number;
}): EventTemplate {
  const tags = [
    ['e', spec.request.id],
    ['k', String(spec.request.kind)],
  ];
  if (spec.provider) tags.push(['p', spec.provider]);
  return {
    kind: DELETION_KIND,
    created_at: Math.floor(spec.createdAt / 1000),
    tags,
    content: spec.reason ?? '',
  };
}

/** Who takes back which requests; null for an event that is no deletion. Whether they are theirs is for the reader to check. */
export function parseJobCancellation(
  event: unknown,
): { readonly customer: string; readonly requestIds: readonly string[]; readonly reason: string } | null {
  const read = readEvent(event);
  if (!read.ok || read.event.kind !== DELETION_KIND) return null;
  const requestIds = read.event.tags.flatMap(([name, id]) => (name === 'e' && isHex64(id) ? [id] : []));
  return { customer: read.event.pubkey, requestIds: [...new Set(requestIds)], reason: read.event.content };
}
