import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { eventually, patienceMs } from '@bonafide/internal/testing';
import { createAddressGuard } from '@bonafide/nostr-transport';
import { startTestRelay } from '@bonafide/nostr-transport/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDiscovery, createMemoryDiscoveryStore } from '../src/index.ts';
import { main, transportAt } from './set-up.ts';
import { cardOf, manualClock, signer, start } from './support.ts';

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return (server.address() as AddressInfo).port;
}

/** What must never be reached: an inner service that counts who knocks. */
async function innerService() {
  const knocks: string[] = [];
  const port = await listening(
    createServer((socket) => {
      socket.on('error', () => {});
      knocks.push(`${socket.remoteAddress}`);
      socket.destroy();
    }),
  );
  return { port, knocks };
}

/** Names that lead to our own test relay, because the operator vouches for them. */
const ours = 'relay.test';

/** A registry whose own relay is the only place that it may connect to, as in a data centre. */
async function setUp(options: { readonly answers?: Readonly<Record<string, readonly string[]>> } = {}) {
  const clock = manualClock();
  const relay = await startTestRelay({ clock });
  onTestFinished(() => relay.close());
  const service = await innerService();
  const resolved: string[] = [];
  const asked = new Map<string, number>();
  const resolve = async (name: string) => {
    resolved.push(name);
    const times = asked.get(name) ?? 0;
    asked.set(name, times + 1);
    const answers = name === ours ? ['127.0.0.1'] : (options.answers?.[name] ?? []);
    const address = answers[times % Math.max(1, answers.length)];
    if (address === undefined) throw new Error('ENOTFOUND');
    return [{ address, family: address.includes(':') ? 6 : 4 }];
  };
  const transport = transportAt(clock, { addresses: { allowHosts: [ours], resolve } });
  const store = createMemoryDiscoveryStore();
  const discovery = createDiscovery({
    transport,
    store,
    relays: [`ws://${ours}:${relay.port}`],
    clock,
    config: { allowHosts: [ours], queryTimeoutMs: 300, lingerMs: 5 },
  });
  onTestFinished(() => discovery.close());
  return { relay, service, discovery, store, transport, resolved, clock };
}

/** Spellings of this machine, of private networks and of what is dangerous, each with `port` where one fits. */
const hostile = (port: number): readonly string[] => [
  `wss://127.0.0.1:${port}`,
  `ws://127.0.0.1:${port}`,
  `wss://localhost:${port}`,
  `wss://LOCALHOST.:${port}`,
  `wss://x.localhost:${port}`,
  `wss://127.1:${port}`,
  `wss://0x7f.1:${port}`,
  `wss://0x7f000001:${port}`,
  `wss://2130706433:${port}`,
  `wss://0177.0.0.1:${port}`,
  `wss://0:${port}`,
  `wss://0.0.0.0:${port}`,
  `wss://127.0.0.1.:${port}`,
  `wss://①②⑦.⓪.⓪.①:${port}`,
  `wss://[::1]:${port}`,
  `wss://[::]:${port}`,
  `wss://[::ffff:127.0.0.1]:${port}`,
  `wss://[::ffff:7f00:1]:${port}`,
  `wss://[64:ff9b::7f00:1]:${port}`,
  `wss://[fe80::1%25eth0]:${port}`,
  'wss://10.0.0.5',
  'wss://172.16.0.1',
  'wss://192.168.1.1',
  'wss://100.64.0.1',
  'wss://[fd00::1]',
  'wss://169.254.169.254',
  'wss://169.254.1.1',
  'wss://[fd00:ec2::254]',
  'wss://[fe80::1]',
  'wss://metadata.google.internal',
  'wss://printer.local',
  'wss://intranet',
  `wss://user:secret@relay.example.com:${port}`,
  `wss://user@127.0.0.1:${port}`,
  'wss://relay.example.com:22',
  'wss://relay.example.com:25',
  `http://127.0.0.1:${port}`,
  `file:///etc/passwd`,
  `wss://relay.example.com\\@127.0.0.1:${port}`,
  `wss://relay.example.com#@127.0.0.1:22`,
  `wss://\u200b127.0.0.1:${port}`,
  `//127.0.0.1:${port}`,
  `127.0.0.1:${port}`,
];
// A fragment is no address: what is left of that one is a public name.
const harmless = 'wss://relay.example.com';

const tenEach = <Item>(items: readonly Item[]) =>
  Array.from({ length: Math.ceil(items.length / 10) }, (_, n) => items.slice(n * 10, n * 10 + 10));

describe('where strangers point', () => {
  it('DIS-9 keeps no relay of a card, a relay list or a recommendation that leads inwards', async () => {
    const { discovery, relay, service } = await setUp();
    const hints = hostile(service.port);
    const groups = tenEach(hints);
    const keys: string[] = [];
    for (const [n, group] of groups.entries()) {
      const who = signer(n + 1);
      const pubkey = await who.getPublicKey();
      keys.push(pubkey);
      const at = start / 1_000;
      const tags = [['d', main], ['k', '5000'], ['relays', ...group], ...group.map((url) => ['r', url])];
      relay.publish(await who.signEvent({ kind: 31_990, created_at: at, tags, content: '{"name":"x"}' }));
      const list = group.map((url) => ['r', url]);
      relay.publish(await who.signEvent({ kind: 10_002, created_at: at, tags: list, content: '' }));
      for (const [m, url] of group.entries()) {
        relay.publish(
          await signer(100 + n * 10 + m).signEvent({
            kind: 31_989,
            created_at: at,
            tags: [
              ['d', '5000'],
              ['a', `31990:${pubkey}:${main}`, url],
            ],
            content: '',
          }),
        );
      }
    }
    await discovery.sync({ timeoutMs: patienceMs });
    for (const pubkey of keys) {
      const ranked = await discovery.relaysFor(pubkey, main);
      const known = ranked.map((one) => one.relay).filter((url) => url !== harmless);
      expect(known).toEqual([`ws://${ours}:${relay.port}`]);
      const refused = (await discovery.get(pubkey, main))?.card.refusedHints ?? [];
      expect(refused.length).toBeGreaterThan(0);
      // On a busy machine even the honest relay may answer too late.
      await eventually(async () => {
        for (const { relay: tried, ok } of await discovery.probe(pubkey, main)) {
          expect([tried, ok]).toEqual([tried, tried.includes(ours)]);
        }
      });
    }
    expect(service.knocks).toEqual([]);
  });

  it('DIS-9 connects nowhere inwards even with an address that got past the reading: the guard is at the connection', async () => {
    const { discovery, store, relay, service } = await setUp();
    const card = await cardOf(1);
    relay.publish(card);
    await discovery.sync({ timeoutMs: patienceMs });
    const entry = await discovery.get(card.pubkey, main);
    if (entry === null) throw new Error('the card was not found');
    // As a damaged database, or a mistake of ours, would have it.
    const relayHints = hostile(service.port).filter((url) => !url.includes('#'));
    await store.put([
      { entry: { ...entry, relayHints, sightings: [], revision: entry.revision + 1 }, audit: [] },
    ]);
    const probed = await discovery.probe(card.pubkey, main);
    expect(probed.length).toBeGreaterThan(30);
    for (const { relay: tried, ok, latencyMs, reason } of probed) {
      expect([tried, ok, latencyMs]).toEqual([tried, false, null]);
      expect(reason).toMatch(/refused|no answer/u);
    }
    expect(service.knocks).toEqual([]);
  });

  it('DIS-9 does not follow a public name that resolves inwards, at whichever time it is asked', async () => {
    const answers = {
      'inward.example.com': ['127.0.0.1'],
      'changing.example.com': ['10.0.0.1', '127.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1'],
    };
    const { discovery, relay, service, resolved } = await setUp({ answers });
    const relays = Object.keys(answers).map((name) => `wss://${name}:${service.port}`);
    const card = await cardOf(1, { relays });
    relay.publish(card);
    await discovery.sync({ timeoutMs: patienceMs });
    // They read like public names, so they are kept; where they lead is found out when connecting.
    expect((await discovery.get(card.pubkey, main))?.relayHints).toEqual(relays);
    for (let time = 0; time < 3; time += 1) {
      const probed = await discovery.probe(card.pubkey, main);
      expect(probed.filter(({ relay: tried }) => relays.includes(tried)).map(({ ok }) => ok)).toEqual([
        false,
        false,
      ]);
    }
    expect(resolved.filter((name) => name === 'changing.example.com').length).toBeGreaterThanOrEqual(3);
    expect(service.knocks).toEqual([]);
  });

  it('DIS-9 connects to the very address that was judged, so that an answer that changes gains nothing', async () => {
    // The guard that the transport connects with: no second question comes between judging and connecting.
    const answers = ['93.184.215.14', '127.0.0.1'];
    const guard = createAddressGuard({
      resolve: async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }],
    });
    const ask = () =>
      new Promise((resolve) => {
        guard.lookup('changing.example.com', { all: true }, (error, address) =>
          resolve(error?.code ?? address),
        );
      });
    expect(await ask()).toEqual([{ address: '93.184.215.14', family: 4 }]);
    expect(await ask()).toBe('ADDRESS_FORBIDDEN');
  });

  it('DIS-9 follows no redirect, neither of a relay nor of its information document (NIP-11)', async () => {
    const clock = manualClock();
    const service = await innerService();
    const visits: string[] = [];
    const redirecting = createHttpServer((request, response) => {
      visits.push(`${request.headers.accept}`);
      response.writeHead(302, { location: `http://127.0.0.1:${service.port}/` }).end();
    });
    redirecting.on('upgrade', (_request, socket) => {
      visits.push('upgrade');
      // The client may reset what it does not follow.
      socket.on('error', () => {});
      socket.end(`HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:${service.port}/\r\n\r\n`);
    });
    const port = await listening(redirecting);
    const transport = transportAt(clock, {
      addresses: { allowHosts: [ours], resolve: async () => [{ address: '127.0.0.1', family: 4 }] },
    });
    const discovery = createDiscovery({
      transport,
      store: createMemoryDiscoveryStore(),
      relays: [`ws://${ours}:${port}`],
      clock,
      config: { allowHosts: [ours], queryTimeoutMs: 300 },
    });
    onTestFinished(() => discovery.close());
    await discovery.sync();
    await discovery.start();
    expect(visits).toContain('upgrade');
    await discovery.close();
    expect(service.knocks).toEqual([]);
  });

  it('DIS-9 asks a relay for its information document only where it may connect', async () => {
    const { discovery, relay, service, transport } = await setUp();
    const card = await cardOf(1);
    relay.publish(card);
    await discovery.sync();
    // The same transport fetches NIP-11 documents over HTTP, through the same guard.
    for (const url of hostile(service.port)) {
      await transport.query([url], [{ kinds: [0], limit: 1 }], { timeoutMs: 20 }).catch(() => []);
    }
    expect(service.knocks).toEqual([]);
  });
});
