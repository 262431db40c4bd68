// A second in which more requests came than a relay sends at once, while the provider was not connected.
import type { NostrEvent } from '@bonafide/nostr-transport';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startNip77Relay } from '../../nostr-transport/test/support/nip77-relay.ts';
import { buildJobRequest } from '../src/codec/index.ts';
import { eventually, keys, person, provider, relay } from './world.ts';

const flood = 1_000;
const config = {
  ...{
    rateLimit: 10_000,
    queueLimit: 2_000,
    publishTimeoutMs: 240_000,
    publishRetryDelaysMs: [20, 50, 500, 5_000, 20_000],
  },
};

/** Requests of one second, a minute ago; of strangers and, the last one, of an honest customer. */
async function requests(kinds: readonly number[] = [5000]) {
  const { pubkey } = await person(keys.provider);
  const createdAt = Date.now() - 60_000;
  const build = async (secret: string, data: string, kind: number): Promise<NostrEvent> => {
    const { signer } = await person(secret);
    return signer.signEvent(buildJobRequest({ kind, provider: pubkey, inputs: [{ data }], createdAt }));
  };
  const strangers = await Promise.all(
    Array.from({ length: flood - 1 }, (_, n) =>
      build((5_000 + n).toString(16).padStart(64, '0'), `${n}`, kinds[0] ?? 5000),
    ),
  );
  const honest = await build(keys.customer, 'honest', kinds.at(-1) ?? 5000);
  return { all: [...strangers, honest], honest };
}

async function comparing(...args: Parameters<typeof startNip77Relay>) {
  const started = await startNip77Relay(...args);
  onTestFinished(() => started.close());
  return started;
}

describe('requests of a crowded second', () => {
  it('are all read, and the honest one is answered (JOB-15, NET-5, NET-8)', async () => {
    const { all, honest } = await requests();
    const at = await comparing(all);
    const seen = new Set<string>();
    await provider([at.url], ({ id }) => seen.add(id) && 'done', { config, concurrency: 64 });
    await eventually(() => expect(seen.size).toBe(flood));
    await eventually(() =>
      expect(
        at.events.some(({ kind, tags }) => kind === 6000 && tags.some((tag) => tag[1] === honest.id)),
      ).toBe(true),
    );
  });

  it('that a relay lists and does not send cost that relay only (NET-6, NET-8)', async () => {
    const { all, honest } = await requests();
    const lying = await comparing(all, { withheld: new Set(all.slice(500).map(({ id }) => id)) });
    const other = await relay();
    other.publish(honest);
    const seen = new Set<string>();
    const cuts: unknown[] = [];
    const created = await provider([lying.url, other.url], ({ id }) => seen.add(id) && 'done', {
      config,
      concurrency: 64,
    });
    created.on('cut', (cut) => cuts.push(cut));
    await eventually(() => expect(seen).toContain(honest.id));
    await eventually(() => expect(cuts).toHaveLength(1));
    expect(cuts).toEqual([{ relay: lying.url, seconds: [honest.created_at] }]);
    await eventually(() => expect(seen.size).toBe(501));
  });

  it('are read by kind where a relay does not compare (NET-5)', async () => {
    const { all, honest } = await requests([5000, 5001]);
    const at = await comparing(all, { supportedNips: [1] });
    const seen = new Set<string>();
    await provider([at.url], ({ id }) => seen.add(id) && 'done', {
      ...{ config, kinds: [5000, 5001], concurrency: 64 },
    });
    await eventually(() => expect(seen).toContain(honest.id));
  });

  it('that cannot be read are counted and reported (NET-6)', async () => {
    const { all, honest } = await requests();
    const at = await comparing(all, { supportedNips: [1] });
    const cuts: unknown[] = [];
    const created = await provider([at.url], () => 'done', { config, concurrency: 64 });
    created.on('cut', (cut) => cuts.push(cut));
    await eventually(() => expect(cuts).toEqual([{ relay: at.url, seconds: [honest.created_at] }]));
  });
});
