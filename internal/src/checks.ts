import { hasMethods, isCallable } from './parse.ts';

/**
 * Checks a value and returns what is wrong with it, each with its path; empty for a valid value. For packages without a schema library,
 * because browsers load them.
 */
export type Check = (value: unknown, path: string) => readonly string[];

const check =
  (isValid: (value: unknown) => boolean, expected: string): Check =>
  (value, path) =>
    isValid(value) ? [] : [`${path}: must be ${expected}`];

export const isText = check((value) => typeof value === 'string', 'a text');
export const isFlag = check((value) => typeof value === 'boolean', 'true or false');
export const isFunction = check(isCallable, 'a function');
/** A number of ms, bytes or the like: not NaN, not negative. */
export const isAmount = check((value) => typeof value === 'number' && value >= 0, 'a number of at least 0');
export const isPositive = check((value) => typeof value === 'number' && value > 0, 'a number above 0');
export const isSignal = check((value) => value instanceof AbortSignal, 'an AbortSignal');
export const isLogger = isPort('debug', 'info', 'warn', 'error');

/** An object of the caller with these methods. */
export function isPort(...methods: readonly string[]): Check {
  return check(hasMethods(...methods), `an object with ${methods.join(', ')}`);
}

/** One of these texts. */
export function isOneOf(texts: readonly string[]): Check {
  return check((value) => typeof value === 'string' && texts.includes(value), `one of ${texts.join(', ')}`);
}

/** Either of two values. */
export function isEither(one: Check, other: Check, expected: string): Check {
  return check((value) => one(value, '').length === 0 || other(value, '').length === 0, expected);
}

/** A list of such values. Empty places of a sparse list are values too. */
export function isListOf(item: Check): Check {
  return (value, path) =>
    Array.isArray(value)
      ? Array.from(value).flatMap((each, place) => item(each, `${path}.${place}`))
      : [`${path}: must be a list`];
}

/** A value that may be absent. */
export function optional(present: Check): Check {
  return (value, path) => (value === undefined ? [] : present(value, path));
}

/** An object of the caller that may have other fields. */
export function isRecord(fields: Readonly<Record<string, Check>>): Check {
  const named = Object.entries(fields);
  return (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return [`${path}: must be an object`];
    return named.flatMap(([name, field]) =>
      field((value as Readonly<Record<string, unknown>>)[name], `${path}.${name}`),
    );
  };
}

/** An options object: a name that is not listed is an error, because it is a misspelt one. */
export function isOptions(fields: Readonly<Record<string, Check>>): Check {
  const known = isRecord(fields);
  return (value, path) => {
    const wrong = known(value, path);
    if (typeof value !== 'object' || value === null) return wrong;
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(fields, name));
    return [...wrong, ...unknown.map((name) => `${path}.${name}: is not an option`)];
  };
}

/**
 * Returns the value if it is valid, else throws what `fail` creates. A getter or a proxy of the caller that throws is invalid.
 *
 * @param what - The name of the value in the message, for example `options`.
 */
export function requireValid<Value>(
  value: Value,
  valid: Check,
  what: string,
  fail: (message: string) => Error,
): Value {
  const wrong = problemsOf(value, valid, what);
  if (wrong.length > 0) throw fail(`${wrong.join('; ')}.`);
  return value;
}

function problemsOf(value: unknown, valid: Check, what: string): readonly string[] {
  try {
    return valid(value, what);
  } catch {
    return [`${what}: cannot be read, because a property of it throws`];
  }
}
