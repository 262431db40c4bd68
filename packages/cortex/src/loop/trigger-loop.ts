import { type Admitted, admitTriggers } from '../triggers/admission.ts';
import {
  type CycleRunner,
  type LoopOptions,
  outsideConversations,
  type ReflectResult,
} from './cycle-runner.ts';

/** Evaluates the triggers, after events and by a timer. */
export interface TriggerLoop {
  /** Evaluates the triggers now and runs a cycle when one fires; returns null when none does. */
  tick(): Promise<ReflectResult | null>;
  /** Evaluates the triggers soon, not on the path of the caller. */
  schedule(): void;
  /** Starts the timer, or starts it again with new settings. */
  start(): void;
  stop(): void;
}

/** Creates a loop that is not started. */
export function createTriggerLoop(
  options: LoopOptions & {
    readonly runner: () => CycleRunner;
    /** Reads what other processes wrote; undefined when there are none. */
    readonly refresh: (() => Promise<void>) | undefined;
  },
): TriggerLoop {
  const { memory, signals, commitments, known, permits, config, clock, counters, closing } = options;
  let timer: NodeJS.Timeout | null = null;
  let startedAt = clock();
  let evaluationDue = false;

  const decide = (): Admitted => {
    const now = clock();
    const { waiting, cycles } = memory.history.value;
    const { lastCycleAt, strangersNotBefore } = options.runner();
    const { events, strangers, newPeers } = permits.current();
    return admitTriggers(
      {
        messages: signals.messages,
        newPeers: signals.newPeers,
        jumps: signals.jumps,
        waiting,
        overdue: commitments.overdue(now),
      },
      {
        isKnown: (peerId) => known.has(peerId),
        isExhausted: (peerId) => permits.isExhausted(peerId),
        permits: events,
        strangerPermits: strangers,
        strangersBlocked: now < strangersNotBefore,
      },
      {
        fixed: {
          lastCycleAt: Math.max(lastCycleAt ?? startedAt, cycles.at(-1)?.startedAt ?? 0),
          newPeerPermits: newPeers,
          factors: config().triggers.tuning.enabled ? memory.costs.value.factors : {},
        },
        config: config(),
        now,
      },
    );
  };

  const tick = async (): Promise<ReflectResult | null> => {
    if (closing.aborted) return null;
    const { triggers, causedBy, stranger, limited } = decide();
    if (limited) {
      counters.skippedForRate += 1;
      await permits.noteLimited(triggers);
    }
    if (triggers.length === 0) return null;
    const runner = options.runner();
    if (runner.isRunning) {
      counters.skippedBusy += 1;
      return { status: 'skipped', reason: 'busy' };
    }
    if (clock() < runner.notBefore) {
      counters.skippedBackoff += 1;
      return null;
    }
    return runner.begin({ triggers, causedBy, stranger });
  };

  const schedule = () => {
    if (timer === null || evaluationDue) return;
    evaluationDue = true;
    // Not on the path of the hook.
    setImmediate(() => {
      evaluationDue = false;
      outsideConversations(() => void tick());
    }).unref();
  };

  const evaluate = async () => {
    // Beliefs and directives of other processes become visible here.
    if (!options.runner().isRunning) await options.refresh?.();
    await tick();
  };

  return {
    tick,
    schedule,
    start() {
      if (timer === null) startedAt = clock();
      else clearInterval(timer);
      const intervalMs = Math.min(config().scheduleMs, 60_000);
      timer = setInterval(() => outsideConversations(() => void evaluate()), intervalMs).unref();
    },
    stop() {
      if (timer !== null) clearInterval(timer);
      timer = null;
    },
  };
}
