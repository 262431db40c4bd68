import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { createLocalGitForge, type ForgeProposal } from '../src/index.ts';
import { answerGraphql, describeRequest, exampleUser } from './github-description.ts';

interface Pull {
  readonly number: number;
  readonly node_id: string;
  readonly state: 'open' | 'closed';
  readonly merged_at: string | null;
  readonly title: string;
  readonly body: string;
  readonly html_url: string;
  readonly mergeable_state: string;
  readonly auto_merge: object | null;
  /** GitHub's example of a team lacks a member that its schema requires. */
  readonly requested_teams: readonly [];
  readonly labels: readonly { readonly name: string }[];
  readonly head: {
    readonly ref: string;
    readonly sha: string;
    readonly repo: { readonly full_name: string } | null;
  };
}
interface CheckRun {
  readonly name: string;
  readonly status: string;
  readonly conclusion: string | null;
}

/** Settings that a test changes while the stand-in runs. */
export interface StandInState {
  runs: CheckRun[];
  status: { state: string; total_count: number };
  mergeableState: string;
  /** Routes that answer 403. */
  forbidden: RegExp | null;
  /** Pull requests of forks. */
  foreign: Pull[];
  tokenEnds: string | null;
}

/** Adds the members of GitHub's own example to an answer, so that it is as whole as GitHub's. */
function complete(value: unknown, example: unknown): unknown {
  if (Array.isArray(value)) {
    const [first] = Array.isArray(example) ? example : [];
    return value.map((each) => complete(each, first));
  }
  if (typeof value !== 'object' || value === null) return value;
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return value;
  const known = example as Readonly<Record<string, unknown>>;
  const own = Object.entries(value).map(([name, each]) => [name, complete(each, known[name])]);
  return { ...known, ...Object.fromEntries(own) };
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
  /** Requests and answers that GitHub's description does not permit. */
  const faults: string[] = [];
  onTestFinished(() => expect(faults).toEqual([]));
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
    requested_teams: [],
    auto_merge: armed.has(`PR_${id}`)
      ? { enabled_by: exampleUser, merge_method: 'squash', commit_title: '', commit_message: '' }
      : null,
    labels: labels.map((name) => ({ name })),
    head: { ref: branch, sha: head, repo: { full_name: 'agent/config' } },
  });
  const refOf = (branch: string) => {
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
      const { query: text = '', variables } = body as unknown as {
        query: string;
        variables: { id: string; head: string };
      };
      const pullRequest = { number: 1 };
      const data = await answerGraphql(
        { query: text, variables },
        {
          disablePullRequestAutoMerge({ input: { pullRequestId = '' } }) {
            if (!armed.delete(pullRequestId))
              throw new Error("Can't disable auto-merge for this pull request");
            return { pullRequest };
          },
          enablePullRequestAutoMerge({ input: { pullRequestId = '', expectedHeadOid = '' } }) {
            if (state.mergeableState === 'clean') throw new Error('Pull request is in clean status');
            scheduled.push({ id: pullRequestId, head: expectedHeadOid });
            armed.add(pullRequestId);
            return { pullRequest };
          },
        },
      );
      return { status: 200, data };
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
      const content = {
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
        const files = (await forge.changedFiles(id)).map((filename) => ({
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
    const described = describeRequest(method, pathname, searchParams, method === 'GET' ? null : body);
    const isGraphql = pathname === '/graphql';
    if (described === null && !isGraphql) faults.push(`${method} ${pathname}: no such route`);
    for (const fault of described?.faults ?? []) faults.push(`${described?.name}: ${fault}`);
    const answered = await answer(method, pathname, searchParams, body).catch((error: Error) =>
      fail(500, error.message),
    );
    const { status } = answered;
    const data = status < 300 ? complete(answered.data, described?.example(status)) : answered.data;
    for (const fault of described?.check(status, data) ?? [])
      faults.push(`${described?.name} answers ${status}: ${fault}`);
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
