import { describe, expect, it } from 'vitest';
import {
  buildAssertion,
  createAssertionPublisher,
  parseAssertion,
  type Standing,
  weighReviews,
} from '../src/index.ts';
import { keyOf, sign, signer, start } from './support.ts';
import { agent, manualClock, relay } from './world.ts';

async function standing(trustScore = 0.734, raters = 2): Promise<Standing> {
  const subject = await keyOf(2);
  const empty = weighReviews({ observer: await keyOf(1), subject, own: [], reviews: [], now: start });
  const opinion = {
    reviewer: await keyOf(3),
    trustScore,
    rationale: 'x',
    share: 1,
    isKnown: true,
    fairness: 1,
    receipts: 0,
    isMutual: false,
    createdAt: start,
    eventId: '',
  };
  return { ...empty, trustScore, opinions: Array(raters).fill(opinion) };
}

describe('assertions', () => {
  it('REP-3 state the rank of an aggregate', async () => {
    const template = buildAssertion(await standing(), { createdAt: start });
    const subject = await keyOf(2);
    expect(template).toEqual({
      kind: 30_382,
      created_at: start / 1_000,
      tags: [
        ['d', subject],
        ['p', subject],
        ['rank', '73'],
      ],
      content: '',
    });
    const parsed = parseAssertion(await signer(7).signEvent(template));
    expect(parsed).toMatchObject({
      ok: true,
      assertion: { subject, rank: 73, service: await keyOf(7), createdAt: start },
    });
  });

  it('REP-3 state nothing about the opinion of one rater', async () => {
    await expect(async () => buildAssertion(await standing(0.5, 1))).rejects.toThrow(/aggregate/);
  });

  it("REP-3 need one key per algorithm, other than the agent's", async () => {
    const at = await relay(manualClock());
    const { transport } = agent(1, [at.url], { clock: manualClock() });
    const options = { transport, relays: [at.url], agent: await keyOf(1) };
    const refused = (services: Record<string, ReturnType<typeof signer>>) =>
      expect(createAssertionPublisher({ ...options, services })).rejects.toMatchObject({
        code: 'INVALID_CONFIG',
      });
    await refused({ standing: signer(1) });
    await refused({ standing: signer(7), other: signer(7) });
    const publisher = await createAssertionPublisher({
      ...options,
      services: { standing: signer(7), other: signer(8) },
    });
    await expect(publisher.publish('third', await standing())).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('REP-3 are published again only when they change', async () => {
    const clock = manualClock();
    const at = await relay(clock);
    const { transport } = agent(1, [at.url], { clock });
    const services = { standing: signer(7) };
    const publisher = await createAssertionPublisher({
      transport,
      relays: [at.url],
      agent: await keyOf(1),
      services,
      clock,
    });
    expect(await publisher.publish('standing', await standing())).not.toBeNull();
    expect(await publisher.publish('standing', await standing(0.731))).toBeNull();
    // In the same second, too: relays keep the newest.
    await publisher.publish('standing', await standing(0.2));
    const stored = at.events({ kinds: [30_382] });
    expect(stored).toHaveLength(1);
    expect(parseAssertion(stored[0])).toMatchObject({ assertion: { rank: 20 } });
  });

  it('REP-5 are rejected with a reason', async () => {
    const d = ['d', await keyOf(2)];
    const reasonOf = async (kind: number, tags: string[][]) => {
      const parsed = parseAssertion(await sign(7, { kind, tags }));
      return parsed.ok ? null : parsed.reason;
    };
    expect(await reasonOf(30_383, [d, ['rank', '5']])).toBe('unknown-kind');
    expect(await reasonOf(30_382, [['rank', '5']])).toBe('no-subject');
    expect(await reasonOf(30_382, [d])).toBe('no-rating');
    expect(await reasonOf(30_382, [d, ['rank', '101']])).toBe('rating-out-of-range');
    expect(await reasonOf(30_382, [d, ['rank', '1'], ['rank', '2']])).toBe('duplicate-tag');
    expect(parseAssertion(null)).toMatchObject({ reason: 'malformed' });
  });
});
