const marker = Symbol.for('bonafide.error');

/**
 * Base of every error that a Bonafide package throws on purpose (rule X-4). Switch on `code`, which is
 * stable; `message` says what to do and may change.
 */
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
 * True for an error of any Bonafide package, also when two copies of a package are loaded, which is
 * where `instanceof` fails. With `code`, true only for that code.
 */
export function isBonafideError(error: unknown, code?: string): error is BonafideError {
  if (!(error instanceof Error) || !(marker in error)) return false;
  return code === undefined || (error as Error & { readonly code?: unknown }).code === code;
}
