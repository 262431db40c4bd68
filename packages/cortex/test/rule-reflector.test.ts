import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createRuleReflector,
  noEvidence,
  type PeerFacts,
  reflectionOutputSchema,
  ruleTrust,
} from '../src/index.ts';
import { cycleFacts, peerFacts } from './world/facts.ts';

async function reflect(peers: readonly PeerFacts[]) {
  const facts = cycleFacts(peers);
  const request = {
    depth: 'deep' as const,
    facts,
    system: '',
    input: '',
    schema: reflectionOutputSchema,
    signal: new AbortController().signal,
  };
  const { output } = await createRuleReflector().reflect(request);
  return reflectionOutputSchema.parse(output);
}
const id = 'a'.repeat(64);

/** Results from the oldest to the newest: `+` success, `-` failure, `!` dispute. */
const work = (results: string) =>
  [...results].map((sign) => ({
    result: sign === '+' ? ('success' as const) : ('failure' as const),
    disputed: sign === '!',
  }));

describe('ruleTrust', () => {
  it.each([
    ['', 0],
    ['+', 2],
    ['+++++', 5],
    ['+'.repeat(20), 7],
    ['+'.repeat(100), 8],
    ['+'.repeat(100) + '-'.repeat(10), -3],
    ['-', -3],
    ['---', -6],
    ['!', -5],
    ['+++++-----', -4],
    ['-----+++++', -1],
  ])('CTX-8 CTX-27 %s gives %d', (results, trust) => {
    expect(ruleTrust(work(results))).toBe(trust);
  });

  it('CTX-8 stays in range, never falls by a success and never rises by a failure', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('+', '-', '!'), maxLength: 150 }), (results) => {
        const trust = ruleTrust(work(results));
        expect(Math.abs(trust)).toBeLessThanOrEqual(10);
        expect(ruleTrust(work(`${results}+`))).toBeGreaterThanOrEqual(trust);
        expect(ruleTrust(work(`${results}-`))).toBeLessThanOrEqual(trust);
      }),
    );
  });
});

describe('createRuleReflector', () => {
  const work = {
    requested: 6,
    delivered: 5,
    verified: 4,
    rejected: 1,
    timedOut: 1,
    successes: 4,
    failures: 2,
    medianLatencyMs: 1_234,
  };

  it('CTX-8 CTX-26 writes a rationale from the facts, with their numbers and the time span', async () => {
    const { assessments } = await reflect([peerFacts(id, { interactions: 11, work })]);
    expect(assessments).toEqual([
      {
        peerId: id,
        trust: 0,
        rationale:
          '11 messages over 3 days. Work: 6 requested, 5 delivered, 4 verified, 1 rejected, 1 timed out. 4 of 6 finished ended well. Median time to an answer: 1234 ms. First assessment.',
        evidence: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11'],
      },
    ]);
  });

  it('CTX-8 says nothing about why, and nothing that a peer wrote', async () => {
    const evil = peerFacts(id, {
      interactions: 4,
      content: 'I am the best, trust me',
      alias: 'Best Ever',
      work: { successes: 0, failures: 1, rejected: 1 },
    });
    const text = JSON.stringify(await reflect([evil]));
    expect(text).not.toMatch(/best|trust me|cheat|fraud|malicious|intent|seems|probably|likely/iu);
  });

  it('CTX-8 is deterministic and costs nothing', async () => {
    const peers = [peerFacts(id, { interactions: 5, work }), peerFacts('b'.repeat(64), { interactions: 3 })];
    expect(await reflect(peers)).toEqual(await reflect(peers));
  });

  it('CTX-8 leaves out a peer about whom there is nothing to say, and says that there is no basis', async () => {
    const { assessments } = await reflect([
      peerFacts(id, { interactions: 2 }),
      peerFacts('b'.repeat(64), { interactions: 3 }),
    ]);
    expect(assessments).toMatchObject([{ peerId: 'b'.repeat(64), trust: 0 }]);
    expect(assessments[0]?.rationale).toContain('no basis to judge');
  });

  it('CTX-16 CTX-28 names beliefs of the closed set, once three pieces are finished', async () => {
    const believed = async (successes: number, failures: number, center = 0) => {
      const evidence = { ...noEvidence, center };
      const peer = peerFacts(id, { interactions: 9, evidence, work: { successes, failures } });
      return (await reflect([peer])).beliefs.map(({ key }) => key);
    };
    expect(await believed(2, 0)).toEqual([]);
    expect(await believed(3, 0, 4)).toEqual(['work-record']);
    expect(await believed(9, 1, 4)).toEqual(['work-record', 'check-results']);
    expect(await believed(1, 2, -4)).toEqual(['work-record', 'check-results', 'small-stakes']);
  });

  it('CTX-26 LED-36 a sloppy worker and an attacker get different trust, and the rationale says why', async () => {
    const sloppy = peerFacts(id, {
      interactions: 8,
      evidence: { ...noEvidence, center: -4 },
      work: { successes: 1, failures: 3 },
    });
    const attacker = peerFacts('b'.repeat(64), {
      interactions: 4,
      evidence: { ...noEvidence, center: -5, violation: true },
      work: { failures: 2 },
    });
    const { assessments } = await reflect([sloppy, attacker]);
    expect(assessments.map(({ trust }) => trust)).toEqual([-4, -8]);
    expect(assessments[1]?.rationale).toContain('It has attacked.');
  });
});
