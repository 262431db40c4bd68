/*
 * Regret of routing policies in six seeded worlds (RTM-22): 0 is an oracle that knows every platform, 1 the uniform
 * choice. Prints a markdown table: means over the seeds with 95 % intervals of the mean over worlds.
 * `node regret.bench.ts [--seeds 20] [--from 1] [--per-hour 60] [--days 30] [--policy name …] [--world name …]`
 */
import { parseArgs } from 'node:util';
import { learnedStrategy, tieredStrategy } from '../src/index.ts';
import { matrixPolicy } from './simulation/matrix-policy.ts';
import type { Policy } from './simulation/policy.ts';
import { discountedUcb, epsilonGreedy, leastInFlight, roundRobin, thompson } from './simulation/rivals.ts';
import { runPolicy } from './simulation/run.ts';
import { drawTasks } from './simulation/tasks.ts';
import { createWorld, type WorldName, worldNames } from './simulation/worlds.ts';

const policies: Readonly<Record<string, () => Policy>> = {
  'round-robin': roundRobin,
  p2c: leastInFlight,
  'epsilon-greedy': () => epsilonGreedy(),
  thompson: () => thompson(),
  'discounted-thompson': () => thompson(0.9998),
  'discounted-ucb': () => discountedUcb(),
  tiered: () => matrixPolicy(tieredStrategy()),
  learned: () => matrixPolicy(learnedStrategy()),
  'learned-fixed': () => matrixPolicy(learnedStrategy(), 'learned', { adaptiveThresholds: false }),
  'tiered-fixed': () => matrixPolicy(tieredStrategy(), 'tiered', { adaptiveThresholds: false }),
};

const { values: flags } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    from: { type: 'string', default: '1' },
    'per-hour': { type: 'string', default: '60' },
    days: { type: 'string', default: '30' },
    policy: { type: 'string', multiple: true },
    world: { type: 'string', multiple: true },
  },
});
const seeds = Array.from({ length: Number(flags.seeds) }, (_, index) => Number(flags.from) + index);
const hours = 24 * Number(flags.days);
const worlds = worldNames.filter((name) => flags.world?.includes(name) ?? true);
const chosen = Object.keys(policies).filter((name) => flags.policy?.includes(name) ?? true);

/** Regret and cheated value by policy, then by world, one figure per seed. */
const regrets = new Map<string, Map<WorldName, number[]>>();
const defected = new Map<string, number[]>();

for (const world of worlds) {
  for (const [index, seed] of seeds.entries()) {
    process.stderr.write(`\r${world}: seed ${index + 1} of ${seeds.length}   `);
    const tasks = drawTasks(seed, { hours, perHour: Number(flags['per-hour']) });
    const run = (policy: Policy | 'oracle' | 'random') =>
      runPolicy(policy, createWorld(world, seed, hours), tasks, seed);
    const oracle = run('oracle').utility;
    const random = run('random').utility;
    for (const name of chosen) {
      const result = run((policies[name] as () => Policy)());
      const byWorld = regrets.get(name) ?? new Map<WorldName, number[]>();
      regrets.set(name, byWorld);
      byWorld.set(world, [...(byWorld.get(world) ?? []), (oracle - result.utility) / (oracle - random)]);
      if (world === 'mixed') defected.set(name, [...(defected.get(name) ?? []), result.defectedValue]);
    }
  }
}
process.stderr.write('\r\u001b[K');

const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
/** Half the width of the 95 % interval of a mean. */
const halfWidth = (values: readonly number[]) => {
  const middle = mean(values);
  const variance =
    values.reduce((sum, each) => sum + (each - middle) ** 2, 0) / Math.max(1, values.length - 1);
  return 1.96 * Math.sqrt(variance / values.length);
};
const figure = (value: number) => value.toFixed(3);

console.log(`${seeds.length} seeds, ${flags.days} days, ${flags['per-hour']} tasks an hour\n`);
console.log(`| policy | ${worlds.join(' | ')} | mean | ± | worst | value cheated of 1,000, mixed |`);
console.log(`| --- |${' ---: |'.repeat(worlds.length + 4)}`);
for (const name of chosen) {
  const perWorld = worlds.map((world) => regrets.get(name)?.get(world) ?? []);
  const means = perWorld.map(mean);
  const perSeed = seeds.map((_, index) => mean(perWorld.map((values) => values[index] ?? 0)));
  const cheated = defected.get(name);
  console.log(
    `| ${name} | ${means.map(figure).join(' | ')} | ${figure(mean(means))} | ${figure(halfWidth(perSeed))} | ` +
      `${figure(Math.max(...means))} | ${cheated === undefined ? '' : mean(cheated).toFixed(1)} |`,
  );
}
