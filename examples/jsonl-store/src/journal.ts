import { type FileHandle, open, rename } from 'node:fs/promises';
import type {
  Assessment,
  InteractionWrite,
  OutcomeWrite,
  ValueWrite,
  VoidWrite,
} from '@bonafide/ledger-core';

/** One line of the file: a write that the store accepted. */
export type Entry =
  | { readonly op: 'interaction'; readonly write: InteractionWrite }
  | { readonly op: 'outcome'; readonly write: OutcomeWrite }
  | { readonly op: 'assessment'; readonly assessment: Assessment }
  | { readonly op: 'prune'; readonly before: number }
  | { readonly op: 'void'; readonly write: VoidWrite }
  | { readonly op: 'value'; readonly name: string; readonly write: ValueWrite };

const header = '{"format":"bonafide-ledger-journal","version":1}';
const operations: readonly unknown[] = ['interaction', 'outcome', 'assessment', 'prune', 'void', 'value'];

/** Content of a journal file. */
type Journal =
  | {
      readonly kind: 'journal';
      readonly entries: readonly Entry[] /** Bytes of whole lines; what follows is torn. */;
      readonly length: number;
    }
  /** Nothing yet, or a first line that was never finished. */
  | { readonly kind: 'new' }
  | { readonly kind: 'foreign' }
  /** Number of the first complete line that is not a valid entry, from 1. */
  | { readonly kind: 'damaged'; readonly line: number };

/** Reads a journal. A line counts when its newline is there, because that is written last. */
function parseJournal(bytes: Buffer): Journal {
  const length = bytes.lastIndexOf('\n') + 1;
  const lines = bytes.toString('utf8', 0, length).split('\n').slice(0, -1);
  if (lines.length === 0)
    return header.startsWith(bytes.toString('utf8')) ? { kind: 'new' } : { kind: 'foreign' };
  if (lines[0] !== header) return { kind: 'foreign' };
  const entries: Entry[] = [];
  for (const [index, line] of lines.slice(1).entries()) {
    const entry = parseEntry(line);
    if (entry === null) return { kind: 'damaged', line: index + 2 };
    entries.push(entry);
  }
  return { kind: 'journal', entries, length };
}

function parseEntry(line: string): Entry | null {
  try {
    const entry: unknown = JSON.parse(line);
    return operations.includes((entry as Partial<Entry> | null)?.op) ? (entry as Entry) : null;
  } catch {
    return null;
  }
}

/** Reads the journal in `file`, begins it when it is new, and cuts off a torn last line. */
export async function readJournal(
  file: FileHandle,
  path: string,
): Promise<{ readonly entries: readonly Entry[]; readonly length: number }> {
  const bytes = await file.readFile();
  const journal = parseJournal(bytes);
  switch (journal.kind) {
    case 'foreign':
      throw new Error(`${path} is not a ledger journal; nothing in it was changed. Choose another path.`);
    case 'damaged':
      throw new Error(`Line ${journal.line} of ${path} is damaged; nothing was changed. Restore a backup.`);
    case 'new':
      await file.truncate(0);
      await file.appendFile(`${header}\n`);
      await file.datasync();
      return { entries: [], length: header.length + 1 };
    case 'journal':
      if (journal.length < bytes.length) await file.truncate(journal.length);
      return journal;
  }
}

/**
 * Rewrites the journal without the text and evidence of interactions before `before`, and replaces the old
 * file atomically. Returns the new file, open for appending, and its length.
 */
export async function rewriteWithoutText(
  path: string,
  before: number,
): Promise<{ readonly file: FileHandle; readonly length: number }> {
  const old = await open(path, 'r');
  const { entries } = await readJournal(old, path).finally(() => old.close());
  const kept = entries.map((entry): Entry => {
    if (entry.op !== 'interaction' || entry.write.interaction.createdAt >= before) return entry;
    const interaction = { ...entry.write.interaction, content: '', evidence: null };
    return { ...entry, write: { ...entry.write, interaction } };
  });
  const lines = [...kept, { op: 'prune', before } as const].map((entry) => `${JSON.stringify(entry)}\n`);
  const bytes = Buffer.from(`${header}\n${lines.join('')}`);
  const next = await open(`${path}.new`, 'w', 0o600);
  try {
    await next.writeFile(bytes);
    await next.datasync();
  } finally {
    await next.close();
  }
  await rename(`${path}.new`, path);
  return { file: await open(path, 'a+'), length: bytes.length };
}
