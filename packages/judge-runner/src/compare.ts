import type { Match, Tolerance } from './suite.ts';
import { type Compound, describeValue, type Value } from './value.ts';

/** Rule by which an answer is compared with the expected value. */
export interface CompareRule {
  readonly match?: Match;
  readonly tolerance?: number | Tolerance;
  readonly order?: 'exact' | 'any';
}

function isCompound(value: Value): value is Compound {
  return typeof value === 'object' && value !== null;
}

function isNumeric(value: Value): value is boolean | bigint | number {
  return typeof value === 'boolean' || typeof value === 'bigint' || typeof value === 'number';
}

function numberKey(value: boolean | bigint | number): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'bigint') return value.toString(16);
  return Number.isInteger(value) ? BigInt(value).toString(16) : `f${value}`;
}

/**
 * A text that two values share exactly when Python's `==` holds between them (NaN equals NaN, an opaque
 * value equals nothing, itself included, and has the key null). With `same`, types count too.
 */
function keyOf(value: Value, same: boolean): string | null {
  if (value === null) return 'N';
  if (typeof value === 'string') return `s${value.length}:${value}`;
  if (isNumeric(value)) {
    const type = same ? typeof value : '';
    const negativeZero = same && Object.is(value, -0) ? '-' : '';
    return `n${type}${negativeZero}${numberKey(value)}`;
  }
  switch (value.type) {
    case 'bytes':
      return `b${value.hex}`;
    case 'complex':
      return value.imaginary === 0 && !same
        ? keyOf(value.real, same)
        : `c${numberKey(value.real)},${numberKey(value.imaginary)}`;
    case 'list':
    case 'tuple': {
      const keys = value.items.map((item) => keyOf(item, same));
      return keys.includes(null) ? null : `${value.type[0]}(${keys.join('|')})`;
    }
    case 'set':
    case 'frozenset': {
      const keys = new Set(value.items.map((item) => keyOf(item, same)));
      return keys.has(null) ? null : `${same ? value.type : 'set'}{${[...keys].sort().join('|')}}`;
    }
    case 'dict': {
      const entries = new Map<string, string>();
      for (const [key, item] of value.entries) {
        const left = keyOf(key, same);
        const right = keyOf(item, same);
        if (left === null || right === null) return null;
        entries.set(left, right);
      }
      return `d{${[...entries]
        .map(([left, right]) => `${left}=${right}`)
        .sort()
        .join('|')}}`;
    }
    case 'opaque':
      return null;
  }
}

/**
 * Returns Python's `bool(value)`, or null for an opaque value, whose truth cannot be known outside its
 * process.
 */
export function truthOf(value: Value): boolean | null {
  if (!isCompound(value)) return typeof value === 'number' ? value !== 0 : Boolean(value);
  switch (value.type) {
    case 'bytes':
      return value.hex !== '';
    case 'complex':
      return value.real !== 0 || value.imaginary !== 0;
    case 'dict':
      return value.entries.length > 0;
    case 'opaque':
      return null;
    default:
      return value.items.length > 0;
  }
}

function within(
  answer: boolean | bigint | number,
  expected: boolean | bigint | number,
  tolerance: Tolerance,
) {
  if (keyOf(answer, false) === keyOf(expected, false)) return true;
  const left = Number(answer);
  const right = Number(expected);
  if (!Number.isFinite(left) || !Number.isFinite(right)) return false;
  // Whole numbers beyond 2^53 are exact only as such.
  const isWhole = typeof answer === 'bigint' && typeof expected === 'bigint';
  const distance = Math.abs(isWhole ? Number(answer - expected) : left - right);
  const relative = (tolerance.relative ?? 0) * Math.max(Math.abs(left), Math.abs(right));
  return distance <= (tolerance.absolute ?? 0) || distance <= relative;
}

/** Structural comparison with a tolerance on every number; containers must have the same shape. */
function close(answer: Value, expected: Value, tolerance: Tolerance, same: boolean): boolean {
  if (isNumeric(answer) && isNumeric(expected)) {
    return (!same || typeof answer === typeof expected) && within(answer, expected, tolerance);
  }
  if (isCompound(answer) && isCompound(expected)) {
    if (answer.type === 'complex' && expected.type === 'complex')
      return (
        within(answer.real, expected.real, tolerance) &&
        within(answer.imaginary, expected.imaginary, tolerance)
      );
    if (
      (answer.type === 'list' && expected.type === 'list') ||
      (answer.type === 'tuple' && expected.type === 'tuple')
    )
      return (
        answer.items.length === expected.items.length &&
        expected.items.every((item, index) => close(answer.items[index] ?? null, item, tolerance, same))
      );
    if (answer.type === 'dict' && expected.type === 'dict') {
      const answers = new Map(answer.entries.map(([key, item]) => [keyOf(key, same), item] as const));
      const wanted = new Map(expected.entries.map(([key, item]) => [keyOf(key, same), item] as const));
      if (answers.has(null) || answers.size !== wanted.size) return false;
      for (const [key, item] of wanted) {
        const found = answers.get(key);
        if (found === undefined || !close(found, item, tolerance, same)) return false;
      }
      return true;
    }
  }
  // Sets have no positions to pair numbers by, so they are compared exactly.
  const key = keyOf(answer, same);
  return key !== null && key === keyOf(expected, same);
}

function withoutOrder(value: Value, same: boolean): string | null {
  if (!isCompound(value) || (value.type !== 'list' && value.type !== 'tuple')) return keyOf(value, same);
  const keys = value.items.map((item) => keyOf(item, same));
  return keys.includes(null) ? null : `${value.type}(${keys.sort().join('|')})`;
}

/**
 * Null when `answer` meets `expected` under `rule`, else the reason in one line. Pure, and the only place
 * where an answer becomes right or wrong: nothing that came with the answer has a say.
 */
export function compareAnswer(answer: Value, expected: Value, rule: CompareRule = {}): string | null {
  const match = rule.match ?? 'equal';
  if (match === 'truth') {
    const truth = truthOf(answer);
    if (truth !== null && truth === truthOf(expected)) return null;
    return `expected something ${truthOf(expected) === true ? 'true' : 'false'}, got ${describeValue(answer)}`;
  }
  const same = match === 'same';
  const met =
    rule.tolerance !== undefined
      ? close(
          answer,
          expected,
          typeof rule.tolerance === 'number' ? { absolute: rule.tolerance } : rule.tolerance,
          same,
        )
      : meets(answer, expected, rule.order === 'any' ? withoutOrder : keyOf, same);
  return met ? null : `expected ${describeValue(expected)}, got ${describeValue(answer)}`;
}

function meets(
  answer: Value,
  expected: Value,
  key: (value: Value, same: boolean) => string | null,
  same: boolean,
): boolean {
  const left = key(answer, same);
  return left !== null && left === key(expected, same);
}
