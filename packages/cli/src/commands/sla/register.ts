import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../../context.ts';
import { examples } from '../../help.ts';
import { pointInTime } from '../../options.ts';
import { type Ground, grounds, type PlainStep, plainSteps } from './steps.ts';

function finite(text: string): number {
  const parsed = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(parsed)) throw new InvalidArgumentError('Pass a number.');
  return parsed;
}

/** Registers `bonafide sla …`. */
export function registerSla(program: Command, context: CommandContext): void {
  const sla = program
    .command('sla')
    .description(
      'Evaluate service level agreements, and follow the breach of one through disputes and penalties.',
    )
    .addHelpText(
      'after',
      examples(
        'sla status sla.json measurements.json',
        'sla breach sla.json --agent npub1… --metric uptime --value 0.8',
      ),
    );
  registerStatus(sla, context);
  registerBreaches(sla, context);
}

function registerStatus(sla: Command, { print, onFailed }: CommandContext): void {
  sla
    .command('status')
    .description('Evaluate every promise of an agreement against measurements, on your terms.')
    .argument('<sla>', 'the agreement, as JSON')
    .argument(
      '<measurements>',
      'JSON: [{ metric, at, value, prober? }, …], times in ms since epoch or ISO 8601',
    )
    .option('--at <moment>', 'time of the evaluation (default: now)', pointInTime)
    .option('--name <agent>', 'name of the agent, for the heading')
    .option('--policy <file>', 'rules that differ from the strict default, as JSON')
    .option('--subject <agent>', 'agent that made the promises: its own measurements do not count')
    .option('--json', 'print one JSON document', false)
    .addHelpText(
      'after',
      examples('sla status sla.json measurements.json', 'sla status sla.json - --json < measurements.json'),
    )
    .action(async (agreement, measured, given) => {
      const { slaStatus } = await import('./status.ts');
      if (!(await slaStatus({ sla: agreement, measurements: measured }, given, print))) onFailed();
    });
}

function registerBreaches(sla: Command, { print }: CommandContext): void {
  const common = (command: Command) =>
    command
      .option('--at <moment>', 'time of the step (default: now)', pointInTime)
      .option('--json', 'print one JSON document', false);
  const changes = (command: Command) =>
    common(command).option('--out <file>', 'write the breach into a new file');

  changes(sla.command('breach'))
    .description('Create the breach of a promise. A value that keeps it is refused.')
    .argument('<sla>', 'the agreement, as JSON')
    .requiredOption('--agent <id>', 'agent that broke the promise')
    .requiredOption('--metric <name>', 'metric of the promise')
    .requiredOption('--value <number>', 'value that broke it', finite)
    .requiredOption('--id <id>', 'id of the breach')
    .option('--downtime-hours <number>', 'cumulative downtime in the window, when that breaks it', finite)
    .option('--policy <file>', 'rules that differ from the strict default, as JSON')
    .addHelpText(
      'after',
      examples('sla breach sla.json --id b1 --agent npub1… --metric uptime --value 0.8 --out breach.json'),
    )
    .action(async (path, given) => (await import('./breach.ts')).slaBreach(path, given, print));

  common(sla.command('show'))
    .description('Show a breach: its claim, decision, effect, deadlines and possible steps.')
    .argument('<breach>', 'a breach, as JSON')
    .addHelpText('after', examples('sla show breach.json'))
    .action(async (path, given) => (await import('./breach.ts')).slaShow(path, given, print));

  changes(sla.command('dispute'))
    .description('File the dispute of the accused agent. It does not stop the clock.')
    .argument('<breach>', 'a breach, as JSON')
    .requiredOption('--id <id>', 'id of the dispute')
    .requiredOption('--claim <text>', 'what the agent says')
    .requiredOption('--evidence <address...>', 'addresses of the evidence')
    .addOption(
      new Option('--remedy <remedy>', 'what it asks for').choices(['remove', 'reduce']).default('remove'),
    )
    .addOption(
      new Option('--force-majeure <ground>', 'ground of force majeure').choices(Object.keys(grounds)),
    )
    .addHelpText(
      'after',
      examples(
        "sla dispute breach.json --id d1 --claim 'The registry was down' --evidence https://… --force-majeure registry-outage --out disputed.json",
      ),
    )
    .action(async (path, given) =>
      (await import('./breach.ts')).slaDispute(
        path,
        given as typeof given & { remedy: 'remove' | 'reduce'; forceMajeure?: Ground },
        print,
      ),
    );

  changes(sla.command('decide'))
    .description('Record the decision of the arbitrator. The agent cannot decide its own dispute.')
    .argument('<breach>', 'a disputed breach, as JSON')
    .addOption(
      new Option('--outcome <outcome>', 'the decision').choices(['upheld', 'excused']).makeOptionMandatory(),
    )
    .requiredOption('--because <why>', 'reason of the decision')
    .requiredOption('--arbitrator <id>', 'who decided')
    .addHelpText(
      'after',
      examples(
        "sla decide disputed.json --outcome upheld --because 'no outage was found' --arbitrator npub1… --out upheld.json",
      ),
    )
    .action(async (path, given) =>
      (await import('./breach.ts')).slaDecide(
        path,
        given as typeof given & { outcome: 'upheld' | 'excused' },
        print,
      ),
    );

  changes(sla.command('advance'))
    .description('Take a step that only depends on time.')
    .argument('<breach>', 'a breach, as JSON')
    .argument('<step>', plainSteps.join(', '), (name): PlainStep => {
      const found = plainSteps.find((one) => one === name);
      if (found === undefined) throw new InvalidArgumentError(`Pass one of ${plainSteps.join(', ')}.`);
      return found;
    })
    .option('--affected <id...>', 'delegators that share a fine')
    .addHelpText('after', examples('sla advance breach.json confirm --out confirmed.json'))
    .action(async (path, name, given) => (await import('./breach.ts')).slaAdvance(path, name, given, print));
}
