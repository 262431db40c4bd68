import type { AddressPolicy, NostrEvent } from '@bonafide/nostr-transport';
import type { CardRejection } from '../card/assess.ts';
import type { CapabilityCard } from '../card/card.ts';
import type { JsonValue } from '../card/content.ts';
import { boundDiff, diffCards } from '../card/diff.ts';
import { matchCard, type Synonyms, termsOfCard } from '../card/match.ts';
import {
  type AuditRow,
  type AuthorProfile,
  type RegistryEntry,
  searchableCard,
  withSighting,
} from './entry.ts';
import { firstStatus, nextStatus, type StatusCause, type StatusState } from './status.ts';

/** A change of one entry: its next state and its new audit rows. */
export interface EntryChange {
  readonly entry: RegistryEntry;
  readonly audit: readonly AuditRow[];
}

/** The circumstances in which a card arrives. */
export interface CardContext {
  readonly relay: string;
  readonly now: number;
  readonly stale: boolean;
  /** Capabilities that make a platform a candidate. */
  readonly wanted: readonly string[];
  readonly synonyms: Synonyms;
  readonly addresses: AddressPolicy;
  /** Number of other entries of the same key, for a new entry. */
  readonly cardsOfKey: number;
}

/** Returns the entry after a verified card that is newer than the stored one. Pure. */
export function applyCard(
  current: RegistryEntry | null,
  card: CapabilityCard,
  event: NostrEvent,
  context: CardContext,
): EntryChange {
  const { now, relay, stale } = context;
  // A profile that was not found may exist by now.
  const profile = current?.profile?.eventId == null ? null : current.profile;
  const terms = termsOfCard(searchableCard({ card, profile }));
  // The card is offered by its own words: a profile stands in for them in searches only.
  const named = profile === null ? new Set(terms) : null;
  const offers = context.wanted.some(
    (want) => matchCard(card, want, context.synonyms, named).pool === 'candidate',
  );
  // A stale card does not end a quarantine.
  const causes: readonly StatusCause[] =
    stale && current?.status === 'quarantined' ? [] : [{ type: 'card', offers }];
  const before: StatusState = current ?? firstStatus(offers);
  const after = causes.reduce<StatusState>((state, cause) => {
    const step = nextStatus(state, cause, now);
    return step.ok ? step.next : state;
  }, before);

  const entry: RegistryEntry = {
    pubkey: card.pubkey,
    d: card.d,
    canonicalD: card.canonicalD,
    discoveredAt: current?.discoveredAt ?? now,
    lastSeenAt: Math.max(now, current?.lastSeenAt ?? 0),
    supportedKinds: card.kinds,
    relayHints: card.relayHints,
    trustScore: current?.trustScore ?? null,
    card,
    event,
    profile,
    sightings: withSighting([], relay, now),
    experience: current?.experience ?? [],
    // A new card is a reason to look the relay list up again.
    authorRelays: current?.authorRelays == null ? null : { ...current.authorRelays, checkedAt: 0 },
    stale,
    recommendation: current?.recommendation ?? 0,
    ordinal: current?.ordinal ?? context.cardsOfKey + 1,
    terms,
    deletedAt: current?.deletedAt ?? null,
    revision: (current?.revision ?? 0) + 1,
    ...statusOf(after),
  };
  const row = auditRow({ at: now, eventId: event.id });
  if (current === null) {
    return {
      entry,
      audit: [
        row({
          what: 'discovered',
          status: { before: null, after: entry.status },
          reason: entry.statusReason,
        }),
      ],
    };
  }
  const audit = [
    row({ what: 'updated', diff: boundDiff(diffCards(current.card, card)), reason: `seen at ${relay}` }),
  ];
  if (after.status !== before.status) {
    const status = { before: before.status, after: after.status };
    audit.push(row({ what: 'status', status, reason: after.statusReason }));
  }
  return { entry, audit };
}

/** Returns the entry with the profile of its key. Pure. */
export function withProfile(current: RegistryEntry, profile: AuthorProfile): EntryChange {
  const terms = termsOfCard(searchableCard({ card: current.card, profile }));
  return { entry: { ...current, profile, terms, revision: current.revision + 1 }, audit: [] };
}

/**
 * Returns the entry after its newest card was seen at a relay; `null` if that is known. Adds no audit row.
 * Pure.
 */
export function addSighting(current: RegistryEntry, relay: string, now: number): EntryChange | null {
  if (current.sightings.some((sighting) => sighting.relay === relay)) return null;
  const entry: RegistryEntry = {
    ...current,
    lastSeenAt: Math.max(now, current.lastSeenAt),
    sightings: withSighting(current.sightings, relay, now),
    revision: current.revision + 1,
  };
  return { entry, audit: [] };
}

/**
 * Returns the entry after a transition; `null` if nothing changes; a message if the transition is refused.
 * Pure.
 */
export function changeStatus(
  current: RegistryEntry,
  cause: StatusCause,
  context: {
    readonly now: number;
    readonly eventId?: string | null;
    readonly evidence?: JsonValue;
    readonly deletedAt?: number;
  },
): EntryChange | null | { readonly refused: string } {
  const step = nextStatus(current, cause, context.now);
  if (!step.ok) return { refused: step.message };
  const deletedAt = Math.max(current.deletedAt ?? 0, context.deletedAt ?? 0) || null;
  if (step.next === current && deletedAt === current.deletedAt) return null;
  const entry: RegistryEntry = {
    ...current,
    ...statusOf(step.next),
    deletedAt,
    revision: current.revision + 1,
  };
  const row = auditRow({ at: context.now, eventId: context.eventId ?? null })({
    what: 'status',
    status: { before: current.status, after: entry.status },
    reason: entry.statusReason,
    evidence: context.evidence ?? null,
  });
  return { entry, audit: [row] };
}

/** Returns the entry with another display copy of the matrix's trust; `null` if it is the same. Pure. */
export function changeTrust(
  current: RegistryEntry,
  trustScore: number | null,
  context: { readonly now: number; readonly evidence?: JsonValue },
): EntryChange | null {
  if (current.trustScore === trustScore) return null;
  const row = auditRow({ at: context.now, eventId: null })({
    what: 'trust',
    trust: { before: current.trustScore, after: trustScore },
    reason: 'set by the caller',
    evidence: context.evidence ?? null,
  });
  return { entry: { ...current, trustScore, revision: current.revision + 1 }, audit: [row] };
}

/** Returns the entry with its card marked as stale; `null` if it is. Pure. */
export function markStale(current: RegistryEntry, now: number): EntryChange | null {
  if (current.stale) return null;
  const row = auditRow({ at: now, eventId: null })({ what: 'stale', reason: 'card older than 30 days' });
  return { entry: { ...current, stale: true, revision: current.revision + 1 }, audit: [row] };
}

/** Returns the reason why a valid card is rejected, or `null`. */
export function rejectionByDeletion(
  current: RegistryEntry | null,
  deletedAt: number,
  createdAt: number,
): CardRejection | null {
  return createdAt <= Math.max(current?.deletedAt ?? 0, deletedAt) ? 'deleted' : null;
}

function statusOf({ status, statusBefore, quarantinedUntilAt, statusReason }: StatusState): StatusState {
  return { status, statusBefore, quarantinedUntilAt, statusReason };
}

const auditRow =
  (base: Pick<AuditRow, 'at' | 'eventId'>) =>
  (row: Pick<AuditRow, 'what' | 'reason'> & Partial<AuditRow>): AuditRow => ({
    status: null,
    trust: null,
    diff: null,
    evidence: null,
    ...base,
    ...row,
  });
