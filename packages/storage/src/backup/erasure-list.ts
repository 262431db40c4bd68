import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { throwTranslated } from '../driver-errors.ts';
import { StorageError } from '../errors.ts';
import {
  type ErasureInput,
  type ErasureLine,
  type ErasureListContent,
  erasedLine,
  type KeyedContent,
  type ListedBackup,
  listContent,
  newKeyLine,
  parseErasureLine,
} from './erasure-lines.ts';

/** The list of erasures and backups beside a database. */
export interface ErasureList {
  /** Path of the list: that of the database and `.erasures`. */
  readonly path: string;
  /** Adds an erasure and waits until it is on disk. */
  add(erasure: ErasureInput): void;
  /** Adds a backup, whose peers may have to be erased later. */
  addBackup(backup: ListedBackup): void;
  /**
   * Reads the list; an empty one when there is none. An unfinished last line of a process that was killed is ignored.
   *
   * @throws {StorageError} `ERASURES_DAMAGED`
   */
  read(): ErasureListContent;
}

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

  function read(): KeyedContent {
    const text = existsSync(path) ? readTextFile(path) : '';
    const lines: ErasureLine[] = [];
    const numbers: number[] = [];
    for (const [index, line] of text.split('\n').entries()) {
      const parsed = parseErasureLine(line);
      // A line that was not finished was never acknowledged.
      if (parsed === 'unfinished' && !line.endsWith(end)) continue;
      if (parsed === 'unfinished' || parsed === null) throw damaged(path, index + 1);
      lines.push(parsed);
      numbers.push(index + 1);
    }
    return listContent(lines, (index) => damaged(path, numbers[index] ?? 0));
  }

  function append(line: ErasureLine): void {
    try {
      const isUnfinished = existsSync(path) && !readFileSync(path, 'utf8').endsWith('\n');
      // In one write, so that lines of two processes never mix.
      appendFileSync(path, `${isUnfinished ? '\n' : ''}${JSON.stringify(line)}${end}\n`, {
        mode: 0o600,
        flush: true,
      });
    } catch (error) {
      throwTranslated(error, path);
    }
  }

  /** Returns the content of the list. Begins a list that has no key. */
  function begin(): ErasureListContent {
    const known = read();
    if (known.key !== null) return known;
    // Of two processes that begin, the first key counts. An unfinished line before it is ignored.
    append(newKeyLine());
    return read();
  }

  return {
    path,
    add: (erasure) => append(erasedLine(erasure, begin())),
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

function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throwTranslated(error, path);
  }
}

function damaged(path: string, line: number): StorageError {
  return new StorageError(
    'ERASURES_DAMAGED',
    `Line ${line} of ${path} is damaged: it is not known what was erased. Nothing was changed. Restore the list from a copy, or remove the line if you accept that its peer comes back.`,
  );
}
