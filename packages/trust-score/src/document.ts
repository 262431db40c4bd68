import { TrustScoreError } from './errors.ts';

/** Limits on a document from outside. */
export interface DocumentLimits {
  /** Deepest nesting of objects and arrays. @default 32 */
  readonly maxDepth?: number;
  /** Number of values, containers included. @default 200_000 */
  readonly maxValues?: number;
  /** Sum of the lengths of all texts and member names, in UTF-16 code units. @default 16 MiB */
  readonly maxText?: number;
}

const refuse = (message: string, cause?: unknown) =>
  new TrustScoreError('INVALID_INPUT', message, cause === undefined ? undefined : { cause });

/** Member names that reach an object's prototype. */
const prototypeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Copies a document from outside into plain objects and arrays, within limits. Members named by symbols
 * and members that are `undefined` are left out. Getters never run, and the copy cannot change between validation and use.
 *
 * @throws `INVALID_INPUT` for a cycle, too deep nesting, too many values, an accessor, a member
 *   name such as `__proto__`, an instance of a class, a function, a bigint, `undefined` in an array, or a number
 *   that JSON cannot hold.
 */
export function copyDocument(document: unknown, limits: DocumentLimits = {}): unknown {
  const { maxDepth = 32, maxValues = 200_000, maxText = 16 * 2 ** 20 } = limits;
  let values = 0;
  let text = 0;
  const countText = (length: number) => {
    text += length;
    if (text > maxText) throw refuse(`The document has more than ${maxText} characters.`);
  };
  const copy = (value: unknown, depth: number): unknown => {
    values += 1;
    if (values > maxValues) throw refuse(`The document has more than ${maxValues} values.`);
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'string') {
      countText(value.length);
      return value;
    }
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) throw refuse(`${value} is not a JSON number.`);
      return value;
    }
    if (typeof value !== 'object') throw refuse(`A ${typeof value} is not JSON.`);
    if (depth >= maxDepth) throw refuse(`The document is nested more than ${maxDepth} levels deep.`);
    return Array.isArray(value) ? copyArray(value, depth) : copyObject(value, depth);
  };
  const member = (owner: object, name: string): unknown => {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);
    if (descriptor === undefined || !('value' in descriptor)) {
      throw refuse(`The member ${JSON.stringify(name.slice(0, 100))} is missing or an accessor.`);
    }
    return descriptor.value;
  };
  const copyArray = (list: readonly unknown[], depth: number): unknown => {
    if (list.length > maxValues) throw refuse(`The document has more than ${maxValues} values.`);
    if (Reflect.ownKeys(list).length !== list.length + 1) {
      throw refuse('An array has gaps, or members beside its items.');
    }
    return Array.from({ length: list.length }, (_, index) => copy(member(list, String(index)), depth + 1));
  };
  const copyObject = (record: object, depth: number): unknown => {
    const prototype: unknown = Object.getPrototypeOf(record);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      throw refuse('The document holds an object that is not plain.');
    }
    const copied: Record<string, unknown> = {};
    for (const name of Reflect.ownKeys(record)) {
      // Not JSON: nostr-tools marks verified events with a symbol.
      if (typeof name === 'symbol') continue;
      if (prototypeNames.has(name)) throw refuse(`The member name ${name} is refused.`);
      countText(name.length);
      const value = member(record, name);
      // JSON leaves out such members, and has nothing that could stand for them in an array.
      if (value !== undefined) copied[name] = copy(value, depth + 1);
    }
    return copied;
  };
  try {
    return copy(document, 0);
  } catch (error) {
    // A proxy may throw anything from its traps.
    throw error instanceof TrustScoreError ? error : refuse('The document cannot be read.', error);
  }
}

/** Parses JSON text within limits. Throws `INVALID_INPUT` as {@link copyDocument}, and for text that is not JSON. */
export function parseDocument(json: string, limits: DocumentLimits = {}): unknown {
  const { maxText = 16 * 2 ** 20 } = limits;
  if (json.length > maxText) throw refuse(`The document has more than ${maxText} characters.`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (cause) {
    throw refuse('The text is not JSON.', cause);
  }
  return copyDocument(parsed, limits);
}
