import { join } from 'node:path';
import type { AgentReport, ReportedWork } from '@bonafide/cli/report';
import { createLocalGitForge } from '@bonafide/self-correction';
import { expect, it, onTestFinished, vi } from 'vitest';
import { correctThreshold, describeThresholds } from '../src/thresholds.ts';
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

  const none = { thresholds: [], thresholdProblem: null };
  expect(await correctThreshold(folder.path, work, 0.5)).toEqual(none);
  expect(await correctThreshold(folder.path, [...work, ...successes(41, 40)], 0.5)).toMatchObject({
    thresholds: [{ action: 'proposed', from: 0.65, to: 0.8 }],
  });
  // Too little evidence for a proposal.
  expect(await correctThreshold(join(folder.path, 'few'), successes(1, 12), 0.5)).toMatchObject({
    thresholds: [{ action: 'refused', branch: null, against: 'Sample of 12, at least 30' }],
  });
  // Without a platform there is no threshold to begin with.
  expect(await correctThreshold(join(folder.path, 'other'), work, undefined)).toEqual(none);
});

it('AGT-2 says in a sentence what was proposed, or why nothing was', async () => {
  using folder = temporaryFolder();
  const platforms = [{}] as unknown as AgentReport['platforms'];
  const said = async (name: string, jobs: readonly ReportedWork[]) => {
    const correction = await correctThreshold(join(folder.path, name), jobs, 0.5);
    return describeThresholds({ ...correction, platforms, jobs });
  };
  // Each success is followed by a failure.
  const mixed = successes(1, 36).map((each, index) =>
    index % 2 === 0 ? each : { ...each, outcome: 'FAILURE' as const },
  );
  expect(await said('mixed', mixed)).toEqual([
    'No threshold was proposed: 36 judged answers to jobs end with no long run of successes or failures, and show no shift.',
  ]);
  expect(await said('sustained', successes(1, 40))).toEqual([
    expect.stringMatching(
      /^The agent proposes .* becomes 0\.65 instead of 0\.5: .* See branch .* of thresholds\.git\.$/,
    ),
  ]);
  expect(await said('few', successes(1, 12))).toEqual([
    expect.stringContaining('Refused: Sample of 12, at least 30.'),
  ]);
  // Without a platform there is no threshold.
  expect(describeThresholds({ thresholds: [], thresholdProblem: null, platforms: [], jobs: [] })).toEqual([]);
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
