import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { createPrinter, fitColumns } from '../src/print.ts';

/** Collects what a printer writes to a terminal of a given width, or to a pipe. */
function terminal(columns?: number) {
  const lines: string[] = [];
  const stdout = {
    write: (text: string) => lines.push(...text.replace(/\n$/u, '').split('\n')),
    ...(columns === undefined ? {} : { columns, isTTY: true }),
  };
  return { lines, print: createPrinter({ stdout, stderr: { write() {} }, env: {} }) };
}

const cell = fc.array(
  fc.constantFrom(
    'delivered',
    'on',
    'time',
    'npub1d079yr5czvwe0s7x6fauy5vazr5vrx9',
    '日本語',
    '🙂',
    '+2',
    '',
  ),
  { maxLength: 12 },
);

describe('tables', () => {
  it('fit the width of the terminal and lose no text (CLI-1)', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 60, max: 200 }),
        fc.array(fc.array(cell, { minLength: 6, maxLength: 6 }), { minLength: 1, maxLength: 5 }),
        (count, width, content) => {
          const { lines, print } = terminal(width);
          const titles = Array.from({ length: count }, (_, index) => ({ title: `column ${index}` }));
          const rows = content.map((row) => row.slice(0, count).map((words) => words.join(' ')));
          print.table(titles, rows);
          for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
          // Wrapping splits words and interleaves columns, so the characters are compared without their order.
          const characters = (texts: readonly string[]) =>
            [...texts.join('').replace(/\s/gu, '')].sort().join('');
          const printed = lines.map((line) => stripVTControlCharacters(line));
          expect(characters(printed)).toBe(characters([...titles.map(({ title }) => title), ...rows.flat()]));
        },
      ),
    );
  });

  it('are not wrapped for a pipe', () => {
    const { lines, print } = terminal();
    const long = 'a long rationale '.repeat(20).trim();
    print.table([{ title: 'Peer' }, { title: 'Why' }], [['bob', long]]);
    expect(lines).toEqual(['Peer  Why', `bob   ${long}`]);
  });

  it('shrink their widest columns first', () => {
    expect(fitColumns([4, 50, 90], 104)).toEqual([4, 48, 48]);
    expect(fitColumns([4, 10, 90], 60)).toEqual([4, 10, 42]);
    expect(fitColumns([4, 10, 20], 60)).toEqual([4, 10, 20]);
  });

  it('keep the narrowest width where the terminal is too small', () => {
    expect(fitColumns([30, 30], 4)).toEqual([8, 8]);
  });
});

it('text after a label is wrapped beside it, on a terminal only', () => {
  const narrow = terminal(30);
  narrow.print.labeled('1.8 s  try  ', 'farmer  SUCCESS  5/5 tests');
  expect(narrow.lines).toEqual(['1.8 s  try  farmer  SUCCESS', '            5/5 tests']);
  const pipe = terminal();
  pipe.print.labeled('1.8 s  try  ', 'farmer  SUCCESS  5/5 tests');
  expect(pipe.lines).toEqual(['1.8 s  try  farmer  SUCCESS  5/5 tests']);
});

it('paragraphs are wrapped to the terminal, with their indentation', () => {
  const { lines, print } = terminal(40);
  print.paragraph('He delivered on time, and the work passed every hidden test.', 4);
  expect(lines).toEqual(['    He delivered on time, and the work', '    passed every hidden test.']);
});
