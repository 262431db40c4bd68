import { hasMethods, isCallable, type Logger, parseOrThrow } from '@bonafide/internal';
import * as z from 'zod';
import { JudgeError } from './errors.ts';
import type { Sandbox } from './sandbox.ts';

/** A function of the host. */
export const callable = <Value>() => z.custom<Value>(isCallable, 'Expected a function');

/** An object of the host with these methods, kept as it is. */
const port = <Value>(...methods: readonly string[]) =>
  z.custom<Value>(hasMethods(...methods), `Expected an object with the methods ${methods.join(', ')}`);

export const clockSchema = callable<() => number>().optional();
export const loggerSchema = port<Logger>('debug', 'info', 'warn', 'error').optional();
export const sandboxSchema = port<Sandbox>('open', 'close').optional();
export const signalSchema = z
  .custom<AbortSignal>((given) => given instanceof AbortSignal, 'Expected an AbortSignal')
  .optional();
/** A path. The operating system refuses NUL. */
export const pathSchema = z
  .string()
  .min(1)
  .refine((path) => !path.includes('\0'), 'Not a path');
export const cgroupsSchema = z.enum(['auto', 'v1', 'v2', 'none']).optional();

/** Validates what a host gives. @throws JudgeError with `code`. */
export const parseGiven = <Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  what: string,
  code: 'INVALID_CONFIG' | 'INVALID_INPUT',
): z.output<Schema> =>
  parseOrThrow(schema, given, what, (message, options) => new JudgeError(code, message, options));
