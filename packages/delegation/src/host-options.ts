import { hasMethods, isCallable, type Logger, maxIdentifierChars, parseOrThrow } from '@bonafide/internal';
import * as z from 'zod';
import { DelegationError } from './errors.ts';
import type { Timers } from './timers.ts';

/** A function of the host. */
export const callable = <Value>() => z.custom<Value>(isCallable, 'Expected a function');

/** An object of the host with these methods, kept as it is. */
export const port = <Value>(...methods: readonly string[]) =>
  z.custom<Value>(hasMethods(...methods), `Expected an object with the methods ${methods.join(', ')}`);

export const clockSchema = callable<() => number>().optional();
export const randomSchema = callable<() => number>().optional();
export const timersSchema = port<Timers>('after').optional();
export const loggerSchema = port<Logger>('debug', 'info', 'warn', 'error').optional();
export const agentIdSchema = z
  .string()
  .min(1)
  .max(maxIdentifierChars)
  .refine((id) => id.isWellFormed() && !id.includes('\0'), 'Not well-formed text')
  .default('default');
export const databaseSchema = port('selectFrom', 'insertInto', 'updateTable', 'transaction');

/** Validates what a factory gets. @throws DelegationError `INVALID_CONFIG` */
export const parseConfig = <Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  what: string,
): z.output<Schema> =>
  parseOrThrow(
    schema,
    given,
    what,
    (message, options) => new DelegationError('INVALID_CONFIG', message, options),
  );
