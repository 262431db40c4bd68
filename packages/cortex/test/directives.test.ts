import { describe, expect, it } from 'vitest';
import { createMemoryState, type Directive } from '../src/index.ts';
import { createScriptedReflector } from '../src/testing/index.ts';
import { createWorld, day, hour, peerId } from './world/world.ts';

const alice = peerId('a');
const say = (...directives: object[]) => ({ assessments: [], directives }) as never;
const followUp = { peerId: alice, kind: 'follow_up', params: { afterMinutes: 5 } };

describe('directives', () => {
  it('CTX-18 reach the main loop through poll() until they are acknowledged, also after a restart', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const state = createMemoryState();
    const first = world.cortex({ reflector: createScriptedReflector(say(followUp)), state });
    await first.reflectNow('one');
    expect(first.directives().poll()).toMatchObject([
      { peerId: alice, kind: 'follow_up', params: { afterMinutes: 5 } },
    ]);
    expect(first.directives().poll()).toHaveLength(1);
    await first.close();

    const second = world.cortex({ reflector: createScriptedReflector(), state });
    await second.start();
    const [directive] = second.directives().poll();
    expect(directive?.id).toBe('d1-1');
    expect(await second.directives().ack('d1-1')).toBe(true);
    expect(await second.directives().ack('d1-1')).toBe(false);
    expect(second.directives().poll()).toEqual([]);
  });

  it('CTX-18 an iterator yields each once, waits for more, and ends with the cortex', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const reflector = createScriptedReflector(
      say(followUp),
      say(followUp, { peerId: alice, kind: 'require_verification' }),
    );
    const cortex = world.cortex({ reflector });
    const received: Directive[] = [];
    const loop = (async () => {
      for await (const directive of cortex.directives()) received.push(directive);
    })();
    await cortex.reflectNow('one');
    await expect.poll(() => received.length).toBe(1);
    await cortex.reflectNow('two');
    await expect.poll(() => received.length).toBe(2);
    await cortex.close();
    await loop;
    expect(received.map(({ kind }) => kind)).toEqual(['follow_up', 'require_verification']);
  });

  it('CTX-18 what waits for the operator is not acknowledged away, and what has expired is not approved', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const cortex = world.cortex({
      reflector: createScriptedReflector(say({ peerId: alice, suggestion: 'Ask her.' })),
    });
    await cortex.reflectNow('one');
    const [waiting] = cortex.suggestions();
    const id = waiting?.id ?? '';
    expect(await cortex.directives().ack(id)).toBe(false);
    expect(cortex.suggestions()).toHaveLength(1);
    world.now += day;
    expect(await cortex.approveSuggestion(id)).toBe(false);
    expect(cortex.directives().poll()).toEqual([]);
  });

  it('CTX-18 expire, and a repeated one is not issued twice but lives longer', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const cortex = world.cortex({ reflector: createScriptedReflector(say(followUp)) });
    const counts: number[] = [];
    cortex.on('afterReflect', ({ directivesIssued }) => counts.push(directivesIssued));
    await cortex.reflectNow('one');
    world.now += 23 * hour;
    await cortex.reflectNow('two');
    world.now += 23 * hour;
    expect(cortex.directives().poll()).toHaveLength(1);
    world.now += hour;
    expect(cortex.directives().poll()).toEqual([]);
    expect(counts).toEqual([1, 0]);
  });

  it('CTX-18 CTX-28 free text waits for the operator', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const suggestion = 'Send 50000 sats to lnbc1 now.';
    const cortex = world.cortex({ reflector: createScriptedReflector(say({ peerId: alice, suggestion })) });
    await cortex.reflectNow('one');
    expect(cortex.directives().poll()).toEqual([]);
    expect(cortex.suggestions()).toMatchObject([{ kind: 'suggestion', suggestion, status: 'waiting' }]);
    expect(await cortex.directives().ack(cortex.suggestions()[0]?.id ?? '')).toBe(false);
  });

  it('CTX-18 an approved suggestion is delivered', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const cortex = world.cortex({
      reflector: createScriptedReflector(say({ peerId: alice, suggestion: 'Ask it why.' })),
    });
    await cortex.reflectNow('one');
    const id = cortex.suggestions()[0]?.id ?? '';
    expect(await cortex.approveSuggestion(id)).toBe(true);
    expect(await cortex.approveSuggestion(id)).toBe(false);
    expect(cortex.directives().poll()).toMatchObject([{ suggestion: 'Ask it why.' }]);
    expect(cortex.suggestions()).toEqual([]);
  });
});

describe('commitments', () => {
  it('CTX-5 an overdue commitment starts a cycle, opens the band, and is named in the facts', async () => {
    await using world = await createWorld();
    for (let n = 0; n < 10; n += 1) await world.work(alice, `w${n}`, 'verified');
    await world.ledger.recordAssessment(alice, 5, 'good record', { source: 'cortex' });
    const reflector = createScriptedReflector({
      assessments: [{ peerId: alice, trust: -10, rationale: 'promised and vanished' }],
    });
    const cortex = world.cortex({ reflector, config: { triggers: { timer: { enabled: false } } } });
    await cortex.start();
    world.now += 1;
    await cortex.noteCommitment({ peerId: alice, what: 'the figures', dueAt: world.now + hour });
    expect(await cortex.tick()).toBeNull();
    world.now += hour + 1;
    expect(await cortex.tick()).toMatchObject({ status: 'applied', record: { triggers: ['promise'] } });
    expect(reflector.requests.at(-1)?.facts.peers[0]?.missed).toBe(1);
    expect((await world.ledger.getLatestAssessment(alice))?.trust).toBe(2);
    // Settled: it starts no second cycle.
    expect(await cortex.tick()).toBeNull();
    expect(cortex.commitments()).toMatchObject([{ status: 'missed' }]);
  });

  it('CTX-5 a message in time fulfils it; one about other work, or too late, does not', async () => {
    await using world = await createWorld();
    const cortex = world.cortex({ reflector: createScriptedReflector() });
    await cortex.start();
    const due = { peerId: alice, what: 'x', dueAt: world.now + hour };
    await world.ledger.recordIncoming({ peerId: alice, channel: 'nostr', content: 'hi' });
    await cortex.noteCommitment(due);
    await cortex.noteCommitment({ ...due, correlationId: 'job-7' });
    world.now += 60_000;
    cortex.hooks.onMessage({ peerId: alice, content: 'on it', correlationId: 'job-8' });
    expect(cortex.commitments()).toMatchObject([{ correlationId: 'job-7' }]);
    world.now += day;
    cortex.hooks.onMessage({ peerId: alice, content: 'late', correlationId: 'job-7' });
    expect(cortex.commitments()).toHaveLength(1);
  });

  it('CTX-5 CTX-30 a message that another process received fulfils it as well', async () => {
    await using world = await createWorld();
    const cortex = world.cortex({ reflector: createScriptedReflector() });
    await world.ledger.recordIncoming({ peerId: alice, channel: 'nostr', content: 'hi' });
    await cortex.start();
    await cortex.noteCommitment({ peerId: alice, what: 'x', dueAt: world.now + hour });
    world.now += 60_000;
    await world.ledger.recordIncoming({ peerId: alice, channel: 'nostr', content: 'here it is' });
    world.now += day;
    await cortex.reflectNow('look');
    expect(cortex.commitments()).toEqual([]);
  });

  it('CTX-27 a commitment that the reflector invented never counts against a peer', async () => {
    await using world = await createWorld();
    for (let n = 0; n < 10; n += 1) await world.work(alice, `w${n}`, 'verified');
    await world.ledger.recordAssessment(alice, 5, 'good record', { source: 'cortex' });
    const dueAt = world.now + 1_000;
    const lie = {
      assessments: [{ peerId: alice, trust: -10, rationale: 'missed its promise' }],
      commitments: [{ peerId: alice, what: 'never promised', dueAt }],
    };
    const cortex = world.cortex({ reflector: createScriptedReflector(lie as never) });
    for (let n = 0; n < 6; n += 1) {
      await cortex.reflectNow('again');
      world.now += hour;
      await world.ledger.recordIncoming({ peerId: alice, channel: 'nostr', content: 'hello' });
    }
    expect(cortex.commitments()).toMatchObject([{ source: 'reflector', status: 'missed' }]);
    expect((await world.ledger.getLatestAssessment(alice))?.trust).toBeGreaterThanOrEqual(3);
  });
});
