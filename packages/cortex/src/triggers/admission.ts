import { evaluateTriggers, type TriggerConfig, type TriggerName, type TriggerState } from './triggers.ts';

/** What happened since the last cycle, by peer. */
export interface TriggerCauses {
  /** Messages in and out by peer. */
  readonly messages: ReadonlyMap<string, number>;
  readonly newPeers: Iterable<string>;
  readonly jumps: Iterable<string>;
  /** Active peers that no cycle has reflected on. */
  readonly waiting: readonly string[];
  /** Commitments whose due time has passed, by the source that noted them. */
  readonly overdue: { readonly host: number; readonly reflector: number };
}

/** Limits on cycles that events start. */
export interface Admission {
  readonly isKnown: (peerId: string) => boolean;
  /** Returns true for a stranger that has started its share of cycles. */
  readonly isExhausted: (peerId: string) => boolean;
  /** Permits of all cycles, and of those that strangers start. */
  readonly permits: number;
  readonly strangerPermits: number;
  /** True while strangers have used up their share of the budget. */
  readonly strangersBlocked: boolean;
}

/** The triggers that start a cycle, and who caused them. */
export interface Admitted {
  readonly triggers: readonly TriggerName[];
  /**
   * `known`: known peers, or the host's commitments. `strangers`: strangers, or commitments that a
   * model noted. `activity`: the timer, so that the peers of the cycle decide.
   */
  readonly causedBy: 'known' | 'strangers' | 'activity';
  /** The stranger that caused most; null otherwise. */
  readonly stranger: string | null;
  /** True when a limit prevented a trigger of an event. */
  readonly limited: boolean;
}

type Settings = TriggerConfig;
type Fixed = Pick<TriggerState, 'lastCycleAt' | 'newPeerPermits' | 'factors'>;

const countOf = (peers: Iterable<string>, isAdmitted: (peerId: string) => boolean) =>
  [...peers].filter(isAdmitted).length;

/** Decides which triggers may start a cycle now. Pure. */
export function admitTriggers(
  causes: TriggerCauses,
  admission: Admission,
  { fixed, config, now }: { readonly fixed: Fixed; readonly config: Settings; readonly now: number },
): Admitted {
  const { messages, newPeers, jumps, waiting, overdue } = causes;
  const { isKnown, isExhausted, permits, strangerPermits, strangersBlocked } = admission;
  // The timer has a rate of its own. It looks at all activity, except that of strangers who used up their share.
  const isActive = (peerId: string) => !strangersBlocked || isKnown(peerId);
  const active = [...messages.keys(), ...waiting].filter(isActive).length;
  const evaluate = (isAdmitted: (peerId: string) => boolean, commitments: number) => {
    let interactions = 0;
    for (const [peerId, count] of messages) if (isAdmitted(peerId)) interactions += count;
    const state: TriggerState = {
      ...fixed,
      interactions,
      peersWaiting: active,
      newPeers: countOf(newPeers, isAdmitted),
      overdue: commitments,
      jumps: countOf(jumps, isAdmitted),
    };
    return evaluateTriggers(state, config, now);
  };
  const mayStrangers = permits >= 1 && strangerPermits >= 1 && !strangersBlocked;
  const isAdmitted = (peerId: string) =>
    permits >= 1 && (isKnown(peerId) || (mayStrangers && !isExhausted(peerId)));
  const ofHost = permits >= 1 ? overdue.host : 0;
  const events = (triggers: readonly TriggerName[]) => triggers.filter((name) => name !== 'timer');

  const byKnown = evaluate((peerId) => permits >= 1 && isKnown(peerId), ofHost);
  const triggers = evaluate(isAdmitted, ofHost + (mayStrangers ? overdue.reflector : 0));
  const wanted = evaluate(() => true, overdue.host + overdue.reflector);
  const limited = events(wanted).length > 0 && events(triggers).length === 0;
  if (events(byKnown).length > 0) return { triggers, causedBy: 'known', stranger: null, limited };
  if (events(triggers).length === 0) return { triggers, causedBy: 'activity', stranger: null, limited };
  const strangers = [...messages].filter(([peerId]) => isAdmitted(peerId) && !isKnown(peerId));
  const [most] = strangers.sort(([, a], [, b]) => b - a);
  return { triggers, causedBy: 'strangers', stranger: most?.[0] ?? null, limited };
}
