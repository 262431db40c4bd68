import type { DatabaseSync } from 'node:sqlite';
import type { NostrEvent } from '../event/event.ts';
import type { Archive } from './archive.ts';
import { TestRelayError } from './errors.ts';
import { type EventRecord, toRecord } from './record.ts';

/** The application id of the file ('BFRL' in ASCII), to recognize other databases. */
const applicationId = 0x42_46_52_4c;

/**
 * Stores the relay's events in a SQLite file through `node:sqlite`. A write has reached the operating system
 * when it returns, so it survives the end of the process (SIGKILL); a power failure may lose the last
 * moments.
 *
 * @throws TestRelayError `SQLITE_UNAVAILABLE`, `STORE_IN_USE` or `STORE_INVALID`.
 */
export function openSqliteArchive(path: string): Archive {
  // Not an import: Node before 22.13 has no such module, and only those who give a path need it.
  const sqlite = process.getBuiltinModule('node:sqlite');
  if (sqlite === undefined) {
    throw new TestRelayError(
      'SQLITE_UNAVAILABLE',
      'A relay on a file needs node:sqlite: use Node 22.13 or later',
    );
  }
  const db = open(() => new sqlite.DatabaseSync(path), path);
  const insert = db.prepare('INSERT INTO event (id, json) VALUES (?, ?)');
  const erase = db.prepare('DELETE FROM event WHERE id = ?');
  const select = db.prepare('SELECT json FROM event ORDER BY position');

  const together = (change: () => void) => {
    db.exec('BEGIN IMMEDIATE');
    try {
      change();
      db.exec('COMMIT');
    } catch (error) {
      db.exec('ROLLBACK');
      throw error;
    }
  };

  return {
    *load() {
      for (const row of select.iterate()) {
        const event = JSON.parse(String(row.json)) as NostrEvent;
        yield toRecord(Object.freeze(event));
      }
    },
    write({ event, json }, remove) {
      if (remove.length === 0) {
        insert.run(event.id, json);
        return;
      }
      together(() => {
        for (const old of remove) erase.run(old.event.id);
        insert.run(event.id, json);
      });
    },
    remove(records: readonly EventRecord[]) {
      together(() => {
        for (const { event } of records) erase.run(event.id);
      });
    },
    close() {
      db.close();
    },
  };
}

function open(make: () => DatabaseSync, path: string): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    db = make();
    prepare(db, path);
    return db;
  } catch (cause) {
    db?.close();
    throw cause instanceof TestRelayError ? cause : explain(cause, path);
  }
}

function prepare(db: DatabaseSync, path: string): void {
  // One relay per file: two would each keep a picture of their own in memory.
  db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA busy_timeout = 1000');
  const number = (pragma: string) => Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
  const tables = Number(db.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE type = 'table'").get()?.n);
  if (tables > 0 && number('application_id') !== applicationId) {
    throw new TestRelayError('STORE_INVALID', `${path} is some other database: choose another path`);
  }
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA application_id = ${applicationId};
    CREATE TABLE IF NOT EXISTS event (
      position INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      json TEXT NOT NULL
    ) STRICT;
  `);
}

function explain(cause: unknown, path: string): TestRelayError {
  const code = (cause as { readonly errcode?: number }).errcode;
  return code === 5 || code === 6
    ? new TestRelayError('STORE_IN_USE', `Another relay has ${path} open: close it first`, { cause })
    : new TestRelayError('STORE_INVALID', `${path} cannot be used as a relay's file`, { cause });
}
