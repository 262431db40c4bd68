import type { ForgetWrite } from '@bonafide/ledger-core';
import { recount } from './counts.ts';
import type { PeerRecord, Tables } from './tables.ts';

/** Moves what was recorded of a peer to an anonymous peer, within a transaction. */
export function forgetPeer(tables: Tables, { peerId, tombstone, until }: ForgetWrite): number | null {
  const record = tables.peers.get(peerId);
  if (!record) return null;
  const isMoved = (at: number) => until === null || at <= until;
  const valuesOf = <Value>(rows: Iterable<{ readonly value: Value }>) => [...rows].map(({ value }) => value);
  const messages = valuesOf(tables.messages.list([peerId]));
  const outcomes = valuesOf(tables.outcomes.list([peerId]));
  const assessments = valuesOf(tables.assessments.list([peerId]));
  const moved = {
    messages: messages.filter((row) => isMoved(row.receivedAt)),
    outcomes: outcomes.filter((row) => isMoved(row.receivedAt)),
    assessments: assessments.filter(({ row }) => isMoved(row.createdAt)),
  };
  const count = moved.messages.length + moved.outcomes.length + moved.assessments.length;
  if (until !== null && count === 0) return 0;

  // A work is called by the first of its outcomes from now on. A message of a work without outcomes needs no work.
  const nameOf = new Map<string, string>();
  for (const { correlationId, outcomeId } of moved.outcomes) {
    const name = nameOf.get(correlationId);
    if (name === undefined || Buffer.compare(Buffer.from(outcomeId), Buffer.from(name)) < 0) {
      nameOf.set(correlationId, outcomeId);
    }
  }
  const to = tombstone.peerId;
  for (const row of moved.messages) {
    const { createdAt, interactionId, direction, externalId, correlationId, voided } = row;
    tables.messages.remove(peerId, createdAt, interactionId);
    if (externalId !== null) tables.externalIds.remove(peerId, direction, externalId);
    if (correlationId !== null) moveWork(tables, correlationId, peerId, -1, voided ? -1 : 0);
    const name = nameOf.get(correlationId ?? '') ?? null;
    if (name !== null) moveWork(tables, name, to, 1, voided ? 1 : 0);
    const erased = {
      ...row,
      ...{ peerId: to, channel: 'erased', content: '', correlationId: name, externalId: null },
      ...{ evidence: null, metrics: null, pruned: true },
      voided: voided && { at: voided.at, reason: '[erased]' },
    };
    tables.messages.put(erased, to, createdAt, interactionId);
    tables.places.put({ peerId: to, createdAt }, interactionId);
  }
  for (const event of moved.outcomes) {
    const { createdAt, outcomeId, externalId, correlationId, outcome } = event;
    tables.outcomes.remove(peerId, createdAt, outcomeId);
    if (externalId !== null) tables.knownOutcomes.remove(peerId, externalId, correlationId, outcome);
    const name = nameOf.get(correlationId) ?? outcomeId;
    const erased = {
      ...event,
      peerId: to,
      correlationId: name,
      externalId: null,
      evidence: null,
      metrics: null,
    };
    tables.outcomes.put(erased, to, createdAt, outcomeId);
    const last = tables.lastOutcomes.get(to, name);
    if (!last || last.sequence < event.sequence) tables.lastOutcomes.put(erased, to, name);
  }
  // The last outcome of a work may have moved, or none of the work is left.
  for (const correlationId of nameOf.keys()) {
    const left = outcomes.filter((row) => row.correlationId === correlationId && !isMoved(row.receivedAt));
    const last = left.sort((one, other) => one.sequence - other.sequence).at(-1);
    if (last) tables.lastOutcomes.put(last, peerId, correlationId);
    else tables.lastOutcomes.remove(peerId, correlationId);
  }
  for (const { row, sequence } of moved.assessments) {
    const { createdAt, assessmentId } = row;
    tables.assessments.remove(peerId, createdAt, assessmentId);
    const erased = { ...row, peerId: to, rationale: '[erased]', assessor: null };
    tables.assessments.put({ row: erased, sequence }, to, createdAt, assessmentId);
    tables.assessmentTimes.put(to, createdAt, assessmentId);
  }

  const anonymous: PeerRecord = {
    ...record,
    peer: { ...record.peer, ...tombstone, nativeId: to, channel: 'erased', alias: null },
  };
  tables.peers.put(recount(tables, anonymous), to);
  tables.handles.put(to, tombstone.handle);
  const isEmpty = count === messages.length + outcomes.length + assessments.length;
  if (isEmpty) {
    tables.peers.remove(peerId);
    tables.handles.remove(record.peer.handle);
  } else tables.peers.put(recount(tables, record), peerId);
  return moved.messages.length;
}

function moveWork(
  tables: Tables,
  correlationId: string,
  peerId: string,
  messages: number,
  voided: number,
): void {
  const work = tables.works.get(correlationId, peerId) ?? { messages: 0, voided: 0 };
  const next = { messages: work.messages + messages, voided: work.voided + voided };
  if (next.messages === 0) tables.works.remove(correlationId, peerId);
  else tables.works.put(next, correlationId, peerId);
}
