import { seededRandom } from '@bonafide/internal';
import { describe, expect, it } from 'vitest';
import { detectEndorsementGaming, type Endorsement } from '../src/index.ts';
import { honestCommunity, now, strategies, sybilRing } from './endorsement-communities.ts';

const day = 86_400_000;
const count = 400;
/** Shares of verdicts over simulated sets of endorsements, from another seed than the fit. */
function rates(make: (random: () => number) => readonly Endorsement[], seed: number) {
  const random = seededRandom(seed);
  const verdicts = Array.from({ length: count }, () => detectEndorsementGaming(make(random), now).verdict);
  const share = (verdict: string) => verdicts.filter((one) => one === verdict).length / count;
  return { suspicious: share('suspicious'), sybil: share('sybil_detected') };
}

describe('weak signals of endorsements', () => {
  it('honest communities are rarely accused: 2 % at most as Sybils, 15 % at most as suspicious (TRU-33)', () => {
    const { suspicious, sybil } = rates(honestCommunity, 77);
    expect(sybil).toBeLessThanOrEqual(0.02);
    expect(suspicious + sybil).toBeLessThanOrEqual(0.15);
  });

  it.each(strategies.filter((one) => one !== 'patient'))(
    'rings of 20 and more by the strategy %s are noticed (TRU-33)',
    (strategy) => {
      const { suspicious, sybil } = rates((random) => sybilRing(strategy, random), 78);
      expect(suspicious + sybil).toBeGreaterThanOrEqual(0.9);
      expect(sybil).toBeGreaterThanOrEqual(strategy === 'diluted' ? 0.5 : 0.75);
    },
  );

  it('forty Sybils with one old key, 61 minutes apart, in a chain, are a Sybil attack (TRU-33)', () => {
    const list = Array.from(
      { length: 40 },
      (_, i): Endorsement => ({
        endorser: `sybil ${i}`,
        at: now - 3 * day + i * 61 * 60_000,
        endorserCreatedAt: now - (i === 0 ? 400 : 5) * day,
        endorses: i < 39 ? [`sybil ${i + 1}`] : [],
      }),
    );
    expect(detectEndorsementGaming(list, now)).toMatchObject({
      verdict: 'sybil_detected',
      endorsementMultiplier: 0,
    });
  });

  it('twelve old endorsers with one mutual pair and seven endorsements at a meeting are no attack (TRU-33)', () => {
    const list = Array.from(
      { length: 12 },
      (_, i): Endorsement => ({
        endorser: `agent ${i}`,
        at: i < 7 ? now - 40 * day + i * 60_000 : now - i * 20 * day,
        endorserCreatedAt: now - (400 + i * 37) * day,
        endorserLastActiveAt: now - i * day,
        endorses: i < 2 ? [`agent ${1 - i}`, 'outsider'] : ['outsider'],
      }),
    );
    const result = detectEndorsementGaming(list, now);
    expect(result.verdict).not.toBe('sybil_detected');
    expect(result.probability).toBeNull();
    expect(detectEndorsementGaming(list, now, { minSignalEndorsers: 3 }).probability).toBeLessThan(0.5);
  });

  it('a single endorser, however often it endorses, is not judged (TRU-33)', () => {
    const list = Array.from({ length: 20 }, (_, i) => ({ endorser: 'one', at: now - i * 60_000 }));
    expect(detectEndorsementGaming(list, now)).toMatchObject({ verdict: 'clean', probability: null });
  });
});
