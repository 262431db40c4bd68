import { readTerm } from './capabilities.ts';
import type { CapabilityCard } from './card.ts';

/** How well a card offers what is wanted (DIS-10). */
export interface CapabilityMatch {
  /** 1 exact, .8 synonym, .6 or .5 inferred, 0 none. */
  readonly confidence: number;
  readonly match: 'exact' | 'synonym' | 'inferred' | 'none';
  /** `candidate`: worth an evaluation; `secondary`: when there is nobody better. */
  readonly pool: 'candidate' | 'secondary' | 'none';
  readonly reason: string;
}

/** Words that mean the same, by the word that stands for them. */
export type Synonyms = Readonly<Record<string, readonly string[]>>;

/** The label under which platforms offer to be measured. */
export const benchmarkTask = 'benchmark-task';
/** The generic job kind, from which the ability to be measured is inferred. */
const genericJobKind = 5_000;

/** The synonyms of DIS-10. Extend them: `{ ...defaultSynonyms, 'code-generation': ['codegen'] }`. */
export const defaultSynonyms: Synonyms = Object.freeze({
  [benchmarkTask]: ['benchmark', 'benchmarking', 'perf-test', 'compute-benchmark'],
});

type CardAbilities = Pick<CapabilityCard, 'kinds' | 'labels' | 'patterns' | 'performance'>;

/**
 * How well a card offers a capability or a kind (DIS-10). Exact: it names it. Synonym: it names a word for the same, or a family
 * (`compute-*`) that the wanted one belongs to. Inferred, for benchmarks only: it takes generic jobs (kind 5000), with
 * (.6) or without (.5) figures about its performance. Pure.
 */
export function matchCapability(
  card: CardAbilities,
  wanted: string | number,
  synonyms: Synonyms = defaultSynonyms,
): CapabilityMatch {
  const term = readTerm(String(wanted));
  if (term === null) return none(`'${wanted}' is no capability`);
  if (typeof term === 'number') {
    return card.kinds.includes(term) ? exact(`kind ${term}`) : none(`kind ${term} is not offered`);
  }
  if (card.labels.includes(term) || card.patterns.includes(term)) return exact(`'${term}'`);

  const alike = synonymsOf(term, synonyms);
  const other = alike.find((word) => card.labels.includes(word));
  if (other !== undefined) return synonym(`'${other}' means the same as '${term}'`);
  const family = patternsOver([term, ...alike]).find((each) => card.patterns.includes(each));
  if (family !== undefined) return synonym(`'${family}' covers '${term}'`);

  const isBenchmark = term === benchmarkTask || alike.includes(benchmarkTask);
  if (isBenchmark && card.kinds.includes(genericJobKind)) {
    return card.performance === null
      ? inferred(0.5, `kind ${genericJobKind}, without figures about its performance`)
      : inferred(0.6, `kind ${genericJobKind}, with figures about its performance`);
  }
  return none(`'${term}' is not offered`);
}

/** Under this a card is found that takes generic jobs and has figures. No label has a space. */
const genericWithFigures = `${genericJobKind} figures`;

/** Every term under which a card is found. */
export function termsOfCard(card: CardAbilities): string[] {
  const measured = card.performance !== null && card.kinds.includes(genericJobKind);
  return [
    ...card.kinds.map(String),
    ...card.labels,
    ...card.patterns,
    ...(measured ? [genericWithFigures] : []),
  ];
}

/** Terms of an index, with the confidence of what is found by them. */
export interface SearchStep {
  readonly confidence: number;
  readonly terms: readonly string[];
}

/**
 * How to search an index of {@link termsOfCard} so that the surest matches come first: step by step, and of each step only
 * what matches with just its confidence, since the surer ones came before. Pure.
 */
export function searchSteps(wanted: string | number, synonyms: Synonyms = defaultSynonyms): SearchStep[] {
  const term = readTerm(String(wanted));
  if (term === null) return [];
  if (typeof term === 'number') return [{ confidence: 1, terms: [String(term)] }];
  const alike = synonymsOf(term, synonyms);
  const kin = [...new Set([...alike, ...patternsOver([term, ...alike])])].slice(0, maxSynonyms);
  const steps: SearchStep[] = [{ confidence: 1, terms: [term] }];
  if (kin.length > 0) steps.push({ confidence: 0.8, terms: kin });
  if (term === benchmarkTask || alike.includes(benchmarkTask)) {
    steps.push({ confidence: 0.6, terms: [genericWithFigures] });
    steps.push({ confidence: 0.5, terms: [String(genericJobKind)] });
  }
  return steps;
}

/** More words than these for one thing are not searched for. */
const maxSynonyms = 64;

/** The other words for the same thing, whichever of them stands for the rest. */
function synonymsOf(term: string, synonyms: Synonyms): string[] {
  const alike = new Set<string>();
  for (const [word, others] of Object.entries(synonyms)) {
    const group = [word, ...others].map((each) => readTerm(each)).filter((each) => typeof each === 'string');
    if (group.includes(term)) for (const each of group) alike.add(each);
  }
  alike.delete(term);
  return [...alike];
}

/** `compute-gpu-test` belongs to `compute-*` and to `compute-gpu-*`. */
function patternsOver(words: readonly string[]): string[] {
  return words.flatMap((word) => {
    const parts = word.split('-');
    return parts.slice(1).map((_, index) => `${parts.slice(0, index + 1).join('-')}-*`);
  });
}

const exact = (reason: string): CapabilityMatch => ({
  confidence: 1,
  match: 'exact',
  pool: 'candidate',
  reason,
});
const synonym = (reason: string): CapabilityMatch => ({
  confidence: 0.8,
  match: 'synonym',
  pool: 'candidate',
  reason,
});
const inferred = (confidence: number, reason: string): CapabilityMatch => ({
  confidence,
  match: 'inferred',
  pool: 'secondary',
  reason,
});
const none = (reason: string): CapabilityMatch => ({ confidence: 0, match: 'none', pool: 'none', reason });
