import { isAmount, isFunction, isOptions, isPort, isSignal, isText, optional } from '@bonafide/internal';
import { TransportError } from '../errors.ts';
import { isHex64 } from '../event/event-check.ts';
import type { Signer } from '../signers/signer.ts';
import type { PublishOutcome, Transport } from '../transport.ts';
import { isRelayList, isSigner, isTagList, requireInput } from '../valid.ts';
import { defaultAssemblyLimits, splitMessage } from './message-parts.ts';
import { findInboxRelays } from './nip17-inbox-relays.ts';
import { createRumor, wrapRumor } from './nip59-gift-wrap.ts';

/** The kind of a private direct message (NIP-17). */
const privateMessageKind = 14;

/** Options of {@link sendPrivate}. */
export interface SendPrivateOptions {
  readonly transport: Pick<Transport, 'query' | 'publish'>;
  readonly signer: Signer;
  /** The public key of the recipient, 64 lower-case hex digits. */
  readonly recipient: string;
  readonly content: string;
  /** The kind of the inner event. Default 14, a direct message (NIP-17). */
  readonly kind?: number;
  /** Tags of the inner event; the recipient's `p` tag is added. */
  readonly tags?: readonly (readonly string[])[];
  /** Relays to search for the recipient's inbox relays (kind 10050). */
  readonly relays?: readonly string[];
  /** Relays to send to, instead of the recipient's published ones. */
  readonly inboxRelays?: readonly string[];
  /** The time limit of the search and of each publication, in ms. Default 10,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Ms since epoch. Default `Date.now`. */
  readonly clock?: () => number;
  /** Numbers in [0, 1), for the dates of seal and wrap. Default `Math.random`. */
  readonly random?: () => number;
}

const isSendOptions = isOptions({
  transport: isPort('query', 'publish'),
  signer: isSigner,
  recipient: isText,
  content: isText,
  kind: optional(isAmount),
  tags: optional(isTagList),
  relays: optional(isRelayList),
  inboxRelays: optional(isRelayList),
  timeoutMs: optional(isAmount),
  signal: optional(isSignal),
  clock: optional(isFunction),
  random: optional(isFunction),
});

/** The result of sending a private message. */
export interface PrivateDelivery {
  /** The id under which the recipient receives the message. */
  readonly id: string;
  /** True if at least one inbox relay accepted every part. */
  readonly delivered: boolean;
  /** The gift wraps, one per part of the message, with the outcome at each inbox relay. */
  readonly parts: readonly { readonly eventId: string; readonly outcomes: readonly PublishOutcome[] }[];
}

/**
 * Sends an encrypted message that shows neither sender nor date to relays (NIP-17, NIP-59), to the recipient's inbox relays. A
 * message too long for one event is sent in parts, which {@link receivePrivate} joins.
 *
 * @throws TransportError `NO_INBOX_RELAYS`; `INVALID_INPUT` for a malformed key or a message of more than about 1.5 MB
 */
export async function sendPrivate(options: SendPrivateOptions): Promise<PrivateDelivery> {
  requireInput(options, isSendOptions, 'options');
  const { transport, signer, recipient, content, kind = privateMessageKind, tags = [] } = options;
  const { clock = Date.now, random = Math.random, timeoutMs = 10_000, signal } = options;
  if (!isHex64(recipient))
    throw new TransportError('INVALID_INPUT', 'The recipient must be 64 lower-case hex digits.');
  const sender = await signer.getPublicKey();
  const nowSeconds = Math.floor(clock() / 1000);
  const innerTags = [['p', recipient], ...tags];
  const whole = createRumor({ kind, created_at: nowSeconds, tags: innerTags, content }, sender);
  const rumors = splitMessage(whole);
  const { maxParts } = defaultAssemblyLimits;
  if (rumors.length > maxParts) {
    const message = `The message needs ${rumors.length} parts; the limit is ${maxParts}. Send a link instead.`;
    throw new TransportError('INVALID_INPUT', message);
  }
  const waiting = { timeoutMs, ...(signal === undefined ? {} : { signal }) };
  const inbox =
    options.inboxRelays ?? (await findInboxRelays(transport, recipient, options.relays ?? [], waiting));

  const parts: PrivateDelivery['parts'][number][] = [];
  for (const rumor of rumors) {
    signal?.throwIfAborted();
    const wrap = await wrapRumor(rumor, recipient, { signer, nowSeconds, random });
    parts.push({ eventId: wrap.id, outcomes: await transport.publish(wrap, inbox, waiting) });
  }
  const delivered = parts.every(({ outcomes }) => outcomes.some(({ status }) => status === 'accepted'));
  return { id: whole.id, delivered, parts };
}
