import * as z from 'zod';

/** Schema of a commitment in the state. */
export const commitmentSchema = z.object({
  id: z.string(),
  peerId: z.string(),
  /** Description of the promise. Text of the host or of a model: data. */
  what: z.string(),
  /** ms since epoch. */
  dueAt: z.number(),
  /** An incoming message with this id fulfils it; null for any incoming message. */
  correlationId: z.string().nullable(),
  /** Only commitments of the host count against a peer: a manipulated model could invent others. */
  source: z.enum(['host', 'reflector']),
  createdAt: z.number(),
  status: z.enum(['open', 'missed']),
});

/** A promise of a peer as the host notes it. */
export interface CommitmentInput {
  readonly peerId: string;
  readonly what: string;
  /** ms since epoch. */
  readonly dueAt: number;
  /** An incoming message with this id fulfils it. @default any incoming message */
  readonly correlationId?: string;
}

/** A promise of a peer with a due time. */
export type Commitment = Readonly<z.output<typeof commitmentSchema>>;

/** Time for which a missed commitment is kept, in ms. */
const missedMs = 30 * 86_400_000;
/** Most commitments of the host that are kept. The earliest due ones are dropped first. */
const maxOfHost = 500;
/** Most commitments of a model that are kept, in all, and per peer and status. Further ones are not added. */
const maxOfModel = { total: 100, perPeer: 3 };
/** Farthest due time of a commitment that a model notes, in ms from now. */
const farthestDueMs = 90 * 86_400_000;

/** An incoming message, as far as commitments are concerned. */
export interface IncomingMessage {
  readonly peerId: string;
  readonly correlationId: string | null;
  readonly at: number;
}

/** Returns true when the message fulfils the commitment: from the same peer, in time, about the same work. Pure. */
export function fulfils(message: IncomingMessage, commitment: Commitment): boolean {
  const { peerId, correlationId, dueAt, createdAt } = commitment;
  if (message.peerId !== peerId || message.at > dueAt || message.at < createdAt) return false;
  return correlationId === null || message.correlationId === correlationId;
}

/** Returns the open commitments whose due time has passed. Pure. */
export function overdue(commitments: readonly Commitment[], now: number): readonly Commitment[] {
  return commitments.filter(({ status, dueAt }) => status === 'open' && dueAt < now);
}

/** Returns true for a due time that a commitment noted by a model may have: one in the past would only start cycles. Pure. */
export function isPlausibleDueTime(dueAt: number, now: number): boolean {
  return dueAt > now && dueAt - now <= farthestDueMs;
}

/** Removes what no longer matters, and what exceeds the limits of its source. Pure. */
export function pruneCommitments(commitments: readonly Commitment[], now: number): Commitment[] {
  const current = commitments.filter(({ status, dueAt }) => status === 'open' || now - dueAt < missedMs);
  const ofHost = current
    .filter(({ source }) => source === 'host')
    .toSorted((a, b) => a.dueAt - b.dueAt)
    .slice(-maxOfHost);
  const perPeer = new Map<string, number>();
  const ofModel = current
    .filter(({ source }) => source === 'reflector')
    .filter(({ peerId, status }) => {
      const count = (perPeer.get(`${status} ${peerId}`) ?? 0) + 1;
      perPeer.set(`${status} ${peerId}`, count);
      return count <= maxOfModel.perPeer;
    })
    .slice(0, maxOfModel.total);
  return [...ofHost, ...ofModel].sort((a, b) => a.dueAt - b.dueAt || a.createdAt - b.createdAt);
}

/** Returns the due times of commitments that the peer missed and that count against it. Pure. */
export function missedTimes(commitments: readonly Commitment[], peerId: string): readonly number[] {
  return commitments
    .filter((each) => each.peerId === peerId && each.status === 'missed' && each.source === 'host')
    .map((each) => each.dueAt);
}
