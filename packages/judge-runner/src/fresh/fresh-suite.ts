import type { Boxes } from '../boxes.ts';
import { JudgeError } from '../errors.ts';
import { testerLimits } from '../expected-tests.ts';
import type { Limits } from '../limits.ts';
import type { BoxSpec } from '../sandbox.ts';
import type { CodeArtifact, Suite } from '../suite.ts';
import type { Verdict } from '../verdict.ts';
import { boxedReference, drawCases, type FreshRequest, localReference, newSeed } from './fresh-cases.ts';

/** The parts of drawing the fresh cases of one run. */
interface FreshDraw {
  readonly boxes: Boxes;
  /** The run's request; null when it made none. */
  readonly wanted: FreshRequest | null;
  readonly limits: Limits;
  /** Numbers in [0, 1). */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/**
 * Draws the fresh cases of a run; null when nothing is drawn.
 * @throws JudgeError `SUITE_INVALID` when the oracle's answers cannot be used.
 */
export async function drawFresh(
  suite: Suite,
  { boxes, wanted, limits, random, signal }: FreshDraw,
): Promise<Verdict['fresh']> {
  const seed = wanted?.seed ?? newSeed(random);
  if (suite.mode !== 'vectors') return wanted === null ? null : { seed, cases: [] };
  if (!suite.generators || wanted?.count === 0) return null;
  const draw = { seed, ...(wanted?.count === undefined ? {} : { count: wanted.count }) };
  if (wanted?.oracle) return { seed, cases: await drawCases(suite, localReference(wanted.oracle), draw) };
  if (!suite.oracle)
    throw new JudgeError('SUITE_INVALID', `The suite '${suite.id}' has generators and no oracle`);
  const spec: BoxSpec = {
    artifact: { language: suite.language, ...suite.oracle } as CodeArtifact,
    oracle: true,
    profile: 'PROCESSES',
    limits: testerLimits(limits),
    signal,
  };
  const cases = await boxes.use(suite, spec, async (box) =>
    drawCases(suite, await boxedReference(box), draw),
  );
  return { seed, cases };
}

/**
 * Returns the suite with the cases that were drawn. Pure.
 * @throws JudgeError `SUITE_INVALID` when there is nothing to ask.
 */
export function withDrawn(suite: Suite, fresh: Verdict['fresh']): Suite {
  if (suite.mode !== 'vectors') return suite;
  const cases = [...suite.cases, ...(fresh?.cases ?? [])];
  if (cases.length === 0)
    throw new JudgeError(
      'SUITE_INVALID',
      `The suite '${suite.id}' has no case, and none was drawn. Ask for one at least: \`fresh: { count: 1 }\`, or \`--fresh 1\`.`,
    );
  return { ...suite, cases };
}
