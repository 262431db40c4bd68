/** A stranger's words for a log or an error: one line, no invisible characters, at most `maxChars`. */
export function oneLine(text: string, maxChars: number): string {
  return text
    .slice(0, maxChars)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
}
