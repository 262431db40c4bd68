import { describe, expect, it } from 'vitest';
import { createMemoryReviewStore, isBonafideError, parseReview, type ReviewOffer } from '../src/index.ts';
import { day, hour, keyOf, sign, start, statement } from './support.ts';
import { agent, manualClock, relay } from './world.ts';

const offer = async (rest: Partial<ReviewOffer> = {}, review = {}): Promise<ReviewOffer> => ({
  key: 'benchmark-1',
  event: 'benchmark',
  completedAt: start,
  review: await statement(review),
  ...rest,
});

async function world(config = {}) {
  const clock = manualClock();
  const at = await relay(clock);
  const mine = agent(1, [at.url], { clock, config });
  // The raw messages: what the relay was sent, not what it kept.
  const sent = () =>
    at.received.flatMap(({ message }) =>
      Array.isArray(message) && message[0] === 'EVENT' ? [message[1]] : [],
    );
  return { clock, at, mine, sent };
}

describe('consent', () => {
  it('REP-4 sends nothing without a call or a configuration, whatever time passes', async () => {
    const { clock, at, mine, sent } = await world();
    await mine.offer(await offer());
    await mine.offer(await offer({ key: 'attack', event: 'security' }));
    await mine.offer(await offer({ key: 'change', event: 'score_change' }));
    await mine.preview('benchmark-1');
    for (let passed = 0; passed < 10; passed += 1) {
      expect(await mine.publishDue()).toBe(0);
      clock.advance(10 * day);
    }
    await mine.about(await keyOf(2));
    expect(sent()).toEqual([]);
    expect(at.events()).toEqual([]);
    expect((await mine.list({ state: 'queued' })).items).toHaveLength(3);
  });

  it('REP-4 sends exactly what the preview shows', async () => {
    const { clock, at, mine } = await world({ formats: ['review-set', 'review', 'attestation'] });
    await mine.offer(await offer());
    const preview = await mine.preview('benchmark-1');
    expect(preview).toMatchObject({
      approved: false,
      state: 'queued',
      relays: [at.url],
      decision: { action: 'wait' },
    });
    await mine.publish('benchmark-1');
    expect(at.events()).toEqual([]);
    clock.advance(day);
    expect(await mine.publishDue()).toBe(1);
    const unsigned = at.events().map(({ sig: _, ...event }) => event);
    expect(unsigned).toHaveLength(3);
    expect(unsigned).toEqual(expect.arrayContaining(preview.events.map((event) => ({ ...event }))));
    expect((await mine.preview('benchmark-1')).events).toEqual(preview.events);
  });

  it('REP-4 publishes by configuration, and says so in the preview', async () => {
    const { clock, mine, at } = await world({ consent: 'all' });
    await mine.offer(await offer());
    expect(await mine.preview('benchmark-1')).toMatchObject({ approved: true });
    clock.advance(day);
    expect(await mine.publishDue()).toBe(1);
    expect(at.events({ kinds: [32_020] })).toHaveLength(1);
  });
});

describe('the queue', () => {
  it('REP-2 publishes a benchmark after 24 hours, once', async () => {
    const { clock, at, mine, sent } = await world({ consent: 'all' });
    const published: string[] = [];
    mine.on('published', ({ key }) => published.push(key));
    await mine.offer(await offer());
    clock.advance(day - 1);
    expect(await mine.publishDue()).toBe(0);
    clock.advance(1);
    expect(await mine.publishDue()).toBe(1);
    for (let again = 0; again < 3; again += 1) {
      expect(await mine.publishDue()).toBe(0);
      await mine.offer(await offer());
      await mine.publish('benchmark-1');
      clock.advance(day);
    }
    expect(sent()).toHaveLength(1);
    const [event] = at.events();
    expect(parseReview(event)).toMatchObject({
      ok: true,
      review: { trustScore: 0.875, subject: await keyOf(2) },
    });
    expect(event?.created_at).toBe((start + day) / 1_000);
    expect(published).toEqual(['benchmark-1']);
    expect(await mine.get('benchmark-1')).toMatchObject({
      state: 'published',
      publishedAt: start + day,
      attempts: 1,
    });
  });

  it('REP-2 publishes a large change at once, and a small one never', async () => {
    const { clock, mine, at } = await world({ consent: 'all' });
    const change = async (key: string, trustScore: number) => {
      clock.advance(hour);
      await mine.offer(await offer({ key, event: 'score_change', completedAt: clock() }, { trustScore }));
      await mine.publishDue();
      return (await mine.get(key))?.state;
    };
    await mine.offer(await offer());
    clock.advance(day);
    await mine.publishDue();
    expect(await change('small', 0.68)).toBe('skipped');
    expect(await change('large', 0.6)).toBe('published');
    // Against what was published last, not against what was skipped.
    expect(await change('back', 0.75)).toBe('skipped');
    expect(await change('far', 0.95)).toBe('published');
    const [event, ...older] = at.events({ kinds: [32_020] });
    expect(older).toEqual([]);
    expect(parseReview(event)).toMatchObject({ review: { trustScore: 0.95 } });
  });

  it('REP-2 publishes an attack at once and with an alert', async () => {
    const { mine, at } = await world({ consent: 'all' });
    const alerts: string[] = [];
    mine.on('alert', ({ key }) => alerts.push(key));
    await mine.offer(
      await offer(
        { key: 'attack', event: 'security' },
        { trustScore: 0, summary: 'It tried to leave the sandbox.' },
      ),
    );
    expect(await mine.publishDue()).toBe(1);
    const [event] = at.events();
    expect(event?.tags).toContainEqual(['alert', 'security']);
    expect(parseReview(event)).toMatchObject({ review: { alert: 'security', trustScore: 0 } });
    expect(alerts).toEqual(['attack']);
  });

  it('REP-2 alerts the operator of an attack that waits for approval, once', async () => {
    const { mine, at } = await world();
    const alerts: string[] = [];
    mine.on('alert', ({ key }) => alerts.push(key));
    await mine.offer(await offer({ key: 'attack', event: 'security' }));
    await mine.publishDue();
    await mine.publishDue();
    expect(alerts).toEqual(['attack']);
    expect(at.events()).toEqual([]);
    expect(await mine.publish('attack')).toMatchObject({ state: 'published' });
  });

  it('REP-2 lets no earlier opinion replace a later one', async () => {
    const { clock, mine, at } = await world({ consent: 'all' });
    await mine.offer(await offer());
    clock.advance(hour);
    const attack = { key: 'attack', event: 'security' as const, completedAt: clock() };
    await mine.offer(await offer(attack, { trustScore: 0 }));
    await mine.publishDue();
    clock.advance(day);
    expect(await mine.publishDue()).toBe(0);
    expect(await mine.get('benchmark-1')).toMatchObject({ state: 'superseded' });
    expect(at.events()).toHaveLength(1);
    expect(parseReview(at.events()[0])).toMatchObject({ review: { trustScore: 0 } });
  });

  it('REP-2 dates a later opinion after the published one, also when it was approved late', async () => {
    const { clock, mine, at } = await world();
    await mine.offer(await offer());
    clock.advance(hour);
    await mine.offer(
      await offer({ key: 'attack', event: 'security', completedAt: clock() }, { trustScore: 0 }),
    );
    clock.advance(day);
    await mine.publish('benchmark-1');
    await mine.publish('attack');
    expect(parseReview(at.events({ kinds: [32_020] })[0])).toMatchObject({ review: { trustScore: 0 } });
  });

  it('REP-2 keeps trying while no relay answers, and sends the same event', async () => {
    const { clock, mine, at, sent } = await world({ consent: 'all', retryMs: 1_000, maxRetryMs: 4_000 });
    await mine.offer(await offer());
    clock.advance(day);
    await at.faults.set({ publish: { answer: 'refuse', reason: 'blocked: not today' } });
    expect(await mine.publishDue()).toBe(0);
    expect(await mine.get('benchmark-1')).toMatchObject({
      state: 'signed',
      attempts: 1,
      dueAt: clock() + 1_000,
    });
    clock.advance(1_000);
    await mine.publishDue();
    expect(await mine.get('benchmark-1')).toMatchObject({ attempts: 2, dueAt: clock() + 2_000 });
    await at.faults.clear();
    clock.advance(2_000);
    expect(await mine.publishDue()).toBe(1);
    expect(sent()).toHaveLength(3);
    expect(new Set(sent().map(({ id, sig }) => `${id}${sig}`)).size).toBe(1);
  });

  it('REP-2 gives up a queued review, and deletes a published one', async () => {
    const { clock, mine, at, sent } = await world({ consent: 'all' });
    await mine.offer(await offer());
    expect(await mine.withdraw('benchmark-1', 'A mistake.')).toMatchObject({ state: 'withdrawn' });
    clock.advance(2 * day);
    expect(await mine.publishDue()).toBe(0);
    expect(sent()).toEqual([]);
    await mine.offer(await offer({ key: 'second', event: 'security' }));
    await mine.publishDue();
    expect(at.events({ kinds: [32_020] })).toHaveLength(1);
    await mine.withdraw('second', 'It was not them.');
    expect(at.events({ kinds: [32_020] })).toEqual([]);
    const [deletion] = at.events({ kinds: [5] });
    await mine.withdraw('second', 'Again.');
    expect(at.events({ kinds: [5] })).toEqual([deletion]);
  });

  it('REP-2 keeps the later opinion when an earlier one is withdrawn', async () => {
    const { clock, mine, at } = await world({ consent: 'all' });
    await mine.offer(await offer({ key: 'first', event: 'security' }, { trustScore: 0 }));
    await mine.publishDue();
    clock.advance(hour);
    await mine.offer(
      await offer({ key: 'second', event: 'score_change', completedAt: clock() }, { trustScore: 0.9 }),
    );
    await mine.publishDue();
    await mine.withdraw('first', 'A mistake.');
    expect(parseReview(at.events({ kinds: [32_020] })[0])).toMatchObject({ review: { trustScore: 0.9 } });
  });

  it('REP-2 dates a review after the deletion of an earlier one, which would hide it', async () => {
    const { clock, mine, at } = await world({ consent: 'all' });
    // Both opinions were formed before the deletion.
    const formed = { completedAt: clock() };
    await mine.offer(await offer({ key: 'first', event: 'security', ...formed }, { trustScore: 0 }));
    await mine.publishDue();
    clock.advance(hour);
    await mine.withdraw('first', 'A mistake.');
    await mine.offer(await offer({ key: 'second', event: 'security', ...formed }, { trustScore: 0.2 }));
    const { events } = await mine.preview('second');
    expect(await mine.publishDue()).toBe(1);
    const [event] = at.events({ kinds: [32_020] });
    expect(parseReview(event)).toMatchObject({ ok: true, review: { trustScore: 0.2 } });
    expect(event?.id).toBe(events[0]?.id);
    // A reader that sees both.
    expect((await mine.about(await keyOf(2))).reviews).toMatchObject([{ trustScore: 0.2 }]);
  });

  it('REP-2 deletes no version that another process has signed and not yet sent', async () => {
    const { clock, mine, at } = await world({ consent: 'all' });
    await mine.offer(await offer({ key: 'first', event: 'security' }, { trustScore: 0 }));
    await mine.publishDue();
    await mine.offer(
      await offer({ key: 'second', event: 'security', completedAt: clock() + 1 }, { trustScore: 0.2 }),
    );
    await at.faults.set({ publish: { answer: 'refuse', reason: 'blocked: not now' } });
    await mine.publishDue();
    expect(await mine.get('second')).toMatchObject({ state: 'signed' });
    await at.faults.clear();
    clock.advance(hour);
    await mine.withdraw('first', 'A mistake.');
    expect(await mine.publishDue()).toBe(1);
    expect((await mine.about(await keyOf(2))).reviews).toMatchObject([{ trustScore: 0.2 }]);
  });

  it('REP-2 finishes a deletion that a crash interrupted before it dates a later review', async () => {
    const { clock, mine, at } = await world({ consent: 'all' });
    await mine.offer(await offer({ key: 'first', event: 'security' }, { trustScore: 0 }));
    await mine.publishDue();
    clock.advance(hour);
    // The process died between the decision and the deletion.
    const first = await mine.get('first');
    if (first === null) throw new Error('not stored');
    await mine.store.update({ ...first, revision: first.revision + 1, state: 'withdrawn', dueAt: null });
    await mine.offer(await offer({ key: 'second', event: 'security' }, { trustScore: 0.2 }));
    expect(await mine.publishDue()).toBe(1);
    await mine.withdraw('first', 'Again.');
    expect((await mine.about(await keyOf(2))).reviews).toMatchObject([{ trustScore: 0.2 }]);
    expect(at.events({ kinds: [5] })).toHaveLength(1);
  });

  it('REP-2 repeats a deletion that no relay accepted, and keeps the events until then', async () => {
    const { clock, mine, at } = await world({ consent: 'all', retryMs: 1_000, maxRetryMs: 3_000 });
    await mine.offer(await offer({ event: 'security' }));
    await mine.publishDue();
    await at.faults.set({ publish: { answer: 'refuse', reason: 'blocked: not now' } });
    await expect(mine.withdraw('benchmark-1', 'A mistake.')).rejects.toMatchObject({ code: 'NOT_PUBLISHED' });
    const subject = await keyOf(2);
    expect(await mine.store.erasePeer?.(subject)).toEqual({ erased: { reviews: 0 }, kept: { reviews: 1 } });
    clock.advance(1_000);
    expect(await mine.publishDue()).toBe(0);
    expect(await mine.get('benchmark-1')).toMatchObject({ state: 'withdrawn', dueAt: clock() + 2_000 });
    await at.faults.clear();
    clock.advance(2_000);
    await mine.publishDue();
    expect(at.events({ kinds: [32_020] })).toEqual([]);
    expect(await mine.get('benchmark-1')).toMatchObject({ state: 'withdrawn', dueAt: null });
    expect(await mine.store.erasePeer?.(subject)).toEqual({ erased: { reviews: 1 }, kept: { reviews: 0 } });
  });

  it('REP-2 refuses a call without arguments, an unknown name and an unknown event (X-8)', async () => {
    const { mine } = await world();
    // Calls as a program in JavaScript makes them.
    const calls: readonly (() => unknown)[] = [
      ...(['publish', 'withdraw', 'decideDispute', 'object', 'watch', 'about', 'by'] as const).map(
        (name) => () => Reflect.apply(mine[name], mine, []),
      ),
      () => mine.withdraw('key', undefined as never),
      () => mine.decideDispute('key', { outcome: 'maybe' } as never),
      () => mine.object({ kind: 1 } as never, 'No.'),
      () => mine.list({ stat: 'queued' } as never),
      () => mine.list({ state: 'sent' } as never),
      () => mine.list({ limit: 0 }),
      () => mine.list({ cursor: 'x' }),
      () => mine.on('publish' as never, () => {}),
      () => mine.on('published', undefined as never),
    ];
    for (const call of calls)
      await expect(async () => call()).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect((await mine.list({ cursor: null as never })).items).toEqual([]);
  });

  it('REP-2 names what is wrong with a call', async () => {
    const { mine } = await world();
    await expect(mine.publish('none')).rejects.toMatchObject({ code: 'UNKNOWN_REVIEW' });
    await expect(mine.offer(await offer({ key: '' }))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(mine.offer(await offer({}, { subject: await keyOf(1) }))).rejects.toThrow(/own key/);
    await mine.offer(await offer());
    await mine.withdraw('benchmark-1', 'No.');
    await expect(mine.publish('benchmark-1')).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
    await mine.close();
    await expect(mine.publishDue()).rejects.toMatchObject({ code: 'CLOSED' });
  });

  it('REP-2 reports a format that lacks a member when the review is offered', async () => {
    const { mine } = await world({ formats: ['job-review'] });
    await expect(mine.offer(await offer())).rejects.toThrow(/jobId/);
  });

  it('REP-2 turns failures of the store into STORE_FAILED, and sends nothing then (X-4)', async () => {
    const clock = manualClock();
    const at = await relay(clock);
    const broken = { ...createMemoryReviewStore(), update: () => Promise.reject(new Error('disk full')) };
    const mine = agent(1, [at.url], { clock, store: broken, config: { consent: 'all' } });
    await mine.offer(await offer({ event: 'security' }));
    expect(await mine.publishDue()).toBe(0);
    expect(at.events()).toEqual([]);
    const error = await mine.withdraw('benchmark-1', 'x').catch((cause: unknown) => cause);
    expect(isBonafideError(error, 'STORE_FAILED')).toBe(true);
  });
});

describe('objections', () => {
  async function published(config = {}) {
    const shared = await world({ consent: 'all', ...config });
    const { clock, at, mine } = shared;
    await mine.offer(await offer());
    clock.advance(day);
    await mine.publishDue();
    const platform = agent(2, [at.url], { clock });
    const [event] = at.events({ kinds: [32_020] });
    if (event === undefined) throw new Error('not published');
    return { ...shared, platform, event };
  }

  it('REP-8 an objection of the subject makes the review disputed and opens a dispute', async () => {
    const { clock, mine, platform, event } = await published();
    const disputed: string[] = [];
    mine.on('disputed', ({ claim }) => disputed.push(claim));
    const objection = await platform.object(event, 'The result was correct.', {
      evidence: ['https://example.org/log'],
    });
    expect(await mine.readObjections()).toEqual({ disputed: 1, ignored: 0 });
    const review = await mine.get('benchmark-1');
    expect(review).toMatchObject({
      state: 'disputed',
      objections: [{ eventId: objection.id, claim: 'The result was correct.' }],
      dispute: {
        agentId: await keyOf(2),
        state: 'disputed',
        dispute: {
          claim: 'The result was correct.',
          evidence: [`nostr:${objection.id}`, 'https://example.org/log'],
          filedAt: clock(),
          decideBy: clock() + 7 * day,
        },
      },
    });
    expect(await mine.readObjections()).toEqual({ disputed: 0, ignored: 1 });
    expect(disputed).toEqual(['The result was correct.']);
  });

  it('REP-8 looks up few of the events that a reply names', async () => {
    const { mine, event, at } = await published();
    let looked = 0;
    const { findByEvent } = mine.store;
    Object.assign(mine.store, {
      findByEvent: (id: string) => {
        looked += 1;
        return findByEvent(id);
      },
    });
    const flood = Array.from({ length: 150 }, (_, n) => ['e', n.toString(16).padStart(64, '0')]);
    at.publish(await sign(4, { kind: 1111, tags: [...flood, ['e', event.id]], content: 'No.' }));
    expect(await mine.readObjections()).toEqual({ disputed: 0, ignored: 1 });
    expect(looked).toBe(8);
  });

  it('REP-8 holds further opinions until it is decided (REP-2)', async () => {
    const { clock, mine, platform, event, at } = await published();
    await platform.object(event, 'Wrong.');
    await mine.readObjections();
    const change = { key: 'change', event: 'score_change' as const, completedAt: clock() };
    await mine.offer(await offer(change, { trustScore: 0.1 }));
    await mine.offer(await offer({ ...change, key: 'other' }, { trustScore: 0.1, task: 'other' }));
    await mine.publishDue();
    expect(await mine.get('change')).toMatchObject({
      state: 'queued',
      reason: expect.stringMatching(/held/),
    });
    clock.advance(day);
    await mine.publishDue();
    expect(await mine.get('other')).toMatchObject({ state: 'published' });
    expect(await mine.get('change')).toMatchObject({ state: 'queued' });
    await mine.decideDispute('benchmark-1', {
      outcome: 'upheld',
      reason: 'The log shows it.',
      arbitrator: 'operator',
    });
    expect(await mine.get('benchmark-1')).toMatchObject({ state: 'published', dispute: { state: 'upheld' } });
    expect(await mine.publishDue()).toBe(1);
    expect(await mine.get('change')).toMatchObject({ state: 'published' });
    expect(at.events({ kinds: [32_020] })).toHaveLength(2);
  });

  it('REP-8 deletes the review when the subject is right', async () => {
    const { mine, platform, event, at } = await published();
    await platform.object(event, 'Wrong.');
    await mine.readObjections();
    await mine.decideDispute('benchmark-1', {
      outcome: 'excused',
      reason: 'Our test was wrong.',
      arbitrator: 'operator',
    });
    expect(await mine.get('benchmark-1')).toMatchObject({
      state: 'withdrawn',
      dispute: { state: 'excused' },
    });
    expect(at.events({ kinds: [32_020] })).toEqual([]);
  });

  it('REP-8 lets the review stand when nothing is decided in time', async () => {
    const { clock, mine, platform, event } = await published();
    await platform.object(event, 'Wrong.');
    await mine.readObjections();
    clock.advance(7 * day);
    await mine.publishDue();
    expect(await mine.get('benchmark-1')).toMatchObject({ state: 'disputed' });
    clock.advance(1);
    await mine.publishDue();
    expect(await mine.get('benchmark-1')).toMatchObject({ state: 'published', dispute: { state: 'upheld' } });
  });

  it('REP-8 lets neither side decide', async () => {
    const { mine, platform, event } = await published();
    await platform.object(event, 'Wrong.');
    await mine.readObjections();
    for (const n of [1, 2]) {
      const decision = { outcome: 'upheld' as const, reason: 'I say so.', arbitrator: await keyOf(n) };
      await expect(mine.decideDispute('benchmark-1', decision)).rejects.toThrow(/cannot decide/);
    }
    expect(await mine.get('benchmark-1')).toMatchObject({ state: 'disputed' });
  });

  it('REP-8 ignores replies of others, of no text, to other events, too late, and floods', async () => {
    const { clock, mine, platform, event, at } = await published();
    const nowSeconds = () => Math.floor(clock() / 1_000);
    const reply = async (n: number, content: string, tags = [['e', event.id]]) =>
      at.publish(await sign(n, { kind: 1, created_at: nowSeconds(), tags, content }));
    await reply(3, 'I object, too.');
    await reply(2, ' \u200b ');
    await reply(2, 'Elsewhere.', [['e', 'ab'.repeat(32)]]);
    expect(await mine.readObjections()).toEqual({ disputed: 0, ignored: 2 });
    await expect(agent(3, [at.url], { clock }).object(event, 'Wrong.')).rejects.toThrow(/another agent/);
    for (let n = 0; n < 30; n += 1) await reply(2, `Objection ${n}`);
    expect((await mine.readObjections()).disputed).toBe(1);
    expect((await mine.get('benchmark-1'))?.objections).toHaveLength(20);
    // What was decided stays decided.
    await mine.decideDispute('benchmark-1', { outcome: 'upheld', reason: 'No.', arbitrator: 'operator' });
    await platform.object(event, 'Once more.');
    expect((await mine.readObjections()).disputed).toBe(0);
    expect(await mine.get('benchmark-1')).toMatchObject({ state: 'published' });
  });

  it('REP-8 takes no objection after the filing period', async () => {
    const { clock, mine, platform, event } = await published({ filingMs: 2 * day });
    clock.advance(2 * day + 1);
    await platform.object(event, 'Wrong.');
    expect((await mine.readObjections()).disputed).toBe(0);
    expect(await mine.get('benchmark-1')).toMatchObject({ state: 'published', dispute: null });
  });
});
