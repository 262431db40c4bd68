import {
  createAsyncContext,
  type Logger,
  sanitizeRemoteText,
  silentLogger,
  terminalJson,
} from '@bonafide/internal';
import { type CliIo, painter } from './io.ts';

/** The log of the command that runs: databases are opened deep within commands, several of which may run in one process. */
const current = createAsyncContext<Logger>();

/** Returns the log of the command that runs; a silent one outside of commands. */
export const commandLog = (): Logger => current.get() ?? silentLogger;

/** Runs a command with a log that prints warnings and errors to stderr: a line of text each, or of JSON. */
export function withCommandLog<T>({ stderr, env }: CliIo, json: boolean, work: () => T): T {
  const paint = painter(stderr, env);
  const print =
    (level: 'warning' | 'error') =>
    (details: object, message = '') => {
      const text = json
        ? terminalJson({ [level]: { message, ...details } })
        : `${paint('yellow', `${level}:`)} ${sanitizeRemoteText(message, 500)}`;
      stderr.write(`${text}\n`);
    };
  const log: Logger = { ...silentLogger, warn: print('warning'), error: print('error') };
  return current.run(log, work);
}
