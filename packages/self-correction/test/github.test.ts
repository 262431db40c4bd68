import { Octokit } from 'octokit';
import { describe, expect, it } from 'vitest';
import { createGitHubForge } from '../src/forges/github.ts';
import { createSelfCorrection, type ForgePort } from '../src/index.ts';
import { answerGraphql, describeRequest } from './github-description.ts';
import { startGitHub } from './github-stand-in.ts';
import { input, repository, source, start } from './world.ts';

const token = 'github_pat_SECRET0123456789';
const small = input({}, { to: 0.7, delta: 0.1 });
const green = [{ name: 'ci', status: 'completed' as const, conclusion: 'success' as const }];

async function world(config = { autoMerge: true }) {
  const repo = repository();
  const hub = await startGitHub(repo.bare);
  const warnings: string[] = [];
  const logs: unknown[] = [];
  const log = (details: object, message = '') => void logs.push({ ...details, message });
  const logger = {
    debug: log,
    info: log,
    error: log,
    warn: (details: object, message = '') => {
      log(details, message);
      warnings.push(message);
    },
  };
  const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const octokit = new Octokit({
    auth: token,
    baseUrl: hub.url,
    log: quiet,
    retry: { enabled: false },
    throttle: { enabled: false },
  });
  const forge = createGitHubForge({ octokit, owner: 'agent', repo: 'config', clock: () => start, logger });
  const file = { path: 'orchestrator.py', language: 'python' as const };
  const correct = (over: ForgePort = forge) =>
    createSelfCorrection({ forge: over, file, config, clock: () => start, logger });
  return { ...repo, hub, forge, correct, warnings, logs };
}

describe('the forge on GitHub', () => {
  it('SEL-6 takes a change from proposal to merge, with real commits behind it', async () => {
    const { correct, hub, git } = await world();
    const correction = correct();
    const proposed = await correction.propose(small);
    expect(proposed).toMatchObject({
      action: 'proposed',
      pull: { url: 'https://github.com/agent/config/pull/1' },
    });
    expect(proposed.conditions.filter(({ holds }) => !holds)).toMatchObject([{ name: 'ci' }]);
    expect(git('show', `${proposed.branch}:orchestrator.py`)).toBe(
      source.replace('0.60  # production', '0.70  # production  # Auto-adjusted: success, +0.10'),
    );
    const before = hub.requests.filter(({ method }) => method !== 'GET').length;
    expect(before).toBe(3);
    expect(await correction.propose(small)).toMatchObject({ action: 'unchanged' });
    expect(hub.requests.filter(({ method }) => method !== 'GET')).toHaveLength(before);
    hub.state.runs = green;
    expect(await correction.settle(small)).toMatchObject({ action: 'merged' });
    expect(git('show', 'main:orchestrator.py')).toContain('float = 0.70');
    expect(await correction.propose(small)).toMatchObject({ action: 'unchanged' });
  });

  it('SEL-4 merges what is mergeable, and schedules what waits; anything else is left alone', async () => {
    const { correct, hub, git } = await world();
    hub.state.runs = green;
    hub.state.mergeableState = 'blocked';
    const { pull, action } = await correct().propose(small);
    expect(action).toBe('scheduled');
    expect(hub.scheduled).toEqual([{ id: 'PR_1', head: pull?.head }]);
    hub.state.mergeableState = 'dirty';
    await expect(correct().settle(small)).rejects.toMatchObject({ code: 'FORGE_FAILED' });
    expect(git('show', 'main:orchestrator.py')).toBe(source);
  });

  it('SEL-5 cancels a scheduled merge before the proposal changes', async () => {
    const { correct, hub, git } = await world();
    hub.state.runs = green;
    hub.state.mergeableState = 'blocked';
    expect((await correct().propose(small)).action).toBe('scheduled');
    // A larger move, which needs a person, in the same pull request.
    const large = input({ trigger: { ...small.trigger, eventId: 'cd'.repeat(32) } });
    expect(await correct().propose(large)).toMatchObject({ action: 'updated', pull: { id: '1' } });
    await hub.checksTurnGreen();
    expect(git('show', 'main:orchestrator.py')).toBe(source);
  });

  it('SEL-5 cancels a scheduled merge when a condition does not hold any more', async () => {
    for (const spoil of ['label', 'push'] as const) {
      const { correct, hub, git, forge } = await world();
      hub.state.runs = green;
      hub.state.mergeableState = 'blocked';
      const correction = correct();
      const { pull, branch } = await correction.propose(small);
      if (spoil === 'label') await hub.forge.setLabels('1', ['manual-review']);
      else {
        const [text, message] = [`${source}import evil\n`, 'More'];
        await hub.forge.commitFile({
          ...{ branch: branch ?? '', head: pull?.head ?? '', path: 'orchestrator.py' },
          ...{ text, message },
        });
      }
      const settled = await correction.settle(small);
      expect(settled?.action).toBe('unchanged');
      expect(settled?.pull?.mergeScheduled).toBe(false);
      await hub.checksTurnGreen();
      expect(git('show', 'main:orchestrator.py')).toBe(source);
      expect(await forge.listProposals('auto-threshold-')).toMatchObject([{ state: 'open' }]);
    }
  });

  it('SEL-5 leaves a merge alone that a person scheduled, until the proposal changes', async () => {
    const { correct, hub, git } = await world();
    hub.state.runs = green;
    hub.state.mergeableState = 'blocked';
    const large = input();
    const correction = correct();
    const { pull } = await correction.propose(large);
    hub.schedule('PR_1');
    expect(await correction.propose(large)).toMatchObject({
      action: 'unchanged',
      pull: { mergeScheduled: true },
    });
    expect(pull?.mergeScheduled).toBe(false);
    await correction.propose(input({ trigger: { ...large.trigger, eventId: 'cd'.repeat(32) } }));
    await hub.checksTurnGreen();
    expect(git('show', 'main:orchestrator.py')).toBe(source);
  });

  it('SEL-5 cancels a scheduled merge of a proposal that is withdrawn, and closes it', async () => {
    const { correct, hub, git, forge } = await world();
    hub.state.runs = green;
    hub.state.mergeableState = 'blocked';
    const correction = correct();
    await correction.propose(small);
    expect(await correction.withdraw('CODE', 'The outcomes were wrong.')).toMatchObject({
      id: '1',
      state: 'closed',
    });
    await hub.checksTurnGreen();
    expect(git('show', 'main:orchestrator.py')).toBe(source);
    expect(await forge.listProposals('auto-threshold-')).toMatchObject([
      { state: 'closed', mergeScheduled: false },
    ]);
    expect(await correction.withdraw('code', 'Again.')).toBeNull();
    expect(await correction.propose(small)).toMatchObject({ action: 'declined' });
  });

  it.each([
    ['no checks', { runs: [] }, 'unknown'],
    ['green runs', { runs: green }, 'green'],
    [
      'a skipped run',
      { runs: [...green, { name: 'x', status: 'completed', conclusion: 'skipped' }] },
      'green',
    ],
    ['only skipped runs', { runs: [{ name: 'x', status: 'completed', conclusion: 'skipped' }] }, 'unknown'],
    ['only neutral runs', { runs: [{ name: 'x', status: 'completed', conclusion: 'neutral' }] }, 'unknown'],
    ['a failed run', { runs: [...green, { name: 'x', status: 'completed', conclusion: 'failure' }] }, 'red'],
    ['a cancelled run', { runs: [{ name: 'x', status: 'completed', conclusion: 'cancelled' }] }, 'red'],
    [
      'a run in progress',
      { runs: [...green, { name: 'x', status: 'in_progress', conclusion: null }] },
      'pending',
    ],
    ['a failed status', { runs: green, status: { state: 'failure', total_count: 1 } }, 'red'],
    ['a pending status', { runs: green, status: { state: 'pending', total_count: 1 } }, 'pending'],
    ['a green status', { status: { state: 'success', total_count: 1 } }, 'green'],
    ['runs that cannot be read', { runs: green, forbidden: /check-runs/ }, 'unknown'],
    ['a status that cannot be read', { runs: green, forbidden: /status/ }, 'unknown'],
  ])('SEL-6 reads checks: %s', async (_, change, expected) => {
    const { correct, hub, forge } = await world({ autoMerge: false });
    const { pull } = await correct().propose(small);
    Object.assign(hub.state, change);
    expect(await forge.checks(pull?.id ?? '')).toBe(expected);
  });

  it('SEL-4 takes no pull request of a fork for its own', async () => {
    const { correct, hub, forge } = await world();
    const { pull } = await correct().propose(small);
    const body = pull?.body ?? '';
    const fork = { full_name: 'stranger/config' };
    hub.state.foreign = [
      {
        number: 99,
        node_id: 'x',
        state: 'open',
        merged_at: null,
        title: 'x',
        body,
        html_url: '',
        mergeable_state: 'clean',
        auto_merge: null,
        requested_teams: [],
        labels: [],
        head: { ref: 'auto-threshold-code-x', sha: 'a'.repeat(40), repo: fork },
      },
      {
        number: 98,
        node_id: 'x',
        state: 'closed',
        merged_at: null,
        title: 'x',
        body,
        html_url: '',
        mergeable_state: 'clean',
        auto_merge: null,
        requested_teams: [],
        labels: [],
        head: { ref: 'auto-threshold-code-x', sha: 'a'.repeat(40), repo: null },
      },
    ];
    expect(await forge.listProposals('auto-threshold-')).toHaveLength(1);
    expect(await correct().propose(small)).toMatchObject({ action: 'unchanged', pull: { id: pull?.id } });
  });

  it('SEL-4 ends in one pull request when any request fails after GitHub carried it out', async () => {
    const { correct, forge, hub } = await world();
    hub.state.runs = green;
    let result: string | null = null;
    for (let failAt = 1; result === null && failAt < 60; failAt += 1) {
      let calls = 0;
      const entries = Object.entries(forge).map(([name, call]) => [
        name,
        async (...args: unknown[]) => {
          const answer = await (call as (...given: unknown[]) => Promise<unknown>)(...args);
          calls += 1;
          if (calls === failAt) throw new Error('socket hang up');
          return answer;
        },
      ]);
      const flaky: ForgePort = Object.fromEntries(entries);
      result = await correct(flaky)
        .propose(small)
        .then(
          ({ action }) => action,
          () => null,
        );
    }
    expect(result).toMatch(/merged|unchanged/);
    expect(await forge.listProposals('auto-threshold-')).toMatchObject([{ state: 'merged' }]);
    expect(
      hub.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/pulls')),
    ).toHaveLength(1);
  });

  it('SEL-6 keeps the token out of errors and logs, and warns before it ends', async () => {
    const { correct, hub, logs, warnings } = await world();
    hub.state.tokenEnds = '2026-01-12 12:00:00 UTC';
    await correct().propose(small);
    expect(warnings).toEqual(['The token for GitHub ends in 7 days: renew it.']);
    hub.state.forbidden = /./;
    const error = await correct()
      .propose(small)
      .catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'FORGE_FAILED' });
    const text = (value: unknown): string => {
      if (!(value instanceof Error)) return JSON.stringify(value);
      return `${value.stack} ${JSON.stringify(value, Object.getOwnPropertyNames(value))} ${value.cause ? text(value.cause) : ''}`;
    };
    expect(text(error) + JSON.stringify(logs)).not.toContain('SECRET');
    // It went to GitHub, and only there.
    expect(hub.requests.every(({ authorization }) => authorization === `token ${token}`)).toBe(true);
  });

  it('SEL-6 warns of a token that is valid for too long, and of none in between', async () => {
    const { correct, hub, warnings } = await world();
    hub.state.tokenEnds = '2026-03-01 00:00:00 UTC';
    await correct().propose(small);
    expect(warnings).toEqual([]);
    hub.state.tokenEnds = '2027-01-01 00:00:00 UTC';
    await correct().propose(small);
    expect(warnings).toEqual(['The token for GitHub is valid for more than 90 days: shorten it.']);
  });

  it('SEL-6 the description of GitHub finds faults in requests and answers', async () => {
    const none = new URLSearchParams();
    expect(describeRequest('DELETE', '/repos/agent/config/pulls/1', none, null)).toBeNull();
    const path = '/repos/agent/config/contents/orchestrator.py';
    const put = describeRequest('PUT', path, none, { content: '', sha: 'x', colour: 'red' });
    expect(put?.faults).toEqual(['unknown member colour', "/ must have required property 'message'"]);
    const list = describeRequest(
      'GET',
      '/repos/agent/config/pulls',
      new URLSearchParams('state=all&sort=size'),
      null,
    );
    expect(list?.faults).toEqual([expect.stringContaining('sort: / must be equal to one of')]);
    expect(list?.check(200, [{ number: 1 }])).toContain("/0 must have required property 'node_id'");
    expect(list?.check(200, [])).toEqual([]);
    expect(list?.check(418, {})).toEqual(['no answer 418']);
    const mutation =
      'mutation ($id: ID!) { disablePullRequestAutoMerge(input: { pullRequest: $id }) { clientMutationId } }';
    expect((await answerGraphql({ query: mutation, variables: { id: 'x' } }, {})).errors).toHaveLength(2);
  });

  it('SEL-6 refuses names that are no repository', () => {
    const octokit = new Octokit();
    for (const wrong of [{ owner: 'a/b' }, { repo: '' }, { base: '../main' }])
      expect(() => createGitHubForge({ octokit, owner: 'agent', repo: 'config', ...wrong })).toThrow(
        /options/,
      );
  });
});
