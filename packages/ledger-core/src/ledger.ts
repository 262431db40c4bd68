import { createEmitter, type Logger, silentLogger, type Unsubscribe } from '@bonafide/internal';
import type { z } from 'zod';
import { computeAggregates, defaultHalfLifeMs, type PeerAggregates } from './aggregates.ts';
import { type AuditFinding, auditAssessments } from './assessment-audit.ts';
import { type AssessorReport, reportAssessors } from './assessor-report.ts';
import { placeOfCursor, toPage } from './cursor.ts';
import { LedgerError } from './errors.ts';
import { type EvidenceBundle, type ExportedAssessment, toExportedAssessment } from './export.ts';
import { createIds } from './ids.ts';
import { discountInfoScore, type InfoDiscountOptions } from './info-discount.ts';
import { computeInfoScore, type InfoScoreInput } from './info-score.ts';
import { outcomeResult, successRate } from './outcome.ts';
import { isTooOften, type OverAssessed } from './over-assessment.ts';
import { type PromptSection, peerContextSection } from './peer-context.ts';
import { parseNostrKey, parseShortId, toPeerId } from './peer-id.ts';
import { evaluatePolicy, type Policy, type PolicyName, type PolicyVerdict } from './policy.ts';
import type {
  Assessment,
  AssessmentSource,
  Direction,
  Evidence,
  Interaction,
  LedgerSummary,
  Metrics,
  Outcome,
  OutcomeEvent,
  Page,
  Peer,
  PeerAssessmentSummary,
  PeerOrder,
  PeerOverview,
} from './records.ts';
import type { Rubric } from './rubric.ts';
import {
  aggregateSchema,
  assessorSchema,
  configSchema,
  exportSchema,
  outcomeSchema,
  pageSchema,
  peerPageSchema,
  pruneSchema,
  recordSchema,
  sourceSchema,
} from './schemas.ts';
import type { LedgerStore, Position, StoredPeer } from './store.ts';
import { cleanText, storedAlias, storedContent, storedEvidence } from './stored-text.ts';
import { createTools, type ToolDefinition } from './tools.ts';
import { detectBuildThenExploit, requestsOf, type TrajectoryVerdict, trustsOf } from './trajectory.ts';

/** What an operator may set (LED-11). Everything is optional. */
export interface LedgerConfig {
  /**
   * Longest message text that is kept, in UTF-16 units; the rest is cut off, its length stays known.
   * @default null (everything is kept)
   */
  readonly maxMessageLength?: number | null;
  /**
   * Senders that are no peers and leave no trace. A plain name is meant on `localChannels` only, so a remote peer
   * that calls itself `system` is recorded; a full peerId (`telegram:4711`, a Nostr key) is meant everywhere.
   * @default ['stdin', 'system', 'cron']
   */
  readonly excludedSenders?: readonly string[];
  /**
   * Channels whose sender ids are given by this machine and not chosen by a stranger.
   * @default ['local', 'stdin', 'stdio', 'system', 'cron', 'cli', 'internal']
   */
  readonly localChannels?: readonly string[];
  /**
   * Channels whose peers the agent and the cortex assess; elsewhere only the operator does.
   * @default null (all)
   */
  readonly assessChannels?: readonly string[] | null;
  /**
   * Which policy gives the verdicts (LED-19).
   * @default 'open'
   */
  readonly policy?: PolicyName | Policy;
  /**
   * What `assess_peer` tells the model about how to assess: the full rubric, the short one, or words of your own.
   * @default 'full'
   */
  readonly rubric?: Rubric;
  /**
   * How far one `assess_peer` may move trust from the latest assessment (from 0 at the first), 1…20.
   * @default null (as far as the model says)
   */
  readonly maxTrustStep?: number | null;
  /**
   * Whether messages in bursts, clockwork messages and trivial ones count for less in the infoScore (LED-7). Costs a
   * query per peer.
   * @default false
   */
  readonly infoDiscount?: boolean | InfoDiscountOptions;
}

/** Who gives assessments in the agent's own loop (LED-18): the agent itself, or the cortex attached to it. */
export type Assessor = 'agent' | 'cortex';

/** Which assessments to export. */
export interface ExportOptions {
  /**
   * Who judged, as it shall be called outside: this agent's npub, for one.
   * @default the store's agentId, else 'self'
   */
  readonly source?: string | undefined;
  /** Only assessments of this peer. */
  readonly peerId?: string | null | undefined;
  /** Only assessments from this time on, ms since epoch. */
  readonly since?: number | undefined;
}

/** What a ledger is made of. */
export interface LedgerOptions {
  /** Where the journal is kept. The ledger does not close it. */
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
  /** @default silent */
  readonly logger?: Logger;
}

/** A message to record. */
export interface RecordInput {
  /** The peer's id as its channel writes it: a Nostr public key (hex or npub), a user id, an agent's name. */
  readonly peerId: string;
  /** Where the message travels: `nostr`, `telegram`, … One word without a colon. */
  readonly channel: string;
  readonly content: string;
  /** What the peer calls itself. At most 256 characters are kept. */
  readonly alias?: string | null | undefined;
  /** Ties request, delivery, payment and outcome of one piece of work together. */
  readonly correlationId?: string | null | undefined;
  /** The message's id outside (an event id). Recording the same one again for the peer does nothing. */
  readonly externalId?: string | null | undefined;
  /** The signed event as it was received. */
  readonly evidence?: Evidence | null | undefined;
  /** An outcome that the message itself brings. Without `correlationId` the message is a piece of work of its own. */
  readonly outcome?: Outcome | null | undefined;
  readonly metrics?: Metrics | null | undefined;
  /** When it happened, ms since epoch; now by default. */
  readonly at?: number | null | undefined;
}

/** What became of a recorded message. */
export interface RecordResult {
  readonly interactionId: string;
  /** The ledger's id of the peer. */
  readonly peerId: string;
  /** True when the same `externalId` was recorded before; `interactionId` is the earlier one then. */
  readonly duplicate: boolean;
}

/** Options of `recordOutcome`. */
export interface OutcomeOptions {
  /** Whose work it is; needed when several peers worked under one correlationId. */
  readonly peerId?: string | undefined;
  readonly metrics?: Metrics | undefined;
  /** The outcome's id outside. Recording the same one again for the peer does nothing. */
  readonly externalId?: string | undefined;
  /** When it happened, ms since epoch; now by default. */
  readonly at?: number | undefined;
}

/** Options of `recordAssessment`. */
export interface AssessmentOptions {
  /** @default 'agent' */
  readonly source?: AssessmentSource | undefined;
  /** Which model and prompt judged. */
  readonly assessor?: string | undefined;
}

/** Which page of a list. */
export interface PageOptions {
  /**
   * Items on the page, 1…1000.
   * @default 50
   */
  readonly limit?: number | undefined;
  /** `nextCursor` of the page before. */
  readonly cursor?: string | null | undefined;
}

/** Which page of the peers. */
export interface PeerPageOptions extends PageOptions {
  /** @default 'lastSeenAt' */
  readonly orderBy?: PeerOrder | undefined;
}

/** What a ledger tells its listeners (LED-10). */
export interface LedgerEvents {
  /** A message was recorded. A repeated one is not announced. */
  readonly afterRecord: {
    readonly peerId: string;
    readonly direction: Direction;
    readonly interactionId: string;
  };
  /** An assessment was recorded, whoever made it. */
  readonly afterAssess: {
    readonly peerId: string;
    readonly infoScore: number;
    readonly trust: number;
    readonly rationale: string;
    readonly assessmentId: string;
    readonly source: AssessmentSource;
  };
  /** The tools on offer have changed, because somebody else assesses now. */
  readonly afterAssessorChange: { readonly assessor: Assessor };
}

/** Everything that is known about a peer before a decision is made, read at one moment. */
export interface PeerBriefing {
  /** Null on first contact. */
  readonly peer: PeerOverview | null;
  readonly summary: PeerAssessmentSummary | null;
  readonly verdict: PolicyVerdict;
  readonly section: PromptSection;
}

/**
 * One agent's private journal of whom it dealt with, what happened and what it makes of them. Only what this agent
 * saw and thought itself goes in (LED-12): there is no import and no way for others to write.
 *
 * Where a method takes a `peerId`, it is the ledger's id (`Peer.peerId`) or an `npub`. The id as the channel writes
 * it is understood too while only one channel knows it, and is `PEER_AMBIGUOUS` otherwise. Methods throw
 * `LedgerError`; what the store throws comes out unchanged.
 */
export interface Ledger {
  /** Records a message from a peer; creates the peer on first contact. Null for excluded senders. */
  recordIncoming(message: RecordInput): Promise<RecordResult | null>;
  /** Records a message to a peer; creates the peer on first contact. Null for excluded recipients. */
  recordOutgoing(message: RecordInput): Promise<RecordResult | null>;
  /**
   * Appends what became of a piece of work. The last outcome of a correlationId counts in the peer's success rate;
   * the number of interactions does not change. Throws `CORRELATION_NOT_FOUND`, `CORRELATION_AMBIGUOUS`.
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
   * The peer that a person or a model means: a full peerId, an npub, an id as the channel writes it, or a short id as
   * prompts show it (`3bf0c63f…459d`). Throws `PEER_AMBIGUOUS` when several match.
   */
  resolvePeer(text: string): Promise<PeerOverview | null>;
  /** Peers, most recently seen first unless ordered otherwise. */
  listPeers(options?: PeerPageOptions): Promise<Page<PeerOverview>>;
  /** A peer's messages, newest first. */
  getInteractions(peerId: string, options?: PageOptions): Promise<Page<Interaction>>;
  /** A peer's messages in order of time. */
  getConversation(peerId: string, options?: PageOptions): Promise<Page<Interaction>>;
  /** A peer's outcome events, newest first. */
  getOutcomes(peerId: string, options?: PageOptions): Promise<Page<OutcomeEvent>>;
  /** A peer's assessments in order of time; with `limit` only the newest so many. */
  getAssessments(peerId: string, options?: { readonly limit?: number }): Promise<readonly Assessment[]>;
  getLatestAssessment(peerId: string): Promise<Assessment | null>;
  /** What the policy and the prompt need; null for a peer that the ledger does not know. */
  getPeerAssessmentSummary(peerId: string): Promise<PeerAssessmentSummary | null>;
  getSummary(): Promise<LedgerSummary>;
  /** Peer, summary, verdict and prompt section together, of one moment. */
  getBriefing(peerId: string): Promise<PeerBriefing>;

  /** The text for the prompt about this peer (LED-15); empty for excluded senders. */
  peerContext(peerId: string): Promise<string>;
  /** The same as a section that a host can place where its prompt cache wants it. */
  peerContextSection(peerId: string): Promise<PromptSection>;

  /**
   * Tools for the model (LED-17): `query_peer`, `list_peers`, and `assess_peer` unless a cortex assesses. Ask anew for
   * each turn, or use an adapter that follows.
   */
  tools(options?: { readonly assessor?: string }): readonly ToolDefinition[];
  /** Who assesses in the loop (LED-18). A cortex calls it when it starts and when it closes. The operator always may. */
  setAssessor(assessor: Assessor): void;

  /** Success rate, latency and trend with decay (LED-20), from the newest thousand outcomes and messages. */
  getPeerAggregates(
    peerId: string,
    options?: { readonly halfLifeMs?: number; readonly trendLength?: number },
  ): Promise<PeerAggregates | null>;
  /**
   * Whether trust in this peer looks as if it was built to be exploited (LED-21), with the rows that say so, from the
   * oldest to the newest thousand messages. Nothing acts on it by itself. Null for an unknown peer.
   */
  getTrajectory(peerId: string): Promise<TrajectoryVerdict<Interaction | Assessment> | null>;
  /** What a person should look at among the assessments of one peer, or of all (LED-20). */
  auditAssessments(peerId?: string): Promise<readonly AuditFinding[]>;
  /** How each assessor judges, so that a change of model or prompt shows (LED-3). */
  assessorReport(): Promise<readonly AssessorReport[]>;
  /** Complete records for whoever may see them, oldest first (LED-26). Read page by page. */
  exportAssessments(options?: ExportOptions): AsyncIterable<ExportedAssessment>;
  /** What the infoScore of a peer rests on, with the signed events (LED-2). Null for an unknown peer. */
  exportEvidence(peerId: string): Promise<EvidenceBundle | null>;
  /**
   * Removes text and evidence of older interactions for good, on the operator's word only (LED-27). Counts, times,
   * outcomes and assessments stay, so that no score moves. Returns how many interactions lost their text.
   */
  prune(options: { readonly before: number }): Promise<{ readonly pruned: number }>;

  /** Calls `listener` after each event. What a listener throws is logged and goes no further. */
  on<Name extends keyof LedgerEvents>(
    name: Name,
    listener: (event: LedgerEvents[Name]) => unknown,
  ): Unsubscribe;
  /** Lets go of the listeners and refuses further calls. The store stays as it is. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const trajectoryLength = 10;
const flaggedShown = 100;
const pageLength = 1_000;
const overAssessedWindowMs = 30 * 86_400_000;
const trendWorks = 10;
/** Newest messages that a discount looks at. */
const discountMessages = 200;

/**
 * A ledger over a store. Throws `INVALID_INPUT` when the configuration is wrong.
 *
 * @example
 * const ledger = createLedger({ store: createMemoryLedgerStore() });
 * await ledger.recordIncoming({ peerId: 'npub1…', channel: 'nostr', content: 'Can you summarise this?' });
 */
export function createLedger(options: LedgerOptions): Ledger {
  const { store, clock = Date.now, random = Math.random, logger = silentLogger } = options;
  const config = parse(configSchema, options.config ?? {}, 'config');
  const now = () => Math.max(0, Math.floor(clock()));
  const newId = options.ids ?? createIds({ clock: now, random });
  const events = createEmitter<LedgerEvents>({ logger });
  let closed = false;
  let assessor: Assessor = 'agent';

  const isExcluded = (channel: string, nativeId: string) =>
    config.excludedSenders.includes(toPeerId(channel, nativeId)) ||
    (config.localChannels.includes(channel) && config.excludedSenders.includes(nativeId));

  async function record(direction: Direction, input: RecordInput): Promise<RecordResult | null> {
    ensureOpen();
    const message = parse(recordSchema, input, 'message');
    const { channel } = message;
    if (isExcluded(channel, message.peerId)) return null;

    const peerId = toPeerId(channel, message.peerId);
    const nativeId = peerId.startsWith(`${channel}:`) ? message.peerId : peerId;
    const { evidence, redacted: evidenceRedacted } = storedEvidence(message.evidence);
    const { content, redacted } = storedContent(message.content, config.maxMessageLength);
    const interactionId = newId();
    const createdAt = message.at ?? now();
    const correlationId = message.correlationId ?? (message.outcome ? interactionId : null);

    const written = await store.recordInteraction({
      peer: { peerId, nativeId, channel, alias: storedAlias(message.alias) },
      interaction: {
        interactionId,
        direction,
        content,
        contentLength: message.content.length,
        redacted: redacted || evidenceRedacted,
        correlationId,
        externalId: message.externalId ?? null,
        evidence,
        metrics: message.metrics ?? null,
        createdAt,
      },
      outcome:
        message.outcome && correlationId !== null
          ? {
              outcomeId: newId(),
              correlationId,
              outcome: message.outcome,
              result: outcomeResult(message.outcome),
              metrics: message.metrics ?? null,
              externalId: message.externalId ?? null,
              createdAt,
            }
          : null,
    });
    if (written.recorded) events.emit('afterRecord', { peerId, direction, interactionId });
    return { interactionId: written.interactionId, peerId, duplicate: !written.recorded };
  }

  async function find(peerId: string): Promise<StoredPeer | null> {
    ensureOpen();
    const exact = await store.getPeer(peerId);
    if (exact) return exact;
    // A Nostr key belongs to Nostr: who carries one as a name on another channel is not meant.
    const key = parseNostrKey(peerId);
    if (key) return key === peerId ? null : await store.getPeer(key);
    return unique(await store.listPeers({ orderBy: 'lastSeenAt', limit: 2, nativeId: peerId }), peerId);
  }

  async function resolve(text: string): Promise<StoredPeer | null> {
    const wanted = text.trim();
    const found = await find(wanted);
    const short = found ? null : parseShortId(wanted);
    if (!short) return found;

    const matches: StoredPeer[] = [];
    let after: { value: number; id: string } | undefined;
    for (;;) {
      const rows = await store.listPeers({
        orderBy: 'firstSeenAt',
        limit: 1000,
        peerIdPrefix: short.prefix,
        after,
      });
      matches.push(...rows.filter(({ peer }) => peer.peerId.endsWith(short.suffix)));
      const last = rows.at(-1);
      if (!last || rows.length < 1000 || matches.length > 1) return unique(matches, wanted);
      after = { value: last.peer.firstSeenAt, id: last.peer.peerId };
    }
  }

  async function history<Row>(
    list: string,
    read: (query: Parameters<LedgerStore['listInteractions']>[0]) => Promise<readonly Row[]>,
    peerId: string,
    order: 'newest' | 'oldest',
    page: PageOptions | undefined,
    position: (row: Row) => { readonly value: number; readonly id: string },
  ): Promise<Page<Row>> {
    const { limit, cursor } = parse(pageSchema, page ?? {}, 'options');
    const found = await find(peerId);
    if (!found) return { items: [], nextCursor: null };
    const id = found.peer.peerId;
    const after = cursor ? placeOfCursor(`${list}/${id}`, cursor) : undefined;
    return toPage(
      `${list}/${id}`,
      await read({ peerId: id, order, limit: limit + 1, after }),
      limit,
      position,
    );
  }

  const placeOfInteraction = (row: Interaction) => ({ value: row.createdAt, id: row.interactionId });

  /** The peer's infoScore, after discounts when the operator wants them. */
  async function infoScorer(peer: Peer): Promise<(peer: Peer) => number> {
    const discount = config.infoDiscount;
    if (discount === null) return infoScoreOf;
    const newest = await store.listInteractions({
      peerId: peer.peerId,
      order: 'newest',
      limit: discountMessages,
    });
    const messages = newest
      .map(({ createdAt, contentLength }) => ({ at: createdAt, contentLength }))
      .reverse();
    return (now) => discountInfoScore(infoScoreInput(now), messages, discount).score;
  }

  async function overview(found: StoredPeer): Promise<PeerOverview> {
    const score = await infoScorer(found.peer);
    return {
      ...found.peer,
      infoScoreNow: score(found.peer),
      latest: found.latest,
      successRate: successRate(found.peer),
    };
  }

  async function trendOf(peer: Peer, now: number) {
    if (peer.successCount + peer.failureCount < 4) return 'unknown' as const;
    const outcomes = await store.listOutcomes({
      peerId: peer.peerId,
      order: 'newest',
      limit: trendWorks * 4,
    });
    return computeAggregates({ outcomes, interactions: [] }, { now, trendLength: trendWorks }).trend;
  }

  async function summarize({ peer, latest }: StoredPeer, asOf: number): Promise<PeerAssessmentSummary> {
    const newest = latest
      ? await store.listAssessments({ peerId: peer.peerId, order: 'newest', limit: trajectoryLength })
      : [];
    const score = await infoScorer(peer);
    return {
      channel: peer.channel,
      infoScoreNow: score(peer),
      latest: latest && {
        infoScore: latest.infoScore,
        trust: latest.trust,
        rationale: latest.rationale,
        createdAt: latest.createdAt,
        source: latest.source,
      },
      trajectory: newest.map(({ trust, createdAt }) => ({ trust, at: createdAt })).reverse(),
      counts: {
        interactions: peer.interactionCount,
        assessments: peer.assessmentCount,
        successes: peer.successCount,
        failures: peer.failureCount,
        open: peer.openCount,
      },
      successRate: successRate(peer),
      trend: await trendOf(peer, asOf),
      asOf,
    };
  }

  async function brief(peerId: string): Promise<PeerBriefing> {
    const asOf = now();
    const found = await find(peerId);
    const summary = found && (await summarize(found, asOf));
    const verdict = evaluatePolicy(summary, config.policy);
    const peer = found && {
      ...found.peer,
      infoScoreNow: summary?.infoScoreNow ?? 0,
      latest: found.latest,
      successRate: successRate(found.peer),
    };
    // An unknown id may be one that was never recorded on purpose: `cron`, or `local:cron` as the ledger would have it.
    const [channel = '', ...nativeId] = peerId.split(':');
    const excluded = peer
      ? isExcluded(peer.channel, peer.nativeId)
      : config.excludedSenders.includes(peerId) || isExcluded(channel, nativeId.join(':'));
    return {
      peer,
      summary,
      verdict,
      section: peerContextSection(
        excluded ? null : { peerId: parseNostrKey(peerId) ?? peerId, peer, summary, verdict, now: asOf },
      ),
    };
  }

  async function assess(
    peerId: string,
    trust: number,
    rationale: string,
    { source = 'agent', assessor: name }: AssessmentOptions,
    maxStep: number | null,
  ): Promise<Assessment> {
    ensureOpen();
    if (!Number.isInteger(trust) || trust < -10 || trust > 10) {
      throw new LedgerError(
        'TRUST_OUT_OF_RANGE',
        `Trust is an integer from -10 to +10, not ${String(trust)}.`,
      );
    }
    if (typeof rationale !== 'string' || !/[^\s\p{Cc}\p{Cf}]/u.test(rationale)) {
      throw new LedgerError(
        'RATIONALE_REQUIRED',
        'Say why: an assessment without a rationale cannot be recorded.',
      );
    }
    const by = parse(sourceSchema, source, 'source');
    const found = await find(peerId);
    if (!found) throw peerNotFound(peerId);
    const { channel } = found.peer;
    if (by !== 'operator' && config.assessChannels && !config.assessChannels.includes(channel)) {
      throw new LedgerError(
        'CHANNEL_NOT_ASSESSED',
        `Peers of the channel '${channel}' are assessed by the operator only. Add it to assessChannels to change that.`,
      );
    }
    const score = await infoScorer(found.peer);
    const assessment = await store.recordAssessment(found.peer.peerId, (peer, latest) => ({
      assessmentId: newId(),
      peerId: peer.peerId,
      infoScore: score({ ...peer, assessmentCount: peer.assessmentCount + 1 }),
      // Adding 0 turns -0 into 0.
      trust: (maxStep === null ? trust : within(trust, latest?.trust ?? 0, maxStep)) + 0,
      rationale: cleanText(rationale),
      source: by,
      assessor: name === undefined ? null : cleanText(name),
      createdAt: now(),
    }));
    if (!assessment) throw peerNotFound(peerId);
    events.emit('afterAssess', {
      peerId: assessment.peerId,
      infoScore: assessment.infoScore,
      trust: assessment.trust,
      rationale: assessment.rationale,
      assessmentId: assessment.assessmentId,
      source: assessment.source,
    });
    return assessment;
  }

  function ensureOpen(): void {
    if (closed)
      throw new LedgerError('LEDGER_CLOSED', 'This ledger was closed. Create a new one over the store.');
  }

  const close = async () => {
    closed = true;
    events.clear();
  };

  async function known(peerId: string): Promise<string> {
    const found = await find(peerId);
    if (!found) throw peerNotFound(peerId);
    return found.peer.peerId;
  }

  /** Assessments of one peer or of all, oldest first, page by page. */
  async function* allAssessments(peerId: string | null, since = 0): AsyncGenerator<Assessment> {
    let after: Position | undefined = since > 0 ? { value: since - 1, id: '\u{10ffff}' } : undefined;
    for (;;) {
      const rows = await store.listAssessments({ peerId, order: 'oldest', limit: pageLength, after });
      yield* rows;
      const last = rows.at(-1);
      if (!last || rows.length < pageLength) return;
      after = { value: last.createdAt, id: last.assessmentId };
    }
  }

  async function findOverAssessed(): Promise<readonly OverAssessed[]> {
    const times = new Map<string, number[]>();
    for await (const row of allAssessments(null, Math.max(0, now() - overAssessedWindowMs))) {
      if (row.source === 'operator') continue;
      const ofPeer = times.get(row.peerId);
      if (ofPeer) ofPeer.push(row.createdAt);
      else times.set(row.peerId, [row.createdAt]);
    }
    const found: OverAssessed[] = [];
    for (const [peerId, at] of times) {
      const [first = 0, last = first] = [at[0], at.at(-1)];
      if (at.length < 2) continue;
      const reason = isTooOften(at)
        ? 'too-often'
        : (await isSilent(peerId, first, last))
          ? 'nothing-new'
          : null;
      if (reason) found.push({ peerId, assessments: at.length, spanMs: last - first, reason });
    }
    return found.sort((one, other) => other.assessments - one.assessments);
  }

  /** Whether there was no message after the one time and until the other. */
  async function isSilent(peerId: string, after: number, until: number): Promise<boolean> {
    const [next] = await store.listInteractions({
      peerId,
      order: 'oldest',
      limit: 1,
      after: { value: after, id: '\u{10ffff}' },
    });
    return next === undefined || next.createdAt > until;
  }

  const ledger: Ledger = {
    recordIncoming: (message) => record('in', message),
    recordOutgoing: (message) => record('out', message),

    async recordOutcome(correlationId, outcome, outcomeOptions = {}) {
      ensureOpen();
      const input = parse(outcomeSchema, { ...outcomeOptions, correlationId, outcome }, 'outcome');
      const named = input.peerId ? await find(input.peerId) : null;
      if (input.peerId && !named) throw peerNotFound(input.peerId);
      const written = await store.recordOutcome({
        outcomeId: newId(),
        peerId: named?.peer.peerId ?? null,
        correlationId: input.correlationId,
        outcome: input.outcome,
        result: outcomeResult(input.outcome),
        metrics: input.metrics ?? null,
        externalId: input.externalId ?? null,
        createdAt: input.at ?? now(),
      });
      switch (written.kind) {
        case 'unknown':
          throw new LedgerError(
            'CORRELATION_NOT_FOUND',
            `No recorded interaction has the correlationId '${correlationId}'. Record the request first, or name the peer.`,
          );
        case 'ambiguous':
          throw new LedgerError(
            'CORRELATION_AMBIGUOUS',
            `${written.peerIds.length} peers worked under the correlationId '${correlationId}'. Pass { peerId }.`,
          );
        default:
          return written.event;
      }
    },

    recordAssessment: (peerId, trust, rationale, assessmentOptions = {}) =>
      assess(peerId, trust, rationale, assessmentOptions, null),

    async getPeer(peerId) {
      const found = await find(peerId);
      return found && (await overview(found));
    },
    async resolvePeer(text) {
      const found = await resolve(text);
      return found && (await overview(found));
    },
    async listPeers(peerOptions = {}) {
      ensureOpen();
      const { limit, cursor, orderBy } = parse(peerPageSchema, peerOptions, 'options');
      const list = `peers/${orderBy}`;
      const after = cursor ? placeOfCursor(list, cursor) : undefined;
      const rows = await store.listPeers({ orderBy, limit: limit + 1, after });
      return toPage(list, await Promise.all(rows.map(overview)), limit, (peer) => ({
        value: peer[orderBy],
        id: peer.peerId,
      }));
    },
    getInteractions: (peerId, page) =>
      history(
        'interactions',
        (query) => store.listInteractions(query),
        peerId,
        'newest',
        page,
        placeOfInteraction,
      ),
    getConversation: (peerId, page) =>
      history(
        'conversation',
        (query) => store.listInteractions(query),
        peerId,
        'oldest',
        page,
        placeOfInteraction,
      ),
    getOutcomes: (peerId, page) =>
      history(
        'outcomes',
        (query) => store.listOutcomes(query),
        peerId,
        'newest',
        page,
        (row) => ({ value: row.createdAt, id: row.outcomeId }),
      ),
    async getAssessments(peerId, { limit = Number.MAX_SAFE_INTEGER } = {}) {
      const found = await find(peerId);
      if (!found) return [];
      const newest = await store.listAssessments({ peerId: found.peer.peerId, order: 'newest', limit });
      return newest.toReversed();
    },
    async getLatestAssessment(peerId) {
      ensureOpen();
      // The full id is what nearly everybody asks with; only an unassessed or otherwise named peer costs more.
      const [latest] = await store.listAssessments({ peerId, order: 'newest', limit: 1 });
      return latest ?? (await find(peerId))?.latest ?? null;
    },
    async getPeerAssessmentSummary(peerId) {
      const found = await find(peerId);
      return found && (await summarize(found, now()));
    },
    async getSummary() {
      ensureOpen();
      const totals = await store.getTotals();
      const flagged = await store.listPeers({ orderBy: 'lastSeenAt', limit: flaggedShown, trustBelow: 0 });
      const countWhere = (matches: (trust: number) => boolean) =>
        totals.trustDistribution.reduce((sum, { trust, peers }) => sum + (matches(trust) ? peers : 0), 0);
      return {
        ...totals,
        assessedPeers: countWhere(() => true),
        flagged: await Promise.all(flagged.map(overview)),
        flaggedCount: countWhere((trust) => trust < 0),
        overAssessed: await findOverAssessed(),
      };
    },
    getBriefing: brief,

    peerContext: async (peerId) => (await brief(peerId)).section.text,
    peerContextSection: async (peerId) => (await brief(peerId)).section,

    tools({ assessor: name } = {}) {
      ensureOpen();
      const tools = createTools({
        ledger,
        rubric: config.rubric,
        now,
        assess(peerId, trust, rationale) {
          if (assessor === 'cortex') {
            throw new LedgerError(
              'CORTEX_ASSESSES',
              'A cortex is attached and assesses from now on; what you observe reaches it by itself.',
            );
          }
          return assess(peerId, trust, rationale, { source: 'agent', assessor: name }, config.maxTrustStep);
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

    async getPeerAggregates(peerId, aggregateOptions = {}) {
      const { halfLifeMs = defaultHalfLifeMs, trendLength } = parse(
        aggregateSchema,
        aggregateOptions,
        'options',
      );
      const found = await find(peerId);
      if (!found) return null;
      const query = { peerId: found.peer.peerId, order: 'newest', limit: pageLength } as const;
      const [outcomes, interactions] = [await store.listOutcomes(query), await store.listInteractions(query)];
      return computeAggregates({ outcomes, interactions }, { now: now(), halfLifeMs, trendLength });
    },
    async getTrajectory(peerId) {
      const found = await find(peerId);
      if (!found) return null;
      const query = { peerId: found.peer.peerId, order: 'newest', limit: pageLength } as const;
      const conversation = (await store.listInteractions(query)).toReversed();
      const assessments = (await store.listAssessments(query)).toReversed();
      return detectBuildThenExploit<Interaction, Assessment>({
        requests: requestsOf(conversation),
        trusts: trustsOf(assessments),
      });
    },
    async auditAssessments(peerId) {
      const wanted = peerId === undefined ? null : await known(peerId);
      const assessments: Assessment[] = [];
      for await (const row of allAssessments(wanted)) assessments.push(row);
      const outcomes: OutcomeEvent[] = [];
      for (const id of new Set(assessments.map((row) => row.peerId))) {
        outcomes.push(...(await store.listOutcomes({ peerId: id, order: 'newest', limit: pageLength })));
      }
      return auditAssessments(assessments, outcomes);
    },
    async assessorReport() {
      ensureOpen();
      const rows: Assessment[] = [];
      for await (const row of allAssessments(null)) rows.push(row);
      return reportAssessors(rows);
    },
    async *exportAssessments(exportOptions = {}) {
      ensureOpen();
      const { source, peerId, since } = parse(exportSchema, exportOptions, 'options');
      const wanted = peerId ? await known(peerId) : null;
      for await (const row of allAssessments(wanted, since)) {
        yield toExportedAssessment(row, source ?? store.agentId ?? 'self');
      }
    },
    async exportEvidence(peerId) {
      const found = await find(peerId);
      if (!found) return null;
      const { peer } = found;
      const events: Evidence[] = [];
      let after: Position | undefined;
      for (;;) {
        const rows: readonly Interaction[] = await store.listInteractions({
          peerId: peer.peerId,
          order: 'oldest',
          limit: pageLength,
          after,
        });
        events.push(...rows.flatMap((row): readonly Evidence[] => (row.evidence ? [row.evidence] : [])));
        const last = rows.at(-1);
        if (!last || rows.length < pageLength) break;
        after = placeOfInteraction(last);
      }
      return {
        target: peer.peerId,
        claimed: { ...infoScoreInput(peer), infoScore: infoScoreOf(peer) },
        events,
        unsigned: peer.interactionCount - events.length,
      };
    },
    async prune(pruneOptions) {
      ensureOpen();
      const { before } = parse(pruneSchema, pruneOptions, 'options');
      return { pruned: await store.prune(before) };
    },

    on: (name, listener) => events.on(name, listener),
    close,
    [Symbol.asyncDispose]: close,
  };
  return ledger;
}

function infoScoreInput(peer: Peer): InfoScoreInput {
  return {
    interactionCount: peer.interactionCount,
    timeSpanMs: peer.lastSeenAt - peer.firstSeenAt,
    assessmentCount: peer.assessmentCount,
  };
}

function infoScoreOf(peer: Peer): number {
  return computeInfoScore(infoScoreInput(peer));
}

/** `wanted`, but no further than `step` from `from`. */
function within(wanted: number, from: number, step: number): number {
  return Math.max(from - step, Math.min(from + step, wanted));
}

function unique(matches: readonly StoredPeer[], wanted: string): StoredPeer | null {
  if (matches.length < 2) return matches[0] ?? null;
  throw new LedgerError(
    'PEER_AMBIGUOUS',
    `Several peers go by '${cleanText(wanted)}', among them ${matches.map(({ peer }) => `'${peer.peerId}'`).join(' and ')}. Use a full peerId.`,
  );
}

function peerNotFound(peerId: string): LedgerError {
  return new LedgerError(
    'PEER_NOT_FOUND',
    `The ledger has no interaction with '${cleanText(peerId)}'. A peer becomes known with its first recorded message.`,
  );
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${[what, ...issue.path].join('.')} ${issue.message}`);
  throw new LedgerError('INVALID_INPUT', `${problems.join('; ')}.`, { cause: parsed.error });
}
