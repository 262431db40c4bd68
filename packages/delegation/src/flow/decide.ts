import { consensus } from '@bonafide/internal';
import type { OrderFailure, OrderState, Replica } from '../order.ts';
import { platformId } from '../platform.ts';
import { dueMsat, remainingMsat } from './accounts.ts';
import { isAccepted, unchecked } from './finished.ts';

/** Returns true for a replica whose answer or verdict is still expected. */
function isPending({ stage, withdrawn }: Replica): boolean {
  return stage === 'answered' || ((stage === 'chosen' || stage === 'requested') && withdrawn === null);
}

/** Answers to an order without a check, in order of arrival. */
function votesOf({ replicas }: OrderState): readonly Replica[] {
  return replicas
    .filter(({ stage, answer }) => stage === 'checked' && answer?.content != null)
    .toSorted((a, b) => (a.answer?.at ?? 0) - (b.answer?.at ?? 0) || a.number - b.number);
}

/** Returns the number of platforms to choose now, ≥ 0. */
export function wantedPlatforms(state: OrderState, at: number): number {
  const { order, rounds, exhausted, replicas, status } = state;
  const isLate = order.deadlineAt !== null && at >= order.deadlineAt;
  if (status !== 'open' || isLate || exhausted || rounds >= order.attempts) return 0;
  if (rounds === 0) return order.replicas;
  if (order.maxMsat > 0 && remainingMsat(state) === 0) return 0;
  const useful = replicas.filter(
    (replica) =>
      isPending(replica) ||
      isAccepted(state, replica) ||
      (order.check === 'none' && replica.stage === 'checked'),
  );
  return Math.max(0, order.needed - useful.length);
}

/**
 * Decides whether an order is over: enough answers were accepted or agree, or nothing can come of it any more. Requests that
 * are not needed any more are taken back.
 */
export function decide(given: OrderState, at: number): OrderState {
  if (given.status !== 'open') return given;
  const { deadlineAt, check, needed } = given.order;
  const isLate = deadlineAt !== null && at >= deadlineAt;
  const state = isLate ? endChecks(withdrawAll(given, 'The deadline of the order passed.')) : given;
  const pending = state.replicas.filter(isPending).length;
  const canGrow = pending > 0 || wantedPlatforms(state, at) > 0;

  if (check === 'none') {
    const votes = votesOf(state);
    const vote = consensus(
      votes.map(({ number, answer }) => ({ provider: String(number), content: answer?.content ?? '' })),
      { needed, pending },
    );
    if (vote.outcome === 'agreed') {
      const agreed = votes.filter(({ number }) => vote.agreed.includes(String(number)));
      return deliver(state, agreed, needed > 1 ? 'agreement' : null, at);
    }
    if (canGrow) return state;
    if (votes.length === 0) return fail(state, at, nobodyLeft(state, isLate));
    const message = `${votes.length} answers arrived, and fewer than ${needed} of them agree.`;
    return fail(state, at, { code: 'NO_CONSENSUS', message });
  }

  const accepted = state.replicas.filter((replica) => isAccepted(state, replica));
  const verifiedBy = accepted[0]?.check?.checkedBy ?? null;
  if (accepted.length >= needed || (accepted.length > 0 && !canGrow))
    return deliver(state, accepted, verifiedBy, at);
  return canGrow ? state : fail(state, at, nobodyLeft(state, isLate));
}

/** Takes back every request without an answer. */
export function withdrawAll(state: OrderState, reason: string): OrderState {
  const isOpen = ({ stage, withdrawn }: Replica) =>
    withdrawn === null && (stage === 'chosen' || stage === 'requested');
  if (!state.replicas.some(isOpen)) return state;
  return {
    ...state,
    replicas: state.replicas.map((replica) =>
      isOpen(replica) ? { ...replica, withdrawn: reason } : replica,
    ),
  };
}

/** Ends the checks that are not done, so that one that never ends cannot hold up the order. */
function endChecks(state: OrderState): OrderState {
  if (!state.replicas.some(({ stage }) => stage === 'answered')) return state;
  const check = { ...unchecked, summary: 'The deadline of the order passed before it was checked.' };
  return {
    ...state,
    replicas: state.replicas.map((replica) =>
      replica.stage === 'answered' ? { ...replica, stage: 'checked', check } : replica,
    ),
  };
}

/** Successes before partial successes, then the cheapest, then the first. */
const byPreference = (state: OrderState) => (a: Replica, b: Replica) => {
  const isPartial = ({ check }: Replica) => Number(check?.outcome === 'PARTIAL');
  return isPartial(a) - isPartial(b) || dueMsat(state, a) - dueMsat(state, b) || a.number - b.number;
};

function deliver(
  state: OrderState,
  accepted: readonly Replica[],
  verifiedBy: OrderState['verifiedBy'],
  at: number,
): OrderState {
  const winners = accepted.toSorted(byPreference(state)).map(({ number }) => number);
  const delivered = { ...state, status: 'delivered', decidedAt: at, winners, verifiedBy } as const;
  return withdrawAll(delivered, 'Another answer was delivered.');
}

function nobodyLeft({ order, replicas }: OrderState, isLate: boolean): OrderFailure {
  if (isLate)
    return {
      code: 'TIMEOUT',
      message: `No accepted answer arrived before the deadline of order '${order.id}'.`,
    };
  const message =
    replicas.length === 0
      ? `No platform may be asked for '${order.taskType}'.`
      : `Asked ${replicas.length} for '${order.taskType}' without an accepted answer. No other platform may be asked.`;
  return { code: 'NO_PLATFORM', message };
}

function fail(state: OrderState, at: number, failure: OrderFailure): OrderState {
  const asked = state.replicas.map(({ platform, check, end, withdrawn }) => ({
    platformId: platformId(platform),
    reason: check?.summary ?? end?.message ?? withdrawn ?? 'not asked in time',
  }));
  const known = new Set(asked.map((exclusion) => exclusion.platformId));
  const others = state.exclusions.filter((exclusion) => !known.has(exclusion.platformId));
  const failed = {
    ...state,
    status: 'failed',
    decidedAt: at,
    failure,
    exclusions: [...asked, ...others],
  } as const;
  return withdrawAll(failed, 'The order failed.');
}
