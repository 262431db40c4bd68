/** The last time that is stored: the end of the year 9999, ms since epoch. */
export const latestTime = 253_402_300_799_999;
/** Maximum delay of a claimed time behind the time of receipt, in ms. */
const maxDelayMs = 3_600_000;
/** Maximum lead of a claimed time over the time of receipt, in ms: clocks differ. */
const maxAheadMs = 300_000;

/**
 * Clamps a time that a peer claims to between one hour before and five minutes after the time of receipt (ms since epoch),
 * so that back-dated messages cannot lengthen a history.
 */
export function clampClaimedTime(claimedAt: number, receivedAt: number): number {
  return Math.max(0, receivedAt - maxDelayMs, Math.min(claimedAt, receivedAt + maxAheadMs, latestTime));
}
