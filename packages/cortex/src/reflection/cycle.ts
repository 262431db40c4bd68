import { type Deadline, isBonafideError, orAbort, startDeadline } from '@bonafide/internal';
import { dayOf, withSkip } from '../cost/cost.ts';
import { CortexError } from '../errors.ts';
import { isKnown } from '../facts/known-peers.ts';
import type { Memory } from '../state/memory.ts';
import { type Applied, applyAssessments } from './apply.ts';
import { applyAnswer } from './apply-answer.ts';
import { createMeter } from './call.ts';
import type { CycleFacts } from './cycle-facts.ts';
import type { CycleOutcome, CycleRequest, CycleTools, Draft } from './cycle-request.ts';
import { finishCycle } from './finish-cycle.ts';
import { gatherFacts } from './gather.ts';
import { askReflector, askTriage, newTrace } from './reflect.ts';
import { buildInput, promptVersion } from './reflection-input.ts';
import { type ValidatedAnswer, validateAnswer } from './validate.ts';

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

const noBeliefChange = { added: [], reaffirmed: [], revised: [], expired: [], evicted: [] };

/**
 * Runs one cycle: gathers facts, asks the reflector, validates the answer and applies it. Never throws. A failed
 * cycle changes only what the facts alone demand; an applied one is processed to its end, item by item.
 */
export async function runCycle(tools: CycleTools, request: CycleRequest): Promise<CycleOutcome> {
  const { config, memory, triggers, lost } = request;
  const startedAt = tools.clock();
  const { lastCycle, waiting } = memory.history.value;
  const day = () => memory.costs.value.days.find((each) => each.day === dayOf(startedAt));
  const draft: Draft = {
    ...{ cycle: lastCycle + 1, startedAt, depth: 'deep', peers: [] },
    trace: newTrace(),
    meter: createMeter(config.budget, day),
    waiting: new Set(waiting),
    began: new Set(waiting),
  };
  const deadline = startDeadline(config.timeoutMs, [...request.signals, lost]);
  let written: Applied | null = null;
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
      await settleIdle(memory, draft.began);
      return { status: 'idle' };
    }
    // The cycle is committed here: the remaining steps are local and ignore aborts and the timeout.
    const applied = await assess(answer);
    written = applied;
    // Another process has taken over meanwhile, and decided by newer facts.
    if (lost.aborted) throw lost.reason;
    const now = tools.clock();
    const { drops, ...changes } = await applyAnswer(request, answer, { cycle: draft.cycle, now });
    const record = await finishCycle(tools, request, draft, {
      ...{ status: 'applied', failure: null, applied, now, answer, ...changes },
      drops: [...answer.dropped, ...applied.drops, ...drops],
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
    const applied = code === 'ABORTED' ? written : await assess(null);
    const skip = prevented && { ...prevented, at: startedAt, triggers: [...triggers] };
    if (skip !== null) {
      tools.logger.info({ ...skip }, 'The reflector was not called: its budget is used up');
      await memory.costs.update((stored) => withSkip(stored, skip));
      if (applied?.assessments.length === 0 && draft.meter.cost.calls === 0)
        return { status: 'skipped', skip };
    }
    const record = await finishCycle(tools, request, draft, {
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

/** Removes the peers that were due and turned out to have nothing new. */
async function settleIdle(memory: Memory, began: ReadonlySet<string>): Promise<void> {
  if (memory.history.value.waiting.length === 0) return;
  await memory.history.update((stored) => ({
    ...stored,
    waiting: stored.waiting.filter((peerId) => !began.has(peerId)),
  }));
}
