import { openSqlite } from '@bonafide/storage';
import { describe, expect, it } from 'vitest';
import { createMemoryState, createRuleReflector, erasePeerFromState, type StatePort } from '../src/index.ts';
import { createKyselyCortexState, migrateCortex } from '../src/stores/kysely.ts';
import { createScriptedReflector } from '../src/testing/index.ts';
import { createWorld, hour, peerId } from './world/world.ts';

const alice = peerId('a');
const bob = peerId('b');

const keys = ['beliefs', 'history', 'trusts', 'directives', 'commitments', 'lessons', 'costs'];
const texts = async (state: StatePort) =>
  (
    await Promise.all(
      keys.flatMap((key) => [state.retrieve(`cortex-${key}`), state.retrieve(`cortex-${key}-unreadable`)]),
    )
  ).join('\n');

/** A state in which everything names alice, and bob beside her. */
async function filled(state: StatePort) {
  const world = await createWorld();
  await state.store('cortex-lessons', `not JSON about ${alice}`);
  for (let n = 0; n < 4; n += 1) {
    await world.work(alice, `a${n}`, 'rejected');
    await world.work(bob, `b${n}`, 'verified');
  }
  const handle = (await world.ledger.getPeer(alice))?.handle ?? '';
  const rule = createRuleReflector();
  const reflector = createScriptedReflector((request) => rule.reflect(request), {
    output: {
      assessments: [
        { peerId: alice, trust: -5, rationale: `${handle} again` },
        { peerId: 'nobody', trust: 99 },
      ],
      beliefs: [
        { key: 'own-words', value: `never hire ${handle}`, rationale: 'r' },
        { key: 'about-bob', value: 'is fine', rationale: 'r', peerId: bob },
      ],
      directives: [{ peerId: alice, suggestion: 'Ask it why.' }],
      commitments: [{ peerId: alice, what: 'will repair', dueAt: world.now + 5 * hour }],
      lessons: [`${handle} is late`],
      summary: `${handle} failed again`,
    },
  });
  const cortex = world.cortex({ reflector, state });
  await cortex.start();
  await cortex.reflectNow('one');
  await world.work(alice, 'more', 'rejected');
  await world.work(bob, 'more-b', 'verified');
  await cortex.reflectNow('two');
  await cortex.veto({ key: 'slow-answers', peerId: alice });
  await cortex.noteCommitment({ peerId: alice, what: 'pays back', dueAt: world.now + hour });
  expect(await texts(state)).toContain(alice);
  return { world, cortex, handle };
}

describe('erasure of a peer', () => {
  it('LED-33 erases the peer from every document, and nothing about others', async () => {
    const state = createMemoryState();
    const { world, cortex, handle } = await filled(state);
    await using _ = world;
    const preview = await erasePeerFromState(state, alice, { preview: true });
    expect(preview.erased).toMatchObject({ vetoes: 1, commitments: 2, lessons: 1, marks: 1, unreadable: 1 });
    expect(await texts(state)).toContain(alice);
    expect(await cortex.forgetPeer(alice)).toEqual(preview);
    for (const name of [alice, handle, 'repair', 'failed again'])
      expect(await texts(state)).not.toContain(name);
    expect(cortex.beliefs().map(({ key, peerId: about }) => [key, about])).toEqual([
      ['work-record', bob],
      ['about-bob', bob],
    ]);
    expect(cortex.history()[0]).toMatchObject({ summary: '[erased]', output: null, assessments: [] });
    expect(cortex.history()[1]?.assessments.map((one) => one.peerId)).toEqual([bob]);
    await expect(cortex.replay(2)).rejects.toMatchObject({ code: 'NOT_REPLAYABLE' });
    expect(
      Object.values((await erasePeerFromState(state, alice, { preview: true })).erased).every((n) => n === 0),
    ).toBe(true);
    await expect(erasePeerFromState(state, ' ')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('LED-33 erases the reasons of cycles and prevented calls, failures and keys of notes that name the peer', async () => {
    await using world = await createWorld();
    await world.work(alice, 'w', 'rejected');
    const state = createMemoryState();
    const reflector = createScriptedReflector({
      output: { beliefs: [{ key: 'alice-lies', value: 'v', rationale: 'r', peerId: alice }] },
    });
    const cortex = world.cortex({ reflector, state });
    await cortex.reflectNow(`dispute with ${alice}`);
    cortex.configure({ budget: { callsPerDay: 1 } });
    await world.work(alice, 'w2', 'verified');
    await cortex.reflectNow(`again ${alice}`);
    expect(cortex.costs().skips).toHaveLength(1);
    await cortex.forgetPeer(alice);
    expect(await texts(state)).not.toMatch(/aaaa|alice-lies/u);
    expect(cortex.history()[0]).toMatchObject({ trigger: '[erased]', triggers: ['[erased]'] });
    expect(cortex.costs().skips).toMatchObject([{ triggers: ['[erased]'] }]);
  });

  it('LED-33 keeps what is about a peer with a longer name, and finds names that JSON escapes', async () => {
    await using world = await createWorld();
    const state = createMemoryState();
    const cortex = world.cortex({ reflector: createRuleReflector(), state });
    const quoted = 'irc:al"s friend';
    for (const [key, about] of [
      ['short', 'irc:bob'],
      ['long', 'irc:bobby'],
      ['quoted', quoted],
    ] as const)
      await cortex.edit({ key, peerId: about, value: 'late' });
    await cortex.edit({ key: 'own', value: `never hire ${quoted}` });
    const keysLeft = () => cortex.beliefs().map(({ key }) => key);
    await cortex.forgetPeer('irc:bob');
    expect(keysLeft()).toEqual(['long', 'quoted', 'own']);
    await cortex.forgetPeer(quoted);
    expect(keysLeft()).toEqual(['long']);
  });

  it('LED-33 CTX-30 erases from the database, and says when that fails', async () => {
    await using db = openSqlite<unknown>({ path: ':memory:' });
    await migrateCortex(db);
    const state = createKyselyCortexState(db);
    const { world } = await filled(state);
    await using _ = world;
    const { erased } = await state.erasePeer(alice);
    expect(erased.cycles).toBe(2);
    expect(await texts(state)).not.toContain(alice);
    const failing: StatePort = {
      retrieve: (key) => state.retrieve(key),
      store: () => Promise.reject(new Error('read-only')),
    };
    await expect(erasePeerFromState(failing, bob)).rejects.toMatchObject({ code: 'STORE_FAILED' });
  });
});
