import type { Assessment, AssessmentSource } from './records.ts';

/** How far one assessment moved trust in a peer (LED-17). */
export interface TrustStep {
  readonly peerId: string;
  readonly assessmentId: string;
  /** The trust before, whoever had given it; 0 for the first assessment of a peer. */
  readonly from: number;
  readonly to: number;
  /** ms since epoch. */
  readonly at: number;
}

/** Which steps to look at. */
export interface TrustStepOptions {
  /**
   * Whose assessments.
   * @default 'agent', whose steps `maxTrustStep` limits
   */
  readonly source?: AssessmentSource | undefined;
  /**
   * Only steps from this time on, ms since epoch.
   * @default 0
   */
  readonly since?: number | undefined;
}

/**
 * The furthest that one assessment moved trust, up or down, over assessments in order of time; the latest of several
 * that moved it as far. Null when there is none to look at.
 */
export function largestTrustStep(
  assessments: Iterable<Assessment>,
  { source = 'agent', since = 0 }: TrustStepOptions = {},
): TrustStep | null {
  const trustIn = new Map<string, number>();
  let largest: TrustStep | null = null;
  for (const { peerId, assessmentId, trust: to, source: by, createdAt: at } of assessments) {
    const from = trustIn.get(peerId) ?? 0;
    trustIn.set(peerId, to);
    if (by !== source || at < since) continue;
    if (!largest || lengthOf({ from, to }) >= lengthOf(largest)) {
      largest = { peerId, assessmentId, from, to, at };
    }
  }
  return largest;
}

const lengthOf = ({ from, to }: Pick<TrustStep, 'from' | 'to'>): number => Math.abs(to - from);
