import { describe, expect, it } from 'vitest';
import { estimateCycle, parseConfig } from '../src/index.ts';
import { createScriptedReflector } from '../src/testing/index.ts';
import { countTokens } from './world/tokenizers.ts';
import { createWorld, day, hour, peerId } from './world/world.ts';

const alice = peerId('a');
const nothing = { output: { assessments: [] }, usage: { inputTokens: 1_000, outputTokens: 100 } };

describe('the caps of the cost', () => {
  it.each([
    ['calls_per_day', { callsPerDay: 2 }, 3, 2],
    ['tokens_per_day', { tokensPerDay: 2_600 }, null, 2_600],
    ['money_per_day', { moneyPerDay: 0.015, prices: { input: 3, output: 15 } }, null, 0.015],
  ] as const)(
    'CTX-13 %s prevents the third call of a day, with the reason, until the next day',
    async (limit, budget, wanted, allowed) => {
      await using world = await createWorld();
      const reflector = createScriptedReflector(nothing);
      const cortex = world.cortex({ reflector, config: { budget } });
      const results = [];
      for (let n = 0; n < 3; n += 1) {
        await world.work(alice, `w${n}`, 'verified');
        results.push(await cortex.reflectNow('again'));
      }
      expect(results.map(({ status }) => status)).toEqual(['applied', 'applied', 'skipped']);
      expect(results[2]).toMatchObject({ reason: 'budget', skip: { limit, allowed, triggers: ['again'] } });
      if (wanted !== null) expect(results[2]).toMatchObject({ skip: { wanted } });
      expect(cortex.costs().skips).toHaveLength(1);
      expect(cortex.stats().skippedForCost).toBe(1);
      expect(reflector.requests).toHaveLength(2);
      world.now += day;
      expect(await cortex.reflectNow('next day')).toMatchObject({
        status: 'applied',
        record: { peers: [alice] },
      });
      expect(cortex.costs().days.map(({ calls }) => calls)).toEqual([2, 1]);
    },
  );

  it('CTX-13 tokens_per_cycle prevents a call, and also the retry', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const reflector = createScriptedReflector({ ...nothing, output: 'no JSON' });
    const cortex = world.cortex({ reflector, config: { budget: { tokensPerCycle: 2_000 } } });
    expect(await cortex.reflectNow('one')).toMatchObject({
      reason: 'budget',
      skip: { limit: 'tokens_per_cycle' },
    });
    expect(reflector.requests).toHaveLength(1);
    expect(cortex.costs().days[0]?.calls).toBe(1);
  });

  it('CTX-13 CTX-29 facts still correct trust when the budget is used up: an attack needs no model', async () => {
    await using world = await createWorld();
    for (let n = 0; n < 4; n += 1) await world.work(alice, `w${n}`, 'verified');
    await world.ledger.recordAssessment(alice, 4, 'good', { source: 'cortex' });
    await world.ledger.recordOutcome('w3', 'violation', { evidence: { call: 'connect' } });
    const cortex = world.cortex({
      reflector: createScriptedReflector(),
      config: { budget: { callsPerDay: 0 } },
    });
    await cortex.reflectNow('look');
    expect(await world.ledger.getLatestAssessment(alice)).toMatchObject({ trust: -8, assessor: 'facts' });
  });

  it('CTX-4 CTX-13 a swarm of new peers buys two cycles an hour, not one each', async () => {
    await using world = await createWorld();
    const reflector = createScriptedReflector(nothing);
    const config = {
      triggers: {
        newPeer: { enabled: true },
        count: { enabled: false },
        timer: { enabled: false },
        pattern: { enabled: false },
      },
    };
    const cortex = world.cortex({ reflector, config });
    await cortex.start();
    for (let n = 0; n < 40; n += 1) {
      const peer = `${n}`.padStart(64, '0');
      await world.ledger.recordIncoming({ peerId: peer, channel: 'nostr', content: 'hi' });
      cortex.hooks.onMessage({ peerId: peer, content: 'hi' });
      await cortex.tick();
      await cortex.tick();
    }
    expect(reflector.requests.length).toBeLessThanOrEqual(2);
    world.now += hour;
    await cortex.tick();
    expect(reflector.requests.length).toBeLessThanOrEqual(3);
  });

  it('CTX-13 a cheap triage gates the expensive reflection, and its failure does not', async () => {
    await using world = await createWorld();
    const deep = createScriptedReflector(nothing);
    const triage = createScriptedReflector(
      { output: '{"reflect":false,"reason":"small talk"}' },
      { output: { reflect: true } },
      new Error('down'),
    );
    const cortex = world.cortex({ reflector: deep, triage });
    for (let n = 0; n < 3; n += 1) {
      await world.work(alice, `w${n}`, 'verified');
      await cortex.reflectNow('again');
    }
    const history = cortex.history().toReversed();
    expect(history.map(({ depth, summary }) => [depth, summary])).toEqual([
      ['triage', 'small talk'],
      ['deep', ''],
      ['deep', ''],
    ]);
    expect(deep.requests).toHaveLength(2);
    expect(triage.requests[0]?.depth).toBe('triage');
  });
});

describe('estimateCycle', () => {
  it('CTX-13 is within a factor of two of what cycles with five peers take', async () => {
    await using world = await createWorld();
    for (let n = 0; n < 50; n += 1)
      await world.work(peerId(String(n % 5)), `w${n}`, n % 7 === 0 ? 'rejected' : 'verified');
    const reflector = createScriptedReflector(nothing);
    const cortex = world.cortex({ reflector });
    await cortex.reflectNow('measure');
    const [request] = reflector.requests;
    const measured = countTokens(`${request?.system}\n${request?.input}`);
    const { inputTokens } = estimateCycle(parseConfig(), 5);
    expect(measured).toBeLessThan(3_000);
    expect(inputTokens / measured).toBeGreaterThan(0.5);
    expect(inputTokens / measured).toBeLessThan(2);
  });

  it('CTX-13 grows with peers up to the context, and by the day with the schedule', () => {
    const config = parseConfig({ budget: { prices: { input: 3, output: 15 } } });
    const five = estimateCycle(config, 5);
    const fifty = estimateCycle(config, 50);
    expect(fifty.inputTokens).toBeGreaterThan(five.inputTokens);
    expect(fifty.inputTokens).toBeLessThanOrEqual(8_500);
    expect(five.perDay.cycles).toBe(48);
    expect(five.perDay.money).toBeCloseTo(48 * five.money);
  });
});
