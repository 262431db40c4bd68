import type { StatePort } from './state-port.ts';

/** The right to run a cycle, among all processes of an agent. */
export interface CycleLease {
  /** Aborts when another process took over, because this one did not renew in time. */
  readonly signal: AbortSignal;
  release(): Promise<void>;
}

/** Time for which a lease is valid without renewal, in ms: so long a killed process delays the others. */
const leaseMs = 15_000;
const renewMs = 5_000;

/**
 * Acquires the lease and renews it until it is released. Returns null while another process holds it. A state that cannot be
 * shared, or that fails, grants it: the cortex then works as the only process.
 */
export async function acquireCycleLease(
  state: StatePort | null,
  holder: string,
  options: { readonly clock: () => number; readonly onFailure: (error: unknown) => void },
): Promise<CycleLease | null> {
  const { clock, onFailure } = options;
  const lost = new AbortController();
  const shared = state?.shared;
  if (shared === undefined) return { signal: lost.signal, release: async () => {} };
  const renew = async () => {
    const now = clock();
    return shared.lease('cycle', holder, { now, until: now + leaseMs });
  };
  try {
    if (!(await renew())) return null;
  } catch (error) {
    onFailure(error);
    return { signal: lost.signal, release: async () => {} };
  }
  // The platform's timer: the lease is about this process, whichever clock the host passes.
  const timer = setInterval(() => {
    renew().then((held) => {
      if (!held) lost.abort(new Error('Another process took over the cycle.'));
    }, onFailure);
  }, renewMs);
  timer.unref();
  return {
    signal: lost.signal,
    async release() {
      clearInterval(timer);
      await shared.release('cycle', holder).catch(onFailure);
    },
  };
}
