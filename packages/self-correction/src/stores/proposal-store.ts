import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '@bonafide/internal';

/** A proposal of one task, as it was fixed before the first request to the forge. */
export interface StoredProposal {
  readonly task: string;
  /** Digest of change and evidence. */
  readonly evidence: string;
  readonly branch: string;
  /** ms since epoch. */
  readonly createdAt: number;
}

/** Storage of the newest proposal per task. One process at a time proposes for a task. */
export interface ProposalStore {
  get(task: string): Promise<StoredProposal | null>;
  /** Stores the newest proposal of its task, durably. */
  put(proposal: StoredProposal): Promise<void>;
}

/** Creates a store in memory, for tests and for agents without persistence. */
export function createMemoryProposalStore(): ProposalStore {
  const proposals = new Map<string, StoredProposal>();
  return {
    get: async (task) => proposals.get(task) ?? null,
    async put(proposal) {
      proposals.set(proposal.task, proposal);
    },
  };
}

/**
 * Creates a store over `directory` with one file per task. A file is written under a temporary name, flushed and renamed, so
 * that a power failure leaves the old or the new one.
 */
export function createFileProposalStore(directory: string): ProposalStore {
  // The name of a task may be no name of a file.
  const fileOf = (task: string) => join(directory, `${sha256Hex(task).slice(0, 32)}.json`);
  return {
    async get(task) {
      try {
        return JSON.parse(await readFile(fileOf(task), 'utf8'));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    async put(proposal) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const file = fileOf(proposal.task);
      const handle = await open(`${file}.tmp`, 'w', 0o600);
      try {
        await handle.writeFile(JSON.stringify(proposal));
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(`${file}.tmp`, file);
    },
  };
}
