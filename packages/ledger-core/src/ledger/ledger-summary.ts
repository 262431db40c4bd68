import { compareUtf8 } from '@bonafide/internal';
import { isTooOften, type OverAssessed } from '../over-assessment.ts';
import type { LedgerSummary } from '../records.ts';
import type { LedgerStore } from '../store.ts';
import { allAssessments } from './all-rows.ts';
import type { LedgerDependencies } from './dependencies.ts';
import { overviewOf } from './peer-summary.ts';

const flaggedShown = 100;
const overAssessedWindowMs = 30 * 86_400_000;

/** The whole ledger in a few numbers. */
export async function summarizeLedger(context: LedgerDependencies): Promise<LedgerSummary> {
  const { store, now, ensureOpen } = context;
  ensureOpen();
  const totals = await store.getTotals();
  const flagged = await store.listPeers({ orderBy: 'lastSeenAt', limit: flaggedShown, trustBelow: 0 });
  const countWhere = (matches: (trust: number) => boolean) =>
    totals.trustDistribution.reduce((sum, { trust, peers }) => sum + (matches(trust) ? peers : 0), 0);
  return {
    ...totals,
    assessedPeers: countWhere(() => true),
    flagged: await Promise.all(flagged.map((row) => overviewOf(context, row))),
    flaggedCount: countWhere((trust) => trust < 0),
    overAssessed: await listOverAssessed(store, Math.max(0, now() - overAssessedWindowMs)),
  };
}

async function listOverAssessed(store: LedgerStore, since: number): Promise<readonly OverAssessed[]> {
  return await (store.listOverAssessed?.(since) ?? findOverAssessed(store, since));
}

async function findOverAssessed(store: LedgerStore, since: number): Promise<readonly OverAssessed[]> {
  const times = new Map<string, number[]>();
  for await (const row of allAssessments(store, null, since)) {
    if (row.source === 'operator') continue;
    const ofPeer = times.get(row.peerId);
    if (ofPeer) ofPeer.push(row.createdAt);
    else times.set(row.peerId, [row.createdAt]);
  }
  const found: OverAssessed[] = [];
  for (const [peerId, at] of times) {
    const [first = 0, last = first] = [at[0], at.at(-1)];
    if (at.length < 2) continue;
    const reason = isTooOften(at)
      ? 'too-often'
      : (await isSilent(store, peerId, first, last))
        ? 'nothing-new'
        : null;
    if (reason) found.push({ peerId, assessments: at.length, spanMs: last - first, reason });
  }
  return found.sort(
    (one, other) => other.assessments - one.assessments || compareUtf8(one.peerId, other.peerId),
  );
}

/** Returns true when there was no message after `after` and until `until`. */
async function isSilent(store: LedgerStore, peerId: string, after: number, until: number): Promise<boolean> {
  const [next] = await store.listInteractions({
    peerId,
    order: 'oldest',
    limit: 1,
    after: { value: after, id: '\u{10ffff}' },
  });
  return next === undefined || next.createdAt > until;
}
