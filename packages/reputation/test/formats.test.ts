import { createReceipt } from '@bonafide/trust-score';
import NDK, { NDKEvent } from '@nostr-dev-kit/ndk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildAssessmentLabel,
  buildReview,
  completeReview,
  isBonafideError,
  parseReview,
  type ReviewFormat,
  type ReviewInput,
} from '../src/index.ts';
import { keyOf, sign, signer, start, statement } from './support.ts';

const formats: readonly ReviewFormat[] = ['review', 'review-set', 'job-review', 'label', 'attestation'];
const job = 'ab'.repeat(32);
const tagOf = (event: { tags: readonly (readonly string[])[] }, name: string) =>
  event.tags.find(([tag]) => tag === name)?.[1];

async function roundTrip(input: ReviewInput, format: ReviewFormat) {
  const event = await signer(1).signEvent(buildReview(input, { format, createdAt: start }));
  return parseReview(event, { now: start });
}

const text = fc.string({ maxLength: 40, unit: 'grapheme' }).map((value) => `x${value}`);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const score = fc.double({ min: 0, max: 1, noNaN: true });
const statements = fc.record({
  relay: maybe(fc.constantFrom('wss://relay.example', 'ws://127.0.0.1:7000')),
  trustScore: score,
  task: maybe(fc.oneof(text, fc.constant('general'))),
  service: maybe(text),
  summary: text,
  strengths: fc.array(text, { maxLength: 3 }),
  weaknesses: fc.array(text, { maxLength: 3 }),
  // JSON has no negative zero.
  metrics: fc.dictionary(
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    { maxKeys: 3 },
  ),
  recommendation: maybe(text),
  evidence: maybe(text),
  assessment: fc.record({
    trust: fc.integer({ min: -10, max: 10 }),
    infoScore: fc.integer({ min: 0, max: 10 }),
    rationale: text,
  }),
  jobId: fc.constant(job),
  jobKind: maybe(fc.integer({ min: 5000, max: 5999 })),
  role: fc.constantFrom('customer' as const, 'provider' as const),
  confidence: maybe(score),
  expiresAt: maybe(
    fc.integer({ min: start / 1_000 + 1, max: 4_000_000_000 }).map((seconds) => seconds * 1_000),
  ),
});

describe('the neutral review model', () => {
  it.each(formats)('REP-1 keeps a whole statement in the format %s', async (format) => {
    const subject = await keyOf(2);
    await fc.assert(
      fc.asyncProperty(statements, async (given) => {
        const parsed = await roundTrip({ subject, ...given }, format);
        expect(parsed).toMatchObject({ ok: true });
        expect(parsed.ok && parsed.review).toMatchObject(completeReview({ subject, ...given }));
      }),
      { numRuns: 60 },
    );
  });

  it('REP-1 writes subject, rating, scale, task and structured content', async () => {
    const subject = await keyOf(2);
    const event = buildReview(await statement(), { createdAt: start });
    expect(event.kind).toBe(2020);
    expect(event.tags).toEqual([
      ['subject', subject, 'wss://relay.example'],
      ['p', subject, 'wss://relay.example'],
      ['rating', '4.5'],
      ['denom', '5'],
      ['task', 'benchmark-task'],
    ]);
    expect(JSON.parse(event.content)).toEqual({
      trust_score: 0.875,
      task: 'benchmark-task',
      summary: 'Reliable platform with occasional latency variance.',
      strengths: ['Consistent correctness'],
      weaknesses: ['p95 latency 2.3 times p50'],
      metrics: { test_score: 0.94, latency_p50_ms: 2_300 },
      recommendation: 'Recommended for work that is not urgent',
      evidence: 'ipfs://QmAbCdEf',
    });
  });

  it.each([
    [0, '1.0'],
    [0.5, '3.0'],
    [0.875, '4.5'],
    [1, '5.0'],
  ])('REP-1 rates %f as %s of 5', async (trustScore, rating) => {
    expect(tagOf(buildReview(await statement({ trustScore })), 'rating')).toBe(rating);
  });

  it('REP-1 addresses a set by subject, service and task, under numbers that the caller may choose', async () => {
    const input = await statement({ service: 'python' });
    const set = buildReview(input, { format: 'review-set' });
    expect(set.kind).toBe(32_020);
    expect(tagOf(set, 'd')).toBe(`${input.subject}:python:benchmark-task`);
    const kinds = { review: 2021 };
    const event = await signer(1).signEvent(buildReview(input, { kinds, createdAt: start }));
    expect(event.kind).toBe(2021);
    expect(parseReview(event)).toMatchObject({ ok: false, reason: 'unknown-kind' });
    expect(parseReview(event, { kinds })).toMatchObject({ ok: true });
  });

  it('REP-1 takes the rating of a ledger from (trust + 10) / 20 and never without its rationale', async () => {
    const assessment = { trust: 6, infoScore: 7, rationale: 'Delivered nine of nine jobs.' };
    const { trustScore: _, summary: __, ...rest } = await statement();
    const event = buildReview({ ...rest, assessment });
    expect(tagOf(event, 'rating')).toBe('4.2');
    expect(JSON.parse(event.content).assessment).toEqual({
      trust: 6,
      info_score: 7,
      rationale: 'Delivered nine of nine jobs.',
    });
    for (const rationale of ['', ' \u200b', undefined as never])
      expect(() => buildReview({ ...rest, assessment: { ...assessment, rationale } })).toThrow(/rationale/);
    expect(() => buildReview({ ...rest, trustScore: 0.5 })).toThrow(/a score needs a reason/);
    expect(() => buildReview({ ...rest, summary: 'Fine.' })).toThrow(/trustScore/);
  });

  it('REP-1 keeps receipts as evidence inside of every format (TRU-29)', async () => {
    const receipt = await createReceipt(
      { jobId: 'job-1', provider: await keyOf(2), outcome: 'success', completedAt: start },
      signer(1),
    );
    const assessment = { trust: 5, infoScore: 5, rationale: 'Good.' };
    for (const format of formats) {
      const parsed = await roundTrip(
        await statement({ receipts: [receipt], assessment, jobId: job }),
        format,
      );
      expect(parsed.ok && parsed.review.receipts).toEqual([receipt]);
    }
  });

  it('REP-1 names what a format needs and the statement lacks', async () => {
    const input = await statement();
    const codeOf = (format: ReviewFormat, given: ReviewInput = input) => {
      try {
        buildReview(given, { format });
        return null;
      } catch (error) {
        return isBonafideError(error, 'INVALID_INPUT') ? error.message : error;
      }
    };
    expect(codeOf('job-review')).toMatch(/jobId/);
    expect(codeOf('toString' as never)).toMatch(/options\.format: .*review-set.*attestation/u);
    expect(codeOf('label')).toMatch(/assessment/);
    expect(codeOf('review', { ...input, subject: 'npub1nobody' })).toMatch(/subject/);
    expect(codeOf('review', { ...input, trustScore: 1.01 })).toMatch(/trustScore/);
    expect(codeOf('review', { ...input, metrics: { x: Number.NaN } })).toMatch(/metrics/);
    expect(codeOf('review', { ...input, unknown: 1 } as never)).toMatch(/unknown/i);
  });
});

describe('labels of assessments', () => {
  const assessment = async () => ({
    source: await keyOf(1),
    target: await keyOf(2),
    trust: -6,
    infoScore: 4,
    rationale: 'Claimed that correct results were wrong.',
    at: start,
  });

  it('REP-3 hold a word, both scores in tags and the rationale', async () => {
    const label = buildAssessmentLabel(await assessment(), { relay: 'wss://relay.example' });
    expect(label).toEqual({
      kind: 1985,
      created_at: start / 1_000,
      tags: [
        ['L', 'bonafide.trust'],
        ['l', 'warning', 'bonafide.trust'],
        ['p', await keyOf(2), 'wss://relay.example'],
        ['trust', '-6'],
        ['info_score', '4'],
      ],
      content: 'Claimed that correct results were wrong.',
    });
    const parsed = parseReview(await signer(1).signEvent(label));
    expect(parsed).toMatchObject({
      ok: true,
      review: { trustScore: 0.2, format: 'label', isEstimate: false },
    });
    const { trust, infoScore, rationale } = await assessment();
    expect(parsed.ok && parsed.review.assessment).toEqual({ trust, infoScore, rationale });
  });

  it('REP-3 have no digit in the word, for any judgment', async () => {
    for (let trust = -10; trust <= 10; trust += 1) {
      const { tags } = buildAssessmentLabel({ ...(await assessment()), trust });
      expect(tags.find(([name]) => name === 'l')?.[1]).toMatch(/^[a-z]+$/);
    }
  });

  it.each([
    ['trust', undefined],
    ['trust', 2.5],
    ['trust', 11],
    ['infoScore', undefined],
    ['infoScore', -1],
    ['rationale', ''],
    ['rationale', '\u2800 '],
    ['target', 'alice'],
    ['target', undefined],
    ['at', undefined],
  ])('REP-3 take only a complete assessment (LED-26): %s %s', async (name, value) => {
    const incomplete = { ...(await assessment()), [name]: value };
    expect(() => buildAssessmentLabel(incomplete)).toThrow(name);
  });
});

describe('events of other software', () => {
  it('REP-1 reads job reviews of a live market', async () => {
    const event = await sign(1, {
      kind: 31_117,
      tags: [
        ['d', job],
        ['e', job],
        ['p', await keyOf(2)],
        ['rating', '4'],
        ['role', 'customer'],
        ['k', '5100'],
      ],
      content: 'Fast and accurate analysis',
    });
    expect(parseReview(event)).toMatchObject({
      ok: true,
      review: {
        subject: await keyOf(2),
        trustScore: 0.75,
        summary: 'Fast and accurate analysis',
        jobId: job,
        jobKind: 5100,
        role: 'customer',
        address: `31117:${await keyOf(1)}:${job}`,
      },
    });
  });

  it('REP-1 reads attestations of both drafts', async () => {
    const subject = await keyOf(2);
    const expiration = String(start / 1_000 + 86_400);
    const attestation = (rating: number) =>
      sign(1, {
        kind: 30_085,
        tags: [
          ['d', `${subject}:reliability`],
          ['p', subject],
          ['t', 'reliability'],
          ['expiration', expiration],
        ],
        content: JSON.stringify({
          subject,
          context: 'reliability',
          rating,
          confidence: 0.8,
          evidence: [{ type: 'lightning_preimage', data: 'abc' }],
        }),
      });
    for (const [rating, trustScore] of [
      [4, 0.75],
      [5, 1],
      [-1, 0],
      [0, 0.5],
      [0.5, 0.75],
    ] as const)
      expect(parseReview(await attestation(rating), { now: start })).toMatchObject({
        ok: true,
        review: { trustScore, task: 'reliability', confidence: 0.8, summary: 'abc' },
      });
    expect(parseReview(await attestation(6))).toMatchObject({ reason: 'rating-out-of-range' });
    expect(parseReview(await attestation(4), { now: start + 90_000_000 })).toMatchObject({
      reason: 'expired',
    });
  });

  it('REP-1 reads labels of other agents as estimates', async () => {
    const label = async (...words: string[]) =>
      sign(1, {
        kind: 1985,
        tags: [['L', 'ai.wot'], ...words.map((word) => ['l', word, 'ai.wot']), ['p', await keyOf(2)]],
        content: 'Good work.',
      });
    expect(parseReview(await label('service-quality'))).toMatchObject({
      ok: true,
      review: { trustScore: 0.75, isEstimate: true, summary: 'Good work.' },
    });
    expect(parseReview(await label('service-quality', 'warning'))).toMatchObject({ reason: 'contradictory' });
    expect(parseReview(await label('identity-continuity'))).toMatchObject({ reason: 'no-rating' });
  });

  it.each([
    ['4.5', 'denom', '5', 0.875],
    ['4.5', 'max_rating', '5', 0.875],
    ['8', 'max_rating', '10', 0.8],
    ['0.25', 'denom', '1', 0.25],
    ['55', 'denom', '100', 0.55],
  ])('REP-5 normalizes %s with %s %s to %f', async (rating, name, scale, trustScore) => {
    const event = await sign(1, {
      kind: 2020,
      tags: [
        ['subject', await keyOf(2)],
        ['rating', rating],
        [name, scale],
      ],
      content: 'Plain words.',
    });
    expect(parseReview(event)).toMatchObject({ ok: true, review: { trustScore, summary: 'Plain words.' } });
  });

  it('REP-3 and REP-1: NDK reads the fields of our events', async () => {
    const ndk = new NDK({ explicitRelayUrls: [] });
    const assessment = { trust: 5, infoScore: 6, rationale: 'Good.' };
    for (const format of formats) {
      const built = buildReview(await statement({ assessment, jobId: job }), { format, createdAt: start });
      const event = await signer(1).signEvent(built);
      const foreign = new NDKEvent(ndk, { ...event, tags: event.tags.map((tag) => [...tag]) });
      expect(foreign.verifySignature(false)).toBe(true);
      expect(foreign.tagValue('p')).toBe(await keyOf(2));
      if (format === 'label')
        expect(foreign.getMatchingTags('l')).toEqual([['l', 'trusted', 'bonafide.trust']]);
      if (format === 'review-set') expect(foreign.tagAddress()).toBe(parsedAddress(event));
    }
  });
});

function parsedAddress(event: unknown): string | null {
  const parsed = parseReview(event);
  return parsed.ok ? parsed.review.address : null;
}
