import { describe, expect, it, vi } from 'vitest';
import { createMemoryJobStore, type JobStore, type JobUpdate } from '../src/index.ts';
import { feedback, result, say, subscribeMs, work } from './sayings.ts';
import {
  client,
  eventually,
  hasty,
  keys,
  manualTime,
  passTime,
  person,
  provider,
  quick,
  relay,
  sentTo,
} from './world.ts';

describe('delivery', () => {
  it('JOB-7 goes to the provider’s relay, then its next, then ours, and notes which took it', async () => {
    const [first, second, own] = [await relay(), await relay(), await relay()];
    const { pubkey } = await person(keys.provider);
    await first.faults.set({ publish: { answer: 'silence' } });
    await second.faults.set({ publish: { answer: 'refuse', reason: 'blocked: no' } });
    const asking = await client([own.url], { config: { ...hasty, retryDelaysMs: [] } });
    const job = await asking.requestJob(work(pubkey), { providerRelays: [first.url, second.url] });
    await eventually(() => expect(job.job.deliveredTo).toEqual([own.url]));
    expect([first, second, own].map((each) => sentTo(each, 5000).includes(job.jobId))).toEqual([
      true,
      true,
      true,
    ]);
    // What was learnt is used: the relay that said no goes after the one never tried.
    const third = await relay();
    const next = await asking.requestJob(
      { ...work(pubkey), d: 'next' },
      { providerRelays: [second.url, third.url] },
    );
    await eventually(() => expect(next.job.deliveredTo).toEqual([third.url]));
    expect(sentTo(second, 5000)).not.toContain(next.jobId);
  });

  it('JOB-8 is tried four times with the same signed event, then times out without blaming the provider', async () => {
    const at = await relay({ faults: { publish: { answer: 'refuse', reason: 'error: full' } } });
    const { pubkey } = await person(keys.provider);
    const asking = await client([at.url]);
    const job = await asking.requestJob(work(pubkey));
    await expect(job.result).rejects.toMatchObject({
      code: 'JOB_TIMED_OUT',
      timeoutClass: 'delivery',
      unresponsive: false,
    });
    expect(sentTo(at, 5000)).toEqual([job.jobId, job.jobId, job.jobId, job.jobId]);
    expect(job.job.attempts).toBe(4);
  });

  it('JOB-8 succeeds on a repetition', async () => {
    const at = await relay({ faults: { publish: { answer: 'refuse', reason: 'error: full' } } });
    const { pubkey } = await person(keys.provider);
    await provider([at.url], () => 'done');
    const asking = await client([at.url], { config: { ...quick, retryDelaysMs: [50, 50, 5_000] } });
    const job = await asking.requestJob(work(pubkey));
    await eventually(() => expect(sentTo(at, 5000).length).toBeGreaterThanOrEqual(2));
    await at.faults.clear();
    expect(await job.result).toMatchObject({ content: 'done' });
    expect(new Set(sentTo(at, 5000))).toEqual(new Set([job.jobId]));
  });

  it('JOB-8 is not needed for a result: a relay’s OK can be lost', async () => {
    const at = await relay({ faults: { publish: { answer: 'silence', store: true } } });
    const { pubkey } = await person(keys.provider);
    const asking = await client([at.url]);
    const job = await asking.requestJob(work(pubkey));
    await eventually(() => expect(at.events({ kinds: [5000] })).toHaveLength(1));
    await say([at], keys.provider, result(job.job.request, 'done'));
    expect(await job.result).toMatchObject({ content: 'done' });
  });
});

describe('waiting', () => {
  it('JOB-8 repeats the request to a silent provider, then calls it unresponsive', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const time = manualTime();
    const asking = await client([at.url], {
      clock: time.clock,
      timers: time.timers,
      random: () => 0.5,
      config: {},
    });
    const job = await asking.requestJob(work(pubkey));
    time.advance(subscribeMs);
    await eventually(() => expect(job.state).toBe('delivered'));
    for (const [round, delayMs] of [5_000, 10_000, 20_000].entries()) {
      await eventually(() => expect(time.pending()).toContain(delayMs));
      time.advance(delayMs);
      await eventually(() => expect(sentTo(at, 5000)).toHaveLength(round + 2));
      await eventually(() => expect(job.job.attempts).toBe(round + 2));
    }
    expect(new Set(sentTo(at, 5000))).toEqual(new Set([job.jobId]));
    await eventually(() => expect(time.pending()).toEqual([265_000]));
    time.advance(264_999);
    expect(job.state).toBe('delivered');
    time.advance(1);
    await expect(job.result).rejects.toMatchObject({
      code: 'JOB_TIMED_OUT',
      timeoutClass: 'silence',
      unresponsive: true,
    });
    time.advance(subscribeMs);
    expect(time.pending()).toEqual([]);

    const dayMs = 86_400_000;
    const endedAt = time.clock() - subscribeMs;
    expect(await asking.quarantinedUntil(pubkey)).toBe(endedAt + dayMs);
    expect(await asking.quarantinedUntil((await person(keys.rival)).pubkey)).toBeNull();
    time.advance(dayMs - subscribeMs);
    expect(await asking.quarantinedUntil(pubkey)).toBeNull();
  });

  it('JOB-8 releases a provider from quarantine that has answered since', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const store = createMemoryJobStore();
    const time = manualTime(Date.now() - 5_000);
    const hasty = await client([at.url], {
      ...{ store, clock: time.clock, timers: time.timers },
      config: { ...quick, processingTimeoutMs: 1_000 },
    });
    const silent = await hasty.requestJob(work(pubkey));
    await passTime(time, 1, () => expect(silent.state).toBe('delivered'));
    await passTime(time, 100, () => expect(silent.state).toBe('timed_out'));
    await expect(silent.result).rejects.toMatchObject({ unresponsive: true });
    const asking = await client([at.url], { store });
    expect(await asking.quarantinedUntil(pubkey)).not.toBeNull();
    await provider([at.url], () => 'back', { config: { maxRequestAgeMs: 60_000 } });
    const job = await asking.requestJob({ ...work(pubkey), params: { again: 'yes' } });
    await job.result;
    expect(await asking.quarantinedUntil(pubkey)).toBeNull();
  });

  it('JOB-8 JOB-16 is prolonged by signs of work, up to the limit, and not repeated', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const time = manualTime();
    const asking = await client([at.url], {
      clock: time.clock,
      timers: time.timers,
      config: { maxExtensions: 2 },
    });
    const job = await asking.requestJob(work(pubkey));
    time.advance(subscribeMs);
    await eventually(() => expect(job.state).toBe('delivered'));
    for (let number = 1; number <= 5; number += 1) {
      await say([at], keys.provider, feedback(job.job.request, { status: 'processing', info: `${number}` }));
      await eventually(() => expect(job.job.extensions).toBe(number));
    }
    time.advance(419_999);
    expect(job.state).toBe('processing');
    time.advance(1);
    await expect(job.result).rejects.toMatchObject({
      code: 'JOB_TIMED_OUT',
      timeoutClass: 'processing',
      unresponsive: false,
    });
    // A slow machine may send it again, and never another one.
    expect([...new Set(sentTo(at, 5000))]).toEqual([job.jobId]);
  });

  it('JOB-8 ends 60 s after a success that brings no result', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const time = manualTime();
    const asking = await client([at.url], { clock: time.clock, timers: time.timers });
    const job = await asking.requestJob(work(pubkey));
    time.advance(subscribeMs);
    await say([at], keys.provider, feedback(job.job.request, { status: 'success' }));
    await eventually(() => expect(job.job.successAt).not.toBeNull());
    time.advance(60_000);
    await expect(job.result).rejects.toMatchObject({ timeoutClass: 'result' });
  });

  it('JOB-8 finds a result that was published where it did not listen, before it gives up', async () => {
    const [own, theirs] = [await relay(), await relay()];
    const { pubkey } = await person(keys.provider);
    const time = manualTime();
    const asking = await client([own.url], { clock: time.clock, timers: time.timers });
    const job = await asking.requestJob(work(pubkey), { providerRelays: [theirs.url] });
    time.advance(subscribeMs);
    await eventually(() => expect(job.job.deliveredTo).toEqual([theirs.url]));
    await say([theirs], keys.provider, feedback(job.job.request, { status: 'success' }));
    await say([theirs], keys.provider, result(job.job.request, 'here all along'));
    time.advance(300_000);
    expect(await job.result).toMatchObject({ content: 'here all along', recovered: true });
  });

  it('JOB-8 finds a result that could not be stored when it came', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const time = manualTime();
    const store = createMemoryJobStore();
    let full = true;
    const flaky: JobStore = {
      ...store,
      update: (update) =>
        full && update.job.state === 'completed'
          ? Promise.reject(new Error('disk full'))
          : store.update(update),
    };
    const asking = await client([at.url], { clock: time.clock, timers: time.timers, store: flaky });
    const job = await asking.requestJob(work(pubkey));
    time.advance(subscribeMs);
    await eventually(() => expect(job.state).toBe('delivered'));
    await say([at], keys.provider, result(job.job.request, 'kept'));
    await say([at], keys.provider, feedback(job.job.request, { status: 'processing' }));
    await eventually(() => expect(job.state).toBe('processing'));
    full = false;
    time.advance(360_000);
    expect(await job.result).toMatchObject({ content: 'kept' });
  });
});

describe('a store that fails', () => {
  const failing = (fails: (update: JobUpdate) => boolean) => {
    const store = createMemoryJobStore();
    const flaky: JobStore = {
      ...store,
      update: (update) => (fails(update) ? Promise.reject(new Error('disk full')) : store.update(update)),
    };
    return flaky;
  };

  it('AGT-4 loses no feedback: what could not be kept is found again', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const time = manualTime();
    let full = true;
    const refused = vi.fn();
    const store = failing(({ feedback }) => {
      if (full && feedback) refused();
      return full && feedback !== null;
    });
    const asking = await client([at.url], { clock: time.clock, timers: time.timers, store });
    const job = await asking.requestJob(work(pubkey));
    time.advance(subscribeMs);
    await eventually(() => expect(job.state).toBe('delivered'));
    await say([at], keys.provider, feedback(job.job.request, { status: 'error', info: 'out of memory' }));
    await eventually(() => expect(refused).toHaveBeenCalled());
    full = false;
    time.advance(300_000);
    await expect(job.result).rejects.toMatchObject({ code: 'JOB_FAILED', message: 'out of memory' });
  });

  it('AGT-4 delays delivery and ends, but hangs nothing', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const time = manualTime();
    const random = () => 0.5;
    let full = true;
    const asking = await client([at.url], {
      clock: time.clock,
      timers: time.timers,
      random,
      config: {},
      store: failing(() => full),
    });
    const job = await asking.requestJob(work(pubkey));
    time.advance(subscribeMs);
    await eventually(() => expect(time.pending()).toEqual([5_000]));
    expect(sentTo(at, 5000)).toEqual([]);
    full = false;
    time.advance(5_000);
    await eventually(() => expect(job.state).toBe('delivered'));
    full = true;
    time.advance(300_000);
    await eventually(() => expect(time.pending()).toContain(5_000));
    full = false;
    time.advance(5_000);
    await expect(job.result).rejects.toMatchObject({ timeoutClass: 'silence' });
  });
});
