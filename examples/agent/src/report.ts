import { runCli } from '@bonafide/cli';
import type { AgentReport } from '@bonafide/cli/report';
import { createPrinter, processIo } from '@bonafide/cli/terminal';
import type { correctThreshold } from './thresholds.ts';

/** Document of `--json`: the report of `bonafide`, and what only the demo knows. */
export interface Report extends AgentReport {
  /** Changes of thresholds that the outcomes called for. */
  readonly thresholds: Awaited<ReturnType<typeof correctThreshold>>['thresholds'];
  /** Why none could be proposed; null when nothing was in the way. */
  readonly thresholdProblem: string | null;
  /** Money in work that was not worth it, msat; null without `--compare`. */
  readonly wasted: { readonly with: number; readonly without: number } | null;
}

/** Prints the tables of `bonafide report` and what it has no table for, or one JSON document. */
export async function printReport(report: Report, json: boolean, place: readonly string[]): Promise<void> {
  const { line, json: printJson } = createPrinter(processIo());
  if (json) return printJson(report);
  await runCli(['report', ...place]);
  for (const { task, from, to, pattern, action, branch, against } of report.thresholds) {
    const end = branch === null ? `${action}: ${against}` : `${action} as branch ${branch} of thresholds.git`;
    line(`\nThreshold of ${task} ${from} → ${to} (${pattern}), ${end}`);
  }
  if (report.thresholdProblem !== null) line(`\nNo threshold was proposed. ${report.thresholdProblem}`);
  if (report.wasted === null) return;
  const { with: own, without } = report.wasted;
  const saved = without === 0 ? 0 : Math.round((1 - own / without) * 100);
  line(`\nBids for bad work: ${own} msat, trials included; without memory and judgment ${without} msat.`);
  line(`It saved ${saved} %. Nothing was paid: the demo has no wallet.`);
}
