import { compareUtf8, isBlank } from '@bonafide/internal';
import type { HookFailures, HookName } from '../hook-failures.ts';
import { positionOfAssessment, positionOfInteraction, positionOfOutcome } from '../positions.ts';
import type { Assessment, Interaction, OutcomeEvent, OutcomeResult, Peer } from '../records.ts';
import type { HistoryQuery, LedgerStore, Position, RecordedOutcome, StoredPeer } from '../store.ts';
import { erasedChannel, erasedText } from './erased.ts';
import { containsWords } from './message-words.ts';

interface Journal {
  peer: Peer;
  interactions: Omit<Interaction, 'outcome'>[];
  readonly outcomes: OutcomeEvent[];
  readonly assessments: Assessment[];
  /** Number of outcomes and assessments so far. */
  sequence: number;
  lastViolationSequence: number;
  /** Positions of the operator's assessments in the order of receipt, by id. */
  readonly operatorSequences: Map<string, number>;
  /** Position and trust of the operator's last assessment. */
  operator: { readonly sequence: number; readonly trust: number } | null;
  /** By direction and externalId. */
  readonly interactionIdOf: Map<string, string>;
  /** By externalId, correlationId and outcome. */
  readonly outcomeOf: Map<string, OutcomeEvent>;
  /** The outcome that counts, per correlationId. */
  readonly lastOutcome: Map<string, OutcomeEvent>;
}

/**
 * A store in memory: for tests, simulations and agents that need not remember. The reference that other stores are
 * compared with.
 */
export function createMemoryLedgerStore(): LedgerStore {
  const journals = new Map<string, Journal>();
  const peersOf = new Map<string, Set<string>>();
  const ids = new Set<string>();
  const peerOfHandle = new Map<string, string>();
  const hookFailures = new Map<HookName, HookFailures>();
  const values = new Map<string, string>();

  /** Refuses an id that is taken, before anything is changed. */
  function claim(...wanted: readonly (string | undefined)[]): void {
    for (const id of wanted) {
      if (id !== undefined && ids.has(id)) throw new Error(`The id '${id}' is taken: ids never repeat`);
    }
    for (const id of wanted) if (id !== undefined) ids.add(id);
  }

  function appendOutcome(journal: Journal, write: Omit<OutcomeEvent, 'sequence'>): RecordedOutcome {
    const key = keyOfOutcome(write);
    const earlier = key === null ? undefined : journal.outcomeOf.get(key);
    if (earlier) return { kind: 'repeated', event: earlier };
    journal.sequence += 1;
    const event = { ...write, sequence: journal.sequence };
    insert(journal.outcomes, event, positionOfOutcome);
    if (key !== null) journal.outcomeOf.set(key, event);
    const previous = journal.lastOutcome.get(event.correlationId);
    journal.lastOutcome.set(event.correlationId, event);
    if (hasVoided(journal, event.correlationId)) {
      recount(journal);
      return { kind: 'recorded', event };
    }
    const peer = { ...journal.peer };
    if (previous) peer[countOf[previous.result]] -= 1;
    peer[countOf[event.result]] += 1;
    if (event.outcome === 'violation') {
      peer.violationCount += 1;
      peer.lastViolationAt = Math.max(peer.lastViolationAt ?? 0, event.createdAt);
      journal.lastViolationSequence = event.sequence;
    }
    journal.peer = peer;
    return { kind: 'recorded', event };
  }

  /** Returns the works of which every message was voided. */
  function voidedWorks(journal: Journal): ReadonlySet<string | null> {
    const works = new Set(journal.interactions.map((row) => row.correlationId));
    for (const row of journal.interactions) if (row.voided === null) works.delete(row.correlationId);
    return works;
  }

  /** Computes counts and times from the rows that are not voided. */
  function recount(journal: Journal): void {
    const live = journal.interactions.filter((row) => row.voided === null);
    const { firstSeenAt, lastSeenAt } = journal.peer;
    const timed = live.length > 0 ? live : journal.interactions.slice(-1);
    const times = timed.length > 0 ? timed.map((row) => row.createdAt) : [firstSeenAt, lastSeenAt];
    const dead = voidedWorks(journal);
    const counts = { successCount: 0, failureCount: 0, openCount: 0 };
    for (const [work, { result }] of journal.lastOutcome) if (!dead.has(work)) counts[countOf[result]] += 1;
    const violations = journal.outcomes.filter(
      (event) => event.outcome === 'violation' && !dead.has(event.correlationId),
    );
    journal.peer = {
      ...journal.peer,
      ...counts,
      interactionCount: live.length,
      firstSeenAt: Math.min(...times),
      lastSeenAt: Math.max(...times),
      violationCount: violations.length,
      lastViolationAt:
        violations.length === 0 ? null : Math.max(...violations.map((event) => event.createdAt)),
    };
    journal.lastViolationSequence = Math.max(0, ...violations.map(({ sequence }) => sequence));
  }

  /** Fills an empty journal with rows of another one, and computes what follows from them. */
  function journalOf(
    empty: Journal,
    rows: Pick<Journal, 'interactions' | 'outcomes' | 'assessments' | 'sequence' | 'operatorSequences'>,
  ): Journal {
    const { interactions, outcomes, assessments, sequence, operatorSequences } = rows;
    const journal: Journal = { ...empty, interactions, outcomes, assessments, sequence, operatorSequences };
    for (const { direction, externalId, interactionId } of interactions) {
      if (externalId !== null) journal.interactionIdOf.set(`${direction} ${externalId}`, interactionId);
    }
    for (const event of outcomes.toSorted((one, other) => one.sequence - other.sequence)) {
      const key = keyOfOutcome(event);
      if (key !== null) journal.outcomeOf.set(key, event);
      journal.lastOutcome.set(event.correlationId, event);
    }
    for (const { source, assessmentId, trust } of assessments) {
      const place = operatorSequences.get(assessmentId);
      if (source === 'operator' && place !== undefined && place > (journal.operator?.sequence ?? 0))
        journal.operator = { sequence: place, trust };
    }
    journal.peer = { ...journal.peer, assessmentCount: assessments.length };
    recount(journal);
    return journal;
  }

  /** Returns true when an interaction of this work was voided, so that its outcomes may not count. */
  function hasVoided(journal: Journal, correlationId: string | null): boolean {
    if (correlationId === null) return false;
    return journal.interactions.some((row) => row.voided && row.correlationId === correlationId);
  }

  function stored(journal: Journal): StoredPeer {
    const { peer, operator, lastViolationSequence } = journal;
    const operatorTrust = operator && operator.sequence > lastViolationSequence ? operator.trust : null;
    return { peer: { ...peer, operatorTrust }, latest: journal.assessments.at(-1) ?? null };
  }

  function complete(journal: Journal, row: Omit<Interaction, 'outcome'>): Interaction {
    const last = row.correlationId === null ? undefined : journal.lastOutcome.get(row.correlationId);
    return { ...row, outcome: last?.outcome ?? null, metrics: row.metrics ?? last?.metrics ?? null };
  }

  return {
    agentId: null,

    async recordInteraction({ peer, interaction, outcome }) {
      const { peerId } = peer;
      const { createdAt, direction, externalId, correlationId } = interaction;
      const key = externalId === null ? null : `${direction} ${externalId}`;
      let journal = journals.get(peerId);
      const earlier = key === null ? undefined : journal?.interactionIdOf.get(key);
      if (earlier !== undefined) return { interactionId: earlier, recorded: false };
      if (!journal && peerOfHandle.has(peer.handle)) throw new Error(`The handle '${peer.handle}' is taken`);
      claim(interaction.interactionId, outcome?.outcomeId);

      if (journal) {
        const known = journal.peer;
        const newer = createdAt >= known.lastSeenAt;
        journal.peer = {
          ...known,
          alias: (newer ? (peer.alias ?? known.alias) : (known.alias ?? peer.alias)) ?? null,
          firstSeenAt: known.interactionCount === 0 ? createdAt : Math.min(known.firstSeenAt, createdAt),
          lastSeenAt: known.interactionCount === 0 ? createdAt : Math.max(known.lastSeenAt, createdAt),
          interactionCount: known.interactionCount + 1,
        };
      } else {
        journal = newJournal({ ...peer, ...noCounts, firstSeenAt: createdAt, lastSeenAt: createdAt });
        journals.set(peerId, journal);
        peerOfHandle.set(peer.handle, peerId);
      }
      const row = { ...interaction, peerId, channel: peer.channel, pruned: false, voided: null };
      insert(journal.interactions, row, positionOfInteraction);
      if (key !== null) journal.interactionIdOf.set(key, interaction.interactionId);
      if (correlationId !== null) {
        const peers = peersOf.get(correlationId) ?? new Set();
        peersOf.set(correlationId, peers.add(peerId));
      }
      if (outcome) appendOutcome(journal, { ...outcome, peerId });
      // Outcomes of a work whose messages were all voided count again.
      else if (hasVoided(journal, correlationId)) recount(journal);
      return { interactionId: interaction.interactionId, recorded: true };
    },

    async recordOutcome(write) {
      const peerIds = write.peerId === null ? [...(peersOf.get(write.correlationId) ?? [])] : [write.peerId];
      if (peerIds.length > 1) return { kind: 'ambiguous', peerIds: peerIds.sort(compareUtf8) };
      const [peerId = ''] = peerIds;
      const journal = journals.get(peerId);
      if (!journal) return { kind: 'unknown' };
      const key = keyOfOutcome(write);
      if (key === null || !journal.outcomeOf.has(key)) claim(write.outcomeId);
      return appendOutcome(journal, { ...write, peerId });
    },

    async recordAssessment(peerId, assess) {
      const journal = journals.get(peerId);
      if (!journal) return null;
      const { peer, latest } = stored(journal);
      const assessment = assess(peer, latest);
      checkAssessment(assessment);
      claim(assessment.assessmentId);
      insert(journal.assessments, assessment, positionOfAssessment);
      journal.sequence += 1;
      const { source, trust } = assessment;
      if (source === 'operator') {
        journal.operator = { sequence: journal.sequence, trust };
        journal.operatorSequences.set(assessment.assessmentId, journal.sequence);
      }
      journal.peer = { ...journal.peer, assessmentCount: journal.peer.assessmentCount + 1 };
      return assessment;
    },

    async voidInteraction({ interactionId, reason, at }) {
      for (const [peerId, journal] of journals) {
        if (journal.peer.channel === erasedChannel) continue;
        const index = journal.interactions.findIndex((row) => row.interactionId === interactionId);
        const row = journal.interactions[index];
        if (!row) continue;
        if (row.voided) return { kind: 'repeated', peerId };
        journal.interactions[index] = { ...row, voided: { at, reason } };
        recount(journal);
        return { kind: 'voided', peerId };
      }
      return { kind: 'unknown' };
    },

    async forgetPeer({ peerId, tombstone, until }) {
      const journal = journals.get(peerId);
      if (!journal) return null;
      const isMoved = (at: number) => until === null || at <= until;
      const [moved, kept] = split(journal.interactions, (row) => isMoved(row.receivedAt));
      const [movedOutcomes, keptOutcomes] = split(journal.outcomes, (row) => isMoved(row.receivedAt));
      const [movedAssessments, keptAssessments] = split(journal.assessments, (row) => isMoved(row.createdAt));
      if (until !== null && moved.length + movedOutcomes.length + movedAssessments.length === 0) return 0;

      const nameOf = new Map<string, string>();
      for (const { correlationId, outcomeId } of movedOutcomes) {
        const name = nameOf.get(correlationId);
        if (name === undefined || compareUtf8(outcomeId, name) < 0) nameOf.set(correlationId, outcomeId);
      }
      const { peerId: tombstoneId, handle } = tombstone;
      const { firstSeenAt, lastSeenAt } = journal.peer;
      const blank = { evidence: null, metrics: null, externalId: null, peerId: tombstoneId };
      const anonymous = {
        ...noCounts,
        ...tombstone,
        nativeId: tombstoneId,
        channel: erasedChannel,
        alias: null,
      };
      journals.set(
        tombstoneId,
        journalOf(newJournal({ ...anonymous, firstSeenAt, lastSeenAt }), {
          ...journal,
          interactions: moved.map((row) => ({
            ...row,
            ...blank,
            channel: erasedChannel,
            content: '',
            correlationId: nameOf.get(row.correlationId ?? '') ?? null,
            pruned: true,
            voided: row.voided && { at: row.voided.at, reason: erasedText },
          })),
          outcomes: movedOutcomes.map((event) => ({
            ...event,
            ...blank,
            correlationId: nameOf.get(event.correlationId) ?? event.outcomeId,
          })),
          assessments: movedAssessments.map((row) => ({
            ...row,
            peerId: tombstoneId,
            rationale: erasedText,
            assessor: null,
          })),
        }),
      );
      peerOfHandle.set(handle, tombstoneId);
      if (until !== null && kept.length + keptOutcomes.length + keptAssessments.length > 0) {
        const rows = { ...journal, interactions: kept, outcomes: keptOutcomes, assessments: keptAssessments };
        journals.set(peerId, journalOf(newJournal(journal.peer), rows));
      } else {
        journals.delete(peerId);
        peerOfHandle.delete(journal.peer.handle);
      }
      for (const [work, peers] of peersOf) {
        if (!kept.some((row) => row.correlationId === work)) peers.delete(peerId);
      }
      return moved.length;
    },

    async getPeer(peerId) {
      const journal = journals.get(peerId);
      return journal ? stored(journal) : null;
    },

    async listPeers({ orderBy, limit, after, handle, peerIdPrefix, trustBelow }) {
      const place = ({ peer }: StoredPeer): Position => ({ value: peer[orderBy], id: peer.peerId });
      return [...journals.values()]
        .map(stored)
        .filter(
          (row) =>
            (after === undefined || compare(place(row), after) < 0) &&
            (handle === undefined || row.peer.handle === handle) &&
            (peerIdPrefix === undefined || row.peer.peerId.startsWith(peerIdPrefix)) &&
            (trustBelow === undefined || (row.latest !== null && row.latest.trust < trustBelow)),
        )
        .sort((one, other) => compare(place(other), place(one)))
        .slice(0, limit);
    },

    async listInteractions(query) {
      const journal = journals.get(query.peerId);
      if (!journal) return [];
      return slice(journal.interactions, query, positionOfInteraction).map((row) => complete(journal, row));
    },

    async searchInteractions({ words, peerId, limit, after }) {
      const matches = containsWords(words);
      const found = [...journals.values()]
        .filter((journal) => peerId === null || journal.peer.peerId === peerId)
        .flatMap((journal) => journal.interactions.map((row) => ({ journal, row })))
        .filter(({ row }) => {
          if (row.voided || (after && compare(positionOfInteraction(row), after) >= 0)) return false;
          return matches(row.content);
        })
        .sort((one, other) => compare(positionOfInteraction(other.row), positionOfInteraction(one.row)));
      return found.slice(0, limit).map(({ journal, row }) => complete(journal, row));
    },

    async listOutcomes(query) {
      const journal = journals.get(query.peerId);
      if (!journal) return [];
      const { only } = query;
      if (only === undefined) return slice(journal.outcomes, query, positionOfOutcome);
      const voided = voidedWorks(journal);
      const listed = journal.outcomes.filter(
        ({ correlationId, result }) =>
          !voided.has(correlationId) && (only === 'counted' || result !== 'open'),
      );
      return slice(listed, query, positionOfOutcome);
    },

    async listAssessments(query) {
      const rows =
        query.peerId === null
          ? [...journals.values()]
              .flatMap(({ assessments }) => assessments)
              .sort((one, other) => compare(positionOfAssessment(one), positionOfAssessment(other)))
          : (journals.get(query.peerId)?.assessments ?? []);
      const { source } = query;
      const listed = source === undefined ? rows : rows.filter((row) => row.source === source);
      return slice(listed, query, positionOfAssessment);
    },

    async keepValue(name, write) {
      if (write && 'replace' in write) {
        if (write.replace === null) values.delete(name);
        else values.set(name, write.replace);
      } else if (write && !values.has(name)) values.set(name, write.first);
      return values.get(name) ?? null;
    },

    async getTotals() {
      const totals = { peers: journals.size, interactions: 0, assessments: 0, positiveAssessments: 0 };
      const trusts = new Map<number, number>();
      for (const journal of journals.values()) {
        totals.interactions += journal.peer.interactionCount;
        totals.assessments += journal.peer.assessmentCount;
        totals.positiveAssessments += journal.assessments.filter(({ trust }) => trust > 0).length;
        const trust = journal.assessments.at(-1)?.trust;
        if (trust !== undefined) trusts.set(trust, (trusts.get(trust) ?? 0) + 1);
      }
      const trustDistribution = [...trusts]
        .map(([trust, peers]) => ({ trust, peers }))
        .sort((one, other) => one.trust - other.trust);
      return { ...totals, trustDistribution };
    },

    async prune(before) {
      let pruned = 0;
      for (const journal of journals.values()) {
        journal.interactions = journal.interactions.map((row) => {
          if (row.pruned || row.createdAt >= before) return row;
          pruned += 1;
          return { ...row, content: '', evidence: null, pruned: true };
        });
      }
      return pruned;
    },

    async addHookFailures(failures) {
      for (const failure of failures) {
        const known = hookFailures.get(failure.hook) ?? { ...failure, count: 0 };
        const later = failure.lastAt >= known.lastAt ? failure : known;
        hookFailures.set(failure.hook, { ...later, count: known.count + failure.count });
      }
    },

    async listHookFailures() {
      return [...hookFailures.values()].sort((one, other) => (one.hook < other.hook ? -1 : 1));
    },
  };
}

const noCounts = {
  interactionCount: 1,
  assessmentCount: 0,
  successCount: 0,
  failureCount: 0,
  openCount: 0,
  violationCount: 0,
  lastViolationAt: null,
  operatorTrust: null,
};

const countOf = {
  success: 'successCount',
  failure: 'failureCount',
  open: 'openCount',
} as const satisfies Record<OutcomeResult, keyof Peer>;

/** Returns what an outcome is recognized by when it is recorded again; null without an externalId. */
function keyOfOutcome({
  externalId,
  correlationId,
  outcome,
}: Pick<OutcomeEvent, 'externalId' | 'correlationId' | 'outcome'>): string | null {
  return externalId === null ? null : JSON.stringify([externalId, correlationId, outcome]);
}

/** Checks the constraints that the databases enforce. */
function checkAssessment({ infoScore, trust, rationale }: Assessment): void {
  const inRange = (value: number, least: number, most: number) =>
    Number.isInteger(value) && value >= least && value <= most;
  if (inRange(infoScore, 0, 10) && inRange(trust, -10, 10) && !isBlank(rationale)) return;
  throw new RangeError('An assessment has an infoScore of 0 to 10, a trust of -10 to 10 and a rationale');
}

function newJournal(peer: Peer): Journal {
  return {
    peer,
    interactions: [],
    outcomes: [],
    assessments: [],
    sequence: 0,
    lastViolationSequence: 0,
    operatorSequences: new Map(),
    operator: null,
    interactionIdOf: new Map(),
    outcomeOf: new Map(),
    lastOutcome: new Map(),
  };
}

function compare(one: Position, other: Position): number {
  if (one.value !== other.value) return one.value - other.value;
  return compareUtf8(one.id, other.id);
}

function split<Row>(rows: readonly Row[], isFirst: (row: Row) => boolean): readonly [Row[], Row[]] {
  return [rows.filter(isFirst), rows.filter((row) => !isFirst(row))];
}

/** Puts a row where its time says; nearly always that is the end. */
function insert<Row>(rows: Row[], row: Row, place: (row: Row) => Position): void {
  const at = rows.findLastIndex((earlier) => compare(place(earlier), place(row)) <= 0);
  rows.splice(at + 1, 0, row);
}

function slice<Row>(
  rows: readonly Row[],
  { order, limit, after }: Omit<HistoryQuery, 'peerId'>,
  place: (row: Row) => Position,
): Row[] {
  const direction = order === 'oldest' ? 1 : -1;
  const ordered = order === 'oldest' ? rows : rows.toReversed();
  const from = after ? ordered.findIndex((row) => compare(place(row), after) * direction > 0) : 0;
  return from < 0 ? [] : ordered.slice(from, from + limit);
}
