import {
  isAmount,
  isFunction,
  isLogger,
  isOptions,
  isPort,
  isRecord,
  isSignal,
  type Logger,
  optional,
  silentLogger,
} from '@bonafide/internal';
import type { NostrEvent } from '../event/event.ts';
import { createPureVerifier, type Verifier } from '../event/verifier.ts';
import { createBoundedSet } from '../reading/bounded-set.ts';
import type { Signer } from '../signers/signer.ts';
import type { RelayReadResult, Subscription, Transport, Watermarks } from '../transport.ts';
import { isRelayList, isSigner, isVerifier, isWatermarks, requireInput } from '../valid.ts';
import { type AssemblyLimits, createMessageAssembly, type LostMessage } from './message-parts.ts';
import { type GiftWrapFault, giftWrapKind, recipientsOf, unwrapRumor } from './nip59-gift-wrap.ts';

/** A private message whose author is proved by the signature of its seal. */
export interface PrivateMessage {
  /** The id of the message: the same for every copy of it. */
  readonly id: string;
  /** The author, 64 lower-case hex digits. */
  readonly sender: string;
  /** The kind of the inner event: 14 for a direct message (NIP-17). */
  readonly kind: number;
  readonly content: string;
  readonly tags: readonly (readonly string[])[];
  /** The keys in the `p` tags. */
  readonly recipients: readonly string[];
  /** The time that the author claims, in ms since epoch. */
  readonly createdAt: number;
  /** The relay that sent the message, or its last part. */
  readonly relay: string;
}

/**
 * Reasons for rejecting a gift wrap. `part-invalid`: the parts of a message do not fit together. `overflow`: too many wait.
 * `signer-failed`: the signer did not answer. After these two the watermarks stay, so that the next run reads the gift wrap again.
 */
export type PrivateRejection = GiftWrapFault | 'part-invalid' | 'overflow' | 'signer-failed';

/** Options of {@link receivePrivate}. */
export interface ReceivePrivateOptions {
  /** Relays deliver gift wraps only after NIP-42: give the transport an `auth` option with the same signer. */
  readonly transport: Pick<Transport, 'subscribe'>;
  readonly signer: Signer;
  /** Our inbox relays: those in our list of kind 10050. */
  readonly relays: readonly string[];
  /** Called once per message, in the order of arrival; the next message waits for a promise. An error is logged. */
  readonly onMessage: (message: PrivateMessage) => void | Promise<void>;
  /** Called for a gift wrap that holds no acceptable message. */
  readonly onRejected?: (rejected: {
    readonly reason: PrivateRejection;
    readonly eventId: string;
    readonly relay: string;
  }) => void;
  /** Called for a message of which some parts arrived, and which was given up: ask its sender to send it again. */
  readonly onLost?: (lost: LostMessage) => void;
  /** Returns true for senders whose incomplete messages are given up last, when many senders fill the memory. */
  readonly isKnownSender?: (sender: string) => boolean;
  /** Called once per relay after its last stored message was handled. */
  readonly onEose?: (relay: string, result: RelayReadResult) => void;
  readonly onClosed?: (relay: string, reason: string) => void;
  /** Ms since epoch: messages from this time on; gift wraps are read from two days before. Default: all stored ones. */
  readonly since?: number;
  /** Reading positions. They advance after the messages before them were handled. */
  readonly watermarks?: Watermarks;
  /** Verifies the signatures of seals. Default: pure JavaScript. */
  readonly verifier?: Verifier;
  readonly limits?: Partial<AssemblyLimits>;
  readonly signal?: AbortSignal;
  readonly logger?: Logger;
  /** Ms since epoch. Default `Date.now`. */
  readonly clock?: () => number;
}

const isReceiveOptions = isOptions({
  transport: isPort('subscribe'),
  signer: isSigner,
  relays: isRelayList,
  onMessage: isFunction,
  onRejected: optional(isFunction),
  onLost: optional(isFunction),
  isKnownSender: optional(isFunction),
  onEose: optional(isFunction),
  onClosed: optional(isFunction),
  since: optional(isAmount),
  watermarks: optional(isWatermarks),
  verifier: optional(isVerifier),
  limits: optional(isRecord({})),
  signal: optional(isSignal),
  logger: optional(isLogger),
  clock: optional(isFunction),
});

/** Gift wraps that wait for decryption; more are rejected as `overflow`. */
const maxWaiting = 10_000;
/** Message ids that are remembered. */
const maxSeen = 10_000;
/** NIP-59 dates gift wraps back by up to two days; an hour is added for clocks. In seconds. */
const backdating = 2 * 24 * 60 * 60 + 60 * 60;

/**
 * Receives private messages (NIP-17): opens gift wraps, checks that the author of the message signed its seal, and joins messages
 * sent in parts. A message that lies within the overlap of two runs is delivered in both: use its `id` to recognize it.
 */
export async function receivePrivate(options: ReceivePrivateOptions): Promise<Subscription> {
  requireInput(options, isReceiveOptions, 'options');
  const { transport, signer, relays, since, watermarks, signal, onClosed } = options;
  const { verifier = createPureVerifier(), logger = silentLogger, clock = Date.now } = options;
  const { limits = {}, isKnownSender = () => false } = options;
  const me = await signer.getPublicKey();
  const assembly = createMessageAssembly({ limits, isKnownSender, onLost: reportLost, clock });
  const seen = createBoundedSet(maxSeen);
  let waiting = 0;
  let isOver = false;
  /** True after a gift wrap was skipped that has to be read again. */
  let hasSkipped = false;
  let last: Promise<void> = Promise.resolve();

  function guarded(handler: string, call: () => unknown): Promise<void> {
    return Promise.resolve()
      .then(call)
      .then(
        () => {},
        (error: unknown) => logger.error({ err: error, handler }, `${handler} failed`),
      );
  }

  function reportLost(lost: LostMessage): void {
    logger.warn(lost, 'A message in parts was given up');
    void guarded('onLost', () => options.onLost?.(lost));
  }

  function reject(reason: PrivateRejection, wrap: NostrEvent, relay: string): Promise<void> {
    if (reason === 'overflow' || reason === 'signer-failed') hasSkipped = true;
    logger.debug({ reason, eventId: wrap.id, relay }, 'Rejected gift wrap');
    return guarded('onRejected', () => options.onRejected?.({ reason, eventId: wrap.id, relay }));
  }

  async function open(wrap: NostrEvent, relay: string): Promise<void> {
    const unwrapped = await unwrapRumor(wrap, { signer, verifier }).catch(() => null);
    if (isOver) return;
    if (unwrapped === null) return reject('signer-failed', wrap, relay);
    if (!unwrapped.ok) return reject(unwrapped.fault, wrap, relay);
    const createdAt = unwrapped.rumor.created_at * 1_000;
    if (since !== undefined && createdAt < since) return;
    const assembled = assembly.add(unwrapped.rumor);
    if (assembled.type === 'invalid') return reject('part-invalid', wrap, relay);
    if (assembled.type === 'incomplete' || !seen.add(assembled.message.id)) return;
    const { id, pubkey: sender, kind, tags, content } = assembled.message;
    const recipients = recipientsOf({ tags });
    const message: PrivateMessage = { id, sender, kind, content, tags, recipients, createdAt, relay };
    await guarded('onMessage', () => options.onMessage(message));
  }

  /** Runs one task after another, so that messages keep their order and a remote signer is asked once at a time. */
  function enqueue(task: () => Promise<void>): void {
    waiting += 1;
    last = last.then(async () => {
      waiting -= 1;
      if (!isOver)
        await task().catch((error: unknown) => logger.error({ err: error }, 'Opening a gift wrap failed'));
    });
  }

  const filter = {
    kinds: [giftWrapKind],
    '#p': [me],
    ...(since === undefined ? {} : { since: Math.max(0, Math.floor(since / 1_000) - backdating) }),
  };
  const subscription = transport.subscribe(relays, [filter], {
    onEvent(wrap, relay) {
      if (waiting >= maxWaiting) void reject('overflow', wrap, relay);
      else enqueue(() => open(wrap, relay));
    },
    onEose: (relay, result) => enqueue(() => guarded('onEose', () => options.onEose?.(relay, result))),
    ...(onClosed === undefined ? {} : { onClosed }),
    ...(watermarks === undefined ? {} : { watermarks: afterHandling(watermarks) }),
    ...(signal === undefined ? {} : { signal }),
  });
  signal?.addEventListener('abort', close, { once: true });

  /** A position that is ahead of the messages that wait would lose them when the process ends. */
  function afterHandling(positions: Watermarks): Watermarks {
    return {
      get: (relay, key) => positions.get(relay, key),
      async set(relay, key, seconds) {
        enqueue(async () => {
          if (!hasSkipped) await positions.set(relay, key, seconds);
        });
      },
    };
  }

  function close(): void {
    isOver = true;
    signal?.removeEventListener('abort', close);
    subscription.close();
  }

  return { close };
}
