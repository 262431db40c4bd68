/*
 * Compares agents in a simulated society of honest, late and hostile peers (CTX-26, AGT-7): losses, time to detect and false
 * accusations. `node society.bench.ts [seeds] [days] [--write]`; `--write` draws `docs/guides/society.svg`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareAgents, societyPlot, societyTable } from './society/report.ts';

const [seeds = '20', days = '30'] = process.argv.slice(2).filter((argument) => /^\d+$/u.test(argument));
const comparison = await compareAgents(Number(seeds), Number(days));
console.log(`${seeds} worlds of ${days} days, a job an hour\n`);
console.log(societyTable(comparison));
if (process.argv.includes('--write')) {
  const file = join(import.meta.dirname, '../../../docs/guides/society.svg');
  writeFileSync(file, societyPlot(comparison));
}
