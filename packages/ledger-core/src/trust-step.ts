import type { Assessment, AssessmentSource } from './records.ts';

/** The change of trust made by one assessment. */
export interface TrustStep {
  readonly peerId: string;
  readonly assessmentId: string;
  /** Trust before, from any source; 0 for the first assessment of a peer. */
  readonly from: number;
  readonly to: number;
  /** ms since epoch. */
  readonly at: number;
}

/** Options of `largestTrustStep`. */
export interface TrustStepOptions {
  /**
   * Source of the assessments to look at.
   * @default 'agent', whose steps `maxTrustStep` limits
   */
  readonly source?: AssessmentSource | undefined;
  /**
   * Trust by peerId before the first of the assessments.
   * @default 0 for every peer
   */
  readonly before?: ReadonlyMap<string, number> | undefined;
}

/**
 * The furthest that one assessment moved trust, up or down, over assessments in order of time; the latest of several
 * that moved it as far. Null when there is none to look at.
 */
export function largestTrustStep(
  assessments: Iterable<Assessment>,
  { source = 'agent', before }: TrustStepOptions = {},
): TrustStep | null {
  const steps = createTrustSteps(source, before);
  for (const row of assessments) steps.add(row);
  return steps.largest();
}

/** Finds the largest step row by row. Keeps one score per peer. */
export function createTrustSteps(
  source: AssessmentSource,
  before?: ReadonlyMap<string, number>,
): {
  /** Returns false for a peer whose trust before is not known yet; see `setBefore`. */
  knows(peerId: string): boolean;
  setBefore(peerId: string, trust: number): void;
  add(row: Assessment): void;
  largest(): TrustStep | null;
} {
  const trustIn = new Map(before);
  let largest: TrustStep | null = null;
  return {
    knows: (peerId) => trustIn.has(peerId),
    setBefore: (peerId, trust) => void trustIn.set(peerId, trust),
    add({ peerId, assessmentId, trust: to, source: by, createdAt: at }) {
      const from = trustIn.get(peerId) ?? 0;
      trustIn.set(peerId, to);
      if (by !== source) return;
      if (!largest || lengthOf({ from, to }) >= lengthOf(largest)) {
        largest = { peerId, assessmentId, from, to, at };
      }
    },
    largest: () => largest,
  };
}

const lengthOf = ({ from, to }: Pick<TrustStep, 'from' | 'to'>): number => Math.abs(to - from);
