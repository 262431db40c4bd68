import { parseOrThrow } from '@bonafide/internal';
import type * as z from 'zod';
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
