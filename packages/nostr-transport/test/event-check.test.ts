import fc from 'fast-check';
import { finalizeEvent } from 'nostr-tools/pure';
import { expect, it } from 'vitest';
import { checkEventShape, eventId, isExpired } from '../src/event/event-check.ts';
import { makeEvent } from './support/events.ts';

it('NET-1 X-5b rebuilds an event from its seven fields, frozen through and through', async () => {
  const event = finalizeEvent(
    { kind: 1, created_at: 1, tags: [['a', 'b']], content: '' },
    new Uint8Array(32).fill(3),
  );
  const checked = checkEventShape({ ...event, relay: 'x' });
  if (!checked.ok) throw new Error('must pass');
  expect(Reflect.ownKeys(checked.event).toSorted()).toEqual(
    ['content', 'created_at', 'id', 'kind', 'pubkey', 'sig', 'tags'].toSorted(),
  );
  expect(Object.isFrozen(checked.event)).toBe(true);
  expect(Object.isFrozen(checked.event.tags)).toBe(true);
  expect(checked.event.tags.every(Object.isFrozen)).toBe(true);
});

it('NET-1 never throws, whatever it is given', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (value) => {
      expect(typeof checkEventShape(value).ok).toBe('boolean');
    }),
  );
});

it('NET-1 computes the same id as nostr-tools for any content and tags', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(text, fc.array(fc.array(text, { minLength: 1 })), (content, tags) => {
      const event = finalizeEvent(
        { kind: 1, created_at: 7, tags: structuredClone(tags), content },
        new Uint8Array(32).fill(3),
      );
      expect(eventId(event)).toBe(event.id);
    }),
    { numRuns: 30 },
  );
});

it('NET-1 caps size and tags before anything costly', async () => {
  const event = await makeEvent({ content: 'x'.repeat(100), tags: [['a', 'b'], ['c']] });
  const fault = (caps: { maxEventChars: number; maxTags: number }) => {
    const checked = checkEventShape(event, caps);
    return checked.ok ? null : checked.fault;
  };
  expect(fault({ maxEventChars: 103, maxTags: 2 })).toBeNull();
  expect(fault({ maxEventChars: 102, maxTags: 2 })).toBe('too-large');
  expect(fault({ maxEventChars: 103, maxTags: 1 })).toBe('too-large');
});

it('NET-1 knows when an event has expired, and ignores an expiration that is no time', () => {
  const at = (value: string) => ({ tags: [['expiration', value]] });
  expect(isExpired(at('100'), 100_000)).toBe(true);
  expect(isExpired(at('100'), 99_999)).toBe(false);
  for (const odd of ['', 'soon', '-1', '1e3', ' 100']) expect(isExpired(at(odd), 1e15)).toBe(false);
  expect(isExpired({ tags: [] }, 1e15)).toBe(false);
});
