import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRelayMessage, readRefusal } from '../src/relay/messages.ts';

describe('NET-1 what relays say', () => {
  it('NET-1 reads the six messages a relay may send', () => {
    const read = (message: unknown) => parseRelayMessage(JSON.stringify(message));
    expect(read(['EVENT', 's', { any: 1 }])).toEqual({ type: 'EVENT', subscription: 's', event: { any: 1 } });
    expect(read(['EOSE', 's'])).toEqual({ type: 'EOSE', subscription: 's' });
    expect(read(['CLOSED', 's'])).toEqual({ type: 'CLOSED', subscription: 's', reason: '' });
    expect(read(['OK', 'id', false, 'a\u0007b\n\u202ec'])).toEqual({
      type: 'OK',
      id: 'id',
      accepted: false,
      message: 'a b c',
    });
    const long = read(['NOTICE', 'x'.repeat(5_000)]);
    expect(Buffer.byteLength(long?.type === 'NOTICE' ? long.message : '')).toBe(1_000);
    expect(read(['AUTH', 'c'])).toEqual({ type: 'AUTH', challenge: 'c' });
  });

  it.each([
    ['OK', 'id', 'true'],
    ['OK', 5, true],
    ['AUTH', 'c'.repeat(2_000)],
    ['EOSE'],
    ['COUNT', 's', { count: 1 }],
    [],
    {},
    null,
    'EVENT',
  ])('NET-1 takes %j for garbage', (...message) => {
    const value = message.length === 1 ? message[0] : message;
    expect(parseRelayMessage(JSON.stringify(value))).toBeNull();
  });

  it('NET-1 never throws, whatever arrives', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
        parseRelayMessage(text);
      }),
    );
    expect(parseRelayMessage('['.repeat(100_000))).toBeNull();
  });

  it.each([
    ['auth-required: we only serve friends', 'auth'],
    ['AUTH-REQUIRED: we only serve friends', 'auth'],
    ['restricted: not for you', 'restricted'],
    ['blocked: banned', 'final'],
    ['invalid: filter is malformed', 'final'],
    ['unsupported: search', 'final'],
    ['pow: 28 bits needed', 'final'],
    ['ERROR: too many concurrent REQs', 'capacity'],
    ['error: Too many subscriptions', 'capacity'],
    ['rate-limited: at most 20 subscriptions on one connection', 'capacity'],
    ['Subscription limit reached', 'capacity'],
    ['maximum filter count exceeded', 'capacity'],
    ['too many filters', 'capacity'],
    ['rate-limited: slow down', 'retry'],
    ['error: could not connect to the database', 'retry'],
    ['shutting down', 'retry'],
    ['', 'retry'],
  ])('NET-1 NET-2 reads %j as %s', (reason, refusal) => {
    expect(readRefusal(reason)).toBe(refusal);
  });
});
