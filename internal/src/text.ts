const encoder = new TextEncoder();

/** Returns the length in UTF-8 bytes. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Truncates `text` to at most `maxBytes` UTF-8 bytes and ends it with '…': at the end of a word when one is near, else
 * between graphemes.
 */
export function truncate(text: string, maxBytes: number): string {
  // A UTF-16 unit takes three bytes at most.
  if (text.length * 3 <= maxBytes || byteLength(text) <= maxBytes) return text;
  const limit = maxBytes - byteLength('…');
  if (limit <= 0) return '';
  let kept = '';
  let used = 0;
  // A grapheme takes at least a byte, so only the first `limit` units can matter; long input stays cheap.
  for (const { segment } of graphemes.segment(text.slice(0, limit + 1))) {
    const size = byteLength(segment);
    if (used + size > limit) break;
    kept += segment;
    used += size;
  }
  const lastSpace = kept.lastIndexOf(' ');
  const atWord = lastSpace > kept.length * 0.6 ? kept.slice(0, lastSpace) : kept;
  return `${atWord.trimEnd()}…`;
}

// Control, format, private-use, unassigned and default-ignorable characters (bidirectional overrides, zero-width joiners,
// variation selectors, tags, Hangul fillers) and line separators.
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]+/gu;
const markup = /[`*_~#<>[\]{}|\\]/gu;
// Characters that are neither spaces nor ignorable, but have no ink: the blank Braille pattern.
const inkless = /[\s\u2800]+/gu;

// Sequences that a terminal acts on, by ECMA-48: with parameters, with a text up to its end, and short ones.
const escapeSequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is searched for.
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u009c|\u001b\\)?|\u001b[ -/]*[0-~]/gu;

/** Bounds the work on long input: a UTF-16 unit takes one to three bytes. */
const bounded = (text: string, maxBytes: number): string =>
  (text.length > maxBytes * 4 ? text.slice(0, maxBytes * 4) : text).toWellFormed();

/**
 * Sanitizes remote text for people, as in a log line, an error message, a reason or on a terminal: one line, no escape
 * sequences, no control, format or ignorable characters, at most `maxBytes` UTF-8 bytes. For a prompt, use
 * {@link sanitizePromptText}.
 */
export function sanitizeRemoteText(text: string, maxBytes: number): string {
  const oneLine = bounded(text, maxBytes)
    .replace(escapeSequences, '')
    .replace(invisible, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  return truncate(oneLine, maxBytes);
}

/**
 * Sanitizes remote text for one line of a prompt: as {@link sanitizeRemoteText}, and without markup that opens a
 * heading, a fence, a list, a tag or a role.
 */
export function sanitizePromptText(text: string, maxBytes: number): string {
  const oneLine = bounded(text, maxBytes)
    .normalize('NFC')
    .replace(invisible, ' ')
    .replace(markup, '')
    .replace(/:/gu, '\u2236')
    .replace(/\s+/gu, ' ')
    .replace(/^[\s\-+=]+/u, '')
    .replace(/-{3,}|={3,}/gu, '–')
    .trim();
  return truncate(oneLine, maxBytes);
}

/** Returns JSON in which every character that a terminal could act on is escaped. Nothing is lost. */
export function terminalJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  // JSON.stringify escapes C0, but not DEL, C1 or format characters. The line breaks are its own.
  return text.replace(invisible, (run) =>
    run
      .split('')
      .map((unit) => (unit === '\n' ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`))
      .join(''),
  );
}

/** Returns true for text that shows nothing: only spaces, ignorable and inkless characters. */
export function isBlank(text: string): boolean {
  return text.replace(invisible, '').replace(inkless, '') === '';
}

/**
 * Compares two texts as databases compare their UTF-8 bytes, which is the order of code points. JavaScript's `<` compares
 * UTF-16 units and places characters above U+FFFF before U+E000.
 */
export function compareUtf8(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index += 1) {
    const left = one.charCodeAt(index);
    const right = other.charCodeAt(index);
    if (left !== right) return codePointRank(left) - codePointRank(right);
  }
  return one.length - other.length;
}

/** Places the surrogates, which stand for the highest code points, after all other units. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}

/** Shortens an id for display: its first eight and last four characters around an ellipsis. */
export function shortId(id: string): string {
  return id.length <= 13 ? id : `${id.slice(0, 8)}…${id.slice(-4)}`;
}
