import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAddressGuard } from '../src/address/address-guard.ts';
import { createRelayInfoCache, createRelayInfoFetcher, parseRelayInfo } from '../src/relay/nip11-info.ts';
import { makeTestRelay } from './support/transports.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const guard = createAddressGuard({ allowLoopback: true });
const fetchInfo = createRelayInfoFetcher(guard);
const signal = new AbortController().signal;

describe('NET-1 what a relay says of itself (NIP-11)', () => {
  it('NET-1 is read from the same address, and parsed', async () => {
    const { url } = await makeTestRelay({ name: 'Test', limits: { maxSubscriptions: 7, maxLimit: 99 } });
    expect(parseRelayInfo(await fetchInfo(url, { signal }))).toMatchObject({
      name: 'Test',
      maxSubscriptions: 7,
      maxLimit: 99,
      authRequired: false,
    });
  });

  it('NET-1 at most 64 KB, no redirects, nothing but 200, nothing but JSON', async () => {
    let followed = 0;
    const target = await serve((_, response) => {
      followed += 1;
      response.end('{}');
    });
    const answers: readonly RequestListener[] = [
      (_, response) => response.end(JSON.stringify({ name: 'x'.repeat(70_000) })),
      (_, response) => {
        const timer = setInterval(() => response.write('x'.repeat(10_000)), 1);
        response.on('close', () => clearInterval(timer));
      },
      (_, response) => response.writeHead(302, { location: target.replace('ws', 'http') }).end(),
      (_, response) => response.writeHead(500).end('{}'),
      (_, response) => response.end('<html>'),
      (request) => request.socket.destroy(),
    ];
    for (const answer of answers) await expect(fetchInfo(await serve(answer), { signal })).rejects.toThrow();
    expect(followed).toBe(0);
  });

  it('NET-1 goes through the guard: a name that resolves to the inside is refused', async () => {
    let asked = 0;
    const inside = await serve((_, response) => {
      asked += 1;
      response.end('{}');
    });
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const guarded = createRelayInfoFetcher(createAddressGuard({ resolve, allowLoopback: true }));
    const url = inside.replace('127.0.0.1', 'evil.example.com');
    await expect(guarded(url, { signal })).rejects.toMatchObject({ code: 'ADDRESS_FORBIDDEN' });
    expect(asked).toBe(0);
  });

  it('NET-1 is asked for once an hour, also when there is none; and ends when the transport does', async () => {
    let now = 0;
    const asked: string[] = [];
    const cache = createRelayInfoCache({
      fetch: async (relay, { signal: stop }) => {
        asked.push(relay);
        if (relay === 'wss://slow.example')
          await new Promise((_, reject) => stop.addEventListener('abort', reject));
        throw new Error('none');
      },
      clock: () => now,
    });
    expect(await cache.get('wss://a.example')).toBeNull();
    now += 3_599_999;
    await cache.get('wss://a.example');
    expect(asked).toHaveLength(1);
    now += 1;
    await cache.get('wss://a.example');
    expect(asked).toHaveLength(2);
    const slow = cache.get('wss://slow.example');
    cache.close();
    expect(await slow).toBeNull();
  });

  it('NET-1 whatever the document is, it is read as unknown where it makes no sense', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (document) => {
        const info = parseRelayInfo({ limitation: document, name: document, supported_nips: document });
        for (const key of ['maxSubscriptions', 'maxLimit', 'maxMessageLength'] as const) {
          expect(info[key] === null || (Number.isInteger(info[key]) && Number(info[key]) > 0)).toBe(true);
        }
        parseRelayInfo(document);
      }),
    );
    expect(
      parseRelayInfo({ limitation: { max_limit: 0, max_subscriptions: -1, max_filters: '5' } }),
    ).toMatchObject({
      maxLimit: null,
      maxSubscriptions: null,
      maxFilters: null,
    });
  });
});
