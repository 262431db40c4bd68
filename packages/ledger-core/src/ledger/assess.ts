import { isBlank } from '@bonafide/internal';
import { LedgerError, peerNotFound } from '../errors.ts';
import type { Assessment, AssessmentSource } from '../records.ts';
import { cleanText } from '../stored-text.ts';
import type { LedgerDependencies } from './dependencies.ts';
import { requireNamedPeer } from './find-peer.ts';
import { infoScorer } from './info-scorer.ts';

/** Options of `recordAssessment`. */
export interface AssessmentOptions {
  /** @default 'agent' */
  readonly source?: AssessmentSource | undefined;
  /** Model and prompt of the assessor. */
  readonly assessor?: string | undefined;
}

/** A judgment as it was given. */
export interface Judgment extends AssessmentOptions {
  readonly peerId: string;
  readonly trust: number;
  readonly rationale: string;
}

/**
 * Appends a judgment, its infoScore computed, its trust no further than `maxStep` from the latest one (from 0 at the
 * first). Throws `TRUST_OUT_OF_RANGE`, `RATIONALE_REQUIRED`, `PEER_NOT_FOUND`, `CHANNEL_NOT_ASSESSED`.
 */
export async function assessPeer(
  context: LedgerDependencies,
  { peerId, trust, rationale, source: by = 'agent', assessor }: Judgment,
  maxStep: number | null,
): Promise<Assessment> {
  const { store, config, now, newId, emit, ensureOpen } = context;
  ensureOpen();
  checkTrust(trust);
  checkRationale(rationale);
  const { peer: known } = await requireNamedPeer(context, peerId);
  if (by !== 'operator') checkChannel(known.channel, config.assessChannels);
  const score = await infoScorer(context, known);
  const assessment = await store.recordAssessment(known.peerId, (peer, latest) => ({
    assessmentId: newId(),
    peerId: peer.peerId,
    infoScore: score({ ...peer, assessmentCount: peer.assessmentCount + 1 }),
    // Adding 0 turns -0 into 0.
    trust: (maxStep === null ? trust : within(trust, latest?.trust ?? 0, maxStep)) + 0,
    rationale: cleanText(rationale),
    source: by,
    assessor: assessor === undefined ? null : cleanText(assessor),
    createdAt: now(),
  }));
  if (!assessment) throw peerNotFound(peerId);
  emit('afterAssess', {
    peerId: assessment.peerId,
    infoScore: assessment.infoScore,
    trust: assessment.trust,
    rationale: assessment.rationale,
    assessmentId: assessment.assessmentId,
    source: assessment.source,
  });
  return assessment;
}

function checkTrust(trust: number): void {
  if (Number.isInteger(trust) && trust >= -10 && trust <= 10) return;
  const given = typeof trust === 'number' ? `, not ${trust}` : '';
  throw new LedgerError('TRUST_OUT_OF_RANGE', `Trust is an integer from -10 to +10${given}.`);
}

function checkRationale(rationale: string): void {
  if (typeof rationale === 'string' && !isBlank(rationale)) return;
  throw new LedgerError(
    'RATIONALE_REQUIRED',
    'Say why: an assessment without a rationale cannot be recorded.',
  );
}

function checkChannel(channel: string, assessed: readonly string[] | null): void {
  if (assessed === null || assessed.includes(channel)) return;
  throw new LedgerError(
    'CHANNEL_NOT_ASSESSED',
    `Peers of the channel '${channel}' are assessed by the operator only. Add it to assessChannels to change that.`,
  );
}

/** `wanted`, but no further than `step` from `from`. */
function within(wanted: number, from: number, step: number): number {
  return Math.max(from - step, Math.min(from + step, wanted));
}
