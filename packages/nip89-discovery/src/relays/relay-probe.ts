import type { Transport } from '@bonafide/nostr-transport';

/** The result of a connection test. */
export interface ProbedRelay {
  readonly relay: string;
  readonly ok: boolean;
  /** Time to EOSE, ms; `null` if it failed. */
  readonly latencyMs: number | null;
  /** Reason of the failure; `null` if it succeeded. */
  readonly reason: string | null;
}

/**
 * Requests an author's relay list and waits for EOSE. Never rejects. The transport decides whether the
 * address may be connected to.
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
