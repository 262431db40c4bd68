import { isAmount, isPort, isRecord, isText } from '@bonafide/internal';
import { normalizeRelayUrl } from '../address/relay-url.ts';
import { TransportError } from '../errors.ts';
import type { EventTemplate } from '../event/event.ts';
import type { RelayReadResult, Transport } from '../transport.ts';
import { isRelayList, isWaiting, requireInput } from '../valid.ts';

/** The kind of the list of relays where a key receives private messages (NIP-17). */
const inboxRelaysKind = 10_050;

/** Relays of one list that are used; NIP-17 recommends one to three. */
const maxInboxRelays = 5;

const isList = isRecord({ relays: isRelayList, createdAt: isAmount });
const isSearch = isRecord({
  transport: isPort('query'),
  pubkey: isText,
  relays: isRelayList,
  options: isWaiting,
});

/** Creates the list of relays where the signer wants to receive private messages (NIP-17, kind 10050). */
export function buildInboxRelayList(relays: readonly string[], createdAt: number): EventTemplate {
  requireInput({ relays, createdAt }, isList, 'list');
  return {
    kind: inboxRelaysKind,
    created_at: Math.floor(createdAt / 1000),
    tags: relays.map((relay) => ['relay', normalizeRelayUrl(relay)]),
    content: '',
  };
}

/**
 * Finds the relays where `pubkey` receives private messages.
 *
 * @throws TransportError `NO_INBOX_RELAYS` if no list was found; the message says which relays did not answer
 */
export async function findInboxRelays(
  transport: Pick<Transport, 'query'>,
  pubkey: string,
  relays: readonly string[],
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<readonly string[]> {
  requireInput({ transport, pubkey, relays, options }, isSearch, 'search');
  const results: RelayReadResult[] = [];
  const [list] = await transport.query(relays, [{ kinds: [inboxRelaysKind], authors: [pubkey], limit: 1 }], {
    ...options,
    onRelayResult: (result) => results.push(result),
  });
  const found = (list?.tags ?? []).flatMap(([name, url = '']) => {
    if (name !== 'relay') return [];
    try {
      return [normalizeRelayUrl(url)];
    } catch {
      return [];
    }
  });
  if (found.length > 0) return [...new Set(found)].slice(0, maxInboxRelays);
  const missing = results.filter(({ status }) => status !== 'complete');
  const cause =
    missing.length === 0
      ? `It has published none at ${relays.join(', ') || 'no relay'}.`
      : `No answer: ${missing.map(({ relay, status }) => `${relay} ${status}`).join(', ')}.`;
  throw new TransportError(
    'NO_INBOX_RELAYS',
    `The relays where ${pubkey} receives private messages are unknown. ${cause} Pass inboxRelays, or ask other relays.`,
  );
}
