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
}
