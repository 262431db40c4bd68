import { terminalJson } from '@bonafide/internal';
import Table from 'cli-table3';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { type CliIo, type Paint, painter } from './io.ts';

/** Layout of a table column. */
export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Maximum width in characters; longer text is wrapped. @default as wide as the terminal allows */
  readonly width?: number;
}

/** Output functions of a command. */
export interface Printer {
  readonly paint: Paint;
  line(text?: string): void;
  json(value: unknown): void;
  /**
   * Prints a table. On a terminal, wide columns are wrapped so that the lines fit its width. Cells are printed
   * unchanged: sanitize text of peers first.
   */
  table(columns: readonly Column[], rows: readonly (readonly string[])[]): void;
  /** Prints a paragraph, wrapped between words to the terminal's width. */
  paragraph(text: string, indent: number): void;
  /** Prints text after a label. On a terminal, the text is wrapped beside the label. */
  labeled(label: string, text: string): void;
  /** Prints to stderr, so that pipes receive only the result. */
  message(text: string): void;
}

const gap = '  ';
/** Narrowest width that a column is reduced to. */
const narrowest = 8;
/** Width of paragraphs where the output is not a terminal, and the widest on one. */
const paragraphWidth = { pipe: 100, terminal: 120 } as const;

const noBorders = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: gap },
};

/** Wraps text between words; words longer than `width` are split, so that no id is lost. */
const wrap = (text: string, width: number): string => wrapAnsi(text, width, { hard: true, trim: true });

/**
 * Reduces column widths until a row fits into `available` characters. The widest columns shrink first, and none below
 * the narrowest width, so a table of many columns may still be too wide.
 */
export function fitColumns(widths: readonly number[], available: number): readonly number[] {
  const total = () => capped.reduce((sum, width) => sum + width, gap.length * (widths.length - 1));
  let cap = Math.max(...widths);
  let capped = [...widths];
  while (total() > available && cap > narrowest) {
    cap -= 1;
    capped = widths.map((width) => Math.min(width, cap));
  }
  return capped;
}

/** Returns a printer that writes output to `io.stdout` and messages to `io.stderr`. */
export function createPrinter(io: CliIo): Printer {
  const paint = painter(io.stdout, io.env);
  const line = (text = '') => io.stdout.write(`${text}\n`);
  return {
    paint,
    line,
    json: (value) => line(terminalJson(value, 2)),
    table(columns, rows) {
      const natural = columns.map(({ title, width = Number.POSITIVE_INFINITY }, index) =>
        Math.min(width, Math.max(stringWidth(title), ...rows.map((row) => stringWidth(row[index] ?? '')))),
      );
      const widths = fitColumns(natural, io.stdout.columns ?? Number.POSITIVE_INFINITY);
      const wrapped = (cells: readonly string[]) =>
        cells.map((cell, index) => wrap(cell, widths[index] ?? narrowest));
      const table = new Table({
        head: wrapped(columns.map(({ title }) => paint('bold', title))),
        colAligns: columns.map(({ align = 'left' }) => align),
        chars: noBorders,
        style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
      });
      table.push(...rows.map(wrapped));
      for (const text of table.toString().split('\n')) line(text.trimEnd());
    },
    paragraph(text, indent) {
      const { pipe, terminal } = paragraphWidth;
      const width = Math.min(io.stdout.columns ?? pipe, terminal) - indent;
      for (const one of wrap(text, Math.max(narrowest, width)).split('\n'))
        line(`${' '.repeat(indent)}${one}`);
    },
    labeled(label, text) {
      const indent = stringWidth(label);
      const width = (io.stdout.columns ?? Number.POSITIVE_INFINITY) - indent;
      const lines = Number.isFinite(width) ? wrap(text, Math.max(narrowest, width)).split('\n') : [text];
      for (const [index, one] of lines.entries())
        line(`${index === 0 ? label : ' '.repeat(indent)}${one}`.trimEnd());
    },
    message: (text) => io.stderr.write(`${text}\n`),
  };
}
