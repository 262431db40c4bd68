/**
 * A forge on GitHub, over any Octokit.
 * @packageDocumentation
 */
import { type Logger, silentLogger } from '@bonafide/internal';
import * as z from 'zod';
import { parseConfig } from '../errors.ts';
import { branchSchema, clockSchema, loggerSchema, port } from '../host-options.ts';
import type { CheckState } from '../proposal/limits.ts';
import type { ForgePort, ForgeProposal } from './forge.ts';

/** The parts of an Octokit that are used. One of the package `octokit` satisfies it, with a token or as an app's installation. */
export interface OctokitLike {
  request(
    route: string,
    parameters?: Record<string, unknown>,
  ): Promise<{ readonly data: unknown; readonly headers: Readonly<Record<string, unknown>> }>;
  graphql(query: string, variables?: Record<string, unknown>): Promise<unknown>;
}

/** Options of {@link createGitHubForge}. */
export interface GitHubForgeOptions {
  /**
   * It needs the permissions contents:write, pull_requests:write, actions:read, checks:read and metadata:read for one repository.
   */
  readonly octokit: OctokitLike;
  readonly owner: string;
  readonly repo: string;
  /** @default 'main' */
  readonly base?: string;
  /** ms since epoch. @default Date.now */
  readonly clock?: () => number;
  /** Warned when the token ends within 14 days, and when it is valid for more than 90. */
  readonly logger?: Logger;
}

const name = z.string().regex(/^[\w.-]{1,100}$/u);
const optionsSchema = z.strictObject({
  octokit: port<OctokitLike>('request', 'graphql'),
  owner: name,
  repo: name,
  base: branchSchema.default('main'),
  clock: clockSchema,
  logger: loggerSchema,
});
const commit = z.string().regex(/^[0-9a-f]{40}$/u);

// What is read of each answer. GitHub's description of its API has more members, which may change.
const refSchema = z.object({ object: z.object({ sha: commit }) });
const contentSchema = z.object({
  type: z.literal('file'),
  encoding: z.string(),
  content: z.string(),
  sha: commit,
});
const committedSchema = z.object({ commit: z.object({ sha: commit }) });
const pullSchema = z.object({
  number: z.int(),
  node_id: z.string(),
  state: z.enum(['open', 'closed']),
  merged_at: z.string().nullable(),
  title: z.string(),
  body: z.string().nullable(),
  html_url: z.string(),
  labels: z.array(z.object({ name: z.string() })),
  head: z.object({ ref: z.string(), sha: commit, repo: z.object({ full_name: z.string() }).nullable() }),
  mergeable_state: z.string().optional(),
  auto_merge: z.object({}).nullish(),
});
const filesSchema = z.array(z.object({ filename: z.string(), previous_filename: z.string().optional() }));
const checkRunsSchema = z.object({
  total_count: z.int(),
  check_runs: z.array(z.object({ status: z.string(), conclusion: z.string().nullable() })),
});
const statusSchema = z.object({ state: z.string(), total_count: z.int() });

/** Items per page of a list. */
const perPage = 100;
/** Conclusions of checks that do not stand in the way of a merge; only `success` says that something was checked. */
const passed = new Set(['success', 'neutral', 'skipped']);
const dayMs = 86_400_000;

const statusOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;

/**
 * Creates a forge over a repository on GitHub. Pull requests of forks are never its own, even with the same branch names.
 *
 * @throws SelfCorrectionError `INVALID_CONFIG`
 */
export function createGitHubForge(options: GitHubForgeOptions): ForgePort {
  const given = parseConfig(optionsSchema, 'options', options);
  const { octokit, owner, repo, base, clock = Date.now, logger = silentLogger } = given;
  let warnedOn = '';

  async function call<Output>(
    schema: z.ZodType<Output>,
    route: string,
    parameters: Record<string, unknown> = {},
  ): Promise<Output> {
    const { data, headers } = await octokit.request(route, { owner, repo, ...parameters });
    watchToken(headers['github-authentication-token-expiration']);
    const parsed = schema.safeParse(data);
    if (parsed.success) return parsed.data;
    throw new Error(`GitHub answered ${route} in another form than it documents.`, { cause: parsed.error });
  }

  /** Warns once a day about a token that ends soon or is valid for too long. The token itself is never read. */
  function watchToken(expiration: unknown): void {
    const endsAt =
      typeof expiration === 'string'
        ? Date.parse(expiration.replace(' UTC', 'Z').replace(' ', 'T'))
        : Number.NaN;
    if (Number.isNaN(endsAt)) return;
    const days = Math.floor((endsAt - clock()) / dayMs);
    const today = new Date(clock()).toISOString().slice(0, 10);
    if (warnedOn === today || (days >= 14 && days <= 90)) return;
    warnedOn = today;
    const message =
      days < 14
        ? `The token for GitHub ends in ${days} days: renew it.`
        : 'The token for GitHub is valid for more than 90 days: shorten it.';
    logger.warn({ owner, repo, endsAt }, message);
  }

  async function headOf(branch: string): Promise<string | null> {
    try {
      return (await call(refSchema, 'GET /repos/{owner}/{repo}/git/ref/{ref}', { ref: `heads/${branch}` }))
        .object.sha;
    } catch (error) {
      if (statusOf(error) === 404) return null;
      throw error;
    }
  }

  const contentOf = (path: string, ref: string) =>
    call(contentSchema, 'GET /repos/{owner}/{repo}/contents/{path}', { path, ref });
  const pullOf = (id: string) =>
    call(pullSchema, 'GET /repos/{owner}/{repo}/pulls/{pull_number}', { pull_number: Number(id) });

  async function unmerged(id: string) {
    const pull = await pullOf(id);
    if (pull.merged_at !== null) throw new Error(`Pull request ${id} is merged.`);
    return pull;
  }

  const view = (pull: z.output<typeof pullSchema>): ForgeProposal => ({
    id: String(pull.number),
    branch: pull.head.ref,
    head: pull.head.sha,
    state: pull.state === 'open' ? 'open' : pull.merged_at === null ? 'closed' : 'merged',
    title: pull.title,
    body: pull.body ?? '',
    labels: pull.labels.map((label) => label.name),
    mergeScheduled: pull.auto_merge != null,
    url: pull.html_url,
  });

  async function pages<Item>(
    schema: z.ZodType<Item[]>,
    route: string,
    parameters: Record<string, unknown>,
  ): Promise<Item[]> {
    const found: Item[] = [];
    for (let page = 1; ; page += 1) {
      const items = await call(schema, route, { ...parameters, per_page: perPage, page });
      found.push(...items);
      if (items.length < perPage) return found;
    }
  }

  /** Reads what may be forbidden: null when the token may not see it. */
  async function readable<Output>(read: () => Promise<Output>): Promise<Output | null> {
    try {
      return await read();
    } catch (error) {
      const status = statusOf(error);
      if (status === 403 || status === 404) return null;
      throw error;
    }
  }

  return {
    async readFile(path, branch = base) {
      const head = await headOf(branch);
      if (head === null) return null;
      const { content, encoding } = await contentOf(path, head);
      if (encoding !== 'base64') throw new Error(`${path} is too large.`);
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
        Buffer.from(content, 'base64'),
      );
      return { text, commit: head };
    },

    async createBranch(branch, sha) {
      try {
        await call(refSchema, 'POST /repos/{owner}/{repo}/git/refs', { ref: `refs/heads/${branch}`, sha });
      } catch (error) {
        // It exists: of an earlier attempt, or of another process.
        if (statusOf(error) !== 422 || (await headOf(branch)) === null) throw error;
      }
    },

    async commitFile({ branch, head, path, text, message }) {
      if ((await headOf(branch)) !== head) throw new Error(`The head of ${branch} is another.`);
      // GitHub compares the blob, so that a change in between is refused.
      const { sha } = await contentOf(path, head);
      const content = Buffer.from(text, 'utf8').toString('base64');
      const change = { path, branch, message, content, sha };
      return (await call(committedSchema, 'PUT /repos/{owner}/{repo}/contents/{path}', change)).commit.sha;
    },

    async listProposals(branchPrefix) {
      const list = { state: 'all', sort: 'created', direction: 'asc', base };
      const pulls = await pages(z.array(pullSchema), 'GET /repos/{owner}/{repo}/pulls', list);
      const isOwn = ({ head }: z.output<typeof pullSchema>) =>
        head.ref.startsWith(branchPrefix) &&
        head.repo?.full_name.toLowerCase() === `${owner}/${repo}`.toLowerCase();
      return pulls.filter(isOwn).map(view);
    },

    async openProposal({ branch, title, body }) {
      try {
        const pull = { head: branch, base, title, body };
        return view(await call(pullSchema, 'POST /repos/{owner}/{repo}/pulls', pull));
      } catch (error) {
        if (statusOf(error) !== 422) throw error;
        const list = { state: 'open', head: `${owner}:${branch}`, base };
        const [open] = await call(z.array(pullSchema), 'GET /repos/{owner}/{repo}/pulls', list);
        if (open === undefined) throw error;
        return view(open);
      }
    },

    async updateProposal(id, { title, body }) {
      await call(pullSchema, 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}', {
        pull_number: Number(id),
        title,
        body,
      });
    },

    async changedFiles(id) {
      const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/files';
      const files = await pages(filesSchema, route, { pull_number: Number(id) });
      return files.flatMap(({ filename, previous_filename }) => [
        filename,
        ...(previous_filename === undefined ? [] : [previous_filename]),
      ]);
    },

    async checks(id): Promise<CheckState> {
      const { head } = await pullOf(id);
      const ref = { ref: head.sha, per_page: perPage };
      const runs = await readable(() =>
        call(checkRunsSchema, 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs', ref),
      );
      const status = await readable(() =>
        call(statusSchema, 'GET /repos/{owner}/{repo}/commits/{ref}/status', ref),
      );
      // What cannot be read is not green, and neither is a page that is cut.
      if (runs === null || status === null || runs.total_count > runs.check_runs.length) return 'unknown';
      const { check_runs } = runs;
      if (check_runs.length + status.total_count === 0) return 'unknown';
      const isRed = check_runs.some(
        ({ status: each, conclusion }) => each === 'completed' && !passed.has(conclusion ?? ''),
      );
      if (isRed || status.state === 'failure' || status.state === 'error') return 'red';
      const isPending = check_runs.some((run) => run.status !== 'completed');
      if (isPending || (status.total_count > 0 && status.state !== 'success')) return 'pending';
      const hasChecked =
        status.total_count > 0 || check_runs.some(({ conclusion }) => conclusion === 'success');
      return hasChecked ? 'green' : 'unknown';
    },

    async merge(id, head) {
      const pull = await pullOf(id);
      if (pull.merged_at !== null) return 'merged';
      if (pull.head.sha !== head) throw new Error(`The head of pull request ${id} is another.`);
      switch (pull.mergeable_state) {
        case 'clean':
        case 'has_hooks':
          await call(
            z.object({ merged: z.literal(true) }),
            'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge',
            {
              ...{ pull_number: pull.number, sha: head, merge_method: 'squash' },
            },
          );
          return 'merged';
        // A pull request that could be merged at once is refused here, and one that waits for its checks above.
        case 'blocked':
        case 'behind':
        case 'unstable':
          if (pull.auto_merge != null) return 'scheduled';
          await octokit.graphql(
            `mutation ($id: ID!, $head: GitObjectID!) {
              enablePullRequestAutoMerge(input: { pullRequestId: $id, expectedHeadOid: $head, mergeMethod: SQUASH }) {
                pullRequest { number }
              }
            }`,
            { id: pull.node_id, head },
          );
          return 'scheduled';
        default:
          throw new Error(`Pull request ${id} cannot be merged: it is ${String(pull.mergeable_state)}.`);
      }
    },

    async cancelMerge(id) {
      const pull = await unmerged(id);
      if (pull.auto_merge == null) return;
      const disable = `mutation ($id: ID!) {
        disablePullRequestAutoMerge(input: { pullRequestId: $id }) {
          pullRequest { number }
        }
      }`;
      await octokit.graphql(disable, { id: pull.node_id }).catch(async (error: unknown) => {
        // Somebody else cancelled it meanwhile, or it was merged.
        if ((await unmerged(id)).auto_merge != null) throw error;
      });
    },

    async closeProposal(id) {
      const { number } = await unmerged(id);
      const change = { pull_number: number, state: 'closed' };
      await call(pullSchema, 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}', change);
    },
  };
}
