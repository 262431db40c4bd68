import type * as z from 'zod';
import { LedgerError } from './errors.ts';

/** What came in, checked and completed. Throws `INVALID_INPUT`, which names every field at fault. */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what: string,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${[what, ...issue.path].join('.')} ${issue.message}`);
  throw new LedgerError('INVALID_INPUT', `${problems.join('; ')}.`, { cause: parsed.error });
}
