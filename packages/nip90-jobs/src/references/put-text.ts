import { sha256Hex } from '@bonafide/internal';
import type { ContentReference } from '../codec/index.ts';
import { JobError } from '../errors.ts';
import type { BlobStore } from './blob-store.ts';
import { hashOfAddress } from './fetch-reference.ts';

/**
 * Stores a text and returns its reference.
 * @throws {JobError} `REFERENCE_INVALID` when the store returns an address that does not end in the hash
 */
export async function putText(
  blobs: BlobStore,
  text: string,
  options: { readonly mime: string; readonly signal?: AbortSignal | undefined },
): Promise<ContentReference> {
  const { mime, signal } = options;
  const bytes = new TextEncoder().encode(text);
  const sha256 = sha256Hex(bytes);
  const { url } = await blobs.put(bytes, { sha256, contentType: mime, ...(signal ? { signal } : {}) });
  if (hashOfAddress(url) !== sha256)
    throw new JobError(
      'REFERENCE_INVALID',
      `A blob was stored at ${url}, which does not end in its SHA-256.`,
    );
  return { url, sha256, size: bytes.length, mime };
}
