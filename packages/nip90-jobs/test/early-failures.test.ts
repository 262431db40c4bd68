import { startTestRelay } from '@bonafide/nostr-transport/testing';
import { describe, expect, it } from 'vitest';
import { buildFeedback, buildJobResult } from '../src/codec/index.ts';
import { createReferenceFetcher, JobError } from '../src/index.ts';
import { createReadInput } from '../src/references/read-input.ts';
import {
  client,
  eventually,
  keys,
  manualTime,
  passTime,
  person,
  provider,
  quick,
  relay,
  transport,
} from './world.ts';

describe('a result of 300 kB in an event', () => {
  it('fails its job at once with an error of its own, and no quarantine (JOB-25)', async () => {
    const at = await relay({
      limits: { maxMessageBytes: 2_000_000, maxEventBytes: 2_000_000, maxContentLength: 2_000_000 },
    });
    const { signer, pubkey } = await person(keys.provider);
    const rival = await person(keys.rival);
    const asking = await client([at.url]);
    const job = await asking.requestJob({ kind: 5000, provider: pubkey });
    await eventually(() => expect(job.state).toBe('delivered'));
    const template = buildJobResult({
      request: job.job.request,
      content: 'x'.repeat(300_000),
      createdAt: Date.now(),
    });
    // Another key cannot end the job, and neither can a copy with a broken signature.
    at.publish(await rival.signer.signEvent(template));
    expect(job.state).toBe('delivered');
    at.publish(await signer.signEvent(template));
    await expect(job.result).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE', unresponsive: false });
    expect(await asking.quarantinedUntil(pubkey)).toBeNull();
  });
});

describe('an error with a long text', () => {
  it('of our provider arrives, shortened (JOB-25)', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    await provider([at.url], () => {
      throw new JobError('JOB_FAILED', 'so much went wrong '.repeat(20_000));
    });
    const asking = await client([at.url]);
    for (const encrypted of [false, true]) {
      const job = await asking.requestJob({ kind: 5000, provider: pubkey, encrypted });
      await expect(job.result).rejects.toMatchObject({
        code: 'JOB_FAILED',
        message: expect.stringMatching(/^so much went wrong/),
      });
    }
  });

  it('of another provider that exceeds an event fails the job at once (JOB-25)', async () => {
    const at = await relay({
      limits: { maxMessageBytes: 2_000_000, maxEventBytes: 2_000_000, maxContentLength: 2_000_000 },
    });
    const { signer, pubkey } = await person(keys.provider);
    const rival = await person(keys.rival);
    const asking = await client([at.url]);
    const job = await asking.requestJob({ kind: 5000, provider: pubkey });
    await eventually(() => expect(job.state).toBe('delivered'));
    const about = { request: job.job.request, status: 'error', createdAt: Date.now() } as const;
    const template = buildFeedback({ ...about, info: 'x'.repeat(300_000) });
    at.publish(await rival.signer.signEvent(template));
    at.publish(await signer.signEvent(template));
    await expect(job.result).rejects.toMatchObject({ code: 'JOB_FAILED', unresponsive: false });
    expect(await asking.quarantinedUntil(pubkey)).toBeNull();
  });

  it('rejects a part of a result that exceeds an event (JOB-25)', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    await provider([at.url], async (_, { partial }) =>
      partial('x'.repeat(70_000)).then(
        () => 'published',
        (error) => error.code,
      ),
    );
    const asking = await client([at.url]);
    const job = await asking.requestJob({ kind: 5000, provider: pubkey });
    expect((await job.result).content).toBe('RESULT_TOO_LARGE');
  });
});

describe('relays that cannot be read at the time limit', () => {
  it('are not the silence of the provider (JOB-25, NET-6)', async () => {
    const at = await startTestRelay();
    const { pubkey } = await person(keys.provider);
    const time = manualTime();
    const asking = await client([at.url], {
      clock: time.clock,
      timers: time.timers,
      config: { ...quick, retryDelaysMs: [], queryTimeoutMs: 200 },
    });
    const job = await asking.requestJob({ kind: 5000, provider: pubkey });
    await passTime(time, 1, () => expect(job.state).toBe('delivered'));
    await at.close();
    await passTime(time, 10_000, () => expect(job.state).toBe('timed_out'));
    await expect(job.result).rejects.toMatchObject({
      timeoutClass: 'delivery',
      unresponsive: false,
      message: expect.stringMatching(/could be read/),
    });
    expect(await asking.quarantinedUntil(pubkey)).toBeNull();
  });

  it('are named when an input is not found (JOB-25, NET-6)', async () => {
    const at = await relay();
    const carrier = transport();
    const read = createReadInput({
      transport: carrier,
      relays: [at.url, 'ws://127.0.0.1:9'],
      fetchReference: createReferenceFetcher(),
    });
    const input = { data: 'a'.repeat(64), type: 'event', relay: null, marker: null } as const;
    const { signal } = new AbortController();
    await expect(read(input, { signal, decrypt: null })).rejects.toMatchObject({
      code: 'REFERENCE_UNAVAILABLE',
      message: expect.stringMatching(/1 of the relays could not be read/),
    });
  });
});

describe('a relay that cannot be reached', () => {
  it('ends a job with a short time limit soon, as a failure of delivery (JOB-25)', async () => {
    const { pubkey } = await person(keys.provider);
    const asking = await client(['ws://127.0.0.1:9'], {
      config: { processingTimeoutMs: 1_500, queryTimeoutMs: quick.queryTimeoutMs },
    });
    const job = await asking.requestJob({ kind: 5000, provider: pubkey });
    await expect(job.result).rejects.toMatchObject({ code: 'JOB_TIMED_OUT', timeoutClass: 'delivery' });
    expect((job.job.endedAt ?? 0) - job.job.builtAt).toBeLessThan(60_000);
  });
});
