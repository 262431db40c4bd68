import type { Filter, NostrEvent, Transport } from '@bonafide/nostr-transport';

/** Stored events of several relays, and the relays that may have more of them. */
export interface RelayAnswer {
  readonly events: readonly NostrEvent[];
  /** Relays that were not read completely: cut, timed out, refused or unreachable. */
  readonly incomplete: readonly string[];
  /** True when no relay was read completely: an event that was not found may exist. */
  readonly isBlind: boolean;
}

/** Queries relays, and reports which of them were read completely. Rejects as {@link Transport.query}. */
export async function queryRelays(
  transport: Transport,
  relays: readonly string[],
  filters: readonly Filter[],
  options: Parameters<Transport['query']>[2],
): Promise<RelayAnswer> {
  const incomplete: string[] = [];
  const events = await transport.query(relays, filters, {
    ...options,
    onRelayResult: ({ relay, status }) => {
      if (status !== 'complete') incomplete.push(relay);
    },
  });
  return { events, incomplete, isBlind: incomplete.length >= relays.length };
}
