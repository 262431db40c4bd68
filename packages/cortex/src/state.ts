/**
 * Where the cortex keeps its beliefs, history and marks, so that they survive a restart (CTX-21). Texts, by key:
 * anything that can hold a string can be one. When it fails, the cortex goes on in memory and says so.
 */
export interface StatePort {
  /** Keeps `text` under `key`, replacing what was there, all or nothing. Keys are lower-case letters, digits and dashes. */
  store(key: string, text: string): Promise<void>;
  /** What was last stored under `key`, null when nothing was. */
  retrieve(key: string): Promise<string | null>;
}
