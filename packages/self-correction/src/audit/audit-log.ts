import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip, gunzipSync } from 'node:zlib';
import { isSameTask } from '../edit/definition.ts';

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
  /** Returns the newest entries, oldest first, of all tasks or of those with the constant of `task`. */
  read(options?: { readonly task?: string; readonly limit?: number }): Promise<readonly AuditEntry[]>;
}

/** Creates a log in memory. */
export function createMemoryAuditLog(): AuditLog {
  const entries: AuditEntry[] = [];
  return {
    async append(entry) {
      entries.push(entry);
    },
    async read({ task, limit = 100 } = {}) {
      return entries.filter((entry) => task === undefined || isSameTask(entry.task, task)).slice(-limit);
    },
  };
}

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
  const { hotDays = 90, coldDays = 365, clock = Date.now } = options;
  let rotatedOn = '';
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

  async function files(): Promise<readonly string[]> {
    if (!existsSync(directory)) return [];
    return (await readdir(directory)).filter((file) => name.test(file)).toSorted();
  }

  async function compress(file: string): Promise<void> {
    const path = join(directory, file);
    // Under a temporary name until it is whole, so that a crash loses nothing.
    await pipeline(
      createReadStream(path),
      createGzip(),
      createWriteStream(`${path}.gz.tmp`, { mode: 0o600 }),
    );
    await rename(`${path}.gz.tmp`, `${path}.gz`);
    await rm(path);
  }

  async function rotate(): Promise<void> {
    for (const file of await files()) {
      const [, day = '', isCold] = name.exec(file) ?? [];
      const age = (Date.parse(dayOf(clock())) - Date.parse(day)) / dayMs;
      if (age > hotDays + coldDays) await rm(join(directory, file));
      else if (age > hotDays && isCold === undefined) await compress(file);
    }
  }

  async function linesOf(file: string): Promise<readonly AuditEntry[]> {
    const bytes = await readFile(join(directory, file));
    const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    return text.split('\n').flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as AuditEntry];
      } catch {
        return [];
      }
    });
  }

  return {
    rotate,
    async append(entry) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
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
    },
    async read({ task, limit = 100 } = {}) {
      const found: AuditEntry[] = [];
      for (const file of (await files()).toReversed()) {
        const entries = (await linesOf(file)).filter(
          (entry) => task === undefined || isSameTask(entry.task, task),
        );
        found.unshift(...entries);
        if (found.length >= limit) break;
      }
      return found.slice(-limit);
    },
  };
}
