import type { PeerTemplateName } from '../beliefs/templates.ts';
import type { PeerFacts } from '../facts/facts.ts';
import type { Reflector } from './reflector.ts';

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

const counted = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`;

/** Formats a duration in its largest unit, for example `3 days`. */
function span(ms: number): string {
  for (const [unit, size] of units) if (ms >= size) return counted(Math.floor(ms / size), unit);
  return 'less than a second';
}

/** Describes the record in numbers, without a statement about causes. */
function rationale(peer: PeerFacts): string {
  const { work } = peer;
  const finished = work.successes + work.failures;
  const over = peer.lastSeenAt > peer.firstSeenAt ? ` over ${span(peer.lastSeenAt - peer.firstSeenAt)}` : '';
  const parts = [
    ...(work.delivered > 0 ? [`${work.delivered} delivered`] : []),
    ...(work.verified > 0 ? [`${work.verified} verified`] : []),
    ...(work.rejected > 0 ? [`${work.rejected} rejected`] : []),
    ...(work.disputed > 0 ? [`${work.disputed} disputed`] : []),
    ...(work.timedOut > 0 ? [`${work.timedOut} timed out`] : []),
  ];
  const pieces = [
    ...(work.requested > 0 ? [`${work.requested} requested`] : []),
    ...(work.askedOfUs > 0 ? [`${work.askedOfUs} asked of us`] : []),
    ...parts,
  ];
  return [
    `${counted(peer.interactionCount, 'message')}${over}.`,
    pieces.length === 0 ? 'No pieces of work.' : `Work: ${pieces.join(', ')}.`,
    finished === 0
      ? 'No work is finished, so there is no basis to judge.'
      : `${work.successes} of ${finished} finished ended well.`,
    ...(work.medianLatencyMs === null
      ? []
      : [`Median time to an answer: ${Math.round(work.medianLatencyMs)} ms.`]),
    ...(peer.evidence.violation ? ['It has attacked.'] : []),
    ...(peer.missed > 0 ? [`Missed ${counted(peer.missed, 'commitment')}.`] : []),
    ...peer.alarms.slice(-1).map((alarm) => `${alarm.finding}.`),
    peer.latest === null
      ? 'First assessment.'
      : `Trust before: ${peer.latest.trust > 0 ? '+' : ''}${peer.latest.trust}.`,
  ].join(' ');
}

/** Names the beliefs that the facts support, the most important first. */
function beliefKeys(peer: PeerFacts): readonly PeerTemplateName[] {
  const { work, evidence, alarms, missed } = peer;
  const finished = work.successes + work.failures;
  return [
    ...(evidence.violation ? (['attacked'] as const) : []),
    ...(alarms.length > 0 ? (['escalating-requests'] as const) : []),
    ...(missed > 0 ? (['missed-commitment'] as const) : []),
    ...(finished >= 3 ? (['work-record'] as const) : []),
    ...(finished >= 3 && work.failures > 0 ? (['check-results'] as const) : []),
    ...(finished >= 3 && evidence.center < 0 ? (['small-stakes'] as const) : []),
  ];
}

function directivesFor(peer: PeerFacts) {
  const { work, evidence, alarms, peerId } = peer;
  return [
    ...((alarms.length > 0 && evidence.alarmAt !== null) || evidence.center < 0
      ? [{ peerId, kind: 'decline_large_work' }]
      : []),
    ...(work.failures > 0 && work.successes > 0 ? [{ peerId, kind: 'require_verification' }] : []),
  ];
}

/** Answers a consultation by the record alone. */
function advise(peer: PeerFacts | null) {
  const center = peer?.evidence.center ?? 0;
  const finished = peer === null ? 0 : peer.work.successes + peer.work.failures;
  const record =
    peer === null || finished === 0
      ? 'No work with this peer is finished.'
      : `${peer.work.successes} of ${finished} finished pieces of work ended well.`;
  if (center >= 4) return { verdict: 'approve', reasoning: record };
  if (center <= -2) return { verdict: 'deny', reasoning: record };
  return {
    verdict: 'conditional',
    conditions: ['Keep the stakes small.', 'Pay after delivery.'],
    reasoning: record,
  };
}

/**
 * Creates a reflector without a model: deterministic, offline, free. It counts the outcomes of the ledger, states
 * them in the rationale, and proposes the trust that they justify. It reads no text by peers, so that peers cannot
 * influence it.
 */
export function createRuleReflector(): Reflector {
  return {
    name: 'rule',
    async reflect({ facts, depth }) {
      if (depth === 'consultation') return { output: advise(facts.peers[0] ?? null) };
      const assessments = facts.peers
        .filter(
          ({ work, interactionCount, evidence }) =>
            work.successes + work.failures > 0 || interactionCount >= 3 || evidence.violation,
        )
        .map((peer) => ({
          peerId: peer.peerId,
          trust: peer.evidence.violation ? Math.min(-8, peer.evidence.center) : peer.evidence.center,
          rationale: rationale(peer),
          evidence: peer.interactions.filter((one) => one.outcome !== null).map((one) => one.label),
        }));
      const beliefs = facts.peers.flatMap((peer) => {
        const why = `${peer.work.successes} ended well and ${peer.work.failures} badly in ${counted(peer.interactionCount, 'message')}`;
        return beliefKeys(peer).map((key) => ({ key, rationale: why, peerId: peer.peerId }));
      });
      const judged = counted(assessments.length, 'peer');
      return {
        output: {
          assessments,
          beliefs,
          directives: facts.peers.flatMap(directivesFor),
          summary: `Counted the record of ${judged} out of ${facts.peers.length} that were active.`,
        },
        finishReason: 'stop',
        usage: { inputTokens: 0, outputTokens: 0 },
      };
    },
  };
}
