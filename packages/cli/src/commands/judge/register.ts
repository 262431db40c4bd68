import type { Command } from 'commander';
import type { CommandContext } from '../../context.ts';
import { examples } from '../../help.ts';
import { caseCount } from '../../options.ts';
import { withBackend } from './backend.ts';
import { judgeRun } from './run.ts';

/** Registers `bonafide judge …`. */
export function registerJudge(program: Command, { print, onFailed }: CommandContext): void {
  const judge = program
    .command('judge')
    .description("Run a stranger's code against hidden tests, in a sandbox.")
    .addHelpText('after', examples('judge run solution.py --suite suite.json'));

  withBackend(judge.command('run'))
    .description('Judge one artifact and print the verdict, what it cost, and the evidence.')
    .argument('<artifact>', 'a file of Python or JavaScript, or a folder with a solution.py or solution.js')
    .requiredOption('--suite <suite>', 'a suite in JSON, or a file or folder of pytest or node:test')
    .option(
      '--quality',
      'also measure coverage, pylint, bandit and mypy, as far as they are installed',
      false,
    )
    .option(
      '--fresh <count>',
      'cases that each generator of the suite draws, instead of what it says',
      caseCount,
    )
    .option('--seed <seed>', 'draw what a run with this seed drew')
    .option('--json', 'print one JSON document', false)
    .addHelpText(
      'after',
      examples(
        'judge run solution.py --suite suite.json --quality',
        'judge run solution.py --suite suite.json --fresh 50',
        'judge run ./returned --suite ./tests --json',
        'judge run solution.py --suite suite.json --backend container --engine podman',
        'doctor',
      ),
    )
    .action(async (artifact, options) => {
      if (!(await judgeRun(artifact, options, print))) onFailed();
    });
}
