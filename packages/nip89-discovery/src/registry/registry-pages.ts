import type { Page } from '@bonafide/internal';
import type { DiscoveryStore, EntryQuery } from '../store.ts';
import { askStore } from './ask-store.ts';
import type { RegistryEntry } from './entry.ts';

/** Entries that are read from the store at once. */
export const pageSize = 200;

/** Everything that a way of reading gives, page by page. */
export async function* everyPage<Item>(
  read: (cursor: { readonly cursor?: string }) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const from = cursor === undefined ? {} : { cursor };
    const page: Page<Item> = await askStore(() => read(from));
    yield* page.items;
    cursor = page.nextCursor;
  }
}

/** All entries that a query lists. */
export function everyEntry(store: DiscoveryStore, query: Partial<EntryQuery>): AsyncGenerator<RegistryEntry> {
  return everyPage((cursor) => store.list({ limit: pageSize, ...query, ...cursor }));
}
