import { setTimeout as sleep } from 'node:timers/promises';
import { measured } from '@bonafide/internal/testing';
import { describe, expect, it } from 'vitest';
import {
  createLedger,
  createLedgerHooks,
  createMemoryLedgerStore,
  type LedgerConfig,
  type LedgerStore,
  type Logger,
} from '../src/index.ts';

const start = Date.UTC(2026, 0, 3, 12);

function setUp(config: LedgerConfig = {}, store: LedgerStore = createMemoryLedgerStore()) {
  const time = { now: start };
  const ledger = createLedger({ store, clock: () => time.now, config });
  const logged: string[] = [];
  const log: Logger['error'] = (_details, text) => void logged.push(text ?? '');
  const hooks = createLedgerHooks(ledger, { logger: { debug: log, info: log, warn: log, error: log } });
  return { ledger, hooks, time, logged };
}

/** A flow of its own, as a runtime gives to each conversation. */
const flow = <Result>(work: () => Promise<Result>) => Promise.resolve().then(work);

describe('createLedgerHooks', () => {
  it('X-6 LED-14 counts messages, assessments and failures of hooks for OpenTelemetry, without naming peers', async () => {
    const found = await measured(() =>
      flow(async () => {
        const { ledger, hooks } = setUp();
        await hooks.onMessage({ peerId: 'bob', channel: 'telegram', content: 'hi' });
        await hooks.afterSend({ content: 'hello' });
        await ledger.recordAssessment('telegram:bob', 1, 'Polite.');
        await ledger.close();
        await hooks.onMessage({ peerId: 'bob', channel: 'telegram', content: 'again' });
      }),
    );
    expect(found).toEqual({
      'bonafide.ledger.interactions in': 1,
      'bonafide.ledger.interactions out': 1,
      'bonafide.ledger.assessments agent': 1,
      'bonafide.ledger.hook_failures onMessage': 1,
    });
  });

  it('LED-14 records both directions and puts the history before this turn into the prompt', () =>
    flow(async () => {
      const { ledger, hooks, time } = setUp();
      const message = { peerId: 'bob', channel: 'telegram', content: 'hi', correlationId: 'job' };
      const turn = await hooks.onMessage(message);
      expect(turn).toMatchObject({
        peerId: 'telegram:bob',
        duplicate: false,
        verdict: { verdict: 'caution', rule: 'first-contact' },
      });
      const prompt = await hooks.transformSystemPrompt('Be kind.');
      expect(prompt.startsWith('Be kind.\n\n## Peer Context\n')).toBe(true);
      expect(prompt).toContain('Interactions: 0\nFirst contact — no prior history.');
      await hooks.afterSend({ content: 'hello' });
      expect(await hooks.transformSystemPrompt('Be kind.')).toBe(prompt);

      time.now += 86_400_000;
      const next = await hooks.onMessage({ ...message, content: 'and now?' });
      expect(next?.section.text).toContain('Interactions: 2 | First seen 2026-01-03 (1 day ago)');
      expect(await hooks.section()).toEqual(next?.section);
      const { items } = await ledger.getConversation('telegram:bob');
      expect(items.map((row) => [row.direction, row.content, row.correlationId])).toEqual([
        ['in', 'hi', 'job'],
        ['out', 'hello', 'job'],
        ['in', 'and now?', 'job'],
      ]);
    }));

  it('LED-14 attributes nothing wrongly in 1,000 interleaved conversations', async () => {
    const { ledger, hooks } = setUp();
    const nap = () => (Math.random() < 0.3 ? sleep(Math.random() * 5) : Promise.resolve());
    async function converse(n: number): Promise<string[]> {
      const prompts: string[] = [];
      for (let round = 0; round < 2; round++) {
        const message = { peerId: `peer-${n}`, channel: 'irc', alias: `N${n}`, content: `in ${n}` };
        const handle = async () => {
          await nap();
          prompts.push(await hooks.transformSystemPrompt(''));
          await nap();
          await hooks.afterSend({ content: `out ${n}` });
        };
        // Both ways of wiring, side by side.
        if (n % 2) {
          await hooks.run(message, handle);
        } else {
          await nap();
          await hooks.onMessage(message);
          await handle();
        }
      }
      return prompts;
    }
    const all = await Promise.all(Array.from({ length: 1000 }, (_, n) => converse(n)));

    for (const [n, [first, second]] of all.entries()) {
      expect(first).toContain('First contact');
      expect(second).toContain(`Peer: "N${n}" | `);
      expect(second).toContain('Interactions: 2 |');
      const { items } = await ledger.getConversation(`irc:peer-${n}`);
      expect(items.map(({ content }) => content)).toEqual([`in ${n}`, `out ${n}`, `in ${n}`, `out ${n}`]);
    }
    expect(await ledger.getSummary()).toMatchObject({ peers: 1000, interactions: 4000 });
    expect(hooks.failures().count).toBe(0);
  });

  it('LED-14 lets an explicit recipient win over the current sender', () =>
    flow(async () => {
      const { ledger, hooks } = setUp();
      const from = { peerId: 'bob', channel: 'irc', content: 'ask Eve', correlationId: 'job' };
      await hooks.onMessage(from);
      await hooks.afterSend({ peerId: 'eve', content: 'Bob asks' });
      await hooks.afterSend({ peerId: 'zoe', channel: 'telegram', content: 'hi', correlationId: 'other' });
      await hooks.afterSend({ peerId: 'bob', content: 'done' });
      const sent = async (peerId: string) =>
        (await ledger.getConversation(peerId)).items.map((row) => [row.content, row.correlationId]);
      expect(await sent('irc:eve')).toEqual([['Bob asks', null]]);
      expect(await sent('telegram:zoe')).toEqual([['hi', 'other']]);
      expect(await sent('irc:bob')).toEqual([
        ['ask Eve', 'job'],
        ['done', 'job'],
      ]);
    }));

  it('LED-14 has nothing to say outside of a conversation', () =>
    flow(async () => {
      const { ledger, hooks } = setUp();
      expect(await hooks.transformSystemPrompt('Be kind.')).toBe('Be kind.');
      expect(await hooks.section()).toBeNull();
      expect(hooks.failures()).toEqual({ count: 0, last: null, unattributed: 0 });
      expect(await hooks.afterSend({ content: 'to nobody' })).toBeNull();
      expect(await ledger.getSummary()).toMatchObject({ peers: 0 });
      expect(hooks.failures()).toMatchObject({ count: 1, last: { code: 'UNATTRIBUTED' }, unattributed: 1 });
    }));

  it('LED-11 forgets the peer before when an excluded sender speaks', () =>
    flow(async () => {
      const { ledger, hooks } = setUp();
      await hooks.onMessage({ peerId: 'bob', channel: 'irc', content: 'hi' });
      expect(await hooks.onMessage({ peerId: 'cron', channel: 'local', content: 'tick' })).toMatchObject({
        interactionId: null,
        verdict: { verdict: 'accept', rule: 'excluded-sender' },
        section: { text: '' },
      });
      expect(await hooks.transformSystemPrompt('Be kind.')).toBe('Be kind.');
      expect(await hooks.afterSend({ content: 'tock' })).toBeNull();
      expect(await ledger.getSummary()).toMatchObject({ peers: 1, interactions: 1 });
    }));

  it('LED-14 run keeps the flow it is called in as it was', () =>
    flow(async () => {
      const { hooks } = setUp();
      await hooks.onMessage({ peerId: 'bob', channel: 'irc', content: 'hi' });
      const inner = await hooks.run({ peerId: 'eve', channel: 'irc', content: 'ho' }, async (turn) => {
        expect(turn.peerId).toBe('irc:eve');
        return (await hooks.section())?.text;
      });
      expect(inner).toContain('eve');
      expect((await hooks.section())?.text).toContain('bob');
      await expect(
        hooks.run({ peerId: 'eve', channel: 'irc', content: 'ho' }, () => Promise.reject(new Error('mine'))),
      ).rejects.toThrow('mine');
    }));

  it('LED-14 never throws: what fails is logged and counted', () =>
    flow(async () => {
      const failing = async () => {
        throw new Error('disk full');
      };
      const { ledger, hooks, logged } = setUp(
        {},
        { ...createMemoryLedgerStore(), recordInteraction: failing },
      );
      const message = { peerId: 'bob', channel: 'irc', content: 'hi' };
      const failed = { interactionId: null, verdict: { verdict: 'caution', rule: 'unavailable' } };
      expect(await hooks.onMessage(message)).toMatchObject({ ...failed, peerId: 'irc:bob' });
      expect(await hooks.transformSystemPrompt('Be kind.')).toBe('Be kind.');
      expect(await hooks.afterSend({ content: 'ho' })).toBeNull();
      expect(await hooks.onMessage({ ...message, channel: '' })).toMatchObject(failed);
      expect(await hooks.onMessage(undefined as unknown as typeof message)).toMatchObject(failed);
      expect(await hooks.afterSend(undefined as unknown as { content: string })).toBeNull();
      expect(hooks.failures().count).toBe(5);
      expect(logged).toHaveLength(5);
      await expect(ledger.recordIncoming(message)).rejects.toThrow('disk full');
    }));

  it('LED-14 keeps a tally of failures in the journal, of those too that it could not write at once', () =>
    flow(async () => {
      const store = createMemoryLedgerStore();
      let isFull = true;
      const full = Object.assign(new Error('no room'), { code: 'STORAGE_FULL' });
      const { ledger, hooks, time } = setUp(
        {},
        {
          ...store,
          recordInteraction: async (write) => {
            if (isFull) throw full;
            return await store.recordInteraction(write);
          },
          addHookFailures: async (failures) => {
            if (isFull) throw full;
            await store.addHookFailures?.(failures);
          },
        },
      );
      const message = { peerId: 'bob', channel: 'irc', content: 'hi' };
      await hooks.onMessage(message);
      await hooks.onMessage(message);
      await hooks.afterSend({ content: 'ho' });
      await sleep(1);
      expect(await ledger.getHookFailures()).toEqual([]);

      isFull = false;
      time.now += 1000;
      await hooks.onMessage(message);
      await expect
        .poll(() => ledger.getHookFailures())
        .toEqual([
          { hook: 'afterSend', count: 1, lastAt: start + 1000, lastCode: 'STORAGE_FULL' },
          { hook: 'onMessage', count: 2, lastAt: start + 1000, lastCode: 'STORAGE_FULL' },
        ]);
      await hooks.onMessage({ ...message, channel: '' });
      await hooks.afterSend(undefined as unknown as { content: string });
      await expect
        .poll(async () => (await ledger.getHookFailures())?.map(({ count, lastCode }) => [count, lastCode]))
        .toEqual([
          [2, 'TypeError'],
          [3, 'INVALID_INPUT'],
        ]);
      expect(hooks.failures().count).toBe(5);
    }));

  it('LED-14 does without a tally over a store that keeps none', () =>
    flow(async () => {
      const { addHookFailures, listHookFailures, ...store } = createMemoryLedgerStore();
      const { ledger, hooks } = setUp({}, store);
      await hooks.onMessage({ peerId: 'bob', channel: '', content: 'hi' });
      expect(await ledger.getHookFailures()).toBeNull();
      expect(hooks.failures().count).toBe(1);
    }));

  it('LED-19 returns the verdict from the history before the message', () =>
    flow(async () => {
      const { ledger, hooks, time } = setUp();
      for (let n = 0; n < 3; n++) {
        await ledger.recordIncoming({
          peerId: 'eve',
          channel: 'irc',
          content: 'hi',
          at: start,
          backfill: true,
        });
        time.now += 86_400_000;
        await ledger.recordIncoming({ peerId: 'eve', channel: 'irc', content: 'hi' });
      }
      await ledger.recordAssessment('irc:eve', -5, 'took the money and left');
      const turn = await hooks.onMessage({ peerId: 'eve', channel: 'irc', content: 'new offer' });
      expect(turn?.verdict).toMatchObject({ verdict: 'refuse', rule: 'known-bad' });
      expect(turn?.section.text).toContain('Policy: refuse (known-bad)');
    }));
});
