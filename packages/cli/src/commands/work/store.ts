import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DelegationStore } from '@bonafide/delegation';
import { createKyselyDelegationStore, delegationMigrations } from '@bonafide/delegation/kysely';
import { migrationStatus, openPostgres, openSqlite } from '@bonafide/storage';
import { CliError } from '../../errors.ts';
import type { CliIo } from '../../io.ts';
import type { LedgerCommandOptions } from '../../options.ts';

const isPostgres = (db: string) => /^postgres(?:ql)?:\/\//u.test(db);

/**
 * Opens the orders of an agent, also while it works: `--db` as a file or a Postgres URL, else `<workspace>/agent.db`, else
 * `~/.bonafide/agent.db`.
 *
 * @throws `DATABASE_NOT_FOUND`, `NOT_MIGRATED`, or a `StorageError`
 */
export async function withOrders<Result>(
  options: LedgerCommandOptions,
  io: CliIo,
  use: (store: DelegationStore) => Promise<Result>,
): Promise<Result> {
  const home = io.env.HOME ?? io.env.USERPROFILE ?? homedir();
  const path = options.db ?? join(resolve(options.workspace ?? join(home, '.bonafide')), 'agent.db');
  if (!isPostgres(path) && !existsSync(path))
    throw new CliError(
      'DATABASE_NOT_FOUND',
      `There are no orders at ${path}. Name the agent's folder with --workspace <dir>, or the database with --db.`,
    );
  const db = isPostgres(path) ? openPostgres<unknown>({ url: path }) : openSqlite<unknown>({ path });
  try {
    const { pending, problem } = await migrationStatus(db, {
      name: 'delegation',
      migrations: delegationMigrations,
    });
    if (problem !== null) throw problem;
    if (pending.length > 0)
      throw new CliError(
        'NOT_MIGRATED',
        `${isPostgres(path) ? 'The database' : path} has no orders, or those of an older version. Start the agent once, which migrates it.`,
      );
    return await use(createKyselyDelegationStore(db, { agentId: options.agent }));
  } finally {
    await db.destroy();
  }
}
