import { join } from 'node:path';
import type { ReportedWork } from '@bonafide/cli/report';
import { createLocalGitForge } from '@bonafide/self-correction';
import { expect, it, onTestFinished, vi } from 'vitest';
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
  expect(await correctThreshold(folder.path, work, 0.5)).toMatchObject({
    thresholds: [{ action: 'proposed', from: 0.5, to: 0.65 }],
  });
  const forge = createLocalGitForge({ repository: join(folder.path, 'thresholds.git') });
  for (const { id, head } of await forge.listProposals('auto-threshold')) await forge.merge(id, head);

  // Each success is followed by a failure, or the merged change has used them all.
  const mixed = successes(1, 36).map((each, index) =>
    index % 2 === 0 ? each : { ...each, outcome: 'FAILURE' as const },
  );
  for (const [jobs, name] of [
    [mixed, 'mixed'],
    [work, ''],
  ] as const)
    expect(await correctThreshold(join(folder.path, name), jobs, 0.5)).toEqual({
      thresholds: [],
      thresholdProblem: `${jobs.length} judged answers to jobs end with no long run of successes or failures, and show no shift.`,
    });
  expect(await correctThreshold(folder.path, [...work, ...successes(41, 40)], 0.5)).toMatchObject({
    thresholds: [{ action: 'proposed', from: 0.65, to: 0.8 }],
  });
  // Too little evidence for a proposal.
  expect(await correctThreshold(join(folder.path, 'few'), successes(1, 12), 0.5)).toMatchObject({
    thresholds: [{ action: 'refused', branch: null, against: 'Sample of 12, at least 30' }],
  });
  // Without a platform there is no threshold to begin with.
  expect(await correctThreshold(join(folder.path, 'other'), work, undefined)).toEqual({
    thresholds: [],
    thresholdProblem: null,
  });
});

it('AGT-2 says why no threshold is proposed on a machine without git', async () => {
  using folder = temporaryFolder();
  vi.stubEnv('PATH', folder.path);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await correctThreshold(folder.path, successes(1, 40), 0.5)).toEqual({
    thresholds: [],
    thresholdProblem: expect.stringContaining('Install git'),
  });
});
