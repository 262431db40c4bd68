import { boundKey } from './bounded-key.ts';
import { readTerm } from './capabilities.ts';
import { type Concept, concepts } from './concepts.ts';
import {
  type CardEvidence,
  conceptsOfLabel,
  conceptsOfQuery,
  contentWords,
  declaredLabels,
  type EvidenceLevel,
  evidenceLevels,
  evidenceOf,
  isPhrase,
  type SearchableCard,
} from './evidence.ts';
import { foldText, labelKey } from './fold.ts';

/** The quality with which a card offers a capability. */
export interface CapabilityMatch {
  /**
   * Confidence: 1 exact; .8 synonym, or a kind that stands for it; .7 topic; .65 name; .55 description; .6 and .5 inferred from the
   * generic job kind; 0 none.
   */
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
/** The generic job kind, from which the capability of being benchmarked is inferred. NIP-90's registry calls it text extraction. */
const genericJobKind = 5_000;
const genericConcept = 'text-extraction';

/**
 * Default synonyms, in addition to those of the common kinds, which are always known. Extend them: `{ ...defaultSynonyms,
 * 'poem-writing': ['poetry'] }`.
 */
export const defaultSynonyms: Synonyms = Object.freeze({
  [benchmarkTask]: ['benchmark', 'benchmarking', 'perf-test', 'compute-benchmark'],
});

/** Confidence of the lowest matches that `find` returns by default. */
export const defaultMinConfidence = 0.55;

const confidenceOf: Readonly<Record<EvidenceLevel, number>> = {
  declared: 0.8,
  topic: 0.7,
  name: 0.65,
  about: 0.55,
};

/** Confidence from which a card itself declares a capability, by its label, a synonym or a kind. */
export const declaredConfidence = confidenceOf.declared;

const placeOf: Readonly<Record<EvidenceLevel, string>> = {
  declared: 'its kinds or labels',
  topic: 'its topics',
  name: 'its name',
  about: 'its description',
};

/** A capability as a user asks for it. */
type Query =
  | { readonly kind: number }
  | {
      readonly kind: null;
      /** The label in the form of a card's label. */
      readonly term: string;
      /** The label in the form of {@link labelKey}. */
      readonly key: string;
      /** Labels with the same meaning, in the form of a card's labels. */
      readonly alike: readonly string[];
      readonly concepts: readonly Concept[];
      /** Words that all have to be named; empty if they add nothing to the concepts. */
      readonly words: readonly string[];
    };

/** Parsed queries by synonyms, since one query is matched against many cards. */
const parsedQueries = new WeakMap<Synonyms, Map<string, Query | null>>();
const maxParsedQueries = 100;

function parseQuery(wanted: string | number, synonyms: Synonyms): Query | null {
  const cache = parsedQueries.get(synonyms) ?? new Map<string, Query | null>();
  parsedQueries.set(synonyms, cache);
  const text = String(wanted);
  const known = cache.get(text);
  if (known !== undefined) return known;
  if (cache.size >= maxParsedQueries) cache.clear();
  const query = readQuery(text, synonyms);
  cache.set(text, query);
  return query;
}

function readQuery(wanted: string, synonyms: Synonyms): Query | null {
  const text = wanted.trim();
  const direct = readTerm(text);
  if (typeof direct === 'number') return { kind: direct };
  const key = labelKey(text);
  if (key === '') return null;
  const term = direct ?? foldText(text).replaceAll(' ', '-');
  const alike = synonymsOf(key, synonyms).filter((each) => each !== term);
  const found = new Set([term, ...alike].flatMap((label) => [...conceptsOfLabel(label)]));
  const named = found.size > 0 ? found : conceptsOfQuery(text);
  // A phrase is matched as a whole: 'speech to text' is not 'text to speech'.
  const words = isPhrase(text) ? [] : contentWords(text);
  return {
    kind: null,
    term,
    key,
    alike,
    concepts: [...named],
    words: words.length > 0 || isPhrase(text) ? words : foldText(text).split(' '),
  };
}

/**
 * Matches a card against a capability or a kind. A capability is a label such as `translation`, or a few words as people type
 * them. Case, diacritics, hyphens, spaces, underscores and plurals do not matter. Exact: the card names the kind or label.
 * Synonym: it names a synonym, a kind that stands for it, or a pattern (`compute-*`) that covers it. Inferred: its topics, name
 * or description name it; or, for benchmarks, it accepts generic jobs (kind 5000), with (.6) or without (.5) performance
 * figures. Pure.
 */
export function matchCapability(
  card: SearchableCard,
  wanted: string | number,
  synonyms: Synonyms = defaultSynonyms,
): CapabilityMatch {
  return matchCard(card, wanted, synonyms, null);
}

/**
 * Matches a card as {@link matchCapability} does.
 *
 * @param indexed - Index terms of the card, if they are known: then its text is not read again.
 */
export function matchCard(
  card: SearchableCard,
  wanted: string | number,
  synonyms: Synonyms,
  indexed: ReadonlySet<string> | null,
): CapabilityMatch {
  const query = parseQuery(wanted, synonyms);
  if (query === null) return none(`'${wanted}' is not a capability`);
  if (query.kind !== null) {
    return card.kinds.includes(query.kind)
      ? exact(`kind ${query.kind}`)
      : none(`kind ${query.kind} is not offered`);
  }
  const { term, key, alike } = query;
  if (card.labels.includes(term) || card.patterns.includes(term)) return exact(`'${term}'`);
  const isNamed = (words: readonly string[]) =>
    indexed === null || boundTerms(words.flatMap(labelTerms)).some((each) => indexed.has(each));
  const labels = isNamed([term, ...alike]) ? declaredLabels(card) : [];
  const spelled = labels.find((label) => labelKey(label) === key);
  if (spelled !== undefined) return exact(`'${spelled}'`);

  const keys = new Set(alike.map(labelKey));
  const other = labels.find((label) => keys.has(labelKey(label)));
  if (other !== undefined) return synonym(`'${other}' means the same as '${term}'`);
  const evidence = indexed === null ? readCardText(card) : readIndexTerms(indexed);
  const family = patternsOver([term, ...alike]).find((each) => card.patterns.includes(each));
  if (family !== undefined) return synonym(`'${family}' covers '${term}'`);
  return (
    bestOf([matchEvidence(query, evidence), matchGenericJobs(card, query, evidence)]) ??
    none(`'${term}' is not offered`)
  );
}

type LabelQuery = Exclude<Query, { readonly kind: number }>;

/** The concepts and words that a card names, from its text or from its index terms. */
interface NamedThings {
  levelOfConcept(id: string): EvidenceLevel | undefined;
  levelOfWord(word: string): EvidenceLevel | undefined;
  /** True if the card accepts generic jobs and its text names no capability. */
  isPlainGeneric(): boolean;
}

function readCardText(card: SearchableCard): NamedThings {
  let read: CardEvidence | undefined;
  const evidence = () => {
    read ??= evidenceOf(card);
    return read;
  };
  return {
    levelOfConcept: (id) => evidence().concepts.get(id),
    levelOfWord: (word) => evidence().words.get(word),
    isPlainGeneric: () => evidence().concepts.size === 0,
  };
}

function readIndexTerms(terms: ReadonlySet<string>): NamedThings {
  const levelOf = (termAt: (level: EvidenceLevel) => string) =>
    evidenceLevels.find((level) => terms.has(boundKey(termAt(level), maxTermBytes)));
  return {
    levelOfConcept: (id) => levelOf((level) => conceptTerm(level, id)),
    levelOfWord: (word) => levelOf((level) => wordTerm(level, word)),
    isPlainGeneric: () => terms.has(genericPlain),
  };
}

/** Matches the concepts and words of a query against what a card names. */
function matchEvidence(query: LabelQuery, evidence: NamedThings): CapabilityMatch | null {
  const matches = query.concepts.flatMap(({ id }) => {
    const level = evidence.levelOfConcept(id);
    return level === undefined ? [] : [matchAt(level, `${id}, in ${placeOf[level]}`)];
  });
  const weakest = levelOfWords(query.words, evidence);
  // Words of a label are no declaration of the whole label.
  if (weakest !== null) matches.push(matchAt(weakest, `'${query.words.join(' ')}', in ${placeOf[weakest]}`));
  return bestOf(matches);
}

/** Returns the weakest level at which a card names all words; `null` if one is missing. */
function levelOfWords(words: readonly string[], evidence: NamedThings): EvidenceLevel | null {
  let weakest = 0;
  for (const word of words) {
    const level = evidence.levelOfWord(word);
    if (level === undefined) return null;
    weakest = Math.max(weakest, evidenceLevels.indexOf(level));
  }
  return words.length === 0 ? null : (evidenceLevels[weakest] ?? null);
}

function matchAt(level: EvidenceLevel, reason: string): CapabilityMatch {
  return level === 'declared' ? synonym(reason) : inferred(confidenceOf[level], reason);
}

/** Matches what the generic job kind suggests: benchmarks, and text extraction if the card says nothing else. */
function matchGenericJobs(
  card: SearchableCard,
  query: LabelQuery,
  evidence: NamedThings,
): CapabilityMatch | null {
  if (!card.kinds.includes(genericJobKind)) return null;
  if (query.concepts.some(({ id }) => id === benchmarkTask) || query.alike.includes(benchmarkTask)) {
    return card.performance === null
      ? inferred(0.5, `kind ${genericJobKind}, without figures about its performance`)
      : inferred(0.6, `kind ${genericJobKind}, with figures about its performance`);
  }
  const isExtraction = query.concepts.some(({ id }) => id === genericConcept);
  const isPlain = card.labels.length === 0 && card.patterns.length === 0 && evidence.isPlainGeneric();
  return isExtraction && isPlain ? inferred(0.6, `kind ${genericJobKind}`) : null;
}

/** Index terms of cards that accept generic jobs. Labels contain no spaces, so these never collide with them. */
const genericWithFigures = `${genericJobKind} figures`;
const genericPlain = `${genericJobKind} plain`;
const keyTerm = (key: string) => `label ${key}`;
/** Index terms by which a label is found, in any spelling. */
const labelTerms = (label: string): string[] => {
  const key = labelKey(label);
  return [label, key, keyTerm(key)];
};
const conceptTerm = (level: EvidenceLevel, id: string) => `${level} ${id}`;
const wordTerm = (level: EvidenceLevel, word: string) => `${level} word ${word}`;

/** Largest index term, bytes. */
const maxTermBytes = 160;
/** Returns index terms in the form in which they are stored and searched. */
const boundTerms = (terms: readonly string[]): string[] => [
  ...new Set(terms.map((term) => boundKey(term, maxTermBytes))),
];

/** Returns the index terms of a card. */
export function termsOfCard(card: SearchableCard): string[] {
  const isGeneric = card.kinds.includes(genericJobKind);
  const evidence = evidenceOf(card);
  const keys = declaredLabels(card)
    .map((label) => ({ label, key: labelKey(label) }))
    .filter(({ label, key }) => key !== label && key !== '');
  return boundTerms([
    ...card.kinds.map(String),
    ...card.labels,
    ...card.patterns,
    ...keys.map(({ key }) => keyTerm(key)),
    ...(isGeneric && card.performance !== null ? [genericWithFigures] : []),
    ...(isGeneric && evidence.concepts.size === 0 ? [genericPlain] : []),
    ...[...evidence.concepts].map(([id, level]) => conceptTerm(level, id)),
    ...[...evidence.words].map(([word, level]) => wordTerm(level, word)),
  ]);
}

/** Index terms and the confidence of their matches. */
export interface SearchStep {
  readonly confidence: number;
  readonly terms: readonly string[];
}

/**
 * Returns the steps of an index search, best first. Each step finds matches of its confidence only, since earlier
 * steps found better ones. Pure.
 */
export function searchSteps(wanted: string | number, synonyms: Synonyms = defaultSynonyms): SearchStep[] {
  const query = parseQuery(wanted, synonyms);
  if (query === null) return [];
  if (query.kind !== null) return [{ confidence: 1, terms: [String(query.kind)] }];
  const { term, key, alike } = query;
  const kin = [...new Set([...alike.flatMap(labelTerms), ...patternsOver([term, ...alike])])].slice(
    0,
    maxSynonyms,
  );
  const ids = query.concepts.map(({ id }) => id);
  const atLevel = (level: EvidenceLevel) => ids.map((id) => conceptTerm(level, id));
  // One word leads to every card that names all of them. The longest is likely to be the rarest.
  const [word] = [...query.words].sort((a, b) => b.length - a.length);
  const wordsFrom = (level: EvidenceLevel) =>
    word === undefined
      ? []
      : evidenceLevels
          .slice(0, evidenceLevels.indexOf(level) + 1)
          .filter((each) => each !== 'declared')
          .map((each) => wordTerm(each, word));
  const steps: SearchStep[] = [
    { confidence: 1, terms: [...new Set([...labelTerms(term), key])] },
    { confidence: confidenceOf.declared, terms: [...kin, ...atLevel('declared')] },
    { confidence: confidenceOf.topic, terms: [...atLevel('topic'), ...wordsFrom('topic')] },
    { confidence: confidenceOf.name, terms: [...atLevel('name'), ...wordsFrom('name')] },
    { confidence: 0.6, terms: genericTerms(query, ids, 0.6) },
    { confidence: confidenceOf.about, terms: [...atLevel('about'), ...wordsFrom('about')] },
    { confidence: 0.5, terms: genericTerms(query, ids, 0.5) },
  ];
  return steps
    .filter(({ terms }) => terms.length > 0)
    .map(({ confidence, terms }) => ({ confidence, terms: boundTerms(terms) }));
}

function genericTerms(query: LabelQuery, ids: readonly string[], confidence: 0.6 | 0.5): string[] {
  if (ids.includes(benchmarkTask) || query.alike.includes(benchmarkTask)) {
    return confidence === 0.6 ? [genericWithFigures] : [String(genericJobKind)];
  }
  return ids.includes(genericConcept) && confidence === 0.6 ? [genericPlain] : [];
}

/** Largest number of synonyms to search for. */
const maxSynonyms = 64;

/** Returns the other labels of the groups that contain a label, by {@link labelKey}. */
function synonymsOf(key: string, synonyms: Synonyms): string[] {
  const alike = new Set<string>();
  for (const [word, others] of Object.entries(synonyms)) {
    const group = [word, ...others].map((each) => readTerm(each) ?? foldText(each).replaceAll(' ', '-'));
    const labels = group.filter((each) => typeof each === 'string' && each !== '');
    if (labels.some((each) => labelKey(String(each)) === key))
      for (const each of labels) alike.add(String(each));
  }
  return [...alike].filter((each) => labelKey(each) !== key);
}

/** Returns the patterns that cover words: `compute-gpu-test` belongs to `compute-*` and `compute-gpu-*`. */
function patternsOver(words: readonly string[]): string[] {
  return words.flatMap((word) => {
    const parts = word.split('-');
    return parts.slice(1).map((_, index) => `${parts.slice(0, index + 1).join('-')}-*`);
  });
}

/** Names of the job kinds in NIP-90's registry. */
export function kindName(kind: number): string | null {
  return (
    concepts.find(({ kinds }) => kinds.includes(kind))?.id ??
    (kind === genericJobKind ? genericConcept : null)
  );
}

function bestOf(matches: readonly (CapabilityMatch | null)[]): CapabilityMatch | null {
  return matches.reduce(
    (best, each) => (each !== null && (best === null || each.confidence > best.confidence) ? each : best),
    null,
  );
}

const exact = (reason: string): CapabilityMatch => ({
  confidence: 1,
  match: 'exact',
  pool: 'candidate',
  reason,
});
const synonym = (reason: string): CapabilityMatch => ({
  confidence: confidenceOf.declared,
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
