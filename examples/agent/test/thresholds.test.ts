import { join } from 'node:path';
import type { ReportedWork } from '@bonafide/cli/report';
import { createLocalGitForge } from '@bonafide/self-correction';
import { expect, it } from 'vitest';
import { correctThreshold } from '../src/thresholds.ts';
import { temporaryFolder } from './support/demo.ts';

/** Successful jobs, one a second. */
const successes = (from: number, count: number): ReportedWork[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{
      key: `${from + index}`,
      id: `job ${from + index}`,
      order: 'x',
      kind: 'job',
      taskType: 'x',
      task: null,
    },
    ...{ platform: 'x', pubkey: 'a'.repeat(64), bidMsat: 1, paidMsat: 0, outcome: 'SUCCESS', cause: '' },
    ...{ passed: 1, tests: 1, endedAt: (from + index) * 1_000, latencyMs: 1 },
  }));

it('AGT-2 SEL-4 proposes a threshold from the last merged one, and counts outcomes once', async () => {
  using folder = temporaryFolder();
  const work = successes(1, 40);
  const [first] = await correctThreshold(folder.path, work, 0.5);
  expect(first).toMatchObject({ action: 'proposed', from: 0.5, to: 0.65 });
  const forge = createLocalGitForge({ repository: join(folder.path, 'thresholds.git') });
  for (const { id, head } of await forge.listProposals('auto-threshold')) await forge.merge(id, head);

  expect(await correctThreshold(folder.path, work, 0.5)).toEqual([]);
  const [second] = await correctThreshold(folder.path, [...work, ...successes(41, 40)], 0.5);
  expect(second).toMatchObject({ action: 'proposed', from: 0.65, to: 0.8 });
});
