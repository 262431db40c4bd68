import type { StoreTest } from '@bonafide/storage/testing';
import { outcomeResult } from '../outcome.ts';
import type { Assessment, Outcome, Peer } from '../records.ts';
import type { HistoryQuery, InteractionWrite, LedgerStore, OutcomeWrite } from '../store.ts';

/** The tests of one group, by title. */
export type StoreTests = Readonly<Record<string, StoreTest<LedgerStore>>>;

const bob = { peerId: 'telegram:bob', nativeId: 'bob', channel: 'telegram', alias: null };

/** A message of bob's to record. */
export function message(
  interactionId: string,
  fields: Partial<Omit<InteractionWrite['interaction'], 'createdAt'>> & {
    readonly at?: number;
    readonly peer?: Partial<InteractionWrite['peer']>;
  },
): InteractionWrite {
  const content = fields.content ?? `message ${interactionId}`;
  return {
    peer: { ...bob, handle: fields.peer?.peerId ?? bob.peerId, ...fields.peer },
    interaction: {
      interactionId,
      direction: fields.direction ?? 'in',
      content,
      contentLength: fields.contentLength ?? content.length,
      redacted: fields.redacted ?? false,
      correlationId: fields.correlationId ?? null,
      externalId: fields.externalId ?? null,
      evidence: fields.evidence ?? null,
      metrics: fields.metrics ?? null,
      createdAt: fields.at ?? 1000,
      receivedAt: fields.receivedAt ?? 5000,
    },
    outcome: null,
  };
}

/** Creates an outcome of any peer that worked under the correlationId. */
export function outcomeOf(outcomeId: string, correlationId: string, outcome: Outcome): OutcomeWrite {
  return {
    outcomeId,
    peerId: null,
    correlationId,
    outcome,
    result: outcomeResult(outcome),
    metrics: null,
    externalId: null,
    evidence: null,
    redacted: false,
    createdAt: 2000,
    receivedAt: 5000,
  };
}

/** An assessment of bob. */
export function assessment(
  assessmentId: string,
  { peerId = 'telegram:bob', ...fields }: Partial<Assessment & Peer> = {},
  trust = fields.trust ?? 1,
): Assessment {
  return {
    assessmentId,
    peerId,
    infoScore: fields.infoScore ?? 1,
    trust,
    rationale: fields.rationale ?? 'Delivered what was asked for.',
    source: fields.source ?? 'agent',
    assessor: fields.assessor ?? null,
    createdAt: fields.createdAt ?? 2000,
  };
}

/** A whole history, newest first. */
export const newest = (peerId = 'telegram:bob'): HistoryQuery => ({ peerId, order: 'newest', limit: 1000 });

/** A whole history, oldest first. */
export const oldest = (peerId = 'telegram:bob'): HistoryQuery => ({ peerId, order: 'oldest', limit: 1000 });

/** All that a store says. */
export async function everything(store: LedgerStore) {
  const peers = await store.listPeers({ orderBy: 'firstSeenAt', limit: 1000 });
  const histories = [];
  for (const { peer } of peers) {
    histories.push({
      interactions: await store.listInteractions(newest(peer.peerId)),
      outcomes: await store.listOutcomes(oldest(peer.peerId)),
      assessments: await store.listAssessments(oldest(peer.peerId)),
    });
  }
  return { peers, histories, totals: await store.getTotals() };
}
