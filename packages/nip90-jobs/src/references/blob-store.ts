/**
 * Where texts are put that are too large for an event (JOB-3): a customer's inputs, a provider's results.
 * {@link createBlossomStore} is one; so is any server that gives what it was given at an address that ends in its hash.
 */
export interface BlobStore {
  /**
   * Stores bytes for whoever knows their address, and gives an `https://` address whose last part is their SHA-256, with or
   * without an extension: whoever fetches it checks what it gets against it. Putting the same bytes again gives the same
   * address.
   */
  put(
    bytes: Uint8Array,
    options: { readonly sha256: string; readonly contentType: string; readonly signal?: AbortSignal },
  ): Promise<{ readonly url: string }>;
}
