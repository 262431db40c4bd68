import type { ReportedWork } from '@bonafide/cli/report';
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

/** Proposes another threshold, as a branch of a local repository, when the outcomes of the jobs call for it. */
async function propose(folder: string, work: readonly ReportedWork[], threshold: number) {
  const correction = await createLocalSelfCorrection({ folder, thresholds: { [codeGeneration]: threshold } });
  const judged = work
    .filter(({ kind, outcome }) => kind === 'job' && outcome !== 'INFRA')
    .map(({ id, pubkey, outcome, endedAt }) => ({ id, platform: pubkey, outcome, at: endedAt }));
  const change = await correction.suggest(codeGeneration, judged);
  if (change === null) return [];
  const { action, branch, limits } = await correction.propose(change);
  const against = limits.flatMap(({ holds, detail }) => (holds ? [] : [detail])).join('; ');
  return [{ task: change.task, ...change.proposal, action, branch, against }];
}
