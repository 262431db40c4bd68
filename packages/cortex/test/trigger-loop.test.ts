import { describe, expect, it } from 'vitest';
import { type AfterReflectEvent, createRuleReflector } from '../src/index.ts';
import { createScriptedReflector } from '../src/testing/index.ts';
import { createWorld, minute, peerId, trust } from './world/world.ts';

const alice = peerId('a');
const _bob = peerId('b');

describe('triggers at work', () => {
  it('CTX-2 two hours of timer without activity: no cycle, no token', async () => {
    await using world = await createWorld();
    const reflector = createScriptedReflector();
    const cortex = world.cortex({ reflector });
    await cortex.start();
    for (let n = 0; n < 8; n += 1) {
      world.now += 15 * minute;
      expect(await cortex.tick()).toBeNull();
    }
    expect(reflector.requests).toHaveLength(0);
  });

  it('CTX-2 CTX-3 the fifth message makes a cycle by itself, the timer one for fewer; both together make one', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const cortex = world.cortex({ reflector: createRuleReflector() });
    await cortex.start();
    const reflected = () =>
      new Promise<AfterReflectEvent>((resolve) => {
        const stop = cortex.on('afterReflect', (event) => {
          stop();
          resolve(event);
        });
      });
    const byCount = reflected();
    for (let n = 0; n < 5; n += 1) cortex.hooks.onMessage({ peerId: alice, content: 'x' });
    expect((await byCount).triggers).toEqual(['count']);

    await world.work(alice, 'two', 'verified');
    cortex.hooks.onMessage({ peerId: alice });
    world.now += 29 * minute;
    expect(await cortex.tick()).toBeNull();
    world.now += minute;
    expect(await cortex.tick()).toMatchObject({ status: 'applied', record: { triggers: ['timer'] } });

    await world.work(alice, 'three', 'verified');
    world.now += 31 * minute;
    const both = reflected();
    for (let n = 0; n < 5; n += 1) cortex.hooks.onMessage({ peerId: alice });
    expect(await both).toMatchObject({ trigger: 'timer', triggers: ['timer', 'count'] });
  });

  it('CTX-2 the timer runs by itself', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const cortex = world.cortex({
      reflector: createRuleReflector(),
      clock: Date.now,
      config: { scheduleMs: 10, guards: 'clamp' },
    });
    const event = new Promise<AfterReflectEvent>((resolve) => cortex.on('afterReflect', resolve));
    await cortex.start();
    expect((await event).triggers).toEqual(['timer']);
  });

  it('CTX-12 after a failure the triggers wait a while, so that a broken model is not called in a loop', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const reflector = createScriptedReflector(new Error('down'));
    const cortex = world.cortex({ reflector });
    await cortex.start();
    await cortex.reflectNow('one');
    for (let n = 0; n < 9; n += 1) cortex.hooks.onMessage({ peerId: alice });
    expect(await cortex.tick()).toBeNull();
    expect(cortex.stats().skippedBackoff).toBeGreaterThan(0);
    world.now += minute;
    expect(await cortex.tick()).toMatchObject({ status: 'failed' });
  });

  it('CTX-1 events about somebody who is not in the ledger make no cycle', async () => {
    await using world = await createWorld();
    const reflector = createScriptedReflector();
    const cortex = world.cortex({ reflector });
    await cortex.start();
    for (let n = 0; n < 9; n += 1) cortex.hooks.onMessage({ peerId: 'cron' });
    expect(await cortex.tick()).toEqual({ status: 'skipped', reason: 'no_activity' });
    expect(reflector.requests).toHaveLength(0);
  });

  it('CTX-24 new settings hold from the next cycle on, and wrong ones change nothing', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const cortex = world.cortex({ reflector: createScriptedReflector(trust(alice, 9)) });
    expect(() => cortex.configure({ maxTrustDelta: -1 })).toThrowError(
      expect.objectContaining({ code: 'INVALID_CONFIG' }),
    );
    expect(() => cortex.configure({ maxTrustDelat: 1 } as never)).toThrowError(/maxTrustDelat/u);
    cortex.configure({ maxTrustDelta: 1, triggers: { count: { interactions: 2 } } });
    await cortex.reflectNow('one');
    expect(await world.ledger.getLatestAssessment(alice)).toMatchObject({ trust: 1 });
  });

  it('CTX-24 CTX-1 another capacity of the event buffer holds at once', async () => {
    await using world = await createWorld();
    const cortex = world.cortex({ reflector: createScriptedReflector() });
    for (let n = 0; n < 1_500; n += 1) cortex.hooks.afterLlm({ inputTokens: n });
    expect(cortex.stats().eventsDropped).toBe(0);
    cortex.configure({ maxEvents: 1_000 });
    expect(cortex.stats().eventsDropped).toBe(500);
    for (let n = 0; n < 10; n += 1) cortex.hooks.afterLlm({});
    expect(cortex.stats().eventsDropped).toBe(510);
  });
});
