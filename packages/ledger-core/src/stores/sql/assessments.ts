import { keyset, prepare } from '@bonafide/storage';
import type { Selectable } from 'kysely';
import type { Assessment } from '../../records.ts';
import type { LedgerStore, StoredPeer } from '../../store.ts';
import { byLimit, inOrder } from './history.ts';
import type { Scope } from './scope.ts';
import type { LedgerTables } from './tables.ts';

/** A row of the assessments table, or of the join of a peer with its latest assessment. */
export type AssessmentRow = Omit<Selectable<LedgerTables['ledger_assessments']>, 'agent_id' | 'sequence'>;

/** The verb that reads assessments. */
export function assessmentReading(scope: Scope): Pick<LedgerStore, 'listAssessments'> {
  const newestOrOldest = byLimit((order, limit) =>
    prepare<{ peer_id: string }, AssessmentRow>((argument) =>
      keyset(
        selectAssessments(scope).where('peer_id', '=', argument('peer_id')),
        inOrder('assessment_id', order),
      ).limit(limit),
    ),
  );

  return {
    async listAssessments({ peerId, order, limit, after, source }) {
      if (peerId !== null && !after && source === undefined) {
        const { rows } = await newestOrOldest(order, limit)(scope.db, { peer_id: peerId });
        return rows.map(toAssessment);
      }
      let query = selectAssessments(scope);
      if (peerId !== null) query = query.where('peer_id', '=', peerId);
      if (source !== undefined) query = query.where('source', '=', source);
      const rows = await keyset(query, inOrder('assessment_id', order, after))
        .limit(limit)
        .execute();
      return rows.map(toAssessment);
    },
  };
}

/** Appends an assessment of a peer that this transaction has taken, and tells the peer which is its latest. */
export async function appendAssessment(
  { db, agentId }: Scope,
  { peer, latest }: StoredPeer,
  assessment: Assessment,
): Promise<void> {
  const isLatest =
    !latest ||
    assessment.createdAt > latest.createdAt ||
    (assessment.createdAt === latest.createdAt && assessment.assessmentId > latest.assessmentId);
  const { sequence } = await db
    .updateTable('ledger_peers')
    .set((eb) => ({
      assessment_count: peer.assessmentCount + 1,
      sequence: eb('sequence', '+', 1),
      ...(assessment.source === 'operator' && {
        operator_sequence: eb('sequence', '+', 1),
        operator_trust: assessment.trust,
      }),
      ...(isLatest && {
        latest_assessment_id: assessment.assessmentId,
        latest_assessed_at: assessment.createdAt,
        latest_trust: assessment.trust,
      }),
    }))
    .where('agent_id', '=', agentId)
    .where('peer_id', '=', peer.peerId)
    .returning('sequence')
    .executeTakeFirstOrThrow();
  const row = { ...fromAssessment(agentId, assessment), sequence: Number(sequence) };
  await db.insertInto('ledger_assessments').values(row).execute();
}

function selectAssessments({ db, agentId }: Scope) {
  return db.selectFrom('ledger_assessments').selectAll().where('agent_id', '=', agentId);
}

function fromAssessment(agentId: string, assessment: Assessment) {
  return {
    agent_id: agentId,
    assessment_id: assessment.assessmentId,
    peer_id: assessment.peerId,
    info_score: assessment.infoScore,
    trust: assessment.trust,
    rationale: assessment.rationale,
    source: assessment.source,
    assessor: assessment.assessor,
    created_at: assessment.createdAt,
  };
}

/** A row as the record that it keeps. */
export function toAssessment(row: AssessmentRow): Assessment {
  return {
    assessmentId: row.assessment_id,
    peerId: row.peer_id,
    infoScore: Number(row.info_score),
    trust: Number(row.trust),
    rationale: row.rationale,
    source: row.source,
    assessor: row.assessor,
    createdAt: Number(row.created_at),
  };
}
