import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, pageOf } from '../src/index.ts';

const shape = ['integer', 'number', 'string'] as const;

describe('cursors', () => {
  it('X-2 say again what place they were made of', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.maxSafeInteger(),
        fc.double({ noDefaultInfinity: true, noNaN: true }),
        fc.string({ unit: 'grapheme' }),
        (list, whole, number, id) => {
          // JSON has no -0.
          const place = [whole, number + 0, id] as const;
          const cursor = encodeCursor(list, place);
          expect(cursor).toMatch(/^[\w-]+$/u);
          expect(decodeCursor(list, cursor, shape)).toEqual(place);
          expect(decodeCursor(`${list}!`, cursor, shape)).toBeNull();
        },
      ),
    );
  });

  it('X-2 are refused in another list, in another shape, and when they are none', () => {
    const cursor = encodeCursor('peers', [1, 2.5, 'id']);
    expect(decodeCursor('peers', cursor, shape)).toEqual([1, 2.5, 'id']);
    expect(decodeCursor('jobs', cursor, shape)).toBeNull();
    expect(decodeCursor('peers', cursor, ['integer', 'integer', 'string'])).toBeNull();
    expect(decodeCursor('peers', cursor, ['integer', 'number', 'integer'])).toBeNull();
    expect(decodeCursor('peers', cursor, ['integer', 'number'])).toBeNull();
    expect(decodeCursor('peers', cursor, [...shape, 'string'])).toBeNull();
    for (const none of ['', 'x', 'null', '{}', '"peers"', '[]', '["peers",1e999,1,"id"]']) {
      expect(decodeCursor('peers', none, shape)).toBeNull();
      expect(decodeCursor('peers', Buffer.from(none).toString('base64url'), shape)).toBeNull();
    }
  });

  it('X-2 whatever is made up never throws', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.json().map((json) => Buffer.from(json).toString('base64url')),
      fc
        .array(fc.jsonValue())
        .map((place) => Buffer.from(JSON.stringify(['list', ...place])).toString('base64url')),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const place = decodeCursor('list', text, ['string']);
        if (place !== null) expect(place).toEqual([expect.any(String)]);
      }),
    );
  });
});

describe('pages', () => {
  const cursorOf = (item: string) => `after ${item}`;

  it('X-2 hold at most the limit, and go on only when there is more', () => {
    expect(pageOf(['a', 'b', 'c'], 2, cursorOf)).toEqual({ items: ['a', 'b'], nextCursor: 'after b' });
    expect(pageOf(['a', 'b'], 2, cursorOf)).toEqual({ items: ['a', 'b'], nextCursor: null });
    expect(pageOf([], 2, cursorOf)).toEqual({ items: [], nextCursor: null });
  });
});
