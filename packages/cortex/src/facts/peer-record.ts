import { type GateEvidence, gateEvidence } from '../guards/evidence.ts';
import type {
  LedgerAlarm,
  LedgerAssessment,
  LedgerInteraction,
  LedgerOutcome,
  LedgerPeerSummary,
  LedgerPort,
} from '../ledger-port.ts';

/** The rows of the ledger that bound the trust in a peer. */
export interface PeerRecord {
  /** Outcomes, newest first. */
  readonly outcomes: readonly LedgerOutcome[];
  /** Assessments by any source, oldest first. */
  readonly rows: readonly LedgerAssessment[];
  readonly alarms: readonly LedgerAlarm[];
  readonly summary: LedgerPeerSummary | null;
}

const outcomesPerPage = 500;
/** Most outcomes that are read: several for each of the pieces of work that count. */
const outcomesRead = 1_000;
/** Most assessments that are read, so that the operator's last one is found among many by the cortex. */
const rowsRead = 1_000;

async function readOutcomes(
  ledger: LedgerPort,
  peerId: string,
  interactions: readonly LedgerInteraction[],
): Promise<readonly LedgerOutcome[]> {
  if (ledger.getOutcomes === undefined) return outcomesOfMessages(interactions);
  const outcomes: LedgerOutcome[] = [];
  let cursor: string | undefined;
  do {
    const page = await ledger.getOutcomes(peerId, {
      limit: outcomesPerPage,
      ...(cursor === undefined ? {} : { cursor }),
    });
    outcomes.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && outcomes.length < outcomesRead);
  return withoutVoided(outcomes, interactions);
}

/** Stands in for outcomes where the ledger does not list them: each message carries the outcome of its piece of work. */
function outcomesOfMessages(interactions: readonly LedgerInteraction[]): readonly LedgerOutcome[] {
  return interactions.flatMap(({ correlationId, outcome, createdAt, voided }) =>
    correlationId === null || outcome === null || voided ? [] : [{ correlationId, outcome, createdAt }],
  );
}

/** Removes outcomes of work whose messages the operator voided. */
function withoutVoided(
  outcomes: readonly LedgerOutcome[],
  interactions: readonly LedgerInteraction[],
): readonly LedgerOutcome[] {
  const live = new Set(interactions.filter((row) => !row.voided).map((row) => row.correlationId));
  const voided = new Set(interactions.filter((row) => row.voided).map((row) => row.correlationId));
  return outcomes.filter(({ correlationId }) => live.has(correlationId) || !voided.has(correlationId));
}

/** Reads what bounds the trust in a peer. `interactions` are its newest ones. */
export async function readPeerRecord(
  ledger: LedgerPort,
  peerId: string,
  interactions: readonly LedgerInteraction[],
): Promise<PeerRecord> {
  const [outcomes, rows, trajectory, summary] = await Promise.all([
    readOutcomes(ledger, peerId, interactions),
    ledger.getAssessments(peerId, { limit: rowsRead }),
    ledger.getTrajectory?.(peerId),
    ledger.getPeerAssessmentSummary(peerId),
  ]);
  const alarms = trajectory?.alarms.filter((alarm) => alarm.kind === 'size-jump') ?? [];
  return { outcomes, rows, alarms, summary };
}

/** Derives the evidence from a record. `missedAt` are the times of missed commitments. */
export function evidenceOf(
  record: PeerRecord,
  { missedAt, now }: { readonly missedAt: readonly number[]; readonly now: number },
): GateEvidence {
  const { outcomes, rows, alarms, summary } = record;
  return gateEvidence({
    ...{ rows, now },
    outcomes: outcomes.toReversed(),
    alarms: [...alarms.map((alarm) => alarm.at), ...missedAt],
    violation: summary?.violation?.lifted === false,
  });
}
