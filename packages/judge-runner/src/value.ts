import { sanitizeRemoteText, terminalJson } from '@bonafide/internal';
import { JudgeError } from './errors.ts';

/**
 * JSON as a suite writes it. Values without a JSON form are objects with one `$…` key:
 *
 * | Python | JSON |
 * |---|---|
 * | `None`, `True`, `'text'` | `null`, `true`, `"text"` |
 * | int | a whole number up to 2⁵³ − 1, else `{ "$int": "123…" }` (decimal or `0x…`) |
 * | float | a number with a fraction, else `{ "$float": "2.0" }` (also `nan`, `inf`, `-inf`, `-0.0`) |
 * | complex | `{ "$complex": ["1.0", "-2.5"] }` |
 * | bytes | `{ "$bytes": "hex" }` |
 * | list | an array |
 * | tuple, set, frozenset | `{ "$tuple": […] }`, `{ "$set": […] }`, `{ "$frozenset": […] }` |
 * | dict | an object, or `{ "$dict": [[key, value], …] }` when a key is not a text or begins with `$` |
 */
export type TaggedJson =
  | null
  | boolean
  | number
  | string
  | readonly TaggedJson[]
  | { readonly [key: string]: TaggedJson };

/**
 * A plain Python value, exactly: an int is a `bigint`, a float a `number`. `opaque` is anything else that
 * an artifact may return; it equals nothing.
 */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | { readonly type: 'complex'; readonly real: number; readonly imaginary: number }
  | { readonly type: 'bytes'; readonly hex: string }
  | { readonly type: SequenceType; readonly items: readonly Value[] }
  | { readonly type: 'dict'; readonly entries: readonly (readonly [Value, Value])[] }
  | { readonly type: 'opaque'; readonly name: string };

/** A value that has parts or a type name. */
export type Compound = Exclude<Value, null | boolean | bigint | number | string>;

/** The containers that hold items. */
export type SequenceType = 'list' | 'tuple' | 'set' | 'frozenset';

/** Thrown by {@link decodeValue}: the JSON is not a tagged value, or too deep or too large. Its code is `INVALID_INPUT`. */
export class ValueFormatError extends JudgeError {
  constructor(message: string) {
    super('INVALID_INPUT', message);
  }
}

/** The deepest nesting of a value, in either direction. */
export const maxValueDepth = 64;
/** The most parts that one value may have. */
export const maxValueNodes = 1_000_000;

const decimal = /^[+-]?\d+$/;
const hexadecimal = /^(-?)0x([0-9a-f]+)$/i;
const hexBytes = /^(?:[0-9a-f]{2})*$/;
const floatText = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

function readInt(text: unknown): bigint {
  if (typeof text === 'string') {
    const hex = hexadecimal.exec(text);
    if (hex) return hex[1] === '-' ? -BigInt(`0x${hex[2]}`) : BigInt(`0x${hex[2]}`);
    // Decimal conversion is quadratic; longer numbers travel as hexadecimal.
    if (decimal.test(text) && text.length <= 4300) return BigInt(text);
  }
  throw new ValueFormatError('$int takes a decimal text of at most 4300 digits, or hexadecimal');
}

function readFloat(text: unknown): number {
  if (text === 'nan') return Number.NaN;
  if (text === 'inf') return Number.POSITIVE_INFINITY;
  if (text === '-inf') return Number.NEGATIVE_INFINITY;
  if (typeof text === 'string' && text.length <= 400 && floatText.test(text)) return Number(text);
  throw new ValueFormatError("$float takes a decimal text, 'nan', 'inf' or '-inf'");
}

function isSequenceTag(tag: string): tag is `$${'tuple' | 'set' | 'frozenset'}` {
  return tag === '$tuple' || tag === '$set' || tag === '$frozenset';
}

/**
 * Reads tagged JSON into a {@link Value}. Pure; trusts nothing about `json`.
 * @param options.answers - Also read `{ "$opaque": "TypeName" }`, which only answers may contain.
 * @throws ValueFormatError when it is not in the form of {@link TaggedJson}, or deeper or larger than allowed.
 */
export function decodeValue(json: unknown, options?: { readonly answers?: boolean }): Value {
  let nodes = 0;

  const hashable = (value: Value): Value => {
    const kind = typeof value === 'object' && value !== null ? value.type : '';
    if (kind === 'list' || kind === 'dict' || kind === 'set')
      throw new ValueFormatError(`A ${kind} can be neither a key nor an element of a set`);
    if (typeof value === 'object' && value !== null && value.type === 'tuple') value.items.forEach(hashable);
    return value;
  };

  const items = (list: unknown, depth: number): Value[] => {
    if (!Array.isArray(list)) throw new ValueFormatError('A container tag takes a list');
    return list.map((item) => decode(item, depth + 1));
  };

  const tagged = (tag: string, content: unknown, depth: number): Value => {
    if (tag === '$int') return readInt(content);
    if (tag === '$float') return readFloat(content);
    if (isSequenceTag(tag)) {
      const parts = items(content, depth);
      if (tag !== '$tuple') parts.forEach(hashable);
      return { type: tag.slice(1) as SequenceType, items: parts };
    }
    if (tag === '$bytes') {
      if (typeof content !== 'string' || !hexBytes.test(content))
        throw new ValueFormatError('$bytes takes lower-case hexadecimal');
      return { type: 'bytes', hex: content };
    }
    if (tag === '$complex') {
      if (!Array.isArray(content) || content.length !== 2)
        throw new ValueFormatError('$complex takes two float texts');
      return { type: 'complex', real: readFloat(content[0]), imaginary: readFloat(content[1]) };
    }
    if (tag === '$dict') {
      if (!Array.isArray(content)) throw new ValueFormatError('$dict takes a list of pairs');
      return {
        type: 'dict',
        entries: content.map((pair) => {
          if (!Array.isArray(pair) || pair.length !== 2)
            throw new ValueFormatError('$dict takes a list of pairs');
          return [hashable(decode(pair[0], depth + 1)), decode(pair[1], depth + 1)] as const;
        }),
      };
    }
    if (tag === '$opaque' && options?.answers === true && typeof content === 'string')
      return { type: 'opaque', name: content.slice(0, 200) };
    throw new ValueFormatError(`Unknown tag '${tag.slice(0, 50)}'`);
  };

  const decode = (part: unknown, depth: number): Value => {
    nodes += 1;
    if (depth > maxValueDepth) throw new ValueFormatError(`Deeper than ${maxValueDepth} levels`);
    if (nodes > maxValueNodes) throw new ValueFormatError(`More than ${maxValueNodes} parts`);
    if (part === null || typeof part === 'boolean' || typeof part === 'string') return part;
    if (typeof part === 'number') {
      if (Number.isSafeInteger(part)) return BigInt(part);
      if (Number.isFinite(part) && !Number.isInteger(part)) return part;
      throw new ValueFormatError('A whole number beyond 2^53 - 1 is written as $int or $float');
    }
    if (Array.isArray(part)) return { type: 'list', items: items(part, depth) };
    if (typeof part !== 'object') throw new ValueFormatError(`${typeof part} is not JSON`);
    const entries = Object.entries(part);
    const first = entries[0];
    if (entries.length === 1 && first?.[0].startsWith('$')) return tagged(first[0], first[1], depth);
    return {
      type: 'dict',
      entries: entries.map(([key, value]) => {
        if (key.startsWith('$')) throw new ValueFormatError('A key that begins with $ needs $dict');
        return [key, decode(value, depth + 1)] as const;
      }),
    };
  };

  return decode(json, 0);
}

/** A float as Python and JavaScript both read it back exactly. */
function floatToText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (value === Number.POSITIVE_INFINITY) return 'inf';
  if (value === Number.NEGATIVE_INFINITY) return '-inf';
  if (Object.is(value, -0)) return '-0.0';
  return String(value);
}

/**
 * Writes a value as tagged JSON that {@link decodeValue} reads back as the same value.
 * @throws ValueFormatError for an `opaque` value, which nothing can reproduce.
 */
export function encodeValue(value: Value): TaggedJson {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint') {
    const small = Number(value);
    if (Number.isSafeInteger(small)) return small;
    return { $int: value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}` };
  }
  if (typeof value === 'number') return { $float: floatToText(value) };
  switch (value.type) {
    case 'list':
      return value.items.map(encodeValue);
    case 'tuple':
    case 'set':
    case 'frozenset':
      return { [`$${value.type}`]: value.items.map(encodeValue) };
    case 'dict':
      return { $dict: value.entries.map(([key, item]) => [encodeValue(key), encodeValue(item)]) };
    case 'bytes':
      return { $bytes: value.hex };
    case 'complex':
      return { $complex: [floatToText(value.real), floatToText(value.imaginary)] };
    case 'opaque':
      throw new ValueFormatError(`A ${value.name} cannot be written`);
  }
}

/** Yields a value's text in parts, so that a caller can stop early. */
function* spell(value: Value): Generator<string> {
  if (value === null) yield 'None';
  else if (typeof value === 'boolean') yield value ? 'True' : 'False';
  else if (typeof value === 'bigint') {
    // Printing a huge number in decimal is quadratic.
    const digits = value.toString(16).length * Math.log10(16);
    yield digits > 500 ? `<int of about ${Math.round(digits)} digits>` : value.toString();
  } else if (typeof value === 'number') {
    const text = floatToText(value);
    yield /^-?\d+$/.test(text) ? `${text}.0` : text;
  } else if (typeof value === 'string') {
    yield terminalJson(value.length > 10_000 ? `${value.slice(0, 10_000)}…` : value);
  } else {
    yield* spellCompound(value);
  }
}

function* spellList(open: string, items: readonly Value[], close: string): Generator<string> {
  yield open;
  for (const [index, item] of items.entries()) {
    if (index > 0) yield ', ';
    yield* spell(item);
  }
  yield close;
}

function* spellCompound(value: Compound): Generator<string> {
  switch (value.type) {
    case 'list':
      yield* spellList('[', value.items, ']');
      break;
    case 'tuple':
      yield* spellList('(', value.items, value.items.length === 1 ? ',)' : ')');
      break;
    case 'set':
      yield* value.items.length === 0 ? ['set()'] : spellList('{', value.items, '}');
      break;
    case 'frozenset':
      yield* spellList('frozenset({', value.items, '})');
      break;
    case 'dict':
      yield '{';
      for (const [index, [key, item]] of value.entries.entries()) {
        if (index > 0) yield ', ';
        yield* spell(key);
        yield ': ';
        yield* spell(item);
      }
      yield '}';
      break;
    case 'bytes':
      yield `bytes.fromhex('${value.hex.slice(0, 10_000)}')`;
      break;
    case 'complex':
      yield `complex(${floatToText(value.real)}, ${floatToText(value.imaginary)})`;
      break;
    case 'opaque':
      yield `<${sanitizeRemoteText(value.name, 200)}>`;
      break;
  }
}

/** A value in Python notation, for a person, cut to `maxLength` characters. Never used to compare. */
export function describeValue(value: Value, maxLength = 200): string {
  let text = '';
  for (const part of spell(value)) {
    text += part;
    if (text.length > maxLength) return `${text.slice(0, maxLength - 1)}…`;
  }
  return text;
}
