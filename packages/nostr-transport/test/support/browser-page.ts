// Runs in a browser, bundled: what an agent does over a relay, reported to the test's server.

import { createKeySigner, createTransport, receivePrivate, sendPrivate } from '../../src/index.ts';

declare const location: { readonly href: string };

const relays = [new URL(location.href).searchParams.get('relay') ?? ''];
const [alice, bob] = [createKeySigner('01'.repeat(32)), createKeySigner('02'.repeat(32))];
const addresses = { allowLoopback: true };

async function work(): Promise<object> {
  const transport = createTransport({ addresses, auth: { signer: bob, allow: relays } });
  const note = { kind: 1, created_at: Math.floor(Date.now() / 1000), tags: [], content: 'from a browser' };
  const event = await alice.signEvent(note);
  const [outcome] = await transport.publish(event, relays, { timeoutMs: 240_000 });
  const found = await transport.query(relays, [{ kinds: [1] }], { timeoutMs: 240_000 });

  const { promise: received, resolve } = Promise.withResolvers<string>();
  await receivePrivate({ transport, signer: bob, relays, onMessage: ({ content }) => resolve(content) });
  const recipient = await bob.getPublicKey();
  const message = { recipient, content: 'in private', inboxRelays: relays };
  await sendPrivate({ transport, signer: alice, ...message, timeoutMs: 240_000 });
  const result = {
    status: outcome?.status,
    found: found.map(({ content }) => content),
    received: await received,
  };
  await transport.close();
  return result;
}

const report = (result: object) => fetch('/result', { method: 'POST', body: JSON.stringify(result) });
work().then(report, (error: unknown) => report({ error: String(error) }));
