import { expect } from 'vitest';
import { assessment, everything, message, newest, outcomeOf, type StoreTests } from './samples.ts';

/** Tests of voiding. */
export const voiding: StoreTests = {
  'keeps outcomes that have no interaction when another interaction is voided': async (store) => {
    await store.recordInteraction(message('1', { correlationId: 'a' }));
    await store.recordInteraction(message('2', { correlationId: 'b' }));
    const peerId = 'telegram:bob';
    for (const [id, outcome] of [
      ['o1', 'violation'],
      ['o2', 'timeout'],
      ['o3', 'paid'],
    ] as const) {
      await store.recordOutcome({ ...outcomeOf(id, `elsewhere ${id}`, outcome), peerId });
    }
    await store.recordOutcome(outcomeOf('o4', 'b', 'delivered'));
    await store.voidInteraction({ interactionId: '1', reason: 'x', at: 1 });
    const kept = { violationCount: 1, failureCount: 2, successCount: 1, lastViolationAt: 2000 };
    expect((await store.getPeer(peerId))?.peer).toMatchObject({ ...kept, openCount: 1 });
    await store.voidInteraction({ interactionId: '2', reason: 'x', at: 1 });
    expect((await store.getPeer(peerId))?.peer).toMatchObject({ ...kept, openCount: 0, interactionCount: 0 });
    // A message of the work brings its outcome back.
    await store.recordInteraction(message('3', { correlationId: 'b' }));
    expect((await store.getPeer(peerId))?.peer).toMatchObject({ ...kept, openCount: 1 });
  },

  'comes to the same result in every order of voiding and recording': async (store) => {
    const orders = [
      ['say a', 'say b', 'say c', 'end a', 'end b', 'void a', 'void b', 'void c'],
      ['say c', 'end b', 'say b', 'end a', 'say a', 'void c', 'void b', 'void a'],
      ['say b', 'void b', 'end b', 'say a', 'void a', 'say c', 'end a', 'void c'],
      ['say a', 'end a', 'void a', 'say b', 'void b', 'say c', 'void c', 'end b'],
    ];
    const at = { a: 3000, b: 1000, c: 2000 } as const;
    const states = [];
    for (const [n, steps] of orders.entries()) {
      const peer = { peerId: `irc:${n}`, nativeId: `${n}` };
      for (const step of steps) {
        const [act, work = ''] = step.split(' ');
        const id = `${n}${work}`;
        if (act === 'say') {
          const time = at[work as keyof typeof at];
          await store.recordInteraction(message(id, { at: time, correlationId: id, peer }));
        } else if (act === 'end') {
          const outcome = work === 'a' ? 'violation' : 'paid';
          await store.recordOutcome({ ...outcomeOf(`o${id}`, id, outcome), peerId: peer.peerId });
        } else await store.voidInteraction({ interactionId: id, reason: 'x', at: 1 });
      }
      const found = await store.getPeer(peer.peerId);
      states.push({ ...found?.peer, ...peer, peerId: '', nativeId: '', handle: '' });
    }
    expect(states[0]).toMatchObject({
      ...{ interactionCount: 0, violationCount: 0, successCount: 0, failureCount: 0, openCount: 0 },
      ...{ firstSeenAt: 3000, lastSeenAt: 3000, lastViolationAt: null },
    });
    for (const state of states) expect(state).toEqual(states[0]);
  },

  'takes a voided interaction out of counts, times and rates, and keeps its externalId': async (store) => {
    await store.recordInteraction(message('1', { at: 1000, correlationId: 'a' }));
    await store.recordInteraction(message('2', { at: 2000, correlationId: 'b', externalId: 'e' }));
    await store.recordInteraction(message('3', { at: 3000, correlationId: 'a' }));
    await store.recordOutcome({ ...outcomeOf('o1', 'a', 'paid') });
    await store.recordOutcome({ ...outcomeOf('o2', 'b', 'violation') });
    const write = { interactionId: '2', reason: 'Was meant for another peer.', at: 9000 };
    expect(await store.voidInteraction(write)).toEqual({ kind: 'voided', peerId: 'telegram:bob' });
    const counts = { successCount: 1, failureCount: 0, violationCount: 0, lastViolationAt: null };
    const after = { ...counts, interactionCount: 2, firstSeenAt: 1000, lastSeenAt: 3000 };
    expect((await store.getPeer('telegram:bob'))?.peer).toMatchObject(after);
    const rows = await store.listInteractions(newest());
    expect(rows.map((row) => row.voided)).toEqual([null, { at: 9000, reason: write.reason }, null]);
    const before = await everything(store);
    expect(await store.voidInteraction({ ...write, reason: 'Again' })).toEqual({
      kind: 'repeated',
      peerId: 'telegram:bob',
    });
    expect(await store.voidInteraction({ ...write, interactionId: 'x' })).toEqual({ kind: 'unknown' });
    expect(await everything(store)).toEqual(before);
    expect(await store.recordInteraction(message('4', { externalId: 'e' }))).toMatchObject({
      recorded: false,
    });

    await store.recordOutcome({
      ...outcomeOf('o3', 'b', 'verified'),
      peerId: 'telegram:bob',
      createdAt: 5000,
    });
    expect((await store.getPeer('telegram:bob'))?.peer).toMatchObject(counts);
    await store.voidInteraction({ ...write, interactionId: '3' });
    expect((await store.getPeer('telegram:bob'))?.peer).toMatchObject({ lastSeenAt: 1000, successCount: 1 });
    await store.voidInteraction({ ...write, interactionId: '1' });
    expect((await store.getPeer('telegram:bob'))?.peer).toMatchObject({
      interactionCount: 0,
      successCount: 0,
    });
    await store.recordInteraction(message('5', { at: 8000 }));
    expect((await store.getPeer('telegram:bob'))?.peer).toMatchObject({
      interactionCount: 1,
      firstSeenAt: 8000,
      lastSeenAt: 8000,
    });
  },
};

/** Tests of erasure. */
export const erasure: StoreTests = {
  'erases what was recorded until a time, and keeps what came later': async (store) => {
    const peerId = 'telegram:bob';
    const tombstone = { peerId: 'erased:1', handle: 'p-22222222' };
    const forget = (until: number) => store.forgetPeer({ peerId, tombstone, until });
    const old = { receivedAt: 1000, content: 'old words' };
    await store.recordInteraction(message('1', { ...old, at: 900, correlationId: 'a', externalId: 'e1' }));
    await store.recordInteraction(message('2', { ...old, at: 950, correlationId: 'a' }));
    await store.recordInteraction(message('3', { ...old, at: 960, correlationId: 'v' }));
    await store.voidInteraction({ interactionId: '3', reason: 'x', at: 990 });
    for (const [id, work, outcome] of [
      ['o1', 'a', 'rejected'],
      ['o2', 'a', 'paid'],
      ['o3', 'v', 'violation'],
      ['o4', 'none', 'timeout'],
    ] as const) {
      await store.recordOutcome({ ...outcomeOf(id, work, outcome), peerId, receivedAt: 1000 });
    }
    await store.recordAssessment(peerId, () => assessment('a1', { createdAt: 1000, trust: -5 }));
    const before = await store.getPeer(peerId);
    const unchanged = await everything(store);
    expect(await forget(999)).toBe(0);
    expect(await everything(store)).toEqual(unchanged);

    await store.recordInteraction(message('4', { at: 3000, correlationId: 'b', externalId: 'e4' }));
    await store.recordOutcome({ ...outcomeOf('o5', 'b', 'verified'), receivedAt: 5000 });
    await store.recordAssessment(peerId, () =>
      assessment('a2', { createdAt: 5000, source: 'operator', trust: 2 }),
    );
    expect(await forget(1000)).toBe(3);

    const kept = await store.getPeer(peerId);
    expect(kept).toMatchObject({
      peer: {
        ...{ interactionCount: 1, firstSeenAt: 3000, lastSeenAt: 3000, assessmentCount: 1 },
        ...{ successCount: 1, failureCount: 0, violationCount: 0, operatorTrust: 2 },
      },
      latest: { assessmentId: 'a2', trust: 2 },
    });
    const erased = await store.getPeer('erased:1');
    expect(erased?.peer).toMatchObject({
      ...{ interactionCount: 2, firstSeenAt: 900, lastSeenAt: 950, assessmentCount: 1 },
      ...{ successCount: before?.peer.successCount, failureCount: before?.peer.failureCount },
      ...{ openCount: before?.peer.openCount, violationCount: 0, operatorTrust: null },
    });
    expect(erased?.latest).toMatchObject({ assessmentId: 'a1', trust: -5, rationale: '[erased]' });
    expect((await store.listInteractions(newest('erased:1'))).map((row) => row.content)).toEqual([
      '',
      '',
      '',
    ]);
    expect((await store.listInteractions(newest())).map((row) => row.interactionId)).toEqual(['4']);
    expect(await store.recordInteraction(message('5', { externalId: 'e4' }))).toMatchObject({
      recorded: false,
    });
    expect(await store.recordInteraction(message('6', { externalId: 'e1' }))).toMatchObject({
      recorded: true,
    });
    expect((await everything(store)).totals).toMatchObject({ peers: 2, interactions: 4, assessments: 2 });
  },

  'erases what a peer said and who it was, and keeps the totals': async (store) => {
    const secret = 'personal words';
    const fields = { externalId: secret, correlationId: secret, content: secret, metrics: { note: secret } };
    await store.recordInteraction(message('1', { ...fields, evidence: { secret }, peer: { alias: secret } }));
    await store.recordInteraction(message('2', { peer: { peerId: 'irc:eve', nativeId: 'eve' } }));
    const event = { ...outcomeOf('o', secret, 'paid'), externalId: secret, evidence: { secret } };
    await store.recordOutcome(event);
    await store.recordAssessment('telegram:bob', () =>
      assessment('a', { rationale: secret, assessor: secret }),
    );
    await store.recordInteraction(message('4', { content: secret }));
    await store.voidInteraction({ interactionId: '4', reason: secret, at: 1 });
    const totals = await store.getTotals();
    const eve = await store.getPeer('irc:eve');
    const tombstone = { peerId: 'erased:1', handle: 'p-22222222' };
    const forget = (peerId: string) => store.forgetPeer({ peerId, tombstone, until: null });
    expect(await forget('telegram:nobody')).toBeNull();
    expect(await forget('telegram:bob')).toBe(2);
    expect(await store.getPeer('telegram:bob')).toBeNull();
    expect(await store.getPeer('irc:eve')).toEqual(eve);
    expect(await store.getTotals()).toEqual(totals);
    expect(await store.getPeer('erased:1')).toMatchObject({
      peer: {
        ...{ channel: 'erased', handle: 'p-22222222', nativeId: 'erased:1', alias: null },
        ...{ interactionCount: 1, successCount: 1, assessmentCount: 1 },
      },
      latest: { assessmentId: 'a', trust: 1, rationale: '[erased]' },
    });
    expect(JSON.stringify(await everything(store))).not.toMatch(/personal words|telegram:bob/u);
    // An erased row is no row of anybody: it cannot be voided.
    expect(await store.voidInteraction({ interactionId: '1', reason: 'x', at: 1 })).toEqual({
      kind: 'unknown',
    });
    // The peer may return: nothing of it is known.
    expect(await store.recordInteraction(message('3', fields))).toMatchObject({ recorded: true });
    expect((await store.getPeer('telegram:bob'))?.peer).toMatchObject({
      interactionCount: 1,
      successCount: 0,
    });
  },
};
