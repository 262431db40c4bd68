import { isAmount, isOneOf, isRecord } from '@bonafide/internal';
import { requireInput } from '../valid.ts';

/**
 * Reasons for a lost connection or a failed attempt.
 *
 * - `network`: refused, reset or unreachable.
 * - `dns`: the name does not resolve.
 * - `timeout`: no answer to the handshake.
 * - `http`: the server answered with something other than a WebSocket.
 * - `closed`: a clean close.
 * - `dropped`: an abrupt end.
 * - `stalled`: open without any answer.
 * - `protocol`: the relay violated the protocol or closed with an error code.
 */
export type DisconnectCause =
  | 'network'
  | 'dns'
  | 'timeout'
  | 'http'
  | 'closed'
  | 'dropped'
  | 'stalled'
  | 'protocol';

/** Limits of the delay before a reconnect, in ms. */
export interface BackoffPolicy {
  /** Default 1,000. */
  readonly minMs: number;
  /** Default 300,000. */
  readonly maxMs: number;
  /** The connection time after which the failure count starts at one again. Default 60,000. */
  readonly stableMs: number;
}

export const defaultBackoff: BackoffPolicy = { minMs: 1_000, maxMs: 300_000, stableMs: 60_000 };

// How many times longer than after a dropped line: a name that doesn't exist or a server that says no won't change soon.
const causeFactor: Readonly<Record<DisconnectCause, number>> = {
  dropped: 1,
  closed: 1,
  stalled: 1,
  network: 1,
  timeout: 2,
  dns: 5,
  http: 30,
  protocol: 60,
};

const isDelay = isRecord({
  cause: isOneOf(Object.keys(causeFactor)),
  failures: isAmount,
  random: isAmount,
  policy: isRecord({ minMs: isAmount, maxMs: isAmount }),
});

/**
 * Returns the delay before the next attempt in ms: uniform between `minMs` and a ceiling that doubles with
 * each failure, starts at a value per cause and ends at `maxMs` (full jitter, so that many clients of one
 * relay do not reconnect at the same time).
 *
 * @param failures - The number of failed attempts in a row, at least 1.
 * @param random - A number in [0, 1).
 */
export function reconnectDelayMs(
  cause: DisconnectCause,
  failures: number,
  random: number,
  policy: BackoffPolicy = defaultBackoff,
): number {
  requireInput({ cause, failures, random, policy }, isDelay, 'delay');
  const doublings = Math.min(Math.max(failures, 1), 30);
  const ceiling = Math.min(policy.maxMs, policy.minMs * causeFactor[cause] * 2 ** doublings);
  return Math.round(policy.minMs + random * Math.max(0, ceiling - policy.minMs));
}

/**
 * Returns the number of failures in a row after one more; `openForMs` is how long the connection was open, 0
 * if never.
 */
export function failuresAfter(
  failures: number,
  openForMs: number,
  policy: BackoffPolicy = defaultBackoff,
): number {
  return openForMs >= policy.stableMs ? 1 : failures + 1;
}

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'EACCES',
]);
const dnsCodes = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA']);

/**
 * Derives the cause from the reports of a WebSocket: the error's code and message, or the close code (RFC
 * 6455).
 */
export function causeOf(report: {
  readonly wasOpen: boolean;
  readonly errorCode?: string | undefined;
  readonly message?: string | undefined;
  readonly closeCode?: number | undefined;
}): DisconnectCause {
  const { wasOpen, errorCode = '', message = '', closeCode } = report;
  if (closeCode === 1000 || closeCode === 1001 || closeCode === 1012) return 'closed';
  // 1002 … 1010: wrong frames, policy, too big; 1013: try again later.
  if (
    closeCode !== undefined &&
    closeCode >= 1002 &&
    closeCode <= 1013 &&
    closeCode !== 1005 &&
    closeCode !== 1006
  ) {
    return 'protocol';
  }
  if (wasOpen) return closeCode === 1005 ? 'closed' : 'dropped';
  if (dnsCodes.has(errorCode)) return 'dns';
  if (errorCode === 'ETIMEDOUT') return 'timeout';
  if (networkCodes.has(errorCode)) return 'network';
  return /unexpected server response|non-101/i.test(message) ? 'http' : 'network';
}
