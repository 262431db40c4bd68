import type { NostrEvent } from '../event/event.ts';
import { tagValue } from './record.ts';

/** The kind of the event in an AUTH message (NIP-42). */
export const authKind = 22_242;

const windowSeconds = 600;

/** What an AUTH event must agree with. */
export interface AuthExpectation {
  /** The challenge of this very connection. */
  readonly challenge: string;
  /** The addresses under which this relay is known. */
  readonly urls: readonly string[];
  /** Keys that have used this challenge already: each may do so once, so that a copied AUTH is worth nothing. */
  readonly used: ReadonlySet<string>;
  readonly nowSeconds: number;
}

function hostOf(url: string | undefined): string | null {
  const parsed = URL.parse(url ?? '');
  return parsed !== null && (parsed.protocol === 'ws:' || parsed.protocol === 'wss:') ? parsed.host : null;
}

/**
 * Whether the event answers the challenge (NIP-42), signature apart; null when it does, else the reason
 * (`invalid: …`). Several keys may answer one challenge in turn, each once.
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
