import { clampTrust } from './clamp.ts';
import type { PeerFacts } from './facts.ts';
import type { Reflector } from './reflector.ts';
import type { WorkFacts } from './work.ts';

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

const counted = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`;

/** A duration in the largest unit that it fills, e.g. `3 days`. */
function span(ms: number): string {
  for (const [unit, size] of units) if (ms >= size) return counted(Math.floor(ms / size), unit);
  return 'less than a second';
}

/**
 * The trust that a record of finished work earns, −10…+10: (good − 2·bad) / (good + 2·bad + 4) on that scale, a
 * disputed piece counting as two bad ones. A failure weighs twice a success, and the 4 keeps short records near 0:
 * one success is +2, five are +6, twenty +8; one failure is −3, three are −6; five of each is −3.
 */
export function ruleTrust(work: Pick<WorkFacts, 'successes' | 'failures' | 'disputed'>): number {
  const bad = 2 * (work.failures + work.disputed);
  return clampTrust((10 * (work.successes - bad)) / (work.successes + bad + 4), null, 10);
}

/** What happened, in numbers. No word about why. */
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
    peer.latest === null
      ? 'First assessment.'
      : `Trust before: ${peer.latest.trust > 0 ? '+' : ''}${peer.latest.trust}.`,
  ].join(' ');
}

/** What the record says about how to deal with the peer; null while there is too little of it. */
function advice(work: WorkFacts): string | null {
  const finished = work.successes + work.failures;
  if (finished < 3) return null;
  const record = `${work.successes} of ${finished} pieces of work ended well`;
  if (work.failures === 0) return `${record}; has kept what was agreed`;
  if (work.failures * 5 <= finished) return `${record}; check its results`;
  return `${record}; check every result and keep the stakes small`;
}

/**
 * The reflector that needs no model (CTX-8): deterministic, offline, free. It counts what the ledger recorded, says
 * so in the rationale, and lets the counts decide; it never guesses at intentions, and it does not read what peers
 * wrote, so nobody can talk it over.
 */
export function createRuleReflector(): Reflector {
  return {
    name: 'rule',
    async reflect({ facts }) {
      const assessments = facts.peers
        .filter((peer) => peer.work.successes + peer.work.failures > 0 || peer.interactionCount >= 3)
        .map((peer) => ({
          peerId: peer.peerId,
          trust: ruleTrust(peer.work),
          rationale: rationale(peer),
          evidence: peer.interactions.filter((one) => one.outcome !== null).map((one) => one.label),
        }));
      const beliefs = facts.peers.flatMap((peer) => {
        const value = advice(peer.work);
        if (value === null) return [];
        const key = 'work-record';
        const why = `${peer.work.successes} ended well and ${peer.work.failures} badly in ${counted(peer.interactionCount, 'message')}`;
        return [{ key, value, rationale: why, peerId: peer.peerId, revises: key }];
      });
      const judged = counted(assessments.length, 'peer');
      return {
        output: {
          assessments,
          beliefs,
          summary: `Counted the record of ${judged} out of ${facts.peers.length} that were active.`,
        },
        finishReason: 'stop',
        usage: { inputTokens: 0, outputTokens: 0 },
      };
    },
  };
}
