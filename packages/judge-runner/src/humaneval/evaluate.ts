import { compareAnswer } from '../compare.ts';
import type { Value } from '../value.ts';
import type { Expression } from './syntax.ts';
import { UnsupportedPython } from './tokens.ts';

/** Finds the value of a name, or throws {@link UnsupportedPython}. */
export type Scope = (name: string, line: number) => Value;

/** The most parts that an expression may produce. */
const maxItems = 100_000;
/** The longest int that a power may produce, in bits. */
const maxBits = 10_000;

type Numeric = bigint | number;

const isList = (value: Value): value is Extract<Value, { readonly items: readonly Value[] }> =>
  typeof value === 'object' && value !== null && 'items' in value;
const asNumber = (value: Value): Numeric | null =>
  typeof value === 'boolean'
    ? BigInt(value)
    : typeof value === 'bigint' || typeof value === 'number'
      ? value
      : null;

const floorDivide = (left: bigint, right: bigint): bigint => {
  const quotient = left / right;
  return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient;
};

/** `float(int)`, refused where it would round. */
function toFloat(value: Numeric, line: number): number {
  const number = Number(value);
  if (typeof value === 'bigint' && !Number.isSafeInteger(number))
    throw new UnsupportedPython('an int too large for a float', line);
  return number;
}

function arithmetic(operator: string, left: Numeric, right: Numeric, line: number): Value {
  const refuse = () => new UnsupportedPython(`'${operator}' between these numbers`, line);
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    switch (operator) {
      case '+':
        return left + right;
      case '-':
        return left - right;
      case '*':
        return left * right;
      case '&':
        return left & right;
      case '|':
        return left | right;
      case '^':
        return left ^ right;
      case '<<':
        if (right < 0n || right > BigInt(maxBits)) throw refuse();
        return left << right;
      case '>>':
        if (right < 0n) throw refuse();
        return left >> right;
      case '//':
        if (right === 0n) throw refuse();
        return floorDivide(left, right);
      case '%':
        if (right === 0n) throw refuse();
        return left - floorDivide(left, right) * right;
      case '**':
        if (right < 0n || right * BigInt(left.toString(2).length) > BigInt(maxBits)) throw refuse();
        return left ** right;
    }
  }
  const [a, b] = [toFloat(left, line), toFloat(right, line)];
  if (operator === '+') return a + b;
  if (operator === '-') return a - b;
  if (operator === '*') return a * b;
  if (operator === '/' && b !== 0) return a / b;
  // Remainders and powers of floats may differ in their last digit between languages.
  throw refuse();
}

function repeat(value: Value, count: bigint, line: number): Value {
  const times = count < 0n ? 0 : Number(count);
  const size = typeof value === 'string' ? value.length : isList(value) ? value.items.length : 0;
  if (times * Math.max(size, 1) > maxItems) throw new UnsupportedPython('so long a repetition', line);
  if (typeof value === 'string') return value.repeat(times);
  if (isList(value) && (value.type === 'list' || value.type === 'tuple'))
    return { type: value.type, items: Array.from({ length: times }, () => value.items).flat() };
  throw new UnsupportedPython("'*' of these values", line);
}

function binary(operator: string, left: Value, right: Value, line: number): Value {
  const [a, b] = [asNumber(left), asNumber(right)];
  if (a !== null && b !== null) {
    const bothBool = typeof left === 'boolean' && typeof right === 'boolean';
    if (bothBool && '&|^'.includes(operator)) throw new UnsupportedPython(`'${operator}' of bools`, line);
    return arithmetic(operator, a, b, line);
  }
  if (operator === '*' && typeof b === 'bigint') return repeat(left, b, line);
  if (operator === '*' && typeof a === 'bigint') return repeat(right, a, line);
  if (operator === '+') {
    if (typeof left === 'string' && typeof right === 'string') return left + right;
    if (
      isList(left) &&
      isList(right) &&
      left.type === right.type &&
      (left.type === 'list' || left.type === 'tuple')
    )
      return { type: left.type, items: [...left.items, ...right.items] };
  }
  throw new UnsupportedPython(`'${operator}' of these values`, line);
}

function compare(operator: string, left: Value, right: Value, line: number): boolean {
  if (operator === '==') return compareAnswer(left, right) === null;
  if (operator === '!=') return compareAnswer(left, right) !== null;
  const [a, b] = [asNumber(left), asNumber(right)];
  if (a !== null && b !== null) {
    if (operator === '<') return a < b;
    if (operator === '<=') return a <= b;
    if (operator === '>') return a > b;
    if (operator === '>=') return a >= b;
  }
  throw new UnsupportedPython(`'${operator}' between these values`, line);
}

/** Negative when `left` sorts first. Only what sorts alike in both languages. */
function order(left: Value, right: Value, line: number): number {
  const ascii = /^[\0-\x7f]*$/;
  if (typeof left === 'string' && typeof right === 'string' && ascii.test(left) && ascii.test(right))
    return left < right ? -1 : left > right ? 1 : 0;
  return compare('<', left, right, line) ? -1 : compare('>', left, right, line) ? 1 : 0;
}

function truth(value: Value, line: number): boolean {
  if (typeof value === 'boolean') return value;
  if (compareAnswer(value, true, { match: 'truth' }) === null) return true;
  if (compareAnswer(value, false, { match: 'truth' }) === null) return false;
  throw new UnsupportedPython('a condition on this value', line);
}

/** Evaluates an expression without calls to the function under test, as Python would, or refuses. */
export function evaluate(expression: Expression, scope: Scope): Value {
  const { line } = expression;
  switch (expression.kind) {
    case 'none':
      return null;
    case 'bool':
    case 'int':
    case 'float':
    case 'string':
      return expression.value;
    case 'bytes':
      return { type: 'bytes', hex: Buffer.from(expression.value, 'latin1').toString('hex') };
    case 'name':
      return scope(expression.name, line);
    case 'list':
    case 'tuple':
    case 'set':
      return { type: expression.kind, items: expression.items.map((item) => evaluate(item, scope)) };
    case 'dict':
      return {
        type: 'dict',
        entries: expression.entries.map(
          ([key, value]) => [evaluate(key, scope), evaluate(value, scope)] as const,
        ),
      };
    case 'unary':
      return unary(expression.operator, evaluate(expression.operand, scope), line);
    case 'binary':
      return binary(
        expression.operator,
        evaluate(expression.left, scope),
        evaluate(expression.right, scope),
        line,
      );
    case 'compare': {
      let left = evaluate(expression.first, scope);
      for (const [operator, part] of expression.rest) {
        const right = evaluate(part, scope);
        if (!compare(operator, left, right, line)) return false;
        left = right;
      }
      return true;
    }
    case 'logical': {
      let last: Value = null;
      for (const part of expression.parts) {
        last = evaluate(part, scope);
        if (truth(last, line) === (expression.operator === 'or')) return last;
      }
      return last;
    }
    case 'comprehension':
      if (expression.type === 'generator') throw new UnsupportedPython('a generator', line);
      return { type: expression.type, items: iterate(expression, scope) };
    case 'call':
      return call(expression, scope);
    case 'attribute':
      throw new UnsupportedPython(`'.${expression.name}'`, line);
    case 'unsupported':
      throw new UnsupportedPython(expression.construct, line);
  }
}

function unary(operator: string, value: Value, line: number): Value {
  if (operator === 'not') return !truth(value, line);
  const number = asNumber(value);
  if (number === null) throw new UnsupportedPython(`'${operator}' of this value`, line);
  if (operator === '+') return number;
  if (operator === '-') return -number;
  if (typeof number === 'bigint') return ~number;
  throw new UnsupportedPython("'~' of a float", line);
}

/** A scope in which a loop's names have the values of one round. */
export function bind(targets: readonly string[], value: Value, outer: Scope, line: number): Scope {
  const [only] = targets;
  const bound = new Map<string, Value>();
  if (targets.length === 1 && only !== undefined) bound.set(only, value);
  else {
    if (
      !isList(value) ||
      (value.type !== 'list' && value.type !== 'tuple') ||
      value.items.length !== targets.length
    )
      throw new UnsupportedPython('unpacking this value', line);
    for (const [index, name] of targets.entries()) bound.set(name, value.items[index] ?? null);
  }
  return (name, at) => bound.get(name) ?? (bound.has(name) ? null : outer(name, at));
}

/** The elements that a loop over this expression sees, in order. */
export function iterate(expression: Expression, scope: Scope): Value[] {
  const { line } = expression;
  if (expression.kind === 'comprehension') {
    if (expression.type === 'set') throw new UnsupportedPython('a loop over a set', line);
    return iterateComprehension(expression, scope);
  }
  if (expression.kind === 'call' && expression.target.kind === 'name' && expression.target.name === 'range')
    return range(
      expression.args.map((arg) => evaluate(arg, scope)),
      line,
    );
  const value = evaluate(expression, scope);
  if (typeof value === 'string') return [...value];
  if (isList(value) && (value.type === 'list' || value.type === 'tuple')) return [...value.items];
  throw new UnsupportedPython('a loop over this value', line);
}

function iterateComprehension(
  expression: Extract<Expression, { readonly kind: 'comprehension' }>,
  scope: Scope,
): Value[] {
  const { element, targets, iterable, conditions, line } = expression;
  return iterate(iterable, scope).flatMap((item) => {
    const inner = bind(targets, item, scope, line);
    const kept = conditions.every((condition) => truth(evaluate(condition, inner), line));
    return kept ? [evaluate(element, inner)] : [];
  });
}

function range(args: readonly Value[], line: number): Value[] {
  const numbers = args.map((arg) => {
    const number = asNumber(arg);
    if (typeof number !== 'bigint') throw new UnsupportedPython('range() of this value', line);
    return number;
  });
  const [start, end, step] =
    numbers.length === 1
      ? [0n, numbers[0] ?? 0n, 1n]
      : [numbers[0] ?? 0n, numbers[1] ?? 0n, numbers[2] ?? 1n];
  if (numbers.length === 0 || numbers.length > 3 || step === 0n)
    throw new UnsupportedPython('this range()', line);
  const items: bigint[] = [];
  for (let item = start; step > 0n ? item < end : item > end; item += step) {
    items.push(item);
    if (items.length > maxItems) throw new UnsupportedPython('so long a range()', line);
  }
  return items;
}

function call(expression: Extract<Expression, { readonly kind: 'call' }>, scope: Scope): Value {
  const { target, args, line } = expression;
  if (target.kind === 'attribute') {
    const owner = target.object.kind === 'name' ? target.object.name : '…';
    throw new UnsupportedPython(`${owner}.${target.name}()`, line);
  }
  if (target.kind !== 'name') throw new UnsupportedPython('a call of this expression', line);
  const { name } = target;
  const refuse = () => new UnsupportedPython(`${name}()`, line);
  const [only] = args;
  if (args.length !== 1 || !only) throw refuse();
  switch (name) {
    case 'list':
    case 'tuple':
    case 'set':
    case 'frozenset':
      return { type: name, items: iterate(only, scope) };
    case 'sorted':
      return { type: 'list', items: iterate(only, scope).sort((left, right) => order(left, right, line)) };
    case 'len': {
      return BigInt(iterate(only, scope).length);
    }
    case 'sum':
      return iterate(only, scope).reduce((total, item) => {
        // Newer Pythons add floats with compensation.
        if (typeof asNumber(item) !== 'bigint') throw refuse();
        return binary('+', total, item, line);
      }, 0n);
    case 'abs': {
      const number = asNumber(evaluate(only, scope));
      if (number === null) throw refuse();
      return number < 0 ? -number : number;
    }
    case 'min':
    case 'max': {
      const items = iterate(only, scope).sort((left, right) => order(left, right, line));
      const found = name === 'min' ? items[0] : items.at(-1);
      if (found === undefined) throw refuse();
      return found;
    }
    case 'float': {
      const value = evaluate(only, scope);
      if (value === 'inf') return Number.POSITIVE_INFINITY;
      if (value === '-inf') return Number.NEGATIVE_INFINITY;
      const number = asNumber(value);
      if (number === null) throw refuse();
      return toFloat(number, line);
    }
    default:
      throw refuse();
  }
}
