const ascii = /^[\0-\x7f]*$/;
const separators = /[^a-z0-9]+/g;

/** Longer text is cut before folding, characters. */
const maxFoldedChars = 2_000;

/**
 * Folds text for matching: compatibility forms, case and diacritics are removed, and everything except letters and
 * digits becomes a single space. `Résumé_Writer`, `resume-writer` and `RESUME WRITER` fold to the same text.
 */
export function foldText(text: string): string {
  const cut = text.length > maxFoldedChars ? text.slice(0, maxFoldedChars) : text;
  // Most texts are ASCII, for which case and separators are all.
  if (ascii.test(cut)) return cut.toLowerCase().replace(separators, ' ').trim();
  return (
    cut
      .normalize('NFKD')
      // One character may become eighteen.
      .slice(0, maxFoldedChars)
      .replace(/\p{M}+/gu, '')
      // Upper case first, so that ß folds to ss.
      .toUpperCase()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  );
}

/** Folds text after splitting camelCase words: `SummarizeMe` becomes `summarize me`. */
export const foldCamelCase = (text: string): string =>
  foldText(hasCamelCase(text) ? text.slice(0, maxFoldedChars).replace(camelCase, '$1 $2') : text);

const asciiCamelCase = /[a-z0-9][A-Z][a-z]/;
const camelCase = /([\p{Ll}\p{N}])(\p{Lu}\p{Ll})/gu;
/** Returns true if {@link foldCamelCase} and {@link foldText} may differ. */
export const hasCamelCase = (text: string): boolean =>
  ascii.test(text) ? asciiCamelCase.test(text) : text.search(camelCase) >= 0;

/** Returns a word without its plural ending, and with the American spelling of `-ise`. */
export function stemWord(word: string): string {
  if (word.length < 5) return word;
  const american =
    word.length > 6 && word.includes('is')
      ? word.replace(/is(e|ed|er|es|ers|ing|ation|ations)$/u, 'iz$1')
      : word;
  if (!american.endsWith('s')) return american;
  if (american.endsWith('ies')) return `${american.slice(0, -3)}y`;
  return american.endsWith('ss') || american.endsWith('us') ? american : american.slice(0, -1);
}

/** Returns the stemmed words of folded text. */
export const stemsOf = (folded: string): string[] => (folded === '' ? [] : folded.split(' ').map(stemWord));

/** Returns one key for all spellings of a label: `image-generation`, `Image Generations` and `imagegeneration`. */
export const labelKey = (label: string): string => stemsOf(foldText(label)).join('');
