/** A piece of Python source. `line` counts from 1. */
export type Token =
  | { readonly kind: 'name' | 'operator' | 'unsupported'; readonly text: string; readonly line: number }
  | { readonly kind: 'int'; readonly value: bigint; readonly text: string; readonly line: number }
  | { readonly kind: 'float'; readonly value: number; readonly text: string; readonly line: number }
  | {
      readonly kind: 'string' | 'bytes';
      readonly value: string;
      readonly text: string;
      readonly line: number;
    }
  | { readonly kind: 'newline' | 'indent' | 'dedent' | 'end'; readonly text: ''; readonly line: number };

/** A comment on a separate line. */
export interface Comment {
  readonly line: number;
  readonly text: string;
}

/** Thrown for Python that the loader cannot express exactly; `construct` names what it was. */
export class UnsupportedPython extends Error {
  readonly construct: string;
  readonly line: number;
  constructor(construct: string, line: number) {
    super(`${construct} in line ${line}`);
    this.name = 'UnsupportedPython';
    this.construct = construct;
    this.line = line;
  }
}

const name = /[A-Za-z_]\w*/y;
const float = /(?:\d[\d_]*\.(?:\d[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?|\d[\d_]*[eE][+-]?\d[\d_]*/y;
const int = /0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|\d[\d_]*/y;
const stringStart = /([A-Za-z]{0,2})('''|"""|'|")/y;
const operator = /\*\*|\/\/|<<|>>|<=|>=|==|!=|->|:=|[+\-*/%@&|^~<>()[\]{},:.;=]/y;
const space = /[ \t\f]+|\\\r?\n/y;

const simpleEscapes: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Reads the escapes of a string literal, as Python does: an unknown one stays as it is written. */
function readEscapes(text: string, isBytes: boolean, line: number): string {
  return text.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|([\s\S]))/g,
    (whole, hex?: string, short?: string, long?: string, octal?: string, other?: string) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      if (isBytes && (short !== undefined || long !== undefined)) return whole;
      if (short !== undefined) return String.fromCharCode(Number.parseInt(short, 16));
      if (long !== undefined) return String.fromCodePoint(Number.parseInt(long, 16));
      if (other === 'N' && !isBytes) throw new UnsupportedPython('a \\N{…} escape', line);
      return simpleEscapes[other ?? ''] ?? whole;
    },
  );
}

/**
 * Splits Python source into tokens, with indentation as Python defines it.
 * @throws UnsupportedPython for invalid or unsupported Python.
 */
export function tokenize(source: string): {
  readonly tokens: readonly Token[];
  readonly comments: readonly Comment[];
} {
  const text = source.replace(/\r\n?/g, '\n');
  const tokens: Token[] = [];
  const comments: Comment[] = [];
  const indents = [0];
  let at = 0;
  let line = 1;
  let depth = 0;

  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const advance = (length: number) => {
    for (const character of text.slice(at, at + length)) if (character === '\n') line += 1;
    at += length;
  };

  /** Measures the indentation of a line that has something on it. */
  const indentation = () => {
    const width = (match(/[ \t]*/y)?.[0] ?? '').replace(/\t/g, '        ').length;
    advance(match(/[ \t]*/y)?.[0].length ?? 0);
    if (width > (indents.at(-1) ?? 0)) {
      indents.push(width);
      tokens.push({ kind: 'indent', text: '', line });
    }
    while (width < (indents.at(-1) ?? 0)) {
      indents.pop();
      tokens.push({ kind: 'dedent', text: '', line });
    }
    if (width !== indents.at(-1)) throw new UnsupportedPython('uneven indentation', line);
  };

  const string = (start: RegExpExecArray) => {
    const [whole, prefix = '', quote = ''] = start;
    const flags = prefix.toLowerCase();
    const begun = line;
    let end = at + whole.length;
    while (end < text.length && !text.startsWith(quote, end)) {
      if (quote.length === 1 && text[end] === '\n')
        throw new UnsupportedPython('an unfinished string', begun);
      end += text[end] === '\\' ? 2 : 1;
    }
    if (end >= text.length) throw new UnsupportedPython('an unfinished string', begun);
    const body = text.slice(at + whole.length, end);
    advance(end + quote.length - at);
    if (flags.includes('f')) return tokens.push({ kind: 'unsupported', text: 'an f-string', line: begun });
    const isBytes = flags.includes('b');
    const value = flags.includes('r') ? body : readEscapes(body, isBytes, begun);
    return tokens.push({ kind: isBytes ? 'bytes' : 'string', value, text: '', line: begun });
  };

  let lineStart = true;
  while (at < text.length) {
    if (lineStart) {
      const blank = match(/[ \t\f]*(#[^\n]*)?(?:\n|$)/y);
      if (blank && depth === 0) {
        if (blank[1] !== undefined) comments.push({ line, text: blank[1] });
        if (blank[0] === '') break;
        advance(blank[0].length);
        continue;
      }
      lineStart = false;
      if (depth === 0) indentation();
    }
    const skipped = match(space) ?? match(/#[^\n]*/y);
    if (skipped) {
      advance(skipped[0].length);
      continue;
    }
    if (text[at] === '\n') {
      if (depth === 0) {
        tokens.push({ kind: 'newline', text: '', line });
        lineStart = true;
      }
      advance(1);
      continue;
    }
    const literal = match(stringStart);
    if (literal && /^(?:[rbfu]|rb|br|rf|fr)?$/i.test(literal[1] ?? '')) {
      string(literal);
      continue;
    }
    const number = match(float) ?? match(int);
    if (number) {
      const digits = number[0].replaceAll('_', '');
      if (/^[jJ\w]/.test(text.slice(at + number[0].length, at + number[0].length + 1)))
        throw new UnsupportedPython(`the number ${number[0]}…`, line);
      const isInt = /^(?:0[xob][\da-f]+|\d+)$/i.test(digits);
      tokens.push(
        isInt
          ? { kind: 'int', value: BigInt(digits), text: number[0], line }
          : { kind: 'float', value: Number(digits), text: number[0], line },
      );
      advance(number[0].length);
      continue;
    }
    const word = match(name);
    const symbol = word ? null : match(operator);
    const found = word ?? symbol;
    if (!found) throw new UnsupportedPython(`the character ${JSON.stringify(text[at])}`, line);
    if (symbol && '([{'.includes(symbol[0])) depth += 1;
    if (symbol && ')]}'.includes(symbol[0])) depth -= 1;
    tokens.push({ kind: word ? 'name' : 'operator', text: found[0], line });
    advance(found[0].length);
  }
  if (tokens.length > 0 && tokens.at(-1)?.kind !== 'newline')
    tokens.push({ kind: 'newline', text: '', line });
  for (let level = indents.length; level > 1; level -= 1) tokens.push({ kind: 'dedent', text: '', line });
  tokens.push({ kind: 'end', text: '', line });
  return { tokens, comments };
}
