import { hexToBytes, isOptions, isRecord, isText, optional, requireNodeBuiltin } from '@bonafide/internal';
import { decode } from 'nostr-tools/nip19';
import { getPublicKey } from 'nostr-tools/pure';
import { TransportError } from '../errors.ts';
import { requireConfig } from '../valid.ts';

const shown = '[SecretKey]';

/**
 * A secret key that is not printed by accident: text, JSON and `util.inspect` show a placeholder. {@link
 * SecretKey.reveal} returns the bytes.
 */
export class SecretKey {
  readonly #bytes: Uint8Array;

  private constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /**
   * Creates a key.
   *
   * @param key - 32 bytes, 64 hex digits or an nsec.
   * @throws TransportError `SECRET_KEY_INVALID`; the message does not quote the key
   */
  static from(key: Uint8Array | string): SecretKey {
    const bytes =
      typeof key === 'string' ? bytesOf(key.trim()) : key instanceof Uint8Array ? Uint8Array.from(key) : null;
    if (bytes === null || bytes.length !== 32 || !isOnCurve(bytes)) {
      throw new TransportError(
        'SECRET_KEY_INVALID',
        'The secret key is malformed. Pass 32 bytes, 64 hex digits or an nsec.',
      );
    }
    return new SecretKey(bytes);
  }

  /** Returns a copy of the 32 bytes. Keep it no longer than needed. */
  reveal(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }

  toString(): string {
    return shown;
  }

  toJSON(): string {
    return shown;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return shown;
  }
}

function bytesOf(text: string): Uint8Array | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return hexToBytes(text);
  try {
    const decoded = decode(text);
    return decoded.type === 'nsec' ? decoded.data : null;
  } catch {
    return null; // The library's error may quote the key.
  }
}

function isOnCurve(bytes: Uint8Array): boolean {
  try {
    getPublicKey(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Sources of the secret key. */
export interface SecretKeySources {
  /**
   * The name of an environment variable. It takes precedence over the file and is **removed** after reading,
   * so that child processes do not inherit it.
   */
  readonly env?: string;
  /** The path of a file that holds the key and nothing else, with mode 0600. */
  readonly file?: string;
  /** Default `process.env`. */
  readonly environment?: Record<string, string | undefined>;
}

const isSources = isOptions({
  env: optional(isText),
  file: optional(isText),
  environment: optional(isRecord({})),
});

/**
 * Reads the secret key as hex or nsec from the environment or from a file of mode 0600.
 *
 * @throws TransportError `SECRET_KEY_MISSING`, `SECRET_FILE_UNSAFE`, `SECRET_KEY_INVALID`; the messages do
 *   not quote the key
 */
export async function loadSecretKey(sources: SecretKeySources): Promise<SecretKey> {
  const {
    env,
    file,
    environment = globalThis.process?.env ?? {},
  } = requireConfig(sources, isSources, 'sources');
  const fromEnvironment = env === undefined ? undefined : environment[env];
  if (env !== undefined && fromEnvironment !== undefined && fromEnvironment !== '') {
    delete environment[env];
    return SecretKey.from(fromEnvironment);
  }
  if (file !== undefined) return SecretKey.from(await readPrivateFile(file));
  throw new TransportError(
    'SECRET_KEY_MISSING',
    env === undefined
      ? 'The source of the secret key is missing. Pass env or file.'
      : `The secret key is missing. Set ${env}, or pass a file of mode 0600.`,
  );
}

/**
 * Reads a private file. The mode is read from the open file, so that the file cannot be replaced in between.
 */
async function readPrivateFile(path: string): Promise<string> {
  const { constants, promises } = requireNodeBuiltin<typeof import('node:fs')>('node:fs');
  let handle: Awaited<ReturnType<typeof promises.open>>;
  try {
    handle = await promises.open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') {
      throw new TransportError('SECRET_KEY_MISSING', `The file ${path} does not exist.`, { cause });
    }
    const why = code === 'ELOOP' ? 'is a symbolic link; name the file itself' : `cannot be opened (${code})`;
    throw new TransportError('SECRET_FILE_UNSAFE', `${path} ${why}.`, { cause });
  }
  try {
    const stats = await handle.stat();
    const mode = stats.mode & 0o777;
    if (!stats.isFile() || stats.size > 4_096) {
      throw new TransportError('SECRET_FILE_UNSAFE', `${path} is not a regular file of at most 4,096 bytes.`);
    }
    if (process.platform !== 'win32' && mode !== 0o600) {
      const octal = mode.toString(8).padStart(4, '0');
      throw new TransportError(
        'SECRET_FILE_UNSAFE',
        `${path} has mode ${octal}, so other users may read it. Run: chmod 600 ${path}`,
      );
    }
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
