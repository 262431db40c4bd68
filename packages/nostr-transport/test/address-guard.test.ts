import type { LookupAddress, LookupOptions } from 'node:dns';
import { until } from '@bonafide/internal/testing';
import { describe, expect, it } from 'vitest';
import { createAddressGuard, type Resolve } from '../src/address/address-guard.ts';
import { makeRelay, makeTransport } from './support/transports.ts';

const answers =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

function lookup(
  resolve: Resolve,
  name: string,
  options: LookupOptions = { all: true },
  policy: { allowLoopback?: boolean; allowHosts?: string[] } = {},
): Promise<string | readonly string[]> {
  const guard = createAddressGuard({ resolve, ...policy });
  return new Promise((settle, reject) => {
    guard.lookup(name, options, (error, found: string | LookupAddress[]) => {
      if (error) reject(error);
      else settle(typeof found === 'string' ? found : found.map(({ address }) => address));
    });
  });
}

describe('NET-1 the guard at connect time', () => {
  it('NET-1 answers with permitted addresses only', async () => {
    const mixed = answers('10.0.0.1', '8.8.8.8', '::1', '2606:4700::1111');
    expect(await lookup(mixed, 'relay.example.com')).toEqual(['8.8.8.8', '2606:4700::1111']);
    expect(await lookup(mixed, 'relay.example.com', {})).toBe('8.8.8.8');
    expect(await lookup(mixed, 'relay.example.com', { family: 6 })).toBe('2606:4700::1111');
    expect(await lookup(mixed, 'relay.example.com', { family: 'IPv4', all: true })).toEqual(['8.8.8.8']);
  });

  it('NET-1 refuses a name of the outside that points inside, loopback allowed or not', async () => {
    for (const allowLoopback of [false, true]) {
      await expect(
        lookup(answers('127.0.0.1'), 'evil.example.com', {}, { allowLoopback }),
      ).rejects.toMatchObject({ code: 'ADDRESS_FORBIDDEN' });
    }
    await expect(lookup(answers('8.8.8.8'), 'localhost', {}, { allowLoopback: true })).rejects.toMatchObject({
      code: 'ADDRESS_FORBIDDEN',
    });
    expect(await lookup(answers('127.0.0.1'), 'localhost', {}, { allowLoopback: true })).toBe('127.0.0.1');
    expect(await lookup(answers('10.0.0.5'), 'relay', {}, { allowHosts: ['relay'] })).toBe('10.0.0.5');
  });

  it('NET-1 passes on that a name does not resolve', async () => {
    const nothing: Resolve = async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    };
    await expect(lookup(nothing, 'gone.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(lookup(answers(), 'empty.example.com')).rejects.toMatchObject({ code: 'ADDRESS_FORBIDDEN' });
  });

  it('NET-1 a name that changes its answer (DNS rebinding) never reaches a relay inside', async () => {
    const inside = await makeRelay();
    let asked = 0;
    // First a public address that leads nowhere, then the inside.
    const rebinding: Resolve = async () => {
      asked += 1;
      return [{ address: asked === 1 ? '192.0.2.1' : '127.0.0.1', family: 4 }];
    };
    const transport = makeTransport({
      addresses: { allowLoopback: true, resolve: rebinding },
      relayInfo: false,
    });
    const relay = `wss://rebind.example.com:${inside.port}`;
    const closed: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      transport.subscribe([relay], [{ kinds: [1] }], {
        onEvent() {},
        onClosed: (_, reason) => closed.push(reason),
      });
      await until(() => closed.length === round + 1);
    }
    expect(closed[1]).toMatch(/^refused: 'rebind.example.com' resolves to no permitted address \(loopback\)/);
    expect(transport.status()[0]?.state).toBe('refused');
    expect(inside.clients).toEqual([]);
    const event = await import('./support/events.ts').then(({ makeEvent }) => makeEvent());
    expect((await transport.publish(event, [relay]))[0]).toMatchObject({ status: 'refused' });
  });
});
