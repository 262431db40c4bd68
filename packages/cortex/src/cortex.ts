import {
  captureAsyncContext,
  createEmitter,
  type Logger,
  orAbort,
  silentLogger,
  type Unsubscribe,
} from '@bonafide/internal';
import { activeBeliefs, type Belief, renderBeliefs } from './beliefs.ts';
import { type CortexConfigInput, parseConfig, patchConfig } from './config.ts';
import { type CycleTools, runCycle } from './cycle.ts';
import { CortexError } from './errors.ts';
import { createEventBuffer } from './event-buffer.ts';
import type { CortexEvents } from './events.ts';
import type { CycleRecord } from './history.ts';
import { type CortexHooks, createHooks } from './hooks.ts';
import type { LedgerPort } from './ledger-port.ts';
import { createCycleMeter } from './metrics.ts';
import { findPeersWithNews } from './news.ts';
import { createPersistence, type Memory } from './persistence.ts';
import type { Reflector } from './reflector.ts';
import type { StatePort } from './state.ts';
import { evaluateTriggers, type TriggerName } from './triggers.ts';

/** What a cortex is made of. */
export interface CortexOptions {
  readonly ledger: LedgerPort;
  readonly reflector: Reflector;
  /** Where beliefs, history and marks survive a restart; in memory alone by default. */
  readonly state?: StatePort;
  /** The agent's own text about who it is, read anew for every cycle. */
  readonly soul?: () => Promise<string>;
  /** ms since epoch. */
  readonly clock?: () => number;
  /** 0 ≤ n < 1; draws the marker in front of peers' text, so it should not be guessable. */
  readonly random?: () => number;
  readonly config?: CortexConfigInput;
  readonly logger?: Logger;
}

/** What became of a wish to reflect. */
export type ReflectResult =
  | { readonly status: 'applied' | 'failed'; readonly record: CycleRecord }
  | {
      readonly status: 'skipped';
      /**
       * `busy`: a cycle was running, and after it nothing was left to reflect on. `no_activity`: there is nobody to
       * reflect on. `aborted`: the signal came while waiting for a running cycle.
       */
      readonly reason: 'busy' | 'no_activity' | 'aborted' | 'closed';
    };

/** Counters since the cortex was created. */
export interface CortexStats {
  readonly cyclesApplied: number;
  readonly cyclesFailed: number;
  /** Triggers that fired while a cycle was running. */
  readonly skippedBusy: number;
  /** Cycles that found nobody to reflect on. */
  readonly skippedIdle: number;
  /** Triggers that fired too soon after a failure. */
  readonly skippedBackoff: number;
  /** Items of answers that were not used. */
  readonly itemsDropped: number;
  /** Events that the bounded buffer lost. */
  readonly eventsDropped: number;
  /** Events that could not be observed. */
  readonly hookFailures: number;
  /** Reads and writes of the state that failed. */
  readonly stateFailures: number;
}

/** The second, slow loop. Nothing that it does or fails at reaches the agent's own loop. */
export interface Cortex {
  /** Observers for the agent's loop (CTX-1). */
  readonly hooks: CortexHooks;
  /** Loads the state, looks for what happened meanwhile, takes over assessment and starts the triggers. */
  start(): Promise<void>;
  /** Evaluates the triggers now and runs the cycle that they call for; null when none fires. Timers do this by themselves. */
  tick(): Promise<ReflectResult | null>;
  /**
   * Reflects now, triggers or not. While a cycle runs it is counted as skipped, and settles after that cycle with
   * the one that follows, if anything is left to reflect on. Never rejects because a cycle fails.
   */
  reflectNow(reason: string, options?: { readonly signal?: AbortSignal }): Promise<ReflectResult>;
  /** The active beliefs, least recently confirmed first. */
  beliefs(): readonly Belief[];
  /** The last cycles, newest first. */
  history(): readonly CycleRecord[];
  /** `prompt` with the section of active beliefs behind it; `peerId` is whom the agent is talking with (CTX-17). */
  transformSystemPrompt(prompt: string, context?: { readonly peerId?: string }): string;
  /** Changes settings for the next cycle on. Throws `CONFIG_INVALID` and then changes nothing. */
  configure(patch: CortexConfigInput): void;
  stats(): CortexStats;
  on<Name extends keyof CortexEvents>(
    name: Name,
    listener: (event: CortexEvents[Name]) => unknown,
  ): Unsubscribe;
  /** Stops triggers and a running cycle, and gives assessment back to the agent. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Cycles run here, outside of whatever conversation happened to trigger them (CTX-12). */
const outsideConversations = /* @__PURE__ */ captureAsyncContext();

/** Peers cannot guess what is drawn from it. */
const unpredictable = () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;

const firstBackoffMs = 30_000;

/**
 * The slow loop of an agent (CTX): it watches through hooks, reflects now and then on what the ledger recorded,
 * writes assessments through the ledger alone, and holds beliefs for the agent's prompt. Take it away, and the agent
 * assesses inline as before.
 */
export function createCortex(options: CortexOptions): Cortex {
  const { ledger, reflector } = options;
  const clock = options.clock ?? Date.now;
  const random = options.random ?? unpredictable;
  const logger = options.logger ?? silentLogger;
  let config = parseConfig(options.config);

  const buffer = createEventBuffer(config.maxEvents);
  const events = createEmitter<CortexEvents>({ logger });
  const measure = createCycleMeter();
  const persistence = createPersistence(options.state ?? null, logger);
  const closing = new AbortController();
  const stats = { cyclesApplied: 0, cyclesFailed: 0, skippedBusy: 0, skippedIdle: 0, skippedBackoff: 0 };
  let itemsDropped = 0;
  let hookFailures = 0;

  let memory: Memory | null = null;
  let loading: Promise<Memory> | null = null;
  /** Peers with news that no cycle has dealt with. */
  let waiting: ReadonlySet<string> = new Set();
  let running: Promise<ReflectResult> | null = null;
  let started = false;
  let timer: NodeJS.Timeout | null = null;
  let evaluationDue = false;
  let startedAt = clock();
  let lastCycleAt: number | null = null;
  let failuresInARow = 0;
  let notBefore = Number.NEGATIVE_INFINITY;

  const load = async (): Promise<Memory> => {
    if (memory !== null) return memory;
    loading ??= persistence.load();
    const loaded = await loading;
    if (memory === null) {
      memory = loaded;
      waiting = new Set(loaded.waiting);
      lastCycleAt = loaded.cycles.at(-1)?.startedAt ?? null;
    }
    return memory;
  };

  const scheduleEvaluation = () => {
    if (!started || evaluationDue) return;
    evaluationDue = true;
    // Off the hook's path (CTX-3).
    setImmediate(() => {
      evaluationDue = false;
      outsideConversations(() => void tick());
    }).unref();
  };

  const hooks = createHooks({
    buffer,
    clock,
    onObserved: scheduleEvaluation,
    onFailure: (error) => {
      hookFailures += 1;
      logger.warn({ err: error }, 'The cortex could not observe an event');
    },
  });

  const fired = (): readonly TriggerName[] =>
    evaluateTriggers(
      {
        lastCycleAt: lastCycleAt ?? startedAt,
        interactions: buffer.interactions,
        peersWaiting: waiting.size,
      },
      config,
      clock(),
    );

  const tools: CycleTools = {
    ...{ ledger, reflector, clock, random, logger },
    soul: options.soul,
    onAssessed: (event) => events.emit('afterAssess', event),
  };

  const cycleOnce = async (
    triggers: readonly string[],
    explicit: boolean,
    signal: AbortSignal | undefined,
  ): Promise<ReflectResult> => {
    const before = await load();
    const settings = config;
    const observed = buffer.snapshot();
    lastCycleAt = clock();
    const outcome = await runCycle(tools, {
      ...{ triggers, explicit, observed, waiting },
      config: settings,
      memory: before,
      eventsDropped: buffer.dropped,
      signals: [closing.signal, signal],
    });
    if (outcome.status === 'idle') {
      stats.skippedIdle += 1;
      waiting = new Set();
      return { status: 'skipped', reason: 'no_activity' };
    }
    const { status, record } = outcome;
    memory = outcome.memory;
    waiting = outcome.waiting;
    itemsDropped += record.dropped.length;
    measure(record);
    if (status === 'failed') {
      buffer.giveBack(observed);
      stats.cyclesFailed += 1;
      if (record.failure?.code !== 'CYCLE_ABORTED') {
        const backoffMs = firstBackoffMs * 2 ** Math.min(failuresInARow, 10);
        failuresInARow += 1;
        notBefore = clock() + Math.min(settings.scheduleMs, backoffMs);
      }
    } else {
      stats.cyclesApplied += 1;
      failuresInARow = 0;
    }
    await persistence.save(memory);
    if (status === 'applied') announce(record);
    return { status, record };
  };

  const announce = (record: CycleRecord) => {
    const { cycle, trigger, triggers, summary, beliefs } = record;
    const peersAssessed = record.assessments.map((assessment) => assessment.peerId);
    logger.info({ cycle, triggers, peersAssessed, dropped: record.dropped.length }, 'The cortex reflected');
    events.emit('afterReflect', {
      ...{ cycle, trigger, triggers, peersAssessed, summary },
      beliefsAdded: beliefs.added,
      beliefsReaffirmed: [...beliefs.reaffirmed, ...beliefs.revised],
      beliefsExpired: [...beliefs.expired, ...beliefs.evicted],
      directivesIssued: 0,
      elapsedSeconds: record.durationMs / 1_000,
    });
  };

  /** Takes the lock, runs one cycle outside of the caller's context, and lets go on every path (CTX-7). */
  const begin = (
    triggers: readonly string[],
    explicit: boolean,
    signal?: AbortSignal,
  ): Promise<ReflectResult> => {
    const cycle = outsideConversations(() => cycleOnce(triggers, explicit, signal)).finally(() => {
      running = null;
      // A trigger that was skipped meanwhile is looked at again.
      scheduleEvaluation();
    });
    running = cycle;
    return cycle;
  };

  const tick = async (): Promise<ReflectResult | null> => {
    if (closing.signal.aborted) return null;
    const triggers = fired();
    if (triggers.length === 0) return null;
    if (running !== null) {
      stats.skippedBusy += 1;
      return { status: 'skipped', reason: 'busy' };
    }
    if (clock() < notBefore) {
      stats.skippedBackoff += 1;
      return null;
    }
    return begin(triggers, false);
  };

  const arm = () => {
    if (timer !== null) clearInterval(timer);
    timer = setInterval(
      () => outsideConversations(() => void tick()),
      Math.min(config.scheduleMs, 60_000),
    ).unref();
  };

  const shut = async () => {
    if (closing.signal.aborted) return;
    closing.abort();
    if (timer !== null) clearInterval(timer);
    await running?.catch(() => {});
    events.clear();
    if (started) {
      try {
        await ledger.setAssessor?.('agent');
      } catch (error) {
        logger.error({ err: error }, 'The ledger could not be told that the cortex has gone');
      }
    }
    started = false;
  };

  return {
    hooks,
    async start() {
      if (closing.signal.aborted)
        throw new CortexError('CORTEX_CLOSED', 'The cortex was closed; create a new one');
      if (started) return;
      const loaded = await load();
      try {
        waiting = new Set([...waiting, ...(await findPeersWithNews(ledger, loaded))]);
        await ledger.setAssessor?.('cortex');
      } catch (error) {
        throw new CortexError('LEDGER_FAILED', 'The ledger could not be read at start; see cause', {
          cause: error,
        });
      }
      startedAt = clock();
      started = true;
      arm();
      scheduleEvaluation();
    },
    tick,
    async reflectNow(reason, { signal } = {}) {
      if (running !== null) {
        stats.skippedBusy += 1;
        const never = new AbortController().signal;
        try {
          while (running !== null) await orAbort(running, signal ?? never);
        } catch {
          return { status: 'skipped', reason: 'aborted' };
        }
        if (buffer.interactions === 0 && waiting.size === 0) return { status: 'skipped', reason: 'busy' };
      }
      if (closing.signal.aborted) return { status: 'skipped', reason: 'closed' };
      return begin([reason], true, signal);
    },
    beliefs: () => activeBeliefs(memory?.beliefs ?? [], clock()),
    history: () => (memory?.cycles ?? []).toReversed(),
    transformSystemPrompt(prompt, context) {
      const section = renderBeliefs(memory?.beliefs ?? [], {
        now: clock(),
        peerId: context?.peerId ?? null,
        maxTokens: config.maxBeliefTokens,
      });
      if (section === '') return prompt;
      return prompt === '' ? section : `${prompt}\n\n${section}`;
    },
    configure(patch) {
      config = patchConfig(config, patch);
      if (started) arm();
    },
    stats: () => ({
      ...stats,
      itemsDropped,
      eventsDropped: buffer.dropped,
      hookFailures,
      stateFailures: persistence.failures,
    }),
    on: events.on,
    close: shut,
    [Symbol.asyncDispose]: shut,
  };
}
