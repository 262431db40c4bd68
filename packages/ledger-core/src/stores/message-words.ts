/** Returns the words of a text in lower case: runs of letters, digits and marks. */
const messageWords = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

/** Returns a test whether a text contains every word. Words without a letter or digit match nothing. */
export function containsWords(words: readonly string[]): (text: string) => boolean {
  const wanted = words.flatMap(messageWords);
  return (text) => {
    const present = new Set(messageWords(text));
    return wanted.length > 0 && wanted.every((word) => present.has(word));
  };
}
