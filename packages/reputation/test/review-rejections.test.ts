import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildReview, parseReview } from '../src/index.ts';
import { keyOf, sign, start, statement } from './support.ts';

describe('rejections', () => {
  const tags = async (...rest: string[][]) => [
    ['subject', await keyOf(2)],
    ['rating', '4.5'],
    ['denom', '5'],
    ...rest,
  ];

  it('REP-5 name their reason', async () => {
    const subject = await keyOf(2);
    const other = await keyOf(3);
    const own = await keyOf(1);
    const document = (value: object) => JSON.stringify(value);
    const cases: [
      string,
      { kind?: number; tags?: readonly (readonly string[])[]; content?: string; created_at?: number },
    ][] = [
      [
        'no-subject',
        {
          tags: [
            ['rating', '4'],
            ['denom', '5'],
          ],
        },
      ],
      [
        'no-subject',
        {
          tags: [
            ['subject', 'alice'],
            ['rating', '4'],
            ['denom', '5'],
          ],
        },
      ],
      ['conflicting-subject', { tags: await tags(['p', other]) }],
      ['conflicting-subject', { tags: await tags(['subject', other]) }],
      [
        'self-review',
        {
          tags: [
            ['subject', own],
            ['rating', '4'],
            ['denom', '5'],
          ],
        },
      ],
      [
        'no-rating',
        {
          tags: [
            ['subject', subject],
            ['denom', '5'],
          ],
        },
      ],
      [
        'no-scale',
        {
          tags: [
            ['subject', subject],
            ['rating', '4'],
          ],
        },
      ],
      ['contradictory', { tags: await tags(['max_rating', '10']) }],
      ['duplicate-tag', { tags: await tags(['rating', '1.0']) }],
      ['duplicate-tag', { tags: await tags(['task', 'a'], ['task', 'b']) }],
      [
        'rating-out-of-range',
        {
          tags: [
            ['subject', subject],
            ['rating', '5.1'],
            ['denom', '5'],
          ],
        },
      ],
      [
        'rating-out-of-range',
        {
          tags: [
            ['subject', subject],
            ['rating', '0.9'],
            ['denom', '5'],
          ],
        },
      ],
      [
        'rating-out-of-range',
        {
          tags: [
            ['subject', subject],
            ['rating', '-1'],
            ['denom', '5'],
          ],
        },
      ],
      [
        'rating-out-of-range',
        {
          tags: [
            ['subject', subject],
            ['rating', '1e1'],
            ['denom', '10'],
          ],
        },
      ],
      [
        'rating-out-of-range',
        {
          tags: [
            ['subject', subject],
            ['rating', 'NaN'],
            ['denom', '5'],
          ],
        },
      ],
      [
        'rating-out-of-range',
        {
          tags: [
            ['subject', subject],
            ['rating', '0'],
            ['denom', '0'],
          ],
        },
      ],
      ['invalid-content', { tags: await tags(), content: '{"summary": 3}' }],
      ['invalid-content', { tags: await tags(), content: '{"summary": ' }],
      // Fields that people read say one thing, the document another.
      ['contradictory', { tags: await tags(), content: document({ trust_score: 0.1 }) }],
      [
        'contradictory',
        { tags: await tags(['task', 'a']), content: document({ trust_score: 0.875, task: 'b' }) },
      ],
      ['wrong-identifier', { kind: 32_020, tags: await tags() }],
      ['wrong-identifier', { kind: 32_020, tags: await tags(['d', `${other}::`]) }],
      ['from-future', { tags: await tags(), created_at: start / 1_000 + 601 }],
      ['expired', { tags: await tags(['expiration', String(start / 1_000)]) }],
      ['unknown-kind', { kind: 1, tags: await tags() }],
      ['too-large', { tags: await tags(), content: 'x'.repeat(140_000) }],
      ['no-rating', { kind: 1985, tags: [['p', subject]] }],
      [
        'incomplete-assessment',
        {
          kind: 1985,
          tags: [
            ['L', 'bonafide.trust'],
            ['l', 'trusted', 'bonafide.trust'],
            ['p', subject],
            ['trust', '7'],
          ],
          content: 'Good.',
        },
      ],
      [
        'incomplete-assessment',
        {
          kind: 1985,
          tags: [
            ['L', 'bonafide.trust'],
            ['l', 'trusted', 'bonafide.trust'],
            ['p', subject],
            ['trust', '7'],
            ['info_score', '7'],
          ],
        },
      ],
      [
        'contradictory',
        {
          kind: 1985,
          tags: [
            ['L', 'bonafide.trust'],
            ['l', 'warning', 'bonafide.trust'],
            ['p', subject],
            ['trust', '7'],
            ['info_score', '7'],
          ],
          content: 'Good.',
        },
      ],
    ];
    for (const [reason, template] of cases) {
      const event = await sign(1, { kind: 2020, ...template });
      expect([JSON.stringify(template).slice(0, 200), parseReview(event, { now: start })]).toMatchObject([
        expect.anything(),
        { ok: false, reason },
      ]);
    }
  });

  it('REP-5 honour the expiration in the document, also where a tag states a later one or none', async () => {
    const document = (expiresAt: number) =>
      JSON.stringify({ trust_score: 0.875, summary: 'Good.', expires_at: expiresAt });
    const later = ['expiration', String(start / 1_000 + 86_400)];
    for (const more of [[], [later]]) {
      const event = await sign(1, {
        kind: 2020,
        tags: await tags(...more),
        content: document(start + 1_000),
      });
      expect(parseReview(event, { now: start + 999 })).toMatchObject({ ok: true });
      expect(parseReview(event, { now: start + 1_000 })).toMatchObject({ ok: false, reason: 'expired' });
    }
  });

  it('REP-5 read ids and keys in upper case', async () => {
    const subject = await keyOf(2);
    const upper = subject.toUpperCase();
    const job = 'AB'.repeat(32);
    const set = await sign(1, {
      kind: 32_020,
      tags: [['d', `${upper}::`], ...(await tags())],
      content: 'Good.',
    });
    expect(parseReview(set)).toMatchObject({ ok: true, review: { subject } });
    const stars = [
      ['d', job],
      ['e', job.toLowerCase()],
      ['p', upper],
      ['rating', '4'],
    ];
    const review = await sign(1, { kind: 31_117, tags: stars, content: 'Good.' });
    expect(parseReview(review)).toMatchObject({ review: { subject, jobId: job.toLowerCase() } });
    expect(parseReview(await sign(1, buildReview({ ...(await statement()), jobId: job })))).toMatchObject({
      review: { jobId: job.toLowerCase() },
    });
  });

  it('REP-5 verify id and signature of a rebuilt copy (X-5b)', async () => {
    const event = await sign(1, { kind: 2020, tags: await tags() });
    expect(parseReview(event)).toMatchObject({ ok: true });
    expect(parseReview({ ...event, content: 'forged' })).toMatchObject({ reason: 'wrong-id' });
    const other = await sign(3, { kind: 2020, tags: await tags() });
    expect(parseReview({ ...event, sig: other.sig })).toMatchObject({ reason: 'wrong-signature' });
    expect(parseReview({ ...event, pubkey: other.pubkey, id: other.id })).toMatchObject({
      reason: 'wrong-signature',
    });
  });

  it('REP-5 never throw, whatever comes', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(parseReview(value)).toMatchObject({ ok: false, reason: 'malformed' });
      }),
    );
  });

  it('REP-5 never throw for signed events with random tags and content', async () => {
    const kinds = fc.constantFrom(2020, 32_020, 31_117, 1985, 30_085);
    const name = fc.constantFrom(
      'subject',
      'p',
      'd',
      'e',
      'L',
      'l',
      'rating',
      'denom',
      'task',
      'review',
      'trust',
      'expiration',
    );
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom('5', '4.5', 'bonafide.trust', await keyOf(2), '{"assessment":{}}', '{"__proto__":1}'),
    );
    await fc.assert(
      fc.asyncProperty(kinds, fc.array(fc.tuple(name, value)), value, async (kind, tagList, content) => {
        const parsed = parseReview(await sign(1, { kind, tags: tagList, content }));
        if (parsed.ok) expect(parsed.review.trustScore).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 200 },
    );
  });
});
