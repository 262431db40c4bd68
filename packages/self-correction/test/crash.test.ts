import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileAuditLog, createLocalGitForge } from '../src/index.ts';
import { repository } from './world.ts';

const script = join(import.meta.dirname, 'propose-process.ts');

async function run(
  repo: string,
  store: string,
  killAt: number,
  rest: readonly string[] = ['merge'],
): Promise<{ action: string | null; steps: number } | null> {
  const args = ['--conditions=@bonafide/source', script, repo, store, String(killAt), ...rest];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  const [code, signal] = await once(child, 'close');
  if (signal === 'SIGKILL') return null;
  expect(code).toBe(0);
  return JSON.parse(out);
}

describe('a proposal killed between any two steps', () => {
  it('SEL-4 is there once: one branch, one commit, one pull request, one merge', async () => {
    const { bare, folder, git } = repository();
    const store = join(folder, 'store');
    let killAt = 1;
    let result: Awaited<ReturnType<typeof run>> = null;
    // Each run dies one step later than the one before, and the next takes over.
    while (result === null) {
      result = await run(bare, store, killAt);
      killAt += 1;
    }
    expect(killAt).toBeGreaterThan(15);
    await run(bare, store, 0);
    const branches = git('branch', '--list', 'auto-threshold-*').trim().split('\n');
    expect(branches).toHaveLength(1);
    const [branch = ''] = branches.map((name) => name.trim());
    expect(git('rev-list', '--count', '--first-parent', `${branch}`).trim()).toBe('2');
    const forge = createLocalGitForge({ repository: bare });
    const proposals = await forge.listProposals('auto-threshold-');
    expect(proposals).toMatchObject([{ branch, state: 'merged' }]);
    // The merge and nothing else came to the base branch.
    expect(git('rev-list', '--count', '--first-parent', 'main').trim()).toBe('2');
    const entries = await createFileAuditLog(join(store, 'audit')).read();
    expect(entries.map(({ action }) => action)).toEqual(['proposed', 'merged']);
  });
});

describe('two processes that propose at the same time', () => {
  it('SEL-4 make one branch and one pull request, which says what its branch holds (X-20)', async () => {
    const { bare, folder, git } = repository();
    const store = join(folder, 'store');
    const events = ['11', '22'].map((each) => each.repeat(32));
    const finish = async (event: string): Promise<string> => {
      for (;;) {
        const result = await run(bare, store, 0, ['leave', event]);
        if (result?.action != null) return result.action;
      }
    };
    await Promise.all(events.map(finish));
    expect(git('branch', '--list', 'auto-threshold-*').trim().split('\n')).toHaveLength(1);
    const forge = createLocalGitForge({ repository: bare });
    const [proposal, ...others] = await forge.listProposals('auto-threshold-');
    expect(others).toEqual([]);
    expect(proposal?.state).toBe('open');
    // The last word is whole.
    await finish(events[0] ?? '');
    const [last] = await forge.listProposals('auto-threshold-');
    expect(last?.body).toContain(events[0]);
    expect(git('show', `${last?.branch}:orchestrator.py`)).toContain('float = 0.75');
  });
});
