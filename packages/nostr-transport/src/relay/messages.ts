import { sanitizeRemoteText } from '@bonafide/internal';

/** What a relay says (NIP-01, NIP-42), as far as its form goes; an event in it is still unchecked. */
export type RelayMessage =
  | { readonly type: 'EVENT'; readonly subscription: string; readonly event: unknown }
  | { readonly type: 'EOSE'; readonly subscription: string }
  | { readonly type: 'CLOSED'; readonly subscription: string; readonly reason: string }
  | { readonly type: 'OK'; readonly id: string; readonly accepted: boolean; readonly message: string }
  | { readonly type: 'NOTICE'; readonly message: string }
  | { readonly type: 'AUTH'; readonly challenge: string };

/** Reads one frame; null for anything that is not a message a relay may send. */
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
      return { type, subscription: first, reason: words(second) };
    case 'OK':
      return typeof second === 'boolean'
        ? { type, id: first, accepted: second, message: words(third) }
        : null;
    case 'NOTICE':
      return { type, message: words(first) };
    case 'AUTH':
      return first.length <= 1_024 ? { type, challenge: first } : null;
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

const maxWords = 1_000;

function words(value: unknown): string {
  return typeof value === 'string' ? sanitizeRemoteText(value, maxWords) : '';
}

/**
 * What to do about a CLOSED or a refused OK, going by its prefix (NIP-01, NIP-42).
 * `auth`: authenticate, then try once more. `restricted`: the same as `final` once we have authenticated; some relays
 * say it before, meaning `auth`. `capacity`: too much at once, ask for less. `retry`: later. `final`: don't.
 */
export type Refusal = 'auth' | 'restricted' | 'capacity' | 'retry' | 'final';

/** Reads {@link Refusal} out of the relay's words. What says nothing known is worth another try. */
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

// Every relay has its own words for it: 'too many concurrent REQs', 'at most 20 subscriptions', 'maximum filter count' …
const tooMany =
  /too many|(at most|max\w*|limit\w*|exceed\w*|no more)\W.*(sub(scription)?s?|req(uest)?s?|filters?)\b|(subscription|req(uest)?|filter)s? (limit|count)/i;
