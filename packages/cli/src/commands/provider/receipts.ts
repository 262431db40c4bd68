import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../../errors.ts';
import type { CliIo } from '../../io.ts';

/** `bonafide provider receipts`: prints the receipts of customers, one JSON document per line. */
export async function providerReceipts(
  { workspace }: { readonly workspace?: string },
  io: CliIo,
): Promise<void> {
  const path = workspace === undefined ? null : join(workspace, 'provider.db');
  if (path === null || !existsSync(path))
    throw new CliError('USAGE', 'Name the --workspace of a provider: `provider run --workspace` creates it.');
  const { openSqlite } = await import('@bonafide/storage');
  const { createKyselyProviderStore, migrateJobs } = await import('@bonafide/nip90-jobs/kysely');
  const db = openSqlite<unknown>({ path });
  try {
    await migrateJobs(db);
    const store = createKyselyProviderStore(db);
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof store.list>> = await store.list('receipts', {
        limit: 500,
        ...(cursor === null ? {} : { cursor }),
      });
      for (const { receipt } of page.items) io.stdout.write(`${JSON.stringify(receipt)}\n`);
      cursor = page.nextCursor;
    } while (cursor !== null);
  } finally {
    await db.destroy();
  }
}
