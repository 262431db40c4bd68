import {
  createRoutingMatrix,
  type RoutingConfigInput,
  type RoutingMatrix,
  type RoutingStore,
} from '@bonafide/routing-matrix';
import { createKyselyRoutingStore, migrateRouting, routingMigrations } from '@bonafide/routing-matrix/kysely';
import { type AgentSchema, createTables, openDatabase } from '../../databases.ts';
import { type CommandIo, whileSaying } from '../../progress.ts';
import { databasePath } from '../../workspace.ts';
import { readJson } from '../trust/read.ts';
import type { RouteOptions } from './options.ts';

/** Tables of the routes. */
export const routeSchema: AgentSchema = {
  name: 'routing',
  migrations: routingMigrations,
  missing: 'There are no routes',
};

/** An agent's routing log, its matrix and its configuration. */
export interface OpenRoutes {
  readonly matrix: RoutingMatrix;
  readonly store: RoutingStore;
  readonly config: RoutingConfigInput;
}

/**
 * Runs `use` with an agent's routes, also while the agent works.
 *
 * @throws `DATABASE_NOT_FOUND`, `NOT_MIGRATED`, or a `StorageError`
 */
export async function withMatrix<Result>(
  options: RouteOptions,
  io: CommandIo,
  use: (routes: OpenRoutes) => Promise<Result>,
  { create = false }: { readonly create?: boolean } = {},
): Promise<Result> {
  const path = databasePath(options, io.env, 'agent');
  const config = (options.config === undefined ? {} : await readJson(options.config)) as RoutingConfigInput;
  if (create) await createTables(path, migrateRouting);
  const db = await openDatabase(path, routeSchema, 'write');
  try {
    const store = createKyselyRoutingStore(db, { agentId: options.agent });
    // The agent raises the alerts, not the tool beside it.
    await using matrix = createRoutingMatrix({ store, config, raiseAlerts: false });
    return await whileSaying(io, 'Reading the log', () => use({ matrix, store, config }));
  } finally {
    await db.destroy();
  }
}
