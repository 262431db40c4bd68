import { describe, expect, it } from 'vitest';
import { createMemoryState, createRuleReflector, type Reflector } from '../src/index.ts';
import { createScriptedReflector } from '../src/testing/index.ts';
import { createWorld, minute, peerId, type World } from './world/world.ts';

const alice = peerId('a');
const idle = () => createScriptedReflector({ output: { assessments: [] } });

/** Minutes of activity until the timer starts a cycle. */
async function minutesToCycle(world: World, cortex: ReturnType<World['cortex']>): Promise<number> {
  for (let minutes = 1; minutes <= 300; minutes += 1) {
    world.now += minute;
    if (minutes === 1) {
      await world.ledger.recordIncoming({ peerId: alice, channel: 'nostr', content: `at ${world.now}` });
    }
    if (minutes === 1) cortex.hooks.onMessage({ peerId: alice, content: 'hi' });
    if ((await cortex.tick())?.status === 'applied') return minutes;
  }
  return Number.POSITIVE_INFINITY;
}

async function intervals(reflector: Reflector, tuning: boolean, cycles: number) {
  await using world = await createWorld();
  const state = createMemoryState();
  const config = { triggers: { tuning: { enabled: tuning }, count: { enabled: false } } };
  const found: number[] = [];
  let cortex = world.cortex({ reflector, state, config });
  await cortex.start();
  for (let n = 0; n < cycles; n += 1) {
    // Half way the process is restarted, and goes on with what it learned.
    if (n === Math.floor(cycles / 2)) {
      await cortex.close();
      cortex = world.cortex({ reflector, state, config });
      await cortex.start();
    }
    found.push(await minutesToCycle(world, cortex));
  }
  return found;
}

describe('triggers that tune themselves', () => {
  it('CTX-25 back off while cycles find nothing, up to four times the interval, also across a restart', async () => {
    const found = await intervals(idle(), true, 7);
    expect(found[0]).toBeGreaterThanOrEqual(29);
    for (const [n, minutes] of found.entries()) {
      if (n > 0) expect(minutes).toBeGreaterThanOrEqual((found[n - 1] ?? 0) - 1);
      expect(minutes).toBeLessThanOrEqual(121);
    }
    expect(found.at(-1)).toBeGreaterThanOrEqual(119);
  });

  it('CTX-25 come forward while cycles find something, down to half of the interval', async () => {
    const rule = createRuleReflector();
    let call = 0;
    const finds: Reflector = {
      async reflect(request) {
        call += 1;
        const answer = await rule.reflect(request);
        const key = `note-${call}`;
        return {
          ...answer,
          output: { ...(answer.output as object), beliefs: [{ key, value: 'new', rationale: 'r' }] },
        };
      },
    };
    const found = await intervals(finds, true, 6);
    expect(Math.min(...found)).toBeGreaterThanOrEqual(14);
    expect(found.at(-1)).toBeLessThanOrEqual(16);
  });

  it('CTX-25 CTX-2 keep their interval by default', async () => {
    for (const minutes of await intervals(idle(), false, 4))
      expect(Math.abs(minutes - 30)).toBeLessThanOrEqual(1);
  });
});
