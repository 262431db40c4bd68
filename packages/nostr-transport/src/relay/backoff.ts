/**
 * Why a connection ended or never began.
 * `network`: refused, reset or unreachable. `dns`: the name does not resolve. `timeout`: no answer to the handshake.
 * `http`: the server answered with something other than a WebSocket. `closed`: a clean close. `dropped`: an abrupt one.
 * `stalled`: open, but dead. `protocol`: it broke the rules or threw us out.
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

/** Bounds of waiting before a connection is tried again, in ms. */
export interface BackoffPolicy {
  /** Default 1,000. */
  readonly minMs: number;
  /** Default 300,000. */
  readonly maxMs: number;
  /** A connection that was open this long has proved itself: the next failure counts as the first. Default 60,000. */
  readonly stableMs: number;
}

export const defaultBackoff: BackoffPolicy = { minMs: 1_000, maxMs: 300_000, stableMs: 60_000 };

// How many times longer than after a dropped line: a name that doesn't exist or a server that says no won't change soon.
const patience: Readonly<Record<DisconnectCause, number>> = {
  dropped: 1,
  closed: 1,
  stalled: 1,
  network: 1,
  timeout: 2,
  dns: 5,
  http: 30,
  protocol: 60,
};

/**
 * How long to wait before the next attempt, in ms: uniformly between `minMs` and a ceiling that doubles
 * with each failure in a row, from a start that depends on the cause up to `maxMs` (full jitter, so
 * that a thousand clients of a relay that went down do not return in step).
 *
 * @param failures how many attempts in a row have failed, from 1 on
 * @param random one number of [0, 1)
 */
export function reconnectDelayMs(
  cause: DisconnectCause,
  failures: number,
  random: number,
  policy: BackoffPolicy = defaultBackoff,
): number {
  const doublings = Math.min(Math.max(failures, 1), 30);
  const ceiling = Math.min(policy.maxMs, policy.minMs * patience[cause] * 2 ** doublings);
  return Math.round(policy.minMs + random * Math.max(0, ceiling - policy.minMs));
}

/** How many failures in a row there are after one more, given how long the connection had been open (0 when never). */
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

/** Reads the cause out of what a WebSocket reports: the error's code and message, or the close code (RFC 6455). */
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
