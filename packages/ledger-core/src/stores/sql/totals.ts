import type { LedgerTotals } from '../../store.ts';
import type { Scope } from './scope.ts';

/** Counts over the whole journal. */
export async function getTotals({ db, agentId }: Scope): Promise<LedgerTotals> {
  const counts = await db
    .selectFrom('ledger_peers')
    .select(({ fn }) => [
      fn.countAll<number>().as('peers'),
      fn.sum<number | null>('interaction_count').as('interactions'),
      fn.sum<number | null>('assessment_count').as('assessments'),
    ])
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow();
  // Most assessments are positive: counting the others reads less of the index.
  const others = await db
    .selectFrom('ledger_assessments')
    .select(({ fn }) => fn.countAll<number>().as('assessments'))
    .where('agent_id', '=', agentId)
    .where('trust', '<=', 0)
    .executeTakeFirstOrThrow();
  const trusts = await db
    .selectFrom('ledger_peers')
    .select(({ fn }) => ['latest_trust', fn.countAll<number>().as('peers')])
    .where('agent_id', '=', agentId)
    .where('latest_trust', 'is not', null)
    .groupBy('latest_trust')
    .orderBy('latest_trust')
    .execute();
  return {
    peers: Number(counts.peers),
    interactions: Number(counts.interactions),
    assessments: Number(counts.assessments),
    positiveAssessments: Number(counts.assessments) - Number(others.assessments),
    trustDistribution: trusts.map((row) => ({
      trust: Number(row.latest_trust),
      peers: Number(row.peers),
    })),
  };
}
