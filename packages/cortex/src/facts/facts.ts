import type { GateEvidence } from '../guards/evidence.ts';
import { finalOutcomes } from '../guards/finished-work.ts';
import type {
  LedgerAlarm,
  LedgerAssessment,
  LedgerInteraction,
  LedgerPeer,
  LedgerPort,
} from '../ledger-port.ts';
import type { ObservedEvent } from '../observe/event-buffer.ts';
import { type OwnFacts, type PeerRecord, readPages, readPeerRecord } from './peer-record.ts';
import { type WorkFacts, workFacts } from './work-facts.ts';

/** One interaction of a peer in the input. `content` is text of the peer: data. */
export interface InteractionFacts {
  /** Label of the interaction in the input and in an item's `evidence`. */
  readonly label: string;
  readonly interactionId: string;
  readonly direction: 'in' | 'out';
  readonly at: number;
  readonly outcome: string | null;
  readonly contentLength: number;
  readonly content: string;
}

/** The ledger's facts about one peer. */
export interface PeerFacts {
  readonly peerId: string;
  /** The name under which the ledger shows the peer: its handle, else the full id. */
  readonly label: string;
  readonly alias: string | null;
  readonly channel: string;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  readonly interactionCount: number;
  readonly infoScore: number;
  readonly latest: Pick<LedgerAssessment, 'trust' | 'rationale' | 'source' | 'createdAt'> | null;
  /** The newest trust values, oldest first, at most eight. */
  readonly trajectory: readonly number[];
  readonly work: WorkFacts;
  /** The trust that the facts justify, which bounds every opinion. */
  readonly evidence: GateEvidence;
  /** Suspicious jumps in the size of the peer's requests. */
  readonly alarms: readonly LedgerAlarm[];
  /** Number of commitments that the peer missed. */
  readonly missed: number;
  /** The newest interactions, oldest first. */
  readonly interactions: readonly InteractionFacts[];
  /** Time of the newest fact about the peer, ms since epoch; null without one. */
  readonly lastFactAt: number | null;
}

/** The agent's activity since the last cycle, counted by the hooks. */
export interface ActivityFacts {
  readonly received: number;
  readonly sent: number;
  readonly llmCalls: number;
  readonly tools: readonly { readonly name: string; readonly calls: number }[];
}

/** Number of interactions that `work` is counted over. */
const workWindow = 200;

/** Reads the time of a peer's newest fact: a message or an outcome. Null without one. */
function newestFactAt(record: PeerRecord, interactions: readonly LedgerInteraction[]): number | null {
  const times = [interactions[0]?.createdAt, record.outcomes[0]?.createdAt].filter((at) => at !== undefined);
  return times.length === 0 ? null : Math.max(...times);
}

function readInteractions(ledger: LedgerPort, peerId: string, count: number) {
  return readPages<LedgerInteraction>(
    (cursor) => ledger.getInteractions(peerId, { limit: 100, ...(cursor === undefined ? {} : { cursor }) }),
    (rows) => rows.length >= count,
  );
}

/** Reads the ledger's facts about `peer`; `window` is the number of interactions in the input. */
export async function readPeerFacts(
  ledger: LedgerPort,
  peer: LedgerPeer,
  options: OwnFacts & { readonly window: number; readonly now: number },
): Promise<PeerFacts> {
  const { peerId, handle, alias, channel, firstSeenAt, lastSeenAt, interactionCount } = peer;
  const newestFirst = await readInteractions(ledger, peerId, workWindow);
  const record = await readPeerRecord(ledger, peer, options);
  const live = newestFirst.filter((interaction) => !interaction.voided);
  const interactions = live.toReversed();
  const newest = record.rows.at(-1);
  return {
    ...{ peerId, alias, channel, firstSeenAt, lastSeenAt, interactionCount },
    lastFactAt: newestFactAt(record, newestFirst),
    label: handle ?? peerId,
    infoScore: record.summary?.infoScoreNow ?? 0,
    latest: newest ?? null,
    trajectory: record.rows.slice(-trajectoryShown).map((assessment) => assessment.trust),
    work: workFacts(interactions, finalOutcomes(record.outcomes), record.summary?.counts ?? null),
    evidence: record.evidence,
    alarms: record.alarms,
    missed: options.missedAt.length,
    interactions: interactions
      .slice(-options.window)
      .map((interaction, index) => describe(interaction, index)),
  };
}

/** Number of newest trust values in the input. */
const trajectoryShown = 8;

function describe(interaction: LedgerInteraction, index: number): InteractionFacts {
  const { interactionId, direction, createdAt, outcome, contentLength, content } = interaction;
  // Long ids cost tokens: where they are long, the position names the interaction.
  const label = interactionId.length <= 8 ? interactionId : String(index + 1);
  return { label, interactionId, direction, at: createdAt, outcome, contentLength, content };
}

/** Counts observed events. */
export function countActivity(events: readonly ObservedEvent[]): ActivityFacts {
  const tools = new Map<string, number>();
  const count = { received: 0, sent: 0, llmCalls: 0 };
  for (const event of events) {
    if (event.kind === 'llm') count.llmCalls += 1;
    else if (event.kind === 'tool') tools.set(event.name, (tools.get(event.name) ?? 0) + 1);
    else if (event.direction === 'in') count.received += 1;
    else count.sent += 1;
  }
  return { ...count, tools: [...tools].map(([name, calls]) => ({ name, calls })) };
}
