import type { Logger } from '@bonafide/internal';
import * as z from 'zod';
import { parseInput } from '../host-options.ts';
import type { LedgerPort } from '../ledger-port.ts';
import type { ObservedEvent } from '../observe/event-buffer.ts';
import { findPeer } from '../reflection/gather.ts';
import type { Memory } from '../state/memory.ts';
import { type Commitment, type CommitmentInput, fulfils, overdue, pruneCommitments } from './commitments.ts';

/** The commitments of peers, with what observed messages fulfilled since they were stored last. */
export interface CommitmentBook {
  /** Takes note of an event, in microseconds. */
  observe(event: ObservedEvent): void;
  /** Notes a commitment. Throws `INVALID_INPUT`. */
  note(commitment: CommitmentInput): Promise<Commitment>;
  /** Returns open and missed commitments. */
  list(): readonly Commitment[];
  /** Returns the number of open commitments whose due time has passed, by source. */
  overdue(now: number): Readonly<Record<Commitment['source'], number>>;
  /** Removes fulfilled commitments from the state. */
  store(): Promise<void>;
}

const commitmentSchema = z.object({
  peerId: z.string().min(1),
  what: z.string(),
  /** ms since epoch. */
  dueAt: z.number(),
  correlationId: z.string().nullish(),
});

/** Creates the book over the state. `load` reads it once. */
export function createCommitmentBook(options: {
  readonly ledger: LedgerPort;
  readonly memory: Memory;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly load: () => Promise<void>;
}): CommitmentBook {
  const { ledger, memory, clock, logger, load } = options;
  /** Ids of commitments that an observed message fulfilled and that the state still has. */
  const fulfilled = new Set<string>();
  const stored = () => memory.commitments.value.commitments;

  return {
    observe(event) {
      if (event.kind !== 'message' || event.direction !== 'in') return;
      for (const commitment of stored()) {
        if (commitment.status === 'open' && fulfils(event, commitment)) fulfilled.add(commitment.id);
      }
    },
    async note(given) {
      const { peerId, what, dueAt, correlationId } = parseInput(commitmentSchema, given, 'commitment');
      await load();
      const peer = await findPeer({ ledger, logger }, peerId);
      const now = clock();
      const commitment: Commitment = {
        ...{ id: crypto.randomUUID(), peerId: peer?.peerId ?? peerId, what: what.slice(0, 200), dueAt },
        ...{ correlationId: correlationId ?? null, source: 'host', createdAt: now, status: 'open' },
      };
      await memory.commitments.update((before) => ({
        ...before,
        commitments: pruneCommitments([...before.commitments, commitment], now),
      }));
      return commitment;
    },
    list: () => stored().filter(({ id }) => !fulfilled.has(id)),
    overdue(now) {
      const count = { host: 0, reflector: 0 };
      for (const { id, source } of overdue(stored(), now)) if (!fulfilled.has(id)) count[source] += 1;
      return count;
    },
    async store() {
      if (fulfilled.size === 0) return;
      const done = new Set(fulfilled);
      await memory.commitments.update((before) => ({
        ...before,
        commitments: before.commitments.filter(({ id }) => !done.has(id)),
      }));
      for (const id of done) fulfilled.delete(id);
    },
  };
}
