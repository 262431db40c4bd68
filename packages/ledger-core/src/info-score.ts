import { LedgerError } from './errors.ts';

/** Input of `computeInfoScore`. */
export interface InfoScoreInput {
  /** Messages in both directions, an integer ≥ 0. */
  readonly interactionCount: number;
  /** Last minus first interaction, in milliseconds; negative counts as 0. */
  readonly timeSpanMs: number;
  /** Assessments so far, including the one being made, an integer ≥ 0. */
  readonly assessmentCount: number;
}

/** An infoScore with its parts. */
export interface InfoScoreExplanation {
  /** The infoScore, an integer 0…10. */
  readonly score: number;
  /** The score before it is rounded down, 0…10. */
  readonly depth: number;
  /** Upper limit given by the number of interactions, 0…10. */
  readonly volume: number;
  /** Upper limit given by the time between first and last interaction, 0…10. */
  readonly span: number;
  /** Bonus for assessments, 0…0.75. Assessments beyond the number of interactions do not count. */
  readonly bonus: number;
  /** The smaller of the two limits; `none` without any interaction. */
  readonly limitedBy: 'volume' | 'span' | 'none';
}

type Anchor = readonly [at: number, depth: number];

/** [interactions, depth], straight lines over log2(n). */
const volumeAnchors: readonly Anchor[] = [
  [1, 1],
  [2, 1.4],
  [3, 2.4],
  [6, 5],
  [16, 6],
  [50, 9],
  [80, 10],
];

/** [days, depth], straight lines over log2(1 + days). */
const spanAnchors: readonly Anchor[] = [
  [0, 2],
  [7, 4],
  [18, 5],
  [30, 7],
  [180, 9],
  [365, 10],
];

const dayMs = 86_400_000;

/**
 * Computes how much this agent knows about a peer: an integer from 0 (stranger) to 10 (long history). It
 * grows with the logarithm of the number of interactions and of the time between them, limited by the smaller
 * of the two: a hundred messages in an hour stay low, and so do two messages half a year apart. It never
 * decreases when an argument increases. It does not rate the peer's behavior; `trust` does.
 *
 * @throws LedgerError `INVALID_INPUT` when a count or the time is missing or no number
 *
 * @example
 * computeInfoScore({ interactionCount: 16, timeSpanMs: 30 * 86_400_000, assessmentCount: 0 }) // 6
 */
export function computeInfoScore(input: InfoScoreInput): number {
  return explainInfoScore(input).score;
}

/**
 * The same as `computeInfoScore`, with the parts that it is made of.
 *
 * @throws LedgerError `INVALID_INPUT` when a count or the time is missing or no number
 */
export function explainInfoScore(input: InfoScoreInput): InfoScoreExplanation {
  requireNumbers(input);
  const interactions = whole(input.interactionCount);
  if (interactions < 1) return { score: 0, depth: 0, volume: 0, span: 0, bonus: 0, limitedBy: 'none' };

  const volume = interpolate(volumeAnchors, interactions, Math.log2);
  const span = interpolate(spanAnchors, positive(input.timeSpanMs) / dayMs, (days) => Math.log2(1 + days));
  const reflected = Math.min(whole(input.assessmentCount), interactions);
  const bonus = Math.min(0.75, 0.25 * Math.log2(1 + reflected));
  const depth = Math.min(10, Math.min(volume, span) + bonus);
  return {
    // A depth that should be a whole number may miss it by a rounding error of the logarithms.
    score: Math.floor(depth + 1e-9),
    depth,
    volume,
    span,
    bonus,
    limitedBy: volume <= span ? 'volume' : 'span',
  };
}

function interpolate(anchors: readonly Anchor[], at: number, scale: (at: number) => number): number {
  let [lowerAt, lowerDepth] = anchors[0] ?? [0, 0];
  if (at <= lowerAt) return lowerDepth;
  for (const [upperAt, upperDepth] of anchors) {
    if (at <= upperAt) {
      const share = (scale(at) - scale(lowerAt)) / (scale(upperAt) - scale(lowerAt));
      return lowerDepth + share * (upperDepth - lowerDepth);
    }
    [lowerAt, lowerDepth] = [upperAt, upperDepth];
  }
  return lowerDepth;
}

const positive = (value: number): number => (value > 0 ? value : 0);
const whole = (value: number): number => Math.floor(positive(value));

/** Without a schema: this function is bundled alone, and a schema library is many times its size. */
function requireNumbers(input: InfoScoreInput): void {
  const wrong = ['interactionCount', 'timeSpanMs', 'assessmentCount'].find((name) => !hasNumber(input, name));
  if (wrong !== undefined) throw new LedgerError('INVALID_INPUT', `input.${wrong}: must be a number.`);
}

function hasNumber(input: unknown, name: string): boolean {
  try {
    const value = (input as Readonly<Record<string, unknown>> | null | undefined)?.[name];
    return typeof value === 'number' && !Number.isNaN(value);
  } catch {
    // A getter or a proxy of the caller.
    return false;
  }
}
