import { computeAggregates } from '../aggregates.ts';
import { successRate } from '../outcome.ts';
import { isPardoned } from '../policy.ts';
import type { Peer, PeerAssessmentSummary, PeerOverview, Trend } from '../records.ts';
import type { LedgerStore, StoredPeer } from '../store.ts';
import type { LedgerDependencies } from './dependencies.ts';
import { infoScorer } from './info-scorer.ts';

const trajectoryLength = 10;
const trendWorks = 10;

type Reading = Pick<LedgerDependencies, 'store' | 'config'>;

/** A peer with what the agent makes of it now. */
export async function overviewOf(context: Reading, { peer, latest }: StoredPeer): Promise<PeerOverview> {
  const score = await infoScorer(context, peer);
  return { ...peer, infoScoreNow: score(peer), latest, successRate: successRate(peer) };
}

/** Summarizes a peer for policy and prompt at `asOf`, ms since epoch. */
export async function summarizePeer(
  context: Reading,
  { peer, latest }: StoredPeer,
  asOf: number,
): Promise<PeerAssessmentSummary> {
  const { store } = context;
  const newest = latest
    ? await store.listAssessments({ peerId: peer.peerId, order: 'newest', limit: trajectoryLength })
    : [];
  const score = await infoScorer(context, peer);
  return {
    channel: peer.channel,
    infoScoreNow: score(peer),
    latest: latest && {
      infoScore: latest.infoScore,
      trust: latest.trust,
      rationale: latest.rationale,
      createdAt: latest.createdAt,
      source: latest.source,
    },
    trajectory: newest.map(({ trust, createdAt }) => ({ trust, at: createdAt })).reverse(),
    counts: {
      interactions: peer.interactionCount,
      assessments: peer.assessmentCount,
      successes: peer.successCount,
      failures: peer.failureCount,
      open: peer.openCount,
      violations: peer.violationCount,
    },
    successRate: successRate(peer),
    trend: await trendOf(store, peer, asOf),
    violation: violationOf(peer),
    asOf,
  };
}

async function trendOf(store: LedgerStore, peer: Peer, now: number): Promise<Trend> {
  if (peer.successCount + peer.failureCount < 4) return 'unknown';
  const outcomes = await store.listOutcomes({
    peerId: peer.peerId,
    order: 'newest',
    limit: trendWorks * 4,
    only: 'counted',
  });
  return computeAggregates({ outcomes, interactions: [] }, { now, trendLength: trendWorks }).trend;
}

function violationOf({
  lastViolationAt: at,
  operatorTrust,
}: Peer): { readonly at: number; readonly lifted: boolean } | null {
  return at === null ? null : { at, lifted: isPardoned(operatorTrust) };
}
