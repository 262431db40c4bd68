import { isDeepStrictEqual } from 'node:util';
import { createContext, Script } from 'node:vm';
import { ProtocolError, parseAnswer } from '../answers.ts';
import type { OutputMatch, Tolerance } from '../suite.ts';

/** Longest evaluation of a pattern: CPU time, in ms. The text comes from the artifact. */
const patternMs = 250;
/** Longest evaluation in real time, in ms, which counts a busy machine as well. */
const longestPatternMs = 32 * patternMs;

const withoutTrailing = (text: string): string[] =>
  text
    .replace(/\r\n/g, '\n')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd()
    .split('\n');

const decimal = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;
const isNumber = (token: string): boolean => /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,15})?$/i.test(token);
/** Digits up to which whole numbers are subtracted exactly. */
const maxDigits = 1000;

/** A text that two numbers share exactly when they are equal, however many digits they have: as doubles, near ones would be. */
function exactForm(token: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = decimal.exec(token) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  const significant = digits.slice(0, end);
  if (significant === '') return '0';
  const scale = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign === '-' ? '-' : ''}${significant}e${scale}`;
}

/** True when two numbers are equal or within a tolerance. */
function near(left: string, right: string, tolerance: number | Tolerance | undefined): boolean {
  if (exactForm(left) === exactForm(right)) return true;
  if (tolerance === undefined) return false;
  const { absolute = 0, relative = 0 } = typeof tolerance === 'number' ? { absolute: tolerance } : tolerance;
  const [answer, expected] = [Number(left), Number(right)];
  if (!Number.isFinite(answer) || !Number.isFinite(expected)) return false;
  const isWhole = [left, right].every((token) => /^[+-]?\d+$/.test(token) && token.length <= maxDigits);
  const difference = isWhole ? Number(BigInt(left) - BigInt(right)) : answer - expected;
  const distance = Math.abs(difference);
  return distance <= absolute || distance <= relative * Math.max(Math.abs(answer), Math.abs(expected));
}

function sameTokens(answer: string, expected: string, tolerance: number | Tolerance | undefined): boolean {
  const [left, right] = [answer, expected].map((text) => text.split(/\s+/).filter((token) => token !== ''));
  if (left === undefined || right === undefined || left.length !== right.length) return false;
  return left.every((token, index) => {
    const wanted = right[index] ?? '';
    if (token === wanted) return true;
    return isNumber(token) && isNumber(wanted) && near(token, wanted, tolerance);
  });
}

/** A number of a JSON document as it was written. */
class JsonNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** For `JSON.parse`, which passes the text of a primitive value as the third argument. */
function keepNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? new JsonNumber(context?.source ?? String(value)) : value;
}

function sameJson(answer: unknown, expected: unknown, tolerance: number | Tolerance | undefined): boolean {
  if (answer instanceof JsonNumber && expected instanceof JsonNumber)
    return near(answer.text, expected.text, tolerance);
  if (answer instanceof JsonNumber || expected instanceof JsonNumber) return false;
  if (Array.isArray(answer) && Array.isArray(expected))
    return (
      answer.length === expected.length &&
      answer.every((item, index) => sameJson(item, expected[index], tolerance))
    );
  if (typeof answer === 'object' && typeof expected === 'object' && answer !== null && expected !== null) {
    if (Array.isArray(answer) !== Array.isArray(expected)) return false;
    const [left, right] = [new Map(Object.entries(answer)), new Map(Object.entries(expected))];
    return (
      left.size === right.size &&
      [...left].every(([key, value]) => right.has(key) && sameJson(value, right.get(key), tolerance))
    );
  }
  return isDeepStrictEqual(answer, expected);
}

/** CPU time of this thread, in ms; of the process where Node does not know that of a thread. */
function cpuMs(): number {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)();
  return (user + system) / 1000;
}

/** True when a pattern of the suite's matches the whole text. A pattern that takes too long does not match. */
function matchesPattern(answer: string, pattern: string): boolean {
  const context = createContext({ text: answer, source: `^(?:${pattern})$` });
  const script = new Script('new RegExp(source, "su").test(text)');
  for (let timeout = patternMs; timeout <= longestPatternMs; timeout *= 2) {
    const begun = cpuMs();
    try {
      return script.runInContext(context, { timeout }) === true;
    } catch (error) {
      // Real time passes while other programs run: a pattern that had less than its time is tried again.
      const isLate = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
      if (!isLate || cpuMs() - begun >= patternMs) return false;
    }
  }
  return false;
}

/**
 * Compares what a program printed with what was expected. Pure, except for an operator's own function.
 * - `exact`: the same text;
 * - `lines` (default): the same lines; spaces at their ends and line ends at the end do not count;
 * - `tokens`: the same words; numbers are compared by value, exactly or within `tolerance`;
 * - `json`: the same JSON value, numbers likewise;
 * - `pattern`: the expected text is a regular expression for the whole output without its last line end.
 */
export function matchesOutput(
  answer: string,
  expected: string,
  match: OutputMatch = 'lines',
  tolerance?: number | Tolerance,
): boolean {
  if (typeof match === 'function') return match(answer, expected) === true;
  if (match === 'exact') return answer === expected;
  if (match === 'tokens') return sameTokens(answer, expected, tolerance);
  if (match === 'pattern') return matchesPattern(answer.replace(/\r?\n$/, ''), expected);
  if (match === 'lines') return isDeepStrictEqual(withoutTrailing(answer), withoutTrailing(expected));
  try {
    return sameJson(parseAnswer(answer, keepNumber), JSON.parse(expected, keepNumber), tolerance);
  } catch (error) {
    if (error instanceof ProtocolError) return false;
    throw error;
  }
}
