import { type Logger, silentLogger } from '@bonafide/internal';
import { type Kysely, sql } from 'kysely';
import * as z from 'zod';
import { agentIdSchema, loggerSchema, parseConfig, port } from '../host-options.ts';
import type { Leadership } from '../leadership.ts';

/** Options of {@link createPostgresLeadership}. */
export interface PostgresLeadershipOptions {
  /** The agent whose processes elect one, in the schema of its tables. @default 'default' */
  readonly agentId?: string;
  readonly logger?: Logger;
  readonly config?: {
    /** Interval at which the others ask for the election, and the elected one checks its connection, ms. @default 2000 */
    readonly intervalMs?: number;
    /** Silence after which the database ends the connection of a frozen process, ms. @default 10000 */
    readonly silenceMs?: number;
  };
}

const duration = z.number().positive().max(2_147_483_647);
const optionsSchema = z.strictObject({
  agentId: agentIdSchema,
  logger: loggerSchema,
  config: z
    .strictObject({
      intervalMs: duration.default(2_000),
      silenceMs: duration.min(100).default(10_000),
    })
    .prefault({}),
});

/**
 * Creates an election by an advisory lock of Postgres: its holder is elected until the connection ends. It takes one
 * connection of `db`, which is never closed here.
 *
 * @throws DelegationError `INVALID_CONFIG`
 */
export function createPostgresLeadership<Database>(
  db: Kysely<Database>,
  options: PostgresLeadershipOptions = {},
): Leadership {
  const { agentId, config, logger = silentLogger } = parseConfig(optionsSchema, options, 'options');
  parseConfig(port('connection'), db, 'db');
  // Advisory locks count for a whole database, in which agents may have their tables in different schemas.
  const lock = sql`hashtextextended(concat_ws('.', 'bonafide.delegation', current_schema(), ${agentId}::text), 0)`;

  const pause = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, config.intervalMs);
      signal.addEventListener('abort', done, { once: true });
    });

  /** Waits for the lock, runs the task under it, and returns when it is lost or the task has settled. */
  const leadOnce = async (
    connection: Kysely<Database>,
    task: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> => {
    for (;;) {
      if (signal.aborted) return;
      const { rows } = await sql<{ won: boolean }>`select pg_try_advisory_lock(${lock}) as won`.execute(
        connection,
      );
      if (rows[0]?.won) break;
      await pause(signal);
    }
    const lost = new AbortController();
    const settled = new AbortController();
    const running = task(AbortSignal.any([signal, lost.signal])).finally(() => settled.abort());
    running.catch(() => {});
    try {
      while (!settled.signal.aborted && !signal.aborted) {
        await sql`select 1`.execute(connection);
        await pause(AbortSignal.any([signal, settled.signal]));
      }
    } catch (error) {
      lost.abort(error);
    }
    await running;
  };

  /** Gives the connection back as it was: the lock belongs to it, and other queries will use it. */
  const giveBack = async (connection: Kysely<Database>): Promise<void> => {
    // A connection that was lost has neither.
    await sql`select pg_advisory_unlock_all(), set_config('idle_session_timeout', '0', false)`
      .execute(connection)
      .catch(() => {});
  };

  return {
    async lead(task, signal) {
      while (!signal.aborted) {
        try {
          await db.connection().execute(async (connection) => {
            await sql`select set_config('idle_session_timeout', ${`${config.silenceMs}ms`}, false)`.execute(
              connection,
            );
            try {
              await leadOnce(connection, task, signal);
            } finally {
              await giveBack(connection);
            }
          });
        } catch (error) {
          if (!signal.aborted)
            logger.warn({ err: error }, 'Election lost or not possible; it is tried again');
        }
        await pause(signal);
      }
    },
  };
}
