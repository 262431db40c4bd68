import { RoutingError } from './errors.ts';

/** Last ms of the year 9999. */
const latestAt = 253_402_300_799_999;

/**
 * Returns a clock of whole ms since epoch: a host's clock may have fractions, which a log does not store.
 *
 * @throws RoutingError `INVALID_CONFIG` when the clock returns no time.
 */
export function wholeClock(clock: () => number): () => number {
  return () => {
    const now = clock();
    if (typeof now !== 'number' || !Number.isFinite(now)) {
      throw new RoutingError(
        'INVALID_CONFIG',
        `The clock returned '${String(now)}'. It must return ms since epoch.`,
      );
    }
    return Math.min(latestAt, Math.max(0, Math.floor(now)));
  };
}
