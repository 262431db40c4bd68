import * as z from 'zod';
import { parseInput } from '../errors.ts';

/** A number in a source text, by UTF-16 offsets. */
export interface LiteralRange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Everything in a source text that gives a threshold its value. */
export interface Definitions {
  /** Definitions with a plain number. */
  readonly literals: readonly LiteralRange[];
  /** Definitions with another value: computed, imported, destructured or overridden by a spread. */
  readonly others: number;
  /** Later assignments. */
  readonly reassignments: number;
}

/** Finds a threshold in a parsed source, and compares two sources. */
export interface LanguageSupport {
  readonly comment: '#' | '//';
  /** Finds the definitions of `names.constant`, or of `names.task` in a table of thresholds. Null for a syntax error. */
  find(source: string, names: ThresholdNames): Definitions | null;
  /** Number of syntax elements in which two sources differ, without comments and positions; null for a syntax error. */
  differences(before: string, after: string): number | null;
}

/** Names under which a threshold may be defined. */
export interface ThresholdNames {
  /** `TRUST_THRESHOLD_<TASK>` */
  readonly constant: string;
  readonly task: string;
}

/** Names of tables whose keys are tasks. */
const tables = /^TRUST_THRESHOLDS?$/u;

const taskName = z.string();

/** Returns the name of a task's constant: upper case, every other character replaced by `_`. @throws SelfCorrectionError `INVALID_INPUT` */
export function constantName(task: string): string {
  return `TRUST_THRESHOLD_${parseInput(taskName, 'task', task)
    .toUpperCase()
    .replace(/[^A-Z0-9]/gu, '_')}`;
}

/** Returns true when two names of a task mean one constant, and so one threshold. */
export const isSameTask = (one: string, other: string): boolean => constantName(one) === constantName(other);

/** Returns true when a key of a table means the threshold. `table` is the name of the table, or null. */
export function isThresholdKey(key: string, table: string | null, names: ThresholdNames): boolean {
  if (key === names.constant) return true;
  return table !== null && tables.test(table) && constantName(key) === names.constant;
}

/** Returns true for a plain decimal number, with digits grouped by `_` or not. */
export function isDecimal(text: string): boolean {
  return (
    /^(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?$/u.test(text) &&
    !/^0[\d_]*[1-9]/u.test(text.split('.')[0] ?? '')
  );
}

/** Parses a plain decimal number. */
export const decimalValue = (text: string): number => Number(text.replaceAll('_', ''));
