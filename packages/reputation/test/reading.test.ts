import type { NostrEvent } from '@bonafide/nostr-transport';
import { describe, expect, it } from 'vitest';
import { buildReview, type Review, type ReviewFormat, type ReviewInput } from '../src/index.ts';
import { day, hour, keyOf, sign, signer, start, statement } from './support.ts';
import { agent, manualClock, relay } from './world.ts';

async function world(config = {}) {
  const clock = manualClock(start + 10 * day);
  const at = await relay(clock);
  const reader = agent(9, [at.url], { clock, config });
  const rate = async (
    n: number,
    review: Partial<ReviewInput> = {},
    options: { format?: ReviewFormat; createdAt?: number } = {},
  ) => {
    const event = await signer(n).signEvent(
      buildReview(await statement(review), { createdAt: start, ...options }),
    );
    expect(at.publish(event)).toMatchObject({ accepted: true });
    return event;
  };
  return { clock, at, reader, rate };
}

const idsOf = (reviews: readonly Review[]) => reviews.map(({ eventId }) => eventId);

describe('reading', () => {
  it('REP-5 finds reviews and labels about a subject in every format, newest first', async () => {
    const { reader, rate } = await world();
    const assessment = { trust: 4, infoScore: 5, rationale: 'Fine.' };
    const events: NostrEvent[] = [];
    const formats: ReviewFormat[] = ['review', 'review-set', 'job-review', 'label', 'attestation'];
    for (const [n, format] of formats.entries())
      events.unshift(
        await rate(n + 3, { assessment, jobId: 'ab'.repeat(32) }, { format, createdAt: start + n * hour }),
      );
    await rate(3, { subject: await keyOf(8) });
    const found = await reader.about(await keyOf(2));
    expect(idsOf(found.reviews)).toEqual(events.map(({ id }) => id));
    expect(found).toMatchObject({ rejected: {}, relays: [{ status: 'complete' }] });
    expect(found.reviews.map(({ trustScore }) => trustScore)).toEqual(Array(5).fill(0.875));
  });

  it('does not let the subject delete a review about itself, whose identifier has its key (REP-5)', async () => {
    const { at, reader, rate } = await world();
    const review = await rate(3, {}, { format: 'review-set' });
    const d = review.tags.find(([name]) => name === 'd')?.[1] ?? '';
    expect(d).toContain(await keyOf(2));
    const deletion = await sign(2, {
      kind: 5,
      created_at: (start + hour) / 1_000,
      tags: [['a', `${review.kind}:${review.pubkey}:${d}`]],
    });
    at.publish(deletion);
    const found = await reader.about(await keyOf(2));
    expect(idsOf(found.reviews)).toEqual([review.id]);
    expect(found.rejected).toEqual({});
  });

  it('REP-5 finds reviews by a reviewer', async () => {
    const { reader, rate } = await world();
    const mine = [await rate(3), await rate(3, { subject: await keyOf(8) }, { createdAt: start + hour })];
    await rate(4);
    const found = await reader.by(await keyOf(3));
    expect(idsOf(found.reviews)).toEqual(mine.map(({ id }) => id).reverse());
  });

  it('REP-5 keeps the newest of an address, and all of an append-only kind', async () => {
    const { reader, rate, at } = await world();
    const other = await relay(manualClock(start + 10 * day));
    const set = { format: 'review-set' as const };
    const old = await rate(3, { trustScore: 0.1 }, set);
    // Another relay still has the old one.
    other.publish(old);
    const newest = await rate(3, { trustScore: 0.9 }, { ...set, createdAt: start + hour });
    const both = agent(9, [at.url, other.url], { clock: manualClock(start + 10 * day) });
    const found = await both.about(await keyOf(2));
    expect(idsOf(found.reviews)).toEqual([newest.id]);
    expect(found.rejected).toEqual({ superseded: 1 });
    await rate(4);
    await rate(4, {}, { createdAt: start + hour });
    expect((await reader.about(await keyOf(2))).reviews).toHaveLength(3);
  });

  it('REP-5 leaves out what its author deleted, and nothing that others did', async () => {
    const { rate, at } = await world();
    const other = await relay(manualClock(start + 10 * day));
    const mine = await rate(3);
    const theirs = await rate(4);
    const set = await rate(5, {}, { format: 'review-set' });
    // A relay that keeps no deletions has the events again after they were deleted.
    const created_at = start / 1_000 + 60;
    for (const event of [mine, theirs, set]) other.publish(event);
    at.publish(await sign(3, { kind: 5, created_at, tags: [['e', mine.id]] }));
    at.publish(await sign(3, { kind: 5, created_at, tags: [['e', theirs.id]] }));
    at.publish(
      await sign(5, { kind: 5, created_at, tags: [['a', `32020:${set.pubkey}:${set.tags[0]?.[1]}`]] }),
    );
    const both = agent(9, [at.url, other.url], { clock: manualClock(start + 10 * day) });
    const found = await both.about(await keyOf(2));
    expect(idsOf(found.reviews)).toEqual([theirs.id]);
    expect(found.rejected).toEqual({ deleted: 2 });
  });

  it('REP-5 counts what it rejects, by reason', async () => {
    const { reader, rate, at, clock } = await world();
    const reasons: string[] = [];
    reader.on('rejected', ({ reason }) => reasons.push(reason));
    const good = await rate(3);
    const subject = await keyOf(2);
    const bad = (template: object) => sign(4, { kind: 2020, tags: [], ...template });
    at.publish(
      await bad({
        tags: [
          ['p', subject],
          ['denom', '5'],
        ],
      }),
    );
    at.publish(
      await bad({
        tags: [
          ['p', subject],
          ['rating', '9'],
          ['denom', '5'],
        ],
      }),
    );
    at.publish(
      await bad({
        tags: [
          ['p', subject],
          ['rating', '4'],
        ],
      }),
    );
    at.publish(
      await bad({
        tags: [
          ['p', subject],
          ['rating', '4'],
          ['denom', '5'],
        ],
        created_at: clock() / 1_000 + 700,
      }),
    );
    const found = await reader.about(subject);
    expect(idsOf(found.reviews)).toEqual([good.id]);
    expect(found.rejected).toEqual({
      'no-rating': 1,
      'rating-out-of-range': 1,
      'no-scale': 1,
      'from-future': 1,
    });
    expect(reasons.toSorted()).toEqual(['from-future', 'no-rating', 'no-scale', 'rating-out-of-range']);
  });

  it('REP-5 takes no forged event from a relay', async () => {
    const { reader, rate, at } = await world();
    await rate(3);
    await at.faults.set({ forge: { alter: 'content', withhold: true } });
    const found = await reader.about(await keyOf(2));
    expect(found).toMatchObject({ reviews: [], rejected: { 'wrong-id': 1 } });
  });

  it('REP-5 limits what one author can fill an answer with', async () => {
    const { reader, rate } = await world({ maxPerReviewer: 3 });
    for (let n = 0; n < 8; n += 1) await rate(4, { task: `task-${n}` }, { createdAt: start + n * 1_000 });
    const honest = await rate(3);
    const found = await reader.about(await keyOf(2));
    expect(found.reviews).toHaveLength(4);
    expect(idsOf(found.reviews)).toContain(honest.id);
    expect(found.rejected).toEqual({ 'too-many': 5 });
  });

  it('REP-5 streams stored and new reviews, each once', async () => {
    const { reader, rate } = await world();
    const set = { format: 'review-set' as const };
    const stored = await rate(3, {}, set);
    const seen: string[] = [];
    const rejected: string[] = [];
    let isLive = false;
    const subscription = reader.watch(
      { subject: await keyOf(2) },
      {
        onReview: ({ eventId }) => seen.push(eventId),
        onRejected: ({ reason }) => rejected.push(reason),
        onEose: () => {
          isLive = true;
        },
      },
    );
    await expect.poll(() => isLive).toBe(true);
    const next = await rate(3, { trustScore: 0.2 }, { ...set, createdAt: start + hour });
    await sign(4, { kind: 2020, tags: [['p', await keyOf(2)]] });
    await expect.poll(() => seen).toEqual([stored.id, next.id]);
    subscription.close();
    expect(rejected).toEqual([]);
  });

  it('REP-6 asks for the other reviews of few strangers, however many rate a subject', async () => {
    const { at, clock, rate } = await world();
    const friend = { peer: await keyOf(20), trust: 8, infoScore: 8, rationale: 'Honest.' };
    const me = agent(9, [at.url], {
      clock,
      config: { maxRaters: 3 },
      ledger: { assessments: async () => [friend] },
    });
    for (let n = 10; n < 20; n += 1) await rate(n);
    await rate(20);
    const standing = await me.standing(await keyOf(2));
    expect(standing.hearsay).toMatchObject({ knownRaters: 1, unknownRaters: 10 });
    const asked = new Set(
      at.received.flatMap(({ message }) =>
        Array.isArray(message) && message[0] === 'REQ'
          ? message.slice(2).flatMap(({ kinds, authors = [] }) => (kinds.includes(5) ? [] : authors))
          : [],
      ),
    );
    // The subject, the friend and three strangers.
    expect(asked.size).toBe(5);
    expect(asked.has(friend.peer)).toBe(true);
  });
});
