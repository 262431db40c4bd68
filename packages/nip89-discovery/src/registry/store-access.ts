import type { Page } from '@bonafide/internal';
import { DiscoveryError } from '../errors.ts';
import type { RegistryEntry } from './entry.ts';
import type { DiscoveryStore, EntryQuery } from './store.ts';

/** Puts a question to the store. @throws DiscoveryError `STORE_FAILED` with whatever the store threw as its cause; `INVALID_INPUT` for a wrong cursor */
export async function callStore<Result>(question: () => Promise<Result>): Promise<Result> {
  try {
    return await question();
  } catch (cause) {
    // What the caller did wrong is not the store's fault.
    if (cause instanceof DiscoveryError && cause.code === 'INVALID_INPUT') throw cause;
    throw new DiscoveryError('STORE_FAILED', 'The discovery store failed', { cause });
  }
}

/** Entries that are read from the store at once. */
export const pageSize = 200;

/** Everything that a way of reading gives, page by page. */
export async function* iteratePages<Item>(
  read: (cursor: { readonly cursor?: string }) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const from = cursor === undefined ? {} : { cursor };
    const page: Page<Item> = await callStore(() => read(from));
    yield* page.items;
    cursor = page.nextCursor;
  }
}

/** All entries that a query lists. */
export function iterateEntries(
  store: DiscoveryStore,
  query: Partial<EntryQuery>,
): AsyncGenerator<RegistryEntry> {
  return iteratePages((cursor) => store.list({ limit: pageSize, ...query, ...cursor }));
}
