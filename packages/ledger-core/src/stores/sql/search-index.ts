import { dialectOf, inTransaction } from '@bonafide/storage';
import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: any schema will do; Kysely<unknown> would refuse most
type AnyKysely = Kysely<any>;

const same = (row: 'NEW' | 'OLD') => `agent_id = ${row}.agent_id AND interaction_id = ${row}.interaction_id`;

const removal = [
  'DROP TRIGGER IF EXISTS ledger_search_insert',
  'DROP TRIGGER IF EXISTS ledger_search_remove',
  'DROP TABLE IF EXISTS ledger_search_rows',
];

const creation = [
  'DROP TRIGGER IF EXISTS ledger_search_insert',
  'DROP TRIGGER IF EXISTS ledger_search_remove',
  'DROP TABLE IF EXISTS ledger_search',
  'DROP TABLE IF EXISTS ledger_search_rows',
  // Maps interactions to ids that VACUUM does not change, as it may change a rowid.
  `CREATE TABLE ledger_search_rows (
    id INTEGER PRIMARY KEY,
    agent_id TEXT NOT NULL,
    interaction_id TEXT NOT NULL,
    UNIQUE (agent_id, interaction_id)
  ) STRICT`,
  // The trigger deletes by the old text, so that words leave the index at once. `contentless_delete` would keep them until
  // a merge.
  `CREATE VIRTUAL TABLE ledger_search USING fts5(content, content='', tokenize='unicode61 remove_diacritics 2')`,
  `INSERT INTO ledger_search (ledger_search, rank) VALUES ('secure-delete', 1)`,
  `INSERT INTO ledger_search_rows (agent_id, interaction_id)
    SELECT agent_id, interaction_id FROM ledger_interactions WHERE content <> ''`,
  `INSERT INTO ledger_search (rowid, content)
    SELECT found.id, content FROM ledger_search_rows AS found
    JOIN ledger_interactions AS message USING (agent_id, interaction_id)`,
  `CREATE TRIGGER ledger_search_insert AFTER INSERT ON ledger_interactions WHEN NEW.content <> '' BEGIN
    INSERT INTO ledger_search_rows (agent_id, interaction_id) VALUES (NEW.agent_id, NEW.interaction_id);
    INSERT INTO ledger_search (rowid, content)
      VALUES ((SELECT id FROM ledger_search_rows WHERE ${same('NEW')}), NEW.content);
  END`,
  // Text is only ever removed.
  `CREATE TRIGGER ledger_search_remove AFTER UPDATE OF content ON ledger_interactions
    WHEN OLD.content <> NEW.content BEGIN
    INSERT INTO ledger_search (ledger_search, rowid, content)
      SELECT 'delete', id, OLD.content FROM ledger_search_rows WHERE ${same('OLD')};
    DELETE FROM ledger_search_rows WHERE ${same('OLD')};
  END`,
];

/** Tells whether messages are indexed in this SQLite database. */
export async function hasSearchIndex(db: AnyKysely): Promise<boolean> {
  const { rows } =
    await sql`select 1 from sqlite_master where type = 'trigger' and name = 'ledger_search_insert'`.execute(
      db,
    );
  return rows.length > 0;
}

/** Tells whether the index has the form of this version. */
async function isUpToDate(db: AnyKysely): Promise<boolean> {
  const { rows } = await sql`select 1 from sqlite_master
    where name = 'ledger_search' and sql not like '%contentless_delete%'`.execute(db);
  return rows.length > 0 && (await hasSearchIndex(db));
}

/**
 * Creates SQLite's full-text index of messages, or builds it anew after the database was used without it. A SQLite
 * without FTS5, such as that of Node 22.13, could not write messages beside the index: there it is removed, and
 * searching reads every message.
 */
export async function prepareSearchIndex(
  db: AnyKysely,
  // For a test of a SQLite without FTS5.
  canIndex: () => Promise<boolean> = () => hasFts5(db),
): Promise<void> {
  if (dialectOf(db) !== 'sqlite') return;
  const wanted = await canIndex();
  const isDone = (on: AnyKysely) => (wanted ? isUpToDate(on) : hasSearchIndex(on).then((is) => !is));
  if (await isDone(db)) return;
  await inTransaction(db, async (transaction) => {
    // Another process may have been first.
    if (await isDone(transaction)) return;
    for (const statement of wanted ? creation : removal) await sql.raw(statement).execute(transaction);
  });
}

async function hasFts5(db: AnyKysely): Promise<boolean> {
  const { rows } = await sql<{
    used: number;
  }>`select sqlite_compileoption_used('ENABLE_FTS5') as used`.execute(db);
  return Number(rows[0]?.used) === 1;
}
