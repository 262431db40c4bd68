import { existsSync } from 'node:fs';
import { open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createSemaphore, makeFolder } from '@bonafide/internal';
import * as z from 'zod';
import { isSameTask } from '../edit/definition.ts';
import { parseConfig, parseInput } from '../errors.ts';
import { clockSchema, folderSchema } from '../host-options.ts';

/** One entry of the audit log. It refers to the commit, the proposal and the message of the same step. */
export interface AuditEntry {
  /** ms since epoch. */
  readonly at: number;
  readonly action:
    | 'proposed'
    | 'updated'
    | 'unchanged'
    | 'refused'
    | 'declined'
    | 'merged'
    | 'scheduled'
    | 'cancelled'
    | 'withdrawn'
    | 'rolled back';
  readonly task: string;
  readonly from: number;
  readonly to: number;
  /** Digest of change and evidence. */
  readonly evidence: string;
  readonly branch: string | null;
  readonly commit: string | null;
  /** Id of the proposal at the forge. */
  readonly proposal: string | null;
  /** Id of the encrypted message to oneself. */
  readonly message: string | null;
  /** Human-readable detail. */
  readonly detail: string;
}

/** An append-only log of what was proposed and merged. */
export interface AuditLog {
  append(entry: AuditEntry): Promise<void>;
  /**
   * Returns the newest entries, at most `limit` (1…10,000, by default 100), oldest first, of all tasks or of those with the constant
   * of `task`. @throws SelfCorrectionError `INVALID_INPUT`
   */
  read(options?: AuditQuery): Promise<readonly AuditEntry[]>;
}

/** Selection of {@link AuditLog.read}. */
export interface AuditQuery {
  readonly task?: string;
  readonly limit?: number;
}

const querySchema = z.strictObject({
  task: z.string().optional(),
  limit: z.int().min(1).max(10_000).default(100),
});

/** Reads the selection of {@link AuditLog.read}. Throws `INVALID_INPUT`, also for a name that does not exist. */
export function readAuditQuery(query: AuditQuery): {
  readonly task: string | undefined;
  readonly limit: number;
} {
  const { task, limit } = parseInput(querySchema, 'options', query);
  return { task, limit };
}

/** Creates a log in memory. */
export function createMemoryAuditLog(): AuditLog {
  const entries: AuditEntry[] = [];
  return {
    async append(entry) {
      entries.push(entry);
    },
    async read(options = {}) {
      const { task, limit } = readAuditQuery(options);
      return entries.filter((entry) => task === undefined || isSameTask(entry.task, task)).slice(-limit);
    },
  };
}

const days = z.number().min(0);
const fileOptionsSchema = z.strictObject({
  hotDays: days.default(90),
  coldDays: days.default(365),
  clock: clockSchema,
});
const dayMs = 86_400_000;
const name = /^audit-(\d{4}-\d{2}-\d{2})\.jsonl(\.gz)?$/u;

/** A log in files, with their maintenance. */
export interface FileAuditLog extends AuditLog {
  /** Compresses files older than `hotDays` and deletes those older than `coldDays`. `append` does it once a day. */
  rotate(): Promise<void>;
}

/**
 * Creates a log of JSON lines in `directory`, one file per day (UTC). Files are compressed after 90 days and deleted after
 * 365 more; a torn last line, after a crash, is skipped.
 */
export function createFileAuditLog(
  directory: string,
  options: { readonly hotDays?: number; readonly coldDays?: number; readonly clock?: () => number } = {},
): FileAuditLog {
  parseConfig(folderSchema, 'directory', directory);
  const { hotDays, coldDays, clock = Date.now } = parseConfig(fileOptionsSchema, 'options', options);
  let rotatedOn = '';
  // One at a time: an entry that is written while its day is compressed would be removed with the file.
  const one = createSemaphore(1);
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

  async function files(): Promise<readonly string[]> {
    if (!existsSync(directory)) return [];
    return (await readdir(directory)).filter((file) => name.test(file)).toSorted();
  }

  async function textOf(file: string): Promise<string> {
    const bytes = await readFile(join(directory, file));
    return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  }

  /** Lines of the archive of a day and of its file, which may exist both: after a crash, or for entries that came late. */
  async function textOfDay(files: readonly string[]): Promise<string> {
    const textsOf = async (isArchive: boolean) =>
      (await Promise.all(files.filter((file) => file.endsWith('.gz') === isArchive).map(textOf))).join('');
    const archived = await textsOf(true);
    const late = await textsOf(false);
    // A crash between the archive and the removal of the file leaves the same lines in both.
    return archived.endsWith(late) ? archived : archived + late;
  }

  async function compress(file: string): Promise<void> {
    const path = join(directory, file);
    const archive = `${file}.gz`;
    const existing = (await readdir(directory)).filter((each) => each === file || each === archive);
    // Under a temporary name until it is whole, so that a crash loses nothing.
    const temporary = `${path}.${process.pid}.tmp`;
    await writeFile(temporary, gzipSync(await textOfDay(existing)), { mode: 0o600, flush: true });
    await rename(temporary, join(directory, archive));
    await rm(path, { force: true });
  }

  async function rotate(): Promise<void> {
    for (const file of await files()) {
      const [, day = '', isCold] = name.exec(file) ?? [];
      const age = (Date.parse(dayOf(clock())) - Date.parse(day)) / dayMs;
      if (age > hotDays + coldDays) await rm(join(directory, file));
      else if (age > hotDays && isCold === undefined) await compress(file);
    }
  }

  async function entriesOf(files: readonly string[]): Promise<readonly AuditEntry[]> {
    return (await textOfDay(files)).split('\n').flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as AuditEntry];
      } catch {
        return [];
      }
    });
  }

  async function write(entry: AuditEntry): Promise<void> {
    makeFolder(directory, 0o700);
    const today = dayOf(entry.at);
    const handle = await open(join(directory, `audit-${today}.jsonl`), 'a', 0o600);
    try {
      // Begins a line, in case a crash tore the last one.
      await handle.appendFile(`\n${JSON.stringify(entry)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (rotatedOn !== today) await rotate();
    rotatedOn = today;
  }

  async function read({ task, limit }: ReturnType<typeof readAuditQuery>): Promise<readonly AuditEntry[]> {
    const found: AuditEntry[] = [];
    const days = Map.groupBy(await files(), (file) => name.exec(file)?.[1] ?? '');
    for (const day of [...days.keys()].toSorted().toReversed()) {
      const entries = (await entriesOf(days.get(day) ?? [])).filter(
        (entry) => task === undefined || isSameTask(entry.task, task),
      );
      found.unshift(...entries);
      if (found.length >= limit) break;
    }
    return found.slice(-limit);
  }
  return {
    rotate: () => one.run(rotate),
    append: (entry) => one.run(() => write(entry)),
    read: (options = {}) => one.run(() => read(readAuditQuery(options))),
  };
}
