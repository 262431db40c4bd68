import { decodeCursor, encodeCursor, type Page, pageOf } from '@bonafide/internal';
import { DelegationError } from '../errors.ts';
import type { OrderRecord } from '../store.ts';

/** Creates a page from up to `limit + 1` orders. */
export function orderPage(records: readonly OrderRecord[], limit: number): Page<OrderRecord> {
  return pageOf(records, limit, ({ createdAt, id }) => encodeCursor('orders', [createdAt, id]));
}

/** Decodes a cursor; null for the first page. @throws DelegationError `INVALID_INPUT` for another list's */
export function readCursor(cursor: string | undefined): readonly [number, string] | null {
  if (cursor === undefined) return null;
  const position = decodeCursor('orders', cursor, ['integer', 'string']);
  if (position === null)
    throw new DelegationError(
      'INVALID_INPUT',
      'The cursor does not belong to a list of orders. Pass `nextCursor` unchanged.',
    );
  return position;
}
