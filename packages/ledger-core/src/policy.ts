import * as z from 'zod';
import { parse } from './parse.ts';
import { policySchema } from './policy-schema.ts';
import type { AssessmentSource, PeerAssessmentSummary } from './records.ts';

/** The decision about a peer. */
export type Verdict = 'accept' | 'prioritise' | 'caution' | 'refuse';

/** Bounds on a number; all that are given must hold. A number that is not known is within no bounds. */
export interface Bounds {
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly above?: number;
  readonly below?: number;
}

/** Conditions of a rule; all that are given must hold. */
export interface PolicyConditions {
  /** The latest trust, −10…+10. */
  readonly trust?: Bounds;
  /** The infoScore now (not the one of the latest assessment), 0…10. */
  readonly infoScore?: Bounds;
  /** Age of the latest assessment in ms. */
  readonly latestAgeMs?: Bounds;
  /** Successes among finished work, 0…1. */
  readonly successRate?: Bounds;
  /** The peer's channel is one of these. */
  readonly channel?: readonly string[];
  /** True for a peer without any history. */
  readonly firstContact?: boolean;
  /** True for a peer with at least one assessment. */
  readonly assessed?: boolean;
  /**
   * True for a peer with a violation, unless the operator has assessed it above −3 since then; false for every other
   * peer.
   */
  readonly violation?: boolean;
  /** The latest assessment comes from one of these. */
  readonly source?: readonly AssessmentSource[];
}

/** A rule: its conditions, its verdict and a human-readable reason. */
export interface PolicyRule {
  /** Names the rule in a verdict. */
  readonly rule: string;
  readonly when: PolicyConditions;
  readonly verdict: Verdict;
  readonly reason: string;
}

/** Rules in order; the first that applies decides. When none does, the verdict is `accept`. */
export interface Policy {
  readonly rules: readonly PolicyRule[];
}

/** A verdict with the rule that matched and a human-readable reason. */
export interface PolicyVerdict {
  readonly verdict: Verdict;
  readonly rule: string;
  readonly reason: string;
}

const staleMs = 180 * 86_400_000;
/** At this trust and below, an operator's assessment refuses the peer. */
const operatorRefusal = -3;

/** Returns true when the operator's assessment after a violation lifts the refusal; null is no assessment. */
export function isPardoned(operatorTrust: number | null): boolean {
  return operatorTrust !== null && operatorTrust > operatorRefusal;
}

const refuseBad: readonly PolicyRule[] = [
  {
    rule: 'operator',
    when: { source: ['operator'], trust: { atMost: operatorRefusal } },
    verdict: 'refuse',
    reason: 'the operator does not trust this peer',
  },
  {
    rule: 'violation',
    when: { violation: true },
    verdict: 'refuse',
    reason: 'this peer has attacked',
  },
  {
    rule: 'known-bad',
    when: { trust: { atMost: -3 }, infoScore: { atLeast: 2 } },
    verdict: 'refuse',
    reason: 'bad experience with this peer',
  },
];

const careful: readonly PolicyRule[] = [
  {
    rule: 'negative-trust',
    when: { trust: { below: 0 } },
    verdict: 'caution',
    reason: 'latest trust is negative',
  },
  {
    rule: 'first-contact',
    when: { firstContact: true },
    verdict: 'caution',
    reason: 'first contact',
  },
  {
    rule: 'little-known',
    when: { infoScore: { atMost: 1 } },
    verdict: 'caution',
    reason: 'hardly known yet',
  },
  {
    rule: 'stale-assessment',
    when: { latestAgeMs: { above: staleMs } },
    verdict: 'caution',
    reason: 'last assessed over 180 days ago',
  },
];

const prioritiseGood: PolicyRule = {
  rule: 'proven',
  when: { trust: { atLeast: 4 }, infoScore: { atLeast: 4 } },
  verdict: 'prioritise',
  reason: 'known and reliable',
};

/**
 * Predefined policies.
 *
 * - `open`, the default: refuses at trust ≤ −3 with infoScore ≥ 2, after an operator's assessment ≤ −3, and after a
 *   violation until the operator assesses the peer above −3; caution at any other negative trust, on first contact, at
 *   infoScore ≤ 1 and when the last assessment is older than 180 days; prioritises trust ≥ 4 with infoScore ≥ 4.
 * - `strict`: as `open`, and refuses peers that were never assessed. The operator admits a peer by assessing it.
 * - `ladder`: as `open`, and a peer is accepted without caution only when it is assessed with trust ≥ 1, has
 *   infoScore ≥ 3 and no more failures than successes.
 */
export const policies = {
  open: { rules: [...refuseBad, ...careful, prioritiseGood] },
  strict: {
    rules: [
      ...refuseBad,
      {
        rule: 'stranger',
        when: { assessed: false },
        verdict: 'refuse',
        reason: 'never assessed, and strangers are refused',
      },
      ...careful,
      prioritiseGood,
    ],
  },
  ladder: {
    rules: [
      ...refuseBad,
      ...careful,
      { rule: 'not-assessed', when: { assessed: false }, verdict: 'caution', reason: 'not assessed yet' },
      {
        rule: 'unproven',
        when: { trust: { below: 1 } },
        verdict: 'caution',
        reason: 'no good experience yet',
      },
      {
        rule: 'short-history',
        when: { infoScore: { below: 3 } },
        verdict: 'caution',
        reason: 'history is still short',
      },
      {
        rule: 'fails-often',
        when: { successRate: { below: 0.5 } },
        verdict: 'caution',
        reason: 'work fails more often than not',
      },
      prioritiseGood,
    ],
  },
} as const satisfies Readonly<Record<string, Policy>>;

/** The name of a ready-made policy. */
export type PolicyName = keyof typeof policies;

/**
 * Returns the verdict of the first rule that matches, else `accept`. Pure: the same summary and policy always give the
 * same verdict. `null` is a peer that the ledger does not know. A policy is checked once per object.
 *
 * @throws `INVALID_INPUT` when the policy has another name than the ready-made ones, or an invalid or unknown member.
 *
 * @example
 * evaluatePolicy(null) // { verdict: 'caution', rule: 'first-contact', reason: 'first contact' }
 */
export function evaluatePolicy(
  summary: PeerAssessmentSummary | null,
  policy: Policy | PolicyName = policies.open,
): PolicyVerdict {
  const facts = toFacts(summary);
  for (const { rule, when, verdict, reason } of checkedPolicy(policy).rules) {
    if (applies(when, facts)) return { verdict, rule, reason: withEvidence(reason, when, facts) };
  }
  return { verdict: 'accept', rule: 'default', reason: 'no rule objects' };
}

const names = z.enum(Object.keys(policies) as [PolicyName]);
/** Policies that were found valid: one is evaluated with every message. */
const valid = new WeakSet<object>(Object.values(policies));

function checkedPolicy(policy: Policy | PolicyName): Policy {
  if (typeof policy === 'object' && policy !== null && valid.has(policy)) return policy;
  if (typeof policy === 'string') return policies[parse(names, policy, 'policy')];
  parse(policySchema, policy, 'policy');
  valid.add(policy);
  return policy;
}

interface Facts {
  readonly trust: number | null;
  readonly infoScore: number;
  readonly latestAgeMs: number | null;
  readonly successRate: number | null;
  readonly channel: string | null;
  readonly firstContact: boolean;
  readonly assessed: boolean;
  readonly violation: boolean;
  readonly source: AssessmentSource | null;
}

function toFacts(summary: PeerAssessmentSummary | null): Facts {
  const latest = summary?.latest ?? null;
  return {
    trust: latest?.trust ?? null,
    infoScore: summary?.infoScoreNow ?? 0,
    latestAgeMs: latest && summary?.asOf !== undefined ? summary.asOf - latest.createdAt : null,
    successRate: summary?.successRate ?? null,
    channel: summary?.channel ?? null,
    firstContact: summary === null || (summary.counts?.interactions === 0 && latest === null),
    assessed: latest !== null,
    violation: summary?.violation ? !summary.violation.lifted : false,
    source: latest?.source ?? null,
  };
}

function applies(when: PolicyConditions, facts: Facts): boolean {
  return (
    within(facts.trust, when.trust) &&
    within(facts.infoScore, when.infoScore) &&
    within(facts.latestAgeMs, when.latestAgeMs) &&
    within(facts.successRate, when.successRate) &&
    (when.channel === undefined || (facts.channel !== null && when.channel.includes(facts.channel))) &&
    (when.firstContact === undefined || when.firstContact === facts.firstContact) &&
    (when.assessed === undefined || when.assessed === facts.assessed) &&
    (when.violation === undefined || when.violation === facts.violation) &&
    (when.source === undefined || (facts.source !== null && when.source.includes(facts.source)))
  );
}

function within(value: number | null, bounds: Bounds | undefined): boolean {
  if (bounds === undefined) return true;
  if (value === null) return false;
  return (
    (bounds.atLeast === undefined || value >= bounds.atLeast) &&
    (bounds.atMost === undefined || value <= bounds.atMost) &&
    (bounds.above === undefined || value > bounds.above) &&
    (bounds.below === undefined || value < bounds.below)
  );
}

/** Adds the numbers that the rule compared, so that a reader can check a refusal. */
function withEvidence(reason: string, when: PolicyConditions, facts: Facts): string {
  const evidence = [
    when.trust && facts.trust !== null ? `trust ${formatTrust(facts.trust)}` : null,
    when.infoScore ? `info ${facts.infoScore}/10` : null,
    when.successRate && facts.successRate !== null
      ? `success rate ${Math.round(facts.successRate * 100)}%`
      : null,
  ].filter((part) => part !== null);
  return evidence.length === 0 ? reason : `${reason} (${evidence.join(', ')})`;
}

/** Trust with its sign: `+4`, `0`, `-3`. */
export function formatTrust(trust: number): string {
  return trust > 0 ? `+${trust}` : `${trust}`;
}
