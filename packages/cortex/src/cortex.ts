import {
  captureAsyncContext,
  createEmitter,
  type Logger,
  orAbort,
  silentLogger,
  type Unsubscribe,
} from '@bonafide/internal';
import type { CycleRecord } from './audit/cycle-record.ts';
import { activeBeliefs, type Belief, type BeliefName } from './beliefs/beliefs.ts';
import { renderBeliefs } from './beliefs/render-beliefs.ts';
import { type Commitment, fulfils, overdue, pruneCommitments } from './commitments/commitments.ts';
import { type CortexConfigInput, parseConfig, patchConfig } from './config.ts';
import { type ConsultationQuestion, consult } from './consultation/consult.ts';
import type { Consultation } from './consultation/verdict.ts';
import type { CostDay, CostSkip } from './cost/cost.ts';
import { type Directive, type DirectiveRegistry, directiveKinds } from './directives/directive.ts';
import { unexpired } from './directives/directive-queue.ts';
import { createDirectiveStream, type DirectiveStream } from './directives/directive-stream.ts';
import { CortexError } from './errors.ts';
import type { CortexEvents } from './events.ts';
import { findPeersWithUnseenFacts } from './facts/unseen-facts.ts';
import type { LedgerPort } from './ledger-port.ts';
import { createCycleMeter } from './metrics.ts';
import { createEventBuffer } from './observe/event-buffer.ts';
import { type CortexHooks, createHooks } from './observe/hooks.ts';
import { requireKey, setPinned, setVetoed, writeBelief } from './operator/overrides.ts';
import { type Replay, replayCycle } from './operator/replay.ts';
import { type Reverted, revertAssessments, revertBeliefs } from './operator/revert.ts';
import { type CycleTools, newMarker, runCycle } from './reflection/cycle.ts';
import { findPeer } from './reflection/gather.ts';
import type { Reflector } from './reflection/reflector.ts';
import { acquireCycleLease, type CycleLease } from './state/cycle-lease.ts';
import { createMemory } from './state/memory.ts';
import type { StatePort } from './state/state-port.ts';
import { createSignals } from './triggers/signals.ts';
import { evaluateTriggers, refillPermits, type TriggerName, tuneTriggers } from './triggers/triggers.ts';

/** Options of {@link createCortex}. */
export interface CortexOptions {
  readonly ledger: LedgerPort;
  readonly reflector: Reflector;
  /** A cheap reflector that decides whether a whole reflection is worth its cost. @default every cycle reflects */
  readonly triage?: Reflector;
  /** Storage across restarts, and among processes. Kept in memory by default. */
  readonly state?: StatePort;
  /** Returns the agent's own description of itself; read for every cycle. */
  readonly soul?: () => Promise<string>;
  /** Further kinds of directives, by name. */
  readonly directives?: DirectiveRegistry;
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
       * `busy`: another cycle ran, in this process or another one, and no activity was left afterwards. `no_activity`: no
       * peer is due. `budget`: a limit prevented the call; see `skip`. `aborted`: the signal aborted while waiting for a
       * running cycle. `closed`: the cortex was closed.
       */
      readonly reason: 'busy' | 'no_activity' | 'budget' | 'aborted' | 'closed';
      /** The limit that prevented the call. */
      readonly skip?: CostSkip;
    };

/** Counters since the cortex was created. */
export interface CortexStats {
  readonly cyclesApplied: number;
  readonly cyclesFailed: number;
  /** Triggers that fired during a cycle, of this process or another one. */
  readonly skippedBusy: number;
  /** Triggers that found no due peer. */
  readonly skippedIdle: number;
  /** Triggers that fired during the backoff after a failure. */
  readonly skippedBackoff: number;
  /** Cycles that a limit of the budget prevented. */
  readonly skippedForCost: number;
  /** Items of answers that were dropped. */
  readonly itemsDropped: number;
  /** Events that exceeded the buffer's capacity. */
  readonly eventsDropped: number;
  /** Events that could not be recorded. */
  readonly hookFailures: number;
  /** Failed reads and writes of the state. */
  readonly stateFailures: number;
}

/** Agreement of the agent's behavior with its soul text over the cycles of the history. */
export interface SoulReport {
  /** Newest score, 0…1. */
  readonly score: number;
  readonly reasons: readonly string[];
  /** Difference from the mean of the cycles before; null at the first. */
  readonly drift: number | null;
  /** Scores by cycle, oldest first. */
  readonly scores: readonly { readonly cycle: number; readonly score: number }[];
}

/** Names a belief in a call: by key, and by the peer that it is about. */
export interface BeliefReference {
  readonly key: string;
  /** Handle, id or npub. Omitted for a belief about the agent itself. */
  readonly peerId?: string | undefined;
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
  /** Reads the state again, and with it what other processes changed. Timers call it automatically. */
  refresh(): Promise<void>;
  /** Returns the active beliefs, least recently confirmed first. */
  beliefs(): readonly Belief[];
  /** Returns the last cycles, newest first. */
  history(): readonly CycleRecord[];
  /** Returns the lessons of earlier cycles, oldest first. Words of a model: data. */
  lessons(): readonly string[];
  /** Returns the agreement with the soul text and its drift; null without a score. */
  soulAlignment(): SoulReport | null;
  /** Returns the cost by day, and the calls that a limit prevented, oldest first. */
  costs(): { readonly days: readonly CostDay[]; readonly skips: readonly CostSkip[] };
  /** Appends the section of active beliefs to `prompt`. `peerId` is the peer of the current conversation. */
  transformSystemPrompt(prompt: string, context?: { readonly peerId?: string }): string;
  /** Returns the directives for the main loop: an iterator, and `poll()`. Each is delivered until `ack(id)`. */
  directives(): DirectiveStream;
  /** Returns free-text suggestions of the reflector, which wait for the operator. */
  suggestions(): readonly Directive[];
  /** Passes a suggestion on to the main loop. Returns false when there is none of that id. */
  approveSuggestion(id: string): Promise<boolean>;
  /**
   * Notes that a peer promised something. An incoming message in time, with the same `correlationId` if given, fulfils it;
   * otherwise a cycle starts, and the peer may be judged more severely.
   */
  noteCommitment(commitment: {
    readonly peerId: string;
    readonly what: string;
    /** ms since epoch. */
    readonly dueAt: number;
    readonly correlationId?: string;
  }): Promise<Commitment>;
  /** Returns open and missed commitments. */
  commitments(): readonly Commitment[];
  /**
   * Asks before the agent answers a request of consequence; see `shouldConsult`. Runs beside a cycle, with its own time limit
   * and budget, and writes nothing. Without an answer in time the verdict is a denial where money is at stake.
   *
   * @throws CortexError `INVALID_INPUT`, or `ABORTED` when the signal aborts.
   */
  consult(question: ConsultationQuestion, signal?: AbortSignal): Promise<Consultation>;
  /** Reply that the agent may give to a peer while it consults. */
  readonly holdingReply: string;
  /**
   * Computes the decisions of a cycle again from its record. Writes nothing.
   *
   * @throws CortexError `CYCLE_NOT_FOUND` or `NOT_REPLAYABLE`.
   */
  replay(cycle: number): Promise<Replay>;
  /**
   * Undoes the beliefs of a cycle and appends correcting assessments by the operator. Nothing is deleted.
   *
   * @throws CortexError `CYCLE_NOT_FOUND` or `CYCLE_REVERTED`.
   */
  revert(cycle: number): Promise<Reverted>;
  /** Exempts a belief from time to live and cap, or ends that. Throws `BELIEF_NOT_FOUND`. */
  pin(belief: BeliefReference, pinned?: boolean): Promise<void>;
  /** Writes a belief in the operator's own words. No reflector changes it. */
  edit(belief: BeliefReference & { readonly value: string; readonly rationale?: string }): Promise<void>;
  /** Removes a belief permanently, or lifts the veto. */
  veto(belief: BeliefReference, vetoed?: boolean): Promise<void>;
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
/** Interval between attempts to get the lease of another process's cycle, in ms. */
const leasePollMs = 200;
/** Peers of the ledger that are known at the start, for the new-peer trigger. */
const peersKnown = 1_000;

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
  const state = options.state ?? null;
  let config = parseConfig(options.config);

  const buffer = createEventBuffer(config.maxEvents);
  const signals = createSignals();
  const events = createEmitter<CortexEvents>({ logger });
  const directivesChanged = createEmitter<{ readonly change: null }>({ logger });
  const measure = createCycleMeter();
  const memory = createMemory(state, logger);
  const holder = crypto.randomUUID();
  const closing = new AbortController();
  const stats = {
    ...{ cyclesApplied: 0, cyclesFailed: 0, skippedBusy: 0, skippedIdle: 0, skippedBackoff: 0 },
    ...{ skippedForCost: 0, itemsDropped: 0, hookFailures: 0, leaseFailures: 0 },
  };

  let loading: Promise<void> | null = null;
  let running: Promise<ReflectResult> | null = null;
  let started = false;
  let timer: NodeJS.Timeout | null = null;
  let evaluationDue = false;
  let startedAt = clock();
  /** Start of the last cycle of this process. */
  let lastCycleAt: number | null = null;
  let failuresInARow = 0;
  let notBefore = Number.NEGATIVE_INFINITY;
  /** Commitments that an observed message fulfilled and that the state still has. */
  const fulfilled = new Set<string>();

  const load = () => {
    loading ??= memory.refresh();
    return loading;
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
    onObserved: (event) => {
      signals.observe(event);
      if (event.kind === 'message' && event.direction === 'in') {
        for (const commitment of memory.commitments.value.commitments) {
          if (commitment.status === 'open' && fulfils(event, commitment)) fulfilled.add(commitment.id);
        }
      }
      scheduleEvaluation();
    },
    onFailure: (error) => {
      stats.hookFailures += 1;
      logger.warn({ err: error }, 'An event could not be recorded');
    },
  });

  const openDirectives = (status: Directive['status']) =>
    unexpired(memory.directives.value.directives, clock()).filter((one) => one.status === status);
  const permits = () => refillPermits(memory.costs.value.newPeers, config.triggers.newPeer.perHour, clock());

  const fired = (): readonly TriggerName[] => {
    const now = clock();
    const { waiting, cycles } = memory.history.value;
    const due = overdue(memory.commitments.value.commitments, now).filter(({ id }) => !fulfilled.has(id));
    return evaluateTriggers(
      {
        lastCycleAt: Math.max(lastCycleAt ?? startedAt, cycles.at(-1)?.startedAt ?? 0),
        interactions: buffer.interactions,
        peersWaiting: waiting.length,
        newPeers: signals.newPeers,
        newPeerPermits: permits().permits,
        overdue: due.length,
        jumps: signals.jumps,
        factors: config.triggers.tuning.enabled ? memory.costs.value.factors : {},
      },
      config,
      now,
    );
  };

  const tools: CycleTools = {
    ...{ ledger, reflector, clock, random, logger },
    triage: options.triage,
    soul: options.soul,
    directives: { ...directiveKinds, ...options.directives },
    onAssessed: (event) => events.emit('afterAssess', event),
  };

  /** Removes fulfilled commitments from the state. */
  const storeFulfilled = async () => {
    if (fulfilled.size === 0) return;
    const done = new Set(fulfilled);
    await memory.commitments.update((stored) => ({
      ...stored,
      commitments: stored.commitments.filter(({ id }) => !done.has(id)),
    }));
    for (const id of done) fulfilled.delete(id);
  };

  const cycleOnce = async (
    triggers: readonly string[],
    explicit: boolean,
    lease: CycleLease,
    signal: AbortSignal | undefined,
  ): Promise<ReflectResult> => {
    await memory.refresh();
    await storeFulfilled();
    const settings = config;
    const observed = buffer.snapshot();
    const taken = signals.take();
    lastCycleAt = clock();
    if (triggers.includes('newPeer')) {
      const { permits: left, at } = permits();
      await memory.costs.update((stored) => ({
        ...stored,
        newPeers: { permits: Math.max(0, left - 1), at },
      }));
    }
    const outcome = await runCycle(tools, {
      ...{ triggers, explicit, observed, memory },
      config: settings,
      eventsDropped: buffer.dropped,
      signals: [closing.signal, signal],
      lost: lease.signal,
    });
    if (outcome.status === 'idle') {
      stats.skippedIdle += 1;
      return { status: 'skipped', reason: 'no_activity' };
    }
    if (outcome.status === 'skipped') {
      buffer.giveBack(observed);
      signals.giveBack(taken);
      stats.skippedForCost += 1;
      notBefore = clock() + settings.scheduleMs;
      return { status: 'skipped', reason: 'budget', skip: outcome.skip };
    }
    const { status, record } = outcome;
    stats.itemsDropped += record.dropped.length;
    measure(record);
    if (status === 'failed') {
      buffer.giveBack(observed);
      signals.giveBack(taken);
      stats.cyclesFailed += 1;
      if (record.failure?.code !== 'ABORTED') {
        const backoffMs = firstBackoffMs * 2 ** Math.min(failuresInARow, 10);
        failuresInARow += 1;
        notBefore = clock() + Math.min(settings.scheduleMs, backoffMs);
      }
      return { status, record };
    }
    stats.cyclesApplied += 1;
    failuresInARow = 0;
    if (settings.triggers.tuning.enabled) {
      const found =
        record.assessments.some(({ base, trust }) => trust !== base) || record.beliefs.added.length > 0;
      await memory.costs.update((stored) => ({
        ...stored,
        factors: tuneTriggers(stored.factors, triggers, found || record.directives.length > 0),
      }));
    }
    announce(record);
    return { status, record };
  };

  const announce = (record: CycleRecord) => {
    const { cycle, trigger, triggers, summary, beliefs, directives } = record;
    const peersAssessed = record.assessments.map((assessment) => assessment.peerId);
    logger.info({ cycle, triggers, peersAssessed, dropped: record.dropped.length }, 'Cycle applied');
    events.emit('afterReflect', {
      ...{ cycle, trigger, triggers, peersAssessed, summary },
      beliefsAdded: beliefs.added,
      beliefsReaffirmed: [...beliefs.reaffirmed, ...beliefs.revised],
      beliefsExpired: [...beliefs.expired, ...beliefs.evicted],
      directivesIssued: directives.length,
      elapsedSeconds: record.durationMs / 1_000,
    });
    if (directives.length > 0) directivesChanged.emit('change', null);
  };

  const acquire = () =>
    acquireCycleLease(state, holder, {
      clock,
      onFailure: (error) => {
        stats.leaseFailures += 1;
        logger.error(
          { err: error },
          'The lease of the cycle could not be stored. The cortex works as the only process.',
        );
      },
    });

  /** Waits for the lease of another process's cycle, as long as a cycle may take. Null when the time has passed. */
  const acquireInTurn = async (signal: AbortSignal | undefined): Promise<CycleLease | null> => {
    const until = performance.now() + config.timeoutMs;
    for (;;) {
      const lease = await acquire();
      if (lease !== null) return lease;
      stats.skippedBusy += 1;
      if (signal?.aborted || closing.signal.aborted || performance.now() > until) return null;
      await new Promise((resolve) => setTimeout(resolve, leasePollMs));
    }
  };

  /**
   * Takes the lock, runs one cycle outside of the caller's async context, and releases the lock in every case.
   */
  const begin = (
    triggers: readonly string[],
    explicit: boolean,
    signal?: AbortSignal,
  ): Promise<ReflectResult> => {
    const run = async (): Promise<ReflectResult> => {
      await load();
      const lease = explicit ? await acquireInTurn(signal) : await acquire();
      if (lease === null) {
        if (!explicit) stats.skippedBusy += 1;
        return { status: 'skipped', reason: signal?.aborted ? 'aborted' : 'busy' };
      }
      try {
        return await cycleOnce(triggers, explicit, lease, signal);
      } finally {
        await lease.release();
      }
    };
    const cycle = outsideConversations(run).finally(() => {
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
    const evaluate = async () => {
      // Beliefs and directives of other processes become visible here.
      if (state?.shared !== undefined && running === null) {
        await memory.refresh();
        directivesChanged.emit('change', null);
      }
      await tick();
    };
    timer = setInterval(
      () => outsideConversations(() => void evaluate()),
      Math.min(config.scheduleMs, 60_000),
    ).unref();
  };

  const shut = async () => {
    if (closing.signal.aborted) return;
    closing.abort();
    if (timer !== null) clearInterval(timer);
    await running?.catch(() => {});
    events.clear();
    directivesChanged.emit('change', null);
    directivesChanged.clear();
    if (started) {
      try {
        await storeFulfilled();
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

  /** Resolves the peer of a belief to the ledger's id and handle. */
  const nameOf = async ({
    key,
    peerId,
  }: BeliefReference): Promise<BeliefName & { handle: string | null }> => {
    requireKey(key);
    await load();
    if (peerId === undefined) return { key, peerId: null, handle: null };
    const peer = await findPeer({ ledger, logger }, peerId);
    return { key, peerId: peer?.peerId ?? peerId, handle: peer?.handle ?? peer?.peerId ?? peerId };
  };

  const recordOf = async (cycle: number): Promise<CycleRecord> => {
    await load();
    await memory.history.refresh();
    const record = memory.history.value.cycles.find((one) => one.cycle === cycle);
    if (record !== undefined) return record;
    throw new CortexError(
      'CYCLE_NOT_FOUND',
      `The history has no cycle ${cycle}. It keeps the last ${config.historySize}.`,
    );
  };

  return {
    hooks,
    async start() {
      if (closing.signal.aborted) throw new CortexError('CLOSED', 'The cortex was closed. Create a new one.');
      if (started) return;
      await load();
      try {
        const { trusts } = memory.trusts.value;
        const { items } = await ledger.listPeers({ limit: peersKnown, orderBy: 'lastSeenAt' });
        signals.know([...Object.keys(trusts), ...items.map(({ peerId }) => peerId)]);
        const { seenThroughAt } = memory.history.value;
        const marks = new Map(Object.entries(trusts));
        const unseen = await findPeersWithUnseenFacts(ledger, { marks, seenThroughAt });
        if (unseen.length > 0) {
          await memory.history.update((stored) => ({
            ...stored,
            waiting: [...new Set([...stored.waiting, ...unseen])],
          }));
        }
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
        if (buffer.interactions === 0 && memory.history.value.waiting.length === 0) {
          return { status: 'skipped', reason: 'busy' };
        }
      }
      if (closing.signal.aborted) return { status: 'skipped', reason: 'closed' };
      return begin([reason], true, signal);
    },
    refresh: () => memory.refresh(),
    beliefs: () => activeBeliefs(memory.beliefs.value.beliefs, clock()),
    history: () => memory.history.value.cycles.toReversed(),
    lessons: () => memory.lessons.value.lessons,
    costs: () => ({ days: memory.costs.value.days, skips: memory.costs.value.skips }),
    soulAlignment() {
      const scored = memory.history.value.cycles.flatMap(({ cycle, soul }) =>
        soul === null ? [] : [{ cycle, ...soul }],
      );
      const newest = scored.at(-1);
      if (newest === undefined) return null;
      const { score, reasons, drift } = newest;
      return { score, reasons, drift, scores: scored.map((one) => ({ cycle: one.cycle, score: one.score })) };
    },
    transformSystemPrompt(prompt, context) {
      const section = renderBeliefs(memory.beliefs.value.beliefs, {
        now: clock(),
        peerId: context?.peerId ?? null,
        maxTokens: config.maxBeliefTokens,
      });
      if (section === '') return prompt;
      return prompt === '' ? section : `${prompt}\n\n${section}`;
    },
    directives: () =>
      createDirectiveStream({
        open: () => openDirectives('open'),
        async ack(id) {
          let found = false;
          await memory.directives.update((stored) => {
            found = unexpired(stored.directives, clock()).some(
              (one) => one.id === id && one.status === 'open',
            );
            return { ...stored, directives: stored.directives.filter((one) => one.id !== id) };
          });
          return found;
        },
        onChange: (listener) => directivesChanged.on('change', listener),
        get closed() {
          return closing.signal.aborted;
        },
      }),
    suggestions: () => openDirectives('waiting'),
    async approveSuggestion(id) {
      let found = false;
      await memory.directives.update((stored) => {
        found = stored.directives.some((one) => one.id === id && one.status === 'waiting');
        const approve = (one: Directive) => (one.id === id ? { ...one, status: 'open' as const } : one);
        return { ...stored, directives: stored.directives.map(approve) };
      });
      if (found) directivesChanged.emit('change', null);
      return found;
    },
    async noteCommitment({ peerId, what, dueAt, correlationId }) {
      if (
        typeof peerId !== 'string' ||
        peerId === '' ||
        typeof what !== 'string' ||
        !Number.isFinite(dueAt)
      ) {
        throw new CortexError(
          'INVALID_INPUT',
          'A commitment needs peerId and what as texts, and dueAt in ms since epoch.',
        );
      }
      await load();
      const peer = await findPeer({ ledger, logger }, peerId);
      const now = clock();
      const commitment: Commitment = {
        ...{ id: crypto.randomUUID(), peerId: peer?.peerId ?? peerId, what: what.slice(0, 200), dueAt },
        ...{ correlationId: correlationId ?? null, source: 'host', createdAt: now, status: 'open' },
      };
      await memory.commitments.update((stored) => ({
        ...stored,
        commitments: pruneCommitments([...stored.commitments, commitment], now),
      }));
      return commitment;
    },
    commitments: () => memory.commitments.value.commitments.filter(({ id }) => !fulfilled.has(id)),
    async consult(question, signal) {
      if (closing.signal.aborted) throw new CortexError('CLOSED', 'The cortex was closed. Create a new one.');
      await load();
      const marker = () => newMarker(random);
      const consultTools = { ...tools, memory, config, marker, signals: [closing.signal, signal] };
      return outsideConversations(() => consult(consultTools, question));
    },
    get holdingReply() {
      return config.consultation.holdingReply;
    },
    replay: async (cycle) => replayCycle(await recordOf(cycle), tools.directives),
    async revert(cycle) {
      const record = await recordOf(cycle);
      if (record.revertedAt !== null)
        throw new CortexError('CYCLE_REVERTED', `Cycle ${cycle} was reverted before.`);
      // Claimed first: a second operator, or a repeat after a crash, does not append the corrections again.
      let claimed = false;
      await memory.history.update((stored) => {
        claimed = stored.cycles.some((one) => one.cycle === cycle && one.revertedAt === null);
        const mark = (one: CycleRecord) =>
          one.cycle === cycle ? { ...one, revertedAt: one.revertedAt ?? clock() } : one;
        return { ...stored, cycles: stored.cycles.map(mark) };
      });
      if (!claimed) throw new CortexError('CYCLE_REVERTED', `Cycle ${cycle} was reverted before.`);
      const assessments = await revertAssessments(ledger, record);
      let removed: readonly string[] = [];
      let restored: readonly string[] = [];
      await memory.beliefs.update((stored) => {
        const undone = revertBeliefs(stored.beliefs, record);
        ({ removed, restored } = undone);
        return { ...stored, beliefs: undone.beliefs };
      });
      return { cycle, removed, restored, assessments };
    },
    async pin(belief, pinned = true) {
      const name = await nameOf(belief);
      await memory.beliefs.refresh();
      // Checked first: a change must not throw, because it may be applied again later.
      setPinned(memory.beliefs.value, name, pinned, clock());
      await memory.beliefs.update((stored) =>
        stored.beliefs.some((one) => one.key === name.key && one.peerId === name.peerId)
          ? setPinned(stored, name, pinned, clock())
          : stored,
      );
    },
    async edit({ value, rationale = 'written by the operator', ...belief }) {
      if (typeof value !== 'string' || value.trim() === '') {
        throw new CortexError('INVALID_INPUT', 'A belief needs a text.');
      }
      const name = await nameOf(belief);
      await memory.beliefs.update((stored) => writeBelief(stored, { ...name, value, rationale }, clock()));
    },
    async veto(belief, vetoed = true) {
      const name = await nameOf(belief);
      await memory.beliefs.update((stored) => setVetoed(stored, name, vetoed));
    },
    configure(patch) {
      config = patchConfig(config, patch);
      if (started) arm();
    },
    stats: () => {
      const { leaseFailures, ...counted } = stats;
      return {
        ...counted,
        eventsDropped: buffer.dropped,
        stateFailures: memory.failures + leaseFailures,
      };
    },
    on: events.on,
    close: shut,
    [Symbol.asyncDispose]: shut,
  };
}
