import { truncate } from '@bonafide/internal';

// Control characters (escape sequences begin with one, in C1 without a visible ESC), format characters such as
// bidirectional overrides, private use, unassigned, and everything that breaks a line.
const unsafe = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+/gu;

/**
 * Text that somebody else wrote, safe to print on a terminal: one line, no escape sequence, nothing that reorders or
 * hides what stands beside it, at most `maxBytes` UTF-8 bytes.
 */
export function terminalText(text: string, maxBytes: number): string {
  const bounded = text.length > maxBytes * 4 ? text.slice(0, maxBytes * 4) : text;
  return truncate(bounded.toWellFormed().replace(unsafe, ' ').replace(/\s+/gu, ' ').trim(), maxBytes);
}

/** A value as JSON in which every character that a terminal could act on is written as an escape. Nothing is lost. */
export function terminalJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  // JSON.stringify escapes C0, but not DEL, C1 or format characters. The line breaks are its own.
  return text.replace(unsafe, (run) =>
    run
      .split('')
      .map((unit) => (unit === '\n' ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`))
      .join(''),
  );
}
