import { verifyEvent } from 'nostr-tools/pure';
import * as z from 'zod';
import { FEEDBACK_KIND, isResultKind } from './kinds.ts';
import { referencedId } from './result.ts';
import { normalizeStatus } from './tags.ts';

const hex = (length: number) => z.string().regex(new RegExp(`^[0-9a-f]{${length}}$`));
const eventSchema = z.object({
  id: hex(64),
  pubkey: hex(64),
  created_at: z.int().nonnegative(),
  kind: z.int().nonnegative(),
  tags: z.array(z.array(z.string())).max(2_000),
  content: z.string(),
  sig: hex(128),
});

/** A result, or feedback with status `error`, that the transport rejected for its size. */
export interface OversizedAnswer {
  readonly type: 'result' | 'error';
  readonly id: string;
  readonly provider: string;
  readonly kind: number;
  readonly requestId: string;
  /** Returns true when id and signature are valid. */
  verify(): boolean;
}

/** Parses a result or an error that exceeds the transport's size limit; null for other values. */
export function parseOversizedAnswer(value: unknown): OversizedAnswer | null {
  const parsed = eventSchema.safeParse(value);
  if (!parsed.success) return null;
  const { id, pubkey: provider, kind, tags } = parsed.data;
  const status = tags.find(([name]) => name === 'status')?.[1] ?? '';
  const isError = kind === FEEDBACK_KIND && normalizeStatus(status) === 'error';
  const requestId = referencedId(tags);
  if (requestId === null || !(isError || isResultKind(kind))) return null;
  const type = isError ? 'error' : 'result';
  return { type, id, provider, kind, requestId, verify: () => verifyEvent(parsed.data) };
}
