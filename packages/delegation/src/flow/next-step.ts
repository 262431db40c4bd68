import type { CheckResult, Exclusion, OrderState, RecordTarget, Replica } from '../order.ts';
import type { PlatformRef } from '../platform.ts';
import { remainingMsat } from './accounts.ts';
import { decide, wantedPlatforms, withdrawAll } from './decide.ts';
import type { OrderEvent, Paid } from './events.ts';
import { isClaimable, isPayable, recordsDue, unchecked } from './finished.ts';

/** An effect that an order needs now. Repeating it is safe: its key identifies it wherever it has an effect. */
export type Step =
  | {
      readonly type: 'choose';
      readonly key: string;
      readonly round: number;
      readonly wanted: number;
      readonly exclude: readonly PlatformRef[];
      /** Most that all platforms of this choice may be promised together, msat. */
      readonly budgetMsat: number;
    }
  | { readonly type: 'request'; readonly key: string; readonly replica: number }
  /** Looks whether the answer has arrived. */
  | { readonly type: 'await'; readonly key: string; readonly replica: number }
  /** Takes the request back. */
  | { readonly type: 'withdraw'; readonly key: string; readonly replica: number }
  | { readonly type: 'check'; readonly key: string; readonly replica: number }
  /** Pays for an answer that asks for money. */
  | { readonly type: 'pay'; readonly key: string; readonly replica: number }
  | {
      readonly type: 'record';
      readonly key: string;
      readonly replica: number;
      readonly targets: readonly RecordTarget[];
    };

/** The steps that are due, and when to look again without a further fact. */
export interface Next {
  readonly state: OrderState;
  readonly steps: readonly Step[];
  /** Ms since epoch; null when only a fact can change anything. */
  readonly wakeAt: number | null;
}

const maxExclusions = 200;

/**
 * Applies a fact to an order and returns the steps that are due. Pure: the same state and fact give the same result, and a fact
 * that is known already changes nothing.
 */
export function nextStep(state: OrderState, event: OrderEvent): Next {
  const next = decide(apply(state, event), event.at);
  return {
    state: next,
    steps: stepsOf(next, event.at),
    wakeAt: next.status === 'open' ? next.order.deadlineAt : null,
  };
}

/** Returns the idempotency key of a replica's request. */
export const replicaKey = (state: OrderState, replica: number): string => `${state.order.id}/${replica}`;

/** Returns the steps that are due at `now`. */
export function stepsOf(state: OrderState, now: number): readonly Step[] {
  const steps: Step[] = [];
  const wanted = wantedPlatforms(state, now);
  if (wanted > 0) {
    const round = state.rounds + 1;
    steps.push({
      type: 'choose',
      key: `${state.order.id}#${round}`,
      round,
      wanted,
      exclude: state.replicas.map(({ platform }) => platform),
      budgetMsat: remainingMsat(state),
    });
  }
  for (const replica of state.replicas) {
    const base = { key: replicaKey(state, replica.number), replica: replica.number };
    const targets = recordsDue(state, replica);
    if (targets.length > 0) steps.push({ type: 'record', ...base, targets });
    if (replica.stage === 'chosen')
      steps.push({ type: replica.withdrawn === null ? 'request' : 'withdraw', ...base });
    if (replica.stage === 'requested')
      steps.push({ type: replica.withdrawn === null ? 'await' : 'withdraw', ...base });
    if (replica.stage === 'answered') steps.push({ type: 'check', ...base });
    if (isPayable(state, replica)) steps.push({ type: 'pay', ...base });
    if (isClaimable(replica)) steps.push({ type: 'await', ...base });
  }
  return steps;
}

function apply(state: OrderState, event: OrderEvent): OrderState {
  switch (event.type) {
    case 'chosen':
      return choose(state, event);
    case 'cancelled':
      return cancel(state, event);
    case 'woken':
      return state;
    default: {
      const replica = state.replicas.find(({ number }) => number === event.replica);
      if (replica === undefined) return state;
      const changed = advance(state, replica, event);
      if (changed === replica) return state;
      return { ...state, replicas: state.replicas.map((each) => (each === replica ? changed : each)) };
    }
  }
}

function choose(state: OrderState, event: Extract<OrderEvent, { type: 'chosen' }>): OrderState {
  const { round, wanted, picks, exclusions, at } = event;
  if (state.status !== 'open' || round !== state.rounds + 1) return state;
  // One operator has one attempt and one vote, however many services it lists.
  const asked = new Set(state.replicas.map(({ platform }) => platform.pubkey));
  const fresh = picks.filter(({ platform }) => !asked.has(platform.pubkey) && asked.add(platform.pubkey));
  const replicas = fresh.map(
    (pick, index): Replica => ({
      ...pick,
      number: state.replicas.length + index + 1,
      round,
      chosenAt: at,
      stage: 'chosen',
      jobId: null,
      requestedAt: null,
      withdrawn: null,
      answer: null,
      end: null,
      check: null,
      recorded: [],
      invoicedMsat: 0,
      paidMsat: 0,
      feesMsat: 0,
      heldMsat: 0,
    }),
  );
  return {
    ...state,
    rounds: round,
    exhausted: state.exhausted || fresh.length < wanted,
    replicas: [...state.replicas, ...replicas],
    exclusions: mergeExclusions(state.exclusions, exclusions),
  };
}

/** The latest reason per platform. */
function mergeExclusions(known: readonly Exclusion[], added: readonly Exclusion[]): readonly Exclusion[] {
  const byPlatform = new Map([...known, ...added].map((exclusion) => [exclusion.platformId, exclusion]));
  return [...byPlatform.values()].slice(-maxExclusions);
}

function cancel(
  state: OrderState,
  { at, reason }: { readonly at: number; readonly reason: string },
): OrderState {
  if (state.status !== 'open') return state;
  const failure = { code: 'ORDER_CANCELLED', message: reason } as const;
  const cancelled: OrderState = { ...state, status: 'cancelled', decidedAt: at, failure };
  const replicas = cancelled.replicas.map((replica) =>
    replica.stage === 'answered' ? { ...replica, stage: 'checked' as const, check: unchecked } : replica,
  );
  return withdrawAll({ ...cancelled, replicas }, reason);
}

/** The result for an answer that came after the order was decided by others. */
const notNeeded: CheckResult = {
  ...unchecked,
  summary: 'Not needed: the order was decided before it answered.',
};

type ReplicaEvent = Exclude<OrderEvent, { type: 'chosen' | 'cancelled' | 'woken' }>;

function advance(state: OrderState, replica: Replica, event: ReplicaEvent): Replica {
  const { stage } = replica;
  switch (event.type) {
    case 'requested': {
      // A process that was stopped for long may ask after the order was over: the request is taken back then.
      const cameLate = stage === 'ended' && replica.end?.reason === 'not-requested' && replica.jobId === null;
      if (stage !== 'chosen' && !cameLate) return replica;
      const asked = { jobId: event.jobId, requestedAt: event.at, stage: 'requested', end: null } as const;
      return cameLate
        ? { ...replica, ...asked, withdrawn: replica.withdrawn ?? 'The order was over.' }
        : { ...replica, ...asked };
    }
    case 'answered': {
      const isLate = stage === 'ended' && replica.answer === null;
      if (stage !== 'requested' && !isLate) return replica;
      const isWanted = state.status === 'open' && state.order.check !== 'none';
      return {
        ...replica,
        ...paidOf(replica, event.paid),
        invoicedMsat: Math.max(
          event.answer.invoicedMsat ?? 0,
          event.paid?.invoicedMsat ?? 0,
          replica.invoicedMsat,
        ),
        answer: isLate ? { ...event.answer, isLate } : event.answer,
        stage: isWanted ? 'answered' : 'checked',
        check: isWanted ? null : state.order.check === 'none' ? unchecked : notNeeded,
        end: null,
        recorded: replica.recorded.filter((target) => !tellsOfAnswer(target)),
      };
    }
    case 'ended': {
      if (stage === 'ended') return settlePayment(replica, event.paid);
      if (stage !== 'requested' && stage !== 'chosen') return replica;
      const { at } = event;
      const isSilent = event.reason === 'withdrawn' && hadTime(state, replica);
      const { reason, message } = isSilent ? silence : event;
      return { ...replica, ...paidOf(replica, event.paid), stage: 'ended', end: { reason, at, message } };
    }
    case 'paid':
      return settlePayment(replica, event.paid);
    case 'checked':
      return stage === 'answered' ? { ...replica, stage: 'checked', check: event.check } : replica;
    case 'recorded': {
      const isOutdated = !event.hasAnswer && replica.answer !== null;
      const added = event.targets.filter(
        (target) => !replica.recorded.includes(target) && !(isOutdated && tellsOfAnswer(target)),
      );
      return added.length === 0 ? replica : { ...replica, recorded: [...replica.recorded, ...added] };
    }
  }
}

/** The journal and the reflection learn of a late answer; the matrix keeps the end that it was told. */
const tellsOfAnswer = (target: RecordTarget): boolean => target === 'journal' || target === 'reflection';

const silence = { reason: 'timeout', message: 'It had not answered by the deadline of the order.' } as const;

/** Time after which a platform may be expected to answer, ms; half of the order's time when that is less. */
const fairTimeMs = 60_000;

/** Returns true for a platform that was asked early enough before the deadline, and had not answered when it passed. */
function hadTime({ order, createdAt, decidedAt }: OrderState, { requestedAt }: Replica): boolean {
  const { deadlineAt } = order;
  if (deadlineAt === null || requestedAt === null || (decidedAt ?? 0) < deadlineAt) return false;
  return deadlineAt - requestedAt >= Math.min(fairTimeMs, (deadlineAt - createdAt) / 2);
}

function paidOf(replica: Replica, paid: Paid | null): Paid {
  const { paidMsat, feesMsat, heldMsat, invoicedMsat } = paid ?? replica;
  return { paidMsat, feesMsat, heldMsat, invoicedMsat: Math.max(invoicedMsat, replica.invoicedMsat) };
}

/** A payment of unknown outcome has ended. */
function settlePayment(replica: Replica, paid: Paid | null): Replica {
  if (paid === null) return replica;
  const { paidMsat, feesMsat, heldMsat } = paid;
  const isKnown =
    paidMsat === replica.paidMsat && feesMsat === replica.feesMsat && heldMsat === replica.heldMsat;
  return isKnown ? replica : { ...replica, ...paidOf(replica, paid) };
}
