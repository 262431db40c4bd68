import { bytesToHex, hmacBase32 } from '@bonafide/internal';

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

/** A backup of a database. */
export interface ListedBackup {
  readonly path: string;
  /** Time at which the copy was begun, ms since epoch. */
  readonly at: number;
  /** SHA-256 of the file, hex: a file of the same name may be another backup. Absent in lists of earlier versions. */
  readonly sha256?: string;
}

/** Content of a list. */
export interface ErasureListContent {
  readonly erasures: readonly ListedErasure[];
  /** Backups of the database, in the order in which they were made. */
  readonly backups: readonly ListedBackup[];
  /** Hashes an id like the ids of the list. */
  hash(id: string): string;
}

/** An entry of a list. The first one is its key. */
export type ErasureLine =
  | { readonly key: string }
  | { readonly erased: ListedErasure }
  | { readonly backup: ListedBackup };

/** What a list holds, and its key; null while it has none. */
export type KeyedContent = ErasureListContent & { readonly key: string | null };

const hashLength = 26;

/** Creates the first entry of a list. */
export function newKeyLine(): ErasureLine {
  return { key: bytesToHex(globalThis.crypto.getRandomValues(new Uint8Array(32))) };
}

/** Returns the entry of an erasure, with hashes in place of its ids. */
export function erasedLine(
  { agentId, peerId, externalIds, at, keptValues }: ErasureInput,
  { hash }: ErasureListContent,
): ErasureLine {
  return { erased: { agentId, peer: hash(peerId), externalIds: externalIds.map(hash), at, keptValues } };
}

/** Parses an entry. `unfinished` for a text that is no JSON, null for other JSON. */
export function parseErasureLine(text: string): ErasureLine | 'unfinished' | null {
  try {
    const parsed = JSON.parse(text) as Partial<Record<'key' | 'erased' | 'backup', unknown>> | null;
    const isEntry =
      typeof parsed?.key === 'string' || isErased(parsed?.erased) || isListedBackup(parsed?.backup);
    return isEntry ? (parsed as ErasureLine) : null;
  } catch {
    return 'unfinished';
  }
}

type Unchecked<Shape> = { readonly [Name in keyof Shape]?: unknown } | null | undefined;

function isErased(value: unknown): boolean {
  const { peer, at, externalIds, keptValues } = (value as Unchecked<ListedErasure>) ?? {};
  return (
    typeof peer === 'string' &&
    typeof at === 'number' &&
    Array.isArray(externalIds) &&
    Array.isArray(keptValues)
  );
}

function isListedBackup(value: unknown): boolean {
  const { path, at } = (value as Unchecked<ListedBackup>) ?? {};
  return typeof path === 'string' && typeof at === 'number';
}

/** Returns the content of a list. Of several keys the first counts. Throws what `fail` returns for an entry before the key. */
export function listContent(lines: readonly ErasureLine[], fail: (index: number) => Error): KeyedContent {
  const erasures: ListedErasure[] = [];
  const backups: ListedBackup[] = [];
  let key: string | null = null;
  for (const [index, line] of lines.entries()) {
    if ('key' in line) key ??= line.key;
    else if (key === null) throw fail(index);
    else if ('backup' in line) backups.push(line.backup);
    else erasures.push(line.erased);
  }
  const hash = (id: string) => hmacBase32(key ?? '', id).slice(0, hashLength);
  return { key, erasures, backups, hash };
}
