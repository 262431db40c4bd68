import { type Deadline, isBonafideError, orAbort, startDeadline } from '@bonafide/internal';
import type { CycleRecord } from '../audit/cycle-record.ts';
import { type DroppedItem, dropped } from '../audit/dropped-item.ts';
import { applyBeliefs, type Belief, type BeliefChange, type BeliefRefusal } from '../beliefs/beliefs.ts';
import { type Commitment, pruneCommitments } from '../commitments/commitments.ts';
import type { CortexConfig } from '../config.ts';
import { addCost, type CostSkip, dayOf, withSkip } from '../cost/cost.ts';
import type { Directive, DirectiveRegistry } from '../directives/directive.ts';
import { addDirectives } from '../directives/directive-queue.ts';
import { CortexError } from '../errors.ts';
import type { AfterAssessEvent } from '../events.ts';
import type { PeerFacts } from '../facts/facts.ts';
import { isKnown, type KnownPeers } from '../facts/known-peers.ts';
import type { ObservedEvent } from '../observe/event-buffer.ts';
import type { Memory } from '../state/memory.ts';
import { type Applied, applyAssessments } from './apply.ts';
import { type CostMeter, createMeter } from './call.ts';
import type { CycleFacts } from './cycle-facts.ts';
import { type GatherTools, gatherFacts, knownFirst } from './gather.ts';
import { askReflector, askTriage, newTrace, type ReflectTrace } from './reflect.ts';
import { buildInput, promptVersion } from './reflection-input.ts';
import type { Reflector } from './reflector.ts';
import { soulBelief, soulOf } from './soul.ts';
import { type ValidatedAnswer, validateAnswer } from './validate.ts';

/** Dependencies of a cycle. */
export interface CycleTools extends GatherTools {
  readonly reflector: Reflector;
  /** Decides whether a whole reflection is worth its cost. */
  readonly triage: Reflector | undefined;
  readonly directives: DirectiveRegistry;
  readonly clock: () => number;
  readonly random: () => number;
  readonly onAssessed: (event: AfterAssessEvent) => void;
}

/** Input of one cycle. */
export interface CycleRequest {
  readonly config: CortexConfig;
  readonly memory: Memory;
  readonly triggers: readonly string[];
  /**
   * `host`: an explicit request. `strangers`: their share of the budget applies. `activity`: the peers of the cycle decide
   * whose budget applies.
   */
  readonly causedBy: 'host' | 'known' | 'strangers' | 'activity';
  readonly known: KnownPeers;
  /** Failed cycles before this one: each halves the number of peers, so that one peer's text cannot stop all cycles. */
  readonly failuresInARow: number;
  readonly observed: readonly ObservedEvent[];
  /** Events dropped since the start. */
  readonly eventsDropped: number;
  readonly signals: readonly (AbortSignal | undefined)[];
  /** Aborts when another process took over. */
  readonly lost: AbortSignal;
}

/** The result of one cycle: a record, nothing when no peer was due, or the limit that prevented the call. */
export type CycleOutcome =
  | { readonly status: 'applied' | 'failed'; readonly record: CycleRecord }
  | { readonly status: 'idle' }
  | { readonly status: 'skipped'; readonly skip: CostSkip };

/** Number of peers whose marks are kept in memory; others are found again in the ledger. */
const maxRemembered = 1_000;

interface Draft {
  readonly cycle: number;
  readonly startedAt: number;
  readonly trace: ReflectTrace;
  readonly meter: CostMeter;
  /** Peers that are due, those of this cycle included. */
  readonly waiting: Set<string>;
  peers: readonly PeerFacts[];
  depth: CycleRecord['depth'];
}

/**
 * Six digits, two tokens. Peers cannot write the character that follows the marker, so guessing it gains nothing.
 */
export function newMarker(random: () => number): string {
  return String(100_000 + Math.floor(random() * 900_000));
}

const nothing = (summary: string): ValidatedAnswer => ({
  ...{ assessments: [], beliefs: [], directives: [], commitments: [], lessons: [], dropped: [] },
  soulAlignment: null,
  summary,
});

/** Runs the part of a cycle that changes nothing: gathers facts and asks the reflector. Null when no peer is due. */
async function think(
  tools: CycleTools,
  request: CycleRequest,
  draft: Draft,
  deadline: Deadline,
): Promise<ValidatedAnswer | null> {
  const { waiting, startedAt: now, meter, trace } = draft;
  const { causedBy } = request;
  const facts = await orAbort(gatherFacts(tools, { ...request, waiting, now }), deadline.signal);
  if (facts.peers.length === 0) return null;
  const marker = newMarker(tools.random);
  const limits = { marker, maxTokens: request.config.maxContextTokens };
  const whole = buildInput(facts, limits);
  // Where not all fit, strangers wait.
  const inTurn = [...facts.peers.filter(isKnown), ...facts.peers.filter((peer) => !isKnown(peer))];
  const built =
    whole.included.length === facts.peers.length ? whole : buildInput({ ...facts, peers: inTurn }, limits);
  draft.peers = built.included;
  meter.byStrangers =
    causedBy === 'strangers' || (causedBy === 'activity' && !built.included.some((peer) => isKnown(peer)));
  const asked: CycleFacts = { ...facts, peers: built.included };
  const question = { facts: asked, input: built.text, marker };
  if (tools.triage !== undefined) {
    draft.depth = 'triage';
    const triage = await askTriage(tools.triage, question, deadline, meter);
    if (!triage.reflect) return nothing(triage.reason);
    draft.depth = 'deep';
  }
  const answer = await askReflector(tools.reflector, question, { deadline, meter, trace });
  return validateAnswer(answer.frame, built.included, { directives: tools.directives, now });
}

/** Converts the error that ended a cycle into a code and a message. */
function explain(thrown: unknown, deadline: Deadline): { readonly code: string; readonly message: string } {
  if (isBonafideError(thrown)) return thrown;
  if (deadline.timedOut) {
    return new CortexError(
      'LEDGER_FAILED',
      'The ledger did not answer in time. Check the store, or raise timeoutMs.',
      { cause: thrown },
    );
  }
  if (deadline.signal.aborted) {
    return new CortexError('ABORTED', 'The cycle was aborted.', { cause: thrown });
  }
  return new CortexError('LEDGER_FAILED', 'The ledger could not be read. See cause.', { cause: thrown });
}

const refusalMessages: Readonly<Record<BeliefRefusal, string>> = {
  revision_not_stated: 'another value is held: say that this revises it',
  held_by_operator: 'the operator wrote or pinned this belief',
  held_by_facts: 'facts say what this belief says',
  vetoed: 'the operator vetoed this belief',
};

const noBeliefChange = { added: [], reaffirmed: [], revised: [], expired: [], evicted: [] };

/** Facts without the texts of peers, small enough to be kept with every cycle. */
const withoutTexts = (peer: PeerFacts): PeerFacts => ({
  ...peer,
  alias: null,
  latest: peer.latest && { ...peer.latest, rationale: '' },
  interactions: peer.interactions.map((one) => ({ ...one, content: '' })),
});

/** Applies the beliefs, directives, lessons and commitments of an answer to the newest state. */
async function applyAnswer(request: CycleRequest, draft: Draft, answer: ValidatedAnswer, now: number) {
  const { config, memory } = request;
  const { cycle } = draft;
  let before: { readonly beliefs: readonly Belief[]; readonly vetoed: CycleRecord['replay']['vetoed'] } = {
    beliefs: [],
    vetoed: [],
  };
  let change: BeliefChange | undefined;
  await memory.beliefs.update((stored) => {
    before = stored;
    const { maxBeliefs, beliefTtlMs } = config;
    const context = { cycle, now, vetoed: stored.vetoed, maxBeliefs, beliefTtlMs };
    const proposals = [...answer.beliefs, ...soulBelief(answer)];
    change = applyBeliefs(stored.beliefs, proposals, context);
    return { ...stored, beliefs: [...change.beliefs] };
  });
  let issued: readonly Directive[] = [];
  let noted: readonly Commitment[] = [];
  if (answer.directives.length > 0) {
    await memory.directives.update((stored) => {
      const added = addDirectives(stored.directives, answer.directives, { ...config, cycle, now });
      issued = added.directives.filter(({ id }) => added.issued.includes(id));
      return { ...stored, directives: added.directives };
    });
  }
  if (answer.lessons.length > 0) {
    await memory.lessons.update((stored) => {
      const others = stored.lessons.filter((lesson) => !answer.lessons.includes(lesson));
      const lessons = config.maxLessons === 0 ? [] : [...others, ...answer.lessons].slice(-config.maxLessons);
      return { ...stored, lessons };
    });
  }
  if (answer.commitments.length > 0) {
    await memory.commitments.update((stored) => {
      const added = answer.commitments.map(({ peerId, what, dueAt }, index) => ({
        ...{ id: `c${cycle}-${index + 1}`, peerId, what, dueAt, correlationId: null, createdAt: now },
        source: 'reflector' as const,
        status: 'open' as const,
      }));
      const known = (one: { peerId: string; dueAt: number }) =>
        stored.commitments.some((each) => each.peerId === one.peerId && each.dueAt === one.dueAt);
      const all = [...stored.commitments, ...added.filter((one) => !known(one))];
      const commitments = pruneCommitments(all, now);
      noted = added.filter(({ id }) => commitments.some((one) => one.id === id));
      return { ...stored, commitments };
    });
  }
  return { before, change, issued, noted };
}

/**
 * Runs one cycle: gathers facts, asks the reflector, validates the answer and applies it. Never throws. A failed
 * cycle changes only what the facts alone demand; an applied one is processed to its end, item by item.
 */
export async function runCycle(tools: CycleTools, request: CycleRequest): Promise<CycleOutcome> {
  const { config, memory, triggers, lost } = request;
  const startedAt = tools.clock();
  const { lastCycle, waiting } = memory.history.value;
  const day = memory.costs.value.days.find((each) => each.day === dayOf(startedAt));
  const draft: Draft = {
    ...{ cycle: lastCycle + 1, startedAt, depth: 'deep', peers: [] },
    trace: newTrace(),
    meter: createMeter(config.budget, day),
    waiting: new Set(waiting),
  };
  const deadline = startDeadline(config.timeoutMs, [...request.signals, lost]);
  const assess = (answer: ValidatedAnswer | null): Promise<Applied> =>
    applyAssessments(
      { ...tools, lost },
      {
        ...{ cycle: draft.cycle, config, peers: draft.peers, answer },
        assessor: `${tools.reflector.name ?? 'unnamed'}/prompt-${promptVersion}`,
        marks: new Map(Object.entries(memory.trusts.value.trusts)),
        commitments: memory.commitments.value.commitments,
      },
    );

  try {
    const answer = await think(tools, request, draft, deadline);
    if (answer === null) {
      await settleIdle(memory);
      return { status: 'idle' };
    }
    // The cycle is committed here: the remaining steps are local and ignore aborts and the timeout.
    const applied = await assess(answer);
    const now = tools.clock();
    const { before, change, issued, noted } = await applyAnswer(request, draft, answer, now);
    const refusals = (change?.refused ?? []).map(({ proposal, reason }) =>
      dropped('belief', reason, refusalMessages[reason], proposal),
    );
    const { added = [], reaffirmed = [], revised = [], expired = [], evicted = [] } = change ?? {};
    const record = await finish(tools, request, draft, {
      ...{ status: 'applied', failure: null, applied, before, now, issued, noted },
      beliefs: {
        added: [...added],
        reaffirmed: [...reaffirmed],
        revised: [...revised],
        expired: [...expired],
        evicted: [...evicted],
      },
      drops: [...answer.dropped, ...applied.drops, ...refusals],
      answer,
    });
    return { status: 'applied', record };
  } catch (thrown) {
    const failure = explain(thrown, deadline);
    const { code } = failure;
    const prevented = code === 'BUDGET_EXCEEDED' ? draft.meter.prevented : null;
    if (prevented === null) {
      tools.logger.warn(
        { err: thrown, cycle: draft.cycle, triggers },
        'Cycle failed. Nothing of the answer was applied; its events are kept for the next cycle.',
      );
    }
    const applied = code === 'ABORTED' ? null : await assess(null);
    const skip = prevented && { ...prevented, at: startedAt, triggers: [...triggers] };
    if (skip !== null) {
      tools.logger.info({ ...skip }, 'The reflector was not called: its budget is used up');
      await memory.costs.update((stored) => withSkip(stored, skip));
      if (applied?.assessments.length === 0 && draft.meter.cost.calls === 0)
        return { status: 'skipped', skip };
    }
    const record = await finish(tools, request, draft, {
      ...{ status: 'failed', failure: { code, message: failure.message }, answer: nothing('') },
      ...{ applied, before: memory.beliefs.value, now: tools.clock(), issued: [], noted: [] },
      beliefs: noBeliefChange,
      drops: applied?.drops ?? [],
    });
    return skip === null ? { status: 'failed', record } : { status: 'skipped', skip };
  } finally {
    deadline.clear();
  }
}

async function settleIdle(memory: Memory): Promise<void> {
  if (memory.history.value.waiting.length === 0) return;
  await memory.history.update((stored) => ({ ...stored, waiting: [] }));
}

interface Ending {
  readonly status: CycleRecord['status'];
  readonly failure: CycleRecord['failure'];
  readonly applied: Applied | null;
  readonly answer: ValidatedAnswer;
  readonly before: { readonly beliefs: readonly Belief[]; readonly vetoed: CycleRecord['replay']['vetoed'] };
  readonly beliefs: CycleRecord['beliefs'];
  readonly issued: readonly Directive[];
  readonly noted: readonly Commitment[];
  readonly drops: readonly DroppedItem[];
  readonly now: number;
}

/** Builds the record, and stores it with marks, cost and what is still waiting. */
async function finish(
  tools: CycleTools,
  request: CycleRequest,
  draft: Draft,
  ending: Ending,
): Promise<CycleRecord> {
  const { config, memory, triggers } = request;
  const { startedAt, trace, meter } = draft;
  const { applied, answer, before, now } = ending;
  const record: CycleRecord = {
    ...{ cycle: draft.cycle, promptVersion, startedAt, status: ending.status, failure: ending.failure },
    ...{ depth: draft.depth, ...trace },
    trigger: triggers[0] ?? 'manual',
    triggers: [...triggers],
    durationMs: Math.max(0, tools.clock() - startedAt),
    peers: draft.peers.map((peer) => peer.peerId),
    events: request.observed.length,
    eventsDropped: request.eventsDropped,
    assessments: [...(applied?.assessments ?? [])],
    beliefs: ending.beliefs,
    directives: ending.issued.map(({ id }) => id),
    commitments: ending.noted.map(({ id }) => id),
    lessons: [...answer.lessons],
    soul: soulOf(answer, memory.history.value.cycles),
    dropped: [...ending.drops],
    summary: answer.summary,
    cost: { ...meter.cost },
    replay: {
      peers: draft.peers.map(withoutTexts),
      directives: ending.issued.map(({ id, peerId, kind, params, suggestion }) => ({
        ...{ id, peerId, kind, params, suggestion },
      })),
      commitments: ending.noted.map(({ id, peerId, what, dueAt }) => ({ id, peerId, what, dueAt })),
      beliefs: [...before.beliefs],
      vetoed: [...before.vetoed],
      now,
      config: {
        maxTrustDelta: config.maxTrustDelta,
        guards: typeof config.guards === 'string' ? config.guards : [...config.guards],
        cooldownMs: config.cooldownMs,
        dailyRise: config.dailyRise.map((tier) => ({ ...tier })),
        maxBeliefs: config.maxBeliefs,
        beliefTtlMs: config.beliefTtlMs,
      },
    },
    revertedAt: null,
  };
  if (applied !== null && applied.marks.size > 0) {
    await memory.trusts.update((stored) => {
      // Set again, so that insertion order is recency and the front is dropped first.
      const trusts = new Map(Object.entries(stored.trusts));
      for (const [peerId, mark] of applied.marks) {
        trusts.delete(peerId);
        trusts.set(peerId, mark);
      }
      // Strangers are forgotten first: a swarm of them does not make known peers strangers.
      const byRank = [...trusts].sort(([, a], [, b]) => Number(a.known) - Number(b.known));
      return { ...stored, trusts: Object.fromEntries(byRank.slice(-maxRemembered)) };
    });
  }
  if (meter.cost.calls > 0) {
    await memory.costs.update((stored) => ({
      ...stored,
      days: addCost(stored.days, startedAt, { ...meter.cost, consultations: 0 }, meter),
    }));
  }
  // A failed cycle leaves its peers due; an applied one only those that it did not reach or could not settle.
  const done = new Set(ending.status === 'applied' ? record.peers : []);
  for (const peerId of applied?.unsettled ?? []) done.delete(peerId);
  // Those of a failed cycle go to the end.
  const last = new Set(record.peers);
  const open = [...draft.waiting].filter((peerId) => !done.has(peerId));
  const inTurn = [
    ...open.filter((peerId) => !last.has(peerId)),
    ...open.filter((peerId) => last.has(peerId)),
  ];
  const due = knownFirst(inTurn, request.known).slice(0, maxRemembered);
  let written = record;
  await memory.history.update((stored) => {
    // Another process may have used the number after it took over.
    written = { ...record, cycle: Math.max(record.cycle, stored.lastCycle + 1) };
    return {
      ...stored,
      lastCycle: written.cycle,
      seenThroughAt: ending.status === 'applied' ? startedAt : stored.seenThroughAt,
      waiting: due,
      cycles: [...stored.cycles, written].slice(-config.historySize),
    };
  });
  return written;
}
