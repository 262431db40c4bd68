import { decodeCursor, encodeCursor, pageOf } from '@bonafide/internal';
import { RoutingError } from '../errors.ts';
import type { LogPage, StoredRecord } from '../store.ts';

/** Creates a page from up to `limit + 1` records. */
export function recordPage(records: readonly StoredRecord[], limit: number): LogPage {
  return pageOf(records, limit, ({ seq }) => encodeCursor('routing records', [seq]));
}

/**
 * Returns the sequence number before which a page starts; `Infinity` for the first page.
 *
 * @throws RoutingError `INVALID_INPUT` for a cursor of another list.
 */
export function seqOfCursor(cursor: string | undefined): number {
  if (cursor === undefined) return Number.POSITIVE_INFINITY;
  const position = decodeCursor('routing records', cursor, ['integer']);
  if (position !== null) return position[0];
  throw new RoutingError(
    'INVALID_INPUT',
    'The cursor does not belong to this list. Pass `nextCursor` of the page before, unchanged.',
  );
}
