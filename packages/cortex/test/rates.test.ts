/* Nothing that a peer or a model writes causes more calls than configured, and strangers leave a share for known peers. */
import { describe, expect, it } from 'vitest';
import type { Cortex } from '../src/index.ts';
import { createScriptedReflector } from '../src/testing/index.ts';
import { createWorld, hour, minute, peerId, type World } from './world/world.ts';

const alice = peerId('a');
const stranger = (n: number) => n.toString(16).padStart(64, '0');
const nothing = { output: { assessments: [] }, usage: { inputTokens: 1_000, outputTokens: 100 } };

async function hear(world: World, cortex: Cortex, who: string, record = false) {
  if (record) await world.ledger.recordIncoming({ peerId: who, channel: 'nostr', content: 'hi' });
  cortex.hooks.onMessage({ peerId: who, content: 'hi' });
}

async function ticks(world: World, cortex: Cortex, until: number, each: (minutes: number) => Promise<void>) {
  for (let n = 0; world.now < until; n += 1) {
    await each(n);
    await cortex.tick();
    world.now += minute;
  }
}

describe('calls that others cause', () => {
  it('CTX-13 a stranger who writes ten messages a minute for a day uses half of the calls, and known peers are reflected on', async () => {
    await using world = await createWorld();
    for (let n = 0; n < 4; n += 1) await world.work(alice, `w${n}`, 'verified');
    const reflector = createScriptedReflector(nothing);
    const cortex = world.cortex({ reflector, config: { budget: { callsPerDay: 60 } } });
    await cortex.reflectNow('know alice');
    world.now = Date.UTC(2026, 10, 21);
    await cortex.start();
    let seen = 0;
    await ticks(world, cortex, Date.UTC(2026, 10, 21, 23), async (n) => {
      for (let k = 0; k < 10; k += 1) await hear(world, cortex, stranger(k % 2), n % 30 === 0 && k < 2);
      if (n % 240 !== 239) return;
      await world.work(alice, `job-${n}`, 'verified');
      const before = reflector.requests.length;
      for (let k = 0; k < 5; k += 1) await hear(world, cortex, alice);
      await cortex.tick();
      const mine = reflector.requests
        .slice(before)
        .flatMap(({ facts }) => facts.peers.map((peer) => peer.peerId));
      if (mine.includes(alice)) seen += 1;
    });
    const today = cortex.costs().days.find(({ day }) => day === '2026-11-21');
    expect(today?.calls).toBeLessThanOrEqual(60);
    expect(today?.ofStrangers.calls).toBeLessThanOrEqual(30);
    expect(seen).toBe(5);
    expect(cortex.costs().skips).toContainEqual(expect.objectContaining({ reserved: true }));
  });

  it('CTX-3 CTX-13 events start at most twenty cycles an hour, strangers ten, and one stranger three; a restart refills nothing', async () => {
    await using world = await createWorld();
    const reflector = createScriptedReflector(nothing);
    const config = { triggers: { timer: { enabled: false } } };
    const flood = async (cortex: Cortex, peers: number) => {
      for (let n = 0; n < 200; n += 1) {
        await hear(world, cortex, stranger(n % peers), n < peers);
        await cortex.tick();
      }
    };
    const first = world.cortex({ reflector, config });
    await first.start();
    await flood(first, 1);
    expect(reflector.requests).toHaveLength(3);
    await flood(first, 40);
    expect(reflector.requests).toHaveLength(10);
    expect(first.stats().skippedForRate).toBeGreaterThan(0);
    expect(first.costs().skips).toContainEqual(expect.objectContaining({ limit: 'event_cycles_per_hour' }));
    await first.close();
    const second = world.cortex({ reflector, config });
    await second.start();
    await flood(second, 40);
    expect(reflector.requests).toHaveLength(10);
    world.now += hour;
    await flood(second, 40);
    expect(reflector.requests).toHaveLength(20);
  });

  it('CTX-3 CTX-13 known peers start cycles when strangers have used theirs, up to the rate of all', async () => {
    await using world = await createWorld();
    for (let n = 0; n < 4; n += 1) await world.work(alice, `w${n}`, 'verified');
    const reflector = createScriptedReflector(nothing);
    const cortex = world.cortex({ reflector, config: { triggers: { timer: { enabled: false } } } });
    await cortex.start();
    for (let n = 0; n < 200; n += 1) {
      await hear(world, cortex, stranger(n % 40), n < 40);
      await cortex.tick();
    }
    expect(reflector.requests).toHaveLength(10);
    for (let n = 0; n < 200; n += 1) {
      await hear(world, cortex, alice);
      await cortex.tick();
    }
    expect(reflector.requests).toHaveLength(20);
  });

  it('CTX-5 CTX-13 a model that keeps noting commitments that are nearly due starts no more cycles than strangers may', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const reflector = createScriptedReflector(({ facts }) => ({
      output: {
        assessments: [],
        commitments: Array.from({ length: 20 }, (_, n) => ({
          ...{ peerId: alice, what: `again ${facts.cycle}-${n}` },
          dueAt: facts.now + 1 + n,
        })),
      },
      usage: nothing.usage,
    }));
    const cortex = world.cortex({ reflector });
    await cortex.start();
    await cortex.reflectNow('one');
    const until = world.now + 3 * hour;
    await ticks(world, cortex, until, async () => {});
    // The one above, ten at once, ten an hour, and the timer.
    expect(reflector.requests.length).toBeLessThanOrEqual(1 + 10 + 30 + 6);
  });

  it('CTX-6 CTX-13 a size jump of one stranger after another starts no more cycles than strangers may', async () => {
    await using world = await createWorld();
    const reflector = createScriptedReflector(nothing);
    const config = { triggers: { timer: { enabled: false }, count: { enabled: false } } };
    const cortex = world.cortex({ reflector, config });
    await cortex.start();
    for (let n = 0; n < 30; n += 1) {
      await world.ledger.recordIncoming({ peerId: stranger(n), channel: 'nostr', content: 'hi' });
      for (const size of [1, 1, 1, 1, 1, 100]) cortex.hooks.onMessage({ peerId: stranger(n), size });
      await cortex.tick();
    }
    expect(reflector.requests).toHaveLength(10);
  });

  it('CTX-19 CTX-13 consultations about strangers leave half of them for known peers, within the money of the day', async () => {
    await using world = await createWorld();
    for (let n = 0; n < 6; n += 1) await world.work(alice, `w${n}`, 'verified');
    const verdict = { verdict: 'approve', conditions: [], reasoning: 'fine' };
    const reflector = createScriptedReflector({ output: verdict, usage: nothing.usage });
    const cortex = world.cortex({ reflector, config: { consultation: { callsPerDay: 10 } } });
    const ask = (peer: string) => cortex.consult({ peerId: peer, request: 'What do you think?' });
    const by = async (peer: string) => (await ask(peer)).decidedBy;
    for (let n = 0; n < 5; n += 1) expect(await by(stranger(n))).toBe('reflector');
    expect(await by(stranger(9))).toBe('budget');
    for (let n = 0; n < 5; n += 1) expect(await by(alice)).toBe('reflector');
    expect(await by(alice)).toBe('budget');
    expect(cortex.costs().days[0]).toMatchObject({ consultations: 10, ofStrangers: { consultations: 5 } });

    world.now += 24 * hour;
    cortex.configure({ budget: { moneyPerDay: 0.01, prices: { input: 3, output: 15 } } });
    expect(await by(alice)).toBe('reflector');
    expect(await by(alice)).toBe('budget');
  });
});

describe('a swarm of strangers', () => {
  it('CTX-9 CTX-13 does not crowd known peers out of a cycle, and each waits for its turn', async () => {
    await using world = await createWorld();
    for (let n = 0; n < 300; n += 1) {
      await world.ledger.recordIncoming({ peerId: stranger(n), channel: 'nostr', content: 'hi' });
    }
    for (let n = 0; n < 4; n += 1) await world.work(alice, `w${n}`, 'verified');
    const reflector = createScriptedReflector(nothing);
    const cortex = world.cortex({ reflector });
    await cortex.start();
    for (let n = 0; n < 300; n += 1) cortex.hooks.onMessage({ peerId: stranger(n), content: 'hi' });
    await cortex.reflectNow('one');
    const [first] = reflector.requests;
    expect(first?.facts.peers[0]?.peerId).toBe(alice);
    expect(first?.facts.peers.length).toBeLessThan(120);
    const seen = new Set(first?.facts.peers.map((peer) => peer.peerId));
    for (let n = 0; n < 12 && seen.size < 301; n += 1) {
      const result = await cortex.reflectNow('more');
      for (const peer of 'record' in result ? result.record.peers : []) seen.add(peer);
    }
    expect(seen.size).toBe(301);
  });
});
