import { describe, expect, it } from 'vitest';
import { createMemoryState } from '../src/index.ts';
import { createScriptedReflector } from '../src/testing/index.ts';
import { createWorld, peerId } from './world/world.ts';

const alice = peerId('a');
const scored = (score: number | null, reasons: readonly string[] = ['kept its word']) => ({
  output: { assessments: [], soulAlignment: score === null ? null : { score, reasons } },
});

describe('alignment with the soul text', () => {
  it('CTX-20 reports score, reasons and the drift from the cycles before, and holds a belief about the agent itself', async () => {
    await using world = await createWorld();
    const reflector = createScriptedReflector(
      scored(0.9),
      scored(0.8),
      scored(null),
      scored(0.3, ['late twice', 'promised too much']),
    );
    const state = createMemoryState();
    const cortex = world.cortex({ reflector, state, soul: async () => 'Be on time, promise little.' });
    expect(cortex.soulAlignment()).toBeNull();
    const drifts: (number | null | undefined)[] = [];
    for (let n = 0; n < 4; n += 1) {
      await world.work(alice, `w${n}`, 'verified');
      await cortex.reflectNow('again');
      drifts.push(cortex.soulAlignment()?.drift);
    }
    expect(reflector.requests.every(({ input }) => input.includes('Be on time, promise little.'))).toBe(true);
    // The mean of .9 and .8 is the measure; a cycle without a score changes nothing.
    expect(drifts).toEqual([null, expect.closeTo(-0.1), expect.closeTo(-0.1), expect.closeTo(-0.55)]);
    expect(cortex.soulAlignment()).toMatchObject({
      score: 0.3,
      reasons: ['late twice', 'promised too much'],
      scores: [
        { cycle: 1, score: 0.9 },
        { cycle: 2, score: 0.8 },
        { cycle: 4, score: 0.3 },
      ],
    });
    expect(cortex.beliefs()).toMatchObject([
      {
        key: 'soul-alignment',
        peerId: null,
        kind: 'template',
        value: 'behavior matched the soul text to 30 %',
      },
    ]);
    expect(cortex.transformSystemPrompt('')).toContain('- soul-alignment: behavior matched');
    await cortex.close();
    const next = world.cortex({ reflector, state });
    await next.refresh();
    expect(next.soulAlignment()).toEqual(cortex.soulAlignment());
  });

  it.each([-0.1, 1.1, Number.NaN, '0.5', null])(
    'CTX-20 a score of %s is dropped, and the rest counts',
    async (score) => {
      await using world = await createWorld();
      await world.work(alice, 'one', 'verified');
      const soulAlignment = { score, reasons: [] };
      const assessments = [{ peerId: alice, trust: 1, rationale: 'one of one' }];
      const cortex = world.cortex({
        reflector: createScriptedReflector({ output: { assessments, soulAlignment } }),
        soul: async () => 'Be fair.',
      });
      await cortex.reflectNow('one');
      expect(cortex.soulAlignment()).toBeNull();
      expect(cortex.history()[0]).toMatchObject({ assessments: [{ trust: 1 }], dropped: [{ kind: 'soul' }] });
    },
  );

  it('CTX-20 CTX-12 a soul text that cannot be read does not stop the cycle', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const reflector = createScriptedReflector(scored(null));
    const cortex = world.cortex({ reflector, soul: () => Promise.reject(new Error('gone')) });
    expect(await cortex.reflectNow('one')).toMatchObject({ status: 'applied' });
    expect(reflector.requests[0]?.facts.soul).toBeNull();
  });
});
