import {
  createCommentTagsForEvent,
  getCommentReplyPointer,
  getCommentRootPointer,
  isValidComment,
} from 'applesauce-common/helpers/comment';
import {
  getAssertionRank,
  getAssertionSubject,
  isValidUserAssertion,
} from 'applesauce-common/helpers/trusted-assertions';
import { describe, expect, it } from 'vitest';
import { buildAssertion, buildObjection, buildReview, parseAssertion, weighReviews } from '../src/index.ts';
import { hour, keyOf, sign, signer, start, statement } from './support.ts';
import { agent, manualClock, relay } from './world.ts';

/** An event as other software takes it, with arrays that may be changed. */
const copy = <Value>(value: Value): Value & { tags: string[][] } => JSON.parse(JSON.stringify(value));

describe('applesauce', () => {
  it.each(['review', 'review-set'] as const)(
    'REP-8 reads our objection to a %s as a comment (NIP-22)',
    async (format) => {
      const review = await signer(1).signEvent(buildReview(await statement(), { format, createdAt: start }));
      const objection = copy(
        await signer(2).signEvent(
          buildObjection({ review, claim: 'The result was correct.', createdAt: start }),
        ),
      );
      expect(isValidComment(objection)).toBe(true);
      const pointer =
        format === 'review'
          ? { type: 'event', id: review.id, kind: 2020, pubkey: review.pubkey }
          : { type: 'address', kind: 32_020, pubkey: review.pubkey };
      expect(getCommentRootPointer(objection)).toMatchObject(pointer);
      expect(getCommentReplyPointer(objection)).toMatchObject(pointer);
    },
  );

  it('REP-8 writes comments that dispute a review', async () => {
    const clock = manualClock();
    const at = await relay(clock);
    const mine = agent(1, [at.url], { clock, config: { consent: 'all' } });
    const review = {
      key: 'attack',
      event: 'security' as const,
      completedAt: start,
      review: await statement(),
    };
    await mine.offer(review);
    await mine.publishDue();
    const [published] = at.events({ kinds: [32_020] });
    if (published === undefined) throw new Error('not published');
    clock.advance(hour);
    const tags = createCommentTagsForEvent(copy(published), at.url);
    at.publish(await sign(2, { kind: 1111, created_at: clock() / 1_000, tags, content: 'That is wrong.' }));
    expect(await mine.readObjections()).toEqual({ disputed: 1, ignored: 0 });
    expect(await mine.get('attack')).toMatchObject({
      state: 'disputed',
      objections: [{ claim: 'That is wrong.' }],
    });
  });

  it('REP-3 reads our assertions (NIP-85), and we read those of other services', async () => {
    const subject = await keyOf(2);
    const empty = weighReviews({ observer: await keyOf(1), subject, own: [], reviews: [], now: start });
    const opinion = {
      ...{
        reviewer: await keyOf(3),
        trustScore: 0.734,
        rationale: 'x',
        share: 0.5,
        isKnown: true,
        fairness: 1,
      },
      ...{ receipts: 0, contradicted: 0, isMutual: false, createdAt: start, eventId: '' },
    };
    const standing = { ...empty, trustScore: 0.734, opinions: [opinion, opinion] };
    const event = copy(await signer(7).signEvent(buildAssertion(standing, { createdAt: start })));
    expect(isValidUserAssertion(event)).toBe(true);
    expect([getAssertionSubject(event), getAssertionRank(event)]).toEqual([subject, 73]);
    // As services publish them: with counts that say nothing about trust.
    const tags = [
      ['d', subject],
      ['rank', '88'],
      ['followers', '120'],
      ['zap_cnt_recd', '7'],
    ];
    const other = await sign(8, { kind: 30_382, tags });
    expect(isValidUserAssertion(copy(other))).toBe(true);
    expect(parseAssertion(other)).toMatchObject({ ok: true, assertion: { subject, rank: 88 } });
  });
});
