import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildCapabilityCard, type CardSpec, diffCards } from '../src/index.ts';
import { parsed } from './support/card.ts';
import { start } from './support.ts';

describe('building a card', () => {
  const spec: CardSpec = {
    d: 'bench-v2',
    kinds: [5_100, 5_000],
    capabilities: ['Benchmark-Task'],
    name: 'Ada',
    relays: ['wss://relay.example.com/'],
    pricing: { amountMsat: 1_000 },
    topics: ['ai'],
    createdAt: start + 999,
  };

  it('DIS-4b writes one k tag per value, labels as t, relays one a tag, and seconds', () => {
    expect(buildCapabilityCard(spec)).toEqual({
      kind: 31_990,
      created_at: start / 1_000,
      tags: [
        ['d', 'bench-v2'],
        ['k', '5000'],
        ['k', '5100'],
        ['k', 'benchmark-task'],
        ['t', 'benchmark-task'],
        ['t', 'ai'],
        ['relays', 'wss://relay.example.com'],
      ],
      content:
        '{"name":"Ada","supported_kinds":[5000,5100],"capabilities":["benchmark-task"],"pricing":{"amountMsat":1000}}',
    });
  });

  it('DIS-14 refuses what would not come back as it was given', () => {
    const bad: readonly Partial<CardSpec>[] = [
      { kinds: [], capabilities: [] },
      { kinds: [70_000] },
      { capabilities: ['no good'] },
      { capabilities: ['5000'] },
      { d: 'a\0' },
      { relays: ['not a relay'] },
      { relays: Array.from({ length: 11 }, (_, n) => `wss://r${n}.example.com`) },
      { more: { name: 'twice' } },
      { more: { big: 'x'.repeat(70_000) } },
      { createdAt: 1.5 },
      { typo: 1 } as never,
    ];
    for (const part of bad) {
      expect(() => buildCapabilityCard({ ...spec, ...part })).toThrowError(
        expect.objectContaining({ code: 'INVALID_INPUT' }),
      );
    }
  });

  it('DIS-14 is read back as it was given', () => {
    const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}(-[a-z0-9]{1,8}){0,2}$/);
    const words = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 ,.!?äöüß🙂-]{0,40}[A-Za-z0-9]$/u);
    const host = fc.stringMatching(/^[a-z]{1,10}$/).map((name) => `wss://${name}.example.com`);
    const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: null });
    const specs: fc.Arbitrary<CardSpec> = fc.record({
      d: fc.string({ unit: 'grapheme', maxLength: 30 }).filter((d) => d.isWellFormed() && !d.includes('\0')),
      kinds: fc.uniqueArray(fc.integer({ min: 0, max: 65_535 }), { minLength: 1, maxLength: 8 }),
      capabilities: fc.uniqueArray(label, { maxLength: 8 }),
      name: maybe(words),
      about: maybe(words),
      version: maybe(fc.stringMatching(/^\d{1,3}\.\d{1,3}$/)),
      relays: fc.uniqueArray(host, { maxLength: 10 }),
      pricing: maybe(
        fc
          .record({ model: maybe(label), amountMsat: maybe(fc.nat()) })
          .filter((p) => p.model !== null || p.amountMsat !== null),
      ),
      performance: maybe(fc.record({ typicalLatencyMs: fc.nat(100_000) })),
      encryptionSupported: maybe(fc.boolean()),
      createdAt: fc.integer({ min: 0, max: 4e9 }).map((seconds) => seconds * 1_000),
    });
    fc.assert(
      fc.property(specs, (given) => {
        const card = parsed(buildCapabilityCard(given));
        const capabilities = [...(given.capabilities ?? [])].sort();
        const kinds = [...(given.kinds ?? [])].sort((a, b) => a - b);
        expect(card).toMatchObject({
          d: given.d,
          kinds,
          labels: capabilities,
          confirmed: [...kinds.map(String), ...capabilities].sort(),
          discrepancies: { tagsOnly: [], contentOnly: [] },
          name: given.name,
          about: given.about,
          version: given.version,
          relayHints: given.relays,
          pricing: given.pricing,
          performance: given.performance,
          encryptionSupported: given.encryptionSupported,
          createdAt: given.createdAt,
          unreadable: [],
        });
      }),
      { numRuns: 300 },
    );
  });
});

describe('versions of a card', () => {
  it('DIS-12 tells what changed and nothing else', () => {
    const before = parsed(
      buildCapabilityCard({ d: 'x', kinds: [5_000], name: 'A', pricing: { amountMsat: 1 }, createdAt: 0 }),
    );
    const after = parsed(
      buildCapabilityCard({
        d: 'x',
        kinds: [5_000, 5_100],
        capabilities: ['prose'],
        name: 'A',
        pricing: { amountMsat: 2 },
        relays: ['wss://r.example.com'],
        createdAt: 1_000,
      }),
    );
    expect(diffCards(before, before)).toEqual({});
    expect(diffCards(before, after)).toEqual({
      kinds: { added: [5_100], removed: [] },
      labels: { added: ['prose'], removed: [] },
      relayHints: { added: ['wss://r.example.com'], removed: [] },
      fields: { pricing: { before: { model: null, amountMsat: 1 }, after: { model: null, amountMsat: 2 } } },
    });
  });
});
