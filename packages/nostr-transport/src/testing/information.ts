import type { RelayLimits } from './limits.ts';

/** The relay information document (NIP-11). */
export interface RelayInformation {
  readonly name: string;
  readonly description: string;
  readonly supported_nips: readonly number[];
  readonly software: string;
  readonly version: string;
  readonly limitation: Readonly<Record<string, boolean | number>>;
}

/** The supported NIPs. */
const supportedNips: readonly number[] = [1, 9, 11, 40, 42, 45, 59];

/** Returns the document with the true `limits` and authentication requirement. */
export function relayInformation(
  name: string,
  limits: RelayLimits,
  auth: { readonly toRead: boolean; readonly toWrite: boolean },
): RelayInformation {
  const past =
    limits.maxPastMs === null ? {} : { created_at_lower_limit: Math.floor(limits.maxPastMs / 1000) };
  return {
    name,
    description: 'An in-process relay for tests and demonstrations. Not for production.',
    supported_nips: supportedNips,
    software: 'https://github.com/bonafide-agents/bonafide',
    version: '0',
    limitation: {
      max_message_length: limits.maxMessageBytes,
      max_subscriptions: limits.maxSubscriptions,
      max_filters: limits.maxFilters,
      max_limit: limits.maxLimit,
      default_limit: limits.defaultLimit,
      max_subid_length: limits.maxSubscriptionIdLength,
      max_event_tags: limits.maxEventTags,
      max_content_length: limits.maxContentLength,
      min_pow_difficulty: 0,
      auth_required: auth.toRead && auth.toWrite,
      payment_required: false,
      restricted_writes: auth.toWrite,
      created_at_upper_limit: Math.floor(limits.maxFutureMs / 1000),
      ...past,
    },
  };
}
