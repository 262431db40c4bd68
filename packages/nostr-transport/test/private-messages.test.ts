import fc from 'fast-check';
import * as nip17 from 'nostr-tools/nip17';
import * as nip59 from 'nostr-tools/nip59';
import { describe, expect, it } from 'vitest';
import type { NostrEvent } from '../src/event/event.ts';
import {
  buildInboxRelayList,
  createKeySigner,
  type PrivateMessage,
  type ReceivePrivateOptions,
  receivePrivate,
  type Signer,
  sendPrivate,
} from '../src/index.ts';
import { createMessageAssembly, splitContent, splitMessage } from '../src/private/message-parts.ts';
import { createRumor, wrapRumor } from '../src/private/nip59-gift-wrap.ts';
import { makeEvent, nowSeconds, signerOf } from './support/events.ts';
import { makeRelay, makeTestRelay, makeTransport, until } from './support/transports.ts';

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
        timeoutMs: 2_000,
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

  it('NET-4 keeps a bounded number of incomplete messages, and few of one sender', () => {
    const assembly = createMessageAssembly({ maxIncomplete: 3, maxIncompletePerSender: 2 });
    const [first, second, third] = ['one', 'two', 'three'].map((word) =>
      splitMessage(whole(word.repeat(9)), 10),
    );
    for (const parts of [first, second, third]) assembly.add(parts?.[0] as never);
    // The first was dropped for the third, so it is not complete with its last parts.
    for (const part of first?.slice(1) ?? []) expect(assembly.add(part)).toEqual({ type: 'incomplete' });
    const results = (third ?? []).slice(1).map((part) => assembly.add(part).type);
    expect(results.at(-1)).toBe('whole');
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
