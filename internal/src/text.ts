const encoder = new TextEncoder();

/** Length in UTF-8 bytes. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Cuts `text` to at most `maxBytes` UTF-8 bytes, ending in '…' when something was cut: at a word's end
 * when one is near, else between graphemes, never inside one.
 */
export function truncate(text: string, maxBytes: number): string {
  // A UTF-16 unit takes three bytes at most.
  if (text.length * 3 <= maxBytes || byteLength(text) <= maxBytes) return text;
  const room = maxBytes - byteLength('…');
  if (room <= 0) return '';
  let kept = '';
  let used = 0;
  // A grapheme takes at least a byte, so no more than `room` units of the head can matter; long input stays cheap.
  for (const { segment } of graphemes.segment(text.slice(0, room + 1))) {
    const size = byteLength(segment);
    if (used + size > room) break;
    kept += segment;
    used += size;
  }
  const lastSpace = kept.lastIndexOf(' ');
  const atWord = lastSpace > kept.length * 0.6 ? kept.slice(0, lastSpace) : kept;
  return `${atWord.trimEnd()}…`;
}

// Control and format characters (bidirectional overrides, zero-width joiners, tags) and line breaks.
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]+/gu;
const markup = /[`*_~#<>[\]{}|\\]/gu;

/**
 * Makes text that a stranger wrote safe to put on one line of a prompt or a table (LED-16, CTX-17): one
 * line, no invisible characters, nothing that opens a heading, a fence, a tag or a role, at most `maxBytes`.
 */
export function neutralize(text: string, maxBytes: number): string {
  const bounded = text.length > maxBytes * 4 ? text.slice(0, maxBytes * 4) : text;
  const oneLine = bounded
    .toWellFormed()
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

/** How an id is shown where space is short (rule X-10): first eight, an ellipsis, last four. */
export function shortId(id: string): string {
  return id.length <= 13 ? id : `${id.slice(0, 8)}…${id.slice(-4)}`;
}
