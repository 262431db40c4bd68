import * as z from 'zod';
import * as entries from '../registry/entry.ts';
import * as rank from '../registry/rank.ts';
import * as tier from '../registry/relay-tier.ts';
import * as status from '../registry/status.ts';
import * as store from '../registry/store.ts';
import * as relays from '../relays/rank-relays.ts';
import { checked } from '../valid.ts';

const text = z.string();
const texts = z.array(text);
const amount = z.number().min(0);
const share = z.number().min(0).max(1);
const word = text.nullish();
const card = z.looseObject({ name: word, about: word });
const profile = z.looseObject({ name: word, about: word }).nullable();
const observation = z.looseObject({
  at: z.number(),
  ok: z.boolean(),
  latencyMs: z.number().nullable(),
  interruptions: amount,
  fresh: amount,
  delivered: amount,
  wasted: amount,
});
const standing = z.looseObject({
  tier: z.enum(['persistent', 'polled', 'sampled']),
  score: z.number().nullable(),
  changedAt: z.number(),
});
const policy = z
  .strictObject({
    promoteAt: z.number(),
    demoteAt: z.number(),
    dwellMs: amount,
    smoothing: share,
    maxPersistent: amount,
  })
  .optional();
const current = z.looseObject({
  status: z.enum(status.platformStatuses),
  statusBefore: text.nullable(),
  quarantinedUntilAt: z.number().nullable(),
});
const causes = [
  'expired',
  'deleted',
  'quarantine-over',
  'evaluating',
  'partner',
  'rejected',
  'unresponsive',
] as const;
const experience = z.array(
  z.looseObject({
    relay: text,
    successes: amount,
    failures: amount,
    latencyMs: z.number().nullable(),
  }),
);

/**
 * Returns the display name of a platform: its card's name, else its profile's, else its identifier. Remote
 * text. Pure.
 *
 * @throws DiscoveryError `INVALID_INPUT`
 */
export const platformName = checked(entries.platformName, 'platformName', {
  entry: z.looseObject({ card, profile, d: text }),
});

/**
 * Returns the card for searching. The profile of its key stands in for a missing name or description. Pure.
 *
 * @throws DiscoveryError `INVALID_INPUT`
 */
export const searchableCard = checked(entries.searchableCard, 'searchableCard', {
  entry: z.looseObject({ card, profile }),
});

/**
 * Returns the status of a platform whose first card arrived. Pure.
 *
 * @throws DiscoveryError `INVALID_INPUT`
 */
export const firstStatus = checked(status.firstStatus, 'firstStatus', { offers: z.boolean() });

/**
 * Rates an observation, 0..1, by yield and latency, reduced by waste and interruptions; 0 without an answer.
 * A fast relay without events gets .64, which keeps its tier by default. Pure.
 *
 * @throws DiscoveryError `INVALID_INPUT`
 */
export const rateObservation = checked(tier.rateObservation, 'rateObservation', { observation });

/**
 * Returns the standing after one more observation: at most one tier up or down, and not before `dwellMs`. The
 * gap between both thresholds prevents flapping. Pure.
 *
 * @throws DiscoveryError `INVALID_INPUT`
 */
export const nextStanding = checked(tier.nextStanding, 'nextStanding', { standing, observation, policy });

/**
 * Limits the persistent relays to the best `maxPersistent`, and keeps at least one, ignoring the dwell time.
 * `incumbent` is the relay that was demoted just now: if it was the last one, it stays unless another is
 * clearly better. Pure.
 *
 * @throws DiscoveryError `INVALID_INPUT`
 */
export const fitTiers = checked(tier.fitTiers, 'fitTiers', {
  standings: z.map(text, standing),
  now: z.number(),
  policy,
  incumbent: word,
});

/**
 * Returns the next status, as a pure reducer. Returns the same object if nothing changes, and a message if
 * the transition is refused. A platform that returns from quarantine or archive keeps its rejection; an
 * interrupted evaluation starts over.
 *
 * @throws DiscoveryError `INVALID_INPUT`
 */
export const nextStatus = checked(status.nextStatus, 'nextStatus', {
  // The caller's own object, which is returned when nothing changes.
  current: z.custom<object>((given) => current.safeParse(given).success, 'must be a status'),
  cause: z.union([
    z.looseObject({ type: z.literal('card'), offers: z.boolean() }),
    z.looseObject({
      type: z.enum(causes),
    }),
  ]),
  now: z.number(),
});

/**
 * Returns the sort key of an entry in `find`, ascending: 0 ≤ rank < 1 for fresh cards, 1 ≤ rank < 2 for stale ones. The order is:
 * recommendations by known recommenders, liveness, trust. Recommendations and liveness are rounded to a few levels, so
 * that the next criterion decides between similar entries. Pure.
 *
 * @throws DiscoveryError `INVALID_INPUT`
 */
export const rankOf = checked(rank.rankOf, 'rankOf', {
  entry: z.looseObject({
    recommendation: share,
    trustScore: share.nullable(),
    stale: z.boolean(),
    experience,
    card: z.looseObject({ expiresAt: z.number().nullable(), createdAt: z.number() }),
  }),
});

/**
 * Returns the eviction class of an entry: 0 archived, 1 quarantined, 2 unknown, 3 recommended, trusted or reached before. Platforms
 * that were evaluated stay, rejected ones included, so that they are not tried again. What a card says of itself does not matter. Pure.
 *
 * @throws DiscoveryError `INVALID_INPUT`
 */
export const evictionClassOf = checked(store.evictionClassOf, 'evictionClassOf', {
  entry: z.looseObject({ status: text, trustScore: share.nullable(), recommendation: share, experience }),
});

/**
 * Ranks the relays of a platform, best first: hints of the card, relays that sent the card, the author's
 * relay list, hints of recommendations, relays of this registry. Measured success overrides this order:
 * relays that worked come first, relays that keep failing come last.
 *
 * @throws DiscoveryError `INVALID_INPUT`
 */
export const rankRelays = checked(relays.rankRelays, 'rankRelays', {
  entry: z.looseObject({
    relayHints: texts,
    sightings: z.array(z.looseObject({ relay: text, lastSeenAt: z.number() })),
    authorRelays: z.looseObject({ urls: texts }).nullable(),
    experience,
  }),
  pool: texts,
  hints: texts.optional(),
});
