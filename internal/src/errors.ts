const marker = Symbol.for('bonafide.error');

/**
 * Codes that mean the same in every package. Packages add their own codes beside them.
 *
 * - `CLOSED`: the object was closed; create a new one.
 * - `NOT_STARTED`: `start()` was not called.
 * - `ABORTED`: the caller's `AbortSignal` aborted.
 * - `TIMEOUT`: no answer arrived within the time limit.
 * - `INVALID_INPUT`: an argument is missing, has the wrong type or is out of range; nothing was changed.
 * - `INVALID_CONFIG`: an option of a `create…` function is missing, has the wrong type or is out of range.
 * - `STORE_FAILED`: the store rejected or lost a read or a write; `cause` has its error.
 * - `NOT_MIGRATED`: the database lacks tables or columns of this version; call the package's `migrate…` function first.
 * - `RUNTIME_TOO_OLD`: Node, or the browser, lacks what the package needs; the message names the oldest Node that has it.
 */
export type SharedErrorCode =
  | 'CLOSED'
  | 'NOT_STARTED'
  | 'ABORTED'
  | 'TIMEOUT'
  | 'INVALID_INPUT'
  | 'INVALID_CONFIG'
  | 'STORE_FAILED'
  | 'NOT_MIGRATED'
  | 'RUNTIME_TOO_OLD';

/** Base class of every error that a Bonafide package throws on purpose. `code` is stable; `message` may change. */
export class BonafideError<Code extends string = string> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    Object.defineProperty(this, marker, { value: true });
  }
}

/**
 * Returns true for an error of any Bonafide package, and with `code` only for that code. Works across copies of a
 * package, where `instanceof` fails.
 */
export function isBonafideError<Code extends string = string>(
  error: unknown,
  code?: Code,
): error is BonafideError<Code> {
  if (!(error instanceof Error) || !(marker in error)) return false;
  return code === undefined || (error as Error & { readonly code?: unknown }).code === code;
}
