import { decodeCursor, encodeCursor, type PositionOf, type PositionShape } from '@bonafide/internal';
import { DiscoveryError } from '../errors.ts';

/** Where pages of one sort of list begin. */
export interface ListCursor<Shape extends PositionShape> {
  write(...place: PositionOf<Shape>): string;
  /** `null` for none: from the start. @throws DiscoveryError `INVALID_INPUT` for what {@link write} never gave */
  read(cursor: string | undefined): PositionOf<Shape> | null;
}

function cursorOf<const Shape extends PositionShape>(list: string, shape: Shape): ListCursor<Shape> {
  return {
    write: (...place) => encodeCursor(list, place),
    read(cursor) {
      if (cursor === undefined) return null;
      const place = decodeCursor(list, cursor, shape);
      if (place !== null) return place;
      throw new DiscoveryError('INVALID_INPUT', 'This cursor is not one that this list gave: begin without.');
    },
  };
}

/** After a platform: key, canonical identifier. */
export const entryCursor = cursorOf('entries', ['string', 'string']);
/** After a platform that was found: distance from full trust, key, canonical identifier. */
export const foundCursor = cursorOf('found', ['number', 'string', 'string']);
/** After a line of a history: revision, position in it. */
export const historyCursor = cursorOf('history', ['integer', 'integer']);
