// A Cloudflare Worker: most runtimes of that kind take this shape.
import { createLedger, createLedgerHooks, createMemoryLedgerStore } from '@bonafide/ledger-core';
import { run } from './portable.mjs';

const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 5));

/**
 * Two hundred conversations side by side in a runtime whose `AsyncLocalStorage` has no `enterWith`: what the calls on the hooks
 * record within `hooks.run`, and whether `onMessage` works without it.
 */
async function converse() {
  const ledger = createLedger({ store: createMemoryLedgerStore() });
  const hooks = createLedgerHooks(ledger);
  const names = Array.from({ length: 200 }, (_, n) => `peer${n}`);
  await Promise.all(
    names.map((name) =>
      hooks.run({ peerId: name, channel: 'irc', content: `I am ${name}` }, async () => {
        await pause();
        const prompt = await hooks.transformSystemPrompt('');
        await pause();
        await hooks.afterSend({ content: prompt.includes(`irc:${name}\n`) ? name : 'another prompt' });
      }),
    ),
  );
  let right = 0;
  for (const name of names) {
    const { items } = await ledger.getConversation(`irc:${name}`);
    if (items.length === 2 && items[1].content === name) right += 1;
  }
  const turn = await hooks.onMessage({ peerId: 'last', channel: 'irc', content: 'Hi' });
  const sent = await turn.afterSend({ content: 'Hello' });
  const ambient = await hooks.afterSend({ content: 'To whom?' });
  return { right, sent: sent?.peerId, ambient, failures: hooks.failures().count };
}

export default {
  async fetch(request) {
    return Response.json(new URL(request.url).pathname === '/turns' ? await converse() : await run());
  },
};
