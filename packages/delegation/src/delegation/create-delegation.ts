import {
  createDisposerStack,
  createEmitter,
  createSemaphore,
  type DisposerStack,
  orAbort,
  type Page,
  requireOptions,
  requireRuntime,
  silentLogger,
  type Unsubscribe,
} from '@bonafide/internal';
import { allOrders } from '../all-orders.ts';
import { cancelledQueue } from '../cancel-order.ts';
import { resolveConfig } from '../config.ts';
import { type Delivery, outcomeOf } from '../delivery.ts';
import { createEmbeddedEngine } from '../engines/embedded.ts';
import { DelegationError } from '../errors.ts';
import { parseConfig } from '../host-options.ts';
import type { Accept, Order, OrderState, StoredOrder } from '../order.ts';
import type { PlatformRef } from '../platform.ts';
import type { MatrixView, Receipts } from '../ports.ts';
import {
  fingerprintOf,
  parseOrder,
  parseOrderId,
  parsePlatform,
  parsePrune,
  parseReason,
  parseTaskType,
  parseWaitOptions,
} from '../schemas.ts';
import type { OrderQuery, OrderRecord } from '../store.ts';
import { systemTimers } from '../timers.ts';
import { checkNamed } from './check-answer.ts';
import { type DelegationContext, type DelegationEvents, delegationEventNames } from './context.ts';
import { createJobFollower, type JobFollower } from './follow-job.ts';
import { openPlatforms } from './open-platforms.ts';
import { type DelegationOptions, hasJobsFunction, optionsSchema } from './options.ts';
import { type QueueName, sharedLayout, singleLayout } from './queues.ts';
import { createTrials } from './trials.ts';
import { createOrderWorker, type SeenOrder } from './work-on-order.ts';

/** Hands out orders and follows them until nothing is left to do, also those of earlier processes. */
export interface Delegation {
  /**
   * Resolves when orders of earlier processes have been resumed. Every other method waits for it.
   * @throws DelegationError `STORE_FAILED`
   */
  ready(): Promise<void>;
  /**
   * Hands out an order and waits for its delivery. The signal ends the waiting; the order continues, and the same call
   * waits for it again.
   * @throws OrderFailedError `NO_PLATFORM`, `NO_CONSENSUS`, `TIMEOUT`, `ORDER_CANCELLED`
   * @throws DelegationError `INVALID_INPUT`, `ORDER_CONFLICT`, `ABORTED`, `CLOSED`
   */
  delegate(order: Order, options?: { readonly signal?: AbortSignal }): Promise<Delivery>;
  /**
   * Hands out an order. Resolves with its id when it is stored; from then on it survives a crash.
   * @throws DelegationError `INVALID_INPUT`, `ORDER_CONFLICT`, `CLOSED`
   */
  start(order: Order): Promise<string>;
  /**
   * Waits until nothing is left to do for an order: every platform's part is recorded in the journal and the matrix. Wait for it
   * before the next order when that should be chosen by what this one taught.
   * @throws DelegationError `ORDER_NOT_FOUND`, `ABORTED`, `CLOSED`
   */
  settled(id: string, options?: { readonly signal?: AbortSignal }): Promise<OrderRecord>;
  get(id: string): Promise<OrderRecord | null>;
  /** Returns orders, newest first. */
  list(query?: OrderQuery): Promise<Page<OrderRecord>>;
  /**
   * Cancels an order: open requests are taken back. Has no effect on one that has ended.
   * @throws DelegationError `ORDER_NOT_FOUND`
   */
  cancel(id: string, reason?: string): Promise<void>;
  /**
   * Gives trials to a platform until the matrix has decided about it, with benchmark tasks that it has not seen. Resolves with the
   * matrix's view, at once for a platform that is decided. The trials continue after a restart.
   * @throws DelegationError `NO_BENCHMARK`, `NO_PLATFORM`, `INVALID_INPUT`, `ABORTED`, `CLOSED`
   */
  qualify(
    platform: PlatformRef,
    taskType: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<MatrixView>;
  /**
   * Begins the qualification of found platforms about which the matrix has not decided, as far as `config.platformsOnTrial` and
   * `config.trialsPerDayMsat` allow. Returns their number.
   */
  qualifyNewcomers(taskType: string): Promise<number>;
  /**
   * Qualifies newcomers and platforms whose cooldown has ended, benchmarks platforms that were not verified for
   * `config.heartbeatMs`, and follows the journal's policy, every `config.upkeepMs`. It is stored, and continues after a restart.
   */
  keepUp(taskType: string): Promise<void>;
  /**
   * Deletes settled orders that did not change since `before`, ms since epoch, and returns their number. Trials are kept, because they
   * say which benchmark tasks a platform has seen. The id of a deleted order is unknown again: handing it out once more asks and pays
   * once more.
   * @throws DelegationError `INVALID_INPUT`
   */
  prune(options: { readonly before: number }): Promise<number>;
  on<Name extends keyof DelegationEvents & string>(
    name: Name,
    listener: (event: DelegationEvents[Name]) => unknown,
  ): Unsubscribe;
  /** Ends the work of this process. Open orders stay open in the store. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates a delegation and begins to work; resumes the orders of earlier processes.
 *
 * @throws DelegationError `INVALID_CONFIG`; `RUNTIME_TOO_OLD` before Node 22.13
 */
export function createDelegation(given: DelegationOptions): Delegation {
  requireRuntime((message) => new DelegationError('RUNTIME_TOO_OLD', message));
  requireOptions(
    given,
    {
      store: { methods: ['get'], example: 'createMemoryDelegationStore()' },
      source: { methods: ['find'], example: 'createDiscovery(…) of @bonafide/nip89-discovery' },
      jobs: {
        methods: hasJobsFunction(given) ? ['call'] : ['requestJob'],
        example: 'createJobClient(…) of @bonafide/nip90-jobs',
      },
      matrix: { methods: ['select'], example: 'createRoutingMatrix(…) of @bonafide/routing-matrix' },
      journal: { methods: ['recordOutcome'], example: 'createLedger(…) of @bonafide/ledger-core' },
    },
    (message) => new DelegationError('INVALID_CONFIG', message),
  );
  const options = parseConfig(optionsSchema, given, 'options') as DelegationOptions;
  const {
    store,
    clock = Date.now,
    random = Math.random,
    timers = systemTimers,
    logger = silentLogger,
  } = options;
  const settings = resolveConfig(options.config);
  const engine =
    options.engine ?? createEmbeddedEngine({ store: store.wakes, clock, random, timers, logger });
  const emitter = createEmitter<DelegationEvents>({
    logger,
    names: delegationEventNames,
    fail: (message) => new DelegationError('INVALID_INPUT', message),
  });
  /** Receipts over the jobs of this process; null while it has none. */
  let currentReceipts: Receipts | null = null;
  const receiptsOver: Receipts = {
    async send(work) {
      if (currentReceipts === null) throw notStarted();
      await currentReceipts.send(work);
    },
  };
  const context: DelegationContext = {
    ...options,
    source: openPlatforms(options.source),
    receipts: typeof options.receipts === 'function' ? receiptsOver : (options.receipts ?? null),
    engine,
    clock,
    timers,
    logger,
    settings,
    emitter,
    judging: createSemaphore(settings.judging),
    acceptors: new Map(),
  };
  const layout = options.leadership === undefined ? singleLayout : sharedLayout;
  const jobQueue: QueueName = options.leadership === undefined ? 'orders' : 'jobs';
  if (options.leadership !== undefined && options.engine === undefined)
    throw new DelegationError(
      'INVALID_CONFIG',
      'Several processes with `leadership` need a shared `engine`.',
    );
  const closing = new AbortController();
  const canTry = options.benchmarks !== undefined && options.judge !== undefined;
  let follower: JobFollower | null = null;

  /** Wakes that are being stored. */
  const waking = new Set<Promise<void>>();
  /** Wakes an order; repeats it while the store fails. */
  const wake = (orderId: string): void => {
    const woken = engine
      .wake(jobQueue, orderId)
      .catch((error) => {
        logger.warn({ err: error, orderId }, 'Order not woken: the store failed');
        if (!closing.signal.aborted) timers.after(1_000, () => wake(orderId));
      })
      .finally(() => waking.delete(woken));
    waking.add(woken);
  };
  const currentFollower = (): JobFollower => {
    if (follower === null) throw notStarted();
    return follower;
  };
  /** Callers that wait for an order, by its id. */
  const waiters = new Map<string, Set<(record: SeenOrder) => void>>();
  const seen = (id: string, record: SeenOrder): void => {
    for (const look of [...(waiters.get(id) ?? [])]) look(record);
    if (record.settled) context.acceptors.delete(id);
  };
  const worker = createOrderWorker(context, { follower: currentFollower, layout, seen });
  const stack = createDisposerStack();
  const trials = createTrials(context, { create: (order, createdAt) => create(order, { createdAt }) });
  emitter.on('settled', ({ orderId, state }) =>
    trials.trialSettled(state).catch((error) => logger.warn({ err: error, orderId }, 'Trial not continued')),
  );

  /** Wakes every order with something left to do. */
  const resume = async (queue: QueueName, signal: AbortSignal): Promise<void> => {
    const ids: string[] = [];
    const wakeAll = () => Promise.all(ids.splice(0).map((id) => engine.wake(queue, id)));
    for await (const { id } of allOrders(store, { settled: false })) {
      if (signal.aborted) return;
      if (ids.push(id) === wokenAtOnce) await wakeAll();
    }
    await wakeAll();
  };

  const workOn = (queue: QueueName) => {
    const concurrency = queue === 'judging' ? settings.judging : settings.concurrency;
    return engine.work(queue, { concurrency }, (id, signal) => worker.handle(queue, id, signal));
  };

  /** Passes what other programs have cancelled in the store to the engine. */
  const followStore = async (): Promise<AsyncDisposable> => {
    const config = { exclusive: false, pollMs: settings.watchIntervalMs };
    const inStore =
      options.engine === undefined
        ? engine
        : createEmbeddedEngine({ store: store.wakes, clock, random, timers, logger, config });
    return inStore.work(cancelledQueue, { concurrency: 10 }, async (id) => {
      await engine.wake('orders', id, { priority: 1 });
      return null;
    });
  };

  /** Starts to request and to follow jobs. What it returns ends that. */
  const beginJobs = async (): Promise<DisposerStack> => {
    await using started = createDisposerStack();
    const given = options.jobs;
    const jobs = typeof given === 'function' ? await given() : given;
    if (typeof given === 'function')
      started.defer(async () => (jobs as Partial<AsyncDisposable>)[Symbol.asyncDispose]?.());
    const current = createJobFollower(context, { jobs, wake });
    const receipts =
      typeof options.receipts === 'function' ? options.receipts(jobs, { clock, logger }) : null;
    [follower, currentReceipts] = [current, receipts];
    started.defer(() => {
      current.close();
      if (follower === current) [follower, currentReceipts] = [null, null];
    });
    for (const name of ['paid', 'late-result'] as const) {
      const unsubscribe = jobs.on?.(name, ({ job }) => {
        const orderId = orderOfKey(job.idempotencyKey);
        if (orderId !== null) wake(orderId);
      });
      if (unsubscribe) started.defer(unsubscribe);
    }
    started.use(await workOn(jobQueue));
    return started.move();
  };

  /** Runs while this process is elected. */
  const lead = async (signal: AbortSignal): Promise<void> => {
    await using jobs = await beginJobs();
    void jobs;
    logger.info({}, 'Elected: this process requests and pays');
    await resume('jobs', signal);
    if (signal.aborted) return;
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  };

  const begin = async (): Promise<void> => {
    if (canTry)
      stack.use(
        await engine.work('upkeep', { concurrency: settings.platformsOnTrial }, (id) => trials.handle(id)),
      );
    const { leadership } = options;
    if (leadership === undefined) {
      stack.use(await beginJobs());
    } else {
      for (const queue of ['orders', 'judging'] as const) stack.use(await workOn(queue));
      const leading = leadership.lead(lead, closing.signal);
      leading.catch((error) => logger.error({ err: error }, 'Election ended'));
      stack.defer(() => leading.catch(() => {}));
    }
    stack.use(await followStore());
    await resume('orders', closing.signal);
  };
  const begun = begin();
  begun.catch((error) => logger.error({ err: error }, 'Delegation not begun'));

  const assertOpen = () => {
    if (closing.signal.aborted) throw new DelegationError('CLOSED', 'This delegation is closed.');
  };

  const ready = async (): Promise<void> => {
    assertOpen();
    await begun;
    assertOpen();
  };

  const assertPossible = (order: StoredOrder) => {
    if (order.check === 'suite' && options.judge === undefined)
      throw new DelegationError('INVALID_INPUT', 'An order with a suite needs the option `judge`.');
    if (order.accept !== null && checkNamed(options.checks, order.accept) === undefined)
      throw new DelegationError(
        'INVALID_INPUT',
        `There is no check '${order.accept}'. Pass it in the option \`checks\`.`,
      );
  };

  const create = async (
    order: StoredOrder,
    { accept = null, fingerprint = fingerprintOf(order), createdAt = clock() }: NewOrder = {},
  ): Promise<OrderRecord> => {
    const { record } = await store.create({
      id: order.id,
      fingerprint,
      revision: 1,
      state: newState(order, createdAt),
      settled: false,
      createdAt,
      updatedAt: createdAt,
    });
    if (record.fingerprint !== fingerprint)
      throw new DelegationError(
        'ORDER_CONFLICT',
        `Order '${order.id}' exists with another content. Use a unique id per piece of work.`,
      );
    if (record.settled) return record;
    // The function of the first call stays: an order has one check.
    if (accept !== null && !context.acceptors.has(order.id)) context.acceptors.set(order.id, accept);
    // The only process wakes every open order when it starts again, so that the order itself is enough. Others would not hear of it.
    if (options.engine === undefined) wake(order.id);
    else await engine.wake('orders', order.id);
    return record;
  };

  const start = async (given: Order): Promise<OrderRecord> => {
    await ready();
    const { order, accept } = parseOrder(given, settings);
    assertPossible(order);
    return create(order, { accept, fingerprint: fingerprintOf(order, given.kind ?? null) });
  };

  /** Waits until the order is as wanted. */
  const until = async (
    id: string,
    isWanted: (record: SeenOrder) => boolean,
    signal: AbortSignal,
  ): Promise<OrderState> => {
    const { promise, resolve, reject } = Promise.withResolvers<OrderState>();
    const look = (record: SeenOrder | null) => {
      if (record !== null && isWanted(record)) resolve(record.state);
    };
    const looks = waiters.get(id) ?? new Set();
    waiters.set(id, looks.add(look));
    let cancel = () => {};
    // Another process may finish it. Without an engine of its own this is the only one.
    const watch = () => {
      cancel = timers.after(settings.watchIntervalMs, () => {
        store.get(id).then(look, reject);
        watch();
      });
    };
    if (options.engine !== undefined) watch();
    try {
      look(await store.get(id));
      return await orAbort(promise, signal);
    } finally {
      cancel();
      looks.delete(look);
      if (looks.size === 0) waiters.delete(id);
    }
  };

  /** Waits under the caller's signal and until this delegation is closed. */
  const waiting = async <Result>(
    id: string,
    signal: AbortSignal | undefined,
    wait: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    const aborted = () =>
      new DelegationError('ABORTED', `Order '${id}' continues; only the waiting ended.`, {
        cause: signal?.reason,
      });
    if (signal?.aborted) throw aborted();
    const either = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
    try {
      return await wait(either);
    } catch (error) {
      throw signal?.aborted ? aborted() : error;
    }
  };

  const assertCanTry = () => {
    if (!canTry)
      throw new DelegationError('INVALID_INPUT', 'Trials need the options `judge` and `benchmarks`.');
  };

  /** Waits for the result of a qualification that was running at a revision of its progress. */
  const qualified = async (
    platform: PlatformRef,
    taskType: string,
    revision: number,
    signal: AbortSignal,
  ): Promise<MatrixView> => {
    while (!signal.aborted) {
      const view = await trials.result(platform, taskType, revision);
      if (view !== null) return view;
      await new Promise<void>((resolve) => {
        const done = () => {
          cancel();
          unsubscribe();
          signal.removeEventListener('abort', done);
          resolve();
        };
        const unsubscribe = emitter.on('qualified', done);
        const cancel = timers.after(settings.watchIntervalMs, done);
        signal.addEventListener('abort', done, { once: true });
      });
    }
    throw signal.reason;
  };

  const close = async (): Promise<void> => {
    if (closing.signal.aborted) return;
    closing.abort(
      new DelegationError('CLOSED', 'This delegation was closed. The next one continues its orders.'),
    );
    await begun.catch(() => {});
    await stack.disposeAsync();
    await Promise.all(waking);
    emitter.clear();
  };

  return {
    ready,

    async delegate(order, options) {
      const { signal } = parseWaitOptions(options);
      const state = await waiting(order?.id, signal, async (either) => {
        const record = await start(order);
        return until(record.id, (each) => each.state.status !== 'open', either);
      });
      const outcome = outcomeOf(state);
      if (outcome === null || outcome instanceof Error)
        throw outcome ?? new DelegationError('STORE_FAILED', `Order '${order.id}' has no end.`);
      return outcome;
    },

    async settled(given, options) {
      await ready();
      const id = parseOrderId(given);
      const { signal } = parseWaitOptions(options);
      const known = await store.get(id);
      if (known === null) throw new DelegationError('ORDER_NOT_FOUND', `There is no order '${id}'.`);
      await waiting(id, signal, (either) => until(id, (each) => each.settled, either));
      return (await store.get(id)) ?? known;
    },

    start: async (order) => (await start(order)).id,

    async get(id) {
      await ready();
      return store.get(parseOrderId(id));
    },

    async list(query) {
      await ready();
      return store.list(query);
    },

    async cancel(given, why = 'The caller cancelled the order.') {
      await ready();
      const id = parseOrderId(given);
      const reason = parseReason(why);
      const record = await worker.apply(id, { type: 'cancelled', at: clock(), reason });
      if (record === null) throw new DelegationError('ORDER_NOT_FOUND', `There is no order '${id}'.`);
      await engine.wake('orders', id);
    },

    async qualify(given, taskType, options) {
      await ready();
      const { signal } = parseWaitOptions(options);
      assertCanTry();
      const platform = parsePlatform(given);
      const type = parseTaskType(taskType);
      const waiting = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
      // An earlier result does not count: the platform may have changed since.
      const running = await trials.begin(platform, type);
      try {
        return await orAbort(qualified(platform, type, running, waiting), waiting);
      } catch (error) {
        if (!signal?.aborted) throw error;
        throw new DelegationError('ABORTED', 'The trials continue; only the waiting ended.', {
          cause: error,
        });
      }
    },

    async qualifyNewcomers(taskType) {
      await ready();
      assertCanTry();
      return trials.beginNewcomers(parseTaskType(taskType));
    },

    async keepUp(taskType) {
      await ready();
      assertCanTry();
      await trials.keepUp(parseTaskType(taskType));
    },

    async prune(given) {
      await ready();
      const { before } = parsePrune(given);
      let deleted = 0;
      for (;;) {
        const count = await store.prune({ before, limit: 500 });
        deleted += count;
        if (count < 500) return deleted;
      }
    },

    on: emitter.on,
    close,
    [Symbol.asyncDispose]: close,
  };
}

const notStarted = () => new DelegationError('NOT_STARTED', 'This process has no job client now.');

/** How an order is stored. */
interface NewOrder {
  /** The caller's function; null without one. */
  readonly accept?: Accept | null;
  /** Hash over what the caller gave. @default of the order */
  readonly fingerprint?: string;
  /** Ms since epoch. @default now */
  readonly createdAt?: number;
}

/** Number of orders that are woken at once after a start. */
const wokenAtOnce = 100;

/** Returns the order of a request's idempotency key: what precedes its last slash. */
function orderOfKey(key: string | null): string | null {
  const slash = key?.lastIndexOf('/') ?? -1;
  return key === null || slash < 1 ? null : key.slice(0, slash);
}

function newState(order: StoredOrder, createdAt: number): OrderState {
  return {
    order,
    status: 'open',
    createdAt,
    decidedAt: null,
    rounds: 0,
    exhausted: false,
    replicas: [],
    exclusions: [],
    winners: [],
    verifiedBy: null,
    failure: null,
  };
}
