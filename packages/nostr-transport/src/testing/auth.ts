import type { NostrEvent } from '../event/event.ts';
import { tagValue } from './record.ts';

/** The kind of the event in an AUTH message (NIP-42). */
export const authKind = 22_242;

const windowSeconds = 600;

/** The values that an AUTH event must match. */
export interface AuthExpectation {
  /** The challenge of this connection. */
  readonly challenge: string;
  /** The addresses of this relay. */
  readonly urls: readonly string[];
  /** Keys that have used this challenge: each may do so once, so that a copied AUTH is useless. */
  readonly used: ReadonlySet<string>;
  readonly nowSeconds: number;
}

function hostOf(url: string | undefined): string | null {
  const parsed = URL.parse(url ?? '');
  return parsed !== null && (parsed.protocol === 'ws:' || parsed.protocol === 'wss:') ? parsed.host : null;
}

/**
 * Checks whether the event answers the challenge (NIP-42), except for the signature; returns null or the
 * reason (`invalid: …`). Several keys may answer one challenge, each once.
 */
export function checkAuth(event: NostrEvent, expected: AuthExpectation): string | null {
  if (event.kind !== authKind) return `invalid: an AUTH event has kind ${authKind}`;
  if (Math.abs(event.created_at - expected.nowSeconds) > windowSeconds) {
    return 'invalid: created_at is more than 10 minutes away';
  }
  if (tagValue(event, 'challenge') !== expected.challenge) {
    return 'invalid: the challenge is not that of this connection';
  }
  if (expected.used.has(event.pubkey)) return 'invalid: this key has used the challenge already';
  const host = hostOf(tagValue(event, 'relay'));
  if (host === null || !expected.urls.some((url) => hostOf(url) === host)) {
    return 'invalid: the relay tag names another relay';
  }
  return null;
}
