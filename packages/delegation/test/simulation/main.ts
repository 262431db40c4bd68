// Runs simulated worlds: `npm run simulate -- --seed N` one in detail, `-- --seeds N [--from N]` many.
import { parseArgs } from 'node:util';
import { simulate } from './simulate.ts';

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
  for (let seed = from; seed < from + Number(values.seeds); seed += 1) {
    const { violations, orders, kills, freezes, paidMsat } = await simulate(seed);
    const counts = { ...orders, kills, freezes, paidMsat };
    for (const [name, count] of Object.entries(counts)) totals[name] = (totals[name] ?? 0) + count;
    if (violations.length === 0) continue;
    failed += 1;
    process.stdout.write(`seed ${seed}: ${violations.slice(0, 3).join('; ')}\n`);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  process.stdout.write(`${JSON.stringify(totals)}\n`);
  process.stdout.write(`${values.seeds} worlds, ${failed} with violations, ${seconds.toFixed(1)} s\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}
