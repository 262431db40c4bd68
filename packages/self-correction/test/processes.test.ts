// Processes of one agent that share one Postgres database and one repository.
import { runChild } from '@bonafide/internal/testing';
import { testDatabases } from '@bonafide/storage/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLocalGitForge } from '../src/index.ts';
import {
  createKyselyAuditLog,
  createKyselyProposalStore,
  migrateSelfCorrection,
} from '../src/stores/kysely.ts';
import { repository } from './world.ts';

const isFull = process.env.BONAFIDE_PROOF === 'full';
const postgres = testDatabases().find(({ name }) => name === 'Postgres');
const constant = 'TRUST_THRESHOLD_CODE';

async function openWorld() {
  const opened = await postgres?.open();
  if (opened === undefined) throw new Error('Postgres is missing');
  onTestFinished(opened.close);
  await migrateSelfCorrection(opened.db);
  const { bare, git } = repository();
  /** Runs a process; `null` if it was killed, and without an action if another one was faster. */
  const run = async (
    killAt: number,
    ...rest: readonly string[]
  ): Promise<{ readonly action: string | null; readonly steps: number } | null> => {
    const script = new URL('propose-process.ts', import.meta.url);
    const child = runChild(script, [bare, opened.url ?? '', String(killAt), ...rest]);
    onTestFinished(child.stop);
    const ended = await child.ended;
    if (ended === 'SIGKILL') return null;
    expect(ended).toBe(0);
    return JSON.parse(child.output());
  };
  return {
    ...{ bare, git, run },
    store: createKyselyProposalStore(opened.db),
    audit: createKyselyAuditLog(opened.db),
  };
}

describe.skipIf(postgres === undefined)('processes of one agent on Postgres', () => {
  it('make one branch and one pull request when they propose at the same time (SEL-4, X-20)', async () => {
    const { bare, git, run, store, audit } = await openWorld();
    const events = ['11', '22'].map((each) => each.repeat(32));
    const finish = async (event: string): Promise<string> => {
      for (;;) {
        const result = await run(0, 'leave', event);
        if (result?.action != null) return result.action;
      }
    };
    await Promise.all(events.map(finish));
    const [branch = '', ...others] = git('branch', '--list', 'auto-threshold-*').trim().split('\n');
    expect(others).toEqual([]);
    const forge = createLocalGitForge({ repository: bare });
    expect(await forge.listProposals('auto-threshold-')).toMatchObject([
      { branch: branch.trim(), state: 'open' },
    ]);
    expect((await store.get(constant))?.branch).toBe(branch.trim());
    const actions = (await audit.read({ limit: 100 })).map(({ action }) => action);
    expect(actions.filter((action) => action === 'proposed')).toHaveLength(1);
  });

  it('merge once when each is killed half-way and another one takes over (SEL-4, X-20)', async () => {
    const { git, run, store, audit } = await openWorld();
    // Calls of ports have a step before and one after.
    const kills = isFull ? Array.from({ length: 15 }, (_, n) => n + 1) : [4, 8, 12];
    for (const killAt of kills) expect(await run(killAt, 'merge'), `killed at ${killAt}`).toBeNull();
    expect(await run(0, 'merge')).not.toBeNull();
    await run(0, 'merge');
    const branches = git('branch', '--list', 'auto-threshold-*').trim().split('\n');
    expect(branches.map((name) => name.trim())).toEqual([(await store.get(constant))?.branch]);
    // The merge and nothing else came to the base branch.
    expect(git('rev-list', '--count', '--first-parent', 'main').trim()).toBe('2');
    expect((await audit.read()).map(({ action }) => action)).toEqual(['proposed', 'merged']);
  });
});
