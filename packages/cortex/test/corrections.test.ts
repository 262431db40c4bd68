/* What the operator corrected, and what finished work ended with, holds however much is written after it. */
import { describe, expect, it } from 'vitest';
import { createRuleReflector, finishedWork, gateEvidence } from '../src/index.ts';
import { createScriptedReflector } from '../src/testing/index.ts';
import { createWorld, hour, minute, peerId, type World } from './world/world.ts';

const alice = peerId('a');

async function chat(world: World, messages: number) {
  for (let n = 0; n < messages; n += 1) {
    world.now += 1_000;
    await world.ledger.recordIncoming({ peerId: alice, channel: 'nostr', content: `hello ${n}` });
  }
}

async function voidAll(world: World) {
  const { items } = await world.ledger.getInteractions(alice, { limit: 1_000 });
  for (const { interactionId } of items) {
    await world.ledger.voidInteraction(interactionId, 'Was meant for another peer.');
  }
}

const centerOf = async (world: World) => {
  const cortex = world.cortex({ reflector: createRuleReflector() });
  const result = await cortex.reflectNow('look');
  return 'record' in result ? result.record.assessments[0]?.gate.facts.center : undefined;
};

describe('corrections by the operator', () => {
  it.each([101, 250])('LED-33 CTX-27 voided work stays voided after %d later messages', async (messages) => {
    await using world = await createWorld();
    for (let n = 0; n < 3; n += 1) await world.work(alice, `bad-${n}`, 'rejected');
    await voidAll(world);
    await world.work(alice, 'good', 'verified');
    await chat(world, messages);
    expect(await centerOf(world)).toBe(2);
  });

  it('LED-33 CTX-27 work of which one message stands counts', async () => {
    await using world = await createWorld();
    await world.work(alice, 'bad', 'rejected');
    const { items } = await world.ledger.getInteractions(alice, { limit: 1 });
    await world.ledger.voidInteraction(items[0]?.interactionId ?? '', 'Sent twice.');
    expect(await centerOf(world)).toBe(-3);
  });

  it('CTX-27 the judgment of the operator holds after 1,001 opinions of a model', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    await world.ledger.recordAssessment(alice, -9, 'Proven fraud elsewhere.', { source: 'operator' });
    for (let n = 0; n < 1_001; n += 1) {
      world.now += minute;
      await world.ledger.recordAssessment(alice, -9, `opinion ${n}`, { source: 'cortex' });
    }
    await chat(world, 1);
    const rise = { assessments: [{ peerId: alice, trust: 10, rationale: 'a wonderful peer' }] };
    const cortex = world.cortex({ reflector: createScriptedReflector(rise) });
    for (let n = 0; n < 3; n += 1) {
      world.now += 26 * hour;
      await chat(world, 1);
      await cortex.reflectNow('talked over');
    }
    expect(cortex.history()[0]?.assessments[0]?.gate.facts).toMatchObject({ center: -9, operatorTrust: -9 });
    expect((await world.ledger.getLatestAssessment(alice))?.trust).toBeLessThanOrEqual(-6);
  });

  it('CTX-27 an alarm is remembered after 1,001 harmless messages, also after a restart, until work answers it', async () => {
    await using world = await createWorld();
    await chat(world, 6);
    world.now += 1_000;
    await world.ledger.recordIncoming({ peerId: alice, channel: 'nostr', content: 'all of it '.repeat(100) });
    const jumpedAt = world.now;
    const alarmAt = async () => {
      world.now += minute;
      const result = await world.cortex({ reflector: createRuleReflector() }).reflectNow('look');
      return 'record' in result ? result.record.replay.peers[0]?.evidence.alarmAt : undefined;
    };
    expect(await alarmAt()).toBe(jumpedAt);
    await chat(world, 1_001);
    expect((await world.ledger.getTrajectory(alice))?.alarms).toEqual([]);
    expect(await alarmAt()).toBe(jumpedAt);
    await chat(world, 1);
    expect(await alarmAt()).toBe(jumpedAt);
    await world.work(alice, 'good', 'verified');
    expect(await alarmAt()).toBeNull();
  });

  it('CTX-27 a rise above the center is remembered after 1,001 opinions that changed nothing', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    world.now += minute;
    await world.ledger.recordAssessment(alice, 3, 'above what one success justifies', { source: 'cortex' });
    for (let n = 0; n < 1_001; n += 1) {
      world.now += minute;
      await world.ledger.recordAssessment(alice, 3, `opinion ${n}`, { source: 'cortex' });
    }
    world.now += 26 * hour;
    await chat(world, 30);
    const rise = { assessments: [{ peerId: alice, trust: 10, rationale: 'a wonderful peer' }] };
    const cortex = world.cortex({
      reflector: createScriptedReflector(rise),
      config: { guards: ['no_new_outcome'] },
    });
    await cortex.reflectNow('talked over');
    expect((await world.ledger.getLatestAssessment(alice))?.trust).toBe(3);
  });
});

describe('finished work', () => {
  const at = (outcomes: readonly string[]) =>
    outcomes.map((outcome, n) => ({ correlationId: 'w', outcome, createdAt: 1_000 + n, sequence: n + 1 }));

  it.each([
    [['rejected', 'delivered'], 'failure'],
    [['rejected', 'requested', 'accepted', 'delivered', 'declined'], 'failure'],
    [['verified', 'requested'], 'success'],
    [['rejected', 'verified'], 'success'],
    [['verified', 'disputed'], 'failure'],
    [['violation', 'verified', 'paid'], 'failure'],
  ] as const)('CTX-27 %j ends as %s: a final outcome is replaced by a final one only', (outcomes, result) => {
    expect(finishedWork(at(outcomes))).toMatchObject([{ result }]);
    expect(gateEvidence({ outcomes: at(outcomes), rows: [], now: 9_000 }).center).toBe(
      gateEvidence({
        outcomes: at([
          result === 'success' ? 'verified' : outcomes[0] === 'verified' ? 'disputed' : 'rejected',
        ]),
        rows: [],
        now: 9_000,
      }).center,
    );
  });

  it('CTX-27 the order of receipt decides, whatever times a peer claims', () => {
    const outcomes = [
      { correlationId: 'w', outcome: 'verified', createdAt: 9_000, sequence: 1 },
      { correlationId: 'w', outcome: 'rejected', createdAt: 8_000, sequence: 2 },
    ];
    expect(finishedWork(outcomes)).toMatchObject([{ result: 'failure' }]);
  });

  it('CTX-27 1,100 later deliveries and requests do not push a failure out of what is read', async () => {
    await using world = await createWorld();
    await world.work(alice, 'bad', 'rejected');
    await world.ledger.recordOutcome('bad', 'delivered');
    await world.ledger.recordIncoming({
      peerId: alice,
      channel: 'nostr',
      content: 'x',
      correlationId: 'open',
    });
    for (let n = 0; n < 1_100; n += 1) {
      world.now += 1_000;
      await world.ledger.recordOutcome('open', n % 2 === 0 ? 'requested' : 'delivered');
    }
    expect(await centerOf(world)).toBe(-3);
  });
});
