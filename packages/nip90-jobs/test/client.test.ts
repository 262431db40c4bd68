import { measured } from '@bonafide/internal/testing';
import { createKeySigner, type EventTemplate, type NostrEvent } from '@bonafide/nostr-transport';
import { describe, expect, it, vi } from 'vitest';
import { buildFeedback, buildJobResult, type FeedbackSpec } from '../src/codec/index.ts';
import {
  createJobClient,
  createMemoryJobStore,
  type JobFeedback,
  type JobStore,
  type JobUpdate,
} from '../src/index.ts';
import {
  client,
  eventually,
  keys,
  manualTime,
  patient,
  person,
  provider,
  quick,
  relay,
  sentTo,
  transport,
} from './world.ts';

/** After so long a client subscribes to the answers of new jobs. */
const subscribeMs = 20;
const work = (provider: string) => ({ kind: 5000, provider, inputs: [{ data: 'double 21' }] });

/** Signs as `secret` and hands it to every relay, as a provider of another make would. */
async function say(
  relays: readonly { publish(event: NostrEvent): unknown }[],
  secret: string,
  template: EventTemplate,
): Promise<NostrEvent> {
  const signed = await createKeySigner(secret).signEvent(template);
  for (const one of relays) one.publish(signed);
  return signed;
}

const result = (request: NostrEvent, content: string) =>
  buildJobResult({ request, content, createdAt: Date.now() });
const feedback = (request: NostrEvent, spec: Omit<FeedbackSpec, 'request' | 'createdAt'>) =>
  buildFeedback({ request, createdAt: Date.now(), ...spec });

describe('a job', () => {
  it('X-6 is measured on both sides for OpenTelemetry, without naming anybody', async () => {
    const { pubkey } = await person(keys.provider);
    const found = await measured(async () => {
      const at = await relay();
      await provider([at.url], () => '42');
      const job = await (await client([at.url])).requestJob(work(pubkey));
      await job.result;
    });
    expect(found).toMatchObject({
      'bonafide.jobs.duration 5000 completed': 1,
      'bonafide.provider.requests 5000': 1,
      'bonafide.provider.answers 6000': 1,
    });
    expect(JSON.stringify(found)).not.toContain(pubkey);
  });

  it('JOB-12 JOB-6 JOB-10 is asked for, reported on and done', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const heard = Promise.withResolvers<void>();
    await provider([at.url], async (request, { progress, partial }) => {
      await progress('thinking');
      await partial('4');
      await partial('42');
      // What is said is streamed before the result is there.
      await heard.promise;
      return `${request.inputs[0]?.data} = 42`;
    });
    const asking = await client([at.url]);
    const job = await asking.requestJob({ ...work(pubkey), params: { hurry: 'no' }, output: 'text' });
    const said: [string, string][] = [];
    for await (const { status, content } of job.feedback) {
      said.push([status, content]);
      if (said.length === 4) heard.resolve();
    }

    expect(await job.result).toMatchObject({
      jobId: job.jobId,
      provider: pubkey,
      status: 'success',
      content: 'double 21 = 42',
      recovered: false,
      event: { kind: 6000 },
    });
    expect((await job.result).latencyMs).toBeGreaterThanOrEqual(0);
    expect(said.toSorted()).toEqual([
      ['partial', '4'],
      ['partial', '42'],
      ['processing', ''],
      ['processing', ''],
    ]);
    expect(job.state).toBe('completed');
    expect(asking.steps.map(({ to }) => to)).toEqual(
      expect.arrayContaining(['delivering', 'partial', 'completed']),
    );
    expect(asking.steps.at(-1)?.eventId).toBe((await job.result).event.id);
    // A slow machine may send it again, and never another one.
    expect([...new Set(sentTo(at, 5000))]).toEqual([job.jobId]);
  });

  it('JOB-10 is reported on to many readers and to those who come late', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const heard = Promise.withResolvers<string>();
    await provider([at.url], async (_, { partial }) => {
      await partial('half');
      return heard.promise;
    });
    const asking = await client([at.url]);
    const job = await asking.requestJob(work(pubkey));
    await eventually(() => expect(job.job.feedbackCount).toBe(2));
    heard.resolve('whole');
    await job.result;
    const read = async () => {
      const contents: string[] = [];
      for await (const { content } of job.feedback) contents.push(content);
      return contents.toSorted();
    };
    expect(await Promise.all([read(), read()])).toEqual([
      ['', 'half'],
      ['', 'half'],
    ]);
    const again = await asking.get(job.jobId);
    const stored: JobFeedback[] = [];
    for await (const one of again?.feedback ?? []) stored.push(one);
    expect(stored.map(({ content }) => content).toSorted()).toEqual(['', 'half']);
    expect(await again?.result).toEqual(await job.result);
  });

  it('AGT-4 JOB-6 is asked for once however often its key is given', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    await provider([at.url], () => 'done');
    const store = createMemoryJobStore();
    const asking = await client([at.url], { store });
    const jobs = await Promise.all(
      Array.from({ length: 5 }, () =>
        asking.requestJob({ ...work(pubkey), bidMsat: 5 }, { idempotencyKey: 'k' }),
      ),
    );
    await Promise.all(jobs.map((job) => job.result));
    const later = await asking.requestJob({ ...work(pubkey), bidMsat: 9 }, { idempotencyKey: 'k' });
    const named = await client([at.url], { store });
    const elsewhere = await named.requestJob({ ...work(pubkey) }, { idempotencyKey: 'k' });

    expect(new Set([...jobs, later, elsewhere].map(({ jobId }) => jobId)).size).toBe(1);
    expect(await later.result).toEqual(await jobs[0]?.result);
    expect(at.events({ kinds: [5000] })).toHaveLength(1);
    expect(at.events({ kinds: [6000] })).toHaveLength(1);
  });

  it('AGT-4 takes the d of its request for a key when none is given, and no key for two kinds of work', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const asking = await client([at.url]);
    const one = await asking.requestJob({ ...work(pubkey), d: 'eval-1' });
    expect((await asking.requestJob({ ...work(pubkey), d: 'eval-1' })).jobId).toBe(one.jobId);
    await expect(
      asking.requestJob({ ...work(pubkey), d: 'eval-1', inputs: [{ data: 'other' }] }),
    ).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
    const { pubkey: rival } = await person(keys.rival);
    await expect(asking.requestJob(work(rival), { idempotencyKey: 'eval-1' })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    });
    await expect(asking.requestJob(work(rival), { idempotencyKey: 'a\u0000b' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('JOB-12 is refused before the start, after the end and when it makes no sense', async () => {
    const at = await relay();
    const signer = createKeySigner(keys.customer);
    const idle = createJobClient({
      transport: transport(),
      signer,
      store: createMemoryJobStore(),
      relays: [at.url],
    });
    await expect(idle.requestJob({ kind: 5000 })).rejects.toMatchObject({ code: 'NOT_STARTED' });
    await idle.start();
    await expect(idle.requestJob({ kind: 1 })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    const open = await idle.requestJob({ kind: 5000 });
    await idle.close();
    await expect(open.result).rejects.toMatchObject({ code: 'CLOSED' });
    await expect(idle.requestJob({ kind: 5000 })).rejects.toMatchObject({ code: 'CLOSED' });
    await expect(idle.start()).rejects.toMatchObject({ code: 'CLOSED' });
    expect(() =>
      createJobClient({ transport: transport(), signer, store: createMemoryJobStore(), relays: [] }),
    ).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
    const config = { processingTimeoutMs: 0 };
    expect(() =>
      createJobClient({
        transport: transport(),
        signer,
        store: createMemoryJobStore(),
        relays: [at.url],
        config,
      }),
    ).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
  });

  it('JOB-6 is another one each time, even in the same second, unless it bears the same key', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const time = manualTime();
    const asking = await client([at.url], { clock: time.clock });
    const ask = (idempotencyKey?: string, d?: string) =>
      asking.requestJob({ ...work(pubkey), d: d ?? null }, idempotencyKey ? { idempotencyKey } : {});
    const jobs = await Promise.all([
      ask(),
      ask(),
      ask(),
      ask('a'),
      ask('b'),
      ask('b'),
      ask('c', 'same'),
      ask('d', 'same'),
    ]);
    expect(new Set(jobs.map(({ jobId }) => jobId)).size).toBe(7);
    expect(jobs[4]?.jobId).toBe(jobs[5]?.jobId);
    expect(jobs.map(({ job }) => job.idempotencyKey)).toEqual([null, null, null, 'a', 'b', 'b', 'c', 'd']);
  });

  it('JOB-17 needs one subscription, however many jobs are open', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const config = { ...quick, retryDelaysMs: [], deliveryStagesMs: [60_000, 60_000, 60_000] } as const;
    const asking = await client([at.url], { config });
    const jobs = await Promise.all(Array.from({ length: 100 }, () => asking.requestJob(work(pubkey))));
    const asked = () =>
      at.connections
        .flatMap(({ subscriptions }) => subscriptions)
        .map(({ filters }) => filters.flatMap((filter) => filter['#e'] ?? []).length);
    await eventually(() => expect(asked()).toEqual([100]));
    await Promise.all(jobs.map((job) => job.cancel()));
    await eventually(() => expect(asked()).toEqual([]));
  });

  it('JOB-5 may be open to everybody: the first result counts', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.rival);
    await provider([at.url], () => 'not taken: nobody asked me');
    await provider([at.url], () => 'mine', { broadcast: true, signer: createKeySigner(keys.rival) });
    const asking = await client([at.url]);
    const job = await asking.requestJob({ kind: 5000, inputs: [{ data: 'anyone?' }] });
    expect(await job.result).toMatchObject({ provider: pubkey, content: 'mine' });
  });
});

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
    const asking = await client([at.url], { config: { ...patient, maxFeedback: 3, maxFeedbackLength: 100 } });
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
    const config = { ...patient, maxFeedback: 3, maxFeedbackLength: 100 };
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

describe('delivery', () => {
  it('JOB-7 goes to the provider’s relay, then its next, then ours, and notes which took it', async () => {
    const [first, second, own] = [await relay(), await relay(), await relay()];
    const { pubkey } = await person(keys.provider);
    await first.faults.set({ publish: { answer: 'silence' } });
    await second.faults.set({ publish: { answer: 'refuse', reason: 'blocked: no' } });
    const asking = await client([own.url], { config: { ...quick, retryDelaysMs: [] } });
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
    const hasty = await client([at.url], { store, config: { ...quick, processingTimeoutMs: 200 } });
    const silent = await hasty.requestJob(work(pubkey));
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

describe('taking back', () => {
  it('JOB-12 publishes a deletion, stops the provider, and is final', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const aborted = Promise.withResolvers<boolean>();
    await provider([at.url], (_, { signal }) => {
      signal.addEventListener('abort', () => aborted.resolve(true));
      return aborted.promise.then(() => 'too late');
    });
    const asking = await client([at.url]);
    const job = await asking.requestJob(work(pubkey));
    await eventually(() => expect(job.state).toBe('processing'));
    await job.cancel('changed my mind');
    await expect(job.result).rejects.toMatchObject({ code: 'JOB_CANCELLED', message: 'changed my mind' });
    expect(await aborted.promise).toBe(true);
    expect(at.events({ kinds: [5] })).toMatchObject([
      { content: 'changed my mind', tags: expect.arrayContaining([['e', job.jobId]]) },
    ]);
    await job.cancel();
    expect(sentTo(at, 5)).toHaveLength(1);
    expect(at.events({ kinds: [6000] })).toEqual([]);
  });

  it('JOB-12 X-8 is what an AbortSignal does, and leaves no timer', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const time = manualTime();
    const asking = await client([at.url], { clock: time.clock, timers: time.timers });
    const abort = new AbortController();
    const job = await asking.requestJob(work(pubkey), { signal: abort.signal });
    await eventually(() => expect(job.state).toBe('delivered'));
    abort.abort();
    await expect(job.result).rejects.toMatchObject({ code: 'JOB_CANCELLED' });
    await eventually(() => expect(at.events({ kinds: [5] })).toHaveLength(1));
    time.advance(100);
    expect(time.pending()).toEqual([]);
    await expect(asking.requestJob(work(pubkey), { signal: abort.signal })).rejects.toMatchObject({
      code: 'JOB_CANCELLED',
    });
  });
});

describe('listing', () => {
  it('JOB-24 refuses unknown names, states, cursors and events, and a limit that would limit nothing (X-8)', async () => {
    const customer = await client(['ws://127.0.0.1:9'], {
      config: { ...quick, deliveryStagesMs: [1, 1, 1] },
    });
    // Calls as a program in JavaScript makes them.
    const calls: readonly (() => unknown)[] = [
      () => customer.list({ stat: 'built' } as never),
      () => customer.list({ state: 'done' } as never),
      () => customer.list({ provider: 'somebody' }),
      () => customer.list({ limit: 0 }),
      () => customer.list({ cursor: 'x' }),
      () => customer.on('transitions' as never, () => {}),
      () => customer.on('paid', undefined as never),
      () => Reflect.apply(customer.prune, customer, []),
      () => customer.prune({ before: Number.NaN }),
      () => customer.pay('1'.repeat(64), { maxMsat: Number.NaN }),
      () => customer.pay('1'.repeat(64), { maxmsat: 1 } as never),
      () => Reflect.apply(customer.sendReceipt, customer, ['1'.repeat(64)]),
    ];
    for (const call of calls)
      await expect(async () => call()).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    const { pubkey } = await person(keys.provider);
    const { items } = await customer.list({ provider: pubkey.toUpperCase(), cursor: null as never });
    expect(items).toEqual([]);
  });

  it('JOB-12 gives every job as it is', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    await provider([at.url], () => 'done');
    const asking = await client([at.url]);
    const done = await asking.requestJob(work(pubkey));
    await done.result;
    const { pubkey: rival } = await person(keys.rival);
    const open = await asking.requestJob(work(rival));
    expect((await asking.list({ open: true })).items.map(({ jobId }) => jobId)).toEqual([open.jobId]);
    expect((await asking.list({ open: false })).items.map(({ jobId }) => jobId)).toEqual([done.jobId]);
    expect(await asking.get('0'.repeat(64))).toBeNull();
  });
});
