import { hasMethods, isCallable, parseOrThrow, withParsedArguments } from '@bonafide/internal';
import * as z from 'zod';
import { DiscoveryError } from './errors.ts';

/** Returns the options of a `create…` function. Throws `INVALID_CONFIG` with the name of every invalid or unknown one. */
export function readConfig<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what = 'options',
): z.output<Schema> {
  return parseOrThrow(
    schema,
    value,
    what,
    (message, cause) => new DiscoveryError('INVALID_CONFIG', message, cause),
  ) as z.output<Schema>;
}

/** Returns an argument. Throws `INVALID_INPUT` with the name of every invalid or unknown field. */
export function readInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what = 'options',
): z.output<Schema> {
  return parseOrThrow(schema, value, what, invalidInput) as z.output<Schema>;
}

/** Returns a function that validates its arguments before it runs. Absent ones get the defaults of the function. */
export const checked = <Arguments extends readonly unknown[], Result>(
  run: (...given: Arguments) => Result,
  what: string,
  schemas: Readonly<Record<string, z.ZodType>>,
) => withParsedArguments(run, what, schemas, invalidInput);

function invalidInput(message: string, cause: { readonly cause: unknown }): DiscoveryError {
  return new DiscoveryError('INVALID_INPUT', message, cause);
}

/** A function of the caller. */
export const callable = z.custom<(...given: never[]) => unknown>(isCallable, 'must be a function');

/** An object of the caller with these methods. */
export const port = (...methods: readonly string[]) =>
  z.custom<object>(hasMethods(...methods), `must have the methods ${methods.join(', ')}`);

export const verifier = port('verify');
export const duration = z.number().min(0);
export const signal = z.custom<AbortSignal>(
  (given) => given instanceof AbortSignal,
  'must be an AbortSignal',
);
/** Options of a method that can be ended. */
export const endable = z.strictObject({ signal: signal.optional() });
/** Policy for relay addresses; the caller's own object, because results are remembered by it. */
export const addresses = z.custom<object>(
  (given) => typeof given === 'object' && given !== null && !Array.isArray(given),
  'must be an object',
);

/** Options of the stores that limit what is kept. */
export const limits = {
  maxRemembered: z.int().min(0).optional(),
  maxHistory: z.int().min(0).optional(),
};
