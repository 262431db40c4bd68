import { measured } from '@bonafide/internal/testing';
import { createKeySigner } from '@bonafide/nostr-transport';
import { describe, expect, it } from 'vitest';
import { createJobClient, createMemoryJobStore, type JobFeedback } from '../src/index.ts';
import { work } from './sayings.ts';
import {
  client,
  eventually,
  keys,
  manualTime,
  person,
  provider,
  quick,
  relay,
  sentTo,
  transport,
} from './world.ts';

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
