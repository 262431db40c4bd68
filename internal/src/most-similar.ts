/** Number of suggestions. */
const shown = 3;

/** Returns the number of insertions, deletions and replacements between two texts. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

/**
 * Returns the items with a name that is close to what was typed, the closest first: at most three, and none of which more than a third
 * differs. Names are compared without case; a missing one is an empty text.
 */
export function mostSimilar<Item>(
  typed: string,
  items: readonly Item[],
  namesOf: (item: Item) => readonly string[],
): readonly Item[] {
  const wanted = typed.toLowerCase().slice(0, 100);
  return items
    .map((item) => {
      const names = namesOf(item).filter((name) => name !== '' && name.length <= 100);
      const distances = names.map((name) => editDistance(wanted, name.toLowerCase()));
      return { item, distance: Math.min(...distances) };
    })
    .filter(({ distance }) => distance <= wanted.length / 3)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, shown)
    .map(({ item }) => item);
}
