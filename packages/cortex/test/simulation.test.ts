/* The ten rows of the simulation plan, each with its criterion. Rows about the plain clamp run with `guards: 'clamp'`, and again with all guards. */
import { describe, expect, it } from 'vitest';
import { cited, inlineRationale as inline, sequences } from '../bench/plan/quality.ts';
import { planRows } from '../bench/plan/rows.ts';
import { createRuleReflector, estimateCycle, parseConfig, type Reflector } from '../src/index.ts';
import { createScriptedReflector } from '../src/testing/index.ts';
import { countTokens } from './world/tokenizers.ts';
import { createWorld, hour, minute, peerId, type World } from './world/world.ts';

const alice = peerId('a');
const propose = (trust: number) => ({
  assessments: [{ peerId: alice, trust, rationale: `proposed ${trust}` }],
});
const trustOf = async (world: World) => (await world.ledger.getLatestAssessment(alice))?.trust ?? null;
const talk = (world: World, content = 'hello') =>
  world.ledger.recordIncoming({ peerId: alice, channel: 'nostr', content });

describe('the simulation plan', () => {
  it('CTX-26 row 1, quality: rationales cite more facts than inline ones in at least 70 % of twenty sequences', async () => {
    let better = 0;
    for (const outcomes of sequences) {
      await using world = await createWorld();
      for (const [n, outcome] of outcomes.entries()) await world.work(alice, `w${n}`, outcome);
      await world.cortex({ reflector: createRuleReflector() }).reflectNow('compare');
      const rationale = (await world.ledger.getLatestAssessment(alice))?.rationale ?? '';
      if (cited(rationale) > cited(inline(outcomes))) better += 1;
    }
    expect(better).toBeGreaterThanOrEqual(14);
  });

  it.each(['clamp', 'all'] as const)(
    'CTX-26 row 2, hallucination with guards %s: at most −3 a cycle, and the next clean cycle recovers',
    async (guards) => {
      await using world = await createWorld();
      for (let n = 0; n < 20; n += 1) {
        world.now += 48 * hour;
        await world.work(alice, `w${n}`, 'verified');
      }
      await world.ledger.recordAssessment(alice, 5, 'twenty of twenty', { source: 'cortex' });
      const reflector = createScriptedReflector(
        propose(-10),
        propose(-10),
        propose(-10),
        propose(5),
        propose(5),
        propose(5),
      );
      const cortex = world.cortex({ reflector, config: { guards } });
      const trusts: (number | null)[] = [5];
      for (let n = 0; n < 6; n += 1) {
        world.now += hour;
        await talk(world);
        await cortex.reflectNow('misled');
        trusts.push(await trustOf(world));
      }
      for (const [n, trust] of trusts.entries()) {
        const before = trusts[n - 1];
        if (before != null) expect(before - (trust ?? 0)).toBeLessThanOrEqual(3);
      }
      expect(trusts[4]).toBeGreaterThan(trusts[3] ?? 0);
      // With all guards a fall without a failure stops at the band, and the way back is free.
      if (guards === 'all') expect(trusts.slice(1, 5)).toEqual([4, 4, 4, 5]);
    },
  );

  it('CTX-26 row 3, pattern: five trivial requests and a large one are named, and limited by a directive', async () => {
    await using world = await createWorld();
    for (let n = 0; n < 5; n += 1) {
      const request = {
        peerId: alice,
        channel: 'nostr',
        content: 'small favour',
        metrics: { costMsat: 1_000 },
      };
      await world.ledger.recordIncoming({ ...request, correlationId: `r${n}` });
      world.now += hour;
    }
    const content = 'one large favour, please';
    await world.ledger.recordIncoming({
      peerId: alice,
      channel: 'nostr',
      content,
      correlationId: 'big',
      metrics: { costMsat: 50_000 },
    });
    const cortex = world.cortex({ reflector: createRuleReflector() });
    await cortex.reflectNow('look');
    expect(cortex.beliefs().map(({ key }) => key)).toContain('escalating-requests');
    expect(cortex.directives().poll()).toMatchObject([{ kind: 'decline_large_work' }]);
    expect((await world.ledger.getLatestAssessment(alice))?.rationale).toMatch(
      /A request of 50000, 50 times the median/u,
    );
    expect(inline(['requested'])).not.toMatch(/median|times/u);
  });

  it('CTX-26 row 4, cost: ten cycles with five peers stay within twice the estimate', async () => {
    await using world = await createWorld();
    const counting: Reflector = {
      async reflect(request) {
        const answer = await createRuleReflector().reflect(request);
        const inputTokens = countTokens(`${request.system}\n${request.input}`);
        return {
          ...answer,
          usage: { inputTokens, outputTokens: countTokens(JSON.stringify(answer.output)) },
        };
      },
    };
    const cortex = world.cortex({ reflector: counting });
    for (let n = 0; n < 10; n += 1) {
      for (let peer = 0; peer < 5; peer += 1)
        await world.work(peerId(String(peer)), `w${n}-${peer}`, 'verified');
      world.now += hour;
      await cortex.reflectNow('measure');
    }
    const measured = cortex.history().reduce((sum, { cost }) => sum + cost.inputTokens, 0);
    const estimated = 10 * estimateCycle(parseConfig(), 5).inputTokens;
    expect(measured / estimated).toBeGreaterThan(0.5);
    expect(measured / estimated).toBeLessThan(2);
  });

  it('CTX-26 row 5, activity: two hours of timer without interactions make no cycle', async () => {
    await using world = await createWorld();
    const reflector = createScriptedReflector();
    const cortex = world.cortex({ reflector });
    await cortex.start();
    for (let elapsed = 0; elapsed < 2 * hour; elapsed += minute) {
      world.now += minute;
      expect(await cortex.tick()).toBeNull();
    }
    expect(reflector.requests).toHaveLength(0);
    expect(cortex.costs().days).toEqual([]);
  });

  it('CTX-26 row 6, time to live: a belief that is not reaffirmed leaves the prompt', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const beliefs = [{ key: 'work-record', rationale: 'r', peerId: alice }];
    const cortex = world.cortex({
      reflector: createScriptedReflector({ assessments: [], beliefs } as never),
    });
    await cortex.reflectNow('one');
    expect(cortex.transformSystemPrompt('')).toContain('work-record');
    world.now += 2 * hour;
    expect(cortex.transformSystemPrompt('')).toBe('');
  });

  it.each([
    ['clamp', 3, 6],
    ['all', 3, 3],
  ] as const)(
    'CTX-26 row 7, clamp boundary with guards %s: +7 from 0 becomes %d, then %d',
    async (guards, first, second) => {
      await using world = await createWorld();
      await talk(world);
      await world.ledger.recordAssessment(alice, 0, 'no basis', { source: 'agent' });
      const cortex = world.cortex({ reflector: createScriptedReflector(propose(7)), config: { guards } });
      for (const expected of [first, second]) {
        world.now += hour;
        await talk(world);
        await cortex.reflectNow('again');
        expect(await trustOf(world)).toBe(expected);
      }
    },
  );

  it.each([
    ['clamp', 3],
    ['all', 1],
  ] as const)('CTX-26 row 8, first assessment with guards %s: +8 becomes %d', async (guards, expected) => {
    await using world = await createWorld();
    await talk(world);
    const cortex = world.cortex({ reflector: createScriptedReflector(propose(8)), config: { guards } });
    await cortex.reflectNow('first');
    expect(await trustOf(world)).toBe(expected);
  });

  it.each([
    ['clamp', 8],
    ['all', 5],
  ] as const)(
    'CTX-26 row 9, migration with guards %s: an inherited +5 moves within [+2, +%d]',
    async (guards, highest) => {
      for (const [proposed, expected] of [
        [-10, 2],
        [10, highest],
      ] as const) {
        await using world = await createWorld();
        await talk(world);
        await world.ledger.recordAssessment(alice, 5, 'from before', { source: 'agent' });
        world.now += hour;
        await talk(world);
        const cortex = world.cortex({
          reflector: createScriptedReflector(propose(proposed)),
          config: { guards },
        });
        await cortex.start();
        await cortex.reflectNow('first');
        expect(await trustOf(world)).toBe(expected);
      }
    },
  );

  it('CTX-26 row 10, concurrency: a trigger during a cycle is skipped, and nothing is written twice', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    let answer: () => void = () => {};
    const slow: Reflector = {
      reflect: () =>
        new Promise((resolve) => {
          answer = () => resolve({ output: propose(1) });
        }),
    };
    const cortex = world.cortex({ reflector: slow });
    await cortex.start();
    const cycle = cortex.reflectNow('slow');
    for (let n = 0; n < 9; n += 1) cortex.hooks.onMessage({ peerId: alice, content: 'more' });
    expect(await cortex.tick()).toEqual({ status: 'skipped', reason: 'busy' });
    await expect
      .poll(async () => {
        answer();
        return (await Promise.race([cycle, Promise.resolve(null)]))?.status;
      })
      .toBe('applied');
    await cortex.close();
    expect(await world.ledger.getAssessments(alice)).toHaveLength(1);
  });

  it.each(planRows)(
    'CTX-26 $name meets its criterion with the plain clamp and with all guards, or these are stricter',
    async ({ run, stricterWithAll }) => {
      const clamp = await run('clamp');
      expect(clamp.passes, clamp.measured).toBe(true);
      const all = await run('all');
      expect(all.passes, all.measured).toBe(!stricterWithAll);
    },
  );

  it('CTX-26 CTX-27 an exit scammer with a hundred good jobs falls within ten bad ones', async () => {
    await using world = await createWorld();
    const cortex = world.cortex({ reflector: createRuleReflector() });
    for (let n = 0; n < 100; n += 1) {
      await world.work(alice, `good-${n}`, 'verified');
      if (n % 20 === 19) {
        world.now += 90 * 24 * hour;
        await cortex.reflectNow('good');
      }
    }
    const before = (await trustOf(world)) ?? 0;
    expect(before).toBeGreaterThanOrEqual(5);
    let bad = 0;
    while (((await trustOf(world)) ?? 0) >= 0 && bad < 20) {
      await world.work(alice, `bad-${bad}`, 'rejected');
      bad += 1;
      await cortex.reflectNow('bad');
    }
    expect(bad).toBeLessThanOrEqual(10);
  });
});
