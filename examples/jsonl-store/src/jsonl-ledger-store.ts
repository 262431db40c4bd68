import { type FileHandle, open } from 'node:fs/promises';
import { createMemoryLedgerStore, type LedgerStore } from '@bonafide/ledger-core';
import { acquireWriter, type WriterLock } from '@bonafide/storage';
import { type Entry, readJournal, rewriteWithoutText } from './journal.ts';

/** A ledger store that owns a file. */
export interface JsonlLedgerStore extends LedgerStore {
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens a ledger in one append-only text file, a JSON document per line. The memory store answers queries; every write
 * that it accepts is appended and synced before it is acknowledged, and opening replays the file. One process at a time,
 * and the journal has to fit into memory.
 *
 * @throws when another process holds the file, when it is not a journal, or when a line in its middle is damaged; the file
 * is unchanged then. An incomplete last line was never acknowledged and is removed.
 */
export async function openJsonlLedgerStore(options: { readonly path: string }): Promise<JsonlLedgerStore> {
  const lock = acquireWriter(options);
  let file: FileHandle | undefined;
  try {
    file = await open(options.path, 'a+', 0o600);
    const { entries, length } = await readJournal(file, options.path);
    const memory = createMemoryLedgerStore();
    for (const entry of entries) await replay(memory, entry);
    return storeOver({ path: options.path, file, length, memory, lock });
  } catch (error) {
    await file?.close();
    lock.release();
    throw error;
  }
}

async function replay(memory: LedgerStore, entry: Entry): Promise<void> {
  if (entry.op === 'interaction') await memory.recordInteraction(entry.write);
  else if (entry.op === 'outcome') await memory.recordOutcome(entry.write);
  else if (entry.op === 'prune') await memory.prune(entry.before);
  else if (entry.op === 'void') await memory.voidInteraction(entry.write);
  else if (entry.op === 'value') await memory.keepValue(entry.name, entry.write);
  else await memory.recordAssessment(entry.assessment.peerId, () => entry.assessment);
}

interface OpenJournal {
  readonly path: string;
  readonly file: FileHandle;
  /** Bytes up to the end of the last whole line. */
  readonly length: number;
  readonly memory: LedgerStore;
  readonly lock: WriterLock;
}

function storeOver({ path, memory, lock, ...opened }: OpenJournal): JsonlLedgerStore {
  let { file, length } = opened;
  let unusable: Error | undefined;
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();

  /** One call at a time: each sees what the ones before it did, on disk as well. */
  function inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const turn = last.then(() => {
      if (unusable !== undefined) throw unusable;
      return work();
    });
    last = turn.catch(() => {});
    return turn;
  }

  async function append(entry: Entry): Promise<void> {
    const line = Buffer.from(`${JSON.stringify(entry)}\n`);
    try {
      await file.appendFile(line);
      await file.datasync();
      length += line.length;
    } catch (cause) {
      // Memory is ahead of the file now, so nothing more is answered from it; the half line goes if it can.
      unusable = new Error('The journal could not be written. Make room for it and open it again.', {
        cause,
      });
      await file.truncate(length).catch(() => {});
      throw unusable;
    }
  }

  async function rewrite(before: number): Promise<void> {
    const old = file;
    ({ file, length } = await rewriteWithoutText(path, before));
    await old.close();
  }

  const close = async () => {
    await last;
    if (isClosed) return;
    isClosed = true;
    unusable = new Error('The ledger store was closed. Open it again.');
    await file.close();
    lock.release();
  };

  return {
    agentId: null,

    recordInteraction: (write) =>
      inTurn(async () => {
        const answer = await memory.recordInteraction(write);
        if (answer.recorded) await append({ op: 'interaction', write });
        return answer;
      }),
    recordOutcome: (write) =>
      inTurn(async () => {
        const answer = await memory.recordOutcome(write);
        if (answer.kind === 'recorded') await append({ op: 'outcome', write });
        return answer;
      }),
    recordAssessment: (peerId, assess) =>
      inTurn(async () => {
        const assessment = await memory.recordAssessment(peerId, assess);
        if (assessment !== null) await append({ op: 'assessment', assessment });
        return assessment;
      }),

    voidInteraction: (write) =>
      inTurn(async () => {
        const answer = await memory.voidInteraction(write);
        if (answer.kind === 'voided') await append({ op: 'void', write });
        return answer;
      }),
    forgetPeer: async () => {
      throw new Error('A journal of lines cannot erase a peer. Keep the ledger in SQLite or Postgres.');
    },

    getPeer: (peerId) => inTurn(() => memory.getPeer(peerId)),
    listPeers: (query) => inTurn(() => memory.listPeers(query)),
    listInteractions: (query) => inTurn(() => memory.listInteractions(query)),
    searchInteractions: (query) => inTurn(async () => (await memory.searchInteractions?.(query)) ?? []),
    listOutcomes: (query) => inTurn(() => memory.listOutcomes(query)),
    listAssessments: (query) => inTurn(() => memory.listAssessments(query)),
    keepValue: (name, write) =>
      inTurn(async () => {
        const before = await memory.keepValue(name);
        const value = await memory.keepValue(name, write);
        if (write && value !== before) await append({ op: 'value', name, write });
        return value;
      }),
    getTotals: () => inTurn(() => memory.getTotals()),
    prune: (before) =>
      inTurn(async () => {
        const pruned = await memory.prune(before);
        if (pruned > 0) await rewrite(before);
        return pruned;
      }),

    close,
    [Symbol.asyncDispose]: close,
  };
}
