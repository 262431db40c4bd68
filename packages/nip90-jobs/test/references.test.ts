import { createHash } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type BlobStore, benchmarkParams, bindTask, createReferenceFetcher } from '../src/index.ts';
import { client, eventually, keys, person, provider, relay } from './world.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const addresses = { allowLoopback: true };

async function server(listener: RequestListener): Promise<string> {
  const started = createServer(listener);
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    started.closeAllConnections();
    started.close();
  });
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
}

/** A blob store on loopback, with all it was given. */
async function blobs(alter: (text: string) => string = (text) => text) {
  const stored = new Map<string, string>();
  const url = await server((request, response) => {
    const text = stored.get((request.url ?? '').slice(1));
    response.writeHead(text === undefined ? 404 : 200).end(text === undefined ? '' : alter(text));
  });
  const put = vi.fn<BlobStore['put']>(async (bytes, options) => {
    stored.set(options.sha256, Buffer.from(bytes).toString());
    return { url: `${url}/${options.sha256}` };
  });
  return { store: { put }, put, url, stored };
}

const signal = new AbortController().signal;

describe('a reference', () => {
  it('JOB-3 is fetched and checked against its hash', async () => {
    const { store, url } = await blobs();
    const { url: address } = await store.put(Buffer.from('hello'), {
      sha256: sha256('hello'),
      contentType: 'text/plain',
    });
    const fetchReference = createReferenceFetcher({ addresses });
    expect(Buffer.from(await fetchReference(address, { signal })).toString()).toBe('hello');
    await expect(fetchReference(address, { sha256: sha256('other'), signal })).rejects.toMatchObject({
      code: 'REFERENCE_INVALID',
    });
    await expect(fetchReference(`${url}/missing`, { signal })).rejects.toMatchObject({
      code: 'REFERENCE_UNAVAILABLE',
    });
  });

  it('JOB-3 JOB-16 is refused when it is larger than allowed, announced or not', async () => {
    const endless = await server((_, response) => {
      const write = () => {
        if (response.destroyed) return;
        response.write('x'.repeat(10_000));
        setTimeout(write, 1);
      };
      write();
    });
    const announced = await server((_, response) =>
      response.writeHead(200, { 'content-length': 1e12 }).write('x'),
    );
    for (const url of [endless, announced]) {
      await expect(
        createReferenceFetcher({ addresses, maxBytes: 100_000 })(url, { signal }),
      ).rejects.toMatchObject({ code: 'REFERENCE_TOO_LARGE' });
    }
  });

  it('JOB-3 JOB-16 is not asked for at an internal address, by name, number or redirect', async () => {
    const touched = vi.fn();
    const inside = await server((_, response) => {
      touched();
      response.end('secret');
    });
    const redirect = await server((_, response) => response.writeHead(302, { location: inside }).end());
    const strict = createReferenceFetcher({
      addresses: { resolve: async () => [{ address: '127.0.0.1', family: 4 }] },
    });
    const forbidden = [
      inside,
      inside.replace('http:', 'https:'),
      'https://169.254.169.254/latest/meta-data',
      'https://[::ffff:127.0.0.1]/',
      'https://10.0.0.1/',
      'https://localhost/',
      'https://intranet.local/',
      'https://user:password@blobs.example/',
      // A public name that resolves to this machine.
      'https://blobs.example/file',
      'http://blobs.example/file',
      'file:///etc/passwd',
      'ftp://blobs.example/',
      'gopher://x',
      '',
      'not an address',
    ];
    for (const url of forbidden) {
      await expect(strict(url, { signal }), url).rejects.toMatchObject({ code: 'REFERENCE_FORBIDDEN' });
    }
    await expect(createReferenceFetcher({ addresses })(redirect, { signal })).rejects.toMatchObject({
      code: 'REFERENCE_UNAVAILABLE',
    });
    expect(touched).not.toHaveBeenCalled();
  });

  it('JOB-3 X-8 is given up in time and when told to', async () => {
    const silent = await server(() => {});
    const fetchReference = createReferenceFetcher({ addresses, timeoutMs: 100 });
    await expect(fetchReference(silent, { signal })).rejects.toMatchObject({ code: 'REFERENCE_UNAVAILABLE' });
    const stop = new AbortController();
    const fetching = createReferenceFetcher({ addresses })(silent, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(fetching).rejects.toThrow('enough');
  });
});

describe('an input', () => {
  const large = ['a'.repeat(30_000), 'b'.repeat(200_000)];
  const echo = { references: { addresses } };

  it('JOB-3 that fits nowhere travels by reference, and only then', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    await provider(
      [at.url],
      async (request, { read }) => {
        const texts = await Promise.all(
          request.inputs.map(async (input) => Buffer.from(await read(input)).toString()),
        );
        return texts.map((text) => `${text[0]}${text.length}`).join(' ');
      },
      echo,
    );
    const { store, put } = await blobs();
    const asking = await client([at.url], { blobs: store });
    const inputs = [{ data: 'short' }, ...large.map((data) => ({ data, marker: 'test_data' }))];
    const job = await asking.requestJob({ kind: 5000, provider: pubkey, inputs }, { idempotencyKey: 'k' });
    expect(await job.result).toMatchObject({ content: 's5 a30000 b200000' });
    expect(put).toHaveBeenCalledTimes(2);
    expect(
      (await asking.requestJob({ kind: 5000, provider: pubkey, inputs }, { idempotencyKey: 'k' })).jobId,
    ).toBe(job.jobId);
    put.mockClear();
    const one = await asking.requestJob({ kind: 5000, provider: pubkey, inputs: [{ data: large[0] ?? '' }] });
    expect(await one.result).toMatchObject({ content: 'a30000' });
    expect(put).not.toHaveBeenCalled();

    const wrong = { put: async () => ({ url: 'https://blobs.example/nothing' }) };
    const careless = await client([at.url], { blobs: wrong });
    await expect(careless.requestJob({ kind: 5000, provider: pubkey, inputs })).rejects.toMatchObject({
      code: 'REFERENCE_INVALID',
    });
  });

  it('JOB-3 JOB-4 of an encrypted job is a ciphertext there, and its reader reads it', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    await provider(
      [at.url],
      async (request, { read }) => {
        const texts = await Promise.all(
          request.inputs.map(async (input) => Buffer.from(await read(input)).toString()),
        );
        return texts.map((text) => `${text[0]}${text.length}`).join(' ');
      },
      echo,
    );
    const { store, put, stored } = await blobs();
    const { url: open } = await store.put(Buffer.from('in the clear'), {
      sha256: sha256('in the clear'),
      contentType: '',
    });
    put.mockClear();
    const asking = await client([at.url], { blobs: store });
    const inputs = [
      { data: 'short' },
      ...large.map((data) => ({ data })),
      { data: open, type: 'url' as const },
    ];
    const spec = { kind: 5000, provider: pubkey, inputs, encrypted: true };
    const job = await asking.requestJob(spec, { idempotencyKey: 'k' });
    expect(await job.result).toMatchObject({ content: 's5 a30000 b200000 i12' });
    expect(put).toHaveBeenCalledTimes(2);
    const ciphertexts = [...stored.values()].filter((text) => text !== 'in the clear');
    for (const text of ciphertexts) expect(text).toMatch(/^A[g-v][A-Za-z0-9+/]+=*$/);
    expect(at.received.some(({ text }) => text.includes(open))).toBe(false);

    // Another ciphertext would be another job: asked for again, nothing is encrypted anew.
    expect((await asking.requestJob(spec, { idempotencyKey: 'k' })).jobId).toBe(job.jobId);
    const other = { ...spec, inputs: [{ data: 'c'.repeat(90_000) }] };
    await expect(asking.requestJob(other, { idempotencyKey: 'k' })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    });
    expect(put).toHaveBeenCalledTimes(2);
    put.mockClear();
    const small = { ...spec, inputs: [{ data: large[0] ?? '' }] };
    expect(await (await asking.requestJob(small)).result).toMatchObject({ content: 'a30000' });
    expect(put).not.toHaveBeenCalled();
  });

  it('JOB-3 JOB-16 that is not what its hash says, or points inside, fails the job and tells why', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const read = vi.fn();
    await provider(
      [at.url],
      async (request, context) => {
        for (const input of request.inputs) read(await context.read(input));
        return 'never';
      },
      echo,
    );
    const { store } = await blobs((text) => `${text}!`);
    const asking = await client([at.url], { blobs: store });
    const inputs = large.map((data) => ({ data }));
    const altered = await asking.requestJob({ kind: 5000, provider: pubkey, inputs });
    await expect(altered.result).rejects.toMatchObject({
      code: 'JOB_FAILED',
      message: expect.stringMatching(/its hash says/),
    });
    const metadata = [{ data: 'https://169.254.169.254/', type: 'url' as const }];
    const inside = await asking.requestJob({ kind: 5000, provider: pubkey, inputs: metadata });
    await expect(inside.result).rejects.toMatchObject({
      code: 'JOB_FAILED',
      message: expect.stringMatching(/not permitted/),
    });
    expect(read).not.toHaveBeenCalled();
  });

  it('JOB-3 may be a file that an event describes (NIP-94), or an event', async () => {
    const at = await relay();
    const { signer, pubkey } = await person(keys.provider);
    const { store } = await blobs();
    const { url } = await store.put(Buffer.from('of the file'), {
      sha256: sha256('of the file'),
      contentType: '',
    });
    const file = await signer.signEvent({
      kind: 1063,
      created_at: 1,
      content: '',
      tags: [
        ['url', url],
        ['x', sha256('of the file')],
      ],
    });
    const note = await signer.signEvent({ kind: 1, created_at: 1, content: 'a note', tags: [] });
    for (const event of [file, note]) at.publish(event);
    await provider(
      [at.url],
      async (request, { read }) => {
        const texts = await Promise.all(
          request.inputs.map(async (input) => Buffer.from(await read(input)).toString()),
        );
        return texts.join('|');
      },
      echo,
    );
    const asking = await client([at.url]);
    const inputs = [file, note].map(({ id }) => ({ data: id, type: 'event' as const, relay: at.url }));
    const job = await asking.requestJob({ kind: 5000, provider: pubkey, inputs });
    const [first, second] = (await job.result).content.split('|');
    expect(first).toBe('of the file');
    expect(JSON.parse(second ?? '')).toEqual(note);
    const missing = [{ data: sha256('nobody'), type: 'event' as const }];
    const lost = await asking.requestJob({ kind: 5000, provider: pubkey, inputs: missing });
    await expect(lost.result).rejects.toMatchObject({ message: expect.stringMatching(/no relay has/) });
  });

  it('JOB-5 may be the result of an earlier job, by whom it was asked of and nobody else', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const rival = await person(keys.rival);
    await provider([at.url], async (request, { read }) => {
      const [input] = request.inputs;
      return `<${input ? Buffer.from(await read(input)).toString() : ''}>`;
    });
    const asking = await client([at.url]);
    const first = await asking.requestJob({ kind: 5000, provider: pubkey, inputs: [{ data: 'one' }] });
    await first.result;
    const forged = (await first.result).event;
    at.publish(
      await rival.signer.signEvent({ ...forged, created_at: forged.created_at - 10, content: 'forged' }),
    );
    const second = await asking.requestJob({
      kind: 5000,
      provider: pubkey,
      inputs: [{ data: first.jobId, type: 'job', relay: at.url }],
    });
    expect(await second.result).toMatchObject({ content: '<<one>>' });
  });
});

describe('a task', () => {
  it('JOB-2b is written as a job', () => {
    expect(
      bindTask({
        kind: 5050,
        provider: 'f'.repeat(64),
        payload: { question: 'why' },
        quality: { style: 'brief', 'min-length': 20 },
        deadline: { withinMs: 90_500 },
        budget: { amount: 3, msatPerUnit: 1_000 },
        isPrivate: true,
        output: 'json',
      }),
    ).toEqual({
      kind: 5050,
      provider: 'f'.repeat(64),
      inputs: [{ data: '{"question":"why"}', type: 'json' }],
      params: { style: 'brief', 'min-length': 20, 'time-limit': 91 },
      bidMsat: 2_700,
      encrypted: true,
      output: 'json',
    });
    expect(bindTask({ kind: 5050, payload: 'text', deadline: { at: 1_700_000_000_999 } })).toEqual({
      kind: 5050,
      provider: null,
      inputs: [{ data: 'text' }],
      params: { deadline: 1_700_000_000 },
    });
    expect(() => bindTask({ kind: 5050, payload: 'x', budget: { amount: -1, msatPerUnit: 1 } })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
  });

  it('JOB-2 of a benchmark has the parameters that it always has', () => {
    expect(benchmarkParams({ language: 'python' })).toEqual({
      'benchmark-type': 'standard',
      'time-limit': 300,
      'memory-limit': 512,
      iterations: 5,
      language: 'python',
    });
  });
});

describe('a customer that asks too often', () => {
  it('JOB-15 is not answered beyond its share, and others are', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const hired = await provider([at.url], () => 'done', { config: { rateLimit: 3, ratePerMs: 60_000 } });
    const greedy = await client([at.url]);
    const modest = await client([at.url], { signer: (await person(keys.rival)).signer });
    for (let number = 0; number < 6; number += 1)
      await greedy.requestJob({ kind: 5000, provider: pubkey, inputs: [{ data: `${number}` }] });
    await eventually(() => expect(hired.unanswered()['rate-limited']).toBeGreaterThanOrEqual(3));
    const job = await modest.requestJob({ kind: 5000, provider: pubkey });
    expect(await job.result).toMatchObject({ content: 'done' });
    expect((await greedy.list({ state: 'completed' })).items).toHaveLength(3);
  });
});
