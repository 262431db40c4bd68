import { AsyncLocalStorage } from 'node:async_hooks';
import { measured } from '@bonafide/internal/testing';
import { describe, expect, it } from 'vitest';
import {
  type AfterAssessEvent,
  type AfterReflectEvent,
  createMemoryState,
  createRuleReflector,
  type LedgerPort,
} from '../src/index.ts';
import { createScriptedReflector } from '../src/testing/index.ts';
import { createWorld, day, hour, minute, peerId, trust } from './world/world.ts';

const alice = peerId('a');
const bob = peerId('b');

describe('one cycle over a real ledger', () => {
  it('CTX-8 CTX-15 LED-29 the rule reflector writes assessments with honest rationales through the ledger', async () => {
    await using world = await createWorld();
    for (let n = 0; n < 4; n += 1) await world.work(alice, `job-${n}`, 'verified');
    for (let n = 4; n < 7; n += 1) await world.work(bob, `job-${n}`, 'rejected');
    const cortex = world.cortex({ reflector: createRuleReflector() });
    await cortex.start();
    const result = await cortex.reflectNow('end of day');
    expect(result).toMatchObject({
      status: 'applied',
      record: { trigger: 'end of day', peers: [bob, alice], dropped: [] },
    });

    const [good] = await world.ledger.getAssessments(alice);
    const [bad] = await world.ledger.getAssessments(bob);
    expect(good).toMatchObject({ trust: 3, source: 'cortex', assessor: 'rule/prompt-2' });
    expect(bad).toMatchObject({ trust: -3, source: 'cortex' });
    expect(good?.rationale).toBe(
      '8 messages over 14 seconds. Work: 4 requested, 4 delivered, 4 verified. 4 of 4 finished ended well. Median time to an answer: 2000 ms. First assessment.',
    );
    expect(bad?.rationale).toContain('3 requested, 3 delivered, 3 rejected. 0 of 3 finished ended well.');
    expect(cortex.beliefs().map((belief) => [belief.peerId, belief.value])).toEqual([
      [bob, '0 of 3 pieces of work ended well'],
      [bob, 'check its results, 3 pieces of work ended badly'],
      [bob, 'keep the stakes small until more work has ended well'],
      [alice, '4 of 4 pieces of work ended well'],
    ]);
    const handles = await Promise.all(
      [bob, alice].map(async (id) => (await world.ledger.getPeer(id))?.handle),
    );
    expect(cortex.transformSystemPrompt('You are Alpha.', { peerId: bob })).toBe(
      'You are Alpha.\n\n## Cortex Beliefs\n' +
        `- small-stakes (${handles[0]}): keep the stakes small until more work has ended well\n` +
        `- check-results (${handles[0]}): check its results, 3 pieces of work ended badly\n` +
        `- work-record (${handles[0]}): 0 of 3 pieces of work ended well\n` +
        `- work-record (${handles[1]}): 4 of 4 pieces of work ended well`,
    );
    // What a section shows resolves to the same peer.
    expect((await world.ledger.resolvePeer(handles[0] ?? ''))?.peerId).toBe(bob);
  });

  it('X-6 measures cycles, tokens and assessments for OpenTelemetry, without naming peers', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const found = await measured(async () => {
      const cortex = world.cortex({ reflector: createScriptedReflector(trust(alice, 9), 'no JSON at all') });
      await cortex.reflectNow('first');
      await world.work(alice, 'two', 'verified');
      await cortex.reflectNow('second');
    });
    expect(found).toMatchObject({
      'bonafide.cortex.cycle.duration applied': 1,
      'bonafide.cortex.cycle.duration failed': 1,
      'bonafide.cortex.assessments true': 1,
      'bonafide.cortex.tokens input': expect.any(Number),
    });
    expect(JSON.stringify(found)).not.toContain(alice);
  });

  it('CTX-22 emits exactly the fields of the two events', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const belief = { key: 'keeps-time', value: 'yes', rationale: 'r', peerId: alice };
    const reflector = createScriptedReflector({
      ...trust(alice, 2),
      beliefs: [belief],
      summary: 'Fine.',
    } as never);
    const cortex = world.cortex({ reflector });
    const reflected: AfterReflectEvent[] = [];
    const assessed: AfterAssessEvent[] = [];
    cortex.on('afterReflect', (event) => reflected.push(event));
    cortex.on('afterReflect', () => {
      throw new Error('a listener that fails harms nobody');
    });
    cortex.on('afterAssess', (event) => assessed.push(event));
    await cortex.reflectNow('manual');
    const [row] = await world.ledger.getAssessments(alice);
    expect(assessed).toEqual([
      {
        peerId: alice,
        trust: 2,
        rationale: 'worth 2',
        infoScore: row?.infoScore,
        cycle: 1,
        assessmentId: row?.assessmentId,
      },
    ]);
    expect(reflected).toEqual([
      {
        cycle: 1,
        trigger: 'manual',
        triggers: ['manual'],
        peersAssessed: [alice],
        beliefsAdded: ['keeps-time'],
        beliefsReaffirmed: [],
        beliefsExpired: [],
        directivesIssued: 0,
        summary: 'Fine.',
        elapsedSeconds: 0,
      },
    ]);
  });

  it('CTX-22 X-5 refuses event names that it never emits, and listeners that are no functions', async () => {
    await using world = await createWorld();
    const cortex = world.cortex({ reflector: createScriptedReflector({ summary: 'Fine.' } as never) });
    const refused = expect.objectContaining({ code: 'INVALID_INPUT' });
    expect(() => cortex.on('afterReflekt' as never, () => {})).toThrow(refused);
    expect(() => cortex.on('afterReflect', null as never)).toThrow(refused);
  });

  it('CTX-9 the reflector sees summaries, beliefs, soul and the previous summary, and no more interactions than configured', async () => {
    await using world = await createWorld();
    for (let n = 0; n < 10; n += 1) await world.work(alice, `job-${n}`, 'verified');
    const reflector = createScriptedReflector({
      ...trust(alice, 1),
      beliefs: [{ key: 'self', value: 'patient', rationale: 'r' }],
      summary: 'All went well.',
    } as never);
    const cortex = world.cortex({
      reflector,
      soul: async () => 'Be fair.',
      config: { interactionsPerPeer: 4 },
    });
    await cortex.reflectNow('one');
    await world.work(alice, 'more', 'verified');
    await cortex.reflectNow('two');
    const [first, second] = reflector.requests;
    expect(first?.facts.peers[0]?.interactions).toHaveLength(4);
    expect(first?.facts.peers[0]?.work.requested).toBe(10);
    expect(second?.facts).toMatchObject({
      soul: 'Be fair.',
      previousSummary: 'All went well.',
      triggers: ['two'],
    });
    for (const part of ['Be fair.', 'All went well.', 'patient', 'two'])
      expect(second?.input).toContain(part);
    const marker = /Text after "([0-9]{6})>"/u;
    expect(marker.exec(first?.system ?? '')?.[1]).not.toBe(marker.exec(second?.system ?? '')?.[1]);
  });

  it('CTX-11 LED-29 a model that copies the name that it reads reaches that peer, on every channel', async () => {
    await using world = await createWorld();
    const ids = ['4711', 'bob', 'Ann Lee: the best', 'U_2*#1', '名前', 'x'.repeat(100), 'a'.repeat(24)];
    for (const [n, id] of ids.entries()) {
      await world.ledger.recordIncoming({
        peerId: id,
        channel: 'telegram',
        content: 'Done.',
        correlationId: `w${n}`,
      });
      await world.ledger.recordOutcome(`w${n}`, 'verified');
    }
    /** A port of another ledger: without handles. */
    const bare: LedgerPort = {
      ...world.ledger,
      getPeer: async (id) => {
        const { handle: _, ...peer } = (await world.ledger.getPeer(id)) ?? { handle: '' };
        return 'peerId' in peer ? peer : null;
      },
    };
    for (const [index, ledger] of [world.ledger, bare].entries()) {
      const reflector = createScriptedReflector(({ input }) => {
        const names = [...input.matchAll(/^## Peer (.+)$/gmu)].map(([, name]) => name);
        return {
          output: {
            assessments: names.map((name) => ({ peerId: name, trust: 1, rationale: `seen ${index}` })),
          },
        };
      });
      const cortex = world.cortex({
        ledger,
        reflector,
        state: createMemoryState(),
        config: { guards: 'clamp' },
      });
      const result = await cortex.reflectNow('one');
      expect(result).toMatchObject({ status: 'applied', record: { dropped: [] } });
      expect('record' in result ? result.record.assessments : []).toHaveLength(ids.length);
      await cortex.close();
      world.now += hour;
    }
  });

  it('CTX-14 +7 from 0 becomes +3 and, a day and a message later, +4 by the ceiling of what is known', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    await world.ledger.recordAssessment(alice, 0, 'no basis yet', { source: 'agent' });
    world.now += hour;
    await world.work(alice, 'two', 'verified');
    const cortex = world.cortex({ reflector: createScriptedReflector(trust(alice, 7)) });
    await cortex.reflectNow('one');
    world.now += 8 * day;
    await world.work(alice, 'three', 'verified');
    await cortex.reflectNow('two');
    const rows = await world.ledger.getAssessments(alice);
    expect(rows.map((row) => row.trust)).toEqual([0, 3, 4]);
    expect(rows.at(-1)?.rationale).toBe('worth 7 (proposed +7, limited to +4: too little is known about it)');
    expect(cortex.history()[0]?.assessments).toMatchObject([
      { base: 3, proposed: 7, trust: 4, infoScore: 4, guards: ['max_delta', 'ceiling'] },
    ]);
  });

  it('CTX-14 inherits the trust that is in the ledger, and a blocked rise keeps its rationale', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    await world.ledger.recordAssessment(alice, 5, 'known from elsewhere', { source: 'operator' });
    world.now += minute;
    await world.work(alice, 'two', 'verified');
    const cortex = world.cortex({ reflector: createScriptedReflector(trust(alice, 10), trust(alice, -10)) });
    await cortex.reflectNow('one');
    world.now += minute;
    await world.work(alice, 'three', 'rejected');
    await cortex.reflectNow('two');
    const rows = await world.ledger.getAssessments(alice);
    expect(rows.map((row) => row.trust)).toEqual([5, 5, 2]);
    expect(rows[1]?.rationale).toMatch(
      /^worth 10 \(proposed \+10, limited to \+5: too little is known about it/u,
    );
  });

  it('CTX-11 drops a bad item, keeps the good ones, and the record says which and why', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    await world.work(bob, 'two', 'verified');
    const reflector = createScriptedReflector({
      assessments: [
        { peerId: 'stranger', trust: 9, rationale: 'r' },
        { peerId: alice, trust: 99, rationale: 'r' },
        { peerId: (await world.ledger.getPeer(bob))?.handle, trust: 1, rationale: 'one of one' },
      ],
    });
    const cortex = world.cortex({ reflector });
    await cortex.reflectNow('manual');
    expect(await world.ledger.getLatestAssessment(alice)).toBeNull();
    expect(await world.ledger.getLatestAssessment(bob)).toMatchObject({ trust: 1 });
    expect(cortex.history()[0]?.dropped.map((item) => [item.kind, item.reason])).toEqual([
      ['assessment', 'peer_unknown'],
      ['assessment', 'invalid'],
    ]);
    expect(cortex.stats().itemsDropped).toBe(2);
  });

  it('CTX-11 asks once more with the problem named, and then gives up with nothing applied', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const learns = createScriptedReflector('No.', JSON.stringify(trust(alice, 1)));
    const cortex = world.cortex({ reflector: learns });
    expect(await cortex.reflectNow('manual')).toMatchObject({
      status: 'applied',
      record: { parse: 'json', cost: { calls: 2 } },
    });
    expect(learns.requests[1]?.input).toContain('could not be used: The answer is not JSON.');

    await world.work(bob, 'two', 'verified');
    const never = createScriptedReflector('No.');
    const second = world.cortex({ reflector: never, state: createMemoryState() });
    expect(await second.reflectNow('manual')).toMatchObject({
      status: 'failed',
      record: { failure: { code: 'OUTPUT_UNUSABLE' }, output: 'No.' },
    });
    expect(never.requests).toHaveLength(2);
    expect(await world.ledger.getLatestAssessment(bob)).toBeNull();
  });

  it('CTX-13 records what a cycle cost, by the word of the reflector or by estimate', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const reflector = createScriptedReflector(
      { output: trust(alice, 1), usage: { inputTokens: 900, outputTokens: 80 } },
      trust(alice, 1),
    );
    const cortex = world.cortex({ reflector });
    await cortex.reflectNow('one');
    await world.work(alice, 'two', 'verified');
    await cortex.reflectNow('two');
    const [second, first] = cortex.history();
    expect(first?.cost).toEqual({ calls: 1, inputTokens: 900, outputTokens: 80, estimated: false, money: 0 });
    expect(second?.cost).toMatchObject({ calls: 1, estimated: true });
    expect(second?.cost.inputTokens).toBeGreaterThan(100);
  });

  it('CTX-12 the cycle runs outside of the conversation that asked for it', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const conversation = new AsyncLocalStorage<string>();
    let seen: string | undefined = 'nothing';
    const reflector = createScriptedReflector(() => {
      seen = conversation.getStore();
      return { output: { assessments: [] } };
    });
    const cortex = world.cortex({ reflector });
    await conversation.run('with alice', () => cortex.reflectNow('manual'));
    expect(seen).toBeUndefined();
  });
});
