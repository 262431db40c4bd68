import { readTerm } from './capabilities.ts';
import type { CapabilityCard } from './card.ts';

/** The quality with which a card offers a capability. */
export interface CapabilityMatch {
  /** Confidence: 1 exact, .8 synonym, .6 or .5 inferred, 0 none. */
  readonly confidence: number;
  readonly match: 'exact' | 'synonym' | 'inferred' | 'none';
  /** `candidate`: worth an evaluation. `secondary`: a fallback. */
  readonly pool: 'candidate' | 'secondary' | 'none';
  readonly reason: string;
}

/** Groups of labels with the same meaning, by one of them. */
export type Synonyms = Readonly<Record<string, readonly string[]>>;

/** The label of platforms that accept benchmarks. */
export const benchmarkTask = 'benchmark-task';
/** The generic job kind, from which the capability of being benchmarked is inferred. */
const genericJobKind = 5_000;

/** Default synonyms. Extend them: `{ ...defaultSynonyms, 'code-generation': ['codegen'] }`. */
export const defaultSynonyms: Synonyms = Object.freeze({
  [benchmarkTask]: ['benchmark', 'benchmarking', 'perf-test', 'compute-benchmark'],
});

type CardAbilities = Pick<CapabilityCard, 'kinds' | 'labels' | 'patterns' | 'performance'>;

/**
 * Matches a card against a capability or a kind. Exact: the card names it. Synonym: the card names a synonym,
 * or a pattern (`compute-*`) that covers it. Inferred, for benchmarks only: the card accepts generic jobs
 * (kind 5000), with (.6) or without (.5) performance figures. Pure.
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

/** Index term of cards that accept generic jobs and have performance figures. Labels contain no spaces. */
const genericWithFigures = `${genericJobKind} figures`;

/** Returns the index terms of a card. */
export function termsOfCard(card: CardAbilities): string[] {
  const measured = card.performance !== null && card.kinds.includes(genericJobKind);
  return [
    ...card.kinds.map(String),
    ...card.labels,
    ...card.patterns,
    ...(measured ? [genericWithFigures] : []),
  ];
}

/** Index terms and the confidence of their matches. */
export interface SearchStep {
  readonly confidence: number;
  readonly terms: readonly string[];
}

/**
 * Returns the steps of an index search, best first. Each step finds matches of its confidence only, since
 * earlier steps found better ones. Pure.
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

/** Largest number of synonyms to search for. */
const maxSynonyms = 64;

/** Returns the synonyms of a term. */
function synonymsOf(term: string, synonyms: Synonyms): string[] {
  const alike = new Set<string>();
  for (const [word, others] of Object.entries(synonyms)) {
    const group = [word, ...others].map((each) => readTerm(each)).filter((each) => typeof each === 'string');
    if (group.includes(term)) for (const each of group) alike.add(each);
  }
  alike.delete(term);
  return [...alike];
}

/** Returns the patterns that cover words: `compute-gpu-test` belongs to `compute-*` and `compute-gpu-*`. */
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
