import { vi } from 'vitest';

/** Time after which {@link eventually} gives up, ms: long, since a busy machine is no failure. */
const hangLimitMs = 150_000;

/** Calls `check` until it no longer throws, and returns its result. Fails with the last error of `check`. */
export function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: hangLimitMs, interval: 10 });
}
