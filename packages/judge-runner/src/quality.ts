import * as z from 'zod';
import { artifactFolder } from './languages/python.ts';
import type { Box } from './sandbox.ts';
import type { Quality } from './verdict.ts';

const count = z.int().min(0);
const measured = z.object({
  suppressions: count,
  pylint: z.object({ score: z.number() }).nullable(),
  bandit: z.object({ high: count, medium: count, low: count }).nullable(),
  mypy: z.object({ errors: count, lines: count }).nullable(),
});

/** Findings of quality tools in their own counts. Null: not installed, or not measured. */
export type ToolResults = z.infer<typeof measured>;

/** A value in [0, 10] with two decimals. */
const onScale = (value: number): number => Math.round(Math.min(10, Math.max(0, value)) * 100) / 100;

/**
 * Tool results on one scale of 0 to 10: pylint's own; bandit 10 − (5 high + 2 medium + .5 low); mypy
 * 10 − errors per 10 lines. `score` is the mean of what was measured. Pure.
 */
export function rateQuality(results: ToolResults): Omit<Quality, 'coverage'> {
  const { pylint, bandit, mypy, suppressions } = results;
  const rated = {
    pylint: pylint && onScale(pylint.score),
    bandit: bandit && onScale(10 - (5 * bandit.high + 2 * bandit.medium + 0.5 * bandit.low)),
    mypy: mypy && onScale(10 - (10 * mypy.errors) / Math.max(1, mypy.lines)),
  };
  const known = Object.values(rated).filter((value) => value !== null);
  const sum = known.reduce((total, value) => total + value, 0);
  return { score: known.length === 0 ? null : onScale(sum / known.length), ...rated, suppressions };
}

/** Runs the tools in a separate box in which the artifact does not run. Null when the box ended early. */
export async function measureQuality(box: Box): Promise<Omit<Quality, 'coverage'> | null> {
  const line = await box.request(JSON.stringify({ folder: artifactFolder }));
  if (line === null) return null;
  const parsed = measured.safeParse(JSON.parse(line));
  return parsed.success ? rateQuality(parsed.data) : null;
}

const covered = z.object({ statements: count, missing: count });

/** Begins to count what runs, before the artifact is loaded. False when coverage of Python is not installed. */
export async function beginCoverage(box: Box): Promise<boolean> {
  const line = await box.request(JSON.stringify({ id: -2, cover: artifactFolder }));
  return /"covering": ?true/.test(line ?? '');
}

/**
 * The share of statements that ran, in [0, 1], or null. It is counted where the artifact lives, so that an artifact can
 * forge it: reported, never graded.
 */
export async function endCoverage(box: Box): Promise<number | null> {
  const line = await box.request(JSON.stringify({ id: -3, covered: artifactFolder }));
  if (line === null || line.length > 1000) return null;
  try {
    const { statements, missing } = covered.parse(JSON.parse(line));
    if (statements === 0 || missing > statements) return null;
    return (statements - missing) / statements;
  } catch {
    return null;
  }
}
