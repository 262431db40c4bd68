import type { EventNames } from '@bonafide/internal';
import type { Recommendation } from '../card/recommendation.ts';
import type { RegistryEntry } from './entry.ts';
import type { RejectedCard } from './rejections.ts';
import type { RelayTier } from './relay-tier.ts';
import type { PlatformStatus } from './status.ts';

/** The events of a registry. Each is emitted after the change is durable. */
export interface DiscoveryEvents {
  discovered: { readonly entry: RegistryEntry };
  updated: { readonly entry: RegistryEntry; readonly before: RegistryEntry };
  status: { readonly entry: RegistryEntry; readonly before: PlatformStatus };
  stale: { readonly entry: RegistryEntry };
  archived: { readonly entry: RegistryEntry };
  rejected: RejectedCard;
  /** A new or newer recommendation was stored. */
  recommended: { readonly recommendation: Recommendation };
  /** A relay moved to another tier. */
  tier: {
    readonly relay: string;
    readonly before: RelayTier;
    readonly after: RelayTier;
    readonly score: number | null;
  };
}

/** The names of all events. */
export const discoveryEventNames: EventNames<DiscoveryEvents> = {
  discovered: true,
  updated: true,
  status: true,
  stale: true,
  archived: true,
  rejected: true,
  recommended: true,
  tier: true,
};
