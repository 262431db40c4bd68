import { finalizeEvent } from 'nostr-tools/pure';
import { describe, expect, it } from 'vitest';
import { buildJobResult } from '../src/codec/index.ts';
import { client, eventually, keys, person, relay, sentTo } from './world.ts';

/** The real size is in `bench/open-jobs.bench.ts`. */
const count = process.env.BONAFIDE_PROOF === 'full' ? 10_000 : 220;

describe('many open jobs', () => {
  it('JOB-17 are listened for by one subscription, which hardly changes as they come and go', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    // However long the relay takes to accept them, and the provider to answer.
    const config = { retryDelaysMs: [1_000_000], deliveryStagesMs: [600_000, 600_000, 600_000] } as const;
    const asking = await client([at.url], { config });
    const jobs = [];
    for (let number = 0; number < count; number += 1)
      jobs.push(await asking.requestJob({ kind: 5000, provider: pubkey, inputs: [{ data: `${number}` }] }));
    await eventually(() => expect(new Set(sentTo(at, 5000)).size).toBe(count));
    await eventually(() =>
      expect(at.connections.flatMap(({ subscriptions }) => subscriptions)).toHaveLength(1),
    );
    const requests = () =>
      at.received
        .filter(({ message }) => Array.isArray(message) && message[0] === 'REQ')
        .map(({ text }) => text);
    const before = requests();
    expect(Math.max(...before.map((text) => text.length))).toBeLessThan(32_768);
    expect(before.at(-1)?.length).toBeLessThan(1_000);

    const begun = performance.now();
    for (const { job } of jobs) {
      const { tags, ...template } = buildJobResult({
        request: job.request,
        content: 'done',
        createdAt: Date.now(),
      });
      const secret = Uint8Array.from(Buffer.from(keys.provider, 'hex'));
      at.publish(finalizeEvent({ ...template, tags: tags.map((tag) => [...tag]) }, secret));
    }
    const results = await Promise.all(jobs.map((job) => job.result));
    expect(results.every(({ content }) => content === 'done')).toBe(true);
    // They end one after the other, and the subscription is renewed a few times at most, on a busy machine some times a second.
    expect(requests().length - before.length).toBeLessThan(15 + (performance.now() - begun) / 100);
    await eventually(() => expect(at.connections.flatMap(({ subscriptions }) => subscriptions)).toEqual([]));
  });
});
