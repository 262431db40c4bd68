import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  aggregateAssessments,
  behaviorPriors,
  createEdgeTable,
  createFairnessGoodnessTracker,
  type Edge,
  eigenTrust,
  fairnessGoodness,
  fairnessGoodnessColumns,
  getTrust,
  indexRatings,
  pageRank,
  refuseRating,
  rev2,
} from '../src/index.ts';
import { alphaLabelled, areaUnderCurve, otcLabelled } from './labelled-networks.ts';
import { csv, fixture, labels, otc } from './networks.ts';

const values = z.record(z.string(), z.number());
const toy = z
  .looseObject({
    edges: z.array(z.tuple([z.string(), z.string(), z.number()])),
    fg: z.object({ 'iterations_1e-6': z.number(), fairness: values, goodness: values }),
    rev2: z.record(
      z.string(),
      z.object({ F: values, G: values, R: z.array(z.number()), score: values, iterations: z.number() }),
    ),
    pagerank_d085: values,
    ppr_a_d085: values,
    eigentrust_a05_pretrust_a: values,
    eigentrust_go_readme: z.looseObject({
      local_trust: z.array(z.tuple([z.string(), z.string(), z.number()])),
      pre_trust: values,
      fixed_point: values,
      'fixed_point_alpha_0.01': values,
    }),
  })
  .parse(JSON.parse(fixture('toy_vectors.json')));
const edgesOf = (rows: readonly (readonly [string, string, number])[], scale = 1): readonly Edge[] =>
  rows.map(([source, target, weight]) => ({ source, target, weight: weight / scale }));
const toyEdges = edgesOf(toy.edges);

/** The largest difference between what was computed and a golden file, over all nodes. */
function farthest(golden: Iterable<readonly [string, number]>, actual: ReadonlyMap<string, number>): number {
  let most = 0;
  for (const [node, expected] of golden) {
    most = Math.max(most, Math.abs((actual.get(node) ?? Number.NaN) - expected));
    if (Number.isNaN(most)) throw new Error(`${node} is missing`);
  }
  return most;
}
const column = (name: string, index: number) =>
  csv(name, true).map((row) => [row[0] ?? '', Number(row[index])] as const);

const rating = fc.record({
  source: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  target: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  weight: fc.integer({ min: -10, max: 10 }).map((weight) => weight / 10),
});
const ratings = fc.array(rating, { minLength: 1, maxLength: 30 });

/** The published algorithm, on maps, as plainly as it can be written. */
function plain(edges: readonly Edge[]) {
  const last = new Map(edges.map((edge) => [`${edge.source} ${edge.target}`, edge]));
  const nodes = [...new Set(edges.flatMap(({ source, target }) => [source, target]))];
  const fairness = new Map(nodes.map((node) => [node, 1]));
  const goodness = new Map(nodes.map((node) => [node, 0]));
  for (let i = 0; i < 200; i += 1) {
    for (const node of nodes) {
      const received = [...last.values()].filter(({ target }) => target === node);
      const sum = received.reduce((all, { source, weight }) => all + (fairness.get(source) ?? 0) * weight, 0);
      if (received.length > 0) goodness.set(node, sum / received.length);
    }
    for (const node of nodes) {
      const given = [...last.values()].filter(({ source }) => source === node);
      const off = given.reduce(
        (all, { target, weight }) => all + Math.abs(weight - (goodness.get(target) ?? 0)) / 2,
        0,
      );
      if (given.length > 0) fairness.set(node, 1 - off / given.length);
    }
  }
  return { fairness, goodness };
}

describe('fairness and goodness', () => {
  it('TRU-20 agrees with the authors on every node of Bitcoin-OTC to 1e-12, in as many passes', () => {
    const result = fairnessGoodness(otc);
    expect(result.fairness.size).toBe(5_881);
    expect(farthest(column('fg_otc.csv', 1), result.fairness)).toBeLessThan(1e-12);
    expect(farthest(column('fg_otc.csv', 2), result.goodness)).toBeLessThan(1e-12);
    expect(result).toMatchObject({ iterations: 15, converged: true });
    expect(result.residual).toBeCloseTo(9.704766390254346e-7, 12);
    for (const [node = '', , , received, given] of csv('fg_otc.csv', true)) {
      expect(result.evidence.get(node)).toEqual({ given: Number(given), received: Number(received) });
    }
  });

  it('TRU-20 agrees on the toy network, with nodes that nobody rates and that rate nobody', () => {
    const result = fairnessGoodness(toyEdges, { epsilon: 1e-14, maxIterations: 1_000 });
    expect(farthest(Object.entries(toy.fg.fairness), result.fairness)).toBeLessThan(1e-12);
    expect(farthest(Object.entries(toy.fg.goodness), result.goodness)).toBeLessThan(1e-12);
    expect(fairnessGoodness(toyEdges).iterations).toBe(toy.fg['iterations_1e-6']);
    expect(result.evidence.get('d')).toEqual({ given: 2, received: 0 });
    expect(result.evidence.get('g')).toEqual({ given: 0, received: 1 });
  });

  it('TRU-20 agrees with the plain algorithm on any network, and stays in its bounds in any order', () => {
    fc.assert(
      fc.property(ratings, fc.nat(), (edges, seed) => {
        const exact = { epsilon: 1e-13, maxIterations: 1_000 };
        const result = fairnessGoodness(edges, exact);
        const expected = plain(edges);
        expect(farthest(expected.fairness, result.fairness)).toBeLessThan(1e-10);
        expect(farthest(expected.goodness, result.goodness)).toBeLessThan(1e-10);
        for (const fair of result.fairness.values()) {
          expect(fair).toBeGreaterThanOrEqual(0);
          expect(fair).toBeLessThanOrEqual(1);
        }
        for (const good of result.goodness.values()) expect(Math.abs(good)).toBeLessThanOrEqual(1);
        // Without repeated pairs order is nothing.
        const single = [...new Map(edges.map((edge) => [`${edge.source} ${edge.target}`, edge])).values()];
        const turned = single.map((_, i) => single[(i + seed) % single.length] ?? single[0] ?? edges[0]);
        const other = fairnessGoodness(
          turned.filter((edge) => edge !== undefined),
          exact,
        );
        expect(farthest(result.goodness, other.goodness)).toBeLessThan(1e-10);
      }),
      { numRuns: 150 },
    );
  });

  it('TRU-20 predicts ratings left out, all 35,592 of them, as well as the paper says (RMSE .31, PCC .49)', () => {
    const tracker = createFairnessGoodnessTracker(otc, { tolerance: 1e-5 });
    const predicted = otc.map((edge) => {
      tracker.remove(edge.source, edge.target);
      const fairness = tracker.get(edge.source)?.fairness ?? Number.NaN;
      const goodness = tracker.get(edge.target)?.goodness ?? Number.NaN;
      tracker.add(edge);
      return fairness * goodness;
    });
    const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;
    const actual = otc.map(({ weight }) => weight);
    const [meanPredicted, meanActual] = [mean(predicted), mean(actual)];
    const squares = predicted.map((value, i) => (value - (actual[i] ?? 0)) ** 2);
    const rmse = Math.sqrt(mean(squares));
    const covariance = mean(
      predicted.map((value, i) => (value - meanPredicted) * ((actual[i] ?? 0) - meanActual)),
    );
    const spread = (list: readonly number[], middle: number) =>
      Math.sqrt(mean(list.map((one) => (one - middle) ** 2)));
    const pcc = covariance / (spread(predicted, meanPredicted) * spread(actual, meanActual));
    expect(rmse).toBeCloseTo(0.311, 4);
    expect(pcc).toBeCloseTo(0.4886, 4);
  });

  it('TRU-20 takes columns too, says when it did not converge, and refuses what does not fit', () => {
    const table = createEdgeTable(toyEdges);
    expect(fairnessGoodness(table).fairness).toEqual(fairnessGoodness(toyEdges).fairness);
    const unnamed = fairnessGoodness({ ...table, nodes: null });
    expect(unnamed.fairness.get('0')).toBe(fairnessGoodness(toyEdges).fairness.get('a'));
    expect(fairnessGoodness(toyEdges, { maxIterations: 2 })).toMatchObject({
      iterations: 2,
      converged: false,
    });
    expect(fairnessGoodness([])).toMatchObject({ converged: true, residual: 0 });
    expect(() => fairnessGoodness([{ source: 'a', target: 'b', weight: 1.1 }])).toThrow(/weight/);
    expect(() => fairnessGoodness([{ source: 'a', target: 'b', weight: Number.NaN }])).toThrow(/weight/);
    expect(() => fairnessGoodnessColumns({ ...table, nodeCount: 2 })).toThrow(/names for 2 nodes/);
    expect(() => fairnessGoodnessColumns({ ...table, nodes: null, nodeCount: 2 })).toThrow(/Row/);
    expect(() => fairnessGoodnessColumns({ ...table, weights: new Float64Array(1) })).toThrow(/length/);
  });

  it('TRU-20 counts a rater once, by its last word, and itself only if asked to', () => {
    const said = [
      { source: 'a', target: 'b', weight: -1 },
      { source: 'c', target: 'b', weight: 0.2 },
      { source: 'a', target: 'b', weight: 0.2 },
    ];
    expect(fairnessGoodness(said)).toMatchObject({
      goodness: new Map([
        ['a', 0],
        ['b', 0.2],
        ['c', 0],
      ]),
    });
    const proud = [...said, { source: 'b', target: 'b', weight: 1 }];
    expect(fairnessGoodness(proud, { dropSelfRatings: true }).goodness.get('b')).toBeCloseTo(0.2, 12);
    expect(fairnessGoodness(proud).goodness.get('b')).toBeGreaterThan(0.3);
  });
});

describe('keeping it up to date', () => {
  it('TRU-27 equals a full run after every kind of change, within the tolerance', () => {
    const late = otc.filter((_, i) => i % 100 === 7);
    const tracker = createFairnessGoodnessTracker(otc.filter((_, i) => i % 100 !== 7));
    for (const edge of late) tracker.add(edge);
    // Some change their mind, and some take it back.
    const changed = late.slice(0, 50).map((edge) => ({ ...edge, weight: -edge.weight }));
    for (const edge of changed) tracker.add(edge);
    const gone = new Set(late.slice(50, 100));
    for (const { source, target } of gone) expect(tracker.remove(source, target)).not.toBeNull();
    const full = fairnessGoodness([...otc.filter((edge) => !gone.has(edge)), ...changed], {
      epsilon: 1e-11,
      maxIterations: 1_000,
    });
    let most = 0;
    for (const [node, fairness] of full.fairness) {
      const standing = tracker.get(node);
      most = Math.max(
        most,
        Math.abs((standing?.fairness ?? Number.NaN) - fairness),
        Math.abs((standing?.goodness ?? Number.NaN) - (full.goodness.get(node) ?? Number.NaN)),
      );
      expect(standing).toMatchObject(full.evidence.get(node) ?? {});
    }
    expect(most).toBeLessThan(1e-6);
    expect(most).toBeGreaterThan(0);
  });

  it('TRU-27 computes far less than a full run', () => {
    const late = otc.filter((_, i) => i % 350 === 7);
    const tracker = createFairnessGoodnessTracker(otc.filter((_, i) => i % 350 !== 7));
    const recomputed = late.map((edge) => tracker.add(edge).recomputed).toSorted((a, b) => a - b);
    // A full run computes 5,881 nodes twice in each of 15 passes.
    expect(recomputed[recomputed.length >> 1]).toBeLessThan((2 * 5_881 * 15) / 20);
  });

  it('TRU-27 any sequence of additions and removals ends where a full run does', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(rating, fc.boolean()), { maxLength: 40 }), (steps) => {
        const tracker = createFairnessGoodnessTracker([], { tolerance: 1e-9 });
        const held = new Map<string, Edge>();
        for (const [edge, adds] of steps) {
          const pair = `${edge.source} ${edge.target}`;
          if (adds) {
            tracker.add(edge);
            held.set(pair, edge);
          } else {
            expect(tracker.remove(edge.source, edge.target) !== null).toBe(held.delete(pair));
          }
        }
        const full = fairnessGoodness([...held.values()], { epsilon: 1e-13, maxIterations: 1_000 });
        for (const [node, fairness] of full.fairness) {
          expect(tracker.get(node)?.fairness).toBeCloseTo(fairness, 8);
          expect(tracker.get(node)?.goodness).toBeCloseTo(full.goodness.get(node) ?? Number.NaN, 8);
        }
      }),
    );
  });

  it('TRU-27 knows nobody of whom it was not told, and refuses a weight out of range', () => {
    const tracker = createFairnessGoodnessTracker(toyEdges);
    expect(tracker.get('zz')).toBeNull();
    expect(tracker.remove('zz', 'a')).toBeNull();
    expect(tracker.nodeCount).toBe(6);
    expect(() => tracker.add({ source: 'a', target: 'b', weight: 2 })).toThrow(/weight/);
  });
});

describe('REV2', () => {
  it.each([
    ['p0000110', { alpha1: 0, beta1: 0 }],
    ['p1010110', { alpha1: 1, beta1: 1 }],
  ])('TRU-21 reaches the golden fixed point %s on Bitcoin-OTC to 1e-8', (tag, parameters) => {
    const result = rev2(otc, { ...parameters, tolerance: 1e-9 });
    expect(farthest(column(`rev2_otc_${tag}_conv_users.csv`, 1), result.fairness)).toBeLessThan(1e-8);
    expect(farthest(column(`rev2_otc_${tag}_conv_users.csv`, 2), result.score)).toBeLessThan(1e-8);
    if (tag === 'p1010110')
      expect(farthest(column(`rev2_otc_${tag}_conv_products.csv`, 1), result.goodness)).toBeLessThan(1e-8);
    expect(result.converged).toBe(true);
  });

  it('TRU-21 ranks labelled raters with the AUC that the findings give (.645 by score, .744 by fairness)', () => {
    const result = rev2(otc, { tolerance: 1e-9 });
    expect(areaUnderCurve(labels, result.score)).toBeCloseTo(0.645, 3);
    expect(areaUnderCurve(labels, result.fairness)).toBeCloseTo(0.7437, 3);
  });

  it.each([
    { name: 'Bitcoin-OTC', network: otcLabelled, without: [0.645, 0.744], withPrior: [0.9, 0.906] },
    { name: 'Bitcoin-Alpha', network: alphaLabelled, without: [0.435, 0.477], withPrior: [0.808, 0.814] },
  ])('a behavior prior, set on Bitcoin-OTC, ranks labelled raters better on $name (TRU-21)', (row) => {
    const { rows, labels: known } = row.network;
    const areas = ({ score, fairness }: ReturnType<typeof rev2>) =>
      [score, fairness].map((ranks) => areaUnderCurve(known, ranks));
    for (const [at, area] of areas(rev2(rows)).entries()) expect(area).toBeCloseTo(row.without[at] ?? 0, 2);
    const informed = areas(rev2(rows, { alpha2: 2, priors: behaviorPriors(rows) }));
    for (const [at, area] of informed.entries()) expect(area).toBeGreaterThan(row.withPrior[at] ?? 1);
  });

  it('a behavior prior is 0…1, needs several ratings, and falls with every kind of variety (TRU-21)', () => {
    const minute = 60_000;
    const by = (source: string, weights: readonly number[], times: readonly number[]) =>
      weights.map((weight, index) => ({ source, target: `t${index}`, weight, at: times[index] ?? 0 }));
    const steady = [0, 1, 2, 3, 4, 5, 6, 7].map((index) => index * minute);
    const irregular = [0, 1, 40, 9_000, 9_003, 70_000, 1_400_000, 1_400_300].map((at) => at * 1_000);
    const same = steady.map(() => 1);
    const mixed = [1, 0.3, -0.5, 0.1, 0.9, 0.2, 0.4, 0.5];
    const { raters } = behaviorPriors([
      ...by('once', [1], [0]),
      ...by('bot', same, steady),
      ...by('monotone', same, irregular),
      ...by('clockwork', mixed, steady),
      ...by('person', mixed, irregular),
    ]);
    const of = (name: string) => raters.get(name) ?? Number.NaN;
    expect(of('once')).toBeCloseTo(0.25, 12);
    expect(of('bot')).toBeCloseTo(8 / 11, 12);
    for (const half of ['monotone', 'clockwork']) {
      expect(of(half)).toBeLessThan(of('bot'));
      expect(of(half)).toBeGreaterThan(of('person'));
    }
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            source: fc.constantFrom('a', 'b'),
            target: fc.constantFrom('c', 'd'),
            weight: fc.double({ min: -1, max: 1, noNaN: true }),
            at: fc.integer({ min: 0, max: 2e12 }),
          }),
        ),
        (rows) => {
          const { raters: forwards } = behaviorPriors(rows);
          for (const anomaly of forwards.values()) expect(anomaly >= 0 && anomaly < 1).toBe(true);
          const backwards = behaviorPriors(rows.toReversed()).raters;
          for (const [rater, anomaly] of forwards) expect(backwards.get(rater)).toBeCloseTo(anomaly, 12);
        },
      ),
    );
    expect(() => behaviorPriors([{ source: 'a', target: 'b', weight: 2, at: 0 }])).toThrow(/weight/);
    expect(() => behaviorPriors([{ source: 'a', target: 'b', weight: 1, at: Number.NaN }])).toThrow(/at/);
    expect(() => behaviorPriors([], { usualBits: 0 })).toThrow(/usualBits/);
  });

  it.each(Object.keys(toy.rev2))('TRU-21 agrees on the toy network with %s', (name) => {
    const [alpha1 = 0, alpha2 = 0, beta1 = 0, beta2 = 0, gamma1 = 0, gamma2 = 0, gamma3 = 0] = name
      .split('-')
      .map(Number);
    const parameters = { alpha1, alpha2, beta1, beta2, gamma1, gamma2, gamma3 };
    const golden = toy.rev2[name] ?? { F: {}, G: {}, R: [], score: {}, iterations: 0 };
    const result = rev2(toyEdges, { ...parameters, tolerance: 1e-13 });
    expect(farthest(Object.entries(golden.F), result.fairness)).toBeLessThan(1e-8);
    expect(farthest(Object.entries(golden.G), result.goodness)).toBeLessThan(1e-8);
    expect(farthest(Object.entries(golden.score), result.score)).toBeLessThan(1e-8);
    expect(result.fairness.size).toBe(Object.keys(golden.F).length);
    for (const [i, reliability] of golden.R.entries())
      expect(result.reliability[i]).toBeCloseTo(reliability, 8);
  });

  it('TRU-21 priors lower whom they name, ratings that were replaced have no reliability, bad input is refused', () => {
    const parameters = { alpha2: 1, beta2: 1, gamma3: 1, tolerance: 1e-12 };
    const without = rev2(toyEdges, parameters);
    const priors = { raters: new Map([['a', 0.9]]), ratees: new Map([['f', 1]]), ratings: [1] };
    const withPriors = rev2(toyEdges, { ...parameters, priors });
    expect(withPriors.fairness.get('a')).toBeLessThan(without.fairness.get('a') ?? 0);
    expect(withPriors.goodness.get('f')).toBeLessThan(without.goodness.get('f') ?? 0);
    expect(withPriors.reliability[0]).toBeLessThan(without.reliability[0] ?? 0);
    expect(
      rev2([
        { source: 'a', target: 'b', weight: 1 },
        { source: 'a', target: 'b', weight: -1 },
      ]).reliability[0],
    ).toBeNull();
    expect(() => rev2(toyEdges, { gamma1: 0, gamma2: 0 })).toThrow(/gamma/);
    expect(() => rev2(toyEdges, { alpha1: -1 })).toThrow(/alpha1/);
    expect(() => rev2(toyEdges, { priors: { ratings: [2] } })).toThrow(/priors/);
    expect(rev2(toyEdges, { maxIterations: 3, tolerance: 0 })).toMatchObject({
      iterations: 3,
      converged: false,
    });
    expect(rev2([])).toMatchObject({ converged: true, reliability: [] });
  });

  it('TRU-21 stays in its bounds on any network and with any weights', () => {
    const weight = fc.double({ min: 0, max: 3, noNaN: true });
    fc.assert(
      fc.property(ratings, weight, weight, weight, (edges, alpha1, beta1, gamma3) => {
        const result = rev2(edges, { alpha1, beta1, gamma3 });
        for (const fair of result.fairness.values()) expect(fair >= 0 && fair <= 1).toBe(true);
        for (const good of result.goodness.values()) expect(good >= -1 && good <= 1).toBe(true);
        for (const one of result.reliability) expect(one === null || (one >= 0 && one <= 1)).toBe(true);
      }),
    );
  });
});

describe('PageRank and EigenTrust', () => {
  it('TRU-22 agrees with the golden values on Bitcoin-OTC', () => {
    const tight = { tolerance: 1e-15 };
    const golden = 'pagerank_otc.csv';
    const ranks = pageRank(otc, tight);
    expect(ranks.converged).toBe(true);
    expect(farthest(column(golden, 1), ranks)).toBeLessThan(1e-12);
    const own = pageRank(otc, { ...tight, personalization: { 35: 1 } });
    expect(farthest(column(golden, 2), own)).toBeLessThan(1e-12);
    const eigen = eigenTrust(otc, { ...tight, preTrust: { 35: 1, 2642: 1, 1810: 1 } });
    expect(farthest(column(golden, 3), eigen.trust)).toBeLessThan(1e-12);
    expect(farthest(column(golden, 4), eigen.discounted)).toBeLessThan(1e-12);
  });

  it('TRU-22 agrees on the toy networks', () => {
    expect(farthest(Object.entries(toy.pagerank_d085), pageRank(toyEdges))).toBeLessThan(1e-10);
    const own = pageRank(toyEdges, { personalization: new Map([['a', 7]]) });
    expect(farthest(Object.entries(toy.ppr_a_d085), own)).toBeLessThan(1e-10);
    const eigen = eigenTrust(toyEdges, { preTrust: { a: 1 } });
    expect(farthest(Object.entries(toy.eigentrust_a05_pretrust_a), eigen.trust)).toBeLessThan(1e-10);
    const { local_trust, pre_trust, fixed_point, ...more } = toy.eigentrust_go_readme;
    const local = edgesOf(local_trust, 100);
    expect(
      farthest(Object.entries(fixed_point), eigenTrust(local, { preTrust: pre_trust }).trust),
    ).toBeLessThan(1e-9);
    const little = eigenTrust(local, { preTrust: pre_trust, alpha: 0.01, maxIterations: 5_000 });
    expect(farthest(Object.entries(more['fixed_point_alpha_0.01']), little.trust)).toBeLessThan(1e-9);
  });

  it('TRU-22 returns what it has when it does not converge, and ranks sum to 1', () => {
    const result = pageRank(toyEdges, { maxIterations: 2 });
    expect(result).toMatchObject({ converged: false, iterations: 2 });
    expect(result.residual).toBeGreaterThan(0);
    fc.assert(
      fc.property(ratings, (edges) => {
        const sum = [...pageRank(edges).values()].reduce((all, rank) => all + rank, 0);
        expect(sum).toBeCloseTo(1, 9);
      }),
    );
    expect(() => pageRank(toyEdges, { personalization: { nobody: 1 } })).toThrow(/personalization/);
    expect(() => eigenTrust(toyEdges, { preTrust: {} })).toThrow(/preTrust/);
    expect(() => pageRank(toyEdges, { damping: 2 })).toThrow(/damping/);
  });
});

describe('levels 1 and 2, and what several say', () => {
  const golden = z
    .looseObject({ rows: z.array(z.tuple([z.number(), z.number(), z.number(), z.number(), z.number()])) })
    .parse(JSON.parse(fixture('otc_l1l2_otc.json')));

  it('TRU-23 gettrust gives sum and number of paths as Bitcoin-OTC does, for every golden pair', () => {
    const index = indexRatings(otc.map((edge) => ({ ...edge, weight: Math.round(edge.weight * 10) })));
    expect(golden.rows.length).toBe(160);
    for (const [source, target, rated, sum, connections] of golden.rows) {
      const trust = getTrust(index, String(source), String(target));
      expect(trust.level1.rating).toBe(rated);
      expect(trust.level2).toEqual({ sum, connections });
      expect(trust.paths.length).toBe(connections);
    }
  });

  it('TRU-23 a distrusted intermediary counts as a path that says nothing', () => {
    const index = indexRatings([
      { source: 'me', target: 'rogue', weight: -5 },
      { source: 'me', target: 'friend', weight: 3 },
      { source: 'rogue', target: 'x', weight: 10 },
      { source: 'friend', target: 'x', weight: -8 },
      { source: 'x', target: 'x', weight: 10 },
      { source: 'x', target: 'me', weight: 0 },
    ]);
    expect(getTrust(index, 'me', 'x')).toMatchObject({
      level1: { rating: 0, connections: 0 },
      level2: { sum: -3, connections: 2 },
    });
    expect(getTrust(index, 'nobody', 'x').level2).toEqual({ sum: 0, connections: 0 });
    const rules = { founder: 'me', scale: 10 };
    const ask = (source: string, target: string, weight: number) =>
      refuseRating(index, { source, target, weight }, rules);
    expect(ask('me', 'x', 5)).toBeNull();
    expect(ask('friend', 'x', 5)).toBeNull();
    expect(ask('x', 'x', 5)).toBe('SELF_RATING');
    expect(ask('friend', 'x', 0)).toBe('ZERO_RATING');
    expect(ask('friend', 'x', 11)).toBe('OUT_OF_RANGE');
    expect(ask('newcomer', 'x', 1)).toBe('RATER_UNRATED');
    expect(ask('rogue', 'x', 1)).toBe('RATER_DISTRUSTED');
  });

  const four = [
    { rater: '1', raterFairness: 0.9, infoScore: 7, trust: 6, rationale: '15 interactions. 14 successful.' },
    { rater: '2', raterFairness: 0.7, infoScore: 3, trust: 3, rationale: '3 small interactions. All fine.' },
    { rater: '3', raterFairness: 0.85, infoScore: 8, trust: 5, rationale: 'Extensive history.' },
    { rater: '4', raterFairness: 0.4, infoScore: 2, trust: 9, rationale: 'Best agent ever!!!' },
  ];

  it('TRU-23 four peers say 5.385965 by fairness and 5.33125 by fairness × info', () => {
    const result = aggregateAssessments(four);
    expect(result.byFairness).toBeCloseTo(5.385965, 6);
    expect(result.byFairnessAndInfo).toBeCloseTo(5.33125, 10);
    expect(result.ranked.map(({ rater }) => rater)).toEqual(['3', '1', '2', '4']);
    expect(result.ranked[0]?.rationale).toBe('Extensive history.');
    expect(result.ranked.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12);
  });

  it('TRU-23 accepts no assessment without a rationale, and never averages strangers plainly', () => {
    const crowd = Array.from({ length: 100 }, () => ({
      raterFairness: 0,
      infoScore: 10,
      trust: 10,
      rationale: 'great',
    }));
    const silent = { raterFairness: 1, infoScore: 10, trust: -10, rationale: '  ' };
    const result = aggregateAssessments([...four, ...crowd, silent]);
    expect(result.byFairness).toBeCloseTo(5.385965, 6);
    expect(result.withoutRationale).toBe(1);
    expect(aggregateAssessments([silent])).toMatchObject({ byFairness: null, byFairnessAndInfo: null });
    expect(aggregateAssessments(four.map((one) => ({ ...one, infoScore: 0 })))).toMatchObject({
      byFairnessAndInfo: null,
    });
    expect(() => aggregateAssessments([{ ...silent, trust: 11 }])).toThrow(/trust/);
  });
});
