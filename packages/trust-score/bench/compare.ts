/*
 * Fairness and goodness: against the authors' algorithm in Python on networkx in the same run, adding one rating against a
 * full run, DuckDB, and the curve of time and peak memory from 10 thousand to 10 million edges (TRU-27, TRU-28). Needs
 * python3 and python3-networkx. Prints markdown tables.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { fairnessGoodnessSql } from '../src/duckdb.ts';
import {
  createEdgeTable,
  createFairnessGoodnessTracker,
  fairnessGoodness,
  fairnessGoodnessColumns,
  pageRank,
  personalView,
} from '../src/index.ts';
import { otc } from '../test/networks.ts';
import { randomTable } from './random-table.ts';

const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[values.length >> 1] ?? Number.NaN;
function timed(runs: number, work: () => unknown): number {
  for (let i = 0; i < 20; i += 1) work();
  const times = Array.from({ length: runs }, () => {
    const begin = performance.now();
    work();
    return performance.now() - begin;
  });
  return median(times);
}
function child(program: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { input, encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`${program} failed (apt-get install python3-networkx?): ${error ?? stderr}`);
  return stdout;
}
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const lines = otc.map(({ source, target, weight }) => `${source},${target},${weight}`).join('\n');
const reference: {
  readonly seconds: readonly number[];
  readonly passes: number;
  readonly fairness: number;
  readonly goodness: number;
  readonly versions: string;
} = JSON.parse(child('python3', [path('reference/fairness_goodness.py'), '20'], lines));
const authors = median(reference.seconds) * 1_000;

const ours = fairnessGoodness(otc);
const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
const apart = Math.max(
  Math.abs(sum(ours.fairness.values()) - reference.fairness),
  Math.abs(sum(ours.goodness.values()) - reference.goodness),
);
if (!(apart < 1e-9) || ours.iterations !== reference.passes) throw new Error(`results differ by ${apart}`);

const table = createEdgeTable(otc);
const columns = timed(100, () => fairnessGoodnessColumns(table));
const objects = timed(100, () => fairnessGoodness(otc));

const late = otc.filter((_, i) => i % 35 === 7);
const early = otc.filter((_, i) => i % 35 !== 7);
const updates = (tolerance: number): number => {
  const tracker = createFairnessGoodnessTracker(early, { tolerance });
  // Once through and back, to warm up.
  for (const edge of late) tracker.add(edge);
  for (const { source, target } of late) tracker.remove(source, target);
  const times = late.map((edge) => {
    const begin = performance.now();
    tracker.add(edge);
    return performance.now() - begin;
  });
  return times.reduce((total, time) => total + time, 0) / times.length;
};
const [coarse, fine] = [updates(1e-5), updates(1e-6)];

const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
await connection.run('create table ratings (source varchar, target varchar, weight double)');
const appender = await connection.createAppender('ratings');
for (const { source, target, weight } of otc) {
  appender.appendVarchar(source);
  appender.appendVarchar(target);
  appender.appendDouble(weight);
  appender.endRow();
}
appender.closeSync();
const sqlTimes: number[] = [];
for (let i = 0; i < 6; i += 1) {
  const begin = performance.now();
  await fairnessGoodnessSql(connection, { table: 'ratings', into: 'standing' });
  sqlTimes.push(performance.now() - begin);
}
const duckdb = median(sqlTimes.slice(1));
connection.closeSync();
instance.closeSync();

const row = (name: string, ms: number) =>
  console.log(`| ${name} | ${ms < 1 ? ms.toFixed(3) : ms.toFixed(1)} | ${(authors / ms).toFixed(0)} × |`);
console.log(
  `Bitcoin-OTC, 35,592 edges, ${ours.iterations} passes; medians after warm-up; sums equal to ${apart.toExponential(1)}\n`,
);
console.log('| | ms | faster than the authors |');
console.log('|---|---|---|');
row(`authors' algorithm (${reference.versions})`, authors);
row('fairnessGoodnessColumns (typed arrays)', columns);
row('fairnessGoodness (list of objects in, maps out)', objects);
row('fairnessGoodnessSql (DuckDB in memory)', duckdb);
row(
  `one rating added, tolerance 1e-5 (mean of ${late.length}; ${(objects / coarse).toFixed(0)} × a full run)`,
  coarse,
);
row(
  `one rating added, tolerance 1e-6 (mean of ${late.length}; ${(objects / fine).toFixed(0)} × a full run)`,
  fine,
);

const largeNetwork = randomTable(1_000_000, 100_000);
const views = [
  ['personalView, Bitcoin-OTC', timed(20, () => personalView(table, '35'))],
  ['personalView, 1,000,000 edges and 100,000 nodes', timed(5, () => personalView(largeNetwork, '3'))],
  ['pageRank, Bitcoin-OTC', timed(20, () => pageRank(table))],
] as const;
console.log('\n| | ms |\n|---|---|');
for (const [name, ms] of views) console.log(`| ${name} | ${ms.toFixed(1)} |`);

console.log('\n| edges | nodes | ms | passes | ns per edge and pass | peak bytes per edge, with the input |');
console.log('|---|---|---|---|---|---|');
for (const edges of [10_000, 100_000, 1_000_000, 10_000_000]) {
  const one: { nodeCount: number; median: number; iterations: number; bytes: number } = JSON.parse(
    child(process.execPath, ['--expose-gc', path('fairness-goodness.bench.ts'), String(edges)]),
  );
  const perPass = (one.median * 1e6) / (edges * one.iterations);
  // Below a megabyte or so pages and the compiler's own memory drown what is measured.
  const bytes = edges < 1_000_000 ? '–' : (one.bytes / edges).toFixed(1);
  console.log(
    `| ${edges.toLocaleString('en')} | ${one.nodeCount.toLocaleString('en')} | ${one.median.toFixed(1)} | ${one.iterations} | ${perPass.toFixed(1)} | ${bytes} |`,
  );
}
