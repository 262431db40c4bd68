import type { CheckState } from '../proposal/limits.ts';

/** A file at one commit. */
export interface ForgeFile {
  readonly text: string;
  /** The commit that it was read at. */
  readonly commit: string;
}

/** A pull request, or what a forge has in its place. */
export interface ForgeProposal {
  readonly id: string;
  readonly branch: string;
  /** Commit at the head of the branch. */
  readonly head: string;
  /** `closed`: without a merge, by a person. */
  readonly state: 'open' | 'merged' | 'closed';
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  /** True when the agent or a person asked the forge to merge it once its checks pass. */
  readonly mergeScheduled: boolean;
  /** Address for people, or null. */
  readonly url: string | null;
}

/**
 * A repository with branches and pull requests. Every call may be repeated after a crash: it finds what an earlier call did.
 * Failures are errors of any type; the caller makes them `FORGE_FAILED`.
 */
export interface ForgePort {
  /** Reads a file at the head of the base branch, or of `branch`. Null when the branch does not exist. */
  readFile(path: string, branch?: string): Promise<ForgeFile | null>;
  /** Creates a branch at a commit. An existing branch stays as it is. */
  createBranch(branch: string, commit: string): Promise<void>;
  /** Commits one file on a branch whose head is `head`, and returns the new head. Fails when the head is another. */
  commitFile(change: {
    readonly branch: string;
    readonly head: string;
    readonly path: string;
    readonly text: string;
    readonly message: string;
  }): Promise<string>;
  /** Returns the pull requests of branches with this prefix, in any state, oldest first. */
  listProposals(branchPrefix: string): Promise<readonly ForgeProposal[]>;
  /** Opens a pull request of a branch against the base branch, or returns the open one. */
  openProposal(proposal: {
    readonly branch: string;
    readonly title: string;
    readonly body: string;
  }): Promise<ForgeProposal>;
  updateProposal(id: string, change: { readonly title: string; readonly body: string }): Promise<void>;
  /** Returns the paths that a pull request changes, as the forge sees them. */
  changedFiles(id: string): Promise<readonly string[]>;
  /** Returns the state of the checks at the head of a pull request. */
  checks(id: string): Promise<CheckState>;
  /** Merges a pull request whose head is `head`; `scheduled` when the forge merges it after its checks. */
  merge(id: string, head: string): Promise<'merged' | 'scheduled'>;
  /** Cancels a scheduled merge; without one it does nothing. Fails when the pull request is merged. */
  cancelMerge(id: string): Promise<void>;
  /** Closes a pull request without a merge. Fails when it is merged. */
  closeProposal(id: string): Promise<void>;
}
