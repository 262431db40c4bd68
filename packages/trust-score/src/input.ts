import { isBonafideError } from '@bonafide/internal';
import { requireCount, requireRange, requireTime, shown, TrustScoreError } from './errors.ts';

/**
 * Throws unless a value has a certain form. A number is `OUT_OF_RANGE`, anything else `INVALID_INPUT`. Without a schema library, so
 * that a bundle with one function stays small.
 *
 * @param name Name of the value in the message.
 */
export type Check = (name: string, value: unknown) => void;

const refuse = (name: string, expected: string, value: unknown, cause?: unknown) =>
  new TrustScoreError(
    'INVALID_INPUT',
    `${name} must be ${expected}, not ${shown(value)}`,
    cause === undefined ? undefined : { cause },
  );

/** Runs what reads a value of the caller, of which a getter or a proxy may throw. */
export function reading<Result>(name: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (isBonafideError(error)) throw error;
    throw new TrustScoreError('INVALID_INPUT', `${name} cannot be read, because a property of it throws`, {
      cause: error,
    });
  }
}

/** Returns a check by a predicate. */
export const such =
  (expected: string, is: (value: unknown) => boolean): Check =>
  (name, value) => {
    if (!is(value)) throw refuse(name, expected, value);
  };

export const text: Check = such('a text', (value) => typeof value === 'string');
export const flag: Check = such('true or false', (value) => typeof value === 'boolean');
export const callable: Check = such('a function', (value) => typeof value === 'function');
export const list: Check = such('a list', Array.isArray);
export const map: Check = such('a Map', (value) => value instanceof Map);
export const anything: Check = () => {};

export const within =
  (min: number, max?: number): Check =>
  (name, value) =>
    requireRange(name, value as number, min, max);
export const share: Check = within(0, 1);
export const finite: Check = within(-Number.MAX_VALUE);
export const notNegative: Check = within(0);
export const count: Check = (name, value) => requireCount(name, value as number);
export const time: Check = (name, value) => requireTime(name, value as number);

export const oneOf = (...values: readonly unknown[]): Check =>
  such(values.map((value) => JSON.stringify(value)).join(' or '), (value) => values.includes(value));

export const optional =
  (check: Check): Check =>
  (name, value) => {
    if (value !== undefined) check(name, value);
  };

export const nullable =
  (check: Check): Check =>
  (name, value) => {
    if (value !== null && value !== undefined) check(name, value);
  };

export const listOf =
  (item: Check): Check =>
  (name, value) => {
    list(name, value);
    reading(name, () => {
      const items = value as readonly unknown[];
      let place = 0;
      try {
        // Names are composed for the item that is refused: a list may have millions.
        for (; place < items.length; place += 1) item(unnamed, items[place]);
      } catch (error) {
        item(`${name}[${place}]`, items[place]);
        throw error;
      }
    });
  };

/** Name of an item that was not refused yet. */
const unnamed = '';
const member = (name: string, field: string): string => (name === unnamed ? unnamed : `${name}.${field}`);

type Fields = Readonly<Record<string, Check>>;

/** An object with these members, which may have others of its host. */
export const record =
  (fields: Fields): Check =>
  (name, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw refuse(name, 'an object', value);
    reading(name, () => {
      for (const field in fields)
        fields[field]?.(member(name, field), (value as Readonly<Record<string, unknown>>)[field]);
    });
  };

/** An object whose members have one form, by any name. */
export const recordOf =
  (check: Check): Check =>
  (name, value) => {
    record({})(name, value);
    reading(name, () => {
      for (const [key, given] of Object.entries(value as object)) check(member(name, key), given);
    });
  };

/** Options: each may be left out, and no other name is known. */
export const optionsOf = (fields: Fields): Check => {
  const known = record(fields);
  return (name, value) => {
    known(name, value);
    const other = reading(name, () => Reflect.ownKeys(value as object)).find(
      (key) => typeof key === 'symbol' || !Object.hasOwn(fields, key),
    );
    if (other === undefined) return;
    const names = Object.keys(fields).join(', ');
    throw new TrustScoreError('INVALID_INPUT', `${name} has no option ${String(other)}. There are: ${names}`);
  };
};
