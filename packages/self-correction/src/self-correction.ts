import { type Logger, parseOrThrow, silentLogger } from '@bonafide/internal';
import * as z from 'zod';
import { type AuditEntry, type AuditLog, createMemoryAuditLog } from './audit/audit-log.ts';
import { editThreshold, type ThresholdLanguage } from './edit/edit-threshold.ts';
import { parseInput, SelfCorrectionError } from './errors.ts';
import type { ForgeFile, ForgePort, ForgeProposal } from './forges/forge.ts';
import { type Condition, checkAutoMerge, checkLimits } from './proposal/limits.ts';
import { thresholdDiff } from './proposal/threshold-diff.ts';
import {
  bodyOf,
  branchName,
  branchPrefix,
  commentOf,
  commitMessage,
  evidenceDigest,
  type Marker,
  type ProposedChange,
  readMarker,
  type Trigger,
  titleOf,
} from './proposal/wording.ts';
import type { AdjustmentProposal } from './statistics/adjustment.ts';
import {
  createMemoryProposalStore,
  type ProposalStore,
  type StoredProposal,
} from './stores/proposal-store.ts';

/** The file of the repository that holds the thresholds. */
export interface ThresholdFile {
  /** Path inside of the repository, for example `orchestrator.py`. */
  readonly path: string;
  readonly language: ThresholdLanguage;
}

/** Options of {@link createSelfCorrection}. */
export interface SelfCorrectionOptions {
  readonly forge: ForgePort;
  readonly file: ThresholdFile;
  /** Newest proposal per task. @default in memory */
  readonly store?: ProposalStore;
  /** @default in memory */
  readonly audit?: AuditLog;
  /** Sends an encrypted message to the agent itself, and returns its id: a record that others cannot alter. */
  readonly notify?: (text: string) => Promise<string>;
  readonly config?: {
    /** Merges what fulfils every condition. @default false */
    readonly autoMerge?: boolean;
  };
  /** ms since epoch. @default Date.now */
  readonly clock?: () => number;
  readonly logger?: Logger;
}

/** A change to propose. */
export interface ProposeInput {
  readonly task: string;
  /** Result of `proposeAdjustment`. */
  readonly proposal: AdjustmentProposal;
  readonly trigger: Trigger;
}

/** The result of a proposal, or of its preview. */
export interface ProposalResult {
  /**
   * - `proposed`, `updated`, `unchanged`: there is one open pull request with this change.
   * - `merged`, `scheduled`: it fulfilled every condition of an automatic merge.
   * - `refused`: outside of the limits; nothing was made.
   * - `declined`: a person closed a pull request with this change; it is not opened again.
   * - `dry run`: nothing was changed.
   */
  readonly action:
    | 'proposed'
    | 'updated'
    | 'unchanged'
    | 'merged'
    | 'scheduled'
    | 'refused'
    | 'declined'
    | 'dry run';
  readonly limits: readonly Condition[];
  /** Conditions of an automatic merge; empty when nothing is open. */
  readonly conditions: readonly Condition[];
  readonly branch: string | null;
  readonly title: string;
  readonly message: string;
  readonly body: string;
  /** Unified diff of the file. */
  readonly diff: string;
  readonly pull: ForgeProposal | null;
}

/** Proposes changes of thresholds. */
export interface SelfCorrection {
  /**
   * Proposes a change as a pull request. There is one open pull request per task: a newer change updates it. May be repeated after a
   * crash at any point; it resumes.
   *
   * @throws SelfCorrectionError the codes of `editThreshold`; `STALE` when the file holds another value; `FORGE_FAILED`, `STORE_FAILED`
   */
  propose(input: ProposeInput): Promise<ProposalResult>;
  /** Returns the exact diff, message and body of a change, and changes nothing. @throws as `propose` */
  preview(input: ProposeInput): Promise<ProposalResult>;
  /** Checks the open pull request of a task again, and merges it when every condition holds. Null without one. */
  settle(input: ProposeInput): Promise<ProposalResult | null>;
  /**
   * Proposes the return to the value before the last merged change of a task. A person merges it.
   *
   * @throws SelfCorrectionError `INVALID_INPUT` when nothing was merged; else as `propose`
   */
  rollback(task: string, reason: string): Promise<ForgeProposal>;
  /** Returns merged and open proposals of a task, oldest first, with what they changed. */
  history(task: string): Promise<readonly { readonly pull: ForgeProposal; readonly marker: Marker }[]>;
  /** Number of steps since the start, by action. */
  counters(): Readonly<Record<string, number>>;
}

const configSchema = z.strictObject({ autoMerge: z.boolean().default(false) });
const fileSchema = z.object({
  path: z
    .string()
    .min(1)
    .max(500)
    .regex(/^(?!\/)(?!.*(?:^|\/)\.\.?(?:\/|$))[^\p{Cc}]+$/u, 'must be a path inside of the repository'),
  language: z.enum(['python', 'typescript']),
});
const inputSchema = z.object({
  task: z
    .string()
    .min(1)
    .max(100)
    .regex(/[a-z0-9]/iu, 'must contain a letter or a digit'),
  proposal: z.looseObject({
    from: z.number().min(0).max(1),
    to: z.number().min(0).max(1),
    delta: z.number(),
    sampleSize: z.int().min(0),
    recent: z.int().min(0),
    successRate: z.number().min(0).max(1),
    expectedRate: z.number().min(0).max(1),
    confidence: z.number().min(0).max(1),
    justification: z.string().min(1).max(1_000),
    conditional: z.boolean(),
    alert: z.boolean(),
  }),
  trigger: z.object({
    outcome: z.string().min(1).max(100),
    platform: z.string().min(1).max(200),
    eventId: z.string().min(1).max(200),
    score: z.number().min(0).max(1).optional(),
  }),
});

/** Changes that count for the condition about rollbacks. */
const changesThatCount = 10;

/**
 * Creates the correction of an agent's own thresholds. What it writes into the repository comes from its statistics; text of peers is
 * shortened, stripped of markup, and never an instruction.
 *
 * @throws SelfCorrectionError `INVALID_CONFIG`
 */
export function createSelfCorrection(options: SelfCorrectionOptions): SelfCorrection {
  const { forge, notify, clock = Date.now, logger = silentLogger } = options;
  const { store = createMemoryProposalStore(), audit = createMemoryAuditLog() } = options;
  const invalid = (message: string, cause: object) =>
    new SelfCorrectionError('INVALID_CONFIG', message, cause);
  const { autoMerge } = parseOrThrow(configSchema, options.config ?? {}, 'config', invalid);
  const file = parseOrThrow(fileSchema, options.file, 'file', invalid);
  const counts = new Map<string, number>();

  const atForge = guard('FORGE_FAILED', 'The forge failed. Repeat the call: it resumes.');
  const atStore = guard('STORE_FAILED', 'The store failed. Repeat the call.');

  function parse(input: ProposeInput): ProposeInput {
    return parseInput(inputSchema, 'input', input) as unknown as ProposeInput;
  }

  async function readBase(): Promise<ForgeFile> {
    const base = await atForge(() => forge.readFile(file.path));
    if (base === null) throw new SelfCorrectionError('FORGE_FAILED', 'The base branch does not exist.');
    return base;
  }

  /** Edits the file as it is on the base branch, and checks that it holds the value that the proposal starts from. */
  function edit(
    base: ForgeFile,
    { task, proposal, trigger }: Pick<ProposedChange, 'task' | 'proposal' | 'trigger'>,
  ): string {
    const change = {
      language: file.language,
      task,
      value: proposal.to,
      comment: commentOf({ proposal, trigger }),
    };
    const { source, previous } = editThreshold(base.text, change);
    if (Math.round(previous * 100) !== Math.round(proposal.from * 100))
      throw new SelfCorrectionError(
        'STALE',
        `The file holds ${previous.toFixed(2)} and the proposal starts from ${proposal.from.toFixed(2)}. Compute it again.`,
      );
    return source;
  }

  /** The stored proposal of this change, or a new one: its time is fixed before anything else happens. */
  async function fixed({ task, proposal, trigger }: ProposeInput): Promise<StoredProposal> {
    const evidence = evidenceDigest({ task, proposal, trigger });
    const known = await atStore(() => store.get(task));
    if (known?.evidence === evidence) return known;
    const createdAt = clock();
    const stored = { task, evidence, branch: branchName({ task, createdAt }), createdAt };
    await atStore(() => store.put(stored));
    return stored;
  }

  async function pullsOf(
    task: string,
  ): Promise<readonly { readonly pull: ForgeProposal; readonly marker: Marker }[]> {
    const pulls = await atForge(() => forge.listProposals(branchPrefix));
    // The marker decides, not the name: two tasks may share a branch prefix.
    return pulls.flatMap((pull) => {
      const marker = readMarker(pull.body);
      return marker?.task === task ? [{ pull, marker }] : [];
    });
  }

  const describe = (change: ProposedChange, base: ForgeFile, text: string) => ({
    limits: checkLimits(change.proposal),
    title: titleOf(change),
    message: commitMessage(change),
    body: bodyOf(change),
    diff: thresholdDiff(file.path, base.text, text),
  });

  async function record(
    action: AuditEntry['action'],
    change: ProposedChange,
    pull: ForgeProposal | null,
    detail: string,
  ): Promise<void> {
    counts.set(action, (counts.get(action) ?? 0) + 1);
    const { task, proposal } = change;
    const evidence = evidenceDigest(change);
    const refers = { branch: pull?.branch ?? null, commit: pull?.head ?? null, proposal: pull?.id ?? null };
    const told = { action, task, from: proposal.from, to: proposal.to, evidence, ...refers };
    const message = await (notify?.(JSON.stringify(told)) ?? Promise.resolve(null)).catch(
      (error: unknown) => {
        logger.warn({ err: error, task }, 'Audit message not sent');
        return null;
      },
    );
    const entry: AuditEntry = { at: clock(), ...told, message, detail };
    await atStore(() => audit.append(entry));
    logger.info(
      { task, action, proposal: refers.proposal, branch: refers.branch },
      `Threshold change ${action}`,
    );
  }

  /** Returns true when the log has an entry for this change, of one of the given actions. */
  async function isRecorded(
    change: ProposedChange,
    actions?: readonly AuditEntry['action'][],
  ): Promise<boolean> {
    const evidence = evidenceDigest(change);
    const entries = await atStore(() => audit.read({ task: change.task, limit: 1_000 }));
    return entries.some((entry) => entry.evidence === evidence && (actions?.includes(entry.action) ?? true));
  }

  /** Brings branch, commit and pull request into the wanted state, from wherever an earlier attempt ended. */
  async function ensure(
    change: ProposedChange,
    target: { readonly branch: string; readonly open: ForgeProposal | null },
  ) {
    const base = await readBase();
    const text = edit(base, change);
    const described = describe(change, base, text);
    const { branch } = target;
    let current = await atForge(() => forge.readFile(file.path, branch));
    if (current === null) {
      await atForge(() => forge.createBranch(branch, base.commit));
      current = await atForge(() => forge.readFile(file.path, branch));
    }
    if (current === null)
      throw new SelfCorrectionError('FORGE_FAILED', `The branch ${branch} was deleted meanwhile.`);
    if (current.text !== text) {
      const commit = { branch, head: current.commit, path: file.path, text, message: described.message };
      await atForge(() => forge.commitFile(commit));
    }
    const { title, body } = described;
    let pull = target.open;
    let action: 'proposed' | 'updated' | 'unchanged' = current.text === text ? 'unchanged' : 'updated';
    if (pull === null) {
      pull = await atForge(() => forge.openProposal({ branch, title, body }));
      action = 'proposed';
    } else if (pull.body !== body || pull.title !== title) {
      const { id } = pull;
      await atForge(() => forge.updateProposal(id, { title, body }));
      action = 'updated';
    }
    const pulls = await pullsOf(change.task);
    const opened = pulls.find((each) => each.pull.id === pull.id)?.pull ?? pull;
    return { described, pull: opened, action };
  }

  /** Returns true when the forge itself sees exactly one literal changed, in the one permitted file. */
  async function isOneLiteral(change: ProposedChange, pull: ForgeProposal): Promise<boolean> {
    const paths = await atForge(() => forge.changedFiles(pull.id));
    if (paths.length !== 1 || paths[0] !== file.path) return false;
    const [base, head] = [await readBase(), await atForge(() => forge.readFile(file.path, pull.branch))];
    if (head === null || head.commit !== pull.head) return false;
    return head.text === edit(base, change);
  }

  async function conditionsOf(change: ProposedChange, pull: ForgeProposal): Promise<readonly Condition[]> {
    const { proposal } = change;
    const merged = (await atForge(() => forge.listProposals(branchPrefix))).filter(
      ({ state }) => state === 'merged',
    );
    const changes = merged.flatMap(({ body }) => readMarker(body) ?? []).slice(-changesThatCount);
    const ci = await atForge(() => forge.checks(pull.id));
    const { conditions } = checkAutoMerge({
      ...proposal,
      ci,
      labels: pull.labels,
      changes: changes.map(({ rollbackOf }) => ({ rolledBack: rollbackOf !== undefined })),
    });
    const holds = await isOneLiteral(change, pull);
    return [
      ...conditions,
      { name: 'diff', holds, detail: 'Exactly one literal of the permitted file changes' },
    ];
  }

  async function mergeIfEligible(
    change: ProposedChange,
    pull: ForgeProposal,
  ): Promise<{ readonly merged: 'merged' | 'scheduled' | null; readonly conditions: readonly Condition[] }> {
    const conditions = await conditionsOf(change, pull);
    if (!autoMerge || conditions.some(({ holds }) => !holds)) return { merged: null, conditions };
    const merged = await atForge(() => forge.merge(pull.id, pull.head));
    await record(merged, change, pull, 'Every condition of an automatic merge holds.');
    return { merged, conditions };
  }

  async function previewOf(input: ProposeInput): Promise<ProposalResult> {
    const known = await atStore(() => store.get(input.task));
    const isSame = known?.evidence === evidenceDigest(input);
    const createdAt = isSame ? known.createdAt : clock();
    const change = { ...input, createdAt };
    const open = (await pullsOf(input.task)).find(({ pull }) => pull.state === 'open')?.pull ?? null;
    const base = await readBase();
    const described = describe(change, base, edit(base, change));
    return {
      action: 'dry run',
      ...described,
      conditions: [],
      branch: open?.branch ?? branchName(change),
      pull: open,
    };
  }

  return {
    async preview(input) {
      return previewOf(parse(input));
    },

    async propose(input) {
      const parsed = parse(input);
      const limits = checkLimits(parsed.proposal);
      if (limits.some(({ holds }) => !holds)) {
        const change = { ...parsed, createdAt: clock() };
        const detail = limits.flatMap(({ holds, detail: each }) => (holds ? [] : [each])).join('; ');
        await record('refused', change, null, `Outside of the limits: ${detail}`);
        const nothing = { conditions: [], branch: null, diff: '', pull: null };
        return {
          action: 'refused',
          limits,
          ...nothing,
          title: titleOf(change),
          message: commitMessage(change),
          body: bodyOf(change),
        };
      }
      const pulls = await pullsOf(parsed.task);
      const evidence = evidenceDigest(parsed);
      const closed = pulls.find(
        ({ pull, marker }) => pull.state === 'closed' && marker.evidence === evidence,
      );
      const done = pulls.find(({ pull, marker }) => pull.state === 'merged' && marker.evidence === evidence);
      if (done !== undefined || closed !== undefined) {
        const { pull } = done ?? closed ?? { pull: null };
        const action = done === undefined ? 'declined' : 'unchanged';
        const change = { ...parsed, createdAt: clock() };
        if (action === 'declined') await record('declined', change, pull, 'A person closed this proposal.');
        else if (!(await isRecorded(change, ['merged', 'scheduled'])))
          await record('merged', change, pull, 'It was merged.');
        const texts = {
          title: titleOf(change),
          message: commitMessage(change),
          body: bodyOf(change),
          diff: '',
        };
        return { action, limits, conditions: [], branch: pull?.branch ?? null, ...texts, pull };
      }
      const stored = await fixed(parsed);
      const change = { ...parsed, createdAt: stored.createdAt };
      const open = pulls.find(({ pull }) => pull.state === 'open')?.pull ?? null;
      const { described, pull, action } = await ensure(change, {
        branch: open?.branch ?? stored.branch,
        open,
      });
      // An earlier attempt may have ended between the pull request and its entry.
      const isNew = action !== 'unchanged' || !(await isRecorded(change));
      if (isNew)
        await record(
          action === 'updated' ? 'updated' : 'proposed',
          change,
          pull,
          change.proposal.justification,
        );
      const { merged, conditions } = await mergeIfEligible(change, pull);
      return { action: merged ?? action, ...described, conditions, branch: pull.branch, pull };
    },

    async settle(input) {
      const parsed = parse(input);
      const evidence = evidenceDigest(parsed);
      const open = (await pullsOf(parsed.task)).find(
        ({ pull, marker }) => pull.state === 'open' && marker.evidence === evidence,
      );
      if (open === undefined) return null;
      const preview = await previewOf(parsed);
      const { merged, conditions } = await mergeIfEligible({ ...parsed, createdAt: clock() }, open.pull);
      return { ...preview, action: merged ?? 'unchanged', conditions, pull: open.pull };
    },

    async rollback(task, reason) {
      const pulls = await pullsOf(task);
      const last = pulls.findLast(({ pull }) => pull.state === 'merged');
      if (last === undefined || last.marker.rollbackOf !== undefined)
        throw new SelfCorrectionError(
          'INVALID_INPUT',
          'No change of this task was merged that could be rolled back.',
        );
      const { from, to } = last.marker;
      const proposal: AdjustmentProposal = {
        ...{
          pattern: 'shift',
          from: to,
          to: from,
          delta: (Math.round(from * 100) - Math.round(to * 100)) / 100,
        },
        ...{ sampleSize: 0, recent: 0, successRate: 0, expectedRate: 0, confidence: 0, reversals: 0 },
        ...{
          conditional: true,
          alert: false,
          justification: `Rollback of proposal ${last.pull.id}: ${reason.slice(0, 500)}`,
        },
      };
      const input = {
        task,
        proposal,
        trigger: { outcome: 'ROLLBACK', platform: 'operator', eventId: last.pull.id },
      };
      const stored = await fixed(parse(input));
      const change = { ...input, createdAt: stored.createdAt, rollbackOf: last.pull.id };
      const open = pulls.find(({ pull }) => pull.state === 'open')?.pull ?? null;
      const { pull } = await ensure(change, { branch: open?.branch ?? stored.branch, open });
      await record('rolled back', change, pull, proposal.justification);
      return pull;
    },

    history: async (task) => (await pullsOf(task)).filter(({ pull }) => pull.state !== 'closed'),
    counters: () => Object.fromEntries(counts),
  };
}

/** Makes failures of a port typed. Errors of this package pass through. */
function guard(code: 'FORGE_FAILED' | 'STORE_FAILED', message: string) {
  return async <Result>(call: () => Promise<Result>): Promise<Result> => {
    try {
      return await call();
    } catch (error) {
      if (error instanceof SelfCorrectionError) throw error;
      throw new SelfCorrectionError(code, message, { cause: error });
    }
  };
}
