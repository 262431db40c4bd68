import { createEmitter, isNotMigrated, requireOptions, silentLogger, truncate } from '@bonafide/internal';
import * as z from 'zod';
import { soulReport } from './audit/soul-report.ts';
import { activeBeliefs } from './beliefs/beliefs.ts';
import { renderBeliefs } from './beliefs/render-beliefs.ts';
import { createCommitmentBook } from './commitments/commitment-book.ts';
import { parseConfig, patchConfig } from './config.ts';
import { consult } from './consultation/consult.ts';
import type { Cortex, CortexOptions } from './cortex.ts';
import { directiveKinds, registrySchema } from './directives/directive.ts';
import { createDirectiveInbox } from './directives/directive-inbox.ts';
import { CortexError } from './errors.ts';
import { announce, type CortexEvents } from './events.ts';
import { createKnownPeers } from './facts/known-peers.ts';
import { findPeersWithUnseenFacts } from './facts/unseen-facts.ts';
import { callable, loggerSchema, parseInput, parseOptions, port, signalSchema } from './host-options.ts';
import type { LedgerPort } from './ledger-port.ts';
import { newCounters } from './loop/cortex-stats.ts';
import { type CycleRunner, createCycleRunner, outsideConversations } from './loop/cycle-runner.ts';
import { createPermits } from './loop/permits.ts';
import { createTriggerLoop } from './loop/trigger-loop.ts';
import { createCycleMeter } from './metrics.ts';
import { createEventBuffer } from './observe/event-buffer.ts';
import { createHooks } from './observe/hooks.ts';
import { createOperatorVerbs } from './operator/operator-verbs.ts';
import { newMarker } from './reflection/cycle.ts';
import type { CycleTools } from './reflection/cycle-request.ts';
import type { Reflector } from './reflection/reflector.ts';
import { createMemory, memoryKeys } from './state/memory.ts';
import type { StatePort } from './state/state-port.ts';
import { createSignals } from './triggers/signals.ts';

/** Draws unpredictable numbers with 0 ≤ n < 1. */
const unpredictable = () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;

/** Peers of the ledger that are known at the start, for the new-peer trigger and the shares of the budget. */
const peersKnown = 1_000;

const notMigrated = (what: 'state' | 'ledger', cause: unknown) =>
  new CortexError(
    'NOT_MIGRATED',
    `The database of the ${what} has no tables, or those of an older version. Call ${what === 'state' ? 'migrateCortex' : 'migrateLedger'}(db) first.`,
    { cause },
  );

/** Longest reason of a cycle in UTF-8 bytes. */
const maxReason = 200;

/** Returns the reason for a cycle as its record keeps it. Throws `INVALID_INPUT`. */
function requireReason(reason: unknown): string {
  if (typeof reason === 'string' && reason.trim() !== '') return truncate(reason.trim(), maxReason);
  throw new CortexError('INVALID_INPUT', 'A reflection needs a reason as a text.');
}

const optionsSchema = z.strictObject({
  ledger: port<LedgerPort>('getPeer', 'listPeers', 'getInteractions', 'getAssessments', 'recordAssessment'),
  reflector: port<Reflector>('reflect'),
  triage: port<Reflector>('reflect').optional(),
  state: port<StatePort>('store', 'retrieve').optional(),
  soul: callable<() => Promise<string>>().optional(),
  directives: registrySchema,
  clock: callable<() => number>().optional(),
  random: callable<() => number>().optional(),
  // `parseConfig` checks it.
  config: z.unknown().optional(),
  logger: loggerSchema,
});
const reflectSchema = z.strictObject({ signal: signalSchema }).default({});
const promptSchema = z.strictObject({ peerId: z.string().optional() }).optional();

const closedError = () => new CortexError('CLOSED', 'The cortex was closed. Create a new one.');

/**
 * Creates a cortex: it observes the agent through hooks, reflects periodically on the ledger's records, writes
 * assessments through the ledger only, and maintains beliefs for the agent's prompt. Without it the agent assesses
 * inline.
 *
 * @throws CortexError `INVALID_CONFIG`
 */
export function createCortex(given: CortexOptions): Cortex {
  requireOptions(
    given,
    {
      ledger: { methods: ['listPeers'], example: 'createLedger({ store }) of @bonafide/ledger-core' },
      reflector: { methods: ['reflect'], example: 'createRuleReflector()' },
    },
    (message) => new CortexError('INVALID_CONFIG', message),
  );
  const options = parseOptions(optionsSchema, given, 'options') as CortexOptions;
  const { ledger, reflector, clock = Date.now, random = unpredictable, logger = silentLogger } = options;
  const state = options.state ?? null;
  let config = parseConfig(options.config);
  const settings = () => config;

  const memory = createMemory(state, logger);
  let loading: Promise<void> | null = null;
  const load = () => {
    loading ??= memory.refresh();
    return loading;
  };

  const buffer = createEventBuffer(config.maxEvents);
  const signals = createSignals();
  const events = createEmitter<CortexEvents>({
    logger,
    names: { afterReflect: true, afterAssess: true },
    fail: (message) => new CortexError('INVALID_INPUT', message),
  });
  const counters = newCounters();
  const closing = new AbortController();
  const known = createKnownPeers(memory);
  const directives = { ...directiveKinds, ...options.directives };
  const commitments = createCommitmentBook({ ledger, memory, clock, logger, load });
  const inbox = createDirectiveInbox({ memory, clock, logger });
  const permits = createPermits({ memory, config: settings, clock });
  const operator = createOperatorVerbs({ ledger, memory, state, directives, clock, logger, load });
  const measure = createCycleMeter();
  let started = false;

  const tools: CycleTools = {
    ...{ ledger, reflector, clock, random, logger, directives },
    triage: options.triage,
    soul: options.soul,
    onAssessed: (event) => events.emit('afterAssess', event),
  };
  const loop = createTriggerLoop({
    ...{ memory, signals, commitments, known, permits, clock, counters },
    runner: (): CycleRunner => runner,
    config: settings,
    closing: closing.signal,
    refresh:
      state?.shared === undefined
        ? undefined
        : async () => {
            await memory.refresh();
            inbox.changed();
          },
  });
  const runner = createCycleRunner({
    ...{ tools, memory, state, buffer, signals, commitments, known, permits, clock, logger, counters, load },
    config: settings,
    closing: closing.signal,
    onFinished: measure,
    onApplied(record) {
      announce(record, events, logger);
      if (record.directives.length > 0) inbox.changed();
    },
    // Evaluates triggers that were skipped during the cycle.
    onIdle: () => loop.schedule(),
  });
  const hooks = createHooks({
    buffer,
    clock,
    onObserved: (event) => {
      signals.observe(event);
      commitments.observe(event);
      loop.schedule();
    },
    onFailure: (error) => {
      counters.hookFailures += 1;
      logger.warn({ err: error }, 'An event could not be recorded');
    },
  });

  /** Throws for a database without tables. Every other failure of the state leaves the cortex in memory. */
  const requireTables = async () => {
    try {
      await state?.retrieve(memoryKeys[0]);
    } catch (cause) {
      if (isNotMigrated(cause)) throw notMigrated('state', cause);
    }
  };

  /** Finds peers with facts that no cycle has seen, and takes over assessment. */
  const takeOver = async () => {
    const { trusts } = memory.trusts.value;
    const { items } = await ledger.listPeers({ limit: peersKnown, orderBy: 'lastSeenAt' });
    signals.know([...Object.keys(trusts), ...items.map(({ peerId }) => peerId)]);
    known.learn(items);
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
  };

  /** Returns assessment to the agent. */
  const giveBack = async () => {
    try {
      await ledger.setAssessor?.('agent');
    } catch (error) {
      logger.error({ err: error }, 'The ledger still treats the cortex as its assessor: setAssessor failed');
    }
  };

  const close = async () => {
    if (closing.signal.aborted) return;
    closing.abort();
    loop.stop();
    await runner.settled().catch(() => {});
    events.clear();
    inbox.close();
    if (!started) return;
    started = false;
    await commitments.store();
    await giveBack();
  };

  return {
    hooks,
    async start() {
      if (closing.signal.aborted) throw closedError();
      if (started) return;
      await requireTables();
      await load();
      try {
        await takeOver();
      } catch (error) {
        if (isNotMigrated(error)) throw notMigrated('ledger', error);
        throw new CortexError('LEDGER_FAILED', 'The ledger could not be read at start. See cause.', {
          cause: error,
        });
      }
      // Closed meanwhile.
      if (closing.signal.aborted) {
        await giveBack();
        throw closedError();
      }
      started = true;
      loop.start();
      loop.schedule();
    },
    tick: loop.tick,
    async reflectNow(given, options) {
      const reason = requireReason(given);
      const { signal } = parseInput(reflectSchema, options, 'options');
      if (runner.isRunning) counters.skippedBusy += 1;
      // Again after each wait: another request that waited may have started the next cycle.
      while (runner.isRunning) {
        try {
          await runner.settled(signal);
        } catch {
          return { status: 'skipped', reason: 'aborted' };
        }
        if (buffer.interactions === 0 && memory.history.value.waiting.length === 0) {
          return { status: 'skipped', reason: 'busy' };
        }
      }
      if (closing.signal.aborted) return { status: 'skipped', reason: 'closed' };
      return runner.begin({ triggers: [reason], causedBy: 'host', stranger: null }, signal);
    },
    refresh: () => memory.refresh(),
    beliefs: () => activeBeliefs(memory.beliefs.value.beliefs, clock()),
    history: () => memory.history.value.cycles.toReversed(),
    lessons: () => memory.lessons.value.lessons,
    costs: () => ({ days: memory.costs.value.days, skips: memory.costs.value.skips }),
    soulAlignment: () => soulReport(memory.history.value.cycles),
    transformSystemPrompt(prompt, given) {
      parseInput(z.string(), prompt, 'prompt');
      const context = parseInput(promptSchema, given, 'context');
      const section = renderBeliefs(memory.beliefs.value.beliefs, {
        now: clock(),
        peerId: context?.peerId ?? null,
        maxTokens: config.maxBeliefTokens,
      });
      if (section === '') return prompt;
      return prompt === '' ? section : `${prompt}\n\n${section}`;
    },
    directives: inbox.stream,
    suggestions: inbox.suggestions,
    approveSuggestion: async (id) => inbox.approve(parseInput(z.string(), id, 'id')),
    noteCommitment: commitments.note,
    commitments: commitments.list,
    async consult(question, signal) {
      if (closing.signal.aborted) throw closedError();
      parseInput(signalSchema, signal, 'signal');
      await load();
      const marker = () => newMarker(random);
      const consultTools = { ...tools, memory, config, marker, signals: [closing.signal, signal] };
      return outsideConversations(() => consult(consultTools, question));
    },
    get holdingReply() {
      return config.consultation.holdingReply;
    },
    ...operator,
    configure(patch) {
      const { maxEvents } = config;
      config = patchConfig(config, patch);
      if (config.maxEvents !== maxEvents) buffer.resize(config.maxEvents);
      if (started) loop.start();
    },
    stats: () => ({
      ...counters,
      eventsDropped: buffer.dropped,
      stateFailures: counters.stateFailures + memory.failures,
    }),
    on: events.on,
    close,
    [Symbol.asyncDispose]: close,
  };
}
