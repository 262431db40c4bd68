import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ErasureLog } from '@bonafide/ledger-core';
import {
  type ErasureListContent,
  type ListedBackup,
  openErasureList,
  openPostgresErasures,
} from '@bonafide/storage';
import type { Kysely } from 'kysely';
import { openAny } from './databases.ts';
import { isPostgres } from './workspace.ts';

const listEnd = '.erasures';

/** The lists of erasures that concern a database. */
export interface ErasureLists {
  /** The list of the database itself. */
  readonly own: ErasureListContent;
  /** That list, and those of the databases in the same folder: a peer is erased from all of them. */
  readonly all: readonly ErasureListContent[];
}

/** Opens the list for writing: a file beside a database that is a file, or a table in a Postgres database. */
export const openErasures = (path: string, db: Kysely<unknown>): ErasureLog =>
  isPostgres(path) ? openPostgresErasures(db) : openErasureList(path);

/** Reads the lists of a database, which need not exist. @throws StorageError `ERASURES_DAMAGED` */
export async function readErasures(path: string): Promise<ErasureLists> {
  if (isPostgres(path)) {
    await using db = openAny(path);
    const own = await openPostgresErasures(db).read();
    return { own, all: [own] };
  }
  const own = openErasureList(path).read();
  const folder = dirname(path);
  const others = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(listEnd))
        .map((name) => join(folder, name.slice(0, -listEnd.length)))
        .filter((database) => database !== path)
    : [];
  return { own, all: [own, ...others.map((database) => openErasureList(database).read())] };
}

/** Returns the backups of a database and of those in the same folder. */
export function listedBackups({ all }: ErasureLists): readonly ListedBackup[] {
  return all.flatMap(({ backups }) => backups);
}

/**
 * Returns the time at which a backup was made, ms since epoch; null when no list knows this content. Its name proves nothing: backups
 * are rotated.
 */
export async function timeOfBackup(file: string, lists: ErasureLists): Promise<number | null> {
  const sha256 = await sha256OfFile(file);
  const times = listedBackups(lists).flatMap((made) => (made.sha256 === sha256 ? [made.at] : []));
  return times.length === 0 ? null : Math.min(...times);
}

/** Returns the SHA-256 of a file, hex. */
export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}
