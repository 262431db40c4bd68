/*
 * Regret of routing policies in six seeded worlds (RTM-22): 0 is an oracle that knows every platform, 1 the uniform
 * choice. Prints a markdown table: means over the seeds with 95 % intervals of the mean over worlds.
 * `node regret.bench.ts [--seeds 20] [--from 1] [--per-hour 60] [--days 30] [--policy name …] [--world name …]
 * [--write runs.jsonl] [--read runs.jsonl …] [--plot curves.svg]`. Runs are written one a line and can be read again.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { learnedStrategy, tieredStrategy } from '../src/index.ts';
import { matrixPolicy } from './simulation/matrix-policy.ts';
import { drawCurves } from './simulation/plot.ts';
import type { Policy } from './simulation/policy.ts';
import {
  discountedUcb,
  epsilonGreedy,
  leastInFlight,
  linUcb,
  liteLlm,
  roundRobin,
  thompson,
} from './simulation/rivals.ts';
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
  linucb: () => linUcb(),
  'linucb-forgetting': () => linUcb(0.999),
  litellm: () => liteLlm(),
  tiered: () => matrixPolicy(tieredStrategy()),
  learned: () => matrixPolicy(learnedStrategy()),
};

const { values: flags } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    from: { type: 'string', default: '1' },
    'per-hour': { type: 'string', default: '60' },
    days: { type: 'string', default: '30' },
    policy: { type: 'string', multiple: true },
    world: { type: 'string', multiple: true },
    write: { type: 'string' },
    read: { type: 'string', multiple: true },
    plot: { type: 'string' },
  },
});
const seeds = Array.from({ length: Number(flags.seeds) }, (_, index) => Number(flags.from) + index);
const hours = 24 * Number(flags.days);
const worlds = worldNames.filter((name) => flags.world?.includes(name) ?? true);
const chosen = Object.keys(policies).filter((name) => flags.policy?.includes(name) ?? true);

/** One run: a policy in a world with a seed. */
interface Run {
  readonly policy: string;
  readonly world: WorldName;
  readonly seed: number;
  readonly regret: number;
  /** Value given to platforms that cheated on it, per 1,000 tasks. */
  readonly defected: number;
  /** Regret of the oracle summed over the tasks, at 30 points of time. */
  readonly curve: readonly number[];
}

const runs: Run[] = [];
if (flags.read !== undefined) {
  for (const path of flags.read) {
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    for (const line of lines) runs.push(JSON.parse(line));
  }
} else {
  for (const seed of seeds) {
    for (const world of worlds) {
      process.stderr.write(`\rseed ${seed}, ${world}   `);
      const tasks = drawTasks(seed, { hours, perHour: Number(flags['per-hour']) });
      const run = (policy: Policy | 'oracle' | 'random') =>
        runPolicy(policy, createWorld(world, seed, hours), tasks, seed);
      const oracle = run('oracle');
      const random = run('random');
      const scale = oracle.utility - random.utility;
      for (const policy of chosen) {
        const result = run((policies[policy] as () => Policy)());
        const line: Run = {
          policy,
          world,
          seed,
          regret: (oracle.utility - result.utility) / scale,
          defected: result.defectedValue,
          curve: result.curve.map((sum, at) => ((oracle.curve[at] ?? 0) - sum) / scale),
        };
        runs.push(line);
        // Written at once, so that a long simulation can be interrupted.
        if (flags.write !== undefined) appendFileSync(flags.write, `${JSON.stringify(line)}\n`);
      }
    }
  }
  process.stderr.write('\r\u001b[K');
}

const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
/** Half the width of the 95 % interval of a mean. */
const halfWidth = (values: readonly number[]) => {
  const middle = mean(values);
  const variance =
    values.reduce((sum, each) => sum + (each - middle) ** 2, 0) / Math.max(1, values.length - 1);
  return 1.96 * Math.sqrt(variance / values.length);
};
const figure = (value: number) => value.toFixed(3);
const known = (name: string) => runs.filter(({ policy }) => policy === name);
/** The policies, the least regret first. */
const shown = [...new Set(runs.map(({ policy }) => policy))]
  .map((name) => ({ name, regret: mean(known(name).map(({ regret }) => regret)) }))
  .sort((a, b) => a.regret - b.regret)
  .map(({ name }) => name);

console.log(`${flags.days} days, ${flags['per-hour']} tasks an hour\n`);
console.log(`| policy | seeds | ${worlds.join(' | ')} | mean | ± | worst | value cheated of 1,000, mixed |`);
console.log(`| --- |${' ---: |'.repeat(worlds.length + 5)}`);
for (const name of shown) {
  const own = known(name);
  const of = (world: WorldName) => own.filter((run) => run.world === world).map(({ regret }) => regret);
  const means = worlds.map((world) => mean(of(world)));
  const seedsOf = [...new Set(own.map(({ seed }) => seed))];
  const perSeed = seedsOf.map((seed) =>
    mean(own.filter((run) => run.seed === seed).map(({ regret }) => regret)),
  );
  const cheated = own.filter(({ world }) => world === 'mixed').map(({ defected }) => defected);
  console.log(
    `| ${name} | ${seedsOf.length} | ${worlds.map((world) => `${figure(mean(of(world)))} ± ${figure(halfWidth(of(world)))}`).join(' | ')} | ` +
      `${figure(mean(means))} | ${figure(halfWidth(perSeed))} | ${figure(Math.max(...means))} | ` +
      `${cheated.length === 0 ? '' : mean(cheated).toFixed(1)} |`,
  );
}
if (flags.plot !== undefined) {
  writeFileSync(
    flags.plot,
    drawCurves(
      'Regret of routing policies in six simulated worlds',
      worlds.map((world) => ({
        title: world,
        lines: shown.map((name) => {
          const curves = known(name)
            .filter((run) => run.world === world)
            .map(({ curve }) => curve);
          return {
            name,
            values: (curves[0] ?? []).map((_, at) => mean(curves.map((curve) => curve[at] ?? 0))),
          };
        }),
      })),
    ),
  );
}
