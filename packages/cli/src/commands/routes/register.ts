import { type Command, InvalidArgumentError, Option } from 'commander';
import { keyVariable } from '../../agent-signer.ts';
import type { CommandContext } from '../../context.ts';
import { examples } from '../../help.ts';
import { rowCount, withRelays } from '../../options.ts';
import { wholeMsat } from '../job/options.ts';
import { withRoutes } from './options.ts';

function share(text: string): number {
  const parsed = Number(text);
  if (text.trim() !== '' && parsed >= 0 && parsed <= 1) return parsed;
  throw new InvalidArgumentError('Give a number from 0 to 1.');
}

const directives = [
  ['pin', 'Give the platform every job that it is eligible for.'],
  ['unpin', 'End a pin.'],
  ['deny', 'Give the platform no job.'],
  ['allow', 'End a denial or a refusal.'],
  ['readmit', 'Let a rejected, suspended, removed or quarantined platform return.'],
  ['remove', 'Take the platform out until it is readmitted.'],
] as const;

/** Registers `bonafide routes …`. The matrix is loaded by the command that needs it. */
export function registerRoutes(program: Command, { io, print }: CommandContext): void {
  const routes = program
    .command('routes')
    .description('The platforms that the agent gives work to, the reasons of each choice, and budgets.')
    .addHelpText('after', examples('routes', 'routes code', 'routes explain job-17', 'routes evaluate'));

  withRoutes(routes.command('list', { isDefault: true }))
    .description('Show the platforms of every task type, or of one, best first.')
    .argument('[task]', 'task type')
    .option('--explain <decision>', 'instead: why a job went where it went')
    .addHelpText('after', examples('routes list', 'routes list code --json', 'routes --explain job-17'))
    .action(async (task, options) => (await import('./show.ts')).routesList(task, options, io, print));

  withRoutes(routes.command('decisions'))
    .description('List the latest choices, newest first.')
    .argument('[task]', 'task type')
    .option('-n, --limit <count>', 'how many', rowCount, 50)
    .option('--cursor <cursor>', 'where to continue, as the page before said')
    .addHelpText('after', examples('routes decisions', 'routes decisions code --limit 10 --json'))
    .action(async (task, options) => (await import('./show.ts')).routesDecisions(task, options, io, print));

  withRoutes(routes.command('explain'))
    .description('Show why a job went where it went: candidates, probabilities, and who was excluded.')
    .argument('<decision>', 'id of the decision or of its job')
    .addHelpText('after', examples('routes explain job-17', 'routes explain job-17 --json'))
    .action(async (which, options) => (await import('./show.ts')).routesExplain(which, options, io, print));

  withRoutes(routes.command('evaluate'))
    .description("Estimate what each strategy would have earned on the agent's own history.")
    .addHelpText('after', examples('routes evaluate', 'routes evaluate --json'))
    .action(async (options) => (await import('./show.ts')).routesEvaluate(options, io, print));

  for (const [action, description] of directives) {
    withRoutes(routes.command(action))
      .description(description)
      .argument('<platform>', '<key>:<identifier>; the key as npub or hex')
      .option('--task <type>', 'only for this task type')
      .addOption(
        new Option('--of <source>', 'whose directive it is: only its source lifts one')
          .choices(['operator', 'policy'])
          .default('operator'),
      )
      .requiredOption('--because <reason>', 'why; stored with the directive')
      .addHelpText('after', examples(`routes ${action} npub1…:python --because 'Agreed by phone.'`))
      .action(async (who, options) =>
        (await import('./change.ts')).routesDirect(action, who, options, io, print),
      );
  }

  withRoutes(routes.command('budget'))
    .description('Show the budgets, or set that of a task type, or of all together.')
    .argument('[task]', 'task type')
    .option('--daily <msat>', 'largest sum of a UTC day', wholeMsat)
    .option('--monthly <msat>', 'largest sum of a UTC month', wholeMsat)
    .option('--rollover <share>', 'share of the rest that the next period gets on top, 0 to 1', share)
    .option('--flexible', 'lend to and borrow from other flexible budgets', false)
    .addHelpText('after', examples('routes budget', 'routes budget code --daily 50000 --monthly 1000000'))
    .action(async (task, options) => (await import('./change.ts')).routesBudget(task, options, io, print));

  const withKey = (command: Command) =>
    withRelays(withRoutes(command), 'a relay that keeps your private messages').option(
      '--key-file <file>',
      `the agent's key, in a file of mode 0600 (default: $${keyVariable})`,
    );
  withKey(routes.command('backup'))
    .description('Send the routes to the agent itself, as private messages (NIP-17).')
    .addHelpText('after', examples('routes backup --relay wss://nos.lol'))
    .action(async (options) => (await import('./backup.ts')).routesBackup(options, io, print));
  withKey(routes.command('restore'))
    .description('Restore the routes from such messages, on a machine without routes.')
    .addHelpText('after', examples('routes restore --relay wss://nos.lol'))
    .action(async (options) => (await import('./backup.ts')).routesRestore(options, io, print));
}
