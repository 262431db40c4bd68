import type { Transport } from '@bonafide/nostr-transport';

/** Whether a relay answered. */
export interface ProbedRelay {
  readonly relay: string;
  readonly ok: boolean;
  /** Until it had answered, ms; `null` when it did not. */
  readonly latencyMs: number | null;
  /** Why not, in the relay's or our words; `null` when it did. */
  readonly reason: string | null;
}

/**
 * Asks a relay for one thing, an author's relay list, and waits for the end of its answer (DIS-9). Never rejects: what goes
 * wrong is the result. The transport decides whether the address may be connected to at all.
 */
export async function probeRelay(
  transport: Pick<Transport, 'subscribe'>,
  relay: string,
  author: string,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<ProbedRelay> {
  const startedAt = performance.now();
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const timer = setTimeout(() => resolve('no answer in time'), options.timeoutMs);
  const onAbort = () => resolve('aborted');
  if (options.signal?.aborted) onAbort();
  options.signal?.addEventListener('abort', onAbort, { once: true });
  const subscription = transport.subscribe([relay], [{ kinds: [10_002], authors: [author], limit: 1 }], {
    onEvent() {},
    onEose: () => resolve(null),
    onClosed: (_, reason) => resolve(reason),
  });
  const reason = await promise;
  clearTimeout(timer);
  options.signal?.removeEventListener('abort', onAbort);
  subscription.close();
  const ok = reason === null;
  return { relay, ok, latencyMs: ok ? Math.round(performance.now() - startedAt) : null, reason };
}
