import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { describeWriteError, makeFolder } from '@bonafide/internal';
import { CliError } from './errors.ts';
import type { CliIo } from './io.ts';

/** Location of the agent's data. */
export interface WorkspaceOptions {
  readonly workspace?: string | undefined;
  readonly db?: string | undefined;
}

/** Files of a workspace. An agent with a Postgres database keeps everything there instead. */
export const workspaceFiles = {
  ledger: 'ledger.db',
  /** Orders, jobs, registry, routing log, and the state of the cortex. */
  agent: 'agent.db',
  reviews: 'reviews.db',
} as const;

/** A file of a workspace. */
export type WorkspacePart = keyof typeof workspaceFiles;

/** Returns true for the URL of a Postgres database. */
export const isPostgres = (db: string): boolean => /^postgres(?:ql)?:\/\//u.test(db);

/**
 * Returns the database that holds a part of an agent's data: `--db` (a file, or a Postgres URL), else a file of `--workspace`, else
 * one of `~/.bonafide`.
 */
export function databasePath(
  options: WorkspaceOptions,
  env: CliIo['env'],
  part: WorkspacePart = 'ledger',
): string {
  if (options.db !== undefined) return isPostgres(options.db) ? options.db : resolve(options.db);
  const home = env.HOME ?? env.USERPROFILE ?? homedir();
  return resolve(options.workspace ?? join(home, '.bonafide'), workspaceFiles[part]);
}

/**
 * Creates a folder for an agent's data, for this user alone, and those above it that are missing.
 *
 * @throws CliError `STORE_FAILED`
 */
export function createWorkspace(folder: string): void {
  try {
    makeFolder(folder, 0o700);
  } catch (cause) {
    throw new CliError(
      'STORE_FAILED',
      `The folder ${folder} cannot be created: ${describeWriteError(cause)}. Give another with --workspace <dir> or --db <file>.`,
      { cause },
    );
  }
}
