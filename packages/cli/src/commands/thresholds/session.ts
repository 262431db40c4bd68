import { existsSync } from 'node:fs';
import type { JudgedWork, SelfCorrection } from '@bonafide/self-correction';
import { createTables, openAny } from '../../databases.ts';
import { CliError } from '../../errors.ts';
import type { CliIo } from '../../io.ts';
import { databasePath, isPostgres } from '../../workspace.ts';
import { type ThresholdOptions, tokenVariable } from './options.ts';

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
  const path = databasePath(options, io.env, 'agent');
  if (!isReading) await createTables(path, stores.migrateSelfCorrection);
  const { agent: agentId } = options;
  const db = isPostgres(path) || existsSync(path) ? openAny(path) : null;
  const isCurrent = async (
    name: string,
    migrations: Parameters<typeof storage.migrationStatus>[1]['migrations'],
  ) => db !== null && (await storage.migrationStatus(db, { name, migrations })).pending.length === 0;
  try {
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
