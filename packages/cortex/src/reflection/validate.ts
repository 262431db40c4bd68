import { bytesToHex, decodeBech32, shortId, truncate } from '@bonafide/internal';
import type { ProposedBelief } from '../beliefs/beliefs.ts';
import type { PeerFacts } from '../facts/facts.ts';
import { assessmentItemSchema, beliefItemSchema, type ReflectionFrame } from './schemas.ts';

/** Reasons for dropping an item of an answer. */
export type DropReason =
  /** A field is missing, blank, of the wrong type or out of range. */
  | 'invalid'
  /** The id is not in this cycle's input. */
  | 'peer_unknown'
  /** The short id matches several peers of this cycle. */
  | 'peer_ambiguous'
  /** The answer contains the same peer or belief twice. */
  | 'repeated'
  /** `evidence` names an interaction outside of the peer's window. */
  | 'evidence_unknown'
  /** Another value for an existing belief, without naming the belief that it revises. */
  | 'revision_not_stated'
  /** This cortex does not support items of this kind. */
  | 'not_supported'
  /** The ledger rejected the assessment or failed to write it. */
  | 'write_failed'
  /** No new facts since the last assessment with the same trust. */
  | 'no_new_interactions';

/** A dropped item, kept in the cycle's record. */
export interface DroppedItem {
  readonly kind: 'assessment' | 'belief' | 'directive';
  readonly reason: DropReason;
  readonly message: string;
  /** The item as JSON, truncated. */
  readonly item: string;
}

/** A validated assessment for the gate. */
export interface ProposedAssessment {
  readonly peerId: string;
  readonly trust: number;
  readonly rationale: string;
  /** Ids of the interactions that support it. */
  readonly evidence: readonly string[];
}

/** The usable part of an answer. */
export interface ValidatedAnswer {
  readonly assessments: readonly ProposedAssessment[];
  readonly beliefs: readonly ProposedBelief[];
  readonly dropped: readonly DroppedItem[];
  readonly summary: string;
}

const maxBytes = { rationale: 1_000, value: 200, summary: 1_000, item: 300 };

/** Models write three dots instead of an ellipsis. */
const asShown = (id: string) => id.trim().replace('...', '…');

/** Describes an unusable item for the record. */
export function dropped(
  kind: DroppedItem['kind'],
  reason: DropReason,
  message: string,
  item: unknown,
): DroppedItem {
  return { kind, reason, message, item: truncate(JSON.stringify(item) ?? 'undefined', maxBytes.item) };
}

type Found = { readonly peer: PeerFacts } | { readonly reason: 'peer_unknown' | 'peer_ambiguous' };

/** Decodes an npub to its hex id; returns any other text unchanged. */
function withoutNpub(named: string): string {
  const decoded = /^npub1/iu.test(named) ? decodeBech32(named) : null;
  return decoded?.prefix === 'npub' ? bytesToHex(decoded.bytes) : named;
}

/**
 * Creates a look-up of the peer that an answer names: by full id, npub, shown label, or unambiguous short id.
 */
function finder(peers: readonly PeerFacts[]): (named: string) => Found {
  const byName = new Map<string, PeerFacts | 'ambiguous'>();
  for (const peer of peers) {
    const key = shortId(peer.peerId);
    byName.set(key, byName.has(key) ? 'ambiguous' : peer);
  }
  for (const peer of peers) byName.set(peer.label, peer).set(peer.peerId, peer);
  return (named) => {
    const found = byName.get(withoutNpub(named.trim())) ?? byName.get(asShown(named));
    if (found === undefined) return { reason: 'peer_unknown' };
    return found === 'ambiguous' ? { reason: 'peer_ambiguous' } : { peer: found };
  };
}

/**
 * Validates an answer item by item. Pure. Invalid items are dropped with a reason. Only peers of this cycle, integers
 * in range and non-blank rationales pass.
 */
export function validateAnswer(frame: ReflectionFrame, peers: readonly PeerFacts[]): ValidatedAnswer {
  const find = finder(peers);
  const drops: DroppedItem[] = [];
  const assessments = new Map<string, ProposedAssessment>();
  const beliefs = new Map<string, ProposedBelief>();

  for (const item of frame.assessments) {
    const drop = (reason: DropReason, message: string) =>
      drops.push(dropped('assessment', reason, message, item));
    const parsed = assessmentItemSchema.safeParse(item);
    if (!parsed.success) {
      drop(
        'invalid',
        parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
      );
      continue;
    }
    const { peerId: named, trust, rationale, evidence = [] } = parsed.data;
    const found = find(named);
    if ('reason' in found) {
      drop(
        found.reason,
        `${named} is ${found.reason === 'peer_unknown' ? 'not' : 'more than one'} of this cycle's peers`,
      );
      continue;
    }
    const { peer } = found;
    const ids = evidence.map((label) => {
      const wanted = String(label).replace(/^#/u, '');
      return peer.interactions.find((one) => one.label === wanted || one.interactionId === wanted)
        ?.interactionId;
    });
    const known = ids.filter((id) => id !== undefined);
    if (known.length < ids.length)
      drop('evidence_unknown', 'evidence names an interaction that was not shown');
    else if (assessments.has(peer.peerId)) drop('repeated', 'the peer was assessed before in this answer');
    else {
      assessments.set(peer.peerId, {
        peerId: peer.peerId,
        trust,
        rationale: truncate(rationale, maxBytes.rationale),
        evidence: known,
      });
    }
  }

  for (const item of frame.beliefs) {
    const drop = (reason: DropReason, message: string) =>
      drops.push(dropped('belief', reason, message, item));
    const parsed = beliefItemSchema.safeParse(item);
    if (!parsed.success) {
      drop(
        'invalid',
        parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
      );
      continue;
    }
    const { key, value, rationale, revises } = parsed.data;
    const named = parsed.data.peerId ?? null;
    const found = named === null ? null : find(named);
    if (found !== null && 'reason' in found) {
      drop(
        found.reason,
        `${named} is ${found.reason === 'peer_unknown' ? 'not' : 'more than one'} of this cycle's peers`,
      );
      continue;
    }
    const peerId = found === null ? null : found.peer.peerId;
    const name = JSON.stringify([key, peerId]);
    if (beliefs.has(name)) {
      drop('repeated', 'the belief was stated before in this answer');
      continue;
    }
    beliefs.set(name, {
      ...{ key, peerId },
      value: truncate(value, maxBytes.value),
      rationale: truncate(rationale, maxBytes.rationale),
      revises: revises ?? null,
    });
  }

  for (const item of frame.directives) {
    drops.push(dropped('directive', 'not_supported', 'directives are not acted upon', item));
  }
  return {
    assessments: [...assessments.values()],
    beliefs: [...beliefs.values()],
    dropped: drops,
    summary: truncate(frame.summary.trim(), maxBytes.summary),
  };
}
