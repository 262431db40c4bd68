import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createLocalSelfCorrection, proposeAdjustment } from '../src/index.ts';

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
