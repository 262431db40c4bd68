import { isBlank, sanitizeRemoteText } from '@bonafide/internal';
import { requireRange, requireTime, TrustScoreError } from '../errors.ts';
import { isSameAgent } from '../identity.ts';
import {
  anything,
  type Check,
  finite,
  flag,
  listOf,
  notNegative,
  nullable,
  oneOf,
  optional,
  optionsOf,
  record,
  text,
  time,
} from '../input.ts';
import { boundSlaTerms } from '../policy/sla-terms.ts';
import { resolvePolicy, type TrustPolicy } from '../policy/trust-policy.ts';
import { type AppliedPenalty, appliedPenalty, isServed, knownPenalty } from './penalties.ts';
import { parseSla, type SlaInput, type SlaPenalty } from './sla.ts';
import { downtimeBudget, isBreach } from './windows.ts';

const dayMs = 86_400_000;

/** State of a breach. `excused` and `recovered` are final. */
export type BreachState =
  | 'detected'
  | 'disputed'
  | 'upheld'
  | 'excused'
  | 'confirmed'
  | 'penalised'
  | 'recovering'
  | 'recovered';

/** Force majeure, with the fact that makes it one. */
export type ForceMajeure =
  | { readonly ground: 'registry_outage'; readonly shareDown: number }
  | { readonly ground: 'natural_disaster'; readonly affectsInfrastructure: boolean }
  | { readonly ground: 'ddos_attack'; readonly mitigated: boolean }
  | { readonly ground: 'government_shutdown'; readonly mandated: boolean };

/** The claim of the charged agent. */
export interface DisputeClaim {
  readonly disputeId: string;
  readonly claim: string;
  /** Addresses of the evidence. */
  readonly evidence: readonly string[];
  readonly requestedRemedy: 'remove_penalty' | 'reduce_penalty';
  /** Null when it is not about force majeure. */
  readonly forceMajeure?: ForceMajeure | null;
}

/** A dispute, once filed. */
export interface Dispute extends DisputeClaim {
  /** ms since epoch. */
  readonly filedAt: number;
  /** By when it is decided, ms since epoch. */
  readonly decideBy: number;
  readonly arbitrator: string | null;
  /** Binding; null until it is made. */
  readonly decision: {
    readonly outcome: 'upheld' | 'excused';
    readonly reason: string;
    readonly at: number;
  } | null;
}

/** A broken promise with its history. */
export interface Breach {
  readonly breachId: string;
  readonly agentId: string;
  readonly metric: string;
  /** The value that broke it. */
  readonly value: number;
  readonly breachThreshold: number;
  readonly state: BreachState;
  /** ms since epoch. */
  readonly detectedAt: number;
  /** Until when a dispute may be filed, ms since epoch; `detectedAt` when disputes are not allowed. */
  readonly disputableUntil: number;
  readonly reviewPeriodMs: number;
  readonly arbitrator: string | null;
  readonly notify: { readonly delegators: boolean; readonly registry: boolean; readonly publish: boolean };
  readonly dispute: Dispute | null;
  readonly penalty: SlaPenalty;
  /** From the moment it was applied. */
  readonly applied: AppliedPenalty | null;
  /** Every step, oldest first. */
  readonly history: readonly {
    readonly at: number;
    readonly event: BreachEvent['type'];
    readonly to: BreachState;
  }[];
}

/** An event in the life of a breach. */
export type BreachEvent =
  /** The one who is charged objects, within the filing period. */
  | ({ readonly type: 'dispute' } & DisputeClaim)
  /** The filing period ended without a dispute. */
  | { readonly type: 'confirm' }
  /** The arbitrator decides, within the review period. */
  | {
      readonly type: 'decide';
      readonly outcome: 'upheld' | 'excused';
      readonly reason: string;
      readonly arbitrator: string;
    }
  /** The review period is over without a decision: the breach stands. */
  | { readonly type: 'lapse' }
  /** The penalty begins. */
  | { readonly type: 'penalise'; readonly affectedDelegators?: readonly string[] }
  /** A day ended; whether performance was above target on it. */
  | { readonly type: 'day'; readonly aboveTarget: boolean }
  /** A person let a revoked badge be given back. */
  | { readonly type: 'review' };

/** A notice that the agreement requires. */
export interface BreachNotice {
  readonly kind:
    | 'breach_report'
    | 'breach_detected'
    | 'breach_disputed'
    | 'breach_excused'
    | 'penalty_applied'
    | 'suspension_announced'
    | 'recovered';
  readonly to: 'public' | 'delegators' | 'registry';
  readonly breachId: string;
  readonly at: number;
  /** Human-readable text on one line, without control characters, at most 1,000 bytes. */
  readonly text: string;
}

/** A breach after an event, and the notices to send. */
export interface BreachStep {
  readonly breach: Breach;
  readonly notices: readonly BreachNotice[];
}

/** Every legal step: in which state what may happen, and where it leads. Anything else is refused. */
export const breachTransitions: Readonly<
  Record<BreachState, Readonly<Partial<Record<BreachEvent['type'], readonly BreachState[]>>>>
> = {
  detected: { dispute: ['disputed'], confirm: ['confirmed'] },
  disputed: { decide: ['upheld', 'excused'], lapse: ['upheld'] },
  upheld: { penalise: ['penalised'] },
  excused: {},
  confirmed: { penalise: ['penalised'] },
  // A day above target begins or continues the recovery, one below stops it until the next.
  penalised: { day: ['recovering', 'recovered', 'penalised'], review: ['penalised', 'recovered'] },
  recovering: { day: ['recovering', 'recovered', 'penalised'], review: ['recovering', 'recovered'] },
  recovered: {},
};

const policyOptions = optionsOf({ policy: anything });
const foundBreach = record({
  breachId: text,
  agentId: text,
  metric: text,
  value: finite,
  downtimeMs: optional(notNegative),
});
const grounds: Readonly<Record<ForceMajeure['ground'], Check>> = {
  registry_outage: record({ shareDown: finite }),
  natural_disaster: record({ affectsInfrastructure: flag }),
  ddos_attack: record({ mitigated: flag }),
  government_shutdown: record({ mandated: flag }),
};
const majeure: Check = (name, value) => {
  record({ ground: oneOf(...Object.keys(grounds)) })(name, value);
  grounds[(value as ForceMajeure).ground](name, value);
};
const claim = record({
  disputeId: text,
  claim: text,
  evidence: listOf(text),
  requestedRemedy: oneOf('remove_penalty', 'reduce_penalty'),
  forceMajeure: nullable(majeure),
});
const events: Readonly<Record<BreachEvent['type'], Check>> = {
  dispute: claim,
  confirm: anything,
  decide: record({ outcome: oneOf('upheld', 'excused'), reason: text, arbitrator: text }),
  lapse: anything,
  penalise: record({ affectedDelegators: optional(listOf(text)) }),
  day: record({ aboveTarget: flag }),
  review: anything,
};
const breachEvent: Check = (name, value) => {
  record({ type: oneOf(...Object.keys(events)) })(name, value);
  events[(value as BreachEvent).type](name, value);
};
const knownBreach = record({
  breachId: text,
  agentId: text,
  metric: text,
  value: finite,
  breachThreshold: finite,
  state: oneOf(...Object.keys(breachTransitions)),
  detectedAt: time,
  disputableUntil: time,
  reviewPeriodMs: notNegative,
  arbitrator: nullable(text),
  notify: record({ delegators: flag, registry: flag, publish: flag }),
  dispute: nullable(
    record({ filedAt: time, decideBy: time, arbitrator: nullable(text), forceMajeure: nullable(majeure) }),
  ),
  penalty: knownPenalty,
  applied: nullable(appliedPenalty),
  history: listOf(record({ at: time })),
});

/**
 * Returns the penalties of a breach that have effect at `now`: the one that was applied, or during a dispute, from the end of the
 * filing period on, the one that is threatened. A dispute does not stop the clock; a decision that excuses ends the effect.
 */
export function activePenalties(breach: Breach, now: number): readonly AppliedPenalty[] {
  knownBreach('breach', breach);
  requireTime('now', now);
  const { applied, state, disputableUntil, breachId, metric, penalty } = breach;
  if (applied !== null) return [applied];
  const isPending =
    state === 'detected' || state === 'disputed' || state === 'upheld' || state === 'confirmed';
  if (!isPending || now < disputableUntil) return [];
  return [{ breachId, metric, penalty, appliedAt: disputableUntil }];
}

/** Checks whether the grounds excuse a breach, and gives the reason. */
export function checkForceMajeure(claim: ForceMajeure): {
  readonly excuses: boolean;
  readonly reason: string;
} {
  majeure('claim', claim);
  switch (claim.ground) {
    case 'registry_outage':
      return {
        excuses: claim.shareDown > 0.5,
        reason: `${Math.round(claim.shareDown * 100)} % of registries were down; more than half must be.`,
      };
    case 'natural_disaster':
      return {
        excuses: claim.affectsInfrastructure,
        reason: claim.affectsInfrastructure
          ? 'A natural disaster hit the infrastructure.'
          : 'The disaster did not hit the infrastructure.',
      };
    case 'ddos_attack':
      return {
        excuses: claim.mitigated,
        reason: claim.mitigated
          ? 'The attack was properly mitigated.'
          : 'The attack was not properly mitigated.',
      };
    case 'government_shutdown':
      return {
        excuses: claim.mandated,
        reason: claim.mandated ? 'A government ordered the shutdown.' : 'No government ordered the shutdown.',
      };
  }
}

/** Most characters of a notice, in UTF-8 bytes. */
const maxNotice = 1_000;
/** Returns a notice's text on one line, without control and format characters: claims and names in it are the agent's own. */
const safe = (text: string): string => sanitizeRemoteText(text, maxNotice);

function notices(
  breach: Breach,
  at: number,
  kind: BreachNotice['kind'],
  text: string,
): readonly BreachNotice[] {
  const { breachId, notify } = breach;
  const told: readonly (readonly [BreachNotice['to'], boolean])[] = [
    ['delegators', notify.delegators],
    ['registry', notify.registry],
  ];
  return told.flatMap(([to, wanted]) => (wanted ? [{ kind, to, breachId, at, text: safe(text) }] : []));
}

/**
 * Creates a breach that was just found.
 *
 * @param options.policy Rules of the verifier: the breach is one on terms that it accepts, and its penalty is at least the policy's.
 * @throws `INVALID_INPUT` when the agreement is wrong, has no promise about the metric, or the value keeps the promise;
 * `OUT_OF_RANGE` when the value or the downtime is not one that can be measured, or `now` is not a time.
 */
export function detectBreach(
  sla: SlaInput,
  found: {
    readonly breachId: string;
    readonly agentId: string;
    readonly metric: string;
    readonly value: number;
    /** Cumulative downtime in the window, ms, when that is what breaks the promise. */
    readonly downtimeMs?: number;
  },
  now: number,
  options: { readonly policy?: Partial<TrustPolicy> } = {},
): BreachStep {
  requireTime('now', now);
  policyOptions('options', options);
  foundBreach('found', found);
  const { policy } = options;
  const { guarantees, disputeResolution, breachNotification } =
    policy === undefined ? parseSla(sla) : boundSlaTerms(sla, resolvePolicy(policy).sla, [found.agentId]).sla;
  const guarantee = guarantees.find(({ metric }) => metric === found.metric);
  if (guarantee === undefined)
    throw new TrustScoreError('INVALID_INPUT', `The SLA promises nothing about ${found.metric}`);
  requireRange('downtimeMs', found.downtimeMs ?? 0, 0, guarantee.measurementWindow);
  const budget = downtimeBudget(guarantee);
  const exceeded = found.downtimeMs !== undefined && budget !== null && found.downtimeMs > budget;
  if (!isBreach(guarantee, found.value) && !exceeded)
    throw new TrustScoreError(
      'INVALID_INPUT',
      `${found.metric} of ${found.value} keeps the promise of ${guarantee.breachThreshold}: it is not a breach.`,
    );
  const { allowed, filingPeriodDays, reviewPeriodDays, arbitrator: named } = disputeResolution;
  // An agent that is named as its own arbitrator is none.
  const arbitrator =
    named === undefined || isBlank(named) || isSameAgent(named, found.agentId) ? null : named;
  const { breachId, agentId, metric, value } = found;
  const breach: Breach = {
    ...{ breachId, agentId, metric, value },
    breachThreshold: guarantee.breachThreshold,
    state: 'detected',
    detectedAt: now,
    disputableUntil: allowed ? now + filingPeriodDays * dayMs : now,
    reviewPeriodMs: reviewPeriodDays * dayMs,
    arbitrator,
    notify: {
      delegators: breachNotification.notifyDelegators,
      registry: breachNotification.notifyRegistry,
      publish: breachNotification.publishBreachReport,
    },
    dispute: null,
    penalty: guarantee.penalty,
    applied: null,
    history: [],
  };
  const text = `${found.metric} of ${found.agentId} is ${found.value}, beyond the promised ${guarantee.breachThreshold}.`;
  return { breach, notices: notices(breach, now, 'breach_detected', text) };
}

const refuse = (code: 'ILLEGAL_TRANSITION' | 'TOO_EARLY' | 'TOO_LATE', message: string) =>
  new TrustScoreError(code, message);

const iso = (at: number) => new Date(at).toISOString();

type Next = Pick<BreachStep, 'notices'> & {
  readonly change: Partial<Breach> & { readonly state: BreachState };
};

function dispute(breach: Breach, event: Extract<BreachEvent, { type: 'dispute' }>, now: number): Next {
  if (now > breach.disputableUntil || breach.disputableUntil === breach.detectedAt)
    throw refuse('TOO_LATE', `A dispute could be filed until ${iso(breach.disputableUntil)}`);
  if (isBlank(event.claim) || event.evidence.every((one) => isBlank(one)))
    throw new TrustScoreError('INVALID_INPUT', 'A dispute needs a claim and evidence for it');
  const { type: _, ...claim } = event;
  const decideBy = now + breach.reviewPeriodMs;
  const filed = { ...claim, filedAt: now, decideBy, arbitrator: breach.arbitrator, decision: null };
  return {
    change: { state: 'disputed', dispute: filed },
    notices: notices(breach, now, 'breach_disputed', `Disputed: ${event.claim}`),
  };
}

function decide(breach: Breach, event: Extract<BreachEvent, { type: 'decide' }>, now: number): Next {
  const { dispute: filed } = breach;
  if (filed === null) throw new Error('unreachable: a disputed breach has its dispute');
  if (now > filed.decideBy) throw refuse('TOO_LATE', `It was to be decided by ${iso(filed.decideBy)}`);
  if (isSameAgent(event.arbitrator, breach.agentId) || isBlank(event.arbitrator))
    throw new TrustScoreError('INVALID_INPUT', 'An agent cannot decide the dispute about its own breach.');
  if (filed.arbitrator !== null && !isSameAgent(event.arbitrator, filed.arbitrator))
    throw new TrustScoreError('INVALID_INPUT', `${filed.arbitrator} decides, not ${event.arbitrator}`);
  const { forceMajeure = null } = filed;
  if (event.outcome === 'excused' && forceMajeure !== null) {
    const { excuses, reason } = checkForceMajeure(forceMajeure);
    if (!excuses) throw new TrustScoreError('INVALID_INPUT', `No force majeure: ${reason}`);
  }
  const decision = { outcome: event.outcome, reason: event.reason, at: now };
  return {
    change: { state: event.outcome, dispute: { ...filed, arbitrator: event.arbitrator, decision } },
    notices:
      event.outcome === 'excused' ? notices(breach, now, 'breach_excused', `Excused: ${event.reason}`) : [],
  };
}

function penalise(breach: Breach, event: Extract<BreachEvent, { type: 'penalise' }>, now: number): Next {
  const { breachId, metric, penalty } = breach;
  const { affectedDelegators = [] } = event;
  const applied = {
    breachId,
    metric,
    penalty,
    appliedAt: now,
    days: [],
    reviewedAt: null,
    affectedDelegators,
  };
  const text = `${breach.agentId} is penalised for ${metric}: ${penalty.type.replaceAll('_', ' ')}.`;
  const report: BreachNotice = {
    ...{ kind: 'breach_report', to: 'public', breachId, at: now },
    text: safe(text),
  };
  const announced =
    penalty.type === 'temporary_suspension'
      ? notices(breach, now, 'suspension_announced', `No new delegations from ${iso(now + penalty.notice)}.`)
      : [];
  return {
    change: { state: 'penalised', applied },
    notices: [
      ...notices(breach, now, 'penalty_applied', text),
      ...announced,
      ...(breach.notify.publish ? [report] : []),
    ],
  };
}

function recover(breach: Breach, event: Extract<BreachEvent, { type: 'day' | 'review' }>, now: number): Next {
  const { applied } = breach;
  if (applied === null) throw new Error('unreachable: a penalised breach has its penalty');
  const days = applied.days ?? [];
  const newest = days.at(-1)?.at ?? applied.appliedAt;
  if (event.type === 'day' && now < newest + dayMs)
    throw refuse('TOO_EARLY', `The next day ends at ${iso(newest + dayMs)}`);
  const next =
    event.type === 'day'
      ? { ...applied, days: [...days, { at: now, aboveTarget: event.aboveTarget }] }
      : { ...applied, reviewedAt: now };
  const good = event.type === 'review' ? breach.state === 'recovering' : event.aboveTarget;
  const served = isServed(next, now) && (event.type === 'review' || event.aboveTarget);
  return {
    change: { state: served ? 'recovered' : good ? 'recovering' : 'penalised', applied: next },
    notices: served ? notices(breach, now, 'recovered', `${breach.agentId} has recovered.`) : [],
  };
}

function step(breach: Breach, event: BreachEvent, now: number): Next {
  switch (event.type) {
    case 'dispute':
      return dispute(breach, event, now);
    case 'confirm':
      if (now < breach.disputableUntil)
        throw refuse('TOO_EARLY', `It may be disputed until ${iso(breach.disputableUntil)}`);
      return { change: { state: 'confirmed' }, notices: [] };
    case 'decide':
      return decide(breach, event, now);
    case 'lapse':
      if (now <= (breach.dispute?.decideBy ?? 0))
        throw refuse('TOO_EARLY', `It may be decided until ${iso(breach.dispute?.decideBy ?? 0)}`);
      return { change: { state: 'upheld' }, notices: [] };
    case 'penalise':
      return penalise(breach, event, now);
    case 'day':
    case 'review':
      return recover(breach, event, now);
  }
}

/**
 * Applies one event to a breach: detected, then confirmed when it is not disputed within 7 days, or disputed
 * and upheld or excused; then penalised, recovering day by day, recovered. A pure function: the given breach
 * is not changed.
 *
 * @param now ms since epoch.
 * @throws `ILLEGAL_TRANSITION` for everything that is not in {@link breachTransitions}; `TOO_EARLY` and
 *   `TOO_LATE` outside its period; `INVALID_INPUT` for a dispute without evidence, or a decision that is not
 *   the arbitrator's.
 */
export function advanceBreach(breach: Breach, event: BreachEvent, now: number): BreachStep {
  requireTime('now', now);
  knownBreach('breach', breach);
  breachEvent('event', event);
  const allowed = breachTransitions[breach.state][event.type];
  if (allowed === undefined) {
    const legal = Object.keys(breachTransitions[breach.state]);
    throw refuse(
      'ILLEGAL_TRANSITION',
      `A breach that is ${breach.state} takes no '${event.type}', ${legal.length === 0 ? 'it is closed' : `only ${legal.join(', ')}`}`,
    );
  }
  const last = breach.history.at(-1)?.at ?? breach.detectedAt;
  if (now < last) throw refuse('TOO_EARLY', `The step before was at ${iso(last)}`);
  const { change, notices: told } = step(breach, event, now);
  const history = [...breach.history, { at: now, event: event.type, to: change.state }];
  return { breach: { ...breach, ...change, history }, notices: told };
}
