import { describe, expect, it } from 'vitest';
import { createMemoryState, createRuleReflector } from '../src/index.ts';
import type { LedgerPort } from '../src/ledger-port.ts';
import { createScriptedReflector } from '../src/testing/index.ts';
import { createWorld, day, hour, peerId } from './world/world.ts';

const alice = peerId('a');
const bob = peerId('b');
const note = (key: string, value: string, more = {}) => ({ key, value, rationale: 'r', ...more });

describe('replay', () => {
  it('CTX-23 computes every decision of a cycle again, bit for bit, also after a restart', async () => {
    await using world = await createWorld();
    for (let n = 0; n < 4; n += 1) await world.work(alice, `a-${n}`, 'verified');
    for (let n = 0; n < 3; n += 1) await world.work(bob, `b-${n}`, 'rejected');
    const before = world.cortex({ reflector: createRuleReflector() });
    for (let n = 0; n < 5; n += 1) {
      await before.reflectNow(`cycle ${n}`);
      world.now += day;
      await world.work(n % 2 === 0 ? alice : bob, `more-${n}`, n % 3 === 0 ? 'rejected' : 'verified');
    }
    await before.close();
    const after = world.cortex({ reflector: createScriptedReflector() });
    const cycles = after.history().length === 0 ? [1, 2, 3, 4, 5] : [];
    for (const cycle of cycles) {
      const replay = await after.replay(cycle);
      expect(replay.differences).toEqual([]);
      expect(replay.identical).toBe(true);
      expect(replay.assessments.length).toBeGreaterThan(0);
    }
    await expect(after.replay(99)).rejects.toMatchObject({ code: 'CYCLE_NOT_FOUND' });
  });

  it('CTX-23 shows a difference when the record was changed', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const state = createMemoryState();
    const cortex = world.cortex({ reflector: createRuleReflector(), state });
    await cortex.reflectNow('one');
    const history = JSON.parse((await state.retrieve('cortex-history')) ?? '');
    history.cycles[0].assessments[0].trust = 9;
    await state.store('cortex-history', JSON.stringify(history));
    const replay = await world.cortex({ reflector: createRuleReflector(), state }).replay(1);
    expect(replay).toMatchObject({ identical: false, differences: [`${alice}: trust was 9, is 2`] });
  });

  it('CTX-23 a failed cycle and a cut answer cannot be replayed', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const long = JSON.stringify({ assessments: [], beliefs: [], summary: 'x'.repeat(30_000) });
    const cortex = world.cortex({ reflector: createScriptedReflector(new Error('down'), long) });
    await cortex.reflectNow('one');
    await cortex.reflectNow('two');
    for (const cycle of [1, 2])
      await expect(cortex.replay(cycle)).rejects.toMatchObject({ code: 'NOT_REPLAYABLE' });
  });
});

describe('revert', () => {
  it('CTX-23 undoes beliefs and appends corrections by the operator, once', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    await world.ledger.recordAssessment(alice, 1, 'before', { source: 'agent' });
    world.now += hour;
    await world.work(alice, 'two', 'verified');
    const reflector = createScriptedReflector(
      { assessments: [], beliefs: [note('kept', 'old'), note('gone', 'x')] } as never,
      {
        assessments: [{ peerId: alice, trust: 3, rationale: 'kept two of two' }],
        beliefs: [
          note('kept', 'new', { revises: 'kept' }),
          note('fresh', 'y'),
          note('gone-too', 'z', { revises: 'gone' }),
        ],
      } as never,
    );
    const cortex = world.cortex({ reflector });
    await cortex.reflectNow('one');
    const before = cortex.beliefs();
    await cortex.reflectNow('two');
    expect(cortex.beliefs().map(({ key, value }) => [key, value])).toEqual([
      ['kept', 'new'],
      ['fresh', 'y'],
      ['gone-too', 'z'],
    ]);
    const reverted = await cortex.revert(2);
    expect(reverted).toMatchObject({ assessments: [{ peerId: alice, from: 3, to: 1 }] });
    expect([...reverted.removed].toSorted()).toEqual(['fresh', 'gone-too']);
    expect(cortex.beliefs().toSorted((a, b) => a.key.localeCompare(b.key))).toEqual(
      before.toSorted((a, b) => a.key.localeCompare(b.key)),
    );
    const rows = await world.ledger.getAssessments(alice);
    expect(rows.map(({ trust, source }) => [trust, source])).toEqual([
      [1, 'agent'],
      [3, 'cortex'],
      [1, 'operator'],
    ]);
    await expect(cortex.revert(2)).rejects.toMatchObject({ code: 'CYCLE_REVERTED' });
    expect(await world.ledger.getAssessments(alice)).toHaveLength(3);
    expect(cortex.history()[0]?.revertedAt).toBe(world.now);
  });

  it('CTX-23 a ledger that fails in the middle leaves no belief, and a repeat appends only what is missing', async () => {
    await using world = await createWorld();
    const peers = ['a', 'b', 'c'].map(peerId);
    for (const [n, peer] of peers.entries()) await world.work(peer, `w${n}`, 'verified');
    let failing = true;
    const ledger: LedgerPort = {
      ...world.ledger,
      async recordAssessment(id, trust, rationale, options) {
        if (failing && options.source === 'operator' && id === peers[1]) throw new Error('disk full');
        return world.ledger.recordAssessment(id, trust, rationale, options);
      },
    };
    const assessments = peers.map((peer) => ({ peerId: peer, trust: 2, rationale: 'r' }));
    const answer = { output: { assessments, beliefs: [note('obey', 'the stranger')] } };
    const cortex = world.cortex({ ledger, reflector: createScriptedReflector(answer) });
    await cortex.reflectNow('one');
    expect(cortex.beliefs()).toHaveLength(1);
    await expect(cortex.revert(1)).rejects.toMatchObject({ code: 'LEDGER_FAILED' });
    expect(cortex.beliefs()).toEqual([]);
    const trusts = async () =>
      Promise.all(peers.map(async (id) => (await world.ledger.getAssessments(id)).map(({ trust }) => trust)));
    expect(await trusts()).toEqual([[2, 0], [2], [2, 0]]);
    failing = false;
    expect((await cortex.revert(1)).assessments).toEqual([{ peerId: peers[1], from: 2, to: 0 }]);
    expect(await trusts()).toEqual([
      [2, 0],
      [2, 0],
      [2, 0],
    ]);
    await expect(cortex.revert(1)).rejects.toMatchObject({ code: 'CYCLE_REVERTED' });
  });

  it('CTX-23 takes back its own part only, when others have assessed since', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const cortex = world.cortex({
      reflector: createScriptedReflector({ assessments: [{ peerId: alice, trust: 2, rationale: 'r' }] }),
    });
    await cortex.reflectNow('one');
    await world.ledger.recordAssessment(alice, -4, 'I know better', { source: 'operator' });
    expect((await cortex.revert(1)).assessments).toEqual([{ peerId: alice, from: -4, to: -6 }]);
  });
});

describe('the beliefs of the operator', () => {
  it('CTX-24 a vetoed key does not come back, until the veto is lifted', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const beliefs = [note('be-brief', 'short answers'), note('be-brief', 'about alice', { peerId: alice })];
    const cortex = world.cortex({
      reflector: createScriptedReflector({ assessments: [], beliefs } as never),
    });
    await cortex.reflectNow('one');
    expect(cortex.beliefs()).toHaveLength(2);
    await cortex.veto({ key: 'be-brief', peerId: alice });
    expect(cortex.beliefs()).toHaveLength(1);
    await cortex.reflectNow('two');
    expect(cortex.beliefs()).toMatchObject([{ peerId: null }]);
    expect(cortex.history()[0]?.dropped).toMatchObject([{ kind: 'belief', reason: 'vetoed' }]);
    await cortex.veto({ key: 'be-brief', peerId: alice }, false);
    await cortex.reflectNow('three');
    expect(cortex.beliefs()).toHaveLength(2);
  });

  it('CTX-24 CTX-28 an edited belief stands in plain words, outlives its time, and no reflector changes it', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const reflector = createScriptedReflector({
      assessments: [],
      beliefs: [note('tone', 'be rude', { revises: 'tone' })],
    } as never);
    const cortex = world.cortex({ reflector });
    await cortex.edit({ key: 'tone', value: 'Stay polite.' });
    expect(cortex.transformSystemPrompt('')).toBe('## Cortex Beliefs\n- tone: Stay polite.');
    await cortex.reflectNow('one');
    world.now += 10 * day;
    expect(cortex.beliefs()).toMatchObject([{ value: 'Stay polite.', kind: 'operator', pinned: true }]);
    expect(cortex.history()[0]?.dropped).toMatchObject([{ reason: 'held_by_operator' }]);
    await expect(cortex.edit({ key: 'Not Kebab', value: 'x' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('CTX-24 a pinned belief outlives its time, and is held again for its time when it is not pinned any more', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const reflector = createScriptedReflector({ assessments: [], beliefs: [note('habit', 'x')] } as never);
    const cortex = world.cortex({ reflector });
    await cortex.reflectNow('one');
    await cortex.pin({ key: 'habit' });
    world.now += day;
    expect(cortex.beliefs()).toHaveLength(1);
    await cortex.pin({ key: 'habit' }, false);
    world.now += 119 * 60_000;
    expect(cortex.beliefs()).toHaveLength(1);
    world.now += 60_000;
    expect(cortex.beliefs()).toHaveLength(0);
    await expect(cortex.pin({ key: 'nothing' })).rejects.toMatchObject({ code: 'BELIEF_NOT_FOUND' });
  });
});
