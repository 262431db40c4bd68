/** All statuses of a platform. */
export const platformStatuses = [
  'discovered',
  'candidate',
  'evaluating',
  'partner',
  'rejected',
  'quarantined',
  'archived',
] as const;

/**
 * Status of a platform. `discovered`: its card is known. `candidate`: it offers a wanted capability.
 * `evaluating`: it is being tested. `partner` and `rejected`: the result of that. `quarantined`: excluded for
 * a time. `archived`: its card was deleted or expired.
 */
export type PlatformStatus = (typeof platformStatuses)[number];

/** The cause of a transition. */
export type StatusCause =
  /**
   * A card arrived that is newer than the stored one. `offers`: it has a wanted capability.
   */
  | { readonly type: 'card'; readonly offers: boolean }
  /** The card expired (NIP-40). */
  | { readonly type: 'expired' }
  /** The platform deleted its card (NIP-09). */
  | { readonly type: 'deleted' }
  /** The quarantine is over. */
  | { readonly type: 'quarantine-over' }
  /** A caller evaluated the platform or gave it work. */
  | { readonly type: 'evaluating' | 'partner' | 'rejected' | 'unresponsive' };

/** The part of an entry that the status machine changes. */
export interface StatusState {
  readonly status: PlatformStatus;
  /** Status to which a quarantined or archived platform returns; `null` for others. */
  readonly statusBefore: Exclude<PlatformStatus, 'quarantined' | 'archived'> | null;
  /** End of the quarantine, ms since epoch; `null` for other statuses. */
  readonly quarantinedUntilAt: number | null;
  /** Human-readable reason of the status. */
  readonly statusReason: string;
}

/** Duration of the quarantine of an unresponsive platform, ms. */
export const unresponsiveMs = 86_400_000;

/** The result of {@link nextStatus}. */
export type StatusStep =
  | { readonly ok: true; readonly next: StatusState }
  | { readonly ok: false; readonly message: string };

type Standing = Exclude<PlatformStatus, 'quarantined' | 'archived'>;

/** Statuses from which an evaluator may move a platform. */
const sources: Readonly<Record<'evaluating' | 'partner' | 'rejected', readonly PlatformStatus[]>> = {
  evaluating: ['discovered', 'candidate', 'evaluating', 'partner', 'rejected', 'quarantined'],
  partner: ['evaluating', 'partner'],
  rejected: ['discovered', 'candidate', 'evaluating', 'partner', 'rejected', 'quarantined'],
};

/** Returns the status of a platform whose first card arrived. */
export function firstStatus(offers: boolean): StatusState {
  return standing(offers ? 'candidate' : 'discovered', offers ? 'offers a wanted capability' : 'card found');
}

/**
 * Returns the next status, as a pure reducer. Returns the same object if nothing changes, and a message if
 * the transition is refused. A platform that returns from quarantine or archive keeps its rejection; an
 * interrupted evaluation starts over.
 */
export function nextStatus(current: StatusState, cause: StatusCause, now: number): StatusStep {
  const { status } = current;
  const same: StatusStep = { ok: true, next: current };
  switch (cause.type) {
    case 'card': {
      if (status === 'quarantined' || status === 'archived') {
        return step(returning(current, cause.offers, 'fresh card'));
      }
      if (status === 'discovered' && cause.offers)
        return step(standing('candidate', 'offers a wanted capability'));
      if (status === 'candidate' && !cause.offers) {
        return step(standing('discovered', 'no longer offers a wanted capability'));
      }
      return same;
    }
    case 'quarantine-over':
      return status === 'quarantined' && (current.quarantinedUntilAt ?? 0) <= now
        ? step(returning(current, current.statusBefore === 'candidate', 'quarantine-over'))
        : same;
    case 'unresponsive':
      if (status === 'archived') return refused(status, cause.type);
      return step(away(current, 'quarantined', 'did not answer', now + unresponsiveMs));
    case 'expired':
      return status === 'archived' ? same : step(away(current, 'archived', 'card expired', null));
    case 'deleted':
      return status === 'archived' ? same : step(away(current, 'archived', 'card deleted', null));
    case 'evaluating':
    case 'partner':
    case 'rejected':
      if (!sources[cause.type].includes(status)) return refused(status, cause.type);
      return status === cause.type ? same : step(standing(cause.type, `set to ${cause.type}`));
  }
}

const step = (next: StatusState): StatusStep => ({ ok: true, next });

const refused = (from: PlatformStatus, to: string): StatusStep => ({
  ok: false,
  message: `A platform that is ${from} cannot become ${to}`,
});

const standing = (status: Standing, statusReason: string): StatusState => ({
  status,
  statusBefore: null,
  quarantinedUntilAt: null,
  statusReason,
});

function away(
  current: StatusState,
  status: 'quarantined' | 'archived',
  statusReason: string,
  quarantinedUntilAt: number | null,
): StatusState {
  const before =
    current.status === 'quarantined' || current.status === 'archived' ? current.statusBefore : current.status;
  return { status, statusBefore: before, quarantinedUntilAt, statusReason };
}

function returning(current: StatusState, offers: boolean, why: string): StatusState {
  const before = current.statusBefore ?? 'discovered';
  if (before === 'partner' || before === 'rejected') return standing(before, why);
  return standing(offers ? 'candidate' : 'discovered', why);
}
