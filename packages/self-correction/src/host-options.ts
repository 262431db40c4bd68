import { hasMethods, isCallable, type Logger, maxIdentifierChars } from '@bonafide/internal';
import * as z from 'zod';

/** A function of the host. */
export const callable = <Value>() => z.custom<Value>(isCallable, 'Expected a function');

/** An object of the host with these methods, kept as it is. */
export const port = <Value>(...methods: readonly string[]) =>
  z.custom<Value>(hasMethods(...methods), `Expected an object with the methods ${methods.join(', ')}`);

export const clockSchema = callable<() => number>().optional();
export const loggerSchema = port<Logger>('debug', 'info', 'warn', 'error').optional();
/** Path of a folder. The operating system refuses NUL. */
export const folderSchema = z
  .string()
  .min(1)
  .refine((path) => !path.includes('\0'), 'Not a path');
export const branchSchema = z.string().regex(/^[\w][\w./-]{0,200}$/u, 'Not the name of a branch');
export const agentOptionsSchema = z.strictObject({
  agentId: z
    .string()
    .min(1)
    .max(maxIdentifierChars)
    .refine((id) => id.isWellFormed() && !id.includes('\0'), 'Not well-formed text')
    .default('default'),
});
export const databaseSchema = port('selectFrom', 'insertInto', 'updateTable', 'deleteFrom');
