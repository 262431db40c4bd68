import { createKeySigner, type EventTemplate, type NostrEvent } from '@bonafide/nostr-transport';
import type { TestRelay } from '@bonafide/nostr-transport/testing';
import { describe, expect, it, vi } from 'vitest';
import {
  buildJobCancellation,
  buildJobRequest,
  buildJobResult,
  type JobRequestSpec,
  parseFeedback,
} from '../src/codec/index.ts';
import {
  advanceProvided,
  createMemoryProviderStore,
  createProvider,
  JobError,
  type ProviderStore,
} from '../src/index.ts';
import { sampleProvided } from '../src/testing/samples.ts';
import { eventually, keys, manualTime, person, provider, relay, transport } from './world.ts';

async function ask(
  at: TestRelay,
  spec: Partial<JobRequestSpec> = {},
  secret: string = keys.customer,
): Promise<NostrEvent> {
  const { pubkey } = await person(keys.provider);
  const template = buildJobRequest({
    kind: 5000,
    provider: pubkey,
    inputs: [{ data: 'x' }],
    createdAt: Date.now(),
    ...spec,
  });
  const signed = await createKeySigner(secret).signEvent(template);
  at.publish(signed);
  return signed;
}

const answersTo = (at: TestRelay, request: NostrEvent) =>
  at.events({ '#e': [request.id], kinds: [6000, 6001] });
const saidAbout = (at: TestRelay, request: NostrEvent) =>
  at.events({ '#e': [request.id], kinds: [7000] }).map((event) => {
    const parsed = parseFeedback(event);
    return parsed.ok
      ? `${parsed.feedback.status}: ${parsed.feedback.info || parsed.feedback.content}`
      : parsed.reason;
  });

describe('a provider', () => {
  it('JOB-15 publishes its card, says processing, and answers with request, e, i, p, status and amount', async () => {
    const at = await relay();
    const card: EventTemplate = {
      kind: 31990,
      created_at: Math.floor(Date.now() / 1000),
      tags: [
        ['d', 'x'],
        ['k', '5000'],
      ],
      content: '{"name":"Doubler"}',
    };
    await provider([at.url], () => ({ content: '42', amountMsat: 3000 }), { card });
    expect(at.events({ kinds: [31990] })).toMatchObject([{ content: '{"name":"Doubler"}' }]);
    const request = await ask(at, { inputs: [{ data: '21', marker: 'number' }] });
    await eventually(() => expect(answersTo(at, request)).toHaveLength(1));
    const [answer] = answersTo(at, request);
    expect(answer?.content).toBe('42');
    expect(answer?.tags).toEqual([
      [
        'request',
        JSON.stringify({
          id: request.id,
          pubkey: request.pubkey,
          created_at: request.created_at,
          kind: 5000,
          tags: request.tags,
          content: '',
          sig: request.sig,
        }),
      ],
      ['e', request.id],
      ['i', '21', 'text', '', 'number'],
      ['p', request.pubkey],
      ['status', 'success'],
      ['amount', '3000'],
    ]);
    await eventually(() => expect(saidAbout(at, request)).toEqual(['processing: ']));
  });

  it('JOB-15 answers where the customer asked, and on its own relays', async () => {
    const [own, theirs] = [await relay(), await relay()];
    await provider([own.url], () => 'here');
    const request = await ask(own, { relays: [theirs.url] });
    await eventually(() => expect([own, theirs].map((at) => answersTo(at, request).length)).toEqual([1, 1]));
  });

  it('JOB-15 tries again until a relay of the customer has the answer, with the same event', async () => {
    const [own, theirs] = [
      await relay(),
      await relay({ faults: { publish: { answer: 'refuse', reason: 'error: full' } } }),
    ];
    const store = createMemoryProviderStore();
    await provider([own.url], () => 'here', { store });
    const request = await ask(own, { relays: [theirs.url] });
    await eventually(() =>
      expect(theirs.received.filter(({ text }) => text.includes('6000')).length).toBeGreaterThanOrEqual(2),
    );
    expect((await store.get(request.id))?.publishedAt).toBeNull();
    await theirs.faults.clear();
    await eventually(() => expect(answersTo(theirs, request)).toHaveLength(1));
    await eventually(async () => expect((await store.get(request.id))?.publishedAt).not.toBeNull());
    expect(answersTo(own, request)).toEqual(answersTo(theirs, request));
  });

  it('JOB-15 leaves alone what is not for it', async () => {
    const at = await relay();
    const handler = vi.fn(() => 'done');
    const { pubkey: rival } = await person(keys.rival);
    const working = await provider([at.url], handler, {
      broadcast: true,
      kinds: [5000, 5001],
      config: { maxRequestAgeMs: 60_000 },
    });
    const notForUs = [
      await ask(at, { provider: rival }),
      await ask(at, { kind: 5002 }),
      await ask(at, { createdAt: Date.now() - 120_000 }),
    ];
    const expired = buildJobRequest({ kind: 5000, createdAt: Date.now() - 30_000 });
    const signed = await createKeySigner(keys.customer).signEvent({
      ...expired,
      tags: [['expiration', String(Math.floor(Date.now() / 1000) - 1)]],
    });
    at.publish(signed);
    const forAll = await ask(at, { provider: null });
    const forUs = await ask(at, { kind: 5001 });
    await eventually(() => expect([forAll, forUs].map((one) => answersTo(at, one).length)).toEqual([1, 1]));
    expect([...notForUs, signed].flatMap((one) => answersTo(at, one))).toEqual([]);
    expect(handler).toHaveBeenCalledTimes(2);
    expect(working.unanswered()).toMatchObject({ 'not-addressed': 1, malformed: 0 });
  });

  it('JOB-15 tells the customer what failed, and no more than it should know', async () => {
    const at = await relay();
    await provider([at.url], (request) => {
      if (request.inputs[0]?.data === 'known') throw new JobError('JOB_FAILED', 'I need a number.');
      if (request.inputs[0]?.data === 'large') return 'x'.repeat(70_000);
      throw new Error('password is hunter2');
    });
    const known = await ask(at, { inputs: [{ data: 'known' }] });
    const unknown = await ask(at, { inputs: [{ data: 'unknown' }] });
    const large = await ask(at, { inputs: [{ data: 'large' }] });
    await eventually(() => expect(saidAbout(at, known)).toContain('error: I need a number.'));
    await eventually(() => expect(saidAbout(at, unknown)).toContain('error: The job failed.'));
    await eventually(() =>
      expect(saidAbout(at, large)).toContain('error: The result is too large for a relay.'),
    );
    expect(JSON.stringify(at.events())).not.toContain('hunter2');
  });

  it('JOB-15 declines with the reason that it is given', async () => {
    const at = await relay();
    const handler = vi.fn(() => 'done');
    await provider([at.url], handler, {
      admit: async ({ customer, params }) => {
        if (params.crash) throw new Error('database is locked');
        return customer === (await person(keys.rival)).pubkey ? 'I do not work for you.' : null;
      },
    });
    const refused = await ask(at, {}, keys.rival);
    const unclear = await ask(at, { params: { crash: 'yes' } });
    const taken = await ask(at);
    await eventually(() => expect(saidAbout(at, refused)).toEqual(['error: I do not work for you.']));
    await eventually(() => expect(saidAbout(at, unclear)).toEqual(['error: Not available at the moment.']));
    await eventually(() => expect(answersTo(at, taken)).toHaveLength(1));
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('JOB-15 works on as many as it may, lets as many wait, and tells the others', async () => {
    const at = await relay();
    let running = 0;
    let most = 0;
    const release = Promise.withResolvers<string>();
    const working = await provider(
      [at.url],
      async () => {
        running += 1;
        most = Math.max(most, running);
        const content = await release.promise;
        running -= 1;
        return content;
      },
      { concurrency: 2, config: { queueLimit: 3, publishTimeoutMs: 240_000 } },
    );
    const requests: NostrEvent[] = [];
    for (let number = 0; number < 7; number += 1) requests.push(await ask(at, { d: `${number}` }));
    await eventually(() =>
      expect(
        requests.flatMap((one) => saidAbout(at, one)).filter((said) => said.startsWith('error: Busy')),
      ).toHaveLength(2),
    );
    expect(working.load()).toEqual({ waiting: 3, running: 2 });
    release.resolve('done');
    await eventually(() => expect(requests.flatMap((one) => answersTo(at, one))).toHaveLength(5));
    expect(most).toBe(2);
    await eventually(() => expect(working.load()).toEqual({ waiting: 0, running: 0 }));
  });

  it('JOB-15 says processing again while it works, and stops when it is done', async () => {
    const at = await relay();
    const time = manualTime();
    const release = Promise.withResolvers<string>();
    await provider([at.url], () => release.promise, {
      clock: time.clock,
      timers: time.timers,
      config: { heartbeatMs: 45_000 },
    });
    const request = await ask(at);
    await eventually(() => expect(saidAbout(at, request)).toHaveLength(1));
    await eventually(() => expect(time.pending()).toContain(45_000));
    // A second later, or the feedback would be the same event.
    time.advance(46_000);
    await eventually(() => expect(saidAbout(at, request)).toHaveLength(2));
    release.resolve('done');
    await eventually(() => expect(answersTo(at, request)).toHaveLength(1));
    time.advance(200_000);
    expect(time.pending()).toEqual([]);
    expect(saidAbout(at, request)).toHaveLength(2);
  });

  it('JOB-12 drops what the customer takes back, and nobody else can', async () => {
    const at = await relay();
    const release = Promise.withResolvers<string>();
    const signals: AbortSignal[] = [];
    const { pubkey } = await person(keys.provider);
    const cancelled = vi.fn();
    const working = await provider([at.url], (_, { signal }) => {
      signals.push(signal);
      return release.promise;
    });
    working.on('cancelled', cancelled);
    const cancel = async (request: NostrEvent, secret: string) =>
      at.publish(
        await createKeySigner(secret).signEvent(
          buildJobCancellation({ request, provider: pubkey, createdAt: Date.now() }),
        ),
      );
    const kept = await ask(at, { d: 'kept' });
    const atWork = () => signals.length;
    await eventually(() => expect(atWork()).toBe(1));
    const waiting = await ask(at, { d: 'waiting' });
    await eventually(() => expect(working.load().waiting).toBe(1));
    await cancel(kept, keys.rival);
    await cancel(waiting, keys.customer);
    await eventually(() => expect(cancelled).toHaveBeenCalledWith({ requestId: waiting.id }));
    expect(signals[0]?.aborted).toBe(false);
    release.resolve('done');
    await eventually(() => expect(answersTo(at, kept)).toHaveLength(1));
    expect(cancelled).toHaveBeenCalledTimes(1);
    expect(answersTo(at, waiting)).toEqual([]);
  });

  it('JOB-12 drops a request whose cancellation came first', async () => {
    const at = await relay();
    const handler = vi.fn(() => 'done');
    const store = createMemoryProviderStore();
    await provider([at.url], handler, { store });
    const { pubkey } = await person(keys.provider);
    const template = buildJobRequest({ kind: 5000, provider: pubkey, createdAt: Date.now() });
    const request = await createKeySigner(keys.customer).signEvent(template);
    const signer = createKeySigner(keys.customer);
    const other = await relay();
    await provider([other.url], () => 'unused', { kinds: [5999] });
    // A relay that enforces deletions would never pass the request on, so it comes by another one.
    const two = createProvider({
      kinds: [5000],
      handler,
      transport: transport(),
      signer: createKeySigner(keys.provider),
      relays: [at.url, other.url],
      store: createMemoryProviderStore(),
    });
    await two.start();
    at.publish(
      await signer.signEvent(buildJobCancellation({ request, provider: pubkey, createdAt: Date.now() })),
    );
    // A stranger who names the same request changes nothing.
    const strange = buildJobCancellation({ request, provider: pubkey, createdAt: Date.now() });
    at.publish(await createKeySigner(keys.rival).signEvent(strange));
    const later = await ask(at, { d: 'later' });
    await eventually(() => expect(answersTo(at, later)).not.toEqual([]));
    const cancelled = vi.fn();
    two.on('cancelled', cancelled);
    other.publish(request);
    await eventually(() => expect(cancelled).toHaveBeenCalledWith({ requestId: request.id }));
    await two.close();
    expect(answersTo(other, request)).toEqual([]);
  });

  it('JOB-16 survives whatever is addressed to it', async () => {
    const at = await relay();
    await provider([at.url], () => 'done');
    const { pubkey } = await person(keys.provider);
    const signer = createKeySigner(keys.rival);
    const hostile: string[][][] = [
      [
        ['p', pubkey],
        ['i'],
        ['i', ''],
        ['param'],
        ['output'],
        ['bid', 'NaN'],
        ['relays', 'javascript:alert(1)', 'ws://169.254.169.254/'],
      ],
      [['p', pubkey], ['p', 'nonsense'], ['encrypted'], ['expiration', '-1'], ['content']],
      [
        ['p', pubkey],
        ['i', '\u0000', '__proto__'],
        ['param', '__proto__', 'x'],
        ['e', 'f'.repeat(64)],
      ],
      [['p', pubkey], ...Array.from({ length: 500 }, () => ['i', 'x'])],
    ];
    for (const tags of hostile) {
      for (const kind of [5000, 5]) {
        at.publish(
          await signer.signEvent({
            kind,
            created_at: Math.floor(Date.now() / 1000),
            tags,
            content: '\u0000{',
          }),
        );
      }
    }
    const request = await ask(at);
    await eventually(() => expect(answersTo(at, request)).toHaveLength(1));
  });

  it('AGT-4 takes a request as soon as its store can be written again', async () => {
    const at = await relay();
    const time = manualTime();
    const store = createMemoryProviderStore();
    let full = true;
    const flaky: ProviderStore = {
      ...store,
      take: (job) => (full ? Promise.reject(new Error('disk full')) : store.take(job)),
    };
    const handler = vi.fn(() => 'done');
    await provider([at.url], handler, { store: flaky, clock: time.clock, timers: time.timers });
    const request = await ask(at);
    await eventually(() => expect(time.pending()).toContain(5_000));
    expect(handler).not.toHaveBeenCalled();
    full = false;
    time.advance(5_000);
    await eventually(() => expect(answersTo(at, request)).toHaveLength(1));
  });

  it('JOB-15 publishes an answer that was only stored, without working again', async () => {
    const at = await relay();
    const store = createMemoryProviderStore();
    const { pubkey } = await person(keys.provider);
    const signer = createKeySigner(keys.customer);
    const request = await signer.signEvent(
      buildJobRequest({ kind: 5000, provider: pubkey, createdAt: Date.now() }),
    );
    const taken = sampleProvided(1, {
      requestId: request.id,
      customer: request.pubkey,
      request,
      receivedAt: Date.now(),
    });
    await store.take(taken);
    const template = buildJobResult({ request, content: 'from before', createdAt: Date.now() });
    const answer = await createKeySigner(keys.provider).signEvent(template);
    await store.update(advanceProvided(taken, { type: 'answered', answer, at: Date.now() }));
    const handler = vi.fn(() => 'again');
    await provider([at.url], handler, { store });
    await eventually(() => expect(answersTo(at, request)).toEqual([answer]));
    await eventually(async () => expect((await store.list('unfinished')).items).toEqual([]));
    expect(handler).not.toHaveBeenCalled();
  });

  it('JOB-15 goes on after a restart where it was, and aborts its handlers when it is closed', async () => {
    const at = await relay();
    const store = createMemoryProviderStore();
    const aborted = vi.fn();
    const first = await provider(
      [at.url],
      (_, { signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(aborted()))),
      { store },
    );
    const request = await ask(at);
    await eventually(() => expect(first.load().running).toBe(1));
    await first.close();
    expect(aborted).toHaveBeenCalledTimes(1);
    expect(
      at.events({ '#e': [request.id] }).filter(({ tags }) => tags.some((tag) => tag[1] === 'error')),
    ).toEqual([]);
    const missed = await ask(at, { d: 'missed' });
    await provider([at.url], () => 'second life', { store });
    await eventually(() =>
      expect([request, missed].map((one) => answersTo(at, one).map(({ content }) => content))).toEqual([
        ['second life'],
        ['second life'],
      ]),
    );
  });

  it('JOB-15 is refused options that make no sense', () => {
    const make = (options: object) => () =>
      createProvider({
        kinds: [5000],
        handler: () => '',
        transport: transport(),
        signer: createKeySigner(keys.provider),
        relays: ['wss://one.example'],
        ...options,
      });
    for (const wrong of [
      { kinds: [] },
      { kinds: [6000] },
      { relays: [] },
      { concurrency: 0 },
      { config: { queueLimit: 0 } },
      { config: { typo: 1 } },
    ]) {
      expect(make(wrong)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
    }
  });
});
