/** Longest word that is compared, in UTF-16 units, so that every word fits into a row of an index. */
const longestWord = 200;

/**
 * Splits a text into words as searches compare them: runs of letters, digits and marks, in lower case and without
 * diacritics. Every other character separates words, also within addresses and numbers.
 */
export function messageWords(text: string): readonly string[] {
  const folded = text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('\u03c2', '\u03c3'); // the final form of sigma
  return (folded.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map((word) => word.slice(0, longestWord));
}

/** Returns a test whether a text contains every word. Words without a letter or digit match nothing. */
export function containsWords(words: readonly string[]): (text: string) => boolean {
  const wanted = words.flatMap(messageWords);
  return (text) => {
    const present = new Set(messageWords(text));
    return wanted.length > 0 && wanted.every((word) => present.has(word));
  };
}
