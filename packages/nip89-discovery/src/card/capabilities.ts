/** What a platform says it can do, from the `k` tags and the content of its card (DIS-5, DIS-7). */
export interface CapabilitySet {
  /** Numeric kinds, 0..65535, ascending: `k` tags and content together. */
  readonly kinds: readonly number[];
  /** Labels such as `benchmark-task`, lower case, sorted: `k` tags and content together. */
  readonly labels: readonly string[];
  /** Families such as `compute-*`, lower case, sorted. */
  readonly patterns: readonly string[];
  /** The values of the `k` tags as they were written. */
  readonly raw: readonly string[];
  /** What both the tags and the content say: kinds as decimal text, labels, patterns; sorted. */
  readonly confirmed: readonly string[];
  /** What only one of them says, although both list that sort of thing; sorted. */
  readonly discrepancies: { readonly tagsOnly: readonly string[]; readonly contentOnly: readonly string[] };
}

/** More than these are not read: no honest platform lists them, and an index has to hold them. */
const maxTerms = 256;
const maxLabelChars = 64;
const pattern = /^[\p{L}\p{N}][\p{L}\p{N}._-]*-\*$/u;
const label = /^[\p{L}\p{N}][\p{L}\p{N}._:+/-]*$/u;

/** What one declared value means: `5000`, a label, a pattern; `null` when it is none of them. */
export function readTerm(text: string): number | string | null {
  const term = text.trim().normalize('NFC').toLowerCase();
  if (/^\d{1,5}$/.test(term)) {
    const kind = Number(term);
    return kind <= 65_535 ? kind : null;
  }
  if (term.length > maxLabelChars) return null;
  return pattern.test(term) || label.test(term) ? term : null;
}

const isPattern = (term: string): boolean => term.endsWith('-*');

/** Every term in the values of `k` tags: one a tag, or several with commas or spaces between (DIS-5). */
function readTerms(values: readonly string[]): Set<number | string> {
  const terms = new Set<number | string>();
  for (const value of values) {
    for (const part of value.split(/[,\s]+/u)) {
      const term = part === '' ? null : readTerm(part);
      if (term !== null && terms.size < maxTerms) terms.add(term);
    }
  }
  return terms;
}

/**
 * Puts together what tags and content declare: either counts, both together confirm, and what one has and
 * the other lacks is noted, if both list that sort of thing at all.
 *
 * @param contentKinds - of `supported_kinds` in the content; `null` when there is none
 * @param contentLabels - of `capabilities` in the content; `null` when there is none
 */
export function reconcileCapabilities(
  raw: readonly string[],
  contentKinds: readonly string[] | null,
  contentLabels: readonly string[] | null,
): CapabilitySet {
  const inTags = readTerms(raw);
  const inContent = readTerms([...(contentKinds ?? []), ...(contentLabels ?? [])]);
  const all = [...new Set([...inTags, ...inContent])];
  const words = all.filter((term) => typeof term === 'string');
  const listed = (term: number | string) =>
    typeof term === 'number'
      ? contentKinds !== null
      : contentLabels !== null || [...inContent].some((each) => typeof each === 'string');
  const sorted = (terms: readonly (number | string)[]) => terms.map(String).sort();
  return {
    kinds: all.filter((term) => typeof term === 'number').sort((a, b) => a - b),
    labels: words.filter((term) => !isPattern(term)).sort(),
    patterns: words.filter(isPattern).sort(),
    raw: raw.slice(0, maxTerms),
    confirmed: sorted(all.filter((term) => inTags.has(term) && inContent.has(term))),
    discrepancies: {
      tagsOnly: sorted(all.filter((term) => !inContent.has(term) && listed(term))),
      contentOnly: sorted(all.filter((term) => !inTags.has(term))),
    },
  };
}
