import { isBonafideError } from '@bonafide/internal';
import * as z from 'zod';
import type { Handled } from '../engine.ts';
import { DelegationError } from '../errors.ts';
import type { StoredOrder } from '../order.ts';
import { type PlatformRef, platformId } from '../platform.ts';
import type { BenchmarkTask, MatrixView } from '../ports.ts';
import type { OrderRecord } from '../store.ts';
import type { DelegationContext } from './context.ts';
import { followPolicy } from './follow-policy.ts';

const dayMs = 86_400_000;

/** Work of the queue `upkeep`; its JSON is the id of the wake. */
const dutySchema = z.union([
  /** Trials until the matrix has decided. */
  z.tuple([z.literal('qualify'), z.string(), z.string(), z.string()]),
  /** One benchmark of a platform that is known already. */
  z.tuple([z.literal('benchmark'), z.string(), z.string(), z.string()]),
  /** Newcomers and benchmarks of a task type, repeated without end. */
  z.tuple([z.literal('keep-up'), z.string()]),
]);

/** Progress of a qualification. */
const progressSchema = z.object({
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  code: z.enum(['NO_BENCHMARK', 'NO_PLATFORM']).nullable(),
  message: z.string(),
});

type Progress = z.infer<typeof progressSchema>;

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
  /** Wakes the duty that waits for a trial. */
  trialSettled(order: StoredOrder): Promise<void>;
}

/** @param options.create - stores an order and wakes it */
export function createTrials(
  context: DelegationContext,
  options: { readonly create: (order: StoredOrder) => Promise<OrderRecord> },
): Trials {
  const { store, engine, matrix, source, clock, settings, emitter, logger } = context;
  const idOf = (kind: 'qualify' | 'benchmark', { pubkey, d }: PlatformRef, taskType: string) =>
    JSON.stringify([kind, taskType, pubkey, d]);

  const progressOf = async (name: string) => {
    const note = await store.note(name);
    return { revision: note?.revision ?? 0, progress: note === null ? null : parseProgress(note.value) };
  };
  const putProgress = (name: string, revision: number, progress: Progress) =>
    store.putNote(name, { revision: revision + 1, value: JSON.stringify(progress) });

  const end = async (id: string, code: Progress['code'], message: string): Promise<null> => {
    const { revision, progress } = await progressOf(id);
    const startedAt = progress?.startedAt ?? clock();
    await putProgress(id, revision, { startedAt, endedAt: clock(), code, message });
    return null;
  };

  /** Registers what the platform's card says. */
  const register = async (platform: PlatformRef, taskType: string): Promise<void> => {
    const listed = await source.get(platform.pubkey, platform.d);
    const name = listed?.card.name ?? null;
    const priceMsat = listed?.card.pricing?.amountMsat ?? null;
    await matrix.register({ platform, name, taskTypes: [taskType], priceMsat });
  };

  const trialsOf = async (trialOf: string): Promise<readonly OrderRecord[]> => {
    const found: OrderRecord[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof store.list>> = await store.list({
        trialOf,
        limit: 500,
        ...(cursor ? { cursor } : {}),
      });
      found.push(...page.items);
      cursor =
        trialOf === '*' && (page.items.at(-1)?.createdAt ?? 0) < clock() - dayMs ? null : page.nextCursor;
    } while (cursor !== null);
    return found;
  };

  /** Returns the time at which the day's money allows another trial, ms since epoch; null when it does now. */
  const affordableAt = async (): Promise<number | null> => {
    const since = clock() - dayMs;
    const recent = (await trialsOf('*')).filter(({ createdAt }) => createdAt > since);
    const promised = recent.reduce((sum, { state }) => sum + state.order.maxMsat, 0);
    if (promised + settings.trialMsat <= settings.trialsPerDayMsat) return null;
    return Math.min(...recent.map(({ createdAt }) => createdAt), clock()) + dayMs;
  };

  const trialOrder = (platform: PlatformRef, taskType: string, task: BenchmarkTask): StoredOrder => ({
    id: `trial:${taskType}:${platformId(platform)}:${task.id}`,
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
    platform: PlatformRef,
    taskType: string,
    isDone: (entry: MatrixView | null, own: readonly OrderRecord[]) => boolean,
  ): Promise<Handled> => {
    const { revision, progress } = await progressOf(id);
    if (progress === null || progress.endedAt !== null) {
      const begun = { startedAt: clock(), endedAt: null, code: null, message: '' };
      if (!(await putProgress(id, revision, begun))) return { again: new Date(clock()) };
    }
    const startedAt = progress === null || progress.endedAt !== null ? clock() : progress.startedAt;
    await register(platform, taskType);
    const trials = (await trialsOf(platformId(platform))).filter(
      ({ state }) => state.order.taskType === taskType,
    );
    if (trials.some(({ settled }) => !settled)) return { again: new Date(clock() + settings.recheckMs) };
    const own = trials.filter(({ createdAt }) => createdAt >= startedAt);
    const entry = await matrix.entry(taskType, platform);
    if (isDone(entry, own)) {
      await end(id, null, entry?.statusReason ?? '');
      if (entry !== null) emitter.emit('qualified', entry);
      return null;
    }
    const refused = own.find(({ state }) => state.replicas.length === 0);
    if (refused !== undefined)
      return end(id, 'NO_PLATFORM', refused.state.exclusions[0]?.reason ?? 'It may not be asked.');
    const affordable = await affordableAt();
    if (affordable !== null) return { again: new Date(affordable) };
    const task = await unseenTask(taskType, trials);
    if (task === null)
      return end(id, 'NO_BENCHMARK', `No benchmark task for '${taskType}' is left that it has not seen.`);
    await options.create(trialOrder(platform, taskType, task));
    return { again: new Date(clock() + settings.recheckMs) };
  };

  /** Returns true for an entry that needs trials now. */
  const isUndecided = (entry: MatrixView | null) =>
    entry === null ||
    entry.status === 'EVALUATING' ||
    (entry.status === 'REJECTED' && entry.cooldownUntilAt === null);

  const beginNewcomers = async (taskType: string): Promise<number> => {
    const wakes = await engine.inspect({ queue: 'upkeep', limit: 10_000 });
    const under = new Set(wakes.map(({ id }) => id).filter((id) => id.startsWith('["qualify"')));
    let begun = 0;
    for await (const { entry: platform } of source.find({ capability: taskType })) {
      if (under.size >= settings.platformsOnTrial) break;
      const ref = { pubkey: platform.pubkey, d: platform.d };
      const id = idOf('qualify', ref, taskType);
      if (under.has(id) || !isUndecided(await matrix.entry(taskType, ref))) continue;
      const { progress } = await progressOf(id);
      // One that could not be tried is not tried again every few minutes.
      if (progress?.code != null && (progress.endedAt ?? 0) > clock() - dayMs) continue;
      under.add(id);
      await engine.wake('upkeep', id);
      begun += 1;
    }
    return begun;
  };

  /** Begins benchmarks of platforms that were not verified for long, and follows the journal's policy. */
  const beginBenchmarks = async (taskType: string): Promise<void> => {
    const now = clock();
    for (const { platform, status, lastVerifiedAt } of await matrix.entries({ taskType })) {
      await followPolicy(context, platform);
      if (status !== 'ACTIVE' && status !== 'CONDITIONAL') continue;
      if ((lastVerifiedAt ?? 0) <= now - settings.heartbeatMs)
        await engine.wake('upkeep', idOf('benchmark', platform, taskType));
    }
  };

  return {
    async handle(id) {
      const duty = dutySchema.safeParse(parseJson(id));
      if (!duty.success) {
        logger.warn({ id }, 'Unknown work in the queue of upkeep: it was removed');
        return null;
      }
      const [kind, taskType, pubkey = '', d = ''] = duty.data;
      switch (kind) {
        case 'qualify':
          return step(id, { pubkey, d }, taskType, (entry) => !isUndecided(entry));
        case 'benchmark':
          return step(id, { pubkey, d }, taskType, (_entry, own) => own.length > 0);
        case 'keep-up':
          await beginNewcomers(taskType);
          await beginBenchmarks(taskType);
          return { again: new Date(clock() + settings.upkeepMs) };
      }
    },

    begin: (platform, taskType) => engine.wake('upkeep', idOf('qualify', platform, taskType)),

    async result(platform, taskType, since) {
      const { progress } = await progressOf(idOf('qualify', platform, taskType));
      if (progress === null || progress.endedAt === null || progress.endedAt < since) return null;
      if (progress.code !== null) throw new DelegationError(progress.code, progress.message);
      return matrix.entry(taskType, platform);
    },

    beginNewcomers,
    keepUp: (taskType) => engine.wake('upkeep', JSON.stringify(['keep-up', taskType])),

    async trialSettled({ taskType, trial }) {
      if (trial === null) return;
      for (const kind of ['qualify', 'benchmark'] as const) {
        const id = idOf(kind, trial.platform, taskType);
        const { progress } = await progressOf(id);
        if (progress !== null && progress.endedAt === null) await engine.wake('upkeep', id);
      }
    },
  };
}

function parseProgress(value: string): Progress | null {
  const parsed = progressSchema.safeParse(parseJson(value));
  return parsed.success ? parsed.data : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (isBonafideError(error)) throw error;
    return null;
  }
}
