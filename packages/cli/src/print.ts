import { terminalJson } from '@bonafide/internal';
import Table from 'cli-table3';
import { type CliIo, type Paint, painter, widthOf } from './io.ts';

/** How a column is set. */
export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Characters after which its text goes on in the next line. @default never */
  readonly width?: number;
}

/** What a command prints with. */
export interface Printer {
  readonly paint: Paint;
  line(text?: string): void;
  json(value: unknown): void;
  /** Cells are printed as they are: neutralise first what somebody else wrote. */
  table(columns: readonly Column[], rows: readonly (readonly string[])[]): void;
  /** A paragraph, wrapped between words to the terminal's width. */
  paragraph(text: string, indent: number): void;
  /** To stderr: for the person, not for a pipe. */
  message(text: string): void;
}

const noBorders = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '  ' },
};

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** A printer on `io`: output to stdout, messages to stderr. */
export function createPrinter(io: CliIo): Printer {
  const paint = painter(io.stdout, io.env);
  const line = (text = '') => io.stdout.write(`${text}\n`);
  return {
    paint,
    line,
    json: (value) => line(terminalJson(value, 2)),
    table(columns, rows) {
      const table = new Table({
        head: columns.map(({ title }) => paint('bold', title)),
        colAligns: columns.map(({ align = 'left' }) => align),
        colWidths: columns.map(({ width = null }) => width),
        wordWrap: true,
        chars: noBorders,
        style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
      });
      table.push(...rows.map((row) => [...row]));
      for (const text of table.toString().split('\n')) line(text.trimEnd());
    },
    paragraph(text, indent) {
      const width = Math.max(40, Math.min(io.stdout.columns ?? 100, 120) - indent);
      for (const one of wrap(text, width)) line(`${' '.repeat(indent)}${one}`);
    },
    message: (text) => io.stderr.write(`${text}\n`),
  };
}
