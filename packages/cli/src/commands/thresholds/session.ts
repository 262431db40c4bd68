import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { JudgedWork, SelfCorrection } from '@bonafide/self-correction';
import type { Command } from 'commander';
import { CliError } from '../../errors.ts';
import type { CliIo } from '../../io.ts';
import { withAgent } from '../../options.ts';
import { routesPath } from '../routes/session.ts';

/** Options of every command about thresholds. */
export interface ThresholdOptions {
  readonly workspace?: string;
  readonly db?: string;
  readonly agent: string;
  readonly repository?: string;
  readonly github?: string;
  readonly base: string;
  readonly file: string;
  readonly language?: 'python' | 'typescript';
  readonly json: boolean;
}

/** Name of the variable with the token for GitHub. */
const tokenVariable = 'GITHUB_TOKEN';

/** Adds the options of every command about thresholds. */
export function withThresholds(command: Command): Command {
  return withAgent(command)
    .option('--repository <dir>', 'a bare git repository with the thresholds')
    .option('--github <owner/repo>', `a repository on GitHub, with the token in $${tokenVariable}`)
    .option('--base <branch>', 'the branch that pull requests go to', 'main')
    .option('--file <path>', 'the file with the thresholds, in the repository', 'orchestrator.py')
    .option('--language <language>', 'python or typescript (default: by the name of the file)')
    .option(
      '-w, --workspace <dir>',
      "the agent's folder; its outcomes are in <dir>/agent.db (default: ~/.bonafide)",
    )
    .option('--db <file or url>', 'the database: a file, or postgres://…')
    .option('--json', 'print one JSON document', false);
}

/** Loaded when needed, since other commands do not use these packages. */
const load = async () => ({
  correction: await import('@bonafide/self-correction'),
  stores: await import('@bonafide/self-correction/kysely'),
  routing: await import('@bonafide/routing-matrix/kysely'),
  storage: await import('@bonafide/storage'),
});

/** The correction of thresholds, and the agent's own outcomes. */
export interface OpenThresholds {
  readonly correction: SelfCorrection;
  readonly auditLog: (task?: string) => Promise<readonly object[]>;
  /** Returns the newest outcomes of a task type, oldest first. */
  outcomesOf(task: string): Promise<readonly JudgedWork[]>;
}

/** Outcomes of each kind that are read. */
const maxOutcomes = 1_000;

function languageOf({ language, file }: ThresholdOptions): 'python' | 'typescript' {
  if (language === 'python' || language === 'typescript') return language;
  if (language !== undefined) throw new CliError('USAGE', '--language is python or typescript.');
  if (file.endsWith('.py')) return 'python';
  if (/\.[cm]?ts$/u.test(file)) return 'typescript';
  throw new CliError('USAGE', 'Name the language of the file: --language python, or typescript.');
}

async function forgeOf(options: ThresholdOptions, io: CliIo) {
  const { repository, github, base } = options;
  if ((repository === undefined) === (github === undefined))
    throw new CliError('USAGE', 'Name one repository: --repository <dir>, or --github <owner/repo>.');
  if (repository !== undefined) {
    if (!existsSync(repository))
      throw new CliError('USAGE', 'The folder of --repository does not exist. It is a bare git repository.');
    return (await load()).correction.createLocalGitForge({ repository, base });
  }
  const token = io.env[tokenVariable] ?? '';
  const [owner = '', repo = '', ...more] = (github ?? '').split('/');
  if (owner === '' || repo === '' || more.length > 0)
    throw new CliError('USAGE', 'Give --github as owner/repo.');
  if (token === '') throw new CliError('USAGE', `Put the token for GitHub into ${tokenVariable}.`);
  const { Octokit } = await import('@octokit/core');
  const { createGitHubForge } = await import('@bonafide/self-correction/github');
  const baseUrl = io.env.GITHUB_API_URL;
  const octokit = new Octokit({ auth: token, ...(baseUrl === undefined ? {} : { baseUrl }) });
  return createGitHubForge({ octokit, owner, repo, base });
}

/**
 * Runs `use` with the thresholds of an agent.
 *
 * @param isReading - true for commands that store nothing
 * @throws `USAGE` without a repository, or a `StorageError`
 */
export async function withCorrection<Result>(
  options: ThresholdOptions & { readonly autoMerge?: boolean },
  io: CliIo,
  use: (open: OpenThresholds) => Promise<Result>,
  { isReading }: { readonly isReading: boolean },
): Promise<Result> {
  const file = { path: options.file, language: languageOf(options) };
  const forge = await forgeOf(options, io);
  const { correction, stores, routing, storage } = await load();
  const path = routesPath(options, io.env);
  const isPostgres = path.includes('://');
  const isThere = isPostgres || existsSync(path);
  if (!isThere && !isReading && path !== ':memory:') await mkdir(dirname(path), { recursive: true });
  const { agent: agentId } = options;
  const db =
    isThere || !isReading
      ? isPostgres
        ? storage.openPostgres<unknown>({ url: path })
        : storage.openSqlite<unknown>({ path })
      : null;
  const isCurrent = async (
    name: string,
    migrations: Parameters<typeof storage.migrationStatus>[1]['migrations'],
  ) => db !== null && (await storage.migrationStatus(db, { name, migrations })).pending.length === 0;
  try {
    if (db !== null && !isReading) await stores.migrateSelfCorrection(db);
    const isStored =
      db !== null && (await isCurrent('self_correction', stores.selfCorrectionMigrations)) ? db : null;
    const audit = isStored === null ? null : stores.createKyselyAuditLog(isStored, { agentId });
    const created = correction.createSelfCorrection({
      ...{ forge, file, config: { autoMerge: options.autoMerge === true } },
      ...(isStored === null ? {} : { store: stores.createKyselyProposalStore(isStored, { agentId }) }),
      ...(audit === null ? {} : { audit }),
    });
    return await use({
      correction: created,
      auditLog: async (task) =>
        (await audit?.read({ limit: 1_000, ...(task === undefined ? {} : { task }) })) ?? [],
      async outcomesOf(task) {
        if (db === null || !(await isCurrent('routing', routing.routingMigrations))) return [];
        const store = routing.createKyselyRoutingStore(db, { agentId });
        const pages = await Promise.all(
          ['outcome', 'benchmark'].map((kind) => store.latest({ kind, taskType: task, limit: maxOutcomes })),
        );
        return pages
          .flatMap(({ items }) => items)
          .flatMap(({ id, at, data }): readonly JudgedWork[] => {
            const { outcome, platform, jobId, attemptId } = data as Readonly<Record<string, unknown>>;
            const key = (platform as { readonly pubkey?: unknown } | undefined)?.pubkey;
            if (typeof outcome !== 'string' || typeof key !== 'string') return [];
            const workId = [jobId, attemptId].find((each) => typeof each === 'string');
            return [{ id: typeof workId === 'string' ? workId : id, platform: key, outcome, at }];
          })
          .toSorted((one, other) => one.at - other.at);
      },
    });
  } finally {
    await db?.destroy();
  }
}
