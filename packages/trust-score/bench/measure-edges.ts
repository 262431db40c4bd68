/*
 * Fairness and goodness of one made-up network, in a process of its own so that its peak memory is its own. Prints JSON.
 * `node fairness-goodness.bench.ts <edges>`
 */
import { type EdgeTable, fairnessGoodnessColumns } from '../src/index.ts';

const edges = Number(process.argv[2]);
const nodeCount = Math.max(100, Math.round(edges / 10));
let state = 42;
const random = (): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 4_294_967_296;
};
// Ten thousand edges first, so that the code is compiled before anything is measured.
const make = (count: number, nodes: number): EdgeTable => {
  const table: EdgeTable = {
    sources: new Uint32Array(count),
    targets: new Uint32Array(count),
    weights: new Float64Array(count),
    nodeCount: nodes,
    nodes: null,
  };
  for (let row = 0; row < count; row += 1) {
    // A few nodes have most of the ratings, as in every real network.
    table.sources[row] = Math.floor(nodes * random() ** 2);
    table.targets[row] = Math.floor(nodes * random() ** 2);
    table.weights[row] = Math.round(20 * random() ** 0.5 - 10) / 10;
  }
  return table;
};
for (let i = 0; i < 20; i += 1) fairnessGoodnessColumns(make(10_000, 1_000));
globalThis.gc?.();
const before = process.memoryUsage().rss;
const table = make(edges, nodeCount);
const runs = edges > 1_000_000 ? 3 : 20;
const times: number[] = [];
let iterations = 0;
for (let run = 0; run < runs; run += 1) {
  const begin = performance.now();
  iterations = fairnessGoodnessColumns(table).iterations;
  times.push(performance.now() - begin);
  // Arrays outside the heap do not make the collector run: what is left of the run before is not this one's peak.
  globalThis.gc?.();
}
const median = times.toSorted((left, right) => left - right)[times.length >> 1] ?? Number.NaN;
const bytes = process.resourceUsage().maxRSS * 1_024 - before;
console.log(JSON.stringify({ edges, nodeCount, median, iterations, bytes }));
