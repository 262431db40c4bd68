/**
 * Where a platform stands with us (DIS-11). `discovered`: its card is known. `candidate`: it offers what we look
 * for. `evaluating`: it is being tried. `partner` and `rejected`: what came of that. `quarantined`: left alone
 * for a while, since its card is stale or it did not answer. `archived`: it deleted its card.
 */
export type PlatformStatus =
  | 'discovered'
  | 'candidate'
  | 'evaluating'
  | 'partner'
  | 'rejected'
  | 'quarantined'
  | 'archived';

/** What moves a platform from one status to another. */
export type StatusCause =
  /** A card arrived that is newer than what we held, and not stale. `offers`: it has what we look for. */
  | { readonly type: 'card'; readonly offers: boolean }
  /** The card that we hold is stale: too old to rely on. */
  | { readonly type: 'stale' }
  /** The platform deleted its card (NIP-09). */
  | { readonly type: 'deleted' }
  /** The time of a quarantine is over. */
  | { readonly type: 'rested' }
  /** Said from outside: by whoever evaluates platforms and gives them work. */
  | { readonly type: 'evaluating' | 'partner' | 'rejected' | 'unresponsive' };

/** The part of an entry that the life cycle is about. */
export interface StatusState {
  readonly status: PlatformStatus;
  /** To what a quarantined or archived platform returns; `null` for the others. */
  readonly statusBefore: Exclude<PlatformStatus, 'quarantined' | 'archived'> | null;
  /** When the quarantine ends by itself, ms since epoch; `null`: only a fresh card ends it. */
  readonly quarantinedUntilAt: number | null;
  /** Why it has this status, in words. */
  readonly statusReason: string;
}

/** A platform that did not answer is left alone for so long, ms (DIS-11, JOB-8). */
export const unresponsiveMs = 86_400_000;

/** What the life cycle answers. */
export type StatusStep =
  | { readonly ok: true; readonly next: StatusState }
  | { readonly ok: false; readonly message: string };

type Standing = Exclude<PlatformStatus, 'quarantined' | 'archived'>;

/** From where an evaluator may move a platform to a status. */
const sources: Readonly<Record<'evaluating' | 'partner' | 'rejected', readonly PlatformStatus[]>> = {
  evaluating: ['discovered', 'candidate', 'evaluating', 'partner', 'rejected', 'quarantined'],
  partner: ['evaluating', 'partner'],
  rejected: ['discovered', 'candidate', 'evaluating', 'partner', 'rejected', 'quarantined'],
};

/** Where a platform starts when its first card arrives. */
export function firstStatus(offers: boolean): StatusState {
  return standing(offers ? 'candidate' : 'discovered', offers ? 'offers what is wanted' : 'card found');
}

/**
 * The life cycle (DIS-11) as a pure reducer. A step that leads where the platform already stands gives the same
 * state back; one that does not exist is refused, with words. A return from quarantine or archive never makes a
 * rejected platform a new one; an evaluation that was interrupted starts over.
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
        return step(standing('candidate', 'offers what is wanted'));
      if (status === 'candidate' && !cause.offers) {
        return step(standing('discovered', 'no longer offers what is wanted'));
      }
      return same;
    }
    case 'rested':
      return status === 'quarantined' &&
        current.quarantinedUntilAt !== null &&
        current.quarantinedUntilAt <= now
        ? step(returning(current, current.statusBefore === 'candidate', 'rested'))
        : same;
    case 'stale':
      if (status === 'archived') return same;
      // Rest alone brings nobody back whose card is stale.
      return status === 'quarantined' && current.quarantinedUntilAt === null
        ? same
        : step(away(current, 'quarantined', 'card older than 30 days', null));
    case 'unresponsive':
      if (status === 'archived') return refused(status, cause.type);
      return status === 'quarantined' && current.quarantinedUntilAt === null
        ? same
        : step(away(current, 'quarantined', 'did not answer', now + unresponsiveMs));
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
