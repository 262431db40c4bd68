import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseNostrKey } from '@bonafide/ledger-core';
import { openSqlite } from '@bonafide/storage';
import { sql } from 'kysely';
import { textTables } from './text-columns.ts';

/** Rows of another database of the workspace that contain a peer's id. */
export interface Mention {
  readonly file: string;
  readonly table: string;
  readonly rows: number;
}

/**
 * Finds the rows of other SQLite databases beside the ledger, such as those of jobs, that contain the public key of a peer.
 * Reads every text, so that it also finds the stores of packages that the command line does not know. Peers of other
 * channels than Nostr are in the ledger only.
 */
export async function findMentions(ledgerPath: string, peerId: string): Promise<readonly Mention[]> {
  const key = parseNostrKey(peerId);
  if (key === null) return [];
  const folder = dirname(ledgerPath);
  const files = readdirSync(folder).filter((name) => name.endsWith('.db') && name !== basename(ledgerPath));
  const mentions: Mention[] = [];
  for (const name of files) mentions.push(...(await mentionsIn(join(folder, name), key)));
  return mentions;
}

async function mentionsIn(file: string, key: string): Promise<readonly Mention[]> {
  const db = openSqlite<unknown>({ path: file, readonly: true, adopt: true });
  try {
    const found: Mention[] = [];
    for (const { table, columns } of await textTables(db)) {
      const contains = sql.join(
        columns.map((column) => sql`instr(lower(${sql.ref(column)}), ${key}) > 0`),
        sql` or `,
      );
      const { rows } = await sql<{ readonly rows: number }>`
        select count(*) as rows from ${sql.table(table)} where ${contains}`.execute(db);
      const count = Number(rows[0]?.rows);
      if (count > 0) found.push({ file, table, rows: count });
    }
    return found;
  } finally {
    await db.destroy();
  }
}
