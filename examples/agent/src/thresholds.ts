import type { ReportedWork } from '@bonafide/cli/report';
import { codeGeneration } from '@bonafide/example-strangers';
import { createLocalSelfCorrection, isBonafideError } from '@bonafide/self-correction';

/**
 * Proposes another threshold, as a branch of a local repository, when the outcomes of the jobs call for it, or says why it does not:
 * without git, a run has everything else.
 */
export async function correctThreshold(folder: string, work: readonly ReportedWork[], threshold?: number) {
  if (threshold === undefined) return none(null);
  // A failure of the agent's judge or network says nothing about the threshold.
  const judged = work
    .filter(({ kind, outcome }) => kind === 'job' && outcome !== 'INFRA')
    .map(({ id, pubkey, outcome, endedAt }) => ({ id, platform: pubkey, outcome, at: endedAt }));
  try {
    const thresholds = { [codeGeneration]: threshold };
    const correction = await createLocalSelfCorrection({ folder, thresholds });
    const change = await correction.suggest(codeGeneration, judged);
    const unchanged = `${judged.length} judged answers to jobs end with no long run of successes or failures, and show no shift.`;
    if (change === null) return none(unchanged);
    const { action, branch, limits } = await correction.propose(change);
    const against = limits.flatMap(({ holds, detail }) => (holds ? [] : [detail])).join('; ');
    const proposed = { task: change.task, ...change.proposal, action, branch, against };
    return { thresholds: [proposed], thresholdProblem: null };
  } catch (error) {
    if (!isBonafideError(error, 'FORGE_FAILED')) throw error;
    return none(error.message);
  }
}

const none = (thresholdProblem: string | null) => ({ thresholds: [], thresholdProblem });
