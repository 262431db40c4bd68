/**
 * Snapshots of a routing matrix in a folder.
 * @packageDocumentation
 */
import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '@bonafide/internal';
import * as z from 'zod';
import { wholeClock } from '../clock.ts';
import { callable, parseOptions } from '../schemas.ts';
import type { SnapshotStore } from './snapshot.ts';

/** Options of {@link createFileSnapshots}. */
export interface FileSnapshotsOptions {
  /** Folder, created when it is missing. One per log. */
  readonly folder: string;
  /** Number of snapshots that are kept, at least 2. @default 3 */
  readonly keep?: number;
  /** Current time in ms since epoch, for the names of the files. @default Date.now */
  readonly clock?: () => number;
}

const nameOf = /^snapshot-(\d{16})-[0-9a-f]{8}\.json$/u;

const optionsSchema = z.strictObject({
  folder: z.string().min(1),
  keep: z.int().min(2).default(3),
  clock: callable<() => number>().optional(),
});

/**
 * Creates a store of snapshots in files. A snapshot is written to a temporary file, flushed to the disk and renamed, so
 * that a reader finds it whole or not at all.
 *
 * @throws RoutingError `INVALID_CONFIG`
 */
export function createFileSnapshots(options: FileSnapshotsOptions): SnapshotStore {
  const {
    folder,
    keep,
    clock: given = Date.now,
  } = parseOptions(optionsSchema, options, 'createFileSnapshots');
  const clock = wholeClock(given);

  const newestFirst = async () =>
    (await readdir(folder).catch(() => []))
      .filter((name) => nameOf.test(name))
      .sort()
      .reverse();

  return {
    async write(snapshot) {
      makeFolder(folder);
      const [newest] = await newestFirst();
      const after = Number(nameOf.exec(newest ?? '')?.[1] ?? 0);
      const number = String(Math.max(clock(), after + 1)).padStart(16, '0');
      const path = join(folder, `snapshot-${number}-${randomBytes(4).toString('hex')}.json`);
      const temporary = `${path}.tmp`;
      try {
        const file = await open(temporary, 'wx', 0o600);
        try {
          await file.writeFile(snapshot);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      await flush(folder);
      for (const old of (await newestFirst()).slice(keep)) await rm(join(folder, old), { force: true });
      await removeLeftovers(folder, clock());
    },

    async *read() {
      for (const name of await newestFirst()) {
        const text = await readFile(join(folder, name), 'utf8').catch(() => null);
        if (text !== null) yield text;
      }
    },
  };
}

/** Flushes the entries of a folder, where the platform supports it. */
async function flush(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  if (handle === null) return;
  try {
    await handle.sync().catch(() => {});
  } finally {
    await handle.close();
  }
}

const leftoverMs = 3_600_000;

/** Removes temporary files of writers that were killed, once they are an hour old. */
async function removeLeftovers(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const at = Number(/^snapshot-(\d{16})-[0-9a-f]{8}\.json\.tmp$/u.exec(name)?.[1] ?? Number.NaN);
    if (at < now - leftoverMs) await rm(join(folder, name), { force: true });
  }
}
