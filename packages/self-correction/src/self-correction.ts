import { type Logger, requireOptions, silentLogger } from '@bonafide/internal';
import * as z from 'zod';
import { type AuditEntry, type AuditLog, createMemoryAuditLog } from './audit/audit-log.ts';
import { constantName, isSameTask } from './edit/definition.ts';
import { parseConfig, parseInput, SelfCorrectionError } from './errors.ts';
import type { ForgePort, ForgeProposal } from './forges/forge.ts';
import { guard } from './guard.ts';
import { callable, clockSchema, loggerSchema, port } from './host-options.ts';
import { checkEvidence, eventDigest, evidenceDigest, type MarkedPull } from './proposal/evidence.ts';
import { type Condition, checkLimits } from './proposal/limits.ts';
import {
  bodyOf,
  branchName,
  commitMessage,
  type Marker,
  type ProposedChange,
  type Trigger,
  titleOf,
} from './proposal/wording.ts';
import { createPullRequests, type ThresholdFile } from './pull-requests.ts';
import {
  type AdjustmentProposal,
  type CurrentThreshold,
  type JudgedOutcome,
  proposeAdjustment,
} from './statistics/adjustment.ts';
import {
  createMemoryProposalStore,
  type ProposalStore,
  type StoredProposal,
} from './stores/proposal-store.ts';

/** Options of {@link createSelfCorrection}. */
export interface SelfCorrectionOptions {
  readonly forge: ForgePort;
  readonly file: ThresholdFile;
  /** Newest proposal per threshold. @default in memory */
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
  /** Result of `proposeAdjustment`. Its `delta` is computed from `from` and `to`, and `from` must be the value in the file. */
  readonly proposal: AdjustmentProposal;
  readonly trigger: Trigger;
}

/** A judged piece of work, with what it takes to name it in a pull request. */
export interface JudgedWork extends JudgedOutcome {
  /** Id of the job request, of the benchmark attempt or of the verdict. */
  readonly id: string;
  /** npub or public key of the platform. */
  readonly platform: string;
  /** Outcome of the judge, for example `SUCCESS`. */
  readonly outcome: string;
  /** ms since epoch. */
  readonly at: number;
}

/** A merged change of a threshold. */
export interface MergedChange {
  readonly delta: number;
  /** Time of the last outcome that counted, ms since epoch; absent when it is unknown. */
  readonly at?: number;
}

/** The result of a proposal, or of its preview. */
export interface ProposalResult {
  /**
   * - `proposed`, `updated`, `unchanged`: there is one open pull request with this change.
   * - `merged`, `scheduled`: it fulfilled every condition of an automatic merge.
   * - `refused`: outside of the limits, or with evidence that counted before; nothing was made.
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
  /** Unified diff of the file without context; `…` stands for the rest of the line. */
  readonly diff: string;
  readonly pull: ForgeProposal | null;
}

/** Proposes changes of thresholds. */
export interface SelfCorrection {
  /**
   * Returns the threshold of a task in the file, and its merged changes with the time of the last outcome behind each: the second
   * argument of `proposeAdjustment`.
   *
   * @throws SelfCorrectionError the codes of `editThreshold`; `FORGE_FAILED`
   */
  current(task: string): Promise<CurrentThreshold & { readonly changes: readonly MergedChange[] }>;
  /**
   * Returns the change that judged work of a task suggests, oldest first, with the last of it as the trigger; null without a
   * pattern. Work up to the last merged change does not count again. Changes nothing.
   *
   * @throws SelfCorrectionError `INVALID_INPUT`; else as `current`
   */
  suggest(task: string, work: readonly JudgedWork[]): Promise<ProposeInput | null>;
  /**
   * Proposes a change as a pull request. There is one open pull request per task: a newer change updates it. May be repeated after a
   * crash at any point; it resumes.
   *
   * @throws SelfCorrectionError the codes of `editThreshold`; `STALE` when the file holds another value; `FORGE_FAILED`, `STORE_FAILED`
   */
  propose(input: ProposeInput): Promise<ProposalResult>;
  /** Returns the exact diff, message and body of a change, and changes nothing. @throws as `propose` */
  preview(input: ProposeInput): Promise<ProposalResult>;
  /**
   * Checks the open pull request of a task again, and merges it when every condition holds. Otherwise cancels a merge that it
   * scheduled earlier; one that a person scheduled stays. Null without one.
   */
  settle(input: ProposeInput): Promise<ProposalResult | null>;
  /** Cancels a scheduled merge of the open pull request of a task, and closes it. Null without one. */
  withdraw(task: string, reason: string): Promise<ForgeProposal | null>;
  /**
   * Proposes the return to the value before the last merged change of a task. A person merges it.
   *
   * @throws SelfCorrectionError `INVALID_INPUT` when nothing was merged; else as `propose`
   */
  rollback(task: string, reason: string): Promise<ForgeProposal>;
  /** Returns merged and open proposals of a task, oldest first, with what they changed. */
  history(task: string): Promise<readonly MarkedPull[]>;
  /** Number of steps since the start, by action. */
  counters(): Readonly<Record<string, number>>;
}

const reasonSchema = z.string().min(1, 'must say why');
const fileSchema = z.object({
  path: z
    .string()
    .min(1)
    .max(500)
    .regex(/^(?!\/)(?!.*(?:^|\/)\.\.?(?:\/|$))[^\p{Cc}]+$/u, 'must be a path inside of the repository'),
  language: z.enum(['python', 'typescript']),
});
const optionsSchema = z.strictObject({
  forge: port<ForgePort>('readFile', 'listProposals', 'merge', 'cancelMerge', 'closeProposal'),
  file: fileSchema,
  store: port<ProposalStore>('get', 'put').optional(),
  audit: port<AuditLog>('append', 'read').optional(),
  notify: callable<(text: string) => Promise<string>>().optional(),
  config: z.strictObject({ autoMerge: z.boolean().default(false) }).prefault({}),
  clock: clockSchema,
  logger: loggerSchema,
});
const taskSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(/[a-z0-9]/iu, 'must contain a letter or a digit');
const workSchema = z.array(
  z.looseObject({ id: z.string(), platform: z.string(), outcome: z.string(), at: z.number() }),
);
const inputSchema = z.object({
  task: taskSchema,
  proposal: z.looseObject({
    from: z.number().min(0).max(1),
    to: z.number().min(0).max(1),
    delta: z.number(),
    firstAt: z
      .number()
      .nullish()
      .transform((at) => at ?? null),
    lastAt: z
      .number()
      .nullish()
      .transform((at) => at ?? null),
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

/**
 * Creates the correction of an agent's own thresholds. What it writes into the repository comes from its statistics; text of peers is
 * shortened, stripped of markup, and never an instruction.
 *
 * @throws SelfCorrectionError `INVALID_CONFIG`
 */
export function createSelfCorrection(options: SelfCorrectionOptions): SelfCorrection {
  requireOptions(
    options,
    {
      forge: {
        methods: ['readFile'],
        example: "createLocalGitForge({ repository: '/srv/agent-config.git' })",
      },
    },
    (message) => new SelfCorrectionError('INVALID_CONFIG', message),
  );
  const {
    forge,
    file,
    notify,
    store = createMemoryProposalStore(),
    audit = createMemoryAuditLog(),
    config: { autoMerge },
    clock = Date.now,
    logger = silentLogger,
  } = parseConfig(optionsSchema, 'options', options);
  const requests = createPullRequests(forge, file);
  const counts = new Map<string, number>();

  const atForge = guard('FORGE_FAILED', 'The forge failed. Repeat the call: it resumes.');
  const atStore = guard('STORE_FAILED', 'The store failed. Repeat the call.');

  /** Validates an input. Computes the size of the change from its ends. */
  function parse(input: ProposeInput): ProposeInput {
    const parsed = parseInput(inputSchema, 'input', input) as unknown as ProposeInput;
    const { from, to } = parsed.proposal;
    const delta = (Math.round(to * 100) - Math.round(from * 100)) / 100;
    return { ...parsed, proposal: { ...parsed.proposal, delta } };
  }

  /**
   * Returns the stored proposal of this change, or stores a new one: its time is fixed before anything else happens. A merge that
   * was scheduled before the store knew the proposal counts as the agent's own.
   */
  async function fixed(change: ProposeInput, pulls: readonly MarkedPull[]): Promise<StoredProposal> {
    const open = openOf(pulls)?.pull ?? null;
    const { task } = change;
    const evidence = evidenceDigest(change);
    const constant = constantName(task);
    for (;;) {
      const known = await atStore(() => store.get(constant));
      if (known?.evidence === evidence) return known;
      const createdAt = clock();
      // A branch without a pull request is that of a process which died, or which proposes at this moment: there is one for both.
      const isUnused = known !== null && !pulls.some(({ pull }) => pull.branch === known.branch);
      const isUnknown = known === null && open?.mergeScheduled === true;
      const stored: StoredProposal = {
        ...{ constant, evidence, revision: (known?.revision ?? 0) + 1 },
        ...(isUnused
          ? { branch: known.branch, createdAt: known.createdAt }
          : { branch: branchName({ task, createdAt }), createdAt }),
        mergeHead: isUnknown ? open.head : null,
      };
      if (await atStore(() => store.put(stored))) return stored;
    }
  }

  /** Notes the head at which the forge is asked to merge. Fails when another process proposes something else. */
  async function noteMerge(stored: StoredProposal, mergeHead: string | null): Promise<void> {
    const isWritten = await atStore(() => store.put({ ...stored, revision: stored.revision + 1, mergeHead }));
    if (!isWritten)
      throw new SelfCorrectionError('STALE', 'Another process changes this threshold. Repeat the call.');
  }

  async function pullsOf(task: string): Promise<readonly MarkedPull[]> {
    parseInput(taskSchema, 'task', task);
    return (await requests.list()).filter(({ marker }) => isSameTask(marker.task, task));
  }

  const openOf = (pulls: readonly MarkedPull[]) => pulls.find(({ pull }) => pull.state === 'open') ?? null;

  async function record(
    action: AuditEntry['action'],
    change: Pick<Marker, 'task' | 'from' | 'to' | 'evidence'>,
    pull: ForgeProposal | null,
    detail: string,
  ): Promise<void> {
    counts.set(action, (counts.get(action) ?? 0) + 1);
    const { task, from, to, evidence } = change;
    const refers = { branch: pull?.branch ?? null, commit: pull?.head ?? null, proposal: pull?.id ?? null };
    const told = { action, task, from, to, evidence, ...refers };
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

  const summaryOf = (change: ProposeInput) => ({
    task: change.task,
    from: change.proposal.from,
    to: change.proposal.to,
    evidence: evidenceDigest(change),
  });

  /** Returns true when the log has an entry for this change, of one of the given actions. */
  async function isRecorded(
    change: ProposedChange,
    actions?: readonly AuditEntry['action'][],
  ): Promise<boolean> {
    const evidence = evidenceDigest(change);
    const entries = await atStore(() => audit.read({ task: change.task, limit: 1_000 }));
    return entries.some((entry) => entry.evidence === evidence && (actions?.includes(entry.action) ?? true));
  }

  /** Merges a pull request when every condition holds. Otherwise cancels a merge that it has scheduled itself. */
  async function mergeIfEligible(
    change: ProposedChange,
    pull: ForgeProposal,
    stored: StoredProposal,
  ): Promise<{
    readonly merged: 'merged' | 'scheduled' | null;
    readonly conditions: readonly Condition[];
    readonly pull: ForgeProposal;
  }> {
    const conditions = await requests.conditions(change, pull);
    const failing = conditions.filter(({ holds }) => !holds);
    if (!autoMerge || failing.length > 0) {
      // A person's own request to merge stays.
      if (!pull.mergeScheduled || stored.mergeHead === null) return { merged: null, conditions, pull };
      await atForge(() => forge.cancelMerge(pull.id));
      await noteMerge(stored, null);
      const detail = failing.map((condition) => condition.detail).join('; ');
      const cancelled = { ...pull, mergeScheduled: false };
      await record('cancelled', summaryOf(change), cancelled, `The merge is cancelled: ${detail}`);
      return { merged: null, conditions, pull: cancelled };
    }
    if (stored.mergeHead !== pull.head) await noteMerge(stored, pull.head);
    const merged = await atForge(() => forge.merge(pull.id, pull.head));
    const isNew = merged === 'merged' || !pull.mergeScheduled;
    if (isNew) await record(merged, summaryOf(change), pull, 'Every condition of an automatic merge holds.');
    return { merged, conditions, pull: { ...pull, mergeScheduled: merged === 'scheduled' } };
  }

  async function previewOf(input: ProposeInput): Promise<ProposalResult> {
    const known = await atStore(() => store.get(constantName(input.task)));
    const createdAt = known?.evidence === evidenceDigest(input) ? known.createdAt : clock();
    const change = { ...input, createdAt };
    const pulls = await requests.list();
    const open = openOf(pulls.filter(({ marker }) => isSameTask(marker.task, input.task)))?.pull ?? null;
    const described = await requests.describe(change);
    return {
      action: 'dry run',
      ...described,
      limits: [...described.limits, checkEvidence(change, pulls)],
      conditions: [],
      branch: open?.branch ?? branchName(change),
      pull: open,
    };
  }

  /** The texts of a change for which nothing is made. */
  const nothingFor = (change: ProposedChange, pull: ForgeProposal | null = null) => ({
    ...{ conditions: [], branch: pull?.branch ?? null, diff: '', pull },
    ...{ title: titleOf(change), message: commitMessage(change), body: bodyOf(change) },
  });

  async function current(task: string) {
    parseInput(taskSchema, 'task', task);
    const threshold = await requests.threshold(task);
    const merged = (await pullsOf(task)).filter(({ pull }) => pull.state === 'merged');
    const changes = merged.map(({ marker: { from, to, lastAt } }) => ({
      delta: (Math.round(to * 100) - Math.round(from * 100)) / 100,
      ...(lastAt === undefined ? {} : { at: lastAt }),
    }));
    // A rollback has no outcomes of its own: those up to the change that it takes back have counted.
    const latest = changes.reduce((at, change) => Math.max(at, change.at ?? 0), 0);
    const last = changes.at(-1);
    if (last === undefined || last.at !== undefined || latest === 0) return { threshold, changes };
    return { threshold, changes: [...changes.slice(0, -1), { ...last, at: latest }] };
  }

  return {
    current,

    async suggest(task, work) {
      parseInput(workSchema, 'work', work);
      const proposal = proposeAdjustment(work, await current(task));
      const last = work.at(-1);
      if (proposal === null || last === undefined) return null;
      const { outcome, platform, id: eventId, score } = last;
      return {
        task,
        proposal,
        trigger: { outcome, platform, eventId, ...(score === undefined ? {} : { score }) },
      };
    },

    async preview(input) {
      return previewOf(parse(input));
    },

    async propose(input) {
      const parsed = parse(input);
      const attempted = { ...parsed, createdAt: clock() };
      const all = await requests.list();
      const pulls = all.filter(({ marker }) => isSameTask(marker.task, parsed.task));
      const [evidence, event] = [evidenceDigest(parsed), eventDigest(parsed)];
      const ofState = (state: ForgeProposal['state']) => pulls.filter(({ pull }) => pull.state === state);
      const done = ofState('merged').find(({ marker }) => marker.evidence === evidence);
      // The same event with other numbers does not open again what a person closed.
      const closed = ofState('closed').find(({ marker }) => marker.event === event);
      const limits = [...checkLimits(parsed.proposal), checkEvidence(parsed, done || closed ? [] : all)];
      if (limits.some(({ holds }) => !holds)) {
        const detail = limits.flatMap(({ holds, detail: each }) => (holds ? [] : [each])).join('; ');
        await record('refused', summaryOf(parsed), null, `Outside of the limits: ${detail}`);
        return { action: 'refused', limits, ...nothingFor(attempted) };
      }
      if (done !== undefined) {
        if (!(await isRecorded(attempted, ['merged', 'scheduled'])))
          await record('merged', summaryOf(parsed), done.pull, 'It was merged.');
        return { action: 'unchanged', limits, ...nothingFor(attempted, done.pull) };
      }
      if (closed !== undefined) {
        await record('declined', summaryOf(parsed), closed.pull, 'A person closed this proposal.');
        return { action: 'declined', limits, ...nothingFor(attempted, closed.pull) };
      }
      const open = openOf(pulls)?.pull ?? null;
      const stored = await fixed(parsed, pulls);
      const change = { ...parsed, createdAt: stored.createdAt };
      const target = { branch: open?.branch ?? stored.branch, open };
      const { described, pull, action } = await requests.ensure(change, target);
      // An earlier attempt may have ended between the pull request and its entry.
      const isNew = action !== 'unchanged' || !(await isRecorded(change));
      if (isNew) {
        const what = action === 'updated' ? 'updated' : 'proposed';
        await record(what, summaryOf(change), pull, change.proposal.justification);
      }
      const { merged, conditions, pull: now } = await mergeIfEligible(change, pull, stored);
      return { action: merged ?? action, ...described, limits, conditions, branch: pull.branch, pull: now };
    },

    async settle(input) {
      const parsed = parse(input);
      const evidence = evidenceDigest(parsed);
      const pulls = await pullsOf(parsed.task);
      const open = openOf(pulls);
      if (open?.marker.evidence !== evidence) return null;
      const preview = await previewOf(parsed);
      const stored = await fixed(parsed, pulls);
      const change = { ...parsed, createdAt: stored.createdAt };
      const { merged, conditions, pull } = await mergeIfEligible(change, open.pull, stored);
      return { ...preview, action: merged ?? 'unchanged', conditions, pull };
    },

    async withdraw(task, reason) {
      parseInput(reasonSchema, 'reason', reason);
      const open = openOf(await pullsOf(task));
      if (open === null) return null;
      const { pull, marker } = open;
      await atForge(() => forge.cancelMerge(pull.id));
      await atForge(() => forge.closeProposal(pull.id));
      const closed = { ...pull, state: 'closed' as const, mergeScheduled: false };
      await record('withdrawn', marker, closed, `Withdrawn: ${reason.slice(0, 500)}`);
      return closed;
    },

    async rollback(task, reason) {
      parseInput(reasonSchema, 'reason', reason);
      const pulls = await pullsOf(task);
      const last = pulls.findLast(({ pull }) => pull.state === 'merged');
      if (last === undefined || last.marker.rollbackOf !== undefined)
        throw new SelfCorrectionError(
          'INVALID_INPUT',
          'No change of this task was merged that could be rolled back.',
        );
      const { from, to } = last.marker;
      const proposal: AdjustmentProposal = {
        ...{ pattern: 'shift', from: to, to: from, delta: 0, firstAt: null, lastAt: null },
        ...{ sampleSize: 0, recent: 0, successRate: 0, expectedRate: 0, confidence: 0, reversals: 0 },
        ...{ conditional: true, alert: false },
        justification: `Rollback of proposal ${last.pull.id}: ${reason.slice(0, 500)}`,
      };
      const trigger = { outcome: 'ROLLBACK', platform: 'operator', eventId: last.pull.id };
      const input = parse({ task, proposal, trigger });
      const open = openOf(pulls)?.pull ?? null;
      const stored = await fixed(input, pulls);
      const change = { ...input, createdAt: stored.createdAt, rollbackOf: last.pull.id };
      const { pull } = await requests.ensure(change, { branch: open?.branch ?? stored.branch, open });
      await record('rolled back', summaryOf(change), pull, proposal.justification);
      return pull;
    },

    history: async (task) => (await pullsOf(task)).filter(({ pull }) => pull.state !== 'closed'),
    counters: () => Object.fromEntries(counts),
  };
}
