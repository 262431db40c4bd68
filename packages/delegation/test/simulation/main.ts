// Runs simulated worlds: `npm run simulate -- --seed N` one in detail, `-- --seeds N [--from N]` many on all processors.
import { parseArgs } from 'node:util';
import { simulate } from './simulate.ts';
import { startWorldThreads } from './threads.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
  },
});

if (values.seed !== undefined) {
  const report = await simulate(Number(values.seed), { log: (line) => process.stderr.write(`${line}\n`) });
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  process.exitCode = report.violations.length === 0 ? 0 : 1;
} else {
  const from = Number(values.from);
  const startedAt = performance.now();
  let failed = 0;
  const totals: Record<string, number> = {};
  await using threads = startWorldThreads();
  const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => from + index);
  for await (const { seed, violations, orders, ...counts } of threads.run(seeds)) {
    for (const [name, count] of Object.entries({ ...orders, ...counts }))
      totals[name] = (totals[name] ?? 0) + count;
    if (violations.length === 0) continue;
    failed += 1;
    process.stdout.write(`seed ${seed}: ${violations.slice(0, 3).join('; ')}\n`);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage();
  const cpu = (user + system) / 1e6;
  process.stdout.write(`${JSON.stringify(totals)}\n`);
  process.stdout.write(
    `${seeds.length} worlds, ${failed} with violations, ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU\n`,
  );
  process.exitCode = failed === 0 ? 0 : 1;
}
