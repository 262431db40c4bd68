import { successRate } from '../outcome.ts';
import { type PromptSection, peerContextSection } from '../peer-context.ts';
import { parseNostrKey } from '../peer-id.ts';
import { evaluatePolicy, type PolicyVerdict } from '../policy.ts';
import type { PeerAssessmentSummary, PeerOverview } from '../records.ts';
import type { StoredPeer } from '../store.ts';
import type { ResolvedConfig } from './config.ts';
import type { LedgerDependencies } from './dependencies.ts';
import { isExcluded } from './excluded-senders.ts';
import { findPeer } from './find-peer.ts';
import { keptVerdict } from './kept-verdict.ts';
import { summarizePeer } from './peer-summary.ts';

/** Everything that is known about a peer before a decision is made, read at one moment. */
export interface PeerBriefing {
  /** Null on first contact. */
  readonly peer: PeerOverview | null;
  readonly summary: PeerAssessmentSummary | null;
  readonly verdict: PolicyVerdict;
  /** Written when it is first read: many callers need the verdict only. */
  readonly section: PromptSection;
}

/** Reads a peer once, and decides and writes what follows from it. */
export async function briefOn(context: LedgerDependencies, peerId: string): Promise<PeerBriefing> {
  const { config } = context;
  const now = context.now();
  const found = await findPeer(context, peerId);
  const summary = found && (await summarizePeer(context, found, now));
  const byPolicy = evaluatePolicy(summary, config.policy);
  const isTraceless = leavesNoTrace(config, found, peerId);
  const id = found?.peer.peerId ?? parseNostrKey(peerId) ?? peerId;
  const kept = isTraceless || byPolicy.verdict === 'refuse' ? null : await keptVerdict(context, id, found);
  const verdict = kept ?? byPolicy;
  const peer = found && {
    ...found.peer,
    infoScoreNow: summary?.infoScoreNow ?? 0,
    latest: found.latest,
    successRate: successRate(found.peer),
  };
  const handle = peer?.handle ?? (await context.handles.of(id));
  const shown = { handle, peer, summary, verdict, now };
  let section: PromptSection | undefined;
  return {
    peer,
    summary,
    verdict,
    get section() {
      section ??= peerContextSection(isTraceless ? null : shown);
      return section;
    },
  };
}

/** Returns true for an id that is excluded on purpose: `cron`, or `local:cron` as a peerId. */
function leavesNoTrace(config: ResolvedConfig, found: StoredPeer | null, peerId: string): boolean {
  if (found) return isExcluded(config, found.peer.channel, found.peer.nativeId);
  const [channel = '', ...nativeId] = peerId.split(':');
  return config.excludedSenders.includes(peerId) || isExcluded(config, channel, nativeId.join(':'));
}
