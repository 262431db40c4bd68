import { type KnownCriteria, noKnownCriteria } from '../scoring/criteria.ts';
import type { EntryState, MatrixState, PlatformState } from '../state/state.ts';

/** A platform that a decision considers for a task type. */
export interface Member {
  readonly entry: EntryState;
  readonly platform: PlatformState;
  /** Its position among all members in the order of their ids. */
  readonly place: number;
  readonly known: KnownCriteria;
}

/** Members by the entries of a task type, with what they were made from. */
type Kept = WeakMap<
  ReadonlyMap<string, EntryState>,
  { readonly ids: readonly string[] | null; readonly count: number; readonly members: readonly Member[] }
>;

const keptAll: Kept = new WeakMap();
const keptShortlists: Kept = new WeakMap();

/**
 * Returns the members with the given ids, or all members of a task type, in the given order. They are kept until a platform
 * is added or the ids change, because every decision asks for the same ones and entries are never replaced.
 */
export function membersOf(
  state: MatrixState,
  taskType: string,
  ids: readonly string[] | null,
): readonly Member[] {
  const entries = state.entries.get(taskType);
  if (entries === undefined) return [];
  const kept = ids === null ? keptAll : keptShortlists;
  const known = kept.get(entries);
  if (known !== undefined && known.ids === ids && known.count === entries.size) return known.members;
  const found = ids === null ? [...entries.values()] : ids.flatMap((id) => entries.get(id) ?? []);
  const places = new Map(
    found
      .map(({ platformId }) => platformId)
      .sort()
      .map((id, place) => [id, place]),
  );
  const members = found.flatMap((entry): Member[] => {
    const platform = state.platforms.get(entry.platformId);
    return platform === undefined
      ? []
      : [{ entry, platform, place: places.get(entry.platformId) ?? 0, known: noKnownCriteria() }];
  });
  kept.set(entries, { ids, count: entries.size, members });
  return members;
}
