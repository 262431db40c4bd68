import { terminalJson } from '@bonafide/internal';
import Table from 'cli-table3';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { type CliIo, type Paint, painter } from './io.ts';
import { type Column, columnGap, layOutTable, narrowestColumn } from './table-layout.ts';

/** Output functions of a command. */
export interface Printer {
  readonly paint: Paint;
  line(text?: string): void;
  json(value: unknown): void;
  /**
   * Prints a table. On a terminal the lines fit its width: columns that yield are hidden and named below, prose is printed below its
   * row, and wide columns are wrapped. A pipe gets unwrapped lines. Cells are printed unchanged: sanitize text of peers first.
   */
  table(columns: readonly Column[], rows: readonly (readonly string[])[]): void;
  /** Prints a paragraph, wrapped between words to the terminal's width. */
  paragraph(text: string, indent: number): void;
  /** Prints text after a label. On a terminal, the text is wrapped beside the label. */
  labeled(label: string, text: string): void;
  /** Prints to stderr, so that pipes receive only the result. */
  message(text: string): void;
}

/** Width of paragraphs where the output is not a terminal, and the widest on one. */
const paragraphWidth = { pipe: 100, terminal: 120 } as const;

const noBorders = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: columnGap },
};

/** Wraps text between words; words longer than `width` are split, so that no id is lost. */
const wrap = (text: string, width: number): string => wrapAnsi(text, width, { hard: true, trim: true });

/** Returns a printer that writes output to `io.stdout` and messages to `io.stderr`. */
export function createPrinter(io: CliIo): Printer {
  const paint = painter(io.stdout, io.env);
  const line = (text = '') => io.stdout.write(`${text}\n`);
  const printer: Printer = {
    paint,
    line,
    json: (value) => line(terminalJson(value, 2)),
    table(columns, rows) {
      const available = io.stdout.columns ?? Number.POSITIVE_INFINITY;
      const natural = columns.map(({ title, width = Number.POSITIVE_INFINITY }, index) =>
        Math.min(
          Number.isFinite(available) ? width : Number.POSITIVE_INFINITY,
          Math.max(stringWidth(title), ...rows.map((row) => stringWidth(row[index] ?? ''))),
        ),
      );
      const { shown, widths, below, hidden } = layOutTable(columns, natural, available);
      const wrapped = (cells: readonly string[]) =>
        shown.map((index, position) => wrap(cells[index] ?? '', widths[position] ?? narrowestColumn));
      const head = wrapped(columns.map(({ title }) => paint('bold', title)));
      const body = rows.map(wrapped);
      const table = new Table({
        head,
        colAligns: shown.map((index) => columns[index]?.align ?? 'left'),
        chars: noBorders,
        style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
      });
      table.push(...body);
      const lines = table.toString().split('\n');
      for (const [index, cells] of [head, ...body].entries()) {
        const height = Math.max(...cells.map((cell) => cell.split('\n').length));
        for (const text of lines.splice(0, height)) line(text.trimEnd());
        const prose = index === 0 || below === null ? '' : (rows[index - 1]?.[below] ?? '');
        if (prose !== '') printer.paragraph(prose, columnGap.length);
      }
      if (hidden.length > 0)
        line(
          paint('dim', `Hidden at this width: ${hidden.map((index) => columns[index]?.title).join(', ')}.`),
        );
    },
    paragraph(text, indent) {
      const { pipe, terminal } = paragraphWidth;
      const width = Math.min(io.stdout.columns ?? pipe, terminal) - indent;
      for (const one of wrap(text, Math.max(narrowestColumn, width)).split('\n'))
        line(`${' '.repeat(indent)}${one}`);
    },
    labeled(label, text) {
      const indent = stringWidth(label);
      const width = (io.stdout.columns ?? Number.POSITIVE_INFINITY) - indent;
      const lines = Number.isFinite(width)
        ? wrap(text, Math.max(narrowestColumn, width)).split('\n')
        : [text];
      for (const [index, one] of lines.entries())
        line(`${index === 0 ? label : ' '.repeat(indent)}${one}`.trimEnd());
    },
    message: (text) => io.stderr.write(`${text}\n`),
  };
  return printer;
}
