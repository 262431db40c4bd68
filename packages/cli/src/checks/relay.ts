import { sanitizeRemoteText } from '@bonafide/internal';
import { createTransport } from '@bonafide/nostr-transport';
import { type Check, fail, ok } from './check.ts';

/**
 * Checks that a relay answers a query within `timeoutMs`. Private addresses are allowed, because the operator
 * typed them.
 */
export async function checkRelay(url: string, timeoutMs = 5_000, signal?: AbortSignal): Promise<Check> {
  const name = `Relay ${sanitizeRemoteText(url, 120)}`;
  const host = URL.parse(url)?.hostname.toLowerCase();
  if (host === undefined)
    return fail(name, 'this is not an address', 'Give it as wss://host or ws://host:port');
  await using transport = createTransport({ addresses: { allowLoopback: true, allowHosts: [host] } });
  const answer = Promise.withResolvers<Check>();
  const started = performance.now();
  const silent = () => {
    const said = transport.status()[0]?.lastError ?? null;
    const why = said === null ? '' : `: ${sanitizeRemoteText(said, 200)}`;
    return fail(
      name,
      `no answer within ${timeoutMs / 1_000} s${why}`,
      `Check the address and the network, e.g. curl -I ${httpOf(url)}`,
    );
  };
  const timer = setTimeout(() => answer.resolve(silent()), timeoutMs);
  const subscription = transport.subscribe([url], [{ kinds: [0], limit: 1 }], {
    onEvent: () => {},
    onEose: () => answer.resolve(ok(name, `answered in ${Math.round(performance.now() - started)} ms`)),
    // A relay that wants to know who asks, or refuses this question, is reachable all the same.
    onClosed: (_, reason) =>
      answer.resolve(
        transport.status()[0]?.connectedAt == null
          ? fail(name, sanitizeRemoteText(reason, 200), 'Check the address')
          : ok(name, `reachable, but closed the question: ${sanitizeRemoteText(reason, 200)}`),
      ),
    ...(signal === undefined ? {} : { signal }),
  });
  try {
    return await answer.promise;
  } finally {
    clearTimeout(timer);
    subscription.close();
  }
}

const httpOf = (url: string): string => url.replace(/^ws/u, 'http').replace(/[^\w:/.[\]-]/gu, '');
