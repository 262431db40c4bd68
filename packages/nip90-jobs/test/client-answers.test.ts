import { describe, expect, it, vi } from 'vitest';
import { createMemoryJobStore, type JobStore } from '../src/index.ts';
import { feedback, result, say, work } from './sayings.ts';
import { client, eventually, keys, person, quick, relay } from './world.ts';

describe('whose word counts', () => {
  it('JOB-9 JOB-16 the addressed provider’s, whatever others sign, and it is counted', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const { pubkey: rival } = await person(keys.rival);
    const asking = await client([at.url]);
    const mine = await asking.requestJob(work(pubkey));
    // So that the rival's events are asked for at all.
    const theirs = await asking.requestJob(work(rival));
    await eventually(() =>
      expect(at.connections.some(({ subscriptions }) => subscriptions.length > 0)).toBe(true),
    );
    await say([at], keys.rival, result(mine.job.request, 'forged'));
    await say([at], keys.rival, feedback(mine.job.request, { status: 'error', info: 'forged' }));
    await eventually(() => expect(asking.ignored()['third-party']).toBe(2));
    expect(mine.state).toBe('delivered');
    await say([at], keys.provider, result(mine.job.request, 'genuine'));
    await say([at], keys.rival, result(theirs.job.request, 'genuine too'));
    expect(await mine.result).toMatchObject({ provider: pubkey, content: 'genuine' });
    expect(await theirs.result).toMatchObject({ provider: rival, content: 'genuine too' });
  });

  it('JOB-1 no result of another kind is accepted, and it is counted against its provider', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const asking = await client([at.url]);
    const ignored = vi.fn();
    asking.on('ignored', ignored);
    const job = await asking.requestJob(work(pubkey));
    await say([at], keys.provider, { ...result(job.job.request, 'odd'), kind: 6001 });
    await eventually(() => expect(asking.ignored()['wrong-kind']).toBe(1));
    expect(ignored).toHaveBeenCalledWith(
      expect.objectContaining({ reason: 'wrong-kind', job: expect.objectContaining({ provider: pubkey }) }),
    );
    await say([at], keys.provider, result(job.job.request, 'even'));
    expect(await job.result).toMatchObject({ content: 'even' });
  });

  it('JOB-10 unknown statuses are kept and change nothing', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const asking = await client([at.url]);
    const job = await asking.requestJob(work(pubkey));
    await eventually(() => expect(job.state).toBe('delivered'));
    const odd = feedback(job.job.request, { status: 'processing' });
    await say([at], keys.provider, {
      ...odd,
      tags: [['status', 'CHAIN_scheduled', 'later'], ...odd.tags.slice(1)],
    });
    const { value } = await job.feedback[Symbol.asyncIterator]().next();
    expect(value).toMatchObject({ status: 'chain-scheduled', info: 'later' });
    expect(job.state).toBe('delivered');
    expect(job.job).toMatchObject({ feedbackCount: 1, extensions: 0 });
  });

  it('JOB-10 an error ends the job with the provider’s words, on one line', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const asking = await client([at.url]);
    const job = await asking.requestJob(work(pubkey));
    await say([at], keys.provider, feedback(job.job.request, { status: 'error', info: 'no\n\u202eGPU' }));
    await expect(job.result).rejects.toMatchObject({
      code: 'JOB_FAILED',
      message: 'no GPU',
      provider: pubkey,
      unresponsive: false,
    });
    expect(job.job).toMatchObject({ state: 'failed', failureReason: 'provider-error' });
  });

  it('JOB-16 what is said beyond the limit is not kept, but what decides still counts', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const asking = await client([at.url], { config: { ...quick, maxFeedback: 3, maxFeedbackLength: 100 } });
    const job = await asking.requestJob(work(pubkey));
    await say(
      [at],
      keys.provider,
      feedback(job.job.request, { status: 'partial', content: 'x'.repeat(101) }),
    );
    for (let number = 0; number < 5; number += 1) {
      await say([at], keys.provider, feedback(job.job.request, { status: 'partial', content: `${number}` }));
    }
    await eventually(() => {
      expect(asking.ignored().flood).toBe(3);
      expect(job.job.feedbackCount).toBe(3);
    });
    await say([at], keys.provider, feedback(job.job.request, { status: 'error', info: 'enough' }));
    await expect(job.result).rejects.toMatchObject({ message: 'enough' });
  });

  it('JOB-16 the limit holds for feedback that arrives at once, and none takes the place of another', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const store = createMemoryJobStore();
    const gate = Promise.withResolvers<void>();
    // Nothing is stored before everything has arrived.
    const update: JobStore['update'] = async (change) => {
      if (change.feedback) await gate.promise;
      return store.update(change);
    };
    const config = { ...quick, maxFeedback: 3, maxFeedbackLength: 100 };
    const asking = await client([at.url], { store: { ...store, update }, config });
    const job = await asking.requestJob(work(pubkey));
    const contents = ['x'.repeat(101), 'a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40), 'd', 'e'];
    for (const content of contents)
      await say([at], keys.provider, feedback(job.job.request, { status: 'partial', content }));
    await eventually(() => expect(asking.ignored().flood).toBe(3));
    gate.resolve();
    await eventually(() => expect(job.job.feedbackCount).toBe(3));
    const { feedback: kept } = await store.history(job.jobId);
    // In whatever order the relay sent them.
    expect(kept).toHaveLength(3);
    expect(kept.reduce((sum, { event }) => sum + event.content.length, 0)).toBeLessThanOrEqual(100);
  });
});

describe('payment', () => {
  it('JOB-11 is declined without a wallet, with the reason', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const asking = await client([at.url]);
    for (const amountMsat of [1, null]) {
      const job = await asking.requestJob(work(pubkey));
      await say([at], keys.provider, feedback(job.job.request, { status: 'payment-required', amountMsat }));
      await expect(job.result).rejects.toMatchObject({
        code: 'PAYMENT_DECLINED',
        message: expect.stringContaining('no wallet'),
      });
      expect(
        asking.steps
          .filter(({ jobId }) => jobId === job.jobId)
          .map(({ to }) => to)
          .slice(-2),
      ).toEqual(['payment-required', 'failed']);
    }
  });

  it('JOB-11 of nothing is no payment', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const asking = await client([at.url]);
    const job = await asking.requestJob(work(pubkey));
    await say([at], keys.provider, feedback(job.job.request, { status: 'payment-required', amountMsat: 0 }));
    await eventually(() => expect(job.state).toBe('paid'));
    await say([at], keys.provider, result(job.job.request, 'gratis'));
    expect(await job.result).toMatchObject({ content: 'gratis', amountMsat: null });
  });

  it('JOB-11 is declined by the next process when the first died in between', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const store = createMemoryJobStore();
    // A store that stops working right after the price was stored.
    const dying: JobStore = {
      ...store,
      update: (update) =>
        update.job.state === 'failed' ? Promise.reject(new Error('power cut')) : store.update(update),
    };
    const first = await client([at.url], { store: dying });
    const job = await first.requestJob(work(pubkey));
    await say([at], keys.provider, feedback(job.job.request, { status: 'payment-required', amountMsat: 7 }));
    await eventually(async () => expect((await store.get(job.jobId))?.state).toBe('payment-required'));
    await first.close();
    const second = await client([at.url], { store });
    const resumed = await second.get(job.jobId);
    await expect(resumed?.result).rejects.toMatchObject({ code: 'PAYMENT_DECLINED' });
  });
});
