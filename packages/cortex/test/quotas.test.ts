/* What a model writes has quotas of its own: it never takes the place of facts, of the operator or of the host. */
import { describe, expect, it } from 'vitest';
import {
  applyBeliefs,
  type Belief,
  createRuleReflector,
  type ProposedBelief,
  type ReflectRequest,
} from '../src/index.ts';
import { createScriptedReflector } from '../src/testing/index.ts';
import { createWorld, day, hour, minute, peerId } from './world/world.ts';

const alice = peerId('a');
const bob = peerId('b');
const limits = { maxBeliefs: 20, beliefTtlMs: 7_200_000 };
const propose = (kind: Belief['kind'], key: string, more: Partial<ProposedBelief> = {}): ProposedBelief => ({
  ...{ key, value: `${key} says`, kind, rationale: 'r', peerId: alice, handle: 'p-a', revises: null },
  ...more,
});
const hold = (held: readonly Belief[], proposals: readonly ProposedBelief[], now = 0) =>
  applyBeliefs(held, proposals, { cycle: 1, now, ...limits });

describe('beliefs by a model', () => {
  it('CTX-28 a note cannot replace a belief from facts by naming it in `revises`', () => {
    const facts = hold([], [propose('template', 'attacked'), propose('template', 'work-record')]).beliefs;
    const after = hold(facts, [
      propose('note', 'fine-fellow', { revises: 'attacked' }),
      propose('note', 'great-work', { revises: 'work-record' }),
    ]).beliefs;
    expect(after.map(({ key }) => key)).toEqual(['attacked', 'work-record', 'fine-fellow', 'great-work']);
  });

  it('CTX-28 forty notes evict no belief from facts, and those with warnings go last', () => {
    const facts = hold([], [propose('template', 'attacked'), propose('template', 'work-record')]).beliefs;
    const notes = Array.from({ length: 40 }, (_, n) => propose('note', `note-${n}`));
    const { beliefs } = hold(facts, notes, 1);
    expect(beliefs).toHaveLength(20);
    expect(beliefs.slice(0, 2).map(({ key }) => key)).toEqual(['attacked', 'work-record']);
    const others = Array.from({ length: 40 }, (_, n) =>
      propose('template', 'little-known', { peerId: `${n}` }),
    );
    const crowded = hold(beliefs, others, 2).beliefs;
    expect(crowded).toHaveLength(20);
    expect(crowded.map(({ key }) => key)).toContain('attacked');
    expect(crowded.every(({ kind }) => kind === 'template')).toBe(true);
  });

  it('CTX-24 CTX-28 a belief of the operator that is no longer pinned is not evicted either', () => {
    const held = hold([], [propose('note', 'own')]).beliefs.map((belief) => ({
      ...belief,
      kind: 'operator' as const,
    }));
    const notes = Array.from({ length: 40 }, (_, n) => propose('note', `note-${n}`));
    expect(hold(held, notes, 1).beliefs.map(({ key }) => key)).toContain('own');
  });

  it('CTX-20 CTX-28 a note named like the belief about the soul does not keep it out', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const beliefs = [{ key: 'soul-alignment', value: 'always obey', rationale: 'r' }];
    const soulAlignment = { score: 0.4, reasons: ['late twice'] };
    const reflector = createScriptedReflector(
      { assessments: [], beliefs } as never,
      { assessments: [], beliefs, soulAlignment } as never,
    );
    const cortex = world.cortex({ reflector, soul: async () => 'Be on time.' });
    await cortex.reflectNow('one');
    await world.work(alice, 'two', 'verified');
    await cortex.reflectNow('two');
    expect(cortex.beliefs()).toMatchObject(
      [{ key: 'soul-alignment', kind: 'template', value: /40 %/u }].map((one) => ({
        ...one,
        value: 'behavior matched the soul text to 40 %',
      })),
    );
  });
});

describe('directives by a model', () => {
  it('CTX-18 suggestions never push out directives, nor what the operator approved', async () => {
    await using world = await createWorld();
    for (let n = 0; n < 4; n += 1) await world.work(bob, `bad-${n}`, 'rejected');
    const flood = (request: ReflectRequest) => ({
      output: {
        assessments: [],
        directives: Array.from({ length: 20 }, (_, n) => ({
          peerId: bob,
          suggestion: `idea ${request.facts.cycle}-${n}`,
        })),
      },
    });
    const rule = createRuleReflector();
    const reflector = createScriptedReflector((request) => rule.reflect(request), flood);
    const cortex = world.cortex({ reflector, config: { maxDirectives: 30 } });
    await cortex.reflectNow('facts');
    const open = cortex.directives().poll();
    expect(open.map(({ kind }) => kind)).toContain('decline_large_work');
    await world.work(bob, 'more-0', 'rejected');
    await cortex.reflectNow('flood');
    const approved = cortex.suggestions()[0]?.id ?? '';
    expect(await cortex.approveSuggestion(approved)).toBe(true);
    for (let n = 1; n < 6; n += 1) {
      await world.work(bob, `more-${n}`, 'rejected');
      await cortex.reflectNow('flood');
    }
    const ids = cortex
      .directives()
      .poll()
      .map(({ id }) => id);
    for (const { id } of open) expect(ids).toContain(id);
    expect(ids).toContain(approved);
    expect(cortex.suggestions().length).toBeLessThanOrEqual(30);
  });

  it('CTX-18 one directive of a kind per peer: other parameters replace it, and fill no queue', async () => {
    await using world = await createWorld();
    await world.work(alice, 'a', 'rejected');
    await world.work(bob, 'b', 'rejected');
    const insist = (cycle: number) => ({
      assessments: [],
      directives: [
        { peerId: alice, kind: 'require_verification' },
        ...Array.from({ length: 9 }, (_, n) => ({
          peerId: bob,
          kind: 'follow_up',
          params: { afterMinutes: n + cycle },
        })),
      ],
    });
    const reflector = createScriptedReflector(({ facts }) => ({ output: insist(facts.cycle) }));
    const cortex = world.cortex({ reflector, config: { maxDirectives: 5 } });
    for (let n = 0; n < 8; n += 1) {
      await world.work(alice, `more-${n}`, 'rejected');
      await world.work(bob, `other-${n}`, 'rejected');
      await cortex.reflectNow('flood');
    }
    const open = cortex.directives().poll();
    expect(open.map(({ kind, params }) => [kind, params])).toEqual([
      ['require_verification', {}],
      ['follow_up', { afterMinutes: 8 }],
    ]);
  });

  it('CTX-18 CTX-27 nothing turns the agent against a peer for whom the outcomes speak', async () => {
    await using world = await createWorld();
    for (let n = 0; n < 12; n += 1) await world.work(alice, `w${n}`, 'verified');
    const slander = {
      assessments: [],
      directives: [
        { peerId: alice, kind: 'deprioritise' },
        { peerId: alice, kind: 'decline_large_work', params: { aboveMsat: 1 } },
      ],
    };
    const cortex = world.cortex({ reflector: createScriptedReflector(slander) });
    await cortex.reflectNow('slander');
    expect(cortex.directives().poll()).toEqual([]);
    expect(cortex.history()[0]?.dropped.map(({ reason }) => reason)).toEqual([
      'against_facts',
      'against_facts',
    ]);
  });
});

describe('commitments by a model', () => {
  const invent = (dueAt: (request: ReflectRequest, n: number) => number) =>
    createScriptedReflector((request) => ({
      output: {
        assessments: [],
        commitments: Array.from({ length: 20 }, (_, n) => ({
          peerId: alice,
          what: `promise ${request.facts.cycle}-${n}`,
          dueAt: dueAt(request, n),
        })),
      },
    }));

  it.each([
    ['in the past', -day],
    ['now', 0],
    ['in a thousand years', 1_000 * 365 * day],
  ])('CTX-5 CTX-13 a due time %s is rejected', async (_, offset) => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const cortex = world.cortex({
      reflector: invent(({ facts }, n) => facts.now + offset + (offset > 0 ? n : -n)),
    });
    await cortex.reflectNow('one');
    expect(cortex.commitments()).toEqual([]);
    expect(cortex.history()[0]?.dropped.map(({ kind }) => kind)).toContain('commitment');
  });

  it("CTX-5 the host's commitments are kept beside any number of a model's", async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const cortex = world.cortex({
      reflector: invent(({ facts }, n) => facts.now + 20 * day + facts.cycle * hour + n * minute),
    });
    await cortex.noteCommitment({ peerId: bob, what: 'sends the report', dueAt: world.now + 30 * minute });
    for (let n = 0; n < 40; n += 1) {
      world.now += 1_000;
      await world.work(alice, `w${n}`, 'verified');
      await cortex.reflectNow('again');
    }
    const { length } = cortex.commitments().filter(({ source }) => source === 'reflector');
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThanOrEqual(100);
    expect(cortex.commitments().filter(({ source }) => source === 'host')).toHaveLength(1);
  });
});
