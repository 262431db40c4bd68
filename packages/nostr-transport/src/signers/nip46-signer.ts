import {
  bytesToHex,
  isFunction,
  isListOf,
  isLogger,
  isOptions,
  isPort,
  isPositive,
  isText,
  type Logger,
  optional,
  sanitizeRemoteText,
  silentLogger,
} from '@bonafide/internal';
import { TransportError } from '../errors.ts';
import type { EventTemplate, NostrEvent } from '../event/event.ts';
import { checkEventShape, isHex64 } from '../event/event-check.ts';
import { createPureVerifier, type Verifier } from '../event/verifier.ts';
import type { Subscription, Transport } from '../transport.ts';
import { isSigner, isVerifier, requireConfig } from '../valid.ts';
import { createKeySigner } from './key-signer.ts';
import { type BunkerAddress, parseBunkerUri } from './nip46-uri.ts';
import type { Signer } from './signer.ts';

/** Options of {@link createBunkerSigner}. */
export interface BunkerSignerOptions {
  /** The address of the remote signer: `bunker://<public key>?relay=wss://…&secret=…`. */
  readonly uri: string;
  /** Connects to the relays of the remote signer. Closing the signer does not close it. */
  readonly transport: Transport;
  /**
   * The client key. Pass the same signer each time, otherwise the remote signer asks for approval again.
   * Default: a random key.
   */
  readonly client?: Signer;
  /**
   * Permissions to request when connecting, such as `sign_event:5000`. Default: those that the remote signer
   * grants.
   */
  readonly permissions?: readonly string[];
  /**
   * Called with an http(s) address when the remote signer needs the approval of a person; the request waits
   * meanwhile.
   */
  readonly onAuthUrl?: (url: string) => void;
  /** The time limit for one answer in ms, restarted after `onAuthUrl`. Default 30,000. */
  readonly timeoutMs?: number;
  /** Verifies events from the remote signer. Default: pure JavaScript. */
  readonly verifier?: Verifier;
  readonly clock?: () => number;
  readonly logger?: Logger;
}

/** A {@link Signer} with a remote key. Methods reject with `SIGNER_FAILED`, `TIMEOUT` or `CLOSED`. */
export interface BunkerSigner extends Signer {
  /** Connects to the remote signer; the first call of any other method does this too. */
  connect(): Promise<void>;
  /** Closes the subscription; unanswered requests reject with `CLOSED`. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

interface Pending {
  readonly resolve: (result: string) => void;
  readonly reject: (error: TransportError) => void;
  restart(): void;
}

const bunkerMessage = 24_133;
const maxPending = 256;
/**
 * The tolerated clock difference of the remote signer, in seconds: answers dated earlier are still received.
 */
const clockTolerance = 15 * 60;
/** The delay before a request is sent again, in ms. */
const resendAfterMs = 5_000;
/** The time limit for the relays to confirm the subscription, in ms. */
const readyWithinMs = 5_000;

const isBunkerOptions = isOptions({
  uri: isText,
  transport: isPort('subscribe', 'publish'),
  client: optional(isSigner),
  permissions: optional(isListOf(isText)),
  onAuthUrl: optional(isFunction),
  timeoutMs: optional(isPositive),
  verifier: optional(isVerifier),
  clock: optional(isFunction),
  logger: optional(isLogger),
});

/**
 * Creates a signer for a NIP-46 remote signer ("bunker"), which signs and decrypts over relays; the key stays
 * there. Its answers are checked: a returned event must be the requested one, by the announced key, with a
 * valid signature.
 *
 * @throws TransportError `INVALID_INPUT` for a malformed address, `INVALID_CONFIG` for another wrong or an unknown option
 */
export function createBunkerSigner(options: BunkerSignerOptions): BunkerSigner {
  requireConfig(options, isBunkerOptions);
  const {
    transport,
    client = createKeySigner(randomBytes(32)),
    permissions = [],
    timeoutMs = 30_000,
    verifier = createPureVerifier(),
    clock = Date.now,
    logger = silentLogger,
  } = options;
  const bunker: BunkerAddress = parseBunkerUri(options.uri);
  const pending = new Map<string, Pending>();
  let listening: Promise<Subscription> | null = null;
  let connecting: Promise<void> | null = null;
  let identity: Promise<string> | null = null;
  let isClosed = false;

  async function listen(): Promise<Subscription> {
    const me = await client.getPublicKey();
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    const since = Math.floor(clock() / 1000) - clockTolerance;
    const filter = { kinds: [bunkerMessage], authors: [bunker.pubkey], '#p': [me], since };
    const subscription = transport.subscribe(bunker.relays, [filter], {
      onEvent: receive,
      onEose: () => resolve(),
      onClosed: (relay, reason) =>
        logger.warn({ relay, reason }, 'Relay of the remote signer closed the subscription'),
    });
    // Answers are not stored: asking before somebody listens would lose them.
    const timer = setTimeout(resolve, Math.min(readyWithinMs, timeoutMs / 2));
    await ready;
    clearTimeout(timer);
    return subscription;
  }

  async function receive(event: NostrEvent): Promise<void> {
    if (pending.size === 0) return;
    let answer: unknown;
    try {
      answer = JSON.parse(await client.nip44Decrypt(event.pubkey, event.content));
    } catch {
      logger.warn(
        { eventId: event.id },
        'Ignored event: cannot be decrypted as an answer of the remote signer',
      );
      return;
    }
    if (typeof answer !== 'object' || answer === null) return;
    const { id, result, error } = answer as Readonly<Record<string, unknown>>;
    const waiting = typeof id === 'string' ? pending.get(id) : undefined;
    if (waiting === undefined) return;
    if (result === 'auth_url') approve(waiting, error);
    else if (typeof error === 'string' && error !== '')
      waiting.reject(failed(`The remote signer refused: ${sanitizeRemoteText(error, 300)}`));
    else if (typeof result === 'string') waiting.resolve(result);
    else waiting.reject(failed('The remote signer answered without a result.'));
  }

  function approve(waiting: Pending, url: unknown): void {
    const isPage = typeof url === 'string' && /^https?:\/\//i.test(url) && URL.canParse(url);
    if (!isPage || options.onAuthUrl === undefined) {
      waiting.reject(
        failed('The remote signer needs the approval of a person. Pass onAuthUrl to show its page.'),
      );
      return;
    }
    waiting.restart();
    try {
      options.onAuthUrl(url);
    } catch (error) {
      logger.error({ err: error }, 'onAuthUrl failed');
    }
  }

  async function ask(method: string, params: readonly string[]): Promise<string> {
    if (isClosed) throw closed();
    if (pending.size >= maxPending)
      throw failed(`${pending.size} requests wait for the remote signer already. Wait for answers first.`);
    listening ??= listen();
    await listening;
    const id = bytesToHex(randomBytes(16));
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const late = () =>
      reject(
        new TransportError('TIMEOUT', `The remote signer did not answer '${method}' within ${timeoutMs} ms.`),
      );
    let timer = setTimeout(late, timeoutMs);
    pending.set(id, {
      resolve,
      reject,
      restart() {
        clearTimeout(timer);
        timer = setTimeout(late, timeoutMs);
      },
    });
    const answered = new AbortController();
    try {
      send(id, method, params, answered.signal).catch(reject);
      return await promise;
    } finally {
      clearTimeout(timer);
      pending.delete(id);
      answered.abort();
    }
  }

  /**
   * Sends a request repeatedly until it is answered: relays do not store it, so a remote signer that was
   * offline has not seen it.
   */
  async function send(
    id: string,
    method: string,
    params: readonly string[],
    answered: AbortSignal,
  ): Promise<void> {
    const content = await client.nip44Encrypt(bunker.pubkey, JSON.stringify({ id, method, params }));
    const event = await client.signEvent({
      kind: bunkerMessage,
      created_at: Math.floor(clock() / 1000),
      tags: [['p', bunker.pubkey]],
      content,
    });
    for (let round = 0; !answered.aborted; round += 1) {
      const outcomes = await transport.publish(event, bunker.relays, { timeoutMs, signal: answered });
      // Silence may still mean that it arrived; a refusal everywhere cannot. Later ones may be for the repetition.
      const mayHaveArrived = outcomes.some(({ status }) => status === 'accepted' || status === 'silent');
      if (round === 0 && !mayHaveArrived && !answered.aborted) {
        const why = outcomes.map(({ relay, status, message }) => `${relay} ${status}: ${message}`).join('; ');
        throw failed(`No relay accepted the request to the remote signer: ${why}`);
      }
      // The very same event, so that a bunker that has seen it knows it again.
      await sleep(Math.min(resendAfterMs, timeoutMs / 4), answered);
    }
  }

  async function introduce(): Promise<void> {
    const params = [bunker.pubkey, bunker.secret ?? '', permissions.join(',')];
    while (params.at(-1) === '') params.pop();
    const result = await ask('connect', params);
    if (result !== 'ack' && result !== bunker.secret)
      throw failed('The remote signer did not accept the connection.');
  }

  /** Connects once; after a failure the next call tries again. */
  function connect(): Promise<void> {
    connecting ??= introduce().catch((error: unknown) => {
      connecting = null;
      throw error;
    });
    return connecting;
  }

  async function call(method: string, params: readonly string[]): Promise<string> {
    await connect();
    return ask(method, params);
  }

  async function identify(): Promise<string> {
    const pubkey = await call('get_public_key', []);
    if (!isHex64(pubkey)) throw failed('The remote signer returned a malformed public key.');
    return pubkey;
  }

  function getPublicKey(): Promise<string> {
    identity ??= identify().catch((error: unknown) => {
      identity = null;
      throw error;
    });
    return identity;
  }

  async function close(): Promise<void> {
    isClosed = true;
    for (const waiting of pending.values()) waiting.reject(closed());
    const subscription = await listening?.catch(() => null);
    subscription?.close();
  }

  return {
    connect,
    getPublicKey,
    async signEvent({ kind, created_at, tags, content }) {
      const pubkey = await getPublicKey();
      const result = await call('sign_event', [JSON.stringify({ kind, created_at, tags, content })]);
      const checked = checkEventShape(parse(result), unbounded);
      if (!checked.ok || !verifier.verify(checked.event)) {
        throw failed('The remote signer returned something other than a signed event.');
      }
      const { event } = checked;
      if (event.pubkey !== pubkey || !isSame(event, { kind, created_at, tags, content })) {
        throw failed('The remote signer signed a different event, or with another key.');
      }
      return event;
    },
    nip44Encrypt: (recipientPubkey, plaintext) => call('nip44_encrypt', [recipientPubkey, plaintext]),
    nip44Decrypt: (senderPubkey, ciphertext) => call('nip44_decrypt', [senderPubkey, ciphertext]),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const unbounded = { maxEventChars: Number.POSITIVE_INFINITY, maxTags: Number.POSITIVE_INFINITY };

function isSame(event: NostrEvent, asked: EventTemplate): boolean {
  const fields = ({ kind, created_at, tags, content }: EventTemplate) =>
    JSON.stringify([kind, created_at, tags, content]);
  return fields(event) === fields(asked);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Resolves after `ms`, or when `signal` aborts. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

const randomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

function closed(): TransportError {
  return new TransportError('CLOSED', 'The signer was closed. Create a new one.');
}

function failed(message: string): TransportError {
  return new TransportError('SIGNER_FAILED', message);
}
