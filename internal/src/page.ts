import { base64urlnopad } from '@scure/base';

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Pass it as `cursor` to read the next page; null on the last page. */
  readonly nextCursor: string | null;
}

/** One part of a position in an ordered list: a sort key, or an id that breaks ties. */
export type PositionPart = string | number;

/** The type of each part of a position: `integer` within ±2⁵³, `number` any finite number. */
export type PositionShape = readonly ('integer' | 'number' | 'string')[];

/** A position of a given shape. */
export type PositionOf<Shape extends PositionShape> = {
  readonly [Index in keyof Shape]: Shape[Index] extends 'string' ? string : number;
};

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Encodes a position as an opaque cursor.
 *
 * @param list - Name of the list, so that a cursor of one list is rejected by another.
 */
export function encodeCursor(list: string, position: readonly PositionPart[]): string {
  return base64urlnopad.encode(encoder.encode(JSON.stringify([list, ...position])));
}

/** Decodes a cursor of {@link encodeCursor}, or returns null for another list or shape. */
export function decodeCursor<const Shape extends PositionShape>(
  list: string,
  cursor: string,
  shape: Shape,
): PositionOf<Shape> | null {
  const parts = readParts(cursor);
  if (parts === null) return null;
  const [name, ...position] = parts;
  const matches =
    name === list &&
    position.length === shape.length &&
    position.every((part, index) => {
      if (shape[index] === 'string') return typeof part === 'string';
      return shape[index] === 'integer' ? Number.isSafeInteger(part) : Number.isFinite(part);
    });
  return matches ? (position as PositionOf<Shape>) : null;
}

/**
 * Creates a page of at most `limit` items from up to `limit + 1` rows; the extra row shows that another page follows.
 *
 * @param cursorOf - Creates the cursor that continues after an item.
 */
export function pageOf<Item>(
  rows: readonly Item[],
  limit: number,
  cursorOf: (last: Item) => string,
): Page<Item> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}

function readParts(cursor: string): readonly unknown[] | null {
  try {
    const parts: unknown = JSON.parse(decoder.decode(base64urlnopad.decode(cursor)));
    return Array.isArray(parts) ? parts : null;
  } catch {
    return null;
  }
}
