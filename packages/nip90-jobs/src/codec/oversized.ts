import { verifyEvent } from 'nostr-tools/pure';
import * as z from 'zod';
import { isResultKind } from './kinds.ts';
import { referencedId } from './result.ts';

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

/** A job result that the transport rejected for its size. */
export interface OversizedResult {
  readonly id: string;
  readonly provider: string;
  readonly kind: number;
  readonly requestId: string;
  /** Returns true when id and signature are valid. */
  verify(): boolean;
}

/** Parses a result that exceeds the transport's size limit; null for other values. */
export function parseOversizedResult(value: unknown): OversizedResult | null {
  const parsed = eventSchema.safeParse(value);
  if (!parsed.success || !isResultKind(parsed.data.kind)) return null;
  const { id, pubkey: provider, kind, tags } = parsed.data;
  const requestId = referencedId(tags);
  return requestId === null
    ? null
    : { id, provider, kind, requestId, verify: () => verifyEvent(parsed.data) };
}
