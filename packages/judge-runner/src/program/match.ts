import { isDeepStrictEqual } from 'node:util';
import { createContext, Script } from 'node:vm';
import { ProtocolError, parseAnswer } from '../answers.ts';
import type { OutputMatch, Tolerance } from '../suite.ts';

/** Longest evaluation of a pattern, in ms: the text comes from the artifact. */
const patternMs = 250;

const withoutTrailing = (text: string): string[] =>
  text
    .replace(/\r\n/g, '\n')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd()
    .split('\n');

function near(left: number, right: number, tolerance: number | Tolerance | undefined): boolean {
  if (left === right) return true;
  if (tolerance === undefined || !Number.isFinite(left) || !Number.isFinite(right)) return false;
  const { absolute = 0, relative = 0 } = typeof tolerance === 'number' ? { absolute: tolerance } : tolerance;
  const distance = Math.abs(left - right);
  return distance <= absolute || distance <= relative * Math.max(Math.abs(left), Math.abs(right));
}

const isNumber = (token: string): boolean => /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(token);

function sameTokens(answer: string, expected: string, tolerance: number | Tolerance | undefined): boolean {
  const [left, right] = [answer, expected].map((text) => text.split(/\s+/).filter((token) => token !== ''));
  if (left === undefined || right === undefined || left.length !== right.length) return false;
  return left.every((token, index) => {
    const wanted = right[index] ?? '';
    if (token === wanted) return true;
    return isNumber(token) && isNumber(wanted) && near(Number(token), Number(wanted), tolerance);
  });
}

function sameJson(answer: unknown, expected: unknown, tolerance: number | Tolerance | undefined): boolean {
  if (typeof answer === 'number' && typeof expected === 'number') return near(answer, expected, tolerance);
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

/** True when a pattern of the suite's matches the whole text. A pattern that takes too long does not match. */
function matchesPattern(answer: string, pattern: string): boolean {
  const context = createContext({ text: answer, source: `^(?:${pattern})$` });
  try {
    return (
      new Script('new RegExp(source, "su").test(text)').runInContext(context, { timeout: patternMs }) === true
    );
  } catch {
    return false;
  }
}

/**
 * Compares what a program printed with what was expected. Pure but for an operator's own function.
 * - `exact`: the same text;
 * - `lines` (default): the same lines; spaces at their ends and line ends at the end do not count;
 * - `tokens`: the same words, numbers within `tolerance`;
 * - `json`: the same JSON value, numbers within `tolerance`;
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
    return sameJson(parseAnswer(answer), JSON.parse(expected), tolerance);
  } catch (error) {
    if (error instanceof ProtocolError) return false;
    throw error;
  }
}
