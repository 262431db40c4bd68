/** A service of a platform: the operator's key, and the identifier of the service under it. */
export interface PlatformRef {
  readonly pubkey: string;
  readonly d: string;
}

/** Returns `pubkey:d`. */
export const platformId = ({ pubkey, d }: PlatformRef): string => `${pubkey}:${d}`;
