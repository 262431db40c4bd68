import { isBonafideError, isNotMigrated, type Page, runSoon } from '@bonafide/internal';
import { DiscoveryError } from '../errors.ts';
import type { RegistryEntry } from './entry.ts';
import type { EntryChange } from './entry-changes.ts';
import type { DiscoveryStore, EntryQuery } from './store.ts';

/**
 * Calls the store.
 *
 * @throws DiscoveryError `STORE_FAILED` or `NOT_MIGRATED` with the store's error as `cause`, or `INVALID_INPUT` for an
 * invalid cursor.
 */
export async function callStore<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (cause) {
    // An invalid cursor is the caller's error, not the store's.
    if (isBonafideError(cause, 'INVALID_INPUT')) throw cause;
    if (isNotMigrated(cause)) {
      throw new DiscoveryError(
        'NOT_MIGRATED',
        'The database has no registry, or one of an older version. Call migrateDiscovery(db) first.',
        { cause },
      );
    }
    throw new DiscoveryError('STORE_FAILED', 'The discovery store failed; see cause.', { cause });
  }
}

/** Resolves after pending events, such as messages of relays, so that the work on a large batch does not delay them. */
export const nextTask = (): Promise<void> => new Promise((resolve) => void runSoon(resolve));

/** Page size for reads from the store. */
export const pageSize = 200;

/** Iterates over all items of a paged query. */
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

/** Iterates over all entries of a query. */
export function iterateEntries(
  store: Pick<DiscoveryStore, 'list'>,
  query: Partial<EntryQuery>,
): AsyncGenerator<RegistryEntry> {
  return iteratePages((cursor) => store.list({ limit: pageSize, ...query, ...cursor }));
}

/** Returns one entry, or `null`. @throws DiscoveryError `STORE_FAILED` */
export async function getEntry(
  store: Pick<DiscoveryStore, 'lookUp'>,
  pubkey: string,
  canonicalD: string,
): Promise<RegistryEntry | null> {
  const [record] = await callStore(() => store.lookUp([{ pubkey, canonicalD, targets: [] }]));
  return record?.entry ?? null;
}

/** Writes one entry; false if another process wrote it first. @throws DiscoveryError `STORE_FAILED` */
export async function putEntry(store: Pick<DiscoveryStore, 'put'>, change: EntryChange): Promise<boolean> {
  const [written = false] = await callStore(() => store.put([change]));
  return written;
}
