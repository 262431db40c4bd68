import {
  bytesToHex,
  hexToBytes,
  isAmount,
  isOptions,
  isPort,
  isRecord,
  isText,
  optional,
} from '@bonafide/internal';
import { decrypt, encrypt, getConversationKey } from 'nostr-tools/nip44';
import { finalizeEvent, getPublicKey } from 'nostr-tools/pure';
import { TransportError } from '../errors.ts';
import type { EventTemplate, NostrEvent } from '../event/event.ts';
import { checkEventShape, eventId, isHex64 } from '../event/event-check.ts';
import { rememberSigned } from '../event/signed-events.ts';
import { isTagList, requireConfig, requireInput } from '../valid.ts';
import { SecretKey } from './secret-key.ts';
import type { Signer } from './signer.ts';

/** The part of the package `tiny-secp256k1` that signs. */
export interface TinySecpSigningLibrary {
  signSchnorr(message: Uint8Array, secretKey: Uint8Array, randomness: Uint8Array): Uint8Array;
}

/** Options of {@link createKeySigner}. */
export interface KeySignerOptions {
  /**
   * Library that signs, such as libsecp256k1 compiled to WebAssembly by `tiny-secp256k1`. Signing in pure JavaScript takes
   * some ten times as long, because it verifies each signature.
   * @default pure JavaScript
   * @example
   * createKeySigner(secret, { library: await import('tiny-secp256k1') })
   */
  readonly library?: TinySecpSigningLibrary;
}

const isKeyOptions = isOptions({ library: optional(isPort('signSchnorr')) });
const isTemplate = isRecord({ kind: isAmount, created_at: isAmount, tags: isTagList, content: isText });

/**
 * Creates a signer with a key in memory. `JSON.stringify`, `util.inspect` and error messages never show the
 * key.
 *
 * @param secretKey - 32 bytes, 64 hex digits, an nsec, or the result of `loadSecretKey`.
 * @throws TransportError `SECRET_KEY_INVALID`, `INVALID_CONFIG`
 */
export function createKeySigner(
  secretKey: SecretKey | Uint8Array | string,
  options: KeySignerOptions = {},
): Signer {
  const { library } = requireConfig(options, isKeyOptions);
  const secret = secretKey instanceof SecretKey ? secretKey : SecretKey.from(secretKey);
  const pubkey = getPublicKey(secret.reveal());

  return {
    async getPublicKey() {
      return pubkey;
    },
    async signEvent(template) {
      return sign(requireInput(template, isTemplate, 'event'), pubkey, secret, library);
    },
    async nip44Encrypt(recipientPubkey, plaintext) {
      return encrypt(requireInput(plaintext, isText, 'plaintext'), conversation(secret, recipientPubkey));
    },
    async nip44Decrypt(senderPubkey, ciphertext) {
      return decrypted(requireInput(ciphertext, isText, 'ciphertext'), conversation(secret, senderPubkey));
    },
  };
}

function sign(
  { kind, created_at, tags, content }: EventTemplate,
  pubkey: string,
  secret: SecretKey,
  library: TinySecpSigningLibrary | undefined,
): NostrEvent {
  const copy = { kind, created_at, tags: tags.map((tag) => [...tag]), content };
  // Rebuilt from its fields, so that nostr-tools' mark of being verified does not travel. All share one text of the key.
  const signed = checkEventShape(
    library === undefined
      ? { ...finalizeEvent(copy, secret.reveal()), pubkey }
      : signWith(library, { ...copy, pubkey }, secret),
    unbounded,
  );
  if (!signed.ok)
    throw new TransportError(
      'INVALID_INPUT',
      'The event to sign is malformed: see NIP-01 for the types of its fields.',
    );
  // nostr-tools verifies what it signs, so that `publish` need not.
  if (library === undefined) rememberSigned(signed.event);
  return signed.event;
}

function signWith(
  library: TinySecpSigningLibrary,
  unsigned: Omit<NostrEvent, 'id' | 'sig'>,
  secret: SecretKey,
): NostrEvent {
  const id = eventId(unsigned);
  const randomness = crypto.getRandomValues(new Uint8Array(32));
  return {
    ...unsigned,
    id,
    sig: bytesToHex(library.signSchnorr(hexToBytes(id), secret.reveal(), randomness)),
  };
}

const unbounded = { maxEventChars: Number.POSITIVE_INFINITY, maxTags: Number.POSITIVE_INFINITY };

function decrypted(ciphertext: string, key: Uint8Array): string {
  try {
    return decrypt(ciphertext, key);
  } catch (cause) {
    throw new TransportError(
      'INVALID_INPUT',
      'The text is not encrypted for this key with NIP-44 version 2.',
      { cause },
    );
  }
}

function conversation(secret: SecretKey, pubkey: string): Uint8Array {
  if (!isHex64(pubkey))
    throw new TransportError('INVALID_INPUT', 'A public key has 64 lower-case hex digits.');
  return getConversationKey(secret.reveal(), pubkey);
}
