import { join } from 'node:path';
import { createKeySigner, type NostrEvent } from '@bonafide/nostr-transport';
import type { TestRelay } from '@bonafide/nostr-transport/testing';
import { describe, expect, it } from 'vitest';
import { buildJobRequest } from '../src/codec/index.ts';
import { child, directory } from './child.ts';
import { eventually, keys, person, provider, relay } from './world.ts';

/** Requests and results that the relay has, one each when nothing was done twice. */
const counts = (at: TestRelay) => [5000, 6000].map((kind) => at.events({ kinds: [kind] }).length);

describe('a client that is killed', () => {
  it('AGT-4 JOB-6 sends one request and loses no result, wherever it is killed', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const args = [at.url, join(directory(), 'jobs.db'), keys.customer, pubkey] as const;

    // As soon as the request is at the relay, before its OK is stored.
    const first = child('client', ...args);
    await at.waitFor(({ message }) => Array.isArray(message) && message[0] === 'EVENT', {
      timeoutMs: 240_000,
    });
    await first.kill();
    const [request] = at.events({ kinds: [5000] });

    // While the provider works on it.
    const release = Promise.withResolvers<string>();
    await provider([at.url], () => release.promise);
    const second = child('client', ...args);
    await second.line('processing');
    await second.kill();

    // The result comes while nobody listens.
    release.resolve('worth waiting for');
    await eventually(() => expect(counts(at)).toEqual([1, 1]));
    const third = child('client', ...args);
    const found = JSON.parse((await third.line('result')).slice('result '.length));
    expect(found).toEqual({ jobId: request?.id, content: 'worth waiting for', recovered: true });

    // Asked again, it remembers.
    const fourth = child('client', ...args);
    expect(JSON.parse((await fourth.line('result')).slice('result '.length))).toEqual(found);
    expect(counts(at)).toEqual([1, 1]);
  });

  it('AGT-4 sends what it had only signed', async () => {
    const at = await relay({ faults: { stall: 'messages' } });
    const { pubkey } = await person(keys.provider);
    const args = [at.url, join(directory(), 'jobs.db'), keys.customer, pubkey] as const;
    const first = child('client', ...args);
    await first.line('delivering');
    await first.kill();
    expect(counts(at)).toEqual([0, 0]);
    await at.faults.clear();
    await provider([at.url], () => 'done');
    const second = child('client', ...args);
    expect(await second.line('result')).toContain('done');
    expect(counts(at)).toEqual([1, 1]);
  });
});

describe('a provider that is killed', () => {
  const request = async (at: TestRelay, number: number, ageMs = 0): Promise<NostrEvent> => {
    const { pubkey } = await person(keys.provider);
    const template = buildJobRequest({
      kind: 5000,
      provider: pubkey,
      inputs: [{ data: `${number}` }],
      createdAt: Date.now() - ageMs,
    });
    const signed = await createKeySigner(keys.customer).signEvent(template);
    at.publish(signed);
    return signed;
  };
  const answers = (at: TestRelay, { id }: NostrEvent) => at.events({ kinds: [6000], '#e': [id] }).length;

  it('JOB-15 AGT-4 answers each request once, wherever it is killed', async () => {
    const at = await relay();
    const args = [at.url, join(directory(), 'provider.db'), keys.provider] as const;

    // At work on two.
    const first = child('provider', ...args, '60000');
    await first.line('started');
    const begun = [await request(at, 1), await request(at, 2)];
    for (const { id } of begun) await first.line(`begin ${id}`);
    await first.kill();

    // Asked while it is away.
    const missed = await request(at, 3);
    const second = child('provider', ...args, '0');
    // Killed as soon as an answer is stored, whether or not it got out.
    await second.line('answered');
    await second.kill();

    const third = child('provider', ...args, '0');
    const all = [...begun, missed];
    await eventually(() => expect(all.map((one) => answers(at, one))).toEqual([1, 1, 1]));
    await third.line('started');
    await third.kill();

    // Nothing is left to do, and a repetition of a request is not answered again.
    const fourth = child('provider', ...args, '0');
    await fourth.line('started');
    for (const one of all) at.publish(one);
    const last = await request(at, 4);
    await fourth.line(`published ${last.id}`);
    expect([...all, last].map((one) => answers(at, one))).toEqual([1, 1, 1, 1]);
    expect(fourth.lines.filter((line) => line.startsWith('begin'))).toEqual([`begin ${last.id}`]);
  });

  it('JOB-15 remembers what it answered even when its store is lost', async () => {
    const at = await relay();
    const first = child('provider', at.url, join(directory(), 'one.db'), keys.provider, '0');
    await first.line('started');
    const old = await request(at, 1, 10_000);
    await first.line(`published ${old.id}`);
    await first.kill();
    const second = child('provider', at.url, join(directory(), 'two.db'), keys.provider, '0');
    await second.line('started');
    const fresh = await request(at, 2);
    await second.line(`published ${fresh.id}`);
    expect([old, fresh].map((one) => answers(at, one))).toEqual([1, 1]);
    expect(second.lines.filter((line) => line.startsWith('begin'))).toEqual([`begin ${fresh.id}`]);
  });
});
