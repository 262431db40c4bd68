import { runCli } from '@bonafide/cli';
import type { AgentReport } from '@bonafide/cli/report';
import { createPrinter, processIo } from '@bonafide/cli/terminal';
import type { correctThreshold } from './thresholds.ts';

/** Document of `--json`: the report of `bonafide`, and what only the demo knows. */
export interface Report extends AgentReport {
  /** Changes of thresholds that the outcomes called for. */
  readonly thresholds: Awaited<ReturnType<typeof correctThreshold>>['thresholds'];
  /** Why none was proposed; null where one was, or where no platform answered. */
  readonly thresholdProblem: string | null;
  /** Money in work that was not worth it, msat; null without `--compare`. */
  readonly wasted: { readonly with: number; readonly without: number } | null;
}

/** Prints the report of `bonafide` and what only the demo knows, or one JSON document. */
export async function printReport(report: Report, json: boolean, place: readonly string[]): Promise<void> {
  const { line, paragraph, json: printJson } = createPrinter(processIo());
  if (json) return printJson(report);
  await runCli(['report', ...place]);
  line();
  for (const { task, from, to, justification, branch, against } of report.thresholds) {
    const change = `The agent proposes that its own threshold for ${task} becomes ${to} instead of ${from}`;
    const end = branch === null ? `Refused: ${against}.` : `See branch ${branch} of thresholds.git.`;
    paragraph(`${change}: ${justification} ${end}`, 0);
  }
  if (report.thresholdProblem !== null) paragraph(`No threshold was proposed: ${report.thresholdProblem}`, 0);
  if (report.wasted === null) return;
  const { with: own, without } = report.wasted;
  const saved = without === 0 ? 0 : Math.round((1 - own / without) * 100);
  const measured = `Measured: the agent without memory bid ${without / 1_000} sat for bad work in the same jobs, this one`;
  paragraph(`${measured} ${own / 1_000} sat with its trials. Memory and judgment saved ${saved} %.`, 0);
}
