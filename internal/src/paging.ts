/** One value of a place in a list: what it is ordered by, or an id that decides between equals. */
export type PlacePart = string | number;

/** What each part of a place is: `integer` within ±2⁵³, `number` any finite one. */
export type PlaceShape = readonly ('integer' | 'number' | 'string')[];

/** A place of a given shape. */
export type PlaceOf<Shape extends PlaceShape> = {
  readonly [Index in keyof Shape]: Shape[Index] extends 'string' ? string : number;
};

/**
 * The opaque text that stands for a place in a list.
 *
 * @param list - names the list, so that no cursor is used in another
 */
export function encodeCursor(list: string, place: readonly PlacePart[]): string {
  return Buffer.from(JSON.stringify([list, ...place])).toString('base64url');
}

/** The place that a cursor of {@link encodeCursor} stands for; null when it is none of this list and shape. */
export function decodeCursor<const Shape extends PlaceShape>(
  list: string,
  cursor: string,
  shape: Shape,
): PlaceOf<Shape> | null {
  const parts = readParts(cursor);
  if (parts === null) return null;
  const [of, ...place] = parts;
  const fits =
    of === list &&
    place.length === shape.length &&
    place.every((part, index) => {
      if (shape[index] === 'string') return typeof part === 'string';
      return shape[index] === 'integer' ? Number.isSafeInteger(part) : Number.isFinite(part);
    });
  return fits ? (place as PlaceOf<Shape>) : null;
}

/**
 * The page that `limit + 1` rows begin: asking for one more than the page holds tells whether another follows.
 *
 * @param cursorOf - the cursor that goes on after an item
 */
export function pageOf<Item>(
  rows: readonly Item[],
  limit: number,
  cursorOf: (last: Item) => string,
): { readonly items: readonly Item[]; readonly nextCursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}

function readParts(cursor: string): readonly unknown[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : null;
  } catch {
    return null;
  }
}
