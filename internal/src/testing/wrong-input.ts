import { inspect } from 'node:util';
import { isBonafideError } from '../errors.ts';

/** A call with each of several wrong values: its name, the values, and the call. */
export type WrongCall = readonly [
  name: string,
  values: readonly unknown[],
  // biome-ignore lint/suspicious/noExplicitAny: the values are wrong on purpose.
  call: (given: any) => unknown,
];

/** Values that a caller without types passes where a text is meant. The last one cannot be converted to a text. */
export const noTexts: readonly unknown[] = [
  ...[null, 5, Number.NaN, 10n, true, {}, [], ['x'], Symbol('x')],
  Object.create(null),
];

/** Values that a caller without types passes where a whole number above 0 is meant. */
export const noCounts: readonly unknown[] = [
  ...[null, '5', 10n, true, {}, []],
  ...[Number.NaN, Number.POSITIVE_INFINITY, -1, 0.5],
];

/** Values that a caller without types passes where a boolean is meant. */
export const noBooleans: readonly unknown[] = [null, 0, 1, '', 'false', {}, []];

/** Values that a caller without types passes where a function or an object with methods is meant. */
export const noObjects: readonly unknown[] = [null, 5, Number.NaN, 10n, true, '', 'x', Symbol('x')];

/**
 * Returns wrong values in place of a record, which may have fields of its host: values that are no object, the record with
 * each field in turn that cannot be read, and with each wrong value of each field.
 */
export function spoilRecord(
  valid: object,
  fields: Readonly<Record<string, readonly unknown[]>>,
): readonly unknown[] {
  return [
    ...noObjects,
    ...Object.keys(fields).map((name) => unreadable(valid, name)),
    ...Object.entries(fields).flatMap(([name, values]) =>
      values.map((value) => ({ ...valid, [name]: value })),
    ),
  ];
}

/** Returns wrong values in place of an options object: those of {@link spoilRecord}, and names that do not exist. */
export function spoil(
  valid: object,
  fields: Readonly<Record<string, readonly unknown[]>> = {},
): readonly unknown[] {
  return [
    ...spoilRecord(valid, fields),
    { ...valid, misspelt: 1 },
    { ...valid, constructor: 'x' },
    unreadable(valid, 'misspelt'),
  ];
}

function unreadable(valid: object, name: string): object {
  return Object.defineProperty({ ...valid }, name, {
    enumerable: true,
    get() {
      throw new Error('this property throws');
    },
  });
}

/** Long enough for the slowest machine: only a call that never ends reaches it. */
const hangLimitMs = 60_000;

/** Makes each call with each of its values, and returns those that do not end with a Bonafide error of one of the codes. */
export async function unrefused(calls: readonly WrongCall[], ...codes: readonly string[]): Promise<string[]> {
  const accepted: string[] = [];
  for (const [name, values, call] of calls) {
    for (const value of values) {
      const ended = await endOf(async () => call(value));
      const isRefused = codes.some((code) => isBonafideError(ended, code)) && (ended as Error).message !== '';
      if (!isRefused) accepted.push(`${name}: ${brief(value)} → ${brief(ended)}`);
      // The others would hang as long.
      if (ended === hangs) break;
    }
  }
  return accepted;
}

const hangs = 'HANGS';

/** Returns what the call answers or throws, and {@link hangs} for one that never ends. */
async function endOf(call: () => Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, hangLimitMs, hangs);
  });
  try {
    return await Promise.race([call().catch((error: unknown) => error), limit]);
  } finally {
    clearTimeout(timer);
  }
}

function brief(value: unknown): string {
  const text = value instanceof Error ? String(value) : inspect(value, { depth: 2, breakLength: Infinity });
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
