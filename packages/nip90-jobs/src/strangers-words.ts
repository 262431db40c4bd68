import { truncate } from '@bonafide/internal';

/** What a stranger said in place of a result, for an error message: one line of text, at most 500 bytes. */
export function strangersWords(text: string): string {
  const oneLine = text
    .slice(0, 2_000)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  return truncate(oneLine, 500);
}
