import { type Receipt, type ReceiptVerification, verifyReceipt } from '../receipt.ts';
import type { TierName } from '../tier.ts';
import type { TrustPolicy } from './trust-policy.ts';

/** A receipt that does not count, and the reason. */
export interface RejectedReceipt {
  /** Position in the report. Of the verifier's own receipts none is listed. */
  readonly index: number;
  /**
   * The status of `verifyReceipt`; `duplicate`: the customer signed a later receipt for the same job; `expired`: older than the
   * policy accepts; `excess`: beyond the number that the policy accepts.
   */
  readonly reason: ReceiptVerification['status'] | 'duplicate' | 'expired' | 'excess';
  readonly message: string;
}

/** The receipts of a report under a policy. */
export interface ReceiptEvidence {
  /** Receipts whose signatures hold, one per customer and job. */
  readonly accepted: number;
  readonly rejected: readonly RejectedReceipt[];
  /** Distinct customers of the accepted receipts, those that the policy knows first. */
  readonly customers: readonly string[];
  readonly successes: number;
  /** Partial results, failures, timeouts and violations. */
  readonly failures: number;
  /** Violations that known customers signed. */
  readonly knownViolations: number;
  /** Weighted successes of each customer that the policy knows, without customers that signed none. */
  readonly knownSuccesses: ReadonlyMap<string, number>;
  /** Weighted jobs of each customer that the policy knows. */
  readonly knownJobs: ReadonlyMap<string, JobCounts>;
}

/** Numbers of jobs, weighted. */
export interface JobCounts {
  readonly successes: number;
  readonly failures: number;
}

interface Accepted {
  readonly customer: string;
  readonly jobId: string;
  readonly outcome: string;
  readonly completedAt: number;
  readonly index: number;
}

/**
 * Verifies receipts and keeps the newest of each customer and job. The verifier's own come first and without a limit, also
 * when they are later than the report: no number or copy of stated ones displaces them. They have indices below 0.
 */
function accept(
  stated: readonly unknown[],
  options: { readonly provider: string; readonly at: number; readonly policy: TrustPolicy },
): { readonly accepted: readonly Accepted[]; readonly rejected: readonly RejectedReceipt[] } {
  const { provider, at, policy } = options;
  const rejected: RejectedReceipt[] = [];
  const newest = new Map<string, Accepted>();
  const ownIds = new Set(policy.ownReceipts.map(({ id }) => id));
  const receipts: (readonly [number, unknown])[] = [
    ...policy.ownReceipts.map((receipt, index) => [-1 - index, receipt] as const),
    ...[...stated.entries()].filter(
      ([, receipt]) => !ownIds.has((receipt as Partial<Receipt> | null)?.id ?? ''),
    ),
  ];
  for (const [index, receipt] of receipts) {
    if (index >= policy.maxReceipts) {
      const message = `Only the first ${policy.maxReceipts} receipts are verified.`;
      rejected.push({ index, reason: 'excess', message });
      break;
    }
    const { status, customer, outcome, message } = verifyReceipt(receipt, {
      provider,
      now: index < 0 ? Number.MAX_SAFE_INTEGER : at,
    });
    if (status !== 'valid' || customer === null || outcome === null) {
      rejected.push({ index, reason: status, message });
      continue;
    }
    if (outcome.completedAt < at - policy.maxReceiptAgeMs) {
      rejected.push({ index, reason: 'expired', message: 'The receipt is older than the policy accepts.' });
      continue;
    }
    const key = JSON.stringify([customer, outcome.jobId]);
    const before = newest.get(key);
    const one = {
      customer,
      jobId: outcome.jobId,
      outcome: outcome.outcome,
      completedAt: outcome.completedAt,
      index,
    };
    // Of two receipts of one time the worse counts, so that a repeated receipt hides nothing.
    const replaces =
      before === undefined ||
      one.completedAt > before.completedAt ||
      (one.completedAt === before.completedAt && before.outcome === 'success');
    const loser = replaces ? before : one;
    if (replaces) newest.set(key, one);
    if (loser !== undefined) {
      const text = `${customer} signed another receipt for job ${JSON.stringify(outcome.jobId)}.`;
      rejected.push({ index: loser.index, reason: 'duplicate', message: text });
    }
  }
  return { accepted: [...newest.values()], rejected: rejected.filter(({ index }) => index >= 0) };
}

/** Evaluates the receipts of a report, and those that the verifier has itself, under a policy. */
export function evaluateReceipts(
  receipts: readonly unknown[],
  options: { readonly provider: string; readonly at: number; readonly policy: TrustPolicy },
): ReceiptEvidence {
  const { policy } = options;
  const { accepted, rejected } = accept(receipts, options);
  const byCustomer = new Map<string, JobCounts>();
  for (const { customer, outcome } of accepted) {
    const { successes, failures } = byCustomer.get(customer) ?? { successes: 0, failures: 0 };
    const isSuccess = outcome === 'success';
    byCustomer.set(customer, {
      successes: successes + (isSuccess ? 1 : 0),
      failures: failures + (isSuccess ? 0 : 1),
    });
  }
  const weightOf = (customer: string): number =>
    (Object.hasOwn(policy.knownCustomers, customer) ? policy.knownCustomers[customer] : 0) ?? 0;
  const knownJobs = new Map(
    [...byCustomer]
      .filter(([customer]) => weightOf(customer) > 0)
      .map(([customer, { successes, failures }]) => {
        const weight = weightOf(customer);
        return [customer, { successes: successes * weight, failures: failures * weight }];
      }),
  );
  const successes = accepted.filter(({ outcome }) => outcome === 'success').length;
  return {
    accepted: accepted.length,
    rejected,
    customers: [...byCustomer.keys()].toSorted((left, right) => weightOf(right) - weightOf(left)),
    successes,
    failures: accepted.length - successes,
    knownViolations: accepted.filter(
      ({ outcome, customer }) => outcome === 'violation' && weightOf(customer) > 0,
    ).length,
    knownSuccesses: new Map(
      [...knownJobs].flatMap(([customer, { successes: won }]) => (won > 0 ? [[customer, won]] : [])),
    ),
    knownJobs,
  };
}

/**
 * Returns the success rate by the agent's own counts and by known customers, 0…1; null without a failure that a known customer
 * signed. Each source counts for `maxJobsPerSource` jobs at most, in its own proportions.
 */
export function jointSuccessRate(
  claimed: JobCounts,
  { knownJobs }: ReceiptEvidence,
  { maxJobsPerSource }: TrustPolicy,
): number | null {
  const signed = [...knownJobs.values()];
  if (!signed.some(({ failures }) => failures > 0)) return null;
  let won = 0;
  let all = 0;
  for (const { successes, failures } of [claimed, ...signed]) {
    const jobs = successes + failures;
    const scale = jobs > maxJobsPerSource ? maxJobsPerSource / jobs : 1;
    won += scale * successes;
    all += scale * jobs;
  }
  return won / all;
}

/**
 * Returns the proof that a tier lacks under a policy; null when nothing is missing.
 *
 * @param successRate Result of {@link jointSuccessRate}.
 */
export function missingProof(
  tier: TierName,
  evidence: ReceiptEvidence,
  policy: TrustPolicy,
  successRate: number | null,
): string | null {
  const proof = policy.proof[tier];
  if (proof === undefined) return null;
  const { knownSuccesses } = evidence;
  if (successRate !== null && successRate < (proof.successRate ?? 0))
    return `${tier} needs a success rate of ${proof.successRate}; with the failures that known customers signed it is ${successRate.toFixed(3)}`;
  // One customer carries a limited part of the proof, however many jobs it gave.
  const most = policy.maxCustomerShare * proof.successes;
  const proved = [...knownSuccesses.values()].reduce((sum, count) => sum + Math.min(count, most), 0);
  if (proved >= proof.successes && knownSuccesses.size >= proof.customers) return null;
  return (
    `${tier} needs receipts for ${proof.successes} successes by ${proof.customers} known customers; ` +
    `there are ${Math.floor(proved)} by ${knownSuccesses.size}`
  );
}
