import {
  type Assessment,
  type Interaction,
  type LedgerStore,
  messageWords,
  type OutcomeEvent,
  type RecordedOutcome,
  type StoredPeer,
} from '@bonafide/ledger-core';
import { open, type RootDatabase } from 'lmdb';
import { countOf, isDead, recount } from './counts.ts';
import { forgetPeer } from './erasure.ts';
import { createTables, type Key, type MessageRow, type PeerRecord } from './tables.ts';

/** A ledger store that owns a connection to its file. */
export interface LmdbLedgerStore extends LedgerStore {
  close(): Promise<void>;
}

/** Options of `openLmdbLedgerStore`. */
export interface LmdbLedgerStoreOptions {
  /** Path of the file; created when it is missing. */
  readonly path: string;
  /** @default 'default' */
  readonly agentId?: string;
}

/**
 * Opens a ledger in an LMDB file. Several processes may use it at the same time: LMDB lets one write at a time, and each
 * write of this store is one transaction that is on disk before it is acknowledged.
 */
export function openLmdbLedgerStore({ path, agentId = 'default' }: LmdbLedgerStoreOptions): LmdbLedgerStore {
  const env: RootDatabase<unknown, Key> = open({
    path,
    noSubdir: true,
    // A write is acknowledged when it is on disk, and not before.
    overlappingSync: false,
    mapSize: 2 ** 33,
  });
  const tables = createTables(env, agentId);

  /** Runs a write as a whole: what it throws undoes it. */
  function write<Result>(work: () => Result): Promise<Result> {
    return new Promise((resolve) => resolve(env.transactionSync(work)));
  }

  /** Runs a read on what every process has written so far. */
  function read<Result>(work: () => Result): Promise<Result> {
    return new Promise((resolve) => {
      env.resetReadTxn();
      resolve(work());
    });
  }

  function claim(kind: 'message' | 'outcome' | 'assessment', id: string): void {
    if (tables.ids.has(kind, id)) throw new Error(`The id '${id}' is taken: ids never repeat.`);
    tables.ids.put(true, kind, id);
  }

  function stored({ peer, latest, operator, lastViolationSequence }: PeerRecord): StoredPeer {
    const operatorTrust = operator && operator.sequence > lastViolationSequence ? operator.trust : null;
    return { peer: { ...peer, operatorTrust }, latest };
  }

  function complete(row: MessageRow): Interaction {
    const last =
      row.correlationId === null ? undefined : tables.lastOutcomes.get(row.peerId, row.correlationId);
    return { ...row, outcome: last?.outcome ?? null, metrics: row.metrics ?? last?.metrics ?? null };
  }

  /** Appends an outcome within a transaction. The id was claimed, and the peer is known. */
  function appendOutcome(event: Omit<OutcomeEvent, 'sequence'>): OutcomeEvent {
    const { peerId, correlationId, externalId, outcome } = event;
    const record = tables.peers.get(peerId);
    if (!record) throw new Error(`There is no peer '${peerId}'.`);
    const row: OutcomeEvent = { ...event, sequence: record.sequence + 1 };
    const previous = tables.lastOutcomes.get(peerId, correlationId);
    tables.outcomes.put(row, peerId, row.createdAt, row.outcomeId);
    tables.lastOutcomes.put(row, peerId, correlationId);
    if (externalId !== null) tables.knownOutcomes.put(row, peerId, externalId, correlationId, outcome);
    const peer = { ...record.peer };
    let { lastViolationSequence } = record;
    if (!isDead(tables, peerId, correlationId)) {
      if (previous) peer[countOf[previous.result]] -= 1;
      peer[countOf[row.result]] += 1;
      if (outcome === 'violation') {
        peer.violationCount += 1;
        peer.lastViolationAt = Math.max(peer.lastViolationAt ?? 0, row.createdAt);
        lastViolationSequence = row.sequence;
      }
    }
    tables.peers.put({ ...record, peer, lastViolationSequence, sequence: row.sequence }, peerId);
    return row;
  }

  function* everyPeer(): Generator<StoredPeer> {
    for (const { value } of tables.peers.list([])) yield stored(value);
  }

  return {
    agentId,

    recordInteraction: ({ peer, interaction, outcome }) =>
      write(() => {
        const { peerId, handle } = peer;
        const { interactionId, externalId, correlationId, createdAt, direction } = interaction;
        const earlier =
          externalId === null ? undefined : tables.externalIds.get(peerId, direction, externalId);
        if (earlier !== undefined) return { interactionId: earlier, recorded: false };
        const known = tables.peers.get(peerId);
        if (!known && tables.handles.has(handle)) throw new Error(`The handle '${handle}' is taken.`);
        claim('message', interactionId);
        if (outcome) claim('outcome', outcome.outcomeId);
        if (known) {
          const { alias, firstSeenAt, lastSeenAt, interactionCount } = known.peer;
          const isNewer = createdAt >= lastSeenAt;
          const isOnly = interactionCount === 0;
          const touched = {
            ...known.peer,
            alias: (isNewer ? (peer.alias ?? alias) : (alias ?? peer.alias)) ?? null,
            firstSeenAt: isOnly ? createdAt : Math.min(firstSeenAt, createdAt),
            lastSeenAt: isOnly ? createdAt : Math.max(lastSeenAt, createdAt),
            interactionCount: interactionCount + 1,
          };
          tables.peers.put({ ...known, peer: touched }, peerId);
        } else {
          const none = {
            assessmentCount: 0,
            successCount: 0,
            failureCount: 0,
            openCount: 0,
            violationCount: 0,
          };
          const times = { firstSeenAt: createdAt, lastSeenAt: createdAt, lastViolationAt: null };
          const made = { ...peer, ...none, ...times, interactionCount: 1 };
          tables.peers.put(
            { peer: made, latest: null, sequence: 0, lastViolationSequence: 0, operator: null },
            peerId,
          );
          tables.handles.put(peerId, handle);
        }
        const row = { ...interaction, peerId, channel: peer.channel, pruned: false, voided: null };
        tables.messages.put(row, peerId, createdAt, interactionId);
        tables.places.put({ peerId, createdAt }, interactionId);
        if (externalId !== null) tables.externalIds.put(interactionId, peerId, direction, externalId);
        if (correlationId !== null) {
          const wasDead = isDead(tables, peerId, correlationId);
          const work = tables.works.get(correlationId, peerId) ?? { messages: 0, voided: 0 };
          tables.works.put({ ...work, messages: work.messages + 1 }, correlationId, peerId);
          const record = tables.peers.get(peerId);
          // Its outcomes count again.
          if (wasDead && record) tables.peers.put(recount(tables, record), peerId);
        }
        if (outcome) appendOutcome({ ...outcome, peerId });
        return { interactionId, recorded: true };
      }),

    recordOutcome: (event) =>
      write((): RecordedOutcome => {
        const { correlationId, externalId, outcome } = event;
        const peerIds =
          event.peerId === null
            ? [...tables.works.list([correlationId])].map(({ key }) => String(key[1]))
            : [event.peerId];
        if (peerIds.length > 1) return { kind: 'ambiguous', peerIds };
        const [peerId = ''] = peerIds;
        if (!tables.peers.has(peerId)) return { kind: 'unknown' };
        const known =
          externalId === null
            ? undefined
            : tables.knownOutcomes.get(peerId, externalId, correlationId, outcome);
        if (known) return { kind: 'repeated', event: known };
        claim('outcome', event.outcomeId);
        return { kind: 'recorded', event: appendOutcome({ ...event, peerId }) };
      }),

    recordAssessment: (peerId, assess) =>
      write(() => {
        const record = tables.peers.get(peerId);
        if (!record) return null;
        const { peer, latest } = stored(record);
        const row = assess(peer, latest);
        const { assessmentId, createdAt, source, trust, infoScore, rationale } = row;
        const isIn = (value: number, least: number, most: number) =>
          Number.isInteger(value) && value >= least && value <= most;
        if (!isIn(trust, -10, 10) || !isIn(infoScore, 0, 10) || rationale.trim() === '') {
          throw new RangeError(
            'An assessment has an infoScore of 0 to 10, a trust of -10 to 10 and a rationale.',
          );
        }
        claim('assessment', assessmentId);
        const sequence = record.sequence + 1;
        tables.assessments.put({ row, sequence }, peerId, createdAt, assessmentId);
        tables.assessmentTimes.put(peerId, createdAt, assessmentId);
        const [last] = tables.assessments.list([peerId], { reverse: true });
        tables.peers.put(
          {
            ...record,
            sequence,
            latest: last?.value.row ?? row,
            operator: source === 'operator' ? { sequence, trust } : record.operator,
            peer: { ...record.peer, assessmentCount: record.peer.assessmentCount + 1 },
          },
          peerId,
        );
        return row;
      }),

    voidInteraction: ({ interactionId, reason, at }) =>
      write(() => {
        const place = tables.places.get(interactionId);
        const row = place && tables.messages.get(place.peerId, place.createdAt, interactionId);
        const record = row && tables.peers.get(row.peerId);
        if (!row || !record || record.peer.channel === 'erased') return { kind: 'unknown' };
        const { peerId, createdAt, correlationId } = row;
        if (row.voided) return { kind: 'repeated', peerId };
        tables.messages.put({ ...row, voided: { at, reason } }, peerId, createdAt, interactionId);
        const work = correlationId === null ? undefined : tables.works.get(correlationId, peerId);
        if (correlationId !== null && work) {
          tables.works.put({ ...work, voided: work.voided + 1 }, correlationId, peerId);
        }
        tables.peers.put(recount(tables, record), peerId);
        return { kind: 'voided', peerId };
      }),

    forgetPeer: (erasure) => write(() => forgetPeer(tables, erasure)),

    getPeer: (peerId) =>
      read(() => {
        const record = tables.peers.get(peerId);
        return record ? stored(record) : null;
      }),

    // Peers are read and sorted here: with many of them, give each order a table of its own.
    listPeers: ({ orderBy, limit, after, handle, peerIdPrefix, trustBelow }) =>
      read(() => {
        const peers = [...everyPeer()].filter(
          ({ peer, latest }) =>
            (handle === undefined || peer.handle === handle) &&
            (peerIdPrefix === undefined || peer.peerId.startsWith(peerIdPrefix)) &&
            (trustBelow === undefined || (latest !== null && latest.trust < trustBelow)) &&
            (after === undefined ||
              peer[orderBy] < after.value ||
              (peer[orderBy] === after.value && byBytes(peer.peerId, after.id) < 0)),
        );
        peers.sort(
          (one, other) =>
            other.peer[orderBy] - one.peer[orderBy] || byBytes(other.peer.peerId, one.peer.peerId),
        );
        return peers.slice(0, limit);
      }),

    listInteractions: ({ peerId, order, limit, after }) =>
      read(() =>
        take(tables.messages.list([peerId], { reverse: order === 'newest', after }), limit).map(complete),
      ),

    searchInteractions: ({ words, peerId, limit, after }) =>
      read(() => {
        const wanted = words.flatMap(messageWords);
        if (wanted.length === 0) return [];
        const found: MessageRow[] = [];
        for (const { value } of tables.messages.list(peerId === null ? [] : [peerId])) {
          if (value.voided || (after && !isBefore(value, after.value, after.id))) continue;
          const present = new Set(messageWords(value.content));
          if (wanted.every((word) => present.has(word))) found.push(value);
        }
        found.sort((one, other) => (isBefore(one, other.createdAt, other.interactionId) ? 1 : -1));
        return found.slice(0, limit).map(complete);
      }),

    listOutcomes: ({ peerId, order, limit, after, only }) =>
      read(() =>
        take(
          tables.outcomes.list([peerId], { reverse: order === 'newest', after }),
          limit,
          ({ correlationId, result }) =>
            only === undefined ||
            ((only === 'counted' || result !== 'open') && !isDead(tables, peerId, correlationId)),
        ),
      ),

    listAssessments: ({ peerId, order, limit, after, source }) =>
      read(() => {
        const options = { reverse: order === 'newest', after };
        const isOf = (row: Assessment) => source === undefined || row.source === source;
        if (peerId !== null) {
          const listed = tables.assessments.list([peerId], options);
          return take(listed, limit, ({ row }) => isOf(row)).map(({ row }) => row);
        }
        const rows = [];
        for (const { key, value } of tables.assessmentTimes.list([], options)) {
          if (rows.length === limit) break;
          const [createdAt = 0, assessmentId = ''] = key;
          const found = tables.assessments.get(value, createdAt, assessmentId);
          if (found && isOf(found.row)) rows.push(found.row);
        }
        return rows;
      }),

    keepValue: (name, change) =>
      write(() => {
        if (change && 'replace' in change) {
          if (change.replace === null) tables.values.remove(name);
          else tables.values.put(change.replace, name);
        } else if (change && !tables.values.has(name)) tables.values.put(change.first, name);
        return tables.values.get(name) ?? null;
      }),

    getTotals: () =>
      read(() => {
        const totals = { peers: 0, interactions: 0, assessments: 0, positiveAssessments: 0 };
        const trusts = new Map<number, number>();
        for (const { peer, latest } of everyPeer()) {
          totals.peers += 1;
          totals.interactions += peer.interactionCount;
          totals.assessments += peer.assessmentCount;
          if (latest) trusts.set(latest.trust, (trusts.get(latest.trust) ?? 0) + 1);
        }
        for (const { value } of tables.assessments.list([]))
          if (value.row.trust > 0) totals.positiveAssessments += 1;
        const trustDistribution = [...trusts]
          .map(([trust, peers]) => ({ trust, peers }))
          .sort((one, other) => one.trust - other.trust);
        return { ...totals, trustDistribution };
      }),

    prune: (before) =>
      write(() => {
        const old = [...tables.messages.list([])].filter(
          ({ value }) => !value.pruned && value.createdAt < before,
        );
        for (const { value: row } of old) {
          const pruned = { ...row, content: '', evidence: null, pruned: true };
          tables.messages.put(pruned, row.peerId, row.createdAt, row.interactionId);
        }
        return old.length;
      }),

    close: () => env.close(),
  };
}

function take<Value>(
  rows: Iterable<{ readonly value: Value }>,
  limit: number,
  isWanted: (value: Value) => boolean = () => true,
): Value[] {
  const taken: Value[] = [];
  for (const { value } of rows) {
    if (taken.length === limit) break;
    if (isWanted(value)) taken.push(value);
  }
  return taken;
}

/** Compares by UTF-8 bytes, as LMDB orders keys. */
function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function isBefore(row: MessageRow, createdAt: number, id: string): boolean {
  return row.createdAt < createdAt || (row.createdAt === createdAt && byBytes(row.interactionId, id) < 0);
}
