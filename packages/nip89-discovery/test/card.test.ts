import type { NostrEvent } from '@bonafide/nostr-transport';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assessCardEvent, type CardRejection, parseCapabilityCard } from '../src/index.ts';
import { parse, parsed, reasonOf, withContent, withK } from './support/card.ts';
import { cardOf, dayMs, fixture, signer, start, unsigned } from './support.ts';

/** The card that the protocol's own report prints as its example. Its id and signature were made up. */
const printed = {
  id: '4376c65d2f232afbe9b882a35baa4f6fe8667c4e684749af565f981833ed6a65',
  pubkey: '6e468422dfb74a5738702a8823b9b28168abab8655faacb6853cd0ee15deee93',
  created_at: 1774048752,
  kind: 31990,
  tags: [
    ['d', 'benchmark-platform-v2'],
    ['k', '5000'],
    ['k', 'benchmark-task'],
    ['relays', 'wss://relay.benchmark-platform.io'],
    ['relays', 'wss://relay.damus.io'],
  ],
  content:
    '{"name": "ComputeNode Alpha", "capabilities": ["benchmark-task", "data-processing"], "version": "2.1.0", "pricing": "per-request", "performance": {"typical_latency_ms": 5000}}',
  sig: '9378edf9a81b1e0d164c9c69d62a1974ce39ab3f550988c5a584819fdb6b1bc4ed9e0e3de68396226260b6d9e67d4f8bf8640b9099a5265446732b15b4dd5050',
};

describe('the printed example', () => {
  it('DIS-4 is rejected, since its id is not the hash of its fields', () => {
    expect(parseCapabilityCard(printed)).toMatchObject({ ok: false, reason: 'wrong-id' });
  });

  it('DIS-4 parses fully once its fields are signed', async () => {
    const { kind, created_at, tags, content } = printed;
    const event = await signer(1).signEvent({ kind, created_at, tags, content });
    const result = parseCapabilityCard(event);
    expect(result).toMatchObject({
      ok: true,
      card: {
        pubkey: event.pubkey,
        d: 'benchmark-platform-v2',
        createdAt: 1_774_048_752_000,
        name: 'ComputeNode Alpha',
        version: '2.1.0',
        kinds: [5_000],
        labels: ['benchmark-task', 'data-processing'],
        confirmed: ['benchmark-task'],
        discrepancies: { tagsOnly: [], contentOnly: ['data-processing'] },
        relayHints: ['wss://relay.benchmark-platform.io', 'wss://relay.damus.io'],
        refusedHints: [],
        pricing: { model: 'per-request', amountMsat: null },
        performance: { typicalLatencyMs: 5_000 },
        contentPlain: false,
        unreadable: [],
      },
    });
  });
});

describe('assessing an event', () => {
  const assess = (event: unknown, options: Parameters<typeof assessCardEvent>[1] = {}) => {
    const result = assessCardEvent(event, options);
    return result.ok ? null : result.reason;
  };

  it('DIS-3 takes a genuine card and gives back a frozen copy of its seven fields', async () => {
    const event = await cardOf(1);
    const result = assessCardEvent({ ...event, extra: 1 }, { now: start });
    expect(result).toEqual({ ok: true, event, stale: false });
    expect(result.ok && Object.isFrozen(result.event)).toBe(true);
  });

  it('DIS-3 X-5b verifies what is there, not what was verified once', async () => {
    const event = await cardOf(1);
    expect(assess({ ...event, content: '{"name":"forged"}' })).toBe('wrong-id');
    expect(assess({ ...event, sig: event.sig.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) })).toBe(
      'wrong-signature',
    );
    const other = await cardOf(2);
    expect(assess({ ...event, sig: other.sig })).toBe('wrong-signature');
  });

  it('DIS-3 looks at size, kind, structure, signature and time in this order', async () => {
    const event = await cardOf(1);
    const now = start - 2 * 3_600_000;
    // Everything is wrong with the first; each step mends what the step before named.
    const steps: readonly [unknown, CardRejection][] = [
      [{ ...event, kind: 1, tags: [['x', 'y'.repeat(4_097)]], sig: '0' }, 'malformed'],
      [{ ...event, kind: 1, tags: [['x', 'y'.repeat(4_097)]] }, 'too-large'],
      [{ ...event, kind: 1, tags: [] }, 'wrong-kind'],
      [{ ...event, tags: [] }, 'no-identifier'],
      [
        {
          ...event,
          tags: [
            ['d', 'x'],
            ['k', ' '],
          ],
        },
        'no-capability',
      ],
      [{ ...event, created_at: event.created_at + 1 }, 'wrong-id'],
      [{ ...event, sig: 'f'.repeat(128) }, 'wrong-signature'],
      [event, 'from-future'],
    ];
    for (const [value, reason] of steps) expect(assess(value, { now })).toBe(reason);
  });

  it('DIS-3 caps content at 64 KiB of bytes, tags in number and length', () => {
    const options = { verifier: null };
    expect(assess(unsigned({ content: 'é'.repeat(32_768) }), options)).toBeNull();
    expect(assess(unsigned({ content: `${'é'.repeat(32_768)}a` }), options)).toBe('too-large');
    const many = (count: number) => [['d', 'x'], ...Array.from({ length: count - 1 }, () => ['k', '1'])];
    expect(assess(unsigned({ tags: many(1_000) }), options)).toBeNull();
    expect(assess(unsigned({ tags: many(1_001) }), options)).toBe('too-large');
  });

  it('DIS-3 bounds the future by an hour and keeps the old as stale', () => {
    const event = unsigned({});
    const at = (now: number) => assessCardEvent(event, { now, verifier: null });
    expect(at(start - 3_600_000)).toMatchObject({ ok: true, stale: false });
    expect(at(start - 3_600_001)).toMatchObject({ ok: false, reason: 'from-future' });
    expect(at(start + 30 * dayMs)).toMatchObject({ ok: true, stale: false });
    expect(at(start + 30 * dayMs + 1)).toMatchObject({ ok: true, stale: true });
  });

  it('DIS-3 replaces by the later date, and within a second by the lower id', () => {
    const event = unsigned({});
    const against = (created_at: number, id: string) =>
      assess(event, { current: { created_at, id }, verifier: null });
    expect(against(event.created_at - 1, 'a'.repeat(64))).toBeNull();
    expect(against(event.created_at, 'c'.repeat(64))).toBeNull();
    expect(against(event.created_at, 'a'.repeat(64))).toBe('superseded');
    expect(against(event.created_at + 1, 'c'.repeat(64))).toBe('superseded');
  });

  it('DIS-3 DIS-8 refuses an identifier that no database keeps', () => {
    for (const d of ['a\0b', '\ud800', 'x'.repeat(1_025)]) {
      expect(
        reasonOf({
          tags: [
            ['d', d],
            ['k', '1'],
          ],
        }),
      ).toBe('no-identifier');
    }
    expect(
      parsed({
        tags: [
          ['d', ''],
          ['k', '1'],
        ],
      }).d,
    ).toBe('');
  });
});

describe('capabilities', () => {
  it('DIS-5 reads numbers, labels, compounds and families, whatever their spacing and case', () => {
    const card = withK(' 5000 ', 'Benchmark-Task', '5100, 5200,5000', 'compute-*', 'data processing');
    expect(card.kinds).toEqual([5_000, 5_100, 5_200]);
    expect(card.labels).toEqual(['benchmark-task', 'data', 'processing']);
    expect(card.patterns).toEqual(['compute-*']);
    expect(card.raw).toEqual([' 5000 ', 'Benchmark-Task', '5100, 5200,5000', 'compute-*', 'data processing']);
  });

  it('DIS-5 leaves out what is no capability, and a card of nothing else', () => {
    expect(withK('99999', '-*', '*', 'x'.repeat(65), '<script>', '7').kinds).toEqual([7]);
    expect(withK('*', '7').patterns).toEqual([]);
    expect(
      reasonOf({
        tags: [
          ['d', 'x'],
          ['k', '*'],
          ['k', '99999'],
        ],
      }),
    ).toBe('no-capability');
  });

  it('DIS-7 includes what either says, confirms what both say and notes where they differ', () => {
    const card = parsed({
      tags: [
        ['d', 'x'],
        ['k', '5000'],
        ['k', '5100'],
        ['k', 'benchmark-task'],
      ],
      content: JSON.stringify({ supported_kinds: [5_000, '5300'], capabilities: ['Prose'] }),
    });
    expect(card.kinds).toEqual([5_000, 5_100, 5_300]);
    expect(card.labels).toEqual(['benchmark-task', 'prose']);
    expect(card.confirmed).toEqual(['5000']);
    expect(card.discrepancies).toEqual({
      tagsOnly: ['5100', 'benchmark-task'],
      contentOnly: ['5300', 'prose'],
    });
    // Who says nothing in the content contradicts nothing.
    expect(withK('5000', 'benchmark-task').discrepancies).toEqual({ tagsOnly: [], contentOnly: [] });
  });
});

describe('content', () => {
  it('DIS-6 takes empty content, and plain text as the description', () => {
    expect(withContent('  ')).toMatchObject({ name: null, about: null, fields: null, contentPlain: false });
    expect(withContent('I translate. "Quoted".')).toMatchObject({
      about: 'I translate. "Quoted".',
      fields: null,
      contentPlain: true,
    });
  });

  it('DIS-21 degrades to the tags when content begins like JSON and is none, or is no object, or nests without end', () => {
    for (const content of [
      "{'name': 'x'}",
      '{"name": True}',
      '{"a":1',
      '[1,2]',
      '[]',
      `{"a":${'['.repeat(33)}`,
      `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    ]) {
      expect(withContent(content)).toMatchObject({
        kinds: [5_000],
        name: null,
        about: null,
        fields: null,
        contentPlain: false,
        contentMalformed: true,
      });
    }
    expect(withContent(JSON.stringify({ about: '[['.repeat(100) })).contentMalformed).toBe(false);
  });

  it('DIS-6 reads each field on its own, under all its names, and names what it cannot read', () => {
    expect(
      withContent({
        display_name: '  Ada\u202e  ',
        description: 'about',
        image: 'https://example.com/a.png',
        version: 2,
        supportsEncryption: 'True',
        amount: '100_000',
        lud16: 'a@example.com',
        performance: { latency_ms: 3, throughput: 'high' },
        nip90Params: { language: { required: true, values: ['en', 5] }, odd: 7 },
        future: { field: [1] },
      }),
    ).toMatchObject({
      name: 'Ada\u202e',
      about: 'about',
      picture: 'https://example.com/a.png',
      version: '2',
      encryptionSupported: true,
      pricing: { model: null, amountMsat: 100_000 },
      lud16: 'a@example.com',
      performance: { typicalLatencyMs: 3 },
      nip90Params: { language: { required: true, values: ['en', '5'], description: null } },
      unreadable: ['nip90Params.odd'],
      fields: { future: { field: [1] } },
    });
    expect(
      withContent({
        name: { a: 1 },
        about: 5,
        picture: 'javascript:alert(1)',
        pricing: [1],
        capabilities: 'x',
        performance: 9,
      }),
    ).toMatchObject({
      name: null,
      about: null,
      picture: null,
      pricing: null,
      performance: null,
      unreadable: ['about', 'capabilities', 'name', 'performance', 'picture', 'pricing'],
    });
  });

  it('DIS-6 reads prices in words and in numbers', () => {
    const price = (pricing: unknown) => withContent({ pricing }).pricing;
    expect(price('Free')).toEqual({ model: 'Free', amountMsat: 0 });
    expect(price('flexible')).toEqual({ model: 'flexible', amountMsat: null });
    expect(price('2500')).toEqual({ model: null, amountMsat: 2_500 });
    expect(price({ model: 'per-request', amountMsat: 1_000 })).toEqual({
      model: 'per-request',
      amountMsat: 1_000,
    });
    expect(price({ amount: '1 000' })).toEqual({ model: null, amountMsat: 1_000 });
    expect(price({ amount: 'free' })).toEqual({ model: 'free', amountMsat: 0 });
    expect(price({ amountMsat: -5 })).toEqual({ model: null, amountMsat: null });
  });
});

describe('relay hints', () => {
  const hints = (tags: string[][], allowLoopback = false) => {
    const event = unsigned({ tags: [['d', 'x'], ['k', '1'], ...tags] });
    const result = parseCapabilityCard(event, { verifier: null, addresses: { allowLoopback } });
    if (!result.ok) throw new Error(result.message);
    return { accepted: result.card.relayHints, refused: result.card.refusedHints.map(({ fault }) => fault) };
  };

  it('DIS-9 reads one tag or many, normalised, each relay once, at most ten', () => {
    expect(
      hints([
        ['relays', 'wss://A.example.com/', 'wss://b.example.com:443'],
        ['relays', 'c.example.com'],
        ['relay', 'wss://b.example.com'],
        ['r', 'wss://d.example.com/path'],
        ['r', 'https://example.com'],
      ]),
    ).toEqual({
      accepted: [
        'wss://a.example.com',
        'wss://b.example.com',
        'wss://c.example.com',
        'wss://d.example.com/path',
      ],
      refused: [],
    });
    const many = Array.from({ length: 30 }, (_, n) => `wss://r${n}.example.com`);
    expect(hints([['relays', ...many]]).accepted).toEqual(many.slice(0, 10));
  });

  it('DIS-9 refuses what would lead a connection astray', () => {
    const bad = [
      'ws://public.example.com',
      'wss://user:pw@example.com',
      'wss://127.0.0.1',
      'wss://0x7f.1',
      'wss://[::ffff:10.0.0.1]',
      'wss://169.254.169.254',
      'wss://192.168.1.1',
      'wss://printer.local',
      'wss://router',
      'wss://example.com:22',
      'https://example.com',
      'wss://exa mple.com',
    ];
    for (const relay of bad)
      expect(hints([['relays', relay]])).toMatchObject({ accepted: [], refused: [expect.any(String)] });
    expect(hints([['relays', 'ws://127.0.0.1:7777']], true).accepted).toEqual(['ws://127.0.0.1:7777']);
  });
});

describe('hostile events', () => {
  it('DIS-3 never throws, whatever is handed in', () => {
    fc.assert(
      fc.property(
        fc.anything({ withNullPrototype: true, withBigInt: true, withMap: true, withDate: true }),
        (value) => {
          expect(parseCapabilityCard(value).ok).toBe(false);
        },
      ),
    );
  });

  it('DIS-3 never throws on well-formed events with hostile tags and content, and what it takes stays in bounds', () => {
    const nasty = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(
        '__proto__',
        'constructor',
        '5000',
        '*',
        '-*',
        'compute-*',
        'wss://x.example.com',
        'ws://10.0.0.1',
        '\ud800',
        '\0',
        '',
      ),
    );
    const tag = fc.oneof(
      fc.array(nasty, { maxLength: 5 }),
      fc
        .tuple(fc.constantFrom('d', 'k', 'relays', 'relay', 'r', 't'), nasty)
        .map(([name, value]) => [name, value]),
    );
    const content = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc
        .dictionary(
          fc.constantFrom(
            'name',
            'about',
            'pricing',
            'performance',
            'nip90Params',
            'capabilities',
            'supported_kinds',
            'picture',
            '__proto__',
            'amount',
          ),
          fc.jsonValue(),
        )
        .map((fields) => JSON.stringify(fields)),
    );
    const tags = fc.array(tag, { maxLength: 12 }).map((some) => [['d', 'x'], ['k', '5000'], ...some]);
    let taken = 0;
    fc.assert(
      fc.property(tags, content, (someTags, someContent) => {
        const result = parse({ tags: someTags, content: someContent });
        if (!result.ok) return;
        taken += 1;
        const { card } = result;
        expect(card.relayHints.length).toBeLessThanOrEqual(10);
        expect(new TextEncoder().encode(card.name ?? '').length).toBeLessThanOrEqual(512);
        for (const hint of card.relayHints) expect(hint).toMatch(/^wss:\/\//);
        // What is kept is JSON, and means the same when it is read again.
        expect(JSON.parse(JSON.stringify(card))).toEqual(card);
      }),
      { numRuns: 500 },
    );
    expect(taken).toBeGreaterThan(100);
  });
});

describe('published events', () => {
  const handlers = fixture('handlers-31989-31990.jsonl').map(({ event }) => event as NostrEvent);

  it('DIS-4b reads every real card of kind 31990', () => {
    const cards = handlers.filter(({ kind }) => kind === 31_990);
    expect(cards.length).toBeGreaterThan(0);
    for (const event of cards) {
      const result = parseCapabilityCard(event);
      if (!result.ok) throw new Error(`${event.id}: ${result.message}`);
      const { card } = result;
      expect(card.kinds.length).toBeGreaterThan(2);
      expect(card.name).toMatch(/Highlighter|YakiHonne/);
      // Their `r` tags refer to web pages.
      expect([card.relayHints, card.refusedHints]).toEqual([[], []]);
    }
  });

  it('DIS-3 takes no other kind of event for a card', () => {
    const others = [
      'dvm-requests-5xxx.jsonl',
      'dvm-results-6xxx.jsonl',
      'deletes-5.jsonl',
      'relaylists-10002-10050.jsonl',
    ];
    for (const { event, idValid } of others.flatMap(fixture)) {
      const result = parseCapabilityCard(event);
      if (idValid) expect(result).toMatchObject({ ok: false, reason: 'wrong-kind' });
      else expect(result.ok).toBe(false);
    }
  });

  it('X', () => {
    const templates = fixture('dvm-announcement-templates-unsigned.jsonl').map(({ raw }) => String(raw));
    expect(templates).toHaveLength(135);
    const outcomes = templates.map((content) => parse({ content }));
    for (const [index, result] of outcomes.entries()) {
      const isJson = (() => {
        try {
          return typeof JSON.parse(templates[index] ?? '') === 'object';
        } catch {
          return false;
        }
      })();
      expect(result.ok && result.card.contentMalformed).toBe(!isJson);
    }
  });

  it('DIS-4b reads those templates once they are JSON', () => {
    const templates = fixture('dvm-announcement-templates-unsigned.jsonl').map(({ raw }) => String(raw));
    const asJson = (python: string) =>
      python
        .replace(/\bTrue\b/g, 'true')
        .replace(/\bFalse\b/g, 'false')
        .replace(/\bNone\b/g, 'null')
        // Variables stand for words.
        .replace(/:\s*[A-Za-z_][\w.]*(?=\s*[,}\n])/g, (found) =>
          /true|false|null/.test(found) ? found : ': "word"',
        );
    let read = 0;
    for (const template of templates) {
      const content = asJson(template);
      try {
        JSON.parse(content);
      } catch {
        continue;
      }
      const card = parsed({ content });
      expect(card.fields).toEqual(JSON.parse(content));
      expect(card.about ?? card.name).not.toBeNull();
      read += 1;
    }
    expect(read).toBeGreaterThan(60);
  });
});
