import { eventually } from '@bonafide/internal/testing';
import { buildCapabilityCard, type CardSpec } from '@bonafide/nip89-discovery';
import { createKeySigner, type EventTemplate } from '@bonafide/nostr-transport';
import { startTestRelay } from '@bonafide/nostr-transport/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type DiscoverOptions, discover } from '../src/commands/discover/discover.ts';
import { createPrinter } from '../src/print.ts';
import { withProgress } from '../src/progress.ts';
import { run } from './world.ts';

const signer = (n: number) => createKeySigner(n.toString(16).padStart(64, '0'));
const now = Date.now();

async function relayWith(specs: readonly Partial<CardSpec>[]) {
  const relay = await startTestRelay();
  onTestFinished(() => relay.close());
  for (const [index, spec] of specs.entries()) relay.publish(await card(index + 1, spec));
  return relay;
}

const card = (n: number, spec: Partial<CardSpec> = {}) =>
  signer(n).signEvent(
    buildCapabilityCard({
      d: 'main',
      name: `P${n}`,
      kinds: [5_000],
      createdAt: now - 3 * 86_400_000,
      ...spec,
    }),
  );
const sign = (n: number, template: Partial<EventTemplate>) =>
  signer(n).signEvent({ kind: 1, created_at: Math.floor(now / 1_000), tags: [], content: '', ...template });

describe('bonafide discover', () => {
  it('CLI-1 DIS-10 lists who offers a capability, surest first, with why each matches', async () => {
    const relay = await relayWith([
      {
        capabilities: ['perf-test'],
        about: 'Measures whatever you send.',
        pricing: { model: 'per-request', amountMsat: 1_500 },
        relays: ['wss://one.example.com', 'wss://two.example.com'],
      },
      { capabilities: ['benchmark-task'], performance: { typicalLatencyMs: 800 }, encryptionSupported: true },
      { capabilities: ['prose'], kinds: [5_050] },
    ]);
    const address = `31990:${await signer(2).getPublicKey()}:main`;
    relay.publish(
      await sign(9, {
        kind: 31_989,
        tags: [
          ['d', '5000'],
          ['a', address],
        ],
      }),
    );
    const { code, out, err } = await run(['discover', '--relay', relay.url, '-c', 'benchmark-task']);
    expect([code, err]).toEqual([0, `${relay.url}  complete, 4 events\n`]);
    const plain = out.replace(/[0-9a-f]{8}…[0-9a-f]{4}/gu, '<key>').replace(/npub1\w{58}/gu, '<npub>');
    expect(plain).toBe(`P2  <key> main
  exact, 100 % sure: its card names 'benchmark-task'
  offers 5000, benchmark-task
  claims to answer in 800 ms · takes encrypted jobs · card 3 days old · recommended by 1
  <npub>

P1  <key> main
  synonym, 80 % sure: 'perf-test' means the same as 'benchmark-task'
  offers 5000, perf-test
  1,500 msat (per-request) · card 3 days old
  Measures whatever you send.
  at wss://one.example.com and 1 more
  <npub>
`);
  });

  it('CLI-1 prints one JSON document, with the match and what each relay gave', async () => {
    const relay = await relayWith([{ capabilities: ['prose'] }, {}]);
    const { code, out } = await run([
      'discover',
      '--relay',
      relay.url,
      '--kind',
      '5000',
      '-c',
      'prose',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      platforms: [
        {
          name: 'P1',
          npub: expect.stringMatching(/^npub1/u),
          d: 'main',
          status: 'discovered',
          match: { confidence: 1, match: 'exact', reason: "'prose'" },
          kinds: [5_000],
          labels: ['prose'],
          recommendedBy: 0,
        },
      ],
      relays: [{ relay: relay.url, status: 'complete', received: 2, taken: 2 }],
    });
  });

  it('CLI-1 lists all without a question, and says with exit code 1 that there is nobody', async () => {
    const relay = await relayWith([{}, {}]);
    const all = await run(['discover', '--relay', relay.url]);
    expect(all.out.match(/^P\d/gmu)).toHaveLength(2);
    const nobody = await run(['discover', '--relay', relay.url, '-c', 'alchemy']);
    expect(nobody).toMatchObject({ code: 1, out: '' });
    expect(nobody.err).toContain('No platform offers that at these relays.\n');
  });

  it('CLI-1 DIS-15 lists without a question every key once before the second card of any, fresh cards first', async () => {
    const keys = Array.from({ length: 9 }, (_, index) => index + 1);
    const pubkeys = await Promise.all(keys.map(async (n) => ({ n, pubkey: await signer(n).getPublicKey() })));
    // The stranger with many cards has the lowest key, which a store lists first.
    pubkeys.sort((a, b) => (a.pubkey < b.pubkey ? -1 : 1));
    const [stranger = 0, old = 0, ...honest] = pubkeys.map(({ n }) => n);
    const relay = await relayWith([]);
    for (let count = 0; count < 20; count += 1)
      relay.publish(await card(stranger, { d: `card ${count}`, name: `Many ${count}`, createdAt: now }));
    relay.publish(await card(old, { name: 'Old', createdAt: now - 90 * 86_400_000 }));
    for (const n of honest) relay.publish(await card(n, { name: `Honest ${n}` }));
    const list = async (...more: string[]) => {
      const { out } = await run(['discover', '--relay', relay.url, ...more]);
      return out.match(/^(?:Many|Honest|Old)/gmu) ?? [];
    };
    expect(await list('--limit', '8')).toEqual(['Many', ...honest.map(() => 'Honest')]);
    expect(await list('--limit', '300')).toHaveLength(28);
    expect((await list('--limit', '300')).at(-1)).toBe('Old');
    expect(await list('--limit', '300', '--fresh')).toHaveLength(27);
  });

  it('CLI-1 DIS-3 says what was not taken, and why', async () => {
    const relay = await relayWith([{}]);
    relay.publish(
      await sign(2, {
        kind: 31_990,
        tags: [
          ['d', 'x'],
          ['k', '5000'],
        ],
        content: '',
        created_at: Math.floor(now / 1_000) + 7_200,
      }),
    );
    await relay.faults.set({ forge: { alter: 'signature' } });
    const { code, out, err } = await run(['discover', '--relay', relay.url]);
    expect([code, out.split(' ')[0]]).toEqual([0, 'P1']);
    expect(err).toMatch(/Not taken of what the relays sent: \d × wrong signature, 1 × from future\.\n$/u);
  });

  it('CLI-1 says which relay did not answer, and fails when none did', async () => {
    const relay = await relayWith([{}]);
    const dead = await startTestRelay();
    await dead.close();
    const one = await run(['discover', '--timeout', '1', '--relay', relay.url, '--relay', dead.url]);
    expect([one.code, one.out.split(' ')[0]]).toEqual([0, 'P1']);
    expect(one.err).toContain(`${relay.url}  complete, 1 event\n`);
    expect(one.err).toContain(`${dead.url}  unreachable, 0 events`);
    const none = await run(['discover', '--timeout', '1', '--relay', dead.url, '--json']);
    expect(none.code).toBe(1);
    expect(none.err).toContain('NO_RELAY');
  });

  it('CLI-1 DIS-18 shows old cards last and says that they are stale; --fresh leaves them out', async () => {
    const relay = await relayWith([
      { kinds: [5_002], createdAt: now - 400 * 86_400_000 },
      { kinds: [5_002], createdAt: now - 86_400_000 },
    ]);
    const all = await run(['discover', '--relay', relay.url, '-c', 'translator']);
    expect(all.out.match(/^P\d/gmu)).toEqual(['P2', 'P1']);
    expect(all.out).toContain('card 400 days old (stale)');
    expect(all.out).toContain('synonym, 80 % sure: translation, in its kinds or labels');
    const fresh = await run(['discover', '--relay', relay.url, '-c', 'translator', '--fresh']);
    expect(fresh.out.match(/^P\d/gmu)).toEqual(['P2']);
  });

  it('CLI-1 refuses what is no relay, no kind and no confidence', async () => {
    for (const wrong of [['--relay', 'x'], ['--kind', 'x'], ['--min-confidence', '2'], ['--nope']]) {
      expect((await run(['discover', ...wrong])).code).toBe(2);
    }
  });

  it('X-7 prints what strangers write without harm to the terminal', async () => {
    const evil = '\u001b[2J\u001b]0;owned\u0007\u202egnp.exe\u009b31m\nP9  verified';
    const relay = await relayWith([{ name: evil, about: evil, pricing: { model: evil }, d: evil }]);
    const { out } = await run(['discover', '--relay', relay.url, '-k', '5000']);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/u);
    expect(out).not.toMatch(/^P9/mu);
    const json = await run(['discover', '--relay', relay.url, '-k', '5000', '--json']);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(json.out).not.toMatch(/[\u001b\u009b\u202e]/u);
    expect(JSON.parse(json.out).platforms).toHaveLength(1);
  });

  for (const json of [false, true]) {
    it(`CLI-1 DIS-12 watches until it is told to stop, ${json ? 'as JSON lines' : 'in words'}: found, changed, deleted`, async () => {
      const relay = await relayWith([{ createdAt: now - 60_000 }]);
      const options: DiscoverOptions = {
        relay: [relay.url],
        kind: 5_000,
        minConfidence: 0.5,
        limit: 10,
        timeout: 5,
        watch: true,
        json,
      };
      let out = '';
      const output = {
        write: (text: string) => {
          out += text;
        },
      };
      const io = withProgress({ stdout: output, stderr: { write() {} }, env: {} });
      const ending = new AbortController();
      const watching = discover(options, io, createPrinter(io), ending.signal);
      const shows = (text: string) => eventually(() => expect(out).toContain(text));
      await shows('P1');
      await relay.waitFor(({ text }) => text.includes('"since"'));
      relay.publish(await card(2, { createdAt: now - 30_000 }));
      relay.publish(await card(3, { kinds: [5_050] }));
      await shows('P2');
      relay.publish(
        await card(2, { kinds: [5_000, 5_100], createdAt: now - 20_000, pricing: { amountMsat: 7 } }),
      );
      await shows(json ? '"changed"' : 'Changed: +5100, price unsaid → 7 msat');
      const address = `31990:${await signer(1).getPublicKey()}:main`;
      relay.publish(
        await sign(1, {
          kind: 5,
          tags: [
            ['a', address],
            ['k', '31990'],
          ],
        }),
      );
      await shows(json ? '"gone"' : 'Deleted:');
      ending.abort();
      expect(await watching).toBe(true);
      expect(out).not.toContain('P3');
      if (!json) return;
      const lines = out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(lines.map(({ what, name }) => `${what} ${name}`)).toEqual([
        'found P1',
        'found P2',
        'changed P2',
        'gone P1',
      ]);
      expect(lines[2]).toMatchObject({ diff: { kinds: { added: [5_100] } } });
    });
  }
});
