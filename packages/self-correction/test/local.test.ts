import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createLocalGitForge, createLocalSelfCorrection, proposeAdjustment } from '../src/index.ts';
import { repository } from './world.ts';

it('proposes a change as a branch of a repository that it creates, and keeps an existing one (SEL-8, AGT-2)', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'bonafide-local-')), 'thresholds');
  onTestFinished(() => rmSync(join(folder, '..'), { recursive: true, force: true }));
  const proposal = proposeAdjustment(Array(40).fill(true), 0.5);
  if (proposal === null) throw new Error('nothing to propose');
  const trigger = { outcome: 'SUCCESS', platform: 'a'.repeat(64), eventId: 'b'.repeat(64) };
  const change = { task: 'code', proposal, trigger };
  const correction = await createLocalSelfCorrection({ folder, thresholds: { code: 0.5, text: 0.6 } });
  const { action, branch } = await correction.propose(change);
  expect(action).toBe('proposed');
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', join(folder, 'thresholds.git'), ...args], { encoding: 'utf8' });
  expect(git('show', `${branch}:thresholds.ts`)).toContain('"code": 0.65,');
  expect(git('show', 'main:thresholds.ts')).toContain('"code": 0.5,');
  const again = await createLocalSelfCorrection({ folder, thresholds: { code: 0.9 } });
  expect((await again.propose(change)).action).toBe('unchanged');
});

it('opens one pull request of a branch for callers that ask at once, and keeps the last text whole (SEL-4, X-20)', async () => {
  const { bare, git } = repository();
  const forge = createLocalGitForge({ repository: bare });
  await forge.createBranch('auto-threshold-code-1', git('rev-parse', 'main').trim());
  const texts = Array.from({ length: 8 }, (_, n) => ({ title: `change ${n}`, body: `${n}` }));
  const opened = await Promise.all(
    texts.map((text) => forge.openProposal({ branch: 'auto-threshold-code-1', ...text })),
  );
  expect(new Set(opened.map(({ id }) => id))).toEqual(new Set(['1']));
  await Promise.all(texts.map((text) => forge.updateProposal('1', text)));
  const proposals = await forge.listProposals('auto-threshold-');
  expect(proposals).toHaveLength(1);
  expect(texts).toContainEqual({ title: proposals[0]?.title, body: proposals[0]?.body });
});
