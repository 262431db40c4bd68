/** A proposal of one threshold, as it was fixed before the first request to the forge. */
export interface StoredProposal {
  /** Name of the constant, one per threshold. */
  readonly constant: string;
  /** Increases by 1 with every write; 1 for the first one. */
  readonly revision: number;
  /** Digest of change and evidence. */
  readonly evidence: string;
  readonly branch: string;
  /** ms since epoch. */
  readonly createdAt: number;
  /** Head at which the forge was asked to merge; null when it was not. */
  readonly mergeHead: string | null;
}

/** Storage of the newest proposal per threshold, shared by all processes of one agent. */
export interface ProposalStore {
  /** Returns the newest proposal of a threshold, or null. */
  get(constant: string): Promise<StoredProposal | null>;
  /**
   * Stores a proposal, durably, when the stored revision is `proposal.revision - 1` (0 without one). Returns false and changes
   * nothing otherwise.
   */
  put(proposal: StoredProposal): Promise<boolean>;
}

/** Creates a store in memory, for tests and for agents without persistence. */
export function createMemoryProposalStore(): ProposalStore {
  const proposals = new Map<string, StoredProposal>();
  return {
    get: async (constant) => structuredClone(proposals.get(constant) ?? null),
    async put(proposal) {
      const { constant, revision } = proposal;
      if ((proposals.get(constant)?.revision ?? 0) !== revision - 1) return false;
      proposals.set(constant, { ...proposal });
      return true;
    },
  };
}
