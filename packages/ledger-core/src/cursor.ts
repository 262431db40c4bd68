import { LedgerError } from './errors.ts';
import type { Page } from './records.ts';
import type { Position } from './store.ts';

/** The opaque text that stands for a place in a list. `list` names the list, so that no cursor is used in another. */
function encodeCursor(list: string, position: Position): string {
  return Buffer.from(JSON.stringify([list, position.value, position.id])).toString('base64url');
}

/** The place that a cursor stands for. Throws `INVALID_CURSOR` when it is not one of this list. */
export function decodeCursor(list: string, cursor: string): Position {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(parts) && parts.length === 3) {
      const [of, value, id]: readonly unknown[] = parts;
      if (of === list && Number.isSafeInteger(value) && typeof id === 'string')
        return { value: Number(value), id };
    }
  } catch (cause) {
    throw new LedgerError('INVALID_CURSOR', invalid, { cause });
  }
  throw new LedgerError('INVALID_CURSOR', invalid);
}

const invalid =
  'This cursor does not belong to this list. Pass the nextCursor of the page before, unchanged.';

/** Turns `limit + 1` rows into a page of at most `limit`. */
export function toPage<Item>(
  list: string,
  rows: readonly Item[],
  limit: number,
  position: (item: Item) => Position,
): Page<Item> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? encodeCursor(list, position(last)) : null };
}
