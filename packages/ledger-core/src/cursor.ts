import { decodeCursor, encodeCursor, type Page, pageOf } from '@bonafide/internal';
import { LedgerError } from './errors.ts';
import type { Position } from './store.ts';

/** The place that a cursor stands for. Throws `INVALID_CURSOR` when it is not one of this list. */
export function positionOfCursor(list: string, cursor: string): Position {
  const place = decodeCursor(list, cursor, ['integer', 'string']);
  if (place) return { value: place[0], id: place[1] };
  throw new LedgerError(
    'INVALID_CURSOR',
    'This cursor does not belong to this list. Pass the nextCursor of the page before, unchanged.',
  );
}

/** Turns `limit + 1` rows into a page of at most `limit`. `list` names the list, so that no cursor is used in another. */
export function toPage<Item>(
  list: string,
  rows: readonly Item[],
  limit: number,
  position: (item: Item) => Position,
): Page<Item> {
  return pageOf(rows, limit, (last) => {
    const { value, id } = position(last);
    return encodeCursor(list, [value, id]);
  });
}
