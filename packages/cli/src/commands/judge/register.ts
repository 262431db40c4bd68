import type { Command } from 'commander';
import type { CommandContext } from '../../context.ts';
import { examples } from '../../help.ts';
import { caseCount } from '../../options.ts';
import { withBackend, withEnvironments, withTimeout } from './backend.ts';

/** Registers `bonafide judge …`. */
export function registerJudge(program: Command, { io, print, onFailed }: CommandContext): void {
  const judge = program
    .command('judge')
    .description("Run a stranger's code against hidden tests, in a sandbox.")
    .addHelpText('after', examples('judge run solution.py --suite suite.json'));

  const run = judge
    .command('run')
    .argument(
      '<artifacts...>',
      'files, which tests import as solution or by their names, packages, or folders of programs',
    )
    .requiredOption(
      '--suite <suite>',
      'required: a suite in JSON, or a file or folder of pytest or node:test; a judge.json in the folder has further fields, such as {"limits": {"memoryHardBytes": 500000000}}',
    );
  run.option(
    '--reference <path>',
    'a correct program, a file or a folder: settles what the tests alone cannot, such as == of classes',
  );
  withEnvironments(withBackend(withTimeout(run)))
    .description(
      'Judge an artifact and print the verdict, what it cost, and the evidence; of several, print a line for each.',
    )
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
    .option('--verbose', 'also list the layers of protection, with what was measured of each', false)
    .option('--json', 'print one JSON document', false)
    .addHelpText(
      'after',
      examples(
        'judge run solution.py --suite suite.json --quality',
        'judge run solution.py --suite suite.json --fresh 50',
        'judge run ./returned --suite ./tests --json',
        'judge run homework/*.py --suite ./tests --reference solution.py',
        'judge run ./returned --suite ./tests --reference solution.py',
        'judge run solution.py --suite ./tests --timeout-ms 30000',
        'judge run solution.py --suite suite.json --backend container --engine podman',
        'doctor',
      ),
    )
    .action(async (artifacts, options) => {
      const [artifact, ...others] = artifacts;
      const isSuccess =
        others.length === 0
          ? await (await import('./run.ts')).judgeRun(artifact, options, print)
          : await (await import('./run-many.ts')).judgeMany(artifacts, options, { print, io });
      if (!isSuccess) onFailed();
    });

  withEnvironments(withBackend(withTimeout(judge.command('check'))))
    .description('Check a suite before it judges: failing and flaky tests, unsupported constructs, mutants.')
    .argument('<suite>', 'a suite in JSON, or a file or folder of pytest or node:test')
    .option('--reference <path>', 'a correct program: a file or a folder')
    .option('--mutants <count>', 'changed references that are judged', caseCount, 20)
    .option('--out <path>', 'write the suite with only the tests that the reference passes')
    .option('--json', 'print one JSON document', false)
    .addHelpText(
      'after',
      examples(
        'judge check ./tests --reference solution.py',
        'judge check ./tests --reference solution.py --out suite.json',
        'judge check suite.json --json',
      ),
    )
    .action(async (suite, options) => {
      const { judgeCheck } = await import('./check.ts');
      if (!(await judgeCheck(suite, options, { io, print }))) onFailed();
    });

  const env = judge
    .command('env')
    .description('Packages that suites declare.')
    .addHelpText('after', examples('judge env build suite.json'));
  withEnvironments(withBackend(env.command('build')))
    .description(
      'Download the packages that a suite declares, and unpack them in a sandbox. Nothing of them is run.',
    )
    .argument(
      '<suite>',
      'a suite in JSON, or a folder of tests with a judge.json that has `python` or `node`',
    )
    .option('--json', 'print one JSON document', false)
    .addHelpText('after', examples('judge env build suite.json', 'judge env build ./tests --json'))
    .action(async (suite, options) =>
      (await import('./environment.ts')).judgeEnvBuild(suite, options, print),
    );
}
