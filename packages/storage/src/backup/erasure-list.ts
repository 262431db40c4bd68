import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { resolve } from 'node:path';
import { bytesToHex, hmacBase32 } from '@bonafide/internal';
import { StorageError } from '../errors.ts';

/** A named value: the first one of its name, or in place of another one. */
export interface KeptValue {
  readonly name: string;
  readonly write: { readonly first: string } | { readonly replace: string | null };
}

/** An erasure to list. */
export interface ErasureInput {
  /** Scope within a shared database; null when there is none. */
  readonly agentId: string | null;
  readonly peerId: string;
  /** The ids outside of what was erased. */
  readonly externalIds: readonly string[];
  /** What was recorded until this time was erased, ms since epoch. */
  readonly at: number;
  /** Values that a restored store has to keep, such as a verdict, in order. */
  readonly keptValues: readonly KeptValue[];
}

/** A listed erasure: keyed hashes in place of the ids. */
export interface ListedErasure extends Pick<ErasureInput, 'agentId' | 'at' | 'keptValues'> {
  readonly peer: string;
  readonly externalIds: readonly string[];
}

/** Content of a list. */
export interface ErasureListContent {
  readonly erasures: readonly ListedErasure[];
  /** Backups of the database, in the order in which they were made. */
  readonly backups: readonly { readonly path: string; readonly at: number }[];
  /** Hashes an id like the ids of the list. */
  hash(id: string): string;
}

/** The list of erasures and backups beside a database. */
export interface ErasureList {
  /** Path of the list: that of the database and `.erasures`. */
  readonly path: string;
  /** Adds an erasure and waits until it is on disk. */
  add(erasure: ErasureInput): void;
  /** Adds a backup, whose peers may have to be erased later. */
  addBackup(backup: { readonly path: string; readonly at: number }): void;
  /**
   * Reads the list; an empty one when there is none. An unfinished last line of a process that was killed is ignored.
   *
   * @throws {StorageError} `ERASURES_DAMAGED`
   */
  read(): ErasureListContent;
}

type Line =
  | { readonly key: string }
  | { readonly erased: ListedErasure }
  | { readonly backup: { readonly path: string; readonly at: number } };

const hashLength = 26;

/**
 * Opens the list of erasures beside a database, which need not exist. The list is outside of the database, so that a
 * restored backup can be erased again. It keeps keyed hashes of ids: the file lets its reader test a candidate id,
 * but not list the ids. Mode 0600.
 *
 * @example
 * const ledger = createLedger({ store, erasures: openErasureList('ledger.db') });
 */
export function openErasureList(databasePath: string): ErasureList {
  const path = `${resolve(databasePath)}.erasures`;

  function read(): ErasureListContent & { readonly key: string | null } {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const erasures: ListedErasure[] = [];
    const backups: { path: string; at: number }[] = [];
    let key: string | null = null;
    for (const [index, line] of text.split('\n').entries()) {
      const parsed = parseLine(line);
      if (parsed === 'torn') continue;
      if (parsed === null || (key === null && !('key' in parsed))) throw damaged(path, index + 1);
      if ('key' in parsed) key ??= parsed.key;
      else if ('backup' in parsed) backups.push(parsed.backup);
      else erasures.push(parsed.erased);
    }
    const hash = (id: string) => hmacBase32(key ?? '', id).slice(0, hashLength);
    return { key, erasures, backups, hash };
  }

  function append(line: Line): void {
    const isUnfinished = existsSync(path) && !readFileSync(path, 'utf8').endsWith('\n');
    // In one write, so that lines of two processes never mix.
    appendFileSync(path, `${isUnfinished ? '\n' : ''}${JSON.stringify(line)}${end}\n`, {
      mode: 0o600,
      flush: true,
    });
  }

  /** Returns the key of the list. Begins a list that has none. */
  function begin(): ErasureListContent {
    const known = read();
    if (known.key !== null) return known;
    // At most the unfinished line with a key that was never used.
    if (existsSync(path)) truncateSync(path);
    append({ key: bytesToHex(globalThis.crypto.getRandomValues(new Uint8Array(32))) });
    return read();
  }

  return {
    path,
    add({ agentId, peerId, externalIds, at, keptValues }) {
      const { hash } = begin();
      append({
        erased: { agentId, peer: hash(peerId), externalIds: externalIds.map(hash), at, keptValues },
      });
    },
    addBackup(backup) {
      begin();
      append({ backup });
    },
    read() {
      const { erasures, backups, hash } = read();
      return { erasures, backups, hash };
    },
  };
}

/** Ends every line. JSON has no tab within, so that a line that lacks it was never finished, nor acknowledged. */
const end = '\t';

/** Returns null for a damaged line. */
function parseLine(line: string): Line | 'torn' | null {
  try {
    const parsed = JSON.parse(line) as Partial<Record<'key' | 'erased' | 'backup', unknown>> | null;
    if (typeof parsed?.key === 'string') return parsed as Line;
    return isObject(parsed?.erased) || isObject(parsed?.backup) ? (parsed as Line) : null;
  } catch {
    return line.endsWith(end) ? null : 'torn';
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function damaged(path: string, line: number): StorageError {
  return new StorageError(
    'ERASURES_DAMAGED',
    `Line ${line} of ${path} is damaged: it is not known what was erased. Nothing was changed. Restore the list from a copy, or remove the line if you accept that its peer comes back.`,
  );
}
