import { describe, expect, it } from 'vitest';
import { type CycleRecord, createRuleReflector, type Reflector, replayCycle } from '../src/index.ts';
import { createScriptedReflector } from '../src/testing/index.ts';
import { createWorld, hour, minute, peerId, type World } from './world/world.ts';

const alice = peerId('a');
const bob = peerId('b');

/** One cycle that changes everything that a cycle can change, with items that are dropped. */
async function fullCycle(world: World) {
  for (let n = 0; n < 4; n += 1) await world.work(alice, `a${n}`, n === 0 ? 'rejected' : 'verified');
  await world.work(bob, 'b', 'verified');
  const output = {
    assessments: [
      { peerId: alice, trust: 3, rationale: 'three of four' },
      { peerId: 'nobody', trust: 1, rationale: 'r' },
    ],
    beliefs: [
      { key: 'work-record', rationale: 'r', peerId: alice },
      { key: 'own-words', value: 'answers late', rationale: 'r', peerId: alice },
    ],
    directives: [
      { peerId: bob, kind: 'follow_up', params: { afterMinutes: 5 } },
      { peerId: alice, suggestion: 'Ask for references.' },
      { peerId: alice, kind: 'no_such_kind' },
    ],
    commitments: [{ peerId: alice, what: 'repairs it', dueAt: world.now + hour }],
    lessons: ['Late peers stay late.'],
    soulAlignment: { score: 0.7, reasons: ['was fair'] },
    summary: 'One judged.',
  };
  const cortex = world.cortex({
    reflector: createScriptedReflector({ output }),
    soul: async () => 'Be fair.',
  });
  await cortex.reflectNow('all');
  return cortex;
}

describe('replay', () => {
  it('CTX-23 gives the same directives, commitments, lessons, soul alignment and dropped items', async () => {
    await using world = await createWorld();
    const cortex = await fullCycle(world);
    const [record] = cortex.history();
    expect(record).toMatchObject({
      directives: ['d1-1', 'd1-2'],
      commitments: ['c1-1'],
      lessons: ['Late peers stay late.'],
    });
    expect(record?.dropped).toHaveLength(2);
    world.now += 90 * minute;
    expect(await cortex.replay(1)).toMatchObject({ identical: true, differences: [] });
  });

  it.each<readonly [string, (record: CycleRecord) => CycleRecord]>([
    [
      'directives',
      (record) => ({
        ...record,
        replay: {
          ...record.replay,
          directives: record.replay.directives.map((one) => ({ ...one, params: { afterMinutes: 6 } })),
        },
      }),
    ],
    [
      'commitments',
      (record) => ({
        ...record,
        replay: {
          ...record.replay,
          commitments: record.replay.commitments.map((one) => ({ ...one, dueAt: one.dueAt + 1 })),
        },
      }),
    ],
    ['lessons', (record) => ({ ...record, lessons: [] })],
    ['soul alignment', (record) => ({ ...record, soul: record.soul && { ...record.soul, score: 0.9 } })],
    ['summary', (record) => ({ ...record, summary: 'All is well.' })],
    ['dropped items', (record) => ({ ...record, dropped: record.dropped.slice(1) })],
  ])('CTX-23 names a difference in %s', async (name, change) => {
    await using world = await createWorld();
    const [record] = (await fullCycle(world)).history();
    if (record === undefined) throw new Error('no cycle');
    const { identical, differences } = replayCycle(change(record));
    expect(identical).toBe(false);
    expect(differences).toEqual([expect.stringContaining(`${name}: was`)]);
  });

  it('CTX-23 CTX-24 revert takes back directives, suggestions, commitments and lessons of the cycle, and no others', async () => {
    await using world = await createWorld();
    const cortex = await fullCycle(world);
    await cortex.noteCommitment({ peerId: alice, what: 'of the host', dueAt: world.now + hour });
    expect(cortex.directives().poll()).toHaveLength(1);
    expect(cortex.suggestions()).toHaveLength(1);
    await cortex.revert(1);
    expect(cortex.directives().poll()).toEqual([]);
    expect(cortex.suggestions()).toEqual([]);
    expect(cortex.lessons()).toEqual([]);
    expect(cortex.commitments().map(({ what }) => what)).toEqual(['of the host']);
    expect(cortex.beliefs()).toEqual([]);
    expect((await world.ledger.getLatestAssessment(alice))?.source).toBe('operator');
  });
});

describe('a peer whose text stops the model', () => {
  it('CTX-12 CTX-13 does not stop the cycles of others: fewer peers are asked about, and others come first', async () => {
    await using world = await createWorld();
    const rule = createRuleReflector();
    const poisoned: Reflector = {
      async reflect(request) {
        if (request.facts.peers.some((peer) => peer.peerId === alice))
          return { output: 'I cannot help with that.' };
        return rule.reflect(request);
      },
    };
    const cortex = world.cortex({ reflector: poisoned });
    await cortex.start();
    const others = Array.from({ length: 9 }, (_, n) => peerId(String(n)));
    for (const peer of [alice, ...others]) {
      await world.work(peer, `w-${peer.slice(0, 4)}`, 'verified');
      cortex.hooks.onMessage({ peerId: peer, content: 'hi' });
    }
    for (let n = 0; n < 30; n += 1) {
      world.now += 31 * minute;
      await cortex.tick();
    }
    const judged = cortex
      .history()
      .filter(({ status }) => status === 'applied')
      .flatMap(({ peers }) => peers);
    for (const peer of others) expect(judged).toContain(peer);
    expect(judged).not.toContain(alice);
    // Facts judge it all the same.
    expect((await world.ledger.getLatestAssessment(others[0] ?? ''))?.trust).toBe(2);
  });
});
