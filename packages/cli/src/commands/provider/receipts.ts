import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { terminalJson } from '@bonafide/internal';
import { createKyselyProviderStore, migrateJobs } from '@bonafide/nip90-jobs/kysely';
import { openSqlite } from '@bonafide/storage';
import { CliError } from '../../errors.ts';
import type { Printer } from '../../print.ts';

/** `bonafide provider receipts`: prints the receipts of customers, one JSON document per line, or one of all. */
export async function providerReceipts(
  {
    workspace,
    json,
    agent: agentId,
  }: { readonly workspace?: string; readonly json: boolean; readonly agent: string },
  print: Printer,
): Promise<void> {
  const path = workspace === undefined ? null : join(workspace, 'provider.db');
  if (path === null || !existsSync(path))
    throw new CliError('USAGE', 'Name the --workspace of a provider: `provider run --workspace` creates it.');
  const db = openSqlite<unknown>({ path });
  try {
    await migrateJobs(db);
    const store = createKyselyProviderStore(db, { agentId });
    const receipts: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof store.list>> = await store.list('receipts', {
        limit: 500,
        ...(cursor === null ? {} : { cursor }),
      });
      for (const { receipt } of page.items)
        if (json) receipts.push(receipt);
        else print.line(terminalJson(receipt));
      cursor = page.nextCursor;
    } while (cursor !== null);
    if (json) print.json({ receipts });
  } finally {
    await db.destroy();
  }
}
