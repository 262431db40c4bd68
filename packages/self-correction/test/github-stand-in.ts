import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { components } from '@octokit/openapi-types';
import { onTestFinished } from 'vitest';
import { createLocalGitForge, type ForgeProposal } from '../src/index.ts';

// The members that are sent, with the types of GitHub's published description.
type Schemas = components['schemas'];
type Pull = Pick<
  Schemas['pull-request'],
  'number' | 'node_id' | 'state' | 'merged_at' | 'title' | 'body' | 'html_url' | 'mergeable_state'
> & {
  auto_merge: { merge_method: 'squash' } | null;
  labels: Pick<Schemas['pull-request']['labels'][number], 'name'>[];
  head: { ref: string; sha: string; repo: { full_name: string } | null };
};
type Ref = { ref: Schemas['git-ref']['ref']; object: Pick<Schemas['git-ref']['object'], 'sha' | 'type'> };
type Content = Pick<Schemas['content-file'], 'type' | 'encoding' | 'content' | 'sha' | 'path'>;
type File = Pick<Schemas['diff-entry'], 'filename' | 'status'>;
type CheckRun = Pick<Schemas['check-run'], 'status' | 'conclusion' | 'name'>;
type Status = Pick<Schemas['combined-commit-status'], 'state' | 'total_count'>;

/** Settings that a test changes while the stand-in runs. */
export interface StandInState {
  runs: CheckRun[];
  status: Status;
  mergeableState: string;
  /** Routes that answer 403. */
  forbidden: RegExp | null;
  /** Pull requests of forks. */
  foreign: Pull[];
  tokenEnds: string | null;
}

/** Starts a server that answers as GitHub does, with a bare repository as the truth. */
export async function startGitHub(repository: string) {
  const forge = createLocalGitForge({ repository });
  const git = (args: string[], input?: string) =>
    execFileSync('git', ['-C', repository, ...args], {
      encoding: 'utf8',
      ...(input === undefined ? {} : { input }),
    });
  const state: StandInState = {
    runs: [],
    status: { state: 'pending', total_count: 0 },
    mergeableState: 'clean',
    forbidden: null,
    foreign: [],
    tokenEnds: null,
  };
  const requests: { method: string; path: string; body: unknown; authorization: string }[] = [];
  const scheduled: { id: string; head: string }[] = [];
  /** Node ids of the pull requests that GitHub merges by itself once it can. */
  const armed = new Set<string>();

  const pullOf = ({ id, branch, head, state: now, title, body, labels }: ForgeProposal): Pull => ({
    number: Number(id),
    node_id: `PR_${id}`,
    state: now === 'open' ? 'open' : 'closed',
    merged_at: now === 'merged' ? '2026-01-05T12:00:00Z' : null,
    title,
    body,
    html_url: `https://github.com/agent/config/pull/${id}`,
    mergeable_state: state.mergeableState,
    auto_merge: armed.has(`PR_${id}`) ? { merge_method: 'squash' } : null,
    labels: labels.map((name) => ({ name })),
    head: { ref: branch, sha: head, repo: { full_name: 'agent/config' } },
  });
  const refOf = (branch: string): Ref | null => {
    try {
      const sha = git(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]).trim();
      return { ref: `refs/heads/${branch}`, object: { sha, type: 'commit' } };
    } catch {
      return null;
    }
  };
  const fail = (status: number, message: string) => ({ status, data: { message } });

  async function answer(
    method: string,
    path: string,
    query: URLSearchParams,
    body: Record<string, string>,
  ): Promise<{ status: number; data: unknown }> {
    if (path === '/graphql') {
      const variables = body.variables as unknown as { id: string; head: string };
      if (body.query?.includes('disablePullRequestAutoMerge')) {
        if (!armed.delete(variables.id))
          return {
            status: 200,
            data: { data: null, errors: [{ message: "Can't disable auto-merge for this pull request" }] },
          };
        return {
          status: 200,
          data: { data: { disablePullRequestAutoMerge: { pullRequest: { number: 1 } } } },
        };
      }
      if (state.mergeableState === 'clean')
        return {
          status: 200,
          data: { data: null, errors: [{ message: 'Pull request is in clean status' }] },
        };
      scheduled.push(variables);
      armed.add(variables.id);
      return { status: 200, data: { data: { enablePullRequestAutoMerge: { pullRequest: { number: 1 } } } } };
    }
    // Clients encode the slashes of a parameter; GitHub takes both.
    const [, route = ''] = /^\/repos\/agent\/config\/(.*)$/u.exec(decodeURIComponent(path)) ?? [];
    if (state.forbidden?.test(route)) return fail(403, 'Resource not accessible by personal access token');
    const is = (wanted: string, pattern: RegExp) => (method === wanted ? pattern.exec(route) : null);
    let match = is('GET', /^git\/ref\/heads\/(.+)$/u);
    if (match) {
      const ref = refOf(match[1] ?? '');
      return ref === null ? fail(404, 'Not Found') : { status: 200, data: ref };
    }
    if (is('POST', /^git\/refs$/u)) {
      const branch = body.ref?.replace('refs/heads/', '') ?? '';
      if (refOf(branch) !== null) return fail(422, 'Reference already exists');
      git(['update-ref', `refs/heads/${branch}`, body.sha ?? '']);
      return { status: 201, data: refOf(branch) };
    }
    match = is('GET', /^contents\/(.+)$/u);
    if (match) {
      const file = match[1] ?? '';
      const spec = `${query.get('ref')}:${file}`;
      const content: Content = {
        ...{ type: 'file', encoding: 'base64', path: file },
        sha: git(['rev-parse', spec]).trim(),
        content: Buffer.from(git(['cat-file', 'blob', spec]))
          .toString('base64')
          .replaceAll(/.{60}/gu, '$&\n'),
      };
      return { status: 200, data: content };
    }
    match = is('PUT', /^contents\/(.+)$/u);
    if (match) {
      const file = match[1] ?? '';
      const { branch = '', message = '', content = '', sha } = body;
      const head = refOf(branch)?.object.sha ?? '';
      if (git(['rev-parse', `${head}:${file}`]).trim() !== sha)
        return fail(409, `${file} does not match ${sha}`);
      const text = Buffer.from(content, 'base64').toString('utf8');
      return {
        status: 200,
        data: { commit: { sha: await forge.commitFile({ branch, head, path: file, text, message }) } },
      };
    }
    if (is('GET', /^pulls$/u)) {
      const wanted = query.get('head')?.split(':')[1];
      const own = (await forge.listProposals(wanted ?? '')).map(pullOf);
      const page = Number(query.get('page') ?? 1);
      const all = [...state.foreign, ...own].filter(
        (pull) => query.get('state') === 'all' || pull.state === 'open',
      );
      return { status: 200, data: all.slice((page - 1) * 100, page * 100) };
    }
    if (is('POST', /^pulls$/u)) {
      const { head = '', title = '', body: text = '' } = body;
      if ((await forge.listProposals(head)).some((pull) => pull.branch === head && pull.state === 'open'))
        return fail(422, 'A pull request already exists');
      return { status: 201, data: pullOf(await forge.openProposal({ branch: head, title, body: text })) };
    }
    match = /^pulls\/(\d+)(\/\w+)?$/u.exec(route);
    if (match) {
      const [, id = '', part = ''] = match;
      const find = async () => (await forge.listProposals('')).find((pull) => pull.id === id);
      if (part === '/files') {
        const files: File[] = (await forge.changedFiles(id)).map((filename) => ({
          filename,
          status: 'modified',
        }));
        return { status: 200, data: files };
      }
      if (part === '/merge') {
        if (state.mergeableState !== 'clean') return fail(405, 'Pull Request is not mergeable');
        if ((await find())?.head !== body.sha) return fail(409, 'Head branch was modified');
        await forge.merge(id, body.sha ?? '');
        return {
          status: 200,
          data: { merged: true, sha: body.sha, message: 'Pull Request successfully merged' },
        };
      }
      if (method === 'PATCH') {
        const current = await find();
        if (body.state === 'closed') await forge.closeProposal(id);
        const { title = current?.title ?? '', body: text = current?.body ?? '' } = body;
        await forge.updateProposal(id, { title, body: text });
      }
      const pull = await find();
      return pull === undefined ? fail(404, 'Not Found') : { status: 200, data: pullOf(pull) };
    }
    if (is('GET', /^commits\/[0-9a-f]{40}\/check-runs$/u))
      return { status: 200, data: { total_count: state.runs.length, check_runs: state.runs } };
    if (is('GET', /^commits\/[0-9a-f]{40}\/status$/u)) return { status: 200, data: state.status };
    return fail(404, `No route ${method} ${path}`);
  }

  async function bodyOf(request: IncomingMessage): Promise<Record<string, string>> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'));
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const { method = 'GET' } = request;
    const body = await bodyOf(request);
    requests.push({ method, path: pathname, body, authorization: request.headers.authorization ?? '' });
    const { status, data } = await answer(method, pathname, searchParams, body).catch((error: Error) =>
      fail(500, error.message),
    );
    const expiration =
      state.tokenEnds === null ? {} : { 'github-authentication-token-expiration': state.tokenEnds };
    response
      .writeHead(status, { 'content-type': 'application/json', ...expiration })
      .end(JSON.stringify(data));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  /** Merges what waits for its checks, at its head of this moment, as GitHub does when they turn green. */
  async function checksTurnGreen() {
    for (const { id, head, state: now } of await forge.listProposals(''))
      if (armed.delete(`PR_${id}`) && now === 'open') await forge.merge(id, head);
  }

  return {
    checksTurnGreen,
    /** Schedules a merge, as a person does. */
    schedule: (id: string) => void armed.add(id),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    requests,
    scheduled,
    forge,
  };
}
