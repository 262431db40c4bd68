import { seededRandom } from '@bonafide/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEdgeTable, type Edge, pageRank, personalTrust, personalView } from '../src/index.ts';
import { otc } from './networks.ts';
import { chainAttack, measureAttack, searchAttack } from './sybil-attack.ts';

/** Mass of a rater: the evidence for a node that this rater alone rates, with a rating that carries no flow. */
const massOf = (edges: readonly Edge[], observer: string, rater: string, options = {}): number =>
  personalView([...edges, { source: rater, target: 'probe', weight: -1 }], observer, options).get('probe')
    ?.evidence ?? 0;

describe('personal view', () => {
  it('without a reserve the mass is personalized PageRank, and trust is Σ m·w / (Σ m + κ) (TRU-30)', () => {
    const options = { alpha: 0.15, kappa: 0.01, reserve: 0, tolerance: 1e-14 };
    const distinct = [...new Map(otc.map((edge) => [`${edge.source} ${edge.target}`, edge])).values()];
    const rank = pageRank(distinct, { damping: 0.85, personalization: { '35': 1 }, tolerance: 1e-15 });
    const view = personalView(otc, '35', options);
    expect(view.size).toBe(5_880);
    for (const target of ['4', '1810', '2642', '3744', '1953']) {
      const raters = distinct.filter((edge) => edge.target === target);
      const mass = raters.reduce((sum, { source }) => sum + (rank.get(source) ?? 0), 0);
      const sum = raters.reduce((total, { source, weight }) => total + (rank.get(source) ?? 0) * weight, 0);
      expect(view.get(target)?.evidence).toBeCloseTo(mass, 10);
      expect(view.get(target)?.trust).toBeCloseTo(sum / (mass + 0.01), 10);
      expect(personalTrust(otc, '35', target, options)).toMatchObject({ ...view.get(target) });
    }
  });

  it('an own rating outweighs all others, strangers weigh nothing, and no evidence is no trust (TRU-30)', () => {
    const network = [
      { source: 'me', target: 'bad', weight: -1 },
      { source: 'me', target: 'friend', weight: 1 },
      { source: 'friend', target: 'bad', weight: 1 },
      ...Array.from({ length: 100 }, (_, i) => ({ source: `stranger ${i}`, target: 'x', weight: 1 })),
    ];
    const view = personalView(network, 'me');
    expect(view.get('bad')?.trust).toBeLessThan(-0.8);
    expect(view.get('x')).toMatchObject({ trust: 0, evidence: 0 });
    expect(view.has('me')).toBe(false);
    expect(personalTrust(network, 'me', 'x').raters[0]).toMatchObject({ mass: 0, rating: 1 });
    expect(personalTrust(network, 'me', 'unknown')).toMatchObject({ trust: 0, evidence: 0, raters: [] });
    for (const { trust } of personalView(network, 'unknown').values()) expect(trust).toBe(0);
  });

  it('counts the last rating of a pair and ignores ratings of oneself (TRU-30)', () => {
    const first = { source: 'me', target: 'a', weight: 1 };
    const network = [first, { source: 'a', target: 'b', weight: 1 }];
    const again = [
      { source: 'me', target: 'a', weight: -1 },
      { source: 'b', target: 'b', weight: 1 },
      { source: 'a', target: 'a', weight: 1 },
      ...network,
    ];
    expect(personalView(again, 'me')).toEqual(new Map([...personalView(network, 'me')]));
  });

  it('a table and a list give the same, also without names (TRU-30)', () => {
    const table = createEdgeTable(otc);
    const byId = personalView({ ...table, nodes: null }, String(table.nodes?.indexOf('35')));
    const byName = personalView(otc, '35');
    expect(byId.get(String(table.nodes?.indexOf('4')))).toEqual(byName.get('4'));
  });

  it.each([
    ['alpha', { alpha: 0 }],
    ['kappa', { kappa: 0 }],
    ['reserve', { reserve: -1 }],
    ['boughtFlow', { boughtFlow: 2 }],
    ['tolerance', { tolerance: Number.NaN }],
  ])('refuses a wrong %s (TRU-30)', (name, options) => {
    expect(() => personalView([], 'me', options)).toThrow(
      expect.objectContaining({ code: 'OUT_OF_RANGE', message: expect.stringContaining(name) }),
    );
  });
});

describe('the bound of the personal view', () => {
  // A rater with one rating sells an edge to a chain of Sybils, as in the examination.
  const leaf = [...new Set(otc.map(({ source }) => source))].find(
    (node) => otc.filter(({ source }) => source === node).length === 1,
  );

  it('one bought edge and up to 10,000 Sybils move trust by less than the bound, whatever their number (TRU-24, TRU-30)', () => {
    const moved = [1, 10, 100, 1_000, 10_000].map((sybils) =>
      measureAttack(otc, '35', '3744', chainAttack(leaf ?? '', sybils)),
    );
    for (const one of moved) {
      expect(one.personal).toBeLessThanOrEqual(one.bound);
      expect(one.personal).toBeLessThan(0.01);
    }
    expect(moved.at(-1)?.personal).toBeCloseTo(moved[1]?.personal ?? 0, 6);
    expect(moved.at(-1)?.goodness).toBeGreaterThan(1);
  });

  it('holds for any one bought edge, any Sybils and a target that helps, in any small network; raterBound also when the seller rates the target (TRU-30)', () => {
    const honest = fc.array(
      fc.record({
        source: fc.constantFrom('me', 'a', 'b', 'c', 'd', 'x'),
        target: fc.constantFrom('me', 'a', 'b', 'c', 'd', 'x'),
        weight: fc.constantFrom(-1, -0.4, 0.1, 0.5, 1),
      }),
      { minLength: 1, maxLength: 14 },
    );
    const sybilEdges = fc.array(
      fc.record({
        source: fc.constantFrom('s', 't', 'u', 'x'),
        target: fc.constantFrom('me', 'a', 'b', 'c', 'd', 'x', 's', 't', 'u'),
        weight: fc.constantFrom(-1, 0.3, 1),
      }),
      { maxLength: 20 },
    );
    const alphas = fc.constantFrom(0.15, 0.5, 0.8);
    const reserves = fc.constantFrom(0, 1, 10);
    fc.assert(
      fc.property(
        honest,
        sybilEdges,
        alphas,
        reserves,
        fc.constantFrom('a', 'b', 'c', 'd'),
        fc.constantFrom(-1, 0, 1),
        (edges, lies, alpha, reserve, seller, rating) => {
          const options = { alpha, reserve, kappa: 0.01 };
          // A rating that the seller gave before keeps its place: the bought edge is a new one.
          const network = [...edges, { source: 'me', target: 'x', weight: 0.1 }];
          const before = personalView(network, 'me', options).get('x');
          const bought = { source: seller, target: 's', weight: 1 };
          const after = personalView([...network, bought, ...lies], 'me', options).get('x');
          expect(Math.abs((after?.trust ?? 0) - (before?.trust ?? 0))).toBeLessThanOrEqual(
            (before?.bound ?? 0) + 1e-9,
          );
          // The seller rates the target, too, or withdraws what it said.
          const own = { source: seller, target: 'x', weight: rating };
          const sold = personalView([...network, bought, own, ...lies], 'me', options).get('x');
          expect(Math.abs((sold?.trust ?? 0) - (before?.trust ?? 0))).toBeLessThanOrEqual(
            (before?.raterBound ?? 0) + 1e-9,
          );
        },
      ),
      { numRuns: 600 },
    );
  });

  it('holds for several bought edges when their flow is given (TRU-30)', () => {
    const random = seededRandom(11);
    const observer = '7';
    const sellers = Array.from({ length: 40 }, () => otc[Math.floor(random() * otc.length)]?.source ?? '1');
    const distinct = [...new Set(sellers)].filter((one) => one !== observer);
    const latest = new Map(otc.map((edge) => [`${edge.source} ${edge.target}`, edge]));
    const flow = distinct.reduce((sum, seller) => {
      const given = [...latest.values()].filter(({ source, weight }) => source === seller && weight > 0);
      const all = given.reduce((total, { weight }) => total + weight, 0);
      return sum + massOf(otc, observer, seller) / (all + 10 + 1);
    }, 0);
    const network = [
      ...otc,
      ...distinct.map((source) => ({ source, target: 'sybil', weight: 1 })),
      { source: 'sybil', target: 'sybil 2', weight: 1 },
      { source: 'sybil 2', target: 'sybil', weight: 1 },
      { source: 'sybil', target: '3744', weight: 1 },
      { source: 'sybil 2', target: '3744', weight: 1 },
    ];
    const before = personalView(otc, observer, { boughtFlow: flow }).get('3744');
    const after = personalView(network, observer).get('3744');
    expect(Math.abs((after?.trust ?? 0) - (before?.trust ?? 0))).toBeLessThanOrEqual(before?.bound ?? 0);
    expect(before?.bound).toBeLessThan(1);
  });

  it.each([
    ['35', '3744'],
    ['35', '4'],
    ['1', '1953'],
    ['1810', '257'],
  ])(
    'an optimizer that may buy any edge finds nothing beyond it: %s looks at %s on Bitcoin-OTC (TRU-30)',
    (observer, target) => {
      const found = searchAttack(otc, { observer, target, random: seededRandom(3), evaluations: 120 });
      expect(found.exceeded).toBe(0);
      expect(found.moved).toBeLessThanOrEqual(found.bound);
    },
  );
});
