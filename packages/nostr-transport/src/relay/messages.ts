import { sanitizeRemoteText } from '@bonafide/internal';

/** A message from a relay (NIP-01, NIP-42, NIP-77) of the correct form; an event in it is unchecked. */
export type RelayMessage =
  | { readonly type: 'EVENT'; readonly subscription: string; readonly event: unknown }
  | { readonly type: 'EOSE'; readonly subscription: string }
  | { readonly type: 'CLOSED'; readonly subscription: string; readonly reason: string }
  | { readonly type: 'OK'; readonly id: string; readonly accepted: boolean; readonly message: string }
  | { readonly type: 'NOTICE'; readonly message: string }
  | { readonly type: 'AUTH'; readonly challenge: string }
  | { readonly type: 'NEG-MSG'; readonly subscription: string; readonly message: string }
  | { readonly type: 'NEG-ERR'; readonly subscription: string; readonly reason: string };

/** Parses one frame; returns null for anything that a relay may not send. */
export function parseRelayMessage(text: string): RelayMessage | null {
  const parts = parseArray(text);
  if (parts === null) return null;
  const [type, first, second, third] = parts;
  if (typeof first !== 'string') return null;
  switch (type) {
    case 'EVENT':
      return { type, subscription: first, event: second };
    case 'EOSE':
      return { type, subscription: first };
    case 'CLOSED':
      return { type, subscription: first, reason: remoteText(second) };
    case 'OK':
      return typeof second === 'boolean'
        ? { type, id: first, accepted: second, message: remoteText(third) }
        : null;
    case 'NOTICE':
      return { type, message: remoteText(first) };
    case 'AUTH':
      return first.length <= 1_024 ? { type, challenge: first } : null;
    case 'NEG-MSG':
      return typeof second === 'string' ? { type, subscription: first, message: second } : null;
    case 'NEG-ERR':
      return { type, subscription: first, reason: remoteText(second) };
    default:
      return null;
  }
}

function parseArray(text: string): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

const maxTextChars = 1_000;

function remoteText(value: unknown): string {
  return typeof value === 'string' ? sanitizeRemoteText(value, maxTextChars) : '';
}

/**
 * The reaction to a CLOSED or an OK false, by its prefix (NIP-01, NIP-42).
 *
 * - `auth`: authenticate, then retry once.
 * - `restricted`: like `final` after authentication; some relays send it before, meaning `auth`.
 * - `capacity`: too many requests at once; send fewer.
 * - `retry`: retry later.
 * - `final`: do not retry.
 */
export type Refusal = 'auth' | 'restricted' | 'capacity' | 'retry' | 'final';

/** Derives a {@link Refusal} from the text of the relay. An unknown text means `retry`. */
export function readRefusal(reason: string): Refusal {
  const prefix = /^([a-z-]+):/i.exec(reason)?.[1]?.toLowerCase();
  if (prefix === 'auth-required') return 'auth';
  if (prefix === 'restricted') return 'restricted';
  if (prefix !== 'invalid' && tooMany.test(reason)) return 'capacity';
  if (prefix === 'rate-limited') return 'retry';
  if (prefix !== undefined && finalPrefixes.has(prefix)) return 'final';
  return 'retry';
}

const finalPrefixes = new Set(['blocked', 'invalid', 'unsupported', 'pow', 'mute', 'payment-required']);

// Every relay has its own remoteText for it: 'too many concurrent REQs', 'at most 20 subscriptions', 'maximum filter count' …
const tooMany =
  /too many|(at most|max\w*|limit\w*|exceed\w*|no more)\W.*(sub(scription)?s?|req(uest)?s?|filters?)\b|(subscription|req(uest)?|filter)s? (limit|count)/i;
