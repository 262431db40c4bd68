import { byteLength } from '@bonafide/internal';
import type { JsonValue } from '../json.ts';
import type { StoredAnswer } from '../order.ts';
import type { Answer } from '../ports.ts';

/** Largest evidence that is kept beside the content of an answer, as JSON, bytes. */
const maxEvidenceBytes = 65_536;

/** Fields that identify a signed event; they are kept of one that is too large. */
const identifying = ['id', 'pubkey', 'kind', 'created_at', 'sig'] as const;

/**
 * Returns what is kept of a signed event: everything but its content, which is stored with the answer; of one that is too
 * large only what identifies it.
 */
export function keepEvidence({ content, event }: Answer): JsonValue {
  // Copied, since a signed event is plain JSON with a symbol in it.
  const copy: { [key: string]: JsonValue } = { ...(event as unknown as { [key: string]: JsonValue }) };
  if (copy.content === content) delete copy.content;
  if (byteLength(JSON.stringify(copy)) <= maxEvidenceBytes) return copy;
  return Object.fromEntries(
    identifying.flatMap((name) => (name in copy ? [[name, copy[name] ?? null]] : [])),
  );
}

/** Returns the signed event of an answer for the journal; null when nothing of it is kept any more. */
export function evidenceOf({
  content,
  evidence,
}: StoredAnswer): { readonly [key: string]: JsonValue } | null {
  if (evidence === null || typeof evidence !== 'object' || Array.isArray(evidence)) return null;
  return { ...(content === null ? {} : { content }), ...(evidence as { readonly [key: string]: JsonValue }) };
}
