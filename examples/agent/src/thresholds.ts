import { codeGeneration } from '@bonafide/example-strangers';
import { createLocalSelfCorrection, proposeAdjustment } from '@bonafide/self-correction';
import type { Work } from './work.ts';
import type { Workspace } from './workspace.ts';

/** Proposes another threshold, as a branch of a local repository, when the outcomes of the jobs call for it. */
export async function correctThreshold(workspace: Workspace, work: readonly Work[], threshold: number) {
  const jobs = work.filter(({ kind }) => kind === 'job');
  const latest = jobs.at(-1);
  const history = jobs.map(({ outcome, endedAt }) => ({ outcome, at: endedAt }));
  const proposal = proposeAdjustment(history, threshold);
  if (proposal === null || latest === undefined) return [];
  const folder = workspace.path('thresholds');
  const correction = await createLocalSelfCorrection({ folder, thresholds: { [codeGeneration]: threshold } });
  const trigger = { outcome: latest.outcome, platform: latest.pubkey, eventId: latest.id };
  const { action, branch } = await correction.propose({ task: codeGeneration, proposal, trigger });
  const { pattern, from, to } = proposal;
  return [{ task: codeGeneration, pattern, from, to, action, branch }];
}
