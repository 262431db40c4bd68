import type { CapabilityCard } from './card.ts';
import { type Concept, concepts } from './concepts.ts';
import { foldCamelCase, foldText, hasCamelCase, labelKey, stemsOf, stemWord } from './fold.ts';

/** The parts of a card in which a capability can be named. */
export type SearchableCard = Pick<CapabilityCard, 'kinds' | 'labels' | 'patterns' | 'performance'> &
  Partial<Pick<CapabilityCard, 'raw' | 'fields' | 'topics' | 'name' | 'about'>>;

/** The best place in which a card names something, strongest first. */
export type EvidenceLevel = 'declared' | 'topic' | 'name' | 'about';

/** The levels, strongest first. */
export const evidenceLevels: readonly EvidenceLevel[] = ['declared', 'topic', 'name', 'about'];

/** The capabilities and words that a card names, each with its best level. */
export interface CardEvidence {
  /** By id of the concept. */
  readonly concepts: ReadonlyMap<string, EvidenceLevel>;
  /** By stemmed word. */
  readonly words: ReadonlyMap<string, EvidenceLevel>;
}

/** Largest numbers of words to index, per card. */
const maxWords = { topic: 32, name: 12, about: 32 } as const;
const maxTopics = 32;
const maxAboutChars = 1_000;
/** Longer values of `k` tags are no labels. */
const maxLabelChars = 256;
const maxLabels = 128;
/** The longest phrase, words. */
const maxPhraseWords = 5;

const byKind = new Map<number, Concept[]>();
const byPhrase = new Map<string, Concept[]>();
const byLabel = new Map<string, Concept[]>();
for (const concept of concepts) {
  for (const kind of concept.kinds) append(byKind, kind, concept);
  for (const phrase of concept.phrases) append(byPhrase, labelKey(phrase), concept);
  for (const label of [...concept.phrases, ...concept.labels]) append(byLabel, labelKey(label), concept);
}

/** Every beginning of a phrase. Text is compared with phrases only while it is one of these. */
const phraseStarts = new Set<string>();
for (const key of byPhrase.keys()) {
  for (let length = 1; length <= key.length; length += 1) phraseStarts.add(key.slice(0, length));
}

function append<Key>(map: Map<Key, Concept[]>, key: Key, concept: Concept): void {
  const known = map.get(key) ?? [];
  if (!known.includes(concept)) map.set(key, [...known, concept]);
}

/** Returns the concepts of a kind. */
const conceptsOfKind = (kind: number): readonly Concept[] => byKind.get(kind) ?? [];

/** Words that say nothing about a capability, stemmed. */
const stopWords = new Set(
  `a an and any are as at be best bot but by can cheap com do dvm dvms fast find for free from get give good great have help hire how i if in into is
  it its like llc looking made make me more most my need nice nostr of on online or our please platform provider service someone somebody
  something some tool that the their them these they this to up us use using via want we what when where which who will with work you your ai app
  agent api based job task machine vending data new all not no just also than then`
    .split(/\s+/u)
    .map(stemWord),
);

/** Returns the stemmed words of a text without stop words, each once. */
export function contentWords(text: string): string[] {
  const words = new Set(stemsOf(foldText(text)));
  if (hasCamelCase(text)) for (const word of stemsOf(foldCamelCase(text))) words.add(word);
  return [...words].filter((word) => word.length > 1 && !stopWords.has(word));
}

/** Words that may stand inside a phrase. */
const articles = new Set(['a', 'an', 'the', 'my', 'your', 'our', 'any', 'some']);
const negations = new Set([
  'not',
  'no',
  'never',
  'without',
  'cannot',
  'unlike',
  'except',
  'don',
  'doesn',
  'won',
  'isn',
  'neither',
  'nor',
]);
/** A negation counts up to this many words before a phrase. */
const negationWords = 4;

/** Matches what any concept is called in prose: most sentences name none, and one pattern is faster than all of them. */
const anyProse = new RegExp(concepts.flatMap(({ prose }) => prose?.source ?? []).join('|'));

/** Returns the concepts that a sentence names, except those that it negates. */
function conceptsInText(text: string): Set<Concept> {
  const found = new Set<Concept>();
  const folded = foldCamelCase(text);
  const stems = stemsOf(folded).filter((word) => !articles.has(word));
  const isNegated = (at: number) =>
    stems.slice(Math.max(0, at - negationWords), at).some((word) => negations.has(word));
  for (let at = 0; at < stems.length; at += 1) {
    let key = '';
    for (let length = 0; length < maxPhraseWords && at + length < stems.length; length += 1) {
      key += stems[at + length];
      if (!phraseStarts.has(key)) break;
      const named = byPhrase.get(key);
      if (named !== undefined && !isNegated(at)) for (const concept of named) found.add(concept);
    }
  }
  const stemmed = stems.join(' ');
  if (!anyProse.test(stemmed)) return found;
  for (const concept of concepts) {
    if (concept.prose === null || found.has(concept)) continue;
    concept.prose.lastIndex = 0;
    for (let match = concept.prose.exec(stemmed); match !== null; match = concept.prose.exec(stemmed)) {
      if (isNegated(countWords(stemmed.slice(0, match.index)))) continue;
      found.add(concept);
      break;
    }
  }
  return found;
}

const countWords = (text: string): number => (text === '' ? 0 : text.split(' ').length);

/** Returns true if a text as a whole is a phrase that names a concept. */
export const isPhrase = (text: string): boolean => byPhrase.has(labelKey(text));

/** Returns the concepts of a label or a query, including words that are too general in a sentence. */
export const conceptsOfLabel = (label: string): readonly Concept[] => byLabel.get(labelKey(label)) ?? [];

/** Returns the concepts that a query names, or that of its only word if it names none. */
export function conceptsOfQuery(text: string): Set<Concept> {
  const named = conceptsInText(text);
  if (named.size > 0) return named;
  // One word of several may be its least important one: 'clone my voice' does not ask for any voice.
  const [word, ...others] = contentWords(text);
  return new Set(word === undefined || others.length > 0 ? [] : conceptsOfLabel(word));
}

/** Returns the labels of a card as written, also those that contain spaces. */
export function declaredLabels({ labels, raw = [], fields = null }: SearchableCard): string[] {
  const inContent = fields?.capabilities;
  const texts = Array.isArray(inContent) ? inContent.filter((each) => typeof each === 'string') : [];
  return [...new Set([...labels, ...raw.slice(0, maxLabels), ...texts.slice(0, 64)])].filter(
    (label) => label.length <= maxLabelChars && !/^[\d,\s]*$/u.test(label),
  );
}

/** A sentence about something that is not offered yet. */
const plan = /\b(?:roadmap|coming soon|not yet|not available|planned|in the future)\b/iu;

/** Returns true for a client that handles events and accepts no jobs: its description is about itself. */
const isClient = ({ kinds }: SearchableCard, labels: readonly string[]): boolean =>
  kinds.length > 0 && labels.length === 0 && !kinds.some((kind) => kind >= 5_000 && kind < 6_000);

/** Collects what a card names. Pure. */
export function evidenceOf(card: SearchableCard): CardEvidence {
  const named = new Map<string, EvidenceLevel>();
  const words = new Map<string, EvidenceLevel>();
  const note = (level: EvidenceLevel, found: Iterable<Concept>) => {
    for (const { id } of found) if (!named.has(id)) named.set(id, level);
  };
  const noteWords = (level: 'topic' | 'name' | 'about', texts: readonly string[]) => {
    let left: number = maxWords[level];
    for (const word of texts.flatMap(contentWords)) {
      if (left === 0) return;
      if (words.has(word)) continue;
      words.set(word, level);
      left -= 1;
    }
  };

  const labels = declaredLabels(card);
  const topics = (card.topics ?? []).slice(0, maxTopics);
  for (const kind of card.kinds) note('declared', conceptsOfKind(kind));
  for (const label of labels) {
    const exact = conceptsOfLabel(label);
    note('declared', exact.length > 0 ? exact : conceptsInText(label));
  }
  for (const topic of topics) note('topic', conceptsInText(topic));
  const { name = null, about = null } = card;
  if (name !== null) note('name', conceptsInText(name));
  const text = about === null ? '' : about.slice(0, maxAboutChars);
  if (!isClient(card, labels)) {
    const sentences = new Set(text.split(/[.!?;\n]+/u).map((sentence) => sentence.trim()));
    const offers = [...sentences].filter((sentence) => sentence !== '' && !plan.test(sentence));
    for (const sentence of offers) note('about', conceptsInText(sentence));
  }

  noteWords('topic', [...labels, ...topics]);
  if (name !== null) noteWords('name', [name]);
  noteWords('about', [text]);
  return { concepts: named, words };
}
