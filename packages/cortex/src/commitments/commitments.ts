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

/** A promise of a peer with a due time. */
export type Commitment = Readonly<z.output<typeof commitmentSchema>>;

/** Time for which a missed commitment is kept, in ms. */
const missedMs = 30 * 86_400_000;
/** Most commitments that are kept. The earliest due ones are dropped first. */
const maxCommitments = 500;

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

/** Removes what no longer matters. Pure. */
export function pruneCommitments(commitments: readonly Commitment[], now: number): Commitment[] {
  return commitments
    .filter(({ status, dueAt }) => status === 'open' || now - dueAt < missedMs)
    .toSorted((a, b) => a.dueAt - b.dueAt)
    .slice(-maxCommitments);
}

/** Returns the due times of commitments that the peer missed and that count against it. Pure. */
export function missedTimes(commitments: readonly Commitment[], peerId: string): readonly number[] {
  return commitments
    .filter((each) => each.peerId === peerId && each.status === 'missed' && each.source === 'host')
    .map((each) => each.dueAt);
}
