import type { Page } from '@bonafide/internal';
import { positionOfCursor, toPage } from '../cursor.ts';
import { parse } from '../parse.ts';
import { positionOfInteraction, positionOfOutcome } from '../positions.ts';
import type {
  Assessment,
  AssessmentSource,
  Interaction,
  OutcomeEvent,
  PeerOrder,
  PeerOverview,
} from '../records.ts';
import { assessmentListSchema, outcomePageSchema, pageSchema, peerPageSchema } from '../schemas.ts';
import type { HistoryQuery, OutcomeQuery, Position } from '../store.ts';
import type { LedgerDependencies } from './dependencies.ts';
import { findPeer } from './find-peer.ts';
import { overviewOf } from './peer-summary.ts';

/** Options of a list. */
export interface PageOptions {
  /**
   * Items on the page, 1…1000.
   * @default 50
   */
  readonly limit?: number | undefined;
  /** `nextCursor` of the page before. */
  readonly cursor?: string | null | undefined;
}

/** Options of `listPeers`. */
export interface PeerPageOptions extends PageOptions {
  /** @default 'lastSeenAt' */
  readonly orderBy?: PeerOrder | undefined;
}

/** Options of `getOutcomes`. */
export interface OutcomePageOptions extends PageOptions {
  /**
   * `counted`: without outcomes of works whose messages the operator voided. `finished`: of these, only successes and
   * failures.
   * @default all outcomes
   */
  readonly only?: OutcomeQuery['only'];
}

/** Options of `getAssessments`. */
export interface AssessmentListOptions {
  /**
   * Number of newest assessments.
   * @default all
   */
  readonly limit?: number | undefined;
  /**
   * Only assessments of this source.
   * @default all
   */
  readonly source?: AssessmentSource | undefined;
}

/** Peers with what the agent makes of them, page by page. */
export async function listPeers(
  context: LedgerDependencies,
  options: PeerPageOptions,
): Promise<Page<PeerOverview>> {
  context.ensureOpen();
  const { limit, cursor, orderBy } = parse(peerPageSchema, options, 'options');
  const list = `peers/${orderBy}`;
  const after = cursor ? positionOfCursor(list, cursor) : undefined;
  const rows = await context.store.listPeers({ orderBy, limit: limit + 1, after });
  const overviews = await Promise.all(rows.map((row) => overviewOf(context, row)));
  return toPage(list, overviews, limit, (peer) => ({ value: peer[orderBy], id: peer.peerId }));
}

/** Lists a peer's messages. Cursors of one order are rejected by the other. */
export function listInteractions(
  context: LedgerDependencies,
  peerId: string,
  order: HistoryQuery['order'],
  page: PageOptions = {},
): Promise<Page<Interaction>> {
  const list = order === 'newest' ? 'interactions' : 'conversation';
  const read = (query: HistoryQuery) => context.store.listInteractions(query);
  return listHistory(context, { list, read, positionOf: positionOfInteraction, peerId, order, page });
}

/** A peer's outcome events, newest first, all or those that count. */
export function listOutcomes(
  context: LedgerDependencies,
  peerId: string,
  options: OutcomePageOptions = {},
): Promise<Page<OutcomeEvent>> {
  const { only, ...page } = parse(outcomePageSchema, options, 'options');
  const read = (query: HistoryQuery) => context.store.listOutcomes({ ...query, only });
  return listHistory(context, {
    list: only === undefined ? 'outcomes' : `outcomes/${only}`,
    read,
    positionOf: positionOfOutcome,
    peerId,
    order: 'newest',
    page,
  });
}

/** A peer's newest assessments, at most `limit`, in order of time. */
export async function listAssessments(
  context: LedgerDependencies,
  peerId: string,
  options: AssessmentListOptions = {},
): Promise<readonly Assessment[]> {
  const { limit, source } = parse(assessmentListSchema, options, 'options');
  const found = await findPeer(context, peerId);
  if (!found) return [];
  const query = { peerId: found.peer.peerId, order: 'newest', limit, source } as const;
  return (await context.store.listAssessments(query)).toReversed();
}

interface History<Row> {
  /** Names the list in its cursors. */
  readonly list: string;
  readonly read: (query: HistoryQuery) => Promise<readonly Row[]>;
  readonly positionOf: (row: Row) => Position;
  readonly peerId: string;
  readonly order: HistoryQuery['order'];
  readonly page: PageOptions;
}

async function listHistory<Row>(
  context: LedgerDependencies,
  { list, read, positionOf, peerId, order, page }: History<Row>,
): Promise<Page<Row>> {
  const { limit, cursor } = parse(pageSchema, page, 'options');
  const found = await findPeer(context, peerId);
  if (!found) return { items: [], nextCursor: null };
  const id = found.peer.peerId;
  const listOfPeer = `${list}/${id}`;
  const after = cursor ? positionOfCursor(listOfPeer, cursor) : undefined;
  const rows = await read({ peerId: id, order, limit: limit + 1, after });
  return toPage(listOfPeer, rows, limit, positionOf);
}
