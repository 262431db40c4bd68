/** Space between two columns. */
export const columnGap = '  ';
/** Narrowest width that a column is reduced to. */
export const narrowestColumn = 8;

/** Layout of a table column. */
export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Maximum width on a terminal, in characters; longer text is wrapped. @default as wide as the terminal allows */
  readonly width?: number;
  /** Rank among the columns that are hidden when a terminal is too narrow: 1 first. @default never hidden */
  readonly yields?: number;
  /**
   * Smallest width that a column of prose needs beside the others, in characters. With less, its text is printed below each row. For
   * one column of a table.
   */
  readonly atLeast?: number;
}

/** Places of the columns of a table, by index. */
export interface TableLayout {
  /** Columns side by side. */
  readonly shown: readonly number[];
  /** Widths of the columns in `shown`, in characters. */
  readonly widths: readonly number[];
  /** Column whose text is below each row; null for none. */
  readonly below: number | null;
  readonly hidden: readonly number[];
}

const widthOfRow = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, columnGap.length * Math.max(0, widths.length - 1));

/**
 * Reduces column widths until a row fits into `available` characters. The widest columns shrink first, and none below
 * the narrowest width, so a table of many columns may still be too wide.
 */
export function fitColumns(widths: readonly number[], available: number): readonly number[] {
  let cap = Math.max(...widths);
  let capped = [...widths];
  while (widthOfRow(capped) > available && cap > narrowestColumn) {
    cap -= 1;
    capped = widths.map((width) => Math.min(width, cap));
  }
  return capped;
}

/**
 * Decides which columns of a table fit into `available` characters, given the widths of their texts. Columns that yield are hidden first;
 * then prose goes below the rows, which may bring hidden columns back; then the widest columns are wrapped.
 */
export function layOutTable(
  columns: readonly Column[],
  natural: readonly number[],
  available: number,
): TableLayout {
  const prose = columns.findIndex(({ atLeast }) => atLeast !== undefined);
  const needed = natural.map((width, index) => Math.min(width, columns[index]?.atLeast ?? width));
  const all = columns.map((_, index) => index);
  const hiding = all
    .filter((index) => columns[index]?.yields !== undefined)
    .sort((one, other) => (columns[one]?.yields ?? 0) - (columns[other]?.yields ?? 0));

  const fits = (indices: readonly number[]) =>
    widthOfRow(indices.map((index) => needed[index] ?? 0)) <= available;
  /** Returns what is left of the columns once enough of them are hidden, or all that yield. */
  const withoutHidden = (indices: readonly number[]) => {
    let left = indices;
    for (const index of hiding) {
      if (fits(left)) break;
      left = left.filter((each) => each !== index);
    }
    return left;
  };
  const layout = (shown: readonly number[], below: number | null): TableLayout => ({
    shown,
    widths: fitColumns(
      shown.map((index) => natural[index] ?? 0),
      available,
    ),
    below,
    hidden: all.filter((index) => index !== below && !shown.includes(index)),
  });

  const beside = withoutHidden(all);
  if (prose === -1) return layout(beside, null);
  if (fits(beside)) {
    // Prose alone gives way: the other columns keep the width of their texts.
    const others = widthOfRow(beside.map((index) => (index === prose ? 0 : (natural[index] ?? 0))));
    const widths = beside.map((index) =>
      Math.min(natural[index] ?? 0, index === prose ? available - others : Number.POSITIVE_INFINITY),
    );
    return { ...layout(beside, null), widths };
  }
  return layout(withoutHidden(all.filter((index) => index !== prose)), prose);
}
