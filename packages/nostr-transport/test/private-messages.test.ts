import { seededRandom } from '@bonafide/internal';
import { patienceMs, until } from '@bonafide/internal/testing';
import fc from 'fast-check';
import * as nip17 from 'nostr-tools/nip17';
import * as nip59 from 'nostr-tools/nip59';
import { describe, expect, it } from 'vitest';
import type { NostrEvent } from '../src/event/event.ts';
import {
  buildInboxRelayList,
  createKeySigner,
  type LostMessage,
  type PrivateMessage,
  type ReceivePrivateOptions,
  receivePrivate,
  type Signer,
  sendPrivate,
} from '../src/index.ts';
import { createMessageAssembly, splitContent, splitMessage } from '../src/private/message-parts.ts';
import { createRumor, wrapRumor } from '../src/private/nip59-gift-wrap.ts';
import { shuffled } from '../src/testing/random.ts';
import { makeEvent, nowSeconds, signerOf } from './support/events.ts';
import { makeRelay, makeTestRelay, makeTransport } from './support/transports.ts';

const [alice, bob, mallory] = [signerOf(1), signerOf(2), signerOf(3)];
const [a, b, m] = await Promise.all([alice.getPublicKey(), bob.getPublicKey(), mallory.getPublicKey()]);
const timing = () => ({ nowSeconds: nowSeconds(), random: Math.random });

/** Receives what `signer` is sent, authenticated where relays demand it. */
async function receiver(
  signer: Signer,
  relays: readonly string[],
  options: Partial<ReceivePrivateOptions> = {},
) {
  const messages: PrivateMessage[] = [];
  const rejected: string[] = [];
  let ready = 0;
  const subscription = await receivePrivate({
    transport: makeTransport({ auth: { signer, allow: relays } }),
    signer,
    relays,
    onMessage: (message) => void messages.push(message),
    onRejected: ({ reason }) => rejected.push(reason),
    onEose: () => {
      ready += 1;
    },
    ...options,
  });
  await until(() => ready === relays.length);
  return { messages, rejected, subscription };
}

describe('NET-4 private messages', () => {
  it('NET-4 reach the inbox relays of the recipient, and show neither sender nor date', async () => {
    const directory = await makeTestRelay();
    const inboxes = [await makeTestRelay(), await makeTestRelay()];
    const urls = inboxes.map(({ url }) => url);
    directory.publish(await bob.signEvent(buildInboxRelayList(urls, Date.now())));
    const sent = await sendPrivate({
      timeoutMs: patienceMs,
      transport: makeTransport(),
      signer: alice,
      recipient: b,
      content: 'I keep my word.',
      tags: [['subject', 'work']],
      relays: [directory.url],
    });
    expect(sent).toMatchObject({
      delivered: true,
      parts: [{ outcomes: [{ status: 'accepted' }, { status: 'accepted' }] }],
    });
    expect(directory.events({ kinds: [1059] })).toEqual([]);
    const [wrap] = inboxes[0]?.events({ kinds: [1059] }) ?? [];
    expect(JSON.stringify(wrap)).not.toContain(a);
    expect(wrap?.created_at).toBeLessThanOrEqual(nowSeconds());

    const { messages, rejected } = await receiver(bob, urls);
    expect(messages).toEqual([
      {
        id: sent.id,
        sender: a,
        kind: 14,
        content: 'I keep my word.',
        tags: [
          ['p', b],
          ['subject', 'work'],
        ],
        recipients: [b],
        createdAt: expect.any(Number),
        relay: expect.stringMatching(/^ws:/),
      },
    ]);
    expect(rejected).toEqual([]);
  });

  it('NET-4 a long message travels in parts that every relay takes, and arrives whole, also live', async () => {
    const relay = await makeTestRelay();
    const { messages } = await receiver(bob, [relay.url]);
    const content = `${'Trust, 信頼, 🤝 "quoted"\n'.repeat(9_000)}end`;
    const { id, delivered, parts } = await sendPrivate({
      timeoutMs: patienceMs,
      transport: makeTransport(),
      signer: alice,
      recipient: b,
      content,
      inboxRelays: [relay.url],
    });
    expect(delivered).toBe(true);
    expect(parts.length).toBeGreaterThan(10);
    await until(() => messages.length > 0);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ id, sender: a, content });
    // Stored parts come newest first by a random date.
    const later = await receiver(bob, [relay.url]);
    expect(later.messages[0]?.content).toBe(content);
  });

  it('NET-4 believes the seal, not what is inside: nobody speaks for somebody else', async () => {
    const relay = await makeTestRelay();
    const template = { kind: 14, created_at: nowSeconds(), tags: [['p', b]], content: 'pay mallory' };
    const genuine = createRumor(template, m);
    const lies: readonly (readonly [string, object])[] = [
      ['author-mismatch', createRumor(template, a)],
      ['rumor-invalid', { ...genuine, content: 'changed after the id' }],
      ['rumor-invalid', { ...genuine, kind: 'fourteen' }],
      ['misaddressed', createRumor({ ...template, tags: [['p', a]] }, m)],
      [
        'part-invalid',
        createRumor(
          {
            ...template,
            tags: [
              ['p', b],
              ['part', 'x', '0', '9'],
            ],
          },
          m,
        ),
      ],
    ];
    for (const [, rumor] of lies)
      relay.publish(await wrapRumor(rumor as never, b, { signer: mallory, ...timing() }));
    const outer = createKeySigner('05'.repeat(32));
    const wrapOf = async (content: string) =>
      relay.publish(
        await outer.signEvent({ kind: 1059, created_at: nowSeconds(), tags: [['p', b]], content }),
      );
    await wrapOf('nonsense');
    const seal = await mallory.signEvent({ kind: 13, created_at: 1, tags: [], content: 'nonsense' });
    await wrapOf(await outer.nip44Encrypt(b, JSON.stringify({ ...seal, pubkey: a })));
    await wrapOf(await outer.nip44Encrypt(b, JSON.stringify(await makeEvent())));
    relay.publish(await wrapRumor(genuine, b, { signer: mallory, ...timing() }));

    const { messages, rejected } = await receiver(bob, [relay.url]);
    expect(messages.map(({ id, sender }) => ({ id, sender }))).toEqual([{ id: genuine.id, sender: m }]);
    const expected = [...lies.map(([reason]) => reason), 'undecryptable', 'seal-invalid', 'seal-invalid'];
    expect(rejected.toSorted()).toEqual(expected.toSorted());
  });

  it('NET-4 says why the inbox relays of a recipient are not known', async () => {
    const directory = await makeTestRelay();
    const down = await makeRelay();
    await down.close();
    const send = (relays: readonly string[]) =>
      sendPrivate({
        transport: makeTransport(),
        signer: alice,
        recipient: b,
        content: '',
        relays,
        timeoutMs: 240_000,
      });
    await expect(send([directory.url])).rejects.toMatchObject({
      code: 'NO_INBOX_RELAYS',
      message: expect.stringContaining('has published none'),
    });
    await expect(send([directory.url, down.url])).rejects.toMatchObject({
      message: expect.stringContaining(`${down.url} unreachable`),
    });
    const wrong = { transport: makeTransport(), signer: alice, recipient: 'npub', content: '' };
    await expect(sendPrivate(wrong)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    const huge = { ...wrong, recipient: b, content: 'x'.repeat(2_000_000), inboxRelays: [directory.url] };
    await expect(sendPrivate(huge)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('NET-4 a message that no inbox relay took is not called delivered', async () => {
    const relay = await makeTestRelay({ faults: { publish: { answer: 'refuse', reason: 'blocked: full' } } });
    const sent = await sendPrivate({
      timeoutMs: patienceMs,
      transport: makeTransport(),
      signer: alice,
      recipient: b,
      content: 'hello',
      inboxRelays: [relay.url],
    });
    expect(sent).toMatchObject({
      delivered: false,
      parts: [{ outcomes: [{ status: 'rejected', message: 'blocked: full' }] }],
    });
  });

  it('NET-4 a signer that does not answer, and a handler that throws, lose no other message', async () => {
    const relay = await makeTestRelay();
    const send = (content: string) =>
      sendPrivate({
        timeoutMs: patienceMs,
        transport: makeTransport(),
        signer: alice,
        recipient: b,
        content,
        inboxRelays: [relay.url],
      });
    let calls = 0;
    const slow: Signer = {
      ...bob,
      async nip44Decrypt(...args) {
        calls += 1;
        if (calls === 1) throw Object.assign(await timeoutError());
        return bob.nip44Decrypt(...args);
      },
    };
    const contents: string[] = [];
    const { rejected } = await receiver(bob, [relay.url], {
      signer: slow,
      onMessage({ content }) {
        contents.push(content);
        throw new Error('not our problem');
      },
    });
    await send('first');
    await until(() => rejected.length === 1);
    await send('second');
    await send('third');
    await until(() => contents.length === 2);
    expect(rejected).toEqual(['signer-failed']);
    expect(contents).toEqual(['second', 'third']);
  });

  it('NET-4 is understood by nostr-tools, and understands it', async () => {
    const relay = await makeTestRelay();
    const secret = (byte: number) => new Uint8Array(32).fill(byte);
    await sendPrivate({
      timeoutMs: patienceMs,
      transport: makeTransport(),
      signer: alice,
      recipient: b,
      content: 'to nostr-tools',
      inboxRelays: [relay.url],
    });
    const [ours] = relay.events({ kinds: [1059] });
    const opened = nip59.unwrapEvent(structuredClone(ours) as never, secret(2));
    expect(opened).toMatchObject({ kind: 14, pubkey: a, content: 'to nostr-tools', tags: [['p', b]] });
    const theirs = nip17.wrapEvent(secret(1), { publicKey: b }, 'from nostr-tools');
    relay.publish(JSON.parse(JSON.stringify(theirs)) as NostrEvent);
    const { messages } = await receiver(bob, [relay.url]);
    expect(messages.map(({ content, sender }) => [content, sender]).toSorted()).toEqual([
      ['from nostr-tools', a],
      ['to nostr-tools', a],
    ]);
  });

  it('NET-4 what could not be opened is read again: the watermark stays before it', async () => {
    const relay = await makeTestRelay();
    for (const content of ['first', 'second'])
      await sendPrivate({
        timeoutMs: patienceMs,
        transport: makeTransport(),
        signer: alice,
        recipient: b,
        content,
        inboxRelays: [relay.url],
      });
    const marks = new Map<string, number>();
    const watermarks = {
      get: (from: string, key: string) => marks.get(from + key),
      set: (from: string, key: string, seconds: number) => void marks.set(from + key, seconds),
    };
    const silent: Signer = {
      ...bob,
      async nip44Decrypt() {
        throw await timeoutError();
      },
    };
    const first = await receiver(bob, [relay.url], { signer: silent, watermarks });
    expect(first.rejected).toEqual(['signer-failed', 'signer-failed']);
    first.subscription.close();
    expect(marks.size).toBe(0);
    const { messages } = await receiver(bob, [relay.url], { watermarks });
    expect(messages.map(({ content }) => content).toSorted()).toEqual(['first', 'second']);
    await until(() => marks.size === 1);
  });

  it('NET-4 the watermark waits until the messages before it were handled', async () => {
    const relay = await makeTestRelay();
    await sendPrivate({
      timeoutMs: patienceMs,
      transport: makeTransport(),
      signer: alice,
      recipient: b,
      content: 'slow',
      inboxRelays: [relay.url],
    });
    const steps: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    // The relay has answered before the message is handled.
    relay.on('sent', ({ message: [type] }) => {
      if (type === 'EOSE') setImmediate(resolve);
    });
    const subscription = await receivePrivate({
      transport: makeTransport({ auth: { signer: bob, allow: [relay.url] } }),
      signer: bob,
      relays: [relay.url],
      async onMessage() {
        await promise;
        steps.push('handled');
      },
      onEose: () => void steps.push('eose'),
      watermarks: { get: () => undefined, set: () => void steps.push('watermark') },
    });
    await until(() => steps.length === 3);
    expect(steps[0]).toBe('handled');
    subscription.close();
  });
});

async function timeoutError(): Promise<Error> {
  const { TransportError } = await import('../src/index.ts');
  return new TransportError('TIMEOUT', 'The remote signer did not answer.');
}

describe('NET-4 parts', () => {
  const whole = (content: string) =>
    createRumor({ kind: 14, created_at: 1_700_000_000, tags: [['p', b]], content }, a);

  it('NET-4 parts are joined in any order, with repetitions', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
        fc.integer({ min: 12, max: 60 }),
        fc.infiniteStream(fc.nat()),
        (content, maxBytes, stream) => {
          const message = whole(content);
          const parts = splitMessage(message, maxBytes);
          fc.pre(parts.length <= 64);
          for (const part of splitContent(content, maxBytes))
            expect(part.isWellFormed()).toBe(content.isWellFormed());
          const shuffled = [...parts, ...parts.slice(0, 3)]
            .map((part) => ({ part, at: stream.next().value as number }))
            .sort((one, two) => one.at - two.at);
          const assembly = createMessageAssembly();
          const joined = shuffled
            .map(({ part }) => assembly.add(part))
            .filter((result) => result.type === 'whole');
          expect(joined[0]).toEqual({ type: 'whole', message });
        },
      ),
    );
  });

  /** Parts of several messages of each of several senders, in an order that depends on `seed` only. */
  function shuffledParts(senders: number, messages: number, seed: number) {
    const all = Array.from({ length: senders }, (_, sender) =>
      Array.from({ length: messages }, (_, n) => {
        const content = `${sender} ${n} ${'word '.repeat(9)}`;
        const author = (sender + 1).toString(16).padStart(64, '0');
        return splitMessage(createRumor({ kind: 14, created_at: n, tags: [], content }, author), 16);
      }),
    ).flat(2);
    return shuffled(all, seededRandom(seed));
  }

  it.each([
    ['many messages of one sender', 1, 60],
    ['a message each of many senders', 200, 1],
    ['several messages of many senders', 50, 10],
  ])('NET-4 none is lost when the parts of %s arrive shuffled', (_, senders, messages) => {
    const lost: unknown[] = [];
    const assembly = createMessageAssembly({ onLost: (each) => lost.push(each) });
    const results = shuffledParts(senders, messages, 7).map((part) => assembly.add(part).type);
    expect(results.filter((type) => type === 'whole')).toHaveLength(senders * messages);
    expect(lost).toEqual([]);
  });

  /** The parts of a message of the n-th sender, of about 1 KB each. */
  const partsOf = (n: number, count = 3, createdAt = 1) => {
    const content = 'x'.repeat(1_000 * count);
    const rumor = { kind: 14, created_at: createdAt, tags: [], content };
    return splitMessage(createRumor(rumor, n.toString(16).padStart(64, '0')), 1_000);
  };

  it('NET-4 a flood of fragments costs the flooder its own messages, and each lost one is reported', () => {
    const lost: LostMessage[] = [];
    const assembly = createMessageAssembly({
      limits: { maxBytes: 200_000 },
      onLost: (each) => lost.push(each),
    });
    const types = partsOf(1, 8).map((part, n) => {
      for (let k = 0; k < 100; k += 1) assembly.add(partsOf(2, 3, n * 1_000 + k)[0] as never);
      return assembly.add(part).type;
    });
    expect(types.at(-1)).toBe('whole');
    expect(new Set(lost.map(({ sender }) => sender))).toEqual(new Set([partsOf(2)[0]?.pubkey]));
    expect(lost.length).toBeGreaterThan(700);
    expect(lost[0]).toMatchObject({ received: 1, parts: 3, reason: 'no-room' });
  });

  it('NET-4 fragments of new keys displace each other before the message of a known sender', () => {
    const lost: string[] = [];
    const known = partsOf(1, 8);
    const assembly = createMessageAssembly({
      limits: { maxBytes: 100_000 },
      isKnownSender: (sender) => sender === known[0]?.pubkey,
      onLost: ({ sender }) => lost.push(sender),
    });
    const types = known.map((part, n) => {
      for (let k = 0; k < 100; k += 1) assembly.add(partsOf(1_000 + n * 100 + k)[0] as never);
      return assembly.add(part).type;
    });
    expect(types.at(-1)).toBe('whole');
    expect(lost).not.toContain(known[0]?.pubkey);
  });

  it('NET-4 a message whose parts stop coming is given up after a day, and reported', () => {
    const lost: LostMessage[] = [];
    let now = 0;
    const assembly = createMessageAssembly({ clock: () => now, onLost: (each) => lost.push(each) });
    const [first, second] = partsOf(1);
    assembly.add(first as never);
    now += 86_400_000;
    assembly.add(second as never);
    now += 86_400_001;
    // Any other message is an occasion.
    assembly.add(whole('short'));
    expect(lost).toEqual([
      { id: first?.tags.at(-1)?.[1], sender: first?.pubkey, received: 2, parts: 3, reason: 'expired' },
    ]);
  });

  it('NET-4 parts that do not make up the message they name are refused', () => {
    const parts = splitMessage(whole('a message that has several parts'), 10);
    const assembly = createMessageAssembly();
    const changed = parts.map((part, at) =>
      at === 1 ? createRumor({ ...part, content: 'other' }, a) : part,
    );
    expect(changed.map((part) => assembly.add(part).type).at(-1)).toBe('invalid');
  });
});
