/**
 * An engine for many workers on many machines, over Postgres with pg-boss.
 * @packageDocumentation
 */
import { type Logger, sha256Hex, silentLogger } from '@bonafide/internal';
import { PgBoss } from 'pg-boss';
import * as z from 'zod';
import type { DelegationEngine, WakeHandler } from '../engine.ts';
import { DelegationError } from '../errors.ts';
import { groupCalls } from '../group-calls.ts';
import { agentIdSchema, clockSchema, loggerSchema, parseConfig } from '../host-options.ts';
import type { Wake } from '../store.ts';
import { backoffMs, errorText } from './failure.ts';

/** Options of {@link createPgBossEngine}. */
export interface PgBossEngineOptions {
  /** URL of the Postgres database. */
  readonly connectionString: string;
  /** Schema of pg-boss's tables; created when it is missing. @default 'pgboss' */
  readonly schema?: string;
  /**
   * Owner of the wakes. Several agents may share a database. Agents whose connections have different current schemas never share
   * wakes.
   * @default 'default'
   */
  readonly agentId?: string;
  /** Returns the current time, ms since epoch. It has to agree with the clock of the database. @default Date.now */
  readonly clock?: () => number;
  readonly logger?: Logger;
  readonly config?: {
    /** Interval at which the database is asked for due wakes, ms, at least 50. @default 500 */
    readonly pollMs?: number;
    /** Time without a heartbeat after which other workers take over, s, at least 10. @default 10 */
    readonly heartbeatSeconds?: number;
    /** Interval at which lost heartbeats are looked for, s. @default 2 */
    readonly superviseSeconds?: number;
    /** Maximum number of connections of this process. @default 10 */
    readonly maxConnections?: number;
  };
}

/** An engine over pg-boss. */
export interface PgBossEngine extends DelegationEngine, AsyncDisposable {
  /** Ends the work and the connections. What was being handled is handed back. */
  close(): Promise<void>;
}

const optionsSchema = z.strictObject({
  connectionString: z.string().min(1),
  schema: z
    .string()
    .regex(/^[a-z_]\w*$/i, 'Not the name of a schema')
    .default('pgboss'),
  agentId: agentIdSchema,
  clock: clockSchema,
  logger: loggerSchema,
  config: z
    .strictObject({
      pollMs: z.number().min(50).max(2_147_483_647).default(500),
      heartbeatSeconds: z.int().min(10).default(10),
      superviseSeconds: z.int().min(1).default(2),
      maxConnections: z.int().min(2).default(10),
    })
    .prefault({}),
});

/** Failures in a row, kept with the wake. Rows may have been edited. */
const dataSchema = z
  .object({ failures: z.int().min(0), lastError: z.string() })
  .catch({ failures: 0, lastError: '' });

type WakeData = z.infer<typeof dataSchema>;

/** A wake as it is written. */
interface NewWake {
  readonly id: string;
  readonly at?: Date | undefined;
  readonly priority?: number | undefined;
  readonly data?: WakeData | undefined;
}

/** A job of pg-boss as one worker fetched it: another worker that fetches it later has a higher count. */
interface Claim {
  readonly job: string;
  readonly retryCount: number;
}

/** The writes of a queue. Those that are called while earlier ones are being written share a statement. */
interface QueueWrites {
  /** Adds a wake. Durable when it resolves. */
  send(wake: NewWake): Promise<void>;
  /** Ends a claim, unless another worker has taken over. */
  finish(claim: Claim): Promise<void>;
}

/**
 * Returns a part of the name of a queue: the text itself when it is short and plain, else one with a hash. Different texts have
 * different names, so that two agents never share a queue.
 */
function nameOf(text: string): string {
  return /^[\w-]{1,40}$/.test(text) && !text.startsWith('sha256-')
    ? text
    : `sha256-${sha256Hex(text).slice(0, 32)}`;
}

const mostFailures = (own: WakeData, other: WakeData | undefined): WakeData =>
  other !== undefined && other.failures > own.failures ? other : own;

/** One handler per id at a time, and ids in the order of their wakes. */
const policy = 'key_strict_fifo';

/** Crashes after which an id is not handled any more; a handler that fails is not a crash. */
const maxCrashes = 100_000;
const keptSeconds = 365 * 86_400;
/** Latest time that pg-boss reads, ms since epoch: the end of the year 9999. */
const latestMs = 253_402_300_799_999;

/**
 * Creates an engine of many processes: each id is handled by one worker while that sends heartbeats, and by another one some seconds
 * after it stopped. Wakes of one id are merged into the earliest one.
 *
 * @throws DelegationError `INVALID_CONFIG`
 */
export function createPgBossEngine(options: PgBossEngineOptions): PgBossEngine {
  const given = parseConfig(optionsSchema, options, 'options');
  const { connectionString, schema, agentId, config, clock = Date.now, logger = silentLogger } = given;
  const { heartbeatSeconds } = config;
  const boss = new PgBoss({
    connectionString,
    schema,
    max: config.maxConnections,
    superviseIntervalSeconds: config.superviseSeconds,
    monitorIntervalSeconds: config.superviseSeconds,
    schedule: false,
  });
  boss.on('error', (error) => logger.warn({ err: error }, 'pg-boss reported an error'));
  const queueName = (prefix: string, queue: string) => `${prefix}${nameOf(queue)}`;
  /** Queues by their names in the database. */
  const queueNames = new Map<string, string>();
  const created = new Map<string, Promise<string>>();
  /** By their names in the database. */
  const writes = new Map<string, QueueWrites>();
  /** Functions that look for wakes after one of an id was stored, by queue. */
  const workers = new Map<string, Set<(id: string) => void>>();
  const works = new Set<AsyncDisposable>();
  let started: Promise<string> | null = null;
  let closed = false;
  let gatheredAt = Number.NEGATIVE_INFINITY;

  /** Starts pg-boss, and returns what the names of this agent's queues begin with. */
  const start = async (): Promise<string> => {
    await boss.start();
    const [row] = await sql<{ name: string | null }>('select current_schema() as name', []);
    // Orders are in the current schema, so that agents in two of them are not the same agent, also under the same id.
    const own = row?.name ?? 'public';
    return own === 'public' ? `${nameOf(agentId)}.` : `${nameOf(`${own}.${agentId}`)}.`;
  };

  /** Creates the queue once, and returns its name. */
  const queueOf = (queue: string): Promise<string> => {
    if (closed) return Promise.reject(new DelegationError('CLOSED', 'This engine is closed.'));
    started ??= start().catch((error) => {
      started = null;
      throw error;
    });
    const known =
      created.get(queue) ??
      started.then(async (prefix) => {
        const name = queueName(prefix, queue);
        queueNames.set(name, queue);
        await boss.createQueue(name, {
          policy,
          heartbeatSeconds,
          retryLimit: maxCrashes,
          retryDelay: 0,
          retentionSeconds: keptSeconds,
          expireInSeconds: 23 * 3_600,
          deleteAfterSeconds: 1,
        });
        return name;
      });
    created.set(queue, known);
    known.catch(() => created.delete(queue));
    return known;
  };

  const sql = async <Row>(text: string, values: readonly unknown[]): Promise<readonly Row[]> => {
    const { rows } = await boss.getDb().executeSql(text, [...values]);
    return rows as Row[];
  };

  /**
   * Gathers statistics of the table of jobs, at most once a minute, when more wait than are taken at once. Without them Postgres takes
   * the table for empty, as it was a moment ago, and compares each wake that it hands out with every other one.
   */
  const gatherStatistics = async (): Promise<void> => {
    const now = clock();
    if (now >= gatheredAt && now < gatheredAt + 60_000) return;
    gatheredAt = now;
    try {
      await sql(`analyze (skip_locked) ${schema}.job_common`, []);
    } catch (error) {
      logger.debug({ err: error }, 'No statistics of the table of jobs');
    }
  };

  const createWrites = (name: string): QueueWrites => {
    const send = groupCalls<NewWake, void>(async (wakes) => {
      await boss.insert(
        name,
        wakes.map(({ id, at, priority = 0, data = { failures: 0, lastError: '' } }) => ({
          data,
          singletonKey: id,
          priority,
          ...(at === undefined ? {} : { startAfter: new Date(Math.min(at.getTime(), latestMs)) }),
        })),
      );
      return [];
    });
    const finish = groupCalls<Claim, void>(async (claims) => {
      // Completed jobs would stay in the table until the next maintenance.
      await sql(
        `delete from ${schema}.job using unnest($2::uuid[], $3::int[]) as done (id, retry_count)
         where job.name = $1 and job.id = done.id and job.retry_count = done.retry_count and job.state = 'active'`,
        [name, claims.map(({ job }) => job), claims.map(({ retryCount }) => retryCount)],
      );
      return [];
    });
    return { send, finish };
  };

  const writesOf = (name: string): QueueWrites => {
    const known = writes.get(name) ?? createWrites(name);
    writes.set(name, known);
    return known;
  };

  function startWorker(
    queue: string,
    name: string,
    concurrency: number,
    handler: WakeHandler,
  ): AsyncDisposable {
    const closing = new AbortController();
    const { send, finish } = writesOf(name);
    const running = new Map<string, { readonly retryCount: number; readonly done: Promise<void> }>();
    /** Ids that are being handled, and those of them that were woken again meanwhile. */
    const handling = new Set<string>();
    const wokenAgain = new Set<string>();
    let timer: NodeJS.Timeout | undefined;
    let looking: Promise<void> | null = null;
    let isLookAgain = false;
    /** True when more may be due than were taken. Otherwise there is nothing to look for when a handler ends. */
    let hasMore = false;

    const lookFor = (id: string): void => {
      if (handling.has(id)) wokenAgain.add(id);
      else look();
    };

    const look = (): void => {
      if (looking !== null) {
        isLookAgain = true;
        return;
      }
      isLookAgain = false;
      looking = fetchDue().finally(() => {
        looking = null;
        if (closing.signal.aborted) return;
        clearTimeout(timer);
        if (isLookAgain) look();
        else timer = setTimeout(look, config.pollMs);
      });
    };

    const fetchDue = async (): Promise<void> => {
      // Handlers that end at the same moment make room for one batch.
      await new Promise((resolve) => setImmediate(resolve));
      isLookAgain = false;
      const batchSize = concurrency - running.size;
      if (batchSize <= 0) hasMore = true;
      if (batchSize <= 0 || closing.signal.aborted) return;
      try {
        const jobs = await boss.fetch(name, { batchSize, includeMetadata: true });
        const others = takeOthers(jobs.map(({ id, retryCount }) => ({ job: id, retryCount })));
        for (const { id: job, retryCount, singletonKey, data } of jobs) {
          const wake = { id: singletonKey ?? '', data: dataSchema.parse(data) };
          handling.add(wake.id);
          const done = handle({ job, retryCount }, wake, others).finally(() => {
            running.delete(job);
            handling.delete(wake.id);
            if (wokenAgain.delete(wake.id) || hasMore) look();
          });
          running.set(job, { retryCount, done });
        }
        hasMore = jobs.length === batchSize;
        if (hasMore) {
          isLookAgain = true;
          void gatherStatistics();
        }
      } catch (error) {
        if (!closing.signal.aborted)
          logger.warn({ err: error, queue }, 'Wakes not read: the database failed');
      }
    };

    const handle = async (
      claim: Claim,
      { id, data }: { readonly id: string; readonly data: WakeData },
      others: Promise<ReadonlyMap<string, WakeData>>,
    ): Promise<void> => {
      try {
        await run(id, mostFailures(data, (await others).get(id)));
        await finish(claim);
      } catch (error) {
        // It is handled again when its heartbeat has ended.
        logger.warn({ err: error, queue, id }, 'Wake not finished: the database failed');
      }
    };

    /**
     * Takes the other wakes of ids that are about to be handled; those that come later stay. The wake at which a handler that fails is
     * repeated has its failures. A worker that has lost its claim takes none, since nothing would repeat them if it ended now.
     */
    const takeOthers = async (claims: readonly Claim[]): Promise<ReadonlyMap<string, WakeData>> => {
      const others = new Map<string, WakeData>();
      if (claims.length === 0) return others;
      // The keys are an array, and not a join, so that it is fast before the table has statistics. The policy and the flag are there for
      // a partial index.
      const rows = await sql<{ id: string; data: unknown }>(
        `with held as materialized (
           select singleton_key from ${schema}.job
           join unnest($2::uuid[], $3::int[]) as claim (id, retry_count)
             on job.id = claim.id and job.retry_count = claim.retry_count
           where name = $1 and job.id = any($2::uuid[]) and state = 'active')
         delete from ${schema}.job as other
         where name = $1 and singleton_key = any(array(select singleton_key from held)) and state = 'created'
           and policy = '${policy}' and not blocked
         returning singleton_key as id, data`,
        [name, claims.map(({ job }) => job), claims.map(({ retryCount }) => retryCount)],
      );
      for (const { id, data } of rows) others.set(id, mostFailures(dataSchema.parse(data), others.get(id)));
      return others;
    };

    const run = async (id: string, data: WakeData): Promise<void> => {
      try {
        if (closing.signal.aborted) return await send({ id, data });
        const handled = await handler(id, closing.signal);
        if (handled !== null) await send({ id, at: handled.again });
      } catch (error) {
        if (closing.signal.aborted) return await send({ id, data });
        const failed = data.failures + 1;
        logger.warn({ err: error, queue, id, failures: failed }, 'Handler failed; it runs again later');
        const lastError = errorText(error);
        const at = new Date(clock() + backoffMs(failed));
        await send({ id, at, data: { failures: failed, lastError } });
      }
    };

    const beat = setInterval(
      () => {
        const jobs = [...running].map(([id, { retryCount }]) => ({ id, retryCount }));
        if (jobs.length === 0) return;
        boss
          .touch(name, jobs)
          .catch((error) => logger.warn({ err: error, queue }, 'Heartbeat not sent: the database failed'));
      },
      (heartbeatSeconds * 1_000) / 3,
    );

    const known = workers.get(queue) ?? new Set();
    workers.set(queue, known.add(lookFor));
    look();
    const work: AsyncDisposable = {
      async [Symbol.asyncDispose]() {
        if (closing.signal.aborted) return;
        workers.get(queue)?.delete(lookFor);
        closing.abort();
        clearTimeout(timer);
        await looking;
        await Promise.all([...running.values()].map(({ done }) => done));
        clearInterval(beat);
        works.delete(work);
      },
    };
    works.add(work);
    return work;
  }

  const close = async (): Promise<void> => {
    if (closed) return;
    await Promise.all([...works].map((work) => work[Symbol.asyncDispose]()));
    closed = true;
    if (started !== null) await boss.stop({ graceful: false, close: true }).catch(() => {});
  };

  return {
    async wake(queue, id, { at, priority = 0 } = {}) {
      await writesOf(await queueOf(queue)).send({ id, at, priority });
      if (at === undefined || at.getTime() <= clock())
        for (const lookFor of workers.get(queue) ?? []) lookFor(id);
    },

    async work(queue, { concurrency }, handler) {
      return startWorker(queue, await queueOf(queue), concurrency, handler);
    },

    async inspect({ queue, limit = 100 } = {}) {
      await queueOf(queue ?? 'orders');
      const prefix = (await started) ?? '';
      const rows = await sql<{
        name: string;
        singleton_key: string;
        state: string;
        start_after: Date;
        priority: number;
        data: unknown;
        heartbeat_on: Date | null;
      }>(
        `select distinct on (name, singleton_key) name, singleton_key, state, start_after, priority, data, heartbeat_on
         from ${schema}.job
         where state in ('created', 'retry', 'active') and ${queue === undefined ? 'starts_with(name, $1)' : 'name = $1'}
         order by name, singleton_key, start_after limit $2`,
        [queue === undefined ? prefix : queueName(prefix, queue), limit],
      );
      return rows.map(
        ({ name, singleton_key, state, start_after, priority, data, heartbeat_on }): Wake => ({
          queue: queueNames.get(name) ?? name.slice(prefix.length),
          id: singleton_key,
          dueAt: state === 'active' ? null : new Date(start_after).getTime(),
          priority,
          ...dataSchema.parse(data),
          heldUntil:
            state === 'active' && heartbeat_on !== null
              ? new Date(heartbeat_on).getTime() + heartbeatSeconds * 1_000
              : null,
        }),
      );
    },

    close,
    [Symbol.asyncDispose]: close,
  };
}
