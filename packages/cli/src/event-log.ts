import { type CliIo, processIo } from './io.ts';
import { createPrinter } from './print.ts';
import { paintStatusWords } from './status-words.ts';

/** Prints one event: its kind, the peer it is about (or an empty string), and the details in columns. */
export type LogEvent<Verb extends string> = (verb: Verb, who: string, ...columns: string[]) => void;

/**
 * Creates a log of events for people: one line each on stderr, with the seconds since the start, wrapped to the
 * terminal's width. Sanitize text of peers first.
 */
export function createEventLog<Verb extends string>(
  io: CliIo = processIo(),
  clock: () => number = () => performance.now(),
): LogEvent<Verb> {
  const { paint, labeled } = createPrinter({ ...io, stdout: io.stderr });
  const startedAt = clock();
  return (verb, who, ...columns) => {
    const seconds = `${((clock() - startedAt) / 1_000).toFixed(1).padStart(5)} s`;
    const about = who === '' ? '' : `${who.padEnd(10)} `;
    const text = columns.map((column) => paintStatusWords(column, paint)).join('  ');
    labeled(`${paint('dim', seconds)}  ${paint('cyan', verb.padEnd(8))} ${about}`, text);
  };
}
