import { type PlannedEdit, planEdit, readThreshold, type ThresholdLanguage } from './edit/edit-threshold.ts';
import { SelfCorrectionError } from './errors.ts';
import type { ForgeFile, ForgePort, ForgeProposal } from './forges/forge.ts';
import { guard } from './guard.ts';
import type { MarkedPull } from './proposal/evidence.ts';
import { type Condition, checkAutoMerge, checkLimits } from './proposal/limits.ts';
import { thresholdDiff } from './proposal/threshold-diff.ts';
import {
  bodyOf,
  branchPrefix,
  commentOf,
  commitMessage,
  type ProposedChange,
  readMarker,
  titleOf,
} from './proposal/wording.ts';

/** The file of the repository that holds the thresholds. */
export interface ThresholdFile {
  /** Path inside of the repository, for example `orchestrator.py`. */
  readonly path: string;
  readonly language: ThresholdLanguage;
}

/** The texts of a change. */
export interface Described {
  readonly limits: readonly Condition[];
  readonly title: string;
  readonly message: string;
  readonly body: string;
  readonly diff: string;
}

/** The pull requests of this package at a forge. */
export interface PullRequests {
  /** Returns the pull requests with a marker, in any state, oldest first. */
  list(): Promise<readonly MarkedPull[]>;
  /** Returns the value of a threshold in the file of the base branch. */
  threshold(task: string): Promise<number>;
  /** Describes a change, with the edit of the base branch. Writes nothing. */
  describe(change: ProposedChange): Promise<Described>;
  /**
   * Brings branch, commit and pull request into the wanted state, from wherever an earlier attempt ended. A scheduled merge of an
   * open pull request is cancelled before anything of it changes.
   */
  ensure(
    change: ProposedChange,
    target: { readonly branch: string; readonly open: ForgeProposal | null },
  ): Promise<{
    readonly described: Described;
    readonly pull: ForgeProposal;
    readonly action: 'proposed' | 'updated' | 'unchanged';
  }>;
  /** Checks every condition of an automatic merge. */
  conditions(change: ProposedChange, pull: ForgeProposal): Promise<readonly Condition[]>;
}

/** Changes that count for the condition about rollbacks. */
const changesThatCount = 10;

/** Creates the pull requests over a forge. */
export function createPullRequests(forge: ForgePort, file: ThresholdFile): PullRequests {
  const atForge = guard('FORGE_FAILED', 'The forge failed. Repeat the call: it resumes.');

  async function readBase(): Promise<ForgeFile> {
    const base = await atForge(() => forge.readFile(file.path));
    if (base === null)
      throw new SelfCorrectionError(
        'FORGE_FAILED',
        'The repository has no base branch. Check its path or name, and the name of the branch.',
      );
    return base;
  }

  /** Edits the file as it is on the base branch, and checks that it holds the value that the proposal starts from. */
  function edit(base: ForgeFile, { task, proposal, trigger }: ProposedChange): PlannedEdit {
    const planned = planEdit(base.text, {
      language: file.language,
      task,
      value: proposal.to,
      comment: commentOf({ proposal, trigger }),
    });
    const { previous } = planned;
    if (Math.round(previous * 100) !== Math.round(proposal.from * 100))
      throw new SelfCorrectionError(
        'STALE',
        `The file holds ${previous.toFixed(2)} and the proposal starts from ${proposal.from.toFixed(2)}. Compute it again.`,
      );
    return planned;
  }

  const textsOf = (change: ProposedChange, planned: PlannedEdit): Described => ({
    limits: checkLimits(change.proposal),
    title: titleOf(change),
    message: commitMessage(change),
    body: bodyOf(change),
    diff: thresholdDiff(file.path, change.task, planned),
  });

  async function list(): Promise<readonly MarkedPull[]> {
    const pulls = await atForge(() => forge.listProposals(branchPrefix));
    // The marker decides, not the name: two tasks may share a branch prefix.
    return pulls.flatMap((pull) => {
      const marker = readMarker(pull.body);
      return marker === null ? [] : [{ pull, marker }];
    });
  }

  /** Returns true when the forge itself sees exactly one literal changed, in the one permitted file. */
  async function isOneLiteral(change: ProposedChange, pull: ForgeProposal): Promise<boolean> {
    const paths = await atForge(() => forge.changedFiles(pull.id));
    if (paths.length !== 1 || paths[0] !== file.path) return false;
    const [base, head] = [await readBase(), await atForge(() => forge.readFile(file.path, pull.branch))];
    if (head === null || head.commit !== pull.head) return false;
    return head.text === edit(base, change).source;
  }

  return {
    list,

    async threshold(task) {
      return readThreshold((await readBase()).text, { language: file.language, task });
    },

    async describe(change) {
      return textsOf(change, edit(await readBase(), change));
    },

    async ensure(change, { branch, open }) {
      const base = await readBase();
      const planned = edit(base, change);
      const described = textsOf(change, planned);
      const { title, body } = described;
      let current = await atForge(() => forge.readFile(file.path, branch));
      if (current === null) {
        await atForge(() => forge.createBranch(branch, base.commit));
        current = await atForge(() => forge.readFile(file.path, branch));
      }
      if (current === null)
        throw new SelfCorrectionError('FORGE_FAILED', `The branch ${branch} was deleted meanwhile.`);
      const isWritten = current.text === planned.source;
      const isDescribed = open !== null && open.body === body && open.title === title;
      // What was approved was the old change: the forge must not merge the new one in its place.
      if (open !== null && !(isWritten && isDescribed)) await atForge(() => forge.cancelMerge(open.id));
      if (!isWritten) {
        const { commit: head } = current;
        const commit = { branch, head, path: file.path, text: planned.source, message: described.message };
        await atForge(() => forge.commitFile(commit));
      }
      const pull = open ?? (await atForge(() => forge.openProposal({ branch, title, body })));
      // Another process may have opened it meanwhile, with another text.
      const isOtherText = pull.body !== body || pull.title !== title;
      if (isOtherText) await atForge(() => forge.updateProposal(pull.id, { title, body }));
      const isOpenedHere = open === null && !isOtherText;
      const action = isOpenedHere ? 'proposed' : isWritten && isDescribed ? 'unchanged' : 'updated';
      const seen = (await list()).find((each) => each.pull.id === pull.id)?.pull ?? pull;
      return { described, pull: seen, action };
    },

    async conditions(change, pull) {
      const merged = (await list()).filter((each) => each.pull.state === 'merged');
      const changes = merged.map(({ marker }) => marker).slice(-changesThatCount);
      const ci = await atForge(() => forge.checks(pull.id));
      const { conditions } = checkAutoMerge({
        ...change.proposal,
        ci,
        labels: pull.labels,
        changes: changes.map(({ rollbackOf }) => ({ rolledBack: rollbackOf !== undefined })),
      });
      const holds = await isOneLiteral(change, pull);
      return [
        ...conditions,
        { name: 'diff', holds, detail: 'Exactly one literal of the permitted file changes' },
      ];
    },
  };
}
