import { truncate } from '@bonafide/internal';
import {
  type AddressPolicy,
  assessRelayUrl,
  type NostrEvent,
  type RelayUrlAssessment,
  type RelayUrlFault,
} from '@bonafide/nostr-transport';

/** The relay hints of a card after the address policy. */
export interface RelayHints {
  /** Normalized, in the order of the card, each once, at most 10. */
  readonly accepted: readonly string[];
  /** Refused hints with the reason, at most 10. */
  readonly refused: readonly { readonly url: string; readonly fault: RelayUrlFault }[];
}

/** Largest number of relays per card. */
export const maxRelayHints = 10;

/**
 * Returns the relay hints of a card: `["relays", u1, u2 …]`, repeated `["relays", u]`, `["relay", u]`, and
 * `["r", u]` if it is a relay address (elsewhere `r` refers to a web page). Checks addresses as written: TLS,
 * public host, no credentials. The transport checks the resolved address when it connects.
 */
export function readRelayHints(event: Pick<NostrEvent, 'tags'>, policy: AddressPolicy = {}): RelayHints {
  const candidates = event.tags.flatMap(([name, ...values]) => {
    if (name === 'relays' || name === 'relay') return values;
    return name === 'r' ? values.slice(0, 1).filter((value) => /^\s*wss?:\/\//i.test(value)) : [];
  });
  return assessHints(candidates, policy);
}

/**
 * Returns the relays that the author of a relay list (NIP-65, kind 10002) reads from. Requests to the author
 * go there.
 */
export function readRelayList(event: Pick<NostrEvent, 'tags'>, policy: AddressPolicy = {}): RelayHints {
  const readable = event.tags.flatMap(([name, url, marker]) =>
    name === 'r' && url !== undefined && marker !== 'write' ? [url] : [],
  );
  return assessHints(readable, policy);
}

/** Returns the relays that the author of a relay list (NIP-65, kind 10002) writes to. Its events are found there. */
export function readWriteRelays(event: Pick<NostrEvent, 'tags'>, policy: AddressPolicy = {}): RelayHints {
  const writable = event.tags.flatMap(([name, url, marker]) =>
    name === 'r' && url !== undefined && marker !== 'read' ? [url] : [],
  );
  return assessHints(writable, policy);
}

/** Results of address checks by policy, since cards often name the same relays. */
const assessments = new WeakMap<AddressPolicy, Map<string, RelayUrlAssessment>>();
const maxAssessments = 1_000;

function assessOnce(candidate: string, policy: AddressPolicy): RelayUrlAssessment {
  const known = assessments.get(policy) ?? new Map<string, RelayUrlAssessment>();
  if (known.size === 0) assessments.set(policy, known);
  const before = known.get(candidate);
  if (before !== undefined) return before;
  const assessed = assessRelayUrl(candidate, policy);
  // Remote addresses must not fill the memory.
  if (known.size >= maxAssessments) known.clear();
  if (candidate.length <= 256) known.set(candidate, assessed);
  return assessed;
}

function assessHints(candidates: readonly string[], policy: AddressPolicy): RelayHints {
  const accepted = new Set<string>();
  const refused: { url: string; fault: RelayUrlFault }[] = [];
  for (const candidate of candidates) {
    if (candidate.trim() === '' || accepted.size === maxRelayHints) continue;
    const assessed = assessOnce(candidate, policy);
    if (assessed.ok) accepted.add(assessed.url);
    else if (refused.length < maxRelayHints) {
      refused.push({ url: truncate(candidate.toWellFormed(), 256), fault: assessed.fault });
    }
  }
  return { accepted: [...accepted], refused };
}
