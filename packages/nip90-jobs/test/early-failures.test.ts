import { describe, expect, it } from 'vitest';
import { buildJobResult } from '../src/codec/index.ts';
import { client, eventually, keys, person, quick, relay } from './world.ts';

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
