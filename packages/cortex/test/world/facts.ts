import { type CycleFacts, noEvidence, type PeerFacts, type WorkFacts } from '../../src/index.ts';

export const noWork: WorkFacts = {
  ...{ requested: 0, delivered: 0, verified: 0, rejected: 0, disputed: 0, timedOut: 0, askedOfUs: 0 },
  ...{ successes: 0, failures: 0, medianLatencyMs: null },
};

/** Facts about a peer, mostly empty. */
export function peerFacts(
  peerId: string,
  more: Partial<Omit<PeerFacts, 'interactions' | 'work'>> & {
    interactions?: number;
    content?: string;
    work?: Partial<WorkFacts>;
  } = {},
): PeerFacts {
  const { interactions = 0, content = 'Here is the result', work, ...rest } = more;
  return {
    peerId,
    label: `p-${peerId.slice(0, 8)}`,
    alias: null,
    channel: 'nostr',
    firstSeenAt: Date.UTC(2026, 10, 17),
    lastSeenAt: Date.UTC(2026, 10, 20),
    interactionCount: interactions,
    infoScore: 3,
    latest: null,
    trajectory: [],
    lastFactAt: Date.UTC(2026, 10, 20),
    evidence: noEvidence,
    alarms: [],
    missed: 0,
    ...rest,
    work: { ...noWork, ...work },
    interactions: Array.from({ length: interactions }, (_, n) => ({
      label: String(n + 1),
      interactionId: `${peerId}-interaction-${n}`,
      direction: n % 2 === 0 ? 'out' : 'in',
      at: Date.UTC(2026, 10, 18, n),
      outcome: 'delivered',
      contentLength: content.length,
      content,
    })),
  };
}

export function cycleFacts(peers: readonly PeerFacts[], more: Partial<CycleFacts> = {}): CycleFacts {
  return {
    cycle: 1,
    now: Date.UTC(2026, 10, 20, 12),
    agentName: 'Alpha',
    triggers: ['timer'],
    activity: { received: 5, sent: 5, llmCalls: 2, tools: [{ name: 'query_peer', calls: 2 }] },
    peers,
    beliefs: [],
    soul: null,
    previousSummary: null,
    lessons: [],
    ...more,
  };
}
