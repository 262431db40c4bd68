import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPureVerifier } from '../src/event/verifier.ts';
import { type BunkerSignerOptions, createBunkerSigner } from '../src/signers/nip46-signer.ts';
import { parseBunkerUri } from '../src/signers/nip46-uri.ts';
import { startTestRelay } from '../src/testing/index.ts';
import { startBunker } from './support/bunker.ts';
import { nowSeconds, signerOf } from './support/events.ts';
import { makeTransport } from './support/transports.ts';

async function relay() {
  const started = await startTestRelay();
  onTestFinished(() => started.close());
  return started;
}

function signerFor(uri: string, options: Partial<BunkerSignerOptions> = {}) {
  const signer = createBunkerSigner({ uri, transport: makeTransport(), timeoutMs: 240_000, ...options });
  onTestFinished(() => signer.close());
  return signer;
}

const template = { kind: 1, created_at: nowSeconds(), tags: [['t', 'x']], content: 'please sign' };

describe('NET-2 a signer behind NIP-46', () => {
  it('NET-2 signs, encrypts and decrypts over a relay; the connection is made once', async () => {
    const { url } = await relay();
    const bunker = await startBunker(url, { secret: 'open-sesame' });
    const signer = signerFor(bunker.uri, { permissions: ['sign_event:1', 'nip44_encrypt'] });
    const pubkey = await bunker.user.getPublicKey();
    const peer = signerOf(55);
    const peerKey = await peer.getPublicKey();

    const [event, named, ciphertext] = await Promise.all([
      signer.signEvent(template),
      signer.getPublicKey(),
      signer.nip44Encrypt(peerKey, 'for the peer'),
    ]);
    expect(named).toBe(pubkey);
    expect(event).toMatchObject({ ...template, pubkey });
    expect(createPureVerifier().verify(event)).toBe(true);
    expect(await peer.nip44Decrypt(pubkey, ciphertext)).toBe('for the peer');
    expect(await signer.nip44Decrypt(peerKey, await peer.nip44Encrypt(pubkey, 'answer'))).toBe('answer');

    const connects = bunker.requests.filter(({ method }) => method === 'connect');
    expect(connects).toHaveLength(1);
    expect(connects[0]?.params.slice(1)).toEqual(['open-sesame', 'sign_event:1,nip44_encrypt']);
    expect(bunker.requests.filter(({ method }) => method === 'get_public_key')).toHaveLength(1);
    // What travels says nothing to others.
    for (const { content } of bunker.events) expect(content).not.toMatch(/sesame|sign_event|please/);
  });

  it('NET-2 goes on after the relay was away, and asks again when the bunker was', async () => {
    const place = await relay();
    const bunker = await startBunker(place.url);
    const signer = signerFor(bunker.uri);
    await signer.connect();
    await place.restart({ downMs: 100 });
    expect((await signer.signEvent(template)).content).toBe(template.content);
  });

  it('NET-2 passes on the words of a bunker that refuses, on one line', async () => {
    const { url } = await relay();
    const bunker = await startBunker(url, {
      respond: async (request, honest) =>
        request.method === 'sign_event' ? [{ id: request.id, error: 'user\nrejected' }] : [await honest()],
    });
    await expect(signerFor(bunker.uri).signEvent(template)).rejects.toMatchObject({
      code: 'SIGNER_FAILED',
      message: 'The remote signer refused: user rejected',
    });
  });

  it('NET-2 X-7 a wrong secret fails without being quoted, and the next call may try again', async () => {
    const { url } = await relay();
    const bunker = await startBunker(url, { secret: 'right-one' });
    const signer = signerFor(bunker.uri.replace('right-one', 'wrong-one'));
    const error = await signer.getPublicKey().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'SIGNER_FAILED' });
    expect(inspect([error, signer], { depth: 9, showHidden: true })).not.toContain('wrong-one');
    await signer.connect().catch(() => {});
    expect(bunker.requests).toHaveLength(2);
  });

  it.each([
    ['another content', (event: object) => ({ ...event, content: 'something else' })],
    ['a broken signature', (event: object) => ({ ...event, sig: '0'.repeat(128) })],
    ['no event', () => 'hello'],
  ])('NET-2 does not take %s for what it asked for', async (_, alter) => {
    const { url } = await relay();
    const bunker = await startBunker(url, {
      respond: async (request, honest) => {
        const answer = await honest();
        if (request.method !== 'sign_event') return [answer];
        return [{ ...answer, result: JSON.stringify(alter(JSON.parse(String(answer.result)))) }];
      },
    });
    await expect(signerFor(bunker.uri).signEvent(template)).rejects.toMatchObject({ code: 'SIGNER_FAILED' });
  });

  it('NET-2 does not take a properly signed event that is not the one asked for, or of another key', async () => {
    for (const [key, change] of [
      [102, { content: 'pay me' }],
      [102, { created_at: 5 }],
      [77, {}],
    ] as const) {
      const { url } = await relay();
      const bunker = await startBunker(url, {
        respond: async (request, honest) => {
          if (request.method !== 'sign_event') return [await honest()];
          const other = await signerOf(key).signEvent({ ...JSON.parse(request.params[0] ?? ''), ...change });
          return [{ id: request.id, result: JSON.stringify(other) }];
        },
      });
      await expect(signerFor(bunker.uri).signEvent(template)).rejects.toMatchObject({
        message: expect.stringContaining('a different event'),
      });
    }
  });

  it('NET-2 shows the page where a person approves, and waits meanwhile', async () => {
    const { url } = await relay();
    const bunker = await startBunker(url, {
      respond: async (request, honest) =>
        request.method === 'sign_event'
          ? [{ id: request.id, result: 'auth_url', error: 'https://bunker.example/approve' }, await honest()]
          : [await honest()],
    });
    const pages: string[] = [];
    const event = await signerFor(bunker.uri, { onAuthUrl: (page) => pages.push(page) }).signEvent(template);
    expect(event.content).toBe(template.content);
    expect(pages).toEqual(['https://bunker.example/approve']);
    await expect(signerFor(bunker.uri).signEvent(template)).rejects.toMatchObject({ code: 'SIGNER_FAILED' });
  });

  it('NET-2 refuses a page that is no web page', async () => {
    const { url } = await relay();
    const bunker = await startBunker(url, {
      respond: async ({ id }) => [{ id, result: 'auth_url', error: 'javascript:alert(1)' }],
    });
    const pages: string[] = [];
    const signer = signerFor(bunker.uri, { onAuthUrl: (page) => pages.push(page) });
    await expect(signer.connect()).rejects.toMatchObject({ code: 'SIGNER_FAILED' });
    expect(pages).toEqual([]);
  });

  it('NET-2 garbage and answers to others change nothing', async () => {
    const { url } = await relay();
    const bunker = await startBunker(url, {
      respond: async (_request, honest) => [{ id: 'unknown', result: 'ack' }, { result: 5 }, await honest()],
    });
    expect(await signerFor(bunker.uri).getPublicKey()).toBe(await bunker.user.getPublicKey());
  });

  it('NET-2 a silent bunker is a typed timeout', async () => {
    const { url } = await relay();
    const bunker = await startBunker(url, { respond: async () => [] });
    // Long enough for the relay to take the request on a busy machine.
    const signer = signerFor(bunker.uri, { timeoutMs: 5_000 });
    await expect(signer.getPublicKey()).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('NET-2 says when no relay takes the message', async () => {
    const place = await relay();
    const { uri } = await startBunker(place.url);
    await place.faults.set({ publish: { answer: 'refuse', reason: 'blocked: no bunkers here' } });
    await expect(signerFor(uri).connect()).rejects.toMatchObject({
      code: 'SIGNER_FAILED',
      message: expect.stringContaining('blocked: no bunkers here'),
    });
  });

  it('NET-2 X-8 closing it settles what is unanswered and leaves no subscription', async () => {
    const place = await relay();
    const bunker = await startBunker(place.url, { respond: async () => [] });
    const transport = makeTransport();
    const signer = createBunkerSigner({ uri: bunker.uri, transport });
    const waiting = signer.connect().catch((error: unknown) => error);
    await place.waitFor(({ message }) => Array.isArray(message) && message[0] === 'EVENT');
    await signer.close();
    expect(await waiting).toMatchObject({ code: 'CLOSED' });
    await expect(signer.getPublicKey()).rejects.toMatchObject({ code: 'CLOSED' });
    await place.waitFor(({ message }) => Array.isArray(message) && message[0] === 'CLOSE');
  });
});

describe('NET-2 the address of a bunker', () => {
  const key = 'ab'.repeat(32);

  it('NET-2 is read', () => {
    expect(
      parseBunkerUri(`bunker://${key}?relay=wss%3A%2F%2Fa.example&relay=wss://b.example/&secret=s`),
    ).toEqual({
      pubkey: key,
      relays: ['wss://a.example', 'wss://b.example'],
      secret: 's',
    });
  });

  it.each([
    '',
    'bunker://',
    `bunker://${key}`,
    `bunker://${key.slice(1)}?relay=wss://a.example&secret=hidden`,
    `https://${key}?relay=wss://a.example&secret=hidden`,
    `bunker://${key}?relay=http://a.example&secret=hidden`,
  ])('NET-2 X-7 %s is refused without being quoted', (uri) => {
    let thrown: unknown;
    try {
      parseBunkerUri(uri);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'INVALID_INPUT' });
    expect(inspect(thrown)).not.toContain('hidden');
  });
});
