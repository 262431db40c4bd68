import type { NostrEvent } from '@bonafide/nostr-transport';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFeedback, parseJobRequest, parseJobResult } from '../src/codec/index.ts';
import { client, eventually, keys, person, provider, quick, relay } from './world.ts';

const words = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '\u0000',
    '\ud800',
    '__proto__',
    'constructor',
    '-1',
    '1e999',
    'NaN',
    'lnbc1',
    'A'.repeat(5_000),
  ),
);
const names = fc.constantFrom(
  ...[
    'i',
    'p',
    'e',
    'd',
    'param',
    'output',
    'bid',
    'relays',
    'relay',
    't',
    'encrypted',
    'content',
    'request',
  ],
  ...['status', 'amount', 'invoice', 'expiration'],
);
const tags = fc.array(
  fc.oneof(
    fc.tuple(names, fc.array(words, { maxLength: 6 })).map(([name, values]) => [name, ...values]),
    fc.array(words, { maxLength: 4 }),
  ),
  { maxLength: 12 },
);
const statuses = fc.constantFrom('processing', 'partial', 'success', 'payment-required', 'odd');

describe('bytes of any kind', () => {
  it('JOB-16 crash no parser', () => {
    const anything = fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true });
    const shaped = fc.record({
      id: fc.oneof(fc.constant('a'.repeat(64)), words),
      pubkey: fc.constant('b'.repeat(64)),
      created_at: fc.oneof(fc.nat(), anything),
      kind: fc.constantFrom(5000, 6000, 7000, 5999, 6999),
      tags,
      content: words,
      sig: fc.constant('c'.repeat(128)),
    });
    fc.assert(
      fc.property(fc.oneof(anything, shaped), (event) => {
        for (const parse of [parseJobRequest, parseJobResult, parseFeedback])
          expect(parse(event)).toHaveProperty('ok');
      }),
      { numRuns: 2_000 },
    );
  });

  it('JOB-16 leave client and provider alive, and every honest job done', async () => {
    const at = await relay();
    const [honest, evil] = await Promise.all([keys.provider, keys.rival].map(person));
    const customer = await person(keys.customer);
    if (!honest || !evil) return;
    const working = await provider([at.url], (request) => `did ${request.inputs[0]?.data}`, {
      broadcast: true,
      config: { publishTimeoutMs: 240_000 },
    });
    const asking = await client([at.url], { config: quick });
    // One that the evil one may answer: whatever it says about it must not hurt.
    const theirs = await asking.requestJob({ kind: 5000, provider: evil.pubkey });
    const events = fc.sample(
      fc.record({
        kind: fc.constantFrom(5000, 6000, 6001, 7000),
        tags,
        status: statuses,
        content: words,
        own: fc.boolean(),
      }),
      150,
    );
    for (const [number, { kind, tags: odd, status, content, own }] of events.entries()) {
      const addressed: string[][] =
        kind === 5000
          ? [['p', honest.pubkey]]
          : [
              ['e', own ? theirs.jobId : '0'.repeat(64)],
              ['p', customer.pubkey],
              ...(kind === 7000 ? [['status', status]] : []),
            ];
      const signed: NostrEvent = await evil.signer.signEvent({
        kind: kind === 6000 ? 6001 : kind,
        created_at: Math.floor(Date.now() / 1000),
        tags: [...addressed, ...odd.map((tag) => tag.map((value) => value.toWellFormed()))],
        content: `${content.toWellFormed()} ${number}`,
      });
      at.publish(signed);
    }
    const after = await asking.requestJob({ kind: 5000, provider: honest.pubkey, inputs: [{ data: 'it' }] });
    expect(await after.result).toMatchObject({ content: 'did it' });
    await eventually(() => expect(working.load()).toEqual({ waiting: 0, running: 0 }));
    const counted = Object.values(asking.ignored()).reduce((sum, count) => sum + count, 0);
    expect(counted).toBeGreaterThan(0);
    // It may have failed by what its own provider said, but nobody else's words completed it.
    expect(['completed', 'paid', 'cancelled']).not.toContain(theirs.state);
  });
});
