import type { GateDecision, TrustGuard } from './gate.ts';

/** Reasons of the guards for people. The largest change of a cycle is the normal case and needs no reason. */
const reasons: Readonly<Record<Exclude<TrustGuard, 'max_delta'>, string>> = {
  violation: 'it has attacked',
  band: 'the outcomes of its work support no other value',
  ceiling: 'too little is known about it',
  first_contact: 'a first opinion is moderate',
  cooldown: 'trust changed a short time ago',
  daily_budget: 'trust rises only a little in one day',
  no_new_outcome: 'no new outcome supports a further change',
  no_new_interactions: 'nothing has happened since the last assessment',
};

const signed = (trust: number) => (trust > 0 ? `+${trust}` : String(trust));

/** Returns a remark about the guards that limited a proposal; null without one, and when only the largest change of a cycle did. */
export function describeLimit({ proposed, trust, guards }: GateDecision): string | null {
  const limits = guards.flatMap((guard) => (guard === 'max_delta' ? [] : [reasons[guard]]));
  if (limits.length === 0) return null;
  return `(proposed ${signed(proposed)}, limited to ${signed(trust)}: ${limits.join(', and ')})`;
}
