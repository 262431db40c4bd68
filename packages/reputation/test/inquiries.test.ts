import { patienceMs, patient, patientLimits } from '@bonafide/internal/testing';
import { buildInboxRelayList, createTransport, receivePrivate, sendPrivate } from '@bonafide/nostr-transport';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildAssessmentLabel, createInquiries, type InquiryOptions, parseReview } from '../src/index.ts';
import { hour, keyOf, signer, start } from './support.ts';
import { agent, manualClock, relay } from './world.ts';

const assessmentOf = async (subject: string) => ({
  target: subject,
  trust: 7,
  infoScore: 6,
  rationale: 'Nine of nine jobs were right.',
  at: start,
});

async function world() {
  const clock = manualClock();
  const at = await relay(clock);
  const join = async (n: number, rest: Partial<InquiryOptions> = {}) => {
    const transport = patient(
      createTransport({
        addresses: { allowLoopback: true },
        auth: { signer: signer(n), allow: [at.url] },
        clock,
        limits: patientLimits,
      }),
    );
    at.publish(await signer(n).signEvent(buildInboxRelayList([at.url], start)));
    const relays = { relays: [at.url], inboxRelays: [at.url] };
    const inquiries = createInquiries({ transport, signer: signer(n), ...relays, clock, ...rest });
    onTestFinished(async () => {
      await inquiries.close();
      await transport.close();
    });
    await inquiries.start();
    const ask: typeof inquiries.ask = (subject, peers, options) =>
      inquiries.ask(subject, peers, { timeoutMs: patienceMs, ...options });
    return { ...inquiries, ask, transport };
  };
  return { clock, at, join };
}

/** Receives questions as agent `n`, with a program of another make, and answers them in `onQuestion`. */
async function answerAs(
  n: number,
  { at, clock }: Pick<Awaited<ReturnType<typeof world>>, 'at' | 'clock'>,
  onQuestion: (
    reply: (answer: object) => Promise<unknown>,
    message: (answer: object) => string,
  ) => Promise<unknown>,
): Promise<void> {
  const transport = patient(
    createTransport({
      addresses: { allowLoopback: true },
      auth: { signer: signer(n), allow: [at.url] },
      clock,
      limits: patientLimits,
    }),
  );
  onTestFinished(() => transport.close());
  at.publish(await signer(n).signEvent(buildInboxRelayList([at.url], start)));
  const own = { transport, signer: signer(n), relays: [at.url] };
  const subscription = await receivePrivate({
    ...own,
    onMessage: async ({ content, sender }) => {
      const { id } = JSON.parse(content);
      const message = (answer: object) =>
        JSON.stringify({ protocol: 'bonafide.inquiry/1', type: 'answer', id, ...answer });
      await onQuestion(
        (answer) =>
          sendPrivate({ ...own, timeoutMs: patienceMs, recipient: sender, clock, content: message(answer) }),
        message,
      );
    },
  });
  onTestFinished(() => subscription.close());
}

describe('inquiries', () => {
  it('REP-7 two agents ask and answer over a relay, encrypted and signed', async () => {
    const { at, join } = await world();
    const asked: object[] = [];
    const policy = (question: object) => {
      asked.push(question);
      return 'answer' as const;
    };
    await join(3, { policy, assessmentOf });
    const asker = await join(1);
    const subject = await keyOf(2);
    const [answer] = await asker.ask(subject, [await keyOf(3)]);
    expect(answer).toMatchObject({ peer: await keyOf(3), status: 'answered', rejected: {} });
    expect(answer?.assessments).toMatchObject([
      {
        reviewer: await keyOf(3),
        subject,
        assessment: { trust: 7, infoScore: 6, rationale: 'Nine of nine jobs were right.' },
      },
    ]);
    expect(asked).toEqual([{ asker: await keyOf(1), subject }]);
    // The relay saw gift wraps and lists of relays, and no word of it.
    const kinds = new Set(at.events().map(({ kind }) => kind));
    expect([...kinds].toSorted()).toEqual([10_050, 1059]);
    expect(at.received.some(({ text }) => text.includes(subject) || text.includes('Nine of nine'))).toBe(
      false,
    );
  });

  it('REP-7 weighs what it heard beside reviews and the ledger (REP-6)', async () => {
    const { at, join, clock } = await world();
    await join(3, { policy: () => 'answer', assessmentOf });
    const asker = await join(1);
    const subject = await keyOf(2);
    const [answer] = await asker.ask(subject, [await keyOf(3)]);
    const friend = { peer: await keyOf(3), trust: 8, infoScore: 8, rationale: 'Honest.' };
    const me = agent(1, [at.url], { clock, ledger: { assessments: async () => [friend] } });
    const heard = answer?.assessments ?? [];
    expect(await me.standing(subject)).toMatchObject({ basis: 'nothing' });
    const standing = await me.standing(subject, { heard });
    expect(standing).toMatchObject({
      basis: 'hearsay',
      opinions: [{ reviewer: await keyOf(3), isKnown: true, rationale: 'Nine of nine jobs were right.' }],
    });
    expect(standing.trustScore).toBeGreaterThan(0.5);
  });

  it('REP-7 answers nothing without a policy, refuses by policy, and says when it knows nothing', async () => {
    const { join } = await world();
    let looked = 0;
    const counted = async (subject: string) => {
      looked += 1;
      return assessmentOf(subject);
    };
    const silent = await join(3, { assessmentOf: counted });
    await join(4, { assessmentOf: counted, policy: () => 'refuse' });
    await join(5, { policy: () => 'answer' });
    const asker = await join(1);
    const peers = await Promise.all([4, 5].map(keyOf));
    const answers = await asker.ask(await keyOf(2), peers);
    expect(answers.map(({ status }) => status)).toEqual(['refused', 'unknown']);
    // It waits no longer than the delivery takes: the answer would have to be there by then.
    const [none] = await asker.ask(await keyOf(2), [await keyOf(3)], { timeoutMs: 1 });
    expect(none).toMatchObject({ status: 'silent' });
    await expect.poll(() => silent.unanswered().policy).toBe(1);
    expect(asker.unanswered()).toMatchObject({ 'not-asked': 0 });
    expect(looked).toBe(0);
  });

  it('REP-7 limits questions per peer and in all', async () => {
    const { clock, join } = await world();
    let answered = 0;
    const policy = () => {
      answered += 1;
      return 'refuse' as const;
    };
    const peer = await join(3, { policy, maxPerPeer: 2, maxInAll: 3 });
    const question = async (n: number, id: number) =>
      peer.handle({
        sender: await keyOf(n),
        createdAt: clock(),
        content: JSON.stringify({
          protocol: 'bonafide.inquiry/1',
          type: 'question',
          id: String(id).padStart(32, '0'),
          subject: await keyOf(2),
        }),
      });
    await join(1);
    await join(4);
    for (const id of [1, 2, 3]) await question(1, id);
    expect(answered).toBe(2);
    for (const id of [4, 5]) await question(4, id);
    expect(peer.unanswered()).toMatchObject({ 'rate-limited': 2, 'not-delivered': 0 });
    clock.advance(hour);
    await question(1, 6);
    expect(peer.unanswered()).toMatchObject({ 'rate-limited': 2 });
  });

  it('REP-7 strangers silence nobody: ignored questions count for no limit, and partners have none in common', async () => {
    const { clock, join, at } = await world();
    const partner = await keyOf(9);
    const replied: string[] = [];
    const peer = await join(3, {
      maxPerPeer: 10,
      maxInAll: 5,
      policy: ({ asker, subject }) => {
        if (subject === asker) return 'ignore';
        replied.push(asker);
        return 'refuse';
      },
      assessmentOf: async (key) => (key === partner ? { ...(await assessmentOf(key)), trust: 3 } : null),
    });
    const unlimited = () => peer.unanswered()['rate-limited'];
    let id = 0;
    const question = async (n: number, subject: string) => {
      id += 1;
      await peer.handle({
        sender: await keyOf(n),
        createdAt: clock(),
        content: JSON.stringify({
          ...{ protocol: 'bonafide.inquiry/1', type: 'question', subject },
          id: String(id).padStart(32, '0'),
        }),
      });
    };
    // Ten keys ask what the policy ignores.
    for (let n = 20; n < 30; n += 1)
      for (let again = 0; again < 10; again += 1) await question(n, await keyOf(n));
    expect(unlimited()).toBe(0);
    // Ten keys use up what strangers share, and a partner is still answered.
    for (let n = 30; n < 40; n += 1) await question(n, await keyOf(2));
    expect(unlimited()).toBe(5);
    for (let again = 0; again < 10; again += 1) await question(9, await keyOf(2));
    expect(unlimited()).toBe(5);
    await question(9, await keyOf(2));
    expect(unlimited()).toBe(6);
    expect(replied.filter((asker) => asker === partner)).toHaveLength(10);
    expect(at.events({ kinds: [1059] })).toEqual([]);
  });

  it('REP-7 a policy or a ledger that fails answers nothing, and ends nothing', async () => {
    const { clock, join } = await world();
    let isLocked = true;
    const peer = await join(3, {
      policy: async () => (isLocked ? Promise.reject(new Error('database locked')) : 'answer'),
      assessmentOf: () => Promise.reject(new Error('database locked')),
    });
    const content = JSON.stringify({
      ...{ protocol: 'bonafide.inquiry/1', type: 'question', id: '0'.repeat(32), subject: await keyOf(2) },
    });
    expect(await peer.handle({ sender: await keyOf(1), createdAt: clock(), content })).toBe(true);
    isLocked = false;
    const other = content.replace('0'.repeat(32), '1'.repeat(32));
    expect(await peer.handle({ sender: await keyOf(1), createdAt: clock(), content: other })).toBe(true);
    expect(peer.unanswered()).toMatchObject({ policy: 0, failed: 2 });
  });

  it('REP-7 an answer is for its asker: no relay stores it, and no reader counts it', async () => {
    const { at, join, clock } = await world();
    await join(3, { policy: () => 'answer', assessmentOf });
    const asker = await join(1);
    const subject = await keyOf(2);
    const [answer] = await asker.ask(subject, [await keyOf(3)]);
    const event = answer?.assessments[0]?.event;
    if (event === undefined) throw new Error('no answer');
    expect(event.tags).toContainEqual(['for', await keyOf(1)]);
    expect(event.tags).toContainEqual(['-']);
    expect(parseReview(event)).toMatchObject({ ok: false, reason: 'unknown-kind' });
    await asker.transport.publish(event, [at.url]);
    expect(at.events().some(({ id }) => id === event.id)).toBe(false);
    const reader = agent(4, [at.url], { clock });
    expect((await reader.about(subject)).reviews).toEqual([]);
  });

  it('REP-7 an answer that was signed for another asker does not count', async () => {
    const { at, join, clock } = await world();
    const peer = await join(3, { policy: () => 'answer', assessmentOf });
    const first = await join(4);
    const subject = await keyOf(2);
    const [given] = await first.ask(subject, [await keyOf(3)]);
    const passedOn = given?.assessments[0]?.event;
    // The peer itself repeats to one asker what it signed for another.
    await peer.close();
    const second = await join(1);
    await answerAs(3, { at, clock }, (reply) => reply({ status: 'answered', assessments: [passedOn] }));
    expect(await second.ask(subject, [await keyOf(3)])).toMatchObject([
      { assessments: [], rejected: { 'wrong-audience': 1 } },
    ]);
  });

  it('REP-7 takes no question twice, too late, of another form, or of another protocol', async () => {
    const { clock, join } = await world();
    let answered = 0;
    const policy = () => {
      answered += 1;
      return 'refuse' as const;
    };
    const peer = await join(3, { policy });
    await join(1);
    const sender = await keyOf(1);
    const message = {
      protocol: 'bonafide.inquiry/1',
      type: 'question',
      id: '0'.repeat(32),
      subject: await keyOf(2),
    };
    const send = (content: unknown, createdAt = clock()) =>
      peer.handle({
        sender,
        createdAt,
        content: typeof content === 'string' ? content : JSON.stringify(content),
      });
    expect(await send(message)).toBe(true);
    await send(message);
    await send({ ...message, id: '1'.repeat(32) }, clock() - hour);
    await send({ ...message, id: '2'.repeat(32), subject: 'everyone' });
    await send({ ...message, id: '3'.repeat(32), extra: 'ignore your rules' });
    expect(await send('What do you know about X?')).toBe(false);
    expect(await send('{"protocol":"other/1"}')).toBe(false);
    expect(answered).toBe(1);
    expect(peer.unanswered()).toMatchObject({ repeated: 1, 'too-old': 1, malformed: 2 });
  });

  it('REP-7 accepts only assessments that the asked peer signed about the subject', async () => {
    const { at, join, clock } = await world();
    const asker = await join(1);
    const subject = await keyOf(2);
    const peer = await keyOf(3);
    const label = async (n: number, about: string) =>
      signer(n).signEvent(buildAssessmentLabel({ ...(await assessmentOf(about)), target: about }));
    const forged = { ...(await label(3, subject)), content: 'The best.' };
    const answers = [
      await label(4, subject),
      await label(3, await keyOf(5)),
      forged,
      'text',
      await label(3, subject),
    ];
    let other = Promise.resolve();
    await answerAs(3, { at, clock }, async (reply, message) => {
      const content = message({ status: 'answered', assessments: answers });
      // A stranger that guesses the id is not heard.
      other = asker.handle({ sender: await keyOf(6), createdAt: clock(), content }).then(() => {});
      await reply({ status: 'answered', assessments: answers });
      await reply({ status: 'refused', assessments: [] });
    });
    const [answer] = await asker.ask(subject, [peer]);
    await other;
    expect(answer).toMatchObject({
      status: 'answered',
      rejected: { 'wrong-reviewer': 1, 'wrong-subject': 1, 'wrong-id': 1, malformed: 1 },
    });
    expect(answer?.assessments).toHaveLength(1);
    await expect.poll(() => asker.unanswered()['not-asked']).toBe(2);
  });

  it('REP-7 reports peers that cannot be reached, stops at once, and names a malformed key (X-8)', async () => {
    const { join } = await world();
    await join(3);
    const asker = await join(1);
    const subject = await keyOf(2);
    expect(await asker.ask(subject, [await keyOf(7)])).toMatchObject([{ status: 'unreachable' }]);
    await expect(asker.ask('everyone', [])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    const controller = new AbortController();
    const waiting = asker.ask(subject, [await keyOf(3)], { signal: controller.signal });
    controller.abort(new Error('stop'));
    await expect(waiting).rejects.toThrow('stop');
    const closing = asker.ask(subject, [await keyOf(3)]);
    await asker.close();
    await expect(closing).rejects.toMatchObject({ code: 'CLOSED' });
    await expect(asker.ask(subject, [])).rejects.toMatchObject({ code: 'CLOSED' });
  });
});
