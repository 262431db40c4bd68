/**
 * A service that accepts jobs: the operator's key and the service's identifier under that key (NIP-01 `d`).
 */
export interface PlatformRef {
  /** The operator's key: lower-case hex on Nostr. It may not contain a colon. */
  readonly pubkey: string;
  /** The service's identifier under that key; '' when it has only one. */
  readonly d: string;
}

/** Returns `pubkey:d`, the key of every index and log record. */
export function platformId(platform: PlatformRef): string {
  return `${platform.pubkey}:${platform.d}`;
}

/** Returns the operator's key in a platform's id. */
export const operatorOf = (id: string): string => id.slice(0, id.indexOf(':'));
