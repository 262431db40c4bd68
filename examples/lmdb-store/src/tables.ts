import type { Assessment, Interaction, OutcomeEvent, Peer, Position } from '@bonafide/ledger-core';
import type { RootDatabase } from 'lmdb';

/** A key: LMDB orders arrays by their parts, numbers by value and text by its UTF-8 bytes. */
export type Key = (string | number)[];

/** A peer with what its counts depend on beside its rows. */
export interface PeerRecord {
  readonly peer: Omit<Peer, 'operatorTrust'>;
  readonly latest: Assessment | null;
  /** Position of the last outcome or assessment in the order of receipt. */
  readonly sequence: number;
  readonly lastViolationSequence: number;
  readonly operator: { readonly sequence: number; readonly trust: number } | null;
}

/** A message without what is looked up when it is read. */
export type MessageRow = Omit<Interaction, 'outcome'>;

/** An assessment with its place in the order of receipt. */
export interface AssessmentRow {
  readonly row: Assessment;
  readonly sequence: number;
}

/** The tables of one agent in one LMDB environment. A table is a prefix of keys. */
export function createTables(env: RootDatabase<unknown, Key>, agentId: string) {
  const table = <Value>(name: string) => ({
    get: (...key: Key) => env.get([agentId, name, ...key]) as Value | undefined,
    has: (...key: Key) => env.doesExist([agentId, name, ...key]),
    put: (value: Value, ...key: Key) => void env.putSync([agentId, name, ...key], value),
    remove: (...key: Key) => void env.removeSync([agentId, name, ...key]),
    /** Yields the values whose keys begin so, in order, strictly after `after` in that order. */
    *list(
      prefix: Key,
      { reverse = false, after }: { readonly reverse?: boolean; readonly after?: Position | undefined } = {},
    ): Generator<{ readonly key: Key; readonly value: Value }> {
      const first = [agentId, name, ...prefix];
      // No part of a key sorts after this one.
      const last = [...first, '\u{10ffff}\u{10ffff}'];
      const place = after && [...first, after.value, after.id];
      const range = reverse
        ? { start: place ?? last, end: first, reverse }
        : { start: place ?? first, end: last };
      for (const { key, value } of env.getRange({ ...range, exclusiveStart: place !== undefined })) {
        yield { key: key.slice(2), value: value as Value };
      }
    },
  });

  return {
    peers: table<PeerRecord>('peer'),
    /** peerId by handle. */
    handles: table<string>('handle'),
    /** Every id that was used, by its kind. */
    ids: table<true>('id'),
    /** By peerId, createdAt, interactionId. */
    messages: table<MessageRow>('message'),
    /** Place of a message by its id. */
    places: table<{ readonly peerId: string; readonly createdAt: number }>('place'),
    /** interactionId by peerId, direction, externalId. */
    externalIds: table<string>('external'),
    /** Messages of a work by correlationId, peerId: all, and voided ones. */
    works: table<{ readonly messages: number; readonly voided: number }>('work'),
    /** By peerId, createdAt, outcomeId. */
    outcomes: table<OutcomeEvent>('outcome'),
    /** Outcome by peerId, externalId, correlationId, outcome. */
    knownOutcomes: table<OutcomeEvent>('known'),
    /** The outcome that counts by peerId, correlationId. */
    lastOutcomes: table<OutcomeEvent>('last'),
    /** By peerId, createdAt, assessmentId. */
    assessments: table<AssessmentRow>('assessment'),
    /** peerId by createdAt, assessmentId. */
    assessmentTimes: table<string>('time'),
    values: table<string>('value'),
  };
}

/** All tables of one agent. */
export type Tables = ReturnType<typeof createTables>;
