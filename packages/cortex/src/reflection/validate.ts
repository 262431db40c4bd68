import { bytesToHex, decodeBech32, describeIssues, type Schema, truncate } from '@bonafide/internal';
import { type DroppedItem, type DropReason, dropped, type ItemKind } from '../audit/dropped-item.ts';
import type { ProposedBelief } from '../beliefs/beliefs.ts';
import { shownName } from '../beliefs/peer-name.ts';
import { isPeerTemplate, renderTemplate } from '../beliefs/templates.ts';
import { isPlausibleDueTime } from '../commitments/commitments.ts';
import { type DirectiveRegistry, directiveKinds, type ProposedDirective } from '../directives/directive.ts';
import type { PeerFacts } from '../facts/facts.ts';
import {
  assessmentItemSchema,
  beliefItemSchema,
  commitmentItemSchema,
  directiveItemSchema,
  type ReflectionFrame,
  soulAlignmentSchema,
} from './schemas.ts';

/** A validated assessment for the gate. */
export interface ProposedAssessment {
  readonly peerId: string;
  readonly trust: number;
  readonly rationale: string;
  /** Ids of the interactions that support it. */
  readonly evidence: readonly string[];
}

/** A validated commitment of a peer. */
export interface ProposedCommitment {
  readonly peerId: string;
  readonly what: string;
  /** ms since epoch. */
  readonly dueAt: number;
}

/** Agreement with the soul text. */
export interface SoulAlignment {
  /** 0…1. */
  readonly score: number;
  readonly reasons: readonly string[];
}

/** The usable part of an answer. */
export interface ValidatedAnswer {
  readonly assessments: readonly ProposedAssessment[];
  readonly beliefs: readonly ProposedBelief[];
  readonly directives: readonly ProposedDirective[];
  readonly commitments: readonly ProposedCommitment[];
  readonly lessons: readonly string[];
  readonly soulAlignment: SoulAlignment | null;
  readonly dropped: readonly DroppedItem[];
  readonly summary: string;
}

const maxBytes = { rationale: 1_000, value: 200, summary: 1_000, suggestion: 300, what: 200, lesson: 200 };

/** Most items per answer of the kinds that are not limited by the number of peers. */
const maxItems = { directive: 20, commitment: 20, lesson: 5 } as const;

/** Decodes an npub to its hex id; returns any other text unchanged. */
function withoutNpub(named: string): string {
  const decoded = /^npub1/iu.test(named) ? decodeBech32(named) : null;
  return decoded?.prefix === 'npub' ? bytesToHex(decoded.bytes) : named;
}

/**
 * Creates a look-up of the peer that an answer names: by the handle that the input showed, full id or npub. Surrounding
 * delimiters are ignored, because models copy them.
 */
function finder(peers: readonly PeerFacts[]): (named: string) => PeerFacts | null {
  const byName = new Map<string, PeerFacts | null>();
  // Names that had to be shortened for the input: one that two peers share names neither.
  for (const peer of peers) {
    const shown = withoutDelimiters(shownName(peer.label));
    byName.set(shown, byName.has(shown) ? null : peer);
  }
  for (const peer of peers) byName.set(peer.label, peer);
  // Full ids last: a handle never takes over the id of another peer.
  for (const peer of peers) byName.set(peer.peerId, peer);
  return (named) => {
    const bare = withoutDelimiters(named);
    return byName.get(bare) ?? byName.get(withoutNpub(bare)) ?? null;
  };
}

const withoutDelimiters = (named: string): string =>
  named
    .trim()
    .replace(/^⟦(.*)⟧$/su, '$1')
    .trim();

/** An item that cannot be used. */
class Unusable {
  readonly reason: DropReason;
  readonly message: string;

  constructor(reason: DropReason, message: string) {
    this.reason = reason;
    this.message = message;
  }
}

function parse<Output>(schema: Schema<Output>, item: unknown): Output | Unusable {
  const parsed = schema.safeParse(item);
  return parsed.success ? parsed.data : new Unusable('invalid', describeIssues(parsed.error.issues, ''));
}

const unknownPeer = (named: string) =>
  new Unusable('peer_unknown', `${truncate(named, 100)} is not one of this cycle's peers`);

/** Options of {@link validateAnswer}. */
export interface ValidateOptions {
  /** The kinds of directives that are accepted. @default the built-in ones */
  readonly directives?: DirectiveRegistry;
  /** Time of the cycle in ms since epoch: commitments must be due after it. @default any due time */
  readonly now?: number;
}

/**
 * Validates an answer item by item. Pure. Invalid items are dropped with a reason. Only peers of this cycle, integers
 * in range and non-blank rationales pass; beliefs of the closed set and directives only where the facts permit them.
 */
export function validateAnswer(
  frame: ReflectionFrame,
  peers: readonly PeerFacts[],
  options: ValidateOptions = {},
): ValidatedAnswer {
  const find = finder(peers);
  const kinds: DirectiveRegistry = options.directives ?? directiveKinds;
  const { now } = options;
  const drops: DroppedItem[] = [];
  /** Reads the items of one kind; the first of those with the same name is kept. */
  const read = <Item>(
    kind: ItemKind,
    items: readonly unknown[],
    { item: check, name }: { item: (item: unknown) => Item | Unusable; name: (item: Item) => string },
    limit = Number.POSITIVE_INFINITY,
  ): readonly Item[] => {
    const kept = new Map<string, Item>();
    for (const given of items) {
      const item = check(given);
      if (item instanceof Unusable) drops.push(dropped(kind, item.reason, item.message, given));
      else if (kept.has(name(item)))
        drops.push(dropped(kind, 'repeated', 'stated before in this answer', given));
      else if (kept.size >= limit) drops.push(dropped(kind, 'too_many', `more than ${limit} items`, given));
      else kept.set(name(item), item);
    }
    return [...kept.values()];
  };

  const assessment = (given: unknown): ProposedAssessment | Unusable => {
    const item = parse(assessmentItemSchema, given);
    if (item instanceof Unusable) return item;
    const peer = find(item.peerId);
    if (peer === null) return unknownPeer(item.peerId);
    const ids = (item.evidence ?? []).map((label) => {
      const wanted = String(label).replace(/^#/u, '');
      return peer.interactions.find((one) => one.label === wanted || one.interactionId === wanted)
        ?.interactionId;
    });
    const evidence = ids.filter((id) => id !== undefined);
    if (evidence.length < ids.length) {
      return new Unusable('evidence_unknown', 'evidence names an interaction that was not shown');
    }
    const rationale = truncate(item.rationale, maxBytes.rationale);
    return { peerId: peer.peerId, trust: item.trust, rationale, evidence };
  };

  const belief = (given: unknown): ProposedBelief | Unusable => {
    const item = parse(beliefItemSchema, given);
    if (item instanceof Unusable) return item;
    const { key, value, revises } = item;
    const peer = item.peerId == null ? null : find(item.peerId);
    if (item.peerId != null && peer === null) return unknownPeer(item.peerId);
    const common = {
      key,
      rationale: truncate(item.rationale, maxBytes.rationale),
      peerId: peer?.peerId ?? null,
      handle: peer?.label ?? null,
      revises: revises ?? null,
    };
    if (peer !== null && isPeerTemplate(key)) {
      const text = renderTemplate(key, peer);
      if (text === null) return new Unusable('against_facts', `the ledger does not support ${key}`);
      return { ...common, kind: 'template', value: text };
    }
    if (value == null) return new Unusable('invalid', 'value: required for a key outside of the closed set');
    return { ...common, kind: 'note', value: truncate(value, maxBytes.value) };
  };

  const directive = (given: unknown): ProposedDirective | Unusable => {
    const item = parse(directiveItemSchema, given);
    if (item instanceof Unusable) return item;
    const peer = find(item.peerId);
    if (peer === null) return unknownPeer(item.peerId);
    const { peerId, label: handle } = peer;
    const named = item.kind ?? item.action ?? null;
    const kind = named !== null && Object.hasOwn(kinds, named) ? kinds[named] : undefined;
    if (named === null || kind === undefined) {
      if (item.suggestion == null)
        return new Unusable('kind_unknown', `no kind of directive: ${named ?? 'none'}`);
      const suggestion = truncate(item.suggestion, maxBytes.suggestion);
      return { peerId, handle, kind: 'suggestion', params: {}, suggestion };
    }
    const params = parse(kind.params, item.params ?? {});
    if (params instanceof Unusable) return params;
    if (kind.permits?.(peer) === false) {
      return new Unusable('against_facts', `the facts about this peer do not permit ${named}`);
    }
    return { peerId, handle, kind: named, params, suggestion: null };
  };

  const commitment = (given: unknown): ProposedCommitment | Unusable => {
    const item = parse(commitmentItemSchema, given);
    if (item instanceof Unusable) return item;
    const peer = find(item.peerId);
    if (peer === null) return unknownPeer(item.peerId);
    if (now !== undefined && !isPlausibleDueTime(item.dueAt, now)) {
      return new Unusable('invalid', 'dueAt: must be after now, by at most 90 days');
    }
    return { peerId: peer.peerId, what: truncate(item.what, maxBytes.what), dueAt: item.dueAt };
  };

  const lesson = (given: unknown): string | Unusable =>
    typeof given === 'string' && given.trim() !== ''
      ? truncate(given.trim(), maxBytes.lesson)
      : new Unusable('invalid', 'a lesson is a text');

  const soul = frame.soulAlignment == null ? null : parse(soulAlignmentSchema, frame.soulAlignment);
  if (soul instanceof Unusable) drops.push(dropped('soul', soul.reason, soul.message, frame.soulAlignment));
  const nameOfBelief = ({ key, peerId }: ProposedBelief) => JSON.stringify([key, peerId]);
  return {
    assessments: read('assessment', frame.assessments, { item: assessment, name: (item) => item.peerId }),
    beliefs: read('belief', frame.beliefs, { item: belief, name: nameOfBelief }),
    directives: read(
      'directive',
      frame.directives,
      { item: directive, name: ({ peerId, kind, suggestion }) => JSON.stringify([peerId, kind, suggestion]) },
      maxItems.directive,
    ),
    commitments: read(
      'commitment',
      frame.commitments,
      { item: commitment, name: (item) => JSON.stringify(item) },
      maxItems.commitment,
    ),
    lessons: read('lesson', frame.lessons, { item: lesson, name: (text) => text }, maxItems.lesson),
    soulAlignment:
      soul === null || soul instanceof Unusable
        ? null
        : {
            score: soul.score,
            reasons: soul.reasons.slice(0, 5).map((text) => truncate(text, maxBytes.lesson)),
          },
    dropped: drops,
    summary: truncate(frame.summary.trim(), maxBytes.summary),
  };
}
