import type { RelayFaults } from '@bonafide/nostr-transport/testing';
import { describe, expect, it, vi } from 'vitest';
import { client, eventually, keys, person, provider, quick, relay } from './world.ts';

const faults: Record<string, RelayFaults> = {
  'repeats everything': { duplicate: 3 },
  'changes the order': { reorder: 6 },
  'cuts connections': { drop: { how: 'reset', afterMessages: 18 } },
  'forges what it passes on': { forge: { alter: 'content' } },
  'ignores filters': { ignoreFilters: 'all' },
  'takes events and says nothing': { publish: { answer: 'silence', store: true } },
  'does all of that': {
    duplicate: 1,
    reorder: 3,
    drop: { how: 'close', afterMessages: 40 },
    forge: { alter: 'signature', probability: 0.3 },
    ignoreFilters: 'tags',
    delayMs: [0, 20],
  },
};

describe('a relay that', () => {
  for (const [what, fault] of Object.entries(faults)) {
    it(`JOB-6 JOB-9 ${what}: every job ends once, with its own result`, async () => {
      const at = await relay({ faults: fault });
      const cut = vi.fn();
      at.on('disconnected', cut);
      const { pubkey } = await person(keys.provider);
      const ran = vi.fn();
      await provider(
        [at.url],
        (request) => {
          ran(request.id);
          return `answer to ${request.inputs[0]?.data}`;
        },
        { concurrency: 4 },
      );
      const asking = await client([at.url], { config: { ...quick, retryDelaysMs: [100, 200, 400, 800] } });
      const jobs = await Promise.all(
        Array.from({ length: 8 }, (_, number) =>
          asking.requestJob({ kind: 5000, provider: pubkey, inputs: [{ data: `${number}` }] }),
        ),
      );
      const results = await Promise.all(jobs.map((job) => job.result));
      expect(results.map(({ content }) => content)).toEqual(jobs.map((_, number) => `answer to ${number}`));
      expect(at.events({ kinds: [5000] })).toHaveLength(8);
      expect(at.events({ kinds: [6000] })).toHaveLength(8);
      expect(ran).toHaveBeenCalledTimes(8);
      if (what === 'cuts connections') expect(cut).toHaveBeenCalled();
      expect(asking.steps.filter(({ to }) => to === 'completed')).toHaveLength(8);
    });
  }

  it('JOB-8 is restarted in between: nothing is lost', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const release = Promise.withResolvers<string>();
    await provider([at.url], () => release.promise);
    const asking = await client([at.url]);
    const job = await asking.requestJob({ kind: 5000, provider: pubkey });
    await eventually(() => expect(job.state).toBe('processing'));
    await at.restart({ downMs: 100 });
    release.resolve('still here');
    expect(await job.result).toMatchObject({ content: 'still here' });
  });
});
