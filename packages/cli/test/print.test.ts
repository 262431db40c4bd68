import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { createPrinter } from '../src/print.ts';
import { fitColumns, layOutTable } from '../src/table-layout.ts';

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

  const routes = [
    { title: 'Platform', width: 20 },
    { title: 'Trust', align: 'right' },
    { title: 'Price', align: 'right', yields: 1 },
    { title: 'Latency', align: 'right', yields: 2 },
    { title: 'Why', atLeast: 30 },
  ] as const;
  const natural = [12, 5, 9, 7, 44];

  it('hide columns that yield before they wrap, in their order (CLI-1)', () => {
    const shownAt = (width: number) => layOutTable(routes, natural, width).shown;
    expect(shownAt(85)).toEqual([0, 1, 2, 3, 4]);
    expect(layOutTable(routes, natural, 85)).toMatchObject({ widths: [12, 5, 9, 7, 44], hidden: [] });
    expect(layOutTable(routes, natural, 72)).toMatchObject({ widths: [12, 5, 9, 7, 31], hidden: [] });
    expect(layOutTable(routes, natural, 65)).toMatchObject({ shown: [0, 1, 3, 4], hidden: [2], below: null });
    expect(layOutTable(routes, natural, 55)).toMatchObject({ shown: [0, 1, 4], hidden: [2, 3], below: null });
  });

  it('print prose below its row where there is no room beside it, and show hidden columns again (CLI-1)', () => {
    expect(layOutTable(routes, natural, 45)).toMatchObject({ shown: [0, 1, 2, 3], hidden: [], below: 4 });
    expect(layOutTable(routes, natural, 30)).toMatchObject({ shown: [0, 1, 3], hidden: [2], below: 4 });
    const { lines, print } = terminal(45);
    print.table(routes, [
      ['Bob', '0.9', '1000 msat', '242 ms', 'It delivered what was asked, on time, three times.'],
      ['Carol', '0.1', '900 msat', '90 ms', ''],
    ]);
    expect(lines.map(stripVTControlCharacters)).toEqual([
      'Platform  Trust      Price  Latency',
      'Bob         0.9  1000 msat   242 ms',
      '  It delivered what was asked, on time, three',
      '  times.',
      'Carol       0.1   900 msat    90 ms',
    ]);
  });

  it('name what they hide (CLI-1)', () => {
    const { lines, print } = terminal(26);
    print.table(routes, [['Bob', '0.9', '1000 msat', '242 ms', 'On time.']]);
    expect(lines.map(stripVTControlCharacters)).toEqual([
      'Platform  Trust  Why',
      'Bob         0.9  On time.',
      'Hidden at this width: Price, Latency.',
    ]);
  });

  it('fit any width that has room for what never yields (CLI-1)', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            natural: fc.integer({ min: 1, max: 90 }),
            yields: fc.option(fc.nat(9), { nil: undefined }),
          }),
          {
            minLength: 1,
            maxLength: 8,
          },
        ),
        fc.option(fc.nat(7), { nil: undefined }),
        fc.integer({ min: 90, max: 250 }),
        (given, prose, available) => {
          const columns = given.map(({ yields }, index) => ({
            title: `${index}`,
            ...(yields === undefined ? {} : { yields }),
            ...(index === prose ? { atLeast: 30 } : {}),
          }));
          const { shown, widths, below, hidden } = layOutTable(
            columns,
            given.map((each) => each.natural),
            available,
          );
          const total = widths.reduce((sum, width) => sum + width, 2 * (shown.length - 1));
          expect(total).toBeLessThanOrEqual(available);
          expect([...shown, ...hidden, ...(below === null ? [] : [below])].sort()).toEqual(
            columns.map((_, index) => index).sort(),
          );
          for (const index of hidden) expect(columns[index]).toHaveProperty('yields');
        },
      ),
    );
  });

  it('are not wrapped for a pipe', () => {
    const { lines, print } = terminal();
    const long = 'a long rationale '.repeat(20).trim();
    print.table([{ title: 'Peer' }, { title: 'Why', width: 50, atLeast: 30 }], [['bob', long]]);
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
