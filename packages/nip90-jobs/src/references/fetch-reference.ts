import { download, sha256Hex, TooManyBytesError } from '@bonafide/internal';
import { type AddressGuardOptions, createAddressGuard } from '@bonafide/nostr-transport';
import * as z from 'zod';
import { JobError } from '../errors.ts';
import { readConfig, readInput, references, signal as signalSchema } from '../option-schemas.ts';

/** Limits for downloads from addresses that other parties chose. */
export interface ReferenceOptions {
  /**
   * Permitted addresses.
   * @default public addresses over TLS
   */
  readonly addresses?: AddressGuardOptions;
  /**
   * Maximum size in bytes.
   * @default 10_485_760
   */
  readonly maxBytes?: number;
  /**
   * Time limit in ms.
   * @default 30_000
   */
  readonly timeoutMs?: number;
}

const forbidden = 'A reference points to an address that is not permitted.';

const tooLarge = (maxBytes: number) =>
  new JobError('REFERENCE_TOO_LARGE', `What a reference points to is larger than ${maxBytes} bytes.`);

/** Downloads the file at an address. */
export type FetchReference = (
  url: string,
  options: {
    readonly sha256?: string | null;
    /** Announced size in bytes; a file of another size is rejected. */
    readonly size?: number;
    /** True for an address without fixed content, such as an API: its path is not read as a hash. */
    readonly mutable?: boolean;
    readonly signal: AbortSignal;
  },
) => Promise<Uint8Array>;

const urlSchema = z.string();
/** A description of the file may be given as it is: its other fields are ignored. */
const askedSchema = z.object({
  sha256: z.string().nullish(),
  size: z.int().min(0).optional(),
  mutable: z.boolean().optional(),
  signal: signalSchema,
});

/** Returns the SHA-256 in the last path segment of an address (Blossom), or null. */
export function hashOfAddress(url: string): string | null {
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  return /^([0-9a-f]{64})(\.[a-z0-9]{1,10})?$/.exec(last)?.[1] ?? null;
}

/**
 * Creates a guarded downloader: HTTPS only, public addresses only (the checked address is the connected one),
 * no redirects, a size limit, and verification against the hash when there is one. Rejects with
 * `REFERENCE_FORBIDDEN`, `REFERENCE_TOO_LARGE`, `REFERENCE_INVALID` (wrong hash or size) or
 * `REFERENCE_UNAVAILABLE`.
 */
export function createReferenceFetcher(options: ReferenceOptions = {}): FetchReference {
  readConfig(references, options);
  const { addresses, timeoutMs = 30_000 } = options;
  const limit = options.maxBytes ?? 10 * 1024 * 1024;
  const guard = createAddressGuard(addresses);

  return async (url, asked) => {
    readInput(urlSchema, url, 'url');
    readInput(askedSchema, asked, 'options');
    const { sha256, size, mutable = false, signal } = asked;
    if (size !== undefined && size > limit) throw tooLarge(limit);
    const parsed = URL.parse(url);
    // The guard judges addresses of relays; host, port and whether TLS is needed are the same question.
    const assessed =
      parsed !== null && /^https?:$/.test(parsed.protocol)
        ? guard.assess(url.trim().replace(/^http/i, 'ws'))
        : null;
    if (parsed === null || assessed === null || !assessed.ok)
      throw new JobError('REFERENCE_FORBIDDEN', forbidden);
    const expected = sha256 ?? (mutable ? null : hashOfAddress(url));
    const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const maxBytes = Math.min(size ?? limit, limit);
    const bytes = await download(parsed, { lookup: guard.lookup, maxBytes, signal: within }).catch(
      (error: unknown) => {
        if (error instanceof TooManyBytesError) throw tooLarge(maxBytes);
        signal.throwIfAborted();
        const isForbidden = error instanceof Error && 'code' in error && error.code === 'ADDRESS_FORBIDDEN';
        throw isForbidden
          ? new JobError('REFERENCE_FORBIDDEN', forbidden, {
              cause: error,
            })
          : new JobError('REFERENCE_UNAVAILABLE', 'What a reference points to could not be fetched.', {
              cause: error,
            });
      },
    );
    if (expected !== null && sha256Hex(bytes) !== expected)
      throw new JobError('REFERENCE_INVALID', 'What a reference points to is not what its hash says.');
    if (size !== undefined && bytes.length !== size)
      throw new JobError('REFERENCE_INVALID', 'What a reference points to is shorter than it says.');
    return bytes;
  };
}
