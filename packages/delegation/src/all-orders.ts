import type { OrderQuery, OrderRecord, OrderStore } from './store.ts';

/** Reads every order of a query, newest first, page by page. `source` is a store or a delegation. */
export async function* allOrders(
  source: Pick<OrderStore, 'list'>,
  query: Omit<OrderQuery, 'limit' | 'cursor'> = {},
): AsyncGenerator<OrderRecord> {
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<OrderStore['list']>> = await source.list({
      ...query,
      limit: 500,
      ...(cursor === null ? {} : { cursor }),
    });
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
