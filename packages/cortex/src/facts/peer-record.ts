import { type GateEvidence, gateEvidence } from '../guards/evidence.ts';
import { workCounted } from '../guards/finished-work.ts';
import type {
  LedgerAlarm,
  LedgerAssessment,
  LedgerInteraction,
  LedgerOutcome,
  LedgerPeer,
  LedgerPeerSummary,
  LedgerPort,
} from '../ledger-port.ts';
import type { TrustMark } from '../state/memory.ts';

/** The rows of the ledger that bound the trust in a peer. */
export interface PeerRecord {
  /** Outcomes of finished work, newest first. */
  readonly outcomes: readonly LedgerOutcome[];
  /** The newest assessments by any source, oldest first. */
  readonly rows: readonly LedgerAssessment[];
  /** True when the ledger has older assessments than these, which no decision needs. */
  readonly truncated: boolean;
  readonly alarms: readonly LedgerAlarm[];
  readonly summary: LedgerPeerSummary | null;
  /** The trust that the record justifies. */
  readonly evidence: GateEvidence;
}

const rowsPerPage = 500;
/** Messages that are read for outcomes, where the ledger does not list them. */
const messagesRead = 1_000;

/** Reads rows page by page until `isEnough`. Pages may be shorter than asked for. */
export async function readPages<Item>(
  read: (cursor: string | undefined) => Promise<{
    readonly items: readonly Item[];
    readonly nextCursor: string | null;
  }>,
  isEnough: (items: readonly Item[]) => boolean,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    items.push(...page.items);
    cursor = page.items.length === 0 ? undefined : (page.nextCursor ?? undefined);
  } while (cursor !== undefined && !isEnough(items));
  return items;
}

/** Reads outcomes until they contain every piece of work that counts: no number of other rows hides one. */
async function readOutcomes(ledger: LedgerPort, peerId: string): Promise<readonly LedgerOutcome[]> {
  const from = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor });
  if (ledger.getOutcomes === undefined) {
    const messages = await readPages<LedgerInteraction>(
      (cursor) => ledger.getInteractions(peerId, { limit: 100, ...from(cursor) }),
      (items) => items.length >= messagesRead,
    );
    // Each message carries the outcome of its piece of work.
    return messages.flatMap(({ correlationId, outcome, createdAt, voided }) =>
      correlationId === null || outcome === null || voided ? [] : [{ correlationId, outcome, createdAt }],
    );
  }
  const list = ledger.getOutcomes.bind(ledger);
  return readPages(
    (cursor) => list(peerId, { limit: rowsPerPage, only: 'finished', ...from(cursor) }),
    (items) => new Set(items.map(({ correlationId }) => correlationId)).size > workCounted,
  );
}

/**
 * Reads the newest assessments, back to the last rise above the center of the facts and the last fall below it, as far as
 * no later outcome has made them irrelevant: no number of assessments without a change hides one.
 */
async function readRows(
  ledger: LedgerPort,
  peerId: string,
  { center, settledAt, lastSuccessAt, lastFailureAt }: GateEvidence,
): Promise<{ readonly rows: readonly LedgerAssessment[]; readonly truncated: boolean }> {
  const since = settledAt ?? Number.NEGATIVE_INFINITY;
  for (let limit = rowsPerPage; ; limit *= 4) {
    const rows = await ledger.getAssessments(peerId, { limit });
    const oldest = rows[0]?.createdAt ?? 0;
    if (rows.length < limit) return { rows, truncated: false };
    const steps = rows
      .slice(1)
      .map((row, index) => ({ to: row.trust, from: rows[index]?.trust ?? row.trust }));
    const rose = steps.some(({ from, to }) => to > from && to > center);
    const fell = steps.some(({ from, to }) => to < from && to < center);
    const answered = (at: number | null) => oldest <= Math.max(at ?? since, since);
    if ((rose || answered(lastSuccessAt)) && (fell || answered(lastFailureAt)))
      return { rows, truncated: true };
  }
}

/** Number of a peer's newest messages that a ledger searches for alarms. */
const messagesWatched = 1_000;

/** What the cortex itself knows about a peer. Times in ms since epoch. */
export interface OwnFacts {
  /** Times of missed commitments. */
  readonly missedAt: readonly number[];
  /** The mark of the last cycle with this peer. */
  readonly mark: Pick<TrustMark, 'alarmAt'> | undefined;
}

/** Reads what bounds the trust in a peer. */
export async function readPeerRecord(
  ledger: LedgerPort,
  { peerId, interactionCount }: Pick<LedgerPeer, 'peerId' | 'interactionCount'>,
  { missedAt, mark, now }: OwnFacts & { readonly now: number },
): Promise<PeerRecord> {
  // Where the ledger reads all messages, it also knows which alarms the operator has voided.
  const seenAt = interactionCount > messagesWatched ? (mark?.alarmAt ?? null) : null;
  const newestBy = async (source: 'operator' | 'agent') => {
    const rows = await ledger.getAssessments(peerId, { limit: 1, source });
    return rows.filter((row) => row.source === source);
  };
  const [outcomes, byOperator, byAgent, trajectory, summary] = await Promise.all([
    readOutcomes(ledger, peerId),
    newestBy('operator'),
    newestBy('agent'),
    ledger.getTrajectory?.(peerId),
    ledger.getPeerAssessmentSummary(peerId),
  ]);
  const alarms = trajectory?.alarms.filter((alarm) => alarm.kind === 'size-jump') ?? [];
  const evidence = gateEvidence({
    rows: [...byOperator, ...byAgent],
    now,
    outcomes: outcomes.toReversed(),
    alarms: [...alarms.map((alarm) => alarm.at), ...missedAt, ...(seenAt === null ? [] : [seenAt])],
    violation: summary?.violation?.lifted === false,
  });
  return { outcomes, ...(await readRows(ledger, peerId, evidence)), alarms, summary, evidence };
}
