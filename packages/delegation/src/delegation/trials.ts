import { composeId, sanitizeRemoteText } from '@bonafide/internal';
import { allOrders } from '../all-orders.ts';
import type { Handled } from '../engine.ts';
import { DelegationError } from '../errors.ts';
import { finishedWork } from '../flow/finished.ts';
import { parseJson } from '../json.ts';
import { type Duty, dutyId, type Progress, progressSchema } from '../notes.ts';
import type { OrderState, Replica, StoredOrder } from '../order.ts';
import { type PlatformRef, platformId } from '../platform.ts';
import type { BenchmarkTask, MatrixView } from '../ports.ts';
import { isPlatform } from '../schemas.ts';
import type { OrderRecord } from '../store.ts';
import type { DelegationContext } from './context.ts';
import { followPolicy } from './follow-policy.ts';
import { registerPlatform } from './register-platform.ts';
import { createTrialBudget } from './trial-budget.ts';

const dayMs = 86_400_000;

/** Gives trials to platforms. Its work is kept in the queue `upkeep`, so that it continues after a restart. */
export interface Trials {
  handle(id: string): Promise<Handled>;
  /** Begins a qualification; has no effect while one is running. */
  begin(platform: PlatformRef, taskType: string): Promise<void>;
  /**
   * Returns the matrix's view after a qualification that ended at `since` or later, null while there is none. Throws when it
   * could not be done.
   */
  result(platform: PlatformRef, taskType: string, since: number): Promise<MatrixView | null>;
  /** Begins the qualification of newcomers, as far as limits allow. Returns their number. */
  beginNewcomers(taskType: string): Promise<number>;
  keepUp(taskType: string): Promise<void>;
  /** Counts the money of a trial that ended, and wakes the duty that waits for it. */
  trialSettled(state: OrderState): Promise<void>;
}

/** @param options.create - stores an order and wakes it */
export function createTrials(
  context: DelegationContext,
  options: { readonly create: (order: StoredOrder) => Promise<OrderRecord> },
): Trials {
  const { store, engine, matrix, source, clock, settings, emitter, logger } = context;
  const budget = createTrialBudget(context);

  const progressOf = async (id: string) => {
    const note = await store.note(id);
    const parsed = progressSchema.safeParse(note === null ? null : parseJson(note.value));
    return { revision: note?.revision ?? 0, progress: parsed.success ? parsed.data : null };
  };

  /** Begins a duty and wakes it; a running one continues. */
  const begin = async (duty: Duty): Promise<void> => {
    const id = dutyId(duty);
    for (;;) {
      const { revision, progress } = await progressOf(id);
      if (progress !== null && progress.endedAt === null) break;
      const fresh: Progress = { duty, startedAt: clock(), endedAt: null, code: null, message: '' };
      if (await store.putNote(id, { revision: revision + 1, value: JSON.stringify(fresh) })) break;
    }
    await engine.wake('upkeep', id);
  };

  const end = async (id: string, code: Progress['code'], message: string): Promise<null> => {
    const { revision, progress } = await progressOf(id);
    if (progress === null) return null;
    const ended: Progress = { ...progress, endedAt: clock(), code, message };
    await store.putNote(id, { revision: revision + 1, value: JSON.stringify(ended) });
    return null;
  };

  /** Returns the trials of every service of an operator in a task type: a task that one of them has seen is known to all. */
  const trialsOf = async (pubkey: string, taskType: string): Promise<readonly OrderRecord[]> => {
    const found: OrderRecord[] = [];
    for await (const order of allOrders(store, { trialOperator: pubkey, taskType })) found.push(order);
    return found;
  };

  const trialOrder = (platform: PlatformRef, taskType: string, task: BenchmarkTask): StoredOrder => ({
    id: composeId('trial', taskType, platform.pubkey, platform.d, task.id),
    taskType,
    kind: settings.kinds[taskType] ?? 5000,
    inputs: task.inputs,
    params: task.params ?? {},
    output: task.output ?? null,
    check: 'suite',
    suite: task.suite,
    language: task.language ?? 'python',
    accept: null,
    valueMsat: settings.trialMsat,
    maxMsat: settings.trialMsat,
    deadlineAt: null,
    criticality: 'background',
    replicas: 1,
    needed: 1,
    attempts: 1,
    acceptPartial: false,
    trial: { platform, taskId: task.id },
  });

  /** Returns a task that the platform has not seen, or null. */
  const unseenTask = async (
    taskType: string,
    trials: readonly OrderRecord[],
  ): Promise<BenchmarkTask | null> => {
    const seen = new Set(trials.map(({ state }) => state.order.trial?.taskId));
    const tasks = (await context.benchmarks?.tasks(taskType)) ?? [];
    return tasks.find(({ id }) => !seen.has(id)) ?? null;
  };

  /**
   * Takes one step of a qualification or a benchmark: waits for the open trial, or begins the next one.
   * @param isDone - decides from the trials of this duty whether another one is needed
   */
  const step = async (
    id: string,
    { taskType, pubkey, d }: Extract<Duty, { pubkey: string }>,
    { startedAt }: Progress,
    isDone: (entry: MatrixView | null, own: readonly OrderRecord[]) => boolean,
  ): Promise<Handled> => {
    const platform = { pubkey, d };
    const listed = await source.get(pubkey, d);
    if (listed === null) await matrix.register({ platform, taskTypes: [taskType] });
    else await registerPlatform(context, listed, taskType);
    const trials = await trialsOf(pubkey, taskType);
    const own = trials.filter(
      ({ createdAt, state }) => createdAt >= startedAt && state.order.trial?.platform.d === d,
    );
    if (own.some(({ settled }) => !settled)) return { again: new Date(clock() + settings.recheckMs) };
    const entry = await matrix.entry(taskType, platform);
    if (isDone(entry, own)) {
      await end(id, null, entry?.statusReason ?? '');
      if (entry !== null) emitter.emit('qualified', entry);
      return null;
    }
    const untried = own.find(({ state }) => triedPlatform(state) === null);
    if (untried !== undefined) return end(id, 'NO_PLATFORM', reasonOf(untried.state));
    const task = await unseenTask(taskType, trials);
    if (task === null)
      return end(id, 'NO_BENCHMARK', `No benchmark task for '${taskType}' is left that it has not seen.`);
    const order = trialOrder(platform, taskType, task);
    const affordableAt = await budget.reserve(order.id, order.maxMsat);
    if (affordableAt !== null) return { again: new Date(affordableAt) };
    await options.create(order);
    return { again: new Date(clock() + settings.recheckMs) };
  };

  /** Returns true for an entry that needs trials now. */
  const isUndecided = (entry: MatrixView | null) =>
    entry === null ||
    entry.status === 'EVALUATING' ||
    (entry.status === 'REJECTED' && entry.cooldownUntilAt === null);

  /** Returns the operators that are on trial. */
  const operatorsOnTrial = async (): Promise<Set<string>> => {
    const wakes = await engine.inspect({ queue: 'upkeep', limit: 10_000 });
    const duties = await Promise.all(
      wakes.filter(({ id }) => id.startsWith('qualify:')).map(async ({ id }) => progressOf(id)),
    );
    return new Set(
      duties.flatMap(({ progress }) =>
        progress?.duty.kind === 'qualify' && progress.endedAt === null ? [progress.duty.pubkey] : [],
      ),
    );
  };

  /** Returns true for an operator whose other service is known: it does not get rid of its past by another identifier. */
  const isKnownOperator = async (siblings: readonly MatrixView[], { d }: PlatformRef): Promise<boolean> => {
    for (const { platform, status, cooldownUntilAt } of siblings) {
      if (platform.d === d) continue;
      if (status === 'BLACKLISTED' || (status === 'REJECTED' && (cooldownUntilAt ?? 0) > clock()))
        return true;
      // A service that is not listed any more may have been renamed.
      if ((await source.get(platform.pubkey, platform.d)) !== null) return true;
    }
    return false;
  };

  const isRefused = async ({ pubkey }: PlatformRef): Promise<boolean> =>
    (await context.journal.getBriefing?.(pubkey))?.verdict.verdict === 'refuse';

  const beginNewcomers = async (taskType: string): Promise<number> => {
    const under = await operatorsOnTrial();
    const entries = await matrix.entries({ taskType });
    let begun = 0;
    for await (const { entry: found } of source.find({ capability: taskType })) {
      if (under.size >= settings.platformsOnTrial) break;
      const { pubkey, d } = found;
      if (under.has(pubkey)) continue;
      await eachAlone({ pubkey, d }, 'Newcomer not tried', async () => {
        const siblings = entries.filter(({ platform }) => platform.pubkey === pubkey);
        const own = siblings.find(({ platform }) => platform.d === d) ?? null;
        if (!isUndecided(own) || (await isKnownOperator(siblings, { pubkey, d }))) return;
        if (own === null && (await isRefused({ pubkey, d }))) return;
        const duty = { kind: 'qualify', taskType, pubkey, d } as const;
        const { progress } = await progressOf(dutyId(duty));
        // One that could not be tried is not tried again every few minutes.
        if (progress?.code != null && (progress.endedAt ?? 0) > clock() - dayMs) return;
        under.add(pubkey);
        await begin(duty);
        begun += 1;
      });
    }
    return begun;
  };

  /** Begins benchmarks of platforms that were not verified for long, and follows the journal's policy. */
  const beginBenchmarks = async (taskType: string): Promise<void> => {
    const now = clock();
    for (const { platform, status, lastVerifiedAt } of await matrix.entries({ taskType }))
      await eachAlone(platform, 'Upkeep of a platform failed', async () => {
        await followPolicy(context, platform, taskType);
        if (status !== 'ACTIVE' && status !== 'CONDITIONAL') return;
        if ((lastVerifiedAt ?? 0) <= now - settings.heartbeatMs)
          await begin({ kind: 'benchmark', taskType, ...platform });
      });
  };

  /** Runs the part of a duty that concerns one platform. What it throws is logged, so that the others get theirs. */
  const eachAlone = async (
    platform: PlatformRef,
    message: string,
    work: () => Promise<void>,
  ): Promise<void> => {
    try {
      if (!isPlatform(platform))
        throw new DelegationError('INVALID_INPUT', 'Its key or its identifier cannot be stored.');
      await work();
    } catch (error) {
      logger.warn({ err: error, platform: sanitizeRemoteText(platformId(platform), 200) }, message);
    }
  };

  const keepUp = async (taskType: string): Promise<Handled> => {
    for (const work of [beginNewcomers, beginBenchmarks]) {
      try {
        await work(taskType);
      } catch (error) {
        logger.warn({ err: error, taskType }, 'Upkeep failed; it is repeated');
      }
    }
    return { again: new Date(clock() + settings.upkeepMs) };
  };

  return {
    async handle(id) {
      const { progress } = await progressOf(id);
      if (progress === null) {
        logger.warn({ id }, 'Unknown work in the queue of upkeep: it was removed');
        return null;
      }
      const { duty, endedAt } = progress;
      if (duty.kind === 'keep-up') return keepUp(duty.taskType);
      if (endedAt !== null) return null;
      return duty.kind === 'qualify'
        ? step(id, duty, progress, (entry) => !isUndecided(entry))
        : step(id, duty, progress, (_entry, own) => own.length > 0);
    },

    begin: ({ pubkey, d }, taskType) => begin({ kind: 'qualify', taskType, pubkey, d }),

    async result({ pubkey, d }, taskType, since) {
      const { progress } = await progressOf(dutyId({ kind: 'qualify', taskType, pubkey, d }));
      if (progress === null || progress.endedAt === null || progress.endedAt < since) return null;
      if (progress.code !== null) throw new DelegationError(progress.code, progress.message);
      return matrix.entry(taskType, { pubkey, d });
    },

    beginNewcomers,
    keepUp: (taskType) => begin({ kind: 'keep-up', taskType }),

    async trialSettled(state) {
      const { taskType, trial, id: orderId } = state.order;
      if (trial === null) return;
      await budget.settle(orderId, countedMsat(state));
      for (const kind of ['qualify', 'benchmark'] as const) {
        const id = dutyId({ kind, taskType, ...trial.platform });
        const { progress } = await progressOf(id);
        if (progress !== null && progress.endedAt === null) await engine.wake('upkeep', id);
      }
    },
  };
}

/** Returns the replica of a trial that says something about its platform; null when it was not tried. */
function triedPlatform(state: OrderState): Replica | null {
  const [replica] = state.replicas;
  if (replica === undefined) return null;
  return finishedWork(state, replica)?.outcome === 'INFRA' ? null : replica;
}

const reasonOf = ({ replicas, exclusions }: OrderState): string =>
  replicas[0]?.end?.message ?? exclusions[0]?.reason ?? 'It may not be asked.';

/** Returns what a trial counts for the day's money, msat: what was promised for an answer, else what was paid. */
function countedMsat({ replicas }: OrderState): number {
  return replicas.reduce((sum, { answer, bidMsat, paidMsat, heldMsat }) => {
    const spent = paidMsat + heldMsat;
    return sum + (answer === null ? spent : Math.max(bidMsat, spent));
  }, 0);
}
