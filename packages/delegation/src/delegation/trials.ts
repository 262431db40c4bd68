import { composeId, sanitizeRemoteText } from '@bonafide/internal';
import { allOrders } from '../all-orders.ts';
import { kindOf } from '../config.ts';
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
  /** Begins a qualification; has no effect while one is running. Returns the revision of the progress of the one that runs. */
  begin(platform: PlatformRef, taskType: string): Promise<number>;
  /**
   * Returns the matrix's view after a qualification that ran at this revision or later, null while it runs. Throws when it could not
   * be done.
   */
  result(platform: PlatformRef, taskType: string, revision: number): Promise<MatrixView | null>;
  /** Begins the qualification of newcomers, as far as limits allow. Returns their number. */
  beginNewcomers(taskType: string): Promise<number>;
  keepUp(taskType: string): Promise<void>;
  /** Counts the money of a trial that ended, and wakes the duty that waits for it. */
  trialSettled(state: OrderState): Promise<void>;
}

/** A duty that has not ended, as it is stored. */
interface RunningDuty {
  readonly revision: number;
  readonly progress: Progress;
}

/** @param options.create - stores an order and wakes it */
export function createTrials(
  context: DelegationContext,
  options: { readonly create: (order: StoredOrder, createdAt: number) => Promise<OrderRecord> },
): Trials {
  const { store, engine, matrix, source, clock, settings, emitter, logger } = context;
  const budget = createTrialBudget(context);

  const progressOf = async (id: string) => {
    const note = await store.note(id);
    const parsed = progressSchema.safeParse(note === null ? null : parseJson(note.value));
    return { revision: note?.revision ?? 0, progress: parsed.success ? parsed.data : null };
  };

  /** Begins a duty and wakes it; a running one continues. Returns the revision of its progress. */
  const begin = async (duty: Duty): Promise<number> => {
    const id = dutyId(duty);
    const begun = async (): Promise<number> => {
      for (;;) {
        const { revision, progress } = await progressOf(id);
        if (progress !== null && progress.endedAt === null) return revision;
        const fresh: Progress = { duty, startedAt: clock(), endedAt: null, code: null, message: '' };
        const value = JSON.stringify(fresh);
        if (await store.putNote(id, { revision: revision + 1, value })) return revision + 1;
      }
    };
    const revision = await begun();
    await engine.wake('upkeep', id);
    return revision;
  };

  /** Returns true for a duty that could not be done within the last day: it is not repeated every few minutes. */
  const couldNotBeDone = async (duty: Duty): Promise<boolean> => {
    const { progress } = await progressOf(dutyId(duty));
    return progress?.code != null && (progress.endedAt ?? 0) > clock() - dayMs;
  };

  /** Ends a duty as it was read: a process that was frozen does not end the next one. */
  const end = async (
    id: string,
    { revision, progress }: RunningDuty,
    code: Progress['code'],
    message: string,
  ): Promise<null> => {
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
    kind: kindOf(settings, taskType),
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
    running: RunningDuty,
    isDone: (entry: MatrixView | null, own: readonly OrderRecord[]) => boolean,
  ): Promise<Handled> => {
    const platform = { pubkey, d };
    const { startedAt } = running.progress;
    const listed = await source.get(pubkey, d);
    if (listed === null) await matrix.register({ platform, taskTypes: [taskType] });
    else await registerPlatform(context, listed, taskType);
    const trials = await trialsOf(pubkey, taskType);
    const own = trials.filter(
      ({ createdAt, state }) => createdAt >= startedAt && state.order.trial?.platform.d === d,
    );
    const open = own.filter(({ settled }) => !settled);
    // One that was stored just before a failure was not woken.
    for (const trial of open) await engine.wake('orders', trial.id);
    if (open.length > 0) return { again: new Date(clock() + settings.recheckMs) };
    const entry = await matrix.entry(taskType, platform);
    if (isDone(entry, own)) {
      await end(id, running, null, entry?.statusReason ?? '');
      if (entry !== null) emitter.emit('qualified', entry);
      return null;
    }
    const untried = own.find(({ state }) => triedPlatform(state) === null);
    if (untried !== undefined) return end(id, running, 'NO_PLATFORM', reasonOf(untried.state));
    const task = await unseenTask(taskType, trials);
    if (task === null) {
      const message = `No benchmark task for '${taskType}' is left that it has not seen.`;
      return end(id, running, 'NO_BENCHMARK', message);
    }
    const order = trialOrder(platform, taskType, task);
    const affordableAt = await budget.reserve(order.id, order.maxMsat);
    if (affordableAt !== null) return { again: new Date(affordableAt) };
    // Its duty knows it by its time, also when the clock of this process is behind that of the one that began the duty.
    await options.create(order, Math.max(clock(), startedAt));
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
        if (await couldNotBeDone(duty)) return;
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
        if ((lastVerifiedAt ?? 0) > now - settings.heartbeatMs) return;
        const duty = { kind: 'benchmark', taskType, ...platform } as const;
        if (!(await couldNotBeDone(duty))) await begin(duty);
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
      const { progress, revision } = await progressOf(id);
      if (progress === null) {
        logger.warn({ id }, 'Unknown work in the queue of upkeep: it was removed');
        return null;
      }
      const { duty, endedAt } = progress;
      if (duty.kind === 'keep-up') return keepUp(duty.taskType);
      if (endedAt !== null) return null;
      const running = { revision, progress };
      return duty.kind === 'qualify'
        ? step(id, duty, running, (entry) => !isUndecided(entry))
        : step(id, duty, running, (_entry, own) => own.some(({ state }) => triedPlatform(state) !== null));
    },

    begin: ({ pubkey, d }, taskType) => begin({ kind: 'qualify', taskType, pubkey, d }),

    async result({ pubkey, d }, taskType, running) {
      const { progress, revision } = await progressOf(dutyId({ kind: 'qualify', taskType, pubkey, d }));
      if (progress !== null && (progress.endedAt === null || revision <= running)) return null;
      if (progress === null) throw new DelegationError('NO_PLATFORM', 'The platform was erased meanwhile.');
      if (progress.code !== null) throw new DelegationError(progress.code, progress.message);
      return matrix.entry(taskType, { pubkey, d });
    },

    beginNewcomers,
    keepUp: async (taskType) => void (await begin({ kind: 'keep-up', taskType })),

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
