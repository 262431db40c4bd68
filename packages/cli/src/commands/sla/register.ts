import { type Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from '../../context.ts';
import { examples } from '../../help.ts';
import { slaStatus } from './status.ts';

function pointInTime(text: string): number {
  const parsed = Date.parse(text);
  if (Number.isNaN(parsed)) throw new InvalidArgumentError('Pass a time such as 2026-01-31T12:00:00Z.');
  return parsed;
}

/** Registers `bonafide sla …`. */
export function registerSla(program: Command, { print, onFailed }: CommandContext): void {
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
      if (!(await slaStatus({ sla: agreement, measurements: measured }, given, print))) onFailed();
    });
}
