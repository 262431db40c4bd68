/** The capabilities that a card declares in its `k` tags and its content. */
export interface CapabilitySet {
  /** Numeric kinds, 0..65535, ascending, of tags and content. */
  readonly kinds: readonly number[];
  /** Labels such as `benchmark-task`, lower case, sorted, of tags and content. */
  readonly labels: readonly string[];
  /** Families such as `compute-*`, lower case, sorted. */
  readonly patterns: readonly string[];
  /** Values of the `k` tags, unchanged. */
  readonly raw: readonly string[];
  /** Terms that both the tags and the content declare, sorted. Kinds as decimal text. */
  readonly confirmed: readonly string[];
  /** Terms that only the tags or only the content declares, although both list terms of that type. Sorted. */
  readonly discrepancies: { readonly tagsOnly: readonly string[]; readonly contentOnly: readonly string[] };
}

/** Largest number of terms. The rest is ignored, since the index has to hold them. */
const maxTerms = 256;
const maxLabelChars = 64;
const pattern = /^[\p{L}\p{N}][\p{L}\p{N}._-]*-\*$/u;
const label = /^[\p{L}\p{N}][\p{L}\p{N}._:+/-]*$/u;

/** Parses one declared value: a kind, a label or a pattern. Returns `null` for anything else. */
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

/** Parses the values of `k` tags: one term each, or several separated by commas or spaces. */
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
 * Combines the terms of tags and content: the union is declared, the intersection is confirmed, and the
 * difference is recorded if both list terms of that type.
 *
 * @param contentKinds - `supported_kinds` of the content; `null` if absent.
 * @param contentLabels - `capabilities` of the content; `null` if absent.
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
