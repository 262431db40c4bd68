import { until } from '@bonafide/internal/testing';
import { describe, expect, it } from 'vitest';
import type { EventTemplate, NostrEvent } from '../src/event/event.ts';
import type { Signer } from '../src/signers/signer.ts';
import { makeEvent, signerOf } from './support/events.ts';
import type { Client } from './support/scripted-relay.ts';
import { makeRelay, makeTestRelay, makeTransport, sentTo } from './support/transports.ts';

/** A signer that counts. */
function counting(inner: Signer = signerOf(9)) {
  const templates: EventTemplate[] = [];
  const signer: Signer = {
    ...inner,
    signEvent: (template) => {
      templates.push(template);
      return inner.signEvent(template);
    },
  };
  return { signer, templates };
}

const required = { faults: { auth: { required: 'all' as const } } };

describe('NET-1 authentication (NIP-42)', () => {
  it('NET-1 one AUTH serves all who need it', async () => {
    const relay = await makeTestRelay(required);
    const { signer, templates } = counting();
    const transport = makeTransport({ auth: { signer, allow: [`${relay.url}/`] } });
    const event = await makeEvent({}, 9);
    let ready = 0;
    for (let kind = 1; kind <= 3; kind += 1) {
      transport.subscribe([relay.url], [{ kinds: [kind] }], {
        onEvent() {},
        onEose: () => {
          ready += 1;
        },
      });
    }
    const [outcome] = await transport.publish(event, [relay.url]);
    expect(outcome?.status).toBe('accepted');
    expect(await transport.query([relay.url], [{ kinds: [1] }])).toEqual([event]);
    await until(() => ready === 3);
    expect(sentTo(relay, 'AUTH')).toHaveLength(1);
    expect(templates).toHaveLength(1);
    expect(templates[0]).toMatchObject({ kind: 22_242, content: '' });
    expect(templates[0]?.tags).toContainEqual(['relay', relay.url]);
  });

  it('NET-1 signs again for a new connection, with its own challenge', async () => {
    const relay = await makeTestRelay(required);
    const { signer, templates } = counting();
    const transport = makeTransport({ auth: { signer, allow: [relay.url] } });
    let eose = 0;
    transport.subscribe([relay.url], [{ kinds: [1] }], { onEvent() {}, onEose: () => eose++ });
    await until(() => eose === 1);
    await relay.restart({ downMs: 20 });
    const event = await makeEvent({}, 9);
    expect((await transport.publish(event, [relay.url]))[0]?.status).toBe('accepted');
    const challenges = templates.map(({ tags }) => tags.find(([name]) => name === 'challenge')?.[1]);
    expect(new Set(challenges).size).toBe(2);
  });

  it('NET-1 never signs for a relay that is not on the list, however it asks', async () => {
    const relay = await makeTestRelay(required);
    const { signer, templates } = counting();
    const transport = makeTransport({ auth: { signer, allow: ['wss://somewhere.example'] } });
    const closed: string[] = [];
    transport.subscribe([relay.url], [{}], { onEvent() {}, onClosed: (_, reason) => closed.push(reason) });
    const [outcome] = await transport.publish(await makeEvent({}, 9), [relay.url]);
    await until(() => closed.length > 0);
    expect(closed[0]).toContain('we do not authenticate to this relay');
    expect(outcome).toMatchObject({ status: 'rejected', message: expect.stringContaining('auth-required:') });
    expect(templates).toEqual([]);
    expect(sentTo(relay, 'AUTH')).toEqual([]);
  });

  it('NET-1 a refused AUTH ends what needed it, with the relay’s words, and is not tried again', async () => {
    const relay = await makeTestRelay({
      faults: { auth: { required: 'all', refuse: 'restricted: not on the list' } },
    });
    const { signer, templates } = counting();
    const transport = makeTransport({ auth: { signer, allow: [relay.url] } });
    const closed: string[] = [];
    for (let round = 1; round <= 2; round += 1) {
      transport.subscribe([relay.url], [{}], { onEvent() {}, onClosed: (_, reason) => closed.push(reason) });
      await until(() => closed.length === round);
      expect(closed.at(-1)).toContain('(restricted: not on the list)');
    }
    const [outcome] = await transport.publish(await makeEvent(), [relay.url]);
    expect(outcome).toMatchObject({ status: 'rejected' });
    expect(templates).toHaveLength(1);
  });

  it('NET-1 a relay that still wants AUTH after it accepted one is left', async () => {
    const relay = await makeRelay({
      onOpen: (client) => client.send(['AUTH', 'challenge']),
      onMessage: ([type, first], client) => {
        if (type === 'AUTH') client.send(['OK', (first as NostrEvent).id, true, '']);
        if (type === 'REQ') client.send(['CLOSED', first, 'auth-required: again']);
        if (type === 'EVENT') client.send(['OK', (first as NostrEvent).id, false, 'auth-required: again']);
      },
    });
    const transport = makeTransport({ auth: { signer: signerOf(9), allow: [relay.url] } });
    const closed: string[] = [];
    transport.subscribe([relay.url], [{}], { onEvent() {}, onClosed: (_, reason) => closed.push(reason) });
    await until(() => closed.length > 0);
    expect((await transport.publish(await makeEvent(), [relay.url]))[0]?.status).toBe('rejected');
    expect(relay.received.filter(({ message: [type] }) => type === 'AUTH')).toHaveLength(1);
  });

  it("NET-1 'restricted:' is for good once the relay knows us, or may not", async () => {
    for (const allow of [true, false]) {
      const relay = await makeRelay({
        onOpen: (client) => client.send(['AUTH', 'challenge']),
        onMessage: ([type, first], client) => {
          if (type === 'AUTH') client.send(['OK', (first as NostrEvent).id, true, '']);
          if (type === 'REQ') client.send(['CLOSED', first, 'restricted: members only']);
          if (type === 'EVENT')
            client.send(['OK', (first as NostrEvent).id, false, 'restricted: members only']);
        },
      });
      const auth = { signer: signerOf(9), allow: allow ? [relay.url] : [] };
      const transport = makeTransport({ auth });
      const closed: string[] = [];
      transport.subscribe([relay.url], [{}], { onEvent() {}, onClosed: (_, reason) => closed.push(reason) });
      await until(() => closed.length > 0);
      expect(closed).toEqual(['restricted: members only']);
      expect((await transport.publish(await makeEvent(), [relay.url]))[0]).toMatchObject({
        status: 'rejected',
        message: 'restricted: members only',
      });
      const count = (wanted: string) =>
        relay.received.filter(({ message: [type] }) => type === wanted).length;
      expect([count('AUTH'), count('REQ'), count('EVENT')]).toEqual(allow ? [1, 2, 1] : [0, 1, 1]);
    }
  });

  it("NET-1 a publish that is refused as 'restricted:' before we said who we are is tried once as somebody", async () => {
    const known = new Set<number>();
    const relay = await makeRelay({
      onOpen: (client) => client.send(['AUTH', 'challenge']),
      onMessage: ([type, first], client) => {
        const { id } = first as NostrEvent;
        if (type === 'AUTH') known.add(client.number);
        const isKnown = known.has(client.number);
        client.send(['OK', id, isKnown, isKnown ? '' : 'restricted: members only']);
      },
    });
    const transport = makeTransport({ auth: { signer: signerOf(9), allow: [relay.url] } });
    const [outcome] = await transport.publish(await makeEvent(), [relay.url]);
    expect(outcome?.status).toBe('accepted');
    expect(relay.received.map(({ message: [type] }) => type)).toEqual(['EVENT', 'AUTH', 'EVENT']);
  });

  const demanding = (challenge: string | null) => ({
    onOpen: (client: Client) => challenge !== null && client.send(['AUTH', challenge]),
    onMessage: ([type, first]: readonly unknown[], client: Client) => {
      if (type === 'REQ') client.send(['CLOSED', first, 'auth-required: who?']);
      if (type === 'EVENT') client.send(['OK', (first as NostrEvent).id, false, 'auth-required: who?']);
    },
  });

  it.each([
    ['a signer that never answers', 'challenge', { signEvent: () => new Promise<never>(() => {}) }],
    [
      'a signer that throws',
      'challenge',
      {
        signEvent: () => {
          throw new Error('with the key in it: 5ec2e7');
        },
      },
    ],
    ['a relay that never sends a challenge', null, {}],
    ['a relay that never answers AUTH', 'challenge', {}],
  ])('NET-1 X-7 %s hangs nothing', async (_, challenge, broken) => {
    const relay = await makeRelay(demanding(challenge));
    const signer = { ...signerOf(9), ...broken } as Signer;
    const transport = makeTransport({
      auth: { signer, allow: [relay.url] },
      limits: { authTimeoutMs: 100 },
    });
    const closed: string[] = [];
    transport.subscribe([relay.url], [{}], {
      onEvent() {},
      onClosed: (_relay, reason) => closed.push(reason),
    });
    const [outcome] = await transport.publish(await makeEvent(), [relay.url], { timeoutMs: 240_000 });
    await until(() => closed.length > 0);
    expect(outcome).toMatchObject({
      status: 'rejected',
      message: expect.stringMatching(/the signer failed|AUTH took too long/),
    });
    expect(`${closed} ${outcome?.message}`).not.toContain('5ec2e7');
  });

  it('NET-1 what a slow signer signed for an earlier connection is not sent on the next', async () => {
    const { promise: slow, resolve } = Promise.withResolvers<void>();
    const inner = signerOf(9);
    let calls = 0;
    const signer: Signer = {
      ...inner,
      signEvent: async (template) => {
        calls += 1;
        if (calls === 1) await slow;
        return inner.signEvent(template);
      },
    };
    const relay = await makeTestRelay(required);
    const transport = makeTransport({ auth: { signer, allow: [relay.url] } });
    let ready = false;
    transport.subscribe([relay.url], [{ kinds: [1] }], {
      onEvent() {},
      onEose: () => {
        ready = true;
      },
    });
    await until(() => calls === 1);
    relay.dropAll();
    await until(() => ready);
    resolve();
    await transport.query([relay.url], [{ kinds: [1] }]);
    expect(sentTo(relay, 'AUTH')).toHaveLength(1);
  });
});
