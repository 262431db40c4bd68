import { captureAsyncContext, type Logger, orAbort, startDeadline } from '@bonafide/internal';
import type { CycleRecord } from '../audit/cycle-record.ts';
import type { CommitmentBook } from '../commitments/commitment-book.ts';
import type { CortexConfig } from '../config.ts';
import type { CostSkip } from '../cost/cost.ts';
import type { KnownPeers } from '../facts/known-peers.ts';
import type { EventBuffer } from '../observe/event-buffer.ts';
import { runCycle } from '../reflection/cycle.ts';
import type { CycleTools } from '../reflection/cycle-request.ts';
import type { CycleOccasion } from '../reflection/gather.ts';
import { acquireCycleLease, type CycleLease } from '../state/cycle-lease.ts';
import type { Memory } from '../state/memory.ts';
import type { StatePort } from '../state/state-port.ts';
import type { Signals } from '../triggers/signals.ts';
import { tuneTriggers } from '../triggers/triggers.ts';
import type { Counters } from './cortex-stats.ts';
import type { CyclePermits } from './permits.ts';

/** The result of a request to reflect. */
export type ReflectResult =
  | { readonly status: 'applied' | 'failed'; readonly record: CycleRecord }
  | {
      readonly status: 'skipped';
      /**
       * `busy`: another cycle ran, in this process or another one, and no activity was left afterwards. `no_activity`: no
       * peer is due. `budget`: a limit prevented the call; see `skip`. `aborted`: the signal aborted while waiting for a
       * running cycle. `closed`: the cortex was closed.
       */
      readonly reason: 'busy' | 'no_activity' | 'budget' | 'aborted' | 'closed';
      /** The limit that prevented the call. */
      readonly skip?: CostSkip;
    };

/** The reason to start a cycle. */
export interface CycleStart {
  readonly triggers: readonly string[];
  /** `host`: an explicit request, which has the whole budget and does not need a trigger. */
  readonly causedBy: CycleOccasion['causedBy'];
  /** The stranger that caused it; null otherwise. */
  readonly stranger: string | null;
}

/** Dependencies of the runner and of the trigger loop. */
export interface LoopOptions {
  readonly memory: Memory;
  readonly signals: Signals;
  readonly commitments: CommitmentBook;
  readonly known: KnownPeers;
  readonly permits: CyclePermits;
  readonly config: () => CortexConfig;
  readonly clock: () => number;
  readonly counters: Counters;
  /** Aborts when the cortex closes. */
  readonly closing: AbortSignal;
}

/** Dependencies of the runner. */
export interface CycleRunnerOptions extends LoopOptions {
  readonly tools: CycleTools;
  readonly state: StatePort | null;
  readonly buffer: EventBuffer;
  readonly logger: Logger;
  /** Reads the state once. */
  readonly load: () => Promise<void>;
  readonly onApplied: (record: CycleRecord) => void;
  readonly onFinished: (record: CycleRecord) => void;
  /** Called after every cycle, when the lock is free. */
  readonly onIdle: () => void;
}

/** Runs cycles one at a time, in this process and among all processes of the agent. */
export interface CycleRunner {
  /** True during a cycle. */
  readonly isRunning: boolean;
  /** Start of the last cycle of this process, ms since epoch; null before the first. */
  readonly lastCycleAt: number | null;
  /** Until this time triggers wait: after a failure, or because the budget is used up. */
  readonly notBefore: number;
  /** Until this time strangers wait: their share of the budget is used up. */
  readonly strangersNotBefore: number;
  /** Starts a cycle. Must not be called during one. */
  begin(start: CycleStart, signal?: AbortSignal): Promise<ReflectResult>;
  /** Waits for the running cycle, if there is one. Rejects when the signal aborts first. */
  settled(signal?: AbortSignal): Promise<void>;
}

/** Runs a task outside of the caller's async context, so that it does not inherit that of a conversation. */
export const outsideConversations = /* @__PURE__ */ captureAsyncContext();

const firstBackoffMs = 30_000;
/** Interval between attempts to get the lease of another process's cycle, in ms. */
const leasePollMs = 200;

/** Creates a runner. */
export function createCycleRunner(options: CycleRunnerOptions): CycleRunner {
  const { tools, memory, state, buffer, signals, permits, config, clock, logger, counters, closing } =
    options;
  const holder = crypto.randomUUID();
  let running: Promise<ReflectResult> | null = null;
  let lastCycleAt: number | null = null;
  let failuresInARow = 0;
  let notBefore = Number.NEGATIVE_INFINITY;
  let strangersNotBefore = Number.NEGATIVE_INFINITY;

  const settle = (status: CycleRecord['status'], record: CycleRecord, settings: CortexConfig) => {
    counters.itemsDropped += record.dropped.length;
    options.onFinished(record);
    if (status === 'applied') {
      counters.cyclesApplied += 1;
      failuresInARow = 0;
      return;
    }
    counters.cyclesFailed += 1;
    if (record.failure?.code === 'ABORTED') return;
    const backoffMs = firstBackoffMs * 2 ** Math.min(failuresInARow, 10);
    failuresInARow += 1;
    notBefore = clock() + Math.min(settings.scheduleMs, backoffMs);
  };

  const tune = async (triggers: readonly string[], record: CycleRecord) => {
    const found =
      record.assessments.some(({ base, trust }) => trust !== base) ||
      record.beliefs.added.length > 0 ||
      record.directives.length > 0;
    await memory.costs.update((stored) => ({
      ...stored,
      factors: tuneTriggers(stored.factors, triggers, found),
    }));
  };

  const cycleOnce = async (
    { triggers, causedBy, stranger }: CycleStart,
    lease: CycleLease,
    signal: AbortSignal | undefined,
  ): Promise<ReflectResult> => {
    await memory.refresh();
    await options.commitments.store();
    const settings = config();
    const observed = buffer.snapshot();
    const taken = signals.take();
    lastCycleAt = clock();
    const outcome = await runCycle(tools, {
      ...{ triggers, causedBy, observed, memory },
      known: options.known,
      config: settings,
      failuresInARow,
      eventsDropped: buffer.dropped,
      signals: [closing, signal],
      lost: lease.signal,
    });
    if (outcome.status === 'idle') {
      counters.skippedIdle += 1;
      return { status: 'skipped', reason: 'no_activity' };
    }
    if (causedBy !== 'host') await permits.take({ triggers, causedBy, stranger });
    if (outcome.status === 'skipped') {
      buffer.giveBack(observed);
      signals.giveBack(taken);
      counters.skippedForCost += 1;
      const until = clock() + settings.scheduleMs;
      if (outcome.skip.reserved) strangersNotBefore = until;
      else notBefore = until;
      return { status: 'skipped', reason: 'budget', skip: outcome.skip };
    }
    const { status, record } = outcome;
    settle(status, record, settings);
    if (status === 'failed') {
      buffer.giveBack(observed);
      signals.giveBack(taken);
      return { status, record };
    }
    if (settings.triggers.tuning.enabled) await tune(triggers, record);
    options.onApplied(record);
    return { status, record };
  };

  const acquire = () =>
    acquireCycleLease(state, holder, {
      clock,
      onFailure: (error) => {
        counters.stateFailures += 1;
        logger.error(
          { err: error },
          'The lease of the cycle could not be stored. The cortex works as the only process.',
        );
      },
    });

  /** Waits for the lease of another process's cycle, as long as a cycle may take. Null when the time has passed. */
  const acquireInTurn = async (signal: AbortSignal | undefined): Promise<CycleLease | null> => {
    const deadline = startDeadline(config().timeoutMs, [signal, closing]);
    try {
      for (;;) {
        const lease = await acquire();
        if (lease !== null) return lease;
        counters.skippedBusy += 1;
        if (deadline.signal.aborted) return null;
        const pause = new Promise((resolve) => setTimeout(resolve, leasePollMs));
        await orAbort(pause, deadline.signal).catch(() => {});
      }
    } finally {
      deadline.clear();
    }
  };

  /** Takes the lock, runs one cycle, and releases the lock in every case. */
  const run = async (start: CycleStart, signal: AbortSignal | undefined): Promise<ReflectResult> => {
    await options.load();
    const isExplicit = start.causedBy === 'host';
    const lease = isExplicit ? await acquireInTurn(signal) : await acquire();
    if (lease === null) {
      if (!isExplicit) counters.skippedBusy += 1;
      return { status: 'skipped', reason: signal?.aborted ? 'aborted' : 'busy' };
    }
    try {
      return await cycleOnce(start, lease, signal);
    } finally {
      await lease.release();
    }
  };

  return {
    get isRunning() {
      return running !== null;
    },
    get lastCycleAt() {
      return lastCycleAt;
    },
    get notBefore() {
      return notBefore;
    },
    get strangersNotBefore() {
      return strangersNotBefore;
    },
    begin(start, signal) {
      const cycle = outsideConversations(() => run(start, signal)).finally(() => {
        running = null;
        options.onIdle();
      });
      running = cycle;
      return cycle;
    },
    async settled(signal = new AbortController().signal) {
      while (running !== null) await orAbort(running, signal);
    },
  };
}
