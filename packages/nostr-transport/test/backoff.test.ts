import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  causeOf,
  type DisconnectCause,
  defaultBackoff,
  failuresAfter,
  reconnectDelayMs,
} from '../src/relay/backoff.ts';

const causes: readonly DisconnectCause[] = [
  'network',
  'dns',
  'timeout',
  'http',
  'closed',
  'dropped',
  'stalled',
  'protocol',
];

it('NET-1 waits between one second and five minutes, whatever happened', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...causes),
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (cause, failures, random) => {
        const delay = reconnectDelayMs(cause, failures, random);
        expect(delay).toBeGreaterThanOrEqual(1_000);
        expect(delay).toBeLessThanOrEqual(300_000);
        // More failures, or more of the dice, never shorten the wait.
        expect(reconnectDelayMs(cause, failures + 1, random)).toBeGreaterThanOrEqual(delay);
        expect(reconnectDelayMs(cause, failures, Math.min(0.999, random + 0.1))).toBeGreaterThanOrEqual(
          Math.min(delay, reconnectDelayMs(cause, failures, 0.999)),
        );
      },
    ),
  );
});

it('NET-1 spreads clients over the whole range: full jitter', () => {
  expect(reconnectDelayMs('dropped', 4, 0)).toBe(1_000);
  expect(reconnectDelayMs('dropped', 4, 0.5)).toBe(8_500);
  expect(reconnectDelayMs('dropped', 4, 0.999_999)).toBe(16_000);
});

it('NET-1 is more patient where nothing will change soon', () => {
  const most = (cause: DisconnectCause) => reconnectDelayMs(cause, 1, 0.999_999);
  expect(most('dropped')).toBeLessThan(most('timeout'));
  expect(most('timeout')).toBeLessThan(most('dns'));
  expect(most('dns')).toBeLessThan(most('http'));
  expect(most('http')).toBeLessThan(most('protocol'));
});

it('NET-1 counts from the beginning after a minute of a stable connection', () => {
  expect(failuresAfter(9, 59_999)).toBe(10);
  expect(failuresAfter(9, 60_000)).toBe(1);
  expect(failuresAfter(0, 0)).toBe(1);
  expect(failuresAfter(9, 100, { ...defaultBackoff, stableMs: 50 })).toBe(1);
});

it.each([
  [{ wasOpen: false, errorCode: 'ECONNREFUSED' }, 'network'],
  [{ wasOpen: false, errorCode: 'ENOTFOUND' }, 'dns'],
  [{ wasOpen: false, errorCode: 'EAI_AGAIN' }, 'dns'],
  [{ wasOpen: false, errorCode: 'ETIMEDOUT' }, 'timeout'],
  [{ wasOpen: false, message: 'Unexpected server response: 429', closeCode: 1006 }, 'http'],
  [{ wasOpen: false, message: 'Received network error or non-101 status code.' }, 'http'],
  [{ wasOpen: false }, 'network'],
  [{ wasOpen: true, closeCode: 1000 }, 'closed'],
  [{ wasOpen: true, closeCode: 1001 }, 'closed'],
  [{ wasOpen: true, closeCode: 1005 }, 'closed'],
  [{ wasOpen: true, closeCode: 1012 }, 'closed'],
  [{ wasOpen: true, closeCode: 1006 }, 'dropped'],
  [{ wasOpen: true, errorCode: 'ECONNRESET' }, 'dropped'],
  [{ wasOpen: true, closeCode: 1008 }, 'protocol'],
  [{ wasOpen: true, closeCode: 1009 }, 'protocol'],
  [{ wasOpen: true, closeCode: 1013 }, 'protocol'],
] as const)('NET-1 reads %j as %s', (report, cause) => {
  expect(causeOf(report)).toBe(cause);
});
