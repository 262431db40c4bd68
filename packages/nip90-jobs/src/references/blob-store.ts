/**
 * Storage for texts that are too large for an event: a customer's inputs, a provider's results. {@link
 * createBlossomStore} is one implementation; any server qualifies that serves a file at an address ending in
 * its hash.
 */
export interface BlobStore {
  /**
   * Stores bytes publicly and returns an `https://` address whose last path segment is their SHA-256, with or
   * without an extension; readers verify the file against it. Storing the same bytes again returns the same
   * address.
   */
  put(
    bytes: Uint8Array,
    options: { readonly sha256: string; readonly contentType: string; readonly signal?: AbortSignal },
  ): Promise<{ readonly url: string }>;
}
