/** A stored text with the number of its version. */
export interface StoredText {
  readonly text: string;
  /** 1 for the first version, then counted up. */
  readonly revision: number;
}

/** Operations that let several processes of one agent use a state. */
export interface SharedState {
  /** Returns the text under `key` with its revision; null without one. */
  read(key: string): Promise<StoredText | null>;
  /**
   * Replaces the text under `key` if its revision is still `revision` (0 for a key without a text), and returns true.
   * Returns false, and changes nothing, when another writer was first.
   */
  swap(key: string, text: string, revision: number): Promise<boolean>;
  /**
   * Acquires or renews the lease `name` for `holder` until `until`. Returns false while another holder's lease has not
   * expired at `now`. Times are in ms since epoch.
   */
  lease(
    name: string,
    holder: string,
    times: { readonly now: number; readonly until: number },
  ): Promise<boolean>;
  /** Ends the lease of `holder`. No effect for another holder. */
  release(name: string, holder: string): Promise<void>;
}

/**
 * Storage of beliefs, history and marks as text by key, so that they survive a restart. Any key-value store can
 * implement it. When it fails, the cortex continues in memory and logs the failure.
 */
export interface StatePort {
  /**
   * Stores `text` under `key` and replaces the previous text atomically. Keys consist of lower-case letters, digits
   * and dashes.
   */
  store(key: string, text: string): Promise<void>;
  /** Returns the text last stored under `key`; null without one. */
  retrieve(key: string): Promise<string | null>;
  /** Compare-and-set and leases. Without it, one process at a time may use the state. */
  readonly shared?: SharedState;
}
