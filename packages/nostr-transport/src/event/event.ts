/** An unsigned event. `created_at` is in seconds since epoch (NIP-01). */
export interface EventTemplate {
  readonly kind: number;
  readonly created_at: number;
  readonly tags: readonly (readonly string[])[];
  readonly content: string;
}

/** A signed event (NIP-01). Id, key and signature are lower-case hex. */
export interface NostrEvent extends EventTemplate {
  readonly id: string;
  readonly pubkey: string;
  readonly sig: string;
}

/** A subscription filter (NIP-01). `since` and `until` are inclusive, in seconds. */
export interface Filter {
  readonly ids?: readonly string[];
  readonly authors?: readonly string[];
  readonly kinds?: readonly number[];
  readonly since?: number;
  readonly until?: number;
  readonly limit?: number;
  readonly [tag: `#${string}`]: readonly string[] | undefined;
}
