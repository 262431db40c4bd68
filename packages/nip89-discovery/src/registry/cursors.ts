import { decodeCursor, encodeCursor, type PositionOf, type PositionShape } from '@bonafide/internal';
import { DiscoveryError } from '../errors.ts';

/** Encodes and decodes the cursors of a list. */
export interface ListCursor<Shape extends PositionShape> {
  write(...place: PositionOf<Shape>): string;
  /**
   * Returns `null` for no cursor, the start of the list. @throws DiscoveryError `INVALID_INPUT` for other
   * cursors than those of {@link write}
   */
  read(cursor: string | undefined): PositionOf<Shape> | null;
}

function cursorOf<const Shape extends PositionShape>(list: string, shape: Shape): ListCursor<Shape> {
  return {
    write: (...place) => encodeCursor(list, place),
    read(cursor) {
      if (cursor === undefined) return null;
      const place = decodeCursor(list, cursor, shape);
      if (place !== null) return place;
      throw new DiscoveryError(
        'INVALID_INPUT',
        'This cursor belongs to another list. Start without a cursor.',
      );
    },
  };
}

/** Position after an entry: key, canonical identifier. */
export const entryCursor = cursorOf('entries', ['string', 'string']);
/** Position after a found entry: rank, key, canonical identifier. */
export const foundCursor = cursorOf('found', ['number', 'string', 'string']);
/** Position after a recommender: its key. */
export const recommenderCursor = cursorOf('recommenders', ['string']);
/** Position after a row of a history: revision, position in it. */
export const historyCursor = cursorOf('history', ['integer', 'integer']);
