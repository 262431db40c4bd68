import type { NostrEvent } from '../event/event.ts';
import type { EventRecord } from './record.ts';

/** What a relay says (NIP-01, NIP-42, NIP-45). */
export type RelayMessage =
  | readonly ['EVENT', subscriptionId: string, event: NostrEvent]
  | readonly ['OK', eventId: string, accepted: boolean, message: string]
  | readonly ['EOSE', subscriptionId: string]
  | readonly ['CLOSED', subscriptionId: string, message: string]
  | readonly ['NOTICE', message: string]
  | readonly ['AUTH', challenge: string]
  | readonly ['COUNT', subscriptionId: string, result: { readonly count: number }];

/** A message on its way to a client. */
export interface Outgoing {
  readonly message: RelayMessage;
  /** The message as it goes over the wire. */
  readonly text: string;
  /** What an EVENT message carries, else null. */
  readonly record: EventRecord | null;
}

/** Any message but EVENT, ready to go. */
export function outgoing(message: RelayMessage): Outgoing {
  return { message, text: JSON.stringify(message), record: null };
}

/** An EVENT message, ready to go; the event's JSON is made once however many get it. */
export function outgoingEvent(subscriptionId: string, record: EventRecord): Outgoing {
  return {
    message: ['EVENT', subscriptionId, record.event],
    text: `["EVENT",${JSON.stringify(subscriptionId)},${record.json}]`,
    record,
  };
}
