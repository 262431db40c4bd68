import { hasMethods, isCallable, type Logger, parseOrThrow } from '@bonafide/internal';
import * as z from 'zod';
import { CortexError } from './errors.ts';

/** A function of the host. */
export const callable = <Value>() => z.custom<Value>(isCallable, 'Expected a function');

/** An object of the host with these methods, kept as it is. */
export const port = <Value>(...methods: readonly string[]) =>
  z.custom<Value>(hasMethods(...methods), `Expected an object with the methods ${methods.join(', ')}`);

export const loggerSchema = port<Logger>('debug', 'info', 'warn', 'error').optional();
export const signalSchema = z
  .custom<AbortSignal>((given) => given instanceof AbortSignal, 'Expected an AbortSignal')
  .optional();

/** Validates what a factory gets. @throws CortexError `INVALID_CONFIG` */
export const parseOptions = <Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  what: string,
): z.output<Schema> =>
  parseOrThrow(
    schema,
    given,
    what,
    (message, options) => new CortexError('INVALID_CONFIG', message, options),
  );

/** Validates an argument. @throws CortexError `INVALID_INPUT` */
export const parseInput = <Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  what: string,
): z.output<Schema> =>
  parseOrThrow(schema, given, what, (message, options) => new CortexError('INVALID_INPUT', message, options));
