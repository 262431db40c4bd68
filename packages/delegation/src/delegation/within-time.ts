import { DelegationError } from '../errors.ts';
import type { Timers } from '../timers.ts';

/**
 * Waits for `work`, at most `limitMs`. A later result is dropped.
 *
 * @throws DelegationError `TIMEOUT`
 */
export function withinTime<Result>(
  timers: Timers,
  limitMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const cancel = timers.after(limitMs, () =>
    reject(new DelegationError('TIMEOUT', `It took longer than ${limitMs} ms.`)),
  );
  work().then(resolve, reject);
  return promise.finally(cancel);
}
