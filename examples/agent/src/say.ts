import { createPrinter, paintStatusWords, processIo } from '@bonafide/cli/terminal';

/** Prints one line per event; `verb` says what kind of event it was and `who` whom it is about. */
export type Say = (
  verb: 'note' | 'meet' | 'try' | 'decide' | 'hire' | 'reflect',
  who: string,
  ...columns: string[]
) => void;

/** Progress goes to stderr, so that stdout holds nothing but the result. */
export function createSay(): Say {
  const io = processIo();
  const { paint, message } = createPrinter({ ...io, stdout: io.stderr });
  const startedAt = performance.now();
  return (verb, who, ...columns) => {
    const seconds = `${((performance.now() - startedAt) / 1000).toFixed(1).padStart(5)} s`;
    const text = columns.map((column) => paintStatusWords(column, paint)).join('  ');
    message(
      `${paint('dim', seconds)}  ${paint('cyan', verb.padEnd(8))} ${who === '' ? '' : `${who.padEnd(10)} `}${text}`.trimEnd(),
    );
  };
}
