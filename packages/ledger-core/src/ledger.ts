import {
  createEmitter,
  type Logger,
  type Page,
  requireOptions,
  silentLogger,
  type TrajectoryResult,
  type Unsubscribe,
} from '@bonafide/internal';
import type { PeerAggregates } from './aggregates.ts';
import type { AuditFinding } from './assessment-audit.ts';
import type { AssessorReport } from './assessor-report.ts';
import { latestTime } from './claimed-time.ts';
import { LedgerError } from './errors.ts';
import { type Assessor, type LedgerEvents, ledgerEventNames } from './events.ts';
import type { EvidenceBundle, ExportedAssessment } from './export.ts';
import type { HookFailures, UnkeptHookFailures } from './hook-failures.ts';
import { createIds } from './ids.ts';
import { type AssessmentOptions, assessPeer } from './ledger/assess.ts';
import { briefOn, type PeerBriefing } from './ledger/briefing.ts';
import type { LedgerConfig } from './ledger/config.ts';
import { type ForgetOptions, type ForgottenPeer, forgetPeer, voidInteraction } from './ledger/correct.ts';
import type { LedgerDependencies } from './ledger/dependencies.ts';
import type { ErasureLog } from './ledger/erasure-log.ts';
import { type ExportOptions, exportAssessments, exportEvidence } from './ledger/export.ts';
import { findPeer, resolvePeer } from './ledger/find-peer.ts';
import { createHandles } from './ledger/handles.ts';
import { summarizeLedger } from './ledger/ledger-summary.ts';
import {
  type AssessmentListOptions,
  listAssessments,
  listInteractions,
  listOutcomes,
  listPeers,
  type OutcomePageOptions,
  type PageOptions,
  type PeerPageOptions,
} from './ledger/lists.ts';
import { overviewOf, summarizePeer } from './ledger/peer-summary.ts';
import { type RecordInput, type RecordResult, recordMessage } from './ledger/record.ts';
import { type OutcomeOptions, recordOutcome } from './ledger/record-outcome.ts';
import {
  aggregatesOf,
  audit,
  type LargestStepOptions,
  largestStep,
  reportOnAssessors,
  trajectoryOf,
} from './ledger/reports.ts';
import { type SearchOptions, searchInteractions } from './ledger/search.ts';
import { countRecords } from './metrics.ts';
import { parse, parseConfig } from './parse.ts';
import type { PromptSection } from './peer-context.ts';
import { isOneLine } from './peer-id.ts';
import type {
  Assessment,
  Interaction,
  LedgerSummary,
  Outcome,
  OutcomeEvent,
  PeerAssessmentSummary,
  PeerOverview,
} from './records.ts';
import {
  assessmentOptionsSchema,
  assessorSchema,
  configSchema,
  hookFailuresSchema,
  ledgerOptionsSchema,
  pruneSchema,
  toolsSchema,
} from './schemas.ts';
import type { LedgerStore } from './store.ts';
import { createTools, type ToolDefinition } from './tools.ts';
import type { TrustStep } from './trust-step.ts';

/** Options of `createLedger`. */
export interface LedgerOptions {
  /** The journal's storage. The ledger does not close it. */
  readonly store: LedgerStore;
  /**
   * Time now, in ms since epoch.
   * @default Date.now
   */
  readonly clock?: () => number;
  /**
   * Numbers from 0 (included) to 1 (excluded), for ids.
   * @default Math.random
   */
  readonly random?: () => number;
  /**
   * Makes the id of a new row. Ids must never repeat and should grow.
   * @default version 7 UUIDs from `clock` and `random`
   */
  readonly ids?: () => string;
  readonly config?: LedgerConfig;
  /**
   * List of erasures outside of the database: `openErasureList` of `@bonafide/storage`, or your own. Without
   * it, a restored backup brings erased peers back.
   */
  readonly erasures?: ErasureLog;
  /** @default silent */
  readonly logger?: Logger;
}

/**
 * A private journal of one agent: its peers, its interactions with them, and its judgments. It contains only
 * what this agent observed; there is no import and no write access for others.
 *
 * Methods that take a `peerId` accept the ledger's id (`Peer.peerId`), the handle (`Peer.handle`) or an
 * `npub`, and nothing else. Methods throw `LedgerError`; errors of the store are passed on unchanged.
 */
export interface Ledger {
  /** Records a message from a peer; creates the peer on first contact. Null for excluded senders. */
  recordIncoming(message: RecordInput): Promise<RecordResult | null>;
  /** Records a message to a peer; creates the peer on first contact. Null for excluded recipients. */
  recordOutgoing(message: RecordInput): Promise<RecordResult | null>;
  /**
   * Appends an outcome of a piece of work. Of a correlationId the outcome that was recorded last counts in the peer's
   * success rate; the number of interactions does not change. Throws `CORRELATION_NOT_FOUND`,
   * `CORRELATION_AMBIGUOUS`.
   */
  recordOutcome(correlationId: string, outcome: Outcome, options?: OutcomeOptions): Promise<OutcomeEvent>;
  /**
   * Appends a judgment: `trust` is an integer −10…+10, `rationale` says why. The infoScore is computed, counting this
   * assessment. Throws `PEER_NOT_FOUND`, `TRUST_OUT_OF_RANGE`, `RATIONALE_REQUIRED`, `CHANNEL_NOT_ASSESSED`.
   */
  recordAssessment(
    peerId: string,
    trust: number,
    rationale: string,
    options?: AssessmentOptions,
  ): Promise<Assessment>;

  getPeer(peerId: string): Promise<PeerOverview | null>;
  /**
   * Returns the peer that a person or a model names by handle, peerId or npub. Surrounding spaces and the delimiters of
   * tool results (`⟦…⟧`) are ignored.
   */
  resolvePeer(text: string): Promise<PeerOverview | null>;
  /** Peers, most recently seen first unless ordered otherwise. */
  listPeers(options?: PeerPageOptions): Promise<Page<PeerOverview>>;
  /** A peer's messages, newest first. */
  getInteractions(peerId: string, options?: PageOptions): Promise<Page<Interaction>>;
  /** A peer's messages in order of time. */
  getConversation(peerId: string, options?: PageOptions): Promise<Page<Interaction>>;
  /**
   * Searches messages that contain every word of `text`, newest first. Throws `INVALID_INPUT` without a word,
   * `PEER_NOT_FOUND`, and `NOT_SUPPORTED` over a store without search.
   */
  searchInteractions(options: SearchOptions): Promise<Page<Interaction>>;
  /** A peer's outcome events, newest first: all of them, or with `only` those that count. */
  getOutcomes(peerId: string, options?: OutcomePageOptions): Promise<Page<OutcomeEvent>>;
  /** Returns a peer's assessments in order of time; with `limit` only the newest ones, with `source` only its own. */
  getAssessments(peerId: string, options?: AssessmentListOptions): Promise<readonly Assessment[]>;
  getLatestAssessment(peerId: string): Promise<Assessment | null>;
  /** Returns the input of policy and prompt; null for an unknown peer. */
  getPeerAssessmentSummary(peerId: string): Promise<PeerAssessmentSummary | null>;
  getSummary(): Promise<LedgerSummary>;
  /** Peer, summary, verdict and prompt section together, of one moment. */
  getBriefing(peerId: string): Promise<PeerBriefing>;

  /** Returns the prompt text about this peer; empty for excluded senders. */
  peerContext(peerId: string): Promise<string>;
  /** The same as a section that a host can place where its prompt cache wants it. */
  peerContextSection(peerId: string): Promise<PromptSection>;

  /**
   * Returns tools for the model: `query_peer`, `list_peers`, `search_messages` with `search: true`, and `assess_peer` unless a cortex
   * assesses. Call
   * it for each turn, or use an adapter that follows changes.
   */
  tools(options?: { readonly assessor?: string; readonly search?: boolean }): readonly ToolDefinition[];
  /**
   * Sets who assesses in the agent's loop. A cortex calls it when it starts and when it closes. The operator
   * can always assess.
   */
  setAssessor(assessor: Assessor): void;

  /** Computes success rate, latency and trend with decay from the newest thousand outcomes and messages. */
  getPeerAggregates(
    peerId: string,
    options?: { readonly halfLifeMs?: number; readonly trendLength?: number },
  ): Promise<PeerAggregates | null>;
  /**
   * Detects trust that may have been built in order to be exploited, with the rows as evidence, over the
   * newest thousand messages and assessments. The result has no automatic effect. Null for an unknown peer.
   */
  getTrajectory(peerId: string): Promise<TrajectoryResult<Interaction | Assessment> | null>;
  /** Finds assessments of one peer, or of all, that an operator should review. */
  auditAssessments(peerId?: string): Promise<readonly AuditFinding[]>;
  /** Streams what `auditAssessments` finds, in constant memory, for ledgers with very many assessments. */
  exportAuditFindings(peerId?: string): AsyncIterable<AuditFinding>;
  /** Reports statistics per assessor, which make a change of model or prompt visible. */
  assessorReport(): Promise<readonly AssessorReport[]>;
  /**
   * The furthest that one assessment by the agent itself, or by another source, moved trust; null without any.
   */
  getLargestTrustStep(options?: LargestStepOptions): Promise<TrustStep | null>;
  /** Exports complete assessments, oldest first, page by page. */
  exportAssessments(options?: ExportOptions): AsyncIterable<ExportedAssessment>;
  /** Exports the basis of a peer's infoScore with the signed events. Null for an unknown peer. */
  exportEvidence(peerId: string): Promise<EvidenceBundle | null>;
  /**
   * Permanently removes text and evidence of older interactions; for operators. Counts, times, outcomes and
   * assessments stay, so no score changes. Returns the number of interactions whose text was removed.
   */
  prune(options: { readonly before: number }): Promise<{ readonly pruned: number }>;
  /**
   * Voids an interaction that was recorded by mistake; for operators. The row stays with the reason, but leaves counts,
   * times and rates; outcomes of its piece of work leave them too when the work has no other interaction. Its externalId
   * stays taken.
   * `voided` is false when it was voided before. Throws `INTERACTION_NOT_FOUND`.
   */
  voidInteraction(interactionId: string, reason: string): Promise<{ readonly voided: boolean }>;
  /**
   * Erases a peer; for operators. Its id, aliases, texts, evidence and metrics are removed, and its rationales become
   * `[erased]`. An anonymous peer keeps counts and scores, so that totals stay consistent. If the peer returns, it is a first
   * contact, unless `keepVerdict` keeps a refusal. Throws `PEER_NOT_FOUND`. Backups still contain the peer: give `createLedger` a
   * list of `erasures` to repeat them after a restore.
   */
  forgetPeer(peerId: string, options: ForgetOptions): Promise<ForgottenPeer>;

  /**
   * Adds failures of hooks to the journal's tally, stamped with the time now; `createLedgerHooks` does it. Over
   * a store without a tally it does nothing.
   */
  noteHookFailures(failures: readonly UnkeptHookFailures[]): Promise<void>;
  /**
   * Returns the number of failures per hook since the journal was created, ordered by name; null when the
   * store does not count them.
   */
  getHookFailures(): Promise<readonly HookFailures[] | null>;

  /** Calls `listener` after each event. What a listener throws is logged and goes no further. */
  on<Name extends keyof LedgerEvents>(
    name: Name,
    listener: (event: LedgerEvents[Name]) => unknown,
  ): Unsubscribe;
  /** Removes all listeners and rejects further calls. Does not close the store. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * A ledger over a store.
 *
 * @throws LedgerError `INVALID_CONFIG` when an option is missing, wrong or unknown
 *
 * @example
 * const ledger = createLedger({ store: createMemoryLedgerStore() });
 * await ledger.recordIncoming({ peerId: 'npub1…', channel: 'nostr', content: 'Can you summarise this?' });
 */
export function createLedger(options: LedgerOptions): Ledger {
  requireOptions(
    options,
    { store: { methods: ['listPeers'], example: 'createMemoryLedgerStore()' } },
    (message) => new LedgerError('INVALID_CONFIG', message),
  );
  const {
    store,
    clock = Date.now,
    random = Math.random,
    ids,
    config: given = {},
    erasures = null,
    logger = silentLogger,
  } = parseConfig(ledgerOptionsSchema, options, 'options');
  const now = () => Math.min(latestTime, Math.max(0, Math.floor(clock())));
  const events = createEmitter<LedgerEvents>({
    logger,
    names: ledgerEventNames,
    fail: (message) => new LedgerError('INVALID_INPUT', message),
  });
  countRecords(events);
  events.on('afterClamp', ({ interactionId, outcomeId, claimedAt, createdAt }) =>
    logger.warn(
      { interactionId, outcomeId, claimedAt, createdAt },
      'A claimed time was out of range; clamped',
    ),
  );
  let closed = false;
  let assessor: Assessor = 'agent';

  const ensureOpen = () => {
    if (closed) throw new LedgerError('CLOSED', 'This ledger was closed. Create a new one over the store.');
  };
  const context: LedgerDependencies = {
    store,
    config: parseConfig(configSchema, given),
    now,
    newId: ids ?? createIds({ clock: now, random }),
    handles: createHandles(store),
    erasures,
    emit: events.emit,
    ensureOpen,
  };
  const { config } = context;
  const close = async () => {
    closed = true;
    events.clear();
  };

  const ledger: Ledger = {
    recordIncoming: (message) => recordMessage(context, 'in', message),
    recordOutgoing: (message) => recordMessage(context, 'out', message),
    recordOutcome: (correlationId, outcome, outcomeOptions = {}) =>
      recordOutcome(context, correlationId, outcome, outcomeOptions),
    async recordAssessment(peerId, trust, rationale, assessmentOptions = {}) {
      const given = parse(assessmentOptionsSchema, assessmentOptions, 'options');
      return assessPeer(context, { ...given, peerId, trust, rationale }, null);
    },

    async getPeer(peerId) {
      const found = await findPeer(context, peerId);
      return found && (await overviewOf(context, found));
    },
    async resolvePeer(text) {
      const found = await resolvePeer(context, text);
      return found && (await overviewOf(context, found));
    },
    listPeers: (page = {}) => listPeers(context, page),
    getInteractions: (peerId, page) => listInteractions(context, peerId, 'newest', page),
    getConversation: (peerId, page) => listInteractions(context, peerId, 'oldest', page),
    searchInteractions: (searchOptions) => searchInteractions(context, searchOptions),
    getOutcomes: (peerId, page) => listOutcomes(context, peerId, page),
    getAssessments: (peerId, list) => listAssessments(context, peerId, list),
    async getLatestAssessment(peerId) {
      ensureOpen();
      // The full id is what nearly everybody asks with; only an unassessed or otherwise named peer costs more.
      const isId = typeof peerId === 'string' && isOneLine(peerId);
      const [latest] = isId ? await store.listAssessments({ peerId, order: 'newest', limit: 1 }) : [];
      return latest ?? (await findPeer(context, peerId))?.latest ?? null;
    },
    async getPeerAssessmentSummary(peerId) {
      const found = await findPeer(context, peerId);
      return found && (await summarizePeer(context, found, now()));
    },
    getSummary: () => summarizeLedger(context),
    getBriefing: (peerId) => briefOn(context, peerId),

    peerContext: async (peerId) => (await briefOn(context, peerId)).section.text,
    peerContextSection: async (peerId) => (await briefOn(context, peerId)).section,

    tools(toolsOptions = {}) {
      ensureOpen();
      const { assessor: name, search } = parse(toolsSchema, toolsOptions, 'options');
      const tools = createTools({
        resolvePeer: ledger.resolvePeer,
        listPeers: ledger.listPeers,
        getInteractions: ledger.getInteractions,
        searchInteractions: search ? ledger.searchInteractions : null,
        rubric: config.rubric,
        now,
        assess(peerId, trust, rationale) {
          if (assessor === 'cortex') {
            throw new LedgerError(
              'CORTEX_ASSESSES',
              'A cortex is attached and assesses from now on; what you observe reaches it automatically.',
            );
          }
          return assessPeer(context, { peerId, trust, rationale, assessor: name }, config.maxTrustStep);
        },
      });
      return assessor === 'cortex' ? tools.filter((tool) => tool.name !== 'assess_peer') : tools;
    },
    setAssessor(next) {
      ensureOpen();
      if (next === assessor) return;
      assessor = parse(assessorSchema, next, 'assessor');
      events.emit('afterAssessorChange', { assessor });
    },

    getPeerAggregates: (peerId, aggregateOptions = {}) => aggregatesOf(context, peerId, aggregateOptions),
    getTrajectory: (peerId) => trajectoryOf(context, peerId),
    async auditAssessments(peerId) {
      const findings: AuditFinding[] = [];
      for await (const finding of audit(context, peerId)) findings.push(finding);
      return findings;
    },
    exportAuditFindings: (peerId) => audit(context, peerId),
    assessorReport: () => reportOnAssessors(context),
    getLargestTrustStep: (stepOptions = {}) => largestStep(context, stepOptions),
    exportAssessments: (exportOptions = {}) => exportAssessments(context, exportOptions),
    exportEvidence: (peerId) => exportEvidence(context, peerId),
    async prune(pruneOptions) {
      ensureOpen();
      const { before } = parse(pruneSchema, pruneOptions, 'options');
      return { pruned: await store.prune(before) };
    },

    voidInteraction: (interactionId, reason) => voidInteraction(context, interactionId, reason),
    forgetPeer: (peerId, forgetOptions) => forgetPeer(context, peerId, forgetOptions),

    async noteHookFailures(failures) {
      ensureOpen();
      const added = parse(hookFailuresSchema, failures, 'failures');
      const lastAt = now();
      await store.addHookFailures?.(added.map((failure) => ({ ...failure, lastAt })));
    },
    async getHookFailures() {
      ensureOpen();
      return (await store.listHookFailures?.()) ?? null;
    },

    on: (name, listener) => events.on(name, listener),
    close,
    [Symbol.asyncDispose]: close,
  };
  return ledger;
}
