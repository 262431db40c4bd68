import type { EventTemplate, NostrEvent } from '@bonafide/nostr-transport';
import * as z from 'zod';
import { readInput } from '../option-schemas.ts';
import { hex64, requestAuthor } from './answer-schema.ts';
import { isHex64, readEvent } from './event.ts';
import { DELETION_KIND, isRequestKind } from './kinds.ts';

const specSchema = z.strictObject({
  request: requestAuthor.extend({ kind: z.int().refine(isRequestKind, 'must be between 5000 and 5999') }),
  provider: hex64.nullable(),
  reason: z.string().optional(),
  createdAt: z.number().min(0),
});

/**
 * Builds the deletion that cancels a request (NIP-09, NIP-90). Its `p` tag names the provider, so that a
 * provider that subscribes to events addressed to it receives the cancellation.
 */
export function buildJobCancellation(spec: {
  readonly request: NostrEvent;
  readonly provider: string | null;
  readonly reason?: string;
  /** ms since epoch. */
  readonly createdAt: number;
}): EventTemplate {
  readInput(specSchema, spec, 'cancellation');
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

/**
 * Parses a cancellation: its author and the requests that it deletes. Returns null for other events. The
 * caller checks that the author owns the requests.
 */
export function parseJobCancellation(
  event: unknown,
): { readonly customer: string; readonly requestIds: readonly string[]; readonly reason: string } | null {
  const read = readEvent(event);
  if (!read.ok || read.event.kind !== DELETION_KIND) return null;
  const requestIds = read.event.tags.flatMap(([name, id]) => (name === 'e' && isHex64(id) ? [id] : []));
  return { customer: read.event.pubkey, requestIds: [...new Set(requestIds)], reason: read.event.content };
}
