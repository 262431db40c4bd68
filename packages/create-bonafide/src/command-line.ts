import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { isBonafideError } from '@bonafide/internal';
import { type CreatedProject, createProject } from './create-project.ts';

/** Output and environment of the command. */
export interface CommandIo {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Version of Node, such as `v24.1.0`. */
  readonly version: string;
}

const help = `Creates an agent that finds platforms, gives them trials, hires the good ones, and remembers.

Usage: npm create bonafide@latest [folder] [-- --relay <url>]

  folder         folder to create (default: my-agent)
  --relay <url>  relay that the agent uses, may be given several times (default: three public relays)
  --help         print this

Exit codes: 0 success, 1 the folder cannot be written or Node is too old, 2 the command line is wrong

Examples:
  npm create bonafide@latest
  npm create bonafide@latest shopper -- --relay ws://127.0.0.1:7447
`;

/**
 * Creates the project that a command line asks for and prints the next steps. Returns the exit code, with one sentence on stderr unless
 * it is 0: 2 when the command line is wrong, 1 for any other error.
 */
export function runCommand(argv: readonly string[], io: CommandIo): number {
  try {
    const { values, positionals } = parseArgs({
      // npm removes the `--` before options, other package managers pass it on.
      args: argv.filter((argument) => argument !== '--'),
      allowPositionals: true,
      options: { relay: { type: 'string', multiple: true }, help: { type: 'boolean', short: 'h' } },
    });
    if (values.help) {
      io.stdout.write(help);
      return 0;
    }
    if (!runsTypeScript(io.version))
      return fail(io, `The agent needs Node 22.18, 23.6 or newer, and this is ${io.version}.`);
    const [folder = 'my-agent', ...others] = positionals;
    if (others.length > 0) return fail(io, `Give one folder: '${others[0]}' is one too many.`, wrongUsage);
    io.stdout.write(nextSteps(createProject({ folder, relays: values.relay }), io.env));
    return 0;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code?.startsWith('ERR_PARSE_ARGS')) return fail(io, `${message.split('. ')[0]}.`, wrongUsage);
    if (isBonafideError(error, 'INVALID_INPUT')) return fail(io, message, wrongUsage);
    if (isBonafideError(error)) return fail(io, message);
    throw error;
  }
}

/** Returns true for a version of Node that runs TypeScript without a flag. */
function runsTypeScript(version: string): boolean {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
  return major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18);
}

/** Exit code for a wrong command line. */
const wrongUsage = 2;

function fail(io: CommandIo, sentence: string, code = 1): number {
  io.stderr.write(`create-bonafide: ${sentence} (see --help)\n`);
  return code;
}

/** Returns the name of the package manager that started this process: npm, pnpm, yarn or bun. */
function packageManager(env: CommandIo['env']): string {
  const [name = ''] = (env.npm_config_user_agent ?? '').split('/');
  return ['pnpm', 'yarn', 'bun'].includes(name) ? name : 'npm';
}

function nextSteps({ folder, npub }: CreatedProject, env: CommandIo['env']): string {
  const manager = packageManager(env);
  const way = relative('', folder);
  const steps = [
    ...(way === '' ? [] : [[`cd ${/^[\w./-]+$/.test(way) ? way : `'${way}'`}`, '']]),
    [`${manager} install`, ''],
    [`${manager} run start`, 'finds platforms and gives them trials'],
    [`${manager} run hire`, 'hires the best of them for the job in job.json'],
    [`${manager} run report`, 'shows what the agent remembers'],
  ];
  const lines = steps.map(([command = '', what]) => `  ${command.padEnd(18)} ${what}`.trimEnd());
  return `Created an agent in ${folder}\nIts key is in agent.key, for you alone: ${npub}\n\nNext:\n\n${lines.join('\n')}\n`;
}
