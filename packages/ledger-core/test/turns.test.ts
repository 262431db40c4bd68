import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as tick } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLedger, createLedgerHooks, createMemoryLedgerStore, type IncomingTurn } from '../src/index.ts';

function setUp() {
  const ledger = createLedger({ store: createMemoryLedgerStore() });
  const logged: string[] = [];
  const log = (_details: object, text = '') => void logged.push(text);
  const hooks = createLedgerHooks(ledger, { logger: { debug: log, info: log, warn: log, error: log } });
  /** What was recorded as sent, per peer. */
  const sent = async (name: string) =>
    (await ledger.getConversation(`irc:${name}`)).items
      .filter(({ direction }) => direction === 'out')
      .map(({ content }) => content);
  return { ledger, hooks, logged, sent };
}

const from = (peerId: string) => ({ peerId, channel: 'irc', content: `I am ${peerId}` });

/** A flow of its own, as a runtime gives to each conversation. */
const flow = <Result>(work: () => Promise<Result>) => Promise.resolve().then(work);

describe('turns', () => {
  it('LED-30 a helper that begins with onMessage relabels nothing of the turn that called it', () =>
    flow(async () => {
      const { hooks, logged, sent } = setUp();
      const ann = await hooks.onMessage(from('ann'));
      const bob = await hooks.onMessage(from('bob'));
      expect(await hooks.afterSend({ content: 'for whom?' })).toBeNull();
      expect((await hooks.section())?.text).toContain('Sender unclear');
      expect(hooks.failures()).toMatchObject({ count: 2, unattributed: 1, last: { code: 'UNATTRIBUTED' } });
      expect(logged).toHaveLength(2);
      await bob.afterSend({ content: 'for bob' });
      expect(await hooks.afterSend({ content: 'still for whom?' })).toBeNull();
      await ann.afterSend({ content: 'for ann' });
      await hooks.afterSend({ content: 'for bob again' });
      expect([await sent('ann'), await sent('bob')]).toEqual([['for ann'], ['for bob', 'for bob again']]);
      expect(hooks.failures().unattributed).toBe(2);
    }));

  it('LED-30 a conflict is over when both turns have ended', () =>
    flow(async () => {
      const { hooks, sent } = setUp();
      const ann = await hooks.onMessage(from('ann'));
      const bob = await hooks.onMessage(from('bob'));
      ann.end();
      expect(await hooks.afterSend({ content: 'x' })).toBeNull();
      bob.end();
      expect(await hooks.afterSend({ content: 'x' })).toBeNull();
      await hooks.onMessage(from('cat'));
      await hooks.afterSend({ content: 'for cat' });
      expect(await sent('cat')).toEqual(['for cat']);
      expect(hooks.failures().unattributed).toBe(2);
    }));

  it('LED-30 a third peer joins a conflict that is not over', () =>
    flow(async () => {
      const { hooks, sent } = setUp();
      const turns: IncomingTurn[] = [];
      for (const name of ['ann', 'bob', 'cat']) turns.push(await hooks.onMessage(from(name)));
      for (const turn of turns.slice(1)) await turn.afterSend({ content: `for ${turn.peerId}` });
      expect(await hooks.afterSend({ content: 'x' })).toBeNull();
      turns[0]?.end();
      await hooks.afterSend({ content: 'y' });
      expect([await sent('ann'), await sent('bob'), await sent('cat')]).toEqual([
        [],
        ['for irc:bob'],
        ['for irc:cat', 'y'],
      ]);
    }));

  it('LED-30 a message that stays unanswered does not end ambient sends for ever', () =>
    flow(async () => {
      const time = { now: 0 };
      const { ledger } = setUp();
      const hooks = createLedgerHooks(ledger, { clock: () => time.now, turnTimeoutMs: 60_000 });
      await hooks.onMessage(from('ann'));
      await hooks.onMessage(from('bob'));
      expect(await hooks.afterSend({ content: 'for whom?' })).toBeNull();
      time.now += 59_999;
      await hooks.onMessage(from('cat'));
      expect(await hooks.afterSend({ content: 'for whom?' })).toBeNull();
      // Ann and bob are old; cat is not.
      time.now += 1;
      expect(await hooks.afterSend({ content: 'for whom?' })).toBeNull();
      time.now += 60_000;
      await hooks.onMessage(from('dan'));
      expect(await hooks.afterSend({ content: 'for dan' })).toMatchObject({ peerId: 'irc:dan' });
      expect(await hooks.transformSystemPrompt('You are an agent.')).toContain('irc:dan');
      expect(hooks.failures().unattributed).toBe(3);
      expect(() => createLedgerHooks(ledger, { turnTimeoutMs: 0 })).toThrow('turnTimeoutMs');
    }));

  it('LED-30 a loop that ends its unanswered turns attributes every send', () =>
    flow(async () => {
      const { hooks, sent } = setUp();
      for (const name of ['ann', 'bob', 'cat']) {
        const turn = await hooks.onMessage(from(name));
        if (name === 'cat') await hooks.afterSend({ content: 'for cat' });
        else turn.end();
      }
      expect(await sent('cat')).toEqual(['for cat']);
      expect(hooks.failures().count).toBe(0);
    }));

  it('LED-30 LED-36 a prompt in a flow of several peers warns of a violator among them', () =>
    flow(async () => {
      const { ledger, hooks } = setUp();
      await ledger.recordIncoming({ ...from('eve'), outcome: 'violation' });
      await hooks.onMessage(from('ann'));
      expect(await hooks.transformSystemPrompt('You are an agent.')).toContain('irc:ann');
      await hooks.onMessage(from('eve'));
      const prompt = await hooks.transformSystemPrompt('You are an agent.');
      expect(prompt).toBe(
        'You are an agent.\n\n## Peer Context\nSender unclear: messages of several peers are open.\nPolicy: refuse (violation)',
      );
      expect(prompt).not.toContain('irc:');
      expect(hooks.failures()).toMatchObject({ count: 1, last: { code: 'UNATTRIBUTED' } });
    }));

  it('LED-30 LED-29 a recipient is recorded on its own channel', async () => {
    const { ledger, hooks } = setUp();
    const key = 'ab'.repeat(32);
    await ledger.recordIncoming({ peerId: '4711', channel: 'telegram', content: 'Hi' });
    await hooks.run(from('ann'), async (turn) => {
      const peers = [];
      for (const peerId of ['4711', 'telegram:4711', 'ann', turn.peerId, key]) {
        peers.push((await turn.afterSend({ peerId, content: 'Hi' }))?.peerId);
      }
      // On the turn's own channel, 4711 is somebody else.
      expect(peers).toEqual(['irc:4711', 'telegram:4711', 'irc:ann', 'irc:ann', key]);
      expect(await turn.afterSend({ channel: 'telegram', content: 'Hi' })).toBeNull();
      expect(await turn.afterSend({ channel: 'irc', content: 'Hi' })).toMatchObject({ peerId: 'irc:ann' });
    });
    expect(await ledger.getPeer('telegram:ann')).toBeNull();
    expect(hooks.failures()).toMatchObject({ count: 1, unattributed: 1 });
  });

  it('LED-30 LED-29 a send to a name that a peer of this channel shares with the id of another is recorded for neither', async () => {
    const { ledger, hooks, sent } = setUp();
    await ledger.recordIncoming({ peerId: '4711', channel: 'telegram', content: 'Hi' });
    await ledger.recordIncoming({ peerId: 'telegram:4711', channel: 'irc', content: 'I am 4711' });
    await hooks.run(from('ann'), async (turn) => {
      expect(await turn.afterSend({ peerId: 'telegram:4711', content: 'Hi' })).toBeNull();
      const named = { peerId: '4711', channel: 'telegram', content: 'Hi 4711' };
      expect(await turn.afterSend(named)).toMatchObject({ peerId: 'telegram:4711' });
    });
    expect(await sent('telegram:4711')).toEqual([]);
    expect(hooks.failures()).toMatchObject({ count: 1, unattributed: 1, last: { code: 'UNATTRIBUTED' } });
    // An answer to the sender itself has one recipient.
    await hooks.run({ peerId: 'telegram:4711', channel: 'irc', content: 'Hi' }, async (turn) => {
      const answer = await turn.afterSend({ peerId: 'telegram:4711', content: 'Hi' });
      expect(answer).toMatchObject({ peerId: 'irc:telegram:4711' });
    });
  });

  it('LED-30 LED-33 a turn does not bring back a peer that was erased while it was handled', async () => {
    const { ledger, hooks } = setUp();
    await hooks.run(from('ann'), async (turn) => {
      await ledger.forgetPeer('irc:ann', { reason: 'Asked for it.' });
      expect(await turn.afterSend({ content: 'Hi' })).toBeNull();
      expect(await hooks.afterSend({ content: 'Hi' })).toBeNull();
      expect(await ledger.getPeer('irc:ann')).toBeNull();
      await hooks.run(from('ann'), async (next) => {
        expect(await next.afterSend({ content: 'Hi again' })).not.toBeNull();
        expect(await turn.afterSend({ content: 'An old answer' })).toBeNull();
      });
    });
    expect((await ledger.getConversation('irc:ann')).items.map(({ content }) => content)).toEqual([
      'I am ann',
      'Hi again',
    ]);
    expect(hooks.failures()).toMatchObject({ count: 3, unattributed: 0, last: { code: 'PEER_NOT_FOUND' } });
  });

  it('LED-30 one flow handles a peer after the other, each with as many sends as it likes', () =>
    flow(async () => {
      const { hooks, sent } = setUp();
      for (const name of ['ann', 'bob', 'ann']) {
        await hooks.onMessage(from(name));
        await hooks.afterSend({ content: `1 for ${name}` });
        await hooks.afterSend({ content: `2 for ${name}` });
      }
      expect(await sent('bob')).toEqual(['1 for bob', '2 for bob']);
      expect(await sent('ann')).toEqual(['1 for ann', '2 for ann', '1 for ann', '2 for ann']);
      expect(hooks.failures().count).toBe(0);
    }));

  it('LED-30 a second message of the same peer continues its conversation', () =>
    flow(async () => {
      const { hooks, sent } = setUp();
      await hooks.onMessage(from('ann'));
      await hooks.onMessage(from('ann'));
      await hooks.afterSend({ content: 'for ann' });
      expect(await sent('ann')).toEqual(['for ann']);
    }));

  it('LED-30 a turn works where the context was lost, and what belongs to none is counted', async () => {
    const { hooks, sent } = setUp();
    const queue: { readonly turn: IncomingTurn; readonly name: string }[] = [];
    for (const name of ['ann', 'bob']) {
      await flow(async () => void queue.push({ turn: await hooks.onMessage(from(name)), name }));
    }
    // The worker does not run in the flows that filled its queue.
    for (const { turn, name } of queue) {
      expect(await hooks.afterSend({ content: 'lost' })).toBeNull();
      await turn.afterSend({ content: `for ${name}` });
      expect(turn.section.text).toContain(`irc:${name}`);
    }
    expect([await sent('ann'), await sent('bob')]).toEqual([['for ann'], ['for bob']]);
    expect(hooks.failures()).toMatchObject({ count: 2, unattributed: 2 });
  });

  it('LED-30 a journal says what was not attributed', async () => {
    const { ledger, hooks } = setUp();
    await hooks.afterSend({ content: 'lost' });
    await expect
      .poll(() => ledger.getHookFailures())
      .toMatchObject([{ hook: 'afterSend', count: 1, lastCode: 'UNATTRIBUTED' }]);
  });

  it('LED-30 nothing is attributed wrongly or lost silently, however handlers interleave', async () => {
    const way = fc.constantFrom(
      'run',
      'turn',
      'ambient',
      'run-ambient',
      'loop',
      'loop-turn',
      'nested',
      'explicit',
    );
    const step = fc.record({
      name: fc.constantFrom('ann', 'bob', 'cat', 'dan'),
      way,
      waits: fc.array(fc.nat(3), { minLength: 3, maxLength: 3 }),
      ends: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { ledger, hooks } = setUp();
        let attempts = 0;
        const pause = async (ticks = 0) => {
          for (let n = 0; n < ticks; n++) await tick();
        };
        const ambient = async (name: string) => {
          attempts += 1;
          await hooks.afterSend({ content: `to irc:${name}` });
        };
        const own = async (turn: IncomingTurn) => {
          attempts += 1;
          await turn.afterSend({ content: `to ${turn.peerId}` });
        };
        const handle = async ({ name, way: how, waits, ends }: (typeof steps)[number]) => {
          const message = from(name);
          if (how === 'run' || how === 'run-ambient') {
            await pause(waits[0]);
            return await hooks.run(message, async (turn) => {
              await pause(waits[1]);
              await (how === 'run' ? own(turn) : ambient(name));
              await pause(waits[2]);
              await ambient(name);
            });
          }
          // 'loop': onMessage is called before anything is awaited, in the flow of the loop that starts the handlers.
          if (how === 'ambient' || how === 'turn') await pause(1 + (waits[0] ?? 0));
          const turn = await hooks.onMessage(message);
          await pause(waits[1]);
          if (how === 'nested') {
            const inner = await hooks.onMessage(from('eve'));
            await own(inner);
            inner.end();
            await own(turn);
          } else if (how === 'explicit') {
            attempts += 1;
            await hooks.afterSend({ peerId: name, channel: 'irc', content: `to irc:${name}` });
          } else if (how.endsWith('turn')) await own(turn);
          else await ambient(name);
          if (ends) turn.end();
        };
        await flow(async () => {
          const running = steps.map((each) => handle(each));
          await Promise.all(running);
        });
        let recorded = 0;
        for (const name of ['ann', 'bob', 'cat', 'dan', 'eve']) {
          const { items } = await ledger.getConversation(`irc:${name}`, { limit: 1000 });
          for (const { direction, content } of items) {
            if (direction === 'in') continue;
            recorded += 1;
            expect(content).toBe(`to irc:${name}`);
          }
        }
        expect(recorded + hooks.failures().unattributed).toBe(attempts);
        expect(hooks.failures().count).toBe(hooks.failures().unattributed);
      }),
      { numRuns: 300 },
    );
  });

  it('LED-30 works where enterWith does not exist', async () => {
    // As in Cloudflare Workers, which have the class, but not this method.
    class WorkersStorage<Value> {
      readonly #storage = new AsyncLocalStorage<Value>();
      getStore = () => this.#storage.getStore();
      run = <Result>(value: Value, task: () => Result) => this.#storage.run(value, task);
      enterWith(): never {
        throw new Error('asyncLocalStorage.enterWith() is not implemented');
      }
    }
    const runtime = globalThis as { AsyncLocalStorage?: unknown };
    runtime.AsyncLocalStorage = WorkersStorage;
    try {
      const { hooks, sent } = setUp();
      const turn = await hooks.onMessage(from('ann'));
      await turn.afterSend({ content: 'for ann' });
      await hooks.run(from('bob'), async () => {
        expect(await hooks.transformSystemPrompt('')).toContain('irc:bob');
        await hooks.afterSend({ content: 'for bob' });
      });
      expect([await sent('ann'), await sent('bob')]).toEqual([['for ann'], ['for bob']]);
      expect(hooks.failures().count).toBe(0);
    } finally {
      runtime.AsyncLocalStorage = undefined;
    }
  });
});
