import { evaluateSla, renderSlaStatus, slaStatusDocument } from '@bonafide/trust-score';
import { type Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import type { CommandContext } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { examples } from '../../help.ts';
import type { Printer } from '../../print.ts';
import { readJson, safeLines } from '../trust/read.ts';

const moment = z.union([z.number(), z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))]);
const measurements = z.array(z.object({ metric: z.string(), at: moment, value: z.number() }));

function pointInTime(text: string): number {
  const parsed = Date.parse(text);
  if (Number.isNaN(parsed)) throw new InvalidArgumentError('Pass a time such as 2026-01-31T12:00:00Z.');
  return parsed;
}

/** `bonafide sla status <sla> <measurements>`: evaluates every promise. */
async function status(
  paths: { readonly sla: string; readonly measurements: string },
  options: { readonly at?: number; readonly name?: string; readonly json: boolean },
  print: Printer,
): Promise<boolean> {
  const sla = z.record(z.string(), z.unknown()).safeParse(await readJson(paths.sla));
  if (!sla.success) throw new CliError('USAGE', 'An SLA is a JSON object with guarantees.');
  const measured = measurements.safeParse(await readJson(paths.measurements));
  if (!measured.success)
    throw new CliError(
      'USAGE',
      `Measurements are [{ metric, at, value }, …]:\n${z.prettifyError(measured.error)}`,
    );
  const found = evaluateSla(sla.data, measured.data, options.at ?? Date.now());
  if (options.json) print.json(slaStatusDocument(found));
  else {
    const text = renderSlaStatus(found, options.name === undefined ? {} : { name: options.name });
    for (const line of safeLines(text)) print.line(line);
  }
  return found.overall !== 'breached';
}

/** Adds `bonafide sla …` to a program. `onFailed` is called when an agreement is in breach. */
export function addSla(program: Command, { print, onFailed }: CommandContext): void {
  const shown = examples(
    'sla status sla.json measurements.json',
    'sla status sla.json - --json < measurements.json',
  );
  const sla = program
    .command('sla')
    .description('Evaluate service level agreements.')
    .addHelpText('after', shown);
  sla
    .command('status')
    .description('Evaluate every promise of an agreement against measurements.')
    .argument('<sla>', 'the agreement, as JSON')
    .argument('<measurements>', 'JSON: [{ metric, at, value }, …], times in ms since epoch or ISO 8601')
    .option('--at <moment>', 'time of the evaluation (default: now)', pointInTime)
    .option('--name <agent>', 'name of the agent, for the heading')
    .option('--json', 'print one JSON document', false)
    .addHelpText('after', shown)
    .action(async (agreement, measured, given) => {
      if (!(await status({ sla: agreement, measurements: measured }, given, print))) onFailed();
    });
}
