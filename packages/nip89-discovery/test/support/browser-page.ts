// Runs in a browser, bundled: the pure functions, and a registry in memory over a relay, reported to the test's server.

import { createKeySigner, createTransport } from '@bonafide/nostr-transport';
import {
  buildCapabilityCard,
  canonicalIdentifier,
  createDiscovery,
  createMemoryDiscoveryStore,
  isBonafideError,
  matchCapability,
  parseCapabilityCard,
} from '../../src/index.ts';

declare const location: { readonly href: string };

const relays = [new URL(location.href).searchParams.get('relay') ?? ''];
const signer = createKeySigner('03'.repeat(32));

async function work(): Promise<object> {
  const createdAt = Date.now();
  const spec = { d: 'Main', name: 'Polyglot', kinds: [5002], topics: ['translation'], createdAt };
  const event = await signer.signEvent(buildCapabilityCard(spec));
  const parsed = parseCapabilityCard(event);
  const forged = parseCapabilityCard({ ...event, content: '{}' });
  const transport = createTransport({ addresses: { allowLoopback: true } });
  const config = { allowLoopback: true };
  const discovery = createDiscovery({ transport, store: createMemoryDiscoveryStore(), relays, config });
  await discovery.publishCard(spec, signer);
  const synced = await discovery.sync({ timeoutMs: 240_000 });
  const found = await discovery.find({ capability: 'translate' }).toArray();
  const refused = await discovery
    .get('nsec', '')
    .catch((error: unknown) => isBonafideError(error, 'INVALID_INPUT'));
  await discovery.close();
  await transport.close();
  return {
    parsed: parsed.ok && [
      parsed.card.name,
      parsed.card.kinds,
      matchCapability(parsed.card, 'translation').match,
    ],
    forged: forged.ok || forged.reason,
    long: canonicalIdentifier('x'.repeat(1_000)).length,
    relays: synced.relays.map(({ status, taken }) => [status, taken]),
    found: found.map(({ entry }) => entry.d),
    refused,
  };
}

const report = (result: object) => fetch('/result', { method: 'POST', body: JSON.stringify(result) });
work().then(report, (error: unknown) => report({ error: String(error) }));
