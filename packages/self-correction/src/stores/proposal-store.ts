import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '@bonafide/internal';

/** A proposal of one threshold, as it was fixed before the first request to the forge. */
export interface StoredProposal {
  /** Name of the constant, one per threshold. */
  readonly constant: string;
  /** Digest of change and evidence. */
  readonly evidence: string;
  readonly branch: string;
  /** ms since epoch. */
  readonly createdAt: number;
  /** Head at which the forge was asked to merge; null when it was not. */
  readonly mergeHead: string | null;
}

/** Storage of the newest proposal per threshold. One process at a time proposes for a threshold. */
export interface ProposalStore {
  get(constant: string): Promise<StoredProposal | null>;
  /** Stores the newest proposal of its threshold, durably. */
  put(proposal: StoredProposal): Promise<void>;
}

/** Creates a store in memory, for tests and for agents without persistence. */
export function createMemoryProposalStore(): ProposalStore {
  const proposals = new Map<string, StoredProposal>();
  return {
    get: async (constant) => proposals.get(constant) ?? null,
    async put(proposal) {
      proposals.set(proposal.constant, proposal);
    },
  };
}

/**
 * Creates a store over `directory` with one file per threshold. A file is written under a temporary name, flushed and renamed, so
 * that a power failure leaves the old or the new one.
 */
export function createFileProposalStore(directory: string): ProposalStore {
  // A name may be too long for a file.
  const fileOf = (constant: string) => join(directory, `${sha256Hex(constant).slice(0, 32)}.json`);
  return {
    async get(constant) {
      try {
        return JSON.parse(await readFile(fileOf(constant), 'utf8'));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    async put(proposal) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const file = fileOf(proposal.constant);
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
