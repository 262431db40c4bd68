import { describe, expect, it } from 'vitest';
import { createRuleReflector, type LedgerPort } from '../src/index.ts';
import { createScriptedReflector } from '../src/testing/index.ts';
import { createWorld, peerId, trust } from './world/world.ts';

const alice = peerId('a');
const bob = peerId('b');

describe('when things go wrong', () => {
  it('CTX-12 a reflector that ignores abort is left behind: its late answer is discarded, the lock is free', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    let late: (answer: { output: object }) => void = () => {};
    const reflector = createScriptedReflector(
      () =>
        new Promise((resolve) => {
          late = resolve;
        }),
      trust(alice, 1),
    );
    const cortex = world.cortex({ reflector, config: { timeoutMs: 30 } });
    const failed = await cortex.reflectNow('one');
    expect(failed).toMatchObject({ status: 'failed', record: { failure: { code: 'TIMEOUT' } } });
    late({ output: trust(alice, -3) });
    await new Promise((resolve) => setImmediate(resolve));
    expect(await world.ledger.getAssessments(alice)).toEqual([]);
    expect(await cortex.reflectNow('two')).toMatchObject({ status: 'applied', record: { peers: [alice] } });
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('no quota')), 'REFLECTOR_FAILED'],
    [
      'throws at once',
      () => {
        throw new Error('boom');
      },
      'REFLECTOR_FAILED',
    ],
    ['answers nothing', () => undefined as never, 'REFLECTOR_FAILED'],
  ])(
    'CTX-12 CTX-7 a reflector that %s fails the cycle, keeps beliefs and events, and frees the lock',
    async (_, reflect, code) => {
      await using world = await createWorld();
      await world.work(alice, 'one', 'verified');
      const belief = { key: 'kept', value: 'v', rationale: 'r' };
      const reflector = createScriptedReflector(
        { assessments: [], beliefs: [belief] } as never,
        reflect,
        trust(alice, 1),
      );
      const cortex = world.cortex({ reflector });
      await cortex.reflectNow('zero');
      cortex.hooks.onMessage({ peerId: alice, content: 'hello' });
      await world.work(alice, 'two', 'verified');
      expect(await cortex.reflectNow('one')).toMatchObject({
        status: 'failed',
        record: { failure: { code }, assessments: [] },
      });
      expect(cortex.beliefs().map((one) => one.key)).toEqual(['kept']);
      expect(await cortex.reflectNow('two')).toMatchObject({
        status: 'applied',
        record: { events: 1, peers: [alice] },
      });
      expect(cortex.stats()).toMatchObject({ cyclesFailed: 1, cyclesApplied: 2 });
    },
  );

  it('CTX-15 an assessment that the ledger refuses is reported, the rest goes on', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    await world.work(bob, 'two', 'verified');
    const ledger: LedgerPort = {
      ...world.ledger,
      async recordAssessment(id, ...rest) {
        if (id === alice) throw new Error('disk full');
        return world.ledger.recordAssessment(id, ...rest);
      },
    };
    const both = { assessments: [...trust(alice, 1).assessments, ...trust(bob, 1).assessments] };
    const cortex = world.cortex({ ledger, reflector: createScriptedReflector(both) });
    expect(await cortex.reflectNow('manual')).toMatchObject({
      status: 'applied',
      record: { assessments: [{ peerId: bob }], dropped: [{ reason: 'write_failed', message: 'disk full' }] },
    });
  });

  it('CTX-12 CTX-15 a ledger that hangs holds the lock once, not once per peer, and its peers stay due', async () => {
    await using world = await createWorld();
    const peers = Array.from({ length: 12 }, (_, n) => peerId(n.toString(16)));
    for (const [n, peer] of peers.entries()) await world.work(peer, `w${n}`, 'verified');
    let hangs = true;
    const ledger: LedgerPort = {
      ...world.ledger,
      recordAssessment: (...row) => (hangs ? new Promise(() => {}) : world.ledger.recordAssessment(...row)),
    };
    const cortex = world.cortex({ ledger, reflector: createRuleReflector(), config: { timeoutMs: 100 } });
    const begun = performance.now();
    const first = await cortex.reflectNow('one');
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(first).toMatchObject({ status: 'applied', record: { assessments: [] } });
    const reasons = 'record' in first ? first.record.dropped.map(({ reason }) => reason) : [];
    expect(reasons).toEqual(peers.map(() => 'write_failed'));
    hangs = false;
    const second = await cortex.reflectNow('two');
    expect('record' in second ? second.record.assessments : []).toHaveLength(12);
  });

  it('CTX-21 X-8 input that is no text is refused, and the history stays readable after a restart', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const reflector = createRuleReflector();
    const cortex = world.cortex({ reflector });
    const refused = { code: 'INVALID_INPUT' };
    for (const reason of [undefined, null, 7, ' '])
      await expect(cortex.reflectNow(reason as never)).rejects.toMatchObject(refused);
    const late = { peerId: alice, what: 'w', dueAt: world.now + 1 };
    await expect(cortex.noteCommitment({ ...late, correlationId: 7 as never })).rejects.toMatchObject(
      refused,
    );
    const edit = { key: 'own', value: 'v' };
    await expect(cortex.edit({ ...edit, rationale: 7 as never })).rejects.toMatchObject(refused);
    await cortex.edit(edit);
    expect(await cortex.reflectNow('x'.repeat(1_000))).toMatchObject({ status: 'applied' });
    await cortex.close();
    const next = world.cortex({ reflector });
    await next.refresh();
    expect(next.history()).toHaveLength(1);
    expect(next.history()[0]?.trigger.length).toBeLessThanOrEqual(200);
    expect(next.beliefs().some(({ key }) => key === 'own')).toBe(true);
    expect(next.stats().stateFailures).toBe(0);
    for (const patch of [null, undefined, 7, { triggers: null }, { budget: 5 }, { triggers: { count: 1 } }])
      expect(() => next.configure(patch as never)).toThrow(
        expect.objectContaining({ code: 'INVALID_CONFIG' }),
      );
  });

  it('CTX-12 a ledger that cannot be read fails the cycle and nothing else', async () => {
    await using world = await createWorld();
    const ledger: LedgerPort = { ...world.ledger, listPeers: () => Promise.reject(new Error('locked')) };
    const cortex = world.cortex({ ledger, reflector: createRuleReflector() });
    expect(await cortex.reflectNow('manual')).toMatchObject({
      status: 'failed',
      record: { failure: { code: 'LEDGER_FAILED' } },
    });
  });

  /** A reflector that counts how many of its calls run at once; `during` runs in each. */
  const counting = (during = () => {}) => {
    let running = 0;
    const seen = { most: 0 };
    const reflector = createScriptedReflector(async () => {
      running += 1;
      seen.most = Math.max(seen.most, running);
      during();
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return { output: { assessments: [] } };
    });
    return { reflector, seen };
  };

  it('CTX-7 one cycle at a time: what is asked meanwhile is counted, and skipped when nothing is left', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const { reflector, seen } = counting();
    const cortex = world.cortex({ reflector });
    const [first, second] = [cortex.reflectNow('one'), cortex.reflectNow('two')];
    expect(await first).toMatchObject({ status: 'applied', record: { cycle: 1 } });
    expect(await second).toEqual({ status: 'skipped', reason: 'busy' });
    expect(reflector.requests).toHaveLength(1);
    expect(seen.most).toBe(1);
    expect(cortex.stats()).toMatchObject({ skippedBusy: 1, cyclesApplied: 1 });
  });

  it('CTX-7 requests that wait for the same cycle run one after the other, while something is left', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    // There is something to reflect on after each cycle.
    const { reflector, seen } = counting(() => cortex.hooks.onMessage({ peerId: alice }));
    const cortex = world.cortex({ reflector });
    const results = await Promise.all(['one', 'two', 'three', 'four'].map((each) => cortex.reflectNow(each)));
    expect(results.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied', 'applied']);
    expect(seen.most).toBe(1);
    expect(cortex.history().map(({ cycle }) => cycle)).toEqual([4, 3, 2, 1]);
    expect(cortex.stats().skippedBusy).toBe(3);
  });

  it('CTX-12 X-8 an abort ends a cycle at once, and close() ends one and gives assessment back', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const assessors: string[] = [];
    const ledger: LedgerPort = { ...world.ledger, setAssessor: (who) => assessors.push(who) };
    const cortex = world.cortex({ ledger, reflector: createScriptedReflector(() => new Promise(() => {})) });
    await cortex.start();
    const abort = new AbortController();
    const aborted = cortex.reflectNow('one', { signal: abort.signal });
    abort.abort();
    expect(await aborted).toMatchObject({ status: 'failed', record: { failure: { code: 'ABORTED' } } });
    const closed = cortex.reflectNow('two');
    await cortex.close();
    expect(await closed).toMatchObject({ status: 'failed', record: { failure: { code: 'ABORTED' } } });
    expect(await cortex.reflectNow('three')).toEqual({ status: 'skipped', reason: 'closed' });
    await expect(cortex.start()).rejects.toMatchObject({ code: 'CLOSED' });
    expect(assessors).toEqual(['cortex', 'agent']);
  });

  it('X-8 close() during start() gives assessment back, and start() rejects', async () => {
    await using world = await createWorld();
    let assessor = 'agent';
    const ledger: LedgerPort = {
      ...world.ledger,
      setAssessor: (who) => {
        assessor = who;
      },
    };
    const cortex = world.cortex({ ledger, reflector: createRuleReflector() });
    const starting = cortex.start();
    await cortex.close();
    await expect(starting).rejects.toMatchObject({ code: 'CLOSED' });
    expect(assessor).toBe('agent');
  });
});
