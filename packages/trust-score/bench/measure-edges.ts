/*
 * Fairness and goodness of one made-up network, in a process of its own so that its peak memory is its own. Prints JSON.
 * `node fairness-goodness.bench.ts <edges>`
 */
import { fairnessGoodnessColumns } from '../src/index.ts';
import { randomTable } from './random-table.ts';

const edges = Number(process.argv[2]);
const nodeCount = Math.max(100, Math.round(edges / 10));
// Ten thousand edges first, so that the code is compiled before anything is measured.
for (let i = 0; i < 20; i += 1) fairnessGoodnessColumns(randomTable(10_000, 1_000));
globalThis.gc?.();
const before = process.memoryUsage().rss;
const table = randomTable(edges, nodeCount);
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
