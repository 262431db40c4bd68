import type { ReportedWork } from '@bonafide/cli/report';
import { codeGeneration } from '@bonafide/example-strangers';
import { createLocalSelfCorrection } from '@bonafide/self-correction';

/** Proposes another threshold, as a branch of a local repository, when the outcomes of the jobs call for it. */
export async function correctThreshold(folder: string, work: readonly ReportedWork[], threshold: number) {
  const correction = await createLocalSelfCorrection({ folder, thresholds: { [codeGeneration]: threshold } });
  const judged = work
    .filter(({ kind, outcome }) => kind === 'job' && outcome !== 'INFRA')
    .map(({ id, pubkey, outcome, endedAt }) => ({ id, platform: pubkey, outcome, at: endedAt }));
  const change = await correction.suggest(codeGeneration, judged);
  if (change === null) return [];
  const { action, branch } = await correction.propose(change);
  const { pattern, from, to } = change.proposal;
  return [{ task: change.task, pattern, from, to, action, branch }];
}
