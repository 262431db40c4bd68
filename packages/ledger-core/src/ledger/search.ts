import type { Page } from '@bonafide/internal';
import { positionOfCursor, toPage } from '../cursor.ts';
import { LedgerError } from '../errors.ts';
import { parse } from '../parse.ts';
import { positionOfInteraction } from '../positions.ts';
import type { Interaction } from '../records.ts';
import { searchSchema } from '../schemas.ts';
import type { LedgerDependencies } from './dependencies.ts';
import { requirePeer } from './find-peer.ts';
import type { PageOptions } from './lists.ts';

/** Options of `searchInteractions`. */
export interface SearchOptions extends PageOptions {
  /** Words that a message has to contain, all of them, in any order. At most 1,000 characters. */
  readonly text: string;
  /** Only messages of this peer: peerId, npub or handle. */
  readonly peerId?: string | null | undefined;
}

/** Searches messages. Throws `INVALID_INPUT` without a word, `PEER_NOT_FOUND`, `NOT_SUPPORTED`. */
export async function searchInteractions(
  context: LedgerDependencies,
  options: SearchOptions,
): Promise<Page<Interaction>> {
  const { store, ensureOpen } = context;
  ensureOpen();
  const { text, peerId, limit, cursor } = parse(searchSchema, options, 'options');
  if (!store.searchInteractions) {
    throw new LedgerError(
      'NOT_SUPPORTED',
      'This store cannot search. Keep the ledger in SQLite or Postgres.',
    );
  }
  const words = text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  if (words.length === 0) throw new LedgerError('INVALID_INPUT', 'options.text: must contain a word.');
  const wanted = peerId ? (await requirePeer(context, peerId)).peer.peerId : null;
  const list = `search/${wanted ?? ''}/${words.join(' ')}`;
  const after = cursor ? positionOfCursor(list, cursor) : undefined;
  const rows = await store.searchInteractions({ words, peerId: wanted, limit: limit + 1, after });
  return toPage(list, rows, limit, positionOfInteraction);
}
