/*
 * Herding (RTM-8, RTM-22): the agents of a market see the load of 8 platforms as their heartbeats said it up to 60 s ago. A job fails when
 * its platform has no free place. Prints a markdown table of the share of jobs that found one.
 * `node --conditions=@bonafide/source herd.bench.ts [--seeds 20] [--stale 60]`
 */
import { parseArgs } from 'node:util';
import { drawIndex, powerOfTwoChoices } from '../src/index.ts';
import { createRandomStream } from './simulation/random.ts';

const { values: flags } = parseArgs({
  options: { seeds: { type: 'string', default: '20' }, stale: { type: 'string', default: '60' } },
});
const staleSeconds = Number(flags.stale);
const platforms = 8;
const places = 10;
const jobSeconds = 40;
/** Two thirds of all places are taken on average. */
const perSecond = (2 / 3) * ((platforms * places) / jobSeconds);
const jobs = 20_000;

type Rule = (loads: readonly number[], draw: () => number) => number;

const rules: Readonly<Record<string, Rule>> = {
  'least loaded': (loads) => loads.indexOf(Math.min(...loads)),
  random: (loads, draw) => Math.floor(draw() * loads.length),
  'power of two choices': (loads, draw) => drawIndex(powerOfTwoChoices(loads), draw()),
};

/** Returns the share of jobs that found a free place. */
function run(rule: Rule, seed: number): number {
  const { uniform } = createRandomStream(seed, 'herd');
  const ends: number[][] = Array.from({ length: platforms }, () => []);
  // Every platform publishes its load once per period, at its own time.
  const published = Array.from({ length: platforms }, () => ({ at: -uniform() * staleSeconds, load: 0 }));
  let [now, served] = [0, 0];
  for (let job = 0; job < jobs; job += 1) {
    now += -Math.log(1 - uniform()) / perSecond;
    for (const [index, own] of ends.entries()) ends[index] = own.filter((end) => end > now);
    for (const [index, heartbeat] of published.entries()) {
      if (now - heartbeat.at < staleSeconds) continue;
      published[index] = { at: now, load: ends[index]?.length ?? 0 };
    }
    const loads = published.map(({ load }) => load);
    const own = ends[rule(loads, uniform)] as number[];
    if (own.length >= places) continue;
    served += 1;
    own.push(now - Math.log(1 - uniform()) * jobSeconds);
  }
  return served / jobs;
}

console.log('| rule | jobs that found a place, % | ± |\n| --- | ---: | ---: |');
for (const [name, rule] of Object.entries(rules)) {
  const shares = Array.from({ length: Number(flags.seeds) }, (_, seed) => 100 * run(rule, seed + 1));
  const mean = shares.reduce((sum, each) => sum + each, 0) / shares.length;
  const variance = shares.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (shares.length - 1);
  const half = 1.96 * Math.sqrt(variance / shares.length);
  console.log(`| ${name} | ${mean.toFixed(1)} | ${half.toFixed(1)} |`);
}
