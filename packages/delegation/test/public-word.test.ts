import { expect, it } from 'vitest';
import { createPublicWord, type FinishedWork, type ReviewQueue } from '../src/index.ts';

const work = (rest: Partial<FinishedWork> = {}): FinishedWork => ({
  key: 'a/1',
  orderId: 'a',
  jobId: 'b'.repeat(64),
  platform: { pubkey: 'a'.repeat(64), d: 'x' },
  name: null,
  taskType: 'code',
  isTrial: false,
  isAnswered: true,
  taskId: null,
  outcome: 'SUCCESS',
  verifiedBy: 'judge',
  summary: '3 of 3 tests passed.',
  passRate: 1,
  passed: 3,
  tests: 3,
  latencyMs: 5,
  bidMsat: 1_000,
  paidMsat: 0,
  at: 7,
  ...rest,
});

async function offered(...works: readonly FinishedWork[]) {
  const offers: Parameters<ReviewQueue['offer']>[0][] = [];
  const word = createPublicWord({ offer: async (offer) => offers.push(offer) });
  for (const each of works) await word.offerReview(each);
  return offers;
}

it('offers a review with what happened: a warning, a benchmark or an opinion (DLG-2)', async () => {
  const [opinion, trial, attack] = await offered(
    work(),
    work({ key: 'b/1', isTrial: true, outcome: 'PARTIAL' }),
    work({ key: 'c/1', outcome: 'SECURITY_VIOLATION' }),
  );
  expect(opinion).toMatchObject({ key: 'review:a/1', event: 'score_change', completedAt: 7 });
  expect(opinion?.review).toMatchObject({ trustScore: 1, task: 'code', jobId: 'b'.repeat(64), alert: null });
  expect(trial).toMatchObject({ event: 'benchmark', review: { trustScore: 0.5 } });
  expect(attack).toMatchObject({ event: 'security', review: { trustScore: 0, alert: 'security' } });
});

it('says nothing about what was not checked, or about who has no Nostr key (DLG-7)', async () => {
  expect(
    await offered(work({ outcome: 'INFRA' }), work({ platform: { pubkey: 'somebody', d: '' } })),
  ).toEqual([]);
});

it('keeps within the limits of reviews, whatever a platform writes (DLG-2)', async () => {
  const [offer] = await offered(
    work({
      key: `${'é'.repeat(300)}/1`,
      summary: '\0'.repeat(9),
      platform: { pubkey: 'a'.repeat(64), d: '☠'.repeat(900) },
      jobId: 'no id',
    }),
  );
  expect(offer?.key.length).toBeLessThanOrEqual(200);
  expect(offer?.review).toMatchObject({ summary: 'SUCCESS', jobId: null });
  expect(offer?.review.service?.length).toBeLessThanOrEqual(100);
});
