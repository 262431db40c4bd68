/**
 * The report of an agent: platforms, work, peers, beliefs and published reviews in one document.
 * @packageDocumentation
 */
import type { Cortex } from '@bonafide/cortex';
import {
  allOrders,
  type Delegation,
  type FinishedWork,
  finishedWorkOf,
  type OrderState,
} from '@bonafide/delegation';
import { sanitizeRemoteText } from '@bonafide/internal';
import type { Ledger } from '@bonafide/ledger-core';
import type { ReviewStore } from '@bonafide/reputation';
import type { MatrixEntry, RoutingMatrix } from '@bonafide/routing-matrix';
import { computeTrustScore, evidenceFromWork, scoreFactors } from '@bonafide/trust-score';
import { npubOf } from './format.ts';

/** Parts of an agent that a report reads. Parts that it does not have are left out of the report. */
export interface ReportSources {
  readonly matrix?: Pick<RoutingMatrix, 'entries'> | undefined;
  /** The delegation, or its store. */
  readonly delegation?: Pick<Delegation, 'list'> | undefined;
  readonly ledger?: Pick<Ledger, 'listPeers'> | undefined;
  readonly cortex?: Pick<Cortex, 'refresh' | 'beliefs'> | undefined;
  /** The reputation, or its store. */
  readonly reputation?: Pick<ReviewStore, 'list'> | undefined;
}

/** Selects the contents of a report. */
export interface ReportQuery {
  /** Only orders since this time, ms since epoch. @default all */
  readonly since?: number | undefined;
  /** Only this number of orders, the latest. @default all */
  readonly orders?: number | undefined;
  /** Only platforms of this task type. @default all */
  readonly taskType?: string | undefined;
  /** Current time, ms since epoch. @default Date.now() */
  readonly now?: number | undefined;
}

/** Report of an agent. */
export type AgentReport = Awaited<ReturnType<typeof readReport>>;

/** One platform's part of an order. Names are sanitized. */
export type ReportedWork = ReturnType<typeof describe>;

const describe = ({ name, platform: { pubkey }, ...work }: FinishedWork) => ({
  key: work.key,
  /** Id of the request, an event id on Nostr. */
  id: work.jobId,
  order: work.orderId,
  kind: work.isTrial ? ('trial' as const) : ('job' as const),
  taskType: work.taskType,
  /** Id of the benchmark task of a trial; null for a job. */
  task: work.taskId,
  platform: nameOf(name, pubkey),
  pubkey,
  bidMsat: work.bidMsat,
  paidMsat: work.paidMsat,
  outcome: work.outcome,
  cause: sanitizeRemoteText(work.summary, 500),
  passed: work.passed ?? 0,
  tests: work.tests ?? 0,
  /** Ms since epoch. */
  endedAt: work.at,
  latencyMs: work.latencyMs,
});

const nameOf = (name: string | null, pubkey: string) => sanitizeRemoteText(name ?? pubkey.slice(0, 8), 24);

/** Describes what each platform that was asked did for an order. */
export const reportWork = (order: OrderState): readonly ReportedWork[] =>
  finishedWorkOf(order)
    .filter(({ jobId }) => jobId !== '')
    .map(describe);

/** Reads the finished work of an agent, oldest first. */
export async function readWork(
  delegation: Pick<Delegation, 'list'>,
  { since = 0, orders = Number.POSITIVE_INFINITY }: Pick<ReportQuery, 'since' | 'orders'> = {},
): Promise<readonly ReportedWork[]> {
  const work: ReportedWork[] = [];
  let read = 0;
  for await (const { state } of allOrders(delegation, { settled: true })) {
    if (state.createdAt >= since) work.push(...reportWork(state));
    read += 1;
    if (read >= orders) break;
  }
  return work.sort((a, b) => a.endedAt - b.endedAt || (a.key < b.key ? -1 : 1));
}

/** Returns true for failed and missing work and for attacks. Work that was not judged is not bad. */
export const isBadWork = ({ outcome }: Pick<ReportedWork, 'outcome'>): boolean =>
  !['SUCCESS', 'PARTIAL', 'INFRA'].includes(outcome);

/** Returns the money that went into work that was not worth it, msat: the bids of failed work, attacks included. */
export const wastedMsat = (work: readonly ReportedWork[]): number =>
  work.filter(isBadWork).reduce((sum, { bidMsat }) => sum + bidMsat, 0);

/** Reads the report of an agent. */
export async function readReport(sources: ReportSources, query: ReportQuery = {}) {
  const { matrix, delegation, ledger, cortex, reputation } = sources;
  const { now = Date.now(), taskType } = query;
  const jobs = delegation ? await readWork(delegation, query) : [];
  const { items: known = [] } = (await ledger?.listPeers({ limit: 1_000 })) ?? {};
  const entries = (await matrix?.entries(taskType === undefined ? {} : { taskType })) ?? [];

  /** Computes the trust score of a platform's work of a task type. */
  const scoreOf = ({ platform: { pubkey }, taskType: type }: MatrixEntry) => {
    const own = jobs.filter((work) => work.pubkey === pubkey && work.taskType === type);
    const tasks = own.map(({ kind, endedAt, ...work }) => ({
      ...work,
      at: endedAt,
      isTrial: kind === 'trial',
    }));
    const since = known.find(({ peerId }) => peerId === pubkey)?.firstSeenAt ?? now;
    return computeTrustScore(scoreFactors(evidenceFromWork(tasks, { since, now }))).value;
  };
  const platforms = entries
    .map((entry) => ({
      name: nameOf(entry.name, entry.platform.pubkey),
      npub: npubOf(entry.platform.pubkey) ?? entry.platform.pubkey,
      taskType: entry.taskType,
      status: entry.status,
      reason: entry.statusReason,
      tier: entry.tier,
      /** The matrix's own trust, 0…0.9; null before it has decided. */
      trust: entry.trustScore,
      /** The trust score of the platform's work, 0…1. */
      score: scoreOf(entry),
    }))
    .sort((a, b) => (b.trust ?? 0) - (a.trust ?? 0));
  const peers = known.map(({ peerId, alias, interactionCount, infoScoreNow, latest }) => ({
    peerId,
    alias,
    interactions: interactionCount,
    infoScore: infoScoreNow,
    trust: latest?.trust ?? null,
    rationale: latest?.rationale ?? null,
  }));
  await cortex?.refresh();
  const { items: published = [] } = (await reputation?.list({ state: 'published', limit: 500 })) ?? {};
  const reviews = published.map(({ key, review, events }) => ({
    id: events[0]?.id ?? key,
    subject: review.subject,
    /** 1…5. */
    rating: 1 + 4 * review.trustScore,
    summary: review.summary,
  }));
  return { platforms, jobs, peers, beliefs: cortex?.beliefs() ?? [], reviews };
}
