import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { linkSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '@bonafide/internal';
import * as z from 'zod';
import { parseConfig, SelfCorrectionError } from '../errors.ts';
import { branchSchema, callable, clockSchema, folderSchema } from '../host-options.ts';
import type { CheckState } from '../proposal/limits.ts';
import type { ForgePort, ForgeProposal } from './forge.ts';

/** Options of {@link createLocalGitForge}. */
export interface LocalGitForgeOptions {
  /** Path of a bare repository. */
  readonly repository: string;
  /** @default 'main' */
  readonly base?: string;
  /** Name and address of the author. @default Bonafide <bonafide@localhost> */
  readonly author?: { readonly name: string; readonly email: string };
  /** Returns the state of the checks at a commit. @default unknown, which is not green */
  readonly checks?: (commit: string) => Promise<CheckState>;
  /** ms since epoch. @default Date.now */
  readonly clock?: () => number;
}

/** A forge in a bare repository, with what people do to its proposals. */
export interface LocalGitForge extends ForgePort {
  /** Replaces the labels of a proposal, as a person does. */
  setLabels(id: string, labels: readonly string[]): Promise<void>;
}

const proposalSchema = z.object({
  id: z.string(),
  branch: z.string(),
  state: z.enum(['open', 'merged', 'closed']),
  title: z.string(),
  body: z.string(),
  labels: z.array(z.string()),
  /** Head at the time of the merge; the branch may be gone. */
  mergedHead: z.string().nullable(),
});
type StoredProposal = z.output<typeof proposalSchema>;

/** Git ends a name at these characters. */
const authorText = z.string().regex(/^[^\p{Cc}<>]+$/u, 'must not hold control characters or angle brackets');
const optionsSchema = z.strictObject({
  repository: folderSchema,
  base: branchSchema.default('main'),
  author: z
    .strictObject({ name: authorText, email: authorText })
    .default({ name: 'Bonafide', email: 'bonafide@localhost' }),
  checks: callable<NonNullable<LocalGitForgeOptions['checks']>>().optional(),
  clock: clockSchema,
});

const noCommit = '0'.repeat(40);

/**
 * Creates a forge in a bare git repository: branches and commits by git, pull requests as files in its folder
 * `proposals`. It needs git 2.38 or later, and no network.
 *
 * @throws SelfCorrectionError `INVALID_CONFIG`
 */
export function createLocalGitForge(options: LocalGitForgeOptions): LocalGitForge {
  const {
    repository,
    base,
    author,
    checks = async () => 'unknown' as const,
    clock = Date.now,
  } = parseConfig(optionsSchema, 'options', options);
  const folder = join(repository, 'proposals');

  /** Runs git and returns its output. Input goes through stdin, so that nothing is quoted for a shell. */
  function git(
    args: readonly string[],
    { input, index }: { readonly input?: string; readonly index?: string } = {},
  ): Promise<string> {
    const date = `${Math.floor(clock() / 1_000)} +0000`;
    const env = {
      PATH: process.env.PATH,
      HOME: repository,
      GIT_CONFIG_NOSYSTEM: '1',
      ...{ GIT_AUTHOR_NAME: author.name, GIT_AUTHOR_EMAIL: author.email, GIT_AUTHOR_DATE: date },
      ...{ GIT_COMMITTER_NAME: author.name, GIT_COMMITTER_EMAIL: author.email, GIT_COMMITTER_DATE: date },
      ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
    };
    return new Promise((resolve, reject) => {
      const child = execFile(
        'git',
        ['-C', repository, ...args],
        { env, maxBuffer: 64 * 2 ** 20 },
        (error, stdout, stderr) => {
          if (error === null) resolve(stdout);
          else reject(new Error(`git ${args[0]} failed: ${stderr.trim().slice(0, 500)}`, { cause: error }));
        },
      );
      // A command that reads no input may have ended before; its exit code says what happened.
      child.stdin?.on('error', () => {});
      child.stdin?.end(input ?? '');
    });
  }

  const tryGit = (args: readonly string[]) =>
    git(args).then(
      (text) => text.trim(),
      () => null,
    );
  const headOf = (branch: string) =>
    tryGit(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`]);

  async function commitOf(branch: string): Promise<string> {
    const commit = await headOf(branch);
    if (commit === null) throw new Error(`The repository has no branch ${branch}.`);
    return commit;
  }

  function read(id: string): StoredProposal {
    if (!/^\d+$/u.test(id)) throw new Error(`There is no proposal ${id.slice(0, 20)}.`);
    return proposalSchema.parse(JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8')));
  }

  /** Writes a whole file under a name of its own, and calls `place` to give it the name of its proposal. */
  function write(
    proposal: StoredProposal,
    place: (written: string, path: string) => void = renameSync,
  ): void {
    const path = join(folder, `${proposal.id}.json`);
    const written = `${path}.${randomUUID()}.tmp`;
    try {
      writeFileSync(written, JSON.stringify(proposal), { flush: true });
      place(written, path);
    } finally {
      rmSync(written, { force: true });
    }
  }

  /** Creates the file of a proposal. Returns false when another process has taken its number. */
  function create(proposal: StoredProposal): boolean {
    try {
      write(proposal, linkSync);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  function ids(): readonly number[] {
    makeFolder(folder);
    const names = readdirSync(folder).flatMap((name) => /^(\d+)\.json$/u.exec(name)?.[1] ?? []);
    return names.map(Number).toSorted((one, other) => one - other);
  }

  /** A proposal as it is now: merged when its head is part of the base branch. */
  async function view(stored: StoredProposal): Promise<ForgeProposal> {
    const { id, branch, title, body, labels, mergedHead, state } = stored;
    const head = mergedHead ?? (await headOf(branch)) ?? noCommit;
    return { id, branch, head, state, title, body, labels, mergeScheduled: false, url: null };
  }

  function requireUnmerged({ id, state }: StoredProposal): void {
    if (state === 'merged') throw new Error(`Proposal ${id} is merged.`);
  }

  async function mergeBase(head: string): Promise<string> {
    return (await git(['merge-base', await commitOf(base), head])).trim();
  }

  return {
    async readFile(path, branch = base) {
      const commit = await headOf(branch);
      if (commit === null) return null;
      // A file that is not UTF-8 comes back changed, and is refused as such.
      const text = await git(['cat-file', 'blob', `${commit}:${path}`]).catch(async (cause) => {
        if ((await git(['ls-tree', '--name-only', commit, '--', path])) !== '') throw cause;
        throw new SelfCorrectionError('FORGE_FAILED', `The branch '${branch}' has no file '${path}'.`, {
          cause,
        });
      });
      if (text.includes('\ufffd')) throw new Error(`${path} is not UTF-8.`);
      return { text, commit };
    },

    async createBranch(branch, commit) {
      if ((await headOf(branch)) !== null) return;
      await git(['update-ref', `refs/heads/${branch}`, commit, noCommit]).catch(async (error: unknown) => {
        // Another process was faster.
        if ((await headOf(branch)) === null) throw error;
      });
    },

    async commitFile({ branch, head, path, text, message }) {
      const [entry = ''] = (await git(['ls-tree', head, '--', path])).split('\n');
      const mode = /^(\d{6}) blob /u.exec(entry)?.[1];
      if (mode === undefined) throw new Error(`The commit has no file ${path}.`);
      const temporary = mkdtempSync(join(tmpdir(), 'bonafide-index-'));
      try {
        const index = join(temporary, 'index');
        const blob = (await git(['hash-object', '-w', '--no-filters', '--stdin'], { input: text })).trim();
        await git(['read-tree', head], { index });
        await git(['update-index', '--cacheinfo', `${mode},${blob},${path}`], { index });
        const tree = (await git(['write-tree'], { index })).trim();
        const commit = (await git(['commit-tree', tree, '-p', head, '-F', '-'], { input: message })).trim();
        await git(['update-ref', `refs/heads/${branch}`, commit, head]);
        return commit;
      } finally {
        rmSync(temporary, { recursive: true, force: true });
      }
    },

    async listProposals(branchPrefix) {
      const stored = ids().map((id) => read(String(id)));
      return Promise.all(stored.filter(({ branch }) => branch.startsWith(branchPrefix)).map(view));
    },

    async openProposal({ branch, title, body }) {
      await commitOf(branch);
      for (;;) {
        const known = ids().map((id) => read(String(id)));
        const open = known.find((each) => each.branch === branch && each.state === 'open');
        if (open !== undefined) return view(open);
        const id = String(Number(known.at(-1)?.id ?? 0) + 1);
        const state = 'open' as const;
        const stored: StoredProposal = { id, branch, state, title, body, labels: [], mergedHead: null };
        if (create(stored)) return view(stored);
      }
    },

    async updateProposal(id, { title, body }) {
      write({ ...read(id), title, body });
    },

    async changedFiles(id) {
      const { head } = await view(read(id));
      const names = await git(['diff', '--name-only', '-z', await mergeBase(head), head]);
      return names.split('\0').filter(Boolean);
    },

    async checks(id) {
      return checks((await view(read(id))).head);
    },

    async merge(id, head) {
      const stored = read(id);
      if (stored.state === 'closed') throw new Error(`Proposal ${id} is closed.`);
      if (stored.state === 'merged') return 'merged';
      if ((await headOf(stored.branch)) !== head) throw new Error(`The head of ${stored.branch} is another.`);
      const target = await commitOf(base);
      // A crash may have come between the merge and its record.
      const isMerged = (await mergeBase(head)) === head;
      if (!isMerged) {
        const [tree = ''] = (await git(['merge-tree', '--write-tree', target, head])).split('\n');
        const message = `Merge ${stored.branch}\n\n${stored.title}\n`;
        const commit = (
          await git(['commit-tree', tree, '-p', target, '-p', head, '-F', '-'], { input: message })
        ).trim();
        await git(['update-ref', `refs/heads/${base}`, commit, target]);
      }
      write({ ...stored, state: 'merged', mergedHead: head });
      return 'merged';
    },

    // It merges at once or not at all.
    async cancelMerge(id) {
      requireUnmerged(read(id));
    },

    async closeProposal(id) {
      const stored = read(id);
      requireUnmerged(stored);
      write({ ...stored, state: 'closed' });
    },

    async setLabels(id, labels) {
      write({ ...read(id), labels: [...labels] });
    },
  };
}
