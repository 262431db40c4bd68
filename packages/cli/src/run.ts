import { isBonafideError, sanitizeRemoteText, terminalJson } from '@bonafide/internal';
import { CommanderError } from 'commander';
import { withCommandLog } from './command-log.ts';
import { exitCodes } from './errors.ts';
import { type CliIo, painter, processIo } from './io.ts';
import { buildProgram } from './program.ts';
import { withProgress } from './progress.ts';

/** Returns the message of an error with its remedy, which most messages contain already. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const { remedy } = (error ?? {}) as { readonly remedy?: unknown };
  return typeof remedy !== 'string' || message.includes(remedy) ? message : `${message}\nRemedy: ${remedy}`;
}

function report(error: unknown, json: boolean, io: CliIo): void {
  const message = messageOf(error);
  const code = isBonafideError(error) ? error.code : 'UNEXPECTED';
  if (json) {
    io.stderr.write(`${terminalJson({ error: { code, message } })}\n`);
    return;
  }
  const paint = painter(io.stderr, io.env);
  // Messages may contain text of peers.
  const lines = message.split('\n').map((line) => sanitizeRemoteText(line, 2_000));
  io.stderr.write(`${paint('red', 'bonafide:')} ${lines.join('\n')} ${paint('dim', `(${code})`)}\n`);
}

/**
 * Runs a command line, without the program's name, and returns the exit code: 0 success, 1 failed or found a problem,
 * 2 wrong usage. Never throws and never ends the process. Writes output to `io.stdout`, messages to `io.stderr`.
 *
 * @example
 * process.exitCode = await runCli(['ledger', 'list', '--json']);
 */
export async function runCli(argv: readonly string[], io: CliIo = processIo()): Promise<number> {
  let exitCode: number = exitCodes.ok;
  const watched = withProgress(io);
  const program = buildProgram(watched, (code) => {
    exitCode = code;
  });
  try {
    await withCommandLog(watched, argv.includes('--json'), () =>
      program.parseAsync([...argv], { from: 'user' }),
    );
    return exitCode;
  } catch (error) {
    watched.progress.stop();
    // Commander has printed the message; its code is 0 for --help and --version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    report(error, argv.includes('--json'), io);
    return isBonafideError(error, 'USAGE') || isBonafideError(error, 'INVALID_CURSOR')
      ? exitCodes.usage
      : exitCodes.failed;
  } finally {
    watched.progress.stop();
  }
}
