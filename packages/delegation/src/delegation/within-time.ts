import { DelegationError } from '../errors.ts';
import type { Timers } from '../timers.ts';

/**
 * Waits for `work`, at most `limitMs`. A later result is dropped, and the signal of the work aborts.
 *
 * @throws DelegationError `TIMEOUT`
 */
export function withinTime<Result>(
  timers: Timers,
  limitMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const late = new AbortController();
  const cancel = timers.after(limitMs, () => {
    const error = new DelegationError('TIMEOUT', `It took longer than ${limitMs} ms.`);
    reject(error);
    late.abort(error);
  });
  work(late.signal).then(resolve, reject);
  return promise.finally(cancel);
}
