import { createKeySigner } from '@bonafide/nostr-transport';
import fc from 'fast-check';
import * as nip04 from 'nostr-tools/nip04';
import { describe, expect, it, vi } from 'vitest';
import {
  buildEncryptedJobRequest,
  buildFeedback,
  buildJobResult,
  decryptJobRequest,
  parseJobRequest,
} from '../src/codec/index.ts';
import { createMemoryJobStore, createMemoryPaymentStore, type JobRequest } from '../src/index.ts';
import { invoice, secretOf } from './invoice.ts';
import { client, eventually, keys, person, provider, relay } from './world.ts';

const createdAt = 1_700_000_000_000;
const secretKey = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

describe('an encrypted request', () => {
  it('JOB-4 JOB-2 hides inputs and parameters, of any length, and nothing else', async () => {
    const { pubkey } = await person(keys.provider);
    const spec = {
      kind: 5000,
      provider: pubkey,
      inputs: [{ data: 'a'.repeat(5_000) }, { data: 'b'.repeat(5_000), marker: 'test_data' }],
      params: { language: 'python' },
      output: 'json',
      bidMsat: 7,
      relays: ['wss://r.example'],
      topics: ['t'],
      createdAt,
    };
    const secret = buildEncryptedJobRequest(spec);
    expect(JSON.parse(secret.plaintext)).toEqual([
      ['i', 'a'.repeat(5_000), 'text'],
      ['i', 'b'.repeat(5_000), 'text', '', 'test_data'],
      ['param', 'language', 'python'],
    ]);
    const template = secret.seal('CIPHER');
    expect(template).toEqual({
      kind: 5000,
      created_at: createdAt / 1000,
      content: 'CIPHER',
      tags: [
        ['p', pubkey],
        ['output', 'application/json'],
        ['bid', '7'],
        ['relays', 'wss://r.example'],
        ['t', 't'],
        ['encrypted'],
      ],
    });
  });

  it('JOB-4 needs somebody to encrypt for, and its content', async () => {
    const { pubkey } = await person(keys.provider);
    const attempt = (spec: object) => () => buildEncryptedJobRequest({ kind: 5000, createdAt, ...spec });
    expect(attempt({})).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    expect(attempt({ provider: pubkey, content: 'x' })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
    expect(() =>
      buildEncryptedJobRequest({ kind: 5000, createdAt, provider: pubkey }).seal('x'.repeat(65_536)),
    ).toThrow(expect.objectContaining({ code: 'REQUEST_TOO_LARGE' }));
  });

  it('JOB-4 JOB-16 is opened whatever its plaintext is, or not at all', async () => {
    const { signer } = await person(keys.customer);
    const { pubkey } = await person(keys.provider);
    const event = await signer.signEvent(
      buildEncryptedJobRequest({ kind: 5000, createdAt, provider: pubkey }).seal('AgCIPHER'),
    );
    const parsed = parseJobRequest(event);
    if (!parsed.ok) throw new Error(parsed.message);
    // NDK hides output, relays and bid as well.
    const opened = decryptJobRequest(
      parsed.request,
      '[["i","x","text"],["bid","5"],["relays","wss://r.example"]]',
    );
    expect(opened).toMatchObject({
      inputs: [{ data: 'x' }],
      bidMsat: 5,
      relays: ['wss://r.example'],
      content: '',
    });
    expect(opened?.event).toEqual(event);
    for (const text of ['', '{}', '[1]', '[["i",1]]', 'null', '"x"'])
      expect(decryptJobRequest(parsed.request, text)).toBeNull();
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        decryptJobRequest(parsed.request, text);
      }),
    );
  });
});

describe('an encrypted job', () => {
  const secretSpec = (pubkey: string) => ({
    kind: 5000,
    provider: pubkey,
    inputs: [{ data: 'the secret question' }],
    params: { tone: 'the secret tone' },
    encrypted: true,
  });

  it('JOB-4 shows a relay neither question, parameters, progress nor answer', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const heard = vi.fn<(request: JobRequest) => void>();
    await provider([at.url], async (request, { partial, progress }) => {
      heard(request);
      await progress('a secret hint');
      await partial('a secret half');
      return 'the secret answer';
    });
    const store = createMemoryJobStore();
    const asking = await client([at.url], { store });
    const job = await asking.requestJob(secretSpec(pubkey), { idempotencyKey: 'k' });
    expect(await job.result).toMatchObject({ content: 'the secret answer', provider: pubkey });
    expect(heard.mock.calls[0]?.[0]).toMatchObject({
      inputs: [{ data: 'the secret question' }],
      params: { tone: ['the secret tone'] },
    });
    const said: string[] = [];
    for await (const { status, content } of job.feedback) said.push(`${status} ${content}`.trim());
    expect(said.toSorted()).toEqual(['partial a secret half', 'processing', 'processing a secret hint']);
    expect(JSON.stringify(at.events({}))).not.toMatch(/secret (question|tone|hint|half|answer)/);
    expect(at.received.map(({ text }) => text).join()).not.toMatch(/secret (question|tone|hint|half|answer)/);

    // Asked again it is the same job, although its ciphertext would be another one; a restart can still read it.
    expect((await asking.requestJob(secretSpec(pubkey), { idempotencyKey: 'k' })).jobId).toBe(job.jobId);
    await asking.close();
    const later = await client([at.url], { store });
    const again = await later.get(job.jobId);
    expect(await again?.result).toMatchObject({ content: 'the secret answer' });
    const remembered: string[] = [];
    for await (const { content } of again?.feedback ?? []) remembered.push(content);
    expect(remembered).toContain('a secret half');
  });

  it('JOB-4 hides the reason of a refusal and of a failure', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    await provider([at.url], () => 'never', { admit: () => 'your secret is unacceptable' });
    const asking = await client([at.url]);
    const job = await asking.requestJob(secretSpec(pubkey));
    await expect(job.result).rejects.toMatchObject({
      code: 'JOB_FAILED',
      message: expect.stringMatching(/secret is unacceptable/),
    });
    expect(JSON.stringify(at.events({ kinds: [7000] }))).not.toContain('unacceptable');
  });

  it('JOB-4 takes no answer in the clear, unless that is allowed', async () => {
    const at = await relay();
    const { signer, pubkey } = await person(keys.provider);
    const ignored = vi.fn();
    const asking = await client([at.url]);
    asking.on('ignored', ({ reason }) => ignored(reason));
    const job = await asking.requestJob(secretSpec(pubkey));
    const request = job.job.request;
    const loud = buildJobResult({ request, content: 'for all to read', createdAt: Date.now() });
    at.publish(await signer.signEvent(loud));
    const part = buildFeedback({ request, status: 'partial', content: 'for all', createdAt: Date.now() });
    at.publish(await signer.signEvent(part));
    const garbled = buildJobResult({ request, content: 'AgAAAA', encrypted: true, createdAt: Date.now() });
    at.publish(await signer.signEvent(garbled));
    await eventually(() =>
      expect(ignored.mock.calls.flat().toSorted()).toEqual(['plaintext', 'plaintext', 'undecryptable']),
    );
    expect(job.job.feedbackCount).toBe(0);
    const sealed = await signer.nip44Encrypt(request.pubkey, 'for you');
    at.publish(
      await signer.signEvent(
        buildJobResult({ request, content: sealed, encrypted: true, createdAt: Date.now() }),
      ),
    );
    expect(await job.result).toMatchObject({ content: 'for you' });

    const lenient = await client([at.url], { config: { allowPlaintext: true } });
    const second = await lenient.requestJob({ ...secretSpec(pubkey), params: { n: '2' } });
    const open = buildJobResult({ request: second.job.request, content: 'for all', createdAt: Date.now() });
    at.publish(await signer.signEvent(open));
    expect(await second.result).toMatchObject({ content: 'for all' });
  });

  it('JOB-4 is read when it was encrypted in the old way, and answered in the new one', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const { signer, pubkey: customer } = await person(keys.customer);
    const nip04Decrypt = async (sender: string, text: string) =>
      nip04.decrypt(secretKey(keys.provider), sender, text);
    await provider([at.url], (request) => `read ${request.inputs[0]?.data}`, { nip04Decrypt });
    const secret = buildEncryptedJobRequest({
      kind: 5000,
      provider: pubkey,
      inputs: [{ data: 'old' }],
      createdAt: Date.now(),
    });
    const request = await signer.signEvent(
      secret.seal(nip04.encrypt(secretKey(keys.customer), pubkey, secret.plaintext)),
    );
    at.publish(request);
    const [answer] = await eventually(() => {
      const found = at.events({ kinds: [6000], '#e': [request.id] });
      expect(found).toHaveLength(1);
      return found;
    });
    expect(await createKeySigner(keys.customer).nip44Decrypt(pubkey, answer?.content ?? '')).toBe('read old');
    expect(answer?.tags).toContainEqual(['p', customer]);
  });

  it('JOB-4 is declined when it cannot be read', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const { signer } = await person(keys.customer);
    const worked = vi.fn(() => 'never');
    await provider([at.url], worked);
    for (const content of [
      'AgAAAA',
      'x?iv=y',
      'what',
      await signer.nip44Encrypt(pubkey, 'no list of tags'),
    ]) {
      const template = buildEncryptedJobRequest({ kind: 5000, provider: pubkey, createdAt: Date.now() }).seal(
        content,
      );
      const request = await signer.signEvent(template);
      at.publish(request);
      await eventually(() =>
        expect(at.events({ kinds: [7000], '#e': [request.id] })[0]?.tags).toContainEqual(['status', 'error']),
      );
    }
    expect(worked).not.toHaveBeenCalled();
  });

  it('JOB-4 JOB-11 is paid for as any other', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const { preimage, paymentHash } = secretOf('invoice');
    const pay = vi.fn(async () => ({ status: 'settled', preimage, feesMsat: 0 }) as const);
    await provider([at.url], () => 'secret and paid', {
      price: () => 1_000,
      invoices: {
        create: async () => ({ bolt11: invoice({ amountMsat: 1_000 }), paymentHash }),
        isPaid: async () => pay.mock.calls.length > 0,
      },
      config: { paymentPollMs: 20 },
    });
    const wallet = { pay, lookup: async () => ({ status: 'unknown' }) as const };
    const asking = await client([at.url], { payments: { wallet, store: createMemoryPaymentStore() } });
    const job = await asking.requestJob({ ...secretSpec(pubkey), bidMsat: 1_000 });
    expect(await job.result).toMatchObject({ content: 'secret and paid' });
  });
});
