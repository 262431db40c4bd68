import {
  captureAsyncContext,
  createEmitter,
  type Logger,
  orAbort,
  silentLogger,
  type Unsubscribe,
} from '@bonafide/internal';
import type { CycleRecord } from './audit/cycle-record.ts';
import { activeBeliefs, type Belief } from './beliefs/beliefs.ts';
import { renderBeliefs } from './beliefs/render-beliefs.ts';
import { type CortexConfigInput, parseConfig, patchConfig } from './config.ts';
import { CortexError } from './errors.ts';
import type { CortexEvents } from './events.ts';
import { findPeersWithUnseenFacts } from './facts/unseen-facts.ts';
import type { LedgerPort } from './ledger-port.ts';
import { createCycleMeter } from './metrics.ts';
import { createEventBuffer } from './observe/event-buffer.ts';
import { type CortexHooks, createHooks } from './observe/hooks.ts';
import { type CycleTools, runCycle } from './reflection/cycle.ts';
import type { Reflector } from './reflection/reflector.ts';
import { createPersistence, type Memory } from './state/persistence.ts';
import type { StatePort } from './state/state-port.ts';
import { evaluateTriggers, type TriggerName } from './triggers/triggers.ts';

/** Options of {@link createCortex}. */
export interface CortexOptions {
  readonly ledger: LedgerPort;
  readonly reflector: Reflector;
  /** Storage of beliefs, history and marks across restarts. Kept in memory by default. */
  readonly state?: StatePort;
  /** Returns the agent's own description of itself; read for every cycle. */
  readonly soul?: () => Promise<string>;
  /** Current time in ms since epoch. */
  readonly clock?: () => number;
  /** Random number with 0 ≤ n < 1. Draws the marker of peer text, so it should be unpredictable. */
  readonly random?: () => number;
  readonly config?: CortexConfigInput;
  readonly logger?: Logger;
}

/** The result of a request to reflect. */
export type ReflectResult =
  | { readonly status: 'applied' | 'failed'; readonly record: CycleRecord }
  | {
      readonly status: 'skipped';
      /**
       * `busy`: another cycle ran, and no activity was left afterwards. `no_activity`: no peer is due. `aborted`: the
       * signal aborted while waiting for a running cycle. `closed`: the cortex was closed.
       */
      readonly reason: 'busy' | 'no_activity' | 'aborted' | 'closed';
    };

/** Counters since the cortex was created. */
export interface CortexStats {
  readonly cyclesApplied: number;
  readonly cyclesFailed: number;
  /** Triggers that fired during a cycle. */
  readonly skippedBusy: number;
  /** Triggers that found no due peer. */
  readonly skippedIdle: number;
  /** Triggers that fired during the backoff after a failure. */
  readonly skippedBackoff: number;
  /** Items of answers that were dropped. */
  readonly itemsDropped: number;
  /** Events that exceeded the buffer's capacity. */
  readonly eventsDropped: number;
  /** Events that could not be recorded. */
  readonly hookFailures: number;
  /** Failed reads and writes of the state. */
  readonly stateFailures: number;
}

/** A reflection loop beside the agent's main loop. Its failures never reach the main loop. */
export interface Cortex {
  /** Observers for the agent's main loop. */
  readonly hooks: CortexHooks;
  /** Loads the state, finds peers with unseen facts, takes over assessment and starts the triggers. */
  start(): Promise<void>;
  /**
   * Evaluates the triggers now and runs a cycle when one fires; returns null when none does. Timers call it
   * automatically.
   */
  tick(): Promise<ReflectResult | null>;
  /**
   * Runs a cycle without a trigger. During a running cycle the request is counted as skipped and settles with the
   * following cycle, if one is needed. Never rejects because of a failed cycle.
   */
  reflectNow(reason: string, options?: { readonly signal?: AbortSignal }): Promise<ReflectResult>;
  /** Returns the active beliefs, least recently confirmed first. */
  beliefs(): readonly Belief[];
  /** Returns the last cycles, newest first. */
  history(): readonly CycleRecord[];
  /** Appends the section of active beliefs to `prompt`. `peerId` is the peer of the current conversation. */
  transformSystemPrompt(prompt: string, context?: { readonly peerId?: string }): string;
  /**
   * Changes settings from the next cycle on.
   *
   * @throws CortexError `INVALID_CONFIG`; nothing is changed then.
   */
  configure(patch: CortexConfigInput): void;
  stats(): CortexStats;
  on<Name extends keyof CortexEvents>(
    name: Name,
    listener: (event: CortexEvents[Name]) => unknown,
  ): Unsubscribe;
  /** Stops the triggers and a running cycle, and returns assessment to the agent. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Context in which cycles run, so that they do not inherit the async context of a conversation. */
const outsideConversations = /* @__PURE__ */ captureAsyncContext();

/** Draws unpredictable numbers with 0 ≤ n < 1. */
const unpredictable = () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;

const firstBackoffMs = 30_000;

/**
 * Creates a cortex: it observes the agent through hooks, reflects periodically on the ledger's records, writes
 * assessments through the ledger only, and maintains beliefs for the agent's prompt. Without it the agent assesses
 * inline.
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
  /** Peers with facts that no cycle has seen. */
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
    // Not on the path of the hook.
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
      logger.warn({ err: error }, 'An event could not be recorded');
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
      if (record.failure?.code !== 'ABORTED') {
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
    logger.info({ cycle, triggers, peersAssessed, dropped: record.dropped.length }, 'Cycle applied');
    events.emit('afterReflect', {
      ...{ cycle, trigger, triggers, peersAssessed, summary },
      beliefsAdded: beliefs.added,
      beliefsReaffirmed: [...beliefs.reaffirmed, ...beliefs.revised],
      beliefsExpired: [...beliefs.expired, ...beliefs.evicted],
      directivesIssued: 0,
      elapsedSeconds: record.durationMs / 1_000,
    });
  };

  /**
   * Takes the lock, runs one cycle outside of the caller's async context, and releases the lock in every case.
   */
  const begin = (
    triggers: readonly string[],
    explicit: boolean,
    signal?: AbortSignal,
  ): Promise<ReflectResult> => {
    const cycle = outsideConversations(() => cycleOnce(triggers, explicit, signal)).finally(() => {
      running = null;
      // Evaluates triggers that were skipped during the cycle.
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
        logger.error(
          { err: error },
          'The ledger still treats the cortex as its assessor: setAssessor failed',
        );
      }
    }
    started = false;
  };

  return {
    hooks,
    async start() {
      if (closing.signal.aborted) throw new CortexError('CLOSED', 'The cortex was closed. Create a new one.');
      if (started) return;
      const loaded = await load();
      try {
        waiting = new Set([...waiting, ...(await findPeersWithUnseenFacts(ledger, loaded))]);
        await ledger.setAssessor?.('cortex');
      } catch (error) {
        throw new CortexError('LEDGER_FAILED', 'The ledger could not be read at start. See cause.', {
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
