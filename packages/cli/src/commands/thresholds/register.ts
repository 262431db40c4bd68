import type { Command } from 'commander';
import type { CommandContext } from '../../context.ts';
import { examples } from '../../help.ts';
import { withThresholds } from './options.ts';

const repository = '--repository ./agent-config.git';

/** Registers `bonafide thresholds …`. */
export function registerThresholds(program: Command, { io, print, onFailed }: CommandContext): void {
  const thresholds = program
    .command('thresholds')
    .description("Changes of the agent's own thresholds: proposed from its outcomes, as pull requests.")
    .addHelpText(
      'after',
      examples(`thresholds propose code ${repository} --dry-run`, `thresholds history code ${repository}`),
    );

  withThresholds(thresholds.command('propose'))
    .description(
      "Propose the change that the agent's outcomes suggest. There is one open proposal per threshold.",
    )
    .argument('<task>', 'task type: its constant is TRUST_THRESHOLD_<TASK>')
    .option('--dry-run', 'print the difference and the text, and change nothing', false)
    .option('--auto-merge', 'merge it when every condition of an automatic merge holds', false)
    .option('--outcomes <file>', "judged work as JSON instead of the agent's; - is standard input")
    .addHelpText(
      'after',
      examples(
        `thresholds propose code ${repository} --dry-run`,
        'thresholds propose code --github you/agent-config --auto-merge',
      ),
    )
    .action(async (task, options) => {
      const { thresholdsPropose } = await import('./propose.ts');
      if (!(await thresholdsPropose(task, options, io, print))) onFailed();
    });

  withThresholds(thresholds.command('history'))
    .description('Show the threshold in the file, and its merged and open changes.')
    .argument('<task>', 'task type')
    .addHelpText('after', examples(`thresholds history code ${repository}`))
    .action(async (task, options) => {
      const { thresholdsHistory } = await import('./history.ts');
      if (!(await thresholdsHistory(task, options, io, print))) onFailed();
    });

  withThresholds(thresholds.command('rollback'))
    .description('Propose the value before the last merged change. A person merges it.')
    .argument('<task>', 'task type')
    .requiredOption('--because <reason>', 'why; the pull request shows it')
    .addHelpText('after', examples(`thresholds rollback code ${repository} --because 'More failures since.'`))
    .action(async (task, options) =>
      (await import('./propose.ts')).thresholdsRollback(task, options, io, print),
    );

  withThresholds(thresholds.command('withdraw'))
    .description('Close the open proposal, and cancel its merge.')
    .argument('<task>', 'task type')
    .requiredOption('--because <reason>', 'why; the log keeps it')
    .addHelpText(
      'after',
      examples(`thresholds withdraw code ${repository} --because 'The tests were wrong.'`),
    )
    .action(async (task, options) => {
      const { thresholdsWithdraw } = await import('./propose.ts');
      if (!(await thresholdsWithdraw(task, options, io, print))) onFailed();
    });
}
