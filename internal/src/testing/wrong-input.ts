import { inspect } from 'node:util';
import { isBonafideError } from '../errors.ts';

/** A call with each of several wrong values: its name, the values, and the call. */
export type WrongCall = readonly [
  name: string,
  values: readonly unknown[],
  // biome-ignore lint/suspicious/noExplicitAny: the values are wrong on purpose.
  call: (given: any) => unknown,
];

/** Values that a caller without types passes where a text is meant. */
export const noTexts: readonly unknown[] = [null, 5, Number.NaN, 10n, true, {}, [], ['x'], Symbol('x')];

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
 * Returns wrong values in place of a valid object: values that are no object, the object with a name that does not exist and with
 * one that cannot be read, and the object with each wrong value of each field.
 */
export function spoil(
  valid: object,
  fields: Readonly<Record<string, readonly unknown[]>> = {},
): readonly unknown[] {
  const unreadable = Object.defineProperty({ ...valid }, Object.keys(fields)[0] ?? 'limit', {
    enumerable: true,
    get() {
      throw new Error('this property throws');
    },
  });
  return [
    ...noObjects,
    { ...valid, misspelt: 1 },
    { ...valid, constructor: 'x' },
    unreadable,
    ...Object.entries(fields).flatMap(([name, values]) =>
      values.map((value) => ({ ...valid, [name]: value })),
    ),
  ];
}

/** Makes each call with each of its values, and returns those that do not end with a Bonafide error of one of the codes. */
export async function unrefused(calls: readonly WrongCall[], ...codes: readonly string[]): Promise<string[]> {
  const accepted: string[] = [];
  for (const [name, values, call] of calls) {
    for (const value of values) {
      const ended = await Promise.race([
        (async () => call(value))().catch((error: unknown) => error),
        new Promise((resolve) => setTimeout(resolve, 500, 'HANGS').unref()),
      ]);
      const isRefused = codes.some((code) => isBonafideError(ended, code)) && (ended as Error).message !== '';
      if (!isRefused) accepted.push(`${name}: ${brief(value)} → ${brief(ended)}`);
    }
  }
  return accepted;
}

function brief(value: unknown): string {
  const text = value instanceof Error ? String(value) : inspect(value, { depth: 2, breakLength: Infinity });
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
