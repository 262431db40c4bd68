import { neutralize, shortId } from '@bonafide/internal';
import { formatTrust, type PolicyVerdict } from './policy.ts';
import { fitTokens, tokenCeiling } from './prompt-budget.ts';
import type { PeerAssessmentSummary, PeerOverview } from './records.ts';

/**
 * A piece of a system prompt (LED-15). A host joins sections as its SDK wants them: what is less volatile first, so
 * that the beginning of the prompt stays the same and cached.
 */
export interface PromptSection {
  /** Names the section; one of a name per prompt. */
  readonly id: string;
  /** Markdown that begins with its own heading; empty when there is nothing to say. */
  readonly text: string;
  /** Which sections to keep when room is short: the higher ones. */
  readonly priority: number;
  /** How often the text changes: never, per session, or with every turn. */
  readonly volatility: 'static' | 'session' | 'turn';
  /** Whose knowledge this is. */
  readonly provenance: string;
}

/** What a peer's section is made of. */
export interface PeerContextInput {
  /** Shown for a peer that the ledger does not know. */
  readonly peerId: string;
  readonly peer: PeerOverview | null;
  readonly summary: PeerAssessmentSummary | null;
  readonly verdict: PolicyVerdict;
  /** Time now, ms since epoch, for "N days ago". */
  readonly now: number;
}

/** The most tokens that a peer's section takes, guide and rationale included (LED-15). */
export const peerContextTokens = 149;

const heading = '## Peer Context';
const guide = [
  'Info 0-10 = how well known; Trust ±10 = how it behaved.',
  'Low info is uncertain: weigh the rationale.',
].join('\n');

const rationaleBytes = 600;
const trajectoryShown = 3;

/**
 * The section about one peer: a pure function of what the ledger knows. Null gives an empty section, for senders
 * that are no peers. What a peer could have written is neutralised (LED-16): one line, no markup, bounded.
 */
export function peerContextSection(input: PeerContextInput | null): PromptSection {
  return {
    id: 'peer-context',
    text: input ? peerContextText(input) : '',
    priority: 80,
    volatility: 'turn',
    provenance: 'ledger',
  };
}

function peerContextText({ peerId, peer, summary, verdict, now }: PeerContextInput): string {
  const lines = peer && peer.interactionCount > 0 ? known(peer, summary, now) : firstContact(peerId, peer);
  if (verdict.verdict !== 'accept') {
    lines.after.push(`Policy: ${verdict.verdict} (${safe(verdict.rule, 10)})`);
  }
  const frame = [heading, guide, ...lines.before, ...lines.after].join('\n');
  if (lines.rationale === null) return frame;
  const room = peerContextTokens - tokenCeiling(frame);
  const rationale = fitTokens(neutralize(lines.rationale, rationaleBytes), room);
  return [
    heading,
    guide,
    ...lines.before.slice(0, -1),
    `${lines.before.at(-1)}${rationale}`,
    ...lines.after,
  ].join('\n');
}

interface Lines {
  /** The last of these is where the rationale goes. */
  readonly before: string[];
  readonly rationale: string | null;
  readonly after: string[];
}

function firstContact(peerId: string, peer: PeerOverview | null): Lines {
  return {
    before: [identity(peerId, peer), 'Interactions: 0', 'First contact — no prior history.'],
    rationale: null,
    after: [],
  };
}

function known(peer: PeerOverview, summary: PeerAssessmentSummary | null, now: number): Lines {
  const latest = summary?.latest ?? null;
  const seen = `First seen ${day(peer.firstSeenAt, now)} | Last seen ${day(peer.lastSeenAt, now)}`;
  const before = [identity(peer.peerId, peer), `Interactions: ${peer.interactionCount} | ${seen}`];
  const after: string[] = [];
  if (latest) {
    before.push(
      `Info ${latest.infoScore}/10 | Trust ${formatTrust(latest.trust)} (${daysAgo(latest.createdAt, now)}) — `,
    );
    const trend = (summary?.trajectory ?? []).slice(-trajectoryShown);
    if (trend.length > 1)
      after.push(`Trust trajectory: ${trend.map(({ trust }) => formatTrust(trust)).join(' ')}`);
  } else {
    before.push(`Info ${peer.infoScoreNow}/10 | Trust: not assessed yet`);
  }
  if (peer.successRate !== null) after.push(`Success rate: ${Math.round(peer.successRate * 100)}%`);
  return { before, rationale: latest?.rationale ?? null, after };
}

function identity(peerId: string, peer: PeerOverview | null): string {
  const id = safe(shortId(peerId), 20);
  const channel = peer ? ` | ${safe(peer.channel, 8)}` : '';
  const alias = peer?.alias ? safe(peer.alias.replaceAll('"', ''), 9) : '';
  return alias ? `Peer: "${alias}" | ID: ${id}${channel}` : `Peer: ${id}${channel}`;
}

/** Text of somebody else on one line without markup, in at most so many tokens. */
function safe(text: string, tokens: number): string {
  return fitTokens(neutralize(text, 128), tokens);
}

function day(at: number, now: number): string {
  return `${new Date(at).toISOString().slice(0, 10)} (${daysAgo(at, now)})`;
}

function daysAgo(at: number, now: number): string {
  const days = Math.floor(Math.max(0, now - at) / 86_400_000);
  return days === 0 ? 'today' : days === 1 ? '1 day ago' : `${days} days ago`;
}
