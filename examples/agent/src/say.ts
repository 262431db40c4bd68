import { createPrinter, type Paint, processIo, type Style } from '@bonafide/cli/terminal';

const styles: Readonly<Record<string, Style>> = {
  SUCCESS: 'green',
  PARTIAL: 'yellow',
  FAILURE: 'red',
  ERROR: 'red',
  SECURITY_VIOLATION: 'red',
  ACTIVE: 'green',
  CONDITIONAL: 'yellow',
  REJECTED: 'red',
  BLACKLISTED: 'red',
};

/** Colours the words that a person looks for; on a terminal only, and never with NO_COLOR. */
export const coloured = (text: string, paint: Paint) =>
  text.replace(/\b[A-Z]{5,}(?:_[A-Z]+)*\b/g, (word) => (styles[word] ? paint(styles[word], word) : word));

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
    const text = columns.map((column) => coloured(column, paint)).join('  ');
    message(
      `${paint('dim', seconds)}  ${paint('cyan', verb.padEnd(8))} ${who === '' ? '' : `${who.padEnd(10)} `}${text}`.trimEnd(),
    );
  };
}
