import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assessAddress, assessRelayUrl, normalizeRelayUrl, relayHosts } from '../src/address/relay-url.ts';

const fault = (url: string, policy = {}) => {
  const assessed = assessRelayUrl(url, policy);
  return assessed.ok ? 'permitted' : assessed.fault;
};

describe('NET-1 addresses of relays', () => {
  it.each([
    ['WSS://Relay.Example.COM/', 'wss://relay.example.com'],
    ['wss://relay.example.com:443', 'wss://relay.example.com'],
    ['wss://relay.example.com./', 'wss://relay.example.com'],
    ['  wss://relay.example.com/nostr/  ', 'wss://relay.example.com/nostr'],
    ['wss://relay.example.com/#part', 'wss://relay.example.com'],
    ['wss://relay.example.com/?key=1', 'wss://relay.example.com/?key=1'],
    ['relay.fanfares.io', 'wss://relay.fanfares.io'],
    ['ws://127.0.0.1:7777/', 'ws://127.0.0.1:7777'],
    ['wss://[2606:4700::1111]:8443', 'wss://[2606:4700::1111]:8443'],
    ['wss://bücher.example', 'wss://xn--bcher-kva.example'],
  ])('NET-1 normalizes %s', (given, normalized) => {
    expect(normalizeRelayUrl(given)).toBe(normalized);
    expect(normalizeRelayUrl(normalized)).toBe(normalized);
  });

  it.each([
    '',
    'wss://',
    'https://relay.example.com',
    'wss://a b.com',
    'wss://exa\nmple.com',
    'wss:\\\\127.0.0.1',
    'wss://relay..example.com',
    `wss://relay.example.com/${'x'.repeat(2_000)}`,
    'wss://relay.\u200bexample.com',
  ])('NET-1 refuses to normalize %j', (text) => {
    expect(() => normalizeRelayUrl(text)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });

  it('NET-1 returns the hosts of the operator, which permit exactly them', () => {
    const own = [
      'ws://127.0.0.1:7777',
      'ws://[::1]:7777/',
      'wss://Relay.Home.Lan.',
      'relay.example.com',
      'wss://',
    ];
    const allowHosts = relayHosts(own);
    expect(allowHosts).toEqual(['127.0.0.1', '::1', 'relay.home.lan', 'relay.example.com']);
    for (const relay of own.slice(0, 4)) expect(fault(relay, { allowHosts }), relay).toBe('permitted');
    expect(fault('ws://127.0.0.2:7777', { allowHosts })).toBe('address');
  });

  it.each([
    'wss://relay.damus.io',
    'wss://nos.lol:8443/x',
    'wss://8.8.8.8',
    'wss://[2606:4700::1111]',
    'nos.lol',
  ])('NET-1 permits %s', (url) => expect(fault(url)).toBe('permitted'));

  it.each([
    ['ws://relay.damus.io', 'insecure'],
    ['ftp://relay.damus.io', 'scheme'],
    ['wss://user:pw@relay.damus.io', 'credentials'],
    ['wss://user@relay.damus.io', 'credentials'],
    ['wss://relay.damus.io:22', 'port'],
    ['wss://relay.damus.io:1023', 'port'],
    ['wss://localhost', 'host-name'],
    ['wss://relay', 'host-name'],
    ['wss://printer.local', 'host-name'],
    ['wss://metadata.google.internal', 'host-name'],
    ['wss://oxtrdevav64z64yb7x6rjg4ntzqjhedm5b5zjqulugknhzr46ny2qbad.onion', 'host-name'],
    ['wss://router.home.arpa', 'host-name'],
    ['wss://LOCALHOST.', 'host-name'],
    ['wss://127.0.0.1', 'address'],
    ['wss://127.1', 'address'],
    ['wss://0x7f.1', 'address'],
    ['wss://2130706433', 'address'],
    ['wss://0177.0.0.1', 'address'],
    ['wss://１２７.0.0.1', 'address'],
    ['wss://%31%32%37.0.0.1', 'address'],
    ['wss://0.0.0.0', 'address'],
    ['wss://10.1.2.3', 'address'],
    ['wss://172.16.0.1', 'address'],
    ['wss://192.168.1.1', 'address'],
    ['wss://169.254.169.254', 'address'],
    ['wss://100.64.0.1', 'address'],
    ['wss://168.63.129.16', 'address'],
    ['wss://198.18.0.1', 'address'],
    ['wss://224.0.0.1', 'address'],
    ['wss://255.255.255.255', 'address'],
    ['wss://[::1]', 'address'],
    ['wss://[::]', 'address'],
    ['wss://[::ffff:127.0.0.1]', 'address'],
    ['wss://[::ffff:a00:1]', 'address'],
    ['wss://[::127.0.0.1]', 'address'],
    ['wss://[64:ff9b::a00:1]', 'address'],
    ['wss://[2002:7f00:1::]', 'address'],
    ['wss://[fe80::1]', 'address'],
    ['wss://[fec0::1]', 'address'],
    ['wss://[fd00:ec2::254]', 'address'],
    ['wss://[ff02::1]', 'address'],
    ['wss://[2001:db8::1]', 'address'],
  ])('NET-1 refuses %s: %s', (url, reason) => {
    expect(fault(url)).toBe(reason);
  });

  it('NET-1 judges the host and not what looks like one in the path', () => {
    expect(fault('wss://10.0.0.1/relay.damus.io')).toBe('address');
    expect(fault('wss://relay.damus.io/10.0.0.1')).toBe('permitted');
    expect(fault('wss://relay.damus.io?@10.0.0.1')).toBe('permitted');
    expect(fault('wss://relay.damus.io@10.0.0.1')).toBe('credentials');
  });

  it('NET-1 opens loopback, without TLS, only when told to, and nothing else with it', () => {
    const policy = { allowLoopback: true };
    for (const url of [
      'ws://127.0.0.1:7777',
      'ws://localhost:7777',
      'ws://[::1]:7777',
      'ws://127.9.9.9:7777',
    ]) {
      expect(fault(url)).not.toBe('permitted');
      expect(fault(url, policy)).toBe('permitted');
    }
    expect(fault('ws://127.0.0.1:22', policy)).toBe('port');
    expect(fault('ws://10.0.0.1:7777', policy)).toBe('address');
    expect(fault('ws://relay.damus.io', policy)).toBe('insecure');
  });

  it('NET-1 takes the operator’s word for a host of their own', () => {
    const policy = { allowHosts: ['relay', '10.0.0.5'] };
    expect(fault('ws://relay:7777', policy)).toBe('permitted');
    expect(fault('ws://10.0.0.5', policy)).toBe('permitted');
    expect(fault('ws://10.0.0.6', policy)).toBe('address');
    expect(fault('ws://me:pw@relay:7777', policy)).toBe('credentials');
  });

  it('NET-1 never permits an address of the networks at home, however it is written', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const inside = fc.oneof(
      fc.tuple(fc.constant(10), byte, byte, byte),
      fc.tuple(fc.constant(127), byte, byte, byte),
      fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
      fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
    );
    const hex = (n: number) => n.toString(16).padStart(2, '0');
    fc.assert(
      fc.property(inside, fc.integer({ min: 0, max: 6 }), ([a, b, c, d], form) => {
        const whole = a * 2 ** 24 + b * 2 ** 16 + c * 256 + d;
        const v6 = `${hex(a)}${hex(b)}:${hex(c)}${hex(d)}`;
        const host = [
          `${a}.${b}.${c}.${d}`,
          String(whole),
          `0x${whole.toString(16)}`,
          `0${a.toString(8)}.0x${hex(b)}.${c * 256 + d}`,
          `[::ffff:${v6}]`,
          `[64:ff9b::${v6}]`,
          `[::${v6}]`,
        ][form];
        expect(fault(`wss://${host}`)).not.toBe('permitted');
      }),
      { numRuns: 500 },
    );
  });

  it('NET-1 never throws, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl({ validSchemes: ['ws', 'wss'] })),
        (text) => {
          expect(typeof assessRelayUrl(text).ok).toBe('boolean');
        },
      ),
    );
    expect(assessRelayUrl(undefined as never).ok).toBe(false);
    expect(assessAddress('nonsense')).toBe('no address');
    expect(assessAddress('fe80::1%eth0')).toBe('linkLocal');
  });

  it('NET-1 tells addresses from names, whatever a name ends in', () => {
    for (const name of ['relay1', 'a.b2', 'x.9z', '1.2.3.4a', 'n0.5five']) {
      expect(assessRelayUrl(`wss://${name}`)).not.toMatchObject({ fault: 'address' });
    }
    expect(assessRelayUrl('wss://relay1')).toMatchObject({ fault: 'host-name' });
    expect(assessRelayUrl('wss://relay.example.com2')).toEqual({ ok: true, url: 'wss://relay.example.com2' });
    for (const address of [
      '127.1',
      '0x7f.1',
      '2130706433',
      '017700000001',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '127.0.0.1.',
    ]) {
      expect(assessRelayUrl(`wss://${address}`)).toMatchObject({ ok: false, fault: 'address' });
    }
  });
});
