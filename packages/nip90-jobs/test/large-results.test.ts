import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { finalizeEvent } from 'nostr-tools/pure';
import { describe, expect, it } from 'vitest';
import { buildJobResult, type ContentReference, parseJobResult } from '../src/codec/index.ts';
import {
  createBlossomStore,
  createMemoryJobStore,
  createReferenceFetcher,
  type JobClientOptions,
  type JobFeedback,
} from '../src/index.ts';
import { sampleEvent } from '../src/testing/samples.ts';
import { type BlossomFaults, blossomServer } from './blossom-server.ts';
import { client, eventually, keys, manualTime, passTime, person, provider, quick, relay } from './world.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const references = { addresses: { allowLoopback: true } };
const long = 'so much to say – '.repeat(10_000);
const spec = { kind: 5000, inputs: [{ data: 'x' }] };

/** A relay, a Blossom server, and a provider whose results are long. */
async function world(faults: BlossomFaults = {}, says = long) {
  const at = await relay();
  const blossom = await blossomServer(faults);
  const { signer, pubkey } = await person(keys.provider);
  const blobs = createBlossomStore({ servers: [blossom.url], signer });
  await provider([at.url], () => says, {
    blobs,
    broadcast: true,
    config: { publishRetryDelaysMs: [20, 20], publishTimeoutMs: 240_000 },
  });
  const ask = async (options: Partial<JobClientOptions> = {}) => {
    const asking = await client([at.url], { references, ...options });
    return { asking, job: await asking.requestJob({ ...spec, provider: pubkey }) };
  };
  return { at, blossom, pubkey, ask };
}

describe('a reference on the wire', () => {
  const reference: ContentReference = {
    url: `https://blobs.example/${'a'.repeat(64)}.txt`,
    sha256: 'a'.repeat(64),
    size: 170_000,
    mime: 'text/plain;charset=utf-8',
  };
  const request = sampleEvent(1);

  it('JOB-3 JOB-18 says where, how long, of what kind and with which hash, as NIP-92 does', () => {
    const template = buildJobResult({ request, content: '', reference, createdAt: 0 });
    expect(template.content).toBe(reference.url);
    expect(template.tags).toContainEqual([
      'imeta',
      `url ${reference.url}`,
      'm text/plain;charset=utf-8',
      `x ${'a'.repeat(64)}`,
      'size 170000',
    ]);
    const read = parseJobResult({ ...sampleEvent(2, { kind: 6000 }), ...template });
    expect(read).toMatchObject({ ok: true, result: { reference, content: reference.url } });
  });

  it('JOB-3 is one only with hash, size and text, for the address that is the whole content', () => {
    const template = buildJobResult({ request, content: '', reference, createdAt: 0 });
    const changed = (from: string, to: string) =>
      template.tags.map((tag) => tag.map((value) => value.replace(from, to)));
    const others = [
      { tags: template.tags, content: `See ${reference.url}` },
      { tags: template.tags, content: 'https://blobs.example/other' },
      // A picture's address is what was asked for.
      { tags: changed('m text/plain;charset=utf-8', 'm image/png'), content: reference.url },
      { tags: changed('size 170000', 'size lots'), content: reference.url },
      { tags: changed(`x ${'a'.repeat(64)}`, 'x abc'), content: reference.url },
      { tags: [], content: reference.url },
    ];
    for (const other of others) {
      const read = parseJobResult({ ...sampleEvent(2, { kind: 6000 }), ...other });
      expect(read).toMatchObject({ ok: true, result: { reference: null, content: other.content } });
    }
  });

  it('JOB-16 of any form is read or not, and never throws', () => {
    const words = fc.array(
      fc.oneof(fc.string(), fc.constantFrom('imeta', 'url u', 'x y', 'size 9', 'm text/a')),
    );
    fc.assert(
      fc.property(fc.array(words), fc.constantFrom('u', '', 'https://a.example'), (tags, content) => {
        expect(parseJobResult({ ...sampleEvent(2, { kind: 6000 }), tags, content })).toMatchObject({
          ok: true,
        });
      }),
    );
  });
});

describe('a result that fits into no event', () => {
  it('JOB-3 JOB-15 travels by a Blossom server, whole', async () => {
    const { at, blossom, pubkey, ask } = await world();
    const { job } = await ask();
    const result = await job.result;
    expect(result).toMatchObject({ content: long, status: 'success', provider: pubkey });
    expect(blossom.log).toEqual(['PUT /upload 201', `GET /${sha256(long)}.txt 200`]);
    expect(blossom.blobs.get(sha256(long))).toMatchObject({
      owner: pubkey,
      type: 'text/plain;charset=utf-8',
    });
    const [event] = at.events({ kinds: [6000] });
    expect(event?.content).toBe(`${blossom.url}/${sha256(long)}.txt`);
    expect(result.event.id).toBe(event?.id);
  });

  it('JOB-3 fits when it fits: nothing is uploaded', async () => {
    const { blossom, ask } = await world({}, 'short');
    expect(await (await ask()).job.result).toMatchObject({ content: 'short' });
    expect(blossom.log).toEqual([]);
  });

  it('JOB-4 is a ciphertext there as it would be here', async () => {
    const { at, blossom, pubkey } = await world();
    const asking = await client([at.url], { references });
    const job = await asking.requestJob({ ...spec, provider: pubkey, encrypted: true });
    expect(await job.result).toMatchObject({ content: long });
    const [blob] = blossom.blobs.values();
    expect(blob?.bytes.toString()).toMatch(/^A[A-Za-z0-9+/]+=*$/);
    expect(blob?.bytes.includes('so much to say')).toBe(false);
  });

  it.each([false, true])('JOB-10 JOB-3 may be a part of one, encrypted: %s', async (encrypted) => {
    const at = await relay();
    const blossom = await blossomServer();
    const { signer, pubkey } = await person(keys.provider);
    const blobs = createBlossomStore({ servers: [blossom.url], signer });
    await provider([at.url], (_, { partial }) => partial(long, 'half').then(() => 'done'), { blobs });
    const store = createMemoryJobStore();
    const asking = await client([at.url], { store });
    const job = await asking.requestJob({ ...spec, provider: pubkey, encrypted });
    await job.result;
    const customer = (await person(keys.customer)).signer;
    const partOf = async (feedback: AsyncIterable<JobFeedback>) => {
      for await (const { status, content, reference, info } of feedback) {
        if (status !== 'partial') continue;
        expect({ content, info }).toEqual({ content: reference?.url, info: encrypted ? '' : 'half' });
        const fetchReference = createReferenceFetcher(references);
        const { url = '', ...announced } = reference ?? {};
        const bytes = await fetchReference(url, { ...announced, signal: new AbortController().signal });
        const text = new TextDecoder().decode(bytes);
        return encrypted ? customer.nip44Decrypt(pubkey, text) : text;
      }
      return null;
    };
    expect(await partOf(job.feedback)).toBe(long);
    await asking.close();
    const again = await (await client([at.url], { store })).get(job.jobId);
    expect(again && (await partOf(again.feedback))).toBe(long);
  });

  it('AGT-4 JOB-6 is kept with the job: later nobody is asked for it', async () => {
    const { at, blossom, ask } = await world();
    const store = createMemoryJobStore();
    const { job, asking } = await ask({ store });
    await job.result;
    await asking.close();
    blossom.blobs.clear();
    const again = await client([at.url], { store });
    expect(await (await again.get(job.jobId))?.result).toMatchObject({ content: long });
  });

  it('AGT-4 JOB-9 is fetched by the client that goes on, when the first one was closed meanwhile', async () => {
    const { at, blossom, pubkey } = await world({ get: 'stall' });
    const store = createMemoryJobStore();
    const first = await client([at.url], { store, references });
    const job = await first.requestJob({ ...spec, provider: pubkey });
    await eventually(() => expect(blossom.log).toContain('stalled'));
    await first.close();
    // It was announced, so that its provider is not blamed for silence.
    expect(await store.get(job.jobId)).toMatchObject({ state: 'processing', endedAt: null });
    blossom.faults = {};
    const second = await client([at.url], { store, references });
    const resumed = await second.get(job.jobId);
    expect(await resumed?.result).toMatchObject({ content: long, recovered: true });
  });

  it('JOB-8 is asked for again when it is not there yet', async () => {
    const { blossom, ask } = await world({ get: 'missing' });
    const { job } = await ask();
    await eventually(() => expect(blossom.log.at(-1)).toMatch(/^GET .* 404$/));
    blossom.faults = {};
    expect(await job.result).toMatchObject({ content: long });
  });

  it('JOB-3 goes to the next server when one takes nothing', async () => {
    const { signer } = await person(keys.provider);
    const full = await blossomServer({ refuse: 507 });
    const good = await blossomServer();
    const store = createBlossomStore({ servers: [full.url, good.url], signer });
    const bytes = Buffer.from('text');
    const asked = { sha256: sha256('text'), contentType: 'text/plain' };
    const { url } = await store.put(bytes, asked);
    expect(url).toBe(`${good.url}/${sha256('text')}.txt`);
    // The same bytes are at the same address.
    expect(await store.put(bytes, asked)).toEqual({ url });
    good.faults = { refuse: 413 };
    await expect(store.put(bytes, asked)).rejects.toMatchObject({
      code: 'REFERENCE_UNAVAILABLE',
      message: expect.stringMatching(/507 No room.*413 No room/),
    });
  });

  it('JOB-3 is at its hash, wherever a server says that it is', async () => {
    const { signer } = await person(keys.provider);
    const odd = await blossomServer({ urlOf: () => 'https://elsewhere.example/latest' });
    const store = createBlossomStore({ servers: [odd.url], signer });
    const asked = { sha256: sha256('text'), contentType: 'text/plain' };
    expect(await store.put(Buffer.from('text'), asked)).toEqual({ url: `${odd.url}/${sha256('text')}` });
    for (const servers of [[], ['nowhere'], ['ftp://blobs.example']])
      expect(() => createBlossomStore({ servers, signer })).toThrow(
        expect.objectContaining({ code: 'INVALID_CONFIG' }),
      );
  });

  it('JOB-15 is told of as an error when no server takes it, after some tries', async () => {
    const { blossom, ask } = await world({ refuse: 500 });
    const { job } = await ask();
    await expect(job.result).rejects.toMatchObject({
      code: 'JOB_FAILED',
      message: expect.stringMatching(/stored elsewhere/),
    });
    expect(blossom.log).toEqual(Array(3).fill('PUT /upload 500'));
  });

  it.each([
    ['another text', { alter: () => Buffer.from('x'.repeat(long.length)) }, /its hash says/],
    ['a longer one', { alter: (bytes: Buffer) => Buffer.concat([bytes, bytes]) }, /larger than/],
    ['a shorter one', { alter: (bytes: Buffer) => bytes.subarray(1) }, /its hash says/],
  ])('JOB-3 JOB-16 that turns out to be %s fails the job', async (_, faults, message) => {
    const { ask } = await world(faults);
    await expect((await ask()).job.result).rejects.toMatchObject({
      code: 'JOB_FAILED',
      message: expect.stringMatching(message),
    });
  });

  it('JOB-16 is not fetched from inside, nor when it is larger than allowed', async () => {
    const { blossom, ask } = await world();
    const strict = (await ask({ references: {} })).job;
    await expect(strict.result).rejects.toMatchObject({
      code: 'JOB_FAILED',
      message: expect.stringMatching(/not permitted/),
    });
    const modest = (await ask({ references: { ...references, maxBytes: 100_000 } })).job;
    await expect(modest.result).rejects.toMatchObject({
      code: 'JOB_FAILED',
      message: expect.stringMatching(/larger than 100000/),
    });
    expect(blossom.log.filter((line) => line.startsWith('GET'))).toEqual([]);
  });

  it('JOB-16 of one of many that cannot be had ends nothing: another one may answer', async () => {
    const at = await relay();
    const asking = await client([at.url], { references });
    const ignored: string[] = [];
    asking.on('ignored', ({ reason }) => ignored.push(reason));
    const job = await asking.requestJob(spec);
    await eventually(() => expect(at.events({ kinds: [5000] })).toHaveLength(1));
    const answer = (secret: string, said: { content: string; reference?: ContentReference }) => {
      const template = buildJobResult({ request: job.job.request, createdAt: Date.now(), ...said });
      const tags = template.tags.map((tag) => [...tag]);
      at.publish(finalizeEvent({ ...template, tags }, Uint8Array.from(Buffer.from(secret, 'hex'))));
    };
    const url = `https://10.0.0.1/${'a'.repeat(64)}`;
    answer(keys.rival, {
      content: '',
      reference: { url, sha256: 'a'.repeat(64), size: 9, mime: 'text/plain' },
    });
    await eventually(() => expect(ignored).toEqual(['unavailable']));
    answer(keys.provider, { content: 'here' });
    expect(await job.result).toMatchObject({ content: 'here' });
  });

  it('JOB-16 of many that are given out drop by drop keeps no job open', async () => {
    const at = await relay();
    const stalling = await blossomServer({ get: 'stall' });
    const { signer } = await person(keys.rival);
    const time = manualTime();
    const asking = await client([at.url], {
      ...{ references, clock: time.clock, timers: time.timers },
      config: { ...quick, processingTimeoutMs: 10_000, resultTimeoutMs: 300 },
    });
    const job = await asking.requestJob(spec);
    await eventually(() => expect(at.events({ kinds: [5000] })).toHaveLength(1));
    const store = createBlossomStore({ servers: [stalling.url], signer });
    for (const text of ['a', 'b', 'c', 'd', 'e']) {
      const asked = { sha256: sha256(text), contentType: 'text/plain' };
      const { url } = await store.put(Buffer.from(text), asked);
      const reference = { url, sha256: asked.sha256, size: 1, mime: 'text/plain' };
      const { request } = job.job;
      at.publish(
        await signer.signEvent(buildJobResult({ request, content: '', reference, createdAt: Date.now() })),
      );
    }
    await passTime(time, 100, () => expect(job.job.endedAt).not.toBeNull());
    await expect(job.result).rejects.toMatchObject({ code: 'JOB_TIMED_OUT' });
    expect(stalling.log.filter((line) => line === 'stalled').length).toBeLessThanOrEqual(5);
  });

  it('is fetched although the files of many strangers never come, for open and addressed jobs (JOB-16, JOB-22)', async () => {
    const { at, blossom, pubkey } = await world();
    const stalling = await blossomServer({ get: 'stall' });
    const asking = await client([at.url], { references });
    // The provider of `world` answers an addressed job; an open one gets the results of strangers first.
    const job = await asking.requestJob({ ...spec, kind: 5001 });
    await eventually(() => expect(at.events({ kinds: [5001] })).toHaveLength(1));
    const answer = async (secret: string, server: string, text: string) => {
      const { signer } = await person(secret);
      const asked = { sha256: sha256(text), contentType: 'text/plain' };
      const { url } = await createBlossomStore({ servers: [server], signer }).put(Buffer.from(text), asked);
      const reference = { url, sha256: asked.sha256, size: Buffer.byteLength(text), mime: 'text/plain' };
      const { request } = job.job;
      const template = buildJobResult({ request, content: '', reference, createdAt: Date.now() });
      at.publish(await signer.signEvent(template));
    };
    for (let stranger = 0; stranger < 12; stranger += 1)
      await answer((stranger + 1_000).toString(16).padStart(64, '0'), stalling.url, `text ${stranger}`);
    // A stalled request that ends is made again.
    const stalled = () => stalling.log.filter((line) => line === 'stalled').length;
    await eventually(() => expect(stalled()).toBeGreaterThanOrEqual(8));
    const addressed = await asking.requestJob({ ...spec, provider: pubkey });
    expect((await addressed.result).content).toBe(long);
    expect(job.state).not.toBe('completed');
    await answer(keys.rival, blossom.url, 'honest');
    expect((await job.result).content).toBe('honest');
    expect(asking.ignored().flood).toBe(0);
  });

  it('JOB-5 can be the input of the next job', async () => {
    const { at, pubkey, ask } = await world();
    const { job, asking } = await ask();
    await job.result;
    const reader = await person(keys.rival);
    await provider(
      [at.url],
      async (request, { read }) => {
        const [input] = request.inputs;
        return `${input ? (await read(input)).length : 0} bytes by ${pubkey.slice(0, 4)}`;
      },
      { signer: reader.signer, references },
    );
    const next = await asking.requestJob({
      kind: 5000,
      provider: reader.pubkey,
      inputs: [{ data: job.jobId, type: 'job', relay: at.url }],
    });
    expect(await next.result).toMatchObject({
      content: `${Buffer.from(long).length} bytes by ${pubkey.slice(0, 4)}`,
    });
  });
});
