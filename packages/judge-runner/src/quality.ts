import * as z from 'zod';
import type { Boxes } from './boxes.ts';
import { artifactFolder } from './languages/python.ts';
import { type Limits, mergeLimits } from './limits.ts';
import { textOf } from './line.ts';
import type { Box } from './sandbox.ts';
import type { Artifact, CodeArtifact, ProgramSuite, Suite } from './suite.ts';
import { runVectors } from './vectors.ts';
import type { Quality } from './verdict.ts';

const count = z.int().min(0);
/** A tool that is installed and did not come to an end with these files. */
const failed = z.literal('failed');
/** Schema of {@link ToolResults}. */
export const toolResultsSchema = z.object({
  suppressions: count,
  pylint: z.object({ score: z.number() }).or(failed).nullable(),
  bandit: z.object({ high: count, medium: count, low: count }).or(failed).nullable(),
  mypy: z.object({ errors: count, lines: count }).or(failed).nullable(),
});
const installed = z.object({ installed: z.array(z.string()) });

/** Findings of quality tools in their own counts. Null: not installed. Failed: the files keep it from measuring them. */
export type ToolResults = z.infer<typeof toolResultsSchema>;

/** A value in [0, 10] with two decimals. */
const onScale = (value: number): number => Math.round(Math.min(10, Math.max(0, value)) * 100) / 100;

/** Enough for three tools and large programs, each of which ends its tools before. */
const toolLimits = mergeLimits({ wallMs: 1_000_000, cpuHardMs: 1_000_000 });

/** What a tool counted on the scale; 0 for one that failed. */
const rate = <T>(found: T | 'failed' | null, score: (counts: T) => number): number | null =>
  found === null ? null : found === 'failed' ? 0 : onScale(score(found));

/**
 * Tool results on one scale of 0 to 10: pylint's own; bandit 10 − (5 high + 2 medium + .5 low); mypy
 * 10 − errors per 10 lines. `score` is the mean of what was measured; a tool that failed counts as 0. Pure.
 */
export function rateQuality(results: ToolResults): Omit<Quality, 'coverage'> {
  const { pylint, bandit, mypy, suppressions } = results;
  const rated = {
    pylint: rate(pylint, ({ score }) => score),
    bandit: rate(bandit, ({ high, medium, low }) => 10 - (5 * high + 2 * medium + 0.5 * low)),
    mypy: rate(mypy, ({ errors, lines }) => 10 - (10 * errors) / Math.max(1, lines)),
  };
  const known = Object.values(rated).filter((value) => value !== null);
  const sum = known.reduce((total, value) => total + value, 0);
  return { score: known.length === 0 ? null : onScale(sum / known.length), ...rated, suppressions };
}

/** Runs the tools in a separate box in which the artifact does not run. Null when the box did not even begin. */
async function measureQuality(box: Box): Promise<Omit<Quality, 'coverage'> | null> {
  const begun = await box.request(JSON.stringify({ folder: artifactFolder }));
  if (begun === null) return null;
  const tools = installed.parse(JSON.parse(textOf(begun))).installed;
  const line = await box.request('{}');
  const parsed = line === null ? null : toolResultsSchema.safeParse(JSON.parse(textOf(line)));
  if (parsed?.success === true) return rateQuality(parsed.data);
  // Files that exhaust the box are rated as if each tool had failed.
  const of = (tool: string) => (tools.includes(tool) ? ('failed' as const) : null);
  return rateQuality({ suppressions: 0, pylint: of('pylint'), bandit: of('bandit'), mypy: of('mypy') });
}

const covered = z.object({ statements: count, missing: count });

/** Begins to count what runs, before the artifact is loaded. False when coverage of Python is not installed. */
async function beginCoverage(box: Box): Promise<boolean> {
  const line = await box.request(JSON.stringify({ id: -2, cover: artifactFolder }));
  return line !== null && /"covering": ?true/.test(textOf(line));
}

/**
 * The share of statements that ran, in [0, 1], or null. It is counted where the artifact lives, so that an artifact can
 * forge it: reported, never graded.
 */
async function endCoverage(box: Box): Promise<number | null> {
  const line = await box.request(JSON.stringify({ id: -3, covered: artifactFolder }));
  if (typeof line !== 'string' || line.length > 1000) return null;
  try {
    const { statements, missing } = covered.parse(JSON.parse(line));
    if (statements === 0 || missing > statements) return null;
    return (statements - missing) / statements;
  } catch {
    return null;
  }
}

/** What is rated: an artifact with the suite that it was judged by. */
interface RatedRun {
  readonly artifact: Artifact;
  readonly suite: Exclude<Suite, ProgramSuite>;
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

/**
 * Runs the quality tools of Python, and the vectors again with coverage, each in a separate box, so that their cost does not
 * appear in the artifact's metrics.
 */
export async function qualityOf(
  boxes: Boxes,
  { artifact, suite, limits, signal }: RatedRun,
): Promise<Quality> {
  const code = { ...artifact, language: suite.language } as CodeArtifact;
  const tools = { artifact: code, tools: true, profile: 'PROCESSES', limits: toolLimits, signal } as const;
  const rated = code.language === 'python' ? await boxes.use(suite, tools, measureQuality) : null;
  const spec = { artifact: code, profile: suite.profile ?? 'STRICT', limits, signal } as const;
  const coverage =
    suite.mode === 'vectors'
      ? await boxes.use(suite, spec, async (box) => {
          if (!(await beginCoverage(box))) return null;
          const run = await runVectors(box, suite, code);
          return run.complete ? endCoverage(box) : null;
        })
      : null;
  signal.throwIfAborted();
  const unrated = { score: null, pylint: null, bandit: null, mypy: null, suppressions: null };
  return { ...(rated ?? unrated), coverage };
}
