import { dialectOf } from '@bonafide/storage';
import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: any schema will do; Kysely<unknown> would refuse most
type AnyKysely = Kysely<any>;

/** Columns of a message whose text is removed. */
export function noText(db: AnyKysely) {
  return {
    content: '',
    evidence: null,
    ...(dialectOf(db) === 'postgres' && { search_words: null }),
  };
}

/**
 * Makes SQLite overwrite what is deleted from now on, on this connection. `openSqlite` does it for every connection; this
 * is for hosts that open the database otherwise.
 */
export async function overwriteDeleted(db: AnyKysely): Promise<void> {
  if (dialectOf(db) === 'sqlite') await sql`pragma secure_delete = on`.execute(db);
}

/**
 * Moves SQLite's write-ahead log into the file and empties it, so that removed text is in neither. Does nothing while
 * another process reads: the log is emptied by a later checkpoint then.
 */
export async function emptyLog(db: AnyKysely): Promise<void> {
  if (dialectOf(db) !== 'sqlite') return;
  // The removal is done: a checkpoint that is refused is no failure of it.
  await sql`pragma wal_checkpoint(truncate)`.execute(db).catch(() => {});
}
