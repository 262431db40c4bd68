import { truncate } from '@bonafide/internal';

/** Kinds of items of an answer. */
export const itemKinds = ['assessment', 'belief', 'directive', 'commitment', 'lesson', 'soul'] as const;

/** Kind of an item of an answer. */
export type ItemKind = (typeof itemKinds)[number];

/** Every reason for dropping an item. */
export const dropReasons = [
  'invalid',
  'peer_unknown',
  'repeated',
  'evidence_unknown',
  'against_facts',
  'kind_unknown',
  'too_many',
  'revision_not_stated',
  'held_by_operator',
  'held_by_facts',
  'vetoed',
  'write_failed',
  'no_new_interactions',
] as const;

/**
 * Reason for dropping an item of an answer.
 *
 * - `invalid`: a field is missing, blank, of the wrong type or out of range.
 * - `peer_unknown`: the id is not in this cycle's input.
 * - `repeated`: the answer contains the same peer, belief or directive twice.
 * - `evidence_unknown`: `evidence` names an interaction outside of the peer's window.
 * - `against_facts`: the facts of the ledger contradict the belief or the directive.
 * - `kind_unknown`: the directive is of no registered kind, and suggests nothing.
 * - `too_many`: the answer has more items of the kind than one answer may have.
 * - `revision_not_stated`: another value for an existing note, without naming the belief that it revises.
 * - `held_by_operator`: the operator wrote or pinned the belief.
 * - `held_by_facts`: a note in place of a belief that is written from facts.
 * - `vetoed`: the operator vetoed the belief.
 * - `write_failed`: the ledger rejected the assessment or failed to write it.
 * - `no_new_interactions`: no new facts since the last assessment with the same trust.
 */
export type DropReason = (typeof dropReasons)[number];

/** A dropped item, kept in the cycle's record. */
export interface DroppedItem {
  readonly kind: ItemKind;
  readonly reason: DropReason;
  readonly message: string;
  /** The item as JSON, truncated. */
  readonly item: string;
}

const maxItemBytes = 300;

/** Items can be nested deeper than JSON can be written. */
function asJson(item: unknown): string {
  try {
    return JSON.stringify(item) ?? 'undefined';
  } catch {
    return 'an item that cannot be shown';
  }
}

/** Describes an unusable item for the record. */
export function dropped(kind: ItemKind, reason: DropReason, message: string, item: unknown): DroppedItem {
  return { kind, reason, message, item: truncate(asJson(item), maxItemBytes) };
}
