import type { AgentReport, ReportedWork } from '@bonafide/cli/report';
import { codeGeneration } from '@bonafide/example-strangers';
import { createLocalSelfCorrection, isBonafideError } from '@bonafide/self-correction';

/** Proposes another threshold, or says why it cannot: without git, a run has everything else. */
export async function correctThreshold(folder: string, work: readonly ReportedWork[], now?: number) {
  try {
    const thresholds = now === undefined ? [] : await propose(folder, work, now);
    return { thresholds, thresholdProblem: null };
  } catch (error) {
    if (!isBonafideError(error, 'FORGE_FAILED')) throw error;
    return { thresholds: [], thresholdProblem: error.message };
  }
}

type Correction = Awaited<ReturnType<typeof correctThreshold>>;

/** Returns the judged answers of jobs. A failure of the agent's judge or network says nothing about the threshold. */
const judgedJobs = (work: readonly ReportedWork[]) =>
  work.filter(({ kind, outcome }) => kind === 'job' && outcome !== 'INFRA');

/** Says in sentences which thresholds were proposed, or why none was. */
export function describeThresholds({
  thresholds,
  thresholdProblem,
  platforms,
  jobs,
}: Pick<AgentReport, 'platforms' | 'jobs'> & {
  readonly thresholds: Correction['thresholds'];
  readonly thresholdProblem: Correction['thresholdProblem'];
}): readonly string[] {
  if (thresholdProblem !== null) return [`No threshold was proposed. ${thresholdProblem}`];
  if (thresholds.length === 0 && platforms.length > 0)
    return [
      `No threshold was proposed: ${judgedJobs(jobs).length} judged answers to jobs end with no long run of successes or failures, and show no shift.`,
    ];
  return thresholds.map(({ task, from, to, justification, branch, against }) => {
    const change = `The agent proposes that its own threshold for ${task} becomes ${to} instead of ${from}`;
    const end = branch === null ? `Refused: ${against}.` : `See branch ${branch} of thresholds.git.`;
    return `${change}: ${justification} ${end}`;
  });
}

/** Proposes another threshold, as a branch of a local repository, when the outcomes of the jobs call for it. */
async function propose(folder: string, work: readonly ReportedWork[], threshold: number) {
  const correction = await createLocalSelfCorrection({ folder, thresholds: { [codeGeneration]: threshold } });
  const judged = judgedJobs(work).map(({ id, pubkey, outcome, endedAt }) => ({
    ...{ id, outcome },
    platform: pubkey,
    at: endedAt,
  }));
  const change = await correction.suggest(codeGeneration, judged);
  if (change === null) return [];
  const { action, branch, limits } = await correction.propose(change);
  const against = limits.flatMap(({ holds, detail }) => (holds ? [] : [detail])).join('; ');
  return [{ task: change.task, ...change.proposal, action, branch, against }];
}
