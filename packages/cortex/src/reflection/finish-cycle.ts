import type { CycleRecord } from '../audit/cycle-record.ts';
import type { DroppedItem } from '../audit/dropped-item.ts';
import { addCost } from '../cost/cost.ts';
import type { PeerFacts } from '../facts/facts.ts';
import type { Applied } from './apply.ts';
import type { AppliedAnswer } from './apply-answer.ts';
import type { CycleRequest, CycleTools, Draft } from './cycle-request.ts';
import { knownFirst } from './gather.ts';
import { promptVersion } from './reflection-input.ts';
import { soulOf } from './soul.ts';
import type { ValidatedAnswer } from './validate.ts';

/** Number of peers whose marks are kept in memory; others are found again in the ledger. */
const maxRemembered = 1_000;

/** Facts without the texts of peers, small enough to be kept with every cycle. */
const withoutTexts = (peer: PeerFacts): PeerFacts => ({
  ...peer,
  alias: null,
  latest: peer.latest && { ...peer.latest, rationale: '' },
  interactions: peer.interactions.map((one) => ({ ...one, content: '' })),
});

/** The end of a cycle. */
export interface Ending extends Omit<AppliedAnswer, 'drops'> {
  readonly status: CycleRecord['status'];
  readonly failure: CycleRecord['failure'];
  readonly applied: Applied | null;
  readonly answer: ValidatedAnswer;
  readonly drops: readonly DroppedItem[];
  readonly now: number;
}

/** Builds the record, and stores it with marks, cost and what is still waiting. */
export async function finishCycle(
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
      // What another process found meanwhile stays due.
      waiting: [
        ...due,
        ...stored.waiting.filter((peerId) => !draft.began.has(peerId) && !draft.waiting.has(peerId)),
      ].slice(0, maxRemembered),
      cycles: [...stored.cycles, written].slice(-config.historySize),
    };
  });
  return written;
}
