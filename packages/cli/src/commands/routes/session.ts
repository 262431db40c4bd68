import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { RoutingConfigInput, RoutingMatrix, RoutingStore } from '@bonafide/routing-matrix';
import type { Command } from 'commander';
import { CliError } from '../../errors.ts';
import type { CliIo } from '../../io.ts';
import { withAgent } from '../../options.ts';
import { readJson } from '../trust/read.ts';

/** Options of every command about routes. */
export interface RouteOptions {
  readonly workspace?: string;
  readonly db?: string;
  readonly config?: string;
  readonly agent: string;
  readonly json: boolean;
}

/** Adds the options of every command about routes. */
export function withRoutes(command: Command): Command {
  return withAgent(command)
    .option(
      '-w, --workspace <dir>',
      "the agent's folder; its routes are in <dir>/agent.db (default: ~/.bonafide)",
    )
    .option('--db <file or url>', 'the database: a file, or postgres://…')
    .option('--config <file>', "the agent's routing configuration, as JSON (default: the defaults)")
    .option('--json', 'print one JSON document', false);
}

/** Loaded when needed, since other commands do not use these packages. */
export const loadRouting = async () => ({
  routing: await import('@bonafide/routing-matrix'),
  stores: await import('@bonafide/routing-matrix/kysely'),
  storage: await import('@bonafide/storage'),
});

/** An agent's routing log, its matrix and its configuration. */
export interface OpenRoutes {
  readonly matrix: RoutingMatrix;
  readonly store: RoutingStore;
  readonly config: RoutingConfigInput;
}

const isPostgres = (db: string) => /^postgres(?:ql)?:\/\//u.test(db);

/** Returns the database of the routes: `--db`, else `<workspace>/agent.db`, else `~/.bonafide/agent.db`. */
export function routesPath({ db, workspace }: RouteOptions, env: CliIo['env']): string {
  const home = env.HOME ?? env.USERPROFILE ?? homedir();
  return db ?? join(resolve(workspace ?? join(home, '.bonafide')), 'agent.db');
}

/**
 * Runs `use` with an agent's routes, also while the agent works.
 *
 * @throws `DATABASE_NOT_FOUND`, `NOT_MIGRATED`, or a `StorageError`
 */
export async function withMatrix<Result>(
  options: RouteOptions,
  io: CliIo,
  use: (routes: OpenRoutes) => Promise<Result>,
  { create = false }: { readonly create?: boolean } = {},
): Promise<Result> {
  const path = routesPath(options, io.env);
  if (!create && !isPostgres(path) && !existsSync(path))
    throw new CliError(
      'DATABASE_NOT_FOUND',
      `There are no routes at ${path}. Name the agent's folder with --workspace <dir>, or the database with --db.`,
    );
  const config = (options.config === undefined ? {} : await readJson(options.config)) as RoutingConfigInput;
  const { routing, stores, storage } = await loadRouting();
  const db = isPostgres(path)
    ? storage.openPostgres<unknown>({ url: path })
    : storage.openSqlite<unknown>({ path });
  try {
    if (create) await stores.migrateRouting(db);
    const { pending, problem } = await storage.migrationStatus(db, {
      name: 'routing',
      migrations: stores.routingMigrations,
    });
    if (problem !== null) throw problem;
    if (pending.length > 0)
      throw new CliError(
        'NOT_MIGRATED',
        `${isPostgres(path) ? 'The database' : path} has no routes, or those of an older version. Start the agent once, which migrates it.`,
      );
    const store = stores.createKyselyRoutingStore(db, { agentId: options.agent });
    // The agent raises the alerts, not the tool beside it.
    await using matrix = routing.createRoutingMatrix({ store, config, raiseAlerts: false });
    return await use({ matrix, store, config });
  } finally {
    await db.destroy();
  }
}
