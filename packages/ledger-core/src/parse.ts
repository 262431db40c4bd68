import { parseOrThrow } from '@bonafide/internal';
import * as z from 'zod';
import { LedgerError } from './errors.ts';

/** Returns the parsed value. Throws `INVALID_INPUT` with the name of every invalid field. */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what: string,
): z.output<Schema> {
  return parseOrThrow(
    schema,
    value,
    what,
    (message, cause) => new LedgerError('INVALID_INPUT', message, cause),
  );
}

/** Returns the parsed configuration. Throws `INVALID_CONFIG` with the name of every invalid field. */
export function parseConfig<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what = 'config',
): z.output<Schema> {
  return parseOrThrow(
    schema,
    value,
    what,
    (message, cause) => new LedgerError('INVALID_CONFIG', message, cause),
  );
}

/**
 * Returns a function that validates its arguments before it runs, and runs with the caller's own objects. Absent arguments get the
 * defaults of the function.
 *
 * @param what - The name of the function in messages.
 * @param schemas - The schema of each argument by its name, in the order of the arguments.
 * @param check - Validates one argument: {@link parse}, or {@link parseConfig} for a `create…` function.
 */
export function checked<Arguments extends readonly unknown[], Result>(
  run: (...given: Arguments) => Result,
  what: string,
  schemas: Readonly<Record<string, z.ZodType>>,
  check: (schema: z.ZodType, value: unknown, what: string) => unknown = parse,
): (...given: Arguments) => Result {
  const named = Object.entries(schemas);
  return (...given) => {
    for (const [place, [name, schema]] of named.entries()) check(schema, given[place], `${what}.${name}`);
    return run(...given);
  };
}

/** An iterable, whose items are validated by {@link eachOf} while they are read. */
export const iterable = z.custom<Iterable<unknown>>(
  (given) => typeof given === 'object' && given !== null && Symbol.iterator in given,
  'Expected a list',
);

/** Yields the caller's own items. Throws `INVALID_INPUT` at the first invalid one. */
export function* eachOf<Item>(items: Iterable<Item>, schema: z.ZodType, what: string): Generator<Item> {
  let place = 0;
  for (const item of items) {
    parse(schema, item, `${what}.${place++}`);
    yield item;
  }
}
