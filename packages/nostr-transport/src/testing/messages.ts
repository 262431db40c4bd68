import type { NostrEvent } from '../event/event.ts';
import type { EventRecord } from './record.ts';

/** A message of a relay (NIP-01, NIP-42, NIP-45). */
export type RelayMessage =
  | readonly ['EVENT', subscriptionId: string, event: NostrEvent]
  | readonly ['OK', eventId: string, accepted: boolean, message: string]
  | readonly ['EOSE', subscriptionId: string]
  | readonly ['CLOSED', subscriptionId: string, message: string]
  | readonly ['NOTICE', message: string]
  | readonly ['AUTH', challenge: string]
  | readonly ['COUNT', subscriptionId: string, result: { readonly count: number }];

/** A message to send to a client. */
export interface Outgoing {
  readonly message: RelayMessage;
  /** The message as text. */
  readonly text: string;
  /** The record of an EVENT message, else null. */
  readonly record: EventRecord | null;
}

/** Creates an outgoing message other than EVENT. */
export function outgoing(message: RelayMessage): Outgoing {
  return { message, text: JSON.stringify(message), record: null };
}

/** Creates an outgoing EVENT message; the JSON of the event is created once for all clients. */
export function outgoingEvent(subscriptionId: string, record: EventRecord): Outgoing {
  return {
    message: ['EVENT', subscriptionId, record.event],
    text: `["EVENT",${JSON.stringify(subscriptionId)},${record.json}]`,
    record,
  };
}
