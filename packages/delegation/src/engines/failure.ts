import { sanitizeRemoteText } from '@bonafide/internal';

/** Number of failures in a row after which an id is parked: it is retried once an hour and stays visible. */
const parkedFailures = 8;

/** Returns the delay before a handler is called again after its `failures`-th failure in a row, ms. */
export function backoffMs(failures: number): number {
  return failures >= parkedFailures ? 3_600_000 : Math.min(60_000, 500 * 2 ** (failures - 1));
}

/** Returns the message of an error as every database stores it. It may quote text of a platform. */
export function errorText(error: unknown): string {
  return sanitizeRemoteText(error instanceof Error ? error.message : String(error), 1_000);
}
