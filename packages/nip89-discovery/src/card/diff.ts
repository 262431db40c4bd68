import type { CapabilityCard } from './card.ts';
import type { JsonValue } from './content.ts';

/** The differences between two versions of a card. Unchanged fields are absent. */
export interface CardDiff {
  readonly kinds?: ListDiff<number>;
  readonly labels?: ListDiff<string>;
  readonly patterns?: ListDiff<string>;
  readonly relayHints?: ListDiff<string>;
  /** Other fields, with both values: name, version, pricing, performance … */
  readonly fields?: Readonly<Record<string, { readonly before: JsonValue; readonly after: JsonValue }>>;
}

/** The differences between two lists. */
export interface ListDiff<Item> {
  readonly added: readonly Item[];
  readonly removed: readonly Item[];
}

const compared = [
  'd',
  'name',
  'about',
  'picture',
  'website',
  'version',
  'lud16',
  'pricing',
  'performance',
  'encryptionSupported',
  'nip90Params',
] as const;

/** Compares two versions of a card. Returns an empty object if nothing changed. Pure. */
export function diffCards(before: CapabilityCard, after: CapabilityCard): CardDiff {
  const fields: Record<string, { before: JsonValue; after: JsonValue }> = {};
  for (const name of compared) {
    if (JSON.stringify(before[name]) !== JSON.stringify(after[name])) {
      // The fields of a card are JSON, but their interfaces have no index signature.
      fields[name] = {
        before: before[name] as unknown as JsonValue,
        after: after[name] as unknown as JsonValue,
      };
    }
  }
  return {
    ...changed('kinds', before.kinds, after.kinds),
    ...changed('labels', before.labels, after.labels),
    ...changed('patterns', before.patterns, after.patterns),
    ...changed('relayHints', before.relayHints, after.relayHints),
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
  };
}

function changed<Item>(
  name: string,
  before: readonly Item[],
  after: readonly Item[],
): Record<string, ListDiff<Item>> {
  const added = after.filter((item) => !before.includes(item));
  const removed = before.filter((item) => !after.includes(item));
  return added.length + removed.length === 0 ? {} : { [name]: { added, removed } };
}

/** Longest text of a bounded diff, characters; largest number of its fields; largest number of items of its lists. */
const maxDiffChars = 256;
const maxDiffItems = 32;

/** Returns a diff of bounded size, for the history: long values are cut and become text. Pure. */
export function boundDiff({ fields, ...lists }: CardDiff): CardDiff {
  const boundLists = Object.entries(lists).map(([name, list]: [string, ListDiff<number | string>]) => [
    name,
    { added: list.added.slice(0, maxDiffItems), removed: list.removed.slice(0, maxDiffItems) },
  ]);
  const boundFields = Object.entries(fields ?? {}).map(([name, { before, after }]) => [
    name,
    { before: boundValue(before), after: boundValue(after) },
  ]);
  return {
    ...Object.fromEntries(boundLists),
    ...(fields === undefined ? {} : { fields: Object.fromEntries(boundFields) }),
  };
}

function boundValue(value: JsonValue): JsonValue {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= maxDiffChars ? value : `${text.slice(0, maxDiffChars).toWellFormed()}…`;
}
